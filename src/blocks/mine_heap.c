/* Facts of allocated objects that pointers lead to: that they are live, where in them the pointer
 * is, how their size grows with a variable, how many there are.
 *
 * Sizes are noted beside the columns of a place, not among them: a size says something together
 * with the pointer only, and under the condition that the pointer is not null. So there are few
 * candidates, and each has a reason: the checks of an access ask for just these facts. A size that
 * is a multiple of a variable comes with a bound of that variable, so that the product does not
 * wrap: half of the address space, which no object takes in a real run. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"

static tp_terms *terms(const mine_view *v) { return v->shared->p->terms; }

// ------------------------------------------------------------------------- notes

void mine_heap_add_pointer(const mine_shared *sh, mine_cutpoint *at, tp_term pointer,
                           tp_type type) {
  if (at->pointers.n >= TP_BLOCKS_MINE_POINTERS || !type.id) return;
  const tp_type_info *info = tp_type_of(sh->p, type);
  if (info->kind != TP_T_POINTER && info->kind != TP_T_ARRAY) return;
  const bool is_text = sh->reads_texts && mine_string_is_byte(sh->p, info->element);
  if (!is_text && (!sh->allocates || info->kind == TP_T_ARRAY)) return;
  const uint64_t size = info->element.id ? tp_type_of(sh->p, info->element)->size_bytes : 0;
  tp_vec_push(
      &at->pointers,
      (mine_pointer){.pointer = pointer, .element_bytes = size ? size : 1, .is_text = is_text});
}

static mine_target look(const tp_state *s, tp_term pointer) {
  tp_value v;
  tp_object_info info;
  if (tp_state_eval(s, pointer, &v) != TP_OK) return (mine_target){.is_other = true};
  if (!v.object && !v.bits) return (mine_target){0};
  if (!v.object || !tp_state_object_info(s, v.object, &info) || !info.live)
    return (mine_target){.is_other = true};
  return (mine_target){.object = v.object,
                       .kind = info.kind,
                       .is_other = info.kind != TP_O_HEAP && info.kind != TP_O_STACK,
                       .offset = (uint64_t)v.bits,
                       .size = info.size};
}

void mine_heap_add_row(const mine_shared *sh, mine_cutpoint *at, const tp_state *s) {
  tp_value heap;
  for (size_t i = 0; i < at->pointers.n; i++) {
    mine_pointer *b = &at->pointers.at[i];
    tp_vec_push(&b->rows, look(s, b->pointer));
    if (b->is_text) mine_string_add_row(b, s, &tp_vec_last(&b->rows));
  }
  if (!sh->allocates) return;
  if (tp_state_value(s, sh->p->ghost_heap, &heap) != TP_OK) heap.bits = UINT32_MAX;
  tp_vec_push(&at->heap, (uint32_t)heap.bits);
}

void mine_heap_clear(mine_cutpoint *at) {
  for (size_t i = 0; i < at->pointers.n; i++) {
    tp_vec_clear(&at->pointers.at[i].rows);
    tp_vec_clear(&at->pointers.at[i].zeros);
  }
  tp_vec_clear(&at->pointers);
  tp_vec_clear(&at->heap);
}

// ---------------------------------------------------------------------- one object

/* What all rows of a pointer have in common. */
typedef struct {
  const mine_pointer *from;
  const mine_target *some;  // a row that leads to an object
  bool is_null_somewhere, is_at_start;
  tp_term object, is_null;
} allocated;

static bool find_object(const mine_view *v, const mine_pointer *b, allocated *out) {
  *out = (allocated){.from = b, .is_at_start = true};
  for (size_t r = 0; r < b->rows.n; r++) {
    const mine_target *row = &b->rows.at[r];
    if (row->is_other || (out->some && row->object && row->kind != out->some->kind)) return false;
    out->is_null_somewhere |= !row->object;
    out->is_at_start &= !row->offset;
    if (row->object) out->some = row;
  }
  if (!out->some) return false;
  out->object = tp_mk1(terms(v), TP_OP_PTR_OBJ, b->pointer);
  out->is_null = tp_mk_eq(terms(v), b->pointer, tp_mk_null(terms(v)));
  return true;
}

