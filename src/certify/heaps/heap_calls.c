/* A call by contract takes what the contract names out of the heap, and puts what it gives back
 * beside the rest. */
#include "certify/heaps/heap_calls.h"

#include "certify/certificate_lines.h"
#include "certify/heaps/heap_compare.h"

static void drop_locals(const tp_chk_heaps *c, tp_chk_heap_state *s, tp_func f) {
  for (uint32_t i = c->locals.first[f.id]; i < c->locals.first[f.id + 1]; i++)
    s->vars[c->locals.at[i].id] = TP_TERM_NONE;
}

/* The function that is called; NONE: the pointer that the call goes through is no known address of
 * one. */
static tp_func callee_of(const tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e) {
  if (e->callee.id) return e->callee;
  const tp_term value =
      tp_chk_heap_decide(&c->w, s, tp_chk_heap_evaluate(&c->w, s, e->a), (tp_chk_heap_sums){0});
  if (tp_kind(c->w.tt, value) != TP_OP_PTR_CONST || tp_ptr_const_offset(c->w.tt, value))
    return TP_FUNC_NONE;
  const uint32_t object = tp_ptr_const_object(c->w.tt, value);
  const bool is_function =
      object && object < c->p->statics.n && c->p->statics.at[object].kind == TP_O_FUNCTION;
  return is_function ? c->p->statics.at[object].func : TP_FUNC_NONE;
}

static bool is_followed(const tp_chk_heaps *c, const tp_edge_info *e) {
  if (!e->callee.id) return false;
  const tp_func_info *f = tp_func_of(c->p, e->callee);
  return f->has_body && f->entry.id && tp_chk_call_fits(c->p, e, e->callee);
}

/* The callee's variables have any values but for its parameters. */
static void give_arguments(const tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e) {
  const tp_func_info *f = tp_func_of(c->p, e->callee);
  tp_term_list args = {0};
  for (uint32_t i = 0; i < e->n_args; i++) {
    const tp_term value = tp_chk_heap_evaluate(&c->w, s, e->args[i]);
    tp_vec_push(&args, tp_chk_heap_decide(&c->w, s, value, (tp_chk_heap_sums){0}));
  }
  drop_locals(c, s, e->callee);
  for (uint32_t i = 0; i < e->n_args; i++) s->vars[f->params[i].id] = args.at[i];
  tp_vec_clear(&args);
}

// ------------------------------------------------------------------- by contract

/* Symbols of the heap behind the call that are not those of the heap before it are new ones. */
static void bind_new_symbols(tp_chk_heap_match *m, const tp_chk_heap_entry *post) {
  for (size_t i = 0; i < post->symbols.n; i++) {
    const tp_term symbol = {(uint32_t)post->symbols.entries[i].key};
    bool is_known = false;
    for (size_t k = 0; k < m->bound.n; k++) is_known |= tp_term_eq(m->bound.at[k].symbol, symbol);
    if (!is_known)
      tp_chk_heap_match_bind(m, symbol, tp_chk_heap_symbol(m->w, tp_sort_of(m->w->tt, symbol)));
  }
}

/* The term of a heap behind the call. */
static tp_term instance(tp_chk_heap_match *m, tp_term t) {
  bool is_complete;
  return tp_chk_heap_match_value(m, t, &is_complete);
}

static void add_objects(tp_chk_heap_match *m, const tp_chk_heap_entry *post, tp_chk_heap_state *s) {
  for (size_t i = 0; i < post->s->objects.n; i++) {
    const tp_chk_heap_object *o = &post->s->objects.at[i];
    const tp_term id = instance(m, o->id);
    if (tp_chk_heap_object_of(s, id) != UINT32_MAX) {
      s->is_impossible = true;  // it is apart from all others
      return;
    }
    tp_chk_heap_object *n = tp_chk_heap_add_object(s, id, instance(m, o->size), o->kind);
    n->is_zero = o->is_zero;
    for (size_t f = 0; f < o->fields.n; f++)
      tp_vec_push(&n->fields, ((tp_chk_heap_field){o->fields.at[f].offset,
                                                   instance(m, o->fields.at[f].value)}));
  }
}

