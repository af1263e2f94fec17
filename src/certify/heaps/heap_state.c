/* Objects, fields, values; steps that change what is known are in heap_parts.c. */
#include "certify/heaps/heap_state.h"

// ------------------------------------------------------------------------ lists

tp_chk_heap_state *tp_chk_heap_new(const tp_program *p) {
  tp_chk_heap_state *s = TP_NEW(tp_chk_heap_state);
  s->vars = TP_NEW_ARRAY(tp_term, p->vars.n);
  return s;
}

tp_chk_heap_state *tp_chk_heap_copy(const tp_program *p, const tp_chk_heap_state *s) {
  tp_chk_heap_state *c = tp_chk_heap_new(p);
  c->loc = s->loc;
  c->context = s->context;
  c->is_inside = s->is_inside;
  c->has_more = s->has_more;
  c->is_impossible = s->is_impossible;
  memcpy(c->vars, s->vars, p->vars.n * sizeof *c->vars);
  for (size_t i = 0; i < s->objects.n; i++) {
    const tp_chk_heap_object *o = &s->objects.at[i];
    tp_chk_heap_object n = {
        .id = o->id, .size = o->size, .kind = o->kind, .is_zero = o->is_zero, .slots = o->slots};
    for (size_t f = 0; f < o->fields.n; f++) tp_vec_push(&n.fields, o->fields.at[f]);
    for (size_t f = 0; f < o->open.n; f++) tp_vec_push(&n.open, o->open.at[f]);
    tp_vec_push(&c->objects, n);
  }
  for (size_t i = 0; i < s->parts.n; i++) tp_vec_push(&c->parts, s->parts.at[i]);
  for (size_t i = 0; i < s->facts.n; i++) tp_vec_push(&c->facts, s->facts.at[i]);
  for (size_t i = 0; i < s->logical.n; i++) tp_vec_push(&c->logical, s->logical.at[i]);
  c->depth = s->depth;
  return c;
}

static void clear_object(tp_chk_heap_object *o) {
  tp_vec_clear(&o->fields);
  tp_vec_clear(&o->open);
}

void tp_chk_heap_free(tp_chk_heap_state *s) {
  if (!s) return;
  for (size_t i = 0; i < s->objects.n; i++) clear_object(&s->objects.at[i]);
  tp_vec_clear(&s->objects);
  tp_vec_clear(&s->parts);
  tp_vec_clear(&s->facts);
  tp_vec_clear(&s->logical);
  tp_free(s->vars);
  tp_free(s);
}

// ---------------------------------------------------------------------- objects

tp_term tp_chk_heap_symbol(const tp_chk_heap_world *w, tp_sort sort) {
  return tp_mk_var(w->tt, "any", sort);
}

tp_term tp_chk_heap_var(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_var v) {
  TP_REQUIRE(v.id && v.id < w->p->vars.n);
  if (!tp_term_is(s->vars[v.id]))
    s->vars[v.id] = tp_chk_heap_symbol(w, tp_sort_of(w->tt, tp_var_of(w->p, v)->term));
  return s->vars[v.id];
}

uint32_t tp_chk_heap_object_of(const tp_chk_heap_state *s, tp_term id) {
  for (uint32_t i = 0; i < s->objects.n; i++)
    if (tp_term_eq(s->objects.at[i].id, id)) return i;
  return UINT32_MAX;
}

uint32_t tp_chk_heap_target(const tp_chk_heap_world *w, const tp_chk_heap_state *s, tp_term pointer,
                            tp_term *offset) {
  TP_REQUIRE(tp_sort_kind_of(w->tt, tp_sort_of(w->tt, pointer)) == TP_SORT_PTR);
  *offset = tp_mk1(w->tt, TP_OP_PTR_OFF, pointer);
  return tp_chk_heap_object_of(s, tp_mk1(w->tt, TP_OP_PTR_OBJ, pointer));
}

