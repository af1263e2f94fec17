/* The harness: a C file that plays the world around the program under test.
 *
 * It defines every function that asked for an input in the recorded run (and stubs for functions
 * that nobody defines), gives the answers in the recorded order, and checks that the compiled
 * program asks the same questions: another name means that its run is not the recorded one.
 * What models of library functions asked for is answered to the same models, which are then linked.
 * The fixed text is in lib/harness, what checks a run beside the world in harness_checks.c. The
 * file stands on its own: `cc -finstrument-functions program.c harness.c && ./a.out; echo $?`. */
#include "certify/certify_limits.h"
#include "certify/runs/native_monitors.h"
#include "certify/runs/native_replay_priv.h"
#include "term/x87.h"

#include <dlfcn.h>
#include <link.h>

// Made by the Makefile from lib/harness.
static const char *const base[] = {
#include "certify/runs/base.inc"
};
static const char *const replay[] = {
#include "certify/runs/replay.inc"
};
static const char *const random_answers[] = {
#include "certify/runs/random.inc"
};
static const char *const indeterminate[] = {
#include "certify/runs/indeterminate.inc"
};
static const char *const allocation[] = {
#include "certify/runs/allocation.inc"
};
static const char *const red_zones[] = {
#include "certify/runs/red_zones.inc"
};
static const char *const argv_copies[] = {
#include "certify/runs/argv.inc"
};
static const char *const models[] = {
#include "certify/runs/models.inc"
};
static const char *const by_clock[] = {
#include "certify/runs/by_clock.inc"
};
#define ADD_LINES(lines) tp_chk_harness_add(lines, sizeof lines / sizeof *lines, out)

static bool is_keyword(const char *s) {
  static const char *const keywords[] = {
      "asm",      "auto",   "break",    "case",   "char",     "const",    "continue", "default",
      "do",       "double", "else",     "enum",   "extern",   "float",    "for",      "goto",
      "if",       "inline", "int",      "long",   "register", "restrict", "return",   "short",
      "signed",   "sizeof", "static",   "struct", "switch",   "typedef",  "typeof",   "union",
      "unsigned", "void",   "volatile", "while"};
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strcmp(s, keywords[i]) == 0) return true;
  return false;
}

/* A C identifier, so that a name from a file cannot become anything else in the harness; asm("...")
 * calls functions also "int" or "a b". */
static bool is_identifier(const char *s) {
  if (!s || !s[0] || (s[0] >= '0' && s[0] <= '9') || is_keyword(s)) return false;
  for (; *s; s++)
    if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') ||
          *s == '_'))
      return false;
  return true;
}

static bool is_memory_request(const tp_input *in) {
  return in->width_bits == 0 && in->name && strcmp(in->name, "__VERIFIER_nondet_memory") == 0;
}
/* Models of <math.h> call compiler builtins that may end in themselves; they are never linked, and
 * what they ask for is their result. */
static bool is_mathematical(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (!f->is_model || strcmp(f->name, name) != 0) continue;
    const char *path = tp_diag_path(p->diag, f->pos.file), *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, "math.c") == 0;
  }
  return false;
}
static bool is_asked_by_model(const tp_chk_native_request *r, const tp_input *in) {
  return in->kind == TP_I_ENVIRONMENT && r->n_models > 0 && !is_mathematical(r->program, in->name);
}

bool tp_chk_native_has_library(const char *name) {
  static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
  bool found = false;
  for (size_t i = 0; i < 2 && !found; i++) {
    void *lib = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
    found = lib && dlsym(lib, name);
    if (lib) dlclose(lib);
  }
  return found;
}

bool tp_chk_native_has_variable(const char *name) {
  void *lib = dlopen("libc.so.6", RTLD_LAZY | RTLD_LOCAL), *at = lib ? dlsym(lib, name) : NULL;
  Dl_info info;
  ElfW(Sym) *symbol = NULL;
  bool found = at && dladdr1(at, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
               ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT;
  if (lib) dlclose(lib);
  return found;
}

/* Does the run rest on values that the C library computes? Such a function is never played: what
 * the model lets it return is more than what it really returns. */
bool tp_chk_native_needs_library(const tp_chk_native_request *r) {
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if ((tp_input_is_guess(in) && !r->guesses_are_unused) ||
        (in->kind == TP_I_EXTERN && in->name && tp_chk_native_has_library(in->name)))
      return true;
  }
  return false;
}

