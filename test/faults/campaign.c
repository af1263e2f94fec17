#include "campaign.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const double MOST_WALL_S = 60;

const char *const tp_outcome_names[TP_N_OUTCOMES] = {"right", "unknown", "died", "wrong", "crash", "hang", "left over", "lost"};

// --------------------------------------------------------------------- folders

static bool is_empty_folder(const char *path) {
  DIR *d = opendir(path);
  size_t n = 0;
  while (d && readdir(d)) n++;
  if (d) closedir(d);
  return d && n == 2;
}

static void renew_folder(const char *path) {
  tp_remove_tree(path);
  if (mkdir(path, 0700) != 0) abort();
}

static bool has_evidence(const char *folder, const char *file, const char *reference) {
  tp_str path = {0}, text = {0}, other = {0};
  tp_str_printf(&path, "%s/%s", folder, file);
  bool ok = tp_read_file(path.text, &text) == TP_OK && text.n > 0 && text.text[text.n - 1] == '\n';
  if (ok && reference) {                                 // the run is reproducible, so is the file
    tp_str_clear(&path);
    tp_str_printf(&path, "%s/%s", reference, file);
    ok = tp_read_file(path.text, &other) == TP_OK && other.n == text.n && memcmp(other.text, text.text, text.n) == 0;
  }
  tp_str_clear(&path);
  tp_str_clear(&text);
  tp_str_clear(&other);
  return ok;
}

// ------------------------------------------------------------------------ runs

/* Nobody may be left; who is about to end gets a moment. */
static bool is_childless(void) {
  for (int i = 0; i < 1000; i++) {
    pid_t p = waitpid(-1, NULL, WNOHANG);
    if (p < 0) return errno == ECHILD;
    if (p == 0) usleep(1000);
  }
  return false;
}

/* The text behind the last "RESULT: "; NULL: there is not exactly one. */
static const char *result_of(const char *out) {
  static const char mark[] = "RESULT: ";
  const char *first = strstr(out, mark);
  if (!first || strstr(first + 1, mark) || (first != out && first[-1] != '\n')) return NULL;
  const char *end = strchr(first, '\n');
  return end && !end[1] ? first + sizeof mark - 1 : NULL;
}

static bool has_action(const tp_fault *faults, size_t n, tp_fault_action action) {
  bool found = false;
  for (size_t i = 0; i < n; i++) found |= faults[i].action == action;
  return found;
}

/* Signals that a fault sends are no surprise; SIGSEGV is nobody's but the tool's own, which it calls an internal error. */
static bool is_signal(const char *text) { return strstr(text, "failed: signal") != NULL; }

static bool speaks_of_crash(const char *text, const tp_fault *faults, size_t n) {
  const bool faulted = has_action(faults, n, TP_FAULT_ACTION_SEGV), is_sent = faulted || has_action(faults, n, TP_FAULT_ACTION_KILL);
  return strstr(text, "invariant violated") || (!faulted && strstr(text, "internal error")) || (!is_sent && is_signal(text));
}

/* Statuses that go with UNKNOWN (app/exit.h). */
static bool is_status_of_unknown(int status, bool faulted) { return status == 5 || status == 6 || status == 69 || status == 74 || (faulted && status == 70); }

