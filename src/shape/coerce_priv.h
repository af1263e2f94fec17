/* The form of compiled rules. */
#ifndef TP_SHAPE_COERCE_PRIV_H
#define TP_SHAPE_COERCE_PRIV_H

#include "shape/coerce.h"

typedef enum {
  TP_RULE_UNIQUE,    // unary predicate p holds of one cell at most
  TP_RULE_FUNCTION,  // binary predicate p relates a cell to one at most; none if it is freed or
                     // outside
  TP_RULE_UNARY,     // body => p(a)
  TP_RULE_BINARY,    // body => p(a, b)
  TP_RULE_EQUAL,     // body => a = b
  TP_RULE_FALSE,     // body => 0
  TP_RULE_SOME       // body => there is a w: witness
} tp_rule_kind;

typedef struct {
  tp_rule_kind kind;
  bool is_negated;  // of the head
  uint16_t predicate;
  uint8_t a, b, w;      // variables; SOME: a, b are those of the body
  uint8_t n_variables;  // free ones of the body and the head: 0, 1 (a), 2 (a, b)
  tp_formula guard;     // the body's conjuncts that do not mention b
  tp_formula body;      // the others
  tp_formula witness;   // SOME
  tp_formula whole;     // guard and body
} tp_rule;

typedef TP_VEC(uint16_t) tp_rule_ids;
struct tp_shape_rules {
  TP_VEC(tp_rule) list;
  tp_rule_ids *unary, *binary;              // by predicate: the rules that read it
  tp_rule_ids *unary_heads, *binary_heads;  // ... whose head it is
  uint32_t n_unary, n_binary;
  tp_rule_ids equality;  // those that ask whether nodes are single
};

#endif
