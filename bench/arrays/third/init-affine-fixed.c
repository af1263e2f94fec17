#include <assert.h>
#define N 100000

int main(void)
{
    int tab[N];
    int i = 0;
    while (i < N) {
        tab[i] = 3 * i + 1;
        i++;
    }
    i = N - 1;
    while (i >= 0) {
        assert(tab[i] == 3 * i + 1);
        i--;
    }
    return 0;
}
