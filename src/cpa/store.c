/* Stores as analyses: their elements, order, join, transfer.
 *
 * An element is four persistent maps, so a step copies nothing that it does not change, and order
 * and join cost as much as two elements differ. Absent means top; a join keeps what both sides
 * have, joined value by value.
 *
 * Every step evaluates its terms in the old element and changes a draft of the new one. Equalities
 * between a variable and what it was copied from live only as long as control cannot come from
 * elsewhere: they are dropped where edges meet, and so never hinder a join or make the maps of two
 * visits differ. */
#include "cpa/store_priv.h"

#include "cpa/cpa_limits.h"
#include "program/liveness.h"

static tp_elem *elem_new(tp_store *st) {
  tp_elem *e = tp_arena_new(&st->cpa->arena, tp_elem);
  tp_vec_push(&st->elems, e);
  return e;
}

static void elem_clear(tp_elem *e) {
  tp_pmap_clear(&e->vars);
  tp_pmap_clear(&e->cells);
  tp_pmap_clear(&e->objects);
  tp_pmap_clear(&e->copies);
}

tp_elem *tp_store_draft(tp_store *st, const tp_elem *from) {
  tp_elem *e = elem_new(st);
  if (!from) return e;
  *e = (tp_elem){tp_pmap_copy(&from->vars),
                 tp_pmap_copy(&from->cells),
                 tp_pmap_copy(&from->objects),
                 tp_pmap_copy(&from->copies),
                 from->loc,
                 from->context};
  return e;
}

void tp_store_discard(tp_store *st, tp_elem *draft) {
  TP_INVARIANT(tp_vec_last(&st->elems) == draft);
  elem_clear(draft);
  (void)tp_vec_pop(&st->elems);
}

/* A handle that the store made, or one of the lattice, for a value of the sort. */
static bool check_value(const tp_store *st, const tp_elem *e, tp_sort s, tp_absval v) {
  switch (tp_sort_kind_of(st->tt, s)) {
    case TP_SORT_BOOL: return tp_absval_eq(v, TP_STORE_TRUE) || tp_absval_eq(v, TP_STORE_FALSE);
    case TP_SORT_PTR: break;
    case TP_SORT_BV:
    case TP_SORT_FP: return v.id != 0;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: return false;
  }
  if (!tp_store_is_set(v) && (v.id == 0 || v.id >= st->ptrs.n)) return false;
  const tp_store_targets t = tp_store_targets_of(st, v);
  for (uint32_t i = 0; i < t.n; i++) {
    const tp_object_name o = tp_store_ptr_of(st, t.at[i])->object;
    if (tp_store_is_dynamic(st, o) && !tp_pmap_get(&e->objects, o.id)) return false;
  }
  return true;
}

bool tp_store_check(const tp_store *st, const tp_elem *e) {
  for (uint64_t v = 0, value; tp_pmap_next(&e->vars, v, &v, &value); v++) {
    if (v == 0 || v >= st->p->vars.n) return false;
    const tp_sort s = tp_sort_of(st->tt, st->p->vars.at[v].term);
    if (!tp_store_tracks(st, s) || !check_value(st, e, s, (tp_absval){value})) return false;
  }
  for (uint64_t c = 0, value; tp_pmap_next(&e->cells, c, &c, &value); c++) {
    if (c == 0 || c >= st->cells.n) return false;
    if (value != TP_STORE_CELL_TOP.id &&
        !check_value(st, e, st->cells.at[c].sort, (tp_absval){value}))
      return false;
  }
  for (uint64_t o = 0, number; tp_pmap_next(&e->objects, o, &o, &number); o++)
    if (o == 0 || o >= st->n_statics + st->p->vars.n || number >= st->object_infos.n) return false;
  return true;
}

/* Checking costs as much as the element has entries, so one element in 16 is checked. */
static bool check_some(const tp_store *st, const tp_elem *e) {
  return st->elems.n % 16 != 0 || tp_store_check(st, e);
}

static bool same_maps(const tp_elem *a, const tp_elem *b) {
  return a->vars.root == b->vars.root && a->cells.root == b->cells.root &&
         a->objects.root == b->objects.root && a->copies.root == b->copies.root &&
         a->loc.id == b->loc.id && a->context.id == b->context.id;
}
/* The draft, or `like` if they are the same. */
static const tp_elem *settle(tp_store *st, tp_elem *draft, const tp_elem *like) {
  TP_INVARIANT(check_some(st, draft));
  if (!same_maps(draft, like)) return draft;
  tp_store_discard(st, draft);
  return like;
}

