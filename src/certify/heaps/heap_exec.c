/* One edge on a symbolic heap.
 *
 * An access must be shown to be one of a live object of the heap, within its bounds; otherwise the
 * check ends. */
#include "certify/heaps/heap_exec.h"

#include "certify/certify_limits.h"
#include "certify/heaps/heap_compare.h"
#include "certify/heaps/heap_slots.h"
#include "certify/inductive/check_inductive.h"

void tp_chk_heaps_fail(tp_chk_heaps *c, const tp_chk_heap_state *s, const char *why) {
  if (c->result != TP_CERTIFY_ACCEPTED) return;
  c->result = TP_CERTIFY_UNDECIDED;
  tp_str_printf(&c->report->why, "the proof is undecided (%s)", why);
  c->report->where = s->loc;
  c->report->context = s->context;
}

// --------------------------------------------------------------------- questions

bool tp_chk_heaps_holds(void *ctx, const tp_chk_heap_state *s, tp_term fact) {
  tp_chk_heaps *c = ctx;
  tp_terms *tt = c->w.tt;
  if (tp_is_true(tt, fact)) return true;
  for (size_t i = 0; i < s->facts.n; i++)
    if (tp_term_eq(s->facts.at[i], fact)) return true;
  tp_chk_solver_push(c->solver);
  for (size_t i = 0; i < s->facts.n; i++) tp_chk_solver_assert(c->solver, s->facts.at[i]);
  c->report->queries++;
  const bool holds = tp_chk_solver_check(c->solver, tp_mk_not(tt, fact)) == TP_SMT_UNSAT;
  tp_chk_solver_pop(c->solver);
  return holds;
}

bool tp_chk_heaps_is_impossible(tp_chk_heaps *c, const tp_chk_heap_state *s) {
  return s->is_impossible || (s->facts.n && tp_chk_heaps_holds(c, s, tp_mk_false(c->w.tt)));
}

bool tp_chk_heaps_is_described(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_chk_heap_entry *e) {
  tp_chk_heap_match m;
  tp_chk_heap_match_init(&m, &c->w, tp_chk_heaps_holds, c, s, e);
  for (size_t k = 0; k < s->logical.n; k++)
    tp_chk_heap_match_bind(&m, s->logical.at[k].symbol, s->logical.at[k].value);
  const bool is = tp_chk_heap_match_entry(&m, TP_CHK_HEAP_WHOLE);
  tp_chk_heap_match_clear(&m);
  return is;
}

// ------------------------------------------------------------------------ values

static bool asks_for(const tp_chk_heaps *c, tp_term t, tp_var ghost) {
  return ghost.id && tp_occurs(c->w.tt, tp_var_of(c->p, ghost)->term, t);
}

/* Temporaries do not count: no variable of the program's text holds what only they hold. */
static tp_term lost(const tp_chk_heaps *c, const tp_chk_heap_state *s) {
  TP_VEC(tp_var) roots = {0};
  for (uint32_t v = 1; v < c->p->vars.n; v++) {
    const tp_var_info *info = tp_var_of(c->p, (tp_var){v});
    if (info->kind == TP_V_GLOBAL || ((info->kind == TP_V_PARAM || info->kind == TP_V_LOCAL) &&
                                      tp_chk_heap_is_active(&c->cert, s->context, info->func)))
      tp_vec_push(&roots, (tp_var){v});
  }
  const bool none = !tp_chk_heap_contract_at_bottom(&c->cert, s->context) &&
                    tp_chk_heap_reaches_all(&c->w, s, roots.at, roots.n);
  tp_vec_clear(&roots);
  return none ? tp_mk_false(c->w.tt) : TP_TERM_NONE;
}

