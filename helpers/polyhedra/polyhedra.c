/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * twoproof-polyhedra: convex polyhedra on standard input and output.
 *
 * This program links the Parma Polyhedra Library, which is under the GNU General Public License,
 * and so it is under that licence itself (version 3 or later). The rest of Twoproof does not link
 * it; it starts it as a process and speaks the language below.
 *
 * One request per line, numbers in decimal, of any size:
 *
 *   minimize D P        the same set, fewest constraints
 *   meet D P P          intersection
 *   hull D P P          convex hull of the union
 *   includes D P P      is the second inside the first?
 *   widen D P P P       the first, inside the second, widened to it; of the third those constraints
 *   stay that the second satisfies
 *   forget D P i        x_i may be anything
 *   box D P             the bounds of single variables
 *
 *   P = empty | n C .. C  (n constraints)      C = (= | >=) c_1 .. c_D k    sum of c_i x_i + k (=
 *   or >=) 0
 *
 * One answer per line: (poly C' .. C') with C' a constraint in parentheses, (empty), (yes), (no),
 * (limit), (overflow), (error).
 *
 * Every operation has a limit of the library's own weight of work, which does not depend on the
 * machine. The program keeps nothing from one request to the next. */
#include <gmp.h>
#include <limits.h>
#include <ppl_c.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHT = 10000000, DIMENSIONS_MAX = 32, CONSTRAINTS_MAX = 4096, POLYHEDRA_MAX = 3 };

typedef enum { DONE, YES, NO, LIMIT, OVERFLOW, FAILED } outcome;

typedef struct {
  char *rest;  // of the line
  bool failed;
} words;

static const char *next_word(words *w) {
  while (*w->rest == ' ') w->rest++;
  char *start = w->rest;
  while (*w->rest && *w->rest != ' ') w->rest++;
  if (w->rest == start) w->failed = true;
  if (*w->rest) *w->rest++ = '\0';
  return start;
}

static unsigned long next_count(words *w, unsigned long most) {
  char *end;
  const char *word = next_word(w);
  unsigned long n = strtoul(word, &end, 10);
  if (*end || n > most) w->failed = true;
  return w->failed ? 0 : n;
}

/* Answers of the library: what they mean for an operation. */
static outcome outcome_of(int answer) {
  if (answer >= 0) return DONE;
  return answer == PPL_TIMEOUT_EXCEPTION || answer == PPL_ERROR_OUT_OF_MEMORY ? LIMIT : FAILED;
}

// --------------------------------------------------------------------- reading

static void read_number(words *w, mpz_t z, ppl_Coefficient_t to) {
  const char *word = next_word(w);
  if (w->failed || mpz_set_str(z, word, 10) != 0) {
    w->failed = true;
    mpz_set_ui(z, 0);
  }
  ppl_assign_Coefficient_from_mpz_t(to, z);
}

static void read_constraint(words *w, unsigned long d, mpz_t z, ppl_Coefficient_t c,
                            ppl_Constraint_System_t to) {
  const char *relation = next_word(w);
  bool equal = strcmp(relation, "=") == 0;
  if (!equal && strcmp(relation, ">=") != 0) w->failed = true;
  ppl_Linear_Expression_t e;
  ppl_Constraint_t constraint;
  ppl_new_Linear_Expression_with_dimension(&e, d);
  for (unsigned long i = 0; i < d && !w->failed; i++) {
    read_number(w, z, c);
    ppl_Linear_Expression_add_to_coefficient(e, i, c);
  }
  if (!w->failed) read_number(w, z, c);
  ppl_Linear_Expression_add_to_inhomogeneous(e, c);
  ppl_new_Constraint(&constraint, e,
                     equal ? PPL_CONSTRAINT_TYPE_EQUAL : PPL_CONSTRAINT_TYPE_GREATER_OR_EQUAL);
  ppl_Constraint_System_insert_Constraint(to, constraint);
  ppl_delete_Constraint(constraint);
  ppl_delete_Linear_Expression(e);
}

