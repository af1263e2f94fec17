/* Rows: which states are noted; terms evaluated in them; columns that are computed from others. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"

static const tp_terms *terms(const mine_shared *sh) { return sh->p->terms; }

// ------------------------------------------------------------------------ rows

/* Variables of callers are no variables of the running function: they are evaluated as terms. */
static uint64_t observe(mine_column *c, const tp_state *s) {
  tp_value v;
  if (c->var.id && tp_state_value(s, c->var, &v) == TP_OK)
    return c->is_object ? v.object : (uint64_t)v.bits & mine_mask(c->width);
  if (tp_state_eval(s, c->term, &v) == TP_OK) return (uint64_t)v.bits & mine_mask(c->width);
  c->is_broken = true;
  return 0;
}

/* Every one at first, then ever more sparsely: late values matter, but a few of them tell as much
 * as many. */
static bool is_due(mine_pace *k) {
  if (++k->n > TP_BLOCKS_MINE_FIRST_VISITS && k->n < k->next) return false;
  k->next = k->n + k->n / TP_BLOCKS_MINE_SPARSER + 1;
  return true;
}

void mine_start_run(mine_cutpoint *at) {
  at->visits = at->exits = (mine_pace){0};
  at->left = (TP_BLOCKS_MINE_ROWS - at->n_rows) / TP_BLOCKS_MINE_RUN_SHARE > TP_BLOCKS_MINE_RUN_ROWS
                 ? (TP_BLOCKS_MINE_ROWS - at->n_rows) / TP_BLOCKS_MINE_RUN_SHARE
                 : TP_BLOCKS_MINE_RUN_ROWS;
}

/* The states in which a loop is left have a pace of their own: they are the ones that guards are
 * made for. */
void mine_add_row(const mine_shared *sh, mine_cutpoint *at, const tp_state *s, bool leaves) {
  const bool due = is_due(&at->visits), exit_due = leaves && is_due(&at->exits);
  if ((!due && !exit_due) || (!at->left && !exit_due) || at->n_rows >= TP_BLOCKS_MINE_ROWS ||
      !at->columns.n)
    return;
  const size_t start = at->raw.n, n = at->columns.n;
  tp_vec_resize(&at->raw, start + n);
  for (size_t c = 0; c < n; c++) at->raw.at[start + c] = observe(&at->columns.at[c], s);
  uint64_t hash = tp_hash_bytes(at->raw.at + start, n * sizeof *at->raw.at, 1);
  if (tp_map_has(&at->seen,
                 hash)) {  // another row with this hash is lost, too: it is only a sample
    at->raw.n = start;
    return;
  }
  tp_map_set(&at->seen, hash, 1);
  mine_heap_add_row(sh, at, s);
  at->n_rows++;
  if (at->left) at->left--;
}

// ---------------------------------------------------------- terms in a row

