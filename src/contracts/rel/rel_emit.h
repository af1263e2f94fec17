/* Formulas as C functions: for programs that evaluate a contract on their own heap.
 *
 * What       prints formulas as C functions over the sets that the rest of the program computed,
 *            after the definitions in lib/replay/relations.c, which come first.
 * Represents the meaning that contracts/rel/rel_eval.h gives, without any of its code: each
 *            operator is a call, each quantifier, comprehension and sum a function with a loop; a
 *            node that is used several times is a function that caches its last answer. Comments
 *            print the formula as Alloy does.
 * Needs      enumerators TP_ATOMS, TP_LEAST, TP_MOST and a macro TP_INT(i) in front of the
 *            definitions: number of atoms, bounds of the width, the atom of an integer
 *            (tp_rel_emit_constants). Every integer of the width has an atom.
 * Ownership  texts are the caller's. */
#ifndef TP_CONTRACTS_REL_REL_EMIT_H
#define TP_CONTRACTS_REL_REL_EMIT_H

#include "contracts/rel/rel_bounds.h"

typedef struct {
  const char *function;    // "tp_claim_1": static tp_truth tp_claim_1(void)
  const char *comment;     // one line, or NULL: as Alloy writes it
  tp_rel_formula formula;  // without free variables
} tp_rel_emitted_formula;

/* Errors: TP_ERR_UNSUPPORTED if the integers of the width are not atoms in a row. */
tp_status tp_rel_emit_constants(const tp_rel_universe *u, uint32_t width_bits,
                                tp_str *out) TP_MUST_USE;
void tp_rel_emit_definitions(tp_str *out);
/* relations: by number, the C variable of type const tp_set * that holds it. */
void tp_rel_emit(const tp_rel *l, const tp_rel_emitted_formula *all, size_t n,
                 const char *const *relations, tp_str *out);
/* Is the relation spoken of in one of them? used: by number of relation, set. */
void tp_rel_emit_used(const tp_rel *l, const tp_rel_emitted_formula *all, size_t n, bool *used);

#endif
