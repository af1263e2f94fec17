#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10000) return 0;
    char *s = malloc(n + 1), *old = malloc(n + 1);
    if (!s || !old) return 0;
    for (int i = 0; i < n; i++) {
        s[i] = __VERIFIER_nondet_char();
        old[i] = s[i];
    }
    s[n] = old[n] = '\0';

    int len = n;
    while (len > 0 && (s[len - 1] == ' ' || s[len - 1] == '\t'))
        len--;
    s[len] = '\0';

    if (len > 0)
        assert(s[len - 1] != ' ' && s[len - 1] != '\t');
    for (int i = 0; i < len; i++)
        assert(s[i] == old[i]);
    for (int i = len; i < n; i++)
        assert(old[i] == ' ' || old[i] == '\t');
    free(s);
    free(old);
    return 0;
}
