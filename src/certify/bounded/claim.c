/* The reader of certificates of kind `unrolling`: header, bounds of loops and recursion,
 * assumptions. Whatever does not fit the program is refused with its line. */
#include "certify/bounded/claim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  const tp_program *p;
  tp_property prop;
  tp_chk_bounds *claim;
  tp_str *why;
  uint32_t n_loops, line;
  bool ended;
} reader;

enum { MAX_FIELDS = 4, HEADER_LINES = 5 };

static bool fail(reader *r, const char *what) {
  tp_str_printf(r->why, "certificate, line %" PRIu32 ": %s", r->line, what);
  return false;
}

/* Split at single blanks, in place. Returns the number of fields, at most MAX_FIELDS + 1. */
static int split(char *line, char **fields) {
  int n = 0;
  char *at = line;
  while (*at && n <= MAX_FIELDS) {
    while (*at == ' ' || *at == '\t') *at++ = 0;
    if (!*at) break;
    if (n < MAX_FIELDS) fields[n] = at;
    n++;
    while (*at && *at != ' ' && *at != '\t') at++;
  }
  return n;
}

static bool number(const char *text, uint64_t *out) {
  size_t n = strspn(text, "0123456789");
  if (!n || text[n] || n > 18) return false;
  *out = strtoull(text, NULL, 10);
  return true;
}

/* "kind unrolling" where the claim is about all runs; "kind bounded N" where it is about those
 * within the bound that was asked for. */
static bool is_of_kind(const reader *r, int n, char **f) {
  uint64_t within;
  const uint64_t asked = r->claim->within;
  if (n < 2 || strcmp(f[0], "kind") != 0) return false;
  if (asked == 0) return n == 2 && !strcmp(f[1], "unrolling");
  return n == 3 && !strcmp(f[1], "bounded") && number(f[2], &within) && within == asked;
}

static bool header(reader *r, int n, char **f) {
  char want[32];
  switch (r->line) {
    case 1:
      if (n != 2 || strcmp(f[0], "twoproof-certificate")) return fail(r, "this is no certificate");
      return !strcmp(f[1], "2") ||
             fail(r, "this is a certificate of another version, this program reads version 2");
    case 2: return is_of_kind(r, n, f) || fail(r, "no certificate of an unrolling");
    case 3:
      return (n == 2 && !strcmp(f[0], "property") && !strcmp(f[1], tp_property_name(r->prop))) ||
             fail(r, "made for another property");
    case 4:
      return (n == 2 && !strcmp(f[0], "machine") &&
              !strcmp(f[1], r->p->ptr_bits == 32 ? "ilp32" : "lp64")) ||
             fail(r, "made for another data model");
    default: break;
  }
  snprintf(want, sizeof want, "%016" PRIx64, tp_program_fingerprint(r->p));
  return (n == 2 && !strcmp(f[0], "program") && !strcmp(f[1], want)) ||
         fail(r, "made for another program");
}

static bool loop_line(reader *r, char **f) {
  uint64_t loc, turns;
  if (!number(f[2], &loc) || !number(f[3], &turns)) return fail(r, "a number is wanted");
  if (loc == 0 || loc >= r->p->locs.n) return fail(r, "no such location");
  tp_func func = r->p->locs.at[loc].func;
  if (!func.id || strcmp(tp_func_of(r->p, func)->name, f[1]))
    return fail(r, "the location is not in this function");
  if (r->claim->rank[loc]) return fail(r, "a second bound for this loop");
  r->claim->rank[loc] = ++r->n_loops;
  r->claim->iterations[loc] = turns;
  return true;
}

static bool depth_line(reader *r, char **f) {
  uint64_t n;
  if (!number(f[2], &n)) return fail(r, "a number is wanted");
  bool found = false;
  for (size_t i = 1; i < r->p->funcs.n; i++) {
    if (!r->p->funcs.at[i].name || strcmp(r->p->funcs.at[i].name, f[1])) continue;
    r->claim->activations[i] = n;
    found = true;
  }
  return found || fail(r, "no such function");
}

static bool read_line(reader *r, char *line) {
  char *f[MAX_FIELDS] = {0};
  r->line++;
  if (r->ended) return fail(r, "text behind the end");
  bool is_assume = !strncmp(line, "assume ", 7) && r->line > HEADER_LINES;
  if (!is_assume) line[strcspn(line, "#")] = 0;
  if (is_assume) return true;  // the checker finds its own assumptions
  int n = split(line, f);
  if (r->line <= HEADER_LINES) return header(r, n, f);
  if (n == 4 && !strcmp(f[0], "loop")) return loop_line(r, f);
  if (n == 3 && !strcmp(f[0], "depth")) return depth_line(r, f);
  if (n == 1 && !strcmp(f[0], "end")) return r->ended = true;
  return n == 0 || fail(r, "not understood");
}

/* The certificate may count more than the bound where that needs no case distinction; it may not
 * count less. */
static void raise_to(uint64_t *counts, size_t n, uint64_t least) {
  for (size_t i = 0; i < n; i++)
    if (counts[i] < least) counts[i] = least;
}

bool tp_chk_bounds_read(tp_chk_bounds *c, const tp_program *p, tp_property prop, uint64_t within,
                        const char *text, tp_str *why) {
  *c = (tp_chk_bounds){.rank = TP_NEW_ARRAY(uint32_t, p->locs.n + 1),
                       .iterations = TP_NEW_ARRAY(uint64_t, p->locs.n + 1),
                       .activations = TP_NEW_ARRAY(uint64_t, p->funcs.n + 1),
                       .within = within};
  for (size_t i = 0; i < p->funcs.n; i++) c->activations[i] = 1;
  reader r = {.p = p, .prop = prop, .claim = c, .why = why};
  tp_str line = {0};
  bool ok = true;
  while (ok && *text) {
    size_t n = strcspn(text, "\n");
    if (text[n] == 0) break;  // a line that is cut off
    line.n = 0;
    tp_str_add_n(&line, text, n);
    ok = read_line(&r, line.text);
    text += n + 1;
  }
  tp_str_clear(&line);
  if (ok && !r.ended) ok = fail(&r, "the certificate is cut off");
  raise_to(c->iterations, p->locs.n + 1, within);
  raise_to(c->activations, p->funcs.n + 1, within);
  return ok;
}

void tp_chk_bounds_clear(tp_chk_bounds *c) {
  tp_free(c->rank);
  tp_free(c->iterations);
  tp_free(c->activations);
  *c = (tp_chk_bounds){0};
}
