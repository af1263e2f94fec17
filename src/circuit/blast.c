/* From terms to circuits, arguments first, without recursion.
 *
 * Each scalar term has its literals in a pool; an array term is only marked, when all scalars in it
 * have theirs (blast_arrays.c).
 *
 * Definitions. A fact x = t, or a sum that can be solved for x, gives x the literals of t, if no
 * circuit has used x yet and t does not contain it. That saves inputs and the equation, and lets
 * gates of several steps of a program fold: on counting loops it decides between milliseconds and
 * seconds. A definition is true in its level only. What was translated since that level began may
 * rest on it, and is forgotten with it. */
#include "circuit/blast_priv.h"
#include "term/rewrite.h"

typedef enum {
  NOT_VISITED,
  IN_FRAGMENT,
  HAS_FLOATS,
  HAS_INTEGERS,
  HAS_QUANTIFIERS,
  HAS_POINTERS,
  HAS_NESTED_ARRAYS
} fragment;
static const char *const reasons[] = {NULL,
                                      NULL,
                                      "bits: no floats",
                                      "bits: no mathematical integers",
                                      "bits: no quantifiers",
                                      "bits: no pointers that are not lowered",
                                      "bits: no arrays of arrays"};

tp_blast *tp_blast_new(tp_terms *tt, tp_gates *g) {
  tp_blast *b = TP_NEW(tp_blast);
  b->tt = tt;
  b->g = g;
  tp_reads_init(&b->reads, g);
  return b;
}

void tp_blast_free(tp_blast *b) {
  if (!b) return;
  tp_vec_clear(&b->fragment);
  tp_vec_clear(&b->at);
  tp_vec_clear(&b->pool);
  tp_vec_clear(&b->trail);
  tp_vec_clear(&b->levels);
  tp_vec_clear(&b->todo);
  tp_map_clear(&b->inputs);
  tp_vec_clear(&b->fixed);
  tp_blast_clear_arrays(b);
  tp_free(b);
}

tp_reads *tp_blast_reads(tp_blast *b) { return &b->reads; }

// ------------------------------------------------------------------- fragment

static fragment fragment_of_sort(const tp_terms *tt, tp_sort s) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL:
    case TP_SORT_BV: return IN_FRAGMENT;
    case TP_SORT_PTR: return HAS_POINTERS;
    case TP_SORT_FP: return HAS_FLOATS;
    case TP_SORT_INT: return HAS_INTEGERS;
    case TP_SORT_ARRAY: break;
  }
  tp_sort index = tp_sort_index(tt, s), element = tp_sort_element(tt, s);
  if (tp_sort_kind_of(tt, index) == TP_SORT_ARRAY || tp_sort_kind_of(tt, element) == TP_SORT_ARRAY)
    return HAS_NESTED_ARRAYS;
  fragment i = fragment_of_sort(tt, index);
  return i == IN_FRAGMENT ? fragment_of_sort(tt, element) : i;
}

/* Of the node alone. */
static fragment fragment_of_node(const tp_terms *tt, tp_term t) {
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_BOUND || k == TP_OP_FORALL || k == TP_OP_EXISTS) return HAS_QUANTIFIERS;
  return fragment_of_sort(tt, tp_sort_of(tt, t));
}

const char *tp_blast_unsupported(tp_blast *b, tp_term t) {
  if (t.id >= b->fragment.n) tp_vec_resize(&b->fragment, tp_terms_count(b->tt) + 1);
  tp_vec_push(&b->todo, t);
  while (b->todo.n) {
    tp_term top = tp_vec_last(&b->todo);
    fragment f = (fragment)b->fragment.at[top.id];
    size_t n = b->todo.n;
    if (f == NOT_VISITED && (f = fragment_of_node(b->tt, top)) == IN_FRAGMENT)
      for (uint32_t i = 0; i < tp_n_args(b->tt, top); i++) {
        tp_term a = tp_arg(b->tt, top, i);
        fragment of_arg = (fragment)b->fragment.at[a.id];
        if (of_arg == NOT_VISITED) tp_vec_push(&b->todo, a);
        if (of_arg > IN_FRAGMENT) f = of_arg;
      }
    if (b->todo.n > n) continue;
    b->fragment.at[top.id] = (uint8_t)f;
    (void)tp_vec_pop(&b->todo);
  }
  return reasons[b->fragment.at[t.id]];
}

// -------------------------------------------------------------------- circuits

