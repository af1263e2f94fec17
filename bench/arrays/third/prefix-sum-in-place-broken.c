#include <assert.h>
#define N 100000
extern unsigned char __VERIFIER_nondet_uchar(void);

static int acc[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        acc[i] = __VERIFIER_nondet_uchar();
    int i = 1;
    while (i < N) {
        acc[i] = acc[i - 1] - acc[i];
        i++;
    }
    assert(acc[0] >= 0);
    for (i = 1; i < N; i++)
        assert(acc[i - 1] <= acc[i]);
    return 0;
}
