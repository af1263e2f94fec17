/* Memory operations on symbolic states: one object, a few, or none.
 *
 * A pointer is resolved into its possible objects. Each gives a condition ("it is this one") and an
 * offset; the access is valid where some object is meant, alive, and large enough. Reading is a
 * conditional over the objects, writing a conditional write to each. With one object, the normal
 * case, neither leaves a trace in the formula. */
#include "formula/symex_priv.h"

tp_content *tp_sym_content(tp_symex *x, tp_sym *s, uint32_t object) {
  TP_REQUIRE(object < x->instances.n);
  tp_content *c = tp_content_of(tp_pmap_get(&s->objects, object));
  if (c || object == 0 || object >= x->p->statics.n) return c;
  c = tp_content_new(object, object, tp_mk_true(x->tt));  // a static's background has its number
  tp_pmap_set(&s->objects, object, (uint64_t)(uintptr_t)c);
  return c;
}

tp_content *tp_sym_content_own(tp_symex *x, tp_sym *s, uint32_t object) {
  tp_content *c = tp_sym_content(x, s, object);
  if (!c) return c;
  c->refs++;  // survives the map's giving it up
  tp_pmap_set(&s->objects, object, 0);
  c = tp_content_own(c);
  tp_pmap_set(&s->objects, object, (uint64_t)(uintptr_t)c);
  return c;
}

// ------------------------------------------------------------------- resolving

/* offset + length <= size without wrap. */
static tp_term in_bounds(tp_symex *x, const tp_instance *o, tp_term offset, tp_term length) {
  tp_terms *tt = x->tt;
  uint32_t w = x->p->ptr_bits;
  uint64_t n;
  if (o->has_const_size && tp_bv_value_u64(tt, length, &n)) {
    if (n > o->size_bytes) return tp_mk_false(tt);
    if (tp_value_set_max(tp_value_set_of(&x->values, offset), w) <= o->size_bytes - n)
      return tp_mk_true(tt);
    return tp_mk2(tt, TP_OP_BV_ULE, offset, tp_mk_bv(tt, w, o->size_bytes - n));
  }
  tp_term room = tp_mk_sub(tt, o->size, length);
  return tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, length, o->size),
                   tp_mk2(tt, TP_OP_BV_ULE, offset, room));
}

/* Where the access to this object is allowed. */
static tp_term allowed(tp_symex *x, tp_sym *s, uint32_t object, tp_term offset, tp_term length,
                       tp_access_mode mode) {
  const tp_instance *o = &x->instances.at[object];
  const tp_content *c = tp_sym_content(x, s, object);
  if (!c || o->kind == TP_O_FUNCTION || (mode == TP_ACCESS_WRITE && o->is_const))
    return tp_mk_false(x->tt);
  return tp_mk_and(x->tt, c->live, in_bounds(x, o, offset, length));
}

/* Runs that are not followed although their meaning is not settled: the pointer is none of the
 * known objects, or it is a number that the program does not determine (uninitialised, from
 * outside), which could be anyone's address. */
void tp_sym_leave_unknown(tp_symex *x, tp_sym *s, tp_term pointer, tp_pos pos) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, pointer)) == TP_SORT_PTR);
  tp_terms *tt = x->tt;
  const tp_targets *t = tp_pointer_targets(&x->pointers, pointer);
  if (t->n && t->at[0] == 0) {
    tp_term offset = tp_pointer_offset(&x->pointers, pointer, 0),
            is_number = tp_pointer_is(&x->pointers, pointer, 0);
    tp_term not_null = tp_mk_not(tt, tp_mk_eq(tt, offset, tp_mk_bv(tt, x->p->ptr_bits, 0)));
    if (tp_value_set_of(&x->values, offset)->n == 0)
      tp_sym_give_up(x, s, tp_mk_and(tt, is_number, not_null), pos,
                     "a pointer whose value the program does not determine", TP_GAP_POINTER);
  }
  if (!t->open) return;
  tp_term known = tp_mk_false(tt);
  for (uint32_t i = 0; i < t->n; i++)
    known = tp_mk_or(tt, known, tp_pointer_is(&x->pointers, pointer, t->at[i]));
  tp_sym_give_up(x, s, tp_mk_not(tt, known), pos,
                 "a pointer made from an integer whose origin is not known", TP_GAP_POINTER);
}

static const char *what_failed(tp_access_mode mode) {
  return mode == TP_ACCESS_READ ? "read through an invalid pointer"
                                : "write through an invalid pointer";
}

