/* Memory that depends on inputs: per object a sorted list of disjoint pieces.
 *
 * A write removes what it overlaps; a piece that sticks out on a side stays there as an extract of
 * its term. A read concatenates pieces and concrete bytes, the lowest byte lowest (little-endian).
 */
#include "exec/symbolic_memory.h"

void tp_symbolic_memory_copy(tp_symbolic_memory *to, const tp_symbolic_memory *from) {
  *to = (tp_symbolic_memory){.tt = from->tt, .n = from->n};
  for (size_t i = 0; i < from->of.n; i++) {
    tp_symbolic_pieces list = {0};
    for (size_t k = 0; k < from->of.at[i].n; k++) tp_vec_push(&list, from->of.at[i].at[k]);
    tp_vec_push(&to->of, list);
  }
}

void tp_symbolic_memory_clear(tp_symbolic_memory *m) {
  for (size_t i = 0; i < m->of.n; i++) tp_vec_clear(&m->of.at[i]);
  tp_vec_clear(&m->of);
  m->n = 0;
}

// ------------------------------------------------------------------------ bits

tp_term tp_symbolic_bits(tp_terms *tt, tp_term value, uint32_t bytes) {
  tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, value));
  TP_INVARIANT(k == TP_SORT_BOOL || k == TP_SORT_BV || k == TP_SORT_FP);
  if (k == TP_SORT_BOOL) return tp_mk_bool_to_bv(tt, 8 * bytes, value);
  return k == TP_SORT_FP ? tp_mk1(tt, TP_OP_FP_TO_BITS, value) : tp_mk_zext(tt, 8 * bytes, value);
}

/* Bytes first .. first + n - 1 of a piece. */
static tp_term part_of(tp_terms *tt, const tp_symbolic_piece *p, uint64_t first, uint64_t n) {
  if (first == 0 && n == p->bytes) return p->term;
  return tp_mk_extract(tt, (uint32_t)(8 * (first + n) - 1), (uint32_t)(8 * first),
                       tp_symbolic_bits(tt, p->term, p->bytes));
}

// ----------------------------------------------------------------------- writes

static tp_symbolic_pieces *list_of(const tp_symbolic_memory *m, uint32_t object) {
  return object < m->of.n ? &m->of.at[object] : NULL;
}

