#include <assert.h>
#define N 100000
extern unsigned char __VERIFIER_nondet_uchar(void);

static int a[N], b[N], m[2 * N];

int main(void)
{
    int i, j, k;
    a[0] = __VERIFIER_nondet_uchar();
    b[0] = __VERIFIER_nondet_uchar();
    for (i = 1; i < N; i++) {
        a[i] = a[i - 1] + __VERIFIER_nondet_uchar();
        b[i] = b[i - 1] + __VERIFIER_nondet_uchar();
    }
    i = j = k = 0;
    while (i < N && j < N) {
        if (a[i] >= b[j])
            m[k++] = a[i++];
        else
            m[k++] = b[j++];
    }
    while (i < N)
        m[k++] = a[i++];
    while (j < N)
        m[k++] = b[j++];
    assert(k == 2 * N);
    for (k = 1; k < 2 * N; k++)
        assert(m[k - 1] <= m[k]);
    return 0;
}
