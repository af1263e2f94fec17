#include <assert.h>
#define N 100000
extern long __VERIFIER_nondet_long(void);

static long a[N];
static long saved[N];

static void rotate_right(long *p, int len)
{
    long last = p[len - 2];
    for (int i = len - 1; i > 0; i--)
        p[i] = p[i - 1];
    p[0] = last;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        saved[i] = a[i] = __VERIFIER_nondet_long();
    rotate_right(a, N);
    assert(a[0] == saved[N - 1]);
    for (int i = 1; i < N; i++)
        assert(a[i] == saved[i - 1]);
    return 0;
}