tp_chk_heap_object *tp_chk_heap_add_object(tp_chk_heap_state *s, tp_term id, tp_term size,
                                           tp_object_kind kind) {
  TP_REQUIRE(tp_chk_heap_object_of(s, id) == UINT32_MAX);
  tp_vec_push(&s->objects, ((tp_chk_heap_object){.id = id, .size = size, .kind = kind}));
  return &tp_vec_last(&s->objects);
}

void tp_chk_heap_remove_object(tp_chk_heap_state *s, uint32_t i) {
  TP_REQUIRE(i < s->objects.n);
  clear_object(&s->objects.at[i]);
  s->objects.at[i] = s->objects.at[--s->objects.n];
}

// ----------------------------------------------------------------------- fields

static uint64_t bytes_of(const tp_chk_heap_world *w, tp_term t) {
  return tp_sort_bytes(w->tt, tp_sort_of(w->tt, t));
}

bool tp_chk_heap_meet(uint64_t a, uint64_t n_a, uint64_t b, uint64_t n_b) {
  return a < b + n_b && b < a + n_a;
}

tp_term tp_chk_heap_read(const tp_chk_heap_world *w, const tp_chk_heap_object *o, uint64_t offset,
                         tp_sort sort) {
  const uint64_t n = tp_sort_bytes(w->tt, sort);
  for (size_t i = 0; i < o->fields.n; i++) {
    const tp_chk_heap_field *f = &o->fields.at[i];
    if (!tp_chk_heap_meet(offset, n, f->offset, bytes_of(w, f->value))) continue;
    return f->offset == offset && tp_sort_eq(tp_sort_of(w->tt, f->value), sort) ? f->value
                                                                                : TP_TERM_NONE;
  }
  return o->is_zero ? tp_mk_value(w->tt, sort, (tp_value){0}) : TP_TERM_NONE;
}

/* Bytes beside those that are overwritten, of a field that goes, are not known to be 0. */
void tp_chk_heap_clobber(const tp_chk_heap_world *w, tp_chk_heap_object *o, uint64_t offset,
                         uint64_t n_bytes) {
  if (n_bytes == 0) return;
  o->is_zero = false;
  for (size_t i = 0; i < o->fields.n;) {
    if (tp_chk_heap_meet(offset, n_bytes, o->fields.at[i].offset,
                         bytes_of(w, o->fields.at[i].value)))
      o->fields.at[i] = o->fields.at[--o->fields.n];
    else
      i++;
  }
}

void tp_chk_heap_write(const tp_chk_heap_world *w, tp_chk_heap_object *o, uint64_t offset,
                       tp_term value) {
  const bool was_zero = o->is_zero;
  const size_t n = o->fields.n;
  bool is_same = false;
  for (size_t i = 0; i < n; i++)
    is_same |= o->fields.at[i].offset == offset &&
               bytes_of(w, o->fields.at[i].value) == bytes_of(w, value);
  tp_chk_heap_clobber(w, o, offset, bytes_of(w, value));
  o->is_zero = was_zero && (is_same || o->fields.n == n);
  tp_vec_push(&o->fields, ((tp_chk_heap_field){offset, value}));
}

// ----------------------------------------------------------------------- values

typedef struct {
  const tp_chk_heap_world *w;
  tp_chk_heap_state *s;
} evaluation;

static bool is_ghost(const tp_program *p, tp_var v) {
  return v.id && tp_var_of(p, v)->kind == TP_V_GHOST;
}

static tp_term value_of_var(void *ctx, tp_term symbol) {
  const evaluation *e = ctx;
  const tp_var v = tp_program_var_of(e->w->p, symbol);
  return v.id && !is_ghost(e->w->p, v) ? tp_chk_heap_var(e->w, e->s, v) : TP_TERM_NONE;
}

tp_term tp_chk_heap_value(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term t) {
  evaluation e = {w, s};
  return tp_subst(w->tt, t, value_of_var, &e, NULL);
}

typedef struct {
  const tp_chk_heap_world *w;
  const tp_chk_heap_state *s;
  tp_chk_heap_sums sums;
} decision;

