/* The octagon analysis on small C programs: what it knows at the label `here`, whether it proves
 * all checks; on random runs no state may be outside of what was reached; formulas must say what
 * the matrices say. Most programs come in pairs: where a number wraps the knowledge must go. */
#include "cpa/octagon/octagon_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "cpa/composition.h"
#include "cpa/descend.h"
#include "cpa/recursion.h"
#include "exec/exec.h"
#include "front/front.h"
#include "program/build_test.h"
#include "term/random_terms.h"

static const char prelude[] =
    "extern int any(void); extern unsigned any_u(void); extern unsigned long any_ul(void); extern "
    "unsigned char any_uc(void);\n"
    "extern void reach_error(void);\n"
    "#define check(c) do { if (!(c)) reach_error(); } while (0)\n"
    "#define assume(c) do { if (!(c)) return 0; } while (0)\n";

typedef struct {
  const char *name, *text;
  const char *here;  // the octagon at `here`; NULL: not asked
  bool proves;       // no error location is reached
} example;

#define MAIN(...) "int main(void) {\n" __VA_ARGS__ "\nreturn 0; }\n"

static const example examples[] = {
    // assignments
    {"copies",
     MAIN("int x = any(), y = x; assume(x < 10); int z = y + 1; here: check(z <= y + 1 && z > x);"),
     "{x <= 9, y - x = 0, z - x = 1}", true},
    {"a copy that may wrap", MAIN("int x = any(), z = x + 1; here: check(z > x);"), "{}", false},
    {"a sum at the limit",
     MAIN("int x = any(); assume(x <= 2147483646); int z = x + 1; here: check(z > x);"),
     "{x <= 2147483646, z - x = 1}", true},
    {"a sum beyond the limit",
     MAIN("int x = any(); assume(x <= 2147483646); int z = x + 2; here: check(z > x);"),
     "{x <= 2147483646}", false},
    {"a sum that always wraps",
     MAIN("int x = any(); assume(x >= 2147483646); int z = x + 2; here: check(z < x);"),
     "{x >= 2147483646, z - x = -4294967294}", true},
    {"negation",
     MAIN("int x = any(); assume(x >= -5); int y = -x; here: check(y <= 5 && x + y == 0);"),
     "{x >= -5, y + x = 0}", true},
    {"negation of the least number",
     MAIN("int x = any(); assume(x <= 5); int y = -x; here: check(y >= -5 && x);"), "{x <= 5}",
     false},
    {"difference",
     MAIN("int x = any(), y = any(); assume(0 <= y && y <= x); int d = x - y; here: check(d <= x "
          "&& d >= 0 && y);"),
     NULL, false},
    {"difference, used",
     MAIN("int x = any(), y = any(); assume(0 <= y && y <= x); int d = x - y; here: check(d <= x); "
          "check(d >= 0);"),
     "{x >= 0, d >= 0, d - x <= 0}", true},
    {"unsigned difference",
     MAIN("unsigned x = any_u(), y = any_u(); assume(y <= x); unsigned d = x - y; here: check(d <= "
          "x);"),
     "{d - x <= 0}", true},
    {"unsigned underflow",
     MAIN("unsigned x = any_u(), y = any_u(); unsigned d = x - y; here: check(d <= x);"), "{}",
     false},
    {"decrement of 0", MAIN("unsigned x = any_u(), y = x - 1; here: check(y < x);"), "{}", false},
    {"decrement",
     MAIN("unsigned x = any_u(); assume(x > 0); unsigned y = x - 1; here: check(y < x);"),
     "{x >= 1, y - x = -1}", true},
    {"choice",
     MAIN("int a = any(), b = any(), m = a > b ? a : b; here: check(m >= a); check(m >= b);"),
     "{a - m <= 0, b - m <= 0}", true},
    {"choice, wrong",
     MAIN("int a = any(), b = any(), m = a > b ? b : a; here: check(m >= a); check(m <= b);"),
     "{m - a <= 0, m - b <= 0}", false},
    {"remainder",
     MAIN("unsigned n = any_u(), i = any_u(); assume(n > 0); i = (i + 1) % n; here: check(i < n);"),
     "{n >= 1, i <= 4294967294, i - n <= -1}", true},
    {"remainder of a negative number",
     MAIN("int n = any(), i = any(); assume(n > 0); i = i % n; here: check(i >= 0); check(i < n);"),
     NULL, false},
    {"half",
     MAIN("int lo = any(), hi = any(); assume(0 <= lo && lo < hi); int m = lo + (hi - lo) / 2; "
          "here: check(lo <= m); check(m < hi);"),
     NULL, true},
    {"middle",
     MAIN("int lo = any(), hi = any(); assume(0 <= lo && lo < hi && hi < 1000); int m = (lo + hi) "
          "/ 2; here: check(lo <= m); check(m < hi);"),
     NULL, true},
    {"middle, unsigned",
     MAIN("unsigned lo = any_u(), hi = any_u(); assume(lo < hi && hi < 1000); unsigned m = (lo + "
          "hi) >> 1; check(lo <= m); check(m < hi);"),
     NULL, true},
    {"middle of what may be one place",
     MAIN("int lo = any(), hi = any(); assume(0 <= lo && lo <= hi && hi < 1000); int m = (lo + hi) "
          "/ 2; check(lo <= m); check(m < hi);"),
     NULL, false},
    {"middle of a sum that wraps",
     MAIN("int lo = any(), hi = any(); assume(0 <= lo && lo < hi); int m = (lo + hi) / 2; check(lo "
          "<= m);"),
     NULL, false},
    {"half, rounded up",
     MAIN("int lo = any(), hi = any(); assume(0 <= lo && lo < hi); int m = lo + (hi - lo + 1) / 2; "
          "check(m < hi);"),
     NULL, false},
    // conversions
    {"widening",
     MAIN("int x = any(); assume(x >= 0); unsigned long y = x; here: check(y <= 2147483647 && x >= "
          "0);"),
     "{x >= 0, y - x = 0}", true},
    {"widening a negative number",
     MAIN("int x = any(); unsigned long y = x; here: check(y <= 2147483647); check(x >= 0);"), "{}",
     false},
    {"a value beyond all bounds",
     MAIN("unsigned long big = 0; int i = 0; while (i < 10 && any()) { int before = i; i++; big = "
          "9000000000000000000ul; int after = i; any(); here: check(after == before + 1 && "
          "big > 1); }"),
     NULL, false},
    {"narrowing that keeps",
     MAIN("int x = any(); assume(0 <= x && x < 200); unsigned char c = x; int y = c; here: check(y "
          "== x);"),
     "{x >= 0, x <= 199, y - x = 0}", true},
    {"narrowing that does not",
     MAIN("int x = any(); assume(0 <= x && x < 300); unsigned char c = x; int y = c; here: check(y "
          "== x);"),
     NULL, false},
    {"signed as unsigned",
     MAIN("int x = any(); unsigned n = 10; if ((unsigned)x < n) { here: check(x >= 0); check(x < "
          "10); }"),
     "{x >= 0, x <= 9}", true},
    {"signed as big unsigned",
     MAIN("int x = any(); unsigned n = 3000000000u; if ((unsigned)x < n) { here: check(x >= 0); }"),
     "{}", false},
    {"mixed comparison",
     MAIN("int x = any(); unsigned y = any_u(); assume(x >= 0); if (x < y) { here: check(y > 0); "
          "check(y - x > 0); }"),
     "{x >= 0, y >= 1, x - y <= -1}", true},
    // conditions
    {"parity",
     MAIN("int x = any(), y = any(); assume(x == y && x > -10 && x < 10); assume(x + y >= 1); "
          "here: check(x >= 1);"),
     NULL, true},
    {"unequal",
     MAIN("int x = any(), y = any(); assume(x <= y); assume(x != y); here: check(x < y);"),
     "{x <= 2147483646, y >= -2147483647, x - y <= -1}", true},
    {"disjunction",
     MAIN("int x = any(), y = 3; assume(x == y || x == y + 1); check(x >= 3 && x <= 4 && y == 3);"),
     NULL, true},
    {"negated disjunction",
     MAIN(
         "int x = any(), y = any(); assume(!(x < 0 || x >= y)); here: check(x < y); check(y > 0);"),
     "{x >= 0, x <= 2147483646, y >= 1, x - y <= -1}", true},
    // loops
    {"count up",
     MAIN("int n = any(), i = 0; assume(n >= 0); while (i < n) i++; here: check(i == n);"),
     "{n >= 0, i - n = 0}", true},
    {"count up in steps of two",
     MAIN("int n = any(), i = 0; assume(n >= 0); while (i < n) i += 2; check(i == n);"), NULL,
     false},
    {"count up in steps of five",
     MAIN("int n = any(), i = 0; assume(n >= 0 && n < 100000); while (i < n) i += 5; check(i <= n "
          "+ 4);"),
     NULL, true},
    {"count up, unsigned",
     MAIN("unsigned n = any_u(), i = 0; while (i < n) i++; here: check(i == n);"), "{i - n = 0}",
     true},
    {"count up, 64 bits",
     MAIN(
         "unsigned long n = any_ul(), i, k = 0; for (i = 0; i < n; i++) k++; here: check(k == n);"),
     "{k - n = 0}", true},
    {"count past the limit",
     MAIN("unsigned char n = any_uc(), i = 0; while (i <= n) { check(i <= n); i++; check(i >= 1); "
          "}"),
     NULL, false},
    {"count down",
     MAIN(
         "int n = any(), i = n; assume(n >= 0); while (i > 0) i--; here: check(i == 0 && n >= 0);"),
     "{i = 0, n >= 0}", true},
    {"two counters",
     MAIN("int n = any(), i = 0, j = 0; while (i < n) { i++; j++; } here: check(i == j);"), NULL,
     true},
    {"two counters apart",
     MAIN("int n = any(), i = 0, j = 0; while (i < n) { i++; j += 2; } check(i == j);"), NULL,
     false},
    {"constant sum",
     MAIN("int i = 0, j = 100; while (i < j) { i++; j--; } here: check(i == 50); check(j == 50);"),
     "{i = 50, j = 50}", true},
    {"constant sum, odd", MAIN("int i = 0, j = 101; while (i < j) { i++; j--; } check(i == 50);"),
     NULL, false},
    {"nested",
     MAIN("int n = any(), i, j; for (i = 0; i < n; i++) for (j = 0; j < i; j++) { here: check(j < "
          "n - 1); }"),
     "{n >= 2, i >= 1, i <= 2147483646, j >= 0, j <= 2147483645, i - n <= -1, j - i <= -1}", true},
    // calls and globals
    {"call",
     "int inc(int v) { return v + 1; }\n" MAIN(
         "int x = any(); assume(x < 5); int y = inc(x); here: check(y > x);"),
     "{x <= 4, y - x = 1}", true},
    {"call that wraps",
     "int inc(int v) { return v + 1; }\n" MAIN("int x = any(), y = inc(x); here: check(y > x);"),
     "{}", false},
    {"exchange",
     "static int d(int a, int b) { return a - b; }\nstatic int e(int a, int b) { return d(b, a); "
     "}\n" MAIN(
         "int x = any(), y = any(); assume(0 <= x && x < y); int z = e(x, y); here: check(z > 0);"),
     "{z >= 1}", true},
    {"globals",
     "static int g, h = 3;\nstatic void both(void) { g++; h++; }\n" MAIN(
         "int n = any(); for (int i = 0; i < n; i++) both(); here: check(h - g == 3 || g > "
         "1000000);"),
     NULL, false},
    {"bounded globals",
     "static int g, h = 3;\nstatic void both(void) { g++; h++; }\n" MAIN(
         "int n = any(); for (int i = 0; i < n; i++) if (g < 1000) both(); here: check(h - g == "
         "3);"),
     "{g >= 0, g <= 1000, h - g = 3}", true},
    {"recursion",
     "static int count(int n, int d) { if (n <= 0) return d; return count(n - 1, d); }\n" MAIN(
         "int n = any(); assume(n >= 0); int r = count(n, 7); here: check(n >= 0);"),
     "{n >= 0}", true},
    {"recursion, parameters exchanged",
     "static int f(int a, int b) { if (a >= b) return 1; return f(b, a); }\n" MAIN(
         "int r = f(1, 2); here: check(r == 1);"),
     "{r = 1}", true},
    {"recursion with a wrong turn",
     "static int f(int a, int b) { if (any()) return a; return f(b, a); }\n" MAIN(
         "int r = f(1, 2); here: check(r == 1);"),
     NULL, false},
};

