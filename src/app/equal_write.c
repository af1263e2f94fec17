/* Names of the old version that other files could see get a head, by macros: its text is compiled
 * as it stands. Functions that end a program are renamed in both versions, so that the end of one
 * version is a call: the old one's goes on with the new version, the new one's with the comparison.
 */
#include "app/equal_write.h"

/* Heads of names of the two versions, other than those of their arguments. */
#define HEAD_OLD "twoproof_of_old_"
#define HEAD_NEW "twoproof_of_new_"

static const struct {
  const char *name, *becomes;
} ends[] =
    {{"abort", "abort"},       {"__builtin_abort", "abort"},  {"__builtin_trap", "abort"},
     {"reach_error", "abort"}, {"__VERIFIER_error", "abort"}, {"__assert_fail", "assert_fail"},
     {"exit", "exit"},         {"__builtin_exit", "exit"},    {"_exit", "exit"},
     {"_Exit", "exit"},        {"quick_exit", "exit"}},
  frees[] = {{"free", "free"},
             {"__builtin_free", "free"},
             {"realloc", "realloc"},
             {"__builtin_realloc", "realloc"}};

static const tp_type_info *type_at(const tp_equal_program *e, tp_type t) {
  return tp_type_of(e->new.program, t);
}

static bool defines(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model &&
        strcmp(p->funcs.at[i].name, name) == 0)
      return true;
  return false;
}

/* Macros and declarations in front of a version's text. prefix: what its names get. */
static void write_names(const tp_equal_program *e, const tp_program *p, const char *prefix,
                        tp_str *out) {
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (!defines(p, ends[i].name))
      tp_str_printf(out, "#define %s %s%s\n", ends[i].name, prefix, ends[i].becomes);
  for (size_t i = 0; i < sizeof frees / sizeof *frees && e->twins.objects.n; i++)
    if (!defines(p, frees[i].name))
      tp_str_printf(out, "#define %s %s%s\n", frees[i].name, prefix, frees[i].becomes);
  tp_str_printf(out,
                "extern void %sabort(void) __attribute__((__noreturn__));\n"
                "extern void %sassert_fail(const char *, const char *, unsigned, const char *) "
                "__attribute__((__noreturn__));\n"
                "extern void %sexit(int) __attribute__((__noreturn__));\n"
                "extern void %sfree(void *);\nextern void *%srealloc(void *, __SIZE_TYPE__);\n",
                prefix, prefix, prefix, prefix, prefix);
}

// ---------------------------------------------------------------- the old version

static const char *accessor(const tp_equal_program *e, const char *what, const tp_equal_global *g) {
  return tp_arena_printf(e->arena, HEAD_OLD "%s_%s", what, g->name);
}

/* Functions for what only this unit sees. */
static void write_accessors(const tp_equal_program *e, tp_str *out) {
  for (size_t i = 0; i < e->globals.n; i++) {
    const tp_equal_global *g = &e->globals.at[i];
    if (!g->is_old_static) continue;
    if (g->is_scalar)
      tp_str_printf(out,
                    "__typeof__(%s) %s(void) { return %s; }\nvoid %s(__typeof__(%s) to) { %s = to; "
                    "}\n",
                    g->name, accessor(e, "get", g), g->name, accessor(e, "set", g), g->name,
                    g->name);
    else
      tp_str_printf(out, "__typeof__(%s) *%s(void) { return &%s; }\n", g->name,
                    accessor(e, "at", g), g->name);
  }
  if (!e->is_old_static) return;
  const tp_program *p = e->old.program;
  const tp_type_info *t = tp_type_of(p, tp_func_of(p, e->old_function)->type);
  const bool is_void = !t->element.id || tp_type_of(p, t->element)->kind == TP_T_VOID;
  const char *parameters = "", *arguments = "";
  for (uint32_t i = 0; i < t->n_params; i++) {
    const char *name = tp_arena_printf(e->arena, "a%u", i + 1);
    parameters = tp_arena_printf(e->arena, "%s%s%s", parameters, i ? ", " : "",
                                 tp_environment_declared(p, t->params[i], name, e->arena));
    arguments = tp_arena_printf(e->arena, "%s%s%s", arguments, i ? ", " : "", name);
  }
  const char *head =
      tp_arena_printf(e->arena, HEAD_OLD "%s(%s)", e->name, t->n_params ? parameters : "void");
  tp_str_printf(out, "%s {\n  %s%s(%s);\n}\n",
                is_void ? tp_arena_printf(e->arena, "void %s", head)
                        : tp_environment_declared(p, t->element, head, e->arena),
                is_void                                           ? ""
                : tp_type_of(p, t->element)->kind == TP_T_POINTER ? "return (void *)"
                                                                  : "return ",
                e->name, arguments);
}

