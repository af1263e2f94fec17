/* Updates: core predicates change as the language says, instrumentation predicates as the entry
 * says.
 *
 * The first update line that fits a predicate is taken: its operation, its field, and its
 * arguments, where names that the operation does not know fit any pointer, or any other field.
 * Compiled actions are kept by operation and arguments. */
#include "shape/engine_priv.h"

#include "shape/shape_limits.h"

// ------------------------------------------------------------------- compiling

static bool fits_slot(int16_t *slot, int16_t value) {
  if (*slot == TP_UNKNOWN_SLOT - 1) *slot = value;
  return *slot == value;
}

/* Slots so that the update u speaks of predicate p under the operation; false: it does not fit. */
static bool fits(const tp_update *u, const tp_family *f, const tp_shape_predicate *p,
                 const tp_action *a, tp_slots *slots) {
  if (u->kind != a->kind) return false;
  for (uint32_t i = 0; i < TP_SHAPE_MAX_SLOTS; i++)
    slots->pointer[i] = slots->field[i] = TP_UNKNOWN_SLOT - 1;  // free
  slots->pointer[TP_SLOT_X] = a->x;
  slots->pointer[TP_SLOT_Y] = a->y;
  if (a->field >= 0 && !((u->fields >> a->field) & 1)) return false;
  slots->field[TP_SLOT_FIELD] = a->field;
  for (uint32_t i = 0; i < f->n_arguments; i++) {
    const tp_argument want = u->argument[i];
    if (want.kind == TP_ARGUMENT_FIELD && want.index != TP_SLOT_FIELD && a->field == p->argument[i])
      return false;  // that one has a name
    if (want.kind == TP_ARGUMENT_FIELD_NUMBER
            ? want.index != p->argument[i]
            : !fits_slot(
                  &(want.kind == TP_ARGUMENT_POINTER ? slots->pointer : slots->field)[want.index],
                  p->argument[i]))
      return false;
  }
  return true;
}

static tp_status compile(tp_shape_engine *e, tp_action *a) {
  const tp_description *entry = e->c->generator.entry;
  for (uint32_t i = 0; i < e->c->predicates.n; i++) {
    const tp_shape_predicate *p = &e->c->predicates.at[i];
    if (p->kind != TP_SHAPE_PREDICATE_FAMILY) continue;
    for (size_t k = 0; k < entry->updates.n; k++) {
      const tp_update *u = &entry->updates.at[k];
      tp_slots slots;
      if (u->family != p->family || !fits(u, &entry->families.at[u->family], p, a, &slots))
        continue;
      tp_update_instance change = {.predicate = i, .update = u};
      TP_TRY(tp_shape_instantiate(e->c, u->formula, &slots, &change.formula));
      tp_vec_push(&a->changes, change);
      break;
    }
  }
  return TP_OK;
}

tp_status tp_shape_action(tp_shape_engine *e, tp_heap_kind kind, int x, int y, int field,
                          const tp_action **out) {
  TP_REQUIRE(kind < TP_HEAP_N_KINDS && x < (int)e->c->n_pointers && y < (int)e->c->n_pointers);
  TP_REQUIRE(field < (int)e->c->n_fields);
  for (size_t i = 0; i < e->actions.n; i++) {
    const tp_action *a = e->actions.at[i];
    if (a->kind != kind || a->x != x || a->y != y || a->field != field) continue;
    *out = a;
    return TP_OK;
  }
  tp_action *a = TP_NEW(tp_action);
  *a = (tp_action){.kind = kind, .x = (int16_t)x, .y = (int16_t)y, .field = (int16_t)field};
  tp_vec_push(&e->actions, a);
  *out = a;
  return compile(e, a);
}

tp_status tp_shape_update_instances(tp_shape_engine *e, tp_heap_kind kind, int x, int y, int field,
                                    const tp_update_instances **out) {
  const tp_action *a;
  TP_TRY(tp_shape_action(e, kind, x, y, field, &a));
  *out = &a->changes;
  return TP_OK;
}

// -------------------------------------------------------------------- core predicates

static tp_k64 unknown(const tp_structure *s) { return (tp_k64){tp_structure_nodes(s), 0}; }

/* Where x points to: unknown if it is not tracked. */
static tp_k64 points(const tp_shape_class *c, const tp_structure *s, int x) {
  if (x == TP_OUTSIDE_SLOT) return (tp_k64){s->unary[c->outside].may, 0};
  return x < 0 ? unknown(s) : s->unary[c->points[x]];
}

