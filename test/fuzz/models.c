/* Statements over words, bytes and pointers, functions, and the whole program. What only rich models have: models_rich.c. */
#include "models_priv.h"

// ---------------------------------------------------------------------- edges


void model_edge(model *m, tp_edge_info e) {
  e.from = m->at;
  if (!e.to.id) e.to = new_loc(m);
  m->at = e.to;
  tp_program_add_edge(m->p, e);
}

tp_var model_var(model *m, const char *name, tp_var_kind kind, tp_sort s) {
  return tp_program_add_var(m->p, (tp_var_info){.name = name, .kind = kind, .func = m->func}, s);
}

void model_assign(model *m, tp_var v, tp_term t) { model_edge(m, (tp_edge_info){.kind = TP_E_ASSIGN, .var = v, .a = t}); }

/* Goes on where c holds; returns the location where it does not. */
tp_loc model_branch(model *m, tp_term c) {
  tp_loc from = m->at, yes = new_loc(m), no = new_loc(m);
  tp_program_add_edge(m->p, (tp_edge_info){.kind = TP_E_ASSUME, .from = from, .to = yes, .a = c});
  tp_program_add_edge(m->p, (tp_edge_info){.kind = TP_E_ASSUME, .from = from, .to = no, .a = tp_mk_not(m->tt, c), .negated = true});
  m->at = yes;
  return no;
}

void model_require(model *m, tp_term c, tp_property kind) {
  tp_loc no = model_branch(m, c), error = tp_program_add_loc(m->p, (tp_loc_info){.func = m->func, .error = kind, .message = "error"});
  tp_program_add_edge(m->p, (tp_edge_info){.kind = TP_E_SKIP, .from = no, .to = error});
}

// ---------------------------------------------------------------- expressions

static tp_term pointer(model *m, int depth);
static tp_term small_offset(model *m, uint32_t size);

tp_term model_number(model *m, int depth) {
  static const tp_term_kind two[] = {TP_OP_BV_ADD, TP_OP_BV_AND, TP_OP_BV_XOR, TP_OP_BV_OR, TP_OP_BV_MUL, TP_OP_BV_SHL,
                                     TP_OP_BV_LSHR, TP_OP_BV_ASHR, TP_OP_BV_UREM, TP_OP_BV_UDIV, TP_OP_BV_SREM, TP_OP_BV_SDIV};
  static const int64_t constants[] = {0, 1, 2, 3, 4, 7, 8, -1, 255, 256, INT32_MIN, INT32_MAX};
  tp_terms *tt = m->tt;
  tp_term a, b, c;                       // draws happen in this order, whatever the compiler
  tp_term_kind k;
  if (depth <= 0 || chance(m->t, 3)) switch (draw(m->t, 4)) {
      case 0: return word(m, constants[draw(m->t, 12)]);
      case 1: a = term_of(m, m->bytes[draw(m->t, N_BYTES)]); return tp_mk_resize(tt, 32, draw(m->t, 2), a);
      case 2: return term_of(m, m->global_word);
      default: return term_of(m, m->words[draw(m->t, N_WORDS)]);
    }
  switch (draw(m->t, 8)) {
    case 0: a = model_number(m, depth - 1), b = model_number(m, depth - 1); return tp_mk_sub(tt, a, b);
    case 1: c = model_condition(m, depth - 1), a = model_number(m, depth - 1), b = model_number(m, depth - 1); return tp_mk_ite(tt, c, a, b);
    case 2: a = tp_mk_trunc(tt, 8, model_number(m, depth - 1)); return tp_mk_resize(tt, 32, draw(m->t, 2), a);
    case 3: {
      tp_term p = pointer(m, 0), q = tp_mk_ptr_add(tt, p, small_offset(m, 1));
      if (chance(m->t, 6)) q = pointer(m, 0), m->compares_addresses = true;
      return tp_mk_resize(tt, 32, false, tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_TO_INT, q), tp_mk1(tt, TP_OP_PTR_TO_INT, p)));
    }
    case 4: return tp_mk_resize(tt, 32, false, tp_mk1(tt, TP_OP_PTR_OFF, pointer(m, depth - 1)));
    default: k = two[draw(m->t, 12)], a = model_number(m, depth - 1), b = model_number(m, depth - 1); return tp_mk2(tt, k, a, b);
  }
}

