#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000

static int in[N];
static int out[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = __VERIFIER_nondet_int();

    for (int i = 0; i < N; i++)
        out[N - 1 - i] = in[i];

    for (int i = 0; i < N; i++)
        assert(out[i] == in[N - 1 - i]);
    return 0;
}
