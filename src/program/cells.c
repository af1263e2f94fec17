/* The symbols of memory cells, one array per sort that a LOAD can have. */
#include "program/cells.h"

#include "program/finish_priv.h"

static tp_sort sort_of_memory(tp_terms *tt, size_t i) {
  static const uint32_t widths[] = {8, 16, 32, 64, 128};
  switch (i) {
    case 0: return tp_sort_bool(tt);
    case 1: return tp_sort_ptr(tt);
    case 2: return tp_sort_fp(tt, 32);
    case 3: return tp_sort_fp(tt, 64);
    default: return tp_sort_bv(tt, widths[i - 4]);
  }
}

void tp_program_add_memories(tp_program *p) {
  static const char *const names[TP_N_MEMORIES] = {"@bool", "@ptr",  "@float", "@double", "@bv8",
                                                   "@bv16", "@bv32", "@bv64",  "@bv128"};
  tp_sort pointer = tp_sort_ptr(p->terms);
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    p->memory[i] = tp_mk_var(p->terms, names[i],
                             tp_sort_array(p->terms, pointer, sort_of_memory(p->terms, i)));
}

tp_term tp_cell(const tp_program *p, tp_sort sort, tp_term ptr) {
  TP_REQUIRE(tp_sort_kind_of(p->terms, tp_sort_of(p->terms, ptr)) == TP_SORT_PTR);
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    if (tp_sort_eq(tp_sort_element(p->terms, tp_sort_of(p->terms, p->memory[i])), sort))
      return tp_mk2(p->terms, TP_OP_SELECT, p->memory[i], ptr);
  return TP_TERM_NONE;
}

bool tp_is_memory(const tp_program *p, tp_term t, tp_sort *sort) {
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    if (!tp_term_eq(p->memory[i], t)) continue;
    *sort = tp_sort_element(p->terms, tp_sort_of(p->terms, t));
    return true;
  }
  return false;
}

bool tp_is_cell(const tp_program *p, tp_term t, tp_term *ptr) {
  tp_sort sort;
  if (tp_kind(p->terms, t) != TP_OP_SELECT || !tp_is_memory(p, tp_arg(p->terms, t, 0), &sort))
    return false;
  *ptr = tp_arg(p->terms, t, 1);
  TP_INVARIANT(tp_sort_eq(tp_sort_of(p->terms, t), sort));
  return true;
}
