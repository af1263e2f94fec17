/* Updates are found by trying candidates, few for each predicate, in an order of preference: each
 * is proved for all heaps by a lemma (lemmas.h), so that nothing rests on the order. A structure is
 * then focused where pointers read fields, and each predicate of the structure after the step is
 * the value of its update in Kleene's logic, or 1/2 where no update was proved. Nodes stay; new
 * elements become nodes of their own. */
#include "certify/shapes/transformer.h"

#include "certify/certify_limits.h"

// ---------------------------------------------------------------------- formulas

static const tp_chk_formula *formula(tp_chk_transformer *x, tp_chk_formula f) {
  tp_chk_formula *made = tp_arena_alloc(&x->arena, sizeof *made);
  *made = f;
  return made;
}

static const tp_chk_formula *value(tp_chk_transformer *x, uint8_t v) {
  return formula(x, (tp_chk_formula){.kind = TP_CHK_F_VALUE, .value = v});
}
static const tp_chk_formula *of_one(tp_chk_transformer *x, uint32_t k, uint8_t a) {
  return formula(x, (tp_chk_formula){.kind = TP_CHK_F_ATOM, .predicate = k, .a = a});
}
static const tp_chk_formula *of_two(tp_chk_transformer *x, uint32_t k, uint8_t a, uint8_t b) {
  return formula(
      x, (tp_chk_formula){.kind = TP_CHK_F_ATOM, .predicate = k, .a = a, .b = b, .has_b = true});
}
static const tp_chk_formula *itself(tp_chk_transformer *x, uint32_t k) {
  return x->c->predicates.at[k].arity == 2 ? of_two(x, k, 0, 1) : of_one(x, k, 0);
}
static const tp_chk_formula *choice(tp_chk_transformer *x, const tp_chk_formula *a,
                                    const tp_chk_formula *b, const tp_chk_formula *c) {
  return formula(x, (tp_chk_formula){.kind = TP_CHK_F_IF, .kid = {a, b, c}});
}
/* Pointer y's cell has a field that leads to the variable 0. */
static const tp_chk_formula *read_through(tp_chk_transformer *x, uint32_t y, uint32_t field) {
  const tp_chk_formula *both = formula(
      x, (tp_chk_formula){.kind = TP_CHK_F_AND, .kid = {of_one(x, y, 1), of_two(x, field, 1, 0)}});
  return formula(x, (tp_chk_formula){.kind = TP_CHK_F_EXISTS, .a = 1, .kid = {both}});
}

static bool is_pointer(const tp_chk_transformer *x, uint32_t k) {
  return x->c->predicates.at[k].kind == TP_CHK_P_POINTER && x->before[k];
}
static bool is_field(const tp_chk_transformer *x, uint32_t k) {
  return x->c->predicates.at[k].kind == TP_CHK_P_FIELD;
}

static void offer_formula(tp_chk_transformer *x, const tp_chk_formula *f) {
  TP_INVARIANT(f && x->current && x->current < x->c->predicates.n);
  tp_vec_push(&x->candidates, ((tp_chk_candidate_update){x->current, f}));
}

/* Elements outside of the structure may be interior pointers, or values that nobody has written. */
static const tp_chk_formula *of_cells(tp_chk_transformer *x, const tp_chk_formula *f) {
  uint32_t outside = tp_chk_class_find(x->c, TP_CHK_P_OUTSIDE);
  return outside ? choice(x, of_one(x, outside, 0), value(x, TP_CHK_HALF), f) : f;
}

/* A pointer has the value of a field of another pointer's cell. */
static void offer_reads(tp_chk_transformer *x) {
  const uint32_t n = (uint32_t)x->c->predicates.n;
  for (uint32_t y = 1; y < n; y++)
    for (uint32_t f = 1; f < n && is_pointer(x, y); f++)
      if (is_field(x, f)) offer_formula(x, read_through(x, y, f));
}

/* Only the cell of pointer p changes. */
static void offer_written(tp_chk_transformer *x, uint32_t k, uint32_t p) {
  const tp_chk_formula *here = of_one(x, p, 0), *before = itself(x, k);
  if (is_field(x, k)) {
    for (uint32_t q = 1; q < x->c->predicates.n; q++)
      if (is_pointer(x, q)) offer_formula(x, choice(x, here, of_one(x, q, 1), before));
    offer_formula(x, choice(x, here, value(x, 0), before));
  } else {
    for (uint8_t v = 0; v < 2; v++)
      offer_formula(x, of_cells(x, choice(x, here, value(x, v), before)));
  }
  offer_formula(x, of_cells(x, choice(x, here, value(x, TP_CHK_HALF), before)));
}

