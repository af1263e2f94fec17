/* Precisions as text. Locations are named by the text of their line and their number among the
 * line's locations, variables by name and number, so that a precision survives changes elsewhere in
 * the program. */
#include "proof/precision.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cpa/composite.h"
#include "cpa/predicate/predicate_cpa.h"
#include "cpa/value/value_cpa.h"
#include "program/cells.h"
#include "term/text.h"

static const char header[] = "precision 2";

static tp_cpa *find_value(tp_cpa *cpa) { return tp_composite_find(cpa, &tp_cpa_value); }

// ----------------------------------------------------------------------- names

typedef struct {
  const tp_program *p;
  bool unknown;  // a name was met that the program does not have
} naming;

static const char *name_or_none(const char *name) { return name && *name ? name : "_"; }
static bool same_name(const tp_var_info *a, const tp_var_info *b) {
  return a->func.id == b->func.id && strcmp(name_or_none(a->name), name_or_none(b->name)) == 0;
}

/* Counted among variables of the same name and owner, from 1. */
static uint32_t ordinal(const tp_program *p, tp_var v) {
  uint32_t n = 0;
  for (uint32_t i = 1; i <= v.id; i++) n += same_name(&p->vars.at[i], &p->vars.at[v.id]);
  return n;
}

static bool write_name(void *ctx, tp_term var, tp_str *out) {
  const naming *x = ctx;
  tp_sort sort = tp_sort_of(x->p->terms, var);
  tp_var v = tp_program_var_of(x->p, var);
  if (v.id) {
    const tp_var_info *info = &x->p->vars.at[v.id];
    if (info->func.id)
      tp_str_printf(out, "(local %s::%s", tp_func_of(x->p, info->func)->name,
                    name_or_none(info->name));
    else
      tp_str_printf(out, "(global %s", name_or_none(info->name));
    tp_str_printf(out, " %" PRIu32 " ", ordinal(x->p, v));
  } else {
    if (!tp_is_memory(x->p, var, &sort)) return false;
    tp_str_add(out, "(memory ");
  }
  tp_sort_write(x->p->terms, sort, out);
  tp_str_add_char(out, ')');
  return true;
}

/* The words of a form: NAME N SORT, of which the last may have spaces. */
static bool split(const char *text, size_t n, const char **name, size_t *length, uint32_t *number,
                  const char **sort) {
  const char *end = text + n, *at = memchr(text, ' ', n);
  if (!at) return false;
  *name = text;
  *length = (size_t)(at - text);
  *number = 0;
  for (at++; at < end && isdigit((unsigned char)*at) && *number < 1000000; at++)
    *number = *number * 10 + (uint32_t)(*at - '0');
  if (at == end || *at != ' ') return false;
  *sort = at + 1;
  return *number > 0;
}

static bool is_text(const char *a, const char *b, size_t n) {
  return strlen(a) == n && memcmp(a, b, n) == 0;
}

static tp_func find_function(const tp_program *p, const char *name, size_t n) {
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (is_text(p->funcs.at[f].name, name, n)) return (tp_func){f};
  return TP_FUNC_NONE;
}

static tp_term find_variable(naming *x, tp_func func, const char *name, size_t n, uint32_t number,
                             tp_sort sort) {
  TP_REQUIRE(number > 0);
  for (uint32_t v = 1; v < x->p->vars.n; v++) {
    const tp_var_info *info = &x->p->vars.at[v];
    if (info->func.id != func.id || !is_text(name_or_none(info->name), name, n) || --number > 0)
      continue;
    if (tp_sort_eq(tp_sort_of(x->p->terms, info->term), sort)) return info->term;
    break;
  }
  x->unknown = true;
  return TP_TERM_NONE;
}

static const char *behind(const char *text, size_t n, const char *word) {
  size_t k = strlen(word);
  return n > k + 1 && memcmp(text, word, k) == 0 && text[k] == ' ' ? text + k + 1 : NULL;
}

static tp_term read_memory(naming *x, const char *text, size_t n) {
  tp_sort wanted, sort;
  if (tp_sort_read(x->p->terms, text, n, &wanted) != n) return TP_TERM_NONE;
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    if (tp_is_memory(x->p, x->p->memory[i], &sort) && tp_sort_eq(sort, wanted))
      return x->p->memory[i];
  return TP_TERM_NONE;
}

