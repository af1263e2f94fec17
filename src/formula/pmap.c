/* Persistent maps. Functions here recurse on the levels of a tree, at most 16 deep. */
#include "formula/pmap.h"

enum { FAN_BITS = 4, FAN = 1 << FAN_BITS, MAX_LEVELS = 64 / FAN_BITS };

struct tp_pnode {
  uint32_t refs;
  union {
    tp_pnode *node[FAN];  // above the last level
    uint64_t value[FAN];  // on the last level
  } at;
};

static uint32_t digit(uint64_t key, uint32_t level) {
  return (uint32_t)(key >> (FAN_BITS * level)) & (FAN - 1);
}

static void node_release(const tp_pmap_ops *ops, tp_pnode *n, uint32_t level) {
  TP_INVARIANT(!n || n->refs > 0);
  if (!n || --n->refs) return;
  for (uint32_t i = 0; i < FAN; i++) {
    if (level)
      node_release(ops, n->at.node[i], level - 1);
    else if (ops && n->at.value[i])
      ops->release(n->at.value[i]);
  }
  tp_free(n);
}

/* The children of a copy are those of the original, too. */
static bool are_children_shared(const tp_pnode *c) {
  for (uint32_t i = 0; i < FAN; i++)
    if (c->at.node[i] && c->at.node[i]->refs < 2) return false;
  return true;
}

/* A node that this map alone owns, in the place of n. */
static tp_pnode *node_own(const tp_pmap_ops *ops, tp_pnode *n, uint32_t level) {
  TP_INVARIANT(!n || n->refs > 0);
  if (n && n->refs == 1) return n;
  tp_pnode *c = TP_NEW(tp_pnode);
  c->refs = 1;
  if (!n) return c;
  c->at = n->at;
  for (uint32_t i = 0; i < FAN; i++) {
    if (level) {
      if (c->at.node[i]) c->at.node[i]->refs++;
    } else if (ops && c->at.value[i]) {
      ops->retain(c->at.value[i]);
    }
  }
  n->refs--;
  TP_INVARIANT(level == 0 || are_children_shared(c));
  return c;
}

tp_pmap tp_pmap_copy(const tp_pmap *m) {
  TP_REQUIRE(!m->root || (m->root->refs > 0 && m->levels > 0));
  if (m->root) m->root->refs++;
  return *m;
}

void tp_pmap_clear(tp_pmap *m) {
  if (m->root) node_release(m->ops, m->root, m->levels - 1);
  m->root = NULL;
  m->levels = 0;
}

static bool key_fits(const tp_pmap *m, uint64_t key) {
  return m->levels >= MAX_LEVELS || (key >> (FAN_BITS * m->levels)) == 0;
}

uint64_t tp_pmap_get(const tp_pmap *m, uint64_t key) {
  if (!m->root || !key_fits(m, key)) return 0;
  const tp_pnode *n = m->root;
  for (uint32_t level = m->levels - 1; level; level--) {
    n = n->at.node[digit(key, level)];
    if (!n) return 0;
  }
  return n->at.value[digit(key, 0)];
}

static void grow(tp_pmap *m, uint64_t key) {
  if (!m->root) m->levels = 0;
  while (m->levels == 0 || !key_fits(m, key)) {
    if (m->root) {
      tp_pnode *up = TP_NEW(tp_pnode);
      up->refs = 1;
      up->at.node[0] = m->root;
      m->root = up;
    }
    m->levels++;
  }
}

void tp_pmap_set(tp_pmap *m, uint64_t key, uint64_t value) {
  if (!value && !tp_pmap_get(m, key)) return;
  grow(m, key);
  TP_INVARIANT(key_fits(m, key) && m->levels <= MAX_LEVELS);
  tp_pnode **place = &m->root;
  uint32_t level = m->levels - 1;
  for (;; level--) {
    *place = node_own(m->ops, *place, level);
    if (!level) break;
    place = &(*place)->at.node[digit(key, level)];
  }
  uint64_t *slot = &(*place)->at.value[digit(key, 0)];
  if (m->ops && *slot) m->ops->release(*slot);
  *slot = value;
}

