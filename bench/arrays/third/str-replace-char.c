#include <assert.h>
#define N 100000
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char path[N];

static int replace(unsigned char *s, unsigned char from, unsigned char to)
{
    int changed = 0;
    for (int i = 0; s[i] != 0; i++) {
        if (s[i] == from) {
            s[i] = to;
            changed++;
        }
    }
    return changed;
}

int main(void)
{
    for (int i = 0; i < N - 1; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        path[i] = c ? c : '.';
    }
    path[N - 1] = 0;
    int c = replace(path, '\\', '/');
    assert(c >= 0 && c < N);
    for (int i = 0; i < N; i++)
        assert(path[i] != '\\');
    return 0;
}
