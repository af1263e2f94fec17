#include <assert.h>
#define N 10000
extern int __VERIFIER_nondet_int(void);

static int a[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > N)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();

    int max = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > max)
            max = a[i];
    for (int i = 0; i < n; i++)
        assert(a[i] <= max);
    return 0;
}
