/* Questions of the loop as questions to the model finder.
 *
 * The relations of a question are few: those that every state shares, those of its own execution,
 * and, for a call, the two states, which are bound exactly, so that most of the body is decided
 * while it is translated. A specification that speaks of values of its own (inputs, inner calls) is
 * renamed apart for each call that it is added to; the relations that this makes are made known to
 * the finder. */
#include "contracts/refine/heap_refinement.h"

#include "contracts/contracts_limits.h"
#include "contracts/refine/left_alone.h"
#include "contracts/refine/proof_specification.h"
#include "contracts/rel/rel_eval.h"
#include "contracts/rel/rel_rewrite.h"

typedef struct {
  tp_call_outcome outcome;
  // over relations of the template, and values of its own: one that holds; one that is not false,
  // made of one path, whose conditions may have no value elsewhere. Conjuncts; id 0: there is none
  tp_rel_formula part[2];
  bool is_path, has_own;
} specification;

enum { PART_HOLDS, PART_IS_NOT_FALSE, N_PARTS };

/* What the body leaves alone, as a specification. */
typedef enum { FRAME_NOT_ASKED, FRAME_IS_IMPLIED, FRAME_IS_NOT } frame_state;

/* What is known of one execution: main, or the body of a template. */
typedef struct {
  const tp_rexec *body;
  const tp_call_template *t;       // NULL: main
  TP_VEC(specification) learned;   // of the template, in order
  TP_VEC(tp_rel_formula) guarded;  // at its calls; parallel: may be undefined
  TP_VEC(bool) weak;
  TP_VEC(uint32_t) own;  // relations: what nothing computes
  TP_VEC(tp_map) has;    // by call: specifications of the callee that were added
  TP_VEC(tp_map) copy;   // by call: own relations of the callee to those that stand for them here
  TP_VEC(uint32_t) in_place;  // by call: outcomes (a bit each) of which the whole body was added
  uint32_t n_paths;
  frame_state frame;
  bool uses_frame;     // it is among what was learned
  uint64_t n_replays;  // of calls of the template that return
} scope;

struct tp_refinement_question {
  scope *s;
  tp_call_outcome outcome;
  tp_rel_bounds *bounds;
  tp_rel_finder *finder;
  tp_rel_formula asked;          // main
  TP_VEC(tp_rel_formula) all;    // of a call: conjuncts of the behaviour, then specifications
  TP_VEC(bool) weak;             // parallel
  TP_VEC(size_t) executed;       // calls of the last execution
  TP_VEC(tp_call_outcome) how;   // parallel
  tp_rel_instance states;        // of a call: what is bound exactly
  bool is_broken, is_confirmed;  // is_confirmed: these states were possible before
};

struct tp_heap_refinement {
  tp_arena arena;
  tp_call_templates *templates;
  tp_rheap *heap;
  double cpu_s;
  bool doubts_exact, is_later;
  scope main;
  scope *callees;   // by template
  bool *is_shared;  // by relation, of those that there were at the start
  uint32_t n_shared, n_renamed;
  tp_refinement_question question;
  tp_left_alone *left_alone;
  tp_map confirmed;               // behaviours that are possible, as hashes
  tp_map pairs;                   // refuted states, as hashes of text
  uint64_t body_after;            // specifications at one call; 0: the body is never put there
  TP_VEC(tp_rexec_call) inlined;  // calls at which the body was put
  const tp_rel_prover *prover;    // the caller's
  tp_heap_refinement_stats stats;
};

// ----------------------------------------------------------------------- bounds

static uint32_t number_of(const tp_heap_refinement *r, tp_rel_expr x) {
  return tp_rel_relation_number(r->heap->l, x);
}

static tp_rel_expr relation_of(const tp_heap_refinement *r, uint32_t number) {
  return tp_rel_relation(r->heap->l, tp_rel_relation_name(r->heap->l, number),
                         tp_rel_relation_arity(r->heap->l, number));
}

static void copy_bound(const tp_heap_refinement *r, tp_rel_bounds *to, uint32_t number) {
  const tp_rel_tuples *lower = tp_rel_lower(r->heap->bounds, number);
  if (!lower) return;
  const tp_status st =
      tp_rel_bound(to, relation_of(r, number), lower, tp_rel_upper(r->heap->bounds, number));
  TP_INVARIANT(st == TP_OK);
  (void)st;
}

static void own_relation(scope *s, const tp_heap_refinement *r, tp_rel_expr x) {
  tp_vec_push(&s->own, number_of(r, x));
}

/* Relations of the heap that belong to no single state or execution. */
static void find_shared(tp_heap_refinement *r) {
  tp_rheap *h = r->heap;
  r->n_shared = tp_rel_n_relations(h->l);
  r->is_shared = TP_NEW_ARRAY(bool, r->n_shared + 1);
  for (uint32_t i = 0; i < r->n_shared; i++) r->is_shared[i] = tp_rel_lower(h->bounds, i) != NULL;
  for (size_t i = 0; i < h->havocs.n; i++)
    r->is_shared[number_of(r, h->havocs.at[i].relation)] = false;
  for (size_t i = 0; i < h->inputs.n; i++)
    r->is_shared[number_of(r, h->inputs.at[i].initial)] = false;
  for (size_t i = 0; i < h->fields.n; i++)
    if (!h->fields.at[i].is_inner) r->is_shared[number_of(r, h->fields.at[i].initial)] = false;
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (h->types[b].is_used) r->is_shared[number_of(r, h->types[b].last)] = false;
}

