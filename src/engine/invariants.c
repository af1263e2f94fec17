/* Writer and reader of certificates of invariants (doc/certificates.md).
 *
 * The reader makes the record anew and believes nothing of it: contexts must be chains of calls
 * that the program has, and formulas may only speak of what exists where they stand. It does not
 * look at what the formulas say. */
#include "engine/invariants.h"

#include "engine/cert_lines.h"
#include "engine/cert_shapes.h"
#include "program/cells.h"
#include "program/variables_text.h"

#include <inttypes.h>

void tp_invariants_init(tp_invariants *v) {
  memset(v, 0, sizeof *v);
  tp_arena_init(&v->arena);
  tp_contexts_init(&v->contexts);
}

void tp_invariants_clear(tp_invariants *v) {
  tp_contexts_clear(&v->contexts);
  tp_summaries_clear(&v->contracts);
  tp_vec_clear(&v->list);
  tp_vec_clear(&v->folds);
  tp_vec_clear(&v->counted);
  tp_vec_clear(&v->assumptions);
  tp_arena_clear(&v->arena);
}

tp_invariants *tp_invariants_new(void) {
  tp_invariants *v = TP_NEW(tp_invariants);
  tp_invariants_init(v);
  return v;
}

void tp_invariants_free(tp_invariants *v) {
  if (!v) return;
  tp_invariants_clear(v);
  tp_free(v);
}

void tp_invariants_add_assumption(tp_invariants *v, const char *text) {
  TP_REQUIRE(text && !strchr(text, '\n'));
  for (size_t i = 0; i < v->assumptions.n; i++)
    if (!strcmp(v->assumptions.at[i], text)) return;
  tp_vec_push(&v->assumptions, tp_arena_strdup(&v->arena, text));
}

// ---------------------------------------------------------------------- labels

bool tp_is_certificate_cutpoint(const tp_program *p, tp_loc l) {
  TP_REQUIRE(l.id > 0 && l.id < p->locs.n);
  const tp_loc_info *info = tp_loc_of(p, l);
  const tp_func_info *f = tp_func_of(p, info->func);
  tp_edge_list in = tp_in_edges(p, l);
  if (info->is_loop_head || info->is_cutpoint || in.n >= 2 || f->entry.id == l.id ||
      f->exit.id == l.id)
    return true;
  return in.n == 1 && p->edges.at[in.at[0]].kind == TP_E_CALL;
}

// ---------------------------------------------------------- what may be spoken of

static bool is_everywhere(const tp_program *p, tp_term var) {
  tp_sort sort;
  tp_var v = tp_program_var_of(p, var);
  return v.id ? !tp_var_of(p, v)->func.id : tp_is_memory(p, var, &sort);
}

bool tp_invariant_may_use(const tp_program *p, const tp_contexts *contexts, tp_context context,
                          tp_term var) {
  TP_REQUIRE(context.id > 0 && context.id < contexts->list.n);
  tp_var v = tp_program_var_of(p, var);
  return is_everywhere(p, var) ||
         (v.id && tp_context_has(contexts, context, tp_var_of(p, v)->func));
}

static bool is_assigned(const tp_program *p, tp_var v) {
  for (size_t e = 1; e < p->edges.n; e++)
    if (p->edges.at[e].from.id && p->edges.at[e].var.id == v.id) return true;
  return false;
}

bool tp_contract_may_use(const tp_program *p, tp_func f, tp_contract_side side, tp_term var) {
  TP_REQUIRE(f.id > 0 && f.id < p->funcs.n);
  if (is_everywhere(p, var)) return true;
  tp_var v = tp_program_var_of(p, var);
  const tp_func_info *info = tp_func_of(p, f);
  if (!v.id) return false;
  if (side == TP_CONTRACT_POST && v.id == info->result.id) return true;
  for (uint32_t i = 0; i < info->n_params; i++)
    if (info->params[i].id == v.id) return side == TP_CONTRACT_PRE || !is_assigned(p, v);
  return false;
}

// ------------------------------------------------------------------------- folds

/* Names of terms beside those of the program: folds in formulas, places in the step of one. */
typedef struct {
  const tp_program *p;
  const tp_invariants *v;
  tp_invariant_fold *step_of;  // NULL: a formula. Reading makes its places
} fold_names;

static const char *const place_words[] = {"index ", "before "};