static bool next_in(const tp_pnode *n, uint32_t level, uint64_t from, uint64_t prefix,
                    uint64_t *key, uint64_t *value) {
  for (uint32_t i = digit(from, level); i < FAN; i++) {
    uint64_t here = prefix | (uint64_t)i << (FAN_BITS * level);
    if (level) {
      if (n->at.node[i] &&
          next_in(n->at.node[i], level - 1, i == digit(from, level) ? from : 0, here, key, value))
        return true;
    } else if (n->at.value[i]) {
      *key = here;
      *value = n->at.value[i];
      return true;
    }
  }
  return false;
}

bool tp_pmap_next(const tp_pmap *m, uint64_t from, uint64_t *key, uint64_t *value) {
  return m->root && key_fits(m, from) && next_in(m->root, m->levels - 1, from, 0, key, value);
}

typedef struct {
  tp_pmap_visit visit;
  void *ctx;
  const bool *go_on;
} visitor;

static void diff_nodes(const visitor *v, const tp_pnode *a, const tp_pnode *b, uint32_t level,
                       uint64_t prefix) {
  if (a == b) return;
  for (uint32_t i = 0; i < FAN && *v->go_on; i++) {
    uint64_t key = prefix | (uint64_t)i << (FAN_BITS * level);
    if (level) {
      diff_nodes(v, a ? a->at.node[i] : NULL, b ? b->at.node[i] : NULL, level - 1, key);
    } else {
      uint64_t x = a ? a->at.value[i] : 0, y = b ? b->at.value[i] : 0;
      if (x != y) v->visit(v->ctx, key, x, y);
    }
  }
}

/* Descend in the taller tree until both have the same height; the rest of the taller one has no
 * partner. */
static void diff_tall(const visitor *v, const tp_pnode *tall, uint32_t levels, const tp_pmap *low,
                      bool tall_is_a) {
  const tp_pnode *first = tall;
  for (uint32_t level = levels - 1; level >= low->levels && first; level--)
    first = first->at.node[0];
  if (tall_is_a)
    diff_nodes(v, first, low->root, low->levels - 1, 0);
  else
    diff_nodes(v, low->root, first, low->levels - 1, 0);
  for (uint32_t level = low->levels; level < levels; level++) {
    const tp_pnode *n = tall;
    for (uint32_t l = levels - 1; l > level && n; l--) n = n->at.node[0];
    for (uint32_t i = 1; n && i < FAN; i++) {
      uint64_t prefix = (uint64_t)i << (FAN_BITS * level);
      if (tall_is_a)
        diff_nodes(v, n->at.node[i], NULL, level - 1, prefix);
      else
        diff_nodes(v, NULL, n->at.node[i], level - 1, prefix);
    }
  }
}

void tp_pmap_diff_while(const tp_pmap *a, const tp_pmap *b, tp_pmap_visit visit, void *ctx,
                        const bool *go_on) {
  TP_REQUIRE(visit && go_on);
  const visitor v = {visit, ctx, go_on};
  if (a->root == b->root) return;
  if (!a->root)
    diff_nodes(&v, NULL, b->root, b->levels - 1, 0);
  else if (!b->root)
    diff_nodes(&v, a->root, NULL, a->levels - 1, 0);
  else if (a->levels == b->levels)
    diff_nodes(&v, a->root, b->root, a->levels - 1, 0);
  else if (a->levels > b->levels)
    diff_tall(&v, a->root, a->levels, b, true);
  else
    diff_tall(&v, b->root, b->levels, a, false);
}

void tp_pmap_diff(const tp_pmap *a, const tp_pmap *b, tp_pmap_visit visit, void *ctx) {
  static const bool always = true;
  tp_pmap_diff_while(a, b, visit, ctx, &always);
}

void tp_pmap_each(const tp_pmap *m, tp_pmap_visit visit, void *ctx) {
  const tp_pmap empty = {0};
  tp_pmap_diff(m, &empty, visit, ctx);
}