/* The formula, where pointers with equal values at the start are one. */
static const tp_chk_formula *with_first_pointers(tp_chk_transformer *x, const tp_chk_formula *f) {
  tp_chk_formula copy = *f;
  if (f->kind == TP_CHK_F_ATOM) copy.predicate = x->first[f->predicate];
  for (int i = 0; i < 3; i++)
    if (f->kid[i]) copy.kid[i] = with_first_pointers(x, f->kid[i]);
  return formula(x, copy);
}

/* What the certificate proposes; where memory changes, for pointers to cells that change. */
static void offer_proposed(tp_chk_transformer *x, uint32_t k, bool changes) {
  const tp_chk_class *c = x->c;
  for (size_t i = 0; i < c->updates.n; i++) {
    const tp_chk_update *u = &c->updates.at[i];
    if (u->predicate != k || !is_pointer(x, u->through) ||
        !tp_chk_formula_is_readable(x->before, u->formula))
      continue;
    if (changes && !tp_chk_shape_is_changed(x->step.g, c->predicates.at[u->through].var)) continue;
    const tp_chk_formula *f = with_first_pointers(x, u->formula);
    offer_formula(x, f);
    if (changes) offer_formula(x, of_cells(x, f));
  }
}

static void offer_old(tp_chk_transformer *x, uint32_t k) {
  const tp_chk_class *c = x->c;
  bool changes = x->step.g->state.memory || x->step.g->state.ghosts;
  x->current = k;
  if (changes) offer_formula(x, itself(x, k));
  offer_proposed(x, k, changes);
  if (changes) offer_formula(x, of_cells(x, itself(x, k)));
  for (uint32_t p = 1; p < c->predicates.n && changes; p++)
    if (is_pointer(x, p) && c->predicates.at[k].kind != TP_CHK_P_DEFINED &&
        c->predicates.at[k].kind != TP_CHK_P_POINTER &&
        tp_chk_shape_is_changed(x->step.g, c->predicates.at[p].var))
      offer_written(x, k, p);
  offer_formula(x, value(x, 0));
  if (changes) offer_formula(x, of_cells(x, value(x, 0)));
  if (c->predicates.at[k].kind == TP_CHK_P_POINTER) offer_reads(x);
}

/* Of new elements: a constant, or a predicate of the other one. */
static void offer_new(tp_chk_transformer *x, int a, int b) {
  for (uint8_t v = 0; v < 2; v++) offer_formula(x, value(x, v));
  for (uint32_t m = 1; m < x->c->predicates.n; m++)
    if (a != b && (a == TP_CHK_ANY_OLD || b == TP_CHK_ANY_OLD) && is_pointer(x, m))
      offer_formula(x, of_one(x, m, 0));
}

/* A pointer reads a field: the cell that it reads must be definite in a structure. */
static void note_focus(tp_chk_transformer *x, const tp_chk_formula *f) {
  if (f->kind != TP_CHK_F_EXISTS || f->kid[0]->kind != TP_CHK_F_AND) return;
  const tp_chk_formula *y = f->kid[0]->kid[0], *read = f->kid[0]->kid[1];
  if (y->kind == TP_CHK_F_ATOM && read->kind == TP_CHK_F_ATOM && y->predicate < 64 &&
      is_pointer(x, y->predicate) && is_field(x, read->predicate))
    x->focus[read->predicate] |= UINT64_C(1) << y->predicate;
}

static void keep_true(tp_chk_transformer *x, int a, int b, const bool *is_true) {
  for (size_t i = 0; i < x->candidates.n; i++) {
    tp_chk_proved_updates *d = &x->changes[x->candidates.at[i].predicate];
    const tp_chk_formula **to =
        a == TP_CHK_ANY_OLD && b == TP_CHK_ANY_OLD ? &d->old : &d->of_new[a + 1][b + 1];
    if (is_true[i] && !*to) *to = x->candidates.at[i].formula;
  }
}

/* Proves candidates, of old elements or of new ones; the first proved one of a predicate counts. */
static void find_true(tp_chk_transformer *x, uint32_t arity, int a, int b, tp_chk_effort effort) {
  bool *is_true = TP_NEW_ARRAY(bool, x->candidates.n + 1),
       is_old = a == TP_CHK_ANY_OLD && b == TP_CHK_ANY_OLD;
  if (x->candidates.n && is_old)
    tp_chk_lemma_of_old(&x->step, arity, x->candidates.at, x->candidates.n, effort, is_true);
  if (x->candidates.n && !is_old)
    tp_chk_lemma_of_new(&x->step, a, b, x->candidates.at, x->candidates.n, effort, is_true);
  keep_true(x, a, b, is_true);
  tp_free(is_true);
}

