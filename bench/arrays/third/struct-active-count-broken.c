#include <assert.h>
#include <stdbool.h>
#define N 100000
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

struct conn {
    bool active;
    int fd;
};

static struct conn table[N];

int main(void)
{
    int i = 0;
    while (i < N) {
        struct conn *c = &table[i];
        c->active = __VERIFIER_nondet_bool();
        c->fd = c->active ? i : -1;
        ++i;
    }
    /* close every connection */
    for (i = 0; i < N; i++) {
        if (table[i].active) {
            table[i].active = false;
            table[i].fd = 0;
        }
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N) return 0;
    assert(!table[k].active);
    assert(table[k].fd == -1);
    return 0;
}
