/* Elements: sets of graphs and links; their lattice and formulas; the row of the table.
 *
 * Sets of graphs of one kind are joined exactly. With links, or several kinds, the join would
 * represent more than its parts; so elements that differ in those are no candidates for each other
 * (merge_key), and stop = join stays sound. */
#include "cpa/shape/shape_priv.h"

#include "cpa/cpa_limits.h"

// ----------------------------------------------------------------------- lattice

static bool same_link(const tp_shape_link *a, const tp_shape_link *b) {
  return a->var.id == b->var.id && a->pointer.id == b->pointer.id && a->offset == b->offset &&
         a->width_bits == b->width_bits;
}

static bool has_link(const tp_elem *e, const tp_shape_link *l) {
  for (size_t i = 0; i < e->n_links; i++)
    if (same_link(&e->links[i], l)) return true;
  return false;
}

static bool leq(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  for (size_t i = 0; i < b->n_links; i++)
    if (!has_link(a, &b->links[i])) return false;
  if (!tp_shape_cpa_has_conditions(a, b)) return false;
  return a == b || tp_shape_cpa_of(cpa)->n == 0 ||
         tp_shape_region_leq(&a->region, &b->region,
                             tp_shape_cpa_abstraction(tp_shape_cpa_of(cpa)));
}

static bool is_missing(const void *ctx, const tp_shape_link *l) { return !has_link(ctx, l); }

static const tp_elem *join(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  tp_shape_draft d;
  tp_shape_cpa_draft_open(&d, tp_shape_cpa_of(cpa), b);
  for (uint32_t k = 0; k < d.h->n; k++) tp_shape_cpa_set_add(&d.region.sets[k], &a->region.sets[k]);
  d.off |= a->off;
  tp_shape_cpa_unlink(&d, is_missing, a);
  tp_shape_cpa_join_conditions(&d, a);
  return tp_shape_cpa_seal(&d);
}

/* The kind whose graphs may differ among candidates for merge and stop: the first that is followed.
 */
static uint32_t free_kind(const tp_shape_cpa *h, const tp_elem *e) {
  uint32_t k = 0;
  while (k + 1 < h->n && tp_shape_cpa_is_off(e->off, k)) k++;
  return tp_shape_cpa_is_off(e->off, k) ? 0 : k;
}

/* All have the same links, and the same graphs of all kinds but one (merge_key). */
static bool covered(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates) {
  TP_REQUIRE(candidates.n > 0);
  const tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  if (h->n == 0) return true;
  const tp_elem *like = candidates.at[0].elem;
  const uint32_t k = free_kind(h, like);
  tp_shape_region all;
  tp_shape_region_init(&all, h->n);
  tp_shape_region_copy(&all, &like->region);
  for (size_t i = 1; i < candidates.n; i++)
    tp_shape_cpa_set_add(&all.sets[k], &candidates.at[i].elem->region.sets[k]);
  bool is_covered = tp_shape_region_leq(&e->region, &all, tp_shape_cpa_abstraction(h));
  for (size_t i = 0; i < like->n_links; i++) is_covered &= has_link(e, &like->links[i]);
  for (size_t i = 0; i < candidates.n; i++)
    is_covered = is_covered && tp_shape_cpa_has_conditions(e, candidates.at[i].elem);
  tp_shape_region_clear(&all);
  return is_covered;
}

static const tp_elem *all_heaps(tp_cpa *cpa) {
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  const tp_elem none = {.region = {.n = 0}};
  tp_shape_draft d;
  tp_shape_cpa_draft_open(&d, h, &none);
  if (h->n) tp_shape_region_top(&d.region, tp_shape_cpa_abstraction(h));
  if (h->precision != TP_SHAPE_PRECISION_ALL) d.off = UINT64_MAX;
  return tp_shape_cpa_seal(&d);
}

