/* Blur: sort the nodes by name, give equal names one node. Values of groups are joins: possibly
 * true if one of them is, definitely true if all are; over pairs that is done for the rows of a
 * group first, then for its columns. */
#include "shape/blur.h"

#include "shape/shape_limits.h"

/* What u says about p, so that true comes first. */
static int rank(const tp_structure *s, uint32_t p, uint32_t u) {
  const tp_kleene v = tp_k64_get(s->unary[p], u);
  return v == TP_KLEENE_TRUE ? 0 : v == TP_KLEENE_HALF ? 1 : 2;
}

static int compare_names(const tp_structure *s, const tp_unary_set *abstraction, uint32_t u,
                         uint32_t v) {
  for (uint32_t w = 0; w * 64 < s->n_unary; w++)
    for (uint64_t left = abstraction->word[w]; left; left &= left - 1) {
      const uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(left);
      const int d = rank(s, p, u) - rank(s, p, v);
      if (d) return d;
    }
  return 0;
}

/* The nodes in groups of one name, in order; *n groups. */
static void group(const tp_structure *s, const tp_unary_set *abstraction, uint64_t *groups,
                  uint32_t *n) {
  uint32_t first[TP_SHAPE_MAX_NODES];
  *n = 0;
  for (uint32_t u = 0; u < s->n; u++) {
    uint32_t k = 0;
    int d = -1;
    while (k < *n && (d = compare_names(s, abstraction, first[k], u)) < 0) k++;
    if (k < *n && d == 0) {
      groups[k] |= tp_k64_bit(u);
      continue;
    }
    memmove(groups + k + 1, groups + k, (*n - k) * sizeof *groups);
    memmove(first + k + 1, first + k, (*n - k) * sizeof *first);
    groups[k] = tp_k64_bit(u);
    first[k] = u;
    (*n)++;
  }
  // a node is found by its name: groups stand in the order of their names, each with a node of its
  // own
  for (uint32_t k = 0; k < *n; k++)
    TP_INVARIANT((groups[k] >> first[k] & 1) &&
                 (k == 0 || compare_names(s, abstraction, first[k - 1], first[k]) < 0));
}

/* The join of the values of each group. */
static tp_k64 join_columns(tp_k64 row, const uint64_t *groups, uint32_t n) {
  tp_k64 out = {0, 0};
  for (uint32_t k = 0; k < n; k++) {
    if (row.may & groups[k]) out.may |= tp_k64_bit(k);
    if ((row.must & groups[k]) == groups[k]) out.must |= tp_k64_bit(k);
  }
  return out;
}

static tp_k64 join_rows(const tp_structure *s, uint32_t p, uint64_t rows) {
  tp_k64 out = {0, UINT64_MAX};
  for (uint64_t left = rows; left; left &= left - 1) {
    const tp_k64 row = *tp_structure_row(s, p, (uint32_t)__builtin_ctzll(left));
    out.may |= row.may;
    out.must &= row.must;
  }
  return out;
}

void tp_structure_blur(tp_structure *to, const tp_structure *from,
                       const tp_unary_set *abstraction) {
  TP_REQUIRE(to != from && to->n_unary == from->n_unary && to->n_binary == from->n_binary);
  uint64_t groups[TP_SHAPE_MAX_NODES + 1];
  uint32_t n;
  group(from, abstraction, groups, &n);
  TP_INVARIANT(n <= from->n && (n > 0) == (from->n > 0));  // groups are not empty
  to->n = n;
  to->summary = 0;
  for (uint32_t k = 0; k < n; k++)
    if ((groups[k] & (groups[k] - 1)) || (groups[k] & from->summary)) to->summary |= tp_k64_bit(k);
  for (uint32_t p = 0; p < from->n_unary; p++)
    to->unary[p] = join_columns(from->unary[p], groups, n);
  for (uint32_t p = 0; p < from->n_binary; p++)
    for (uint32_t k = 0; k < n; k++)
      *tp_structure_row(to, p, k) = join_columns(join_rows(from, p, groups[k]), groups, n);
  TP_INVARIANT(
      tp_structure_is_blurred(to, abstraction));  // values of a name are those of its group
}

bool tp_structure_is_blurred(const tp_structure *s, const tp_unary_set *abstraction) {
  for (uint32_t u = 0; u + 1 < s->n; u++)
    if (compare_names(s, abstraction, u, u + 1) >= 0) return false;
  return true;
}
