/* From claims of FALSE to verdicts: the inputs are replayed on the concrete machine, then on the
 * compiled program, which has to fail in the same way.
 *
 * Inputs are made smaller first, for people to read and for the failure to lie close to what
 * sanitizers watch. A failure that the compiled program does not show is tried again with the
 * inputs as they were found, and with a few variants: a length of 1 in place of 0, a size that can
 * be allocated. What fails on the concrete machine only is UNKNOWN, and its location is noted, so
 * that the search can go on to others; with --confirm=machine it is FALSE if the run is exact. */
#include "app/app_limits.h"
#include "app/failure_replay.h"
#include "base/fault.h"

#include <errno.h>

/* True: the verdict is FALSE, or the run cannot be made. */
static bool run_natively(tp_session *s, const tp_chk_native_request *request, const char *order) {
  tp_fault_enter_phase("native");
  tp_status st = tp_chk_native_replay(request, &s->now.native);
  s->native_hangs |= s->now.native.reached_limit;
  if (st == TP_ERR_LIMIT) {
    tp_session_give_up(s, "interrupted");
    return true;
  }
  if (st != TP_OK) {
    tp_session_give_up(s, "the failure could not be replayed natively (%s)",
                       st == TP_ERR_SYSTEM ? strerror(errno) : tp_status_name(st));
    return true;
  }
  tp_str why = {0};
  tp_fault_enter_phase("search");
  const bool stands = tp_chk_native_stands(&s->now.native, request->violated, order, &why);
  if (stands) {
    s->now.verdict = TP_VERDICT_FALSE;
    tp_str_add(&s->now.evidence, why.text);
  } else {
    tp_session_give_up(s, "%s", why.text);
  }
  tp_str_clear(&why);
  return stands;
}

/* May the program have variable-length arrays, or call alloca? Objects of alloca have no name of
 * the user's, as those of compound literals and of struct results. */
static bool may_have_dynamic_objects(const tp_program *p) {
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->kind == TP_E_ALLOC && e->object_kind == TP_O_STACK &&
        (!tp_is_const(p->terms, e->a) || tp_var_of(p, e->var)->kind == TP_V_TEMP))
      return true;
  }
  return false;
}

/* Does the program make numbers of addresses, or compare addresses? */
static bool uses_addresses(const tp_program *p) {
  for (uint32_t i = 1; i <= tp_terms_count(p->terms); i++)
    if (tp_kind(p->terms, (tp_term){i}) == TP_OP_PTR_TO_INT) return true;
  return false;
}

/* What else the builds may do with the storage of variables, when the first ones did not show the
 * failure: WATCHED if nothing. */
static tp_chk_storage other_storage(const tp_session *s, const tp_chk_native_request *first) {
  const tp_chk_native_outcome clang = s->now.native.by[TP_CHK_NATIVE_CLANG].outcome;
  if (clang == TP_CHK_NATIVE_NO_BUILD || tp_process_interrupted()) return TP_CHK_STORAGE_WATCHED;
  // the model knows no blocks if only frees are looked at
  if (first->violated == TP_P_VALID_FREE && s->now.native.uses_ended_block)
    return TP_CHK_STORAGE_OF_FRAMES;
  if (s->now.tried_storage) return TP_CHK_STORAGE_WATCHED;  // other inputs change nothing in that
  // the object may be one whose end sanitizers do not see
  if (first->violated == TP_P_VALID_DEREF && may_have_dynamic_objects(s->program))
    return TP_CHK_STORAGE_ENDED_TOO;
  // or its address is a multiple of another number than on the concrete machine
  if (first->violated == TP_P_UNREACH_CALL && !first->monitors && uses_addresses(s->program))
    return TP_CHK_STORAGE_ALIGNED;
  return TP_CHK_STORAGE_WATCHED;
}

