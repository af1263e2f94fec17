/* One queue holds reached cells of all instances. A cell at a call enters instances of the callee;
 * the cell is noted there as a user, so that exits that are reached later come to it, too. The
 * solver is asked about a step only when its target is not reached yet. */
#include "search/procedure_reach.h"

#include "search/partition_priv.h"

void tp_procedure_reach_init(tp_procedure_reach *r, tp_procedures *x) {
  *r = (tp_procedure_reach){.x = x};
  tp_vec_push(&r->list, (tp_proc_instance){0});
}

static void clear_instances(tp_procedure_reach *r) {
  for (size_t i = 1; i < r->list.n; i++) {
    tp_proc_instance *in = &r->list.at[i];
    tp_vec_clear(&in->cells);
    tp_vec_clear(&in->exits);
    tp_vec_clear(&in->users);
    tp_map_clear(&in->index);
  }
  r->list.n = 1;
  r->queue.n = r->next = r->rank = 0;
  tp_map_clear(&r->instance_of);
}

void tp_procedure_reach_clear(tp_procedure_reach *r) {
  clear_instances(r);
  tp_vec_clear(&r->list);
  tp_vec_clear(&r->queue);
  tp_map_clear(&r->pairs);
  tp_map_clear(&r->answers);
}

// --------------------------------------------------------------- questions about calls

/* A number for the pair, the same each time. */
static uint32_t pair(tp_procedure_reach *r, uint32_t a, uint32_t b) {
  const uint64_t key = (uint64_t)a << 32 | b;
  uint64_t known;
  if (tp_map_get(&r->pairs, key, &known)) return (uint32_t)known;
  const uint32_t number = (uint32_t)r->pairs.n + 1;
  tp_map_set(&r->pairs, key, number);
  return number;
}

typedef struct {
  uint32_t call, before, entry, exit, behind;  // exit and behind 0: of the entry alone
} call_question;

static uint32_t number_of(tp_procedure_reach *r, const call_question *q) {
  return pair(r, pair(r, pair(r, q->before, q->entry), pair(r, q->exit, q->behind)), q->call);
}

static bool is_impossible(tp_procedure_reach *r, call_question q) {
  uint64_t answer;
  return tp_map_get(&r->answers, number_of(r, &q), &answer) && answer == TP_SMT_UNSAT;
}

/* What one of the cells was split from excluded the step already. */
static bool is_inherited(tp_procedure_reach *r, const call_question *q) {
  const tp_procedure_call *c = &r->x->calls.at[q->call];
  const tp_partition *own = &r->x->list.at[c->caller]->pt, *its = &r->x->list.at[c->callee]->pt;
  call_question up[4] = {*q, *q, *q, *q};
  up[0].before = own->cells.at[q->before].parent;
  up[1].entry = its->cells.at[q->entry].parent;
  up[2].exit = its->cells.at[q->exit].parent;
  up[3].behind = own->cells.at[q->behind].parent;
  return (up[0].before && is_impossible(r, up[0])) || (up[1].entry && is_impossible(r, up[1])) ||
         (up[2].exit && is_impossible(r, up[2])) || (up[3].behind && is_impossible(r, up[3]));
}

static bool is_possible(tp_procedure_reach *r, call_question q) {
  const uint32_t number = number_of(r, &q);
  uint64_t known;
  if (tp_map_get(&r->answers, number, &known)) return known != TP_SMT_UNSAT;
  tp_smt_answer a = TP_SMT_UNSAT;
  if (!is_inherited(r, &q)) {
    tp_term t = q.exit ? tp_call_condition(r->x, q.call, q.before, q.entry, q.exit, q.behind)
                       : tp_call_entry_condition(r->x, q.call, q.before, q.entry);
    a = tp_partition_query(&r->x->list.at[r->x->calls.at[q.call].caller]->pt, t);
  }
  if (a != TP_SMT_UNKNOWN) tp_map_set(&r->answers, number, a);
  return a != TP_SMT_UNSAT;
}

