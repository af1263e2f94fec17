#include <assert.h>

extern char __VERIFIER_nondet_char(void);

#define N 100000
static char s[N];

int main(void)
{
    int i, has_blank = 0;

    for (i = 0; i < N; i++)
        s[i] = __VERIFIER_nondet_char();
    for (i = 0; i < N; i++)
        has_blank |= s[i] == ' ';

    if (!has_blank) {
        i = 0;
        do {
            assert(s[i] != ' ');
            i++;
        } while (i < N);
    }
    return 0;
}
