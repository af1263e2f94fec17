#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
static char src[N + 1], dst[N];

int main(void)
{
    int len = __VERIFIER_nondet_int();
    if (len < 0 || len > N)
        return 0;
    for (int i = 0; i < len; i++)
        src[i] = (char)('A' + i % 20);
    src[len] = '\0';
    for (int i = 0; i < N; i++)
        dst[i] = '?';

    int k = 0;
    while (k < N && src[k] != '\0') {
        dst[k] = src[k];
        k++;
    }
    k++;
    while (k < N)
        dst[k++] = '\0';

    for (int i = 0; i < N; i++) {
        if (i < len)
            assert(dst[i] == src[i]);
        else
            assert(dst[i] == '\0');
    }
    return 0;
}
