#include <assert.h>
#define N 100000
extern char __VERIFIER_nondet_char(void);

static char buf[N];

static int find_last(const char *s, char c)
{
    int i = N - 1;
    while (i >= 0 && s[i] != c)
        i--;
    return i;
}

int main(void)
{
    char c = __VERIFIER_nondet_char();
    for (int i = 0; i < N; i++)
        buf[i] = __VERIFIER_nondet_char();
    int r = find_last(buf, c);
    for (int i = r + 1; i < N; i++)
        assert(buf[i] != c);
    if (r >= 0)
        assert(buf[r] == c);
    return 0;
}
