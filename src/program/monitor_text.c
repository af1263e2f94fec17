/* Reading monitor files.
 *
 *   file       = { "monitor" NAME [ "property" PROPERTY ] { section } }
 *   section    = ( "state" NAME | "always" ) { transition }
 *   transition = "on" event [ "when" condition ] [ "maybe" ] [ "let" NAME "=" operand ] ( "->" NAME
 *   | "error" [ TEXT ] )
 *   event      = "call" FUNCTION | "return" FUNCTION | "exit"
 *   condition  = test { ( "&&" | "||" ) test }            && binds more tightly
 *   test       = operand ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) operand
 *   operand    = INTEGER | "$" NUMBER | "$result" | NAME
 *
 * White space and comments (# to the end of the line) separate tokens. The first mistake
 * ends the reading. Targets may be named before they are declared, so names of states are
 * looked up when a monitor ends; then also the transitions of "always" are copied behind those of
 * each state. */
#include "program/monitor.h"

#include "diag/scan.h"
#include "program/program_limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { T_END, T_WORD, T_NUMBER, T_TEXT, T_ARGUMENT, T_SIGN } token_kind;

typedef struct {
  tp_monitors *m;
  tp_scan scan;
  const char *path, *base;
  token_kind kind;  // of the current token
  int64_t number;   // NUMBER, ARGUMENT (from 0; -1: $result)
} reader;

/* A transition whose target is a word so far. */
typedef struct {
  tp_transition t;
  const char *target;
  tp_pos target_pos;
} draft;

typedef struct {
  tp_monitor *monitor;
  TP_VEC(draft) drafts;
} section;

#define ALWAYS UINT32_MAX

// ----------------------------------------------------------------------- tokens

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void read_number(reader *r) {
  tp_scan *s = &r->scan;
  char *end;
  errno = 0;
  r->number = strtoll(s->at, &end, 0);
  s->n = (size_t)(end - s->at);
  if (errno == ERANGE)
    tp_scan_fail(s, s->pos, "a number must fit into 64 bits with sign");
  else if (s->n == 0 || is_letter(*end) || is_digit(*end))
    tp_scan_fail(s, s->pos, "not a number");
}

static void read_argument(reader *r) {
  static const char result[] = "$result";
  tp_scan *s = &r->scan;
  r->kind = T_ARGUMENT;
  r->number = -1;
  for (s->n = 1; is_letter(s->at[s->n]) || is_digit(s->at[s->n]); s->n++) {
  }
  if (s->n == sizeof result - 1 && memcmp(s->at, result, s->n) == 0) return;
  unsigned long number = is_digit(s->at[1]) && s->n <= 3 ? strtoul(s->at + 1, NULL, 10) : 0;
  if (number < 1 || number > TP_PROGRAM_MONITOR_VALUES)
    tp_scan_fail(s, s->pos, "expected $1 to $%d, or $result", TP_PROGRAM_MONITOR_VALUES);
  r->number = (int64_t)number - 1;
}

static void next(reader *r) {
  static const char *const signs[] = {"->", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "="};
  tp_scan *s = &r->scan;
  if (!tp_scan_token(s)) {
    r->kind = T_END;
    return;
  }
  if (is_letter(*s->at)) {
    r->kind = T_WORD;
    while (is_letter(s->at[s->n]) || is_digit(s->at[s->n])) s->n++;
  } else if (is_digit(*s->at) || (*s->at == '-' && is_digit(s->at[1]))) {
    r->kind = T_NUMBER;
    read_number(r);
  } else if (*s->at == '$') {
    read_argument(r);
  } else if (*s->at == '"') {
    r->kind = T_TEXT;
    s->n = 1 + strcspn(s->at + 1, "\"\n");
    if (s->at[s->n] != '"')
      tp_scan_fail(s, s->pos, "this text has no end");
    else
      s->n++;
  } else {
    r->kind = T_SIGN;
    s->n = tp_scan_sign(s, signs, sizeof signs / sizeof *signs);
  }
  tp_scan_past(s);
}

static bool accept(reader *r, const char *text) {
  if (r->scan.failed || !tp_scan_is(&r->scan, text)) return false;
  next(r);
  return true;
}

static bool is_keyword(const reader *r) {
  static const char *const words[] = {"monitor", "property", "state", "always", "on",
                                      "when",    "maybe",    "let",   "error"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (tp_scan_is(&r->scan, words[i])) return true;
  return false;
}

/* A word that is no keyword; NULL: another token, which has been reported. */
static const char *name(reader *r, const char *what) {
  if (r->scan.failed) return NULL;
  if (r->kind != T_WORD || is_keyword(r)) {
    tp_scan_expected(&r->scan, what);
    return NULL;
  }
  const char *text = tp_arena_strndup(&r->m->arena, r->scan.text, r->scan.n);
  next(r);
  return text;
}

// ------------------------------------------------------------------- conditions

static uint32_t find(const char *const *list, size_t n, const char *text) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i], text) == 0) return (uint32_t)i;
  return UINT32_MAX;
}

