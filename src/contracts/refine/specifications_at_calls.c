/* Specifications at calls: relations of the template become what they are at the call, guarded by
 * how the call ends. A specification that speaks of values of its own (inputs, inner calls) is
 * renamed apart for each call that it is added to; the relations that this makes are made known to
 * the finder. */
#include "contracts/refine/heap_refinement_priv.h"

#include "contracts/rel/rel_rewrite.h"

static void map_state(const tp_heap_refinement *r, const tp_rexec_store *from,
                      const tp_rexec_store *to, uint32_t n_fields, tp_map *out) {
  const tp_rheap *h = r->heap;
  for (uint32_t f = 0; f < n_fields; f++)
    if (!h->fields.at[f].is_inner)
      tp_map_set(out, tp_refine_number_of(r, from->fields[f]), to->fields[f].id);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (h->types[b].is_used && from->last[b].id)
      tp_map_set(out, tp_refine_number_of(r, from->last[b]), to->last[b].id);
  tp_map_set(out, tp_refine_number_of(r, from->freed), to->freed.id);
  if (from->stack.id)
    tp_map_set(out, tp_refine_number_of(r, from->stack),
               to->stack.id ? to->stack.id : tp_rel_none(r->heap->l, 1).id);
}

/* Relations of the template to what they are at the call. */
void tp_refine_map_call(const tp_heap_refinement *r, const tp_call_template *t,
                        const tp_rexec_call *c, tp_map *out) {
  map_state(r, &t->start.before, &c->before, t->start.n_fields, out);
  if (c->after.freed.id) map_state(r, &t->after, &c->after, t->start.n_fields, out);
  for (uint32_t i = 0; i < t->n_args; i++)
    tp_map_set(out, tp_refine_number_of(r, t->start.args[i]), c->args[i].id);
  if (t->result.id && c->result.id)
    tp_map_set(out, tp_refine_number_of(r, t->result), c->result.id);
}

typedef struct {
  tp_map is_own;
  TP_VEC(uint32_t) at;
} own_list;

static void note_own(void *ctx, uint32_t relation) {
  own_list *o = ctx;
  if (tp_map_has(&o->is_own, relation)) tp_vec_push(&o->at, relation);
}

/* Those of its relations that the body leaves open; at: the caller's. */
static own_list own_relations(const tp_heap_refinement *r, const tp_refined_scope *s,
                              const tp_refined_specification *spec) {
  own_list o = {0};
  for (size_t i = 0; i < s->own.n; i++) tp_map_set(&o.is_own, s->own.at[i], 1);
  for (int k = 0; k < TP_REFINED_N_PARTS; k++)
    if (spec->part[k].id) tp_rel_each_relation(r->heap->l, spec->part[k].id, &o, note_own);
  tp_map_clear(&o.is_own);
  return o;
}

bool tp_refine_has_own(const tp_heap_refinement *r, const tp_refined_scope *callee,
                       const tp_refined_specification *s) {
  own_list used = own_relations(r, callee, s);
  const bool any = used.at.n > 0;
  tp_vec_clear(&used.at);
  return any;
}

/* A relation of the call's own for each value that the callee's body leaves open. All
 * specifications at one call speak of one execution of the body, so they share these relations. */
static void rename_own(tp_heap_refinement *r, const tp_refined_scope *callee,
                       const tp_refined_specification *s, tp_refinement_question *q, size_t call,
                       tp_map *of) {
  tp_map *copies = &q->s->copy.at[q->executed.at[call]];
  own_list used = own_relations(r, callee, s);
  for (size_t i = 0; i < used.at.n; i++) {
    const uint32_t own = used.at.at[i];
    const tp_rel_tuples *lower = tp_rel_lower(r->heap->bounds, own),
                        *upper = tp_rel_upper(r->heap->bounds, own);
    uint64_t known;
    if (!lower || tp_map_has(of, own)) continue;
    if (tp_map_get(copies, own, &known)) {
      tp_map_set(of, own, known);
      continue;
    }
    const char *name =
        tp_arena_printf(&r->arena, "%s @%u", tp_rel_relation_name(r->heap->l, own), ++r->n_renamed);
    const tp_rel_expr x = tp_rel_relation(r->heap->l, name, tp_rel_relation_arity(r->heap->l, own));
    // binding may move what is bound: it is looked up for each
    const bool ok = tp_rel_bound(q->bounds, x, lower, upper) == TP_OK &&
                    tp_rel_bound(r->heap->bounds, x, tp_rel_lower(r->heap->bounds, own),
                                 tp_rel_upper(r->heap->bounds, own)) == TP_OK;
    TP_INVARIANT(ok);
    (void)ok;
    tp_vec_push(&q->s->own, tp_refine_number_of(r, x));
    tp_map_set(of, own, x.id);
    tp_map_set(copies, own, x.id);
  }
  tp_vec_clear(&used.at);
  tp_rel_finder_grow(q->finder);
}

static tp_rel_formula guard_of(tp_heap_refinement *r, const tp_rexec_call *c,
                               tp_call_outcome outcome) {
  if (outcome == TP_CALL_RETURNS) return c->returns;
  return tp_rel_and(r->heap->l, c->when, c->ends[outcome]);
}

tp_status tp_refine_add_formula(tp_rel_finder *f, tp_rel_formula x, bool weak) {
  return weak ? tp_rel_finder_add_unless_false(f, x) : tp_rel_finder_add(f, x);
}

/* One part of a specification where the call ends so; kept for every later question about this
 * execution. */
static bool add_part(tp_heap_refinement *r, tp_refinement_question *q, tp_rel_formula guard,
                     tp_rel_formula part, bool weak, const tp_map *of) {
  const tp_rel_formula f =
      tp_rel_implies(r->heap->l, guard, tp_rel_substitute(r->heap->l, part, of));
  if (tp_rel_error(r->heap->l) || tp_refine_add_formula(q->finder, f, weak) != TP_OK) {
    q->is_broken = true;
    return false;
  }
  if (q->s->t) {
    tp_vec_push(&q->all, f);
    tp_vec_push(&q->weak, weak);
  }
  tp_vec_push(&q->s->guarded, f);
  tp_vec_push(&q->s->weak, weak);
  return true;
}

bool tp_refine_add_at_call(tp_heap_refinement *r, tp_refinement_question *q, size_t call,
                           tp_refined_scope *callee, size_t number) {
  const tp_rexec_call *c = tp_refine_call_of(q, call);
  const tp_refined_specification s = callee->learned.at[number];
  tp_map of = {0};
  bool ok = true;
  tp_refine_map_call(r, callee->t, c, &of);
  if (s.has_own) rename_own(r, callee, &s, q, call, &of);
  for (int k = 0; k < TP_REFINED_N_PARTS && ok; k++)
    ok = !s.part[k].id || add_part(r, q, guard_of(r, c, s.outcome), s.part[k],
                                   k == TP_REFINED_PART_IS_NOT_FALSE, &of);
  tp_map_clear(&of);
  tp_map_set(&q->s->has.at[q->executed.at[call]], number, 1);
  return ok;
}