static tp_outcome judge(const tp_campaign *c, const tp_trial *t, const tp_process *p, const tp_fault *faults, size_t n) {
  const char *result = result_of(tp_str_text(&p->out));
  if (p->end == TP_PROCESS_TIMED_OUT) return TP_OUTCOME_HANG;
  // whoever kills the process that was started gets no answer from it
  if (p->end == TP_PROCESS_SIGNALLED && !result && (has_action(faults, n, TP_FAULT_ACTION_KILL) || has_action(faults, n, TP_FAULT_ACTION_SEGV))) return TP_OUTCOME_UNKNOWN;
  // options that name what cannot be written
  if (p->end == TP_PROCESS_EXITED && p->code == 64 && strstr(tp_str_text(&p->err), "twoproof: cannot write ")) return TP_OUTCOME_UNKNOWN;
  if (p->end != TP_PROCESS_EXITED || !result) return TP_OUTCOME_CRASH;
  if (p->code == 5 && n > 0 && faults[0].event == TP_FAULT_EVENT_MALLOC && is_signal(result)) return TP_OUTCOME_DIED;
  if (speaks_of_crash(tp_str_text(&p->out), faults, n) || speaks_of_crash(tp_str_text(&p->err), faults, n)) return TP_OUTCOME_CRASH;
  bool says_true = strcmp(result, "true\n") == 0, says_false = strncmp(result, "false(", 6) == 0;
  if (!says_true && !says_false) return is_status_of_unknown(p->code, has_action(faults, n, TP_FAULT_ACTION_SEGV)) ? TP_OUTCOME_UNKNOWN : TP_OUTCOME_CRASH;
  if (p->code != (says_true ? 0 : 10)) return TP_OUTCOME_CRASH;
  if (says_true != t->is_safe) return TP_OUTCOME_WRONG;
  if (t->has_no_evidence) return TP_OUTCOME_RIGHT;
  // without memory a solver may give another model; a full disk changes nothing of the search
  const char *reference = n > 0 && faults[0].event == TP_FAULT_EVENT_WRITE ? t->reference : NULL;
  static const char *const of_true[] = {"certificate.txt", NULL}, *const of_false[] = {"inputs.txt", "test.xml", "harness.c", "path.txt", NULL};
  for (const char *const *file = says_true ? of_true : of_false; *file; file++)
    if (!has_evidence(c->output.text, *file, reference)) return TP_OUTCOME_LOST;
  if (t->has_statistics && !has_evidence(c->output.text, "stats.json", NULL)) return TP_OUTCOME_LOST;
  return TP_OUTCOME_RIGHT;
}

tp_outcome tp_campaign_run(tp_campaign *c, const tp_trial *t, const tp_fault *faults, size_t n_faults, tp_str *said) {
  tp_process p;
  renew_folder(c->output.text);
  memset(c->page, 0, sizeof *c->page);
  for (int i = 0; i < TP_MOST_FAULTS; i++) c->page->at[i].event = TP_N_FAULT_EVENTS;
  for (size_t i = 0; i < n_faults; i++) c->page->at[i] = faults[i];
  tp_process_spec spec = t->spec;
  spec.out = spec.err = TP_STDIO_CAPTURE;
  if (spec.limits.wall_s <= 0) spec.limits.wall_s = MOST_WALL_S;
  tp_outcome outcome = TP_OUTCOME_CRASH;
  if (tp_process_run(&p, spec) == TP_OK) outcome = judge(c, t, &p, faults, n_faults);
  if (said) tp_str_printf(said, "%s%s", tp_str_text(&p.out), tp_str_text(&p.err));
  bool is_clean = is_childless() && is_empty_folder(c->tmp.text);
  if (!is_clean) {
    tp_process_kill_descendants();
    renew_folder(c->tmp.text);
    if (outcome < TP_OUTCOME_WRONG) outcome = TP_OUTCOME_LEFT_OVER;
  }
  tp_process_clear(&p);
  return outcome;
}

uint64_t tp_campaign_count(tp_campaign *c, const tp_trial *t, tp_fault fault) {
  fault.at = 0;
  tp_campaign_run(c, t, &fault, 1, NULL);
  return c->page->at[0].seen;
}

// ---------------------------------------------------------------------- sweeps

static tp_tally *row_of(tp_campaign *c, const char *kind) {
  for (size_t i = 0; i < c->rows.n; i++)
    if (strcmp(c->rows.at[i].kind, kind) == 0) return &c->rows.at[i].tally;
  tp_vec_push(&c->rows, (tp_campaign_row){.kind = kind});
  return &tp_vec_last(&c->rows).tally;
}

