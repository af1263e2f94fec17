/* The product of a program with its monitors.
 *
 * Each marked edge is replaced by a small piece of automaton: for each monitor that waits for the
 * event, one test per state that has transitions for it, inside it one test per condition, then the
 * assignments or an error location. Where no transition is enabled the run continues unchanged. The
 * pieces are built from edges whose target is not known yet (`holes`); at the end these edges lead
 * to the location after the event, so that no idle edges are left.
 *
 *   state == A ──▶ condition ──▶ name := $1 ──▶ state := B ──▶ after
 *        │             └──▶ next transition of A ... ──▶ after
 *        └──▶ state == B ... ──▶ after
 *
 * Conditions are read as comparisons of mathematical integers: a constant that the type of the
 * other side cannot hold makes the test true or false, it never wraps. */
#include "program/monitor.h"

#include "program/program_limits.h"

typedef TP_VEC(uint32_t) hole_list;

/* A name that a `let` of the program's events binds. */
typedef struct {
  tp_var var;
  tp_sort sort;
  bool is_signed;
} bound_name;

typedef struct {
  tp_var state;
  bound_name *names;
} automaton;

typedef struct {
  tp_monitors *m;
  tp_program *p;
  tp_terms *tt;
  automaton *automata;        // by monitor
  const tp_monitor *monitor;  // being composed
  automaton *automaton;
  const tp_event *event;  // the one being replaced
  tp_func func;
  tp_pos pos;
  bool failed;
} product;

static bool fail(product *x, tp_pos pos, const char *what, const char *where) {
  if (!x->failed && x->p->diag) {
    tp_diag_say(x->p->diag, TP_ERROR, pos, "monitor", "%s", what);
    tp_diag_say(x->p->diag, TP_NOTE, x->pos, NULL, "%s", where);
  }
  x->failed = true;
  return false;
}

// ----------------------------------------------------------------------- values

/* One side of a comparison: an integer or pointer term, or a constant. */
typedef struct {
  tp_term term;  // NONE: the constant
  int64_t constant;
  bool is_signed;
} side;

static bool event_value(product *x, const tp_operand *o, tp_event_value *out) {
  const tp_event *e = x->event;
  if (o->kind == TP_OPERAND_RESULT)
    *out = e->result;
  else if (o->number < (int64_t)e->n_values)
    *out = e->values[o->number];
  else
    return fail(x, o->pos, "the call does not pass this argument", "of this call");
  if (!tp_term_is(out->term))
    return fail(x, o->pos, "this value cannot be observed: the call has none, or it is a struct",
                "of this call");
  if (tp_sort_kind_of(x->tt, tp_sort_of(x->tt, out->term)) == TP_SORT_FP)
    return fail(x, o->pos,
                "this value is a floating-point number; monitors observe integers and pointers",
                "in this call");
  // a truth value is a small number
  if (tp_sort_kind_of(x->tt, tp_sort_of(x->tt, out->term)) == TP_SORT_BOOL)
    *out = (tp_event_value){tp_mk_bool_to_bv(x->tt, 8, out->term), false};
  return true;
}

static bool side_of(product *x, const tp_operand *o, side *out) {
  *out = (side){.constant = o->number};
  if (o->kind == TP_OPERAND_CONSTANT) return true;
  if (o->kind == TP_OPERAND_NAME) {
    const bound_name *n = &x->automaton->names[o->number];
    out->constant = 0;  // of a name that no call of the program ever binds
    if (n->var.id) out->term = tp_var_of(x->p, n->var)->term;
    out->is_signed = n->is_signed;
    return true;
  }
  tp_event_value v;
  if (!event_value(x, o, &v)) return false;
  out->term = v.term;
  out->is_signed = v.is_signed;
  return true;
}

/* Can the type of v hold the constant c? 0: yes. -1: all its values are greater, 1: all are less.
 */
static int out_of_range(const product *x, side v, int64_t c) {
  const uint32_t w = tp_width(x->tt, v.term);
  TP_REQUIRE(w > 0);
  if (!v.is_signed) return c < 0 ? -1 : w < 63 && c >= (int64_t)1 << w ? 1 : 0;
  if (w > 63) return 0;
  int64_t max = ((int64_t)1 << (w - 1)) - 1;
  return c < -max - 1 ? -1 : c > max ? 1 : 0;
}

