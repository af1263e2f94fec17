/* Places are looked up in the text of the files (report/c_outline.h), since the program model has
 * nothing of the macros. */
#include "app/hints.h"

#include "base/beside.h"
#include "base/files.h"
#include "expression/expression.h"
#include "report/json_text.h"
#include "report/witness_write.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *const macros[] = {"__twoproof_assume", "__twoproof_invariant"};

// -------------------------------------------------------------------------- flags

/* The text of a source, which may have come through a pipe. False: it cannot be read. */
static bool text_of(const char *path, tp_str *out) {
  const tp_str *taken = tp_intake_text(path);
  if (!taken) return tp_read_file(path, out) == TP_OK;
  tp_str_add_n(out, tp_str_text(taken), taken->n);
  return true;
}

static bool uses_macros(const char *path) {
  struct stat st;
  tp_str text = {0};
  const bool is_file = tp_intake_text(path) || (stat(path, &st) == 0 && S_ISREG(st.st_mode));
  const bool found =
      is_file && text_of(path, &text) &&
      (strstr(tp_str_text(&text), macros[0]) || strstr(tp_str_text(&text), macros[1]) ||
       strstr(tp_str_text(&text), "twoproof.h"));
  tp_str_clear(&text);
  return found;
}

void tp_hints_add_flags(tp_options *o) {
  TP_REQUIRE(o);
  char folder[4096];
  bool any = false;
  for (size_t i = 0; i < o->files.n && !any; i++) any = uses_macros(o->files.at[i]);
  if (!any || !tp_find_own_folder("include/twoproof.h", folder, sizeof folder)) return;
  tp_vec_push(&o->clang_args, "-isystem");
  tp_vec_push(&o->clang_args, tp_arena_printf(&o->arena, "%s/include", folder));
  tp_vec_push(&o->clang_args, "-include");
  tp_vec_push(&o->clang_args, tp_arena_printf(&o->arena, "%s/include/twoproof.h", folder));
}

// ------------------------------------------------------------------------ reading

static bool is_loop(const tp_outline_statement *s) {
  return s->kind == TP_OUTLINE_WHILE || s->kind == TP_OUTLINE_DO || s->kind == TP_OUTLINE_FOR;
}

/* The innermost loop that has the token; NULL: none. */
static const tp_outline_statement *loop_around(const tp_outline *o, uint32_t token) {
  const tp_outline_statement *best = NULL;
  for (size_t i = 0; i < o->statements.n; i++) {
    const tp_outline_statement *s = &o->statements.at[i];
    if (is_loop(s) && s->first <= token && token <= s->last && (!best || s->first >= best->first))
      best = s;
  }
  return best;
}

static void add_hint(tp_hints *h, tp_hint hint) {
  if (!hint.statement && !hint.why)
    hint.why = hint.is_invariant ? "it is in the body of no loop" : "no statement follows it";
  tp_vec_push(&h->list, hint);
}

/* The calls of the macros in a file. */
static void read_macros(tp_hints *h, size_t file) {
  const tp_outline *o = h->files.at[file];
  for (uint32_t i = 1; i + 1 < o->tokens.v.n; i++) {
    const bool is_invariant = tp_c_token_is(&o->tokens, i, macros[1]);
    if (!is_invariant && !tp_c_token_is(&o->tokens, i, macros[0])) continue;
    const tp_c_token *t = &o->tokens.v.at[i], *open = t + 1;
    if (!tp_c_token_is(&o->tokens, i + 1, "(") || !open->partner) continue;
    const size_t from = tp_c_token_end(open), to = o->tokens.v.at[open->partner].at;
    const tp_outline_statement *around = tp_outline_around(o, i);
    add_hint(h, (tp_hint){.is_invariant = is_invariant,
                          .text = tp_arena_strndup(&h->arena, o->text.text + from, to - from),
                          .file = file,
                          .line = t->named_line,
                          .column = t->column,
                          .statement = is_invariant ? loop_around(o, i)
                                       : around     ? tp_outline_next(o, around)
                                                    : NULL});
  }
}

