/* Place by place in the order of the program, node by node in the order in which they were reached;
 * equal pictures of a place once. */
#include "proof/reached_pictures.h"

#include "cpa/composite.h"
#include "cpa/explicit_draw.h"
#include "cpa/shape/shape_cpa.h"
#include "proof/failed_path.h"
#include "proof/proof_limits.h"
#include "shape/structure_draw.h"

typedef struct {
  tp_graph_ids all_heaps;
  bool *is_minor;  // by pointer: a temporary
} kind;

typedef struct {
  tp_cpa *composite, *shape;  // shape: NULL: none
  const tp_reached *r;
  const tp_program *p;
  tp_result *out;
  kind *kinds;       // of cells
  tp_map n_of_stem;  // line, or function + 2^32 -> files with that stem so far
  // the place at hand
  tp_loc at;
  const char *place, *stem;
  uint64_t stem_key;
  size_t first;  // its first entry in out
  bool has_more;
} draft;

// ---------------------------------------------------------------------- places

static bool is_end(const tp_program *p, tp_loc l) {
  const tp_func_info *f = tp_func_of(p, tp_loc_of(p, l)->func);
  return f->has_body && !f->is_model && f->exit.id == l.id;
}

static bool is_place(const tp_program *p, tp_loc l, tp_property property) {
  const tp_loc_info *info = tp_loc_of(p, l);
  if (!info->func.id || tp_func_of(p, info->func)->is_model) return false;
  return info->is_loop_head || info->is_cutpoint || is_end(p, l) ||
         tp_property_covers(property, info->error);
}

static void open_place(draft *d, tp_loc l) {
  const tp_loc_info *info = tp_loc_of(d->p, l);
  const char *where = tp_position_text(d->p, info->pos, &d->out->arena),
             *func = tp_func_of(d->p, info->func)->name;
  const uint32_t line = info->pos.line;
  d->at = l;
  d->first = d->out->pictures.n;
  d->has_more = false;
  if (is_end(d->p, l)) {
    d->place = tp_arena_printf(&d->out->arena, "end of %s", func);
    d->stem = tp_arena_printf(&d->out->arena, "end-%s", func);
    d->stem_key = (uint64_t)1 << 32 | info->func.id;
  } else {
    const char *what = info->error != TP_P_NONE                  ? "error"
                       : info->is_loop_head || info->is_cutpoint ? "loop"
                                                                 : "place";
    d->place = tp_arena_printf(&d->out->arena, "%s at %s, in %s", what, where, func);
    d->stem = tp_arena_printf(&d->out->arena, "%s-%u", what, line);
    d->stem_key = (uint64_t)(info->error != TP_P_NONE) << 33 | line;
  }
}

// -------------------------------------------------------------------- pictures

static bool is_full(draft *d) {
  const size_t n = d->out->pictures.n;
  d->has_more = n >= TP_PROOF_PICTURES || n - d->first >= TP_PROOF_PICTURES_AT_PLACE;
  return d->has_more;
}

static bool is_known(const draft *d, const char *text, const char *caption) {
  for (size_t i = d->first; i < d->out->pictures.n; i++) {
    const tp_drawing *have = &d->out->pictures.at[i];
    if (strcmp(have->caption, caption) == 0 &&
        strcmp(have->text ? have->text : "", text ? text : "") == 0)
      return true;
  }
  return false;
}

/* text NULL: a remark. */
static void add(draft *d, const char *caption, const char *text) {
  uint64_t n = 0;
  if (is_known(d, text, caption) || is_full(d)) return;
  tp_drawing one = {.place = d->place, .caption = tp_arena_strdup(&d->out->arena, caption)};
  if (text) {
    (void)tp_map_get(&d->n_of_stem, d->stem_key, &n);
    tp_map_set(&d->n_of_stem, d->stem_key, n + 1);
    one.file = tp_arena_printf(&d->out->arena, "%s-%llu", d->stem, (unsigned long long)n + 1);
    one.text = tp_arena_strdup(&d->out->arena, text);
  }
  tp_vec_push(&d->out->pictures, one);
}

static bool is_same_set(const tp_graph_ids *a, const tp_graph_ids *b) {
  return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n * sizeof *a->at) == 0);
}

/* step: what the captions begin with. */
static void draw_graphs(draft *d, const tp_elem *e, const char *step) {
  for (uint32_t k = 0; k < tp_shape_n_cells(d->shape); k++) {
    const tp_cell_kind *cells = tp_shape_cells(d->shape, k);
    const tp_graph_ids *set = tp_shape_graphs(e, k);
    const char *of = tp_type_of(d->p, cells->structure)->name;
    tp_str caption = {0};
    if (is_same_set(set, &d->kinds[k].all_heaps)) {
      tp_str_printf(&caption, "%snothing is known of the cells of type %s", step, of);
      add(d, tp_str_text(&caption), NULL);
    } else {
      tp_str_printf(&caption, "%sshape graph: cells of type %s", step, of);
      for (size_t g = 0; g < set->n && !d->has_more; g++) {
        tp_str text = {0};
        tp_shape_draw(tp_shape_engine_class(cells->engine),
                      &tp_graph_at(tp_shape_engine_graphs(cells->engine), set->at[g])->s,
                      d->kinds[k].is_minor, &text);
        add(d, tp_str_text(&caption), tp_str_text(&text));
        tp_str_clear(&text);
      }
    }
    tp_str_clear(&caption);
  }
}

static void draw_heap(draft *d, const tp_explicit_heap *heap) {
  tp_str text = {0};
  tp_explicit_draw(d->p, heap, &text);
  add(d, "explicit heap", tp_str_text(&text));
  tp_str_clear(&text);
}

