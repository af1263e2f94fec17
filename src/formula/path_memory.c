/* Memory on paths: one array for each sort of cell, written exactly where sorts fit into each
 * other.
 *
 * A store changes its own array, and in the arrays of other sorts every cell that overlaps the
 * bytes written: integers that contain the value or are contained in it get their part of it, all
 * others an input. Which sorts can meet at an address, the points-to regions say. Blocks of bytes
 * are done cell by cell as long as they are short; longer ones make memory an input, of which facts
 * can be had (tp_paths_block_facts). */
#include "formula/path_priv.h"

#include "formula/formula_limits.h"

// ----------------------------------------------------------------------- sorts

static size_t index_of_sort(const tp_paths *x, tp_sort sort) {
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    if (tp_sort_eq(tp_sort_element(x->tt, tp_sort_of(x->tt, x->p->memory[i])), sort)) return i;
  return TP_N_MEMORIES;
}

static tp_sort sort_at(const tp_paths *x, size_t i) {
  return tp_sort_element(x->tt, tp_sort_of(x->tt, x->p->memory[i]));
}
static uint32_t bytes_at(const tp_paths *x, size_t i) {
  return tp_sort_bytes(x->tt, sort_at(x, i));
}

static uint32_t region_of(const tp_paths *x, tp_term address, tp_sort sort) {
  return tp_pointsto_region(x->pointsto, address, tp_sort_bytes(x->tt, sort));
}

void tp_paths_find_sorts(tp_paths *x) {
  for (uint32_t i = 1; i < x->p->edges.n; i++) {
    const tp_edge_info *e = tp_edge_of(x->p, (tp_edge){i});
    if (e->kind != TP_E_LOAD && e->kind != TP_E_STORE) continue;
    tp_sort sort = tp_sort_of(x->tt, e->kind == TP_E_LOAD ? tp_var_of(x->p, e->var)->term : e->b);
    size_t at = index_of_sort(x, sort);
    if (at == TP_N_MEMORIES) continue;
    uint64_t sorts = 0;
    uint32_t region = region_of(x, e->a, sort);
    (void)tp_map_get(&x->region_sorts, region, &sorts);
    tp_map_set(&x->region_sorts, region, sorts | 1u << at);
    x->all_sorts |= 1u << at;
  }
}

/* Sorts of the accesses that may meet this one; where nothing is known, all of the program. */
static uint32_t sorts_near(const tp_paths *x, tp_term address, tp_sort sort) {
  uint64_t sorts = 0;
  uint32_t region = region_of(x, address, sort);
  if (!region || tp_map_has(&x->region_sorts, 0)) return x->all_sorts;
  (void)tp_map_get(&x->region_sorts, region, &sorts);
  return (uint32_t)sorts;
}

// ----------------------------------------------------------------------- cells

static tp_term memory_of(tp_paths *x, const tp_path *a, size_t i) {
  return tp_path_get_key(x, a, tp_path_key_memory(x, i));
}

static tp_term moved(tp_paths *x, tp_term pointer, int64_t by) {
  return by ? tp_mk_ptr_add(x->tt, pointer, tp_mk_bv_signed(x->tt, x->p->ptr_bits, by)) : pointer;
}

static tp_term read_cell(tp_paths *x, const tp_path *a, size_t i, tp_term pointer) {
  return tp_paths_fold_statics(x, tp_mk2(x->tt, TP_OP_SELECT, memory_of(x, a, i), pointer));
}

static void write_cell(tp_paths *x, tp_path *a, size_t i, tp_term pointer, tp_term value) {
  tp_path_set(a, tp_path_key_memory(x, i),
              tp_mk3(x->tt, TP_OP_STORE, memory_of(x, a, i), pointer, value));
}

/* Bools and bit-vectors as bytes; NONE for others. */
static tp_term as_bits(tp_paths *x, tp_term value) {
  tp_sort_kind kind = tp_sort_kind_of(x->tt, tp_sort_of(x->tt, value));
  if (kind == TP_SORT_BOOL) return tp_mk_bool_to_bv(x->tt, 8, value);
  return kind == TP_SORT_BV && tp_width(x->tt, value) % 8 == 0 ? value : TP_TERM_NONE;
}

static tp_term of_bits(tp_paths *x, tp_sort sort, tp_term bits) {
  return tp_sort_kind_of(x->tt, sort) == TP_SORT_BOOL
             ? tp_mk_bv_to_bool(x->tt, tp_mk_extract(x->tt, 0, 0, bits))
             : bits;
}

