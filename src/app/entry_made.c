/* The program has a variable that is 1 from the call of the function on: in front of each error it
 * is asked for. */
#include "app/entry_made.h"

#include "app/environment.h"
#include "app/structure_accesses.h"

#include "base/files.h"
#include "report/json_text.h"

#include <stdlib.h>

static tp_var find_called(const tp_program *p) {
  for (uint32_t i = 1; i < p->vars.n; i++)
    if (p->vars.at[i].kind == TP_V_GLOBAL && strcmp(p->vars.at[i].name, TP_ENVIRONMENT_CALLED) == 0)
      return (tp_var){i};
  return TP_VAR_NONE;
}

/* A location in front of an error that is passed only when the function was called. */
static tp_loc guard(tp_program *p, tp_loc error, tp_term is_called) {
  const tp_loc_info info = *tp_loc_of(p, error);
  const tp_loc before = tp_program_add_loc(p, (tp_loc_info){.func = info.func, .pos = info.pos});
  (void)tp_program_add_edge(
      p, (tp_edge_info){
             .kind = TP_E_ASSUME, .from = before, .to = error, .pos = info.pos, .a = is_called});
  return before;
}

void tp_entry_guard_errors(tp_program *p) {
  TP_REQUIRE(p);
  const tp_var called = find_called(p);
  TP_INVARIANT(called.id);
  tp_terms *tt = p->terms;
  const tp_term value = tp_var_of(p, called)->term,
                is_called = tp_mk_eq(tt, value, tp_mk_bv(tt, tp_width(tt, value), 1));
  const size_t n_locs = p->locs.n, n_edges = p->edges.n;
  tp_loc *before = TP_NEW_ARRAY(tp_loc, n_locs);
  for (uint32_t l = 1; l < n_locs; l++)
    if (p->locs.at[l].error != TP_P_NONE) before[l] = guard(p, (tp_loc){l}, is_called);
  for (size_t e = 1; e < n_edges; e++)
    if (before[p->edges.at[e].to.id].id) p->edges.at[e].to = before[p->edges.at[e].to.id];
  tp_free(before);
  tp_program_finish(p);
  tp_program_require_checked(p);
}

void tp_entry_restrict(tp_session *s) {
  TP_REQUIRE(s && s->program);
  tp_program *p = s->program;
  tp_entry_guard_errors(p);
  if (s->o->structures)
    tp_structure_accesses_are_errors(
        p, s->property == TP_P_VALID_MEMSAFETY ? TP_P_VALID_DEREF : s->property);
  tp_vec_push(&p->assumptions,
              tp_arena_printf(&p->arena,
                              "%s is called with: the calls that make its arguments do not fail "
                              "(--entry verifies each by itself)",
                              s->o->entry));
}

bool tp_entry_is_doubtful(const tp_session *s) {
  TP_REQUIRE(s && s->o);
  const bool is_lost_memory =
      s->property == TP_P_VALID_MEMTRACK || s->property == TP_P_VALID_MEMCLEANUP;
  // a proof that a run with undefined behaviour withdrew rests on the same structures
  const bool is_withdrawn = s->now.verdict == TP_VERDICT_UNKNOWN && s->now.undefined.why;
  return (s->now.verdict == TP_VERDICT_FALSE || is_withdrawn) && s->o->entry[0] &&
         !is_lost_memory && !s->o->equal[0] && strcmp(s->o->arguments, "auto") == 0;
}

/* How the function fails for structures that were filled by their types. */
static void note_other(tp_session *s, const tp_session *by_types) {
  const bool is_failure = by_types->now.verdict == TP_VERDICT_FALSE;
  const tp_pos pos = is_failure ? by_types->now.error_pos : by_types->now.undefined.pos;
  tp_str at = {0}, line = {0};
  if (tp_pos_known(pos)) tp_pos_print(by_types->diag, pos, &at);
  const char *message = !is_failure ? by_types->now.undefined.why
                        : by_types->now.error_message && by_types->now.error_message[0]
                            ? by_types->now.error_message
                            : tp_property_name(by_types->now.violated);
  tp_str_printf(&line,
                "Outside of that: %s fails for structures that are filled by their types only, at "
                "%s: %s (--arguments=types shows the call)\n",
                s->o->entry, tp_str_text(&at), message);
  s->more_text = tp_arena_strdup(&s->arena, tp_str_text(&line));
  json_t *other = json_object();
  json_object_set_new(
      other, "violated",
      json_string(tp_property_name(is_failure ? by_types->now.violated : TP_P_UNDEFINED)));
  json_object_set_new(other, "message", tp_json_text(message));
  json_t *place = tp_json_place(by_types->diag, pos);
  if (place) json_object_set_new(other, "position", place);
  char *text = json_dumps(other, 0);
  if (text) tp_session_add_json(s, tp_arena_printf(&s->arena, "\"outside\": %s", text));
  free(text);
  json_decref(other);
  tp_str_clear(&at);
  tp_str_clear(&line);
}

