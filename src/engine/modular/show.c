/* Instances read out: everything is evaluated, nothing is remembered from the search. */
#include "engine/modular/show.h"

#include "rel/eval.h"

static void print_atom(const tp_rheap *h, uint32_t atom, tp_str *out) { tp_str_add(out, tp_rel_atom_name(h->atoms, atom)); }

static void print_set(const tp_rheap *h, tp_rel_eval *e, tp_rel_expr x, tp_str *out) {
  tp_rel_tuples set = {0};
  if (!tp_rel_eval_expr(e, x, &set)) tp_str_add(out, "(beyond the width)");
  else if (set.n != 1) tp_str_add(out, set.n ? "(several)" : "(nothing)");
  else print_atom(h, (uint32_t)set.at[0], out);
  tp_rel_tuples_clear(&set);
}

/* "next = null, at[0] = 1" */
static void print_members(const tp_rheap *h, const tp_rel_tuples *values, uint32_t basic, uint32_t object, tp_str *out) {
  const char *comma = " ";
  uint32_t atoms[3];
  for (size_t f = 0; f < h->fields.n; f++) {
    const tp_symbol *s = h->fields.at[f].symbol;
    const uint32_t n_keys = tp_rheap_n_keys(h, s);
    if (tp_rheap_is_global(s) || s->basic != basic) continue;
    for (size_t t = 0; t < values[f].n; t++) {
      tp_rel_tuple_atoms(h->atoms, values[f].at[t], n_keys + 1, atoms);
      if (atoms[0] != object) continue;
      tp_str_printf(out, "%s%s", comma, s->kind == TP_SYMBOL_ELEMENTS ? "" : s->name);
      if (n_keys == 2) tp_str_printf(out, "[%s]", tp_rel_atom_name(h->atoms, atoms[1]));
      tp_str_add(out, " = ");
      print_atom(h, atoms[n_keys], out);
      comma = ", ";
    }
  }
}

/* "count = 1"; a ghost is a set of tuples: "seen = {node0, node2}". */
static void print_global(const tp_rheap *h, const tp_rheap_field *f, const tp_rel_tuples *value, tp_str *out) {
  const uint32_t arity = tp_rheap_n_keys(h, f->symbol) + 1;
  const bool is_set = f->symbol->kind == TP_SYMBOL_GHOST && !(f->symbol->is_function && arity == 1);
  uint32_t atoms[3];
  if (!is_set && value->n != 1) return;
  tp_str_printf(out, "    %s = %s", f->symbol->name, is_set ? "{" : "");
  for (size_t t = 0; t < value->n; t++) {
    tp_rel_tuple_atoms(h->atoms, value->at[t], arity, atoms);
    for (uint32_t c = 0; c < arity; c++) tp_str_printf(out, "%s%s", c ? " -> " : t ? ", " : "", tp_rel_atom_name(h->atoms, atoms[c]));
  }
  tp_str_add(out, is_set ? "}\n" : "\n");
}

void tp_rshow_heap(const tp_rheap *h, const tp_rbody *b, tp_func f, const tp_rel_instance *i, tp_show_moment when, tp_str *out) {
  tp_rel_eval *e = tp_rel_eval_new(h->bounds, i, h->limits.width_bits);
  const tp_rbody_state *state = when == TP_SHOW_AFTER ? &b->after : &b->before;
  tp_rel_tuples *values = TP_NEW_ARRAY(tp_rel_tuples, h->fields.n + 1);
  tp_rel_expr *last = TP_NEW_ARRAY(tp_rel_expr, h->universe->basics.n);
  for (size_t k = 0; k < h->fields.n; k++) (void)tp_rel_eval_expr(e, k < b->n_fields ? state->fields[k] : h->fields.at[k].start, &values[k]);
  for (uint32_t t = 0; t < h->universe->basics.n; t++) last[t] = state->last[t].id ? state->last[t] : h->types[t].last;
  const tp_func_info *info = tp_func_of(h->program, f);
  for (uint32_t k = 0; k < b->n_params && when == TP_SHOW_BEFORE; k++) {
    tp_str_printf(out, "    %s = ", tp_var_of(h->program, info->params[k])->name);
    if (b->params[k].id) print_set(h, e, b->params[k], out);
    tp_str_add_char(out, '\n');
  }
  for (size_t k = 0; k < h->fields.n; k++)
    if (tp_rheap_is_global(h->fields.at[k].symbol)) print_global(h, &h->fields.at[k], &values[k], out);
  for (uint32_t t = TP_OTHER_BASIC + 1; t < h->universe->basics.n; t++) {
    tp_rel_tuples there = {0}, gone = {0};
    if (h->types[t].is_used && tp_rel_eval_expr(e, tp_rheap_there((tp_rheap *)h, t, last), &there) && tp_rel_eval_expr(e, state->gone, &gone))
      for (size_t k = 0; k < there.n; k++) {
        tp_str_printf(out, "    %s:", tp_rel_atom_name(h->atoms, (uint32_t)there.at[k]));
        if (tp_rel_tuples_have(&gone, there.at[k])) tp_str_add(out, " gone");
        else print_members(h, values, t, (uint32_t)there.at[k], out);
        tp_str_add_char(out, '\n');
      }
    tp_rel_tuples_clear(&there);
    tp_rel_tuples_clear(&gone);
  }
  if (when == TP_SHOW_AFTER && b->result.id) {
    tp_str_add(out, "    result = ");
    print_set(h, e, b->result, out);
    tp_str_add_char(out, '\n');
  }
  for (size_t k = 0; k < h->fields.n; k++) tp_rel_tuples_clear(&values[k]);
  tp_free(values);
  tp_free(last);
  tp_rel_eval_free(e);
}

void tp_rshow_steps(const tp_rheap *h, const tp_rbody *b, const tp_rel_instance *i, tp_str *out) {
  tp_rel_eval *e = tp_rel_eval_new(h->bounds, i, h->limits.width_bits);
  for (size_t k = 0; k < b->steps.n; k++) {
    const tp_rbody_step *s = &b->steps.at[k];
    if (tp_rel_eval_formula(e, s->when) != TP_REL_IS_TRUE) continue;
    const tp_edge_info *edge = tp_edge_of(h->program, s->edge);
    if (edge->kind == TP_E_END_SCOPE) continue;
    tp_str_add(out, "    ");
    tp_pos_print(h->program->diag, edge->pos, out);
    tp_str_printf(out, ": %*s", 2 * ((int)s->depth - 1), "");
    tp_edge_print(h->program, s->edge, out);
    while (out->n && out->text[out->n - 1] == '\n') out->text[--out->n] = 0;
    if (s->value.id) {
      tp_str_add(out, "    // ");
      print_set(h, e, s->value, out);
    }
    tp_str_add_char(out, '\n');
  }
  tp_rel_eval_free(e);
}
