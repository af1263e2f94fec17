#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define COUNT 100000

int main(void)
{
    static int a[COUNT];
    int i, v;

    for (i = 0, v = 0; i < COUNT; i++, v += 3)
        a[i] = v;

    int where = __VERIFIER_nondet_int();
    if (where < 0 || where >= COUNT)
        return 0;
    assert(a[where] == 3 * where + 1);
    return 0;
}
