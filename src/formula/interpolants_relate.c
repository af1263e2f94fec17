/* Simple relations between what a cut's formula speaks of.
 *
 * From the comparisons in `bad` come linear forms (differences of their sides, without constants) and their sums and differences by pairs;
 * candidates are: such a form has the value that it has in a state behind the path; an order between sides, not strict; a lower bound 0;
 * the lowest bit of a form. Those that hold in all states behind the generalised path are found as in Houdini's algorithm: each model of a
 * failed check removes all that it falsifies. If together they exclude bad, those that are not needed go, special ones first.
 * So 1 + x = n after one turn and 2 + x = n before two become x = i. */
#include "formula/interpolants_priv.h"

enum { MAX_FORMS = 8, MAX_CANDIDATES = 64, MAX_ROUNDS = 24, MAX_ATOMS = 16 };
static const uint64_t RLIMIT = 400000;

typedef struct {
  tp_itp *s;
  tp_term_list forms;          // of bit-vectors
  tp_term_list candidates;     // special ones last
} relator;

static void add(tp_term_list *list, tp_term t, size_t limit) {
  for (size_t i = 0; i < list->n; i++)
    if (tp_term_eq(list->at[i], t)) return;
  if (list->n < limit) tp_vec_push(list, t);
}

/* A sum without its constant; of the two signs the term that was made first. */
static tp_term form_of(tp_terms *tt, tp_term a, tp_term b) {
  tp_term d = tp_mk_sub(tt, a, b);
  if (tp_kind(tt, d) == TP_OP_BV_ADD)
    for (uint32_t i = 0; i < 2; i++)
      if (tp_kind(tt, tp_arg(tt, d, i)) == TP_OP_BV_CONST) return tp_arg(tt, d, 1 - i);
  return d;
}

static bool is_bv(const tp_terms *tt, tp_term t) { return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV; }

static bool is_order(tp_term_kind k) { return k == TP_OP_BV_ULT || k == TP_OP_BV_ULE || k == TP_OP_BV_SLT || k == TP_OP_BV_SLE; }

static void find_forms(relator *r, const tp_atoms *atoms) {
  tp_terms *tt = r->s->tt;
  for (size_t i = 0; i < atoms->n && i < MAX_ATOMS; i++) {
    tp_term t = atoms->at[i];
    tp_term_kind k = tp_kind(tt, t);
    if ((k != TP_OP_EQ && !is_order(k)) || !is_bv(tt, tp_arg(tt, t, 0))) continue;
    tp_term form = form_of(tt, tp_arg(tt, t, 0), tp_arg(tt, t, 1));
    if (!tp_is_const(tt, form)) add(&r->forms, form, MAX_FORMS);
  }
}

/* The value of the form in this state (model of the path up to the cut) becomes a candidate. */
static void same_value(relator *r, tp_smt *state, size_t cut, tp_term form) {
  tp_terms *tt = r->s->tt;
  tp_value v;
  if (tp_is_const(tt, form) || !tp_smt_value(state, tp_itp_at_cut(r->s, cut, form), &v)) return;
  add(&r->candidates, tp_mk_eq(tt, form, tp_mk_value(tt, tp_sort_of(tt, form), v)), MAX_CANDIDATES);
}

static void pairs(relator *r, tp_smt *state, size_t cut) {
  tp_terms *tt = r->s->tt;
  for (size_t i = 0; i < r->forms.n; i++)
    for (size_t j = i + 1; j < r->forms.n; j++) {
      tp_term a = r->forms.at[i], b = r->forms.at[j];
      if (tp_width(tt, a) != tp_width(tt, b)) continue;
      same_value(r, state, cut, form_of(tt, a, b));
      same_value(r, state, cut, form_of(tt, a, tp_mk1(tt, TP_OP_BV_NEG, b)));
    }
}

static void orders(relator *r, const tp_atoms *atoms) {
  tp_terms *tt = r->s->tt;
  for (size_t i = 0; i < atoms->n && i < MAX_ATOMS; i++) {
    tp_term t = atoms->at[i];
    tp_term_kind k = tp_kind(tt, t);
    if (!is_order(k)) continue;
    tp_term_kind le = k == TP_OP_BV_ULT || k == TP_OP_BV_ULE ? TP_OP_BV_ULE : TP_OP_BV_SLE;
    for (uint32_t j = 0; j < 2; j++) {
      tp_term a = tp_arg(tt, t, j), b = tp_arg(tt, t, 1 - j);
      add(&r->candidates, tp_mk2(tt, le, a, b), MAX_CANDIDATES);
      add(&r->candidates, tp_mk2(tt, TP_OP_BV_SLE, tp_mk_bv(tt, tp_width(tt, a), 0), a), MAX_CANDIDATES);
    }
  }
}

static void list_candidates(relator *r, tp_smt *state, size_t cut, tp_term shape) {
  tp_terms *tt = r->s->tt;
  tp_atoms atoms = {0};
  tp_atoms_of(tt, shape, &atoms);
  find_forms(r, &atoms);
  pairs(r, state, cut);
  orders(r, &atoms);
  for (size_t i = 0; i < r->forms.n; i++) {
    same_value(r, state, cut, tp_mk_extract(tt, 0, 0, r->forms.at[i]));
    same_value(r, state, cut, r->forms.at[i]);
  }
  tp_vec_clear(&atoms);
}

