/* What the witness claims is woven into copies of the source (witness_weave.c), which are verified
 * in sessions of their own; then the original program is, in the session of the command. */
#include "app/witness_check.h"

#include "app/app_limits.h"
#include "app/exit.h"
#include "app/portfolio.h"
#include "app/property.h"
#include "app/witness_follow.h"
#include "app/witness_model.h"
#include "app/witness_output.h"
#include "base/files.h"
#include "base/process.h"
#include "base/sha256.h"
#include "exec/input_text.h"
#include "expression/expression.h"
#include "report/witness_write.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { CLAIM_OPEN, CLAIM_PROVED, CLAIM_REFUTED } claim_state;
static const char *const state_names[] = {"open", "proved", "refuted"};

/* An invariant, and what is known of it. */
typedef struct {
  claim_state state;
  const char *why;  // OPEN, REFUTED; in the session's arena
} claim;

typedef struct {
  tp_session *s;
  tp_options *o;
  tp_witness w;
  tp_outline *files;
  tp_witness_task task;
  tp_witness_spot *spots;
  claim *claims;
  bool is_asked;       // the invariants were verified
  const char *status;  // "confirmed", "refused", "open"
  tp_str why;          // refused, open
} validation;

// ------------------------------------------------------------------------- answer

static void set_status(validation *v, const char *status, const char *fmt, ...) TP_PRINTF(3, 4);
static void set_status(validation *v, const char *status, const char *fmt, ...) {
  char text[1000];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  v->status = status;
  tp_str_clear(&v->why);
  tp_str_add_line_text(&v->why, text);
}

static const char *place_of(const validation *v, const tp_witness_item *item) {
  tp_str text = {0};
  tp_str_add_line_text(&text, item->file);
  tp_str_printf(&text, ":%u", item->line);
  if (item->column) tp_str_printf(&text, ":%u", item->column);
  const char *kept = tp_arena_strdup(&v->s->arena, text.text);
  tp_str_clear(&text);
  return kept;
}

static void print_answer(const validation *v) {
  if (strcmp(v->o->format, "json") == 0) return;
  for (size_t i = 0; i < v->w.items.n && v->is_asked; i++) {
    const claim *c = &v->claims[i];
    tp_str text = {0};
    tp_str_add_line_text(&text, v->w.items.at[i].value ? v->w.items.at[i].value : "");
    printf("invariant %zu, %s: %s: %s%s%s\n", i + 1, place_of(v, &v->w.items.at[i]),
           tp_str_text(&text), state_names[c->state], c->why ? ": " : "", c->why ? c->why : "");
    tp_str_clear(&text);
  }
  printf("WITNESS: %s%s%s\n", v->status, v->why.n ? ": " : "", tp_str_text(&v->why));
}

/* Members of the object that is the answer, without braces. */
static void put_json(validation *v) {
  json_t *o = json_object(), *list = json_array();
  json_object_set_new(o, "status", json_string(v->status));
  json_t *why = json_string(tp_str_text(&v->why));
  if (v->why.n && why) json_object_set(o, "why", why);
  json_decref(why);
  for (size_t i = 0; i < v->w.items.n && v->is_asked; i++) {
    json_t *c = json_object();
    json_object_set_new(c, "position", json_string(place_of(v, &v->w.items.at[i])));
    json_object_set_new(c, "value", json_string(v->w.items.at[i].value));
    json_object_set_new(c, "state", json_string(state_names[v->claims[i].state]));
    if (v->claims[i].why) json_object_set_new(c, "why", json_string(v->claims[i].why));
    json_array_append_new(list, c);
  }
  json_object_set_new(o, "invariants", list);
  char *text = json_dumps(o, 0);
  if (text) tp_session_add_json(v->s, tp_arena_printf(&v->s->arena, "\"witness\": %s", text));
  free(text);
  json_decref(o);
}

static int conclude(validation *v, int status) {
  if (strcmp(v->status, "confirmed") != 0 && v->s->now.verdict != TP_VERDICT_FALSE) {
    const bool is_refused = strcmp(v->status, "refused") == 0;
    if (is_refused) v->s->bad_input = true;
    if (status == 0 && is_refused) status = TP_EXIT_INPUT;
    if (is_refused || v->s->now.verdict == TP_VERDICT_TRUE)
      tp_session_give_up(v->s, "witness %s: %s", v->status, tp_str_text(&v->why));
  }
  put_json(v);
  tp_heartbeat_erase(&v->s->budget.heartbeat);
  print_answer(v);
  const size_t n_files = v->files ? v->o->files.n : 0;
  for (size_t i = 0; i < n_files; i++) tp_outline_clear(&v->files[i]);
  tp_free(v->files);
  tp_free(v->spots);
  tp_free(v->claims);
  tp_str_clear(&v->why);
  tp_witness_clear(&v->w);
  return tp_conclude_and_clear(v->s, status);
}

