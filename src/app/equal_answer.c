/* The end of a comparison: what counts as a failure of the program that compares, and what its
 * failure means for the two versions. The words come from the failing run: which line of the
 * comparison it ended in, the values that were kept there, the inputs by the lines that asked. */
#include "app/equal.h"

#include "app/app_limits.h"
#include "app/entry_returns.h"
#include "app/equal_addresses.h"
#include "app/equal_write.h"
#include "exec/input_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// ------------------------------------------------------------------ whose operation

typedef enum { OF_HARNESS, OF_OLD, OF_NEW, OF_BOTH } owner;

/* By the file of the function: models of the library and headers belong to both. */
static owner owner_of(const tp_session *s, const tp_equal *e, tp_func f) {
  const tp_program *p = s->program;
  const tp_func_info *info = tp_func_of(p, f);
  if (info->pos.file == tp_func_of(p, p->main)->pos.file) return OF_HARNESS;
  if (info->is_model) return OF_BOTH;
  char *path = realpath(tp_diag_path_as_given(s->diag, info->pos.file), NULL);
  const bool is_old = path && strcmp(path, e->old_path) == 0,
             is_new = path && strcmp(path, e->new_path) == 0;
  free(path);
  return is_old == is_new ? OF_BOTH : is_old ? OF_OLD : OF_NEW;
}

static tp_var find_variable(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->vars.n; i++)
    if (p->vars.at[i].kind == TP_V_GLOBAL && strcmp(p->vars.at[i].name, name) == 0)
      return (tp_var){i};
  return TP_VAR_NONE;
}

/* A location in front of an error is passed only while the new version runs; where the old one does
 * the run ends there, as behind a failed assumption. */
static void guard(tp_program *p, tp_loc error, tp_term is_new) {
  const tp_loc_info info = *tp_loc_of(p, error);
  const tp_loc before = tp_program_add_loc(p, (tp_loc_info){.func = info.func, .pos = info.pos});
  for (size_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].to.id == error.id) p->edges.at[i].to = before;
  (void)tp_program_add_edge(
      p, (tp_edge_info){
             .kind = TP_E_ASSUME, .from = before, .to = error, .pos = info.pos, .a = is_new});
}

/* A failure of the old version is the end of the run. */
static void forgive(tp_loc_info *l) {
  l->error = TP_P_NONE;
  l->message = NULL;
  l->manner = TP_FAILS_AT_LOCATION;
}

void tp_equal_restrict(tp_session *s, const tp_equal *e) {
  TP_REQUIRE(s && s->program && e);
  tp_program *p = s->program;
  const tp_var side = find_variable(p, "twoproof_side");
  TP_INVARIANT(side.id);
  tp_terms *tt = p->terms;
  const tp_term side_is = tp_var_of(p, side)->term,
                is_new = tp_mk_eq(tt, side_is, tp_mk_bv(tt, tp_width(tt, side_is), 2));
  owner *owners = TP_NEW_ARRAY(owner, p->funcs.n);
  for (uint32_t f = 1; f < p->funcs.n; f++) owners[f] = owner_of(s, e, (tp_func){f});
  const size_t n = p->locs.n;
  for (uint32_t l = 1; l < n; l++) {
    if (p->locs.at[l].error == TP_P_NONE) continue;
    switch (owners[p->locs.at[l].func.id]) {
      case OF_HARNESS:
      case OF_NEW: break;
      case OF_OLD: forgive(&p->locs.at[l]); break;
      case OF_BOTH: guard(p, (tp_loc){l}, is_new); break;
    }
  }
  tp_free(owners);
  tp_program_finish(p);
  tp_program_require_checked(p);
  for (size_t i = 0; i < e->calls.n; i++)
    tp_vec_push(&p->assumptions,
                tp_arena_printf(&p->arena, "%s is called with: %s", e->function, e->calls.at[i]));
  for (size_t i = 0; i < e->assumptions.n; i++)
    tp_vec_push(&p->assumptions, tp_arena_strdup(&p->arena, e->assumptions.at[i]));
}

// ------------------------------------------------------------------------ the run

