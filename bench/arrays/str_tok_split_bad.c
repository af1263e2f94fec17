#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    char *s = malloc(n);
    if (!s)
        return 0;
    int commas = 0;
    for (int i = 0; i < n; i++) {
        s[i] = __VERIFIER_nondet_char();
        if (s[i] == ',')
            commas++;
    }

    int tokens = 1;
    for (int i = 0; i < n; i++) {
        if (s[i] == ',') {
            s[i] = '\0';
            tokens++;
            i++;
        }
    }

    for (int i = 0; i < n; i++)
        assert(s[i] != ',');
    assert(tokens == commas + 1);
    free(s);
    return 0;
}
