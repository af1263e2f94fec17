#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static int length(const char *s)
{
    int len = 0;
    do
        len++;
    while (s[len] != '\0');
    return len;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    char *s = calloc(n + 2, 1);
    if (!s)
        return 0;
    for (int i = 0; i < n; i++) {
        s[i] = __VERIFIER_nondet_char();
        if (!s[i])
            s[i] = 'z';
    }
    assert(length(s) == n);
    free(s);
    return 0;
}
