/* The cases of what an edge asks for, and the program's steps. */
#include "proof/heaps/cell_orders.h"

static uint64_t bytes_of(const tp_symheap_search *x, tp_term t) {
  return tp_sort_bytes(x->tt, tp_sort_of(x->tt, t));
}

static bool is_symbol(const tp_symheap_search *x, tp_term t) {
  return tp_kind(x->tt, t) == TP_OP_VAR;
}

// ------------------------------------------------------------------------- cases

/* What holds of all other cells of the part, where this object is its first cell (at_end: its last
 * one). Members that orders name stand in it from then on. */
static tp_term where_of_rest(tp_symheap_search *x, tp_symheap_object *o,
                             const tp_symheap_part *part, bool at_end) {
  if (!part->ordered || (at_end && tp_symheap_n_ways(x->kinds, part->kind) != 1))
    return part->where;
  tp_cell_orders_name(x->facts, o, part->ordered);
  const tp_cell_piece cell = {.object = o}, others = {.part = part};
  const tp_term said =
      tp_cell_orders_said(x->facts, at_end ? others : cell, at_end ? cell : others, part->ordered);
  return tp_term_is(part->where) ? tp_mk_and(x->tt, part->where, said) : said;
}

static bool leads_to_cells(const tp_symheap_link *l) {
  return l->role == TP_LINK_TO || l->role == TP_LINK_TO_CELL || l->role == TP_LINK_UPTO;
}

/* What the link of the cell leads to. */
static tp_symheap_part part_at_link(const tp_symheap_search *x, const tp_symheap_object *o,
                                    uint32_t kind, const tp_symheap_link *l) {
  const tp_sort pointer = tp_sort_ptr(x->tt);
  const tp_term null = tp_mk_null(x->tt),
                at = tp_mk_ptr(x->tt, o->id,
                               tp_mk_bv(x->tt, x->p->ptr_bits, x->kinds->at[kind].start));
  tp_symheap_part part = {.kind = l->to,
                          .is_segment = l->role == TP_LINK_UPTO,
                          .at = tp_symheap_read(x, o, l->offset, pointer),
                          .before = tp_symheap_back_of(x->kinds, l->to) ? at : null,
                          .end = null,
                          .last = null,
                          .is_cell = l->role == TP_LINK_TO_CELL};
  if (part.is_segment)
    part.end = tp_symheap_read(x, o, tp_symheap_link_of_level(x->kinds, kind, l->level + 1)->offset,
                               pointer);
  return part;
}