void tp_equal_write_old(const tp_equal_program *e, const char *file, bool is_first, tp_str *out) {
  const tp_program *p = e->old.program;
  tp_str_printf(out, "// %s under other names.\n#define main " HEAD_OLD "main\n", e->old.name);
  for (size_t i = 0; i < e->old_names.n; i++)
    if (strcmp(e->old_names.at[i], "main") != 0)
      tp_str_printf(out, "#define %s " HEAD_OLD "%s\n", e->old_names.at[i], e->old_names.at[i]);
  write_names(e, p, HEAD_OLD, out);
  tp_str_printf(out, "#include \"%s\"\n", file);
  if (is_first) write_accessors(e, out);
}

// ---------------------------------------------------------------- the new version

const char *tp_equal_old_global(const tp_equal_program *e, const tp_equal_global *g) {
  if (!g->is_old_static) return tp_arena_printf(e->arena, HEAD_OLD "%s", g->name);
  if (g->is_scalar) return tp_arena_printf(e->arena, "%s()", accessor(e, "get", g));
  return tp_arena_printf(e->arena, "(*%s())", accessor(e, "at", g));
}

static void declare_globals(const tp_equal_program *e, tp_str *out) {
  for (size_t i = 0; i < e->globals.n; i++) {
    const tp_equal_global *g = &e->globals.at[i];
    if (!g->is_old_static)
      tp_str_printf(out, "extern __typeof__(%s) " HEAD_OLD "%s;\n", g->name, g->name);
    else if (g->is_scalar)
      tp_str_printf(out, "extern __typeof__(%s) %s(void);\nextern void %s(__typeof__(%s));\n",
                    g->name, accessor(e, "get", g), accessor(e, "set", g), g->name);
    else
      tp_str_printf(out, "extern __typeof__(%s) *%s(void);\n", g->name, accessor(e, "at", g));
  }
}

/* Variables that may have any value have the same one in both versions. */
static void free_globals(tp_equal_program *e) {
  tp_str *out = &e->twins.statements;
  for (size_t i = 0; i < e->globals.n; i++) {
    const tp_equal_global *g = &e->globals.at[i];
    if (!g->is_free) continue;
    uint32_t line = 1;
    for (size_t k = 0; k < out->n; k++) line += out->text[k] == '\n';
    tp_vec_push(&e->twins.draws, (tp_env_draw){g->is_scalar ? TP_DRAW_VALUE : TP_DRAW_BYTES, line,
                                               g->name, g->type});
    const char *old = tp_equal_old_global(e, g);
    if (!g->is_scalar)
      tp_str_printf(out,
                    "  __VERIFIER_nondet_memory(&%s, sizeof %s);\n  __builtin_memcpy(&%s, &%s, "
                    "sizeof %s);\n",
                    g->name, g->name, old, g->name, g->name);
    else
      tp_str_printf(out, "  %s = %s();\n", g->name, tp_input_function_of(type_at(e, g->type)));
    if (g->is_scalar && g->is_old_static)
      tp_str_printf(out, "  %s(%s);\n", accessor(e, "set", g), g->name);
    else if (g->is_scalar)
      tp_str_printf(out, "  %s = %s;\n", old, g->name);
  }
}

/* Where pointers lead to: 1: to the same place, 0: to different ones, 2: to objects that neither
 * version was given. */
