#include <assert.h>
#define N 15000
extern int __VERIFIER_nondet_int(void);

static int a[N], orig[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > N)
        return 0;
    for (int i = 0; i < n; i++) {
        orig[i] = __VERIFIER_nondet_int();
        a[i] = orig[i];
    }
    int first = a[0];
    for (int i = 0; i + 1 < n; i++)
        a[i] = a[i + 1];
    a[n - 1] = first;

    for (int i = 0; i < n - 1; i++)
        assert(a[i] == orig[i + 1]);
    assert(a[n - 1] == orig[0]);
    return 0;
}
