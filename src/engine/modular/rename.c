/* Swaps of objects of one type, with what lies inside of them. Only what the heap at the start is made of is compared. */
#include "engine/modular/rename.h"

enum { MAX_PAIRS = 64 };

typedef TP_VEC(tp_rel_renaming) renaming_list;

/* What lies at this place inside of the owner. */
static bool inner_of(const tp_rheap *h, const tp_rheap_field *f, uint32_t owner, uint32_t *inner) {
  const tp_rel_tuples *lies = tp_rel_lower(h->bounds, tp_rel_relation_number(h->l, f->start));
  for (size_t i = 0; lies && i < lies->n; i++) {
    uint32_t pair[2];
    tp_rel_tuple_atoms(h->atoms, lies->at[i], 2, pair);
    if (pair[0] != owner) continue;
    *inner = pair[1];
    return true;
  }
  return false;
}

/* a and b, and what lies inside of them. False: too many. */
static bool add_pairs(const tp_rheap *h, uint32_t basic, uint32_t a, uint32_t b, uint32_t (*pairs)[2], uint32_t *n) {
  if (*n == MAX_PAIRS) return false;
  pairs[*n][0] = a;
  pairs[(*n)++][1] = b;
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field *f = &h->fields.at[i];
    uint32_t inner, x, y;
    if (!f->is_inner || f->symbol->basic != basic) continue;
    if (!tp_rheap_basic_of(h, f->symbol->ctype, &inner) || !inner_of(h, f, a, &x) || !inner_of(h, f, b, &y) || !add_pairs(h, inner, x, y, pairs, n)) return false;
  }
  return true;
}

static void add_type(const tp_rheap *h, tp_arena *arena, uint32_t basic, renaming_list *out) {
  const tp_rheap_type *t = &h->types[basic];
  const uint32_t n = h->limits.objects;                      // those that can be made come first
  for (uint32_t j = 1; j < n; j++)
    for (uint32_t i = 0; i < j; i++) {
      uint32_t(*pairs)[2] = tp_arena_alloc(arena, MAX_PAIRS * sizeof *pairs), n_pairs = 0;
      if (!add_pairs(h, basic, t->atoms.at[i], t->atoms.at[j], pairs, &n_pairs)) continue;
      const tp_rel_renaming r = {.pairs = (const uint32_t (*)[2])pairs, .n_pairs = n_pairs, .where = t->last, .atoms = &t->atoms.at[j], .n_atoms = n - j, .is_near = i + 1 == j};
      tp_vec_push(out, r);
    }
}

void tp_rheap_rename(const tp_rheap *h, tp_rel_finder *f) {
  tp_arena arena;
  renaming_list all = {0};
  bool *compared = TP_NEW_ARRAY(bool, tp_rel_n_relations(h->l) + 1);
  tp_arena_init(&arena);
  for (size_t i = 0; i < h->fields.n; i++) compared[tp_rel_relation_number(h->l, h->fields.at[i].start)] = !h->fields.at[i].is_inner;
  for (size_t i = 0; i < h->inputs.n; i++) compared[tp_rel_relation_number(h->l, h->inputs.at[i].start)] = true;
  for (uint32_t b = TP_OTHER_BASIC + 1; b < h->universe->basics.n; b++)
    if (h->types[b].is_used) add_type(h, &arena, b, &all);
  tp_rel_finder_rename(f, all.at, all.n, compared);
  tp_vec_clear(&all);
  tp_free(compared);
  tp_arena_clear(&arena);
}
