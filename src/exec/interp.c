/* The interpreter: one edge after another.
 *
 * A location with one out-edge has one way on; with several, all are assumptions, exactly one of
 * which holds. Terms are evaluated by words and, when a shadow turns up, again by cells. An
 * operation without meaning ends the run (TP_END_INVALID) before anything has changed, so the state
 * shows what led there.
 *
 * Indeterminate bits may be moved about freely. They are "used" when they decide a branch, an
 * address, a size, a divisor or an argument of a function without body; the result of the run says
 * so. */
#include "exec/threaded_code.h"

#include "exec/exec_limits.h"

typedef struct {
  const tp_program *p;
  tp_state *s;
  tp_code *code;
  tp_oracle *oracle;
  const tp_observer *observer;
  tp_run_limits limits;
  tp_state_view view;
  tp_word *words;  // registers
  tp_shaded *cells;
  uint32_t n_registers;
  tp_loc loc;
  tp_run_result r;
  bool ended;
} machine;

static bool end(machine *m, tp_run_end how, const char *why) {
  TP_INVARIANT(!m->ended);  // one end for each run
  m->r.end = how;
  m->r.why = why;
  m->ended = true;
  return false;
}

static bool invalid(machine *m, const char *why) { return end(m, TP_END_INVALID, why); }
static void used_if(machine *m, tp_u128 und) { m->r.used_indeterminate |= und != 0; }

// ------------------------------------------------------------------ evaluation

static void want_registers(machine *m) {
  if (m->n_registers >= m->code->max_registers) return;
  m->n_registers = m->code->max_registers;
  m->words = tp_realloc(m->words, m->n_registers * sizeof *m->words);
  m->cells = tp_realloc(m->cells, m->n_registers * sizeof *m->cells);
}

static bool by_words(machine *m, const tp_snippet *sn, tp_word *out) {
  return sn->evaluator == TP_BY_WORDS && tp_eval_words(&m->view, sn, m->words, out);
}

/* The careful value; false: the run has ended. */
static bool by_cells(machine *m, const tp_snippet *sn, tp_shaded *out) {
  if (sn->evaluator == TP_BY_TERMS)
    return tp_eval_terms(m->s, sn->term, out) == TP_OK ||
           end(m, TP_END_UNSUPPORTED, "term that cannot be evaluated");
  bool divided = false;
  *out = tp_eval_shaded(&m->view, sn, m->cells, &divided);
  m->r.used_indeterminate |= divided;
  return true;
}

/* A number or pointer that steers: its indeterminate bits count as used. */
static bool steering(machine *m, const tp_snippet *sn, tp_word *out) {
  if (by_words(m, sn, out)) return true;
  tp_shaded c;
  if (!by_cells(m, sn, &c)) return false;
  used_if(m, c.und);
  bool is_ptr = tp_sort_kind_of(m->p->terms, tp_sort_of(m->p->terms, sn->term)) == TP_SORT_PTR;
  *out = (tp_word){(uint64_t)c.bits, is_ptr ? c.object : (uint64_t)(c.bits >> 64)};
  return true;
}

/* Any value, the quick way if possible. */
static bool value_of(machine *m, const tp_snippet *sn, tp_shaded *out) {
  tp_word w;
  if (!by_words(m, sn, &w)) return by_cells(m, sn, out);
  *out = (tp_shaded){
      .bits = w.lo,
      .object = (uint32_t)w.hi};  // hi is an object or 0: words are at most 64 bits wide
  return true;
}

static size_t slot_of(const machine *m, const tp_op *op) {
  TP_REQUIRE(op->is_ready || op->slot < m->s->cap_slots);
  return op->var_is_global ? op->slot : tp_state_top(m->s)->base + op->slot;
}

static void set_word(machine *m, const tp_op *op, tp_word w) {
  TP_REQUIRE(op->layout.kind != TP_SORT_PTR || w.hi <= UINT32_MAX);
  size_t slot = slot_of(m, op);
  m->s->words[slot] = w;
  m->s->marked[slot] = 0;
}

static void set_cell(machine *m, const tp_op *op, tp_shaded c) {
  tp_slot_set(m->s, slot_of(m, op), op->layout.kind, c);
}

// ---------------------------------------------------------------------- inputs

static bool read_input(machine *m, tp_input *io) {
  if (m->oracle && m->oracle->ask && m->oracle->ask(m->oracle->ctx, io)) return true;
  return end(m, TP_END_NO_INPUT, "no input left");
}

