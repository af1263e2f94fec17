/* Three-valued structures that the checker computes with.
 *
 * What       evaluation of formulas, coerce by rules, focus, embedding.
 * Represents a set of heaps by a function from their elements to nodes (doc/certificates.md): a
 *            value 0 or 1 at a node, or a pair of nodes, is the value for all elements there; a
 *            single node has at most one element, an inhabited one at least one.
 * Law        each operation keeps every heap that the structure represents (focus: in one of the
 *            cases); `false` says that there is none. Rules hold in all heaps: the caller proves
 *            them.
 * Cost       a formula is evaluated for one choice of nodes at a time; a rule again only if
 *            something that it reads changed.
 * Ownership  the caller owns each structure; the class is borrowed.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 4 and 6; independent of src/shape. */
#ifndef TP_CERTIFY_SHAPES_THREE_VALUED_H
#define TP_CERTIFY_SHAPES_THREE_VALUED_H

#include "certify/certify_limits.h"
#include "certify/shapes/graphs.h"

typedef struct {
  const tp_chk_class *c;
  uint32_t n;
  bool is_single[TP_CERTIFY_STRUCTURE_NODES], is_inhabited[TP_CERTIFY_STRUCTURE_NODES];
  uint8_t *values;   // by predicate, node, node: see tp_chk_structure_at
  uint64_t changed;  // since rules were last applied, bit k % 64: predicate k; all bits: nodes
  uint32_t version;  // counts changes
  TP_VEC(struct tp_chk_structure_paths *) paths;  // remembered: by set of fields
} tp_chk_structure;

static inline uint8_t *tp_chk_structure_at(const tp_chk_structure *g, uint32_t predicate,
                                           uint32_t u, uint32_t v) {
  TP_REQUIRE(predicate && predicate < g->c->predicates.n && u < TP_CERTIFY_STRUCTURE_NODES &&
             v < TP_CERTIFY_STRUCTURE_NODES);
  return &g->values[((size_t)predicate * TP_CERTIFY_STRUCTURE_NODES + u) *
                        TP_CERTIFY_STRUCTURE_NODES +
                    v];  // of one: v = 0
}

/* All values are 1/2. */
tp_chk_structure *tp_chk_structure_new(const tp_chk_class *c, uint32_t n);
/* Values are 0, 1 or 1/2; there are at most TP_CERTIFY_STRUCTURE_NODES nodes. */
bool tp_chk_structure_check(const tp_chk_structure *g);
tp_chk_structure *tp_chk_structure_copy(const tp_chk_structure *g);
void tp_chk_structure_free(tp_chk_structure *g);
/* The certificate's graph in a context in which only these predicates have values; NULL: too large.
 */
tp_chk_structure *tp_chk_structure_of_graph(const tp_chk_class *c, const tp_chk_graph *graph,
                                            const bool *readable);

/* The node to which the pointer of this predicate leads in every heap; -1: not known. */
int tp_chk_structure_pointer_node(const tp_chk_structure *g, uint32_t pointer);
/* The value in Kleene's logic; env: nodes, by variable. */
uint8_t tp_chk_structure_eval(tp_chk_structure *g, const tp_chk_formula *f, const uint8_t *env);

/* Is that the value? The same answer, with less work where it is no. */
bool tp_chk_structure_is(tp_chk_structure *g, const tp_chk_formula *f, const uint8_t *env,
                         bool value);

/* TVLA's coerce: 1/2 becomes definite by what predicates mean (a pointer leads to one element, a
 * field is a function, only cells that were not freed have fields) and by rules, until nothing
 * changes. A rule is used only if `holds` says that it was proved. False: no heap is represented.
 */
typedef struct {
  const tp_chk_rule *at;
  size_t n;
  bool (*holds)(void *ctx, size_t rule);
  void *ctx;
} tp_chk_rules;
bool tp_chk_structure_coerce(tp_chk_structure *g, const tp_chk_rules *rules);

/* TVLA's focus: cases in which the field of the single node u leads to one node, or to none.
 * Appends structures that together represent every heap of g, not coerced. False: too many nodes,
 * or u may stand for no element or several. */
typedef TP_VEC(tp_chk_structure *) tp_chk_structures;
bool tp_chk_structure_focus(const tp_chk_structure *g, uint32_t field, uint32_t u,
                            tp_chk_structures *out);

/* Does the certificate's graph describe every heap of g, by its readable predicates? False, too, if
 * too many embeddings would have to be tried. */
bool tp_chk_structure_embeds(const tp_chk_structure *g, const tp_chk_graph *into,
                             const bool *readable);

#endif
