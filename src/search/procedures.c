/* Substitutions of calls are simultaneous, so a function that calls itself, whose parameters are
 * its caller's variables as well, is no special case. */
#include "search/procedures.h"

#include "engine/invariants.h"
#include "formula/eliminate.h"
#include "program/cells.h"
#include "search/partition_priv.h"
#include "search/search_limits.h"

// ------------------------------------------------------------------------ graphs

static void index_nodes(tp_procedure *p, const tp_program *program) {
  const tp_blocks *b = &p->blocks;
  uint32_t low = UINT32_MAX, high = 0;
  for (uint32_t n = 1; n < b->nodes.n; n++) {
    const uint32_t l = b->nodes.at[n].loc.id;
    if (l < low) low = l;
    if (l > high) high = l;
  }
  p->first_loc = low;
  p->n_locs = high >= low ? high - low + 1 : 0;
  p->node_of = TP_NEW_ARRAY(uint32_t, p->n_locs + 1);
  for (uint32_t n = 1; n < b->nodes.n; n++) p->node_of[b->nodes.at[n].loc.id - low] = n + 1;
  (void)tp_procedure_node(p, tp_func_of(program, p->func)->entry, &p->entry);
  (void)tp_procedure_node(p, tp_func_of(program, p->func)->exit, &p->exit);
  TP_INVARIANT(p->entry > 0);  // the entry's node is the first that blocks lead to
}

bool tp_procedure_node(const tp_procedure *p, tp_loc loc, uint32_t *node) {
  *node = 0;
  if (loc.id < p->first_loc || loc.id - p->first_loc >= p->n_locs) return false;
  const uint32_t found = p->node_of[loc.id - p->first_loc];
  if (found) *node = found - 1;
  return found != 0;
}

const uint32_t *tp_procedure_leaves(const tp_procedure *p, uint32_t node, size_t *n) {
  TP_REQUIRE(node < p->blocks.nodes.n);
  *n = p->pt.distances->leaves[node].n;
  return p->pt.distances->leaves[node].at;
}

static uint32_t add_procedure(tp_procedures *x, tp_func f) {
  if (x->of_func[f.id]) return x->of_func[f.id];
  tp_procedure *p = TP_NEW(tp_procedure);
  p->func = f;
  x->of_func[f.id] = (uint32_t)x->list.n;
  tp_vec_push(&x->list, p);
  tp_blocks_build_function(&p->blocks, &x->run->paths, x->run->contexts, x->run->task->property, f,
                           TP_SEARCH_GRAPH_EDGES);
  if (p->blocks.gap && !x->gap) x->gap = p->blocks.gap;
  index_nodes(p, x->run->p);
  return x->of_func[f.id];
}

// ----------------------------------------------------------------- substitutions

static tp_term symbol_of(const tp_procedures *x, tp_var v) { return tp_var_of(x->run->p, v)->term; }

/* The symbol of what is there behind a call. */
static tp_term after(tp_procedures *x, tp_term before) {
  uint64_t known;
  if (tp_map_get(&x->after, before.id, &known)) return (tp_term){(uint32_t)known};
  tp_term t = tp_mk_var(x->run->tt, "after", tp_sort_of(x->run->tt, before));
  tp_map_set(&x->after, before.id, t.id);
  tp_map_set(&x->is_after, t.id, before.id);
  return t;
}

static void change(tp_procedures *x, tp_procedure_call *c, tp_term what) {
  const tp_term t = after(x, what);
  tp_map_set(&c->at_exit, what.id, t.id);
  tp_map_set(&c->behind, what.id, t.id);
}

/* Globals, ghosts and memory that the callee may change. Sizes and kinds of objects stay. */
static void change_world(tp_procedures *x, tp_procedure_call *c, tp_func callee) {
  const tp_program *p = x->run->p;
  const bool writes = tp_effects_writes_memory(&x->effects, callee);
  for (uint32_t v = 1; v < p->vars.n; v++) {
    const tp_var_info *info = &p->vars.at[v];
    const bool is_ghost = info->kind == TP_V_GHOST;
    if (info->func.id || v == p->ghost_size.id || v == p->ghost_kind.id) continue;
    if (tp_effects_assigns(&x->effects, callee, (tp_var){v}) || (is_ghost && writes) ||
        v == p->ghost_leaked.id)
      change(x, c, info->term);
  }
  if (!writes) return;
  for (uint32_t k = 0; k < TP_N_MEMORIES; k++) change(x, c, p->memory[k]);
}

