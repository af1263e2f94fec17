#include <assert.h>
#include <stddef.h>
#define N 50000
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);

static unsigned a[N];

int main(void)
{
    size_t n = __VERIFIER_nondet_ulong();
    if (n > N) abort();
    for (size_t i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_uint();
        if (i > 0 && a[i] < a[i - 1]) abort();
    }
    unsigned key = __VERIFIER_nondet_uint();
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (a[mid] <= key)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (size_t i = 0; i < lo; i++)
        assert(a[i] < key);
    for (size_t i = lo; i < n; i++)
        assert(a[i] >= key);
    return 0;
}
