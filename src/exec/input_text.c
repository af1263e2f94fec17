/* The test-vector file: plain text or Test-Comp XML, told apart by the first character.
 *
 * Plain text has one value per line: a C literal (a string is its bytes and a 0), or `bytes:` and
 * pairs of hexadecimal digits; comments behind #. Floats are written in hexadecimal, so they come
 * back bit by bit; a NaN is nan(0xBITS). XML is read by looking for <input> elements only, which is
 * all that the format has; their text is the same literals. */
#include "exec/input_text.h"

#include "exec/exec_limits.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --------------------------------------------------------------------- numbers

static float f32_of(tp_u128 bits) {
  uint32_t b = (uint32_t)bits;
  float f;
  memcpy(&f, &b, sizeof f);
  return f;
}
static double f64_of(tp_u128 bits) {
  uint64_t b = (uint64_t)bits;
  double d;
  memcpy(&d, &b, sizeof d);
  return d;
}
long double tp_long_double_of(tp_u128 bits) {
  long double x = 0;
  memcpy(&x, &bits, TP_X87_BITS / 8);
  return x;
}

tp_u128 tp_long_double_bits(long double x) {
  tp_u128 bits = 0;
  memcpy(&bits, &x, TP_X87_BITS / 8);
  return bits;
}

static tp_u128 bits_of(double d, uint32_t width) {
  if (width == 32) {
    float f = (float)d;
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
  }
  uint64_t b;
  memcpy(&b, &d, sizeof b);
  return b;
}

tp_u128 tp_float_resize(tp_u128 bits, uint32_t from, uint32_t to) {
  TP_REQUIRE((from == 32 || from == 64) && (to == 32 || to == 64));
  if (from == to) return bits;
  return bits_of(from == 32 ? (double)f32_of(bits) : f64_of(bits), to);
}

tp_u128 tp_float_to_int(tp_u128 bits, uint32_t width) {
  TP_REQUIRE(width == 32 || width == 64);
  double d = width == 32 ? (double)f32_of(bits) : f64_of(bits);
  if (!(d > -0x1p63 && d < 0x1p63)) return 0;
  return (tp_u128)(tp_i128)(int64_t)d;
}

tp_u128 tp_float_of_int(tp_i128 value, uint32_t width) {
  return width == 32 ? bits_of((double)(float)value, 32) : bits_of((double)value, 64);
}

// -------------------------------------------------------------------- literals

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

