/* From intervals to clauses.
 *
 * A contract says less than the summary where something cannot be said, never more: an expression
 * that cannot is left out with its clause. */
#include "contracts/spec/resolved_contracts.h"
#include "contracts/summarise/summary_expression.h"

typedef tp_summary_expr expr;

// --------------------------------------------------------------------------- frames

/* A set that has the objects of the pre-state of this one, and fewer new ones. */
static tp_rbound old_part(tp_rbounds *t, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  if (n->kind == TP_RBOUND_NEW || n->kind == TP_RBOUND_NEW_SET) return tp_rbound_none(t, 1);
  if (n->kind != TP_RBOUND_UNION && n->kind != TP_RBOUND_INTERSECTION) return b;
  tp_rbound all = old_part(t, n->kids[0]);
  for (uint32_t i = 1; i < n->n_kids; i++)
    all = n->kind == TP_RBOUND_UNION ? tp_rbound_union(t, all, old_part(t, n->kids[i]))
                                     : tp_rbound_intersection(t, all, old_part(t, n->kids[i]));
  return all;
}

/* Adds the objects of the pre-state among `owners`; false: they may be any. */
static bool add_owners(tp_rbounds *t, tp_rbound owners, tp_rbound *all) {
  const tp_rbound_node *n = tp_rbound_at(t, owners);
  if (n->kind == TP_RBOUND_NEW || n->kind == TP_RBOUND_NEW_SET) return true;
  if (n->kind == TP_RBOUND_UNION) {
    for (uint32_t i = 0; i < n->n_kids; i++)
      if (!add_owners(t, n->kids[i], all)) return false;
    return true;
  }
  if (n->kind == TP_RBOUND_INTERSECTION && n->has_new) owners = old_part(t, owners);
  if (tp_rbound_at(t, owners)->has_new || n->kind == TP_RBOUND_UNIV) return false;
  *all = tp_rbound_union(t, *all, owners);
  return true;
}

/* By the lower bound: each object has one value in a member, so that it has the old one if that is
 * certainly there. */
tp_summary_frame tp_summary_frame_of(tp_rsums *s, const tp_rsum_template *f, uint32_t place) {
  const tp_rinterval now = f->after.places[place];
  const tp_rbound name = s->places.at[place].name;
  tp_rbound_change kept;
  tp_rbound all = tp_rbound_none(s->t, 1);
  if (tp_rinterval_eq(now, tp_rinterval_exact(name))) return (tp_summary_frame){false, {0}};
  const bool is_known = s->places.at[place].symbol->kind != TP_SYMBOL_GLOBAL &&
                        tp_rbound_change_of(s->t, now.lower, &kept) && kept.base.id == name.id &&
                        add_owners(s->t, kept.owners, &all);
  if (!is_known) return (tp_summary_frame){true, {0}};
  return (tp_summary_frame){tp_rbound_at(s->t, all)->kind != TP_RBOUND_NONE, all};
}

// -------------------------------------------------------------------------- clauses

static void add_clause(tp_summary_writer *w, tp_clause_kind kind, expr x) {
  tp_clause c = {.kind = kind,
                 .origin = w->origin,
                 .subject = {.about = TP_SUBJECT_FUNCTION,
                             .name = tp_func_of(w->s->p, w->f->func)->name,
                             .pos = tp_func_of(w->s->p, w->f->func)->pos},
                 .expr = x};
  tp_vec_push(&w->out->all, c);
}

static bool is_new(const tp_rbound_node *n) { return n->kind == TP_RBOUND_NEW; }

static bool names_new(const tp_rbounds *t, tp_rbound b) { return tp_rbound_has_some(t, b, is_new); }

/* value = bound, or whatever the operator says. What names new objects is bound together. */
static void ensure(tp_summary_writer *w, tp_spec_expr_kind how, expr value, tp_rbound bound) {
  const expr right = tp_summary_expression(w, bound);
  const expr f = tp_summary_binary(w, how, value, right);
  if (!f) return;
  if (names_new(w->t, bound))
    tp_vec_push(&w->conjuncts, f);
  else
    add_clause(w, TP_CLAUSE_ENSURES, f);
}

