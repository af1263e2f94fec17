/* From terms to clauses, arguments first, without recursion.
 *
 * Definitions. A fact x = t gives the variable x the word of t, if x has no word yet and got none
 * while t was translated: then t does not contain x, and every model of the other facts with that
 * word for x is one of all facts. Not for floats, whose equality is not that of bits. */
#include "certify/circuits/term_clauses.h"

#include "certify/certify_limits.h"

void tp_chk_term_clauses_init(tp_chk_term_clauses *s, tp_terms *tt, uint64_t most_gates) {
  *s = (tp_chk_term_clauses){.tt = tt};
  tp_chk_circuit_init(&s->circuit, most_gates);
}

void tp_chk_term_clauses_clear(tp_chk_term_clauses *s) {
  tp_chk_circuit_clear(&s->circuit);
  tp_vec_clear(&s->bits);
  tp_map_clear(&s->word_of);
  tp_vec_clear(&s->todo);
  tp_vec_clear(&s->bases);
}

uint32_t tp_chk_sort_bits(const tp_terms *tt, tp_sort s) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: return 1;
    case TP_SORT_BV:
    case TP_SORT_FP: return tp_sort_width(tt, s);
    case TP_SORT_PTR: return TP_OBJ_BITS + tp_terms_ptr_bits(tt);
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return 0;
}

static uint32_t bits_of(const tp_chk_term_clauses *s, tp_term t) {
  return tp_chk_sort_bits(s->tt, tp_sort_of(s->tt, t));
}

static bool has_word(const tp_chk_term_clauses *s, tp_term t) {
  return tp_map_has(&s->word_of, t.id);
}

static const tp_chk_bit *word_of(const tp_chk_term_clauses *s, tp_term t) {
  uint64_t at = 0;
  TP_REQUIRE(has_word(s, t));
  (void)tp_map_get(&s->word_of, t.id, &at);
  return s->bits.at + at;
}

/* word: not in s->bits, which may move. */
static void set_word(tp_chk_term_clauses *s, tp_term t, const tp_chk_bit *word, uint32_t n) {
  TP_REQUIRE(!has_word(s, t));
  tp_map_set(&s->word_of, t.id, s->bits.n);
  for (uint32_t i = 0; i < n; i++) tp_vec_push(&s->bits, word[i]);
}

// ----------------------------------------------------------------------- bases

static uint32_t add_bits(tp_chk_term_clauses *s, const tp_chk_bit *word, uint32_t n) {
  const uint32_t at = (uint32_t)s->bits.n;
  for (uint32_t i = 0; i < n; i++) tp_vec_push(&s->bits, word[i]);
  return at;
}

/* Equal objects have equal bases. */
static void relate(tp_chk_term_clauses *s, const tp_chk_bit *object, const tp_chk_bit *base,
                   const tp_chk_bit *other, const tp_chk_bit *other_base, uint32_t n) {
  const tp_chk_bit same = tp_chk_word_equal(&s->circuit, object, other, TP_OBJ_BITS);
  for (uint32_t i = 0; i < n && same != TP_CHK_FALSE; i++) {
    tp_chk_clause(&s->circuit, (tp_chk_bit[]){-same, base[i], -other_base[i]}, 3);
    tp_chk_clause(&s->circuit, (tp_chk_bit[]){-same, -base[i], other_base[i]}, 3);
  }
}

/* The address of the object's first byte: 0 of object 0, otherwise any number. */
static void base_of(tp_chk_term_clauses *s, const tp_chk_bit *object, tp_chk_bit *out) {
  const uint32_t n = tp_terms_ptr_bits(s->tt);
  tp_chk_bit zero[TP_CHK_WORD_BITS];
  for (size_t i = 0; i < s->bases.n; i++)
    if (memcmp(s->bits.at + s->bases.at[i].object, object, TP_OBJ_BITS * sizeof *object) == 0) {
      memcpy(out, s->bits.at + s->bases.at[i].base, n * sizeof *out);
      return;
    }
  tp_chk_word_input(&s->circuit, out, n);
  tp_chk_word_const(zero, 0, n);
  relate(s, object, out, zero, zero, n);
  for (size_t i = 0; i < s->bases.n && i < TP_CERTIFY_PROOF_BASES; i++)
    relate(s, object, out, s->bits.at + s->bases.at[i].object, s->bits.at + s->bases.at[i].base, n);
  const uint32_t object_at = add_bits(s, object, TP_OBJ_BITS);
  tp_vec_push(&s->bases, (tp_chk_base){object_at, add_bits(s, out, n)});
}

