/* Values are recognised by equality of terms: the executor gives a pointer that was copied the term
 * of the pointer, and one that was read the term of the read at the start; a pointer with another
 * term has any value. Cells that change are
 * found by the store history; each must be the cell that the path made or the live cell of a
 * pointer at the start. What an operation does is recognised again behind its execution, so that a
 * slip of the latter costs answers only. */
#include "certify/shapes/effect.h"

#include "certify/certify_limits.h"
#include "program/cells.h"

static bool is_pointer(const tp_chk_class *c, uint32_t k) {
  return c->predicates.at[k].kind == TP_CHK_P_POINTER;
}

static tp_term word(const tp_chk_exec *g, uint64_t n) { return tp_mk_bv(g->tt, g->p->ptr_bits, n); }

// --------------------------------------------------------------------- live cells

void tp_chk_live_cell_facts(tp_chk_exec *g, const tp_chk_class *c, tp_term address,
                            tp_term facts[5]) {
  tp_terms *tt = g->tt;
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, address);
  facts[0] = tp_mk2(tt, TP_OP_BV_ULE, tp_mk_bv(tt, TP_OBJ_BITS, g->p->statics.n), object);
  facts[1] = tp_mk2(tt, TP_OP_BV_ULT, object, g->history.next);
  facts[2] = tp_mk_eq(tt, tp_chk_history_ghost_read(&g->history, 0, TP_CHK_GHOST_KIND, object),
                      tp_mk_bv(tt, 8, TP_O_HEAP));
  facts[3] = tp_mk_eq(tt, tp_chk_history_ghost_read(&g->history, 0, TP_CHK_GHOST_SIZE, object),
                      word(g, c->size));
  facts[4] = tp_chk_history_ghost_read(&g->history, 0, TP_CHK_GHOST_LIVE, object);
}

static tp_term start_value(const tp_chk_exec *g, const tp_chk_effect *e, uint32_t k) {
  return g->shape->values[e->c->predicates.at[k].var.id].term;
}

/* Does the pointer lead to a live cell in every run, as the path assumes? */
static bool leads_to_cell(tp_chk_exec *g, const tp_chk_effect *e, uint32_t k) {
  tp_term at = start_value(g, e, k), facts[5];
  if (!tp_term_eq(tp_mk1(g->tt, TP_OP_PTR_OFF, at), word(g, 0))) return false;
  tp_chk_live_cell_facts(g, e->c, at, facts);
  for (int i = 0; i < 5; i++)
    if (!tp_chk_is_assumed(g, facts[i])) return false;
  return true;
}

// ------------------------------------------------------------------------- values

static tp_term field_of(tp_chk_exec *g, const tp_chk_class *c, tp_term object, uint32_t f,
                        uint32_t memory) {
  return tp_chk_history_read(&g->history, memory,
                             tp_mk_ptr(g->tt, object, word(g, c->offsets.at[f])),
                             tp_sort_ptr(g->tt))
      .term;
}

static tp_term start_field(tp_chk_exec *g, const tp_chk_effect *e, uint32_t k, uint32_t f) {
  return field_of(g, e->c, tp_mk1(g->tt, TP_OP_PTR_OBJ, start_value(g, e, k)), f, 0);
}

static tp_term next_object(const tp_chk_exec *g) {
  return tp_chk_history_next_object(&g->history, (tp_chk_epoch){g->history.next, 0});
}

static tp_term unwritten(const tp_chk_exec *g) {
  return tp_mk_ptr(g->tt, tp_mk_bv(g->tt, TP_OBJ_BITS, 0), word(g, TP_UNWRITTEN));
}

static tp_chk_origin origin_of(tp_chk_exec *g, const tp_chk_effect *e, tp_term t) {
  const tp_chk_class *c = e->c;
  if (tp_term_eq(t, tp_mk_null(g->tt))) return (tp_chk_origin){TP_CHK_FROM_NULL, 0, 0};
  if (tp_term_eq(t, unwritten(g))) return (tp_chk_origin){TP_CHK_FROM_UNWRITTEN, 0, 0};
  if (g->state.age.made && tp_term_eq(t, tp_mk_ptr(g->tt, next_object(g), word(g, 0))))
    return (tp_chk_origin){TP_CHK_FROM_NEW, 0, 0};
  for (uint32_t k = 1; k < c->predicates.n; k++)
    if (is_pointer(c, k) && e->before[k] && tp_term_eq(t, start_value(g, e, k)))
      return (tp_chk_origin){TP_CHK_FROM_POINTER, k, 0};
  for (uint32_t k = 1; k < c->predicates.n; k++)
    for (uint32_t f = 0;
         f < c->offsets.n && is_pointer(c, k) && e->before[k] && leads_to_cell(g, e, k); f++)
      if (tp_term_eq(t, start_field(g, e, k, f))) return (tp_chk_origin){TP_CHK_FROM_FIELD, k, f};
  return (tp_chk_origin){TP_CHK_FROM_NOWHERE, 0, 0};
}