// --------------------------------------------------------------------- running

static char dir[] = "/tmp/tp_octagon_XXXXXX", source[64];
static int setup(void **state) {
  (void)state;
  if (!mkdtemp(dir)) return -1;
  snprintf(source, sizeof source, "%s/program.c", dir);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  remove(source);
  return rmdir(dir);
}

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_stats stats;
  tp_composition *c;
  tp_recursion *run;
  tp_reached *reached;
} session;

static bool reaches_error(const session *s) {
  for (uint32_t i = 1; i <= tp_reached_n(s->reached); i++) {
    const tp_node *n = tp_reached_node(s->reached, i);
    if (!n->removed && n->loc.id && tp_loc_of(s->p, n->loc)->error) return true;
  }
  return false;
}

static session start(const char *text, const char *composition) {
  session s = {.diag = tp_diag_new(stderr, false)};
  tp_str whole = {0}, why = {0};
  tp_str_printf(&whole, "%s%s", prelude, text);
  assert_int_equal(tp_write_file(source, tp_str_text(&whole), whole.n), TP_OK);
  const char *files[] = {source};
  tp_front_options options = {.files = files, .n_files = 1, .property = TP_P_UNREACH_CALL};
  if (tp_front_load(&options, s.diag, &s.p) != TP_OK) fail_msg("cannot read:\n%s", text);
  s.c = tp_composition_open(s.p, TP_P_UNREACH_CALL, composition, &s.stats, &why);
  if (!s.c) fail_msg("%s", tp_str_text(&why));
  s.run = tp_recursion_new(s.c->cpa, s.c->order);
  assert_int_equal(tp_recursion_run(s.run, (tp_cpa_limits){.steps = 20000}).end, TP_CPA_DONE);
  s.reached = tp_recursion_reached(s.run);
  if (reaches_error(&s)) (void)tp_reached_descend(s.reached, tp_cpa_descents(s.c->cpa));
  tp_str_clear(&whole);
  tp_str_clear(&why);
  return s;
}

