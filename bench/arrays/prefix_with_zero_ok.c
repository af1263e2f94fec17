#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

#define N 100000
static unsigned a[N], part[N + 1];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_uint();

    unsigned run = 0;
    part[0] = 0;
    for (int i = 0; i < N; i++) {
        run += a[i];
        part[i + 1] = run;
    }

    for (int i = 0; i < N; i++)
        assert(part[i + 1] == part[i] + a[i]);
    return 0;
}