void mine_row_init(mine_row *r, const mine_shared *sh, const mine_cutpoint *at) {
  *r = (mine_row){.shared = sh, .at = at};
  for (size_t c = 0; c < at->columns.n; c++)
    tp_map_set(&r->column_of, at->columns.at[c].term.id, c + 1);
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
  for (size_t k = 0; k < r->at->n_observed; k++) {
    const mine_column *col = &r->at->columns.at[k];
    if ((!col->is_offset && !col->is_object) || !tp_term_eq(tp_arg(tt, col->term, 0), var))
      continue;
    if (col->is_object)
      out->object = (uint32_t)col->values[r->row];
    else
      out->bits = col->values[r->row];
  }
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
    if (tp_kind(tt, col->term) != TP_OP_SELECT || !tp_term_eq(tp_arg(tt, col->term, 0), array))
      continue;
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
bool mine_row_can_eval(const mine_row *r, tp_term t) {
  known_vars k = {r, true};
  tp_for_vars(terms(r->shared), t, check_var, &k);
  return k.knows;
}

// --------------------------------------------------------- derived columns

typedef struct {
  const mine_row *row;
  mine_cutpoint *at;
} atom_search;

static void see_atom(void *ctx, tp_term t) {
  atom_search *a = ctx;
  const tp_terms *tt = terms(a->row->shared);
  if (a->at->atoms.n < TP_BLOCKS_MINE_ATOMS && tp_is_bv_comparison(tt, t) &&
      tp_width(tt, tp_arg(tt, t, 0)) <= 64 && mine_row_can_eval(a->row, t))
    tp_vec_push(&a->at->atoms, t);
}

/* Those of its own function first. */
static void find_atoms(const mine_row *row, mine_cutpoint *at) {
  const tp_program *p = row->shared->p;
  atom_search a = {row, at};
  tp_map seen = {0};
  for (int pass = 0; pass < 2 && at->atoms.n < TP_BLOCKS_MINE_ATOMS; pass++)
    for (size_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      if (!e->from.id) continue;
      bool own = tp_loc_of(p, e->from)->func.id == tp_loc_of(p, at->loc)->func.id;
      if (own == (pass == 0)) mine_each_term(p->terms, e, &seen, see_atom, &a);
    }
  tp_map_clear(&seen);
}

static void add_derived(mine_row *row, mine_cutpoint *at, tp_term t, bool is_signed) {
  const tp_terms *tt = terms(row->shared);
  if (tp_is_const(tt, t) || tp_map_has(&row->column_of, t.id) ||
      at->columns.n >= at->n_observed + TP_BLOCKS_MINE_DERIVED)
    return;
  tp_term_kind k = tp_kind(tt, t);
  if ((k == TP_OP_BV_ZEXT || k == TP_OP_BV_SEXT) &&
      tp_map_has(&row->column_of, tp_arg(tt, t, 0).id))
    return;
  mine_column c = {
      .term = t, .width = tp_width(tt, t), .is_signed = is_signed, .is_derived = true, .rank = 2};
  c.values = TP_NEW_ARRAY(uint64_t, at->n_rows + 1);
  tp_arena arena;
  tp_arena_init(&arena);
  bool all = true;
  for (row->row = 0; row->row < at->n_rows && all; row->row++)
    all = mine_row_eval(row, t, &arena, &c.values[row->row]);
  tp_arena_clear(&arena);
  if (!all) {
    tp_free(c.values);
    return;
  }
  tp_vec_push(&at->columns, c);
  tp_map_set(&row->column_of, t.id, at->columns.n);
}

static void mark_control(mine_row *row, mine_cutpoint *at, tp_term atom) {
  const tp_terms *tt = terms(row->shared);
  if (tp_kind(tt, atom) != TP_OP_EQ) return;
  for (uint32_t i = 0; i < 2; i++) {
    uint64_t c;
    tp_term side = tp_arg(tt, atom, i);
    if (tp_kind(tt, side) == TP_OP_BV_ZEXT || tp_kind(tt, side) == TP_OP_BV_SEXT)
      side = tp_arg(tt, side, 0);
    if (tp_is_const(tt, tp_arg(tt, atom, 1 - i)) && tp_map_get(&row->column_of, side.id, &c))
      at->columns.at[c - 1].is_control = true;
  }
}

void mine_finish(const mine_shared *sh, mine_cutpoint *at) {
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
    const tp_order order = tp_kind_order(tp_kind(sh->p->terms, at->atoms.at[i]));
    const bool is_signed = order.is_signed || !order.is_order;
    mark_control(&row, at, at->atoms.at[i]);
    for (uint32_t a = 0; a < 2; a++)
      add_derived(&row, at, tp_arg(sh->p->terms, at->atoms.at[i], a), is_signed);
  }
  mine_row_clear(&row);
}

void mine_cutpoint_free(mine_cutpoint *at) {
  if (!at) return;
  for (size_t c = 0; c < at->columns.n; c++) tp_free(at->columns.at[c].values);
  tp_vec_clear(&at->columns);
  tp_vec_clear(&at->raw);
  tp_vec_clear(&at->atoms);
  tp_map_clear(&at->seen);
  mine_heap_clear(at);
  tp_free(at);
}