tp_term model_condition(model *m, int depth) {
  static const tp_term_kind compare[] = {TP_OP_EQ, TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE};
  tp_terms *tt = m->tt;
  tp_term a, b;
  tp_term_kind k;
  if (m->is_rich && chance(m->t, 8)) return model_rich_condition(m);
  switch (draw(m->t, depth > 0 ? 9 : 6)) {
    case 5: a = pointer(m, depth - 1), b = chance(m->t, 3) ? pointer(m, depth - 1) : tp_mk_null(tt); return tp_mk_eq(tt, a, b);
    case 6: return tp_mk_not(tt, model_condition(m, depth - 1));
    case 7: a = model_condition(m, depth - 1), b = model_condition(m, depth - 1); return tp_mk_and(tt, a, b);
    case 8: a = model_condition(m, depth - 1), b = model_condition(m, depth - 1); return tp_mk_or(tt, a, b);
    default: k = compare[draw(m->t, 5)], a = model_number(m, depth - 1), b = model_number(m, depth - 1); return tp_mk2(tt, k, a, b);
  }
}

/* An offset that, from the start of an object, is nearly always inside: a constant or (n & mask) * size. */
static tp_term small_offset(model *m, uint32_t size) {
  tp_terms *tt = m->tt;
  if (chance(m->t, 24)) return tp_mk_sext(tt, m->p->ptr_bits, tp_mk_trunc(tt, 8, model_number(m, 1)));
  if (chance(m->t, 2)) return offset(m, draw(m->t, OBJECT / size) * size);
  tp_term index = model_number(m, 1);
  if (chance(m->t, 4)) index = term_of(m, m->words[0]);
  else index = tp_mk2(tt, TP_OP_BV_AND, index, word(m, (OBJECT / size - 1) >> draw(m->t, 2)));
  return tp_mk2(tt, TP_OP_BV_MUL, tp_mk_zext(tt, m->p->ptr_bits, index), offset(m, size));
}

static tp_term pointer(model *m, int depth) {
  tp_terms *tt = m->tt;
  tp_term a, b, c;
  if (depth <= 0) switch (draw(m->t, 6)) {
      case 0: return tp_mk_null(tt);
      case 1: return tp_mk_ptr_const(tt, m->statics[draw(m->t, 2)], 0);
      case 2: return term_of(m, m->is_rich && draw(m->t, 2) ? m->slot : m->global_ptr);
      default: return term_of(m, m->ptrs[draw(m->t, N_PTRS)]);
    }
  switch (draw(m->t, 6)) {
    case 0: c = model_condition(m, depth - 1), a = pointer(m, depth - 1), b = pointer(m, depth - 1); return tp_mk_ite(tt, c, a, b);
    case 1:
      a = tp_mk1(tt, TP_OP_PTR_TO_INT, pointer(m, depth - 1));
      return tp_mk1(tt, TP_OP_INT_TO_PTR, tp_mk2(tt, TP_OP_BV_ADD, a, offset(m, draw(m->t, 5))));
    case 2: return tp_mk1(tt, TP_OP_INT_TO_PTR, tp_mk_zext(tt, m->p->ptr_bits, model_number(m, 0)));
    default: a = pointer(m, depth - 1), b = small_offset(m, 1u << draw(m->t, 3)); return tp_mk_ptr_add(tt, a, b);
  }
}

// --------------------------------------------------------------------- memory

static tp_term ghost(model *m, tp_var g, tp_term p) { return tp_mk2(m->tt, TP_OP_SELECT, term_of(m, g), tp_mk1(m->tt, TP_OP_PTR_OBJ, p)); }

static tp_term bounds(model *m, tp_term p, tp_term n) {
  tp_terms *tt = m->tt;
  tp_term size = ghost(m, m->p->ghost_size, p), off = tp_mk1(tt, TP_OP_PTR_OFF, p);
  return tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, n, size), tp_mk2(tt, TP_OP_BV_ULE, off, tp_mk_sub(tt, size, n)));
}

/* The check that front ends put before an access when the property asks for it. */
static void check_access(model *m, tp_term p, tp_term n) {
  if (!tp_property_covers(m->asked, TP_P_VALID_DEREF)) return;
  tp_term none = tp_mk_eq(m->tt, n, offset(m, 0));
  model_require(m, tp_mk_or(m->tt, none, tp_mk_and(m->tt, ghost(m, m->p->ghost_live, p), bounds(m, p, n))), TP_P_VALID_DEREF);
}

