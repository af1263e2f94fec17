/* Hints for the checker of graphs: the class's integrity rules, and for each operation of the
 * program that changes a heap the formula that each predicate has behind it. */
#include "engine/extract_hints.h"

#include "engine/formula_text.h"
#include "program/access.h"

typedef struct {
  const tp_program *p;
  const tp_cell_kind *cells;
  const tp_shape_class *c;
  tp_cert_shapes *to;
  uint32_t number;
} extraction;

// ------------------------------------------------------------------------- rules

static void add_rules(const extraction *h) {
  for (size_t i = 0; i < tp_shape_rules_count(h->c->rules); i++) {
    const tp_shape_rule r = tp_shape_rule_at(h->c, i);
    tp_str text = {0};
    const tp_formula_writing w = {.c = h->c};
    bool ok = r.head.id && tp_formula_write(&w, r.head, &text);
    tp_str_add_char(&text, ' ');
    if (ok && tp_formula_write(&w, r.body, &text))
      tp_cert_shapes_rule(h->to, h->number, tp_str_text(&text));
    tp_str_clear(&text);
  }
}

// ----------------------------------------------------------------------- updates

static int slot_of(const extraction *h, tp_var v) {
  for (uint32_t i = 0; i < h->c->n_pointers && v.id; i++)
    if (h->cells->pointers[i].id == v.id) return (int)i;
  return -1;
}

static int field_at(const extraction *h, int64_t offset) {
  for (uint32_t f = 0; f < h->c->n_fields; f++)
    if ((int64_t)h->cells->offsets[f] == offset) return (int)f;
  return -1;
}

/* One operation through a pointer: all predicates that it changes. */
static void add_updates(const extraction *h, tp_formula_writing w, int through,
                        const tp_update_instances *changes) {
  uint32_t pointer = tp_formula_predicate_number(h->c, 1, h->c->points[through]);
  w.c = h->c;
  w.may_be_open = true;
  for (size_t i = 0; i < changes->n; i++) {
    tp_str text = {0};
    if (tp_formula_write(&w, changes->at[i].formula, &text))
      tp_cert_shapes_update(h->to, h->number, changes->at[i].predicate + 1, pointer,
                            tp_str_text(&text));
    tp_str_clear(&text);
  }
}

static const tp_update_instances *changes_of(const extraction *h, tp_heap_kind kind, int x, int y,
                                             int field) {
  static const tp_update_instances none = {0};
  const tp_update_instances *out;
  return tp_shape_update_instances(h->cells->engine, kind, x, y, field, &out) == TP_OK ? out
                                                                                       : &none;
}

static void add_store(const extraction *h, int x, int field, tp_term value) {
  const tp_update_instances *cleared = changes_of(h, TP_HEAP_CLEAR, x, TP_UNKNOWN_SLOT, field);
  const int y =
      tp_kind(h->p->terms, value) == TP_OP_VAR ? slot_of(h, tp_program_var_of(h->p, value)) : -1;
  add_updates(h, (tp_formula_writing){0}, x, cleared);
  if (y >= 0)
    add_updates(h, (tp_formula_writing){.before = cleared, .cleared_of = x, .cleared = field}, x,
                changes_of(h, TP_HEAP_STORE, x, y, field));
}

/* All links of the cell become nil, the first two of them one behind the other; a predicate that
 * only a third one changes has no hint. */
static void add_free(const extraction *h, int x) {
  const tp_update_instances *first = changes_of(h, TP_HEAP_CLEAR, x, TP_UNKNOWN_SLOT, 0);
  add_updates(h, (tp_formula_writing){0}, x, first);
  if (h->c->n_fields > 1)
    add_updates(h, (tp_formula_writing){.before = first, .cleared_of = x, .cleared = 0}, x,
                changes_of(h, TP_HEAP_CLEAR, x, TP_UNKNOWN_SLOT, 1));
}

static void add_edge(const extraction *h, const tp_edge_info *e) {
  tp_access a;
  if (e->kind == TP_E_FREE) {
    const int x =
        tp_kind(h->p->terms, e->a) == TP_OP_VAR ? slot_of(h, tp_program_var_of(h->p, e->a)) : -1;
    if (x >= 0) add_free(h, x);
    return;
  }
  if (e->kind != TP_E_LOAD && e->kind != TP_E_STORE) return;
  if (!tp_access_of(h->p, e->a, &a) || tp_term_is(a.index)) return;
  const int base = slot_of(h, a.var), field = field_at(h, a.offset), target = slot_of(h, e->var);
  if (base < 0 || field < 0) return;
  if (e->kind == TP_E_STORE)
    add_store(h, base, field, e->b);
  else if (target >= 0)
    add_updates(h, (tp_formula_writing){0}, base, changes_of(h, TP_HEAP_LOAD, target, base, field));
}

void tp_extract_hints(const tp_program *p, const tp_cell_kind *cells, tp_cert_shapes *to,
                      uint32_t number) {
  const extraction h = {p, cells, tp_shape_engine_class(cells->engine), to, number};
  add_rules(&h);
  for (size_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].from.id) add_edge(&h, &p->edges.at[i]);
}
