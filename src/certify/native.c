/* Builds and runs of a native replay.
 *
 * Both compilers build at the same time, then both programs run at the same time. A build that
 * fails is tried again with what old dialects need, a few steps up a fixed ladder. What counts as a
 * confirmed failure depends on the property; everything else that a run can end with is a
 * "not", with the reason in words. */
#include "certify/native_priv.h"

#include "base/process.h"

#include <stdio.h>
#include <unistd.h>

typedef tp_native_args arg_list;

const char *const tp_native_compilers[TP_N_NATIVE] = {"clang-19", "gcc"};

const char *tp_native_outcome_name(tp_native_outcome o) {
  switch (o) {
    case TP_NATIVE_CONFIRMED: return "confirmed";
    case TP_NATIVE_NOT: return "not confirmed";
    case TP_NATIVE_NO_BUILD: return "could not build";
    case TP_NATIVE_STOPPED: return "stopped";
  }
  return "?";
}

typedef tp_native_job job;

// ---------------------------------------------------------------------- builds

/* What to add to the command line when the rungs below failed: C99 inline functions without extern;
 * references that only dead code makes; old dialects; preprocessed headers of newer compilers. */
#define IGNORE "-Wl,--unresolved-symbols=ignore-all"
static const char *const rungs[][5] = {
    {NULL},
    {"-fgnu89-inline", NULL},
    {"-fgnu89-inline", IGNORE, NULL},
    {"-std=gnu89", IGNORE, NULL},
    {"-x", "c", "-D__malloc__(...)=__malloc__", IGNORE, NULL},
};
enum { N_RUNGS = sizeof rungs / sizeof *rungs };

/* Library functions that compilers expand in place even if the program defines them. */
static const char *const expanded[] = {
    "abs", "labs", "llabs", "fabs", "fabsf", "floor", "ceil", "fmax", "fmin", "memcpy", "memset", "memmove", "memcmp",
    "memchr", "strlen", "strcpy", "strncpy", "strcmp", "strncmp", "strcat", "strncat", "strchr", "strrchr", "strstr",
    "printf", "puts", "putchar", "malloc", "calloc", "free", "isdigit", "isalpha", "toupper", "tolower", "index"};

static void add_sanitizer(const job *j, int compiler, arg_list *args) {
  switch (j->r->violated) {
    case TP_P_VALID_DEREF:
    case TP_P_VALID_FREE:
      tp_vec_push(args, "-fsanitize=address");
      tp_vec_push(args, "-fsanitize-address-use-after-scope");
      return;
    case TP_P_NO_OVERFLOW:
      tp_vec_push(args, compiler == TP_NATIVE_GCC ? "-fsanitize=signed-integer-overflow,integer-divide-by-zero"
                                                  : "-fsanitize=signed-integer-overflow");
      break;
    case TP_P_UNDEFINED: tp_vec_push(args, "-fsanitize=undefined,float-cast-overflow,float-divide-by-zero"); break;
    case TP_P_NONE:
    case TP_P_UNREACH_CALL:
    case TP_P_VALID_MEMTRACK:
    case TP_P_VALID_MEMCLEANUP:
    case TP_P_VALID_MEMSAFETY:
    case TP_N_PROPERTIES: tp_vec_push(args, "-fwrapv"); return;
  }
  tp_vec_push(args, "-fno-sanitize-recover=all");
}

static void add_own_functions(const job *j, arg_list *args) {
  const tp_program *p = j->r->program;
  for (size_t i = 1; i < p->funcs.n; i++)
    for (size_t k = 0; p->funcs.at[i].has_body && !p->funcs.at[i].is_model && k < sizeof expanded / sizeof *expanded; k++)
      if (strcmp(p->funcs.at[i].name, expanded[k]) == 0) {
        char option[64];
        snprintf(option, sizeof option, "-fno-builtin-%s", expanded[k]);
        tp_vec_push(args, tp_arena_strdup((tp_arena *)(uintptr_t)&j->arena, option));
      }
}