static void add_unless_null(mine_candidates *f, const mine_view *v, const allocated *k,
                            tp_term fact, uint32_t cost) {
  mine_add(f, v, k->is_null_somewhere ? tp_mk_or(terms(v), k->is_null, fact) : fact, cost);
}

static tp_term ghost_of(const mine_view *v, const allocated *k, tp_var ghost) {
  const tp_program *p = v->shared->p;
  return tp_mk2(p->terms, TP_OP_SELECT, tp_var_of(p, ghost)->term, k->object);
}

static void add_life(mine_candidates *f, const mine_view *v, const allocated *k) {
  const tp_program *p = v->shared->p;
  tp_terms *tt = p->terms;
  add_unless_null(f, v, k, ghost_of(v, k, p->ghost_live), 1);
  add_unless_null(f, v, k,
                  tp_mk_eq(tt, ghost_of(v, k, p->ghost_kind), tp_mk_bv(tt, 8, k->some->kind)), 1);
}

// ----------------------------------------------------------------------- offsets

static tp_term offset_of(const mine_view *v, const allocated *k) {
  return tp_mk1(terms(v), TP_OP_PTR_OFF, k->from->pointer);
}

/* At the start of the object, at its end, or between them; a multiple of the element's size. */
static void add_offsets(mine_candidates *f, const mine_view *v, const allocated *k) {
  tp_terms *tt = terms(v);
  const uint32_t w = v->shared->p->ptr_bits;
  const tp_term offset = offset_of(v, k), size = ghost_of(v, k, v->shared->p->ghost_size),
                none = tp_mk_bv(tt, w, 0);
  if (k->is_at_start) {
    add_unless_null(f, v, k, tp_mk_eq(tt, offset, none), 1);
    return;
  }
  bool is_at_end = true, is_within = true, is_aligned = k->from->element_bytes > 1;
  for (size_t r = 0; r < k->from->rows.n; r++) {
    const mine_target *row = &k->from->rows.at[r];
    if (!row->object) continue;
    is_at_end &= row->offset == row->size;
    is_within &= row->offset <= row->size;
    is_aligned &= row->offset % k->from->element_bytes == 0;
  }
  if (is_at_end) add_unless_null(f, v, k, tp_mk_eq(tt, offset, size), 2);
  if (is_within) add_unless_null(f, v, k, tp_mk2(tt, TP_OP_BV_ULE, offset, size), 2);
  if (is_aligned)
    add_unless_null(
        f, v, k,
        tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_UREM, offset, tp_mk_bv(tt, w, k->from->element_bytes)),
                 none),
        2);
}

/* Of two pointers into one object: which comes first. */
static void add_order(mine_candidates *f, const mine_view *v, const allocated *a,
                      const allocated *b) {
  bool is_before = true, is_behind = true, some = false;
  for (size_t r = 0; r < a->from->rows.n; r++) {
    const mine_target *x = &a->from->rows.at[r], *y = &b->from->rows.at[r];
    if (x->object != y->object) return;
    some |= x->object && x->offset != y->offset;
    is_before &= x->offset <= y->offset;
    is_behind &= y->offset <= x->offset;
  }
  if (!some) return;
  const tp_term x = offset_of(v, a), y = offset_of(v, b);
  if (is_before) mine_add(f, v, tp_mk2(terms(v), TP_OP_BV_ULE, x, y), 4);
  if (is_behind) mine_add(f, v, tp_mk2(terms(v), TP_OP_BV_ULE, y, x), 4);
}

// -------------------------------------------------------------------------- sizes

/* size = factor * column + rest in all rows that lead to an object? The column has two values there
 * at least, of which two determine the factor. */
