#include <assert.h>
#define N 100000
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char text[N];

int main(void)
{
    int i, digits = 0, letters = 0, other = 0;
    for (i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_uchar();
    for (i = 0; i < N; i++) {
        unsigned char c = text[i];
        if (c >= '0' && c <= '9')
            ++digits;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= 'Z'))
            ++letters;
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z'))
            ++other;
    }
    assert(digits >= 0 && letters >= 0 && other >= 0);
    assert(digits + letters + other == N);
    return 0;
}