void tp_entry_made_answer(tp_session *s, const tp_session *by_types, const char *no_invariant) {
  TP_REQUIRE(s && s->o);
  if (s->now.verdict == TP_VERDICT_TRUE) {
    s->has_operations = true;
    const char *of = tp_arena_printf(&s->arena, "%s holds in every call of %s with structures",
                                     tp_property_name(s->property), s->o->entry);
    s->headline =
        s->o->operations > 0
            ? tp_arena_printf(&s->arena, "%s that the module makes and at most %llu calls change",
                              of, (unsigned long long)s->o->operations)
            : tp_arena_printf(&s->arena,
                              "%s as the module makes them; of those that calls have changed it is "
                              "open",
                              of);
  } else if (s->now.verdict == TP_VERDICT_FALSE) {
    s->headline =
        tp_arena_printf(&s->arena, "%s fails for structures that the module makes", s->o->entry);
  }
  if (by_types && s->now.verdict != TP_VERDICT_FALSE) note_other(s, by_types);
  if (!no_invariant || s->now.verdict == TP_VERDICT_FALSE) return;
  s->more_text = tp_arena_printf(&s->arena, "%sNo invariant of the module's structures: %s\n",
                                 s->more_text ? s->more_text : "", no_invariant);
  json_t *why = tp_json_text(no_invariant);
  char *text = json_dumps(why, JSON_ENCODE_ANY);
  if (text) tp_session_add_json(s, tp_arena_printf(&s->arena, "\"no_invariant\": %s", text));
  free(text);
  json_decref(why);
}

/* "object->read < object->size; ...", as text and as an array. */
static json_t *list_facts(tp_session *s, const tp_made_structure *of, tp_str *line) {
  json_t *facts = json_array();
  for (size_t i = 0; i < of->facts.n; i++) {
    if (of->facts.at[i].is_out || tp_made_fact_is_needless(of, i)) continue;
    const char *text = tp_made_fact_shown(of, &of->facts.at[i], &s->arena);
    tp_str_printf(line, "%s%s", json_array_size(facts) ? "; " : "", text);
    json_array_append_new(facts, tp_json_text(text));
  }
  return facts;
}

/* DIR/invariant.txt. */
static void write_invariant(tp_session *s, const tp_str *text) {
  tp_str path = {0};
  if (!s->o->output[0]) return;
  tp_str_printf(&path, "%s/invariant.txt", s->o->output);
  if (tp_write_file(tp_str_text(&path), tp_str_text(text), text->n) != TP_OK)
    s->output_failed = true;
  tp_str_clear(&path);
}

static void say_invariant(tp_session *s, const tp_structure_finding *finding) {
  tp_str text = {0};
  json_t *list = json_array();
  for (size_t k = 0; k < finding->structures.list.n; k++) {
    const tp_made_structure *of = &finding->structures.list.at[k];
    tp_str_printf(&text, "Invariant of each %s (" TP_STRUCTURE_OBJECT "): ", of->structure);
    json_t *facts = list_facts(s, of, &text);
    if (json_array_size(facts) == 0) tp_str_add(&text, "none is needed");
    tp_str_add(&text, "\n");
    json_array_append_new(
        list, json_pack("{s:o, s:o}", "type", tp_json_text(of->structure), "facts", facts));
  }
  tp_str_printf(&text,
                "  (kept by all %zu functions of the module that take or make one; %zu "
                "certificate%s checked)\n",
                finding->structures.uses.n, finding->n_proofs, finding->n_proofs == 1 ? "" : "s");
  s->more_text =
      tp_arena_printf(&s->arena, "%s%s", s->more_text ? s->more_text : "", tp_str_text(&text));
  write_invariant(s, &text);
  json_t *o =
      json_pack("{s:o, s:I, s:I}", "structures", list, "functions",
                (json_int_t)finding->structures.uses.n, "proofs", (json_int_t)finding->n_proofs);
  char *dumped = json_dumps(o, 0);
  if (dumped) tp_session_add_json(s, tp_arena_printf(&s->arena, "\"invariant\": %s", dumped));
  free(dumped);
  json_decref(o);
  tp_str_clear(&text);
}

void tp_entry_kept_answer(tp_session *s, const tp_session *by_types,
                          const tp_structure_finding *finding) {
  TP_REQUIRE(s && s->o && finding);
  if (s->now.verdict == TP_VERDICT_TRUE)
    s->headline = tp_arena_printf(
        &s->arena, "%s holds in every call of %s with structures that the module makes",
        tp_property_name(s->property), s->o->entry);
  for (size_t i = 0; i < finding->assumptions.n; i++)
    tp_vec_push(&s->program->assumptions,
                tp_arena_printf(&s->program->arena, "%s is called with: %s", s->o->entry,
                                finding->assumptions.at[i]));
  if (by_types) note_other(s, by_types);
  say_invariant(s, finding);
}
