#include "certify/shapes/effect.h"

#include "certify/shapes/shape_priv.h"

enum { MOST_CASES = 4096 };

// ---------------------------------------------------------------------- formulas

static const tp_cformula *formula(tp_ceffect *x, tp_cformula f) {
  tp_cformula *made = tp_arena_alloc(&x->arena, sizeof *made);
  *made = f;
  return made;
}

static const tp_cformula *value(tp_ceffect *x, uint8_t v) {
  return formula(x, (tp_cformula){.kind = TP_CF_VALUE, .value = v});
}
static const tp_cformula *of_one(tp_ceffect *x, uint32_t k, uint8_t a) {
  return formula(x, (tp_cformula){.kind = TP_CF_ATOM, .predicate = k, .a = a});
}
static const tp_cformula *of_two(tp_ceffect *x, uint32_t k, uint8_t a, uint8_t b) {
  return formula(x,
                 (tp_cformula){.kind = TP_CF_ATOM, .predicate = k, .a = a, .b = b, .has_b = true});
}
static const tp_cformula *itself(tp_ceffect *x, uint32_t k) {
  return x->c->predicates.at[k].arity == 2 ? of_two(x, k, 0, 1) : of_one(x, k, 0);
}
static const tp_cformula *choice(tp_ceffect *x, const tp_cformula *a, const tp_cformula *b,
                                 const tp_cformula *c) {
  return formula(x, (tp_cformula){.kind = TP_CF_IF, .kid = {a, b, c}});
}
/* Pointer y's cell has a field that leads to the variable 0. */
static const tp_cformula *read_through(tp_ceffect *x, uint32_t y, uint32_t field) {
  const tp_cformula *both = formula(
      x, (tp_cformula){.kind = TP_CF_AND, .kid = {of_one(x, y, 1), of_two(x, field, 1, 0)}});
  return formula(x, (tp_cformula){.kind = TP_CF_SOME, .a = 1, .kid = {both}});
}

static bool is_pointer(const tp_ceffect *x, uint32_t k) {
  return x->c->predicates.at[k].kind == TP_CP_POINTER && x->before[k];
}
static bool is_field(const tp_ceffect *x, uint32_t k) {
  return x->c->predicates.at[k].kind == TP_CP_FIELD;
}

static void offer_formula(tp_ceffect *x, const tp_cformula *f) {
  tp_vec_push(&x->guesses, ((tp_cguess){x->guessed, f}));
}

/* Strangers may be addresses inside of a cell, or lie behind what nobody has written. */
static const tp_cformula *of_cells(tp_ceffect *x, const tp_cformula *f) {
  uint32_t foreign = tp_cclass_find(x->c, TP_CP_FOREIGN);
  return foreign ? choice(x, of_one(x, foreign, 0), value(x, TP_CGRAPH_OPEN), f) : f;
}

/* A pointer is what stands in a field of another one's cell. */
static void offer_reads(tp_ceffect *x) {
  const uint32_t n = (uint32_t)x->c->predicates.n;
  for (uint32_t y = 1; y < n; y++)
    for (uint32_t f = 1; f < n && is_pointer(x, y); f++)
      if (is_field(x, f)) offer_formula(x, read_through(x, y, f));
}

/* Only the cell of pointer p is another than before. */
static void offer_written(tp_ceffect *x, uint32_t k, uint32_t p) {
  const tp_cformula *here = of_one(x, p, 0), *before = itself(x, k);
  if (is_field(x, k)) {
    for (uint32_t q = 1; q < x->c->predicates.n; q++)
      if (is_pointer(x, q)) offer_formula(x, choice(x, here, of_one(x, q, 1), before));
    offer_formula(x, choice(x, here, value(x, 0), before));
  } else {
    for (uint8_t v = 0; v < 2; v++)
      offer_formula(x, of_cells(x, choice(x, here, value(x, v), before)));
  }
  offer_formula(x, of_cells(x, choice(x, here, value(x, TP_CGRAPH_OPEN), before)));
}

