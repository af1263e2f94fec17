/* A concolic run is a run of the interpreter with an observer.
 *
 * Before an edge is taken its operands are evaluated over inputs, in the state that they are read
 * in; what it does to the shadows happens at the next location, when the machine has done it and
 * the inputs it asked for are known. Edges whose operands do not depend on inputs only clear the
 * shadow of what they write, if it has one. At a function's exit the result goes to the variable of
 * the call. */
#include "exec/concolic_priv.h"

#include "exec/exec_limits.h"

// ---------------------------------------------------------------------- symbols

/* The same symbol for the same input of all runs of a program, so that terms of one are known to
 * the next. */
static tp_term symbol_for(tp_concolic *c, uint64_t key, const char *name, uint32_t width) {
  tp_map *symbols = &c->s->code->symbols;
  uint64_t known;
  if (tp_map_get(symbols, key, &known)) return (tp_term){(uint32_t)known};
  tp_term t = tp_mk_var(c->tt, name, tp_sort_bv(c->tt, width));
  tp_map_set(symbols, key, t.id);
  return t;
}

static void note_input(tp_concolic *c, const tp_input *io) {
  uint64_t number = c->inputs.n;
  tp_concolic_input in = {.first = (uint32_t)c->byte_symbols.n};
  tp_inputs_add(&c->asked, *io);
  if (io->width_bits && !c->has_given_up)
    in.symbol = symbol_for(c, number << 8 | io->width_bits, "in", io->width_bits);
  for (size_t i = 0; i < io->n_bytes && !io->width_bits && !c->has_given_up; i++) {
    tp_vec_push(&c->byte_symbols, symbol_for(c, (uint64_t)1 << 63 | number << 32 | i, "byte", 8));
    in.n++;
  }
  tp_vec_push(&c->inputs, in);
}

typedef struct {
  tp_concolic *c;
  tp_vector_oracle vector;
} input_oracle;

static bool answer_input(void *ctx, tp_input *io) {
  static const uint8_t zeros[TP_EXEC_CONCOLIC_INPUT_BYTES];
  input_oracle *t = ctx;
  uint64_t most = io->n_bytes;
  tp_oracle vector = tp_oracle_of_vector(&t->vector);
  if (!vector.ask(vector.ctx, io)) return false;
  if (io->width_bits) {
    io->bits &= tp_mask128(io->width_bits);
  } else {
    if (!io->bytes || !io->n_bytes) {  // the first of them said, so that they have symbols
      io->bytes = zeros;
      io->n_bytes = TP_EXEC_CONCOLIC_INPUT_BYTES;
    }
    if (io->n_bytes > most) io->n_bytes = most;
    if (io->n_bytes < most)
      t->c->is_exact = t->c->is_whole = false;  // other bytes behind them are other inputs
  }
  note_input(t->c, io);
  return true;
}

// ---------------------------------------------------------------------- shadows

static void set_slot(tp_concolic *c, size_t slot, tp_term t) {
  while (c->slots.n <= slot) {
    if (!tp_term_is(t)) return;
    tp_vec_push(&c->slots, TP_TERM_NONE);
  }
  c->n_symbolic -= tp_term_is(c->slots.at[slot]);
  c->slots.at[slot] = t;
  c->n_symbolic += tp_term_is(t);
}

static void clear_slots_from(tp_concolic *c, size_t first) {
  for (size_t i = c->slots.n; i-- > first;) set_slot(c, i, TP_TERM_NONE);
  if (c->slots.n > first) c->slots.n = first;
}

static size_t slot_of(const tp_concolic *c, tp_var v) {
  TP_REQUIRE(v.id);
  return tp_slot_of(c->s, tp_state_top(c->s), v);
}

