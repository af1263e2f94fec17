/* Running clang.
 *
 * The child writes bitcode and messages into two anonymous files, so that nothing is left behind
 * whatever happens and no pipe can fill up. The first attempt is the command of ordinary C. If it
 * fails, its messages choose what to change for the next attempt (a file of another compiler's
 * preprocessor, a redeclared builtin, a library function declared otherwise, an old dialect); each
 * change is tried once, so the ladder ends. If no attempt succeeds the user sees the messages of
 * the first. */
#include "front/clang.h"

#include "base/files.h"
#include "base/process.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef TP_VEC(const char *) arg_list;

static const char *const bitcode_args[] = {"-c", "-emit-llvm"}, *const text_args[] = {"-E", "-C"};
static const char *const base_args[] = {
    "-std=gnu17", "-g", "-fno-discard-value-names",
    // -O1 keeps inline bodies and prototypes of externals; no pass runs, so nothing is optimised.
    // Strict aliasing marks assignments of structs (padding.c)
    "-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-D__NO_INLINE__=1",
    // a local that is returned has storage and a lifetime of its own: other returns of the function
    // write to the place of the result
    "-Xclang", "-fno-elide-constructors",
    // folded with results that C does not define, or not so: differences.c looks at these calls
    "-fno-builtin-strchr", "-fno-builtin-strcmp", "-fno-builtin-strncmp", "-fno-builtin-memcmp",
    "-fno-builtin-bcmp", "-fno-builtin-fmin", "-fno-builtin-fminf", "-fno-builtin-fmax",
    "-fno-builtin-fmaxf", "-ffp-contract=off", "-fbracket-depth=8192", "-fno-color-diagnostics",
    "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types", "-Wno-return-mismatch"};

/* Under `undefined`: what clang itself says about undefined behaviour (doc/undefined.md, "compile
 * time"). */
static const char *const remark_args[] = {"-Wunsequenced",
                                          "-Wformat",
                                          "-Wno-format-extra-args",
                                          "-Wno-format-security",
                                          "-Wno-format-zero-length",
                                          "-Wvarargs",
                                          "-Winvalid-noreturn",
                                          "-Warray-bounds",
                                          "-Wnonnull",
                                          "-Wbuiltin-macro-redefined",
                                          "-Watomic-access",
                                          "-Winvalid-token-paste"};

/* Anything that is no preprocessed file is C source, whatever its name. */
static bool is_preprocessed(const char *file) {
  size_t n = strlen(file);
  return n > 2 && strcmp(file + n - 2, ".i") == 0;
}

/* Scope ends are needed only where the lifetime of locals is part of the property. */
static bool wants_lifetimes(tp_property p) {
  return p == TP_P_VALID_DEREF || p == TP_P_VALID_MEMSAFETY || p == TP_P_VALID_MEMTRACK ||
         p == TP_P_EQUAL;
}

static const char *sanitizers(tp_property p) {
  if (p == TP_P_NO_OVERFLOW) return "-fsanitize=signed-integer-overflow,shift-base";
  if (p == TP_P_UNDEFINED || p == TP_P_EQUAL)
    return "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow,"
           "vla-bound,bool,"
           "unreachable,array-bounds,nonnull-attribute,returns-nonnull-attribute,builtin";
  return NULL;
}

/* output: the two arguments that say what is wanted. */
static void add_args(const tp_front_options *opt, const char *file, const char *const output[2],
                     arg_list *args) {
  tp_vec_push(args, opt->clang ? opt->clang : "clang-19");
  for (size_t i = 0; i < 2; i++) tp_vec_push(args, output[i]);
  for (size_t i = 0; i < sizeof base_args / sizeof *base_args; i++) tp_vec_push(args, base_args[i]);
  tp_vec_push(args, opt->machine == TP_MACHINE_ILP32 ? "-m32" : "-m64");
  if (!wants_lifetimes(opt->property)) {
    tp_vec_push(args, "-Xclang");
    tp_vec_push(args, "-disable-lifetime-markers");
  }
  if (sanitizers(opt->property)) {
    tp_vec_push(args, sanitizers(opt->property));
    tp_vec_push(args, "-fsanitize-trap=all");
  }
  tp_vec_push(args, opt->property == TP_P_UNDEFINED ? "-Wno-everything" : "-w");
  if (opt->property == TP_P_UNDEFINED || opt->property == TP_P_EQUAL)
    tp_vec_push(args, "-fstrict-flex-arrays=1");  // only [], [0] and [1] at the end of a struct
                                                  // have no known length
  if (opt->property == TP_P_UNDEFINED) {
    for (size_t i = 0; i < sizeof remark_args / sizeof *remark_args; i++)
      tp_vec_push(args, remark_args[i]);
  }
  for (size_t i = 0; i < opt->n_clang_args; i++) tp_vec_push(args, opt->clang_args[i]);
  if (tp_intake_directory(file)) {
    tp_vec_push(args, "-iquote");
    tp_vec_push(args, tp_intake_directory(file));
  }
  tp_vec_push(args, "-x");
  tp_vec_push(args, is_preprocessed(file) ? "cpp-output" : "c");
}