static void add_parts(tp_chk_heap_match *m, const tp_chk_heap_entry *post, tp_chk_heap_state *s) {
  for (size_t i = 0; i < post->s->parts.n; i++) {
    const tp_chk_heap_part *part = &post->s->parts.at[i];
    tp_vec_push(
        &s->parts,
        ((tp_chk_heap_part){
            part->kind, part->is_segment, instance(m, part->at), instance(m, part->before),
            instance(m, part->end), instance(m, part->last),
            tp_term_is(part->where) ? instance(m, part->where) : TP_TERM_NONE, part->neighbours}));
  }
}

/* The first cell of a part that was an object of the caller's is a symbol again: what a pointer
 * leads to is asked of symbols. */
static void name_places(const tp_chk_heap_world *w, tp_chk_heap_state *s) {
  for (size_t i = 0; i < s->parts.n; i++)
    if (tp_kind(w->tt, s->parts.at[i].at) == TP_OP_PTR_MK)
      tp_chk_heap_replace(w, s, s->parts.at[i].at, tp_chk_heap_symbol(w, tp_sort_ptr(w->tt)));
}

/* Can the contract's symbols be what this heap behind the call says, by what the caller knows of
 * its objects? */
static bool is_given_possible(tp_chk_heap_match *m, const tp_chk_heap_entry *post) {
  for (size_t i = 0; i < post->given.n; i++) {
    const tp_term a = instance(m, post->given.at[i].symbol),
                  b = instance(m, post->given.at[i].value);
    if (tp_is_false(m->w->tt, tp_chk_heap_decide(m->w, m->s, tp_mk_eq(m->w->tt, a, b),
                                                 (tp_chk_heap_sums){0})))
      return false;
  }
  return true;
}

/* What the call did not get stays as it was. */
static tp_chk_heap_state *frame_of(tp_chk_heaps *c, const tp_chk_heap_match *m) {
  tp_chk_heap_state *s = tp_chk_heap_copy(c->p, m->s);
  for (uint32_t i = (uint32_t)m->s->objects.n; i-- > 0;)
    if (m->object_used[i]) tp_chk_heap_remove_object(s, i);
  for (uint32_t i = (uint32_t)m->s->parts.n; i-- > 0;)
    if (m->part_used[i]) s->parts.at[i] = s->parts.at[--s->parts.n];
  return s;
}

static void push_post(tp_chk_heaps *c, const tp_chk_heap_match *before, const tp_edge_info *e,
                      const tp_chk_heap_entry *post) {
  tp_chk_heap_match m =
      *before;  // its own bindings: those of the heap before the call, and new ones
  m.bound.at = NULL;
  m.bound.n = m.bound.cap = 0;
  for (size_t i = 0; i < before->bound.n; i++) tp_vec_push(&m.bound, before->bound.at[i]);
  bind_new_symbols(&m, post);
  if (!is_given_possible(&m, post)) {
    tp_vec_clear(&m.bound);
    return;
  }
  tp_chk_heap_state *s = frame_of(c, before);
  const tp_var result = tp_func_of(c->p, e->callee)->result;
  for (uint32_t v = 1; v < c->p->vars.n; v++) {
    if (tp_var_of(c->p, (tp_var){v})->kind != TP_V_GLOBAL) continue;
    if (tp_effects_assigns(&c->effects, e->callee, (tp_var){v})) s->vars[v] = TP_TERM_NONE;
    if (tp_term_is(post->s->vars[v])) s->vars[v] = instance(&m, post->s->vars[v]);
  }
  if (e->var.id)
    s->vars[e->var.id] = tp_term_is(post->s->vars[result.id])
                             ? instance(&m, post->s->vars[result.id])
                             : TP_TERM_NONE;
  s->has_more |= post->s->has_more;
  add_objects(&m, post, s);
  add_parts(&m, post, s);
  for (size_t i = 0; i < post->s->facts.n && !s->is_impossible; i++)
    tp_chk_heap_assume(&c->w, s, instance(&m, post->s->facts.at[i]));
  name_places(&c->w, s);
  for (size_t i = 0; i < post->given.n && !s->is_impossible; i++)
    tp_chk_heap_equate(&c->w, s, instance(&m, post->given.at[i].symbol),
                       instance(&m, post->given.at[i].value));
  tp_chk_heap_settle(&c->w, s);
  tp_vec_clear(&m.bound);
  s->loc = e->to;
  if (s->is_impossible)
    tp_chk_heap_free(s);
  else
    tp_vec_push(&c->todo, s);
}

