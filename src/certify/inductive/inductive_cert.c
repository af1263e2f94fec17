/* Line by line; every reference is checked when it is read, formulas when all contexts are known.
 */
#include "certify/inductive/inductive_cert.h"

#include "certify/certificate_lines.h"
#include "certify/inductive/fold_lines.h"
#include "certify/inductive/universal.h"
#include "program/cells.h"
#include "program/variables_text.h"

enum { MAX_FIELDS = 6, DIGITS = 9 };

typedef struct {
  uint32_t cutpoint;
  tp_term formula;
  tp_chk_graph_sets described;
} found_formula;

typedef struct {
  tp_chk_lines text;
  const tp_program *p;
  tp_chk_cert *e;
  TP_VEC(found_formula) found;
  bool may_describe;  // the line before was `at` or `shape`
  bool counts;        // some cutpoints are counted, others not
} reader;

static bool fail(reader *r, const char *what) { return tp_chk_lines_fail(&r->text, what); }

// -------------------------------------------------------------------- fields

static bool number(const char *text, uint64_t *out) { return tp_chk_number(text, DIGITS, out); }

static bool is(const char *field, const char *word) { return field && strcmp(field, word) == 0; }

/* A number that must be the next of a vector with an unused first element. */
static bool is_next(const char *field, size_t n) {
  uint64_t k;
  return number(field, &k) && k == n;
}

static bool kind_line(reader *r, int n, char **f) {
  r->e->has_shapes = n == 2 && is(f[1], "shapes");
  return (n == 2 && is(f[0], "kind") && (is(f[1], "invariants") || r->e->has_shapes)) ||
         fail(r, "no certificate of invariants");
}

// ------------------------------------------------------- contracts, contexts

static bool contract_line(reader *r, char **f) {
  tp_chk_cert *e = r->e;
  tp_func func = tp_chk_func_named(r->p, f[2]);
  if (!is_next(f[1], e->contracts.n)) return fail(r, "contracts are numbered from 1 on");
  if (e->contexts.n > 1) return fail(r, "contracts stand before contexts");
  if (!func.id) return fail(r, "no such function, or several");
  tp_chk_contract c = {.func = func,
                       .pre = tp_mk_true(r->p->terms),
                       .post = tp_mk_true(r->p->terms),
                       .next_of_func = e->first_contract[func.id]};
  e->first_contract[func.id] = (uint32_t)e->contracts.n;
  tp_vec_push(&e->contracts, c);
  return true;
}

bool tp_chk_cert_is_active(const tp_chk_cert *e, uint32_t context, tp_func f) {
  for (; context; context = e->contexts.at[context].parent)
    if (e->contexts.at[context].func.id == f.id) return true;
  return false;
}

/* Could the call enter this function? */
static bool call_context(reader *r, char **f) {
  tp_chk_cert *e = r->e;
  uint64_t parent, edge, first = 0;
  tp_func func = tp_chk_func_named(r->p, f[5]);
  if (!number(f[3], &parent) || parent == 0 || parent >= e->contexts.n)
    return fail(r, "no such context");
  if (!number(f[4], &edge) || edge == 0 || edge >= r->p->edges.n || !r->p->edges.at[edge].from.id)
    return fail(r, "no such edge");
  const tp_edge_info *call = &r->p->edges.at[edge];
  if (call->callee.id && is(tp_func_of(r->p, call->callee)->name, f[5])) func = call->callee;
  if (!func.id || !tp_func_of(r->p, func)->has_body) return fail(r, "no such function, or several");
  if (tp_loc_of(r->p, call->from)->func.id != e->contexts.at[parent].func.id)
    return fail(r, "the call is not in the function on top");
  if (!tp_chk_call_fits(r->p, call, func)) return fail(r, "this is no call of that function");
  if (e->first_contract[func.id]) return fail(r, "a function with a contract is entered by a call");
  if (tp_chk_cert_is_active(e, (uint32_t)parent, func))
    return fail(r, "a function is active twice");
  uint64_t key = parent << 32 | edge;
  for (uint32_t k = tp_map_get(&e->calls, key, &first) ? (uint32_t)first : 0; k;
       k = e->contexts.at[k].next_of_call)
    if (e->contexts.at[k].func.id == func.id) return fail(r, "a second context for this call");
  tp_map_set(&e->calls, key, e->contexts.n);
  tp_vec_push(&e->contexts, (tp_chk_context){.parent = (uint32_t)parent,
                                             .call = {(uint32_t)edge},
                                             .func = func,
                                             .next_of_call = (uint32_t)first});
  return true;
}

