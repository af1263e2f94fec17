/* Inside the translation: values of nodes, arithmetic on words of any number of bits.
 *
 * Represents an integer is a word in two's complement with as few bits as are known to suffice, at
 *            most the width, and a literal `defined`; a matrix has such a literal, too. */
#ifndef TP_CONTRACTS_REL_TRANSLATE_PRIV_H
#define TP_CONTRACTS_REL_TRANSLATE_PRIV_H

#include "circuit/words.h"
#include "contracts/rel/translate.h"

typedef struct {
  const tp_lit *bits;  // least significant first, the last one is the sign
  uint32_t n;          // 1 or more
  tp_lit defined;
} tp_rel_word;

typedef struct {
  tp_rel_matrix matrix;
  tp_lit defined;
} tp_rel_matrix_value;

typedef union {
  tp_rel_matrix_value relation;
  tp_rel_word word;
  tp_rel_truth_lits truth;
} tp_rel_translated;

typedef struct {
  tp_rel_matrix_value value;
  uint32_t key;  // equal keys, equal values: an atom, or a number above
} tp_rel_binding;

typedef struct {
  uint32_t node, next;   // of the same hash
  const uint32_t *keys;  // of its free variables
  tp_rel_translated value;
} tp_rel_memo;

struct tp_rel_translation {
  const tp_rel_bounds *b;
  const tp_rel *l;
  const tp_rel_universe *u;
  tp_rel_translate_options options;
  tp_rel_pool pool;
  tp_gates *g;
  TP_VEC(tp_rel_matrix) relations;  // by number
  TP_VEC(tp_lit) primary;
  TP_VEC(tp_rel_binding) env;  // by variable
  uint32_t n_keys;
  tp_map by_hash;  // to 1 + the first memo
  TP_VEC(tp_rel_memo) memos;
  tp_map closed;    // 4 * closed formula + what is said of it, to literal
  tp_map is_total;  // node, to whether it always has a value
  uint64_t n_translated;
};

tp_rel_word tp_rel_word_const(tp_rel_translation *t, int64_t value);
/* The word and what it needs, cut to the width: defined where nothing is lost. */
tp_rel_word tp_rel_word_fit(tp_rel_translation *t, const tp_lit *bits, uint32_t n, tp_lit defined);
tp_rel_word tp_rel_word_arithmetic(tp_rel_translation *t, tp_rel_kind k, tp_rel_word a,
                                   tp_rel_word b);
tp_rel_word tp_rel_word_choose(tp_rel_translation *t, tp_lit c, tp_rel_word a, tp_rel_word b);
tp_rel_word tp_rel_word_count(tp_rel_translation *t, const tp_lit *lits, size_t n, tp_lit defined);
/* The sum of the terms whose condition holds; defined: of the total. */
tp_rel_word tp_rel_word_sum(tp_rel_translation *t, const tp_rel_word *terms, const tp_lit *when,
                            size_t n, tp_lit defined);
tp_lit tp_rel_word_compare(tp_rel_translation *t, tp_rel_kind k, tp_rel_word a, tp_rel_word b);

#endif
