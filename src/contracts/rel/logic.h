/* Relational logic: the language of the model finder, and the file to read first.
 *
 * What       a table of expressions (relations), integers and formulas: construction, checks,
 *            inspection, text.
 * Represents the kernel of Alloy. Every value is a relation, a set of tuples of atoms: a set is a
 *            relation of arity 1, a scalar a set with one atom, a field of a struct a relation of
 *            arity 2. The universe of atoms and the bounds of relations stand in
 *            contracts/rel/rel_bounds.h; contracts/rel/finder.h searches for relations within
 *            bounds that make formulas true; contracts/rel/rel_eval.h gives the meaning of a
 *            formula for given relations.
 *
 *     tp_rel *l = tp_rel_new();
 *     tp_rel_expr next = tp_rel_relation(l, "next", 2), iden = tp_rel_iden(l);
 *     tp_rel_expr cycle = tp_rel_binary(l, TP_REL_INTERSECTION,
 *                                       tp_rel_unary(l, TP_REL_CLOSURE, next), iden);
 *     tp_rel_formula acyclic = tp_rel_multiplicity(l, TP_REL_NO, cycle);  // no ^next & iden
 *
 * Integers   numbers of a width that is chosen when a formula is evaluated, in two's complement.
 *            Where an operation leaves the width, or divides by zero, its value is undefined; so is
 *            every value computed from it. Formulas are true, false or undefined: false and
 *            undefined is false, true or undefined is true (Kleene); a condition is decided first,
 *            and its other branch does not count. An instance for which a formula is undefined is
 *            outside of the bounds: neither the formula nor its negation holds.
 * Invariants equal nodes have equal ids; kids are older than their node. A variable of a quantifier
 *            stands for one atom, a variable of "let" for the value of an expression.
 * Errors     a wrong call (arity, scope, depth) returns id 0 and keeps a message that names what
 *            was wanted; every call with an argument of id 0 returns id 0. One call of tp_rel_error
 *            at the end is enough.
 * Ownership  nodes live as long as their table.
 * Source     Jackson, Software Abstractions, appendix B; Torlak & Jackson 2007 (Kodkod). We differ:
 *            an overflow is undefined and does not wrap around. */
#ifndef TP_CONTRACTS_REL_LOGIC_H
#define TP_CONTRACTS_REL_LOGIC_H

#include "base/base.h"

typedef struct tp_rel tp_rel;
typedef struct {
  uint32_t id;
} tp_rel_expr;  // a relation
typedef struct {
  uint32_t id;
} tp_rel_formula;
typedef struct {
  uint32_t id;
} tp_rel_int;
typedef struct {
  uint32_t id;
} tp_rel_var;  // bound by a quantifier or by "let"

tp_rel *tp_rel_new(void);
void tp_rel_free(tp_rel *l);
/* The first thing that was wrong, or NULL. */
const char *tp_rel_error(const tp_rel *l);

typedef enum {
  // relations
  TP_REL_RELATION,       // number: which
  TP_REL_VARIABLE,       // number: which
  TP_REL_UNIV,           // all atoms
  TP_REL_IDEN,           // {(a, a) | a in univ}
  TP_REL_NONE,           // no tuple
  TP_REL_INTS,           // the atoms that are integers
  TP_REL_UNION,          // a + b
  TP_REL_INTERSECTION,   // a & b
  TP_REL_DIFFERENCE,     // a - b
  TP_REL_JOIN,           // a . b: last column of a against first column of b
  TP_REL_PRODUCT,        // a -> b
  TP_REL_OVERRIDE,       // a ++ b: b, and the tuples of a whose first atom begins no tuple of b
  TP_REL_DOMAIN,         // s <: r: tuples of r that begin in s
  TP_REL_RANGE,          // r :> s: tuples of r that end in s
  TP_REL_TRANSPOSE,      // ~r
  TP_REL_CLOSURE,        // ^r
  TP_REL_REFLEXIVE,      // *r = ^r + iden
  TP_REL_COMPREHENSION,  // {x: A, y: B | F}
  TP_REL_IF,             // F => a else b
  TP_REL_LET,            // let x = a | b
  TP_REL_ATOM_OF,        // the atom that is this integer; none if there is none
  // integers
  TP_REL_CONSTANT,     // number
  TP_REL_CARDINALITY,  // #a
  TP_REL_TOTAL,        // the sum of the integers in a
  TP_REL_ONLY_INT,     // the integer in a: 0 if there is none, undefined if there are several
  TP_REL_PLUS,
  TP_REL_MINUS,
  TP_REL_TIMES,
  TP_REL_QUOTIENT,   // towards zero
  TP_REL_REMAINDER,  // sign of the dividend
  TP_REL_NEGATIVE,
  TP_REL_SUM,  // sum x: A, y: B | i; only the total must fit the width
  TP_REL_INT_IF,
  TP_REL_INT_LET,
  // formulas
  TP_REL_TRUE,
  TP_REL_FALSE,
  TP_REL_NOT,
  TP_REL_AND,  // any number of formulas
  TP_REL_OR,
  TP_REL_IFF,
  TP_REL_FORMULA_IF,
  TP_REL_FORMULA_LET,
  TP_REL_IN,  // a is a subset of b
  TP_REL_EQUAL,
  TP_REL_SOME,  // at least one tuple
  TP_REL_NO,
  TP_REL_ONE,
  TP_REL_LONE,    // at most one
  TP_REL_ALL_OF,  // all x: A, y: B | F
  TP_REL_SOME_OF,
  TP_REL_INT_EQUAL,
  TP_REL_LESS,
  TP_REL_AT_MOST
} tp_rel_kind;
typedef enum { TP_REL_SORT_EXPR, TP_REL_SORT_INT, TP_REL_SORT_FORMULA } tp_rel_sort;