static void finish(session *s) {
  tp_recursion_free(s->run);
  tp_composition_close(s->c);
  tp_program_free(s->p);
  tp_diag_free(s->diag);
}

static tp_view octagon_of(const session *s, const tp_node *n) {
  for (size_t k = 0; k < tp_composite_n(s->c->cpa); k++) {
    const tp_view v = tp_composite_view(s->c->cpa, n->state.elem, k);
    if (v.cpa->ops == &tp_cpa_octagon) return v;
  }
  fail_msg("no octagon");
  return (tp_view){0};
}

static const char alone[] = "analysis = location callstack octagon\nmerge = join\n";
static const char beside[] =
    "analysis = location callstack constant octagon\ntransfer = strengthened\nmerge = join\n";

static void look(const session *s, bool *proved, tp_str *here) {
  *proved = !reaches_error(s);
  for (uint32_t i = 1; i <= tp_reached_n(s->reached); i++) {
    const tp_node *n = tp_reached_node(s->reached, i);
    if (n->removed || !n->loc.id) continue;
    const tp_loc_info *l = tp_loc_of(s->p, n->loc);
    if (!l->label || strcmp(l->label, "here") != 0) continue;
    const tp_view v = octagon_of(s, n);
    v.cpa->ops->print((tp_cpa *)v.cpa, v.elem, here);
  }
}