/* Fields without an update: bits are tried, for without fields no target describes the heap. */
static void find_fields(tp_chk_transformer *x, uint32_t arity, int a, int b) {
  size_t n = 0;
  for (size_t i = 0; i < x->candidates.n; i++) {
    const tp_chk_candidate_update guess = x->candidates.at[i];
    const tp_chk_proved_updates *d = &x->changes[guess.predicate];
    if (is_field(x, guess.predicate) &&
        !(a == TP_CHK_ANY_OLD && b == TP_CHK_ANY_OLD ? d->old : d->of_new[a + 1][b + 1]))
      x->candidates.at[n++] = guess;
  }
  x->candidates.n = n;
  find_true(x, arity, a, b, TP_CHK_BY_BITS);
}

// ---------------------------------------------------------------------- operations

static bool is_found(const tp_chk_transformer *x, uint32_t k, int a, int b) {
  const tp_chk_proved_updates *d = &x->changes[k];
  return a == TP_CHK_ANY_OLD && b == TP_CHK_ANY_OLD ? d->old : d->of_new[a + 1][b + 1];
}

/* Data of old cells: only those of written cells differ. */
static void find_data_of_old(tp_chk_transformer *x, uint32_t k) {
  uint8_t written[TP_CHK_MOST_CHANGED];
  const tp_chk_formula *f = itself(x, k);
  if (!tp_chk_effect_on_data(x->step.g, &x->effect, k, written)) return;
  for (uint32_t i = 0; i < x->effect.n_written; i++) {
    const uint32_t p = x->effect.written[i].pointer;
    if (p && written[i] == TP_CHK_HALF) return;
    if (p && written[i] != TP_CHK_DATA_KEPT)
      f = choice(x, of_one(x, p, 0), value(x, written[i]), f);
  }
  x->changes[k].old = x->effect.n_written ? of_cells(x, f) : f;
}

static void find_data_of_new(tp_chk_transformer *x, uint32_t k, int a) {
  uint8_t written[TP_CHK_MOST_CHANGED];
  if (!tp_chk_effect_on_data(x->step.g, &x->effect, k, written)) return;
  x->changes[k].of_new[a + 1][a + 1] = value(x, TP_CHK_HALF);
  for (uint32_t i = 0; i < x->effect.n_written; i++)
    if (!x->effect.written[i].pointer && x->step.new_kind[a] == TP_CHK_NEW_MADE)
      x->changes[k].of_new[a + 1][a + 1] = value(x, written[i]);
}

/* What holds of variable 0 where the value comes from there; NULL: not of old elements. */
static const tp_chk_formula *is_origin(tp_chk_transformer *x, tp_chk_origin o) {
  if (o.kind == TP_CHK_FROM_POINTER) return of_one(x, o.pointer, 0);
  if (o.kind == TP_CHK_FROM_ANYWHERE) return value(x, TP_CHK_HALF);
  if (o.kind != TP_CHK_FROM_FIELD) return value(x, 0);
  uint32_t f = 1;
  while (!(is_field(x, f) && x->c->predicates.at[f].field == o.field))
    if (++f == x->c->predicates.n) return value(x, TP_CHK_HALF);
  return read_through(x, o.pointer, f);
}

/* Field k, or freed: what is written to cells, and else itself. */
static const tp_chk_formula *written_value(tp_chk_transformer *x, uint32_t k) {
  const tp_chk_formula *f = itself(x, k);
  for (uint32_t i = 0; i < x->effect.n_written; i++) {
    const tp_chk_written_cell *w = &x->effect.written[i];
    if (!w->pointer || tp_chk_effect_leaves_cell(&x->effect, w)) continue;
    const tp_chk_formula *here = of_one(x, w->pointer, 0);
    if (!is_field(x, k)) {
      if (w->is_freed) f = choice(x, here, value(x, 1), f);
      continue;
    }
    tp_chk_origin o = w->fields[x->c->predicates.at[k].field];
    if (w->is_freed)
      f = choice(x, here, value(x, 0), f);
    else if (o.kind == TP_CHK_FROM_POINTER)
      f = choice(x, here, of_one(x, o.pointer, 1), f);
    else if (o.kind != TP_CHK_FROM_FIELD)
      f = choice(x, here, value(x, 0), f);
    else if (o.pointer != w->pointer || o.field != x->c->predicates.at[k].field)
      f = choice(x, here, value(x, TP_CHK_HALF), f);
  }
  return f;
}

