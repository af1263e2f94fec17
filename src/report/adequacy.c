#include "report/adequacy.h"

// ------------------------------------------------------------------ one state

static void print_place(const tp_coverage *c, uint32_t place, tp_str *out) {
  const tp_loc_info *l = tp_loc_of(c->program, c->places.at[place].loc);
  tp_str_printf(out, "%s", tp_func_of(c->program, l->func)->name);
  if (l->label) tp_str_printf(out, ", label %s", l->label);
  if (tp_pos_known(l->pos)) tp_str_printf(out, ", line %u", l->pos.line);
}

static bool is_one_word(const char *text) {
  for (; *text; text++)
    if (*text == ' ' || *text == '=' || *text == '<' || *text == '>') return false;
  return true;
}

/* name, or its negation. */
static void print_literal(const char *name, bool holds, bool alone, tp_str *out) {
  if (!holds) tp_str_printf(out, is_one_word(name) ? "!%s" : "!(%s)", name);
  else tp_str_printf(out, alone || (!strstr(name, "||") && !strstr(name, "?")) ? "%s" : "(%s)", name);
}

/* The literals that `mask` selects. */
static void print_cube(const tp_place *at, uint64_t values, uint64_t mask, tp_str *out) {
  size_t n = 0;
  for (size_t i = 0; i < at->probes.n; i++) {
    if (!(mask >> i & 1)) continue;
    if (n++) tp_str_add(out, " && ");
    print_literal(at->probes.at[i].name, values >> i & 1, (mask & (mask - 1)) == 0, out);
  }
  if (n == 0) tp_str_add(out, "true");
}

static uint64_t all_of(const tp_place *at) { return at->probes.n >= 64 ? UINT64_MAX : ((uint64_t)1 << at->probes.n) - 1; }

static void print_state(const tp_coverage *c, uint32_t state, tp_str *out) {
  if (state >= c->states.n) {
    tp_str_add(out, "the start");
    return;
  }
  const tp_abstract_state *a = &c->states.at[state];
  const tp_place *at = &c->places.at[a->place];
  print_place(c, a->place, out);
  if (at->probes.n) tp_str_add(out, ": ");
  if (at->probes.n) print_cube(at, a->values, all_of(at), out);
}

// ------------------------------------------------------------------ invariants

/* Cubes: literals of `mask` have the values of `values`. */
typedef struct {
  uint64_t values, mask;
  bool is_merged;
} cube;
typedef TP_VEC(cube) cubes;

enum { MOST_CUBES = 512 };

static bool has_cube(const cubes *all, uint64_t values, uint64_t mask) {
  for (size_t i = 0; i < all->n; i++)
    if (all->at[i].values == values && all->at[i].mask == mask) return true;
  return false;
}

/* Two cubes that differ in one literal become one without it, as long as there are such; what was used is no longer needed.
 * Source: Quine 1955, the first half; what remains may be redundant. */
static void merge_cubes(cubes *all) {
  for (size_t i = 0; i < all->n && all->n < MOST_CUBES; i++)
    for (size_t k = 0; k < i && all->n < MOST_CUBES; k++) {
      cube *a = &all->at[i], *b = &all->at[k];
      uint64_t differ = a->values ^ b->values;
      if (a->mask != b->mask || differ == 0 || (differ & (differ - 1))) continue;
      uint64_t values = a->values & ~differ, mask = a->mask & ~differ;
      a->is_merged = b->is_merged = true;
      if (!has_cube(all, values, mask)) tp_vec_push(all, (cube){values, mask, false});
    }
}

/* Does the cube say nothing new beside the others that are kept? By trying all states of the place. */
static bool is_redundant(const tp_coverage *c, const tp_place *at, const cubes *all, size_t skip) {
  for (size_t s = 0; s < at->states.n; s++) {
    uint64_t v = c->states.at[at->states.at[s]].values;
    bool is_covered = false;
    for (size_t i = 0; i < all->n && !is_covered; i++)
      is_covered = i != skip && !all->at[i].is_merged && ((v ^ all->at[i].values) & all->at[i].mask) == 0;
    if (!is_covered) return false;
  }
  return true;
}

