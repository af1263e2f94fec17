#include <assert.h>
#define N 2000
extern int __VERIFIER_nondet_int(void);

static int a[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < n; i++) {
        int x = a[i];
        int j = i - 1;
        while (j > 0 && a[j] > x) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = x;
    }
    for (int i = 1; i < n; i++)
        assert(a[i - 1] <= a[i]);
    return 0;
}