// ------------------------------------------------------------------ relations

/* The relation of this name: equal names, equal relations; error if its arity is another. */
tp_rel_expr tp_rel_relation(tp_rel *l, const char *name, uint32_t arity);
tp_rel_expr tp_rel_univ(tp_rel *l);
tp_rel_expr tp_rel_iden(tp_rel *l);
tp_rel_expr tp_rel_none(tp_rel *l, uint32_t arity);
tp_rel_expr tp_rel_ints(tp_rel *l);
/* UNION, INTERSECTION, DIFFERENCE, OVERRIDE: equal arities; JOIN, PRODUCT; DOMAIN, RANGE: a set and
 * a relation, in the order in which they are written. */
tp_rel_expr tp_rel_binary(tp_rel *l, tp_rel_kind kind, tp_rel_expr a, tp_rel_expr b);
/* TRANSPOSE, CLOSURE, REFLEXIVE: arity 2. */
tp_rel_expr tp_rel_unary(tp_rel *l, tp_rel_kind kind, tp_rel_expr a);
tp_rel_expr tp_rel_if(tp_rel *l, tp_rel_formula c, tp_rel_expr a, tp_rel_expr b);
tp_rel_expr tp_rel_atom_of(tp_rel *l, tp_rel_int i);

// ------------------------------------------------------------------ variables

/* A new variable; its name is for people. Arity 1 for those of quantifiers. */
tp_rel_var tp_rel_variable(tp_rel *l, const char *name, uint32_t arity);
tp_rel_expr tp_rel_use(tp_rel *l, tp_rel_var v);
typedef struct {
  tp_rel_var var;
  tp_rel_expr in;  // a set, over the variables declared before this one
} tp_rel_decl;
tp_rel_expr tp_rel_comprehension(tp_rel *l, const tp_rel_decl *decls, uint32_t n,
                                 tp_rel_formula body);
tp_rel_int tp_rel_sum(tp_rel *l, const tp_rel_decl *decls, uint32_t n, tp_rel_int body);
typedef enum {
  TP_REL_FOR_ALL,
  TP_REL_FOR_SOME,
  TP_REL_FOR_NO,
  TP_REL_FOR_ONE,
  TP_REL_FOR_LONE
} tp_rel_quantifier;
tp_rel_formula tp_rel_quantify(tp_rel *l, tp_rel_quantifier q, const tp_rel_decl *decls, uint32_t n,
                               tp_rel_formula body);
tp_rel_expr tp_rel_let(tp_rel *l, tp_rel_var v, tp_rel_expr value, tp_rel_expr body);
tp_rel_int tp_rel_int_let(tp_rel *l, tp_rel_var v, tp_rel_expr value, tp_rel_int body);
tp_rel_formula tp_rel_formula_let(tp_rel *l, tp_rel_var v, tp_rel_expr value, tp_rel_formula body);

// ------------------------------------------------------------------- integers

tp_rel_int tp_rel_constant(tp_rel *l, int64_t value);
tp_rel_int tp_rel_cardinality(tp_rel *l, tp_rel_expr a);
tp_rel_int tp_rel_total(tp_rel *l, tp_rel_expr a);  // arity 1
/* As total, where there is one integer at most: many gates fewer. */
tp_rel_int tp_rel_only_int(tp_rel *l, tp_rel_expr a);
/* PLUS, MINUS, TIMES, QUOTIENT, REMAINDER */
tp_rel_int tp_rel_arithmetic(tp_rel *l, tp_rel_kind kind, tp_rel_int a, tp_rel_int b);
tp_rel_int tp_rel_negative(tp_rel *l, tp_rel_int a);
tp_rel_int tp_rel_int_if(tp_rel *l, tp_rel_formula c, tp_rel_int a, tp_rel_int b);

