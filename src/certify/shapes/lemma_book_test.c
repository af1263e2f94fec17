/* What the book of lemmas says is proved is right on small heaps: right update formulas, each of
 * them changed at random in several ways, for each operation and each choice of pointers. A text
 * that stands for statements that differ in more than names of pointers, an operation that is
 * executed wrongly, an axiom that is too strong would let a wrong formula pass. TP_SEED: the first
 * round; TP_SOAK: many, with more changes of each formula and all pointers. */
#include "certify/shapes/lemma_book.h"
#include "certify/shapes/lemma_trial.h"
#include "certify/testing.h"

#include <inttypes.h>
#include <stdlib.h>

enum { POINTERS = 3, ROUNDS = 1, SOAK_ROUNDS = 100 };
enum { MUTANTS = 2, SOAK_MUTANTS = 5 };             // of each formula
enum { RENAMINGS = 1, SOAK_RENAMINGS = POINTERS };  // pointers of an operation
static bool is_soak(void) { return getenv("TP_SOAK") != NULL; }
enum { FREED = POINTERS + 1, OUTSIDE, FIELD };

/* A class: fields, definitions behind the fields, and right updates. In texts $x, $y are pointers,
 * $rx, $ry what is reached from them. */
typedef struct {
  const char *name, *fields, *definitions[8];
  struct {
    int predicate;  // -1: of $rx
    const char *formula;
  } updates[12];
} class_text;

// One link: 6 is the field, 7 to 9 are what pointers reach, 10 is "on a cycle".
static const class_text classes[] = {
    {"list",
     "0",
     {"1 (some 1 (and (p 1 1) (path* 2 3 (p 6 2 3) 1 0)))",
      "1 (some 1 (and (p 2 1) (path* 2 3 (p 6 2 3) 1 0)))",
      "1 (some 1 (and (p 3 1) (path* 2 3 (p 6 2 3) 1 0)))", "1 (path+ 2 3 (p 6 2 3) 0 0)"},
     {{-1, "(p $ry 0)"},
      {-1, "(and (p $ry 0) (or (p 10 0) (not (p $y 0))))"},
      {-1, "(p $x 0)"},
      {-1, "(or (p $x 0) (and (p $ry 0) (not (p $x 0))))"},
      {-1, "(if (some 2 (and (p $x 2) (p 10 2))) h (p $x 0))"},
      {10, "(and (p 10 0) (not (some 2 (and (and (p $x 2) (p 10 2)) (p $rx 0)))))"},
      {10, "(if (some 2 (and (p $y 2) (p $rx 2))) h (p 10 0))"},
      {6, "(if (p $x 0) (p $y 1) (p 6 0 1))"},
      {6, "(if (p $x 0) 0 (p 6 0 1))"},
      {-1, "(some 2 (and (p $x 2) (if (p 10 2) h (p $rx 0))))"},
      {-1, "(all 2 (or (not (p $y 2)) (if (p 10 2) h (p $ry 0))))"},
      {FREED, "(or (p 4 0) (p $x 0))"}}},
    {"two links",
     "0 8",
     {"1 (some 1 (and (p 1 1) (path* 2 3 (p 6 2 3) 1 0)))",
      "1 (some 1 (and (p 2 1) (path* 2 3 (p 6 2 3) 1 0)))",
      "1 (some 1 (and (p 3 1) (path* 2 3 (p 6 2 3) 1 0)))", "1 (path+ 2 3 (p 6 2 3) 0 0)",
      "2 (path* 2 3 (p 6 2 3) 0 1)", "1 (not (some 2 (and (p 6 0 2) (not (p 7 2 0)))))",
      "2 (path* 2 3 (or (p 6 2 3) (p 7 2 3)) 0 1)"},
     {{12,
       "(and (p 12 0 1) (or (not (some 2 (and (p $x 2) (p 12 0 2)))) (if (some 2 (and (p $x 2) "
       "(p 11 2))) h (not (some 2 (and (and (p $x 2) (not (= 1 2))) (p 12 2 1)))))))"},
      {12,
       "(or (p 12 0 1) (some 2 (some 3 (and (and (p $x 2) (p $y 3)) (and (p 12 0 2) (p 12 3 "
       "1))))))"},
      {13, "(or (p 13 0) (p $x 0))"},
      {13, "(if (p $x 0) (all 2 (or (not (p $y 2)) (p 7 2 0))) (p 13 0))"},
      {13, "(and (p 13 0) (not (some 2 (and (p $x 2) (p 6 0 2)))))"},
      {11, "(and (p 11 0) (not (some 2 (and (and (p $x 2) (p 11 2)) (p $rx 0)))))"},
      {14,
       "(or (p 14 0 1) (some 2 (some 3 (and (and (p $x 2) (p $y 3)) (and (p 14 0 2) (p 14 3 "
       "1))))))"},
      {7, "(if (p $x 0) (p $y 1) (p 7 0 1))"}}},
};

