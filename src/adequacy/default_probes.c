/* Predicates that the program itself asks about.
 *
 * Atoms of branch conditions and of the property's checks flow backward along edges, as weakest
 * preconditions do: assignments are substituted, loads become memory cells, stores replace the
 * cells that they surely write, a new object has the size that was asked for. Where an atom passes
 * a cutpoint it becomes a probe there, unless a variable in it is dead or has no name. Atoms that
 * compare give their neighbours as well (probe_atoms.h), so that the cells of an order are
 * complete. Pointers that are followed give one question each: do they lead to a whole object of
 * their type; and where an element of an object is chosen by an index, how the object's size
 * relates to the integers that are compared nearby (no branch of the program ever asks that, yet
 * proofs of bounds rest on it).
 *
 * Heuristics: predicates are never wrong, only useless. A store through another pointer leaves an
 * atom as it is; a call is passed both through the callee and over it. Loops are turned twice,
 * everything is bounded, what is nearest to the property is kept. Source: Yorsh, Ball, Sagiv 2006,
 * sec. 4; we add sizes of objects. */
#include "adequacy/probe_atoms.h"
#include "adequacy/adequacy_limits.h"
#include "adequacy/probe_sources.h"
#include "program/access.h"
#include "program/cells.h"
#include "program/liveness.h"
#include "expression/expression.h"
#include "expression/expression_print.h"

#include <stdlib.h>

enum { FAR = INT32_MAX };

/* An atom on its way. */
typedef struct {
  tp_loc at;
  tp_term atom;
  uint32_t rank;                          // distance from the property, and what was passed since
  tp_loc heads[TP_ADEQUACY_PROBE_HEADS];  // loop heads passed, the last first, and how often each
  uint8_t turns[TP_ADEQUACY_PROBE_HEADS];
} item;

typedef struct {
  tp_term atom;
  uint32_t rank, order;
} candidate;
typedef TP_VEC(candidate) candidates;

typedef struct {
  const tp_program *p;
  tp_terms *tt;
  tp_default_probes how;
  uint32_t *distance;  // by location: edges to the nearest error of the property
  bool *is_cutpoint;
  candidates *found;   // by location, only at cutpoints
  uint32_t *n_passed;  // by location
  tp_map seen;         // (location, atom)
  TP_VEC(item) queue;
  size_t next;
  tp_liveness *live;
} flow;

// -------------------------------------------------------------------- distance

static void reach(flow *f, uint32_t *queue, size_t *n, tp_loc at, uint32_t distance) {
  if (f->distance[at.id] != FAR) return;
  f->distance[at.id] = distance;
  queue[(*n)++] = at.id;
}

/* Backward from the errors; calls are passed over and through. */
static void measure(flow *f) {
  const tp_program *p = f->p;
  uint32_t *queue = TP_NEW_ARRAY(uint32_t, p->locs.n);
  size_t n = 0;
  for (uint32_t i = 0; i < p->locs.n; i++) f->distance[i] = FAR;
  for (uint32_t i = 1; i < p->locs.n; i++)
    if (p->locs.at[i].error != TP_P_NONE &&
        tp_property_covers(f->how.property, p->locs.at[i].error))
      reach(f, queue, &n, (tp_loc){i}, 0);
  for (size_t done = 0; done < n; done++) {
    tp_loc at = {queue[done]};
    uint32_t d = f->distance[at.id] + 1;
    tp_edge_list in = tp_in_edges(p, at);
    for (uint32_t i = 0; i < in.n; i++) {
      const tp_edge_info *e = tp_edge_of(p, (tp_edge){in.at[i]});
      reach(f, queue, &n, e->from, d);
      if (e->kind == TP_E_CALL && e->callee.id && tp_func_of(p, e->callee)->has_body)
        reach(f, queue, &n, tp_func_of(p, e->callee)->exit, d);
    }
    tp_func own = tp_loc_of(p, at)->func;
    if (own.id == 0 || tp_func_of(p, own)->entry.id != at.id) continue;
    for (uint32_t i = 1; i < p->edges.n; i++)
      if (p->edges.at[i].kind == TP_E_CALL && p->edges.at[i].callee.id == own.id)
        reach(f, queue, &n, p->edges.at[i].from, d);
  }
  tp_free(queue);
}

