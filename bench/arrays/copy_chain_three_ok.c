#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 50000
static int a[MAX], b[MAX], c[MAX], d[MAX];

static void copy(int *to, const int *from, int first, int n)
{
    for (int i = first; i < n; i++)
        to[i] = from[i];
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > MAX)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();

    copy(b, a, 0, n);
    copy(c, b, 0, n);
    copy(d, c, 0, n);

    for (int i = 0; i < n; i++)
        assert(d[i] == a[i]);
    return 0;
}
