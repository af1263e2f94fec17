/* Kinds of cells: which heap objects are cells, which variables lead to them, and the class that
 * describes them; opening and closing the analysis.
 *
 * A kind is a structure of the program with a shape class (class_choice.c). Its pointers are
 * variables that may lead to such cells, its data predicates are those of data_predicates.c. */
#include "cpa/shape/shape_priv.h"
#include "base/nearest.h"
#include "cpa/cpa_limits.h"
#include "shape/library.h"
#include "smt/smt.h"

// ---------------------------------------------------------------------- objects

static bool allocates(const tp_shape_cpa *h, const tp_edge_info *e, uint64_t size_bytes,
                      bool *maybe) {
  uint64_t size;
  if (e->kind != TP_E_ALLOC || e->object_kind != TP_O_HEAP) return false;
  *maybe = !tp_bv_value_u64(h->tt, e->a, &size);
  return *maybe || size == size_bytes;
}

bool *tp_shape_cpa_find_holders(const tp_shape_cpa *h, uint64_t size_bytes) {
  bool maybe, is_anywhere = false;
  bool *holds = tp_arena_array(&h->cpa->arena, bool, tp_pointsto_n_classes(h->pt) + 1);
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    if (!allocates(h, &h->p->edges.at[i], size_bytes, &maybe)) continue;
    const tp_class c = tp_pointsto_of_alloc(h->pt, (tp_edge){i});
    if (c.id != TP_CLASS_ANY.id) holds[c.id] = true;
    is_anywhere = true;
  }
  return is_anywhere ? holds : NULL;
}

/* The sizes of heap objects; false: some are not known. */
static bool find_sizes(tp_shape_cpa *h) {
  uint64_t size;
  h->sizes = tp_arena_array(&h->cpa->arena, uint64_t, h->p->edges.n);
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind != TP_E_ALLOC || e->object_kind != TP_O_HEAP) continue;
    if (!tp_bv_value_u64(h->tt, e->a, &size)) return false;
    uint32_t k = 0;
    while (k < h->n_sizes && h->sizes[k] != size) k++;
    if (k == h->n_sizes) h->sizes[h->n_sizes++] = size;
  }
  return true;
}

// --------------------------------------------------------------------- pointers

bool tp_shape_cpa_may_track(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, tp_var v) {
  const tp_var_info *info = tp_var_of(h->p, v);
  if (info->kind == TP_V_GHOST || info->is_address ||
      tp_sort_kind_of(h->tt, tp_sort_of(h->tt, info->term)) != TP_SORT_PTR)
    return false;
  if (!tp_shape_cpa_may_hold(h, k, info->term)) return false;
  if (!info->type.id) return true;
  const tp_type_info *t = tp_type_of(h->p, info->type);
  if (t->kind != TP_T_POINTER || !t->element.id ||
      tp_is_one_structure(h->p, t->element, k->visible.structure))
    return true;
  const tp_type_info *element = tp_type_of(h->p, t->element);
  return element->kind != TP_T_STRUCT || element->n_members == 0;  // declared only, in this file
}

static bool separates(const tp_shape_cpa *h, const char *name) {
  const char *which = tp_cpa_setting(h->cpa, "separate", "all");
  return strcmp(which, "all") == 0 ||
         (strcmp(which, "none") != 0 && tp_shape_cpa_has_word(which, name));
}

/* Of a kind that refinement made. */
static bool is_refined(const tp_shape_cpa_kind *k) { return k->type.entry != NULL; }

static tp_pointer_tracking tracking_of(const tp_shape_cpa *h, const tp_shape_cpa_kind *k,
                                       uint32_t v, const char *track) {
  const char *name = h->p->vars.at[v].name;
  if (is_refined(k))
    return k->type.pointers ? (tp_pointer_tracking)k->type.pointers[v] : TP_POINTER_UNTRACKED;
  if (strcmp(track, "all") != 0 && !tp_shape_cpa_has_word(track, name)) return TP_POINTER_UNTRACKED;
  return separates(h, name) ? TP_POINTER_SEPARATING : TP_POINTER_TRACKED;
}

