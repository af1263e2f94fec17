#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5000)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();

    for (int i = 0; i < n - 1; i++) {
        int min = i;
        for (int j = i + 1; j < n - 1; j++)
            if (a[j] < a[min])
                min = j;
        int t = a[i];
        a[i] = a[min];
        a[min] = t;
    }

    for (int i = 0; i < n - 1; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
