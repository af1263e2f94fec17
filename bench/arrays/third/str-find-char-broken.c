#include <assert.h>
#include <stddef.h>
#define N 100000
extern char __VERIFIER_nondet_char(void);

static char line[N];

static char *find_char(char *p, char c)
{
    for (; *p != '\0'; p++)
        if (*p == c)
            return p;
    return NULL;
}

int main(void)
{
    int i;
    for (i = 0; i < N; i++)
        line[i] = __VERIFIER_nondet_char();
    line[N - 1] = '\0';
    char *hit = find_char(line + 1, '=');
    if (hit != NULL) {
        assert(*hit == '=');
        for (char *q = line; q != hit; q++)
            assert(*q != '=' && *q != '\0');
    } else {
        for (i = 0; line[i] != '\0'; i++)
            assert(line[i] != '=');
    }
    return 0;
}