static bool context_line(reader *r, int n, char **f) {
  tp_chk_cert *e = r->e;
  uint64_t k;
  if (!is_next(f[1], e->contexts.n)) return fail(r, "contexts are numbered from 1 on");
  if (n == 6 && is(f[2], "call")) return call_context(r, f);
  if (n == 3 && is(f[2], "main")) {
    if (e->main || !r->p->main.id) return fail(r, "a second context of main, or there is no main");
    e->main = (uint32_t)e->contexts.n;
    tp_vec_push(&e->contexts, (tp_chk_context){.func = r->p->main});
    return true;
  }
  if (n != 4 || !is(f[2], "contract") || !number(f[3], &k) || k == 0 || k >= e->contracts.n)
    return fail(r, "no such contract");
  if (e->contracts.at[k].root) return fail(r, "a second context for this contract");
  e->contracts.at[k].root = (uint32_t)e->contexts.n;
  tp_vec_push(&e->contexts,
              (tp_chk_context){.func = e->contracts.at[k].func, .contract = (uint32_t)k});
  return true;
}

// ------------------------------------------------------------------- formulas

/* Arrays occur as first arguments of SELECT only; no quantifiers. */
static bool is_plain(const tp_program *p, tp_term t) {
  const tp_terms *tt = p->terms;
  tp_map seen = {0};
  TP_VEC(uint32_t) todo = {0};
  bool ok = true;
  tp_vec_push(&todo, t.id);
  while (ok && todo.n) {
    tp_term at = {tp_vec_pop(&todo)};
    if (tp_map_has(&seen, at.id)) continue;
    tp_map_set(&seen, at.id, 1);
    tp_term_kind k = tp_kind(tt, at);
    bool is_array = tp_sort_kind_of(tt, tp_sort_of(tt, at)) == TP_SORT_ARRAY;
    ok = !is_array && k != TP_OP_FORALL && k != TP_OP_EXISTS && k != TP_OP_BOUND;
    if (k == TP_OP_SELECT) ok = ok && tp_kind(tt, tp_arg(tt, at, 0)) == TP_OP_VAR;
    for (uint32_t i = k == TP_OP_SELECT ? 1 : 0; i < tp_n_args(tt, at); i++)
      tp_vec_push(&todo, tp_arg(tt, at, i).id);
  }
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
  return ok;
}

typedef struct {
  const reader *r;
  uint32_t context;  // whose frames may be named; 0: none
  tp_func params_of, result_of;
  bool may_speak_of_all;  // universal facts are understood here
  bool ok;
} scope;

static bool is_param(const tp_program *p, tp_func f, tp_var v) {
  const tp_func_info *info = tp_func_of(p, f);
  for (uint32_t i = 0; i < info->n_params; i++)
    if (info->params[i].id == v.id) return true;
  return false;
}

/* A parameter that no edge assigns has the argument's value at the exit, too. */
static bool is_fixed_param(const tp_program *p, tp_func f, tp_var v) {
  if (!is_param(p, f, v)) return false;
  for (size_t e = 1; e < p->edges.n; e++)
    if (p->edges.at[e].from.id && p->edges.at[e].var.id == v.id) return false;
  return true;
}

