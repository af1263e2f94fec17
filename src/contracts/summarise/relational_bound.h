/* Relational bounds: the expressions that summaries of functions are made of.
 *
 * What       a table of expressions over the relations of a pre-state, and of formulas that decide
 *            between two of them: construction with simplification, inclusion, evaluation over
 *            intervals, joins and widening.
 * Represents a set of tuples for each pre-state, and for each choice of the objects that the
 *            function makes. A bound of arity 1 stands for values, one of arity 2 for a member, one
 *            of arity 3 for an array with its index in the middle column.
 *
 *     NAME       a relation of the pre-state: a member, a global, `\alloc`; a parameter
 *     NEW        one object that the function makes, or none if it made none
 *     NEW_SET    all objects of a type that the pre-state does not have
 *     a . r      what the objects of a lead to; null leads nowhere, whatever r is
 *     REACH x r  x and all that is reached from x by steps of r: x.*r
 *     FIRST x r s  the first atom of s on the walk from x along r: x.*(r - (s -> univ)) & s
 *     IF c a b   a in executions in which c holds, else b
 *
 * Invariants equal expressions have equal ids; operands are older than their operation. UNION and
 *            INTERSECTION have any number of operands, sorted and different; none of them is a
 *            union (intersection) itself.
 * Law        a constructor's result denotes the same set as the operation that it is named for, in
 *            every state that tp_rbound_facts describes; each rule is a row of
 *            TP_RBOUND_RULES and is counted where it is used.
 * Ownership  nodes live as long as their table.
 * Source     Taghdiri 2008, sec. 4.2, fig. 4-11 (rules). We differ: n-ary operators, IF, sets of
 *            new objects by their type. */
#ifndef TP_CONTRACTS_SUMMARISE_RELATIONAL_BOUND_H
#define TP_CONTRACTS_SUMMARISE_RELATIONAL_BOUND_H

#include "base/base.h"

typedef struct tp_rbounds tp_rbounds;  // the table
typedef struct {
  uint32_t id;
} tp_rbound;  // 0: none
static inline bool tp_rbound_eq(tp_rbound a, tp_rbound b) { return a.id == b.id; }

typedef enum {
  TP_RBOUND_NONE,     // the empty relation
  TP_RBOUND_UNIV,     // all tuples
  TP_RBOUND_INTS,     // all integers
  TP_RBOUND_NULL,     //
  TP_RBOUND_INT,      // number: the integer
  TP_RBOUND_NAME,     // number: the index of the name
  TP_RBOUND_NEW,      // number: which; the type with it
  TP_RBOUND_NEW_SET,  // number: the type
  TP_RBOUND_UNION,
  TP_RBOUND_INTERSECTION,
  TP_RBOUND_DIFFERENCE,
  TP_RBOUND_JOIN,
  TP_RBOUND_PRODUCT,
  TP_RBOUND_OVERRIDE,
  TP_RBOUND_REACH,
  TP_RBOUND_FIRST,
  TP_RBOUND_IF,  // formula, a, b
  // formulas
  TP_RBOUND_TRUE,
  TP_RBOUND_FALSE,
  TP_RBOUND_EQUAL,  // of two sets
  TP_RBOUND_LESS,   // of two integers, as sets of one
  TP_RBOUND_NOT,
  TP_RBOUND_AND,
  TP_RBOUND_OR,
  TP_RBOUND_N_KINDS
} tp_rbound_kind;

/* Facts about a name that rules rest on. */
typedef enum {
  TP_RBOUND_ANY = 0,
  TP_RBOUND_IS_VALUE = 1,         // a set of exactly one
  TP_RBOUND_IS_MEMBER = 2,        // null and new objects begin no tuple; total on objects in use
  TP_RBOUND_IS_CONSTANT = 4,      // the same in each state: a global object, a function
  TP_RBOUND_IS_INNER = 8,         // where structs lie inside of objects, new ones too; total
  TP_RBOUND_MAY_BE_NEW = 16,      // no name of the pre-state: it may stand for a new object
  TP_RBOUND_IS_UNREFERENCED = 32  // an object, not null, to which no member of the pre-state leads
} tp_rbound_facts;
typedef struct {
  const char *text;  // for people
  const void *symbol;
  uint32_t arity;
  unsigned facts;  // tp_rbound_facts
} tp_rbound_name_info;

typedef struct {
  tp_rbound_kind kind;
  uint32_t arity;  // 0: a formula
  uint32_t n_kids;
  const tp_rbound *kids;
  int64_t number;
  uint32_t basic;         // NEW: its type
  uint32_t size;          // operators, as a tree; stops at UINT32_MAX
  bool has_new, has_any;  // some NEW or NEW_SET inside; some that may be new: UNIV, INTS, NEW_SET
  bool has_if;
  bool is_value;  // one atom in all executions in which an exact variable had it as its value
} tp_rbound_node;

