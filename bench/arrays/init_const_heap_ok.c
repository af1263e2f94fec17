#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define LIMIT 1000000
#define FILL 42

static void fill(int *p, int n, int v)
{
    for (int i = 0; i < n; i++)
        p[i] = v;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > LIMIT)
        return 0;
    int *a = calloc(n, sizeof *a);
    if (a == NULL)
        return 0;
    fill(a, n, FILL);
    for (int i = 0; i < n; i++)
        assert(a[i] == FILL);
    free(a);
    return 0;
}
