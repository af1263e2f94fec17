#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define MAX 20000

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (!(n >= 1 && n <= MAX)) return 0;
    int *v = calloc(n, sizeof(int));
    if (v == NULL) return 0;

    int lo = 0, hi = n - 1;
    while (lo < hi) {
        v[lo] = 7;
        v[hi] = 7;
        lo++;
        hi--;
    }

    int k = __VERIFIER_nondet_int();
    if (!(k >= 0 && k < n)) { free(v); return 0; }
    assert(v[k] == 7);
    free(v);
    return 0;
}