/* The ghost array at an object that the state knows, or at one that exists from the start. */
static tp_term ghost_at(const decision *d, tp_term array, tp_term index) {
  tp_terms *tt = d->w->tt;
  const tp_program *p = d->w->p;
  const tp_var ghost = tp_program_var_of(p, array);
  const tp_sort sort = tp_sort_element(tt, tp_sort_of(tt, array));
  uint64_t number;
  if (tp_kind(tt, index) == TP_OP_ITE)
    return tp_mk_ite(tt, tp_arg(tt, index, 0), ghost_at(d, array, tp_arg(tt, index, 1)),
                     ghost_at(d, array, tp_arg(tt, index, 2)));
  const uint32_t i = tp_chk_heap_object_of(d->s, index);
  if (i != UINT32_MAX) {
    const tp_chk_heap_object *o = &d->s->objects.at[i];
    if (ghost.id == p->ghost_live.id) return tp_mk_true(tt);
    if (ghost.id == p->ghost_size.id) return o->size;
    if (ghost.id == p->ghost_kind.id) return tp_mk_bv(tt, tp_sort_width(tt, sort), o->kind);
  } else if (tp_bv_value_u64(tt, index, &number)) {
    if (number == 0) {
      if (ghost.id == p->ghost_live.id) return tp_mk_false(tt);
      if (ghost.id == p->ghost_size.id || ghost.id == p->ghost_kind.id)
        return tp_mk_bv(tt, tp_sort_width(tt, sort), 0);
    }
    const tp_term known =
        number < p->statics.n ? tp_program_static_ghost(p, array, number) : TP_TERM_NONE;
    if (tp_term_is(known)) return known;
  }
  return tp_chk_heap_symbol(d->w, sort);
}

/* Objects of the state are pairwise different; those on the heap and the stack are none of the
 * statics, nor null. */
static tp_term decide_objects(const decision *d, tp_term t) {
  tp_terms *tt = d->w->tt;
  const tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  const uint32_t i = tp_chk_heap_object_of(d->s, a), k = tp_chk_heap_object_of(d->s, b);
  if (i != UINT32_MAX && k != UINT32_MAX) return tp_mk_bool(tt, i == k);
  uint64_t number;
  if (i == UINT32_MAX && k == UINT32_MAX) return t;
  const tp_term other = i == UINT32_MAX ? a : b;
  return tp_bv_value_u64(tt, other, &number) && number < d->w->p->statics.n ? tp_mk_false(tt) : t;
}

static bool is_symbol(const tp_terms *tt, tp_term t) { return tp_kind(tt, t) == TP_OP_VAR; }

static tp_term decide_equation(const decision *d, tp_term t) {
  tp_terms *tt = d->w->tt;
  const tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  const tp_sort sort = tp_sort_of(tt, a);
  if (tp_sort_kind_of(tt, sort) == TP_SORT_BV && tp_sort_width(tt, sort) == TP_OBJ_BITS)
    return decide_objects(d, t);
  if (tp_sort_kind_of(tt, sort) != TP_SORT_PTR || is_symbol(tt, a) || is_symbol(tt, b)) return t;
  tp_term same = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, a), tp_mk1(tt, TP_OP_PTR_OBJ, b));
  if (tp_kind(tt, same) == TP_OP_EQ) same = decide_objects(d, same);
  return tp_mk_and(tt, same,
                   tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, a), tp_mk1(tt, TP_OP_PTR_OFF, b)));
}

static tp_term decide_symbol(const decision *d, tp_term t) {
  const tp_program *p = d->w->p;
  const tp_var v = tp_program_var_of(p, t);
  if (v.id && v.id == p->ghost_leaked.id)
    return tp_term_is(d->sums.lost) ? d->sums.lost
                                    : tp_chk_heap_symbol(d->w, tp_sort_of(d->w->tt, t));
  if (v.id && v.id == p->ghost_heap.id)
    return tp_term_is(d->sums.n_heap) ? d->sums.n_heap
                                      : tp_chk_heap_symbol(d->w, tp_sort_of(d->w->tt, t));
  return t;
}

