/* What a certificate of kind `shapes` says of heaps: the checker's own reader of
 * doc/certificates.md.
 *
 * What       classes of cells, their predicates with definitions, rules and updates that help to
 *            show a step, three-valued graphs.
 * Represents values as bytes: 0, 1, or TP_CGRAPH_OPEN. A definition is a tree over variables below
 * 32; 0 and 1 are those of its head. Invariants a definition names predicates with smaller numbers
 * only; fields lie within their cell.
 * Ownership  owns its vectors; trees and values live in its arena, terms in the program's table. */
#ifndef TP_CERTIFY_SHAPES_GRAPHS_H
#define TP_CERTIFY_SHAPES_GRAPHS_H

#include "program/program.h"

enum { TP_CGRAPH_OPEN = 2, TP_CGRAPH_VARIABLES = 32 };

typedef enum {
  TP_CF_VALUE,
  TP_CF_ATOM,
  TP_CF_EQUAL,
  TP_CF_NOT,
  TP_CF_AND,
  TP_CF_OR,
  TP_CF_IF,
  TP_CF_SOME,
  TP_CF_ALL,
  TP_CF_PATH
} tp_cformula_kind;
typedef struct tp_cformula {
  tp_cformula_kind kind;
  uint8_t value;       // VALUE: 0, 1, OPEN
  uint32_t predicate;  // ATOM
  uint8_t a, b;        // ATOM, EQUAL, PATH: variables; SOME, ALL: a
  bool has_b;          // ATOM
  bool is_reflexive;   // PATH
  uint64_t fields;     // PATH: bits of the fields that its steps go along
  const struct tp_cformula *kid[3];
} tp_cformula;

typedef enum {
  TP_CP_POINTER,
  TP_CP_FREED,
  TP_CP_FOREIGN,
  TP_CP_FIELD,
  TP_CP_DATA,
  TP_CP_DEFINED,
  TP_CP_OPAQUE
} tp_cpredicate_kind;
typedef struct {
  tp_cpredicate_kind kind;
  uint32_t arity;
  tp_var var;      // POINTER
  uint32_t field;  // FIELD
  tp_term data;    // DATA: over the graphs' `cell`
  const tp_cformula *definition;
} tp_cpredicate;

/* A rule: whatever elements its variables stand for, where the body holds, the head does. Claimed
 * of all heaps; to be proved. */
typedef struct {
  const tp_cformula *head, *body;
  uint32_t variables;  // free in either: bits
  uint64_t reads;      // bit k % 64: predicate k
} tp_crule;

/* What a predicate may be behind a step that goes through a pointer, in terms of what was before.
 * To be proved where it is used. */
typedef struct {
  uint32_t predicate, through;  // of a pointer
  const tp_cformula *formula;  // over the variables 0 and, if it is of two, 1; may have open values
} tp_cupdate;

typedef struct {
  uint64_t size;
  TP_VEC(uint64_t) offsets;
  TP_VEC(tp_cpredicate) predicates;  // [0] unused
  TP_VEC(tp_crule) rules;
  TP_VEC(tp_cupdate) updates;
} tp_cclass;

typedef struct {
  uint32_t of, n;  // class; nodes
  const bool *is_single;
  const uint8_t **values;  // by predicate: n or n * n of them; [0] unused
} tp_cgraph;

typedef struct {
  const tp_program *p;
  tp_arena arena;
  tp_term cell;               // symbol: the address that `data` speaks of
  TP_VEC(tp_cclass) classes;  // [0] unused, graphs likewise
  TP_VEC(tp_cgraph) graphs;
} tp_cgraphs;
void tp_cgraphs_init(tp_cgraphs *s, const tp_program *p);
void tp_cgraphs_clear(tp_cgraphs *s);

/* Each reads one entry, from behind its first word. NULL, or what is wrong with it. The text is cut
 * up. */
const char *tp_cgraphs_class(tp_cgraphs *s, char *rest);
const char *tp_cgraphs_predicate(tp_cgraphs *s, char *rest);
const char *tp_cgraphs_rule(tp_cgraphs *s, char *rest);
const char *tp_cgraphs_update(tp_cgraphs *s, char *rest);
const char *tp_cgraphs_graph(tp_cgraphs *s, char *rest);

/* The first predicate of this kind; 0: none. */
uint32_t tp_cclass_find(const tp_cclass *c, tp_cpredicate_kind kind);
/* Variables that are free in the formula, as bits; predicates that it reads, bit k % 64 for
 * predicate k. */
uint32_t tp_cformula_free(const tp_cformula *f);
uint64_t tp_cformula_reads(const tp_cclass *c, const tp_cformula *f);
/* Must the node have an element in each heap that the graph describes? readable: predicates that
 * can be spoken of. */
bool tp_cgraph_must_have_element(const tp_cclass *c, const tp_cgraph *graph, const bool *readable,
                                 uint32_t node);

#endif
