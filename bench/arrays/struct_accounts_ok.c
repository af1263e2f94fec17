#include <assert.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);

#define N 100000
typedef struct {
    int id;
    unsigned balance;
    bool active;
} account;

static account bank[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        bank[i].id = i;
        bank[i].balance = 100;
        bank[i].active = __VERIFIER_nondet_bool();
    }

    for (int i = 0; i < N; i++)
        if (bank[i].active)
            bank[i].balance += 5;

    for (int i = 0; i < N; i++) {
        assert(bank[i].id == i);
        if (bank[i].active)
            assert(bank[i].balance == 105);
        else
            assert(bank[i].balance == 100);
    }
    return 0;
}
