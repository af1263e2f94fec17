/* A segment as a solver query: is there a state in a covered abstract state at its start from
 * which its end is reached in an abstract state that is not covered? Answers come with a model,
 * the fabricated state. */
#include "adequacy/adequacy_segment.h"

#include "program/cells.h"

void tp_segment_model_clear(tp_segment_model *m) {
  tp_vec_clear(&m->vars);
  tp_vec_clear(&m->cells);
  tp_vec_clear(&m->objects);
  tp_vec_clear(&m->inputs);
  tp_vec_clear(&m->outputs);
  *m = (tp_segment_model){0};
}

static void drop_solver(tp_segment *s) {
  if (s->smt) tp_smt_free(s->smt);
  s->smt = NULL;
  s->n_covered = 0;
}

void tp_segment_clear(tp_segment *s) {
  drop_solver(s);
  tp_free(s->before);
  tp_free(s->behind);
  tp_free(s->results);
}

void tp_segment_use(tp_segment *s, const char *backend) {
  drop_solver(s);
  s->options.backend = backend;
}

// --------------------------------------------------------------------- the formula

static size_t n_probes(const tp_cutpoint_coverage *at) { return at ? at->probes.n : 0; }

static tp_term *symbols(tp_terms *tt, size_t n) {
  tp_term *at = TP_NEW_ARRAY(tp_term, n + 1);
  for (size_t i = 0; i < n; i++) at[i] = tp_mk_var(tt, "p", tp_sort_bool(tt));
  return at;
}

/* Nothing is there at null. */
static tp_term about_null(const tp_segment *s) {
  const tp_program *p = s->paths->p;
  tp_terms *tt = s->paths->tt;
  tp_term null = tp_mk_bv(tt, TP_OBJ_BITS, 0);
  tp_term live = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_live)->term, null),
          size = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_size)->term, null);
  return tp_mk_and(tt, tp_mk_not(tt, live), tp_mk_eq(tt, size, tp_mk_bv(tt, p->ptr_bits, 0)));
}

/* Path condition, layout, and what the symbols stand for. */
static void write_question(tp_segment *s) {
  TP_REQUIRE(!s->before && !s->behind && !s->results);
  TP_REQUIRE(n_probes(s->from) <= 64 && n_probes(s->to) <= 64);  // bits of a truth vector
  tp_paths *x = s->paths;
  tp_terms *tt = x->tt;
  s->before = symbols(tt, n_probes(s->from));
  s->behind = symbols(tt, n_probes(s->to));
  tp_term all =
      tp_mk_and(tt, tp_mk_and(tt, tp_path_condition(x, s->path), s->layout), about_null(s));
  for (size_t i = 0; i < n_probes(s->from); i++)
    all = tp_mk_and(tt, all, tp_mk_eq(tt, s->before[i], s->from->probes.at[i].term));
  for (size_t i = 0; i < n_probes(s->to); i++)
    all = tp_mk_and(
        tt, all, tp_mk_eq(tt, s->behind[i], tp_path_after(x, s->path, s->to->probes.at[i].term)));
  s->results = TP_NEW_ARRAY(tp_term, s->n_outputs + 1);
  for (size_t i = 0; i < s->n_outputs; i++) {
    s->results[i] = tp_mk_var(tt, "v", tp_sort_of(tt, s->outputs[i]));
    all = tp_mk_and(tt, all, tp_mk_eq(tt, s->results[i], tp_path_after(x, s->path, s->outputs[i])));
  }
  s->question = tp_paths_query(x, all);
}

void tp_segment_prepare(tp_segment *s) {
  if (!tp_term_is(s->question)) write_question(s);
}

static void start(tp_segment *s) {
  if (s->smt) return;
  tp_segment_prepare(s);
  s->smt = tp_smt_new(s->paths->tt, s->options);
  tp_smt_assert(s->smt, s->question);
}

static tp_term cube(const tp_segment *s, const tp_term *at, size_t n, uint64_t values) {
  TP_REQUIRE(n >= 64 || values >> n == 0);
  tp_terms *tt = s->paths->tt;
  tp_term t = tp_mk_true(tt);
  for (size_t i = 0; i < n; i++)
    t = tp_mk_and(tt, t, values >> i & 1 ? at[i] : tp_mk_not(tt, at[i]));
  return t;
}

static tp_term outside(const tp_segment *s, uint64_t values) {
  return tp_mk_not(s->paths->tt, cube(s, s->behind, n_probes(s->to), values));
}

/* What the target covers by now. */
static void exclude_covered(tp_segment *s, const tp_coverage *c) {
  TP_REQUIRE(!s->to || s->n_covered <= s->to->states.n);
  for (; s->to && s->n_covered < s->to->states.n; s->n_covered++)
    tp_smt_assert(s->smt, outside(s, c->states.at[s->to->states.at[s->n_covered]].values));
}

// ----------------------------------------------------------------------- questions

static tp_term any_source(const tp_segment *s, const uint64_t *sources, size_t n) {
  tp_term any = tp_mk_false(s->paths->tt);
  for (size_t i = 0; i < n; i++)
    any = tp_mk_or(s->paths->tt, any, cube(s, s->before, n_probes(s->from), sources[i]));
  return any;
}

