#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

struct rec { int key; char tag; int value; };

static void clone(struct rec *to, const struct rec *from)
{
    to->key = from->key;
    to->value = from->value;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 20000) return 0;
    struct rec *a = calloc(n, sizeof *a);
    struct rec *b = calloc(n, sizeof *b);
    if (!a || !b) { free(a); free(b); return 0; }

    for (int i = 0; i < n; i++) {
        a[i].key = __VERIFIER_nondet_int();
        a[i].tag = __VERIFIER_nondet_char();
        a[i].value = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < n; i++) clone(&b[i], &a[i]);

    for (int i = 0; i < n; i++) {
        assert(b[i].key == a[i].key);
        assert(b[i].tag == a[i].tag);
        assert(b[i].value == a[i].value);
    }
    free(a);
    free(b);
    return 0;
}
