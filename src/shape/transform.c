/* Post: a structure goes through the stages of its step; each stage turns a list of structures into
 * another one.
 *
 * Which cells must be definite: those of pointers that are followed, written through or compared,
 * and the target of a field that is read. A condition then holds, or does not, in each structure.
 * Results are remembered by graph and step: in a fixpoint the same graph comes to the same
 * operation again and again. */
#include "shape/engine_priv.h"

// ------------------------------------------------------------------------- stages

static void give_all(tp_shape_engine *e, tp_structures *list) {
  for (size_t i = 0; i < list->n; i++) tp_shape_give(e, list->at[i]);
  list->n = 0;
}

/* No rule has anything to say about s. */
static bool is_coerced(tp_shape_engine *e, const tp_structure *s) {
  tp_structure *copy = tp_shape_take(e);
  tp_structure_copy(copy, s);
  const bool same = tp_shape_coerce(e->c, e->e, copy) && tp_structure_same(copy, s);
  tp_shape_give(e, copy);
  return same;
}

/* s, which differs in what was touched from one that coerce leaves as it is, goes to the list if it
 * stands for heaps; NULL: it is new. */
static void coerce_into(tp_shape_engine *e, tp_structure *s, const tp_touched *touched,
                        tp_structures *list) {
  if (touched ? tp_shape_coerce_touched(e->c, e->e, s, touched) : tp_shape_coerce(e->c, e->e, s)) {
    TP_INVARIANT(is_coerced(e, s));
    tp_vec_push(list, s);
    return;
  }
  tp_shape_give(e, s);
  e->stats.contradictions++;
}

/* Only structures that stand for heaps stay, and know more. */
static void coerce_all(tp_shape_engine *e, tp_structures *list, const tp_touched *touched) {
  const size_t n = list->n;
  list->n = 0;
  for (size_t i = 0; i < n; i++) coerce_into(e, list->at[i], touched, list);
}

static tp_touched touched_unary(uint32_t p) {
  tp_touched t = {{0}, {0}, false};
  tp_touched_unary(&t, p);
  return t;
}

static tp_k64 points(const tp_shape_engine *e, const tp_structure *s, int x) {
  return s->unary[e->c->points[x]];
}
static uint8_t cell_of(const tp_shape_engine *e, const tp_structure *s, int x) {
  TP_REQUIRE(x >= 0 && (uint32_t)x < e->c->n_pointers);
  return (uint8_t)__builtin_ctzll(points(e, s, x).must);
}

/* Focus each of the list on a pointer (field < 0), or on the field of the cell that it points to.
 */
static tp_status focus_all(tp_shape_engine *e, tp_structures *list, int x, int field) {
  if (x < 0) return TP_OK;
  tp_structures cases = {0}, out = {0};
  tp_status st = TP_OK;
  for (size_t i = 0; i < list->n && st == TP_OK; i++) {
    tp_focus what = {.arity = 1, .predicate = e->c->points[x]};
    if (field >= 0)
      what =
          (tp_focus){.arity = 2, .predicate = e->c->field[field], .u = cell_of(e, list->at[i], x)};
    st = tp_shape_focus(e, list->at[i], what, &cases);
    for (size_t k = 0; k < cases.n; k++) {
      tp_touched touched = {{0}, {0}, cases.at[k]->n != list->at[i]->n};
      if (cases.n > 1)
        what.arity == 1 ? tp_touched_unary(&touched, what.predicate)
                        : tp_touched_binary(&touched, what.predicate);
      coerce_into(e, cases.at[k], &touched, &out);
    }
    cases.n = 0;
  }
  give_all(e, list);
  tp_vec_clear(list);
  tp_vec_clear(&cases);
  *list = out;
  return st;
}

/* Which structures stay behind a condition. */
typedef bool (*tp_condition)(tp_shape_engine *e, tp_structure *s, const tp_shape_step *step,
                             uint32_t *events);

static void filter(tp_shape_engine *e, tp_structures *list, const tp_shape_step *step,
                   tp_condition holds, uint32_t *events) {
  size_t kept = 0;
  for (size_t i = 0; i < list->n; i++) {
    if (holds(e, list->at[i], step, events))
      list->at[kept++] = list->at[i];
    else
      tp_shape_give(e, list->at[i]);
  }
  list->n = kept;
}

/* The pointer that the step follows leads to a live cell. */
static bool is_followed(tp_shape_engine *e, tp_structure *s, const tp_shape_step *step,
                        uint32_t *events) {
  const int x = step->kind == TP_SHAPE_STEP_HEAP && step->heap == TP_HEAP_LOAD ? step->y : step->x;
  if (!points(e, s, x).must) {
    *events |= TP_EVENT_NIL;
    return false;
  }
  const tp_kleene freed = tp_k64_get(s->unary[e->c->freed], cell_of(e, s, x));
  if (freed != TP_KLEENE_FALSE) *events |= TP_EVENT_FREED;
  if (freed == TP_KLEENE_HALF)
    tp_k64_set(&s->unary[e->c->freed], cell_of(e, s, x), TP_KLEENE_FALSE);
  return freed != TP_KLEENE_TRUE;
}

