#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void swap(int *x, int *y)
{
    int t = *x;
    *x = *y;
    *y = t;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int *a = malloc(n * sizeof *a);
    int *orig = malloc(n * sizeof *orig);
    if (!a || !orig) {
        free(a);
        free(orig);
        return 0;
    }
    for (int i = 0; i < n; i++)
        orig[i] = a[i] = __VERIFIER_nondet_int();

    for (int i = 0; i < n; i++)
        swap(&a[i], &a[n - 1 - i]);

    for (int i = 0; i < n; i++)
        assert(a[i] == orig[n - 1 - i]);
    free(a);
    free(orig);
    return 0;
}
