#include <assert.h>
#define N 100000
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long __VERIFIER_nondet_long(void);
extern int __VERIFIER_nondet_int(void);

static long key[N];

int main(void)
{
    key[0] = 0;
    for (int i = 1; i < N; i++)
        key[i] = key[i - 1] + 1 + __VERIFIER_nondet_uchar();
    long want = __VERIFIER_nondet_long();
    int left = 0, right = N - 1, found = 0;
    while (!found && left < right) {
        int m = left + (right - left) / 2;
        if (key[m] > want)
            right = m - 1;
        else if (key[m] < want)
            left = m + 1;
        else
            found = 1;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N)
        return 0;
    if (!found)
        assert(key[k] != want);
    return 0;
}
