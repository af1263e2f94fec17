/* What summaries keep intervals of: members, elements, globals, variables; states over them.
 *
 * Each member of the object model, each kind of elements and each global in memory is a place, with
 * its value in the pre-state as name. Variables have slots: globals first, then those of the
 * function. */
#include "contracts/summarise/summarise_priv.h"

// ------------------------------------------------------------------- object model

uint32_t tp_rsums_place_of(const tp_rsums *s, const tp_symbol *symbol) {
  uint64_t found;
  return tp_map_get(&s->place_of, (uint64_t)(uintptr_t)symbol, &found) ? (uint32_t)found
                                                                       : TP_RSUM_NO_PLACE;
}

bool tp_rsums_basic_of(const tp_rsums *s, tp_type pointee, uint32_t *basic) {
  uint64_t found;
  if (!pointee.id || (!tp_map_get(&s->u->struct_of, pointee.id, &found) &&
                      !tp_map_get(&s->u->array_of, pointee.id, &found)))
    return false;
  *basic = (uint32_t)found;
  return true;
}

bool tp_rsum_is_struct(const tp_rsums *s, uint32_t basic) {
  return s->u->basics.at[basic].kind == TP_BASIC_STRUCT;
}

static void add_place(tp_rsums *s, const tp_symbol *m) {
  const bool is_inner = m->kind == TP_SYMBOL_FIELD && !m->changes;
  const uint32_t arity = tp_reltype_arity(m->type);
  if (m->refused || arity == 0 || (is_inner && tp_reltype_arity(m->type) != 2)) return;
  const bool is_member = m->kind != TP_SYMBOL_GLOBAL;
  const unsigned facts = is_inner ? TP_RBOUND_IS_INNER : is_member ? TP_RBOUND_IS_MEMBER : 0;
  const tp_rbound name = tp_rbound_name(s->t, (tp_rbound_name_info){m->name, m, arity, facts});
  tp_map_set(&s->place_of, (uint64_t)(uintptr_t)m, s->places.n);
  tp_map_set(&s->place_of_name, name.id, s->places.n);
  tp_vec_push(&s->places, (tp_rsum_place){m, name, arity});
}

static void find_places(tp_rsums *s) {
  for (size_t i = 0; i < s->u->symbols.n; i++) {
    const tp_symbol *m = s->u->symbols.at[i];
    const bool is_global = m->kind == TP_SYMBOL_GLOBAL && m->object && m->changes;
    if (m->kind == TP_SYMBOL_FIELD || m->kind == TP_SYMBOL_ELEMENTS || is_global) add_place(s, m);
  }
}

tp_rbound tp_rsums_name_of_var(tp_rsums *s, tp_var v) {
  const tp_var_info *info = tp_var_of(s->p, v);
  const tp_rbound name =
      tp_rbound_name(s->t, (tp_rbound_name_info){info->name, info, 1, TP_RBOUND_IS_VALUE});
  tp_map_set(&s->var_of, name.id, v.id);
  return name;
}

/* Another name than in other calls, which leads back to the same variable. */
tp_rbound tp_rsums_name_of_unreferenced(tp_rsums *s, tp_var v) {
  const tp_var_info *info = tp_var_of(s->p, v);
  uint64_t known;
  if (tp_map_get(&s->unreferenced_of, v.id, &known)) return (tp_rbound){(uint32_t)known};
  const tp_rbound name =
      tp_rbound_name(s->t, (tp_rbound_name_info){info->name, tp_arena_new(&s->arena, char), 1,
                                                 TP_RBOUND_IS_VALUE | TP_RBOUND_IS_UNREFERENCED});
  tp_map_set(&s->unreferenced_of, v.id, name.id);
  tp_map_set(&s->var_of, name.id, v.id);
  return name;
}

