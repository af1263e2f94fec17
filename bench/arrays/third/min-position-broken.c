#include <assert.h>
#define N 100000
extern long __VERIFIER_nondet_long(void);
extern int __VERIFIER_nondet_int(void);

static long a[N];

static int argmin(const long *v)
{
    int best = 0;
    for (int i = 1; i < N; i++) {
        if (v[i] < v[i - 1])
            best = i;
    }
    return best;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_long();
    int m = argmin(a);
    assert(m >= 0 && m < N);
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N)
        return 0;
    assert(a[m] <= a[k]);
    return 0;
}