static bool parse_integer(const char *s, const char *end, bool negative, tp_input *out) {
  int base = 10;
  if (s + 1 < end && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
    base = 16, s += 2;
  else if (s + 1 < end && s[0] == '0' && (s[1] == 'b' || s[1] == 'B'))
    base = 2, s += 2;
  else if (s + 1 < end && s[0] == '0' && isdigit((unsigned char)s[1]))
    base = 8, s++;
  tp_u128 v = 0;
  const tp_u128 times = (tp_u128)base, most = ~(tp_u128)0 / times;
  const char *first = s;
  for (; s < end && digit_of(*s) < base; s++) {
    const tp_u128 digit = (tp_u128)digit_of(*s);
    if (v > most) return false;
    v = v * times + digit;
  }
  if (s == first) return false;
  while (s < end && strchr("uUlLzZ", *s)) s++;
  if (s != end) return false;
  *out = (tp_input){.width_bits = 128, .is_signed = true, .bits = negative ? 0 - v : v};
  return true;
}

static bool parse_character(const char *s, const char *end, tp_input *out) {
  static const char from[] = "abfnrtv0\\'\"", to[] = "\a\b\f\n\r\t\v\0\\'\"";
  char c;
  if (end - s == 3 && s[1] != '\\')
    c = s[1];
  else if (end - s == 4 && s[1] == '\\' && s[2] && strchr(from, s[2]))
    c = to[strchr(from, s[2]) - from];
  else
    return false;
  if (end[-1] != '\'') return false;
  *out = (tp_input){.width_bits = 128, .is_signed = true, .bits = (tp_u128)(tp_i128)(signed char)c};
  return true;
}

static bool parse_nan(const char *s, bool negative, tp_input *out) {
  unsigned long long bits;
  int used = 0;
  uint32_t width = 64;
  if (strcmp(s, "nan") == 0)
    bits = negative ? 0xfff8000000000000u : 0x7ff8000000000000u;
  else if (sscanf(s, "nan(0x%llx)%n", &bits, &used) != 1 || !used)
    return false;
  else if (s[used] == 'f')
    width = 32;
  *out = (tp_input){.width_bits = width, .is_float = true, .bits = bits};
  return true;
}

/* A literal without L has the width of a double; the number is the nearest one of a type that is
 * asked for. */
static bool parse_float(const char *s, bool negative, tp_input *out) {
  char *end;
  if (*s == '-' || *s == '+' || !strpbrk(s, ".eEpPin")) return false;
  if (strncmp(s, "nan", 3) == 0) return parse_nan(s, negative, out);
  double d = strtod(s, &end);
  bool is32 = *end == 'f' || *end == 'F';
  if (is32)
    d = (double)strtof(s, &end), end++;
  else if ((*end == 'l' || *end == 'L') && !end[1]) {
    const long double x = strtold(s, &end);
    *out = (tp_input){.width_bits = TP_X87_BITS, .bits = tp_long_double_bits(negative ? -x : x)};
    return true;
  }
  if (end == s || *end) return false;
  uint32_t width = is32 ? 32 : 64;
  *out =
      (tp_input){.width_bits = width, .is_float = true, .bits = bits_of(negative ? -d : d, width)};
  return true;
}

bool tp_literal_parse(const char *text, size_t n, tp_input *out) {
  char copy[128];
  if (n == 0 || n >= sizeof copy) return false;
  memcpy(copy, text, n);
  copy[n] = 0;
  const char *s = copy, *end = copy + n;
  if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0) {
    *out = (tp_input){.width_bits = 128, .is_signed = true, .bits = *s == 't'};
    return true;
  }
  if (*s == '\'') return parse_character(s, end, out);
  bool negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  return parse_integer(s, end, negative, out) || parse_float(s, negative, out);
}

static void print_u128(tp_u128 v, tp_str *out) {
  char digits[48];
  size_t n = sizeof digits;
  do digits[--n] = (char)('0' + (int)(v % 10));
  while (v /= 10);
  tp_str_add_n(out, digits + n, sizeof digits - n);
}

static void print_float(const tp_input *in, tp_str *out) {
  const char *suffix = in->width_bits == 32 ? "f" : "";
  double d = in->width_bits == 32 ? (double)f32_of(in->bits) : f64_of(in->bits);
  if (isnan(d))
    tp_str_printf(out, "nan(0x%llx)%s", (unsigned long long)in->bits, suffix);
  else if (isinf(d))
    tp_str_printf(out, "%sinf%s", d < 0 ? "-" : "", suffix);
  else
    tp_str_printf(out, "%a%s", d, suffix);
}

/* A number as C's literal; infinities, NaNs and what is none as bytes. */
static void print_long_double(tp_u128 bits, tp_str *out) {
  const long double x = tp_long_double_of(bits);
  if (isfinite(x) && tp_long_double_bits(x) == bits) {
    tp_str_printf(out, "%LaL", x);
    return;
  }
  tp_str_add(out, "bytes:");
  for (uint32_t i = 0; i < TP_X87_BITS / 8; i++)
    tp_str_printf(out, " %02x", (unsigned)(bits >> 8 * i) & 0xff);
}

