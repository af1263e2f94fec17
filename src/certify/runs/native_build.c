/* Builds for native replays and native random runs.
 *
 * Both compilers build at the same time. A build that fails is tried again with what old dialects
 * need, a few steps up a fixed ladder; names of builtins that the program declares in its own way
 * are given other names on the way, as the front end does. */
#include "certify/runs/native_replay_priv.h"
#include "certify/runs/native_monitors.h"

#include "base/files.h"

#include <stdio.h>

typedef tp_chk_native_args arg_list;
typedef tp_chk_native_job job;

const char *const tp_chk_native_compilers[TP_CHK_N_NATIVE] = {"clang-19", "gcc"};

/* What to add to the command line when the rungs below failed: C99 inline functions without extern;
 * references that only dead code makes; old dialects; library functions declared otherwise;
 * preprocessed headers of newer compilers. */
#define IGNORE "-Wl,--unresolved-symbols=ignore-all"
static const char *const rungs[][5] = {
    {NULL},
    {"-fgnu89-inline", NULL},
    {"-fgnu89-inline", IGNORE, NULL},
    {"-std=gnu89", IGNORE, NULL},
    {"-fno-builtin", "-fgnu89-inline", IGNORE, NULL},
    {"-x", "c", "-D__malloc__(...)=__malloc__", IGNORE, NULL},
};
enum { N_RUNGS = sizeof rungs / sizeof *rungs };

/* Library functions that compilers expand in place even if the program defines them. */
static const char *const expanded[] = {
    "abs",    "labs",    "llabs",   "fabs",    "fabsf",   "floor",   "ceil",
    "fmax",   "fmin",    "memcpy",  "memset",  "memmove", "memcmp",  "memchr",
    "strlen", "strcpy",  "strncpy", "strcmp",  "strncmp", "strcat",  "strncat",
    "strchr", "strrchr", "strstr",  "printf",  "puts",    "putchar", "malloc",
    "calloc", "free",    "isdigit", "isalpha", "toupper", "tolower", "index"};

/* Options up to NULL. */
static void push_all(arg_list *args, const char *const *options) {
  while (*options) tp_vec_push(args, *options++);
}

/* Calls of functions that the harness wraps, or that the program defines itself, stay calls. */
static void keep_calls(job *j, arg_list *args) {
  const char *name;
  for (size_t k = 0; k < sizeof expanded / sizeof *expanded; k++)
    if (tp_chk_harness_is_own(j->r->program, expanded[k]))
      tp_vec_push(args, tp_arena_printf(&j->arena, "-fno-builtin-%s", expanded[k]));
  for (size_t i = 0; (name = tp_chk_harness_wrapped(j->r, i)) != NULL; i++)
    if (*name) tp_vec_push(args, tp_arena_printf(&j->arena, "-fno-builtin-%s", name));
  // models ask by the names of the source: gcc makes fwrite of fprintf, putchar of printf
  static const char *const output[] = {"-fno-builtin-printf", "-fno-builtin-fprintf",
                                       "-fno-builtin-puts", "-fno-builtin-fputs", NULL};
  if (j->r->n_models > 0) push_all(args, output);
}

/* Definitions that give redeclared builtins another name; they act only on files that are
 * preprocessed. True if the messages name a new one. */
static bool rename_builtins(job *j, const char *text) {
  static const char *const phrases[] = {"cannot redeclare builtin function '",
                                        "definition of builtin function '"};
  bool found = false;
  for (size_t i = 0; i < 2; i++)
    for (const char *at = text; (at = strstr(at, phrases[i])) != NULL;) {
      at += strlen(phrases[i]);
      int n = (int)strcspn(at, "'");
      if (n == 0 || n > 100 || j->renames.n > 200) continue;
      const char *option = tp_arena_printf(&j->arena, "-D%.*s=tp_%.*s", n, at, n, at);
      bool known = false;
      for (size_t k = 0; k < j->renames.n && !known; k++)
        known = strcmp(j->renames.at[k], option) == 0;
      if (known) continue;
      if (j->renames.n == 0) {
        tp_vec_push(&j->renames, "-x");
        tp_vec_push(&j->renames, "c");
      }
      tp_vec_push(&j->renames, option);
      found = true;
    }
  return found;
}