/* The state alone does not say which pointer an integer came from. */
static tp_term decide_term(void *ctx, tp_term t, tp_term made) {
  const decision *d = ctx;
  tp_terms *tt = d->w->tt;
  (void)t;
  switch ((int)tp_kind(tt, made)) {
    case TP_OP_VAR: return decide_symbol(d, made);
    case TP_OP_INT_TO_PTR: return tp_chk_heap_symbol(d->w, tp_sort_of(tt, made));
    case TP_OP_EQ: return decide_equation(d, made);
    case TP_OP_SELECT:
      return is_ghost(d->w->p, tp_program_var_of(d->w->p, tp_arg(tt, made, 0)))
                 ? ghost_at(d, tp_arg(tt, made, 0), tp_arg(tt, made, 1))
                 : tp_chk_heap_symbol(d->w, tp_sort_of(tt, made));
    default: return made;
  }
}

tp_term tp_chk_heap_decide(const tp_chk_heap_world *w, const tp_chk_heap_state *s, tp_term t,
                           tp_chk_heap_sums sums) {
  decision d = {w, s, sums};
  tp_map images = {0};
  const tp_mapper m = {.ctx = &d, .after = decide_term};
  const tp_term out = tp_map_terms(w->tt, t, &m, &images);
  tp_map_clear(&images);
  return out;
}

// ------------------------------------------------------------------------- leaks

typedef struct {
  const tp_chk_heap_world *w;
  const tp_chk_heap_state *s;
  bool *object, *part;
  tp_term_list todo;
} reach;

static void push_values(reach *r, const tp_chk_heap_object *o) {
  for (size_t f = 0; f < o->fields.n; f++) tp_vec_push(&r->todo, o->fields.at[f].value);
  for (size_t f = 0; f < o->open.n; f++) tp_vec_push(&r->todo, o->open.at[f].value);
}

static void reach_pointer(reach *r, tp_term value) {
  tp_terms *tt = r->w->tt;
  const tp_term id = tp_mk1(tt, TP_OP_PTR_OBJ, value);
  const uint32_t i = tp_chk_heap_object_of(r->s, id);
  if (i != UINT32_MAX && !r->object[i]) {
    r->object[i] = true;
    push_values(r, &r->s->objects.at[i]);
  }
  for (uint32_t k = 0; k < r->s->parts.n; k++) {
    const tp_chk_heap_part *part = &r->s->parts.at[k];
    if (r->part[k] || !tp_term_eq(tp_mk1(tt, TP_OP_PTR_OBJ, part->at), id)) continue;
    r->part[k] = true;
    if (part->is_segment) tp_vec_push(&r->todo, part->end);
  }
}

bool tp_chk_heap_reaches_all(const tp_chk_heap_world *w, const tp_chk_heap_state *s,
                             const tp_var *roots, size_t n_roots) {
  if (s->has_more) return false;
  reach r = {.w = w, .s = s};
  r.object = TP_NEW_ARRAY(bool, s->objects.n + 1);
  r.part = TP_NEW_ARRAY(bool, s->parts.n + 1);
  for (size_t i = 0; i < n_roots; i++)
    if (tp_term_is(s->vars[roots[i].id])) tp_vec_push(&r.todo, s->vars[roots[i].id]);
  for (size_t i = 0; i < s->objects.n; i++)
    if (s->objects.at[i].kind != TP_O_HEAP) push_values(&r, &s->objects.at[i]);
  while (r.todo.n) {
    const tp_term value = tp_vec_pop(&r.todo);
    if (tp_sort_kind_of(w->tt, tp_sort_of(w->tt, value)) == TP_SORT_PTR) reach_pointer(&r, value);
  }
  bool all = true;
  for (size_t i = 0; i < s->objects.n; i++)
    all = all && (r.object[i] || s->objects.at[i].kind != TP_O_HEAP);
  for (size_t k = 0; k < s->parts.n; k++) all = all && r.part[k];
  tp_free(r.object);
  tp_free(r.part);
  tp_vec_clear(&r.todo);
  return all;
}
