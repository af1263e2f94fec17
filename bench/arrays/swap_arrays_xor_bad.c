#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define N 100000
static unsigned x[N], y[N], x0[N], y0[N];

int main(void)
{
    int i;
    for (i = 0; i < N; i++) {
        x0[i] = x[i] = __VERIFIER_nondet_uint();
        y0[i] = y[i] = __VERIFIER_nondet_uint();
    }
    for (i = 0; i < N; i++) {
        x[i] ^= y[i];
        y[i] ^= x[i];
        y[i] ^= x[i];
    }
    for (i = 0; i < N; i++) {
        assert(x[i] == y0[i]);
        assert(y[i] == x0[i]);
    }
    return 0;
}
