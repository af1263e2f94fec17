/* Reading terms from text.
 *
 * A frame stands for an application whose arguments are still being read; a finished argument is
 * handed to the frame on top, and when it has all of them the application is built and handed on in
 * turn. Nothing is built before its sorts have been checked. A node that the table has already is
 * taken as it is (this gives the law: what was written is found again even where a rule made a node
 * that the rules would not leave alone if they saw it a second time); all others go through mk. */
#include "term/text.h"

#include "term/rewrite.h"
#include "term/term_limits.h"
#include "term/text_priv.h"

#include <inttypes.h>

typedef struct {
  tp_term_kind kind;
  uint32_t n;  // arguments read
  tp_term arg[3];
  tp_sort sort;  // CONST_ARRAY
  uint64_t payload;
  size_t at;  // where it starts
} frame;

typedef struct {
  tp_terms *tt;
  tp_text_vars vars;
  const char *text;
  size_t at, n;
  tp_str *why;
  TP_VEC(frame) stack;
  TP_VEC(tp_term) lets;
} reader;

// ---------------------------------------------------------------------- tokens

static tp_term refuse(const reader *r, size_t at, const char *what) {
  if (!r->why->n) tp_str_printf(r->why, "position %zu: %s", at + 1, what);
  return TP_TERM_NONE;
}