static void confirm_natively(tp_session *s, tp_loc error, const char *order) {
  if (s->has_no_build) return;
  tp_chk_native_request request = tp_session_native(s);
  // the harness itself sees what monitors see
  request.violated =
      tp_monitors_is_error(&s->monitors, error) ? TP_P_UNREACH_CALL : s->now.violated;
  request.error = error;
  request.failure = (tp_chk_native_failure){s->now.error_pos, s->now.error_function};
  request.zeroes_indeterminate = s->now.is_zeroed;
  request.fills_indeterminate = s->now.used_indeterminate && !s->now.is_zeroed;
  request.guesses_are_unused = !s->now.guesses_matter;
  request.cpu_s = 10 + (double)s->now.replay_steps * TP_APP_NATIVE_STEP_S;
  request.wall_s = tp_session_native_wall_s(s, (double)s->now.replay_steps * TP_APP_NATIVE_STEP_S);
  if (run_natively(s, &request, order)) return;
  request.storage = other_storage(s, &request);
  if (request.storage == TP_CHK_STORAGE_WATCHED) return;
  s->now.tried_storage |= request.storage != TP_CHK_STORAGE_OF_FRAMES;
  tp_chk_native_report first = s->now.native;
  s->now.native = (tp_chk_native_report){0};
  tp_str why = {0};
  tp_str_add(&why, tp_str_text(&s->now.reason));
  if (!run_natively(s, &request, order)) {
    tp_session_give_up(s, "%s", tp_str_text(&why));
    const tp_chk_native_report second = s->now.native;
    s->now.native = first;
    first = second;
  }
  tp_chk_native_report_clear(&first);
  tp_str_clear(&why);
}

/* Does a call of this function without body give a pointer? */
static bool gives_pointer(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->kind != TP_E_HAVOC || e->input != TP_I_EXTERN || !e->var.id || !e->name ||
        strcmp(e->name, name) != 0)
      continue;
    if (tp_sort_kind_of(p->terms, tp_sort_of(p->terms, tp_var_of(p, e->var)->term)) == TP_SORT_PTR)
      return true;
  }
  return false;
}

/* A function without body that returned a pointer on this run, or NULL. */
static const char *pointer_from_outside(const tp_session *s) {
  for (size_t i = 0; i < s->now.result.inputs.v.n; i++) {
    const tp_input *in = &s->now.result.inputs.v.at[i];
    if (in->kind == TP_I_EXTERN && in->name && gives_pointer(s->program, in->name)) return in->name;
  }
  return NULL;
}

/* There is a failing run, but nobody stated that it is one of the user's program. */
static void leave_open(tp_session *s, const char *why) {
  tp_str at = {0};
  if (tp_pos_known(s->now.error_pos)) {
    tp_str_add(&at, " at ");
    tp_pos_print(s->diag, s->now.error_pos, &at);
  }
  tp_session_give_up(s, "the failure%s %s", tp_str_text(&at), why);
  tp_str_clear(&at);
  s->now.rests_on_open = true;
  tp_str_clear(&s->now.hint);
  if (strcmp(s->o->missing, "any") != 0 && !strstr(why, "published"))
    tp_str_add(&s->now.hint,
               "give the files that define these functions, or --missing=any if they may return "
               "anything and write nothing");
}

// ------------------------------------------------------------------ other inputs

static bool is_shown(const tp_session *s) { return s->now.verdict == TP_VERDICT_FALSE; }

/* One choice of inputs, on both machines. True: nothing is gained by other inputs. */
static bool confirm_choice(tp_session *s, tp_failure_replay *r) {
  const char *outside = NULL;
  tp_chk_native_report_clear(&s->now.native);
  s->now.native = (tp_chk_native_report){0};
  if (!tp_failure_replay_run(s, r)) {
    tp_session_give_up(s, "failure not confirmed on the concrete machine (%s)",
                       tp_str_text(&r->why));
    return r->choice == TP_INPUTS_AS_FOUND;
  }
  if (r->open.n) {
    leave_open(s, r->open.text);
    return true;
  }
  if ((s->now.violated == TP_P_VALID_DEREF || s->now.violated == TP_P_VALID_FREE) &&
      (outside = pointer_from_outside(s)) != NULL) {
    // it may well be an allocator: where its result points is its contract, which nobody stated
    tp_session_give_up(s,
                       "an access could be invalid, depending on the pointer that %s returns, a "
                       "function without body",
                       outside);
    return true;
  }
  s->now.error = r->error;
  if (s->machine_is_enough && r->is_exact) {
    s->now.verdict = TP_VERDICT_FALSE;
    return true;
  }
  confirm_natively(s, r->error, r->order.n ? r->order.text : NULL);
  return is_shown(s) || tp_process_interrupted();
}

