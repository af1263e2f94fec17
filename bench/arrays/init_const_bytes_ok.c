#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

enum { SIZE = 100000 };
static unsigned char buf[SIZE];

int main(void)
{
	unsigned char *const end = buf + SIZE;
	unsigned char *p = buf;

	while (p != end)
		*p++ = 0xFF;

	for (size_t k = 0; k < SIZE; ++k)
		assert(buf[k] == 0xFF);
	return 0;
}
