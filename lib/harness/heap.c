/* Heap blocks that the text of the program allocated (not the C library for itself): counted for
 * memcleanup; for memtrack marked from globals and the stack that is still live at the end. Any
 * pointer into a block marks it. LeakSanitizer would need ptrace, which the sandbox forbids. */
extern void *__libc_malloc(tp_size), *__libc_calloc(tp_size, tp_size),
    *__libc_realloc(void *, tp_size);
extern void __libc_free(void *);
extern char __executable_start, etext, __data_start, _end;
extern void *__libc_stack_end;
extern void *tp_map(void *, tp_size, int, int, int, long) __asm__("mmap");
struct tp_block {
  char *at;
  tp_size n;
  int marked;
};
enum { TP_BLOCKS = 1 << 20 };
static struct tp_block *tp_blocks;
static tp_size tp_n_blocks;
QUIET static void *tp_track(void *p, tp_size n, void *caller) {
  if (!p || (char *)caller < &__executable_start || (char *)caller >= &etext) return p;
  if (!tp_blocks) {
    tp_blocks = tp_map(0, TP_BLOCKS * sizeof *tp_blocks, 3, 0x4022, -1, 0);
    if (tp_blocks == (void *)-1) tp_end(111, "no memory for the harness", "");
  }
  if (tp_n_blocks == TP_BLOCKS) tp_end(111, "too many heap blocks", "");
  tp_blocks[tp_n_blocks++] = (struct tp_block){p, n, 0};
  return p;
}
QUIET static void tp_untrack(void *p) {
  for (tp_size i = tp_n_blocks; p && i-- > 0;)
    if (tp_blocks[i].at == (char *)p) {
      tp_blocks[i] = tp_blocks[--tp_n_blocks];
      return;
    }
}
QUIET void *malloc(tp_size n) { return tp_track(__libc_malloc(n), n, __builtin_return_address(0)); }
QUIET void *calloc(tp_size k, tp_size n) {
  return tp_track(__libc_calloc(k, n), k * n, __builtin_return_address(0));
}
QUIET void free(void *p) {
  tp_untrack(p);
  __libc_free(p);
}
QUIET void *realloc(void *p, tp_size n) {
#if TP_DENIES_MEMORY && TP_HAS_MODELS  // in place of the model, which asks
  if ((n || !p) && tp_next("malloc fails").low) return 0;
#endif
  void *q = __libc_realloc(p, n);
  if (q || n == 0) tp_untrack(p);
  return tp_track(q, n, __builtin_return_address(0));
}
QUIET static int tp_mark_range(char *from, char *to) {
  int marked = 0;
  from = (char *)(((tp_word)from + sizeof(void *) - 1) & ~(tp_word)(sizeof(void *) - 1));
  for (; from + sizeof(void *) <= to; from += sizeof(void *)) {
    char *p;
    __builtin_memcpy(&p, from, sizeof p);
    for (tp_size i = 0; i < tp_n_blocks; i++) {
      struct tp_block *b = &tp_blocks[i];
      if (!b->marked && p >= b->at && p <= b->at + b->n) marked = b->marked = 1;
    }
  }
  return marked;
}
QUIET static void tp_check_heap(void) {
  char here;
  if (tp_main_returned) tp_print("twoproof run: main has returned\n");
  if (TP_CHECKS_CLEANUP) {
    if (tp_n_blocks > 0) tp_end(107, "violated: ", "heap memory is not freed at the end");
    return;
  }
  tp_mark_range(&__data_start, &_end);
  if (!tp_main_returned) tp_mark_range(&here, (char *)__libc_stack_end);
  for (int again = 1; again;) {
    again = 0;
    for (tp_size i = 0; i < tp_n_blocks; i++)
      if (tp_blocks[i].marked == 1) {
        tp_blocks[i].marked = 2;
        again |= tp_mark_range(tp_blocks[i].at, tp_blocks[i].at + tp_blocks[i].n);
      }
  }
  for (tp_size i = 0; i < tp_n_blocks; i++)
    if (!tp_blocks[i].marked) tp_end(107, "violated: ", "a heap block is lost");
}
/* Where the program ends, if not by main's return. What is called in place of exit calls no
 * destructor, where the heap is checked. */
#define ENDS_BY(name, checks)                               \
  extern void __real_##name(int) __attribute__((noreturn)); \
  QUIET void __wrap_##name(int status) {                    \
    tp_print_site(__builtin_return_address(0), 0);          \
    checks;                                                 \
    __real_##name(status);                                  \
  }
ENDS_BY(exit, (void)0)
ENDS_BY(_exit, tp_check_heap())
ENDS_BY(_Exit, tp_check_heap())
ENDS_BY(quick_exit, tp_check_heap())
__attribute__((destructor)) QUIET static void tp_heap_at_exit(void) { tp_check_heap(); }
__attribute__((weak, noreturn)) QUIET void tp_abort(void) {
  tp_print_site(__builtin_return_address(0), 0);
  tp_check_heap();
  tp_end(110, "abort", "");
}
