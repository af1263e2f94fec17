/* Elements: sets of graphs and links; their lattice, what they say to others; the row of the table.
 *
 * Sets of graphs of one kind are joined exactly. With links, or several kinds, the join would say
 * less than its parts; so elements that differ in those are no candidates for each other
 * (merge_key), and stop = join stays sound. */
#include "cpa/shape/shape_priv.h"

// ----------------------------------------------------------------------- lattice

static bool same_link(const tp_heaps_link *a, const tp_heaps_link *b) {
  return a->var.id == b->var.id && a->pointer.id == b->pointer.id && a->offset == b->offset &&
         a->width_bits == b->width_bits;
}

static bool has_link(const tp_elem *e, const tp_heaps_link *l) {
  for (size_t i = 0; i < e->n_links; i++)
    if (same_link(&e->links[i], l)) return true;
  return false;
}

static bool leq(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  for (size_t i = 0; i < b->n_links; i++)
    if (!has_link(a, &b->links[i])) return false;
  if (!tp_heaps_remembers_all(a, b)) return false;
  return a == b || tp_heaps_of(cpa)->n == 0 ||
         tp_region_leq(&a->region, &b->region, tp_heaps_abstraction(tp_heaps_of(cpa)));
}

static bool is_missing(const void *ctx, const tp_heaps_link *l) { return !has_link(ctx, l); }

static const tp_elem *join(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  tp_heaps_draft d;
  tp_heaps_draft_open(&d, tp_heaps_of(cpa), b);
  for (uint32_t k = 0; k < d.h->n; k++) tp_heaps_set_add(&d.region.sets[k], &a->region.sets[k]);
  d.off |= a->off;
  tp_heaps_unlink(&d, is_missing, a);
  tp_heaps_remember_common(&d, a);
  return tp_heaps_seal(&d);
}

/* All have the same links, and the same graphs of all kinds but the first (merge_key). */
static bool covered(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates) {
  const tp_heaps *h = tp_heaps_of(cpa);
  if (h->n == 0) return true;
  const tp_elem *like = candidates.at[0].elem;
  tp_region all;
  tp_region_init(&all, h->n);
  tp_region_copy(&all, &like->region);
  for (size_t i = 1; i < candidates.n; i++)
    tp_heaps_set_add(&all.sets[0], &candidates.at[i].elem->region.sets[0]);
  bool is_covered = tp_region_leq(&e->region, &all, tp_heaps_abstraction(h));
  for (size_t i = 0; i < like->n_links; i++) is_covered &= has_link(e, &like->links[i]);
  for (size_t i = 0; i < candidates.n; i++)
    is_covered = is_covered && tp_heaps_remembers_all(e, candidates.at[i].elem);
  tp_region_clear(&all);
  return is_covered;
}

static const tp_elem *all_heaps(tp_cpa *cpa) {
  tp_heaps *h = tp_heaps_of(cpa);
  const tp_elem none = {.region = {.n = 0}};
  tp_heaps_draft d;
  tp_heaps_draft_open(&d, h, &none);
  if (h->n) tp_region_top(&d.region, tp_heaps_abstraction(h));
  return tp_heaps_seal(&d);
}

/* main: there are no cells yet, and globals have their initial values. */
static tp_succ initial(tp_cpa *cpa, tp_loc entry, tp_context context) {
  (void)entry;
  tp_heaps *h = tp_heaps_of(cpa);
  if (context.id && tp_context_of(cpa->env->contexts, context)->contract)
    return (tp_succ){all_heaps(cpa), NULL};
  const tp_elem none = {.region = {.n = 0}};
  tp_heaps_draft d;
  tp_heaps_draft_open(&d, h, &none);
  if (h->starts_off) d.off = tp_k64_all(h->n < TP_HEAPS_MOST_OFF ? h->n : TP_HEAPS_MOST_OFF);
  for (uint32_t k = 0; k < h->n; k++)
    if (!tp_heaps_is_off(d.off, k)) tp_shape_engine_start(h->kinds[k].e, &d.region.sets[k]);
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    if (h->p->vars.at[v].kind == TP_V_GLOBAL)
      tp_heaps_assign(&d, (tp_var){v}, h->p->vars.at[v].initial);
  return (tp_succ){tp_heaps_seal(&d), NULL};
}