/* The candidates that the effect suggests. */
static void offer_directed(tp_chk_transformer *x, uint32_t k) {
  uint32_t source = 0;
  switch (x->c->predicates.at[k].kind) {
    case TP_CHK_P_POINTER: offer_formula(x, is_origin(x, x->effect.pointers[k])); break;
    case TP_CHK_P_FREED:
    case TP_CHK_P_FIELD: offer_formula(x, written_value(x, k)); break;
    case TP_CHK_P_DEFINED:
      source = tp_chk_book_source(tp_chk_lemma_book_of(x->step.g), &x->effect, k);
      if (source) offer_formula(x, itself(x, source));
      break;
    case TP_CHK_P_OUTSIDE: offer_formula(x, itself(x, k)); break;
    case TP_CHK_P_DATA:
    case TP_CHK_P_OPAQUE: break;
  }
}

/* The formula with renamed pointers (0: as they are); NULL: the class has no such predicate. */
static const tp_chk_formula *renamed_formula(tp_chk_transformer *x, const tp_chk_formula *f,
                                             const uint32_t *renamed) {
  tp_chk_lemma_book *book = tp_chk_lemma_book_of(x->step.g);
  tp_chk_formula copy = *f;
  if (f->kind == TP_CHK_F_ATOM) {
    const tp_chk_predicate_kind kind = x->c->predicates.at[f->predicate].kind;
    if (kind == TP_CHK_P_POINTER) copy.predicate = renamed[f->predicate];
    if (kind == TP_CHK_P_DEFINED && !tp_chk_book_has_data(book, x->step.number, f->predicate))
      copy.predicate = tp_chk_book_renamed(book, x->step.number, f->predicate, renamed);
    if (!copy.predicate || !x->before[copy.predicate]) return NULL;
  }
  for (int i = 0; i < 3; i++) {
    if (!f->kid[i]) continue;
    copy.kid[i] = renamed_formula(x, f->kid[i], renamed);
    if (!copy.kid[i]) return NULL;
  }
  return formula(x, copy);
}

static bool same_formula(const tp_chk_formula *a, const tp_chk_formula *b) {
  if (!a || !b) return a == b;
  bool same = a->kind == b->kind && a->predicate == b->predicate && a->value == b->value &&
              a->a == b->a && a->b == b->b && a->has_b == b->has_b &&
              a->is_reflexive == b->is_reflexive && a->fields == b->fields;
  for (int i = 0; i < 3 && same; i++) same = same_formula(a->kid[i], b->kid[i]);
  return same;
}

/* Where the operation reads a field, or writes one: through this pointer; value: what is written
 * there, if that is the value of a pointer. */
typedef struct {
  uint32_t through, value;
  bool is_read;
} access_site;
typedef TP_VEC(access_site) access_sites;

static void find_sites(const tp_chk_transformer *x, access_sites *out) {
  for (uint32_t p = 1; p < x->c->predicates.n; p++) {
    if (x->c->predicates.at[p].kind != TP_CHK_P_POINTER || !x->readable[p] ||
        x->effect.pointers[p].kind != TP_CHK_FROM_FIELD)
      continue;
    tp_vec_push(out, ((access_site){x->effect.pointers[p].pointer, 0, true}));
  }
  for (uint32_t i = 0; i < x->effect.n_written; i++) {
    const tp_chk_written_cell *w = &x->effect.written[i];
    if (!w->pointer || tp_chk_effect_leaves_cell(&x->effect, w)) continue;
    tp_vec_push(out, ((access_site){w->pointer, 0, false}));
    for (uint32_t f = 0; f < x->c->offsets.n && !w->is_freed; f++)
      if (w->fields[f].kind == TP_CHK_FROM_POINTER)
        tp_vec_push(out, ((access_site){w->pointer, w->fields[f].pointer, false}));
  }
}

/* What the certificate proposes for a predicate like k and another pointer, here for this one. */
static void offer_at_site(tp_chk_transformer *x, uint32_t k, const tp_chk_update *u,
                          access_site site, size_t first) {
  tp_chk_lemma_book *book = tp_chk_lemma_book_of(x->step.g);
  uint32_t *renamed = TP_NEW_ARRAY(uint32_t, x->c->predicates.n);
  renamed[u->through] = site.through;
  const tp_chk_formula *f = NULL;
  if (tp_chk_book_map_pointers(book, x->step.number, u->predicate, k, renamed)) {
    for (uint32_t p = 1; p < x->c->predicates.n; p++)
      if (!renamed[p]) renamed[p] = site.value ? site.value : p;
    f = renamed_formula(x, u->formula, renamed);
  }
  tp_free(renamed);
  for (size_t i = first; f && i < x->candidates.n; i++)
    if (same_formula(x->candidates.at[i].formula, f)) f = NULL;
  if (f) offer_formula(x, f);
}

/* Formulas that the certificate proposes are rules of the class with names of pointers: what one
 * says of some pointers may hold of the operation's pointers. */
