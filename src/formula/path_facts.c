/* What is true of every state: sizes of statics, contents of statics before main, objects that do
 * not exist yet.
 *
 * Some of it is put in where a term is built (settle), the rest said beside a formula before a
 * solver sees it (question): only what the formula reads is spoken of, so no fact costs anything
 * where it does not matter. */
#include "formula/path_priv.h"

#include "formula/formula_limits.h"

// ---------------------------------------------------------------------- images

static const tp_reloc *reloc_near(const tp_paths *x, const tp_static *s, uint64_t offset,
                                  uint64_t n) {
  for (uint32_t i = 0; i < s->n_relocs; i++)
    if (s->relocs[i].offset < offset + n && offset < s->relocs[i].offset + x->p->ptr_bits / 8)
      return &s->relocs[i];
  return NULL;
}

/* What a cell of a static holds before main; NONE: not known. */
static tp_term image_value(tp_paths *x, uint32_t object, uint64_t offset, tp_sort sort) {
  const tp_static *s = &x->p->statics.at[object];
  uint32_t n = tp_sort_bytes(x->tt, sort);
  tp_u128 bits = 0;
  if (s->is_extern || s->kind == TP_O_FUNCTION || offset + n > s->size_bytes || offset + n < offset)
    return TP_TERM_NONE;
  const tp_reloc *r = reloc_near(x, s, offset, n);
  tp_sort_kind kind = tp_sort_kind_of(x->tt, sort);
  if (r)
    return kind == TP_SORT_PTR && r->offset == offset ? tp_mk_ptr_const(x->tt, r->object, r->addend)
                                                      : TP_TERM_NONE;
  for (uint32_t i = n; i-- > 0;) bits = bits << 8 | (s->image ? s->image[offset + i] : 0);
  switch (kind) {
    case TP_SORT_BOOL: return tp_mk_bool(x->tt, bits & 1);
    case TP_SORT_BV: return tp_mk_bv(x->tt, tp_sort_width(x->tt, sort), bits);
    case TP_SORT_FP: return tp_mk_fp(x->tt, tp_sort_width(x->tt, sort), (uint64_t)bits);
    case TP_SORT_PTR: return tp_mk_ptr_const(x->tt, 0, (uint64_t)bits);
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return TP_TERM_NONE;
}

static bool is_start_memory(const tp_paths *x, tp_term array) {
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    if (tp_term_eq(array, x->start_memory[i])) return true;
  return false;
}

// ---------------------------------------------------------------------- settling

/* SELECT(array, index) with constant index: what is known of statics. */
static tp_term folded_read(tp_paths *x, tp_term array, tp_term index, tp_term read) {
  const tp_program *p = x->p;
  tp_term_kind k = tp_kind(x->tt, index);
  if (k == TP_OP_PTR_CONST && is_start_memory(x, array)) {
    uint32_t object = tp_ptr_const_object(x->tt, index);
    if (object == 0 || object >= p->statics.n) return read;
    tp_term value =
        image_value(x, object, tp_ptr_const_offset(x->tt, index), tp_sort_of(x->tt, read));
    return tp_term_is(value) ? value : read;
  }
  uint64_t object;
  if (k != TP_OP_BV_CONST || !tp_bv_value_u64(x->tt, index, &object)) return read;
  const tp_term known = tp_program_static_ghost(p, array, object);
  return tp_term_is(known) ? known : read;
}

static tp_term folded_node(void *ctx, tp_term t, tp_term made) {
  tp_paths *x = ctx;
  (void)t;
  if (tp_kind(x->tt, made) != TP_OP_SELECT) return made;
  return folded_read(x, tp_arg(x->tt, made, 0), tp_arg(x->tt, made, 1), made);
}

tp_term tp_paths_fold_statics(tp_paths *x, tp_term t) {
  tp_mapper m = {.ctx = x, .after = folded_node, .order = TP_RIGHT_TO_LEFT};
  tp_term settled = tp_map_terms(x->tt, t, &m, &x->settled);
  TP_INVARIANT(tp_sort_eq(tp_sort_of(x->tt, settled), tp_sort_of(x->tt, t)));
  return settled;
}

// ------------------------------------------------------------------------ facts

typedef struct {
  tp_paths *x;
  bool has_next;
  TP_VEC(tp_term) facts;
  TP_VEC(tp_term) pointers;  // that a state may hold: variables, cells of memory
  tp_map seen;
} collector;

/* What a read of memory before main gives, where the address is not constant: static by static. */
static void start_facts(collector *c, tp_term index, tp_term read) {
  tp_paths *x = c->x;
  tp_terms *tt = x->tt;
  tp_sort sort = tp_sort_of(tt, read);
  uint32_t n = tp_sort_bytes(tt, sort);
  size_t left = TP_FORMULA_IMAGE_CELLS;
  for (uint32_t o = 1; o < x->p->statics.n; o++) {
    const tp_static *s = &x->p->statics.at[o];
    if (s->is_extern || s->kind == TP_O_FUNCTION || s->size_bytes < n) continue;
    tp_term here = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, index), tp_mk_bv(tt, TP_OBJ_BITS, o));
    if (!s->image && !s->n_relocs) {  // zero wherever it is read
      tp_term inside = tp_mk2(tt, TP_OP_BV_ULE, tp_mk1(tt, TP_OP_PTR_OFF, index),
                              tp_mk_bv(tt, x->p->ptr_bits, s->size_bytes - n));
      tp_vec_push(&c->facts, tp_mk_implies(tt, tp_mk_and(tt, here, inside),
                                           tp_mk_eq(tt, read, image_value(x, o, 0, sort))));
      continue;
    }
    for (uint64_t at = 0; at + n <= s->size_bytes && left; at += n, left--) {
      tp_term value = image_value(x, o, at, sort),
              is = tp_mk_eq(tt, index, tp_mk_ptr_const(tt, o, at));
      if (tp_term_is(value))
        tp_vec_push(&c->facts, tp_mk_implies(tt, is, tp_mk_eq(tt, read, value)));
    }
  }
}

