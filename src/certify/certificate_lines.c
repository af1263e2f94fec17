/* Nothing is read ahead: a line is refused before the next one is looked at. */
#include "certify/certificate_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool tp_chk_lines_fail(tp_chk_lines *l, const char *what) {
  tp_str_printf(l->why, "certificate, line %" PRIu32 ": %s", l->line, what);
  return false;
}

char *tp_chk_next_field(char **at) {
  char *start = *at + strspn(*at, " \t");
  if (!*start) return NULL;
  char *end = start + strcspn(start, " \t");
  *at = *end ? end + 1 : end;
  *end = 0;
  return start;
}

int tp_chk_split(char *line, char **fields, int most) {
  int n = 0;
  for (char *f; n <= most && (f = tp_chk_next_field(&line)) != NULL; n++)
    if (n < most) fields[n] = f;
  return n;
}

bool tp_chk_number(const char *text, size_t most_digits, uint64_t *out) {
  TP_REQUIRE(most_digits <= 18);
  const size_t n = text ? strspn(text, "0123456789") : 0;
  if (!n || text[n] || n > most_digits) return false;
  *out = strtoull(text, NULL, 10);
  return true;
}

static bool is_pair(int n, char *const *fields, const char *name, const char *value) {
  return n == 2 && strcmp(fields[0], name) == 0 && strcmp(fields[1], value) == 0;
}

bool tp_chk_lines_header(tp_chk_lines *l, int n, char *const *fields) {
  TP_REQUIRE(l->line <= TP_CHK_HEADER_LINES && l->line != TP_CHK_KIND_LINE);
  char fingerprint[32];
  switch (l->line) {
    case 1:
      if (n != 2 || strcmp(fields[0], "twoproof-certificate"))
        return tp_chk_lines_fail(l, "this is no certificate");
      return !strcmp(fields[1], "2") ||
             tp_chk_lines_fail(
                 l, "this is a certificate of another version, this program reads version 2");
    case 3:
      return is_pair(n, fields, "property", tp_property_name(l->prop)) ||
             tp_chk_lines_fail(l, "made for another property");
    case 4:
      return is_pair(n, fields, "machine", l->p->ptr_bits == 32 ? "ilp32" : "lp64") ||
             tp_chk_lines_fail(l, "made for another data model");
    default: break;
  }
  snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, tp_program_fingerprint(l->p));
  return is_pair(n, fields, "program", fingerprint) ||
         tp_chk_lines_fail(l, "made for another program");
}

static bool read_line(tp_chk_lines *l, char *line, bool (*read)(void *ctx, char *line), void *ctx) {
  l->line++;
  if (l->ended) return tp_chk_lines_fail(l, "text behind the end");
  if (!strncmp(line, "assume ", 7) && l->line > TP_CHK_HEADER_LINES) return true;
  line[strcspn(line, "#")] = 0;
  return read(ctx, line);
}

bool tp_chk_lines_read(tp_chk_lines *l, const char *text, bool (*read)(void *ctx, char *line),
                       void *ctx) {
  tp_str line = {0};
  bool ok = true;
  while (ok && *text) {
    const size_t n = strcspn(text, "\n");
    if (text[n] == 0) break;  // a line that is cut off
    line.n = 0;
    tp_str_add_n(&line, text, n);
    ok = read_line(l, line.text, read, ctx);
    text += n + 1;
  }
  tp_str_clear(&line);
  if (ok && !l->ended) ok = tp_chk_lines_fail(l, "the certificate is cut off");
  return ok;
}

// ------------------------------------------------------------------ what lines speak of

bool tp_chk_is_of_kind(const char *certificate, const char *kind) {
  static const char word[] = "\nkind ";
  const size_t n = strlen(kind);
  const char *at = strchr(certificate, '\n');
  if (!at || strncmp(at, word, sizeof word - 1) != 0) return false;
  at += sizeof word - 1;
  return strncmp(at, kind, n) == 0 && at[n] && strchr("\n #", at[n]);
}

tp_func tp_chk_func_named(const tp_program *p, const char *name) {
  TP_REQUIRE(name != NULL);
  tp_func found = TP_FUNC_NONE;
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (!f->has_body || !f->entry.id || strcmp(f->name, name) != 0) continue;
    if (found.id) return TP_FUNC_NONE;
    found.id = i;
  }
  return found;
}

bool tp_chk_call_fits(const tp_program *p, const tp_edge_info *edge, tp_func callee) {
  TP_REQUIRE(callee.id && callee.id < p->funcs.n);
  const tp_terms *tt = p->terms;
  const tp_func_info *f = tp_func_of(p, callee);
  if (edge->kind != TP_E_CALL || (edge->callee.id && edge->callee.id != callee.id) ||
      edge->n_args != f->n_params)
    return false;
  for (uint32_t i = 0; i < edge->n_args; i++)
    if (!tp_sort_eq(tp_sort_of(tt, edge->args[i]),
                    tp_sort_of(tt, tp_var_of(p, f->params[i])->term)))
      return false;
  if (!edge->var.id) return true;
  return f->result.id && tp_sort_eq(tp_sort_of(tt, tp_var_of(p, edge->var)->term),
                                    tp_sort_of(tt, tp_var_of(p, f->result)->term));
}
