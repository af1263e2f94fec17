/* Terms in the state of a concolic run.
 *
 * What depends on inputs becomes a term over them, all else a constant, which the concrete state
 * tells: whole subterms at once, so that integers made from addresses keep what they belong to.
 * Where an input decides which object is meant (an address that is read, an integer that becomes a
 * pointer), it is pinned to what it is in this run. */
#include "exec/concolic_priv.h"
#include "program/cells.h"

// -------------------------------------------------------------------- variables

/* The slot of a variable that exists now: of an active function's innermost frame. */
static bool find_slot(const tp_concolic *c, tp_term symbol, size_t *slot) {
  tp_var v = tp_program_var_of(c->p, symbol);
  const tp_code *code = c->s->code;
  if (!v.id || code->slot_of_var[v.id] == UINT32_MAX) return false;
  *slot = code->slot_of_var[v.id];
  if (code->var_is_global[v.id]) return true;
  tp_func f = tp_var_of(c->p, v)->func;
  for (size_t i = c->s->frames.n; i-- > 0;) {
    if (c->s->frames.at[i].func.id != f.id) continue;
    *slot += c->s->frames.at[i].base;
    return true;
  }
  return false;
}

static tp_term shadow_of(const tp_concolic *c, tp_term symbol) {
  size_t slot;
  return find_slot(c, symbol, &slot) && slot < c->slots.n ? c->slots.at[slot] : TP_TERM_NONE;
}

#define LOCAL_SLOT (UINT32_C(1) << 31)
#define ANY_SLOT UINT32_MAX

static void list_slot(void *ctx, tp_term var) {
  tp_concolic *c = ctx;
  tp_var v = tp_program_var_of(c->p, var);
  const tp_code *code = c->s->code;
  if (v.id && v.id == c->p->ghost_leaked.id)
    tp_vec_push(&c->slot_lists, ANY_SLOT);  // what pointers lead to decides
  if (!v.id || code->slot_of_var[v.id] == UINT32_MAX) return;
  tp_vec_push(&c->slot_lists,
              code->slot_of_var[v.id] | (code->var_is_global[v.id] ? 0 : LOCAL_SLOT));
}

/* The slots that a term of an edge reads, found once. */
static size_t slots_of(tp_concolic *c, tp_term t) {
  uint64_t known;
  if (tp_map_get(&c->slots_of, t.id, &known)) return (size_t)known - 1;
  size_t at = c->slot_lists.n;
  tp_vec_push(&c->slot_lists, 0);
  tp_for_vars(c->tt, t, list_slot, c);
  c->slot_lists.at[at] = (uint32_t)(c->slot_lists.n - at - 1);
  tp_map_set(&c->slots_of, t.id, at + 1);
  return at;
}

bool tp_concolic_depends(tp_concolic *c, tp_term t) {
  if (!c->n_symbolic || !tp_term_is(t)) return false;
  size_t list = slots_of(c, t), base = tp_state_top(c->s)->base;
  for (size_t i = 1; i <= c->slot_lists.at[list]; i++) {
    uint32_t at = c->slot_lists.at[list + i];
    if (at == ANY_SLOT) return true;
    size_t slot = at & LOCAL_SLOT ? base + (at & ~LOCAL_SLOT) : at;
    if (slot < c->slots.n && tp_term_is(c->slots.at[slot])) return true;
  }
  return false;
}

// ------------------------------------------------------------------- conditions

void tp_concolic_condition(tp_concolic *c, tp_term condition, bool is_pin, tp_concolic_path *to) {
  TP_REQUIRE(tp_sort_kind_of(c->tt, tp_sort_of(c->tt, condition)) == TP_SORT_BOOL);
  if (tp_is_true(c->tt, condition)) return;
  if (to == &c->path) {
    if (tp_map_has(&c->conditions, condition.id)) return;
    tp_map_set(&c->conditions, condition.id, 1);
  }
  if (is_pin) c->is_exact = false;
  tp_vec_push(to, (tp_concolic_branch){condition, c->pending.edge, c->steps, c->asked.v.n, is_pin});
}

void tp_concolic_pin(tp_concolic *c, tp_term t, tp_value is, tp_concolic_path *pins) {
  tp_concolic_condition(c, tp_mk_eq(c->tt, t, tp_mk_value(c->tt, tp_sort_of(c->tt, t), is)), true,
                        pins);
}

// ----------------------------------------------------------------------- memory