/* Does the upper bound say more than the frame does? Each value that pairs may have is bounded. */
static bool is_telling(tp_summary_writer *w, tp_rbound upper) {
  tp_rbound_change c;
  if (!tp_rbound_change_of(w->t, upper, &c)) return !tp_rbound_at(w->t, upper)->has_any;
  const tp_rbound_node *n = tp_rbound_at(w->t, c.added);
  const uint32_t many = n->kind == TP_RBOUND_UNION ? n->n_kids : 1;
  for (uint32_t i = 0; i < many; i++) {
    const tp_rbound part = n->kind == TP_RBOUND_UNION ? n->kids[i] : c.added;
    const tp_rbound_node *p = tp_rbound_at(w->t, part);
    if (p->kind != TP_RBOUND_PRODUCT ||
        tp_rbound_at(w->t, p->kids[p->n_kids - 1])->kind != TP_RBOUND_UNIV)
      return true;
  }
  return false;
}

/* 0 and 1, of a function that returns a Boolean. */
static bool is_any_truth(const tp_summary_writer *w, tp_rbound upper) {
  const tp_type result = tp_type_of(w->s->p, tp_func_of(w->s->p, w->f->func)->type)->element;
  return tp_type_of(w->s->p, result)->kind == TP_T_BOOL &&
         tp_rbound_at(w->t, upper)->kind == TP_RBOUND_UNION;
}

/* What is certainly there. */
static void ensure_kept(tp_summary_writer *w, tp_rbound lower, expr value) {
  if (tp_rbound_at(w->t, lower)->kind == TP_RBOUND_NONE) return;
  const expr f = tp_summary_binary(w, TP_SPEC_IN, tp_summary_expression(w, lower), value);
  if (f && names_new(w->t, lower))
    tp_vec_push(&w->conjuncts, f);
  else if (f)
    add_clause(w, TP_CLAUSE_ENSURES, f);
}

static void bound_clauses(tp_summary_writer *w, expr value, tp_rinterval now, uint32_t arity) {
  tp_rbound_change kept;
  if (tp_rinterval_is_exact(now)) {
    ensure(w, TP_SPEC_EQUAL, value, now.upper);
    return;
  }
  const tp_rbound_kind upper = tp_rbound_at(w->t, now.upper)->kind;
  const bool is_any = upper == TP_RBOUND_UNIV || upper == TP_RBOUND_INTS ||
                      (value->kind == TP_SPEC_RESULT && is_any_truth(w, now.upper));
  if (!is_any && (arity == 1 || is_telling(w, now.upper))) ensure(w, TP_SPEC_IN, value, now.upper);
  if (arity > 1 && tp_rbound_change_of(w->t, now.lower, &kept)) ensure_kept(w, kept.added, value);
}

static expr primed(tp_summary_writer *w, expr x) { return tp_summary_unary(w, TP_SPEC_PRIME, x); }

typedef struct {
  TP_VEC(expr) at;
  bool is_unsayable;
} targets;

static void add_target(targets *all, expr x) {
  if (x)
    tp_vec_push(&all->at, x);
  else
    all->is_unsayable = true;
}

/* e.f for each set of objects e, or f. */
static void place_targets(tp_summary_writer *w, uint32_t place, targets *all) {
  const tp_symbol *m = w->s->places.at[place].symbol;
  const tp_summary_frame frame = tp_summary_frame_of(w->s, w->f, place);
  if (!frame.may_change) return;
  const expr name = tp_summary_symbol_name(w, m);
  if (!frame.objects.id) {
    add_target(all, name);
    return;
  }
  const tp_rbound_node *n = tp_rbound_at(w->t, frame.objects);
  const uint32_t many = n->kind == TP_RBOUND_UNION ? n->n_kids : 1;
  for (uint32_t i = 0; i < many; i++) {
    const tp_rbound part = n->kind == TP_RBOUND_UNION ? n->kids[i] : frame.objects;
    add_target(all, tp_summary_binary(w, TP_SPEC_JOIN, tp_summary_expression(w, part), name));
  }
}

static bool global_changes(const tp_summary_writer *w, tp_var v) {
  const tp_var_info *info = tp_var_of(w->s->p, v);
  return !info->enclosing_function && info->type.id &&
         !tp_rinterval_eq(tp_rsums_global(w->s, w->f, v),
                          tp_rinterval_exact(tp_rsums_name_of_var(w->s, v)));
}

