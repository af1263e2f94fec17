/* Random programs against exhaustive execution: the final set is the least one that is closed under
 * the best transformer of the loop's body.
 *
 * A program is one loop over three bytes, of which only the three lowest bits are ever read, and a
 * pointer to one of two of them, which are changed through it; a second function computes.
 * Predicates read the same bits, so the states of the machine fall into few classes, and all of
 * them can be executed. A pointer that no predicate pins may lead anywhere: a fourth byte stands
 * for that. Two generators: one whose runs go on (each turn asks for something, and errors are
 * rare), and one whose errors end most runs after two turns, where running can save little. */
#include "adequacy/trial_test.h"

enum {
  MOST_STMTS = 24,
  MOST_PREDICATES = 6,
  N_CELLS = 4,
  ELSEWHERE = 2,
  C = 3
};  // bytes: a, b, what p may also lead to, c

typedef enum { X_CONST, X_VAR, X_DEREF, X_ADD, X_XOR, X_CALL } expr_kind;
typedef struct {
  expr_kind kind;
  int var, value;
  int other;
} expr;  // var + value, var ^ other, f(var)
typedef struct {
  int left;
  int op;
  int right;
  bool right_is_var;
} cond;  // op: < == >
typedef enum { S_ASSIGN, S_STORE, S_POINT, S_INPUT, S_IF } stmt_kind;
typedef struct {
  stmt_kind kind;
  int var;
  expr e;
  cond c;
  int then_n, else_n;
} stmt;  // IF: so many statements follow for each side
typedef struct {
  bool is_pointer;
  cond c;
  int target;
} predicate;

typedef struct {
  stmt body[MOST_STMTS];
  int n;
  predicate p[MOST_PREDICATES];
  int n_p;
  bool free_start[3];
  int start[3];
  int factor, sum;  // of f
  cond error[2];    // all hold
  int n_errors;
} program;

typedef enum { RUNS_GO_ON, RUNS_END_SOON } run_length;

typedef struct {
  int cell[N_CELLS], p;
} machine;  // p: 0 a, 1 b, 2 elsewhere

static const char *const var_names[] = {"a", "b", "?", "c"};
static const char *const ops[] = {"<", "==", ">"};
static int pick(tp_rng *r, int n) { return (int)tp_rng_below(r, (uint64_t)n); }
static int pick_var(tp_rng *r) {
  static const int vars[] = {0, 1, C};
  return vars[pick(r, 3)];
}

// --------------------------------------------------------------------- generating

static cond random_cond(tp_rng *r) {
  cond c = {.left = pick_var(r), .op = pick(r, 3), .right_is_var = pick(r, 3) == 0};
  c.right = c.right_is_var ? pick_var(r) : pick(r, 8);
  return c;
}

static expr random_expr(tp_rng *r) {
  return (expr){(expr_kind)pick(r, 6), pick_var(r), pick(r, 8), pick_var(r)};
}

static int random_stmts(tp_rng *r, program *g, int n, int depth) {
  int made = 0;
  for (int i = 0; i < n && g->n < MOST_STMTS - 6; i++) {
    int at = g->n++, k = pick(r, depth ? 5 : 4);
    made++;
    g->body[at] =
        (stmt){.kind = (stmt_kind)k, .var = pick_var(r), .e = random_expr(r), .c = random_cond(r)};
    if (k == S_IF) {
      int before = g->n;
      (void)random_stmts(r, g, 1 + pick(r, 2), depth - 1);
      g->body[at].then_n = g->n - before;
      before = g->n;
      if (pick(r, 2)) (void)random_stmts(r, g, 1, depth - 1);
      g->body[at].else_n = g->n - before;
    }
  }
  return made;
}

