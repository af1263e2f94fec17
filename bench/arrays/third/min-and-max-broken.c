#include <assert.h>
#define N 100000
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char pix[N];

int main(void)
{
    unsigned char lo = 255, hi = 0;
    int i;
    for (i = 0; i < N; i++)
        pix[i] = __VERIFIER_nondet_uchar();
    i = N;
    while (i > 0) {
        --i;
        if (pix[i] < lo)
            lo = pix[i];
        else if (pix[i] > hi)
            hi = pix[i];
    }
    for (i = 0; i < N; i++) {
        assert(lo <= pix[i]);
        assert(pix[i] <= hi);
    }
    return 0;
}