// ------------------------------------------------------------------- formulas

tp_rel_formula tp_rel_bool(tp_rel *l, bool value);
tp_rel_formula tp_rel_not(tp_rel *l, tp_rel_formula f);
tp_rel_formula tp_rel_and(tp_rel *l, tp_rel_formula f, tp_rel_formula g);
tp_rel_formula tp_rel_or(tp_rel *l, tp_rel_formula f, tp_rel_formula g);
tp_rel_formula tp_rel_and_all(tp_rel *l, const tp_rel_formula *f, uint32_t n);
tp_rel_formula tp_rel_or_all(tp_rel *l, const tp_rel_formula *f, uint32_t n);
tp_rel_formula tp_rel_implies(tp_rel *l, tp_rel_formula f, tp_rel_formula g);
tp_rel_formula tp_rel_iff(tp_rel *l, tp_rel_formula f, tp_rel_formula g);
tp_rel_formula tp_rel_formula_if(tp_rel *l, tp_rel_formula c, tp_rel_formula f, tp_rel_formula g);
/* IN, EQUAL: equal arities. */
tp_rel_formula tp_rel_compare(tp_rel *l, tp_rel_kind kind, tp_rel_expr a, tp_rel_expr b);
/* SOME, NO, ONE, LONE */
tp_rel_formula tp_rel_multiplicity(tp_rel *l, tp_rel_kind kind, tp_rel_expr a);
/* INT_EQUAL, LESS, AT_MOST */
tp_rel_formula tp_rel_compare_ints(tp_rel *l, tp_rel_kind kind, tp_rel_int a, tp_rel_int b);
/* r is a function from the set `from` to the set `to`: r in from -> to, and every atom of `from`
 * has one image (partial: at most one). */
typedef enum { TP_REL_PARTIAL, TP_REL_TOTAL_FUNCTION } tp_rel_totality;
tp_rel_formula tp_rel_functional(tp_rel *l, tp_rel_totality t, tp_rel_expr r, tp_rel_expr from,
                                 tp_rel_expr to);
/* r steps through all of the set once: one first atom, one last, every other has one successor.
 * False if the set is empty. */
tp_rel_formula tp_rel_total_order(tp_rel *l, tp_rel_expr r, tp_rel_expr set);
/* Did tp_rel_total_order return f? For which arguments? */
bool tp_rel_is_total_order(const tp_rel *l, tp_rel_formula f, tp_rel_expr *r, tp_rel_expr *set);

// ----------------------------------------------------------------- inspection

typedef struct {
  tp_rel_kind kind;
  uint32_t arity;  // of a relation; 0: integer, formula
  uint32_t n_kids,
      n_vars;  // the body of what binds variables is the last kid, before it their sets in order
  const uint32_t *kids;  // ids
  const uint32_t *vars;  // bound here
  const uint32_t *free;  // free variables, sorted
  uint32_t n_free;
  uint32_t depth;
  int64_t number;
} tp_rel_node;
const tp_rel_node *tp_rel_at(const tp_rel *l, uint32_t id);
uint32_t tp_rel_n_nodes(const tp_rel *l);  // ids are below this
uint32_t tp_rel_n_relations(
    const tp_rel *l);  // numbers of relations, in the order in which they were made
uint32_t tp_rel_n_variables(const tp_rel *l);  // ids of variables are 1 to this
const char *tp_rel_relation_name(const tp_rel *l, uint32_t relation);
uint32_t tp_rel_relation_arity(const tp_rel *l, uint32_t relation);
uint32_t tp_rel_relation_number(const tp_rel *l,
                                tp_rel_expr r);  // r: what tp_rel_relation returned
const char *tp_rel_variable_name(const tp_rel *l, uint32_t var);
tp_rel_sort tp_rel_sort_of(tp_rel_kind k);
/* As Alloy writes it, with as many parentheses as needed and some more; long texts end in "...". */
void tp_rel_print(const tp_rel *l, uint32_t id, tp_str *out);
/* The invariants of the table: kids are older than their node, arities and sorts agree with the
 * kinds, free variables are sorted. Linear; for assertions. */
bool tp_rel_check(const tp_rel *l);

#endif
