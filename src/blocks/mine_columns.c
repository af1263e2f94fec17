/* Columns: what is noted at a place, and what is most worth it. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"

#include <stdlib.h>

static const tp_terms *terms(const mine_shared *sh) { return sh->p->terms; }

// ----------------------------------------------------------- the program's own

void mine_each_term(const tp_terms *tt, const tp_edge_info *e, tp_map *seen,
                    void (*see)(void *ctx, tp_term t), void *ctx) {
  TP_VEC(tp_term) todo = {0};
  const tp_term roots[] = {e->a, e->b, e->c};
  for (uint32_t i = 0; i < 3 + e->n_args; i++)
    tp_vec_push(&todo, i < 3 ? roots[i] : e->args[i - 3]);
  while (todo.n) {
    tp_term t = tp_vec_pop(&todo);
    if (!tp_term_is(t) || tp_map_has(seen, t.id)) continue;
    tp_map_set(seen, t.id, 1);
    see(ctx, t);
    for (uint32_t i = tp_n_args(tt, t); i-- > 0;) tp_vec_push(&todo, tp_arg(tt, t, i));
  }
  tp_vec_clear(&todo);
}

static void ask_var(void *ctx, tp_term var) {
  mine_shared *sh = ctx;
  tp_var v = tp_program_var_of(sh->p, var);
  if (v.id) sh->is_asked[v.id] = true;
}

static void see_term(void *ctx, tp_term t) {
  mine_shared *sh = ctx;
  const tp_terms *tt = terms(sh);
  uint32_t w = tp_kind(tt, t) == TP_OP_BV_CONST ? tp_width(tt, t) : 0;
  if (tp_is_bv_comparison(tt, t)) tp_for_vars(tt, t, ask_var, sh);
  if (w < 1 || w > 64 || sh->numbers.n > TP_BLOCKS_MINE_NUMBERS) return;
  const uint64_t bits = (uint64_t)tp_bv_value(tt, t);
  for (uint64_t near = 0; near < 3; near++) {
    tp_vec_push(&sh->numbers, mine_signed(w, (bits + near - 1) & mine_mask(w)));
    if (w < 64 && w > 1 && bits >> (w - 1)) tp_vec_push(&sh->numbers, (int64_t)(bits + near - 1));
  }
}

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

void mine_shared_init(mine_shared *sh, const tp_program *p) {
  *sh = (mine_shared){
      .p = p, .live = tp_liveness_new(p), .is_asked = TP_NEW_ARRAY(bool, p->vars.n + 1)};
  tp_map seen = {0};
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!e->from.id) continue;
    sh->allocates |=
        e->kind == TP_E_ALLOC && (e->object_kind == TP_O_HEAP || !tp_is_const(p->terms, e->a));
    sh->reads_texts |=
        e->kind == TP_E_LOAD && !tp_is_const(p->terms, e->a) &&
        tp_sort_eq(tp_sort_of(p->terms, tp_var_of(p, e->var)->term), tp_sort_bv(p->terms, 8));
    mine_each_term(p->terms, e, &seen, see_term, sh);
    if (e->kind == TP_E_ASSUME) tp_for_vars(p->terms, e->a, ask_var, sh);
  }
  for (size_t i = 1; i < p->vars.n; i++)
    if (tp_term_is(p->vars.at[i].initial)) see_term(sh, p->vars.at[i].initial);
  for (int64_t k = -1; k <= 1; k++) tp_vec_push(&sh->numbers, k);
  qsort(sh->numbers.at, sh->numbers.n, sizeof *sh->numbers.at, ascending);
  size_t n = 0;
  for (size_t i = 0; i < sh->numbers.n; i++)
    if (n == 0 || sh->numbers.at[n - 1] != sh->numbers.at[i])
      sh->numbers.at[n++] = sh->numbers.at[i];
  sh->numbers.n = n;
  tp_map_clear(&seen);
}

void mine_shared_clear(mine_shared *sh) {
  tp_liveness_free(sh->live);
  tp_free(sh->is_asked);
  tp_vec_clear(&sh->numbers);
}

// --------------------------------------------------- what changes in the loop

bool mine_is_in_loop(const tp_program *p, tp_loc l, uint32_t loop) {
  for (uint32_t x = tp_loc_of(p, l)->loop; x; x = p->loops.at[x].parent)
    if (x == loop) return true;
  return false;
}

/* By variable: written between two visits of the place (its loop, or its function if it heads none;
 * and what is called there). */
