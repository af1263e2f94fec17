#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int r = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    if (r < 1 || r > 300 || c < 1 || c > 300)
        return 0;

    int m[r][c];
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++)
            m[i][j] = i * c + j;

    int next = 0;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            assert(m[i][j] == next);
            next++;
        }
    return 0;
}
