#include "circuit/sat.h"

#include <ccadical.h>
#include <time.h>

enum { MAX_FLAT = 24, TICKS_PER_LOOK = 64 };

/* CaDiCaL is C++: where its `new` finds no memory it would throw through our frames and end in
 * abort(). While we are inside, memory that is exhausted is our own business. */
typedef void (*new_handler)(void);
extern new_handler set_new_handler(new_handler handler) __asm__(
    "_ZSt15set_new_handlerPFvvE");  // std::set_new_handler

static void no_memory(void) { tp_out_of_memory(0); }

typedef struct {
  uint32_t node;
  uint8_t sides;
} tp_said;

struct tp_sat {
  const tp_gates *g;
  CCaDiCaL *solver;
  TP_VEC(int) var;  // by node; 0: the solver does not know it
  int n_vars;
  uint64_t n_clauses;
  TP_VEC(int) kept;  // what the solver was given, clauses end in 0
  bool keeps;
  TP_VEC(uint8_t) said;  // by node: the directions of its definition that the solver was given
  bool is_one_sided;
  TP_VEC(tp_said) todo;
  TP_VEC(uint64_t) value;  // by node: 2 * number of the solution + value
  uint64_t solution;
  double until;  // CPU time of this thread, 0: no limit
  unsigned ticks;
  bool late;
};

tp_sat *tp_sat_new(const tp_gates *g) {
  tp_sat *s = TP_NEW(tp_sat);
  new_handler outside = set_new_handler(no_memory);
  s->g = g;
  s->solver = ccadical_init();
  ccadical_set_option(s->solver, "quiet",
                      1);  // 1.5.3 reports its repairs on standard output otherwise
  ccadical_set_option(s->solver, "lucky",
                      0);  // guesses that cost a pass over everything in each call
  set_new_handler(outside);
  return s;
}

void tp_sat_free(tp_sat *s) {
  if (!s) return;
  ccadical_release(s->solver);
  tp_vec_clear(&s->var);
  tp_vec_clear(&s->kept);
  tp_vec_clear(&s->said);
  tp_vec_clear(&s->todo);
  tp_vec_clear(&s->value);
  tp_free(s);
}

// -------------------------------------------------------------------- clauses

static int lit(const tp_sat *s, tp_lit a) {
  int v = s->var.at[tp_lit_node(a)];
  return tp_lit_is_negated(a) ? -v : v;
}

/* The next literal of a clause, 0 at its end. */
static void put(tp_sat *s, int literal) {
  ccadical_add(s->solver, literal);
  if (literal == 0) s->n_clauses++;
  if (s->keeps) tp_vec_push(&s->kept, literal);
}

static void clause(tp_sat *s, int a, int b, int c, int d) {
  int lits[] = {a, b, c, d};
  for (int i = 0; i < 4 && lits[i]; i++) put(s, lits[i]);
  put(s, 0);
}

/* The conjuncts of an AND: its arguments, and in place of an argument that is an AND nobody else
 * uses its arguments. */
static uint32_t conjuncts(const tp_sat *s, const tp_gate *n, tp_lit *out) {
  uint32_t k = 2;
  out[0] = n->arg[0];
  out[1] = n->arg[1];
  for (uint32_t i = 0; i < k;) {
    uint32_t node = tp_lit_node(out[i]);
    const tp_gate *inner = &s->g->nodes.at[node];
    bool open = inner->kind == TP_GATE_AND && !tp_lit_is_negated(out[i]) &&
                s->g->uses.at[node] == 1 && !s->var.at[node];
    if (!open || k == MAX_FLAT) {
      i++;
      continue;
    }
    out[i] = inner->arg[0];
    out[k++] = inner->arg[1];
  }
  return k;
}

/* Which directions of "v is the gate" the solver needs where a node stands: v implies the gate, the
 * gate implies v. */
enum { IF_TRUE = 1, IF_FALSE = 2, BOTH = 3 };

static uint8_t through(tp_lit a, uint8_t sides) {
  if (!tp_lit_is_negated(a) || sides == BOTH) return sides;
  return sides == IF_TRUE ? IF_FALSE : IF_TRUE;
}

/* What has to be said of an argument of a gate of which `sides` have to be said. */
static uint8_t sides_of(const tp_gate *n, uint32_t argument, tp_lit a, uint8_t sides) {
  return n->kind == TP_GATE_XOR || (n->kind == TP_GATE_ITE && argument == 0) ? BOTH
                                                                             : through(a, sides);
}

