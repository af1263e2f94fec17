/* Reading property files.
 *
 * Grammar   { "CHECK" "(" "init" "(" NAME "(" ")" ")" "," "LTL" "(" "G" FORMULA ")" ")" } FORMULA
 *           is one of the table below, or "! call(NAME())", or "assert"; # starts a comment.
 * Space is insignificant. */
#include "app/property.h"

#include "base/nearest.h"

#include <errno.h>

static const struct {
  const char *formula;  // without spaces
  tp_property property;
} formulas[] = {
    {"!call(reach_error())", TP_P_UNREACH_CALL},
    {"!call(__VERIFIER_error())", TP_P_UNREACH_CALL},
    {"!label(ERROR)", TP_P_UNREACH_CALL},
    {"assert", TP_P_UNREACH_CALL},
    {"valid-free", TP_P_VALID_FREE},
    {"valid-deref", TP_P_VALID_DEREF},
    {"valid-memtrack", TP_P_VALID_MEMTRACK},
    {"valid-memcleanup", TP_P_VALID_MEMCLEANUP},
    {"!overflow", TP_P_NO_OVERFLOW},
};

/* All of the file without spaces and comments. */
static void squeeze(const char *text, tp_str *out) {
  for (; *text; text++) {
    if (*text == '#') text += strcspn(text, "\n");
    if (!*text) return;
    if (!strchr(" \t\r\n\f", *text)) tp_str_add_char(out, *text);
  }
}

static bool accept(const char **at, const char *token) {
  size_t n = strlen(token);
  if (strncmp(*at, token, n) != 0) return false;
  *at += n;
  return true;
}

/* One CHECK; sets *formula to its text. */
static bool read_check(const char **at, const char **formula, size_t *n) {
  if (!accept(at, "CHECK(init(")) return false;
  *at += strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  if (!accept(at, "()),LTL(G")) return false;
  *formula = *at;
  int open = 0;
  while (**at && (open > 0 || **at != ')')) {
    open += (**at == '(') - (**at == ')');
    ++*at;
  }
  *n = (size_t)(*at - *formula);
  return accept(at, "))");
}

static tp_property property_of(const char *formula, size_t n) {
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
    if (strlen(formulas[i].formula) == n && memcmp(formulas[i].formula, formula, n) == 0)
      return formulas[i].property;
  return TP_P_NONE;
}

/* The property that stands for a set of checks; NONE: no single one does. */
static tp_property combine(unsigned set) {
  const unsigned memory =
      1u << TP_P_VALID_FREE | 1u << TP_P_VALID_DEREF | 1u << TP_P_VALID_MEMTRACK;
  for (unsigned p = 1; p < TP_N_PROPERTIES; p++)
    if (set == 1u << p) return (tp_property)p;
  return set == memory ? TP_P_VALID_MEMSAFETY : TP_P_NONE;
}

/* "valid-free,valid-deref": for --property. */
static void add_names(unsigned set, tp_str *out) {
  bool is_first = true;
  for (unsigned p = 1; p < TP_N_PROPERTIES; p++) {
    if (!(set & 1u << p)) continue;
    tp_str_printf(out, "%s%s", is_first ? "" : ",", tp_property_name((tp_property)p));
    is_first = false;
  }
}

tp_status tp_property_of_text(const char *text, tp_property *out, tp_str *why) {
  tp_str s = {0};
  squeeze(text, &s);
  const char *at = tp_str_text(&s);
  unsigned set = 0;
  tp_status st = TP_OK;
  if (!*at) {
    tp_str_add(why, "no CHECK in it");
    st = TP_ERR_INPUT;
  }
  while (st == TP_OK && *at) {
    const char *formula = at;
    size_t n = 0;
    if (!read_check(&at, &formula, &n)) {
      if (strstr(at, "LTL(F"))
        tp_str_add(why,
                   "termination, and what else must happen some time (LTL(F ...)), cannot be "
                   "verified");
      else
        tp_str_printf(why, "expected CHECK( init(main()), LTL(G ...) ), found '%.40s'", at);
      st = TP_ERR_INPUT;
    } else if (property_of(formula, n) == TP_P_NONE) {
      tp_str_printf(why, "'%.*s' is not a property that can be verified here",
                    (int)(n > 60 ? 60 : n), formula);
      st = TP_ERR_INPUT;
    } else {
      set |= 1u << property_of(formula, n);
    }
  }
  if (st == TP_OK && (*out = combine(set)) == TP_P_NONE) {
    tp_str_add(why,
               "this combination of checks is no single property; verify them one by one: "
               "--property=");
    add_names(set, why);
    st = TP_ERR_INPUT;
  }
  tp_str_clear(&s);
  return st;
}

/* Other names that people use. */
static const struct {
  const char *name;
  tp_property property;
} aliases[] = {{"memsafety", TP_P_VALID_MEMSAFETY},   {"memory-safety", TP_P_VALID_MEMSAFETY},
               {"memcleanup", TP_P_VALID_MEMCLEANUP}, {"overflow", TP_P_NO_OVERFLOW},
               {"reachability", TP_P_UNREACH_CALL},   {"assertions", TP_P_UNREACH_CALL},
               {"leak", TP_P_VALID_MEMTRACK},         {"memory", TP_P_VALID_MEMSAFETY}};
enum { N_ALIASES = sizeof aliases / sizeof *aliases };

static bool named(const char *text, tp_property *out) {
  for (size_t i = 0; i < N_ALIASES; i++) {
    if (strcmp(aliases[i].name, text) != 0) continue;
    *out = aliases[i].property;
    return true;
  }
  return tp_property_parse(text, out);
}

size_t tp_property_names(const char **out) {
  size_t n = 0;
  for (unsigned p = 1; p < TP_N_PROPERTIES; p++) out[n++] = tp_property_name((tp_property)p);
  return n;
}

static tp_status refuse_name(const char *text, tp_str *why) {
  const char *names[TP_N_PROPERTIES + N_ALIASES];
  size_t n = tp_property_names(names);
  const size_t n_known = n;
  for (size_t i = 0; i < N_ALIASES; i++) names[n++] = aliases[i].name;
  names[n] = NULL;
  const char *near = tp_nearest_name(text, names);
  tp_str_printf(why, "unknown property '%s'", text);
  if (near) tp_str_printf(why, "; did you mean '%s'?", near);
  tp_str_add(why, near ? " Known:" : "; known:");
  for (size_t i = 0; i < n_known; i++) tp_str_printf(why, "%s %s", i ? "," : "", names[i]);
  return TP_ERR_INPUT;
}

tp_status tp_property_of_argument(const char *text, tp_property *out, tp_str *why) {
  size_t n = strlen(text);
  if (!strchr(text, '/') && (n < 4 || strcmp(text + n - 4, ".prp") != 0)) {
    return named(text, out) ? TP_OK : refuse_name(text, why);
  }
  tp_str file = {0}, inner = {0};
  if (tp_read_file(text, &file) != TP_OK) {
    tp_str_printf(why, "cannot read property file %s: %s", text, strerror(errno));
    return TP_ERR_SYSTEM;
  }
  tp_status st = tp_property_of_text(tp_str_text(&file), out, &inner);
  if (st != TP_OK) tp_str_printf(why, "property file %s: %s", text, tp_str_text(&inner));
  tp_str_clear(&file);
  tp_str_clear(&inner);
  return st;
}
