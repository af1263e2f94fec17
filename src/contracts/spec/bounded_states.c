/* Universes, relations and their bounds for bounded states. Atoms are made when the bounds are:
 * only then the number of structs inside of others is known. The atoms of a basic type are
 * consecutive, so an upper bound is a union of boxes (products of ranges of atoms). */
#include "contracts/spec/bounded_states_priv.h"

#include "contracts/contracts_limits.h"

static tp_rel_expr value(void *ctx, const tp_symbol *symbol, tp_contract_state when);
static tp_rel_expr objects(void *ctx, uint32_t basic) {
  return ((tp_bounded_states *)ctx)->objects[basic];
}

tp_bounded_states *tp_bounded_states_new(tp_contracts *m, tp_rel *l, tp_state_scope b) {
  TP_REQUIRE(m && l);
  tp_bounded_states *h = TP_NEW(tp_bounded_states);
  *h = (tp_bounded_states){.m = m, .u = m->object_model, .l = l, .b = b};
  tp_arena_init(&h->arena);
  h->objects = tp_arena_array(&h->arena, tp_rel_expr, h->u->basics.n);
  for (uint32_t i = 0; i < h->u->basics.n; i++)
    h->objects[i] = tp_rel_relation(
        l, tp_arena_printf(&h->arena, "objects %u: %s", i, h->u->basics.at[i].name), 1);
  return h;
}

void tp_bounded_states_free(tp_bounded_states *h) {
  if (!h) return;
  tp_rel_bounds_free(h->bounds);
  tp_rel_universe_free(h->universe);
  tp_vec_clear(&h->asked);
  tp_vec_clear(&h->indices);
  tp_arena_clear(&h->arena);
  tp_free(h);
}

tp_state_relations tp_bounded_states_relations(tp_bounded_states *h) {
  return (tp_state_relations){h, value, objects};
}

// ------------------------------------------------------------------------ symbols

/* Each clause has symbols of its own for parameters, results and locals. */
static bool is_same(const tp_symbol *a, const tp_symbol *b) {
  TP_REQUIRE(a && b);
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  if (a->kind == TP_SYMBOL_PARAM) return a->number == b->number;
  return a->kind == TP_SYMBOL_RESULT || (a->kind == TP_SYMBOL_LOCAL && a->var.id == b->var.id);
}

/* As contracts write it; statics of two files may share a name. */
static const char *name_of(tp_bounded_states *h, const tp_symbol *s, tp_contract_state when) {
  const bool is_member = s->basic && s->kind != TP_SYMBOL_SET;
  const char *name =
      tp_arena_printf(&h->arena, "%s%s%s%s%s", s->kind == TP_SYMBOL_FUNCTION ? "function " : "",
                      is_member ? h->u->basics.at[s->basic].name : "", is_member ? "::" : "",
                      s->name ? s->name : "parameter", when == TP_POST_STATE ? "'" : "");
  for (size_t i = 0; i < h->asked.n; i++)
    if (strcmp(h->asked.at[i].name, name) == 0)
      return tp_arena_printf(&h->arena, "%s (%zu)", name, h->asked.n);
  return name;
}

bool tp_bounded_states_has(const tp_bounded_states *h, const tp_symbol *symbol) {
  for (size_t i = 0; i < h->asked.n; i++)
    if (is_same(h->asked.at[i].symbol, symbol)) return true;
  return false;
}

static tp_rel_expr value(void *ctx, const tp_symbol *symbol, tp_contract_state when) {
  tp_bounded_states *h = ctx;
  for (size_t i = 0; i < h->asked.n; i++)
    if (h->asked.at[i].when == when && is_same(h->asked.at[i].symbol, symbol))
      return h->asked.at[i].relation;
  const uint32_t arity = tp_reltype_arity(symbol->type);
  if (symbol->refused || arity == 0 || h->bounds) return (tp_rel_expr){0};
  tp_bounded_states_entry e = {.symbol = symbol, .when = when, .name = name_of(h, symbol, when)};
  e.relation = tp_rel_relation(h->l, e.name, arity);
  tp_vec_push(&h->asked, e);
  return e.relation;
}

tp_bounded_states_shape tp_bounded_states_shape_of(const tp_bounded_states *h, const tp_symbol *s) {
  const bool is_owned = s->kind == TP_SYMBOL_FIELD || s->kind == TP_SYMBOL_ELEMENTS;
  tp_bounded_states_shape shape = {.n_before = is_owned};
  if (s->kind == TP_SYMBOL_ELEMENTS) shape.n++;
  for (tp_type t = s->ctype; t.id && tp_type_of(h->u->program, t)->kind == TP_T_ARRAY &&
                             shape.n < TP_CONTRACTS_TYPE_ARITY;) {
    const tp_type_info *info = tp_type_of(h->u->program, t);
    shape.size[shape.n++] = info->n_elements;
    t = info->element;
  }
  return shape;
}

