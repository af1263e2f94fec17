/* Certificates with folds, written by hand for C programs: right ones are accepted; of a program
 * that fails, none is, whatever it says of sums: another start, another step, a write in between,
 * at an index that the sum is over, through another pointer, of one byte; a sum that wraps; two
 * writes that may be one; a step that is no function of the state. */
#include "by_hand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define HEAD                                                  \
  "extern void reach_error(void); extern int nondet(void);\n" \
  "extern unsigned nondet_uint(void);\n"

#define ZERO "(bv 32 0)"
#define ONE "(bv 32 1)"
#define I "(index bv32)"
#define BEFORE "(before bv32)"
#define ADD(a, b) "(BV_ADD " a " " b ")"
#define LESS(a) ADD(a, "(bv 32 4294967295)")
#define AT(array, index) \
  "(SELECT (memory bv32) (PTR_ADD " array " (BV_MUL (BV_SEXT 64 " index ") (bv 64 4))))"
#define IF(c, a, b) "(ITE " c " " a " " b ")"
#define IS(a, b) "(EQ " a " " b ")"
#define AND2(a, b) "(AND " a " " b ")"
#define AND3(a, b, c) AND2(a, AND2(b, c))
#define FOLD(h) "(SELECT (fold 1) " h ")"
#define OTHER(h) "(SELECT (fold 2) " h ")"
#define POSITIVE(v) "(BV_SLE " ZERO " " v ")"
#define INSIDE(v, n) AND2(POSITIVE(v), "(BV_SLE " v " " n ")")

// the sum of the first cells of an array; the greatest of them, from 0 on; how many are 7
#define SUM(array) ADD(BEFORE, IF(IS(I, ZERO), ZERO, AT(array, LESS(I))))
#define GREATEST(array) \
  IF(IS(I, ZERO), ZERO, \
     IF("(BV_SLT " BEFORE " " AT(array, LESS(I)) ")", AT(array, LESS(I)), BEFORE))
#define SEVENS(array) \
  ADD(BEFORE, IF(IS(I, ZERO), ZERO, IF(IS(AT(array, LESS(I)), "(bv 32 7)"), ONE, ZERO)))

// two sums of one array, with something between them
#define TWICE(first, between, second, check)                                     \
  HEAD "unsigned a[101], b[101];\nint main(void) {\n  int n = nondet();\n"       \
       "  if (n < 0 || n > 100) return 0;\n  int k = nondet();\n  b[100] = 0;\n" \
       "  if (k < 0 || k > 99) return 0;\n  unsigned s = 0, t = 0;\n"            \
       "  for (int i = 0; i < n; i++) " first "\n  " between                     \
       "\n"                                                                      \
       "  for (int j = 0; j < n; j++) " second                                   \
       "\n"                                                                      \
       "  if (" check ") reach_error();\n  return 0;\n}\n"
#define K "(BV_SLE {k} (bv 32 99))"
#define S_AT_I                                         \
  AND3(INSIDE("{i}", "{n}"), AND2(POSITIVE("{k}"), K), \
       AND2(IS("{t}", ZERO), IS("{s}", FOLD("{i}"))))
#define T_AT_J AND3(INSIDE("{j}", "{n}"), IS("{s}", FOLD("{n}")), IS("{t}", FOLD("{j}")))
#define CLAIMS {S_AT_I, T_AT_J}
#define OF_A {SUM("{a}")}

#define DOWN(from, to, start)                                          \
  HEAD "unsigned a[101];\nint main(void) {\n  int n = nondet();\n"     \
       "  if (n < 0 || n > 100) return 0;\n  unsigned s = 0, t = 0;\n" \
       "  for (int i = 0; i < n; i++) s += a[i];\n"                    \
       "  for (int j = " from "; j >= " to                             \
       "; j--) t += a[j];\n"                                           \
       "  if (s != t) reach_error();\n  return 0;\n}\n"