static program random_program(uint64_t seed, run_length length) {
  tp_rng r;
  program g = {.n_errors = length == RUNS_GO_ON ? 2 : 1};
  tp_rng_init(&r, seed);
  g.factor = 1 + pick(&r, 3);
  g.sum = pick(&r, 8);
  for (int i = 0; i < 3; i++) {
    g.free_start[i] = pick(&r, 6) == 0;
    g.start[i] = pick(&r, 8);
  }
  int inputs = 0;
  do {
    g.n = inputs = 0;
    (void)random_stmts(&r, &g, (length == RUNS_GO_ON ? 4 : 3) + pick(&r, 3), 2);
    for (int i = 0; i < g.n; i++) inputs += g.body[i].kind == S_INPUT;
  } while (inputs > 2 || (length == RUNS_GO_ON && inputs < 1));
  g.n_p = 3 + pick(&r, 4);
  for (int i = 0; i < g.n_p; i++)
    g.p[i] = (predicate){
        .is_pointer = i == 0 && pick(&r, 2), .c = random_cond(&r), .target = pick(&r, 2)};
  for (int i = 0; i < g.n_errors; i++) {
    do g.error[i] = random_cond(&r);
    while (g.error[i].right_is_var);  // never always true, so the loop is one
  }
  if (length == RUNS_GO_ON) g.error[0].op = 1;
  return g;
}

// ------------------------------------------------------------------------- as C

static void print_cond(const cond *c, tp_str *out) {
  tp_str_printf(out, "(%s & 7) %s ", var_names[c->left], ops[c->op]);
  if (c->right_is_var)
    tp_str_printf(out, "(%s & 7)", var_names[c->right]);
  else
    tp_str_printf(out, "%d", c->right);
}

static void print_expr(const expr *e, tp_str *out) {
  const char *v = var_names[e->var];
  switch (e->kind) {
    case X_CONST: tp_str_printf(out, "%d", e->value); break;
    case X_VAR: tp_str_printf(out, "%s & 7", v); break;
    case X_DEREF: tp_str_printf(out, "*p & 7"); break;
    case X_ADD: tp_str_printf(out, "((%s & 7) + %d) & 7", v, e->value); break;
    case X_XOR: tp_str_printf(out, "(%s ^ %s) & 7", v, var_names[e->other]); break;
    case X_CALL: tp_str_printf(out, "f(%s & 7)", v); break;
  }
}

static void print_stmts(const program *g, int from, int n, tp_str *out) {
  for (int i = from; i < from + n; i++) {
    const stmt *s = &g->body[i];
    switch (s->kind) {
      case S_ASSIGN:
        tp_str_printf(out, "%s = ", var_names[s->var]);
        print_expr(&s->e, out);
        break;
      case S_STORE:
        tp_str_printf(out, "*p = ");
        print_expr(&s->e, out);
        break;
      case S_POINT: tp_str_printf(out, "p = &%s", var_names[s->var == C ? 0 : s->var]); break;
      case S_INPUT:
        tp_str_printf(out, "%s = __VERIFIER_nondet_uchar() & 7", var_names[s->var]);
        break;
      case S_IF:
        tp_str_printf(out, "if (");
        print_cond(&s->c, out);
        tp_str_printf(out, ") { ");
        print_stmts(g, i + 1, s->then_n, out);
        tp_str_printf(out, "} else { ");
        print_stmts(g, i + 1 + s->then_n, s->else_n, out);
        tp_str_printf(out, "}");
        i += s->then_n + s->else_n;
        break;
    }
    tp_str_printf(out, "; ");
  }
}

