/* Runs of a native replay.
 *
 * Both compilers build at the same time (native_build.c), then both programs run at the same time.
 * What counts as a confirmed failure depends on the property; everything else that a run can end
 * with is a "not", with the reason in words. */
#include "certify/runs/native_replay_priv.h"

#include "base/files.h"
#include "base/process.h"
#include "certify/runs/site.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

const char *tp_chk_native_outcome_name(tp_chk_native_outcome o) {
  switch (o) {
    case TP_CHK_NATIVE_CONFIRMED: return "confirmed";
    case TP_CHK_NATIVE_NOT: return "not confirmed";
    case TP_CHK_NATIVE_NO_BUILD: return "could not build";
    case TP_CHK_NATIVE_STOPPED: return "stopped";
  }
  return "?";
}

typedef tp_chk_native_job job;

// ------------------------------------------------------------------------ runs

/* The addresses of a report are looked up by us, and it must not go elsewhere. */
static const char log_options[] = ":symbolize=0:log_path=stderr";

/* The line behind `mark` in the run's messages, without the mark. */
static void quote_line(const tp_process *p, const char *mark, tp_str *out) {
  const char *at = strstr(tp_str_text(&p->err), mark);
  if (!at) return;
  at += strlen(mark);
  size_t n = strcspn(at, "\n");
  tp_str_add(out, out->n ? ", " : "");
  tp_str_add_n(out, at, n > 120 ? 120 : n);
}

static void judge(job *j, int compiler, const tp_process *p) {
  TP_REQUIRE(j->report->by[compiler].outcome == TP_CHK_NATIVE_NOT);  // built
  tp_chk_native_result *result = &j->report->by[compiler];
  bool shown = tp_chk_native_shows(j, p),
       same = shown && tp_chk_site_matches(j, compiler, p, &result->detail);
  result->outcome = p->end == TP_PROCESS_STOPPED ? TP_CHK_NATIVE_STOPPED
                    : same                       ? TP_CHK_NATIVE_CONFIRMED
                                                 : TP_CHK_NATIVE_NOT;
  static const char report[] = "ERROR: AddressSanitizer: ";
  const char *messages = tp_str_text(&p->err), *error = strstr(messages, report);
  if (compiler == TP_CHK_NATIVE_CLANG && error) {
    error += sizeof report - 1;
    j->uses_returned = result->outcome == TP_CHK_NATIVE_CONFIRMED &&
                       strncmp(error, "stack-use-after-return", 22) == 0;
    j->report->uses_ended_block = strncmp(error, "stack-use-after-scope", 21) == 0;
  }
  if (!shown) tp_process_print_end(p, &result->detail);
  if (p->end == TP_PROCESS_TIMED_OUT) tp_str_printf(&result->detail, " after %.1f s", p->wall_s);
  quote_line(p, shown ? "twoproof: violated: " : "twoproof: ", &result->detail);
  quote_line(p, "runtime error: ", &result->detail);
  quote_line(p, "ERROR: AddressSanitizer: ", &result->detail);
  quote_line(p, "WARNING: MemorySanitizer: ", &result->detail);
  if (p->end == TP_PROCESS_SIGNALLED && p->code == 31)
    tp_str_add(&result->detail, ", forbidden by the sandbox");
}

const char **tp_chk_native_environment(job *j, int compiler) {
  TP_REQUIRE(compiler >= 0 && compiler < TP_CHK_N_NATIVE && j->program[compiler]);
  static const char *const names[] = {
      "reach_error", "__VERIFIER_error"};  // error() with a body is an ordinary function
  tp_str addresses = {0};
  const char **env = tp_arena_array(&j->arena, const char *, 7);
  if (tp_chk_elf_functions(j->program[compiler], names, 2, &addresses) != TP_OK)
    tp_str_clear(&addresses);
  env[0] = tp_arena_printf(&j->arena, "TWOPROOF_ERROR_FUNCTIONS=%s", tp_str_text(&addresses));
  env[1] = tp_arena_printf(&j->arena, "ASAN_OPTIONS=%s%s", tp_chk_sanitizer_options, log_options);
  env[2] = tp_arena_printf(&j->arena, "UBSAN_OPTIONS=%s%s", tp_chk_sanitizer_options, log_options);
  env[3] = tp_arena_printf(&j->arena, "MSAN_OPTIONS=%s%s", tp_chk_sanitizer_options, log_options);
  env[4] = j->r->zeroes_indeterminate ? "MALLOC_PERTURB_=255" : "LC_ALL=C";  // 255: new memory is 0
  tp_str_clear(&addresses);
  return env;
}