static void octagons_of_examples(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    const example *x = &examples[i];
    session s = start(x->text, alone);
    tp_str here = {0};
    bool proved;
    look(&s, &proved, &here);
    if (proved != x->proves || (x->here && strcmp(tp_str_text(&here), x->here) != 0)) {
      print_error("%s: %s %s\n", x->name, proved ? "proved" : "not proved", tp_str_text(&here));
      wrong++;
    }
    tp_str_clear(&here);
    finish(&s);
  }
  assert_int_equal(wrong, 0);
}

/* Widening at once, without the program's constants, loses i <= n + 4; going down below the
 * fixpoint finds it again. */
static void descents_find_lost_bounds(void **state) {
  (void)state;
  static const char text[] = MAIN(
      "int n = any(), i = 0; assume(n >= 0 && n < 100000); while (i < n) i += 5; check(i <= n + "
      "4);");
  for (int narrow = 0; narrow <= 2; narrow += 2) {
    tp_str composition = {0}, here = {0};
    tp_str_printf(&composition,
                  "%soctagon.widen-after = 0\noctagon.thresholds = 0\noctagon.narrow = %d\n", alone,
                  narrow);
    session s = start(text, tp_str_text(&composition));
    bool proved;
    look(&s, &proved, &here);
    assert_int_equal(proved, narrow > 0);
    tp_str_clear(&composition);
    tp_str_clear(&here);
    finish(&s);
  }
}

