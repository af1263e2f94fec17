#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

static int w[N];
static int cum[N];

int main(void)
{
    int total = 0;
    for (int i = 0; i < N; i++)
        w[i] = 2;
    for (int i = 0; i < N; ++i) {
        cum[i] = total;
        total += w[i];
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N)
        return 0;
    assert(cum[k] == 2 * (k + 1));
    return 0;
}
