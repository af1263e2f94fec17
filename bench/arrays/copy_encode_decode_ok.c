#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 65536)
        return 0;
    unsigned key = __VERIFIER_nondet_uint();
    unsigned *a = malloc(3u * n * sizeof *a);
    if (a == NULL)
        return 0;
    unsigned *b = a + n, *c = a + 2 * n;

    for (int i = 0; i < n; ++i)
        a[i] = __VERIFIER_nondet_uint();
    for (int i = 0; i < n; ++i)
        b[i] = a[i] ^ key;
    for (int i = 0; i < n; ++i)
        c[i] = b[i];
    for (int i = 0; i < n; ++i)
        c[i] ^= key;

    for (int i = 0; i < n; ++i)
        assert(c[i] == a[i]);
    free(a);
    return 0;
}
