#include <assert.h>
#define N 100000
extern short __VERIFIER_nondet_short(void);
extern int __VERIFIER_nondet_int(void);

static short in[N];
static short out[N];

int main(void)
{
    int i, k;
    for (i = 0; i < N; ++i)
        in[i] = __VERIFIER_nondet_short();
    for (i = N - 1; i > 0; --i)
        out[i] = in[i];
    k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N)
        return 0;
    assert(out[k] == in[k]);
    return 0;
}
