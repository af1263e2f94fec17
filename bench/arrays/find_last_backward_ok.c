#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define SIZE 100000
int log_ids[SIZE];

int main(void)
{
	int key, i, j;

	for (i = 0; i < SIZE; ++i)
		log_ids[i] = __VERIFIER_nondet_int();
	key = __VERIFIER_nondet_int();

	i = SIZE - 1;
	while (i >= 0 && log_ids[i] != key)
		--i;

	for (j = i + 1; j < SIZE; ++j)
		assert(log_ids[j] != key);
	if (i >= 0)
		assert(log_ids[i] == key);
	return 0;
}
