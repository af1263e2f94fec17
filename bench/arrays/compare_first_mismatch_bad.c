#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

enum { N = 100000 };
static unsigned left[N], right[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        unsigned v = __VERIFIER_nondet_uint();
        left[i] = v;
        right[i] = v;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N)
        return 0;
    right[k] = left[k] + 1u;

    int m = 1;
    while (m < N && left[m] == right[m])
        m++;

    assert(m == k);
    return 0;
}
