/* Monitors (row F03) against a simulation: random monitors are written as text, read back, composed
 * with a model that makes a random sequence of calls, and run on the concrete machine; a few lines
 * of plain C say what should have happened. Also: files with a mistake each are refused with a
 * message, and broken texts never do harm. */
#include "exec/exec.h"
#include "program/monitor.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { N_FUNCS = 3, N_STATES = 4, N_RULES = 6, N_CALLS = 12, N_ARGS = 2 };

static char path[] = "/dev/shm/tp_monitor_XXXXXX";  // written thousands of times
static FILE *nowhere;

static int setup(void **state) {
  (void)state;
  int fd = mkstemp(path);
  nowhere = fopen("/dev/null", "w");
  return fd < 0 || close(fd) != 0 || !nowhere ? -1 : 0;
}
static int teardown(void **state) {
  (void)state;
  fclose(nowhere);
  return remove(path);
}

static tp_status read_text(const char *text, tp_monitors *m, tp_diag *diag) {
  assert_int_equal(tp_write_file(path, text, strlen(text)), TP_OK);
  *m = (tp_monitors){0};
  return tp_monitors_read(m, path, diag);
}

// --------------------------------------------------------------- random monitors

typedef struct {
  int argument;    // 0, 1; -1: the result
  int how;         // of tp_compare
  bool with_name;  // compared with the name instead of the constant
  int64_t constant;
  bool alternative;
} test_plan;
typedef struct {
  int state, target, event, function, n_tests, bound;  // bound: argument + 2; 0: none
  bool optional, error;
  test_plan tests[3];
} rule;
typedef struct {
  rule rules[N_RULES];
  int n_rules, n_always;  // the last n_always rules are for every state
} plan;

static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};

static void value_text(int argument, tp_str *out) {
  if (argument < 0)
    tp_str_add(out, "$result");
  else
    tp_str_printf(out, "$%d", argument + 1);
}

static rule random_rule(tp_rng *rng, bool name_known) {
  rule r = {.state = (int)tp_rng_below(rng, N_STATES),
            .target = (int)tp_rng_below(rng, N_STATES),
            .event = (int)tp_rng_below(rng, 2),
            .function = (int)tp_rng_below(rng, N_FUNCS)};
  int lowest = r.event == 1 ? -1 : 0;
  r.n_tests = (int)tp_rng_below(rng, 4);
  for (int i = 0; i < r.n_tests; i++)
    r.tests[i] =
        (test_plan){.argument = (int)tp_rng_below(rng, (uint64_t)(N_ARGS - lowest)) + lowest,
                    .how = (int)tp_rng_below(rng, 6),
                    .with_name = name_known && tp_rng_below(rng, 3) == 0,
                    .constant = (int64_t)tp_rng_below(rng, 7) - 3,
                    .alternative = tp_rng_below(rng, 2)};
  r.error = tp_rng_below(rng, 4) == 0;
  r.optional = tp_rng_below(rng, 4) == 0;
  if (!r.error && tp_rng_below(rng, 3) == 0)
    r.bound = (int)tp_rng_below(rng, (uint64_t)(N_ARGS - lowest)) + lowest + 2;
  return r;
}

static plan random_plan(tp_rng *rng) {
  plan p = {.n_rules = 1 + (int)tp_rng_below(rng, N_RULES)};
  for (int i = 0; i < p.n_rules; i++) p.rules[i] = random_rule(rng, i > 0);
  p.n_always = (int)tp_rng_below(rng, 2);
  if (p.n_always > p.n_rules - 1) p.n_always = p.n_rules - 1;
  // rules are written state by state, and the name must be bound before it is used: the first rule
  // is of state 0 and binds
  p.rules[0].state = 0;
  p.rules[0].error = false;
  p.rules[0].bound = 2;
  for (int i = 1; i < p.n_rules - p.n_always; i++)
    for (int k = i; k > 1 && p.rules[k].state < p.rules[k - 1].state; k--) {
      rule r = p.rules[k];
      p.rules[k] = p.rules[k - 1];
      p.rules[k - 1] = r;
    }
  return p;
}

