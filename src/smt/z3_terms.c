/* From lowered terms to Z3's expressions, arguments first, memoised by term id; and Z3's values
 * back.
 *
 * Constants of Z3 are named by the number of their term, so reading back needs no table of names.
 */
#include "smt/z3_terms.h"

#include "smt/lower.h"

void tp_z3_terms_init(tp_z3_terms *e, tp_terms *tt, Z3_context z, const bool *failed) {
  *e = (tp_z3_terms){.tt = tt, .z = z, .failed = failed};
}

void tp_z3_terms_clear(tp_z3_terms *e) {
  tp_vec_clear(&e->of);
  tp_vec_clear(&e->todo);
}

static Z3_ast get(const tp_z3_terms *e, tp_term t) {
  return t.id < e->of.n ? e->of.at[t.id] : NULL;
}

static void put(tp_z3_terms *e, tp_term t, Z3_ast a) {
  if (t.id >= e->of.n) tp_vec_resize(&e->of, tp_terms_count(e->tt) + 1);
  e->of.at[t.id] = a;
}

Z3_sort tp_z3_sort(tp_z3_terms *e, tp_sort s) {
  switch (tp_sort_kind_of(e->tt, s)) {
    case TP_SORT_BOOL: return Z3_mk_bool_sort(e->z);
    case TP_SORT_BV: return Z3_mk_bv_sort(e->z, tp_sort_width(e->tt, s));
    case TP_SORT_FP:
      return tp_sort_width(e->tt, s) == 32 ? Z3_mk_fpa_sort_32(e->z) : Z3_mk_fpa_sort_64(e->z);
    case TP_SORT_ARRAY:
      return Z3_mk_array_sort(e->z, tp_z3_sort(e, tp_sort_index(e->tt, s)),
                              tp_z3_sort(e, tp_sort_element(e->tt, s)));
    case TP_SORT_INT: return Z3_mk_int_sort(e->z);
    case TP_SORT_PTR: break;  // lowered away
  }
  return NULL;
}

static Z3_ast bits(tp_z3_terms *e, uint32_t width, tp_u128 v) {
  if (width <= 64) return Z3_mk_unsigned_int64(e->z, (uint64_t)v, Z3_mk_bv_sort(e->z, width));
  Z3_ast high = Z3_mk_unsigned_int64(e->z, (uint64_t)(v >> 64), Z3_mk_bv_sort(e->z, width - 64));
  Z3_ast low = Z3_mk_unsigned_int64(e->z, (uint64_t)v, Z3_mk_bv_sort(e->z, 64));
  return high && low ? Z3_simplify(e->z, Z3_mk_concat(e->z, high, low)) : NULL;
}

/* A free constant whose name is unique for this term; the digits keep its number, not the user's
 * name. */
static Z3_ast constant(tp_z3_terms *e, tp_term t) {
  Z3_sort s = tp_z3_sort(e, tp_sort_of(e->tt, t));
  return s ? Z3_mk_const(e->z, Z3_mk_int_symbol(e->z, (int)t.id), s) : NULL;
}

static Z3_ast rounding(tp_z3_terms *e, tp_round mode) {
  switch (mode) {
    case TP_ROUND_NEAREST_EVEN: return Z3_mk_fpa_rne(e->z);
    case TP_ROUND_TO_ZERO: return Z3_mk_fpa_rtz(e->z);
    case TP_ROUND_UP: return Z3_mk_fpa_rtp(e->z);
    case TP_ROUND_DOWN: return Z3_mk_fpa_rtn(e->z);
    case TP_ROUND_NEAREST_AWAY: return Z3_mk_fpa_rna(e->z);
  }
  return NULL;
}

static Z3_ast quantifier(tp_z3_terms *e, tp_term t, Z3_ast body) {
  tp_term bound = tp_bound_of(e->tt, t);
  if (!tp_term_is(bound)) return body;
  Z3_app var = Z3_to_app(e->z, get(e, bound));
  return tp_kind(e->tt, t) == TP_OP_FORALL ? Z3_mk_forall_const(e->z, 0, 1, &var, 0, NULL, body)
                                           : Z3_mk_exists_const(e->z, 0, 1, &var, 0, NULL, body);
}

