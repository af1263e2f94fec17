/* What rich models have besides: floats, loops that need no fuel, objects of local variables, unknown bytes in memory, functions
 * without body. */
#include "models_priv.h"

// ----------------------------------------------------------------------- floats

static uint32_t width_of(const model *m, int i) { return tp_width(m->tt, term_of(m, m->floats[i])); }

static tp_term float_constant(model *m, uint32_t width) {
  static const double values[] = {0, 1, -1, 0.5, 3, 1e9, -0.0, 1.0 / 3};
  double d = values[draw(m->t, 8)];
  float f = (float)d;
  uint64_t bits = 0;
  if (width == 32) memcpy(&bits, &f, sizeof f);
  else memcpy(&bits, &d, sizeof d);
  if (chance(m->t, 12)) bits = width == 32 ? 0x7f800000u : 0x7ff0000000000000u;      // infinity
  if (chance(m->t, 16)) bits |= 1;                                                   // then: not a number
  return tp_mk_fp(m->tt, width, bits);
}

static tp_term float_value(model *m, uint32_t width, int depth) {
  static const tp_term_kind two[] = {TP_OP_FP_ADD, TP_OP_FP_SUB, TP_OP_FP_MUL, TP_OP_FP_DIV};
  int i = width == 32 ? 0 : 1;
  tp_term a, b;
  switch (draw(m->t, depth > 0 ? 6 : 3)) {
    case 0: return float_constant(m, width);
    case 1: return term_of(m, m->floats[i]);
    case 2: a = model_number(m, 0); return tp_mk_fp_conv(m->tt, draw(m->t, 2) ? TP_OP_FP_OF_SBV : TP_OP_FP_OF_UBV, width, a);
    case 3: return tp_mk_fp_conv(m->tt, TP_OP_FP_OF_FP, width, term_of(m, m->floats[1 - i]));
    case 4: return tp_mk1(m->tt, draw(m->t, 2) ? TP_OP_FP_NEG : TP_OP_FP_ABS, float_value(m, width, depth - 1));
    default: a = float_value(m, width, depth - 1), b = float_value(m, width, depth - 1); return tp_mk2(m->tt, two[draw(m->t, 4)], a, b);
  }
}

tp_term model_rich_condition(model *m) {
  static const tp_term_kind kinds[] = {TP_OP_FP_LT, TP_OP_FP_LE, TP_OP_FP_EQ};
  uint32_t width = draw(m->t, 2) ? 64 : 32;
  tp_term a = float_value(m, width, 1), b = float_value(m, width, 0);
  if (chance(m->t, 6)) return tp_mk1(m->tt, draw(m->t, 2) ? TP_OP_FP_IS_NAN : TP_OP_FP_IS_INF, a);
  return tp_mk2(m->tt, kinds[draw(m->t, 3)], a, b);
}

/* A float gets a value, or a word gets a float's: where that is defined. */
static void float_statement(model *m) {
  int i = (int)draw(m->t, N_FLOATS);
  if (draw(m->t, 3)) {
    model_assign(m, m->floats[i], float_value(m, width_of(m, i), 2));
    return;
  }
  uint32_t w = width_of(m, i);
  tp_term f = term_of(m, m->floats[i]), one = tp_mk_fp_conv(m->tt, TP_OP_FP_OF_SBV, w, word(m, 1000000));
  tp_term small = tp_mk2(m->tt, TP_OP_FP_LT, tp_mk1(m->tt, TP_OP_FP_ABS, f), one);
  tp_term n = tp_mk_fp_conv(m->tt, TP_OP_FP_TO_SBV, 32, f);
  model_assign(m, m->words[draw(m->t, N_WORDS)], tp_mk_ite(m->tt, small, n, word(m, 7)));
}

// ----------------------------------------------------------------------- unknown

/* One byte of a static becomes unknown. */
static void unknown_byte(model *m) {
  if (m->n_inputs + 3 > MAX_INPUTS) return;
  m->n_inputs += 3;
  tp_term p = tp_mk_ptr_const(m->tt, m->statics[draw(m->t, 2)], draw(m->t, OBJECT));
  if (chance(m->t, 3)) p = tp_mk_ptr_add(m->tt, term_of(m, m->slot), offset(m, draw(m->t, SLOT)));
  model_edge(m, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY, .a = p, .c = offset(m, 1), .input = TP_I_NONDET, .name = "nondet_memory"});
}

