/* Reading what solvers write. */
#include "smt/smtlib.h"

#include <stdlib.h>

static const char *skip_space(const char *s) {
  for (;;) {
    while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r') s++;
    if (*s != ';') return s;
    while (*s && *s != '\n') s++;
  }
}

/* Behind the atom at s: a |symbol|, a "string" with "" for a quote, or up to space and brackets.
 * NULL: unfinished. */
static const char *atom_end(const char *s) {
  if (*s == '|') {
    const char *end = strchr(s + 1, '|');
    return end ? end + 1 : NULL;
  }
  if (*s == '"') {
    for (s++;; s++) {
      if (!*s) return NULL;
      if (*s != '"') continue;
      if (s[1] != '"') return s + 1;
      s++;
    }
  }
  while (*s && !strchr(" \t\r\n();\"", *s)) s++;
  return s;
}

size_t tp_sexp_complete(const char *text, size_t n) {
  const char *s = skip_space(text);
  size_t depth = 0;
  for (; s < text + n && *s; s = skip_space(s)) {
    if (*s == '(') {
      depth++, s++;
    } else if (*s == ')') {
      s++;
      if (depth <= 1) return (size_t)(s - text);
      depth--;
    } else {
      const char *end = atom_end(s);
      if (!end || (depth == 0 && !*end)) return 0;  // an atom may go on
      s = end;
      if (depth == 0) return (size_t)(s - text);
    }
  }
  return 0;
}

const tp_sexp *tp_sexp_parse(const char *text, const char **end, tp_arena *arena) {
  tp_sexp root = {0};
  TP_VEC(tp_sexp *) lists = {0};  // open lists
  TP_VEC(tp_sexp *) lasts = {0};  // their last elements so far
  tp_vec_push(&lists, &root);
  tp_vec_push(&lasts, NULL);
  const char *s = skip_space(text);
  bool ok = true;
  while (ok && !(lists.n == 1 && root.first)) {
    if (*s == ')') {
      s++;
      ok = lists.n > 1;
      if (ok) lists.n--, lasts.n--;
    } else if (*s) {
      tp_sexp *e = tp_arena_new(arena, tp_sexp);
      if (tp_vec_last(&lasts))
        tp_vec_last(&lasts)->next = e;
      else
        tp_vec_last(&lists)->first = e;
      tp_vec_last(&lasts) = e;
      if (*s == '(') {
        tp_vec_push(&lists, e);
        tp_vec_push(&lasts, NULL);
        s++;
      } else {
        const char *stop = atom_end(s);
        ok = stop && stop > s;
        if (ok) e->atom = tp_arena_strndup(arena, s, (size_t)(stop - s));
        if (ok) s = stop;
      }
    } else {
      ok = false;
    }
    s = skip_space(s);
  }
  tp_vec_clear(&lists);
  tp_vec_clear(&lasts);
  *end = s;
  return ok ? root.first : NULL;
}

bool tp_sexp_is(const tp_sexp *e, const char *atom) {
  return e && e->atom && strcmp(e->atom, atom) == 0;
}

// --------------------------------------------------------------------- values

static bool read_digits(const char *s, unsigned base, tp_u128 *out) {
  if (!*s) return false;
  for (*out = 0; *s; s++) {
    unsigned d = *s >= '0' && *s <= '9'   ? (unsigned)(*s - '0')
                 : *s >= 'a' && *s <= 'f' ? (unsigned)(*s - 'a') + 10
                 : *s >= 'A' && *s <= 'F' ? (unsigned)(*s - 'A') + 10
                                          : 99;
    if (d >= base) return false;
    *out = *out * base + d;
  }
  return true;
}

/* #b..., #x..., (_ bvN width) */
static bool read_bits(const tp_sexp *e, tp_u128 *out) {
  if (!e) return false;
  if (e->atom && e->atom[0] == '#' && e->atom[1] == 'b') return read_digits(e->atom + 2, 2, out);
  if (e->atom && e->atom[0] == '#' && e->atom[1] == 'x') return read_digits(e->atom + 2, 16, out);
  if (e->atom || !tp_sexp_is(e->first, "_")) return false;
  const tp_sexp *n = e->first->next;
  return n && n->atom && strncmp(n->atom, "bv", 2) == 0 && read_digits(n->atom + 2, 10, out);
}

