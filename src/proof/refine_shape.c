/* Shapes: pointers, numbers in cells and links that a path needs, then predicates of a class.
 *
 * A path to an error that no run takes names pointers, in the formulas that say why (interpolants).
 * Step 1: for the structures that these pointers lead to, the pointers are tracked and separate
 * cells, and so do numbers in cells, at the locations of the formulas. Step 2: the first time,
 * explicit heaps are followed, until there are samples of the structure; Abstract chooses the
 * coarsest entry that describes them and has a field for each link that formulas follow. Later
 * FineTune looks for the smallest set of families of predicates with which the path is impossible,
 * by simulation. If none is, formulas named too few pointers: first those of the whole path are
 * tracked everywhere on it, then all pointers; then finer entries are tried.
 *
 * Theoduloz 2010, sec. 5.4.7; we differ: explicit heaps are followed everywhere, not at the
 * locations of one path, and after a refinement everything is explored again. The printed Refine
 * keeps what does not come from a refined location, and loses what removed elements covered, which
 * is unsound. */
#include "cpa/composite.h"
#include "cpa/heap/heap_cpa.h"
#include "cpa/shape/shape_cpa.h"
#include "formula/interpolants.h"
#include "proof/proof_limits.h"
#include "proof/refine.h"
#include "proof/shape_choice.h"
#include "program/cells.h"
#include "shape/fine_tune.h"
#include "shape/library.h"

typedef struct {
  const tp_counterexample *c;
  tp_cpa *shape, *heap;  // heap: NULL: nothing is sampled
  const tp_program *p;
  tp_terms *tt;
  const tp_step *steps;
  size_t n;
  tp_term *formulas;     // behind each step; NULL: there are none
  uint32_t structure;    // at hand
  tp_shape_type *types;  // of it, behind each step
  bool any_changed;
  uint32_t n_simulated;
} refining;

static tp_cpa *shape_of(tp_cpa *cpa) {
  tp_cpa *shape = tp_composite_find(cpa, &tp_cpa_shape);
  return shape && tp_shape_is_refined(shape) ? shape : NULL;
}

static tp_cpa *heap_of(tp_cpa *cpa) {
  tp_cpa *heap = tp_composite_find(cpa, &tp_cpa_heap);
  return heap && tp_heap_can_sample(heap) ? heap : NULL;
}

static bool fits(tp_cpa *cpa) {
  const tp_cpa *shape = shape_of(cpa);
  return shape && tp_shape_n_structures(shape) > 0;
}

// ---------------------------------------------------------------------- formulas

static bool path_of_step(tp_paths *x, tp_path *at, const tp_step *step) {
  switch (step->kind) {
    case TP_STEP_EDGE: tp_path_edge(x, at, step->edge); return true;
    case TP_STEP_CALL: tp_path_call(x, at, step->edge, step->callee); return true;
    case TP_STEP_RETURN: tp_path_return(x, at, step->edge, step->callee); return true;
    case TP_STEP_SUMMARY: break;
  }
  return false;
}

/* Formulas behind each step, by the first source that has some. */
static void interpolate(refining *r) {
  static const tp_itp_source sources[] = {TP_ITP_WP, TP_ITP_SP};
  tp_paths x;
  tp_paths_init(&x, r->p);
  tp_path *blocks = TP_NEW_ARRAY(tp_path, r->n + 1);
  bool ok = true;
  size_t n = 0;
  for (; n < r->n && ok; n++) {
    blocks[n] = n == 0 ? tp_path_start(&x) : tp_path_here(&x);
    ok = path_of_step(&x, &blocks[n], &r->steps[n]);
  }
  tp_term *formulas = tp_arena_array(r->c->arena, tp_term, r->n + 1);
  for (size_t s = 0; s < sizeof sources / sizeof *sources && ok && !r->formulas; s++) {
    tp_str why = {0};
    const tp_itp_options options = {
        .backend = r->c->task->solver ? r->c->task->solver : "mixed",
        .cpu_s = r->c->cpu_s > 0 ? r->c->cpu_s * 0.2 : TP_PROOF_SHAPE_FORMULAS_S,
        .stats = r->c->stats};
    if (tp_itp_sequence(&x, blocks, r->n, NULL, sources[s], options, formulas, &why))
      r->formulas = formulas + 1;
    tp_str_clear(&why);
  }
  for (size_t i = 0; i < n; i++) tp_path_clear(&blocks[i]);
  tp_free(blocks);
  tp_paths_clear(&x);
}