// ------------------------------------------------------------------------ reading

/* The witness's property and machine count where the command line names none. */
static bool take_options(validation *v) {
  tp_property asked, of_witness;
  tp_str why = {0};
  const char *machine = strcmp(v->w.data_model, "ILP32") == 0 ? "ilp32" : "lp64";
  bool ok = tp_property_of_text(v->w.specification, &of_witness, &why) == TP_OK;
  if (!ok) {
    set_status(v, "refused", "its specification is none that is known (%s)", tp_str_text(&why));
  } else if (!tp_option_offer(v->o, "property", tp_property_name(of_witness), &why) ||
             !tp_option_offer(v->o, "machine", machine, &why)) {
    ok = false;
    set_status(v, "refused", "%s", tp_str_text(&why));
  } else if (tp_property_of_argument(v->o->property, &asked, &why) == TP_OK &&
             !tp_property_covers(asked, of_witness) && !tp_property_covers(of_witness, asked)) {
    ok = false;
    set_status(v, "refused", "it is about %s, and --property asks for %s",
               tp_property_name(of_witness), tp_property_name(asked));
  } else if (strcmp(v->o->machine, machine) != 0) {
    ok = false;
    set_status(v, "refused", "it is about machine %s, and --machine is %s", machine, v->o->machine);
  }
  tp_str_clear(&why);
  return ok;
}

static bool read_witness(validation *v) {
  tp_str text = {0}, why = {0};
  bool ok = false;
  if (tp_read_file(v->o->witness, &text) != TP_OK) {
    set_status(v, "refused", "%s: %s", v->o->witness, strerror(errno));
  } else {
    const tp_status st = tp_witness_read(tp_str_text(&text), text.n, &v->w, &why);
    ok = st == TP_OK;
    if (!ok) set_status(v, st == TP_ERR_UNSUPPORTED ? "open" : "refused", "%s", tp_str_text(&why));
  }
  tp_str_clear(&text);
  tp_str_clear(&why);
  return ok && take_options(v);
}

static bool has_hash(const validation *v, const char *hash) {
  for (size_t i = 0; i < v->w.files.n; i++)
    if (strcasecmp(v->w.files.at[i].hash, hash) == 0) return true;
  return false;
}

/* Is the witness about these files? */
static bool read_program(validation *v) {
  v->files = TP_NEW_ARRAY(tp_outline, v->o->files.n);
  if (v->o->files.n != v->w.files.n) {
    set_status(v, "refused", "it is about %zu files, and the program has %zu", v->w.files.n,
               v->o->files.n);
    return false;
  }
  for (size_t i = 0; i < v->o->files.n; i++) {
    tp_str text = {0};
    char hash[TP_SHA256_DIGITS + 1];
    if (tp_read_file(v->o->files.at[i], &text) != TP_OK) return false;
    tp_sha256(tp_str_text(&text), text.n, hash);
    tp_outline_read(&v->files[i], v->o->files.at[i], text);
    if (has_hash(v, hash)) continue;
    set_status(v, "refused", "it is about another program: the SHA-256 of %s is %s",
               v->o->files.at[i], hash);
    return false;
  }
  v->task = (tp_witness_task){&v->w, v->files, v->o->files.n};
  return true;
}

/* The places of all items. Invariants that cannot be followed are open. */
static bool locate(validation *v) {
  v->spots = TP_NEW_ARRAY(tp_witness_spot, v->w.items.n + 1);
  v->claims = TP_NEW_ARRAY(claim, v->w.items.n + 1);
  for (size_t i = 0; i < v->w.items.n; i++) {
    tp_str why = {0};
    const tp_status st = tp_witness_locate(&v->task, &v->w.items.at[i], &v->spots[i], &why);
    const bool is_left_out = st == TP_ERR_UNSUPPORTED && v->w.kind == TP_WITNESS_CORRECTNESS;
    if (is_left_out) v->claims[i].why = tp_arena_strdup(&v->s->arena, why.text);
    if (st != TP_OK && !is_left_out)
      set_status(v, st == TP_ERR_UNSUPPORTED ? "open" : "refused", "%s", tp_str_text(&why));
    tp_str_clear(&why);
    if (st != TP_OK && !is_left_out) return false;
  }
  return true;
}

