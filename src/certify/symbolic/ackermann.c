/* Ackermann reduction of reads: each read of an array symbol becomes a variable of its own, and
 * equal addresses give equal values. Solvers get formulas without arrays. */
#include "certify/symbolic/ackermann.h"

void tp_chk_ackermann_init(tp_chk_ackermann *f, tp_terms *tt) { *f = (tp_chk_ackermann){.tt = tt}; }

void tp_chk_ackermann_clear(tp_chk_ackermann *f) {
  tp_map_clear(&f->flat);
  tp_map_clear(&f->cell_of);
  tp_vec_clear(&f->todo);
}

static bool is_known(const tp_chk_ackermann *f, tp_term t, tp_term *out) {
  uint64_t id;
  if (tp_n_args(f->tt, t) == 0) return *out = t, true;
  if (!tp_map_get(&f->flat, t.id, &id)) return false;
  return *out = (tp_term){(uint32_t)id}, true;
}

/* The variable of a read whose index is flat. */
static tp_term cell(tp_chk_ackermann *f, tp_term read) {
  uint64_t id;
  if (tp_map_get(&f->cell_of, read.id, &id)) return (tp_term){(uint32_t)id};
  tp_term v = tp_mk_var(f->tt, "cell", tp_sort_of(f->tt, read));
  tp_map_set(&f->cell_of, read.id, v.id);
  return v;
}

tp_term tp_chk_ackermann_reduce(tp_chk_ackermann *f, tp_term t) {
  TP_REQUIRE(tp_term_is(t));
  tp_term out;
  if (is_known(f, t, &out)) return out;
  tp_vec_push(&f->todo, t.id);
  while (f->todo.n) {
    tp_term top = {tp_vec_last(&f->todo)}, args[3];
    size_t depth = f->todo.n;
    if (!is_known(f, top, &out)) {
      for (uint32_t i = 0; i < tp_n_args(f->tt, top); i++)
        if (!is_known(f, tp_arg(f->tt, top, i), &args[i]))
          tp_vec_push(&f->todo, tp_arg(f->tt, top, i).id);
      if (f->todo.n > depth) continue;
      out = tp_remake(f->tt, top, args);
      bool is_read =
          tp_kind(f->tt, out) == TP_OP_SELECT && tp_kind(f->tt, tp_arg(f->tt, out, 0)) == TP_OP_VAR;
      if (is_read) out = cell(f, out);
      tp_map_set(&f->flat, top.id, out.id);
    }
    (void)tp_vec_pop(&f->todo);
  }
  (void)is_known(f, t, &out);
  return out;
}
