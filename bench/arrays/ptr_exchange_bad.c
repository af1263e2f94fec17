#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 10000
static int a[MAX], b[MAX];
static int *p[MAX], *q[MAX];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > MAX)
        return 0;
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
        p[i] = &a[i];
        q[i] = &b[i];
    }

    for (int i = 0; i < n; i++) {
        int *t = q[i];
        p[i] = q[i];
        q[i] = t;
    }

    for (int i = 0; i < n; i++) {
        assert(*p[i] == b[i]);
        assert(*q[i] == a[i]);
    }
    return 0;
}
