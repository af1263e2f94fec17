#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 20000)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();

    int smallest = INT_MAX, largest = INT_MIN;
    for (int i = 0; i < n; i++) {
        if (a[i] < smallest)
            smallest = a[i];
        if (a[i] > largest)
            largest = a[i];
    }

    for (int i = 0; i < n; i++)
        assert(smallest <= a[i] && a[i] <= largest);
    return 0;
}
