#include <assert.h>

#define N 100000
static int a[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i ^ 1;

    for (int i = 1; i < N - 1; i++) {
        int key = a[i], j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }

    for (int i = 0; i + 1 < N; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
