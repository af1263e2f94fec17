/* A sequence of blocks, composed: literals, and values at cuts in terms of the start.
 *
 * Composition is substitution, so that everything that a block merely computes disappears in terms
 * in normal form; measured, that decides more than the choice of a solver. Only symbols that some
 * later condition looks at are followed. Inputs are renamed block by block. */
#include "formula/interpolants_priv.h"
#include "formula/formula_limits.h"
#include "formula/path_priv.h"

// -------------------------------------------------------------------- symbols

bool tp_itp_is_inexpressible(void *paths, tp_term var) {
  const tp_paths *x = paths;
  tp_sort sort;
  return tp_program_var_of(x->p, var).id == 0 && !tp_is_memory(x->p, var, &sort);
}

/* Has var a value at each cut, other than inputs? */
static bool is_symbol(const tp_paths *x, tp_term var) {
  tp_sort sort;
  return tp_program_var_of(x->p, var).id != 0 || tp_is_memory(x->p, var, &sort) ||
         tp_term_eq(var, x->next);
}

typedef struct {
  const tp_paths *x;
  tp_map seen;
  tp_term_list *out;
} collector;

static void collect_symbol(void *ctx, tp_term var) {
  collector *c = ctx;
  if (!is_symbol(c->x, var) || tp_map_has(&c->seen, var.id)) return;
  tp_map_set(&c->seen, var.id, 1);
  tp_vec_push(c->out, var);
}

static void find_symbols(tp_itp *s) {
  for (size_t i = s->n; i-- > 0;) {
    collector c = {.x = s->x, .out = &s->symbols[i]};
    for (size_t j = s->first[i]; j < s->first[i + 1]; j++)
      tp_for_vars(s->tt, s->literals.at[j].own, collect_symbol, &c);
    for (size_t j = 0; j < s->symbols[i + 1].n; j++)
      tp_for_vars(s->tt, tp_path_after(s->x, &s->blocks[i], s->symbols[i + 1].at[j]),
                  collect_symbol, &c);
    tp_map_clear(&c.seen);
  }
}

// ------------------------------------------------------------------- literals

static void add_literals(tp_itp *s, tp_term t, bool is_known) {
  tp_term_list parts = {0};
  tp_conjuncts(s->tt, t, &parts);
  for (size_t i = 0; i < parts.n; i++)
    tp_vec_push(&s->literals,
                (tp_itp_literal){.own = parts.at[i], .needed = true, .is_known = is_known});
  tp_vec_clear(&parts);
}

static void find_literals(tp_itp *s) {
  for (size_t i = 0; i < s->n; i++) {
    s->first[i] = s->literals.n;
    if (s->invariants) add_literals(s, s->invariants[i], true);
    add_literals(s, tp_path_condition(s->x, &s->blocks[i]), false);
    if (i + 1 == s->n && s->invariants)
      add_literals(s, tp_path_after(s->x, &s->blocks[i], s->invariants[s->n]), false);
  }
  s->first[s->n] = s->literals.n;
}

// ---------------------------------------------------------------- composition

typedef struct {
  tp_itp *s;
  size_t cut;
  tp_map *renamed;  // inputs of the block behind the cut; NULL: they stay
} composer;

static tp_term value_at_cut(void *ctx, tp_term var) {
  composer *c = ctx;
  uint64_t value;
  if (tp_map_get(&c->s->env[c->cut], var.id, &value)) return (tp_term){(uint32_t)value};
  if (c->cut > 0 && is_symbol(c->s->x, var)) {  // nobody looks at it: anything
    tp_term any = tp_mk_var(c->s->tt, tp_var_name(c->s->tt, var), tp_sort_of(c->s->tt, var));
    tp_map_set(&c->s->env[c->cut], var.id, any.id);
    return any;
  }
  if (!c->renamed || is_symbol(c->s->x, var) || !tp_paths_is_input(c->s->x, var))
    return TP_TERM_NONE;
  if (tp_map_get(c->renamed, var.id, &value)) return (tp_term){(uint32_t)value};
  tp_term fresh = tp_mk_var(c->s->tt, tp_var_name(c->s->tt, var), tp_sort_of(c->s->tt, var));
  tp_map_set(c->renamed, var.id, fresh.id);
  return fresh;
}

tp_term tp_itp_at_cut(tp_itp *s, size_t cut, tp_term t) {
  TP_REQUIRE(cut <= s->n);
  composer c = {s, cut, NULL};
  return tp_paths_fold_statics(s->x, tp_subst(s->tt, t, value_at_cut, &c, NULL));
}

