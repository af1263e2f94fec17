/* Certificates of TRUE: each kind has a checker of its own. */
#include "certify/certify.h"

#include "certify/bounded/unrolled_exec.h"
#include "certify/heaps/check_heaps.h"
#include "certify/heaps/heap_cert.h"
#include "certify/inductive/check_inductive.h"

const char *tp_certify_result_name(tp_certify_result r) {
  switch (r) {
    case TP_CERTIFY_ACCEPTED: return "accepted";
    case TP_CERTIFY_REJECTED: return "rejected";
    case TP_CERTIFY_UNDECIDED: return "undecided";
  }
  return "?";
}

void tp_certify_report_init(tp_certify_report *r) {
  memset(r, 0, sizeof *r);
  tp_arena_init(&r->arena);
}

void tp_certify_report_clear(tp_certify_report *r) {
  tp_str_clear(&r->why);
  tp_vec_clear(&r->assumptions);
  tp_arena_clear(&r->arena);
}

/* What the model cannot say at all, in the report. */
static bool is_inexpressible(const tp_program *p, tp_certify_report *report) {
  for (size_t i = 1; i < p->unsupported.n; i++) {
    if (p->unsupported.at[i].loc.id) continue;
    tp_str_printf(&report->why, "the program uses what the model cannot say: %s",
                  p->unsupported.at[i].what);
    return true;
  }
  return false;
}

tp_certify_result tp_certify_true(const tp_program *p, tp_property prop, const char *certificate,
                                  const tp_certify_limits *limits, tp_stats *stats,
                                  tp_certify_report *report) {
  TP_REQUIRE(p && certificate && limits && report);
  if (is_inexpressible(p, report)) return TP_CERTIFY_UNDECIDED;
  if (tp_chk_heap_cert_is(certificate))
    return tp_chk_check_heaps(p, prop, certificate, limits, stats, report);
  return tp_chk_cert_is_inductive(certificate)
             ? tp_chk_check_inductive(p, prop, certificate, limits, stats, report)
             : tp_chk_check_bounded(p, prop, 0, certificate, limits, stats, report);
}

tp_certify_result tp_certify_bounded(const tp_program *p, tp_property prop, uint64_t within,
                                     const char *certificate, const tp_certify_limits *limits,
                                     tp_stats *stats, tp_certify_report *report) {
  TP_REQUIRE(p && certificate && limits && report);
  TP_REQUIRE(within > 0);
  if (is_inexpressible(p, report)) return TP_CERTIFY_UNDECIDED;
  return tp_chk_check_bounded(p, prop, within, certificate, limits, stats, report);
}