static tp_term compare_terms(product *x, tp_compare how, tp_term a, tp_term b, bool is_signed) {
  tp_term_kind lt = is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT,
               le = is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE;
  switch (how) {
    case TP_COMPARE_EQ: return tp_mk_eq(x->tt, a, b);
    case TP_COMPARE_NE: return tp_mk_not(x->tt, tp_mk_eq(x->tt, a, b));
    case TP_COMPARE_LT: return tp_mk2(x->tt, lt, a, b);
    case TP_COMPARE_LE: return tp_mk2(x->tt, le, a, b);
    case TP_COMPARE_GT: return tp_mk2(x->tt, lt, b, a);
    case TP_COMPARE_GE: return tp_mk2(x->tt, le, b, a);
  }
  return TP_TERM_NONE;
}

/* The comparison of two numbers one of which is less (-1), equal (0) or greater (1). */
static bool decided(tp_compare how, int order) {
  switch (how) {
    case TP_COMPARE_EQ: return order == 0;
    case TP_COMPARE_NE: return order != 0;
    case TP_COMPARE_LT: return order < 0;
    case TP_COMPARE_LE: return order <= 0;
    case TP_COMPARE_GT: return order > 0;
    case TP_COMPARE_GE: return order >= 0;
  }
  return false;
}

static tp_term compare_constant(product *x, tp_compare how, side v, int64_t c) {
  uint32_t w = tp_width(x->tt, v.term);
  if (tp_sort_kind_of(x->tt, tp_sort_of(x->tt, v.term)) == TP_SORT_PTR) {
    uint64_t bits = w == 32 ? (uint64_t)c & 0xffffffffu : (uint64_t)c;
    return compare_terms(x, how, v.term, tp_mk_ptr_const(x->tt, 0, bits), false);
  }
  int out = out_of_range(x, v, c);
  if (out) return tp_mk_bool(x->tt, decided(how, -out));
  return compare_terms(x, how, v.term, tp_mk_bv_signed(x->tt, w, c), v.is_signed);
}

static bool test_term(product *x, const tp_monitor_test *t, tp_term *out) {
  side a, b;
  if (!side_of(x, &t->left, &a) || !side_of(x, &t->right, &b)) return false;
  tp_compare how = t->how;
  if (!tp_term_is(a.term) && !tp_term_is(b.term)) {
    *out = tp_mk_bool(x->tt, decided(how, (a.constant > b.constant) - (a.constant < b.constant)));
    return true;
  }
  if (!tp_term_is(a.term)) {  // a name that is never bound, on the left
    static const tp_compare mirrored[] = {TP_COMPARE_EQ, TP_COMPARE_NE, TP_COMPARE_GT,
                                          TP_COMPARE_GE, TP_COMPARE_LT, TP_COMPARE_LE};
    side c = a;
    a = b;
    b = c;
    how = mirrored[how];
  }
  bool is_pointer = tp_sort_kind_of(x->tt, tp_sort_of(x->tt, a.term)) == TP_SORT_PTR;
  if (is_pointer && how != TP_COMPARE_EQ && how != TP_COMPARE_NE)
    return fail(x, t->left.pos, "pointers are compared with == and != only", "at this call");
  if (tp_term_is(b.term) && (!tp_sort_eq(tp_sort_of(x->tt, a.term), tp_sort_of(x->tt, b.term)) ||
                             a.is_signed != b.is_signed))
    return fail(x, t->right.pos, "the two sides of this comparison have different types",
                "at this call");
  *out = tp_term_is(b.term) ? compare_terms(x, how, a.term, b.term, a.is_signed)
                            : compare_constant(x, how, a, b.constant);
  return true;
}

/* A disjunction of conjunctions; no tests: true. */
static bool condition_term(product *x, const tp_transition *t, tp_term *out) {
  tp_term all = tp_mk_false(x->tt), clause = tp_mk_true(x->tt);
  for (uint32_t i = 0; i < t->n_tests; i++) {
    tp_term test;
    if (!test_term(x, &t->tests[i], &test)) return false;
    if (t->tests[i].is_alternative) {
      all = tp_mk_or(x->tt, all, clause);
      clause = test;
    } else {
      clause = tp_mk_and(x->tt, clause, test);
    }
  }
  *out = tp_mk_or(x->tt, all, clause);
  return true;
}

