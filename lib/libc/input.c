/* Input: the parts of stdio.h that read.
 *
 * Everything that is read is an environment input, of any length the call
 * allows. scanf assigns some of its conversions, in order, with any values.
 * What sscanf reads is the program's own text, not the world's: its values are
 * guesses, and a failing run that rests on them must fail with the library.
 * The same holds of what is read once the program writes files, which may be
 * what it wrote, and of what is read first after a character was pushed back. */
#include "tp_model.h"

typedef struct __tp_file FILE;

_Bool __tp_writes_files, __tp_has_pushed_back, __tp_has_closed, __tp_has_opened, __tp_reads_closed;

/* The streams that the program has closed, as far as they are kept; what is read from one of them is nothing that the world says. */
enum { KEPT_STREAMS = 4 };
static FILE *closed_streams[KEPT_STREAMS];
static unsigned n_closed_streams;
void __tp_note_closed_stream(FILE *f) {
  if (n_closed_streams < KEPT_STREAMS) closed_streams[n_closed_streams] = f;
  n_closed_streams++;
  __tp_has_closed = 1;
}
static void __tp_use(FILE *from) {
  if (!__tp_has_closed) return;
  if (n_closed_streams > KEPT_STREAMS) __tp_reads_closed = 1;
  for (unsigned i = 0; i < n_closed_streams && i < KEPT_STREAMS; i++)
    if (closed_streams[i] == from) __tp_reads_closed = 1;
}

// ------------------------------------------------------------------ characters

static int __tp_get_char(void) {
  int c = __TP_READ(int, "getchar");
  __tp_has_pushed_back = 0;
  __tp_assume(c >= -1 && c <= 255);
  __tp_errno_is_stale = 1;
  return c;
}

int getchar(void) { return __tp_get_char(); }
int getchar_unlocked(void) { return __tp_get_char(); }
int getc(FILE *from) {
  __tp_use(from);
  return __tp_get_char();
}
int getc_unlocked(FILE *from) {
  __tp_use(from);
  return __tp_get_char();
}
int fgetc(FILE *from) {
  __tp_use(from);
  return __tp_get_char();
}
int _IO_getc(FILE *from) {
  __tp_use(from);
  return __tp_get_char();
}
int ungetc(int c, FILE *to) {
  (void)to;
  if (__tp_env_bool("~ungetc") || c == -1) return -1;
  __tp_has_pushed_back = 1;
  return (unsigned char)c;
}

// ----------------------------------------------------------------------- lines

char *fgets(char *to, int size, FILE *from) {
  __tp_use(from);
  __tp_errno_is_stale = 1;
  if (size <= 0) return NULL;
  if (__TP_READ(bool, "fgets")) {                            // end of file, or an error: contents unknown
    if (__TP_READ(bool, "fgets")) __TP_READ_BYTES("fgets", to, (unsigned long)size);
    return NULL;
  }
  unsigned long n = __TP_READ(ulong, "fgets");
  __tp_assume(n < (unsigned long)size && (n > 0 || size == 1));
  __TP_READ_BYTES("fgets", to, n);
  to[n] = 0;
  return to;
}

char *gets(char *to) {
  __tp_errno_is_stale = 1;
  if (__TP_READ(bool, "gets")) return NULL;
  unsigned long n = __TP_READ(ulong, "gets");
  __tp_assume(n < ULONG_MAX / 2);
  __TP_READ_BYTES("gets", to, n);
  to[n] = 0;
  return to;
}

static long __tp_get_line(char **line, size_t *size) {
  __tp_errno_is_stale = 1;
  if (__TP_READ(bool, "getline")) return -1;
  unsigned long n = __TP_READ(ulong, "getline");
  __tp_assume(n > 0 && n < LONG_MAX);
  if (!*line || *size <= n) {
    char *bigger = malloc(n + 1);
    if (!bigger) return -1;
    free(*line);
    *line = bigger;
    *size = n + 1;
  }
  __TP_READ_BYTES("getline", *line, n);
  (*line)[n] = 0;
  return (long)n;
}

long getline(char **line, size_t *size, FILE *from) {
  __tp_use(from);
  return __tp_get_line(line, size);
}
long getdelim(char **line, size_t *size, int end, FILE *from) {
  (void)end;
  __tp_use(from);
  return __tp_get_line(line, size);
}

static size_t __tp_read_elements(void *to, size_t size, size_t n) {
  __tp_errno_is_stale = 1;
  size_t got = __TP_READ(ulong, "fread");
  __tp_assume(got <= n);
  if (size == 0 || n == 0) return 0;
  __TP_READ_BYTES("fread", to, size * n);                   // a partial element is unknown
  return got;
}
size_t fread(void *to, size_t size, size_t n, FILE *from) {
  __tp_use(from);
  return __tp_read_elements(to, size, n);
}
size_t fread_unlocked(void *to, size_t size, size_t n, FILE *from) {
  __tp_use(from);
  return __tp_read_elements(to, size, n);
}

// ----------------------------------------------------------------------- scanf

typedef struct {
  _Bool is_text;               // sscanf
  _Bool is_ignored;
  unsigned long width;         // 0: none given
  enum { LEN_INT, LEN_CHAR, LEN_SHORT, LEN_LONG, LEN_LLONG } length;
} spec;

