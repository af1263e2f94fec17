/* Objects of the model are found in the base, or made: addresses of locals say which object is
 * which first, then other pointer variables whose value in the base fits, then what is left is
 * made. After that values are written. Whether the state is what the model describes is the
 * caller's to check, by evaluating predicates in it. */
#include "adequacy/fabricate.h"

#include "adequacy/adequacy_limits.h"
#include "exec/inject.h"
#include "program/cells.h"

typedef struct {
  const tp_program *p;
  const tp_segment_model *m;
  tp_state *s;
  tp_map to;    // object of the model -> object of the state
  tp_map used;  // objects of the state that are one already
} builder;

// ------------------------------------------------------------------------ objects

static const tp_model_object *object_in_model(const builder *u, uint32_t object) {
  for (size_t i = 0; i < u->m->objects.n; i++)
    if (u->m->objects.at[i].object == object) return &u->m->objects.at[i];
  return NULL;
}

static bool is_known(const builder *u, uint32_t object) {
  return object < u->p->statics.n || tp_map_has(&u->to, object);
}

static void identify(builder *u, uint32_t in_model, uint32_t in_state) {
  tp_map_set(&u->to, in_model, in_state);
  tp_map_set(&u->used, in_state, 1);
}

/* May this object of the state stand for the model's? */
static bool fits(const builder *u, uint32_t in_model, uint32_t in_state) {
  tp_object_info info;
  const tp_model_object *o = object_in_model(u, in_model);
  if (in_state < u->p->statics.n || tp_map_has(&u->used, in_state) ||
      !tp_state_object_info(u->s, in_state, &info))
    return false;
  return !o || !o->is_live || (info.live && info.size == o->size);
}

static void find_objects(builder *u) {
  for (int addresses = 1; addresses >= 0; addresses--) {
    for (size_t i = 0; i < u->m->vars.n; i++) {
      const tp_model_var *v = &u->m->vars.at[i];
      const tp_var_info *info = tp_var_of(u->p, v->var);
      tp_value now;
      bool is_pointer =
          tp_sort_kind_of(u->p->terms, tp_sort_of(u->p->terms, info->term)) == TP_SORT_PTR;
      if (!is_pointer || info->is_address != (addresses == 1) || is_known(u, v->value.object))
        continue;
      if (tp_state_eval(u->s, info->term, &now) != TP_OK ||
          (!addresses && !fits(u, v->value.object, now.object)))
        continue;
      if (now.object) identify(u, v->value.object, now.object);
    }
  }
}

/* The model's object in the state; made if there is none. */
static bool map_object(builder *u, uint32_t object, uint32_t *out) {
  uint64_t found = object;
  if (!is_known(u, object)) {
    const tp_model_object *o = object_in_model(u, object);
    if (!o || o->size > TP_ADEQUACY_FABRICATED_BYTES) return false;
    tp_object_kind kind = o->kind == TP_O_STACK ? TP_O_STACK : TP_O_HEAP;
    uint32_t made = tp_inject_object(u->s, kind, o->size, o->is_live);
    if (!made) return false;
    identify(u, object, made);
  }
  (void)tp_map_get(&u->to, object, &found);
  *out = (uint32_t)found;
  return true;
}

// ------------------------------------------------------------------------- values

static bool map_value(builder *u, tp_sort sort, tp_value *v) {
  if (tp_sort_kind_of(u->p->terms, sort) == TP_SORT_PTR)
    return map_object(u, v->object, &v->object);
  v->object = 0;
  return true;
}

/* A pointer to what cannot be made stays as it is in the base. */
static void write_vars(builder *u) {
  for (size_t i = 0; i < u->m->vars.n; i++) {
    tp_model_var v = u->m->vars.at[i];
    if (map_value(u, tp_sort_of(u->p->terms, tp_var_of(u->p, v.var)->term), &v.value))
      (void)tp_inject_value(u->s, v.var, v.value);
  }
}

/* Cells of objects that the segment makes are told by the oracle; those of no object are nowhere.
 */
static void write_cells(builder *u) {
  for (size_t i = 0; i < u->m->cells.n; i++) {
    tp_model_cell c = u->m->cells.at[i];
    bool is_later = u->m->next && c.address.object >= u->m->next;
    if (is_later || c.address.object == 0) continue;
    if (map_object(u, c.address.object, &c.address.object) && map_value(u, c.sort, &c.value))
      (void)tp_inject_cell(u->s, c.address, c.sort, c.value);
  }
}

