#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static char *find(char *s, char c)
{
    char *hit = NULL;
    for (; *s != '\0'; s++)
        if (*s == c) {
            hit = s;
        }
    return hit;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    char *s = malloc(n + 1);
    if (!s)
        return 0;
    for (int i = 0; i < n; i++) {
        char ch = __VERIFIER_nondet_char();
        s[i] = ch ? ch : '.';
    }
    s[n] = '\0';

    char c = __VERIFIER_nondet_char();
    char *p = find(s, c);
    int stop = p ? (int)(p - s) : n;
    for (int i = 0; i < stop; i++)
        assert(s[i] != c);
    if (p)
        assert(*p == c);
    free(s);
    return 0;
}
