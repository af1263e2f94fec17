/* Facts come from vectors of truth values. A solver is only asked whether a predicate has a meaning
 * in all states of the cutpoint, since one that has none counts as false: then its value is that of
 * what it asks. Predicates that compare the same two quantities say in each abstract state which of
 * below, equal, above are left; what is left in none of them is excluded. Comparisons with
 * constants bound a quantity from both sides; the widest bounds of all abstract states hold.
 * Neighbouring bounds become chains: 0 <= x && x <= y. */
#include "report/invariant_text.h"

#include "smt/smt.h"
#include "expression/c_value.h"
#include "expression/expression.h"
#include "expression/expression_print.h"
#include "report/report_limits.h"

// ------------------------------------------------------------------------ cubes

static bool is_one_word(const char *text) {
  for (; *text; text++)
    if (*text == ' ' || *text == '=' || *text == '<' || *text == '>') return false;
  return true;
}

/* name, or its negation. */
static void print_literal(const char *name, bool holds, bool alone, tp_str *out) {
  if (!holds)
    tp_str_printf(out, is_one_word(name) ? "!%s" : "!(%s)", name);
  else
    tp_str_printf(out, alone || (!strstr(name, "||") && !strstr(name, "?")) ? "%s" : "(%s)", name);
}

void tp_cube_print(const tp_cutpoint_coverage *at, uint64_t values, uint64_t mask, tp_str *out) {
  TP_REQUIRE((mask & ~tp_cube_mask(at)) == 0);
  size_t n = 0;
  for (size_t i = 0; i < at->probes.n; i++) {
    if (!(mask >> i & 1)) continue;
    if (n++) tp_str_add(out, " && ");
    print_literal(at->probes.at[i].name, values >> i & 1, (mask & (mask - 1)) == 0, out);
  }
  if (n == 0) tp_str_add(out, "true");
}

uint64_t tp_cube_mask(const tp_cutpoint_coverage *at) {
  return at->probes.n >= 64 ? UINT64_MAX : ((uint64_t)1 << at->probes.n) - 1;
}

/* Cubes: literals of `mask` have the values of `values`. */
typedef struct {
  uint64_t values, mask;
  bool is_merged;
} cube;
typedef TP_VEC(cube) cubes;

static bool has_cube(const cubes *all, uint64_t values, uint64_t mask) {
  for (size_t i = 0; i < all->n; i++)
    if (all->at[i].values == values && all->at[i].mask == mask) return true;
  return false;
}

/* Two cubes that differ in one literal become one without it, as long as there are such; what was
 * used is no longer needed. Source: Quine 1955, the first half; what remains may be redundant. */
static void merge_cubes(cubes *all) {
  for (size_t i = 0; i < all->n; i++) TP_REQUIRE((all->at[i].values & ~all->at[i].mask) == 0);
  for (size_t i = 0; i < all->n && all->n < TP_REPORT_CUBES; i++)
    for (size_t k = 0; k < i && all->n < TP_REPORT_CUBES; k++) {
      cube *a = &all->at[i], *b = &all->at[k];
      uint64_t differ = a->values ^ b->values;
      if (a->mask != b->mask || differ == 0 || (differ & (differ - 1))) continue;
      uint64_t values = a->values & ~differ, mask = a->mask & ~differ;
      a->is_merged = b->is_merged = true;
      if (!has_cube(all, values, mask)) tp_vec_push(all, (cube){values, mask, false});
    }
}

/* Does the cube say nothing new beside the others that are kept? By trying all states of the
 * cutpoint.
 */
static bool is_redundant(const tp_coverage *c, const tp_cutpoint_coverage *at, const cubes *all,
                         size_t skip) {
  TP_REQUIRE(skip < all->n);
  for (size_t s = 0; s < at->states.n; s++) {
    uint64_t v = c->states.at[at->states.at[s]].values;
    bool is_covered = false;
    for (size_t i = 0; i < all->n && !is_covered; i++)
      is_covered =
          i != skip && !all->at[i].is_merged && ((v ^ all->at[i].values) & all->at[i].mask) == 0;
    if (!is_covered) return false;
  }
  return true;
}

/* The abstract states of a cutpoint as a short disjunction; false: it says nothing, or nothing
 * reaches the cutpoint. */
