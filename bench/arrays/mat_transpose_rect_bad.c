#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define H 250
#define W 400

static int m[H][W];
static int t[W][H];

int main(void)
{
    int i, j;

    for (i = 0; i < H; i++)
        for (j = 0; j < W; j++)
            m[i][j] = __VERIFIER_nondet_int();

    for (i = 0; i < H; i++)
        for (j = 0; j < W; j++)
            t[j][i] = m[i][i];

    for (j = 0; j < W; j++)
        for (i = 0; i < H; i++)
            assert(t[j][i] == m[i][j]);
    return 0;
}