/* A cell at the part's start, or at its end, and the rest. */
static tp_symheap *with_cell(tp_symheap_search *x, const tp_symheap *s, uint32_t i, bool at_end,
                             size_t way) {
  tp_terms *tt = x->tt;
  tp_symheap *c = tp_symheap_copy(x->p, s);
  const tp_symheap_part part = c->parts.at[i];
  const tp_symheap_kind *k = &x->kinds->at[part.kind];
  const bool has_back = tp_symheap_back_of(x->kinds, part.kind) != NULL;
  const tp_term id = tp_symheap_symbol(x, tp_sort_bv(tt, TP_OBJ_BITS)), null = tp_mk_null(tt),
                at = tp_mk_ptr(tt, id, tp_mk_bv(tt, x->p->ptr_bits, k->start)),
                next = at_end ? part.end : tp_symheap_symbol(x, tp_sort_ptr(tt)),
                other = has_back ? tp_symheap_symbol(x, tp_sort_ptr(tt)) : null;
  tp_symheap_remove_part(c, i);
  tp_symheap_object *o =
      tp_symheap_add(c, id,
                     k->size_bytes ? tp_mk_bv(tt, x->p->ptr_bits, k->size_bytes)
                                   : tp_symheap_symbol(x, tp_sort_bv(tt, x->p->ptr_bits)),
                     TP_O_HEAP);
  if (k->type.id) o->cell = part.kind;
  const tp_term rest = where_of_rest(x, o, &part, at_end);
  for (size_t l = 0; l < k->links.n; l++) {
    const tp_symheap_link *link = &k->links.at[l];
    if (link->role == TP_LINK_BACK)
      tp_symheap_write(x, o, link->offset, at_end ? other : part.before);
    if (link->role == TP_LINK_NULL) tp_symheap_write(x, o, link->offset, null);
    if (!leads_to_cells(link)) continue;
    const bool is_way = part.is_segment && l == way;
    tp_symheap_write(x, o, link->offset, is_way ? next : tp_symheap_symbol(x, tp_sort_ptr(tt)));
  }
  for (size_t l = 0; l < k->links.n; l++) {
    if (!leads_to_cells(&k->links.at[l]) || (part.is_segment && l == way)) continue;
    tp_symheap_part below = part_at_link(x, o, part.kind, &k->links.at[l]);
    if (below.kind == part.kind) {
      below.where = rest;
      below.holds = part.holds;
      below.ordered = part.ordered;
    }
    tp_vec_push(&c->parts, below);
  }
  if (tp_term_is(part.where))
    tp_vec_push(&c->facts,
                tp_cell_facts_said_of(x->facts, &c->objects.at[tp_symheap_object_at(x, c, at)],
                                      part.where));
  if (part.is_segment)
    tp_vec_push(&c->parts, ((tp_symheap_part){.kind = part.kind,
                                              .is_segment = true,
                                              .at = at_end ? part.at : next,
                                              .before = at_end     ? part.before
                                                        : has_back ? at
                                                                   : null,
                                              .end = at_end ? at : part.end,
                                              .last = at_end ? other : part.last,
                                              .where = rest,
                                              .holds = part.holds,
                                              .ordered = part.ordered}));
  tp_symheap_equate(x, c, at_end ? part.last : part.at, at);
  tp_symheap_settle(x, c);
  return c;
}

static void push_cases(tp_symheap_search *x, const tp_symheap *s, uint32_t i, bool at_end,
                       tp_symheap_list *out) {
  const tp_symheap_part *part = &s->parts.at[i];
  const tp_symheap_kind *k = &x->kinds->at[part->kind];
  tp_symheap_list cases = {0};
  for (size_t l = 0; l < (k->links.n ? k->links.n : 1); l++) {
    const bool is_way =
        k->links.n &&
        (k->links.at[l].role == TP_LINK_TO || k->links.at[l].role == TP_LINK_TO_CELL) &&
        k->links.at[l].to == part->kind;
    if (part->is_segment ? is_way : l == 0) tp_vec_push(&cases, with_cell(x, s, i, at_end, l));
  }
  if (!part->is_cell) {
    tp_symheap *empty = tp_symheap_copy(x->p, s);
    tp_symheap_make_empty(x, empty, i);
    tp_symheap_settle(x, empty);
    tp_vec_push(&cases, empty);
  }
  for (size_t c = 0; c < cases.n; c++) {
    if (cases.at[c]->is_impossible)
      tp_symheap_free(cases.at[c]);
    else
      tp_vec_push(out, cases.at[c]);
  }
  tp_vec_clear(&cases);
}

typedef struct {
  tp_symheap_search *x;
  const tp_symheap *s;
  uint32_t part;
  bool at_end;
} part_query;

static void find_part(void *ctx, tp_term symbol) {
  part_query *q = ctx;
  for (uint32_t i = 0; i < q->s->parts.n && q->part == UINT32_MAX; i++)
    if (tp_term_eq(q->s->parts.at[i].at, symbol)) q->part = i, q->at_end = false;
  for (uint32_t i = 0; i < q->s->parts.n && q->part == UINT32_MAX; i++)
    if (q->s->parts.at[i].is_segment && tp_symheap_back_of(q->x->kinds, q->s->parts.at[i].kind) &&
        tp_term_eq(q->s->parts.at[i].last, symbol))
      q->part = i, q->at_end = true;
}