static void draw_node(draft *d, const tp_elem *e, const char *step) {
  for (size_t i = 0; i < tp_composite_n(d->composite); i++) {
    const tp_view v = tp_composite_view(d->composite, e, i);
    tp_cpa *cpa = (tp_cpa *)(uintptr_t)v.cpa;
    const tp_explicit_heap *heap =
        cpa->ops->explicit_heap ? cpa->ops->explicit_heap(cpa, v.elem) : NULL;
    if (cpa == d->shape)
      draw_graphs(d, v.elem, step);
    else if (heap)
      draw_heap(d, heap);
  }
}

static void draw_place(draft *d, tp_loc l) {
  open_place(d, l);
  for (uint32_t i = 1; i <= tp_reached_n(d->r) && !d->has_more; i++) {
    const tp_node *n = tp_reached_node(d->r, i);
    if (n->loc.id == l.id && !n->removed) draw_node(d, n->state.elem, "");
  }
  if (d->has_more)
    tp_vec_push(&d->out->pictures,
                (tp_drawing){.place = d->place, .caption = "there are more, which are left out"});
}

// ------------------------------------------------------------- the way to an error

static bool has_same_graphs(const draft *d, uint32_t a, uint32_t b) {
  bool same = true;
  for (size_t i = 0; i < tp_composite_n(d->composite); i++) {
    const tp_view x = tp_composite_view(d->composite, tp_reached_node(d->r, a)->state.elem, i),
                  y = tp_composite_view(d->composite, tp_reached_node(d->r, b)->state.elem, i);
    for (uint32_t k = 0; x.cpa == d->shape && k < tp_shape_n_cells(d->shape); k++)
      same = same && is_same_set(tp_shape_graphs(x.elem, k), tp_shape_graphs(y.elem, k));
  }
  return same;
}

/* The graphs of all kinds at a node. */
static size_t n_graphs(const draft *d, uint32_t node) {
  size_t n = 0;
  for (size_t i = 0; i < tp_composite_n(d->composite); i++) {
    const tp_view v = tp_composite_view(d->composite, tp_reached_node(d->r, node)->state.elem, i);
    for (uint32_t k = 0; v.cpa == d->shape && k < tp_shape_n_cells(d->shape); k++)
      n += tp_shape_graphs(v.elem, k)->n;
  }
  return n;
}

/* What was lost, and the steps that changed a graph: as many of the last ones as there is room for.
 */
static void draw_failed_path(draft *d, tp_property property) {
  tp_node_list path = {0};
  tp_failed_path_nodes(d->r, d->p, property, &path);
  tp_node_list changing = {0};
  for (size_t i = 0; i < path.n; i++)
    if (i == 0 || !has_same_graphs(d, path.at[i - 1], path.at[i]))
      tp_vec_push(&changing, path.at[i]);
  if (path.n) {
    const tp_loc_info *error = tp_loc_of(d->p, tp_reached_node(d->r, path.at[path.n - 1])->loc);
    const char *loss = tp_failed_path_loss(d->composite, d->r, property, &d->out->arena);
    open_place(d, tp_reached_node(d->r, path.at[path.n - 1])->loc);
    d->place = tp_arena_printf(&d->out->arena, "the way to the error at %s",
                               tp_position_text(d->p, error->pos, &d->out->arena));
    d->stem = tp_arena_printf(&d->out->arena, "way-%u", error->pos.line);
    d->stem_key = (uint64_t)1 << 34 | error->pos.line;
    if (loss) add(d, loss, NULL);
  }
  size_t first = changing.n, room = TP_PROOF_PICTURES_AT_PLACE - 1;
  while (first > 0 && n_graphs(d, changing.at[first - 1]) <= room)
    room -= n_graphs(d, changing.at[--first]);
  for (size_t i = first; i < changing.n; i++) {
    const char *step = tp_failed_path_step(d->r, d->p, changing.at[i], &d->out->arena);
    draw_node(d, tp_reached_node(d->r, changing.at[i])->state.elem,
              tp_arena_printf(&d->out->arena, "behind %s: ", step));
  }
  tp_vec_clear(&changing);
  tp_vec_clear(&path);
}

static void open_kind(draft *d, uint32_t k) {
  const tp_cell_kind *cells = tp_shape_cells(d->shape, k);
  const uint32_t n = tp_shape_engine_class(cells->engine)->n_pointers;
  tp_shape_engine_top(cells->engine, &d->kinds[k].all_heaps);
  d->kinds[k].is_minor = TP_NEW_ARRAY(bool, n + 1);
  for (uint32_t x = 0; x < n; x++)
    d->kinds[k].is_minor[x] = tp_var_of(d->p, cells->pointers[x])->kind == TP_V_TEMP;
}

void tp_pictures_draw(tp_cpa *composite, const tp_reached *r, tp_property property,
                      tp_result *out) {
  draft d = {.composite = composite,
             .shape = tp_composite_find(composite, &tp_cpa_shape),
             .r = r,
             .p = composite->env->program,
             .out = out};
  const uint32_t n_kinds = d.shape ? tp_shape_n_cells(d.shape) : 0;
  d.kinds = TP_NEW_ARRAY(kind, n_kinds + 1);
  for (uint32_t k = 0; k < n_kinds; k++) open_kind(&d, k);
  for (uint32_t l = 1; l < d.p->locs.n; l++)
    if (is_place(d.p, (tp_loc){l}, property)) draw_place(&d, (tp_loc){l});
  if (d.shape) draw_failed_path(&d, property);
  for (uint32_t k = 0; k < n_kinds; k++) {
    tp_vec_clear(&d.kinds[k].all_heaps);
    tp_free(d.kinds[k].is_minor);
  }
  tp_free(d.kinds);
  tp_map_clear(&d.n_of_stem);
}
