/* The edges that touch memory.
 *
 * An address evaluates to a known object with an abstract offset, or to nothing known. One offset:
 * a strong update. A few possible cells: each may have changed (a weak update: join) and a load
 * gives the join of all. Many: the range is lost. The possible offsets are the value's range, cut
 * to the object's bounds, because accesses outside of it end the run, with the step that the
 * address term allows (formula/value_sets.h). Through an unknown pointer everything that can be
 * written is lost, or, if the analysis trusts points-to classes, what they say.
 *
 * An access that is surely invalid (null, an object that has ended, outside of the bounds, a write
 * to a constant) ends the run: no successor. */
#include "cpa/store_priv.h"

#include "cpa/cpa_limits.h"

// ------------------------------------------------------------------- addresses

/* An access: n bytes at offset lo, lo + step, ... hi of an object. */
typedef struct {
  tp_object_name object;  // 0: not known
  tp_store_object object_info;
  uint64_t n;
  uint64_t lo, hi, step;
  bool is_invalid;  // in every state of the element
} access;

static uint64_t constant_or(const tp_store *st, tp_sort s, tp_absval v, uint64_t otherwise) {
  uint64_t x;
  return tp_store_value_u64(st, s, v, &x) ? x : otherwise;
}

/* Offsets of `address` modulo a power of two; the address has been evaluated. */
static bool residue(tp_store *st, tp_term address, uint64_t modulus, uint64_t *out) {
  TP_REQUIRE(modulus && (modulus & (modulus - 1)) == 0);
  uint64_t base, moved = 0;
  tp_term from = address;
  if (tp_kind(st->tt, address) == TP_OP_PTR_ADD) {
    from = tp_arg(st->tt, address, 0);
    if (!tp_value_set_residue(tp_value_set_of(&st->strides, tp_arg(st->tt, address, 1)), modulus,
                              &moved))
      return false;
  }
  if (!tp_store_has_memo(st, from) || st->memo.at[from.id].id == 0 ||
      tp_store_is_set(st->memo.at[from.id]))
    return false;
  if (!tp_store_value_u64(st, st->offset_sort, tp_store_ptr_of(st, st->memo.at[from.id])->offset,
                          &base))
    return false;
  *out = (base + moved) & (modulus - 1);
  return true;
}

/* `address` is the term of v if there is one. is_write: constants are invalid. Of a set nothing is
 * known here: its members are looked at one by one. */
static access access_of(tp_store *st, const tp_elem *e, tp_term address, tp_absval v, uint64_t n,
                        bool is_write) {
  access x = {.n = n, .step = 1};
  if (v.id == 0 || tp_store_is_set(v)) return x;
  tp_store_ptr p = *tp_store_ptr_of(st, v);
  if (p.object.id == 0) {
    x.is_invalid = true;
    return x;
  }
  if (!tp_store_object_info(st, e, p.object, &x.object_info)) return x;
  x.object = p.object;
  tp_range size, at;
  uint64_t bound = UINT64_MAX;
  if (tp_store_value_range(st, st->offset_sort, x.object_info.size, &size)) bound = size.umax;
  if (!tp_store_value_range(st, st->offset_sort, p.offset, &at))
    at = (tp_range){.umin = 0, .umax = UINT64_MAX};
  TP_INVARIANT(at.umin <= at.umax);
  bool is_fixed = !tp_store_is_dynamic(st, p.object) && st->p->statics.at[p.object.id].is_const;
  x.is_invalid = x.object_info.life == TP_LIFE_OVER || n > bound || at.umin > bound - n ||
                 (is_write && is_fixed) || x.object_info.kind == TP_O_FUNCTION;
  x.lo = at.umin;
  x.hi = !x.is_invalid && at.umax > bound - n ? bound - n : at.umax;
  uint64_t rest;
  if (x.lo != x.hi && tp_term_is(address) && n && (n & (n - 1)) == 0 &&
      residue(st, address, n, &rest)) {
    x.step = n;
    x.lo += (rest - x.lo) & (n - 1);
    if (x.lo > x.hi) x.is_invalid = true;
  }
  return x;
}

static bool is_one(const access *x) { return x->object.id && x->lo == x->hi; }
/* Few enough to look at each, and they do not overlap. */
static bool are_few(const access *x) {
  return x->object.id &&
         (is_one(x) || (x->step >= x->n && (x->hi - x->lo) / x->step < TP_CPA_STORE_ACCESS_CELLS));
}

// ------------------------------------------------------------------------ read