/* The callee may be active below: its variables are those of that frame again behind the call. */
static void restore_locals(const tp_chk_heaps *c, tp_chk_heap_state *s, const tp_term *before,
                           tp_func f) {
  for (uint32_t i = c->locals.first[f.id]; i < c->locals.first[f.id + 1]; i++)
    s->vars[c->locals.at[i].id] = before[c->locals.at[i].id];
}

static void by_contract(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e,
                        uint32_t contract) {
  tp_chk_heap_match m;
  tp_term *before = TP_NEW_ARRAY(tp_term, c->p->vars.n);
  memcpy(before, s->vars, c->p->vars.n * sizeof *before);
  tp_chk_heap_match_init(&m, &c->w, tp_chk_heaps_holds, c, s,
                         &c->cert.entries.at[c->cert.contracts.at[contract].pre]);
  give_arguments(c, s, e);
  const bool is_met = tp_chk_heap_match_entry(&m, TP_CHK_HEAP_FRAME);
  restore_locals(c, s, before, e->callee);
  if (!is_met && !tp_chk_heaps_is_impossible(c, s))
    tp_chk_heaps_fail(c, s, "a call does not meet its contract");
  for (size_t i = 1; i < c->cert.entries.n && is_met; i++)
    if (c->cert.entries.at[i].role == TP_CHK_HEAP_POST &&
        c->cert.entries.at[i].contract == contract)
      push_post(c, &m, e, &c->cert.entries.at[i]);
  tp_chk_heap_match_clear(&m);
  tp_chk_heap_free(s);
  tp_free(before);
}

// ------------------------------------------------------------------------- calls

void tp_chk_heaps_call(tp_chk_heaps *c, tp_chk_heap_state *s, tp_edge e) {
  tp_edge_info call = *tp_edge_of(c->p, e);
  call.callee = callee_of(c, s, &call);
  const bool is_known = is_followed(c, &call);
  const uint32_t contract = is_known ? tp_chk_heap_contract_of(&c->cert, call.callee) : 0,
                 context =
                     is_known ? tp_chk_heap_context_of(&c->cert, s->context, e, call.callee) : 0;
  if (contract) {
    by_contract(c, s, &call, contract);
    return;
  }
  if (!context) {
    if (!tp_chk_heaps_is_impossible(c, s))
      tp_chk_heaps_fail(c, s, "a call that the certificate does not follow");
    tp_chk_heap_free(s);
    return;
  }
  give_arguments(c, s, &call);
  s->context = context;
  s->loc = tp_func_of(c->p, call.callee)->entry;
  tp_vec_push(&c->todo, s);
}

/* The body of a contract ends: one of its heaps behind calls is met by all that the body's heap is
 * now. */
static void leave_contract(tp_chk_heaps *c, tp_chk_heap_state *s, uint32_t contract) {
  bool found = false;
  for (size_t i = 1; i < c->cert.entries.n && !found; i++) {
    const tp_chk_heap_entry *e = &c->cert.entries.at[i];
    if (e->role == TP_CHK_HEAP_POST && e->contract == contract)
      found = tp_chk_heaps_is_described(c, s, e);
  }
  if (!found && !tp_chk_heaps_is_impossible(c, s))
    tp_chk_heaps_fail(c, s, "the end of a body does not meet its contract");
  tp_chk_heap_free(s);
}

void tp_chk_heaps_leave(tp_chk_heaps *c, tp_chk_heap_state *s) {
  const tp_chk_heap_context x = c->cert.contexts.at[s->context];
  if (!x.parent) {
    if (x.contract)
      leave_contract(c, s, x.contract);
    else
      tp_chk_heap_free(s);  // main has returned
    return;
  }
  const tp_edge_info *e = tp_edge_of(c->p, x.call);
  const tp_var result = tp_func_of(c->p, x.func)->result;
  const tp_term value = result.id ? tp_chk_heap_var(&c->w, s, result) : TP_TERM_NONE;
  drop_locals(c, s, x.func);
  if (e->var.id) s->vars[e->var.id] = value;
  s->context = x.parent;
  s->loc = e->to;
  s->is_inside = false;
  tp_vec_push(&c->todo, s);
}
