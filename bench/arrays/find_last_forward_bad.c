#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

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

    int key = __VERIFIER_nondet_int();
    int last = -1;
    for (int i = 0; i < n; i++)
        if (a[i] == key && last < 0)
            last = i;

    if (last >= 0)
        assert(a[last] == key);
    for (int i = last + 1; i < n; i++)
        assert(a[i] != key);
    free(a);
    return 0;
}
