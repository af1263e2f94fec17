/* Narrowing: after widening a bound is often looser than what the segments allow. A bound is tried
 * where it was before it was widened, and at the next numbers of the program. It is taken if no
 * segment leads beyond it from what is covered now: with F the step of all segments and a closed,
 * F(a) <= a and F(a) <= bound, so F(a and bound) <= F(a) <= (a and bound), which is closed again.
 */
#include "adequacy/adequacy_priv.h"

#include "adequacy/adequacy_limits.h"

/* Does no segment lead to a larger value of the form? */
static bool is_respected(tp_adequacy *x, uint32_t cutpoint, size_t form, int64_t bound) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  for (uint32_t i = 0; i < x->run.blocks.list.n; i++) {
    const tp_block *b = &x->run.blocks.list.at[i];
    tp_segment *s = &x->segments[i];
    uint32_t from = x->cutpoint_of[b->from];
    if (x->cutpoint_of[b->to] != cutpoint ||
        (b->from != 0 && (from == TP_NO_CUTPOINT || !x->numeric->at[from].version)))
      continue;
    tp_segment_prepare(s);
    const tp_term conditions[] = {
        from == TP_NO_CUTPOINT ? tp_mk_true(x->run.tt) : tp_numeric_formula(x->numeric, from, NULL),
        tp_mk_not(x->run.tt,
                  tp_numeric_form_at_most(x->numeric, cutpoint, form, bound, s->results))};
    if (tp_segment_ask_terms(s, conditions, 2) != TP_SMT_UNSAT) return false;
  }
  return true;
}

static bool narrow_cutpoint(tp_adequacy *x, uint32_t cutpoint) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  bool any = false;
  for (size_t f = 0; f < x->numeric->at[cutpoint].forms.n && !tp_adequacy_is_over(x); f++) {
    int64_t bounds[3];
    size_t n = tp_numeric_tighter(x->numeric, cutpoint, f, bounds), i = 0;
    while (i < n && !is_respected(x, cutpoint, f, bounds[i])) i++;
    if (i == n) continue;
    tp_numeric_tighten(x->numeric, cutpoint, f, bounds[i]);
    any = true;
  }
  return any;
}

void tp_adequacy_narrow(tp_adequacy *x) {
  bool any = true;
  for (int pass = 0; pass < TP_ADEQUACY_NARROW_PASSES && any; pass++) {
    any = false;
    for (uint32_t p = 0; p < x->c->cutpoints.n; p++) any |= narrow_cutpoint(x, p);
  }
}
