#include <assert.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);

#define N 100000
static char s[N];

static size_t bounded_length(const char *p, size_t max)
{
    size_t i = 0;
    while (i < max && p[i] != '\0')
        ++i;
    return i;
}

int main(void)
{
    for (size_t i = 0; i < N; ++i)
        s[i] = __VERIFIER_nondet_char();

    size_t len = bounded_length(s, N);
    assert(len <= N);
    for (size_t i = 0; i < len; ++i)
        assert(s[i] != '\0');
    if (len < N)
        assert(s[len] == '\0');
    return 0;
}