static uint64_t merge_key(tp_cpa *cpa, const tp_elem *e) {
  uint64_t key = tp_hash_mix(e->off, e->n_links);
  for (size_t i = 0; i < e->n_links; i++) {
    const tp_heaps_link *l = &e->links[i];
    key =
        tp_hash_mix(tp_hash_mix(tp_hash_mix(tp_hash_mix(key, l->var.id), l->pointer.id), l->offset),
                    l->width_bits);
  }
  for (uint32_t k = 1; k < tp_heaps_of(cpa)->n; k++)
    for (size_t i = 0; i < e->region.sets[k].n; i++)
      key = tp_hash_mix(key, (uint64_t)k << 32 | e->region.sets[k].at[i]);
  return key;
}

// -------------------------------------------------------------------- to others

static void print(tp_cpa *cpa, const tp_elem *e, tp_str *out) {
  const tp_heaps *h = tp_heaps_of(cpa);
  for (uint32_t k = 0; k < h->n; k++) {
    tp_str_printf(out, "%s%s of %s: graphs", k ? "; " : "", h->kinds[k].entry->name,
                  tp_type_of(h->p, h->kinds[k].seen.structure)->name);
    for (size_t i = 0; i < e->region.sets[k].n; i++)
      tp_str_printf(out, " %u", e->region.sets[k].at[i]);
  }
  for (size_t i = 0; i < e->n_links; i++)
    tp_str_printf(out, "; %s = %s[%llu]", tp_var_of(h->p, e->links[i].var)->name,
                  tp_var_of(h->p, e->links[i].pointer)->name,
                  (unsigned long long)e->links[i].offset);
  for (size_t i = 0; i < e->n_conditions; i++) {
    tp_str_add(out, "; ");
    tp_print_c(h->tt, e->conditions[i], TP_C_READABLE, out);
  }
}

static tp_k64 points(const tp_heaps_kind *k, const tp_structure *s, uint32_t pointer) {
  return s->unary[k->c->points[pointer]];
}

/* Null and not null, equal and different, of the pointers of one graph; numbers. */
static tp_term say_graph(const tp_heaps *h, const tp_heaps_kind *k, const tp_structure *s,
                         const tp_elem *e) {
  tp_term all = tp_heaps_say_data(h, k, s, e->links, e->n_links);
  const tp_term null = tp_mk_null(h->tt);
  for (uint32_t x = 0; x < k->c->n_pointers; x++) {
    const tp_term px = tp_var_of(h->p, k->seen.pointers[x])->term;
    const tp_k64 to_x = points(k, s, x);
    if (!to_x.must && to_x.may) continue;
    all = tp_mk_and(
        h->tt, all,
        to_x.must ? tp_mk_not(h->tt, tp_mk_eq(h->tt, px, null)) : tp_mk_eq(h->tt, px, null));
    for (uint32_t y = 0; y < x && to_x.must; y++) {
      const tp_term py = tp_var_of(h->p, k->seen.pointers[y])->term;
      const tp_k64 to_y = points(k, s, y);
      if (to_y.must == to_x.must && !(to_x.must & s->summary))
        all = tp_mk_and(h->tt, all, tp_mk_eq(h->tt, px, py));
      if (to_y.must && to_y.must != to_x.must)
        all = tp_mk_and(h->tt, all, tp_mk_not(h->tt, tp_mk_eq(h->tt, px, py)));
    }
  }
  return all;
}