tp_rbounds *tp_rbounds_new(void);
void tp_rbounds_free(tp_rbounds *t);
const tp_rbound_node *tp_rbound_at(const tp_rbounds *t, tp_rbound b);
const tp_rbound_name_info *tp_rbound_name_of(const tp_rbounds *t, tp_rbound b);
bool tp_rbounds_check(const tp_rbounds *t);  // the invariants; linear; for assertions

// ---------------------------------------------------------------------- leaves

/* The name of this symbol (equal symbols, equal names). */
tp_rbound tp_rbound_name(tp_rbounds *t, tp_rbound_name_info info);
tp_rbound tp_rbound_none(tp_rbounds *t, uint32_t arity);
tp_rbound tp_rbound_univ(tp_rbounds *t, uint32_t arity);
tp_rbound tp_rbound_ints(tp_rbounds *t);
tp_rbound tp_rbound_null(tp_rbounds *t);
tp_rbound tp_rbound_int(tp_rbounds *t, int64_t value);
tp_rbound tp_rbound_new_object(tp_rbounds *t, uint32_t basic, uint32_t number);
tp_rbound tp_rbound_new_set(tp_rbounds *t, uint32_t basic);

// ------------------------------------------------------------------ operations

tp_rbound tp_rbound_union(tp_rbounds *t, tp_rbound a, tp_rbound b);
tp_rbound tp_rbound_intersection(tp_rbounds *t, tp_rbound a, tp_rbound b);
tp_rbound tp_rbound_difference(tp_rbounds *t, tp_rbound a, tp_rbound b);
tp_rbound tp_rbound_join(tp_rbounds *t, tp_rbound a, tp_rbound r);
tp_rbound tp_rbound_product(tp_rbounds *t, tp_rbound a, tp_rbound b);
tp_rbound tp_rbound_override(tp_rbounds *t, tp_rbound r, tp_rbound s);
tp_rbound tp_rbound_reach(tp_rbounds *t, tp_rbound x, tp_rbound r);
/* x a value, r a member that is total: a walk that ends ends in one atom. */
tp_rbound tp_rbound_first(tp_rbounds *t, tp_rbound x, tp_rbound r, tp_rbound s);
tp_rbound tp_rbound_if(tp_rbounds *t, tp_rbound c, tp_rbound a, tp_rbound b);
tp_rbound tp_rbound_true(tp_rbounds *t);
tp_rbound tp_rbound_false(tp_rbounds *t);
/* Of values: sets of one atom in all executions in which the formula matters. */
tp_rbound tp_rbound_equal(tp_rbounds *t, tp_rbound a, tp_rbound b);
tp_rbound tp_rbound_less(tp_rbounds *t, tp_rbound a, tp_rbound b);
tp_rbound tp_rbound_not(tp_rbounds *t, tp_rbound f);
tp_rbound tp_rbound_and(tp_rbounds *t, tp_rbound f, tp_rbound g);
tp_rbound tp_rbound_or(tp_rbounds *t, tp_rbound f, tp_rbound g);

/* The objects of a set: without null where the text shows it; null begins no tuple anyway. */
tp_rbound tp_rbound_objects(tp_rbounds *t, tp_rbound a);

/* The operation as it stands, without any rule: for tests of the rules. */
tp_rbound tp_rbound_plain(tp_rbounds *t, tp_rbound_kind kind, const tp_rbound *kids, uint32_t n);

// -------------------------------------------------------------------- questions

/* Has it more than so many operators? What it has several times counts once, but written out it may
 * not have more than TP_CONTRACTS_BOUND_COPIES times as many. */
bool tp_rbound_is_larger(const tp_rbounds *t, tp_rbound b, uint32_t operators);
/* Is it, or has it inside, such a node? */
bool tp_rbound_has_some(const tp_rbounds *t, tp_rbound b, bool (*is)(const tp_rbound_node *n));

/* Is a a subset of b, as far as their texts show? Sound, not complete. */
bool tp_rbound_leq(const tp_rbounds *t, tp_rbound a, tp_rbound b);
/* Have a and b no atom in common, as far as their texts show? Sets. */
bool tp_rbound_disjoint(const tp_rbounds *t, tp_rbound a, tp_rbound b);
/* Does no tuple of r begin with an atom of a, as far as their texts show? */
bool tp_rbound_begins_none(const tp_rbounds *t, tp_rbound a, tp_rbound r);
/* Is f false where all of `facts` hold, as far as their texts show? */
bool tp_rbound_contradicts(const tp_rbounds *t, const tp_rbound *facts, uint32_t n, tp_rbound f);

void tp_rbound_print(const tp_rbounds *t, tp_rbound b, tp_str *out);