static void find_own_of_main(tp_heap_refinement *r) {
  const tp_rheap *h = r->heap;
  size_t first = h->havocs.n;
  for (size_t i = 0; i < r->templates->all.n; i++)
    if (r->templates->all.at[i]->first_havoc < first) first = r->templates->all.at[i]->first_havoc;
  for (size_t i = 0; i < first; i++) own_relation(&r->main, r, h->havocs.at[i].relation);
  for (size_t i = 0; i < h->inputs.n - h->n_foreign_inputs; i++)
    own_relation(&r->main, r, h->inputs.at[i].initial);
  for (size_t i = 0; i < h->fields.n; i++)
    if (!h->fields.at[i].is_inner) own_relation(&r->main, r, h->fields.at[i].initial);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (h->types[b].is_used) own_relation(&r->main, r, h->types[b].last);
}

static void init_scope(scope *s, const tp_rexec *body, const tp_call_template *t) {
  *s = (scope){.body = body, .t = t};
  tp_vec_resize(&s->has, body->calls.n);
  tp_vec_resize(&s->copy, body->calls.n);
  tp_vec_resize(&s->in_place, body->calls.n);
}

static void clear_scope(scope *s) {
  for (size_t i = 0; i < s->has.n; i++) tp_map_clear(&s->has.at[i]);
  for (size_t i = 0; i < s->copy.n; i++) tp_map_clear(&s->copy.at[i]);
  tp_vec_clear(&s->has);
  tp_vec_clear(&s->copy);
  tp_vec_clear(&s->in_place);
  tp_vec_clear(&s->learned);
  tp_vec_clear(&s->guarded);
  tp_vec_clear(&s->weak);
  tp_vec_clear(&s->own);
}

static tp_rel_bounds *shared_bounds(const tp_heap_refinement *r) {
  tp_rel_bounds *b = tp_rel_bounds_new(r->heap->l, r->heap->atoms);
  for (uint32_t i = 0; i < r->n_shared; i++)
    if (r->is_shared[i]) copy_bound(r, b, i);
  return b;
}

static tp_rel_options options_of(const tp_heap_refinement *r) {
  tp_rel_options o = tp_rel_default_options();
  o.width_bits = r->heap->limits.width_bits;
  o.cpu_s = r->cpu_s;
  o.symmetry_length = 0;
  return o;
}

tp_heap_refinement *tp_heap_refinement_new(tp_call_templates *t, const tp_rexec *body,
                                           double cpu_s) {
  TP_REQUIRE(t && body && t->heap->bounds);
  tp_heap_refinement *r = TP_NEW(tp_heap_refinement);
  *r = (tp_heap_refinement){.templates = t, .heap = t->heap, .cpu_s = cpu_s};
  tp_arena_init(&r->arena);
  r->stats.loop.max_refinements = TP_CONTRACTS_REFINEMENTS;
  r->body_after = TP_CONTRACTS_BODY_AFTER;
  find_shared(r);
  init_scope(&r->main, body, NULL);
  find_own_of_main(r);
  r->callees = TP_NEW_ARRAY(scope, t->all.n + 1);
  for (size_t i = 0; i < t->all.n; i++) {
    const tp_call_template *f = t->all.at[i];
    init_scope(&r->callees[i], &f->body, f);
    for (size_t k = f->own_havoc; k < f->end_havoc; k++)
      own_relation(&r->callees[i], r, r->heap->havocs.at[k].relation);
    for (size_t k = f->first_input; k < f->end_input; k++)
      own_relation(&r->callees[i], r, r->heap->inputs.at[k].initial);
  }
  r->left_alone = tp_left_alone_new(t);
  r->question = (tp_refinement_question){.s = &r->main, .bounds = shared_bounds(r)};
  for (size_t i = 0; i < r->main.own.n; i++) copy_bound(r, r->question.bounds, r->main.own.at[i]);
  return r;
}

static void clear_question(tp_refinement_question *q) {
  tp_vec_clear(&q->all);
  tp_vec_clear(&q->weak);
  tp_vec_clear(&q->executed);
  tp_vec_clear(&q->how);
  tp_rel_instance_clear(&q->states);
  if (q->bounds) tp_rel_bounds_free(q->bounds);
}

void tp_heap_refinement_free(tp_heap_refinement *r) {
  if (!r) return;
  clear_question(&r->question);
  for (size_t i = 0; i < r->templates->all.n; i++) clear_scope(&r->callees[i]);
  clear_scope(&r->main);
  tp_left_alone_free(r->left_alone);
  tp_free(r->callees);
  tp_free(r->is_shared);
  tp_map_clear(&r->confirmed);
  tp_map_clear(&r->pairs);
  tp_vec_clear(&r->inlined);
  tp_arena_clear(&r->arena);
  tp_free(r);
}

