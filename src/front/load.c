/* Loading a program: compile, read, link, lower what main can reach.
 *
 * Every file becomes a module; they are linked, so that each global and each function exists once
 * and sees all its uses. Models of library functions are linked where the program calls something
 * that it does not define. Functions are lowered from a list that starts with main and grows with
 * every function that is called or whose address is taken, in code or in the image of a global. */
#include "front/clang.h"
#include "front/front_limits.h"
#include "front/front_priv.h"
#include "program/constant_params.h"
#include "program/link_pointers.h"
#include "program/promote.h"
#include "program/thread.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------------- modules

/* Functions that clang lowers to intrinsics, folds, or knows not to return, even when the program
 * has its own. */
static bool is_bypassed(const char *name) {
  static const char *const names[] = {
      "abs",     "labs",      "llabs",      "imaxabs",    "memcpy",    "memmove",   "memset",
      "mempcpy", "bcopy",     "bzero",      "memcmp",     "bcmp",      "fabs",      "fabsf",
      "ceil",    "ceilf",     "floor",      "floorf",     "trunc",     "truncf",    "rint",
      "rintf",   "nearbyint", "nearbyintf", "round",      "roundf",    "roundeven", "fmin",
      "fminf",   "fmax",      "fmaxf",      "copysign",   "copysignf", "fma",       "fmaf",
      "sqrt",    "sqrtf",     "alloca",     "isnan",      "isinf",     "finite",    "signbit",
      "ffs",     "ffsl",      "ffsll",      "abort",      "trap",      "strlen",    "strcmp",
      "strncmp", "strchr",    "memchr",     "wcslen",     "wcscmp",    "wcsncmp",   "wcschr",
      "wmemcmp", "wmemchr",   "wmemcpy",    "wmemmove",   "nan",       "nanf",      "exit",
      "_exit",   "_Exit",     "longjmp",    "siglongjmp", "setjmp",    "fmod",      "fmodf",
      "exp",     "log",       "pow",        "sin",        "cos"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

typedef TP_VEC(const char *) name_list;

static void find_own_library(LLVMModuleRef m, tp_arena *arena, name_list *own) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (!LLVMIsDeclaration(f) && is_bypassed(name)) tp_vec_push(own, tp_arena_strdup(arena, name));
  }
}

static tp_status parse(LLVMContextRef context, const tp_clang_output *code, const char *file,
                       LLVMModuleRef *out) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(code->bytes, code->n, file, false);
  bool failed = LLVMParseBitcodeInContext2(context, buffer, out) != 0;
  LLVMDisposeMemoryBuffer(buffer);
  return failed ? TP_ERR_INTERNAL : TP_OK;
}

/* clang's messages, as much of them as fits on a screen. */
static void pass_on(const char *text) {
  for (int i = 0; *text; i++) {
    size_t n = strcspn(text, "\n");
    if (i == TP_FRONT_COMPILER_LINES) fputs("...\n", stderr);
    if (i < TP_FRONT_COMPILER_LINES)
      fprintf(stderr, "%.*s%s\n",
              (int)(n < TP_FRONT_COMPILER_COLUMNS ? n : TP_FRONT_COMPILER_COLUMNS), text,
              n < TP_FRONT_COMPILER_COLUMNS ? "" : "...");
    text += n + (text[n] == '\n');
  }
}

/* Lines "f.c:4:7: warning: ..." of clang's messages as "f.c:4:7: ...". */
static void add_remarks(const char *text, tp_str *out) {
  static const char mark[] = ": warning: ";
  while (*text) {
    size_t n = strcspn(text, "\n");
    const char *at = strstr(text, mark);
    if (at && at < text + n) {
      const char *rest = at + sizeof mark - 1;
      tp_str_printf(out, "%.*s: %.*s\n", (int)(at - text), text, (int)(text + n - rest), rest);
    }
    text += n + (text[n] == '\n');
  }
}

static tp_status compile_once(const tp_front_options *opt, const char *file, LLVMContextRef context,
                              const name_list *own, LLVMModuleRef *out, tp_str *remarks) {
  tp_clang_output code = {0};
  tp_str messages = {0};
  tp_status st = tp_clang_compile(opt, file, own->at, own->n, &code, &messages);
  if (st != TP_OK)
    pass_on(tp_str_text(&messages));
  else
    add_remarks(tp_str_text(&messages), remarks);
  if (st == TP_OK) st = parse(context, &code, file, out);
  tp_clang_output_clear(&code);
  tp_str_clear(&messages);
  return st;
}