/* As the source has it: headers of glibc lead scanf to __isoc99_scanf, strtol to __isoc23_strtol;
 * the front end calls some models' insides in the place of functions. NULL: another inside. */
static const char *name_in_source(const char *name) {
  static const char *const insides[][2] = {{"__tp_printf_known", "printf"},
                                           {"__tp_fprintf_known", "fprintf"},
                                           {"__tp_dprintf_known", "dprintf"}};
  for (size_t i = 0; i < sizeof insides / sizeof *insides; i++)
    if (strcmp(name, insides[i][0]) == 0) return insides[i][1];
  if (strncmp(name, "__tp_", 5) == 0) return NULL;
  static const char prefix[] = "__isoc";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return name;
  const char *rest = name + sizeof prefix - 1;
  const size_t n = strspn(rest, "0123456789");
  return n && rest[n] == '_' && rest[n + 1] ? rest + n + 1 : name;
}

/* Within library models: the program's call, the innermost one if models call back. */
static void note_call(const machine *m, tp_input *io) {
  size_t k = m->s->frames.n;
  while (k > 0 && tp_func_of(m->p, m->s->frames.at[k - 1].func)->is_model) k--;
  if (k == m->s->frames.n || !m->s->frames.at[k].call.id) return;
  const tp_frame *outermost = &m->s->frames.at[k];
  io->callee = name_in_source(tp_func_of(m->p, outermost->func)->name);
  io->call_pos = tp_edge_of(m->p, outermost->call)->pos;
}

static tp_input request(const machine *m, const tp_edge_info *e, tp_input_kind kind) {
  const tp_type_info *type = e->type.id ? tp_type_of(m->p, e->type) : NULL;
  tp_input io = {.kind = kind,
                 .is_signed = type && type->is_signed,
                 .name = e->name ? e->name : "",
                 .pos = e->pos};
  note_call(m, &io);
  return io;
}

/* One value for a variable of this layout; a pointer is asked for as an integer. */
static bool read_input_value(machine *m, const tp_edge_info *e, tp_input_kind kind,
                             const tp_layout *l, tp_shaded *out) {
  tp_input io = request(m, e, kind);
  io.width_bits = l->width_bits;
  io.is_float = l->kind == TP_SORT_FP;
  if (!*io.name && e->var.id) io.name = tp_var_of(m->p, e->var)->name;
  if (!read_input(m, &io)) return false;
  *out = (tp_shaded){.bits = io.bits & tp_mask128(l->width_bits)};
  if (kind == TP_I_INDETERMINATE) out->und = tp_mask128(l->width_bits);
  return true;
}

static bool read_input_bytes(machine *m, const tp_edge_info *e, tp_input_kind kind, uint64_t n,
                             tp_input *out) {
  *out = request(m, e, kind);
  out->n_bytes = n;
  if (!read_input(m, out)) return false;
  if (out->n_bytes > n) out->n_bytes = n;
  if (!out->bytes) out->n_bytes = 0;
  return true;
}

// ----------------------------------------------------------------- memory edges

static bool do_load(machine *m, const tp_op *op) {
  tp_word a;
  if (!steering(m, &op->a, &a)) return false;
  const char *why = tp_memory_read_error(m->s, (uint32_t)a.hi, a.lo, op->layout.bytes);
  if (why) return invalid(m, why);
  tp_word w = {0};
  if (op->layout.kind != TP_SORT_PTR &&
      tp_memory_load_plain(&m->s->objects.at[a.hi], a.lo, op->layout.bytes, &w.lo)) {
    w.lo &= (uint64_t)tp_mask128(op->layout.width_bits);
    set_word(m, op, w);
  } else {
    set_cell(m, op, tp_memory_load(m->s, (uint32_t)a.hi, a.lo, op->layout));
  }
  return true;
}

/* Contents are made as large as the object; the limit is checked before. */
static bool has_room(machine *m, uint64_t bytes) {
  return (bytes <= m->limits.memory_bytes &&
          m->s->memory_bytes <= m->limits.memory_bytes - bytes) ||
         end(m, TP_END_LIMIT, "memory limit");
}

