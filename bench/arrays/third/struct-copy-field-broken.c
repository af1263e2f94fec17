#include <assert.h>
#define N 12000
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

typedef struct {
    int id;
    unsigned char tag;
    long weight;
} item;

static item from[N];
static item to[N];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    for (int i = 0; i < n; i++) {
        from[i].id = i;
        from[i].tag = __VERIFIER_nondet_uchar();
        from[i].weight = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < n; i++)
        to[i] = from[n - 1];
    for (int i = n - 1; i >= 0; i--) {
        assert(to[i].id == from[i].id);
        assert(to[i].tag == from[i].tag);
        assert(to[i].weight == from[i].weight);
    }
    return 0;
}