/* `whole` with `part` in place of the bytes from `offset` on. */
static tp_term with_part(tp_paths *x, tp_term whole, tp_term part, uint32_t offset) {
  uint32_t w = tp_width(x->tt, whole), n = tp_width(x->tt, part), low = 8 * offset;
  tp_term t = part;
  if (low + n < w)
    t = tp_mk2(x->tt, TP_OP_BV_CONCAT, tp_mk_extract(x->tt, w - 1, low + n, whole), t);
  return low ? tp_mk2(x->tt, TP_OP_BV_CONCAT, t, tp_mk_extract(x->tt, low - 1, 0, whole)) : t;
}

/* What a cell of sort i at distance d from the bytes `bits` (NONE: unknown) holds after they were
 * written; NONE: not exactly known. */
static tp_term overlapped(tp_paths *x, const tp_path *a, size_t i, tp_term pointer, int64_t d,
                          tp_term bits, uint32_t n) {
  tp_sort sort = sort_at(x, i);
  tp_sort_kind kind = tp_sort_kind_of(x->tt, sort);
  uint32_t m = bytes_at(x, i);
  if (!tp_term_is(bits) || (kind != TP_SORT_BV && kind != TP_SORT_BOOL)) return TP_TERM_NONE;
  if (d >= 0 && d + m <= n) {
    uint32_t low = 8 * (uint32_t)d;
    return of_bits(x, sort, tp_mk_extract(x->tt, low + 8 * m - 1, low, bits));
  }
  if (d <= 0 && n - d <= m)
    return with_part(x, read_cell(x, a, i, moved(x, pointer, d)), bits, (uint32_t)-d);
  return TP_TERM_NONE;
}

/* Write to all arrays what the bytes written at `pointer` make of their cells; but for the cell of
 * sort `own` there, and, where they never lie across each other, all others of that sort. */
static void write_others(tp_paths *x, tp_path *a, tp_edge e, size_t own, bool own_crosses,
                         uint32_t sorts, tp_term pointer, tp_term bits, uint32_t n) {
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    if ((i == own && !own_crosses) || !(sorts >> i & 1)) continue;
    for (int64_t d = 1 - (int64_t)bytes_at(x, i); d < (int64_t)n; d++) {
      if (i == own && d == 0) continue;
      tp_term value = overlapped(x, a, i, pointer, d, bits, n);
      if (!tp_term_is(value)) value = tp_path_any_value(x, a, e, sort_at(x, i));
      write_cell(x, a, i, moved(x, pointer, d), value);
    }
  }
}

static void store(tp_paths *x, tp_path *a, tp_edge id, const tp_edge_info *e) {
  tp_term pointer = tp_path_eval(x, a, e->a), value = tp_path_eval(x, a, e->b);
  tp_sort sort = tp_sort_of(x->tt, value);
  size_t own = index_of_sort(x, sort);
  bool crosses = own < TP_N_MEMORIES && tp_paths_may_cross(x, region_of(x, e->a, sort), own);
  write_others(x, a, id, own, crosses, sorts_near(x, e->a, sort), pointer, as_bits(x, value),
               tp_sort_bytes(x->tt, sort));
  if (own < TP_N_MEMORIES) write_cell(x, a, own, pointer, value);
}

static void load(tp_paths *x, tp_path *a, tp_edge id, const tp_edge_info *e) {
  tp_sort sort = tp_sort_of(x->tt, tp_var_of(x->p, e->var)->term);
  size_t i = index_of_sort(x, sort);
  tp_term value = i < TP_N_MEMORIES ? read_cell(x, a, i, tp_path_eval(x, a, e->a))
                                    : tp_path_any_value(x, a, id, sort);
  tp_path_set(a, e->var.id, value);
}

// ---------------------------------------------------------------------- blocks

void tp_path_havoc_memory(tp_paths *x, tp_path *a, uint64_t source) {
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    tp_path_set(a, tp_path_key_memory(x, i),
                tp_path_input(x, a, source, "memory", tp_sort_of(x->tt, x->p->memory[i])));
  tp_var live = x->p->ghost_live;
  tp_path_set(a, live.id,
              tp_path_input(x, a, source, "live", tp_sort_of(x->tt, tp_var_of(x->p, live)->term)));
}

/* What one cell of a block becomes. */
typedef tp_term (*cell_value)(void *ctx, size_t i, uint64_t offset);

typedef struct {
  tp_paths *x;
  tp_path *a;
  tp_path before;  // COPY: source and target may overlap
  tp_edge e;
  tp_term source, target;  // COPY
  tp_term byte;            // SET
} filling;

static tp_term unknown(void *ctx, size_t i, uint64_t offset) {
  filling *f = ctx;
  (void)offset;
  return tp_path_any_value(f->x, f->a, f->e, sort_at(f->x, i));
}

/* Every cell that the block from `pointer` on reaches into: those inside get their value, those
 * across its ends any value. Cells that lie at multiples of their size are met one by one if the
 * block's own offset is known. False: too long. */