static bool print_exact(const tp_coverage *c, uint32_t cutpoint, tp_str *out) {
  TP_REQUIRE(cutpoint < c->cutpoints.n);
  const tp_cutpoint_coverage *at = &c->cutpoints.at[cutpoint];
  if (at->probes.n == 0 || at->states.n == 0) return false;
  uint64_t common = tp_cube_mask(at), first = c->states.at[at->states.at[0]].values;
  for (size_t i = 1; i < at->states.n; i++)
    common &= ~(c->states.at[at->states.at[i]].values ^ first);
  cubes all = {0};
  for (size_t i = 0; i < at->states.n; i++) {
    uint64_t mask = tp_cube_mask(at) & ~common;
    uint64_t values = c->states.at[at->states.at[i]].values & mask;
    if (!has_cube(&all, values, mask)) tp_vec_push(&all, (cube){values, mask, false});
  }
  merge_cubes(&all);
  for (size_t i = 0; i < all.n; i++)
    if (!all.at[i].is_merged && is_redundant(c, at, &all, i)) all.at[i].is_merged = true;
  size_t n = 0, n_kept = 0;
  bool says_nothing = false;
  for (size_t i = 0; i < all.n; i++)
    if (!all.at[i].is_merged) n_kept++, says_nothing = says_nothing || all.at[i].mask == 0;
  size_t before = out->n;
  if (common) tp_cube_print(at, first, common, out);
  for (size_t i = 0; i < all.n && !says_nothing; i++) {
    if (all.at[i].is_merged) continue;
    bool paren = n_kept > 1 && (all.at[i].mask & (all.at[i].mask - 1));
    if (n++ == 0)
      tp_str_add(out, common ? n_kept > 1 ? " && (" : " && " : "");
    else
      tp_str_add(out, " || ");
    tp_str_add(out, paren ? "(" : "");
    tp_cube_print(at, all.at[i].values, all.at[i].mask, out);
    tp_str_add(out, paren ? ")" : "");
  }
  if (n && common && n_kept > 1) tp_str_add_char(out, ')');
  tp_vec_clear(&all);
  return out->n > before;
}

// ------------------------------------------------------------------- comparisons

enum { BELOW = 1, EQUAL = 2, ABOVE = 4, ANYHOW = 7 };

typedef struct {
  const tp_coverage *c;
  const tp_cutpoint_coverage *at;
  tp_terms *tt;
  tp_arena *arena;
  tp_facts *out;
  tp_term asked[TP_ADEQUACY_PROBES_AT_CUTPOINT];  // what each predicate asks, where that always has
                                                  // a meaning; else all of it
  uint64_t done;                                  // predicates that are part of a fact
} writer;

static uint64_t values_of(const writer *w, size_t state) {
  return w->c->states.at[w->at->states.at[state]].values;
}
static tp_term term_of(const writer *w, size_t i) { return w->asked[i]; }

/* What the predicate asks, beside that it has a meaning, which it always has here. */
static tp_term asked_by(const writer *w, tp_smt *known, const tp_probe *b) {
  const tp_program *p = w->c->program;
  tp_c_value v;
  tp_expression_error error = {0};
  bool can_read = b->name && tp_expression_read(p, w->at->loc, b->name, &v, &error) == TP_OK &&
                  tp_c_condition(p, v, &v, &error.why) == TP_OK;
  tp_str_clear(&error.why);
  if (!can_read || !tp_term_eq(tp_mk_and(w->tt, v.defined, v.value), b->term)) return b->term;
  const tp_term has_none = tp_mk_not(w->tt, v.defined);
  return tp_is_true(w->tt, v.defined) || tp_smt_check(known, &has_none, 1) == TP_SMT_UNSAT
             ? v.value
             : b->term;
}

static void find_asked(writer *w, tp_term known) {
  tp_smt *smt =
      tp_smt_new(w->tt, (tp_smt_options){.backend = "mixed", .rlimit = TP_REPORT_MEANING_RLIMIT});
  tp_smt_assert(smt, known);
  for (size_t i = 0; i < w->at->probes.n; i++) w->asked[i] = asked_by(w, smt, &w->at->probes.at[i]);
  tp_smt_free(smt);
}

bool tp_fact_is_plain(const char *text) {
  static const char *const asking[] = {"object_size(", "object_offset(", "object_live(",
                                       "object_kind(", "object_of("};
  for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
    if (strstr(text, asking[i])) return false;
  return true;
}

static void add(writer *w, const char *text) {
  tp_vec_push(w->out, (tp_fact){text, tp_fact_is_plain(text)});
}

