#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	if (n < 1 || n > 100000)
		return 0;
	int *temp = malloc(n * sizeof *temp);
	if (!temp)
		return 0;
	for (int i = 0; i < n; i++)
		temp[i] = __VERIFIER_nondet_int();

	int max = temp[0];
	for (int i = 0; i < n; i++) {
		if (temp[i] > max)
			max = temp[i];
	}

	int seen = 0;
	for (int i = 0; i < n; i++) {
		assert(temp[i] <= max);
		if (temp[i] == max)
			seen = 1;
	}
	assert(seen);
	free(temp);
	return 0;
}
