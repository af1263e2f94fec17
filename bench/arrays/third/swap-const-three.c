#include <assert.h>
#define N 100000

int main(void)
{
    static int a[N], b[N], t[N];
    int i;
    for (i = 0; i < N; i++) { a[i] = i; b[i] = -i; }

    for (i = 0; i < N; i++) t[i] = a[i];
    for (i = 0; i < N; i++) a[i] = b[i];
    for (i = 0; i < N; i++) b[i] = t[i];

    for (i = N - 1; i >= 0; i--) {
        assert(a[i] == -i);
        assert(b[i] == i);
    }
    return 0;
}
