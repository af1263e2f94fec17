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
        a[i] = 2;

    int sum = 0;
    for (int i = 1; i < n; i++)
        sum += a[i];

    assert(sum == 2 * n);
    free(a);
    return 0;
}
