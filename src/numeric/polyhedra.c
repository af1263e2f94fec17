/* The client of the helper program: polyhedra as text there, as s-expressions back
 * (helpers/polyhedra/polyhedra.c has the language).
 *
 * The helper keeps nothing between requests, so one that died or said something strange is killed
 * and the next request starts a new one; after a few starts without an answer there are no more.
 * What comes back is normalised here, so that results do not depend on the form in which the
 * library happens to hold them. */
#include "numeric/polyhedra.h"

#include "base/beside.h"
#include "numeric/numeric_limits.h"
#include "smt/dialogue.h"
#include "smt/smtlib.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct tp_polyhedra {
  char *command;
  uint32_t dimensions;
  tp_dialogue *d;        // NULL: not running
  unsigned idle_starts;  // since the last answer
  tp_str text, reply;
  tp_arena arena;  // of one reply
};

// ----------------------------------------------------------------------- start

static bool find_helper(char *out, size_t size) {
  static const char name[] = "twoproof-polyhedra";
  char folder[4096];
  return tp_find_own_folder(name, folder, sizeof folder) &&
         (size_t)snprintf(out, size, "%s/%s", folder, name) < size && access(out, X_OK) == 0;
}

tp_polyhedra *tp_polyhedra_open_command(const char *command, uint32_t dimensions) {
  if (dimensions == 0 || dimensions > TP_NUMERIC_POLY_DIMS) return NULL;
  tp_polyhedra *x = TP_NEW(tp_polyhedra);
  size_t n = strlen(command) + 1;
  x->command = tp_alloc(n);
  memcpy(x->command, command, n);
  x->dimensions = dimensions;
  tp_arena_init(&x->arena);
  return x;
}

tp_polyhedra *tp_polyhedra_open(uint32_t dimensions) {
  char path[8192], command[8200];
  if (!find_helper(path, sizeof path) || strchr(path, '\'')) return NULL;
  snprintf(command, sizeof command, "'%s'", path);
  return tp_polyhedra_open_command(command, dimensions);
}

static void stop(tp_polyhedra *x) {
  tp_dialogue_close(x->d);
  x->d = NULL;
}

void tp_polyhedra_close(tp_polyhedra *x) {
  if (!x) return;
  stop(x);
  tp_str_clear(&x->text);
  tp_str_clear(&x->reply);
  tp_arena_clear(&x->arena);
  tp_free(x->command);
  tp_free(x);
}

uint32_t tp_polyhedra_dimensions(const tp_polyhedra *x) { return x->dimensions; }

// --------------------------------------------------------------- normal form

void tp_poly_copy(tp_poly *to, const tp_poly *from) {
  TP_REQUIRE(to != from);
  if (to == from) return;
  to->list.n = 0;
  to->is_empty = from->is_empty;
  for (size_t i = 0; i < from->list.n; i++) tp_vec_push(&to->list, from->list.at[i]);
}

static uint64_t magnitude(int64_t v) { return v < 0 ? -(uint64_t)v : (uint64_t)v; }

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b, b = r;
  }
  return a;
}

static uint64_t divisor_of(const tp_poly_constraint *c, uint32_t dimensions) {
  uint64_t g = 0;
  for (uint32_t i = 0; i < dimensions; i++) g = gcd(g, magnitude(c->coefficient[i]));
  return g;
}

static int64_t floor_div(int64_t a, int64_t d) { return a / d - (a % d != 0 && a < 0); }

/* Divides by d > 0, which divides the coefficients; the constant is rounded down: sum + constant >=
 * 0 over integers. */
static void divide(tp_poly_constraint *c, uint32_t dimensions, int64_t d) {
  for (uint32_t i = 0; i < dimensions; i++) c->coefficient[i] /= d;
  c->constant = floor_div(c->constant, d);
}

void tp_poly_tighten(tp_poly *p, uint32_t dimensions) {
  TP_REQUIRE(dimensions <= TP_NUMERIC_POLY_DIMS);
  for (size_t i = 0; i < p->list.n; i++) {
    tp_poly_constraint *c = &p->list.at[i];
    uint64_t g = divisor_of(c, dimensions);
    if (g <= 1 || g > INT64_MAX) continue;
    if (c->relation == TP_POLY_EQ && c->constant % (int64_t)g != 0)
      p->is_empty = true;
    else
      divide(c, dimensions, (int64_t)g);
  }
  if (p->is_empty) p->list.n = 0;
}

