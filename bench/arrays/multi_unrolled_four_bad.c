#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
static int a[N];

int main(void)
{
    for (int i = 0; i < N; i += 4) {
        a[i] = i;
        a[i + 1] = i + 1;
        a[i + 2] = i + 3;
        a[i + 3] = i + 3;
    }

    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N)
        return 0;
    assert(a[k] == k);
    return 0;
}