static bool write_block(tp_paths *x, tp_path *a, tp_term pointer, tp_term length, uint64_t most,
                        cell_value value, filling *f) {
  uint64_t n, offset;
  if (!tp_bv_value_u64(x->tt, length, &n) || n > most) return false;
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    if (!(x->all_sorts >> i & 1)) continue;
    int64_t m = bytes_at(x, i);
    bool is_on_grid = !(x->crossing_sorts >> i & 1) &&
                      tp_bv_value_u64(x->tt, tp_mk1(x->tt, TP_OP_PTR_OFF, pointer), &offset) &&
                      offset % (uint64_t)m == 0;
    if (!is_on_grid && m > 1 && n > TP_FORMULA_PATH_BLOCK_BYTES) return false;
    for (int64_t o = is_on_grid ? 0 : 1 - m; o < (int64_t)n; o += is_on_grid ? m : 1) {
      bool is_inside = o >= 0 && o + m <= (int64_t)n;
      write_cell(x, a, i, moved(x, pointer, o),
                 is_inside ? value(f, i, (uint64_t)o) : unknown(f, i, 0));
    }
  }
  return true;
}

/* Cells that never lie across each other are only known at multiples of their size; source and
 * target must agree about these. */
static tp_term copied(void *ctx, size_t i, uint64_t offset) {
  filling *f = ctx;
  tp_terms *tt = f->x->tt;
  uint32_t m = bytes_at(f->x, i), w = f->x->p->ptr_bits;
  tp_term cell = read_cell(f->x, &f->before, i, moved(f->x, f->source, (int64_t)offset));
  if (m == 1 || f->x->crossing_sorts >> i & 1) return cell;
  tp_term apart =
      tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, f->target), tp_mk1(tt, TP_OP_PTR_OFF, f->source));
  tp_term agree =
      tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_UREM, apart, tp_mk_bv(tt, w, m)), tp_mk_bv(tt, w, 0));
  return tp_is_true(tt, agree) ? cell : tp_mk_ite(tt, agree, cell, unknown(ctx, i, offset));
}

static tp_term repeated(void *ctx, size_t i, uint64_t offset) {
  filling *f = ctx;
  tp_terms *tt = f->x->tt;
  tp_sort sort = sort_at(f->x, i);
  tp_sort_kind kind = tp_sort_kind_of(tt, sort);
  tp_term bits = f->byte;
  uint64_t b;
  for (uint32_t k = 1; k < bytes_at(f->x, i); k++)
    bits = tp_mk2(tt, TP_OP_BV_CONCAT, bits, f->byte);
  if (kind == TP_SORT_BV || kind == TP_SORT_BOOL) return of_bits(f->x, sort, bits);
  if (kind == TP_SORT_FP) return tp_mk1(tt, TP_OP_FP_OF_BITS, bits);
  if (tp_bv_value_u64(tt, f->byte, &b) && b == 0) return tp_mk_null(tt);
  return unknown(ctx, i, offset);
}

static bool is_same_block(const tp_path_block *a, const tp_path_block *b) {
  return tp_term_eq(a->before, b->before) && tp_term_eq(a->target, b->target) &&
         tp_term_eq(a->length, b->length) && tp_term_eq(a->source, b->source) &&
         tp_term_eq(a->byte, b->byte);
}

/* A long block: memory behind it has symbols of its own, of which tp_paths_block_facts tells. Two
 * ways along one edge may have different blocks: then they have different symbols. */
static void replace_memory(filling *f, tp_term target, tp_term length) {
  tp_paths *x = f->x;
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    if (!(x->all_sorts >> i & 1)) continue;
    tp_path_block block = {.edge = f->e,
                           .before = memory_of(x, f->a, i),
                           .target = target,
                           .length = tp_mk_resize(x->tt, x->p->ptr_bits, false, length),
                           .source = f->source,
                           .byte = f->byte};
    uint64_t number;
    do {
      block.symbol = tp_path_input(x, f->a, f->e.id, "memory", tp_sort_of(x->tt, x->p->memory[i]));
    } while (tp_map_get(&x->block_of, block.symbol.id, &number) &&
             !is_same_block(&x->blocks.at[number], &block));
    if (!tp_map_has(&x->block_of, block.symbol.id)) {
      tp_map_set(&x->block_of, block.symbol.id, x->blocks.n);
      tp_vec_push(&x->blocks, block);
    }
    tp_path_set(f->a, tp_path_key_memory(x, i), block.symbol);
  }
}