// ---------------------------------------------------------------------- atoms

static tp_term base_of(const tp_terms *tt, tp_term address) {
  while (tp_kind(tt, address) == TP_OP_PTR_ADD) address = tp_arg(tt, address, 0);
  return address;
}

/* The address of an object that the program declares: nothing to ask about it. */
static bool is_declared(const flow *f, tp_term pointer) {
  tp_term base = base_of(f->tt, pointer);
  tp_var v = tp_program_var_of(f->p, base);
  return tp_kind(f->tt, base) == TP_OP_PTR_CONST || (v.id && tp_var_of(f->p, v)->is_address);
}

static bool is_about_declared(void *ctx, const tp_terms *tt, tp_term t) {
  const flow *f = ctx;
  tp_term_kind k = tp_kind(tt, t);
  bool is_about = k == TP_OP_PTR_OBJ || k == TP_OP_PTR_OFF;
  if (is_about && is_declared(f, tp_arg(tt, t, 0))) return true;
  return k == TP_OP_EQ && tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_PTR &&
         is_declared(f, tp_arg(tt, t, 0)) && is_declared(f, tp_arg(tt, t, 1));
}

static bool is_worth_it(flow *f, tp_term atom) {
  return !tp_is_const(f->tt, atom) &&
         tp_sort_kind_of(f->tt, tp_sort_of(f->tt, atom)) == TP_SORT_BOOL &&
         tp_dag_size(f->tt, atom) <= TP_ADEQUACY_PROBE_NODES;
}

static void keep(flow *f, tp_loc at, tp_term atom, uint32_t rank) {
  atom = tp_atom_plain(f->tt, atom);
  if (!f->is_cutpoint[at.id] || !is_worth_it(f, atom) ||
      tp_any_subterm(f->tt, atom, is_about_declared, f))
    return;
  candidates *c = &f->found[at.id];
  for (size_t i = 0; i < c->n; i++) {
    if (!tp_term_eq(c->at[i].atom, atom)) continue;
    if (rank < c->at[i].rank) c->at[i].rank = rank;
    return;
  }
  tp_vec_push(c, (candidate){atom, rank, (uint32_t)c->n});
}

static void keep_family(flow *f, tp_loc at, tp_term atom, uint32_t rank) {
  tp_atom_family all = tp_atom_family_of(f->tt, atom);
  for (size_t i = 0; i < all.n; i++) keep(f, at, all.atoms[i], rank + all.extra[i]);
}

/* How often the head was passed by now. Of many the one that was passed longest ago is forgotten.
 */
static uint8_t pass_head(item *i, tp_loc head) {
  uint8_t turns = 1;
  size_t k = 0;
  while (k < TP_ADEQUACY_PROBE_HEADS - 1 && i->heads[k].id && i->heads[k].id != head.id) k++;
  if (i->heads[k].id == head.id) turns = (uint8_t)(i->turns[k] + 1);
  for (; k > 0; k--) {
    i->heads[k] = i->heads[k - 1];
    i->turns[k] = i->turns[k - 1];
  }
  i->heads[0] = head;
  i->turns[0] = turns;
  return turns;
}

