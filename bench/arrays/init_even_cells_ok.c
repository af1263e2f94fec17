#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    char *mark = calloc(n, 1);
    if (mark == NULL)
        return 0;

    for (int i = 0; i < n; i += 2)
        mark[i] = 1;

    for (int i = 0; i < n; i++) {
        if (i % 2)
            assert(mark[i] == 0);
        else
            assert(mark[i] == 1);
    }
    free(mark);
    return 0;
}
