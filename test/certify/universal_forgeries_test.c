/* Universal facts written by hand for C programs: right ones are accepted; of a program that fails,
 * no certificate is, whatever it says of all elements: a range one too wide, one neighbour too
 * many, an index that wraps, an empty range, arrays that are one, a write in between through a
 * pointer or a char *, a choice that each index makes for itself. */
#include "by_hand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define HEAD                                                  \
  "extern void reach_error(void); extern int nondet(void);\n" \
  "extern unsigned nondet_uint(void);\n"

// the index of 32 bits, a cell of ints at an index, a statement for a range of it
#define X "(bound 0 bv32)"
#define PLUS(t, k) "(BV_ADD " t " (bv 32 " k "))"
#define AT(array, index) \
  "(SELECT (memory bv32) (PTR_ADD " array " (BV_MUL (BV_SEXT 64 " index ") (bv 64 4))))"
#define IN(lo, hi) "(AND (BV_SLE " lo " " X ") (BV_SLT " X " " hi "))"
#define ALL(range, fact) "(FORALL 0 (OR (NOT " range ") " fact "))"
#define ZERO "(bv 32 0)"
#define SEVEN(t) "(EQ (bv 32 7) " t ")"
#define POSITIVE(v) "(BV_SLE " ZERO " " v ")"
#define AND2(a, b) "(AND " a " " b ")"

#define FILL(fill, from, to, check)                                             \
  HEAD "int a[101], b[101];\nint main(void) {\n  int n = nondet();\n"           \
       "  if (n < 0 || n > 100) return 0;\n  for (int i = 0; i < n; i++) " fill \
       "\n"                                                                     \
       "  for (int j = " from "; j " to "; j++) if (!(" check                   \
       ")) reach_error();\n  return 0;\n}\n"

#define GOOD FILL("a[i] = 7;", "0", "< n", "a[j] == 7")
#define FACT_I ALL(IN(ZERO, "{i}"), SEVEN(AT("{a}", X)))
#define FACT_N ALL(IN(ZERO, "{n}"), SEVEN(AT("{a}", X)))
#define AT_I AND2(POSITIVE("{i}"), FACT_I)
#define AT_J AND2(POSITIVE("{j}"), FACT_N)
#define IN_BYTES(f) "(FORALL 0 " f ")"

// a table of 20 rows of 30 columns; the cells before row `rows`, and the first `columns` of a row
#define Y "(bound 1 bv32)"
#define CELL(row, column)                                               \
  "(SELECT (memory bv32) (PTR_ADD {g} (BV_ADD (BV_MUL (BV_SEXT 64 " row \
  ") (bv 64 120)) (BV_MUL "                                             \
  "(BV_SEXT 64 " column ") (bv 64 4)))))"
#define COLUMN(most) "(AND (BV_SLE " ZERO " " Y ") (BV_SLT " Y " " most "))"
#define TABLE(rows, columns)                    \
  "(FORALL 1 (FORALL 0 (OR (NOT (AND " IN(ZERO, \
                                          rows) " " COLUMN(columns) ")) " SEVEN(CELL(X, Y)) ")))"
#define ROW(row, columns) "(FORALL 1 (OR (NOT " COLUMN(columns) ") " SEVEN(CELL(row, Y)) "))"
#define TABLE_PROGRAM(written, rows, asked)                                \
  HEAD "int g[20][30];\nint main(void) {\n"                                \
       "  for (int r = 0; r < " rows "; r++) for (int c = 0; c < " written \
       "; c++) g[r][c] = 7;\n"                                             \
       "  for (int s = 0; s < 20; s++) for (int d = 0; d < " asked         \
       "; d++) if (g[s][d] != 7) reach_error();\n  return 0;\n}\n"
#define INSIDE(v, most) "(AND (BV_SLE " ZERO " " v ") (BV_SLE " v " " most "))"
// at the heads of the inner loops: the others have rows of constants
#define TABLE_CLAIMS(columns)                                      \
  {AND2(AND2(INSIDE("{r}", "(bv 32 19)"), INSIDE("{c}", columns)), \
        AND2(TABLE("{r}", columns), ROW("{r}", "{c}"))),           \
   AND2(AND2(INSIDE("{s}", "(bv 32 19)"), POSITIVE("{d}")), TABLE("(bv 32 20)", columns))}

