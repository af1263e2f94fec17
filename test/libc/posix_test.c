/* posix.c, network.c and locale.c against glibc, where their answers are computed; and the sizes of
 * structures. */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <langinfo.h>
#include <libgen.h>
#include <locale.h>
#include <netdb.h>
#include <poll.h>
#include <pwd.h>
#include <regex.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <termios.h>
#include <wchar.h>
#include <wctype.h>

#include "environment.h"

#include "pragmas.h"

static int made_number(void) { return 3; }
#define __tp_descriptor made_number
void *__tp_new_global(const char *who, unsigned long n);
_Bool __tp_errno_is_stale, __tp_writes_files, __tp_has_pushed_back, __tp_has_closed,
    __tp_has_opened, __tp_reads_closed;

#include "renamed.h"

#include "../../lib/libc/posix.c"
#include "../../lib/libc/locale.c"
#include "../../lib/libc/network.c"

#include "restored.h"

void *__tp_new_global(const char *who, unsigned long n) { return (void)who, calloc(1, n); }

_Static_assert(STAT_BYTES == sizeof(struct stat) && STATFS_BYTES == sizeof(struct statfs), "stat");
_Static_assert(DIRENT_BYTES == sizeof(struct dirent) &&
                   DIRENT_NAME == offsetof(struct dirent, d_name),
               "dirent");
_Static_assert(FLOCK_BYTES == sizeof(struct flock) && REGEX_BYTES == sizeof(regex_t),
               "flock, regex");
_Static_assert(RUSAGE_BYTES == sizeof(struct rusage), "rusage");
_Static_assert(TERMIOS_BYTES == sizeof(struct termios) && SIGSET_BYTES == sizeof(sigset_t),
               "termios, sigset");
_Static_assert(6 * UNAME_BYTES == sizeof(struct utsname), "utsname");
_Static_assert(sizeof(struct model_passwd) == sizeof(struct passwd) &&
                   sizeof(struct model_iovec) == sizeof(struct iovec),
               "passwd, iovec");
_Static_assert(sizeof(struct model_addrinfo) == sizeof(struct addrinfo) &&
                   sizeof(struct model_pollfd) == sizeof(struct pollfd),
               "addrinfo, pollfd");
_Static_assert(sizeof(struct model_epoll_event) == sizeof(struct epoll_event) &&
                   sizeof(struct model_lconv) == sizeof(struct lconv),
               "epoll_event, lconv");
_Static_assert(offsetof(struct model_addrinfo, address) == offsetof(struct addrinfo, ai_addr) &&
                   offsetof(struct model_addrinfo, next) == offsetof(struct addrinfo, ai_next),
               "addrinfo");

#if __SIZEOF_POINTER__ == 8
_Static_assert(sizeof(struct __tp_stat) == sizeof(struct stat) &&
                   offsetof(struct __tp_stat, mode) == offsetof(struct stat, st_mode),
               "stat");
_Static_assert(offsetof(struct __tp_stat, size) == offsetof(struct stat, st_size) &&
                   offsetof(struct __tp_stat, times) == offsetof(struct stat, st_atim),
               "stat");
#endif

enum { ROUNDS = 20000 };

static void sets_of_signals_agree(void **state) {
  (void)state;
  world_begin(1);
  sigset_t ours, theirs;
  for (int i = 0; i < ROUNDS; i++) {
    const int n = (int)below(70) - 2;
    switch (i % 40 == 0 ? 0 : i % 40 == 20 ? 1 : 2 + below(3)) {
      case 0: assert_int_equal(model_sigemptyset(&ours), sigemptyset(&theirs)); break;
      case 1: assert_int_equal(model_sigfillset(&ours), sigfillset(&theirs)); break;
      case 2: assert_int_equal(model_sigaddset(&ours, n), sigaddset(&theirs, n)); break;
      case 3: assert_int_equal(model_sigdelset(&ours, n), sigdelset(&theirs, n)); break;
      default: assert_int_equal(model_sigismember(&ours, n), sigismember(&theirs, n)); break;
    }
    assert_memory_equal(&ours, &theirs, 8);
  }
}