static tp_absval read_cells(tp_store *st, const tp_elem *e, const access *x, tp_sort s) {
  TP_REQUIRE(x->step > 0);
  if (!tp_store_is_cell_sort(st, s) || x->is_invalid || x->object_info.life != TP_LIFE_ON ||
      !are_few(x))
    return TP_ABSVAL_TOP;
  tp_absval all = tp_store_cell_value(st, e, tp_store_cell_id(st, x->object, x->lo, s));
  for (uint64_t at = x->lo; all.id && x->hi - at >= x->step;) {
    at += x->step;
    all = tp_store_value_join(st, s, all,
                              tp_store_cell_value(st, e, tp_store_cell_id(st, x->object, at, s)));
  }
  return all;
}

/* What any of the targets holds; those that cannot be read end the run. False: all of them. */
static bool read_targets(tp_store *st, const tp_elem *e, tp_sort s, tp_absval address,
                         tp_absval *out) {
  tp_store_targets t = tp_store_targets_of(st, address);
  bool is_any = false;
  *out = TP_ABSVAL_TOP;
  for (uint32_t i = 0; i < t.n; i++) {
    access x = access_of(st, e, TP_TERM_NONE, t.at[i], tp_sort_bytes(st->tt, s), false);
    if (x.is_invalid) continue;
    tp_absval v = read_cells(st, e, &x, s);
    *out = is_any ? tp_store_value_join(st, s, *out, v) : v;
    is_any = true;
  }
  return is_any;
}

tp_absval tp_store_read(tp_store *st, const tp_elem *e, tp_sort s, tp_absval address) {
  if (!st->options.tracks_memory) return TP_ABSVAL_TOP;
  if (tp_store_is_set(address))
    return TP_ABSVAL_TOP;  // of formulas: an address outside holds anything
  access x = access_of(st, e, TP_TERM_NONE, address, tp_sort_bytes(st->tt, s), false);
  return read_cells(st, e, &x, s);
}

static bool load(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  tp_sort s = tp_sort_of(st->tt, tp_var_of(st->p, edge->var)->term);
  tp_absval address = tp_store_eval(st, e, edge->a), of_any;
  if (tp_store_is_set(address)) {
    bool goes_on = read_targets(st, e, s, address, &of_any);
    tp_store_assign_var(st, out, edge->var, edge->volatile_access ? TP_ABSVAL_TOP : of_any);
    return goes_on;
  }
  access x = access_of(st, e, edge->a, address, tp_sort_bytes(st->tt, s), false);
  if (x.is_invalid) return false;
  tp_absval v = edge->volatile_access ? TP_ABSVAL_TOP : read_cells(st, e, &x, s);
  tp_store_assign_var(st, out, edge->var, v);
  bool is_named = is_one(&x) && x.object_info.life == TP_LIFE_ON && tp_store_is_cell_sort(st, s) &&
                  !edge->volatile_access;
  if (is_named && tp_pmap_get(&e->objects, x.object.id) == tp_pmap_get(&out->objects, x.object.id))
    tp_store_note_copy_of_cell(st, out, edge->var, tp_store_cell_id(st, x.object, x.lo, s));
  return true;
}

// ----------------------------------------------------------------------- write

static tp_class class_of_object(tp_store *st, tp_object_name o) {
  if (!tp_store_is_dynamic(st, o)) return tp_pointsto_of_static(st->pointsto, o.id);
  return tp_pointsto_of_address(st->pointsto, tp_var_of(st->p, tp_store_naming_var(st, o))->term);
}

static bool may_lead_to(tp_store *st, tp_term address, tp_object_name o) {
  if (!st->options.trusts_points_to) return true;
  if (!st->pointsto) st->pointsto = tp_pointsto_new(st->p);
  tp_class to = tp_pointsto_of_address(st->pointsto, address), own = class_of_object(st, o);
  return tp_class_eq(to, own) || tp_class_eq(to, TP_CLASS_ANY) || tp_class_eq(own, TP_CLASS_ANY) ||
         tp_class_eq(own, TP_CLASS_NONE);
}

/* Anything may be written at the address. Cells are of known objects, and those with entries or
 * images are listed. */
static void write_anywhere(tp_store *st, tp_elem *out, tp_term address) {
  tp_store_count_havoc(st);
  for (uint64_t o = 0, number; tp_pmap_next(&out->objects, o, &o, &number); o++)
    if (may_lead_to(st, address, (tp_object_name){(uint32_t)o}))
      tp_store_havoc_cells(st, out, (tp_object_name){(uint32_t)o});
  uint32_t done = 0;
  for (uint64_t c = 0, v; tp_pmap_next(&out->cells, c, &c, &v); c++) {
    tp_object_name o = st->cells.at[c].object;
    if (o.id == done || !may_lead_to(st, address, o)) continue;
    tp_store_havoc_cells(st, out, o);
    done = o.id;
  }
  tp_store_drop_copies(out);
}

