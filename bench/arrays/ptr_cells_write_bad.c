#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 50000)
        return 0;
    int *a = calloc(n, sizeof *a);
    int **p = malloc(n * sizeof *p);
    if (!a || !p) {
        free(a);
        free(p);
        return 0;
    }
    for (int i = 0; i < n; i++)
        p[i] = a;
    for (int i = 0; i < n; i++)
        *p[i] = i;

    for (int i = 0; i < n; i++)
        assert(a[i] == i);
    free(p);
    free(a);
    return 0;
}