/* Does a request for memory fail? (The front end's choice under --malloc=may-fail.) */
static bool is_allocation(const tp_input *in) {
  return in->kind == TP_I_ENVIRONMENT &&
         (strcmp(in->name, "malloc fails") == 0 || strcmp(in->name, "calloc fails") == 0);
}

bool tp_chk_harness_denies_memory(const tp_chk_native_request *r) {
  for (size_t i = 0; i < r->inputs->v.n && !r->is_random; i++)
    if (is_allocation(&r->inputs->v.at[i])) return true;
  return false;
}

bool tp_chk_harness_widens(const tp_chk_native_request *r) {
  return r->violated == TP_P_VALID_DEREF;
}

bool tp_chk_harness_wraps_allocation(const tp_chk_native_request *r) {
  return tp_chk_harness_denies_memory(r) || r->fills_indeterminate || tp_chk_harness_widens(r);
}

/* Can the compiled program be given this input? */
static bool is_fed(const tp_chk_native_request *r, const tp_input *in) {
  switch (in->kind) {
    case TP_I_NONDET:
      return is_identifier(in->name) && (in->width_bits > 0 || is_memory_request(in));
    case TP_I_EXTERN:
      return is_identifier(in->name) && in->width_bits > 0 && !tp_chk_native_has_library(in->name);
    case TP_I_ENVIRONMENT:
      if (is_allocation(in)) return !r->is_random;
      // a guess is what a model asks; without models the library itself computes it
      if (r->real_library || !is_identifier(in->name + tp_input_is_guess(in))) return false;
      return is_asked_by_model(r, in) || (in->width_bits > 0 && !tp_input_is_guess(in));
    case TP_I_ARGS: return true;
    case TP_I_INDETERMINATE:
    case TP_I_VOLATILE: return false;
  }
  return false;
}
static bool is_listed(const tp_chk_native_request *r, const tp_input *in) {
  return in->kind != TP_I_ARGS && is_fed(r, in);
}

/* No other type that a function can return has this width. */
static bool is_long_double(const tp_input *in) { return in->width_bits == TP_X87_BITS; }

static const char *c_type(const tp_input *in) {
  if (in->is_float) return in->width_bits == 32 ? "float" : "double";
  if (is_long_double(in)) return "long double";
  if (in->width_bits == 1) return "_Bool";
  if (in->width_bits <= 8) return in->is_signed ? "signed char" : "unsigned char";
  if (in->width_bits <= 16) return in->is_signed ? "short" : "unsigned short";
  if (in->width_bits <= 32) return in->is_signed ? "int" : "unsigned int";
  if (in->width_bits <= 64) return in->is_signed ? "long long" : "unsigned long long";
  return in->is_signed ? "__int128" : "unsigned __int128";
}

static uint64_t key_of(const char *name) { return tp_hash_bytes(name, strlen(name), 0); }

/* Contents of memory, as arrays that the table points to. */
static void write_bytes(const tp_chk_native_request *r, tp_str *out) {
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (!is_listed(r, in) || in->width_bits > 0 || in->n_bytes == 0) continue;
    tp_str_printf(out, "static const unsigned char tp_bytes%zu[] = {", i);
    for (size_t k = 0; k < in->n_bytes; k++) tp_str_printf(out, "%s%u", k ? "," : "", in->bytes[k]);
    tp_str_add(out, "};\n");
  }
}

static bool is_repeated(const tp_input *a, const tp_input *b) {
  return a->width_bits > 0 && a->width_bits == b->width_bits && a->bits == b->bits &&
         a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
         memcmp(&a->pos, &b->pos, sizeof a->pos) == 0 && !a->callee && !b->callee;
}

/* How many inputs behind input i are the same: one entry of the table stands for all, as compilers
 * need seconds for a table of a hundred thousand. */
static size_t count_repeated(const tp_chk_native_request *r, size_t i) {
  const size_t n = r->inputs->v.n;
  size_t again = 0;
  while (i + again + 1 < n && is_repeated(&r->inputs->v.at[i], &r->inputs->v.at[i + again + 1]))
    again++;
  return again >= TP_CERTIFY_HARNESS_REPEATED ? again : 0;
}