static size_t add_file(tp_hints *h, const char *path) {
  for (size_t i = 0; i < h->files.n; i++)
    if (strcmp(h->files.at[i]->path, path) == 0) return i;
  tp_str text = {0};
  if (!text_of(path, &text)) {
    tp_str_clear(&text);
    return SIZE_MAX;
  }
  tp_outline *o = TP_NEW_ARRAY(tp_outline, 1);
  tp_outline_read(o, tp_arena_strdup(&h->arena, path), text);
  tp_vec_push(&h->files, o);
  return h->files.n - 1;
}

/* The first loop, or statement, that starts in the line. */
static const tp_outline_statement *starts_in(const tp_outline *o, uint32_t line,
                                             bool is_invariant) {
  for (size_t i = 0; i < o->statements.n; i++) {
    const tp_outline_statement *s = &o->statements.at[i];
    if (o->tokens.v.at[s->first].named_line == line && (!is_invariant || is_loop(s))) return s;
  }
  return NULL;
}

/* "invariant FILE:LINE EXPRESSION". NULL, or what is wrong. */
static const char *read_line(tp_hints *h, const char *line) {
  tp_hint hint = {0};
  const size_t word = strcspn(line, " \t");
  hint.is_invariant = word == 9 && strncmp(line, "invariant", 9) == 0;
  if (!hint.is_invariant && !(word == 6 && strncmp(line, "assume", 6) == 0))
    return "it starts neither with 'invariant' nor with 'assume'";
  const char *place = line + word + strspn(line + word, " \t"),
             *end = place + strcspn(place, " \t");
  const char *colon = end;
  while (colon > place && *colon != ':') colon--;
  char *behind = NULL;
  hint.line = (uint32_t)strtoul(colon + 1, &behind, 10);
  if (colon == place || behind != end || !hint.line) return "FILE:LINE is wanted";
  hint.text = tp_arena_strdup(&h->arena, end + strspn(end, " \t"));
  if (!hint.text[0]) return "there is no expression";
  hint.file = add_file(h, tp_arena_strndup(&h->arena, place, (size_t)(colon - place)));
  if (hint.file == SIZE_MAX) return "its file cannot be read";
  hint.statement = starts_in(h->files.at[hint.file], hint.line, hint.is_invariant);
  if (!hint.statement)
    hint.why =
        hint.is_invariant ? "no loop starts in this line" : "no statement starts in this line";
  add_hint(h, hint);
  return NULL;
}

static tp_status read_file(tp_hints *h, const char *path) {
  tp_str text = {0};
  tp_status st = tp_read_file(path, &text);
  if (st != TP_OK) fprintf(stderr, "twoproof: %s: %s\n", path, strerror(errno));
  uint32_t number = 0;
  for (char *line = text.text; st == TP_OK && line && *line;) {
    char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
    *end = '\0';
    if (end > line && end[-1] == '\r') end[-1] = '\0';
    line += strspn(line, " \t");
    number++;
    const char *wrong = *line && *line != '#' ? read_line(h, line) : NULL;
    if (wrong) {
      fprintf(stderr, "twoproof: %s:%u: %s\n", path, number, wrong);
      st = TP_ERR_INPUT;
    }
    line = next;
  }
  tp_str_clear(&text);
  return st;
}

tp_status tp_hints_read(const tp_options *o, tp_hints *out) {
  TP_REQUIRE(o && out);
  *out = (tp_hints){0};
  tp_arena_init(&out->arena);
  for (size_t i = 0; i < o->files.n; i++) {
    if (!uses_macros(o->files.at[i])) continue;
    const size_t file = add_file(out, o->files.at[i]);
    if (file != SIZE_MAX) read_macros(out, file);
  }
  return o->hints[0] ? read_file(out, o->hints) : TP_OK;
}

void tp_hints_clear(tp_hints *h) {
  for (size_t i = 0; i < h->files.n; i++) {
    tp_outline_clear(h->files.at[i]);
    tp_free(h->files.at[i]);
  }
  tp_vec_clear(&h->files);
  tp_vec_clear(&h->list);
  tp_arena_clear(&h->arena);
}

// ----------------------------------------------------------------------- offering