/* An input, as a variable of this sort gets it. */
static tp_term as_sort(tp_concolic *c, tp_term symbol, tp_sort sort) {
  tp_terms *tt = c->tt;
  switch (tp_sort_kind_of(tt, sort)) {
    case TP_SORT_BOOL: return tp_mk_eq(tt, symbol, tp_mk_bv(tt, 1, 1));
    case TP_SORT_FP: return tp_mk1(tt, TP_OP_FP_OF_BITS, symbol);
    case TP_SORT_PTR: return tp_mk_ptr(tt, tp_mk_bv(tt, TP_OBJ_BITS, 0), symbol);
    case TP_SORT_BV: return symbol;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return TP_TERM_NONE;
}

/* From now on inputs have no symbols; those that have are what they are. */
static void give_up(tp_concolic *c) {
  c->has_given_up = true;
  c->is_exact = c->is_whole = false;
  for (size_t i = 0; i < c->inputs.n; i++) {
    const tp_concolic_input *in = &c->inputs.at[i];
    if (tp_term_is(in->symbol))
      tp_concolic_pin(c, in->symbol, (tp_value){.bits = c->asked.v.at[i].bits}, &c->path);
    for (uint32_t k = 0; k < in->n; k++)
      tp_concolic_pin(c, c->byte_symbols.at[in->first + k],
                      (tp_value){.bits = c->asked.v.at[i].bytes[k]}, &c->path);
  }
  clear_slots_from(c, 0);
  tp_symbolic_memory_clear(&c->memory);
}

// ---------------------------------------------------------------------- operands

/* NONE: it does not depend on inputs. */
static tp_term over_inputs(tp_concolic *c, tp_term t) {
  bool symbolic = false;
  tp_term out = TP_TERM_NONE;
  if (!tp_term_is(t) || !tp_concolic_depends(c, t)) return TP_TERM_NONE;
  if (tp_concolic_eval(c, t, &symbolic, &out, &c->path)) return symbolic ? out : TP_TERM_NONE;
  give_up(c);
  return TP_TERM_NONE;
}

static tp_value in_this_run(const tp_concolic *c, tp_term t) {
  tp_value v = {0};
  return tp_state_eval(c->s, t, &v) == TP_OK ? v : (tp_value){0};
}

/* The value of an operand that must not depend on inputs: an address, a size. */
static tp_value pinned(tp_concolic *c, tp_term t) {
  tp_value v = in_this_run(c, t);
  tp_term over = over_inputs(c, t);
  if (tp_term_is(over)) tp_concolic_pin(c, over, v, &c->path);
  return v;
}

static void pin_if_needed(tp_concolic *c, tp_term t) {
  if (tp_concolic_depends(c, t)) (void)pinned(c, t);
}

// ------------------------------------------------------------------------- edges

static void pend(tp_concolic *c, tp_pending_kind kind, tp_var target, tp_term value) {
  TP_REQUIRE(c->pending.kind == TP_PENDING_NONE);  // one effect for each edge
  c->pending.kind = kind;
  c->pending.slot = target.id ? slot_of(c, target) : 0;
  c->pending.value = value;
}

static bool is_accessible(const tp_concolic *c, tp_value at, uint64_t n) {
  return !tp_memory_read_error(c->s, at.object, (uint64_t)at.bits, n);
}

/* Are bytes of addresses read as something else than one address? */
static bool cuts_addresses(const tp_concolic *c, tp_value at, tp_layout l) {
  const tp_object_content *content = c->s->objects.at[at.object].content;
  bool any = false, same = true;
  if (!content || !content->origin) return false;
  const uint32_t *origin = content->origin + (uint64_t)at.bits;
  for (uint32_t i = 0; i < l.bytes; i++) {
    any |= origin[i] != 0;
    same &= origin[i] == origin[0];
  }
  return any && !(same && l.kind == TP_SORT_PTR);
}

static void before_load(tp_concolic *c, const tp_edge_info *e) {
  tp_term value = TP_TERM_NONE;
  tp_sort sort = tp_sort_of(c->tt, tp_var_of(c->p, e->var)->term);
  tp_layout l = tp_layout_of(c->p, sort);
  pin_if_needed(c, e->a);
  if (c->memory.n || c->has_addresses) {
    tp_value at = in_this_run(c, e->a);
    bool is_valid = is_accessible(c, at, l.bytes);
    if (is_valid && c->memory.n)
      value = tp_concolic_load(c, at.object, (uint64_t)at.bits, sort, &c->path);
    if (is_valid && cuts_addresses(c, at, l)) c->is_whole = false;
  }
  pend(c, TP_PENDING_SET, e->var, value);
}

static void before_store(tp_concolic *c, const tp_edge_info *e) {
  tp_sort sort = tp_sort_of(c->tt, e->b);
  tp_term value = over_inputs(c, e->b);
  c->has_addresses |= tp_sort_kind_of(c->tt, sort) == TP_SORT_PTR;
  pin_if_needed(c, e->a);
  if (!tp_term_is(value) && !c->memory.n) return;
  if (tp_term_is(value) && tp_sort_kind_of(c->tt, sort) == TP_SORT_PTR) {
    tp_concolic_pin(c, value, in_this_run(c, e->b), &c->path);
    value = TP_TERM_NONE;
  }
  tp_value at = in_this_run(c, e->a);
  uint32_t n = tp_layout_of(c->p, sort).bytes;
  if (is_accessible(c, at, n))
    tp_symbolic_memory_write(&c->memory, at.object, (uint64_t)at.bits, n, value);
}

/* COPY, SET, HAVOC_MEMORY. */
static void before_block(tp_concolic *c, const tp_edge_info *e) {
  if (!tp_term_is(e->c)) return;
  tp_value to = pinned(c, e->a), n = pinned(c, e->c), from = {0};
  tp_term byte = TP_TERM_NONE;
  if (e->kind == TP_E_COPY) from = pinned(c, e->b);
  if (e->kind == TP_E_SET) byte = over_inputs(c, e->b);
  uint64_t bytes = (uint64_t)n.bits;
  if (!bytes || !is_accessible(c, to, bytes)) return;
  if (e->kind == TP_E_COPY && is_accessible(c, from, bytes))
    tp_symbolic_memory_move(&c->memory, to.object, (uint64_t)to.bits, from.object,
                            (uint64_t)from.bits, bytes);
  if (e->kind == TP_E_COPY) return;
  if (tp_term_is(byte) && bytes > TP_EXEC_CONCOLIC_SET_BYTES) {
    tp_concolic_pin(c, byte, in_this_run(c, e->b), &c->path);
    byte = TP_TERM_NONE;
  }
  tp_symbolic_memory_write(&c->memory, to.object, (uint64_t)to.bits, bytes, TP_TERM_NONE);
  for (uint64_t i = 0; i < bytes && tp_term_is(byte); i++)
    tp_symbolic_memory_write(&c->memory, to.object, (uint64_t)to.bits + i, 1, byte);
  if (e->kind != TP_E_HAVOC_MEMORY) return;
  pend(c, TP_PENDING_FILL, TP_VAR_NONE, TP_TERM_NONE);
  c->pending.object = to.object;
  c->pending.offset = (uint64_t)to.bits;
  c->pending.n = bytes;
}

static void before_call(tp_concolic *c, const tp_edge_info *e) {
  pend(c, TP_PENDING_CALL, e->var, TP_TERM_NONE);
  if (!e->callee.id) pin_if_needed(c, e->a);
  c->arguments.n = 0;
  for (uint32_t i = 0; i < e->n_args; i++) tp_vec_push(&c->arguments, over_inputs(c, e->args[i]));
}

static bool before(void *ctx, const tp_state *s, tp_edge edge) {
  tp_concolic *c = ctx;
  const tp_edge_info *e = tp_edge_of(c->p, edge);
  (void)s;
  c->pending.kind = TP_PENDING_NONE;
  c->pending.edge = edge;
  c->pending.n_asked = c->inputs.n;
  c->pending.n_frames = c->s->frames.n;
  switch (e->kind) {
    case TP_E_SKIP: break;
    case TP_E_ASSUME: {
      tp_term t = over_inputs(c, e->a);
      if (tp_term_is(t))
        tp_concolic_condition(c, in_this_run(c, e->a).bits ? t : tp_mk_not(c->tt, t), false,
                              &c->path);
      break;
    }
    case TP_E_ASSIGN: pend(c, TP_PENDING_SET, e->var, over_inputs(c, e->a)); break;
    case TP_E_RETURN:
      if (tp_term_is(e->a) && tp_func_of(c->p, tp_state_top(c->s)->func)->result.id)
        pend(c, TP_PENDING_SET, tp_func_of(c->p, tp_state_top(c->s)->func)->result,
             over_inputs(c, e->a));
      break;
    case TP_E_LOAD: before_load(c, e); break;
    case TP_E_STORE: before_store(c, e); break;
    case TP_E_ALLOC:
      pin_if_needed(c, e->a);
      if (tp_term_is(e->b)) pin_if_needed(c, e->b);
      pend(c, TP_PENDING_ALLOC, e->var, TP_TERM_NONE);
      break;
    case TP_E_FREE:
    case TP_E_END_SCOPE: pin_if_needed(c, e->a); break;
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: before_block(c, e); break;
    case TP_E_HAVOC: pend(c, TP_PENDING_ASKED, e->var, TP_TERM_NONE); break;
    case TP_E_CALL: before_call(c, e); break;
  }
  c->steps++;
  if (tp_terms_count(c->tt) - c->first_terms > c->max_terms && !c->has_given_up) give_up(c);
  return true;
}

// ------------------------------------------------------------------ after an edge

/* The input that the edge asked for; NULL: none. */
static const tp_concolic_input *asked(const tp_concolic *c) {
  return c->inputs.n > c->pending.n_asked ? &c->inputs.at[c->pending.n_asked] : NULL;
}

static void fill(tp_concolic *c, uint32_t object, uint64_t offset) {
  const tp_concolic_input *in = asked(c);
  for (uint32_t i = 0; in && i < in->n; i++)
    tp_symbolic_memory_write(&c->memory, object, offset + i, 1, c->byte_symbols.at[in->first + i]);
}

static void set_asked(tp_concolic *c, tp_var target, size_t slot) {
  const tp_concolic_input *in = asked(c);
  bool is = in && tp_term_is(in->symbol);
  set_slot(
      c, slot,
      is ? as_sort(c, in->symbol, tp_sort_of(c->tt, tp_var_of(c->p, target)->term)) : TP_TERM_NONE);
}

static void after_call(tp_concolic *c, const tp_edge_info *e) {
  if (c->s->frames.n == c->pending.n_frames) {  // of a function without a body
    if (e->var.id) set_asked(c, e->var, c->pending.slot);
    return;
  }
  const tp_frame *top = tp_state_top(c->s);
  const tp_func_info *f = tp_func_of(c->p, top->func);
  clear_slots_from(c, top->base);
  for (uint32_t i = 0; i < f->n_params && i < c->arguments.n; i++)
    if (tp_term_is(c->arguments.at[i]))
      set_slot(c, tp_slot_of(c->s, top, f->params[i]), c->arguments.at[i]);
}

static void apply_pending(tp_concolic *c) {
  const tp_edge_info *e = tp_edge_of(c->p, c->pending.edge);
  switch (c->pending.kind) {
    case TP_PENDING_NONE: break;
    case TP_PENDING_SET:
      set_slot(c, c->pending.slot, c->has_given_up ? TP_TERM_NONE : c->pending.value);
      break;
    case TP_PENDING_ASKED: set_asked(c, e->var, c->pending.slot); break;
    case TP_PENDING_FILL: fill(c, c->pending.object, c->pending.offset); break;
    case TP_PENDING_ALLOC:
      set_slot(c, c->pending.slot, TP_TERM_NONE);
      fill(c, (uint32_t)c->s->words[c->pending.slot].hi, 0);
      break;
    case TP_PENDING_CALL: after_call(c, e); break;
  }
  c->pending.kind = TP_PENDING_NONE;
}

/* The frame is about to be left: its result goes to the caller's variable. */
static void leave(tp_concolic *c) {
  const tp_frame *top = tp_state_top(c->s), *caller = top - 1;
  const tp_func_info *f = tp_func_of(c->p, top->func);
  size_t from = f->result.id ? tp_slot_of(c->s, top, f->result) : 0;
  tp_term result = f->result.id && from < c->slots.n ? c->slots.at[from] : TP_TERM_NONE;
  tp_var to = tp_edge_of(c->p, top->call)->var;
  clear_slots_from(c, top->base);
  if (to.id && f->result.id) set_slot(c, tp_slot_of(c->s, caller, to), result);
}

static bool at(void *ctx, const tp_state *s) {
  tp_concolic *c = ctx;
  tp_loc loc = tp_state_top(s)->loc;
  apply_pending(c);
  if (s->frames.n > 1 && tp_func_of(c->p, tp_state_top(s)->func)->exit.id == loc.id &&
      !tp_out_edges(c->p, loc).n)
    leave(c);
  return true;
}

// --------------------------------------------------------------------------- runs

tp_concolic *tp_concolic_new(const tp_program *p, const tp_state *start, const tp_inputs *inputs) {
  tp_concolic *c = TP_NEW(tp_concolic);
  *c = (tp_concolic){.p = p,
                     .tt = p->terms,
                     .given = inputs,
                     .is_exact = true,
                     .is_whole = true,
                     .memory.tt = p->terms};
  c->s = start ? tp_state_copy(start) : tp_state_initial(p);
  for (size_t i = 1; i < c->s->objects.n; i++)
    c->has_addresses |= c->s->objects.at[i].content && c->s->objects.at[i].content->origin;
  c->first_terms = tp_terms_count(p->terms);
  tp_inputs_init(&c->asked);
  return c;
}

tp_concolic *tp_concolic_copy(const tp_concolic *from) {
  tp_concolic *c = TP_NEW(tp_concolic);
  *c = (tp_concolic){.p = from->p,
                     .tt = from->tt,
                     .given = from->given,
                     .next_given = from->next_given,
                     .n_symbolic = from->n_symbolic,
                     .is_exact = from->is_exact,
                     .is_whole = from->is_whole,
                     .has_addresses = from->has_addresses,
                     .has_given_up = from->has_given_up,
                     .steps = from->steps,
                     .first_terms = from->first_terms,
                     .max_terms = from->max_terms,
                     .runner = from->runner};
  c->s = tp_state_copy(from->s);
  tp_inputs_init(&c->asked);
  tp_inputs_add_all(&c->asked, &from->asked);
  for (size_t i = 0; i < from->inputs.n; i++) tp_vec_push(&c->inputs, from->inputs.at[i]);
  for (size_t i = 0; i < from->byte_symbols.n; i++)
    tp_vec_push(&c->byte_symbols, from->byte_symbols.at[i]);
  for (size_t i = 0; i < from->slots.n; i++) tp_vec_push(&c->slots, from->slots.at[i]);
  for (size_t i = 0; i < from->path.n; i++) {
    tp_vec_push(&c->path, from->path.at[i]);
    tp_map_set(&c->conditions, from->path.at[i].condition.id, 1);
  }
  tp_symbolic_memory_copy(&c->memory, &from->memory);
  return c;
}

void tp_concolic_free(tp_concolic *c) {
  if (!c) return;
  tp_state_free(c->s);
  tp_inputs_clear(&c->asked);
  tp_vec_clear(&c->inputs);
  tp_vec_clear(&c->byte_symbols);
  tp_vec_clear(&c->slots);
  tp_vec_clear(&c->path);
  tp_vec_clear(&c->arguments);
  tp_map_clear(&c->conditions);
  tp_map_clear(&c->slots_of);
  tp_vec_clear(&c->slot_lists);
  tp_symbolic_memory_clear(&c->memory);
  tp_free(c->stops);
  tp_free(c);
}

void tp_concolic_set_runner(tp_concolic *c, tp_runner *runner) { c->runner = runner; }

static uint64_t let_go(void *ctx, const tp_state *s, tp_visits *v, tp_visit_block *root) {
  tp_concolic *c = ctx;
  (void)s, (void)root;
  apply_pending(c);
  tp_concolic_set_stops(c, v);
  return UINT64_MAX;
}

static void passed(void *ctx, const tp_state *s, tp_visits *v, uint64_t steps) {
  tp_concolic *c = ctx;
  (void)s, (void)v;
  c->steps += steps;
}

tp_run_result tp_concolic_run(tp_concolic *c, uint64_t until_step, tp_run_limits limits,
                              bool then_zero, uint64_t max_terms) {
  TP_REQUIRE(c->pending.kind == TP_PENDING_NONE);
  input_oracle t = {c, {c->given, c->next_given, then_zero}};
  tp_oracle oracle = {&t, answer_input};
  tp_observer observer = {
      .mask = TP_OBSERVE_ALL | TP_OBSERVE_EDGES, .ctx = c, .at = at, .edge = before};
  c->max_terms = max_terms ? max_terms : TP_EXEC_CONCOLIC_TERMS;
  if (until_step && until_step <= c->steps)
    return (tp_run_result){
        .end = TP_END_LIMIT, .loc = tp_state_loc(c->s), .why = "number of steps"};
  if (until_step && (!limits.steps || until_step - c->steps < limits.steps))
    limits.steps = until_step - c->steps;
  const tp_runner_observer watch = {observer, c, let_go, passed};
  tp_run_result r = c->runner ? tp_runner_run(c->runner, c->s, &oracle, limits, &watch)
                              : tp_exec_run(c->p, c->s, &oracle, limits, &observer);
  if (r.end != TP_END_INVALID) apply_pending(c);
  c->next_given = t.vector.next;
  return r;
}

const tp_state *tp_concolic_state(const tp_concolic *c) { return c->s; }
uint64_t tp_concolic_steps(const tp_concolic *c) { return c->steps; }
bool tp_concolic_is_exact(const tp_concolic *c) { return c->is_exact; }
bool tp_concolic_is_exact_but_pins(const tp_concolic *c) { return c->is_whole; }
const tp_concolic_path *tp_concolic_path_of(const tp_concolic *c) { return &c->path; }
const tp_inputs *tp_concolic_inputs(const tp_concolic *c) { return &c->asked; }
tp_term tp_concolic_symbol(const tp_concolic *c, size_t input) {
  TP_REQUIRE(input < c->inputs.n);
  return c->inputs.at[input].symbol;
}

tp_term tp_concolic_byte(const tp_concolic *c, size_t input, size_t i) {
  const tp_concolic_input *in = &c->inputs.at[input];
  return i < in->n ? c->byte_symbols.at[in->first + i] : TP_TERM_NONE;
}

void tp_concolic_inputs_of_model(const tp_concolic *c,
                                 bool (*value)(void *ctx, tp_term symbol, tp_value *out), void *ctx,
                                 tp_inputs *out) {
  for (size_t i = 0; i < c->inputs.n; i++) {
    tp_input in = c->asked.v.at[i];
    tp_value v = {0};
    if (tp_term_is(c->inputs.at[i].symbol) && value(ctx, c->inputs.at[i].symbol, &v))
      in.bits = v.bits;
    tp_inputs_add(out, in);
    uint8_t *bytes = (uint8_t *)(uintptr_t)tp_vec_last(&out->v).bytes;  // our own copy
    for (size_t k = 0; k < c->inputs.at[i].n; k++)
      if (value(ctx, tp_concolic_byte(c, i, k), &v)) bytes[k] = (uint8_t)v.bits;
  }
}