// ---------------------------------------------------------------- open, close

bool tp_store_open(tp_cpa *self, tp_store_options options, tp_str *why) {
  TP_REQUIRE(options.values && options.most_targets <= TP_CPA_STORE_TARGETS);
  const tp_program *p = self->env->program;
  tp_store *st = TP_NEW(tp_store);
  self->state = st;
  *st = (tp_store){.cpa = self,
                   .p = p,
                   .tt = self->env->terms,
                   .values = options.values,
                   .options = options,
                   .n_statics = (uint32_t)p->statics.n - 1};
  st->lattice = options.values->open(self, why);
  if (!st->lattice) {
    tp_free(st);
    self->state = NULL;
    return false;
  }
  tp_vec_push(&st->ptrs, (tp_store_ptr){{0}, {0}});
  tp_vec_push(&st->sets, (tp_store_targets){.n = 0});
  tp_vec_push(&st->cells, (tp_store_cell){.size = 0});
  tp_vec_push(&st->object_infos, (tp_store_object){.kind = TP_O_NONE});
  st->lattice_true = st->values->constant(st->lattice, tp_mk_true(st->tt));
  st->lattice_false = st->values->constant(st->lattice, tp_mk_false(st->tt));
  if (tp_absval_eq(st->lattice_true, st->lattice_false))
    st->lattice_true = st->lattice_false = TP_ABSVAL_TOP;
  st->offset_sort = tp_sort_bv(st->tt, p->ptr_bits);
  tp_term x = tp_mk_var(st->tt, "offset", st->offset_sort),
          y = tp_mk_var(st->tt, "offset", st->offset_sort);
  st->generic_add = tp_mk2(st->tt, TP_OP_BV_ADD, x, y);
  st->generic_neg = tp_mk1(st->tt, TP_OP_BV_NEG, x);
  st->generic_eq = tp_mk_eq(st->tt, x, y);
  tp_value_sets_init(&st->strides, st->tt);
  tp_locals_init(&st->locals, st->p);
  return true;
}

void tp_store_close(tp_cpa *self) {
  tp_store *st = self->state;
  if (!st) return;
  for (size_t i = 0; i < st->elems.n; i++) elem_clear(st->elems.at[i]);
  tp_vec_clear(&st->elems);
  st->values->close(st->lattice);
  tp_vec_clear(&st->ptrs);
  tp_vec_clear(&st->sets);
  tp_map_clear(&st->set_index);
  tp_vec_clear(&st->cells);
  tp_vec_clear(&st->object_infos);
  tp_map_clear(&st->ptr_index);
  tp_map_clear(&st->cell_buckets);
  tp_map_clear(&st->object_index);
  tp_locals_clear(&st->locals);
  tp_liveness_free(st->liveness);
  tp_map_clear(&st->dead_index);
  if (st->pointsto) tp_pointsto_free(st->pointsto);
  tp_value_sets_clear(&st->strides);
  tp_vec_clear(&st->memo);
  tp_vec_clear(&st->stamp);
  tp_vec_clear(&st->stack);
  tp_map_clear(&st->based);
  tp_free(st);
  self->state = NULL;
}

void *tp_store_own(const tp_cpa *self) { return tp_store_of(self)->options.own; }
void *tp_store_lattice(const tp_cpa *self) { return tp_store_of(self)->lattice; }

void tp_store_count_havoc(const tp_store *st) {
  if (st->cpa->env->stats) st->cpa->env->stats->havocs++;
}

// ------------------------------------------------------------------- variables

