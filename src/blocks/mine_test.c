/* Mining: programs with the invariants that their proofs need among the candidates; every candidate
 * holds in every state that was noted, by evaluation of the term. */
#include "blocks/mine.h"
#include "front/front.h"
#include "program/cells.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD                                              \
  "extern int __VERIFIER_nondet_int(void);\n"             \
  "extern unsigned __VERIFIER_nondet_uint(void);\n"       \
  "extern long __VERIFIER_nondet_long(void);\n"           \
  "extern unsigned char __VERIFIER_nondet_uchar(void);\n" \
  "extern double __VERIFIER_nondet_double(void);\n"       \
  "void reach_error(void) {}\n"                           \
  "void check(int c) { if (!c) reach_error(); }\n"
#define INT "__VERIFIER_nondet_int()"
#define UINT "__VERIFIER_nondet_uint()"

static const struct {
  const char *name, *source;
  const char *wanted[6];  // as the readable printer writes them
} samples[] = {
    // the six loops that the choice of sources was measured on
    {"counters in step",
     "int main(void) { int n = " INT
     ", x = 0, i = 0; if (n < 0) return 0; while (i < n) { i++; x++; } check(x == n); }",
     {"x == i", "i <= n"}},
    {"a sum that stays",
     "int main(void) { int n = " INT
     ", x = n, y = 0; if (n < 0) return 0; while (x > 0) { x--; y++; } check(y == n); }",
     {"n == x + y", "-1 < x"}},
    {"between two bounds",
     "int main(void) { int n = " INT
     ", i = 0; if (n < 0) return 0; while (i < n) i++; check(i == n); }",
     {"i <= n", "-1 < i"}},
    {"lock",
     "int main(void) { int lock = 0, old = 0, new = 1; while (new != old) { lock = 1; old = new; "
     "if (" INT ") { lock = 0; new++; } } check(lock); }",
     {"old == new || lock == 0", "old == new - 1 || lock != 0", "lock == 0 || lock == 1"}},
    {"an index and a copy of its bound",
     "int a[100]; int main(void) { int n = " INT
     ", i = 0, ln = n; if (n < 0 || n > 100) return 0; while (i < n) { check(i < ln); a[i] = 1; "
     "i++; } }",
     {"n == ln", "i <= n", "-1 < i", "n < 101"}},
    {"parity",
     "int main(void) { unsigned x = 1; while (" INT ") x += 2; check(x % 2 == 1); }",
     {"(x & 1) == 1"}},
    // equations: exact modulo 2^n, with a product, with numbers of several widths
    {"sum of the first numbers",
     "int main(void) { unsigned n = " UINT
     ", i = 0, s = 0; while (i < n) { i++; s += i; } check(2 * s == i * i + i); }",
     {"i == s * 2 - i * i", "(unsigned)i <= (unsigned)n"}},
    {"division by subtraction",
     "int main(void) { unsigned a = " UINT ", b = " UINT
     ", q = 0, r = a; if (b == 0) return 0; while (r >= b) { r -= b; q++; } check(q * b + r == a); "
     "}",
     {"a == r + b * q", "b != 0"}},
    {"a difference of squares",
     "int main(void) { unsigned u = 0, v = 0, r = 0; while (" UINT ") if (" INT
     ") { r += 2 * u + 1; u++; } else { r -= 2 * v + 1; v++; } check(r == (u + v) * "
     "(u - v)); }",
     {"r == u * u - v * v"}},
    {"a cube of differences",
     "int main(void) { unsigned n = 0, x = 0, y = 1; while (" INT
     ") { x += y; y += 6 * n + 6; n++; } check(x == n * n * n); }",
     {"x == n * (n * n)"}},
    {"a polynomial of degree four in two variables",
     "int main(void) { unsigned long k = " UINT
     ", n = 0, x = 0; while (n < k) { n++; x += n * n * n; } check(x != 3); }",
     {"n * n == x * 4 - n * (n * n) * 2 - n * (n * (n * n))"}},
    {"a byte and a long",
     "int main(void) { unsigned char c = 0; long s = 0; while (" INT
     " && c < 200) { c++; s += 8; } check(s == 8L * c); }",
     {"s == c * 8"}},
    {"residue of three",
     "int main(void) { unsigned x = 1; while (x < 3000 && " INT ") x += 3; check(x != 3000); }",
     {"(unsigned)x % 3 == 1", "(unsigned)x < 3001"}},
    // facts of parts
    {"state machine",
     "int main(void) { int state = 1, x = 0; for (;;) { if (state == 1) { if (" INT
     ") { x = 5; state = 2; } }"
     " else if (state == 2) { x++; state = 3; } else { check(x == 6); x = 0; state = 1; } } }",
     {"state == 1 || state == 2 || state == 3",
      "(state == 1 && x == 0) || (state == 2 && x == 5) || (x == 6 && state == 3)"}},
    {"two phases",
     "int main(void) { int x = 0, y = 50; while (x < 100) { if (x >= 50) y++; x++; } check(y == "
     "100); }",
     {"y == 50 || x == y", "x < 101"}},
    {"two flags that agree",
     "int main(void) { int a = 0, b = 0; while (" INT ") { if (" INT
     ") { a = 1; b = 1; } else if (" INT ") { a = 0; b = 0; } } check(a == b); }",
     {"a == b", "a == 0 || a == 1"}},
    {"holds after the first turn",
     "int main(void) { unsigned x = 1, y = 0; while (y < 1024) { x = 0; y++; } check(x == 0); }",
     {"x == 0 || y == 0"}},
    // places: inner loops, loops after loops, functions
    {"nested",
     "int main(void) { int n = " INT ", m = " INT ", s = 0; if (n < 0 || m < 0) return 0;"
     " for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { check(i < n && j < m); s++; } }",
     {"i < n", "j <= m", "s == m * i", "s == j + m * i"}},
    {"one loop after the other",
     "int main(void) { int n = " INT
     ", i = 0, j = 0; if (n < 0) return 0; while (i < n) i++; while (j < i) j++; check(j == n); }",
     {"n == i", "j <= i"}},
    {"globals that a function changes",
     "int count, sum; void step(void) { count++; sum += 4; } int main(void) { while (" INT
     ") step(); check(sum == 4 * count); }",
     {"sum == count * 4"}},
    {"a loop in a function",
     "int f(int n) { int i = 0, k = n; while (i < n) { i++; k--; } return k; } int main(void) { "
     "int a = " INT "; if (a > 0) check(f(a) == 0); }",
     {"n == i + k", "i <= n"}},
    // memory
    {"a variable whose address is taken",
     "void up(int *p) { *p += 1; } int main(void) { int x = 0, i = 0, n = " INT
     "; while (i < n) { up(&x); i++; } check(x == i); }",
     {"i == @bv32[x]"}},
    {"cells of an array",
     "int main(void) { int a[2] = {0, 3}; while (" INT
     ") { a[0]++; a[1]++; } check(a[1] == a[0] + 3); }",
     {"@bv32[a] == @bv32[a + 4] - 3"}},
    {"a pointer that walks, a float that is left alone",
     "int a[8]; int main(void) { double d = 0; int *p = a, i = 0; while (p < a + 8) { *p++ = 1; "
     "i++; d += 0.5; } check(i == 8); }",
     {"offset(p) == i * 4", "i < 9"}},
    // runs that have to be looked for
    {"an input that opens the loop",
     "int main(void) { int key = " INT
     ", i = 0, j = 0; if (key != 123456) return 0; while (i < " INT
     ") { i++; j += 2; } check(j == 2 * i); }",
     {"j == i * 2"}},
    {"inputs that fit each other",
     "int main(void) { int a = " INT ", b = " INT ", c = " INT
     ", i = 0; if (a < 1 || b < a || b > 1000 || c < 2 * b) return 0; while (i < c) i++; check(i "
     ">= a); }",
     {"i <= c", "a <= b", "b * 2 <= c"}},
    {"a bound that no run sees",
     "int main(void) { unsigned i = 0; while (i < 4000000000u) i += 2; check(i % 2 == 0); }",
     {"(i & 1) == 0"}},
};