bool tp_procedure_call_possible(tp_procedure_reach *r, uint32_t call, uint32_t before,
                                uint32_t entry, uint32_t exit, uint32_t behind) {
  return is_possible(r, (call_question){call, before, entry, exit, behind});
}

// ---------------------------------------------------------------------- instances

uint32_t tp_procedure_instance(const tp_procedure_reach *r, uint32_t procedure, uint32_t entry) {
  uint64_t known;
  return tp_map_get(&r->instance_of, (uint64_t)procedure << 32 | entry, &known) ? (uint32_t)known
                                                                                : 0;
}

const tp_reached_cell *tp_instance_reached(const tp_proc_instance *i, uint32_t cell) {
  uint64_t at;
  return tp_map_get(&i->index, cell, &at) ? &i->cells.at[at] : NULL;
}

static void reach(tp_procedure_reach *r, uint32_t instance, tp_reached_cell c) {
  tp_proc_instance *i = &r->list.at[instance];
  TP_REQUIRE(!tp_map_has(&i->index, c.cell));
  tp_map_set(&i->index, c.cell, i->cells.n);
  tp_vec_push(&r->queue, (uint64_t)instance << 32 | i->cells.n);
  c.rank = ++r->rank;
  tp_vec_push(&i->cells, c);
}

static uint32_t enter(tp_procedure_reach *r, uint32_t procedure, uint32_t entry) {
  uint32_t known = tp_procedure_instance(r, procedure, entry);
  if (known) return known;
  known = (uint32_t)r->list.n;
  tp_map_set(&r->instance_of, (uint64_t)procedure << 32 | entry, known);
  tp_vec_push(&r->list, (tp_proc_instance){.procedure = procedure, .entry = entry});
  reach(r, known, (tp_reached_cell){.cell = entry, .block = UINT32_MAX});
  return known;
}

static tp_procedure *procedure_of(const tp_procedure_reach *r, uint32_t instance) {
  return r->x->list.at[r->list.at[instance].procedure];
}

// -------------------------------------------------------------------------- steps

/* The instance fails, and so do those that call it; the first way is kept. */
static void fail(tp_procedure_reach *r, uint32_t instance, tp_reached_cell how) {
  TP_VEC(uint64_t) todo = {0};  // instances; how: of the first one
  if (r->list.at[instance].fails) return;
  r->list.at[instance].fails = true;
  how.rank = ++r->rank;
  r->list.at[instance].failure = how;
  tp_vec_push(&todo, instance);
  while (todo.n) {
    const uint32_t failed = (uint32_t)tp_vec_pop(&todo);
    for (size_t k = 0; k < r->list.at[failed].users.n; k++) {
      const tp_instance_user u = r->list.at[failed].users.at[k];
      tp_proc_instance *caller = &r->list.at[u.instance];
      if (caller->fails) continue;
      caller->fails = true;
      caller->failure = (tp_reached_cell){.from = u.cell,
                                          .block = UINT32_MAX,
                                          .call = u.call,
                                          .instance = failed,
                                          .rank = ++r->rank};
      tp_vec_push(&todo, u.instance);
    }
  }
  tp_vec_clear(&todo);
}

/* From an exit of the callee to the cells behind the call. */
static void come_back(tp_procedure_reach *r, const tp_instance_user *u, uint32_t callee,
                      uint32_t exit) {
  const tp_procedure_call *c = &r->x->calls.at[u->call];
  const tp_procedure *p = procedure_of(r, u->instance);
  size_t n;
  const uint32_t *leaves = tp_procedure_leaves(p, c->to, &n);
  for (size_t i = 0; i < n; i++) {
    if (tp_map_has(&r->list.at[u->instance].index, leaves[i])) continue;
    if (is_possible(r,
                    (call_question){u->call, u->cell, r->list.at[callee].entry, exit, leaves[i]}))
      reach(r, u->instance,
            (tp_reached_cell){.cell = leaves[i],
                              .from = u->cell,
                              .block = UINT32_MAX,
                              .call = u->call,
                              .instance = callee,
                              .exit = exit});
  }
}

