#include "kildall.h"

// ------------------------------------------------------------------------ graph

static uint32_t chain_of_call(kildall *k, uint32_t parent, tp_edge call) {
  if (k->mode == KILDALL_FLAT) return 0;
  for (uint32_t i = 1; i < k->chains.n; i++)
    if (k->chains.at[i].parent == parent && k->chains.at[i].call.id == call.id) return i;
  tp_vec_push(&k->chains, (kildall_chain){parent, call});
  return (uint32_t)k->chains.n - 1;
}

static void add(kildall_steps *out, tp_step_kind kind, uint32_t edge, tp_func callee, tp_loc from, tp_loc to, uint32_t chain) {
  tp_vec_push(out, (kildall_step){{.kind = kind, .edge = {edge}, .callee = callee, .from = from, .to = to}, to, chain});
}

/* At a function's exit: back to where it was called, by the call string or by any call. */
static void returns_from(const kildall *k, tp_func f, uint32_t chain, kildall_steps *out) {
  const tp_program *p = k->p;
  tp_loc leave = p->funcs.at[f.id].exit;
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *call = &p->edges.at[e];
    if (call->kind != TP_E_CALL || !call->from.id || call->callee.id != f.id) continue;
    if (k->mode == KILDALL_FLAT) add(out, TP_STEP_RETURN, e, f, leave, call->to, 0);
    else if (chain && k->chains.at[chain].call.id == e) add(out, TP_STEP_RETURN, e, f, leave, call->to, k->chains.at[chain].parent);
  }
}

void kildall_steps_from(kildall *k, tp_loc loc, uint32_t chain, kildall_steps *out) {
  const tp_program *p = k->p;
  out->n = 0;
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    if (edge->from.id != loc.id) continue;
    if (edge->kind != TP_E_CALL) add(out, TP_STEP_EDGE, e, TP_FUNC_NONE, loc, edge->to, chain);
    else add(out, TP_STEP_CALL, e, edge->callee, loc, p->funcs.at[edge->callee.id].entry, chain_of_call(k, chain, (tp_edge){e}));
  }
  tp_func f = p->locs.at[loc.id].func;
  if (p->funcs.at[f.id].exit.id == loc.id) returns_from(k, f, chain, out);
}

// --------------------------------------------------------------------- solution

static uint64_t key_of(tp_loc loc, uint32_t chain) { return (uint64_t)chain << 32 | loc.id; }

const kildall_fact *kildall_find(const kildall *k, tp_loc loc, uint32_t chain) {
  uint64_t i;
  return tp_map_get(&k->index, key_of(loc, chain), &i) ? &k->facts.at[i - 1] : NULL;
}

/* R[node] := R[node] joined with d. */
static void flow(kildall *k, tp_loc loc, uint32_t chain, const void *d) {
  uint64_t i;
  if (!tp_map_get(&k->index, key_of(loc, chain), &i)) {
    tp_vec_push(&k->facts, (kildall_fact){loc, chain, d, true});
    tp_map_set(&k->index, key_of(loc, chain), k->facts.n);
    k->n_waiting++;
    return;
  }
  kildall_fact *f = &k->facts.at[i - 1];
  if (k->d.leq(k->d.ctx, d, f->value)) return;
  f->value = k->d.join(k->d.ctx, f->value, d);
  k->n_waiting += !f->waiting;
  f->waiting = true;
}

static size_t pick(const kildall *k, tp_rng *rng) {
  uint64_t skip = tp_rng_below(rng, k->n_waiting);
  for (size_t i = 0;; i++)
    if (k->facts.at[i].waiting && skip-- == 0) return i;
}

void kildall_solve(kildall *k, const tp_program *p, kildall_domain d, kildall_mode mode, const void *d0, uint64_t seed) {
  *k = (kildall){.p = p, .d = d, .mode = mode};
  tp_vec_resize(&k->chains, 1);
  kildall_steps steps = {0};
  tp_rng rng;
  tp_rng_init(&rng, seed);
  flow(k, p->funcs.at[p->main.id].entry, 0, d0);
  while (k->n_waiting) {
    size_t i = pick(k, &rng);
    kildall_fact now = k->facts.at[i];
    k->facts.at[i].waiting = false;
    k->n_waiting--;
    kildall_steps_from(k, now.loc, now.chain, &steps);
    for (size_t s = 0; s < steps.n; s++) {
      const void *next = d.post(d.ctx, now.value, &steps.at[s].step);
      k->n_steps++;
      if (next) flow(k, steps.at[s].loc, steps.at[s].chain, next);
    }
  }
  tp_vec_clear(&steps);
}

void kildall_clear(kildall *k) {
  tp_vec_clear(&k->chains);
  tp_vec_clear(&k->facts);
  tp_map_clear(&k->index);
}
