#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 100000
static int up[MAX], mirror[MAX], minus[MAX];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > MAX)
        return 0;

    int i = 0;
    while (i < n) {
        up[i] = i;
        mirror[n - 1 - i] = i;
        minus[i] = -up[i];
        i++;
    }

    for (i = 0; i < n; i++) {
        assert(up[i] + minus[i] == 0);
        assert(up[i] + mirror[i] == n - 1);
    }
    return 0;
}