/* The constraints of a polyhedron; of the empty one, 0 >= 1. */
static void read_constraints(words *w, unsigned long d, ppl_Constraint_System_t *to) {
  ppl_new_Constraint_System(to);
  while (*w->rest == ' ') w->rest++;
  if (strncmp(w->rest, "empty", 5) == 0) {
    (void)next_word(w);
    ppl_delete_Constraint_System(*to);
    ppl_new_Constraint_System_zero_dim_empty(to);
    return;
  }
  mpz_t z;
  ppl_Coefficient_t c;
  mpz_init(z);
  ppl_new_Coefficient(&c);
  unsigned long n = next_count(w, CONSTRAINTS_MAX);
  for (unsigned long i = 0; i < n && !w->failed; i++) read_constraint(w, d, z, c, *to);
  ppl_delete_Coefficient(c);
  mpz_clear(z);
}

// --------------------------------------------------------------------- writing

static void print_number(ppl_Coefficient_t c, mpz_t z) {
  ppl_Coefficient_to_mpz_t(c, z);
  gmp_printf(" %Zd", z);
}

static bool fits(ppl_const_Constraint_t constraint, unsigned long d, ppl_Coefficient_t c, mpz_t z) {
  for (unsigned long i = 0; i <= d; i++) {
    if (i < d)
      ppl_Constraint_coefficient(constraint, i, c);
    else
      ppl_Constraint_inhomogeneous_term(constraint, c);
    ppl_Coefficient_to_mpz_t(c, z);
    if (!mpz_fits_slong_p(z)) return false;
  }
  return true;
}

static void print_constraint(ppl_const_Constraint_t constraint, unsigned long d,
                             ppl_Coefficient_t c, mpz_t z) {
  printf(ppl_Constraint_type(constraint) == PPL_CONSTRAINT_TYPE_EQUAL ? " (=" : " (>=");
  for (unsigned long i = 0; i < d; i++) {
    ppl_Constraint_coefficient(constraint, i, c);
    print_number(c, z);
  }
  ppl_Constraint_inhomogeneous_term(constraint, c);
  print_number(c, z);
  putchar(')');
}

/* Two rounds over the constraints: do all numbers fit, then print. */
static outcome print_constraints(ppl_const_Constraint_System_t system, unsigned long d) {
  ppl_Constraint_System_const_iterator_t it, end;
  ppl_Coefficient_t c;
  mpz_t z;
  bool ok = true;
  ppl_new_Constraint_System_const_iterator(&it);
  ppl_new_Constraint_System_const_iterator(&end);
  ppl_new_Coefficient(&c);
  mpz_init(z);
  ppl_Constraint_System_end(system, end);
  for (int printing = 0; printing <= 1 && ok; printing++) {
    if (printing) printf("(poly");
    for (ppl_Constraint_System_begin(system, it);
         ok && !ppl_Constraint_System_const_iterator_equal_test(it, end);
         ppl_Constraint_System_const_iterator_increment(it)) {
      ppl_const_Constraint_t constraint;
      ppl_Constraint_System_const_iterator_dereference(it, &constraint);
      if (printing)
        print_constraint(constraint, d, c, z);
      else
        ok = fits(constraint, d, c, z);
    }
  }
  if (ok) printf(")\n");
  mpz_clear(z);
  ppl_delete_Coefficient(c);
  ppl_delete_Constraint_System_const_iterator(end);
  ppl_delete_Constraint_System_const_iterator(it);
  return ok ? DONE : OVERFLOW;
}

static outcome print_polyhedron(ppl_Polyhedron_t p, unsigned long d) {
  int empty = ppl_Polyhedron_is_empty(p);
  ppl_const_Constraint_System_t system;
  if (empty < 0) return outcome_of(empty);
  if (empty) {
    printf("(empty)\n");
    return DONE;
  }
  int answer = ppl_Polyhedron_get_minimized_constraints(p, &system);
  return answer < 0 ? outcome_of(answer) : print_constraints(system, d);
}

