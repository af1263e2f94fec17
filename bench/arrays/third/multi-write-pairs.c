#include <assert.h>
#define N 100000

static int a[N];

int main(void)
{
    int i;
    for (i = 0; i < N; i += 2) {
        a[i] = i;
        a[i + 1] = i;
    }
    for (i = 0; i < N; i++)
        assert(a[i] == i - i % 2);
    return 0;
}
