#include <assert.h>

#define N 100000

static char text[N + 1];
static char twin[N + 1];

int main(void)
{
    int i;

    for (i = 0; i < N; i++)
        text[i] = (char)('a' + i % 26);
    text[N] = '\0';

    i = 0;
    while (text[i] != '\0') {
        twin[i] = text[i];
        i++;
    }
    twin[i - 1] = '\0';

    for (i = 0; i <= N; i++)
        assert(twin[i] == text[i]);
    return 0;
}