/* The predicates' part of the invariant of a place, in C; false: it says nothing, or nothing reaches the place. */
static bool print_invariant(const tp_coverage *c, uint32_t place, tp_str *out) {
  const tp_place *at = &c->places.at[place];
  if (at->probes.n == 0 || at->states.n == 0) return false;
  uint64_t common = all_of(at), first = c->states.at[at->states.at[0]].values;
  for (size_t i = 1; i < at->states.n; i++) common &= ~(c->states.at[at->states.at[i]].values ^ first);
  cubes all = {0};
  for (size_t i = 0; i < at->states.n; i++) {
    uint64_t mask = all_of(at) & ~common;
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
  if (common) print_cube(at, first, common, out);
  for (size_t i = 0; i < all.n && !says_nothing; i++) {
    if (all.at[i].is_merged) continue;
    bool paren = n_kept > 1 && (all.at[i].mask & (all.at[i].mask - 1));
    if (n++ == 0) tp_str_add(out, common ? n_kept > 1 ? " && (" : " && " : "");
    else tp_str_add(out, " || ");
    tp_str_add(out, paren ? "(" : "");
    print_cube(at, all.at[i].values, all.at[i].mask, out);
    tp_str_add(out, paren ? ")" : "");
  }
  if (n && common && n_kept > 1) tp_str_add_char(out, ')');
  tp_vec_clear(&all);
  return out->n > before;
}

// ---------------------------------------------------------------------- report

void tp_adequacy_first_line(const tp_adequacy_report *r, tp_str *out) {
  const tp_adequacy_counters *n = &r->counters;
  if (r->is_adequate) tp_str_add(out, "TESTS: adequate\n");
  else tp_str_printf(out, "TESTS: not adequate (%llu of %llu abstract states missed)\n", (unsigned long long)n->abstract_states_missed, (unsigned long long)n->abstract_states);
}

/* The covered state that a missed one was found from; UINT32_MAX: it is an initial one, or was met on a run. */
static uint32_t found_from(const tp_adequacy_report *r, uint32_t state) {
  for (size_t i = 0; i < r->fabricated.n; i++)
    if (r->fabricated.at[i].after == state) return r->fabricated.at[i].before;
  return UINT32_MAX;
}

static void print_missed(const tp_adequacy_report *r, tp_str *out) {
  const tp_coverage *c = &r->coverage;
  for (uint32_t i = 0; i < c->states.n; i++) {
    const tp_abstract_state *a = &c->states.at[i];
    if (!a->is_missed) continue;
    tp_str_add(out, "missed: ");
    print_state(c, i, out);
    tp_str_add_char(out, '\n');
    uint32_t from = found_from(r, i);
    if (from != UINT32_MAX) {
      tp_str_add(out, "  after ");
      print_state(c, from, out);
      tp_str_add_char(out, '\n');
    } else if (a->origin.kind == TP_FROM_INITIAL) {
      tp_str_add(out, "  reached by a real run\n");
    }
  }
}

static void print_potential(const tp_adequacy_report *r, const tp_diag *diag, tp_str *out) {
  const tp_coverage *c = &r->coverage;
  for (size_t i = 0; i < r->potential.n; i++) {
    const tp_potential_error *e = &r->potential.at[i];
    const tp_loc_info *l = tp_loc_of(c->program, e->error);
    tp_str_add(out, e->is_open ? "not modelled: " : "potential error: ");
    tp_pos_print(diag, l->pos, out);
    tp_str_printf(out, "%s%s\n  after ", l->message ? ": " : "", l->message ? l->message : "");
    print_state(c, e->from, out);
    tp_str_add_char(out, '\n');
  }
}

enum { LONGEST_INVARIANT = 2000 };   // longer ones are in the certificate only

static void print_invariants(const tp_adequacy_report *r, tp_str *out) {
  const tp_coverage *c = &r->coverage;
  for (uint32_t i = 0; i < c->places.n; i++) {
    tp_str text = {0};
    if (print_invariant(c, i, &text) && text.n <= LONGEST_INVARIANT) {
      tp_str_add(out, "invariant: ");
      print_place(c, i, out);
      tp_str_printf(out, ": %s\n", tp_str_text(&text));
    }
    tp_str_clear(&text);
  }
}

void tp_adequacy_print(const tp_adequacy_report *r, const tp_diag *diag, tp_str *out) {
  print_missed(r, out);
  print_potential(r, diag, out);
  if (r->is_closed) print_invariants(r, out);
}

void tp_adequacy_json(const tp_adequacy_report *r, tp_str *out) {
  tp_str_printf(out, "\"tests_adequate\": %s, \"closed\": %s, \"fallback_used\": \"%s\", \"potential_errors\": %zu", r->is_adequate ? "true" : "false",
                r->is_closed ? "true" : "false", tp_fallback_name(r->fallback), r->potential.n);
#define TP_C(name) tp_str_printf(out, ", \"%s\": %llu", #name, (unsigned long long)r->counters.name);
  TP_ADEQUACY_COUNTERS(TP_C)
#undef TP_C
}
