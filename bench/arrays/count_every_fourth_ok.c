#include <assert.h>
#include <stdbool.h>

#define N 100000

static bool flag[N];

int main(void)
{
    int i;
    for (i = 0; i < N; i++)
        flag[i] = i % 4 == 0;

    int set = 0;
    for (i = 0; i < N; i++)
        if (flag[i])
            set++;

    assert(set == N / 4);
    return 0;
}
