#include <assert.h>
#include <stddef.h>
#define N 10000
extern unsigned long __VERIFIER_nondet_ulong(void);
extern char __VERIFIER_nondet_char(void);

static char s[N + 1];

static size_t length(const char *p)
{
    const char *q = p;
    while (*q)
        ++q;
    return (size_t)(q - p);
}

int main(void)
{
    size_t n = __VERIFIER_nondet_ulong();
    if (n > N) return 0;
    for (size_t i = 0; i < n; i++) {
        char c = __VERIFIER_nondet_char();
        if (c == '0')
            c = 'a';
        s[i] = c;
    }
    s[n] = '\0';
    assert(length(s) == n);
    return 0;
}