tp_term tp_concolic_load(tp_concolic *c, uint32_t object, uint64_t offset, tp_sort sort,
                         tp_concolic_path *pins) {
  TP_REQUIRE(!tp_memory_read_error(c->s, object, offset, tp_layout_of(c->p, sort).bytes));
  tp_layout l = tp_layout_of(c->p, sort);
  if (!c->memory.n || !tp_symbolic_memory_overlaps(&c->memory, object, offset, l.bytes))
    return TP_TERM_NONE;
  tp_term exact = tp_symbolic_memory_exact(&c->memory, object, offset, l.bytes);
  if (tp_term_is(exact) && tp_sort_eq(tp_sort_of(c->tt, exact), sort)) return exact;
  tp_term bits = tp_symbolic_memory_read(&c->memory, c->s, object, offset, l.bytes);
  if (tp_is_const(c->tt, bits)) return TP_TERM_NONE;
  if (l.kind == TP_SORT_BOOL)
    return tp_mk_eq(c->tt, tp_mk_extract(c->tt, 0, 0, bits), tp_mk_bv(c->tt, 1, 1));
  if (l.kind == TP_SORT_FP) return tp_mk1(c->tt, TP_OP_FP_OF_BITS, bits);
  if (l.kind == TP_SORT_BV) return tp_mk_trunc(c->tt, l.width_bits, bits);
  tp_value is = {0};  // a pointer: which object it means, the machine knows
  uint8_t raw[16] = {0};
  (void)tp_state_read_bytes(c->s, object, offset, l.bytes, raw);
  for (uint32_t i = l.bytes; i-- > 0;) is.bits = is.bits << 8 | raw[i];
  tp_concolic_pin(c, bits, is, pins);
  return TP_TERM_NONE;
}

// ------------------------------------------------------------------- evaluation

typedef struct {
  tp_concolic *c;
  tp_concolic_path *pins;
  tp_map known;  // node -> its term over inputs; 0: it does not depend on them
  bool failed;
} walk;

/* What the machine says of a node. */
static bool concrete(walk *w, tp_term t, tp_value *out) {
  *out = (tp_value){0};
  if (tp_state_eval(w->c->s, t, out) == TP_OK) return true;
  w->failed = true;
  return false;
}

static tp_term as_term(walk *w, tp_term node) {
  uint64_t known = 0;
  tp_value v;
  (void)tp_map_get(&w->known, node.id, &known);
  if (known) return (tp_term){(uint32_t)known};
  tp_sort sort = tp_sort_of(w->c->tt, node);
  if (tp_sort_kind_of(w->c->tt, sort) == TP_SORT_ARRAY) return node;
  return concrete(w, node, &v) ? tp_mk_value(w->c->tt, sort, v) : TP_TERM_NONE;
}

static bool is_known_symbolic(const walk *w, tp_term node) {
  uint64_t known = 0;
  return tp_map_get(&w->known, node.id, &known) && known;
}

/* The node's argument is what it is in this run. */
static void pin_argument(walk *w, tp_term arg) {
  tp_value v;
  if (!is_known_symbolic(w, arg) || !concrete(w, arg, &v)) return;
  if (!w->pins)
    w->failed = true;
  else
    tp_concolic_pin(w->c, as_term(w, arg), v, w->pins);
}

/* A cell, or a ghost of an object: at an address of this run. */
static tp_term select_node(walk *w, tp_term node) {
  tp_term address = tp_arg(w->c->tt, node, 1), ptr;
  tp_value at;
  pin_argument(w, address);
  if (w->failed || !tp_is_cell(w->c->p, node, &ptr) || !w->c->memory.n || !concrete(w, ptr, &at))
    return TP_TERM_NONE;
  tp_layout l = tp_layout_of(w->c->p, tp_sort_of(w->c->tt, node));
  if (tp_memory_read_error(w->c->s, at.object, (uint64_t)at.bits, l.bytes)) {
    w->failed = true;
    return TP_TERM_NONE;
  }
  if (!w->pins) {
    w->failed = tp_symbolic_memory_overlaps(&w->c->memory, at.object, (uint64_t)at.bits, l.bytes) &&
                l.kind == TP_SORT_PTR;
    if (w->failed) return TP_TERM_NONE;
  }
  return tp_concolic_load(w->c, at.object, (uint64_t)at.bits, tp_sort_of(w->c->tt, node), w->pins);
}

/* base + offset, if it is certain which object is meant. */
static tp_term address_node(walk *w, tp_term node) {
  tp_terms *tt = w->c->tt;
  tp_term p = as_term(w, tp_arg(tt, node, 0)), object = tp_mk1(tt, TP_OP_PTR_OBJ, p);
  uint64_t id;
  if (!tp_bv_value_u64(tt, object, &id)) {
    pin_argument(w, tp_arg(tt, node, 0));
    return TP_TERM_NONE;
  }
  uint64_t base = id && id < w->c->s->objects.n ? w->c->s->objects.at[id].base : 0;
  return tp_mk2(tt, TP_OP_BV_ADD, tp_mk1(tt, TP_OP_PTR_OFF, p),
                tp_mk_bv(tt, tp_width(tt, node), base));
}

