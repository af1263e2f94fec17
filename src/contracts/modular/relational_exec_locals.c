/* Local variables in memory: an atom for each time that the execution comes to a declaration.
 *
 * Unrolled code has one place for each such time, so the atom is known while the code is executed,
 * and the bound on objects has no part in it. An execution that is used for many calls of a
 * function (contracts/modular/call_templates.h) has its atoms once for all of them. That is sound
 * as long as nothing can lead to a variable of an earlier call: where the address of one may have
 * got into memory, it stays among the objects that are gone while something leads to it, and the
 * execution ends, UNSUPPORTED, when its declaration is reached again. What an uninitialised
 * variable holds is the call's own choice.
 *
 * Which variables these are is read off the expressions that are stored: an atom can come into a
 * value only by the expressions that are its parts (rows of a relation, not their owners). */
#include "contracts/modular/relational_exec_priv.h"

static tp_rel_expr common(tp_rexecutor *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_INTERSECTION, a, b);
}

static bool has_escaped(const tp_rexecutor *r, tp_rel_expr local) {
  return r->all_escaped || tp_map_has(&r->escaped, local.id);
}

bool tp_rexecutor_local(tp_rexecutor *r, tp_rexec_state *s, const char *name, uint32_t basic,
                        uint32_t n_elements, uint32_t n_atoms, tp_rheap_local *out) {
  TP_REQUIRE(name && !s->is_dead);
  const size_t number = r->h->locals.n - r->n_locals;
  if (number >= TP_CONTRACTS_LOCALS) {
    tp_rexecutor_end(r, s, TP_REXEC_OBJECTS, tp_rel_bool(r->l, true), "one more local variable");
    return false;
  }
  const char *in = r->policy.name;
  *out = tp_rheap_local_of(
      r->h,
      tp_arena_printf(r->arena, "%s %zu%s%s", name, number + 1, in ? " of " : "", in ? in : ""),
      basic, n_elements, n_atoms);
  if (r->from && has_escaped(r, out->set))
    tp_rexecutor_end(
        r, s, TP_REXEC_UNSUPPORTED,
        tp_rel_multiplicity(r->l, TP_REL_SOME, common(r, out->set, r->from->before.freed)),
        "a call while something leads to a variable of an earlier call");
  s->stack = s->stack.id ? tp_rexec_union(r, s->stack, out->set) : out->set;
  return true;
}

/* In an execution that stands for many calls it is a value of each of them. */
tp_rel_expr tp_rexecutor_fresh_local(tp_rexecutor *r, uint32_t field) {
  if (!r->from) return tp_rheap_uninitialised(r->h, field);
  const tp_rheap_field *f = &r->h->fields.at[field];
  const char *own = tp_rel_relation_name(r->l, tp_rel_relation_number(r->l, f->initial));
  return tp_rheap_havoc_fresh(
      r->h, tp_arena_printf(r->arena, "fresh %s in %s", own, r->policy.name ? r->policy.name : ""),
      f->symbol);
}

tp_rel_expr tp_rexecutor_gone(tp_rexecutor *r, const tp_rexec_state *s) {
  if (!s->freed.id || !s->ended.id) return s->freed.id ? s->freed : s->ended;
  return tp_rexec_union(r, s->freed, s->ended);
}

tp_rheap_objects tp_rexecutor_objects(tp_rexecutor *r, const tp_rexec_state *s) {
  const uint32_t n = (uint32_t)r->h->object_model->basics.n;
  tp_rel_expr *last = tp_arena_array(r->arena, tp_rel_expr, n);
  for (uint32_t b = 0; b < n; b++)
    if (r->h->types[b].is_used) last[b] = s->last[b].id ? s->last[b] : r->h->types[b].last;
  tp_rel_expr stack = s->stack.id ? s->stack : s->shown;
  if (s->stack.id && s->shown.id) stack = tp_rexec_union(r, s->stack, s->shown);
  return (tp_rheap_objects){last, stack};
}