/* Any value is always right of a pointer: what is shown of all runs with any value holds of those
 * with this one. */
static void recognise_pointers(tp_chk_exec *g, tp_chk_effect *e) {
  for (uint32_t k = 1; k < e->c->predicates.n; k++) {
    if (!is_pointer(e->c, k) || !e->after[k]) continue;
    tp_term now = tp_chk_exec_get(g, e->c->predicates.at[k].var).term;
    bool is_kept = e->before[k] && tp_term_eq(now, start_value(g, e, k));
    e->pointers[k] = is_kept ? (tp_chk_origin){TP_CHK_FROM_POINTER, k, 0} : origin_of(g, e, now);
    if (e->pointers[k].kind == TP_CHK_FROM_NOWHERE) e->pointers[k].kind = TP_CHK_FROM_ANYWHERE;
  }
}

// -------------------------------------------------------------------------- cells

static tp_term ghost(tp_chk_exec *g, uint32_t log, tp_chk_ghost which, tp_term object) {
  return tp_chk_history_ghost_read(&g->history, log, which, object);
}

/* The cell that the path made. */
static bool recognise_made(tp_chk_exec *g, const tp_chk_effect *e, tp_term object,
                           tp_chk_written_cell *w) {
  tp_terms *tt = g->tt;
  *w = (tp_chk_written_cell){0};
  return tp_term_eq(ghost(g, g->state.ghosts, TP_CHK_GHOST_SIZE, object), word(g, e->c->size)) &&
         tp_term_eq(ghost(g, g->state.ghosts, TP_CHK_GHOST_KIND, object),
                    tp_mk_bv(tt, 8, TP_O_HEAP)) &&
         tp_is_true(tt, ghost(g, g->state.ghosts, TP_CHK_GHOST_LIVE, object));
}

/* A cell to which a pointer leads at the start. */
static bool recognise_old(tp_chk_exec *g, const tp_chk_effect *e, tp_term object,
                          tp_chk_written_cell *w) {
  const tp_chk_class *c = e->c;
  *w = (tp_chk_written_cell){0};
  for (uint32_t k = 1; k < c->predicates.n && !w->pointer; k++)
    if (is_pointer(c, k) && e->before[k] &&
        tp_term_eq(tp_mk1(g->tt, TP_OP_PTR_OBJ, start_value(g, e, k)), object) &&
        leads_to_cell(g, e, k))
      w->pointer = k;
  if (!w->pointer) return false;
  for (tp_chk_ghost which = TP_CHK_GHOST_SIZE; which < TP_CHK_N_GHOSTS; which++) {
    tp_term now = ghost(g, g->state.ghosts, which, object);
    if (tp_term_eq(now, ghost(g, 0, which, object))) continue;
    if (which != TP_CHK_GHOST_LIVE) return false;
    tp_term ended = tp_mk_not(g->tt, now);
    if (tp_chk_prove_without_graphs(g, &ended, 1) != TP_CHK_PROVED) return false;
    w->is_freed = true;
  }
  return true;
}

static bool recognise_fields(tp_chk_exec *g, const tp_chk_effect *e, tp_term object,
                             tp_chk_written_cell *w) {
  for (uint32_t f = 0; f < e->c->offsets.n; f++) {
    tp_term now = field_of(g, e->c, object, f, g->state.memory);
    bool is_kept = w->pointer && tp_term_eq(now, start_field(g, e, w->pointer, f));
    w->fields[f] =
        is_kept ? (tp_chk_origin){TP_CHK_FROM_FIELD, w->pointer, f} : origin_of(g, e, now);
    if (w->fields[f].kind == TP_CHK_FROM_NOWHERE) return false;
  }
  return true;
}

