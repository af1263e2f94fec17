#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int index_of(const int *a, int n, int key)
{
    int pos = -1;
    for (int i = 0; i < n; i++) {
        if (a[i] == key) {
            pos = i;
        }
    }
    return pos;
}

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
    int pos = index_of(a, n, key);
    int end = pos < 0 ? n : pos;
    for (int i = 0; i < end; i++)
        assert(a[i] != key);
    if (pos >= 0)
        assert(a[pos] == key);
    free(a);
    return 0;
}