// ---------------------------------------------------------------------- floats

typedef struct {
  uint32_t n, fraction;  // bits; of the fraction
} float_format;

static float_format format_of(uint32_t n) { return (float_format){n, n == 32 ? 23 : 52}; }

static tp_chk_bit is_zero(tp_chk_circuit *c, const tp_chk_bit *a, uint32_t n) {
  tp_chk_bit any = TP_CHK_FALSE;
  for (uint32_t i = 0; i < n; i++) any = tp_chk_or(c, any, a[i]);
  return -any;
}

static tp_chk_bit has_top_exponent(tp_chk_circuit *c, const tp_chk_bit *a, float_format f) {
  tp_chk_bit all = TP_CHK_TRUE;
  for (uint32_t i = f.fraction; i + 1 < f.n; i++) all = tp_chk_and(c, all, a[i]);
  return all;
}

static tp_chk_bit is_nan(tp_chk_circuit *c, const tp_chk_bit *a, float_format f) {
  return tp_chk_and(c, has_top_exponent(c, a, f), -is_zero(c, a, f.fraction));
}

static tp_chk_bit is_infinite(tp_chk_circuit *c, const tp_chk_bit *a, float_format f) {
  return tp_chk_and(c, has_top_exponent(c, a, f), is_zero(c, a, f.fraction));
}

/* Two numbers, no NaN. */
static tp_chk_bit are_ordered(tp_chk_circuit *c, const tp_chk_bit *x, const tp_chk_bit *y,
                              float_format f) {
  return tp_chk_and(c, -is_nan(c, x, f), -is_nan(c, y, f));
}

static tp_chk_bit are_zeros(tp_chk_circuit *c, const tp_chk_bit *x, const tp_chk_bit *y,
                            float_format f) {
  return tp_chk_and(c, is_zero(c, x, f.n - 1), is_zero(c, y, f.n - 1));
}

static tp_chk_bit float_equal(tp_chk_circuit *c, const tp_chk_bit *x, const tp_chk_bit *y,
                              float_format f) {
  return tp_chk_and(c, are_ordered(c, x, y, f),
                    tp_chk_or(c, tp_chk_word_equal(c, x, y, f.n), are_zeros(c, x, y, f)));
}

/* Sign and magnitude: of two negative numbers the one of larger magnitude is less. */
static tp_chk_bit float_less(tp_chk_circuit *c, const tp_chk_bit *x, const tp_chk_bit *y,
                             float_format f) {
  const tp_chk_bit minus_x = x[f.n - 1], minus_y = y[f.n - 1],
                   smaller = tp_chk_word_less(c, x, y, f.n - 1),
                   larger = tp_chk_word_less(c, y, x, f.n - 1),
                   mixed = tp_chk_and(c, minus_x, -are_zeros(c, x, y, f)),
                   less = tp_chk_choice(c, tp_chk_xor(c, minus_x, minus_y), mixed,
                                        tp_chk_choice(c, minus_x, larger, smaller));
  return tp_chk_and(c, are_ordered(c, x, y, f), less);
}

/* Same bits, or both NaN. */
static tp_chk_bit float_identical(tp_chk_circuit *c, const tp_chk_bit *x, const tp_chk_bit *y,
                                  float_format f) {
  return tp_chk_or(c, tp_chk_word_equal(c, x, y, f.n),
                   tp_chk_and(c, is_nan(c, x, f), is_nan(c, y, f)));
}

// ----------------------------------------------------------------------- nodes

typedef struct {
  tp_chk_bit at[3][TP_CHK_WORD_BITS];  // copies: words move while others are made
  uint32_t bits[3];
} arguments;