/* Without a divisor common to all its numbers; of the two forms of an equation that with a positive
 * first coefficient. False: cannot be turned. */
static bool normalise(tp_poly_constraint *c, uint32_t dimensions) {
  uint64_t g = gcd(divisor_of(c, dimensions), magnitude(c->constant));
  if (g > 1 && g <= INT64_MAX) divide(c, dimensions, (int64_t)g);
  uint32_t first = 0;
  while (first < dimensions && c->coefficient[first] == 0) first++;
  if (c->relation != TP_POLY_EQ || first == dimensions || c->coefficient[first] > 0) return true;
  bool ok = !__builtin_sub_overflow(0, c->constant, &c->constant);
  for (uint32_t i = first; i < dimensions; i++)
    ok = !__builtin_sub_overflow(0, c->coefficient[i], &c->coefficient[i]) && ok;
  return ok;
}

static int compare(const void *pa, const void *pb) {
  const tp_poly_constraint *a = pa, *b = pb;
  if (a->relation != b->relation) return a->relation < b->relation ? -1 : 1;
  for (uint32_t i = 0; i < TP_NUMERIC_POLY_DIMS; i++)
    if (a->coefficient[i] != b->coefficient[i])
      return a->coefficient[i] > b->coefficient[i] ? -1 : 1;
  return (a->constant > b->constant) - (a->constant < b->constant);
}

bool tp_poly_contains(const tp_poly *p, uint32_t dimensions, const int64_t *point) {
  TP_REQUIRE(dimensions <= TP_NUMERIC_POLY_DIMS && point);
  if (p->is_empty) return false;
  for (size_t i = 0; i < p->list.n; i++) {
    const tp_poly_constraint *c = &p->list.at[i];
    tp_i128 sum = c->constant;  // |product| < 2^126, dimensions few: may overflow only beyond what
                                // a 64-bit coefficient means
    for (uint32_t d = 0; d < dimensions; d++)
      if (__builtin_add_overflow(sum, (tp_i128)c->coefficient[d] * point[d], &sum)) return false;
    if (c->relation == TP_POLY_EQ ? sum != 0 : sum < 0) return false;
  }
  return true;
}

// -------------------------------------------------------------------- dialogue

static void write_poly(const tp_polyhedra *x, const tp_poly *p, tp_str *out) {
  if (p->is_empty) {
    tp_str_add(out, " empty");
    return;
  }
  tp_str_printf(out, " %zu", p->list.n);
  for (size_t i = 0; i < p->list.n; i++) {
    const tp_poly_constraint *c = &p->list.at[i];
    tp_str_add(out, c->relation == TP_POLY_EQ ? " =" : " >=");
    for (uint32_t d = 0; d < x->dimensions; d++)
      tp_str_printf(out, " %lld", (long long)c->coefficient[d]);
    tp_str_printf(out, " %lld", (long long)c->constant);
  }
}

static void begin(tp_polyhedra *x, const char *operation, const tp_poly *a, const tp_poly *b,
                  const tp_poly *c) {
  x->text.n = 0;
  tp_str_printf(&x->text, "%s %u", operation, x->dimensions);
  if (a) write_poly(x, a, &x->text);
  if (b) write_poly(x, b, &x->text);
  if (c) write_poly(x, c, &x->text);
}

/* The helper's answer to the request in x->text; NULL: none. */
static const tp_sexp *ask(tp_polyhedra *x) {
  if (!x->d) {
    if (x->idle_starts >= TP_NUMERIC_HELPER_STARTS) return NULL;
    x->idle_starts++;
    x->d = tp_dialogue_start(x->command);
    if (!x->d) return NULL;
  }
  tp_str_add_char(&x->text, '\n');
  tp_dialogue_send(x->d, x->text.text, x->text.n);
  const char *end;
  tp_arena_clear(&x->arena);
  bool said = tp_dialogue_read(x->d, TP_NUMERIC_HELPER_S, &x->reply) == TP_DIALOGUE_REPLY;
  const tp_sexp *e = said ? tp_sexp_parse(x->reply.text, &end, &x->arena) : NULL;
  if (!e || e->atom || !e->first || !e->first->atom) {
    stop(x);
    return NULL;
  }
  return e->first;
}

