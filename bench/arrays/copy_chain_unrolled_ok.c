#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 100000
int first[N], second[N], third[N];

int main(void)
{
	int i;
	for (i = 0; i < N; i++) {
		first[i] = __VERIFIER_nondet_int();
	}
	for (i = 0; i < N; i++) {
		second[i] = first[i];
	}
	for (i = 0; i < N; i += 2) {
		third[i] = second[i];
		third[i + 1] = second[i + 1];
	}
	for (i = 0; i < N; i++) {
		assert(third[i] == first[i]);
	}
	return 0;
}