// ------------------------------------------------------------------- woven programs

/* A session of the woven program, to be ended with end_woven. */
typedef struct {
  tp_options o;
  tp_session s;
} woven;

static bool write_woven(const validation *v, const bool *chosen, woven *x) {
  tp_str *texts = TP_NEW_ARRAY(tp_str, v->o->files.n), dir = {0};
  bool ok = tp_temp_dir(&dir) == TP_OK;
  tp_witness_weave(&v->task, v->spots, chosen, texts);
  for (size_t i = 0; i < v->o->files.n; i++) {
    // .c, whatever the file was called: preprocessed text may be preprocessed again
    const char *path = tp_arena_printf(&x->o.arena, "%s/witness-%zu.c", tp_str_text(&dir), i);
    ok = ok && tp_write_file(path, tp_str_text(&texts[i]), texts[i].n) == TP_OK;
    tp_vec_push(&x->o.files, path);
    tp_str_clear(&texts[i]);
    const char *beside = v->o->files.at[i], *slash = strrchr(beside, '/');
    tp_vec_push(&x->o.clang_args, "-iquote");
    tp_vec_push(&x->o.clang_args,
                slash ? tp_arena_strndup(&x->o.arena, beside, (size_t)(slash - beside + 1)) : ".");
  }
  if (!ok) fprintf(stderr, "twoproof: temporary files: %s\n", strerror(errno));
  tp_str_clear(&dir);
  tp_free(texts);
  return ok;
}

/* What was allocated since `before` is kept of the answer, and outlives the session. */
static void keep_beyond(woven *x, size_t before) { x->s.live_before += tp_live_bytes() - before; }

static void end_woven(woven *x) {
  tp_session_clear(&x->s);
  tp_vec_clear(&x->o.files);
  tp_vec_clear(&x->o.clang_args);
  tp_arena_clear(&x->o.arena);
}

/* Loads the program with the chosen items woven in; false: that cannot be compiled. most_s: CPU
 * seconds from now on. */
static bool start_woven(const validation *v, const bool *chosen, const char *property,
                        double most_s, woven *x) {
  memset(x, 0, sizeof *x);
  x->o = *v->o;
  tp_arena_init(&x->o.arena);
  memset(&x->o.files, 0, sizeof x->o.files);
  memset(&x->o.clang_args, 0, sizeof x->o.clang_args);
  for (size_t i = 0; i < v->o->clang_args.n; i++)
    tp_vec_push(&x->o.clang_args, v->o->clang_args.at[i]);
  x->o.output = x->o.stats = x->o.pictures = x->o.save_precision = x->o.witness = "";
  x->o.property = property;
  x->o.finding = NULL;
  x->o.unroll = 0;
  const bool is_written = write_woven(v, chosen, x);
  tp_session_init(&x->s, &x->o);
  if (most_s > 0) x->s.budget.limit_s = tp_budget_used_s() + most_s;
  return is_written && tp_session_load(&x->s) == 0;
}

/* Seconds for one question: a share of what is left. */
static double share_of(const validation *v, double share) {
  if (v->s->budget.limit_s <= 0) return TP_APP_WITNESS_S;
  return share * tp_budget_left_s(&v->s->budget);
}

// ---------------------------------------------------------------------- correctness

static void add_inputs(const tp_inputs *in, tp_str *out) {
  for (size_t i = 0; i < in->v.n && i < TP_APP_WITNESS_INPUTS; i++) {
    tp_str_printf(out, "%s%s = ", i ? ", " : "", in->v.at[i].name ? in->v.at[i].name : "?");
    tp_literal_print(&in->v.at[i], out);
  }
  if (in->v.n > TP_APP_WITNESS_INPUTS)
    tp_str_printf(out, ", ... (%zu more)", in->v.n - TP_APP_WITNESS_INPUTS);
  if (in->v.n == 0) tp_str_add(out, "no inputs");
}

static void refute(validation *v, size_t i, const tp_session *by) {
  tp_str text = {0};
  tp_str_add(&text, "it fails in the run with ");
  add_inputs(&by->now.result.inputs, &text);
  v->claims[i].state = CLAIM_REFUTED;
  v->claims[i].why = tp_arena_strdup(&v->s->arena, text.text);
  tp_str_clear(&text);
}

