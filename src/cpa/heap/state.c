/* Elements: the lattice, the row of the table.
 *
 * The join pairs cells along variables that lead to one in both heaps; of paired cells, variables
 * and fields with the same value on both sides stay. An element is below another one if their join
 * is the other one. */
#include "cpa/heap/heap_priv.h"

// ----------------------------------------------------------------------- lattice

typedef struct {
  const tp_explicit_heap *a, *b;
  uint32_t *of_a, *of_b;    // number of the pair + 1
  tp_heap_draft d;          // a cell for each pair
  TP_VEC(uint32_t) from_a;  // by pair
  TP_VEC(uint32_t) from_b;
} pairing;

/* What both values are; cells that meet here become a pair if they can. */
static tp_term common(pairing *m, tp_term a, tp_term b) {
  tp_explicit *h = m->d.h;
  uint32_t x, y;
  uint64_t at_x, at_y;
  if (!tp_heap_cell_of(h, a, &x, &at_x) || !tp_heap_cell_of(h, b, &y, &at_y))
    return tp_term_eq(a, b) ? a : TP_TERM_NONE;
  if (at_x != at_y || m->of_a[x] != m->of_b[y]) return TP_TERM_NONE;
  if (!m->of_a[x]) {
    const tp_explicit_cell *p = &m->a->cells[x], *q = &m->b->cells[y];
    if (!tp_class_eq(p->class, q->class)) return TP_TERM_NONE;
    tp_vec_push(&m->from_a, x);
    tp_vec_push(&m->from_b, y);
    m->of_a[x] = m->of_b[y] = (uint32_t)m->from_a.n;
    tp_vec_push(
        &m->d.cells,
        (tp_draft_cell){.cell = {.life = p->life == q->life ? p->life : TP_CELL_EITHER,
                                 .rest = p->rest == q->rest ? p->rest : TP_REST_UNKNOWN,
                                 .class = p->class,
                                 .size = tp_term_eq(p->size, q->size) ? p->size : TP_TERM_NONE}});
  }
  return tp_heap_pointer_to(h, m->of_a[x] - 1, at_x);
}

static const tp_explicit_field *field_like(const tp_explicit_cell *c, const tp_explicit_field *f) {
  for (size_t i = 0; i < c->n_fields; i++)
    if (c->fields[i].offset == f->offset && c->fields[i].n_bytes == f->n_bytes)
      return &c->fields[i];
  return NULL;
}

static bool comes_before(const tp_explicit_field *a, const tp_explicit_field *b) {
  return a->offset != b->offset ? a->offset < b->offset : a->n_bytes < b->n_bytes;
}

/* Fields of both cells, in order; one that only one of them has is unknown. */
static void common_fields(pairing *m, uint32_t pair) {
  const tp_explicit_cell *a = &m->a->cells[m->from_a.at[pair]],
                         *b = &m->b->cells[m->from_b.at[pair]];
  size_t i = 0, k = 0;
  while (i < a->n_fields || k < b->n_fields) {
    const bool left =
        k == b->n_fields || (i < a->n_fields && !comes_before(&b->fields[k], &a->fields[i]));
    tp_explicit_field f = left ? a->fields[i] : b->fields[k];
    const tp_explicit_field *other = left ? field_like(b, &f) : NULL;
    f.value = other && tp_term_is(f.value) && tp_term_is(other->value)
                  ? common(m, f.value, other->value)
                  : TP_TERM_NONE;
    tp_vec_push(&m->d.cells.at[pair].fields, f);
    i += left;
    k += !left || other;
  }
}

static const tp_elem *join(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  TP_REQUIRE(a && b);
  if (a == b) return a;
  tp_explicit *h = tp_explicit_of(cpa);
  pairing m = {.a = &a->heap,
               .b = &b->heap,
               .of_a = TP_NEW_ARRAY(uint32_t, a->heap.n_cells + 1),
               .of_b = TP_NEW_ARRAY(uint32_t, b->heap.n_cells + 1)};
  tp_heap_draft_open(&m.d, h, NULL);
  m.d.others = a->heap.others > b->heap.others ? a->heap.others : b->heap.others;
  for (size_t i = 0, k = 0; i < a->heap.n_vars && k < b->heap.n_vars;) {
    const tp_explicit_var *x = &a->heap.vars[i], *y = &b->heap.vars[k];
    const tp_term value = x->var.id == y->var.id ? common(&m, x->value, y->value) : TP_TERM_NONE;
    if (tp_term_is(value)) tp_vec_push(&m.d.vars, (tp_explicit_var){x->var, value});
    i += x->var.id <= y->var.id;
    k += y->var.id <= x->var.id;
  }
  for (uint32_t pair = 0; pair < m.from_a.n; pair++) common_fields(&m, pair);
  for (size_t i = 0; i < a->heap.n_cells; i++)
    if (!m.of_a[i]) m.d.others = tp_heap_join_others(m.d.others, &a->heap.cells[i]);
  for (size_t i = 0; i < b->heap.n_cells; i++)
    if (!m.of_b[i]) m.d.others = tp_heap_join_others(m.d.others, &b->heap.cells[i]);
  tp_free(m.of_a);
  tp_free(m.of_b);
  tp_vec_clear(&m.from_a);
  tp_vec_clear(&m.from_b);
  return tp_heap_seal(&m.d, NULL);
}

static bool leq(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  if (a == b) return true;
  if (b->heap.n_vars > a->heap.n_vars || b->heap.others < a->heap.others) return false;
  return join(cpa, a, b) == b;
}

static const tp_elem *top(tp_cpa *cpa) {
  tp_heap_draft d;
  tp_heap_draft_open(&d, tp_explicit_of(cpa), NULL);
  return tp_heap_seal(&d, NULL);
}