static void write_entry(const tp_chk_native_request *r, size_t i, size_t again, tp_str *out) {
  const tp_input *in = &r->inputs->v.at[i];
  if (in->width_bits > 0)
    tp_str_printf(out, "  {\"%s\", 0x%llxu, 0x%llxu, 0", in->name, (unsigned long long)in->bits,
                  (unsigned long long)(in->bits >> 64));
  else if (in->n_bytes > 0)
    tp_str_printf(out, "  {\"%s\", %zuu, 0, tp_bytes%zu", in->name, in->n_bytes, i);
  else
    tp_str_printf(out, "  {\"%s\", 0, 0, 0", in->name);
  if (again) tp_str_printf(out, ", %zuu", again);
  tp_str_add(out, "},");
  if (tp_pos_known(tp_input_pos(in))) {
    tp_str_add(out, "  // ");
    tp_pos_print(r->program->diag, tp_input_pos(in), out);
  }
  if (again)
    tp_str_printf(out, "%s %zu times", tp_pos_known(tp_input_pos(in)) ? "," : "  //", again + 1);
  tp_str_add(out, "\n");
}

static void write_vector(const tp_chk_native_request *r, tp_chk_native_report *report) {
  tp_str *out = &report->harness;
  write_bytes(r, out);
  tp_str_add(out,
             "static const struct tp_input {\n  const char *who;\n  tp_u64 low, high;\n  const "
             "unsigned char *bytes;\n  unsigned long again;\n} tp_inputs[] = {\n");
  report->n_fed = report->n_unfed = 0;
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (!is_fed(r, in) &&
        !((r->zeroes_indeterminate || r->fills_indeterminate) && in->kind == TP_I_INDETERMINATE))
      report->n_unfed++;
    if (!is_listed(r, in)) continue;
    const size_t again = count_repeated(r, i);
    write_entry(r, i, again, out);
    report->n_fed += again + 1;
    i += again;
  }
  tp_str_printf(out, "  {\"\", 0, 0, 0}};\nenum { TP_INPUTS = %zu };\n\n", report->n_fed);
}

/* Indeterminate values, each with the number of questions before it. */
static void write_unknowns(const tp_chk_native_request *r, tp_str *out) {
  TP_REQUIRE(!r->is_random);
  size_t asked = 0, n = 0;
  tp_str table = {0};
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (is_listed(r, in)) asked++;
    if (in->kind != TP_I_INDETERMINATE || !is_identifier(in->name)) continue;
    size_t bytes = in->width_bits ? (in->width_bits + 7) / 8 : in->n_bytes;
    tp_str_printf(&table, "  {\"%s\", %u, %zu, %zu, \"", in->name, in->pos.line, asked, bytes);
    for (size_t k = 0; k < bytes; k++)
      tp_str_printf(&table, "\\x%02x",
                    in->width_bits ? (unsigned)(in->bits >> 8 * k) & 0xff : in->bytes[k]);
    tp_str_add(&table, "\"},\n");
    n++;
  }
  tp_str_printf(out,
                "static const struct tp_unknown {\n  const char *name;\n  unsigned line;\n  "
                "unsigned long asked;\n  tp_size n;\n"
                "  const char *bytes;\n} tp_unknowns[%zu] = {\n%s};\nenum { TP_UNKNOWNS = %zu };\n",
                n + 1, tp_str_text(&table), n);
  tp_str_clear(&table);
}

/* The function that asked for this input. 32- and 64-bit floats travel as bits. Narrow integers
 * come as int, as callers without a declaration expect them. */
static void write_source(const tp_input *in, bool is_random, tp_str *out) {
  TP_REQUIRE(is_identifier(in->name) && in->width_bits > 0);
  const char *type = c_type(in);
  tp_str_printf(out, "QUIET %s %s() {\n  struct tp_input in = tp_next(\"%s\"",
                in->is_float || in->width_bits >= 32 ? type : "int", in->name, in->name);
  if (is_random) tp_str_printf(out, ", %u", (unsigned)in->width_bits);
  tp_str_add(out, ");\n");
  if (in->is_float)
    tp_str_printf(
        out,
        "  %s value;\n  __builtin_memcpy(&value, &in.low, sizeof value);\n  return value;\n}\n\n",
        type);
  else if (is_long_double(in))
    tp_str_add(out,
               "  struct { tp_u64 low; unsigned short high; } parts = {in.low, (unsigned short)"
               "in.high};\n  long double value;\n  __builtin_memcpy(&value, &parts, 10);\n"
               "  return value;\n}\n\n");
  else if (in->width_bits > 64)
    tp_str_printf(out, "  return (%s)((unsigned __int128)in.high << 64 | in.low);\n}\n\n", type);
  else
    tp_str_printf(out, "  return (%s)in.low;\n}\n\n", type);
}