static bool *written_around(const tp_program *p, tp_loc loc) {
  bool *written = TP_NEW_ARRAY(bool, p->vars.n + 1), *in = TP_NEW_ARRAY(bool, p->funcs.n + 1),
       more = true;
  uint32_t loop = tp_loc_of(p, loc)->loop;
  while (loop && p->loops.at[loop].head.id != loc.id) loop = p->loops.at[loop].parent;
  const uint32_t own = tp_loc_of(p, loc)->func.id;
  while (more) {
    more = false;
    for (size_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      if (!e->from.id) continue;
      bool here = tp_loc_of(p, e->from)->func.id == own &&
                  (!loop || (mine_is_in_loop(p, e->from, loop) && mine_is_in_loop(p, e->to, loop)));
      if (!here && !in[tp_loc_of(p, e->from)->func.id]) continue;
      written[e->var.id] = true;
      if (e->kind != TP_E_CALL) continue;
      for (uint32_t f = e->callee.id ? e->callee.id : 1; f < p->funcs.n;
           f++) {  // through a pointer: any
        more |= !in[f];
        in[f] = true;
        if (e->callee.id) break;
      }
    }
  }
  tp_free(in);
  return written;
}

// --------------------------------------------------------------------- columns

static bool is_signed_type(const tp_program *p, tp_type t) {
  if (!t.id) return true;
  const tp_type_info *i = tp_type_of(p, t);
  return (i->kind == TP_T_INT || i->kind == TP_T_ENUM) && i->is_signed;
}

static void add_cell(const mine_shared *sh, mine_cutpoint *at, tp_term ptr, const tp_type_info *i,
                     uint32_t rank) {
  const uint64_t bits = 8 * i->size_bytes;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return;
  tp_term cell = tp_cell(sh->p, tp_sort_bv(sh->p->terms, (uint32_t)bits), ptr);
  tp_vec_push(&at->columns,
              (mine_column){
                  .term = cell, .width = (uint32_t)bits, .is_signed = i->is_signed, .rank = rank});
}

/* Cells of an object: a number, the first ones of an array of numbers, the members of a struct. */
static void add_cells(const mine_shared *sh, mine_cutpoint *at, tp_term ptr, tp_type type,
                      size_t *left) {
  if (!type.id) return;
  const tp_program *p = sh->p;
  const tp_type_info *i = tp_type_of(p, type);
  const bool is_array = i->kind == TP_T_ARRAY, is_struct = i->kind == TP_T_STRUCT;
  uint64_t n = is_array ? i->n_elements : is_struct ? i->n_members : 1;
  if (is_array && n > TP_BLOCKS_MINE_ARRAY_CELLS) n = TP_BLOCKS_MINE_ARRAY_CELLS;
  for (uint64_t k = 0; k < n && *left; k++) {
    tp_type inner = is_array ? i->element : is_struct ? i->members[k].type : type;
    if (!inner.id || (is_struct && (i->members[k].width_bits || i->members[k].offset_bits % 8)))
      continue;
    const tp_type_info *x = tp_type_of(p, inner);
    uint64_t offset = is_array ? k * x->size_bytes : is_struct ? i->members[k].offset_bits / 8 : 0;
    tp_term where = tp_mk_ptr_add(p->terms, ptr, tp_mk_bv(p->terms, p->ptr_bits, offset));
    if (x->kind == TP_T_POINTER && !is_array)
      mine_heap_add_pointer(sh, at, tp_cell(p, tp_sort_ptr(p->terms), where), inner);
    if (x->kind != TP_T_INT && x->kind != TP_T_ENUM) continue;
    add_cell(sh, at, where, x, is_array || is_struct ? 2 : 1);
    --*left;
  }
}

/* Does the structure link to others of its kind? Then there is no telling how many there are, and
 * shapes describe them. */
