/* Where probes come from: files, the user's source, the program itself.
 *
 * What       reads predicates (expression/predicate_file.h), functions named __twoproof_probe_NAME,
 *            and what flows backward from branches and checks (default_probes.c); each becomes a
 *            probe at the cutpoints where it means something.
 * Represents a probe's name is C over the user's names that reads back as its term at its cutpoint.
 * Ownership  names go to `arena`; probes are added to `out`. Doubles (same cutpoint, same term) are
 *            added once.
 * Source     Yorsh, Ball, Sagiv 2006, sec. 4 (probes: predicates that are run, and read
 *            symbolically). */
#ifndef TP_ADEQUACY_PROBE_SOURCES_H
#define TP_ADEQUACY_PROBE_SOURCES_H

#include "adequacy/probes.h"
#include "expression/predicate_file.h"

/* Adds a probe unless the same term is asked there already. */
void tp_probes_add(tp_probes *out, tp_arena *arena, tp_loc at, tp_term term, const char *name);

/* Errors: as tp_predicates_read. */
tp_status tp_probes_from_file(const tp_program *p, tp_predicate_locations cutpoints,
                              const char *path, tp_diag *diag, tp_arena *arena,
                              tp_probes *out) TP_MUST_USE;

/* Functions named TP_PROBE_PREFIX NAME (front/front.h): asked wherever variables with the names and
 * types of all their parameters are visible. A function that is more than an expression
 * (expression/pure_function.h), or is asked nowhere, is an error, said with its position. files:
 * the sources, searched for probes that the compiler dropped (static, unused): a warning. */
tp_status tp_probes_from_source(const tp_program *p, tp_predicate_locations cutpoints,
                                const char *const *files, size_t n_files, tp_diag *diag,
                                tp_arena *arena, tp_probes *out) TP_MUST_USE;

typedef struct {
  tp_property property;  // whose error locations come first
  uint32_t most;         // probes at one cutpoint; 0: 12
  bool without_sizes;    // leave out relations between fields and sizes of objects (to measure what
                         // they are worth)
} tp_default_probes;
/* What the program itself asks: see default_probes.c. */
void tp_probes_by_default(const tp_program *p, tp_predicate_locations cutpoints,
                          tp_default_probes how, tp_arena *arena, tp_probes *out);

/* As a file of predicates that gives the same probes again. */
void tp_probes_write(const tp_program *p, const tp_probes *probes, tp_str *out);

#endif