static void check_free(model *m, tp_term p) {
  if (!tp_property_covers(m->asked, TP_P_VALID_FREE)) return;
  tp_terms *tt = m->tt;
  tp_term heap = tp_mk_eq(tt, ghost(m, m->p->ghost_kind, p), tp_mk_bv(tt, 8, TP_O_HEAP));
  tp_term start = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, p), offset(m, 0));
  tp_term ok = tp_mk_and(tt, ghost(m, m->p->ghost_live, p), tp_mk_and(tt, heap, start));
  model_require(m, tp_mk_or(tt, tp_mk_eq(tt, p, tp_mk_null(tt)), ok), TP_P_VALID_FREE);
}

static tp_var any_scalar(model *m) {
  switch (draw(m->t, m->pointers_in_memory ? 4 : 3)) {
    case 0: return m->bytes[draw(m->t, N_BYTES)];
    case 3: return m->ptrs[draw(m->t, N_PTRS)];
    default: return m->words[draw(m->t, N_WORDS)];
  }
}

static uint32_t size_of(model *m, tp_var v) { return tp_sort_bytes(m->tt, tp_sort_of(m->tt, term_of(m, v))); }

static tp_term value_for(model *m, tp_var like) {
  tp_sort s = tp_sort_of(m->tt, term_of(m, like));
  if (tp_sort_kind_of(m->tt, s) == TP_SORT_PTR) return pointer(m, 1);
  return tp_mk_resize(m->tt, tp_sort_width(m->tt, s), false, model_number(m, 2));
}

/* Where to access: a static or a pointer variable, moved by a multiple of the size; now and then anything. */
static tp_term address(model *m, uint32_t size) {
  switch (draw(m->t, 8)) {
    case 7: return pointer(m, 2);
    case 6: {
      tp_term p = term_of(m, m->ptrs[draw(m->t, N_PTRS)]);
      return tp_mk_ptr_add(m->tt, p, small_offset(m, size));
    }
    case 4:
    case 5: return term_of(m, m->ptrs[draw(m->t, N_PTRS)]);
    default: {
      tp_term p = tp_mk_ptr_const(m->tt, m->statics[draw(m->t, 2)], 0);
      return tp_mk_ptr_add(m->tt, p, small_offset(m, chance(m->t, 8) ? 1 : size));
    }
  }
}

static void load_or_store(model *m) {
  tp_var v = any_scalar(m);
  bool is_load = draw(m->t, 2) == 0;
  tp_term p = address(m, size_of(m, v));
  check_access(m, p, offset(m, size_of(m, v)));
  if (is_load) model_edge(m, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = p});
  else model_edge(m, (tp_edge_info){.kind = TP_E_STORE, .a = p, .b = value_for(m, v)});
}

static tp_term length(model *m) {
  if (chance(m->t, 3)) return tp_mk_zext(m->tt, m->p->ptr_bits, tp_mk2(m->tt, TP_OP_BV_AND, model_number(m, 1), word(m, 7)));
  return offset(m, draw(m->t, OBJECT + 1));
}

static void block_operation(model *m) {
  tp_term n = length(m), to = address(m, 1);
  check_access(m, to, n);
  if (draw(m->t, 2) == 0) {
    model_edge(m, (tp_edge_info){.kind = TP_E_SET, .a = to, .b = tp_mk_trunc(m->tt, 8, model_number(m, 1)), .c = n});
    return;
  }
  tp_term from = address(m, 1);
  check_access(m, from, n);
  model_edge(m, (tp_edge_info){.kind = TP_E_COPY, .a = to, .b = from, .c = n});
}

static void allocate(model *m, tp_var v) {
  bool heap = !chance(m->t, 4), one_unknown_byte = m->n_inputs < MAX_INPUTS && chance(m->t, 12);
  tp_term size = one_unknown_byte ? offset(m, 1) : chance(m->t, 8) ? length(m) : offset(m, OBJECT);
  tp_term fill = one_unknown_byte ? TP_TERM_NONE : tp_mk_bv(m->tt, 8, draw(m->t, 2));
  if (one_unknown_byte) m->n_inputs += 3;
  model_edge(m, (tp_edge_info){.kind = TP_E_ALLOC, .var = v, .a = size, .b = fill, .object_kind = heap ? TP_O_HEAP : TP_O_STACK, .name = "object"});
}

