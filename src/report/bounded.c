/* A check that the bound keeps all runs from is not looked at: the answer says so. Without a cut
 * the runs within the bound are all runs, and a check that is not reached is dead code. */
#include "report/bounded.h"

#include "report/report_limits.h"

static size_t count(const tp_bounded_reach *reach, tp_looked how) {
  size_t n = 0;
  for (size_t i = 0; i < reach->checks.n; i++) n += reach->checks.at[i].reached == how;
  return n;
}

void tp_bounded_headline(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && r->bound && r->reach && out);
  const tp_bounded_reach *reach = r->reach;
  if (reach->checks.n && reach->cuts.n && count(reach, TP_LOOKED_NO) == reach->checks.n)
    tp_str_add(out, ", but none of these runs comes to a check");
}

/* "a.c:3:4, a.c:5:6 and 2 more" */
static void add_checks(const tp_report *r, tp_looked how, tp_str *out) {
  size_t shown = 0;
  const size_t n = count(r->reach, how);
  for (size_t i = 0; i < r->reach->checks.n && shown < TP_REPORT_POSITIONS; i++) {
    if (r->reach->checks.at[i].reached != how) continue;
    if (shown++) tp_str_add(out, ", ");
    tp_pos_print(r->diag, r->reach->checks.at[i].pos, out);
  }
  if (n > shown) tp_str_printf(out, " and %zu more", n - shown);
}

static void add_reached(const tp_report *r, tp_str *out) {
  const tp_bounded_reach *reach = r->reach;
  const size_t n = reach->checks.n, n_yes = count(reach, TP_LOOKED_YES),
               n_no = count(reach, TP_LOOKED_NO), n_open = count(reach, TP_LOOKED_OPEN);
  tp_str_add(out, "  reached: ");
  if (n_yes == n)
    tp_str_add(out, n == 1 ? "the only check" : "all checks");
  else if (n_yes == 0)
    tp_str_add(out, "no check");
  else
    tp_str_printf(out, "%zu of %zu checks", n_yes, n);
  if (n_no) {
    tp_str_add(out, reach->cuts.n ? "; not looked at: " : "; no run comes to: ");
    add_checks(r, TP_LOOKED_NO, out);
  }
  if (n_open) {
    tp_str_add(out, "; perhaps: ");
    add_checks(r, TP_LOOKED_OPEN, out);
  }
  tp_str_add_char(out, '\n');
}

static void add_cuts(const tp_report *r, tp_str *out) {
  const tp_bounded_reach *reach = r->reach;
  if (reach->cuts.n == 0) {
    tp_str_add(out, "  cut:     no run; without --unroll the answer is about all runs\n");
    return;
  }
  tp_str_add(out, "  cut:     runs end at the bound in ");
  for (size_t i = 0; i < reach->cuts.n && i < TP_REPORT_POSITIONS; i++) {
    const tp_cut_place *c = &reach->cuts.at[i];
    tp_str_printf(out, "%s%s", i ? ", " : "",
                  c->is_recursion ? "the recursion of " : "the loop at ");
    tp_pos_print(r->diag, c->pos, out);
  }
  if (reach->cuts.n > TP_REPORT_POSITIONS)
    tp_str_printf(out, " and %zu more", reach->cuts.n - TP_REPORT_POSITIONS);
  tp_str_add_char(out, '\n');
}

static void add_larger(const tp_report *r, tp_str *out) {
  const tp_bounded_reach *reach = r->reach;
  if (!count(reach, TP_LOOKED_NO) || !reach->cuts.n) return;
  if (reach->larger) {
    tp_str_printf(out, "  next:    --unroll=%llu is %s bound with which a run comes to ",
                  (unsigned long long)reach->larger,
                  reach->larger == reach->tried ? "the smallest" : "a");
    tp_pos_print(r->diag, reach->larger_pos, out);
  } else {
    tp_str_printf(out,
                  "  next:    bounds below %llu do not reach more: leave --unroll out, or make the "
                  "number of iterations smaller (__VERIFIER_assume)",
                  (unsigned long long)reach->tried);
  }
  tp_str_add_char(out, '\n');
}

void tp_bounded_lines(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && r->bound && r->reach && out);
  const size_t n = r->reach->checks.n;
  if (n == 0 || count(r->reach, TP_LOOKED_OPEN) == n) return;  // nothing is known
  add_reached(r, out);
  add_cuts(r, out);
  add_larger(r, out);
}
