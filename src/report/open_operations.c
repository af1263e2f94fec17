/* A proof whose operations are open says so in its first line. Once a run is known that performs
 * one without meaning, it is a proof no more: behind that operation anything may happen. Verifying
 * several properties one after the other may show such a run. */
#include "report/open_operations.h"

#include <jansson.h>
#include <stdlib.h>

bool tp_assumes_operation(const char *assumption) {
  return strncmp(assumption, "no ", 3) == 0 && strstr(assumption, " at ");
}

bool tp_has_open_operations(const tp_report *r) {
  if (r->verdict != TP_VERDICT_TRUE || r->undefined) return false;
  for (size_t i = 0; i < r->n_assumptions; i++)
    if (tp_assumes_operation(r->assumptions[i])) return true;
  return false;
}

static bool assumes_access(const char *assumption) {
  return strncmp(assumption, "no invalid operation ", 21) == 0;
}

// ---------------------------------------------------------------------- clauses

/* Accesses are another property's where `undefined` is asked for. */
static const char accesses[] = " without invalid accesses, which were not excluded",
                  behaviour[] = " without undefined behaviour, which was not excluded";

static void add_refuted(bool is_accesses, const char *operation, const char *position,
                        tp_str *out) {
  tp_str_printf(out, " up to %s, and some runs have %s: %s at %s",
                is_accesses ? "invalid accesses" : "undefined behaviour",
                is_accesses ? "these" : "that", operation, position);
}

void tp_open_operations_clause(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out);
  const bool is_accesses = r->asked == TP_P_UNDEFINED;
  if (r->undefined) {
    tp_str at = {0};
    tp_pos_print(r->diag, r->undefined_pos, &at);
    add_refuted(is_accesses, r->undefined, tp_str_text(&at), out);
    tp_str_clear(&at);
  } else if (tp_has_open_operations(r)) {
    tp_str_add(out, is_accesses ? accesses : behaviour);
  }
}

void tp_open_operations_headline(const char *operation, tp_str *reason) {
  TP_REQUIRE(operation && reason);
  tp_str_printf(reason,
                "some runs have undefined behaviour, and behind that anything may happen: %s",
                operation);
}

void tp_open_operations_reason(const char *operation, const char *position, tp_str *reason) {
  TP_REQUIRE(operation && position && reason);
  tp_str_printf(reason, "some runs have undefined behaviour: %s at %s", operation, position);
}

void tp_open_operations_known(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out);
  tp_str_printf(out, "%s holds in every run%s up to there, %s", tp_property_name(r->asked),
                r->bound ? " within the bound" : "", r->evidence);
}

// ------------------------------------------------------------------- properties

static void add_property(const tp_report *r, tp_property p, const char *word, tp_str *out) {
  if (tp_property_covers(r->asked, p) || r->asked == p) return;
  if (r->others && strstr(r->others, word)) return;
  tp_str_printf(out, "%s%s", out->n ? "," : "", tp_property_name(p));
}

void tp_open_operations_property(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out && out->n == 0);
  bool has_accesses = false, has_others = false;
  for (size_t i = 0; i < r->n_assumptions; i++) {
    const char *text = r->assumptions[i];
    if (!tp_assumes_operation(text)) continue;
    has_accesses |= assumes_access(text);
    has_others |= !assumes_access(text);
  }
  // the word of both names of the property: memsafety, valid-memsafety
  if (has_accesses) add_property(r, TP_P_VALID_MEMSAFETY, "memsafety", out);
  if (has_others) add_property(r, TP_P_UNDEFINED, "undefined", out);
}

// ------------------------------------------------------------------- refutation

bool tp_refutes(const tp_refutation *by, const char *assumption) {
  if (!tp_assumes_operation(assumption) || assumes_access(assumption) != by->is_access)
    return false;
  const size_t n = strlen(by->position);
  for (const char *at = assumption; n && (at = strstr(at, " at ")); at++)
    if (strncmp(at + 4, by->position, n) == 0 && (at[4 + n] == 0 || at[4 + n] == ' ')) return true;
  return false;
}

/* The line of the answer that ends in the clause: where it begins, and what it claims. */
static const char *claim_of(const char *answer, const char *clause, const char **sentence) {
  const char *line = clause;
  while (line > answer && line[-1] != '\n') line--;
  const char *colon = strstr(line, ": ");
  TP_INVARIANT(colon && colon < clause);  // "TRUE: ", "BOUNDED: "
  *sentence = colon + 2;
  return line;
}

/* What follows the claim, with another result. */
static void add_rest(const char *rest, const tp_refutation *by, tp_str *out) {
  const char *result = strstr(rest, "\nRESULT: ");
  if (!result) {
    tp_str_add(out, rest);
    return;
  }
  tp_str_add_n(out, rest, (size_t)(result - rest));
  tp_str_add(out, "\nRESULT: unknown(");
  tp_open_operations_reason(by->operation, by->position, out);
  tp_str_add(out, ")");
  tp_str_add(out, result + 1 + strcspn(result + 1, "\n"));
}

static void refute_text(const char *answer, const tp_refutation *by, tp_str *out) {
  const char *clause = strstr(answer, accesses), *sentence;
  const bool is_accesses = clause != NULL;
  if (!clause) clause = strstr(answer, behaviour);
  TP_INVARIANT(clause != NULL);  // the answer has open operations
  const char *line = claim_of(answer, clause, &sentence),
             *end = clause + strlen(is_accesses ? accesses : behaviour);
  tp_str_add_n(out, answer, (size_t)(line - answer));
  tp_str_add(out, "UNKNOWN: ");
  tp_open_operations_headline(by->operation, out);
  tp_str_printf(out, "\n  where: %s (%s)\n  known: %.*s up to there", by->position, by->property,
                (int)(clause - sentence), sentence);
  add_rest(end, by, out);
}

static void refute_json(const char *answer, const tp_refutation *by, tp_str *out) {
  json_object_seed(1);
  json_t *o = json_loads(answer, 0, NULL);
  TP_INVARIANT(o != NULL);
  tp_str reason = {0};
  tp_open_operations_reason(by->operation, by->position, &reason);
  json_object_set_new(o, "verdict", json_string("unknown"));
  json_object_del(o, "bound");  // of a claim that stands no more
  json_object_set_new(o, "result", json_sprintf("unknown(%s)", tp_str_text(&reason)));
  json_object_set_new(o, "reason", json_string(tp_str_text(&reason)));
  json_object_set_new(o, "undefined",
                      json_pack("{s:s, s:s, s:s}", "operation", by->operation, "position",
                                by->position, "property", by->property));
  tp_str_clear(&reason);
  char *text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  if (text) tp_str_printf(out, "%s\n", text);
  free(text);
  json_decref(o);
}

void tp_open_operations_refute(const char *answer, bool is_json, const tp_refutation *by,
                               tp_str *out) {
  TP_REQUIRE(answer && by->operation && by->position && by->property && out);
  if (is_json)
    refute_json(answer, by, out);
  else
    refute_text(answer, by, out);
}