// ------------------------------------------------------------------ running

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_mined_candidates c;
} mined;

static mined mine_source(const char *source, tp_mine_options o) {
  char path[] = "/tmp/mine-test-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0 && write(fd, HEAD, strlen(HEAD)) == (ssize_t)strlen(HEAD) &&
              write(fd, source, strlen(source)) == (ssize_t)strlen(source));
  close(fd);
  mined m = {.diag = tp_diag_new(stderr, false)};
  const char *files[] = {path};
  tp_front_options front = {
      .files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .without_models = true};
  assert_int_equal(tp_front_load(&front, m.diag, &m.p), TP_OK);
  unlink(path);
  tp_mine(m.p, o, &m.c);
  return m;
}

static void mined_clear(mined *m) {
  tp_mined_candidates_clear(&m->c);
  tp_program_free(m->p);
  tp_diag_free(m->diag);
  assert_int_equal(tp_live_bytes(), 0);
}

static bool has(const mined *m, const char *text) {
  bool found = false;
  for (size_t i = 0; i < m->c.list.n && !found; i++) {
    tp_str s = {0};
    tp_print_c(m->p->terms, m->c.list.at[i].formula, TP_C_READABLE, &s);
    found = strcmp(tp_str_text(&s), text) == 0;
    tp_str_clear(&s);
  }
  return found;
}