static void addresses_agree(void **state) {
  (void)state;
  world_begin(2);
  for (int i = 0; i < ROUNDS; i++) {
    static const char letters[] = "0123456789...25x ";
    char text[24], a[INET_ADDRSTRLEN] = "", b[INET_ADDRSTRLEN] = "";
    struct in_addr ours = {0}, theirs = {0};
    if (below(2)) {
      snprintf(text, sizeof text, "%d.%d.%d.%d", (int)below(300), (int)below(300), (int)below(300),
               (int)below(300));
    } else {
      size_t n = below(sizeof text - 1);
      for (size_t k = 0; k < n; k++) text[k] = letters[below(sizeof letters - 1)];
      text[n] = 0;
    }
    const int yes = inet_pton(AF_INET, text, &theirs);
    if (model_inet_pton(AF_INET, text, &ours) != yes)
      fail_msg("'%s' is %san address", text, yes ? "" : "no ");
    if (yes) assert_int_equal(ours.s_addr, theirs.s_addr);
    theirs.s_addr = (in_addr_t)tp_rng_next(&world.rng);
    const socklen_t room = (socklen_t)below(INET_ADDRSTRLEN + 1);
    assert_int_equal(model_inet_ntop(AF_INET, &theirs, a, room) == NULL,
                     inet_ntop(AF_INET, &theirs, b, room) == NULL);
    assert_string_equal(a, b);
  }
}

static const struct {
  const char *name;
  int (*ours)(wint_t), (*theirs)(wint_t);
} classes[] = {{"upper", model_iswupper, iswupper}, {"lower", model_iswlower, iswlower},
               {"alpha", model_iswalpha, iswalpha}, {"digit", model_iswdigit, iswdigit},
               {"alnum", model_iswalnum, iswalnum}, {"xdigit", model_iswxdigit, iswxdigit},
               {"space", model_iswspace, iswspace}, {"blank", model_iswblank, iswblank},
               {"cntrl", model_iswcntrl, iswcntrl}, {"print", model_iswprint, iswprint},
               {"graph", model_iswgraph, iswgraph}, {"punct", model_iswpunct, iswpunct}};

static void wide_characters_agree(void **state) {
  (void)state;
  world_begin(3);
  for (wint_t c = 0; c < 128; c++) {
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
      SCRIPT(1);  // a number that is not 0
      if (!classes[k].ours(c) != !classes[k].theirs(c)) fail_msg("%u: %s", c, classes[k].name);
    }
    assert_int_equal(model_towlower(c), towlower(c));
    assert_int_equal(model_towupper(c), towupper(c));
    assert_int_equal(model_wcwidth((wchar_t)c), wcwidth((wchar_t)c));
    assert_int_equal(model_btowc((int)c), btowc((int)c));
    assert_int_equal(model_wctob(c), wctob(c));
    const char byte[2] = {(char)c, 0};
    wchar_t ours = 7, theirs = 7;
    mbstate_t s = {0};
    char to[MB_LEN_MAX] = "";
    assert_int_equal(model_mbrtowc(&ours, byte, 1, NULL), mbrtowc(&theirs, byte, 1, &s));
    assert_int_equal(ours, theirs);
    assert_int_equal(model_wcrtomb(to, (wchar_t)c, NULL), 1);
    assert_int_equal(to[0], (char)c);
  }
}

static void texts_of_several_bytes_agree(void **state) {
  (void)state;
  world_begin(4);
  for (int i = 0; i < ROUNDS; i++) {
    char s[9], a[9] = "########", b[9] = "########";
    wchar_t ours[9] = L"########", theirs[9] = L"########";
    const size_t n = below(9), room = below(9);
    for (size_t k = 0; k < n; k++) s[k] = (char)(1 + below(127));
    s[n] = 0;
    assert_int_equal(model_mbstowcs(NULL, s, 0), mbstowcs(NULL, s, 0));
    assert_int_equal(model_mbstowcs(ours, s, room), mbstowcs(theirs, s, room));
    assert_memory_equal(ours, theirs, sizeof ours);
    ours[8] = theirs[8] = 0;
    assert_int_equal(model_wcstombs(a, ours, room), wcstombs(b, theirs, room));
    assert_memory_equal(a, b, sizeof a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_of_signals_agree),
      cmocka_unit_test(addresses_agree),
      cmocka_unit_test(wide_characters_agree),
      cmocka_unit_test(texts_of_several_bytes_agree),
  };
  return cmocka_run_group_tests_name("libc/posix", tests, NULL, NULL);
}
