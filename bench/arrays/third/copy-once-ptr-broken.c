#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define CAP 10000

static int src[CAP];
static int dst[CAP];

static void copy(int *to, const int *from, int len)
{
    while (len > 1) {
        *to++ = *from++;
        len--;
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > CAP) return 0;
    for (int i = 0; i < n; i++)
        src[i] = __VERIFIER_nondet_int();
    copy(dst, src, n);
    for (int i = 0; i < n; i++)
        assert(dst[i] == src[i]);
    return 0;
}
