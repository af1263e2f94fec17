#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

static int a[N], b[N], a0[N], b0[N];

int main(void)
{
    int i;
    for (i = 0; i < N; i++) {
        a0[i] = __VERIFIER_nondet_int();
        b0[i] = __VERIFIER_nondet_int();
        a[i] = a0[i];
        b[i] = b0[i];
    }
    for (i = 0; i < N; i++) {
        int tmp = a[i];
        a[i] = b[i];
        b[i] = a[i];
    }
    for (i = 0; i < N; i++) {
        assert(a[i] == b0[i]);
        assert(b[i] == a0[i]);
    }
    return 0;
}
