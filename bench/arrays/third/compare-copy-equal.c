#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    static int a[N];
    static int b[N];
    int i, same = 1;

    for (i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = a[i];
    }
    i = N;
    do {
        i--;
        if (a[i] != b[i])
            same = 0;
    } while (i > 0);
    assert(same == 1);
    return 0;
}