static void offer_instances(tp_chk_transformer *x, uint32_t k) {
  access_sites sites = {0};
  size_t first = x->candidates.n;
  while (first && x->candidates.at[first - 1].predicate == k) first--;
  find_sites(x, &sites);
  for (size_t i = 0; i < x->c->updates.n; i++)
    for (size_t j = 0; j < sites.n; j++)
      offer_at_site(x, k, &x->c->updates.at[i], sites.at[j], first);
  tp_vec_clear(&sites);
}

static int pointers_of(const tp_chk_transformer *x, const tp_chk_formula *f) {
  uint64_t reads = tp_chk_formula_reads(x->c, f);
  int n = 0;
  for (uint32_t k = 1; k < x->c->predicates.n; k++) n += is_pointer(x, k) && (reads >> k % 64 & 1);
  return n;
}

/* What the certificate proposes. The book passes over what speaks of other pointers than the
 * effect, so what speaks of most is for the operation, if anything is. */
static void offer_proposed_sorted(tp_chk_transformer *x, uint32_t k) {
  const size_t first = x->candidates.n;
  offer_proposed(x, k, x->step.g->state.memory || x->step.g->state.ghosts);
  for (size_t i = first; i < x->candidates.n; i++)  // few
    for (size_t j = i; j > first; j--) {
      tp_chk_candidate_update *a = &x->candidates.at[j - 1], *b = &x->candidates.at[j], swap = *a;
      if (pointers_of(x, a->formula) >= pointers_of(x, b->formula)) break;
      *a = *b;
      *b = swap;
    }
}

static void offer_alike(tp_chk_transformer *x, uint32_t k) {
  tp_chk_lemma_book *book = tp_chk_lemma_book_of(x->step.g);
  for (uint32_t m = 1; m < x->c->predicates.n; m++)
    if (x->before[m] && tp_chk_book_is_like(book, x->step.number, k, m))
      offer_formula(x, itself(x, m));
}

static void offer_to_book(tp_chk_transformer *x, uint32_t k, int a, int b) {
  x->current = k;
  if (a != TP_CHK_ANY_OLD || b != TP_CHK_ANY_OLD) {
    offer_new(x, a, b);
    return;
  }
  offer_directed(x, k);
  offer_proposed_sorted(x, k);
  offer_instances(x, k);
  if (x->c->predicates.at[k].kind == TP_CHK_P_DEFINED) offer_alike(x, k);
  offer_old(x, k);
}

/* Predicates that are one at the end have one update: it is searched for where it was not found. */
typedef enum { FIRST_ONES, OTHER_ONES } stage;
static bool is_asked(const tp_chk_transformer *x, uint32_t k, uint32_t arity, int a, int b,
                     stage now) {
  return x->wanted[k] && x->c->predicates.at[k].arity == arity && !is_found(x, k, a, b) &&
         (x->last[k] == k) == (now == FIRST_ONES);
}

static void inherit(tp_chk_transformer *x, uint32_t arity, int a, int b) {
  for (uint32_t k = 1; k < x->c->predicates.n; k++) {
    const tp_chk_proved_updates *from = &x->changes[x->last[k]];
    tp_chk_proved_updates *to = &x->changes[k];
    if (x->c->predicates.at[k].arity != arity || x->last[k] == k || is_found(x, k, a, b)) continue;
    if (a == TP_CHK_ANY_OLD && b == TP_CHK_ANY_OLD)
      to->old = from->old;
    else
      to->of_new[a + 1][b + 1] = from->of_new[a + 1][b + 1];
  }
}

/* Which updates does the book give? */
static void find_in_book(tp_chk_transformer *x, uint32_t arity, int a, int b, stage now) {
  const tp_chk_class *c = x->c;
  tp_chk_lemma_book *book = tp_chk_lemma_book_of(x->step.g);
  const bool is_old = a == TP_CHK_ANY_OLD && b == TP_CHK_ANY_OLD;
  x->candidates.n = 0;
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    if (!is_asked(x, k, arity, a, b, now)) continue;
    if (c->predicates.at[k].kind == TP_CHK_P_DATA) {
      if (is_old) find_data_of_old(x, k);
      if (a == b && !is_old) find_data_of_new(x, k, a);
    } else if (!tp_chk_book_has_data(book, x->step.number, k)) {
      offer_to_book(x, k, a, b);
    }
  }
  bool *is_true = TP_NEW_ARRAY(bool, x->candidates.n + 1);
  tp_chk_book_updates(book, x->step.g, &x->effect, a, b, x->candidates.at, x->candidates.n,
                      is_true);
  keep_true(x, a, b, is_true);
  tp_free(is_true);
}

