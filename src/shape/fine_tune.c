/* Candidates are kept as a list of sets. Each question halves them about: of the sets that are not
 * decided the one is tried that has as many smaller ones as larger ones among the candidates. One
 * that excludes the path leaves what is smaller, or equal; one that does not leaves what is not
 * smaller. The last set that excludes the path is smallest then: every smaller one was tried or is
 * below one that was tried in vain. */
#include "shape/fine_tune.h"

typedef struct {
  const tp_fine_tune_question *q;
  uint32_t *at;
  size_t n;
  uint32_t n_simulated;
} candidates;

static bool is_below(uint32_t a, uint32_t b) { return (a & ~b) == 0; }

static size_t closed_sets(const tp_fine_tune_question *q, uint32_t least, uint32_t *out) {
  size_t n = 0;
  for (uint32_t set = 0; set < (uint32_t)1 << q->n; set++)
    if (is_below(least, set) && q->close(q->ctx, set) == set) out[n++] = set;
  return n;
}

/* The candidate, but for `known`, whose answer excludes most of the others either way; of several
 * the one that generates the fewest predicates. */
static uint32_t next_candidate(const candidates *c, uint32_t known) {
  uint32_t best = known;
  size_t best_least = 0;
  uint32_t best_cost = UINT32_MAX;
  for (size_t i = 0; i < c->n; i++) {
    if (c->at[i] == known) continue;
    size_t below = 0, above = 0;
    for (size_t k = 0; k < c->n; k++) {
      below += is_below(c->at[k], c->at[i]);
      above += is_below(c->at[i], c->at[k]);
    }
    const size_t least = below < above ? below : above;
    const uint32_t cost = c->q->cost(c->q->ctx, c->at[i]);
    if (best != known && (least < best_least || (least == best_least && cost >= best_cost)))
      continue;
    best = c->at[i], best_least = least, best_cost = cost;
  }
  return best;
}

static void keep(candidates *c, uint32_t tried, bool excludes) {
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    if (is_below(c->at[i], tried) == excludes) c->at[n++] = c->at[i];
  c->n = n;
}

static bool ask(candidates *c, uint32_t families) {
  c->n_simulated++;
  return c->q->excludes(c->q->ctx, families);
}

tp_fine_tuned tp_fine_tune(const tp_fine_tune_question *q, uint32_t least) {
  TP_REQUIRE(q->n <= TP_FINE_TUNE_FAMILIES);
  const uint32_t all = ((uint32_t)1 << q->n) - 1;
  candidates c = {.q = q, .at = TP_NEW_ARRAY(uint32_t, (size_t)all + 1)};
  c.n = closed_sets(q, q->close(q->ctx, least), c.at);
  tp_fine_tuned out = {.n_candidates = (uint32_t)c.n};
  uint32_t known = all;  // excludes the path
  if (c.n && ask(&c, all)) {
    out.is_found = true;
    while (c.n > 1) {
      const uint32_t tried = next_candidate(&c, known);
      const bool excludes = ask(&c, tried);
      keep(&c, tried, excludes);
      if (excludes) known = tried;
    }
    out.families = known;
  }
  TP_INVARIANT(!out.is_found || is_below(q->close(q->ctx, least), out.families));
  out.n_simulated = c.n_simulated;
  tp_free(c.at);
  return out;
}
