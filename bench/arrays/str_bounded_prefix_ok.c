#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define CAP 4096
static char in[CAP + 1], out[CAP + 1];

static size_t take(char *d, const char *s, size_t max)
{
    size_t room = max;
    char *p = d;
    while (room > 0 && *s) {
        *p++ = *s++;
        room--;
    }
    *p = '\0';
    return (size_t)(p - d);
}

int main(void)
{
    int n = __VERIFIER_nondet_int(), max = __VERIFIER_nondet_int();
    if (n < 1 || n > CAP || max < 1 || max > CAP)
        return 0;
    for (int i = 0; i < n; i++) {
        in[i] = __VERIFIER_nondet_char();
        if (in[i] == '\0')
            in[i] = '0';
    }
    in[n] = '\0';

    size_t got = take(out, in, (size_t)max);
    size_t want = n < max ? (size_t)n : (size_t)max;
    for (size_t i = 0; i < want; i++)
        assert(out[i] == in[i]);
    assert(got == want && out[want] == '\0');
    return 0;
}