static bool name_of_fold(void *ctx, tp_term var, tp_str *out) {
  const fold_names *x = ctx;
  const tp_text_vars program = tp_program_text_vars(x->p);
  for (size_t k = 0; k < x->v->folds.n && !x->step_of; k++)
    if (tp_term_eq(x->v->folds.at[k].symbol, var)) {
      tp_str_printf(out, "(fold %zu)", k + 1);
      return true;
    }
  const bool is_index = x->step_of && tp_term_eq(x->step_of->index, var),
             is_before = x->step_of && tp_term_eq(x->step_of->before, var);
  if (!is_index && !is_before) return program.name(program.ctx, var, out);
  tp_str_printf(out, "(%s", place_words[is_before]);
  tp_sort_write(x->p->terms, tp_sort_of(x->p->terms, var), out);
  tp_str_add_char(out, ')');
  return true;
}

/* The place of a step, which has each in one sort. */
static tp_term place_named(const fold_names *x, tp_term *place, const char *text, size_t n) {
  tp_sort sort;
  if (tp_sort_read(x->p->terms, text, n, &sort) != n) return TP_TERM_NONE;
  if (!tp_term_is(*place)) *place = tp_mk_var(x->p->terms, "place of fold", sort);
  return tp_sort_eq(tp_sort_of(x->p->terms, *place), sort) ? *place : TP_TERM_NONE;
}

static tp_term fold_named(void *ctx, const char *text, size_t n) {
  const fold_names *x = ctx;
  const tp_text_vars program = tp_program_text_vars(x->p);
  static const char fold[] = "fold ";
  for (int i = 0; i < 2 && x->step_of; i++) {
    const size_t k = strlen(place_words[i]);
    if (n > k && memcmp(text, place_words[i], k) == 0)
      return place_named(x, i ? &x->step_of->before : &x->step_of->index, text + k, n - k);
  }
  if (x->step_of || n < sizeof fold || memcmp(text, fold, sizeof fold - 1) != 0)
    return program.parse(program.ctx, text, n);
  uint64_t k = 0;
  for (size_t i = sizeof fold - 1; i < n && k <= x->v->folds.n; i++)
    k = text[i] < '0' || text[i] > '9' ? UINT32_MAX : k * 10 + (uint64_t)(text[i] - '0');
  return k > 0 && k <= x->v->folds.n ? x->v->folds.at[k - 1].symbol : TP_TERM_NONE;
}

static tp_text_vars names_of(fold_names *x) {
  return (tp_text_vars){.ctx = x, .name = name_of_fold, .parse = fold_named};
}

static bool put_folds(const tp_invariants *v, const tp_program *p, tp_str *out) {
  bool ok = true;
  for (size_t k = 0; k < v->folds.n && ok; k++) {
    tp_invariant_fold fold = v->folds.at[k];
    fold_names x = {.p = p, .v = v, .step_of = &fold};
    tp_str_printf(out, "fold %zu ", k + 1);
    ok = tp_term_write(p->terms, v->folds.at[k].step, names_of(&x), out);
    tp_str_add_char(out, '\n');
  }
  return ok;
}

// --------------------------------------------------------------------- writing

static bool put_contracts(const tp_invariants *v, const tp_program *p, tp_str *out) {
  bool ok = true;
  for (uint32_t k = 1; k < v->contracts.list.n && ok; k++) {
    const tp_summary *s = &v->contracts.list.at[k];
    tp_str_printf(out, "pre %" PRIu32 " ", k);
    ok = tp_term_write(p->terms, s->pre, tp_program_text_vars(p), out);
    tp_lines_put_named_comment(p, TP_POS_NONE, s->pre, s->func, out);
    tp_str_printf(out, "post %" PRIu32 " ", k);
    ok = ok && tp_term_write(p->terms, s->post, tp_program_text_vars(p), out);
    tp_lines_put_named_comment(p, TP_POS_NONE, s->post, s->func, out);
  }
  return ok;
}