/* The last pointer variable is the one that owns: freed and allocated anew, mostly. */
static void release(model *m) {
  tp_var owner = m->ptrs[N_PTRS - 1];
  tp_term p = chance(m->t, 8) ? pointer(m, 1) : term_of(m, owner);
  if (chance(m->t, 8)) {
    model_edge(m, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = p});
    return;
  }
  check_free(m, p);
  model_edge(m, (tp_edge_info){.kind = TP_E_FREE, .a = p});
  switch (draw(m->t, 4)) {
    case 0:
    case 1: model_assign(m, owner, tp_mk_null(m->tt)); break;
    case 2: allocate(m, owner); break;
    default: break;
  }
}

// ----------------------------------------------------------------- statements


static void input(model *m) {
  if (m->n_inputs >= MAX_INPUTS) return;
  m->n_inputs++;
  uint32_t bits = 1 + draw(m->t, 3);
  tp_var v = model_var(m, "in", TP_V_TEMP, tp_sort_bv(m->tt, bits));
  bool unknown = chance(m->t, 5);
  model_edge(m, (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = unknown ? TP_I_INDETERMINATE : TP_I_NONDET, .name = "nondet"});
  model_assign(m, m->words[draw(m->t, N_WORDS)], tp_mk_resize(m->tt, 32, draw(m->t, 2), term_of(m, v)));
}

static void if_else(model *m, int nest) {
  tp_loc no = model_branch(m, model_condition(m, 2)), join;
  model_block(m, nest - 1);
  join = m->at;
  m->at = no;
  if (draw(m->t, 2)) model_block(m, nest - 1);
  model_edge(m, (tp_edge_info){.kind = TP_E_SKIP, .to = join});
}