/* Inline bodies must survive linking, but give way to real definitions. */
static void keep_inline_bodies(LLVMModuleRef m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage)
      LLVMSetLinkage(f, LLVMLinkOnceAnyLinkage);
}

static void report_linker_message(LLVMDiagnosticInfoRef info, void *ctx) {
  tp_diag *diag = ctx;
  char *text = LLVMGetDiagInfoDescription(info);
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    tp_diag_say(diag, TP_ERROR, TP_POS_NONE, NULL, "%s", text);
  LLVMDisposeMessage(text);
}

static bool is_strong(LLVMValueRef v) {
  return v && !LLVMIsDeclaration(v) && LLVMGetLinkage(v) == LLVMExternalLinkage;
}

/* Says in which earlier file a function or variable of module i is defined, too. */
static bool clashes(const tp_front_options *opt, LLVMModuleRef *modules, size_t i, LLVMValueRef v,
                    tp_diag *diag) {
  size_t n;
  const char *name = LLVMGetValueName2(v, &n);
  for (size_t k = 0; k < i && is_strong(v); k++) {
    LLVMValueRef f = LLVMGetNamedFunction(modules[k], name),
                 g = LLVMGetNamedGlobal(modules[k], name);
    if (!is_strong(f) && !is_strong(g)) continue;
    tp_diag_say(diag, TP_ERROR, TP_POS_NONE, NULL, "%s is defined in %s and in %s: %s", name,
                opt->files[k], opt->files[i],
                strcmp(name, "main") == 0
                    ? "a program has one main; verify these files one by one, or name the files of "
                      "one program"
                    : "leave one of the files out, or make one of the definitions static");
    return true;
  }
  return false;
}

/* Definitions that cannot be linked with each other; all are said. */
static tp_status check_definitions(const tp_front_options *opt, LLVMModuleRef *modules,
                                   tp_diag *diag) {
  bool ok = true;
  for (size_t i = 1; i < opt->n_files; i++) {
    for (LLVMValueRef f = LLVMGetFirstFunction(modules[i]); f; f = LLVMGetNextFunction(f))
      ok &= !clashes(opt, modules, i, f, diag);
    for (LLVMValueRef g = LLVMGetFirstGlobal(modules[i]); g; g = LLVMGetNextGlobal(g))
      ok &= !clashes(opt, modules, i, g, diag);
  }
  return ok ? TP_OK : TP_ERR_INPUT;
}

static void dispose_all(LLVMModuleRef *modules, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (modules[i]) LLVMDisposeModule(modules[i]);
  memset(modules, 0, n * sizeof *modules);
}

static tp_status compile_all(const tp_front_options *opt, LLVMContextRef context,
                             const name_list *own, LLVMModuleRef *modules, tp_str *remarks) {
  tp_str_clear(remarks);
  for (size_t i = 0; i < opt->n_files; i++)
    TP_TRY(compile_once(opt, opt->files[i], context, own, &modules[i], remarks));
  return TP_OK;
}

/* All files; a second time if one of them defines functions that clang would bypass in any of them.
 * What monitors watch must stay a call. */
static tp_status compile(const tp_front_options *opt, LLVMContextRef context,
                         LLVMModuleRef *modules, tp_str *remarks) {
  tp_arena arena = {0};
  name_list own = {0};
  for (size_t i = 1; opt->monitors && i < opt->monitors->functions.n; i++)
    tp_vec_push(&own, opt->monitors->functions.at[i].name);
  size_t n_watched = own.n;
  tp_status st = compile_all(opt, context, &own, modules, remarks);
  for (size_t i = 0; i < opt->n_files && st == TP_OK; i++)
    find_own_library(modules[i], &arena, &own);
  if (st == TP_OK && own.n > n_watched) {
    dispose_all(modules, opt->n_files);
    st = compile_all(opt, context, &own, modules, remarks);
  }
  tp_vec_clear(&own);
  tp_arena_clear(&arena);
  return st;
}

