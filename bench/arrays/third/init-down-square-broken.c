#include <assert.h>
#include <stddef.h>
#define N 30000
extern unsigned long __VERIFIER_nondet_ulong(void);

static long sq[N];

static void fill(long *p, size_t n)
{
    size_t i = n;
    while (i-- > 1)
        p[i] = (long)i * (long)i + 5;
}

int main(void)
{
    size_t n = __VERIFIER_nondet_ulong();
    if (n > N)
        return 0;
    fill(sq, n);
    for (size_t j = 0; j != n; ++j)
        assert(sq[j] == (long)j * (long)j + 5);
    return 0;
}
