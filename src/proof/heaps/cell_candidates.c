/* Candidates come from loads and stores of members, and from conditions on what was loaded or is
 * stored: a condition, and its contrary, are statements about the cell. */
#include "proof/heaps/cell_facts.h"

#include "proof/proof_limits.h"

typedef struct {
  tp_cell_facts *c;
  const tp_program *p;
  tp_terms *tt;
  uint32_t *value_of;  // by variable: 1 + the value that was loaded into it, or is stored from it
} finder;

static bool is_of_numbers(const tp_terms *tt, tp_sort sort) {
  const tp_sort_kind k = tp_sort_kind_of(tt, sort);
  return k == TP_SORT_BV || k == TP_SORT_BOOL;
}

static bool is_number(const tp_terms *tt, tp_term t) {
  return is_of_numbers(tt, tp_sort_of(tt, t));
}

/* The member at the address: 1 + its number; 0: the address is none of a cell's number. */
static uint32_t value_at(finder *f, tp_term address, tp_sort sort) {
  tp_terms *tt = f->tt;
  uint64_t offset = 0;
  if (tp_kind(tt, address) == TP_OP_PTR_ADD) {
    if (!tp_bv_value_u64(tt, tp_arg(tt, address, 1), &offset)) return 0;
    address = tp_arg(tt, address, 0);
  }
  const tp_var v =
      tp_kind(tt, address) == TP_OP_VAR ? tp_program_var_of(f->p, address) : TP_VAR_NONE;
  const tp_type type = v.id ? tp_var_of(f->p, v)->type : TP_TYPE_NONE;
  if (!type.id || tp_type_of(f->p, type)->kind != TP_T_POINTER) return 0;
  const tp_type to = tp_type_of(f->p, type)->element;
  const uint32_t kind = to.id ? tp_symheap_kind_of_type(f->c->x->kinds, f->p, to) : 0;
  if (!kind || !tp_symheap_n_ways(f->c->x->kinds, kind) || !is_of_numbers(tt, sort)) return 0;
  offset += f->c->x->kinds->at[kind].start;
  for (uint32_t i = 0; i < f->c->values.n; i++) {
    const tp_cell_value *at = &f->c->values.at[i];
    if (at->kind == kind && at->offset == offset)
      return tp_sort_eq(tp_sort_of(tt, at->symbol), sort) ? i + 1 : 0;
  }
  tp_vec_push(&f->c->values, ((tp_cell_value){kind, offset, tp_mk_var(tt, "value", sort),
                                              tp_mk_var(tt, "next", sort)}));
  return (uint32_t)f->c->values.n;
}

static void add(finder *f, uint32_t kind, tp_term t) {
  while (f->c->of_kind.n <= kind) tp_vec_push(&f->c->of_kind, (tp_term_list){0});
  tp_term_list *all = &f->c->of_kind.at[kind];
  if (tp_is_const(f->tt, t)) return;
  for (size_t i = 0; i < all->n; i++)
    if (tp_term_eq(all->at[i], t)) return;
  if (all->n < TP_PROOF_HEAPS_FACTS) tp_vec_push(all, t);
}

static void add_orders(finder *f, uint32_t kind, tp_term symbol, tp_term constant) {
  tp_terms *tt = f->tt;
  add(f, kind, tp_mk_eq(tt, symbol, constant));
  if (tp_sort_kind_of(tt, tp_sort_of(tt, symbol)) != TP_SORT_BV) return;
  add(f, kind, tp_mk2(tt, TP_OP_BV_SLE, symbol, constant));
  add(f, kind, tp_mk2(tt, TP_OP_BV_SLE, constant, symbol));
}

/* The member that a load reads, or a store writes: 1 + its number; 0: another edge. */
static uint32_t value_of_access(finder *f, const tp_edge_info *e) {
  if (e->kind == TP_E_LOAD)
    return value_at(f, e->a, tp_sort_of(f->tt, tp_var_of(f->p, e->var)->term));
  return e->kind == TP_E_STORE && is_number(f->tt, e->b)
             ? value_at(f, e->a, tp_sort_of(f->tt, e->b))
             : 0;
}

