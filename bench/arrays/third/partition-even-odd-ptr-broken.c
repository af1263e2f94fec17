#include <assert.h>
#include <stdlib.h>
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 30000) return 0;
    unsigned *in = malloc(n * sizeof *in);
    unsigned *out = malloc(n * sizeof *out);
    if (!in || !out) return 0;
    for (unsigned *p = in; p != in + n; ++p)
        *p = __VERIFIER_nondet_uint();

    unsigned front = 0, back = n;
    for (unsigned i = 0; i < n; i++) {
        if (in[i] % 2 == 0)
            out[front++] = in[i];
        else
            out[front++] = in[i];
    }
    assert(front == back);
    for (unsigned i = 0; i < front; i++)
        assert(out[i] % 2 == 0);
    for (unsigned i = back; i < n; i++)
        assert(out[i] % 2 == 1);
    free(in);
    free(out);
    return 0;
}