static bool do_store(machine *m, const tp_op *op) {
  tp_word a, w;
  if (!steering(m, &op->a, &a)) return false;
  tp_shaded v;
  bool plain = by_words(m, &op->b, &w);
  if (plain)
    v = (tp_shaded){.bits = w.lo, .object = (uint32_t)w.hi};
  else if (!by_cells(m, &op->b, &v))
    return false;
  const char *why = tp_memory_write_error(m->s, (uint32_t)a.hi, a.lo, op->layout.bytes);
  if (why) return invalid(m, why);
  if (plain && !v.object &&
      tp_memory_store_plain(&m->s->objects.at[a.hi], a.lo, op->layout.bytes, w.lo))
    return true;
  if (!has_room(m, tp_memory_shadow_cost(&m->s->objects.at[a.hi], v.und != 0, v.object != 0)))
    return false;
  tp_memory_store(m->s, (uint32_t)a.hi, a.lo, op->layout, v);
  return true;
}

static bool do_alloc(machine *m, const tp_op *op, const tp_edge_info *e) {
  tp_word size;
  if (!steering(m, &op->a, &size)) return false;
  bool filled = tp_term_is(e->b);
  if (size.hi || size.lo > UINT64_MAX / 4) return end(m, TP_END_LIMIT, "memory limit");
  if (!has_room(m, size.lo + (filled ? 0 : size.lo))) return false;
  tp_shaded fill = {0};
  if (filled && !by_cells(m, &op->b, &fill)) return false;
  tp_input given;
  if (!filled && !read_input_bytes(m, e, TP_I_INDETERMINATE, size.lo, &given)) return false;
  uint32_t id = tp_memory_alloc(m->s, e->object_kind, size.lo, e->align_bytes);
  if (!id) return end(m, TP_END_LIMIT, "address space");
  if (!filled)
    tp_memory_fill(m->s, id, 0, size.lo, given.bytes, given.n_bytes, TP_CONTENT_INDETERMINATE);
  else if (fill.bits || fill.und)
    tp_memory_set(m->s, id, 0, size.lo, fill);
  set_word(m, op, (tp_word){.hi = id});
  return true;
}

static bool do_free(machine *m, const tp_op *op) {
  tp_word a;
  if (!steering(m, &op->a, &a)) return false;
  if (a.hi == 0 && a.lo == 0) return true;
  if (a.hi == 0 || a.hi >= m->s->objects.n) return invalid(m, "free of an invalid pointer");
  const tp_object *o = &m->s->objects.at[a.hi];
  if (o->kind != TP_O_HEAP) return invalid(m, "free of an object that is not on the heap");
  if (!o->live) return invalid(m, "free of a freed object");
  if (a.lo != 0) return invalid(m, "free of a pointer into the middle of an object");
  tp_memory_end(m->s, (uint32_t)a.hi);
  return true;
}

static bool do_end_scope(machine *m, const tp_op *op) {
  tp_word a;
  if (!steering(m, &op->a, &a)) return false;
  if (a.hi == 0 && a.lo == 0) return true;
  if (a.hi >= m->s->objects.n || a.lo != 0 || m->s->objects.at[a.hi].kind != TP_O_STACK ||
      !m->s->objects.at[a.hi].live)
    return invalid(m, "end of the scope of something that is not in scope");
  tp_memory_end(m->s, (uint32_t)a.hi);
  return true;
}

/* Blocks of no bytes touch nothing, whatever the pointers are. */
static bool do_block(machine *m, const tp_op *op, const tp_edge_info *e) {
  tp_word to, from = {0}, n;
  tp_shaded byte = {0};
  if (e->kind == TP_E_HAVOC_MEMORY && !tp_term_is(e->c)) return true;  // "may write": it does not
  if (!steering(m, &op->a, &to) || !steering(m, &op->c, &n)) return false;
  if (e->kind == TP_E_COPY && !steering(m, &op->b, &from)) return false;
  if (e->kind == TP_E_SET && !by_cells(m, &op->b, &byte)) return false;
  if (n.lo == 0 && n.hi == 0) return true;
  const char *why = n.hi ? "access outside of an object"
                         : tp_memory_write_error(m->s, (uint32_t)to.hi, to.lo, n.lo);
  if (!why && e->kind == TP_E_COPY)
    why = tp_memory_read_error(m->s, (uint32_t)from.hi, from.lo, n.lo);
  if (why) return invalid(m, why);
  if (e->kind == TP_E_COPY) {
    const tp_object_content *c = m->s->objects.at[from.hi].content;
    if (!has_room(m, tp_memory_shadow_cost(&m->s->objects.at[to.hi], c && c->und, c && c->origin)))
      return false;
    tp_memory_copy(m->s, (uint32_t)to.hi, to.lo, (uint32_t)from.hi, from.lo, n.lo);
  } else if (e->kind == TP_E_SET) {
    tp_memory_set(m->s, (uint32_t)to.hi, to.lo, n.lo, byte);
  } else {
    tp_input given;
    if (!read_input_bytes(m, e, e->input, n.lo, &given)) return false;
    tp_memory_fill(m->s, (uint32_t)to.hi, to.lo, n.lo, given.bytes, given.n_bytes,
                   e->input == TP_I_INDETERMINATE ? TP_CONTENT_INDETERMINATE : TP_CONTENT_DEFINED);
  }
  return has_room(m, 0);
}