/* The bytes of the access may have any value now. */
static void write_unknown(tp_store *st, tp_elem *out, const access *x, tp_term address) {
  if (!x->object.id)
    write_anywhere(st, out, address);
  else if (x->hi > UINT64_MAX - x->n)
    tp_store_havoc_cells(st, out, x->object);
  else
    tp_store_havoc_range(st, out, x->object, x->lo, x->hi - x->lo + x->n);
}

static void write_cell(tp_store *st, tp_elem *out, const access *x, tp_sort s, tp_absval v) {
  TP_REQUIRE(x->step > 0 && x->object.id);
  if (is_one(x)) {
    tp_store_cell_write(st, out, tp_store_cell_id(st, x->object, x->lo, s), v);
    return;
  }
  for (uint64_t at = x->lo;; at += x->step) {
    uint32_t cell = tp_store_cell_id(st, x->object, at, s);
    tp_store_cell_write(st, out, cell,
                        tp_store_value_join(st, s, tp_store_cell_value(st, out, cell), v));
    if (x->hi - at < x->step) break;
  }
}

/* Each of the targets may have changed, those that cannot be written excepted. False: none can. */
static bool write_targets(tp_store *st, const tp_elem *e, tp_elem *out, tp_term address,
                          tp_store_targets t, tp_sort s, tp_absval v) {
  access can[TP_CPA_STORE_TARGETS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < t.n; i++) {
    can[n] = access_of(st, e, TP_TERM_NONE, t.at[i], tp_sort_bytes(st->tt, s), true);
    n += !can[n].is_invalid;
  }
  for (uint32_t i = 0; i < n; i++) {
    bool is_cell =
        is_one(&can[i]) && can[i].object_info.life == TP_LIFE_ON && tp_store_is_cell_sort(st, s);
    if (!is_cell) {
      write_unknown(st, out, &can[i], address);
      continue;
    }
    uint32_t cell = tp_store_cell_id(st, can[i].object, can[i].lo, s);
    tp_store_cell_write(
        st, out, cell,
        n == 1 ? v : tp_store_value_join(st, s, tp_store_cell_value(st, out, cell), v));
  }
  return n > 0;
}

static bool store(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  tp_sort s = tp_sort_of(st->tt, edge->b);
  tp_absval v = tp_store_eval(st, e, edge->b), address = tp_store_eval(st, e, edge->a);
  if (edge->volatile_access) v = TP_ABSVAL_TOP;
  if (tp_store_is_set(address))
    return write_targets(st, e, out, edge->a, tp_store_targets_of(st, address), s, v);
  access x = access_of(st, e, edge->a, address, tp_sort_bytes(st->tt, s), true);
  if (x.is_invalid) return false;
  if (are_few(&x) && x.object_info.life == TP_LIFE_ON && tp_store_is_cell_sort(st, s))
    write_cell(st, out, &x, s, v);
  else
    write_unknown(st, out, &x, edge->a);
  return true;
}

// ---------------------------------------------------------------------- blocks

/* Does the access write the whole object? */
static bool covers_object(const tp_store *st, const access *x) {
  return is_one(x) && x->lo == 0 &&
         constant_or(st, st->offset_sort, x->object_info.size, UINT64_MAX) == x->n;
}

/* The block at the address: its length is a constant or (false) unknown. */
static bool block_of(tp_store *st, const tp_elem *e, tp_term address, tp_term length, bool is_write,
                     access *out) {
  uint64_t n = constant_or(st, st->offset_sort, tp_store_eval(st, e, length), UINT64_MAX);
  tp_absval at = tp_store_eval(st, e, address);
  *out = access_of(st, e, TP_TERM_NONE, at, n == UINT64_MAX ? 0 : n, is_write);
  if (n == UINT64_MAX) {
    out->is_invalid = false;  // of no length perhaps
    out->n = 1;
    out->lo = 0;
    out->hi = UINT64_MAX;
    out->step = 1;
  }
  return n != UINT64_MAX;
}

static void fill_object(tp_store *st, tp_elem *out, tp_object_name o, tp_store_image image,
                        uint32_t image_of, uint8_t fill) {
  tp_store_object f;
  tp_store_havoc_cells(st, out, o);
  if (!tp_store_is_dynamic(st, o) || !tp_store_object_info(st, out, o, &f)) return;
  f.image = image;
  f.image_of = image_of;
  f.fill = fill;
  tp_store_set_object(st, out, o, f);
}

