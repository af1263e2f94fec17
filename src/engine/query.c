/* Solver queries. Addresses of objects are numbers to the solver; before a condition is asked, the
 * axioms of the bases that it uses are asserted: not zero, aligned, no wrap, disjoint. */
#include "engine/query.h"

#include "engine/engine_limits.h"

void tp_query_init(tp_query *q, tp_symex *x, const char *backend, tp_stats *stats) {
  TP_REQUIRE(x && stats);
  memset(q, 0, sizeof *q);
  q->x = x;
  q->stats = stats;
  q->backend = backend;
}

static void drop_model(tp_query *q) {
  if (q->model) tp_smt_free(q->model);
  q->model = NULL;
  tp_map_clear(&q->constants);
}

void tp_query_restart(tp_query *q) {
  drop_model(q);
  if (q->quick) tp_smt_free(q->quick);
  q->quick = NULL;
  tp_map_clear(&q->bases_asserted);
  tp_map_clear(&q->scanned);
  tp_map_clear(&q->answers);
}

void tp_query_clear(tp_query *q) {
  tp_query_restart(q);
  tp_flattener_clear(&q->flattener);
}

/* What the solver sees. */
static tp_term prepare(tp_query *q, tp_term t) {
  return tp_flatten(&q->flattener, q->x->tt, t, TP_ENGINE_FLAT_CONDITIONS);
}

// ----------------------------------------------------------------------- bases

typedef struct {
  tp_query *q;
  tp_map *objects;
} base_search;

static tp_visit add_bases(void *ctx, tp_term t) {
  const base_search *s = ctx;
  tp_query *q = s->q;
  if (tp_kind(q->x->tt, t) != TP_OP_PTR_TO_INT) return TP_VISIT_ARGS;
  const tp_targets *to = tp_pointer_targets(&q->x->pointers, tp_arg(q->x->tt, t, 0));
  for (uint32_t i = 0; i < to->n; i++)
    if (to->at[i] && to->at[i] < q->x->instances.n) tp_map_set(s->objects, to->at[i], 1);
  return TP_VISIT_ARGS;
}

/* Objects whose addresses are used as numbers in t; `seen` are terms that need no look any more. */
static void find_bases(tp_query *q, tp_term t, tp_map *seen, tp_map *objects) {
  base_search s = {q, objects};
  tp_visitor v = {.ctx = &s, .visit = add_bases, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(q->x->tt, t, &v, seen);
}

static tp_term base_of(tp_query *q, uint32_t object) {
  return tp_mk1(q->x->tt, TP_OP_PTR_TO_INT, tp_mk_ptr_const(q->x->tt, object, 0));
}

/* Alignment that every implementation gives. */
static uint32_t alignment(const tp_query *q, uint32_t object) {
  const tp_program *p = q->x->p;
  const tp_instance *o = &q->x->instances.at[object];
  if (o->kind == TP_O_HEAP) return p->ptr_bits == 64 ? 16 : 8;
  uint32_t align = 1;
  if (object < p->statics.n)
    align = p->statics.at[object].align_bytes;
  else if (o->edge.id)
    align = tp_edge_of(p, o->edge)->align_bytes;
  return align && (align & (align - 1)) == 0 ? align : 1;
}

static tp_term base_axiom(tp_query *q, uint32_t object) {
  TP_REQUIRE(object > 0 && object < q->x->instances.n);
  tp_terms *tt = q->x->tt;
  uint32_t w = q->x->p->ptr_bits, align = alignment(q, object);
  tp_term base = base_of(q, object), zero = tp_mk_bv(tt, w, 0);
  tp_term last = tp_mk1(tt, TP_OP_BV_NOT, q->x->instances.at[object].size);  // 2^w - 1 - size
  tp_term fact =
      tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, base, last), tp_mk_not(tt, tp_mk_eq(tt, base, zero)));
  if (align == 1) return fact;
  return tp_mk_and(tt, fact,
                   tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_AND, base, tp_mk_bv(tt, w, align - 1)), zero));
}

static tp_term disjoint(tp_query *q, uint32_t a, uint32_t b) {
  tp_terms *tt = q->x->tt;
  tp_term end_a = tp_mk2(tt, TP_OP_BV_ADD, base_of(q, a), q->x->instances.at[a].size);
  tp_term end_b = tp_mk2(tt, TP_OP_BV_ADD, base_of(q, b), q->x->instances.at[b].size);
  return tp_mk_or(tt, tp_mk2(tt, TP_OP_BV_ULE, end_a, base_of(q, b)),
                  tp_mk2(tt, TP_OP_BV_ULE, end_b, base_of(q, a)));
}

/* What holds of the bases in t, to a solver that already knows about `asserted`. Only objects that
 * exist side by side need different places; two objects of which one is freed may share one. */
