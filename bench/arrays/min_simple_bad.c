#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();

    int m = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > m)
            m = a[i];

    for (int i = 0; i < n; i++)
        assert(m <= a[i]);
    free(a);
    return 0;
}