static void build_command(const job *j, int compiler, int rung, arg_list *args) {
  static const char *const common[] = {
      "-O0", "-std=gnu17", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-ffp-contract=off",
      "-finstrument-functions", "-fno-pie", "-no-pie", "-w"};
  static const char *const clang_only[] = {"-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
                                           "-Wno-incompatible-function-pointer-types", "-Wno-return-mismatch",
                                           "-fbracket-depth=8192"};
  static const char *const ilp32[] = {"-m32", "-msse2", "-mfpmath=sse"};
  tp_vec_push(args, tp_native_compilers[compiler]);
  for (size_t i = 0; i < sizeof common / sizeof *common; i++) tp_vec_push(args, common[i]);
  for (size_t i = 0; compiler == TP_NATIVE_CLANG && i < sizeof clang_only / sizeof *clang_only; i++)
    tp_vec_push(args, clang_only[i]);
  for (size_t i = 0; i < 3 && j->r->program->ptr_bits == 32; i++) tp_vec_push(args, ilp32[i]);
  add_sanitizer(j, compiler, args);
  add_own_functions(j, args);
  for (size_t i = 0; i < j->r->n_options; i++) tp_vec_push(args, j->r->options[i]);
  for (size_t i = 0; rungs[rung][i]; i++) tp_vec_push(args, rungs[rung][i]);
  for (size_t i = 0; i < j->r->n_files; i++) tp_vec_push(args, j->sources[i]);
  tp_vec_push(args, "-x");
  tp_vec_push(args, "c");
  tp_vec_push(args, j->harness);
  if (j->r->n_models > 0) tp_vec_push(args, "-Wl,-z,muldefs");  // the program's own functions come first
  for (size_t i = 0; i < j->r->n_models; i++) tp_vec_push(args, j->r->models[i]);
  tp_vec_push(args, "-lm");
  tp_vec_push(args, "-o");
  tp_vec_push(args, j->program[compiler]);
  tp_vec_push(args, NULL);
}

/* First line of the compiler's messages that says "error". */
static void first_error(const tp_process *p, tp_str *out) {
  const char *text = tp_str_text(&p->err), *at = strstr(text, "error");
  if (!at) at = strstr(text, "undefined");
  if (!at) at = text;
  while (at > text && at[-1] != '\n') at--;
  size_t n = strcspn(at, "\n");
  if (n == 0) tp_process_print_end(p, out);
  tp_str_add_n(out, at, n > 160 ? 160 : n);
}

void tp_native_build(job *j) {
  bool pending[TP_N_NATIVE] = {true, !j->r->is_random};
  for (int rung = 0; rung < N_RUNGS && (pending[0] || pending[1]); rung++) {
    tp_process processes[TP_N_NATIVE], *running[TP_N_NATIVE];
    arg_list args[TP_N_NATIVE] = {{0}};
    size_t n = 0;
    for (int c = 0; c < TP_N_NATIVE; c++) {
      if (!pending[c]) continue;
      build_command(j, c, rung, &args[c]);
      tp_process_spec spec = {.argv = args[c].at, .out = TP_STDIO_DISCARD,
                              .limits = {.cpu_s = 60, .wall_s = 300, .output_bytes = 16u << 20}};
      if (tp_process_start(&processes[c], spec) == TP_OK) running[n++] = &processes[c];
    }
    while (tp_process_step(running, n, -1) > 0) {}
    for (int c = 0; c < TP_N_NATIVE; c++) {
      if (!pending[c]) continue;
      tp_process *p = &processes[c];
      tp_native_result *result = &j->report->by[c];
      bool built = p->end == TP_PROCESS_EXITED && p->code == 0;
      if (built) pending[c] = false;
      else if (rung == 0) first_error(p, &result->detail);
      if (p->end == TP_PROCESS_STOPPED) pending[c] = false;
      result->outcome = built ? TP_NATIVE_NOT : p->end == TP_PROCESS_STOPPED ? TP_NATIVE_STOPPED : TP_NATIVE_NO_BUILD;
      if (built) tp_str_clear(&result->detail);
      tp_process_clear(p);
      tp_vec_clear(&args[c]);
    }
  }
}