/* The helper said something that is no answer: whatever follows cannot be trusted. */
static bool nonsense(tp_polyhedra *x) {
  stop(x);
  return false;
}

/* The helper answered, and it was "no". */
static bool gave_up(tp_polyhedra *x, const tp_sexp *word) {
  if (!tp_sexp_is(word, "limit") && !tp_sexp_is(word, "overflow")) return nonsense(x);
  x->idle_starts = 0;
  return false;
}

static bool read_number(const tp_sexp *e, int64_t *out) {
  if (!e || !e->atom) return false;
  char *end;
  errno = 0;
  long long v = strtoll(e->atom, &end, 10);
  *out = v;
  return errno == 0 && end != e->atom && *end == '\0';
}

static bool read_constraint(const tp_polyhedra *x, const tp_sexp *e, tp_poly_constraint *c) {
  if (e->atom || !e->first) return false;
  const tp_sexp *word = e->first;
  *c = (tp_poly_constraint){.relation = tp_sexp_is(word, "=") ? TP_POLY_EQ : TP_POLY_GE};
  if (c->relation == TP_POLY_GE && !tp_sexp_is(word, ">=")) return false;
  for (uint32_t d = 0; d <= x->dimensions; d++) {
    word = word->next;
    if (!read_number(word, d < x->dimensions ? &c->coefficient[d] : &c->constant)) return false;
  }
  return !word->next && normalise(c, x->dimensions);
}

/* Sends the request and reads a polyhedron. */
static bool request(tp_polyhedra *x, tp_poly *out) {
  const tp_sexp *word = ask(x);
  if (!word) return false;
  bool empty = tp_sexp_is(word, "empty");
  if (!empty && !tp_sexp_is(word, "poly")) return gave_up(x, word);
  tp_poly read = {.is_empty = empty};
  for (const tp_sexp *e = word->next; e; e = e->next) {
    tp_poly_constraint c;
    if (empty || !read_constraint(x, e, &c)) {
      tp_vec_clear(&read.list);
      return nonsense(x);
    }
    tp_vec_push(&read.list, c);
  }
  x->idle_starts = 0;
  if (read.list.n) qsort(read.list.at, read.list.n, sizeof *read.list.at, compare);
  tp_vec_clear(&out->list);
  *out = read;
  return true;
}

// ------------------------------------------------------------------ operations

bool tp_poly_minimize(tp_polyhedra *x, const tp_poly *a, tp_poly *out) {
  begin(x, "minimize", a, NULL, NULL);
  return request(x, out);
}

bool tp_poly_meet(tp_polyhedra *x, const tp_poly *a, const tp_poly *b, tp_poly *out) {
  begin(x, "meet", a, b, NULL);
  return request(x, out);
}

bool tp_poly_hull(tp_polyhedra *x, const tp_poly *a, const tp_poly *b, tp_poly *out) {
  begin(x, "hull", a, b, NULL);
  return request(x, out);
}

bool tp_poly_includes(tp_polyhedra *x, const tp_poly *large, const tp_poly *small, bool *is) {
  begin(x, "includes", large, small, NULL);
  const tp_sexp *word = ask(x);
  if (!word) return false;
  if (!tp_sexp_is(word, "yes") && !tp_sexp_is(word, "no")) return gave_up(x, word);
  x->idle_starts = 0;
  *is = tp_sexp_is(word, "yes");
  return true;
}

bool tp_poly_widen(tp_polyhedra *x, const tp_poly *a, const tp_poly *b, const tp_poly *landmarks,
                   tp_poly *out) {
  begin(x, "widen", a, b, landmarks);
  return request(x, out);
}

bool tp_poly_project(tp_polyhedra *x, const tp_poly *a, uint32_t dimension, tp_poly *out) {
  TP_REQUIRE(dimension < x->dimensions);
  if (dimension >= x->dimensions) return false;
  begin(x, "forget", a, NULL, NULL);
  tp_str_printf(&x->text, " %u", dimension);
  return request(x, out);
}

bool tp_poly_box(tp_polyhedra *x, const tp_poly *a, tp_poly *out) {
  begin(x, "box", a, NULL, NULL);
  return request(x, out);
}
