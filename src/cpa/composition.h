/* Compositions: analyses and how they are put together, as text.
 *
 * What       lines "name = value"; # and what follows is a comment. Names without a dot set the
 *            operators of the composite:
 *              analysis   components in order; parentheses nest: location callstack (interval
 *                         octagon) a name right before a parenthesis names the group:
 *                         numbers(interval octagon) per-location(NAME): NAME with a precision for
 *                         each location (cpa/local.h)
 *              transfer   cartesian | strengthened
 *              merge      sep | join-on-location | pred-join | join-shape | join
 *              stop       sep | join | pred-join
 *              adjust     componentwise | none | precision-transfer
 *              compare    off | weaken
 *              waitlist   dfs | bfs | reverse-postorder | callstack
 *              refine.KEY how engine cegar refines the whole: sources (of predicates, in order:
 *              mined, and the names of
 *                         formula/interpolants.h), prefixes (cheapest | whole | first: the
 *                         shortest, from the first source), predicates (atoms | formulas), method
 *                         (explore | restart: everything is explored again | strengthen: formulas
 *                         go to the nodes themselves, for predicate.blocks = edges), paths (one |
 *                         all), prefer (cheaper | first: of several analyses that rule out a path
 *                         the cheaper, or the first)
 *            NAME.merge and NAME.stop (sep | join) say how a component is merged and stopped inside
 *            its composite, NAME.KEY is a setting of its own; a named group has the settings of the
 *            whole.
 * Defaults   transfer cartesian; merge as the components ask: join if all data components are
 *            merged by join, pred-join if the last one is, else sep; stop sep; adjust
 *            componentwise; compare off; waitlist reverse-postorder.
 * Law        unknown names and combinations that are unsound or say nothing are refused, with line,
 *            reason and what to try. */
#ifndef TP_CPA_COMPOSITION_H
#define TP_CPA_COMPOSITION_H

#include "cpa/composite.h"
#include "cpa/reached.h"

typedef struct {
  tp_cpa_env env;
  tp_cpa *cpa;  // the composite
  tp_wait_order order;
  tp_contexts contexts;
  tp_arena arena;
} tp_composition;

/* NULL: why has the message ("line 3: ..."). The program and the statistics are borrowed. */
tp_composition *tp_composition_open(const tp_program *p, tp_property property, const char *text,
                                    tp_stats *stats, tp_str *why);
/* The same, with the classes that the analysis shape can choose from; NULL: those of lib/shape. */
tp_composition *tp_composition_open_with(const tp_program *p, tp_property property,
                                         const char *text,
                                         const struct tp_shape_library *shape_classes,
                                         tp_stats *stats, tp_str *why);
void tp_composition_close(tp_composition *c);

/* Only the syntax and the combination, without a program. On failure: why without the line, which
 * goes to *line (0: none); line may be NULL, then why starts with it. */
bool tp_composition_check(const char *text, uint32_t *line, tp_str *why);

#endif