// ------------------------------------------------------------------------ runs

static const char sanitizer_options[] = "exitcode=107:detect_leaks=0:symbolize=0:abort_on_error=0:handle_segv=1:"
                                        "detect_stack_use_after_return=1:allocator_may_return_null=1:log_path=stderr";

/* Does the address sanitizer's report show a violation of this property? */
static bool asan_shows(const char *text, tp_property violated) {
  const char *at = strstr(text, "ERROR: AddressSanitizer:");
  if (!at) return false;
  at += strlen("ERROR: AddressSanitizer:");
  size_t n = strcspn(at, "\n");
  char line[256];
  snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1), at);
  static const char *const others[] = {"stack-overflow", "out of memory", "allocation-size-too-big", "calloc-overflow",
                                       "param-overlap", "FPE", "ILL", "ABRT", "requested allocation size"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strstr(line, others[i])) return false;
  bool is_free = strstr(line, "attempting double-free") || strstr(line, "attempting free") || strstr(line, "bad-free");
  return is_free == (violated == TP_P_VALID_FREE);
}

static bool ubsan_shows(const char *text, tp_property violated) {
  const char *at = strstr(text, "runtime error: ");
  if (!at) return false;
  if (violated == TP_P_UNDEFINED) return true;
  size_t n = strcspn(at, "\n");
  char line[256];
  snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1), at);
  return strstr(line, "overflow") || strstr(line, "cannot be represented");
}

bool tp_native_shows(const job *j, const tp_process *p) {
  if (p->end != TP_PROCESS_EXITED || p->code != 107) return false;
  const char *err = tp_str_text(&p->err);
  switch (j->r->violated) {
    case TP_P_VALID_DEREF:
    case TP_P_VALID_FREE: return asan_shows(err, j->r->violated);
    case TP_P_NO_OVERFLOW:
    case TP_P_UNDEFINED: return ubsan_shows(err, j->r->violated);
    case TP_P_UNREACH_CALL:
    case TP_P_VALID_MEMTRACK:
    case TP_P_VALID_MEMCLEANUP: return strstr(err, "twoproof: violated: ") != NULL;
    case TP_P_NONE:
    case TP_P_VALID_MEMSAFETY:
    case TP_N_PROPERTIES: return false;
  }
  return false;
}

/* The line behind `mark` in the run's messages, without the mark. */
static void quote_line(const tp_process *p, const char *mark, tp_str *out) {
  const char *at = strstr(tp_str_text(&p->err), mark);
  if (!at) return;
  at += strlen(mark);
  size_t n = strcspn(at, "\n");
  tp_str_add(out, out->n ? ", " : "");
  tp_str_add_n(out, at, n > 120 ? 120 : n);
}

static void judge(const job *j, const tp_process *p, tp_native_result *result) {
  bool shown = tp_native_shows(j, p);
  result->outcome = p->end == TP_PROCESS_STOPPED ? TP_NATIVE_STOPPED : shown ? TP_NATIVE_CONFIRMED : TP_NATIVE_NOT;
  if (!shown) tp_process_print_end(p, &result->detail);
  quote_line(p, shown ? "twoproof: violated: " : "twoproof: ", &result->detail);
  quote_line(p, "runtime error: ", &result->detail);
  quote_line(p, "ERROR: AddressSanitizer: ", &result->detail);
  if (p->end == TP_PROCESS_SIGNALLED && p->code == 31) tp_str_add(&result->detail, ", forbidden by the sandbox");
}

