#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define MAX 8192
static char s[MAX + 1], old[MAX + 1];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > MAX)
        return 0;
    for (int i = 0; i < n; i++) {
        char c = __VERIFIER_nondet_char();
        if (c == '\0')
            c = ' ';
        s[i] = c;
        old[i] = c;
    }

    int skip = 0;
    while (s[skip] == ' ')
        skip++;
    int i = 0;
    for (; i + skip <= n; i++)
        s[i] = s[i + skip];

    assert(s[0] != ' ');
    for (int k = 0; k < n - skip; k++)
        assert(s[k] == old[k + skip]);
    assert(s[n - skip] == '\0');
    return 0;
}
