/* Nodes come and go at the end of the words; splitting and removing move bits of every row. Rows
 * beyond n and bits beyond n are never read, but bits beyond n are kept 0: comparisons and
 * evaluations take whole words. */
#include "shape/structure.h"

#include "shape/shape_limits.h"

void tp_structure_init(tp_structure *s, uint32_t n_unary, uint32_t n_binary) {
  *s = (tp_structure){.n_unary = n_unary, .n_binary = n_binary, .stride = TP_SHAPE_MAX_NODES};
  s->unary = TP_NEW_ARRAY(tp_k64, n_unary + 1);
  s->binary = TP_NEW_ARRAY(tp_k64, (size_t)n_binary * s->stride + 1);
}

void tp_structure_clear(tp_structure *s) {
  tp_free(s->unary);
  tp_free(s->binary);
  *s = (tp_structure){0};
}

void tp_structure_reset(tp_structure *s) {
  s->n = 0;
  s->summary = 0;
  memset(s->unary, 0, s->n_unary * sizeof *s->unary);
}

void tp_structure_copy(tp_structure *to, const tp_structure *from) {
  TP_INVARIANT(to->n_unary == from->n_unary && to->n_binary == from->n_binary &&
               to->stride >= from->n);
  to->n = from->n;
  to->summary = from->summary;
  memcpy(to->unary, from->unary, from->n_unary * sizeof *from->unary);
  for (uint32_t p = 0; p < from->n_binary; p++)
    memcpy(tp_structure_row(to, p, 0), tp_structure_row(from, p, 0),
           from->n * sizeof *from->binary);
}

tp_k64 tp_structure_column(const tp_structure *s, uint32_t p, uint32_t v) {
  TP_REQUIRE(p < s->n_binary && v < s->n);
  tp_k64 c = {0, 0};
  const tp_k64 *row = tp_structure_row(s, p, 0);
  for (uint32_t u = 0; u < s->n; u++) {
    c.may |= ((row[u].may >> v) & 1) << u;
    c.must |= ((row[u].must >> v) & 1) << u;
  }
  return c;
}

/* Nothing holds of the node, nor of a pair with it: a new one finds the bits of its number 0. */
static bool is_blank(const tp_structure *s, uint32_t u) {
  uint64_t any = s->summary >> u & 1;
  for (uint32_t p = 0; p < s->n_unary; p++) any |= s->unary[p].may >> u & 1;
  for (uint32_t p = 0; p < s->n_binary; p++) {
    const tp_k64 row = *tp_structure_row(s, p, u);
    any |= row.may | row.must;
    for (uint32_t k = 0; k < s->n; k++) any |= tp_structure_row(s, p, k)->may >> u & 1;
  }
  return any == 0;
}

uint32_t tp_structure_add(tp_structure *s) {
  TP_INVARIANT(s->n < TP_SHAPE_MAX_NODES);
  const uint32_t u = s->n++;
  for (uint32_t p = 0; p < s->n_binary; p++) *tp_structure_row(s, p, u) = (tp_k64){0, 0};
  TP_INVARIANT(is_blank(s, u));
  return u;
}

/* Bit `to` of the word becomes what bit `from` is. */
static uint64_t copy_bit(uint64_t w, uint32_t to, uint32_t from) {
  return (w & ~tp_k64_bit(to)) | (((w >> from) & 1) << to);
}

uint32_t tp_structure_split(tp_structure *s, uint32_t u) {
  TP_REQUIRE(u < s->n);
  const uint32_t twin = tp_structure_add(s);
  s->summary = copy_bit(s->summary, twin, u);
  for (uint32_t p = 0; p < s->n_unary; p++)
    s->unary[p] = (tp_k64){copy_bit(s->unary[p].may, twin, u), copy_bit(s->unary[p].must, twin, u)};
  for (uint32_t p = 0; p < s->n_binary; p++) {
    tp_k64 *row = tp_structure_row(s, p, 0);
    row[twin] = row[u];
    for (uint32_t k = 0; k < s->n; k++)
      row[k] = (tp_k64){copy_bit(row[k].may, twin, u), copy_bit(row[k].must, twin, u)};
  }
  TP_INVARIANT(twin == s->n - 1);  // the new node is the last one
  return twin;
}

static uint64_t drop_bit(uint64_t w, uint32_t u) {
  const uint64_t low = tp_k64_bit(u) - 1;
  return (w & low) | ((w >> 1) & ~low);
}