static void add_call(tp_procedures *x, uint32_t caller, const tp_block_call *call) {
  const tp_program *p = x->run->p;
  const tp_edge_info *e = tp_edge_of(p, call->edge);
  const tp_func_info *f = tp_func_of(p, call->callee);
  tp_procedure_call c = {.caller = caller,
                         .callee = add_procedure(x, call->callee),
                         .from = call->from,
                         .to = call->to,
                         .edge = call->edge,
                         .guard = tp_mk_true(x->run->tt)};
  TP_REQUIRE(e->n_args == f->n_params);  // steps are calls that fit
  if (!e->callee.id)
    c.guard = tp_mk_eq(x->run->tt, e->a, tp_mk_ptr_const(x->run->tt, f->object, 0));
  change_world(x, &c, call->callee);
  for (uint32_t i = 0; i < f->n_params; i++) {
    tp_map_set(&c.entry, symbol_of(x, f->params[i]).id, e->args[i].id);
    if (tp_effects_is_param_fixed(&x->effects, f->params[i]))
      tp_map_set(&c.at_exit, symbol_of(x, f->params[i]).id, e->args[i].id);
  }
  if (f->result.id) {
    const tp_term t = after(x, symbol_of(x, f->result));
    tp_map_set(&c.at_exit, symbol_of(x, f->result).id, t.id);
    if (e->var.id) tp_map_set(&c.behind, symbol_of(x, e->var).id, t.id);
  }
  tp_vec_push(&x->calls, c);
}

static void add_calls(tp_procedures *x, uint32_t caller) {
  // add_procedure moves the list, not what is in it
  tp_procedure *p = x->list.at[caller];
  const tp_blocks *b = &p->blocks;
  p->first_call = TP_NEW_ARRAY(uint32_t, b->nodes.n + 1);
  size_t i = 0;
  for (uint32_t n = 0; n < b->nodes.n; n++) {
    p->first_call[n] = (uint32_t)x->calls.n;
    for (; i < b->calls.n && b->calls.at[i].from == n; i++) add_call(x, caller, &b->calls.at[i]);
  }
  p->first_call[b->nodes.n] = (uint32_t)x->calls.n;
  TP_INVARIANT(i == b->calls.n);
}

void tp_procedures_init(tp_procedures *x, tp_graph_run *run, tp_search_settings settings,
                        tp_smt_options smt) {
  *x = (tp_procedures){.run = run};
  tp_effects_init(&x->effects, run->p);
  x->of_func = TP_NEW_ARRAY(uint32_t, run->p->funcs.n);
  tp_vec_push(&x->list, NULL);
  tp_vec_push(&x->calls, (tp_procedure_call){0});
  (void)add_procedure(x, run->p->main);
  for (uint32_t i = 1; i < x->list.n; i++) add_calls(x, i);
  settings.three_regions = false;  // of cells at one node, what is split is one
  for (uint32_t i = 1; i < x->list.n; i++)
    tp_partition_init(&x->list.at[i]->pt, &x->list.at[i]->blocks, settings, smt, run->stats);
}

void tp_procedures_clear(tp_procedures *x) {
  for (size_t i = 1; i < x->list.n; i++) {
    tp_procedure *p = x->list.at[i];
    tp_partition_clear(&p->pt);
    tp_blocks_clear(&p->blocks);
    tp_free(p->node_of);
    tp_free(p->first_call);
    tp_free(p);
  }
  for (size_t i = 1; i < x->calls.n; i++) {
    tp_map_clear(&x->calls.at[i].entry);
    tp_map_clear(&x->calls.at[i].at_exit);
    tp_map_clear(&x->calls.at[i].behind);
  }
  tp_vec_clear(&x->list);
  tp_vec_clear(&x->calls);
  tp_map_clear(&x->after);
  tp_map_clear(&x->is_after);
  tp_free(x->of_func);
  tp_effects_clear(&x->effects);
}

// --------------------------------------------------------------------- conditions

static tp_term formula_of(const tp_procedures *x, uint32_t procedure, uint32_t cell) {
  return x->list.at[procedure]->pt.cells.at[cell].formula;
}

tp_term tp_call_enters(const tp_procedures *x, uint32_t call, uint32_t entry) {
  tp_procedure_call *c = &x->calls.at[call];
  tp_terms *tt = x->run->tt;
  return tp_mk_and(tt, c->guard, tp_replace_all(tt, formula_of(x, c->callee, entry), &c->entry));
}

tp_term tp_call_entry_condition(const tp_procedures *x, uint32_t call, uint32_t before,
                                uint32_t entry) {
  return tp_mk_and(x->run->tt, formula_of(x, x->calls.at[call].caller, before),
                   tp_call_enters(x, call, entry));
}

tp_term tp_call_condition(const tp_procedures *x, uint32_t call, uint32_t before, uint32_t entry,
                          uint32_t exit, uint32_t behind) {
  tp_procedure_call *c = &x->calls.at[call];
  tp_terms *tt = x->run->tt;
  tp_term t = tp_call_entry_condition(x, call, before, entry);
  t = tp_mk_and(tt, t, tp_replace_all(tt, formula_of(x, c->callee, exit), &c->at_exit));
  return tp_mk_and(tt, t, tp_replace_all(tt, formula_of(x, c->caller, behind), &c->behind));
}

void tp_call_conjuncts(const tp_procedures *x, uint32_t call, uint32_t behind, tp_term_list *out) {
  tp_procedure_call *c = &x->calls.at[call];
  tp_conjuncts(x->run->tt, tp_replace_all(x->run->tt, formula_of(x, c->caller, behind), &c->behind),
               out);
}

// ---------------------------------------------------------------------- pull back