// the array is sorted before `hi`, and its elements are less than i
#define PAIRS(hi, more)                                                             \
  "(FORALL 1 (FORALL 0 (OR (NOT (AND (AND (BV_SLE " ZERO " " X ") (BV_SLT " X " " Y \
  ")) (AND "                                                                        \
  "(BV_SLT " Y " " hi ") " more "))) (BV_SLE " AT("{a}", X) " " AT("{a}", Y) "))))"
#define SORTED(hi) PAIRS(hi, "TRUE")
#define BELOW_I ALL(IN(ZERO, "{i}"), "(BV_SLT " AT("{a}", X) " {i})")
#define SORTED_I AND2(POSITIVE("{i}"), AND2(SORTED("{i}"), BELOW_I))
#define FROM_1(v) "(BV_SLE (bv 32 1) " v ")"
#define SORTED_J(hi) AND2(FROM_1("{j}"), SORTED(hi))
// noughts, then ones; nothing but the order is said of them before two cells are exchanged
#define EXCHANGE(condition)                                                 \
  HEAD "int a[101];\nint main(void) {\n  int n = nondet(), k = nondet();\n" \
       "  if (n < 2 || n > 100 || k < 0 || k > n - 2) return 0;\n"          \
       "  for (int i = 0; i < n; i++) a[i] = i < 50 ? 0 : 1;\n"             \
       "  for (int d = nondet(); d > 0; d--) continue;\n" condition         \
       "  int t = a[k]; a[k] = a[k + 1]; a[k + 1] = t;\n"                   \
       "  for (int j = 1; j < n; j++) if (a[j - 1] > a[j]) reach_error();\n  return 0;\n}\n"
#define STEPS               \
  AND2(POSITIVE("{i}"),     \
       ALL(IN(ZERO, "{i}"), \
           "(EQ " AT("{a}", X) " (ITE (BV_SLT " X " (bv 32 50)) " ZERO " (bv 32 1)))"))
#define K_INSIDE AND2(POSITIVE("{k}"), "(BV_SLT " PLUS("{k}", "1") " {n})")
#define EXCHANGE_CLAIMS                                     \
  {AND2(AND2(K_INSIDE, "(BV_SLE {n} (bv 32 100))"), STEPS), \
   AND2(AND2(K_INSIDE, "(BV_SLE {n} (bv 32 100))"), SORTED("{n}")), SORTED_J("{n}")}

