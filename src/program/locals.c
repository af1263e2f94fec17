/* Variables by function: a counting sort by owner, which keeps the order of numbers. */
#include "program/locals.h"

void tp_locals_init(tp_locals *l, const tp_program *p) {
  l->first = TP_NEW_ARRAY(uint32_t, p->funcs.n + 2);
  l->at = TP_NEW_ARRAY(tp_var, p->vars.n + 1);
  for (size_t v = 1; v < p->vars.n; v++) l->first[p->vars.at[v].func.id + 1]++;
  for (size_t f = 0; f <= p->funcs.n; f++) l->first[f + 1] += l->first[f];
  uint32_t *next = TP_NEW_ARRAY(uint32_t, p->funcs.n + 1);
  for (uint32_t v = 1; v < p->vars.n; v++) {
    uint32_t f = p->vars.at[v].func.id;
    TP_INVARIANT(f < p->funcs.n && l->first[f] + next[f] < l->first[f + 1]);
    l->at[l->first[f] + next[f]++] = (tp_var){v};
  }
  tp_free(next);
}

void tp_locals_clear(tp_locals *l) {
  tp_free(l->first);
  tp_free(l->at);
}