static bool alloc_changes(const tp_summary_writer *w) {
  return !tp_rinterval_eq(w->f->after.alloc, tp_rinterval_exact(w->s->alloc));
}

/* No clause where one target cannot be said: all may change then. */
static void modifies_clause(tp_summary_writer *w) {
  targets all = {0};
  for (uint32_t i = 0; i < w->s->places.n; i++) place_targets(w, i, &all);
  for (size_t i = 0; i < w->s->globals.n; i++)
    if (global_changes(w, w->s->globals.at[i]))
      add_target(&all, tp_summary_variable_name(w, tp_var_of(w->s->p, w->s->globals.at[i])));
  if (alloc_changes(w)) add_target(&all, tp_summary_atom(w, TP_SPEC_ALLOC));
  if (all.at.n == 0 && !all.is_unsayable) add_target(&all, tp_summary_atom(w, TP_SPEC_NONE));
  if (!all.is_unsayable) {
    const expr *own =
        memcpy(tp_arena_array(w->a, expr, all.at.n), all.at.at, all.at.n * sizeof *all.at.at);
    add_clause(w, TP_CLAUSE_MODIFIES, NULL);
    tp_vec_last(&w->out->all).targets = own;
    tp_vec_last(&w->out->all).n_targets = (uint32_t)all.at.n;
  }
  tp_vec_clear(&all.at);
}

// ----------------------------------------------------------------------- new objects

static bool is_certain(const tp_summary_writer *w, tp_rbound object) {
  return tp_rbound_leq(w->t, object, w->f->after.alloc.lower);
}

static expr all_different(tp_summary_writer *w, expr body) {
  for (size_t i = 0; i < w->made.n; i++)
    for (size_t j = i + 1; j < w->made.n; j++) {
      const tp_rbound_node *x = tp_rbound_at(w->t, w->made.at[i]),
                           *y = tp_rbound_at(w->t, w->made.at[j]);
      if (x->basic != y->basic) continue;
      const expr common =
          tp_summary_binary(w, TP_SPEC_INTERSECTION, tp_summary_expression(w, w->made.at[i]),
                            tp_summary_expression(w, w->made.at[j]));
      body = tp_summary_binary(w, TP_SPEC_AND, tp_summary_unary(w, TP_SPEC_NO, common), body);
    }
  return body;
}

static tp_rbound being_in(tp_summary_writer *w, tp_rbound object, tp_rbound set, tp_map *known);

static tp_rbound find_being_in(tp_summary_writer *w, tp_rbound object, tp_rbound set,
                               tp_map *known) {
  const tp_rbound_node *n = tp_rbound_at(w->t, set);
  if (n->kind == TP_RBOUND_IF) {
    const tp_rbound yes = being_in(w, object, n->kids[1], known),
                    no = being_in(w, object, n->kids[2], known);
    return tp_rbound_or(w->t, tp_rbound_and(w->t, n->kids[0], yes),
                        tp_rbound_and(w->t, tp_rbound_not(w->t, n->kids[0]), no));
  }
  tp_rbound any = tp_rbound_leq(w->t, object, set) ? tp_rbound_true(w->t) : tp_rbound_false(w->t);
  for (uint32_t i = 0; i < n->n_kids && n->kind == TP_RBOUND_UNION; i++)
    any = tp_rbound_or(w->t, any, being_in(w, object, n->kids[i], known));
  return any;
}

static tp_rbound being_in(tp_summary_writer *w, tp_rbound object, tp_rbound set, tp_map *known) {
  uint64_t found;
  if (tp_map_get(known, set.id, &found)) return (tp_rbound){(uint32_t)found};
  const tp_rbound when = find_being_in(w, object, set, known);
  tp_map_set(known, set.id, when.id);
  return when;
}

/* When the object is certainly in the set, as far as its choices show. */
static tp_rbound condition_of_being_in(tp_summary_writer *w, tp_rbound object, tp_rbound set) {
  tp_map known = {0};
  const tp_rbound when = being_in(w, object, set, &known);
  tp_map_clear(&known);
  return when;
}

