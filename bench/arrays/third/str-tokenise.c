#include <assert.h>
#define N 100000
extern char __VERIFIER_nondet_char(void);

static char buf[N];
static char *tok[N];

int main(void)
{
    int i, nt = 0, in_word = 0;
    for (i = 0; i < N - 1; i++) {
        buf[i] = __VERIFIER_nondet_char();
        if (buf[i] == '\0')
            buf[i] = '_';
    }
    buf[N - 1] = '\0';
    for (i = 0; buf[i] != '\0'; i++) {
        if (buf[i] == ' ' || buf[i] == ',') {
            buf[i] = '\0';
            in_word = 0;
        } else if (!in_word) {
            in_word = 1;
            assert(nt < N);
            tok[nt++] = &buf[i];
        }
    }
    int starts = 0;
    for (i = 0; i < N; i++) {
        assert(buf[i] != ' ' && buf[i] != ',');
        if (buf[i] != '\0' && (i == 0 || buf[i - 1] == '\0'))
            starts++;
    }
    assert(starts == nt);
    for (i = 0; i < nt; i++)
        assert(*tok[i] != '\0');
    return 0;
}
