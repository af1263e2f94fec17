#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

#define N 100000
static unsigned v[N];

int main(void)
{
    unsigned up = 0, down = 0;
    int i;

    for (i = 0; i < N; i++)
        v[i] = __VERIFIER_nondet_uint();
    for (i = 0; i < N; i++)
        up += v[i];
    i = N;
    while (i > 0) {
        i--;
        down += v[i];
    }
    assert(up == down);
    return 0;
}