// ------------------------------------------------------------------------ edges

static void emit(product *x, tp_loc from, tp_edge_info e, hole_list *to) {
  TP_REQUIRE(from.id && tp_loc_of(x->p, from)->func.id == x->func.id);
  e.from = from;
  e.pos = x->pos;
  tp_edge id = tp_program_add_edge(x->p, e);
  tp_vec_push(to, id.id);
}

static void connect(product *x, hole_list *holes, tp_loc to) {
  TP_REQUIRE(to.id && tp_loc_of(x->p, to)->func.id == x->func.id);
  for (size_t i = 0; i < holes->n; i++) x->p->edges.at[holes->at[i]].to = to;
  holes->n = 0;
}

/* A new location where all the holes lead. */
static tp_loc join_at(product *x, hole_list *holes) {
  tp_loc l = tp_program_add_loc(x->p, (tp_loc_info){.func = x->func, .pos = x->pos});
  connect(x, holes, l);
  return l;
}

static void branch(product *x, tp_loc from, tp_term cond, hole_list *yes, hole_list *no) {
  emit(x, from, (tp_edge_info){.kind = TP_E_ASSUME, .a = cond}, yes);
  emit(x, from, (tp_edge_info){.kind = TP_E_ASSUME, .a = tp_mk_not(x->tt, cond), .negated = true},
       no);
}

static tp_loc decide(product *x, tp_loc at, hole_list *no) {
  hole_list here = {0};
  tp_var_info info = {.name = TP_MONITOR_CHOICE, .kind = TP_V_TEMP, .func = x->func, .pos = x->pos};
  tp_var choice = tp_program_add_var(x->p, info, tp_sort_bool(x->tt));
  emit(x, at,
       (tp_edge_info){
           .kind = TP_E_HAVOC, .var = choice, .input = TP_I_NONDET, .name = TP_MONITOR_CHOICE},
       &here);
  branch(x, join_at(x, &here), tp_var_of(x->p, choice)->term, &here, no);
  at = join_at(x, &here);
  tp_vec_clear(&here);
  return at;
}

/* The effect of a transition, from `at` on. */
static bool emit_transition(product *x, const tp_transition *t, tp_loc at, hole_list *after) {
  hole_list here = {0};
  bool ok = true, moves = t->target != t->state;
  if (t->error) {
    tp_loc_info *l = &x->p->locs.at[at.id];
    l->error = x->monitor->property;
    l->message = tp_arena_strdup(&x->p->arena, t->error);
    tp_vec_push(&x->m->errors, at);
    return true;
  }
  if (t->bound) {
    tp_event_value v;
    ok = event_value(x, &t->value, &v);
    if (ok)
      emit(x, at,
           (tp_edge_info){
               .kind = TP_E_ASSIGN, .var = x->automaton->names[t->bound - 1].var, .a = v.term},
           moves ? &here : after);
    if (ok && moves) at = join_at(x, &here);
  }
  if (moves)
    emit(x, at,
         (tp_edge_info){
             .kind = TP_E_ASSIGN, .var = x->automaton->state, .a = tp_mk_bv(x->tt, 8, t->target)},
         after);
  else if (!t->bound)
    emit(x, at, (tp_edge_info){.kind = TP_E_SKIP}, after);
  tp_vec_clear(&here);
  return ok;
}

static bool applies(const product *x, const tp_transition *t) {
  return t->event == x->event->kind && t->function == x->event->function;
}

