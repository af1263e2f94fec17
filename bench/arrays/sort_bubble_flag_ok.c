#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 8000
static int list[MAX];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > MAX)
        return 0;
    for (int i = 0; i < n; i++)
        list[i] = __VERIFIER_nondet_int();

    bool swapped;
    do {
        swapped = false;
        for (int i = 0; i + 1 < n; i++) {
            if (list[i] > list[i + 1]) {
                int t = list[i];
                list[i] = list[i + 1];
                list[i + 1] = t;
                swapped = true;
            }
        }
    } while (swapped);

    for (int i = 0; i + 1 < n; i++)
        assert(list[i] <= list[i + 1]);
    return 0;
}