static void put(tp_blast *b, tp_term t, const tp_lit *word) {
  if (t.id >= b->at.n) tp_vec_resize(&b->at, tp_terms_count(b->tt) + 1);
  b->at.at[t.id] = (uint32_t)b->pool.n + 1;
  for (uint32_t i = 0; i < tp_width(b->tt, t); i++) tp_vec_push(&b->pool, word[i]);
  tp_vec_push(&b->trail, t);
}

static void mark_array(tp_blast *b, tp_term t) {
  if (t.id >= b->at.n) tp_vec_resize(&b->at, tp_terms_count(b->tt) + 1);
  b->at.at[t.id] = 1;
  tp_vec_push(&b->trail, t);
  tp_blast_mark_array(b, t);
}

static void inputs_of(tp_blast *b, tp_term var, tp_lit *out) {
  uint32_t n = tp_width(b->tt, var);
  uint64_t at;
  if (!tp_map_get(&b->inputs, var.id, &at)) {
    at = b->fixed.n;
    tp_word_input(b->g, out, n);
    for (uint32_t i = 0; i < n; i++) tp_vec_push(&b->fixed, out[i]);
    tp_map_set(&b->inputs, var.id, at);
  }
  memcpy(out, b->fixed.at + at, n * sizeof *out);
}

// ---------------------------------------------------------------------- nodes

static void blast_arithmetic(tp_gates *g, tp_term_kind k, tp_lit *out, const tp_lit *x,
                             const tp_lit *y, uint32_t n) {
  switch ((int)k) {  // the binary operations on words of one width
    case TP_OP_BV_ADD: tp_word_add(g, out, x, y, TP_LIT_FALSE, n); break;
    case TP_OP_BV_MUL: tp_word_mul(g, out, x, y, n); break;
    case TP_OP_BV_UDIV: tp_word_udivrem(g, out, NULL, x, y, n); break;
    case TP_OP_BV_UREM: tp_word_udivrem(g, NULL, out, x, y, n); break;
    case TP_OP_BV_SDIV: tp_word_sdivrem(g, out, NULL, x, y, n); break;
    case TP_OP_BV_SREM: tp_word_sdivrem(g, NULL, out, x, y, n); break;
    case TP_OP_BV_SHL: tp_word_shl(g, out, x, y, n); break;
    case TP_OP_BV_LSHR: tp_word_shr(g, out, x, y, TP_LIT_FALSE, n); break;
    case TP_OP_BV_ASHR: tp_word_shr(g, out, x, y, x[n - 1], n); break;
    default: break;
  }
}

/* A scalar node whose arguments have circuits. */
static bool blast_node(tp_blast *b, tp_term t, tp_lit *out) {
  tp_terms *tt = b->tt;
  tp_gates *g = b->g;
  tp_term_kind k = tp_kind(tt, t);
  uint32_t n = tp_width(tt, t), n_args = tp_n_args(tt, t);
  tp_term arg[3] = {TP_TERM_NONE, TP_TERM_NONE, TP_TERM_NONE};
  const tp_lit *x = NULL, *y = NULL, *z = NULL;
  for (uint32_t i = 0; i < n_args; i++) arg[i] = tp_arg(tt, t, i);
  if (n_args > 0 && !tp_blast_is_array(b, arg[0])) x = tp_blast_circuit(b, arg[0]);
  if (n_args > 1 && !tp_blast_is_array(b, arg[1])) y = tp_blast_circuit(b, arg[1]);
  if (n_args > 2) z = tp_blast_circuit(b, arg[2]);
  uint32_t m = n_args ? tp_width(tt, arg[0]) : 0;
  switch ((int)k) {  // what is not listed is outside the fragment
    case TP_OP_TRUE:
    case TP_OP_FALSE: out[0] = tp_lit_of(k == TP_OP_TRUE); break;
    case TP_OP_BV_CONST: tp_word_const(out, n, tp_bv_value(tt, t)); break;
    case TP_OP_VAR: inputs_of(b, t, out); break;
    case TP_OP_NOT:
    case TP_OP_BV_NOT: tp_word_not(out, x, n); break;
    case TP_OP_AND:
    case TP_OP_BV_AND:
      for (uint32_t i = 0; i < n; i++) out[i] = tp_gate_and(g, x[i], y[i]);
      break;
    case TP_OP_OR:
    case TP_OP_BV_OR:
      for (uint32_t i = 0; i < n; i++) out[i] = tp_gate_or(g, x[i], y[i]);
      break;
    case TP_OP_XOR:
    case TP_OP_BV_XOR:
      for (uint32_t i = 0; i < n; i++) out[i] = tp_gate_xor(g, x[i], y[i]);
      break;
    case TP_OP_EQ:
      out[0] = x ? tp_word_eq(g, x, y, m) : tp_blast_equal_arrays(b, arg[0], arg[1]);
      break;
    case TP_OP_ITE: tp_word_ite(g, out, x[0], y, z, n); break;
    case TP_OP_BV_NEG: tp_word_neg(g, out, x, n); break;
    case TP_OP_BV_ULT: out[0] = tp_word_ult(g, x, y, m); break;
    case TP_OP_BV_ULE: out[0] = tp_lit_not(tp_word_ult(g, y, x, m)); break;
    case TP_OP_BV_SLT: out[0] = tp_word_slt(g, x, y, m); break;
    case TP_OP_BV_SLE: out[0] = tp_lit_not(tp_word_slt(g, y, x, m)); break;
    case TP_OP_BV_CONCAT:
      memcpy(out, y, (n - m) * sizeof *out);
      memcpy(out + (n - m), x, m * sizeof *out);
      break;
    case TP_OP_BV_EXTRACT: memcpy(out, x + tp_extract_lo(tt, t), n * sizeof *out); break;
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT:
      for (uint32_t i = 0; i < n; i++)
        out[i] = i < m ? x[i] : k == TP_OP_BV_SEXT ? x[m - 1] : TP_LIT_FALSE;
      break;
    case TP_OP_SELECT: return tp_blast_read(b, arg[0], arg[1], out);
    default: blast_arithmetic(g, k, out, x, y, n); break;
  }
  return true;
}

