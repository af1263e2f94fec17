#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    unsigned *a = malloc(n * sizeof *a);
    unsigned *p = malloc(n * sizeof *p);
    if (a && p) {
        for (int i = 0; i < n; i++)
            a[i] = __VERIFIER_nondet_uint();
        p[0] = a[0];
        for (int i = 1; i < n; i++)
            p[i] = p[i - 1] + a[i - 1];

        assert(p[0] == a[0]);
        for (int i = 1; i < n; i++)
            assert(p[i] - p[i - 1] == a[i]);
    }
    free(a);
    free(p);
    return 0;
}