static bool set_block(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  access x;
  uint64_t byte;
  bool is_constant =
      tp_store_value_u64(st, tp_sort_of(st->tt, edge->b), tp_store_eval(st, e, edge->b), &byte);
  bool is_known = block_of(st, e, edge->a, edge->c, true, &x);
  if (is_known && x.n == 0) return true;
  if (x.is_invalid) return false;
  if (is_known && is_constant && covers_object(st, &x) && x.object_info.life == TP_LIFE_ON &&
      tp_store_is_dynamic(st, x.object))
    fill_object(st, out, x.object, TP_IMAGE_FILLED, 0, (uint8_t)byte);
  else
    write_unknown(st, out, &x, edge->a);
  return true;
}

/* What the source holds in its block, to be written at the same distance in the target. */
typedef struct {
  uint64_t at;
  tp_sort sort;
  tp_absval value;
} piece;
typedef struct {
  TP_VEC(piece) list;
} pieces;

static void cut(tp_store *st, const tp_elem *e, const access *from, pieces *out) {
  for (uint64_t c = 0, v; tp_pmap_next(&e->cells, c, &c, &v); c++) {
    const tp_store_cell *x = &st->cells.at[c];
    if (x->object.id != from->object.id || x->offset < from->lo ||
        x->offset + x->size > from->lo + from->n)
      continue;
    tp_absval value = {v};
    tp_vec_push(&out->list,
                (piece){x->offset - from->lo, x->sort,
                        tp_absval_eq(value, TP_STORE_CELL_TOP) ? TP_ABSVAL_TOP : value});
  }
}

static bool copy_block(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  access to, from;
  bool is_known = block_of(st, e, edge->a, edge->c, true, &to);
  (void)block_of(st, e, edge->b, edge->c, false, &from);
  if (is_known && to.n == 0) return true;
  if (to.is_invalid || from.is_invalid) return false;
  bool is_exact = is_known && is_one(&to) && is_one(&from) && to.object_info.life == TP_LIFE_ON &&
                  from.object_info.life == TP_LIFE_ON;
  if (!is_exact) {
    write_unknown(st, out, &to, edge->a);
    return true;
  }
  pieces p = {0};
  cut(st, e, &from, &p);
  bool takes_image = from.object_info.image != TP_IMAGE_NONE && covers_object(st, &from) &&
                     covers_object(st, &to) && tp_store_is_dynamic(st, to.object);
  if (takes_image)
    fill_object(st, out, to.object, from.object_info.image, from.object_info.image_of,
                from.object_info.fill);
  else
    tp_store_havoc_range(st, out, to.object, to.lo, to.n);
  for (size_t i = 0; i < p.list.n; i++) {
    const piece *x = &p.list.at[i];
    if (!takes_image && x->value.id == 0) continue;
    tp_store_cell_set(st, out, tp_store_cell_id(st, to.object, to.lo + x->at, x->sort),
                      tp_store_valid_value(st, out, x->sort, x->value));
  }
  tp_vec_clear(&p.list);
  return true;
}

/* A function without body: it may write and free whatever it can reach. */
static void havoc_all(tp_store *st, tp_elem *out) {
  tp_var heap = st->p->ghost_heap;
  tp_store_havoc_contents(st, out, TP_STORE_KEEP_STACK);
  if (heap.id) tp_store_set_var(st, out, heap, TP_ABSVAL_TOP);
  tp_store_count_havoc(st);
}

static bool havoc_block(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  access x;
  if (!tp_term_is(edge->c)) {
    havoc_all(st, out);
    return true;
  }
  bool is_known = block_of(st, e, edge->a, edge->c, true, &x);
  if (is_known && x.n == 0) return true;
  if (x.is_invalid) return false;
  write_unknown(st, out, &x, edge->a);
  return true;
}

// --------------------------------------------------------------------- objects

/* heap := heap + change. */
static void count_heap(tp_store *st, tp_elem *out, int64_t change) {
  tp_var heap = st->p->ghost_heap;
  if (!heap.id) return;
  tp_term next = tp_mk2(st->tt, TP_OP_BV_ADD, tp_var_of(st->p, heap)->term,
                        tp_mk_bv_signed(st->tt, 32, change));
  tp_store_set_var(st, out, heap, tp_store_eval(st, out, next));
}