bool tp_bounded_states_is_inner(const tp_bounded_states *h, const tp_symbol *s) {
  return (s->kind == TP_SYMBOL_FIELD || s->kind == TP_SYMBOL_GLOBAL) && s->ctype.id &&
         tp_type_of(h->u->program, s->ctype)->kind == TP_T_STRUCT;
}

uint32_t tp_bounded_states_value_basic(const tp_bounded_states *h, const tp_symbol *s) {
  const uint32_t arity = tp_reltype_arity(s->type);
  for (uint32_t b = 0; b < h->u->basics.n && s->type.n == 1; b++) {
    tp_reltype last = s->type;
    for (uint32_t i = 1; i < arity; i++)
      last = tp_reltype_join(&h->u->types, tp_reltype_all(&h->u->types), last);
    if (tp_reltype_is_only(&h->u->types, last, b)) return b;
  }
  return TP_OTHER_BASIC;
}

// -------------------------------------------------------------------------- atoms

/* How many objects of each basic type there are: those that are anybody's, and those that lie
 * inside of others. */
static void count_objects(tp_bounded_states *h) {
  const uint32_t n = (uint32_t)h->u->basics.n;
  uint32_t *own = tp_arena_array(&h->arena, uint32_t, n);
  for (uint32_t b = 0; b < n; b++) own[b] = h->b.n_objects ? h->b.n_objects[b] : h->b.n_each;
  own[TP_NULL_BASIC] = 1;
  own[TP_INT_BASIC] = 1u << h->b.width_bits;
  own[TP_FUNCTION_BASIC] = 1;
  for (size_t i = 0; i < h->asked.n; i++) {
    const tp_symbol *s = h->asked.at[i].symbol;
    if (s->kind == TP_SYMBOL_FUNCTION)
      own[TP_FUNCTION_BASIC]++;
    else if (s->kind == TP_SYMBOL_GLOBAL && tp_bounded_states_is_inner(h, s))
      own[tp_bounded_states_value_basic(h, s)]++;
  }
  memcpy(h->count, own, n * sizeof *own);
  // structs inside of structs inside of structs: as often as it takes; C has no infinite ones
  for (uint32_t round = 0; round < n; round++) {
    uint32_t *next = tp_arena_array(&h->arena, uint32_t, n);
    memcpy(next, own, n * sizeof *own);
    for (size_t i = 0; i < h->asked.n; i++) {
      const tp_symbol *s = h->asked.at[i].symbol;
      if (s->kind == TP_SYMBOL_FIELD && tp_bounded_states_is_inner(h, s))
        next[tp_bounded_states_value_basic(h, s)] += h->count[s->basic];
    }
    const bool is_done = memcmp(next, h->count, n * sizeof *own) == 0;
    memcpy(h->count, next, n * sizeof *own);
    if (is_done) break;
  }
}

static void make_atoms(tp_bounded_states *h) {
  TP_REQUIRE(!h->universe);
  const uint32_t n = (uint32_t)h->u->basics.n;
  h->first = tp_arena_array(&h->arena, uint32_t, n);
  h->count = tp_arena_array(&h->arena, uint32_t, n);
  h->universe = tp_rel_universe_new();
  count_objects(h);
  for (uint32_t b = 0; b < n; b++) {
    h->first[b] = tp_rel_n_atoms(h->universe);
    if (b == TP_INT_BASIC) tp_rel_int_atoms(h->universe, h->b.width_bits);
    const char *name = h->u->basics.at[b].name, *blank = strrchr(name, ' ');
    for (uint32_t i = 0; i < h->count[b] && b != TP_INT_BASIC; i++)
      tp_rel_atom(h->universe, b == TP_NULL_BASIC ? name
                                                  : tp_arena_printf(&h->arena, "%s%u",
                                                                    blank ? blank + 1 : name, i));
  }
}

// ------------------------------------------------------------------------- bounds

typedef struct {
  uint32_t first, last;
} range;