void tp_string_literal_print(const uint8_t *text, size_t n, tp_str *out) {
  static const char named[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
  tp_str_add_char(out, '"');
  for (size_t i = 0; i < n; i++) {
    const char c = (char)text[i], *at = c ? strchr(named, c) : NULL;
    if (at)
      tp_str_printf(out, "\\%c", letters[at - named]);
    else if (text[i] >= 32 && text[i] < 127)
      tp_str_add_char(out, c);
    else  // three octal digits end by themselves
      tp_str_printf(out, "\\%03o", text[i]);
  }
  tp_str_add_char(out, '"');
}

/* The length of an argument of main, if nothing stands behind its end; -1: it is no such argument.
 * Bytes that are missing are 0. */
static int string_length(const tp_input *in) {
  if (in->kind != TP_I_ARGS || in->n_bytes == 0) return -1;
  const size_t n = strnlen((const char *)in->bytes, in->n_bytes);
  return n + 1 < in->n_bytes ? -1 : (int)n;
}

void tp_literal_print(const tp_input *in, tp_str *out) {
  const int length = in->width_bits == 0 ? string_length(in) : -1;
  if (length >= 0) {
    tp_string_literal_print(in->bytes, (size_t)length, out);
    return;
  }
  if (in->width_bits == 0) {
    tp_str_add(out, "bytes:");
    for (size_t i = 0; i < in->n_bytes; i++) tp_str_printf(out, " %02x", in->bytes[i]);
    return;
  }
  if (in->is_float && (in->width_bits == 32 || in->width_bits == 64)) {
    print_float(in, out);
    return;
  }
  if (in->width_bits == TP_X87_BITS) {
    print_long_double(in->bits, out);
    return;
  }
  bool negative = in->is_signed && in->width_bits && ((in->bits >> (in->width_bits - 1)) & 1);
  tp_u128 v = in->bits;
  if (negative) {
    tp_str_add_char(out, '-');
    v = 0 - (in->width_bits == 128 ? v : v | ~(tp_u128)0 << in->width_bits);
  }
  print_u128(v, out);
}

// --------------------------------------------------------------------- writing

static const char *kind_text(tp_input_kind k) {
  switch (k) {
    case TP_I_NONDET: return "input";
    case TP_I_EXTERN: return "result of a function without body";
    case TP_I_ARGS: return "argument of main";
    case TP_I_INDETERMINATE: return "uninitialised";
    case TP_I_VOLATILE: return "volatile read";
    case TP_I_ENVIRONMENT: return "environment";
  }
  return "";
}

bool tp_input_is_guess(const tp_input *in) {
  return in->kind == TP_I_ENVIRONMENT && in->name && in->name[0] == '~';
}

void tp_inputs_write(const tp_inputs *in, const tp_diag *diag, tp_str *out) {
  tp_str_printf(out, "# test vector: %zu inputs in the order of asking\n", in->v.n);
  for (size_t i = 0; i < in->v.n; i++) {
    const tp_input *x = &in->v.at[i];
    tp_literal_print(x, out);
    tp_str_printf(out, "  # %s", tp_input_is_guess(x) ? "guessed result of" : kind_text(x->kind));
    const bool is_of_callee = x->callee && tp_input_is_guess(x);
    if (is_of_callee)
      tp_str_printf(out, " %s", x->callee);
    else if (x->name && *x->name)
      tp_str_printf(out, " %s", x->name + tp_input_is_guess(x));
    if (x->callee && x->kind == TP_I_INDETERMINATE) tp_str_printf(out, " within %s", x->callee);
    if (diag && tp_pos_known(tp_input_pos(x))) {
      tp_str_add(out, ", ");
      tp_pos_print(diag, tp_input_pos(x), out);
    }
    tp_str_add_char(out, '\n');
  }
}

/* Memory as its bytes, the first with the index 0. */
static void write_testcomp_bytes(const tp_input *in, tp_str *out) {
  size_t n = in->n_asked > in->n_bytes ? in->n_asked : in->n_bytes;
  if (n > TP_EXEC_TESTCOMP_BYTES && n > in->n_bytes) n = in->n_bytes;
  for (size_t i = 0; i < n; i++)
    tp_str_printf(out, "  <input variable=\"[%zu]\" type=\"unsigned char\">%u</input>\n", i,
                  i < in->n_bytes ? (unsigned)in->bytes[i] : 0);
}

/* What the format has no place for: a test without it may not show the failure. */
static void write_testcomp_gaps(const tp_inputs *in, tp_str *out) {
  size_t n_of[TP_I_ENVIRONMENT + 1] = {0};
  for (size_t i = 0; i < in->v.n; i++) n_of[in->v.at[i].kind]++;
  bool is_first = true;
  for (int k = 0; k <= TP_I_ENVIRONMENT; k++) {
    if (k == TP_I_NONDET || !n_of[k]) continue;
    tp_str_add(out, is_first ? "  <!-- inputs.txt has, and this format has no place for: " : ", ");
    tp_str_printf(out, "%zu of kind '%s'", n_of[k], kind_text((tp_input_kind)k));
    is_first = false;
  }
  if (!is_first) tp_str_add(out, " -->\n");
}

void tp_inputs_write_testcomp(const tp_inputs *in, const char *head, tp_str *out) {
  TP_REQUIRE(in && head && out);
  tp_str_add(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
             "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" "
             "\"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n");
  tp_str_add(out, head);
  for (size_t i = 0; i < in->v.n; i++) {
    if (in->v.at[i].kind != TP_I_NONDET) continue;
    if (in->v.at[i].width_bits == 0) {
      write_testcomp_bytes(&in->v.at[i], out);
      continue;
    }
    tp_str_add(out, "  <input>");
    tp_literal_print(&in->v.at[i], out);
    tp_str_add(out, "</input>\n");
  }
  write_testcomp_gaps(in, out);
  tp_str_add(out, "</testcase>\n");
}

// --------------------------------------------------------------------- reading

static bool read_bytes(const char *s, const char *end, tp_inputs *out) {
  uint8_t *bytes = tp_arena_alloc(&out->arena, (size_t)(end - s) / 2 + 1);
  size_t n = 0;
  while (s < end) {
    if (isspace((unsigned char)*s)) {
      s++;
      continue;
    }
    if (end - s < 2 || digit_of(s[0]) > 15 || digit_of(s[1]) > 15) return false;
    bytes[n++] = (uint8_t)(digit_of(s[0]) * 16 + digit_of(s[1]));
    s += 2;
  }
  tp_vec_push(&out->v, (tp_input){.bytes = bytes, .n_bytes = n, .name = ""});
  return true;
}

/* A C string literal: its bytes and a 0. */
static bool read_string(const char *s, const char *end, tp_inputs *out) {
  static const char letters[] = "abfnrtv\\\"", named[] = "\a\b\f\n\r\t\v\\\"";
  uint8_t *bytes = tp_arena_alloc(&out->arena, (size_t)(end - s) + 1);
  size_t n = 0;
  if (end - s < 2 || end[-1] != '"') return false;
  for (s++, end--; s < end; s++) {
    if (*s == '"') return false;
    if (*s != '\\') {
      bytes[n++] = (uint8_t)*s;
      continue;
    }
    const char *at = ++s < end && *s ? strchr(letters, *s) : NULL;
    if (at) {
      bytes[n++] = (uint8_t)named[at - letters];
      continue;
    }
    unsigned code = 0;
    int digits = 0;
    for (; digits < 3 && s + digits < end && s[digits] >= '0' && s[digits] <= '7'; digits++)
      code = 8 * code + (unsigned)(s[digits] - '0');
    if (digits == 0 || code > 255) return false;
    bytes[n++] = (uint8_t)code;
    s += digits - 1;
  }
  bytes[n++] = 0;
  tp_vec_push(&out->v, (tp_input){.bytes = bytes, .n_bytes = n, .name = ""});
  return true;
}

/* One value between s and end, spaces around it. Nothing at all is fine. */
static bool read_value(const char *s, const char *end, tp_inputs *out, tp_str *why) {
  while (s < end && isspace((unsigned char)*s)) s++;
  while (s < end && isspace((unsigned char)end[-1])) end--;
  if (s == end) return true;
  bool ok;
  if (end - s >= 6 && strncmp(s, "bytes:", 6) == 0) {
    ok = read_bytes(s + 6, end, out);
  } else if (*s == '"') {
    ok = read_string(s, end, out);
  } else {
    tp_input in;
    ok = tp_literal_parse(s, (size_t)(end - s), &in);
    in.name = "";
    if (ok) tp_vec_push(&out->v, in);
  }
  if (!ok && why) {
    tp_str_add(why, "no value: ");
    tp_str_add_n(why, s, (size_t)(end - s) < 60 ? (size_t)(end - s) : 60);
  }
  return ok;
}

/* Where the comment of a line begins, or its end; a # within quotes begins none. */
static const char *end_of_value(const char *s, const char *end) {
  char quote = 0;
  for (; s < end; s++) {
    if (quote && *s == '\\' && s + 1 < end)
      s++;
    else if (quote)
      quote = *s == quote ? 0 : quote;
    else if (*s == '\'' || *s == '"')
      quote = *s;
    else if (*s == '#')
      break;
  }
  return s;
}

static tp_status read_lines(const char *text, tp_inputs *out, tp_str *why) {
  for (unsigned line = 1; *text; line++) {
    const char *end = text + strcspn(text, "\n"), *stop = end_of_value(text, end);
    if (!read_value(text, stop, out, why)) {
      if (why) tp_str_printf(why, " (line %u)", line);
      return TP_ERR_INPUT;
    }
    text = *end ? end + 1 : end;
  }
  return TP_OK;
}

/* &lt; and its like occur in character literals only. */
static void decode(const char *s, const char *end, tp_str *out) {
  static const struct {
    const char *name;
    char c;
  } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&apos;", '\''}, {"&quot;", '"'}};
  while (s < end) {
    size_t k = 0, n = sizeof entities / sizeof *entities;
    while (k < n && strncmp(s, entities[k].name, strlen(entities[k].name)) != 0) k++;
    tp_str_add_char(out, k < n ? entities[k].c : *s);
    s += k < n ? strlen(entities[k].name) : 1;
  }
}

/* A value of `variable="[k]"` is byte k of memory: it joins the bytes before. */
static void join_bytes(const char *element, tp_inputs *out) {
  size_t k;
  if (sscanf(element, "<input variable=\"[%zu]\"", &k) != 1) return;
  const uint8_t byte = (uint8_t)tp_vec_last(&out->v).bits;
  tp_input *before = k > 0 && out->v.n > 1 ? &out->v.at[out->v.n - 2] : NULL;
  if (k > 0 && (!before || before->width_bits != 0 || before->n_bytes != k)) return;
  (void)tp_vec_pop(&out->v);
  if (!before) {
    tp_vec_push(&out->v, (tp_input){.name = ""});
    before = &out->v.at[out->v.n - 1];
  }
  if ((k & (k - 1)) == 0) {  // full: 0, 1, 2, 4, ... bytes
    uint8_t *bytes = tp_arena_alloc(&out->arena, k ? 2 * k : 1);
    if (k) memcpy(bytes, before->bytes, k);
    before->bytes = bytes;
  }
  ((uint8_t *)before->bytes)[k] = byte;
  before->n_bytes = k + 1;
}

static tp_status read_xml(const char *text, tp_inputs *out, tp_str *why) {
  for (const char *at = text; (at = strstr(at, "<input")) != NULL;) {
    const char *start = strchr(at, '>');
    const char *end = start ? strstr(start, "</input>") : NULL;
    if (start && start[-1] == '/') {
      at = start;
      continue;
    }
    if (!end) {
      if (why) tp_str_add(why, "<input> without its end");
      return TP_ERR_INPUT;
    }
    tp_str value = {0};
    decode(start + 1, end, &value);
    const size_t n_before = out->v.n;
    bool ok = read_value(tp_str_text(&value), tp_str_text(&value) + value.n, out, why);
    tp_str_clear(&value);
    if (!ok) return TP_ERR_INPUT;
    if (out->v.n > n_before) join_bytes(at, out);
    at = end;
  }
  return TP_OK;
}

tp_status tp_inputs_read(const char *text, tp_inputs *out, tp_str *why) {
  const char *first = text + strspn(text, " \t\r\n");
  out->is_of_file = true;
  out->is_testcomp = *first == '<';
  return out->is_testcomp ? read_xml(text, out, why) : read_lines(text, out, why);
}