/* Give t and what it consists of their circuits. */
static bool blast(tp_blast *b, tp_term t) {
  tp_lit word[TP_WORD_MAX];
  b->todo.n = 0;
  tp_vec_push(&b->todo, t);
  while (b->todo.n) {
    if (tp_blast_is_too_large(b)) return false;
    tp_term top = tp_vec_last(&b->todo);
    bool ready = true;
    if (!tp_blast_has(b, top))
      for (uint32_t i = tp_n_args(b->tt, top); i-- > 0;)
        if (!tp_blast_has(b, tp_arg(b->tt, top, i))) {
          tp_vec_push(&b->todo, tp_arg(b->tt, top, i));
          ready = false;
        }
    if (!ready) continue;
    (void)tp_vec_pop(&b->todo);
    if (tp_blast_has(b, top)) continue;
    if (tp_blast_is_array(b, top)) {
      mark_array(b, top);
    } else {
      if (!blast_node(b, top, word)) return false;
      put(b, top, word);
    }
  }
  return true;
}

bool tp_blast_term(tp_blast *b, tp_term t, tp_lit *out) {
  TP_REQUIRE(!tp_blast_is_array(b, t) && tp_width(b->tt, t) <= TP_WORD_MAX);
  if (!blast(b, t)) return false;
  memcpy(out, tp_blast_circuit(b, t), tp_width(b->tt, t) * sizeof *out);
  return true;
}

// ---------------------------------------------------------------- definitions

static bool is_free_var(const tp_blast *b, tp_term t) {
  return tp_kind(b->tt, t) == TP_OP_VAR && !tp_blast_has(b, t);
}

/* x is defined by these literals, unless their making has used it. */
static bool define(tp_blast *b, tp_term x, const tp_lit *word) {
  TP_REQUIRE(tp_kind(b->tt, x) == TP_OP_VAR);
  if (tp_blast_has(b, x)) return false;
  put(b, x, word);
  if (b->levels.n) tp_vec_last(&b->levels).defines = true;
  return true;
}

/* match: x = t   result: x is t      of two variables the newer one: steps of a program define
 * later from earlier */
static bool define_equal(tp_blast *b, tp_term x, tp_term t) {
  if (!is_free_var(b, x) || !blast(b, t) || tp_blast_has(b, x)) return false;
  if (tp_blast_is_array(b, x)) {
    mark_array(b, x);
    tp_blast_define_array(b, x, t);
    if (b->levels.n) tp_vec_last(&b->levels).defines = true;
    return true;
  }
  tp_lit word[TP_WORD_MAX];
  memcpy(word, tp_blast_circuit(b, t), tp_width(b->tt, t) * sizeof *word);
  return define(b, x, word);
}