static tp_term n_heap(const tp_chk_heaps *c, const tp_chk_heap_state *s) {
  bool none =
      !tp_chk_heap_contract_at_bottom(&c->cert, s->context) && !s->has_more && s->parts.n == 0;
  for (size_t i = 0; i < s->objects.n; i++)
    none = none && s->objects.at[i].kind != TP_O_HEAP &&
           !tp_chk_heap_has_hidden(&c->w, &s->objects.at[i]);
  return none ? tp_mk_bv(c->w.tt, tp_width(c->w.tt, tp_var_of(c->p, c->p->ghost_heap)->term), 0)
              : TP_TERM_NONE;
}

static tp_term evaluate(const tp_chk_heaps *c, tp_chk_heap_state *s, tp_term t) {
  tp_chk_heap_sums sums = {0};
  if (asks_for(c, t, c->p->ghost_leaked)) sums.lost = lost(c, s);
  if (asks_for(c, t, c->p->ghost_heap)) sums.n_heap = n_heap(c, s);
  return tp_chk_heap_decide(&c->w, s, tp_chk_heap_evaluate(&c->w, s, t), sums);
}

static void set(const tp_chk_heaps *c, tp_chk_heap_state *s, tp_var v, tp_term value) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(c->w.tt, value), tp_sort_of(c->w.tt, tp_var_of(c->p, v)->term)));
  s->vars[v.id] = value;
}

// ----------------------------------------------------------------------- accesses

typedef struct {
  uint32_t object;
  tp_term at;
  bool is_fixed;  // the offset is a number
  uint64_t offset;
} place;

/* Statics exist from the start; what a contract does not name belongs to the callers. */
static uint32_t object_of_static(const tp_chk_heaps *c, tp_chk_heap_state *s, tp_term id) {
  uint64_t k;
  if (!tp_bv_value_u64(c->w.tt, id, &k) || k == 0 || k >= c->p->statics.n) return UINT32_MAX;
  if (tp_chk_heap_contract_at_bottom(&c->cert, s->context)) return UINT32_MAX;
  const tp_term size = tp_program_static_ghost(c->p, tp_var_of(c->p, c->p->ghost_size)->term, k);
  if (!tp_term_is(size)) return UINT32_MAX;
  tp_chk_heap_add_object(s, id, size, c->p->statics.at[k].kind);
  return (uint32_t)s->objects.n - 1;
}

/* n bytes (a term) at the address lie in a live object; false: that is not shown, the check ends.
 */
static bool find_place(tp_chk_heaps *c, tp_chk_heap_state *s, tp_term address, tp_term n,
                       place *out) {
  tp_terms *tt = c->w.tt;
  tp_term offset;
  out->object = tp_chk_heap_target(&c->w, s, address, &offset);
  if (out->object == UINT32_MAX)
    out->object = object_of_static(c, s, tp_mk1(tt, TP_OP_PTR_OBJ, address));
  if (out->object == UINT32_MAX) {
    if (!tp_chk_heaps_is_impossible(c, s))
      tp_chk_heaps_fail(c, s, "an access of an object that is not known");
    return false;
  }
  const tp_term size = s->objects.at[out->object].size;
  const tp_term fits = tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, n, size),
                                 tp_mk2(tt, TP_OP_BV_ULE, offset, tp_mk_sub(tt, size, n)));
  out->at = offset;
  out->is_fixed = tp_bv_value_u64(tt, offset, &out->offset);
  if (tp_chk_heaps_holds(c, s, fits)) return true;
  if (!tp_chk_heaps_is_impossible(c, s))
    tp_chk_heaps_fail(c, s, "an access is not shown to be within its object");
  return false;
}

static tp_term number_of_bytes(const tp_chk_heaps *c, tp_sort sort) {
  return tp_mk_bv(c->w.tt, c->p->ptr_bits, tp_sort_bytes(c->w.tt, sort));
}

static tp_chk_heap_judge judge_of(tp_chk_heaps *c) {
  return (tp_chk_heap_judge){&c->w, tp_chk_heaps_holds, c};
}

static bool is_pointer(const tp_chk_heaps *c, tp_sort sort) {
  return tp_sort_kind_of(c->w.tt, sort) == TP_SORT_PTR;
}

/* What stands at the place; what is not known of it is a symbol, and noted where it is all of a
 * field. */
