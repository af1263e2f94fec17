/* Types of relations. Products of sets are closed under join, product and intersection, so a type
 * is a list of them, and an operator works on all pairs. Closures work on the graph of a binary
 * type, one row of bits for each basic type (Warshall). Lists are kept short: a product within
 * another one is left out, and two that differ in one column only become one. Precision is lost
 * only where a list exceeds its limit. */
#include "contracts/spec/reltype.h"

#include "contracts/contracts_limits.h"

tp_reltypes tp_reltypes_of(tp_arena *a, uint32_t n_basics) {
  TP_REQUIRE(a && n_basics > 0);
  return (tp_reltypes){a, n_basics, (n_basics + 63) / 64};
}

// ----------------------------------------------------------------------- lists

typedef struct {
  const tp_reltypes *t;
  TP_VEC(tp_product) all;
} list;

static const uint64_t *column(const tp_reltypes *t, const tp_product *p, uint32_t i) {
  TP_REQUIRE(i < p->arity);
  return p->columns + (size_t)i * t->words;
}

static bool is_within(const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    if (a[i] & ~b[i]) return false;
  return true;
}

/* How many columns of a are not within those of b, and the last such. */
static uint32_t n_outside(const tp_reltypes *t, const tp_product *a, const tp_product *b,
                          uint32_t *which) {
  TP_REQUIRE(a->arity == b->arity);
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->arity; i++)
    if (!is_within(column(t, a, i), column(t, b, i), t->words)) n++, *which = i;
  return n;
}

static uint64_t *new_columns(const tp_reltypes *t, uint32_t arity) {
  return tp_arena_array(t->arena, uint64_t, arity * t->words + 1);
}

/* Column by column the union. */
static tp_product hull(const tp_reltypes *t, const tp_product *a, const tp_product *b) {
  TP_REQUIRE(a->arity == b->arity);
  uint64_t *columns = new_columns(t, a->arity);
  for (uint32_t i = 0; i < a->arity * t->words; i++) columns[i] = a->columns[i] | b->columns[i];
  return (tp_product){a->arity, columns};
}

static void add(list *l, tp_product p) {
  uint32_t here = 0, there = 0, n = 0;
  for (size_t i = 0; i < l->all.n; i++) {
    const tp_product *q = &l->all.at[i];
    if (q->arity != p.arity) continue;
    n++;
    const uint32_t outside = n_outside(l->t, &p, q, &here);
    if (outside == 0) return;
    const uint32_t left = n_outside(l->t, q, &p, &there);
    const bool merge = left == 0 || (outside == 1 && left == 1 && here == there);
    if (!merge) continue;
    p = left == 0 ? p : hull(l->t, &p, q);
    l->all.at[i] = tp_vec_last(&l->all);
    l->all.n--;
    add(l, p);
    return;
  }
  if (n < TP_CONTRACTS_TYPE_PRODUCTS) {
    tp_vec_push(&l->all, p);
    return;
  }
  for (size_t i = 0; i < l->all.n;)  // too many: one that holds them all
    if (l->all.at[i].arity == p.arity) {
      p = hull(l->t, &p, &l->all.at[i]);
      l->all.at[i] = tp_vec_last(&l->all);
      l->all.n--;
    } else {
      i++;
    }
  tp_vec_push(&l->all, p);
}

static void add_all(list *l, tp_reltype a) {
  for (uint32_t i = 0; i < a.n; i++) add(l, a.at[i]);
}

static tp_reltype done(list *l) {
  tp_product *at = tp_arena_array(l->t->arena, tp_product, l->all.n ? l->all.n : 1);
  if (l->all.n) memcpy(at, l->all.at, l->all.n * sizeof *at);
  tp_reltype a = {at, (uint32_t)l->all.n};
  TP_INVARIANT(tp_reltype_check(l->t, a));
  tp_vec_clear(&l->all);
  return a;
}

// ------------------------------------------------------------------------- sets

static tp_reltype single(const tp_reltypes *t, uint32_t arity, const uint64_t *columns) {
  TP_REQUIRE(arity > 0 && arity <= TP_CONTRACTS_TYPE_ARITY);
  tp_product *p = tp_arena_new(t->arena, tp_product);
  *p = (tp_product){arity, columns};
  return (tp_reltype){p, 1};
}

tp_reltype tp_reltype_basic(const tp_reltypes *t, uint32_t basic) {
  TP_REQUIRE(basic < t->n_basics);
  uint64_t *bits = new_columns(t, 1);
  bits[basic / 64] |= (uint64_t)1 << basic % 64;
  return single(t, 1, bits);
}

