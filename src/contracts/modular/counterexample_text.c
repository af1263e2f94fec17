/* Prints a counterexample line by line: a line for each object with its members, a line for each
 * executed statement. */
#include "contracts/modular/counterexample_text.h"

#include "contracts/modular/executed_statements.h"

static void print_atom(const tp_rheap *h, uint32_t atom, tp_str *out) {
  tp_str_add(out, tp_rel_atom_name(h->atoms, atom));
}

static void print_set(const tp_concrete_heap *m, tp_rel_expr x, tp_str *out) {
  uint32_t atom;
  const char *why;
  if (tp_concrete_heap_value(m, x, &atom, &why))
    print_atom(m->h, atom, out);
  else
    tp_str_add(out, why);
}

/* "next = null, at[0] = 1" */
static void print_members(const tp_rheap *h, const tp_rel_tuples *values, uint32_t basic,
                          uint32_t object, tp_str *out) {
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

static void print_globals(const tp_concrete_heap *m, tp_str *out) {
  for (size_t k = 0; k < m->h->fields.n; k++) {
    tp_str text = {0};
    if (tp_concrete_heap_print_global(m, k, &text))
      tp_str_printf(out, "    %s = %s\n", m->h->fields.at[k].symbol->name, tp_str_text(&text));
    tp_str_clear(&text);
  }
}

static void print_objects(const tp_concrete_heap *m, uint32_t basic, tp_str *out) {
  for (size_t k = 0; k < m->allocated[basic].n; k++) {
    const uint32_t object = (uint32_t)m->allocated[basic].at[k];
    if (tp_rheap_is_local(m->h, object) && tp_concrete_heap_is_freed(m, object)) continue;
    tp_str_printf(out, "    %s:", tp_rel_atom_name(m->h->atoms, object));
    if (tp_concrete_heap_is_freed(m, object))
      tp_str_add(out, " gone");
    else
      print_members(m->h, m->values, basic, object, out);
    tp_str_add_char(out, '\n');
  }
}

void tp_counterexample_print_heap(const tp_rheap *h, const tp_rexec *b, tp_func f,
                                  const tp_rel_instance *i, tp_contract_state when, tp_str *out) {
  TP_REQUIRE(h->bounds && i);
  const tp_func_info *info = tp_func_of(h->program, f);
  tp_concrete_heap m;
  tp_concrete_heap_open(&m, h, b, i, when);
  for (uint32_t k = 0; k < b->n_params && when == TP_PRE_STATE; k++) {
    tp_str_printf(out, "    %s = ", tp_var_of(h->program, info->params[k])->name);
    if (b->params[k].id) print_set(&m, b->params[k], out);
    tp_str_add_char(out, '\n');
  }
  print_globals(&m, out);
  for (uint32_t t = TP_OTHER_BASIC + 1; t < h->object_model->basics.n; t++)
    print_objects(&m, t, out);
  if (when == TP_POST_STATE && b->result.id) {
    tp_str_add(out, "    result = ");
    print_set(&m, b->result, out);
    tp_str_add_char(out, '\n');
  }
  tp_concrete_heap_close(&m);
}

void tp_counterexample_print_steps(const tp_rheap *h, const tp_rexec *b, const tp_rel_instance *i,
                                   tp_str *out) {
  TP_REQUIRE(h->bounds && i);
  tp_concrete_heap m;
  tp_concrete_heap_open(&m, h, b, i, TP_PRE_STATE);
  tp_executed_statements_print(&m, out);
  tp_concrete_heap_close(&m);
}
