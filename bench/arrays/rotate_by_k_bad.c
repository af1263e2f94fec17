#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
static int a[N], b[N];

static int wrap(int j)
{
    if (j >= N)
        j -= N - 1;
    return j;
}

int main(void)
{
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N)
        return 0;
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++)
        b[wrap(i + k)] = a[i];

    for (int i = 0; i < N - k; i++)
        assert(b[i + k] == a[i]);
    for (int i = N - k; i < N; i++)
        assert(b[i + k - N] == a[i]);
    return 0;
}
