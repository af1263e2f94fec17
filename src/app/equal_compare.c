/* Each comparison keeps the two values in variables before it fails: the answer reads them there.
 */
#include "app/equal_compare.h"

void tp_equal_comparer_clear(tp_equal_comparer *c) {
  tp_str_clear(&c->text);
  tp_vec_clear(&c->sites);
}

static const tp_type_info *type_at(const tp_equal_comparer *c, tp_type t) {
  return tp_type_of(c->program, t);
}

static bool is_aggregate(const tp_type_info *t) {
  return t->kind == TP_T_STRUCT || t->kind == TP_T_UNION;
}

static void add_site(tp_equal_comparer *c, tp_equal_difference kind, const char *shown,
                     tp_type type) {
  uint32_t line = 1;
  for (size_t i = 0; i < c->text.n; i++) line += c->text.text[i] == '\n';
  tp_vec_push(&c->sites, (tp_equal_site){kind, line, shown, type});
}

void tp_equal_compare_line(tp_equal_comparer *c, tp_equal_difference kind, const char *condition,
                           const char *shown) {
  add_site(c, kind, shown, TP_TYPE_NONE);
  tp_str_printf(&c->text, "  if (%s) __VERIFIER_error();\n", condition);
}

/* The head of a loop over n elements; returns the name of its counter, a variable of the file. */
static const char *begin_loop(tp_equal_comparer *c, const char *n) {
  const char *k = tp_arena_printf(c->arena, "twoproof_k%u", c->n_counters++);
  tp_str_printf(&c->text, "  for (%s = 0; %s < %s; %s++) {\n", k, k, n, k);
  return k;
}

static void compare_number(tp_equal_comparer *c, tp_equal_difference kind, tp_type type,
                           const char *lvalue, const char *other, const char *shown) {
  add_site(c, kind, shown, type);
  if (type_at(c, type)->kind == TP_T_FLOAT)
    tp_str_printf(&c->text,
                  "  if (!twoproof_same_float(%s, %s)) { twoproof_float_new = %s; "
                  "twoproof_float_old = %s; __VERIFIER_error(); }\n",
                  lvalue, other, lvalue, other);
  else
    tp_str_printf(&c->text,
                  "  if (%s != %s) { twoproof_value_new = (unsigned long long)%s; "
                  "twoproof_value_old = (unsigned long long)%s; __VERIFIER_error(); }\n",
                  lvalue, other, lvalue, other);
}

static void compare_bytes(tp_equal_comparer *c, const char *address, const char *other,
                          const char *n, const char *shown) {
  const char *k = begin_loop(c, n);
  add_site(c, TP_DIFFERS_NUMBER, tp_arena_printf(c->arena, "byte %s of %s", k, shown),
           TP_TYPE_NONE);
  const char *a = tp_arena_printf(c->arena, "((unsigned char *)(%s))[%s]", address, k),
             *b = tp_arena_printf(c->arena, "((unsigned char *)(%s))[%s]", other, k);
  tp_str_printf(&c->text,
                "  if (%s != %s) { twoproof_value_new = %s; twoproof_value_old = %s; "
                "__VERIFIER_error(); }\n  }\n",
                a, b, a, b);
}

/* A string that a version made: up to its end. */
static void compare_string(tp_equal_comparer *c, tp_type element, const char *lvalue,
                           const char *other, const char *shown) {
  const char *k = tp_arena_printf(c->arena, "twoproof_k%u", c->n_counters++);
  tp_str_printf(&c->text, "  for (%s = 0;; %s++) {\n", k, k);
  compare_number(c, TP_DIFFERS_NUMBER, element, tp_arena_printf(c->arena, "%s[%s]", lvalue, k),
                 tp_arena_printf(c->arena, "%s[%s]", other, k),
                 tp_arena_printf(c->arena, "%s[%s]", shown, k));
  tp_str_printf(&c->text, "  if (!%s[%s]) break;\n  }\n", lvalue, k);
}

