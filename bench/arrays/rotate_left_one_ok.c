#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int));
    if (a == NULL || b == NULL)
        goto out;
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = a[i];
    }

    int first = a[0];
    for (int i = 0; i + 1 < n; i++)
        a[i] = a[i + 1];
    a[n - 1] = first;

    for (int i = 0; i + 1 < n; i++)
        assert(a[i] == b[i + 1]);
    assert(a[n - 1] == b[0] && first == b[0]);
out:
    free(a);
    free(b);
    return 0;
}