// ------------------------------------------------------------------ random runs

typedef struct {
  const session *s;
  const char *name;
  tp_rng rng;
  unsigned long states;
} witness;

static bool ask(void *ctx, tp_input *io) {
  tp_rng *rng = ctx;
  static const uint8_t zeros[64];
  if (io->width_bits == 0) {
    io->bytes = zeros;
    io->n_bytes = io->n_bytes < sizeof zeros ? io->n_bytes : sizeof zeros;
    return true;
  }
  const uint64_t top = io->width_bits >= 64 ? UINT64_MAX : ((uint64_t)1 << io->width_bits) - 1,
                 by = tp_rng_below(rng, 12);
  switch (tp_rng_below(rng, 5)) {  // corners of both readings, small numbers, anything
    case 0: io->bits = by; break;
    case 1: io->bits = top - by; break;
    case 2: io->bits = (top / 2 + by - 5) & top; break;
    case 3: io->bits = tp_rng_below(rng, 400) & top; break;
    default: io->bits = tp_rng_next(rng) & top;
  }
  return true;
}

static bool is_reached(void *ctx, const tp_state *now) {
  witness *w = ctx;
  const session *s = w->s;
  w->states++;
  for (uint32_t i = 1; i <= tp_reached_n(s->reached); i++) {
    const tp_node *n = tp_reached_node(s->reached, i);
    if (n->removed || n->loc.id != tp_state_loc(now).id) continue;
    const tp_view v = octagon_of(s, n);
    tp_value value;
    if (tp_state_eval(now, v.cpa->ops->formula((tp_cpa *)v.cpa, v.elem), &value) != TP_OK ||
        value.bits)
      return true;
  }
  tp_str text = {0};
  tp_state_write(now, &text);
  fail_msg("%s: a state is not reached\n%s", w->name, tp_str_text(&text));
  return false;
}

static void no_run_leaves_the_reached_set(void **state) {
  (void)state;
  const unsigned runs = getenv("TP_SOAK") ? 2000 : 25;
  unsigned long states = 0;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    session s = start(examples[i].text, i % 2 ? alone : beside);
    witness w = {.s = &s, .name = examples[i].name};
    tp_rng_init(&w.rng, i + 1);
    for (unsigned r = 0; r < runs; r++) {
      tp_state *from = tp_state_initial(s.p);
      tp_oracle oracle = {&w.rng, ask};
      const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = &w, .at = is_reached};
      (void)tp_exec_run(s.p, from, &oracle, (tp_run_limits){.steps = 300}, &observer);
      tp_state_free(from);
    }
    states += w.states;
    finish(&s);
  }
  assert_true(states > 1000);
}

// --------------------------------------------------------------------- formulas

typedef struct {
  const tp_program *p;
  tp_rng rng;
  tp_u128 *values;  // by variable
} world;

static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const world *w = ctx;
  const tp_var v = tp_program_var_of(w->p, var);
  if (!v.id) return false;
  *out = (tp_value){.bits = w->values[v.id]};
  return true;
}
static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static tp_i128 literal_value(const tp_octagon *self, const world *w, tp_var v, bool minus) {
  const tp_octagon_var *x = &self->vars[v.id];
  const tp_u128 bits = w->values[v.id];
  const tp_i128 value = x->is_signed ? tp_interval_to_signed(x->width, bits) : (tp_i128)bits;
  return minus ? -value : value;
}

static bool is_in_matrix(const tp_octagon *self, const tp_elem *e, const world *w) {
  for (uint32_t i = 0; i < 2 * e->n; i++)
    for (uint32_t j = 0; j < 2 * e->n; j++) {
      const int64_t c = tp_oct_entry(e->oct, i, j);
      if (c < TP_OCT_INF && literal_value(self, w, e->vars[j / 2], j & 1) -
                                    literal_value(self, w, e->vars[i / 2], i & 1) >
                                c)
        return false;
    }
  return true;
}

