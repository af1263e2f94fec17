/* Certificates of invariants written by hand for C programs.
 *
 * What       rows of a program, what is claimed at the heads of main's loops, and whether the
 *            checker is to accept it. SHOW=1 in the environment prints each answer.
 * Cost       one check of a certificate for each row. */
#ifndef TP_TEST_CERTIFY_BY_HAND_H
#define TP_TEST_CERTIFY_BY_HAND_H

#include <stdbool.h>
#include <stddef.h>

enum { BY_HAND_MOST_HEADS = 4 };

/* What is claimed at the heads of main's loops, in their order: {v} is variable v, or the address
 * of the static v. A second formula for the same head stands behind |. */
typedef struct {
  const char *name;
  bool is_right;
  const char *source, *claims[BY_HAND_MOST_HEADS];
  const char *extra;                      // a line of the certificate, or NULL
  const char *folds[BY_HAND_MOST_HEADS];  // steps of folds 1, 2, ...
} by_hand_row;

/* How many rows have another answer than the expected one; each is printed. */
int by_hand_wrong(const by_hand_row *rows, size_t n);

#endif
