#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

int a[N];

int main(void)
{
    int i, j;
    for (i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < N - 1; i++) {
        int min = i;
        for (j = i + 1; j < N - 1; j++) {
            if (a[j] < a[min])
                min = j;
        }
        int t = a[i];
        a[i] = a[min];
        a[min] = t;
    }
    for (i = 0; i < N - 1; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
