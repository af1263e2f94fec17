/* Axioms of paths along fields, instantiated at addresses: each is true of all heaps, of any size,
 * with sharing and cycles (path_axioms_test.c tries each on all small heaps).
 *
 * A step leads from a cell a that was not freed to the value of one of its fields, unless that is
 * null. X(a, b): some number of steps leads from a to b. C(a): one or more steps lead from a to a.
 * PRE and POST are the two heaps; COMMON is the heap without the steps out of cells that may have
 * changed. All three have the same steps out of every other cell. For X any of the three:
 *
 *   one address    a = b => X(a, b);  X(a, null) => a = null;  PRE(a, b), a != b => the object of b
 *                  exists at the start, because fields lead to no others
 *   unreached      PRE(a, b) => a = b and not C(b), where by hypothesis no field leads to b at the
 *                  start
 *   steps          a step from a to b => X(a, b);  X(a, b), a != b => where the path leaves a for
 *                  the last time, a step leads to some c != a with X(c, b)
 *   ... one field  X(a, b), a != b, a step from a to c => X(c, b)
 *   last step      X(a, b), a != b => X(a, c) and a step from c to b, for some c; C(a) => the same
 *                  with b = a
 *   transitive     X(a, b), X(b, c) => X(a, c)
 *   one field      X(a, b), X(a, c) => X(b, c) or X(c, b), for steps along one field are a function
 *   cycles         C(a) => a step from a to some c with X(c, a);  a step from a to c, X(c, a) =>
 *                  C(a);  X(a, b), X(b, a), a != b => C(a)
 *   ... one field  C(a), X(a, b) => X(b, a): every path from a stays on the cycle
 *   common part    COMMON(a, b) => X(a, b), for its steps are steps of X; the same for C
 *   changes        X(a, b) => COMMON(a, b), or the path leaves changed cells, x first and y last:
 *                  COMMON(a, x), X(x, y), and a step from y to some c with COMMON(c, b). The same
 *                  for C(a), with b = a
 *
 * Axioms of three addresses are asserted where a model violates them, those of cycles where the
 * statement speaks of steps or nothing else helps; all others at once. */
#include "certify/shapes/shape_search.h"

#include "certify/certify_limits.h"

static tp_chk_path_terms *paths_along(tp_chk_class_heap *h, uint64_t fields) {
  TP_REQUIRE(fields && fields >> h->c->offsets.n == 0);
  for (size_t i = 0; i < h->paths.n; i++)
    if (h->paths.at[i].fields == fields) return &h->paths.at[i];
  tp_chk_path_terms x = {.fields = fields};
  for (int when = 0; when < TP_CHK_N_VERSIONS; when++) {
    x.path[when] = TP_NEW_ARRAY(tp_term, TP_CERTIFY_SEARCH_ADDRESSES * TP_CERTIFY_SEARCH_ADDRESSES);
    x.cycle[when] = TP_NEW_ARRAY(tp_term, TP_CERTIFY_SEARCH_ADDRESSES);
  }
  tp_vec_push(&h->paths, x);
  h->n_asserted = 0;
  return &tp_vec_last(&h->paths);
}

static tp_term path(tp_chk_search *s, const tp_chk_path_terms *x, tp_chk_heap_version when, int i,
                    int j) {
  TP_REQUIRE(i >= 0 && i < TP_CERTIFY_SEARCH_ADDRESSES && j >= 0 &&
             j < TP_CERTIFY_SEARCH_ADDRESSES);
  if (i == j) return tp_mk_true(s->tt);
  if (s->is_unchanged) when = TP_CHK_PRE;
  tp_term *t = &x->path[when][i * TP_CERTIFY_SEARCH_ADDRESSES + j];
  if (!tp_term_is(*t)) *t = tp_chk_exec_nondet(s->g, tp_sort_bool(s->tt));
  return *t;
}

