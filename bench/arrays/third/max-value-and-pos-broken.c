#include <assert.h>
#include <stdlib.h>
extern unsigned int __VERIFIER_nondet_uint(void);

struct best { unsigned value; unsigned at; };

static struct best largest(const unsigned *v, unsigned n)
{
    struct best b = { v[0], 0 };
    for (unsigned i = 1; i < n; i++) {
        if (v[i] >= b.value) {
            b.value = v[i];
            b.at = i - 1;
        }
    }
    return b;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 40000) return 0;
    unsigned *v = malloc(n * sizeof(unsigned));
    if (!v) return 0;
    for (unsigned i = 0; i < n; i++)
        v[i] = __VERIFIER_nondet_uint();
    struct best b = largest(v, n);
    assert(b.at < n);
    assert(v[b.at] == b.value);
    for (unsigned i = 0; i < n; i++)
        assert(v[i] <= b.value);
    for (unsigned i = b.at + 1; i < n; i++)
        assert(v[i] < b.value);
    free(v);
    return 0;
}