/* condition => some n, and the body. */
static expr with_existence(tp_summary_writer *w, tp_rbound object, const char *name, expr body) {
  const tp_rbound when = condition_of_being_in(w, object, w->f->after.alloc.lower);
  if (tp_rbound_at(w->t, when)->kind == TP_RBOUND_FALSE) return body;
  const expr condition = tp_summary_expression(w, when);
  if (!condition) return body;
  const expr exists = tp_summary_unary(w, TP_SPEC_SOME, tp_summary_name(w, name, NULL));
  return tp_summary_binary(w, TP_SPEC_AND, tp_summary_binary(w, TP_SPEC_IMPLIES, condition, exists),
                           body);
}

/* some n : T - \alloc | body; where not every run makes it: some o : T - \alloc + null | let n = o
 * - null | body. */
static expr bind_object(tp_summary_writer *w, tp_rbound object, expr body) {
  const tp_rbound_node *n = tp_rbound_at(w->t, object);
  const expr type = tp_summary_type_name(w, n->basic);
  if (!type || !body) return NULL;
  const char *name = tp_summary_new_name(w, n->number);
  expr set = tp_summary_binary(w, TP_SPEC_DIFFERENCE, type, tp_summary_atom(w, TP_SPEC_ALLOC));
  if (!is_certain(w, object)) {
    const char *maybe = tp_arena_printf(w->a, "%s_or_null", name);
    const tp_spec_expr_decl let = {
        .name = name,
        .bound = tp_summary_binary(w, TP_SPEC_DIFFERENCE, tp_summary_name(w, maybe, NULL),
                                   tp_summary_atom(w, TP_SPEC_NULL))};
    body = tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_LET}, &body, 1, &let, 1);
    set = tp_summary_binary(w, TP_SPEC_UNION, set, tp_summary_atom(w, TP_SPEC_NULL));
    name = maybe;
  }
  const tp_spec_expr_decl d = {.name = name, .bound = set};
  return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_EXISTS}, &body, 1, &d, 1);
}

static void conjunction_clause(tp_summary_writer *w) {
  if (w->conjuncts.n == 0) return;
  expr body = w->conjuncts.at[0];
  for (size_t i = 1; i < w->conjuncts.n; i++)
    body = tp_summary_binary(w, TP_SPEC_AND, body, w->conjuncts.at[i]);
  body = all_different(w, body);
  // behind all bindings: whether an object is made may depend on one with a larger number
  for (size_t i = w->made.n; i-- > 0 && body;)
    if (!is_certain(w, w->made.at[i]))
      body =
          with_existence(w, w->made.at[i],
                         tp_summary_new_name(w, tp_rbound_at(w->t, w->made.at[i])->number), body);
  for (size_t i = w->made.n; i-- > 0;) body = bind_object(w, w->made.at[i], body);
  if (body) add_clause(w, TP_CLAUSE_ENSURES, body);
}

// ------------------------------------------------------------------------------ all

static void ensures_clauses(tp_summary_writer *w) {
  for (uint32_t i = 0; i < w->s->places.n; i++) {
    const tp_rsum_place *p = &w->s->places.at[i];
    const tp_rinterval now = w->f->after.places[i];
    const expr name = tp_summary_symbol_name(w, p->symbol);
    if (!p->symbol->changes || tp_rinterval_eq(now, tp_rinterval_exact(p->name)) || !name) continue;
    bound_clauses(w, primed(w, name), now, p->arity);
  }
  for (size_t i = 0; i < w->s->globals.n; i++) {
    const tp_var v = w->s->globals.at[i];
    if (!global_changes(w, v)) continue;
    bound_clauses(w, primed(w, tp_summary_variable_name(w, tp_var_of(w->s->p, v))),
                  tp_rsums_global(w->s, w->f, v), 1);
  }
  const expr alloc = primed(w, tp_summary_atom(w, TP_SPEC_ALLOC));
  if (alloc_changes(w)) bound_clauses(w, alloc, w->f->after.alloc, 1);
  if (!tp_rinterval_is_exact(w->f->after.alloc)) ensure_kept(w, w->f->after.alloc.lower, alloc);
  const tp_type result = tp_type_of(w->s->p, tp_func_of(w->s->p, w->f->func)->type)->element;
  const tp_rsum_value *v = &w->f->result;
  if (result.id && v->at.upper.id && !v->cell && !v->is_anywhere)
    bound_clauses(w, tp_summary_atom(w, TP_SPEC_RESULT), v->at, 1);
}