bool tp_sym_resolve(tp_symex *x, tp_sym *s, tp_term pointer, tp_term length, tp_access_mode mode,
                    const tp_edge_info *e, tp_places *out) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, pointer)) == TP_SORT_PTR &&
             tp_width(x->tt, length) == x->p->ptr_bits);
  const tp_targets *t = tp_pointer_targets(&x->pointers, pointer);
  tp_term valid = tp_mk_false(x->tt);
  out->n = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->at[i] == 0 || t->at[i] >= x->instances.n) continue;
    tp_term is = tp_pointer_is(&x->pointers, pointer, t->at[i]),
            offset = tp_pointer_offset(&x->pointers, pointer, t->at[i]);
    tp_term here = tp_mk_and(x->tt, is, allowed(x, s, t->at[i], offset, length, mode));
    if (tp_is_false(x->tt, here)) continue;
    if (tp_guard_is_false(tp_guard_and(&x->guards, s->guard, is))) continue;
    valid = tp_mk_or(x->tt, valid, here);
    tp_vec_push(out, (tp_place){t->at[i], is, offset});
  }
  tp_sym_leave_unknown(x, s, pointer, e->pos);
  if (x->checks_access)
    tp_sym_assume(x, s, valid);
  else
    tp_sym_require(x, s, valid, e->pos, what_failed(mode));
  return !tp_guard_is_false(s->guard);
}

static tp_term moved(tp_symex *x, tp_term offset, uint64_t plus) {
  return plus ? tp_mk2(x->tt, TP_OP_BV_ADD, offset, tp_mk_bv(x->tt, x->p->ptr_bits, plus)) : offset;
}

tp_term tp_places_read(tp_symex *x, tp_sym *s, const tp_places *at, uint64_t plus, tp_sort sort) {
  TP_REQUIRE(at->n > 0);
  tp_term v = TP_TERM_NONE;
  for (size_t i = at->n; i-- > 0;) {
    const tp_place *p = &at->at[i];
    bool constant = tp_is_const(x->tt, p->offset);
    tp_content *c =
        constant ? tp_sym_content(x, s, p->object) : tp_sym_content_own(x, s, p->object);
    tp_term here = tp_content_read(x, c, moved(x, p->offset, plus), sort);
    v = tp_term_is(v) ? tp_mk_ite(x->tt, p->is, here, v) : here;
  }
  return v;
}

void tp_places_write(tp_symex *x, tp_sym *s, const tp_places *at, uint64_t plus, tp_term value,
                     tp_term condition) {
  TP_REQUIRE(at->n > 0);
  for (size_t i = 0; i < at->n; i++) {
    const tp_place *p = &at->at[i];
    // With one place left, validity already says that it is meant.
    tp_term here = at->n == 1 ? condition : tp_mk_and(x->tt, condition, p->is);
    tp_content_write(x, tp_sym_content_own(x, s, p->object), moved(x, p->offset, plus), value,
                     here);
  }
}

// ---------------------------------------------------------------- load and store

static tp_term byte_count(tp_symex *x, tp_sort sort) {
  return tp_mk_bv(x->tt, x->p->ptr_bits, tp_sort_bytes(x->tt, sort));
}

void tp_sym_load(tp_symex *x, tp_sym *s, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_LOAD);
  tp_places at = {0};
  tp_sort sort = tp_sort_of(x->tt, tp_var_of(x->p, e->var)->term);
  if (tp_sym_resolve(x, s, tp_sym_eval(x, s, e->a), byte_count(x, sort), TP_ACCESS_READ, e, &at))
    tp_sym_set(s, e->var, tp_places_read(x, s, &at, 0, sort));
  tp_vec_clear(&at);
}

void tp_sym_store(tp_symex *x, tp_sym *s, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_STORE);
  tp_places at = {0};
  tp_term value = tp_sym_eval(x, s, e->b);
  tp_term length = byte_count(x, tp_sort_of(x->tt, value));
  if (tp_sym_resolve(x, s, tp_sym_eval(x, s, e->a), length, TP_ACCESS_WRITE, e, &at))
    tp_places_write(x, s, &at, 0, value, tp_mk_true(x->tt));
  tp_vec_clear(&at);
}

// --------------------------------------------------------------------- lifetimes

/* The object that another path made at this visit, which the path at hand makes, too; 0: none did.
 */
static uint32_t shared_object(tp_symex *x, tp_edge id, tp_term size, tp_term fill, uint64_t *key) {
  uint64_t object = 0;
  if (!x->visit || !tp_is_const(x->tt, size)) return 0;
  *key = tp_hash_mix(tp_hash_mix(x->visit, id.id), tp_hash_mix(size.id, fill.id));
  return tp_map_get(&x->made_at, *key, &object) ? (uint32_t)object : 0;
}

