/* Library functions that no sanitizer watches: their arguments are checked before the call. */
extern tp_size tp_length(const char *) __asm__("strlen");
extern tp_size tp_length_within(const char *, tp_size) __asm__("strnlen");
QUIET static void tp_character(int c, void *site) {
  if (c < -1 || c > 255) tp_violated_at("a character is neither EOF nor an unsigned char", 0, site);
}
QUIET static void tp_not_null(const void *p, void *site) {
  if (!p) tp_violated_at("an argument is null", 0, site);
}
/* n bytes at a, m at b. */
QUIET static void tp_apart(const void *a, tp_size n, const void *b, tp_size m, void *site) {
  if ((tp_word)a < (tp_word)b + m && (tp_word)b < (tp_word)a + n)
    tp_violated_at("objects overlap", 0, site);
}
QUIET static void tp_represented(int is, void *site) {
  if (!is) tp_violated_at("overflow in a library function", 0, site);
}
QUIET static void tp_divisor(int is_zero, void *site) {
  if (is_zero && TP_CHECKS_UNDEFINED)
    tp_violated_at("division by zero in a library function", 0, site);
}
#define IS_MIN(x) ((unsigned long long)(x) << (64 - 8 * sizeof(x)) == 1ull << 63)
struct tp_div {
  int quot, rem;
};
struct tp_ldiv {
  long quot, rem;
};
struct tp_lldiv {
  long long quot, rem;
};
#define SITE __builtin_return_address(0)