static bool read_operand(reader *r, tp_monitor *m, const tp_transition *t, tp_operand *out) {
  *out = (tp_operand){.pos = r->scan.pos, .number = r->number};
  if (r->scan.failed) return false;
  if (r->kind == T_NUMBER) {
    out->kind = TP_OPERAND_CONSTANT;
  } else if (r->kind == T_ARGUMENT) {
    out->kind = r->number < 0 ? TP_OPERAND_RESULT : TP_OPERAND_ARGUMENT;
    if (t->event == TP_EVENT_EXIT)
      return tp_scan_fail(&r->scan, r->scan.pos, "the end of the program has no values");
    if (r->number < 0 && t->event == TP_EVENT_CALL)
      return tp_scan_fail(&r->scan, r->scan.pos, "a call has no result yet; use 'on return'");
    if (r->number >= 0 && t->event == TP_EVENT_RETURN)
      r->m->functions.at[t->function].wants_return = true;
  } else if (r->kind == T_WORD && !is_keyword(r)) {
    const char *text = tp_arena_strndup(&r->m->arena, r->scan.text, r->scan.n);
    uint32_t i = find(m->names.at, m->names.n, text);
    if (i == UINT32_MAX)
      return tp_scan_fail(&r->scan, r->scan.pos,
                          "'%s' has no value; 'let %s = $1' in an earlier transition gives it one",
                          text, text);
    out->kind = TP_OPERAND_NAME;
    out->number = i;
  } else {
    return tp_scan_expected(&r->scan, "a number, $1 ..., $result, or a name");
  }
  next(r);
  return !r->scan.failed;
}

static bool read_test(reader *r, tp_monitor *m, const tp_transition *t, tp_monitor_test *out) {
  static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
  static const tp_compare mirrored[] = {TP_COMPARE_EQ, TP_COMPARE_NE, TP_COMPARE_GT,
                                        TP_COMPARE_GE, TP_COMPARE_LT, TP_COMPARE_LE};
  if (!read_operand(r, m, t, &out->left)) return false;
  size_t i = 0;
  while (i < 6 && !tp_scan_is(&r->scan, signs[i])) i++;
  if (i == 6) return tp_scan_expected(&r->scan, "a comparison (==, !=, <, <=, >, >=)");
  out->how = (tp_compare)i;
  next(r);
  if (!read_operand(r, m, t, &out->right)) return false;
  if (out->left.kind == TP_OPERAND_CONSTANT) {  // constants stand on the right
    tp_operand constant = out->left;
    if (out->right.kind == TP_OPERAND_CONSTANT)
      return tp_scan_fail(&r->scan, constant.pos,
                          "a comparison of two numbers says nothing about the program");
    out->left = out->right;
    out->right = constant;
    out->how = mirrored[i];
  }
  return true;
}

static bool read_condition(reader *r, tp_monitor *m, tp_transition *t) {
  TP_VEC(tp_monitor_test) tests = {0};
  bool more = true, ok = true;
  for (bool alternative = false; more && ok;) {
    tp_monitor_test test = {.is_alternative = alternative};
    ok = read_test(r, m, t, &test);
    if (ok) tp_vec_push(&tests, test);
    alternative = tp_scan_is(&r->scan, "||");
    more = accept(r, "&&") || accept(r, "||");
  }
  tp_monitor_test *copy = tp_arena_array(&r->m->arena, tp_monitor_test, tests.n + 1);
  if (tests.n) memcpy(copy, tests.at, tests.n * sizeof *copy);
  t->tests = copy;
  t->n_tests = (uint32_t)tests.n;
  tp_vec_clear(&tests);
  return ok;
}

// ------------------------------------------------------------------- transitions

static uint32_t watch(tp_monitors *m, const char *function) {
  uint32_t known = tp_monitors_function(m, function);
  if (known) return known;
  if (m->functions.n == 0) tp_vec_resize(&m->functions, 1);
  tp_vec_push(&m->functions, (tp_monitored_function){.name = function});
  return (uint32_t)m->functions.n - 1;
}

