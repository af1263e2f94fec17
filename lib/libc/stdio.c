/* Output and files: the parts of stdio.h that write.
 *
 * What is written to a stream leaves the program; what comes back is whether
 * that worked. Strings are walked only if a memory property asks whether they
 * may be read. A FILE is an object that nobody looks into. */
#include "tp_model.h"

typedef struct __tp_file FILE;

/* A number of characters, or a negative number for an error. */
static int __tp_written(const char *who) {
  (void)who;
  int n = __tp_env_int("~printf");
  __tp_assume(n >= -1);
  __tp_errno_is_stale = 1;
  return n;
}

/* 0, or EOF for an error. */
static int __tp_done(void) {
  __tp_errno_is_stale = 1;
  return __tp_env_bool("stdio") ? -1 : 0;
}

/* A format is walked for what it touches: strings if memory is checked, and what %n stores. The inputs that are asked for depend on the format
 * alone: a compiled program asks for the same ones. */
static _Bool __tp_is_modifier(char c) {
  for (const char *m = "-+ #0123456789*.$hlqjztZL"; *m; m++)
    if (*m == c) return 1;
  return 0;
}

static _Bool __tp_counts(const char *format) {
  for (const char *p = format; *p; p++) {
    if (*p != '%') continue;
    do p++;
    while (__tp_is_modifier(*p));
    if (*p == 'n') return 1;
    if (!*p) return 0;
  }
  return 0;
}

static void __tp_walk(const char *format, va_list args) {
  if (__tp_format_stores() && __tp_counts(format)) __tp_format(NULL, 0, format, args);
  else if (__tp_memory_checked()) __tp_touch_format(format, args);
}

static int __tp_print(const char *format, va_list args) {
  __tp_walk(format, args);
  return __tp_written("printf");
}

// ---------------------------------------------------------------------- printf

int printf(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = __tp_print(format, args);
  va_end(args);
  return n;
}

int fprintf(FILE *to, const char *format, ...) {
  (void)to;
  va_list args;
  va_start(args, format);
  int n = __tp_print(format, args);
  va_end(args);
  return n;
}

int dprintf(int to, const char *format, ...) {
  (void)to;
  va_list args;
  va_start(args, format);
  int n = __tp_print(format, args);
  va_end(args);
  return n;
}

/* In the place of the three where the front end knows the format (front/formats.c): for each string it calls __tp_*_text before. */
int __tp_printf_known(const char *format, ...) {
  (void)format;
  return __tp_written("printf");
}
int __tp_fprintf_known(FILE *to, const char *format, ...) {
  (void)to, (void)format;
  return __tp_written("printf");
}
int __tp_dprintf_known(int to, const char *format, ...) {
  (void)to, (void)format;
  return __tp_written("printf");
}
void __tp_printf_text(const char *s) {
  if (s) __tp_touch(s);
}
void __tp_fprintf_text(const char *s) {
  if (s) __tp_touch(s);
}
void __tp_dprintf_text(const char *s) {
  if (s) __tp_touch(s);
}

int vprintf(const char *format, va_list args) { return __tp_print(format, args); }
int vfprintf(FILE *to, const char *format, va_list args) {
  (void)to;
  return __tp_print(format, args);
}

void syslog(int priority, const char *format, ...) {
  (void)priority;
  va_list args;
  va_start(args, format);
  __tp_walk(format, args);
  va_end(args);
}

/* The length as a result of the printf family. */
static int __tp_length_result(unsigned long n) {
  if (n <= INT_MAX) return (int)n;
  __tp_errno_is_stale = 1;
  return -1;
}

int vsprintf(char *to, const char *format, va_list args) {
  return __tp_length_result(__tp_format(to, ULONG_MAX, format, args));
}

int sprintf(char *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = __tp_length_result(__tp_format(to, ULONG_MAX, format, args));
  va_end(args);
  return n;
}

int vsnprintf(char *to, size_t size, const char *format, va_list args) {
  return __tp_length_result(__tp_format(to, size, format, args));
}

int snprintf(char *to, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = __tp_length_result(__tp_format(to, size, format, args));
  va_end(args);
  return n;
}

/* Some text in new memory, or -1. */
static int __tp_allocate_text(char **to, const char *format, va_list args) {
  __tp_walk(format, args);
  int n = __tp_written("asprintf");
  if (n < 0) return -1;
  __tp_assume(n < INT_MAX);
  char *text = malloc((size_t)n + 1);
  if (!text) return -1;
  __tp_env_bytes("~asprintf", text, (unsigned long)n);
  text[n] = 0;
  *to = text;
  return n;
}

int vasprintf(char **to, const char *format, va_list args) { return __tp_allocate_text(to, format, args); }

int asprintf(char **to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = __tp_allocate_text(to, format, args);
  va_end(args);
  return n;
}

// --------------------------------------------------------- characters, strings

static int __tp_put_char(int c) {
  __tp_errno_is_stale = 1;
  const _Bool is_own = __tp_has_opened || __tp_has_closed;
  return (is_own ? __tp_env_bool("~putchar") : __tp_env_bool("putchar")) ? -1 : (unsigned char)c;
}

