/* Composites over toy analyses whose meanings can be enumerated: a state is (location, x) with x
 * below 8; `at` knows the location, `hull` an interval of x (its join means more than the union),
 * `set` a set of values of x (its join is exact). */
#include "cpa/composite.h"
#include "cpa/local.h"
#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { VALUES = 8 };

struct tp_elem {
  uint32_t loc;
  unsigned mask;  // values of x; of `hull` without holes
};
struct tp_prec {
  unsigned keep;
};  // `set` keeps only these values distinct: the others are added to every element

// ------------------------------------------------------------------------ toys

static const tp_elem *make(tp_cpa *self, uint32_t loc, unsigned mask) {
  tp_elem *e = tp_arena_new(&self->arena, tp_elem);
  *e = (tp_elem){loc, mask};
  return e;
}

static unsigned hull_of(unsigned mask) {
  unsigned low = 0, high = VALUES - 1;
  if (!mask) return 0;
  while (!(mask >> low & 1)) low++;
  while (!(mask >> high & 1)) high--;
  return (unsigned)((1u << (high + 1)) - (1u << low));
}

static tp_succ toy_initial(tp_cpa *self, tp_loc entry, tp_context context) {
  (void)context;
  return (tp_succ){make(self, entry.id, 255), NULL};
}
static tp_succ set_initial(tp_cpa *self, tp_loc entry, tp_context context) {
  tp_prec *p = tp_arena_new(&self->arena, tp_prec);
  p->keep = 255;
  return (tp_succ){toy_initial(self, entry, context).elem, p};
}
static void at_transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                        tp_out *out) {
  (void)e;
  (void)p;
  tp_vec_push(&out->list, (tp_succ){make(self, step->to.id, 255), NULL});
}
/* A step of a toy is the identity, at the precision. */
static void set_transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                         tp_out *out) {
  (void)step;
  tp_vec_push(&out->list, (tp_succ){make(self, 0, e->mask | (255 & ~(p ? p->keep : 255))), p});
}
static bool at_leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  (void)self;
  return a->loc == b->loc;
}
static bool mask_leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  (void)self;
  return (a->mask & ~b->mask) == 0;
}
static const tp_elem *mask_top(tp_cpa *self) { return make(self, 0, 255); }
static const tp_elem *set_join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return make(self, 0, a->mask | b->mask);
}
static const tp_elem *hull_join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return make(self, 0, hull_of(a->mask | b->mask));
}
static void at_print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  (void)self;
  tp_str_printf(out, "%u", e->loc);
}
static void mask_print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  (void)self;
  for (unsigned i = 0; i < VALUES; i++)
    if (e->mask >> i & 1) tp_str_printf(out, "%u", i);
}
static tp_term no_formula(tp_cpa *self, const tp_elem *e) {
  (void)e;
  return tp_mk_true(self->env->terms);
}
static tp_loc at_place(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return (tp_loc){e->loc};
}
static uint64_t at_key(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return e->loc;
}
static bool mask_range(tp_cpa *self, const tp_elem *e, tp_term t, tp_range *out) {
  (void)self;
  (void)t;
  unsigned h = hull_of(e->mask), low = 0, high = VALUES - 1;
  while (!(h >> low & 1)) low++;
  while (!(h >> high & 1)) high--;
  *out = (tp_range){false, low, high, (int64_t)low, (int64_t)high};
  return true;
}
/* A neighbour's bounds of x, whatever term is asked. */
static unsigned bounds_of(const tp_view *others, size_t n) {
  unsigned mask = 255;
  for (size_t i = 0; i < n; i++) {
    tp_range r;
    if (tp_view_range(others[i], TP_TERM_NONE, &r))
      mask &= (unsigned)((2u << r.umax) - (1u << r.umin));
  }
  return mask;
}
static const tp_elem *mask_strengthen(tp_cpa *self, const tp_elem *e, const tp_view *others,
                                      size_t n, const tp_step *step) {
  (void)step;
  unsigned mask = e->mask & bounds_of(others, n);
  return mask == e->mask ? e : mask ? make(self, 0, mask) : NULL;
}
static bool mask_implied(tp_cpa *self, const tp_elem *e, tp_view other) {
  (void)self;
  return e->mask != 255 && (bounds_of(&other, 1) & ~e->mask) == 0;
}
static tp_adjusted set_adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p,
                              tp_reached_view view, tp_succ *out) {
  (void)view;
  if (e->mask == 1) return TP_INTERRUPT;
  if (e->mask == 2) {  // a precision of its own from here on: value 1 is no longer told apart
    tp_prec *less = tp_arena_new(&self->arena, tp_prec);
    less->keep = p->keep & ~2u;
    *out = (tp_succ){e, less};
  }
  return TP_CONTINUE;
}