typedef struct {
  tp_rng rng;
  builder b;
  tp_var v[POINTERS + 1];
  tp_chk_cert cert;
  tp_chk_exec g;
  tp_certify_report report;
  uint32_t first_reached;
} scene;

static uint32_t below(scene *s, uint64_t n) { return (uint32_t)tp_rng_below(&s->rng, n); }

// ------------------------------------------------------------------------- texts

/* The formula for pointers x and y. */
static void instance(const scene *s, const char *text, int x, int y, tp_str *out) {
  for (; *text; text++) {
    if (*text != '$') {
      tp_str_add_char(out, *text);
      continue;
    }
    bool is_reached = *++text == 'r';
    if (is_reached) text++;
    int p = *text == 'x' ? x : y;
    tp_str_printf(out, "%d", is_reached ? (int)s->first_reached + p - 1 : p);
  }
}

/* Changes one place of the text: a connective, a constant, or a pointer. */
static void mutate(scene *s, tp_str *text) {
  for (int tries = 0; tries < 60; tries++) {
    char *at = text->text + below(s, text->n);
    if (!strncmp(at, "(and ", 5)) {
      memcpy(at, "(or  ", 5);
      return;
    }
    if (!strncmp(at, "(or ", 4) && at[4] == '(') {
      tp_str rest = {0};
      tp_str_add(&rest, at + 3);
      text->n = (size_t)(at - text->text);
      tp_str_printf(text, "(and%s", tp_str_text(&rest));
      tp_str_clear(&rest);
      return;
    }
    if (!strncmp(at, "(not (", 6)) {
      memcpy(at, "(or  (", 6);
      return;
    }
    if (!strncmp(at, "(p ", 3) && at[3] >= '1' && at[3] <= '0' + POINTERS && at[4] == ' ') {
      at[3] = (char)('1' + below(s, POINTERS));
      return;
    }
  }
}

static void add_update(const class_text *c, size_t i, int x, const scene *s, const tp_str *formula,
                       tp_str *out) {
  int k = c->updates[i].predicate;
  tp_str_printf(out, "update 1 %d 1 %s\n", k < 0 ? (int)s->first_reached + x - 1 : k,
                tp_str_text(formula));
}

static void add_updates(scene *s, const class_text *c, tp_str *out) {
  for (size_t i = 0; i < 12 && c->updates[i].formula; i++)
    for (int x = 1; x <= POINTERS; x++)
      for (int m = 0; m <= (is_soak() ? SOAK_MUTANTS : MUTANTS); m++) {
        tp_str formula = {0};
        int y = 1 + (int)below(s, POINTERS);
        instance(s, c->updates[i].formula, x, y, &formula);
        if (m) mutate(s, &formula);
        add_update(c, i, m < 2 ? x : 1 + (int)below(s, POINTERS), s, &formula, out);
        tp_str_clear(&formula);
      }
}