// ---------------------------------------------------- what a row says of a term

typedef struct {
  const tp_program *p;
  const tp_samples *s;
  size_t row;
} row;

static const uint64_t *column(const row *r, tp_term t) {
  for (size_t c = 0; c < r->s->n_columns; c++)
    if (tp_term_eq(r->s->columns[c], t)) return &r->s->values[c * r->s->n_rows + r->row];
  return NULL;
}
/* Pointers lead to the object and the offset that were noted; one that was not noted is an object
 * of its own. */
static bool row_var(void *ctx, tp_term var, tp_value *out) {
  const row *r = ctx;
  const uint64_t *v = column(r, var);
  *out = (tp_value){.bits = v ? *v : 0};
  if (tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, var)) != TP_SORT_PTR) return v != NULL;
  const uint64_t *offset = column(r, tp_mk1(r->p->terms, TP_OP_PTR_OFF, var)),
                 *object = column(r, tp_mk1(r->p->terms, TP_OP_PTR_OBJ, var));
  *out =
      (tp_value){.bits = offset ? *offset : 0,
                 .object = object ? (uint32_t)*object : 1000000 + tp_var_index(r->p->terms, var)};
  return true;
}
static uint64_t row_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}
static bool row_select(void *ctx, tp_term array, tp_value index, tp_value *out) {
  const row *r = ctx;
  const tp_env env = {ctx, row_var, row_base, NULL};
  for (size_t c = 0; c < r->s->n_columns; c++) {
    tp_term ptr;
    tp_value at;
    if (!tp_is_cell(r->p, r->s->columns[c], &ptr) ||
        !tp_term_eq(tp_arg(r->p->terms, r->s->columns[c], 0), array))
      continue;
    assert_int_equal(tp_eval(r->p->terms, ptr, &env, NULL, &at), TP_OK);
    if (at.object != index.object || at.bits != index.bits) continue;
    *out = (tp_value){.bits = r->s->values[c * r->s->n_rows + r->row]};
    return true;
  }
  return false;
}

