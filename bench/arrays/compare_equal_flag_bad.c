#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static bool same(const int *x, const int *y, int n)
{
    bool eq = true;
    for (int i = 0; i < n; i++)
        eq = x[i] == y[i];
    return eq;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int *x = malloc(n * sizeof(int));
    int *y = malloc(n * sizeof(int));
    if (!x || !y) {
        free(x);
        free(y);
        return 0;
    }
    for (int i = 0; i < n; i++) {
        x[i] = __VERIFIER_nondet_int();
        y[i] = __VERIFIER_nondet_int();
    }
    if (same(x, y, n))
        for (int i = 0; i < n; i++)
            assert(x[i] == y[i]);
    free(x);
    free(y);
    return 0;
}