static tp_term value_at(tp_chk_heaps *c, tp_chk_heap_state *s, const place *at, tp_sort sort) {
  const tp_chk_heap_judge j = judge_of(c);
  tp_term *slot = is_pointer(c, sort) ? tp_chk_heap_slot_at(&j, s, at->object, at->at) : NULL;
  if (slot) return *slot;
  tp_chk_heap_object *o = &s->objects.at[at->object];
  const uint64_t n = tp_sort_bytes(c->w.tt, sort);
  tp_term value = at->is_fixed ? tp_chk_heap_read(&c->w, o, at->offset, sort) : TP_TERM_NONE;
  if (tp_term_is(value)) return value;
  value = tp_chk_heap_symbol(&c->w, sort);
  bool meets = !at->is_fixed || o->is_zero || o->slots.stride;
  for (size_t i = 0; i < o->fields.n; i++)
    meets |= tp_chk_heap_meet(at->offset, n, o->fields.at[i].offset,
                              tp_sort_bytes(c->w.tt, tp_sort_of(c->w.tt, o->fields.at[i].value)));
  if (!meets) tp_chk_heap_write(&c->w, o, at->offset, value);
  return value;
}

static bool load(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e) {
  const tp_sort sort = tp_sort_of(c->w.tt, tp_var_of(c->p, e->var)->term);
  place at;
  if (!find_place(c, s, evaluate(c, s, e->a), number_of_bytes(c, sort), &at)) return false;
  set(c, s, e->var,
      e->volatile_access ? tp_chk_heap_symbol(&c->w, sort) : value_at(c, s, &at, sort));
  return true;
}

static bool store(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e) {
  const tp_term value = evaluate(c, s, e->b);
  const tp_sort sort = tp_sort_of(c->w.tt, value);
  place at;
  if (!find_place(c, s, evaluate(c, s, e->a), number_of_bytes(c, sort), &at)) return false;
  tp_chk_heap_object *o = &s->objects.at[at.object];
  if (o->kind == TP_O_LITERAL || o->kind == TP_O_FUNCTION) {
    tp_chk_heaps_fail(c, s, "a write to a constant object");
    return false;
  }
  const uint64_t n = tp_sort_bytes(c->w.tt, sort);
  const tp_chk_heap_judge j = judge_of(c);
  tp_term *slot = is_pointer(c, sort) ? tp_chk_heap_slot_at(&j, s, at.object, at.at) : NULL;
  if (slot)
    *slot = value;
  else if (at.is_fixed && !tp_chk_heap_meets_slots(&c->w, &o->slots, at.offset, n))
    tp_chk_heap_write(&c->w, o, at.offset, value);
  else
    tp_chk_heap_write_beside(&j, s, at.object, at.at, n);
  return true;
}

static void alloc(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e) {
  tp_terms *tt = c->w.tt;
  uint64_t byte;
  const tp_term size = evaluate(c, s, e->a),
                id = tp_chk_heap_symbol(&c->w, tp_sort_bv(tt, TP_OBJ_BITS));
  tp_chk_heap_object *o = tp_chk_heap_add_object(s, id, size, e->object_kind);
  o->is_zero = tp_term_is(e->b) && tp_bv_value_u64(tt, evaluate(c, s, e->b), &byte) && byte == 0;
  set(c, s, e->var, tp_mk_ptr(tt, id, tp_mk_bv(tt, c->p->ptr_bits, 0)));
}

/* free, or the end of a local's lifetime. */
static bool end_object(tp_chk_heaps *c, tp_chk_heap_state *s, tp_term pointer,
                       tp_object_kind kind) {
  tp_term offset;
  uint64_t start;
  if (tp_term_eq(pointer, tp_mk_null(c->w.tt))) return true;
  const uint32_t i = tp_chk_heap_target(&c->w, s, pointer, &offset);
  if (i != UINT32_MAX && s->objects.at[i].kind == kind &&
      tp_bv_value_u64(c->w.tt, offset, &start) && start == 0) {
    s->has_more |= tp_chk_heap_has_hidden(&c->w, &s->objects.at[i]);
    tp_chk_heap_remove_object(s, i);
    return true;
  }
  if (!tp_chk_heaps_is_impossible(c, s))
    tp_chk_heaps_fail(
        c, s,
        kind == TP_O_HEAP ? "what is freed is not known" : "whose lifetime ends is not known");
  return false;
}