static bool is_link(const tp_program *p, tp_type type) {
  const tp_type_info *i = tp_type_of(p, type);
  for (uint32_t k = 0; k < i->n_members; k++) {
    const tp_type inner = i->members[k].type;
    if (inner.id && tp_type_of(p, inner)->kind == TP_T_POINTER &&
        tp_type_of(p, inner)->element.id == type.id)
      return true;
  }
  return false;
}

/* Members of the structure that a pointer leads to: a pointer and a length are often kept in one.
 */
static void add_pointed(const mine_shared *sh, mine_cutpoint *at, const tp_var_info *pointer,
                        size_t *left) {
  const tp_program *p = sh->p;
  if (!sh->allocates || !pointer->type.id) return;
  const tp_type_info *i = tp_type_of(p, pointer->type);
  if (i->kind != TP_T_POINTER || !i->element.id || is_link(p, i->element)) return;
  if (tp_type_of(p, i->element)->kind == TP_T_STRUCT)
    add_cells(sh, at, pointer->term, i->element, left);
}

static void add_variable(const mine_shared *sh, mine_cutpoint *at, tp_var v, const bool *written,
                         size_t *cells_left) {
  const tp_var_info *i = tp_var_of(sh->p, v);
  const tp_sort sort = tp_sort_of(sh->p->terms, i->term);
  const tp_sort_kind kind = tp_sort_kind_of(sh->p->terms, sort);
  if (kind == TP_SORT_PTR) mine_heap_add_pointer(sh, at, i->term, i->type);
  if (kind == TP_SORT_PTR)
    tp_vec_push(&at->columns, (mine_column){.term = tp_mk1(sh->p->terms, TP_OP_PTR_OBJ, i->term),
                                            .var = v,
                                            .width = TP_OBJ_BITS,
                                            .is_object = true,
                                            .rank = 2});
  if (i->is_address) {
    add_cells(sh, at, i->term, i->type, cells_left);
    return;
  }
  if (kind == TP_SORT_PTR) add_pointed(sh, at, i, cells_left);
  mine_column c = {.term = i->term,
                   .var = v,
                   .is_signed = is_signed_type(sh->p, i->type),
                   .is_bool = kind == TP_SORT_BOOL};
  c.width = tp_sort_width(sh->p->terms, sort);
  c.rank = (written[v.id] ? 0u : 2u) + (sh->is_asked[v.id] ? 0u : 1u);
  if (kind == TP_SORT_PTR && written[v.id]) {
    c.term = tp_mk1(sh->p->terms, TP_OP_PTR_OFF, i->term);
    c.is_signed = false;
    c.is_offset = true;
    c.rank = 1;
  } else if (kind != TP_SORT_BV && kind != TP_SORT_BOOL) {
    return;
  }
  if (c.width <= 64) tp_vec_push(&at->columns, c);
}

static int by_rank(const void *a, const void *b) {
  const mine_column *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return (x->term.id > y->term.id) - (x->term.id < y->term.id);
}

typedef struct {
  const tp_program *p;
  bool *is_named;  // by variable
} named_vars;

static void name_var(void *ctx, tp_term t) {
  const named_vars *n = ctx;
  if (tp_kind(n->p->terms, t) == TP_OP_VAR) n->is_named[tp_program_var_of(n->p, t).id] = true;
}

/* By variable: does an edge of the function name it? A callee names variables of its caller whose
 * address it got. */
static bool *named_by(const tp_program *p, tp_func f) {
  named_vars n = {p, TP_NEW_ARRAY(bool, p->vars.n + 1)};
  tp_map seen = {0};
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!e->from.id || tp_loc_of(p, e->from)->func.id != f.id) continue;
    n.is_named[e->var.id] = true;
    mine_each_term(p->terms, e, &seen, name_var, &n);
  }
  tp_map_clear(&seen);
  return n.is_named;
}

static bool leads_to_bytes(const mine_shared *sh, tp_var v) {
  const tp_type type = tp_var_of(sh->p, v)->type;
  return type.id && tp_type_of(sh->p, type)->kind == TP_T_POINTER &&
         mine_string_is_byte(sh->p, tp_type_of(sh->p, type)->element);
}