/* The state in which the run with these inputs fails; NULL: it does not. */
static tp_state *failing_state(const tp_session *s) {
  tp_vector_oracle vector = {.in = &s->now.result.inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  tp_state *state = tp_state_initial(s->program);
  const tp_run_result r = tp_exec_run(
      s->program, state, &oracle, (tp_run_limits){.steps = (uint64_t)TP_APP_REPLAY_STEPS}, NULL);
  if (r.end == TP_END_ERROR) return state;
  tp_state_free(state);
  return NULL;
}

static bool value_of(const tp_session *s, const tp_state *state, const char *name, tp_value *out) {
  const tp_var v = find_variable(s->program, name);
  return v.id && tp_state_value(state, v, out) == TP_OK;
}

static uint64_t number_of(const tp_session *s, const tp_state *state, const char *name) {
  tp_value value;
  return value_of(s, state, name, &value) ? (uint64_t)value.bits : 0;
}

// ------------------------------------------------------------------------- values

/* The shortest decimal form that gives the number back. */
static void print_double(double x, tp_str *out) {
  char text[40];
  int digits = 1;
  do snprintf(text, sizeof text, "%.*g", digits, x);
  while (digits++ < 17 && strtod(text, NULL) != x && x == x);
  tp_str_printf(out, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

/* A value of a scalar type, as C writes it. */
static void print_scalar(const tp_type_info *t, uint64_t bits, tp_str *out) {
  if (t->kind == TP_T_FLOAT) {
    float single;
    double x;
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&x, &bits, sizeof x);
    print_double(t->size_bytes == sizeof single ? (double)single : x, out);
    return;
  }
  const uint32_t width = (uint32_t)t->size_bytes * 8;
  tp_input in = {.kind = TP_I_NONDET,
                 .width_bits = t->kind == TP_T_BOOL ? 1
                               : width > 64         ? 64
                                                    : width,
                 .is_signed = t->is_signed,
                 .bits = bits};
  if (in.width_bits < 64) in.bits &= ((tp_u128)1 << in.width_bits) - 1;
  tp_literal_print(&in, out);
}

/* A float was kept as a double. */
static void print_float(const tp_session *s, const tp_state *state, const char *name, tp_str *out) {
  static const tp_type_info as_double = {.kind = TP_T_FLOAT, .size_bytes = 8};
  print_scalar(&as_double, number_of(s, state, name), out);
}

static void print_kept(const tp_session *s, const tp_equal *e, const tp_state *state,
                       const tp_equal_site *site, bool is_old, tp_str *out) {
  static const tp_type_info as_byte = {.kind = TP_T_INT, .size_bytes = 1};
  const tp_type_info *t = site->type.id ? tp_type_of(e->program, site->type) : &as_byte;
  if (t->kind == TP_T_FLOAT)
    print_float(s, state, is_old ? "twoproof_float_old" : "twoproof_float_new", out);
  else
    print_scalar(t, number_of(s, state, is_old ? "twoproof_value_old" : "twoproof_value_new"), out);
}

/* "a[3]" of "a[twoproof_k0]". */
static const char *with_counters(tp_session *s, const tp_state *state, const char *text) {
  tp_str out = {0};
  for (const char *at = text; *at;) {
    const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    if (n > 10 && strncmp(at, "twoproof_k", 10) == 0) {
      const char *name = tp_arena_strndup(&s->arena, at, n);
      tp_str_printf(&out, "%" PRIu64, number_of(s, state, name));
      at += n;
    } else {
      tp_str_add_n(&out, at, n ? n : 1);
      at += n ? n : 1;
    }
  }
  const char *done = tp_arena_strdup(&s->arena, tp_str_text(&out));
  tp_str_clear(&out);
  return done;
}

// ------------------------------------------------------------------------- inputs

static const tp_env_draw *draw_of(const tp_session *s, const tp_equal *e, const tp_input *in) {
  const tp_pos main = tp_func_of(s->program, s->program->main)->pos;
  if (in->kind != TP_I_NONDET || in->pos.file != main.file) return NULL;
  for (size_t i = 0; i < e->draws.n; i++)
    if (e->draws.at[i].line + e->first_draw == in->pos.line) return &e->draws.at[i];
  return NULL;
}

static void print_bytes(const tp_program *p, tp_type type, const uint8_t *bytes, size_t n,
                        tp_str *out) {
  const tp_type_info *t = tp_type_of(p, type);
  if (t->kind == TP_T_ARRAY || t->kind == TP_T_STRUCT) {
    const uint64_t count = t->kind == TP_T_ARRAY ? t->n_elements : t->n_members;
    tp_str_add(out, "{");
    for (uint64_t i = 0; i < count; i++) {
      const tp_type of = t->kind == TP_T_ARRAY ? t->element : t->members[i].type;
      const uint64_t at =
          t->kind == TP_T_ARRAY ? i * tp_type_of(p, of)->size_bytes : t->members[i].offset_bits / 8;
      tp_str_add(out, i ? ", " : "");
      if (i == TP_APP_EQUAL_ELEMENTS) {
        tp_str_add(out, "...");
        break;
      }
      if (t->kind == TP_T_STRUCT) tp_str_printf(out, ".%s = ", t->members[i].name);
      print_bytes(p, of, at < n ? bytes + at : NULL, at < n ? n - (size_t)at : 0, out);
    }
    tp_str_add(out, "}");
    return;
  }
  uint64_t bits = 0;  // bytes behind the end are 0
  for (uint64_t i = 0; i < t->size_bytes && i < 8 && i < n; i++)
    bits |= (uint64_t)bytes[i] << 8 * i;
  print_scalar(t, bits, out);
}

/* An input that is one number. */
static void print_input(const tp_input *in, tp_str *out) {
  if (!in->is_float) {
    tp_literal_print(in, out);
    return;
  }
  const tp_type_info t = {.kind = TP_T_FLOAT, .size_bytes = in->width_bits / 8};
  print_scalar(&t, (uint64_t)in->bits, out);
}

/* Elements of one array, that stand behind each other among the inputs. Returns how many. */
static size_t print_elements(const tp_session *s, const tp_equal *e, size_t from, size_t most,
                             const tp_env_draw *d, tp_str *out) {
  const tp_inputs *in = &s->now.result.inputs;
  size_t n = 0;
  tp_str_add(out, "{");
  for (size_t i = from; i < in->v.n && n < most && draw_of(s, e, &in->v.at[i]) == d; i++, n++) {
    tp_str_add(out, n ? ", " : "");
    print_input(&in->v.at[i], out);
  }
  tp_str_add(out, "}");
  return n;
}

/* A string: its length, then its characters. Returns how many inputs. */
static size_t print_string(const tp_session *s, size_t from, tp_str *out) {
  const tp_inputs *in = &s->now.result.inputs;
  const size_t length = (size_t)in->v.at[from].bits;
  tp_str text = {0};
  for (size_t i = 0; i < length && from + 1 + i < in->v.n; i++)
    tp_str_add_char(&text, (char)in->v.at[from + 1 + i].bits);
  tp_string_literal_print((const uint8_t *)text.text, text.n, out);
  const size_t n = text.n;
  tp_str_clear(&text);
  return n + 1;
}

/* The lvalue that an input is for, without the index of an element that stands at its end. turn:
 * how often its line has asked before, which is the index in a loop. */
static void print_stem(const tp_env_draw *d, size_t turn, tp_str *out) {
  const char *end = strrchr(d->shown, '[');
  if (!end || d->kind != TP_DRAW_ELEMENT || end[strlen(end) - 1] != ']')
    end = d->shown + strlen(d->shown);
  const char *open = strstr(d->shown, "[i"), *close = open ? strchr(open, ']') : NULL;
  if (!close || close >= end) open = close = end;
  tp_str_add_n(out, d->shown, (size_t)(open - d->shown));
  if (open < end) tp_str_printf(out, "[%zu", turn);
  tp_str_add_n(out, close, (size_t)(end - close));
}

/* How many inputs in front of the i-th came from its line. */
static size_t turns_before(const tp_session *s, size_t i) {
  const tp_inputs *in = &s->now.result.inputs;
  size_t n = 0;
  for (size_t k = 0; k < i; k++)
    n += in->v.at[k].pos.line == in->v.at[i].pos.line &&
         in->v.at[k].pos.file == in->v.at[i].pos.file;
  return n;
}

static void print_inputs(const tp_session *s, const tp_equal *e, tp_str *out) {
  const tp_inputs *in = &s->now.result.inputs;
  bool is_first = true;
  for (size_t i = 0; i < in->v.n;) {
    const tp_env_draw *d = draw_of(s, e, &in->v.at[i]);
    const bool is_made = d && d->kind == TP_DRAW_MADE;
    if (!d || (is_made && in->v.at[i].bits)) {
      i++;
      continue;
    }
    tp_str_add(out, is_first ? " for " : ", ");
    is_first = false;
    print_stem(d, turns_before(s, i), out);
    tp_str_add(out, " = ");
    size_t n = 1;
    switch (d->kind) {
      case TP_DRAW_VALUE: print_input(&in->v.at[i], out); break;
      case TP_DRAW_BYTES:
        print_bytes(e->program, d->type, in->v.at[i].bytes, in->v.at[i].n_bytes, out);
        break;
      case TP_DRAW_ELEMENT: n = print_elements(s, e, i, SIZE_MAX, d, out); break;
      case TP_DRAW_LENGTH: n = print_string(s, i, out); break;
      case TP_DRAW_MADE: tp_str_add(out, "NULL"); break;
    }
    i += n ? n : 1;
  }
}

// ----------------------------------------------------------------------- sentences

static const tp_equal_site *site_of(const tp_session *s, const tp_equal *e) {
  const tp_pos main = tp_func_of(s->program, s->program->main)->pos;
  if (s->now.error_pos.file != main.file) return NULL;
  for (size_t i = 0; i < e->sites.n; i++)
    if (e->sites.at[i].line + e->first_site == s->now.error_pos.line) return &e->sites.at[i];
  return NULL;
}

static const char *end_name(uint64_t end) {
  return end == 0 ? "returns" : end == 1 ? "aborts" : "exits";
}

static void print_place(const tp_session *s, const tp_equal *e, const tp_state *state,
                        const char *shown, tp_str *out) {
  const bool is_old = number_of(s, state, "twoproof_value_old") != 0,
             is_new = number_of(s, state, "twoproof_value_new") != 0;
  if (is_old != is_new)
    tp_str_printf(out, "%s is null in %s and not in %s", shown, is_old ? e->new : e->old,
                  is_old ? e->old : e->new);
  else
    tp_str_printf(out, "%s leads to another place in %s than in %s", shown, e->new, e->old);
}

static void print_difference(tp_session *s, const tp_equal *e, const tp_state *state,
                             const tp_equal_site *site, tp_str *out) {
  const char *shown = with_counters(s, state, site->shown);
  tp_str old = {0}, new = {0};
  print_kept(s, e, state, site, true, &old);
  print_kept(s, e, state, site, false, &new);
  switch (site->kind) {
    case TP_DIFFERS_RESULT:
      tp_str_printf(out, "%s returns %s in %s and %s in %s", e->function, tp_str_text(&old), e->old,
                    tp_str_text(&new), e->new);
      break;
    case TP_DIFFERS_NUMBER:
      tp_str_printf(out, "after %s, %s is %s in %s and %s in %s", e->function, shown,
                    tp_str_text(&old), e->old, tp_str_text(&new), e->new);
      break;
    case TP_DIFFERS_PLACE:
      tp_str_printf(out, "after %s, ", e->function);
      print_place(s, e, state, shown, out);
      break;
    case TP_DIFFERS_FREED:
      tp_str_printf(out, "%s frees what %s points to in %s and not in %s", e->function, shown,
                    number_of(s, state, "twoproof_value_old") ? e->old : e->new,
                    number_of(s, state, "twoproof_value_old") ? e->new : e->old);
      break;
    case TP_DIFFERS_END:
      tp_str_printf(out, "%s %s in %s and %s in %s", e->function,
                    end_name(number_of(s, state, "twoproof_end_old")), e->old,
                    end_name(number_of(s, state, "twoproof_end_new")), e->new);
      break;
    case TP_DIFFERS_STATUS:
      tp_str_printf(out, "%s exits with %d in %s and %d in %s", e->function,
                    (int)number_of(s, state, "twoproof_status_old"), e->old,
                    (int)number_of(s, state, "twoproof_status_new"), e->new);
      break;
  }
  tp_str_clear(&old);
  tp_str_clear(&new);
}

/* The run rests on what would not be the same in two runs of one version either; NULL: it does
 * not. */
static const char *foreign_input(const tp_session *s) {
  if (s->now.used_indeterminate && !s->now.is_zeroed) return "memory that was never written";
  for (size_t i = 0; i < s->now.result.inputs.v.n; i++) {
    const tp_input *in = &s->now.result.inputs.v.at[i];
    if (tp_input_is_guess(in) && !s->now.guesses_matter) continue;
    if (in->kind == TP_I_ENVIRONMENT || in->kind == TP_I_VOLATILE || in->kind == TP_I_EXTERN)
      return in->callee ? in->callee : in->name && in->name[0] ? in->name : "its surroundings";
  }
  return NULL;
}

static void answer_false(tp_session *s, const tp_equal *e) {
  const tp_equal_site *site = site_of(s, e);
  const char *foreign = foreign_input(s);
  tp_state *state = failing_state(s);
  if (!foreign && state && number_of(s, state, "twoproof_unsure"))
    foreign = "what a function without body returns";
  const tp_run_limits limits = {.steps = (uint64_t)TP_APP_REPLAY_STEPS};
  if (!foreign && tp_equal_uses_addresses(s->program, &s->now.result.inputs, limits))
    foreign = "addresses as numbers";
  const tp_pos main = tp_func_of(s->program, s->program->main)->pos;
  if (foreign) {
    tp_session_give_up(s,
                       "%s of %s and %s differ on a run that depends on %s, of which each "
                       "version had its own",
                       e->function, e->old, e->new, foreign);
    if (state) tp_state_free(state);
    return;
  }
  if (!site && s->now.error_pos.file == main.file) {
    tp_session_give_up(s,
                       "what %s makes cannot be compared: a pointer leads to what may not be "
                       "read",
                       e->function);
    if (state) tp_state_free(state);
    return;
  }
  tp_str text = {0};
  if (site && state) {
    print_difference(s, e, state, site, &text);
  } else {
    tp_str_printf(&text, "%s has undefined behaviour in %s, and none in %s", e->function, e->new,
                  e->old);
    if (s->now.error_message && s->now.error_message[0])
      tp_str_printf(&text, ", %s", s->now.error_message);
  }
  print_inputs(s, e, &text);
  s->headline = tp_arena_strdup(&s->arena, tp_str_text(&text));
  if (state) tp_state_free(state);
  tp_str_clear(&text);
}

/* Does some run come to the comparison? Where the old version has undefined behaviour on every
 * input, equality holds and says nothing. */
static bool is_compared(tp_session *s) {
  return tp_entry_count_reached(s, TP_COVER_CALLS, TP_EQUAL_COMPARISON) > 0 ||
         tp_budget_is_spent(&s->budget);
}

void tp_equal_answer(tp_session *s, const tp_equal *e) {
  TP_REQUIRE(s && e);
  if (!s->program) return;
  if (s->now.verdict == TP_VERDICT_FALSE) answer_false(s, e);
  if (s->now.verdict == TP_VERDICT_TRUE && !is_compared(s)) {
    tp_session_give_up(s,
                       "no call was found that both versions of %s come back from: the proof says "
                       "nothing where the old one has undefined behaviour",
                       e->function);
    s->now.result.verdict = TP_VERDICT_UNKNOWN;
    s->now.result.obstacle = (tp_obstacle){.kind = TP_OBSTACLE_OTHER};
  }
  if (s->now.verdict == TP_VERDICT_TRUE && s->now.result.bound)
    s->headline = tp_arena_printf(&s->arena, "%s of %s does what that of %s does", e->function,
                                  e->new, e->old);
  else if (s->now.verdict == TP_VERDICT_TRUE)
    s->headline = tp_arena_printf(&s->arena,
                                  "%s of %s does what that of %s does, in every call that the "
                                  "assumptions describe",
                                  e->function, e->new, e->old);
}
