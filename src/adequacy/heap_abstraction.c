/* From states of the machine to abstract states, and from models of a graph to states.
 *
 * Every object of the heap is written down as a cell of an explicit heap, live or freed, with the
 * links and numbers that its kind tracks; the shape analysis makes the graph. A state with another
 * heap has new objects in the place of the cells: those that were there end as if they had never
 * been of the heap. */
#include "adequacy/heap_abstraction.h"

#include "exec/inject.h"

bool tp_heap_abstraction_init(tp_heap_abstraction *a, const tp_program *p, tp_composition *c) {
  *a = (tp_heap_abstraction){.p = p, .c = c, .shape = tp_composite_find(c->cpa, &tp_cpa_shape)};
  if (!a->shape || tp_shape_n_cells(a->shape) == 0) return false;
  a->live = tp_liveness_new(p);
  return true;
}

void tp_heap_abstraction_clear(tp_heap_abstraction *a) {
  if (a->live) tp_liveness_free(a->live);
}

// ------------------------------------------------------------------------ places

tp_context tp_heap_context(const tp_heap_abstraction *a, const tp_state *s) {
  tp_contexts *all = &a->c->contexts;
  tp_edge call;
  tp_context x = tp_context_root(all, tp_state_frame(s, 0, &call), 0);
  for (size_t i = 1; i < tp_state_depth(s); i++) {
    const tp_func f = tp_state_frame(s, i, &call);
    if (tp_func_of(a->p, f)->is_recursive || tp_context_has(all, x, f)) return TP_CONTEXT_NONE;
    x = tp_context_push(all, x, call, f);
  }
  return x;
}

bool tp_heap_is_known(const tp_heap_abstraction *a, tp_context context, tp_loc loc, tp_var v) {
  const tp_var_info *info = tp_var_of(a->p, v);
  if (info->kind == TP_V_GLOBAL) return true;
  const tp_contexts *all = &a->c->contexts;
  tp_edge call = {0};
  for (tp_context x = context; x.id; x = tp_context_of(all, x)->parent) {
    if (tp_context_of(all, x)->func.id == info->func.id)
      return call.id ? tp_is_live_across(a->live, call, v) : tp_is_live(a->live, loc, v);
    call = tp_context_of(all, x)->call;
  }
  return false;
}

// ------------------------------------------------------- from states to elements

typedef struct {
  const tp_heap_abstraction *a;
  const tp_state *s;
  tp_map cell;  // object of the state -> its cell + 1
  tp_arena arena;
} reading;

/* A pointer as explicit heaps write it; what is neither null nor an object of the heap is some
 * address. */
static tp_term pointer_term(const reading *r, tp_value v) {
  tp_terms *tt = r->a->p->terms;
  const uint32_t first = (uint32_t)r->a->p->statics.n;
  uint64_t cell;
  if (v.object == 0 && v.bits == 0) return tp_mk_null(tt);
  if (tp_map_get(&r->cell, v.object, &cell))
    return tp_mk_ptr_const(tt, first + (uint32_t)cell - 1, (uint64_t)v.bits);
  return tp_mk_ptr_const(tt, 0, 1);
}

static tp_term content(const reading *r, uint32_t object, uint64_t offset, tp_sort sort) {
  tp_terms *tt = r->a->p->terms;
  tp_value v;
  const tp_term place = tp_mk_ptr_const(tt, object, offset);
  if (tp_state_eval(r->s, tp_cell(r->a->p, sort, place), &v) != TP_OK) return TP_TERM_NONE;
  if (tp_sort_kind_of(tt, sort) == TP_SORT_PTR) return pointer_term(r, v);
  return tp_mk_bv(tt, tp_sort_width(tt, sort), (uint64_t)v.bits);
}

/* Adds a field in the order of offsets, each offset once. */
static void add_field(tp_explicit_field *fields, size_t *n, tp_explicit_field f) {
  size_t at = *n;
  for (size_t i = 0; i < *n; i++)
    if (fields[i].offset == f.offset && fields[i].n_bytes == f.n_bytes) return;
  for (; at > 0 && fields[at - 1].offset > f.offset; at--) fields[at] = fields[at - 1];
  fields[at] = f;
  ++*n;
}