static void open_scene(scene *s, const class_text *c, uint64_t seed) {
  *s = (scene){.b = begin()};
  tp_str text = {0}, why = {0};
  int n_fields = strchr(c->fields, ' ') ? 2 : 1, k = FIELD;
  tp_rng_init(&s->rng, seed);
  s->first_reached = FIELD + (uint32_t)n_fields;
  for (int p = 1; p <= POINTERS; p++) s->v[p] = local(&s->b, "p", tp_sort_ptr(s->b.tt));
  tp_loc at = s->b.at;
  (void)end(&s->b);
  tp_str_printf(&text,
                "twoproof-certificate 2\nkind shapes\nproperty unreach-call\nmachine lp64\nprogram "
                "%016" PRIx64 "\ncontext 1 main\nclass 1 24 %s\n",
                tp_program_fingerprint(s->b.p), c->fields);
  for (int p = 1; p <= POINTERS; p++)
    tp_str_printf(&text, "predicate 1 %d pointer %u\n", p, s->v[p].id);
  tp_str_printf(&text, "predicate 1 %d freed\npredicate 1 %d outside\n", FREED, OUTSIDE);
  for (int f = 0; f < n_fields; f++) tp_str_printf(&text, "predicate 1 %d field %d\n", k++, f);
  for (int i = 0; i < 8 && c->definitions[i]; i++)
    tp_str_printf(&text, "predicate 1 %d instrumentation %s\n", k++, c->definitions[i]);
  add_updates(s, c, &text);
  tp_str_printf(&text, "at 1 %u TRUE\nend\n", at.id);
  if (!tp_chk_cert_read(&s->cert, s->b.p, TP_P_UNREACH_CALL, text.text, &why))
    fail_msg("%s: %s\n%s", c->name, tp_str_text(&why), text.text);
  static const tp_certify_limits limits = {0};
  tp_certify_report_init(&s->report);
  tp_chk_exec_init(&s->g, s->b.p, TP_P_UNREACH_CALL, &s->cert, &limits, NULL, &s->report);
  tp_chk_exec_begin(&s->g, 1, at, false);
  tp_chk_shape_begin(&s->g, NULL);
  tp_str_clear(&text);
  tp_str_clear(&why);
}

static void close_scene(scene *s) {
  tp_chk_exec_clear(&s->g);
  tp_certify_report_clear(&s->report);
  tp_chk_cert_clear(&s->cert);
  tp_program_free(s->b.p);
}

// --------------------------------------------------------------------- operations

typedef enum {
  SET_NULL,
  SET_ANYTHING,
  COPY,
  LOAD,
  MAKE,
  CLEAR,
  STORE,
  FREE_CELL,
  N_OPERATIONS
} operation;

static tp_chk_effect effect_of(scene *s, operation o, uint32_t x, uint32_t y, uint32_t f) {
  tp_chk_effect e;
  assert_true(tp_chk_effect_of(&s->g, 1, &e));  // of the empty path: everything is kept
  if (o == SET_NULL) e.pointers[x] = (tp_chk_origin){TP_CHK_FROM_NULL, 0, 0};
  if (o == SET_ANYTHING) e.pointers[x] = (tp_chk_origin){TP_CHK_FROM_ANYWHERE, 0, 0};
  if (o == COPY) e.pointers[x] = (tp_chk_origin){TP_CHK_FROM_POINTER, y, 0};
  if (o == LOAD) e.pointers[x] = (tp_chk_origin){TP_CHK_FROM_FIELD, y, f};
  if (o == MAKE) e.pointers[x] = (tp_chk_origin){TP_CHK_FROM_NEW, 0, 0};
  if (o < MAKE) return e;
  tp_chk_written_cell *w = &e.written[e.n_written++];
  *w = (tp_chk_written_cell){.pointer = o == MAKE ? 0 : x, .is_freed = o == FREE_CELL};
  for (uint32_t i = 0; i < e.c->offsets.n; i++)
    w->fields[i] = o == MAKE ? (tp_chk_origin){TP_CHK_FROM_NULL, 0, 0}
                             : (tp_chk_origin){TP_CHK_FROM_FIELD, x, i};
  if (o == CLEAR || o == FREE_CELL) w->fields[f] = (tp_chk_origin){TP_CHK_FROM_NULL, 0, 0};
  if (o == STORE) w->fields[f] = (tp_chk_origin){TP_CHK_FROM_POINTER, y, 0};
  return e;
}