static bool walks_along_bytes(const mine_shared *sh, tp_func f) {
  for (uint32_t v = 1; v < sh->p->vars.n && sh->reads_texts; v++)
    if (sh->p->vars.at[v].func.id == f.id && leads_to_bytes(sh, (tp_var){v})) return true;
  return false;
}

/* By function: is it on the way to calls of this one? */
static bool *callers_of(const tp_program *p, tp_func own) {
  bool *is_caller = TP_NEW_ARRAY(bool, p->funcs.n + 1);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      if (!e->from.id || e->kind != TP_E_CALL || !e->callee.id) continue;
      const uint32_t caller = tp_loc_of(p, e->from)->func.id;
      if (is_caller[caller] || (e->callee.id != own.id && !is_caller[e->callee.id])) continue;
      is_caller[caller] = more = true;
    }
  }
  is_caller[own.id] = false;
  return is_caller;
}

/* Where a function walks along bytes, numbers of its callers may say where these end; the last
 * columns. */
static void add_ends_of_callers(const mine_shared *sh, mine_cutpoint *at, tp_func own,
                                const bool *written) {
  const tp_program *p = sh->p;
  if (!walks_along_bytes(sh, own)) return;
  bool *is_caller = callers_of(p, own);
  size_t left = TP_BLOCKS_MINE_CALLER_COLUMNS, none = 0;
  for (uint32_t v = 1; v < p->vars.n && left; v++) {
    const tp_var_info *i = &p->vars.at[v];
    const size_t before = at->columns.n;
    if (!is_caller[i->func.id] || i->kind == TP_V_GHOST || i->kind == TP_V_TEMP || i->is_address ||
        !sh->is_asked[v] || tp_sort_kind_of(p->terms, tp_sort_of(p->terms, i->term)) != TP_SORT_BV)
      continue;
    add_variable(sh, at, (tp_var){v}, written, &none);
    if (at->columns.n == before) continue;
    tp_vec_last(&at->columns).rank = 3;
    left--;
  }
  tp_free(is_caller);
}

static void add_columns(const mine_shared *sh, mine_cutpoint *at) {
  const tp_program *p = sh->p;
  const tp_func own = tp_loc_of(p, at->loc)->func;
  bool *written = written_around(p, at->loc), *named = named_by(p, own);
  size_t cells = TP_BLOCKS_MINE_CELLS;
  for (uint32_t v = 1; v < p->vars.n; v++) {
    const tp_var_info *i = &p->vars.at[v];
    bool is_local = i->func.id == own.id && i->kind != TP_V_GHOST;
    bool is_global =
        i->kind == TP_V_GLOBAL ? sh->is_asked[v] || written[v] : i->kind != TP_V_GHOST && named[v];
    const size_t before = at->columns.n;
    if (!is_global && !is_local) continue;
    bool is_dead = is_local && !tp_is_live(sh->live, at->loc, (tp_var){v});
    // what is not read any more may still be what relates the others: the counter of an earlier
    // loop
    if (is_dead && (i->kind == TP_V_TEMP || i->is_address || !sh->is_asked[v])) continue;
    add_variable(sh, at, (tp_var){v}, written, &cells);
    if (is_dead && at->columns.n > before) tp_vec_last(&at->columns).rank = 3;
  }
  for (uint32_t o = 1; o < p->statics.n; o++) {
    const tp_static *s = &p->statics.at[o];
    if (s->kind != TP_O_GLOBAL || s->is_const) continue;
    mine_heap_add_pointer(sh, at, tp_mk_ptr_const(p->terms, o, 0), s->type);
    add_cells(sh, at, tp_mk_ptr_const(p->terms, o, 0), s->type, &cells);
  }
  add_ends_of_callers(sh, at, own, written);
  tp_free(written);
  tp_free(named);
  if (at->columns.n) qsort(at->columns.at, at->columns.n, sizeof *at->columns.at, by_rank);
  if (at->columns.n > TP_BLOCKS_MINE_COLUMNS) at->columns.n = TP_BLOCKS_MINE_COLUMNS;
}

mine_cutpoint *mine_cutpoint_new(const mine_shared *sh, tp_loc loc) {
  mine_cutpoint *at = TP_NEW(mine_cutpoint);
  at->loc = loc;
  add_columns(sh, at);
  return at;
}