/* The term of an edge in which it matters what a pointer leads to. */
static tp_term followed(const tp_symheap_search *x, const tp_edge_info *e) {
  const bool is_pointer =
      tp_term_is(e->a) && tp_sort_kind_of(x->tt, tp_sort_of(x->tt, e->a)) == TP_SORT_PTR;
  switch (e->kind) {
    case TP_E_ASSIGN:
    case TP_E_RETURN: return is_pointer ? TP_TERM_NONE : e->a;
    case TP_E_ASSUME:
    case TP_E_LOAD:
    case TP_E_STORE:
    case TP_E_FREE:
    case TP_E_SET:
    case TP_E_COPY:
    case TP_E_HAVOC_MEMORY:
    case TP_E_END_SCOPE: return e->a;
    case TP_E_CALL: return e->callee.id ? TP_TERM_NONE : e->a;
    case TP_E_SKIP:
    case TP_E_ALLOC:
    case TP_E_HAVOC: break;
  }
  return TP_TERM_NONE;
}

static bool is_choice(void *ctx, const tp_terms *tt, tp_term t) {
  tp_term *condition = ctx;
  if (tp_kind(tt, t) != TP_OP_ITE || tp_is_const(tt, tp_arg(tt, t, 0))) return false;
  *condition = tp_arg(tt, t, 0);
  return true;
}

/* An address that is a choice, or whose offset is one, is split by the condition that a variable
 * holds. */
static bool split_choice(tp_symheap_search *x, tp_symheap *s, tp_term address,
                         tp_symheap_list *out) {
  tp_term condition = TP_TERM_NONE;
  if (tp_sort_kind_of(x->tt, tp_sort_of(x->tt, address)) != TP_SORT_PTR ||
      !tp_any_subterm(x->tt, tp_symheap_value(x, s, address), is_choice, &condition))
    return false;
  for (int value = 0; value < 2; value++) {
    tp_symheap *one = tp_symheap_copy(x->p, s);
    tp_symheap_replace(x, one, condition, tp_mk_bool(x->tt, value == 1));
    if (tp_occurs(x->tt, condition, tp_symheap_value(x, one, address))) {
      tp_symheap_free(one);
      return false;  // of the first case; the second one is like it
    }
    if (x->facts) tp_vec_push(&one->facts, value ? condition : tp_mk_not(x->tt, condition));
    tp_symheap_settle(x, one);
    tp_vec_push(out, one);
  }
  return true;
}

bool tp_symheap_split(tp_symheap_search *x, tp_symheap *s, tp_symheap_list *out) {
  const tp_edge_list edges = tp_out_edges(x->p, s->loc);
  for (uint32_t i = 0; i < edges.n; i++) {
    const tp_term t = followed(x, tp_edge_of(x->p, (tp_edge){edges.at[i]}));
    if (!tp_term_is(t)) continue;
    part_query q = {x, s, UINT32_MAX, false};
    tp_for_vars(x->tt, tp_symheap_value(x, s, t), find_part, &q);
    if (q.part == UINT32_MAX && !split_choice(x, s, t, out)) continue;
    if (q.part != UINT32_MAX) push_cases(x, s, q.part, q.at_end, out);
    return false;
  }
  for (uint32_t i = 0; i < edges.n; i++)
    if (tp_symheap_split_slots(x, s, tp_edge_of(x->p, (tp_edge){edges.at[i]}), out)) return false;
  return true;
}

static bool is_named(const tp_symheap_search *x, const tp_symheap *s, tp_term value) {
  for (uint32_t v = 1; v < x->p->vars.n; v++)
    if (tp_term_is(s->vars[v]) && tp_term_eq(s->vars[v], value)) return true;
  return false;
}

/* Does a segment, or a cell that no variable leads to, lead to the part? */
static bool is_behind_structure(const tp_symheap_search *x, const tp_symheap *s,
                                const tp_symheap_part *part) {
  for (size_t i = 0; i < s->parts.n; i++)
    if (s->parts.at[i].kind == part->kind && tp_term_eq(s->parts.at[i].end, part->at)) return true;
  for (size_t i = 0; i < s->objects.n; i++) {
    const tp_symheap_object *o = &s->objects.at[i];
    if (tp_symheap_kind_of_object(x, o) != part->kind) continue;
    const tp_term start =
        tp_mk_ptr(x->tt, o->id, tp_mk_bv(x->tt, x->p->ptr_bits, x->kinds->at[part->kind].start));
    for (size_t f = 0; f < o->fields.n; f++)
      if (tp_term_eq(o->fields.at[f].value, part->at) && !is_named(x, s, start)) return true;
  }
  return false;
}