/* There is a u with p(u) and f(u, v). */
static tp_k64 image(const tp_shape_class *c, const tp_structure *s, tp_k64 p, int field) {
  tp_k64 out = {0, 0};
  for (uint64_t left = p.may; left; left &= left - 1) {
    const uint32_t u = (uint32_t)__builtin_ctzll(left);
    tp_k64 row = field < 0 ? unknown(s) : *tp_structure_row(s, c->field[field], u);
    if (!((p.must >> u) & 1)) row.must = 0;
    out = tp_k64_or(out, row);
  }
  return out;
}

static void clear_field(const tp_shape_class *c, tp_structure *s, tp_k64 x, int field) {
  for (uint64_t left = x.may; left; left &= left - 1) {
    const uint32_t u = (uint32_t)__builtin_ctzll(left);
    tp_k64 *row = tp_structure_row(s, c->field[field], u);
    const bool sure = (x.must >> u) & 1;
    *row = (tp_k64){sure ? 0 : row->may, 0};
  }
}

static void store_field(const tp_shape_class *c, tp_structure *s, tp_k64 x, int field, tp_k64 y) {
  for (uint64_t left = x.may; left; left &= left - 1) {
    const uint32_t u = (uint32_t)__builtin_ctzll(left);
    tp_k64 *row = tp_structure_row(s, c->field[field], u);
    const bool sure = (x.must >> u) & 1;
    *row = tp_k64_or(*row, (tp_k64){y.may, sure ? y.must : 0});
  }
}

/* All that orders say about the cells of x is unknown, but that each is as large as itself. */
static void forget_orders(const tp_shape_class *c, tp_structure *s, tp_k64 x) {
  for (uint32_t i = 0; i < c->n_orders; i++)
    for (uint32_t u = 0; u < s->n; u++) {
      tp_k64 *row = tp_structure_row(s, c->order[i], u);
      const bool whole = (x.may >> u) & 1;
      *row = whole ? unknown(s) : (tp_k64){row->may | x.may, row->must & ~x.may};
      if (!tp_structure_is_summary(s, u)) row->must |= tp_k64_bit(u);
    }
}

/* What orders say about the cell x is what they say about the cell y. */
static void copy_orders(const tp_shape_class *c, const tp_structure *s, tp_structure *next,
                        uint32_t x, uint32_t y) {
  TP_REQUIRE(x < s->n && y < s->n);
  for (uint32_t i = 0; i < c->n_orders; i++) {
    for (uint32_t u = 0; u < s->n; u++)
      tp_k64_set(tp_structure_row(next, c->order[i], u), x,
                 tp_k64_get(*tp_structure_row(s, c->order[i], u), y));
    tp_k64 row = *tp_structure_row(s, c->order[i], y);
    tp_k64_set(&row, x, tp_k64_get(*tp_structure_row(s, c->order[i], y), y));
    *tp_structure_row(next, c->order[i], x) = row;
  }
}

/* The data of x's cell becomes that of y's, if it is known which cells these are, and that y's is
 * not outside; otherwise anything. */
static void set_data(const tp_shape_class *c, const tp_structure *s, tp_structure *next, int x,
                     int y) {
  const tp_k64 from = points(c, s, x), to = points(c, s, y);
  if (y >= 0 && from.must && to.must && !(to.must & s->unary[c->outside].may))
    copy_orders(c, s, next, (uint32_t)__builtin_ctzll(from.must),
                (uint32_t)__builtin_ctzll(to.must));
  else
    forget_orders(c, next, from);
}