static void write_rule(const rule *r, int number, tp_str *out) {
  tp_str_printf(out, "  on %s f%d", r->event ? "return" : "call", r->function);
  for (int i = 0; i < r->n_tests; i++) {
    tp_str_add(out, i == 0 ? " when " : r->tests[i].alternative ? " || " : " && ");
    bool turn = !r->tests[i].with_name && r->tests[i].constant % 2;  // constants on either side
    static const int mirrored[] = {0, 1, 4, 5, 2, 3};
    if (turn)
      tp_str_printf(out, "%lld %s ", (long long)r->tests[i].constant,
                    signs[mirrored[r->tests[i].how]]);
    value_text(r->tests[i].argument, out);
    if (r->tests[i].with_name)
      tp_str_printf(out, " %s x", signs[r->tests[i].how]);
    else if (!turn)
      tp_str_printf(out, "%s%lld", signs[r->tests[i].how], (long long)r->tests[i].constant);
  }
  if (r->optional) tp_str_add(out, " maybe");
  if (r->bound) {
    tp_str_add(out, " let x = ");
    value_text(r->bound - 2, out);
  }
  if (r->error)
    tp_str_printf(out, " error \"rule %d\"\n", number);
  else
    tp_str_printf(out, " -> s%d # comment\n", r->target);
}

static void write_plan(const plan *p, tp_str *out) {
  tp_str_add(out, "monitor m\n");
  int k = 0;
  for (int s = 0; s < N_STATES; s++) {
    tp_str_printf(out, "state s%d\n", s);
    for (; k < p->n_rules - p->n_always && p->rules[k].state == s; k++)
      write_rule(&p->rules[k], k, out);
    tp_str_printf(out, "  on exit error \"end in s%d\"\n", s);
  }
  if (p->n_always) tp_str_add(out, "always\n");
  for (; k < p->n_rules; k++) write_rule(&p->rules[k], k, out);
}

// ------------------------------------------------------------------ random calls

/* f0(int, unsigned char), f1(unsigned, signed char), f2(long, long), with results as their first
 * arguments. */
static const struct {
  uint32_t bits[N_ARGS];
  bool is_signed[N_ARGS];
} shapes[N_FUNCS] = {{{32, 8}, {true, false}}, {{32, 8}, {false, true}}, {{64, 64}, {true, true}}};
typedef struct {
  int function;
  int64_t args[N_ARGS], result;
} call_plan;

static int64_t as_typed(int function, int argument, uint64_t v) {
  uint32_t bits = shapes[function].bits[argument];
  if (bits < 64) v &= ((uint64_t)1 << bits) - 1;
  if (shapes[function].is_signed[argument] && bits < 64 && v >> (bits - 1))
    v |= ~(uint64_t)0 << bits;
  return (int64_t)v;
}

static call_plan random_call(tp_rng *rng) {
  call_plan c = {.function = (int)tp_rng_below(rng, N_FUNCS)};
  for (int i = 0; i < N_ARGS; i++) c.args[i] = as_typed(c.function, i, tp_rng_below(rng, 9) - 4);
  c.result = as_typed(c.function, 0, tp_rng_below(rng, 9) - 4);
  return c;
}

// -------------------------------------------------------------------- simulation

typedef struct {
  int state, bound_bits;
  int64_t x;
  uint64_t choices;  // bit i: the i-th optional transition is taken
  int n_choices;
  char end[40];
} simulation;

static bool holds(const test_plan *t, const call_plan *c, int64_t x) {
  int64_t a = t->argument < 0 ? c->result : c->args[t->argument],
          b = t->with_name ? x : t->constant;
  switch (t->how) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    default: return a >= b;
  }
}

static bool applies(const rule *r, const call_plan *c, int64_t x) {
  bool any = false, all = true;
  for (int i = 0; i < r->n_tests; i++) {
    if (i > 0 && r->tests[i].alternative) any |= all, all = true;
    all &= holds(&r->tests[i], c, x);
  }
  return any || all;
}

/* Own rules first, then those of every state; false: an error ends the run. */
static bool simulate_event(simulation *s, const plan *p, const call_plan *c, int event) {
  for (int k = 0; k < p->n_rules; k++) {
    const rule *r = &p->rules[k];
    bool always = k >= p->n_rules - p->n_always;
    if ((!always && r->state != s->state) || r->event != event || r->function != c->function ||
        !applies(r, c, s->x))
      continue;
    if (r->optional && !(s->choices >> s->n_choices++ & 1)) continue;
    if (r->error) {
      snprintf(s->end, sizeof s->end, "rule %d", k);
      return false;
    }
    if (r->bound) s->x = r->bound == 1 ? c->result : c->args[r->bound - 2];
    s->state = r->target;
    return true;
  }
  return true;
}

