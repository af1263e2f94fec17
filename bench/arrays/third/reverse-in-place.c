#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

static int a[N];
static int old[N];

static void swap(int *p, int *q)
{
    int t = *p;
    *p = *q;
    *q = t;
}

int main(void)
{
    int i, j;
    for (i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        old[i] = a[i];
    }
    for (i = 0, j = N - 1; i < j; i++, j--)
        swap(&a[i], &a[j]);
    for (i = 0; i < N; i++)
        assert(a[i] == old[N - 1 - i]);
    return 0;
}
