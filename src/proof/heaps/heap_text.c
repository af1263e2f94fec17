/* The text of a symbolic heap in certificates. */
#include "proof/heaps/cell_orders.h"
#include "term/text.h"

#include <stdlib.h>

typedef struct {
  const tp_symheap_search *x;
  uint32_t first;
  tp_map *numbers;
  tp_str *out;
} writer;

static bool name_symbol(void *ctx, tp_term var, tp_str *out) {
  writer *w = ctx;
  uint64_t n;
  for (size_t i = 0; w->x->facts && i < w->x->facts->values.n; i++) {
    const tp_cell_value *v = &w->x->facts->values.at[i];
    if (!tp_term_eq(v->symbol, var) && !tp_term_eq(v->next, var)) continue;
    tp_str_printf(out, tp_term_eq(v->symbol, var) ? "(cell %llu " : "(next %llu ",
                  (unsigned long long)v->offset);
    tp_sort_write(w->x->tt, tp_sort_of(w->x->tt, var), out);
    tp_str_add(out, ")");
    return true;
  }
  if (!tp_map_get(w->numbers, var.id, &n))
    tp_map_set(w->numbers, var.id, n = w->first + w->numbers->n);
  tp_str_printf(out, "(sym %u ", (unsigned)n);
  tp_sort_write(w->x->tt, tp_sort_of(w->x->tt, var), out);
  tp_str_add(out, ")");
  return true;
}

static void put(writer *w, tp_term t) {
  const tp_text_vars names = {.ctx = w, .name = name_symbol};
  tp_str_add(w->out, " ");
  const bool is_written = tp_term_write(w->x->tt, t, names, w->out);
  TP_INVARIANT(is_written);  // each symbol has a name, and nothing is bound
  (void)is_written;
}

static int by_offset(const void *a, const void *b) {
  const tp_symheap_field *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset ? 1 : 0;
}

/* They stand before fields: what lies in a slot is told from them. */
static void put_slots(writer *w, const tp_symheap_object *o) {
  if (!o->slots.stride) return;
  tp_str_printf(w->out, "slots %llu %llu %llu ", (unsigned long long)o->slots.from,
                (unsigned long long)o->slots.to, (unsigned long long)o->slots.stride);
  if (o->slots.kind)
    tp_str_printf(w->out, "%u\n", o->slots.kind);
  else
    tp_str_add(w->out, "null\n");
}

static void put_object(writer *w, tp_symheap_object *o) {
  tp_str_add(w->out, "object");
  put(w, o->id);
  put(w, o->size);
  tp_str_printf(w->out, " %d%s\n", (int)o->kind, o->is_zero ? " zero" : "");
  put_slots(w, o);
  if (o->fields.n) qsort(o->fields.at, o->fields.n, sizeof *o->fields.at, by_offset);
  for (size_t i = 0; i < o->fields.n; i++) {
    tp_str_printf(w->out, "field %llu", (unsigned long long)o->fields.at[i].offset);
    put(w, o->fields.at[i].value);
    tp_str_add(w->out, "\n");
  }
  for (size_t i = 0; i < o->open.n; i++) {
    tp_str_add(w->out, "slot");
    put(w, o->open.at[i].offset);
    put(w, o->open.at[i].value);
    tp_str_add(w->out, "\n");
  }
}

static void put_part(writer *w, const tp_symheap_part *p) {
  tp_str_printf(w->out, p->is_segment ? "segment %u" : "structure %u", p->kind);
  put(w, p->at);
  put(w, p->before);
  if (p->is_segment) {
    put(w, p->end);
    put(w, p->last);
  }
  tp_str_add(w->out, "\n");
  if (tp_term_is(p->where)) {
    tp_str_add(w->out, "where");
    put(w, p->where);
    tp_str_add(w->out, "\n");
  }
  if (p->ordered) {
    tp_str_add(w->out, "neighbours");
    put(w, tp_cell_orders_text(w->x->facts, p->ordered));
    tp_str_add(w->out, "\n");
  }
  if (!p->is_cell) return;
  tp_terms *tt = w->x->tt;
  tp_str_add(w->out, "fact");
  put(w, tp_mk_not(tt, tp_mk_eq(tt, p->at, tp_mk_null(tt))));
  tp_str_add(w->out, "\n");
}

/* The number that the symbol in an address has; UINT64_MAX: none yet. */
static uint64_t number_of(const writer *w, tp_term t) {
  uint64_t n = UINT64_MAX;
  if (tp_is_const(w->x->tt, t)) return 0;
  (void)tp_map_get(w->numbers, t.id, &n);
  return n;
}

/* What the contract's symbols are: the terms that the heap has for them. */
static void put_given(writer *w, const tp_symheap *s, const tp_term_list *symbols) {
  tp_terms *tt = w->x->tt;
  for (size_t i = 0; symbols && i < symbols->n; i++) {
    const tp_term value = s->given.at[i];
    if (!tp_term_is(value) || tp_term_eq(value, symbols->at[i])) continue;
    if (!tp_term_eq(value, tp_mk_null(tt)) && tp_symheap_object_at(w->x, s, value) == UINT32_MAX)
      continue;
    tp_str_add(w->out, "given");
    put(w, symbols->at[i]);
    put(w, value);
    tp_str_add(w->out, "\n");
  }
}

/* Objects and parts in the order in which what stands before leads to them; then the others. */
void tp_symheap_print(const tp_symheap_search *x, const tp_symheap *s, const tp_term_list *symbols,
                      tp_map *numbers, uint32_t first_symbol, uint32_t *order, tp_str *out) {
  writer w = {.x = x, .first = first_symbol, .numbers = numbers, .out = out};
  for (uint32_t v = 1; v < x->p->vars.n; v++) {
    if (!tp_term_is(s->vars[v])) continue;
    tp_str_printf(out, "var %u", v);
    put(&w, s->vars[v]);
    tp_str_printf(out, "  # %s\n", x->p->vars.at[v].name);
  }
  const size_t n = s->objects.n + s->parts.n;
  bool *done = TP_NEW_ARRAY(bool, n + 1);
  for (size_t left = n; left; left--) {
    size_t best = n;
    uint64_t best_number = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
      if (done[i]) continue;
      const uint64_t number =
          number_of(&w, i < s->objects.n ? s->objects.at[i].id : s->parts.at[i - s->objects.n].at);
      if (best == n || number < best_number) best = i, best_number = number;
    }
    done[best] = true;
    if (order) order[n - left] = (uint32_t)best;
    if (best < s->objects.n)
      put_object(&w, &s->objects.at[best]);
    else
      put_part(&w, &s->parts.at[best - s->objects.n]);
  }
  for (size_t i = 0; i < s->facts.n; i++) {
    if (tp_is_const(x->tt, s->facts.at[i])) continue;
    tp_str_add(out, "fact");
    put(&w, s->facts.at[i]);
    tp_str_add(out, "\n");
  }
  put_given(&w, s, symbols);
  if (s->has_more) tp_str_add(out, "more\n");
  tp_free(done);
}
