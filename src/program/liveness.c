/* Liveness as sets of bits: each function numbers its variables, each of its locations has one row.
 *
 *   live(from) = union over edges (from, op, to) of reads(op) + (live(to) - writes(op))
 *
 * Rows grow only, so the worklist ends. */
#include "program/liveness.h"

typedef struct {
  bool is_known;
  uint32_t words;  // per row
  uint64_t *rows;  // n locations of the function times words
  uint32_t n_locs;
  tp_loc *locs;
} func_rows;

struct tp_liveness {
  const tp_program *p;
  tp_arena arena;
  func_rows *funcs;  // by function
  uint32_t *number;  // by variable: within its function
  uint32_t *n_vars;  // by function
  uint32_t *row;     // by location: within its function
  uint32_t *n_locs;  // by function
};

tp_liveness *tp_liveness_new(const tp_program *p) {
  tp_liveness *l = TP_NEW(tp_liveness);
  l->p = p;
  tp_arena_init(&l->arena);
  l->funcs = tp_arena_array(&l->arena, func_rows, p->funcs.n);
  l->n_vars = tp_arena_array(&l->arena, uint32_t, p->funcs.n);
  l->n_locs = tp_arena_array(&l->arena, uint32_t, p->funcs.n);
  l->number = tp_arena_array(&l->arena, uint32_t, p->vars.n);
  l->row = tp_arena_array(&l->arena, uint32_t, p->locs.n);
  for (size_t v = 1; v < p->vars.n; v++)
    if (p->vars.at[v].func.id) l->number[v] = l->n_vars[p->vars.at[v].func.id]++;
  for (size_t i = 1; i < p->locs.n; i++)
    if (p->locs.at[i].func.id) l->row[i] = l->n_locs[p->locs.at[i].func.id]++;
  return l;
}

void tp_liveness_free(tp_liveness *l) {
  if (!l) return;
  tp_arena_clear(&l->arena);
  tp_free(l);
}

// ------------------------------------------------------------------- equations

typedef struct {
  const tp_liveness *l;
  tp_func func;
  uint64_t *row;
} adding;

static void add_read(void *ctx, tp_term symbol) {
  adding *a = ctx;
  tp_var v = tp_program_var_of(a->l->p, symbol);
  if (!v.id || tp_var_of(a->l->p, v)->func.id != a->func.id) return;
  uint32_t k = a->l->number[v.id];
  TP_INVARIANT(k < a->l->n_vars[a->func.id]);
  a->row[k / 64] |= 1ull << (k % 64);
}

static void add_reads(adding *a, tp_term t) {
  if (tp_term_is(t)) tp_for_vars(a->l->p->terms, t, add_read, a);
}

static void add_edge_reads(adding *a, const tp_edge_info *e) {
  add_reads(a, e->a);
  add_reads(a, e->b);
  add_reads(a, e->c);
  for (uint32_t i = 0; i < e->n_args; i++) add_reads(a, e->args[i]);
}

static uint64_t *row_of(const tp_liveness *l, const func_rows *f, tp_loc at) {
  TP_REQUIRE(f->is_known && l->row[at.id] < f->n_locs);
  return f->rows + (size_t)l->row[at.id] * f->words;
}

/* The row of the function's exit: its result is live. */
static void start(tp_liveness *l, tp_func func, func_rows *f) {
  const tp_func_info *info = tp_func_of(l->p, func);
  f->is_known = true;
  f->n_locs = l->n_locs[func.id];
  f->words = (l->n_vars[func.id] + 63) / 64;
  f->rows = tp_arena_array(&l->arena, uint64_t, (size_t)f->n_locs * f->words + 1);
  f->locs = tp_arena_array(&l->arena, tp_loc, f->n_locs + 1);
  for (size_t i = 1; i < l->p->locs.n; i++)
    if (l->p->locs.at[i].func.id == func.id) f->locs[l->row[i]] = (tp_loc){(uint32_t)i};
  if (info->exit.id && info->result.id) {
    adding a = {l, func, row_of(l, f, info->exit)};
    add_read(&a, tp_var_of(l->p, info->result)->term);
  }
}

/* RETURN writes the function's result. */
static tp_var written(const tp_program *p, const tp_edge_info *e, tp_func func) {
  return e->kind == TP_E_RETURN ? tp_func_of(p, func)->result : e->var;
}

/* One round over all edges, latest locations first; true if a row grew. */
static bool improve(tp_liveness *l, tp_func func, func_rows *f, uint64_t *scratch) {
  bool grew = false;
  for (uint32_t i = f->n_locs; i > 0; i--) {
    tp_loc at = f->locs[i - 1];
    uint64_t *row = row_of(l, f, at);
    tp_edge_list out = tp_out_edges(l->p, at);
    for (uint32_t k = 0; k < out.n; k++) {
      const tp_edge_info *e = tp_edge_of(l->p, (tp_edge){out.at[k]});
      memcpy(scratch, row_of(l, f, e->to), f->words * sizeof *scratch);
      tp_var w = written(l->p, e, func);
      if (w.id && tp_var_of(l->p, w)->func.id == func.id)
        scratch[l->number[w.id] / 64] &= ~(1ull << (l->number[w.id] % 64));
      adding a = {l, func, scratch};
      add_edge_reads(&a, e);
      for (uint32_t j = 0; j < f->words; j++) {
        grew |= (scratch[j] & ~row[j]) != 0;
        row[j] |= scratch[j];
      }
    }
  }
  return grew;
}

static func_rows *rows_of(tp_liveness *l, tp_func func) {
  TP_REQUIRE(func.id && func.id < l->p->funcs.n);
  func_rows *f = &l->funcs[func.id];
  if (f->is_known) return f;
  start(l, func, f);
  uint64_t *scratch = tp_arena_array(&l->arena, uint64_t, f->words + 1);
  if (f->words)
    while (improve(l, func, f, scratch)) {
    }
  return f;
}

// --------------------------------------------------------------------- queries

static bool is_in(tp_liveness *l, tp_loc at, tp_var v) {
  const func_rows *f = rows_of(l, tp_loc_of(l->p, at)->func);
  uint32_t k = l->number[v.id];
  return row_of(l, f, at)[k / 64] >> (k % 64) & 1;
}

bool tp_is_live(tp_liveness *l, tp_loc at, tp_var v) {
  TP_REQUIRE(v.id && v.id < l->p->vars.n && at.id && at.id < l->p->locs.n);
  tp_func f = tp_var_of(l->p, v)->func;
  return !f.id || f.id != tp_loc_of(l->p, at)->func.id || is_in(l, at, v);
}

bool tp_is_live_across(tp_liveness *l, tp_edge call, tp_var v) {
  TP_REQUIRE(call.id && call.id < l->p->edges.n);
  const tp_edge_info *e = tp_edge_of(l->p, call);
  return tp_is_live(l, e->to, v) && !(e->var.id == v.id && tp_var_of(l->p, v)->func.id);
}
