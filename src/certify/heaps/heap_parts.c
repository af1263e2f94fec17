/* Facts and parts: equations are carried out, parts that can only be empty go, others become a cell
 * and the rest.
 *
 * A segment may end at the cell where it starts; so `at` = `end` alone does not make it empty. It
 * is empty where no cell of it can be at `at`: at null, in a static, in an object that the state
 * has apart from the segment. */
#include "certify/heaps/heap_state.h"

static const tp_chk_heap_sums no_sums;

// ------------------------------------------------------------------- replacement

/* A slot whose place is known now is a field. */
static void replace_in_slots(const tp_chk_heap_world *w, tp_chk_heap_object *o, tp_term symbol,
                             tp_term with) {
  for (size_t i = 0; i < o->open.n;) {
    tp_chk_heap_slot *slot = &o->open.at[i];
    uint64_t offset;
    slot->offset = tp_replace(w->tt, slot->offset, symbol, with);
    slot->value = tp_replace(w->tt, slot->value, symbol, with);
    if (tp_bv_value_u64(w->tt, slot->offset, &offset)) {
      tp_vec_push(&o->fields, ((tp_chk_heap_field){offset, slot->value}));
      *slot = o->open.at[--o->open.n];
    } else {
      i++;
    }
  }
}

void tp_chk_heap_replace(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term symbol,
                         tp_term with) {
  for (size_t v = 1; v < w->p->vars.n; v++)
    if (tp_term_is(s->vars[v])) s->vars[v] = tp_replace(w->tt, s->vars[v], symbol, with);
  for (size_t i = 0; i < s->objects.n; i++) {
    tp_chk_heap_object *o = &s->objects.at[i];
    o->id = tp_replace(w->tt, o->id, symbol, with);
    o->size = tp_replace(w->tt, o->size, symbol, with);
    for (size_t f = 0; f < o->fields.n; f++)
      o->fields.at[f].value = tp_replace(w->tt, o->fields.at[f].value, symbol, with);
    replace_in_slots(w, o, symbol, with);
  }
  for (size_t i = 0; i < s->parts.n; i++) {
    tp_chk_heap_part *part = &s->parts.at[i];
    part->at = tp_replace(w->tt, part->at, symbol, with);
    part->before = tp_replace(w->tt, part->before, symbol, with);
    part->end = tp_replace(w->tt, part->end, symbol, with);
    part->last = tp_replace(w->tt, part->last, symbol, with);
    if (tp_term_is(part->where)) part->where = tp_replace(w->tt, part->where, symbol, with);
  }
  for (size_t i = 0; i < s->logical.n; i++)
    s->logical.at[i].value = tp_replace(w->tt, s->logical.at[i].value, symbol, with);
  size_t n = 0;
  for (size_t i = 0; i < s->facts.n; i++) {
    const tp_term fact =
        tp_chk_heap_decide(w, s, tp_replace(w->tt, s->facts.at[i], symbol, with), no_sums);
    if (tp_is_false(w->tt, fact)) s->is_impossible = true;
    if (!tp_is_true(w->tt, fact)) s->facts.at[n++] = fact;
  }
  s->facts.n = n;
}

// ------------------------------------------------------------------------- facts

/* May the symbol be replaced? Numbers of objects stay symbols: that keeps them apart. */
static bool is_free(const tp_chk_heap_world *w, const tp_chk_heap_state *s, tp_term symbol,
                    tp_term other) {
  const tp_sort_kind sort = tp_sort_kind_of(w->tt, tp_sort_of(w->tt, symbol));
  return tp_kind(w->tt, symbol) == TP_OP_VAR &&
         (sort == TP_SORT_PTR || sort == TP_SORT_BV || sort == TP_SORT_BOOL) &&
         tp_chk_heap_object_of(s, symbol) == UINT32_MAX && !tp_occurs(w->tt, symbol, other);
}