/* Is, and of which sides, a node said to be its gate? Of inputs there is nothing to say. */
static bool is_said(const tp_sat *s, uint32_t node, uint8_t sides) {
  return (sides & ~s->said.at[node]) == 0;
}

static void define_and(tp_sat *s, const tp_lit *args, uint32_t n_args, int v, uint8_t sides) {
  for (uint32_t i = 0; i < n_args && (sides & IF_TRUE); i++) clause(s, -v, lit(s, args[i]), 0, 0);
  if (!(sides & IF_FALSE)) return;
  put(s, v);
  for (uint32_t i = 0; i < n_args; i++) put(s, -lit(s, args[i]));
  put(s, 0);
}

/* v is the gate over literals that the solver knows. */
static void define(tp_sat *s, const tp_gate *n, const tp_lit *args, uint32_t n_args, int v,
                   uint8_t sides) {
  int a = n_args > 0 ? lit(s, args[0]) : 0, b = n_args > 1 ? lit(s, args[1]) : 0,
      c = n_args > 2 ? lit(s, args[2]) : 0;
  switch ((tp_gate_kind)n->kind) {
    case TP_GATE_INPUT: return;
    case TP_GATE_CONST:
      if (sides & IF_TRUE) clause(s, -v, 0, 0, 0);
      return;
    case TP_GATE_AND: define_and(s, args, n_args, v, sides); return;
    case TP_GATE_XOR:
      if (sides & IF_TRUE) clause(s, -v, a, b, 0), clause(s, -v, -a, -b, 0);
      if (sides & IF_FALSE) clause(s, v, -a, b, 0), clause(s, v, a, -b, 0);
      return;
    case TP_GATE_ITE:  // the last of three is implied; it lets b = c decide without a
      if (sides & IF_TRUE) clause(s, -v, -a, b, 0), clause(s, -v, a, c, 0), clause(s, -v, b, c, 0);
      if (sides & IF_FALSE)
        clause(s, v, -a, -b, 0), clause(s, v, a, -c, 0), clause(s, v, -b, -c, 0);
      return;
    case TP_GATE_MAJORITY:
      if (sides & IF_TRUE) clause(s, -v, a, b, 0), clause(s, -v, a, c, 0), clause(s, -v, b, c, 0);
      if (sides & IF_FALSE)
        clause(s, v, -a, -b, 0), clause(s, v, -a, -c, 0), clause(s, v, -b, -c, 0);
      return;
  }
}

/* Make the solver know a literal, or what is missing of it: arguments first, without recursion. */
static void emit(tp_sat *s, tp_lit root) {
  if (s->var.n < s->g->nodes.n) {
    tp_vec_resize(&s->var, s->g->nodes.n);
    tp_vec_resize(&s->said, s->g->nodes.n);
  }
  tp_vec_push(&s->todo,
              ((tp_said){tp_lit_node(root), s->is_one_sided ? through(root, IF_TRUE) : BOTH}));
  while (s->todo.n) {
    const tp_said top = tp_vec_last(&s->todo);
    const tp_gate *n = &s->g->nodes.at[top.node];
    const uint8_t missing = top.sides & (uint8_t)~s->said.at[top.node];
    if (!missing) {
      (void)tp_vec_pop(&s->todo);
      continue;
    }
    tp_lit args[MAX_FLAT];
    uint32_t n_args = tp_gate_n_args((tp_gate_kind)n->kind);
    bool ready = true;
    memcpy(args, n->arg, sizeof n->arg);
    if (n->kind == TP_GATE_AND) n_args = conjuncts(s, n, args);
    for (uint32_t i = n_args; i-- > 0;) {
      const uint8_t sides = sides_of(n, i, args[i], missing);
      if (is_said(s, tp_lit_node(args[i]), sides)) continue;
      tp_vec_push(&s->todo, ((tp_said){tp_lit_node(args[i]), sides}));
      ready = false;
    }
    if (!ready) continue;
    (void)tp_vec_pop(&s->todo);
    if (!s->var.at[top.node]) s->var.at[top.node] = ++s->n_vars;
    s->said.at[top.node] |= n->kind == TP_GATE_INPUT ? BOTH : missing;
    define(s, n, args, n_args, s->var.at[top.node], missing);
  }
}

void tp_sat_clause(tp_sat *s, const tp_lit *lits, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (tp_lit_eq(lits[i], TP_LIT_TRUE)) return;
  new_handler outside = set_new_handler(no_memory);
  for (size_t i = 0; i < n; i++) emit(s, lits[i]);
  for (size_t i = 0; i < n; i++) put(s, lit(s, lits[i]));
  put(s, 0);
  set_new_handler(outside);
}

