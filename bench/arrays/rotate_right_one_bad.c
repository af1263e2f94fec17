#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 40000
static int ring[MAX], saved[MAX];

static void rotate_right(int *r, int n)
{
    int last = r[n - 1];
    for (int i = 1; i < n; i++)
        r[i] = r[i - 1];
    r[0] = last;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > MAX)
        return 0;
    for (int i = 0; i < n; i++) {
        ring[i] = __VERIFIER_nondet_int();
        saved[i] = ring[i];
    }
    rotate_right(ring, n);
    assert(ring[0] == saved[n - 1]);
    for (int i = 1; i < n; i++)
        assert(ring[i] == saved[i - 1]);
    return 0;
}
