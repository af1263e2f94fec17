/* Heap blocks get their indeterminate values. */
extern void *__real_malloc(tp_size);
QUIET void *__wrap_malloc(tp_size n) {
  void *p = __real_malloc(n);
  if (p) tp_allocated(p, n);
  return p;
}