static tp_term cycle(tp_chk_search *s, const tp_chk_path_terms *x, tp_chk_heap_version when,
                     int i) {
  if (s->is_unchanged) when = TP_CHK_PRE;
  tp_term *t = &x->cycle[when][i];
  if (!tp_term_is(*t)) *t = tp_chk_exec_nondet(s->g, tp_sort_bool(s->tt));
  return *t;
}

tp_term tp_chk_path_term(tp_chk_search *s, tp_chk_class_heap *h, uint64_t fields,
                         tp_chk_heap_version when, int i, int j) {
  return path(s, paths_along(h, fields), when, i, j);
}

/* Everything is asserted again, now with axioms of cycles. */
static void add_cycles(tp_chk_class_heap *h, tp_chk_path_terms *x) {
  if (!x->has_cycles) h->n_asserted = 0;
  x->has_cycles = true;
}

bool tp_chk_add_cycles(tp_chk_class_heap *h) {
  bool is_new = false;
  for (size_t i = 0; i < h->paths.n; i++) {
    is_new = is_new || !h->paths.at[i].has_cycles;
    add_cycles(h, &h->paths.at[i]);
  }
  return is_new;
}

tp_term tp_chk_steps_term(tp_chk_search *s, tp_chk_class_heap *h, uint64_t fields,
                          tp_chk_heap_version when, int i, int j) {
  tp_chk_path_terms *x = paths_along(h, fields);
  add_cycles(h, x);
  tp_term same = tp_chk_same_address(s, h, i, j),
          around = tp_mk_and(s->tt, same, cycle(s, x, when, i));
  return tp_mk_or(s->tt, around, tp_mk_and(s->tt, tp_mk_not(s->tt, same), path(s, x, when, i, j)));
}

// ---------------------------------------------------------------------- steps

static bool is_along(const tp_chk_path_terms *x, uint32_t f) { return x->fields >> f & 1; }
static bool is_single(const tp_chk_path_terms *x) { return (x->fields & (x->fields - 1)) == 0; }
static tp_chk_heap_version fields_of(tp_chk_heap_version when) {
  return when == TP_CHK_COMMON ? TP_CHK_PRE : when;
}

/* Field f of address i is not null. */
static tp_term leads(tp_chk_search *s, tp_chk_class_heap *h, tp_chk_heap_version when, int i,
                     uint32_t f) {
  tp_chk_heap_version m = fields_of(when);
  tp_term t =
      tp_mk_not(s->tt, tp_mk_eq(s->tt, tp_chk_field_term(s, h, i, m, f), tp_mk_null(s->tt)));
  t = tp_mk_and(s->tt, tp_chk_is_live_cell(s, h, i, m), t);
  for (uint32_t k = 0; when == TP_CHK_COMMON && k < h->n_changed; k++)
    t = tp_mk_and(s->tt, t, tp_mk_not(s->tt, tp_chk_same_address(s, h, i, h->changed[k])));
  return t;
}

/* One of the steps out of i, after which there is a path to j, as far as that is known. */
static tp_term first_step(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *x,
                          tp_chk_heap_version when, int i, int j) {
  tp_term any = tp_mk_false(s->tt);
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    if (!is_along(x, f)) continue;
    int next = h->addresses[i].next[fields_of(when)][f];
    tp_term step = leads(s, h, when, i, f);
    if (i != j)
      step =
          tp_mk_and(s->tt, step,
                    tp_mk_not(s->tt, tp_mk_eq(s->tt, tp_chk_field_term(s, h, i, fields_of(when), f),
                                              tp_chk_address_term(h, i))));
    any = tp_mk_or(s->tt, any, next ? tp_mk_and(s->tt, step, path(s, x, when, next - 1, j)) : step);
  }
  return any;
}