/* Values near one another and near the ends of types, so that bounds are hit. */
static void draw(world *w, const tp_octagon *self, const tp_elem *e) {
  const uint64_t centre =
      tp_rng_below(&w->rng, 3) == 0 ? tp_rng_next(&w->rng) : tp_rng_below(&w->rng, 120);
  for (uint32_t i = 0; i < e->n; i++) {
    const uint32_t width = self->vars[e->vars[i].id].width;
    const uint64_t ends[] = {0, UINT64_MAX, (uint64_t)1 << (width - 1), centre, 0 - centre, centre};
    w->values[e->vars[i].id] =
        (tp_u128)(ends[tp_rng_below(&w->rng, 6)] + tp_rng_below(&w->rng, 5) - 2) &
        tp_interval_mask(width);
  }
}

static void formulas_say_what_matrices_say(void **state) {
  (void)state;
  unsigned long inside = 0, outside = 0;
  tp_arena arena;
  tp_arena_init(&arena);
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k += 2) {
    session s = start(examples[k].text, alone);
    world w = {.p = s.p, .values = TP_NEW_ARRAY(tp_u128, s.p->vars.n + 1)};
    tp_rng_init(&w.rng, k);
    for (uint32_t i = 1; i <= tp_reached_n(s.reached); i++) {
      const tp_view v = octagon_of(&s, tp_reached_node(s.reached, i));
      const tp_octagon *self = tp_octagon_of(v.cpa);
      assert_true(tp_oct_check(v.elem->oct));
      const tp_term formula = v.cpa->ops->formula((tp_cpa *)v.cpa, v.elem);
      for (int round = 0; round < 60; round++) {
        draw(&w, self, v.elem);
        const tp_env env = {.ctx = &w, .var = value_of, .base = no_base};
        tp_value got;
        assert_int_equal(tp_eval(s.p->terms, formula, &env, &arena, &got), TP_OK);
        const bool expected = is_in_matrix(self, v.elem, &w);
        assert_int_equal(got.bits != 0, expected);
        inside += expected;
        outside += !expected;
      }
    }
    tp_free(w.values);
    finish(&s);
  }
  tp_arena_clear(&arena);
  assert_true(inside > 1000 && outside > 1000);
}

// -------------------------------------------------------- terms, exhaustively

/* Three variables of 4 bits, two signed and one unsigned: few enough to try every state. Random
 * terms speak of them directly, through conversions (for other widths) and comparisons (for Bools).
 */
enum { BITS = 4, N_SMALL = 3, N_POINTS = 1 << (BITS * N_SMALL) };
typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_var vars[N_SMALL];
  tp_contexts contexts;
  tp_cpa_env env;
  tp_cpa *cpa;
  tp_rng rng;
  uint32_t point;
  tp_arena arena;
} small;

static small small_new(uint64_t seed) {
  small s = {.diag = tp_diag_new(stderr, false)};
  tp_program *p = s.p = tp_program_new(s.diag, 64);
  tp_rng_init(&s.rng, seed);
  tp_arena_init(&s.arena);
  p->main = func(p, "main");
  tp_term all = bv(p, BITS, 0);
  for (int i = 0; i < N_SMALL; i++) {
    const tp_type type = tp_program_add_type(
        p, (tp_type_info){.kind = TP_T_INT, .name = "t", .size_bytes = 1, .is_signed = i != 1});
    s.vars[i] = var(p, p->main, i == 0 ? "x" : i == 1 ? "u" : "z", bv_sort(p, BITS), type);
    all = tp_mk2(p->terms, TP_OP_BV_ADD, all, term_of(p, s.vars[i]));
  }
  const tp_loc next = loc(p, p->main);
  branch(p, entry_of(p, p->main), next, exit_of(p, p->main),
         tp_mk_eq(p->terms, all, bv(p, BITS, 0)));
  tp_program_finish(p);
  tp_contexts_init(&s.contexts);
  return s;
}

static tp_term small_term(void *ctx, tp_term v) {
  small *s = ctx;
  tp_terms *tt = s->p->terms;
  const tp_sort sort = tp_sort_of(tt, v);
  const tp_term a = term_of(s->p, s->vars[tp_var_index(tt, v) % N_SMALL]),
                b = term_of(s->p, s->vars[tp_var_index(tt, v) / 2 % N_SMALL]);
  if (tp_program_var_of(s->p, v).id) return TP_TERM_NONE;
  if (tp_sort_kind_of(tt, sort) == TP_SORT_BOOL)
    return tp_mk2(tt, tp_var_index(tt, v) & 1 ? TP_OP_BV_SLT : TP_OP_BV_ULE, a, b);
  return tp_mk_resize(tt, tp_sort_width(tt, sort), tp_var_index(tt, v) & 1, a);
}

