/* Languages: the locale, characters of several bytes, classes of wide characters, translated messages.
 *
 * The models of ctype.h are those of the locale "C", and so are all here; that a program stays in it is an assumption that
 * TRUE lists. What C leaves to the locale "C" itself (bytes from 128 on, wide characters from 128 on) is a guess. */
#include "system.h"

#define STAYS_IN_C __tp_assumption("the locale is \"C\": setlocale() chooses no other")

typedef unsigned int wint_t;

enum { STATE_BYTES = 8 };

char *setlocale(int category, const char *name) {
  static char c[] = "C";
  (void)category;
  if (name) {
    __tp_touch(name);
    STAYS_IN_C;
  }
  return name && __tp_env_bool("~setlocale") ? NULL : c;
}

struct lconv {
  char *point, *separator, *grouping, *symbols[7];
  char numbers[14];
};
struct lconv *localeconv(void) {
  static char point[] = ".", none[] = "";
  static struct lconv c;
  STAYS_IN_C;
  c = (struct lconv){point, none, none, {none, none, none, none, none, none, none}, {CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX,
      CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX}};
  return &c;
}
char *nl_langinfo(int item) { return (void)item, __tp_text(); }

// --------------------------------------------------- characters of several bytes

size_t __ctype_get_mb_cur_max(void) {
  STAYS_IN_C;
  return 1;
}
static void __tp_change_state(void *state) {
  if (state) {
    (void)*(const volatile int *)state;
    __tp_env_bytes("~mbstate", state, STATE_BYTES);
  }
}
int mbsinit(const void *state) {
  if (!state) return 1;
  return (void)*(const volatile int *)state, __tp_env_bool("~mbsinit");
}
/* (size_t)-1: no character; 0: the end; 1: one, of one byte */
size_t mbrtowc(wchar_t *to, const char *s, size_t n, void *state) {
  STAYS_IN_C;
  __tp_change_state(state);
  if (!s) return 0;
  if (n == 0) return (size_t)-2;
  const unsigned char c = (unsigned char)*s;
  if (c >= 128 && __tp_env_bool("~mbrtowc")) return __tp_errno_is_stale = 1, (size_t)-1;
  if (to) *to = c < 128 ? c : __tp_env_int("~mbrtowc");
  return c != 0;
}
size_t mbrlen(const char *s, size_t n, void *state) {
  STAYS_IN_C;
  __tp_change_state(state);
  if (!s) return 0;
  if (n == 0) return (size_t)-2;
  if ((unsigned char)*s >= 128 && __tp_env_bool("~mbrtowc")) return __tp_errno_is_stale = 1, (size_t)-1;
  return *s != 0;
}
int mbtowc(wchar_t *to, const char *s, size_t n) {
  STAYS_IN_C;
  if (!s) return 0;
  if (n == 0) return -1;
  const unsigned char c = (unsigned char)*s;
  if (c >= 128 && __tp_env_bool("~mbrtowc")) return __tp_errno_is_stale = 1, -1;
  if (to) *to = c < 128 ? c : __tp_env_int("~mbrtowc");
  return c != 0;
}
size_t wcrtomb(char *to, wchar_t c, void *state) {
  STAYS_IN_C;
  __tp_change_state(state);
  if (!to) return 1;
  if ((c < 0 || c >= 128) && __tp_env_bool("~wcrtomb")) return __tp_errno_is_stale = 1, (size_t)-1;
  *to = c >= 0 && c < 128 ? (char)c : __tp_env_char("~wcrtomb");
  return 1;
}
int wctomb(char *to, wchar_t c) {
  STAYS_IN_C;
  if (!to) return 0;
  if ((c < 0 || c >= 128) && __tp_env_bool("~wcrtomb")) return __tp_errno_is_stale = 1, -1;
  *to = c >= 0 && c < 128 ? (char)c : __tp_env_char("~wcrtomb");
  return 1;
}
size_t mbstowcs(wchar_t *to, const char *s, size_t n) {
  STAYS_IN_C;
  for (size_t i = 0; !to || i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    if (c >= 128 && __tp_env_bool("~mbrtowc")) return __tp_errno_is_stale = 1, (size_t)-1;
    if (to) to[i] = c < 128 ? c : __tp_env_int("~mbrtowc");
    if (c == 0) return i;
  }
  return n;
}
size_t wcstombs(char *to, const wchar_t *s, size_t n) {
  STAYS_IN_C;
  for (size_t i = 0; !to || i < n; i++) {
    const _Bool plain = s[i] >= 0 && s[i] < 128;
    if (!plain && __tp_env_bool("~wcrtomb")) return __tp_errno_is_stale = 1, (size_t)-1;
    if (to) to[i] = plain ? (char)s[i] : __tp_env_char("~wcrtomb");
    if (s[i] == 0) return i;
  }
  return n;
}
wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : __tp_env_uint("~btowc"); }
int wctob(wint_t c) {
  if (c < 128) return (int)c;
  int byte = __tp_env_int("~wctob");
  __tp_assume(byte >= -1 && byte <= 255);
  return byte;
}