static void send(flow *f, item from, tp_loc to, tp_term atom, uint32_t cost) {
  atom = tp_atom_plain(f->tt, atom);
  uint64_t key = (uint64_t)to.id << 32 | atom.id;
  if (!is_worth_it(f, atom) || tp_map_has(&f->seen, key) || f->queue.n >= TP_ADEQUACY_PROBE_ITEMS ||
      f->n_passed[to.id] >= TP_ADEQUACY_PROBES_AT_LOCATION)
    return;
  item i = from;
  i.at = to;
  i.atom = atom;
  i.rank += cost;
  if (tp_loc_of(f->p, to)->is_loop_head) {
    uint8_t turns = pass_head(&i, to);
    if (turns > TP_ADEQUACY_PROBE_TURNS) return;
    i.rank += (turns - 1u) * TP_ADEQUACY_PROBE_TURN_COST;
  }
  tp_map_set(&f->seen, key, 1);
  f->n_passed[to.id]++;
  tp_vec_push(&f->queue, i);
}

// ------------------------------------------------------------ weakest conditions

static tp_term replaced(flow *f, tp_term t, tp_term symbol, tp_term with) {
  return tp_replace(f->tt, t, symbol, with);
}

static bool mentions(flow *f, tp_term t, tp_term symbol) { return tp_occurs(f->tt, symbol, t); }

typedef struct {
  const tp_terms *tt;
  tp_term (*answer)(void *ctx, tp_term select);
  void *ctx;
} select_rewriting;
static tp_term answer_select(void *ctx, tp_term t, tp_term made) {
  const select_rewriting *r = ctx;
  (void)t;
  tp_term other = tp_kind(r->tt, made) == TP_OP_SELECT ? r->answer(r->ctx, made) : TP_TERM_NONE;
  return tp_term_is(other) ? other : made;
}

/* t with each application of SELECT that has an answer replaced by it. */
static tp_term rebuilt(flow *f, tp_term t, tp_term (*answer)(void *ctx, tp_term select),
                       void *ctx) {
  select_rewriting r = {f->tt, answer, ctx};
  return tp_map_terms(f->tt, t, &(tp_mapper){.ctx = &r, .after = answer_select}, NULL);
}

typedef struct {
  flow *f;
  tp_term address, value;
} stored;
static tp_term read_stored(void *ctx, tp_term select) {
  const stored *s = ctx;
  tp_term at;
  bool same_sort = tp_sort_eq(tp_sort_of(s->f->tt, select), tp_sort_of(s->f->tt, s->value));
  return same_sort && tp_is_cell(s->f->p, select, &at) && tp_term_eq(at, s->address) ? s->value
                                                                                     : TP_TERM_NONE;
}

typedef struct {
  flow *f;
  const tp_edge_info *e;
  tp_term object;
} allocated;
static tp_term read_allocated(void *ctx, tp_term select) {
  const allocated *a = ctx;
  const tp_program *p = a->f->p;
  tp_var array = tp_program_var_of(p, tp_arg(a->f->tt, select, 0));
  if (!tp_term_eq(tp_arg(a->f->tt, select, 1), a->object)) return TP_TERM_NONE;
  if (array.id == p->ghost_size.id) return a->e->a;
  if (array.id == p->ghost_live.id) return tp_mk_true(a->f->tt);
  if (array.id == p->ghost_kind.id) return tp_mk_bv(a->f->tt, 8, a->e->object_kind);
  return TP_TERM_NONE;
}

static tp_term before_allocation(flow *f, const tp_edge_info *e, tp_term atom) {
  tp_term symbol = tp_var_of(f->p, e->var)->term;
  if (!mentions(f, atom, symbol)) return atom;
  allocated a = {f, e, tp_mk1(f->tt, TP_OP_PTR_OBJ, symbol)};
  tp_term t = rebuilt(f, atom, read_allocated, &a);
  return mentions(f, t, symbol) ? TP_TERM_NONE : t;
}

