#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static int p[10000], q[10000], p_old[10000], q_old[10000];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int lo = __VERIFIER_nondet_int(), hi = __VERIFIER_nondet_int();
    if (n < 1 || n > 10000 || lo < 0 || lo > hi || hi > n)
        return 0;
    for (int i = 0; i < n; i++) {
        p_old[i] = p[i] = __VERIFIER_nondet_int();
        q_old[i] = q[i] = __VERIFIER_nondet_int();
    }

    int i = lo;
    while (i < hi) {
        int t = p[i];
        p[i] = q[i];
        q[i] = t;
        i++;
    }

    for (int k = 0; k < n; k++) {
        int inside = lo <= k && k < hi;
        assert(p[k] == (inside ? q_old[k] : p_old[k]));
        assert(q[k] == (inside ? p_old[k] : q_old[k]));
    }
    return 0;
}
