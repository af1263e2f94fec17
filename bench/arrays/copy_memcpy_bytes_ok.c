#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
static int src[N], dst[N];

int main(void)
{
    int i;

    for (i = 0; i < N; i++)
        src[i] = __VERIFIER_nondet_int();

    memcpy(dst, src, N * sizeof src[0]);

    for (i = 0; i < N; i++)
        assert(dst[i] == src[i]);
    return 0;
}
