#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

int a1[N], a2[N], a3[N], a4[N];

int main(void)
{
    int i;
    for (i = 0; i < N; i++) a1[i] = __VERIFIER_nondet_int();
    for (i = 0; i < N; i++) a2[i] = a1[i];
    for (i = 0; i < N - 1; i++) a3[i] = a2[i];
    for (i = 0; i < N; i++) a4[i] = a3[i];

    for (i = 0; i < N; i++)
        assert(a4[i] == a1[i]);
    return 0;
}