#define MASK_OPS                                                                                  \
  .leq = mask_leq, .top = mask_top, .print = mask_print, .formula = no_formula, .has_join = true, \
  .range = mask_range, .strengthen = mask_strengthen, .implied_by = mask_implied,                 \
  .transfer = set_transfer
static const tp_cpa_ops toy_at = {.name = "at",
                                  .default_merge = "sep",
                                  .initial = toy_initial,
                                  .transfer = at_transfer,
                                  .leq = at_leq,
                                  .print = at_print,
                                  .formula = no_formula,
                                  .location = at_place,
                                  .merge_key = at_key};
static const tp_cpa_ops toy_hull = {
    .name = "hull", .default_merge = "join", MASK_OPS, .initial = toy_initial, .join = hull_join};
static const tp_cpa_ops toy_set = {.name = "set",
                                   .default_merge = "join",
                                   .is_powerset = true,
                                   .can_interrupt = true,
                                   MASK_OPS,
                                   .initial = set_initial,
                                   .join = set_join,
                                   .adjust = set_adjust};
static const tp_cpa_ops toy_namesake = {.name = "set"};

// --------------------------------------------------------------------- fixture

typedef struct {
  tp_program *p;
  tp_loc loc[3];
  tp_cpa_env env;
  tp_contexts contexts;
  tp_cpa *cpa;
} fixture;

static fixture fixture_new(void) {
  fixture f = {.p = tp_program_new(NULL, 64)};
  tp_func main_func = func(f.p, "main");
  f.p->main = main_func;
  for (int i = 0; i < 3; i++) f.loc[i] = loc(f.p, main_func);
  tp_contexts_init(&f.contexts);
  return f;
}

static void fixture_free(fixture *f) {
  tp_cpa_close(f->cpa);
  tp_contexts_clear(&f->contexts);
  tp_program_free(f->p);
}

static tp_cpa *open_one(fixture *f, const tp_cpa_ops *ops) {
  f->env.program = f->p, f->env.terms = f->p->terms, f->env.contexts = &f->contexts;
  tp_str why = {0};
  tp_cpa *cpa = tp_cpa_open(ops, &f->env, &why);
  if (!cpa) fail_msg("%s", tp_str_text(&why));
  return cpa;
}

/* at x hull x set */
static void open_triple(fixture *f, tp_composite_operators operators, bool set_stop_join) {
  const tp_cpa_ops *const ops[] = {&toy_at, &toy_hull, &toy_set};
  tp_component parts[3];
  tp_component_traits traits[3];
  tp_str why = {0};
  for (int i = 0; i < 3; i++) {
    parts[i] = (tp_component){open_one(f, ops[i]), tp_component_traits_of(ops[i])};
    if (i == 2) parts[i].traits.stop_join = set_stop_join;
    traits[i] = parts[i].traits;
  }
  if (!tp_composite_allowed(operators, traits, 3, false, &why))
    fail_msg("refused: %s", tp_str_text(&why));
  f->cpa = tp_composite_new(&f->env, "composite", operators, parts, 3, &why);
  assert_non_null(f->cpa);
}

/* (loc, hull, set) through the composite's own operators: initial for the shape, strengthen with
 * neighbours for the values. */
static const tp_elem *triple(fixture *f, int at, unsigned hull, unsigned set) {
  tp_elem *const *const e =
      (void *)(uintptr_t)f->cpa->ops->initial(f->cpa, f->loc[at], TP_CONTEXT_NONE).elem;
  e[1]->mask = hull_of(hull);
  e[2]->mask = set;
  return (const tp_elem *)(const void *)e;
}

