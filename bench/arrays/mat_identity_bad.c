#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 400)
        return 0;
    int *m = calloc(n * n, sizeof *m);
    if (!m)
        return 0;

    for (int k = 0; k < n * n; k += n)
        m[k] = 1;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j)
                assert(m[i * n + j] == 1);
            else
                assert(m[i * n + j] == 0);
        }
    free(m);
    return 0;
}
