#include <assert.h>
#include <stdlib.h>
extern long __VERIFIER_nondet_long(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

/* returns 1 iff p[i] <= q[i] everywhere */
static int dominated(long *p, long *q, int n)
{
    int ok = 1;
    for (int i = 0; i < n; i++) {
        if (p[i] > q[i])
            ok = 0;
        else
            ok = 1;
    }
    return ok;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 50000) abort();
    long *p = malloc(n * sizeof *p);
    long *q = malloc(n * sizeof *q);
    if (!p || !q) abort();
    for (int i = 0; i < n; i++) {
        p[i] = __VERIFIER_nondet_long();
        q[i] = __VERIFIER_nondet_long();
    }
    int r = dominated(p, q, n);
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) abort();
    if (r) assert(p[k] <= q[k]);
    free(p);
    free(q);
    return 0;
}
