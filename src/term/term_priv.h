/* The inside of the term table, for the files of this room.
 *
 * What       the parallel arrays, interning without rewriting, folding of one operation on values.
 * Represents node i is kind[i], sort[i], arg[i][0..2] (0: none) and payload[i]:
 *              BV_CONST, FP_CONST  payload = bits 0..63; arg[0], arg[1] = bits 64..127
 *              PTR_CONST           arg[0] = object, payload = offset
 *              INT_CONST           payload = value as int64
 *              VAR                 payload = index; BOUND, FORALL, EXISTS: number
 *              BV_EXTRACT          payload = hi << 32 | lo; FP_ROUND: mode
 * Invariants equal nodes have equal ids; arguments have smaller ids. */
#ifndef TP_TERM_TERM_PRIV_H
#define TP_TERM_TERM_PRIV_H

#include "term/fold.h"
#include "term/term.h"

typedef struct {
  tp_sort_kind kind;
  uint32_t width;
  tp_sort index, element;
} tp_sort_info;

/* Marks of one traversal of a DAG: stamp[id] == epoch means that value[id] is set. */
typedef struct tp_marks tp_marks;
struct tp_marks {
  uint32_t *stamp;  // [cap]
  uint64_t *value;  // [cap]
  size_t cap;       // above every id that the traversal meets
  uint32_t epoch;
  tp_marks *next;  // in the pool of marks that no traversal uses
};

struct tp_terms {
  uint32_t ptr_bits;
  bool rewriting;
  size_t n, cap;  // ids 1 .. n
  uint8_t *kind;
  uint32_t *sort;
  uint32_t (*arg)[3];
  uint64_t *payload;
  uint32_t *slots;  // open addressing, 0: empty
  size_t n_slots;
  TP_VEC(tp_sort_info) sorts;  // [0] unused
  uint32_t bv_sort[TP_BV_MAX_BITS + 1];
  TP_VEC(uint32_t) var_term;  // by index
  TP_VEC(uint32_t) var_name;  // by index
  TP_VEC(bool) var_unsigned;  // by index; for printing
  tp_names *names;
  tp_marks **marks;     // the pool; behind a pointer, so that questions about const tables use it
  tp_map pushed, read;  // results of rules that go into both branches of an ITE
  uint32_t depth;       // rules under way; beyond a limit, applications are interned as they are
};

// fixed ids
#define TP_SORT_ID_BOOL 1u
#define TP_SORT_ID_INT 2u
#define TP_SORT_ID_PTR 3u
#define TP_SORT_ID_FP32 4u
#define TP_SORT_ID_FP64 5u
#define TP_TRUE ((tp_term){1})
#define TP_FALSE ((tp_term){2})

/* The node with these parts, as it stands: no rewriting. */
tp_term tp_intern(tp_terms *tt, tp_term_kind k, tp_sort s, tp_term a, tp_term b, tp_term c,
                  uint64_t payload);
tp_term tp_intern1(tp_terms *tt, tp_term_kind k, tp_sort s, tp_term a);
tp_term tp_intern2(tp_terms *tt, tp_term_kind k, tp_sort s, tp_term a, tp_term b);
/* The node with these parts if the table has it already, else NONE. */
tp_term tp_find_node(const tp_terms *tt, tp_term_kind k, tp_sort s, const uint32_t arg[3],
                     uint64_t payload);
/* The sort of k applied to arguments of these terms (kinds without payload). */
tp_sort tp_sort_of_application(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b);
/* May k (a kind without payload and with arguments) be applied to these? Absent ones are NONE. */
bool tp_is_well_sorted(const tp_terms *tt, tp_term_kind k, tp_term a, tp_term b, tp_term c);

static inline bool tp_is_in_table(const tp_terms *tt, tp_term t) {
  return t.id != 0 && t.id <= tt->n;
}
static inline bool tp_is_sort_of_table(const tp_terms *tt, tp_sort s) {
  return s.id != 0 && s.id < tt->sorts.n;
}
static inline tp_term_kind tp_k(const tp_terms *tt, tp_term t) {
  return (tp_term_kind)tt->kind[t.id];
}
static inline tp_term tp_a(const tp_terms *tt, tp_term t, uint32_t i) {
  return (tp_term){tt->arg[t.id][i]};
}
static inline tp_sort tp_s(const tp_terms *tt, tp_term t) { return (tp_sort){tt->sort[t.id]}; }
static inline uint32_t tp_w(const tp_terms *tt, tp_term t) {
  return tt->sorts.at[tt->sort[t.id]].width;
}
static inline tp_sort_kind tp_sk(const tp_terms *tt, tp_term t) {
  return tt->sorts.at[tt->sort[t.id]].kind;
}
static inline bool tp_is_bv(const tp_terms *tt, tp_term t) {
  return tt->kind[t.id] == TP_OP_BV_CONST;
}
static inline tp_u128 tp_bits(const tp_terms *tt, tp_term t) {
  return (tp_u128)tt->payload[t.id] | (tp_u128)tt->arg[t.id][0] << 64 |
         (tp_u128)tt->arg[t.id][1] << 96;
}
static inline bool tp_is_scalar_const(const tp_terms *tt, tp_term t) {
  tp_term_kind k = tp_k(tt, t);
  return k == TP_OP_TRUE || k == TP_OP_FALSE || (k >= TP_OP_BV_CONST && k <= TP_OP_INT_CONST);
}

static inline tp_u128 tp_mask(uint32_t width) {
  return width >= 128 ? ~(tp_u128)0 : ((tp_u128)1 << width) - 1;
}
static inline tp_u128 tp_cut(tp_u128 v, uint32_t width) { return v & tp_mask(width); }
static inline bool tp_sign_bit(tp_u128 v, uint32_t width) { return (v >> (width - 1)) & 1; }
/* v, a value of `width` bits, as a two's complement number in 128 bits */
static inline tp_u128 tp_sign_extend(tp_u128 v, uint32_t width) {
  return tp_sign_bit(v, width) ? v | ~tp_mask(width) : v;
}
static inline bool tp_signed_less(tp_u128 a, tp_u128 b, uint32_t width) {
  tp_u128 flip = (tp_u128)1 << (width - 1);
  return (a ^ flip) < (b ^ flip);
}

tp_value tp_const_value(const tp_terms *tt, tp_term t);  // of a scalar constant

/* Marks for a traversal of ids 1 .. max, none of them set; traversals nest, each has its own. They
 * go back to the table with tp_marks_end. */
tp_marks *tp_marks_begin(const tp_terms *tt, uint32_t max);
void tp_marks_end(const tp_terms *tt, tp_marks *m);
void tp_marks_free(tp_marks *pool);
/* Ids reachable from t, ascending: arguments before their users. */
typedef TP_VEC(uint32_t) tp_id_list;
void tp_reachable(const tp_terms *tt, const tp_term *roots, size_t n, tp_id_list *out);

#endif
