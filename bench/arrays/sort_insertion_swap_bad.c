#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static void isort(int *v, size_t n)
{
	size_t i, j;
	for (i = 1; i + 1 < n; i++)
		for (j = i; j > 0 && v[j] < v[j - 1]; j--) {
			int t = v[j];
			v[j] = v[j - 1];
			v[j - 1] = t;
		}
}

static int v[10000];

int main(void)
{
	int n = __VERIFIER_nondet_int();
	if (n < 1 || n > 10000)
		return 0;
	for (int i = 0; i < n; i++)
		v[i] = __VERIFIER_nondet_int();
	isort(v, (size_t)n);

	int k = __VERIFIER_nondet_int();
	if (k >= 0 && k < n - 1)
		assert(v[k] <= v[k + 1]);
	return 0;
}