static bool recognise_cells(tp_chk_exec *g, tp_chk_effect *e) {
  tp_term objects[TP_CHK_MOST_CHANGED];
  uint32_t n;
  bool is_made = false;
  tp_chk_epoch age = g->state.age;
  if (!tp_term_eq(age.base, g->history.next) || age.made > 1 ||
      !tp_chk_history_changed_objects(&g->history, g->state.memory, g->state.ghosts, objects,
                                      TP_CHK_MOST_CHANGED, &n))
    return false;
  for (uint32_t i = 0; i < n; i++) {
    tp_chk_written_cell *w = &e->written[e->n_written++];
    bool is_new = age.made && tp_term_eq(objects[i], next_object(g));
    if (!(is_new ? recognise_made(g, e, objects[i], w) : recognise_old(g, e, objects[i], w)) ||
        !recognise_fields(g, e, objects[i], w))
      return false;
    is_made = is_made || is_new;
    for (uint32_t j = 0; j + 1 < e->n_written; j++)
      if (e->written[j].pointer == w->pointer) return false;
  }
  return is_made == (age.made == 1);
}

bool tp_chk_effect_of(tp_chk_exec *g, uint32_t number, tp_chk_effect *e) {
  TP_REQUIRE(g->shape && number && number < g->shape->graphs->classes.n);
  const tp_chk_class *c = &g->shape->graphs->classes.at[number];
  *e = (tp_chk_effect){.number = number,
                       .c = c,
                       .from = g->shape->start.context,
                       .to = g->state.context,
                       .before = TP_NEW_ARRAY(bool, c->predicates.n),
                       .after = TP_NEW_ARRAY(bool, c->predicates.n),
                       .pointers = TP_NEW_ARRAY(tp_chk_origin, c->predicates.n)};
  tp_chk_readable_predicates(g, c, e->from, e->before);
  tp_chk_readable_predicates(g, c, e->to, e->after);
  if (!recognise_cells(g, e)) return false;
  recognise_pointers(g, e);
  return true;
}

void tp_chk_effect_clear(tp_chk_effect *e) {
  tp_free(e->before);
  tp_free(e->after);
  tp_free(e->pointers);
}

static bool same_origin(tp_chk_origin a, tp_chk_origin b) {
  return a.kind == b.kind && a.pointer == b.pointer && a.field == b.field;
}

bool tp_chk_effect_eq(const tp_chk_effect *a, const tp_chk_effect *b) {
  bool same = a->c == b->c && a->from == b->from && a->to == b->to && a->n_written == b->n_written;
  for (uint32_t k = 1; same && k < a->c->predicates.n; k++)
    same = a->before[k] == b->before[k] && a->after[k] == b->after[k] &&
           same_origin(a->pointers[k], b->pointers[k]);
  for (uint32_t i = 0; same && i < a->n_written; i++) {
    const tp_chk_written_cell *x = &a->written[i], *y = &b->written[i];
    same = x->pointer == y->pointer && x->is_freed == y->is_freed;
    for (uint32_t f = 0; f < a->c->offsets.n; f++)
      same = same && same_origin(x->fields[f], y->fields[f]);
  }
  return same;
}

bool tp_chk_effect_keeps(const tp_chk_effect *e, uint32_t pointer) {
  return same_origin(e->pointers[pointer], (tp_chk_origin){TP_CHK_FROM_POINTER, pointer, 0});
}

bool tp_chk_effect_leaves_cell(const tp_chk_effect *e, const tp_chk_written_cell *w) {
  bool same = w->pointer && !w->is_freed;
  for (uint32_t f = 0; f < e->c->offsets.n; f++)
    same = same && same_origin(w->fields[f], (tp_chk_origin){TP_CHK_FROM_FIELD, w->pointer, f});
  return same;
}

// ---------------------------------------------------------------------- execution

/* The pointers that the operation follows lead to live cells at the start. */
static void assume_cell(tp_chk_exec *g, const tp_chk_effect *e, uint32_t k) {
  tp_var v = e->c->predicates.at[k].var;
  tp_term at = tp_mk_ptr(g->tt, tp_mk1(g->tt, TP_OP_PTR_OBJ, tp_var_of(g->p, v)->term), word(g, 0)),
          facts[5];
  tp_chk_exec_set(g, v, (tp_chk_value){at, TP_PROVENANCE_NONE});
  tp_chk_live_cell_facts(g, e->c, at, facts);
  for (int i = 0; i < 5; i++) tp_chk_assume(g, facts[i]);
}