const char **tp_native_environment(job *j, int compiler) {
  static const char *const names[] = {"reach_error", "__VERIFIER_error", "error"};
  tp_str addresses = {0};
  const char **env = tp_arena_array(&j->arena, const char *, 6);
  if (tp_elf_find_functions(j->program[compiler], names, 3, &addresses) != TP_OK) tp_str_clear(&addresses);
  env[0] = tp_arena_printf(&j->arena, "TWOPROOF_ERROR_FUNCTIONS=%s", tp_str_text(&addresses));
  env[1] = tp_arena_printf(&j->arena, "ASAN_OPTIONS=%s", sanitizer_options);
  env[2] = tp_arena_printf(&j->arena, "UBSAN_OPTIONS=%s", sanitizer_options);
  env[3] = "LC_ALL=C";
  tp_str_clear(&addresses);
  return env;
}

static void run_all(job *j) {
  const char **arguments = NULL;
  size_t n_arguments = 0, n = 0;
  bool can_call = tp_harness_arguments(j->r, &j->arena, &arguments, &n_arguments);
  tp_process processes[TP_N_NATIVE], *running[TP_N_NATIVE];
  bool started[TP_N_NATIVE] = {false};
  double cpu_s = j->r->cpu_s > 0 ? j->r->cpu_s : 10;
  for (int c = 0; c < TP_N_NATIVE; c++) {
    if (j->report->by[c].outcome != TP_NATIVE_NOT) continue;
    if (!can_call) {
      tp_str_add(&j->report->by[c].detail, "a process cannot be given this argument count");
      continue;
    }
    tp_process_spec spec = {.program = j->program[c], .argv = arguments, .env = tp_native_environment(j, c), .directory = j->cage,
                            .out = TP_STDIO_DISCARD, .sandbox = TP_SANDBOX_STRICT,
                            .limits = {.cpu_s = cpu_s, .wall_s = 4 * cpu_s + 5, .resident_bytes = 2048u << 20,
                                       .stack_bytes = 256u << 20, .file_bytes = 1, .output_bytes = 1 << 20}};
    started[c] = tp_process_start(&processes[c], spec) == TP_OK;
    if (started[c]) running[n++] = &processes[c];
  }
  while (tp_process_step(running, n, -1) > 0) {}
  for (int c = 0; c < TP_N_NATIVE; c++) {
    if (!started[c]) continue;
    judge(j, &processes[c], &j->report->by[c]);
    tp_process_clear(&processes[c]);
  }
}

// ----------------------------------------------------------------- preparation

