#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

static int key[N], slot[N], inverse[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        key[i] = __VERIFIER_nondet_int();
        slot[i] = N - 1 - i;
        inverse[i] = i;
    }
    int k = __VERIFIER_nondet_int();
    if (!(k >= 0 && k < N))
        return 0;
    assert(slot[k] >= 0 && slot[k] < N);
    assert(inverse[slot[k]] == k);
    assert(key[inverse[slot[k]]] == key[k]);
    return 0;
}
