/* Precisions of refinement: a shape type for each structure and location, and kinds of cells made
 * for them.
 *
 * Equal types are one kind. An element tracks each structure by one kind at most; all others are
 * off. A step from a location with one type to a location with another: if the second type has
 * fewer predicates, graphs are converted behind the step, if it has more, before the step; if each
 * has some that the other lacks, the step is taken with both types' predicates. Where the entries
 * differ no class has all predicates, and graphs are converted before the step: what only the old
 * class knows is lost, which is sound. */
#include "cpa/cpa_limits.h"
#include "cpa/shape/shape_priv.h"
#include "shape/library.h"

static const uint32_t NO_KIND = UINT32_MAX;

// -------------------------------------------------------------------- structures

static void add_structure(tp_shape_cpa *h, const tp_shape_cpa_candidate *c) {
  bool *holds = tp_shape_cpa_find_holders(h, c->info->size_bytes);
  if (!holds) return;
  bool **all = tp_arena_array(&h->cpa->arena, bool *, h->structures.n + 1);
  if (h->structures.n) memcpy(all, h->holds, h->structures.n * sizeof *all);
  all[h->structures.n] = holds;
  h->holds = all;
  const tp_member **links = tp_arena_array(&h->cpa->arena, const tp_member *, c->n_links);
  memcpy(links, c->links, c->n_links * sizeof *links);
  tp_vec_push(&h->structures,
              ((tp_shape_structure){c->type, c->info->size_bytes, c->n_links, links}));
}

bool tp_shape_cpa_open_types(tp_shape_cpa *h, tp_str *why) {
  if (!tp_shape_cpa_open_library(h, why)) return false;
  tp_shape_cpa_each_candidate(h, add_structure);
  const size_t n = h->p->locs.n * h->structures.n + 1;
  h->types = tp_arena_array(&h->cpa->arena, tp_shape_type, n);
  h->kind_of_type = tp_arena_array(&h->cpa->arena, uint32_t, n);
  return true;
}

void tp_shape_cpa_close_types(tp_shape_cpa *h) {
  tp_vec_clear(&h->structures);
  tp_vec_clear(&h->made);
}

bool tp_shape_is_refined(const tp_cpa *cpa) {
  return tp_shape_cpa_of(cpa)->precision != TP_SHAPE_PRECISION_ALL;
}
bool tp_shape_precision_is_global(const tp_cpa *cpa) {
  return tp_shape_cpa_of(cpa)->precision == TP_SHAPE_PRECISION_GLOBAL;
}
uint32_t tp_shape_n_structures(const tp_cpa *cpa) {
  return (uint32_t)tp_shape_cpa_of(cpa)->structures.n;
}
const tp_shape_structure *tp_shape_structure_at(const tp_cpa *cpa, uint32_t structure) {
  TP_REQUIRE(structure < tp_shape_n_structures(cpa));
  return &tp_shape_cpa_of(cpa)->structures.at[structure];
}
const struct tp_shape_library *tp_shape_classes(const tp_cpa *cpa) {
  return tp_shape_cpa_of(cpa)->library;
}

// ------------------------------------------------------------------------- order

static tp_pointer_tracking pointer_in(const tp_shape_type *t, uint32_t v) {
  return t->pointers ? (tp_pointer_tracking)t->pointers[v] : TP_POINTER_UNTRACKED;
}

/* Are both types of one entry with the same links as fields? */
static bool is_comparable(const tp_shape_type *a, const tp_shape_type *b) {
  return a->entry == b->entry &&
         (!a->entry || memcmp(a->link, b->link, a->entry->fields.n * sizeof *a->link) == 0);
}

/* All that b tracks is tracked by a. */
static bool refines(const tp_shape_cpa *h, const tp_shape_type *a, const tp_shape_type *b) {
  if (!is_comparable(a, b) || (b->families & ~a->families) || (b->numbers & ~a->numbers))
    return false;
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    if (pointer_in(b, v) > pointer_in(a, v)) return false;
  return true;
}

static bool is_same(const tp_shape_cpa *h, const tp_shape_type *a, const tp_shape_type *b) {
  return a->links_named == b->links_named && refines(h, a, b) && refines(h, b, a);
}

static const uint8_t *copy_pointers(tp_shape_cpa *h, const tp_shape_type *a,
                                    const tp_shape_type *b) {
  uint8_t *all = tp_arena_array(&h->cpa->arena, uint8_t, h->p->vars.n);
  for (uint32_t v = 1; v < h->p->vars.n; v++) {
    const tp_pointer_tracking x = pointer_in(a, v), y = b ? pointer_in(b, v) : x;
    all[v] = (uint8_t)(x > y ? x : y);
  }
  return all;
}