/* The chosen invariants together; those that are decided leave `chosen`. False: nothing was. */
static bool ask_together(validation *v, bool *chosen, double share) {
  woven x;
  bool is_decided = true;
  size_t n = 0, only = 0, number = 0;
  for (size_t i = 0; i < v->w.items.n; i++)
    if (chosen[i]) only = i, n++;
  if (!start_woven(v, chosen, "unreach-call", share_of(v, share), &x)) {
    is_decided = n == 1;
    if (is_decided) {
      chosen[only] = false;
      v->claims[only].state = CLAIM_REFUTED;
      v->claims[only].why = "it is no expression over names that are visible there";
    }
    end_woven(&x);
    return is_decided;
  }
  tp_witness_keep_invariants(x.s.program, chosen, v->w.items.n);
  tp_session_decide(&x.s);
  const size_t live = tp_live_bytes();
  if (x.s.now.verdict == TP_VERDICT_TRUE) {
    for (size_t i = 0; i < v->w.items.n; i++)
      if (chosen[i]) v->claims[i].state = CLAIM_PROVED, chosen[i] = false;
  } else if (x.s.now.verdict == TP_VERDICT_FALSE &&
             tp_witness_invariant_of(x.s.now.error_function, &number) && number < v->w.items.n &&
             chosen[number]) {
    refute(v, number, &x.s);
    chosen[number] = false;
  } else {
    is_decided = false;
    if (n == 1) v->claims[only].why = tp_arena_strdup(&v->s->arena, tp_str_text(&x.s.now.reason));
  }
  keep_beyond(&x, live);
  end_woven(&x);
  return is_decided;
}

static size_t count(const validation *v, claim_state state) {
  size_t n = 0;
  for (size_t i = 0; i < v->w.items.n; i++) n += v->claims[i].state == state;
  return n;
}

static bool any(const bool *chosen, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (chosen[i]) return true;
  return false;
}

/* All together, as long as that decides something; then one by one. */
static void ask_invariants(validation *v) {
  const size_t n = v->w.items.n;
  bool *chosen = TP_NEW_ARRAY(bool, n + 1), *one = TP_NEW_ARRAY(bool, n + 1);
  for (size_t i = 0; i < n; i++) chosen[i] = v->claims[i].why == NULL;
  while (any(chosen, n) && !tp_process_interrupted() &&
         ask_together(v, chosen, TP_APP_WITNESS_SHARE))
    continue;
  for (size_t i = 0; i < n && !tp_process_interrupted(); i++) {
    if (!chosen[i]) continue;
    memset(one, 0, n * sizeof *one);
    one[i] = true;
    (void)ask_together(v, one, TP_APP_WITNESS_ONE_SHARE);
  }
  for (size_t i = 0; i < n; i++)
    if (v->claims[i].state == CLAIM_OPEN && !v->claims[i].why)
      v->claims[i].why = "nothing was tried";
  tp_free(chosen);
  tp_free(one);
}

/* Proved invariants at heads of loops become candidates of the proof of the program. They are read
 * as formulas there; one that cannot be is left out. */
static void offer_candidates(validation *v) {
  const tp_program *p = v->s->program;
  const tp_witness_source source = {v->s->program, v->files, v->o->files.n};
  for (size_t l = 1; l < p->loops.n; l++) {
    uint32_t token = 0;
    const tp_outline *o = tp_witness_place_of_loop(&source, &p->loops.at[l], &token);
    for (size_t i = 0; i < v->w.items.n && o; i++) {
      tp_expression_error error = {0};
      tp_candidate c = {.at = p->loops.at[l].head};
      if (v->claims[i].state == CLAIM_PROVED && &v->files[v->spots[i].file] == o &&
          v->spots[i].token == token &&
          tp_predicate_read(p, c.at, v->w.items.at[i].value, &c.formula, &error) == TP_OK)
        tp_vec_push(&v->s->candidates, c);
      tp_str_clear(&error.why);
    }
  }
}

