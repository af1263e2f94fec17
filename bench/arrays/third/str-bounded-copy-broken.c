#include <assert.h>
#include <stddef.h>
#define N 10000
#define D 64
extern unsigned int __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);

static char src[N + 1];
static char dst[D];

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > N) return 0;
    for (unsigned i = 0; i < n; i++) {
        src[i] = __VERIFIER_nondet_char();
        if (src[i] == '\0') return 0;
    }
    src[n] = '\0';

    size_t i = 0;
    while (i < D && src[i] != '\0') {
        dst[i] = src[i];
        i++;
    }
    assert(i < D);
    dst[i] = '\0';

    assert(i <= n);
    for (size_t j = 0; j < i; j++)
        assert(dst[j] == src[j] && dst[j] != '\0');
    return 0;
}