static tp_term read_name(void *ctx, const char *text, size_t n) {
  naming *x = ctx;
  const char *end = text + n, *rest = behind(text, n, "memory"), *name, *sort_text;
  if (rest) return read_memory(x, rest, (size_t)(end - rest));
  const char *local = behind(text, n, "local");
  rest = local ? local : behind(text, n, "global");
  size_t length;
  uint32_t number;
  tp_sort sort;
  if (!rest || !split(rest, (size_t)(end - rest), &name, &length, &number, &sort_text))
    return TP_TERM_NONE;
  if (tp_sort_read(x->p->terms, sort_text, (size_t)(end - sort_text), &sort) !=
      (size_t)(end - sort_text))
    return TP_TERM_NONE;
  tp_func func = TP_FUNC_NONE;
  if (local) {
    size_t owner = 0;
    while (owner + 1 < length && !(name[owner] == ':' && name[owner + 1] == ':')) owner++;
    if (owner + 1 >= length) return TP_TERM_NONE;
    func = find_function(x->p, name, owner);
    x->unknown |= !func.id;
    name += owner + 2, length -= owner + 2;
    if (!func.id) return TP_TERM_NONE;
  }
  return find_variable(x, func, name, length, number, sort);
}

// ---------------------------------------------------------------------- places

typedef struct {
  const char *at;
  size_t n;
} piece;

/* The line of a location without the space around it; "" without sources. */
static piece line_of(const tp_program *p, tp_loc l) {
  tp_pos pos = tp_loc_of(p, l)->pos;
  const char *text =
      p->diag && tp_pos_known(pos) ? tp_diag_source_line(p->diag, pos.file, pos.line) : NULL;
  piece s = {text ? text : "", 0};
  while (isspace((unsigned char)*s.at)) s.at++;
  s.n = strcspn(s.at, "\r\n");
  while (s.n && isspace((unsigned char)s.at[s.n - 1])) s.n--;
  return s;
}
static bool same_line(piece a, piece b) { return a.n == b.n && memcmp(a.at, b.at, a.n) == 0; }

static tp_func func_of(const tp_program *p, tp_loc l) { return tp_loc_of(p, l)->func; }

static uint32_t place_number(const tp_program *p, tp_loc l) {
  TP_REQUIRE(l.id && l.id < p->locs.n);
  piece text = line_of(p, l);
  uint32_t n = 0;
  for (uint32_t i = 1; i <= l.id; i++)
    n += func_of(p, (tp_loc){i}).id == func_of(p, l).id && same_line(line_of(p, (tp_loc){i}), text);
  return n;
}

/* The last one before the number if there are fewer; NONE: there is no such line. */
static tp_loc find_place(const tp_program *p, tp_func f, uint32_t number, piece text) {
  tp_loc found = TP_LOC_NONE;
  for (uint32_t i = 1; i < p->locs.n && number > 0; i++) {
    if (func_of(p, (tp_loc){i}).id != f.id || !same_line(line_of(p, (tp_loc){i}), text)) continue;
    found = (tp_loc){i};
    number--;
  }
  return found;
}

// --------------------------------------------------------------------- writing

typedef struct {
  const tp_program *p;
  const char *word;
  tp_str *out;
  tp_func func;  // of the entries that come
  tp_loc at;
  bool is_new;
} writer;

static void head(writer *w, tp_loc at, tp_func func) {
  TP_REQUIRE(at.id < w->p->locs.n && func.id < w->p->funcs.n);
  if (at.id) func = func_of(w->p, at);
  if (!w->is_new && w->func.id == func.id && w->at.id == at.id) return;
  if (w->is_new || w->func.id != func.id || !at.id)
    tp_str_printf(w->out, "in %s\n", func.id ? tp_func_of(w->p, func)->name : "program");
  if (at.id) {
    piece text = line_of(w->p, at);
    tp_str_printf(w->out, "at %" PRIu32 " %.*s\n", place_number(w->p, at), (int)text.n, text.at);
  }
  w->func = func, w->at = at, w->is_new = false;
}

