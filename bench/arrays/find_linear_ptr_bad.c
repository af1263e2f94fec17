#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define CAP 30000

int main(void)
{
    int a[CAP];
    int n = __VERIFIER_nondet_int();

    if (n < 1 || n > CAP)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();

    int *p = a + 1;
    while (p < a + n && *p >= 0)
        p++;

    if (p < a + n)
        assert(*p < 0);
    ptrdiff_t count = p - a;
    for (ptrdiff_t i = 0; i < count; i++)
        assert(a[i] >= 0);
    return 0;
}