/* A number of the model's bit-vectors; false: the operation is none of them. */
static bool translate_arithmetic(tp_chk_circuit *c, tp_term_kind k, const arguments *a,
                                 tp_chk_bit *out) {
  const tp_chk_bit *x = a->at[0], *y = a->at[1];
  const uint32_t n = a->bits[0];
  switch ((int)k) {  // the operations on words of one width
    case TP_OP_BV_ADD: tp_chk_word_add(c, out, x, y, TP_CHK_FALSE, n); return true;
    case TP_OP_BV_MUL: tp_chk_word_mul(c, out, x, y, n); return true;
    case TP_OP_BV_NEG: tp_chk_word_neg(c, out, x, n); return true;
    case TP_OP_BV_UDIV: tp_chk_word_divide(c, out, NULL, x, y, n); return true;
    case TP_OP_BV_UREM: tp_chk_word_divide(c, NULL, out, x, y, n); return true;
    case TP_OP_BV_SDIV: tp_chk_word_divide_signed(c, out, NULL, x, y, n); return true;
    case TP_OP_BV_SREM: tp_chk_word_divide_signed(c, NULL, out, x, y, n); return true;
    case TP_OP_BV_SHL:
      tp_chk_word_shift(c, out, x, y, TP_CHK_SHIFT_LEFT, TP_CHK_FALSE, n);
      return true;
    case TP_OP_BV_LSHR:
      tp_chk_word_shift(c, out, x, y, TP_CHK_SHIFT_RIGHT, TP_CHK_FALSE, n);
      return true;
    case TP_OP_BV_ASHR:
      tp_chk_word_shift(c, out, x, y, TP_CHK_SHIFT_RIGHT, x[n - 1], n);
      return true;
    case TP_OP_BV_ULT: out[0] = tp_chk_word_less(c, x, y, n); return true;
    case TP_OP_BV_ULE: out[0] = -tp_chk_word_less(c, y, x, n); return true;
    case TP_OP_BV_SLT: out[0] = tp_chk_word_less_signed(c, x, y, n); return true;
    case TP_OP_BV_SLE: out[0] = -tp_chk_word_less_signed(c, y, x, n); return true;
    default: return false;
  }
}

/* Bit by bit, and parts of words. */
static bool translate_bits(tp_chk_term_clauses *s, tp_term t, const arguments *a, uint32_t n,
                           tp_chk_bit *out) {
  tp_chk_circuit *c = &s->circuit;
  const tp_chk_bit *x = a->at[0], *y = a->at[1];
  const tp_term_kind k = tp_kind(s->tt, t);
  const uint32_t m = a->bits[0];
  switch ((int)k) {
    case TP_OP_NOT:
    case TP_OP_BV_NOT:
      for (uint32_t i = 0; i < n; i++) out[i] = -x[i];
      return true;
    case TP_OP_AND:
    case TP_OP_BV_AND:
      for (uint32_t i = 0; i < n; i++) out[i] = tp_chk_and(c, x[i], y[i]);
      return true;
    case TP_OP_OR:
    case TP_OP_BV_OR:
      for (uint32_t i = 0; i < n; i++) out[i] = tp_chk_or(c, x[i], y[i]);
      return true;
    case TP_OP_XOR:
    case TP_OP_BV_XOR:
      for (uint32_t i = 0; i < n; i++) out[i] = tp_chk_xor(c, x[i], y[i]);
      return true;
    case TP_OP_ITE: tp_chk_word_choice(c, out, x[0], y, a->at[2], n); return true;
    case TP_OP_BV_CONCAT:
      memcpy(out, y, a->bits[1] * sizeof *out);
      memcpy(out + a->bits[1], x, m * sizeof *out);
      return true;
    case TP_OP_BV_EXTRACT: memcpy(out, x + tp_extract_lo(s->tt, t), n * sizeof *out); return true;
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT:
      for (uint32_t i = 0; i < n; i++)
        out[i] = i < m ? x[i] : k == TP_OP_BV_SEXT ? x[m - 1] : TP_CHK_FALSE;
      return true;
    default: return false;
  }
}

static bool translate_pointer(tp_chk_term_clauses *s, tp_term t, const arguments *a,
                              tp_chk_bit *out) {
  tp_chk_circuit *c = &s->circuit;
  const tp_chk_bit *x = a->at[0], *y = a->at[1];
  const uint32_t offset = tp_terms_ptr_bits(s->tt);
  tp_chk_bit base[TP_CHK_WORD_BITS];
  switch ((int)tp_kind(s->tt, t)) {
    case TP_OP_PTR_MK:
      memcpy(out, y, offset * sizeof *out);
      memcpy(out + offset, x, TP_OBJ_BITS * sizeof *out);
      return true;
    case TP_OP_PTR_OBJ: memcpy(out, x + offset, TP_OBJ_BITS * sizeof *out); return true;
    case TP_OP_PTR_OFF: memcpy(out, x, offset * sizeof *out); return true;
    case TP_OP_PTR_ADD:
      if (a->bits[1] != offset) return false;
      tp_chk_word_add(c, out, x, y, TP_CHK_FALSE, offset);
      memcpy(out + offset, x + offset, TP_OBJ_BITS * sizeof *out);
      return true;
    case TP_OP_PTR_TO_INT:
      base_of(s, x + offset, base);
      tp_chk_word_add(c, out, base, x, TP_CHK_FALSE, offset);
      return true;
    default: return false;
  }
}