static void see_var(void *ctx, tp_term symbol) {
  scope *s = ctx;
  const tp_program *p = s->r->p;
  tp_sort sort;
  if (tp_is_memory(p, symbol, &sort)) return;
  if (s->may_speak_of_all && tp_chk_universal_is_index(s->r->e, symbol)) return;
  const tp_chk_fold *fold = tp_chk_fold_of(s->r->e, symbol);
  if (fold) {
    s->ok = s->ok && s->may_speak_of_all;
    tp_for_vars(p->terms, fold->step, see_var, s);
    return;
  }
  if (tp_chk_fold_is_place(s->r->e, symbol)) return;
  tp_var v = tp_program_var_of(p, symbol);
  const tp_var_info *info = v.id ? tp_var_of(p, v) : NULL;
  bool ok = info != NULL;
  if (ok && info->kind != TP_V_GLOBAL && info->kind != TP_V_GHOST) {
    ok = (s->params_of.id && is_param(p, s->params_of, v)) ||
         (s->result_of.id &&
          (tp_func_of(p, s->result_of)->result.id == v.id || is_fixed_param(p, s->result_of, v))) ||
         (s->context && tp_chk_cert_is_active(s->r->e, s->context, info->func));
  }
  s->ok = s->ok && ok;
}

static bool term(reader *r, const char *text, bool is_step, tp_term *out) {
  tp_str why = {0};
  tp_chk_fold_names names = {r->p, r->e, is_step};
  const tp_status st = tp_term_read(r->p->terms, text, tp_chk_fold_text_vars(&names), out, &why);
  if (st != TP_OK) (void)fail(r, tp_str_text(&why));
  tp_str_clear(&why);
  return st == TP_OK;
}

/* fold K STEP */
static bool fold_line(reader *r, char *rest) {
  tp_term step;
  if (!is_next(tp_chk_next_field(&rest), r->e->folds.n))
    return fail(r, "folds are numbered from 1 on");
  if (r->e->has_shapes || r->found.n) return fail(r, "folds stand before formulas, without shapes");
  if (!term(r, rest, true, &step)) return false;
  if (!is_plain(r->p, step))
    return fail(r, "quantifiers, and arrays other than under SELECT, are not understood");
  const char *wrong = tp_chk_folds_add(r->e, r->p, step);
  return !wrong || fail(r, wrong);
}

static bool formula(reader *r, char *text, scope s, tp_term *out) {
  s.r = r;
  s.ok = true;
  if (!term(r, text, false, out)) return false;
  if (tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, *out)) != TP_SORT_BOOL)
    return fail(r, "the term is no formula");
  if (s.may_speak_of_all && !tp_chk_universal_open(r->e, r->p->terms, *out, out))
    return fail(r, "quantifiers are understood around conjuncts, over indices, only");
  if (!is_plain(r->p, *out))
    return fail(r, "quantifiers, and arrays other than under SELECT, are not understood");
  tp_for_vars(r->p->terms, *out, see_var, &s);
  return s.ok || fail(r, "a variable that is not active here");
}

static bool contract_term(reader *r, const char *which, char *rest) {
  char *digits = tp_chk_next_field(&rest);
  uint64_t k;
  if (!number(digits, &k) || k == 0 || k >= r->e->contracts.n) return fail(r, "no such contract");
  tp_chk_contract *c = &r->e->contracts.at[k];
  bool is_pre = is(which, "pre"), *has = is_pre ? &c->has_pre : &c->has_post;
  scope s = {.params_of = is_pre ? c->func : TP_FUNC_NONE,
             .result_of = is_pre ? TP_FUNC_NONE : c->func};
  if (*has) return fail(r, "a second formula for this contract");
  *has = true;
  return formula(r, rest, s, is_pre ? &c->pre : &c->post);
}