// ------------------------------------------------------------------------- kinds

static uint32_t find_kind(const tp_shape_cpa *h, uint32_t structure, const tp_shape_type *t) {
  for (uint32_t k = 0; k < h->n; k++)
    if (h->kinds[k].structure == structure && refines(h, &h->kinds[k].type, t) &&
        refines(h, t, &h->kinds[k].type))
      return k;
  return NO_KIND;
}

/* The kind of the type, made if there is none; NO_KIND: it cannot be. */
static uint32_t kind_of(tp_shape_cpa *h, uint32_t structure, const tp_shape_type *t) {
  const uint32_t known = find_kind(h, structure, t);
  if (known != NO_KIND || !t->entry) return known;
  tp_shape_type own = *t;
  own.pointers = copy_pointers(h, t, NULL);
  return h->n < TP_CPA_SHAPE_KINDS_OFF && tp_shape_cpa_add_refined_kind(h, structure, &own)
             ? h->n - 1
             : NO_KIND;
}

void tp_shape_cpa_extend(tp_shape_cpa *h, tp_elem *e) {
  if (e->region.n >= h->n) return;
  tp_graph_ids *sets = tp_arena_array(&h->cpa->arena, tp_graph_ids, h->n + 1);
  if (e->region.n) memcpy(sets, e->region.sets, e->region.n * sizeof *sets);
  for (uint32_t k = e->region.n; k < h->n; k++) {
    tp_graph_ids all = {0};
    tp_shape_engine_top(h->kinds[k].e, &all);
    sets[k].at = tp_arena_array(&h->cpa->arena, uint32_t, all.n);
    memcpy(sets[k].at, all.at, all.n * sizeof *all.at);
    sets[k].n = all.n;
    tp_vec_clear(&all);
  }
  e->region = (tp_shape_region){sets, h->n};
}

// ---------------------------------------------------------------------- locations

static size_t place_of(const tp_shape_cpa *h, uint32_t structure, tp_loc l) {
  TP_REQUIRE(l.id < h->p->locs.n && structure < h->structures.n);
  return (h->precision == TP_SHAPE_PRECISION_GLOBAL ? 0 : l.id) * h->structures.n + structure;
}

static uint32_t kind_at(const tp_shape_cpa *h, uint32_t structure, tp_loc l) {
  return h->kind_of_type[place_of(h, structure, l)] - 1;  // 0 is NO_KIND
}

tp_shape_type tp_shape_type_of(const tp_cpa *cpa, uint32_t structure, tp_loc l) {
  const tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  return h->types[place_of(h, structure, l)];
}

bool tp_shape_set_type(tp_cpa *cpa, uint32_t structure, tp_loc l, const tp_shape_type *type,
                       bool *changed) {
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  const size_t at = place_of(h, structure, l);
  if (is_same(h, &h->types[at], type)) return true;
  const uint32_t k = kind_of(h, structure, type);
  if (type->entry && k == NO_KIND) return false;
  h->types[at] = *type;
  h->types[at].pointers = copy_pointers(h, type, NULL);
  h->kind_of_type[at] = k + 1;
  *changed = true;
  return true;
}

uint64_t tp_shape_cpa_off_at(const tp_shape_cpa *h, tp_loc l) {
  uint64_t off = UINT64_MAX;
  for (uint32_t s = 0; s < h->structures.n; s++) {
    const uint32_t k = kind_at(h, s, l);
    if (k != NO_KIND) off &= ~((uint64_t)1 << k);
  }
  return off;
}

// -------------------------------------------------------------------------- steps

static uint32_t kind_in(const tp_shape_cpa *h, uint64_t off, uint32_t structure) {
  for (uint32_t k = 0; k < h->n; k++)
    if (h->kinds[k].structure == structure && !tp_shape_cpa_is_off(off, k)) return k;
  return NO_KIND;
}

/* The type that has the predicates of both, if their entries are one. */
static tp_shape_type both(tp_shape_cpa *h, const tp_shape_type *a, const tp_shape_type *b) {
  TP_REQUIRE(is_comparable(a, b));
  tp_shape_type t = *a;
  t.families |= b->families;
  t.numbers |= b->numbers;
  t.links_named |= b->links_named;
  t.pointers = copy_pointers(h, a, b);
  return t;
}

