/* Objects of pointer terms.
 *
 * All three questions walk the same graph: from a pointer to the pointers it is made of. `parts`
 * lists these; leaves are constants and what we cannot look into. Answers are memoised per term,
 * the walk keeps its own stack. */
#include "formula/pointer.h"

#include "formula/formula_limits.h"

#include <stdlib.h>

void tp_pointers_init(tp_pointers *m, tp_terms *tt) {
  memset(m, 0, sizeof *m);
  m->tt = tt;
  tp_arena_init(&m->arena);
}

void tp_pointers_clear(tp_pointers *m) {
  tp_map_clear(&m->sets);
  tp_map_clear(&m->conditions);
  tp_map_clear(&m->offsets);
  tp_arena_clear(&m->arena);
}

/* The terms whose objects t's object comes from. */
static uint32_t parts(const tp_terms *tt, tp_term t, tp_term out[2]) {
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_ITE: out[0] = tp_arg(tt, t, 1), out[1] = tp_arg(tt, t, 2); return 2;
    case TP_OP_PTR_MK:
    case TP_OP_PTR_ADD:
    case TP_OP_PTR_OBJ:
    case TP_OP_SELECT:
    case TP_OP_CONST_ARRAY: out[0] = tp_arg(tt, t, 0); return 1;
    case TP_OP_STORE: out[0] = tp_arg(tt, t, 0), out[1] = tp_arg(tt, t, 2); return 2;
    default: return 0;
  }
}

// ----------------------------------------------------------------------- sets

static const tp_targets *mk_set(tp_pointers *m, const uint32_t *at, uint32_t n, bool open) {
  tp_targets *s = tp_arena_new(&m->arena, tp_targets);
  uint32_t *own = tp_arena_array(&m->arena, uint32_t, n ? n : 1);
  if (n) memcpy(own, at, n * sizeof *own);
  *s = (tp_targets){n, own, open};
  return s;
}

static bool is_subset(const tp_targets *a, const tp_targets *b) {
  if (a->open && !b->open) return false;
  uint32_t j = 0;
  for (uint32_t i = 0; i < a->n; i++) {
    while (j < b->n && b->at[j] < a->at[i]) j++;
    if (j == b->n || b->at[j] != a->at[i]) return false;
  }
  return true;
}

static const tp_targets *join(tp_pointers *m, const tp_targets *a, const tp_targets *b) {
  if (is_subset(a, b)) return b;
  if (is_subset(b, a)) return a;
  TP_VEC(uint32_t) both = {0};
  for (uint32_t i = 0, j = 0; i < a->n || j < b->n;) {
    uint32_t x = i < a->n ? a->at[i] : UINT32_MAX, y = j < b->n ? b->at[j] : UINT32_MAX,
             least = x < y ? x : y;
    tp_vec_push(&both, least);
    i += x == least;
    j += y == least;
  }
  bool open = a->open || b->open;
  if (both.n > TP_FORMULA_TARGETS) open = true, both.n = TP_FORMULA_TARGETS;
  const tp_targets *s = mk_set(m, both.at, (uint32_t)both.n, open);
  tp_vec_clear(&both);
  return s;
}

typedef struct {
  const tp_terms *tt;
  size_t n_visited;
} address_search;

static tp_visit find_address(void *ctx, tp_term t) {
  address_search *s = ctx;
  bool found =
      tp_kind(s->tt, t) == TP_OP_PTR_TO_INT || ++s->n_visited > TP_FORMULA_ADDRESS_SEARCH_TERMS;
  return found ? TP_VISIT_STOP : TP_VISIT_ARGS;
}

/* Does a pointer's address flow into this integer? "Perhaps", of a large one, counts as yes. */
static bool hides_pointer(const tp_terms *tt, tp_term t) {
  address_search s = {.tt = tt};
  tp_visitor v = {.ctx = &s, .visit = find_address, .order = TP_RIGHT_TO_LEFT};
  return !tp_visit_terms(tt, t, &v, NULL);
}