static void simulate(simulation *s, const plan *p, const call_plan *calls) {
  for (int i = 0; i < N_CALLS; i++)
    for (int event = 0; event < 2; event++)
      if (!simulate_event(s, p, &calls[i], event)) return;
  snprintf(s->end, sizeof s->end, "end in s%d", s->state);
}

// ----------------------------------------------------------------------- product

static tp_event event_of(tp_program *p, tp_monitors *m, tp_loc *at, tp_func main,
                         const call_plan *c, int kind) {
  char name[8];
  snprintf(name, sizeof name, "f%d", c ? c->function : 0);
  tp_loc next = tp_program_add_loc(p, (tp_loc_info){.func = main});
  tp_event e = {.kind = (tp_event_kind)kind, .function = c ? tp_monitors_function(m, name) : 0};
  e.edge = tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_SKIP, .from = *at, .to = next});
  *at = next;
  if (!c) return e;
  tp_event_value *values = tp_arena_array(&p->arena, tp_event_value, N_ARGS);
  for (int i = 0; i < N_ARGS; i++)
    values[i] = (tp_event_value){tp_mk_bv_signed(p->terms, shapes[c->function].bits[i], c->args[i]),
                                 shapes[c->function].is_signed[i]};
  e.values = values;
  e.n_values = N_ARGS;
  if (kind == TP_EVENT_RETURN)
    e.result = (tp_event_value){tp_mk_bv_signed(p->terms, shapes[c->function].bits[0], c->result),
                                shapes[c->function].is_signed[0]};
  return e;
}

/* The program with its monitor; NULL: the monitor compares values of different types. */
static tp_program *compose(tp_monitors *m, tp_diag *diag, const call_plan *calls) {
  tp_program *p = tp_program_new(diag, 64);
  tp_func main = tp_program_add_func(p, (tp_func_info){.name = "main", .has_body = true});
  tp_loc at = tp_program_add_loc(p, (tp_loc_info){.func = main}),
         leave = tp_program_add_loc(p, (tp_loc_info){.func = main});
  p->main = main;
  p->funcs.at[main.id].entry = at;
  p->funcs.at[main.id].exit = leave;
  TP_VEC(tp_event) events = {0};
  for (int i = 0; i < N_CALLS; i++)
    for (int kind = 0; kind < 2; kind++) {
      tp_event e = event_of(p, m, &at, main, &calls[i], kind);
      if (e.function) tp_vec_push(&events, e);
    }
  tp_vec_push(&events, event_of(p, m, &at, main, NULL, TP_EVENT_EXIT));
  tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_RETURN, .from = at, .to = leave});
  tp_status st = tp_monitors_apply(m, p, events.at, events.n);
  tp_vec_clear(&events);
  if (st != TP_OK) {
    tp_program_free(p);
    return NULL;
  }
  tp_program_finish(p);
  tp_str why = {0};
  if (!tp_program_check(p, &why)) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
  return p;
}

static bool choose(void *ctx, tp_input *io) {
  simulation *s = ctx;
  assert_string_equal(io->name, TP_MONITOR_CHOICE);
  io->bits = s->choices >> s->n_choices++ & 1;
  return true;
}

static bool try_one(uint64_t seed) {
  tp_rng rng;
  tp_rng_init(&rng, seed);
  plan rules = random_plan(&rng);
  call_plan calls[N_CALLS];
  for (int i = 0; i < N_CALLS; i++) calls[i] = random_call(&rng);
  tp_str text = {0};
  write_plan(&rules, &text);
  tp_diag *diag = tp_diag_new(nowhere, false);
  tp_monitors m;
  if (read_text(tp_str_text(&text), &m, diag) != TP_OK)
    fail_msg("seed %llu: not read:\n%s", (unsigned long long)seed, text.text);
  tp_program *p = compose(&m, diag, calls);
  bool composed = p != NULL;
  for (int turn = 0; p && turn < 4; turn++) {
    simulation s = {.choices = tp_rng_next(&rng)}, machine = {.choices = s.choices};
    simulate(&s, &rules, calls);
    tp_oracle oracle = {&machine, choose};
    tp_run_result r = tp_exec_main(p, &oracle, (tp_run_limits){0}, NULL);
    assert_int_equal(r.end, TP_END_ERROR);
    assert_true(tp_monitors_is_error(&m, r.loc));
    const char *message = tp_loc_of(p, r.loc)->message;
    size_t n = strlen(s.end);
    if (strncmp(message, s.end, n) != 0 || message[n] != ' ' || s.n_choices != machine.n_choices)
      fail_msg("seed %llu: '%s' instead of '%s':\n%s", (unsigned long long)seed, message, s.end,
               text.text);
  }
  tp_program_free(p);
  tp_monitors_clear(&m);
  tp_diag_free(diag);
  tp_str_clear(&text);
  return composed;
}

