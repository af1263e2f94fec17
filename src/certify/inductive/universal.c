/* An index at which a body speaks of a cell is found by its offset: the pattern's offset is a sum
 * of multiples of index symbols (or of these extended) and a rest, so the offset of the read minus
 * the rest, divided by the factor, is the index. Of several indices the one with the largest factor
 * comes first, and takes what its factor divides. */
#include "certify/inductive/universal.h"

#include "certify/certify_limits.h"
#include "program/cells.h"

// ----------------------------------------------------------------------- reading

static tp_term index_symbol(tp_chk_cert *e, tp_terms *tt, uint32_t number, tp_sort sort) {
  uint64_t known, key = (uint64_t)number << 32 | sort.id;
  if (tp_map_get(&e->index_of, key, &known)) return (tp_term){(uint32_t)known};
  tp_term symbol = tp_mk_var(tt, "index", sort);
  tp_map_set(&e->index_of, key, symbol.id);
  tp_vec_push(&e->indices, symbol);
  return symbol;
}

typedef struct {
  tp_chk_cert *e;
  tp_terms *tt;
  uint64_t bound;  // numbers of the prefix
  bool ok;
} opening;

static tp_term open_bound(void *ctx, tp_term t) {
  opening *o = ctx;
  const tp_term_kind k = tp_kind(o->tt, t);
  if (k == TP_OP_FORALL || k == TP_OP_EXISTS) o->ok = false;
  if (k != TP_OP_BOUND) return TP_TERM_NONE;
  const uint32_t number = tp_bound_number(o->tt, t);
  const tp_sort sort = tp_sort_of(o->tt, t);
  o->ok = o->ok && number < 64 && (o->bound >> number & 1) != 0 &&
          tp_sort_kind_of(o->tt, sort) == TP_SORT_BV;
  return o->ok ? index_symbol(o->e, o->tt, number, sort) : t;
}

static tp_term open_conjunct(opening *o, tp_term t) {
  tp_map images = {0};
  const tp_mapper mapper = {.ctx = o, .before = open_bound};
  o->bound = 0;
  while (tp_kind(o->tt, t) == TP_OP_FORALL && tp_bound_number(o->tt, t) < 64) {
    o->bound |= (uint64_t)1 << tp_bound_number(o->tt, t);
    t = tp_arg(o->tt, t, 0);
  }
  t = tp_map_terms(o->tt, t, &mapper, &images);
  tp_map_clear(&images);
  return t;
}

/* The conjuncts as they are written: an AND below another one is taken apart, nothing else. */
static void conjuncts_of(const tp_terms *tt, tp_term t, tp_term_list *out) {
  tp_term_list todo = {0};
  tp_vec_push(&todo, t);
  while (todo.n) {
    t = tp_vec_pop(&todo);
    if (tp_kind(tt, t) == TP_OP_AND) {
      tp_vec_push(&todo, tp_arg(tt, t, 1));
      tp_vec_push(&todo, tp_arg(tt, t, 0));
    } else {
      tp_vec_push(out, t);
    }
  }
  tp_vec_clear(&todo);
}

bool tp_chk_universal_open(tp_chk_cert *e, tp_terms *tt, tp_term t, tp_term *open) {
  tp_term_list all = {0};
  opening o = {.e = e, .tt = tt, .ok = true};
  conjuncts_of(tt, t, &all);
  *open = tp_mk_true(tt);
  for (size_t i = 0; i < all.n && o.ok; i++)
    *open = tp_mk_and(tt, *open, open_conjunct(&o, all.at[i]));
  tp_vec_clear(&all);
  return o.ok;
}

bool tp_chk_universal_is_index(const tp_chk_cert *e, tp_term t) {
  for (size_t i = 0; i < e->indices.n; i++)
    if (tp_term_eq(e->indices.at[i], t)) return true;
  return false;
}

bool tp_chk_universal_speaks_of_all(const tp_chk_cert *e, const tp_terms *tt, tp_term t) {
  for (size_t i = 0; i < e->indices.n; i++)
    if (tp_occurs(tt, e->indices.at[i], t)) return true;
  return false;
}

tp_term tp_chk_universal_split(const tp_chk_cert *e, tp_terms *tt, tp_term t, tp_term *others) {
  tp_term_list all = {0};
  tp_term plain = tp_mk_true(tt);
  *others = tp_mk_true(tt);
  if (!e->indices.n) return t;
  conjuncts_of(tt, t, &all);
  for (size_t i = 0; i < all.n; i++) {
    tp_term *to = tp_chk_universal_speaks_of_all(e, tt, all.at[i]) ? others : &plain;
    *to = tp_mk_and(tt, *to, all.at[i]);
  }
  tp_vec_clear(&all);
  return plain;
}