/* What the certificate proposes: where memory changes, for steps through a pointer to what changes.
 */
static void offer_proposed(tp_ceffect *x, uint32_t k, bool changes) {
  const tp_cclass *c = x->c;
  for (size_t i = 0; i < c->updates.n; i++) {
    const tp_cupdate *u = &c->updates.at[i];
    if (u->predicate != k || !is_pointer(x, u->through) || !tp_cs_names_only(x->before, u->formula))
      continue;
    if (changes && !tp_cshape_is_changed(x->step.g, c->predicates.at[u->through].var)) continue;
    offer_formula(x, u->formula);
    if (changes) offer_formula(x, of_cells(x, u->formula));
  }
}

static void offer_old(tp_ceffect *x, uint32_t k) {
  const tp_cclass *c = x->c;
  bool changes = x->step.g->state.memory || x->step.g->state.ghosts;
  x->guessed = k;
  if (changes) offer_formula(x, itself(x, k));
  offer_proposed(x, k, changes);
  if (changes) offer_formula(x, of_cells(x, itself(x, k)));
  for (uint32_t p = 1; p < c->predicates.n && changes; p++)
    if (is_pointer(x, p) && c->predicates.at[k].kind != TP_CP_DEFINED &&
        c->predicates.at[k].kind != TP_CP_POINTER &&
        tp_cshape_is_changed(x->step.g, c->predicates.at[p].var))
      offer_written(x, k, p);
  offer_formula(x, value(x, 0));
  if (changes) offer_formula(x, of_cells(x, value(x, 0)));
  if (c->predicates.at[k].kind == TP_CP_POINTER) offer_reads(x);
}

/* A pointer reads a field: which ones it may read must be known in a graph. */
static void see_focus(tp_ceffect *x, const tp_cformula *f) {
  if (f->kind != TP_CF_SOME || f->kid[0]->kind != TP_CF_AND) return;
  const tp_cformula *y = f->kid[0]->kid[0], *read = f->kid[0]->kid[1];
  if (y->kind == TP_CF_ATOM && read->kind == TP_CF_ATOM && y->predicate < 64 &&
      is_pointer(x, y->predicate) && is_field(x, read->predicate))
    x->focus[read->predicate] |= UINT64_C(1) << y->predicate;
}

/* Which guesses are true: of old elements, or of fresh ones; the first one of a predicate counts.
 */
static void find_true(tp_ceffect *x, uint32_t arity, int a, int b, tp_cdepth depth) {
  bool *is_true = TP_NEW_ARRAY(bool, x->guesses.n + 1), is_old = a == TP_OLD && b == TP_OLD;
  if (x->guesses.n && is_old)
    tp_clemma_old(&x->step, arity, x->guesses.at, x->guesses.n, depth, is_true);
  if (x->guesses.n && !is_old)
    tp_clemma_fresh(&x->step, a, b, x->guesses.at, x->guesses.n, depth, is_true);
  for (size_t i = 0; i < x->guesses.n; i++) {
    tp_cchanged *d = &x->changes[x->guesses.at[i].predicate];
    const tp_cformula **to = is_old ? &d->old : &d->fresh[a + 1][b + 1];
    if (is_true[i] && !*to) *to = x->guesses.at[i].formula;
  }
  tp_free(is_true);
}

/* What is not found among sketches, of fields: without those nothing can be described. */
static void find_fields(tp_ceffect *x, uint32_t arity, int a, int b) {
  size_t n = 0;
  for (size_t i = 0; i < x->guesses.n; i++) {
    const tp_cguess guess = x->guesses.at[i];
    const tp_cchanged *d = &x->changes[guess.predicate];
    if (is_field(x, guess.predicate) &&
        !(a == TP_OLD && b == TP_OLD ? d->old : d->fresh[a + 1][b + 1]))
      x->guesses.at[n++] = guess;
  }
  x->guesses.n = n;
  find_true(x, arity, a, b, TP_CDEPTH_BITS);
}