/* main: there are no cells yet, and globals have their initial values. */
static tp_succ initial(tp_cpa *cpa, tp_loc entry, tp_context context) {
  (void)entry;
  tp_explicit *h = tp_explicit_of(cpa);
  const tp_prec *p = tp_heap_first_precision(h);
  if ((context.id && tp_context_of(cpa->env->contexts, context)->contract) ||
      !tp_heap_follows_some(h))
    return (tp_succ){top(cpa), p};
  tp_heap_draft d;
  tp_heap_draft_open(&d, h, NULL);
  d.others = TP_OTHERS_NONE;
  for (uint32_t v = 1; v < h->p->vars.n; v++) {
    const tp_var_info *info = &h->p->vars.at[v];
    if (info->kind == TP_V_GLOBAL && tp_term_is(info->initial) && tp_is_const(h->tt, info->initial))
      tp_heap_put(&d, (tp_var){v}, info->initial);
  }
  return (tp_succ){tp_heap_seal(&d, p), p};
}

// -------------------------------------------------------------------- to others

static void print_value(const tp_explicit *h, tp_term value, tp_str *out) {
  uint32_t c;
  uint64_t offset;
  if (!tp_term_is(value))
    tp_str_add(out, "?");
  else if (!tp_heap_cell_of(h, value, &c, &offset))
    tp_print_c(h->tt, value, TP_C_READABLE, out);
  else if (offset)
    tp_str_printf(out, "&%u+%llu", c + 1, (unsigned long long)offset);
  else
    tp_str_printf(out, "&%u", c + 1);
}

static void print(tp_cpa *cpa, const tp_elem *e, tp_str *out) {
  static const char *const lives[] = {"", " freed", " freed?"},
                           *const rests[] = {"", " zeros", " ?"},
                           *const others[] = {"", "; freed ones", "; others"};
  const tp_explicit *h = tp_explicit_of(cpa);
  for (size_t i = 0; i < e->heap.n_vars; i++) {
    tp_str_printf(out, "%s%s=", i ? " " : "", tp_var_of(h->p, e->heap.vars[i].var)->name);
    print_value(h, e->heap.vars[i].value, out);
  }
  for (size_t i = 0; i < e->heap.n_cells; i++) {
    const tp_explicit_cell *c = &e->heap.cells[i];
    tp_str_printf(out, "; %zu:", i + 1);
    for (size_t f = 0; f < c->n_fields; f++) {
      tp_str_printf(out, " [%llu]=", (unsigned long long)c->fields[f].offset);
      print_value(h, c->fields[f].value, out);
    }
    tp_str_printf(out, "%s%s", rests[c->rest], lives[c->life]);
  }
  tp_str_add(out, others[e->heap.others]);
}

static bool range(tp_cpa *cpa, const tp_elem *e, tp_term t, tp_range *out) {
  tp_explicit *h = tp_explicit_of(cpa);
  tp_heap_draft d;
  uint64_t number;
  tp_heap_draft_open(&d, h, e);
  const tp_term value = tp_heap_eval(&d, t);
  tp_heap_draft_drop(&d);
  if (!tp_term_is(value) || !tp_bv_value_u64(h->tt, value, &number)) return false;
  const uint32_t width = tp_width(h->tt, value);
  const int64_t as_signed = width < 64 && (number >> (width - 1) & 1)
                                ? (int64_t)(number | UINT64_MAX << width)
                                : (int64_t)number;
  *out = (tp_range){.umin = number, .umax = number, .smin = as_signed, .smax = as_signed};
  return width <= 64;
}

static const tp_explicit_heap *explicit_heap(tp_cpa *cpa, const tp_elem *e) {
  (void)cpa;
  return &e->heap;
}

// --------------------------------------------------------------------------- row

static bool open(tp_cpa *cpa, tp_str *why) {
  tp_explicit *h = tp_arena_new(&cpa->arena, tp_explicit);
  *h = (tp_explicit){.cpa = cpa, .p = (tp_program *)cpa->env->program, .tt = cpa->env->terms};
  cpa->state = h;
  h->first_object = (uint32_t)h->p->statics.n;
  if (!tp_heap_read_settings(h, why)) {
    cpa->state = NULL;
    return false;
  }
  return true;
}

static void close(tp_cpa *cpa) {
  if (!cpa->state) return;
  tp_explicit *h = tp_explicit_of(cpa);
  tp_map_clear(&h->elems);
  tp_map_clear(&h->is_plain);
  tp_vec_clear(&h->chain);
  tp_interior_free(h->inside);
  tp_pointsto_free(h->pt);
  tp_liveness_free(h->liveness);
  tp_heap_close_precision(h);
  tp_heap_close_samples(h);
  cpa->state = NULL;
}

static const char *const settings[] = {"cells", "values", "data",    "liveness",
                                       "start", "over",   "samples", NULL};

const tp_cpa_ops tp_cpa_heap = {
    .name = "heap",
    .help = "heaps cell by cell, with values of variables, up to numbers of cells and values",
    .settings = settings,
    .can_interrupt = true,
    .has_join = true,
    .default_merge = "sep",
    .open = open,
    .close = close,
    .initial = initial,
    .transfer = tp_heap_transfer,
    .leq = leq,
    .print = print,
    .formula = tp_heap_formula,
    .top = top,
    .join = join,
    .adjust = tp_heap_adjust,
    .range = range,
    .each_untracked = tp_heap_each_untracked,
    .explicit_heap = explicit_heap,
    .has_exact_formula = tp_heap_has_exact_formula,
};
