/* The table of summaries: a list that only grows, so that numbers stay valid. */
#include "program/summary.h"

void tp_summaries_clear(tp_summaries *s) { tp_vec_clear(&s->list); }

uint32_t tp_summaries_add(tp_summaries *s, tp_summary x) {
  TP_REQUIRE(x.func.id);
  TP_REQUIRE((x.sound & ~(unsigned)(TP_SUMMARY_MAY | TP_SUMMARY_MUST)) == 0);
  if (s->list.n == 0) tp_vec_push(&s->list, (tp_summary){0});  // [0] is unused
  tp_vec_push(&s->list, x);
  return (uint32_t)s->list.n - 1;
}

uint32_t tp_summaries_next(const tp_summaries *s, tp_func f, uint32_t from) {
  TP_REQUIRE(from == 0 || from < s->list.n);
  for (uint32_t i = from + 1; i < s->list.n; i++)
    if (s->list.at[i].func.id == f.id) return i;
  return 0;
}