static bool is_empty(const uint64_t *bits, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    if (bits[i]) return false;
  return true;
}

tp_reltype tp_reltype_set(const tp_reltypes *t, const uint64_t *bits) {
  if (is_empty(bits, t->words)) return TP_RELTYPE_EMPTY;
  uint64_t *own = new_columns(t, 1);
  memcpy(own, bits, t->words * sizeof *own);
  return single(t, 1, own);
}

tp_reltype tp_reltype_all(const tp_reltypes *t) {
  uint64_t *bits = new_columns(t, 1);
  for (uint32_t i = 0; i < t->n_basics; i++) bits[i / 64] |= (uint64_t)1 << i % 64;
  return single(t, 1, bits);
}

tp_reltype tp_reltype_iden(const tp_reltypes *t) {
  tp_product *at = tp_arena_array(t->arena, tp_product, t->n_basics);
  for (uint32_t i = 0; i < t->n_basics; i++) {
    uint64_t *columns = new_columns(t, 2);
    columns[i / 64] = columns[t->words + i / 64] = (uint64_t)1 << i % 64;
    at[i] = (tp_product){2, columns};
  }
  return (tp_reltype){at, t->n_basics};
}

// -------------------------------------------------------------------- operators

tp_reltype tp_reltype_union(const tp_reltypes *t, tp_reltype a, tp_reltype b) {
  list l = {.t = t};
  add_all(&l, a);
  add_all(&l, b);
  return done(&l);
}

/* Products of equal arity: column by column; false: one column is empty. */
static bool meet(const tp_reltypes *t, const tp_product *a, const tp_product *b, tp_product *out) {
  if (a->arity != b->arity) return false;
  uint64_t *columns = new_columns(t, a->arity);
  for (uint32_t i = 0; i < a->arity * t->words; i++) columns[i] = a->columns[i] & b->columns[i];
  for (uint32_t i = 0; i < a->arity; i++)
    if (is_empty(columns + (size_t)i * t->words, t->words)) return false;
  *out = (tp_product){a->arity, columns};
  return true;
}

tp_reltype tp_reltype_intersection(const tp_reltypes *t, tp_reltype a, tp_reltype b) {
  list l = {.t = t};
  tp_product p;
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++)
      if (meet(t, &a.at[i], &b.at[k], &p)) add(&l, p);
  return done(&l);
}

/* Columns i .. i + n of p to `to`. */
static void copy_columns(const tp_reltypes *t, uint64_t *to, const tp_product *p, uint32_t i,
                         uint32_t n) {
  TP_REQUIRE(i + n <= p->arity);
  if (n) memcpy(to, column(t, p, i), (size_t)n * t->words * sizeof *to);
}

static tp_product chain(const tp_reltypes *t, const tp_product *a, uint32_t n_a,
                        const tp_product *b, uint32_t from_b) {
  TP_REQUIRE(n_a <= a->arity && from_b <= b->arity);
  const uint32_t n_b = b->arity - from_b;
  uint64_t *columns = new_columns(t, n_a + n_b);
  copy_columns(t, columns, a, 0, n_a);
  copy_columns(t, columns + (size_t)n_a * t->words, b, from_b, n_b);
  return (tp_product){n_a + n_b, columns};
}

tp_reltype tp_reltype_product(const tp_reltypes *t, tp_reltype a, tp_reltype b) {
  list l = {.t = t};
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++)
      if (a.at[i].arity + b.at[k].arity <= TP_CONTRACTS_TYPE_ARITY)
        add(&l, chain(t, &a.at[i], a.at[i].arity, &b.at[k], 0));
  return done(&l);
}

/* Can the last column of a meet the first of b? */
static bool is_linked(const tp_reltypes *t, const tp_product *a, const tp_product *b) {
  const uint64_t *x = column(t, a, a->arity - 1), *y = column(t, b, 0);
  for (uint32_t i = 0; i < t->words; i++)
    if (x[i] & y[i]) return a->arity + b->arity > 2;
  return false;
}

tp_reltype tp_reltype_join(const tp_reltypes *t, tp_reltype a, tp_reltype b) {
  list l = {.t = t};
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++)
      if (is_linked(t, &a.at[i], &b.at[k]))
        add(&l, chain(t, &a.at[i], a.at[i].arity - 1, &b.at[k], 1));
  return done(&l);
}

