/* Which sorts of cells may lie across each other: two accesses of one sort of m bytes can overlap
 * without being the same only if one of them is not at a multiple of m. Pointers start at the
 * starts of objects and move by the offsets that stand in the program, so if all of those that lead
 * into a region are multiples of m, its cells of that sort are apart. Where a pointer comes from an
 * integer, nothing is known. */
#include "formula/path_priv.h"
#include "formula/value_sets.h"

typedef struct {
  tp_paths *x;
  tp_value_sets values;
  tp_map seen;  // terms
} search;

static uint64_t key_of(uint32_t region, size_t sort) { return (uint64_t)region << 8 | sort; }

/* The pointer leads to an offset of which nothing or this is known. */
static void note(search *s, tp_term pointer, const tp_value_set *offset, uint64_t constant) {
  tp_paths *x = s->x;
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    uint32_t m = tp_sort_bytes(x->tt, tp_sort_element(x->tt, tp_sort_of(x->tt, x->p->memory[i])));
    uint64_t residue, modulus = m & (~m + 1);  // a power of two, for sorts of 10 bytes too
    if (!(x->all_sorts >> i & 1) || m < 2) continue;
    bool fits = offset ? tp_value_set_residue(offset, modulus, &residue) && residue == 0
                       : constant % modulus == 0;
    if (fits && modulus == m) continue;
    uint32_t region = tp_term_is(pointer) ? tp_pointsto_region(x->pointsto, pointer, m) : 0;
    tp_map_set(&x->crossing, key_of(region, i), 1);
    x->crossing_sorts |= 1u << i;
  }
}

static tp_visit visit(void *ctx, tp_term t) {
  search *s = ctx;
  const tp_terms *tt = s->x->tt;
  if (tp_program_var_of(s->x->p, t).id == s->x->p->ghost_leaked.id) s->x->reads_lost = true;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_PTR_CONST: note(s, t, NULL, tp_ptr_const_offset(tt, t)); break;
    case TP_OP_PTR_ADD:
    case TP_OP_PTR_MK: note(s, t, tp_value_set_of(&s->values, tp_arg(tt, t, 1)), 0); break;
    case TP_OP_INT_TO_PTR: note(s, t, NULL, 1); break;
    default: break;
  }
  return TP_VISIT_ARGS;
}

static void visit_all(search *s, tp_term t) {
  tp_visitor v = {.ctx = s, .visit = visit, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(s->x->tt, t, &v, &s->seen);
}

static void visit_images(search *s) {
  const tp_program *p = s->x->p;
  for (uint32_t v = 1; v < p->vars.n; v++) visit_all(s, p->vars.at[v].initial);
  for (uint32_t o = 0; o < p->statics.n; o++)
    for (uint32_t i = 0; i < p->statics.at[o].n_relocs; i++) {
      const tp_reloc *r = &p->statics.at[o].relocs[i];
      visit_all(s, tp_mk_ptr_const(p->terms, r->object, r->addend));
    }
}

void tp_paths_find_crossing(tp_paths *x) {
  search s = {.x = x};
  tp_value_sets_init(&s.values, x->tt);
  for (uint32_t e = 1; e < x->p->edges.n; e++) {
    const tp_edge_info *info = &x->p->edges.at[e];
    visit_all(&s, info->a);
    visit_all(&s, info->b);
    for (uint32_t i = 0; i < info->n_args; i++) visit_all(&s, info->args[i]);
  }
  visit_images(&s);
  tp_map_clear(&s.seen);
  tp_value_sets_clear(&s.values);
}

bool tp_paths_may_cross(const tp_paths *x, uint32_t region, size_t sort) {
  TP_REQUIRE(sort < TP_N_MEMORIES);
  if (!(x->crossing_sorts >> sort & 1)) return false;
  return !region || tp_map_has(&x->crossing, key_of(region, sort)) ||
         tp_map_has(&x->crossing, key_of(0, sort));
}
