/* Requests for memory that the text of the program makes: the recorded run may have had a null
 * pointer (TP_DENIES_MEMORY); what blocks contain may be of the vector (tp_allocated); blocks of no
 * bytes are guarded (tp_guarded). */
#if TP_DENIES_MEMORY
#define TP_IS_DENIED(who) (tp_next(who).low != 0)
#else
#define TP_IS_DENIED(who) 0
#endif
extern void *__real_malloc(tp_size), *__real_calloc(tp_size, tp_size);
QUIET void *__wrap_malloc(tp_size n) {
  if (TP_IS_DENIED("malloc fails")) return 0;
  void *p = __real_malloc(n);
  if (p) tp_allocated(p, n);
  return tp_guarded(p, n);
}
QUIET void *__wrap_calloc(tp_size k, tp_size n) {
  return TP_IS_DENIED("calloc fails") ? 0 : tp_guarded(__real_calloc(k, n), k * n);
}
#if !TP_HAS_MODELS  // else the model of realloc asks
extern void *__real_realloc(void *, tp_size);
QUIET void *__wrap_realloc(void *p, tp_size n) {
  if ((n || !p) && TP_IS_DENIED("malloc fails")) return 0;
  return tp_guarded(__real_realloc(p, n), n);
}
#endif