/* What both pointers lead to, objects that neither version was given. */
static void compare_own(tp_equal_comparer *c, tp_type element, const char *lvalue,
                        const char *other, const char *shown) {
  const tp_type_info *e = type_at(c, element);
  if (c->depth == 0) {
    c->is_cut = true;
    return;
  }
  c->depth--;
  tp_str_add(&c->text, "  if (twoproof_place_is == 2) {\n");
  if (e->is_char) {
    compare_string(c, element, lvalue, other, shown);
  } else {
    c->has_arrays |= !is_aggregate(e);
    tp_equal_compare(c, element, tp_arena_printf(c->arena, "(*%s)", lvalue),
                     tp_arena_printf(c->arena, "(*%s)", other),
                     tp_arena_printf(c->arena, "(*%s)", shown));
  }
  tp_str_add(&c->text, "  }\n");
  c->depth++;
}

static void compare_pointer(tp_equal_comparer *c, tp_type type, const char *lvalue,
                            const char *other, const char *shown) {
  const tp_type element = type_at(c, type)->element;
  const tp_type_info *e = element.id ? type_at(c, element) : NULL;
  const bool is_function = e && e->kind == TP_T_FUNCTION,
             is_opaque = !e || e->kind == TP_T_VOID || (e->size_bytes == 0 && !is_function);
  const char *what = is_function ? tp_arena_printf(c->arena, "!%s != !%s", lvalue, other)
                                 : "twoproof_place_is == 0";
  c->has_functions |= is_function;
  if (!is_function)
    tp_str_printf(&c->text,
                  "  twoproof_place_is = twoproof_place((const void *)%s, (const void *)%s);\n",
                  lvalue, other);
  add_site(c, TP_DIFFERS_PLACE, shown, type);
  tp_str_printf(&c->text,
                "  if (%s) { twoproof_value_new = %s != 0; twoproof_value_old = %s != 0; "
                "__VERIFIER_error(); }\n",
                what, lvalue, other);
  if (!is_function && !is_opaque) compare_own(c, element, lvalue, other, shown);
}

/* "p->x" of "(*p)" and x. */
static const char *member_of(const tp_equal_comparer *c, const char *lvalue, const char *name) {
  const size_t n = strlen(lvalue);
  size_t depth = 0, end = 0;
  for (size_t i = 0; i < n && !end; i++) {
    depth += lvalue[i] == '(';
    if (lvalue[i] == ')' && --depth == 0) end = i;
  }
  if (strncmp(lvalue, "(*", 2) == 0 && end == n - 1)
    return tp_arena_printf(c->arena, "%.*s->%s", (int)(n - 3), lvalue + 2, name);
  return tp_arena_printf(c->arena, "%s.%s", lvalue, name);
}

static void compare_members(tp_equal_comparer *c, tp_type type, const char *lvalue,
                            const char *other, const char *shown) {
  const tp_type_info *t = type_at(c, type);
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    const tp_type_info *info = type_at(c, m->type);
    if (!m->name[0]) {  // its members are those of the struct around
      if (is_aggregate(info)) compare_members(c, m->type, lvalue, other, shown);
      continue;
    }
    if (info->size_bytes == 0 && m->width_bits == 0) continue;  // [] at the end
    tp_equal_compare(c, m->type, member_of(c, lvalue, m->name), member_of(c, other, m->name),
                     member_of(c, shown, m->name));
  }
}

