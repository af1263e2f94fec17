/* A cell that a body reads at an index is at the place of another read where the two offsets are
 * the same sum: that is solved for the index, by coefficients. */
#include "blocks/universal_instances.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"
#include "term/rewrite.h"

static bool is_index(const tp_universals *u, tp_term t) {
  for (size_t i = 0; i < u->indices.n; i++)
    if (tp_term_eq(u->indices.at[i], t)) return true;
  return false;
}

static bool has_index(const tp_universals *u, tp_term t) {
  for (size_t i = 0; i < u->indices.n; i++)
    if (tp_occurs(u->b->paths->tt, u->indices.at[i], t)) return true;
  return false;
}

/* A coefficient of a sum modulo 2^width as a signed number. */
static int64_t as_signed(tp_u128 c, uint32_t width) {
  return (int64_t)((uint64_t)c << (64 - width)) >> (64 - width);
}

/* An index in a pattern's offset: factor * (symbol * inner + constant), where the parentheses may
 * be extended. */
typedef struct {
  tp_term symbol;
  uint64_t factor;
  int64_t inner, constant;
} position;

/* Is t = symbol * inner + constant for an index symbol? */
static bool is_moved_index(const tp_universals *u, tp_term t, position *out) {
  const tp_terms *tt = u->b->paths->tt;
  tp_linear l;
  tp_linear_init(&l, tp_width(tt, t));
  if (l.width > 64 || !tp_linear_add(tt, &l, t, 1) || l.n != 1 || !is_index(u, l.m[0].base))
    return false;
  *out = (position){.symbol = l.m[0].base,
                    .inner = as_signed(l.m[0].coefficient, l.width),
                    .constant = as_signed(l.constant, l.width)};
  return out->inner > 0;
}

/* The positions of index symbols in a sum, largest factor first; *rest is the sum without them.
 * False: an index stands elsewhere in it. */
static bool find_positions(const tp_universals *u, tp_linear *l, position *positions, uint32_t *n) {
  tp_terms *tt = u->b->paths->tt;
  uint32_t kept = 0;
  *n = 0;
  for (uint32_t i = 0; i < l->n; i++) {
    tp_term base = l->m[i].base;
    const tp_term_kind k = tp_kind(tt, base);
    const tp_term inner = k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT ? tp_arg(tt, base, 0) : base;
    position found;
    if (!is_moved_index(u, inner, &found)) {
      if (has_index(u, base)) return false;
      l->m[kept++] = l->m[i];
      continue;
    }
    const int64_t factor = as_signed(l->m[i].coefficient, l->width);
    if (*n == TP_INDICES || factor <= 0) return false;
    uint32_t at = (*n)++;
    for (; at > 0 && positions[at - 1].factor < (uint64_t)factor; at--)
      positions[at] = positions[at - 1];
    found.factor = (uint64_t)factor;
    positions[at] = found;
  }
  l->n = kept;
  return *n > 0;
}

/* (t - constant) / inner: rounded down where the sum has only multiples beside a constant, else a
 * division. */
static tp_term without_inner(tp_terms *tt, tp_term t, const position *at) {
  if (at->inner == 1 && at->constant == 0) return t;
  tp_linear l;
  const uint32_t width = tp_width(tt, t);
  const uint64_t low = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  tp_term moved = tp_mk_sub(tt, t, tp_mk_bv_signed(tt, width, at->constant));
  if (at->inner == 1) return moved;
  tp_linear_init(&l, width);
  bool fits = tp_linear_add(tt, &l, moved, 1);
  for (uint32_t i = 0; i < l.n && fits; i++) {
    const int64_t c = as_signed(l.m[i].coefficient, width);
    fits = c % at->inner == 0;
    l.m[i].coefficient = (uint64_t)(c / at->inner) & low;
  }
  if (!fits) return tp_mk2(tt, TP_OP_BV_UDIV, moved, tp_mk_bv(tt, width, (uint64_t)at->inner));
  const int64_t constant = as_signed(l.constant, width), rest = constant % at->inner;
  l.constant = (uint64_t)(constant / at->inner - (rest < 0)) & low;
  return tp_linear_term(tt, &l);
}

