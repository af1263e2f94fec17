/* Fewer conjuncts: what keeps the visited states out, and no more.
 *
 * Every conjunct that is left out makes rho contain more states, so (i) stays true. Guards of the
 * block go first: they say how a loop was left, which is rarely why an error cannot follow. Of the
 * rest, what is nearer to the root of the target's tree stays longest. */
#include "search/split_priv.h"

static tp_term without(const tp_splitter *s, const bool *left, size_t i) {
  tp_term all = tp_mk_true(s->tt);
  for (size_t k = 0; k < s->pre.n; k++)
    if (left[k] && k != i) all = tp_mk_and(s->tt, all, s->pre.at[k].fact);
  return all;
}

void tp_split_drop(tp_splitter *s) {
  size_t n = s->pre.n, n_left = 0;
  bool *left = TP_NEW_ARRAY(bool, n + 1);
  for (size_t i = 0; i < n; i++) left[i] = true;
  for (int guards = 1; guards >= 0; guards--)
    for (size_t i = n; i-- > 0;)
      if (s->pre.at[i].is_guard == guards && tp_split_is_outside(s, without(s, left, i)))
        left[i] = false;
  for (size_t i = 0; i < n; i++)
    if (left[i]) s->pre.at[n_left++] = s->pre.at[i];
  s->is_exact &= n_left == n;
  s->pre.n = n_left;
  tp_free(left);
}