// --------------------------------------------------------------- what they speak of

typedef struct {
  const refining *r;
  tp_shape_type *type;
  uint8_t *pointers;  // of the type
} naming;

/* The number of a link at this offset of a cell; n_links: none. */
static uint32_t link_at(const tp_shape_structure *s, uint64_t offset) {
  uint32_t l = 0;
  while (l < s->n_links && s->links[l]->offset_bits / 8 != offset) l++;
  return l;
}

/* A cell that is read at a number of bytes behind a pointer: a link, or a number. */
static void name_place(const naming *x, tp_term address) {
  const tp_terms *tt = x->r->tt;
  const tp_shape_structure *s = tp_shape_structure_at(x->r->shape, x->r->structure);
  uint64_t offset = 0;
  if (tp_kind(tt, address) == TP_OP_PTR_ADD &&
      !tp_bv_value_u64(tt, tp_arg(tt, address, 1), &offset))
    return;
  const uint32_t l = link_at(s, offset);
  if (l < s->n_links)
    x->type->links_named |= (uint8_t)(1u << l);
  else
    x->type->numbers |= (uint64_t)1 << (offset / 8 < 63 ? offset / 8 : 63);
}

static void name_var(const naming *x, tp_term t) {
  const tp_var v = tp_program_var_of(x->r->p, t);
  if (v.id && tp_shape_may_track(x->r->shape, x->r->structure, v))
    x->pointers[v.id] = TP_POINTER_SEPARATING;
}

static bool has_pointer_of(const naming *x, tp_term t);

/* Adds what the term names of the structure. */
static void name_all(const naming *x, tp_term t) {
  const tp_terms *tt = x->r->tt;
  tp_map seen = {0};
  TP_VEC(tp_term) todo = {0};
  tp_vec_push(&todo, t);
  while (todo.n) {
    const tp_term at = tp_vec_pop(&todo);
    if (tp_map_has(&seen, at.id)) continue;
    tp_map_set(&seen, at.id, 1);
    if (tp_kind(tt, at) == TP_OP_VAR) name_var(x, at);
    if (tp_kind(tt, at) == TP_OP_SELECT && has_pointer_of(x, tp_arg(tt, at, 1)))
      name_place(x, tp_arg(tt, at, 1));
    for (uint32_t i = 0; i < tp_n_args(tt, at); i++) tp_vec_push(&todo, tp_arg(tt, at, i));
  }
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
}

typedef struct {
  const naming *x;
  bool is_there;
} pointer_search;
static void look_for_pointer(void *ctx, tp_term var) {
  pointer_search *s = ctx;
  const tp_var v = tp_program_var_of(s->x->r->p, var);
  s->is_there |= v.id && tp_shape_may_track(s->x->r->shape, s->x->r->structure, v);
}
static bool has_pointer_of(const naming *x, tp_term t) {
  pointer_search s = {x, false};
  tp_for_vars(x->r->tt, t, look_for_pointer, &s);
  return s.is_there;
}

// ------------------------------------------------------------------------- types

static bool has_pointers(const refining *r, const tp_shape_type *t) {
  for (uint32_t v = 1; v < r->p->vars.n && t->pointers; v++)
    if (t->pointers[v] != TP_POINTER_UNTRACKED) return true;
  return false;
}