// ----------------------------------------------------- classes of wide characters

/* Not 0 if so, and which number then is not said. */
static int __tp_yes(_Bool is_so) {
  if (!is_so) return 0;
  int n = __tp_env_int("~isw");
  __tp_assume(n != 0);
  return n;
}
static _Bool __tp_between(wint_t c, wint_t low, wint_t high) { return c >= low && c <= high; }
#define CLASS(name, condition)                                  \
  int name(wint_t c) {                                          \
    return c >= 128 ? __tp_env_int("~" #name) : __tp_yes(condition); \
  }
#define UPPER __tp_between(c, 'A', 'Z')
#define LOWER __tp_between(c, 'a', 'z')
#define DIGIT __tp_between(c, '0', '9')
CLASS(iswupper, UPPER)
CLASS(iswlower, LOWER)
CLASS(iswalpha, UPPER || LOWER)
CLASS(iswdigit, DIGIT)
CLASS(iswalnum, UPPER || LOWER || DIGIT)
CLASS(iswxdigit, DIGIT || __tp_between(c, 'a', 'f') || __tp_between(c, 'A', 'F'))
CLASS(iswspace, c == ' ' || __tp_between(c, 9, 13))
CLASS(iswblank, c == ' ' || c == '\t')
CLASS(iswcntrl, c < 32 || c == 127)
CLASS(iswprint, __tp_between(c, 32, 126))
CLASS(iswgraph, __tp_between(c, 33, 126))
CLASS(iswpunct, __tp_between(c, 33, 126) && !(UPPER || LOWER || DIGIT))
wint_t towlower(wint_t c) { return c >= 128 ? __tp_env_uint("~towlower") : UPPER ? c + 32 : c; }
wint_t towupper(wint_t c) { return c >= 128 ? __tp_env_uint("~towupper") : LOWER ? c - 32 : c; }
int wcwidth(wchar_t c) {
  if (c == 0) return 0;
  if (c > 0 && c < 128) return c < 32 || c == 127 ? -1 : 1;
  int n = __tp_env_int("~wcwidth");
  __tp_assume(n >= -1 && n <= 2);
  return n;
}

// -------------------------------------------------------------------- messages

#define NOT_TRANSLATED __tp_assumption("messages are not translated: gettext() gives back what it is given")
static char *__tp_message(const char *message) {
  NOT_TRANSLATED;
  if (message) __tp_touch(message);
  return (char *)(uintptr_t)message;
}
static char *__tp_plural(const char *one, const char *many, unsigned long n) {
  NOT_TRANSLATED;
  __tp_touch(one), __tp_touch(many);
  return (char *)(uintptr_t)(n == 1 ? one : many);
}
char *gettext(const char *message) { return __tp_message(message); }
char *dgettext(const char *domain, const char *message) {
  if (domain) __tp_touch(domain);
  return __tp_message(message);
}
char *dcgettext(const char *domain, const char *message, int category) {
  (void)category;
  if (domain) __tp_touch(domain);
  return __tp_message(message);
}
char *ngettext(const char *one, const char *many, unsigned long n) { return __tp_plural(one, many, n); }
char *dcngettext(const char *domain, const char *one, const char *many, unsigned long n, int category) {
  (void)category;
  if (domain) __tp_touch(domain);
  return __tp_plural(one, many, n);
}
static char *__tp_domain(const char *name) {
  if (name) __tp_touch(name);
  __tp_errno_is_stale = 1;
  return __tp_env_bool("~textdomain") ? NULL : __tp_text();
}
char *textdomain(const char *name) { return __tp_domain(name); }
char *bindtextdomain(const char *name, const char *folder) {
  if (folder) __tp_touch(folder);
  return __tp_domain(name);
}
char *bind_textdomain_codeset(const char *name, const char *code) {
  if (code) __tp_touch(code);
  return __tp_domain(name);
}
