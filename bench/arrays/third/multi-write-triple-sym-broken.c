#include <assert.h>
#define N 9000
extern int __VERIFIER_nondet_int(void);

static int rgb[3 * N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    int p = 0;
    for (int i = 0; i < n; i++) {
        rgb[p++] = 1;
        rgb[p++] = 2;
        rgb[p++] = 3;
    }
    assert(p == 3 * n);
    for (int k = 0; k < n; k++)
        rgb[k] += 10;
    for (int i = 0; i < n; i++) {
        assert(rgb[3 * i] == 11);
        assert(rgb[3 * i + 1] == 12);
        assert(rgb[3 * i + 2] == 13);
    }
    return 0;
}
