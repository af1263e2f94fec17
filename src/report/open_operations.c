/* The first line of a TRUE has one of two clauses: operations are open, or some runs have undefined
 * behaviour there. Verifying several properties one after the other may turn the first into the
 * second. */
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

static void refute_text(const char *answer, const tp_refutation *by, tp_str *out) {
  const char *clause = strstr(answer, accesses), *end;
  const bool is_accesses = clause != NULL;
  if (!clause) clause = strstr(answer, behaviour);
  TP_INVARIANT(clause != NULL);  // the answer has open operations
  end = clause + strlen(is_accesses ? accesses : behaviour);
  tp_str_add_n(out, answer, (size_t)(clause - answer));
  add_refuted(is_accesses, by->operation, by->position, out);
  tp_str_printf(out, " (%s)%s", by->property, end);
}

static void refute_json(const char *answer, const tp_refutation *by, tp_str *out) {
  json_object_seed(1);
  json_t *o = json_loads(answer, 0, NULL);
  TP_INVARIANT(o != NULL);
  json_object_set_new(o, "undefined",
                      json_pack("{s:s, s:s, s:s}", "operation", by->operation, "position",
                                by->position, "property", by->property));
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