static Z3_ast leaf(tp_z3_terms *e, tp_term t) {
  tp_terms *tt = e->tt;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_TRUE: return Z3_mk_true(e->z);
    case TP_OP_FALSE: return Z3_mk_false(e->z);
    case TP_OP_BV_CONST: return bits(e, tp_width(tt, t), tp_bv_value(tt, t));
    case TP_OP_FP_CONST:
      return Z3_simplify(e->z,
                         Z3_mk_fpa_to_fp_bv(e->z, bits(e, tp_width(tt, t), tp_bv_value(tt, t)),
                                            tp_z3_sort(e, tp_sort_of(tt, t))));
    case TP_OP_INT_CONST: return Z3_mk_int64(e->z, tp_int_value(tt, t), Z3_mk_int_sort(e->z));
    case TP_OP_VAR:
    case TP_OP_BOUND: return constant(e, t);
    default: return NULL;
  }
}

static Z3_ast node(tp_z3_terms *e, tp_term t, const Z3_ast *a) {
  tp_terms *tt = e->tt;
  Z3_context z = e->z;
  uint32_t w = tp_width(tt, t);
  switch (tp_kind(tt, t)) {
    case TP_OP_NOT: return Z3_mk_not(z, a[0]);
    case TP_OP_AND: return Z3_mk_and(z, 2, a);
    case TP_OP_OR: return Z3_mk_or(z, 2, a);
    case TP_OP_XOR: return Z3_mk_xor(z, a[0], a[1]);
    case TP_OP_EQ: return Z3_mk_eq(z, a[0], a[1]);
    case TP_OP_ITE: return Z3_mk_ite(z, a[0], a[1], a[2]);
    case TP_OP_BV_ADD: return Z3_mk_bvadd(z, a[0], a[1]);
    case TP_OP_BV_MUL: return Z3_mk_bvmul(z, a[0], a[1]);
    case TP_OP_BV_NEG: return Z3_mk_bvneg(z, a[0]);
    case TP_OP_BV_UDIV: return Z3_mk_bvudiv(z, a[0], a[1]);
    case TP_OP_BV_SDIV: return Z3_mk_bvsdiv(z, a[0], a[1]);
    case TP_OP_BV_UREM: return Z3_mk_bvurem(z, a[0], a[1]);
    case TP_OP_BV_SREM: return Z3_mk_bvsrem(z, a[0], a[1]);
    case TP_OP_BV_AND: return Z3_mk_bvand(z, a[0], a[1]);
    case TP_OP_BV_OR: return Z3_mk_bvor(z, a[0], a[1]);
    case TP_OP_BV_XOR: return Z3_mk_bvxor(z, a[0], a[1]);
    case TP_OP_BV_NOT: return Z3_mk_bvnot(z, a[0]);
    case TP_OP_BV_SHL: return Z3_mk_bvshl(z, a[0], a[1]);
    case TP_OP_BV_LSHR: return Z3_mk_bvlshr(z, a[0], a[1]);
    case TP_OP_BV_ASHR: return Z3_mk_bvashr(z, a[0], a[1]);
    case TP_OP_BV_ULT: return Z3_mk_bvult(z, a[0], a[1]);
    case TP_OP_BV_ULE: return Z3_mk_bvule(z, a[0], a[1]);
    case TP_OP_BV_SLT: return Z3_mk_bvslt(z, a[0], a[1]);
    case TP_OP_BV_SLE: return Z3_mk_bvsle(z, a[0], a[1]);
    case TP_OP_BV_CONCAT: return Z3_mk_concat(z, a[0], a[1]);
    case TP_OP_BV_EXTRACT:
      return Z3_mk_extract(z, tp_extract_hi(tt, t), tp_extract_lo(tt, t), a[0]);
    case TP_OP_BV_ZEXT: return Z3_mk_zero_ext(z, w - tp_width(tt, tp_arg(tt, t, 0)), a[0]);
    case TP_OP_BV_SEXT: return Z3_mk_sign_ext(z, w - tp_width(tt, tp_arg(tt, t, 0)), a[0]);
    case TP_OP_FP_ADD: return Z3_mk_fpa_add(z, Z3_mk_fpa_rne(z), a[0], a[1]);
    case TP_OP_FP_SUB: return Z3_mk_fpa_sub(z, Z3_mk_fpa_rne(z), a[0], a[1]);
    case TP_OP_FP_MUL: return Z3_mk_fpa_mul(z, Z3_mk_fpa_rne(z), a[0], a[1]);
    case TP_OP_FP_DIV: return Z3_mk_fpa_div(z, Z3_mk_fpa_rne(z), a[0], a[1]);
    case TP_OP_FP_FMA: return Z3_mk_fpa_fma(z, Z3_mk_fpa_rne(z), a[0], a[1], a[2]);
    case TP_OP_FP_SQRT: return Z3_mk_fpa_sqrt(z, Z3_mk_fpa_rne(z), a[0]);
    case TP_OP_FP_NEG: return Z3_mk_fpa_neg(z, a[0]);
    case TP_OP_FP_ABS: return Z3_mk_fpa_abs(z, a[0]);
    case TP_OP_FP_ROUND:
      return Z3_mk_fpa_round_to_integral(z, rounding(e, tp_round_of(tt, t)), a[0]);
    case TP_OP_FP_EQ: return Z3_mk_fpa_eq(z, a[0], a[1]);
    case TP_OP_FP_LT: return Z3_mk_fpa_lt(z, a[0], a[1]);
    case TP_OP_FP_LE: return Z3_mk_fpa_leq(z, a[0], a[1]);
    case TP_OP_FP_IS_NAN: return Z3_mk_fpa_is_nan(z, a[0]);
    case TP_OP_FP_IS_INF: return Z3_mk_fpa_is_infinite(z, a[0]);
    case TP_OP_FP_OF_BITS: return Z3_mk_fpa_to_fp_bv(z, a[0], tp_z3_sort(e, tp_sort_of(tt, t)));
    case TP_OP_FP_OF_FP:
      return Z3_mk_fpa_to_fp_float(z, Z3_mk_fpa_rne(z), a[0], tp_z3_sort(e, tp_sort_of(tt, t)));
    case TP_OP_FP_OF_SBV:
      return Z3_mk_fpa_to_fp_signed(z, Z3_mk_fpa_rne(z), a[0], tp_z3_sort(e, tp_sort_of(tt, t)));
    case TP_OP_FP_OF_UBV:
      return Z3_mk_fpa_to_fp_unsigned(z, Z3_mk_fpa_rne(z), a[0], tp_z3_sort(e, tp_sort_of(tt, t)));
    case TP_OP_FP_TO_SBV: return Z3_mk_fpa_to_sbv(z, Z3_mk_fpa_rtz(z), a[0], w);
    case TP_OP_FP_TO_UBV: return Z3_mk_fpa_to_ubv(z, Z3_mk_fpa_rtz(z), a[0], w);
    case TP_OP_SELECT: return Z3_mk_select(z, a[0], a[1]);
    case TP_OP_STORE: return Z3_mk_store(z, a[0], a[1], a[2]);
    case TP_OP_CONST_ARRAY:
      return Z3_mk_const_array(z, tp_z3_sort(e, tp_sort_index(tt, tp_sort_of(tt, t))), a[0]);
    case TP_OP_INT_ADD: return Z3_mk_add(z, 2, a);
    case TP_OP_INT_MUL: return Z3_mk_mul(z, 2, a);
    case TP_OP_INT_LE: return Z3_mk_le(z, a[0], a[1]);
    case TP_OP_INT_LT: return Z3_mk_lt(z, a[0], a[1]);
    case TP_OP_INT_OF_SBV: return Z3_mk_bv2int(z, a[0], true);
    case TP_OP_INT_OF_UBV: return Z3_mk_bv2int(z, a[0], false);
    case TP_OP_FORALL:
    case TP_OP_EXISTS: return quantifier(e, t, a[0]);
    case TP_OP_TRUE:
    case TP_OP_FALSE:
    case TP_OP_BV_CONST:
    case TP_OP_FP_CONST:
    case TP_OP_INT_CONST:
    case TP_OP_VAR:
    case TP_OP_BOUND: return leaf(e, t);
    case TP_OP_PTR_CONST:  // the rest is lowered away
    case TP_OP_PTR_MK:
    case TP_OP_PTR_OBJ:
    case TP_OP_PTR_OFF:
    case TP_OP_PTR_ADD:
    case TP_OP_PTR_TO_INT:
    case TP_OP_INT_TO_PTR:
    case TP_OP_FP_REM:
    case TP_OP_FP_MIN:
    case TP_OP_FP_MAX:
    case TP_OP_FP_TO_BITS:
    case TP_N_OPS: break;
  }
  return NULL;
}