/* The rules, with their law; each is counted where it is used. */
#define TP_RBOUND_RULES(R)                                                                         \
  R(UNION_ABSORBS, "a + b = b if a in b")                                                          \
  R(UNION_LEFT, "(a -> c) + (b -> c) = (a + b) -> c")                                              \
  R(UNION_RIGHT, "(a -> b) + (a -> c) = a -> (b + c)")                                             \
  R(UNION_OVERRIDE, "r + (r ++ s) = r + s")                                                        \
  R(INTERSECTION_ABSORBS, "a & b = a if a in b")                                                   \
  R(INTERSECTION_DISJOINT, "a & b = none if a and b have no atom in common")                       \
  R(INTERSECTION_PART, "x & (a + b) = x & b if x and a have no atom in common")                    \
  R(INTERSECTION_WITHOUT, "(r - (a -> univ)) & (r - (b -> univ)) = r - ((a + b) -> univ)")         \
  R(DIFFERENCE_NONE, "a - b = none if a in b; a - none = a")                                       \
  R(DIFFERENCE_DISJOINT, "a - b = a if a and b have no atom in common")                            \
  R(DIFFERENCE_BEGINS, "r - (a -> univ) = r if no tuple of r begins with an atom of a")            \
  R(DIFFERENCE_TWICE, "(r - (a -> univ)) - (b -> univ) = r - ((a + b) -> univ)")                   \
  R(DIFFERENCE_UNION, "(a + b) - c = b - c if a in c")                                             \
  R(JOIN_NULL, "null . r = none; (x - null) . r = x . r")                                          \
  R(JOIN_NONE, "none . r = x . none = none")                                                       \
  R(JOIN_LEFT, "(a + b) . r = a . r + b . r")                                                      \
  R(JOIN_RIGHT, "a . (r + s) = a . r + a . s")                                                     \
  R(JOIN_BEGINS, "a . r = none if no tuple of r begins with an atom of a")                         \
  R(JOIN_PART, "(x & (a + b)) . r = (x & b) . r if no tuple of r begins with an atom of a")        \
  R(JOIN_PRODUCT, "a . (a -> b) = b if a is an object")                                            \
  R(JOIN_OVERRIDE, "a . (r ++ (a -> b)) = b if a is an object and b is not empty")                 \
  R(JOIN_OVERRIDE_ELSEWHERE, "a . (r ++ (c -> b)) = a . r if a and c have no atom in common")      \
  R(JOIN_WITHOUT, "a . (r - (b -> univ)) = a . r if a and b have no atom in common; none: a in b") \
  R(JOIN_OWNERS,                                                                                   \
    "(r + s) . a = r . a + s . a; (b -> c) . a = b if c is a value of a, none if not")             \
  R(JOIN_OWNERS_NEW,                                                                               \
    "r . (a + n) = r . a for a member r of the pre-state, if n is new, or no member leads to it")  \
  R(JOIN_OWNERS_IF, "(if c then r else s) . a = if c then r . a else s . a")                       \
  R(JOIN_OWNERS_UPDATE, "(r ++ (b -> c)) . a = r . a - b; r . a + b if c is a value of a")         \
  R(JOIN_IF, "(if c then a else b) . r = if c then a . r else b . r if a or b is null or none")    \
  R(PRODUCT_NONE, "none -> a = a -> none = none")                                                  \
  R(OVERRIDE_NONE, "r ++ none = r; none ++ s = s")                                                 \
  R(OVERRIDE_SAME,                                                                                 \
    "(r ++ (a -> b)) ++ (a -> c) = (r + (a -> b)) ++ (a -> c) = r ++ (a -> c) if "                 \
    "c is not empty")                                                                              \
  R(OVERRIDE_BEGINS, "r ++ (a -> b) = r + (a -> b) if no tuple of r begins with an atom of a")     \
  R(REACH_NONE, "none.*r = none; null.*r = null; x.*none = x")                                     \
  R(REACH_APART, "(x + y).*r = x + y.*r if no tuple of r begins with an atom of x")                \
  R(REACH_TWICE, "x.*r.*r = x.*r; (x + x.*r).*r = x.*r; (x + y).*r = x.*r if y in x.*r")           \
  R(FIRST_HERE, "the first of s from x is x if x in s; from none it is none")                      \
  R(FIRST_OLD, "walks from objects of the pre-state along its members come to no new object")      \
  R(IF_DECIDED, "if true then a else b = a; if c then a else a = a")                               \
  R(IF_NOT, "if not c then a else b = if c then b else a")                                         \
  R(IF_NESTED, "if c then (if c then a else b) else d = if c then a else d")                       \
  R(EQUAL_DECIDED, "a = a; values that differ by what they are: null, new objects, integers")      \
  R(EQUAL_INCLUDED, "a = b if a in b: both are one atom")                                          \
  R(EQUAL_IF,                                                                                      \
    "(if c then a else b) = d is c, not c, or one of these and the other equation, if "            \
    "a = d or b = d is decided")
typedef enum {
#define TP_R(name, law) TP_RBOUND_RULE_##name,
  TP_RBOUND_RULES(TP_R)
#undef TP_R
      TP_RBOUND_N_RULES
} tp_rbound_rule;
uint64_t tp_rbounds_used(const tp_rbounds *t, tp_rbound_rule rule);

#endif