/* Counted by a variable of its own: at most 4 turns. A jump may lead into it or out of it. */
static void counted_loop(model *m, int nest) {
  if (m->n_counters == N_COUNTERS) return;
  tp_var i = m->counters[m->n_counters], n = m->limits[m->n_counters++];
  model_assign(m, i, word(m, 0));
  tp_term limit = chance(m->t, 2) ? tp_mk2(m->tt, TP_OP_BV_AND, model_number(m, 1), word(m, 3)) : word(m, 1 + (int64_t)draw(m->t, 4));
  model_assign(m, n, limit);
  tp_loc head = m->at, out = model_branch(m, tp_mk2(m->tt, TP_OP_BV_ULT, term_of(m, i), term_of(m, n)));
  model_block(m, nest - 1);
  if (draw(m->t, 2)) model_assign(m, m->words[draw(m->t, N_WORDS)], term_of(m, i));
  model_assign(m, i, tp_mk2(m->tt, TP_OP_BV_ADD, term_of(m, i), word(m, 1)));
  model_edge(m, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  m->at = out;
}

/* while (c): ends when the global fuel is used up. */
static void data_loop(model *m, int nest) {
  tp_term fuel = term_of(m, m->fuel);
  tp_loc head = m->at;
  tp_term more = tp_mk_not(m->tt, tp_mk_eq(m->tt, fuel, tp_mk_bv(m->tt, 8, 0)));
  tp_loc out = model_branch(m, tp_mk_and(m->tt, more, model_condition(m, 2)));
  model_assign(m, m->fuel, tp_mk2(m->tt, TP_OP_BV_ADD, fuel, tp_mk_bv_signed(m->tt, 8, -1)));
  model_block(m, nest - 1);
  model_edge(m, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  m->at = out;
}

/* if (fuel && c) { fuel--; goto label; }: loops with several entries among others. */
static void jump(model *m) {
  if (!m->n_labels) return;
  tp_term fuel = term_of(m, m->fuel), more = tp_mk_not(m->tt, tp_mk_eq(m->tt, fuel, tp_mk_bv(m->tt, 8, 0)));
  tp_loc out = model_branch(m, tp_mk_and(m->tt, more, model_condition(m, 1)));
  model_assign(m, m->fuel, tp_mk2(m->tt, TP_OP_BV_ADD, fuel, tp_mk_bv_signed(m->tt, 8, -1)));
  model_edge(m, (tp_edge_info){.kind = TP_E_SKIP, .to = m->labels[draw(m->t, m->n_labels)]});
  m->at = out;
}

static void call(model *m) {
  if (!m->n_funcs) return;
  tp_edge_info e = {.kind = TP_E_CALL, .var = m->words[draw(m->t, N_WORDS)], .type = m->func_type, .n_args = 2};
  tp_term *args = tp_arena_array(&m->p->arena, tp_term, 2);
  args[0] = model_number(m, 2);
  args[1] = pointer(m, 1);
  e.args = args;
  tp_func f = m->funcs[draw(m->t, m->n_funcs)];
  if (chance(m->t, 3)) {
    tp_term a = tp_mk_ptr_const(m->tt, tp_func_of(m->p, f)->object, 0);
    tp_term b = tp_mk_ptr_const(m->tt, tp_func_of(m->p, m->funcs[draw(m->t, m->n_funcs)])->object, 0);
    e.a = tp_mk_ite(m->tt, model_condition(m, 1), a, chance(m->t, 4) ? pointer(m, 0) : b);
  } else {
    e.callee = f;
  }
  model_edge(m, e);
}

/* Something that often, but not always, holds. */
static void claim(model *m) {
  tp_terms *tt = m->tt;
  tp_term c;
  switch (draw(m->t, 5)) {
    case 0: c = model_condition(m, 2); break;
    case 1: c = model_condition(m, 2), c = tp_mk_or(tt, c, model_condition(m, 1)); break;
    case 2: {
      tp_term x = model_number(m, 2), mask = word(m, (1 << (1 + draw(m->t, 3))) - 1);
      c = tp_mk2(tt, TP_OP_BV_ULE, tp_mk2(tt, TP_OP_BV_AND, x, mask), tp_mk_sub(tt, mask, word(m, draw(m->t, 2))));
      break;
    }
    case 3: c = term_of(m, m->words[draw(m->t, N_WORDS)]), c = tp_mk2(tt, TP_OP_BV_ULT, c, word(m, 1 + (int64_t)draw(m->t, 20))); break;
    default: {
      tp_term x = model_number(m, 1);
      c = tp_mk_not(tt, tp_mk_eq(tt, x, word(m, (int64_t)draw(m->t, 12))));
      break;
    }
  }
  tp_property kind = m->asked == TP_P_VALID_MEMSAFETY ? TP_P_VALID_DEREF : m->asked;
  model_require(m, c, chance(m->t, 16) ? TP_P_UNREACH_CALL : kind);
}

static void plain(model *m) {
  switch (draw(m->t, 4)) {
    case 0: model_assign(m, m->words[draw(m->t, N_WORDS)], model_number(m, 2)); break;
    case 1: model_assign(m, m->ptrs[draw(m->t, N_PTRS)], pointer(m, 2)); break;
    case 2: {
      tp_var v = m->bytes[draw(m->t, N_BYTES)];
      model_assign(m, v, value_for(m, v));
      break;
    }
    default:
      if (draw(m->t, 3)) model_assign(m, m->global_word, model_number(m, 2));
      else model_assign(m, m->global_ptr, pointer(m, 1));
      break;
  }
}

/* Two accesses of different sizes that overlap, then a look at the bytes around. */
static void overlap(model *m) {
  tp_term base = chance(m->t, 3) ? term_of(m, m->ptrs[draw(m->t, N_PTRS)]) : tp_mk_ptr_const(m->tt, m->statics[draw(m->t, 2)], 0);
  uint64_t at = draw(m->t, 2) * 4;
  tp_term where = tp_mk_ptr_add(m->tt, base, offset(m, at));
  for (int i = 0; i < 3; i++) {
    tp_var v = i == 2 ? m->words[0] : any_scalar(m);
    uint32_t n = size_of(m, v);
    tp_term p = i == 0 ? where : tp_mk_ptr_add(m->tt, where, offset(m, draw(m->t, 4)));
    check_access(m, p, offset(m, n));
    if (i == 2) model_edge(m, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = p});
    else model_edge(m, (tp_edge_info){.kind = TP_E_STORE, .a = p, .b = value_for(m, v)});
  }
}

static void use_owner(model *m) {
  tp_var owner = m->ptrs[N_PTRS - 1], v = m->words[draw(m->t, N_WORDS)];
  tp_loc skip = model_branch(m, tp_mk_not(m->tt, tp_mk_eq(m->tt, term_of(m, owner), tp_mk_null(m->tt))));
  check_access(m, term_of(m, owner), offset(m, 4));
  if (draw(m->t, 2)) model_edge(m, (tp_edge_info){.kind = TP_E_STORE, .a = term_of(m, owner), .b = model_number(m, 1)});
  else model_edge(m, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = term_of(m, owner)});
  model_edge(m, (tp_edge_info){.kind = TP_E_SKIP, .to = skip});
}