static tp_status read_files(const tp_front_options *opt, LLVMContextRef context, LLVMModuleRef *out,
                            tp_str *remarks, tp_diag *diag) {
  *out = NULL;
  if (!opt->n_files) return TP_ERR_ARG;
  LLVMModuleRef *modules = TP_NEW_ARRAY(LLVMModuleRef, opt->n_files);
  tp_status st = compile(opt, context, modules, remarks);
  if (st == TP_OK) st = check_definitions(opt, modules, diag);
  for (size_t i = 0; i < opt->n_files && st == TP_OK; i++) {
    LLVMModuleRef m = modules[i];
    modules[i] = NULL;
    keep_inline_bodies(m);
    if (!*out)
      *out = m;
    else if (LLVMLinkModules2(*out, m))
      st = TP_ERR_INPUT;
  }
  dispose_all(modules, opt->n_files);
  tp_free(modules);
  return st;
}

// --------------------------------------------------------------------- lowering

static void set_checks(tp_fe *fe) {
  tp_property p = fe->opt->property;
  bool safety = p == TP_P_VALID_MEMSAFETY, equal = p == TP_P_EQUAL;
  fe->check_reach = p == TP_P_UNREACH_CALL || equal;
  fe->check_deref = p == TP_P_VALID_DEREF || safety || equal;
  fe->check_free = p == TP_P_VALID_FREE || safety || equal;
  fe->check_leak = p == TP_P_VALID_MEMTRACK || safety;
  fe->check_cleanup = p == TP_P_VALID_MEMCLEANUP;
  fe->check_overflow = p == TP_P_NO_OVERFLOW;
  fe->check_undefined = p == TP_P_UNDEFINED || equal;
}

static void clear(tp_fe *fe) {
  tp_map_clear(&fe->types);
  tp_vec_clear(&fe->type_nodes);
  tp_map_clear(&fe->operands);
  tp_map_clear(&fe->files);
  tp_map_clear(&fe->globals);
  tp_vec_clear(&fe->global_list);
  tp_map_clear(&fe->funcs);
  tp_vec_clear(&fe->func_values);
  tp_vec_clear(&fe->todo);
  tp_map_clear(&fe->address_taken);
  tp_map_clear(&fe->labels);
  tp_vec_clear(&fe->dispatches);
  tp_vec_clear(&fe->typed_calls);
  tp_map_clear(&fe->uninitialised);
  tp_map_clear(&fe->parts);
  tp_vec_clear(&fe->memos);
  tp_map_clear(&fe->jumpers);
  tp_vec_clear(&fe->constructors);
  tp_vec_clear(&fe->destructors);
  tp_map_clear(&fe->implicit);
  tp_map_clear(&fe->reported);
  tp_map_clear(&fe->promotable);
  tp_map_clear(&fe->effects);
  tp_vec_clear(&fe->event_sites);
  tp_vec_clear(&fe->observed_addresses);
  tp_vec_clear(&fe->events);
  tp_arena_clear(&fe->scratch);
  if (fe->layout) LLVMDisposeTargetData(fe->layout);
}

static void lower_todo(tp_fe *fe, size_t *done) {
  while (*done < fe->todo.n || fe->globals_done < fe->global_list.n) {
    if (*done < fe->todo.n) tp_fb_lower(fe, fe->todo.at[(*done)++]);
    tp_fe_images(fe);
  }
}

/* Nobody calls probes and lemmas: they are asked from outside. */
static void find_probes(tp_fe *fe) {
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f)) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (!LLVMIsDeclaration(f) && tp_front_is_asked(name)) (void)tp_fe_func(fe, f);
  }
}

/* A weak definition stands, as everywhere, unless another file of the program has one. */
static bool is_exported(LLVMValueRef f) {
  const LLVMLinkage linkage = LLVMGetLinkage(f);
  return !LLVMIsDeclaration(f) && !tp_fe_is_model(f) &&
         (linkage == LLVMExternalLinkage || linkage == LLVMWeakAnyLinkage);
}

/* Functions that other files can call get the first numbers; their number, or 0 for a whole
 * program. */
static uint32_t find_exported(tp_fe *fe) {
  uint32_t n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f))
    if (is_exported(f)) n = tp_fe_func(fe, f).id;
  return n;
}