/* The token of a position of the program in this file; 0: it is in another one. */
static uint32_t token_at(const tp_hints *h, const tp_session *s, size_t file, tp_pos pos) {
  return tp_pos_known(pos) ? tp_outline_at(h->files.at[file], s->diag, pos) : 0;
}

/* One location. Remembers why it is no expression there. */
static void offer_at(tp_hints *h, tp_session *s, size_t number, tp_loc at) {
  tp_hint *hint = &h->list.at[number];
  tp_expression_error error = {0};
  tp_candidate c = {.at = at, .number = (uint32_t)number + 1};
  for (size_t i = 0; i < s->candidates.n; i++)
    if (s->candidates.at[i].at.id == at.id && s->candidates.at[i].number == c.number) return;
  if (tp_predicate_read(s->program, at, hint->text, &c.formula, &error) == TP_OK) {
    tp_vec_push(&s->candidates, c);
    hint->is_offered = true;
  } else {
    hint->why = tp_arena_printf(&s->arena, "it cannot be read there: %s", tp_str_text(&error.why));
  }
  tp_str_clear(&error.why);
}

static void offer_invariant(tp_hints *h, tp_session *s, size_t number) {
  const tp_hint *hint = &h->list.at[number];
  const tp_outline *o = h->files.at[hint->file];
  const tp_witness_source source = {s->program, o, 1};
  for (size_t l = 1; l < s->program->loops.n; l++) {
    uint32_t token = 0;
    const bool is_here =
        tp_witness_place_of_loop(&source, &s->program->loops.at[l], &token) != NULL;
    if (is_here && loop_around(o, token) == hint->statement)
      offer_at(h, s, number, s->program->loops.at[l].head);
  }
}

/* Edges of the statement, by number; false: it has none. */
static bool edges_of(const tp_hints *h, const tp_session *s, const tp_hint *hint, bool *is_of) {
  const tp_program *p = s->program;
  bool any = false;
  for (size_t e = 1; e < p->edges.n; e++) {
    if (tp_func_of(p, tp_loc_of(p, p->edges.at[e].from)->func)->is_model) continue;
    const uint32_t token = token_at(h, s, hint->file, p->edges.at[e].pos);
    is_of[e] = token && token >= hint->statement->first && token <= hint->statement->last;
    any |= is_of[e];
  }
  return any;
}

/* Where the statement starts: the locations of its edges into which none of them leads. Of a loop
 * without anything in front that is its head. */
static void offer_assumption(tp_hints *h, tp_session *s, size_t number) {
  const tp_program *p = s->program;
  bool *is_of = TP_NEW_ARRAY(bool, p->edges.n), *is_inner = TP_NEW_ARRAY(bool, p->locs.n);
  if (edges_of(h, s, &h->list.at[number], is_of)) {
    for (size_t e = 1; e < p->edges.n; e++)
      if (is_of[e]) is_inner[p->edges.at[e].to.id] = true;
    for (size_t l = 1; l < p->loops.n; l++) is_inner[p->loops.at[l].head.id] = false;
    for (size_t e = 1; e < p->edges.n; e++)
      if (is_of[e] && !is_inner[p->edges.at[e].from.id])
        offer_at(h, s, number, p->edges.at[e].from);
  }
  tp_free(is_of);
  tp_free(is_inner);
}

void tp_hints_offer(tp_hints *h, tp_session *s) {
  TP_REQUIRE(h && s);
  for (size_t i = 0; s->program && i < h->list.n; i++) {
    tp_hint *hint = &h->list.at[i];
    if (hint->statement) (hint->is_invariant ? offer_invariant : offer_assumption)(h, s, i);
    if (hint->is_offered) hint->why = NULL;
    if (!hint->is_offered && !hint->why) hint->why = "the program has nothing at this place";
    if (!hint->why) continue;
    fprintf(stderr, "%s:%u: warning: '%s' is not used: %s\n", h->files.at[hint->file]->path,
            hint->line, hint->text, hint->why);
  }
}

// ------------------------------------------------------------------------ answers

static const tp_claim *claim_of(const tp_session *s, size_t number) {
  for (size_t i = 0; i < s->claims.n; i++)
    if (s->claims.at[i].number == number + 1) return &s->claims.at[i];
  return NULL;
}