bool tp_store_tracks(const tp_store *st, tp_sort s) {
  switch (tp_sort_kind_of(st->tt, s)) {
    case TP_SORT_BV: return true;
    case TP_SORT_BOOL:
    case TP_SORT_FP: return !st->options.integers_only;
    case TP_SORT_PTR: return st->options.tracks_memory;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return false;
}

static tp_sort sort_of_var(const tp_store *st, uint64_t v) {
  TP_REQUIRE(v > 0 && v < st->p->vars.n);
  return tp_sort_of(st->tt, st->p->vars.at[v].term);
}

void tp_store_set_var(tp_store *st, tp_elem *e, tp_var v, tp_absval value) {
  if (!tp_store_tracks(st, sort_of_var(st, v.id))) return;
  tp_store_var_changed(st, e, v);
  if (tp_pmap_get(&e->vars, v.id) != value.id) tp_pmap_set(&e->vars, v.id, value.id);
}

tp_absval tp_store_get(tp_cpa *self, const tp_elem *e, tp_var v) {
  tp_store *st = tp_store_of(self);
  tp_absval x = {tp_pmap_get(&e->vars, v.id)};
  switch (tp_sort_kind_of(st->tt, sort_of_var(st, v.id))) {
    case TP_SORT_BV:
    case TP_SORT_FP: return x;
    case TP_SORT_BOOL:
      if (x.id == 0) return x;
      return tp_absval_eq(x, TP_STORE_TRUE) ? st->lattice_true : st->lattice_false;
    case TP_SORT_PTR:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return TP_ABSVAL_TOP;
}

const tp_elem *tp_store_havoc(tp_cpa *self, const tp_elem *e, tp_var v) {
  if (tp_pmap_get(&e->vars, v.id) == 0) return e;
  tp_elem *d = tp_store_draft(tp_store_of(self), e);
  tp_store_havoc_var(tp_store_of(self), d, v);
  return d;
}

// ---------------------------------------------------------------------- lvalues

/* Variables are even, cells odd. */
typedef struct {
  tp_store_visitor visit;
  void *ctx;
  uint64_t is_cell;
} lvalue_visit;

static tp_absval shown(uint64_t value) {
  return value == TP_STORE_CELL_TOP.id ? TP_ABSVAL_TOP : (tp_absval){value};
}
static void visit_lvalue(void *ctx, uint64_t key, uint64_t a, uint64_t b) {
  const lvalue_visit *s = ctx;
  s->visit(s->ctx, key << 1 | s->is_cell, shown(a), shown(b));
}

void tp_store_diff(tp_cpa *self, const tp_elem *a, const tp_elem *b, tp_store_visitor visit,
                   void *ctx) {
  (void)self;
  lvalue_visit s = {visit, ctx, 0};
  tp_pmap_diff(&a->vars, &b->vars, visit_lvalue, &s);
  s.is_cell = 1;
  tp_pmap_diff(&a->cells, &b->cells, visit_lvalue, &s);
}

void tp_store_each(tp_cpa *self, const tp_elem *e, tp_store_visitor visit, void *ctx) {
  tp_elem none = {.loc = TP_LOC_NONE};
  tp_store_diff(self, e, &none, visit, ctx);
}

const tp_elem *tp_store_havoc_lvalues(tp_cpa *self, const tp_elem *e, const uint64_t *lvalues,
                                      size_t n) {
  TP_REQUIRE(n == 0 || lvalues);
  tp_store *st = tp_store_of(self);
  tp_elem *d = tp_store_draft(st, e);
  for (size_t i = 0; i < n; i++) {
    uint32_t key = (uint32_t)(lvalues[i] >> 1);
    if (!(lvalues[i] & 1))
      tp_store_havoc_var(st, d, (tp_var){key});
    else if (tp_pmap_get(&d->cells, key))
      tp_store_cell_set(st, d, key, TP_ABSVAL_TOP);
  }
  return settle(st, d, e);
}

tp_term tp_store_lvalue_term(tp_cpa *self, uint64_t lvalue) {
  TP_REQUIRE(lvalue >> 1 > 0);
  TP_REQUIRE(lvalue >> 1 <
             (lvalue & 1 ? tp_store_of(self)->cells.n : tp_store_of(self)->p->vars.n));
  tp_store *st = tp_store_of(self);
  return lvalue & 1 ? tp_store_cell_term(st, (uint32_t)(lvalue >> 1))
                    : st->p->vars.at[lvalue >> 1].term;
}

void tp_store_print_lvalue(tp_cpa *self, uint64_t lvalue, tp_str *out) {
  const tp_store *st = tp_store_of(self);
  if (lvalue & 1)
    tp_store_print_cell(st, (uint32_t)(lvalue >> 1), out);
  else
    tp_str_add(out, st->p->vars.at[lvalue >> 1].name);
}

// -------------------------------------------------------------- order and join

typedef struct {
  tp_store *st;
  const tp_elem *a, *b;
  bool holds;
} comparison;

/* Elements of one location differ in few variables again and again (the profile of an analysis with
 * merge sep is comparisons of elements that are not in order): what decided lately is looked at
 * first. */
static void note_deciding(tp_store *st, uint64_t v) {
  memmove(st->deciding + 1, st->deciding, sizeof st->deciding - sizeof *st->deciding);
  st->deciding[0] = v;
}
static bool decides(tp_store *st, const tp_elem *a, const tp_elem *b) {
  for (size_t i = 0; i < TP_CPA_STORE_DECIDING && st->deciding[i]; i++) {
    uint64_t v = st->deciding[i], x = tp_pmap_get(&a->vars, v), y = tp_pmap_get(&b->vars, v);
    if (x != y && !tp_store_value_leq(st, sort_of_var(st, v), (tp_absval){x}, (tp_absval){y}))
      return true;
  }
  return false;
}

static void compare_var(void *ctx, uint64_t v, uint64_t a, uint64_t b) {
  comparison *c = ctx;
  c->holds = tp_store_value_leq(c->st, sort_of_var(c->st, v), (tp_absval){a}, (tp_absval){b});
  if (!c->holds) note_deciding(c->st, v);
}
static void compare_copy(void *ctx, uint64_t key, uint64_t a, uint64_t b) {
  (void)key, (void)a;
  if (b) ((comparison *)ctx)->holds = false;
}

bool tp_store_leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  if (a == b) return true;
  if (b->loc.id && (a->loc.id != b->loc.id || a->context.id != b->context.id)) return false;
  comparison c = {tp_store_of(self), a, b, true};
  if (decides(c.st, a, b)) return false;
  tp_pmap_diff_while(&a->vars, &b->vars, compare_var, &c, &c.holds);
  tp_pmap_diff_while(&a->copies, &b->copies, compare_copy, &c, &c.holds);
  return c.holds && tp_store_memory_leq(c.st, a, b);
}

const tp_elem *tp_store_top(tp_cpa *self) { return tp_store_draft(tp_store_of(self), NULL); }

typedef struct {
  tp_store *st;
  tp_elem *out;
  tp_store_combine combine;
} joining;

static void join_var(void *ctx, uint64_t v, uint64_t a, uint64_t b) {
  joining *j = ctx;
  tp_absval x = j->combine(j->st, sort_of_var(j->st, v), (tp_absval){a}, (tp_absval){b});
  if (x.id != b) tp_pmap_set(&j->out->vars, v, x.id);
}
static void join_copy(void *ctx, uint64_t key, uint64_t a, uint64_t b) {
  (void)a;
  if (b) tp_pmap_set(&((joining *)ctx)->out->copies, key, 0);
}

/* Starts from b, so a join that adds nothing shares b's maps and is b. */
static const tp_elem *upward(tp_store *st, const tp_elem *a, const tp_elem *b,
                             tp_store_combine combine) {
  if (a == b) return b;
  tp_elem *out = tp_store_draft(st, b);
  joining j = {st, out, combine};
  tp_pmap_diff(&a->vars, &b->vars, join_var, &j);
  tp_pmap_diff(&a->copies, &b->copies, join_copy, &j);
  tp_store_memory_join(st, a, b, out, combine);
  tp_store_validate(st, out);
  if (a->loc.id != b->loc.id || a->context.id != b->context.id)
    out->loc = TP_LOC_NONE, out->context = TP_CONTEXT_NONE;
  return settle(st, out, b);
}

const tp_elem *tp_store_join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return upward(tp_store_of(self), a, b, tp_store_value_join);
}
const tp_elem *tp_store_widen(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return upward(tp_store_of(self), a, b, tp_store_value_widen);
}