static void assert_steps(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *x,
                         tp_chk_heap_version when, int i, int j) {
  tp_terms *tt = s->tt;
  tp_term there = path(s, x, when, i, j), same = tp_chk_same_address(s, h, i, j);
  assert_implies(s, same, there);
  assert_implies(s, tp_mk_and(tt, there, tp_chk_is_null(s, h, j)), tp_chk_is_null(s, h, i));
  if (when == TP_CHK_PRE && h->addresses[j].is_unreached) assert_implies(s, there, same);
  if (when == TP_CHK_PRE)
    assert_implies(
        s, there,
        tp_mk_or(tt, same,
                 tp_mk2(tt, TP_OP_BV_ULT, tp_mk1(tt, TP_OP_PTR_OBJ, tp_chk_address_term(h, j)),
                        s->g->history.next)));
  for (uint32_t f = 0; f < h->c->offsets.n; f++)
    if (is_along(x, f))
      assert_implies(s,
                     tp_mk_and(tt, leads(s, h, when, i, f),
                               tp_mk_eq(tt, tp_chk_field_term(s, h, i, fields_of(when), f),
                                        tp_chk_address_term(h, j))),
                     there);
  assert_implies(s, tp_mk_and(tt, there, tp_mk_not(tt, same)), first_step(s, h, x, when, i, j));
}

/* Cycles that i is on: i alone, */
static void assert_cycle(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *x,
                         tp_chk_heap_version when, int i) {
  tp_terms *tt = s->tt;
  tp_term around = cycle(s, x, when, i);
  if (when == TP_CHK_PRE && h->addresses[i].is_unreached)
    tp_chk_query_assert(s->q, tp_mk_not(tt, around));
  assert_implies(s, around, first_step(s, h, x, when, i, i));
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    int next = h->addresses[i].next[fields_of(when)][f];
    if (!is_along(x, f)) continue;
    tp_term step = leads(s, h, when, i, f);
    assert_implies(s,
                   tp_mk_and(tt, step,
                             tp_mk_eq(tt, tp_chk_field_term(s, h, i, fields_of(when), f),
                                      tp_chk_address_term(h, i))),
                   around);
    if (next) assert_implies(s, tp_mk_and(tt, step, path(s, x, when, next - 1, i)), around);
  }
}

/* and with another address j. */
static void assert_cycle_of_two(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *x,
                                tp_chk_heap_version when, int i, int j) {
  tp_terms *tt = s->tt;
  tp_term same = tp_chk_same_address(s, h, i, j), there = path(s, x, when, i, j),
          back = path(s, x, when, j, i), around = cycle(s, x, when, i);
  assert_implies(s, tp_mk_and(tt, tp_mk_not(tt, same), tp_mk_and(tt, there, back)), around);
  assert_implies(s, tp_mk_and(tt, same, around), cycle(s, x, when, j));
  if (is_single(x)) assert_implies(s, tp_mk_and(tt, around, there), back);
}

/* One of the fields of the live cell at address c has the value j. */
static tp_term is_step(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *x,
                       tp_chk_heap_version when, int c, int j) {
  tp_term any = tp_mk_false(s->tt);
  for (uint32_t f = 0; f < h->c->offsets.n; f++)
    if (is_along(x, f))
      any = tp_mk_or(s->tt, any,
                     tp_mk_and(s->tt, leads(s, h, when, c, f),
                               tp_mk_eq(s->tt, tp_chk_field_term(s, h, c, when, f),
                                        tp_chk_address_term(h, j))));
  return any;
}

void tp_chk_assert_last_steps(tp_chk_search *s, tp_chk_class_heap *h, tp_chk_heap_version when,
                              int i, int j) {
  for (size_t k = 0; k < h->paths.n; k++) {
    if (i == j) add_cycles(h, &h->paths.at[k]);
    tp_chk_path_terms x = h->paths.at[k];
    int c = tp_chk_address_number(s, h, tp_chk_exec_nondet(s->g, tp_sort_ptr(s->tt)), TP_CHK_BASE);
    tp_term there = i == j ? cycle(s, &x, when, i)
                           : tp_mk_and(s->tt, path(s, &x, when, i, j),
                                       tp_mk_not(s->tt, tp_chk_same_address(s, h, i, j)));
    assert_implies(s, there,
                   tp_mk_and(s->tt, path(s, &x, when, i, c), is_step(s, h, &x, when, c, j)));
  }
}

