#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
#define BOUND 100000

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > BOUND)
        return 0;
    unsigned char *used = malloc(n);
    if (!used)
        return 0;
    int set = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        used[i] = 0;
        if (__VERIFIER_nondet_bool()) {
            used[i] = 1;
            set++;
        }
    }
    for (int i = n - 1; i >= 0; i--)
        sum += used[i];
    assert(sum == set);
    assert(set <= n);
    free(used);
    return 0;
}
