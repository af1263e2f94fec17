/* Call strings, interned.
 *
 * The index maps a hash of (parent, call, function, contract) to a context; a key that another
 * context holds already is rehashed until the own entry or a free key is found, so nothing rests on
 * hashes being different. */
#include "cpa/context.h"

#include "cpa/cpa_limits.h"

void tp_contexts_init(tp_contexts *c) {
  *c = (tp_contexts){0};
  tp_vec_push(&c->list, (tp_context_info){0});
}

void tp_contexts_clear(tp_contexts *c) {
  tp_vec_clear(&c->list);
  tp_map_clear(&c->index);
}

static bool same(const tp_context_info *a, const tp_context_info *b) {
  return a->parent.id == b->parent.id && a->call.id == b->call.id && a->func.id == b->func.id &&
         a->contract == b->contract;
}

static tp_context intern(tp_contexts *c, tp_context_info info) {
  TP_REQUIRE(info.func.id && info.depth >= 1);
  uint64_t key = tp_hash_mix(tp_hash_mix(info.parent.id, info.call.id),
                             tp_hash_mix(info.func.id, info.contract)),
           found;
  while (tp_map_get(&c->index, key, &found)) {
    if (same(&c->list.at[found], &info)) return (tp_context){(uint32_t)found};
    key = tp_hash_u64(key + 1);
  }
  tp_context x = {(uint32_t)c->list.n};
  TP_INVARIANT(info.parent.id < x.id);  // parents are older: chains end at a root
  tp_vec_push(&c->list, info);
  tp_map_set(&c->index, key, x.id);
  return x;
}

tp_context tp_context_root(tp_contexts *c, tp_func func, uint32_t contract) {
  return intern(c, (tp_context_info){.func = func, .contract = contract, .depth = 1});
}

tp_context tp_context_push(tp_contexts *c, tp_context top, tp_edge call, tp_func callee) {
  TP_INVARIANT(top.id != 0 && !tp_context_has(c, top, callee));
  TP_REQUIRE(top.id && top.id < c->list.n);
  uint32_t depth = tp_context_of(c, top)->depth + 1;
  TP_REQUIRE(call.id && callee.id);
  return intern(c, (tp_context_info){.parent = top, .call = call, .func = callee, .depth = depth});
}

bool tp_context_has(const tp_contexts *c, tp_context x, tp_func f) {
  TP_REQUIRE(x.id < c->list.n);
  for (; x.id; x = tp_context_of(c, x)->parent)
    if (tp_context_of(c, x)->func.id == f.id) return true;
  return false;
}

static void print_frame(const tp_contexts *c, const tp_program *p, tp_context x, tp_str *out) {
  const tp_context_info *info = tp_context_of(c, x);
  tp_str_add(out, tp_func_of(p, info->func)->name);
  if (info->contract) tp_str_printf(out, " (contract %u)", info->contract);
  tp_pos at = info->call.id ? tp_edge_of(p, info->call)->pos : TP_POS_NONE;
  if (!p->diag || !tp_pos_known(at)) return;
  tp_str_add(out, " (");
  tp_pos_print(p->diag, at, out);
  tp_str_add(out, ")");
}

void tp_context_print(const tp_contexts *c, const tp_program *p, tp_context x, tp_str *out) {
  TP_REQUIRE(x.id < c->list.n);
  TP_VEC(tp_context) chain = {0};
  for (tp_context at = x; at.id; at = tp_context_of(c, at)->parent) tp_vec_push(&chain, at);
  TP_INVARIANT(!x.id || chain.n == tp_context_of(c, x)->depth);
  for (size_t i = chain.n; i > 0; i--) {
    const bool is_printed = i == chain.n || i < TP_CPA_CONTEXT_FRAMES;
    if (i < chain.n && (is_printed || i == chain.n - 1)) tp_str_add(out, " > ");
    if (is_printed)
      print_frame(c, p, chain.at[i - 1], out);
    else if (i == chain.n - 1)
      tp_str_add(out, "...");
  }
  tp_vec_clear(&chain);
}