static void weak_assume(model *m) {
  tp_term c = model_condition(m, 1);
  model_edge(m, (tp_edge_info){.kind = TP_E_ASSUME, .a = tp_mk_or(m->tt, c, model_condition(m, 1))});
}

static void statement(model *m, int nest) {
  static const uint8_t weights[N_KINDS] = {[DO_ASSIGN] = 4, [DO_CLAIM] = 1, [DO_INPUT] = 3, [DO_ACCESS] = 6, [DO_ALLOCATE] = 2, [DO_RELEASE] = 4,
                                           [DO_USE_OWNER] = 4, [DO_OVERLAP] = 3, [DO_BLOCK] = 3, [DO_CALL] = 3, [DO_JUMP] = 2, [DO_ASSUME] = 1,
                                           [DO_IF] = 7, [DO_COUNTED] = 4, [DO_DATA] = 3};
  if (m->n_statements > 40) return;
  m->n_statements++;
  if (m->is_rich && chance(m->t, 4)) {
    uint32_t k = draw(m->t, N_RICH_KINDS - DO_FLOAT - (nest <= 0));
    model_rich_statement(m, (statement_kind)(DO_FLOAT + k), nest);
    return;
  }
  if (m->n_labels < MAX_LABELS && chance(m->t, 6)) m->labels[m->n_labels++] = m->at;
  uint32_t sum = 0, k = 0;
  for (uint32_t i = 0; i < N_KINDS; i++) sum += (m->kinds >> i & 1) && (nest > 0 || i < DO_IF) ? weights[i] : 0;
  for (uint32_t left = draw(m->t, sum); k < N_KINDS; k++) {
    uint32_t weight = (m->kinds >> k & 1) && (nest > 0 || k < DO_IF) ? weights[k] : 0;
    if (left < weight) break;
    left -= weight;
  }
  switch ((statement_kind)k) {
    case DO_ASSIGN: plain(m); break;
    case DO_CLAIM: claim(m); break;
    case DO_INPUT: input(m); break;
    case DO_ACCESS: load_or_store(m); break;
    case DO_ALLOCATE: allocate(m, m->ptrs[chance(m->t, 3) ? draw(m->t, N_PTRS) : N_PTRS - 1]); break;
    case DO_RELEASE: release(m); break;
    case DO_USE_OWNER: use_owner(m); break;
    case DO_OVERLAP: overlap(m); break;
    case DO_BLOCK: block_operation(m); break;
    case DO_CALL: call(m); break;
    case DO_JUMP: jump(m); break;
    case DO_ASSUME: weak_assume(m); break;
    case DO_IF: if_else(m, nest); break;
    case DO_COUNTED: counted_loop(m, nest); break;
    case DO_DATA: data_loop(m, nest); break;
    case DO_FLOAT:
    case DO_UNKNOWN_BYTE:
    case DO_EXTERN:
    case DO_LOCAL_OBJECT:
    case DO_OPEN_LOOP:
    case N_RICH_KINDS: break;
  }
}

/* At the end, one claim about everything that was computed, so that no difference goes unseen. */
static void observe(model *m) {
  tp_terms *tt = m->tt;
  tp_term all = term_of(m, m->global_word);
  for (int i = 0; i < N_WORDS; i++) all = tp_mk2(tt, TP_OP_BV_ADD, tp_mk2(tt, TP_OP_BV_MUL, all, word(m, 3)), term_of(m, m->words[i]));
  for (int i = 0; i < 2 && !m->pointers_in_memory; i++) {
    tp_var v = m->limits[i];
    tp_term p = tp_mk_ptr_const(tt, m->statics[i], draw(m->t, OBJECT - 3));
    model_edge(m, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = p});
    all = tp_mk2(tt, TP_OP_BV_XOR, all, term_of(m, v));
  }
  for (uint32_t half = 16; half >= 4; half /= 2) all = tp_mk2(tt, TP_OP_BV_XOR, all, tp_mk2(tt, TP_OP_BV_LSHR, all, word(m, half)));
  uint32_t mask = (2u << draw(m->t, 4)) - 1;
  tp_term k = word(m, (int64_t)(draw(m->t, 16) & mask));
  tp_property kind = m->asked == TP_P_VALID_MEMSAFETY ? TP_P_VALID_DEREF : m->asked;
  model_require(m, tp_mk_not(tt, tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_AND, all, word(m, mask)), k)), kind);
}