static void add(tp_tally *to, const tp_tally *more) {
  to->runs += more->runs;
  to->struck += more->struck;
  for (int i = 0; i < TP_N_OUTCOMES; i++) to->by[i] += more->by[i];
}

static void put_tally(const tp_tally *t, tp_str *out) {
  tp_str_printf(out, "\t%llu %llu", (unsigned long long)t->runs, (unsigned long long)t->struck);
  for (int i = 0; i < TP_N_OUTCOMES; i++) tp_str_printf(out, " %llu", (unsigned long long)t->by[i]);
}

/* A line "KEY\tTALLY" of an earlier campaign. */
static bool was_done(const tp_campaign *c, const char *key, tp_tally *out) {
  size_t n = strlen(key);
  for (size_t i = 0; i < c->done.n; i++) {
    const char *at = c->done.at[i];
    if (strncmp(at, key, n) != 0 || at[n] != '\t') continue;
    char *end = (char *)(uintptr_t)(at + n);
    out->runs = strtoull(end, &end, 10);
    out->struck = strtoull(end, &end, 10);
    for (int k = 0; k < TP_N_OUTCOMES; k++) out->by[k] = strtoull(end, &end, 10);
    return true;
  }
  return false;
}

static void keep(tp_campaign *c, const char *key, const tp_tally *t) {
  if (!c->progress) return;
  tp_str line = {0};
  tp_str_add(&line, key);
  put_tally(t, &line);
  fprintf(c->progress, "%s\n", line.text);
  fflush(c->progress);
  tp_str_clear(&line);
}

static void report(const char *kind, const char *name, const tp_fault *f, tp_outcome outcome, const tp_str *said) {
  printf("%s: %s: %s, number %llu%s in phase '%s'\n%s\n", tp_outcome_names[outcome], kind, name, (unsigned long long)f->at, f->is_lasting ? " and later" : "",
         f->phase, tp_str_text(said));
  fflush(stdout);
}

/* Numbers lo to hi of the sweep, in steps. */
static tp_tally run_part(tp_campaign *c, const char *kind, const char *name, const tp_trial *t, tp_fault fault, const tp_fault *before, const uint64_t part[3]) {
  tp_tally tally = {0};
  for (uint64_t at = part[0]; at <= part[1]; at += part[2]) {
    tp_str said = {0};
    fault.at = at;
    tp_fault both[2] = {fault, before ? *before : fault};
    tp_outcome outcome = tp_campaign_run(c, t, both, before ? 2 : 1, &said);
    tally.runs++;
    tally.struck += c->page->at[0].struck > 0;
    tally.by[outcome]++;
    if (outcome >= TP_OUTCOME_WRONG) report(kind, name, &fault, outcome, &said);
    tp_str_clear(&said);
  }
  return tally;
}

tp_tally tp_campaign_sweep(tp_campaign *c, const char *kind, const char *name, const tp_trial *t, tp_fault fault, const tp_fault *before, uint64_t most) {
  enum { RUNS_PER_PART = 500 };
  tp_tally whole = {0};
  tp_fault count[2] = {fault, before ? *before : fault};
  count[0].at = 0;
  tp_campaign_run(c, t, count, before ? 2 : 1, NULL);
  uint64_t n = c->page->at[0].seen, step = most && n > most ? (n + most - 1) / most : 1;
  for (uint64_t lo = 1; lo <= n; lo += step * RUNS_PER_PART) {
    if (c->until_s > 0 && tp_wall_s() > c->until_s) break;
    tp_tally part = {0};
    tp_str key = {0};
    const uint64_t hi = lo + step * RUNS_PER_PART - 1;
    tp_str_printf(&key, "%s, %s, %d:%d%s@%s, %llu/%llu", kind, name, fault.event, fault.action, fault.is_lasting ? "+" : "", fault.phase, (unsigned long long)lo, (unsigned long long)step);
    if (!was_done(c, key.text, &part)) {
      part = run_part(c, kind, name, t, fault, before, (const uint64_t[]){lo, hi < n ? hi : n, step});
      keep(c, key.text, &part);
    }
    tp_str_clear(&key);
    add(&whole, &part);
  }
  add(row_of(c, kind), &whole);
  for (int i = TP_OUTCOME_WRONG; i < TP_N_OUTCOMES; i++) c->failures += whole.by[i];
  return whole;
}