void tp_structure_remove(tp_structure *s, uint32_t u) {
  const int n_summary = __builtin_popcountll(s->summary & ~tp_k64_bit(u));  // that stay
  TP_REQUIRE(u < s->n);
  s->summary = drop_bit(s->summary, u);
  for (uint32_t p = 0; p < s->n_unary; p++)
    s->unary[p] = (tp_k64){drop_bit(s->unary[p].may, u), drop_bit(s->unary[p].must, u)};
  for (uint32_t p = 0; p < s->n_binary; p++) {
    tp_k64 *row = tp_structure_row(s, p, 0);
    memmove(row + u, row + u + 1, (s->n - u - 1) * sizeof *row);
    for (uint32_t k = 0; k + 1 < s->n; k++)
      row[k] = (tp_k64){drop_bit(row[k].may, u), drop_bit(row[k].must, u)};
  }
  s->n--;
  TP_INVARIANT(__builtin_popcountll(s->summary) == n_summary &&
               !(s->summary & ~tp_structure_nodes(s)));
}

static uint64_t permute_bits(uint64_t w, const uint32_t *order, uint32_t n) {
  uint64_t out = 0;
  for (uint32_t k = 0; k < n; k++) out |= ((w >> order[k]) & 1) << k;
  return out;
}

void tp_structure_permute(tp_structure *to, const tp_structure *from, const uint32_t *order) {
  TP_REQUIRE(to != from && to->stride >= from->n);
  const uint32_t n = from->n;
  to->n = n;
  to->summary = permute_bits(from->summary, order, n);
  for (uint32_t p = 0; p < from->n_unary; p++)
    to->unary[p] = (tp_k64){permute_bits(from->unary[p].may, order, n),
                            permute_bits(from->unary[p].must, order, n)};
  for (uint32_t p = 0; p < from->n_binary; p++)
    for (uint32_t k = 0; k < n; k++) {
      const tp_k64 row = *tp_structure_row(from, p, order[k]);
      *tp_structure_row(to, p, k) =
          (tp_k64){permute_bits(row.may, order, n), permute_bits(row.must, order, n)};
    }
  for (uint32_t k = 0; k < n; k++)
    TP_INVARIANT(tp_structure_is_summary(to, k) == tp_structure_is_summary(from, order[k]));
}

bool tp_structure_same(const tp_structure *a, const tp_structure *b) {
  if (a->n != b->n || a->summary != b->summary || a->n_unary != b->n_unary ||
      a->n_binary != b->n_binary)
    return false;
  if (memcmp(a->unary, b->unary, a->n_unary * sizeof *a->unary) != 0) return false;
  for (uint32_t p = 0; p < a->n_binary; p++)
    if (memcmp(tp_structure_row(a, p, 0), tp_structure_row(b, p, 0), a->n * sizeof *a->binary) != 0)
      return false;
  return true;
}

uint64_t tp_structure_hash(const tp_structure *s) {
  uint64_t h = tp_hash_mix(s->n, s->summary);
  h = tp_hash_bytes(s->unary, s->n_unary * sizeof *s->unary, h);
  for (uint32_t p = 0; p < s->n_binary; p++)
    h = tp_hash_bytes(tp_structure_row(s, p, 0), s->n * sizeof *s->binary, h);
  return h;
}

bool tp_structure_is_definite(const tp_structure *s) {
  uint64_t half = s->summary;
  for (uint32_t p = 0; p < s->n_unary; p++) half |= tp_k64_half(s->unary[p]);
  for (uint32_t p = 0; p < s->n_binary; p++)
    for (uint32_t u = 0; u < s->n; u++) half |= tp_k64_half(*tp_structure_row(s, p, u));
  return half == 0;
}

static bool is_vector(tp_k64 a, uint64_t nodes) { return !(a.must & ~a.may) && !(a.may & ~nodes); }

bool tp_structure_check(const tp_structure *s) {
  const uint64_t nodes = tp_structure_nodes(s);
  if (s->n > TP_SHAPE_MAX_NODES || s->n > s->stride || (s->summary & ~nodes)) return false;
  for (uint32_t p = 0; p < s->n_unary; p++)
    if (!is_vector(s->unary[p], nodes)) return false;
  for (uint32_t p = 0; p < s->n_binary; p++)
    for (uint32_t u = 0; u < s->n; u++)
      if (!is_vector(*tp_structure_row(s, p, u), nodes)) return false;
  return true;
}