static tp_smt *new_solver(tp_itp *s, tp_term t) {
  tp_smt *smt = tp_smt_new(s->tt, (tp_smt_options){.backend = s->o.backend, .rlimit = RLIMIT, .cpu_s = s->o.cpu_s, .stats = s->o.stats});
  tp_smt_assert(smt, tp_paths_question(s->x, t));
  return smt;
}

static tp_term all_of(tp_itp *s, const tp_term_list *list) { return tp_mk_and_n(s->tt, list->at, list->n); }

/* Keeps those that hold behind the path; empties the list if that cannot be found out. */
static void keep_true(tp_itp *s, size_t cut, tp_term prefix, tp_term_list *list) {
  tp_term whole[MAX_CANDIDATES];
  for (size_t i = 0; i < list->n; i++) whole[i] = tp_itp_at_cut(s, cut, list->at[i]);
  for (int round = 0; round < MAX_ROUNDS && list->n && !tp_itp_late(s); round++) {
    tp_smt *smt = new_solver(s, tp_mk_and(s->tt, prefix, tp_mk_not(s->tt, tp_mk_and_n(s->tt, whole, list->n))));
    tp_smt_answer answer = tp_smt_check(smt, NULL, 0);
    size_t kept = 0, n = list->n;
    for (size_t i = 0; answer == TP_SMT_SAT && i < n; i++) {
      tp_value v;
      if (!tp_smt_value(smt, whole[i], &v) || !v.bits) continue;
      whole[kept] = whole[i];
      list->at[kept++] = list->at[i];
    }
    tp_smt_free(smt);
    if (answer == TP_SMT_UNSAT) return;
    list->n = kept;
    if (kept == n) break;
  }
  list->n = 0;
}

static bool excludes(tp_itp *s, const tp_term_list *list, tp_term bad) {
  return tp_itp_ask(s, tp_mk_and(s->tt, all_of(s, list), bad), RLIMIT) == TP_SMT_UNSAT;
}

static void keep_needed(tp_itp *s, tp_term_list *list, tp_term bad) {
  for (size_t i = list->n; i-- > 0 && list->n > 1;) {
    tp_term out = list->at[i];
    list->at[i] = tp_mk_true(s->tt);
    if (excludes(s, list, bad)) {
      for (size_t j = i; j + 1 < list->n; j++) list->at[j] = list->at[j + 1];
      list->n--;
    } else {
      list->at[i] = out;
    }
  }
}

/* Would the negation itself be simple enough? */
static bool is_simple(tp_itp *s, tp_term shape) {
  tp_term good = tp_mk_not(s->tt, shape);
  tp_term_kind k = tp_kind(s->tt, good);
  return k != TP_OP_OR && k != TP_OP_AND && k != TP_OP_NOT;
}

static bool hold_at(tp_itp *s, size_t cut, tp_term prefix, const tp_term_list *list) {
  tp_term here = tp_itp_at_cut(s, cut, all_of(s, list));
  return tp_itp_ask(s, tp_mk_and(s->tt, prefix, tp_mk_not(s->tt, here)), RLIMIT) == TP_SMT_UNSAT;
}

/* Candidates from `shape` that hold behind prefix and exclude bad, in chosen; false: there are none. */
static bool find(tp_itp *s, size_t cut, tp_term prefix, tp_term shape, tp_term bad, tp_term_list *chosen) {
  relator r = {.s = s};
  tp_smt *state = new_solver(s, prefix);
  if (tp_smt_check(state, NULL, 0) == TP_SMT_SAT) list_candidates(&r, state, cut, shape);
  tp_smt_free(state);
  if (r.candidates.n && !excludes(s, &r.candidates, bad)) r.candidates.n = 0;
  keep_true(s, cut, prefix, &r.candidates);
  bool found = r.candidates.n && excludes(s, &r.candidates, bad);
  if (found) {
    keep_needed(s, &r.candidates, bad);
    chosen->n = 0;
    for (size_t i = 0; i < r.candidates.n; i++) tp_vec_push(chosen, r.candidates.at[i]);
  }
  tp_vec_clear(&r.forms);
  tp_vec_clear(&r.candidates);
  return found;
}

/* From now on nothing before the cut is left out of the path. */
static void need_all_before(tp_itp *s, size_t cut) {
  for (size_t j = 0; j < s->first[cut]; j++) s->literals.at[j].needed = true;
}

tp_term tp_itp_relate(tp_itp *s, size_t cut, tp_term shape, tp_term bad, tp_term_list *chosen) {
  if (tp_is_const(s->tt, shape)) return TP_TERM_NONE;
  bool again = chosen->n > 0 && excludes(s, chosen, bad), simple = is_simple(s, shape);
  tp_term prefix = tp_itp_prefix(s, cut, false), whole = tp_itp_prefix(s, cut, true);
  if (again && hold_at(s, cut, prefix, chosen)) return all_of(s, chosen);
  if (!again || tp_term_eq(prefix, whole) || !hold_at(s, cut, whole, chosen)) {
    if (simple) return TP_TERM_NONE;
    if (find(s, cut, prefix, shape, bad, chosen)) return all_of(s, chosen);
    if (tp_term_eq(prefix, whole) || !find(s, cut, whole, shape, bad, chosen)) return TP_TERM_NONE;
  }
  need_all_before(s, cut);
  return all_of(s, chosen);
}