// -------------------------------------------------------------------- campaign

static void read_progress(tp_campaign *c, const char *path) {
  tp_str text = {0};
  if (tp_read_file(path, &text) == TP_OK)
    for (char *at = text.text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
      tp_str line = {0};
      tp_str_add_n(&line, at, (size_t)(end - at));
      tp_vec_push(&c->done, line.text);
    }
  tp_str_clear(&text);
  c->progress = fopen(path, "a");
}

void tp_campaign_init(tp_campaign *c, const char *progress, double until_s) {
  *c = (tp_campaign){.until_s = until_s};
  char folder[] = "/tmp/twoproof-faults-XXXXXX";         // not below the root of this process, which runs would take for their own
  if (!mkdtemp(folder)) abort();
  tp_str_add(&c->folder, folder);
  tp_str_printf(&c->tmp, "%s/tmp", c->folder.text);
  tp_str_printf(&c->output, "%s/output", c->folder.text);
  renew_folder(c->tmp.text);
  setenv("TMPDIR", c->tmp.text, 1);
  tp_str file = {0};
  tp_str_printf(&file, "%s/faults", c->folder.text);
  c->page = tp_faults_share(file.text);
  tp_faults_shared = NULL;
  setenv("TWOPROOF_FAULT_FILE", file.text, 1);
  if (!c->page) abort();
  tp_str_clear(&file);
  if (progress) read_progress(c, progress);
  tp_str_add(&c->path, getenv("PATH"));
  tp_process_adopt_orphans();
}

void tp_campaign_remember_builds(const tp_campaign *c) {
  static const char *const names[] = {"clang-19", "gcc"};
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  char *slash = strrchr(self, '/');
  tp_str path = {0}, program = {0};
  if (slash) *slash = 0;
  tp_str_printf(&program, "%s/compiler", self);
  for (int i = 0; i < 2; i++) {
    tp_str link = {0};
    tp_str_printf(&link, "%s/%s", c->folder.text, names[i]);
    if (symlink(program.text, link.text) != 0) abort();
    tp_str_clear(&link);
  }
  tp_str_printf(&path, "%s:%s", c->folder.text, getenv("PATH"));
  setenv("PATH", path.text, 1);
  setenv("TP_COMPILED", c->folder.text, 1);
  tp_str_clear(&path);
  tp_str_clear(&program);
}

void tp_campaign_print(const tp_campaign *c) {
  printf("%-44s %8s %8s", "fault", "runs", "struck");
  for (int i = 0; i < TP_N_OUTCOMES; i++) printf(" %9s", tp_outcome_names[i]);
  tp_tally sum = {0};
  for (size_t i = 0; i <= c->rows.n; i++) {
    const tp_tally *t = i < c->rows.n ? &c->rows.at[i].tally : &sum;
    printf("\n%-44s %8llu %8llu", i < c->rows.n ? c->rows.at[i].kind : "sum", (unsigned long long)t->runs, (unsigned long long)t->struck);
    for (int k = 0; k < TP_N_OUTCOMES; k++) printf(" %9llu", (unsigned long long)t->by[k]);
    add(&sum, t);
  }
  printf("\n");
  fflush(stdout);
}

void tp_campaign_clear(tp_campaign *c) {
  if (c->progress) fclose(c->progress);
  for (size_t i = 0; i < c->done.n; i++) tp_free(c->done.at[i]);
  tp_vec_clear(&c->done);
  tp_vec_clear(&c->rows);
  setenv("PATH", tp_str_text(&c->path), 1);
  tp_remove_tree(c->folder.text);
  tp_str_clear(&c->path);
  tp_str_clear(&c->folder);
  tp_str_clear(&c->tmp);
  tp_str_clear(&c->output);
}
