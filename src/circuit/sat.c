/* Gates as clauses for CaDiCaL: Tseitin's encoding, given when a node is first needed.
 *
 * Definitions are emitted arguments first, with an explicit stack. An AND whose arguments are ANDs
 * that nothing else uses becomes one wide clause. With polarity (Plaisted, Greenbaum 1986) a node
 * gets the direction that its use needs, the other one later if a use asks for it. Values of nodes
 * that the solver does not know, or knows in one direction, are computed from their arguments. */
#include "circuit/sat.h"

#include "circuit/circuit_limits.h"

#include <ccadical.h>
#include <time.h>

/* CaDiCaL is C++: where its `new` finds no memory it would throw through our frames and end in
 * abort(). While we are inside, memory that is exhausted is our own business. */
typedef void (*new_handler)(void);
extern new_handler set_new_handler(new_handler handler) __asm__(
    "_ZSt15set_new_handlerPFvvE");  // std::set_new_handler

static void no_memory(void) { tp_out_of_memory(0); }

typedef struct {
  uint32_t node;
  uint8_t polarity;
} tp_polarity_task;

struct tp_sat {
  const tp_gates *g;
  CCaDiCaL *solver;
  TP_VEC(int) var;  // by node; 0: the solver does not know it
  int n_vars;
  uint64_t n_clauses;
  TP_VEC(int) recorded;  // what the solver was given, clauses end in 0
  bool records;
  TP_VEC(uint8_t) emitted;  // by node: the directions of its definition that the solver was given
  bool by_polarity;
  TP_VEC(tp_polarity_task) todo;
  TP_VEC(uint64_t) value;  // by node: 2 * number of the solution + value
  uint64_t solution;
  double until;  // CPU time of this thread, 0: no limit
  unsigned ticks;
  bool timed_out;
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

const char *tp_sat_solver_version(void) { return ccadical_signature(); }

void tp_sat_free(tp_sat *s) {
  if (!s) return;
  ccadical_release(s->solver);
  tp_vec_clear(&s->var);
  tp_vec_clear(&s->recorded);
  tp_vec_clear(&s->emitted);
  tp_vec_clear(&s->todo);
  tp_vec_clear(&s->value);
  tp_free(s);
}

// -------------------------------------------------------------------- clauses

static int lit(const tp_sat *s, tp_lit a) {
  int v = s->var.at[tp_lit_node(a)];
  TP_INVARIANT(v > 0 && v <= s->n_vars);  // emitted before it is used
  return tp_lit_is_negated(a) ? -v : v;
}

/* The next literal of a clause, 0 at its end. */
static void put(tp_sat *s, int literal) {
  ccadical_add(s->solver, literal);
  if (literal == 0) s->n_clauses++;
  if (s->records) tp_vec_push(&s->recorded, literal);
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
    if (!open || k == TP_CIRCUIT_FLAT_ARGUMENTS) {
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

static uint8_t polarity_through(tp_lit a, uint8_t polarity) {
  if (!tp_lit_is_negated(a) || polarity == BOTH) return polarity;
  return polarity == IF_TRUE ? IF_FALSE : IF_TRUE;
}

/* What has to be emitted of an argument of a gate of which `polarity` have to be emitted. */
static uint8_t polarity_of(const tp_gate *n, uint32_t argument, tp_lit a, uint8_t polarity) {
  return n->kind == TP_GATE_XOR || (n->kind == TP_GATE_ITE && argument == 0)
             ? BOTH
             : polarity_through(a, polarity);
}

/* Is, and of which polarity, a node emitted to be its gate? Of inputs there is nothing to say. */
static bool is_emitted(const tp_sat *s, uint32_t node, uint8_t polarity) {
  return (polarity & ~s->emitted.at[node]) == 0;
}

static void define_and(tp_sat *s, const tp_lit *args, uint32_t n_args, int v, uint8_t polarity) {
  for (uint32_t i = 0; i < n_args && (polarity & IF_TRUE); i++)
    clause(s, -v, lit(s, args[i]), 0, 0);
  if (!(polarity & IF_FALSE)) return;
  put(s, v);
  for (uint32_t i = 0; i < n_args; i++) put(s, -lit(s, args[i]));
  put(s, 0);
}

/* v is the gate over literals that the solver knows. */
static void define(tp_sat *s, const tp_gate *n, const tp_lit *args, uint32_t n_args, int v,
                   uint8_t polarity) {
  int a = n_args > 0 ? lit(s, args[0]) : 0, b = n_args > 1 ? lit(s, args[1]) : 0,
      c = n_args > 2 ? lit(s, args[2]) : 0;
  switch ((tp_gate_kind)n->kind) {
    case TP_GATE_INPUT: return;
    case TP_GATE_CONST:
      if (polarity & IF_TRUE) clause(s, -v, 0, 0, 0);
      return;
    case TP_GATE_AND: define_and(s, args, n_args, v, polarity); return;
    case TP_GATE_XOR:
      if (polarity & IF_TRUE) clause(s, -v, a, b, 0), clause(s, -v, -a, -b, 0);
      if (polarity & IF_FALSE) clause(s, v, -a, b, 0), clause(s, v, a, -b, 0);
      return;
    case TP_GATE_ITE:  // the last of three is implied; it lets b = c decide without a
      if (polarity & IF_TRUE)
        clause(s, -v, -a, b, 0), clause(s, -v, a, c, 0), clause(s, -v, b, c, 0);
      if (polarity & IF_FALSE)
        clause(s, v, -a, -b, 0), clause(s, v, a, -c, 0), clause(s, v, -b, -c, 0);
      return;
    case TP_GATE_MAJORITY:
      if (polarity & IF_TRUE)
        clause(s, -v, a, b, 0), clause(s, -v, a, c, 0), clause(s, -v, b, c, 0);
      if (polarity & IF_FALSE)
        clause(s, v, -a, -b, 0), clause(s, v, -a, -c, 0), clause(s, v, -b, -c, 0);
      return;
  }
}

/* Make the solver know a literal, or what is missing of it: arguments first, without recursion. */
static void emit(tp_sat *s, tp_lit root) {
  if (s->var.n < s->g->nodes.n) {
    tp_vec_resize(&s->var, s->g->nodes.n);
    tp_vec_resize(&s->emitted, s->g->nodes.n);
  }
  tp_vec_push(&s->todo,
              ((tp_polarity_task){tp_lit_node(root),
                                  s->by_polarity ? polarity_through(root, IF_TRUE) : BOTH}));
  while (s->todo.n) {
    const tp_polarity_task top = tp_vec_last(&s->todo);
    const tp_gate *n = &s->g->nodes.at[top.node];
    const uint8_t missing = top.polarity & (uint8_t)~s->emitted.at[top.node];
    if (!missing) {
      (void)tp_vec_pop(&s->todo);
      continue;
    }
    tp_lit args[TP_CIRCUIT_FLAT_ARGUMENTS];
    uint32_t n_args = tp_gate_n_args((tp_gate_kind)n->kind);
    bool ready = true;
    memcpy(args, n->arg, sizeof n->arg);
    if (n->kind == TP_GATE_AND) n_args = conjuncts(s, n, args);
    for (uint32_t i = n_args; i-- > 0;) {
      const uint8_t polarity = polarity_of(n, i, args[i], missing);
      if (is_emitted(s, tp_lit_node(args[i]), polarity)) continue;
      tp_vec_push(&s->todo, ((tp_polarity_task){tp_lit_node(args[i]), polarity}));
      ready = false;
    }
    if (!ready) continue;
    (void)tp_vec_pop(&s->todo);
    if (!s->var.at[top.node]) s->var.at[top.node] = ++s->n_vars;
    s->emitted.at[top.node] |= n->kind == TP_GATE_INPUT ? BOTH : missing;
    define(s, n, args, n_args, s->var.at[top.node], missing);
  }
}

void tp_sat_clause(tp_sat *s, const tp_lit *lits, size_t n) {
  for (size_t i = 0; i < n; i++) TP_REQUIRE(tp_lit_node(lits[i]) < s->g->nodes.n);
  for (size_t i = 0; i < n; i++)
    if (tp_lit_eq(lits[i], TP_LIT_TRUE)) return;
  new_handler outside = set_new_handler(no_memory);
  for (size_t i = 0; i < n; i++) emit(s, lits[i]);
  for (size_t i = 0; i < n; i++) put(s, lit(s, lits[i]));
  put(s, 0);
  set_new_handler(outside);
}

void tp_sat_record_clauses(tp_sat *s) {
  TP_REQUIRE(s->n_clauses == 0);
  s->records = true;
}

void tp_sat_use_polarity(tp_sat *s) {
  TP_REQUIRE(s->n_clauses == 0);
  s->by_polarity = true;
}

void tp_sat_size(const tp_sat *s, uint64_t *variables, uint64_t *clauses) {
  *variables = (uint64_t)s->n_vars;
  *clauses = s->n_clauses;
}

void tp_sat_dimacs(const tp_sat *s, tp_str *out) {
  tp_str_printf(out, "p cnf %d %llu\n", s->n_vars, (unsigned long long)s->n_clauses);
  for (size_t i = 0; i < s->recorded.n; i++)
    tp_str_printf(out, s->recorded.at[i] ? "%d " : "%d\n", s->recorded.at[i]);
}

const int *tp_sat_recorded(const tp_sat *s, size_t *n) {
  TP_REQUIRE(s->records);
  *n = s->recorded.n;
  return s->recorded.at;
}

int tp_sat_variable(const tp_sat *s, tp_lit a) {
  return tp_lit_node(a) < s->var.n ? s->var.at[tp_lit_node(a)] : 0;
}

// -------------------------------------------------------------------- solving

static double thread_cpu_s(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int is_timed_out(void *ctx) {
  tp_sat *s = ctx;
  if (s->timed_out) return 1;
  if (++s->ticks % TP_CIRCUIT_TICKS_PER_LOOK == 0) s->timed_out = thread_cpu_s() > s->until;
  return s->timed_out;
}

tp_sat_answer tp_sat_solve(tp_sat *s, const tp_lit *assumptions, size_t n, uint64_t conflicts,
                           double cpu_s) {
  new_handler outside = set_new_handler(no_memory);
  for (size_t i = 0; i < n; i++) emit(s, assumptions[i]);
  for (size_t i = 0; i < n; i++) ccadical_assume(s->solver, lit(s, assumptions[i]));
  if (conflicts)
    ccadical_limit(s->solver, "conflicts", conflicts > INT32_MAX ? INT32_MAX : (int)conflicts);
  s->timed_out = false;
  s->until = cpu_s > 0 ? thread_cpu_s() + cpu_s : 0;
  ccadical_set_terminate(s->solver, s, cpu_s > 0 ? is_timed_out : NULL);
  int answer = ccadical_solve(s->solver);
  set_new_handler(outside);
  s->solution++;
  if (answer == 10) return TP_SAT_SATISFIABLE;
  if (answer == 20) return TP_SAT_UNSATISFIABLE;
  return s->timed_out ? TP_SAT_CPU_LIMIT : TP_SAT_CONFLICT_LIMIT;
}

bool tp_sat_failed(tp_sat *s, tp_lit assumption) {
  TP_REQUIRE(tp_lit_node(assumption) < s->var.n && s->var.at[tp_lit_node(assumption)]);
  return ccadical_failed(s->solver, lit(s, assumption));
}

// --------------------------------------------------------------------- values

static bool has_value(const tp_sat *s, tp_lit a) {
  return s->value.at[tp_lit_node(a)] >> 1 == s->solution;
}
static bool stored_value(const tp_sat *s, tp_lit a) {
  return (s->value.at[tp_lit_node(a)] & 1) != tp_lit_is_negated(a);
}

bool tp_sat_value(tp_sat *s, tp_lit a) {
  TP_REQUIRE(tp_lit_node(a) < s->g->nodes.n);
  if (s->value.n < s->g->nodes.n) tp_vec_resize(&s->value, s->g->nodes.n);
  if (has_value(s, a)) return stored_value(s, a);
  tp_vec_push(&s->todo, ((tp_polarity_task){tp_lit_node(a), BOTH}));
  while (s->todo.n) {
    uint32_t top = tp_vec_last(&s->todo).node;
    const tp_gate *n = &s->g->nodes.at[top];
    int v = top < s->var.n && s->emitted.at[top] == BOTH
                ? s->var.at[top]
                : 0;  // of one side, its value may be another than the gate's
    uint32_t n_args = v ? 0 : tp_gate_n_args((tp_gate_kind)n->kind);
    bool arg[3] = {false, false, false}, ready = true;
    for (uint32_t i = 0; i < n_args; i++) {
      arg[i] = stored_value(s, n->arg[i]);
      if (has_value(s, n->arg[i])) continue;
      tp_vec_push(&s->todo, ((tp_polarity_task){tp_lit_node(n->arg[i]), BOTH}));
      ready = false;
    }
    if (!ready) continue;
    (void)tp_vec_pop(&s->todo);
    bool value = v ? ccadical_val(s->solver, v) > 0
                   : tp_gate_apply((tp_gate_kind)n->kind, arg[0], arg[1], arg[2]);
    s->value.at[top] = s->solution << 1 | value;
  }
  return stored_value(s, a);
}

tp_u128 tp_sat_word(tp_sat *s, const tp_lit *word, uint32_t n) {
  tp_u128 value = 0;
  for (uint32_t i = 0; i < n; i++) value |= (tp_u128)tp_sat_value(s, word[i]) << i;
  return value;
}
