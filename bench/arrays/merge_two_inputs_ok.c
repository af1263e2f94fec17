#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void ascending(int *v, int n)
{
    v[0] = (int)(__VERIFIER_nondet_uint() % 10u);
    for (int i = 1; i < n; i++)
        v[i] = v[i - 1] + (int)(__VERIFIER_nondet_uint() % 10u);
}

int main(void)
{
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || n > 50000 || m < 1 || m > 50000)
        return 0;
    int *a = malloc(n * sizeof *a);
    int *b = malloc(m * sizeof *b);
    int *c = malloc((n + m) * sizeof *c);
    if (a && b && c) {
        ascending(a, n);
        ascending(b, m);
        int i = 0, j = 0, k = 0;
        while (i < n && j < m) {
            if (a[i] <= b[j])
                c[k++] = a[i++];
            else
                c[k++] = b[j++];
        }
        while (i < n)
            c[k++] = a[i++];
        while (j < m)
            c[k++] = b[j++];
        for (k = 1; k < n + m; k++)
            assert(c[k - 1] <= c[k]);
    }
    free(a);
    free(b);
    free(c);
    return 0;
}
