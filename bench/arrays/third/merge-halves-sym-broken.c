#include <assert.h>
#define N 10000
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

static int a[N], out[N];

static void merge(const int *v, int mid, int n, int *r)
{
    int i = 0, j = mid;
    for (int k = 0; k < n; k++) {
        if (i < mid && (j >= n - 1 || v[i] <= v[j])) {
            r[k] = v[i];
            i++;
        } else {
            r[k] = v[j];
            j++;
        }
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > N) abort();
    int mid = n / 2;
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (i > 0 && i != mid && a[i - 1] > a[i]) abort();
    }
    merge(a, mid, n, out);
    for (int i = 0; i + 1 < n; i++)
        assert(out[i] <= out[i + 1]);
    return 0;
}
