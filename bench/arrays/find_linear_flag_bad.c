#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
static int data[N];

int main(void)
{
    int i, found = 0, pos = 0;
    for (i = 0; i < N; i++)
        data[i] = __VERIFIER_nondet_int();
    int key = __VERIFIER_nondet_int();

    for (i = 0; i < N && !found; i++) {
        if (data[i] >= key) {
            found = 1;
            pos = i;
        }
    }

    if (found) {
        assert(data[pos] == key);
    } else {
        for (i = 0; i < N; i++)
            assert(data[i] != key);
    }
    return 0;
}
