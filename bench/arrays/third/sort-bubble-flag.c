#include <assert.h>
#include <stdlib.h>
#include <stdbool.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static void bubble(char *s, int n)
{
    bool swapped;
    do {
        swapped = false;
        for (int i = 0; i + 1 < n; i++) {
            if (s[i] > s[i + 1]) {
                char t = s[i];
                s[i] = s[i + 1];
                s[i + 1] = t;
                swapped = true;
            }
        }
    } while (swapped);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    char *s = malloc(n);
    if (!s) return 0;
    for (int i = 0; i < n; i++)
        s[i] = __VERIFIER_nondet_char();
    bubble(s, n);
    for (int i = 0; i < n - 1; i++)
        assert(s[i] <= s[i + 1]);
    free(s);
    return 0;
}