/* A pointer to a pointer leads to cells only where a link stands at the start of cells. */
static bool may_lead_to_a_start(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, tp_var v) {
  const tp_type_info *t =
      tp_var_of(h->p, v)->type.id ? tp_type_of(h->p, tp_var_of(h->p, v)->type) : NULL;
  if (!t || t->kind != TP_T_POINTER || !t->element.id ||
      tp_type_of(h->p, t->element)->kind != TP_T_POINTER)
    return true;
  for (uint32_t f = 0; f < k->entry->fields.n; f++)
    if (k->visible.offsets[f] == 0) return true;
  return false;
}

static tp_pointer_tracking tracking_if_cells(tp_shape_cpa *h, const tp_shape_cpa_kind *k, tp_var v,
                                             const char *track) {
  const tp_pointer_tracking tracking = tracking_of(h, k, v.id, track);
  return tracking != TP_POINTER_UNTRACKED && tp_shape_cpa_may_track(h, k, v) &&
                 (is_refined(k) || may_lead_to_a_start(h, k, v))
             ? tracking
             : TP_POINTER_UNTRACKED;
}

/* Are there more pointers than can be tracked? Then temporaries come last. */
static bool are_too_many(tp_shape_cpa *h, const tp_shape_cpa_kind *k, const char *track) {
  uint32_t n = 0;
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    n += tracking_if_cells(h, k, (tp_var){v}, track) != TP_POINTER_UNTRACKED;
  return n > TP_CPA_SHAPE_POINTERS;
}

static bool find_pointers(tp_shape_cpa *h, tp_shape_cpa_kind *k, tp_tracked_pointer *out,
                          uint32_t *n, tp_str *why) {
  const char *track = is_refined(k) ? "all" : tp_cpa_setting(h->cpa, "track", "all");
  tp_var *pointers = tp_arena_array(&h->cpa->arena, tp_var, TP_CPA_SHAPE_POINTERS);
  k->slot = tp_arena_array(&h->cpa->arena, int16_t, h->p->vars.n);
  for (uint32_t v = 0; v < h->p->vars.n; v++) k->slot[v] = TP_UNKNOWN_SLOT;
  const bool is_none = strcmp(track, "none") == 0;
  const uint32_t n_passes = is_none ? 0 : are_too_many(h, k, track) ? 2 : 1;
  for (uint32_t i = 0; i < n_passes * (uint32_t)h->p->vars.n; i++) {
    const uint32_t v = i % (uint32_t)h->p->vars.n, pass = i / (uint32_t)h->p->vars.n;
    const tp_var_info *info = &h->p->vars.at[v];
    if (v == 0 || (n_passes == 2 && (info->kind == TP_V_TEMP) != (pass == 1))) continue;
    const tp_pointer_tracking tracking = tracking_if_cells(h, k, (tp_var){v}, track);
    if (tracking == TP_POINTER_UNTRACKED) continue;
    if (*n == TP_CPA_SHAPE_POINTERS) {
      if (strcmp(track, "all") == 0) break;
      tp_str_printf(why, "shape.track: more than %d variables have these names",
                    TP_CPA_SHAPE_POINTERS);
      return false;
    }
    k->slot[v] = (int16_t)*n;
    pointers[*n] = (tp_var){v};
    out[(*n)++] = (tp_tracked_pointer){tp_arena_printf(&h->cpa->arena, "%s#%u", info->name, v),
                                       tracking == TP_POINTER_SEPARATING};
  }
  k->visible.pointers = pointers;
  k->object = tp_arena_array(&h->cpa->arena, tp_term, *n + 1);
  for (uint32_t i = 0; i < *n; i++)
    k->object[i] = tp_mk_var(h->tt, "object", tp_sort_bv(h->tt, TP_OBJ_BITS));
  return true;
}

// ------------------------------------------------------------------------ kinds

/* Those of a class that nobody named which the checker can follow: definitions that search for
 * cells take it too long, and a proof that it cannot confirm is worth nothing. */
static uint32_t families_that_can_be_checked(const tp_shape_cpa *h, const tp_description *entry) {
  const bool is_chosen = strcmp(tp_cpa_setting(h->cpa, "classes", "auto"), "auto") == 0;
  uint32_t out = tp_description_all_families(entry);
  for (uint32_t i = 0; i < entry->families.n && is_chosen && entry->is_default; i++)
    if (tp_template_searches_cells(entry->families.at[i].definition)) out &= ~((uint32_t)1 << i);
  return out;
}

/* The families that setting shape.families names; definitions of those name others, which the class
 * adds. */
