#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 50000)
        return 0;
    int *a = malloc(n * sizeof *a);
    int *b = malloc(n * sizeof *b);
    int *out = malloc(2 * n * sizeof *out);
    if (a && b && out) {
        for (int i = 0; i < n; i++) {
            a[i] = __VERIFIER_nondet_int();
            b[i] = __VERIFIER_nondet_int();
        }
        for (int i = 0; i < n; i++) {
            out[2 * i] = a[i];
            out[2 * i + 1] = a[i];
        }
        for (int i = 0; i < 2 * n; i++)
            assert(out[i] == (i % 2 == 0 ? a[i / 2] : b[i / 2]));
    }
    free(a);
    free(b);
    free(out);
    return 0;
}
