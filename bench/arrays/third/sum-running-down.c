#include <assert.h>
#define N 100000

int a[N];

int main(void)
{
    long up = 0, down = 0;
    int i;
    for (i = 0; i < N; i++) {
        a[i] = i % 2 == 0 ? 1 : -1;
    }
    for (i = 0; i < N; i++) {
        up += a[i];
        assert(up == 0 || up == 1);
    }
    for (i = N - 1; i >= 0; i--)
        down += a[i];
    assert(up == 0);
    assert(down == up);
    return 0;
}
