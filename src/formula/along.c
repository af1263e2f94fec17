/* A model of "the ways so far, then this block" decides what the block's conditions are; the
 * literals that decide them are collected as a cube, the values are rewritten to the branches
 * taken. */
#include "formula/along.h"

#include "formula/formula_limits.h"
#include "formula/path_priv.h"
#include "smt/smt.h"

typedef struct {
  tp_paths *x;
  tp_terms *tt;
  const tp_path *before;  // the state that the block's symbols are in the model
  tp_map renamed;         // the block's inputs -> the model's
  tp_smt *solver;         // holds the model
  tp_map straight;        // term of the block -> without conditionals
  tp_map literals;        // literals collected, as keys; in order
  bool failed;
} choice;

// ---------------------------------------------------------------------- model

static bool holds_in_model(choice *c, tp_term condition) {
  tp_value v = {0};
  tp_term whole = tp_path_follow(c->x, c->before, &c->renamed, condition);
  if (!tp_smt_value(c->solver,
                    tp_flatten(&c->x->flattener, c->tt, whole, TP_FORMULA_ALONG_FLAT_CONDITIONS),
                    &v))
    c->failed = true;
  return v.bits != 0;
}

// ------------------------------------------------------------------ straightening

static tp_term straight(choice *c, tp_term t);

static void collect(choice *c, tp_term literal, bool holds) {
  tp_term l = straight(c, literal);
  tp_map_set(&c->literals, (holds ? l : tp_mk_not(c->tt, l)).id, 1);
}

/* Literals that make the condition what it is in the model. */
static void decide(choice *c, tp_term condition) {
  TP_VEC(tp_term) todo = {0};
  tp_vec_push(&todo, condition);
  while (todo.n && !c->failed) {
    tp_term t = tp_vec_pop(&todo);
    tp_term_kind k = tp_kind(c->tt, t);
    uint32_t n = tp_n_args(c->tt, t);
    bool over_bools = n > 0 && tp_sort_kind_of(c->tt, tp_sort_of(c->tt, tp_arg(c->tt, t, n - 1))) ==
                                   TP_SORT_BOOL,
         holds = holds_in_model(c, t);
    if (k == TP_OP_NOT || (k == TP_OP_AND && holds) || (k == TP_OP_OR && !holds) ||
        k == TP_OP_XOR || (k == TP_OP_EQ && over_bools)) {
      for (uint32_t i = 0; i < n; i++) tp_vec_push(&todo, tp_arg(c->tt, t, i));
    } else if (k == TP_OP_AND || k == TP_OP_OR) {  // one argument decides: the first that does
      tp_term first = tp_arg(c->tt, t, 0);
      tp_vec_push(&todo, holds_in_model(c, first) == holds ? first : tp_arg(c->tt, t, 1));
    } else if (k == TP_OP_ITE) {
      tp_vec_push(&todo, tp_arg(c->tt, t, holds_in_model(c, tp_arg(c->tt, t, 0)) ? 1 : 2));
      tp_vec_push(&todo, tp_arg(c->tt, t, 0));
    } else if (!tp_is_const(c->tt, t)) {
      collect(c, t, holds);
    }
  }
  tp_vec_clear(&todo);
}

static tp_term chosen_branch(void *ctx, tp_term t) {
  choice *c = ctx;
  if (tp_kind(c->tt, t) != TP_OP_ITE) return TP_TERM_NONE;
  decide(c, tp_arg(c->tt, t, 0));
  return straight(c, tp_arg(c->tt, t, holds_in_model(c, tp_arg(c->tt, t, 0)) ? 1 : 2));
}
static tp_term chosen(void *ctx, tp_term t, tp_term made) {
  choice *c = ctx;
  return tp_term_eq(made, t) ? t : tp_paths_fold_statics(c->x, made);
}

/* t with the branches that the model takes; the conditions that chose them become literals. Recurs
 * at conditionals only. */
static tp_term straight(choice *c, tp_term t) {
  tp_mapper m = {.ctx = c, .before = chosen_branch, .after = chosen};
  return tp_map_terms(c->tt, t, &m, &c->straight);
}

typedef struct {
  choice *c;
  tp_path out;
} rebuilding;

static void rebuild(void *ctx, uint64_t key, uint64_t value, uint64_t none) {
  rebuilding *r = ctx;
  (void)none;
  bool is_term = key <= tp_path_key_next(r->c->x) && value != TP_PATH_UNDEFINED;
  tp_pmap_set(&r->out.values, key, is_term ? straight(r->c, (tp_term){(uint32_t)value}).id : value);
}

static tp_path path_along(choice *c, const tp_path *block) {
  rebuilding r = {.c = c, .out = tp_path_here(c->x)};
  decide(c, tp_path_condition(c->x, block));
  tp_pmap_each(&block->values, rebuild, &r);
  for (size_t i = 0; i < c->literals.n; i++)
    r.out.guard =
        tp_guard_and(&c->x->guards, r.out.guard, (tp_term){(uint32_t)c->literals.entries[i].key});
  return r.out;
}

// ------------------------------------------------------------------------ ways

/* A way of the block behind `before`; false: there is none, or none was found. */
static bool choose(tp_paths *x, const tp_path *before, const tp_path *block, tp_term known,
                   tp_term known_after, tp_itp_options o, tp_path *out) {
  choice c = {.x = x, .tt = x->tt, .before = before};
  tp_term own = tp_mk_and(x->tt, tp_path_condition(x, block),
                          tp_mk_and(x->tt, known, tp_path_after(x, block, known_after)));
  tp_term whole =
      tp_mk_and(x->tt, tp_path_condition(x, before), tp_path_follow(x, before, &c.renamed, own));
  c.solver =
      tp_smt_new(x->tt, (tp_smt_options){.backend = o.backend,
                                         .rlimit = o.rlimit ? o.rlimit : TP_FORMULA_ALONG_RLIMIT,
                                         .cpu_s = o.cpu_s,
                                         .stats = o.stats});
  tp_smt_assert(c.solver, tp_paths_query(x, whole));
  bool ok = tp_smt_check(c.solver, NULL, 0) == TP_SMT_SAT;
  if (ok) *out = path_along(&c, block);
  if (ok && c.failed) tp_path_clear(out);
  tp_smt_free(c.solver);
  tp_map_clear(&c.renamed);
  tp_map_clear(&c.straight);
  tp_map_clear(&c.literals);
  return ok && !c.failed;
}

bool tp_along_ways(tp_paths *x, const tp_path *blocks, size_t n, const tp_term *known,
                   tp_itp_options o, tp_path *out) {
  TP_REQUIRE(n > 0 && blocks && known && out);
  tp_path here = tp_path_here(x), so_far = tp_path_here(x);
  double end_s = o.cpu_s > 0 ? tp_cpu_s() + o.cpu_s : 0;
  bool fits = true;  // the ways before this one have a run
  size_t done = 0;
  for (; done < n; done++) {
    if (end_s > 0 && (o.cpu_s = end_s - tp_cpu_s()) <= 0) break;
    fits = fits && choose(x, &so_far, &blocks[done], known[done], known[done + 1], o, &out[done]);
    if (!fits && !choose(x, &here, &blocks[done], known[done], known[done + 1], o, &out[done]))
      break;
    if (!fits) continue;
    tp_path longer = tp_path_then(x, &so_far, &out[done]);
    tp_path_clear(&so_far);
    so_far = longer;
  }
  tp_path_clear(&so_far);
  tp_path_clear(&here);
  for (size_t i = 0; i < done && done < n; i++) tp_path_clear(&out[i]);
  return done == n;
}
