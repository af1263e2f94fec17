#include <assert.h>
#define N 100000
#define M 4
extern int __VERIFIER_nondet_int(void);

static int g[N][M];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M - 1; j++)
            g[i][j] = -1;
    int r = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    if (r < 0 || r >= N || c < 0 || c >= M)
        return 0;
    assert(g[r][c] == -1);
    return 0;
}