static void lower_all(tp_fe *fe, LLVMValueRef main) {
  size_t done = 0;
  if (!main)
    fe->p->main = (tp_func){1};  // a module: its functions are all there already
  else
    fe->p->main = tp_fe_func(fe, main);
  lower_todo(fe, &done);
  find_probes(fe);
  lower_todo(fe, &done);
  tp_fe_dispatch(fe);
  tp_fe_check_typed_calls(fe);
  tp_fe_types_finish(fe);
  tp_fe_mark_absent(fe);
}

static LLVMValueRef find_main(LLVMModuleRef m, tp_diag *diag) {
  LLVMValueRef f = LLVMGetNamedFunction(m, "main");
  if (f && !LLVMIsDeclaration(f)) return f;
  tp_diag_say(diag, TP_ERROR, TP_POS_NONE, NULL,
              "the program has no function main: add one that calls what is to be verified, with "
              "inputs such as __VERIFIER_nondet_int(), or name a function (check --entry=FUNC, or "
              "--all-functions, or --module=PREFIX)");
  return NULL;
}

/* Programs that report errors by a label only: say so, since it changes what is checked. */
static void adopt_label(tp_fe *fe) {
  fe->label_is_error = fe->check_reach && !fe->opt->monitors && !tp_fe_uses_error_functions(fe);
}

/* Assembly outside of functions may define anything; what stands in these sections runs before or
 * after main. */
static void refuse_hidden_code(tp_fe *fe) {
  static const char *const sections[] = {".init_array", ".preinit_array", ".fini_array", ".ctors",
                                         ".dtors"};
  size_t n = 0;
  const char *text = LLVMGetModuleInlineAsm(fe->module, &n);
  for (size_t i = 0; i < n; i++)
    if (!strchr(" \t\n;", text[i])) {
      tp_vec_push(&fe->p->unsupported, (tp_unsupported){.what = "assembly outside of functions"});
      break;
    }
  for (LLVMValueRef g = LLVMGetFirstGlobal(fe->module); g; g = LLVMGetNextGlobal(g)) {
    const char *section = LLVMIsDeclaration(g) ? NULL : LLVMGetSection(g);
    for (size_t i = 0; section && i < sizeof sections / sizeof *sections; i++)
      if (strncmp(section, sections[i], strlen(sections[i])) == 0)
        tp_vec_push(&fe->p->unsupported,
                    (tp_unsupported){.what = "function that runs before or after main"});
  }
}

/* In check builds, between the passes: an ill-formed model is a bug of ours, which stops here. */
static bool check_model(const tp_program *p, tp_diag *diag,
                        bool (*check)(const tp_program *, tp_str *)) {
#ifdef TP_CHECKED
  tp_str why = {0};
  const bool good = check(p, &why);
  if (!good) {
    tp_diag_say(diag, TP_ERROR, TP_POS_NONE, "internal", "the program model is not well-formed: %s",
                tp_str_text(&why));
    tp_invariant_failed(__FILE__, __LINE__, tp_str_text(&why));
  }
  tp_str_clear(&why);
  return good;
#else
  (void)p, (void)diag, (void)check;
  return true;
#endif
}

/* n_exported NULL: a whole program. */
/* Pointers that a structure held, such as those of an iterator, are variables behind the first
 * turn. */
static void make_variables(tp_program *p) {
  if (tp_program_set_constant_params(p)) tp_program_finish(p);
  for (bool is_first = true;; is_first = false) {
    const bool is_split = tp_program_split_link_pointers(p);
    if ((!is_first && !is_split) || !tp_program_promote_objects(p)) return;
    tp_program_finish(p);
  }
}