Z3_ast tp_z3_term(tp_z3_terms *e, tp_term t) {
  e->todo.n = 0;
  tp_vec_push(&e->todo, t);
  while (e->todo.n) {
    tp_term top = tp_vec_last(&e->todo);
    Z3_ast a[3] = {NULL, NULL, NULL};
    bool ready = true;
    if (!get(e, top))
      for (uint32_t i = tp_n_args(e->tt, top); i-- > 0;)
        if (!(a[i] = get(e, tp_arg(e->tt, top, i)))) {
          tp_vec_push(&e->todo, tp_arg(e->tt, top, i));
          ready = false;
        }
    if (!ready) continue;
    (void)tp_vec_pop(&e->todo);
    if (get(e, top)) continue;
    Z3_ast made = node(e, top, a);
    if (!made || *e->failed) return NULL;
    put(e, top, made);
  }
  return get(e, t);
}

// --------------------------------------------------------------------- values

static bool fp_value(tp_z3_terms *e, uint32_t width, Z3_ast v, tp_value *out) {
  Z3_context z = e->z;
  uint32_t fraction = width == 32 ? 23 : 52;
  uint64_t ones = (1u << (width - 1 - fraction)) - 1u, significand = 0, exponent = 0;
  int negative = 0;
  if (Z3_fpa_is_numeral_nan(z, v)) {
    out->bits = ones << fraction | (uint64_t)1 << (fraction - 1);
    return true;
  }
  if (!Z3_fpa_get_numeral_sign(z, v, &negative)) return false;
  if (Z3_fpa_is_numeral_inf(z, v)) {
    exponent = ones;
  } else if (!Z3_fpa_is_numeral_zero(z, v)) {
    int64_t biased = 0;
    if (!Z3_fpa_get_numeral_significand_uint64(z, v, &significand)) return false;
    if (Z3_fpa_is_numeral_normal(z, v)) {
      if (!Z3_fpa_get_numeral_exponent_int64(z, v, &biased, true)) return false;
      exponent = (uint64_t)biased;
    }
  }
  out->bits = (uint64_t)(negative != 0) << (width - 1) | exponent << fraction | significand;
  return true;
}

