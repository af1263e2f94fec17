/* Bytes are cut out of integers and put together again. A tag is recognised by what it can change,
 * so an address keeps its object through any number of tags and moves. */
#include "certify/symbolic/value_bytes.h"

#include "certify/certify_limits.h"
#include "program/cells.h"

// ----------------------------------------------------------------------- tags

/* The operand whose low bits t sets, flips or clears; NONE: t does something else. */
static tp_term of_low_bits(const tp_terms *tt, tp_term t) {
  const tp_term_kind k = tp_kind(tt, t);
  if (k != TP_OP_BV_AND && k != TP_OP_BV_OR && k != TP_OP_BV_XOR) return TP_TERM_NONE;
  for (uint32_t i = 0; i < 2; i++)
    if (tp_chk_is_tag(tt, k, tp_arg(tt, t, i))) return tp_arg(tt, t, 1 - i);
  return TP_TERM_NONE;
}

enum { LOW_BITS = 12 };

/* All leaves of a choice are looked at, up to a number of them. */
bool tp_chk_is_tag(const tp_terms *tt, tp_term_kind k, tp_term operand) {
  tp_term todo[TP_CERTIFY_TAG_CHOICES] = {operand};
  const uint32_t width = tp_width(tt, operand);
  if (width <= LOW_BITS || width > 64) return false;
  for (uint32_t n = 1; n > 0;) {
    tp_term t = todo[--n];
    uint64_t bits;
    if (tp_kind(tt, t) == TP_OP_ITE) {
      if (n + 2 > TP_CERTIFY_TAG_CHOICES) return false;
      todo[n++] = tp_arg(tt, t, 1);
      todo[n++] = tp_arg(tt, t, 2);
    } else if (tp_bv_value_u64(tt, t, &bits)) {
      if (k == TP_OP_BV_AND) bits ^= ~(uint64_t)0 >> (64 - width);
      if (bits >> LOW_BITS != 0) return false;
    } else if (k == TP_OP_BV_AND || tp_kind(tt, t) != TP_OP_BV_ZEXT ||
               tp_width(tt, tp_arg(tt, t, 0)) > LOW_BITS) {
      return false;
    }
  }
  return true;
}

tp_term tp_chk_address_in(const tp_terms *tt, tp_term sum) {
  TP_VEC(uint32_t) todo = {0};
  tp_map seen = {0};  // choices share what they choose among
  tp_term found = TP_TERM_NONE;
  bool one = true;
  tp_vec_push(&todo, sum.id);
  while (todo.n && one) {
    tp_term t = {tp_vec_pop(&todo)};
    if (tp_map_has(&seen, t.id)) continue;
    tp_map_set(&seen, t.id, 1);
    if (tp_kind(tt, t) == TP_OP_BV_ADD) {
      tp_vec_push(&todo, tp_arg(tt, t, 0).id);
      tp_vec_push(&todo, tp_arg(tt, t, 1).id);
    } else if (tp_term_is(of_low_bits(tt, t))) {
      tp_vec_push(&todo, of_low_bits(tt, t).id);
    } else if (tp_kind(tt, t) == TP_OP_ITE) {
      tp_vec_push(&todo, tp_arg(tt, t, 1).id);
      tp_vec_push(&todo, tp_arg(tt, t, 2).id);
    } else if (tp_kind(tt, t) == TP_OP_PTR_TO_INT) {
      one = !tp_term_is(found) || tp_term_eq(found, t);
      found = t;
    }
  }
  tp_vec_clear(&todo);
  tp_map_clear(&seen);
  return one ? found : TP_TERM_NONE;
}

tp_term tp_chk_pointer_of_integer(tp_terms *tt, tp_chk_value integer) {
  if (tp_width(tt, integer.term) != tp_terms_ptr_bits(tt) ||
      integer.provenance == TP_PROVENANCE_ANY)
    return TP_TERM_NONE;
  if (integer.provenance == TP_PROVENANCE_NONE)
    return tp_mk_ptr(tt, tp_mk_bv(tt, TP_OBJ_BITS, 0), integer.term);
  tp_term address = tp_chk_address_in(tt, integer.term);
  if (!tp_term_is(address)) return TP_TERM_NONE;
  return tp_mk_ptr_add(tt, tp_arg(tt, address, 0), tp_mk_sub(tt, integer.term, address));
}

