/* The reader of certificates of kind `unrolling`: header, bounds of loops and recursion,
 * assumptions. Whatever does not fit the program is refused with its line. */
#include "certify/bounded/claim.h"

#include "certify/certificate_lines.h"

typedef struct {
  tp_chk_lines text;
  const tp_program *p;
  tp_chk_bounds *claim;
  uint32_t n_loops;
} reader;

enum { MAX_FIELDS = 4, DIGITS = 18 };

static bool fail(reader *r, const char *what) { return tp_chk_lines_fail(&r->text, what); }

static bool number(const char *text, uint64_t *out) { return tp_chk_number(text, DIGITS, out); }

/* "kind unrolling" where the claim is about all runs; "kind bounded N" where it is about those
 * within the bound that was asked for. */
static bool is_of_kind(const reader *r, int n, char **f) {
  uint64_t within;
  const uint64_t asked = r->claim->within;
  if (n < 2 || strcmp(f[0], "kind") != 0) return false;
  if (asked == 0) return n == 2 && !strcmp(f[1], "unrolling");
  return n == 3 && !strcmp(f[1], "bounded") && number(f[2], &within) && within == asked;
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

static bool read_line(void *ctx, char *line) {
  reader *r = ctx;
  char *f[MAX_FIELDS] = {0};
  const int n = tp_chk_split(line, f, MAX_FIELDS);
  if (r->text.line == TP_CHK_KIND_LINE)
    return is_of_kind(r, n, f) || fail(r, "no certificate of an unrolling");
  if (r->text.line <= TP_CHK_HEADER_LINES) return tp_chk_lines_header(&r->text, n, f);
  if (n == 4 && !strcmp(f[0], "loop")) return loop_line(r, f);
  if (n == 3 && !strcmp(f[0], "depth")) return depth_line(r, f);
  if (n == 1 && !strcmp(f[0], "end")) return r->text.ended = true;
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
  reader r = {.text = {.p = p, .prop = prop, .why = why}, .p = p, .claim = c};
  const bool ok = tp_chk_lines_read(&r.text, text, read_line, &r);
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