static void find_old(tp_ceffect *x, uint32_t arity) {
  const tp_cclass *c = x->c;
  uint32_t *same = TP_NEW_ARRAY(uint32_t, c->predicates.n);
  tp_clemma_same(&x->step, arity, same);
  x->guesses.n = 0;
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    if (!x->wanted[k] || c->predicates.at[k].arity != arity) continue;
    if (same[k])
      x->changes[k].old = itself(x, same[k]);
    else
      offer_old(x, k);
  }
  find_true(x, arity, TP_OLD, TP_OLD, TP_CDEPTH_SKETCH);
  find_fields(x, arity, TP_OLD, TP_OLD);
  for (uint32_t k = 1; k < c->predicates.n; k++)
    if (c->predicates.at[k].kind == TP_CP_POINTER && x->changes[k].old)
      see_focus(x, x->changes[k].old);
  tp_free(same);
}

/* Of fresh elements: a constant, or what a predicate said of the other one. */
static void find_fresh(tp_ceffect *x, uint32_t arity, int a, int b) {
  const tp_cclass *c = x->c;
  x->guesses.n = 0;
  for (x->guessed = 1; x->guessed < c->predicates.n; x->guessed++) {
    if (!x->wanted[x->guessed] || c->predicates.at[x->guessed].arity != arity) continue;
    for (uint8_t v = 0; v < 2; v++) offer_formula(x, value(x, v));
    for (uint32_t m = 1; m < c->predicates.n && a != b && (a == TP_OLD || b == TP_OLD); m++)
      if (is_pointer(x, m)) offer_formula(x, of_one(x, m, 0));
  }
  find_true(x, arity, a, b, TP_CDEPTH_SKETCH);
  find_fields(x, arity, a, b);
}

static void find_changes(tp_ceffect *x) {
  const int n = x->step.n_fresh;
  for (uint32_t arity = 1; arity <= 2; arity++) {
    find_old(x, arity);
    for (int a = arity == 2 ? TP_OLD : 0; a < n; a++)
      for (int b = arity == 2 ? TP_OLD : a; b < (arity == 2 ? n : a + 1); b++)
        if (a != TP_OLD || b != TP_OLD) find_fresh(x, arity, a, b);
  }
}

// ---------------------------------------------------------------- behind a step

static uint8_t eval(tp_kleene *k, const tp_cformula *f, uint32_t a, uint32_t b) {
  const uint8_t env[TP_CGRAPH_VARIABLES] = {(uint8_t)a, (uint8_t)b};
  return f ? tp_kleene_eval(k, f, env) : TP_CGRAPH_OPEN;
}

/* Elements stay if they are cells; strangers do if a pointer holds them still. */
static bool stays_inhabited(const tp_cclass *c, const tp_kleene *before, const tp_kleene *after,
                            uint32_t v) {
  uint32_t foreign = tp_cclass_find(c, TP_CP_FOREIGN);
  bool stays = foreign && *tp_kleene_at(before, foreign, v, 0) == 0;
  for (uint32_t k = 1; k < c->predicates.n && !stays; k++)
    stays = c->predicates.at[k].kind == TP_CP_POINTER && *tp_kleene_at(after, k, v, 0) == 1;
  return stays && before->is_inhabited[v];
}

/* Predicate k behind the step of nodes u and v, of which those from n on are fresh. */
static uint8_t value_behind(tp_ceffect *x, tp_kleene *before, uint32_t k, uint32_t u, uint32_t v) {
  const tp_cchanged *d = &x->changes[k];
  uint32_t n = before->n, a = u < n ? 0 : u - n + 1, b = v < n ? 0 : v - n + 1;
  if (x->c->predicates.at[k].arity == 1) b = a;
  return a || b ? eval(before, d->fresh[a][b], a ? v : u, 0) : eval(before, d->old, u, v);
}

