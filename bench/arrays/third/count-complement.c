#include <assert.h>
#define N 10000
extern int __VERIFIER_nondet_int(void);

static int a[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (!(n >= 0 && n <= N)) return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int neg = 0, rest = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            neg++;
        else if (a[i] >= 0)
            rest++;
    }
    assert(neg + rest == n);
    return 0;
}