bool tp_symheap_split_named(tp_symheap_search *x, const tp_symheap *s, tp_symheap_list *out) {
  for (uint32_t i = 0; i < s->parts.n && x->facts; i++) {
    const tp_symheap_part *part = &s->parts.at[i];
    if (!tp_cell_orders_of_kind(x->facts, part->kind) || !is_named(x, s, part->at) ||
        tp_symheap_n_ways(x->kinds, part->kind) != 1 || !is_behind_structure(x, s, part))
      continue;
    push_cases(x, s, i, false, out);
    return true;
  }
  return false;
}

// ------------------------------------------------------------------------- edges

static bool give_up(tp_symheap_search *x, const tp_symheap *s, const char *reason) {
  if (!x->reason && !(x->facts && tp_cell_facts_is_impossible(x->facts, s))) {
    x->reason = reason;
    x->where = s->loc;
  }
  return false;
}

static bool names_ghosts(const tp_symheap_search *x, tp_term t) {
  const tp_var ghosts[] = {x->p->ghost_size, x->p->ghost_live, x->p->ghost_kind, x->p->ghost_heap,
                           x->p->ghost_leaked};
  for (size_t i = 0; i < sizeof ghosts / sizeof *ghosts; i++)
    if (ghosts[i].id && tp_occurs(x->tt, tp_var_of(x->p, ghosts[i])->term, t)) return true;
  return false;
}

static bool is_of_pointer(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_PTR;
}

/* What is assumed of numbers, where they are followed; whether it can be is asked at cutpoints. */
static void assume_of_numbers(tp_symheap_search *x, tp_symheap *s, tp_term condition) {
  if (x->facts && !tp_is_const(x->tt, condition) &&
      !tp_any_subterm(x->tt, condition, is_of_pointer, NULL))
    tp_vec_push(&s->facts, condition);
}

/* Equations of pointers are carried out; other conditions are not followed. */
static bool assume(tp_symheap_search *x, tp_symheap *s, const tp_edge_info *e) {
  if (names_ghosts(x, e->a)) return true;
  assume_of_numbers(x, s, tp_symheap_value(x, s, e->a));
  tp_term_list all = {0};
  tp_conjuncts(x->tt, tp_symheap_value(x, s, e->a), &all);
  bool ok = true;
  for (size_t i = 0; i < all.n && ok; i++) {
    const tp_term c = all.at[i];
    const bool is_negated = tp_kind(x->tt, c) == TP_OP_NOT;
    const tp_term atom = is_negated ? tp_arg(x->tt, c, 0) : c;
    ok = !tp_is_false(x->tt, c);
    if (ok && is_symbol(x, atom)) tp_symheap_replace(x, s, atom, tp_mk_bool(x->tt, !is_negated));
    if (!ok || is_negated || tp_kind(x->tt, c) != TP_OP_EQ) continue;
    const tp_term a = tp_arg(x->tt, c, 0), b = tp_arg(x->tt, c, 1);
    const tp_sort_kind sort = tp_sort_kind_of(x->tt, tp_sort_of(x->tt, a));
    if (sort == TP_SORT_PTR && (is_symbol(x, a) || is_symbol(x, b))) tp_symheap_equate(x, s, a, b);
    if (sort == TP_SORT_BV && is_symbol(x, a) && tp_is_const(x->tt, b))
      tp_symheap_replace(x, s, a, b);
    if (sort == TP_SORT_BV && is_symbol(x, b) && tp_is_const(x->tt, a))
      tp_symheap_replace(x, s, b, a);
  }
  tp_vec_clear(&all);
  tp_symheap_settle(x, s);
  return ok && !s->is_impossible;
}