void tp_equal_compare(tp_equal_comparer *c, tp_type type, const char *lvalue, const char *other,
                      const char *shown) {
  TP_REQUIRE(c && type.id && lvalue && other && shown);
  const tp_type_info *t = type_at(c, type);
  switch (t->kind) {
    case TP_T_BOOL:
    case TP_T_INT:
    case TP_T_ENUM:
    case TP_T_FLOAT: compare_number(c, TP_DIFFERS_NUMBER, type, lvalue, other, shown); return;
    case TP_T_POINTER: compare_pointer(c, type, lvalue, other, shown); return;
    case TP_T_STRUCT: compare_members(c, type, lvalue, other, shown); return;
    case TP_T_UNION:
      c->has_unions |= !tp_environment_is_plain(c->program, type);
      if (tp_environment_is_plain(c->program, type))
        compare_bytes(c, tp_arena_printf(c->arena, "&%s", lvalue),
                      tp_arena_printf(c->arena, "&%s", other),
                      tp_arena_printf(c->arena, "sizeof %s", lvalue), shown);
      else if (t->n_members && t->members[0].name[0])
        tp_equal_compare(c, t->members[0].type, member_of(c, lvalue, t->members[0].name),
                         member_of(c, other, t->members[0].name),
                         member_of(c, shown, t->members[0].name));
      return;
    case TP_T_ARRAY: {
      if (!t->n_elements) return;
      const char *k =
          begin_loop(c, tp_arena_printf(c->arena, "%llu", (unsigned long long)t->n_elements));
      tp_equal_compare(c, t->element, tp_arena_printf(c->arena, "%s[%s]", lvalue, k),
                       tp_arena_printf(c->arena, "%s[%s]", other, k),
                       tp_arena_printf(c->arena, "%s[%s]", shown, k));
      tp_str_add(&c->text, "  }\n");
      return;
    }
    case TP_T_VOID:
    case TP_T_FUNCTION: return;
  }
}

void tp_equal_compare_result(tp_equal_comparer *c, tp_type type, const char *lvalue,
                             const char *other) {
  const tp_type_info *t = type_at(c, type);
  const bool is_number =
      t->kind == TP_T_BOOL || t->kind == TP_T_INT || t->kind == TP_T_ENUM || t->kind == TP_T_FLOAT;
  if (is_number)
    compare_number(c, TP_DIFFERS_RESULT, type, lvalue, other, "the result");
  else
    tp_equal_compare(c, type, lvalue, other, "result");
}

static void compare_elements(tp_equal_comparer *c, const tp_env_object *o, const char *lvalue,
                             const char *other) {
  if (!o->element.id || type_at(c, o->element)->kind == TP_T_VOID) {
    compare_bytes(c, lvalue, other, o->n ? o->n : "1",
                  tp_arena_printf(c->arena, "what %s points to", o->shown));
  } else if (o->n) {
    const char *k = begin_loop(c, o->n);
    tp_equal_compare(c, o->element, tp_arena_printf(c->arena, "%s[%s]", lvalue, k),
                     tp_arena_printf(c->arena, "%s[%s]", other, k),
                     tp_arena_printf(c->arena, "%s[%s]", o->shown, k));
    tp_str_add(&c->text, "  }\n");
  } else {
    tp_equal_compare(c, o->element, tp_arena_printf(c->arena, "(*%s)", lvalue),
                     tp_arena_printf(c->arena, "(*%s)", other),
                     tp_arena_printf(c->arena, "(*%s)", o->shown));
  }
}

void tp_equal_compare_object(tp_equal_comparer *c, const tp_env_object *o, size_t number) {
  TP_REQUIRE(c && o);
  const char *lvalue = o->name, *other = tp_environment_other(c->arena, o->name),
             *new_freed = tp_arena_printf(c->arena, "twoproof_freed_new%zu", number),
             *old_freed = tp_arena_printf(c->arena, "twoproof_freed_old%zu", number);
  if (o->is_in_table) {
    tp_str_printf(&c->text,
                  "  for (twoproof_k = 0; twoproof_k < twoproof_n_others; twoproof_k++) {\n"
                  "  if (twoproof_others[twoproof_k].what != %zu) continue;\n  %s = "
                  "twoproof_others[twoproof_k].new;\n  %s = twoproof_others[twoproof_k].old;\n",
                  number, lvalue, other);
    new_freed = "twoproof_others[twoproof_k].is_new_freed";
    old_freed = "twoproof_others[twoproof_k].is_old_freed";
  } else {
    tp_str_printf(&c->text, "  if (%s) {\n", lvalue);
  }
  add_site(c, TP_DIFFERS_FREED, o->shown, TP_TYPE_NONE);
  tp_str_printf(&c->text,
                "  if (%s != %s) { twoproof_value_new = %s; twoproof_value_old = %s; "
                "__VERIFIER_error(); }\n  if (!%s) {\n",
                new_freed, old_freed, new_freed, old_freed, new_freed);
  compare_elements(c, o, lvalue, other);
  tp_str_add(&c->text, "  }\n  }\n");
}
