#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 60000)
        return 0;

    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    int i = 0;
    do {
        a[i] = i + 1;
    } while (++i < n);

    long long s = 0;
    for (i = 0; i < n; i++)
        s += a[i];

    assert(s == (long long)n * (n + 1) / 2);
    free(a);
    return 0;
}