static void read_fields(reading *r, uint32_t object, uint64_t size, tp_explicit_cell *c) {
  tp_terms *tt = r->a->p->terms;
  size_t most = 0;
  for (uint32_t k = 0; k < tp_shape_n_cells(r->a->shape); k++) {
    const tp_cell_kind *kind = tp_shape_cells(r->a->shape, k);
    const tp_shape_class *class = tp_shape_engine_class(kind->engine);
    if (kind->size_bytes == size) most += class->n_fields + class->n_data_predicates;
  }
  tp_explicit_field *fields = tp_arena_array(&r->arena, tp_explicit_field, most + 1);
  for (uint32_t k = 0; k < tp_shape_n_cells(r->a->shape); k++) {
    const tp_cell_kind *kind = tp_shape_cells(r->a->shape, k);
    const tp_shape_class *class = tp_shape_engine_class(kind->engine);
    if (kind->size_bytes != size) continue;
    for (uint32_t f = 0; f < class->n_fields; f++)
      add_field(fields, &c->n_fields,
                (tp_explicit_field){kind->offsets[f], r->a->p->ptr_bits / 8,
                                    content(r, object, kind->offsets[f], tp_sort_ptr(tt))});
    for (uint32_t d = 0; d < class->n_data_predicates; d++)
      add_field(fields, &c->n_fields,
                (tp_explicit_field){
                    kind->data[d].offset, kind->data[d].width_bits / 8,
                    content(r, object, kind->data[d].offset, tp_sort_of(tt, kind->data[d].value))});
  }
  c->fields = fields;
}

static const tp_explicit_cell *read_cells(reading *r, size_t *n) {
  tp_object_info info;
  const uint32_t n_objects = (uint32_t)tp_state_n_objects(r->s);
  tp_explicit_cell *cells = tp_arena_array(&r->arena, tp_explicit_cell, n_objects + 1);
  *n = 0;
  for (uint32_t o = 1; o <= n_objects; o++)
    if (tp_state_object_info(r->s, o, &info) && info.kind == TP_O_HEAP)
      tp_map_set(&r->cell, o, ++*n);
  for (uint32_t o = 1, i = 0; o <= n_objects; o++) {
    if (!tp_state_object_info(r->s, o, &info) || info.kind != TP_O_HEAP) continue;
    cells[i] = (tp_explicit_cell){.life = info.live ? TP_CELL_LIVE : TP_CELL_FREED,
                                  .rest = TP_REST_UNKNOWN,
                                  .size = tp_mk_bv(r->a->p->terms, r->a->p->ptr_bits, info.size)};
    if (info.live) read_fields(r, o, info.size, &cells[i]);
    i++;
  }
  return cells;
}

static const tp_explicit_var *read_vars(reading *r, tp_context context, size_t *n) {
  const tp_loc loc = tp_state_loc(r->s);
  size_t most = 0;
  for (uint32_t k = 0; k < tp_shape_n_cells(r->a->shape); k++)
    most += tp_shape_engine_class(tp_shape_cells(r->a->shape, k)->engine)->n_pointers;
  tp_explicit_var *vars = tp_arena_array(&r->arena, tp_explicit_var, most + 1);
  *n = 0;
  for (uint32_t k = 0; k < tp_shape_n_cells(r->a->shape); k++) {
    const tp_cell_kind *kind = tp_shape_cells(r->a->shape, k);
    const uint32_t n_pointers = tp_shape_engine_class(kind->engine)->n_pointers;
    for (uint32_t i = 0; i < n_pointers; i++) {
      const tp_var v = kind->pointers[i];
      tp_value value;
      bool is_there = !tp_heap_is_known(r->a, context, loc, v) ||
                      tp_state_eval(r->s, tp_var_of(r->a->p, v)->term, &value) != TP_OK;
      size_t at = *n;
      for (size_t x = 0; x < *n; x++) is_there |= vars[x].var.id == v.id;
      if (is_there) continue;
      for (; at > 0 && vars[at - 1].var.id > v.id; at--) vars[at] = vars[at - 1];
      vars[at] = (tp_explicit_var){v, pointer_term(r, value)};
      ++*n;
    }
  }
  return vars;
}

tp_succ tp_heap_abstract(const tp_heap_abstraction *a, const tp_state *s, tp_context context) {
  if (!context.id) return (tp_succ){NULL, NULL};
  reading r = {.a = a, .s = s};
  tp_arena_init(&r.arena);
  tp_explicit_heap heap = {.first_object = (uint32_t)a->p->statics.n, .others = TP_OTHERS_NONE};
  heap.cells = read_cells(&r, &heap.n_cells);
  heap.vars = read_vars(&r, context, &heap.n_vars);
  tp_succ out = a->c->cpa->ops->initial(a->c->cpa, tp_state_loc(s), context);
  const tp_elem *graphs = tp_shape_of_heap(a->shape, &heap);
  out.elem = graphs ? tp_composite_replace(a->c->cpa, out.elem, a->shape, graphs) : NULL;
  tp_map_clear(&r.cell);
  tp_arena_clear(&r.arena);
  return out;
}

