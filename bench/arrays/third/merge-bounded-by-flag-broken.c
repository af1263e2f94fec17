#include <assert.h>
#define N 3000
extern int __VERIFIER_nondet_int(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

static int p[N], q[N], r[2 * N];

int main(void)
{
    int np = __VERIFIER_nondet_int();
    int nq = __VERIFIER_nondet_int();
    if (np < 0 || np > N || nq < 0 || nq > N) return 0;
    int x = 0, y = 0;
    for (int i = 0; i < np; i++) { x += __VERIFIER_nondet_ushort(); p[i] = x; }
    for (int i = 0; i < nq; i++) { y += __VERIFIER_nondet_ushort(); q[i] = y; }

    int i = 0, j = 0, k = 0;
    while (i < np || j < nq) {
        int take_p;
        if (i == np)
            take_p = 0;
        else if (j == nq)
            take_p = 1;
        else
            take_p = p[i] < q[nq - 1];
        if (take_p)
            r[k++] = p[i++];
        else
            r[k++] = q[j++];
    }
    assert(k == np + nq);
    for (int t = 0; t < k - 1; t++)
        assert(r[t] <= r[t + 1]);
    return 0;
}
