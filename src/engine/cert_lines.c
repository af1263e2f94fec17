/* Certificates line by line. A line is copied, its comment cut off, and taken apart at single
 * spaces. */
#include "engine/cert_lines.h"

#include "engine/engine_limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

// -------------------------------------------------------------------- writing

void tp_lines_put_header(const tp_program *p, const char *kind, tp_property property,
                         uint64_t fingerprint, tp_str *out) {
  TP_REQUIRE(kind && *kind && !strchr(kind, '\n'));
  tp_str_printf(out, "twoproof-certificate 2\nkind %s\n", kind);
  tp_str_printf(out, "property %s\n", property == TP_P_NONE ? "none" : tp_property_name(property));
  tp_str_printf(out, "machine %s\n", p->ptr_bits == 32 ? "ilp32" : "lp64");
  tp_str_printf(out, "program %016" PRIx64 "\n", fingerprint);
}

void tp_lines_put_comment(const tp_program *p, tp_pos pos, tp_str *out) {
  if (tp_pos_known(pos) && p->diag) {
    tp_str_add(out, "  # ");
    tp_pos_print(p->diag, pos, out);
  }
  tp_str_add_char(out, '\n');
}

typedef struct {
  const tp_program *p;
  tp_func func;
  tp_str *out;
  size_t n;
} namer;

/* Names of C; by way of an assembler name they could be anything, the end of a line as well. */
static void put_name(const char *name, tp_str *out) {
  for (; *name; name++) tp_str_add_char(out, (unsigned char)*name < ' ' ? '?' : *name);
}

static void name_variable(void *ctx, tp_term term) {
  namer *x = ctx;
  const tp_var v = tp_program_var_of(x->p, term);
  if (!v.id) return;
  const tp_var_info *info = tp_var_of(x->p, v);
  if (!info->name || !*info->name || x->n++ >= TP_ENGINE_NAMED_VARIABLES) return;
  tp_str_printf(x->out, "%s%" PRIu32 " = ", x->n > 1 ? ", " : "", v.id);
  if (info->func.id && info->func.id != x->func.id) {
    put_name(tp_func_of(x->p, info->func)->name, x->out);
    tp_str_add(x->out, "::");
  }
  put_name(info->name, x->out);
}

void tp_lines_put_named_comment(const tp_program *p, tp_pos pos, tp_term formula, tp_func func,
                                tp_str *out) {
  tp_str names = {0};
  namer x = {.p = p, .func = func, .out = &names};
  tp_for_vars(p->terms, formula, name_variable, &x);
  if (x.n > TP_ENGINE_NAMED_VARIABLES)
    tp_str_printf(&names, " and %zu more", x.n - TP_ENGINE_NAMED_VARIABLES);
  const bool has_pos = tp_pos_known(pos) && p->diag;
  if (has_pos || names.n) tp_str_add(out, "  # ");
  if (has_pos) tp_pos_print(p->diag, pos, out);
  if (has_pos && names.n) tp_str_add(out, "; ");
  tp_str_add_n(out, tp_str_text(&names), names.n);
  tp_str_add_char(out, '\n');
  tp_str_clear(&names);
}

// -------------------------------------------------------------------- reading

void tp_lines_put_contexts(const tp_contexts *contexts, const tp_program *p, tp_str *out) {
  for (uint32_t i = 1; i < contexts->list.n; i++) {
    const tp_context_info *c = &contexts->list.at[i];
    tp_str_printf(out, "context %" PRIu32, i);
    if (c->parent.id)
      tp_str_printf(out, " call %" PRIu32 " %" PRIu32 " %s", c->parent.id, c->call.id,
                    tp_func_of(p, c->func)->name);
    else if (c->contract)
      tp_str_printf(out, " contract %" PRIu32, c->contract);
    else
      tp_str_add(out, " main");
    tp_str_add(out, "  # ");
    tp_context_print(contexts, p, (tp_context){i}, out);
    tp_str_add_char(out, '\n');
  }
}

void tp_lines_init(tp_lines *r, const tp_program *p, const char *kind, const char *text,
                   tp_str *why) {
  TP_REQUIRE(p && kind && text && why);
  *r = (tp_lines){.p = p, .kind = kind, .why = why, .text = text, .wants_property = true};
  tp_arena_init(&r->scratch);
}