static void holds_everywhere(const mined *m, const tp_samples *s, tp_term formula) {
  tp_arena arena;
  tp_arena_init(&arena);
  for (size_t i = 0; i < s->n_rows; i++) {
    row r = {m->p, s, i};
    const tp_env env = {&r, row_var, row_base, row_select};
    tp_value v = {0};
    tp_status st = tp_eval(m->p->terms, formula, &env, &arena, &v);
    if (st == TP_OK && v.bits == 1) continue;
    tp_str text = {0};
    tp_print_c(m->p->terms, formula, TP_C_READABLE, &text);
    fail_msg("%s in row %zu: %s", tp_str_text(&text), i, tp_status_name(st));
  }
  tp_arena_clear(&arena);
}

static void check_candidates(const mined *m) {
  tp_map seen = {0};
  for (size_t i = 0; i < m->c.list.n; i++) {
    const tp_mined_candidate *c = &m->c.list.at[i];
    size_t k = 0;
    while (k < m->c.samples.n && m->c.samples.at[k].loc.id != c->loc.id) k++;
    assert_true(k < m->c.samples.n && m->c.samples.at[k].n_rows > 0);
    holds_everywhere(m, &m->c.samples.at[k], c->formula);
    assert_false(tp_map_has(&seen, (uint64_t)c->loc.id << 32 | c->formula.id));
    tp_map_set(&seen, (uint64_t)c->loc.id << 32 | c->formula.id, 1);
    if (i && m->c.list.at[i - 1].loc.id == c->loc.id)
      assert_true(m->c.list.at[i - 1].wave < c->wave ||
                  (m->c.list.at[i - 1].wave == c->wave && m->c.list.at[i - 1].cost <= c->cost));
  }
  tp_map_clear(&seen);
}

// ------------------------------------------------------------------------ tests

static void finds_what_proofs_need(void **state) {
  (void)state;
  int missing = 0;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    mined m = mine_source(samples[i].source, (tp_mine_options){.seed = 1});
    for (size_t k = 0; k < 6 && samples[i].wanted[k]; k++) {
      if (has(&m, samples[i].wanted[k])) continue;
      print_error("%s: %s\n", samples[i].name, samples[i].wanted[k]);
      missing++;
    }
    check_candidates(&m);
    mined_clear(&m);
  }
  assert_int_equal(missing, 0);
}

#define HEAP "extern void *malloc(unsigned long); extern void free(void *);"