// ------------------------------------------------------------------------- blocks

/* Fields of the source that lie in the bytes that are copied, at their places in the target. */
static void copy_fields(tp_chk_heaps *c, const tp_chk_heap_object *from, uint64_t start, uint64_t n,
                        uint64_t to, tp_chk_heap_object *out) {
  for (size_t i = 0; i < from->fields.n; i++) {
    const tp_chk_heap_field *f = &from->fields.at[i];
    const uint64_t bytes = tp_sort_bytes(c->w.tt, tp_sort_of(c->w.tt, f->value));
    if (f->offset >= start && f->offset + bytes <= start + n)
      tp_vec_push(&out->fields, ((tp_chk_heap_field){f->offset - start + to, f->value}));
  }
}

static bool block(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e) {
  tp_terms *tt = c->w.tt;
  if (!tp_term_is(e->c)) {
    tp_chk_heaps_fail(c, s, "memory that may change is not known");
    return false;
  }
  const tp_term n = tp_mk_resize(tt, c->p->ptr_bits, false, evaluate(c, s, e->c));
  uint64_t bytes, byte = 1, size;
  const bool has_length = tp_bv_value_u64(tt, n, &bytes);
  place to, from = {0};
  if (has_length && bytes == 0) return true;
  if (!find_place(c, s, evaluate(c, s, e->a), n, &to)) return false;
  if (e->kind == TP_E_COPY && !find_place(c, s, evaluate(c, s, e->b), n, &from)) return false;
  tp_chk_heap_object *o = &s->objects.at[to.object], copied = {0};
  if (o->kind == TP_O_LITERAL || o->kind == TP_O_FUNCTION) {
    tp_chk_heaps_fail(c, s, "a write to a constant object");
    return false;
  }
  if (!has_length || !to.is_fixed || o->slots.stride) tp_chk_heap_forget(&c->w, s, to.object);
  if (!has_length || !to.is_fixed) return true;
  if (e->kind == TP_E_COPY && from.is_fixed)
    copy_fields(c, &s->objects.at[from.object], from.offset, bytes, to.offset, &copied);
  const bool zeros =
      e->kind == TP_E_SET && tp_bv_value_u64(tt, evaluate(c, s, e->b), &byte) && byte == 0;
  tp_chk_heap_clobber(&c->w, o, to.offset, bytes);
  for (size_t i = 0; i < copied.fields.n; i++) tp_vec_push(&o->fields, copied.fields.at[i]);
  tp_vec_clear(&copied.fields);
  if (zeros && to.offset == 0 && tp_bv_value_u64(tt, o->size, &size) && size == bytes)
    o->is_zero = true;
  return true;
}

// ------------------------------------------------------------------------- edges

static void assume(tp_chk_heaps *c, tp_chk_heap_state *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(c->p, e);
  const tp_term holds = evaluate(c, s, edge->a);
  if (edge->name && !tp_chk_is_intended_end(edge->name) && tp_out_edges(c->p, edge->from).n == 1 &&
      !tp_is_true(c->w.tt, holds))
    tp_map_set(&c->listed, e.id, 1);
  tp_chk_heap_assume(&c->w, s, holds);
}

static bool havoc(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e) {
  if (e->may_write) {
    if (!tp_chk_heaps_is_impossible(c, s))
      tp_chk_heaps_fail(c, s,
                        "a call of an external function that may write memory is not excluded");
    return false;
  }
  if (e->var.id) s->vars[e->var.id] = TP_TERM_NONE;
  return true;
}