/* Loads say which temporary holds which member, stores from which variable it is filled. */
static void note_value(finder *f, const tp_edge_info *e) {
  const uint32_t value = value_of_access(f, e);
  if (value && e->kind == TP_E_LOAD && tp_var_of(f->p, e->var)->kind == TP_V_TEMP)
    f->value_of[e->var.id] = value;
  if (!value || e->kind != TP_E_STORE || tp_kind(f->tt, e->b) != TP_OP_VAR) return;
  const tp_var v = tp_program_var_of(f->p, e->b);
  if (v.id && !f->value_of[v.id]) f->value_of[v.id] = value;
}

/* May statements about cells name the variable? There is one of it at most. */
static bool is_lasting(const finder *f, tp_var v) {
  const tp_var_info *info = tp_var_of(f->p, v);
  if (!is_number(f->tt, info->term) || info->is_address) return false;
  return info->kind == TP_V_GLOBAL || ((info->kind == TP_V_LOCAL || info->kind == TP_V_PARAM) &&
                                       !tp_func_of(f->p, info->func)->is_recursive);
}

/* What the variables of a condition stand for: values of cells, if they are loaded or stored;
 * themselves; or values of cells, but where they are stored themselves. */
typedef enum { AS_CELLS, AS_VARIABLES, AS_CELLS_BESIDE_VARIABLES, N_READINGS } reading_mode;
typedef struct {
  finder *f;
  reading_mode mode;
  uint32_t kind;
  bool is_odd;  // it names what statements cannot
} reading;

static tp_term read_variable(void *ctx, tp_term symbol) {
  reading *r = ctx;
  const tp_var v = tp_program_var_of(r->f->p, symbol);
  const bool is_itself = r->mode == AS_VARIABLES || (r->mode == AS_CELLS_BESIDE_VARIABLES && v.id &&
                                                     tp_var_of(r->f->p, v)->kind != TP_V_TEMP);
  const uint32_t value = v.id && !is_itself ? r->f->value_of[v.id] : 0;
  if (value) {
    const tp_cell_value *at = &r->f->c->values.at[value - 1];
    r->is_odd |= r->kind && r->kind != at->kind;
    r->kind = at->kind;
    return at->symbol;
  }
  r->is_odd |= !v.id || !is_lasting(r->f, v);
  return TP_TERM_NONE;
}

typedef struct {
  tp_term constant, symbol;
  size_t n_symbols;
} comparison;

static bool is_compared(void *ctx, const tp_terms *tt, tp_term t) {
  comparison *x = ctx;
  if (tp_kind(tt, t) == TP_OP_VAR) {
    x->n_symbols++;
    x->symbol = t;
  } else if (tp_is_const(tt, t) && tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV) {
    x->constant = t;
  }
  return false;
}

static bool is_equation(const tp_terms *tt, tp_term t) {
  if (tp_kind(tt, t) == TP_OP_NOT) t = tp_arg(tt, t, 0);
  return tp_kind(tt, t) == TP_OP_EQ || tp_kind(tt, t) == TP_OP_VAR;
}

/* A condition of the program, as a statement about a cell or, as what is stored in cells is held by
 * variables before, about variables; the orders that its constant suggests. */
static void see_condition(finder *f, tp_term condition, reading_mode mode, bool equations) {
  reading r = {.f = f, .mode = mode};
  const tp_term t = tp_subst(f->tt, condition, read_variable, &r, NULL);
  if (r.is_odd || tp_is_const(f->tt, t) || (equations && !is_equation(f->tt, t))) return;
  add(f, r.kind, t);
  add(f, r.kind, tp_mk_not(f->tt, t));
  if (equations) return;
  comparison x = {0};
  (void)tp_any_subterm(f->tt, t, is_compared, &x);
  if (x.n_symbols == 1 && tp_term_is(x.constant) &&
      tp_sort_eq(tp_sort_of(f->tt, x.symbol), tp_sort_of(f->tt, x.constant)))
    add_orders(f, r.kind, x.symbol, x.constant);
}

