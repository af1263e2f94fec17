/* The states of a body for the lowering of contracts. Objects that do not exist have no members: what is gone loses them here, what is not there yet
 * never had any. */
#include "engine/modular/contract.h"

#include "spec/lower.h"

typedef struct {
  tp_rcontract *c;
  bool from_outside;                     // the state afterwards is given by relations
} states;

static tp_rel_expr difference(const tp_rheap *h, tp_rel_expr a, tp_rel_expr b) { return tp_rel_binary(h->l, TP_REL_DIFFERENCE, a, b); }
static bool is_object_type(const tp_rheap *h, uint32_t b) { return b > TP_OTHER_BASIC && h->types[b].is_used; }
static bool is_empty(const tp_rheap *h, tp_rel_expr a) { return tp_rel_at(h->l, a.id)->kind == TP_REL_NONE; }

tp_rel_expr tp_rcontract_after(const tp_rcontract *c, uint32_t field) {
  const tp_rheap_field *f = &c->heap->fields.at[field];
  if (f->is_inner) return f->start;
  return tp_rel_relation(c->heap->l, tp_arena_printf(&c->heap->arena, "after %u", field), tp_rheap_n_keys(c->heap, f->symbol) + 1);
}
tp_rel_expr tp_rcontract_there(const tp_rcontract *c) { return tp_rel_relation(c->heap->l, "there after", 1); }
tp_rel_expr tp_rcontract_result(const tp_rcontract *c) { return tp_rel_relation(c->heap->l, "result after", 1); }

static tp_rel_expr field_value(const states *s, uint32_t field, tp_moment when) {
  const tp_rcontract *c = s->c;
  tp_rheap *h = c->heap;
  const tp_rheap_field f = h->fields.at[field];
  if (f.is_inner || when == TP_MOMENT_BEFORE) return f.start;
  if (s->from_outside) return tp_rcontract_after(c, field);
  const tp_rel_expr after = field < c->body->n_fields ? c->body->after.fields[field] : f.start;
  if (tp_rheap_n_keys(h, f.symbol) == 0 || is_empty(h, c->body->after.gone)) return after;
  return tp_rel_binary(h->l, TP_REL_DOMAIN, difference(h, tp_rel_univ(h->l), c->body->after.gone), after);
}

static tp_rel_expr there(const states *s, tp_moment when) {
  tp_rheap *h = s->c->heap;
  if (s->from_outside && when == TP_MOMENT_AFTER) return tp_rcontract_there(s->c);
  const tp_rbody_state *state = when == TP_MOMENT_AFTER ? &s->c->body->after : &s->c->body->before;
  tp_rel_expr *last = TP_NEW_ARRAY(tp_rel_expr, h->universe->basics.n), all = tp_rel_none(h->l, 1);
  for (uint32_t b = 0; b < h->universe->basics.n; b++) last[b] = state->last[b].id ? state->last[b] : h->types[b].last;
  for (uint32_t b = 0; b < h->universe->basics.n; b++)
    if (is_object_type(h, b)) all = tp_rel_binary(h->l, TP_REL_UNION, all, tp_rheap_there(h, b, last));
  tp_free(last);
  return is_empty(h, state->gone) ? all : difference(h, all, state->gone);
}

/* A global in memory: the struct itself, its elements, its only element. */
static tp_rel_expr static_value(const states *s, const tp_symbol *symbol, tp_moment when) {
  tp_rheap *h = s->c->heap;
  const char *why;
  tp_rel_expr atom;
  uint32_t basic;
  if (!tp_rheap_static_of(h, symbol->object, &atom, &basic)) return (tp_rel_expr){0};
  if (h->universe->basics.at[basic].kind == TP_BASIC_STRUCT) return atom;
  for (size_t i = 0; i < h->universe->symbols.n; i++) {
    const tp_symbol *e = h->universe->symbols.at[i];
    if (e->kind != TP_SYMBOL_ELEMENTS || e->basic != basic) continue;
    const uint32_t field = tp_rheap_field_of(h, e, &why);
    if (field == TP_RHEAP_NO_FIELD) break;
    const tp_rel_expr own = tp_rel_binary(h->l, TP_REL_JOIN, atom, field_value(s, field, when));
    if (tp_type_of(h->program, symbol->ctype)->kind == TP_T_ARRAY) return own;
    return tp_rel_binary(h->l, TP_REL_JOIN, tp_rel_atom_of(h->l, tp_rel_constant(h->l, 0)), own);
  }
  return (tp_rel_expr){0};
}