const char *const *tp_front_clang_args(const tp_front_options *opt, const char *file,
                                       tp_arena *arena) {
  arg_list args = {0};
  add_args(opt, file, bitcode_args, &args);
  const char **out = tp_arena_array(arena, const char *, args.n + 4);
  memcpy(out, args.at, args.n * sizeof *out);
  out[args.n] = "-o";
  out[args.n + 1] = "-";
  out[args.n + 2] = tp_arena_strdup(arena, file);
  tp_vec_clear(&args);
  return out;
}

// ------------------------------------------------------------------ the child

/* Start clang and wait. Its memory, time and files are limited, and it dies with us. */
static tp_status run_child(const tp_front_options *opt, const char *const *args, int out, int err,
                           tp_process *p) {
  const tp_process_spec spec = {
      .argv = args,
      .out = TP_STDIO_FILE,
      .err = TP_STDIO_FILE,
      .out_file = out,
      .err_file = err,
      .limits = tp_process_compiler_limits(opt->clang_cpu_s, (uint64_t)opt->clang_memory_mb << 20)};
  return tp_process_run(p, spec);
}

static void read_messages(int fd, tp_str *out) {
  const off_t most = 1 << 20;  // far more than is ever shown
  char buffer[4096];
  off_t at = 0;
  for (ssize_t n; at < most && (n = pread(fd, buffer, sizeof buffer, at)) > 0; at += n)
    tp_str_add_n(out, buffer, (size_t)n);
}

static bool map_output(int fd, tp_clang_output *out) {
  struct stat st;
  if (fstat(fd, &st) != 0 || st.st_size == 0) return false;
  void *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return false;
  *out = (tp_clang_output){at, (size_t)st.st_size};
  return true;
}

void tp_clang_output_clear(tp_clang_output *out) {
  if (out->bytes) munmap(out->bytes, out->n);
  *out = (tp_clang_output){0};
}

/* Did the source ask for more than clang has? It may notice by itself that memory or its stack
 * ends. */
static bool is_too_much(const tp_process *p, const char *said) {
  return p->end != TP_PROCESS_EXITED || strstr(said, "out of memory") ||
         strstr(said, "std::bad_alloc") || strstr(said, "sufficient stack");
}

/* What the end of clang means. */
static tp_status judge(const tp_process *p, const char *program, tp_str *messages) {
  if (p->end == TP_PROCESS_EXITED && p->code == 0) return TP_OK;
  if (p->end == TP_PROCESS_EXITED && p->code == 127) {
    tp_str_printf(messages, "cannot run %s\n", program);
    return TP_ERR_SYSTEM;
  }
  if (!is_too_much(p, tp_str_text(messages))) return TP_ERR_INPUT;
  tp_str_clear(messages);  // a stack of clang's own functions says nothing to its users
  tp_str_printf(messages, "%s: the source needs more than it may use: ", program);
  if (p->end == TP_PROCESS_EXITED)
    tp_str_add(messages, "memory limit");
  else
    tp_process_print_end(p, messages);
  tp_str_add_char(messages, '\n');
  return TP_ERR_LIMIT;
}

/* One attempt. TP_ERR_INPUT: clang said no, see messages. */
static tp_status attempt(const tp_front_options *opt, const arg_list *args, tp_clang_output *out,
                         tp_str *messages) {
  int o = memfd_create("bitcode", MFD_CLOEXEC), e = memfd_create("messages", MFD_CLOEXEC);
  tp_status st = TP_ERR_SYSTEM;
  if (o >= 0 && e >= 0) {
    tp_process p;
    st = run_child(opt, args->at, o, e, &p);
    if (st == TP_ERR_SYSTEM)
      tp_str_printf(messages, "cannot run %s: %s\n", args->at[0], strerror(errno));
    read_messages(e, messages);
    if (st == TP_OK) st = judge(&p, args->at[0], messages);
    if (st == TP_OK && !map_output(o, out)) st = TP_ERR_SYSTEM;
    tp_process_clear(&p);
  }
  if (o >= 0) close(o);
  if (e >= 0) close(e);
  return st;
}

