#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define M 3

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < M || n > 20000)
        return 0;
    char text[n], pat[M];
    for (int i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_char();
    for (int j = 0; j < M; j++)
        pat[j] = __VERIFIER_nondet_char();

    int hit = -1;
    for (int i = 0; i <= n - M && hit < 0; i++) {
        int j = 0;
        while (j < M && text[i + j] == pat[j])
            j++;
        if (j >= M - 1)
            hit = i;
    }

    if (hit >= 0)
        for (int j = 0; j < M; j++)
            assert(text[hit + j] == pat[j]);
    return 0;
}
