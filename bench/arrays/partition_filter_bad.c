#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int *pos = malloc(n * sizeof *pos);
    int *rest = malloc(n * sizeof *rest);
    if (!pos || !rest) {
        free(pos);
        free(rest);
        return 0;
    }
    int np = 0, nr = 0;
    for (int i = 0; i < n; i++) {
        int v = __VERIFIER_nondet_int();
        if (v >= 0)
            pos[np++] = v;
        else
            rest[nr++] = v;
    }

    assert(np + nr == n);
    for (int i = 0; i < np; i++)
        assert(pos[i] > 0);
    for (int i = 0; i < nr; i++)
        assert(rest[i] <= 0);
    free(pos);
    free(rest);
    return 0;
}
