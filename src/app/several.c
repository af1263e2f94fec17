/* The child of a property is in a process group of its own: signals reach it through us, once. */
#include "app/several.h"

#include "app/exit.h"
#include "app/property.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

size_t tp_several_properties(tp_options *o, const char *const **out) {
  static const char *const all[] = {"unreach-call", "valid-memsafety", "no-overflow"};
  const char *text = o->property;
  if (o->all) {
    *out = all;
    return sizeof all / sizeof *all;
  }
  size_t n = 1, i = 0;
  const bool is_list = access(text, F_OK) != 0;  // a file may have commas in its name
  for (const char *c = text; is_list && *c; c++) n += *c == ',';
  const char **names = tp_arena_array(&o->arena, const char *, n);
  for (; i + 1 < n; i++) {
    const size_t length = strcspn(text, ",");
    names[i] = tp_arena_strndup(&o->arena, text, length);
    text += length + 1;
  }
  names[i] = text;
  *out = names;
  return n;
}

// -------------------------------------------------------------------- processes

static volatile sig_atomic_t child;  // pid, 0: none
static volatile sig_atomic_t is_interrupted;

static void pass_on(int signal_number) {
  is_interrupted = 1;
  if (child) kill((pid_t)child, signal_number);
}

/* Statuses from the best to the worst: what went wrong with the tool counts most, then a failure of
 * the program. */
static int badness(int status) {
  TP_REQUIRE(status >= 0 && status < 256);
  static const int order[] = {TP_EXIT_TRUE,    TP_EXIT_BOUNDED, TP_EXIT_UNKNOWN,
                              TP_EXIT_INPUT,   TP_EXIT_FALSE,   TP_EXIT_USAGE,
                              TP_EXIT_MISSING, TP_EXIT_OUTPUT,  TP_EXIT_INTERNAL};
  int n = sizeof order / sizeof *order, i = 0;
  while (i < n && order[i] != status) i++;
  return i;
}

/* A directory or file for each property. */
static void separate_outputs(tp_options *o, const char *property) {
  if (o->output[0]) {
    (void)mkdir(o->output, 0777);
    o->output = tp_arena_printf(&o->arena, "%s/%s", o->output, property);
    (void)mkdir(o->output, 0777);  // what is wrong with it is said by the check
  }
  if (o->stats[0]) o->stats = tp_arena_printf(&o->arena, "%s.%s", o->stats, property);
}

static int wait_for(pid_t pid) {
  int how = 0;
  while (waitpid(pid, &how, 0) < 0)
    if (errno != EINTR) return TP_EXIT_INTERNAL;
  return WIFEXITED(how) ? WEXITSTATUS(how) : TP_EXIT_INTERNAL;
}

static int check_one(tp_options *o, const char *property, int (*check)(tp_options *o)) {
  TP_REQUIRE(child == 0);  // one at a time: signals are passed on to it
  fflush(NULL);
  const pid_t us = getpid(), pid = fork();
  if (pid == 0) {
    (void)setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != us) _exit(TP_EXIT_UNKNOWN);
    o->property = property;
    o->all = 0;
    separate_outputs(o, property);
    const int status = check(o);
    exit(fflush(stdout) == 0 ? status : TP_EXIT_OUTPUT);
  }
  if (pid < 0) {
    perror("twoproof: cannot start a process");
    return TP_EXIT_MISSING;
  }
  child = (sig_atomic_t)pid;
  const int status = wait_for(pid);
  child = 0;
  return status;
}

/* Before anything is verified; says what is wrong. */
static bool are_known(const char *const *properties, size_t n) {
  bool ok = true;
  for (size_t i = 0; i < n && ok; i++) {
    tp_str why = {0};
    tp_property property;
    ok = tp_property_of_argument(properties[i], &property, &why) == TP_OK;
    if (!ok) fprintf(stderr, "twoproof: %s\n", tp_str_text(&why));
    tp_str_clear(&why);
  }
  return ok;
}

int tp_several_check(tp_options *o, const char *const *properties, size_t n,
                     int (*check)(tp_options *o)) {
  TP_REQUIRE(o && n > 0 && check);
  static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction a = {.sa_handler = pass_on};
  for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
    sigaction(passed_on[i], &a, NULL);
  int worst = TP_EXIT_TRUE;
  if (!are_known(properties, n)) return TP_EXIT_USAGE;
  for (size_t i = 0; i < n && !is_interrupted; i++) {
    if (strcmp(o->format, "json") != 0)  // else an object for each property, which names it
      printf("%sPROPERTY: %s\n", i ? "\n" : "", properties[i]);
    const int status = check_one(o, properties[i], check);
    if (badness(status) > badness(worst)) worst = status;
    if (status == TP_EXIT_USAGE) break;
  }
  if (is_interrupted && badness(TP_EXIT_UNKNOWN) > badness(worst)) worst = TP_EXIT_UNKNOWN;
  return worst;
}
