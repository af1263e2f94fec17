/* Requests for memory: the recorded run may have had them answered with a null pointer; new blocks
 * get their indeterminate values; and a block of 0 bytes has none that can be accessed, where
 * AddressSanitizer makes 1 of them. */
extern int __sanitizer_get_ownership(const volatile void *) __attribute__((weak));
extern void __asan_poison_memory_region(const volatile void *, tp_size) __attribute__((weak));
QUIET static void *tp_new_block(void *p, tp_size n) {
  if (p && n == 0 && __asan_poison_memory_region && __sanitizer_get_ownership(p))
    __asan_poison_memory_region(p, 1);
  return p;
}
QUIET static int tp_denied(const char *what) {
#if TP_DENIES_MEMORY
  return tp_next(what).low != 0;
#else
  (void)what;
  return 0;
#endif
}
extern void *__real_malloc(tp_size), *__real_calloc(tp_size, tp_size);
QUIET void *__wrap_malloc(tp_size n) {
  if (tp_denied("malloc fails")) return 0;
  void *p = __real_malloc(n);
#if TP_FILLS_MEMORY
  if (p) tp_fill_local(p, n, "malloc", 0);
#endif
  return tp_new_block(p, n);
}
QUIET void *__wrap_calloc(tp_size k, tp_size n) {
  return tp_denied("calloc fails") ? 0 : tp_new_block(__real_calloc(k, n), k * n);
}
#if !TP_HAS_MODELS  // else the model of realloc asks
extern void *__real_realloc(void *, tp_size);
QUIET void *__wrap_realloc(void *p, tp_size n) {
  if ((n || !p) && tp_denied("malloc fails")) return 0;
  void *q = __real_realloc(p, n);
  return p ? q : tp_new_block(q, n);
}
#endif
/* What alloca() gives, as a block of the heap that ends with the frame of its function:
 * AddressSanitizer does not see that an address of it is used too late. The stack grows down. */
struct tp_of_frame {
  struct tp_of_frame *before;
  void *block;
  tp_word frame;
};
static struct tp_of_frame *tp_of_frames;
extern void tp_release(void *) __asm__("free");
QUIET static void tp_end_frame(tp_word frame) {
  while (tp_of_frames && tp_of_frames->frame <= frame) {
    struct tp_of_frame *last = tp_of_frames;
    tp_of_frames = last->before;
    tp_release(last->block);
    tp_release(last);
  }
}
QUIET void *tp_alloca(tp_size n, void *frame) {
  struct tp_of_frame *new = __real_malloc(sizeof *new);
  void *block = __real_malloc(n);
  if (!new || !block) tp_end(111, "no memory for alloca", "");
  *new = (struct tp_of_frame){tp_of_frames, block, (tp_word)frame};
  tp_of_frames = new;
  tp_on_return = tp_end_frame;
  return tp_new_block(block, n);
}