static void assert_base_axioms(tp_query *q, tp_smt *s, tp_term t, tp_map *seen, tp_map *asserted) {
  tp_map objects = {0};
  find_bases(q, t, seen, &objects);
  for (size_t i = 0; i < objects.n; i++) {
    uint32_t object = (uint32_t)objects.entries[i].key;
    if (tp_map_has(asserted, object)) continue;
    tp_smt_assert(s, base_axiom(q, object));
    for (size_t k = 0; k < asserted->n && asserted->n < TP_ENGINE_DISJOINT_OBJECTS; k++) {
      uint32_t other = (uint32_t)asserted->entries[k].key;
      if (object < q->x->p->statics.n && other < q->x->p->statics.n)
        tp_smt_assert(s, disjoint(q, object, other));
    }
    tp_map_set(asserted, object, 1);
  }
  tp_map_clear(&objects);
}

// --------------------------------------------------------------------- questions

static tp_smt_options options_for(const tp_query *q, uint64_t rlimit, double cpu_s) {
  return (tp_smt_options){.backend = q->backend,
                          .rlimit = rlimit,
                          .cpu_s = cpu_s,
                          .looks_at_bounds = true,
                          .stats = q->stats};
}

static tp_smt_answer constant_answer(const tp_query *q, tp_term condition) {
  if (tp_is_false(q->x->tt, condition)) return TP_SMT_UNSAT;
  if (tp_is_true(q->x->tt, condition)) return TP_SMT_SAT;
  return TP_SMT_UNKNOWN;
}

tp_smt_answer tp_query_quick(tp_query *q, tp_term condition) {
  TP_REQUIRE(tp_sort_kind_of(q->x->tt, tp_sort_of(q->x->tt, condition)) == TP_SORT_BOOL);
  uint64_t known;
  tp_smt_answer a = constant_answer(q, condition);
  if (a != TP_SMT_UNKNOWN) return a;
  if (tp_map_get(&q->answers, condition.id, &known)) return (tp_smt_answer)(known - 1);
  if (!q->quick)
    q->quick = tp_smt_new(q->x->tt, options_for(q, TP_ENGINE_QUICK_RLIMIT, TP_ENGINE_QUICK_S));
  double start_s = tp_cpu_s();
  tp_term flat = prepare(q, condition);
  assert_base_axioms(q, q->quick, flat, &q->scanned, &q->bases_asserted);
  a = tp_smt_check(q->quick, &flat, 1);
  q->solver_s += tp_cpu_s() - start_s;
  tp_map_set(&q->answers, condition.id, (uint64_t)a + 1);
  return a;
}

tp_smt_answer tp_query_thorough(tp_query *q, tp_term condition, uint64_t rlimit, double cpu_s) {
  TP_REQUIRE(tp_sort_kind_of(q->x->tt, tp_sort_of(q->x->tt, condition)) == TP_SORT_BOOL);
  TP_REQUIRE(cpu_s >= 0);
  drop_model(q);
  if (tp_is_false(q->x->tt, condition)) return TP_SMT_UNSAT;
  q->model = tp_smt_new(q->x->tt, options_for(q, rlimit, cpu_s));
  double start_s = tp_cpu_s();
  tp_map seen = {0}, asserted = {0};
  tp_term flat = prepare(q, condition);
  size_t size = tp_dag_size(q->x->tt, flat);
  if (size > q->largest) q->largest = size;
  assert_base_axioms(q, q->model, flat, &seen, &asserted);
  tp_map_clear(&seen);
  tp_map_clear(&asserted);
  tp_smt_assert(q->model, flat);
  tp_smt_answer a = tp_smt_check(q->model, NULL, 0);
  q->solver_s += tp_cpu_s() - start_s;
  if (a != TP_SMT_SAT) drop_model(q);
  return a;
}

// ----------------------------------------------------------------------- models

/* The model's constant for a variable; arrays and what the model does not tell stay as they are. */
static tp_term constant_of(void *ctx, tp_term var) {
  tp_query *q = ctx;
  tp_terms *tt = q->x->tt;
  tp_value v;
  tp_sort s = tp_sort_of(tt, var);
  if (tp_sort_kind_of(tt, s) == TP_SORT_ARRAY || !tp_smt_value(q->model, var, &v))
    return TP_TERM_NONE;
  return tp_mk_value(tt, s, v);
}

/* By substitution with a memo that lives as long as the model: guards share nearly all of their
 * graph. */
bool tp_query_value(tp_query *q, tp_term t, tp_value *out) {
  tp_terms *tt = q->x->tt;
  if (!q->model) return false;
  tp_term c = tp_subst(tt, t, constant_of, q, &q->constants);
  *out = (tp_value){0};
  if (tp_is_true(tt, c) || tp_is_false(tt, c)) {
    out->bits = tp_is_true(tt, c);
    return true;
  }
  if (tp_kind(tt, c) == TP_OP_BV_CONST || tp_kind(tt, c) == TP_OP_FP_CONST) {
    out->bits = tp_bv_value(tt, c);
    return true;
  }
  return tp_smt_value(q->model, c, out);
}
