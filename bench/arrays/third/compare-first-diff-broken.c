#include <assert.h>
#define N 100000
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char left[N];
static unsigned char right[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        left[i] = __VERIFIER_nondet_uchar();
        right[i] = __VERIFIER_nondet_uchar();
    }
    int d = 0;
    while (d < N && left[d] <= right[d])
        d++;
    for (int i = 0; i < d; i++)
        assert(left[i] == right[i]);
    if (d < N)
        assert(left[d] != right[d]);
    return 0;
}