const tp_rel_bounds *tp_heap_refinement_bounds(const tp_heap_refinement *r) {
  return r->question.bounds;
}
void tp_heap_refinement_doubt_exact_calls(tp_heap_refinement *r) { r->doubts_exact = true; }
void tp_heap_refinement_limit(tp_heap_refinement *r, uint64_t max_refinements) {
  r->stats.loop.max_refinements = max_refinements;
}
void tp_heap_refinement_body_after(tp_heap_refinement *r, uint64_t n) { r->body_after = n; }
void tp_heap_refinement_prove(tp_heap_refinement *r, const tp_rel_prover *prover) {
  r->prover = prover;
}
size_t tp_heap_refinement_n_inlined(const tp_heap_refinement *r) { return r->inlined.n; }
const tp_rexec_call *tp_heap_refinement_inlined(const tp_heap_refinement *r, size_t i) {
  TP_REQUIRE(i < r->inlined.n);
  return &r->inlined.at[i];
}
uint64_t tp_heap_refinement_used(const tp_heap_refinement *r) {
  return r->stats.loop.n_refinements + r->stats.loop.n_recalled;
}
void tp_heap_refinement_next_phase(tp_heap_refinement *r) {
  if (r->is_later) return;
  r->is_later = true;
  r->stats.n_refinements_first = r->stats.loop.n_refinements;
  r->stats.first_s = r->stats.main_s + r->stats.replay_s;
}
tp_heap_refinement_stats tp_heap_refinement_statistics(const tp_heap_refinement *r) {
  tp_heap_refinement_stats s = r->stats;
  if (r->is_later) return s;
  s.n_refinements_first = s.loop.n_refinements;
  s.first_s = s.main_s + s.replay_s;
  return s;
}

static scope *scope_of(tp_heap_refinement *r, tp_func f) {
  for (size_t i = 0; i < r->templates->all.n; i++)
    if (r->templates->all.at[i]->func.id == f.id) return &r->callees[i];
  return NULL;
}

// ----------------------------------------------------------------------- solving

static void count_finder(tp_heap_refinement *r, const tp_rel_finder *f) {
  const tp_rel_stats s = tp_rel_finder_stats(f);
  r->stats.n_solver_calls += s.n_solver_calls;
  r->stats.n_variables += s.n_variables;
  r->stats.n_clauses += s.n_clauses;
}

static bool holds(tp_rel_eval *e, tp_rel_formula f) {
  return f.id && tp_rel_eval_formula(e, f) == TP_REL_IS_TRUE;
}

/* Then its body, put at a call, is the call. */
static bool calls_nothing(const scope *s) {
  for (size_t i = 0; i < s->body->calls.n; i++)
    if (s->body->calls.at[i].is_abstract) return false;
  return true;
}

/* Abstract calls that the execution makes, with how they end. */
static void find_executed(tp_heap_refinement *r, tp_refinement_question *q) {
  tp_rel_eval *e =
      tp_rel_eval_new(q->bounds, tp_rel_finder_instance(q->finder), r->heap->limits.width_bits);
  q->executed.n = q->how.n = 0;
  for (size_t i = 0; i < q->s->body->calls.n; i++) {
    const tp_rexec_call *c = &q->s->body->calls.at[i];
    if (!c->is_abstract || !holds(e, c->when)) continue;
    tp_call_outcome how = TP_CALL_N_OUTCOMES;
    if (holds(e, c->returns)) how = TP_CALL_RETURNS;
    for (uint32_t k = TP_REXEC_N_ENDS; k-- > 0;)
      if (holds(e, c->ends[k])) how = k;      // the first one counts, as in the execution
    if (how == TP_CALL_N_OUTCOMES) continue;  // no execution goes on from here
    if (how == TP_CALL_RETURNS && c->is_exact && !r->doubts_exact) continue;
    if (q->s->in_place.at[i] >> how & 1 && calls_nothing(scope_of(r, c->contract->func))) continue;
    tp_vec_push(&q->executed, i);
    tp_vec_push(&q->how, how);
  }
  tp_rel_eval_free(e);
}

static tp_refinement_answer solve(void *ctx, tp_refinement_question *q) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  if (q->is_broken) return TP_REFINEMENT_UNKNOWN;
  if (q->is_confirmed) return TP_REFINEMENT_POSSIBLE;
  const tp_rel_answer a = tp_rel_finder_solve(q->finder, &q->asked, q->asked.id ? 1 : 0);
  *(q->s->t ? &r->stats.replay_s : &r->stats.main_s) += tp_cpu_s() - start_s;
  if (a == TP_REL_UNSAT) return TP_REFINEMENT_IMPOSSIBLE;
  if (a != TP_REL_SAT) return TP_REFINEMENT_UNKNOWN;
  find_executed(r, q);
  return TP_REFINEMENT_POSSIBLE;
}

static size_t n_calls(void *ctx, const tp_refinement_question *q) {
  (void)ctx;
  return q->executed.n;
}

// -------------------------------------------------------- specifications at calls

static const tp_rexec_call *call_of(const tp_refinement_question *q, size_t call) {
  return &q->s->body->calls.at[q->executed.at[call]];
}

