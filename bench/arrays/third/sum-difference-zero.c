#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

static int debit[N], credit[N];

int main(void)
{
    long balance = 0;
    for (int i = 0; i < N; i++) {
        int x = __VERIFIER_nondet_int();
        debit[i] = x;
        credit[N - 1 - i] = x;
    }
    for (int i = 0; i < N; i++) {
        balance += debit[i];
        balance -= credit[N - 1 - i];
        assert(balance == 0);
    }
    assert(balance == 0);
    return 0;
}