static tp_rel_expr value(void *ctx, const tp_symbol *symbol, tp_moment when) {
  const states *s = ctx;
  tp_rcontract *c = s->c;
  const char *why;
  uint32_t field;
  switch (symbol->kind) {
    case TP_SYMBOL_FIELD:
    case TP_SYMBOL_ELEMENTS:
      field = tp_rheap_field_of(c->heap, symbol, &why);
      return field == TP_RHEAP_NO_FIELD ? (tp_rel_expr){0} : field_value(s, field, when);
    case TP_SYMBOL_GLOBAL:
      if (symbol->object) return static_value(s, symbol, when);
      field = tp_rheap_field_of(c->heap, symbol, &why);
      return field == TP_RHEAP_NO_FIELD ? (tp_rel_expr){0} : field_value(s, field, when);
    case TP_SYMBOL_FUNCTION: return tp_rheap_function(c->heap, symbol->object);
    case TP_SYMBOL_PARAM: return symbol->number < c->body->n_params ? c->body->params[symbol->number] : (tp_rel_expr){0};
    case TP_SYMBOL_RESULT:
      if (s->from_outside) return tp_rcontract_result(c);
      return tp_rel_at(c->heap->l, c->body->returns.id)->kind == TP_REL_FALSE ? tp_rel_none(c->heap->l, 1) : c->body->result;
    case TP_SYMBOL_ALLOC: return there(s, when);
    case TP_SYMBOL_SET:
    case TP_SYMBOL_LOCAL:
    case TP_SYMBOL_THIS:
    case TP_SYMBOL_MODEL:
    case TP_SYMBOL_GHOST:
    case TP_SYMBOL_VARIABLE:
    case TP_SYMBOL_PRED:
    case TP_SYMBOL_FUN: break;
  }
  return (tp_rel_expr){0};
}

static tp_rel_expr objects(void *ctx, uint32_t basic) {
  const states *s = ctx;
  tp_rheap *h = s->c->heap;
  if (basic == TP_NULL_BASIC) return h->null;
  if (basic == TP_INT_BASIC) return tp_rel_ints(h->l);
  tp_rel_expr all = tp_rel_none(h->l, 1);
  for (size_t i = 0; i < h->functions.n && basic == TP_FUNCTION_BASIC; i++) all = tp_rel_binary(h->l, TP_REL_UNION, all, h->functions.at[i].set);
  return basic <= TP_OTHER_BASIC ? all : tp_rheap_use(h, basic)->set;
}

// ---------------------------------------------------------------------- claims

/* It returns, and every integer that it leaves fits the width; undefined where one does not. Such a state is outside of the bounds, whatever a clause
 * says of the rest of it. */
static tp_rel_formula returns_within(const tp_rcontract *c) {
  tp_rel *l = c->heap->l;
  tp_rel_formula all = c->body->returns;
  for (uint32_t f = 0; f < c->body->n_fields; f++) {
    const tp_rheap_field *field = &c->heap->fields.at[f];
    const bool is_integer = !field->is_inner && tp_rheap_is_integer(c->heap, tp_rheap_value_type(c->heap, field->symbol));
    if (!is_integer || c->body->after.fields[f].id == field->start.id) continue;
    tp_rel_expr any = tp_rel_univ(l);
    for (uint32_t k = tp_rheap_n_keys(c->heap, field->symbol); k > 0; k--) any = tp_rel_binary(l, TP_REL_PRODUCT, any, tp_rel_univ(l));
    all = tp_rel_and(l, all, tp_rel_compare(l, TP_REL_IN, c->body->after.fields[f], any));
  }
  return c->body->result.id ? tp_rel_and(l, all, tp_rel_compare(l, TP_REL_IN, c->body->result, tp_rel_univ(l))) : all;
}

static void must_hold(tp_rcontract *c, bool over_two, tp_rel_formula f, tp_pos pos, const char *what) {
  tp_rel *l = c->heap->l;
  if (over_two) tp_vec_push(&c->over_two, f);
  else tp_vec_push(&c->claims, (tp_rclaim){tp_rel_and(l, returns_within(c), tp_rel_not(l, f)), pos, what});
}

static const char *text_of(tp_rcontract *c, const tp_clause_meaning *clause) {
  tp_str text = {0};
  tp_clause_print(clause->clause, &text);
  while (text.n && text.text[text.n - 1] == '\n') text.text[--text.n] = 0;
  const char *own = tp_arena_strdup(&c->arena, tp_str_text(&text));
  tp_str_clear(&text);
  return own;
}

static bool is_clause_of(const tp_rcontract *c, size_t clause) {
  for (size_t i = 0; c->contract && i < c->contract->clauses.n; i++)
    if (c->contract->clauses.at[i] == clause) return true;
  return false;
}