static const char *directory_of(tp_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? tp_arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

/* A copy of source i in which the label is marked; #include "..." still finds the neighbours. */
static tp_status mark_labels(job *j, size_t i, const char *label, arg_list *include_options) {
  tp_str text = {0}, copy = {0};
  TP_TRY(tp_read_file(j->r->files[i], &text));
  tp_str_printf(&copy, "int tp_violated(const char *);\n#line 1 \"%s\"\n", j->r->files[i]);
  size_t found = tp_source_mark_label(tp_str_text(&text), label, "tp_violated(\"label\")", &copy);
  tp_status st = TP_OK;
  if (found > 0) {
    const char *dot = strrchr(j->r->files[i], '.');
    j->sources[i] = tp_arena_printf(&j->arena, "%s/source%zu%s", j->dir, i, dot && strcmp(dot, ".i") == 0 ? ".i" : ".c");
    st = tp_write_file(j->sources[i], tp_str_text(&copy), copy.n);
    tp_vec_push(include_options, "-iquote");
    tp_vec_push(include_options, directory_of(&j->arena, j->r->files[i]));
  }
  tp_str_clear(&text);
  tp_str_clear(&copy);
  return st;
}

static bool asks_environment(const tp_inputs *inputs) {
  for (size_t i = 0; i < inputs->v.n; i++)
    if (inputs->v.at[i].kind == TP_I_ENVIRONMENT) return true;
  return false;
}

tp_status tp_native_prepare(job *j, tp_native_request *r, arg_list *options) {
  tp_str dir = {0}, cage = {0};
  TP_TRY(tp_temp_dir(&dir));
  j->dir = tp_arena_strdup(&j->arena, dir.text);
  tp_str_clear(&dir);
  TP_TRY(tp_temp_dir(&cage));
  j->cage = tp_arena_strdup(&j->arena, cage.text);
  tp_str_clear(&cage);
  j->harness = tp_arena_printf(&j->arena, "%s/harness.c", j->dir);
  for (int c = 0; c < TP_N_NATIVE; c++)
    j->program[c] = tp_arena_printf(&j->arena, "%s/program-%s", j->dir, tp_native_compilers[c]);
  j->sources = tp_arena_array(&j->arena, const char *, r->n_files + 1);
  for (size_t i = 0; i < r->n_options; i++) tp_vec_push(options, r->options[i]);
  const char *label = r->error.id ? tp_loc_of(r->program, r->error)->label : NULL;
  for (size_t i = 0; i < r->n_files; i++) {
    j->sources[i] = r->files[i];
    if (label && r->violated == TP_P_UNREACH_CALL) TP_TRY(mark_labels(j, i, label, options));
  }
  r->real_library = tp_native_needs_library(r->inputs);
  if (r->is_random || r->real_library || !asks_environment(r->inputs)) r->n_models = 0;
  r->options = options->at;
  r->n_options = options->n;
  tp_harness_write(r, &j->report->harness, &j->report->n_unfed);
  return tp_write_file(j->harness, tp_str_text(&j->report->harness), j->report->harness.n);
}

tp_status tp_native_replay(const tp_native_request *request, tp_native_report *report) {
  tp_native_request r = *request;
  arg_list options = {0};
  job j = {.r = &r, .report = report};
  tp_status st = tp_native_prepare(&j, &r, &options);
  if (st == TP_OK) {
    tp_native_build(&j);
    run_all(&j);
    if (tp_process_interrupted()) st = TP_ERR_LIMIT;
  }
  if (j.dir) tp_remove_tree(j.dir);
  if (j.cage) tp_remove_tree(j.cage);
  tp_vec_clear(&options);
  tp_arena_clear(&j.arena);
  return st;
}

void tp_native_report_clear(tp_native_report *r) {
  for (int c = 0; c < TP_N_NATIVE; c++) tp_str_clear(&r->by[c].detail);
  tp_str_clear(&r->harness);
}

// -------------------------------------------------------------------- decision

bool tp_native_stands(const tp_native_report *report, tp_property violated, const char *order, tp_str *why) {
  const tp_native_result *clang = &report->by[TP_NATIVE_CLANG], *gcc = &report->by[TP_NATIVE_GCC];
  if (clang->outcome != TP_NATIVE_CONFIRMED) {
    tp_str_printf(why, "failure not confirmed on the compiled program (clang: %s%s%s)%s",
                  tp_native_outcome_name(clang->outcome), clang->detail.n ? ", " : "", tp_str_text(&clang->detail),
                  report->n_unfed ? "; it depends on values that a compiled program cannot be given" : "");
    return false;
  }
  switch (gcc->outcome) {
    case TP_NATIVE_CONFIRMED: tp_str_add(why, "confirmed on the builds of clang and gcc"); return true;
    case TP_NATIVE_NO_BUILD:
      tp_str_printf(why, "confirmed on the build of clang; gcc does not compile the source (%s)", tp_str_text(&gcc->detail));
      return true;
    case TP_NATIVE_STOPPED:
    case TP_NATIVE_NOT: break;
  }
  if (order && gcc->outcome == TP_NATIVE_NOT) {
    tp_str_printf(why, "confirmed on the build of clang; gcc differs (%s) because C leaves the order of evaluation open at %s",
                  tp_str_text(&gcc->detail), order);
    return true;
  }
  if (gcc->outcome == TP_NATIVE_NOT && (violated == TP_P_NO_OVERFLOW || violated == TP_P_UNDEFINED)) {
    tp_str_printf(why, "confirmed on the build of clang; gcc's build does not show it (%s)", tp_str_text(&gcc->detail));
    return true;
  }
  tp_str_printf(why, "clang's build fails, gcc's does not (%s), and no unspecified order of evaluation explains it",
                tp_str_text(&gcc->detail));
  return false;
}
