#include <assert.h>
#define N 10000
extern int __VERIFIER_nondet_int(void);

static int a[N];
static long p[N + 1];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    p[0] = 0;
    for (int i = 0; i < n; i++)
        p[i + 1] = p[i] + a[i];
    for (int i = 0; i < n; i++)
        assert(p[i + 1] - p[i] == a[i]);
    return 0;
}
