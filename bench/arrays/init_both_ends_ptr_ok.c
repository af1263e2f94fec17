#include <assert.h>

#define N 100000
static short v[N];

int main(void)
{
    short *l = v;
    short *r = v + N - 1;

    while (l < r)
    {
        *l = 1;
        *r = 2;
        ++l;
        --r;
    }

    for (int i = 0; i < N / 2; ++i)
        assert(v[i] == 1);
    for (int i = N / 2; i < N; ++i)
        assert(v[i] == 2);
    return 0;
}