static void assume_cells(tp_chk_exec *g, const tp_chk_effect *e) {
  for (uint32_t k = 1; k < e->c->predicates.n; k++)
    if (is_pointer(e->c, k) && e->pointers[k].kind == TP_CHK_FROM_FIELD)
      assume_cell(g, e, e->pointers[k].pointer);
  for (uint32_t i = 0; i < e->n_written; i++) {
    const tp_chk_written_cell *w = &e->written[i];
    if (w->pointer) assume_cell(g, e, w->pointer);
    for (uint32_t f = 0; f < e->c->offsets.n; f++)
      if (w->fields[f].kind == TP_CHK_FROM_FIELD) assume_cell(g, e, w->fields[f].pointer);
  }
}

static tp_term value_from(tp_chk_exec *g, const tp_chk_effect *e, tp_chk_origin o) {
  switch (o.kind) {
    case TP_CHK_FROM_NULL: return tp_mk_null(g->tt);
    case TP_CHK_FROM_POINTER: return start_value(g, e, o.pointer);
    case TP_CHK_FROM_FIELD: return start_field(g, e, o.pointer, o.field);
    case TP_CHK_FROM_NEW: return tp_mk_ptr(g->tt, next_object(g), word(g, 0));
    case TP_CHK_FROM_ANYWHERE: return tp_chk_exec_nondet(g, tp_sort_ptr(g->tt));
    case TP_CHK_FROM_UNWRITTEN:
    case TP_CHK_FROM_NOWHERE: break;
  }
  return unwritten(g);
}

static tp_term make_cell(tp_chk_exec *g, const tp_chk_class *c) {
  tp_terms *tt = g->tt;
  tp_chk_state *m = &g->state;
  tp_chk_history *x = &g->history;
  tp_term yes = tp_mk_true(tt), id = tp_chk_history_allocate(x, m->age);
  m->age.made++;
  m->ghosts =
      tp_chk_history_ghost_write(x, m->ghosts, TP_CHK_GHOST_SIZE, yes, id, word(g, c->size));
  m->ghosts = tp_chk_history_ghost_write(x, m->ghosts, TP_CHK_GHOST_LIVE, yes, id, yes);
  m->ghosts = tp_chk_history_ghost_write(x, m->ghosts, TP_CHK_GHOST_KIND, yes, id,
                                         tp_mk_bv(tt, 8, TP_O_HEAP));
  m->memory = tp_chk_history_new_content(x, m->memory, m->age, id, TP_TERM_NONE);
  return id;
}

static void write_cell(tp_chk_exec *g, const tp_chk_effect *e, const tp_chk_written_cell *w) {
  tp_chk_state *m = &g->state;
  tp_term object =
      w->pointer ? tp_mk1(g->tt, TP_OP_PTR_OBJ, start_value(g, e, w->pointer)) : make_cell(g, e->c);
  // What data the cell has is not known: nothing about data is shown of an operation.
  m->memory = tp_chk_history_input(&g->history, m->memory, m->age,
                                   tp_mk_ptr(g->tt, object, word(g, 0)), word(g, e->c->size));
  for (uint32_t f = 0; f < e->c->offsets.n; f++)
    m->memory = tp_chk_history_store(
        &g->history, m->memory, m->age, tp_mk_ptr(g->tt, object, word(g, e->c->offsets.at[f])),
        (tp_chk_value){value_from(g, e, w->fields[f]), TP_PROVENANCE_NONE});
  if (w->is_freed)
    m->ghosts = tp_chk_history_ghost_write(&g->history, m->ghosts, TP_CHK_GHOST_LIVE,
                                           tp_mk_true(g->tt), object, tp_mk_false(g->tt));
}