static void print_program(const program *g, tp_str *out) {
  tp_str_printf(out,
                "extern unsigned char __VERIFIER_nondet_uchar(void);\nvoid reach_error(void) {}\n"
                "unsigned char f(unsigned char v) { return (v * %d + %d) & 7; }\nint main(void) "
                "{\n  unsigned char ",
                g->factor, g->sum);
  for (int i = 0; i < 3; i++) {
    const char *name = var_names[i == 2 ? C : i];
    if (g->free_start[i])
      tp_str_printf(out, "%s = __VERIFIER_nondet_uchar() & 7, ", name);
    else
      tp_str_printf(out, "%s = %d, ", name, g->start[i]);
  }
  tp_str_printf(out, "*p = &b;\n  p = &a;\n  while (1) {\n    ");
  print_stmts(g, 0, g->n, out);
  tp_str_printf(out, "\n    if (");
  for (int i = 0; i < g->n_errors; i++) {
    if (i) tp_str_add(out, " && ");
    print_cond(&g->error[i], out);
  }
  tp_str_printf(out, ") reach_error();\n  }\n}\n");
}

// ---------------------------------------------------------------------- executing

static bool holds(const cond *c, const machine *m) {
  int l = m->cell[c->left], r = c->right_is_var ? m->cell[c->right] : c->right;
  return c->op == 0 ? l < r : c->op == 1 ? l == r : l > r;
}

static bool is_error(const program *g, const machine *m) {
  bool fails = true;
  for (int i = 0; i < g->n_errors; i++) fails &= holds(&g->error[i], m);
  return fails;
}

static int value(const program *g, const expr *e, const machine *m) {
  int v = m->cell[e->var];
  switch (e->kind) {
    case X_CONST: return e->value;
    case X_VAR: return v;
    case X_DEREF: return m->cell[m->p];
    case X_ADD: return (v + e->value) & 7;
    case X_XOR: return (v ^ m->cell[e->other]) & 7;
    case X_CALL: return (v * g->factor + g->sum) & 7;
  }
  return 0;
}

static void execute(const program *g, int from, int n, machine *m, int *inputs) {
  for (int i = from; i < from + n; i++) {
    const stmt *s = &g->body[i];
    switch (s->kind) {
      case S_ASSIGN: m->cell[s->var] = value(g, &s->e, m); break;
      case S_STORE: m->cell[m->p] = value(g, &s->e, m); break;
      case S_POINT: m->p = s->var == C ? 0 : s->var; break;
      case S_INPUT:
        m->cell[s->var] = *inputs & 7;
        *inputs >>= 3;
        break;
      case S_IF:
        if (holds(&s->c, m))
          execute(g, i + 1, s->then_n, m, inputs);
        else
          execute(g, i + 1 + s->then_n, s->else_n, m, inputs);
        i += s->then_n + s->else_n;
        break;
    }
  }
}

static unsigned cube_of(const program *g, const machine *m) {
  unsigned v = 0;
  for (int i = 0; i < g->n_p; i++)
    v |= (unsigned)(g->p[i].is_pointer ? m->p == g->p[i].target : holds(&g->p[i].c, m)) << i;
  return v;
}

typedef struct {
  bool step[64][64], covered[64], fails[64];
  bool is_really_wrong;  // a run from the start fails
} truth;

static void step_all(const program *g, const machine *m,
                     void (*see)(void *ctx, const machine *after), void *ctx) {
  int n_inputs = 0;
  for (int i = 0; i < g->n; i++) n_inputs += g->body[i].kind == S_INPUT;
  for (int k = 0; k < 1 << (3 * n_inputs); k++) {
    machine next = *m;
    int inputs = k;
    execute(g, 0, g->n, &next, &inputs);
    see(ctx, &next);
  }
}

typedef struct {
  const program *g;
  truth *t;
  unsigned from;
} stepping;
static void note_step(void *ctx, const machine *after) {
  stepping *s = ctx;
  if (is_error(s->g, after))
    s->t->fails[s->from] = true;  // and the run ends
  else
    s->t->step[s->from][cube_of(s->g, after)] = true;
}

static machine machine_of(int k) {
  return (machine){{k & 7, k >> 3 & 7, k >> 6 & 7, k >> 9 & 7}, k >> 12};
}
static int number_of(const machine *m) {
  return m->cell[0] | m->cell[1] << 3 | m->cell[2] << 6 | m->cell[3] << 9 | m->p << 12;
}
enum { N_MACHINES = 3 << 12 };

