/* Mining: programs with the invariants that their proofs need among the candidates; every candidate holds in every state that was
 * noted, by evaluation of the term. */
#include "engine/mine.h"
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
  const char *wanted[6];       // as the readable printer writes them
} samples[] = {
    // the six loops that the choice of sources was measured on
    {"counters in step", "int main(void) { int n = " INT ", x = 0, i = 0; if (n < 0) return 0; while (i < n) { i++; x++; } check(x == n); }",
     {"x == i", "i <= n"}},
    {"a sum that stays", "int main(void) { int n = " INT ", x = n, y = 0; if (n < 0) return 0; while (x > 0) { x--; y++; } check(y == n); }",
     {"n == x + y", "-1 < x"}},
    {"between two bounds", "int main(void) { int n = " INT ", i = 0; if (n < 0) return 0; while (i < n) i++; check(i == n); }", {"i <= n", "-1 < i"}},
    {"lock", "int main(void) { int lock = 0, old = 0, new = 1; while (new != old) { lock = 1; old = new; if (" INT ") { lock = 0; new++; } } check(lock); }",
     {"old == new || lock == 0", "old == new - 1 || lock != 0", "lock == 0 || lock == 1"}},
    {"an index and a copy of its bound",
     "int a[100]; int main(void) { int n = " INT ", i = 0, ln = n; if (n < 0 || n > 100) return 0; while (i < n) { check(i < ln); a[i] = 1; i++; } }",
     {"n == ln", "i <= n", "-1 < i", "n < 101"}},
    {"parity", "int main(void) { unsigned x = 1; while (" INT ") x += 2; check(x % 2 == 1); }", {"(x & 1) == 1"}},
};

// ------------------------------------------------------------------ running

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_candidates c;
} mined;

static mined mine_source(const char *source, tp_mine_options o) {
  char path[] = "/tmp/mine-test-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0 && write(fd, HEAD, strlen(HEAD)) == (ssize_t)strlen(HEAD) && write(fd, source, strlen(source)) == (ssize_t)strlen(source));
  close(fd);
  mined m = {.diag = tp_diag_new(stderr, false)};
  const char *files[] = {path};
  tp_front_options front = {.files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .without_models = true};
  assert_int_equal(tp_front_load(&front, m.diag, &m.p), TP_OK);
  unlink(path);
  tp_mine(m.p, o, &m.c);
  return m;
}

static void mined_clear(mined *m) {
  tp_candidates_clear(&m->c);
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
/* Pointers are objects of their own, at the offset that was noted. */
static bool row_var(void *ctx, tp_term var, tp_value *out) {
  const row *r = ctx;
  const uint64_t *v = column(r, var);
  *out = (tp_value){.bits = v ? *v : 0};
  if (tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, var)) != TP_SORT_PTR) return v != NULL;
  const uint64_t *offset = column(r, tp_mk1(r->p->terms, TP_OP_PTR_OFF, var));
  *out = (tp_value){.bits = offset ? *offset : 0, .object = 1000000 + tp_var_index(r->p->terms, var)};
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
    if (!tp_is_cell(r->p, r->s->columns[c], &ptr) || !tp_term_eq(tp_arg(r->p->terms, r->s->columns[c], 0), array)) continue;
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
    const tp_candidate *c = &m->c.list.at[i];
    size_t k = 0;
    while (k < m->c.samples.n && m->c.samples.at[k].loc.id != c->loc.id) k++;
    assert_true(k < m->c.samples.n && m->c.samples.at[k].n_rows > 0);
    holds_everywhere(m, &m->c.samples.at[k], c->formula);
    assert_false(tp_map_has(&seen, (uint64_t)c->loc.id << 32 | c->formula.id));
    tp_map_set(&seen, (uint64_t)c->loc.id << 32 | c->formula.id, 1);
    if (i && m->c.list.at[i - 1].loc.id == c->loc.id) 
      assert_true(m->c.list.at[i - 1].wave < c->wave || (m->c.list.at[i - 1].wave == c->wave && m->c.list.at[i - 1].cost <= c->cost));
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_proofs_need),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
