#include <assert.h>
#include <stdlib.h>
#include <stddef.h>
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    size_t h = __VERIFIER_nondet_uint();
    const size_t w = 8;
    if (h == 0 || h > 4000) return 0;
    unsigned char *src = malloc(h * w);
    unsigned char *dst = calloc(h * w, 1);
    if (!src || !dst) return 0;
    for (size_t i = 0; i < h * w; i++)
        src[i] = __VERIFIER_nondet_uchar();

    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++)
            dst[x * h + y] = src[x * h + y];

    size_t r = __VERIFIER_nondet_uint();
    size_t c = __VERIFIER_nondet_uint();
    if (r >= h || c >= w) return 0;
    assert(dst[c * h + r] == src[r * w + c]);
    free(src);
    free(dst);
    return 0;
}
