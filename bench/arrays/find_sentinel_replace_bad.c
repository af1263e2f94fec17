#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
static int a[N], old[N];

static int search(int *v, int n, int key)
{
    int last = v[n - 1];
    v[n - 1] = key;
    int i = 0;
    while (v[i] != key)
        i++;
    if (i < n - 1 || last == key)
        return i;
    return -1;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        old[i] = a[i];
    }
    int key = __VERIFIER_nondet_int();
    int pos = search(a, N, key);

    if (pos != -1)
        assert(a[pos] == key);
    for (int i = 0; i < N; i++)
        assert(a[i] == old[i]);
    return 0;
}