// --------------------------------------------------------------------- instances

/* A sum modulo 2^width. */
typedef struct {
  uint32_t n, width;
  struct {
    tp_term base;
    uint64_t factor;
  } at[TP_CERTIFY_INDEX_MONOMIALS];
  uint64_t constant;
} sum;

static bool sum_of(const tp_terms *tt, tp_term t, sum *out) {
  struct {
    tp_term t;
    uint64_t factor;
  } todo[TP_CERTIFY_INDEX_MONOMIALS + 1];
  uint32_t n = 0;
  uint64_t c;
  *out = (sum){.width = tp_width(tt, t)};
  if (out->width > 64) return false;
  todo[n].t = t, todo[n++].factor = 1;
  while (n) {
    t = todo[--n].t;
    const uint64_t factor = todo[n].factor;
    const tp_term_kind k = tp_kind(tt, t);
    if (tp_bv_value_u64(tt, t, &c)) {
      out->constant += factor * c;
    } else if (k == TP_OP_BV_ADD) {
      if (n + 2 > TP_CERTIFY_INDEX_MONOMIALS) return false;
      todo[n].t = tp_arg(tt, t, 1), todo[n++].factor = factor;
      todo[n].t = tp_arg(tt, t, 0), todo[n++].factor = factor;
    } else if (k == TP_OP_BV_NEG) {
      todo[n].t = tp_arg(tt, t, 0), todo[n++].factor = 0 - factor;
    } else if (k == TP_OP_BV_MUL && tp_bv_value_u64(tt, tp_arg(tt, t, 1), &c)) {
      todo[n].t = tp_arg(tt, t, 0), todo[n++].factor = factor * c;
    } else if (out->n == TP_CERTIFY_INDEX_MONOMIALS) {
      return false;
    } else {
      out->at[out->n].base = t, out->at[out->n++].factor = factor;
    }
  }
  return true;
}

static tp_term term_of_monomial(tp_terms *tt, uint32_t width, tp_term base, uint64_t factor) {
  return tp_mk2(tt, TP_OP_BV_MUL, base, tp_mk_bv(tt, width, factor));
}

/* factor, read as a signed number, divided by d; false: it is no multiple. */
static bool divide(uint64_t factor, uint32_t width, uint64_t d, uint64_t *out) {
  const int64_t value = (int64_t)(factor << (64 - width)) >> (64 - width);
  if (d == 0 || d > INT64_MAX || value % (int64_t)d != 0) return false;
  *out = (uint64_t)(value / (int64_t)d);
  return true;
}

/* What a pattern's offset says of one index. */
typedef struct {
  tp_term symbol;
  uint64_t factor;  // positive
  // what is extended may be the symbol times `times`, plus `plus`
  uint64_t times, plus;
} position;

/* Takes the multiples of the factor out of the offset; their sum, divided by it. */
static tp_term take(tp_terms *tt, sum *offset, uint64_t factor, bool is_last) {
  tp_term index = tp_mk_bv(tt, offset->width, 0), rest = index;
  uint64_t q;
  sum left = {.width = offset->width};
  for (uint32_t i = 0; i < offset->n; i++) {
    if (divide(offset->at[i].factor, offset->width, factor, &q)) {
      index = tp_mk2(tt, TP_OP_BV_ADD, index,
                     term_of_monomial(tt, offset->width, offset->at[i].base, q));
    } else {
      left.at[left.n++] = offset->at[i];
      rest = tp_mk2(tt, TP_OP_BV_ADD, rest,
                    term_of_monomial(tt, offset->width, offset->at[i].base, offset->at[i].factor));
    }
  }
  if (divide(offset->constant, offset->width, factor, &q)) {
    index = tp_mk2(tt, TP_OP_BV_ADD, index, tp_mk_bv(tt, offset->width, q));
  } else {
    const uint64_t k = offset->constant;
    index = tp_mk2(tt, TP_OP_BV_ADD, index, tp_mk_bv(tt, offset->width, k / factor));
    left.constant = k % factor;
    rest = tp_mk2(tt, TP_OP_BV_ADD, rest, tp_mk_bv(tt, offset->width, left.constant));
  }
  // a pointer that was moved in steps: no term shows that its offset is a multiple
  if (is_last && left.n)
    index = tp_mk2(tt, TP_OP_BV_ADD, index,
                   tp_mk2(tt, TP_OP_BV_UDIV, rest, tp_mk_bv(tt, offset->width, factor)));
  *offset = left;
  return index;
}