static bool carry_out(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term fact) {
  const bool is_negated = tp_kind(w->tt, fact) == TP_OP_NOT;
  const tp_term atom = is_negated ? tp_arg(w->tt, fact, 0) : fact;
  if (tp_kind(w->tt, atom) == TP_OP_VAR) {
    tp_chk_heap_replace(w, s, atom, tp_mk_bool(w->tt, !is_negated));
    return true;
  }
  if (is_negated || tp_kind(w->tt, fact) != TP_OP_EQ) return false;
  const tp_term a = tp_arg(w->tt, fact, 0), b = tp_arg(w->tt, fact, 1);
  if (is_free(w, s, a, b))
    tp_chk_heap_replace(w, s, a, b);
  else if (is_free(w, s, b, a))
    tp_chk_heap_replace(w, s, b, a);
  else
    return false;
  return true;
}

void tp_chk_heap_assume(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term fact) {
  tp_term_list all = {0};
  tp_conjuncts(w->tt, fact, &all);
  for (size_t i = 0; i < all.n && !s->is_impossible; i++) {
    const tp_term one = tp_chk_heap_decide(w, s, all.at[i], no_sums);
    if (tp_is_false(w->tt, one)) s->is_impossible = true;
    if (tp_is_true(w->tt, one) || tp_is_false(w->tt, one)) continue;
    const bool is_done = carry_out(w, s, one);
    // an equation stays a fact: conjuncts that are still to come name the symbol that was replaced
    if (!is_done || tp_kind(w->tt, one) == TP_OP_EQ) tp_vec_push(&s->facts, one);
  }
  tp_vec_clear(&all);
  tp_chk_heap_settle(w, s);
}

void tp_chk_heap_equate(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term a, tp_term b) {
  if (tp_term_eq(a, b)) return;
  if (is_free(w, s, a, b)) {
    tp_chk_heap_replace(w, s, a, b);
  } else if (is_free(w, s, b, a)) {
    tp_chk_heap_replace(w, s, b, a);
  } else {
    const tp_term one = tp_chk_heap_decide(w, s, tp_mk_eq(w->tt, a, b), no_sums);
    s->is_impossible |= tp_is_false(w->tt, one);
    if (tp_is_const(w->tt, one)) return;
    (void)carry_out(w, s, one);  // the number of an object that is freed may be another one's now
    tp_vec_push(&s->facts, one);
  }
}

// ------------------------------------------------------------------------- parts

static bool is_cell_impossible(const tp_chk_heap_world *w, const tp_chk_heap_state *s, tp_term at) {
  uint64_t number;
  const tp_term id = tp_mk1(w->tt, TP_OP_PTR_OBJ, at);
  return tp_chk_heap_object_of(s, id) != UINT32_MAX ||
         (tp_bv_value_u64(w->tt, id, &number) && number < w->p->statics.n);
}

static void remove_part(tp_chk_heap_state *s, uint32_t i) {
  s->parts.at[i] = s->parts.at[--s->parts.n];
}

/* The part stays until its places are equal: what is replaced for that is replaced in it, too. */
static void make_empty(const tp_chk_heap_world *w, tp_chk_heap_state *s, uint32_t i) {
  const bool is_segment = s->parts.at[i].is_segment;
  tp_chk_heap_equate(w, s, s->parts.at[i].at, is_segment ? s->parts.at[i].end : tp_mk_null(w->tt));
  if (is_segment) tp_chk_heap_equate(w, s, s->parts.at[i].before, s->parts.at[i].last);
  remove_part(s, i);
}

void tp_chk_heap_settle(const tp_chk_heap_world *w, tp_chk_heap_state *s) {
  for (uint32_t i = 0; i < s->parts.n && !s->is_impossible; i++) {
    const tp_chk_heap_part *part = &s->parts.at[i];
    const bool has_last = part->is_segment && w->kinds->at[part->kind].has_back;
    if (!is_cell_impossible(w, s, part->at) && !(has_last && is_cell_impossible(w, s, part->last)))
      continue;
    make_empty(w, s, i);
    i = UINT32_MAX;  // from the start: what was replaced may decide other parts
  }
}

