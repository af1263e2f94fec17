/* printf's formatting.
 *
 * Integers, characters, strings and %% come out exactly. Floating numbers and
 * pointers have some text of some length within the bounds that C and the
 * platform give. Wide characters and positional arguments (%1$d) are not
 * modelled and said to be so. */
#include "tp_model.h"

typedef struct {
  char *to;
  unsigned long size, n;       // room, characters so far (also those without room)
} sink;

typedef struct {
  _Bool left, plus, space, alternate, zero;
  int width, precision;        // precision -1: none
  enum { LEN_INT, LEN_CHAR, LEN_SHORT, LEN_LONG, LEN_LLONG } length;
} spec;

static void __tp_put(sink *s, char c) {
  if (s->n + 1 < s->size) s->to[s->n] = c;
  s->n++;
}

static void __tp_pad(sink *s, char c, int n) {
  for (; n > 0; n--) __tp_put(s, c);
}

/* A field: prefix ("-", "0x"), zeros, digits or text; padded to the width. */
static void __tp_put_field(sink *s, const spec *f, const char *prefix, int zeros, const char *text, int n) {
  int n_prefix = 0;
  while (prefix[n_prefix]) n_prefix++;
  int fill = f->width - n_prefix - zeros - n;
  if (!f->left) __tp_pad(s, ' ', fill);
  for (int i = 0; i < n_prefix; i++) __tp_put(s, prefix[i]);
  __tp_pad(s, '0', zeros);
  for (int i = 0; i < n; i++) __tp_put(s, text[i]);
  if (f->left) __tp_pad(s, ' ', fill);
}

static void __tp_put_number(sink *s, const spec *f, unsigned long long value, unsigned base, _Bool is_upper, const char *prefix) {
  char digits[24];
  int n = 0, n_prefix = 0;
  while (prefix[n_prefix]) n_prefix++;
  for (; value; value /= base) {
    unsigned d = (unsigned)(value % base);
    digits[sizeof digits - 1 - n++] = (char)(d < 10 ? '0' + d : (is_upper ? 'A' : 'a') + d - 10);
  }
  int zeros = f->precision < 0 ? (n == 0) : f->precision - n;
  if (f->zero && !f->left && f->precision < 0 && f->width - n_prefix - n > zeros) zeros = f->width - n_prefix - n;
  if (base == 8 && f->alternate && zeros <= 0) zeros = 1;  // "0" in front
  __tp_put_field(s, f, prefix, zeros > 0 ? zeros : 0, digits + sizeof digits - n, n);
}

static void __tp_put_signed(sink *s, const spec *f, long long value) {
  const char *sign = value < 0 ? "-" : f->plus ? "+" : f->space ? " " : "";
  __tp_put_number(s, f, value < 0 ? -(unsigned long long)value : (unsigned long long)value, 10, 0, sign);
}

static void __tp_put_string(sink *s, const spec *f, const char *text) {
  if (!text) text = f->precision >= 0 && f->precision < 6 ? "" : "(null)";
  int n = 0;
  while ((f->precision < 0 || n < f->precision) && text[n]) n++;
  __tp_put_field(s, f, "", 0, text, n);
}

/* Some text of min .. max characters. */
static void __tp_put_unknown(sink *s, const spec *f, int min, int max) {
  int n = __tp_env_int("~printf");
  __tp_assume(n >= min && n <= max);
  if (n < f->width) n = f->width;
  for (int i = 0; i < n; i++) {
    char c = s->n + 1 < s->size ? __tp_env_char("~printf") : ' ';
    __tp_assume(c != 0);
    __tp_put(s, c);
  }
}

/* Longest: the sign, 309 digits, the point and the precision of a %f; %e and %a are shorter. */
static void __tp_put_float(sink *s, const spec *f) {
  int precision = f->precision < 0 ? 13 : f->precision;
  __tp_put_unknown(s, f, 1, precision > INT_MAX - 400 ? INT_MAX : precision + 400);
}

static long long __tp_signed_arg(const spec *f, va_list *args) {
  switch (f->length) {
    case LEN_CHAR: return (signed char)va_arg(*args, int);
    case LEN_SHORT: return (short)va_arg(*args, int);
    case LEN_INT: return va_arg(*args, int);
    case LEN_LONG: return va_arg(*args, long);
    case LEN_LLONG: return va_arg(*args, long long);
  }
  return 0;
}

static unsigned long long __tp_unsigned_arg(const spec *f, va_list *args) {
  switch (f->length) {
    case LEN_CHAR: return (unsigned char)va_arg(*args, int);
    case LEN_SHORT: return (unsigned short)va_arg(*args, int);
    case LEN_INT: return va_arg(*args, unsigned);
    case LEN_LONG: return va_arg(*args, unsigned long);
    case LEN_LLONG: return va_arg(*args, unsigned long long);
  }
  return 0;
}

static void __tp_store_count(const spec *f, unsigned long n, va_list *args) {
  switch (f->length) {
    case LEN_CHAR: *va_arg(*args, signed char *) = (signed char)n; break;
    case LEN_SHORT: *va_arg(*args, short *) = (short)n; break;
    case LEN_INT: *va_arg(*args, int *) = (int)n; break;
    case LEN_LONG: *va_arg(*args, long *) = (long)n; break;
    case LEN_LLONG: *va_arg(*args, long long *) = (long long)n; break;
  }
}