// ---------------------------------------------------------------------- changes

/* A path that leaves cells that changed: x is the first, y the last of them. */
static tp_term through(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *p,
                       tp_chk_heap_version when, int i, int j) {
  tp_terms *tt = s->tt;
  tp_term any = tp_mk_false(tt);
  for (uint32_t k = 0; k < h->n_changed; k++) {
    int y = h->changed[k];
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      TP_INVARIANT(h->addresses[y].next[when][f]);  // fields of changed cells are addresses
    tp_term out = tp_mk_false(tt), in = tp_mk_false(tt);
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      if (is_along(p, f))
        out = tp_mk_or(tt, out,
                       tp_mk_and(tt, leads(s, h, when, y, f),
                                 path(s, p, TP_CHK_COMMON, h->addresses[y].next[when][f] - 1, j)));
    for (uint32_t m = 0; m < h->n_changed; m++)
      in = tp_mk_or(tt, in,
                    tp_mk_and(tt, path(s, p, TP_CHK_COMMON, i, h->changed[m]),
                              path(s, p, when, h->changed[m], y)));
    any = tp_mk_or(tt, any, tp_mk_and(tt, in, out));
  }
  return any;
}

static void assert_changes(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *x,
                           int i, int j) {
  for (tp_chk_heap_version when = TP_CHK_PRE; when <= TP_CHK_POST; when++) {
    tp_term rest = path(s, x, TP_CHK_COMMON, i, j), there = path(s, x, when, i, j);
    assert_implies(s, rest, there);
    assert_implies(s, there, tp_mk_or(s->tt, rest, through(s, h, x, when, i, j)));
  }
}

static void assert_changed_cycles(tp_chk_search *s, tp_chk_class_heap *h,
                                  const tp_chk_path_terms *x, int i) {
  for (tp_chk_heap_version when = TP_CHK_PRE; when <= TP_CHK_POST; when++) {
    tp_term rest = cycle(s, x, TP_CHK_COMMON, i), around = cycle(s, x, when, i);
    assert_implies(s, rest, around);
    assert_implies(s, around, tp_mk_or(s->tt, rest, through(s, h, x, when, i, i)));
  }
}

static tp_chk_heap_version last_moment(const tp_chk_search *s) {
  if (s->is_unchanged) return TP_CHK_PRE;
  return s->knows_changes ? TP_CHK_COMMON : TP_CHK_POST;
}

static void assert_pair_of_paths(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *x,
                                 int i, int j) {
  for (tp_chk_heap_version when = TP_CHK_PRE; when <= last_moment(s); when++) {
    assert_steps(s, h, x, when, i, j);
    if (x->has_cycles) assert_cycle_of_two(s, h, x, when, i, j);
  }
  if (s->knows_changes && !s->is_unchanged) assert_changes(s, h, x, i, j);
}

static void assert_cycles_at(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_path_terms *x,
                             int i) {
  for (tp_chk_heap_version when = TP_CHK_PRE; when <= last_moment(s); when++)
    assert_cycle(s, h, x, when, i);
  if (s->knows_changes && !s->is_unchanged) assert_changed_cycles(s, h, x, i);
}

void tp_chk_assert_paths(tp_chk_search *s, tp_chk_class_heap *h, int k) {
  for (size_t i = 0; i < h->paths.n && !h->addresses[k].is_holder; i++) {
    tp_chk_path_terms x = h->paths.at[i];
    if (x.has_cycles) assert_cycles_at(s, h, &x, k);
    for (int j = 0; j < k; j++) {
      if (h->addresses[j].is_holder) continue;
      assert_pair_of_paths(s, h, &x, j, k);
      assert_pair_of_paths(s, h, &x, k, j);
    }
  }
}

// --------------------------------------------------------------- three addresses

typedef struct {
  tp_chk_search *s;
  tp_chk_class_heap *h;
  const tp_chk_path_terms *x;
  tp_chk_heap_version when;
  bool *there;  // by pair
  uint32_t n, said;
} repair;

