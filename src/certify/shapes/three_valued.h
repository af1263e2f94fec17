/* Three-valued graphs that the checker computes with: what is true of every heap that a graph
 * describes.
 *
 * What       evaluation of formulas, sharpening by rules, case splits, embedding.
 * Represents a set of heaps by a function from their elements to nodes, as doc/certificates.md
 * says: a value 0 or 1 at a node, or a pair of nodes, is
 *            the value for all elements there; a single node has at most one element, an inhabited
 *            one at least one.
 * Law        each operation keeps every heap that the graph stood for (tp_chk_structure_focus: in
 * one of the parts); `false` says that there was none. Rules are formulas that hold in all heaps:
 * the caller has proved them. Cost       formulas are evaluated for one choice of nodes at a time;
 * a rule is looked at again only if something that it reads changed. Source     Sagiv, Reps,
 * Wilhelm 2002, sec. 4 and 6; independent of src/shape. */
#ifndef TP_CERTIFY_SHAPES_THREE_VALUED_H
#define TP_CERTIFY_SHAPES_THREE_VALUED_H

#include "certify/shapes/graphs.h"

enum { TP_CHK_NODES = 24 };

typedef struct {
  const tp_chk_class *c;
  uint32_t n;
  bool is_single[TP_CHK_NODES], is_inhabited[TP_CHK_NODES];
  uint8_t *values;   // by predicate, node, node: see tp_chk_structure_at
  uint64_t changed;  // bit k % 64: predicate k was changed since rules were last applied; all bits:
                     // nodes were
  uint32_t version;  // counts changes
  TP_VEC(struct tp_chk_structure_paths *) paths;  // remembered: by set of fields
} tp_chk_structure;

static inline uint8_t *tp_chk_structure_at(const tp_chk_structure *g, uint32_t predicate,
                                           uint32_t u, uint32_t v) {
  return &g->values[((size_t)predicate * TP_CHK_NODES + u) * TP_CHK_NODES + v];  // of one: v = 0
}

/* With all values open. */
tp_chk_structure *tp_chk_structure_new(const tp_chk_class *c, uint32_t n);
tp_chk_structure *tp_chk_structure_copy(const tp_chk_structure *g);
void tp_chk_structure_free(tp_chk_structure *g);
/* The certificate's graph, for a moment at which only these predicates can be spoken of; NULL: it
 * is too large. */
tp_chk_structure *tp_chk_structure_of_graph(const tp_chk_class *c, const tp_chk_graph *graph,
                                            const bool *readable);

/* The node to which the pointer of this predicate leads for certain; -1: it is not known. */
int tp_chk_structure_pointer_node(const tp_chk_structure *g, uint32_t pointer);
/* The value with nodes for the variables. */
uint8_t tp_chk_structure_eval(tp_chk_structure *g, const tp_chk_formula *f, const uint8_t *env);

/* Makes open values definite, by what predicates mean (a pointer leads to one element, a field is a
 * function, freed cells and strangers have none) and by rules, until nothing changes. `holds` is
 * asked before a rule is used: has it been proved? False: there is no such heap. */
typedef struct {
  const tp_chk_rule *at;
  size_t n;
  bool (*holds)(void *ctx, size_t rule);
  void *ctx;
} tp_chk_rules;
bool tp_chk_structure_coerce(tp_chk_structure *g, const tp_chk_rules *rules);

/* Cases: what the field of the single node u leads to is one node, or none. Appends graphs that
 * together stand for every heap of g (not sharpened). False: too many nodes; or u is not single. */
typedef TP_VEC(tp_chk_structure *) tp_chk_structures;
bool tp_chk_structure_focus(const tp_chk_structure *g, uint32_t field, uint32_t u,
                            tp_chk_structures *out);

/* Does the certificate's graph describe every heap of g, as far as predicates can be spoken of?
 * False, too, where too many ways to put nodes would have to be tried. */
bool tp_chk_structure_embeds(const tp_chk_structure *g, const tp_chk_graph *into,
                             const bool *readable);

#endif
