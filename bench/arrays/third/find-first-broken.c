#include <assert.h>
#define N 10000
extern int __VERIFIER_nondet_int(void);

int a[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    int i, pos;
    if (n < 0 || n > N) return 0;
    for (i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    pos = n;
    for (i = 0; i < n; i++) {
        if (a[i] == x) {
            pos = i;
            continue;
        }
    }
    for (i = 0; i < pos; i++)
        assert(a[i] != x);
    if (pos < n)
        assert(a[pos] == x);
    return 0;
}