/* The kind that follows a step from a location with kind `from` to one with kind `to`. */
static uint32_t kind_between(tp_shape_cpa *h, uint32_t from, uint32_t to) {
  if (from == NO_KIND || to == NO_KIND || from == to) return from == NO_KIND ? to : from;
  const tp_shape_type *a = &h->kinds[from].type, *b = &h->kinds[to].type;
  if (!is_comparable(a, b) || refines(h, b, a)) return to;
  if (refines(h, a, b)) return from;
  const tp_shape_type t = both(h, a, b);
  const uint32_t k = kind_of(h, h->kinds[from].structure, &t);
  return k == NO_KIND ? to : k;
}

void tp_shape_cpa_make_kinds(tp_shape_cpa *h, const tp_elem *e, tp_loc to) {
  for (uint32_t s = 0; s < h->structures.n; s++)
    (void)kind_between(h, kind_in(h, e->off, s), kind_at(h, s, to));
}

/* The structure is tracked by another kind, with graphs that mean as much. */
static void convert(tp_shape_draft *d, uint32_t from, uint32_t to) {
  tp_shape_cpa *h = d->h;
  if (from == to || (from == NO_KIND && to == NO_KIND)) return;
  if (to != NO_KIND) {
    tp_graph_ids *set = &d->region.sets[to];
    set->n = 0;
    if (from == NO_KIND)
      tp_shape_engine_top(h->kinds[to].e, set);
    else
      tp_shape_region_adjust(h->kinds[to].e, set, h->kinds[from].e, &d->region.sets[from]);
    d->off &= ~((uint64_t)1 << to);
  }
  if (from != NO_KIND) {
    d->region.sets[from].n = 0;
    d->off |= (uint64_t)1 << from;
  }
}

void tp_shape_cpa_raise_types(tp_shape_draft *d, tp_loc to) {
  tp_shape_cpa *h = d->h;
  for (uint32_t s = 0; s < h->structures.n; s++) {
    const uint32_t from = kind_in(h, d->off, s);
    convert(d, from, kind_between(h, from, kind_at(h, s, to)));
  }
}

void tp_shape_cpa_settle_types(tp_shape_draft *d, tp_loc to) {
  for (uint32_t s = 0; s < d->h->structures.n; s++)
    convert(d, kind_in(d->h, d->off, s), kind_at(d->h, s, to));
}

// ------------------------------------------------------------------ for refiners

bool tp_shape_may_track(const tp_cpa *cpa, uint32_t structure, tp_var v) {
  const tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  const tp_shape_structure *s = tp_shape_structure_at(cpa, structure);
  tp_shape_cpa_kind k = {.visible = {.structure = s->type, .size_bytes = s->size_bytes},
                         .holds = h->holds[structure],
                         .is_anywhere = true};
  return tp_shape_cpa_may_track(h, &k, v);
}

uint32_t tp_shape_close_families(const tp_description *entry, uint32_t families) {
  return tp_generator_close((tp_generator){entry, families}).families;
}

uint32_t tp_shape_type_cost(tp_cpa *cpa, uint32_t structure, const tp_shape_type *type) {
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  const uint32_t k = kind_of(h, structure, type);
  return k == NO_KIND ? UINT32_MAX : (uint32_t)h->kinds[k].c->predicates.n;
}

typedef TP_VEC(const tp_elem *) elem_list;

static void take(tp_cpa *cpa, elem_list *at, const tp_step *step) {
  tp_out out = {0};
  for (size_t i = 0; i < at->n; i++) tp_shape_cpa_transfer(cpa, at->at[i], NULL, step, &out);
  at->n = 0;
  for (size_t i = 0; i < out.list.n; i++) tp_vec_push(at, out.list.at[i].elem);
  tp_vec_clear(&out.list);
}

bool tp_shape_excludes(const tp_cpa *like, uint32_t structure, const tp_shape_type *types,
                       const tp_step *steps, size_t n) {
  TP_REQUIRE(n > 0 && tp_shape_is_refined(like));
  tp_str why = {0};
  tp_cpa *cpa = tp_cpa_open(like->ops, like->env, &why);
  tp_str_clear(&why);
  if (!cpa) return false;
  bool changed, fits = true;
  for (size_t i = 0; i < n && fits; i++) {
    if (i == 0) fits = tp_shape_set_type(cpa, structure, steps[0].from, &types[0], &changed);
    fits = fits && tp_shape_set_type(cpa, structure, steps[i].to, &types[i], &changed);
  }
  elem_list at = {0};
  tp_vec_push(&at, cpa->ops->initial(cpa, steps[0].from, TP_CONTEXT_NONE).elem);
  for (size_t i = 0; i < n && fits && at.n; i++) take(cpa, &at, &steps[i]);
  const bool excludes = fits && at.n == 0;
  tp_vec_clear(&at);
  tp_cpa_close(cpa);
  return excludes;
}
