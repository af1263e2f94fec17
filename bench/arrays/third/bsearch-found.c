#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

static int t[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        t[i] = 2 * i;
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x >= 2 * N || x % 2 != 0)
        return 0;
    int lo = 0, hi = N - 1, at = -1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (t[mid] == x) {
            at = mid;
            break;
        }
        if (t[mid] < x)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    assert(at == x / 2);
    return 0;
}
