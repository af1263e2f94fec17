/* Places, columns, rows: what is noted of a state. */
#include "engine/mine_priv.h"

#include "program/cells.h"

#include <stdlib.h>

enum { FIRST_VISITS = 32, SPARSER = 8, SHARE = 8, LEAST_ROWS = 8, MOST_CELLS = 12, ARRAY_CELLS = 4, MOST_ATOMS = 64, MOST_NUMBERS = 4096 };

static const tp_terms *terms(const mine_shared *sh) { return sh->p->terms; }
static bool is_comparison(const tp_terms *tt, tp_term t) {
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_ULT: case TP_OP_BV_ULE: case TP_OP_BV_SLT: case TP_OP_BV_SLE: return true;
    case TP_OP_EQ: return tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BV;
    default: return false;
  }
}

// ----------------------------------------------------------- the program's own

typedef void (*term_fn)(void *ctx, tp_term t);
/* All terms of an edge, arguments after the terms that use them, each once per `seen`. */
static void each_term(const tp_terms *tt, const tp_edge_info *e, tp_map *seen, term_fn see, void *ctx) {
  TP_VEC(tp_term) todo = {0};
  const tp_term roots[] = {e->a, e->b, e->c};
  for (uint32_t i = 0; i < 3 + e->n_args; i++) tp_vec_push(&todo, i < 3 ? roots[i] : e->args[i - 3]);
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
  if (is_comparison(tt, t)) tp_for_vars(tt, t, ask_var, sh);
  if (w < 1 || w > 64 || sh->numbers.n > MOST_NUMBERS) return;
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
  *sh = (mine_shared){.p = p, .live = tp_liveness_new(p), .is_asked = TP_NEW_ARRAY(bool, p->vars.n + 1)};
  tp_map seen = {0};
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!e->from.id) continue;
    each_term(p->terms, e, &seen, see_term, sh);
    if (e->kind == TP_E_ASSUME) tp_for_vars(p->terms, e->a, ask_var, sh);
  }
  for (size_t i = 1; i < p->vars.n; i++)
    if (tp_term_is(p->vars.at[i].initial)) see_term(sh, p->vars.at[i].initial);
  for (int64_t k = -1; k <= 1; k++) tp_vec_push(&sh->numbers, k);
  qsort(sh->numbers.at, sh->numbers.n, sizeof *sh->numbers.at, ascending);
  size_t n = 0;
  for (size_t i = 0; i < sh->numbers.n; i++)
    if (n == 0 || sh->numbers.at[n - 1] != sh->numbers.at[i]) sh->numbers.at[n++] = sh->numbers.at[i];
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