/* Different graphs often say the same; where there are very many, nothing is said. */
static tp_term say_set(const tp_heaps *h, const tp_heaps_kind *k, const tp_graph_ids *set,
                       const tp_elem *e) {
  enum { MOST_SAID = 64 };
  tp_map said = {0};
  tp_term some = tp_mk_false(h->tt);
  for (size_t i = 0; i < set->n && said.n <= MOST_SAID; i++) {
    const tp_term one =
        say_graph(h, k, &tp_graph_at(tp_shape_engine_graphs(k->e), set->at[i])->s, e);
    if (tp_map_has(&said, one.id)) continue;
    tp_map_set(&said, one.id, 1);
    some = tp_mk_or(h->tt, some, one);
  }
  const bool is_all = said.n <= MOST_SAID;
  tp_map_clear(&said);
  return is_all ? some : tp_mk_true(h->tt);
}

const tp_elem *tp_shape_with_graph(tp_cpa *cpa, const tp_elem *e, uint32_t k, uint32_t graph) {
  tp_heaps_draft d;
  tp_heaps_draft_open(&d, tp_heaps_of(cpa), e);
  d.region.sets[k].n = 0;
  tp_graph_ids_add(&d.region.sets[k], graph);
  return tp_heaps_seal(&d);
}

tp_term tp_shape_links(const tp_cpa *cpa, const tp_elem *e) {
  const tp_heaps *h = tp_heaps_of(cpa);
  tp_term all = tp_mk_true(h->tt);
  for (size_t i = 0; i < e->n_links; i++) {
    const tp_heaps_link *l = &e->links[i];
    const tp_term var = tp_var_of(h->p, l->var)->term;
    const tp_term place = tp_mk_ptr_add(h->tt, tp_var_of(h->p, l->pointer)->term,
                                        tp_mk_bv(h->tt, h->p->ptr_bits, l->offset));
    all = tp_mk_and(h->tt, all, tp_mk_eq(h->tt, var, tp_cell(h->p, tp_sort_of(h->tt, var), place)));
  }
  for (size_t i = 0; i < e->n_conditions; i++) all = tp_mk_and(h->tt, all, e->conditions[i]);
  return all;
}

static tp_term formula(tp_cpa *cpa, const tp_elem *e) {
  const tp_heaps *h = tp_heaps_of(cpa);
  tp_term all = tp_mk_true(h->tt);
  for (uint32_t k = 0; k < h->n; k++)
    all = tp_mk_and(h->tt, all, say_set(h, &h->kinds[k], &e->region.sets[k], e));
  return tp_mk_and(h->tt, all, tp_shape_links(cpa, e));
}

/* Graphs say more than formulas do. */
static bool speaks(tp_cpa *cpa, const tp_elem *e) {
  for (uint32_t k = 0; k < tp_heaps_of(cpa)->n; k++)
    if (!tp_heaps_is_off(e->off, k)) return false;
  return true;
}

uint32_t tp_shape_n_cells(const tp_cpa *cpa) { return tp_heaps_of(cpa)->n; }
const tp_heap_cells *tp_shape_cells(const tp_cpa *cpa, uint32_t k) {
  return &tp_heaps_of(cpa)->kinds[k].seen;
}
const tp_graph_ids *tp_shape_graphs(const tp_elem *e, uint32_t k) { return &e->region.sets[k]; }

uint64_t tp_shape_off(const tp_elem *e) { return e->off; }

static const char *const settings[] = {"classes",  "families", "track", "separate", "data",
                                       "liveness", "graphs",   "start", NULL};

const tp_cpa_ops tp_cpa_shape = {
    .name = "shape",
    .help = "lists, trees and other linked cells, as three-valued graphs",
    .settings = settings,
    .is_powerset = true,
    .has_join = true,
    .default_merge = "join",
    .open = tp_heaps_open,
    .close = tp_heaps_close,
    .initial = initial,
    .transfer = tp_heaps_transfer,
    .leq = leq,
    .print = print,
    .formula = formula,
    .top = all_heaps,
    .join = join,
    .covered = covered,
    .merge_key = merge_key,
    .strengthen = tp_heaps_strengthen,
    .take_over = tp_heaps_take_over,
    .speaks = speaks,
};