/* Asks the book about all updates of one predicate, one by one. */
static void try_updates(scene *s, const tp_chk_effect *e, uint32_t *proved, uint32_t *refuted,
                        const char *name) {
  tp_chk_lemma_book *b = tp_chk_lemma_book_of(&s->g);
  tp_chk_trial trial = tp_chk_trial_new(e);
  tp_chk_step step = {.g = &s->g, .number = 1};
  assert_true(tp_chk_book_new_elements(b, &s->g, e, &step));
  for (size_t i = 0; i < e->c->updates.n; i++) {
    tp_chk_candidate_update c = {e->c->updates.at[i].predicate, e->c->updates.at[i].formula};
    bool yes;
    tp_chk_book_updates(b, &s->g, e, TP_CHK_ANY_OLD, TP_CHK_ANY_OLD, &c, 1, &yes);
    bool wrong = tp_chk_trial_refutes(&trial, TP_CHK_TRIAL_OLD, TP_CHK_TRIAL_OLD, &c);
    *proved += yes;
    *refuted += wrong;
    if (yes && wrong) fail_msg("%s: update %zu is wrong, and proved", name, i);
  }
  tp_chk_trial_clear(&trial);
}

static void what_the_book_proves_is_right(void **unused) {
  (void)unused;
  const uint64_t seed = getenv("TP_SEED") ? strtoull(getenv("TP_SEED"), NULL, 10) : 1,
                 n = is_soak() ? SOAK_ROUNDS : ROUNDS;
  const uint32_t renamings = is_soak() ? SOAK_RENAMINGS : RENAMINGS;
  for (uint64_t round = seed; round < seed + n; round++)
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
      scene s;
      uint32_t proved = 0, refuted = 0;
      open_scene(&s, &classes[k], round);
      for (operation o = 0; o < N_OPERATIONS; o++)
        for (uint32_t i = 0; i < renamings; i++) {
          uint32_t x = 1 + (uint32_t)((o + round + i) % POINTERS);
          uint32_t y = 1 + x % POINTERS, f = below(&s, s.cert.graphs.classes.at[1].offsets.n);
          tp_chk_effect e = effect_of(&s, o, x, y, f);
          try_updates(&s, &e, &proved, &refuted, classes[k].name);
          tp_chk_effect_clear(&e);
        }
      print_message("%s: %u proved, %u wrong\n", classes[k].name, proved, refuted);
      assert_true(proved > 10 && refuted > 50);
      close_scene(&s);
    }
}

/* Without trials: the prover alone must not prove what is wrong. */
static void wrong_updates_are_not_proved(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
    scene s;
    uint32_t wrong = 0;
    open_scene(&s, &classes[k], 7);
    for (operation o = 0; o < N_OPERATIONS; o++) {
      tp_chk_effect e = effect_of(&s, o, 1, 2, 0);
      tp_chk_trial trial = tp_chk_trial_new(&e);
      tp_chk_exec g;
      tp_chk_exec_init(&g, s.b.p, TP_P_UNREACH_CALL, &s.cert, s.g.limits, NULL, &s.report);
      assert_true(tp_chk_effect_execute(&g, s.g.start.loc, &e));
      tp_chk_step step = {.g = &g, .number = 1};
      assert_true(tp_chk_lemma_new_elements(&step));
      for (size_t i = 0; i < e.c->updates.n; i++) {
        tp_chk_candidate_update c = {e.c->updates.at[i].predicate, e.c->updates.at[i].formula};
        bool yes;
        if (below(&s, is_soak() ? 6 : 12) ||
            !tp_chk_trial_refutes(&trial, TP_CHK_TRIAL_OLD, TP_CHK_TRIAL_OLD, &c))
          continue;
        tp_chk_lemma_of_old(&step, e.c->predicates.at[c.predicate].arity, &c, 1, TP_CHK_BY_SKELETON,
                            &yes);
        wrong++;
        if (yes)
          fail_msg("%s, operation %d: update %zu is wrong, and proved", classes[k].name, (int)o, i);
      }
      tp_chk_exec_clear(&g);
      tp_chk_trial_clear(&trial);
      tp_chk_effect_clear(&e);
    }
    assert_true(wrong > 10);
    close_scene(&s);
  }
}

