/* Interpolants between the path that was taken and the step: what all states that the prefix leads
 * to have in common and is enough for the step to be impossible. Its negation contains every state
 * that can take the step. */
#include "search/split_priv.h"
#include "formula/interpolants.h"
#include "search/search_limits.h"

/* In the order in which they mostly say something that holds elsewhere, too. */
static const tp_itp_source sources[] = {TP_ITP_WP, TP_ITP_HORN_INTEGERS, TP_ITP_SP, TP_ITP_ATOMS};

static bool is_suitable(tp_splitter *s, tp_term rho) {
  const tp_block *b = &s->pt->blocks->list.at[s->step.block];
  return tp_block_node_may_use(s->pt->blocks, b->from, rho) && tp_split_is_outside(s, rho) &&
         tp_split_covers(s->pt, s->step.from, s->step.block, s->pt->cells.at[s->step.to].formula,
                         rho);
}

static bool try_sources(tp_splitter *s, const tp_path *blocks, size_t n, tp_term *rho,
                        tp_str *why) {
  tp_term *at = TP_NEW_ARRAY(tp_term, n + 1);
  tp_itp_options o = {.backend = s->pt->smt.backend,
                      .rlimit = s->pt->smt.rlimit,
                      .cpu_s = s->pt->smt.cpu_s,
                      .stats = s->pt->stats};
  bool ok = false;
  for (size_t i = 0; i < sizeof sources / sizeof *sources && !ok; i++) {
    tp_str reason = {0};
    if (tp_itp_sequence(s->x, blocks, n, NULL, sources[i], o, at, &reason)) {
      *rho = tp_mk_not(s->tt, at[n - 1]);
      ok = is_suitable(s, *rho);
    }
    if (!ok)
      tp_str_printf(why, "%s%s: %s", why->n ? "; " : "", tp_itp_name(sources[i]),
                    reason.n ? tp_str_text(&reason) : "not suitable");
    tp_str_clear(&reason);
  }
  tp_free(at);
  return ok;
}

bool tp_split_interpolant(tp_splitter *s, tp_term *rho, tp_str *why) {
  const tp_split_problem *q = s->problem;
  size_t n = q->n_prefix;
  if (n == 0 || n > TP_SEARCH_SPLIT_BLOCKS) {
    tp_str_add(why, n ? "the path is too long for interpolants" : "interpolants need the path");
    return false;
  }
  tp_path *blocks = TP_NEW_ARRAY(tp_path, n + 1);
  for (size_t i = 0; i < n; i++) blocks[i] = tp_path_copy(&q->prefix[i]);
  blocks[n] = tp_path_copy(&s->pt->blocks->list.at[s->step.block].path);
  tp_path_assume(s->x, &blocks[n - 1], s->pt->cells.at[s->step.from].formula);
  tp_path_assume(s->x, &blocks[n], s->pt->cells.at[s->step.to].formula);
  bool ok = try_sources(s, blocks, n + 1, rho, why);
  for (size_t i = 0; i <= n; i++) tp_path_clear(&blocks[i]);
  tp_free(blocks);
  return ok;
}
