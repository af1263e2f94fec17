/* Heaps as lists, and the steps of the program on them. */
#include "proof/heaps/symbolic_heap.h"

// ------------------------------------------------------------------------ lists

tp_symheap *tp_symheap_new(const tp_program *p) {
  tp_symheap *s = TP_NEW(tp_symheap);
  s->vars = TP_NEW_ARRAY(tp_term, p->vars.n);
  return s;
}

tp_symheap *tp_symheap_copy(const tp_program *p, const tp_symheap *s) {
  tp_symheap *c = tp_symheap_new(p);
  c->loc = s->loc;
  c->context = s->context;
  c->is_impossible = s->is_impossible;
  c->is_inside = s->is_inside;
  c->has_more = s->has_more;
  memcpy(c->vars, s->vars, p->vars.n * sizeof *c->vars);
  for (size_t i = 0; i < s->objects.n; i++) {
    tp_symheap_object o = s->objects.at[i];
    memset(&o.fields, 0, sizeof o.fields);
    for (size_t f = 0; f < s->objects.at[i].fields.n; f++)
      tp_vec_push(&o.fields, s->objects.at[i].fields.at[f]);
    tp_vec_push(&c->objects, o);
  }
  for (size_t i = 0; i < s->parts.n; i++) tp_vec_push(&c->parts, s->parts.at[i]);
  for (size_t i = 0; i < s->given.n; i++) tp_vec_push(&c->given, s->given.at[i]);
  return c;
}

void tp_symheap_free(tp_symheap *s) {
  if (!s) return;
  for (size_t i = 0; i < s->objects.n; i++) tp_vec_clear(&s->objects.at[i].fields);
  tp_vec_clear(&s->objects);
  tp_vec_clear(&s->parts);
  tp_vec_clear(&s->given);
  tp_free(s->vars);
  tp_free(s);
}

tp_term tp_symheap_symbol(const tp_symheap_search *x, tp_sort sort) {
  return tp_mk_var(x->tt, "some", sort);
}

static uint32_t index_of(const tp_symheap *s, tp_term id) {
  for (uint32_t i = 0; i < s->objects.n; i++)
    if (tp_term_eq(s->objects.at[i].id, id)) return i;
  return UINT32_MAX;
}

uint32_t tp_symheap_object_at(const tp_symheap_search *x, const tp_symheap *s, tp_term pointer) {
  return index_of(s, tp_mk1(x->tt, TP_OP_PTR_OBJ, pointer));
}

tp_symheap_object *tp_symheap_add(tp_symheap *s, tp_term id, tp_term size, tp_object_kind kind) {
  tp_vec_push(&s->objects, ((tp_symheap_object){.id = id, .size = size, .kind = kind}));
  return &tp_vec_last(&s->objects);
}

/* The order of the others stays: texts of equal heaps are equal. */
void tp_symheap_remove(tp_symheap *s, uint32_t object) {
  TP_REQUIRE(object < s->objects.n);
  tp_vec_clear(&s->objects.at[object].fields);
  for (size_t i = object; i + 1 < s->objects.n; i++) s->objects.at[i] = s->objects.at[i + 1];
  s->objects.n--;
}

void tp_symheap_remove_part(tp_symheap *s, uint32_t part) {
  TP_REQUIRE(part < s->parts.n);
  for (size_t i = part; i + 1 < s->parts.n; i++) s->parts.at[i] = s->parts.at[i + 1];
  s->parts.n--;
}

// ----------------------------------------------------------------------- fields

static uint64_t bytes_of(const tp_symheap_search *x, tp_term t) {
  return tp_sort_bytes(x->tt, tp_sort_of(x->tt, t));
}