static const tp_targets *leaf(tp_pointers *m, tp_term t) {
  const tp_terms *tt = m->tt;
  uint32_t zero = 0, object;
  uint64_t number;
  if (tp_kind(tt, t) == TP_OP_PTR_CONST) {
    object = tp_ptr_const_object(tt, t);
    return mk_set(m, &object, 1, false);
  }
  if (tp_bv_value_u64(tt, t, &number)) {
    object = (uint32_t)number;
    return mk_set(m, &object, 1, false);
  }
  if (tp_kind(tt, t) == TP_OP_INT_TO_PTR)
    return mk_set(m, &zero, 1, hides_pointer(tt, tp_arg(tt, t, 0)));
  return mk_set(m, &zero, 1, true);
}

static const tp_targets *set_lookup(const tp_pointers *m, tp_term t) {
  uint64_t at;
  return tp_map_get(&m->sets, t.id, &at) ? (const tp_targets *)(uintptr_t)at : NULL;
}

static const tp_targets *set_of(tp_pointers *m, tp_term t) {
  tp_term from[2];
  uint32_t n = parts(m->tt, t, from);
  if (n == 0) return leaf(m, t);
  if (n == 1) return set_lookup(m, from[0]);
  return join(m, set_lookup(m, from[0]), set_lookup(m, from[1]));
}

const tp_targets *tp_pointer_targets(tp_pointers *m, tp_term t) {
  TP_REQUIRE(tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) == TP_SORT_PTR ||
             tp_width(m->tt, t) == TP_OBJ_BITS);
  const tp_targets *s = set_lookup(m, t);
  if (s) return s;
  TP_VEC(tp_term) stack = {0};
  tp_vec_push(&stack, t);
  while (stack.n) {
    tp_term top = tp_vec_last(&stack), from[2];
    uint32_t n = set_lookup(m, top) ? 0 : parts(m->tt, top, from), missing = 0;
    for (uint32_t i = 0; i < n; i++)
      if (!set_lookup(m, from[i])) {
        tp_vec_push(&stack, from[i]);
        missing++;
      }
    if (missing) continue;
    if (!set_lookup(m, top)) tp_map_set(&m->sets, top.id, (uint64_t)(uintptr_t)set_of(m, top));
    (void)tp_vec_pop(&stack);
  }
  tp_vec_clear(&stack);
  return set_lookup(m, t);
}

// ------------------------------------------------------ conditions and offsets

static bool can_be(tp_pointers *m, tp_term t, uint32_t object) {
  const tp_targets *s = tp_pointer_targets(m, t);
  if (s->open) return true;
  for (uint32_t lo = 0, hi = s->n; lo < hi;) {
    uint32_t mid = (lo + hi) / 2;
    if (s->at[mid] == object) return true;
    if (s->at[mid] < object)
      lo = mid + 1;
    else
      hi = mid;
  }
  return false;
}

static bool must_be(tp_pointers *m, tp_term t, uint32_t object) {
  const tp_targets *s = tp_pointer_targets(m, t);
  return !s->open && s->n == 1 && s->at[0] == object;
}

typedef enum { WALK_CONDITION, WALK_OFFSET } walk_kind;

static uint64_t pair_key(tp_term t, uint32_t object) { return (uint64_t)t.id << 32 | object; }

static tp_term pair_lookup(const tp_map *memo, tp_term t, uint32_t object) {
  uint64_t id;
  return tp_map_get(memo, pair_key(t, object), &id) ? (tp_term){(uint32_t)id} : TP_TERM_NONE;
}

