/* Functions that pointers of arguments lead to, and functions without body where two versions are
 * compared: texts of C that return what they draw, and change nothing. */
#include "app/environment_priv.h"

#include "app/app_limits.h"

/* Does the k-th argument agree with one of the earlier call i? */
static const char *argument_matches(const tp_environment *w, tp_type type, uint32_t k,
                                    const char *name) {
  const tp_type_info *t = tp_env_type(w, type);
  const char *kept = tp_arena_printf(w->arena, "twoproof_%s_a%u[i]", name, k),
             *given = tp_arena_printf(w->arena, "a%u", k);
  if (t->kind == TP_T_POINTER)
    return tp_arena_printf(w->arena, "twoproof_same_argument(%s, twoproof_%s_side[i], %s)", kept,
                           name, given);
  return tp_arena_printf(
      w->arena, t->kind == TP_T_FLOAT ? "twoproof_same_float(%s, %s)" : "%s == %s", kept, given);
}

/* The same for two versions: the same arguments give the same answer, of whichever version asks. */
static void write_answers(tp_environment *w, const tp_type_info *t, const char *head,
                          const char *name, const char *draw) {
  tp_str *out = &w->stubs;
  tp_str_printf(out, "static unsigned long twoproof_%s_n;\nstatic int twoproof_%s_side[%d];\n",
                name, name, TP_APP_EQUAL_ANSWERS);
  const char *matches = "1", *keeps = "";
  for (uint32_t i = 0; i < t->n_params; i++) {
    const tp_type_info *a = tp_env_type(w, t->params[i]);
    const char *kept =
        tp_arena_printf(w->arena, "twoproof_%s_a%u[%d]", name, i + 1, TP_APP_EQUAL_ANSWERS);
    tp_str_printf(out, "static %s;\n",
                  a->kind == TP_T_POINTER ? tp_arena_printf(w->arena, "const void *%s", kept)
                                          : tp_env_declared(w, t->params[i], kept));
    matches = tp_arena_printf(w->arena, "%s && %s", matches,
                              argument_matches(w, t->params[i], i + 1, name));
    keeps = tp_arena_printf(w->arena, "%stwoproof_%s_a%u[i] = a%u, ", keeps, name, i + 1, i + 1);
  }
  tp_str_printf(
      out,
      "static %s;\n%s {\n  unsigned long i = 0;\n  while (i < twoproof_%s_n && !(%s)) "
      "i++;\n  if (i == twoproof_%s_n) {\n    __VERIFIER_assume(i < %d);\n    "
      "twoproof_%s_n++, %stwoproof_%s_side[i] = twoproof_side;\n    twoproof_%s_answer[i] "
      "= %s();\n  }\n  return twoproof_%s_answer[i];\n}\n",
      tp_env_declared(
          w, t->element,
          tp_arena_printf(w->arena, "twoproof_%s_answer[%d]", name, TP_APP_EQUAL_ANSWERS)),
      head, name, matches, name, TP_APP_EQUAL_ANSWERS, name, keeps, name, name, draw, name);
}

bool tp_env_write_answers(tp_environment *w, tp_type type, const char *linkage, const char *name) {
  const tp_type_info *t = tp_env_type(w, type);
  const tp_type_info *result = tp_env_is_void(w, t->element) ? NULL : tp_env_type(w, t->element);
  const char *draw = result && tp_env_is_number(result) ? tp_input_function_of(result) : NULL;
  bool is_plain = draw && !t->is_variadic;
  for (uint32_t i = 0; i < t->n_params && is_plain; i++) {
    const tp_type_info *a = tp_env_type(w, t->params[i]);
    is_plain = tp_env_is_number(a) || a->kind == TP_T_POINTER;
  }
  if (is_plain)
    write_answers(w, t, tp_arena_printf(w->arena, "%s%s", linkage, tp_env_declared(w, type, name)),
                  name, draw);
  return is_plain;
}

/* One of those that are written already; functions of a module share them. NULL: none. */
static const char *stub_of_type(const tp_environment *w, tp_type type) {
  for (uint32_t i = 1; i <= w->n_stubs; i++) {
    const char *name = tp_arena_printf(w->arena, "any_function_%u", i);
    const char *head = tp_arena_printf(w->arena, "static %s {", tp_env_declared(w, type, name));
    if (strstr(tp_str_text(&w->stubs), head)) return name;
  }
  return NULL;
}

const char *tp_env_function_of(tp_environment *w, tp_type type) {
  const tp_type_info *t = tp_env_type(w, type);
  const char *known = w->keeps_result ? stub_of_type(w, type) : NULL;
  if (known) return known;
  const char *name = tp_arena_printf(w->arena, "any_function_%u", ++w->n_stubs);
  const tp_type_info *result = tp_env_is_void(w, t->element) ? NULL : tp_env_type(w, t->element);
  if (result && !tp_env_is_number(result) && result->kind != TP_T_POINTER) return NULL;
  if (result && tp_env_is_number(result) && !tp_input_function_of(result)) return NULL;
  if (w->twins && tp_env_write_answers(w, type, "static ", name)) return name;
  tp_str_printf(&w->stubs, "static %s {\n", tp_env_declared(w, type, name));
  if (w->twins && result && tp_env_is_number(result))
    tp_str_add(&w->stubs, "  twoproof_unsure = 1;\n");
  tp_str_add(&w->stubs, "  return");
  if (result)
    tp_str_printf(&w->stubs, " %s",
                  result->kind == TP_T_POINTER
                      ? "0"
                      : tp_arena_printf(w->arena, "%s()", tp_input_function_of(result)));
  tp_str_add(&w->stubs, ";\n}\n");
  return name;
}

void tp_env_make_function(tp_environment *w, tp_type type, const char *lvalue, uint32_t indent) {
  const char *name = tp_env_function_of(w, type);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s%s;\n", lvalue, name ? "(void *)" : "", name ? name : "0");
  tp_env_copy_to_twin(w, lvalue, indent);
  if (name && w->twins)
    tp_env_assume(w,
                  "%s is a function that returns the same value (of pointers null) for the same "
                  "arguments in both versions, at most %d different ones, and changes nothing",
                  tp_env_shown(w, lvalue), TP_APP_EQUAL_ANSWERS);
  else if (name)
    tp_env_assume(w,
                  "%s is a function that returns any value (of pointers null) and changes nothing",
                  tp_env_shown(w, lvalue));
  else
    tp_env_assume(w, "%s is null", tp_env_shown(w, lvalue));
}