/* A decimal number or *, from behind the %; returns what follows. */
static const char *__tp_read_count(const char *p, int *out, va_list *args) {
  if (*p == '*') {
    *out = va_arg(*args, int);
    return p + 1;
  }
  unsigned n = 0;
  for (; *p >= '0' && *p <= '9'; p++) n = n < 100000000 ? n * 10 + (unsigned)(*p - '0') : n;
  *out = (int)n;
  return p;
}

/* Flags, width, precision, length; returns the conversion character's place. */
static const char *__tp_read_spec(const char *p, spec *f, va_list *args) {
  __builtin_memset(f, 0, sizeof *f);
  f->precision = -1;
  for (;; p++) {
    if (*p == '-') f->left = 1;
    else if (*p == '+') f->plus = 1;
    else if (*p == ' ') f->space = 1;
    else if (*p == '#') f->alternate = 1;
    else if (*p == '0') f->zero = 1;
    else break;
  }
  p = __tp_read_count(p, &f->width, args);
  if (*p == '$') __tp_unsupported("positional arguments of printf");
  if (f->width < 0) {
    f->left = 1;
    f->width = f->width == INT_MIN ? INT_MAX : -f->width;
  }
  if (*p == '.') p = __tp_read_count(p + 1, &f->precision, args);
  if (f->precision < 0) f->precision = -1;
  for (;; p++) {
    if (*p == 'h') f->length = f->length == LEN_SHORT ? LEN_CHAR : LEN_SHORT;
    else if (*p == 'l') f->length = f->length == LEN_LONG ? LEN_LLONG : LEN_LONG;
    else if (*p == 'q' || *p == 'j') f->length = LEN_LLONG;
    else if (*p == 'z' || *p == 't' || *p == 'Z') f->length = LEN_LONG;
    else if (*p == 'L') __tp_unsupported("long double in printf");
    else return p;
  }
}

static void __tp_put_conversion(sink *s, const spec *f, char c, va_list *args) {
  switch (c) {
    case 'd':
    case 'i': __tp_put_signed(s, f, __tp_signed_arg(f, args)); break;
    case 'u': __tp_put_number(s, f, __tp_unsigned_arg(f, args), 10, 0, ""); break;
    case 'o': __tp_put_number(s, f, __tp_unsigned_arg(f, args), 8, 0, ""); break;
    case 'x':
    case 'X': {
      unsigned long long v = __tp_unsigned_arg(f, args);
      __tp_put_number(s, f, v, 16, c == 'X', f->alternate && v ? (c == 'X' ? "0X" : "0x") : "");
      break;
    }
    case 'c': {
      if (f->length == LEN_LONG) __tp_unsupported("wide characters in printf");
      char one = (char)va_arg(*args, int);
      __tp_put_field(s, f, "", 0, &one, 1);
      break;
    }
    case 's':
      if (f->length == LEN_LONG) __tp_unsupported("wide characters in printf");
      __tp_put_string(s, f, va_arg(*args, const char *));
      break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
      (void)va_arg(*args, double);
      __tp_put_float(s, f);
      break;
    case 'p':
      (void)va_arg(*args, void *);
      __tp_put_unknown(s, f, 3, 2 + 2 * (int)sizeof(void *));
      break;
    case 'm': __tp_put_unknown(s, f, 1, 1024); break;      // text of errno
    case 'n': __tp_store_count(f, s->n, args); break;
    case '%': __tp_put(s, '%'); break;
    default: __tp_unsupported("conversion of printf");
  }
}

/* Up to a terminating 0, or so many characters. */
static void __tp_touch_text(const char *text, int most) {
  for (int n = 0; text && (most < 0 || n < most) && *text; n++) text++;
}

static void __tp_touch_conversion(const spec *f, char c, va_list *args) {
  switch (c) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': (void)__tp_unsigned_arg(f, args); break;
    case 'c':
      if (f->length == LEN_LONG) __tp_unsupported("wide characters in printf");
      (void)va_arg(*args, int);
      break;
    case 's':
      if (f->length == LEN_LONG) __tp_unsupported("wide characters in printf");
      __tp_touch_text(va_arg(*args, const char *), f->precision);
      break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': (void)va_arg(*args, double); break;
    case 'p': (void)va_arg(*args, void *); break;
    case 'm': case '%': break;
    default: __tp_unsupported("conversion of printf");
  }
}

void __tp_touch_format(const char *format, va_list list) {
  va_list args;
  va_copy(args, list);
  for (const char *p = format; *p; p++) {
    if (*p != '%') continue;
    spec f = {0};
    p = __tp_read_spec(p + 1, &f, &args);
    __tp_touch_conversion(&f, *p, &args);
  }
  va_end(args);
}

unsigned long __tp_format(char *to, unsigned long size, const char *format, va_list list) {
  sink s = {to, size, 0};
  va_list args;
  va_copy(args, list);
  for (const char *p = format; *p; p++) {
    if (*p != '%') {
      __tp_put(&s, *p);
      continue;
    }
    spec f = {0};
    p = __tp_read_spec(p + 1, &f, &args);
    __tp_put_conversion(&s, &f, *p, &args);
  }
  va_end(args);
  if (size > 0) to[s.n < size ? s.n : size - 1] = 0;
  return s.n;
}