tp_term tp_symheap_read(const tp_symheap_search *x, const tp_symheap_object *o, uint64_t offset,
                        tp_sort sort) {
  const uint64_t n = tp_sort_bytes(x->tt, sort);
  for (size_t i = 0; i < o->fields.n; i++) {
    const tp_symheap_field *f = &o->fields.at[i];
    if (offset >= f->offset + bytes_of(x, f->value) || f->offset >= offset + n) continue;
    return f->offset == offset && tp_sort_eq(tp_sort_of(x->tt, f->value), sort) ? f->value
                                                                                : TP_TERM_NONE;
  }
  if (!o->is_zero) return TP_TERM_NONE;
  switch (tp_sort_kind_of(x->tt, sort)) {
    case TP_SORT_PTR: return tp_mk_null(x->tt);
    case TP_SORT_BV: return tp_mk_bv(x->tt, tp_sort_width(x->tt, sort), 0);
    case TP_SORT_BOOL: return tp_mk_false(x->tt);
    case TP_SORT_FP:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return TP_TERM_NONE;
}

static void forget(const tp_symheap_search *x, tp_symheap_object *o, uint64_t offset, uint64_t n) {
  for (size_t i = 0; i < o->fields.n;) {
    const tp_symheap_field f = o->fields.at[i];
    if (offset < f.offset + bytes_of(x, f.value) && f.offset < offset + n) {
      if (f.offset < offset || f.offset + bytes_of(x, f.value) > offset + n) o->is_zero = false;
      o->fields.at[i] = o->fields.at[--o->fields.n];
    } else {
      i++;
    }
  }
}

void tp_symheap_write(const tp_symheap_search *x, tp_symheap_object *o, uint64_t offset,
                      tp_term value) {
  forget(x, o, offset, bytes_of(x, value));
  tp_vec_push(&o->fields, ((tp_symheap_field){offset, value}));
}

// -------------------------------------------------------------------- equations

void tp_symheap_replace(const tp_symheap_search *x, tp_symheap *s, tp_term old, tp_term with) {
  for (size_t v = 1; v < x->p->vars.n; v++)
    if (tp_term_is(s->vars[v])) s->vars[v] = tp_replace(x->tt, s->vars[v], old, with);
  for (size_t i = 0; i < s->objects.n; i++)
    for (size_t f = 0; f < s->objects.at[i].fields.n; f++) {
      tp_term *value = &s->objects.at[i].fields.at[f].value;
      *value = tp_replace(x->tt, *value, old, with);
    }
  for (size_t i = 0; i < s->parts.n; i++) {
    tp_symheap_part *part = &s->parts.at[i];
    tp_term *terms[] = {&part->at, &part->before, &part->end, &part->last};
    for (int k = 0; k < 4; k++) *terms[k] = tp_replace(x->tt, *terms[k], old, with);
  }
  for (size_t i = 0; i < s->given.n; i++)
    if (tp_term_is(s->given.at[i])) s->given.at[i] = tp_replace(x->tt, s->given.at[i], old, with);
}

static bool is_symbol(const tp_symheap_search *x, tp_term t) {
  return tp_kind(x->tt, t) == TP_OP_VAR;
}

/* Pointers that are no symbols lead to known places: objects of the heap are apart. */
void tp_symheap_equate(const tp_symheap_search *x, tp_symheap *s, tp_term a, tp_term b) {
  if (tp_term_eq(a, b)) return;
  if (is_symbol(x, a))
    tp_symheap_replace(x, s, a, b);
  else if (is_symbol(x, b))
    tp_symheap_replace(x, s, b, a);
  else
    s->is_impossible = true;
}

static bool is_no_cell(const tp_symheap_search *x, const tp_symheap *s, tp_term at) {
  return tp_symheap_object_at(x, s, at) != UINT32_MAX || tp_kind(x->tt, at) == TP_OP_PTR_CONST;
}

/* The part stays until its places are equal: what is replaced for that is replaced in it, too. */
static void make_empty(const tp_symheap_search *x, tp_symheap *s, uint32_t i) {
  const bool is_segment = s->parts.at[i].is_segment;
  tp_symheap_equate(x, s, s->parts.at[i].at, is_segment ? s->parts.at[i].end : tp_mk_null(x->tt));
  if (is_segment) tp_symheap_equate(x, s, s->parts.at[i].before, s->parts.at[i].last);
  tp_symheap_remove_part(s, i);
}

void tp_symheap_settle(const tp_symheap_search *x, tp_symheap *s) {
  for (uint32_t i = 0; i < s->parts.n && !s->is_impossible;) {
    const tp_symheap_part *part = &s->parts.at[i];
    const bool has_last = part->is_segment && tp_symheap_back_of(x->kinds, part->kind);
    if (is_no_cell(x, s, part->at) || (has_last && is_no_cell(x, s, part->last))) {
      make_empty(x, s, i);
      i = 0;
    } else {
      i++;
    }
  }
}

// ------------------------------------------------------------------------ values

typedef struct {
  const tp_symheap_search *x;
  tp_symheap *s;
} evaluation;

static tp_term value_of(void *ctx, tp_term symbol) {
  const evaluation *e = ctx;
  const tp_var v = tp_program_var_of(e->x->p, symbol);
  if (!v.id || tp_var_of(e->x->p, v)->kind == TP_V_GHOST) return TP_TERM_NONE;
  if (!tp_term_is(e->s->vars[v.id]))
    e->s->vars[v.id] = tp_symheap_symbol(e->x, tp_sort_of(e->x->tt, symbol));
  return e->s->vars[v.id];
}

static bool is_known_place(const evaluation *e, tp_term pointer) {
  return tp_kind(e->x->tt, pointer) == TP_OP_PTR_CONST ||
         tp_symheap_object_at(e->x, e->s, pointer) != UINT32_MAX;
}

/* Numbers of different objects, or of an object and of a static, are different. */
static tp_term decide_objects(const evaluation *e, tp_term a, tp_term b) {
  const bool is_a = index_of(e->s, a) != UINT32_MAX, is_b = index_of(e->s, b) != UINT32_MAX;
  const bool differ = !tp_term_eq(a, b) && ((is_a && is_b) || (is_a && tp_is_const(e->x->tt, b)) ||
                                            (is_b && tp_is_const(e->x->tt, a)));
  return differ ? tp_mk_false(e->x->tt) : tp_mk_eq(e->x->tt, a, b);
}

/* Pointers into different objects are different. */
static tp_term decide(void *ctx, tp_term t, tp_term made) {
  const evaluation *e = ctx;
  tp_terms *tt = e->x->tt;
  (void)t;
  if (tp_kind(tt, made) == TP_OP_INT_TO_PTR) return tp_symheap_symbol(e->x, tp_sort_of(tt, made));
  if (tp_kind(tt, made) != TP_OP_EQ) return made;
  const tp_term a = tp_arg(tt, made, 0), b = tp_arg(tt, made, 1);
  const tp_sort sort = tp_sort_of(tt, a);
  if (tp_sort_kind_of(tt, sort) == TP_SORT_BV && tp_sort_width(tt, sort) == TP_OBJ_BITS)
    return decide_objects(e, a, b);
  if (tp_sort_kind_of(tt, sort) != TP_SORT_PTR || !is_known_place(e, a) || !is_known_place(e, b))
    return made;
  const tp_term same =
      decide_objects(e, tp_mk1(tt, TP_OP_PTR_OBJ, a), tp_mk1(tt, TP_OP_PTR_OBJ, b));
  return tp_mk_and(tt, same,
                   tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, a), tp_mk1(tt, TP_OP_PTR_OFF, b)));
}

