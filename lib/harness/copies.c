/* Copies that leave their objects where both places overlap. AddressSanitizer looks first whether
 * they overlap, and reports that. */
extern void *__real___asan_memcpy(void *, const void *, tp_size) __attribute__((weak));
extern void *__asan_region_is_poisoned(void *, tp_size);
QUIET void *__wrap___asan_memcpy(void *to, const void *from, tp_size n) {
  const int overlap = (tp_word)to < (tp_word)from + n && (tp_word)from < (tp_word)to + n;
  if (to != from && overlap &&
      (__asan_region_is_poisoned((void *)from, n) || __asan_region_is_poisoned(to, n)))
    tp_violated_at("a copy leaves an object", 0, __builtin_return_address(0));
  return __real___asan_memcpy(to, from, n);
}