bool tp_invariants_write(const tp_invariants *v, const tp_program *p, tp_str *out) {
  TP_REQUIRE(v->k > 1 || v->counted.n == 0);
  size_t before = out->n;
  tp_lines_put_header(p, v->shapes ? "shapes" : "invariants", v->property, v->fingerprint, out);
  for (uint32_t k = 1; k < v->contracts.list.n; k++) {
    const tp_func_info *f = tp_func_of(p, v->contracts.list.at[k].func);
    tp_str_printf(out, "contract %" PRIu32 " %s", k, f->name);
    tp_lines_put_comment(p, f->pos, out);
  }
  tp_lines_put_contexts(&v->contexts, p, out);
  bool ok = put_contracts(v, p, out) && put_folds(v, p, out) &&
            (!v->shapes || tp_cert_shapes_write(v->shapes, p, out));
  for (size_t i = 0; i < v->list.n && ok; i++) {
    const tp_invariant *at = &v->list.at[i];
    TP_INVARIANT(at->context.id > 0 && at->context.id < v->contexts.list.n);
    tp_str_printf(out, "at %" PRIu32 " %" PRIu32 " ", at->context.id, at->loc.id);
    fold_names names = {.p = p, .v = v};
    ok = tp_term_write(p->terms, at->formula, names_of(&names), out);
    const tp_loc_info *loc = tp_loc_of(p, at->loc);
    tp_lines_put_named_comment(p, loc->pos, at->formula, loc->func, out);
    if (v->shapes) tp_cert_shapes_write_described(v->shapes, (uint32_t)i, out);
  }
  if (v->k > 1) tp_str_printf(out, "induction %" PRIu32 "\n", v->k);
  for (size_t i = 0; v->k > 1 && i < v->counted.n; i++) {
    tp_str_printf(out, "count %" PRIu32 " %" PRIu32, v->counted.at[i].context.id,
                  v->counted.at[i].loc.id);
    tp_lines_put_comment(p, tp_loc_of(p, v->counted.at[i].loc)->pos, out);
  }
  for (size_t i = 0; i < v->assumptions.n; i++)
    tp_str_printf(out, "assume %s\n", v->assumptions.at[i]);
  tp_str_add(out, "end\n");
  if (!ok) out->text[out->n = before] = '\0';
  return ok;
}

// --------------------------------------------------------------------- reading

typedef struct {
  tp_lines lines;
  tp_program *p;
  tp_invariants *out;
  uint32_t n_pre, n_post;  // contracts whose pre, post have been read
  int section;             // entries come in the order of `entries`
} reader;

static tp_status refuse(const reader *r, const char *what) {
  return tp_lines_refuse(&r->lines, what);
}

static bool read_u32(char **rest, uint64_t below, uint32_t *out) {
  uint64_t v;
  if (!tp_lines_number(rest, 10, UINT32_MAX, &v) || v == 0 || v >= below) return false;
  *out = (uint32_t)v;
  return true;
}

/* A Bool term to the end of the line, over variables that `may` allows. */
typedef struct {
  const reader *r;
  tp_context context;  // NONE: of a contract
  tp_func func;
  tp_contract_side side;
  bool fits;
} scope;

static void visit_var(void *ctx, tp_term var) {
  scope *at = ctx;
  const tp_invariants *v = at->r->out;
  for (size_t k = 0; k < v->folds.n; k++) {
    const tp_invariant_fold *fold = &v->folds.at[k];
    if (tp_term_eq(var, fold->index) || tp_term_eq(var, fold->before)) return;
    if (!tp_term_eq(var, fold->symbol)) continue;
    tp_for_vars(at->r->p->terms, fold->step, visit_var, ctx);
    return;
  }
  if (at->context.id ? !tp_invariant_may_use(at->r->p, &at->r->out->contexts, at->context, var)
                     : !tp_contract_may_use(at->r->p, at->func, at->side, var))
    at->fits = false;
}

static tp_status read_formula(reader *r, char *rest, scope at, tp_term *out) {
  tp_str why = {0};
  tp_terms *tt = r->p->terms;
  fold_names names = {.p = r->p, .v = r->out};
  tp_status st = tp_term_read(tt, rest ? rest : "", names_of(&names), out, &why);
  if (st != TP_OK) st = refuse(r, tp_str_text(&why));
  tp_str_clear(&why);
  TP_TRY(st);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, *out)) != TP_SORT_BOOL)
    return refuse(r, "a formula expected");
  at.r = r;
  at.fits = true;
  tp_for_vars(tt, *out, visit_var, &at);
  return at.fits ? TP_OK : refuse(r, "a variable that does not exist here");
}

static tp_status read_contract(reader *r, char *rest) {
  uint32_t k;
  tp_summaries *s = &r->out->contracts;
  if (!read_u32(&rest, UINT32_MAX, &k) || k != (s->list.n ? s->list.n : 1))
    return refuse(r, "the next number expected");
  tp_func f = tp_lines_func(&r->lines, tp_lines_field(&rest));
  if (!f.id) return refuse(r, "unknown function");
  tp_summaries_add(
      s,
      (tp_summary){.func = f, .engine = "certificate", .sound = TP_SUMMARY_MAY, .returns = true});
  return TP_OK;
}

