/* Memory in a store. */
#include "cpa/store_priv.h"

bool tp_store_memory_leq(tp_store *st, const tp_elem *a, const tp_elem *b) { return (void)st, (void)a, (void)b, true; }
void tp_store_memory_join(tp_store *st, const tp_elem *a, const tp_elem *b, tp_elem *out, tp_store_combine combine) {
  (void)st, (void)a, (void)b, (void)out, (void)combine;
}
void tp_store_memory_initial(tp_store *st, tp_elem *e) { (void)st, (void)e; }
void tp_store_memory_print(const tp_store *st, const tp_elem *e, bool separate, tp_str *out) {
  (void)st, (void)e, (void)separate, (void)out;
}
tp_term tp_store_memory_formula(tp_store *st, const tp_elem *e) { return (void)e, tp_mk_true(st->tt); }
tp_absval tp_store_read(tp_store *st, const tp_elem *e, tp_sort s, tp_absval address) {
  return (void)st, (void)e, (void)s, (void)address, TP_ABSVAL_TOP;
}
tp_absval tp_store_ghost(tp_store *st, const tp_elem *e, tp_term array, tp_known object) {
  return (void)st, (void)e, (void)array, (void)object, TP_ABSVAL_TOP;
}
tp_term tp_store_cell_term(tp_store *st, uint32_t cell) { return (void)st, (void)cell, TP_TERM_NONE; }
bool tp_store_is_stack(const tp_store *st, const tp_elem *e, tp_known o) { return (void)st, (void)e, (void)o, false; }
void tp_store_assign_var(tp_store *st, tp_elem *e, tp_var v, tp_absval value) { tp_store_set_var(st, e, v, value); }
void tp_store_forget_var(tp_store *st, tp_elem *e, tp_var v) { tp_store_set_var(st, e, v, TP_ABSVAL_TOP); }
void tp_store_forget_object(tp_store *st, tp_elem *e, tp_known o) { (void)st, (void)e, (void)o; }
void tp_store_forget_contents(tp_store *st, tp_elem *e) { (void)st, (void)e; }
bool tp_store_follow_memory(tp_store *st, const tp_elem *e, tp_elem *out, const tp_edge_info *edge) {
  (void)e;
  if (edge->var.id) tp_store_assign_var(st, out, edge->var, TP_ABSVAL_TOP);
  return true;
}
