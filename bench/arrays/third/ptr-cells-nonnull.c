#include <assert.h>
#include <stddef.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

struct node { int val; int *owner; };

static int owner_id[N];
static struct node nodes[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        owner_id[i] = __VERIFIER_nondet_int();
        nodes[i].val = owner_id[i];
        nodes[i].owner = NULL;
    }
    for (int i = N - 1; i >= 0; i--)
        if (nodes[i].owner == NULL)
            nodes[i].owner = &owner_id[i];
    for (int i = 0; i < N; i++) {
        assert(nodes[i].owner != NULL);
        assert(*nodes[i].owner == nodes[i].val);
    }
    return 0;
}
