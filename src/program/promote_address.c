/* Addresses of objects in terms: which terms are one, where one is mentioned, and what conditions
 * come to where the object is known to live. */
#include "program/promote_priv.h"

static const tp_promote_ref no_ref = {0, 0};

bool tp_promote_ref_of_var(const tp_promote_context *c, tp_var v, tp_promote_ref *out) {
  uint64_t i;
  if (!v.id || !tp_map_get(&c->refs, v.id, &i)) return false;
  *out = c->ref_list.at[i - 1];
  return true;
}

tp_promote_ref tp_promote_ref_of(const tp_promotion *x, const tp_promote_context *c, tp_term t) {
  tp_access a;
  tp_promote_ref r = no_ref;
  if (!tp_term_is(t) || tp_sort_kind_of(x->tt, tp_sort_of(x->tt, t)) != TP_SORT_PTR) return no_ref;
  if (!tp_access_of(x->p, t, &a) || tp_term_is(a.index)) return no_ref;
  if (a.var.id && !tp_promote_ref_of_var(c, a.var, &r)) return no_ref;
  if (!a.var.id) r.object = x->object_of_static[a.object];
  if (!r.object || x->objects.at[r.object - 1].is_rejected) return no_ref;
  r.offset += (uint64_t)a.offset;
  return r.offset <= x->objects.at[r.object - 1].size_bytes ? r : no_ref;
}

typedef struct {
  tp_promotion *x;
  const tp_promote_context *c;
  tp_loc at;
  bool is_invalid, is_mentioned, rejects;
  bool own_address_is_fine;  // of a stack object, in its own function, and of statics
} mention;

bool tp_promote_is_valid_at(const tp_promotion *x, const tp_promote_context *c, tp_loc at,
                            tp_var v) {
  for (size_t i = 0; i < c->tracked.n; i++)
    if (c->tracked.at[i].id == v.id) return c->valid[x->loc_index[at.id]] >> i & 1;
  return true;  // a parameter
}

static tp_visit see_mention(void *ctx, tp_term t) {
  mention *m = ctx;
  tp_promote_ref r = no_ref;
  const tp_term_kind kind = tp_kind(m->x->tt, t);
  if (kind == TP_OP_VAR) {
    const tp_var v = tp_program_var_of(m->x->p, t);
    if (!tp_promote_ref_of_var(m->c, v, &r) || tp_promote_object_of(m->x, r)->is_rejected)
      return TP_VISIT_ARGS;
    if (!tp_promote_is_valid_at(m->x, m->c, m->at, v)) m->is_invalid = true;
    if (m->own_address_is_fine && tp_var_of(m->x->p, v)->is_address &&
        tp_var_of(m->x->p, v)->func.id == m->c->func.id)
      return TP_VISIT_ARGS;
  } else if (kind == TP_OP_PTR_CONST) {
    const uint32_t object = tp_ptr_const_object(m->x->tt, t);
    if (object && object < m->x->p->statics.n) r.object = m->x->object_of_static[object];
    if (!r.object || tp_promote_object_of(m->x, r)->is_rejected || m->own_address_is_fine)
      return TP_VISIT_ARGS;
  } else {
    return TP_VISIT_ARGS;
  }
  m->is_mentioned = true;
  if (m->rejects) tp_promote_object_of(m->x, r)->is_rejected = true;
  return TP_VISIT_ARGS;
}

static void look(mention *m, tp_term t) {
  tp_map seen = {0};
  if (tp_term_is(t))
    (void)tp_visit_terms(m->x->tt, t, &(tp_visitor){.ctx = m, .visit = see_mention}, &seen);
  tp_map_clear(&seen);
}

/* Objects whose address is in the term become no variables. */
void tp_promote_reject(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t) {
  look(&(mention){.x = x, .c = c, .at = at, .rejects = true}, t);
}

bool tp_promote_is_mentioned(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t) {
  mention m = {.x = x, .c = c, .at = at};
  look(&m, t);
  return m.is_mentioned;
}

bool tp_promote_is_usable(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t) {
  mention m = {.x = x, .c = c, .at = at};
  look(&m, t);
  return !m.is_invalid;
}

// ----------------------------------------------------------------------- folding

typedef struct {
  tp_promotion *x;
  const tp_promote_context *c;
  tp_loc at;
} folding;

static tp_term base_of(const tp_promotion *x, const tp_promote_object *o) {
  return o->address.id ? tp_var_of(x->p, o->address)->term : tp_mk_ptr_const(x->tt, o->object, 0);
}

/* A pointer becomes the address that it holds. */
static tp_term address_of_pointer(void *ctx, tp_term symbol) {
  const folding *f = ctx;
  tp_promotion *x = f->x;
  const tp_var v = tp_program_var_of(x->p, symbol);
  tp_promote_ref r;
  if (!tp_promote_ref_of_var(f->c, v, &r) || x->object_of_var[v.id] ||
      tp_promote_object_of(x, r)->is_rejected || !tp_promote_is_valid_at(x, f->c, f->at, v))
    return TP_TERM_NONE;
  return tp_mk_ptr_add(x->tt, base_of(x, tp_promote_object_of(x, r)),
                       tp_mk_bv(x->tt, x->p->ptr_bits, r.offset));
}

