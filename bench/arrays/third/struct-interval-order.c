#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct interval { int lo, hi; };

static void normalise(struct interval *p)
{
    if (p->lo > p->hi) {
        int t = p->lo;
        p->lo = p->hi;
        p->hi = t;
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 25000) return 0;
    struct interval *v = malloc(n * sizeof(struct interval));
    if (!v) return 0;
    for (int i = 0; i < n; i++) {
        v[i].lo = __VERIFIER_nondet_int();
        v[i].hi = __VERIFIER_nondet_int();
    }
    for (struct interval *p = v; p < v + n; p++)
        normalise(p);
    for (int i = 0; i < n; i++)
        assert(v[i].lo <= v[i].hi);
    free(v);
    return 0;
}
