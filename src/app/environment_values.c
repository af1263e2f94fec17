/* What an lvalue of a type is filled with: one function of the type; of structures, arrays and
 * pointers other files fill the parts. */
#include "app/environment_priv.h"

/* Of a union: the member that starts with a pointer to the struct that the function takes what is
 * behind it for; else the first one. */
static const tp_member *member_in_use(const tp_environment *w, const tp_type_info *t) {
  const tp_type wanted = tp_env_struct_behind(w, w->place);
  for (uint32_t i = 0; wanted.id && i < t->n_members; i++) {
    const tp_type_info *m = tp_env_type(w, t->members[i].type);
    while (tp_env_is_aggregate(m) && m->n_members) m = tp_env_type(w, m->members[0].type);
    if (m->kind == TP_T_POINTER && m->element.id &&
        tp_env_is_same_struct(tp_env_type(w, m->element), tp_env_type(w, wanted)))
      return &t->members[i];
  }
  return &t->members[0];
}

/* a[i0] */
static bool is_element(const char *lvalue) {
  const size_t n = strlen(lvalue);
  return n > 0 && lvalue[n - 1] == ']';
}

void tp_env_fill(tp_environment *w, tp_type type, const char *lvalue, uint32_t indent) {
  const tp_type_info *t = tp_env_type(w, type);
  const size_t length = strlen(lvalue);
  const bool is_arrow = length > 2 && strcmp(lvalue + length - 2, "->") == 0;
  const bool can_be_left =
      t->kind == TP_T_POINTER || t->kind == TP_T_ARRAY || t->kind == TP_T_UNION;
  if (can_be_left && !tp_env_is_read(w, w->place, t->size_bytes)) return;
  if (t->kind == TP_T_POINTER) {
    tp_env_fill_pointer(w, type, lvalue, NULL, false, indent);
  } else if (tp_env_is_number(t)) {
    const char *input = tp_input_function_of(t);
    tp_env_begin(w, indent);
    tp_env_note_draw(w, is_element(lvalue) ? TP_DRAW_ELEMENT : TP_DRAW_VALUE, lvalue, type);
    tp_str_printf(&w->text, "%s = %s();\n", lvalue, input ? input : "__VERIFIER_nondet_double");
    tp_env_copy_to_twin(w, lvalue, indent);
    if (!input) tp_env_assume(w, "%s is a value of type double", tp_env_shown(w, lvalue));
  } else if (!is_arrow && tp_env_is_plain(w, type)) {
    tp_env_begin(w, indent);
    tp_env_note_draw(w, TP_DRAW_BYTES, lvalue, type);
    tp_str_printf(&w->text, "__VERIFIER_nondet_memory(&%s, sizeof %s);\n", lvalue, lvalue);
    tp_env_copy_bytes_to_twin(w, tp_arena_printf(w->arena, "&%s", lvalue),
                              tp_arena_printf(w->arena, "sizeof %s", lvalue), indent);
  } else if (t->kind == TP_T_ARRAY) {
    if (t->n_elements)
      tp_env_fill_elements(w, t->element, lvalue,
                           tp_arena_printf(w->arena, "%llu", (unsigned long long)t->n_elements),
                           indent);
  } else if (t->kind == TP_T_UNION && t->n_members) {
    const tp_member *m = member_in_use(w, t);
    const char *first = tp_arena_printf(w->arena, "%s%s%s", lvalue, is_arrow ? "" : ".", m->name);
    tp_env_fill(w, m->type, first, indent);
    tp_env_assume(w, "%s is the member of its union that is in use", tp_env_shown(w, first));
  } else if (t->kind == TP_T_STRUCT) {
    tp_env_fill_members(w, type, is_arrow ? lvalue : tp_arena_printf(w->arena, "%s.", lvalue),
                        indent);
  }
}