/* The types of the structure at hand behind each step. */
static void read_types(refining *r) {
  for (size_t i = 0; i < r->n; i++)
    r->types[i] = tp_shape_type_of(r->shape, r->structure, r->steps[i].to);
}

static bool write_type(refining *r, tp_loc l, const tp_shape_type *t) {
  bool changed = false;
  const bool ok = tp_shape_set_type(r->shape, r->structure, l, t, &changed);
  r->any_changed |= changed;
  return ok;
}

/* The types become those of the locations; that behind the first step also that of the start, so
 * that graphs say that there are no cells yet. False: some cannot. */
static bool write_types(refining *r) {
  bool ok = write_type(r, r->steps[0].from, &r->types[0]);
  for (size_t i = 0; i < r->n && ok; i++) ok = write_type(r, r->steps[i].to, &r->types[i]);
  return ok;
}

static uint8_t *own_pointers(const refining *r, tp_shape_type *t) {
  uint8_t *all = tp_arena_array(r->c->arena, uint8_t, r->p->vars.n);
  if (t->pointers) memcpy(all, t->pointers, r->p->vars.n * sizeof *all);
  t->pointers = all;
  return all;
}

/* The variable whose value this is, or through which it is read; NONE: it is no such term. */
static tp_var source_of(const refining *r, tp_term of) {
  const tp_var v = tp_program_var_of(r->p, of);
  return !v.id && tp_kind(r->tt, of) == TP_OP_PTR_ADD
             ? tp_program_var_of(r->p, tp_arg(r->tt, of, 0))
             : v;
}

static void add_pointer(const refining *r, tp_var v, uint8_t *all) {
  if (v.id && tp_shape_may_track(r->shape, r->structure, v)) all[v.id] = TP_POINTER_SEPARATING;
}
static void add_sources(const refining *r, tp_term of, uint8_t *all) {
  add_pointer(r, source_of(r, of), all);
}

static void add_copies_of_step(const refining *r, const tp_step *step, uint8_t *all) {
  const tp_edge_info *e = tp_edge_of(r->p, step->edge);
  if (step->kind == TP_STEP_CALL) {
    const tp_func_info *f = tp_func_of(r->p, step->callee);
    for (uint32_t i = 0; i < f->n_params && i < e->n_args; i++)
      if (all[f->params[i].id]) add_sources(r, e->args[i], all);
    return;
  }
  if (step->kind == TP_STEP_RETURN) {
    const tp_var result = tp_func_of(r->p, step->callee)->result;
    if (e->var.id && all[e->var.id] && result.id)
      add_sources(r, tp_var_of(r->p, result)->term, all);
    return;
  }
  if (e->kind == TP_E_RETURN) {
    const tp_var result = tp_func_of(r->p, tp_loc_of(r->p, e->from)->func)->result;
    if (result.id && all[result.id] && tp_term_is(e->a)) add_sources(r, e->a, all);
  }
  if (e->kind != TP_E_ASSIGN && e->kind != TP_E_LOAD) return;
  if (all[e->var.id]) add_sources(r, e->a, all);
  if (all[source_of(r, e->a).id]) add_pointer(r, e->var, all);
}

/* alias(q): what gives its value to a tracked pointer on the path, or gets the value of one, or of
 * a link of its cell. They separate, too: between a load and a test of its result the result alone
 * says which case it is, and a checker of the proof follows the same cases. */
static void add_copies(const refining *r, uint8_t *all) {
  for (int round = 0; round < TP_PROOF_SHAPE_COPY_ROUNDS; round++)
    for (size_t i = r->n; i-- > 0;) add_copies_of_step(r, &r->steps[i], all);
}

/* Pointers that are read through a tracked one, anywhere in the program, and written through: what
 * they lead to changes, and nothing else says which cell that is, neither to graphs nor to a
 * checker of the proof. */