tp_smt_answer tp_segment_ask(tp_segment *s, const tp_coverage *c, const uint64_t *sources,
                             size_t n_sources, const uint64_t *excluded, size_t n_excluded) {
  TP_REQUIRE(n_sources > 0);
  start(s);
  exclude_covered(s, c);
  TP_VEC(tp_term) assumed = {0};
  tp_vec_push(&assumed, any_source(s, sources, n_sources));
  for (size_t i = 0; i < n_excluded; i++) tp_vec_push(&assumed, outside(s, excluded[i]));
  tp_smt_answer answer = tp_smt_check(s->smt, assumed.at, assumed.n);
  tp_vec_clear(&assumed);
  return answer;
}

tp_smt_answer tp_segment_ask_literal(tp_segment *s, uint64_t source, size_t i, bool value) {
  TP_REQUIRE(i < n_probes(s->to));
  drop_solver(s);  // what the target covers does not matter here
  start(s);
  const tp_term assumed[] = {cube(s, s->before, n_probes(s->from), source),
                             value ? s->behind[i] : tp_mk_not(s->paths->tt, s->behind[i])};
  return tp_smt_check(s->smt, assumed, 2);
}

tp_smt_answer tp_segment_ask_for(tp_segment *s, uint64_t behind) {
  start(s);
  const tp_term assumed = cube(s, s->behind, n_probes(s->to), behind);
  return tp_smt_check(s->smt, &assumed, 1);
}

tp_smt_answer tp_segment_ask_terms(tp_segment *s, const tp_term *conditions, size_t n) {
  start(s);
  return tp_smt_check(s->smt, conditions, n);
}

// -------------------------------------------------------------------------- models

static uint64_t vector_of(tp_segment *s, const tp_term *at, size_t n) {
  TP_REQUIRE(n <= 64);
  uint64_t values = 0;
  tp_value v;
  for (size_t i = 0; i < n; i++)
    if (tp_smt_value(s->smt, at[i], &v) && v.bits) values |= (uint64_t)1 << i;
  return values;
}

static void read_object(tp_segment *s, tp_segment_model *m, uint32_t object) {
  TP_REQUIRE(s->smt);  // a model was found
  const tp_program *p = s->paths->p;
  tp_terms *tt = s->paths->tt;
  if (object < p->statics.n) return;
  for (size_t i = 0; i < m->objects.n; i++)
    if (m->objects.at[i].object == object) return;
  tp_term number = tp_mk_bv(tt, TP_OBJ_BITS, object);
  const tp_var ghosts[] = {p->ghost_size, p->ghost_kind, p->ghost_live};
  tp_value v[3] = {{0}, {0}, {0}};
  for (size_t i = 0; i < 3; i++)
    if (!tp_smt_value(s->smt, tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, ghosts[i])->term, number),
                      &v[i]))
      v[i] = (tp_value){0};
  tp_vec_push(&m->objects, (tp_model_object){object, (uint64_t)v[0].bits, (tp_object_kind)v[1].bits,
                                             v[2].bits != 0});
}

static bool is_pointer(const tp_terms *tt, tp_sort sort) {
  return tp_sort_kind_of(tt, sort) == TP_SORT_PTR;
}

static void read_var(tp_segment *s, tp_segment_model *m, tp_term t) {
  const tp_paths *x = s->paths;
  tp_value v;
  tp_var var = tp_program_var_of(x->p, t);
  bool is_array = tp_sort_kind_of(x->tt, tp_sort_of(x->tt, t)) == TP_SORT_ARRAY;
  if (is_array || !tp_smt_value(s->smt, t, &v)) return;
  if (tp_term_eq(t, x->next))
    m->next = (uint32_t)v.bits;
  else if (tp_paths_is_input(x, t))
    tp_vec_push(&m->inputs, (tp_model_input){t, v});
  else if (var.id && tp_var_of(x->p, var)->kind != TP_V_GHOST) {
    tp_vec_push(&m->vars, (tp_model_var){var, v});
    if (is_pointer(x->tt, tp_sort_of(x->tt, t))) read_object(s, m, v.object);
  }
}

static void read_cell(tp_segment *s, tp_segment_model *m, tp_term t) {
  const tp_paths *x = s->paths;
  tp_term address;
  tp_model_cell cell = {.sort = tp_sort_of(x->tt, t)};
  if (!tp_is_cell(x->p, t, &address)) return;
  if (!tp_smt_value(s->smt, address, &cell.address) || !tp_smt_value(s->smt, t, &cell.value))
    return;
  read_object(s, m, cell.address.object);
  if (is_pointer(x->tt, cell.sort)) read_object(s, m, cell.value.object);
  tp_vec_push(&m->cells, cell);
}

typedef struct {
  tp_segment *s;
  tp_segment_model *model;
} reading;

static tp_visit read_term(void *ctx, tp_term t) {
  const reading *r = ctx;
  tp_term_kind k = tp_kind(r->s->paths->tt, t);
  if (k == TP_OP_VAR)
    read_var(r->s, r->model, t);
  else if (k == TP_OP_SELECT)
    read_cell(r->s, r->model, t);
  return TP_VISIT_ARGS;
}

void tp_segment_read_model(tp_segment *s, tp_segment_model *out) {
  TP_REQUIRE(s->smt && tp_term_is(s->question));
  out->before = vector_of(s, s->before, n_probes(s->from));
  out->behind = vector_of(s, s->behind, n_probes(s->to));
  for (size_t i = 0; i < s->n_outputs; i++) {
    tp_value v;
    if (!tp_smt_value(s->smt, s->results[i], &v)) v = (tp_value){0};
    tp_vec_push(&out->outputs, v);
  }
  reading r = {s, out};
  tp_visitor v = {.ctx = &r, .visit = read_term, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(s->paths->tt, s->question, &v, NULL);
}
