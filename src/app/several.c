/* The child of a property is in a process group of its own: signals reach it through us, once. Its
 * standard output is a pipe that is read to its end, so that an answer can wait for those behind
 * it. What others need of it stands in shared memory: the child's own children, who conclude, have
 * no files of ours. */
#include "app/several.h"

#include "app/app_limits.h"
#include "app/exit.h"
#include "app/property.h"
#include "app/wire.h"
#include "report/open_operations.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

size_t tp_several_properties(tp_options *o, const char *const **out) {
  static const char *const all[] = {"unreach-call", "valid-memsafety", "undefined"};
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

static int badness(int status) {
  TP_REQUIRE(status >= 0 && status < 256);
  static const int order[] = {TP_EXIT_TRUE,    TP_EXIT_BOUNDED, TP_EXIT_UNKNOWN,
                              TP_EXIT_INPUT,   TP_EXIT_FALSE,   TP_EXIT_USAGE,
                              TP_EXIT_MISSING, TP_EXIT_OUTPUT,  TP_EXIT_INTERNAL};
  int n = sizeof order / sizeof *order, i = 0;
  while (i < n && order[i] != status) i++;
  return i;
}

int tp_several_worse(int a, int b) { return badness(b) > badness(a) ? b : a; }

// --------------------------------------------------------------------- findings

typedef struct {
  const char *property;
  const char *stats;  // the file of its statistics, "" without
  int status;
  tp_str answer;
  TP_VEC(const char *) open;  // assumptions about operations that neither hold nor fail for sure
  const char *operation, *position;  // a failure that is undefined behaviour, or NULL
  bool is_access;
} finding;

static bool is_undefined_behaviour(tp_property p) {
  return p == TP_P_VALID_DEREF || p == TP_P_VALID_FREE || p == TP_P_NO_OVERFLOW ||
         p == TP_P_UNDEFINED;
}

/* Texts with their lengths (app/wire.h): a failure, then assumptions as far as there is room. */
struct tp_shared_finding {
  size_t n;
  char text[TP_APP_FINDING_BYTES];
};

void tp_several_leave_finding(struct tp_shared_finding *to, const tp_report *r) {
  TP_REQUIRE(to && r);
  tp_str text = {0}, position = {0};
  // a failing run that is no verdict, since nobody stated what it rests on, ends there all the same
  const bool is_open = tp_has_open_operations(r),
             has_run = r->verdict == TP_VERDICT_FALSE || r->rests_on_open,
             is_failure =
                 has_run && is_undefined_behaviour(r->violated) && tp_pos_known(r->error_pos);
  if (is_failure) tp_pos_print(r->diag, r->error_pos, &position);
  tp_wire_put_text(&text, !is_failure        ? NULL
                          : r->error_message ? r->error_message
                                             : tp_property_name(r->violated));
  tp_wire_put_text(&text, is_failure ? tp_str_text(&position) : NULL);
  tp_wire_put_u64(&text, r->violated == TP_P_VALID_DEREF || r->violated == TP_P_VALID_FREE);
  for (size_t i = 0; is_open && i < r->n_assumptions; i++) {
    if (!tp_assumes_operation(r->assumptions[i])) continue;
    if (text.n + strlen(r->assumptions[i]) + sizeof(uint64_t) > sizeof to->text) break;
    tp_wire_put_text(&text, r->assumptions[i]);
  }
  if (text.n <= sizeof to->text) {
    memcpy(to->text, text.text, text.n);
    to->n = text.n;
  }
  tp_str_clear(&text);
  tp_str_clear(&position);
}

/* A process that ended before it left a finding left none. */
static void take_finding(finding *f, const struct tp_shared_finding *from, tp_arena *arena) {
  if (from->n == 0 || from->n > sizeof from->text) return;
  tp_wire_reader r = {from->text, from->text + from->n, false};
  f->operation = tp_wire_text(&r, arena);
  f->position = tp_wire_text(&r, arena);
  f->is_access = tp_wire_u64(&r) != 0;
  while (!r.bad && r.at < r.end) {
    const char *assumption = tp_wire_text(&r, arena);
    if (assumption) tp_vec_push(&f->open, assumption);
  }
  if (r.bad) f->open.n = 0, f->operation = f->position = NULL;
}

// -------------------------------------------------------------------- processes

/* A directory or file for each property. */
static void separate_outputs(tp_options *o, const char *property) {
  if (o->output[0]) {
    (void)mkdir(o->output, 0777);
    o->output = tp_arena_printf(&o->arena, "%s/%s", o->output, property);
    (void)mkdir(o->output, 0777);  // what is wrong with it is said by the check
  }
  if (o->stats[0]) o->stats = tp_arena_printf(&o->arena, "%s.%s", o->stats, property);
}

/* What the pipe holds now. */
static void drain(int pipe_end, tp_str *out) {
  char part[4096];
  for (;;) {
    const ssize_t n = read(pipe_end, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    tp_str_add_n(out, part, (size_t)n);
  }
}

/* Reads while the child runs: a full pipe would stop it. Whoever it leaves behind with the
 * pipe is not waited for. */
static int wait_for(pid_t pid, int pipe_end, tp_str *out) {
  int how = 0;
  for (;;) {
    struct pollfd wait = {.fd = pipe_end, .events = POLLIN};
    (void)poll(&wait, 1, TP_APP_ANSWER_MS);
    drain(pipe_end, out);
    const pid_t ended = waitpid(pid, &how, wait.revents & POLLHUP ? 0 : WNOHANG);
    if (ended < 0 && errno != EINTR) return TP_EXIT_INTERNAL;
    if (ended == pid) break;
  }
  drain(pipe_end, out);
  return WIFEXITED(how) ? WEXITSTATUS(how) : TP_EXIT_INTERNAL;
}

static void check_in_child(tp_options *o, const finding *f, int answer,
                           int (*check)(tp_options *o)) {
  if (dup2(answer, STDOUT_FILENO) < 0) {
    perror("twoproof: cannot redirect standard output");
    _exit(TP_EXIT_MISSING);
  }
  o->property = f->property;
  o->all = 0;
  separate_outputs(o, f->property);
  const int status = check(o);
  exit(fflush(stdout) == 0 ? status : TP_EXIT_OUTPUT);
}

static void check_one(tp_options *o, finding *f, int (*check)(tp_options *o)) {
  TP_REQUIRE(child == 0);  // one at a time: signals are passed on to it
  int ends[2] = {-1, -1};
  void *page =
      mmap(NULL, sizeof *o->finding, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) tp_out_of_memory(sizeof *o->finding);
  o->finding = page;
  fflush(NULL);
  const bool has_pipe = pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
  const pid_t us = getpid(), pid = has_pipe ? fork() : -1;
  if (pid == 0) {
    (void)setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != us) _exit(TP_EXIT_UNKNOWN);
    check_in_child(o, f, ends[1], check);
  }
  if (ends[1] >= 0) close(ends[1]);
  if (pid < 0) {
    perror("twoproof: cannot start a process");
    f->status = TP_EXIT_MISSING;
  } else {
    child = (sig_atomic_t)pid;
    f->status = wait_for(pid, ends[0], &f->answer);
    child = 0;
    take_finding(f, o->finding, &o->arena);
  }
  if (ends[0] >= 0) close(ends[0]);
  (void)munmap(page, sizeof *o->finding);
  o->finding = NULL;
}

// ---------------------------------------------------------------------- answers

/* Replaces the answer, and the file of statistics, by what the failure makes of them. */
static void refute(finding *f, bool is_json, const tp_refutation *by) {
  tp_str out = {0}, stats = {0};
  tp_open_operations_refute(tp_str_text(&f->answer), is_json, by, &out);
  tp_str_clear(&f->answer);
  f->answer = out;
  f->status = TP_EXIT_UNKNOWN;
  f->open.n = 0;
  if (!f->stats[0] || tp_read_file(f->stats, &stats) != TP_OK) return;
  out = (tp_str){0};
  tp_open_operations_refute(tp_str_text(&stats), true, by, &out);
  if (tp_write_file(f->stats, tp_str_text(&out), out.n) != TP_OK) f->status = TP_EXIT_OUTPUT;
  tp_str_clear(&out);
  tp_str_clear(&stats);
}

static void refute_with(finding *f, const finding *failure, bool is_json) {
  if (!failure->operation || !failure->position) return;
  const tp_refutation by = {failure->property, failure->operation, failure->position,
                            failure->is_access};
  for (size_t i = 0; i < f->open.n; i++) {
    if (!tp_refutes(&by, f->open.at[i])) continue;
    refute(f, is_json, &by);
    return;
  }
}

/* Prints answers in the order of the properties, up to the first that may still be refuted. */
static size_t print_answers(finding *all, size_t printed, size_t done, bool is_last, bool is_json) {
  for (; printed < done && (is_last || all[printed].open.n == 0); printed++) {
    const finding *f = &all[printed];
    if (is_json)  // an object for each property, which names it
      printf("%s", printed ? ",\n" : "");
    else
      printf("%sPROPERTY: %s\n", printed ? "\n" : "", f->property);
    if (f->answer.n || !is_json)
      fwrite(tp_str_text(&f->answer), 1, f->answer.n, stdout);
    else  // its process died without a word
      printf(
          "{\"property\": \"%s\", \"verdict\": \"unknown\", \"result\": \"unknown(no answer)\"}\n",
          f->property);
  }
  errno = 0;
  if (all[0].status != TP_EXIT_OUTPUT && (fflush(stdout) != 0 || ferror(stdout))) {
    fprintf(stderr, "twoproof: the result cannot be written to standard output%s%s\n",
            errno ? ": " : "", errno ? strerror(errno) : "");
    clearerr(stdout);
    all[0].status = TP_EXIT_OUTPUT;
  }
  return printed;
}

/* What the exit status says, as a word. */
static const char *verdict_of(int status) {
  switch (status) {
    case TP_EXIT_TRUE: return "true";
    case TP_EXIT_BOUNDED: return "bounded";
    case TP_EXIT_FALSE: return "false";
    default: return "unknown";
  }
}

/* All answers are one document, which is complete whatever ended the run. */
static void end_document(int status) {
  printf("], \"verdict\": \"%s\", \"status\": %d}\n", verdict_of(status), status);
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

static const char *names_of(tp_options *o, const char *const *properties, size_t n) {
  const char *names = "";
  for (size_t i = 0; i < n; i++)
    names = tp_arena_printf(&o->arena, "%s%s%s", names, i ? "," : "", properties[i]);
  return names;
}

int tp_several_check(tp_options *o, const char *const *properties, size_t n,
                     int (*check)(tp_options *o)) {
  TP_REQUIRE(o && n > 0 && check);
  static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction a = {.sa_handler = pass_on};
  for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
    sigaction(passed_on[i], &a, NULL);
  const bool is_json = strcmp(o->format, "json") == 0;
  if (!are_known(properties, n)) {
    if (is_json && o->all_functions) puts("null");  // within the document of all functions
    return TP_EXIT_USAGE;
  }
  if (is_json) fputs("{\"answers\": [\n", stdout);
  finding *all = TP_NEW_ARRAY(finding, n);
  size_t done = 0, printed = 0;
  o->others = names_of(o, properties, n);
  for (bool goes_on = true; done < n && goes_on && !is_interrupted; done++) {
    finding *f = &all[done];
    f->property = properties[done];
    f->stats = o->stats[0] ? tp_arena_printf(&o->arena, "%s.%s", o->stats, f->property) : "";
    check_one(o, f, check);
    for (size_t i = 0; i < done; i++) {
      refute_with(&all[i], f, is_json);
      refute_with(f, &all[i], is_json);
    }
    goes_on = f->status != TP_EXIT_USAGE;
    printed =
        print_answers(all, printed, done + 1, done + 1 == n || !goes_on || is_interrupted, is_json);
  }
  int worst = TP_EXIT_TRUE;
  for (size_t i = 0; i < done; i++) {
    worst = tp_several_worse(worst, all[i].status);
    tp_str_clear(&all[i].answer);
    tp_vec_clear(&all[i].open);
  }
  tp_free(all);
  if (is_interrupted) worst = tp_several_worse(worst, TP_EXIT_UNKNOWN);
  if (is_json) end_document(worst);
  return worst;
}