/* The value of a pointer with any value is an element that is new, or an old one: of new ones that
 * is known which follows from that they are none of the others. */
static void elements_that_a_pointer_with_any_value_makes(void **unused) {
  (void)unused;
  static const struct {
    const char *name;
    uint32_t predicate;
    int a, b;  // 0: the new element
    bool is_0, is_1;
  } cases[] = {
      {"outside", OUTSIDE, 0, 0, false, true},
      {"freed", FREED, 0, 0, true, false},
      {"the pointer leads to it: no other one does", 1, 0, 0, false, true},
      {"another pointer", 2, 0, 0, true, false},
      {"no field leads to it", FIELD, TP_CHK_ANY_OLD, 0, true, false},
      {"it has no fields", FIELD, 0, TP_CHK_ANY_OLD, true, false},
      {"it is reached from the pointer", FIELD + 1, 0, 0, false, true},
      {"not from another pointer", FIELD + 2, 0, 0, true, false},
      {"on no cycle", FIELD + 4, 0, 0, true, false},
  };
  scene s;
  open_scene(&s, &classes[0], 1);
  tp_chk_effect e = effect_of(&s, SET_ANYTHING, 1, 2, 0);
  tp_chk_step step = {.g = &s.g, .number = 1};
  tp_chk_lemma_book *b = tp_chk_lemma_book_of(&s.g);
  assert_true(tp_chk_book_new_elements(b, &s.g, &e, &step));
  assert_int_equal(step.n_new, 1);
  assert_int_equal(step.new_kind[0], TP_CHK_NEW_OTHERS);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint8_t v = 0; v < 2; v++) {
      const tp_chk_formula value = {.kind = TP_CHK_F_VALUE, .value = v};
      const tp_chk_candidate_update c = {cases[i].predicate, &value};
      bool yes;
      tp_chk_book_updates(b, &s.g, &e, cases[i].a, cases[i].b, &c, 1, &yes);
      if (yes != (v ? cases[i].is_1 : cases[i].is_0)) fail_msg("%s: %d", cases[i].name, v);
    }
  tp_chk_effect_clear(&e);
  close_scene(&s);
}

/* What is right of cells only is refuted by an outside address, and by the value of memory that
 * nobody has written. */
static void trials_have_outside_elements(void **unused) {
  (void)unused;
  static const struct {
    const char *name;
    tp_chk_trial_element of;
    bool is_0, is_1;  // not refuted
  } cases[] = {
      {"old elements are cells and others", TP_CHK_TRIAL_OLD, false, false},
      {"the made cell", TP_CHK_TRIAL_MADE, true, false},
      {"unwritten", TP_CHK_TRIAL_UNWRITTEN, false, true},
  };
  scene s;
  open_scene(&s, &classes[0], 1);
  tp_chk_effect e = effect_of(&s, MAKE, 1, 2, 0);
  e.written[0].fields[0].kind = TP_CHK_FROM_UNWRITTEN;
  tp_chk_trial trial = tp_chk_trial_new(&e);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint8_t v = 0; v < 2; v++) {
      const tp_chk_formula value = {.kind = TP_CHK_F_VALUE, .value = v};
      const tp_chk_candidate_update c = {OUTSIDE, &value};
      if (tp_chk_trial_refutes(&trial, cases[i].of, cases[i].of, &c) ==
          (v ? cases[i].is_1 : cases[i].is_0))
        fail_msg("%s: %d", cases[i].name, v);
    }
  tp_chk_trial_clear(&trial);
  tp_chk_effect_clear(&e);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(trials_have_outside_elements),
                                     cmocka_unit_test(elements_that_a_pointer_with_any_value_makes),
                                     cmocka_unit_test(what_the_book_proves_is_right),
                                     cmocka_unit_test(wrong_updates_are_not_proved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