static void compose(tp_itp *s) {
  tp_map renamed = {0}, memo = {0};
  for (size_t i = 0; i < s->n; i++) {
    composer c = {s, i, &renamed};
    for (size_t j = s->first[i]; j < s->first[i + 1]; j++)
      s->literals.at[j].whole = tp_paths_fold_statics(
          s->x, tp_subst(s->tt, s->literals.at[j].own, value_at_cut, &c, &memo));
    for (size_t j = 0; j < s->symbols[i + 1].n; j++) {
      tp_term v = s->symbols[i + 1].at[j], after = tp_path_after(s->x, &s->blocks[i], v);
      tp_map_set(&s->env[i + 1], v.id,
                 tp_paths_fold_statics(s->x, tp_subst(s->tt, after, value_at_cut, &c, &memo)).id);
    }
    tp_map_clear(&renamed);
    tp_map_clear(&memo);
  }
}

void tp_itp_open(tp_itp *s, tp_paths *x, const tp_path *blocks, size_t n, const tp_term *invariants,
                 tp_itp_options o) {
  *s = (tp_itp){.x = x, .tt = x->tt, .blocks = blocks, .n = n, .invariants = invariants, .o = o};
  if (!s->o.rlimit) s->o.rlimit = TP_FORMULA_CHAIN_RLIMIT;
  s->deadline = o.cpu_s > 0 ? tp_cpu_s() + o.cpu_s : 0;
  s->first = TP_NEW_ARRAY(size_t, n + 1);
  s->env = TP_NEW_ARRAY(tp_map, n + 1);
  s->symbols = TP_NEW_ARRAY(tp_term_list, n + 1);
  find_literals(s);
  find_symbols(s);
  compose(s);
}

void tp_itp_close(tp_itp *s) {
  for (size_t i = 0; i <= s->n; i++) {
    tp_map_clear(&s->env[i]);
    tp_vec_clear(&s->symbols[i]);
  }
  tp_free(s->first);
  tp_free(s->env);
  tp_free(s->symbols);
  tp_vec_clear(&s->literals);
}

// ------------------------------------------------------------------- questions

bool tp_itp_late(const tp_itp *s) { return s->deadline > 0 && tp_cpu_s() > s->deadline; }

tp_smt_answer tp_itp_query(tp_itp *s, tp_term t, uint64_t rlimit) {
  TP_REQUIRE(tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) == TP_SORT_BOOL);
  if (tp_is_false(s->tt, t)) return TP_SMT_UNSAT;
  if (tp_itp_late(s)) return TP_SMT_UNKNOWN;
  double left = s->deadline > 0 ? s->deadline - tp_cpu_s() : 0;
  tp_smt *smt =
      tp_smt_new(s->tt, (tp_smt_options){.backend = s->o.backend,
                                         .rlimit = rlimit ? rlimit : s->o.rlimit,
                                         .cpu_s = s->deadline > 0 && left < 0.01 ? 0.01 : left,
                                         .stats = s->o.stats});
  tp_smt_assert(smt, tp_paths_query(s->x, t));
  tp_smt_answer answer = tp_smt_check(smt, NULL, 0);
  tp_smt_free(smt);
  return answer;
}

tp_term tp_itp_prefix(tp_itp *s, size_t cut, bool all) {
  TP_REQUIRE(cut <= s->n);
  tp_term_list parts = {0};
  for (size_t j = 0; j < s->literals.n; j++) {
    bool is_before =
        j < s->first[cut] || (cut < s->n && j < s->first[cut + 1] && s->literals.at[j].is_known);
    if (is_before && (all || s->literals.at[j].needed))
      tp_vec_push(&parts, s->literals.at[j].whole);
  }
  tp_term t = tp_mk_and_n(s->tt, parts.at, parts.n);
  tp_vec_clear(&parts);
  return t;
}

tp_term tp_itp_condition(tp_itp *s, size_t block, tp_itp_part part) {
  TP_REQUIRE(block <= s->n);
  tp_term_list parts = {0};
  for (size_t j = s->first[block]; block < s->n && j < s->first[block + 1]; j++) {
    const tp_itp_literal *l = &s->literals.at[j];
    bool asked = part == TP_ITP_BOTH || (part == TP_ITP_KNOWN) == l->is_known;
    if (part == TP_ITP_EVERY || (l->needed && asked)) tp_vec_push(&parts, l->own);
  }
  tp_term t = tp_itp_flat(s, tp_mk_and_n(s->tt, parts.at, parts.n));
  tp_vec_clear(&parts);
  return t;
}

tp_term tp_itp_flat(tp_itp *s, tp_term t) {
  return tp_flatten(&s->x->flattener, s->tt, t, TP_FORMULA_CHAIN_FLAT_CONDITIONS);
}