static void add_written_through(const refining *r, uint8_t *all) {
  uint8_t *is_written = tp_arena_array(r->c->arena, uint8_t, r->p->vars.n);
  for (uint32_t i = 1; i < r->p->edges.n; i++) {
    const tp_edge_info *e = &r->p->edges.at[i];
    if (e->kind == TP_E_STORE) is_written[source_of(r, e->a).id] = 1;
  }
  for (uint32_t i = 1; i < r->p->edges.n; i++) {
    const tp_edge_info *e = &r->p->edges.at[i];
    if (e->kind == TP_E_LOAD && is_written[e->var.id] && all[source_of(r, e->a).id])
      add_pointer(r, e->var, all);
  }
}

/* Step 1: what the formulas name at each location. */
static bool track_named(refining *r) {
  const bool everywhere = tp_shape_precision_is_global(r->shape);
  read_types(r);
  for (size_t i = 0; i + 1 < r->n && r->formulas; i++) {
    const naming x = {r, &r->types[i], own_pointers(r, &r->types[i])};
    name_all(&x, r->formulas[i]);
    add_copies(r, x.pointers);
    if (everywhere) add_written_through(r, x.pointers);
    for (size_t k = 0; k < r->n; k++)  // a location that the path comes to again
      if (everywhere || r->steps[k].to.id == r->steps[i].to.id) r->types[k] = r->types[i];
  }
  const bool before = r->any_changed;
  r->any_changed = false;
  const bool ok = write_types(r), grew = r->any_changed;
  r->any_changed |= before;
  return ok && grew;
}

/* More than formulas name: what the path names anywhere; every pointer. */
typedef enum { AS_NAMED, NAMED_ON_PATH, EVERYTHING, N_REACHES } reach;

/* Pointers of the whole path, as far as `how` goes. */
static void collect_pointers(const refining *r, reach how, uint8_t *all, tp_shape_type *sum) {
  for (size_t i = 0; i < r->n; i++) {
    sum->links_named |= r->types[i].links_named;
    sum->numbers |= r->types[i].numbers;
    for (uint32_t v = 1; v < r->p->vars.n && r->types[i].pointers; v++)
      if (r->types[i].pointers[v] > all[v]) all[v] = r->types[i].pointers[v];
  }
  for (uint32_t v = 1; how == EVERYTHING && v < r->p->vars.n; v++)
    if (tp_shape_may_track(r->shape, r->structure, (tp_var){v})) all[v] = TP_POINTER_SEPARATING;
}

static void track_more(refining *r, reach how) {
  read_types(r);
  if (how == AS_NAMED) return;
  tp_shape_type sum = {0};
  uint8_t *all = own_pointers(r, &sum);
  collect_pointers(r, how, all, &sum);
  for (size_t i = 0; i < r->n; i++) {
    r->types[i].pointers = all;
    r->types[i].links_named = sum.links_named;
    r->types[i].numbers = sum.numbers;
  }
}

/* The same generator everywhere on the path. */
static void use_generator(refining *r, const tp_description *entry, const uint8_t *link,
                          uint32_t families) {
  for (size_t i = 0; i < r->n; i++) {
    r->types[i].entry = entry;
    r->types[i].families = families;
    memcpy(r->types[i].link, link, sizeof r->types[i].link);
  }
}

// ---------------------------------------------------------------------- FineTune

typedef struct {
  refining *r;
  const tp_description *entry;
  const uint8_t *link;
} tuning;

static uint32_t close_families(void *ctx, uint32_t families) {
  return tp_shape_close_families(((tuning *)ctx)->entry, families);
}

static bool excludes_path(void *ctx, uint32_t families) {
  tuning *t = ctx;
  use_generator(t->r, t->entry, t->link, families);
  t->r->n_simulated++;
  return tp_shape_excludes(t->r->shape, t->r->structure, t->r->types, t->r->steps, t->r->n);
}

/* Predicates, by their number of parameters: one with a pointer as parameter is as many as
 * pointers. */
