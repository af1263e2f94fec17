#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

static int a[N];

static int count(const int *v, int len, int x)
{
    int c = 0;
    for (int i = 0; i < len; i++)
        if (v[i] == x)
            c++;
    return c;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    int c = count(a, N, x);
    assert(0 <= c && c <= N);
    if (c == 0) {
        for (int i = 0; i < N; i++)
            assert(a[i] != x);
    }
    return 0;
}
