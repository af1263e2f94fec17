/* Elements and their lattice; the row of the table.
 *
 * Between block ends an element is a path formula, which is compared by its origin: an element is
 * below another one if the other is a merge of it, or if all its incoming paths are incoming paths
 * of the other. Merging keeps the incoming paths apart and joins them again: when the source of a
 * path has grown and the step is computed again, the new path replaces the old one, so no path
 * occurs twice in the join, and the conditions of incoming paths exclude each other, which
 * tp_path_join requires. */
#include "cpa/predicate/predicate_priv.h"

#include "cpa/composite.h"
#include "cpa/cpa_limits.h"

// ---------------------------------------------------------------------- regions

static uint64_t pair(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

static tp_region *new_region(tp_predicate *self, tp_bdd f, tp_loc loc, tp_context context) {
  TP_REQUIRE(f.id && loc.id && context.id);
  tp_region *r = tp_arena_new(&self->cpa->arena, tp_region);
  *r = (tp_region){.id = (uint32_t)self->regions.n, .bdd = f, .loc = loc, .context = context};
  tp_vec_push(&self->regions, r);
  return r;
}

const tp_region *tp_predicate_region(tp_predicate *self, tp_bdd f, tp_loc loc, tp_context context) {
  uint64_t place, found;
  if (!tp_map_get(&self->place_of, pair(context.id, loc.id), &place)) {
    place = self->place_of.n;
    tp_map_set(&self->place_of, pair(context.id, loc.id), place);
  }
  uint64_t key = pair((uint32_t)place, f.id);
  if (tp_map_get(&self->region_of, key, &found)) return self->regions.at[found];
  tp_map_set(&self->region_of, key, self->regions.n);
  return new_region(self, f, loc, context);
}

// --------------------------------------------------------------------- elements

tp_elem *tp_predicate_new_elem(tp_predicate *self, tp_predicate_kind kind, tp_loc loc,
                               tp_context context, const tp_region *region) {
  tp_elem *e = tp_arena_new(&self->cpa->arena, tp_elem);
  *e = (tp_elem){.kind = kind, .loc = loc, .context = context, .region = region};
  tp_vec_push(&self->elems, e);
  return e;
}

const tp_elem *tp_predicate_new_end(tp_predicate *self, tp_bdd f, tp_block_end end,
                                    const tp_path *path) {
  tp_elem *e = tp_predicate_new_elem(self, TP_PREDICATE_END, end.loc, end.context,
                                     tp_predicate_region(self, f, end.loc, end.context));
  e->transferred = end.transferred;
  e->path = path ? tp_path_copy(path) : tp_path_here(&self->paths);
  return e;
}

tp_elem *tp_predicate_new_incoming(tp_predicate *self, tp_predicate_kind kind, tp_loc loc,
                                   tp_context context, const tp_region *region,
                                   tp_incoming incoming_path) {
  tp_elem *e = tp_predicate_new_elem(self, kind, loc, context, region);
  tp_incoming *own = tp_arena_new(&self->cpa->arena, tp_incoming);
  *own = incoming_path;  // the element's path and the way's are one reference
  e->path = incoming_path.path;
  e->incoming = own;
  e->n_incoming = 1;
  return e;
}

// ------------------------------------------------------------------------ order

static void differ(void *ctx, uint64_t key, uint64_t a, uint64_t b) {
  (void)key;
  (void)a;
  (void)b;
  *(bool *)ctx = false;
}

static bool same_path(const tp_predicate *self, const tp_path *a, const tp_path *b) {
  bool same = tp_term_eq(tp_path_condition(&self->paths, a), tp_path_condition(&self->paths, b));
  if (same) tp_pmap_diff_while(&a->values, &b->values, differ, &same, &same);
  return same;
}

/* Was b made by merging a with something? */
static bool is_part_of(const tp_elem *a, const tp_elem *b) {
  TP_VEC(const tp_elem *) todo = {0};
  bool found = a == b;
  tp_vec_push(&todo, b);
  for (size_t i = 0; i < todo.n && i < TP_CPA_PREDICATE_ANCESTORS && !found; i++) {
    for (int k = 0; k < 2 && todo.at[i]->of[0]; k++) {
      found |= todo.at[i]->of[k] == a;
      tp_vec_push(&todo, todo.at[i]->of[k]);
    }
  }
  tp_vec_clear(&todo);
  return found;
}

static bool same_step(const tp_step *a, const tp_step *b) {
  return a->kind == b->kind && a->edge.id == b->edge.id && a->callee.id == b->callee.id;
}

static bool has_incoming(const tp_predicate *self, const tp_elem *e, const tp_incoming *w) {
  for (uint32_t i = 0; i < e->n_incoming; i++)
    if (e->incoming[i].from == w->from && same_step(&e->incoming[i].step, &w->step) &&
        same_path(self, &e->incoming[i].path, &w->path))
      return true;
  return false;
}

static bool leq_inside(const tp_predicate *self, const tp_elem *a, const tp_elem *b) {
  bool all = a->n_incoming > 0;
  for (uint32_t i = 0; i < a->n_incoming && all; i++) all = has_incoming(self, b, &a->incoming[i]);
  return all || is_part_of(a, b) || same_path(self, &a->path, &b->path);
}

static bool same_place(const tp_elem *a, const tp_elem *b) {
  return a->loc.id == b->loc.id && a->context.id == b->context.id;
}

static bool is_inside(const tp_elem *e) {
  return e->kind == TP_PREDICATE_INSIDE || e->kind == TP_PREDICATE_PENDING;
}

static bool leq(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  tp_predicate *self = tp_predicate_of(cpa);
  if (a == b || b->kind == TP_PREDICATE_ANY) return true;
  if (a->kind == TP_PREDICATE_ANY || !same_place(a, b)) return false;
  if (b->kind == TP_PREDICATE_END) {
    if (b->region->is_start) return a->region == b->region && a->kind == TP_PREDICATE_END;
    if (tp_bdd_is_true(b->region->bdd)) return true;
    return a->kind == TP_PREDICATE_END &&
           tp_bdd_implies(&self->bdds, a->region->bdd, b->region->bdd);
  }
  return a->kind == b->kind && a->region == b->region && leq_inside(self, a, b);
}

// ---------------------------------------------------------------------- merging

/* The index of w among the incoming paths: that of an equal path, or of an older one of the same
 * step; n: a new one. */
static uint32_t index_of_incoming(const tp_predicate *self, const tp_incoming *incoming, uint32_t n,
                                  const tp_incoming *w, bool *is_known) {
  *is_known = false;
  for (uint32_t i = 0; i < n; i++) {
    if (!same_step(&incoming[i].step, &w->step)) continue;
    bool is_same = incoming[i].from == w->from && same_path(self, &incoming[i].path, &w->path);
    if (is_same || (incoming[i].from != w->from && is_part_of(w->from, incoming[i].from)))
      return *is_known = true, i;
    if (incoming[i].from != w->from && is_part_of(incoming[i].from, w->from)) return i;
  }
  return n;
}

static tp_path join_incoming(tp_predicate *self, const tp_incoming *incoming, uint32_t n) {
  TP_REQUIRE(n > 0);
  tp_path all = tp_path_copy(&incoming[0].path);
  for (uint32_t i = 1; i < n; i++)
    all = tp_path_join(&self->paths, all, tp_path_copy(&incoming[i].path));
  return all;
}

/* b and a as one; b itself if a brings nothing. Both inside, from the same region, at the same
 * place. */
static const tp_elem *merge_inside(tp_predicate *self, const tp_elem *a, const tp_elem *b) {
  TP_REQUIRE(is_inside(a) && a->kind == b->kind && a->region == b->region && same_place(a, b));
  tp_incoming *incoming =
      tp_arena_array(&self->cpa->arena, tp_incoming, a->n_incoming + b->n_incoming);
  uint32_t n = b->n_incoming;
  bool changed = false;
  memcpy(incoming, b->incoming, b->n_incoming * sizeof *incoming);
  for (uint32_t i = 0; i < a->n_incoming; i++) {
    bool is_known;
    uint32_t at = index_of_incoming(self, incoming, n, &a->incoming[i], &is_known);
    if (is_known) continue;
    incoming[at] = a->incoming[i];
    n += at == n;
    changed = true;
  }
  TP_INVARIANT(n <= a->n_incoming + b->n_incoming);
  if (!changed) return b;
  tp_elem *e = tp_predicate_new_elem(self, b->kind, b->loc, b->context, b->region);
  e->incoming = incoming;
  e->n_incoming = n;
  e->path = join_incoming(self, incoming, n);
  e->n_choices = a->n_choices > b->n_choices ? a->n_choices : b->n_choices;
  e->transferred = tp_predicate_transferred_to_both(self, a->transferred, b->transferred);
  e->of[0] = b;
  e->of[1] = a;
  return e;
}

/* Regions stay apart. */
static const tp_elem *merge(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  if (a->kind != b->kind || !is_inside(b) || a->region != b->region || !same_place(a, b) ||
      leq(cpa, a, b))
    return b;
  return merge_inside(tp_predicate_of(cpa), a, b);
}

static const tp_elem *top(tp_cpa *cpa) { return tp_predicate_of(cpa)->any; }

/* For what must become one element: entries and exits of contracts. */
static const tp_elem *join(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  tp_predicate *self = tp_predicate_of(cpa);
  if (leq(cpa, a, b)) return b;
  if (leq(cpa, b, a)) return a;
  if (a->kind == TP_PREDICATE_ANY || b->kind == TP_PREDICATE_ANY || !same_place(a, b))
    return self->any;
  if (is_inside(a) && a->kind == b->kind && a->region == b->region) return merge_inside(self, a, b);
  bool both_end = a->kind == TP_PREDICATE_END && b->kind == TP_PREDICATE_END;
  tp_bdd f = both_end ? tp_bdd_or(&self->bdds, a->region->bdd, b->region->bdd) : TP_BDD_TRUE;
  return tp_predicate_new_end(
      self, f,
      (tp_block_end){a->loc, a->context,
                     tp_predicate_transferred_to_both(self, a->transferred, b->transferred)},
      NULL);
}

static uint64_t merge_key(tp_cpa *cpa, const tp_elem *e) {
  (void)cpa;
  uint64_t place = tp_hash_mix(e->context.id, e->loc.id);
  return tp_hash_mix(place,
                     is_inside(e) ? (uint64_t)e->region->id + 2 : e->kind == TP_PREDICATE_END);
}

// ---------------------------------------------------------------------- speaking

/* Between block ends the states have no formula without quantifiers. */
static tp_term formula(tp_cpa *cpa, const tp_elem *e) {
  tp_predicate *self = tp_predicate_of(cpa);
  return e->kind == TP_PREDICATE_END ? tp_predicate_bdd_term(self, e->region->bdd)
                                     : tp_mk_true(self->tt);
}

static bool has_exact_formula(tp_cpa *cpa, const tp_elem *e) {
  (void)cpa;
  return e->kind == TP_PREDICATE_ANY || (e->kind == TP_PREDICATE_END && !e->region->is_start);
}

static void print(tp_cpa *cpa, const tp_elem *e, tp_str *out) {
  tp_predicate *self = tp_predicate_of(cpa);
  if (e->kind == TP_PREDICATE_ANY) {
    tp_str_add(out, "any place");
    return;
  }
  if (is_inside(e))
    tp_str_printf(out, "L%u by %u ways, %zu nodes, since L%u ", e->loc.id, e->n_incoming,
                  tp_dag_size(self->tt, tp_path_condition(&self->paths, &e->path)),
                  e->region->loc.id);
  tp_str_printf(out, "R%u: ", e->region->id);
  tp_print_c(self->tt, tp_predicate_bdd_term(self, e->region->bdd), TP_C_READABLE, out);
}

// -------------------------------------------------------------------- instances

/* Main's start: the path, not the region, has the initial values of globals. If loops come back to
 * main's entry, the start is abstracted. */
static const tp_elem *start(tp_predicate *self, tp_loc entry, tp_context context) {
  tp_region *r = new_region(self, TP_BDD_TRUE, entry, context);
  r->is_start = true;
  if (tp_in_edges(self->p, entry).n == 0) {
    tp_elem *e = tp_predicate_new_elem(self, TP_PREDICATE_END, entry, context, r);
    e->path = tp_path_here(&self->paths);
    return e;
  }
  tp_path path = tp_path_start(&self->paths);
  tp_block_end end = {entry, context, {NULL, 0}};
  tp_bdd f = tp_predicate_abstract(self, r, &path, end, TP_DECIDE_IF_NEEDED);
  const tp_elem *e = tp_predicate_new_end(self, f, end, &path);
  tp_path_clear(&path);
  return e;
}

static tp_succ initial(tp_cpa *cpa, tp_loc entry, tp_context context) {
  tp_predicate *self = tp_predicate_of(cpa);
  if (!entry.id || !context.id) return (tp_succ){self->any, NULL};
  const tp_context_info *c = tp_context_of(self->contexts, context);
  bool is_main = c->func.id == self->p->main.id && !c->contract && !c->parent.id;
  return (tp_succ){is_main ? start(self, entry, context)
                           : tp_predicate_new_end(self, TP_BDD_TRUE,
                                                  (tp_block_end){entry, context, {NULL, 0}}, NULL),
                   NULL};
}

/* The number of a setting's value among names. */
static bool choose(tp_cpa *cpa, const char *key, const char *const *names, int *out, tp_str *why) {
  const char *value = tp_cpa_setting(cpa, key, names[0]);
  for (*out = 0; names[*out]; (*out)++)
    if (strcmp(names[*out], value) == 0) return true;
  tp_str_printf(why, "predicate.%s = %s: expected", key, value);
  for (int i = 0; names[i]; i++) tp_str_printf(why, "%s %s", i ? "," : "", names[i]);
  return false;
}

static const char *const blocks[] = {"loops-calls", "loops", "edges", NULL};
static const char *const abstractions[] = {"cartesian", "boolean", "none", NULL};
static const char *const precisions[] = {"location", "function", "global", NULL};
static const char *const initials[] = {"none", "conditions", NULL};

static bool open(tp_cpa *cpa, tp_str *why) {
  int block, abstraction, precision, first;
  uint64_t rlimit;
  uint32_t sources;
  const char *words = tp_cpa_setting(cpa, "infer", "syntactic given");
  if (!tp_infer_parse(words, &sources)) {
    tp_str_printf(why, "predicate.infer = %s: expected some of syntactic, given, mined; or none",
                  words);
    return false;
  }
  if (!choose(cpa, "blocks", blocks, &block, why) ||
      !choose(cpa, "abstraction", abstractions, &abstraction, why) ||
      !choose(cpa, "precision", precisions, &precision, why) ||
      !choose(cpa, "initial", initials, &first, why) ||
      !tp_cpa_setting_u64(cpa, "rlimit", 2000000, &rlimit, why))
    return false;
  tp_predicate *self = TP_NEW(tp_predicate);
  *self = (tp_predicate){.cpa = cpa,
                         .p = cpa->env->program,
                         .tt = cpa->env->terms,
                         .contexts = cpa->env->contexts,
                         .rlimit = rlimit,
                         .blocks = (tp_blocks_setting)block,
                         .abstraction = (tp_abstraction_setting)abstraction,
                         .precision = (tp_precision_setting)precision,
                         .infer_sources = sources};
  cpa->state = self;
  tp_paths_init(&self->paths, self->p);
  tp_bdds_init(&self->bdds);
  tp_vec_push(&self->regions, NULL);
  self->branchings = TP_NEW_ARRAY(uint8_t, self->p->locs.n + 1);
  tp_predicate_init_precision(self);
  self->any = tp_predicate_new_elem(self, TP_PREDICATE_ANY, TP_LOC_NONE, TP_CONTEXT_NONE, NULL);
  if (first) tp_predicate_add_conditions(self);
  return true;
}

static void close(tp_cpa *cpa) {
  tp_predicate *self = tp_predicate_of(cpa);
  for (size_t i = 0; i < self->elems.n; i++) tp_path_clear(&self->elems.at[i]->path);
  tp_vec_clear(&self->elems);
  tp_vec_clear(&self->regions);
  tp_predicate_clear_precision(self);
  tp_paths_clear(&self->paths);
  tp_bdds_clear(&self->bdds);
  tp_map_clear(&self->place_of);
  tp_map_clear(&self->region_of);
  tp_map_clear(&self->formulas);
  tp_map_clear(&self->answers);
  tp_map_clear(&self->excluded);
  tp_map_clear(&self->sequences);
  tp_map_clear(&self->cubes);
  tp_vec_clear(&self->labels);
  tp_map_clear(&self->choices);
  tp_free(self->branchings);
  tp_infer_free(self->infer);
  tp_free(self);
}

// -------------------------------------------------------------------- for others

tp_cpa *tp_predicate_find(const tp_cpa *composite) {
  return tp_composite_find((tp_cpa *)(uintptr_t)composite, &tp_cpa_predicate);
}

const tp_elem *tp_predicate_part(const tp_cpa *composite, const tp_elem *e) {
  for (size_t i = 0; i < tp_composite_n(composite); i++) {
    tp_view v = tp_composite_view(composite, e, i);
    if (v.cpa->ops == &tp_cpa_predicate) return v.elem;
  }
  return NULL;
}

bool tp_predicate_is_block_end(const tp_elem *part) { return part->kind == TP_PREDICATE_END; }

tp_term tp_predicate_formula(tp_cpa *cpa, const tp_elem *part) {
  tp_predicate *self = tp_predicate_of(cpa);
  return part->region ? tp_predicate_bdd_term(self, part->region->bdd) : tp_mk_true(self->tt);
}

const tp_path *tp_predicate_path(const tp_elem *part) {
  return part->kind == TP_PREDICATE_ANY ? NULL : &part->path;
}

tp_paths *tp_predicate_paths(tp_cpa *cpa) { return &tp_predicate_of(cpa)->paths; }

const tp_elem *tp_predicate_strengthened(tp_cpa *cpa, const tp_elem *part, tp_term formula_too) {
  tp_predicate *self = tp_predicate_of(cpa);
  if (part->kind != TP_PREDICATE_END || part->region->is_start) return part;
  tp_bdd f = tp_bdd_and(&self->bdds, part->region->bdd, tp_predicate_of_formula(self, formula_too));
  return tp_predicate_new_end(self, f, (tp_block_end){part->loc, part->context, part->transferred},
                              &part->path);
}

/* The constant that the last region implies for a term that has not changed since. */
static tp_term constant(tp_cpa *cpa, const tp_elem *e, tp_term t) {
  tp_predicate *self = tp_predicate_of(cpa);
  if (e->kind == TP_PREDICATE_ANY) return TP_TERM_NONE;
  tp_path here = tp_path_here(&self->paths);
  tp_term before = tp_path_after(&self->paths, e->kind == TP_PREDICATE_END ? &here : &e->path, t),
          found = TP_TERM_NONE;
  tp_term_list parts = {0};
  tp_conjuncts(self->tt, tp_predicate_bdd_term(self, e->region->bdd), &parts);
  for (size_t i = 0; i < 2 * parts.n && !tp_term_is(found); i++) {
    const tp_term part = parts.at[i / 2];
    if (tp_kind(self->tt, part) != TP_OP_EQ ||
        tp_kind(self->tt, tp_arg(self->tt, part, i % 2)) != TP_OP_BV_CONST)
      continue;
    if (tp_term_eq(tp_path_after(&self->paths, &here, tp_arg(self->tt, part, 1 - i % 2)), before))
      found = tp_arg(self->tt, part, i % 2);
  }
  tp_vec_clear(&parts);
  tp_path_clear(&here);
  return found;
}

static const char *const settings[] = {"blocks", "abstraction", "precision", "initial",
                                       "infer",  "rlimit",      NULL};

const tp_cpa_ops tp_cpa_predicate = {
    .name = "predicate",
    .help = "predicate abstraction of blocks",
    .settings = settings,
    .has_join = true,
    .default_merge = "join",
    .open = open,
    .close = close,
    .initial = initial,
    .transfer = tp_predicate_transfer,
    .leq = leq,
    .print = print,
    .formula = formula,
    .top = top,
    .join = join,
    .merge = merge,
    .merge_key = merge_key,
    .constant = constant,
    .strengthen = tp_predicate_strengthen,
    .strengthen_last = tp_predicate_strengthen_last,
    .transfer_precision = tp_predicate_transfer_precision,
    .has_exact_formula = has_exact_formula,
    .reduce = tp_predicate_reduce,
    .expand = tp_predicate_expand,
};