int putchar(int c) { return __tp_put_char(c); }
int putchar_unlocked(int c) { return __tp_put_char(c); }
int putc(int c, FILE *to) {
  (void)to;
  return __tp_put_char(c);
}
int fputc(int c, FILE *to) {
  (void)to;
  return __tp_put_char(c);
}
int _IO_putc(int c, FILE *to) {
  (void)to;
  return __tp_put_char(c);
}

int fputc_unlocked(int c, FILE *to) {
  (void)to;
  return __tp_put_char(c);
}
int putc_unlocked(int c, FILE *to) {
  (void)to;
  return __tp_put_char(c);
}

int puts(const char *s) {
  __tp_touch(s);
  return __tp_written("puts");
}

int fputs(const char *s, FILE *to) {
  (void)to;
  __tp_touch(s);
  return __tp_written("fputs");
}

int fputs_unlocked(const char *s, FILE *to) {
  (void)to;
  __tp_touch(s);
  return __tp_written("fputs");
}

void perror(const char *s) {
  if (s) __tp_touch(s);
}

static size_t __tp_write_elements(const void *from, size_t size, size_t n) {
  if (size) __tp_touch_bytes(from, size * n);
  size_t written = __tp_env_ulong("~fwrite");
  __tp_assume(written <= n);
  __tp_errno_is_stale = 1;
  return size ? written : 0;
}
size_t fwrite(const void *from, size_t size, size_t n, FILE *to) {
  (void)to;
  return __tp_write_elements(from, size, n);
}
size_t fwrite_unlocked(const void *from, size_t size, size_t n, FILE *to) {
  (void)to;
  return __tp_write_elements(from, size, n);
}

// ----------------------------------------------------------------------- files

/* A mode, in which a file may be written. */
static void __tp_note_mode(const char *mode) {
  if (*mode != 'r') __tp_writes_files = 1;
  for (; *mode; mode++)
    if (*mode == '+') __tp_writes_files = 1;
}

static FILE *__tp_open_file(const char *mode) {
  __tp_has_opened = 1;
  __tp_note_mode(mode);
  __tp_errno_is_stale = 1;
  return __tp_env_bool("fopen") ? __tp_new_global("fopen", 216) : NULL;
}

FILE *fopen(const char *path, const char *mode) {
  __tp_touch(path);
  return __tp_open_file(mode);
}
FILE *freopen(const char *path, const char *mode, FILE *old) {
  if (path) __tp_touch(path);
  __tp_has_closed = 1;
  __tp_note_mode(mode);
  __tp_errno_is_stale = 1;
  return __tp_env_bool("freopen") ? old : NULL;
}
FILE *fdopen(int fd, const char *mode) {
  (void)fd;
  return __tp_open_file(mode);
}
FILE *popen(const char *command, const char *mode) {
  __tp_touch(command);
  return __tp_open_file(mode);
}
FILE *tmpfile(void) { return __tp_open_file("w+"); }

int fclose(FILE *f) {
  __tp_note_closed_stream(f);
  return __tp_done();
}
int pclose(FILE *f) {
  __tp_note_closed_stream(f);
  __tp_errno_is_stale = 1;
  return __tp_env_int("~pclose");
}
int fflush(FILE *f) {
  (void)f;
  return __tp_done();
}
int fflush_unlocked(FILE *f) {
  (void)f;
  return __tp_done();
}
void flockfile(FILE *f) { (void)f; }
void funlockfile(FILE *f) { (void)f; }
int feof_unlocked(FILE *f) {
  (void)f;
  return __tp_env_int("~feof");
}
int ferror_unlocked(FILE *f) {
  (void)f;
  return __tp_env_int("~ferror");
}
void clearerr_unlocked(FILE *f) { (void)f; }
int fseeko(FILE *f, long offset, int whence) {
  (void)f, (void)offset, (void)whence;
  return __tp_done();
}
static long __tp_position(void) {
  long n = __tp_env_long("~ftell");
  __tp_assume(n >= -1);
  __tp_errno_is_stale = 1;
  return n;
}
long ftello(FILE *f) {
  (void)f;
  return __tp_position();
}
int feof(FILE *f) {
  (void)f;
  return __tp_env_int("~feof");
}
int ferror(FILE *f) {
  (void)f;
  return __tp_env_int("~ferror");
}
void clearerr(FILE *f) { (void)f; }
int fileno(FILE *f) {
  (void)f;
  int n = __tp_env_int("~fileno");
  __tp_assume(n >= -1);
  return n;
}
int fseek(FILE *f, long offset, int whence) {
  (void)f, (void)offset, (void)whence;
  return __tp_done();
}
long ftell(FILE *f) {
  (void)f;
  return __tp_position();
}
void rewind(FILE *f) { (void)f; }
void setbuf(FILE *f, char *buffer) { (void)f, (void)buffer; }
int setvbuf(FILE *f, char *buffer, int mode, size_t size) {
  (void)f, (void)buffer, (void)mode, (void)size;
  return __tp_env_int("~setvbuf");
}
int remove(const char *path) {
  __tp_touch(path);
  return __tp_done();
}
int rename(const char *from, const char *to) {
  __tp_touch(from);
  __tp_touch(to);
  return __tp_done();
}