bool tp_chk_effect_execute(tp_chk_exec *g, tp_loc from, const tp_chk_effect *e) {
  tp_chk_effect again;
  tp_chk_exec_begin(g, e->from, from, false);
  assume_cells(g, e);
  tp_chk_shape_begin(g, NULL);
  for (uint32_t i = 0; i < e->n_written; i++)  // the cell that is made first: others lead to it
    if (!e->written[i].pointer) write_cell(g, e, &e->written[i]);
  for (uint32_t i = 0; i < e->n_written; i++)
    if (e->written[i].pointer) write_cell(g, e, &e->written[i]);
  g->state.context = e->to;
  for (uint32_t k = 1; k < e->c->predicates.n; k++)
    if (is_pointer(e->c, k) && e->after[k] && !tp_chk_effect_keeps(e, k))
      tp_chk_exec_set(g, e->c->predicates.at[k].var,
                      (tp_chk_value){value_from(g, e, e->pointers[k]), TP_PROVENANCE_NONE});
  bool ok = tp_chk_effect_of(g, e->number, &again) && tp_chk_effect_eq(e, &again);
  tp_chk_effect_clear(&again);
  return ok && !g->dead;
}

// --------------------------------------------------------------------------- data

/* Is the address the cell's, or one at a constant distance? */
static bool is_in_cell(const tp_chk_exec *g, tp_term at) {
  tp_term cell = g->shape->graphs->cell;
  return tp_term_eq(at, cell) ||
         (tp_kind(g->tt, at) == TP_OP_PTR_ADD && tp_term_eq(tp_arg(g->tt, at, 0), cell) &&
          tp_is_const(g->tt, tp_arg(g->tt, at, 1)));
}

/* Does the term read memory in the cell only, and variables that keep their values? */
static bool is_of_cell(tp_chk_exec *g, tp_term t) {
  tp_map seen = {0};
  TP_VEC(tp_term) todo = {0};
  tp_sort sort;
  bool ok = true;
  tp_vec_push(&todo, t);
  while (todo.n && ok) {
    t = tp_vec_pop(&todo);
    if (tp_map_has(&seen, t.id) || tp_is_const(g->tt, t)) continue;
    tp_map_set(&seen, t.id, 1);
    if (tp_kind(g->tt, t) == TP_OP_SELECT) {
      ok = tp_is_memory(g->p, tp_arg(g->tt, t, 0), &sort) && is_in_cell(g, tp_arg(g->tt, t, 1));
      continue;
    }
    if (tp_kind(g->tt, t) == TP_OP_VAR) {
      tp_var v = tp_program_var_of(g->p, t);
      ok = v.id && tp_var_of(g->p, v)->kind != TP_V_GHOST &&
           tp_term_eq(tp_chk_exec_get(g, v).term, g->shape->values[v.id].term);
    }
    ok = ok && tp_n_args(g->tt, t) <= 3;
    for (uint32_t i = 0; i < tp_n_args(g->tt, t); i++) tp_vec_push(&todo, tp_arg(g->tt, t, i));
  }
  tp_vec_clear(&todo);
  tp_map_clear(&seen);
  return ok;
}

static tp_term data_of_cell(tp_chk_exec *g, tp_term data, tp_term object, const tp_chk_state *when,
                            const tp_chk_state *here) {
  if (when) tp_chk_paths_switch_to(g, when);
  g->cell_symbol = g->shape->graphs->cell;
  g->cell = tp_mk_ptr(g->tt, object, word(g, 0));
  tp_term t = tp_chk_eval_formula(g, data);
  g->cell_symbol = TP_TERM_NONE;
  if (when) tp_chk_paths_switch_to(g, here);
  return t;
}

bool tp_chk_effect_on_data(tp_chk_exec *g, const tp_chk_effect *e, uint32_t k, uint8_t *written) {
  const tp_chk_predicate *p = &e->c->predicates.at[k];
  TP_REQUIRE(p->kind == TP_CHK_P_DATA);
  const tp_chk_state here = tp_chk_paths_current(g);
  if (!e->before[k] || !e->after[k] || !is_of_cell(g, p->data)) return false;
  for (uint32_t i = 0; i < e->n_written; i++) {
    const tp_chk_written_cell *w = &e->written[i];
    tp_term object = w->pointer ? tp_mk1(g->tt, TP_OP_PTR_OBJ, start_value(g, e, w->pointer))
                                : next_object(g),
            now = data_of_cell(g, p->data, object, NULL, NULL);
    written[i] = tp_is_true(g->tt, now) ? 1 : tp_is_false(g->tt, now) ? 0 : TP_CHK_HALF;
    if (w->pointer && written[i] == TP_CHK_HALF &&
        tp_term_eq(now, data_of_cell(g, p->data, object, &g->shape->start, &here)))
      written[i] = TP_CHK_DATA_KEPT;
  }
  return true;
}