typedef struct {
  const tp_procedures *x;
  const tp_procedure_call *call;
  tp_map images;  // symbols and the caller's variables -> terms at the callee's exit
  bool is_changed;
  tp_term_list left_overs;  // terms at the call that have no image
} pull_back;

/* arg = v, v + c: then v = parameter, parameter - c. */
static void invert(pull_back *b, tp_term param, tp_term arg) {
  tp_terms *tt = b->x->run->tt;
  if (tp_kind(tt, arg) == TP_OP_VAR) {
    if (!tp_map_has(&b->images, arg.id)) tp_map_set(&b->images, arg.id, param.id);
    return;
  }
  if (tp_kind(tt, arg) != TP_OP_BV_ADD || tp_n_args(tt, arg) != 2) return;
  for (uint32_t i = 0; i < 2; i++) {
    const tp_term v = tp_arg(tt, arg, i), c = tp_arg(tt, arg, 1 - i);
    if (tp_kind(tt, v) == TP_OP_VAR && tp_is_const(tt, c) && !tp_map_has(&b->images, v.id))
      tp_map_set(&b->images, v.id, tp_mk2(tt, TP_OP_BV_ADD, param, tp_mk1(tt, TP_OP_BV_NEG, c)).id);
  }
}

static void find_images(pull_back *b) {
  const tp_program *p = b->x->run->p;
  const tp_edge_info *e = tp_edge_of(p, b->call->edge);
  const tp_func_info *f = tp_func_of(p, b->x->list.at[b->call->callee]->func);
  for (size_t i = 0; i < b->call->behind.n; i++) {
    // the caller's assigned variable and what the call changes, by their symbols
    const tp_term symbol = {(uint32_t)b->call->behind.entries[i].value};
    uint64_t before;
    if (tp_map_get(&b->x->is_after, symbol.id, &before)) tp_map_set(&b->images, symbol.id, before);
  }
  for (uint32_t i = 0; i < f->n_params; i++)
    if (tp_effects_is_param_fixed(&b->x->effects, f->params[i]))
      invert(b, symbol_of(b->x, f->params[i]), e->args[i]);
}

/* Is it the same at the callee's exit as at the call? */
static bool is_unchanged(const pull_back *b, tp_term var) {
  const tp_program *p = b->x->run->p;
  const tp_var v = tp_program_var_of(p, var);
  tp_sort sort;
  uint64_t image;
  if (tp_map_get(&b->call->behind, var.id, &image) && image != var.id) return false;
  return v.id ? !tp_var_of(p, v)->func.id : tp_is_memory(p, var, &sort);
}

static void see_var(void *ctx, tp_term var) {
  pull_back *b = ctx;
  if (tp_map_has(&b->x->is_after, var.id))
    b->is_changed = true;
  else if (!tp_map_has(&b->images, var.id) && !is_unchanged(b, var))
    tp_vec_push(&b->left_overs, var);
}

tp_call_side tp_call_pull_back(const tp_procedures *x, uint32_t call, tp_term conjunct,
                               tp_term *out) {
  pull_back b = {.x = x, .call = &x->calls.at[call]};
  find_images(&b);
  tp_for_vars(x->run->tt, conjunct, see_var, &b);
  tp_call_side side = TP_CALL_EXIT;
  if (!b.is_changed) {
    side = TP_CALL_BEFORE;
    *out = conjunct;
  } else if (b.left_overs.n) {
    side = TP_CALL_MIXED;
    *out = b.left_overs.at[0];
  } else {
    *out = tp_replace_all(x->run->tt, conjunct, &b.images);
  }
  tp_map_clear(&b.images);
  tp_vec_clear(&b.left_overs);
  return side;
}

/* What the callee's exit may speak of stays. */
static bool is_projected(void *ctx, tp_term var) {
  const pull_back *b = ctx;
  const tp_program *p = b->x->run->p;
  return !tp_contract_may_use(p, b->x->list.at[b->call->callee]->func, TP_CONTRACT_POST, var);
}

static tp_term question(void *ctx, tp_term t) {
  return tp_paths_query(&((const pull_back *)ctx)->x->run->paths, t);
}

tp_term tp_call_project(const tp_procedures *x, uint32_t call, tp_term conjunction,
                        tp_smt_options smt) {
  tp_terms *tt = x->run->tt;
  pull_back b = {.x = x, .call = &x->calls.at[call]};
  bool is_exact;
  find_images(&b);
  tp_for_vars(tt, conjunction, see_var, &b);
  // in recursion the caller's variables are the callee's, too: those that go get other names
  for (size_t i = 0; i < b.left_overs.n; i++)
    tp_map_set(&b.images, b.left_overs.at[i].id,
               tp_mk_var(tt, "left", tp_sort_of(tt, b.left_overs.at[i])).id);
  const tp_term t = tp_replace_all(tt, conjunction, &b.images);
  const tp_eliminator e = {.tt = tt,
                           .is_eliminated = is_projected,
                           .ctx = &b,
                           .query = question,
                           .smt = smt,
                           .max_cubes = TP_SEARCH_SPLIT_CUBES};
  const tp_term out = tp_eliminate(&e, t, &is_exact);
  tp_map_clear(&b.images);
  tp_vec_clear(&b.left_overs);
  return out;
}
