#include <assert.h>
#define N 50000
extern int __VERIFIER_nondet_int(void);

static int a[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    for (int i = 0; i < n; i++)
        a[i] = 3;
    long sum = 0;
    for (int i = 1; i < n; i++)
        sum += a[i];
    assert(sum == 3L * n);
    return 0;
}
