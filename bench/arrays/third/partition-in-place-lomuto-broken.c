#include <assert.h>
#define N 20000
extern int __VERIFIER_nondet_int(void);

static int a[N];

static int split(int *v, int n, int pivot)
{
    int s = 0;
    for (int i = 1; i < n; i++) {
        if (v[i] < pivot) {
            int t = v[i];
            v[i] = v[s];
            v[s] = t;
            s++;
        }
    }
    return s;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int pivot = __VERIFIER_nondet_int();
    if (n < 0 || n > N)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int s = split(a, n, pivot);
    for (int i = 0; i < s; i++)
        assert(a[i] < pivot);
    for (int i = s; i < n; i++)
        assert(a[i] >= pivot);
    return 0;
}
