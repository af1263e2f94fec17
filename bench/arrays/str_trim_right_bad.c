#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    char *s = malloc(n + 1);
    char *t = malloc(n + 1);
    if (!s || !t) {
        free(s);
        free(t);
        return 0;
    }
    for (int i = 0; i < n; i++)
        t[i] = s[i] = __VERIFIER_nondet_bool() ? ' ' : 'q';
    t[n] = s[n] = '\0';

    int len = n;
    while (len > 1 && s[len - 1] == ' ')
        len--;
    s[len] = '\0';

    assert(len == 0 || s[len - 1] != ' ');
    for (int i = 0; i < len; i++)
        assert(s[i] == t[i]);
    for (int i = len; i < n; i++)
        assert(t[i] == ' ');
    free(s);
    free(t);
    return 0;
}