static void take_call(tp_procedure_reach *r, uint32_t instance, uint32_t cell, uint32_t call) {
  const tp_procedure_call *c = &r->x->calls.at[call];
  const tp_procedure *p = r->x->list.at[c->callee];
  size_t n;
  const uint32_t *leaves = tp_procedure_leaves(p, p->entry, &n);
  for (size_t i = 0; i < n; i++) {
    if (!is_possible(r, (call_question){call, cell, leaves[i], 0, 0})) continue;
    const uint32_t callee = enter(r, c->callee, leaves[i]);
    const tp_instance_user u = {instance, cell, call};
    tp_vec_push(&r->list.at[callee].users, u);
    for (size_t k = 0; k < r->list.at[callee].exits.n; k++)
      come_back(r, &u, callee, r->list.at[callee].exits.at[k]);
    if (r->list.at[callee].fails)
      fail(r, instance,
           (tp_reached_cell){.from = cell, .block = UINT32_MAX, .call = call, .instance = callee});
  }
}

static void take_blocks(tp_procedure_reach *r, uint32_t instance, uint32_t cell) {
  tp_procedure *p = procedure_of(r, instance);
  const uint32_t node = p->pt.cells.at[cell].node;
  for (uint32_t b = p->blocks.first.at[node]; b < p->blocks.first.at[node + 1]; b++) {
    size_t n;
    const uint32_t *leaves = tp_procedure_leaves(p, p->blocks.list.at[b].to, &n);
    for (size_t i = 0; i < n; i++) {
      const tp_abstract_step step = {b, cell, leaves[i]};
      if (tp_map_has(&r->list.at[instance].index, leaves[i])) continue;
      const tp_step_status is = p->pt.settings.lazy_edges
                                    ? tp_partition_status(&p->pt, cell, leaves[i])
                                    : tp_partition_query_step(&p->pt, step);
      if (is != TP_STEP_CLOSED)
        reach(r, instance, (tp_reached_cell){.cell = leaves[i], .from = cell, .block = b});
    }
  }
}

static void leave(tp_procedure_reach *r, uint32_t instance, size_t at) {
  const tp_reached_cell c = r->list.at[instance].cells.at[at];
  const tp_procedure *p = procedure_of(r, instance);
  const uint32_t node = p->pt.cells.at[c.cell].node;
  const bool is_excluded = p->pt.is_excluded && p->pt.is_excluded[node];
  if (tp_block_node_is_bad(&p->blocks, node) && !is_excluded) {
    fail(r, instance, c);
    return;
  }
  if (p->exit && node == p->exit) {
    tp_vec_push(&r->list.at[instance].exits, c.cell);
    for (size_t k = 0; k < r->list.at[instance].users.n; k++) {
      const tp_instance_user u = r->list.at[instance].users.at[k];
      come_back(r, &u, instance, c.cell);
    }
  }
  take_blocks(r, instance, c.cell);
  for (uint32_t k = p->first_call[node]; k < p->first_call[node + 1]; k++)
    take_call(r, instance, c.cell, k);
}

bool tp_procedure_reach_run(tp_procedure_reach *r, tp_reach_extent extent) {
  clear_instances(r);
  // main's entry is node 0, before the program starts: that cell is never split
  const uint32_t main = enter(r, 1, r->x->list.at[1]->pt.root[0]);
  TP_INVARIANT(main == 1);
  while (r->next < r->queue.n && (extent == TP_REACH_ALL || !r->list.at[main].fails)) {
    const uint64_t item = r->queue.at[r->next++];
    leave(r, (uint32_t)(item >> 32), (size_t)(item & UINT32_MAX));
  }
  return r->list.at[main].fails;
}
