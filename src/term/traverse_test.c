/* Visits, folds, rewritings and questions: orders, sharing, memos, depth. */
#include "term/term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static tp_terms *tt;

static int setup(void **state) {
  (void)state;
  tt = tp_terms_new(64);
  tp_terms_set_rewriting(tt, false);  // terms stay as they are written
  return 0;
}
static int teardown(void **state) {
  (void)state;
  tp_terms_free(tt);
  assert_int_equal(tp_live_bytes(), 0);
  return 0;
}

static tp_term var(const char *name) { return tp_mk_var(tt, name, tp_sort_bv(tt, 32)); }
static tp_term mul(tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_MUL, a, b); }
static tp_term sub(tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_UDIV, a, b); }
#define same(a, b) assert_int_equal((a).id, (b).id)

// ---------------------------------------------------------------------- visits

typedef struct {
  tp_str names;    // of the variables met, in order; ( for an application
  char skip, end;  // the variable below whose parent nothing is visited; that stops the visit
} visits;

static tp_visit note(void *ctx, tp_term t) {
  visits *v = ctx;
  bool is_var = tp_kind(tt, t) == TP_OP_VAR;
  tp_str_add_char(&v->names, is_var ? tp_var_name(tt, t)[0] : '(');
  if (is_var && tp_var_name(tt, t)[0] == v->end) return TP_VISIT_STOP;
  bool is_skipped = !is_var && tp_kind(tt, tp_arg(tt, t, 0)) == TP_OP_VAR &&
                    tp_var_name(tt, tp_arg(tt, t, 0))[0] == v->skip;
  return is_skipped ? TP_VISIT_SKIP_ARGS : TP_VISIT_ARGS;
}

/* (x / y) / ((x / y) / z) */
static tp_term example(tp_term *shared) {
  tp_term x = var("x"), y = var("y"), z = var("z");
  *shared = sub(x, y);
  return sub(*shared, sub(*shared, z));
}

static const struct {
  const char *name;
  tp_arg_order order;
  char skip, end;
  const char *expect;
  bool finished;
} visit_cases[] = {
    {"left to right", TP_LEFT_TO_RIGHT, 0, 0, "((xy(z", true},
    {"right to left", TP_RIGHT_TO_LEFT, 0, 0, "((z(yx", true},
    {"stops", TP_LEFT_TO_RIGHT, 0, 'y', "((xy", false},
    {"skips", TP_LEFT_TO_RIGHT, 'x', 0, "(((z", true},
};

static void visits_have_an_order(void **state) {
  (void)state;
  tp_term shared, t = example(&shared);
  for (size_t i = 0; i < sizeof visit_cases / sizeof *visit_cases; i++) {
    visits v = {.skip = visit_cases[i].skip, .end = visit_cases[i].end};
    tp_visitor how = {&v, note, visit_cases[i].order};
    assert_int_equal(tp_visit_terms(tt, t, &how, NULL), visit_cases[i].finished);
    assert_string_equal(tp_str_text(&v.names), visit_cases[i].expect);
    tp_str_clear(&v.names);
  }
}

static void a_set_of_visited_terms_is_kept(void **state) {
  (void)state;
  tp_term shared, t = example(&shared);
  visits v = {0};
  tp_map seen = {0};
  tp_visitor how = {&v, note, TP_LEFT_TO_RIGHT};
  assert_true(tp_visit_terms(tt, shared, &how, &seen));
  assert_true(tp_visit_terms(tt, t, &how, &seen));
  assert_true(tp_visit_terms(tt, t, &how, &seen));
  assert_true(tp_visit_terms(tt, TP_TERM_NONE, &how, &seen));
  assert_string_equal(tp_str_text(&v.names), "(xy((z");
  tp_map_clear(&seen);
  tp_str_clear(&v.names);
}

// ----------------------------------------------------------------------- folds

typedef struct {
  size_t n_before, n_after;
  tp_term cut;  // counts as one node
} counting;
static bool cut_before(void *ctx, tp_term t, uint64_t *value) {
  counting *c = ctx;
  c->n_before++;
  *value = 1;
  return tp_term_eq(t, c->cut);
}
/* Size as a tree, modulo 2^64. */
static uint64_t tree_size(void *ctx, tp_term t, const uint64_t *args) {
  counting *c = ctx;
  uint64_t size = 1;
  c->n_after++;
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++) size += args[i];
  return size;
}

