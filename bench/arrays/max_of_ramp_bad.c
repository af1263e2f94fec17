#include <assert.h>

#define N 100000

static int ramp[N];

static int maximum(const int *v, int n)
{
    int m = v[0];
    const int *p = v + 1;
    while (p < v + n - 1) {
        m = *p > m ? *p : m;
        ++p;
    }
    return m;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        ramp[i] = i - N / 2;

    int m = maximum(ramp, N);
    for (int i = 0; i < N; i++)
        assert(ramp[i] <= m);
    return 0;
}