// --------------------------------------------------------------------- initial

tp_succ tp_store_initial(tp_cpa *self, tp_loc entry, tp_context context) {
  TP_REQUIRE(entry.id < tp_store_of(self)->p->locs.n);
  tp_store *st = tp_store_of(self);
  const tp_program *p = st->p;
  tp_elem *e = tp_store_draft(st, NULL);
  if (st->options.own_location) e->loc = entry, e->context = context;
  bool is_start = tp_loc_of(p, entry)->func.id == p->main.id &&
                  (context.id == 0 || tp_context_of(self->env->contexts, context)->contract == 0);
  if (!is_start) return (tp_succ){e, NULL};
  for (uint32_t v = 1; v < p->vars.n; v++) {
    const tp_var_info *info = &p->vars.at[v];
    if (info->kind != TP_V_GLOBAL || !tp_term_is(info->initial)) continue;
    tp_store_set_var(st, e, (tp_var){v}, tp_store_eval(st, e, info->initial));
  }
  tp_store_memory_initial(st, e);
  return (tp_succ){e, NULL};
}

// -------------------------------------------------------------------- transfer

static void assign(tp_store *st, const tp_elem *e, tp_elem *out, tp_var v, tp_term a) {
  tp_absval value = tp_store_eval(st, e, a);
  tp_store_assign_var(st, out, v, value);
  tp_var from = tp_kind(st->tt, a) == TP_OP_VAR ? tp_program_var_of(st->p, a) : TP_VAR_NONE;
  if (from.id && from.id != v.id) tp_store_note_copy_of_var(st, out, v, from);
}

