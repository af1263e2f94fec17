#include <assert.h>
#define N 100000
extern short __VERIFIER_nondet_short(void);
extern int __VERIFIER_nondet_int(void);

static short h[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        h[i] = __VERIFIER_nondet_short();
    for (int end = N - 1; end > 0; end--) {
        for (int i = 0; i + 1 < end; i++) {
            if (h[i] > h[i + 1]) {
                short t = h[i + 1];
                h[i + 1] = h[i];
                h[i] = t;
            }
            assert(h[i] <= h[i + 1]);
        }
    }
    int k = __VERIFIER_nondet_int();
    if (k < 1 || k >= N)
        return 0;
    assert(h[k - 1] <= h[k]);
    return 0;
}
