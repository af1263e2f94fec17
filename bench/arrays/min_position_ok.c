#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
static int a[N];

int main(void)
{
    int i = 0;
    while (i < N) {
        a[i] = __VERIFIER_nondet_int();
        i++;
    }

    int low = a[0], pos = 0;
    for (i = 1; i < N; i++) {
        if (a[i] < low) {
            low = a[i];
            pos = i;
        }
    }

    assert(a[pos] == low);
    for (i = 0; i < N; i++)
        assert(a[pos] <= a[i]);
    return 0;
}