#define T_DOWN                                                                           \
  AND3("(AND (BV_SLE (bv 32 4294967295) {j}) (BV_SLT {j} {n}))", IS("{s}", FOLD("{n}")), \
       IS("{t}", "(BV_ADD " FOLD("{n}") " (BV_NEG " FOLD(ADD("{j}", ONE)) "))"))

#define SWAP(p, q, x, y)                                               \
  HEAD "unsigned a[101];\nint main(void) {\n  int n = nondet();\n"     \
       "  if (n < 0 || n > 100) return 0;\n  unsigned s = 0, t = 0;\n" \
       "  for (int i = 0; i < n; i++) s += " p                         \
       ";\n"                                                           \
       "  for (int k = 0; k < n; k++) {\n    int m = nondet();\n"      \
       "    if (m < 0 || m >= n) return 0;\n"                          \
       "    unsigned x = a[k];\n    a[k] = " x ";\n    a[m] = " y      \
       ";\n  }\n"                                                      \
       "  for (int j = 0; j < n; j++) t += " q                         \
       ";\n  if (s != t) reach_error();\n"                             \
       "  return 0;\n}\n"
#define SWAP_CLAIMS                                                                            \
  {AND2(INSIDE("{i}", "{n}"), AND2(IS("{t}", ZERO), IS("{s}", FOLD("{i}")))),                  \
   AND2(INSIDE("{k}", "{n}"), AND3(IS("{t}", ZERO), POSITIVE("{n}"), IS("{s}", FOLD("{n}")))), \
   AND3(INSIDE("{j}", "{n}"), IS("{s}", FOLD("{n}")), IS("{t}", FOLD("{j}")))}

// sums of prefixes, kept in an array
#define X "(bound 0 bv32)"
#define PREFIX(write, asked)                                               \
  HEAD "unsigned a[101], p[102];\nint main(void) {\n  int n = nondet();\n" \
       "  if (n < 0 || n > 100) return 0;\n  p[0] = 0;\n"                  \
       "  for (int i = 0; i < n; i++) " write                              \
       "\n  unsigned t = 0;\n"                                             \
       "  for (int j = 0; j < n; j++) t += a[j];\n"                        \
       "  if (p[" asked "] != t) reach_error();\n  return 0;\n}\n"
#define PREFIXES(most)                                                  \
  "(FORALL 0 (OR (NOT (AND (BV_SLE " ZERO " " X ") (BV_SLE " X " " most \
  "))) " IS(AT("{p}", X), FOLD(X)) "))"
#define PREFIX_CLAIMS                           \
  {AND2(INSIDE("{i}", "{n}"), PREFIXES("{i}")), \
   AND3(INSIDE("{j}", "{n}"), AND2(POSITIVE("{n}"), PREFIXES("{n}")), IS("{t}", FOLD("{j}")))}

