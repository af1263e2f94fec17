/* What an UNKNOWN says beside its reason: what is proved under a condition, and what cost most. */
#include "report/finding.h"
#include "report/report_limits.h"

#include <stdlib.h>

static const char *take(tp_arena *arena, tp_str *text) {
  const char *copy = tp_arena_strdup(arena, tp_str_text(text));
  tp_str_clear(text);
  return copy;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Positions of error locations, each once: several may stand in one line of the source. */
static size_t print_positions(const tp_program *p, const tp_loc *at, size_t n, tp_str *out) {
  uint32_t *sorted = TP_NEW_ARRAY(uint32_t, n);
  size_t shown = 0, more = 0;
  for (size_t i = 0; i < n; i++) sorted[i] = at[i].id;
  qsort(sorted, n, sizeof *sorted, by_number);
  tp_str last = {0}, here = {0};
  for (size_t i = 0; i < n; i++) {
    tp_str_clear(&here);
    tp_pos_print(p->diag, p->locs.at[sorted[i]].pos, &here);
    if (strcmp(tp_str_text(&here), tp_str_text(&last)) == 0) continue;
    if (shown++ < TP_REPORT_POSITIONS)
      tp_str_printf(out, "%s%s", shown > 1 ? ", " : "", tp_str_text(&here));
    else
      more++;
    tp_str_clear(&last);
    tp_str_add(&last, tp_str_text(&here));
  }
  if (more) tp_str_printf(out, " and %zu more", more);
  tp_str_clear(&last);
  tp_str_clear(&here);
  tp_free(sorted);
  return shown;
}

/* Analyses say which error locations they could not exclude. Only behind a fixpoint, which is when
 * they have facts. */
static const char *condition_of(const tp_program *p, const tp_result *r, const tp_stats *stats,
                                tp_arena *arena) {
  if (!r->condition && stats->proved_bound)
    return tp_arena_printf(arena,
                           "a proof for runs in which no loop has more than %llu iterations and no "
                           "function is active more often",
                           (unsigned long long)stats->proved_bound);
  if (r->condition) return tp_arena_strdup(arena, r->condition);
  if (r->unproved.n == 0 || r->invariants_text.n == 0) return NULL;
  tp_str positions = {0}, text = {0};
  size_t n = print_positions(p, r->unproved.at, r->unproved.n, &positions);
  tp_str_printf(&text, "a proof if the error%s at %s cannot happen", n == 1 ? "" : "s",
                tp_str_text(&positions));
  if (r->proved.n)
    tp_str_printf(&text, "; %zu other check%s proved", r->proved.n,
                  r->proved.n == 1 ? " is" : "s are");
  tp_str_clear(&positions);
  return take(arena, &text);
}

static const char *cost_of(const tp_program *p, const tp_result *r, const tp_stats *stats,
                           tp_arena *arena) {
  if (stats->query_terms)
    return tp_arena_printf(
        arena, "the largest query: %llu terms, for loops of up to %llu iteration%s",
        (unsigned long long)stats->query_terms, (unsigned long long)stats->query_bound,
        stats->query_bound == 1 ? "" : "s");
  if (!r->costliest.id) return NULL;
  tp_str text = {0};
  tp_pos_print(p->diag, tp_edge_of(p, r->costliest)->pos, &text);
  tp_str_add(&text, ": ");
  tp_edge_print(p, r->costliest, &text);
  tp_str_printf(&text, ", followed %llu times", (unsigned long long)r->costliest_steps);
  return take(arena, &text);
}

tp_finding tp_finding_of(const tp_program *p, const char *engine, const char *reason,
                         const tp_result *r, const tp_stats *stats, tp_arena *arena) {
  TP_REQUIRE(engine && arena);
  const bool is_fixpoint = r->unproved.n > 0 && r->invariants_text.n > 0;
  return (tp_finding){
      .engine = tp_arena_strdup(arena, engine),
      .reason = tp_arena_strdup(arena, reason),
      .condition = condition_of(p, r, stats, arena),
      .cost = cost_of(p, r, stats, arena),
      .unproved = is_fixpoint ? tp_loc_of(p, r->unproved.at[0])->pos : TP_POS_NONE,
      .n_unproved = is_fixpoint ? r->unproved.n : 0,
      .costliest = r->costliest.id ? tp_edge_of(p, r->costliest)->pos : TP_POS_NONE};
}
