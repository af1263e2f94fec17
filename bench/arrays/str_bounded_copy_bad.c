#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), cap = __VERIFIER_nondet_int();
    if (n < 1 || n > 50000 || cap < 1 || cap > 50000)
        return 0;
    char *src = malloc(n + 1);
    char *dst = malloc(cap);
    if (src && dst) {
        for (int i = 0; i < n; i++) {
            char c = __VERIFIER_nondet_char();
            src[i] = c == '\0' ? '-' : c;
        }
        src[n] = '\0';
        for (int i = 0; i < cap; i++)
            dst[i] = '#';

        int i = 0;
        while (i + 1 < cap && src[i] != '\0') {
            dst[i] = src[i];
            i++;
        }
        dst[cap - 1] = '\0';

        int len = n < cap ? n : cap - 1;
        for (int k = 0; k < len; k++)
            assert(dst[k] == src[k]);
        assert(dst[len] == '\0');
    }
    free(src);
    free(dst);
    return 0;
}
