#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define MAX 20000
static int a[MAX], t[MAX];

int main(void)
{
	int n = __VERIFIER_nondet_int();
	if (n < 2 || n > MAX)
		return 0;
	int mid = n / 2;

	for (int i = 0; i < n; i++) {
		a[i] = __VERIFIER_nondet_int();
		if (i != 0 && i != mid && a[i] < a[i - 1])
			a[i] = a[i - 1];
	}

	int l = 0, r = mid;
	for (int k = 0; k < n; k++) {
		if (r >= n || a[l] <= a[r])
			t[k] = a[l++];
		else
			t[k] = a[r++];
	}

	for (int k = 0; k + 1 < n; k++)
		assert(t[k] <= t[k + 1]);
	return 0;
}