/* A function without body gives a value; now and then it could write. */
static void external(model *m) {
  if (m->n_inputs >= MAX_INPUTS) return;
  m->n_inputs++;
  tp_var v = model_var(m, "ext", TP_V_TEMP, tp_sort_bv(m->tt, 1 + draw(m->t, 2)));
  model_edge(m, (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_EXTERN, .name = "external", .may_write = chance(m->t, 6)});
  model_assign(m, m->words[draw(m->t, N_WORDS)], tp_mk_resize(m->tt, 32, draw(m->t, 2), term_of(m, v)));
}

// ---------------------------------------------------------------- local objects

static void make_slot(model *m) {
  tp_term fill = tp_mk_bv(m->tt, 8, draw(m->t, 3));
  model_edge(m, (tp_edge_info){.kind = TP_E_ALLOC, .var = m->slot, .a = offset(m, SLOT), .b = fill, .object_kind = TP_O_STACK, .name = "slot"});
}

/* The address of the local object goes somewhere, or its scope starts anew. */
static void local_object(model *m) {
  tp_term p = tp_mk_ptr_add(m->tt, term_of(m, m->slot), offset(m, draw(m->t, SLOT - 3)));
  switch (draw(m->t, 5)) {
    case 0: model_assign(m, m->ptrs[draw(m->t, N_PTRS)], p); return;
    case 1: model_assign(m, m->global_ptr, p); return;
    case 2: model_edge(m, (tp_edge_info){.kind = TP_E_STORE, .a = p, .b = model_number(m, 1)}); return;
    case 3: model_edge(m, (tp_edge_info){.kind = TP_E_LOAD, .var = m->words[draw(m->t, N_WORDS)], .a = p}); return;
    default:
      model_edge(m, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = term_of(m, m->slot)});
      make_slot(m);
      return;
  }
}

void model_rich_leave(model *m) {
  if (draw(m->t, 3)) model_edge(m, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = term_of(m, m->slot)});
}

void model_rich_locals(model *m) {
  for (int i = 0; i < N_FLOATS; i++) {
    uint32_t width = i ? 64 : 32;
    m->floats[i] = model_var(m, i ? "d" : "f", TP_V_LOCAL, tp_sort_fp(m->tt, width));
    model_assign(m, m->floats[i], tp_mk_fp_conv(m->tt, TP_OP_FP_OF_SBV, width, word(m, i)));
  }
  m->slot = tp_program_add_var(m->p, (tp_var_info){.name = "slot", .kind = TP_V_LOCAL, .func = m->func, .is_address = true}, tp_sort_ptr(m->tt));
  make_slot(m);
}

// ------------------------------------------------------------------------ loops

/* for (i = few input bits; i != k or i < k; i += step): how often it turns nobody has written down; perhaps for ever. */
static void open_loop(model *m, int nest) {
  if (m->n_counters == N_COUNTERS) return;
  tp_var i = m->counters[m->n_counters++];
  model_assign(m, i, tp_mk2(m->tt, TP_OP_BV_AND, model_number(m, 1), word(m, 7)));
  tp_term bound = word(m, 4 + (int64_t)draw(m->t, 12)), step = word(m, chance(m->t, 4) ? 2 : 1), at = term_of(m, i);
  tp_term more = draw(m->t, 2) ? tp_mk2(m->tt, TP_OP_BV_SLT, at, bound) : tp_mk_not(m->tt, tp_mk_eq(m->tt, at, bound));
  if (chance(m->t, 3)) more = tp_mk2(m->tt, TP_OP_BV_ULT, at, tp_mk2(m->tt, TP_OP_BV_AND, model_number(m, 1), word(m, 15)));
  tp_loc head = m->at, out = model_branch(m, more);
  if (draw(m->t, 2)) model_block(m, nest - 1);
  model_assign(m, i, tp_mk2(m->tt, TP_OP_BV_ADD, at, step));
  model_edge(m, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  m->at = out;
  if (draw(m->t, 2)) model_require(m, tp_mk2(m->tt, TP_OP_BV_ULE, at, word(m, 4 + (int64_t)draw(m->t, 14))), m->asked == TP_P_VALID_MEMSAFETY ? TP_P_VALID_DEREF : m->asked);
}

void model_rich_statement(model *m, statement_kind kind, int nest) {
  if (kind == DO_FLOAT) float_statement(m);
  if (kind == DO_UNKNOWN_BYTE) unknown_byte(m);
  if (kind == DO_EXTERN) external(m);
  if (kind == DO_LOCAL_OBJECT) local_object(m);
  if (kind == DO_OPEN_LOOP) open_loop(m, nest);
}
