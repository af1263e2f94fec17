#include <assert.h>
#define N 5000
extern int __VERIFIER_nondet_int(void);

static int a[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N)
        return 0;
    for (int i = 0; i < n - 1; i++)
        a[i] = 42;
    for (int i = 0; i < n; i++)
        assert(a[i] == 42);
    return 0;
}