static uint32_t new_object(tp_symex *x, tp_edge id, const tp_edge_info *e, tp_term size,
                           tp_term fill) {
  const uint32_t object = (uint32_t)x->instances.n;
  tp_instance o = {
      .kind = e->object_kind, .size = size, .allocated = tp_mk_false(x->tt), .edge = id};
  o.has_const_size = tp_bv_value_u64(x->tt, size, &o.size_bytes);
  tp_vec_push(&x->instances, o);
  const uint32_t background =
      tp_term_is(fill) ? tp_background_fill(x, fill) : tp_background_input(x, object);
  x->instances.at[object].background = background;
  return object;
}

void tp_sym_alloc(tp_symex *x, tp_sym *s, tp_edge id, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_ALLOC);
  tp_terms *tt = x->tt;
  uint64_t key = 0;
  tp_term size = tp_mk_resize(tt, x->p->ptr_bits, false, tp_sym_eval(x, s, e->a));
  tp_term fill = tp_term_is(e->b) ? tp_mk_trunc(tt, 8, tp_sym_eval(x, s, e->b)) : TP_TERM_NONE;
  uint32_t object = shared_object(x, id, size, fill, &key);
  if (!object) {
    object = new_object(x, id, e, size, fill);
    if (key) tp_map_set(&x->made_at, key, object);
  }
  tp_instance *o = &x->instances.at[object];
  const uint32_t background = o->background;
  o->allocated = tp_mk_or(tt, o->allocated, tp_guard_term(&x->guards, s->guard));
  if (!tp_term_is(fill))
    tp_vec_push(&x->events,
                (tp_symex_event){.guard = s->guard, .edge = id, .background = background});
  tp_content *c = tp_content_new(object, background, tp_mk_true(tt));
  tp_pmap_set(&s->objects, object, (uint64_t)(uintptr_t)c);
  if (e->object_kind == TP_O_HEAP) s->heap = tp_mk2(tt, TP_OP_BV_ADD, s->heap, tp_mk_bv(tt, 32, 1));
  tp_sym_set(s, e->var, tp_mk_ptr_const(tt, object, 0));
}

/* The object's life ends where `is` holds. */
static void end_life(tp_symex *x, tp_sym *s, uint32_t object, tp_term is) {
  tp_content *c = tp_sym_content_own(x, s, object);
  c->live = tp_mk_and(x->tt, c->live, tp_mk_not(x->tt, is));
  if (!tp_is_false(x->tt, c->live)) return;
  tp_pmap_clear(&c->cells);  // nobody can look any more
  c->array = TP_TERM_NONE;
  c->word = 0;
}

/* The objects of this kind whose start the pointer can be, and where that is allowed; null is
 * allowed and changes nothing. */
static void end_lives(tp_symex *x, tp_sym *s, const tp_edge_info *e, tp_object_kind kind,
                      bool checked, const char *what) {
  tp_terms *tt = x->tt;
  tp_term p = tp_sym_eval(x, s, e->a);
  const tp_targets *t = tp_pointer_targets(&x->pointers, p);
  tp_term valid = tp_mk_eq(tt, p, tp_mk_null(tt)), zero = tp_mk_bv(tt, x->p->ptr_bits, 0);
  tp_places hit = {0};
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t object = t->at[i];
    tp_content *c = object && object < x->instances.n ? tp_sym_content(x, s, object) : NULL;
    if (!c || x->instances.at[object].kind != kind) continue;
    tp_term is = tp_pointer_is(&x->pointers, p, object);
    tp_term start = tp_mk_eq(tt, tp_pointer_offset(&x->pointers, p, object), zero);
    tp_term here = tp_mk_and(tt, is, tp_mk_and(tt, start, c->live));
    if (tp_is_false(tt, here)) continue;
    valid = tp_mk_or(tt, valid, here);
    tp_vec_push(&hit, (tp_place){object, is, zero});
  }
  tp_sym_leave_unknown(x, s, p, e->pos);
  if (checked)
    tp_sym_assume(x, s, valid);
  else
    tp_sym_require(x, s, valid, e->pos, what);
  for (size_t i = 0; i < hit.n && !tp_guard_is_false(s->guard); i++) {
    end_life(x, s, hit.at[i].object, hit.at[i].is);
    if (kind != TP_O_HEAP) continue;
    tp_term gone = tp_mk_ite(tt, hit.at[i].is, tp_mk_bv_signed(tt, 32, -1), tp_mk_bv(tt, 32, 0));
    s->heap = tp_mk2(tt, TP_OP_BV_ADD, s->heap, gone);
  }
  tp_vec_clear(&hit);
}

void tp_sym_free(tp_symex *x, tp_sym *s, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_FREE);
  end_lives(x, s, e, TP_O_HEAP, x->checks_free, "free of an invalid pointer");
}

void tp_sym_end_scope(tp_symex *x, tp_sym *s, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_END_SCOPE);
  end_lives(x, s, e, TP_O_STACK, false, "end of the scope of something that is not in scope");
}