static uint32_t families_of(const tp_shape_cpa *h, const tp_description *entry) {
  const char *which = tp_cpa_setting(h->cpa, "families", "auto");
  uint32_t out = 0;
  if (strcmp(which, "auto") == 0) return families_that_can_be_checked(h, entry);
  if (strcmp(which, "all") == 0) return tp_description_all_families(entry);
  for (uint32_t i = 0; i < entry->families.n; i++)
    if (tp_shape_cpa_has_word(which, entry->families.at[i].name)) out |= (uint32_t)1 << i;
  return out;
}

static const tp_member *link_of_field(const tp_shape_cpa_candidate *c, const tp_shape_cpa_kind *k,
                                      uint32_t field) {
  return is_refined(k) ? c->links[k->type.link[field]]
                       : tp_shape_cpa_field_link(c, k->entry, field);
}

static tp_status new_class(tp_shape_cpa *h, tp_shape_cpa_kind *k, const tp_shape_cpa_candidate *c,
                           const tp_tracking *d) {
  const char *fields[TP_SHAPE_MAX_FIELDS];
  for (uint32_t i = 0; i < k->entry->fields.n; i++) fields[i] = link_of_field(c, k, i)->name;
  const uint32_t families = is_refined(k) ? k->type.families : families_of(h, k->entry);
  return tp_shape_class_new((tp_generator){k->entry, families}, fields, d, &k->c);
}

static bool make_class(tp_shape_cpa *h, tp_shape_cpa_kind *k, const tp_shape_cpa_candidate *c,
                       tp_str *why) {
  TP_REQUIRE(k->entry->fields.n == c->n_links || is_refined(k));
  tp_tracked_pointer pointers[TP_CPA_SHAPE_POINTERS];
  tp_shape_cpa_data data;
  uint32_t n = 0;
  uint64_t *offsets = tp_arena_array(&h->cpa->arena, uint64_t, TP_SHAPE_MAX_FIELDS);
  k->visible.structure = c->type;
  k->visible.offsets = offsets;
  for (uint32_t i = 0; i < k->entry->fields.n; i++)
    offsets[i] = link_of_field(c, k, i)->offset_bits / 8;
  if (!find_pointers(h, k, pointers, &n, why)) return false;
  tp_shape_cpa_find_data(h, k, &data);
  const tp_tracking d = {.pointers = pointers,
                         .n_pointers = n,
                         .data_predicates = data.data_predicates,
                         .n_data_predicates = data.n,
                         .exclusions = (const uint8_t(*)[2])data.exclusions,
                         .n_exclusions = data.n_exclusions};
  if (new_class(h, k, c, &d) != TP_OK) {
    tp_str_printf(why,
                  "shape: too much is tracked for '%s'; name fewer variables with shape.track, or "
                  "fewer predicates with shape.families",
                  k->entry->name);
    return false;
  }
  TP_INVARIANT(k->c->n_pointers == n && k->c->n_data_predicates == data.n);
  k->e = k->visible.engine = tp_shape_engine_new(k->c);
  return true;
}

/* One kind for the structure and this class; false: why. A structure that is never allocated makes
 * none. */
static bool add_kind(tp_shape_cpa *h, const tp_shape_cpa_candidate *c, const tp_description *entry,
                     tp_str *why) {
  tp_shape_cpa_kind k = {.entry = entry, .visible.size_bytes = c->info->size_bytes};
  k.holds = tp_shape_cpa_find_holders(h, k.visible.size_bytes);
  k.is_anywhere = k.holds != NULL;
  if (!k.holds) return true;
  tp_shape_cpa_kind *grown = tp_arena_array(&h->cpa->arena, tp_shape_cpa_kind, h->n + 1);
  if (h->n) memcpy(grown, h->kinds, h->n * sizeof *grown);
  grown[h->n] = k;
  h->kinds = grown;
  h->n++;
  return make_class(h, &h->kinds[h->n - 1], c, why);
}