void tp_chk_heap_empty(const tp_chk_heap_world *w, tp_chk_heap_state *s, uint32_t part) {
  TP_REQUIRE(part < s->parts.n);
  make_empty(w, s, part);
  tp_chk_heap_settle(w, s);
}

uint32_t tp_chk_heap_part_of(const tp_chk_heap_world *w, const tp_chk_heap_state *s, tp_term symbol,
                             bool *at_end) {
  for (uint32_t i = 0; i < s->parts.n; i++) {
    *at_end = false;
    if (tp_term_eq(s->parts.at[i].at, symbol)) return i;
  }
  for (uint32_t i = 0; i < s->parts.n; i++) {
    const tp_chk_heap_part *part = &s->parts.at[i];
    *at_end = true;
    if (part->is_segment && w->kinds->at[part->kind].has_back && tp_term_eq(part->last, symbol))
      return i;
  }
  return UINT32_MAX;
}

uint32_t tp_chk_heap_n_ways(const tp_chk_heap_world *w, const tp_chk_heap_part *part) {
  uint32_t n = 0;
  const tp_chk_cell_kind *k = &w->kinds->at[part->kind];
  for (size_t i = 0; i < k->links.n && part->is_segment; i++) n += k->links.at[i].to == part->kind;
  return part->is_segment ? n : 1;
}

static bool names(const tp_chk_heap_world *w, tp_term t, tp_term symbol) {
  return tp_term_is(t) && tp_occurs(w->tt, symbol, t);
}

/* Values that the part's statements name stand in the cell. */
static void add_values(const tp_chk_heap_world *w, tp_chk_heap_object *o,
                       const tp_chk_heap_part *part) {
  for (size_t i = 0; i < w->values->n; i++) {
    const tp_chk_cell_value *v = &w->values->at[i];
    if (names(w, part->where, v->symbol) || names(w, part->neighbours, v->symbol) ||
        names(w, part->neighbours, v->next))
      tp_chk_heap_write(w, o, v->offset, tp_chk_heap_symbol(w, tp_sort_of(w->tt, v->symbol)));
  }
}

static tp_term both(const tp_chk_heap_world *w, tp_term a, tp_term b) {
  if (!tp_term_is(a) || !tp_term_is(b)) return tp_term_is(a) ? a : b;
  return tp_mk_and(w->tt, a, b);
}

/* What holds of each other cell of the part: what is said of neighbours is transitive, so it holds
 * of the cell and each one behind it (at_end: in front of it, where no cell is beside the way). */
static tp_term where_of_rest(const tp_chk_heap_world *w, const tp_chk_heap_object *o,
                             const tp_chk_heap_part *part, bool at_end) {
  if (at_end && tp_chk_heap_n_ways(w, part) != 1) return part->where;
  return both(w, part->where,
              at_end ? tp_chk_heap_of_next(w, o, part->neighbours)
                     : tp_chk_heap_as_cell(w, tp_chk_heap_of_cell(w, o, part->neighbours)));
}