typedef struct {
  const program *g;
  bool *seen;
  int *queue;
  int n;
  bool *wrong;
} exploring;
static void explore(void *ctx, const machine *after) {
  exploring *x = ctx;
  bool fails = is_error(x->g, after);
  *x->wrong |= fails;
  int k = number_of(after);
  if (fails || x->seen[k]) return;
  x->seen[k] = true;
  x->queue[x->n++] = k;
}

static bool is_start(const program *g, const machine *m) {
  static const int cells[] = {0, 1, C};
  bool is = m->p == 0 && m->cell[ELSEWHERE] == 0;
  for (int i = 0; i < 3; i++) is &= g->free_start[i] || m->cell[cells[i]] == g->start[i];
  return is;
}

static void find_truth(const program *g, truth *t) {
  *t = (truth){0};
  exploring x = {.g = g,
                 .seen = TP_NEW_ARRAY(bool, N_MACHINES),
                 .queue = TP_NEW_ARRAY(int, N_MACHINES),
                 .wrong = &t->is_really_wrong};
  for (int k = 0; k < N_MACHINES; k++) {
    machine m = machine_of(k);
    stepping s = {g, t, cube_of(g, &m)};
    step_all(g, &m, note_step, &s);
    if (!is_start(g, &m)) continue;
    t->covered[s.from] = true;
    x.seen[k] = true;
    x.queue[x.n++] = k;
  }
  for (int i = 0; i < x.n; i++) {
    machine m = machine_of(x.queue[i]);
    step_all(g, &m, explore, &x);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < 64; a++)
      for (int b = 0; b < 64; b++)
        if (t->covered[a] && t->step[a][b] && !t->covered[b]) changed = t->covered[b] = true;
  }
  tp_free(x.seen);
  tp_free(x.queue);
}

// ------------------------------------------------------------------------ as a trial

static tp_term low_bits(const trial *t, int var) {
  tp_sort byte = tp_sort_bv(t->tt, 8);
  tp_term v = trial_cell(t, "main", var_names[var], byte);
  return tp_mk2(t->tt, TP_OP_BV_AND, v, tp_mk_bv(t->tt, 8, 7));
}

static tp_term term_of(const trial *t, const predicate *p) {
  if (p->is_pointer)
    return tp_mk_eq(t->tt, trial_variable(t, "main", "p"),
                    trial_variable(t, "main", var_names[p->target]));
  tp_term l = low_bits(t, p->c.left),
          r = p->c.right_is_var ? low_bits(t, p->c.right) : tp_mk_bv(t->tt, 8, (tp_u128)p->c.right);
  return p->c.op == 0   ? tp_mk2(t->tt, TP_OP_BV_ULT, l, r)
         : p->c.op == 1 ? tp_mk_eq(t->tt, l, r)
                        : tp_mk2(t->tt, TP_OP_BV_ULT, r, l);
}

static void load(trial *t, const program *g) {
  tp_str text = {0};
  print_program(g, &text);
  trial_load(t, tp_str_text(&text), TP_P_UNREACH_CALL);
  tp_str_clear(&text);
  for (int i = 0; i < g->n_p; i++) {
    tp_term term = term_of(t, &g->p[i]);
    for (uint32_t l = 1; l < t->p->locs.n; l++) {
      const tp_probe probe = {{l}, term, "p"};
      if (t->p->locs.at[l].is_cutpoint) tp_vec_push(&t->q.probes, probe);
    }
  }
  static const int64_t none[1] = {0};
  trial_test(t, none, 0);
}

/* Abstract states at the loop as a set of cubes; predicates that are the same term are asked once,
 * so vectors are spread out again. */