static void find_of_operation(tp_chk_transformer *x, uint32_t arity, int a, int b) {
  find_in_book(x, arity, a, b, FIRST_ONES);
  inherit(x, arity, a, b);
  find_in_book(x, arity, a, b, OTHER_ONES);
}

// --------------------------------------------------------------------- other paths

static bool is_missing(const tp_chk_transformer *x, uint32_t k, uint32_t arity, int a, int b) {
  return x->wanted[k] && x->c->predicates.at[k].arity == arity && !is_found(x, k, a, b);
}

static bool is_complete(const tp_chk_transformer *x, uint32_t arity, int a, int b) {
  for (uint32_t k = 1; k < x->c->predicates.n; k++)
    if (is_missing(x, k, arity, a, b)) return false;
  return true;
}

/* Updates that are missing: searches about the path, with what is known on it. */
static void find_of_old(tp_chk_transformer *x, uint32_t arity) {
  const tp_chk_class *c = x->c;
  if (is_complete(x, arity, TP_CHK_ANY_OLD, TP_CHK_ANY_OLD)) return;
  uint32_t *same = TP_NEW_ARRAY(uint32_t, c->predicates.n);
  tp_chk_lemma_unchanged(&x->step, arity, same);
  x->candidates.n = 0;
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    if (!is_missing(x, k, arity, TP_CHK_ANY_OLD, TP_CHK_ANY_OLD)) continue;
    if (same[k])
      x->changes[k].old = itself(x, same[k]);
    else
      offer_old(x, k);
  }
  find_true(x, arity, TP_CHK_ANY_OLD, TP_CHK_ANY_OLD, TP_CHK_BY_SKELETON);
  find_fields(x, arity, TP_CHK_ANY_OLD, TP_CHK_ANY_OLD);
  tp_free(same);
}

static void find_of_new(tp_chk_transformer *x, uint32_t arity, int a, int b) {
  x->candidates.n = 0;
  for (x->current = 1; x->current < x->c->predicates.n; x->current++)
    if (is_missing(x, x->current, arity, a, b)) offer_new(x, a, b);
  find_true(x, arity, a, b, TP_CHK_BY_SKELETON);
  find_fields(x, arity, a, b);
}

static void note_all_reads(tp_chk_transformer *x) {
  for (uint32_t k = 1; k < x->c->predicates.n; k++)
    if (x->c->predicates.at[k].kind == TP_CHK_P_POINTER && x->changes[k].old)
      note_focus(x, x->changes[k].old);
}

/* From the book, or of the path itself. */
typedef enum { OF_OPERATION, OF_PATH } change_source;
static void find_changes(tp_chk_transformer *x, change_source from) {
  const int n = x->step.n_new;
  for (uint32_t arity = 1; arity <= 2; arity++) {
    if (from == OF_OPERATION)
      find_of_operation(x, arity, TP_CHK_ANY_OLD, TP_CHK_ANY_OLD);
    else
      find_of_old(x, arity);
    for (int a = arity == 2 ? TP_CHK_ANY_OLD : 0; a < n; a++)
      for (int b = arity == 2 ? TP_CHK_ANY_OLD : a; b < (arity == 2 ? n : a + 1); b++) {
        if (a == TP_CHK_ANY_OLD && b == TP_CHK_ANY_OLD) continue;
        if (from == OF_OPERATION)
          find_of_operation(x, arity, a, b);
        else
          find_of_new(x, arity, a, b);
      }
  }
  note_all_reads(x);
}

// ----------------------------------------------------------------- after a step

static uint8_t eval(tp_chk_structure *k, const tp_chk_formula *f, uint32_t a, uint32_t b) {
  const uint8_t env[TP_CHK_VARIABLES] = {(uint8_t)a, (uint8_t)b};
  return f ? tp_chk_structure_eval(k, f, env) : TP_CHK_HALF;
}

/* Cells stay elements; other elements do if a pointer still leads to them. */
static bool stays_inhabited(const tp_chk_class *c, const tp_chk_structure *before,
                            const tp_chk_structure *after, uint32_t v) {
  uint32_t outside = tp_chk_class_find(c, TP_CHK_P_OUTSIDE);
  bool stays = outside && *tp_chk_structure_at(before, outside, v, 0) == 0;
  for (uint32_t k = 1; k < c->predicates.n && !stays; k++)
    stays =
        c->predicates.at[k].kind == TP_CHK_P_POINTER && *tp_chk_structure_at(after, k, v, 0) == 1;
  return stays && before->is_inhabited[v];
}