static bool at_line(reader *r, char *rest) {
  tp_chk_cert *e = r->e;
  char *a = tp_chk_next_field(&rest), *b = tp_chk_next_field(&rest);
  uint64_t context, loc, cutpoint;
  tp_term t;
  if (!number(a, &context) || context == 0 || context >= e->contexts.n)
    return fail(r, "no such context");
  if (!number(b, &loc) || loc == 0 || loc >= r->p->locs.n) return fail(r, "no such location");
  if (r->p->locs.at[loc].func.id != e->contexts.at[context].func.id)
    return fail(r, "the location is not in the function on top");
  if (!formula(r, rest, (scope){.context = (uint32_t)context, .may_speak_of_all = true}, &t))
    return false;
  uint64_t key = context << 32 | loc;
  if (!tp_map_get(&e->cutpoint_at, key, &cutpoint)) {
    cutpoint = e->cutpoints.n;
    tp_map_set(&e->cutpoint_at, key, cutpoint);
    tp_vec_push(&e->cutpoints,
                (tp_chk_cutpoint){.context = (uint32_t)context, .loc = {(uint32_t)loc}});
  }
  e->cutpoints.at[cutpoint].n++;
  tp_vec_push(&r->found, ((found_formula){(uint32_t)cutpoint, t, {(uint32_t)e->graph_sets.n, 0}}));
  return true;
}

// ---------------------------------------------------------------------- shapes

/* The graphs of one class that stand beside the last formula. */
static bool shape_line(reader *r, char *rest, bool may) {
  tp_chk_cert *e = r->e;
  tp_chk_graph_set set = {.first = (uint32_t)e->graphs_of_sets.n};
  uint32_t of = 0;
  if (!may || !r->found.n) return fail(r, "graphs stand behind the formula that they belong to");
  for (char *f; (f = tp_chk_next_field(&rest)) != NULL; set.n++) {
    uint64_t k;
    if (!number(f, &k) || k == 0 || k >= e->graphs.graphs.n) return fail(r, "no such graph");
    if (of && e->graphs.graphs.at[k].of != of) return fail(r, "graphs of two classes");
    of = e->graphs.graphs.at[k].of;
    tp_vec_push(&e->graphs_of_sets, (uint32_t)k);
  }
  if (!set.n) return fail(r, "no graph");
  tp_chk_graph_sets *d = &tp_vec_last(&r->found).described;
  for (uint32_t i = 0; i < d->n; i++)
    if (e->graphs.graphs.at[e->graphs_of_sets.at[e->graph_sets.at[d->first + i].first]].of == of)
      return fail(r, "a second line for this class");
  d->n++;
  tp_vec_push(&e->graph_sets, set);
  return true;
}

static const char *const shape_words[] = {"class ",  "predicate ", "constraint ",
                                          "update ", "graph ",     "shape "};
static const char *(*const shape_readers[])(tp_chk_graphs *s, char *rest) = {
    tp_chk_graphs_read_class, tp_chk_graphs_read_predicate, tp_chk_graphs_read_rule,
    tp_chk_graphs_read_update, tp_chk_graphs_read_graph};
enum { N_SHAPE_WORDS = 6, SHAPE_WORD = 5 };

/* Which of them the line starts with; N_SHAPE_WORDS: none. */
static int shape_word(const char *line) {
  int k = 0;
  while (k < N_SHAPE_WORDS && strncmp(line, shape_words[k], strlen(shape_words[k])) != 0) k++;
  return k;
}

static bool shapes_line(reader *r, int which, char *line, bool may_describe) {
  tp_chk_graphs *g = &r->e->graphs;
  char *rest = line + strlen(shape_words[which]);
  if (!r->e->has_shapes) return fail(r, "not understood");
  if (which == SHAPE_WORD) return shape_line(r, rest, may_describe);
  if (r->found.n) return fail(r, "classes, predicates and graphs stand before the formulas");
  const char *wrong = shape_readers[which](g, rest);
  return !wrong || fail(r, wrong);
}

// ---------------------------------------------------------------- k-induction

static bool induction_line(reader *r, const char *digits) {
  uint64_t k;
  if (r->e->has_shapes) return fail(r, "shapes are shown in one step");
  if (r->e->k) return fail(r, "a second number of steps");
  if (!number(digits, &k) || k == 0) return fail(r, "no number of steps");
  r->e->k = (uint32_t)k;
  return true;
}

