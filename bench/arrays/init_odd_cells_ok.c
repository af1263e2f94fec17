#include <assert.h>

#define LEN 100000

static char pattern[LEN];

static void blank(char *s, int len)
{
    int i = 0;
    while (i < len)
        s[i++] = 'x';
}

int main(void)
{
    blank(pattern, LEN);

    for (int i = 1; i < LEN; i += 2)
        pattern[i] = 'o';

    for (int i = 0; i < LEN; i++)
        assert(pattern[i] == (i % 2 == 1 ? 'o' : 'x'));
    return 0;
}