/* The atoms that a column may have: ranges; room for one for each basic type. */
static uint32_t ranges_of(const tp_bounded_states *h, const tp_product *p, uint32_t column,
                          const tp_bounded_states_shape *shape, range *out) {
  TP_REQUIRE(column < p->arity);
  const bool is_index = column >= shape->n_before && column < shape->n_before + shape->n;
  uint32_t n = 0;
  for (uint32_t b = 0; b < h->u->basics.n; b++) {
    if (!tp_product_has(&h->u->types, p, column, b) || h->count[b] == 0) continue;
    out[n] = (range){h->first[b], h->first[b] + h->count[b] - 1};
    if (is_index) {
      const uint64_t size = shape->size[column - shape->n_before];
      out[n].first += h->count[TP_INT_BASIC] / 2;
      if (size && out[n].first + size - 1 < out[n].last)
        out[n].last = (uint32_t)(out[n].first + size - 1);
    }
    n++;
  }
  return n;
}

static void add_boxes(const tp_bounded_states *h, const tp_product *p,
                      const tp_bounded_states_shape *shape, uint32_t column, uint32_t *first,
                      uint32_t *last, tp_rel_tuples *out) {
  TP_REQUIRE(column <= p->arity);
  if (column == p->arity) {
    tp_rel_tuples_add_product(h->universe, out, p->arity, first, last);
    return;
  }
  tp_arena scratch;
  tp_arena_init(&scratch);
  range *ranges = tp_arena_array(&scratch, range, h->u->basics.n);
  const uint32_t n = ranges_of(h, p, column, shape, ranges);
  for (uint32_t i = 0; i < n; i++) {
    first[column] = ranges[i].first;
    last[column] = ranges[i].last;
    add_boxes(h, p, shape, column + 1, first, last, out);
  }
  tp_arena_clear(&scratch);
}

static void add_range(const tp_bounded_states *h, uint32_t first, uint32_t n, tp_rel_tuples *out) {
  const uint32_t last = first + n - 1;
  if (n) tp_rel_tuples_add_product(h->universe, out, 1, &first, &last);
}

static bool bind_exactly(tp_bounded_states *h, tp_rel_expr relation, uint32_t first, uint32_t n) {
  TP_REQUIRE(relation.id != 0);
  tp_rel_tuples set = {0};
  add_range(h, first, n, &set);
  const bool ok = tp_rel_bound_exactly(h->bounds, relation, &set) == TP_OK;
  tp_rel_tuples_clear(&set);
  return ok;
}

static bool bind_entry(tp_bounded_states *h, const tp_bounded_states_entry *e,
                       uint32_t *n_functions) {
  if (e->symbol->kind == TP_SYMBOL_FUNCTION)
    return bind_exactly(h, e->relation, h->first[TP_FUNCTION_BASIC] + ++*n_functions, 1);
  const uint32_t arity = tp_reltype_arity(e->symbol->type);
  if (tp_rel_n_tuples(h->universe, arity) == 0) return false;
  const tp_bounded_states_shape shape = tp_bounded_states_shape_of(h, e->symbol);
  tp_rel_tuples lower = {0}, upper = {0};
  uint32_t first[TP_CONTRACTS_TYPE_ARITY], last[TP_CONTRACTS_TYPE_ARITY];
  for (uint32_t i = 0; i < e->symbol->type.n; i++)
    add_boxes(h, &e->symbol->type.at[i], &shape, 0, first, last, &upper);
  const bool ok = tp_rel_bound(h->bounds, e->relation, &lower, &upper) == TP_OK;
  tp_rel_tuples_clear(&lower);
  tp_rel_tuples_clear(&upper);
  return ok;
}

const tp_rel_bounds *tp_bounded_states_bounds(tp_bounded_states *h) {
  if (h->bounds) return h->bounds;
  make_atoms(h);
  h->bounds = tp_rel_bounds_new(h->l, h->universe);
  bool ok = true;
  uint32_t n_functions = 0;
  for (uint32_t b = 0; b < h->u->basics.n && ok; b++)
    ok = bind_exactly(h, h->objects[b], h->first[b], h->count[b]);
  for (size_t i = 0; i < h->indices.n && ok; i++) {
    const uint32_t most = h->count[TP_INT_BASIC] / 2,
                   n = h->indices.at[i].n < most ? (uint32_t)h->indices.at[i].n : most;
    ok = bind_exactly(h, h->indices.at[i].set, h->first[TP_INT_BASIC] + most, n);
  }
  for (size_t i = 0; i < h->asked.n && ok; i++) ok = bind_entry(h, &h->asked.at[i], &n_functions);
  if (ok) return h->bounds;
  tp_rel_bounds_free(h->bounds);
  tp_rel_universe_free(h->universe);
  h->bounds = NULL;
  h->universe = NULL;
  return NULL;
}
