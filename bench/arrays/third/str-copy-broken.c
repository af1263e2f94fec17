#include <assert.h>
#define N 100000
extern char __VERIFIER_nondet_char(void);

static char s[N], d[N];

static void str_copy(char *to, const char *from)
{
    while (*from != '\0') {
        *to = *from;
        to++;
        from++;
    }
    *to = '0';
}

int main(void)
{
    for (int i = 0; i < N - 1; i++)
        s[i] = __VERIFIER_nondet_char();
    s[N - 1] = '\0';
    str_copy(d, s);
    int i = 0;
    while (s[i] != '\0') {
        assert(d[i] == s[i]);
        i++;
    }
    assert(d[i] == '\0');
    return 0;
}