void tp_fabricate(const tp_segment *segment, const tp_segment_model *m, tp_state *s) {
  builder u = {.p = segment->paths->p, .m = m, .s = s};
  find_objects(&u);
  write_vars(&u);
  write_cells(&u);
  tp_map_clear(&u.to);
  tp_map_clear(&u.used);
}

// ------------------------------------------------------------------------- inputs

void tp_model_oracle_init(tp_model_oracle *o, const tp_paths *paths, const tp_segment_model *m) {
  *o = (tp_model_oracle){.paths = paths, .model = m};
  tp_arena_init(&o->bytes);
  for (size_t i = 0; m && i < m->inputs.n; i++)
    tp_map_set(&o->values, m->inputs.at[i].symbol.id, i + 1);
}

void tp_model_oracle_clear(tp_model_oracle *o) {
  tp_map_clear(&o->values);
  tp_map_clear(&o->asked);
  tp_arena_clear(&o->bytes);
}

/* The value of the count-th input of the edge in the model. */
static bool value_of(const tp_model_oracle *o, tp_edge e, uint64_t count, const tp_input *io,
                     tp_u128 *out) {
  tp_terms *tt = o->paths->tt;
  uint64_t at;
  const tp_sort sorts[] = {
      tp_sort_bv(tt, io->width_bits),
      io->width_bits == 1 ? tp_sort_bool(tt) : tp_sort_fp(tt, io->width_bits == 64 ? 64 : 32)};
  for (size_t i = 0; i < 2; i++) {
    tp_term symbol = tp_paths_input_of(o->paths, e, count, sorts[i]);
    if (!tp_term_is(symbol) || !tp_map_get(&o->values, symbol.id, &at)) continue;
    *out = o->model->inputs.at[at - 1].value.bits;
    return true;
  }
  return false;
}

/* The content of a new object, as the model has its cells. */
static void content_of(tp_model_oracle *o, tp_input *io) {
  const tp_terms *tt = o->paths->tt;
  uint8_t *bytes = tp_arena_array(&o->bytes, uint8_t, io->n_bytes + 1);
  uint32_t object = o->model->next + o->n_made;
  for (size_t i = 0; i < o->model->cells.n; i++) {
    const tp_model_cell *c = &o->model->cells.at[i];
    uint64_t at = (uint64_t)c->address.bits, n = tp_sort_bytes(tt, c->sort);
    if (c->address.object != object || at + n > io->n_bytes || at + n < at ||
        tp_sort_kind_of(tt, c->sort) == TP_SORT_PTR)
      continue;
    for (uint64_t k = 0; k < n; k++) bytes[at + k] = (uint8_t)(c->value.bits >> (8 * k));
  }
  io->bytes = bytes;
}

static tp_edge edge_at(const tp_model_oracle *o) {
  tp_edge_list out = o->loc.id ? tp_out_edges(o->paths->p, o->loc) : (tp_edge_list){0};
  return (tp_edge){out.n == 1 ? out.at[0] : 0};
}

void tp_model_oracle_at(tp_model_oracle *o, tp_loc loc) {
  tp_edge e = edge_at(o);
  o->n_made += e.id && tp_edge_of(o->paths->p, e)->kind == TP_E_ALLOC;
  o->loc = loc;
}

static bool ask(void *ctx, tp_input *io) {
  tp_model_oracle *o = ctx;
  tp_edge e = edge_at(o);
  uint64_t count = 0;
  bool is_alloc = e.id && tp_edge_of(o->paths->p, e)->kind == TP_E_ALLOC;
  (void)tp_map_get(&o->asked, e.id, &count);
  tp_map_set(&o->asked, e.id, count + 1);
  tp_u128 bits = 0;
  if (io->width_bits && o->model && e.id) (void)value_of(o, e, count, io, &bits);
  io->bits = bits;
  io->bytes = NULL;
  if (io->width_bits == 0 && o->model && is_alloc)
    content_of(o, io);
  else
    io->n_bytes = io->width_bits ? io->n_bytes : 0;
  return true;
}

tp_oracle tp_model_oracle_of(tp_model_oracle *o) { return (tp_oracle){o, ask}; }