static tp_visit visit_term(void *ctx, tp_term t) {
  collector *c = ctx;
  tp_paths *x = c->x;
  tp_sort sort;
  tp_term_kind k = tp_kind(x->tt, t);
  bool is_pointer = tp_sort_kind_of(x->tt, tp_sort_of(x->tt, t)) == TP_SORT_PTR;
  if (k == TP_OP_VAR) {
    c->has_next |= tp_term_eq(t, x->next);
    if (is_pointer && tp_program_var_of(x->p, t).id) tp_vec_push(&c->pointers, t);
  } else if (k == TP_OP_SELECT) {
    tp_term array = tp_arg(x->tt, t, 0);
    bool is_start = is_start_memory(x, array);
    if (is_start) start_facts(c, tp_arg(x->tt, t, 1), t);
    if (is_pointer && (is_start || tp_is_memory(x->p, array, &sort))) tp_vec_push(&c->pointers, t);
  }
  return TP_VISIT_ARGS;
}

static void collect(collector *c, tp_term t) {
  tp_visitor v = {.ctx = c, .visit = visit_term, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(c->x->tt, t, &v, &c->seen);
}

/* Pointers that a state holds lead to objects that exist: their numbers are below the next one's.
 */
static void next_facts(collector *c) {
  tp_paths *x = c->x;
  tp_terms *tt = x->tt;
  tp_vec_push(&c->facts,
              tp_mk2(tt, TP_OP_BV_ULE, tp_mk_bv(tt, TP_OBJ_BITS, x->p->statics.n), x->next));
  tp_vec_push(&c->facts, tp_mk2(tt, TP_OP_BV_ULT, x->next, tp_mk_bv(tt, TP_OBJ_BITS, 1u << 31)));
  for (size_t i = 0; i < c->pointers.n; i++)
    tp_vec_push(&c->facts,
                tp_mk2(tt, TP_OP_BV_ULT, tp_mk1(tt, TP_OP_PTR_OBJ, c->pointers.at[i]), x->next));
}

tp_term tp_paths_flat(tp_paths *x, tp_term t) {
  return tp_flatten(&x->flattener, x->tt, t, TP_FORMULA_PATH_FLAT_CONDITIONS);
}

tp_term tp_paths_query(tp_paths *x, tp_term t) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, t)) == TP_SORT_BOOL);
  collector c = {.x = x};
  tp_term flat = tp_paths_flat(x, t);
  collect(&c, flat);
  if (c.has_next) next_facts(&c);
  tp_vec_push(&c.facts, flat);
  tp_term all = tp_mk_and_n(x->tt, c.facts.at, c.facts.n);
  tp_vec_clear(&c.facts);
  tp_vec_clear(&c.pointers);
  tp_map_clear(&c.seen);
  return all;
}

// ----------------------------------------------------------------------- blocks

tp_term tp_path_block_value(tp_paths *x, const tp_path_block *block, tp_sort sort) {
  TP_REQUIRE(tp_term_is(block->byte));
  tp_terms *tt = x->tt;
  const tp_term byte = block->byte;
  const tp_sort_kind kind = tp_sort_kind_of(tt, sort);
  uint64_t b;
  if (kind == TP_SORT_PTR)
    return tp_bv_value_u64(tt, byte, &b) && b == 0 ? tp_mk_null(tt) : TP_TERM_NONE;
  tp_term bits = byte;
  for (uint32_t k = 1; k < tp_sort_bytes(tt, sort); k++)
    bits = tp_mk2(tt, TP_OP_BV_CONCAT, bits, byte);
  if (kind == TP_SORT_BV) return bits;
  return kind == TP_SORT_FP ? tp_mk1(tt, TP_OP_FP_OF_BITS, bits) : TP_TERM_NONE;
}