static uint64_t bits_of(const small *s, uint32_t point, int i) {
  (void)s;
  return point >> (BITS * i) & ((1u << BITS) - 1);
}

static bool value_at(void *ctx, tp_term v, tp_value *out) {
  const small *s = ctx;
  for (int i = 0; i < N_SMALL; i++)
    if (tp_term_eq(v, term_of(s->p, s->vars[i]))) {
      *out = (tp_value){.bits = bits_of(s, s->point, i)};
      return true;
    }
  return false;
}

static tp_u128 eval_at(small *s, tp_term t, uint32_t point) {
  const tp_env env = {.ctx = s, .var = value_at, .base = no_base};
  tp_value v;
  s->point = point;
  assert_int_equal(tp_eval(s->p->terms, t, &env, &s->arena, &v), TP_OK);
  return v.bits;
}

static bool draft_has(const small *s, const tp_octagon_draft *d, uint32_t point) {
  int64_t x[N_SMALL];
  for (uint32_t i = 0; i < d->vars.n; i++) {
    int k = 0;
    while (s->vars[k].id != d->vars.at[i].id) k++;
    const uint64_t bits = bits_of(s, point, k);
    x[i] = k == 1 ? (int64_t)bits : (int64_t)tp_interval_to_signed(BITS, bits);
  }
  for (uint32_t i = 0; i < 2 * d->oct.n; i++)
    for (uint32_t j = 0; j < 2 * d->oct.n; j++)
      if ((j & 1 ? -x[j / 2] : x[j / 2]) - (i & 1 ? -x[i / 2] : x[i / 2]) >
          tp_oct_entry(&d->oct, i, j))
        return false;
  return true;
}

static bool random_draft(small *s, tp_octagon_draft *d) {
  tp_octagon_open_draft(d, tp_octagon_of(s->cpa), tp_octagon_of(s->cpa)->top);
  for (int i = 0; i < N_SMALL; i++) tp_octagon_track(d, s->vars[i]);
  assert_int_equal(d->vars.n, N_SMALL);
  for (uint64_t k = tp_rng_below(&s->rng, 5); k > 0; k--) {
    const uint32_t a = (uint32_t)tp_rng_below(&s->rng, 2 * N_SMALL),
                   b = (uint32_t)tp_rng_below(&s->rng, 2 * N_SMALL);
    const int64_t c = (int64_t)tp_rng_below(&s->rng, 16) - 4;
    if (!(a / 2 == b / 2 ? tp_oct_meet(&d->oct, a, c) : tp_oct_meet_sum(&d->oct, a, b, c)))
      return false;
  }
  return true;
}

/* The condition, an assignment of the term to each variable, its range: for every state of a random
 * octagon. */
static void try_term(small *s, tp_term condition, tp_term t) {
  tp_octagon_draft d, assumed[2] = {{0}}, assigned[N_SMALL] = {{0}};
  bool may[2];
  tp_range range;
  tp_arena_clear(&s->arena);
  if (random_draft(s, &d)) {
    const tp_elem *e = tp_octagon_seal(&d);
    tp_octagon_project(&d, s->vars, N_SMALL);
    const bool has_range = tp_octagon_range(s->cpa, e, t, &range);
    for (int truth = 0; truth < 2; truth++) {
      tp_octagon_copy_draft(&assumed[truth], &d);
      may[truth] = tp_octagon_assume(&assumed[truth], condition, truth);
    }
    for (int i = 0; i < N_SMALL; i++) {
      tp_octagon_copy_draft(&assigned[i], &d);
      assert_true(tp_octagon_assign(&assigned[i], s->vars[i], t));
    }
    for (uint32_t point = 0; point < N_POINTS; point++) {
      if (!draft_has(s, &d, point)) continue;
      const bool truth = eval_at(s, condition, point) != 0;
      assert_true(may[truth]);
      assert_true(draft_has(s, &assumed[truth], point));
      const uint64_t value = (uint64_t)eval_at(s, t, point);
      const int64_t reading = (int64_t)tp_interval_to_signed(BITS, value);
      if (has_range)
        assert_true(range.umin <= value && value <= range.umax && range.smin <= reading &&
                    reading <= range.smax);
      for (int i = 0; i < N_SMALL; i++) {
        const uint32_t hole = ~(((1u << BITS) - 1) << (BITS * i));
        assert_true(draft_has(s, &assigned[i], (point & hole) | (uint32_t)value << (BITS * i)));
      }
      tp_arena_clear(&s->arena);
    }
    for (int truth = 0; truth < 2; truth++) tp_octagon_drop_draft(&assumed[truth]);
    for (int i = 0; i < N_SMALL; i++) tp_octagon_drop_draft(&assigned[i]);
  }
  tp_octagon_drop_draft(&d);
}

