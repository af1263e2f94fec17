#include <assert.h>
#include <stdlib.h>
#define N 1000
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

static int *box[N];

static int *new_cell(int v)
{
    int *p = malloc(sizeof *p);
    if (p == NULL)
        abort();
    *p = v;
    return p;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    for (int i = 0; i < n; i++)
        box[i] = new_cell(i);
    for (int i = 0; i < n; i++)
        *box[i] += 1;
    for (int i = 0; i < n; i++)
        assert(*box[i] == i + 1);
    for (int i = 0; i < n; i++)
        free(box[i]);
    return 0;
}
