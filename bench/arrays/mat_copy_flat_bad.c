#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int r = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    if (r < 1 || r > 500 || c < 1 || c > 500)
        return 0;
    int *a = malloc(r * c * sizeof *a);
    int *b = calloc(r * c, sizeof *b);
    if (!a || !b) {
        free(a);
        free(b);
        return 0;
    }
    for (int k = 0; k < r * c; k++)
        a[k] = __VERIFIER_nondet_int();

    for (int i = 0; i < r; i++)
        for (int j = 0; j < c - 1; j++)
            b[i * c + j] = a[i * c + j];

    int y = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (y >= 0 && y < r && x >= 0 && x < c)
        assert(b[y * c + x] == a[y * c + x]);
    free(a);
    free(b);
    return 0;
}