tp_term tp_symheap_value(const tp_symheap_search *x, tp_symheap *s, tp_term t) {
  evaluation e = {x, s};
  tp_map images = {0};
  const tp_mapper m = {.ctx = &e, .after = decide};
  const tp_term out = tp_map_terms(x->tt, tp_subst(x->tt, t, value_of, &e, NULL), &m, &images);
  tp_map_clear(&images);
  return out;
}

// ------------------------------------------------------------------------- cases

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
  for (size_t l = 0; l < k->links.n; l++) {
    const tp_symheap_link *link = &k->links.at[l];
    if (link->role == TP_LINK_BACK)
      tp_symheap_write(x, o, link->offset, at_end ? other : part.before);
    if (link->role != TP_LINK_TO && link->role != TP_LINK_TO_CELL) continue;
    const bool is_way = part.is_segment && l == way;
    const tp_term to = is_way ? next : tp_symheap_symbol(x, tp_sort_ptr(tt));
    tp_symheap_write(x, o, link->offset, to);
    if (!is_way)
      tp_vec_push(&c->parts,
                  ((tp_symheap_part){.kind = link->to,
                                     .at = to,
                                     .before = tp_symheap_back_of(x->kinds, link->to) ? at : null,
                                     .end = null,
                                     .last = null}));
  }
  if (part.is_segment)
    tp_vec_push(&c->parts, ((tp_symheap_part){.kind = part.kind,
                                              .is_segment = true,
                                              .at = at_end ? part.at : next,
                                              .before = at_end     ? part.before
                                                        : has_back ? at
                                                                   : null,
                                              .end = at_end ? at : part.end,
                                              .last = at_end ? other : part.last}));
  tp_symheap_equate(x, c, at_end ? part.last : part.at, at);
  tp_symheap_settle(x, c);
  return c;
}

uint32_t tp_symheap_kind_of_object(const tp_symheap_search *x, const tp_symheap_object *o) {
  uint64_t size;
  if (o->kind != TP_O_HEAP || !tp_bv_value_u64(x->tt, o->size, &size)) return 0;
  return o->cell && x->kinds->at[o->cell].size_bytes == size
             ? o->cell
             : tp_symheap_kind_of_size(x->kinds, size);
}