/* Predicate k after the step at nodes u and v, of which those from n on are new. */
static uint8_t value_after(tp_chk_transformer *x, tp_chk_structure *before, uint32_t k, uint32_t u,
                           uint32_t v) {
  const tp_chk_proved_updates *d = &x->changes[k];
  uint32_t n = before->n, a = u < n ? 0 : u - n + 1, b = v < n ? 0 : v - n + 1;
  TP_INVARIANT(a <= TP_CHK_MOST_NEW && b <= TP_CHK_MOST_NEW);
  if (x->c->predicates.at[k].arity == 1) b = a;
  return a || b ? eval(before, d->of_new[a][b], a ? v : u, 0) : eval(before, d->old, u, v);
}

static void share_at(const tp_chk_structure *k, uint32_t p, uint32_t q, uint32_t u, uint32_t v) {
  uint8_t *a = tp_chk_structure_at(k, p, u, v), *b = tp_chk_structure_at(k, q, u, v);
  if (*a == TP_CHK_HALF) *a = *b;
  if (*b == TP_CHK_HALF) *b = *a;
}

/* Predicates of pointers with one value are one predicate. first: the one that stands for it. */
static void share_values(const uint32_t *first, tp_chk_structure *k) {
  for (uint32_t p = 1; p < k->c->predicates.n; p++)
    for (uint32_t u = 0; u < k->n && first[p] != p; u++)
      for (uint32_t v = 0; v < (k->c->predicates.at[p].arity == 2 ? k->n : 1); v++)
        share_at(k, p, first[p], u, v);
}

tp_chk_structure *tp_chk_transformer_apply(tp_chk_transformer *x, tp_chk_structure *before) {
  const tp_chk_class *c = x->c;
  uint32_t n = before->n + (uint32_t)x->step.n_new;
  TP_REQUIRE(before->c == x->c);
  if (n > TP_CERTIFY_STRUCTURE_NODES) return NULL;
  tp_chk_structure *after = tp_chk_structure_new(c, n);
  for (uint32_t k = 1; k < c->predicates.n; k++)
    for (uint32_t u = 0; u < n && x->readable[k]; u++)
      for (uint32_t v = 0; v < (c->predicates.at[k].arity == 2 ? n : 1); v++)
        *tp_chk_structure_at(after, k, u, v) = value_after(x, before, k, u, v);
  for (uint32_t v = 0; v < n; v++) {
    bool is_old = v < before->n;
    const tp_chk_new_kind kind = is_old ? TP_CHK_NEW_MADE : x->step.new_kind[v - before->n];
    after->is_single[v] = is_old ? before->is_single[v] : kind != TP_CHK_NEW_OTHERS;
    after->is_inhabited[v] =
        is_old ? stays_inhabited(c, before, after, v) : kind == TP_CHK_NEW_MADE;
  }
  share_values(x->last, after);
  TP_INVARIANT(tp_chk_structure_check(after));
  return after;
}

bool tp_chk_transformer_focus(tp_chk_transformer *x, const tp_chk_structure *k,
                              tp_chk_structures *out) {
  const tp_chk_class *c = x->c;
  TP_REQUIRE(k->c == x->c && out->n == 0);
  tp_vec_push(out, tp_chk_structure_copy(k));
  share_values(x->first, out->at[0]);
  for (uint32_t f = 1; f < c->predicates.n; f++)
    for (uint32_t y = 1; y < c->predicates.n && y < 64; y++) {
      if (!(x->focus[f] >> y & 1)) continue;
      tp_chk_structures parts = {0};
      bool ok = true;
      for (size_t i = 0; i < out->n; i++) {
        int u = tp_chk_structure_pointer_node(out->at[i], y);
        ok = ok && u >= 0 && parts.n < TP_CERTIFY_FOCUS_STRUCTURES &&
             tp_chk_structure_focus(out->at[i], f, (uint32_t)u, &parts);
        tp_chk_structure_free(out->at[i]);
      }
      tp_vec_clear(out);
      for (size_t i = 0; i < parts.n; i++) tp_vec_push(out, parts.at[i]);
      tp_vec_clear(&parts);
      if (!ok) return false;
    }
  return true;
}

// ---------------------------------------------------------------------- opening

static bool says_something(const tp_chk_class *c, const tp_chk_graph *graph, uint32_t k) {
  uint32_t n = c->predicates.at[k].arity == 2 ? graph->n * graph->n : graph->n;
  for (uint32_t i = 0; i < n; i++)
    if (graph->values[k][i] != TP_CHK_HALF) return true;
  return false;
}