/* (fp #b #b #b), (_ NaN e s), (_ +oo e s), (_ -oo e s), (_ +zero e s), (_ -zero e s) */
static bool read_float(const tp_sexp *e, uint32_t width, tp_value *out) {
  uint32_t fraction = width == 32 ? 23 : 52;
  uint64_t ones = (1u << (width - 1 - fraction)) - 1u, sign = (uint64_t)1 << (width - 1);
  if (!e || e->atom || !e->first || !e->first->next) return false;
  const tp_sexp *a = e->first->next;
  if (tp_sexp_is(e->first, "fp")) {
    tp_u128 s, x, f;
    if (!a->next || !read_bits(a, &s) || !read_bits(a->next, &x) || !read_bits(a->next->next, &f))
      return false;
    out->bits = s << (width - 1) | x << fraction | f;
    return true;
  }
  if (!tp_sexp_is(e->first, "_")) return false;
  if (tp_sexp_is(a, "NaN"))
    out->bits = ones << fraction | (uint64_t)1 << (fraction - 1);
  else if (tp_sexp_is(a, "+oo"))
    out->bits = ones << fraction;
  else if (tp_sexp_is(a, "-oo"))
    out->bits = sign | ones << fraction;
  else if (tp_sexp_is(a, "+zero"))
    out->bits = 0;
  else if (tp_sexp_is(a, "-zero"))
    out->bits = sign;
  else
    return false;
  return true;
}

static bool read_int(const tp_sexp *e, tp_value *out) {
  bool negative = e && !e->atom && tp_sexp_is(e->first, "-");
  const tp_sexp *d = negative ? e->first->next : e;
  tp_u128 v;
  if (!d || !d->atom || strlen(d->atom) > 19 || !read_digits(d->atom, 10, &v) || v > INT64_MAX)
    return false;
  out->bits = (uint64_t)(negative ? -(uint64_t)v : (uint64_t)v);
  return true;
}

/* (store (store ((as const S) d) i v) j w): the outermost store wins. */
static bool read_array(const tp_terms *tt, tp_sort sort, const tp_sexp *e, tp_arena *arena,
                       tp_value *out) {
  tp_sort index = tp_sort_index(tt, sort), element = tp_sort_element(tt, sort);
  tp_array_value *a = tp_arena_new(arena, tp_array_value);
  const tp_sexp *bottom = e;
  size_t n = 0;
  for (; bottom && !bottom->atom && tp_sexp_is(bottom->first, "store");
       bottom = bottom->first->next)
    n++;
  a->n = n;
  a->cells = tp_arena_array(arena, struct tp_array_cell, n);
  for (; n > 0; n--, e = e->first->next) {
    const tp_sexp *i = e->first->next ? e->first->next->next : NULL;
    if (!i || !tp_smtlib_value(tt, index, i, arena, &a->cells[n - 1].index) ||
        !tp_smtlib_value(tt, element, i->next, arena, &a->cells[n - 1].value))
      return false;
  }
  if (!bottom || bottom->atom || !bottom->first || bottom->first->atom ||
      !tp_sexp_is(bottom->first->first, "as"))
    return false;
  out->array = a;
  return tp_smtlib_value(tt, element, bottom->first->next, arena, &a->otherwise);
}

bool tp_smtlib_value(const tp_terms *tt, tp_sort sort, const tp_sexp *e, tp_arena *arena,
                     tp_value *out) {
  *out = (tp_value){0};
  switch (tp_sort_kind_of(tt, sort)) {
    case TP_SORT_BOOL:
      out->bits = tp_sexp_is(e, "true");
      return out->bits || tp_sexp_is(e, "false");
    case TP_SORT_BV:
      return read_bits(e, &out->bits) &&
             (tp_sort_width(tt, sort) == 128 || !(out->bits >> tp_sort_width(tt, sort)));
    case TP_SORT_FP: return read_float(e, tp_sort_width(tt, sort), out);
    case TP_SORT_INT: return read_int(e, out);
    case TP_SORT_ARRAY:
      return read_array(tt, sort, e, arena, out);  // recursion as deep as the sort
    case TP_SORT_PTR: break;
  }
  return false;
}