static bool count_line(reader *r, char **f) {
  uint64_t context, loc;
  uint32_t cutpoint = number(f[1], &context) && number(f[2], &loc)
                          ? tp_chk_cert_cutpoint(r->e, (uint32_t)context, (tp_loc){(uint32_t)loc})
                          : 0;
  if (!cutpoint) return fail(r, "no label that could be counted");
  r->counts = r->e->cutpoints.at[cutpoint].counts = true;
  return true;
}

/* All cutpoints count, unless the certificate says which. */
static void settle_induction(reader *r) {
  if (!r->e->k) r->e->k = 1;
  for (size_t i = 1; i < r->e->cutpoints.n && !r->counts; i++) r->e->cutpoints.at[i].counts = true;
}

// ------------------------------------------------------------------ the whole

static bool read_line(void *ctx, char *line) {
  reader *r = ctx;
  char *f[MAX_FIELDS] = {0}, *rest = line;
  if (r->text.line > TP_CHK_HEADER_LINES) {
    bool is_at = !strncmp(line, "at ", 3), may_describe = r->may_describe;
    int shape = shape_word(line);
    r->may_describe = is_at || shape == SHAPE_WORD;
    if (shape < N_SHAPE_WORDS) return shapes_line(r, shape, line, may_describe);
    if (!strncmp(line, "fold ", 5)) return fold_line(r, line + 5);
    if (is_at || !strncmp(line, "pre ", 4) || !strncmp(line, "post ", 5)) {
      char *word = tp_chk_next_field(&rest);
      return is_at ? at_line(r, rest) : contract_term(r, word, rest);
    }
  }
  const int n = tp_chk_split(line, f, MAX_FIELDS);
  if (r->text.line == TP_CHK_KIND_LINE) return kind_line(r, n, f);
  if (r->text.line <= TP_CHK_HEADER_LINES) return tp_chk_lines_header(&r->text, n, f);
  if (n == 3 && is(f[0], "contract")) return contract_line(r, f);
  if (n == 2 && is(f[0], "induction")) return induction_line(r, f[1]);
  if (n == 3 && is(f[0], "count")) return count_line(r, f);
  if (n >= 3 && n <= MAX_FIELDS && is(f[0], "context")) return context_line(r, n, f);
  if (n == 1 && is(f[0], "end")) return r->text.ended = true;
  return n == 0 || fail(r, "not understood");
}

/* Formulas in the order of their cutpoints. */
static void group(reader *r) {
  tp_chk_cert *e = r->e;
  uint32_t at = 0;
  for (size_t i = 1; i < e->cutpoints.n; i++) {
    e->cutpoints.at[i].first = at;
    at += e->cutpoints.at[i].n;
    e->cutpoints.at[i].n = 0;
  }
  tp_vec_resize(&e->formulas, at);
  tp_vec_resize(&e->described, at);
  for (size_t i = 0; i < r->found.n; i++) {
    tp_chk_cutpoint *l = &e->cutpoints.at[r->found.at[i].cutpoint];
    e->described.at[l->first + l->n] = r->found.at[i].described;
    e->formulas.at[l->first + l->n++] = r->found.at[i].formula;
  }
}

/* "One of the formulas holds for all indices" is not "for each index one of them": a universal fact
 * stands in the only formula of its cutpoint. */
static bool universals_stand_alone(const reader *r) {
  for (size_t i = 0; i < r->found.n; i++) {
    const found_formula *f = &r->found.at[i];
    if (!tp_chk_universal_speaks_of_all(r->e, r->p->terms, f->formula)) continue;
    if (r->e->has_shapes || r->e->k > 1 || r->e->cutpoints.at[f->cutpoint].n > 1) return false;
  }
  return true;
}

static bool is_whole(reader *r) {
  if (r->e->folds.n > 1 && r->e->k > 1) return fail(r, "folds with several steps");
  for (size_t k = 1; k < r->e->contracts.n; k++)
    if (!r->e->contracts.at[k].root) return fail(r, "a contract without a context of its body");
  if (r->text.prop != TP_P_NONE && !r->e->main) return fail(r, "no context of main");
  if (!universals_stand_alone(r))
    return fail(r, "a universal fact beside other formulas, graphs, or with several steps");
  return true;
}