static bool translate_float(tp_chk_circuit *c, tp_term_kind k, const arguments *a,
                            tp_chk_bit *out) {
  const tp_chk_bit *x = a->at[0], *y = a->at[1];
  const uint32_t n = a->bits[0];
  const float_format f = format_of(n);
  switch ((int)k) {  // the others are arithmetic
    case TP_OP_FP_OF_BITS:
    case TP_OP_FP_TO_BITS: memcpy(out, x, n * sizeof *out); return true;
    case TP_OP_FP_NEG:
    case TP_OP_FP_ABS:
      memcpy(out, x, n * sizeof *out);
      out[n - 1] = k == TP_OP_FP_NEG ? -x[n - 1] : TP_CHK_FALSE;
      return true;
    case TP_OP_FP_EQ: out[0] = float_equal(c, x, y, f); return true;
    case TP_OP_FP_LT: out[0] = float_less(c, x, y, f); return true;
    case TP_OP_FP_LE:
      out[0] = tp_chk_or(c, float_less(c, x, y, f), float_equal(c, x, y, f));
      return true;
    case TP_OP_FP_IS_NAN: out[0] = is_nan(c, x, f); return true;
    case TP_OP_FP_IS_INF: out[0] = is_infinite(c, x, f); return true;
    default: return false;
  }
}

static void translate_constant(const tp_terms *tt, tp_term t, tp_chk_bit *out, uint32_t n) {
  tp_u128 value = 0;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL)
    value = tp_is_true(tt, t);
  else if (tp_kind(tt, t) == TP_OP_PTR_CONST)
    value =
        (tp_u128)tp_ptr_const_object(tt, t) << tp_terms_ptr_bits(tt) | tp_ptr_const_offset(tt, t);
  else
    value = tp_bv_value(tt, t);
  tp_chk_word_const(out, value, n);
}

static bool translate_equation(tp_chk_circuit *c, tp_sort_kind sort, const arguments *a,
                               tp_chk_bit *out) {
  out[0] = sort == TP_SORT_FP ? float_identical(c, a->at[0], a->at[1], format_of(a->bits[0]))
                              : tp_chk_word_equal(c, a->at[0], a->at[1], a->bits[0]);
  return true;
}

/* The word of a node whose arguments have theirs. False: it is an input. */
static bool translate_node(tp_chk_term_clauses *s, tp_term t, tp_chk_bit *out) {
  const tp_term_kind k = tp_kind(s->tt, t);
  const uint32_t n = bits_of(s, t), n_args = tp_n_args(s->tt, t);
  arguments a;
  if (n_args == 0) {
    if (k == TP_OP_VAR || k == TP_OP_BOUND) return false;
    translate_constant(s->tt, t, out, n);
    return true;
  }
  for (uint32_t i = 0; i < n_args; i++) {
    const tp_term arg = tp_arg(s->tt, t, i);
    a.bits[i] = bits_of(s, arg);
    memcpy(a.at[i], word_of(s, arg), a.bits[i] * sizeof *a.at[i]);
  }
  if (k == TP_OP_EQ)
    return translate_equation(
        &s->circuit, tp_sort_kind_of(s->tt, tp_sort_of(s->tt, tp_arg(s->tt, t, 0))), &a, out);
  return translate_arithmetic(&s->circuit, k, &a, out) || translate_bits(s, t, &a, n, out) ||
         translate_pointer(s, t, &a, out) || translate_float(&s->circuit, k, &a, out);
}

/* Terms that are inputs whatever their arguments are. */
static bool is_opaque(const tp_chk_term_clauses *s, tp_term t) {
  const tp_term_kind k = tp_kind(s->tt, t);
  if (k == TP_OP_FORALL || k == TP_OP_EXISTS || k == TP_OP_INT_TO_PTR || k == TP_OP_SELECT)
    return true;
  for (uint32_t i = 0; i < tp_n_args(s->tt, t); i++)
    if (bits_of(s, tp_arg(s->tt, t, i)) == 0) return true;
  return false;
}