tp_chk_provenance tp_chk_merge_provenance(const tp_terms *tt, tp_chk_value a, tp_chk_value b) {
  if (tp_term_eq(a.term, b.term) && a.provenance == b.provenance) return a.provenance;
  if (a.provenance == TP_PROVENANCE_ONE && b.provenance == TP_PROVENANCE_ONE) {
    tp_term p = tp_chk_address_in(tt, a.term), q = tp_chk_address_in(tt, b.term);
    return tp_term_is(p) && tp_term_eq(p, q) ? TP_PROVENANCE_ONE : TP_PROVENANCE_ANY;
  }
  return a.provenance == TP_PROVENANCE_NONE && b.provenance == TP_PROVENANCE_NONE
             ? TP_PROVENANCE_NONE
             : TP_PROVENANCE_ANY;
}

// ----------------------------------------------------------- values and bytes

/* The value's bytes as one integer, the lowest address in the lowest bits. */
tp_chk_value tp_chk_bits_of_value(tp_terms *tt, tp_chk_value v) {
  tp_sort s = tp_sort_of(tt, v.term);
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: return (tp_chk_value){tp_mk_bool_to_bv(tt, 8, v.term), TP_PROVENANCE_NONE};
    case TP_SORT_PTR:
      return (tp_chk_value){tp_mk1(tt, TP_OP_PTR_TO_INT, v.term), TP_PROVENANCE_ONE};
    case TP_SORT_FP:
      return (tp_chk_value){tp_mk1(tt, TP_OP_FP_TO_BITS, v.term),
                            v.provenance == TP_PROVENANCE_NONE ? v.provenance : TP_PROVENANCE_ANY};
    case TP_SORT_BV: break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: return (tp_chk_value){0};
  }
  uint32_t width = 8 * tp_sort_bytes(tt, s);
  bool whole = width == tp_sort_width(tt, s);
  return (tp_chk_value){tp_mk_zext(tt, width, v.term), whole || v.provenance == TP_PROVENANCE_NONE
                                                           ? v.provenance
                                                           : TP_PROVENANCE_ANY};
}

/* A value of sort s from exactly its bytes; NONE: a pointer that they do not show. */
tp_chk_value tp_chk_value_of_bits(tp_terms *tt, tp_chk_value bits, tp_sort s) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL:
      return (tp_chk_value){tp_mk_eq(tt, tp_mk_extract(tt, 0, 0, bits.term), tp_mk_bv(tt, 1, 1)),
                            TP_PROVENANCE_NONE};
    case TP_SORT_PTR:
      return (tp_chk_value){tp_chk_pointer_of_integer(tt, bits), TP_PROVENANCE_NONE};
    case TP_SORT_FP:
      return (tp_chk_value){
          tp_mk1(tt, TP_OP_FP_OF_BITS, bits.term),
          bits.provenance == TP_PROVENANCE_NONE ? bits.provenance : TP_PROVENANCE_ANY};
    case TP_SORT_BV: break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: return (tp_chk_value){0};
  }
  bool whole = tp_width(tt, bits.term) == tp_sort_width(tt, s);
  return (tp_chk_value){
      tp_mk_trunc(tt, tp_sort_width(tt, s), bits.term),
      whole || bits.provenance == TP_PROVENANCE_NONE ? bits.provenance : TP_PROVENANCE_ANY};
}

/* n bytes of v from byte `first` on, as a value of sort s; NONE: it cannot be said. */
tp_chk_value tp_chk_part_of_value(tp_terms *tt, tp_chk_value v, uint32_t first, uint32_t n,
                                  tp_sort s) {
  tp_sort have = tp_sort_of(tt, v.term);
  uint32_t m = tp_sort_bytes(tt, have);
  if (first == 0 && n == m && tp_sort_eq(have, s)) return v;
  tp_chk_value bits = tp_chk_bits_of_value(tt, v);
  if (tp_term_is(bits.term) && (first != 0 || n != m)) {
    bits.term = tp_mk_extract(tt, 8 * (first + n) - 1, 8 * first, bits.term);
    if (bits.provenance != TP_PROVENANCE_NONE) bits.provenance = TP_PROVENANCE_ANY;
  }
  return tp_term_is(bits.term) ? tp_chk_value_of_bits(tt, bits, s) : bits;
}

tp_chk_value tp_chk_repeated_byte(tp_terms *tt, tp_term byte, uint32_t n, tp_sort s) {
  tp_term all = byte;
  for (uint32_t i = 1; i < n; i++) all = tp_mk2(tt, TP_OP_BV_CONCAT, byte, all);
  return tp_chk_value_of_bits(
      tt, (tp_chk_value){all, tp_is_const(tt, byte) ? TP_PROVENANCE_NONE : TP_PROVENANCE_ANY}, s);
}