static void folds_compute_each_subterm_once(void **state) {
  (void)state;
  tp_term shared, t = example(&shared);
  counting c = {.cut = TP_TERM_NONE};
  tp_folder f = {&c, cut_before, tree_size, TP_LEFT_TO_RIGHT};
  assert_int_equal(tp_fold_terms(tt, t, &f, NULL), 9);
  assert_int_equal(c.n_before, 6);
  assert_int_equal(c.n_after, 6);
  c = (counting){.cut = shared};
  assert_int_equal(tp_fold_terms(tt, t, &f, NULL), 5);
  assert_int_equal(c.n_before, 4);
  assert_int_equal(c.n_after, 3);
}

static void values_are_kept_between_folds(void **state) {
  (void)state;
  tp_term shared, t = example(&shared);
  counting c = {.cut = TP_TERM_NONE};
  tp_folder f = {&c, NULL, tree_size, TP_RIGHT_TO_LEFT};
  tp_map values = {0};
  assert_int_equal(tp_fold_terms(tt, shared, &f, &values), 3);
  assert_int_equal(c.n_after, 3);
  assert_int_equal(tp_fold_terms(tt, t, &f, &values), 9);
  assert_int_equal(c.n_after, 6);
  assert_int_equal(tp_fold_terms(tt, t, &f, &values), 9);
  assert_int_equal(c.n_after, 6);
  tp_map_clear(&values);
}

// ------------------------------------------------------------------ rewritings

typedef struct {
  tp_term from, to;
  tp_term_list made;  // in order
} rewriting;
static tp_term image_of(void *ctx, tp_term t) {
  rewriting *r = ctx;
  return tp_term_eq(t, r->from) ? r->to : TP_TERM_NONE;
}
static tp_term list_made(void *ctx, tp_term t, tp_term made) {
  rewriting *r = ctx;
  (void)t;
  tp_vec_push(&r->made, made);
  return tp_term_eq(made, r->from) ? r->to : made;
}

static void rewriting_rebuilds_what_changed(void **state) {
  (void)state;
  tp_term shared, t = example(&shared), w = var("w");
  rewriting r = {.from = shared, .to = w};
  tp_mapper before = {&r, image_of, NULL, TP_LEFT_TO_RIGHT},
            after = {&r, NULL, list_made, TP_LEFT_TO_RIGHT};
  tp_term z = tp_arg(tt, tp_arg(tt, t, 1), 1), expect = sub(w, sub(w, z));
  same(tp_map_terms(tt, t, &before, NULL), expect);
  same(tp_map_terms(tt, t, &after, NULL), expect);
  assert_int_equal(r.made.n, 6);
  same(r.made.at[0], tp_arg(tt, shared, 0));  // x, y, x / y, z, ...
  same(r.made.at[3], z);
  tp_vec_clear(&r.made);
  size_t n = tp_terms_count(tt);
  r = (rewriting){.from = w, .to = z};
  same(tp_map_terms(tt, t, &before, NULL), t);
  assert_int_equal(tp_terms_count(tt), n);  // nothing was made
}

