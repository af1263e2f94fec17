/* Certificates of shapes: what a proof says beside its formulas (doc/certificates.md, kind
 * `shapes`).
 *
 * What       kinds of cells, predicates of them, three-valued graphs, and which graphs belong to
 *            which formula; the writer.
 * Represents the text's entries, one record each. Nothing here knows how graphs are computed.
 * Use        make one, add to it, hang it on the invariants (`invariants.h`), write those.
 * Ownership  owns its vectors; texts and values are copied into its arena. */
#ifndef TP_ENGINE_CERT_SHAPES_H
#define TP_ENGINE_CERT_SHAPES_H

#include "program/program.h"

typedef enum {
  TP_CERT_POINTER,  // v is where `var` points
  TP_CERT_FREED,
  TP_CERT_OUTSIDE,
  TP_CERT_FIELD,    // (u, v): the field `field` of u leads to v
  TP_CERT_DATA,     // `data` holds, where the symbol `cell` (PTR) is v's address
  TP_CERT_DEFINED,  // `formula`, in the notation of the certificate
  TP_CERT_OPAQUE    // no meaning that a certificate could tell
} tp_cert_predicate_kind;

typedef struct {
  tp_cert_predicate_kind kind;
  uint32_t arity;  // DEFINED, OPAQUE: 1 or 2
  tp_var var;
  uint32_t field;  // index into the class's offsets
  tp_term data, cell;
  const char *formula;
} tp_cert_predicate;

typedef struct {
  uint64_t size_bytes;
  TP_VEC(uint64_t) offsets;              // of the fields, bytes
  TP_VEC(tp_cert_predicate) predicates;  // number N of the text is [N - 1]
  TP_VEC(const char *) hints;            // `rule` and `update` lines, different ones
} tp_cert_class;

typedef struct {
  uint32_t of;  // class, from 1
  uint32_t n_nodes;
  const char *values;  // '0', '1', 'h': n_nodes for SINGLE, then for each predicate n_nodes or
                       // n_nodes * n_nodes
} tp_cert_graph;

typedef struct {
  uint32_t entry;  // index of the `at` entry in tp_invariants.list
  uint32_t graph;  // from 1
} tp_cert_described;

typedef struct tp_cert_shapes {
  tp_arena arena;
  TP_VEC(tp_cert_class) classes;  // number K of the text is [K - 1]; graphs likewise
  TP_VEC(tp_cert_graph) graphs;
  TP_VEC(tp_cert_described) described;  // in ascending order of entries
} tp_cert_shapes;
void tp_cert_shapes_init(tp_cert_shapes *s);
void tp_cert_shapes_clear(tp_cert_shapes *s);

/* Each gives the number of what was added, from 1. */
uint32_t tp_cert_shapes_class(tp_cert_shapes *s, uint64_t size_bytes);
void tp_cert_shapes_field(tp_cert_shapes *s, uint32_t of, uint64_t offset);
uint32_t tp_cert_shapes_predicate(tp_cert_shapes *s, uint32_t of, tp_cert_predicate predicate);
/* What may help to check graphs: head and body of a rule; what a predicate is behind a step that
 * goes through the pointer of another one. */
void tp_cert_shapes_rule(tp_cert_shapes *s, uint32_t of, const char *text);
void tp_cert_shapes_update(tp_cert_shapes *s, uint32_t of, uint32_t predicate, uint32_t through,
                           const char *formula);
uint32_t tp_cert_shapes_graph(tp_cert_shapes *s, uint32_t of, uint32_t n_nodes, const char *values);
void tp_cert_shapes_describe(tp_cert_shapes *s, uint32_t entry, uint32_t graph);

/* How many values a graph of this class with so many nodes has. */
size_t tp_cert_n_values(const tp_cert_class *c, uint32_t n_nodes);

/* The entries `class`, `predicate`, `rule`, `update`, `graph`. False: a term has no text. */
bool tp_cert_shapes_write(const tp_cert_shapes *s, const tp_program *p, tp_str *out) TP_MUST_USE;
/* The `shape` lines of one `at` entry. */
void tp_cert_shapes_write_described(const tp_cert_shapes *s, uint32_t entry, tp_str *out);

#endif
