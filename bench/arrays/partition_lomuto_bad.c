#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int partition(int *a, int n, int pivot)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] <= pivot) {
            int t = a[m];
            a[m] = a[i];
            a[i] = t;
            m++;
        }
    }
    return m;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int pivot = __VERIFIER_nondet_int();
    int m = partition(a, n, pivot);

    for (int i = 0; i < m; i++)
        assert(a[i] < pivot);
    for (int i = m; i < n; i++)
        assert(a[i] >= pivot);
    free(a);
    return 0;
}