#define SCANNED(type, f) ((f)->is_text ? __tp_env_##type("~sscanf") : __tp_is_guess() ? __tp_env_##type("~scanf") : __tp_env_##type("scanf"))

static const char *__tp_read_scan_spec(const char *p, spec *f) {
  if (*p == '*') f->is_ignored = 1, p++;
  for (; *p >= '0' && *p <= '9'; p++) f->width = f->width < 100000000 ? f->width * 10 + (unsigned long)(*p - '0') : f->width;
  if (*p == '$') __tp_unsupported("positional arguments of scanf");
  if (*p == 'm') __tp_unsupported("allocating conversion of scanf");
  for (;; p++) {
    if (*p == 'h') f->length = f->length == LEN_SHORT ? LEN_CHAR : LEN_SHORT;
    else if (*p == 'l') f->length = f->length == LEN_LONG ? LEN_LLONG : LEN_LONG;
    else if (*p == 'L' || *p == 'q' || *p == 'j') f->length = LEN_LLONG;
    else if (*p == 'z' || *p == 't') f->length = LEN_LONG;
    else return p;
  }
}

static void __tp_scan_integer(const spec *f, va_list *args) {
  switch (f->length) {
    case LEN_CHAR: *va_arg(*args, char *) = SCANNED(char, f); break;
    case LEN_SHORT: *va_arg(*args, short *) = SCANNED(short, f); break;
    case LEN_INT: *va_arg(*args, int *) = SCANNED(int, f); break;
    case LEN_LONG: *va_arg(*args, long *) = SCANNED(long, f); break;
    case LEN_LLONG: *va_arg(*args, long long *) = SCANNED(llong, f); break;
  }
}

static void __tp_scan_float(const spec *f, va_list *args) {
  if (f->length == LEN_LLONG) __tp_unsupported("long double in scanf");
  if (f->length == LEN_LONG) *va_arg(*args, double *) = SCANNED(double, f);
  else *va_arg(*args, float *) = SCANNED(float, f);
}

static void __tp_scan_bytes(const spec *f, char *to, unsigned long n) {
  if (f->is_text) __tp_env_bytes("~sscanf", to, n);
  else __TP_READ_BYTES("scanf", to, n);
}

/* n characters of 1 .. width, with a 0 behind. */
static void __tp_scan_text(const spec *f, va_list *args) {
  if (f->length == LEN_LONG) __tp_unsupported("wide characters in scanf");
  char *to = va_arg(*args, char *);
  unsigned long n = SCANNED(ulong, f);
  __tp_assume(n > 0 && n < ULONG_MAX / 2 && (f->width == 0 || n <= f->width));
  __tp_scan_bytes(f, to, n);
  to[n] = 0;
}

static void __tp_scan_chars(const spec *f, va_list *args) {
  if (f->length == LEN_LONG) __tp_unsupported("wide characters in scanf");
  __tp_scan_bytes(f, va_arg(*args, char *), f->width ? f->width : 1);
}

/* The end of a set: p stands behind the [. */
static const char *__tp_set_end(const char *p) {
  if (*p == '^') p++;
  if (*p == ']') p++;
  while (*p && *p != ']') p++;
  return p;
}

/* One conversion at *p, assigned. True if it counts. */
static _Bool __tp_scan_conversion(const char *p, const spec *f, va_list *args) {
  switch (*p) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': __tp_scan_integer(f, args); return 1;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': __tp_scan_float(f, args); return 1;
    case 's': case '[': __tp_scan_text(f, args); return 1;
    case 'c': __tp_scan_chars(f, args); return 1;
    case 'n': __tp_scan_integer(f, args); return 0;
    case 'p': __tp_unsupported("pointers in scanf");
    default: __tp_unsupported("conversion of scanf");
  }
  return 0;
}

static int __tp_scan(_Bool is_text, const char *format, va_list list) {
  va_list args;
  va_copy(args, list);
  int n_assigned = 0;
  __tp_errno_is_stale = 1;
  for (const char *p = format; *p; p++) {
    if (*p != '%') continue;
    spec f = {.is_text = is_text};
    p = __tp_read_scan_spec(p + 1, &f);
    if (*p == '%') continue;
    const char *end = *p == '[' ? __tp_set_end(p + 1) : p;
    if (!SCANNED(bool, &f)) break;                         // no match, or no more input
    if (!f.is_ignored && __tp_scan_conversion(p, &f, &args)) n_assigned++;
    p = end;
    if (!*p) break;
  }
  va_end(args);
  const spec all = {.is_text = is_text};
  return n_assigned == 0 && SCANNED(bool, &all) ? -1 : n_assigned;
}

#define SCANF(name, is_text, first, before)   \
  int name(first const char *format, ...) {   \
    va_list args;                             \
    before;                                   \
    va_start(args, format);                   \
    int n = __tp_scan(is_text, format, args); \
    va_end(args);                             \
    return n;                                 \
  }
#define NOTHING
SCANF(scanf, 0, NOTHING, )
SCANF(__isoc99_scanf, 0, NOTHING, )
#define STREAM FILE *from,
SCANF(fscanf, 0, STREAM, __tp_use(from))
SCANF(__isoc99_fscanf, 0, STREAM, __tp_use(from))
#define TEXT const char *from,
SCANF(sscanf, 1, TEXT, __tp_touch(from))
SCANF(__isoc99_sscanf, 1, TEXT, __tp_touch(from))