/* The atom in front of an edge that is no call; NONE: nothing is left of it. */
static tp_term before(flow *f, const tp_edge_info *e, tp_term atom) {
  switch (e->kind) {
    case TP_E_ASSIGN: return replaced(f, atom, tp_var_of(f->p, e->var)->term, e->a);
    case TP_E_LOAD: {
      tp_term cell = tp_cell(f->p, tp_sort_of(f->tt, tp_var_of(f->p, e->var)->term), e->a);
      tp_term symbol = tp_var_of(f->p, e->var)->term;
      if (!tp_term_is(cell)) return mentions(f, atom, symbol) ? TP_TERM_NONE : atom;
      return replaced(f, atom, symbol, cell);
    }
    case TP_E_STORE: {
      stored s = {f, e->a, e->b};
      return rebuilt(f, atom, read_stored, &s);
    }
    case TP_E_ALLOC: return before_allocation(f, e, atom);
    case TP_E_HAVOC: return mentions(f, atom, tp_var_of(f->p, e->var)->term) ? TP_TERM_NONE : atom;
    case TP_E_RETURN: {
      tp_var result = tp_func_of(f->p, tp_loc_of(f->p, e->from)->func)->result;
      return result.id && tp_term_is(e->a) ? replaced(f, atom, tp_var_of(f->p, result)->term, e->a)
                                           : atom;
    }
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
    case TP_E_CALL:
    case TP_E_END_SCOPE: return atom;
  }
  return atom;
}

static void pass_call(flow *f, item i, const tp_edge_info *e) {
  tp_term result = e->var.id ? tp_var_of(f->p, e->var)->term : TP_TERM_NONE;
  bool uses_result = e->var.id && mentions(f, i.atom, result);
  const tp_func_info *callee = e->callee.id ? tp_func_of(f->p, e->callee) : NULL;
  if (!uses_result) send(f, i, e->from, i.atom, 1);
  if (!callee || !callee->has_body || callee->is_model) return;
  tp_term own = callee->result.id ? tp_var_of(f->p, callee->result)->term : TP_TERM_NONE;
  if (uses_result &&
      (!tp_term_is(own) || !tp_sort_eq(tp_sort_of(f->tt, own), tp_sort_of(f->tt, result))))
    return;
  tp_term atom = uses_result ? replaced(f, i.atom, result, own) : i.atom;
  for (uint32_t k = 0; k < e->n_args && k < callee->n_params;
       k++)  // what the caller passed goes by the parameter's name inside
    if (tp_kind(f->tt, e->args[k]) == TP_OP_VAR)
      atom = replaced(f, atom, e->args[k], tp_var_of(f->p, callee->params[k])->term);
  send(f, i, callee->exit, atom, 1);
}

typedef struct {
  flow *f;
  const tp_edge_info *call;
} binding;
static tp_term argument_of(void *ctx, tp_term var) {
  const binding *b = ctx;
  const tp_func_info *callee = tp_func_of(b->f->p, b->call->callee);
  for (uint32_t i = 0; i < callee->n_params && i < b->call->n_args; i++)
    if (tp_term_eq(tp_var_of(b->f->p, callee->params[i])->term, var)) return b->call->args[i];
  return TP_TERM_NONE;
}

/* At the entry of a function: to all its callers. */
static void leave_upward(flow *f, item i, tp_func own) {
  for (uint32_t k = 1; k < f->p->edges.n; k++) {
    const tp_edge_info *e = &f->p->edges.at[k];
    if (e->kind != TP_E_CALL || e->callee.id != own.id || e->from.id == 0) continue;
    binding b = {f, e};
    send(f, i, e->from, tp_subst(f->tt, i.atom, argument_of, &b, NULL), 1);
  }
}

static void advance(flow *f, item i) {
  keep_family(f, i.at, i.atom, i.rank);
  tp_edge_list in = tp_in_edges(f->p, i.at);
  for (uint32_t k = 0; k < in.n; k++) {
    const tp_edge_info *e = tp_edge_of(f->p, (tp_edge){in.at[k]});
    if (e->kind == TP_E_CALL) {
      pass_call(f, i, e);
      continue;
    }
    tp_term t = before(f, e, i.atom);
    if (tp_term_is(t)) send(f, i, e->from, t, 1);
  }
  tp_func own = tp_loc_of(f->p, i.at)->func;
  if (own.id && tp_func_of(f->p, own)->entry.id == i.at.id) leave_upward(f, i, own);
}

