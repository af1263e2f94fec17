/* Composite analyses: components over the same concrete states.
 *
 * What       the direct product of components as an analysis again, so composites nest; its operators are expressions over the
 *            components' operators plus strengthen and compare, chosen by name.
 * Represents the states that all components agree on (intersection of their meanings).
 * Settings   transfer  = cartesian | strengthened
 *            merge     = sep | join-on-location | pred-join | join-shape | join
 *            stop      = sep | join | pred-join
 *            adjust    = componentwise | none
 *            compare   = off | weaken       (a component that a neighbour implies becomes top)
 *            NAME.merge = sep | join, NAME.stop = sep | join for each component
 * Refused    stop join on a component whose join is not exact; merge join without a join; pred-join without a second component;
 *            a location missing where the operator needs one. The reason names component and setting.
 * Source     Theoduloz 2010, sec. 3.2.7, table 3.1, 4.3.3. */
#ifndef TP_CPA_COMPOSITE_H
#define TP_CPA_COMPOSITE_H

#include "cpa/reached.h"

/* From text: lines "name = value", `#` comments; "analysis = location callstack (interval octagon)" names the components,
 * parentheses nest. `waitlist = ORDER`. Unknown names and wrong combinations: NULL, why says line, what was expected, what to try. */
typedef struct {
  tp_cpa_env env;
  tp_cpa *cpa;                               // the composite
  tp_wait_order order;
  tp_contexts contexts;
  tp_arena arena;
} tp_composition;
tp_composition *tp_composition_open(const tp_program *p, tp_property property, const char *text, tp_stats *stats, tp_str *why);
void tp_composition_close(tp_composition *c);
/* Only the syntax and the combination, without a program: what --config checks before anything runs. */
bool tp_composition_check(const char *text, tp_str *why);

/* Components of an element of a composite (nested ones flattened). */
size_t tp_composite_n(const tp_cpa *composite);
tp_view tp_composite_view(const tp_cpa *composite, const tp_elem *e, size_t i);
bool tp_is_composite(const tp_cpa *cpa);

#endif
