#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int best_from(const int *a, int i, int n)
{
    int best = i;
    for (int j = i + 1; j < n; j++) {
        if (a[j] > a[i])
            best = j;
    }
    return best;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 20000)
        return 0;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        int b = best_from(a, i, n);
        int t = a[b];
        a[b] = a[i];
        a[i] = t;
    }
    for (int i = 1; i < n; i++)
        assert(a[i - 1] >= a[i]);
    free(a);
    return 0;
}