// ----------------------------------------------------------------------- seeds

static void seed(flow *f, tp_loc at, tp_term atom, uint32_t extra) {
  uint32_t d = f->distance[at.id];
  if (d != FAR) send(f, (item){.at = at, .rank = d + extra}, at, atom, 0);
}

static void seed_atoms(flow *f, tp_loc at, tp_term t) {
  tp_terms *tt = f->tt;
  tp_term_kind k = tp_kind(tt, t);
  bool is_connective =
      k == TP_OP_NOT || k == TP_OP_AND || k == TP_OP_OR || k == TP_OP_XOR || k == TP_OP_ITE;
  if (!is_connective) {
    seed(f, at, t, 0);
    return;
  }
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
    if (tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, i))) == TP_SORT_BOOL)
      seed_atoms(f, at, tp_arg(tt, t, i));
}

/* Does `base` lead to a whole object of its declared type? One question in the cutpoint of one for
 * each member. */
static tp_term leads_to_object(flow *f, tp_term base) {
  tp_access a;
  uint64_t size = 1;
  if (tp_access_of(f->p, base, &a) && a.type.id) size = tp_type_of(f->p, a.type)->size_bytes;
  tp_term kind = tp_mk2(f->tt, TP_OP_SELECT, tp_var_of(f->p, f->p->ghost_kind)->term,
                        tp_mk1(f->tt, TP_OP_PTR_OBJ, base));
  tp_term valid = tp_access_is_valid(f->p, base, size ? size : 1);
  if (size <= 1) return valid;  // bytes may well be those of a literal
  return tp_mk_and(f->tt, valid,
                   tp_mk_not(f->tt, tp_mk_eq(f->tt, kind, tp_mk_bv(f->tt, 8, TP_O_LITERAL))));
}

static tp_term is_live_object(flow *f, tp_term pointer) {
  return tp_mk2(f->tt, TP_OP_SELECT, tp_var_of(f->p, f->p->ghost_live)->term,
                tp_mk1(f->tt, TP_OP_PTR_OBJ, pointer));
}

/* An access: is its pointer null? If the property asks: does it lead to an object of its type;
 * where an index chooses an element, only whether it leads to an object at all, since bounds are
 * asked of the index. */
static void seed_access(flow *f, const tp_edge_info *e) {
  tp_terms *tt = f->tt;
  tp_term base = base_of(tt, e->a);
  if (tp_kind(tt, base) != TP_OP_VAR) return;
  bool is_asked = tp_property_covers(f->how.property, TP_P_VALID_DEREF);
  bool has_index = tp_kind(tt, e->a) == TP_OP_PTR_ADD && !tp_is_const(tt, tp_arg(tt, e->a, 1));
  tp_term is_null = tp_mk_eq(tt, base, tp_mk_null(tt));
  seed(f, e->from,
       !is_asked   ? is_null
       : has_index ? is_live_object(f, base)
                   : leads_to_object(f, base),
       is_asked ? 0 : 3);
}

/* An index that is stretched to the width of pointers: is it negative? Of a sum of it and a
 * constant the variable's sign is asked. */
static void seed_sign(flow *f, tp_loc at, tp_term t) {
  tp_terms *tt = f->tt;
  if (tp_kind(tt, t) != TP_OP_BV_SEXT) return;
  tp_term x = tp_arg(tt, t, 0);
  if (tp_kind(tt, x) == TP_OP_BV_ADD && tp_is_const(tt, tp_arg(tt, x, 1))) x = tp_arg(tt, x, 0);
  seed(f, at, tp_mk2(tt, TP_OP_BV_SLT, x, tp_mk_bv(tt, tp_width(tt, x), 0)), 0);
}

/* match: stride * index + start <= limit, unsigned and stretched    asked: index < (limit - start)
 * / stride + 1 */