static bool add_position(const tp_chk_cert *e, const tp_terms *tt, tp_term base, uint64_t factor,
                         position *positions, uint32_t *n) {
  const tp_term_kind k = tp_kind(tt, base);
  const bool is_extended = k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT;
  uint32_t i = *n;
  sum inner;
  if (!sum_of(tt, is_extended ? tp_arg(tt, base, 0) : base, &inner) || inner.n != 1 ||
      !tp_chk_universal_is_index(e, inner.at[0].base) || *n == 4 || factor == 0 ||
      factor > INT64_MAX)
    return false;
  for (; i > 0 && positions[i - 1].factor < factor; i--) positions[i] = positions[i - 1];
  positions[i] = (position){inner.at[0].base, factor, inner.at[0].factor, inner.constant};
  ++*n;
  return true;
}

/* The pattern's offset as positions and a rest without index symbols. */
static bool positions_of(const tp_chk_cert *e, tp_terms *tt, tp_term offset, position *positions,
                         uint32_t *n, tp_term *rest) {
  sum s;
  *n = 0;
  *rest = tp_mk_bv(tt, tp_width(tt, offset), 0);
  if (!sum_of(tt, offset, &s)) return false;
  for (uint32_t i = 0; i < s.n; i++) {
    if (add_position(e, tt, s.at[i].base, s.at[i].factor, positions, n)) continue;
    if (tp_chk_universal_speaks_of_all(e, tt, s.at[i].base)) return false;
    *rest = tp_mk2(tt, TP_OP_BV_ADD, *rest,
                   term_of_monomial(tt, s.width, s.at[i].base, s.at[i].factor));
  }
  *rest = tp_mk2(tt, TP_OP_BV_ADD, *rest, tp_mk_bv(tt, s.width, s.constant));
  return *n > 0;
}

/* The constant, read as a signed number, divided by d. */
static uint64_t rounded_down(uint64_t constant, uint32_t width, uint64_t d) {
  const int64_t value = (int64_t)(constant << (64 - width)) >> (64 - width),
                rest = value % (int64_t)d;
  return (uint64_t)(value / (int64_t)d - (rest < 0));
}

/* The index as a value of its symbol: without the extension. Where only a constant is no multiple,
 * it is rounded: any index will do. */
static tp_term narrowed(tp_terms *tt, tp_term value, const position *at) {
  const uint32_t width = tp_width(tt, at->symbol);
  const tp_term_kind k = tp_kind(tt, value);
  if ((k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT) && tp_width(tt, tp_arg(tt, value, 0)) == width)
    value = tp_arg(tt, value, 0);
  value = tp_mk_sub(tt, tp_mk_trunc(tt, width, value), tp_mk_bv(tt, width, at->plus));
  sum s;
  if (at->times == 1 || !sum_of(tt, value, &s)) return value;
  tp_term index = tp_mk_bv(tt, width, 0);
  bool is_exact = at->times > 0 && at->times <= INT64_MAX;
  for (uint32_t i = 0; i < s.n && is_exact; i++) {
    uint64_t factor;
    is_exact = divide(s.at[i].factor, width, at->times, &factor);
    if (is_exact)
      index = tp_mk2(tt, TP_OP_BV_ADD, index, term_of_monomial(tt, width, s.at[i].base, factor));
  }
  if (!is_exact) return tp_mk2(tt, TP_OP_BV_UDIV, value, tp_mk_bv(tt, width, at->times));
  return tp_mk2(tt, TP_OP_BV_ADD, index,
                tp_mk_bv(tt, width, rounded_down(s.constant, width, at->times)));
}

/* The body at the indices for which the pattern, one of its cells, is at the read's address. */
static void instantiate(const tp_chk_cert *e, tp_terms *tt, tp_term body, tp_term pattern,
                        tp_term read, tp_term_list *out) {
  position positions[4];
  uint32_t n;
  tp_term rest;
  sum offset;
  const tp_term there = tp_arg(tt, pattern, 1), here = tp_arg(tt, read, 1);
  const tp_term its = tp_mk1(tt, TP_OP_PTR_OBJ, there), mine = tp_mk1(tt, TP_OP_PTR_OBJ, here);
  if (tp_is_false(tt, tp_mk_eq(tt, its, mine))) return;
  if (!positions_of(e, tt, tp_mk1(tt, TP_OP_PTR_OFF, there), positions, &n, &rest) ||
      !sum_of(tt, tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, here), rest), &offset))
    return;
  tp_map images = {0};
  for (uint32_t i = 0; i < n; i++)
    tp_map_set(&images, positions[i].symbol.id,
               narrowed(tt, take(tt, &offset, positions[i].factor, i + 1 == n), &positions[i]).id);
  const tp_term instance = tp_replace_all(tt, body, &images);
  tp_map_clear(&images);
  if (!tp_is_true(tt, instance)) tp_vec_push(out, instance);
}