static void cubes_of(const trial *t, const program *g, bool *covered) {
  const tp_coverage *c = &t->report.coverage;
  memset(covered, 0, 64 * sizeof *covered);
  for (size_t i = 0; i < c->states.n; i++) {
    const tp_cutpoint_coverage *at = &c->cutpoints.at[c->states.at[i].cutpoint];
    unsigned v = 0;
    for (int k = 0; k < g->n_p; k++) {
      tp_term term = term_of(t, &g->p[k]);
      for (size_t b = 0; b < at->probes.n; b++)
        if (tp_term_eq(at->probes.at[b].term, term))
          v |= (unsigned)(c->states.at[i].values >> b & 1) << k;
      if (tp_is_true(t->tt, term)) v |= 1u << k;
    }
    covered[v] = true;
  }
}

typedef struct {
  size_t calls, made, missed;
} figures;

static figures check_program(trial *t, const program *g, uint64_t seed,
                             tp_adequacy_settings settings, const truth *wanted, const char *what) {
  bool covered[64];
  t->task.seed = seed;
  t->q.settings = settings;
  t->q.settings.leaves_potential = true;
  if (!settings.run_limits.steps) t->q.settings.run_limits.steps = 3000;
  trial_run(t);
  cubes_of(t, g, covered);
  bool allows_error = false, same = t->report.is_closed;
  for (int i = 0; i < 64; i++) {
    same &= covered[i] == wanted->covered[i];
    allows_error |= wanted->covered[i] && wanted->fails[i];
  }
  bool verdict_fits = t->out.verdict == TP_VERDICT_TRUE    ? !allows_error
                      : t->out.verdict == TP_VERDICT_FALSE ? wanted->is_really_wrong
                                                           : allows_error;
  if (!same || !verdict_fits) {
    tp_str text = {0};
    print_program(g, &text);
    fprintf(stderr, "%s, seed %llu: closed %d same %d verdict %d allows %d wrong %d %s\n%s", what,
            (unsigned long long)seed, t->report.is_closed, same, t->out.verdict, allows_error,
            wanted->is_really_wrong, t->out.reason ? t->out.reason : "", tp_str_text(&text));
    tp_str_clear(&text);
    for (int i = 0; i < g->n_p; i++) {
      tp_str shown = {0};
      tp_print_c(t->tt, term_of(t, &g->p[i]), TP_C_READABLE, &shown);
      fprintf(stderr, "predicate %d: %s\n", i, tp_str_text(&shown));
      tp_str_clear(&shown);
    }
    for (int i = 0; i < 64; i++)
      if (covered[i] != wanted->covered[i])
        fprintf(stderr, "cube %x: covered %d, wanted %d\n", (unsigned)i, covered[i],
                wanted->covered[i]);
    trial_show(t);
  }
  assert_true(same);
  assert_true(verdict_fits);
  if (t->out.verdict == TP_VERDICT_TRUE && seed % 10 == 0)
    assert_int_equal(trial_certify(t), TP_CERTIFY_ACCEPTED);
  const tp_adequacy_counters *c = &t->report.counters;
  figures f = {.calls = c->solver_calls,
               .made = c->fabricated_states + c->initial_tests_added,
               .missed = c->abstract_states_missed};
  trial_done(t);
  return f;
}

/* TP_PROGRAMS: how many, for measuring. */
static int n_programs(int few) {
  const char *wanted = getenv("TP_PROGRAMS");
  return wanted ? atoi(wanted) : getenv("TP_SOAK") ? 50 * few : few;
}

typedef struct {
  size_t n, open, calls, calls_static, made, made_static, fewer_calls, fewer_made, more_calls;
} savings;

