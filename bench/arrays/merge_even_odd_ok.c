#include <assert.h>

#define N 100000
#define H (N / 2)

static int x[N], out[N];

int main(void)
{
    int l, r, k;

    for (l = 0; l < H; l++) {
        x[l] = 2 * l;
        x[H + l] = 2 * l + 1;
    }

    l = 0;
    r = H;
    k = 0;
    while (l < H && r < N)
        out[k++] = x[l] < x[r] ? x[l++] : x[r++];
    while (l < H)
        out[k++] = x[l++];
    while (r < N)
        out[k++] = x[r++];

    for (k = 0; k < N; k++)
        assert(out[k] == k);
    return 0;
}
