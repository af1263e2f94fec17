#include <assert.h>
#define N 100000
extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned char flags[N];

static void mark(unsigned char *p, unsigned start, unsigned char v)
{
    for (unsigned i = start; i < N; i += 2)
        p[i] = v;
}

int main(void)
{
    mark(flags, 0, 10);
    mark(flags, 3, 20);
    unsigned k = __VERIFIER_nondet_uint();
    if (!(k < N))
        return 0;
    if (k % 2 == 0)
        assert(flags[k] == 10);
    else
        assert(flags[k] == 20);
    return 0;
}