bool tp_shape_cpa_add_refined_kind(tp_shape_cpa *h, uint32_t structure, const tp_shape_type *type) {
  TP_REQUIRE(structure < h->structures.n && type->entry);
  const tp_shape_structure *s = &h->structures.at[structure];
  tp_shape_cpa_candidate c = {
      .type = s->type, .info = tp_type_of(h->p, s->type), s->n_links, {NULL}};
  memcpy(c.links, s->links, s->n_links * sizeof *c.links);
  tp_shape_cpa_kind k = {.entry = type->entry,
                         .structure = structure,
                         .type = *type,
                         .holds = h->holds[structure],
                         .is_anywhere = true,
                         .visible.size_bytes = s->size_bytes};
  tp_str why = {0};
  bool ok = make_class(h, &k, &c, &why);
  tp_str_clear(&why);
  if (!ok) return false;
  tp_shape_cpa_kind *grown = tp_arena_array(&h->cpa->arena, tp_shape_cpa_kind, h->n + 1);
  if (h->n) memcpy(grown, h->kinds, h->n * sizeof *grown);
  grown[h->n] = k;
  h->kinds = grown;
  tp_shape_engine **engines = tp_arena_array(&h->cpa->arena, tp_shape_engine *, h->n + 2);
  if (h->n) memcpy(engines, h->engines, h->n * sizeof(tp_shape_engine *));
  engines[h->n] = k.e;
  h->engines = engines;
  h->n++;
  if (tp_shape_cpa_compares_data(h)) tp_shape_cpa_find_stored_numbers(h);
  for (size_t i = 0; i < h->made.n; i++) tp_shape_cpa_extend(h, h->made.at[i]);
  return true;
}

// ------------------------------------------------------------------------- open

static bool one_of(tp_cpa *cpa, const char *key, const char *first, const char *second,
                   tp_str *why) {
  const char *value = tp_cpa_setting(cpa, key, first);
  if (strcmp(value, first) == 0 || strcmp(value, second) == 0) return true;
  tp_str_printf(why, "shape.%s = %s: %s or %s was expected", key, value, first, second);
  return false;
}

static bool read_precision(tp_cpa *cpa, tp_shape_precision *out, tp_str *why) {
  static const char *const names[] = {"all", "location", "global"};
  const char *value = tp_cpa_setting(cpa, "precision", "all");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(value, names[i]) == 0) return *out = (tp_shape_precision)i, true;
  tp_str_printf(why, "shape.precision = %s: all, location or global was expected", value);
  return false;
}

typedef struct {
  const tp_shape_cpa *h;
  tp_str *why;
} name_check;

/* Is the word auto, all, none, or a family of a class that can be chosen? */
static bool is_family(void *ctx, const char *word) {
  const name_check *x = ctx;
  const tp_shape_library *library = x->h->library;
  TP_VEC(const char *) known = {0};
  bool is = strcmp(word, "auto") == 0 || strcmp(word, "all") == 0 || strcmp(word, "none") == 0;
  for (size_t i = 0; i < library->entries.n; i++)
    for (uint32_t f = 0; f < library->entries.at[i]->families.n; f++) {
      const char *name = library->entries.at[i]->families.at[f].name;
      bool is_repeated = false;
      for (size_t n = 0; n < known.n; n++) is_repeated |= strcmp(known.at[n], name) == 0;
      if (!is_repeated) tp_vec_push(&known, name);
      is = is || strcmp(name, word) == 0;
    }
  tp_vec_push(&known, NULL);
  if (!is) {
    tp_str_printf(x->why, "shape.families: no class has a predicate '%s'", word);
    tp_add_known_names(x->why, word, known.at);
  }
  tp_vec_clear(&known);
  return is;
}

/* Is the word all, none, or the name of a pointer that is tracked? */
static bool is_pointer(void *ctx, const char *word) {
  const name_check *x = ctx;
  const tp_shape_cpa *h = x->h;
  TP_VEC(const char *) known = {0};
  bool is = strcmp(word, "all") == 0 || strcmp(word, "none") == 0;
  for (uint32_t k = 0; k < h->n; k++)
    for (uint32_t i = 0; i < h->kinds[k].c->n_pointers; i++) {
      const char *name = tp_var_of(h->p, h->kinds[k].visible.pointers[i])->name;
      tp_vec_push(&known, name);
      is = is || strcmp(name, word) == 0;
    }
  tp_vec_push(&known, NULL);
  if (!is) {
    tp_str_printf(x->why, "shape.separate: no pointer '%s' is tracked", word);
    tp_add_known_names(x->why, word, known.at);
  }
  tp_vec_clear(&known);
  return is;
}