static void clear(tp_summary_writer *w) {
  tp_vec_clear(&w->conjuncts);
  tp_vec_clear(&w->made);
  tp_map_clear(&w->integers);
}

static void add_all(tp_rsums *s, const tp_rsum_template *f, tp_contract_origin origin,
                    tp_clauses *out) {
  tp_summary_writer w = {.s = s, .t = s->t, .f = f, .out = out, .a = &out->arena, .origin = origin};
  if (f->refused) return;
  if (f->after.is_dead) {
    add_clause(&w, TP_CLAUSE_ENSURES, tp_summary_atom(&w, TP_SPEC_FALSE));
    return;
  }
  modifies_clause(&w);
  ensures_clauses(&w);
  conjunction_clause(&w);
  clear(&w);
}

void tp_summary_contract_add(tp_rsums *s, const tp_rsum_template *f, tp_clauses *out) {
  add_all(s, f, TP_CONTRACT_WRITTEN, out);
}

void tp_summary_contract_propose(tp_rsums *s, const tp_rsum_template *f, tp_clauses *out) {
  add_all(s, f, TP_CONTRACT_PROPOSED, out);
}

/* e.f becomes f. */
static expr without_objects(expr target) {
  while (target->kind == TP_SPEC_JOIN) target = target->kids[target->n_kids - 1];
  return target;
}

void tp_summary_contract_add_weak(tp_rsums *s, const tp_rsum_template *f, tp_summary_strength how,
                                  tp_clauses *out) {
  tp_summary_writer w = {
      .s = s, .t = s->t, .f = f, .out = out, .a = &out->arena, .origin = TP_CONTRACT_SUMMARY};
  const size_t first = out->all.n;
  if (f->refused) return;
  if (how == TP_SUMMARY_FULL) {
    add_all(s, f, TP_CONTRACT_SUMMARY, out);
    return;
  }
  if (how == TP_SUMMARY_FRAME && !f->after.is_dead) modifies_clause(&w);
  clear(&w);
  TP_INVARIANT(out->all.n <= first + 1);
  if (out->all.n == first) {
    add_clause(&w, TP_CLAUSE_ENSURES, tp_summary_atom(&w, TP_SPEC_TRUE));
    return;
  }
  tp_clause *c = &out->all.at[first];
  expr *all = tp_arena_array(w.a, expr, c->n_targets + 1);
  for (uint32_t i = 0; i < c->n_targets; i++) all[i] = without_objects(c->targets[i]);
  c->targets = all;
}

void tp_summary_contract_print(tp_rsums *s, const tp_rsum_template *f, tp_rbound b, tp_str *out) {
  tp_arena arena;
  tp_arena_init(&arena);
  tp_summary_writer w = {.s = s, .t = s->t, .f = f, .a = &arena};
  const expr x = tp_summary_expression(&w, b);
  if (x)
    tp_spec_expr_print(x, out);
  else
    tp_rbound_print(s->t, b, out);
  clear(&w);
  tp_arena_clear(&arena);
}

uint32_t tp_summary_contract_filter(tp_object_model *u, tp_clauses *c) {
  tp_contracts m;
  const bool was_muted = c->is_muted;
  uint32_t n = 0, n_removed = 0;
  c->is_muted = true;
  tp_contracts_init(&m, u, c);
  bool *is_resolved = TP_NEW_ARRAY(bool, c->all.n + 1);
  for (size_t k = 0; k < m.all.n; k++) is_resolved[m.all.at[k].clause - c->all.at] = true;
  tp_contracts_clear(&m);
  for (uint32_t i = 0; i < c->all.n; i++)
    if (is_resolved[i])
      c->all.at[n++] = c->all.at[i];
    else
      n_removed++;
  tp_free(is_resolved);
  c->all.n = n;
  c->is_muted = was_muted;
  return n_removed;
}