static bool compares(tp_shape_engine *e, tp_structure *s, const tp_shape_step *step,
                     uint32_t *events) {
  (void)events;
  const uint64_t x = points(e, s, step->x).must;
  if (step->kind == TP_SHAPE_STEP_IS_NIL || step->kind == TP_SHAPE_STEP_NOT_NIL)
    return (x == 0) == (step->kind == TP_SHAPE_STEP_IS_NIL);
  return (x == points(e, s, step->y).must) == (step->kind == TP_SHAPE_STEP_SAME);
}

/* Orders are facts about two cells that are there. Of cells outside the structure none are kept:
 * anybody may write there. */
static bool is_ordered(tp_shape_engine *e, tp_structure *s, const tp_shape_step *step,
                       uint32_t *events) {
  (void)events;
  if (!points(e, s, step->x).must || !points(e, s, step->y).must)
    return true;  // the run ended before
  const uint8_t u = cell_of(e, s, step->x), v = cell_of(e, s, step->y);
  if (s->unary[e->c->outside].may & (tp_k64_bit(u) | tp_k64_bit(v))) return true;
  tp_k64 *row = tp_structure_row(s, e->c->order[step->field], u);
  const tp_kleene now = tp_k64_get(*row, v);
  if (now == TP_KLEENE_HALF) tp_k64_set(row, v, step->value);
  return now == TP_KLEENE_HALF || now == step->value;
}

static tp_k64 *assertion_of(tp_shape_engine *e, tp_structure *s, const tp_shape_step *step) {
  return &s->unary[e->c->data_predicate[step->data_predicate]];
}

static bool has_data(tp_shape_engine *e, tp_structure *s, const tp_shape_step *step,
                     uint32_t *events) {
  (void)events;
  const uint8_t u = cell_of(e, s, step->x);
  const tp_kleene now = tp_k64_get(*assertion_of(e, s, step), u);
  if (now == TP_KLEENE_HALF) tp_k64_set(assertion_of(e, s, step), u, step->value);
  return now == TP_KLEENE_HALF || now == step->value;
}

// ------------------------------------------------------------------------- steps

static tp_status update_all(tp_shape_engine *e, tp_structures *list, tp_heap_kind kind, int x,
                            int y, int field) {
  tp_status st = TP_OK;
  const size_t n = list->n;
  list->n = 0;
  for (size_t i = 0; i < n; i++) {
    tp_touched touched = {{0}, {0}, false};
    if (st == TP_OK) st = tp_shape_update_touched(e, list->at[i], kind, x, y, field, &touched);
    coerce_into(e, list->at[i], kind == TP_HEAP_NEW ? NULL : &touched, list);
  }
  return st;
}

static bool follows(const tp_shape_step *step) {
  if (step->kind != TP_SHAPE_STEP_HEAP)
    return step->kind == TP_SHAPE_STEP_ASSIGN_DATA || step->kind == TP_SHAPE_STEP_ASSUME_DATA;
  return step->heap == TP_HEAP_LOAD || step->heap == TP_HEAP_CLEAR || step->heap == TP_HEAP_STORE ||
         step->heap == TP_HEAP_FREE || step->heap == TP_HEAP_SET;
}

/* The structures in which x leads to a cell outside the structure go to `outside`; where that is
 * not known, one of each. */
static void split_outside(tp_shape_engine *e, tp_structures *list, int x, tp_structures *outside) {
  size_t kept = 0;
  for (size_t i = 0; i < list->n; i++) {
    tp_structure *s = list->at[i];
    const uint32_t u = cell_of(e, s, x);
    const tp_kleene value = tp_k64_get(s->unary[e->c->outside], u);
    if (value == TP_KLEENE_HALF) {
      tp_structure *other = tp_shape_take(e);
      tp_structure_copy(other, s);
      tp_k64_set(&other->unary[e->c->outside], u, TP_KLEENE_TRUE);
      tp_vec_push(outside, other);
      tp_k64_set(&s->unary[e->c->outside], u, TP_KLEENE_FALSE);
    }
    if (value == TP_KLEENE_TRUE)
      tp_vec_push(outside, s);
    else
      list->at[kept++] = s;
  }
  list->n = kept;
}