/* For people, as a comment: what the entry is in C. */
static void write_in_c(writer *w, tp_term t) {
  tp_str text = {0};
  tp_print_c(w->p->terms, t, TP_C_READABLE, &text);
  for (size_t i = 0; i < text.n; i++)
    if ((unsigned char)text.text[i] < ' ') text.text[i] = ' ';
  tp_str_printf(w->out, "# %s\n", tp_str_text(&text));
  tp_str_clear(&text);
}

static void write_entry(void *ctx, tp_loc at, tp_func func, tp_term t) {
  writer *w = ctx;
  naming names = {.p = w->p};
  tp_str text = {0};
  if (tp_term_write(w->p->terms, t,
                    (tp_text_vars){.ctx = &names, .name = write_name, .parse = read_name}, &text)) {
    head(w, at, func);
    write_in_c(w, t);
    tp_str_printf(w->out, "%s %s\n", w->word, tp_str_text(&text));
  }
  tp_str_clear(&text);
}

static void write_dropped(void *ctx, tp_term place) {
  write_entry(ctx, TP_LOC_NONE, TP_FUNC_NONE, place);
}

void tp_precision_write(tp_cpa *cpa, tp_str *out) {
  writer w = {.p = cpa->env->program, .out = out, .is_new = true};
  tp_cpa *predicate = tp_predicate_find(cpa), *value = find_value(cpa);
  tp_str_add(out, header);
  tp_str_add_char(out, '\n');
  w.word = "predicate";
  if (predicate) tp_predicate_each(predicate, write_entry, &w);
  for (uint32_t l = 1; predicate && l < w.p->locs.n; l++) {
    if (!tp_predicate_is_decided(predicate, (tp_loc){l})) continue;
    head(&w, (tp_loc){l}, TP_FUNC_NONE);
    tp_str_add(out, "feasibility\n");
  }
  w.word = "track";
  if (value) tp_value_each_tracked(value, write_entry, &w);
  w.word = "untracked";
  if (value) tp_value_each_dropped(value, write_dropped, &w);
}

// --------------------------------------------------------------------- reading

typedef struct {
  tp_cpa *cpa, *predicate, *value;
  const tp_program *p;
  tp_precision_read *done;
  tp_str *why;
  tp_func func;
  tp_loc at;
  bool has_header, has_scope, is_lost;  // is_lost: the function does not exist
} reader;

static bool wrong(reader *r, const char *expected) { return tp_str_add(r->why, expected), false; }

static bool read_function(reader *r, const char *name) {
  r->has_scope = true;
  r->at = TP_LOC_NONE;
  r->func = strcmp(name, "program") == 0 ? TP_FUNC_NONE : find_function(r->p, name, strlen(name));
  r->is_lost = !r->func.id && strcmp(name, "program") != 0;
  return *name || wrong(r, "expected the name of a function behind 'in'");
}

static bool read_place(reader *r, const char *text) {
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  if (!isdigit((unsigned char)*text) || number == 0 || number > UINT32_MAX || (*end && *end != ' '))
    return wrong(r, "expected 'at NUMBER TEXT'");
  if (!r->has_scope || (!r->func.id && !r->is_lost))
    return wrong(r, "'at' stands behind 'in FUNCTION'");
  if (*end) end++;
  r->at = r->is_lost ? TP_LOC_NONE
                     : find_place(r->p, r->func, (uint32_t)number, (piece){end, strlen(end)});
  return true;
}

typedef enum { ENTRY_PREDICATE, ENTRY_CANDIDATE, ENTRY_TRACK, ENTRY_UNTRACKED } entry_kind;

static bool is_used(reader *r, bool used) {
  if (used)
    r->done->used++;
  else
    r->done->unknown++;
  return true;
}

/* For whoever infers predicates for what is not tracked any more. */
static bool give(reader *r, tp_term predicate) {
  tp_cpa_env *env = r->cpa->env;
  tp_term *all = tp_arena_array(&r->cpa->arena, tp_term, env->n_given_predicates + 1);
  if (env->n_given_predicates)
    memcpy(all, env->given_predicates, env->n_given_predicates * sizeof *all);
  all[env->n_given_predicates++] = predicate;
  env->given_predicates = all;
  return r->predicate != NULL;
}

