#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 40000)
        return 0;

    unsigned *sq = malloc(n * sizeof(unsigned));
    if (!sq)
        return 1;

    sq[0] = 0;
    for (int i = 1; i < n; i++)
        sq[i] = sq[i - 1] + 2u * i - 1u;

    for (int i = 0; i < n; i++)
        assert(sq[i] == (unsigned)i * (unsigned)i);

    free(sq);
    return 0;
}