static void seed_bound(flow *f, tp_loc at, tp_term t) {
  tp_terms *tt = f->tt;
  uint64_t limit, start = 0, stride = 1;
  tp_term_kind k = tp_kind(tt, t);
  bool is_bound =
      (k == TP_OP_BV_ULE || k == TP_OP_BV_ULT) && tp_bv_value_u64(tt, tp_arg(tt, t, 1), &limit);
  if (is_bound) {
    tp_term x = tp_arg(tt, t, 0);
    if (tp_kind(tt, x) == TP_OP_BV_ADD && tp_bv_value_u64(tt, tp_arg(tt, x, 1), &start))
      x = tp_arg(tt, x, 0);
    if (tp_kind(tt, x) == TP_OP_BV_MUL && tp_bv_value_u64(tt, tp_arg(tt, x, 1), &stride))
      x = tp_arg(tt, x, 0);
    bool is_signed = tp_kind(tt, x) == TP_OP_BV_SEXT;
    if ((is_signed || tp_kind(tt, x) == TP_OP_BV_ZEXT) && stride &&
        limit >= start + (k == TP_OP_BV_ULT)) {
      tp_term index = tp_arg(tt, x, 0);
      uint64_t most = (limit - start - (k == TP_OP_BV_ULT)) / stride + 1;
      if (most < INT32_MAX)
        seed(f, at,
             tp_mk2(tt, is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT, index,
                    tp_mk_bv(tt, tp_width(tt, index), most)),
             0);
    }
  }
}

typedef struct {
  flow *f;
  tp_loc at;
} check_seeding;
static tp_visit seed_signs(void *ctx, tp_term t) {
  const check_seeding *s = ctx;
  seed_sign(s->f, s->at, t);
  return TP_VISIT_ARGS;
}
static tp_visit seed_bounds(void *ctx, tp_term t) {
  const check_seeding *s = ctx;
  seed_bound(s->f, s->at, t);
  return TP_VISIT_ARGS;
}

static void seed_check(flow *f, const tp_edge_info *e) {
  check_seeding s = {f, e->from};
  (void)tp_visit_terms(f->tt, e->a, &(tp_visitor){.ctx = &s, .visit = seed_signs}, NULL);
  (void)tp_visit_terms(f->tt, e->a, &(tp_visitor){.ctx = &s, .visit = seed_bounds}, NULL);
}

static void seed_all(flow *f) {
  const tp_program *p = f->p;
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->from.id == 0 || f->distance[e->from.id] == FAR) continue;
    if (e->kind == TP_E_LOAD || e->kind == TP_E_STORE) seed_access(f, e);
    if (e->kind != TP_E_ASSUME) continue;
    bool is_check = false;  // of a pair the side that fails stands for both
    tp_edge_list out = tp_out_edges(p, e->from);
    for (uint32_t k = 0; k < out.n; k++)
      is_check = is_check ||
                 tp_loc_of(p, tp_edge_of(p, (tp_edge){out.at[k]})->to)->error == TP_P_VALID_DEREF;
    if (is_check)
      seed_check(f, e);
    else
      seed_atoms(f, e->from, e->a);
  }
}

// ----------------------------------------------------------------------- sizes

/* Does x say something about the same object as pointer p: members of one struct, or variables
 * beside a variable? */
static bool is_sibling(flow *f, tp_term p, tp_term x) {
  tp_term a, b;
  bool in_memory = tp_is_cell(f->p, p, &a);
  if (in_memory != tp_is_cell(f->p, x, &b)) return false;
  return !in_memory || tp_term_eq(base_of(f->tt, a), base_of(f->tt, b));
}

typedef struct {
  flow *f;
  TP_VEC(tp_term) all;
} integers;