static const char *shown(fixture *f, const tp_elem *e) {
  static char text[2][100];
  static int turn;
  tp_str s = {0};
  f->cpa->ops->print(f->cpa, e, &s);
  char *to = text[turn ^= 1];
  memcpy(to, s.text, s.n + 1);
  tp_str_clear(&s);
  return to;
}

/* Bit x of the result: the element contains (its location, x). */
static unsigned meaning(fixture *f, const tp_elem *e) {
  (void)f;
  const tp_elem *const *parts = (const void *)e;
  return parts[1]->mask & parts[2]->mask;
}
static uint32_t place_of(fixture *f, const tp_elem *e) {
  return tp_composite_view(f->cpa, e, 0).elem->loc;
}

// ----------------------------------------------------------------------- merge

static void F31_merge_variants(void **state) {
  (void)state;
  static const struct {
    const char *name;
    tp_composite_merge merge;
    struct {
      int at;
      unsigned hull, set;
    } a, b;  // new, old
    const char *result;
  } cases[] = {
      {"sep", TP_MERGE_SEP, {0, 3, 3}, {0, 12, 12}, "(L, 23, 23)"},
      {"join-on-location", TP_MERGE_JOIN_ON_LOCATION, {0, 1, 1}, {0, 12, 8}, "(L, 0123, 03)"},
      {"join", TP_MERGE_JOIN, {0, 1, 1}, {0, 12, 8}, "(L, 0123, 03)"},
      {"join elsewhere", TP_MERGE_JOIN, {1, 1, 1}, {0, 12, 8}, "(L, 23, 3)"},
      {"join-shape", TP_MERGE_JOIN_SHAPE, {0, 1, 1}, {0, 12, 8}, "(L, 23, 03)"},
      {"join-shape elsewhere", TP_MERGE_JOIN_SHAPE, {1, 1, 1}, {0, 12, 8}, "(L, 23, 3)"},
      {"pred-join, different r", TP_MERGE_PRED_JOIN, {0, 1, 1}, {0, 12, 8}, "(L, 23, 3)"},
      {"pred-join, equal r", TP_MERGE_PRED_JOIN, {0, 12, 4}, {0, 12, 8}, "(L, 23, 23)"},
      {"pred-join elsewhere", TP_MERGE_PRED_JOIN, {1, 12, 4}, {0, 12, 8}, "(L, 23, 3)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f = fixture_new();
    open_triple(&f, (tp_composite_operators){.merge = cases[i].merge}, false);
    const tp_elem *a = triple(&f, cases[i].a.at, cases[i].a.hull, cases[i].a.set);
    const tp_elem *b = triple(&f, cases[i].b.at, cases[i].b.hull, cases[i].b.set);
    const tp_elem *m = tp_cpa_merge(f.cpa, a, b);
    char expected[100];
    snprintf(expected, sizeof expected, "(%u%s", f.loc[0].id, cases[i].result + 2);
    if (strcmp(shown(&f, m), expected) != 0) fail_msg("%s: %s", cases[i].name, shown(&f, m));
    assert_true(tp_cpa_merge(f.cpa, b, b) == b);  // nothing new: the element itself
    fixture_free(&f);
  }
}

// ------------------------------------------------------------------------ stop

static void F31_stop_variants(void **state) {
  (void)state;
  static const struct {
    const char *name;
    tp_composite_stop stop;
    bool set_join;
    struct {
      int at;
      unsigned hull, set;
    } e, r[2];
    bool stops;
  } cases[] = {
      {"sep, below one", TP_STOP_SEP, false, {0, 6, 2}, {{0, 15, 3}, {0, 1, 1}}, true},
      {"sep, below both together",
       TP_STOP_SEP,
       false,
       {0, 15, 15},
       {{0, 15, 3}, {0, 15, 12}},
       false},
      {"pred-join, below both together",
       TP_STOP_PRED_JOIN,
       false,
       {0, 15, 15},
       {{0, 15, 3}, {0, 15, 12}},
       true},
      {"pred-join, one is elsewhere",
       TP_STOP_PRED_JOIN,
       false,
       {0, 15, 15},
       {{0, 15, 3}, {1, 15, 12}},
       false},
      {"pred-join, one does not cover r",
       TP_STOP_PRED_JOIN,
       false,
       {0, 15, 15},
       {{0, 15, 3}, {0, 7, 12}},
       false},
      {"join, below both together",
       TP_STOP_JOIN,
       true,
       {0, 15, 15},
       {{0, 15, 3}, {0, 15, 12}},
       true},
      // by location alone this would stop: hull is below the one, set below the other, and (0, 3)
      // would be lost
      {"join, covered by different ones",
       TP_STOP_JOIN,
       true,
       {0, 15, 8},
       {{0, 15, 1}, {0, 3, 8}},
       false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f = fixture_new();
    open_triple(&f, (tp_composite_operators){.stop = cases[i].stop}, cases[i].set_join);
    tp_succ r[2];
    for (int k = 0; k < 2; k++)
      r[k] = (tp_succ){triple(&f, cases[i].r[k].at, cases[i].r[k].hull, cases[i].r[k].set), NULL};
    const tp_elem *e = triple(&f, cases[i].e.at, cases[i].e.hull, cases[i].e.set);
    bool stops = tp_cpa_stop(f.cpa, e, (tp_reached_view){r, 2});
    if (stops != cases[i].stops)
      fail_msg("%s: %s", cases[i].name, stops ? "stops" : "does not stop");
    fixture_free(&f);
  }
}

/* (e) and (f) for every operator, on random elements, by enumerating states. */
static void F31_operators_are_sound(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 31);
  unsigned stopped = 0, merged = 0;
  for (int operators = 0; operators < 15; operators++) {
    fixture f = fixture_new();
    open_triple(&f,
                (tp_composite_operators){.merge = (tp_composite_merge)(operators / 3),
                                         .stop = (tp_composite_stop)(operators % 3)},
                true);
    for (int round = 0; round < 300; round++) {
      tp_succ r[4];
      const tp_elem *e = triple(&f, (int)tp_rng_below(&rng, 2), (unsigned)tp_rng_below(&rng, 256),
                                (unsigned)tp_rng_below(&rng, 256));
      unsigned covered = 0;
      for (int k = 0; k < 4; k++) {
        r[k] = (tp_succ){triple(&f, (int)tp_rng_below(&rng, 2), (unsigned)tp_rng_below(&rng, 256),
                                (unsigned)tp_rng_below(&rng, 256)),
                         NULL};
        if (place_of(&f, r[k].elem) == place_of(&f, e)) covered |= meaning(&f, r[k].elem);
        const tp_elem *m = tp_cpa_merge(f.cpa, e, r[k].elem);
        merged += m != r[k].elem;
        assert_int_equal(place_of(&f, m), place_of(&f, r[k].elem));
        assert_int_equal(meaning(&f, r[k].elem) & ~meaning(&f, m), 0);
        assert_true(f.cpa->ops->leq(f.cpa, r[k].elem, m));
      }
      bool stops = tp_cpa_stop(f.cpa, e, (tp_reached_view){r, 4});
      stopped += stops;
      if (stops && (meaning(&f, e) & ~covered))
        fail_msg("stop %d loses a state of %s", operators % 3, shown(&f, e));
    }
    fixture_free(&f);
  }
  assert_true(stopped > 20 && merged > 1000);
}

// -------------------------------------------------------------------- transfer

static const tp_elem *step_from(fixture *f, const tp_elem *e, const tp_prec *p, int to,
                                const tp_prec **prec) {
  tp_out out = {0};
  tp_step s = {.kind = TP_STEP_EDGE, .from = {place_of(f, e)}, .to = f->loc[to]};
  f->cpa->ops->transfer(f->cpa, e, p, &s, &out);
  const tp_elem *successor = out.list.n ? out.list.at[0].elem : NULL;
  if (prec && out.list.n) *prec = out.list.at[0].prec;
  assert_true(out.list.n <= 1);
  tp_vec_clear(&out.list);
  return successor;
}

static void F38_strengthen_and_compare(void **state) {
  (void)state;
  static const struct {
    const char *name;
    tp_composite_operators operators;
    unsigned hull, set;
    const char *result;  // behind the location; NULL: no successor
  } cases[] = {
      {"cartesian", {.transfer = TP_TRANSFER_CARTESIAN}, 0x3c, 0x0f, ", 2345, 0123)"},
      {"strengthened", {.transfer = TP_TRANSFER_STRENGTHENED}, 0x3c, 0x0f, ", 23, 23)"},
      {"strengthened, nothing shared", {.transfer = TP_TRANSFER_STRENGTHENED}, 0x30, 0x0f, NULL},
      {"weaken what is implied", {.compare = TP_COMPARE_WEAKEN}, 0x0f, 0x06, ", 01234567, 12)"},
      {"nothing implied", {.compare = TP_COMPARE_WEAKEN}, 0x06, 0x09, ", 12, 03)"},
      {"each implies the other: one stays",
       {.compare = TP_COMPARE_WEAKEN},
       0x06,
       0x06,
       ", 01234567, 12)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f = fixture_new();
    open_triple(&f, cases[i].operators, false);
    const tp_elem *e = step_from(&f, triple(&f, 0, cases[i].hull, cases[i].set), NULL, 1, NULL);
    char expected[100] = "";
    if (cases[i].result) snprintf(expected, sizeof expected, "(%u%s", f.loc[1].id, cases[i].result);
    if (strcmp(e ? shown(&f, e) : "", expected) != 0)
      fail_msg("%s: %s", cases[i].name, e ? shown(&f, e) : "no successor");
    fixture_free(&f);
  }
}

/* at x (hull x set): the inner pair is strengthened by itself, its parts are seen from outside. */
static void F38_nesting(void **state) {
  (void)state;
  fixture f = fixture_new();
  tp_str why = {0};
  tp_component inner[] = {{open_one(&f, &toy_hull), tp_component_traits_of(&toy_hull)},
                          {open_one(&f, &toy_set), tp_component_traits_of(&toy_set)}};
  tp_component_traits inner_traits[] = {inner[0].traits, inner[1].traits};
  tp_composite_operators strengthened = {.transfer = TP_TRANSFER_STRENGTHENED};
  tp_cpa *pair = tp_composite_new(&f.env, "pair", strengthened, inner, 2, &why);
  assert_non_null(pair);
  tp_component outer[] = {{open_one(&f, &toy_at), tp_component_traits_of(&toy_at)},
                          {pair, tp_composite_traits("pair", inner_traits, 2)}};
  assert_false(outer[1].traits.is_control);
  f.cpa = tp_composite_new(&f.env, "composite", (tp_composite_operators){0}, outer, 2, &why);
  assert_non_null(f.cpa);
  assert_true(tp_is_composite(f.cpa));
  assert_int_equal(tp_composite_n(f.cpa), 3);
  tp_succ start = f.cpa->ops->initial(f.cpa, f.loc[0], TP_CONTEXT_NONE);
  ((tp_elem *)(uintptr_t)tp_composite_view(f.cpa, start.elem, 1).elem)->mask = 0x3c;
  ((tp_elem *)(uintptr_t)tp_composite_view(f.cpa, start.elem, 2).elem)->mask = 0x0f;
  const tp_elem *e = step_from(&f, start.elem, start.prec, 1, NULL);
  assert_non_null(e);
  assert_int_equal(tp_composite_view(f.cpa, e, 0).elem->loc, f.loc[1].id);
  assert_int_equal(tp_composite_view(f.cpa, e, 1).elem->mask, 0x0c);
  assert_int_equal(tp_composite_view(f.cpa, e, 2).elem->mask, 0x0c);
  assert_int_equal(f.cpa->ops->location(f.cpa, e).id, f.loc[1].id);
  assert_string_equal(tp_composite_view(f.cpa, e, 2).cpa->ops->name, "set");
  assert_true(tp_composite_find(f.cpa, &toy_set) == tp_composite_view(f.cpa, e, 2).cpa);
  assert_null(tp_composite_find(f.cpa, &toy_namesake));
  tp_range r;
  assert_true(tp_view_range((tp_view){f.cpa, e}, TP_TERM_NONE, &r));
  assert_int_equal(r.umin, 2);
  assert_int_equal(r.umax, 3);
  fixture_free(&f);
}

// ------------------------------------------------------------------ precisions

/* A precision of one component is lowered by its adjust, the others keep theirs; an interrupt of
 * one interrupts all. */
static void F51_composite_precision(void **state) {
  (void)state;
  fixture f = fixture_new();
  open_triple(&f, (tp_composite_operators){0}, false);
  const tp_prec *p = f.cpa->ops->initial(f.cpa, f.loc[0], TP_CONTEXT_NONE).prec;
  const tp_elem *e = triple(&f, 0, 0x02, 0x02);
  tp_succ view = {e, p}, adjusted;
  assert_int_equal(f.cpa->ops->adjust(f.cpa, e, p, (tp_reached_view){&view, 1}, &adjusted),
                   TP_CONTINUE);
  assert_true(adjusted.elem == e && adjusted.prec != p);
  const tp_prec *kept;
  const tp_elem *before = step_from(&f, triple(&f, 0, 0x08, 0x08), p, 1, &kept);
  const tp_elem *after = step_from(&f, triple(&f, 0, 0x08, 0x08), adjusted.prec, 1, &kept);
  assert_int_equal(tp_composite_view(f.cpa, before, 2).elem->mask, 0x08);
  assert_int_equal(tp_composite_view(f.cpa, after, 2).elem->mask, 0x0a);
  assert_int_equal(tp_composite_view(f.cpa, after, 1).elem->mask, 0x08);
  e = triple(&f, 0, 0x01, 0x01);
  view = (tp_succ){e, p};
  assert_int_equal(f.cpa->ops->adjust(f.cpa, e, p, (tp_reached_view){&view, 1}, &adjusted),
                   TP_INTERRUPT);
  fixture_free(&f);
  f = fixture_new();
  open_triple(&f, (tp_composite_operators){.adjust = TP_ADJUST_NONE}, false);
  assert_null(f.cpa->ops->adjust);
  assert_false(f.cpa->ops->can_interrupt);
  fixture_free(&f);
}

/* The precision of one location is lowered; steps to it lose the value, steps to others do not. */
static void F52_precision_per_location(void **state) {
  (void)state;
  fixture f = fixture_new();
  tp_str why = {0};
  tp_cpa *local = tp_local_new(&f.env, open_one(&f, &toy_set), &why);
  assert_non_null(local);
  tp_component parts[] = {{open_one(&f, &toy_at), tp_component_traits_of(&toy_at)},
                          {local, tp_component_traits_of(local->ops)}};
  f.cpa = tp_composite_new(&f.env, "composite", (tp_composite_operators){0}, parts, 2, &why);
  assert_non_null(f.cpa);
  assert_true(tp_is_local(local));
  tp_succ start = f.cpa->ops->initial(f.cpa, f.loc[0], TP_CONTEXT_NONE);
  const tp_prec *const *precs = (const void *)start.prec;  // one for each component
  tp_prec *less = tp_arena_new(&local->arena, tp_prec);
  less->keep = 255 & ~2u;
  const tp_prec *changed[] = {precs[0], tp_local_set(local, precs[1], f.loc[1], less)};
  ((tp_elem *)(uintptr_t)tp_composite_view(f.cpa, start.elem, 1).elem)->mask = 0x08;
  const tp_prec *next;
  const tp_elem *e = step_from(&f, start.elem, (const void *)changed, 2, &next);
  assert_int_equal(tp_composite_view(f.cpa, e, 1).elem->mask, 0x08);
  e = step_from(&f, e, next, 1, &next);
  assert_int_equal(tp_composite_view(f.cpa, e, 1).elem->mask, 0x0a);
  e = step_from(&f, e, next, 2, &next);
  assert_int_equal(tp_composite_view(f.cpa, e, 1).elem->mask, 0x0a);
  // what adjust does to the precision at location 2 stays there
  ((tp_elem *)(uintptr_t)tp_composite_view(f.cpa, e, 1).elem)->mask = 0x02;
  tp_succ view = {e, next}, adjusted;
  assert_int_equal(f.cpa->ops->adjust(f.cpa, e, next, (tp_reached_view){&view, 1}, &adjusted),
                   TP_CONTINUE);
  const tp_prec *p = ((const tp_prec *const *)(const void *)adjusted.prec)[1];
  assert_int_equal(tp_local_at(p, f.loc[2])->keep, 255 & ~2u);
  assert_int_equal(tp_local_at(p, f.loc[0])->keep, 255);
  fixture_free(&f);
}

// ------------------------------------------------------------------------ rules

static void F31_refusals(void **state) {
  (void)state;
  const tp_component_traits at = tp_component_traits_of(&toy_at),
                            hull = tp_component_traits_of(&toy_hull),
                            set = tp_component_traits_of(&toy_set);
  tp_component_traits P = hull, joined_set = set, sep_set = set, widening = hull, no_join = hull;
  P.name = "P", P.stop_join = true;
  joined_set.stop_join = true, sep_set.merge_join = false;
  widening.widens = true, no_join.has_join = false;
  const struct {
    const char *name;
    tp_composite_operators operators;
    tp_component_traits parts[3];
    size_t n;
    const char *why;  // NULL: allowed
  } cases[] = {
      {"stop_join on P", {0}, {at, P}, 2, "P.stop = join: its join means more than the union"},
      {"stop join with P",
       {.stop = TP_STOP_JOIN},
       {at, hull},
       2,
       "stop = join: the join of hull means more"},
      {"stop join, nobody joined", {.stop = TP_STOP_JOIN}, {at, set}, 2, "set NAME.stop = join"},
      {"stop join", {.stop = TP_STOP_JOIN}, {at, hull, joined_set}, 3, NULL},
      {"stop pred-join over hull",
       {.stop = TP_STOP_PRED_JOIN},
       {at, set, hull},
       3,
       "stop = pred-join: the join of hull"},
      {"stop pred-join alone", {.stop = TP_STOP_PRED_JOIN}, {at, set}, 2, "two data components"},
      {"stop pred-join", {.stop = TP_STOP_PRED_JOIN}, {at, hull, set}, 3, NULL},
      {"merge pred-join alone",
       {.merge = TP_MERGE_PRED_JOIN},
       {at, set},
       2,
       "merge = pred-join: it needs two data components"},
      {"merge join-shape alone",
       {.merge = TP_MERGE_JOIN_SHAPE},
       {at, set},
       2,
       "merge = join-shape: it needs two"},
      {"merge join without location",
       {.merge = TP_MERGE_JOIN},
       {hull, set},
       2,
       "there is no location"},
      {"merge pred-join of sep",
       {.merge = TP_MERGE_PRED_JOIN},
       {at, hull, sep_set},
       3,
       "set set.merge = join"},
      {"merge join of nothing", {.merge = TP_MERGE_JOIN}, {at}, 1, "no data component"},
      {"merge join without join",
       {.merge = TP_MERGE_SEP},
       {at, no_join},
       2,
       "hull.merge = join: it has no join"},
      {"merge join", {.merge = TP_MERGE_JOIN}, {at, hull, set}, 3, NULL},
      {"widening switched off",
       {.adjust = TP_ADJUST_NONE},
       {at, widening},
       2,
       "adjust = none: hull widens"},
      {"nothing", {0}, {at}, 0, "at least one component"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_str why = {0};
    bool ok = tp_composite_allowed(cases[i].operators, cases[i].parts, cases[i].n, false, &why);
    if (ok != !cases[i].why || (cases[i].why && !strstr(tp_str_text(&why), cases[i].why)))
      fail_msg("%s: %s", cases[i].name, ok ? "allowed" : tp_str_text(&why));
    tp_str_clear(&why);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F31_merge_variants),         cmocka_unit_test(F31_stop_variants),
      cmocka_unit_test(F31_operators_are_sound),    cmocka_unit_test(F31_refusals),
      cmocka_unit_test(F38_strengthen_and_compare), cmocka_unit_test(F38_nesting),
      cmocka_unit_test(F51_composite_precision),    cmocka_unit_test(F52_precision_per_location),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
