#include <assert.h>
#define N 100000
extern short __VERIFIER_nondet_short(void);

static int a[N], b[N], c[N];

static void add(const int *p, const int *q, int *r, int len)
{
    while (len-- > 0) {
        *r = *p + *q;
        p++;
        q++;
        r++;
    }
}

int main(void)
{
    int i;
    for (i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_short();
        b[i] = __VERIFIER_nondet_short();
    }
    add(a, b, c, N);
    for (i = 0; i < N; i++)
        assert(c[i] - b[i] == a[i]);
    return 0;
}