static bool read_event(reader *r, tp_transition *t) {
  if (accept(r, "exit")) {
    t->event = TP_EVENT_EXIT;
    r->m->observes_exit = true;
    return true;
  }
  t->event = tp_scan_is(&r->scan, "return") ? TP_EVENT_RETURN : TP_EVENT_CALL;
  if (!accept(r, "call") && !accept(r, "return"))
    return tp_scan_expected(&r->scan, "an event (call FUNCTION, return FUNCTION, or exit)");
  if (r->kind != T_WORD) return tp_scan_expected(&r->scan, "the name of a function");
  t->function = watch(r->m, tp_arena_strndup(&r->m->arena, r->scan.text, r->scan.n));
  if (t->event == TP_EVENT_RETURN) r->m->functions.at[t->function].wants_return = true;
  next(r);
  return !r->scan.failed;
}

static bool read_binding(reader *r, tp_monitor *m, tp_transition *t) {
  const char *text = name(r, "a name");
  if (!text) return false;
  uint32_t i = find(m->names.at, m->names.n, text);
  if (i == UINT32_MAX) {
    i = (uint32_t)m->names.n;
    tp_vec_push(&m->names, text);
  }
  if (!accept(r, "=")) return tp_scan_expected(&r->scan, "'='");
  t->bound = i + 1;
  if (!read_operand(r, m, t, &t->value)) return false;
  bool from_event = t->value.kind == TP_OPERAND_ARGUMENT || t->value.kind == TP_OPERAND_RESULT;
  return from_event || tp_scan_fail(&r->scan, t->value.pos,
                                    "a name gets the value of an argument ($1, ...) or of $result");
}

static const char *error_text(reader *r, const tp_transition *t, const char *monitor,
                              const char *state) {
  tp_str s = {0};
  static const char *const events[] = {"call of ", "return of ", "end of the program"};
  if (r->kind == T_TEXT)
    tp_str_add_n(&s, r->scan.text + 1, r->scan.n - 2);
  else
    tp_str_printf(&s, "%s: %s%s in state %s", monitor, events[t->event],
                  t->event == TP_EVENT_EXIT ? "" : r->m->functions.at[t->function].name, state);
  if (r->kind == T_TEXT) next(r);
  tp_str_printf(&s, " (monitor %s:%u)", r->base, t->pos.line);
  const char *text = tp_arena_strdup(&r->m->arena, s.text);
  tp_str_clear(&s);
  return text;
}

static bool read_transition(reader *r, section *s, uint32_t state, tp_pos pos) {
  draft d = {.t = {.pos = pos, .state = state}};
  if (!read_event(r, &d.t)) return false;
  if (accept(r, "when") && !read_condition(r, s->monitor, &d.t)) return false;
  d.t.is_optional = accept(r, "maybe");
  r->m->has_choice |= d.t.is_optional;
  if (accept(r, "let") && !read_binding(r, s->monitor, &d.t)) return false;
  d.target_pos = r->scan.pos;
  if (accept(r, "->")) {
    d.target_pos = r->scan.pos;
    if (!(d.target = name(r, "the name of a state"))) return false;
  } else if (accept(r, "error")) {
    const char *in = state == ALWAYS ? "any" : s->monitor->states.at[state];
    d.t.error = error_text(r, &d.t, s->monitor->name, in);
  } else {
    return tp_scan_expected(&r->scan, "'-> STATE' or 'error \"text\"'");
  }
  if (d.t.error && d.t.bound)
    return tp_scan_fail(&r->scan, pos, "an error ends the run: there is no use for a name");
  tp_vec_push(&s->drafts, d);
  return !r->scan.failed;
}

// --------------------------------------------------------------------- monitors

static bool add_state(reader *r, tp_monitor *m) {
  tp_pos pos = r->scan.pos;
  const char *text = name(r, "the name of a state");
  if (!text) return false;
  if (find(m->states.at, m->states.n, text) != UINT32_MAX)
    return tp_scan_fail(&r->scan, pos, "state %s is declared twice", text);
  if (m->states.n == 255) return tp_scan_fail(&r->scan, pos, "a monitor has at most 255 states");
  tp_vec_push(&m->states, text);
  return true;
}

/* Names of states become numbers; each state gets its own transitions and then those of "always".
 */
static bool finish_monitor(reader *r, section *s) {
  tp_monitor *m = s->monitor;
  if (m->states.n == 0) return tp_scan_fail(&r->scan, m->pos, "monitor %s has no state", m->name);
  for (size_t i = 0; i < s->drafts.n; i++) {
    draft *d = &s->drafts.at[i];
    d->t.target = d->target ? find(m->states.at, m->states.n, d->target) : 0;
    if (d->t.target == UINT32_MAX)
      return tp_scan_fail(&r->scan, d->target_pos, "monitor %s has no state %s", m->name,
                          d->target);
  }
  for (uint32_t state = 0; state < m->states.n; state++)
    for (int always = 0; always < 2; always++)
      for (size_t i = 0; i < s->drafts.n; i++) {
        tp_transition t = s->drafts.at[i].t;
        if (t.state != (always ? ALWAYS : state)) continue;
        t.state = state;
        tp_vec_push(&m->transitions, t);
      }
  return true;
}