// ------------------------------------------------------------------ operations

/* The bounds of x_i, as constraints added to `to`. */
static int add_bounds(ppl_Polyhedron_t p, unsigned long d, unsigned long i,
                      ppl_Constraint_System_t to) {
  ppl_Linear_Expression_t e, bound;
  ppl_Coefficient_t one, n, by;
  ppl_Constraint_t constraint;
  mpz_t z;
  int answer = 0;
  mpz_init_set_ui(z, 1);
  ppl_new_Coefficient_from_mpz_t(&one, z);
  ppl_new_Coefficient(&n);
  ppl_new_Coefficient(&by);
  ppl_new_Linear_Expression_with_dimension(&e, d);
  ppl_Linear_Expression_add_to_coefficient(e, i, one);
  for (int upper = 0; upper <= 1 && answer >= 0; upper++) {
    int exact;
    answer = upper ? ppl_Polyhedron_maximize(p, e, n, by, &exact)
                   : ppl_Polyhedron_minimize(p, e, n, by, &exact);
    if (answer <= 0) continue;                            // no bound
    ppl_new_Linear_Expression_with_dimension(&bound, d);  // by * x_i - n
    ppl_Linear_Expression_add_to_coefficient(bound, i, by);
    ppl_Coefficient_to_mpz_t(n, z);
    mpz_neg(z, z);
    ppl_assign_Coefficient_from_mpz_t(n, z);
    ppl_Linear_Expression_add_to_inhomogeneous(bound, n);
    ppl_new_Constraint(
        &constraint, bound,
        upper ? PPL_CONSTRAINT_TYPE_LESS_OR_EQUAL : PPL_CONSTRAINT_TYPE_GREATER_OR_EQUAL);
    ppl_Constraint_System_insert_Constraint(to, constraint);
    ppl_delete_Constraint(constraint);
    ppl_delete_Linear_Expression(bound);
  }
  ppl_delete_Linear_Expression(e);
  ppl_delete_Coefficient(by);
  ppl_delete_Coefficient(n);
  ppl_delete_Coefficient(one);
  mpz_clear(z);
  return answer;
}

static int make_box(ppl_Polyhedron_t *p, unsigned long d) {
  ppl_Constraint_System_t bounds;
  int answer = ppl_Polyhedron_is_empty(*p);
  if (answer != 0) return answer;  // empty: as it is
  ppl_new_Constraint_System(&bounds);
  for (unsigned long i = 0; i < d && answer >= 0; i++) answer = add_bounds(*p, d, i, bounds);
  if (answer >= 0) {
    ppl_delete_Polyhedron(*p);
    answer = ppl_new_C_Polyhedron_from_space_dimension(p, d, 0);
    answer = answer < 0 ? answer : ppl_Polyhedron_add_constraints(*p, bounds);
  }
  ppl_delete_Constraint_System(bounds);
  return answer;
}

/* p[1] := p[0] widened to p[1]. BHRZ03 may answer with p[1] itself, where that is progress enough
 * for chains to end (the dimension has grown, say); who asks wants to know where it leads, so then
 * it is the widening of 1979, which BHRZ03 is never less precise than: chains end as well. */
static int widen(ppl_Polyhedron_t p[], ppl_Constraint_System_t landmarks) {
  ppl_Polyhedron_t to;
  int answer = ppl_Polyhedron_contains_Polyhedron(p[1], p[0]);
  if (answer == 0)
    answer = ppl_Polyhedron_poly_hull_assign(p[1], p[0]);  // the library asks for inclusion
  if (answer < 0) return answer;
  answer = ppl_new_C_Polyhedron_from_C_Polyhedron(&to, p[1]);
  if (answer < 0) return answer;
  answer = ppl_Polyhedron_limited_BHRZ03_extrapolation_assign(p[1], p[0], landmarks);
  if (answer >= 0) answer = ppl_Polyhedron_contains_Polyhedron(to, p[1]);
  if (answer > 0) answer = ppl_Polyhedron_limited_H79_extrapolation_assign(p[1], p[0], landmarks);
  ppl_delete_Polyhedron(to);
  return answer;
}

