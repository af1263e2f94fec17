#include <assert.h>
#define N 100000

static int cell[N];
static int *ref[N];

int main(void)
{
    int i;
    for (i = 0; i < N; i++)
        ref[i] = &cell[i / 2];
    for (i = 0; i < N; i++)
        *ref[i] = 9;
    for (i = 0; i < N; i++)
        assert(cell[i] == 9);
    return 0;
}
