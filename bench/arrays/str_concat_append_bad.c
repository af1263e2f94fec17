#include <assert.h>

extern char __VERIFIER_nondet_char(void);

#define N 100000
static const char prefix[] = "item:";
static char tail[N];
static char line[5 + N + 1];

int main(void)
{
    int pos = 0;
    while (prefix[pos] != '\0') {
        line[pos] = prefix[pos];
        pos++;
    }

    for (int i = 0; i < N; i++)
        tail[i] = __VERIFIER_nondet_char();
    pos--;
    for (int i = 0; i < N; i++)
        line[pos++] = tail[i];
    line[pos] = '\0';

    for (int i = 0; i < 5; i++)
        assert(line[i] == prefix[i]);
    for (int i = 0; i < N; i++)
        assert(line[5 + i] == tail[i]);
    return 0;
}