static uint32_t count_predicates(void *ctx, uint32_t families) {
  const tuning *t = ctx;
  uint32_t n = 0, n_pointers = 0;
  for (uint32_t v = 1; v < t->r->p->vars.n && t->r->n && t->r->types[0].pointers; v++)
    n_pointers += t->r->types[0].pointers[v] != TP_POINTER_UNTRACKED;
  for (uint32_t f = 0; f < t->entry->families.n; f++) {
    uint32_t each = 1;
    if (!(families >> f & 1)) continue;
    for (uint32_t a = 0; a < t->entry->families.at[f].n_arguments; a++)
      each *= t->entry->families.at[f].argument[a] == TP_ARGUMENT_POINTER
                  ? n_pointers
                  : (uint32_t)t->entry->fields.n;
    n += each;
  }
  return n;
}

static uint32_t families_in_use(const refining *r) {
  uint32_t families = 0;
  for (size_t i = 0; i < r->n; i++) families |= r->types[i].families;
  return families;
}

/* With the pointers that are in r->types: the smallest set of families, which is written. */
static bool tune(refining *r, const tp_description *entry, const uint8_t *link, uint32_t least) {
  tuning t = {r, entry, link};
  const tp_fine_tune_question q = {.n = (uint32_t)entry->families.n,
                                   .close = close_families,
                                   .excludes = excludes_path,
                                   .cost = count_predicates,
                                   .ctx = &t};
  if (entry->families.n > TP_FINE_TUNE_FAMILIES) return false;
  const tp_fine_tuned tuned = tp_fine_tune(&q, least);
  if (!tuned.is_found) return false;
  use_generator(r, entry, link, tuned.families);
  return true;
}

// --------------------------------------------------------------------------- log

static void note_families(const refining *r, const tp_shape_type *t) {
  const char *separator = " with ";
  for (uint32_t f = 0; f < t->entry->families.n; f++) {
    if (!(t->families >> f & 1)) continue;
    tp_str_printf(r->c->log, "%s%s", separator, t->entry->families.at[f].name);
    separator = ", ";
  }
}

static void note_pointers(const refining *r, const tp_shape_type *sum) {
  const char *separator = " ";
  for (uint32_t v = 1; v < r->p->vars.n; v++) {
    const tp_var_info *info = &r->p->vars.at[v];
    if (sum->pointers[v] == TP_POINTER_UNTRACKED || info->kind == TP_V_TEMP) continue;
    tp_str_printf(r->c->log, "%s%s", separator, info->name);
    separator = ", ";
  }
}

static const char *structure_name(const refining *r) {
  return tp_type_of(r->p, tp_shape_structure_at(r->shape, r->structure)->type)->name;
}

static void note_tracking(refining *r) {
  if (!r->c->log) return;
  tp_shape_type sum = {0};
  uint8_t *all = own_pointers(r, &sum);
  const tp_shape_structure *s = tp_shape_structure_at(r->shape, r->structure);
  read_types(r);
  collect_pointers(r, NAMED_ON_PATH, all, &sum);
  tp_str_printf(r->c->log, "# %s: track", structure_name(r));
  note_pointers(r, &sum);
  const char *separator = "; links ";
  for (uint32_t l = 0; l < s->n_links; l++)
    if (sum.links_named >> l & 1)
      tp_str_printf(r->c->log, "%s%s", separator, s->links[l]->name), separator = ", ";
  tp_str_add(r->c->log, "\n");
}

static void note_class(const refining *r, const tp_shape_type *t, const char *what) {
  if (!r->c->log) return;
  tp_str_printf(r->c->log, "# %s: %s %s", structure_name(r), what, t->entry->name);
  note_families(r, t);
  tp_str_add(r->c->log, "\n");
}

// --------------------------------------------------------------------- refinement

/* The entry of the structure somewhere on the path; NULL: nowhere. */
static const tp_shape_type *type_with_entry(const refining *r) {
  for (size_t i = 0; i < r->n; i++)
    if (r->types[i].entry) return &r->types[i];
  return NULL;
}