/* Objects that pointers lead to. Their ghosts are no columns, so formulas are compared as text. */
static void finds_facts_of_objects(void **state) {
  (void)state;
  static const struct {
    const char *name, *source;
    const char *wanted[6], *unwanted[3];
  } objects[] = {
      {"an array of n numbers",
       HEAP "int main(void) { int n = " INT
            "; if (n < 1 || n > 1000) return 0; int *a = malloc(n * 4ul); for (int i = 0; i < n; "
            "i++) a[i] = 0; free(a); return 0; }",
       {"@live[object(a)]", "@kind[object(a)] == 5", "offset(a) == 0", "n * 4 == @size[object(a)]",
        "@heap == 1"},
       {"i * 4 == @size[object(a)]"}},
      {"none, or as many as the capacity",
       HEAP "int main(void) { unsigned long n = 0; char *a = 0; while (" INT
            ") { free(a); n = n + 3; a = malloc(2 * n); } free(a); return 0; }",
       {"a == NULL || @live[object(a)]", "a == NULL || n * 2 == @size[object(a)]",
        "n == 0 || a != NULL", "@heap == !(a == NULL)"},
       {"@live[object(a)]", "@heap == 1"}},
      {"a pointer that walks through the object",
       HEAP "int main(void) { int n = " INT
            "; if (n < 1 || n > 1000) return 0; int *a = malloc(n * 4ul), *e = a + n; for (int *p "
            "= a; p != e; p++) *p = 0; free(a); return 0; }",
       {"offset(e) == @size[object(e)]", "offset(p) <= offset(e)", "(offset(p) & 3) == 0"},
       {"offset(p) == 0"}},
      {"two objects",
       HEAP "int main(void) { int n = " INT
            "; if (n < 1 || n > 1000) return 0; int *a = malloc(n * 4ul), *b = malloc(8); for "
            "(int i = 0; i < n; i++) a[i] = b[0]; free(a); free(b); return 0; }",
       {"object(a) != object(b)", "@size[object(b)] == 8", "@heap == 2"},
       {"@size[object(a)] == 8"}},
      {"a text that fills its block",
       HEAP "int main(void) { int n = " INT
            "; if (n < 1 || n > 1000) return 0; char *a = malloc(n); for (int i = 0; i < n; i++) "
            "a[i] = " INT "; a[n - 1] = 0; char *s = a; while (*s) s++; free(a); return 0; }",
       {"@bv8[pointer(object(s), @size[object(s)] - 1)] == 0", "offset(s) < @size[object(s)]"},
       {"@bv8[pointer(object(s), n)] == 0", "offset(s) == 0"}},
      {"a text that ends within an array",
       HEAP "int main(void) { char a[300]; int n = " INT "; if (n < 0 || n > 299) return 0; "
            "for (int i = 0; i < n; i++) a[i] = " INT
            "; a[n] = 0; char *s = a; while (*s) s++; return 0; }",
       {"@bv8[pointer(object(s), n)] == 0", "offset(s) <= n"},
       {"offset(s) == 0"}},
  };
  int wrong = 0;
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
    mined m = mine_source(objects[i].source, (tp_mine_options){.seed = 1});
    for (size_t k = 0; k < 6 && objects[i].wanted[k]; k++)
      if (!has(&m, objects[i].wanted[k]))
        print_error("%s: lacks %s\n", objects[i].name, objects[i].wanted[k]), wrong++;
    for (size_t k = 0; k < 3 && objects[i].unwanted[k]; k++)
      if (has(&m, objects[i].unwanted[k]))
        print_error("%s: has %s\n", objects[i].name, objects[i].unwanted[k]), wrong++;
    for (size_t k = 0; wrong && k < m.c.list.n; k++) {
      tp_str text = {0};
      tp_print_c(m.p->terms, m.c.list.at[k].formula, TP_C_READABLE, &text);
      if (strchr(tp_str_text(&text), '(')) print_error("  %s\n", tp_str_text(&text));
      tp_str_clear(&text);
    }
    mined_clear(&m);
    assert_int_equal(wrong, 0);
  }
}

/* A program that an error can be reached in: the states are real, the caller is told. */
static void failing_runs_are_counted(void **state) {
  (void)state;
  mined wrong = mine_source("int main(void) { int i = 0; while (" INT ") i++; check(i < 3); }",
                            (tp_mine_options){.seed = 1});
  assert_true(wrong.c.n_failed > 0);
  check_candidates(&wrong);
  mined_clear(&wrong);
  mined right =
      mine_source("int main(void) { unsigned char i = 0; while (" INT ") i++; check(i < 256); }",
                  (tp_mine_options){.seed = 1});
  assert_int_equal(right.c.n_failed, 0);
  mined_clear(&right);
}

/* States before a failed assume are real ones. */
static void blocked_runs_count(void **state) {
  (void)state;
  mined m = mine_source(
      "extern void __VERIFIER_assume(int); int main(void) { int i = 0, j = 0; while (1) { "
      "__VERIFIER_assume(i < 9); i++; j++; } }",
      (tp_mine_options){.seed = 1});
  assert_true(has(&m, "i == j"));
  assert_int_equal(m.c.n_states, 10);
  mined_clear(&m);
}

static void no_run_no_candidate(void **state) {
  (void)state;
  mined m =
      mine_source("int main(void) { int x = " INT ", i = 0; if (x * 2 == 7) while (i < x) i++; }",
                  (tp_mine_options){.seed = 1});
  assert_int_equal(m.c.list.n + m.c.samples.n, 0);
  mined_clear(&m);
}