/* Relations of the member of a cell, and of the next one: once for each. */
static void add_relations(tp_cell_facts *c, const tp_cell_value *value, bool is_signed) {
  tp_terms *tt = c->x->tt;
  const tp_term_kind most = is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE,
                     less = is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT;
  const tp_term a = value->symbol, b = value->next;
  const tp_term relations[] = {tp_mk2(tt, most, a, b), tp_mk2(tt, most, b, a),
                               tp_mk2(tt, less, a, b), tp_mk2(tt, less, b, a)};
  for (size_t i = 0; i < c->orders.n; i++)
    if (tp_term_eq(c->orders.at[i].relation, relations[0])) return;
  for (size_t i = 0; i < 4 && c->orders.n < TP_PROOF_HEAPS_ORDERS; i++)
    tp_vec_push(&c->orders, ((tp_cell_order){value->kind, value->offset, relations[i]}));
}

/* A member that is compared with what is no constant may be in order along its structure. */
static bool see_order(void *ctx, const tp_terms *tt, tp_term t) {
  finder *f = ctx;
  const tp_term_kind k = tp_kind(tt, t);
  const bool is_signed = k == TP_OP_BV_SLE || k == TP_OP_BV_SLT;
  if (!is_signed && k != TP_OP_BV_ULE && k != TP_OP_BV_ULT) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const tp_term a = tp_arg(tt, t, i);
    const tp_var v = tp_kind(tt, a) == TP_OP_VAR ? tp_program_var_of(f->p, a) : TP_VAR_NONE;
    if (v.id && f->value_of[v.id] && !tp_is_const(tt, tp_arg(tt, t, 1 - i)))
      add_relations(f->c, &f->c->values.at[f->value_of[v.id] - 1], is_signed);
  }
  return false;
}

/* Constants that are written suggest orders; a variable that is written is what the cell holds. */
static void see_written(finder *f, const tp_edge_info *e) {
  const uint32_t value = value_of_access(f, e);
  const tp_var v = value && e->kind == TP_E_STORE && tp_kind(f->tt, e->b) == TP_OP_VAR
                       ? tp_program_var_of(f->p, e->b)
                       : TP_VAR_NONE;
  if (v.id && is_lasting(f, v))
    add(f, f->c->values.at[value - 1].kind,
        tp_mk_eq(f->tt, f->c->values.at[value - 1].symbol, e->b));
  if (value && e->kind == TP_E_STORE && tp_is_const(f->tt, e->b))
    add_orders(f, f->c->values.at[value - 1].kind, f->c->values.at[value - 1].symbol, e->b);
  if (e->kind == TP_E_ASSIGN && tp_is_const(f->tt, e->a) && is_lasting(f, e->var))
    add_orders(f, 0, tp_var_of(f->p, e->var)->term, e->a);
}

typedef struct {
  const finder *f;
  tp_term first;
  bool of_cell, is_shared;
} naming;

static void note_symbol(void *ctx, tp_term symbol) {
  naming *n = ctx;
  if (!tp_term_is(n->first)) n->first = symbol;
}

/* A variable that is stored in cells says of them what their values say. */
static void compare_symbol(void *ctx, tp_term symbol) {
  naming *n = ctx;
  const tp_var v = tp_program_var_of(n->f->p, symbol);
  n->is_shared |= tp_term_eq(symbol, n->first) || (n->of_cell && v.id && n->f->value_of[v.id]);
}

/* Do the two speak of different things? of_cell: the first one of a cell. */
static bool are_apart(const finder *f, tp_term a, tp_term b, bool of_cell) {
  naming n = {.f = f, .of_cell = of_cell};
  tp_for_vars(f->tt, a, note_symbol, &n);
  tp_for_vars(f->tt, b, compare_symbol, &n);
  return !n.is_shared;
}

/* One of two holds: such as a flag, and what it says. n, m: how many of both. */
static void add_alternatives(finder *f, uint32_t kind, uint32_t other, size_t n, size_t m) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = kind == other ? i + 1 : 0; k < m; k++) {
      const tp_term a = f->c->of_kind.at[kind].at[i], b = f->c->of_kind.at[other].at[k];
      if (are_apart(f, a, b, kind != 0)) add(f, kind, tp_mk_or(f->tt, a, b));
    }
}

static void add_all_alternatives(finder *f) {
  const size_t n_variables = f->c->of_kind.n ? f->c->of_kind.at[0].n : 0;
  for (uint32_t k = 1; k < f->c->of_kind.n; k++) {
    const size_t n = f->c->of_kind.at[k].n;
    add_alternatives(f, k, k, n, n);
    add_alternatives(f, k, 0, n, n_variables);
  }
  if (n_variables) add_alternatives(f, 0, 0, n_variables, n_variables);
}