void tp_symheap_set(const tp_symheap_search *x, tp_symheap *s, tp_var v, tp_term value) {
  s->vars[v.id] = value;
  if (!tp_term_is(value) || tp_sort_kind_of(x->tt, tp_sort_of(x->tt, value)) != TP_SORT_PTR) return;
  const uint32_t i = tp_symheap_object_at(x, s, value);
  const tp_type type = tp_var_of(x->p, v)->type;
  if (i == UINT32_MAX || s->objects.at[i].cell || !type.id ||
      tp_type_of(x->p, type)->kind != TP_T_POINTER)
    return;
  const tp_type to = tp_type_of(x->p, type)->element;
  if (to.id && tp_type_of(x->p, to)->kind == TP_T_STRUCT)
    s->objects.at[i].cell = tp_symheap_kind_of_type(x->kinds, x->p, to);
}

/* A structure that a link says is not empty is unfolded at once: its emptiness is never a case. */
static bool may_be_empty(const tp_symheap_search *x, const tp_symheap *s,
                         const tp_symheap_part *part) {
  for (size_t i = 0; i < s->objects.n; i++) {
    const uint32_t k = tp_symheap_kind_of_object(x, &s->objects.at[i]);
    for (size_t l = 0; k && l < x->kinds->at[k].links.n; l++)
      for (size_t f = 0; f < s->objects.at[i].fields.n; f++)
        if (x->kinds->at[k].links.at[l].role == TP_LINK_TO_CELL &&
            s->objects.at[i].fields.at[f].offset == x->kinds->at[k].links.at[l].offset &&
            tp_term_eq(s->objects.at[i].fields.at[f].value, part->at))
          return false;
  }
  return true;
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
  if (may_be_empty(x, s, part)) {
    tp_symheap *empty = tp_symheap_copy(x->p, s);
    make_empty(x, empty, i);
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
    case TP_E_SKIP:
    case TP_E_ALLOC:
    case TP_E_HAVOC:
    case TP_E_CALL: break;
  }
  return TP_TERM_NONE;
}

bool tp_symheap_split(tp_symheap_search *x, tp_symheap *s, tp_symheap_list *out) {
  const tp_edge_list edges = tp_out_edges(x->p, s->loc);
  for (uint32_t i = 0; i < edges.n; i++) {
    const tp_term t = followed(x, tp_edge_of(x->p, (tp_edge){edges.at[i]}));
    if (!tp_term_is(t)) continue;
    part_query q = {x, s, UINT32_MAX, false};
    tp_for_vars(x->tt, tp_symheap_value(x, s, t), find_part, &q);
    if (q.part == UINT32_MAX) continue;
    push_cases(x, s, q.part, q.at_end, out);
    return false;
  }
  return true;
}

// ------------------------------------------------------------------------- edges

static bool give_up(tp_symheap_search *x, const tp_symheap *s, const char *reason) {
  if (!x->reason) {
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

/* Equations of pointers are carried out; other conditions are not followed. */
static bool assume(tp_symheap_search *x, tp_symheap *s, const tp_edge_info *e) {
  if (names_ghosts(x, e->a)) return true;
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
  if (tp_bv_value_u64(x->tt, tp_mk1(x->tt, TP_OP_PTR_OFF, address), &offset) &&
      !e->volatile_access) {
    tp_symheap_object *o = &s->objects.at[i];
    value = tp_symheap_read(x, o, offset, sort);
    if (!tp_term_is(value) && tp_sort_kind_of(x->tt, sort) == TP_SORT_PTR && !o->is_zero) {
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
  tp_symheap_object *o = &s->objects.at[i];
  if (tp_bv_value_u64(x->tt, tp_mk1(x->tt, TP_OP_PTR_OFF, address), &offset)) {
    tp_symheap_write(x, o, offset, value);
  } else {
    o->fields.n = 0;
    o->is_zero = false;
  }
  return true;
}

/* False: the object is not known. */
static bool end_object(tp_symheap_search *x, tp_symheap *s, tp_term pointer) {
  if (tp_term_eq(pointer, tp_mk_null(x->tt))) return true;
  const uint32_t i = tp_symheap_object_at(x, s, pointer);
  if (i != UINT32_MAX) tp_symheap_remove(s, i);
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
  if (!has_length || !tp_bv_value_u64(x->tt, tp_mk1(x->tt, TP_OP_PTR_OFF, address), &offset)) {
    o->fields.n = 0;
    o->is_zero = false;
    return true;
  }
  forget(x, o, offset, n);
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