/* Whether an object is lost depends on which objects the pointers mean. */
static void pin_pointers(walk *w) {
  tp_concolic *c = w->c;
  uint64_t id;
  for (size_t f = 0; f <= c->s->frames.n; f++) {  // the globals, then frame by frame
    const tp_frame *frame = f ? &c->s->frames.at[f - 1] : NULL;
    const tp_slot_list list = tp_code_slots(c->s->code, f ? frame->func : TP_FUNC_NONE);
    for (size_t i = 0; i < list.n && !w->failed; i++) {
      size_t slot = i + (f ? frame->base : 0);
      if (list.sort[i] != TP_SORT_PTR || slot >= c->slots.n || !tp_term_is(c->slots.at[slot]))
        continue;
      if (tp_bv_value_u64(c->tt, tp_mk1(c->tt, TP_OP_PTR_OBJ, c->slots.at[slot]), &id)) continue;
      tp_shaded is = tp_slot_get(c->s, slot, TP_SORT_PTR);
      if (!w->pins)
        w->failed = true;
      else
        tp_concolic_pin(c, c->slots.at[slot], (tp_value){.bits = is.bits, .object = is.object},
                        w->pins);
    }
  }
}

static tp_term symbolic_node(walk *w, tp_term node) {
  tp_terms *tt = w->c->tt;
  tp_term args[3];
  switch ((int)tp_kind(tt, node)) {
    case TP_OP_SELECT: return select_node(w, node);
    case TP_OP_PTR_TO_INT: return address_node(w, node);
    case TP_OP_INT_TO_PTR: pin_argument(w, tp_arg(tt, node, 0)); return TP_TERM_NONE;
    default: break;
  }
  for (uint32_t i = 0; i < tp_n_args(tt, node); i++) {
    args[i] = as_term(w, tp_arg(tt, node, i));
    w->failed |= tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, node, i))) ==
                 TP_SORT_ARRAY;  // arrays are only read
    if (w->failed) return TP_TERM_NONE;
  }
  tp_term t = tp_remake(tt, node, args);
  return tp_is_const(tt, t) ? TP_TERM_NONE : t;
}

/* Once a subterm has failed, the others have no terms: *value is 0. */
static bool skip_after_failure(void *ctx, tp_term node, uint64_t *value) {
  const walk *w = ctx;
  (void)node;
  *value = 0;
  return w->failed;
}

/* The id of node's term over the inputs; 0: it does not depend on them. */
static uint64_t node_value(void *ctx, tp_term node, const uint64_t *args) {
  walk *w = ctx;
  tp_terms *tt = w->c->tt;
  tp_term out = TP_TERM_NONE;
  tp_term_kind k = tp_kind(tt, node);
  bool any = k == TP_OP_SELECT;  // memory may depend on inputs where the address does not
  if (w->failed) return 0;
  if (k == TP_OP_FORALL || k == TP_OP_EXISTS || k == TP_OP_BOUND) w->failed = true;
  if (k == TP_OP_VAR) out = shadow_of(w->c, node);
  if (k == TP_OP_VAR && tp_program_var_of(w->c->p, node).id == w->c->p->ghost_leaked.id &&
      w->c->p->ghost_leaked.id)
    pin_pointers(w);
  for (uint32_t i = 0; i < tp_n_args(tt, node); i++) any |= args[i] != 0;
  if (any && !w->failed) out = symbolic_node(w, node);
  return out.id;
}

bool tp_concolic_eval(tp_concolic *c, tp_term t, bool *symbolic, tp_term *out,
                      tp_concolic_path *pins) {
  walk w = {.c = c, .pins = pins};
  tp_folder f = {&w, skip_after_failure, node_value, TP_RIGHT_TO_LEFT};
  *out = (tp_term){(uint32_t)tp_fold_terms(c->tt, t, &f, &w.known)};
  *symbolic = tp_term_is(*out);
  tp_map_clear(&w.known);
  return !w.failed;
}

bool tp_concolic_value(tp_concolic *c, tp_term t, tp_term *out, tp_concolic_path *pins) {
  bool symbolic, was_exact = c->is_exact;
  bool ok = tp_concolic_eval(c, t, &symbolic, out, pins);
  c->is_exact = was_exact;  // pins that the run itself did not need
  if (!ok || symbolic) return ok;
  tp_value v = {0};
  if (tp_state_eval(c->s, t, &v) != TP_OK) return false;
  *out = tp_mk_value(c->tt, tp_sort_of(c->tt, t), v);
  return true;
}
