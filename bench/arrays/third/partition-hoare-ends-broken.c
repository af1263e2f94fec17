#include <assert.h>
#define N 100000
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char bit[N];

int main(void)
{
    int lo = 0, hi = N - 1;
    for (int i = 0; i < N; i++)
        bit[i] = __VERIFIER_nondet_uchar() & 1;
    while (lo + 1 < hi) {
        if (bit[lo] == 0) {
            lo++;
        } else if (bit[hi] == 1) {
            hi--;
        } else {
            bit[lo] = 0;
            bit[hi] = 1;
            lo++;
            hi--;
        }
    }
    for (int i = 1; i < N; i++)
        assert(bit[i - 1] <= bit[i]);
    return 0;
}
