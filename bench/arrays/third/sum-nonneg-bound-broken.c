#include <assert.h>
#include <stddef.h>
#define N 60000
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char bytes[N];

int main(void)
{
    size_t n = __VERIFIER_nondet_ulong();
    if (n > N)
        return 0;
    for (size_t i = 0; i < n; i++)
        bytes[i] = __VERIFIER_nondet_uchar() % 10;

    unsigned long total = 1;
    for (size_t i = 0; i < n; i++) {
        unsigned long before = total;
        total += bytes[i];
        assert(before <= total);
    }
    assert(total <= 9 * n);
    return 0;
}
