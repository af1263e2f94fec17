#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void accumulate(int *v, int n)
{
    for (int i = 1; i < n; ++i)
        v[i] = v[i] - v[i - 1];
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int *v = malloc(n * sizeof(int));
    if (v == NULL)
        abort();
    for (int i = 0; i < n; ++i)
        v[i] = (int)(__VERIFIER_nondet_uint() % 100u);

    accumulate(v, n);
    for (int i = 1; i < n; ++i)
        assert(v[i - 1] <= v[i]);
    free(v);
    return 0;
}
