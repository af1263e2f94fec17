#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 200000)
        return 0;
    int *a = malloc(n * sizeof *a);
    int *b = calloc(n, sizeof *b);
    if (a && b) {
        for (int i = 0; i < n; i++)
            a[i] = __VERIFIER_nondet_int();

        const int *s = a;
        const int *e = a + n - 1;
        int *d = b;
        while (s != e)
            *d++ = *s++;

        for (int i = 0; i < n; i++)
            assert(b[i] == a[i]);
    }
    free(a);
    free(b);
    return 0;
}