bool tp_chk_cert_read(tp_chk_cert *e, const tp_program *p, tp_property prop, const char *text,
                      tp_str *why) {
  *e = (tp_chk_cert){.first_contract = TP_NEW_ARRAY(uint32_t, p->funcs.n + 1)};
  tp_chk_graphs_init(&e->graphs, p);
  tp_vec_push(&e->contexts, (tp_chk_context){0});
  tp_vec_push(&e->contracts, (tp_chk_contract){0});
  tp_vec_push(&e->cutpoints, (tp_chk_cutpoint){0});
  tp_vec_push(&e->folds, (tp_chk_fold){0});
  reader r = {.text = {.p = p, .prop = prop, .why = why}, .p = p, .e = e};
  bool ok = tp_chk_lines_read(&r.text, text, read_line, &r);
  if (ok) ok = is_whole(&r);
  if (ok) group(&r);
  if (ok) settle_induction(&r);
  tp_vec_clear(&r.found);
  return ok;
}

void tp_chk_cert_clear(tp_chk_cert *e) {
  tp_vec_clear(&e->contexts);
  tp_vec_clear(&e->contracts);
  tp_vec_clear(&e->cutpoints);
  tp_vec_clear(&e->formulas);
  tp_vec_clear(&e->described);
  tp_vec_clear(&e->graph_sets);
  tp_vec_clear(&e->graphs_of_sets);
  tp_chk_graphs_clear(&e->graphs);
  tp_map_clear(&e->cutpoint_at);
  tp_vec_clear(&e->indices);
  tp_map_clear(&e->index_of);
  tp_vec_clear(&e->folds);
  tp_map_clear(&e->place_of);
  tp_map_clear(&e->is_place);
  tp_map_clear(&e->calls);
  tp_free(e->first_contract);
  *e = (tp_chk_cert){0};
}

uint32_t tp_chk_cert_cutpoint(const tp_chk_cert *e, uint32_t context, tp_loc loc) {
  uint64_t cutpoint;
  return tp_map_get(&e->cutpoint_at, (uint64_t)context << 32 | loc.id, &cutpoint)
             ? (uint32_t)cutpoint
             : 0;
}

uint32_t tp_chk_cert_counted_cutpoint(const tp_chk_cert *e, uint32_t context, tp_loc loc) {
  uint32_t cutpoint = tp_chk_cert_cutpoint(e, context, loc);
  return cutpoint && e->cutpoints.at[cutpoint].counts ? cutpoint : 0;
}

uint32_t tp_chk_cert_callee_context(const tp_chk_cert *e, uint32_t context, tp_edge call,
                                    tp_func callee) {
  uint64_t first;
  if (!tp_map_get(&e->calls, (uint64_t)context << 32 | call.id, &first)) return 0;
  for (uint32_t k = (uint32_t)first; k; k = e->contexts.at[k].next_of_call)
    if (e->contexts.at[k].func.id == callee.id) return k;
  return 0;
}

uint32_t tp_chk_cert_add_context(tp_chk_cert *e, uint32_t parent, tp_edge call, tp_func callee,
                                 uint32_t activations) {
  TP_REQUIRE(parent && parent < e->contexts.n && activations > 0);
  uint64_t key = (uint64_t)parent << 32 | call.id, next = 0;
  uint32_t context = (uint32_t)e->contexts.n;
  (void)tp_map_get(&e->calls, key, &next);
  tp_vec_push(&e->contexts, ((tp_chk_context){.parent = parent,
                                              .call = call,
                                              .func = callee,
                                              .activations = activations,
                                              .next_of_call = (uint32_t)next}));
  tp_map_set(&e->calls, key, context);
  return context;
}

bool tp_chk_cert_is_inductive(const char *text) {
  return tp_chk_is_of_kind(text, "invariants") || tp_chk_is_of_kind(text, "shapes");
}