static bool find_factor(const mine_view *v, const allocated *k, size_t c, uint64_t *factor,
                        uint64_t *rest) {
  const uint32_t w = v->shared->p->ptr_bits;
  const mine_target *rows = k->from->rows.at;
  const size_t n = k->from->rows.n;
  size_t one = 0, other = 0;
  while (!rows[one].object) one++;  // there is some
  const uint64_t x = mine_value_at(v, c, one, w);
  while (other < n && (!rows[other].object || mine_value_at(v, c, other, w) == x)) other++;
  if (other == n) return false;
  const uint64_t y = mine_value_at(v, c, other, w), from = rows[one].size, to = rows[other].size;
  const uint64_t steps = x < y ? y - x : x - y, bytes = x < y ? to - from : from - to;
  if ((x < y) != (from < to) || bytes % steps) return false;
  *factor = bytes / steps;
  *rest = from - *factor * x;
  for (size_t r = 0; r < n; r++)
    if (rows[r].object && rows[r].size != *factor * mine_value_at(v, c, r, w) + *rest) return false;
  return *factor != 0;
}

/* The size is a multiple of a column, which stays so small that the product does not wrap. */
static void add_multiple(mine_candidates *f, const mine_view *v, const allocated *k, size_t c,
                         uint64_t factor, uint64_t rest) {
  tp_terms *tt = terms(v);
  const uint32_t w = v->shared->p->ptr_bits;
  const tp_term x = mine_term_at(v, c, w),
                product = tp_mk2(tt, TP_OP_BV_MUL, x, tp_mk_bv(tt, w, factor));
  const uint32_t cost = 3 + mine_rank_cost(v, c);
  add_unless_null(f, v, k,
                  tp_mk_eq(tt, ghost_of(v, k, v->shared->p->ghost_size),
                           tp_mk2(tt, TP_OP_BV_ADD, product, tp_mk_bv(tt, w, rest))),
                  cost);
  if (factor > 1 || mine_col(v, c)->width == w)
    mine_add(f, v, tp_mk2(tt, TP_OP_BV_ULE, x, tp_mk_bv(tt, w, (mine_mask(w) >> 1) / factor)),
             cost + 1);
}

/* So many elements fit at least. */
static void add_room(mine_candidates *f, const mine_view *v, const allocated *k, size_t c) {
  tp_terms *tt = terms(v);
  const uint32_t w = v->shared->p->ptr_bits;
  const uint64_t n = k->from->element_bytes;
  for (size_t r = 0; r < k->from->rows.n; r++) {
    const mine_target *row = &k->from->rows.at[r];
    if (row->object && mine_value_at(v, c, r, w) > row->size / n) return;
  }
  const tp_term x = mine_term_at(v, c, w),
                product = tp_mk2(tt, TP_OP_BV_MUL, x, tp_mk_bv(tt, w, n)),
                small = tp_mk2(tt, TP_OP_BV_ULE, x, tp_mk_bv(tt, w, (mine_mask(w) >> 1) / n)),
                fits = tp_mk2(tt, TP_OP_BV_ULE, product, ghost_of(v, k, v->shared->p->ghost_size));
  add_unless_null(f, v, k, tp_mk_and(tt, small, fits), 9 + mine_rank_cost(v, c));
}

/* A column has one value wherever the pointer is null. */
static void add_start(mine_candidates *f, const mine_view *v, const allocated *k, size_t c) {
  bool some = false;
  uint64_t value = 0;
  for (size_t r = 0; r < k->from->rows.n; r++) {
    if (k->from->rows.at[r].object) continue;
    if (some && mine_value(v, c, r) != value) return;
    value = mine_value(v, c, r);
    some = true;
  }
  if (some)
    mine_add(f, v, tp_mk_or(terms(v), tp_mk_not(terms(v), k->is_null), mine_equals(v, c, value)),
             5 + mine_rank_cost(v, c));
}