tp_reltype tp_reltype_transpose(const tp_reltypes *t, tp_reltype a) {
  list l = {.t = t};
  for (uint32_t i = 0; i < a.n; i++) {
    if (a.at[i].arity != 2) continue;
    uint64_t *columns = new_columns(t, 2);
    copy_columns(t, columns, &a.at[i], 1, 1);
    copy_columns(t, columns + t->words, &a.at[i], 0, 1);
    add(&l, (tp_product){2, columns});
  }
  return done(&l);
}

static tp_reltype restricted(const tp_reltypes *t, tp_reltype s, tp_reltype r, bool at_end) {
  list l = {.t = t};
  for (uint32_t i = 0; i < s.n; i++)
    for (uint32_t k = 0; k < r.n; k++) {
      if (s.at[i].arity != 1) continue;
      const tp_product *p = &r.at[k];
      uint64_t *columns = new_columns(t, p->arity);
      copy_columns(t, columns, p, 0, p->arity);
      uint64_t *c = columns + (size_t)(at_end ? p->arity - 1 : 0) * t->words;
      for (uint32_t w = 0; w < t->words; w++) c[w] &= s.at[i].columns[w];
      if (!is_empty(c, t->words)) add(&l, (tp_product){p->arity, columns});
    }
  return done(&l);
}

tp_reltype tp_reltype_domain(const tp_reltypes *t, tp_reltype s, tp_reltype r) {
  return restricted(t, s, r, false);
}
tp_reltype tp_reltype_range(const tp_reltypes *t, tp_reltype r, tp_reltype s) {
  return restricted(t, s, r, true);
}

tp_reltype tp_reltype_of_arity(const tp_reltypes *t, tp_reltype a, uint32_t arity) {
  list l = {.t = t};
  for (uint32_t i = 0; i < a.n; i++)
    if (a.at[i].arity == arity) add(&l, a.at[i]);
  return done(&l);
}

tp_reltype tp_reltype_like(const tp_reltypes *t, tp_reltype a, tp_reltype b) {
  list l = {.t = t};
  for (uint32_t i = 0; i < a.n; i++) {
    bool occurs = false;
    for (uint32_t k = 0; k < b.n; k++) occurs = occurs || a.at[i].arity == b.at[k].arity;
    if (occurs) add(&l, a.at[i]);
  }
  return done(&l);
}

uint32_t tp_reltype_arity(tp_reltype a) {
  for (uint32_t i = 1; i < a.n; i++)
    if (a.at[i].arity != a.at[0].arity) return 0;
  return a.n ? a.at[0].arity : 0;
}

bool tp_reltype_is_only(const tp_reltypes *t, tp_reltype a, uint32_t basic) {
  TP_REQUIRE(basic < t->n_basics);
  if (a.n != 1 || a.at[0].arity != 1) return false;
  for (uint32_t i = 0; i < t->words; i++)
    if (a.at[0].columns[i] != (i == basic / 64 ? (uint64_t)1 << basic % 64 : 0)) return false;
  return true;
}

// ------------------------------------------------------------------------ graphs

/* Rows of bits, one for each basic type. */
static uint64_t *graph_of(const tp_reltypes *t, tp_reltype a) {
  uint64_t *rows = tp_arena_array(t->arena, uint64_t, (size_t)t->n_basics * t->words + 1);
  for (uint32_t i = 0; i < a.n; i++) {
    if (a.at[i].arity != 2) continue;
    for (uint32_t b = 0; b < t->n_basics; b++)
      if (tp_product_has(t, &a.at[i], 0, b))
        for (uint32_t w = 0; w < t->words; w++) rows[b * t->words + w] |= column(t, &a.at[i], 1)[w];
  }
  return rows;
}

static bool has(const tp_reltypes *t, const uint64_t *rows, uint32_t from, uint32_t to) {
  TP_REQUIRE(from < t->n_basics && to < t->n_basics);
  return rows[from * t->words + to / 64] >> (to % 64) & 1;
}

static void close_graph(const tp_reltypes *t, uint64_t *rows) {
  for (uint32_t k = 0; k < t->n_basics; k++)
    for (uint32_t i = 0; i < t->n_basics; i++)
      if (has(t, rows, i, k))
        for (uint32_t w = 0; w < t->words; w++) rows[i * t->words + w] |= rows[k * t->words + w];
}

static tp_reltype of_graph(const tp_reltypes *t, const uint64_t *rows) {
  list l = {.t = t};
  for (uint32_t i = 0; i < t->n_basics; i++) {
    if (is_empty(rows + (size_t)i * t->words, t->words)) continue;
    uint64_t *columns = new_columns(t, 2);
    columns[i / 64] |= (uint64_t)1 << i % 64;
    memcpy(columns + t->words, rows + (size_t)i * t->words, t->words * sizeof *columns);
    add(&l, (tp_product){2, columns});
  }
  return done(&l);
}