/* A cell of the part as an object; links that no segment goes along are structures of their own. */
static tp_term add_cell(const tp_chk_heap_world *w, tp_chk_heap_state *s,
                        const tp_chk_heap_part *part, tp_term before, uint32_t way, tp_term next,
                        tp_term *where_of_others) {
  tp_terms *tt = w->tt;
  const uint32_t bits = w->p->ptr_bits;
  const tp_sort pointer = tp_sort_ptr(tt);
  const tp_chk_cell_kind *k = &w->kinds->at[part->kind];
  const tp_term id = tp_chk_heap_symbol(w, tp_sort_bv(tt, TP_OBJ_BITS)),
                size = k->size_bytes ? tp_mk_bv(tt, bits, k->size_bytes)
                                     : tp_chk_heap_symbol(w, tp_sort_bv(tt, bits)),
                at = tp_mk_ptr(tt, id, tp_mk_bv(tt, bits, k->start));
  tp_chk_heap_object *o = tp_chk_heap_add_object(s, id, size, TP_O_HEAP);
  uint32_t n_way = 0;
  add_values(w, o, part);
  *where_of_others = where_of_rest(w, o, part, false);
  if (k->has_back) tp_chk_heap_write(w, o, k->back, before);
  for (size_t i = 0; i < k->links.n; i++) {
    const tp_chk_cell_link *l = &k->links.at[i];
    const bool is_way = part->is_segment && l->to == part->kind && n_way++ == way;
    const tp_term value = is_way ? next : l->to ? tp_chk_heap_symbol(w, pointer) : tp_mk_null(tt);
    tp_chk_heap_write(w, o, l->offset, value);
    if (l->is_cell) tp_vec_push(&s->facts, tp_mk_not(tt, tp_mk_eq(tt, value, tp_mk_null(tt))));
  }
  n_way = 0;
  for (size_t i = 0; i < k->links.n; i++) {
    const tp_chk_cell_link *l = &k->links.at[i];
    const bool is_own = l->to == part->kind, has_back = w->kinds->at[l->to].has_back;
    if (!l->to || (part->is_segment && is_own && n_way++ == way)) continue;
    const tp_term null = tp_mk_null(tt);
    tp_vec_push(&s->parts, ((tp_chk_heap_part){
                               .kind = l->to,
                               .is_segment = l->has_end,
                               .at = tp_chk_heap_read(w, o, l->offset, pointer),
                               .before = has_back ? at : null,
                               .end = l->has_end ? tp_chk_heap_read(w, o, l->end, pointer) : null,
                               .last = null,
                               .where = is_own ? *where_of_others : TP_TERM_NONE,
                               .neighbours = is_own ? part->neighbours : TP_TERM_NONE}));
  }
  return at;
}

tp_chk_heap_state *tp_chk_heap_unfold(const tp_chk_heap_world *w, const tp_chk_heap_state *s,
                                      uint32_t i, bool at_end, uint32_t way) {
  TP_REQUIRE(i < s->parts.n);
  tp_chk_heap_state *c = tp_chk_heap_copy(w->p, s);
  tp_terms *tt = w->tt;
  const tp_chk_heap_part part = c->parts.at[i];
  const bool has_back = w->kinds->at[part.kind].has_back;
  const tp_term next = tp_chk_heap_symbol(w, tp_sort_ptr(tt)),
                other = has_back ? tp_chk_heap_symbol(w, tp_sort_ptr(tt)) : tp_mk_null(tt);
  remove_part(c, i);
  tp_chk_heap_part rest = part;
  tp_term at;
  if (at_end) {
    at = add_cell(w, c, &part, other, way, part.end, &rest.where);
    rest.last = other;
    rest.end = at;
  } else {
    at = add_cell(w, c, &part, part.before, way, next, &rest.where);
    rest.at = next;
    rest.before = has_back ? at : tp_mk_null(tt);
  }
  const uint32_t cell = tp_chk_heap_object_of(c, tp_mk1(tt, TP_OP_PTR_OBJ, at));
  if (at_end) rest.where = where_of_rest(w, &c->objects.at[cell], &part, true);
  if (part.is_segment) tp_vec_push(&c->parts, rest);
  const tp_term holds = tp_chk_heap_of_cell(w, &c->objects.at[cell], part.where);
  if (tp_term_is(holds)) tp_chk_heap_assume(w, c, holds);
  tp_chk_heap_equate(w, c, at_end ? part.last : part.at, at);
  tp_chk_heap_settle(w, c);
  return c;
}