// -------------------------------------------------------------- variables, calls

static bool do_assign(machine *m, const tp_op *op) {
  tp_word w;
  tp_shaded c;
  if (by_words(m, &op->a, &w))
    set_word(m, op, w);
  else if (by_cells(m, &op->a, &c))
    set_cell(m, op, c);
  else
    return false;
  return true;
}

/* Evaluate the arguments for a function without body: what it is told must be determined. */
static bool use_arguments(machine *m, const tp_op *op, const tp_edge_info *e) {
  for (uint32_t i = 0; i < e->n_args; i++) {
    tp_word w;
    if (!steering(m, &op->args[i], &w)) return false;
  }
  return true;
}

static bool do_havoc(machine *m, const tp_op *op, const tp_edge_info *e) {
  tp_shaded v;
  if (!use_arguments(m, op, e) || !read_input_value(m, e, e->input, &op->layout, &v)) return false;
  set_cell(m, op, v);
  return true;
}

static bool find_callee(machine *m, const tp_op *op, const tp_edge_info *e, tp_func *out) {
  *out = e->callee;
  if (e->callee.id) return true;
  tp_word a;
  if (!steering(m, &op->a, &a)) return false;
  if (a.hi == 0 || a.hi >= m->s->objects.n || m->s->objects.at[a.hi].kind != TP_O_FUNCTION ||
      a.lo != 0 || a.hi >= m->p->statics.n)
    return invalid(m, "call through a pointer that is not a function");
  *out = m->p->statics.at[a.hi].func;
  return out->id != 0 || invalid(m, "call through a pointer that is not a function");
}

/* A function that is only declared: its result is an input, its effect nothing. */
static bool call_without_body(machine *m, const tp_op *op, const tp_edge_info *e) {
  if (!use_arguments(m, op, e)) return false;
  if (!e->var.id) return true;
  tp_shaded v;
  if (!read_input_value(m, e, TP_I_EXTERN, &op->layout, &v)) return false;
  set_cell(m, op, v);
  return true;
}

static bool do_call(machine *m, const tp_op *op, tp_edge edge, const tp_edge_info *e) {
  tp_func callee;
  if (!find_callee(m, op, e, &callee)) return false;
  const tp_func_info *f = tp_func_of(m->p, callee);
  if (!f->has_body) {
    m->loc = e->to;
    return call_without_body(m, op, e);
  }
  if (!tp_call_fits(m->p, e, f)) return invalid(m, "call of a function of another type");
  if (m->s->frames.n >= m->limits.depth) return end(m, TP_END_LIMIT, "depth of calls");
  tp_shaded few[8], *args = f->n_params <= 8 ? few : TP_NEW_ARRAY(tp_shaded, f->n_params);
  bool ok = true;
  for (uint32_t i = 0; i < f->n_params && ok; i++) ok = value_of(m, &op->args[i], &args[i]);
  if (ok) {
    tp_state_top(m->s)->loc = e->from;
    tp_state_push(m->s, callee, edge);
    for (uint32_t i = 0; i < f->n_params; i++) {
      tp_sort_kind k = tp_sort_kind_of(
          m->p->terms, tp_sort_of(m->p->terms, tp_var_of(m->p, f->params[i])->term));
      tp_slot_set(m->s, tp_state_top(m->s)->base + m->code->slot_of_var[f->params[i].id], k,
                  args[i]);
    }
    m->view = tp_state_view_of(m->s);
    m->loc = f->entry;
  }
  if (args != few) tp_free(args);
  return ok;
}