/* The answer for t if it needs no answers for its parts, else NONE. */
static tp_term direct(tp_pointers *m, walk_kind w, tp_term t, uint32_t object) {
  tp_terms *tt = m->tt;
  tp_term_kind k = tp_kind(tt, t);
  bool is_ptr = tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_PTR;
  if (w == WALK_CONDITION) {
    if (!can_be(m, t, object)) return tp_mk_false(tt);
    if (must_be(m, t, object)) return tp_mk_true(tt);
    if (k == TP_OP_ITE || k == TP_OP_PTR_ADD || k == TP_OP_PTR_MK || k == TP_OP_PTR_OBJ)
      return TP_TERM_NONE;
    tp_term number = is_ptr ? tp_mk1(tt, TP_OP_PTR_OBJ, t) : t;
    return tp_mk_eq(tt, number, tp_mk_bv(tt, TP_OBJ_BITS, object));
  }
  if (k == TP_OP_ITE || k == TP_OP_PTR_ADD) return TP_TERM_NONE;
  return tp_mk1(tt, TP_OP_PTR_OFF, t);
}

/* The parts whose answers combine() needs. */
static uint32_t needed(tp_pointers *m, tp_term t, uint32_t object, tp_term out[2]) {
  if (tp_kind(m->tt, t) != TP_OP_ITE) {
    out[0] = tp_arg(m->tt, t, 0);
    return 1;
  }
  uint32_t n = 0;
  for (uint32_t i = 1; i <= 2; i++)
    if (can_be(m, tp_arg(m->tt, t, i), object)) out[n++] = tp_arg(m->tt, t, i);
  return n;
}

static tp_term combine(tp_pointers *m, const tp_map *memo, walk_kind w, tp_term t,
                       uint32_t object) {
  tp_terms *tt = m->tt;
  if (tp_kind(tt, t) != TP_OP_ITE) {
    tp_term inner = pair_lookup(memo, tp_arg(tt, t, 0), object);
    if (w == WALK_CONDITION || tp_kind(tt, t) != TP_OP_PTR_ADD) return inner;
    return tp_mk2(tt, TP_OP_BV_ADD, inner, tp_arg(tt, t, 1));
  }
  tp_term a = tp_arg(tt, t, 1), b = tp_arg(tt, t, 2),
          none = w == WALK_CONDITION ? tp_mk_false(tt) : TP_TERM_NONE;
  tp_term x = can_be(m, a, object) ? pair_lookup(memo, a, object) : none;
  tp_term y = can_be(m, b, object) ? pair_lookup(memo, b, object) : none;
  if (!tp_term_is(x) && !tp_term_is(y)) return tp_mk_bv(tt, tp_terms_ptr_bits(tt), 0);
  if (!tp_term_is(x)) return y;
  if (!tp_term_is(y)) return x;
  return tp_mk_ite(tt, tp_arg(tt, t, 0), x, y);
}

static tp_term walk(tp_pointers *m, tp_map *memo, walk_kind w, tp_term t, uint32_t object) {
  TP_VEC(tp_term) stack = {0};
  tp_vec_push(&stack, t);
  while (stack.n) {
    tp_term top = tp_vec_last(&stack), from[2];
    if (tp_term_is(pair_lookup(memo, top, object))) {
      (void)tp_vec_pop(&stack);
      continue;
    }
    tp_term answer = direct(m, w, top, object);
    if (!tp_term_is(answer)) {
      uint32_t n = needed(m, top, object, from), missing = 0;
      for (uint32_t i = 0; i < n; i++)
        if (!tp_term_is(pair_lookup(memo, from[i], object))) {
          tp_vec_push(&stack, from[i]);
          missing++;
        }
      if (missing) continue;
      answer = combine(m, memo, w, top, object);
    }
    tp_map_set(memo, pair_key(top, object), answer.id);
    (void)tp_vec_pop(&stack);
  }
  tp_vec_clear(&stack);
  return pair_lookup(memo, t, object);
}

tp_term tp_pointer_is(tp_pointers *m, tp_term t, uint32_t object) {
  return walk(m, &m->conditions, WALK_CONDITION, t, object);
}

tp_term tp_pointer_offset(tp_pointers *m, tp_term t, uint32_t object) {
  TP_REQUIRE(tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) == TP_SORT_PTR);
  return walk(m, &m->offsets, WALK_OFFSET, t, object);
}