tp_reltype tp_reltype_closure(const tp_reltypes *t, tp_reltype a) {
  uint64_t *rows = graph_of(t, a);
  close_graph(t, rows);
  return of_graph(t, rows);
}

/* A step from a to b matters if it lies on a path from c to d with (c, d) wanted. */
tp_reltype tp_reltype_closure_part(const tp_reltypes *t, tp_reltype a, tp_reltype wanted) {
  const uint64_t *steps = graph_of(t, a), *goal = graph_of(t, wanted);
  uint64_t *reach = graph_of(t, a);
  for (uint32_t i = 0; i < t->n_basics; i++) reach[i * t->words + i / 64] |= (uint64_t)1 << i % 64;
  close_graph(t, reach);
  uint64_t *ends = tp_arena_array(
      t->arena, uint64_t, (size_t)t->n_basics * t->words + 1);  // wanted ends of paths through i
  for (uint32_t c = 0; c < t->n_basics; c++)
    for (uint32_t i = 0; i < t->n_basics; i++)
      if (has(t, reach, c, i))
        for (uint32_t w = 0; w < t->words; w++) ends[i * t->words + w] |= goal[c * t->words + w];
  uint64_t *part = tp_arena_array(t->arena, uint64_t, (size_t)t->n_basics * t->words + 1);
  for (uint32_t i = 0; i < t->n_basics; i++)
    for (uint32_t k = 0; k < t->n_basics; k++) {
      bool matters = false;
      for (uint32_t w = 0; w < t->words && has(t, steps, i, k); w++)
        matters = matters || (reach[k * t->words + w] & ends[i * t->words + w]);
      if (matters) part[i * t->words + k / 64] |= (uint64_t)1 << k % 64;
    }
  return of_graph(t, part);
}

// ------------------------------------------------------------------------- parts

void tp_reltype_join_parts(const tp_reltypes *t, tp_reltype a, tp_reltype b, tp_reltype wanted,
                           tp_reltype *of_a, tp_reltype *of_b) {
  TP_REQUIRE(of_a && of_b);
  list la = {.t = t}, lb = {.t = t};
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++) {
      if (!is_linked(t, &a.at[i], &b.at[k])) continue;
      const uint32_t n = a.at[i].arity - 1;
      const tp_product whole = chain(t, &a.at[i], n, &b.at[k], 1);
      uint64_t *link = new_columns(t, 1);
      for (uint32_t w = 0; w < t->words; w++)
        link[w] = column(t, &a.at[i], n)[w] & b.at[k].columns[w];
      const tp_product middle = {1, link};
      tp_product p;
      for (uint32_t m = 0; m < wanted.n; m++)
        if (meet(t, &whole, &wanted.at[m], &p)) {
          add(&la, chain(t, &p, n, &middle, 0));
          add(&lb, chain(t, &middle, 1, &p, n));
        }
    }
  *of_a = done(&la);
  *of_b = done(&lb);
}

void tp_reltype_product_parts(const tp_reltypes *t, tp_reltype a, tp_reltype b, tp_reltype wanted,
                              tp_reltype *of_a, tp_reltype *of_b) {
  TP_REQUIRE(of_a && of_b);
  list la = {.t = t}, lb = {.t = t};
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++) {
      if (a.at[i].arity + b.at[k].arity > TP_CONTRACTS_TYPE_ARITY) continue;
      const tp_product whole = chain(t, &a.at[i], a.at[i].arity, &b.at[k], 0);
      tp_product p;
      for (uint32_t m = 0; m < wanted.n; m++)
        if (meet(t, &whole, &wanted.at[m], &p)) {
          add(&la, (tp_product){a.at[i].arity, p.columns});
          add(&lb, (tp_product){b.at[k].arity, column(t, &p, a.at[i].arity)});
        }
    }
  *of_a = done(&la);
  *of_b = done(&lb);
}

// ------------------------------------------------------------------------- check

bool tp_reltype_check(const tp_reltypes *t, tp_reltype a) {
  for (uint32_t i = 0; i < a.n; i++) {
    if (a.at[i].arity == 0 || a.at[i].arity > TP_CONTRACTS_TYPE_ARITY) return false;
    for (uint32_t c = 0; c < a.at[i].arity; c++)
      if (is_empty(column(t, &a.at[i], c), t->words)) return false;
  }
  return true;
}
