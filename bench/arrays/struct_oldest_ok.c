#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct person {
	int age;
	int height;
};

#define MAX 15000
static struct person crowd[MAX];

int main(void)
{
	int n = __VERIFIER_nondet_int();
	if (n < 1 || n > MAX)
		return 0;
	for (int i = 0; i < n; i++) {
		crowd[i].age = __VERIFIER_nondet_int();
		crowd[i].height = __VERIFIER_nondet_int();
	}

	int best = 0;
	for (int i = 1; i < n; i++) {
		if (crowd[i].age > crowd[best].age)
			best = i;
	}

	for (int i = 0; i < n; i++)
		assert(crowd[i].age <= crowd[best].age);
	return 0;
}
