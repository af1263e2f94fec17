/* The conditions that a precondition is made of: comparisons of the numbers that a function is
 * called with.
 *
 * What       numbers: parameters, what pointers to numbers lead to, members of structures up to
 *            TP_APP_PRECONDITION_POINTERS pointers behind each other. Conditions: a <= b, a < b,
 *            a <= k, a >= k, a != 0, p != 0, a % k == 0, a + b <= c, a * b <= c; k: constants of
 * the program and of a fixed ladder. Represents the meaning in mathematical integers; the text in C
 * has the same value, whatever the types of the numbers. Order      conditions that say less come
 * first among those of one form. Ownership  texts live in the arena. */
#ifndef TP_APP_PRECONDITION_GRAMMAR_H
#define TP_APP_PRECONDITION_GRAMMAR_H

#include "app/environment.h"

/* A number, or a pointer that is null or not. */
typedef struct {
  const char *text;  // "v->size"
  bool is_pointer, is_signed, is_parameter;
  uint32_t bits;
} tp_precondition_number;
typedef TP_VEC(tp_precondition_number) tp_precondition_numbers;

typedef enum {
  TP_CONDITION_LE,           // a <= b
  TP_CONDITION_LT,           // a < b
  TP_CONDITION_AT_MOST,      // a <= k
  TP_CONDITION_AT_LEAST,     // a >= k
  TP_CONDITION_IS_NOT_ZERO,  // a != 0
  TP_CONDITION_IS_MULTIPLE,  // a % k == 0
  TP_CONDITION_SUM_LE,       // a + b <= c
  TP_CONDITION_PRODUCT_LE    // a * b <= c
} tp_condition_kind;

typedef struct {
  tp_condition_kind kind;
  uint32_t a, b, c;  // numbers
  int64_t k;
  uint32_t cost;              // of two that are as good the cheaper one counts
  const char *text, *failed;  // in C; its negation
} tp_condition;
typedef TP_VEC(tp_condition) tp_condition_list;

/* What a call of f is made with. */
void tp_precondition_list_numbers(const tp_program *p, tp_func f, bool has_null, tp_arena *arena,
                                  tp_precondition_numbers *out);
void tp_precondition_list_conditions(const tp_precondition_numbers *numbers,
                                     const int64_t *constants, size_t n_constants, tp_arena *arena,
                                     tp_condition_list *out);
/* Does it hold for these values of the numbers? */
bool tp_condition_holds(const tp_condition *c, const tp_i128 *values);

#endif
