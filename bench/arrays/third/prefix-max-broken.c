#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void running_max(const int *in, int *out, int n)
{
    int m = in[0];
    for (int i = 0; i < n; i++) {
        if (in[i] > m)
            m = in[i];
        out[i] = in[i];
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10000)
        return 0;
    int *in = malloc(sizeof(int) * n), *out = malloc(sizeof(int) * n);
    if (in == NULL || out == NULL)
        return 0;
    for (int i = 0; i < n; i++)
        in[i] = __VERIFIER_nondet_int();
    running_max(in, out, n);
    for (int i = 0; i < n; i++) {
        assert(out[i] >= in[i]);
        if (i > 0)
            assert(out[i] >= out[i - 1]);
    }
    free(in);
    free(out);
    return 0;
}