static void write_place(const tp_equal_program *e, tp_str *out) {
  tp_str_add(out,
             "static int twoproof_place(const void *new, const void *old) {\n"
             "  if (!new || !old) return !new && !old;\n");
  static const char test[] =
      "  if (%s) {\n    _Bool a = __twoproof_within(new, %s, %s), b = __twoproof_within(old, %s, "
      "%s);\n    if (a || b) return a && b && (const char *)new - (const char *)%s == (const char "
      "*)old - (const char *)%s;\n  }\n";
  for (size_t i = 0; i < e->twins.objects.n; i++) {
    const tp_env_object *o = &e->twins.objects.at[i];
    if (o->is_in_table) continue;
    const bool is_bytes = !o->element.id || type_at(e, o->element)->kind == TP_T_VOID;
    const char *other = tp_environment_other(e->arena, o->name),
               *unit = is_bytes ? "1" : tp_arena_printf(e->arena, "sizeof *%s", o->name),
               *size = o->n ? tp_arena_printf(e->arena, "%s * %s", o->n, unit) : unit;
    tp_str_printf(out, test, o->name, o->name, size, other, size, o->name, other);
  }
  for (size_t i = 0; i < e->globals.n; i++) {
    const tp_equal_global *g = &e->globals.at[i];
    if (g->is_scalar) continue;
    const char *new = tp_arena_printf(e->arena, "&%s", g->name),
               *old = tp_arena_printf(e->arena, "&%s", tp_equal_old_global(e, g)),
               *size = tp_arena_printf(e->arena, "sizeof %s - 1", g->name);
    tp_str_printf(out, test, "1", new, size, old, size, new, old);
  }
  if (e->twins.has_table)
    tp_str_printf(
        out,
        "  for (unsigned long i = 0; i < twoproof_n_others; i++) {\n    const struct "
        "twoproof_other *o = &twoproof_others[i];\n    _Bool a = __twoproof_within(new, "
        "o->new, o->size), b = __twoproof_within(old, o->old, o->size);\n    if (a || b) "
        "return a && b && (const char *)new - (const char *)o->new == (const char *)old - "
        "(const char *)o->old;\n  }\n");
  tp_str_add(out, "  return 2;\n}\n");
}

/* What a version frees of what it was given is noted. */
static void write_frees(const tp_equal_program *e, const char *prefix, bool is_old, tp_str *out) {
  const char *side = is_old ? "old" : "new";
  if (e->twins.objects.n == 0) return;
  tp_str_printf(out, "static void twoproof_note_%s(const void *p) {\n  if (!p) return;\n", side);
  for (size_t i = 0; i < e->twins.objects.n; i++) {
    const tp_env_object *o = &e->twins.objects.at[i];
    if (!o->is_in_table)
      tp_str_printf(out, "  if (p == (const void *)%s) twoproof_freed_%s%zu = 1;\n",
                    is_old ? tp_environment_other(e->arena, o->name) : o->name, side, i);
  }
  if (e->twins.has_table)
    tp_str_printf(out,
                  "  for (unsigned long i = 0; i < twoproof_n_others; i++)\n    if (p == "
                  "twoproof_others[i].%s) twoproof_others[i].is_%s_freed = 1;\n",
                  side, side);
  // the names stand for these functions here: the real ones have them in parentheses
  tp_str_printf(out,
                "}\nvoid %sfree(void *p) {\n  twoproof_note_%s(p);\n  twoproof_free(p);\n}\n"
                "void *%srealloc(void *p, __SIZE_TYPE__ n) {\n  twoproof_note_%s(p);\n  return "
                "twoproof_realloc(p, n);\n}\n",
                prefix, side, prefix, side);
}