/* A read behind a block: inside of it the cell that it was made from, outside the cell as it was.
 * Of cells across its ends nothing is said; nor where cells that never lie across each other are
 * copied to places of another alignment. */
static tp_term block_fact(tp_paths *x, const tp_path_block *b, tp_term read) {
  tp_terms *tt = x->tt;
  const tp_sort sort = tp_sort_of(tt, read);
  const uint32_t w = x->p->ptr_bits, m = tp_sort_bytes(tt, sort);
  const tp_term at = tp_arg(tt, read, 1), size = tp_mk_bv(tt, w, m),
                offset = tp_mk1(tt, TP_OP_PTR_OFF, b->target),
                far = tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, at), offset),
                same = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, at),
                                tp_mk1(tt, TP_OP_PTR_OBJ, b->target));
  tp_term inside = tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, size, b->length),
                             tp_mk2(tt, TP_OP_BV_ULE, far, tp_mk_sub(tt, b->length, size)));
  const tp_term outside =
      tp_mk_or(tt, tp_mk_not(tt, same),
               tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, b->length, far),
                         tp_mk2(tt, TP_OP_BV_ULE, far, tp_mk_sub(tt, tp_mk_bv(tt, w, 0), size))));
  tp_term value;
  if (tp_term_is(b->source)) {
    const tp_term apart = tp_mk_sub(tt, offset, tp_mk1(tt, TP_OP_PTR_OFF, b->source));
    value = tp_mk2(tt, TP_OP_SELECT, b->before, tp_mk_ptr_add(tt, b->source, far));
    if (m > 1)
      inside = tp_mk_and(tt, inside,
                         tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_UREM, apart, size), tp_mk_bv(tt, w, 0)));
  } else {
    value = tp_path_block_value(x, b, sort);
  }
  const tp_term kept = tp_mk_eq(tt, read, tp_mk2(tt, TP_OP_SELECT, b->before, at));
  tp_term fact = tp_mk_implies(tt, outside, kept);
  if (tp_term_is(value))
    fact = tp_mk_and(tt, fact,
                     tp_mk_implies(tt, tp_mk_and(tt, same, inside), tp_mk_eq(tt, read, value)));
  return tp_paths_fold_statics(x, fact);
}

typedef struct {
  tp_paths *x;
  tp_term_list reads;
  tp_map seen;
} block_reads;

static tp_visit visit_block_read(void *ctx, tp_term t) {
  block_reads *r = ctx;
  if (tp_kind(r->x->tt, t) == TP_OP_SELECT &&
      tp_map_has(&r->x->block_of, tp_arg(r->x->tt, t, 0).id) &&
      r->reads.n < TP_FORMULA_PATH_BLOCK_READS)
    tp_vec_push(&r->reads, t);
  return TP_VISIT_ARGS;
}

tp_term tp_paths_block_facts(tp_paths *x, tp_term t) {
  block_reads r = {.x = x};
  const tp_visitor v = {.ctx = &r, .visit = visit_block_read, .order = TP_LEFT_TO_RIGHT};
  tp_term all = tp_mk_true(x->tt);
  if (x->blocks.n) (void)tp_visit_terms(x->tt, tp_paths_flat(x, t), &v, &r.seen);
  for (size_t i = 0; i < r.reads.n; i++) {  // facts read further blocks
    uint64_t number = 0;
    (void)tp_map_get(&x->block_of, tp_arg(x->tt, r.reads.at[i], 0).id, &number);
    const tp_term fact = tp_paths_flat(x, block_fact(x, &x->blocks.at[number], r.reads.at[i]));
    (void)tp_visit_terms(x->tt, fact, &v, &r.seen);
    all = tp_mk_and(x->tt, all, fact);
  }
  tp_vec_clear(&r.reads);
  tp_map_clear(&r.seen);
  return all;
}

// --------------------------------------------------------------------- sayable

typedef struct {
  const tp_paths *x;
  bool ok;
} saying;

static void check_var(void *ctx, tp_term var) {
  saying *s = ctx;
  tp_sort sort;
  s->ok &= tp_program_var_of(s->x->p, var).id != 0 || tp_is_memory(s->x->p, var, &sort);
}

/* An array other than a variable under SELECT. */
static bool uses_array(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  bool is_read = tp_kind(tt, t) == TP_OP_SELECT;
  if (is_read && tp_kind(tt, tp_arg(tt, t, 0)) != TP_OP_VAR) return true;
  for (uint32_t i = is_read ? 1 : 0; i < tp_n_args(tt, t); i++)
    if (tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, i))) == TP_SORT_ARRAY) return true;
  return false;
}

bool tp_paths_is_expressible(const tp_paths *x, tp_term t) {
  TP_REQUIRE(tp_term_is(t));
  saying s = {x, true};
  tp_for_vars(x->tt, t, check_var, &s);
  return s.ok && !tp_any_subterm(x->tt, t, uses_array, NULL);
}