static void update_core(const tp_shape_class *c, const tp_structure *s, tp_structure *next,
                        tp_heap_kind kind, int x, int y, int field) {
  switch (kind) {
    case TP_HEAP_NIL:
      if (x >= 0) next->unary[c->points[x]] = (tp_k64){0, 0};
      break;
    case TP_HEAP_COPY:
      if (x >= 0) next->unary[c->points[x]] = points(c, s, y);
      break;
    case TP_HEAP_LOAD:
      if (x >= 0) next->unary[c->points[x]] = image(c, s, points(c, s, y), field);
      break;
    case TP_HEAP_CLEAR:
      if (field >= 0) clear_field(c, next, points(c, s, x), field);
      break;
    case TP_HEAP_STORE:
      if (field >= 0) store_field(c, next, points(c, s, x), field, points(c, s, y));
      break;
    case TP_HEAP_NEW:
      if (x >= 0) next->unary[c->points[x]] = tp_k64_fill(TP_KLEENE_TRUE, tp_k64_bit(s->n - 1));
      forget_orders(c, next, (tp_k64){tp_k64_bit(s->n - 1), 0});
      for (uint32_t i = 0; i < c->n_data_predicates; i++)
        tp_k64_set(&next->unary[c->data_predicate[i]], s->n - 1, TP_KLEENE_HALF);
      break;
    case TP_HEAP_FREE:
      next->unary[c->freed] = tp_k64_or(s->unary[c->freed], points(c, s, x));
      break;
    case TP_HEAP_SET: set_data(c, s, next, x, y); break;
    case TP_HEAP_N_KINDS: break;
  }
}

// --------------------------------------------------------------------- families

static void evaluate_into(tp_shape_engine *e, tp_structure *out, const tp_shape_predicate *p,
                          tp_formula f) {
  TP_REQUIRE(p->kind == TP_SHAPE_PREDICATE_FAMILY && f.id);
  if (p->arity == 1) {
    out->unary[p->index] = tp_evaluate_set(e->e, f, 0);
    return;
  }
  tp_k64 row[TP_SHAPE_MAX_NODES];
  for (uint32_t u = 0; u < out->n; u++) {
    tp_evaluation_bind(e->e, 0, u);
    row[u] = tp_evaluate_set(e->e, f, 1);
  }
  if (out->n) memcpy(tp_structure_row(out, p->index, 0), row, out->n * sizeof *row);
}

/* Every value that differs from its value in s becomes unknown: nothing may have changed, as the
 * cell may be one outside the structure. */
static void join_into(tp_structure *out, const tp_structure *s) {
  for (uint32_t p = 0; p < s->n_unary; p++)
    out->unary[p] =
        (tp_k64){out->unary[p].may | s->unary[p].may, out->unary[p].must & s->unary[p].must};
  for (uint32_t p = 0; p < s->n_binary; p++)
    for (uint32_t u = 0; u < s->n; u++) {
      tp_k64 *row = tp_structure_row(out, p, u);
      const tp_k64 old = *tp_structure_row(s, p, u);
      *row = (tp_k64){row->may | old.may, row->must & old.must};
    }
}

tp_status tp_shape_update(tp_shape_engine *e, tp_structure *s, tp_heap_kind kind, int x, int y,
                          int field) {
  tp_touched ignored = {{0}, {0}, false};
  return tp_shape_update_touched(e, s, kind, x, y, field, &ignored);
}

tp_status tp_shape_update_touched(tp_shape_engine *e, tp_structure *s, tp_heap_kind kind, int x,
                                  int y, int field, tp_touched *touched) {
  const tp_action *a;
  TP_TRY(tp_shape_action(e, kind, x, y, field, &a));
  if (kind == TP_HEAP_NEW) {
    if (s->n == TP_SHAPE_MAX_NODES) return TP_ERR_LIMIT;
    tp_evaluation_bind(e->e, TP_VARIABLE_NEW, tp_structure_add(s));
  }
  tp_structure *next = tp_shape_take(e);
  tp_structure_copy(next, s);
  update_core(e->c, s, next, kind, x, y, field);
  tp_evaluation_begin(e->e, s, next);
  for (size_t i = 0; i < a->changes.n; i++)
    evaluate_into(e, next, &e->c->predicates.at[a->changes.at[i].predicate],
                  a->changes.at[i].formula);
  if (x < 0 && (kind == TP_HEAP_CLEAR || kind == TP_HEAP_STORE || kind == TP_HEAP_FREE ||
                kind == TP_HEAP_SET))
    join_into(next, s);
  tp_touched_difference(s, next, touched);
  tp_structure_copy(s, next);
  tp_shape_give(e, next);
  return TP_OK;
}

void tp_shape_define_all(tp_shape_engine *e, tp_structure *s) {
  for (size_t i = 0; i < e->c->predicates.n; i++) {
    const tp_shape_predicate *p = &e->c->predicates.at[i];
    if (p->kind != TP_SHAPE_PREDICATE_FAMILY) continue;
    tp_evaluation_begin(e->e, s, NULL);
    evaluate_into(e, s, p, p->definition);
  }
}