/* The transitions of one state, in order; `at`: the state has been tested. */
static bool compose_state(product *x, uint32_t state, tp_loc at, hole_list *after) {
  hole_list rest = {0}, hit = {0};
  bool ok = true, is_reachable = true;  // is_reachable: is there a path to `at`?
  for (size_t i = 0; i < x->monitor->transitions.n && ok && is_reachable; i++) {
    const tp_transition *t = &x->monitor->transitions.at[i];
    tp_term cond;
    if (t->state != state || !applies(x, t)) continue;
    ok = condition_term(x, t, &cond);
    if (!ok || tp_is_false(x->tt, cond)) continue;
    tp_loc here = at;
    if (!tp_is_true(x->tt, cond)) {
      branch(x, at, cond, &hit, &rest);
      here = join_at(x, &hit);
    }
    if (t->is_optional) here = decide(x, here, &rest);
    ok = emit_transition(x, t, here, after);
    is_reachable = rest.n > 0;
    if (is_reachable) at = join_at(x, &rest);
  }
  if (is_reachable) emit(x, at, (tp_edge_info){.kind = TP_E_SKIP}, after);
  tp_vec_clear(&rest);
  tp_vec_clear(&hit);
  return ok;
}

static bool has_transitions(const product *x, uint32_t state) {
  for (size_t i = 0; i < x->monitor->transitions.n; i++)
    if (x->monitor->transitions.at[i].state == state && applies(x, &x->monitor->transitions.at[i]))
      return true;
  return false;
}

/* One monitor at one event; `after` collects the edges that leave its piece. */
static bool compose_monitor(product *x, tp_loc at, hole_list *after) {
  hole_list yes = {0}, no = {0};
  bool ok = true;
  tp_term state = tp_var_of(x->p, x->automaton->state)->term;
  for (uint32_t s = 0; s < x->monitor->states.n && ok; s++) {
    if (!has_transitions(x, s)) continue;
    if (no.n) at = join_at(x, &no);
    branch(x, at, tp_mk_eq(x->tt, state, tp_mk_bv(x->tt, 8, s)), &yes, &no);
    ok = compose_state(x, s, join_at(x, &yes), after);
  }
  for (size_t i = 0; i < no.n; i++) tp_vec_push(after, no.at[i]);
  tp_vec_clear(&yes);
  tp_vec_clear(&no);
  return ok;
}

static bool compose(product *x, const tp_event *event) {
  const tp_edge_info mark = *tp_edge_of(x->p, event->edge);
  TP_REQUIRE(mark.kind == TP_E_SKIP && mark.from.id && mark.to.id);
  hole_list holes = {0};
  bool ok = true, any = false;
  tp_loc at = mark.from;
  x->event = event;
  x->func = tp_loc_of(x->p, mark.from)->func;
  x->pos = mark.pos;
  for (size_t i = 0; i < x->m->list.n && ok; i++) {
    x->monitor = &x->m->list.at[i];
    x->automaton = &x->automata[i];
    bool observes = false;
    for (uint32_t s = 0; s < x->monitor->states.n && !observes; s++)
      observes = has_transitions(x, s);
    if (!observes) continue;
    if (any) at = join_at(x, &holes);
    ok = compose_monitor(x, at, &holes);
    any = true;
  }
  if (any) {
    connect(x, &holes, mark.to);
    x->p->edges.at[event->edge.id] = (tp_edge_info){.kind = TP_E_SKIP, .pos = mark.pos};
  }
  tp_vec_clear(&holes);
  return ok;
}

// -------------------------------------------------------------------- variables

static tp_var add_global(product *x, const char *name, tp_pos pos, tp_sort sort) {
  uint32_t w = tp_sort_width(x->tt, sort);
  tp_term zero =
      tp_sort_kind_of(x->tt, sort) == TP_SORT_PTR ? tp_mk_null(x->tt) : tp_mk_bv(x->tt, w, 0);
  return tp_program_add_var(
      x->p, (tp_var_info){.name = name, .kind = TP_V_GLOBAL, .pos = pos, .initial = zero}, sort);
}

/* A name is as wide as the values that the program's calls give it. */
static bool bind_name(product *x, const tp_transition *t) {
  tp_event_value v;
  if (!event_value(x, &t->value, &v)) return false;
  bound_name *n = &x->automaton->names[t->bound - 1];
  tp_sort sort = tp_sort_of(x->tt, v.term);
  if (n->var.id)
    return (tp_sort_eq(n->sort, sort) && n->is_signed == v.is_signed) ||
           fail(x, t->pos, "the name gets values of different types", "here");
  const char *name =
      tp_arena_printf(&x->p->arena, "%s.%s", x->monitor->name, x->monitor->names.at[t->bound - 1]);
  *n = (bound_name){add_global(x, name, t->pos, sort), sort, v.is_signed};
  return true;
}

