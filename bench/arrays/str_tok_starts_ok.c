#include <assert.h>

#define N 100000
#define FIELD 10

static char text[N];
static int start[N / FIELD + 1];

int main(void)
{
    for (int i = 0; i < N; i++)
        text[i] = i % FIELD == FIELD - 1 ? ';' : 'f';

    int fields = 0;
    start[fields++] = 0;
    for (int i = 0; i < N; i++) {
        if (text[i] == ';') {
            text[i] = '\0';
            start[fields++] = i + 1;
        }
    }

    assert(fields == N / FIELD + 1);
    for (int k = 0; k < fields; k++)
        assert(start[k] == k * FIELD);
    return 0;
}
