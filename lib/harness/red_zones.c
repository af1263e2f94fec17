/* Wider red zones for invalid accesses: what no object is at, the sanitizer should know.
 *
 * Frames of the fake stack that no call has are poisoned from the start (the sanitizer poisons them
 * only when a call has returned), so that an access hundreds of bytes beside a local variable is
 * seen: neighbours of its frame are frames that nobody has. Where frames lie is computed as the
 * runtimes of clang and gcc do, and compared with what the runtime says of one frame: a runtime
 * that does otherwise is left alone. A block of 0 bytes has 1 for the sanitizer: it is poisoned. */
#define WEAK __attribute__((weak))  // a build without sanitizer runs, too
extern void *__asan_get_current_fake_stack(void) WEAK;
extern void *__asan_addr_is_in_fake_stack(void *, void *, void **, void **) WEAK;
extern void __asan_poison_memory_region(void const volatile *, tp_size) WEAK;

QUIET static void *tp_guarded(void *p, tp_size n) {
  if (p && n == 0 && __asan_poison_memory_region) __asan_poison_memory_region(p, 1);
  return p;
}

// Bytes of all frames of one size are 2^20, by max_uar_stack_size_log and the limit of the stack;
// the smallest frames have 2^6 bytes, and each has a byte in a table, with room for two.
enum { TP_LOG_OF_SIZE = 20, TP_LOG_OF_FRAME = 6, TP_SIZES = 11, TP_TABLE_AT = 4096 };

__attribute__((noinline)) QUIET static void tp_is_escaping(char *p) {
  __asm__ volatile("" : : "r"(p) : "memory");
}
__attribute__((constructor)) QUIET static void tp_poison_unused_frames(void) {
  char here[32];
  tp_is_escaping(here);
  if (!__asan_get_current_fake_stack || !__asan_addr_is_in_fake_stack) return;
  char *stack = __asan_get_current_fake_stack();
  void *from = 0, *to = 0;
  if (!stack || !__asan_addr_is_in_fake_stack(stack, here, &from, &to)) return;
  char *frame = (char *)from - 4 * sizeof(void *);  // behind the sanitizer's words
  char *first = stack + TP_TABLE_AT + (1 << (TP_LOG_OF_SIZE + 1 - TP_LOG_OF_FRAME)),
       *end = first + ((tp_size)TP_SIZES << TP_LOG_OF_SIZE);
  if (frame < first || (char *)to > end || (char *)to <= frame) return;
  tp_size size_class = (tp_size)(frame - first) >> TP_LOG_OF_SIZE,
          size = (tp_size)1 << (TP_LOG_OF_FRAME + size_class),
          at = (tp_size)(frame - first) - (size_class << TP_LOG_OF_SIZE);
  if ((tp_size)((char *)to - frame) != size || at % size) return;
  __asan_poison_memory_region(stack, (tp_size)(frame - stack));  // its tables, too
  __asan_poison_memory_region(to, (tp_size)(end - (char *)to));
}