static tp_status focus_followed(tp_shape_engine *e, tp_structures *list, const tp_shape_step *step,
                                tp_structures *outside, uint32_t *events) {
  const int x = step->kind == TP_SHAPE_STEP_HEAP && step->heap == TP_HEAP_LOAD ? step->y : step->x;
  if (x < 0) {  // nobody knows where it leads
    *events |= TP_EVENT_NIL | TP_EVENT_FREED | TP_EVENT_OUTSIDE;
    return TP_OK;
  }
  TP_TRY(focus_all(e, list, x, -1));
  filter(e, list, step, is_followed, events);
  split_outside(e, list, x, outside);
  tp_touched touched = touched_unary(e->c->freed);
  tp_touched_unary(&touched, e->c->outside);
  coerce_all(e, list, &touched);
  coerce_all(e, outside, &touched);
  if (outside->n) *events |= TP_EVENT_OUTSIDE;
  return TP_OK;
}

static tp_status heap_step(tp_shape_engine *e, tp_structures *list, const tp_shape_step *step) {
  switch (step->heap) {
    case TP_HEAP_LOAD:  // from who knows where: anything
      if (step->y < 0 || step->field < 0)
        return update_all(e, list, TP_HEAP_COPY, step->x, TP_UNKNOWN_SLOT, TP_UNKNOWN_SLOT);
      TP_TRY(focus_all(e, list, step->y, step->field));
      break;
    case TP_HEAP_SET: TP_TRY(focus_all(e, list, step->y, -1)); break;
    case TP_HEAP_STORE:
      TP_TRY(focus_all(e, list, step->y, -1));
      TP_TRY(update_all(e, list, TP_HEAP_CLEAR, step->x, TP_UNKNOWN_SLOT, step->field));
      break;
    case TP_HEAP_FREE:
      for (uint32_t f = 0; f < e->c->n_fields; f++)
        TP_TRY(update_all(e, list, TP_HEAP_CLEAR, step->x, TP_UNKNOWN_SLOT, (int)f));
      break;
    case TP_HEAP_NIL:
    case TP_HEAP_COPY:
    case TP_HEAP_CLEAR:
    case TP_HEAP_NEW:
    case TP_HEAP_N_KINDS: break;
  }
  return update_all(e, list, step->heap, step->x, step->y, step->field);
}

/* Data of one cell, or, if nobody knows which, of any. */
static void set_data(tp_shape_engine *e, tp_structure *s, const tp_shape_step *step) {
  tp_k64 *a = assertion_of(e, s, step);
  if (step->x >= 0)
    tp_k64_set(a, cell_of(e, s, step->x), step->value);
  else
    *a = step->value == TP_KLEENE_TRUE    ? (tp_k64){tp_structure_nodes(s), a->must}
         : step->value == TP_KLEENE_FALSE ? (tp_k64){a->may, 0}
                                          : (tp_k64){tp_structure_nodes(s), 0};
}

/* Through a pointer to a cell outside the structure: what is read is anything, what is written
 * changes nothing that is known. */
static tp_status step_outside(tp_shape_engine *e, tp_structures *list, const tp_shape_step *step) {
  if (step->kind != TP_SHAPE_STEP_HEAP || step->heap != TP_HEAP_LOAD) return TP_OK;
  return update_all(e, list, TP_HEAP_COPY, step->x, TP_UNKNOWN_SLOT, TP_UNKNOWN_SLOT);
}

static tp_status step_inside(tp_shape_engine *e, tp_structures *list, const tp_shape_step *step,
                             uint32_t *events) {
  tp_touched touched = {{0}, {0}, false};
  switch (step->kind) {
    case TP_SHAPE_STEP_HEAP: return heap_step(e, list, step);
    case TP_SHAPE_STEP_IS_NIL:
    case TP_SHAPE_STEP_NOT_NIL:
      if (step->x < 0) return TP_OK;
      TP_TRY(focus_all(e, list, step->x, -1));
      filter(e, list, step, compares, events);
      return TP_OK;
    case TP_SHAPE_STEP_SAME:
    case TP_SHAPE_STEP_DIFFERENT:
      if (step->x < 0 || step->y < 0) return TP_OK;
      TP_TRY(focus_all(e, list, step->x, -1));
      TP_TRY(focus_all(e, list, step->y, -1));
      filter(e, list, step, compares, events);
      return TP_OK;
    case TP_SHAPE_STEP_AT_MOST:
      if (step->x < 0 || step->y < 0) return TP_OK;
      TP_TRY(focus_all(e, list, step->x, -1));
      TP_TRY(focus_all(e, list, step->y, -1));
      filter(e, list, step, is_ordered, events);
      tp_touched_binary(&touched, e->c->order[step->field]);
      break;
    case TP_SHAPE_STEP_ASSUME_DATA:
      if (step->x >= 0) filter(e, list, step, has_data, events);
      tp_touched_unary(&touched, e->c->data_predicate[step->data_predicate]);
      break;
    case TP_SHAPE_STEP_ASSIGN_DATA:
      tp_touched_unary(&touched, e->c->data_predicate[step->data_predicate]);
      for (size_t i = 0; i < list->n; i++) set_data(e, list->at[i], step);
      break;
    case TP_SHAPE_STEP_HAVOC_DATA:
      tp_touched_unary(&touched, e->c->data_predicate[step->data_predicate]);
      for (size_t i = 0; i < list->n; i++)
        *assertion_of(e, list->at[i], step) = (tp_k64){tp_structure_nodes(list->at[i]), 0};
      break;
  }
  coerce_all(e, list, &touched);
  return TP_OK;
}