/* Everything but the files. */
static void build_options(job *j, int compiler, int rung, bool for_assembly, arg_list *args) {
  TP_REQUIRE(rung >= 0 && rung < N_RUNGS && compiler >= 0 && compiler < TP_CHK_N_NATIVE);
  static const char *const common[] = {"-O0",
                                       "-std=gnu17",
                                       "-fno-strict-aliasing",
                                       "-fno-delete-null-pointer-checks",
                                       "-ffp-contract=off",
                                       "-finstrument-functions",
                                       "-fno-pie",
                                       "-no-pie",
                                       "-w",
                                       NULL};
  static const char *const lines[] = {"-gdwarf-4", "-g1",
                                      NULL};  // for site.c; assembly has them already
  static const char *const clang_only[] = {"-Wno-implicit-function-declaration",
                                           "-Wno-implicit-int",
                                           "-Wno-int-conversion",
                                           "-Wno-incompatible-function-pointer-types",
                                           "-Wno-return-mismatch",
                                           "-fbracket-depth=8192",
                                           NULL};
  static const char *const ilp32[] = {"-m32", "-msse2", "-mfpmath=sse", NULL};
  const tp_chk_detector *d = tp_chk_detector_of(j->r);
  TP_INVARIANT(!d->options[compiler][sizeof d->options[0] / sizeof *d->options[0] - 1]);
  tp_vec_push(args, tp_chk_native_compilers[compiler]);
  push_all(args, common);
  if (compiler == TP_CHK_NATIVE_CLANG) push_all(args, clang_only);
  if (j->r->program->ptr_bits == 32) push_all(args, ilp32);
  if (j->r->zeroes_indeterminate) tp_vec_push(args, "-ftrivial-auto-var-init=zero");
  push_all(args, d->options[compiler]);
  if (j->r->storage == TP_CHK_STORAGE_OF_FRAMES) {
    tp_vec_push(args, "-fno-sanitize-address-use-after-scope");
    if (compiler == TP_CHK_NATIVE_GCC) tp_vec_push(args, "-fstack-reuse=none");
  }
  static const char *const aligned[] = {"-fsanitize=address",
                                        "-fno-sanitize-address-use-after-scope", NULL};
  if (j->r->storage == TP_CHK_STORAGE_ALIGNED) push_all(args, aligned);
  keep_calls(j, args);
  if (!for_assembly) push_all(args, lines);
  for (size_t i = 0; i < j->r->n_options; i++) tp_vec_push(args, j->r->options[i]);
  push_all(args, rungs[rung]);
  for (size_t i = 0; compiler == TP_CHK_NATIVE_CLANG && i < j->renames.n; i++)
    tp_vec_push(args, j->renames.at[i]);
}

/* A source whose name does not say that it is one is C. */
static void push_source(arg_list *args, const char *file) {
  static const char *const known[] = {".c", ".i", ".ll"};
  const char *dot = strrchr(file, '.');
  bool says = false;
  for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
    says |= strcmp(dot, known[i]) == 0;
  if (!says) {
    tp_vec_push(args, "-x");
    tp_vec_push(args, "c");
  }
  tp_vec_push(args, file);
}

static void build_command(job *j, int compiler, int rung, arg_list *args) {
  build_options(j, compiler, rung, j->r->monitors != NULL, args);
  if (tp_chk_harness_wraps_allocation(j->r)) {
    tp_vec_push(args, "-Wl,--wrap=malloc");
    tp_vec_push(args, "-Wl,--wrap=calloc");
    if (j->r->n_models == 0) tp_vec_push(args, "-Wl,--wrap=realloc");
  }
  if (tp_chk_harness_widens(j->r)) tp_vec_push(args, "-Wl,--wrap=main");
  if (tp_chk_harness_denies_memory(j->r))
    tp_vec_push(args, "-fno-builtin");  // each request is made, and asked about
  if (j->r->storage == TP_CHK_STORAGE_ENDED_TOO) {
    tp_vec_push(args, "-Wl,--wrap=__asan_alloca_poison");
    tp_vec_push(args, "-Wl,--wrap=__asan_allocas_unpoison");
  }
  const char *name;
  for (size_t i = 0; (name = tp_chk_harness_wrapped(j->r, i)) != NULL; i++)
    if (*name) tp_vec_push(args, tp_arena_printf(&j->arena, "-Wl,--wrap=%s", name));
  if (j->r->violated == TP_P_VALID_MEMTRACK || j->r->violated == TP_P_VALID_MEMCLEANUP) {
    static const char *const ends[] = {"-Wl,--wrap=exit", "-Wl,--wrap=_exit", "-Wl,--wrap=_Exit",
                                       "-Wl,--wrap=quick_exit", NULL};
    push_all(args, ends);
  }
  if (j->r->monitors) {
    if (j->fence) push_source(args, j->fence);
    tp_vec_push(args, "-x");
    tp_vec_push(args, "assembler");
  }
  for (size_t i = 0; i < j->r->n_files; i++) {
    if (j->r->monitors)
      tp_vec_push(args, j->assembly[compiler][i]);
    else {
      if (j->fence) push_source(args, j->fence);  // in front of the first variable of each file
      push_source(args, j->sources[i]);
    }
  }
  tp_vec_push(args, "-x");
  tp_vec_push(args, "c");
  tp_vec_push(args, j->harness);
  tp_chk_native_models_link(j, compiler, args);
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
  size_t n = p->end == TP_PROCESS_EXITED ? strcspn(at, "\n") : 0;
  if (n == 0) tp_process_print_end(p, out);
  tp_str_add_n(out, at, n > 160 ? 160 : n);
}