/* main: there are no cells yet, and globals have their initial values. */
static tp_succ initial(tp_cpa *cpa, tp_loc entry, tp_context context) {
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  if (context.id && tp_context_of(cpa->env->contexts, context)->contract)
    return (tp_succ){all_heaps(cpa), NULL};
  const tp_elem none = {.region = {.n = 0}};
  tp_shape_draft d;
  tp_shape_cpa_draft_open(&d, h, &none);
  if (h->starts_off)
    d.off = tp_k64_all(h->n < TP_CPA_SHAPE_KINDS_OFF ? h->n : TP_CPA_SHAPE_KINDS_OFF);
  if (h->precision != TP_SHAPE_PRECISION_ALL) d.off = tp_shape_cpa_off_at(h, entry);
  for (uint32_t k = 0; k < h->n; k++)
    if (!tp_shape_cpa_is_off(d.off, k)) tp_shape_engine_start(h->kinds[k].e, &d.region.sets[k]);
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    if (h->p->vars.at[v].kind == TP_V_GLOBAL)
      tp_shape_cpa_assign(&d, (tp_var){v}, h->p->vars.at[v].initial);
  return (tp_succ){tp_shape_cpa_seal(&d), NULL};
}

static uint64_t merge_key(tp_cpa *cpa, const tp_elem *e) {
  uint64_t key = tp_hash_mix(e->off, e->n_links);
  for (size_t i = 0; i < e->n_links; i++) {
    const tp_shape_link *l = &e->links[i];
    key =
        tp_hash_mix(tp_hash_mix(tp_hash_mix(tp_hash_mix(key, l->var.id), l->pointer.id), l->offset),
                    l->width_bits);
  }
  const uint32_t free = free_kind(tp_shape_cpa_of(cpa), e);
  for (uint32_t k = 0; k < tp_shape_cpa_of(cpa)->n; k++)
    for (size_t i = 0; i < e->region.sets[k].n && k != free && !tp_shape_cpa_is_off(e->off, k); i++)
      key = tp_hash_mix(key, (uint64_t)k << 32 | e->region.sets[k].at[i]);
  return key;
}

// -------------------------------------------------------------------- to others

