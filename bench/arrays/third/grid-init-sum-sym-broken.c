#include <assert.h>
#define N 1000
extern int __VERIFIER_nondet_int(void);

static int m[N][N];

int main(void)
{
    int rows = __VERIFIER_nondet_int();
    int cols = __VERIFIER_nondet_int();
    if (rows < 0 || rows > N || cols < 0 || cols > N)
        return 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++)
            m[i][j] = i + i;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            assert(m[i][j] == i + j);
    return 0;
}
