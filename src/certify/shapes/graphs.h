/* Heaps in certificates of kind `shapes`: the checker's own reader of doc/certificates.md.
 *
 * What       classes of cells, their predicates with definitions, rules and updates that help to
 *            prove a step, three-valued graphs.
 * Represents values as bytes: 0, 1, or TP_CHK_HALF. A definition is a tree over variables below 32;
 *            0 and 1 are those of its head.
 * Invariants a definition names predicates with smaller numbers only; fields lie within their cell;
 *            a graph has a value of each predicate of its class at each node, or pair of nodes.
 * Ownership  owns its vectors; trees and values live in its arena, terms in the program's table.
 * Source     doc/certificates.md, kind `shapes`; Sagiv, Reps, Wilhelm 2002, sec. 4 (structures). */
#ifndef TP_CERTIFY_SHAPES_GRAPHS_H
#define TP_CERTIFY_SHAPES_GRAPHS_H

#include "program/program.h"

enum { TP_CHK_HALF = 2, TP_CHK_VARIABLES = 32 };

typedef enum {
  TP_CHK_F_VALUE,
  TP_CHK_F_ATOM,
  TP_CHK_F_EQUAL,
  TP_CHK_F_NOT,
  TP_CHK_F_AND,
  TP_CHK_F_OR,
  TP_CHK_F_IF,
  TP_CHK_F_EXISTS,
  TP_CHK_F_FORALL,
  TP_CHK_F_PATH
} tp_chk_formula_kind;
typedef struct tp_chk_formula {
  tp_chk_formula_kind kind;
  uint8_t value;       // VALUE: 0, 1, TP_CHK_HALF
  uint32_t predicate;  // ATOM
  uint8_t a, b;        // ATOM, EQUAL, PATH: variables; EXISTS, FORALL: a
  bool has_b;          // ATOM
  bool is_reflexive;   // PATH
  uint64_t fields;     // PATH: bits of the fields of its steps
  const struct tp_chk_formula *kid[3];
} tp_chk_formula;

typedef enum {
  TP_CHK_P_POINTER,
  TP_CHK_P_FREED,
  TP_CHK_P_OUTSIDE,
  TP_CHK_P_FIELD,
  TP_CHK_P_DATA,
  TP_CHK_P_DEFINED,
  TP_CHK_P_OPAQUE
} tp_chk_predicate_kind;
typedef struct {
  tp_chk_predicate_kind kind;
  uint32_t arity;
  tp_var var;      // POINTER
  uint32_t field;  // FIELD
  tp_term data;    // DATA: over the graphs' `cell`
  const tp_chk_formula *definition;
} tp_chk_predicate;

/* An integrity rule: for all elements, the body implies the head. Claimed of all heaps; to be
 * proved. */
typedef struct {
  const tp_chk_formula *head, *body;
  uint32_t variables;  // free in either: bits
  uint64_t reads;      // bit k % 64: predicate k
} tp_chk_rule;

/* A hint: the predicate after a step through a pointer, as a formula over the heap before. To be
 * proved where it is used. */
typedef struct {
  uint32_t predicate, through;    // of a pointer
  const tp_chk_formula *formula;  // over variable 0 (and 1); may have values 1/2
} tp_chk_update;

typedef struct {
  uint64_t size;
  TP_VEC(uint64_t) offsets;
  TP_VEC(tp_chk_predicate) predicates;  // [0] unused
  TP_VEC(tp_chk_rule) rules;
  TP_VEC(tp_chk_update) updates;
} tp_chk_class;

typedef struct {
  uint32_t of, n;  // class; nodes
  const bool *is_single;
  const uint8_t **values;  // by predicate: n or n * n of them; [0] unused
} tp_chk_graph;

typedef struct {
  const tp_program *p;
  tp_arena arena;
  tp_term cell;                  // symbol: the address in terms of `data`
  TP_VEC(tp_chk_class) classes;  // [0] unused, graphs likewise
  TP_VEC(tp_chk_graph) graphs;
} tp_chk_graphs;
void tp_chk_graphs_init(tp_chk_graphs *s, const tp_program *p);
void tp_chk_graphs_clear(tp_chk_graphs *s);

/* Each reads one entry, from behind its first word, and cuts the text up. NULL, or what is wrong
 * with the entry: then the certificate is to be refused. */
const char *tp_chk_graphs_read_class(tp_chk_graphs *s, char *rest);
const char *tp_chk_graphs_read_predicate(tp_chk_graphs *s, char *rest);
const char *tp_chk_graphs_read_rule(tp_chk_graphs *s, char *rest);
const char *tp_chk_graphs_read_update(tp_chk_graphs *s, char *rest);
const char *tp_chk_graphs_read_graph(tp_chk_graphs *s, char *rest);

/* Every graph has a class, and a value of each of its predicates at each node or pair. */
bool tp_chk_graphs_check(const tp_chk_graphs *s);
/* The first predicate of this kind; 0: none. */
uint32_t tp_chk_class_find(const tp_chk_class *c, tp_chk_predicate_kind kind);
/* Variables that are free in the formula, as bits; predicates that it reads, bit k % 64 for
 * predicate k. */
uint32_t tp_chk_formula_free_variables(const tp_chk_formula *f);
uint64_t tp_chk_formula_reads(const tp_chk_class *c, const tp_chk_formula *f);
/* Has the node an element in each heap that the graph describes? readable: by predicate, has it a
 * value in this context? */
bool tp_chk_graph_is_inhabited(const tp_chk_class *c, const tp_chk_graph *graph,
                               const bool *readable, uint32_t node);

#endif
