#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct point {
    int x, y;
};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int dx = __VERIFIER_nondet_int(), dy = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000 || dx < -1000 || dx > 1000 || dy < -1000 || dy > 1000)
        return 0;
    struct point *p = malloc(n * sizeof *p);
    if (!p)
        return 0;
    for (int i = 0; i < n; i++) {
        p[i].x = i;
        p[i].y = 2 * i;
    }
    for (struct point *q = p; q < p + n; q++) {
        q->x += dx;
        q->y += dx;
    }
    for (int i = 0; i < n; i++) {
        assert(p[i].x == i + dx);
        assert(p[i].y == 2 * i + dy);
    }
    free(p);
    return 0;
}
