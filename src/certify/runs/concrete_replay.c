/* Checking FALSE on the concrete machine: one run of the reference interpreter on the inputs. The
 * engine's claim that they lead to an error counts for nothing; the end of the run does.
 *
 * The run is the interpreter's alone, however long it is: that no operation without meaning comes
 * before the error is known from this run only. A compiled program may come to the error because of
 * such an operation, and machine code made from the model (exec/native) is no second opinion, since
 * a mistake in making it could hide one. The interpreter takes some 3 ns for an edge where nothing
 * is special, 3 s for 10^9. */
#include "certify/runs/purity.h"
#include "certify/certify.h"

static const char *name_of_end(tp_run_end end) {
  switch (end) {
    case TP_END_EXIT: return "the program ends without a violation";
    case TP_END_ERROR: return "an error of another property is reached";
    case TP_END_BLOCKED: return "an assumption fails";
    case TP_END_INVALID: return "an operation without meaning is met first";
    case TP_END_UNSUPPORTED: return "something unsupported is met first";
    case TP_END_LIMIT: return "the run is too long";
    case TP_END_NO_INPUT: return "the run asks for more inputs than there are";
    case TP_END_STOPPED: return "the run was stopped";
  }
  return "?";
}

tp_certify_result tp_certify_false(const tp_program *p, tp_property prop, const tp_inputs *inputs,
                                   tp_run_limits limits, tp_property *violated,
                                   tp_certify_report *report) {
  TP_REQUIRE(inputs && violated && prop != TP_P_NONE);
  tp_vector_oracle vector = {.in = inputs};
  tp_record_oracle record = {.inner = tp_oracle_of_vector(&vector), .to = report->asked};
  tp_oracle oracle = report->asked ? tp_oracle_recording(&record) : tp_oracle_of_vector(&vector);
  tp_chk_purity *answers = tp_chk_purity_new(p, oracle);
  tp_observer observer = {0};
  if (answers) observer = tp_chk_purity_observer(answers), oracle = tp_chk_purity_oracle(answers);
  tp_run_result r = tp_exec_main(p, &oracle, limits, answers ? &observer : NULL);
  const char *contradiction = tp_chk_purity_why(answers);
  if (contradiction) tp_str_add(&report->why, contradiction);
  tp_chk_purity_free(answers);
  if (report->why.n) return TP_CERTIFY_REJECTED;
  report->edges = r.steps;
  report->used_indeterminate = r.used_indeterminate;
  TP_INVARIANT(r.end != TP_END_ERROR || (r.loc.id && r.loc.id < p->locs.n));
  bool at_error = r.end == TP_END_ERROR && r.loc.id && r.loc.id < p->locs.n;
  tp_property error = at_error ? tp_loc_of(p, r.loc)->error : TP_P_NONE;
  if (at_error && error != TP_P_NONE && tp_property_covers(prop, error) && !r.passed_invalid) {
    *violated = error;
    return TP_CERTIFY_ACCEPTED;
  }
  tp_str_printf(
      &report->why, "replay: %s",
      r.passed_invalid ? "the run passes an operation without meaning" : name_of_end(r.end));
  if (p->diag && tp_pos_known(r.pos)) {
    tp_str_add(&report->why, " at ");
    tp_pos_print(p->diag, r.pos, &report->why);
  }
  if (r.why) tp_str_printf(&report->why, " (%s)", r.why);
  return r.end == TP_END_LIMIT || r.end == TP_END_UNSUPPORTED ? TP_CERTIFY_UNDECIDED
                                                              : TP_CERTIFY_REJECTED;
}