static uint32_t all_links_named(const refining *r) {
  uint32_t links = 0;
  for (uint32_t l = 1; l < r->p->locs.n; l++)
    links |= tp_shape_type_of(r->shape, r->structure, (tp_loc){l}).links_named;
  return links;
}

/* Tries entry after entry, each with more and more pointers. */
static bool tune_entries(refining *r, const tp_shape_choices *all, const tp_shape_type *now) {
  for (size_t k = 0; k < all->n; k++) {
    const tp_shape_choice *c = &all->at[k];
    const bool is_same = now->entry == c->entry && memcmp(now->link, c->link, sizeof c->link) == 0;
    for (int how = AS_NAMED; how < N_REACHES; how++) {
      track_more(r, (reach)how);
      const uint32_t least = is_same ? families_in_use(r) : 0;
      if (tune(r, c->entry, c->link, least) && write_types(r) && r->any_changed) {
        const bool is_finer = !is_same || r->types[0].families != least;
        r->c->stats->shape_tracking += how != AS_NAMED;
        r->c->stats->shape_classes += is_finer;
        if (how != AS_NAMED) note_tracking(r);
        if (is_finer) note_class(r, &r->types[0], is_same ? "refined to" : "refined to the class");
        return true;
      }
      if (r->any_changed) return true;
    }
  }
  return false;
}

static bool tune_structure(refining *r) {
  read_types(r);
  const tp_shape_type *found = type_with_entry(r);
  if (!found) return false;
  const tp_shape_type now = *found;
  tp_shape_choices all = {0};
  size_t n = 0;
  const tp_heap_sample *samples = r->heap ? tp_heap_samples_of(r->heap, &n) : NULL;
  tp_shape_choices_find(r->shape, r->structure, all_links_named(r), samples, n, &all);
  tp_shape_choice own = {.entry = now.entry};
  memcpy(own.link, now.link, sizeof own.link);
  tp_shape_choices tried = {0};
  tp_vec_push(&tried, own);
  for (size_t i = 0; i < all.n; i++) tp_vec_push(&tried, all.at[i]);
  const bool grew = tune_entries(r, &tried, &now);
  tp_vec_clear(&all);
  tp_vec_clear(&tried);
  return grew;
}

/* Every location gets the entry; where nothing is tracked it makes no difference. */
static bool choose_entry(refining *r, const tp_shape_choice *c, const char *why) {
  bool changed = false;
  for (uint32_t l = 1; l < r->p->locs.n; l++) {
    tp_shape_type t = tp_shape_type_of(r->shape, r->structure, (tp_loc){l});
    if (!has_pointers(r, &t)) continue;
    t.entry = c->entry;
    t.families = 0;
    memcpy(t.link, c->link, sizeof t.link);
    if (tp_shape_set_type(r->shape, r->structure, (tp_loc){l}, &t, &changed))
      r->any_changed |= changed;
  }
  const tp_shape_type t = {.entry = c->entry};
  if (changed) note_class(r, &t, why);
  return changed;
}

/* Abstract: the structure at hand gets the coarsest entry that describes its samples. */
static bool abstract_structure(refining *r) {
  tp_shape_choices all = {0};
  size_t n = 0;
  const tp_heap_sample *samples = r->heap ? tp_heap_samples_of(r->heap, &n) : NULL;
  tp_shape_choices_find(r->shape, r->structure, all_links_named(r), samples, n, &all);
  const bool chosen = all.n > 0 && choose_entry(r, &all.at[0], n ? "samples are" : "taken for");
  tp_vec_clear(&all);
  return chosen;
}