static void steps_cover_all_states_of_small_programs(void **state) {
  (void)state;
  const uint64_t rounds = getenv("TP_SOAK") ? 20000 : 50;
  for (uint64_t seed = 1; seed <= rounds; seed++) {
    small s = small_new(seed);
    tp_terms *tt = s.p->terms;
    tp_random r;
    tp_random_init(&r, tt, seed, BITS, TP_RANDOM_BOOL_BV);
    s.env = (tp_cpa_env){.program = s.p, .terms = tt, .contexts = &s.contexts};
    tp_str why = {0};
    s.cpa = tp_cpa_open(&tp_cpa_octagon, &s.env, &why);
    assert_non_null(s.cpa);
    tp_term raw, t, condition = tp_mk_true(tt), value = bv(s.p, BITS, 3);
    for (int k = 0; k < 40; k++) {
      tp_random_term(&r, 2 + (uint32_t)tp_rng_below(&s.rng, 10), &raw, &t);
      t = tp_subst(tt, k & 1 ? raw : t, small_term, &s, NULL);
      const tp_sort_kind kind = tp_sort_kind_of(tt, tp_sort_of(tt, t));
      if (kind == TP_SORT_BOOL)
        condition = t;
      else if (kind == TP_SORT_BV)
        value = tp_mk_resize(tt, BITS, k & 2, t);
      else
        continue;
      try_term(&s, condition, value);
    }
    tp_cpa_close(s.cpa);
    tp_contexts_clear(&s.contexts);
    tp_arena_clear(&s.arena);
    tp_program_free(s.p);
    tp_diag_free(s.diag);
  }
}

// ----------------------------------------------------------------------- limits

/* Fewer dimensions than variables: less is known, nothing breaks. 40 variables in nested loops end
 * quickly. */
static void many_variables(void **state) {
  (void)state;
  static const char *const settings[] = {"", "octagon.variables = 3\n", "octagon.variables = 0\n",
                                         "octagon.widen-after = 0\noctagon.thresholds = 0\n"};
  tp_str text = {0};
  tp_str_add(&text, "int main(void) { int n = any(); if (n < 0) return 0;\n");
  for (int i = 0; i < 38; i++) tp_str_printf(&text, "int v%d = %d;\n", i, i);
  tp_str_add(&text, "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) {\n");
  for (int i = 0; i < 38; i++)
    tp_str_printf(&text, "if (any()) v%d = v%d; else if (v%d < n) v%d++;\n", i, (i + 7) % 38, i, i);
  tp_str_add(&text, "}\n");
  for (int i = 0; i < 38; i++) tp_str_printf(&text, "check(v%d >= 0);\n", i);
  tp_str_add(&text, "return 0; }\n");
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    tp_str composition = {0};
    tp_str_printf(&composition, "%s%s", alone, settings[i]);
    session s = start(tp_str_text(&text), tp_str_text(&composition));
    tp_str here = {0};
    bool proved;
    look(&s, &proved, &here);
    assert_int_equal(proved, i == 0 || i == 3);
    tp_str_clear(&here);
    tp_str_clear(&composition);
    finish(&s);
  }
  tp_str_clear(&text);
}

static void nothing_is_left_behind(void **state) {
  (void)state;
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(octagons_of_examples),
                                     cmocka_unit_test(descents_find_lost_bounds),
                                     cmocka_unit_test(no_run_leaves_the_reached_set),
                                     cmocka_unit_test(formulas_say_what_matrices_say),
                                     cmocka_unit_test(steps_cover_all_states_of_small_programs),
                                     cmocka_unit_test(many_variables),
                                     cmocka_unit_test(nothing_is_left_behind)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
