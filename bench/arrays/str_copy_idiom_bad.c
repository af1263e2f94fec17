#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static void copy(char *d, const char *s)
{
    while (*s != '\0')
        *d++ = *s++;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    char *s = malloc(n + 1);
    char *d = malloc(n + 1);
    if (s && d) {
        for (int i = 0; i < n; i++) {
            char c = __VERIFIER_nondet_char();
            s[i] = c == '\0' ? '_' : c;
        }
        s[n] = '\0';
        for (int i = 0; i <= n; i++)
            d[i] = '?';
        copy(d, s);
        for (int i = 0; i <= n; i++)
            assert(d[i] == s[i]);
    }
    free(s);
    free(d);
    return 0;
}