static void block(tp_paths *x, tp_path *a, tp_edge id, const tp_edge_info *e) {
  filling f = {.x = x, .a = a, .e = id};
  tp_term target = tp_path_eval(x, a, e->a);
  tp_term length = tp_term_is(e->c) ? tp_path_eval(x, a, e->c) : TP_TERM_NONE;
  bool done = false;
  if (!tp_term_is(length)) {
    done = false;
  } else if (e->kind == TP_E_COPY) {
    f.source = tp_path_eval(x, a, e->b);
    f.target = target;
    f.before = tp_path_copy(a);
    done = write_block(x, a, target, length, TP_FORMULA_PATH_COPY_BYTES, copied, &f);
    tp_path_clear(&f.before);
  } else if (e->kind == TP_E_SET) {
    f.byte = tp_path_eval(x, a, e->b);
    done = write_block(x, a, target, length, TP_FORMULA_PATH_COPY_BYTES, repeated, &f);
  } else {
    done = write_block(x, a, target, length, TP_FORMULA_PATH_FILL_BYTES, unknown, &f);
  }
  if (done) return;
  if (e->kind == TP_E_HAVOC_MEMORY || !tp_term_is(length))
    tp_path_havoc_memory(x, a, id.id);
  else
    replace_memory(&f, target, length);
}

// -------------------------------------------------------------------- lifetimes

static void set_ghost(tp_paths *x, tp_path *a, tp_var ghost, tp_term object, tp_term value) {
  tp_path_set(a, ghost.id,
              tp_mk3(x->tt, TP_OP_STORE, tp_path_get_key(x, a, ghost.id), object, value));
}

static tp_term count_heap(tp_paths *x, tp_path *a, int64_t by) {
  return tp_mk2(x->tt, TP_OP_BV_ADD, tp_path_get_key(x, a, x->p->ghost_heap.id),
                tp_mk_bv_signed(x->tt, 32, by));
}

static void alloc(tp_paths *x, tp_path *a, tp_edge id, const tp_edge_info *e) {
  tp_terms *tt = x->tt;
  tp_term size = tp_mk_resize(tt, x->p->ptr_bits, false, tp_path_eval(x, a, e->a));
  tp_term object = tp_path_get_key(x, a, tp_path_key_next(x));
  tp_term pointer = tp_mk_ptr(tt, object, tp_mk_bv(tt, x->p->ptr_bits, 0));
  tp_path_set(a, tp_path_key_next(x),
              tp_mk2(tt, TP_OP_BV_ADD, object, tp_mk_bv(tt, TP_OBJ_BITS, 1)));
  set_ghost(x, a, x->p->ghost_size, object, size);
  set_ghost(x, a, x->p->ghost_live, object, tp_mk_true(tt));
  set_ghost(x, a, x->p->ghost_kind, object, tp_mk_bv(tt, 8, e->object_kind));
  if (e->object_kind == TP_O_HEAP) tp_path_set(a, x->p->ghost_heap.id, count_heap(x, a, 1));
  tp_path_set(a, e->var.id, pointer);
  filling f = {.x = x, .a = a, .e = id};
  if (!tp_term_is(e->b))
    return;  // the cells of an object that did not exist have any value already
  f.byte = tp_path_eval(x, a, e->b);
  if (!write_block(x, a, pointer, size, TP_FORMULA_PATH_FILL_BYTES, repeated, &f))
    replace_memory(&f, pointer, size);
}

static void end_object(tp_paths *x, tp_path *a, const tp_edge_info *e) {
  tp_terms *tt = x->tt;
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, tp_path_eval(x, a, e->a));
  if (e->kind == TP_E_FREE) {
    tp_term is_null = tp_mk_eq(tt, object, tp_mk_bv(tt, TP_OBJ_BITS, 0));
    tp_path_set(
        a, x->p->ghost_heap.id,
        tp_mk_ite(tt, is_null, tp_path_get_key(x, a, x->p->ghost_heap.id), count_heap(x, a, -1)));
  }
  set_ghost(x, a, x->p->ghost_live, object, tp_mk_false(tt));
  if (e->kind == TP_E_FREE && x->reads_lost)
    tp_path_set_lost(x, a, tp_path_get_key(x, a, x->p->ghost_leaked.id));
}

void tp_path_memory_edge(tp_paths *x, tp_path *a, tp_edge id, const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_LOAD: load(x, a, id, e); return;
    case TP_E_ALLOC: alloc(x, a, id, e); return;
    case TP_E_STORE: store(x, a, id, e); break;
    case TP_E_FREE:
    case TP_E_END_SCOPE: end_object(x, a, e); break;
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: block(x, a, id, e); break;
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ASSUME:
    case TP_E_HAVOC:
    case TP_E_CALL:
    case TP_E_RETURN: return;
  }
  tp_path_havoc_leaked(x, a, id);
}
