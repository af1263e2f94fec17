/* A jump to an address without code leaves no frame of the caller to the sanitizer: the return
 * address lies on the stack. No header is included, so the layouts of the C library and the kernel
 * are written down. */
#ifdef __x86_64__
struct tp_action {
  void *handler;
  unsigned long mask[16];
  int flags;
  void *restorer;
};
enum { TP_FAULT_ADDRESS = 16, TP_REGISTERS = 40, TP_SP = 15, TP_PC = 16 };
#else
struct tp_action {
  void *handler;
  unsigned long mask[32];
  int flags;
  void *restorer;
};
enum { TP_FAULT_ADDRESS = 12, TP_REGISTERS = 20, TP_SP = 7, TP_PC = 14 };
#endif
extern int tp_set_action(int, const struct tp_action *, struct tp_action *) __asm__("__sigaction");
static struct tp_action tp_sanitizers;
__attribute__((no_sanitize("address"))) QUIET static void tp_on_fault(int number, char *info,
                                                                      char *context) {
  tp_word *registers = (tp_word *)(context + TP_REGISTERS), pc = registers[TP_PC];
  if (*(tp_word *)(info + TP_FAULT_ADDRESS) == pc) tp_print_site(*(void **)registers[TP_SP], 0);
  ((void (*)(int, char *, char *))tp_sanitizers.handler)(number, info, context);
}
__attribute__((constructor)) QUIET static void tp_watch_jumps(void) {
  struct tp_action ours = {.handler = (void *)tp_on_fault,
                           .flags = 0x08000004};  // SA_ONSTACK | SA_SIGINFO
  tp_set_action(11, &ours, &tp_sanitizers);
}
