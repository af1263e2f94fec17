/* A fact is a conjunction of clauses as far as it is written as one; a clause has the disjuncts of
 * its fact, and what is below these gets variables. Definitions are written from a list, so depth
 * costs no stack. */
#include "certify/symbolic/skeleton_clauses.h"

enum { IF_TRUE = 1, IF_FALSE = 2, BOTH = 3 };  // v implies the term; the term implies v

void tp_chk_skeleton_clauses_init(tp_chk_skeleton_clauses *c, tp_terms *tt) {
  *c = (tp_chk_skeleton_clauses){.tt = tt, .search = tp_clause_search_new()};
  tp_vec_push(&c->is_defined, BOTH);  // there is no variable 0
}

void tp_chk_skeleton_clauses_clear(tp_chk_skeleton_clauses *c) {
  tp_clause_search_free(c->search);
  tp_map_clear(&c->variable_of);
  tp_vec_clear(&c->is_defined);
  tp_vec_clear(&c->todo);
  tp_vec_clear(&c->directions);
  tp_vec_clear(&c->clause);
}

static bool is_negation(const tp_terms *tt, tp_term t) { return tp_kind(tt, t) == TP_OP_NOT; }

static int variable(tp_chk_skeleton_clauses *c, tp_term t) {
  uint64_t v;
  if (tp_map_get(&c->variable_of, t.id, &v)) return (int)v;
  tp_vec_push(&c->is_defined, 0);
  tp_map_set(&c->variable_of, t.id, (uint64_t)++c->n_variables);
  return c->n_variables;
}

/* A literal for t where it is asserted, or (`directions`) denied, or both. */
static int literal(tp_chk_skeleton_clauses *c, tp_term t, uint8_t directions) {
  bool negated = false;
  while (is_negation(c->tt, t)) {
    t = tp_arg(c->tt, t, 0);
    negated = !negated;
    if (directions != BOTH) directions ^= BOTH;
  }
  const int v = variable(c, t);
  if (tp_is_const(c->tt, t)) {
    if (!c->is_defined.at[v])
      tp_clause_search_add(c->search, (int[]){tp_is_true(c->tt, t) ? v : -v}, 1);
    c->is_defined.at[v] = BOTH;
  } else if (tp_is_connective(c->tt, t) && (directions & ~c->is_defined.at[v])) {
    tp_vec_push(&c->todo, t);
    tp_vec_push(&c->directions, (uint8_t)(directions & ~c->is_defined.at[v]));
    c->is_defined.at[v] |= directions;
  }
  return negated ? -v : v;
}

static void clause(tp_chk_skeleton_clauses *c, int a, int b, int d) {
  tp_clause_search_add(c->search, (int[]){a, b, d}, d ? 3 : 2);
}

/* v is a conjunction of two, or a disjunction. */
static void define_both(tp_chk_skeleton_clauses *c, int v, const tp_term *args, bool is_and,
                        uint8_t directions) {
  const bool all = (directions & IF_TRUE) != 0, any = (directions & IF_FALSE) != 0;
  for (int i = 0; i < 2 && (is_and ? all : any); i++)
    clause(c, is_and ? -v : v, (is_and ? 1 : -1) * literal(c, args[i], is_and ? IF_TRUE : IF_FALSE),
           0);
  if (!(is_and ? any : all)) return;
  const int sign = is_and ? -1 : 1;
  const uint8_t other = is_and ? IF_FALSE : IF_TRUE;
  const int a = literal(c, args[0], other), b = literal(c, args[1], other);
  clause(c, is_and ? v : -v, sign * a, sign * b);
}

static void define(tp_chk_skeleton_clauses *c, tp_term t, uint8_t directions) {
  const tp_terms *tt = c->tt;
  const tp_term_kind k = tp_kind(tt, t);
  const int v = variable(c, t);
  const tp_term args[] = {tp_arg(tt, t, 0), tp_arg(tt, t, 1)};
  if (k == TP_OP_AND || k == TP_OP_OR) {
    define_both(c, v, args, k == TP_OP_AND, directions);
    return;
  }
  const int a = literal(c, args[0], BOTH);
  if (k == TP_OP_ITE) {
    const int yes = literal(c, args[1], directions), no = literal(c, tp_arg(tt, t, 2), directions);
    if (directions & IF_TRUE) clause(c, -v, -a, yes), clause(c, -v, a, no), clause(c, -v, yes, no);
    if (directions & IF_FALSE)
      clause(c, v, -a, -yes), clause(c, v, a, -no), clause(c, v, -yes, -no);
    return;
  }
  const int same = literal(c, args[1], BOTH), b = k == TP_OP_EQ ? -same : same;  // a xor b
  if (directions & IF_TRUE) clause(c, -v, a, b), clause(c, -v, -a, -b);
  if (directions & IF_FALSE) clause(c, v, -a, b), clause(c, v, a, -b);
}

static void define_all(tp_chk_skeleton_clauses *c) {
  while (c->todo.n) {
    const tp_term t = tp_vec_pop(&c->todo);
    define(c, t, tp_vec_pop(&c->directions));
  }
}

/* One clause: the disjuncts of t, and of a conjunction under a negation its two parts. */
static void add_disjunction(tp_chk_skeleton_clauses *c, tp_term fact) {
  TP_VEC(tp_term) parts = {0};
  c->clause.n = 0;
  tp_vec_push(&parts, fact);
  while (parts.n) {
    const tp_term t = tp_vec_pop(&parts);
    if (tp_kind(c->tt, t) == TP_OP_OR) {
      tp_vec_push(&parts, tp_arg(c->tt, t, 1));
      tp_vec_push(&parts, tp_arg(c->tt, t, 0));
    } else if (is_negation(c->tt, t) && tp_kind(c->tt, tp_arg(c->tt, t, 0)) == TP_OP_AND) {
      const tp_term both = tp_arg(c->tt, t, 0);
      for (uint32_t i = 0; i < 2; i++)
        tp_vec_push(&c->clause, -literal(c, tp_arg(c->tt, both, i), IF_FALSE));
    } else {
      tp_vec_push(&c->clause, literal(c, t, IF_TRUE));
    }
  }
  tp_clause_search_add(c->search, c->clause.at, c->clause.n);
  tp_vec_clear(&parts);
}

void tp_chk_skeleton_clauses_add(tp_chk_skeleton_clauses *c, tp_term fact) {
  tp_term_list parts = {0};
  TP_REQUIRE(tp_sort_kind_of(c->tt, tp_sort_of(c->tt, fact)) == TP_SORT_BOOL);
  tp_conjuncts(c->tt, fact, &parts);
  for (size_t i = 0; i < parts.n; i++) add_disjunction(c, parts.at[i]);
  define_all(c);
  tp_vec_clear(&parts);
}

bool tp_chk_skeleton_clauses_holds(const tp_chk_skeleton_clauses *c, tp_term symbol) {
  uint64_t v;
  return tp_map_get(&c->variable_of, symbol.id, &v) && tp_clause_search_holds(c->search, (int)v);
}
