#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 10000) return 0;
    int *a = malloc((size_t)n * sizeof(int));
    if (a == NULL) return 0;

    a[0] = 0;
    for (int i = 0; i < n - 1; i++) {
        a[i] = i + 1;
        a[i + 1] = 0;   /* guard, overwritten in the next round */
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n - 1) {
        free(a);
        return 0;
    }
    assert(a[k] == k + 1);
    assert(a[n - 1] == 0);
    free(a);
    return 0;
}