/* Of literals nothing is kept. */
static bool is_static(const tp_symheap_search *x, tp_term address) {
  uint64_t k;
  return tp_bv_value_u64(x->tt, tp_mk1(x->tt, TP_OP_PTR_OBJ, address), &k) && k > 0 &&
         k < x->p->statics.n;
}

static bool load(tp_symheap_search *x, tp_symheap *s, const tp_edge_info *e) {
  const tp_term address = tp_symheap_value(x, s, e->a);
  const uint32_t i = tp_symheap_object_at(x, s, address);
  const tp_sort sort = tp_sort_of(x->tt, tp_var_of(x->p, e->var)->term);
  uint64_t offset;
  if (i == UINT32_MAX && is_static(x, address)) {
    s->vars[e->var.id] = TP_TERM_NONE;
    return true;
  }
  if (i == UINT32_MAX) return give_up(x, s, "a pointer that is followed leads to no known object");
  tp_term value = TP_TERM_NONE;
  const tp_term place = tp_mk1(x->tt, TP_OP_PTR_OFF, address);
  const bool is_pointer = tp_sort_kind_of(x->tt, sort) == TP_SORT_PTR;
  const tp_term *slot =
      is_pointer && !e->volatile_access ? tp_symheap_slot_at(x, s, i, place) : NULL;
  tp_symheap_object *o = &s->objects.at[i];
  if (slot) {
    value = *slot;
  } else if (tp_bv_value_u64(x->tt, place, &offset) && !e->volatile_access) {
    value = tp_symheap_read(x, o, offset, sort);
    if (!tp_term_is(value) && (is_pointer || x->facts) && !o->is_zero && !o->slots.stride) {
      value = tp_symheap_symbol(x, sort);
      tp_symheap_write(x, o, offset, value);
    }
  }
  s->vars[e->var.id] = value;
  return true;
}

static bool store(tp_symheap_search *x, tp_symheap *s, const tp_edge_info *e) {
  const tp_term address = tp_symheap_value(x, s, e->a), value = tp_symheap_value(x, s, e->b);
  const uint32_t i = tp_symheap_object_at(x, s, address);
  uint64_t offset;
  if (i == UINT32_MAX)
    return give_up(x, s, "a pointer that is written through leads to no known object");
  const tp_term place = tp_mk1(x->tt, TP_OP_PTR_OFF, address);
  const uint64_t n = bytes_of(x, value);
  tp_term *slot = tp_sort_kind_of(x->tt, tp_sort_of(x->tt, value)) == TP_SORT_PTR
                      ? tp_symheap_slot_at(x, s, i, place)
                      : NULL;
  tp_symheap_object *o = &s->objects.at[i];
  if (slot)
    *slot = value;
  else if (tp_bv_value_u64(x->tt, place, &offset) &&
           !tp_symheap_meets_slots(x, &o->slots, offset, n))
    tp_symheap_write(x, o, offset, value);
  else
    tp_symheap_write_beside(x, s, i, place, n);
  return true;
}

/* False: the object is not known. */
static bool end_object(tp_symheap_search *x, tp_symheap *s, tp_term pointer) {
  if (tp_term_eq(pointer, tp_mk_null(x->tt))) return true;
  const uint32_t i = tp_symheap_object_at(x, s, pointer);
  if (i != UINT32_MAX) {
    s->has_more |= tp_symheap_has_hidden(x, &s->objects.at[i]);
    tp_symheap_remove(s, i);
  }
  return i != UINT32_MAX;
}

static void copy_fields(tp_symheap_search *x, tp_symheap *s, const tp_edge_info *e,
                        tp_symheap_object *to, uint64_t offset, uint64_t n) {
  const tp_term from = tp_symheap_value(x, s, e->b);
  const uint32_t i = tp_symheap_object_at(x, s, from);
  uint64_t start;
  if (i == UINT32_MAX || !tp_bv_value_u64(x->tt, tp_mk1(x->tt, TP_OP_PTR_OFF, from), &start))
    return;
  const size_t n_fields = s->objects.at[i].fields.n;
  for (size_t f = 0; f < n_fields; f++) {
    const tp_symheap_field field = s->objects.at[i].fields.at[f];
    if (field.offset >= start && field.offset + bytes_of(x, field.value) <= start + n)
      tp_vec_push(&to->fields, ((tp_symheap_field){field.offset - start + offset, field.value}));
  }
}