/* Setting refine.classes: what the program says by names, so that no sample is needed. */
static bool take_named_entry(refining *r) {
  const char *by = tp_refine_setting(r->c->cpa, "classes", "explicit");
  tp_shape_choice c;
  if (strcmp(by, "annotations") == 0 && tp_shape_choice_annotated(r->shape, r->structure, &c))
    return choose_entry(r, &c, "annotated as");
  if (strcmp(by, "names") != 0) return false;
  tp_shape_choices all = {0};
  tp_shape_choices_find(r->shape, r->structure, 0, NULL, 0, &all);
  const bool chosen =
      tp_shape_choice_named(r->shape, r->structure, &all, &c) && choose_entry(r, &c, "named");
  tp_vec_clear(&all);
  return chosen;
}

/* Step 2 of a structure. */
static bool refine_class(refining *r) {
  const tp_shape_structure *s = tp_shape_structure_at(r->shape, r->structure);
  read_types(r);
  bool is_tracked = false;
  for (size_t i = 0; i < r->n; i++) is_tracked |= has_pointers(r, &r->types[i]);
  if (type_with_entry(r)) return tune_structure(r);
  if (!is_tracked || (r->heap && tp_heap_is_followed(r->heap, s->size_bytes))) return false;
  if (take_named_entry(r)) return true;
  if (r->heap && tp_heap_follow(r->heap, s->size_bytes)) {
    if (r->c->log) tp_str_printf(r->c->log, "# %s: follow explicit heaps\n", structure_name(r));
    r->any_changed = true;
    return true;
  }
  return abstract_structure(r);
}

static tp_refinement refine_path(refining *r) {
  bool grew = false;
  interpolate(r);
  for (uint32_t s = 0; s < tp_shape_n_structures(r->shape); s++) {
    r->structure = s;
    if (!track_named(r)) continue;
    r->c->stats->shape_tracking++;
    note_tracking(r);
    grew = true;
  }
  bool is_done = false;
  for (uint32_t s = 0; s < tp_shape_n_structures(r->shape) && !is_done; s++) {
    r->structure = s;
    is_done = refine_class(r);
  }
  if (grew || is_done || r->any_changed)
    return (tp_refinement){.answer = TP_REFINED, .cut = 0, .grew = true};
  return (tp_refinement){.answer = TP_REFINE_NO_PROGRESS,
                         .why = r->formulas ? "no shape class of the library excludes the path"
                                            : "no formulas say why no run takes the path"};
}

static refining open_refining(const tp_counterexample *c) {
  return (refining){.c = c,
                    .shape = shape_of(c->cpa),
                    .heap = heap_of(c->cpa),
                    .p = c->task->program,
                    .tt = c->task->program->terms};
}

static tp_refinement refine(const tp_counterexample *c) {
  refining r = open_refining(c);
  if (tp_reached_paths_n_blocks(c->paths) != c->paths->ins.n || c->paths->ins.n == 0)
    return (tp_refinement){.answer = TP_REFINE_FAILED, .why = "no single way to look at"};
  r.n = c->paths->ins.n;
  tp_step *steps = TP_NEW_ARRAY(tp_step, r.n);
  for (size_t i = 0; i < r.n; i++) steps[i] = c->paths->ins.at[i].step;
  r.steps = steps;
  r.types = TP_NEW_ARRAY(tp_shape_type, r.n);
  const tp_refinement x = refine_path(&r);
  c->stats->shape_simulations += r.n_simulated;
  tp_free(steps);
  tp_free(r.types);
  return x;
}

/* The run was interrupted by samples of structures. */
static bool abstract(const tp_counterexample *c) {
  refining r = open_refining(c);
  bool any = false;
  for (uint32_t s = 0; s < tp_shape_n_structures(r.shape) && r.heap; s++) {
    const uint64_t size_bytes = tp_shape_structure_at(r.shape, s)->size_bytes;
    if (!tp_heap_is_followed(r.heap, size_bytes)) continue;
    r.structure = s;
    any |= abstract_structure(&r);
    tp_heap_unfollow(r.heap, size_bytes);
  }
  return any;
}

const tp_refiner tp_refiner_shape = {
    .name = "shape", .fits = fits, .refine = refine, .abstract = abstract};
