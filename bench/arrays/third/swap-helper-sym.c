#include <assert.h>
#include <stddef.h>
#define N 25000
extern unsigned long __VERIFIER_nondet_ulong(void);
extern short __VERIFIER_nondet_short(void);

static short p[N], q[N], p_old[N], q_old[N];

static void swap_ranges(short *x, short *y, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        short t = y[i];
        y[i] = x[i];
        x[i] = t;
    }
}

int main(void)
{
    size_t n = __VERIFIER_nondet_ulong();
    if (n > N) return 0;
    for (size_t i = 0; i < n; i++) {
        p[i] = p_old[i] = __VERIFIER_nondet_short();
        q[i] = q_old[i] = __VERIFIER_nondet_short();
    }
    swap_ranges(p, q, n);
    size_t k = __VERIFIER_nondet_ulong();
    if (k >= n) return 0;
    assert(p[k] == q_old[k] && q[k] == p_old[k]);
    return 0;
}