static const char *word_of(const tp_session *s, const tp_hint *hint, const tp_claim *c) {
  if (hint->why) return "not used";
  if (!c && s->now.verdict == TP_VERDICT_UNKNOWN) return "open";
  if (!c) return "not needed";
  switch (c->state) {
    case TP_CLAIM_PROVED: return "proved";
    case TP_CLAIM_STARTS_FALSE: return "not shown at the start";
    case TP_CLAIM_NOT_KEPT: return "not inductive";
    case TP_CLAIM_RESTS: return "rests on others";
    case TP_CLAIM_OPEN: break;
  }
  return "open";
}

/* What the word means here. */
static void add_why(const tp_session *s, const tp_hint *hint, const tp_claim *c, tp_str *out) {
  if (hint->why) {
    tp_str_add(out, hint->why);
  } else if (!c && s->now.verdict != TP_VERDICT_UNKNOWN) {
    tp_str_add(out, "the answer came without it");
  } else if (!c || c->state == TP_CLAIM_OPEN) {
    tp_str_add(out, "neither a proof nor a counterexample to induction was found in time");
  } else if (c->state == TP_CLAIM_RESTS) {
    tp_str_add(out, "it is kept as long as all of them hold, and some do not");
  } else if (c->state == TP_CLAIM_STARTS_FALSE) {
    tp_str_printf(out, "it is not shown where it is first come to%s%s", c->after ? ": " : "",
                  c->after ? c->after : "");
  } else if (c->state == TP_CLAIM_NOT_KEPT) {
    tp_str_printf(out, "all of them hold in the first state, at %s, and it does not in the second",
                  c->from ? c->from : "?");
  }
}

static void add_text(const tp_hints *h, const tp_session *s, const tp_hint *hint, const tp_claim *c,
                     tp_str *out) {
  tp_str why = {0};
  add_why(s, hint, c, &why);
  tp_str_printf(out, "  given: %s '%s' at %s:%u: %s%s%s\n",
                hint->is_invariant ? "invariant" : "fact", hint->text,
                h->files.at[hint->file]->path, hint->line, word_of(s, hint, c), why.n ? ": " : "",
                tp_str_text(&why));
  if (!hint->why && c && c->state == TP_CLAIM_NOT_KEPT)
    tp_str_printf(out, "           %s  ->  %s\n", c->before ? c->before : "...",
                  c->after ? c->after : "...");
  tp_str_clear(&why);
}

static json_t *json_of(const tp_hints *h, const tp_session *s, const tp_hint *hint,
                       const tp_claim *c) {
  json_t *o = json_object();
  tp_str text = {0};
  json_object_set_new(o, "kind", json_string(hint->is_invariant ? "invariant" : "assume"));
  tp_str_printf(&text, "%s:%u", h->files.at[hint->file]->path, hint->line);
  json_object_set_new(o, "position", tp_json_text(text.text));
  json_object_set_new(o, "value", tp_json_text(hint->text));
  json_object_set_new(o, "state", json_string(word_of(s, hint, c)));
  tp_str_clear(&text);
  add_why(s, hint, c, &text);
  if (text.n) json_object_set_new(o, "why", tp_json_text(text.text));
  if (c && c->before) json_object_set_new(o, "before", tp_json_text(c->before));
  if (c && c->after) json_object_set_new(o, "after", tp_json_text(c->after));
  tp_str_clear(&text);
  return o;
}

void tp_hints_answer(const tp_hints *h, tp_session *s) {
  TP_REQUIRE(h && s);
  if (h->list.n == 0) return;
  tp_str text = {0};
  json_t *list = json_array();
  for (size_t i = 0; i < h->list.n; i++) {
    const tp_claim *c = claim_of(s, i);
    add_text(h, s, &h->list.at[i], c, &text);
    json_array_append_new(list, json_of(h, s, &h->list.at[i], c));
  }
  s->given = tp_arena_strdup(&s->arena, tp_str_text(&text));
  char *json = json_dumps(list, 0);
  if (json) tp_session_add_json(s, tp_arena_printf(&s->arena, "\"hints\": %s", json));
  free(json);
  json_decref(list);
  tp_str_clear(&text);
}