/* Another rung of the ladder would end in the same way: a limit, which compilers and assemblers may
 * notice by themselves, or something that the system lacks. */
static bool reached_limit(const tp_process *p) {
  static const char *const phrases[] = {"out of memory",
                                        "memory exhausted",
                                        "std::bad_alloc",
                                        "unable to execute command",
                                        "Cannot allocate memory",
                                        "No space left on device",
                                        "Resource temporarily unavailable",
                                        "Too many open files"};
  const char *said = tp_str_text(&p->err);
  bool is_said = false;
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
    is_said |= strstr(said, phrases[i]) != NULL;
  return tp_process_hit_limit(p) || (p->code != 0 && is_said);
}

/* The outcome of a finished build. True: this compiler is done. */
static bool note_outcome(job *j, int compiler, bool is_first, tp_process *p) {
  tp_chk_native_result *result = &j->report->by[compiler];
  bool built = p->end == TP_PROCESS_EXITED && p->code == 0, stopped = p->end == TP_PROCESS_STOPPED,
       too_much = reached_limit(p);
  result->outcome = built     ? TP_CHK_NATIVE_NOT
                    : stopped ? TP_CHK_NATIVE_STOPPED
                              : TP_CHK_NATIVE_NO_BUILD;
  if (built || too_much) tp_str_clear(&result->detail);
  if (!built && (is_first || too_much)) first_error(p, &result->detail);
  return built || stopped || too_much;
}

// ----------------------------------------------------------- indeterminate values

/* The process of one compiler. */
static tp_process_spec compile(const job *j, const arg_list *args) {
  TP_REQUIRE(args->n > 0 && !tp_vec_last(args));
  return (tp_process_spec){.argv = args->at,
                           .out = TP_STDIO_DISCARD,
                           .limits = tp_process_compiler_limits(j->r->left_s, j->r->memory_bytes)};
}

/* One source as IR before any pass, with calls that fill locals. */
static bool fill_source(job *j, size_t i) {
  TP_REQUIRE(i < j->r->n_files);
  arg_list args = {0};
  build_options(j, TP_CHK_NATIVE_CLANG, 0, false, &args);
  static const char *const more[] = {"-g", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes",
                                     "-o", "-",  NULL};
  push_all(&args, more);
  push_source(&args, j->sources[i]);
  tp_vec_push(&args, NULL);
  tp_process p;
  tp_process_spec spec = compile(j, &args);
  spec.out = TP_STDIO_CAPTURE;
  spec.limits.output_bytes = 256u << 20;
  tp_status st = tp_process_run(&p, spec);
  bool ok = st == TP_OK && p.end == TP_PROCESS_EXITED && p.code == 0;
  if (ok) {
    tp_str filled = {0};
    tp_chk_fill_locals(tp_str_text(&p.out), &filled);
    j->sources[i] = tp_arena_printf(&j->arena, "%s/filled%zu.ll", j->dir, i);
    ok = tp_write_file(j->sources[i], tp_str_text(&filled), filled.n) == TP_OK;
    tp_str_clear(&filled);
  } else {
    first_error(&p, &j->report->by[TP_CHK_NATIVE_CLANG].detail);
  }
  tp_process_clear(&p);
  tp_vec_clear(&args);
  return ok;
}

