#include <assert.h>
#include <stdbool.h>
#define N 8000
extern int __VERIFIER_nondet_int(void);

static int x[N], y[N];

static bool equal(const int *p, const int *q, int n)
{
    for (int i = 0; i < n; i++)
        if (p[i] != q[i])
            return false;
    return true;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N)
        return 0;
    for (int i = 0; i < n; i++) {
        x[i] = __VERIFIER_nondet_int();
        y[i] = __VERIFIER_nondet_int();
    }
    if (equal(x, y, n)) {
        for (int i = 0; i < n; i++)
            assert(x[i] == y[i]);
    }
    return 0;
}