void tp_sat_keep(tp_sat *s) { s->keeps = true; }

void tp_sat_one_sided(tp_sat *s) { s->is_one_sided = true; }

void tp_sat_size(const tp_sat *s, uint64_t *variables, uint64_t *clauses) {
  *variables = (uint64_t)s->n_vars;
  *clauses = s->n_clauses;
}

void tp_sat_dimacs(const tp_sat *s, tp_str *out) {
  tp_str_printf(out, "p cnf %d %llu\n", s->n_vars, (unsigned long long)s->n_clauses);
  for (size_t i = 0; i < s->kept.n; i++)
    tp_str_printf(out, s->kept.at[i] ? "%d " : "%d\n", s->kept.at[i]);
}

// -------------------------------------------------------------------- solving

static double thread_cpu_s(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int is_too_late(void *ctx) {
  tp_sat *s = ctx;
  if (s->late) return 1;
  if (++s->ticks % TICKS_PER_LOOK == 0) s->late = thread_cpu_s() > s->until;
  return s->late;
}

tp_sat_answer tp_sat_solve(tp_sat *s, const tp_lit *assumptions, size_t n, uint64_t conflicts,
                           double cpu_s) {
  new_handler outside = set_new_handler(no_memory);
  for (size_t i = 0; i < n; i++) emit(s, assumptions[i]);
  for (size_t i = 0; i < n; i++) ccadical_assume(s->solver, lit(s, assumptions[i]));
  if (conflicts)
    ccadical_limit(s->solver, "conflicts", conflicts > INT32_MAX ? INT32_MAX : (int)conflicts);
  s->late = false;
  s->until = cpu_s > 0 ? thread_cpu_s() + cpu_s : 0;
  ccadical_set_terminate(s->solver, s, cpu_s > 0 ? is_too_late : NULL);
  int answer = ccadical_solve(s->solver);
  set_new_handler(outside);
  s->solution++;
  if (answer == 10) return TP_SAT_YES;
  if (answer == 20) return TP_SAT_NO;
  return s->late ? TP_SAT_TOO_LATE : TP_SAT_GAVE_UP;
}

bool tp_sat_failed(tp_sat *s, tp_lit assumption) {
  return ccadical_failed(s->solver, lit(s, assumption));
}

// --------------------------------------------------------------------- values

static bool is_known(const tp_sat *s, tp_lit a) {
  return s->value.at[tp_lit_node(a)] >> 1 == s->solution;
}
static bool known(const tp_sat *s, tp_lit a) {
  return (s->value.at[tp_lit_node(a)] & 1) != tp_lit_is_negated(a);
}

bool tp_sat_value(tp_sat *s, tp_lit a) {
  if (s->value.n < s->g->nodes.n) tp_vec_resize(&s->value, s->g->nodes.n);
  if (is_known(s, a)) return known(s, a);
  tp_vec_push(&s->todo, ((tp_said){tp_lit_node(a), BOTH}));
  while (s->todo.n) {
    uint32_t top = tp_vec_last(&s->todo).node;
    const tp_gate *n = &s->g->nodes.at[top];
    int v = top < s->var.n && s->said.at[top] == BOTH
                ? s->var.at[top]
                : 0;  // of one side, its value may be another than the gate's
    uint32_t n_args = v ? 0 : tp_gate_n_args((tp_gate_kind)n->kind);
    bool arg[3] = {false, false, false}, ready = true;
    for (uint32_t i = 0; i < n_args; i++) {
      arg[i] = known(s, n->arg[i]);
      if (is_known(s, n->arg[i])) continue;
      tp_vec_push(&s->todo, ((tp_said){tp_lit_node(n->arg[i]), BOTH}));
      ready = false;
    }
    if (!ready) continue;
    (void)tp_vec_pop(&s->todo);
    bool value = v ? ccadical_val(s->solver, v) > 0
                   : tp_gate_apply((tp_gate_kind)n->kind, arg[0], arg[1], arg[2]);
    s->value.at[top] = s->solution << 1 | value;
  }
  return known(s, a);
}

tp_u128 tp_sat_word(tp_sat *s, const tp_lit *word, uint32_t n) {
  tp_u128 value = 0;
  for (uint32_t i = 0; i < n; i++) value |= (tp_u128)tp_sat_value(s, word[i]) << i;
  return value;
}