static bool is_unconfirmed(const tp_session *s, tp_loc error) {
  for (size_t i = 0; i < s->unconfirmed.n; i++)
    if (s->unconfirmed.at[i].id == error.id) return true;
  return false;
}

/* Other inputs have a share of the time only, and none behind a run that hangs. */
static bool may_go_on(const tp_session *s, double start_s) {
  const double used_s = tp_budget_used_s() - start_s;
  if (s->native_hangs || tp_process_interrupted()) return false;
  return used_s < (s->o->timelimit > 0 ? TP_APP_CONFIRM_SHARE * s->o->timelimit : TP_APP_CONFIRM_S);
}

/* The run that fails on the concrete machine only, which `why` is the reason for, becomes the
 * evidence again. */
static void restore(tp_session *s, tp_failure_replay *r, const char *why) {
  r->inputs = &s->now.result.inputs;
  const bool fails = tp_failure_replay_run(s, r);
  if (fails && strcmp(s->o->confirm, "machine") == 0 && r->is_exact) {
    s->now.verdict = TP_VERDICT_FALSE;
    tp_str_printf(&s->now.evidence, "shown by the interpreter, not by a compiled build: %s", why);
  } else {
    tp_session_give_up(s, "%s", why);
  }
}

/* The first choice was not seen: the inputs as they were found, then variants. */
static void confirm_others(tp_session *s, const tp_inputs *found, bool is_changed, int n_variants) {
  const double start_s = tp_budget_used_s();
  tp_inputs first;
  tp_inputs_init(&first);
  tp_inputs_add_all(&first, &s->now.result.inputs);
  tp_str why = {0};
  tp_str_add(&why, tp_str_text(&s->now.reason));
  bool is_over = false;
  size_t variant = 0;
  for (int i = is_changed ? 0 : 1; i <= n_variants && !is_over && may_go_on(s, start_s); i++) {
    tp_failure_replay r = {.inputs = i ? &first : found,
                           .choice = i ? TP_INPUTS_VARIED : TP_INPUTS_AS_FOUND,
                           .variant = variant};
    is_over = confirm_choice(s, &r) || (i && !r.error.id);  // no further variant
    variant = r.variant;
    tp_failure_replay_clear(&r);
  }
  if (!is_shown(s)) {
    tp_failure_replay r = {.choice = TP_INPUTS_AS_FOUND};
    tp_inputs_clear(&s->now.result.inputs);
    tp_inputs_init(&s->now.result.inputs);
    tp_inputs_add_all(&s->now.result.inputs, &first);
    restore(s, &r, tp_str_text(&why));
    tp_failure_replay_clear(&r);
  }
  tp_str_clear(&why);
  tp_inputs_clear(&first);
}

void tp_confirm_false(tp_session *s) {
  TP_REQUIRE(s->now.verdict == TP_VERDICT_UNKNOWN);
  s->now.tried_storage = false;
  tp_inputs found;
  tp_inputs_init(&found);
  tp_inputs_add_all(&found, &s->now.result.inputs);
  tp_failure_replay r = {.inputs = &found,
                         .choice = s->has_given_inputs ? TP_INPUTS_AS_FOUND : TP_INPUTS_SMALLER};
  bool is_over = confirm_choice(s, &r);
  if (!is_over &&
      !r.error.id) {  // smaller inputs that the checker does not take: those of the engine
    tp_failure_replay_clear(&r);
    r = (tp_failure_replay){.inputs = &found, .choice = TP_INPUTS_AS_FOUND};
    is_over = confirm_choice(s, &r);
  }
  if (!is_over && r.error.id) {
    const bool is_known = is_unconfirmed(s, r.error);
    confirm_others(s, &found, r.is_changed, is_known || s->has_given_inputs ? 0 : TP_APP_VARIANTS);
    if (!is_shown(s) && !is_known) tp_vec_push(&s->unconfirmed, r.error);
  }
  tp_failure_replay_clear(&r);
  tp_inputs_clear(&found);
}