static void declare_state(const tp_equal_program *e, tp_str *out) {
  tp_str_add(out,
             "extern void __VERIFIER_error(void);\n"
             "_Bool __twoproof_within(const void *p, const void *start, unsigned long n) {\n  "
             "return (unsigned long)p - (unsigned long)start <= n;\n}\n"
             "static int twoproof_side, twoproof_end_old, twoproof_status_old, twoproof_end_new, "
             "twoproof_status_new, twoproof_place_is, twoproof_unsure;\n"
             "static unsigned long long twoproof_value_old, twoproof_value_new;\n"
             "static double twoproof_float_old, twoproof_float_new;\n"
             "static unsigned long twoproof_k;\n");
  for (uint32_t i = 0; i < e->comparer.n_counters; i++)
    tp_str_printf(out, "static unsigned long twoproof_k%u;\n", i);
  for (size_t i = 0; i < e->twins.objects.n; i++)
    if (!e->twins.objects.at[i].is_in_table)
      tp_str_printf(out, "static _Bool twoproof_freed_old%zu, twoproof_freed_new%zu;\n", i, i);
  if (e->twins.has_table)
    tp_str_add(
        out,
        "static struct twoproof_other {\n  unsigned what;\n  void *new, *old;\n  unsigned "
        "long n, size;\n  _Bool is_new_freed, is_old_freed;\n} twoproof_others[256];\n"
        "static unsigned long twoproof_n_others;\n"
        "#define twoproof_list(number, first, second, count) (twoproof_others[twoproof_n_others] "
        "= (struct twoproof_other){number, (void *)first, (void *)second, count, (count) * "
        "sizeof *first, 0, 0}, twoproof_n_others++)\n");
  tp_str_add(out,
             "static int twoproof_same_float(double a, double b) {\n  return a == b ? a != 0 || "
             "__builtin_signbit(a) == __builtin_signbit(b) : a != a && b != b;\n}\n"
             "static int twoproof_place(const void *new, const void *old);\n"
             "static int twoproof_same_argument(const void *kept, int side, const void *given) {\n"
             "  if (side == twoproof_side) return kept == given;\n"
             "  const int place = side == 2 ? twoproof_place(kept, given) : twoproof_place(given, "
             "kept);\n"
             "  if (place == 2) twoproof_unsure = 1;\n  return place == 1;\n}\n");
}

/* "f(a, b)": the call of a version. */
static const char *call_of(const tp_equal_program *e, bool is_old) {
  const tp_type_info *t = type_at(e, tp_func_of(e->new.program, e->new_function)->type);
  const char *text = tp_arena_printf(e->arena, "%s%s(", is_old ? HEAD_OLD : "", e->name);
  for (uint32_t i = 0; i < t->n_params; i++) {
    const tp_type_info *a = type_at(e, t->params[i]);
    const char *name = e->twins.arguments.at[i];
    const bool is_pointer = a->kind == TP_T_POINTER;  // types of the model have no const
    text = tp_arena_printf(e->arena, "%s%s%s%s", text, i ? ", " : "", is_pointer ? "(void *)" : "",
                           is_old ? tp_environment_other(e->arena, name) : name);
  }
  return tp_arena_printf(e->arena, "%s)", text);
}

static tp_type result_of(const tp_equal_program *e) {
  const tp_type_info *t = type_at(e, tp_func_of(e->new.program, e->new_function)->type);
  return t->element.id && type_at(e, t->element)->kind != TP_T_VOID ? t->element : TP_TYPE_NONE;
}

static void write_comparison(tp_equal_program *e) {
  tp_equal_comparer *c = &e->comparer;
  tp_equal_compare_line(c, TP_DIFFERS_END, "twoproof_end_old != twoproof_end_new", "");
  tp_equal_compare_line(c, TP_DIFFERS_STATUS,
                        "twoproof_end_old == 2 && twoproof_status_old != twoproof_status_new", "");
  tp_str_add(&c->text, "  if (twoproof_end_old) return;\n");
  const tp_type result = result_of(e);
  if (result.id) tp_equal_compare_result(c, result, "twoproof_result_new", "twoproof_result_old");
  for (size_t i = 0; i < e->twins.objects.n; i++)
    tp_equal_compare_object(c, &e->twins.objects.at[i], i);
  for (size_t i = 0; i < e->globals.n; i++) {
    const tp_equal_global *g = &e->globals.at[i];
    tp_equal_compare(c, g->type, g->name, tp_equal_old_global(e, g), g->name);
  }
}

