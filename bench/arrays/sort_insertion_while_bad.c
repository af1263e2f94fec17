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

    for (int i = 1; i < n; i++) {
        int key = a[i];
        int j = i;
        while (j > 1 && a[j - 1] > key) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = key;
    }

    for (int i = 1; i < n; i++)
        assert(a[i - 1] <= a[i]);
    free(a);
    return 0;
}