static void alloc(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  tp_object_name o = tp_store_name(st, edge->var);
  tp_store_object f = {
      .size = tp_store_eval(st, e, edge->a), .kind = edge->object_kind, .life = TP_LIFE_ON};
  uint64_t fill;
  if (tp_term_is(edge->b) &&
      tp_store_value_u64(st, tp_sort_of(st->tt, edge->b), tp_store_eval(st, e, edge->b), &fill))
    f.image = TP_IMAGE_FILLED, f.fill = (uint8_t)fill;
  tp_store_assign_var(st, out, edge->var, TP_ABSVAL_TOP);  // what it named gets another name
  if (edge->object_kind == TP_O_HEAP)
    count_heap(st, out, 1);
  else if (tp_var_of(st->p, edge->var)->func.id != tp_loc_of(st->p, edge->from)->func.id)
    return;  // the frame's end would not find it
  tp_store_set_object(st, out, o, f);
  tp_store_set_var(st, out, edge->var,
                   tp_store_ptr_value(st, (tp_store_ptr){o, tp_store_offset(st, 0)}));
}

/* Some object of these may have ended. */
static void end_any(tp_store *st, tp_elem *out, tp_object_kind kind) {
  for (uint64_t o = st->n_statics + 1, number; tp_pmap_next(&out->objects, o, &o, &number); o++) {
    tp_store_object f = *tp_store_object_at(st, number);
    if ((f.kind != kind && f.kind != TP_O_NONE) || f.life != TP_LIFE_ON) continue;
    tp_store_havoc_cells(st, out, (tp_object_name){(uint32_t)o});
    f = *tp_store_object_at(st, tp_pmap_get(&out->objects, o));
    f.life = TP_LIFE_UNKNOWN;
    tp_store_set_object(st, out, (tp_object_name){(uint32_t)o}, f);
  }
}

/* A single target, or top. */
static tp_absval one_target(tp_absval v) { return tp_store_is_set(v) ? TP_ABSVAL_TOP : v; }

static bool free_object(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  tp_absval at = one_target(tp_store_eval(st, e, edge->a));
  uint64_t offset = 0;
  bool is_there =
      at.id && tp_store_value_u64(st, st->offset_sort, tp_store_ptr_of(st, at)->offset, &offset);
  tp_object_name o = at.id ? tp_store_ptr_of(st, at)->object : (tp_object_name){0};
  if (is_there && o.id == 0) return offset == 0;
  tp_store_object f;
  if (!is_there || !tp_store_object_info(st, e, o, &f) || f.kind == TP_O_NONE) {
    tp_var heap = st->p->ghost_heap;
    end_any(st, out, TP_O_HEAP);
    if (heap.id) tp_store_set_var(st, out, heap, TP_ABSVAL_TOP);
    return true;
  }
  if (offset != 0 || f.kind != TP_O_HEAP || f.life == TP_LIFE_OVER) return false;
  tp_store_havoc_cells(st, out, o);
  (void)tp_store_object_info(st, out, o, &f);
  f.life = TP_LIFE_OVER;
  tp_store_set_object(st, out, o, f);
  count_heap(st, out, -1);
  return true;
}

static void end_scope(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  tp_absval at = one_target(tp_store_eval(st, e, edge->a));
  if (at.id == 0)
    end_any(st, out, TP_O_STACK);
  else if (tp_store_ptr_of(st, at)->object.id)
    tp_store_remove_object(st, out, tp_store_ptr_of(st, at)->object);
}

// ------------------------------------------------------------------------ edge

static bool transfer_edge(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  switch (edge->kind) {
    case TP_E_LOAD: return load(st, e, out, edge);
    case TP_E_STORE: return store(st, e, out, edge);
    case TP_E_ALLOC: alloc(st, e, out, edge); return true;
    case TP_E_FREE: return free_object(st, e, out, edge);
    case TP_E_COPY: return copy_block(st, e, out, edge);
    case TP_E_SET: return set_block(st, e, out, edge);
    case TP_E_HAVOC_MEMORY: return havoc_block(st, e, out, edge);
    case TP_E_END_SCOPE: end_scope(st, e, out, edge); return true;
    case TP_E_HAVOC:
      if (edge->may_write) havoc_all(st, out);
      if (edge->var.id) tp_store_assign_var(st, out, edge->var, TP_ABSVAL_TOP);
      return true;
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ASSUME:
    case TP_E_CALL:
    case TP_E_RETURN: break;
  }
  return true;
}

bool tp_store_transfer_memory(tp_store *st, const tp_elem *e, tp_elem *out,
                              const tp_edge_info *edge) {
  if (st->options.tracks_memory) return transfer_edge(st, e, out, edge);
  if (edge->var.id) tp_store_assign_var(st, out, edge->var, TP_ABSVAL_TOP);
  return true;
}
