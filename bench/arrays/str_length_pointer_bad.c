#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define CAP 40000
static char word[CAP];

static ptrdiff_t measure(const char *s)
{
    const char *p = s;
    while (*p++)
        ;
    return p - s;
}

int main(void)
{
    int end = __VERIFIER_nondet_int();
    if (end < 1 || end >= CAP)
        return 0;
    for (int i = 0; i < CAP; i++)
        word[i] = 'w';
    word[end] = '\0';

    assert(measure(word) == end);
    return 0;
}