static void translate(tp_chk_term_clauses *s, tp_term t) {
  tp_chk_bit word[TP_CHK_WORD_BITS];
  const size_t floor = s->todo.n;
  tp_vec_push(&s->todo, t);
  while (s->todo.n > floor) {
    const tp_term top = tp_vec_last(&s->todo);
    const bool opaque = is_opaque(s, top);
    bool is_ready = true;
    for (uint32_t i = opaque || has_word(s, top) ? 0 : tp_n_args(s->tt, top); i-- > 0;)
      if (!has_word(s, tp_arg(s->tt, top, i))) {
        tp_vec_push(&s->todo, tp_arg(s->tt, top, i));
        is_ready = false;
      }
    if (!is_ready) continue;
    (void)tp_vec_pop(&s->todo);
    if (has_word(s, top)) continue;
    const uint32_t n = bits_of(s, top);
    TP_INVARIANT(n > 0 && n <= TP_CHK_WORD_BITS);  // terms of other sorts are below opaque ones
    if (opaque || !translate_node(s, top, word)) {
      s->n_opaque += tp_kind(s->tt, top) != TP_OP_VAR;
      tp_chk_word_input(&s->circuit, word, n);
    }
    set_word(s, top, word, n);
  }
}

void tp_chk_term_word(tp_chk_term_clauses *s, tp_term t, tp_chk_bit *out) {
  TP_REQUIRE(bits_of(s, t) > 0);
  translate(s, t);
  memcpy(out, word_of(s, t), bits_of(s, t) * sizeof *out);
}

// ----------------------------------------------------------------------- facts

static bool is_free_var(const tp_chk_term_clauses *s, tp_term t) {
  return tp_kind(s->tt, t) == TP_OP_VAR && !has_word(s, t);
}

static bool define(tp_chk_term_clauses *s, tp_term x, tp_term t) {
  tp_chk_bit word[TP_CHK_WORD_BITS];
  const tp_sort_kind sort = tp_sort_kind_of(s->tt, tp_sort_of(s->tt, x));
  if (sort == TP_SORT_FP || bits_of(s, x) == 0 || !is_free_var(s, x)) return false;
  tp_chk_term_word(s, t, word);
  if (has_word(s, x)) return false;
  set_word(s, x, word, bits_of(s, x));
  return true;
}

/* Of two variables the newer one is defined: steps of a program define later from earlier. */
static bool is_definition(tp_chk_term_clauses *s, tp_term fact) {
  const bool is_negated = tp_kind(s->tt, fact) == TP_OP_NOT;
  const tp_term atom = is_negated ? tp_arg(s->tt, fact, 0) : fact;
  if (is_free_var(s, atom)) {
    set_word(s, atom, (tp_chk_bit[]){is_negated ? TP_CHK_FALSE : TP_CHK_TRUE}, 1);
    return true;
  }
  if (tp_kind(s->tt, fact) != TP_OP_EQ) return false;
  const tp_term left = tp_arg(s->tt, fact, 0), right = tp_arg(s->tt, fact, 1);
  const tp_term newer = left.id > right.id ? left : right,
                older = left.id > right.id ? right : left;
  return define(s, newer, older) || define(s, older, newer);
}

/* One clause for a disjunction. */
static void assert_disjunction(tp_chk_term_clauses *s, tp_term fact) {
  tp_term_list parts = {0};
  TP_VEC(tp_chk_bit) clause = {0};
  tp_vec_push(&parts, fact);
  while (parts.n) {
    const tp_term t = tp_vec_pop(&parts);
    tp_chk_bit bit[1];
    if (tp_kind(s->tt, t) == TP_OP_OR) {
      tp_vec_push(&parts, tp_arg(s->tt, t, 1));
      tp_vec_push(&parts, tp_arg(s->tt, t, 0));
      continue;
    }
    tp_chk_term_word(s, t, bit);
    tp_vec_push(&clause, bit[0]);
  }
  tp_chk_clause(&s->circuit, clause.at, clause.n);
  tp_vec_clear(&clause);
  tp_vec_clear(&parts);
}

void tp_chk_term_clauses_assert(tp_chk_term_clauses *s, const tp_term *facts, size_t n) {
  tp_term_list parts = {0}, rest = {0};
  for (size_t i = 0; i < n; i++) tp_conjuncts(s->tt, facts[i], &parts);
  for (size_t i = 0; i < parts.n; i++)
    if (!is_definition(s, parts.at[i])) tp_vec_push(&rest, parts.at[i]);
  for (size_t i = 0; i < rest.n && !s->circuit.is_full; i++) assert_disjunction(s, rest.at[i]);
  tp_vec_clear(&parts);
  tp_vec_clear(&rest);
}
