#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define LIMIT 1000

int main(void)
{
    static int *cell[LIMIT];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > LIMIT)
        return 0;

    for (int i = 0; i < n; i++) {
        cell[i] = malloc(sizeof(int));
        if (cell[i] == NULL)
            abort();
        *cell[i] = i + 1;
    }
    for (int i = 1; i < n; i++)
        *cell[i] *= 2;

    for (int i = 0; i < n; i++)
        assert(*cell[i] == 2 * i + 2);
    for (int i = 0; i < n; i++)
        free(cell[i]);
    return 0;
}