void tp_lines_clear(tp_lines *r) { tp_arena_clear(&r->scratch); }

tp_status tp_lines_refuse(const tp_lines *r, const char *what) {
  TP_REQUIRE(r->why && what);
  tp_str_printf(r->why, "certificate line %" PRIu32 ": %s", r->line, what);
  return TP_ERR_INPUT;
}

char *tp_lines_field(char **at) {
  static char nothing[] = "";
  if (!*at || !**at) return nothing;
  char *start = *at, *space = strchr(start, ' ');
  if (space) *space = '\0';
  *at = space ? space + 1 : NULL;
  return start;
}

bool tp_lines_number(char **at, int radix, uint64_t max, uint64_t *out) {
  TP_REQUIRE(radix == 10 || radix == 16);
  const char *text = tp_lines_field(at);
  char *end = NULL;
  if (text[0] == '-' || text[0] == '+' || text[0] == '\0') return false;
  errno = 0;
  *out = strtoull(text, &end, radix);
  return *end == '\0' && errno == 0 && *out <= max;
}

tp_func tp_lines_func(const tp_lines *r, const char *name) {
  for (uint32_t i = 1; i < r->p->funcs.n; i++)
    if (!strcmp(r->p->funcs.at[i].name, name)) return (tp_func){i};
  return TP_FUNC_NONE;
}

/* The next line without its comment; NULL: there is none. */
static char *next_line(tp_lines *r) {
  tp_arena_clear(&r->scratch);
  if (!*r->text) return NULL;
  size_t n = strcspn(r->text, "\n");
  char *line = tp_arena_strndup(&r->scratch, r->text, n);
  r->text += r->text[n] ? n + 1 : n;
  r->line++;
  char *comment = strncmp(line, "assume ", 7) == 0 ? NULL : strchr(line, '#');
  if (comment) *comment = '\0';
  for (size_t len = strlen(line); len && line[len - 1] == ' '; len--) line[len - 1] = '\0';
  return line;
}

tp_status tp_lines_next(tp_lines *r, char **key, char **rest) {
  char *line = next_line(r);
  if (!line) return tp_lines_refuse(r, "the end line is missing");
  *rest = line;
  *key = tp_lines_field(rest);
  if (!**key) return tp_lines_refuse(r, "empty line");
  if (!strcmp(*key, "end")) *key = NULL;
  return TP_OK;
}

static tp_status check_header(tp_lines *r, int row, const char *rest) {
  uint64_t fingerprint;
  char copy[20] = {0}, *at = copy;
  switch (row) {
    case 0:
      return strcmp(rest, "2") == 0
                 ? TP_OK
                 : tp_lines_refuse(r, "another version, this program reads version 2");
    case 1:
      return strcmp(rest, r->kind) == 0 ? TP_OK : tp_lines_refuse(r, "another kind of certificate");
    case 2:
      r->property = TP_P_NONE;
      if (!r->wants_property && strcmp(rest, "none") == 0) return TP_OK;
      return tp_property_parse(rest, &r->property) ? TP_OK : tp_lines_refuse(r, "unknown property");
    case 3:
      return strcmp(rest, r->p->ptr_bits == 32 ? "ilp32" : "lp64") == 0
                 ? TP_OK
                 : tp_lines_refuse(r, "other machine");
    default:
      memcpy(copy, rest, strnlen(rest, sizeof copy - 1));
      if (strlen(rest) != 16 || !tp_lines_number(&at, 16, UINT64_MAX, &fingerprint))
        return tp_lines_refuse(r, "fingerprint expected");
      return fingerprint == tp_program_fingerprint(r->p)
                 ? TP_OK
                 : tp_lines_refuse(r, "made for another program");
  }
}

tp_status tp_lines_header(tp_lines *r) {
  static const char *const keys[] = {"twoproof-certificate", "kind", "property", "machine",
                                     "program"};
  for (int row = 0; row < 5; row++) {
    char *key, *rest;
    TP_TRY(tp_lines_next(r, &key, &rest));
    if (!key || strcmp(key, keys[row]) != 0 || !rest)
      return tp_lines_refuse(r, "header entry expected");
    TP_TRY(check_header(r, row, rest));
  }
  return TP_OK;
}