/* What running saves on programs of one generator: calls of the prover, states made of models. */
static savings with_and_without_runs(run_length length) {
  savings s = {.n = (size_t)n_programs(40)};
  for (size_t i = 0; i < s.n; i++) {
    program g = random_program(1000 + i, length);
    truth t;
    find_truth(&g, &t);
    trial x;
    load(&x, &g);
    figures run = check_program(&x, &g, i, (tp_adequacy_settings){0}, &t, "runs");
    figures models =
        check_program(&x, &g, i, (tp_adequacy_settings){.only_models = true}, &t, "models only");
    trial_free(&x);
    s.open += run.missed > 0;
    s.calls += run.calls;
    s.calls_static += models.calls;
    s.made += run.made;
    s.made_static += models.made;
    s.fewer_calls += run.calls < models.calls;
    s.more_calls += run.calls > models.calls;
    s.fewer_made += run.made < models.made;
  }
  if (getenv("TP_SHOW"))
    printf(
        "%s: %zu programs, %zu not closed by their tests; calls %zu, without runs %zu, fewer on "
        "%zu, more on %zu; made of models %zu, without runs %zu, fewer on %zu\n",
        length == RUNS_GO_ON ? "runs go on" : "runs end soon", s.n, s.open, s.calls, s.calls_static,
        s.fewer_calls, s.more_calls, s.made, s.made_static, s.fewer_made);
  assert_true(s.calls < s.calls_static);
  assert_true(s.made < s.made_static);
  return s;
}

static void Y07_Y30_as_the_best_transformer_with_and_without_runs(void **state) {
  (void)state;
  savings s = with_and_without_runs(RUNS_GO_ON);
  assert_true(10 * s.open >= 3 * s.n);
  const size_t share = s.n < 100 ? 7 : 8;  // of ten; of few programs it differs more
  assert_true(10 * s.fewer_calls >= share * s.n);
  assert_true(10 * s.fewer_made >= share * s.n);
  assert_int_equal(s.more_calls, 0);
}

static void Y07_Y30_the_same_where_errors_end_most_runs(void **state) {
  (void)state;
  savings s = with_and_without_runs(RUNS_END_SOON);
  assert_true(10 * s.open >= 3 * s.n);
  assert_true(10 * s.fewer_calls >= 4 * s.n);
  assert_true(20 * s.more_calls <= s.n);
}

static void Y06_any_seed_and_any_run_limit(void **state) {
  (void)state;
  static const uint64_t limits[] = {1, 2, 5, 20, 100, 1000, 10000};
  for (int i = 0; i < 2; i++) {
    program g = random_program(1003 + 7 * (uint64_t)i, RUNS_GO_ON);
    truth t;
    trial x;
    find_truth(&g, &t);
    load(&x, &g);
    for (uint64_t seed = 1; seed <= (getenv("TP_SOAK") ? 50 : 20); seed++)
      (void)check_program(&x, &g, seed, (tp_adequacy_settings){.models = 1 + (uint32_t)(seed % 5)},
                          &t, "seeds");
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
      tp_adequacy_settings o = {.run_limits.steps = limits[k]},
                           steady = {.run_limits.steps = limits[k], .steady = true},
                           seen = {.run_limits.steps = limits[k], .stops_at_seen = true};
      (void)check_program(&x, &g, 1, o, &t, "limits");
      (void)check_program(&x, &g, 1, steady, &t, "limits, steady");
      (void)check_program(&x, &g, 1, seen, &t, "limits, stops at seen");
    }
    trial_free(&x);
  }
}

static void Y22_abstract_steps_alone(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    program g = random_program(3000 + (uint64_t)i, RUNS_GO_ON);
    truth t;
    trial x;
    find_truth(&g, &t);
    load(&x, &g);
    (void)check_program(&x, &g, 1, (tp_adequacy_settings){.only_steps = true}, &t, "steps");
    trial_free(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(Y07_Y30_as_the_best_transformer_with_and_without_runs),
      cmocka_unit_test(Y07_Y30_the_same_where_errors_end_most_runs),
      cmocka_unit_test(Y06_any_seed_and_any_run_limit),
      cmocka_unit_test(Y22_abstract_steps_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