/* By variable: written between two visits of the place (its loop, or its function if it heads none; and what is called there). */
static bool *written_around(const tp_program *p, tp_loc loc) {
  bool *written = TP_NEW_ARRAY(bool, p->vars.n + 1), *in = TP_NEW_ARRAY(bool, p->funcs.n + 1), more = true;
  uint32_t loop = tp_loc_of(p, loc)->loop;
  while (loop && p->loops.at[loop].head.id != loc.id) loop = p->loops.at[loop].parent;
  const uint32_t own = tp_loc_of(p, loc)->func.id;
  while (more) {
    more = false;
    for (size_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      if (!e->from.id) continue;
      bool here = tp_loc_of(p, e->from)->func.id == own && (!loop || (mine_is_in_loop(p, e->from, loop) && mine_is_in_loop(p, e->to, loop)));
      if (!here && !in[tp_loc_of(p, e->from)->func.id]) continue;
      written[e->var.id] = true;
      if (e->kind != TP_E_CALL) continue;
      for (uint32_t f = e->callee.id ? e->callee.id : 1; f < p->funcs.n; f++) {      // through a pointer: any
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

static void add_cell(const mine_shared *sh, mine_place *at, tp_term ptr, const tp_type_info *i, uint32_t rank) {
  const uint64_t bits = 8 * i->size_bytes;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return;
  tp_term cell = tp_cell(sh->p, tp_sort_bv(sh->p->terms, (uint32_t)bits), ptr);
  tp_vec_push(&at->columns, (mine_column){.term = cell, .width = (uint32_t)bits, .is_signed = i->is_signed, .rank = rank});
}

/* Cells of an object: a number, the first ones of an array of numbers, the members of a struct. */
static void add_cells(const mine_shared *sh, mine_place *at, tp_term ptr, tp_type type, size_t *left) {
  if (!type.id) return;
  const tp_program *p = sh->p;
  const tp_type_info *i = tp_type_of(p, type);
  const bool is_array = i->kind == TP_T_ARRAY, is_struct = i->kind == TP_T_STRUCT;
  uint64_t n = is_array ? i->n_elements : is_struct ? i->n_members : 1;
  if (is_array && n > ARRAY_CELLS) n = ARRAY_CELLS;
  for (uint64_t k = 0; k < n && *left; k++) {
    tp_type inner = is_array ? i->element : is_struct ? i->members[k].type : type;
    if (!inner.id || (is_struct && (i->members[k].width_bits || i->members[k].offset_bits % 8))) continue;
    const tp_type_info *x = tp_type_of(p, inner);
    if (x->kind != TP_T_INT && x->kind != TP_T_ENUM) continue;
    uint64_t offset = is_array ? k * x->size_bytes : is_struct ? i->members[k].offset_bits / 8 : 0;
    tp_term where = tp_mk_ptr_add(p->terms, ptr, tp_mk_bv(p->terms, p->ptr_bits, offset));
    add_cell(sh, at, where, x, is_array || is_struct ? 2 : 1);
    --*left;
  }
}

static void add_variable(const mine_shared *sh, mine_place *at, tp_var v, const bool *written, size_t *cells_left) {
  const tp_var_info *i = tp_var_of(sh->p, v);
  const tp_sort sort = tp_sort_of(sh->p->terms, i->term);
  const tp_sort_kind kind = tp_sort_kind_of(sh->p->terms, sort);
  if (i->is_address) {
    add_cells(sh, at, i->term, i->type, cells_left);
    return;
  }
  mine_column c = {.term = i->term, .var = v, .is_signed = is_signed_type(sh->p, i->type), .is_bool = kind == TP_SORT_BOOL};
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

static void add_columns(const mine_shared *sh, mine_place *at) {
  const tp_program *p = sh->p;
  const tp_func own = tp_loc_of(p, at->loc)->func;
  bool *written = written_around(p, at->loc);
  size_t cells = MOST_CELLS;
  for (uint32_t v = 1; v < p->vars.n; v++) {
    const tp_var_info *i = &p->vars.at[v];
    bool is_local = i->func.id == own.id && i->kind != TP_V_GHOST;
    bool is_global = i->kind == TP_V_GLOBAL && (sh->is_asked[v] || written[v]);
    const size_t before = at->columns.n;
    if (!is_global && !is_local) continue;
    bool is_dead = is_local && !tp_is_live(sh->live, at->loc, (tp_var){v});
    // what is not read any more may still be what relates the others: the counter of an earlier loop
    if (is_dead && (i->kind == TP_V_TEMP || i->is_address || !sh->is_asked[v])) continue;
    add_variable(sh, at, (tp_var){v}, written, &cells);
    if (is_dead && at->columns.n > before) tp_vec_last(&at->columns).rank = 3;
  }
  for (uint32_t o = 1; o < p->statics.n; o++) {
    const tp_static *s = &p->statics.at[o];
    if (s->kind == TP_O_GLOBAL && !s->is_const) add_cells(sh, at, tp_mk_ptr_const(p->terms, o, 0), s->type, &cells);
  }
  tp_free(written);
  if (at->columns.n) qsort(at->columns.at, at->columns.n, sizeof *at->columns.at, by_rank);
  if (at->columns.n > MINE_COLUMNS) at->columns.n = MINE_COLUMNS;
}

mine_place *mine_place_new(const mine_shared *sh, tp_loc loc) {
  mine_place *at = TP_NEW(mine_place);
  at->loc = loc;
  add_columns(sh, at);
  return at;
}

void mine_place_free(mine_place *at) {
  if (!at) return;
  for (size_t c = 0; c < at->columns.n; c++) tp_free(at->columns.at[c].values);
  tp_vec_clear(&at->columns);
  tp_vec_clear(&at->raw);
  tp_vec_clear(&at->atoms);
  tp_map_clear(&at->seen);
  tp_free(at);
}

// ------------------------------------------------------------------------ rows

static uint64_t observe(mine_column *c, const tp_state *s) {
  tp_value v;
  const bool is_plain = c->var.id != 0;
  if ((is_plain ? tp_state_value(s, c->var, &v) : tp_state_eval(s, c->term, &v)) == TP_OK) return (uint64_t)v.bits & mine_mask(c->width);
  c->is_broken = true;
  return 0;
}

/* Every one at first, then ever more sparsely: late values matter, but a few of them tell as much as many. */
static bool is_due(mine_pace *k) {
  if (++k->n > FIRST_VISITS && k->n < k->next) return false;
  k->next = k->n + k->n / SPARSER + 1;
  return true;
}

void mine_start_run(mine_place *at) {
  at->visits = at->exits = (mine_pace){0};
  at->left = (MINE_ROWS - at->n_rows) / SHARE > LEAST_ROWS ? (MINE_ROWS - at->n_rows) / SHARE : LEAST_ROWS;
}

/* The states in which a loop is left have a pace of their own: they are the ones that guards are made for. */
void mine_note(mine_place *at, const tp_state *s, bool leaves) {
  const bool due = is_due(&at->visits), exit_due = leaves && is_due(&at->exits);
  if ((!due && !exit_due) || (!at->left && !exit_due) || at->n_rows >= MINE_ROWS || !at->columns.n) return;
  const size_t start = at->raw.n, n = at->columns.n;
  tp_vec_resize(&at->raw, start + n);
  for (size_t c = 0; c < n; c++) at->raw.at[start + c] = observe(&at->columns.at[c], s);
  uint64_t hash = tp_hash_bytes(at->raw.at + start, n * sizeof *at->raw.at, 1);
  if (tp_map_has(&at->seen, hash)) {                           // another row with this hash is lost, too: it is only a sample
    at->raw.n = start;
    return;
  }
  tp_map_set(&at->seen, hash, 1);
  at->n_rows++;
  if (at->left) at->left--;
}

// ---------------------------------------------------------- terms in a row

void mine_row_init(mine_row *r, const mine_shared *sh, const mine_place *at) {
  *r = (mine_row){.shared = sh, .at = at};
  for (size_t c = 0; c < at->columns.n; c++) tp_map_set(&r->column_of, at->columns.at[c].term.id, c + 1);
}
void mine_row_clear(mine_row *r) { tp_map_clear(&r->column_of); }

/* A pointer that is no column is an object of its own: enough to tell cells apart. */
static bool row_var(void *ctx, tp_term var, tp_value *out) {
  const mine_row *r = ctx;
  const tp_terms *tt = terms(r->shared);
  uint64_t c;
  if (tp_map_get(&r->column_of, var.id, &c)) {
    *out = (tp_value){.bits = r->at->columns.at[c - 1].values[r->row]};
    return true;
  }
  if (tp_sort_kind_of(tt, tp_sort_of(tt, var)) != TP_SORT_PTR) return false;
  *out = (tp_value){.object = UINT32_MAX - tp_var_index(tt, var)};
  for (size_t k = 0; k < r->at->n_observed; k++)
    if (r->at->columns.at[k].is_offset && tp_term_eq(tp_arg(tt, r->at->columns.at[k].term, 0), var))
      out->bits = r->at->columns.at[k].values[r->row];
  return true;
}
static uint64_t row_base(void *ctx, uint32_t object) {
  (void)ctx, (void)object;
  return 0;
}
static bool row_select(void *ctx, tp_term array, tp_value index, tp_value *out) {
  const mine_row *r = ctx;
  const tp_terms *tt = terms(r->shared);
  const tp_env env = {ctx, row_var, row_base, row_select};
  bool found = false;
  tp_arena arena;
  tp_arena_init(&arena);
  for (size_t c = 0; c < r->at->n_observed && !found; c++) {
    const mine_column *col = &r->at->columns.at[c];
    tp_value at;
    if (tp_kind(tt, col->term) != TP_OP_SELECT || !tp_term_eq(tp_arg(tt, col->term, 0), array)) continue;
    if (tp_eval(tt, tp_arg(tt, col->term, 1), &env, &arena, &at) != TP_OK) continue;
    found = at.object == index.object && at.bits == index.bits;
    if (found) *out = (tp_value){.bits = col->values[r->row]};
  }
  tp_arena_clear(&arena);
  return found;
}

bool mine_row_eval(const mine_row *r, tp_term t, tp_arena *arena, uint64_t *out) {
  mine_row here = *r;
  const tp_env env = {&here, row_var, row_base, row_select};
  tp_value v;
  if (tp_eval(terms(r->shared), t, &env, arena, &v) != TP_OK) return false;
  *out = (uint64_t)v.bits;
  return true;
}

typedef struct {
  const mine_row *row;
  bool knows;
} known_vars;
static void check_var(void *ctx, tp_term var) {
  known_vars *k = ctx;
  k->knows = k->knows && tp_map_has(&k->row->column_of, var.id);
}
bool mine_row_knows(const mine_row *r, tp_term t) {
  known_vars k = {r, true};
  tp_for_vars(terms(r->shared), t, check_var, &k);
  return k.knows;
}

// --------------------------------------------------------- derived columns

typedef struct {
  const mine_row *row;
  mine_place *at;
} atom_search;

static void see_atom(void *ctx, tp_term t) {
  atom_search *a = ctx;
  const tp_terms *tt = terms(a->row->shared);
  if (a->at->atoms.n < MOST_ATOMS && is_comparison(tt, t) && tp_width(tt, tp_arg(tt, t, 0)) <= 64 && mine_row_knows(a->row, t))
    tp_vec_push(&a->at->atoms, t);
}

/* Those of its own function first. */
static void find_atoms(const mine_row *row, mine_place *at) {
  const tp_program *p = row->shared->p;
  atom_search a = {row, at};
  tp_map seen = {0};
  for (int pass = 0; pass < 2 && at->atoms.n < MOST_ATOMS; pass++)
    for (size_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      if (!e->from.id) continue;
      bool own = tp_loc_of(p, e->from)->func.id == tp_loc_of(p, at->loc)->func.id;
      if (own == (pass == 0)) each_term(p->terms, e, &seen, see_atom, &a);
    }
  tp_map_clear(&seen);
}

static void add_derived(mine_row *row, mine_place *at, tp_term t, bool is_signed) {
  const tp_terms *tt = terms(row->shared);
  if (tp_is_const(tt, t) || tp_map_has(&row->column_of, t.id) || at->columns.n >= at->n_observed + MINE_DERIVED) return;
  tp_term_kind k = tp_kind(tt, t);
  if ((k == TP_OP_BV_ZEXT || k == TP_OP_BV_SEXT) && tp_map_has(&row->column_of, tp_arg(tt, t, 0).id)) return;
  mine_column c = {.term = t, .width = tp_width(tt, t), .is_signed = is_signed, .is_derived = true, .rank = 2};
  c.values = TP_NEW_ARRAY(uint64_t, at->n_rows + 1);
  tp_arena arena;
  tp_arena_init(&arena);
  bool all = true;
  for (row->row = 0; row->row < at->n_rows && all; row->row++) all = mine_row_eval(row, t, &arena, &c.values[row->row]);
  tp_arena_clear(&arena);
  if (!all) {
    tp_free(c.values);
    return;
  }
  tp_vec_push(&at->columns, c);
  tp_map_set(&row->column_of, t.id, at->columns.n);
}

static void mark_control(mine_row *row, mine_place *at, tp_term atom) {
  const tp_terms *tt = terms(row->shared);
  if (tp_kind(tt, atom) != TP_OP_EQ) return;
  for (uint32_t i = 0; i < 2; i++) {
    uint64_t c;
    tp_term side = tp_arg(tt, atom, i);
    if (tp_kind(tt, side) == TP_OP_BV_ZEXT || tp_kind(tt, side) == TP_OP_BV_SEXT) side = tp_arg(tt, side, 0);
    if (tp_is_const(tt, tp_arg(tt, atom, 1 - i)) && tp_map_get(&row->column_of, side.id, &c)) at->columns.at[c - 1].is_control = true;
  }
}

void mine_close(const mine_shared *sh, mine_place *at) {
  const size_t before = at->columns.n;
  size_t n = 0;
  for (size_t c = 0; c < before; c++) {
    if (at->columns.at[c].is_broken) continue;
    mine_column kept = at->columns.at[c];
    kept.values = TP_NEW_ARRAY(uint64_t, at->n_rows + 1);
    for (size_t r = 0; r < at->n_rows; r++) kept.values[r] = at->raw.at[r * before + c];
    kept.is_control = kept.is_bool;
    at->columns.at[n++] = kept;
  }
  at->columns.n = at->n_observed = n;
  tp_vec_clear(&at->raw);
  mine_row row;
  mine_row_init(&row, sh, at);
  find_atoms(&row, at);
  for (size_t i = 0; i < at->atoms.n; i++) {
    tp_term_kind k = tp_kind(sh->p->terms, at->atoms.at[i]);
    bool is_signed = k != TP_OP_BV_ULT && k != TP_OP_BV_ULE;
    mark_control(&row, at, at->atoms.at[i]);
    for (uint32_t a = 0; a < 2; a++) add_derived(&row, at, tp_arg(sh->p->terms, at->atoms.at[i], a), is_signed);
  }
  mine_row_clear(&row);
}