tp_process_spec tp_chk_native_run(const job *j, int compiler, const char *const *arguments,
                                  const char *const *environment, double default_cpu_s) {
  TP_REQUIRE(j->program[compiler] && j->cage && arguments && environment);
  const double cpu_s = j->r->cpu_s > 0 ? j->r->cpu_s : default_cpu_s;
  return (tp_process_spec){.program = j->program[compiler],
                           .argv = arguments,
                           .env = environment,
                           .directory = j->cage,
                           .out = TP_STDIO_DISCARD,
                           .sandbox = TP_SANDBOX_STRICT,
                           .limits = {.cpu_s = cpu_s,
                                      .wall_s = j->r->wall_s > 0 ? j->r->wall_s : 4 * cpu_s + 5,
                                      .resident_bytes = 2048u << 20,
                                      .stack_bytes = 256u << 20,
                                      .file_bytes = 1,
                                      .output_bytes = 1 << 20}};
}

static void run_all(job *j) {
  const char **arguments = NULL;
  size_t n_arguments = 0, n = 0;
  bool can_call = tp_chk_harness_arguments(j->r, &j->arena, &arguments, &n_arguments);
  tp_process processes[TP_CHK_N_NATIVE], *running[TP_CHK_N_NATIVE];
  bool started[TP_CHK_N_NATIVE] = {false};
  for (int c = 0; c < TP_CHK_N_NATIVE; c++) {
    if (j->report->by[c].outcome != TP_CHK_NATIVE_NOT) continue;
    if (!can_call) {
      tp_str_add(&j->report->by[c].detail, "a process cannot be given this argument count");
      continue;
    }
    if (c == TP_CHK_NATIVE_CLANG) tp_chk_script_run(j, arguments);
    const char **environment = tp_chk_native_environment(j, c);
    tp_process_spec spec = tp_chk_native_run(j, c, arguments, environment, 10);
    started[c] = tp_process_start(&processes[c], spec) == TP_OK;
    if (started[c]) running[n++] = &processes[c];
  }
  while (tp_process_step(running, n, -1) > 0) {
  }
  for (int c = 0; c < TP_CHK_N_NATIVE; c++) {
    if (!started[c]) continue;
    judge(j, c, &processes[c]);
    j->report->reached_limit |= tp_process_hit_limit(&processes[c]);
    tp_process_clear(&processes[c]);
  }
}

/* The failure rests on the address of a local variable that was returned: gcc may have made it
 * null. */
static void ask_gcc_again(job *j) {
  tp_chk_native_result *gcc = &j->report->by[TP_CHK_NATIVE_GCC], first = *gcc;
  if (!tp_chk_keep_returned_addresses(j)) return;
  *gcc = (tp_chk_native_result){0};
  tp_chk_native_build_again(j);
  run_all(j);
  if (gcc->outcome == TP_CHK_NATIVE_CONFIRMED) {
    tp_str_clear(&first.detail);
    return;
  }
  tp_str_clear(&gcc->detail);
  *gcc = first;
  tp_str_clear(&j->report->returned);
}

// ----------------------------------------------------------------- preparation

/* A copy of source i in which the label is marked. */
static tp_status mark_labels(job *j, size_t i, const char *label) {
  tp_str text = {0}, marked = {0};
  TP_TRY(tp_read_file(j->r->files[i], &text));
  tp_status st = TP_OK;
  if (tp_chk_mark_label(tp_str_text(&text), label, "tp_violated(\"label\")", &marked) > 0)
    st = tp_chk_native_copy_source(j, i, "int tp_violated(const char *);", tp_str_text(&marked));
  tp_str_clear(&text);
  tp_str_clear(&marked);
  return st;
}

