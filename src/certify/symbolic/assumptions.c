/* What a verdict rests on, in the words of the output. */
#include "certify/inductive/check_inductive.h"

const char *tp_chk_assumption_text(const tp_program *p, tp_edge e, tp_edge call, tp_arena *arena) {
  static const char *const kinds[] = {[TP_E_LOAD] = "load",       [TP_E_STORE] = "store",
                                      [TP_E_FREE] = "free",       [TP_E_COPY] = "copy",
                                      [TP_E_SET] = "set",         [TP_E_HAVOC_MEMORY] = "input",
                                      [TP_E_CALL] = "call",       [TP_E_END_SCOPE] = "end of scope",
                                      [TP_E_ASSUME] = "operation"};
  const tp_edge_info *edge = tp_edge_of(p, e);
  const char *what = edge->kind == TP_E_ASSUME                           ? edge->name
                     : (size_t)edge->kind < sizeof kinds / sizeof *kinds ? kinds[edge->kind]
                                                                         : NULL;
  tp_str pos = {0};
  if (call.id && tp_edge_of(p, call)->callee.id)
    tp_str_printf(&pos, "the call of %s at ", tp_func_of(p, tp_edge_of(p, call)->callee)->name);
  if (p->diag) tp_pos_print(p->diag, call.id ? tp_edge_of(p, call)->pos : edge->pos, &pos);
  const char *text =
      edge->kind == TP_E_ASSUME
          ? tp_arena_printf(arena, "no %s at %s", what ? what : "operation", tp_str_text(&pos))
          : tp_arena_printf(arena, "no invalid operation at %s (%s)", tp_str_text(&pos),
                            what ? what : "operation");
  tp_str_clear(&pos);
  return text;
}

void tp_chk_list_assumption(tp_certify_report *r, const char *text) {
  for (size_t i = 0; i < r->assumptions.n; i++)
    if (!strcmp(r->assumptions.at[i], text)) return;
  tp_vec_push(&r->assumptions, text);
}

void tp_chk_list_assumptions(const tp_program *p, const tp_map *places, tp_certify_report *r) {
  for (size_t i = 1; i < p->assumptions.n; i++)
    tp_chk_list_assumption(r, tp_arena_strdup(&r->arena, p->assumptions.at[i]));
  for (size_t i = 0; i < places->n; i++) {
    tp_edge e = {(uint32_t)places->entries[i].key},
            call = {(uint32_t)(places->entries[i].key >> 32)};
    tp_chk_list_assumption(r, tp_chk_assumption_text(p, e, call, &r->arena));
  }
}

bool tp_chk_is_intended_end(const char *name) {
  static const char *const names[] = {"assume", "assertion", "number of arguments",
                                      "the program aborts", "the program traps"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}
