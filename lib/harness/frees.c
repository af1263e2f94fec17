/* A free of what is neither on the heap nor on the stack. AddressSanitizer reports the other wrong
 * ones; of these it looks for a header in front of the block, writes to it, and may not, if the
 * memory is read-only. */
extern int __sanitizer_get_ownership(const volatile void *);
extern const char *__asan_locate_address(void *, char *, tp_size, void **, tp_size *);
extern void __real_free(void *);
QUIET void __wrap_free(void *p) {
  if (p && !__sanitizer_get_ownership(p)) {
    char name[8];
    void *start;
    tp_size n;
    const char *where = __asan_locate_address(p, name, sizeof name, &start, &n);
    if (where && *where != 'h' && *where != 's')  // "heap", "stack"
      tp_violated_at("what is freed was never allocated", 0, __builtin_return_address(0));
  }
  __real_free(p);
}