/* Functions with a meaning of their own, for programs that only declare them (or not even that).
 * Weak: the program's own definitions come first. */
static const struct {
  const char *name, *body;
} known[] = {
    {"__VERIFIER_assume", "(int c) { tp_assumed(c); }"},
    {"assume", "(int c) { tp_assumed(c); }"},
    {"__ESBMC_assume", "(int c) { tp_assumed(c); }"},
    {"__CPROVER_assume", "(int c) { tp_assumed(c); }"},
    {"assume_abort_if_not", "(int c) { tp_assumed(c); }"},
    {"assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"__VERIFIER_assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"__ESBMC_assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"__CPROVER_assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"__SMACK_assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"reach_error", "() { tp_failed(\"reach_error\", __builtin_return_address(0)); }"},
    {"__VERIFIER_error", "() { tp_failed(\"__VERIFIER_error\", __builtin_return_address(0)); }"},
    {"error", "() { tp_failed(\"error\", __builtin_return_address(0)); }"},
    // builtins that the build had to rename
    {"tp___builtin_trap", "() { tp_end(110, \"__builtin_trap\", \"\"); }"},
    {"tp___builtin_unreachable", "() { tp_end(110, \"__builtin_unreachable\", \"\"); }"}};

static bool is_known(const char *name) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0) return true;
  return false;
}

static void write_known(const tp_map *done, tp_str *out) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!tp_map_has(done, key_of(known[i].name)))
      tp_str_printf(out, "__attribute__((weak)) QUIET void %s%s\n", known[i].name, known[i].body);
  tp_str_add(out, "\n");
}
/* Functions that nobody defines and the vector does not mention. */
static void write_stub(const char *name, tp_str *out) {
  if (!is_known(name) && !tp_chk_native_has_library(name))
    tp_str_printf(
        out,
        "QUIET long %s() {\n  tp_print(\"twoproof: not recorded: %s\\n\");\n  return 0;\n}\n\n",
        name, name);
}

/* Functions that the program may ask and the run did not: the linker needs them, and a build that
 * fails at the link is made again with other options. Where people link the harness, these are all;
 * else what the C library has stays the library's. */
static void write_unasked(const tp_chk_native_request *r, tp_map *done, tp_str *out) {
  const tp_program *p = r->program;
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    const bool is_asked = e->kind == TP_E_HAVOC && e->input == TP_I_NONDET && e->from.id &&
                          e->name && is_identifier(e->name) &&
                          !tp_func_of(p, tp_loc_of(p, e->from)->func)->is_model;
    if (!is_asked || tp_map_has(done, key_of(e->name))) continue;
    tp_map_set(done, key_of(e->name), 1);
    if (!r->is_alone && tp_chk_native_has_library(e->name)) continue;
    tp_str_printf(out, "QUIET long %s() {\n  tp_next(\"%s\");\n  return 0;\n}\n\n", e->name,
                  e->name);
  }
}

static void write_functions(const tp_chk_native_request *r, tp_str *out) {
  tp_map done = {0};
  const tp_program *p = r->program;
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model)
      tp_map_set(&done, key_of(p->funcs.at[i].name), 1);
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (!is_listed(r, in) || is_asked_by_model(r, in) || is_allocation(in) ||
        tp_map_has(&done, key_of(in->name)))
      continue;
    tp_map_set(&done, key_of(in->name), 1);
    if (!is_memory_request(in)) write_source(in, r->is_random, out);
  }
  for (size_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (f->has_body || f->is_model || !is_identifier(f->name) || tp_map_has(&done, key_of(f->name)))
      continue;
    if (is_known(f->name)) {
      // error() with arguments is the C library's, from <error.h>
      if (strcmp(f->name, "error") == 0 && f->type.id && tp_type_of(p, f->type)->n_params > 0)
        tp_map_set(&done, key_of("error"), 1);
      continue;
    }
    tp_map_set(&done, key_of(f->name), 1);
    bool is_given = strcmp(f->name, "__assert_fail") == 0 ||
                    (!r->is_random && strcmp(f->name, "__VERIFIER_nondet_memory") == 0) ||
                    (r->n_models > 0 && strncmp(f->name, "__tp_", 5) == 0);
    if (!is_given) write_stub(f->name, out);
  }
  if (!r->is_random) write_unasked(r, &done, out);
  write_known(&done, out);
  tp_map_clear(&done);
}

