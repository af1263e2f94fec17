/* SHA-256 of texts: what verification witnesses name files by.
 *
 * Source     FIPS 180-4, sections 5 and 6. */
#ifndef TP_BASE_SHA256_H
#define TP_BASE_SHA256_H

#include "base/base.h"

enum { TP_SHA256_DIGITS = 64 };

/* 64 lower-case hexadecimal digits and a 0. */
void tp_sha256(const void *text, size_t n, char out[TP_SHA256_DIGITS + 1]);

#endif
