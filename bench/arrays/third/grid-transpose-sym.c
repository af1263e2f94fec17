#include <assert.h>
#define N 1000
extern int __VERIFIER_nondet_int(void);

static int a[N][N];
static int t[N][N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i, j;
    if (n < 0 || n > N) return 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            a[i][j] = __VERIFIER_nondet_int();
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            t[j][i] = a[i][j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            assert(t[i][j] == a[j][i]);
    return 0;
}
