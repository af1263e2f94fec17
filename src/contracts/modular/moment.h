/* One state of an execution, read out: everything is evaluated, nothing is remembered from the
 * search.
 *
 * What       which objects are there and which are gone, what fields and globals hold, what the
 *            function is called with and gives.
 * Ownership  a moment borrows heap, body and instance; _open to _close. */
#ifndef TP_CONTRACTS_MODULAR_MOMENT_H
#define TP_CONTRACTS_MODULAR_MOMENT_H

#include "contracts/modular/body.h"
#include "contracts/rel/eval.h"

/* AFTER: where the function returns; else the start. */
typedef enum { TP_SHOW_BEFORE, TP_SHOW_AFTER } tp_show_moment;

typedef struct {
  const tp_rheap *h;
  const tp_rbody *b;
  tp_rel_eval *e;
  tp_rel_tuples *values;  // by field of the heap
  tp_rel_tuples *there;   // by basic type: objects, gone ones too
  tp_rel_tuples gone;
} tp_rmoment;
void tp_rmoment_open(tp_rmoment *m, const tp_rheap *h, const tp_rbody *b, const tp_rel_instance *i,
                     tp_show_moment when);
void tp_rmoment_close(tp_rmoment *m);

bool tp_rmoment_is_there(const tp_rmoment *m, uint32_t basic, uint32_t object);
bool tp_rmoment_is_gone(const tp_rmoment *m, uint32_t object);
/* What a set of one holds: true and an atom; or why it has none, as "(nothing)". */
bool tp_rmoment_value(const tp_rmoment *m, tp_rel_expr x, uint32_t *atom, const char **why);
/* The value of a field without owner: "1"; a ghost is a set of tuples: "{node0, node2}". False: it
 * has an owner, or no value. */
bool tp_rmoment_print_global(const tp_rmoment *m, size_t field, tp_str *out);

#endif