// ---------------------------------------------------------------------- escapes

static void mark_own_local(tp_rexecutor *r, uint32_t id) {
  for (size_t i = r->n_locals; i < r->h->locals.n; i++) {
    const tp_rheap_local *v = &r->h->locals.at[i];
    if (v->set.id == id || v->elements.id == id) tp_map_set(&r->escaped, v->set.id, 1);
  }
}

/* Structs inside of others and elements of arrays: they are reached through what they lie in. */
static bool is_inner(const tp_rexecutor *r, uint32_t id) {
  const tp_rel_node *n = tp_rel_at(r->l, id);
  for (uint32_t b = 0; b < r->h->object_model->basics.n; b++)
    if (r->h->types[b].is_used && r->h->types[b].shift.id == id) return true;
  for (size_t i = 0; i < r->h->fields.n && n->kind == TP_REL_RELATION; i++)
    if (r->h->fields.at[i].is_inner &&
        (r->h->fields.at[i].initial.id == id || r->h->fields.at[i].lies.id == id))
      return true;
  return false;
}

static bool ends_in_univ(const tp_rexecutor *r, uint32_t id) {
  const tp_rel_node *n = tp_rel_at(r->l, id);
  return n->kind == TP_REL_UNIV || (n->kind == TP_REL_PRODUCT && ends_in_univ(r, n->kids[1]));
}

/* Atoms of all objects of a type, local variables among them. */
static bool is_set_of_type(const tp_rexecutor *r, uint32_t id) {
  for (uint32_t b = 0; b < r->h->object_model->basics.n; b++)
    if (r->h->types[b].is_used && (r->h->types[b].set.id == id || r->h->types[b].locals.id == id))
      return true;
  return false;
}

enum { ANY_LOCAL = INT32_MAX };

/* The last column of the expression has only atoms that the last columns of these have, at most
 * two; ANY_LOCAL: nothing is known. */
static uint32_t parts_of_value(const tp_rexecutor *r, uint32_t id, uint32_t *parts) {
  const tp_rel_node *n = tp_rel_at(r->l, id);
  uint32_t k = 0;
  switch ((int)n->kind) {
    case TP_REL_RELATION: return is_set_of_type(r, id) ? ANY_LOCAL : 0;
    case TP_REL_NONE:
    case TP_REL_INTS:
    case TP_REL_ATOM_OF: return 0;
    case TP_REL_JOIN: parts[k++] = n->kids[!is_inner(r, n->kids[1])]; return k;
    case TP_REL_PRODUCT:
    case TP_REL_DOMAIN: parts[k++] = n->kids[1]; return k;
    case TP_REL_RANGE:
    case TP_REL_DIFFERENCE: parts[k++] = n->kids[0]; return k;
    case TP_REL_INTERSECTION: parts[k++] = n->kids[ends_in_univ(r, n->kids[0])]; return k;
    case TP_REL_UNION:
    case TP_REL_OVERRIDE:
    case TP_REL_IF:  // a condition, then two expressions
      parts[k++] = n->kids[n->n_kids - 2];
      parts[k++] = n->kids[n->n_kids - 1];
      return k;
    default: return ANY_LOCAL;
  }
}

void tp_rexecutor_note_escape(tp_rexecutor *r, tp_rel_expr value) {
  TP_VEC(uint32_t) todo = {0};
  uint32_t parts[2];
  if (!r->from || r->h->locals.n == r->n_locals || !value.id) return;
  tp_vec_push(&todo, value.id);
  while (todo.n) {
    const uint32_t at = tp_vec_pop(&todo);
    if (tp_map_has(&r->seen, at)) continue;
    tp_map_set(&r->seen, at, 1);
    mark_own_local(r, at);
    const uint32_t n = parts_of_value(r, at, parts);
    r->all_escaped = r->all_escaped || n == ANY_LOCAL;
    for (uint32_t i = 0; n != ANY_LOCAL && i < n; i++) tp_vec_push(&todo, parts[i]);
  }
  tp_vec_clear(&todo);
}