static bool transfer_edge(tp_store *st, const tp_elem *e, tp_elem *out, const tp_step *step) {
  const tp_edge_info *edge = tp_edge_of(st->p, step->edge);
  switch (edge->kind) {
    case TP_E_SKIP: return true;
    case TP_E_ASSIGN: assign(st, e, out, edge->var, edge->a); return true;
    case TP_E_ASSUME:
      if (!tp_store_assume(st, out, edge->a, TP_STORE_TRUE)) return false;
      return !tp_term_is(step->caller_condition) ||
             tp_store_assume(st, out, step->caller_condition, TP_STORE_TRUE);
    case TP_E_RETURN: {
      tp_var result = tp_func_of(st->p, tp_loc_of(st->p, edge->from)->func)->result;
      if (result.id && tp_term_is(edge->a))
        assign(st, e, out, result, edge->a);
      else if (result.id)
        tp_store_assign_var(st, out, result, TP_ABSVAL_TOP);
      return true;
    }
    case TP_E_LOAD:
    case TP_E_STORE:
    case TP_E_ALLOC:
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC:
    case TP_E_HAVOC_MEMORY:
    case TP_E_END_SCOPE: return tp_store_transfer_memory(st, e, out, edge);
    case TP_E_CALL: tp_store_havoc_all(st, out); return true;  // never an EDGE step; sound anyway
  }
  return true;
}

static bool paths_meet(const tp_store *st, tp_loc at) {
  return !at.id || tp_in_edges(st->p, at).n > 1 || tp_loc_of(st->p, at)->is_loop_head;
}

/* The location is a part of the element: so is the call string that says where a return leads. */
static void move(tp_store *st, tp_elem *d, const tp_step *step) {
  tp_contexts *contexts = st->cpa->env->contexts;
  d->loc = step->to;
  if (!d->context.id) return;
  if (step->kind == TP_STEP_CALL)
    d->context = tp_context_push(contexts, d->context, step->edge, step->callee);
  if (step->kind == TP_STEP_RETURN) d->context = tp_context_of(contexts, d->context)->parent;
}

void tp_store_transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                       tp_out *out) {
  tp_store *st = tp_store_of(self);
  TP_REQUIRE(tp_step_check(st->p, step));
  if (e->loc.id && e->loc.id != step->from.id) return;
  tp_elem *d = tp_store_draft(st, e);
  bool goes_on = true;
  switch (step->kind) {
    case TP_STEP_EDGE: goes_on = transfer_edge(st, e, d, step); break;
    case TP_STEP_CALL: tp_store_enter(st, e, d, step); break;
    case TP_STEP_RETURN: tp_store_leave(st, e, d, step); break;
    case TP_STEP_SUMMARY: tp_store_skip_call(st, d, step); break;
  }
  if (!goes_on) {
    tp_store_discard(st, d);
    return;
  }
  if (step->kind != TP_STEP_EDGE || paths_meet(st, step->to)) tp_store_drop_copies(d);
  if (st->options.havocs_dead) tp_store_havoc_dead(st, d, step);
  if (e->loc.id) move(st, d, step);
  tp_vec_push(&out->list, (tp_succ){settle(st, d, e), p});
}

// -------------------------------------------------------------- terms and text

void tp_store_print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  const tp_store *st = tp_store_of(self);
  size_t start = out->n;
  if (e->loc.id) tp_str_printf(out, "L%u", e->loc.id);
  for (uint64_t v = 0, value; tp_pmap_next(&e->vars, v, &v, &value); v++) {
    tp_str_printf(out, "%s%s=", out->n > start ? " " : "", st->p->vars.at[v].name);
    tp_store_value_print(st, sort_of_var(st, v), (tp_absval){value}, out);
  }
  tp_store_memory_print(st, e, out->n > start, out);
  if (out->n == start) tp_str_add(out, "top");
}