/* match: c1 * t1 + ... +- x + ... = c   result: x is -+ (the rest - c) */
static bool define_summand(tp_blast *b, tp_term left, tp_term right) {
  tp_linear sum;
  uint32_t n = tp_width(b->tt, left), k;
  if (tp_sort_kind_of(b->tt, tp_sort_of(b->tt, left)) != TP_SORT_BV) return false;
  tp_u128 minus_one = n == 128 ? ~(tp_u128)0 : ((tp_u128)1 << n) - 1;
  tp_linear_init(&sum, n);
  if (!tp_linear_add(b->tt, &sum, left, 1) || !tp_linear_add(b->tt, &sum, right, minus_one))
    return false;
  for (k = sum.n; k > 0; k--)  // the newest first
    if (is_free_var(b, sum.m[k - 1].base) &&
        (sum.m[k - 1].coefficient == 1 || sum.m[k - 1].coefficient == minus_one))
      break;
  if (k-- == 0) return false;
  tp_lit rest[TP_WORD_MAX], factor[TP_WORD_MAX], word[TP_WORD_MAX];
  bool minus = sum.m[k].coefficient == 1;
  tp_word_const(rest, n, minus ? ~sum.constant + 1 : sum.constant);
  for (uint32_t i = 0; i < sum.n; i++) {
    if (i == k) continue;
    if (!tp_blast_term(b, sum.m[i].base, word)) return false;
    tp_word_const(factor, n, minus ? ~sum.m[i].coefficient + 1 : sum.m[i].coefficient);
    tp_word_mul(b->g, word, word, factor, n);
    tp_word_add(b->g, rest, rest, word, TP_LIT_FALSE, n);
  }
  return define(b, sum.m[k].base, rest);
}

/* Is the fact taken as a definition? */
static bool take_definition(tp_blast *b, tp_term fact) {
  tp_terms *tt = b->tt;
  tp_term_kind k = tp_kind(tt, fact);
  bool negated = k == TP_OP_NOT;
  tp_term atom = negated ? tp_arg(tt, fact, 0) : fact;
  if (is_free_var(b, atom)) return define(b, atom, (tp_lit[]){tp_lit_of(!negated)});
  if (k != TP_OP_EQ) return false;
  tp_term left = tp_arg(tt, fact, 0), right = tp_arg(tt, fact, 1);
  tp_term newer = left.id > right.id ? left : right, older = left.id > right.id ? right : left;
  return define_equal(b, newer, older) || define_equal(b, older, newer) ||
         define_summand(b, left, right);
}

/* Definitions first: what is translated before they are known uses inputs. */
bool tp_blast_facts(tp_blast *b, const tp_term *facts, size_t n, tp_lits *out) {
  tp_term_list parts = {0}, rest = {0};
  bool ok = true;
  for (size_t i = 0; i < n; i++) tp_conjuncts(b->tt, facts[i], &parts);
  for (size_t i = 0; i < parts.n; i++)
    if (!take_definition(b, parts.at[i])) tp_vec_push(&rest, parts.at[i]);
  for (size_t i = 0; ok && i < rest.n; i++) {
    tp_lit word[1];
    ok = tp_blast_term(b, rest.at[i], word);
    if (ok) tp_vec_push(out, word[0]);
  }
  tp_vec_clear(&parts);
  tp_vec_clear(&rest);
  return ok && !tp_blast_is_too_large(b);
}

// --------------------------------------------------------------------- levels

/* The newest term that is left has its circuit in the pool that is left: circuits come in the order
 * of the trail. */
static bool is_trail_of_circuits(const tp_blast *b) {
  if (b->trail.n == 0) return true;
  const tp_term t = tp_vec_last(&b->trail);
  if (!tp_blast_has(b, t)) return false;
  return tp_blast_is_array(b, t) || b->at.at[t.id] - 1 + tp_width(b->tt, t) <= b->pool.n;
}

void tp_blast_push(tp_blast *b) {
  tp_vec_push(
      &b->levels,
      (tp_blast_level){.trail = b->trail.n, .pool = b->pool.n, .equalities = b->equalities.n});
}

void tp_blast_pop(tp_blast *b) {
  TP_REQUIRE(b->levels.n > 0);
  tp_blast_level l = tp_vec_pop(&b->levels);
  TP_INVARIANT(l.trail <= b->trail.n && l.pool <= b->pool.n && l.equalities <= b->equalities.n);
  if (!l.defines) return;
  while (b->trail.n > l.trail) {
    tp_term t = tp_vec_pop(&b->trail);
    b->at.at[t.id] = 0;
    if (tp_kind(b->tt, t) == TP_OP_VAR && tp_blast_is_array(b, t))
      tp_blast_define_array(b, t, TP_TERM_NONE);
  }
  b->pool.n = l.pool;
  TP_INVARIANT(is_trail_of_circuits(b));
  tp_blast_drop_reads(b, l.equalities);
}