// ------------------------------------------------------------------------ leaving

/* All atoms in any column. */
static tp_rel_expr atoms_of(tp_rexecutor *r, tp_rel_expr x, uint32_t arity) {
  const tp_rel_expr univ = tp_rel_univ(r->l);
  tp_rel_expr all = tp_rel_none(r->l, 1);
  for (uint32_t column = 0; column < arity; column++) {
    tp_rel_expr one = x;
    for (uint32_t i = 0; i < column; i++) one = tp_rexec_join(r, univ, one);
    for (uint32_t i = column + 1; i < arity; i++) one = tp_rexec_join(r, one, univ);
    all = tp_rexec_union(r, all, one);
  }
  return all;
}

/* All that members of objects that are not gone, globals and the result lead to. */
static tp_rel_expr referenced(tp_rexecutor *r, const tp_rexec_state *s, tp_rel_expr result) {
  const tp_rheap *h = r->h;
  const tp_rel_expr gone = tp_rexecutor_gone(r, s), univ = tp_rel_univ(r->l),
                    live = gone.id ? tp_rexec_difference(r, univ, gone) : univ;
  tp_rel_expr all = result.id ? result : tp_rel_none(r->l, 1);
  for (uint32_t f = 0; f < h->fields.n; f++) {
    const tp_symbol *symbol = h->fields.at[f].symbol;
    const bool is_ghost = symbol->kind == TP_SYMBOL_GHOST;
    if (h->fields.at[f].is_inner ||
        (!is_ghost && tp_rheap_is_integer(h, tp_rheap_value_type(h, symbol))))
      continue;
    tp_rel_expr value = tp_rexecutor_field(r, s, f);
    const uint32_t n_keys = tp_rheap_n_keys(h, symbol);
    if (!tp_rheap_is_global(symbol)) value = tp_rel_binary(r->l, TP_REL_DOMAIN, live, value);
    if (is_ghost) value = atoms_of(r, value, n_keys + 1);
    for (uint32_t i = 0; i < n_keys && !is_ghost; i++) value = tp_rexec_join(r, univ, value);
    all = tp_rexec_union(r, all, value);
  }
  return all;
}

void tp_rexecutor_leave(tp_rexecutor *r, tp_rexec_state *s, tp_rel_expr result) {
  TP_REQUIRE(r->from && !s->is_dead);
  tp_rel_expr known = {0};
  for (size_t i = r->n_locals; i < r->h->locals.n; i++) {
    const tp_rel_expr local = r->h->locals.at[i].set;
    if (has_escaped(r, local)) known = known.id ? tp_rexec_union(r, known, local) : local;
  }
  if (known.id) {
    const tp_rel_expr left = common(r, tp_rexecutor_with_inner(r, known), referenced(r, s, result));
    s->freed = s->freed.id ? tp_rexec_union(r, s->freed, left) : left;
    r->out->shows_locals = true;
  }
  s->ended = (tp_rel_expr){0};
}

void tp_rexecutor_finish_locals(tp_rexecutor *r) {
  tp_rheap *h = r->h;
  tp_rel_expr all = {0};
  for (size_t i = r->n_locals; i < h->locals.n; i++)
    all = all.id ? tp_rexec_union(r, all, h->locals.at[i].set) : h->locals.at[i].set;
  r->out->locals = all.id ? tp_rexecutor_with_inner(r, all) : all;
  if (!r->from) return;
  const tp_rheap_objects objects = {.last = r->from->before.last};
  for (size_t i = r->n_havocs; i < h->havocs.n; i++)
    if (h->havocs.at[i].is_fresh)
      tp_vec_push(&r->out->demanded,
                  tp_rheap_is_fresh(h, h->havocs.at[i].symbol, h->havocs.at[i].relation,
                                    r->n_locals, h->locals.n, objects));
}
