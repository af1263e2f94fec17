#include <assert.h>
#define N 100000
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned v[N];

int main(void)
{
    unsigned key = __VERIFIER_nondet_uint();
    unsigned i;
    for (i = 0; i < N; i++)
        v[i] = __VERIFIER_nondet_bool() ? i : __VERIFIER_nondet_uint();

    int found = 0;
    i = 0;
    while (!found && i <= N) {
        assert(i < N);
        if (v[i] == key)
            found = 1;
        else
            i++;
    }
    if (found) {
        assert(v[i] == key);
    } else {
        for (i = 0; i < N; i++)
            assert(v[i] != key);
    }
    return 0;
}