typedef enum { MINIMIZE, MEET, HULL, INCLUDES, WIDEN, FORGET, BOX, N_OPS } operation;
static const struct {
  const char *name;
  int polyhedra;
} operations[N_OPS] = {{"minimize", 1}, {"meet", 2},   {"hull", 2}, {"includes", 2},
                       {"widen", 3},    {"forget", 1}, {"box", 1}};

/* system[i]: the constraints of p[i], which is empty space so far. What is computed is printed. */
static outcome compute(operation op, unsigned long d, unsigned long i, ppl_Polyhedron_t p[],
                       ppl_Constraint_System_t system[]) {
  int answer = 0;
  for (int k = 0; k < operations[op].polyhedra && answer >= 0; k++)
    answer = ppl_Polyhedron_add_constraints(p[k], system[k]);
  if (answer < 0) return outcome_of(answer);
  ppl_dimension_type dimension = i;
  ppl_Polyhedron_t *result = &p[0];
  switch (op) {
    case MINIMIZE: break;
    case MEET: answer = ppl_Polyhedron_intersection_assign(p[0], p[1]); break;
    case HULL: answer = ppl_Polyhedron_poly_hull_assign(p[0], p[1]); break;
    case INCLUDES:
      answer = ppl_Polyhedron_contains_Polyhedron(p[0], p[1]);
      return answer < 0 ? outcome_of(answer) : answer ? YES : NO;
    case WIDEN: answer = widen(p, system[2]), result = &p[1]; break;
    case FORGET: answer = ppl_Polyhedron_unconstrain_space_dimensions(p[0], &dimension, 1); break;
    case BOX: answer = make_box(&p[0], d); break;
    case N_OPS: break;
  }
  return answer < 0 ? outcome_of(answer) : print_polyhedron(*result, d);
}

static outcome serve(char *line) {
  words w = {.rest = line};
  const char *name = next_word(&w);
  operation op = MINIMIZE;
  while (op < N_OPS && strcmp(operations[op].name, name) != 0) op++;
  unsigned long d = next_count(&w, DIMENSIONS_MAX), i = 0;
  if (op == N_OPS || w.failed || d == 0) return FAILED;
  ppl_Constraint_System_t system[POLYHEDRA_MAX];
  ppl_Polyhedron_t p[POLYHEDRA_MAX];
  for (int k = 0; k < operations[op].polyhedra; k++) {
    read_constraints(&w, d, &system[k]);
    ppl_new_C_Polyhedron_from_space_dimension(&p[k], d, 0);
  }
  if (op == FORGET) i = next_count(&w, d - 1);
  while (*w.rest == ' ') w.rest++;
  outcome r = FAILED;
  if (!w.failed && !*w.rest) {
    ppl_set_deterministic_timeout(WEIGHT, 0);
    r = compute(op, d, i, p, system);
    ppl_reset_deterministic_timeout();
  }
  for (int k = 0; k < operations[op].polyhedra; k++) {
    ppl_delete_Polyhedron(p[k]);
    ppl_delete_Constraint_System(system[k]);
  }
  return r;
}

int main(void) {
  char *line = NULL;
  size_t size = 0;
  ssize_t n;
  if (ppl_initialize() < 0) return 1;
  while ((n = getline(&line, &size, stdin)) > 0) {
    if (line[n - 1] == '\n') line[n - 1] = '\0';
    switch (serve(line)) {
      case DONE: break;
      case YES: puts("(yes)"); break;
      case NO: puts("(no)"); break;
      case LIMIT: puts("(limit)"); break;
      case OVERFLOW: puts("(overflow)"); break;
      case FAILED: puts("(error)"); break;
    }
    fflush(stdout);
  }
  free(line);
  ppl_finalize();
  return 0;
}