static void add_clauses(tp_rcontract *c, tp_lowering *w, bool over_two) {
  for (size_t i = 0; i < c->meanings->all.n && !c->why; i++) {
    const tp_clause_meaning *clause = &c->meanings->all.at[i];
    const tp_clause_kind k = clause->clause->kind;
    if (k != TP_CLAUSE_INVARIANT && !is_clause_of(c, i)) continue;
    if ((k == TP_CLAUSE_REQUIRES || k == TP_CLAUSE_PRESERVES || k == TP_CLAUSE_INVARIANT) && !over_two) tp_vec_push(&c->given, tp_lower_clause(w, clause, TP_MOMENT_BEFORE));
    if (k == TP_CLAUSE_ENSURES || k == TP_CLAUSE_PRESERVES || k == TP_CLAUSE_INVARIANT)
      must_hold(c, over_two, tp_lower_clause(w, clause, TP_MOMENT_AFTER), clause->clause->pos, text_of(c, clause));
    if (k == TP_CLAUSE_ASSIGN) c->why = "assignments to ghosts are not understood";
    if (tp_lowering_error(w)) c->why = tp_arena_strdup(&c->arena, tp_lowering_error(w));
    if (c->why) c->pos = clause->clause->pos;
  }
}

/* Of all that the body changes; both times in the same order. */
static void add_frame(tp_rcontract *c, tp_lowering *w, bool over_two) {
  const tp_universe *u = c->heap->universe;
  tp_pos pos = TP_POS_NONE;
  states s = {c, false};
  if (!c->contract || !c->contract->has_modifies || c->why) return;
  for (size_t i = 0; i < c->contract->clauses.n; i++)
    if (c->meanings->all.at[c->contract->clauses.at[i]].clause->kind == TP_CLAUSE_MODIFIES) pos = c->meanings->all.at[c->contract->clauses.at[i]].clause->pos;
  for (size_t i = 0; i <= u->symbols.n; i++) {
    const tp_symbol *symbol = i < u->symbols.n ? u->symbols.at[i] : u->alloc;
    const bool is_kind = symbol->kind == TP_SYMBOL_FIELD || symbol->kind == TP_SYMBOL_ELEMENTS || symbol->kind == TP_SYMBOL_GLOBAL || symbol->kind == TP_SYMBOL_ALLOC;
    if (!is_kind || !symbol->changes || symbol->refused) continue;
    const bool is_field = symbol->kind != TP_SYMBOL_ALLOC && !(symbol->kind == TP_SYMBOL_GLOBAL && symbol->object);
    if (is_field && !tp_map_has(&c->heap->field_of, (uint64_t)(uintptr_t)symbol)) continue;             // nobody touches it
    if (symbol->kind == TP_SYMBOL_GLOBAL && symbol->object) {
      bool is_touched = false;
      for (size_t k = 0; k < c->heap->statics.n; k++) is_touched = is_touched || c->heap->statics.at[k].object == symbol->object;
      if (!is_touched) continue;
    }
    if (!tp_contract_frame(c->meanings, c->contract, symbol)) continue;
    const tp_rel_expr before = value(&s, symbol, TP_MOMENT_BEFORE), after = value(&s, symbol, TP_MOMENT_AFTER);
    if (!before.id || before.id == after.id) continue;
    const tp_rel_formula f = tp_lower_frame_of(w, c->contract, symbol);
    if (tp_lowering_error(w)) c->why = tp_arena_strdup(&c->arena, tp_lowering_error(w)), c->pos = pos;
    else must_hold(c, over_two, f, pos, tp_arena_printf(&c->arena, "modifies: %s changes where it may not", symbol->name));
  }
}

static void lower(tp_rcontract *c, bool over_two) {
  states s = {c, over_two};
  tp_lowering *w = tp_lowering_new(c->meanings, c->heap->l, (tp_states){&s, value, objects});
  add_clauses(c, w, over_two);
  add_frame(c, w, over_two);
  tp_lowering_free(w);
}

static size_t n_asked(const tp_rheap *h) {
  size_t n = h->fields.n + h->statics.n + h->functions.n;
  for (uint32_t b = 0; b < h->universe->basics.n; b++) n += h->types[b].is_used;
  return n;
}

void tp_rcontract_init(tp_rcontract *c, tp_rheap *h, tp_rbody *b, tp_func f, tp_meanings *m) {
  *c = (tp_rcontract){.heap = h, .body = b, .meanings = m};
  tp_arena_init(&c->arena);
  for (size_t i = 0; i < m->contracts.n; i++)
    if (m->contracts.at[i]->func.id == f.id) c->contract = m->contracts.at[i];
  for (size_t n = SIZE_MAX; n != n_asked(h);) {
    n = n_asked(h);
    c->given.n = c->claims.n = 0;
    c->why = NULL;
    tp_rbody_run(b, h, f);
    lower(c, false);
  }
}

void tp_rcontract_over_two(tp_rcontract *c) {
  for (uint32_t f = 0; f < c->heap->fields.n; f++) (void)tp_rcontract_after(c, f);
  (void)tp_rcontract_there(c);
  (void)tp_rcontract_result(c);
  lower(c, true);
}

void tp_rcontract_clear(tp_rcontract *c) {
  tp_vec_clear(&c->given);
  tp_vec_clear(&c->claims);
  tp_vec_clear(&c->over_two);
  tp_arena_clear(&c->arena);
}
