/* getopt and getopt_long as glibc has them: options may stand behind other arguments, which are moved to the end, unless
 * the list of options begins with `+`, or with `-` (each other argument is then an option 1), or POSIXLY_CORRECT is set, of which
 * nothing is known. Messages go to the standard error and are no business of the program. */
#include "tp_model.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

struct option { const char *name; int has_argument; int *flag; int value; };

/* Of the scan: what is left of a cluster of short options; arguments [first, last) were passed over. */
static const char *__tp_rest;
static int __tp_first, __tp_last;
static _Bool __tp_is_set;
static enum { PERMUTE, STOP, RETURN } __tp_order;

static size_t __tp_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
static _Bool __tp_is_option(const char *s) { return s[0] == '-' && s[1] != 0; }
static _Bool __tp_is_end(const char *s) { return s[0] == '-' && s[1] == '-' && s[2] == 0; }

/* The arguments that were passed over go behind those that were scanned since. */
static void __tp_exchange(char **argv) {
  const int n = optind - __tp_last;
  for (int k = 0; k < n; k++) {
    char *moved = argv[__tp_last + k];
    for (int i = __tp_last + k; i > __tp_first + k; i--) argv[i] = argv[i - 1];
    argv[__tp_first + k] = moved;
  }
  __tp_first += n;
  __tp_last = optind;
}

static void __tp_begin(const char *shorts) {
  if (optind == 0) optind = 1;
  __tp_first = __tp_last = optind;
  __tp_rest = NULL;
  __tp_order = shorts[0] == '-' ? RETURN : shorts[0] == '+' || __tp_env_bool("~getopt") ? STOP : PERMUTE;
  __tp_is_set = 1;
}

/* -1: the end. 1: another argument, as an option. 0: there is an option at optind. */
static int __tp_next_argument(int argc, char **argv) {
  if (__tp_last > optind) __tp_last = optind;
  if (__tp_first > optind) __tp_first = optind;
  if (__tp_order == PERMUTE) {
    if (__tp_first != __tp_last && __tp_last != optind) __tp_exchange(argv);
    else if (__tp_last != optind) __tp_first = optind;
    while (optind < argc && !__tp_is_option(argv[optind])) optind++;
    __tp_last = optind;
  }
  if (optind != argc && __tp_is_end(argv[optind])) {
    optind++;
    if (__tp_first != __tp_last && __tp_last != optind) __tp_exchange(argv);
    else if (__tp_first == __tp_last) __tp_first = optind;
    __tp_last = argc;
    optind = argc;
  }
  if (optind == argc) {
    if (__tp_first != __tp_last) optind = __tp_first;
    return -1;
  }
  if (__tp_is_option(argv[optind])) return 0;
  if (__tp_order == STOP) return -1;
  optarg = argv[optind++];
  return 1;
}

/* The option of this name, of n characters: the one of exactly that name, else the only one that begins so. -1: none, -2: several. */
static int __tp_find(const struct option *longs, const char *name, size_t n) {
  int found = -1;
  for (int i = 0; longs[i].name; i++) {
    size_t k = 0;
    while (k < n && longs[i].name[k] == name[k]) k++;
    if (k < n) continue;
    if (__tp_length(longs[i].name) == n) return i;
    if (found == -1) found = i;
    else if (found == -2 || longs[i].has_argument != longs[found].has_argument || longs[i].flag != longs[found].flag || longs[i].value != longs[found].value) found = -2;
  }
  return found;
}

static int __tp_long(int argc, char **argv, _Bool colon, const struct option *longs, int *index) {
  const char *name = __tp_rest;
  size_t n = 0;
  while (name[n] && name[n] != '=') n++;
  const int i = __tp_find(longs, name, n);
  __tp_rest = NULL;
  optind++;
  if (i < 0) {
    optopt = 0;
    return '?';
  }
  const struct option *o = &longs[i];
  if (name[n] == '=') {
    if (!o->has_argument) {
      optopt = o->value;
      return '?';
    }
    optarg = (char *)(uintptr_t)(name + n + 1);
  } else if (o->has_argument == 1) {
    if (optind >= argc) {
      optopt = o->value;
      return colon ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  if (index) *index = i;
  if (!o->flag) return o->value;
  *o->flag = o->value;
  return 0;
}

static int __tp_short(int argc, char **argv, const char *shorts, _Bool colon) {
  const char c = *__tp_rest++;
  const char *at = NULL;
  for (const char *s = shorts; *s && !at; s++)
    if (*s == c && c != ':' && c != ';') at = s;
  if (!*__tp_rest) optind++;
  if (!at) {
    optopt = c;
    return '?';
  }
  if (at[0] == 'W' && at[1] == ';') __tp_unsupported("W; in the options of getopt");
  if (at[1] != ':') return c;
  if (*__tp_rest) {
    optarg = (char *)(uintptr_t)__tp_rest;
    optind++;
  } else if (at[2] == ':') {
    optarg = NULL;
  } else if (optind == argc) {
    optopt = c;
    __tp_rest = NULL;
    return colon ? ':' : '?';
  } else {
    optarg = argv[optind++];
  }
  __tp_rest = NULL;
  return c;
}

static int __tp_getopt(int argc, char **argv, const char *shorts, const struct option *longs, int *index) {
  if (argc < 1) return -1;
  optarg = NULL;
  if (optind == 0 || !__tp_is_set) __tp_begin(shorts);
  if (shorts[0] == '-' || shorts[0] == '+') shorts++;
  const _Bool colon = shorts[0] == ':';
  if (!__tp_rest || !*__tp_rest) {
    const int other = __tp_next_argument(argc, argv);
    if (other) return other;
    const char *s = argv[optind];
    if (longs && s[1] == '-') {
      __tp_rest = s + 2;
      return __tp_long(argc, argv, colon, longs, index);
    }
    __tp_rest = s + 1;
  }
  return __tp_short(argc, argv, shorts, colon);
}

int getopt(int argc, char *const *argv, const char *shorts) { return __tp_getopt(argc, (char **)(uintptr_t)argv, shorts, NULL, NULL); }
int getopt_long(int argc, char *const *argv, const char *shorts, const struct option *longs, int *index) {
  return __tp_getopt(argc, (char **)(uintptr_t)argv, shorts, longs, index);
}