// ----------------------------------------------------------------- the ladder

typedef struct {
  tp_arena arena;
  arg_list extra;  // what the attempts so far have added
  bool as_source, gnu_attributes, without_builtins, old_dialect;
  tp_map renamed;  // hash of a name that got a -D
} ladder;

/* -D acts only on files that are preprocessed. */
static void preprocess_again(ladder *l) {
  if (l->as_source) return;
  l->as_source = true;
  tp_vec_push(&l->extra, "-x");
  tp_vec_push(&l->extra, "c");
}

/* Give each redeclared builtin another name. True if a new one was found. */
static bool rename_builtins(ladder *l, const char *text) {
  static const char *const phrases[] = {"cannot redeclare builtin function '",
                                        "definition of builtin function '"};
  bool found = false;
  for (size_t i = 0; i < 2; i++)
    for (const char *at = text; (at = strstr(at, phrases[i])) != NULL;) {
      at += strlen(phrases[i]);
      size_t n = strcspn(at, "'");
      uint64_t key = tp_hash_bytes(at, n, 0);
      if (n == 0 || n > 100 || tp_map_has(&l->renamed, key)) continue;
      tp_map_set(&l->renamed, key, 1);
      preprocess_again(l);
      tp_vec_push(&l->extra, tp_arena_printf(&l->arena, "-D%.*s=tp_%.*s", (int)n, at, (int)n, at));
      found = true;
    }
  return found;
}

/* Choose what to change next by the messages of the last attempt; false: nothing left. */
static bool climb(ladder *l, const char *text) {
  if (!l->gnu_attributes && strstr(text, "__malloc__")) {
    preprocess_again(l);
    tp_vec_push(&l->extra, "-D__malloc__(...)=__malloc__");
    return l->gnu_attributes = true;
  }
  if (rename_builtins(l, text)) return true;
  if (!l->without_builtins &&
      (strstr(text, "library function") || strstr(text, "conflicting types for"))) {
    tp_vec_push(&l->extra, "-fno-builtin");
    return l->without_builtins = true;
  }
  if (!l->old_dialect) {
    tp_vec_push(&l->extra, "-std=gnu89");
    return l->old_dialect = true;
  }
  return false;
}

static bool is_hopeless(const char *text) {
  return strstr(text, "no such file or directory") != NULL;
}

tp_status tp_clang_compile(const tp_front_options *opt, const char *file, const char *const *own,
                           size_t n_own, tp_clang_output *out, tp_str *messages) {
  ladder l = {0};
  tp_status st = TP_ERR_INPUT;
  tp_str said = {0};
  for (int turn = 0; turn < 12; turn++) {
    arg_list args = {0};
    add_args(opt, file, bitcode_args, &args);
    for (size_t i = 0; i < l.extra.n; i++) tp_vec_push(&args, l.extra.at[i]);
    for (size_t i = 0; i < n_own; i++)
      tp_vec_push(&args, tp_arena_printf(&l.arena, "-fno-builtin-%s", own[i]));
    tp_vec_push(&args, "-o");
    tp_vec_push(&args, "-");
    tp_vec_push(&args, tp_intake_compiled(file));
    tp_vec_push(&args, NULL);
    tp_str_clear(&said);
    st = attempt(opt, &args, out, &said);
    tp_vec_clear(&args);
    if (turn == 0 || st == TP_OK) tp_str_clear(messages), tp_str_add(messages, tp_str_text(&said));
    if (st != TP_ERR_INPUT || is_hopeless(tp_str_text(&said)) || !climb(&l, tp_str_text(&said)))
      break;
  }
  tp_str_clear(&said);
  tp_map_clear(&l.renamed);
  tp_vec_clear(&l.extra);
  tp_arena_clear(&l.arena);
  return st;
}

// ---------------------------------------------------------------- preprocessing

tp_status tp_clang_preprocess(const tp_front_options *opt, const char *file, tp_str *out,
                              tp_str *messages) {
  if (is_preprocessed(file)) return tp_read_file(file, out);
  arg_list args = {0};
  tp_clang_output text = {0};
  add_args(opt, file, text_args, &args);
  const char *const more[] = {"-o", "-", tp_intake_compiled(file), NULL};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) tp_vec_push(&args, more[i]);
  tp_status st = attempt(opt, &args, &text, messages);
  if (st == TP_OK) tp_str_add_n(out, text.bytes, text.n);
  tp_clang_output_clear(&text);
  tp_vec_clear(&args);
  return st;
}