/* context C call PARENT EDGE FUNCTION */
static tp_status read_call(reader *r, char *rest, tp_context *out) {
  tp_contexts *cs = &r->out->contexts;
  uint32_t parent, edge;
  if (!read_u32(&rest, cs->list.n, &parent)) return refuse(r, "an earlier context expected");
  if (!read_u32(&rest, r->p->edges.n, &edge)) return refuse(r, "an edge expected");
  tp_func f = tp_lines_func(&r->lines, tp_lines_field(&rest));
  const tp_edge_info *e = tp_edge_of(r->p, (tp_edge){edge});
  if (!f.id || !tp_func_of(r->p, f)->has_body) return refuse(r, "unknown function");
  if (e->callee.id && tp_func_of(r->p, e->callee)->has_body &&
      !strcmp(tp_func_of(r->p, e->callee)->name, tp_func_of(r->p, f)->name))
    f = e->callee;  // names of static functions need not be unique
  if (e->kind != TP_E_CALL || !e->from.id ||
      tp_loc_of(r->p, e->from)->func.id != tp_context_of(cs, (tp_context){parent})->func.id)
    return refuse(r, "not a call in the function on top");
  if (e->callee.id && e->callee.id != f.id) return refuse(r, "a call of another function");
  if (tp_context_has(cs, (tp_context){parent}, f))
    return refuse(r, "the function is active already");
  if (tp_summaries_next(&r->out->contracts, f, 0)) return refuse(r, "the function has a contract");
  *out = tp_context_push(cs, (tp_context){parent}, (tp_edge){edge}, f);
  return TP_OK;
}

static tp_status read_context(reader *r, char *rest) {
  tp_contexts *cs = &r->out->contexts;
  const uint32_t next = (uint32_t)cs->list.n;
  uint32_t number, k;
  tp_context c = TP_CONTEXT_NONE;
  if (!read_u32(&rest, (uint64_t)next + 1, &number) || number != next)
    return refuse(r, "the next number expected");
  const char *kind = tp_lines_field(&rest);
  if (!strcmp(kind, "main")) {
    c = tp_context_root(cs, r->p->main, 0);
  } else if (!strcmp(kind, "contract")) {
    if (!read_u32(&rest, r->out->contracts.list.n, &k)) return refuse(r, "a contract expected");
    tp_func f = r->out->contracts.list.at[k].func;
    if (!tp_func_of(r->p, f)->has_body) return refuse(r, "the function has no body");
    c = tp_context_root(cs, f, k);
  } else if (!strcmp(kind, "call")) {
    TP_TRY(read_call(r, rest, &c));
  } else {
    return refuse(r, "main, call or contract expected");
  }
  return c.id == next ? TP_OK : refuse(r, "the same context again");
}

static tp_status read_side(reader *r, char *rest, tp_contract_side side) {
  uint32_t k, *n = side == TP_CONTRACT_PRE ? &r->n_pre : &r->n_post;
  tp_summaries *s = &r->out->contracts;
  if (!read_u32(&rest, s->list.n, &k) || k != *n + 1)
    return refuse(r, "the next contract expected");
  if (side == TP_CONTRACT_POST && r->n_pre != k) return refuse(r, "its pre comes first");
  if (side == TP_CONTRACT_PRE && r->n_post + 1 != k) return refuse(r, "the post before is missing");
  *n = k;
  tp_summary *x = &s->list.at[k];
  return read_formula(r, rest, (scope){.func = x->func, .side = side},
                      side == TP_CONTRACT_PRE ? &x->pre : &x->post);
}
static tp_status read_pre(reader *r, char *rest) { return read_side(r, rest, TP_CONTRACT_PRE); }
static tp_status read_post(reader *r, char *rest) {
  TP_TRY(read_side(r, rest, TP_CONTRACT_POST));
  tp_summary *x = &r->out->contracts.list.at[r->n_post];
  x->returns = !tp_is_false(r->p->terms, x->post);
  return TP_OK;
}

