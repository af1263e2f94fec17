#include <assert.h>
#define N 100000
#define W 3
extern int __VERIFIER_nondet_int(void);

static int a[N][W], b[N][W];

static void copy_row(int *to, const int *from)
{
    int j = W;
    while (j-- > 0)
        to[j] = from[j];
}

int main(void)
{
    int i, j;
    for (i = 0; i < N; i++)
        for (j = 0; j < W; j++)
            a[i][j] = __VERIFIER_nondet_int();
    for (i = 0; i < N; i++)
        copy_row(b[i], a[i]);
    for (i = 0; i < N; i++)
        for (j = 0; j < W; j++)
            assert(b[i][j] == a[i][j]);
    return 0;
}