static bool asks_environment(const tp_inputs *inputs) {
  for (size_t i = 0; i < inputs->v.n; i++)
    if (inputs->v.at[i].kind == TP_I_ENVIRONMENT) return true;
  return false;
}

/* A call that the sandbox of native runs would end, and that asks for nothing: syslog() writes to a
 * socket. */
static bool calls_forbidden(const tp_program *p) {
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].is_model && strcmp(p->funcs.at[i].name, "syslog") == 0) return true;
  return false;
}

/* No sanitizer sees what the C library's own functions for wide characters access; the models,
 * which are compiled with the program, are watched. */
static bool calls_unwatched(const tp_chk_native_request *r) {
  const tp_program *p = r->program;
  for (size_t i = 1; i < p->funcs.n && r->violated == TP_P_VALID_DEREF; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (!f->is_model) continue;
    const char *path = tp_diag_path(p->diag, f->pos.file), *slash = strrchr(path, '/');
    if (strcmp(slash ? slash + 1 : path, "wchar.c") == 0) return true;
  }
  return false;
}

static tp_status make_directory(job *j, const char **out) {
  tp_str path = {0};
  TP_TRY(tp_temp_dir(&path));
  *out = tp_arena_strdup(&j->arena, path.text);
  tp_str_clear(&path);
  return TP_OK;
}

tp_status tp_chk_native_prepare(job *j) {
  tp_chk_native_request *r = j->r;
  TP_REQUIRE(r->program && r->inputs && !j->dir);
  TP_TRY(make_directory(j, &j->dir));
  TP_TRY(make_directory(j, &j->cage));
  j->harness = tp_arena_printf(&j->arena, "%s/harness.c", j->dir);
  for (int c = 0; c < TP_CHK_N_NATIVE; c++)
    j->program[c] = tp_arena_printf(&j->arena, "%s/program-%s", j->dir, tp_chk_native_compilers[c]);
  j->sources = tp_arena_array(&j->arena, const char *, r->n_files + 1);
  for (size_t i = 0; i < r->n_options; i++) tp_vec_push(&j->options, r->options[i]);
  const char *label = r->error.id ? tp_loc_of(r->program, r->error)->label : NULL;
  for (size_t i = 0; i < r->n_files; i++) {
    j->sources[i] = tp_intake_compiled(r->files[i]);
    if (tp_intake_directory(r->files[i])) {
      tp_vec_push(&j->options, "-iquote");
      tp_vec_push(&j->options, tp_intake_directory(r->files[i]));
    }
    if (label && r->violated == TP_P_UNREACH_CALL) TP_TRY(mark_labels(j, i, label));
  }
  r->real_library = tp_chk_native_needs_library(r);
  const bool is_of_unset_values = tp_chk_detector_of(r)->is_of_unset_values;
  if (is_of_unset_values)
    r->zeroes_indeterminate = r->fills_indeterminate = false;  // what is filled is no longer unset
  if (r->is_random || r->real_library || is_of_unset_values ||
      !(asks_environment(r->inputs) || calls_forbidden(r->program) || calls_unwatched(r)))
    r->n_models = 0;
  TP_TRY(tp_chk_native_models_prepare(j));
  r->options = j->options.at;
  r->n_options = j->options.n;
  tp_chk_harness_write(r, j->report);
  if (r->violated == TP_P_VALID_DEREF) {
    j->fence = tp_arena_printf(&j->arena, "%s/fence.c", j->dir);
    TP_TRY(tp_write_file(j->fence, tp_chk_native_fence, strlen(tp_chk_native_fence)));
  }
  return tp_write_file(j->harness, tp_str_text(&j->report->harness), j->report->harness.n);
}

void tp_chk_native_job_clear(job *j) {
  const int saved = errno;  // says why there could be no directory or file
  if (j->dir) tp_remove_tree(j->dir);
  if (j->cage) tp_remove_tree(j->cage);
  tp_vec_clear(&j->options);
  tp_vec_clear(&j->renames);
  tp_arena_clear(&j->arena);
  errno = saved;
}

