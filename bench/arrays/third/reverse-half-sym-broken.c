#include <assert.h>
#include <stdlib.h>
#include <stddef.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#define LIMIT 60000

int main(void)
{
    size_t n = __VERIFIER_nondet_ulong();
    if (n == 0 || n > LIMIT) return 0;
    unsigned char *s = malloc(n);
    unsigned char *t = malloc(n);
    if (s == NULL || t == NULL) return 0;
    for (size_t i = 0; i < n; i++)
        s[i] = t[i] = __VERIFIER_nondet_uchar();

    for (size_t i = 0; i < n / 2; i++) {
        unsigned char c = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = s[i];
    }

    size_t k = __VERIFIER_nondet_ulong();
    if (k >= n) return 0;
    assert(s[k] == t[n - 1 - k]);
    return 0;
}