/* A variable that is declared everywhere and defined nowhere. */
static void write_variable(const char *name, uint64_t size_bytes, tp_map *done, tp_str *out) {
  if (!is_identifier(name) || tp_map_has(done, key_of(name)) || tp_chk_native_has_library(name))
    return;
  tp_map_set(done, key_of(name), 1);
  tp_str_printf(out, "__attribute__((weak, aligned(16))) char %s[%llu];\n", name,
                (unsigned long long)(size_bytes ? size_bytes : 1));
}

static void write_variables(const tp_program *p, tp_str *out) {
  tp_map done = {0};
  for (size_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    if (s->is_extern && s->kind == TP_O_GLOBAL) write_variable(s->name, s->size_bytes, &done, out);
  }
  for (size_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->kind == TP_V_GLOBAL && !tp_term_is(v->initial))
      write_variable(v->name, tp_sort_bytes(p->terms, tp_sort_of(p->terms, v->term)), &done, out);
  }
  tp_map_clear(&done);
}

void tp_chk_harness_write(const tp_chk_native_request *r, tp_chk_native_report *report) {
  TP_REQUIRE(r->program && r->inputs && !report->harness.n);
  tp_str *out = &report->harness;
  tp_str_printf(out, "enum { TP_CHECKS_REACH = %d };\n#define TP_OWN_ASSERT %d\n",
                r->violated == TP_P_UNREACH_CALL,
                tp_chk_harness_is_own(r->program, "__assert_fail"));
  tp_str_printf(
      out, "#define TP_DENIES_MEMORY %d\n#define TP_HAS_MODELS %d\n#define TP_KEEPS_ENDED %d\n",
      tp_chk_harness_denies_memory(r), r->n_models > 0, r->storage == TP_CHK_STORAGE_ENDED_TOO);
  tp_str_printf(out, "#define TP_ENDS_WITH_INPUTS %d\n", r->ends_with_inputs);
  ADD_LINES(base);
  if (r->ends_by_clock) ADD_LINES(by_clock);
  if (r->is_random) {
    ADD_LINES(random_answers);
  } else {
    write_vector(r, report);
    ADD_LINES(replay);
  }
  if (r->fills_indeterminate) {
    write_unknowns(r, out);
    ADD_LINES(indeterminate);
  }
  if (tp_chk_harness_wraps_allocation(r)) {
    if (!r->fills_indeterminate) tp_str_add(out, "#define tp_allocated(p, n) ((void)0)\n");
    if (!tp_chk_harness_widens(r)) {
      tp_str_add(out, "#define tp_guarded(p, n) (p)\n");
    } else {
      ADD_LINES(red_zones);
      ADD_LINES(argv_copies);
    }
    ADD_LINES(allocation);
  }
  if (r->n_models > 0) ADD_LINES(models);
  tp_chk_harness_write_checks(r, out);
  write_functions(r, out);
  write_variables(r->program, out);
  tp_chk_monitor_harness(r, out);
}

/* ARGS inputs come as argc, then the strings argv[0] .. argv[argc - 1]. */
bool tp_chk_harness_arguments(const tp_chk_native_request *r, tp_arena *arena, const char ***out,
                              size_t *n) {
  TP_REQUIRE(out && n);
  TP_VEC(const char *) strings = {0};
  uint64_t argc = 1;
  bool has_argc = false;
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (in->kind != TP_I_ARGS) continue;
    if (in->width_bits > 0 && !has_argc) {
      argc = (uint64_t)in->bits & 0xffffffffu;
      has_argc = true;
    } else if (in->width_bits == 0) {
      tp_vec_push(&strings, tp_arena_strndup(arena, (const char *)in->bytes,
                                             strnlen((const char *)in->bytes, in->n_bytes)));
    }
  }
  bool ok = argc >= 1 && argc <= INT16_MAX;  // as many as front/ lets main have
  if (ok) {
    *n = (size_t)argc;
    *out = tp_arena_array(arena, const char *, argc + 1);
    for (size_t i = 0; i < argc; i++)
      (*out)[i] = i < strings.n ? strings.at[i] : i ? "" : "program";
  }
  tp_vec_clear(&strings);
  return ok;
}
