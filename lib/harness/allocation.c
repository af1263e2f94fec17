/* Requests for memory that the recorded run had answered with a null pointer, or not. */
extern void *__real_malloc(tp_size), *__real_calloc(tp_size, tp_size);
QUIET void *__wrap_malloc(tp_size n) {
  if (tp_next("malloc fails").low) return 0;
  void *p = __real_malloc(n);
  if (p) tp_allocated(p, n);
  return p;
}
QUIET void *__wrap_calloc(tp_size k, tp_size n) {
  return tp_next("calloc fails").low ? 0 : __real_calloc(k, n);
}
#if !TP_HAS_MODELS  // else the model of realloc asks
extern void *__real_realloc(void *, tp_size);
QUIET void *__wrap_realloc(void *p, tp_size n) {
  return (n || !p) && tp_next("malloc fails").low ? 0 : __real_realloc(p, n);
}
#endif
