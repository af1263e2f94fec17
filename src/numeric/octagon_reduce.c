/* Few constraints that mean the same octagon.
 *
 * Literals that differ by a constant form classes. Between classes a closed octagon has no cycle of
 * length 0, so a bound that is the sum of two others, or of two bounds of single variables, follows
 * from others that remain (Bagnara, Hill, Zaffanella 2009, strong reduction). So: constants, bounds
 * of the leaders, equalities of the members with their leaders, bounds between leaders that do not
 * follow. What is known already, by `given` or by rows that were chosen, is skipped; a last sweep
 * makes sure that nothing is missing. */
#include "numeric/octagon.h"

typedef struct {
  const tp_oct *o;
  tp_oct known;      // closed: given and the rows chosen so far
  uint32_t *leader;  // of each literal
  tp_oct_rows *out;
} reduction;

static bool is_known(const reduction *r, uint32_t i, uint32_t j) {
  return tp_oct_entry(&r->known, i, j) <= tp_oct_entry(r->o, i, j);
}

static void choose(reduction *r, uint32_t i, uint32_t j) {
  if (i == j || is_known(r, i, j)) return;
  const int64_t c = tp_oct_entry(r->o, i, j);
  tp_vec_push(r->out, (tp_oct_row){i, j, c});
  const bool ok = tp_oct_meet_sum(&r->known, i ^ 1, j, c);
  (void)ok;  // o is not empty and within known
  TP_INVARIANT(ok);
}

static bool is_leader(const reduction *r, uint32_t i) { return r->leader[i & ~1u] / 2 == i / 2; }

static void find_leaders(reduction *r) {
  for (uint32_t i = 0; i < 2 * r->o->n; i++) {
    uint32_t j = 0;
    while (tp_oct_entry(r->o, i, j) >= TP_OCT_INF ||
           tp_oct_entry(r->o, i, j) + tp_oct_entry(r->o, j, i) != 0)
      j++;
    r->leader[i] = j;
  }
}

/* Does the bound between two leaders follow from others between leaders? */
static bool follows(const reduction *r, uint32_t i, uint32_t j) {
  const int64_t c = tp_oct_entry(r->o, i, j);
  if (tp_oct_add(tp_oct_upper(r->o, i ^ 1), tp_oct_upper(r->o, j)) <= c) return true;
  for (uint32_t k = 0; k < 2 * r->o->n; k++)
    if (k != i && k != j && is_leader(r, k) &&
        tp_oct_add(tp_oct_entry(r->o, i, k), tp_oct_entry(r->o, k, j)) <= c)
      return true;
  return false;
}

void tp_oct_reduce(const tp_oct *o, const tp_oct *given, tp_oct_rows *out) {
  TP_REQUIRE(o->n == given->n && o->is_closed && given->is_closed);
  const uint32_t n = 2 * o->n;
  reduction r = {.o = o, .leader = TP_NEW_ARRAY(uint32_t, n + 1), .out = out};
  tp_oct_init(&r.known, 0);
  tp_oct_copy(&r.known, given);
  find_leaders(&r);
  for (uint32_t i = 0; i < n; i++)
    if (tp_oct_entry(o, i, i ^ 1) + tp_oct_entry(o, i ^ 1, i) == 0) choose(&r, i, i ^ 1);
  for (uint32_t i = 0; i < n; i++)
    if (is_leader(&r, i)) choose(&r, i, i ^ 1);
  for (uint32_t i = 0; i < n; i += 2)
    if (!is_leader(&r, i)) {
      choose(&r, r.leader[i], i);
      choose(&r, i, r.leader[i]);
    }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < (i & ~1u); j++)
      if (is_leader(&r, i) && is_leader(&r, j) && !is_known(&r, i, j) && !follows(&r, i, j))
        choose(&r, i, j);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j <= (i | 1); j++) choose(&r, i, j);
  tp_oct_clear(&r.known);
  tp_free(r.leader);
}