tp_term tp_itp_before(tp_itp *s, size_t block, tp_term t) {
  TP_REQUIRE(block < s->n);
  return tp_itp_flat(s, tp_path_after(s->x, &s->blocks[block], t));
}

// --------------------------------------------------------- suffixes and columns

typedef struct {
  tp_itp *s;
  tp_map fresh;
} renaming;

static tp_term apart(void *ctx, tp_term var) {
  renaming *r = ctx;
  uint64_t found;
  if (!tp_paths_is_input(r->s->x, var)) return TP_TERM_NONE;
  if (tp_map_get(&r->fresh, var.id, &found)) return (tp_term){(uint32_t)found};
  tp_term v = tp_mk_var(r->s->tt, tp_var_name(r->s->tt, var), tp_sort_of(r->s->tt, var));
  tp_map_set(&r->fresh, var.id, v.id);
  return v;
}

void tp_itp_suffixes(tp_itp *s, tp_term *out) {
  out[s->n] = tp_mk_true(s->tt);
  for (size_t i = s->n; i-- > 0;) {
    renaming r = {.s = s};
    out[i] = tp_mk_and(s->tt, tp_itp_condition(s, i, TP_ITP_BOTH), tp_itp_before(s, i, out[i + 1]));
    out[i] = tp_itp_flat(s, tp_subst(s->tt, out[i], apart, &r, NULL));
    tp_map_clear(&r.fresh);
  }
}

/* Is t a column: a scalar variable, or a read of an array variable? */
static bool is_column(tp_itp *s, tp_term t) {
  tp_term_kind k = tp_kind(s->tt, t);
  if (k == TP_OP_VAR)
    return tp_program_var_of(s->x->p, t).id &&
           tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) != TP_SORT_ARRAY;
  return k == TP_OP_SELECT && tp_kind(s->tt, tp_arg(s->tt, t, 0)) == TP_OP_VAR &&
         tp_paths_is_expressible(s->x, t);
}

typedef struct {
  tp_itp *s;
  tp_term_list *out;
} column_search;

static tp_visit add_column(void *ctx, tp_term t) {
  const column_search *c = ctx;
  if (is_column(c->s, t)) tp_vec_push(c->out, t);
  return TP_VISIT_ARGS;
}

void tp_itp_reads(tp_itp *s, tp_term t, tp_term_list *out) {
  column_search c = {s, out};
  tp_map seen = {0};
  for (size_t i = 0; i < out->n; i++) tp_map_set(&seen, out->at[i].id, 1);
  (void)tp_visit_terms(s->tt, t, &(tp_visitor){.ctx = &c, .visit = add_column}, &seen);
  tp_map_clear(&seen);
}

void tp_itp_columns(tp_itp *s, tp_term_list *out) {
  for (size_t i = s->n; i-- > 0;) {
    tp_itp_reads(s, tp_itp_condition(s, i, TP_ITP_BOTH), &out[i]);
    for (size_t j = 0; j < out[i + 1].n; j++)
      tp_itp_reads(s, tp_itp_before(s, i, out[i + 1].at[j]), &out[i]);
  }
}

// ------------------------------------------------------------------ elimination

static tp_term query(void *ctx, tp_term t) { return tp_paths_query(ctx, t); }

tp_eliminator tp_itp_eliminator(tp_itp *s, uint32_t max_cubes) {
  return (tp_eliminator){.tt = s->tt,
                         .is_eliminated = tp_itp_is_inexpressible,
                         .ctx = s->x,
                         .query = query,
                         .max_cubes = max_cubes,
                         .smt = {.backend = s->o.backend,
                                 .rlimit = s->o.rlimit,
                                 .cpu_s = s->o.cpu_s,
                                 .stats = s->o.stats}};
}

typedef struct {
  tp_terms *tt;
  tp_eliminator e;
  tp_map images;  // read -> variable
} severing;

static tp_visit sever_read(void *ctx, tp_term t) {
  severing *v = ctx;
  if (tp_kind(v->tt, t) != TP_OP_SELECT || !tp_has_eliminated(&v->e, t)) return TP_VISIT_ARGS;
  tp_map_set(&v->images, t.id, tp_mk_var(v->tt, "read", tp_sort_of(v->tt, t)).id);
  return TP_VISIT_SKIP_ARGS;
}

tp_term tp_itp_abstract_reads(tp_itp *s, tp_term t) {
  severing v = {.tt = s->tt, .e = tp_itp_eliminator(s, 0)};
  tp_visitor reads = {.ctx = &v, .visit = sever_read, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(s->tt, t, &reads, NULL);
  if (v.images.n) t = tp_replace_all(s->tt, t, &v.images);
  tp_map_clear(&v.images);
  return t;
}