static void add_sizes(mine_candidates *f, const mine_view *v, const allocated *k) {
  tp_terms *tt = terms(v);
  const uint32_t w = v->shared->p->ptr_bits;
  bool is_constant = true;
  for (size_t r = 0; r < k->from->rows.n; r++)
    is_constant &= !k->from->rows.at[r].object || k->from->rows.at[r].size == k->some->size;
  const tp_term size = ghost_of(v, k, v->shared->p->ghost_size);
  if (is_constant) add_unless_null(f, v, k, tp_mk_eq(tt, size, tp_mk_bv(tt, w, k->some->size)), 2);
  add_unless_null(f, v, k, tp_mk2(tt, TP_OP_BV_ULE, size, tp_mk_bv(tt, w, mine_mask(w) >> 1)), 2);
  size_t taken = 0;
  for (size_t c = 0; c < v->at->n_observed && taken < TP_BLOCKS_MINE_SIZE_COLUMNS; c++) {
    const mine_column *col = mine_col(v, c);
    uint64_t factor, rest;
    if (col->is_object || col->is_offset || col->is_bool || col->width < 8 || col->width > w)
      continue;
    taken++;
    if (k->is_null_somewhere) add_start(f, v, k, c);
    if (is_constant) continue;
    if (find_factor(v, k, c, &factor, &rest))
      add_multiple(f, v, k, c, factor, rest);
    else
      add_room(f, v, k, c);
  }
}

// --------------------------------------------------------------------- all objects

/* Two pointers never lead to the same object. */
static bool are_apart(const mine_pointer *a, const mine_pointer *b) {
  for (size_t r = 0; r < a->rows.n; r++)
    if (a->rows.at[r].object && a->rows.at[r].object == b->rows.at[r].object) return false;
  return true;
}

static void add_apart(mine_candidates *f, const mine_view *v, const allocated *a,
                      const allocated *b) {
  tp_terms *tt = terms(v);
  tp_term apart = tp_mk_not(tt, tp_mk_eq(tt, a->object, b->object));
  if (a->is_null_somewhere && b->is_null_somewhere) apart = tp_mk_or(tt, a->is_null, apart);
  mine_add(f, v, apart, 6);
}

/* The pointers among these that lead to the start of objects of their own on the heap hold all that
 * is there. */
static void add_count(mine_candidates *f, const mine_view *v, const allocated *k, size_t n) {
  const tp_program *p = v->shared->p;
  tp_terms *tt = p->terms;
  const uint32_t w = tp_width(tt, tp_var_of(p, p->ghost_heap)->term);
  const allocated *own[TP_BLOCKS_MINE_POINTERS];
  size_t n_own = 0;
  for (size_t i = 0; i < n; i++) {
    bool is_own = k[i].is_at_start && k[i].some->kind == TP_O_HEAP;
    for (size_t j = 0; j < n_own && is_own; j++) is_own = are_apart(k[i].from, own[j]->from);
    if (is_own) own[n_own++] = &k[i];
  }
  tp_term sum = tp_mk_bv(tt, w, 0);
  for (size_t i = 0; i < n_own; i++) {
    const tp_term is_there =
        own[i]->is_null_somewhere ? tp_mk_not(tt, own[i]->is_null) : tp_mk_true(tt);
    sum = tp_mk2(tt, TP_OP_BV_ADD, sum, tp_mk_bool_to_bv(tt, w, is_there));
  }
  for (size_t r = 0; r < v->at->heap.n; r++) {
    uint32_t count = 0;
    for (size_t i = 0; i < n_own; i++) count += own[i]->from->rows.at[r].object != 0;
    if (count != v->at->heap.at[r]) return;
  }
  mine_add(f, v, tp_mk_eq(tt, tp_var_of(p, p->ghost_heap)->term, sum), 2);
}

void mine_heap(mine_candidates *f, const mine_view *v) {
  allocated k[TP_BLOCKS_MINE_POINTERS];
  size_t n = 0;
  if (!v->shared->allocates) return;
  TP_REQUIRE(v->n == v->at->n_rows && v->at->heap.n == v->n);  // rows of the place, in their order
  for (size_t i = 0; i < v->at->pointers.n; i++)
    if (find_object(v, &v->at->pointers.at[i], &k[n])) n++;
  for (size_t i = 0; i < n; i++) {
    add_life(f, v, &k[i]);
    add_offsets(f, v, &k[i]);
    add_sizes(f, v, &k[i]);
    for (size_t j = 0; j < i; j++)
      if (are_apart(k[i].from, k[j].from))
        add_apart(f, v, &k[i], &k[j]);
      else
        add_order(f, v, &k[i], &k[j]);
  }
  add_count(f, v, k, n);
}