static void F03_monitors_run_as_simulated(void **state) {
  (void)state;
  uint64_t n = getenv("TP_SOAK") ? 50000 : 2000, composed = 0;
  size_t live = tp_live_bytes();
  for (uint64_t seed = 1; seed <= n; seed++) composed += try_one(seed);
  assert_true(composed * 3 > n);
  assert_int_equal(tp_live_bytes(), live);
}

// ---------------------------------------------------------------------- mistakes

static void F03_mistakes_are_told(void **state) {
  (void)state;
  static const char *const files[] = {
      "",
      "state a",
      "monitor",
      "monitor m",
      "monitor m on call f -> a",
      "monitor m state a state a",
      "monitor m state a on call f -> b",
      "monitor m state a on call f",
      "monitor m state a on jump f -> a",
      "monitor m state a on call f when -> a",
      "monitor m state a on call f when $1 -> a",
      "monitor m state a on call f when $1 = 1 -> a",
      "monitor m state a on call f when 1 == 1 -> a",
      "monitor m state a on call f when $0 == 1 -> a",
      "monitor m state a on call f when $13 == 1 -> a",
      "monitor m state a on call f when $result == 1 -> a",
      "monitor m state a on exit when $1 == 1 -> a",
      "monitor m state a on call f when x == 1 -> a",
      "monitor m state a on call f let x = 1 -> a",
      "monitor m state a on call f let x $1 -> a",
      "monitor m state a on call f error \"text",
      "monitor m state a on call f when $1 == 99999999999999999999 -> a",
      "monitor m state a on call f when $1 == 1x -> a",
      "monitor m state a monitor m state a",
      "monitor m property sorted state a",
      "monitor m state a on call f ; -> a",
      "monitor when state a",
      "monitor m state a on call f when $1 == 1 && -> a",
      "monitor m state a on call f let x = $1 error",
      "monitor m state a on call f -> a -> a"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    tp_diag *diag = tp_diag_new(nowhere, false);
    tp_monitors m;
    if (read_text(files[i], &m, diag) != TP_ERR_INPUT) fail_msg("accepted: %s", files[i]);
    assert_int_equal(tp_diag_count(diag, TP_ERROR), 1);
    tp_monitors_clear(&m);
    tp_diag_free(diag);
  }
}

/* Pieces of a correct file, shuffled and cut. */
static void F03_broken_texts_do_no_harm(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "monitor ",     "m ",   "state ",   "a ",  "on ", "call ",  "f ",     "return ", "exit ",
      "when ",        "$1 ",  "$result ", "== ", "< ",  "3 ",     "-1 ",    "&& ",     "|| ",
      "maybe ",       "let ", "x ",       "= ",  "-> ", "error ", "\"t\" ", "always ", "property ",
      "valid-deref ", "\n",   "#",        "\"",  "$",   "-",      "!",      "\x80"};
  tp_rng rng;
  tp_rng_init(&rng, 5);
  size_t live = tp_live_bytes(), n = getenv("TP_SOAK") ? 50000 : 3000;
  for (size_t i = 0; i < n; i++) {
    tp_str text = {0};
    tp_str_add(&text, "monitor m state a ");
    for (uint64_t k = tp_rng_below(&rng, 20); k > 0; k--)
      tp_str_add(&text, pieces[tp_rng_below(&rng, sizeof pieces / sizeof *pieces)]);
    tp_diag *diag = tp_diag_new(nowhere, false);
    tp_monitors m;
    tp_status st = read_text(text.text, &m, diag);
    assert_true((st == TP_OK) == (tp_diag_count(diag, TP_ERROR) == 0));
    tp_monitors_clear(&m);
    tp_diag_free(diag);
    tp_str_clear(&text);
  }
  assert_int_equal(tp_live_bytes(), live);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F03_monitors_run_as_simulated),
                                     cmocka_unit_test(F03_mistakes_are_told),
                                     cmocka_unit_test(F03_broken_texts_do_no_harm)};
  return cmocka_run_group_tests_name("monitor", tests, setup, teardown);
}
