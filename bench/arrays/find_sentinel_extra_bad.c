#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 300000) return 0;
    int *a = malloc((n + 1) * sizeof *a);
    if (!a) return 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();

    const int key = __VERIFIER_nondet_int();
    a[n] = key;
    int i = 0;
    while (a[i] != key)
        i++;
    int found = i < n - 1;

    if (found) {
        assert(i < n && a[i] == key);
    } else {
        for (int j = 0; j < n; j++)
            assert(a[j] != key);
    }
    free(a);
    return 0;
}
