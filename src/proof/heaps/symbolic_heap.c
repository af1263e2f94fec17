/* Heaps as lists: objects, fields, equations, values. */
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
    memset(&o.open, 0, sizeof o.open);
    for (size_t f = 0; f < s->objects.at[i].fields.n; f++)
      tp_vec_push(&o.fields, s->objects.at[i].fields.at[f]);
    for (size_t f = 0; f < s->objects.at[i].open.n; f++)
      tp_vec_push(&o.open, s->objects.at[i].open.at[f]);
    tp_vec_push(&c->objects, o);
  }
  for (size_t i = 0; i < s->parts.n; i++) tp_vec_push(&c->parts, s->parts.at[i]);
  for (size_t i = 0; i < s->facts.n; i++) tp_vec_push(&c->facts, s->facts.at[i]);
  for (size_t i = 0; i < s->given.n; i++) tp_vec_push(&c->given, s->given.at[i]);
  for (size_t i = 0; i < s->apart.n; i++) tp_vec_push(&c->apart, s->apart.at[i]);
  return c;
}

static void clear_object(tp_symheap_object *o) {
  tp_vec_clear(&o->fields);
  tp_vec_clear(&o->open);
}

void tp_symheap_free(tp_symheap *s) {
  if (!s) return;
  for (size_t i = 0; i < s->objects.n; i++) clear_object(&s->objects.at[i]);
  tp_vec_clear(&s->objects);
  tp_vec_clear(&s->parts);
  tp_vec_clear(&s->facts);
  tp_vec_clear(&s->given);
  tp_vec_clear(&s->apart);
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

tp_symheap_object *tp_symheap_object_of(const tp_symheap *s, tp_term id) {
  const uint32_t i = index_of(s, id);
  return i == UINT32_MAX ? NULL : &s->objects.at[i];
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
  clear_object(&s->objects.at[object]);
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

void tp_symheap_clobber(const tp_symheap_search *x, tp_symheap_object *o, uint64_t offset,
                        uint64_t n) {
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
  tp_symheap_clobber(x, o, offset, bytes_of(x, value));
  tp_vec_push(&o->fields, ((tp_symheap_field){offset, value}));
}

// -------------------------------------------------------------------- equations

void tp_symheap_replace(const tp_symheap_search *x, tp_symheap *s, tp_term old, tp_term with) {
  for (size_t v = 1; v < x->p->vars.n; v++)
    if (tp_term_is(s->vars[v])) s->vars[v] = tp_replace(x->tt, s->vars[v], old, with);
  for (size_t i = 0; i < s->objects.n; i++) {
    tp_symheap_object *o = &s->objects.at[i];
    for (size_t f = 0; f < o->fields.n; f++)
      o->fields.at[f].value = tp_replace(x->tt, o->fields.at[f].value, old, with);
    for (size_t f = 0; f < o->open.n; f++) {
      o->open.at[f].offset = tp_replace(x->tt, o->open.at[f].offset, old, with);
      o->open.at[f].value = tp_replace(x->tt, o->open.at[f].value, old, with);
    }
  }
  for (size_t i = 0; i < s->apart.n; i++)
    s->apart.at[i] = tp_replace(x->tt, s->apart.at[i], old, with);
  for (size_t i = 0; i < s->parts.n; i++) {
    tp_symheap_part *part = &s->parts.at[i];
    tp_term *terms[] = {&part->at, &part->before, &part->end, &part->last};
    for (int k = 0; k < 4; k++) *terms[k] = tp_replace(x->tt, *terms[k], old, with);
    if (tp_term_is(part->where)) part->where = tp_replace(x->tt, part->where, old, with);
  }
  for (size_t i = 0; i < s->facts.n; i++)
    s->facts.at[i] = tp_replace(x->tt, s->facts.at[i], old, with);
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
void tp_symheap_make_empty(const tp_symheap_search *x, tp_symheap *s, uint32_t i) {
  const bool is_segment = s->parts.at[i].is_segment;
  s->is_impossible |= s->parts.at[i].is_cell;
  tp_symheap_equate(x, s, s->parts.at[i].at, is_segment ? s->parts.at[i].end : tp_mk_null(x->tt));
  if (is_segment) tp_symheap_equate(x, s, s->parts.at[i].before, s->parts.at[i].last);
  tp_symheap_remove_part(s, i);
}

void tp_symheap_settle(const tp_symheap_search *x, tp_symheap *s) {
  for (uint32_t i = 0; i < s->parts.n && !s->is_impossible;) {
    const tp_symheap_part *part = &s->parts.at[i];
    const bool has_last = part->is_segment && tp_symheap_back_of(x->kinds, part->kind);
    if (is_no_cell(x, s, part->at) || (has_last && is_no_cell(x, s, part->last))) {
      tp_symheap_make_empty(x, s, i);
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

// ------------------------------------------------------------------------- kinds

uint32_t tp_symheap_kind_of_object(const tp_symheap_search *x, const tp_symheap_object *o) {
  uint64_t size;
  if (o->kind != TP_O_HEAP || o->slots.stride || !tp_bv_value_u64(x->tt, o->size, &size)) return 0;
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