/* NULL: it has no spelling. */
static const char *spelled(const writer *w, tp_term t) {
  tp_str text = {0};
  const char *at = tp_expression_print(w->c->program, w->at->loc, t, &text)
                       ? tp_arena_strdup(w->arena, tp_str_text(&text))
                       : NULL;
  tp_str_clear(&text);
  return at;
}

/* How x and y compare if the predicate has this value; ANYHOW: it does not speak of the two. */
static uint32_t left_by(const writer *w, size_t i, bool value, tp_term x, tp_term y,
                        bool is_signed) {
  tp_term t = term_of(w, i);
  tp_term_kind k = tp_kind(w->tt, t);
  bool is_order = k == (is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT),
       is_weak = k == (is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE);
  if (k == TP_OP_EQ && (tp_term_eq(t, tp_mk_eq(w->tt, x, y)))) return value ? EQUAL : BELOW | ABOVE;
  if (!is_order && !is_weak) return ANYHOW;
  bool is_turned = tp_term_eq(tp_arg(w->tt, t, 0), y) && tp_term_eq(tp_arg(w->tt, t, 1), x);
  if (!is_turned && !(tp_term_eq(tp_arg(w->tt, t, 0), x) && tp_term_eq(tp_arg(w->tt, t, 1), y)))
    return ANYHOW;
  uint32_t left = (is_turned ? ABOVE : BELOW) | (is_weak ? EQUAL : 0);
  return value ? left : ANYHOW & ~left;
}

/* Predicate `first` compares two quantities: what all that compare the same two leave. */
static void compare(writer *w, size_t first, bool is_signed) {
  tp_term x = tp_arg(w->tt, term_of(w, first), 0), y = tp_arg(w->tt, term_of(w, first), 1);
  uint32_t all = 0;
  uint64_t used = 0;
  for (size_t s = 0; s < w->at->states.n; s++) {
    uint32_t left = ANYHOW;
    for (size_t i = 0; i < w->at->probes.n; i++) {
      uint32_t by = left_by(w, i, values_of(w, s) >> i & 1, x, y, is_signed);
      left &= by;
      if (by != ANYHOW) used |= (uint64_t)1 << i;
    }
    all |= left;
  }
  static const char *const forms[8] = {NULL,      "%s < %s",  "%s == %s", "%s <= %s",
                                       "%s > %s", "%s != %s", "%s >= %s", NULL};
  const char *a = spelled(w, x), *b = spelled(w, y);
  if (!a || !b) return;
  w->done |= used;
  if (!forms[all]) return;
  bool is_turned = all == ABOVE || all == (ABOVE | EQUAL);  // smaller ones first
  add(w, tp_arena_printf(w->arena,
                         all == ABOVE ? "%s < %s"
                         : is_turned  ? "%s <= %s"
                                      : forms[all],
                         is_turned ? b : a, is_turned ? a : b));
}

/* A value of the width as a number that compares as the order does. */
static tp_i128 number(const writer *w, tp_term t, bool is_signed) {
  uint32_t width = tp_width(w->tt, t);
  uint64_t bits = (uint64_t)tp_bv_value(w->tt, t);
  if (!is_signed || width > 64) return (tp_i128)bits;
  return (int64_t)(bits << (64 - width)) >> (64 - width);
}

typedef struct {
  bool has_low, has_high;
  tp_i128 low, high;
} bounds;  // low <= x < high

static void narrow(const writer *w, size_t i, bool value, tp_term x, bool is_signed, bounds *b,
                   uint64_t *used) {
  tp_term t = term_of(w, i);
  tp_term_kind k = tp_kind(w->tt, t);
  bool is_order = k == (is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT) || k == TP_OP_EQ;
  if (!is_order || !tp_term_eq(tp_arg(w->tt, t, 0), x) || !tp_is_const(w->tt, tp_arg(w->tt, t, 1)))
    return;
  tp_i128 n = number(w, tp_arg(w->tt, t, 1), is_signed);
  *used |= (uint64_t)1 << i;
  if (k == TP_OP_EQ && !value) return;
  bool is_upper = k == TP_OP_EQ || value, is_lower = k == TP_OP_EQ || !value;
  tp_i128 above = k == TP_OP_EQ ? n + 1 : n;
  if (is_upper && (!b->has_high || above < b->high)) b->has_high = true, b->high = above;
  if (is_lower && (!b->has_low || n > b->low)) b->has_low = true, b->low = n;
}