static bool add_variables(product *x, const tp_event *events, size_t n_events) {
  bool ok = true;
  x->automata = tp_arena_array(&x->p->arena, automaton, x->m->list.n + 1);
  for (size_t i = 0; i < x->m->list.n; i++) {
    x->monitor = &x->m->list.at[i];
    x->automaton = &x->automata[i];
    x->automaton->state = add_global(x, x->monitor->name, x->monitor->pos, tp_sort_bv(x->tt, 8));
    x->automaton->names = tp_arena_array(&x->p->arena, bound_name, x->monitor->names.n + 1);
    for (size_t e = 0; e < n_events; e++) {
      x->event = &events[e];
      x->pos = tp_edge_of(x->p, events[e].edge)->pos;
      for (size_t k = 0; k < x->monitor->transitions.n && ok; k++) {
        const tp_transition *t = &x->monitor->transitions.at[k];
        if (t->bound && applies(x, t)) ok = bind_name(x, t);
      }
    }
  }
  return ok;
}

// ---------------------------------------------------------------------- formats

static tp_value_format format_of(const product *x, tp_event_value v) {
  if (!tp_term_is(v.term)) return (tp_value_format){0};
  tp_sort s = tp_sort_of(x->tt, v.term);
  uint32_t bits = tp_sort_kind_of(x->tt, s) == TP_SORT_BOOL ? 8 : tp_sort_width(x->tt, s);
  tp_sort_kind kind = tp_sort_kind_of(x->tt, s);
  return (tp_value_format){bits, v.is_signed, kind == TP_SORT_FP, kind == TP_SORT_PTR};
}
static bool same_format(tp_value_format a, tp_value_format b) {
  return a.bits == b.bits && a.is_float == b.is_float && a.is_signed == b.is_signed &&
         a.is_pointer == b.is_pointer;
}

/* The values that all calls of a function pass: the longest prefix of arguments of equal formats.
 */
static void add_formats(product *x, const tp_event *e) {
  if (e->kind == TP_EVENT_EXIT) return;
  TP_REQUIRE(e->function && e->function < x->m->functions.n);
  tp_monitored_function *f = &x->m->functions.at[e->function];
  bool is_first = !f->is_called;
  uint32_t n = is_first ? TP_PROGRAM_MONITOR_VALUES : f->n_values;
  if (n > e->n_values) n = e->n_values;
  for (uint32_t i = 0; i < n; i++) {
    tp_value_format s = format_of(x, e->values[i]);
    if (is_first)
      f->values[i] = s;
    else if (!same_format(f->values[i], s))
      n = i;
  }
  TP_INVARIANT(n <= TP_PROGRAM_MONITOR_VALUES);
  f->n_values = n;
  f->is_called = true;
  if (e->kind != TP_EVENT_RETURN) return;
  tp_value_format result = format_of(x, e->result);
  if (!f->has_result)
    f->result = result;
  else if (!same_format(f->result, result))
    f->result = (tp_value_format){0};
  f->has_result = true;
}

tp_status tp_monitors_apply(tp_monitors *m, tp_program *p, const tp_event *events,
                            size_t n_events) {
  TP_REQUIRE(!p->out_start);  // before tp_program_finish
  for (size_t i = 0; i < n_events; i++)
    TP_REQUIRE(events[i].function < m->functions.n || events[i].kind == TP_EVENT_EXIT);
  product x = {.m = m, .p = p, .tt = p->terms};
  bool ok = add_variables(&x, events, n_events);
  for (size_t i = 0; i < n_events && ok; i++) {
    add_formats(&x, &events[i]);
    ok = compose(&x, &events[i]);
  }
  return ok ? TP_OK : TP_ERR_INPUT;
}

bool tp_monitors_is_error(const tp_monitors *m, tp_loc error) {
  for (size_t i = 0; m && i < m->errors.n; i++)
    if (m->errors.at[i].id == error.id) return true;
  return false;
}
