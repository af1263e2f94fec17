/* The statements about paths that path_axioms.c asserts, tried on all small heaps: each on every
 * choice of elements, before and behind every change of one cell or two. A statement that is not a
 * theorem would be found here, or in the heaps of the analyses' tests; path_axioms.c gives the
 * reasons. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 5, FIELDS = 2 };

/* Elements 0 .. n - 1 are cells, n is a stranger; -1 is null. */
typedef struct {
  int n, n_fields;
  int field[MOST][FIELDS];
} heap;

/* X: some number of steps; C: one or more, back to the start. */
typedef struct {
  bool path[MOST][MOST], cycle[MOST];
} paths;

static paths paths_of(const heap *h, const bool *closed) {
  paths x = {0};
  const int m = h->n + 1;
  for (int a = 0; a < m; a++) {
    x.path[a][a] = true;
    for (int f = 0; f < h->n_fields && a < h->n; f++)
      if (h->field[a][f] >= 0 && !(closed && closed[a])) x.path[a][h->field[a][f]] = true;
  }
  for (int c = 0; c < m; c++)
    for (int a = 0; a < m; a++)
      for (int b = 0; b < m; b++) x.path[a][b] = x.path[a][b] || (x.path[a][c] && x.path[c][b]);
  for (int a = 0; a < h->n; a++)
    for (int f = 0; f < h->n_fields; f++)
      if (h->field[a][f] >= 0 && !(closed && closed[a]) && x.path[h->field[a][f]][a])
        x.cycle[a] = true;
  return x;
}

/* The value of the field, if it leads somewhere. */
static bool leads(const heap *h, const bool *closed, int a, int f, int *to) {
  if (a >= h->n || (closed && closed[a]) || h->field[a][f] < 0) return false;
  *to = h->field[a][f];
  return true;
}

static void holds_in_one(const heap *h, const bool *closed, const paths *x) {
  const int m = h->n + 1;
  for (int a = 0; a < m; a++) {
    bool around = false;
    for (int f = 0, c; f < h->n_fields; f++) {
      if (!leads(h, closed, a, f, &c)) continue;
      around = around || x->path[c][a];
      assert_true(x->path[a][c]);                   // steps
      if (x->path[c][a]) assert_true(x->cycle[a]);  // cycles
    }
    if (x->cycle[a]) assert_true(around);
    for (int b = 0; b < m; b++) {
      bool first = a == b;
      for (int f = 0, c; f < h->n_fields; f++)
        first = first || (leads(h, closed, a, f, &c) && c != a && x->path[c][b]);
      if (x->path[a][b]) assert_true(first);  // the step that leaves a for the last time
      int next = b;
      if (h->n_fields == 1 && a != b && x->path[a][b])  // steps, of one field
        assert_true(leads(h, closed, a, 0, &next) && x->path[next][b]);
      if (a != b && x->path[a][b] && x->path[b][a]) assert_true(x->cycle[a]);
      if (h->n_fields == 1 && x->cycle[a] && x->path[a][b]) assert_true(x->path[b][a]);
      for (int c = 0; c < m; c++) {
        if (x->path[a][b] && x->path[b][c]) assert_true(x->path[a][c]);  // transitive
        if (h->n_fields == 1 && x->path[a][b] && x->path[a][c])
          assert_true(x->path[b][c] || x->path[c][b]);
      }
    }
  }
}

/* Where no field leads, no path of a step or more does. */
static void holds_of_unreached(const heap *h, const paths *x) {
  for (int b = 0; b <= h->n; b++) {
    bool is_reached = false;
    for (int a = 0; a < h->n; a++)
      for (int f = 0, c = -1; f < h->n_fields; f++)
        is_reached = is_reached || (leads(h, NULL, a, f, &c) && c == b);
    for (int a = 0; a <= h->n && !is_reached; a++)
      if (x->path[a][b]) assert_true(a == b && !x->cycle[b]);
  }
}

/* The first of the changed cells that a path leaves is u, the last v. */
static bool through(const heap *h, const bool *changed, const paths *x, const paths *rest, int a,
                    int b) {
  for (int u = 0; u < h->n; u++)
    for (int v = 0; v < h->n; v++)
      for (int f = 0, c; f < h->n_fields; f++)
        if (changed[u] && changed[v] && rest->path[a][u] && x->path[u][v] &&
            leads(h, NULL, v, f, &c) && rest->path[c][b])
          return true;
  return false;
}

static void holds_across(const heap *h, const bool *changed, const paths *x, const paths *rest) {
  for (int a = 0; a <= h->n; a++) {
    if (rest->cycle[a]) assert_true(x->cycle[a]);
    if (x->cycle[a]) assert_true(rest->cycle[a] || through(h, changed, x, rest, a, a));
    for (int b = 0; b <= h->n; b++) {
      if (rest->path[a][b]) assert_true(x->path[a][b]);
      if (x->path[a][b]) assert_true(rest->path[a][b] || through(h, changed, x, rest, a, b));
    }
  }
}

/* h with other fields in the cells that changed: `after`. */
static void try_change(const heap *before, const heap *after, const bool *changed) {
  paths b = paths_of(before, NULL), a = paths_of(after, NULL), rest = paths_of(before, changed),
        again = paths_of(after, changed);
  assert_memory_equal(&rest, &again, sizeof rest);  // what did not change has the same paths
  holds_in_one(before, changed, &rest);
  holds_across(before, changed, &b, &rest);
  holds_across(after, changed, &a, &rest);
}

/* Number k as values of the fields of these cells, base n + 2; false: it is too large. */
static bool fill(heap *h, const bool *cells, uint64_t k) {
  for (int a = 0; a < h->n; a++)
    for (int f = 0; f < h->n_fields && (!cells || cells[a]); f++, k /= (uint64_t)h->n + 2)
      h->field[a][f] = (int)(k % ((uint64_t)h->n + 2)) - 1;
  return k == 0;
}

static void try_all(int n, int n_fields, int most_changed) {
  heap h = {.n = n, .n_fields = n_fields};
  for (uint64_t k = 0; fill(&h, NULL, k); k++) {
    paths x = paths_of(&h, NULL);
    holds_in_one(&h, NULL, &x);
    holds_of_unreached(&h, &x);
    for (int u = 0; u < n; u++)
      for (int v = u; v < n && (v == u || most_changed == 2); v++) {
        bool changed[MOST] = {0};
        changed[u] = changed[v] = true;
        heap after = h;
        for (uint64_t c = 0; fill(&after, changed, c); c++) try_change(&h, &after, changed);
      }
  }
}

static void lists(void **unused) {
  (void)unused;
  for (int n = 0; n <= 3; n++) try_all(n, 1, 2);
  try_all(4, 1, 1);
}

static void two_fields(void **unused) {
  (void)unused;
  try_all(1, 2, 1);
  try_all(2, 2, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists), cmocka_unit_test(two_fields)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