static const by_hand_row rows[] = {
    {"sorted",
     true,
     FILL("a[i] = i;", "1", "< n", "a[j - 1] <= a[j]"),
     {SORTED_I, SORTED_J("{n}")},
     NULL,
     {NULL}},
    {"sorted one too far",
     false,
     FILL("a[i] = i;", "1", "<= n", "a[j - 1] <= a[j]"),
     {SORTED_I, SORTED_J(PLUS("{n}", "1"))},
     NULL,
     {NULL}},
    {"sorted one too far from the start",
     false,
     FILL("a[i] = i;", "1", "<= n", "a[j - 1] <= a[j]"),
     {AND2(POSITIVE("{i}"), AND2(SORTED(PLUS("{i}", "1")), BELOW_I)), SORTED_J(PLUS("{n}", "1"))},
     NULL,
     {NULL}},
    {"sorted but for one",
     false,
     FILL("a[i] = i == 5 ? 0 : i;", "1", "< n", "a[j - 1] <= a[j]"),
     {SORTED_I, SORTED_J("{n}")},
     NULL,
     {NULL}},
    {"sorted but for a hole, of which all is asked",
     false,
     FILL("a[i] = i == 5 ? 0 : i;", "1", "< n", "a[j - 1] <= a[j]"),
     {AND2(POSITIVE("{i}"), AND2(PAIRS("{i}", "(NOT (EQ " Y " (bv 32 5)))"), BELOW_I)),
      AND2(FROM_1("{j}"), PAIRS("{n}", "(NOT (EQ " Y " (bv 32 5)))"))},
     NULL,
     {NULL}},
    {"sorted the other way round",
     false,
     FILL("a[i] = -i;", "1", "< n", "a[j - 1] <= a[j]"),
     {SORTED_I, SORTED_J("{n}")},
     NULL,
     {NULL}},
    {"one place for both indices",
     false,
     FILL("a[i] = -i;", "1", "< n", "a[j - 1] <= a[j]"),
     {"(FORALL 0 (BV_SLE " AT("{a}", X) " " AT("{a}", X) "))", SORTED_J("{n}")},
     NULL,
     {NULL}},
    {"equal cells of a sorted array are exchanged",
     true,
     EXCHANGE("  if (a[k] != a[k + 1]) return 0;\n"),
     EXCHANGE_CLAIMS,
     NULL,
     {NULL}},
    {"any cells of a sorted array are exchanged",
     false,
     EXCHANGE(""),
     EXCHANGE_CLAIMS,
     NULL,
     {NULL}},
    {"rows and columns",
     true,
     TABLE_PROGRAM("30", "20", "30"),
     TABLE_CLAIMS("(bv 32 30)"),
     NULL,
     {NULL}},
    {"one column too many",
     false,
     TABLE_PROGRAM("29", "20", "30"),
     TABLE_CLAIMS("(bv 32 30)"),
     NULL,
     {NULL}},
    {"one row too many",
     false,
     TABLE_PROGRAM("30", "19", "30"),
     TABLE_CLAIMS("(bv 32 30)"),
     NULL,
     {NULL}},
    {"columns of the next row",
     false,
     TABLE_PROGRAM("30", "20", "31"),
     TABLE_CLAIMS("(bv 32 31)"),
     NULL,
     {NULL}},
    {"a row that overwrites the end of the last one",
     false,
     HEAD "int g[20][30];\nint main(void) {\n"
          "  for (int r = 0; r < 20; r++) for (int c = 0; c < 30; c++) "
          "{ g[r][c] = 7; if (r && !c) (&g[0][0])[30 * r - 1] = 8; }\n"
          "  for (int s = 0; s < 20; s++) for (int d = 0; d < 30; d++) "
          "if (g[s][d] != 7) reach_error();\n  return 0;\n}\n",
     TABLE_CLAIMS("(bv 32 30)"),
     NULL,
     {NULL}},
    {"every element is set", true, GOOD, {AT_I, AT_J}, NULL, {NULL}},
    {"two indices",
     true,
     GOOD,
     {AND2(POSITIVE("{i}"), "(FORALL 1 " FACT_I ")"), AT_J},
     NULL,
     {NULL}},
    {"right facts, and a program that fails",
     false,
     FILL("a[i] = 7;", "0", "<= n", "a[j] == 7"),
     {AT_I, AT_J},
     NULL,
     {NULL}},
    {"a range one too wide",
     false,
     FILL("a[i] = 7;", "0", "<= n", "a[j] == 7"),
     {AND2(POSITIVE("{i}"), ALL(IN(ZERO, PLUS("{i}", "1")), SEVEN(AT("{a}", X)))),
      AND2(POSITIVE("{j}"), ALL(IN(ZERO, PLUS("{n}", "1")), SEVEN(AT("{a}", X))))},
     NULL,
     {NULL}},
    {"a range one too wide, at the second loop only",
     false,
     FILL("a[i] = 7;", "0", "<= n", "a[j] == 7"),
     {AT_I, AND2(POSITIVE("{j}"), ALL(IN(ZERO, PLUS("{n}", "1")), SEVEN(AT("{a}", X))))},
     NULL,
     {NULL}},
    {"a range that begins one too low",
     false,
     FILL("if (i) a[i] = 7;", "0", "< n", "a[j] == 7"),
     {AT_I, AT_J},
     NULL,
     {NULL}},
    {"a range without a lower end",
     false,
     FILL("a[i] = 7;", "-1", "< n", "a[j + 1] == 7"),
     {AND2(POSITIVE("{i}"), ALL("(BV_SLT " X " " PLUS("{i}", "1") ")", SEVEN(AT("{a}", X)))),
      ALL("(BV_SLT " X " " PLUS("{n}", "1") ")", SEVEN(AT("{a}", X)))},
     NULL,
     {NULL}},
    {"one neighbour too many",
     false,
     FILL("a[i] = 7;", "0", "< n", "a[j + 1] == 7"),
     {AND2(POSITIVE("{i}"), ALL(IN(ZERO, "{i}"), SEVEN(AT("{a}", PLUS(X, "1"))))),
      AND2(POSITIVE("{j}"), ALL(IN(ZERO, "{n}"), SEVEN(AT("{a}", PLUS(X, "1")))))},
     NULL,
     {NULL}},
    {"neighbours are equal",
     false,
     FILL("a[i] = i;", "0", "< n", "a[j] == a[j + 1]"),
     {AND2(POSITIVE("{i}"),
           ALL(IN(ZERO, "{i}"), "(EQ " AT("{a}", X) " " AT("{a}", PLUS(X, "1")) ")")),
      AND2(POSITIVE("{j}"),
           ALL(IN(ZERO, "{n}"), "(EQ " AT("{a}", X) " " AT("{a}", PLUS(X, "1")) ")"))},
     NULL,
     {NULL}},
    {"another function of the index",
     false,
     FILL("a[i] = i;", "0", "< n", "a[j] == j + (j == 9)"),
     {AND2(POSITIVE("{i}"), ALL(IN(ZERO, "{i}"), "(EQ " AT("{a}", X) " " X ")")),
      AND2(POSITIVE("{j}"), ALL(IN(ZERO, "{n}"), "(EQ " AT("{a}", X) " " PLUS(X, "0") ")"))},
     NULL,
     {NULL}},
    {"an index that wraps",
     false,
     HEAD "int a[300];\nint main(void) {\n"
          "  for (unsigned i = 0; i < 300; i++) a[(unsigned char)i] = 7;\n"
          "  for (unsigned j = 0; j < 300; j++) if (a[j] != 7) reach_error();\n  return 0;\n}\n",
     {ALL("(BV_ULT " X " {i})", SEVEN(AT("{a}", X))),
      ALL("(BV_ULT " X " (bv 32 300))", SEVEN(AT("{a}", X)))},
     NULL,
     {NULL}},
    {"an index of eight bits for all places",
     false,
     HEAD "int a[300];\nint main(void) {\n"
          "  for (unsigned i = 0; i < 256; i++) a[i] = 7;\n"
          "  for (unsigned j = 0; j < 300; j++) if (a[j] != 7) reach_error();\n  return 0;\n}\n",
     {"TRUE",
      "(FORALL 0 (EQ (bv 32 7) (SELECT (memory bv32) (PTR_ADD {a} (BV_MUL (BV_ZEXT 64 "
      "(bound 0 bv8)) (bv 64 4))))))"},
     NULL,
     {NULL}},
    {"an empty range, then a full one",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {ALL(IN("{n}", ZERO), SEVEN(AT("{a}", X))), AT_J},
     NULL,
     {NULL}},
    {"an empty range that holds the wrong",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {AND2(POSITIVE("{i}"), FACT_I), AT_J},
     NULL,
     {NULL}},
    {"arrays that are one",
     false,
     HEAD "int a[100], b[100];\nint main(void) {\n  int n = nondet();\n"
          "  if (n < 1 || n > 100) return 0;\n  int *q = nondet() ? a : b;\n"
          "  for (int i = 0; i < n; i++) { a[i] = 7; q[0] = 0; }\n"
          "  for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();\n  return 0;\n}\n",
     {AT_I, AT_J},
     NULL,
     {NULL}},
    {"a write in between",
     false,
     HEAD "int a[100];\nint main(void) {\n  int n = nondet();\n"
          "  if (n < 1 || n > 100) return 0;\n  for (int i = 0; i < n; i++) a[i] = 7;\n"
          "  int *p = a + n - 1;\n  *p = 8;\n"
          "  for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();\n  return 0;\n}\n",
     {AT_I, AT_J},
     NULL,
     {NULL}},
    {"a write of one byte in between",
     false,
     HEAD "int a[100];\nint main(void) {\n  int n = nondet(), k = nondet();\n"
          "  if (n < 1 || n > 100 || k < 0 || k >= 4 * n) return 0;\n"
          "  for (int i = 0; i < n; i++) a[i] = 7;\n  ((char *)a)[k] = 1;\n"
          "  for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();\n  return 0;\n}\n",
     {AT_I, AT_J},
     NULL,
     {NULL}},
    {"a write of one byte in the second loop",
     false,
     HEAD "int a[100];\nint main(void) {\n  int n = nondet();\n"
          "  if (n < 2 || n > 100) return 0;\n  for (int i = 0; i < n; i++) a[i] = 7;\n"
          "  for (int j = 0; j < n; j++) {\n    if (a[j] != 7) reach_error();\n"
          "    ((char *)a)[4 * n - 1] = 1;\n  }\n  return 0;\n}\n",
     {AT_I, AT_J},
     NULL,
     {NULL}},
    {"bytes copied over it",
     false,
     HEAD "int a[100], b[100];\nint main(void) {\n  int n = nondet();\n"
          "  if (n < 2 || n > 100) return 0;\n  for (int i = 0; i < n; i++) a[i] = 7;\n"
          "  __builtin_memcpy(a, b, 5);\n"
          "  for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();\n  return 0;\n}\n",
     {AT_I, AT_J},
     NULL,
     {NULL}},
    {"for each index one of two formulas",
     false,
     FILL("a[i] = nondet() ? 7 : 8;", "0", "< n - 1", "a[j] == a[j + 1]"),
     {AND2(POSITIVE("{i}"), FACT_I) "|" AND2(
          POSITIVE("{i}"), ALL(IN(ZERO, "{i}"), "(EQ (bv 32 8) " AT("{a}", X) ")")),
      AT_J "|" AND2(POSITIVE("{j}"), ALL(IN(ZERO, "{n}"), "(EQ (bv 32 8) " AT("{a}", X) ")"))},
     NULL,
     {NULL}},
    {"no value has all values",
     false,
     GOOD,
     {"(FORALL 0 (EQ " X " " ZERO "))", AT_J},
     NULL,
     {NULL}},
    {"a counter that is every value",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {"(FORALL 0 (EQ " X " {i}))", AT_J},
     NULL,
     {NULL}},
    {"a quantifier under a negation",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {"TRUE", "(NOT (FORALL 0 (EQ " X " {j})))"},
     NULL,
     {NULL}},
    {"a quantifier in a disjunction",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {"TRUE", "(OR " FACT_N " (EQ {j} " ZERO "))"},
     NULL,
     {NULL}},
    {"there is an index",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {"TRUE", "(EXISTS 0 (EQ " X " {j}))"},
     NULL,
     {NULL}},
    {"there is an index, for all",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {"TRUE", "(FORALL 1 (EXISTS 0 (EQ " X " {j})))"},
     NULL,
     {NULL}},
    {"a pointer as an index",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {"TRUE", "(FORALL 0 " SEVEN("(SELECT (memory bv32) (bound 0 ptr))") ")"},
     NULL,
     {NULL}},
    {"with several steps",
     false,
     FILL(";", "0", "< n", "a[j] == 7"),
     {AT_I, AT_J},
     "induction 2",
     {NULL}},
    {"with one step, said", true, GOOD, {AT_I, AT_J}, "induction 1", {NULL}},
};

static void only_right_ones_are_accepted(void **state) {
  (void)state;
  assert_int_equal(by_hand_wrong(rows, sizeof rows / sizeof *rows), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_right_ones_are_accepted)};
  return cmocka_run_group_tests_name("universal forgeries", tests, NULL, NULL);
}
