/* What lib/libc/tp_model.h promises to models of library functions. */
#define TP_ENV(type, name) \
  QUIET type __tp_env_##name(const char *who) { return (type)tp_next(who).low; }
TP_ENV(_Bool, bool)
TP_ENV(char, char) TP_ENV(unsigned char, uchar) TP_ENV(short, short) TP_ENV(unsigned short, ushort)
    TP_ENV(int, int) TP_ENV(unsigned, uint) TP_ENV(long, long) TP_ENV(unsigned long, ulong)
        TP_ENV(long long, llong) TP_ENV(tp_u64, ullong) QUIET
    float __tp_env_float(const char *who) {
  struct tp_input in = tp_next(who);
  float f;
  __builtin_memcpy(&f, &in.low, sizeof f);
  return f;
}
QUIET double __tp_env_double(const char *who) {
  struct tp_input in = tp_next(who);
  double d;
  __builtin_memcpy(&d, &in.low, sizeof d);
  return d;
}
/* The models write these with compiler builtins, which would call themselves here. */
QUIET void *memcpy(void *to, const void *from, tp_size n) {
  for (tp_size i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}
QUIET void *memmove(void *to, const void *from, tp_size n) {
  if ((tp_word)to <= (tp_word)from) return memcpy(to, from, n);
  while (n-- > 0) ((char *)to)[n] = ((const char *)from)[n];
  return to;
}
QUIET void *memset(void *to, int value, tp_size n) {
  for (tp_size i = 0; i < n; i++) ((char *)to)[i] = (char)value;
  return to;
}
QUIET void __tp_env_bytes(const char *who, void *p, unsigned long n) { tp_fill(who, p, n); }
QUIET void __tp_assume(_Bool c) {
  if (!c) tp_end(110, "assumption of a library model failed", "");
}
extern void tp_exit(int) __asm__("exit");
extern void *tp_calloc(tp_size, tp_size) __asm__("calloc");
QUIET void __tp_end(int status) { tp_exit(status); }
extern int __sanitizer_get_ownership(const volatile void *) __attribute__((weak));
extern tp_size __sanitizer_get_allocated_size(const volatile void *) __attribute__((weak));
extern tp_size tp_usable_size(void *) __asm__("malloc_usable_size");
/* Of a block of the heap. What is none has no bytes: it is freed next, which fails. */
QUIET unsigned long __tp_object_size(const void *p) {
  if (!__sanitizer_get_ownership) return tp_usable_size((void *)p);
  return __sanitizer_get_ownership(p) ? __sanitizer_get_allocated_size(p) : 0;
}
QUIET void __tp_check_free(const void *p) { (void)p; }
QUIET void __tp_check_defined(_Bool c, const char *message) { (void)c, (void)message; }
QUIET void __tp_check_overflow(_Bool c, const char *message) { (void)c, (void)message; }
QUIET void __tp_check_apart(const void *a, const void *b) { (void)a, (void)b; }
QUIET _Bool __tp_memory_checked(void) { return 1; }
QUIET _Bool __tp_format_stores(void) { return 1; }  // the model looks at the format, too
QUIET void __tp_assumption(const char *what) { (void)what; }
QUIET void __tp_unsupported(const char *what) { tp_end(112, "not modelled: ", what); }
QUIET void *__tp_new_global(const char *who, unsigned long n) {
  (void)who;
  return tp_calloc(1, n);
}