static const char mixed[] = "int main(void) { int n = " INT
                            ", i = 0, j = n, k = 3, s = 1; while (i < n) { i++; j--; if (" INT
                            ") k = 7 - k; s = s == 1 ? 2 : 1; } check(j == 0); }";

/* Same program, seed, limits: same candidates in the same order. */
static void is_deterministic(void **state) {
  (void)state;
  tp_str text[3] = {{0}};
  for (int i = 0; i < 3; i++) {
    mined m = mine_source(mixed, (tp_mine_options){.seed = i == 2 ? 8 : 7});
    for (size_t k = 0; k < m.c.list.n; k++) {
      tp_str_printf(&text[i], "%u %u ", m.c.list.at[k].loc.id, m.c.list.at[k].wave);
      tp_print_c(m.p->terms, m.c.list.at[k].formula, TP_C_READABLE, &text[i]);
    }
    tp_str_printf(&text[i], "%llu %llu", (unsigned long long)m.c.n_steps,
                  (unsigned long long)m.c.n_states);
    assert_true(m.c.list.n > 0);
    tp_mined_candidates_clear(&m.c);
    tp_program_free(m.p);
    tp_diag_free(m.diag);
  }
  assert_string_equal(text[0].text, text[1].text);
  assert_string_not_equal(text[0].text, text[2].text);  // the seed matters
  for (int i = 0; i < 3; i++) tp_str_clear(&text[i]);
  assert_int_equal(tp_live_bytes(), 0);
}

static bool stop_at_once(void *ctx) {
  ++*(int *)ctx;
  return true;
}

static void keeps_limits(void **state) {
  (void)state;
  mined few = mine_source(mixed, (tp_mine_options){.seed = 1, .most = 5});
  assert_int_equal(few.c.list.n, 5);
  mined_clear(&few);
  mined brief = mine_source("int main(void) { unsigned i = 0; while (1) i++; }",
                            (tp_mine_options){.seed = 1, .steps = 1000});
  assert_in_range(brief.c.n_steps, 1000, 1002);
  mined_clear(&brief);
  mined once = mine_source(mixed, (tp_mine_options){.seed = 1, .runs = 3});
  assert_int_equal(once.c.n_runs, 3);
  mined_clear(&once);
  int asked = 0;
  mined none =
      mine_source(mixed, (tp_mine_options){.seed = 1, .should_stop = stop_at_once, .ctx = &asked});
  assert_int_equal(none.c.n_runs, 0);
  assert_true(asked > 0);
  mined_clear(&none);
}

/* Memory costs steps: a program that makes a huge array in each run does not take for ever. */
static void memory_counts_as_steps(void **state) {
  (void)state;
  mined m = mine_source("int main(void) { int a[100000]; a[0] = 0; for (int i = 0; i < " INT
                        "; i++) a[0]++; check(a[0] >= 0); }",
                        (tp_mine_options){.seed = 1});
  assert_in_range(m.c.n_runs, 1, 40);
  mined_clear(&m);
}

/* The first wave excludes, near the samples, what all candidates exclude; for a lock the first wave
 * has the invariant. */
static void waves_are_ordered(void **state) {
  (void)state;
  mined m = mine_source(samples[3].source, (tp_mine_options){.seed = 1});
  size_t n[5] = {0};
  for (size_t i = 0; i < m.c.list.n; i++) {
    assert_in_range(m.c.list.at[i].wave, 0, 4);
    n[m.c.list.at[i].wave]++;
  }
  assert_true(n[0] > 0 && n[0] * 3 < m.c.list.n);
  mined_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_proofs_need),
      cmocka_unit_test(finds_facts_of_objects),
      cmocka_unit_test(failing_runs_are_counted),
      cmocka_unit_test(blocked_runs_count),
      cmocka_unit_test(no_run_no_candidate),
      cmocka_unit_test(is_deterministic),
      cmocka_unit_test(keeps_limits),
      cmocka_unit_test(memory_counts_as_steps),
      cmocka_unit_test(waves_are_ordered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
