#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned char grade[200000];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 200000)
        return 0;
    for (int i = 0; i < n; i++)
        grade[i] = __VERIFIER_nondet_uint() % 10u;

    int hist[10] = {0};
    for (int i = 0; i < n; i++)
        if (grade[i] < 9)
            hist[grade[i]]++;

    int sum = 0;
    for (size_t j = 0; j < sizeof hist / sizeof hist[0]; j++) {
        assert(hist[j] >= 0);
        sum += hist[j];
    }
    assert(sum == n);
    return 0;
}