static int check_correctness(validation *v) {
  ask_invariants(v);
  v->is_asked = true;
  const size_t n_refuted = count(v, CLAIM_REFUTED), n_open = count(v, CLAIM_OPEN);
  if (n_refuted) {
    set_status(v, "refused", "%zu of %zu invariants do%s not hold", n_refuted, v->w.items.n,
               n_refuted == 1 ? "es" : "");
    return 0;
  }
  offer_candidates(v);
  tp_session_decide(v->s);
  if (v->s->now.verdict == TP_VERDICT_FALSE)
    set_status(v, "refused", "the program violates its property");
  else if (v->s->now.verdict != TP_VERDICT_TRUE)
    set_status(v, "open", "the property was not proved");
  else if (n_open)
    set_status(v, "open",
               "%zu of %zu invariants could not be decided; the program has its property", n_open,
               v->w.items.n);
  else
    set_status(v, "confirmed", "%zu invariant%s, and the program has its property", v->w.items.n,
               v->w.items.n == 1 ? " holds" : "s hold");
  return 0;
}

// ------------------------------------------------------------------------ violation

/* A run that follows the witness; false: none was found, and the status says why. */
static bool find_run(validation *v) {
  const size_t n = v->w.items.n, last = n - 1;
  bool *chosen = TP_NEW_ARRAY(bool, n), found = false;
  woven x;
  for (size_t i = 0; i < n; i++) chosen[i] = true;
  tp_inputs guess;
  tp_inputs_init(&guess);
  const bool has_guess = tp_witness_follow(v->s->program, &v->task, v->spots, &guess);
  if (!start_woven(v, chosen, v->o->property, share_of(v, TP_APP_WITNESS_SHARE), &x)) {
    const size_t live = tp_live_bytes();
    set_status(v, "refused", "a constraint is no expression over names that are visible there");
    keep_beyond(&x, live);
  } else {
    tp_witness_keep_target(x.s.program, x.s.property, &v->task, &v->spots[last],
                           v->w.items.at[last].segment);
    const bool is_guess = has_guess && tp_witness_fails(x.s.program, &guess);
    if (!is_guess) tp_session_decide(&x.s);
    found = is_guess || x.s.now.verdict == TP_VERDICT_FALSE;
    const size_t live = tp_live_bytes();
    if (found)
      tp_inputs_add_all(&v->s->now.result.inputs, is_guess ? &guess : &x.s.now.result.inputs);
    else if (x.s.now.verdict == TP_VERDICT_TRUE)
      set_status(v, "refused", "no run follows its waypoints to a failure at its target (proved)");
    else
      set_status(v, "open", "no run that follows it was found: %s", tp_str_text(&x.s.now.reason));
    keep_beyond(&x, live);
  }
  end_woven(&x);
  tp_inputs_clear(&guess);
  tp_free(chosen);
  return found;
}

/* The run on the original program, confirmed as every failure is. */
static int check_violation(validation *v) {
  tp_session *s = v->s;
  s->now.engine = "witness";
  if (!find_run(v)) return 0;
  s->now.result.verdict = TP_VERDICT_FALSE;
  s->has_given_inputs = true;
  tp_confirm_false(s);
  if (s->now.verdict != TP_VERDICT_FALSE) {
    set_status(v, "open", "%s", tp_str_text(&s->now.reason));
    return 0;
  }
  const tp_witness_source source = {s->program, v->files, v->o->files.n};
  uint32_t token = 0;
  const tp_outline *at = tp_witness_find(&source, s->now.error_pos, &token);
  const tp_witness_spot *target = &v->spots[v->w.items.n - 1];
  if (at && tp_witness_is_target(&v->task, target, (size_t)(at - v->files), token)) {
    set_status(v, "confirmed", "a run that follows it fails at its target");
    return 0;
  }
  set_status(v, "refused", "the run that follows it fails at another place than its target");
  tp_session_give_up(s, "witness refused");
  return 0;
}

int tp_witness_check(tp_session *s, tp_options *o) {
  TP_REQUIRE(s && o && o->witness[0]);
  validation v = {.s = s, .o = o, .status = "open"};
  int status = 0;
  tp_witness_init(&v.w);
  tp_session_give_up(s, "nothing was tried");
  if (!read_witness(&v)) return conclude(&v, strcmp(v.status, "open") == 0 ? TP_EXIT_UNKNOWN : 0);
  if ((status = tp_session_load(s)) != 0) {
    set_status(&v, "open", "the program cannot be read");
    return conclude(&v, status);
  }
  if (read_program(&v) && locate(&v))
    status = v.w.kind == TP_WITNESS_VIOLATION ? check_violation(&v) : check_correctness(&v);
  return conclude(&v, status);
}