typedef struct {
  const tp_chk_cert *e;
  tp_term array;
} pattern_test;

static bool is_pattern(void *ctx, const tp_terms *tt, tp_term t) {
  const pattern_test *x = ctx;
  return tp_kind(tt, t) == TP_OP_SELECT && tp_term_eq(tp_arg(tt, t, 0), x->array) &&
         tp_chk_universal_speaks_of_all(x->e, tt, tp_arg(tt, t, 1));
}

static void instantiate_at(const tp_chk_cert *e, tp_terms *tt, tp_term body, tp_term read,
                           tp_term_list *out) {
  pattern_test test = {e, tp_arg(tt, read, 0)};
  tp_term_list patterns = {0};
  tp_collect_terms(tt, body, is_pattern, &test, &patterns);
  for (size_t k = 0; k < patterns.n; k++) instantiate(e, tt, body, patterns.at[k], read, out);
  tp_vec_clear(&patterns);
}

void tp_chk_universal_instances(const tp_chk_universals *u, const tp_chk_cert *e,
                                const tp_program *p, tp_term read, tp_term_list *out) {
  tp_sort sort;
  TP_REQUIRE(tp_kind(p->terms, read) == TP_OP_SELECT);
  if (!tp_is_memory(p, tp_arg(p->terms, read, 0), &sort)) return;
  for (size_t i = 0; i < u->bodies.n; i++) instantiate_at(e, p->terms, u->bodies.at[i], read, out);
}

void tp_chk_universal_rest(const tp_chk_cert *e, const tp_program *p, const tp_term_list *reads,
                           size_t n_reads, size_t most, tp_term_list *instances) {
  const size_t n = instances->n;
  tp_sort sort;
  for (size_t i = 0; i < n && instances->n < most; i++) {
    if (!tp_chk_universal_speaks_of_all(e, p->terms, instances->at[i])) continue;
    for (size_t r = 0; r < n_reads && instances->n < most; r++)
      if (tp_is_memory(p, tp_arg(p->terms, reads->at[r], 0), &sort))
        instantiate_at(e, p->terms, instances->at[i], reads->at[r], instances);
  }
}

static uint64_t low_bits(uint64_t value, uint32_t width) {
  return value << (64 - width) >> (64 - width);
}

/* factor * extended(index + plus) + rest = 0: the index is -rest / factor - plus. */
bool tp_chk_universal_index_where(tp_terms *tt, tp_term equation, tp_term index, tp_term *out) {
  const tp_term a = tp_arg(tt, equation, 0), b = tp_arg(tt, equation, 1);
  sum s, inner;
  uint32_t at = TP_CERTIFY_INDEX_MONOMIALS;
  uint64_t plus = 0, q;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, a)) != TP_SORT_BV || !sum_of(tt, tp_mk_sub(tt, a, b), &s))
    return false;
  for (uint32_t i = 0; i < s.n; i++) {
    const tp_term base = s.at[i].base;
    const tp_term_kind k = tp_kind(tt, base);
    if (!tp_occurs(tt, index, base)) continue;
    if (at < s.n ||
        !sum_of(tt, k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT ? tp_arg(tt, base, 0) : base,
                &inner) ||
        inner.n != 1 || !tp_term_eq(inner.at[0].base, index) || inner.at[0].factor != 1)
      return false;
    at = i, plus = inner.constant;
  }
  if (at == TP_CERTIFY_INDEX_MONOMIALS) return false;
  uint64_t factor = s.at[at].factor;
  const bool is_negative = factor >> (s.width - 1) & 1;
  if (is_negative) factor = low_bits(0 - factor, s.width);
  tp_term value = tp_mk_bv(tt, s.width, 0);
  for (uint32_t i = 0; i <= s.n; i++) {
    if (i == at) continue;
    if (!divide(i < s.n ? s.at[i].factor : s.constant, s.width, factor, &q)) return false;
    q = low_bits(is_negative ? q : 0 - q, s.width);
    value =
        tp_mk2(tt, TP_OP_BV_ADD, value,
               i < s.n ? term_of_monomial(tt, s.width, s.at[i].base, q) : tp_mk_bv(tt, s.width, q));
  }
  const position found = {.symbol = index, .factor = factor, .times = 1, .plus = plus};
  *out = narrowed(tt, value, &found);
  return true;
}

void tp_chk_universals_clear(tp_chk_universals *u) { tp_vec_clear(&u->bodies); }