/* Takes out of the sum what the factor divides; the quotient, without its extension. */
static tp_term quotient(tp_terms *tt, tp_linear *l, const position *at, bool is_last) {
  tp_linear q, rest;
  tp_linear_init(&q, l->width);
  tp_linear_init(&rest, l->width);
  for (uint32_t i = 0; i < l->n; i++) {
    const int64_t c = as_signed(l->m[i].coefficient, l->width);
    const bool fits = c % (int64_t)at->factor == 0;
    tp_u128 scale = fits ? (tp_u128)(uint64_t)(c / (int64_t)at->factor) : l->m[i].coefficient;
    (void)tp_linear_add(tt, fits ? &q : &rest, l->m[i].base, scale);
  }
  const int64_t constant = as_signed(l->constant, l->width);
  const bool fits = constant % (int64_t)at->factor == 0;
  const uint64_t whole =
      fits ? (uint64_t)(constant / (int64_t)at->factor) : (uint64_t)l->constant / at->factor;
  rest.constant = fits ? 0 : (uint64_t)l->constant % at->factor;
  q.constant = whole;
  tp_term t = tp_linear_term(tt, &q);
  if (is_last && rest.n)
    t = tp_mk2(
        tt, TP_OP_BV_ADD, t,
        tp_mk2(tt, TP_OP_BV_UDIV, tp_linear_term(tt, &rest), tp_mk_bv(tt, l->width, at->factor)));
  *l = rest;
  const uint32_t width = tp_width(tt, at->symbol);
  const tp_term_kind k = tp_kind(tt, t);
  if ((k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT) && tp_width(tt, tp_arg(tt, t, 0)) == width)
    t = tp_arg(tt, t, 0);
  return without_inner(tt, tp_mk_trunc(tt, width, t), at);
}

static void instantiate(const tp_universals *u, tp_term body, tp_term pattern, tp_term read,
                        tp_term_list *out) {
  tp_terms *tt = u->b->paths->tt;
  tp_term there = tp_arg(tt, pattern, 1), here = tp_arg(tt, read, 1);
  tp_linear l;
  position positions[TP_INDICES];
  uint32_t n;
  if (tp_is_false(tt,
                  tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, there), tp_mk1(tt, TP_OP_PTR_OBJ, here))))
    return;
  tp_linear_init(&l, u->b->paths->p->ptr_bits);
  if (!tp_linear_add(tt, &l, tp_mk1(tt, TP_OP_PTR_OFF, there), 1) ||
      !find_positions(u, &l, positions, &n))
    return;
  const tp_term rest = tp_linear_term(tt, &l);
  tp_linear_init(&l, u->b->paths->p->ptr_bits);
  if (!tp_linear_add(tt, &l, tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, here), rest), 1)) return;
  tp_map images = {0};
  for (uint32_t i = 0; i < n; i++)
    tp_map_set(&images, positions[i].symbol.id, quotient(tt, &l, &positions[i], i + 1 == n).id);
  const tp_term instance = tp_replace_all(tt, body, &images);
  tp_map_clear(&images);
  if (!tp_is_true(tt, instance)) tp_vec_push(out, instance);
}

typedef struct {
  const tp_universals *u;
  bool is_pattern;
} read_test;

static bool is_read(void *ctx, const tp_terms *tt, tp_term t) {
  const read_test *x = ctx;
  tp_sort sort;
  return tp_kind(tt, t) == TP_OP_SELECT &&
         tp_is_memory(x->u->b->paths->p, tp_arg(tt, t, 0), &sort) &&
         (!x->is_pattern || has_index(x->u, tp_arg(tt, t, 1)));
}

void tp_instances_clear(tp_instances *l) {
  tp_vec_clear(&l->terms);
  tp_vec_clear(&l->owners);
}

void tp_instances_reads(const tp_universals *u, tp_term t, tp_term_list *out) {
  read_test any = {u, false};
  tp_collect_terms(u->b->paths->tt, t, is_read, &any, out);
}

