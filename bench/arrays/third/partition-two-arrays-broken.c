#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

static int a[N], neg[N], pos[N];

int main(void)
{
    int i, nn = 0, np = 0;
    for (i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < N; i++) {
        if (a[i] != 0) {
            pos[np] = a[i];
            np++;
        } else {
            neg[nn] = a[i];
            nn++;
        }
    }
    assert(nn + np == N);
    for (i = 0; i < np; i++)
        assert(pos[i] >= 0);
    for (i = 0; i < nn; i++)
        assert(neg[i] < 0);
    return 0;
}