static bool transfer(tp_chk_heaps *c, tp_chk_heap_state *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(c->p, e);
  switch (edge->kind) {
    case TP_E_SKIP: return true;
    case TP_E_ASSIGN: set(c, s, edge->var, evaluate(c, s, edge->a)); return true;
    case TP_E_ASSUME: assume(c, s, e); return !s->is_impossible;
    case TP_E_LOAD: return load(c, s, edge);
    case TP_E_STORE: return store(c, s, edge);
    case TP_E_ALLOC: alloc(c, s, edge); return true;
    case TP_E_FREE: return end_object(c, s, evaluate(c, s, edge->a), TP_O_HEAP);
    case TP_E_END_SCOPE: return end_object(c, s, evaluate(c, s, edge->a), TP_O_STACK);
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: return block(c, s, edge);
    case TP_E_HAVOC: return havoc(c, s, edge);
    case TP_E_RETURN: {
      const tp_var result = tp_func_of(c->p, tp_loc_of(c->p, edge->from)->func)->result;
      if (result.id && tp_term_is(edge->a)) set(c, s, result, evaluate(c, s, edge->a));
      return true;
    }
    case TP_E_CALL: break;
  }
  return false;
}

void tp_chk_heaps_step(tp_chk_heaps *c, tp_chk_heap_state *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(c->p, e);
  if (c->result != TP_CERTIFY_ACCEPTED || !transfer(c, s, e) || s->is_impossible) {
    tp_chk_heap_free(s);
    return;
  }
  s->loc = edge->to;
  tp_vec_push(&c->todo, s);
}

// ------------------------------------------------------------------------- cases

typedef struct {
  const tp_chk_heaps *c;
  const tp_chk_heap_state *s;
  tp_term symbol;
  uint32_t part;
  bool at_end;
} part_query;

static void find_part(void *ctx, tp_term symbol) {
  part_query *q = ctx;
  bool at_end;
  if (tp_term_is(q->symbol) ||
      tp_sort_kind_of(q->c->w.tt, tp_sort_of(q->c->w.tt, symbol)) != TP_SORT_PTR)
    return;
  const uint32_t part = tp_chk_heap_part_of(&q->c->w, q->s, symbol, &at_end);
  if (part == UINT32_MAX) return;
  q->symbol = symbol;
  q->part = part;
  q->at_end = at_end;
}

static void push_case(tp_chk_heaps *c, tp_chk_heap_state *s) {
  s->is_inside = true;
  if (++s->depth > TP_CERTIFY_HEAP_DEPTH) tp_chk_heaps_fail(c, s, "a path meets no cutpoint");
  if (s->is_impossible || c->result != TP_CERTIFY_ACCEPTED)
    tp_chk_heap_free(s);
  else
    tp_vec_push(&c->todo, s);
}

static void push_cases_of_part(tp_chk_heaps *c, const tp_chk_heap_state *s, uint32_t part,
                               bool at_end) {
  const uint32_t n = tp_chk_heap_n_ways(&c->w, &s->parts.at[part]);
  for (uint32_t way = 0; way < n; way++)
    push_case(c, tp_chk_heap_unfold(&c->w, s, part, at_end, way));
  tp_chk_heap_state *empty = tp_chk_heap_copy(c->p, s);
  tp_chk_heap_empty(&c->w, empty, part);
  push_case(c, empty);
}

static bool is_choice(void *ctx, const tp_terms *tt, tp_term t) {
  tp_term *condition = ctx;
  if (tp_kind(tt, t) != TP_OP_ITE || tp_is_const(tt, tp_arg(tt, t, 0))) return false;
  *condition = tp_arg(tt, t, 0);
  return true;
}

/* An address that is a choice, or whose offset is one: by its condition, where that is what a
 * variable holds. */
