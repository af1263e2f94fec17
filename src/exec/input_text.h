/* Numbers in the test-vector file (private to exec/). */
#ifndef TP_EXEC_INPUT_TEXT_H
#define TP_EXEC_INPUT_TEXT_H

#include "exec/input.h"
#include "term/x87.h"

/* The x87's encoding, 80 bits. */
long double tp_long_double_of(tp_u128 bits);
tp_u128 tp_long_double_bits(long double x);
tp_u128 tp_float_resize(tp_u128 bits, uint32_t from, uint32_t to);  // 32 and 64
tp_u128 tp_float_to_int(tp_u128 bits, uint32_t width);  // truncated, 64 bits signed, extended
tp_u128 tp_float_of_int(tp_i128 value, uint32_t width);
/* One C literal: integer (any base, suffixes, sign), character, float, inf, nan(0xBITS), true,
 * false. Integers come as 128 bits signed; floats as 64 bits (32 with suffix f). False: none. */
bool tp_literal_parse(const char *text, size_t n, tp_input *out);
void tp_literal_print(const tp_input *in, tp_str *out);
/* n bytes as a C string literal, with its quotes. */
void tp_string_literal_print(const uint8_t *text, size_t n, tp_str *out);

#endif