static bool block(tp_symheap_search *x, tp_symheap *s, const tp_edge_info *e) {
  uint64_t n = 0, offset, byte = 1, size;
  const tp_term address = tp_symheap_value(x, s, e->a);
  const bool has_length =
      tp_term_is(e->c) && tp_bv_value_u64(x->tt, tp_symheap_value(x, s, e->c), &n);
  if (has_length && n == 0) return true;
  const uint32_t i = tp_symheap_object_at(x, s, address);
  if (i == UINT32_MAX || !tp_term_is(e->c))
    return give_up(x, s, "memory that may change is not known");
  tp_symheap_object *o = &s->objects.at[i];
  const bool zeros = e->kind == TP_E_SET &&
                     tp_bv_value_u64(x->tt, tp_symheap_value(x, s, e->b), &byte) && byte == 0;
  const bool is_fixed =
      has_length && tp_bv_value_u64(x->tt, tp_mk1(x->tt, TP_OP_PTR_OFF, address), &offset);
  if (!is_fixed || o->slots.stride) tp_symheap_forget(x, s, i);
  if (!is_fixed) return true;
  tp_symheap_clobber(x, o, offset, n);
  o->is_zero = zeros && offset == 0 && tp_bv_value_u64(x->tt, o->size, &size) && size == n;
  if (e->kind == TP_E_COPY) copy_fields(x, s, e, o, offset, n);
  return true;
}

bool tp_symheap_step(tp_symheap_search *x, tp_symheap *s, tp_edge edge) {
  const tp_edge_info *e = tp_edge_of(x->p, edge);
  bool ok = true;
  uint64_t byte;
  switch (e->kind) {
    case TP_E_SKIP: break;
    case TP_E_ASSIGN: tp_symheap_set(x, s, e->var, tp_symheap_value(x, s, e->a)); break;
    case TP_E_ASSUME: ok = assume(x, s, e); break;
    case TP_E_LOAD: ok = load(x, s, e); break;
    case TP_E_STORE: ok = store(x, s, e); break;
    case TP_E_ALLOC: {
      const tp_term id = tp_symheap_symbol(x, tp_sort_bv(x->tt, TP_OBJ_BITS));
      tp_symheap_object *o = tp_symheap_add(s, id, tp_symheap_value(x, s, e->a), e->object_kind);
      o->is_zero = tp_term_is(e->b) && tp_bv_value_u64(x->tt, e->b, &byte) && byte == 0;
      tp_symheap_set(x, s, e->var, tp_mk_ptr(x->tt, id, tp_mk_bv(x->tt, x->p->ptr_bits, 0)));
      break;
    }
    case TP_E_FREE:
      if (!end_object(x, s, tp_symheap_value(x, s, e->a)))
        return give_up(x, s, "what is freed is not known");
      break;
    case TP_E_END_SCOPE:
      if (!end_object(x, s, tp_symheap_value(x, s, e->a)))
        return give_up(x, s, "whose lifetime ends is not known");
      break;
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: ok = block(x, s, e); break;
    case TP_E_HAVOC:
      if (e->may_write) return give_up(x, s, "a function without body may write memory");
      if (e->var.id) s->vars[e->var.id] = TP_TERM_NONE;
      break;
    case TP_E_RETURN: {
      const tp_var result = tp_func_of(x->p, tp_loc_of(x->p, e->from)->func)->result;
      if (result.id && tp_term_is(e->a)) s->vars[result.id] = tp_symheap_value(x, s, e->a);
      break;
    }
    case TP_E_CALL: return false;
  }
  s->loc = e->to;
  return ok;
}