static tp_status take_step(tp_shape_engine *e, tp_structures *list, const tp_shape_step *step,
                           uint32_t *events) {
  if (!follows(step)) return step_inside(e, list, step, events);
  tp_structures outside = {0};
  tp_status st = focus_followed(e, list, step, &outside, events);
  if (st == TP_OK) st = step_inside(e, list, step, events);
  if (st == TP_OK) st = step_outside(e, &outside, step);
  for (size_t i = 0; i < outside.n; i++) tp_vec_push(list, outside.at[i]);
  tp_vec_clear(&outside);
  return st;
}

// ------------------------------------------------------------------------ memory

static bool same_step(const tp_shape_step *a, const tp_shape_step *b) {
  return a->kind == b->kind && a->heap == b->heap && a->x == b->x && a->y == b->y &&
         a->field == b->field && a->data_predicate == b->data_predicate && a->value == b->value;
}

static uint32_t number_of(tp_shape_engine *e, const tp_shape_step *step) {
  for (uint32_t i = 0; i < e->steps.n; i++)
    if (same_step(&e->steps.at[i], step)) return i;
  tp_vec_push(&e->steps, *step);
  return (uint32_t)e->steps.n - 1;
}

/* What coerce makes of the graph, asked once; NULL: nothing, it stands for no heap. */
static const tp_structure *sharpened(tp_shape_engine *e, uint32_t graph) {
  if (e->sharp_of.n < graph) tp_vec_resize(&e->sharp_of, e->graphs.list.n);
  if (e->sharp_of.at[graph - 1] == 0) {
    tp_structure *s = tp_shape_take(e);
    tp_structure_copy(s, &tp_graph_at(&e->graphs, graph)->s);
    e->sharp_of.at[graph - 1] =
        tp_shape_coerce(e->c, e->e, s) ? tp_graph_intern(&e->sharp, s)->id : UINT32_MAX;
    tp_shape_give(e, s);
  }
  return e->sharp_of.at[graph - 1] == UINT32_MAX
             ? NULL
             : &tp_graph_at(&e->sharp, e->sharp_of.at[graph - 1])->s;
}

static tp_status compute(tp_shape_engine *e, uint32_t graph, const tp_shape_step *step,
                         tp_graph_ids *out, uint32_t *events) {
  const tp_structure *from = sharpened(e, graph);
  if (!from) return TP_OK;
  tp_structures list = {0};
  tp_structure *s = tp_shape_take(e);
  tp_structure_copy(s, from);
  tp_vec_push(&list, s);
  const tp_status st = take_step(e, &list, step, events);
  for (size_t i = 0; i < list.n && st == TP_OK; i++)
    tp_graph_ids_add(out, tp_shape_engine_add(e, list.at[i]));
  if (st == TP_OK && list.n == 0) *events |= (*events & (TP_EVENT_NIL | TP_EVENT_FREED)) << 1;
  give_all(e, &list);
  tp_vec_clear(&list);
  e->stats.posts++;
  return st;
}

tp_status tp_shape_post(tp_shape_engine *e, uint32_t graph, const tp_shape_step *step,
                        tp_graph_ids *out, uint32_t *events) {
  TP_REQUIRE(graph > 0 && graph <= e->graphs.list.n);
  const uint64_t key = (uint64_t)graph << 32 | number_of(e, step);
  uint64_t at;
  if (!tp_map_get(&e->memory, key, &at)) {
    tp_graph_ids fresh = {0};
    tp_remembered r = {.first = (uint32_t)e->results.n};
    const tp_status st = compute(e, graph, step, &fresh, &r.events);
    for (size_t i = 0; i < fresh.n; i++) tp_vec_push(&e->results, fresh.at[i]);
    r.n = (uint32_t)fresh.n;
    tp_vec_clear(&fresh);
    if (st != TP_OK) return st;
    at = e->remembered.n;
    tp_vec_push(&e->remembered, r);
    tp_map_set(&e->memory, key, at);
  } else {
    e->stats.remembered++;
  }
  const tp_remembered r = e->remembered.at[at];
  for (uint32_t i = 0; i < r.n; i++) tp_graph_ids_add(out, e->results.at[r.first + i]);
  *events |= r.events;
  return TP_OK;
}
