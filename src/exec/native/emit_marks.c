/* Which marks variables can have where: definite assignment, forward over the locations of one
 * function.
 *
 * A set of marks for each location and slot; none at the function's entry, all bits behind a HAVOC
 * that leaves a variable indeterminate, none behind any other assignment, and behind a use, since
 * code that meets a mark there has been left. The sets make code faster, but no
 * argument rests on them: an entry of a plain function compares the marks of the state with the
 * sets. Sets only grow, so the fixpoint iteration ends. */
#include "exec/native/emit.h"

#include "exec/exec_limits.h"

static void clear_used(const tp_snippet *sn, uint8_t *row) {
  for (uint32_t i = 0; i < sn->n; i++)
    if (sn->at[i].op == TP_X_LOCAL && row[sn->at[i].imm]) row[sn->at[i].imm] = TP_STATUS_NONE;
}

static void step(const tp_emitter *e, uint32_t edge, uint8_t *row) {
  const tp_edge_info *info = &e->p->edges.at[edge];
  const tp_op *op = tp_code_op(e->n->code, edge);
  const tp_snippet *all[] = {&op->a, &op->b, &op->c};
  for (size_t i = 0; i < 3; i++) clear_used(all[i], row);
  for (uint32_t i = 0; i < info->n_args; i++) clear_used(&op->args[i], row);
  bool is_open = info->kind == TP_E_HAVOC && info->input == TP_I_INDETERMINATE;
  if (info->var.id && !op->var_is_global && tp_emit_has_value(op->layout))
    row[op->slot] = is_open ? TP_STATUS_ALL : TP_STATUS_NONE;
}

static bool join(uint8_t *into, const uint8_t *from, size_t n) {
  bool grew = false;
  for (size_t i = 0; i < n; i++) {
    grew |= (from[i] & ~into[i]) != 0;
    into[i] |= from[i];
  }
  return grew;
}

uint8_t *tp_emit_mark_status(const tp_emitter *e, tp_func f, size_t slots) {
  const tp_program *p = e->p;
  if (!slots || p->locs.n * slots > TP_EXEC_NATIVE_MARK_CELLS) return NULL;
  uint8_t *status = TP_NEW_ARRAY(uint8_t, p->locs.n *slots), *row = TP_NEW_ARRAY(uint8_t, slots);
  memset(&status[tp_func_of(p, f)->entry.id * slots], TP_STATUS_NONE, slots);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t l = 1; l < p->locs.n; l++) {
      if (p->locs.at[l].func.id != f.id || !status[l * slots]) continue;
      tp_edge_list out = tp_out_edges(p, (tp_loc){l});
      for (uint32_t i = 0; i < out.n; i++) {
        memcpy(row, &status[l * slots], slots);
        step(e, out.at[i], row);
        again |= join(&status[p->edges.at[out.at[i]].to.id * slots], row, slots);
      }
    }
  }
  tp_free(row);
  return status;
}

uint8_t tp_emit_status_at(const tp_emitter *e, tp_loc l, size_t slots, size_t slot) {
  return e->status ? e->status[l.id * slots + slot] : TP_STATUS_NONE | TP_STATUS_ALL;
}