static bool bv_value(tp_z3_terms *e, Z3_ast v, tp_value *out) {
  if (Z3_get_ast_kind(e->z, v) != Z3_NUMERAL_AST) return false;
  uint64_t small;
  if (Z3_get_numeral_uint64(e->z, v, &small)) {
    out->bits = small;
    return true;
  }
  Z3_string digits = Z3_get_numeral_binary_string(e->z, v);
  if (!digits) return false;
  for (; *digits; digits++) out->bits = out->bits << 1 | (tp_u128)(*digits == '1');
  return true;
}

typedef TP_VEC(struct tp_array_cell) cells;

/* The graph of a function: its last entries win in ours, the else part is the default. */
static bool graph(tp_z3_terms *e, Z3_model m, tp_sort sort, Z3_ast v, tp_arena *arena, cells *to,
                  tp_value *otherwise) {
  Z3_context z = e->z;
  tp_sort index = tp_sort_index(e->tt, sort), element = tp_sort_element(e->tt, sort);
  Z3_func_interp f = Z3_model_get_func_interp(z, m, Z3_get_as_array_func_decl(z, v));
  if (!f) return false;
  Z3_func_interp_inc_ref(z, f);
  Z3_ast other = Z3_func_interp_get_else(z, f);
  bool ok = other && tp_z3_value(e, m, element, other, arena, otherwise);
  for (unsigned i = 0, n = ok ? Z3_func_interp_get_num_entries(z, f) : 0; ok && i < n; i++) {
    Z3_func_entry entry = Z3_func_interp_get_entry(z, f, i);
    Z3_func_entry_inc_ref(z, entry);
    struct tp_array_cell cell = {0};
    ok = tp_z3_value(e, m, index, Z3_func_entry_get_arg(z, entry, 0), arena, &cell.index) &&
         tp_z3_value(e, m, element, Z3_func_entry_get_value(z, entry), arena, &cell.value);
    tp_vec_push(to, cell);
    Z3_func_entry_dec_ref(z, entry);
  }
  Z3_func_interp_dec_ref(z, f);
  return ok;
}

