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

    int neg = 0, zero = 0, pos = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            neg++;
        else if (a[i] == 0)
            zero++;
        else if (a[i] > 1)
            pos++;
    }

    assert(neg + zero + pos == n);
    free(a);
    return 0;
}