/* Predicate `first` compares a quantity with a constant: the bounds of it in all abstract states.
 */
static void bound(writer *w, size_t first, bool is_signed) {
  tp_term x = tp_arg(w->tt, term_of(w, first), 0);
  bounds all = {.has_low = true, .has_high = true};
  uint64_t used = 0;
  bool is_first = true;
  for (size_t s = 0; s < w->at->states.n; s++) {
    bounds b = {0};
    for (size_t i = 0; i < w->at->probes.n; i++)
      narrow(w, i, values_of(w, s) >> i & 1, x, is_signed, &b, &used);
    all.has_low &= b.has_low;
    all.has_high &= b.has_high;
    if (is_first || b.low < all.low) all.low = b.low;
    if (is_first || b.high > all.high) all.high = b.high;
    is_first = false;
  }
  const char *name = spelled(w, x);
  if (!name) return;
  uint64_t equations = 0;  // x != 3 is a fact of its own
  for (size_t i = 0; i < w->at->probes.n; i++)
    if (tp_kind(w->tt, term_of(w, i)) == TP_OP_EQ) equations |= (uint64_t)1 << i;
  w->done |= used & ~equations;
  if (all.has_low && all.has_high && all.low + 1 == all.high) {
    w->done |= used;
    add(w, tp_arena_printf(w->arena, "%s == %lld", name, (long long)all.low));
    return;
  }
  if (all.has_low) add(w, tp_arena_printf(w->arena, "%lld <= %s", (long long)all.low, name));
  if (all.has_high) add(w, tp_arena_printf(w->arena, "%s <= %lld", name, (long long)all.high - 1));
}

/* Predicates that always have the same value. */
static void add_constant(writer *w, size_t i) {
  bool value = values_of(w, 0) >> i & 1;
  for (size_t s = 1; s < w->at->states.n; s++)
    if ((bool)(values_of(w, s) >> i & 1) != value) return;
  tp_str text = {0};
  print_literal(w->at->probes.at[i].name, value, false, &text);
  add(w, tp_arena_strdup(w->arena, tp_str_text(&text)));
  tp_str_clear(&text);
}

void tp_invariant_facts(const tp_adequacy_report *r, uint32_t cutpoint, tp_arena *arena,
                        tp_facts *out) {
  const tp_coverage *c = &r->coverage;
  writer w = {.c = c,
              .at = &c->cutpoints.at[cutpoint],
              .tt = c->program->terms,
              .arena = arena,
              .out = out};
  if (w.at->states.n == 0 || cutpoint >= r->invariants.n) return;
  find_asked(&w, r->invariants.at[cutpoint]);
  for (int with_constants = 1; with_constants >= 0; with_constants--)
    for (size_t i = 0; i < w.at->probes.n; i++) {
      tp_term_kind k = tp_kind(w.tt, term_of(&w, i));
      bool is_signed = k == TP_OP_BV_SLT, is_order = is_signed || k == TP_OP_BV_ULT;
      if (!is_order || w.done >> i & 1 ||
          tp_is_const(w.tt, tp_arg(w.tt, term_of(&w, i), 1)) != (with_constants == 1))
        continue;
      if (with_constants)
        bound(&w, i, is_signed);
      else
        compare(&w, i, is_signed);
    }
  for (size_t i = 0; i < w.at->probes.n; i++)
    if (!(w.done >> i & 1)) add_constant(&w, i);
}

bool tp_invariant_print(const tp_adequacy_report *r, uint32_t cutpoint, tp_str *out) {
  tp_str exact = {0};
  bool says_something = print_exact(&r->coverage, cutpoint, &exact);
  if (says_something && exact.n > TP_REPORT_EXACT_CHARACTERS) {
    tp_arena arena;
    tp_facts facts = {0};
    tp_arena_init(&arena);
    tp_invariant_facts(r, cutpoint, &arena, &facts);
    for (size_t i = 0; i < facts.n; i++)
      tp_str_printf(out, "%s%s", i ? " && " : "", facts.at[i].text);
    says_something = facts.n > 0;
    tp_vec_clear(&facts);
    tp_arena_clear(&arena);
  } else if (says_something) {
    tp_str_add_n(out, exact.text, exact.n);
  }
  tp_str_clear(&exact);
  return says_something;
}