void model_block(model *m, int nest) {
  for (uint32_t n = 1 + draw(m->t, BLOCK); n > 0; n--) statement(m, nest);
}

// ------------------------------------------------------------------ functions

static void start_function(model *m, const char *name) {
  m->func = tp_program_add_func(m->p, (tp_func_info){.name = name, .type = m->func_type, .has_body = true});
  m->at = new_loc(m);
  m->exit = new_loc(m);
  m->n_labels = 0;
  tp_var result = model_var(m, "result", TP_V_LOCAL, word_sort(m));
  tp_func_info *f = &m->p->funcs.at[m->func.id];
  f->entry = m->at;
  f->exit = m->exit;
  f->result = result;
}

/* Every variable has a value before anything can jump. */
static void locals(model *m) {
  m->n_counters = 0;
  for (int i = 0; i < N_COUNTERS; i++) {
    m->counters[i] = model_var(m, "i", TP_V_LOCAL, word_sort(m));
    m->limits[i] = model_var(m, "n", TP_V_LOCAL, word_sort(m));
    model_assign(m, m->counters[i], word(m, 0));
    model_assign(m, m->limits[i], word(m, 1));
  }
  for (int i = 0; i < N_BYTES; i++) {
    m->bytes[i] = model_var(m, i ? "b1" : "b0", TP_V_LOCAL, tp_sort_bv(m->tt, 8));
    model_assign(m, m->bytes[i], tp_mk_bv(m->tt, 8, (tp_u128)i));
  }
  for (int i = 0; i < N_WORDS; i++) {
    m->words[i] = model_var(m, i == 0 ? "x" : i == 1 ? "y" : "z", TP_V_LOCAL, word_sort(m));
    model_assign(m, m->words[i], word(m, i));
  }
  for (int i = 0; i < N_PTRS; i++) {
    m->ptrs[i] = model_var(m, i == 0 ? "p" : i == 1 ? "q" : "r", TP_V_LOCAL, tp_sort_ptr(m->tt));
    model_assign(m, m->ptrs[i], i < 2 ? tp_mk_ptr_const(m->tt, m->statics[i], 0) : tp_mk_null(m->tt));
  }
  if (m->is_rich) model_rich_locals(m);
  if (draw(m->t, 2)) allocate(m, m->ptrs[N_PTRS - 1]);
}

static void finish_function(model *m) {
  if (m->is_rich) model_rich_leave(m);
  model_edge(m, (tp_edge_info){.kind = TP_E_RETURN, .a = model_number(m, 1), .to = m->exit});
}

/* Word f(Word n, Ptr p). May begin with: if (n & 3) x = f((n & 3) - 1, p). */
static void callee(model *m, const char *name) {
  start_function(m, name);
  tp_var *params = tp_arena_array(&m->p->arena, tp_var, 2);
  params[0] = model_var(m, "n", TP_V_PARAM, word_sort(m));
  params[1] = model_var(m, "a", TP_V_PARAM, tp_sort_ptr(m->tt));
  tp_func f = m->func;
  m->p->funcs.at[f.id].params = params;
  m->p->funcs.at[f.id].n_params = 2;
  uint32_t object = tp_program_add_static(m->p, (tp_static){.name = name, .kind = TP_O_FUNCTION, .type = m->func_type, .align_bytes = 1, .func = f});
  m->p->funcs.at[f.id].object = object;
  locals(m);
  model_assign(m, m->words[0], term_of(m, params[0]));
  model_assign(m, m->ptrs[0], term_of(m, params[1]));
  if (chance(m->t, 3)) {
    tp_term low = tp_mk2(m->tt, TP_OP_BV_AND, term_of(m, params[0]), word(m, 3));
    tp_loc no = model_branch(m, tp_mk_not(m->tt, tp_mk_eq(m->tt, low, word(m, 0))));
    tp_term *args = tp_arena_array(&m->p->arena, tp_term, 2);
    args[0] = tp_mk_sub(m->tt, low, word(m, 1));
    args[1] = pointer(m, 1);
    model_edge(m, (tp_edge_info){.kind = TP_E_CALL, .var = m->words[1], .callee = f, .args = args, .n_args = 2, .type = m->func_type});
    model_edge(m, (tp_edge_info){.kind = TP_E_SKIP, .to = no});
  }
  model_block(m, 2);
  finish_function(m);
  m->funcs[m->n_funcs++] = f;
}