/* fold K STEP */
static tp_status read_fold(reader *r, char *rest) {
  uint32_t k;
  tp_str why = {0};
  tp_terms *tt = r->p->terms;
  tp_invariant_fold fold = {.symbol = TP_TERM_NONE};
  if (!read_u32(&rest, UINT32_MAX, &k) || k != r->out->folds.n + 1)
    return refuse(r, "the next number expected");
  fold_names names = {.p = r->p, .v = r->out, .step_of = &fold};
  tp_status st = tp_term_read(tt, rest ? rest : "", names_of(&names), &fold.step, &why);
  if (st != TP_OK) st = refuse(r, tp_str_text(&why));
  tp_str_clear(&why);
  TP_TRY(st);
  if (!tp_term_is(fold.index)) return refuse(r, "a step with an index expected");
  const tp_sort sort = tp_sort_of(tt, fold.step);
  if (!tp_term_is(fold.before)) fold.before = tp_mk_var(tt, "place of fold", sort);
  if (!tp_sort_eq(tp_sort_of(tt, fold.before), sort))
    return refuse(r, "a value before of the step's sort expected");
  fold.symbol = tp_mk_var(tt, "fold", tp_sort_array(tt, tp_sort_of(tt, fold.index), sort));
  tp_vec_push(&r->out->folds, fold);
  return TP_OK;
}

static tp_status read_at(reader *r, char *rest) {
  tp_invariant at;
  if (!read_u32(&rest, r->out->contexts.list.n, &at.context.id))
    return refuse(r, "a context expected");
  if (!read_u32(&rest, r->p->locs.n, &at.loc.id)) return refuse(r, "a location expected");
  if (tp_loc_of(r->p, at.loc)->func.id != tp_context_of(&r->out->contexts, at.context)->func.id)
    return refuse(r, "a location of the function on top expected");
  TP_TRY(read_formula(r, rest, (scope){.context = at.context}, &at.formula));
  tp_vec_push(&r->out->list, at);
  return TP_OK;
}

static tp_status read_induction(reader *r, char *rest) {
  uint32_t k;
  if (r->out->k || !read_u32(&rest, UINT32_MAX, &k))
    return refuse(r, "one number of steps expected");
  r->out->k = k;
  return TP_OK;
}

static tp_status read_count(reader *r, char *rest) {
  tp_counted_cutpoint c;
  if (r->out->k <= 1) return refuse(r, "labels are counted in more than one step only");
  if (!read_u32(&rest, r->out->contexts.list.n, &c.context.id) ||
      !read_u32(&rest, r->p->locs.n, &c.loc.id))
    return refuse(r, "a context and a location expected");
  for (size_t i = 0; i < r->out->list.n; i++) {
    if (r->out->list.at[i].context.id != c.context.id || r->out->list.at[i].loc.id != c.loc.id)
      continue;
    tp_vec_push(&r->out->counted, c);
    return TP_OK;
  }
  return refuse(r, "a label expected");
}

static tp_status read_assume(reader *r, char *rest) {
  return tp_invariants_add_assumption(r->out, rest), TP_OK;
}

static const struct {
  const char *key;
  int section;
  tp_status (*read)(reader *r, char *rest);
} entries[] = {
    {"contract", 0, read_contract},   {"context", 1, read_context}, {"pre", 2, read_pre},
    {"post", 2, read_post},           {"fold", 3, read_fold},       {"at", 4, read_at},
    {"induction", 5, read_induction}, {"count", 6, read_count},     {"assume", 7, read_assume}};

static tp_status read_entry(reader *r, const char *key, char *rest) {
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    if (strcmp(key, entries[i].key) != 0) continue;
    if (!rest) return refuse(r, "fields missing");
    if (entries[i].section < r->section) return refuse(r, "this entry comes too late");
    r->section = entries[i].section;
    return entries[i].read(r, rest);
  }
  return refuse(r, "unknown entry");
}

static tp_status read_all(reader *r) {
  TP_TRY(tp_lines_header(&r->lines));
  r->out->property = r->lines.property;
  r->out->ptr_bits = r->p->ptr_bits;
  r->out->fingerprint = tp_program_fingerprint(r->p);
  for (;;) {
    char *key, *rest;
    TP_TRY(tp_lines_next(&r->lines, &key, &rest));
    if (!key) break;
    TP_TRY(read_entry(r, key, rest));
  }
  bool complete = r->out->contracts.list.n == 0 || r->n_post + 1 == r->out->contracts.list.n;
  return complete ? TP_OK : refuse(r, "pre and post of a contract are missing");
}

tp_status tp_invariants_read(const char *text, tp_program *p, tp_invariants *out, tp_str *why) {
  TP_REQUIRE(out->list.n == 0 && out->contracts.list.n == 0);
  reader r = {.p = p, .out = out};
  tp_lines_init(&r.lines, p, "invariants", text, why);
  r.lines.wants_property = false;
  tp_status st = read_all(&r);
  tp_lines_clear(&r.lines);
  return st;
}