/* store(... store(const(d), i1, v1) ..., in, vn), or a function's graph below the stores. */
static bool array_value(tp_z3_terms *e, Z3_model m, tp_sort sort, Z3_ast v, tp_arena *arena,
                        tp_value *out) {
  Z3_context z = e->z;
  tp_sort index = tp_sort_index(e->tt, sort), element = tp_sort_element(e->tt, sort);
  tp_array_value *array = tp_arena_new(arena, tp_array_value);
  cells found = {0};
  bool ok = true, done = false;
  while (ok && !done) {
    if (Z3_get_ast_kind(z, v) != Z3_APP_AST) {
      ok = false;
      break;
    }
    Z3_app app = Z3_to_app(z, v);
    Z3_decl_kind kind = Z3_get_decl_kind(z, Z3_get_app_decl(z, app));
    if (kind == Z3_OP_STORE) {
      struct tp_array_cell cell = {0};
      ok = tp_z3_value(e, m, index, Z3_get_app_arg(z, app, 1), arena, &cell.index) &&
           tp_z3_value(e, m, element, Z3_get_app_arg(z, app, 2), arena, &cell.value);
      tp_vec_push(&found, cell);
      v = Z3_get_app_arg(z, app, 0);
    } else if (kind == Z3_OP_CONST_ARRAY) {
      ok = tp_z3_value(e, m, element, Z3_get_app_arg(z, app, 0), arena, &array->otherwise);
      done = true;
    } else {
      ok = kind == Z3_OP_AS_ARRAY && graph(e, m, sort, v, arena, &found, &array->otherwise);
      done = true;
    }
  }
  array->n = found.n;
  array->cells = tp_arena_array(arena, struct tp_array_cell, found.n);
  for (size_t i = 0; i < found.n; i++) array->cells[i] = found.at[found.n - 1 - i];
  tp_vec_clear(&found);
  out->array = array;
  return ok;
}

bool tp_z3_value(tp_z3_terms *e, Z3_model m, tp_sort sort, Z3_ast value, tp_arena *arena,
                 tp_value *out) {
  *out = (tp_value){0};
  if (!value) return false;
  switch (tp_sort_kind_of(e->tt, sort)) {
    case TP_SORT_BOOL: {
      Z3_lbool b = Z3_get_bool_value(e->z, value);
      out->bits = b == Z3_L_TRUE;
      return b != Z3_L_UNDEF;
    }
    case TP_SORT_BV: return bv_value(e, value, out);
    case TP_SORT_FP: return fp_value(e, tp_sort_width(e->tt, sort), value, out);
    case TP_SORT_ARRAY: return array_value(e, m, sort, value, arena, out);
    case TP_SORT_INT: {
      int64_t v = 0;
      uint64_t large = 0;
      bool ok = Z3_get_numeral_int64(e->z, value, &v);
      if (!ok)
        ok = Z3_get_numeral_uint64(e->z, value, &large);  // unsigned 64-bit variables as integers
      out->bits = large ? large : (uint64_t)v;
      return ok;
    }
    case TP_SORT_PTR: break;
  }
  return false;
}
