/* Composite analyses: components over the same concrete states.
 *
 * What       the direct product of components as an analysis again, so composites nest. Its
 *            operators are expressions over the components' operators plus strengthen and compare,
 *            chosen by name; elements of components are opaque.
 * Represents the states that all components agree on (intersection of their meanings). A
 *            product with a part that represents no state is never made: a step that is
 *            impossible for one component has no successor.
 * Roles      control components give a location or a context (location, callstack); the others are
 *            data, in the order given. The thesis's triple (l, r, d) is (control, data but the
 *            last, last of data).
 * Laws       those of cpa.h, by the components' own; stop = join joins one component at a time; all
 *            others must cover.
 * Ownership  a composite owns its components: tp_cpa_close closes them.
 * Source     Theoduloz 2010, sec. 3.2.7, table 3.1, 4.3.3, 4.4.2, 4.4.5 (precision-transfer); we
 *            differ: the printed stop join groups by location alone, which is unsound for several
 *            elements of one location. */
#ifndef TP_CPA_COMPOSITE_H
#define TP_CPA_COMPOSITE_H

#include "cpa/cpa.h"

/* The operators of a composite. The names in comments are those of compositions
 * (cpa/composition.h). e' is new, e'' old. */
typedef enum {
  TP_TRANSFER_CARTESIAN,    // cartesian: each component steps on its own
  TP_TRANSFER_STRENGTHENED  // strengthened: then each is strengthened by the others
} tp_composite_transfer;
typedef enum {
  TP_MERGE_SEP,               // sep: e'' stays
  TP_MERGE_JOIN_ON_LOCATION,  // join-on-location: equal control: data components by their own
                              // merges
  TP_MERGE_PRED_JOIN,         // pred-join: equal control and equal r: d by its own merge
  TP_MERGE_JOIN_SHAPE,        // join-shape: equal control: d by its own merge, r stays
  TP_MERGE_JOIN               // join: the name that the thesis uses for several data components; as
                              // join-on-location
} tp_composite_merge;
typedef enum {
  TP_STOP_SEP,   // sep: one candidate covers in every component
  TP_STOP_JOIN,  // join: the candidates that cover in all components but one cover together in that
                 // one
  TP_STOP_PRED_JOIN  // pred-join: the same, that one is d
} tp_composite_stop;
typedef enum {
  TP_ADJUST_COMPONENTWISE,      // componentwise: each component on its own
  TP_ADJUST_NONE,               // none
  TP_ADJUST_PRECISION_TRANSFER  // precision-transfer: then lvalues that one component stops
                                // tracking are transferred to the others (the thesis's C1)
} tp_composite_adjust;
typedef enum {
  TP_COMPARE_OFF,
  TP_COMPARE_WEAKEN
} tp_composite_compare;  // weaken: a part that another implies becomes top

typedef struct {
  tp_composite_transfer transfer;
  tp_composite_merge merge;
  tp_composite_stop stop;
  tp_composite_adjust adjust;
  tp_composite_compare compare;
} tp_composite_operators;

/* The properties of a component that the rules of combination depend on. */
typedef struct {
  const char *name;
  bool is_control;    // represents a location or a context only
  bool has_location;  // the component, or one of its components, has `location`
  bool has_join, is_powerset, widens, can_interrupt, drops_precision, accepts_precision;
  bool merge_join, stop_join;  // its own merge and stop inside the composite; otherwise sep
} tp_component_traits;
/* Of a row of the table of analyses; merge_join by its default_merge. */
tp_component_traits tp_component_traits_of(const tp_cpa_ops *ops);
/* Of a composite of these. */
tp_component_traits tp_composite_traits(const char *name, const tp_component_traits *parts,
                                        size_t n);
/* Is the combination sound, and does every operator have an effect? why names component, setting
 * and alternative. has_location: an enclosing composite has one. */
bool tp_composite_allowed(tp_composite_operators operators, const tp_component_traits *parts,
                          size_t n, bool has_location, tp_str *why);

typedef struct {
  tp_cpa *cpa;
  tp_component_traits traits;
} tp_component;
/* Requires: the combination is allowed. NULL: why has the message; the components are still the
 * caller's. */
tp_cpa *tp_composite_new(tp_cpa_env *env, const char *name, tp_composite_operators operators,
                         const tp_component *components, size_t n, tp_str *why);

bool tp_is_composite(const tp_cpa *cpa);
/* Components of an element of a composite (nested ones flattened); of another analysis: itself. */
size_t tp_composite_n(const tp_cpa *cpa);
tp_view tp_composite_view(const tp_cpa *cpa, const tp_elem *e, size_t i);
/* e with another element of one component, nested or not; component may be cpa itself. */
const tp_elem *tp_composite_replace(tp_cpa *cpa, const tp_elem *e, const tp_cpa *component,
                                    const tp_elem *part);
/* The component with these operators in a composite, nested or not, or cpa itself; NULL: none. One
 * inside of a wrapper (cpa/local.h), which has its name but other operators, is not found. */
tp_cpa *tp_composite_find(tp_cpa *cpa, const tp_cpa_ops *ops);

#endif