static void replacement_of_subterms(void **state) {
  (void)state;
  tp_term shared, t = example(&shared), w = var("w");
  tp_term x = tp_arg(tt, shared, 0), y = tp_arg(tt, shared, 1), z = tp_arg(tt, tp_arg(tt, t, 1), 1);
  const struct {
    const char *name;
    tp_term in, old, with, expect;
  } cases[] = {
      {"a variable", t, x, y, sub(sub(y, y), sub(sub(y, y), z))},
      {"an application", t, shared, z, sub(z, sub(z, z))},
      {"the whole", t, t, w, w},
      {"nothing", t, w, x, t},
      {"by a term that has it", shared, x, sub(x, x), sub(sub(x, x), y)},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    same(tp_replace(tt, cases[i].in, cases[i].old, cases[i].with), cases[i].expect);
  tp_map images = {0};
  tp_map_set(&images, x.id, y.id);
  tp_map_set(&images, y.id, x.id);
  same(tp_replace_all(tt, shared, &images), sub(y, x));
  same(tp_replace_all(tt, t, &images), sub(sub(y, x), sub(sub(y, x), z)));
  assert_true(tp_map_has(&images, t.id));
  tp_map_clear(&images);
}

// -------------------------------------------------------------------- questions

static bool is_variable(void *ctx, const tp_terms *of, tp_term t) {
  (void)ctx;
  return tp_kind(of, t) == TP_OP_VAR;
}
static bool is_product(void *ctx, const tp_terms *of, tp_term t) {
  (void)ctx;
  return tp_kind(of, t) == TP_OP_BV_MUL;
}

static void questions_and_collections(void **state) {
  (void)state;
  tp_term shared, t = example(&shared), w = var("w");
  tp_term_list found = {0};
  tp_collect_terms(tt, t, is_variable, NULL, &found);
  assert_int_equal(found.n, 3);
  for (uint32_t i = 0; i < 3; i++) same(found.at[i], tp_var_by_index(tt, i));
  tp_collect_terms(tt, t, is_product, NULL, &found);
  assert_int_equal(found.n, 3);
  tp_vec_clear(&found);
  assert_true(tp_any_subterm(tt, t, is_variable, NULL));
  assert_false(tp_any_subterm(tt, t, is_product, NULL));
  assert_true(tp_occurs(tt, t, t));
  assert_true(tp_occurs(tt, shared, t));
  assert_false(tp_occurs(tt, t, shared));
  assert_false(tp_occurs(tt, w, t));
}

// ----------------------------------------------------------------------- depth

enum { DEEP = 1000000 };

static tp_visit count(void *ctx, tp_term t) {
  (void)t;
  ++*(size_t *)ctx;
  return TP_VISIT_ARGS;
}
static tp_term by_one(void *ctx, tp_term t, tp_term made) {
  (void)t;
  return tp_kind(tt, made) == TP_OP_VAR ? *(tp_term *)ctx : made;
}

/* A chain of squares: 10^6 levels, 2^(10^6) paths. */
static void depth_and_sharing_cost_nothing(void **state) {
  (void)state;
  tp_term x = var("x"), y = var("y"), t = x, u = y;
  for (int i = 0; i < DEEP; i++) t = mul(t, t);
  for (int i = 0; i < DEEP; i++) u = mul(u, u);
  size_t n = 0;
  assert_true(tp_visit_terms(tt, t, &(tp_visitor){&n, count, TP_RIGHT_TO_LEFT}, NULL));
  assert_int_equal(n, DEEP + 1);
  counting c = {.cut = TP_TERM_NONE};
  tp_folder f = {&c, NULL, tree_size, TP_LEFT_TO_RIGHT};
  assert_true(tp_fold_terms(tt, t, &f, NULL) == UINT64_MAX);  // 2^(10^6 + 1) - 1 modulo 2^64
  assert_int_equal(c.n_after, DEEP + 1);
  same(tp_map_terms(tt, t, &(tp_mapper){.ctx = &y, .after = by_one}, NULL), u);
  same(tp_replace(tt, t, x, y), u);
  assert_true(tp_occurs(tt, x, t));
  assert_false(tp_occurs(tt, y, t));
}

/* A traversal inside a callback of another has marks of its own. */
static tp_term nested(void *ctx, tp_term t, tp_term made) {
  tp_term *with = ctx;
  tp_term x = tp_var_by_index(tt, 0);
  (void)t;
  return tp_occurs(tt, x, made) ? tp_replace(tt, made, x, *with) : made;
}
static void traversals_nest(void **state) {
  (void)state;
  tp_term shared, t = example(&shared), w = var("w"), z = tp_arg(tt, tp_arg(tt, t, 1), 1);
  tp_term y = tp_arg(tt, shared, 1), expect = sub(sub(w, y), sub(sub(w, y), z));
  same(tp_map_terms(tt, t, &(tp_mapper){.ctx = &w, .after = nested}, NULL), expect);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      T(visits_have_an_order),
      T(a_set_of_visited_terms_is_kept),
      T(folds_compute_each_subterm_once),
      T(values_are_kept_between_folds),
      T(rewriting_rebuilds_what_changed),
      T(replacement_of_subterms),
      T(questions_and_collections),
      T(depth_and_sharing_cost_nothing),
      T(traversals_nest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