tp_kleene *tp_ceffect_behind(tp_ceffect *x, tp_kleene *before) {
  const tp_cclass *c = x->c;
  uint32_t n = before->n + (uint32_t)x->step.n_fresh;
  if (n > TP_KLEENE_NODES) return NULL;
  tp_kleene *after = tp_kleene_new(c, n);
  for (uint32_t k = 1; k < c->predicates.n; k++)
    for (uint32_t u = 0; u < n && x->readable[k]; u++)
      for (uint32_t v = 0; v < (c->predicates.at[k].arity == 2 ? n : 1); v++)
        *tp_kleene_at(after, k, u, v) = value_behind(x, before, k, u, v);
  for (uint32_t v = 0; v < n; v++) {
    bool is_old = v < before->n;
    after->is_single[v] = is_old ? before->is_single[v] : true;
    after->is_inhabited[v] =
        is_old ? stays_inhabited(c, before, after, v) : x->step.is_made[v - before->n];
  }
  return after;
}

bool tp_ceffect_cases(tp_ceffect *x, const tp_kleene *k, tp_kleenes *out) {
  const tp_cclass *c = x->c;
  tp_vec_push(out, tp_kleene_copy(k));
  for (uint32_t f = 1; f < c->predicates.n; f++)
    for (uint32_t y = 1; y < c->predicates.n && y < 64; y++) {
      if (!(x->focus[f] >> y & 1)) continue;
      tp_kleenes parts = {0};
      bool ok = true;
      for (size_t i = 0; i < out->n; i++) {
        int u = tp_kleene_node_of(out->at[i], y);
        ok = ok && u >= 0 && parts.n < MOST_CASES &&
             tp_kleene_split(out->at[i], f, (uint32_t)u, &parts);
        tp_kleene_free(out->at[i]);
      }
      tp_vec_clear(out);
      for (size_t i = 0; i < parts.n; i++) tp_vec_push(out, parts.at[i]);
      tp_vec_clear(&parts);
      if (!ok) return false;
    }
  return true;
}

// ---------------------------------------------------------------------- opening

static bool says_something(const tp_cclass *c, const tp_cgraph *graph, uint32_t k) {
  uint32_t n = c->predicates.at[k].arity == 2 ? graph->n * graph->n : graph->n;
  for (uint32_t i = 0; i < n; i++)
    if (graph->values[k][i] != TP_CGRAPH_OPEN) return true;
  return false;
}

static void see_wanted(tp_ceffect *x, const tp_map *targets) {
  const tp_cgraphs *graphs = &x->step.g->entries->graphs;
  for (uint32_t k = 1; k < x->c->predicates.n; k++)
    for (size_t i = 0; i < targets->n && x->readable[k] && !x->wanted[k]; i++)
      x->wanted[k] = says_something(x->c, &graphs->graphs.at[targets->entries[i].key], k);
}

bool tp_ceffect_open(tp_ceffect *x, tp_chk_exec *g, uint32_t class, const tp_map *targets) {
  *x = (tp_ceffect){.step = {.g = g, .number = class}, .c = &g->entries->graphs.classes.at[class]};
  size_t n = x->c->predicates.n;
  tp_arena_init(&x->arena);
  x->before = TP_NEW_ARRAY(bool, n);
  x->readable = TP_NEW_ARRAY(bool, n);
  x->wanted = TP_NEW_ARRAY(bool, n);
  x->changes = TP_NEW_ARRAY(tp_cchanged, n);
  x->focus = TP_NEW_ARRAY(uint64_t, n);
  tp_cshape_readable(g, x->c, g->shape->start.context, x->before);
  tp_cshape_readable(g, x->c, g->state.context, x->readable);
  see_wanted(x, targets);
  if (!tp_clemma_see_fresh(&x->step)) return false;
  find_changes(x);
  return true;
}

void tp_ceffect_close(tp_ceffect *x) {
  tp_free(x->before);
  tp_free(x->readable);
  tp_free(x->wanted);
  tp_free(x->changes);
  tp_free(x->focus);
  tp_vec_clear(&x->guesses);
  tp_arena_clear(&x->arena);
}
