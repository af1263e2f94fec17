#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

#define N 100000
static unsigned char flag[N];

static void exchange(int i, int j)
{
    unsigned char t = flag[i];
    flag[i] = flag[j];
    flag[j] = t;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        flag[i] = __VERIFIER_nondet_uint() % 3u;

    int low = 0, mid = 0, high = N - 1;
    while (mid <= high) {
        if (flag[mid] == 0)
            exchange(low++, mid++);
        else if (flag[mid] == 1)
            mid++;
        else
            exchange(mid++, high--);
    }

    for (int i = 1; i < N; i++)
        assert(flag[i - 1] <= flag[i]);
    return 0;
}