static tp_status lower_module(const tp_front_options *opt, LLVMModuleRef m, tp_diag *diag,
                              tp_program **out, uint32_t *n_exported) {
  LLVMValueRef main = n_exported ? NULL : find_main(m, diag);
  if (!main && !n_exported) return TP_ERR_INPUT;
  uint32_t bits = opt->machine == TP_MACHINE_ILP32 ? 32 : 64;
  tp_fe fe = {.opt = opt,
              .p = tp_program_new(diag, bits),
              .diag = diag,
              .context = LLVMGetModuleContext(m),
              .module = m,
              .layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(m)),
              .ptr_bits = bits,
              .ptr_bytes = bits / 8,
              .is_module = n_exported != NULL};
  fe.tt = fe.p->terms;
  tp_fe_split_wide_vectors(&fe);
  set_checks(&fe);
  adopt_label(&fe);
  tp_fe_find_constructors(&fe);
  refuse_hidden_code(&fe);
  tp_fe_add_address_bodies(&fe);
  tp_fe_add_events(&fe);
  tp_fe_resolve_formats(&fe);  // events are those of the user's calls
  tp_fe_find_jumps(&fe);
  tp_fe_find_compiler_tests(&fe);
  fe.reads_bytes = tp_fe_reads_bytes(&fe);
  if (n_exported) *n_exported = find_exported(&fe);
  bool is_empty = n_exported && *n_exported == 0;
  if (is_empty)
    tp_diag_say(diag, TP_ERROR, TP_POS_NONE, NULL,
                "the module has no function that other files can call");
  else
    lower_all(&fe, main);
  bool is_valid = is_empty || check_model(fe.p, diag, tp_program_check_tables);
  tp_status st = is_empty        ? TP_ERR_INPUT
                 : !is_valid     ? TP_ERR_INTERNAL
                 : opt->monitors ? tp_monitors_apply(opt->monitors, fe.p, fe.events.at, fe.events.n)
                                 : TP_OK;
  clear(&fe);
  if (st != TP_OK) {
    tp_program_free(fe.p);
    return st;
  }
  tp_program_finish(fe.p);
  if (opt->promotes_objects) (void)tp_program_thread_jumps(fe.p);
  if (opt->promotes_objects && !n_exported) make_variables(fe.p);
  if (!check_model(fe.p, diag, tp_program_check)) {
    tp_program_free(fe.p);
    return TP_ERR_INTERNAL;
  }
  *out = fe.p;
  return TP_OK;
}

/* Behaviour that clang finds undefined in the text is no verdict: it is said at once, and beside
 * TRUE. */
static void add_remark_assumptions(tp_program *p, const char *text) {
  while (*text) {
    size_t n = strcspn(text, "\n");
    fprintf(stderr, "clang: %.*s\n", (int)n, text);
    tp_vec_push(
        &p->assumptions,
        tp_arena_printf(&p->arena, "what clang remarks is not undefined: %.*s", (int)n, text));
    text += n + 1;
  }
}

/* LLVM would end with abort() where it finds no memory; only its interface in C++ lets others
 * decide. */
typedef void (*bad_alloc_handler)(void *ctx, const char *why, _Bool wants_diagnostics);
extern void install_bad_alloc_handler(bad_alloc_handler handler, void *ctx) __asm__(
    "_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");

static void no_memory(void *ctx, const char *why, _Bool wants_diagnostics) {
  (void)ctx;
  (void)why;
  (void)wants_diagnostics;
  tp_out_of_memory(0);
}

static void handle_exhaustion(void) {
  static bool is_installed;
  if (!is_installed) install_bad_alloc_handler(no_memory, NULL);
  is_installed = true;
}

static tp_status load(const tp_front_options *opt, tp_diag *diag, tp_program **out,
                      uint32_t *n_exported) {
  handle_exhaustion();
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, report_linker_message, diag);
  LLVMModuleRef module;
  tp_str remarks = {0};
  tp_status st = read_files(opt, context, &module, &remarks, diag);
  if (st == TP_OK && !opt->without_models) st = tp_fe_link_models(opt, context, module);
  if (st == TP_OK) {
    LLVMSetIsNewDbgInfoFormat(module, 0);
    st = lower_module(opt, module, diag, out, n_exported);
  }
  if (st == TP_OK) add_remark_assumptions(*out, tp_str_text(&remarks));
  tp_str_clear(&remarks);
  if (module) LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return st;
}

tp_status tp_front_load(const tp_front_options *opt, tp_diag *diag, tp_program **out) {
  TP_REQUIRE(opt->n_files > 0 && opt->files && diag && out);
  return load(opt, diag, out, NULL);
}

tp_status tp_front_load_module(const tp_front_options *opt, tp_diag *diag, tp_program **out,
                               uint32_t *n_exported) {
  TP_REQUIRE(opt->n_files > 0 && diag && out && n_exported);
  return load(opt, diag, out, n_exported);
}
