#include <assert.h>
#define N 5000
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char a[N + 1], b[N + 1], r[2 * N + 1];

int main(void)
{
    int la = __VERIFIER_nondet_int(), lb = __VERIFIER_nondet_int();
    if (la < 0 || la > N || lb < 0 || lb > N) return 0;
    for (int i = 0; i < la; i++) a[i] = __VERIFIER_nondet_uchar() | 1;
    for (int i = 0; i < lb; i++) b[i] = __VERIFIER_nondet_uchar() | 1;
    a[la] = 0;
    b[lb] = 0;

    int k = 0;
    for (int i = 0; a[i] != 0; i++)
        r[k++] = a[i];
    for (int i = 1; b[i] != 0; i++)
        r[k++] = b[i];
    r[k] = 0;

    assert(k == la + lb);
    for (int i = 0; i < la; i++)
        assert(r[i] == a[i]);
    for (int i = 0; i < lb; i++)
        assert(r[la + i] == b[i]);
    return 0;
}