static bool do_return(machine *m, const tp_op *op, const tp_edge_info *e) {
  tp_func f = tp_state_top(m->s)->func;
  tp_var result = tp_func_of(m->p, f)->result;
  if (!tp_term_is(e->a) || !result.id) return true;
  tp_op to = {.slot = m->code->slot_of_var[result.id],
              .var_is_global = m->code->var_is_global[result.id]};
  to.layout = tp_layout_of(m->p, tp_sort_of(m->p->terms, tp_var_of(m->p, result)->term));
  tp_word w;
  tp_shaded c;
  if (by_words(m, &op->a, &w))
    set_word(m, &to, w);
  else if (by_cells(m, &op->a, &c))
    set_cell(m, &to, c);
  else
    return false;
  return true;
}

/* At a function's exit: hand the result over and go on behind the call. */
static bool return_to_caller(machine *m) {
  TP_REQUIRE(m->s->frames.n > 0);
  const tp_frame f = *tp_state_top(m->s);
  const tp_func_info *info = tp_func_of(m->p, f.func);
  tp_shaded v = {0};
  if (info->result.id) {
    tp_sort_kind k =
        tp_sort_kind_of(m->p->terms, tp_sort_of(m->p->terms, tp_var_of(m->p, info->result)->term));
    v = tp_slot_get(m->s, tp_slot_of(m->s, &f, info->result), k);
  }
  if (m->s->frames.n == 1) {
    m->r.exit_status = (int)(uint32_t)v.bits;
    return end(m, TP_END_EXIT, NULL);
  }
  tp_state_pop(m->s);
  m->view = tp_state_view_of(m->s);
  const tp_edge_info *call = tp_edge_of(m->p, f.call);
  if (call->var.id && info->result.id) set_cell(m, tp_code_op(m->code, f.call.id), v);
  m->loc = call->to;
  return true;
}

// ------------------------------------------------------------------------ steps

static bool holds(machine *m, const tp_op *op, bool *out) {
  tp_word w;
  if (!steering(m, &op->a, &w)) return false;
  *out = w.lo != 0;
  return true;
}

/* The edge to take; 0: the run has ended. */
static uint32_t choose(machine *m, tp_edge_list out) {
  if (out.n == 1) return out.at[0];
  for (uint32_t i = 0; i < out.n; i++) {
    if (i == 1 && m->code->second_is_else[m->loc.id]) return out.at[1];
    bool yes;
    const tp_op *op = tp_code_op(m->code, out.at[i]);
    want_registers(m);
    if (!holds(m, op, &yes)) return 0;
    if (yes) return out.at[i];
  }
  TP_INVARIANT(out.n == 0);  // several branches: one of them holds
  end(m, TP_END_BLOCKED, "no branch holds");
  return 0;
}

static bool finish_location(machine *m) {
  const tp_loc_info *l = tp_loc_of(m->p, m->loc);
  if (l->error != TP_P_NONE) return end(m, TP_END_ERROR, l->message);
  if (l->is_unsupported) return end(m, TP_END_UNSUPPORTED, "construct that is not modelled");
  if (tp_func_of(m->p, l->func)->exit.id == m->loc.id) return return_to_caller(m);
  return end(m, TP_END_EXIT, NULL);  // exit()
}

static bool execute(machine *m, uint32_t id, bool chosen) {
  const tp_edge_info *e = &m->p->edges.at[id];
  const tp_op *op = tp_code_op(m->code, id);
  want_registers(m);
  bool yes = true;
  switch (op->kind) {
    case TP_E_SKIP: break;
    case TP_E_ASSIGN:
      if (!do_assign(m, op)) return false;
      break;
    case TP_E_ASSUME:
      if (chosen) break;
      if (!holds(m, op, &yes)) return false;
      if (!yes) return end(m, TP_END_BLOCKED, e->name ? e->name : "assumption");
      break;
    case TP_E_LOAD:
      if (!do_load(m, op)) return false;
      break;
    case TP_E_STORE:
      if (!do_store(m, op)) return false;
      break;
    case TP_E_ALLOC:
      if (!do_alloc(m, op, e)) return false;
      break;
    case TP_E_FREE:
      if (!do_free(m, op)) return false;
      break;
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
      if (!do_block(m, op, e)) return false;
      break;
    case TP_E_HAVOC:
      if (!do_havoc(m, op, e)) return false;
      break;
    case TP_E_CALL: return do_call(m, op, (tp_edge){id}, e);  // sets the location itself
    case TP_E_RETURN:
      if (!do_return(m, op, e)) return false;
      break;
    case TP_E_END_SCOPE:
      if (!do_end_scope(m, op)) return false;
      break;
  }
  m->loc = e->to;
  return true;
}