/* New ones of a round are kept once. */
static void keep_once(tp_instances *l, size_t before, tp_map *given) {
  size_t kept = before;
  for (size_t i = before; i < l->terms.n; i++) {
    if (tp_map_has(given, l->terms.at[i].id)) continue;
    tp_map_set(given, l->terms.at[i].id, 1);
    l->owners.at[kept] = l->owners.at[i];
    l->terms.at[kept++] = l->terms.at[i];
  }
  l->terms.n = l->owners.n = kept;
}

/* Of an instance that still speaks of all indices: its cells at the places that are read, too. */
static void instantiate_rest(const tp_universals *u, size_t from, const tp_term_list *reads,
                             tp_instances *out) {
  tp_terms *tt = u->b->paths->tt;
  read_test pattern = {u, true};
  const size_t end = out->terms.n;
  for (size_t i = from; i < end; i++) {
    tp_term_list patterns = {0};
    const tp_term body = out->terms.at[i];
    tp_collect_terms(tt, body, is_read, &pattern, &patterns);
    for (size_t r = 0; r < reads->n; r++)
      for (size_t k = 0; k < patterns.n; k++)
        if (tp_term_eq(tp_arg(tt, patterns.at[k], 0), tp_arg(tt, reads->at[r], 0)) &&
            out->terms.n < TP_BLOCKS_UNIVERSAL_INSTANCES)
          instantiate(u, body, patterns.at[k], reads->at[r], &out->terms);
    while (out->owners.n < out->terms.n) tp_vec_push(&out->owners, out->owners.at[i]);
    tp_vec_clear(&patterns);
  }
}

static void instantiate_body(const tp_universals *u, tp_term body, uint32_t owner,
                             const tp_term_list *reads, size_t first, tp_instances *out) {
  tp_terms *tt = u->b->paths->tt;
  tp_term_list patterns = {0};
  read_test pattern = {u, true};
  tp_collect_terms(tt, body, is_read, &pattern, &patterns);
  for (size_t r = first; r < reads->n; r++)
    for (size_t k = 0; k < patterns.n; k++)
      if (tp_term_eq(tp_arg(tt, patterns.at[k], 0), tp_arg(tt, reads->at[r], 0)) &&
          out->terms.n < TP_BLOCKS_UNIVERSAL_INSTANCES)
        instantiate(u, body, patterns.at[k], reads->at[r], &out->terms);
  while (out->owners.n < out->terms.n) tp_vec_push(&out->owners, owner);
  tp_vec_clear(&patterns);
}

void tp_instances_find(const tp_universals *u, const tp_term_list *bodies, tp_term t,
                       tp_instances *out) {
  tp_paths *x = u->b->paths;
  tp_terms *tt = x->tt;
  tp_term_list reads = {0};
  tp_map seen = {0}, given = {0};
  read_test any = {u, false};
  tp_collect_terms(tt, tp_paths_flat(x, t), is_read, &any, &reads);
  for (size_t i = 0; i < reads.n; i++) tp_map_set(&seen, reads.at[i].id, 1);
  size_t first = 0;
  for (int round = 0; round < TP_BLOCKS_UNIVERSAL_ROUNDS; round++) {
    const size_t end = reads.n, before = out->terms.n;
    for (size_t i = 0; i < bodies->n; i++)
      instantiate_body(u, bodies->at[i], (uint32_t)i, &reads, first, out);
    keep_once(out, before, &given);
    const size_t rest = out->terms.n;
    instantiate_rest(u, before, &reads, out);
    keep_once(out, rest, &given);
    first = end;
    if (round + 1 == TP_BLOCKS_UNIVERSAL_ROUNDS) break;
    for (size_t i = before; i < out->terms.n; i++) {
      tp_term_list more = {0};
      tp_collect_terms(tt, out->terms.at[i], is_read, &any, &more);
      for (size_t k = 0; k < more.n; k++) {
        if (tp_map_has(&seen, more.at[k].id)) continue;
        tp_map_set(&seen, more.at[k].id, 1);
        tp_vec_push(&reads, more.at[k]);
      }
      tp_vec_clear(&more);
    }
  }
  tp_vec_clear(&reads);
  tp_map_clear(&seen);
  tp_map_clear(&given);
}
