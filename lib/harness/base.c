/* Test harness: answers the program's questions from a vector of inputs.
 * Exit status: 107 the property is violated, 108 the program asked something else than recorded,
 * 109 it asked more, 110 it left the assumptions. No header is included, so that any function of
 * the C library can be played. */
#define QUIET __attribute__((no_instrument_function))
typedef unsigned long long tp_u64;
typedef __SIZE_TYPE__ tp_size;
typedef __UINTPTR_TYPE__ tp_word;
extern long tp_system_call(long, ...) __asm__("syscall");
#ifdef __x86_64__
enum { TP_WRITE = 1, TP_EXIT = 231 };
#else
enum { TP_WRITE = 4, TP_EXIT = 252 };
#endif

volatile int tp_never;  // 0: marked sources of the user read it

QUIET static void tp_print(const char *text) {
  long n = 0;
  while (text[n]) n++;
  tp_system_call(TP_WRITE, 2l, text, n);
}

QUIET static void tp_end(int status, const char *text, const char *more) {
  tp_print("twoproof: ");
  tp_print(text);
  tp_print(more);
  tp_print("\n");
  for (;;) tp_system_call(TP_EXIT, (long)status);
}
QUIET static void tp_print_hex(tp_u64 x) {
  char text[18] = " ";
  for (int i = 0; i < 16; i++) text[1 + i] = "0123456789abcdef"[x >> (60 - 4 * i) & 15];
  tp_print(text);
}
/* site: behind the call in the program; entered: the function that was entered, or 0. */
QUIET static void tp_print_site(void *site, void *entered) {
  tp_print("twoproof run: site");
  tp_print_hex((tp_word)site);
  if (entered) tp_print_hex((tp_word)entered + 1);
  tp_print("\n");
}
/* The property is violated. */
QUIET static void tp_violated_at(const char *what, void *entered, void *site) {
  tp_print_site(site, entered);
  tp_end(107, "violated: ", what);
}
QUIET int tp_violated(const char *what) {
  tp_violated_at(what, 0, __builtin_return_address(0));
  return 0;
}

extern void tp_abort(void) __asm__("abort");
/* An error function, or an assertion that fails: what is asked about, or the end of the program. */
QUIET void tp_failed(const char *what, void *site) {
  if (TP_CHECKS_REACH) tp_violated_at(what, 0, site);
  tp_abort();
}
/* The C library declares this function with parameters of these types; a program may define one of
 * its own. */
#if !TP_OWN_ASSERT
QUIET void __assert_fail(const char *what, const char *file, unsigned line, const char *f) {
  (void)file, (void)line, (void)f;
  if (TP_CHECKS_REACH) tp_violated_at(what, 0, __builtin_return_address(0));
  tp_abort();
}
#endif

QUIET static void tp_assumed(int c) {
  if (!c) tp_end(110, "assumption failed", "");
}
QUIET static void tp_asserted(int c, void *site) {
  if (!c) tp_failed("an assertion", site);
}

/* Entering an error function. Addresses of those in the program, which may be static, come from the
 * environment; those that the program only declares are defined by the harness. */
void reach_error();
void __VERIFIER_error();
extern int main();
extern char **environ;
static int tp_main_returned;
/* Is f in a comma-separated list of hexadecimal addresses? */
QUIET static int tp_is_listed(const char *list, tp_word f) {
  while (*list) {
    tp_word value = 0;
    for (; *list && *list != ','; list++)
      value = value * 16 + (tp_word)(*list <= '9' ? *list - '0' : *list - 'a' + 10);
    if (value == f) return 1;
    if (*list) list++;
  }
  return 0;
}
QUIET static int tp_is_error(void *f) {
  static const char name[] = "TWOPROOF_ERROR_FUNCTIONS=";
  if (f == (void *)reach_error || f == (void *)__VERIFIER_error) return 1;
  for (char **e = environ; e && *e; e++) {
    int i = 0;
    while (name[i] && (*e)[i] == name[i]) i++;
    if (!name[i] && tp_is_listed(*e + i, (tp_word)f)) return 1;
  }
  return 0;
}
QUIET void __cyg_profile_func_enter(void *f, void *site) {
  if (TP_CHECKS_REACH && tp_is_error(f)) tp_violated_at("an error function was entered", f, site);
}
QUIET void __cyg_profile_func_exit(void *f, void *site) {
  (void)site;
  if (f == (void *)main) tp_main_returned = 1;
}