static void assert_triple(repair *r, int a, int b, int c, bool is_transitive) {
  tp_terms *tt = r->s->tt;
  tp_term ab = path(r->s, r->x, r->when, a, b), bc = path(r->s, r->x, r->when, b, c),
          ac = path(r->s, r->x, r->when, a, c), cb = path(r->s, r->x, r->when, c, b);
  if (is_transitive)
    assert_implies(r->s, tp_mk_and(tt, ab, bc), ac);
  else
    assert_implies(r->s, tp_mk_and(tt, ab, ac), tp_mk_or(tt, bc, cb));
  r->said++;
}

static void repair_from(repair *r, int a) {
  const bool *there = r->there;
  const int n = (int)r->n;
  for (int b = 0; b < n; b++) {
    if (!there[a * n + b] || a == b) continue;
    for (int c = 0; c < n && r->said < TP_CERTIFY_PATH_REPAIRS; c++) {
      if (there[b * n + c] && !there[a * n + c]) assert_triple(r, a, b, c, true);
      if (is_single(r->x) && there[a * n + c] && !there[b * n + c] && !there[c * n + b])
        assert_triple(r, a, b, c, false);
    }
  }
}

/* Where the value of the field is no address of its own: the step leads to an address c that has
 * this value in the model, but the rest of the path to b does not start there. */
static void repair_step(repair *r, int a, int c, tp_term field) {
  tp_chk_search *s = r->s;
  for (int b = 0, n = (int)r->n; b < n && r->said < TP_CERTIFY_PATH_REPAIRS; b++) {
    const tp_term same = tp_chk_same_address(s, r->h, a, b);
    if (a == b || !r->there[a * n + b] || r->there[c * n + b] || tp_chk_query_holds(s->q, same))
      continue;
    const tp_term all[] = {path(s, r->x, r->when, a, b), tp_mk_not(s->tt, same), field};
    assert_implies(s, tp_mk_and_n(s->tt, all, sizeof all / sizeof *all),
                   path(s, r->x, r->when, c, b));
    r->said++;
  }
}

static void repair_steps_of(repair *r, int a) {
  tp_chk_search *s = r->s;
  const tp_chk_heap_version m = fields_of(r->when);
  uint32_t f = 0;
  while (!is_along(r->x, f)) f++;
  if (r->h->addresses[a].next[m][f] || !tp_chk_query_holds(s->q, leads(s, r->h, r->when, a, f)))
    return;
  for (int c = 0; c < (int)r->n; c++) {
    if (r->h->addresses[c].is_holder) continue;
    const tp_term field =
        tp_mk_eq(s->tt, tp_chk_field_term(s, r->h, a, m, f), tp_chk_address_term(r->h, c));
    if (tp_chk_query_holds(s->q, field)) repair_step(r, a, c, field);
  }
}

bool tp_chk_refine_paths(tp_chk_search *s, tp_chk_class_heap *h) {
  repair r = {.s = s, .h = h, .n = h->n};
  r.there = TP_NEW_ARRAY(bool, (size_t)h->n * h->n + 1);
  for (size_t i = 0; i < h->paths.n; i++)
    for (r.when = TP_CHK_PRE; r.when <= last_moment(s); r.when++) {
      r.x = &h->paths.at[i];
      for (uint32_t k = 0; k < h->n * h->n; k++)
        r.there[k] =
            !h->addresses[k / h->n].is_holder && !h->addresses[k % h->n].is_holder &&
            tp_chk_query_holds(s->q, path(s, r.x, r.when, (int)(k / h->n), (int)(k % h->n)));
      for (uint32_t a = 0; a < h->n; a++) repair_from(&r, (int)a);
      for (uint32_t a = 0; a < h->n && is_single(r.x); a++)
        if (!h->addresses[a].is_holder) repair_steps_of(&r, (int)a);
    }
  tp_free(r.there);
  return r.said > 0;
}