/* Globals first, in each function; then its own variables. */
static void find_slots(tp_rsums *s) {
  s->slot_of = tp_arena_array(&s->arena, uint32_t, s->p->vars.n);
  s->n_slots = tp_arena_array(&s->arena, uint32_t, s->p->funcs.n);
  for (uint32_t i = 1; i < s->p->vars.n; i++)
    if (s->p->vars.at[i].kind == TP_V_GLOBAL) {
      s->slot_of[i] = (uint32_t)s->globals.n;
      tp_vec_push(&s->globals, (tp_var){i});
    }
  for (uint32_t f = 0; f < s->p->funcs.n; f++) s->n_slots[f] = (uint32_t)s->globals.n;
  for (uint32_t i = 1; i < s->p->vars.n; i++)
    if (s->p->vars.at[i].kind != TP_V_GLOBAL && s->p->vars.at[i].kind != TP_V_GHOST)
      s->slot_of[i] = s->n_slots[s->p->vars.at[i].func.id]++;
}

tp_rsums *tp_rsums_without_transfer(const tp_object_model *u, tp_rsum_limits limits) {
  TP_REQUIRE(u && limits.operators && limits.unions > 1);
  tp_rsums *s = TP_NEW(tp_rsums);
  s->u = u;
  s->p = u->program;
  s->limits = limits;
  s->t = tp_rbounds_new();
  tp_arena_init(&s->arena);
  s->alloc = tp_rbound_name(s->t, (tp_rbound_name_info){"\\alloc", u->alloc, 1, TP_RBOUND_ANY});
  find_places(s);
  find_slots(s);
  s->templates = tp_arena_array(&s->arena, tp_rsum_template *, s->p->funcs.n);
  return s;
}

void tp_rsums_free(tp_rsums *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->p->funcs.n; i++)
    if (s->templates[i]) tp_vec_clear(&s->templates[i]->forgotten);
  for (size_t i = 0; i < s->contexts.n; i++) tp_vec_clear(&s->contexts.at[i]->forgotten);
  tp_vec_clear(&s->contexts);
  tp_map_clear(&s->in_context);
  tp_map_clear(&s->unreferenced_of);
  tp_vec_clear(&s->places);
  tp_vec_clear(&s->globals);
  tp_vec_clear(&s->active);
  tp_map_clear(&s->place_of);
  tp_map_clear(&s->place_of_name);
  tp_map_clear(&s->var_of);
  if (s->pointsto) tp_pointsto_free(s->pointsto);
  tp_rbounds_free(s->t);
  tp_arena_clear(&s->arena);
  tp_free(s);
}

tp_rbounds *tp_rsums_bounds(tp_rsums *s) { return s->t; }
uint32_t tp_rsums_n_places(const tp_rsums *s) { return (uint32_t)s->places.n; }
const tp_rsum_place *tp_rsums_place(const tp_rsums *s, uint32_t place) {
  TP_REQUIRE(place < s->places.n);
  return &s->places.at[place];
}
tp_rbound tp_rsums_alloc(tp_rsums *s) { return s->alloc; }
tp_rinterval tp_rsums_global(const tp_rsums *s, const tp_rsum_template *f, tp_var global) {
  TP_REQUIRE(tp_var_of(s->p, global)->kind == TP_V_GLOBAL && !f->after.is_dead);
  return f->after.vars[s->slot_of[global.id]].at;
}

// ------------------------------------------------------------------------- states

tp_rsum_state *tp_rsum_state_in(tp_arena *a, const tp_rsums *s, uint32_t n_slots) {
  tp_rsum_state *n = tp_arena_new(a, tp_rsum_state);
  n->vars = tp_arena_array(a, tp_rsum_value, n_slots + 1);
  n->places = tp_arena_array(a, tp_rinterval, s->places.n + 1);
  n->facts = tp_arena_array(a, tp_rbound, TP_CONTRACTS_BOUND_FACTS);
  n->kinds = tp_arena_array(a, tp_rsum_fact_kind, TP_CONTRACTS_BOUND_FACTS);
  return n;
}

void tp_rsum_state_copy_into(tp_rsum_state *to, const tp_rsum_state *from, const tp_rsums *s,
                             uint32_t n_slots) {
  memcpy(to->vars, from->vars, n_slots * sizeof *to->vars);
  memcpy(to->places, from->places, s->places.n * sizeof *to->places);
  memcpy(to->facts, from->facts, from->n_facts * sizeof *to->facts);
  memcpy(to->kinds, from->kinds, from->n_facts * sizeof *to->kinds);
  to->n_facts = from->n_facts;
  to->alloc = from->alloc;
  to->is_dead = from->is_dead;
}