uint32_t tp_heap_graph(const tp_heap_abstraction *a, const tp_elem *e, uint32_t k) {
  for (size_t i = 0; i < tp_composite_n(a->c->cpa); i++) {
    const tp_view v = tp_composite_view(a->c->cpa, e, i);
    if (v.cpa != a->shape) continue;
    const tp_graph_ids *set = tp_shape_graphs(v.elem, k);
    return set->n == 1 ? set->at[0] : 0;
  }
  return 0;
}

// --------------------------------------------------------- from models to states

static bool is_number(const tp_program *p, tp_type t, tp_sort *sort) {
  const tp_type_info *info = tp_type_of(p, t);
  if ((info->kind != TP_T_INT && info->kind != TP_T_ENUM) || info->size_bytes > 8) return false;
  *sort = tp_sort_bv(p->terms, (uint32_t)info->size_bytes * 8);
  return true;
}

/* One of the numbers of the variables in scope, or 0, 1, by chance. */
static uint64_t draw_number(const tp_heap_abstraction *a, const tp_state *s, uint64_t draw) {
  if (draw % 3 == 0) return draw / 3 % 2;
  uint32_t n = 0;
  uint64_t chosen = 0;
  for (uint32_t v = 1; v < a->p->vars.n; v++) {
    const tp_var_info *info = &a->p->vars.at[v];
    tp_value value;
    if (tp_sort_kind_of(a->p->terms, tp_sort_of(a->p->terms, info->term)) != TP_SORT_BV ||
        tp_state_eval(s, info->term, &value) != TP_OK)
      continue;
    n++;
    if (tp_hash_mix(draw, v) % n == 0) chosen = (uint64_t)value.bits;
  }
  return chosen;
}

static void write_numbers(const tp_heap_abstraction *a, tp_state *s, uint32_t k, uint32_t object,
                          uint64_t draw) {
  const tp_type_info *type = tp_type_of(a->p, tp_shape_cells(a->shape, k)->structure);
  for (uint32_t i = 0; i < type->n_members && draw; i++) {
    const tp_member *m = &type->members[i];
    tp_sort sort;
    if (m->width_bits || !is_number(a->p, m->type, &sort)) continue;
    const tp_value value = {.bits = draw_number(a, s, tp_hash_mix(draw, object * 64 + i))};
    (void)tp_inject_cell(s, (tp_value){.bits = m->offset_bits / 8, .object = object}, sort, value);
  }
}

static tp_value address_of(int16_t target, const uint32_t *object) {
  if (target == TP_PARTIAL_NUMBER) return (tp_value){.bits = 1};
  return (tp_value){.object = target < 0 ? 0 : object[target]};
}

bool tp_heap_inject(const tp_heap_abstraction *a, tp_state *s, uint32_t k, const tp_heap_model *m,
                    uint64_t draw) {
  TP_REQUIRE(m->n_cells <= TP_ADEQUACY_HEAP_CELLS);
  const tp_cell_kind *kind = tp_shape_cells(a->shape, k);
  const tp_shape_class *class = tp_shape_engine_class(kind->engine);
  uint32_t object[TP_ADEQUACY_HEAP_CELLS];
  tp_object_info info;
  for (uint32_t o = 1; o <= tp_state_n_objects(s); o++)
    if (tp_state_object_info(s, o, &info) && info.size == kind->size_bytes)
      (void)tp_inject_drop(s, o);
  for (uint32_t i = 0; i < m->n_cells; i++) {
    object[i] = tp_inject_object(s, TP_O_HEAP, kind->size_bytes, !m->is_freed[i]);
    if (!object[i]) return false;
  }
  for (uint32_t p = 0; p < class->n_pointers; p++)
    if (m->pointer[p] != TP_PARTIAL_NOTHING)
      (void)tp_inject_value(s, kind->pointers[p], address_of(m->pointer[p], object));
  for (uint32_t i = 0; i < m->n_cells; i++) {
    if (m->is_freed[i]) continue;
    write_numbers(a, s, k, object[i], draw);
    for (uint32_t f = 0; f < class->n_fields; f++)
      (void)tp_inject_cell(s, (tp_value){.bits = kind->offsets[f], .object = object[i]},
                           tp_sort_ptr(a->p->terms), address_of(m->field[f][i], object));
  }
  return true;
}

// ------------------------------------------------------------------ along links

/* The live cells of a kind in the order in which they are met. */
typedef struct {
  const tp_heap_abstraction *a;
  const tp_state *s;
  const tp_cell_kind *kind;
  tp_context context;
  TP_VEC(uint32_t) order;  // objects
} walk;

