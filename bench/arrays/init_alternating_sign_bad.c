#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int sample(int i)
{
    return (i & 2) ? -i : i;
}

int main(void)
{
    const int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 500000) return 0;

    int *w = malloc(sizeof(int) * n);
    if (!w) return 0;
    for (int i = 0; i < n; ++i) w[i] = sample(i);

    for (int i = 0; i < n; ++i) {
        if (i % 2 == 0)
            assert(w[i] == i);
        else
            assert(w[i] == -i);
    }
    free(w);
    return 0;
}