/* Integers that an atom calculates with. */
static tp_visit gather(void *ctx, tp_term t) {
  integers *r = ctx;
  flow *f = r->f;
  tp_terms *tt = f->tt;
  tp_term at;
  bool is_scalar = tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV && tp_width(tt, t) >= 32;
  bool is_plain = (tp_kind(tt, t) == TP_OP_VAR && tp_program_var_of(f->p, t).id) ||
                  tp_is_cell(f->p, t, &at),
       is_known = false;
  for (size_t i = 0; i < r->all.n; i++) is_known = is_known || tp_term_eq(r->all.at[i], t);
  if (is_scalar && is_plain && !is_known) tp_vec_push(&r->all, t);
  return TP_VISIT_ARGS;
}

/* What p points to, in bytes: of a cell by the member's type. */
static uint64_t element_bytes(flow *f, tp_loc at, tp_term pointer) {
  tp_str text = {0};
  uint64_t size = 0;
  tp_c_value v;
  tp_expression_error error = {0};
  if (tp_expression_print(f->p, at, pointer, &text) &&
      tp_expression_read(f->p, at, tp_str_text(&text), &v, &error) == TP_OK &&
      v.type.kind == TP_T_POINTER && v.type.type.id)
    size = tp_type_of(f->p, v.type.type)->size_bytes;
  tp_str_clear(&error.why);
  tp_str_clear(&text);
  return size;
}

/* The pointer that an atom asks for an object of elements; NONE: it asks something else. */
static tp_term asked_pointer(flow *f, tp_term atom) {
  tp_terms *tt = f->tt;
  bool is_live = tp_kind(tt, atom) == TP_OP_SELECT &&
                 tp_term_eq(tp_arg(tt, atom, 0), tp_var_of(f->p, f->p->ghost_live)->term);
  if (!is_live || tp_kind(tt, tp_arg(tt, atom, 1)) != TP_OP_PTR_OBJ) return TP_TERM_NONE;
  return tp_arg(tt, tp_arg(tt, atom, 1), 0);
}

/* The start of a live object that may be written, and is not the one that the pointer itself lies
 * in: what a module's memory looks like. */
static tp_term is_own_object(flow *f, tp_term pointer) {
  tp_terms *tt = f->tt;
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, pointer), home;
  tp_term kind = tp_mk2(tt, TP_OP_SELECT, tp_var_of(f->p, f->p->ghost_kind)->term, object);
  tp_term starts =
      tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, pointer), tp_mk_bv(tt, f->p->ptr_bits, 0));
  tp_term t = tp_mk_and(
      tt, is_live_object(f, pointer),
      tp_mk_and(tt, starts, tp_mk_not(tt, tp_mk_eq(tt, kind, tp_mk_bv(tt, 8, TP_O_LITERAL)))));
  if (!tp_is_cell(f->p, pointer, &home)) return t;
  return tp_mk_and(
      tt, t, tp_mk_not(tt, tp_mk_eq(tt, object, tp_mk1(tt, TP_OP_PTR_OBJ, base_of(tt, home)))));
}

/* For pointers to elements: do they lead to an object of their own, and is its size = element size
 * * one of the integers beside them that are asked about here? */
static void relate_sizes(flow *f, tp_loc at) {
  candidates *c = &f->found[at.id];
  tp_terms *tt = f->tt;
  integers r = {.f = f};
  size_t n = c->n;
  for (size_t i = 0; i < n; i++)
    (void)tp_visit_terms(tt, c->at[i].atom, &(tp_visitor){.ctx = &r, .visit = gather}, NULL);
  for (size_t i = 0; i < n; i++) {
    tp_term pointer = asked_pointer(f, c->at[i].atom);
    uint32_t rank = c->at[i].rank;
    uint64_t element = tp_term_is(pointer) ? element_bytes(f, at, pointer) : 0;
    if (element == 0 || element > 4096) continue;
    c->at[i].atom = is_own_object(f, pointer);
    if (f->how.without_sizes) continue;
    tp_term size = tp_mk2(tt, TP_OP_SELECT, tp_var_of(f->p, f->p->ghost_size)->term,
                          tp_mk1(tt, TP_OP_PTR_OBJ, pointer));
    for (size_t k = 0; k < r.all.n; k++) {
      if (!is_sibling(f, pointer, r.all.at[k])) continue;
      tp_term x = tp_mk_resize(tt, f->p->ptr_bits, true, r.all.at[k]);
      keep(f, at,
           tp_mk_eq(tt, size, tp_mk2(tt, TP_OP_BV_MUL, x, tp_mk_bv(tt, f->p->ptr_bits, element))),
           rank);
    }
  }
  tp_vec_clear(&r.all);
}

