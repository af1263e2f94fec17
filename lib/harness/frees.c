/* A free of what is neither on the heap nor on the stack. AddressSanitizer reports the other wrong
 * ones; of these it looks for a header in front of the block, and dies of that where nothing is, or
 * where memory is read-only. */
extern int __sanitizer_get_ownership(const volatile void *);
extern const char *__asan_locate_address(void *, char *, tp_size, void **, tp_size *);
extern void __real_free(void *);
QUIET void __wrap_free(void *p) {
  if (p && !__sanitizer_get_ownership(p)) {
    char name[8];
    void *start;
    tp_size n;
    const char *where = __asan_locate_address(p, name, sizeof name, &start, &n);
    // "heap" and "stack" are the sanitizer's; "heap-invalid" is no block that was ever there
    if (where && ((*where != 'h' && *where != 's') || (*where == 'h' && where[4] == '-')))
      tp_violated_at("what is freed was never allocated", 0, __builtin_return_address(0));
  }
  __real_free(p);
}