static void globals(model *m) {
  tp_program *p = m->p;
  m->func = TP_FUNC_NONE;
  m->func_type = tp_program_add_type(p, (tp_type_info){.kind = TP_T_FUNCTION, .name = "int (int, char *)"});
  tp_type array = tp_program_add_type(p, (tp_type_info){.kind = TP_T_ARRAY, .name = "char[16]", .size_bytes = OBJECT, .align_bytes = 4});
  for (int i = 0; i < 2; i++) {
    uint8_t *image = tp_arena_array(&p->arena, uint8_t, OBJECT);
    for (int k = 0; k < OBJECT; k++) image[k] = (uint8_t)draw(m->t, 4);
    tp_static s = {.name = i ? "B" : "A", .kind = TP_O_GLOBAL, .type = array, .size_bytes = OBJECT, .align_bytes = 4, .image = image};
    if (i && m->pointers_in_memory && draw(m->t, 2)) {  // B starts with a pointer into A
      tp_reloc *r = tp_arena_array(&p->arena, tp_reloc, 1);
      *r = (tp_reloc){.offset = 0, .object = m->statics[0], .addend = draw(m->t, 4)};
      memset(image, 0, p->ptr_bits / 8);
      s.relocs = r;
      s.n_relocs = 1;
    }
    m->statics[i] = tp_program_add_static(p, s);
  }
  m->global_word = tp_program_add_var(p, (tp_var_info){.name = "g", .kind = TP_V_GLOBAL, .initial = word(m, 0)}, word_sort(m));
  m->global_ptr = tp_program_add_var(p, (tp_var_info){.name = "gp", .kind = TP_V_GLOBAL, .initial = tp_mk_null(m->tt)}, tp_sort_ptr(m->tt));
  m->fuel = tp_program_add_var(p, (tp_var_info){.name = "fuel", .kind = TP_V_GLOBAL, .initial = tp_mk_bv(m->tt, 8, 4)}, tp_sort_bv(m->tt, 8));
}

static tp_program *make(tape *t, tp_diag *diag, traits *what, bool is_rich) {
  static const tp_property properties[] = {TP_P_UNREACH_CALL, TP_P_UNREACH_CALL, TP_P_VALID_DEREF, TP_P_VALID_MEMSAFETY, TP_P_VALID_FREE,
                                           TP_P_VALID_MEMCLEANUP, TP_P_VALID_MEMTRACK};
  model m = {.t = t, .asked = properties[draw(t, 7)], .is_rich = is_rich};
  m.p = tp_program_new(diag, draw(t, 2) ? 32 : 64);
  m.kinds = 1 << DO_ASSIGN | 1 << DO_INPUT;
  m.pointers_in_memory = draw(t, 2);
  for (uint32_t k = 0; k < N_KINDS; k++) m.kinds |= draw(t, 2) << k;
  m.tt = m.p->terms;
  globals(&m);
  for (uint32_t n = draw(t, MAX_FUNCS + 1), i = 0; i < n; i++) {
    static const char *const names[MAX_FUNCS] = {"f", "g", "h"};
    callee(&m, names[i]);
  }
  start_function(&m, "main");
  m.p->main = m.func;
  locals(&m);
  m.n_statements = 0;
  input(&m);
  for (uint32_t n = 2 + draw(t, 5); n > 0; n--) statement(&m, NEST);
  if (draw(t, 2)) claim(&m);
  observe(&m);
  if (tp_property_covers(m.asked, TP_P_VALID_MEMTRACK)) model_require(&m, tp_mk_not(m.tt, term_of(&m, m.p->ghost_leaked)), TP_P_VALID_MEMTRACK);
  if (tp_property_covers(m.asked, TP_P_VALID_MEMCLEANUP))
    model_require(&m, tp_mk_eq(m.tt, term_of(&m, m.p->ghost_heap), tp_mk_bv(m.tt, 32, 0)), TP_P_VALID_MEMCLEANUP);
  finish_function(&m);
  tp_program_finish(m.p);
  *what = (traits){.asked = m.asked, .compares_addresses = m.compares_addresses, .pointers_in_memory = m.pointers_in_memory};
  return m.p;
}

tp_program *model_make(tape *t, tp_diag *diag, traits *what) { return make(t, diag, what, false); }
tp_program *model_make_rich(tape *t, tp_diag *diag, traits *what) { return make(t, diag, what, true); }
