/* Three-valued graphs that the checker computes with: what is true of every heap that a graph
 * describes.
 *
 * What       evaluation of formulas, sharpening by rules, case splits, embedding.
 * Represents a set of heaps by a function from their elements to nodes, as doc/certificates.md
 * says: a value 0 or 1 at a node, or a pair of nodes, is
 *            the value for all elements there; a single node has at most one element, an inhabited
 *            one at least one.
 * Law        each operation keeps every heap that the graph stood for (tp_kleene_split: in one of
 *            the parts); `false` says that there was none. Rules are formulas that hold in all
 *            heaps: the caller has proved them.
 * Cost       formulas are evaluated for one choice of nodes at a time; a rule is looked at again
 *            only if something that it reads changed.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 4 and 6; independent of src/shape. */
#ifndef TP_CERTIFY_SHAPES_KLEENE_H
#define TP_CERTIFY_SHAPES_KLEENE_H

#include "certify/shapes/graphs.h"

enum { TP_KLEENE_NODES = 24 };

typedef struct {
  const tp_cclass *c;
  uint32_t n;
  bool is_single[TP_KLEENE_NODES], is_inhabited[TP_KLEENE_NODES];
  uint8_t *values;   // by predicate, node, node: see tp_kleene_at
  uint64_t changed;  // bit k % 64: predicate k was changed since rules were last applied; all bits:
                     // nodes were
  uint32_t version;  // counts changes
  TP_VEC(struct tp_kleene_paths *) paths;  // remembered: by set of fields
} tp_kleene;

static inline uint8_t *tp_kleene_at(const tp_kleene *g, uint32_t predicate, uint32_t u,
                                    uint32_t v) {
  return &g->values[((size_t)predicate * TP_KLEENE_NODES + u) * TP_KLEENE_NODES +
                    v];  // of one: v = 0
}

/* With all values open. */
tp_kleene *tp_kleene_new(const tp_cclass *c, uint32_t n);
tp_kleene *tp_kleene_copy(const tp_kleene *g);
void tp_kleene_free(tp_kleene *g);
/* The certificate's graph, for a moment at which only these predicates can be spoken of; NULL: it
 * is too large. */
tp_kleene *tp_kleene_of(const tp_cclass *c, const tp_cgraph *graph, const bool *readable);

/* The node to which the pointer of this predicate leads for certain; -1: it is not known. */
int tp_kleene_node_of(const tp_kleene *g, uint32_t pointer);
/* The value with nodes for the variables. */
uint8_t tp_kleene_eval(tp_kleene *g, const tp_cformula *f, const uint8_t *env);

/* Makes open values definite, by what predicates mean (a pointer leads to one element, a field is a
 * function, freed cells and strangers have none) and by rules, until nothing changes. `holds` is
 * asked before a rule is used: has it been proved? False: there is no such heap. */
typedef struct {
  const tp_crule *at;
  size_t n;
  bool (*holds)(void *ctx, size_t rule);
  void *ctx;
} tp_crules;
bool tp_kleene_sharpen(tp_kleene *g, const tp_crules *rules);

/* Cases: what the field of the single node u leads to is one node, or none. Appends graphs that
 * together stand for every heap of g (not sharpened). False: too many nodes; or u is not single. */
typedef TP_VEC(tp_kleene *) tp_kleenes;
bool tp_kleene_split(const tp_kleene *g, uint32_t field, uint32_t u, tp_kleenes *out);

/* Does the certificate's graph describe every heap of g, as far as predicates can be spoken of?
 * False, too, where too many ways to put nodes would have to be tried. */
bool tp_kleene_embeds(const tp_kleene *g, const tp_cgraph *into, const bool *readable);

#endif