static bool read_property(reader *r, tp_monitor *m) {
  // names of properties contain hyphens, which no other word does
  r->scan.at = r->scan.text;
  r->scan.n = strcspn(r->scan.at, " \t\r\n#");
  char text[40];
  snprintf(text, sizeof text, "%.*s", (int)(r->scan.n < sizeof text ? r->scan.n : sizeof text - 1),
           r->scan.at);
  if (!tp_property_parse(text, &m->property) || m->property == TP_P_VALID_MEMSAFETY ||
      m->property == TP_P_EQUAL)
    return tp_scan_fail(
        &r->scan, r->scan.pos,
        "'%s' is no property that an error can violate (unreach-call, valid-deref, ...)", text);
  r->scan.at += r->scan.n;
  next(r);
  return true;
}

static bool read_sections(reader *r, section *s) {
  uint32_t state = UINT32_MAX - 1;  // none yet
  while (!r->scan.failed && r->kind != T_END && !tp_scan_is(&r->scan, "monitor")) {
    tp_pos pos = r->scan.pos;
    if (accept(r, "state")) {
      if (!add_state(r, s->monitor)) return false;
      state = (uint32_t)s->monitor->states.n - 1;
    } else if (accept(r, "always")) {
      state = ALWAYS;
    } else if (state != UINT32_MAX - 1 && accept(r, "on")) {
      if (!read_transition(r, s, state, pos)) return false;
    } else {
      return tp_scan_expected(&r->scan, state == UINT32_MAX - 1
                                            ? "'state NAME' or 'always'"
                                            : "'on', 'state NAME', 'always', or 'monitor NAME'");
    }
  }
  return !r->scan.failed;
}

static bool read_monitor(reader *r) {
  tp_monitor m = {.pos = r->scan.pos, .property = TP_P_UNREACH_CALL};
  section s = {.monitor = &m};
  bool ok = accept(r, "monitor") || tp_scan_expected(&r->scan, "'monitor NAME'");
  tp_pos pos = r->scan.pos;
  ok = ok && (m.name = name(r, "the name of the monitor")) != NULL;
  for (size_t i = 0; ok && i < r->m->list.n; i++)
    if (strcmp(r->m->list.at[i].name, m.name) == 0)
      ok = tp_scan_fail(&r->scan, pos, "there are two monitors %s", m.name);
  if (ok && accept(r, "property")) ok = read_property(r, &m);
  ok = ok && read_sections(r, &s) && finish_monitor(r, &s);
  tp_vec_clear(&s.drafts);
  tp_vec_push(&r->m->list, m);
  return ok;
}

tp_status tp_monitors_read(tp_monitors *m, const char *path, tp_diag *diag) {
  tp_str text = {0};
  TP_TRY(tp_read_file(path, &text));
  const char *slash = strrchr(path, '/');
  reader r = {.m = m,
              .scan = tp_scan_start(diag, "monitor", path, tp_str_text(&text)),
              .path = path,
              .base = slash ? slash + 1 : path};
  r.base = tp_arena_strdup(&m->arena, r.base);
  next(&r);
  bool ok = !r.scan.failed;
  if (ok && r.kind == T_END) ok = tp_scan_expected(&r.scan, "'monitor NAME'");
  while (ok && !r.scan.failed && r.kind != T_END) ok = read_monitor(&r);
  tp_str_clear(&text);
  return ok && !r.scan.failed ? TP_OK : TP_ERR_INPUT;
}

void tp_monitors_clear(tp_monitors *m) {
  for (size_t i = 0; i < m->list.n; i++) {
    tp_vec_clear(&m->list.at[i].states);
    tp_vec_clear(&m->list.at[i].names);
    tp_vec_clear(&m->list.at[i].transitions);
  }
  tp_vec_clear(&m->list);
  tp_vec_clear(&m->functions);
  tp_vec_clear(&m->errors);
  tp_arena_clear(&m->arena);
}

uint32_t tp_monitors_function(const tp_monitors *m, const char *function) {
  for (uint32_t i = 1; i < m->functions.n; i++)
    if (strcmp(m->functions.at[i].name, function) == 0) return i;
  return 0;
}
