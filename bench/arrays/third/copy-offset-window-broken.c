#include <assert.h>
#define N 4096
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char msg[N];
static unsigned char payload[N];

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned off = __VERIFIER_nondet_uint();
    if (n > N || off > n)
        return 0;
    for (unsigned i = 0; i < n; i++)
        msg[i] = __VERIFIER_nondet_uchar();

    unsigned len = n - off;
    unsigned j = 0;
    while (j < len) {
        payload[j] = msg[off > 0 ? off + j - 1 : j];
        ++j;
    }
    for (unsigned i = off; i < n; i++)
        assert(payload[i - off] == msg[i]);
    return 0;
}