static void print(tp_cpa *cpa, const tp_elem *e, tp_str *out) {
  const tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  for (uint32_t k = 0; k < h->n; k++) {
    if (h->precision != TP_SHAPE_PRECISION_ALL && tp_shape_cpa_is_off(e->off, k)) continue;
    tp_str_printf(out, "%s%s of %s: graphs", k ? "; " : "", h->kinds[k].entry->name,
                  tp_type_of(h->p, h->kinds[k].visible.structure)->name);
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

static tp_k64 points(const tp_shape_cpa_kind *k, const tp_structure *s, uint32_t pointer) {
  return s->unary[k->c->points[pointer]];
}

/* Null and not null, equal and different, of the pointers of one graph; numbers. */
static tp_term graph_formula(const tp_shape_cpa *h, const tp_shape_cpa_kind *k,
                             const tp_structure *s, const tp_elem *e) {
  tp_term all = tp_shape_cpa_data_formula(h, k, s, e->links, e->n_links);
  const tp_term null = tp_mk_null(h->tt);
  for (uint32_t x = 0; x < k->c->n_pointers; x++) {
    const tp_term px = tp_var_of(h->p, k->visible.pointers[x])->term;
    const tp_k64 to_x = points(k, s, x);
    if (!to_x.must && to_x.may) continue;
    all = tp_mk_and(
        h->tt, all,
        to_x.must ? tp_mk_not(h->tt, tp_mk_eq(h->tt, px, null)) : tp_mk_eq(h->tt, px, null));
    for (uint32_t y = 0; y < x && to_x.must; y++) {
      const tp_term py = tp_var_of(h->p, k->visible.pointers[y])->term;
      const tp_k64 to_y = points(k, s, y);
      if (to_y.must == to_x.must && !(to_x.must & s->summary))
        all = tp_mk_and(h->tt, all, tp_mk_eq(h->tt, px, py));
      if (to_y.must && to_y.must != to_x.must)
        all = tp_mk_and(h->tt, all, tp_mk_not(h->tt, tp_mk_eq(h->tt, px, py)));
    }
  }
  return all;
}

/* Different graphs often have equal formulas; of very many graphs the formula is TRUE. */
static tp_term set_formula(const tp_shape_cpa *h, const tp_shape_cpa_kind *k,
                           const tp_graph_ids *set, const tp_elem *e) {
  tp_map said = {0};
  tp_term some = tp_mk_false(h->tt);
  for (size_t i = 0; i < set->n && said.n <= TP_CPA_SHAPE_FORMULA_GRAPHS; i++) {
    const tp_term one =
        graph_formula(h, k, &tp_graph_at(tp_shape_engine_graphs(k->e), set->at[i])->s, e);
    if (tp_map_has(&said, one.id)) continue;
    tp_map_set(&said, one.id, 1);
    some = tp_mk_or(h->tt, some, one);
  }
  const bool is_all = said.n <= TP_CPA_SHAPE_FORMULA_GRAPHS;
  tp_map_clear(&said);
  return is_all ? some : tp_mk_true(h->tt);
}

const tp_elem *tp_shape_with_graph(tp_cpa *cpa, const tp_elem *e, uint32_t k, uint32_t graph) {
  TP_REQUIRE(k < tp_shape_cpa_of(cpa)->n && graph > 0);
  tp_shape_draft d;
  tp_shape_cpa_draft_open(&d, tp_shape_cpa_of(cpa), e);
  d.region.sets[k].n = 0;
  tp_graph_ids_add(&d.region.sets[k], graph);
  return tp_shape_cpa_seal(&d);
}

tp_term tp_shape_links(const tp_cpa *cpa, const tp_elem *e) {
  const tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  tp_term all = tp_mk_true(h->tt);
  for (size_t i = 0; i < e->n_links; i++) {
    const tp_shape_link *l = &e->links[i];
    const tp_term var = tp_var_of(h->p, l->var)->term;
    const tp_term place = tp_mk_ptr_add(h->tt, tp_var_of(h->p, l->pointer)->term,
                                        tp_mk_bv(h->tt, h->p->ptr_bits, l->offset));
    all = tp_mk_and(h->tt, all, tp_mk_eq(h->tt, var, tp_cell(h->p, tp_sort_of(h->tt, var), place)));
  }
  for (size_t i = 0; i < e->n_conditions; i++) all = tp_mk_and(h->tt, all, e->conditions[i]);
  return all;
}

static tp_term formula(tp_cpa *cpa, const tp_elem *e) {
  const tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  tp_term all = tp_mk_true(h->tt);
  for (uint32_t k = 0; k < h->n; k++)
    all = tp_mk_and(h->tt, all, set_formula(h, &h->kinds[k], &e->region.sets[k], e));
  return tp_mk_and(h->tt, all, tp_shape_links(cpa, e));
}

/* Graphs represent fewer heaps than their formulas. */
static bool has_exact_formula(tp_cpa *cpa, const tp_elem *e) {
  for (uint32_t k = 0; k < tp_shape_cpa_of(cpa)->n; k++)
    if (!tp_shape_cpa_is_off(e->off, k)) return false;
  return true;
}

uint32_t tp_shape_n_cells(const tp_cpa *cpa) { return tp_shape_cpa_of(cpa)->n; }
const tp_cell_kind *tp_shape_cells(const tp_cpa *cpa, uint32_t k) {
  TP_REQUIRE(k < tp_shape_cpa_of(cpa)->n);
  return &tp_shape_cpa_of(cpa)->kinds[k].visible;
}
const tp_graph_ids *tp_shape_graphs(const tp_elem *e, uint32_t k) { return &e->region.sets[k]; }

uint64_t tp_shape_off(const tp_elem *e) { return e->off; }

static const char *const settings[] = {"classes",  "families", "track", "separate",  "data",
                                       "liveness", "graphs",   "start", "precision", NULL};

const tp_cpa_ops tp_cpa_shape = {
    .name = "shape",
    .help = "lists, trees and other linked cells, as three-valued graphs",
    .settings = settings,
    .is_powerset = true,
    .has_join = true,
    .default_merge = "join",
    .open = tp_shape_cpa_open,
    .close = tp_shape_cpa_close,
    .initial = initial,
    .transfer = tp_shape_cpa_transfer,
    .leq = leq,
    .print = print,
    .formula = formula,
    .top = all_heaps,
    .join = join,
    .covered = covered,
    .merge_key = merge_key,
    .strengthen = tp_shape_cpa_strengthen,
    .transfer_precision = tp_shape_cpa_transfer_precision,
    .has_exact_formula = has_exact_formula,
};
