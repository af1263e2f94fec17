/* One line per node: single or summary, the unary predicates that hold or may hold, then binary
 * ones by target. A question mark is 1/2. */
#include "shape/structure_print.h"

/* "pt[p], cyclic?": what holds of node u, what may hold. */
static void print_facts(const tp_shape_class *c, const tp_structure *s, uint32_t u, tp_str *out) {
  const char *before = "";
  for (size_t i = 0; i < c->predicates.n; i++) {
    const tp_shape_predicate *p = &c->predicates.at[i];
    if (p->arity != 1) continue;
    const tp_kleene v = tp_k64_get(s->unary[p->index], u);
    if (v == TP_KLEENE_FALSE) continue;
    tp_str_printf(out, "%s%s%s", before, p->name, v == TP_KLEENE_HALF ? "?" : "");
    before = ", ";
  }
}

void tp_shape_print(const tp_shape_class *c, const tp_structure *s, tp_str *out) {
  for (uint32_t u = 0; u < s->n; u++) {
    tp_str_printf(out, "%s %u: ", tp_structure_is_summary(s, u) ? "cells" : "cell", u);
    print_facts(c, s, u, out);
    for (size_t i = 0; i < c->predicates.n; i++) {
      const tp_shape_predicate *p = &c->predicates.at[i];
      for (uint32_t v = 0; p->arity == 2 && v < s->n; v++) {
        const tp_kleene x = tp_k64_get(*tp_structure_row(s, p->index, u), v);
        if (x != TP_KLEENE_FALSE)
          tp_str_printf(out, "; %s(%u)%s", p->name, v, x == TP_KLEENE_HALF ? "?" : "");
      }
    }
    tp_str_add_char(out, '\n');
  }
}