static bool observed(machine *m) {
  const tp_observer *o = m->observer;
  bool at = (o->mask & TP_OBSERVE_ALL) ||
            ((o->mask & TP_OBSERVE_CUTPOINTS) && tp_loc_of(m->p, m->loc)->is_cutpoint);
  if (!at || !o->at) return true;
  tp_state_top(m->s)->loc = m->loc;
  return o->at(o->ctx, m->s) || end(m, TP_END_STOPPED, NULL);
}

static bool observed_edge(machine *m, uint32_t id) {
  const tp_observer *o = m->observer;
  if (!(o->mask & TP_OBSERVE_EDGES) || !o->edge) return true;
  tp_state_top(m->s)->loc = m->loc;
  return o->edge(o->ctx, m->s, (tp_edge){id}) || end(m, TP_END_STOPPED, NULL);
}

static void step(machine *m) {
  tp_edge_list out = tp_out_edges(m->p, m->loc);
  if (m->observer && !observed(m)) return;
  if (out.n == 0) {
    (void)finish_location(m);
    return;
  }
  if (m->r.steps >= m->limits.steps) {
    end(m, TP_END_LIMIT, "number of steps");
    return;
  }
  uint32_t id = choose(m, out);
  if (!id) return;
  m->r.edge = (tp_edge){id};
  if (m->observer && !observed_edge(m, id)) return;
  TP_INVARIANT(m->r.steps < m->limits.steps);
  m->r.steps++;
  (void)execute(m, id, out.n > 1);
}

/* As far as nothing special happens; the turn after it always has a step to take, or an end to
 * find. */
static void run_threads(machine *m) {
  TP_REQUIRE(!m->observer);  // threaded code shows nothing
  if (m->r.steps >= m->limits.steps) return;
  uint64_t left = m->limits.steps - m->r.steps;
  m->loc = tp_threaded_code_run(m->s, m->loc, &left);
  m->view = tp_state_view_of(m->s);
  m->r.steps = m->limits.steps - left;
}

tp_run_limits tp_run_limits_with_defaults(tp_run_limits l) {
  if (!l.steps) l.steps = TP_EXEC_RUN_STEPS;
  if (!l.memory_bytes) l.memory_bytes = TP_EXEC_RUN_MEMORY_BYTES;
  if (!l.depth) l.depth = TP_EXEC_RUN_FRAMES;
  return l;
}

tp_run_result tp_exec_run(const tp_program *p, tp_state *s, tp_oracle *oracle, tp_run_limits limits,
                          const tp_observer *observer) {
  TP_REQUIRE(p && s && s->program == p);
  machine m = {.p = p,
               .s = s,
               .code = s->code,
               .oracle = oracle,
               .observer = observer,
               .limits = tp_run_limits_with_defaults(limits)};
  if (!s->frames.n) {
    m.r = (tp_run_result){.end = TP_END_UNSUPPORTED, .why = "state without a frame"};
    return m.r;
  }
  TP_REQUIRE(tp_state_check(s, NULL));  // also of states that were injected or unpacked
  m.view = tp_state_view_of(s);
  m.loc = tp_state_loc(s);
  if (has_room(&m, 0))
    while (!m.ended) {
      if (!observer) run_threads(&m);
      step(&m);
    }
  tp_state_top(s)->loc = m.loc;
  TP_INVARIANT(tp_state_check(s, NULL));
  m.r.loc = m.loc;
  m.r.pos = tp_loc_of(p, m.loc)->pos;
  if (!tp_pos_known(m.r.pos) && m.r.edge.id) m.r.pos = tp_edge_of(p, m.r.edge)->pos;
  tp_free(m.words);
  tp_free(m.cells);
  return m.r;
}

tp_run_result tp_exec_main(const tp_program *p, tp_oracle *oracle, tp_run_limits limits,
                           const tp_observer *observer) {
  tp_state *s = tp_state_initial(p);
  tp_run_result r = tp_exec_run(p, s, oracle, limits, observer);
  tp_state_free(s);
  return r;
}