/* The object of `pointer`, if the term is the address of one that lives at the location. */
static const tp_promote_object *living_object(const folding *f, tp_term pointer) {
  tp_promotion *x = f->x;
  tp_access a;
  if (tp_sort_kind_of(x->tt, tp_sort_of(x->tt, pointer)) != TP_SORT_PTR ||
      !tp_access_of(x->p, pointer, &a))
    return NULL;
  const uint32_t o = a.var.id ? x->object_of_var[a.var.id] : x->object_of_static[a.object];
  if (!o || x->objects.at[o - 1].is_rejected) return NULL;
  return !a.var.id || x->objects.at[o - 1].func.id != f->c->func.id ||
                 tp_promote_is_valid_at(x, f->c, f->at, a.var)
             ? &x->objects.at[o - 1]
             : NULL;
}

/* The object that a ghost array is asked about: by a pointer to it, or, of a static, by its number,
 * to which the object of a constant address folds. */
static const tp_promote_object *object_at_index(const folding *f, tp_term index) {
  tp_promotion *x = f->x;
  uint64_t number = 0;
  if (tp_kind(x->tt, index) == TP_OP_PTR_OBJ) return living_object(f, tp_arg(x->tt, index, 0));
  if (!tp_bv_value_u64(x->tt, index, &number) || number >= x->p->statics.n) return NULL;
  const uint32_t o = x->object_of_static[number];
  return o && !x->objects.at[o - 1].is_rejected ? &x->objects.at[o - 1] : NULL;
}

static tp_term fold_ghost(const folding *f, tp_term made) {
  tp_promotion *x = f->x;
  const tp_program *p = x->p;
  const tp_term ghost = tp_arg(x->tt, made, 0), index = tp_arg(x->tt, made, 1);
  const tp_promote_object *o = object_at_index(f, index);
  if (!o) return made;
  if (tp_term_eq(ghost, tp_var_of(p, p->ghost_size)->term))
    return tp_mk_bv(x->tt, tp_width(x->tt, made), o->size_bytes);
  if (tp_term_eq(ghost, tp_var_of(p, p->ghost_live)->term)) return tp_mk_true(x->tt);
  if (tp_term_eq(ghost, tp_var_of(p, p->ghost_kind)->term))
    return tp_mk_bv(x->tt, tp_width(x->tt, made), o->address.id ? TP_O_STACK : TP_O_GLOBAL);
  return made;
}

/* Size, lifetime and kind of a living object are known, its start is at offset 0 and not null. */
static tp_term fold_one(void *ctx, tp_term t, tp_term made) {
  const folding *f = ctx;
  tp_terms *tt = f->x->tt;
  (void)t;
  switch ((int)tp_kind(tt, made)) {
    case TP_OP_SELECT: return fold_ghost(f, made);
    case TP_OP_PTR_OFF:
      return tp_kind(tt, tp_arg(tt, made, 0)) == TP_OP_VAR && living_object(f, tp_arg(tt, made, 0))
                 ? tp_mk_bv(tt, tp_width(tt, made), 0)
                 : made;
    case TP_OP_EQ: {
      const tp_term a = tp_arg(tt, made, 0), b = tp_arg(tt, made, 1);
      const bool is_null = tp_promote_is_null(tt, a) || tp_promote_is_null(tt, b);
      return is_null && living_object(f, tp_promote_is_null(tt, a) ? b : a) ? tp_mk_false(tt)
                                                                            : made;
    }
  }
  return made;
}

/* Sums are rewritten when their parts are known, so a second pass may find more. */
tp_term tp_promote_fold(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t) {
  if (!tp_term_is(t) || !tp_promote_is_mentioned(x, c, at, t)) return t;
  folding f = {x, c, at};
  tp_map memo = {0};
  t = tp_subst(x->tt, t, address_of_pointer, &f, &memo);
  tp_map_clear(&memo);
  for (tp_term before = TP_TERM_NONE; !tp_term_eq(before, t);) {
    before = t;
    t = tp_map_terms(x->tt, t, &(tp_mapper){.ctx = &f, .after = fold_one}, &memo);
    tp_map_clear(&memo);
  }
  return t;
}

/* Is there an address in the folded term, of this frame, of a static, or of another frame? */
bool tp_promote_has_address(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t,
                            bool own_address_is_fine) {
  mention left = {.x = x, .c = c, .at = at, .own_address_is_fine = own_address_is_fine};
  look(&left, t);
  for (size_t i = 0; i < x->objects.n && !left.is_mentioned; i++) {
    const tp_promote_object *o = &x->objects.at[i];
    left.is_mentioned = !o->is_rejected && o->address.id && o->func.id != c->func.id &&
                        tp_occurs(x->tt, tp_var_of(x->p, o->address)->term, t);
  }
  return left.is_mentioned;
}
