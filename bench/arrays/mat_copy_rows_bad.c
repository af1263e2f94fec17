#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { R = 400, C = 250 };
static int from[R][C], to[R][C];

static void copy_row(int dst[C], const int src[C])
{
    for (int j = 1; j < C; j++)
        dst[j] = src[j];
}

int main(void)
{
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            from[i][j] = __VERIFIER_nondet_int();

    for (int i = 0; i < R; i++)
        copy_row(to[i], from[i]);

    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            assert(to[i][j] == from[i][j]);
    return 0;
}