static void write_calls(const tp_equal_program *e, tp_str *out) {
  const bool has_result = result_of(e).id != 0;
  const char *cast = has_result && type_at(e, result_of(e))->kind == TP_T_POINTER ? "(void *)" : "";
  tp_str_printf(out,
                "static void twoproof_stop(void) {\n  __VERIFIER_assume(0);\n  for (;;);\n}\n"
                "static void twoproof_call_new(void) {\n  twoproof_side = 2;\n  %s%s%s;\n  "
                "twoproof_side = 0;\n  " TP_EQUAL_COMPARISON "();\n}\n",
                has_result ? "twoproof_result_new = " : "", has_result ? cast : "",
                call_of(e, false));
  static const char end[] =
      "void %s%s {\n  twoproof_side = 0;\n  twoproof_end_%s = %d;\n%s  %s();\n  "
      "twoproof_stop();\n}\n";
  for (int is_old = 0; is_old < 2; is_old++) {
    const char *prefix = is_old ? HEAD_OLD : HEAD_NEW, *side = is_old ? "old" : "new",
               *next = is_old ? "twoproof_call_new" : TP_EQUAL_COMPARISON;
    tp_str_printf(out, end, prefix, "abort(void)", side, 1, "", next);
    tp_str_printf(out, end, prefix,
                  "assert_fail(const char *text, const char *file, unsigned line, const char "
                  "*function)",
                  side, 1, "  (void)text, (void)file, (void)line, (void)function;\n", next);
    tp_str_printf(out, end, prefix, "exit(int status)", side, 2,
                  tp_arena_printf(e->arena, "  twoproof_status_%s = status;\n", side), next);
  }
}

static uint32_t n_lines(const tp_str *text) {
  uint32_t n = 0;
  for (size_t i = 0; i < text->n; i++) n += text->text[i] == '\n';
  return n;
}

void tp_equal_write_main(tp_equal_program *e, tp_str *out) {
  TP_REQUIRE(e && out);
  free_globals(e);
  write_comparison(e);
  tp_str_printf(out,
                "// Calls %s of %s and of %s with the same arguments, compares what they did.\n"
                "static void twoproof_free(void *p) { __builtin_free(p); }\n"
                "static void *twoproof_realloc(void *p, __SIZE_TYPE__ n) { return "
                "__builtin_realloc(p, n); }\n"
                "#define main " HEAD_NEW "main\n",
                e->name, e->old.name, e->new.name);
  write_names(e, e->new.program, HEAD_NEW, out);
  tp_str_printf(out, "#include \"%s\"\n#undef main\n#undef __VERIFIER_error\n%s", e->new_path,
                tp_input_declarations);
  declare_state(e, out);
  tp_str_add(out, tp_str_text(&e->twins.declarations));
  const tp_type result = result_of(e);
  for (int is_old = 0; is_old < 2 && result.id; is_old++)
    tp_str_printf(
        out, "static %s;\n",
        tp_environment_declared(e->new.program, result,
                                is_old ? "twoproof_result_old" : "twoproof_result_new", e->arena));
  tp_str_printf(out, "extern __typeof__(%s) " HEAD_OLD "%s;\n", e->name, e->name);
  declare_globals(e, out);
  write_place(e, out);
  write_frees(e, HEAD_OLD, true, out);
  write_frees(e, HEAD_NEW, false, out);
  tp_str_add(out, "static void " TP_EQUAL_COMPARISON "(void) {\n");
  e->first_site = n_lines(out);
  tp_str_printf(out, "%s}\n", tp_str_text(&e->comparer.text));
  write_calls(e, out);
  tp_str_add(out, "int main(void) {\n");
  e->first_draw = n_lines(out);
  const char *cast = result.id && type_at(e, result)->kind == TP_T_POINTER ? "(void *)" : "";
  tp_str_printf(
      out,
      "%s  twoproof_side = 1;\n  %s%s%s;\n  twoproof_side = 0;\n  twoproof_call_new();\n  "
      "return 0;\n}\n",
      tp_str_text(&e->twins.statements), result.id ? "twoproof_result_old = " : "",
      result.id ? cast : "", call_of(e, true));
}
