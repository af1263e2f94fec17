#include <assert.h>
#define N 10000
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int v[N];

static int find(const int *s, int n, int x)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (s[mid] == x)
            return mid;
        if (s[mid] < x)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    int cur = 0;
    for (int i = 0; i < n; i++) {
        cur += __VERIFIER_nondet_uchar();
        v[i] = cur;
    }
    int r = find(v, n, x);
    if (r >= 0) {
        assert(r < n && v[r] == x);
    } else {
        for (int i = 0; i < n; i++)
            assert(v[i] != x);
    }
    return 0;
}