// ---------------------------------------------------------------------- choice

typedef struct {
  flow *f;
  tp_loc at;
  bool is_dead;
} deadness;
static void see_dead(void *ctx, tp_term symbol) {
  deadness *d = ctx;
  tp_var v = tp_program_var_of(d->f->p, symbol);
  if (v.id == 0) return;
  const tp_var_info *info = tp_var_of(d->f->p, v);
  bool is_foreign = info->func.id && info->func.id != tp_loc_of(d->f->p, d->at)->func.id;
  d->is_dead = d->is_dead || is_foreign || !tp_is_live(d->f->live, d->at, v);
}

static int by_rank(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

/* The nearest ones that can be said; their text is what counts. */
static void choose(flow *f, tp_loc at, tp_arena *arena, tp_probes *out) {
  candidates *c = &f->found[at.id];
  uint32_t most = f->how.most ? f->how.most : TP_ADEQUACY_PROBES, n = 0;
  if (c->n) qsort(c->at, c->n, sizeof *c->at, by_rank);
  for (size_t i = 0; i < c->n && n < most; i++) {
    if (n >= TP_ADEQUACY_PROBES_ENOUGH &&
        c->at[i].rank >= c->at[0].rank + TP_ADEQUACY_PROBE_TURN_COST)
      break;  // from further turns of a loop: only where little else is known
    deadness d = {f, at, false};
    tp_str text = {0};
    tp_expression_error error = {0};
    tp_term t;
    tp_for_vars(f->tt, c->at[i].atom, see_dead, &d);
    size_t before_n = out->n;
    if (!d.is_dead && tp_expression_print(f->p, at, c->at[i].atom, &text) &&
        tp_predicate_read(f->p, at, tp_str_text(&text), &t, &error) == TP_OK &&
        !tp_is_const(f->tt, t))
      tp_probes_add(out, arena, at, t, tp_str_text(&text));
    n += out->n > before_n;
    tp_str_clear(&error.why);
    tp_str_clear(&text);
  }
}

void tp_probes_by_default(const tp_program *p, tp_predicate_locations cutpoints,
                          tp_default_probes how, tp_arena *arena, tp_probes *out) {
  flow f = {.p = p,
            .tt = p->terms,
            .how = how,
            .distance = TP_NEW_ARRAY(uint32_t, p->locs.n),
            .is_cutpoint = TP_NEW_ARRAY(bool, p->locs.n),
            .found = TP_NEW_ARRAY(candidates, p->locs.n),
            .n_passed = TP_NEW_ARRAY(uint32_t, p->locs.n),
            .live = tp_liveness_new(p)};
  for (size_t i = 0; i < cutpoints.n; i++) f.is_cutpoint[cutpoints.at[i].id] = true;
  measure(&f);
  seed_all(&f);
  while (f.next < f.queue.n) advance(&f, f.queue.at[f.next++]);
  for (size_t i = 0; i < cutpoints.n; i++) {
    relate_sizes(&f, cutpoints.at[i]);
    choose(&f, cutpoints.at[i], arena, out);
  }
  for (size_t i = 0; i < p->locs.n; i++) tp_vec_clear(&f.found[i]);
  tp_free(f.distance);
  tp_free(f.is_cutpoint);
  tp_free(f.found);
  tp_free(f.n_passed);
  tp_map_clear(&f.seen);
  tp_vec_clear(&f.queue);
  tp_liveness_free(f.live);
}