tp_status tp_chk_native_replay(const tp_chk_native_request *request, tp_chk_native_report *report) {
  TP_REQUIRE(!request->is_random);
  tp_chk_native_request r = *request;
  job j = {.r = &r, .report = report};
  report->storage = r.storage;
  tp_status st = tp_chk_native_prepare(&j);
  if (st == TP_OK) {
    tp_chk_native_build(&j);
    run_all(&j);
    if (j.uses_returned && report->by[TP_CHK_NATIVE_GCC].outcome == TP_CHK_NATIVE_NOT)
      ask_gcc_again(&j);
    if (tp_process_interrupted()) st = TP_ERR_LIMIT;
  }
  tp_chk_native_job_clear(&j);
  return st;
}

void tp_chk_native_report_clear(tp_chk_native_report *r) {
  for (int c = 0; c < TP_CHK_N_NATIVE; c++) tp_str_clear(&r->by[c].detail);
  tp_str_clear(&r->harness);
  tp_str_clear(&r->script);
  tp_str_clear(&r->returned);
}

// -------------------------------------------------------------------- decision

/* In what the builds that have confirmed the failure differ from the user's. */
static void print_differences(const tp_chk_native_report *report, tp_str *why) {
  if (report->storage == TP_CHK_STORAGE_OF_FRAMES)
    tp_str_add(why,
               ", where variables live until their function returns: before that the run uses one "
               "behind its block, which valid-deref reports");
  if (report->storage == TP_CHK_STORAGE_ALIGNED)
    tp_str_add(why, ", in which every object is aligned to 16 bytes at least");
  if (report->returned.n)
    tp_str_printf(why,
                  "; gcc makes the address of a local variable null that %s returns, unless "
                  "another operator is in front of it, as in this build",
                  tp_str_text(&report->returned));
}

bool tp_chk_native_stands(const tp_chk_native_report *report, tp_property violated,
                          const char *order, tp_str *why) {
  TP_REQUIRE(violated != TP_P_NONE && violated < TP_N_PROPERTIES);
  const tp_chk_native_result *clang = &report->by[TP_CHK_NATIVE_CLANG],
                             *gcc = &report->by[TP_CHK_NATIVE_GCC];
  if (clang->outcome != TP_CHK_NATIVE_CONFIRMED) {
    tp_str_printf(why, "failure not confirmed on the compiled program (clang: %s%s%s)%s",
                  tp_chk_native_outcome_name(clang->outcome), clang->detail.n ? ", " : "",
                  tp_str_text(&clang->detail),
                  report->n_unfed && !report->reached_limit
                      ? "; it depends on values that a compiled program cannot be given"
                      : "");
    return false;
  }
  switch (gcc->outcome) {
    case TP_CHK_NATIVE_CONFIRMED:
      tp_str_add(why, "confirmed on the builds of clang and gcc");
      print_differences(report, why);
      return true;
    case TP_CHK_NATIVE_NO_BUILD:
      tp_str_add(why, "confirmed on the build of clang");
      print_differences(report, why);
      tp_str_printf(why, "; gcc could not be asked (%s)", tp_str_text(&gcc->detail));
      return true;
    case TP_CHK_NATIVE_STOPPED:
    case TP_CHK_NATIVE_NOT: break;
  }
  if (order && gcc->outcome == TP_CHK_NATIVE_NOT) {
    tp_str_printf(why,
                  "confirmed on the build of clang; gcc differs (%s) because C leaves the order of "
                  "evaluation open at %s",
                  tp_str_text(&gcc->detail), order);
    return true;
  }
  if (gcc->outcome == TP_CHK_NATIVE_NOT &&
      (violated == TP_P_NO_OVERFLOW || violated == TP_P_UNDEFINED)) {
    tp_str_printf(why, "confirmed on the build of clang; gcc's build does not show it (%s)",
                  tp_str_text(&gcc->detail));
    return true;
  }
  tp_str_printf(why,
                "clang's build fails, gcc's does not (%s), and no unspecified order of evaluation "
                "explains it",
                tp_str_text(&gcc->detail));
  return false;
}
