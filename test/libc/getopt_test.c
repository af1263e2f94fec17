/* getopt.c against glibc: the same answers, arguments and order of the arguments, for random
 * command lines. */
#include "environment.h"

#include "pragmas.h"

#include "renamed.h"

#include "../../lib/libc/getopt.c"

#include "restored.h"

_Bool __tp_errno_is_stale;

// glibc's own; the structure of an option is the model's, and the same
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int argc, char *const *argv, const char *shorts);
int getopt_long(int argc, char *const *argv, const char *shorts, const struct model_option *longs,
                int *index);

enum { ROUNDS = 200000, MOST = 7 };

static const char *const words[] = {
    "-a",      "-b",     "-bx",      "-ab",     "-abx",     "-c",    "-cx",
    "-z",      "--",     "-",        "x",       "--name",   "--na",  "--n",
    "--node",  "--need", "--need=x", "--need=", "--name=x", "--opt", "--opt=x",
    "--other", "-W",     "y",        "--nam=",  "-a-",      "+a",    "-:"};
static const char *const shorts[] = {
    "ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "+:ab:", "a", "", "-", ":"};

static int flag;
static const struct model_option longs[] = {{"name", 0, NULL, 'n'}, {"node", 0, NULL, 'N'},
                                            {"need", 1, NULL, 'r'}, {"opt", 2, NULL, 'o'},
                                            {"other", 0, &flag, 5}, {NULL, 0, NULL, 0}};

/* Both to the end, or a few calls only; then the same line again would go on. */
static void same_answers(const char *options, bool has_longs, int argc, const char *const *line) {
  char *ours[MOST + 2] = {0}, *theirs[MOST + 2] = {0};
  for (int i = 0; i < argc; i++) ours[i] = theirs[i] = (char *)(uintptr_t)line[i];
  optind = model_optind = 0;
  opterr = 0;
  for (int calls = 0; calls < 20; calls++) {
    int our_index = -7, their_index = -7, our_flag, their_flag;
    flag = 0;
    const int a = has_longs ? model_getopt_long(argc, ours, options, longs, &our_index)
                            : model_getopt(argc, ours, options);
    our_flag = flag, flag = 0;
    const int b = has_longs ? getopt_long(argc, theirs, options, longs, &their_index)
                            : getopt(argc, theirs, options);
    their_flag = flag;
    if (a != b || model_optind != optind || our_index != their_index || our_flag != their_flag ||
        model_optarg != optarg || ((a == '?' || a == ':') && model_optopt != optopt) ||
        memcmp(ours, theirs, sizeof ours) != 0) {
      print_error("options %s%s:", options, has_longs ? ", long" : "");
      for (int i = 1; i < argc; i++) print_error(" %s", line[i]);
      fail_msg("\ncall %d: %d at %d, %s, not %d at %d, %s (optopt %d, %d)", calls, a, model_optind,
               model_optarg ? model_optarg : "-", b, optind, optarg ? optarg : "-", model_optopt,
               optopt);
    }
    if (a == -1) return;
  }
}

static void answers_are_those_of_glibc(void **state) {
  (void)state;
  world_begin(1);
  unsetenv("POSIXLY_CORRECT");
  for (int round = 0; round < ROUNDS; round++) {
    const char *line[MOST + 1] = {"program"};
    const int argc = 1 + (int)below(MOST);
    for (int i = 1; i < argc; i++) line[i] = words[below(sizeof words / sizeof *words)];
    SCRIPT(0);  // no POSIXLY_CORRECT
    const char *options = shorts[below(sizeof shorts / sizeof *shorts)];
    same_answers(options, below(2), argc, line);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_glibc)};
  return cmocka_run_group_tests_name("libc/getopt", tests, NULL, NULL);
}