/* Is the word all, none, or the name of a pointer that may lead to cells? */
static bool may_be_tracked(void *ctx, const char *word) {
  const name_check *x = ctx;
  const tp_shape_cpa *h = x->h;
  TP_VEC(const char *) known = {0};
  bool is = strcmp(word, "all") == 0 || strcmp(word, "none") == 0;
  for (uint32_t k = 0; k < h->n; k++)
    for (uint32_t v = 1; v < h->p->vars.n; v++) {
      if (!tp_shape_cpa_may_track(h, &h->kinds[k], (tp_var){v})) continue;
      tp_vec_push(&known, h->p->vars.at[v].name);
      is = is || strcmp(h->p->vars.at[v].name, word) == 0;
    }
  tp_vec_push(&known, NULL);
  if (!is) {
    tp_str_printf(x->why, "shape.track: no pointer '%s' leads to cells of a shape class", word);
    tp_add_known_names(x->why, word, known.at);
  }
  tp_vec_clear(&known);
  return is;
}

/* A program without kinds of cells has no pointers to compare names with. */
static bool check_names(const tp_shape_cpa *h, tp_str *why) {
  name_check x = {h, why};
  return tp_shape_cpa_each_word(tp_cpa_setting(h->cpa, "families", "auto"), is_family, &x) &&
         (h->n == 0 ||
          (tp_shape_cpa_each_word(tp_cpa_setting(h->cpa, "track", "all"), may_be_tracked, &x) &&
           tp_shape_cpa_each_word(tp_cpa_setting(h->cpa, "separate", "all"), is_pointer, &x)));
}

bool tp_shape_cpa_open(tp_cpa *cpa, tp_str *why) {
  tp_shape_cpa *h = tp_arena_new(&cpa->arena, tp_shape_cpa);
  *h = (tp_shape_cpa){.cpa = cpa, .p = (tp_program *)cpa->env->program, .tt = cpa->env->terms};
  cpa->state = h;
  if (!tp_cpa_setting_u64(cpa, "graphs", 400, &h->most_graphs, why)) return false;
  if (!one_of(cpa, "liveness", "on", "off", why) ||
      !(strcmp(tp_cpa_setting(cpa, "data", "auto"), "constants") == 0 ||
        one_of(cpa, "data", "auto", "none", why)) ||
      !one_of(cpa, "start", "on", "off", why))
    return false;
  if (!read_precision(cpa, &h->precision, why)) return false;
  h->starts_off = strcmp(tp_cpa_setting(cpa, "start", "on"), "off") == 0;
  if (strcmp(tp_cpa_setting(cpa, "liveness", "on"), "on") == 0) h->liveness = tp_liveness_new(h->p);
  tp_locals_init(&h->locals, h->p);
  h->pt = tp_pointsto_new(h->p);
  h->inside = tp_interior_new(h->p, h->pt);
  const bool is_ready = h->precision == TP_SHAPE_PRECISION_ALL
                            ? tp_shape_cpa_choose_classes(h, add_kind, why) && check_names(h, why)
                            : tp_shape_cpa_open_types(h, why);
  if (!is_ready) {
    tp_shape_cpa_close(cpa);
    return false;
  }
  h->engines = tp_arena_array(&cpa->arena, tp_shape_engine *, h->n + 1);
  for (uint32_t i = 0; i < h->n; i++) h->engines[i] = h->kinds[i].e;
  h->knows_sizes = find_sizes(h);
  if (tp_shape_cpa_compares_data(h)) tp_shape_cpa_find_stored_numbers(h);
  return true;
}

static void count_graphs(tp_stats *stats, const tp_shape_engine *e) {
  stats->shape_graphs += tp_shape_engine_graphs(e)->list.n;
  stats->shape_steps += tp_shape_engine_stats(e)->posts;
}

void tp_shape_cpa_close(tp_cpa *cpa) {
  TP_REQUIRE(cpa->state);
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  for (uint32_t i = 0; i < h->n; i++) {
    if (cpa->env->stats && h->kinds[i].e) count_graphs(cpa->env->stats, h->kinds[i].e);
    tp_shape_engine_free(h->kinds[i].e);
    if (h->kinds[i].c) tp_shape_class_free(h->kinds[i].c);
  }
  tp_shape_cpa_close_types(h);
  if (h->own_library) tp_shape_library_clear(h->own_library);
  tp_free(h->own_library);
  tp_interior_free(h->inside);
  tp_pointsto_free(h->pt);
  tp_liveness_free(h->liveness);
  if (h->solver) tp_smt_free(h->solver);
  tp_map_clear(&h->excluded);
  tp_locals_clear(&h->locals);
  tp_map_clear(&h->dead);
  cpa->state = NULL;
}