/* The first piece that ends behind the offset. */
static size_t first_behind(const tp_symbolic_pieces *l, uint64_t offset) {
  size_t low = 0, high = l->n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->at[middle].offset + l->at[middle].bytes <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void put_in(tp_symbolic_memory *m, tp_symbolic_pieces *l, size_t at, tp_symbolic_piece p) {
  TP_REQUIRE(at <= l->n && p.bytes > 0 && tp_term_is(p.term));
  TP_INVARIANT(at == 0 || l->at[at - 1].offset + l->at[at - 1].bytes <= p.offset);  // disjoint
  TP_INVARIANT(at == l->n || p.offset + p.bytes <= l->at[at].offset);
  tp_vec_push(l, p);
  memmove(&l->at[at + 1], &l->at[at], (l->n - 1 - at) * sizeof *l->at);
  l->at[at] = p;
  m->n++;
}

static void take_out(tp_symbolic_memory *m, tp_symbolic_pieces *l, size_t at) {
  TP_REQUIRE(at < l->n && m->n > 0);
  memmove(&l->at[at], &l->at[at + 1], (l->n - 1 - at) * sizeof *l->at);
  l->n--;
  m->n--;
}

/* Nothing depends on inputs there any more; where the next piece is put. */
static size_t cut(tp_symbolic_memory *m, tp_symbolic_pieces *l, uint64_t offset, uint64_t bytes) {
  TP_REQUIRE(bytes <= UINT64_MAX - offset);
  size_t at = first_behind(l, offset);
  while (at < l->n && l->at[at].offset < offset + bytes) {
    const tp_symbolic_piece p = l->at[at];
    uint64_t end = p.offset + p.bytes, before = p.offset < offset ? offset - p.offset : 0,
             after = end > offset + bytes ? end - offset - bytes : 0;
    take_out(m, l, at);
    if (after)
      put_in(m, l, at,
             (tp_symbolic_piece){offset + bytes, (uint32_t)after,
                                 part_of(m->tt, &p, p.bytes - after, after)});
    if (before)
      put_in(m, l, at++,
             (tp_symbolic_piece){p.offset, (uint32_t)before, part_of(m->tt, &p, 0, before)});
    if (after) break;
  }
  return at;
}

void tp_symbolic_memory_write(tp_symbolic_memory *m, uint32_t object, uint64_t offset,
                              uint64_t bytes, tp_term value) {
  if (!list_of(m, object) && !tp_term_is(value)) return;
  while (m->of.n <= object) tp_vec_push(&m->of, (tp_symbolic_pieces){0});
  tp_symbolic_pieces *l = list_of(m, object);
  size_t at = cut(m, l, offset, bytes);
  if (tp_term_is(value)) put_in(m, l, at, (tp_symbolic_piece){offset, (uint32_t)bytes, value});
}

// ------------------------------------------------------------------------ reads

bool tp_symbolic_memory_overlaps(const tp_symbolic_memory *m, uint32_t object, uint64_t offset,
                                 uint64_t bytes) {
  const tp_symbolic_pieces *l = list_of(m, object);
  if (!l || !l->n) return false;
  size_t at = first_behind(l, offset);
  return at < l->n && l->at[at].offset < offset + bytes;
}

tp_term tp_symbolic_memory_exact(const tp_symbolic_memory *m, uint32_t object, uint64_t offset,
                                 uint64_t bytes) {
  const tp_symbolic_pieces *l = list_of(m, object);
  size_t at = l ? first_behind(l, offset) : 0;
  bool is = l && at < l->n && l->at[at].offset == offset && l->at[at].bytes == bytes;
  return is ? l->at[at].term : TP_TERM_NONE;
}

tp_term tp_symbolic_memory_read(const tp_symbolic_memory *m, const tp_state *s, uint32_t object,
                                uint64_t offset, uint32_t bytes) {
  TP_REQUIRE(bytes >= 1 && bytes <= 16);
  const tp_symbolic_pieces *l = list_of(m, object);
  tp_terms *tt = m->tt;
  tp_term all = TP_TERM_NONE;
  size_t at = l ? first_behind(l, offset) : 0;
  for (uint32_t i = 0; i < bytes;) {
    uint32_t n = 1;
    tp_term part;
    if (l && at < l->n && l->at[at].offset <= offset + i) {
      const tp_symbolic_piece *p = &l->at[at++];
      uint64_t first = offset + i - p->offset, rest = p->bytes - first;
      n = rest < bytes - i ? (uint32_t)rest : bytes - i;
      part = tp_symbolic_bits(tt, part_of(tt, p, first, n), n);
    } else {
      uint8_t byte = 0;
      (void)tp_state_read_bytes(s, object, offset + i, 1, &byte);
      part = tp_mk_bv(tt, 8, byte);
    }
    all = tp_term_is(all) ? tp_mk2(tt, TP_OP_BV_CONCAT, part, all) : part;
    i += n;
  }
  return all;
}

void tp_symbolic_memory_move(tp_symbolic_memory *m, uint32_t to, uint64_t to_offset, uint32_t from,
                             uint64_t from_offset, uint64_t n) {
  tp_symbolic_pieces moved = {0};
  const tp_symbolic_pieces *l = list_of(m, from);
  for (size_t at = l ? first_behind(l, from_offset) : 0;
       l && at < l->n && l->at[at].offset < from_offset + n; at++) {
    const tp_symbolic_piece *p = &l->at[at];
    uint64_t start = p->offset < from_offset ? from_offset : p->offset, end = p->offset + p->bytes;
    if (end > from_offset + n) end = from_offset + n;
    tp_vec_push(&moved,
                (tp_symbolic_piece){start - from_offset + to_offset, (uint32_t)(end - start),
                                    part_of(m->tt, p, start - p->offset, end - start)});
  }
  tp_symbolic_memory_write(m, to, to_offset, n, TP_TERM_NONE);
  for (size_t i = 0; i < moved.n; i++)
    tp_symbolic_memory_write(m, to, moved.at[i].offset, moved.at[i].bytes, moved.at[i].term);
  tp_vec_clear(&moved);
}