static const by_hand_row rows[] = {

    {"two sums", true, TWICE("s += a[i];", ";", "t += a[j];", "s != t"), CLAIMS, NULL, OF_A},
    {"written before it counts", true,
     TWICE("{ a[i] = i * 3; s += a[i]; }", ";", "t += a[j];", "s != t"), CLAIMS, NULL, OF_A},
    {"written behind the end", true, TWICE("s += a[i];", "a[n] = 1;", "t += a[j];", "s != t"),
     CLAIMS, NULL, OF_A},
    {"another array written", true,
     TWICE("s += a[i];", "b[k] = 1;", "{ t += a[j]; b[j] = t; }", "s != t"), CLAIMS, NULL, OF_A},
    {"greatest of all",
     true,
     TWICE("if ((int)a[i] > (int)s) s = a[i];", "b[k] = 1;", "if ((int)a[j] > (int)t) t = a[j];",
           "s != t"),
     CLAIMS,
     NULL,
     {GREATEST("{a}")}},
    {"how many are 7",
     true,
     TWICE("if (a[i] == 7) s++;", ";", "t += a[j] == 7;", "s != t"),
     CLAIMS,
     NULL,
     {SEVENS("{a}")}},
    {"from the end",
     true,
     DOWN("n - 1", "0", "0"),
     {AND2(INSIDE("{i}", "{n}"), AND2(IS("{t}", ZERO), IS("{s}", FOLD("{i}")))), T_DOWN},
     NULL,
     OF_A},
    {"swaps", true, SWAP("a[i]", "a[j]", "a[m]", "x"), SWAP_CLAIMS, NULL, OF_A},
    {"swaps do not change how many are 7",
     true,
     SWAP("a[i] == 7", "(a[j] == 7)", "a[m]", "x"),
     SWAP_CLAIMS,
     NULL,
     {SEVENS("{a}")}},
    {"sums of prefixes", true, PREFIX("p[i + 1] = p[i] + a[i];", "n"), PREFIX_CLAIMS, NULL, OF_A},

    {"one less", false, TWICE("s += a[i];", "if (n > 1) n--;", "t += a[j];", "s != t"), CLAIMS,
     NULL, OF_A},
    {"another start", false, TWICE("s += a[i];", "t = k;", "t += a[j];", "s != t"), CLAIMS, NULL,
     OF_A},
    {"another array", false, TWICE("s += a[i];", ";", "t += b[j];", "s != t"), CLAIMS, NULL, OF_A},
    {"another step", false, TWICE("s += a[i];", ";", "t += a[j] | 1;", "s != t"), CLAIMS, NULL,
     OF_A},
    {"the neighbour", false, TWICE("s += a[i];", ";", "t += a[j + 1];", "s != t"), CLAIMS, NULL,
     OF_A},
    {"another step, claimed",
     false,
     TWICE("s += a[i];", ";", "t += a[j] | 1;", "s != t"),
     CLAIMS,
     NULL,
     {SUM("{b}")}},
    {"a write in between", false, TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"), CLAIMS,
     NULL, OF_A},
    {"a write at the end", false,
     TWICE("s += a[i];", "if (n) a[n - 1] = 1;", "t += a[j];", "s != t"), CLAIMS, NULL, OF_A},
    {"a write at the first cell", false, TWICE("s += a[i];", "a[0] = 1;", "t += a[j];", "s != t"),
     CLAIMS, NULL, OF_A},
    {"a write through another pointer", false,
     TWICE("s += a[i];", "unsigned *q = k ? a : b; *q = 1;", "t += a[j];", "s != t"), CLAIMS, NULL,
     OF_A},
    {"a write of one byte", false,
     TWICE("s += a[i];", "((char *)a)[k] = 1;", "t += a[j];", "s != t"), CLAIMS, NULL, OF_A},
    {"bytes copied over it", false,
     TWICE("s += a[i];", "__builtin_memcpy(a, b, 7);", "t += a[j];", "s != t"), CLAIMS, NULL, OF_A},
    {"a write in the second loop", false,
     TWICE("s += a[i];", ";", "{ t += a[j]; a[j + 1] = 0; }", "s != t"), CLAIMS, NULL, OF_A},
    {"a write behind the second loop's place", false,
     TWICE("s += a[i];", ";", "{ t += a[j]; a[k] = t; }", "s != t"), CLAIMS, NULL, OF_A},
    {"written after it counted", false,
     TWICE("{ s += a[i]; a[i] = 0; }", ";", "t += a[j];", "s != t"), CLAIMS, NULL, OF_A},
    {"greatest, and one in between",
     false,
     TWICE("if ((int)a[i] > (int)s) s = a[i];", "a[k] = 1;", "if ((int)a[j] > (int)t) t = a[j];",
           "s != t"),
     CLAIMS,
     NULL,
     {GREATEST("{a}")}},
    {"greatest, and the last",
     false,
     TWICE("if ((int)a[i] > (int)s) s = a[i];", ";", "t = a[j];", "s != t"),
     CLAIMS,
     NULL,
     {GREATEST("{a}")}},
    {"how many are 7, and one more",
     false,
     TWICE("if (a[i] == 7) s++;", "a[k] = 7;", "t += a[j] == 7;", "s != t"),
     CLAIMS,
     NULL,
     {SEVENS("{a}")}},
    {"a sum that wraps", false, TWICE("s += a[i];", ";", "t += a[j];", "s < a[k] && k < n"), CLAIMS,
     NULL, OF_A},
    {"from the end but one",
     false,
     DOWN("n - 2", "0", "0"),
     {AND2(INSIDE("{i}", "{n}"), AND2(IS("{t}", ZERO), IS("{s}", FOLD("{i}")))), T_DOWN},
     NULL,
     OF_A},
    {"from the end to the second",
     false,
     DOWN("n - 1", "1", "0"),
     {AND2(INSIDE("{i}", "{n}"), AND2(IS("{t}", ZERO), IS("{s}", FOLD("{i}")))), T_DOWN},
     NULL,
     OF_A},
    {"no swap", false, SWAP("a[i]", "a[j]", "a[m]", "a[k]"), SWAP_CLAIMS, NULL, OF_A},
    {"swaps that add", false, SWAP("a[i]", "a[j]", "a[m] + 1", "x"), SWAP_CLAIMS, NULL, OF_A},
    {"two writes that may be one", false, SWAP("a[i]", "a[j]", "a[m] + 1", "x - 1"), SWAP_CLAIMS,
     NULL, OF_A},
    {"swaps, and the greatest from 0 on",
     false,
     SWAP("a[i]", "a[j]", "a[m]", "0"),
     SWAP_CLAIMS,
     NULL,
     {GREATEST("{a}")}},
    {"prefixes, one too far", false, PREFIX("p[i + 1] = p[i] + a[i];", "n ? n - 1 : 1"),
     PREFIX_CLAIMS, NULL, OF_A},
    {"prefixes of another array", false, PREFIX("p[i + 1] = p[i] + a[i + 1];", "n"), PREFIX_CLAIMS,
     NULL, OF_A},
    {"prefixes over the array itself", false, PREFIX("{ p[i + 1] = p[i] + a[i]; a[i] = 0; }", "n"),
     PREFIX_CLAIMS, NULL, OF_A},

    // what a step may not be
    {"a step without an index",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     CLAIMS,
     NULL,
     {ADD(BEFORE, "{k}")}},
    {"two indices",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     CLAIMS,
     NULL,
     {ADD(ADD(BEFORE, I), "(BV_EXTRACT 31 0 (index bv64))")}},
    {"a value before of another sort",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     CLAIMS,
     NULL,
     {ADD(I, "(BV_EXTRACT 31 0 (before bv64))")}},
    {"a truth",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     CLAIMS,
     NULL,
     {IS(I, ZERO)}},
    {"a fold of itself",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     CLAIMS,
     NULL,
     {ADD(FOLD(I), ONE)}},
    {"a fold of another one",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     CLAIMS,
     NULL,
     {SUM("{a}"), ADD(FOLD(I), ONE)}},
    {"a pointer of an integer",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     CLAIMS,
     NULL,
     {ADD(BEFORE, "(SELECT (memory bv32) (INT_TO_PTR (BV_ZEXT 64 " I ")))")}},
    {"an index that is bound",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     CLAIMS,
     NULL,
     {ADD(I, "(bound 0 bv32)")}},
    {"an index outside of a step",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     {IS(I, I), T_AT_J},
     NULL,
     OF_A},
    {"a fold that there is not",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     {AND2(S_AT_I, IS(OTHER(ZERO), ZERO)), T_AT_J},
     NULL,
     OF_A},
    {"a fold as a whole",
     false,
     TWICE("s += a[i];", "a[k] = 1;", "t += a[j];", "s != t"),
     {AND2(S_AT_I, IS("(fold 1)", "(fold 1)")), T_AT_J},
     NULL,
     OF_A},
    {"with several steps", false, TWICE("s += a[i];", ";", "t += a[j];", "s != t"), CLAIMS,
     "induction 2", OF_A},
};

static void only_right_ones_are_accepted(void **state) {
  (void)state;
  assert_int_equal(by_hand_wrong(rows, sizeof rows / sizeof *rows), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_right_ones_are_accepted)};
  return cmocka_run_group_tests_name("fold forgeries", tests, NULL, NULL);
}