tp_term tp_store_formula(tp_cpa *self, const tp_elem *e) {
  tp_store *st = tp_store_of(self);
  TP_VEC(tp_term) parts = {0};
  tp_vec_push(&parts, tp_store_memory_formula(st, e));
  tp_vec_push(&parts, tp_store_copies_formula(st, e));
  for (uint64_t v = 0, value; tp_pmap_next(&e->vars, v, &v, &value); v++)
    tp_vec_push(&parts, tp_store_value_formula(st, st->p->vars.at[v].term, (tp_absval){value}));
  tp_term all = tp_mk_and_n(st->tt, parts.at, parts.n);
  tp_vec_clear(&parts);
  return all;
}

// ------------------------------------------------------------------ neighbours

bool tp_store_range(tp_cpa *self, const tp_elem *e, tp_term t, tp_range *out) {
  tp_store *st = tp_store_of(self);
  return tp_store_value_range(st, tp_sort_of(st->tt, t), tp_store_eval(st, e, t), out);
}

typedef struct {
  tp_store *st;
  const tp_elem *before;
  tp_elem *draft;  // NULL: no change yet
  const tp_view *others;
  size_t n;
  bool contradicts;
} strengthening;

/* Meet of a variable with its ranges in the other components. */
static void restrict_var(void *ctx, tp_term x) {
  strengthening *l = ctx;
  tp_store *st = l->st;
  tp_sort s = tp_sort_of(st->tt, x);
  tp_var v = tp_program_var_of(st->p, x);
  if (!v.id || !tp_store_tracks(st, s)) return;
  for (size_t i = 0; i < l->n && !l->contradicts; i++) {
    tp_range r;
    tp_absval bounded, known = {tp_pmap_get(l->draft ? &l->draft->vars : &l->before->vars, v.id)},
                       both;
    if (!tp_view_range(l->others[i], x, &r) || !tp_store_value_of_range(st, s, &r, &bounded))
      continue;
    if (!tp_store_value_meet(st, s, known, bounded, &both))
      l->contradicts = true;
    else if (!tp_absval_eq(known, both)) {
      if (!l->draft) l->draft = tp_store_draft(st, l->before);
      tp_store_sharpen_var(st, l->draft, v, both);
    }
  }
}

const tp_elem *tp_store_strengthen(tp_cpa *self, const tp_elem *e, const tp_view *others, size_t n,
                                   const tp_step *step) {
  tp_store *st = tp_store_of(self);
  if (!st->values->of_range) return e;
  strengthening l = {st, e, NULL, others, n, false};
  const tp_edge_info *edge = tp_edge_of(st->p, step->edge);
  if (step->kind == TP_STEP_CALL) {
    const tp_func_info *f = tp_func_of(st->p, step->callee);
    for (uint32_t i = 0; i < f->n_params; i++)
      restrict_var(&l, tp_var_of(st->p, f->params[i])->term);
  } else if (edge->var.id) {
    restrict_var(&l, tp_var_of(st->p, edge->var)->term);
  } else if (edge->kind == TP_E_ASSUME) {
    tp_for_vars(st->tt, edge->a, restrict_var, &l);
    if (tp_term_is(step->caller_condition))
      tp_for_vars(st->tt, step->caller_condition, restrict_var, &l);
  }
  if (l.contradicts) return NULL;
  return l.draft ? l.draft : e;
}

bool tp_store_implied_by(tp_cpa *self, const tp_elem *e, tp_view other) {
  tp_store *st = tp_store_of(self);
  if (e->cells.root || e->objects.root || e->copies.root) return false;
  for (uint64_t v = 0, value; tp_pmap_next(&e->vars, v, &v, &value); v++) {
    tp_range r;
    tp_absval bounded;
    tp_term x = st->p->vars.at[v].term;
    if (!tp_view_range(other, x, &r) ||
        !tp_store_value_of_range(st, tp_sort_of(st->tt, x), &r, &bounded))
      return false;
    if (!tp_store_value_leq(st, tp_sort_of(st->tt, x), bounded, (tp_absval){value})) return false;
  }
  return true;
}

// -------------------------------------------------------------- own location

tp_loc tp_store_location(tp_cpa *self, const tp_elem *e) { return (void)self, e->loc; }
tp_context tp_store_context(tp_cpa *self, const tp_elem *e) { return (void)self, e->context; }
uint64_t tp_store_merge_key(tp_cpa *self, const tp_elem *e) {
  return (void)self, (uint64_t)e->context.id << 32 | e->loc.id;
}