/* Of two of which one holds: which of both are candidates by themselves? */
static void note_stronger(finder *f) {
  for (uint32_t kind = 0; kind < f->c->of_kind.n; kind++) {
    const tp_term_list *all = &f->c->of_kind.at[kind];
    tp_cell_masks of = {0};
    for (size_t i = 0; i < all->n; i++) {
      tp_cell_mask mask = 0;
      for (size_t k = 0; k < all->n && tp_kind(f->tt, all->at[i]) == TP_OP_OR; k++)
        for (uint32_t a = 0; a < tp_n_args(f->tt, all->at[i]); a++)
          if (tp_term_eq(tp_arg(f->tt, all->at[i], a), all->at[k])) mask |= (tp_cell_mask)1 << k;
      tp_vec_push(&of, mask);
    }
    tp_vec_push(&f->c->stronger, of);
  }
}

static void note_variable(void *ctx, tp_term symbol) {
  naming *n = ctx;
  n->is_shared |= tp_program_var_of(n->f->p, symbol).id != 0;
}

static void note_those_of_variables(finder *f) {
  for (uint32_t kind = 0; kind < f->c->of_kind.n; kind++) {
    tp_cell_mask mask = 0;
    for (size_t i = 0; i < f->c->of_kind.at[kind].n; i++) {
      naming n = {.f = f};
      tp_for_vars(f->tt, f->c->of_kind.at[kind].at[i], note_variable, &n);
      if (n.is_shared) mask |= (tp_cell_mask)1 << i;
    }
    tp_vec_push(&f->c->of_variables, mask);
  }
}

static void track(void *ctx, tp_term symbol) {
  const finder *f = ctx;
  const tp_var v = tp_program_var_of(f->p, symbol);
  if (v.id) f->c->is_tracked[v.id] = true;
}

/* The condition that the edge assumes, or whose answer it keeps; NONE: it has none. */
static tp_term condition_of(const finder *f, const tp_edge_info *e) {
  const bool is_kept = e->kind == TP_E_ASSIGN && tp_var_of(f->p, e->var)->kind == TP_V_TEMP &&
                       tp_sort_kind_of(f->tt, tp_sort_of(f->tt, e->a)) == TP_SORT_BOOL;
  return e->from.id && (e->kind == TP_E_ASSUME || is_kept) ? e->a : TP_TERM_NONE;
}

/* Equations that the program asks about, and that one of two holds, come first. */
static void find_candidates(finder *f) {
  for (uint32_t i = 1; i < f->p->edges.n; i++)
    if (f->p->edges.at[i].from.id) note_value(f, &f->p->edges.at[i]);
  for (uint32_t i = 1; i < f->p->edges.n; i++) {
    const tp_term condition = condition_of(f, &f->p->edges.at[i]);
    for (int mode = 0; tp_term_is(condition) && mode < N_READINGS; mode++)
      see_condition(f, condition, (reading_mode)mode, true);
  }
  add_all_alternatives(f);
  for (uint32_t i = 1; i < f->p->edges.n; i++) {
    const tp_edge_info *e = &f->p->edges.at[i];
    if (!e->from.id) continue;
    const tp_term condition = condition_of(f, e);
    if (tp_term_is(condition)) (void)tp_any_subterm(f->tt, condition, see_order, f);
    for (int mode = 0; tp_term_is(condition) && mode < N_READINGS; mode++)
      see_condition(f, condition, (reading_mode)mode, false);
    see_written(f, e);
  }
  note_stronger(f);
  note_those_of_variables(f);
  for (size_t k = 0; k < f->c->of_kind.n; k++)
    for (size_t i = 0; i < f->c->of_kind.at[k].n; i++)
      tp_for_vars(f->tt, f->c->of_kind.at[k].at[i], track, f);
}

void tp_cell_facts_find(tp_cell_facts *c) {
  TP_REQUIRE(c && c->of_kind.n == 0);
  finder f = {c, c->x->p, c->x->tt, TP_NEW_ARRAY(uint32_t, c->x->p->vars.n)};
  find_candidates(&f);
  tp_free(f.value_of);
}
