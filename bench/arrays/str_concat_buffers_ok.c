#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define MAX 5000
static char a[MAX + 1], b[MAX + 1], out[2 * MAX + 2];

static int read_string(char *s)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > MAX)
        n = 1;
    for (int i = 0; i < n; i++) {
        s[i] = __VERIFIER_nondet_char();
        if (s[i] == 0)
            s[i] = ' ';
    }
    s[n] = 0;
    return n;
}

int main(void)
{
    int na = read_string(a), nb = read_string(b);
    int k = 0;
    for (int i = 0; a[i] != 0; i++)
        out[k++] = a[i];
    for (int i = 0; b[i] != 0; i++)
        out[k++] = b[i];
    out[k] = 0;

    for (int i = 0; i < na; i++)
        assert(out[i] == a[i]);
    for (int i = 0; i <= nb; i++)
        assert(out[na + i] == b[i]);
    return 0;
}