static void find_wanted(tp_chk_transformer *x, const tp_map *targets) {
  const tp_chk_graphs *graphs = &x->step.g->cert->graphs;
  for (uint32_t k = 1; k < x->c->predicates.n; k++)
    for (size_t i = 0; i < targets->n && x->readable[k] && !x->wanted[k]; i++)
      x->wanted[k] = says_something(x->c, &graphs->graphs.at[targets->entries[i].key], k);
  for (uint32_t k = 1; k < x->c->predicates.n; k++)
    if (x->wanted[k]) x->wanted[x->last[k]] = true;
}

static tp_term value_of(const tp_chk_transformer *x, uint32_t pointer, tp_chk_heap_version when) {
  const tp_var v = x->c->predicates.at[pointer].var;
  return when == TP_CHK_PRE ? x->step.g->shape->values[v.id].term
                            : tp_chk_exec_get(x->step.g, v).term;
}

/* For each predicate the one of pointers that come first of those with equal values there: effects
 * name these. has_value: by predicate. */
static void find_first(const tp_chk_transformer *x, tp_chk_heap_version when, const bool *has_value,
                       uint32_t *first) {
  tp_chk_lemma_book *book = tp_chk_lemma_book_of(x->step.g);
  for (uint32_t k = 1; k < x->c->predicates.n; k++) {
    first[k] = k;
    if (x->c->predicates.at[k].kind != TP_CHK_P_POINTER || !has_value[k]) continue;
    for (uint32_t p = 1; p < k && first[k] == k; p++)
      if (x->c->predicates.at[p].kind == TP_CHK_P_POINTER && has_value[p] &&
          tp_term_eq(value_of(x, p, when), value_of(x, k, when)))
        first[k] = p;
  }
  for (uint32_t k = 1; k < x->c->predicates.n; k++) {
    const uint32_t like = tp_chk_book_renamed(book, x->step.number, k, first);
    if (like && has_value[k] && has_value[like]) first[k] = like;
  }
}

bool tp_chk_transformer_init(tp_chk_transformer *x, tp_chk_exec *g, uint32_t class,
                             const tp_map *targets) {
  *x = (tp_chk_transformer){.step = {.g = g, .number = class},
                            .c = &g->cert->graphs.classes.at[class]};
  size_t n = x->c->predicates.n;
  tp_arena_init(&x->arena);
  x->before = TP_NEW_ARRAY(bool, n);
  x->readable = TP_NEW_ARRAY(bool, n);
  x->wanted = TP_NEW_ARRAY(bool, n);
  x->changes = TP_NEW_ARRAY(tp_chk_proved_updates, n);
  x->focus = TP_NEW_ARRAY(uint64_t, n);
  x->first = TP_NEW_ARRAY(uint32_t, n);
  x->last = TP_NEW_ARRAY(uint32_t, n);
  tp_chk_readable_predicates(g, x->c, g->shape->start.context, x->before);
  tp_chk_readable_predicates(g, x->c, g->state.context, x->readable);
  find_first(x, TP_CHK_PRE, x->before, x->first);
  find_first(x, TP_CHK_POST, x->readable, x->last);
  find_wanted(x, targets);
  x->is_operation = tp_chk_effect_of(g, class, &x->effect) &&
                    tp_chk_book_new_elements(tp_chk_lemma_book_of(g), g, &x->effect, &x->step);
  if (!x->is_operation && !tp_chk_lemma_new_elements(&x->step)) return false;
  find_changes(x, x->is_operation ? OF_OPERATION : OF_PATH);
  return true;
}

/* On the path more may be known of pointers than that they have any value, and so of new elements.
 */
static void reconsider_values(tp_chk_transformer *x) {
  tp_chk_step of_path = {.g = x->step.g, .number = x->step.number};
  bool any = false;
  for (uint32_t k = 1; k < x->c->predicates.n; k++) {
    if (x->effect.pointers[k].kind != TP_CHK_FROM_ANYWHERE) continue;
    x->changes[k].old = NULL;
    any = true;
  }
  if (!any || !tp_chk_lemma_new_elements(&of_path)) return;
  x->step = of_path;
  for (uint32_t k = 1; k < x->c->predicates.n; k++)
    memset(x->changes[k].of_new, 0, sizeof x->changes[k].of_new);
}

bool tp_chk_transformer_refine(tp_chk_transformer *x) {
  if (!x->is_operation) return false;
  x->is_operation = false;
  reconsider_values(x);
  find_changes(x, OF_PATH);
  return true;
}

void tp_chk_transformer_clear(tp_chk_transformer *x) {
  tp_free(x->before);
  tp_free(x->readable);
  tp_free(x->wanted);
  tp_free(x->changes);
  tp_free(x->focus);
  tp_free(x->first);
  tp_free(x->last);
  tp_vec_clear(&x->candidates);
  tp_chk_effect_clear(&x->effect);
  tp_arena_clear(&x->arena);
}