tp_rsum_state *tp_rsum_state_new(const tp_summariser *r) {
  return tp_rsum_state_in(r->arena, r->s, r->s->n_slots[r->func.id]);
}

tp_rsum_state *tp_rsum_state_copy(const tp_summariser *r, const tp_rsum_state *s) {
  tp_rsum_state *n = tp_rsum_state_new(r);
  tp_rsum_state_copy_into(n, s, r->s, r->s->n_slots[r->func.id]);
  return n;
}

tp_rsum_value tp_rsum_any_value(const tp_summariser *r) {
  return (tp_rsum_value){.at = tp_rinterval_any(r->t, 1), .reading = TP_RSUM_EITHER};
}

static bool reads_place(const tp_rsum_value *v, uint32_t place) {
  for (uint32_t i = 0; i < v->origin.n; i++)
    if (v->origin.places[i] == place || place == TP_RSUM_NO_PLACE) return true;
  return false;
}

void tp_rsum_place_changed(tp_summariser *r, tp_rsum_state *s, uint32_t place) {
  for (uint32_t i = 0; i < r->s->n_slots[r->func.id]; i++)
    if (reads_place(&s->vars[i], place)) s->vars[i].origin = (tp_rsum_origin){0};
}

void tp_rsum_fact(tp_summariser *r, tp_rsum_state *s, tp_rbound f, tp_rsum_fact_kind kind) {
  const tp_rbound_node *n = tp_rbound_at(r->t, f);
  if (n->kind == TP_RBOUND_TRUE) return;
  if (n->kind == TP_RBOUND_AND) {
    for (uint32_t i = 0; i < n->n_kids; i++) tp_rsum_fact(r, s, n->kids[i], kind);
    return;
  }
  for (uint32_t i = 0; i < s->n_facts; i++)
    if (s->facts[i].id == f.id) return;
  if (s->n_facts == TP_CONTRACTS_BOUND_FACTS) return;
  s->kinds[s->n_facts] = kind;
  s->facts[s->n_facts++] = f;
}

static void decide(tp_rinterval_evaluation *e, tp_rinterval *i) {
  if (!i->upper.id ||
      (!tp_rbound_at(e->t, i->lower)->has_if && !tp_rbound_at(e->t, i->upper)->has_if))
    return;
  *i = (tp_rinterval){tp_rinterval_lower_of(e, i->lower), tp_rinterval_upper_of(e, i->upper)};
}

void tp_rsum_learn(tp_summariser *r, tp_rsum_state *s, tp_rbound f, tp_rsum_fact_kind kind) {
  const uint32_t n = s->n_facts;
  tp_rsum_fact(r, s, f, kind);
  if (s->n_facts == n) return;
  tp_rinterval_evaluation e = {.t = r->t, .facts = s->facts, .n_facts = s->n_facts};
  for (uint32_t i = 0; i < r->s->n_slots[r->func.id]; i++) decide(&e, &s->vars[i].at);
  for (uint32_t i = 0; i < r->s->places.n; i++) decide(&e, &s->places[i]);
  decide(&e, &s->alloc);
  tp_rinterval_evaluation_clear(&e);
}

void tp_rsum_refuse(tp_summariser *r, const char *why) {
  if (r->into->refused) return;
  r->into->refused = why;
  r->into->refused_pos = r->pos;
}

void tp_rsum_forget(tp_summariser *r, tp_rsum_state *s, const char *why) {
  bool is_known = false;
  for (size_t i = 0; i < r->into->forgotten.n; i++)
    is_known = is_known || strcmp(r->into->forgotten.at[i], why) == 0;
  if (!is_known) tp_vec_push(&r->into->forgotten, why);
  for (uint32_t i = 0; i < r->s->places.n; i++)
    if (r->s->places.at[i].symbol->changes)
      s->places[i] = tp_rinterval_any(r->t, r->s->places.at[i].arity);
  for (uint32_t i = 0; i < r->s->globals.n; i++) s->vars[i].at = tp_rinterval_any(r->t, 1);
  s->alloc = tp_rinterval_any(r->t, 1);
  tp_rsum_place_changed(r, s, TP_RSUM_NO_PLACE);
}