static bool push_cases_of_choice(tp_chk_heaps *c, tp_chk_heap_state *s, tp_term address) {
  tp_terms *tt = c->w.tt;
  tp_term condition = TP_TERM_NONE;
  if (!tp_any_subterm(tt, tp_chk_heap_value(&c->w, s, address), is_choice, &condition))
    return false;
  for (int value = 0; value < 2; value++) {
    tp_chk_heap_state *one = tp_chk_heap_copy(c->p, s);
    tp_chk_heap_replace(&c->w, one, condition, tp_mk_bool(tt, value == 1));
    if (tp_occurs(tt, condition, tp_chk_heap_value(&c->w, one, address))) {
      tp_chk_heap_free(one);
      return false;  // of the first case; the second one is like it
    }
    tp_vec_push(&one->facts, value ? condition : tp_mk_not(tt, condition));
    tp_chk_heap_settle(&c->w, one);
    push_case(c, one);
  }
  return true;
}

/* The terms of an edge in which it matters what a pointer leads to. */
static uint32_t followed(const tp_terms *tt, const tp_edge_info *e, tp_term out[2]) {
  const bool is_pointer =
      tp_term_is(e->a) && tp_sort_kind_of(tt, tp_sort_of(tt, e->a)) == TP_SORT_PTR;
  switch (e->kind) {
    case TP_E_ASSIGN:
    case TP_E_RETURN: out[0] = e->a; return tp_term_is(e->a) && !is_pointer ? 1 : 0;
    case TP_E_COPY:
      out[0] = e->a;
      out[1] = e->b;
      return 2;
    case TP_E_ASSUME:
    case TP_E_LOAD:
    case TP_E_STORE:
    case TP_E_FREE:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
    case TP_E_END_SCOPE: out[0] = e->a; return 1;
    case TP_E_CALL: out[0] = e->a; return e->callee.id ? 0 : 1;
    case TP_E_SKIP:
    case TP_E_ALLOC:
    case TP_E_HAVOC: break;
  }
  return 0;
}

/* The slot that a load or a store of a pointer names: the one of another offset, or not. */
static bool push_cases_of_slot(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_edge_info *e) {
  tp_terms *tt = c->w.tt;
  const bool is_load = e->kind == TP_E_LOAD;
  if (!is_load && e->kind != TP_E_STORE) return false;
  const tp_chk_heap_judge j = judge_of(c);
  tp_term offset, a, b;
  const tp_term held = is_load ? tp_var_of(c->p, e->var)->term : e->b;
  const uint32_t i = tp_chk_heap_target(&c->w, s, evaluate(c, s, e->a), &offset);
  if (i == UINT32_MAX || !is_pointer(c, tp_sort_of(tt, held)) ||
      !tp_chk_heap_slot_is_open(&j, s, i, offset, &a, &b))
    return false;
  const tp_term same = tp_mk_eq(tt, a, b);
  for (int is_same = 0; is_same < 2; is_same++) {
    tp_chk_heap_state *one = tp_chk_heap_copy(c->p, s);
    tp_chk_heap_assume(&c->w, one, is_same ? same : tp_mk_not(tt, same));
    push_case(c, one);
  }
  return true;
}

bool tp_chk_heaps_split(tp_chk_heaps *c, tp_chk_heap_state *s) {
  const tp_edge_list out = tp_out_edges(c->p, s->loc);
  for (uint32_t i = 0; i < out.n; i++) {
    const tp_edge_info *e = tp_edge_of(c->p, (tp_edge){out.at[i]});
    tp_term terms[2];
    const uint32_t n = followed(c->w.tt, e, terms);
    for (uint32_t k = 0; k < n; k++) {
      const tp_term t = tp_chk_heap_value(&c->w, s, terms[k]);
      part_query q = {.c = c, .s = s};
      tp_for_vars(c->w.tt, t, find_part, &q);
      if (tp_term_is(q.symbol)) {
        push_cases_of_part(c, s, q.part, q.at_end);
        return false;
      }
      if (tp_sort_kind_of(c->w.tt, tp_sort_of(c->w.tt, t)) == TP_SORT_PTR &&
          push_cases_of_choice(c, s, terms[k]))
        return false;
    }
    if (push_cases_of_slot(c, s, e)) return false;
  }
  return true;
}