/* Only clang can be given indeterminate values. */
static bool prepare_filling(job *j) {
  tp_chk_native_result *gcc = &j->report->by[TP_CHK_NATIVE_GCC];
  gcc->outcome = TP_CHK_NATIVE_NO_BUILD;
  tp_str_add(&gcc->detail, "there is no way to give it indeterminate values");
  j->report->by[TP_CHK_NATIVE_CLANG].outcome = TP_CHK_NATIVE_NO_BUILD;
  for (size_t i = 0; i < j->r->n_files; i++)
    if (!fill_source(j, i)) return false;
  return true;
}

// ------------------------------------------------------------------- changed sources

static const char *directory_of(tp_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? tp_arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

tp_status tp_chk_native_copy_source(job *j, size_t i, const char *head, const char *text) {
  TP_REQUIRE(i < j->r->n_files);
  tp_str copy = {0};
  tp_str_printf(&copy, "%s\n#line 1 \"", head);
  tp_str_add_c_text(&copy, j->r->files[i]);
  tp_str_add(&copy, "\"\n");
  tp_str_add(&copy, text);
  const char *dot = strrchr(j->r->files[i], '.');
  j->sources[i] = tp_arena_printf(&j->arena, "%s/source%zu%s", j->dir, i,
                                  dot && strcmp(dot, ".i") == 0 ? ".i" : ".c");
  const tp_status st = tp_write_file(j->sources[i], tp_str_text(&copy), copy.n);
  tp_vec_push(&j->options, "-iquote");  // #include "..." still finds the neighbours
  tp_vec_push(&j->options, directory_of(&j->arena, j->r->files[i]));
  tp_str_clear(&copy);
  return st;
}

// ----------------------------------------------------------------------- monitors

/* One source as assembly with monitored calls. *p: the compiler, for messages. */
static bool monitor_source(job *j, int compiler, int rung, size_t i, tp_process *p) {
  TP_REQUIRE(j->r->monitors && i < j->r->n_files);
  arg_list args = {0};
  tp_str text = {0}, watched = {0};
  const char *plain = tp_arena_printf(&j->arena, "%s/plain%zu-%d.s", j->dir, i, compiler);
  j->assembly[compiler][i] = tp_arena_printf(&j->arena, "%s/watched%zu-%d.s", j->dir, i, compiler);
  build_options(j, compiler, rung, false, &args);
  for (uint32_t f = 1; f < j->r->monitors->functions.n; f++)  // monitored calls stay calls
    tp_vec_push(
        &args, tp_arena_printf(&j->arena, "-fno-builtin-%s", j->r->monitors->functions.at[f].name));
  tp_vec_push(&args, "-S");
  tp_vec_push(&args, "-o");
  tp_vec_push(&args, plain);
  push_source(&args, j->sources[i]);
  tp_vec_push(&args, NULL);
  bool ok =
      tp_process_run(p, compile(j, &args)) == TP_OK && p->end == TP_PROCESS_EXITED && p->code == 0;
  if (ok && tp_read_file(plain, &text) == TP_OK &&
      tp_chk_monitor_assembly(j->r->monitors, j->r->program->ptr_bits, tp_str_text(&text),
                              &watched))
    ok = tp_write_file(j->assembly[compiler][i], tp_str_text(&watched), watched.n) == TP_OK;
  else if (ok)
    ok = false, p->code = 1,
    tp_str_add(&p->err, "error: there are calls in the assembly that cannot be watched\n");
  tp_str_clear(&text);
  tp_str_clear(&watched);
  tp_vec_clear(&args);
  return ok;
}

/* All sources; false: the build has failed, and the process shows why. */
static bool monitor_sources(job *j, int compiler, int rung, tp_process *p) {
  if (!j->r->monitors) return true;
  j->assembly[compiler] = tp_arena_array(&j->arena, const char *, j->r->n_files);
  for (size_t i = 0; i < j->r->n_files; i++) {
    if (!monitor_source(j, compiler, rung, i, p)) return false;
    tp_process_clear(p);
  }
  return true;
}

/* Uses of values that were never set are detected by MemorySanitizer alone: clang's, for lp64.
 * False: nothing can be built. */
static bool can_detect_unset(job *j) {
  if (!tp_chk_detector_of(j->r)->is_of_unset_values) return true;
  j->report->by[TP_CHK_NATIVE_GCC].outcome = TP_CHK_NATIVE_NO_BUILD;
  tp_str_add(&j->report->by[TP_CHK_NATIVE_GCC].detail, "it does not watch what was never set");
  if (j->r->program->ptr_bits == 64) return true;
  j->report->by[TP_CHK_NATIVE_CLANG].outcome = TP_CHK_NATIVE_NO_BUILD;
  tp_str_add(&j->report->by[TP_CHK_NATIVE_CLANG].detail,
             "it watches what was never set under lp64 only");
  return false;
}

/* The builds that are pending, side by side. */
static void build(job *j, bool pending[TP_CHK_N_NATIVE]) {
  enum { MOST_ROUNDS = N_RUNGS + 6 };
  int *rung = j->rung;
  for (int round = 0; round < MOST_ROUNDS && (pending[0] || pending[1]); round++) {
    tp_process processes[TP_CHK_N_NATIVE], *running[TP_CHK_N_NATIVE];
    arg_list args[TP_CHK_N_NATIVE] = {{0}};
    size_t n = 0;
    for (int c = 0; c < TP_CHK_N_NATIVE; c++) {
      if (!pending[c] || !monitor_sources(j, c, rung[c], &processes[c])) continue;
      build_command(j, c, rung[c], &args[c]);
      if (tp_process_start(&processes[c], compile(j, &args[c])) == TP_OK)
        running[n++] = &processes[c];
    }
    while (tp_process_step(running, n, -1) > 0) {
    }
    for (int c = 0; c < TP_CHK_N_NATIVE; c++) {
      if (!pending[c]) continue;
      bool done = note_outcome(j, c, round == 0, &processes[c]);
      if (done && c == TP_CHK_NATIVE_CLANG && j->report->by[c].outcome == TP_CHK_NATIVE_NOT)
        tp_chk_script_build(j, c, args[c].at);
      bool again =
          !done && c == TP_CHK_NATIVE_CLANG && rename_builtins(j, tp_str_text(&processes[c].err));
      if (!again && !done) rung[c]++;
      pending[c] = !done && rung[c] < N_RUNGS;
      tp_process_clear(&processes[c]);
      tp_vec_clear(&args[c]);
    }
  }
}

void tp_chk_native_build(job *j) {
  TP_REQUIRE(j->dir && j->harness && !j->rung[TP_CHK_NATIVE_CLANG]);
  bool pending[TP_CHK_N_NATIVE] = {true, !j->r->is_random && !j->r->fills_indeterminate &&
                                             !tp_chk_detector_of(j->r)->is_of_unset_values};
  if (!can_detect_unset(j)) return;
  if (j->r->fills_indeterminate && !prepare_filling(j)) return;
  build(j, pending);
}

void tp_chk_native_build_again(job *j) {
  TP_REQUIRE(j->rung[TP_CHK_NATIVE_GCC] < N_RUNGS);
  bool pending[TP_CHK_N_NATIVE] = {[TP_CHK_NATIVE_GCC] = true};
  tp_str_clear(&j->report->by[TP_CHK_NATIVE_GCC].detail);
  build(j, pending);
}

tp_status tp_chk_native_warnings(job *j, const char *option, size_t i, tp_str *out) {
  TP_REQUIRE(i < j->r->n_files && j->rung[TP_CHK_NATIVE_GCC] < N_RUNGS);
  static const char *const more[] = {"-fsyntax-only", "-fdiagnostics-plain-output",
                                     "-fdiagnostics-column-unit=byte",
                                     "-fdiagnostics-column-origin=1", NULL};
  arg_list all = {0}, args = {0};
  build_options(j, TP_CHK_NATIVE_GCC, j->rung[TP_CHK_NATIVE_GCC], true, &all);
  for (size_t k = 0; k < all.n; k++)
    if (strcmp(all.at[k], "-w") != 0) tp_vec_push(&args, all.at[k]);
  tp_vec_push(&args, option);
  push_all(&args, more);
  push_source(&args, j->sources[i]);
  tp_vec_push(&args, NULL);
  tp_process p;
  tp_process_spec spec = compile(j, &args);
  spec.limits.output_bytes = 64u << 20;
  const tp_status st = tp_process_run(&p, spec);
  if (st == TP_OK) tp_str_add(out, tp_str_text(&p.err));
  tp_process_clear(&p);
  tp_vec_clear(&all);
  tp_vec_clear(&args);
  return st;
}
