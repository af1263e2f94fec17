/* Structural hash of a program model: what a certificate is bound to.
 *
 * Two models with equal fingerprints have the same edges over structurally equal terms. Handles
 * (locations, variables, functions, objects) enter as their numbers, which front/ gives out
 * deterministically; terms enter by structure, because their ids depend on what else the table
 * holds. Positions, names and display hints do not enter. */
#include "program/program.h"

typedef struct {
  const tp_program *p;
  tp_map memo;  // term id -> hash
} hasher;

static uint64_t payload(const tp_terms *tt, tp_term t) {
  tp_term_kind k = tp_kind(tt, t);
  uint64_t h = tp_hash_mix((uint64_t)k, tp_sort_of(tt, t).id);
  if (k == TP_OP_BV_CONST || k == TP_OP_FP_CONST) {
    tp_u128 v = tp_bv_value(tt, t);
    return tp_hash_mix(tp_hash_mix(h, (uint64_t)v), (uint64_t)(v >> 64));
  }
  if (k == TP_OP_PTR_CONST)
    return tp_hash_mix(tp_hash_mix(h, tp_ptr_const_object(tt, t)), tp_ptr_const_offset(tt, t));
  if (k == TP_OP_INT_CONST) return tp_hash_mix(h, (uint64_t)tp_int_value(tt, t));
  if (k == TP_OP_BV_EXTRACT)
    return tp_hash_mix(tp_hash_mix(h, tp_extract_hi(tt, t)), tp_extract_lo(tt, t));
  if (k == TP_OP_FP_ROUND) return tp_hash_mix(h, (uint64_t)tp_round_of(tt, t));
  if (k == TP_OP_BOUND || k == TP_OP_FORALL || k == TP_OP_EXISTS)
    return tp_hash_mix(h, tp_bound_number(tt, t));
  return h;
}

static uint64_t combine(void *ctx, tp_term t, const uint64_t *args) {
  const hasher *h = ctx;
  const tp_terms *tt = h->p->terms;
  uint64_t sum = payload(tt, t);
  if (tp_kind(tt, t) == TP_OP_VAR) {
    tp_var v = tp_program_var_of(h->p, t);
    return tp_hash_mix(sum, v.id ? v.id : tp_hash_mix(1, tp_var_index(tt, t)));
  }
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++) sum = tp_hash_mix(sum, args[i]);
  return sum;
}

static uint64_t term_hash(hasher *h, tp_term t) {
  if (!tp_term_is(t)) return 0;
  return tp_fold_terms(h->p->terms, t, &(tp_folder){.ctx = h, .after = combine}, &h->memo);
}

static uint64_t edge_hash(hasher *h, const tp_edge_info *e) {
  uint64_t x = tp_hash_mix((uint64_t)e->kind, e->from.id);
  x = tp_hash_mix(x, e->to.id);
  x = tp_hash_mix(x, e->var.id);
  x = tp_hash_mix(x, term_hash(h, e->a));
  x = tp_hash_mix(x, term_hash(h, e->b));
  x = tp_hash_mix(x, term_hash(h, e->c));
  x = tp_hash_mix(x, (uint64_t)e->object_kind * 256 + (uint64_t)e->input);
  x = tp_hash_mix(x, e->align_bytes);
  x = tp_hash_mix(x, e->callee.id);
  for (uint32_t i = 0; i < e->n_args; i++) x = tp_hash_mix(x, term_hash(h, e->args[i]));
  return tp_hash_mix(x, e->may_write);
}

static uint64_t static_hash(const tp_static *s) {
  uint64_t x = tp_hash_mix(s->size_bytes, s->kind);
  if (s->image) x = tp_hash_mix(x, tp_hash_bytes(s->image, s->size_bytes, 1));
  for (uint32_t i = 0; i < s->n_relocs; i++)
    x = tp_hash_mix(tp_hash_mix(tp_hash_mix(x, s->relocs[i].offset), s->relocs[i].object),
                    s->relocs[i].addend);
  return tp_hash_mix(x, (uint64_t)s->is_const * 2 + s->is_extern + 4 * (uint64_t)s->func.id);
}

uint64_t tp_program_fingerprint(const tp_program *p) {
  hasher h = {.p = p};
  uint64_t x = tp_hash_mix(p->ptr_bits, p->main.id);
  for (size_t i = 1; i < p->vars.n; i++)
    x = tp_hash_mix(tp_hash_mix(x, p->vars.at[i].kind), term_hash(&h, p->vars.at[i].initial));
  for (size_t i = 1; i < p->statics.n; i++) x = tp_hash_mix(x, static_hash(&p->statics.at[i]));
  for (size_t i = 1; i < p->funcs.n; i++)
    x = tp_hash_mix(tp_hash_mix(x, p->funcs.at[i].entry.id), p->funcs.at[i].exit.id);
  for (size_t i = 1; i < p->locs.n; i++)
    x = tp_hash_mix(tp_hash_mix(x, p->locs.at[i].error), p->locs.at[i].is_unsupported);
  for (size_t i = 1; i < p->edges.n; i++) x = tp_hash_mix(x, edge_hash(&h, &p->edges.at[i]));
  tp_map_clear(&h.memo);
  return x;
}