/* The cell's number from 1; 0: it is none that is live. */
static uint32_t number_of(walk *x, uint32_t object) {
  tp_object_info info;
  for (uint32_t i = 0; i < x->order.n; i++)
    if (x->order.at[i] == object) return i + 1;
  if (!tp_state_object_info(x->s, object, &info) || info.kind != TP_O_HEAP || !info.live ||
      info.size != x->kind->size_bytes)
    return 0;
  tp_vec_push(&x->order, object);
  return (uint32_t)x->order.n;
}

/* The value of pointer i of the kind; false: it is not known. */
static bool read_pointer(const walk *x, uint32_t i, tp_value *v) {
  const tp_var var = x->kind->pointers[i];
  return tp_heap_is_known(x->a, x->context, tp_state_loc(x->s), var) &&
         tp_state_eval(x->s, tp_var_of(x->a->p, var)->term, v) == TP_OK;
}

static bool read_link(const walk *x, uint32_t object, uint32_t f, tp_value *v) {
  const tp_program *p = x->a->p;
  const tp_term place = tp_mk_ptr_const(p->terms, object, x->kind->offsets[f]);
  return tp_state_eval(x->s, tp_cell(p, tp_sort_ptr(p->terms), place), v) == TP_OK;
}

/* From what has been met to all that links lead to. */
static void follow(walk *x) {
  tp_value v;
  for (uint32_t i = 0; i < x->order.n; i++)
    for (uint32_t f = 0; f < tp_shape_engine_class(x->kind->engine)->n_fields; f++)
      if (read_link(x, x->order.at[i], f, &v) && v.bits == 0) (void)number_of(x, v.object);
}

uint32_t tp_heap_longest(const tp_heap_abstraction *a, const tp_state *s) {
  walk x = {.a = a, .s = s, .context = tp_heap_context(a, s)};
  size_t longest = 0;
  for (uint32_t k = 0; k < tp_shape_n_cells(a->shape); k++) {
    x.kind = tp_shape_cells(a->shape, k);
    for (uint32_t i = 0; i < tp_shape_engine_class(x.kind->engine)->n_pointers; i++) {
      tp_value v;
      x.order.n = 0;
      if (!read_pointer(&x, i, &v) || v.bits != 0) continue;
      (void)number_of(&x, v.object);
      follow(&x);
      if (x.order.n > longest) longest = x.order.n;
    }
  }
  tp_vec_clear(&x.order);
  return (uint32_t)longest;
}

// ---------------------------------------------------------------------- printing

typedef struct {
  walk w;
  tp_str *out;
  bool is_first;
} printing;

static void print_target(printing *x, tp_value v) {
  const uint32_t cell = v.bits == 0 ? number_of(&x->w, v.object) : 0;
  if (cell)
    tp_str_printf(x->out, "c%u", cell);
  else
    tp_str_add(x->out, v.object == 0 && v.bits == 0 ? "NULL" : "elsewhere");
}

static void separate(printing *x) {
  if (!x->is_first) tp_str_add(x->out, ", ");
  x->is_first = false;
}

/* A variable of the user's. */
static bool has_name(const tp_var_info *v) {
  return v->kind != TP_V_TEMP && v->kind != TP_V_GHOST && v->name[0] != TP_HIDDEN_PREFIX[0];
}

static void print_kind(printing *x) {
  const tp_shape_class *class = tp_shape_engine_class(x->w.kind->engine);
  tp_value v;
  for (uint32_t i = 0; i < class->n_pointers; i++) {
    const tp_var_info *info = tp_var_of(x->w.a->p, x->w.kind->pointers[i]);
    if (!has_name(info) || !read_pointer(&x->w, i, &v)) continue;
    separate(x);
    tp_str_printf(x->out, "%s = ", info->name);
    print_target(x, v);
  }
  for (uint32_t o = 1; o <= tp_state_n_objects(x->w.s); o++) {
    follow(&x->w);
    (void)number_of(&x->w, o);
  }
  for (uint32_t i = 0; i < x->w.order.n; i++)
    for (uint32_t f = 0; f < class->n_fields; f++) {
      if (!read_link(&x->w, x->w.order.at[i], f, &v)) continue;
      separate(x);
      tp_str_printf(x->out, "c%u->%s = ", i + 1, class->fields[f]);
      print_target(x, v);
    }
}

void tp_heap_print(const tp_heap_abstraction *a, const tp_state *s, tp_str *out) {
  printing x = {
      .w = {.a = a, .s = s, .context = tp_heap_context(a, s)}, .out = out, .is_first = true};
  for (uint32_t k = 0; k < tp_shape_n_cells(a->shape); k++) {
    x.w.kind = tp_shape_cells(a->shape, k);
    x.w.order.n = 0;
    print_kind(&x);
  }
  tp_vec_clear(&x.w.order);
  if (x.is_first) tp_str_add(out, "no cells");
}