static bool is_word(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_spaces(reader *r) {
  while (r->at < r->n && r->text[r->at] == ' ') r->at++;
}

static bool take(reader *r, char c) {
  skip_spaces(r);
  if (r->at >= r->n || r->text[r->at] != c) return false;
  r->at++;
  return true;
}

static size_t word(reader *r, const char **out) {
  skip_spaces(r);
  size_t start = r->at;
  while (r->at < r->n && is_word(r->text[r->at])) r->at++;
  *out = &r->text[start];
  return r->at - start;
}

static bool is(const char *text, size_t n, const char *wanted) {
  return strlen(wanted) == n && memcmp(text, wanted, n) == 0;
}

static bool digits(const char *text, size_t n, tp_u128 max, tp_u128 *out) {
  tp_u128 v = 0;
  for (size_t i = 0; i < n; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    tp_u128 digit = (tp_u128)(text[i] - '0');
    if (digit > max || v > (max - digit) / 10) return false;
    v = v * 10 + digit;
  }
  *out = v;
  return n > 0;
}

static bool number(reader *r, tp_u128 max, tp_u128 *out) {
  const char *w;
  size_t n = word(r, &w);
  return digits(w, n, max, out);
}

static bool number_u32(reader *r, uint32_t max, uint32_t *out) {
  tp_u128 v;
  if (!number(r, max, &v)) return false;
  *out = (uint32_t)v;
  return true;
}

// ----------------------------------------------------------------------- sorts

static bool read_sort(reader *r, uint32_t depth, tp_sort *out) {
  const char *w;
  tp_u128 width;
  if (take(r, '(')) {
    tp_sort index, element;
    if (depth >= TP_TERM_TEXT_SORT_LEVELS || !is(w, word(r, &w), "array")) return false;
    if (!read_sort(r, depth + 1, &index) || !read_sort(r, depth + 1, &element) || !take(r, ')'))
      return false;
    *out = tp_sort_array(r->tt, index, element);
    return true;
  }
  size_t n = word(r, &w);
  if (is(w, n, "bool"))
    *out = tp_sort_bool(r->tt);
  else if (is(w, n, "ptr"))
    *out = tp_sort_ptr(r->tt);
  else if (is(w, n, "int"))
    *out = tp_sort_int(r->tt);
  else if (is(w, n, "fp32"))
    *out = tp_sort_fp(r->tt, 32);
  else if (is(w, n, "fp64"))
    *out = tp_sort_fp(r->tt, 64);
  else if (n > 2 && memcmp(w, "bv", 2) == 0 && digits(w + 2, n - 2, TP_BV_MAX_BITS, &width) &&
           width > 0)
    *out = tp_sort_bv(r->tt, (uint32_t)width);
  else
    return false;
  return true;
}

size_t tp_sort_read(tp_terms *tt, const char *text, size_t n, tp_sort *out) {
  TP_REQUIRE(text && out);
  reader r = {.tt = tt, .text = text, .n = n};
  return read_sort(&r, 0, out) ? r.at : 0;
}

// ---------------------------------------------------------------------- leaves

static tp_term read_bits(reader *r, bool is_fp) {
  uint32_t width;
  tp_u128 value;
  size_t start = r->at;
  if (!number_u32(r, TP_BV_MAX_BITS, &width) || width == 0 || (is_fp && width != 32 && width != 64))
    return refuse(r, start, "a width expected");
  if (!number(r, tp_mask(width), &value)) return refuse(r, start, "a value of this width expected");
  return is_fp ? tp_mk_fp(r->tt, width, (uint64_t)value) : tp_mk_bv(r->tt, width, value);
}

static tp_term read_ptr(reader *r) {
  uint32_t object;
  tp_u128 offset;
  size_t start = r->at;
  if (!number_u32(r, UINT32_MAX, &object)) return refuse(r, start, "an object's number expected");
  if (!number(r, tp_mask(r->tt->ptr_bits), &offset)) return refuse(r, start, "an offset expected");
  return tp_mk_ptr_const(r->tt, object, (uint64_t)offset);
}

static tp_term read_int(reader *r) {
  tp_u128 v;
  size_t start = r->at;
  bool negative = take(r, '-');
  if (!number(r, (tp_u128)INT64_MAX + negative, &v)) return refuse(r, start, "an integer expected");
  return tp_mk_int(r->tt, negative ? (int64_t)(-(tp_i128)v) : (int64_t)v);
}

static tp_term read_bound(reader *r) {
  uint32_t n;
  tp_sort sort;
  size_t start = r->at;
  if (!number_u32(r, TP_TEXT_BOUNDS_MAX - 1, &n))
    return refuse(r, start, "the number of a bound variable expected");
  if (!read_sort(r, 0, &sort)) return refuse(r, start, "a sort expected");
  return tp_mk_bound(r->tt, n, sort);
}

/* A form that is none of ours is the caller's: all up to the closing parenthesis. */
static tp_term read_var(reader *r, size_t start) {
  r->at = start;
  while (r->at < r->n && r->text[r->at] != ')' && r->text[r->at] != '(') r->at++;
  tp_term t = r->vars.parse(r->vars.ctx, &r->text[start], r->at - start);
  return tp_term_is(t) ? t : refuse(r, start, "neither a kind of term nor a variable");
}

// ---------------------------------------------------------------- applications

static bool kind_named(const char *w, size_t n, tp_term_kind *out) {
  for (int k = 0; k < TP_N_OPS; k++)
    if (is(w, n, tp_kind_name((tp_term_kind)k))) return *out = (tp_term_kind)k, true;
  return false;
}

static bool read_payload(reader *r, frame *f) {
  uint32_t a = 0, b = 0;
  switch ((int)f->kind) {
    case TP_OP_BV_EXTRACT:
      if (!number_u32(r, TP_BV_MAX_BITS, &a) || !number_u32(r, TP_BV_MAX_BITS, &b)) return false;
      f->payload = (uint64_t)a << 32 | b;
      return true;
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT:
    case TP_OP_FP_TO_SBV:
    case TP_OP_FP_TO_UBV:
      if (!number_u32(r, TP_BV_MAX_BITS, &a) || a == 0) return false;
      f->sort = tp_sort_bv(r->tt, a);
      return true;
    case TP_OP_FP_OF_FP:
    case TP_OP_FP_OF_SBV:
    case TP_OP_FP_OF_UBV:
      if (!number_u32(r, 64, &a) || (a != 32 && a != 64)) return false;
      f->sort = tp_sort_fp(r->tt, a);
      return true;
    case TP_OP_FP_ROUND:
      if (!number_u32(r, TP_ROUND_NEAREST_AWAY, &a)) return false;
      f->payload = a;
      return true;
    case TP_OP_FORALL:
    case TP_OP_EXISTS:
      if (!number_u32(r, TP_TEXT_BOUNDS_MAX - 1, &a)) return false;
      f->payload = a;
      return true;
    case TP_OP_CONST_ARRAY:
      return read_sort(r, 0, &f->sort) && tp_sort_kind_of(r->tt, f->sort) == TP_SORT_ARRAY;
    default: return true;
  }
}

/* Do the arguments fit? Then f->sort is the sort of the application. */
static bool fits(tp_terms *tt, frame *f) {
  tp_term a = f->arg[0];
  tp_sort_kind s = tp_sk(tt, a);
  switch ((int)f->kind) {
    case TP_OP_BV_EXTRACT: {
      uint32_t hi = (uint32_t)(f->payload >> 32), lo = (uint32_t)f->payload;
      if (s != TP_SORT_BV || lo > hi || hi >= tp_w(tt, a)) return false;
      f->sort = tp_sort_bv(tt, hi - lo + 1);
      return true;
    }
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: return s == TP_SORT_BV && tp_w(tt, a) <= tp_sort_width(tt, f->sort);
    case TP_OP_FP_OF_SBV:
    case TP_OP_FP_OF_UBV: return s == TP_SORT_BV;
    case TP_OP_FP_OF_FP:
    case TP_OP_FP_TO_SBV:
    case TP_OP_FP_TO_UBV: return s == TP_SORT_FP;
    case TP_OP_FP_ROUND: return f->sort = tp_s(tt, a), s == TP_SORT_FP;
    case TP_OP_FORALL:
    case TP_OP_EXISTS: return f->sort = tp_sort_bool(tt), s == TP_SORT_BOOL;
    case TP_OP_CONST_ARRAY: return tp_sort_eq(tp_sort_element(tt, f->sort), tp_s(tt, a));
    default:
      if (!tp_is_well_sorted(tt, f->kind, a, f->arg[1], f->arg[2])) return false;
      f->sort = tp_sort_of_application(tt, f->kind, a, f->arg[1]);
      return true;
  }
}

static tp_term build(reader *r, frame *f) {
  tp_terms *tt = r->tt;
  if (!fits(tt, f)) return refuse(r, f->at, "arguments of these sorts do not fit");
  tp_term known = tp_find_node(tt, f->kind, f->sort,
                               (uint32_t[3]){f->arg[0].id, f->arg[1].id, f->arg[2].id}, f->payload);
  if (tp_term_is(known)) return known;
  switch ((int)f->kind) {
    case TP_OP_BV_EXTRACT:
      return tp_mk_extract(tt, (uint32_t)(f->payload >> 32), (uint32_t)f->payload, f->arg[0]);
    case TP_OP_BV_ZEXT: return tp_mk_zext(tt, tp_sort_width(tt, f->sort), f->arg[0]);
    case TP_OP_BV_SEXT: return tp_mk_sext(tt, tp_sort_width(tt, f->sort), f->arg[0]);
    case TP_OP_FORALL:
    case TP_OP_EXISTS: return tp_mk_quantifier(tt, f->kind, (uint32_t)f->payload, f->arg[0]);
    default: break;
  }
  tp_application ap = {f->kind, f->sort, f->arg[0], f->arg[1], f->arg[2], f->payload};
  return tp_mk_application(tt, &ap);
}

// ----------------------------------------------------------------------- terms

/* Behind an opening parenthesis: a whole leaf, or a new frame (then NONE, and nothing is wrong). */
static tp_term open_form(reader *r, size_t start) {
  const char *w;
  size_t inside = r->at, n = word(r, &w);
  tp_term leaf;
  frame f = {.at = start};
  if (is(w, n, "bv") || is(w, n, "fp"))
    leaf = read_bits(r, w[0] == 'f');
  else if (is(w, n, "ptr"))
    leaf = read_ptr(r);
  else if (is(w, n, "int"))
    leaf = read_int(r);
  else if (is(w, n, "bound"))
    leaf = read_bound(r);
  else if (kind_named(w, n, &f.kind)) {
    static const tp_term_kind first_application = TP_OP_NOT;
    if (f.kind < first_application) return refuse(r, start, "this kind has a notation of its own");
    if (r->stack.n >= TP_TERM_TEXT_LEVELS) return refuse(r, start, "too deep");
    if (!read_payload(r, &f)) return refuse(r, start, "the numbers of this kind do not fit");
    tp_vec_push(&r->stack, f);
    return TP_TERM_NONE;
  } else
    leaf = read_var(r, inside);
  if (tp_term_is(leaf) && !take(r, ')')) return refuse(r, r->at, "')' expected");
  return leaf;
}

static tp_term open_term(reader *r) {
  skip_spaces(r);
  size_t start = r->at;
  if (take(r, '(')) return open_form(r, start);
  if (take(r, '$')) {
    uint32_t n;
    if (!number_u32(r, UINT32_MAX, &n) || n == 0 || n > r->lets.n)
      return refuse(r, start, "no such binding");
    return r->lets.at[n - 1];
  }
  const char *w;
  size_t n = word(r, &w);
  if (is(w, n, "TRUE")) return tp_mk_true(r->tt);
  if (is(w, n, "FALSE")) return tp_mk_false(r->tt);
  return refuse(r, start, "a term expected");
}

/* One term; NONE: why says what is wrong. */
static tp_term read_term(reader *r) {
  for (;;) {
    tp_term value = open_term(r);
    if (r->why->n) return TP_TERM_NONE;
    while (tp_term_is(value)) {
      if (r->stack.n == 0) return value;
      frame *f = &tp_vec_last(&r->stack);
      f->arg[f->n++] = value;
      if (f->n < tp_kind_arity(f->kind)) break;
      if (!take(r, ')')) return refuse(r, r->at, "')' expected");
      value = build(r, f);
      if (!tp_term_is(value)) return value;
      r->stack.n--;
    }
  }
}

static bool at_binding(const reader *r) {
  return r->at + 1 < r->n && r->text[r->at] == '(' && r->text[r->at + 1] == '$';
}

static tp_term read_lets(reader *r) {
  for (skip_spaces(r); at_binding(r); skip_spaces(r)) {
    uint32_t n;
    r->at += 2;
    if (!number_u32(r, UINT32_MAX, &n) || n != r->lets.n + 1)
      return refuse(r, r->at, "the next number expected");
    tp_term t = read_term(r);
    if (!tp_term_is(t)) return t;
    if (!take(r, ')')) return refuse(r, r->at, "')' expected");
    tp_vec_push(&r->lets, t);
  }
  tp_term body = read_term(r);
  if (tp_term_is(body) && !take(r, ')')) return refuse(r, r->at, "')' expected");
  return body;
}

static tp_term read_text(reader *r) {
  static const char head[] = "(let ";
  if (r->n > TP_TERM_TEXT_BYTES) return refuse(r, 0, "the text is too long");
  skip_spaces(r);
  bool has_lets = r->n - r->at > sizeof head && memcmp(&r->text[r->at], head, sizeof head - 1) == 0;
  if (has_lets) r->at += sizeof head - 1;
  tp_term t = has_lets ? read_lets(r) : read_term(r);
  skip_spaces(r);
  if (tp_term_is(t) && r->at < r->n) return refuse(r, r->at, "the text should end here");
  if (tp_term_is(t) && !tp_text_bounds_are_closed(r->tt, t))
    return refuse(r, 0, "a bound variable is not bound, or has two sorts");
  return t;
}

tp_status tp_term_read(tp_terms *tt, const char *text, tp_text_vars vars, tp_term *out,
                       tp_str *why) {
  TP_REQUIRE(text && vars.parse && out && why);
  tp_str wrong = {0};
  reader r = {.tt = tt, .vars = vars, .text = text, .n = strlen(text), .why = &wrong};
  tp_term t = read_text(&r);
  if (tp_term_is(t))
    *out = t;
  else
    tp_str_add(why, tp_str_text(&wrong));
  tp_vec_clear(&r.stack);
  tp_vec_clear(&r.lets);
  tp_str_clear(&wrong);
  return tp_term_is(t) ? TP_OK : TP_ERR_INPUT;
}
