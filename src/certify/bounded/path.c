#include "certify/bounded/path.h"

void tp_cpaths_init(tp_cpaths *ps, tp_terms *tt) {
  *ps = (tp_cpaths){.tt = tt};
  tp_vec_push(&ps->nodes, (tp_cpath_node){0, 0, tp_mk_true(tt), tp_mk_true(tt)});
}

void tp_cpaths_clear(tp_cpaths *ps) {
  tp_vec_clear(&ps->nodes);
  tp_map_clear(&ps->relative);
}

static uint32_t child(tp_cpaths *ps, uint32_t parent, tp_term conjunct, tp_term whole) {
  tp_vec_push(&ps->nodes, (tp_cpath_node){parent, ps->nodes.at[parent].depth + 1, conjunct, whole});
  return (uint32_t)ps->nodes.n - 1;
}

uint32_t tp_cpath_and(tp_cpaths *ps, uint32_t path, tp_term cond) {
  if (tp_is_true(ps->tt, cond)) return path;
  return child(ps, path, cond, tp_mk_and(ps->tt, ps->nodes.at[path].whole, cond));
}

/* The conjunction of what was added below `above`, oldest first. Kept for every node on the way:
 * the exits of a loop ask for longer and longer ways from the same place. */
static tp_term below(tp_cpaths *ps, uint32_t path, uint32_t above) {
  TP_VEC(uint32_t) way = {0};
  uint64_t known = tp_mk_true(ps->tt).id;
  for (; path != above; path = ps->nodes.at[path].parent) {
    if (tp_map_get(&ps->relative, (uint64_t)path << 32 | above, &known)) break;
    tp_vec_push(&way, path);
  }
  tp_term all = {(uint32_t)known};
  while (way.n) {
    path = tp_vec_pop(&way);
    all = tp_mk_and(ps->tt, all, ps->nodes.at[path].conjunct);
    tp_map_set(&ps->relative, (uint64_t)path << 32 | above, all.id);
  }
  tp_vec_clear(&way);
  return all;
}

uint32_t tp_cpath_or(tp_cpaths *ps, uint32_t a, uint32_t b, tp_term *picks_a) {
  uint32_t x = a, y = b;
  while (x != y) {
    if (ps->nodes.at[x].depth >= ps->nodes.at[y].depth)
      x = ps->nodes.at[x].parent;
    else
      y = ps->nodes.at[y].parent;
  }
  tp_term on_a = below(ps, a, x), on_b = below(ps, b, x);
  *picks_a = on_a;
  if (tp_term_eq(on_a, tp_mk_not(ps->tt, on_b))) return x;
  tp_term either = tp_mk_or(ps->tt, on_a, on_b);
  if (tp_is_true(ps->tt, either)) return x;
  return child(ps, x, either, tp_mk_and(ps->tt, ps->nodes.at[x].whole, either));
}
