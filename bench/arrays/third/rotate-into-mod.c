#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

int ring[N];
int next_ring[N];

int main(void)
{
    int i = 0;
    do {
        ring[i] = __VERIFIER_nondet_int();
        i++;
    } while (i < N);

    for (i = 0; i < N; i++) {
        int to = i + 1;
        if (to == N)
            to = 0;
        next_ring[to] = ring[i];
    }

    int k = __VERIFIER_nondet_int();
    if (!(0 <= k && k < N))
        return 0;
    if (k == 0)
        assert(next_ring[0] == ring[N - 1]);
    else
        assert(next_ring[k] == ring[k - 1]);
    return 0;
}