static bool use_entry(reader *r, entry_kind kind, tp_term t) {
  switch (kind) {
    case ENTRY_PREDICATE:
      return r->predicate && tp_predicate_add_for(r->predicate, r->at, r->func, t);
    case ENTRY_CANDIDATE: return give(r, t);
    case ENTRY_TRACK:
      return r->value && tp_value_is_refined(r->value) &&
             tp_value_track_for(r->value, r->at, r->func, t);
    case ENTRY_UNTRACKED: return r->value && tp_value_drop(r->value, t);
  }
  return false;
}

static bool read_entry(reader *r, const char *text, entry_kind kind) {
  bool is_predicate = kind == ENTRY_PREDICATE || kind == ENTRY_CANDIDATE;
  naming names = {.p = r->p};
  tp_str why = {0};
  tp_term t = TP_TERM_NONE;
  tp_status status =
      tp_term_read(r->p->terms, text,
                   (tp_text_vars){.ctx = &names, .name = write_name, .parse = read_name}, &t, &why);
  bool ok = status == TP_OK || names.unknown;
  if (!r->has_scope)
    ok = wrong(r, "an entry stands behind 'in FUNCTION' or 'in program'");
  else if (!ok)
    tp_str_add(r->why, tp_str_text(&why));
  tp_str_clear(&why);
  if (!ok) return false;
  if (status != TP_OK || r->is_lost) return is_used(r, false);
  if (is_predicate && !tp_sort_eq(tp_sort_of(r->p->terms, t), tp_sort_bool(r->p->terms)))
    return wrong(r, "a predicate is a condition");
  return is_used(r, use_entry(r, kind, t));
}

/* Earlier versions have other words for the same: they are refused by name, not read by half. */
static bool read_header(reader *r, const char *line) {
  if (strcmp(line, header) == 0) return true;
  if (strcmp(line, "precision 1") == 0)
    return wrong(r, "this is a precision of version 1, this program reads version 2: refine again");
  return wrong(r, "expected 'precision 2': this is no precision, or of another version");
}

static bool read_line(reader *r, const char *line) {
  size_t n = strlen(line);
  const char *rest;
  if (n == 0 || *line == '#') return true;
  if (!r->has_header) return r->has_header = read_header(r, line);
  if ((rest = behind(line, n, "in"))) return read_function(r, rest);
  if ((rest = behind(line, n, "at"))) return read_place(r, rest);
  static const char *const words[] = {"predicate", "candidate", "track", "untracked"};
  for (int kind = ENTRY_PREDICATE; kind <= ENTRY_UNTRACKED; kind++)
    if ((rest = behind(line, n, words[kind]))) return read_entry(r, rest, (entry_kind)kind);
  if (strcmp(line, "feasibility") == 0)
    return is_used(r, r->predicate && r->at.id && tp_predicate_decide(r->predicate, r->at));
  return wrong(
      r, "expected 'in', 'at', 'predicate', 'candidate', 'track', 'untracked' or 'feasibility'");
}

bool tp_precision_take(tp_cpa *cpa, const char *text, tp_precision_read *done, tp_str *why) {
  TP_REQUIRE(text && why && done->used == 0);
  reader r = {.cpa = cpa,
              .predicate = tp_predicate_find(cpa),
              .value = find_value(cpa),
              .p = cpa->env->program,
              .done = done};
  tp_str line = {0}, reason = {0};
  uint32_t number = 0;
  bool ok = true;
  r.why = &reason;
  while (ok && *text) {
    size_t n = strcspn(text, "\n");
    line.n = 0;
    tp_str_add_n(&line, text, n && text[n - 1] == '\r' ? n - 1 : n);
    number++;
    ok = read_line(&r, tp_str_text(&line));
    text += n + (text[n] == '\n');
  }
  if (ok && !r.has_header) number = 1, ok = wrong(&r, "expected 'precision 2': the text is empty");
  if (!ok) tp_str_printf(why, "line %" PRIu32 ": %s", number, tp_str_text(&reason));
  tp_str_clear(&line);
  tp_str_clear(&reason);
  return ok;
}