static void map_state(const tp_heap_refinement *r, const tp_rexec_store *from,
                      const tp_rexec_store *to, uint32_t n_fields, tp_map *out) {
  const tp_rheap *h = r->heap;
  for (uint32_t f = 0; f < n_fields; f++)
    if (!h->fields.at[f].is_inner) tp_map_set(out, number_of(r, from->fields[f]), to->fields[f].id);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (h->types[b].is_used && from->last[b].id)
      tp_map_set(out, number_of(r, from->last[b]), to->last[b].id);
  tp_map_set(out, number_of(r, from->freed), to->freed.id);
  if (from->stack.id)
    tp_map_set(out, number_of(r, from->stack),
               to->stack.id ? to->stack.id : tp_rel_none(r->heap->l, 1).id);
}

/* Relations of the template to what they are at the call. */
static void map_call(const tp_heap_refinement *r, const tp_call_template *t, const tp_rexec_call *c,
                     tp_map *out) {
  map_state(r, &t->start.before, &c->before, t->start.n_fields, out);
  if (c->after.freed.id) map_state(r, &t->after, &c->after, t->start.n_fields, out);
  for (uint32_t i = 0; i < t->n_args; i++)
    tp_map_set(out, number_of(r, t->start.args[i]), c->args[i].id);
  if (t->result.id && c->result.id) tp_map_set(out, number_of(r, t->result), c->result.id);
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
static own_list own_relations(const tp_heap_refinement *r, const scope *s,
                              const specification *spec) {
  own_list o = {0};
  for (size_t i = 0; i < s->own.n; i++) tp_map_set(&o.is_own, s->own.at[i], 1);
  for (int k = 0; k < N_PARTS; k++)
    if (spec->part[k].id) tp_rel_each_relation(r->heap->l, spec->part[k].id, &o, note_own);
  tp_map_clear(&o.is_own);
  return o;
}

/* A relation of the call's own for each value that the callee's body leaves open. All
 * specifications at one call speak of one execution of the body, so they share these relations. */
static void rename_own(tp_heap_refinement *r, const scope *callee, const specification *s,
                       tp_refinement_question *q, size_t call, tp_map *of) {
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
    tp_vec_push(&q->s->own, number_of(r, x));
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

static tp_status add_formula(tp_rel_finder *f, tp_rel_formula x, bool weak) {
  return weak ? tp_rel_finder_add_unless_false(f, x) : tp_rel_finder_add(f, x);
}

/* One part of a specification where the call ends so; kept for every later question about this
 * execution. */
static bool add_part(tp_heap_refinement *r, tp_refinement_question *q, tp_rel_formula guard,
                     tp_rel_formula part, bool weak, const tp_map *of) {
  const tp_rel_formula f =
      tp_rel_implies(r->heap->l, guard, tp_rel_substitute(r->heap->l, part, of));
  if (tp_rel_error(r->heap->l) || add_formula(q->finder, f, weak) != TP_OK) {
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

static bool add_at_call(tp_heap_refinement *r, tp_refinement_question *q, size_t call,
                        scope *callee, size_t number) {
  const tp_rexec_call *c = call_of(q, call);
  const specification s = callee->learned.at[number];
  tp_map of = {0};
  bool ok = true;
  map_call(r, callee->t, c, &of);
  if (s.has_own) rename_own(r, callee, &s, q, call, &of);
  for (int k = 0; k < N_PARTS && ok; k++)
    ok = !s.part[k].id ||
         add_part(r, q, guard_of(r, c, s.outcome), s.part[k], k == PART_IS_NOT_FALSE, &of);
  tp_map_clear(&of);
  tp_map_set(&q->s->has.at[q->executed.at[call]], number, 1);
  return ok;
}

typedef struct {
  const tp_heap_refinement *r;
  tp_rel_bounds *to;
} bounds_copy;

static void bind_generally(void *ctx, uint32_t relation) {
  const bounds_copy *c = ctx;
  copy_bound(c->r, c->to, relation);
}

/* No instance makes the conjunct true and the specification false, whatever the states are. A
 * specification that counts is a part of the verdict's argument: its refutation is proved, too. */
static bool is_implied(tp_heap_refinement *r, tp_rel_formula conjunct, tp_rel_formula spec) {
  if (conjunct.id == spec.id) return true;
  tp_rel *l = r->heap->l;
  const tp_rel_formula both[] = {conjunct, tp_rel_not(l, spec)};
  tp_rel_bounds *b = tp_rel_bounds_new(l, r->heap->atoms);
  bounds_copy to = {r, b};
  tp_rel_each_relation(l, both[0].id, &to, bind_generally);
  tp_rel_each_relation(l, both[1].id, &to, bind_generally);
  tp_rel_options o = options_of(r);
  o.conflicts = TP_CONTRACTS_SPECIFICATION_CONFLICTS;
  tp_rel_finder *f = tp_rel_finder_new(b, o);
  const bool ok = tp_rel_finder_solve(f, both, 2) == TP_REL_UNSAT;
  const bool is_proved =
      ok && tp_rel_finder_is_refuted(f, both, 2, r->prover, tp_rel_finder_stats(f).solver_s);
  const bool counts = ok && (is_proved || !r->prover || !r->prover->is_required);
  r->stats.n_implied += counts;
  r->stats.n_implied_proved += is_proved;
  count_finder(r, f);
  tp_rel_finder_free(f);
  tp_rel_bounds_free(b);
  return counts;
}

// ------------------------------------------------------- what bodies leave alone

static bool is_frame_implied(tp_heap_refinement *r, scope *s);

/* The body, and of each call in it what its callee leaves alone. */
static tp_rel_formula frame_premise(tp_heap_refinement *r, const scope *s) {
  tp_rel *l = r->heap->l;
  tp_rel_formulas all = {0};
  tp_call_template_behaviour(r->templates, s->t, TP_CALL_RETURNS, &all);
  for (size_t i = 0; i < s->body->calls.n; i++) {
    const tp_rexec_call *c = &s->body->calls.at[i];
    scope *callee = c->is_abstract ? scope_of(r, c->contract->func) : NULL;
    if (!callee || !c->after.freed.id || !is_frame_implied(r, callee)) continue;
    tp_map of = {0};
    map_call(r, callee->t, c, &of);
    const tp_rel_formula frame = tp_left_alone_of(r->left_alone, callee->t);
    tp_vec_push(&all, tp_rel_implies(l, c->returns, tp_rel_substitute(l, frame, &of)));
    tp_map_clear(&of);
  }
  const tp_rel_formula premise = tp_rel_and_all(l, all.at, (uint32_t)all.n);
  tp_vec_clear(&all);
  return premise;
}

/* Asked once for each function; those that it calls are asked before. */
static bool is_frame_implied(tp_heap_refinement *r, scope *s) {
  if (s->frame == FRAME_NOT_ASKED) {
    const tp_rel_formula frame = tp_left_alone_of(r->left_alone, s->t);
    s->frame = FRAME_IS_NOT;  // until it is shown
    if (frame.id && is_implied(r, frame_premise(r, s), frame)) s->frame = FRAME_IS_IMPLIED;
  }
  return s->frame == FRAME_IS_IMPLIED;
}

static size_t learn_frame(tp_heap_refinement *r, scope *s) {
  const specification frame = {.outcome = TP_CALL_RETURNS,
                               .part[PART_HOLDS] = tp_left_alone_of(r->left_alone, s->t)};
  tp_vec_push(&s->learned, frame);
  s->uses_frame = true;
  return s->learned.n - 1;
}

// ------------------------------------------------------------ what is known

static bool excludes(tp_heap_refinement *r, const specification *s, const tp_map *of,
                     tp_rel_eval *e) {
  for (int k = 0; k < N_PARTS; k++) {
    if (!s->part[k].id) continue;
    const tp_rel_truth_value v =
        tp_rel_eval_formula(e, tp_rel_substitute(r->heap->l, s->part[k], of));
    if (v == TP_REL_IS_FALSE || (v == TP_REL_IS_UNDEFINED && k == PART_HOLDS)) return true;
  }
  return false;
}

/* A specification of the callee that excludes the behaviour; SIZE_MAX: none. */
static size_t find_known(tp_heap_refinement *r, const tp_refinement_question *q, size_t call,
                         const scope *callee, const tp_map *of, tp_rel_eval *e) {
  const tp_map *has = &q->s->has.at[q->executed.at[call]];
  for (size_t i = 0; i < callee->learned.n; i++) {
    const specification *s = &callee->learned.at[i];
    if (s->outcome == q->how.at[call] && !s->has_own && !tp_map_has(has, i) &&
        excludes(r, s, of, e))
      return i;
  }
  return SIZE_MAX;
}

/* Does the call change what its body leaves alone? */
static bool changes_frame(tp_heap_refinement *r, const scope *callee, const tp_map *of,
                          tp_rel_eval *e) {
  const specification s = {.part[PART_HOLDS] = tp_left_alone_of(r->left_alone, callee->t)};
  return s.part[PART_HOLDS].id && excludes(r, &s, of, e);
}

static tp_refinement_known recall(void *ctx, tp_refinement_question *q, size_t call) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  const tp_rexec_call *c = call_of(q, call);
  scope *callee = scope_of(r, c->contract->func);
  tp_map of = {0};
  tp_rel_eval *e =
      tp_rel_eval_new(q->bounds, tp_rel_finder_instance(q->finder), r->heap->limits.width_bits);
  map_call(r, callee->t, c, &of);
  size_t found = find_known(r, q, call, callee, &of, e);
  tp_refinement_known known = TP_REFINEMENT_AGAIN;
  if (found == SIZE_MAX && q->how.at[call] == TP_CALL_RETURNS && !callee->uses_frame &&
      changes_frame(r, callee, &of, e) && is_frame_implied(r, callee)) {
    found = learn_frame(r, callee);
    known = TP_REFINEMENT_FIRST;
  }
  tp_rel_eval_free(e);
  tp_map_clear(&of);
  const bool ok = found != SIZE_MAX && add_at_call(r, q, call, callee, found);
  r->stats.replay_s += tp_cpu_s() - start_s;
  return ok ? known : TP_REFINEMENT_NOTHING;
}

void tp_heap_refinement_use(tp_heap_refinement *r, tp_rel_finder *f) {
  tp_refinement_question *q = &r->question;
  q->finder = f;
  q->is_broken = false;
  for (size_t i = 0; i < q->s->guarded.n && !q->is_broken; i++)
    q->is_broken = add_formula(f, q->s->guarded.at[i], q->s->weak.at[i]) != TP_OK;
}

// ------------------------------------------------------------------------ replay

/* The relation has exactly the value of the expression. False: it has none, or one that is no value
 * of the relation. */
static bool fix(tp_heap_refinement *r, tp_refinement_question *q, tp_rel_eval *e, tp_rel_expr to,
                tp_rel_expr value) {
  tp_rel_tuples tuples = {0};
  const uint32_t n = number_of(r, to);
  const bool ok = tp_rel_eval_expr(e, value, &tuples) &&
                  tp_rel_tuples_are_subset(&tuples, tp_rel_upper(r->heap->bounds, n)) &&
                  tp_rel_bound_exactly(q->bounds, to, &tuples) == TP_OK;
  if (ok) tp_rel_tuples_copy(&q->states.of[n], &tuples);
  tp_rel_tuples_clear(&tuples);
  return ok;
}

static bool fix_state(tp_heap_refinement *r, tp_refinement_question *q, tp_rel_eval *e,
                      const tp_rexec_store *to, const tp_rexec_store *value, uint32_t n_fields) {
  const tp_rheap *h = r->heap;
  bool ok = fix(r, q, e, to->freed, value->freed);
  for (uint32_t f = 0; f < n_fields && ok; f++)
    ok = h->fields.at[f].is_inner || fix(r, q, e, to->fields[f], value->fields[f]);
  for (uint32_t b = 0; b < h->object_model->basics.n && ok; b++)
    ok = !h->types[b].is_used || !to->last[b].id || to->last[b].id == h->types[b].last.id ||
         fix(r, q, e, to->last[b], value->last[b]);
  return ok;
}

/* Fresh memory: what the main instance says; it is one world. */
static void fix_shared(tp_heap_refinement *r, tp_refinement_question *q,
                       const tp_refinement_question *caller) {
  const tp_rel_instance *i = tp_rel_finder_instance(caller->finder);
  for (uint32_t n = 0; n < r->n_shared; n++) {
    if (!r->is_shared[n]) continue;
    tp_rel_tuples_copy(&q->states.of[n], &i->of[n]);
    const tp_status st = tp_rel_bound_exactly(q->bounds, relation_of(r, n), &i->of[n]);
    TP_INVARIANT(st == TP_OK);
    (void)st;
  }
}

static bool fix_states(tp_heap_refinement *r, tp_refinement_question *q,
                       const tp_refinement_question *caller, const tp_rexec_call *c) {
  const tp_call_template *t = q->s->t;
  tp_rel_eval *e = tp_rel_eval_new(caller->bounds, tp_rel_finder_instance(caller->finder),
                                   r->heap->limits.width_bits);
  const tp_rel_expr none = tp_rel_none(r->heap->l, 1);
  bool ok = fix_state(r, q, e, &t->start.before, &c->before, t->start.n_fields) &&
            fix(r, q, e, t->start.before.stack, c->before.stack.id ? c->before.stack : none);
  for (uint32_t i = 0; i < t->n_args && ok; i++) ok = fix(r, q, e, t->start.args[i], c->args[i]);
  if (q->outcome == TP_CALL_RETURNS && ok) {
    ok = fix_state(r, q, e, &t->after, &c->after, t->start.n_fields);
    if (ok && t->result.id && c->result.id) ok = fix(r, q, e, t->result, c->result);
  }
  tp_rel_eval_free(e);
  return ok;
}

/* For an outcome without a post-state: its relations are bound, and say nothing. */
static void bind_post_state(const tp_heap_refinement *r, tp_refinement_question *q) {
  const tp_call_template *t = q->s->t;
  for (size_t i = t->first_havoc; i < t->own_havoc; i++) {
    const uint32_t n = number_of(r, r->heap->havocs.at[i].relation);
    if (!tp_rel_lower(q->bounds, n)) copy_bound(r, q->bounds, n);
  }
}

static void add_conjuncts(tp_heap_refinement *r, tp_refinement_question *q) {
  tp_rel_formulas all = {0};
  tp_call_template_behaviour(r->templates, q->s->t, q->outcome, &all);
  for (size_t i = 0; i < all.n; i++) {
    tp_vec_push(&q->all, all.at[i]);
    tp_vec_push(&q->weak, false);
  }
  tp_vec_clear(&all);
  for (size_t i = 0; i < q->s->guarded.n; i++) {
    tp_vec_push(&q->all, q->s->guarded.at[i]);
    tp_vec_push(&q->weak, q->s->weak.at[i]);
  }
  for (size_t i = 0; i < q->all.n && !q->is_broken; i++)
    q->is_broken = add_formula(q->finder, q->all.at[i], q->weak.at[i]) != TP_OK;
}

static void leave(void *ctx, tp_refinement_question *q) {
  tp_heap_refinement *r = ctx;
  if (q->finder) {
    count_finder(r, q->finder);
    tp_rel_finder_free(q->finder);
  }
  clear_question(q);
  tp_free(q);
}

/* The behaviour of a call as a number: its two states, how it ends. */
static uint64_t behaviour_of(const tp_refinement_question *callee) {
  uint64_t h = 1469598103934665603u ^ (uintptr_t)callee->s ^ ((uint64_t)callee->outcome << 1);
  for (uint32_t i = 0; i < callee->states.n; i++)
    for (size_t k = 0; k < callee->states.of[i].n; k++)
      h = (h ^ (callee->states.of[i].at[k] * 1099511628211u + i)) * 1099511628211u;
  return h;
}

/* Two behaviours of one number would make a call stand that does not: bodies are executed before a
 * failure is believed, so no verdict rests on it. */
static void confirm(void *ctx, const tp_refinement_question *callee) {
  tp_heap_refinement *r = ctx;
  tp_map_set(&r->confirmed, behaviour_of(callee), 1);
}

static tp_refinement_question *enter(void *ctx, tp_refinement_question *caller, size_t call) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  const tp_rexec_call *c = call_of(caller, call);
  tp_refinement_question *q = TP_NEW(tp_refinement_question);
  q->s = scope_of(r, c->contract->func);
  q->outcome = caller->how.at[call];
  q->s->n_replays += q->outcome == TP_CALL_RETURNS;
  q->bounds = shared_bounds(r);
  tp_rel_instance_init(&q->states, tp_rel_n_relations(r->heap->l));
  fix_shared(r, q, caller);
  if (!fix_states(r, q, caller, c)) {
    leave(r, q);
    return NULL;
  }
  q->is_confirmed = tp_map_has(&r->confirmed, behaviour_of(q));
  if (q->is_confirmed) {
    r->stats.replay_s += tp_cpu_s() - start_s;
    return q;
  }
  bind_post_state(r, q);
  for (size_t i = 0; i < q->s->own.n; i++) copy_bound(r, q->bounds, q->s->own.at[i]);
  q->finder = tp_rel_finder_new(q->bounds, options_of(r));
  add_conjuncts(r, q);
  r->stats.replay_s += tp_cpu_s() - start_s;
  return q;
}

// -------------------------------------------------------------------- extraction

/* Which relations the two states and the world give; which of them are not of the post-state. */
static bool *known_before(const tp_heap_refinement *r, const tp_refinement_question *q,
                          uint32_t *n) {
  const tp_call_template *t = q->s->t;
  *n = q->states.n;
  bool *known = TP_NEW_ARRAY(bool, *n + 1);
  for (uint32_t i = 0; i < r->n_shared; i++) known[i] = r->is_shared[i];
  for (size_t i = t->first_havoc; i < t->own_havoc; i++)
    known[number_of(r, r->heap->havocs.at[i].relation)] = true;
  for (uint32_t f = 0; f < t->start.n_fields; f++)
    if (!r->heap->fields.at[f].is_inner) known[number_of(r, t->after.fields[f])] = false;
  for (uint32_t b = 0; b < r->heap->object_model->basics.n; b++)
    if (r->heap->types[b].is_used && t->after.last[b].id != t->start.before.last[b].id)
      known[number_of(r, t->after.last[b])] = false;
  known[number_of(r, t->after.freed)] = false;
  known[number_of(r, t->after.stack)] = false;
  if (t->result.id) known[number_of(r, t->result)] = false;
  return known;
}

/* The two states contradict the specification by itself. */
static bool is_refuted(tp_heap_refinement *r, const tp_refinement_question *q,
                       const specification *s) {
  tp_rel_finder *f = tp_rel_finder_new(q->bounds, options_of(r));
  bool ok = true;
  for (int k = 0; k < N_PARTS && ok; k++)
    ok = !s->part[k].id || add_formula(f, s->part[k], k == PART_IS_NOT_FALSE) == TP_OK;
  ok = ok && tp_rel_finder_solve(f, NULL, 0) == TP_REL_UNSAT;
  count_finder(r, f);
  tp_rel_finder_free(f);
  return ok;
}

/* Conjuncts, of all that were asked, that have no instance together. */
static tp_rel_formula *core_of(tp_refinement_question *q, size_t *n) {
  tp_rel_formula *core = TP_NEW_ARRAY(tp_rel_formula, q->all.n + 1);
  if (tp_rel_finder_core(q->finder, core, n) != TP_REL_UNSAT) {
    for (size_t i = 0; i < q->all.n; i++) core[i] = q->all.at[i];
    *n = q->all.n;
  }
  return core;
}

/* Each conjunct of the core for the path of this pre-state; id 0: it does not do. */
static tp_rel_formula path_of(tp_heap_refinement *r, tp_refinement_question *q,
                              const tp_rel_formula *core, size_t n) {
  tp_rel *l = r->heap->l;
  uint32_t n_known;
  bool *known = known_before(r, q, &n_known);
  tp_rel_formula all = {0};
  for (size_t i = 0; i < n; i++) {
    const tp_rel_formula path = tp_proof_specification_path(
        l, q->bounds, &q->states, known, n_known, r->heap->limits.width_bits, core[i]);
    if (!is_implied(r, core[i], path)) {
      all = (tp_rel_formula){0};
      break;
    }
    all = all.id ? tp_rel_and(l, all, path) : path;
  }
  tp_free(known);
  return all;
}

static bool is_weak(const tp_refinement_question *q, tp_rel_formula conjunct) {
  for (size_t k = 0; k < q->all.n; k++)
    if (q->all.at[k].id == conjunct.id && !q->weak.at[k]) return false;
  return true;
}

static specification whole(tp_heap_refinement *r, const tp_refinement_question *q,
                           const tp_rel_formula *core, size_t n) {
  specification s = {.outcome = q->outcome};
  for (size_t i = 0; i < n; i++) {
    tp_rel_formula *part = &s.part[is_weak(q, core[i]) ? PART_IS_NOT_FALSE : PART_HOLDS];
    *part = part->id ? tp_rel_and(r->heap->l, *part, core[i]) : core[i];
  }
  return s;
}

static bool has_own(const tp_heap_refinement *r, const scope *callee, const specification *s) {
  own_list used = own_relations(r, callee, s);
  const bool any = used.at.n > 0;
  tp_vec_clear(&used.at);
  return any;
}

/* One path of the body; whole conjuncts where that is no proof, or paths were not enough. */
static specification extract(tp_heap_refinement *r, tp_refinement_question *q) {
  size_t n;
  tp_rel_formula *core = core_of(q, &n);
  specification s = {.outcome = q->outcome, .is_path = true};
  if (q->s->n_paths < TP_CONTRACTS_SPECIFICATION_PATHS && q->outcome == TP_CALL_RETURNS)
    s.part[PART_IS_NOT_FALSE] = path_of(r, q, core, n);
  if (!s.part[PART_IS_NOT_FALSE].id || !is_refuted(r, q, &s)) s = whole(r, q, core, n);
  q->s->n_paths += s.is_path;
  s.has_own = has_own(r, q->s, &s);
  tp_free(core);
  return s;
}

/* All that is known of the body. */
static specification body_of(tp_heap_refinement *r, const tp_refinement_question *callee) {
  specification s = whole(r, callee, callee->all.at, callee->all.n);
  s.has_own = has_own(r, callee->s, &s);
  return s;
}

/* So many specifications did not do at this call. */
static bool is_body_wanted(const tp_heap_refinement *r, const tp_refinement_question *q,
                           size_t call, const tp_refinement_question *callee) {
  const size_t at = q->executed.at[call];
  return r->body_after && q->s->has.at[at].n >= r->body_after &&
         !(q->s->in_place.at[at] >> callee->outcome & 1);
}

/* The two states of a call as a number, with the call. */
static uint64_t pair_of(const tp_refinement_question *caller, size_t call,
                        const tp_refinement_question *callee) {
  return behaviour_of(callee) ^
         tp_hash_u64((uintptr_t)caller->s ^ (caller->executed.at[call] << 3));
}

static bool learn(void *ctx, tp_refinement_question *q, size_t call,
                  tp_refinement_question *callee) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  uint32_t *bodies = &q->s->in_place.at[q->executed.at[call]];
  const bool is_body = is_body_wanted(r, q, call, callee);
  const specification s = is_body ? body_of(r, callee) : extract(r, callee);
  const uint64_t pair = pair_of(q, call, callee);
  const bool is_again = tp_map_has(&r->pairs, pair);
  tp_map_set(&r->pairs, pair, 1);
  r->stats.n_repeated += is_again;
  *(is_body ? &r->stats.n_bodies : s.is_path ? &r->stats.n_paths : &r->stats.n_whole) += 1;
  tp_vec_push(&callee->s->learned, s);
  const bool ok = !is_again && (is_body || is_refuted(r, callee, &s)) &&
                  add_at_call(r, q, call, callee->s, callee->s->learned.n - 1);
  if (ok && is_body) {
    *bodies |= 1u << callee->outcome;
    tp_vec_push(&r->inlined, *call_of(q, call));
  }
  r->stats.replay_s += tp_cpu_s() - start_s;
  return ok;
}

// -------------------------------------------------------------------------- all

static const tp_refinement_ops heap_ops = {.solve = solve,
                                           .n_calls = n_calls,
                                           .recall = recall,
                                           .enter = enter,
                                           .learn = learn,
                                           .confirm = confirm,
                                           .leave = leave};

tp_refinement_answer tp_heap_refinement_ask(tp_heap_refinement *r, tp_rel_formula asked) {
  TP_REQUIRE(r->question.finder && asked.id);
  r->question.asked = asked;
  return tp_refinement_decide(&heap_ops, r, &r->question, &r->stats.loop);
}

uint64_t tp_heap_refinement_replays(tp_heap_refinement *r, tp_func f) {
  const scope *s = scope_of(r, f);
  return s ? s->n_replays : 0;
}

size_t tp_heap_refinement_at_call(const tp_heap_refinement *r, size_t call) {
  TP_REQUIRE(call < r->main.has.n);
  return r->main.has.at[call].n;
}

void tp_heap_refinement_print(const tp_heap_refinement *r, tp_str *out) {
  for (size_t i = 0; i < r->templates->all.n; i++)
    for (size_t k = 0; k < r->callees[i].learned.n; k++)
      for (int part = 0; part < N_PARTS; part++) {
        const tp_rel_formula f = r->callees[i].learned.at[k].part[part];
        if (!f.id) continue;
        tp_str_printf(out, "  of %s: ", tp_func_of(r->heap->program, r->callees[i].t->func)->name);
        tp_rel_print(r->heap->l, f.id, out);
        tp_str_add_char(out, '\n');
      }
  for (size_t i = 0; i < r->main.has.n; i++)
    if (r->main.body->calls.at[i].is_abstract)
      tp_str_printf(out, "  call %zu, of %s: %zu specifications\n", i + 1,
                    r->main.body->calls.at[i].contract->name, r->main.has.at[i].n);
}
