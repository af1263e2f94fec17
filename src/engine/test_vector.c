/* Inputs of the run that a model describes.
 *
 * Symbolic execution notes every input together with the path guard of its edge. Along each path
 * these notes are in the order of execution (a location is explored before its successors), so the
 * run's inputs are the notes whose guard is true. */
#include "engine/test_vector.h"

#include "engine/engine_limits.h"
#include "exec/exec.h"

typedef struct {
  uint8_t *at;
  size_t n, cap;
} bytes;

static void put(bytes *b, uint64_t offset, tp_u128 bits, uint32_t n) {
  if (offset + n > TP_ENGINE_INPUT_BYTES) return;
  if (offset + n > b->cap) {
    size_t cap = 2 * (offset + n);
    b->at = tp_realloc(b->at, cap);
    memset(b->at + b->cap, 0, cap - b->cap);
    b->cap = cap;
  }
  for (uint32_t i = 0; i < n; i++) b->at[offset + i] = (uint8_t)(bits >> (8 * i));
  if (offset + n > b->n) b->n = offset + n;
}

/* The part of an unknown content that was read as an array. */
static bool put_array(tp_query *q, const tp_background *bg, bytes *out) {
  tp_terms *tt = q->x->tt;
  tp_value size, word;
  if (!bg->word) return true;
  if (!tp_query_value(q, q->x->instances.at[bg->object].size, &size)) return false;
  if (tp_sort_kind_of(tt, tp_sort_element(tt, tp_sort_of(tt, bg->array))) != TP_SORT_BV)
    return true;
  uint64_t end = size.bits > TP_ENGINE_INPUT_BYTES ? TP_ENGINE_INPUT_BYTES : (uint64_t)size.bits;
  for (uint64_t at = 0; at < end; at += bg->word) {
    tp_term here = tp_mk2(tt, TP_OP_SELECT, bg->array, tp_mk_bv(tt, q->x->p->ptr_bits, at));
    if (!tp_smt_value(q->model, here, &word)) return false;
    if (word.bits) put(out, at, word.bits, bg->word);
  }
  return true;
}

static bool put_pieces(tp_query *q, const tp_piece *pieces, size_t n, bytes *out) {
  tp_value v;
  for (size_t i = 0; i < n; i++) {
    if (!tp_query_value(q, pieces[i].var, &v)) return false;
    put(out, pieces[i].offset, v.bits, pieces[i].bytes);
  }
  return true;
}

static bool add_bytes(tp_query *q, const tp_symex_event *ev, tp_input io, tp_inputs *out) {
  bytes b = {0};
  bool ok = true;
  if (ev->background) {
    const tp_background *bg = &q->x->backgrounds.at[ev->background];
    ok = put_array(q, bg, &b) && put_pieces(q, bg->pieces.at, bg->pieces.n, &b);
  } else {
    ok = put_pieces(q, &q->x->pieces.at[ev->first_piece], ev->n_pieces, &b);
  }
  static const uint8_t none[1];
  io.bytes = b.at ? b.at : none;
  io.n_bytes = b.n;
  if (ok) tp_inputs_add(out, io);
  tp_free(b.at);
  return ok;
}

bool tp_test_vector_of_model(tp_query *q, tp_inputs *out) {
  TP_REQUIRE(q->model != NULL);
  const tp_program *p = q->x->p;
  tp_value v;
  for (size_t i = 0; i < q->x->events.n; i++) {
    const tp_symex_event *ev = &q->x->events.at[i];
    if (!tp_query_value(q, tp_guard_term(&q->x->guards, ev->guard), &v)) return false;
    if (!v.bits) continue;
    const tp_edge_info *e = tp_edge_of(p, ev->edge);
    const tp_type_info *type = e->type.id ? tp_type_of(p, e->type) : NULL;
    tp_input io = {.kind = e->kind == TP_E_CALL ? TP_I_EXTERN : e->input,
                   .is_signed = type && type->is_signed,
                   .name = e->name ? e->name : "",
                   .pos = e->pos};
    if (e->kind == TP_E_ALLOC) io.kind = TP_I_INDETERMINATE;
    if (!tp_term_is(ev->var)) {
      if (!add_bytes(q, ev, io, out)) return false;
      continue;
    }
    if (!tp_query_value(q, ev->var, &v)) return false;
    io.width_bits = tp_width(q->x->tt, ev->var);
    io.is_float = tp_sort_kind_of(q->x->tt, tp_sort_of(q->x->tt, ev->var)) == TP_SORT_FP;
    io.bits = v.bits;
    if (!*io.name && e->var.id) io.name = tp_var_of(p, e->var)->name;
    tp_inputs_add(out, io);
  }
  return true;
}

bool tp_test_vector_fails(tp_query *q, tp_property asked, tp_inputs *drawn, tp_property *violated) {
  const tp_program *p = q->x->p;
  tp_inputs wanted;
  tp_inputs_init(&wanted);
  bool ok = tp_test_vector_of_model(q, &wanted);
  tp_inputs_clear(drawn);  // an earlier run that did not fail may have left its inputs
  tp_inputs_init(drawn);
  if (ok) {
    tp_vector_oracle state = {.in = &wanted, .then_zero = true};
    tp_record_oracle record = {.inner = tp_oracle_of_vector(&state), .to = drawn};
    tp_oracle oracle = tp_oracle_recording(&record);
    tp_run_result r =
        tp_exec_main(p, &oracle, (tp_run_limits){.steps = TP_ENGINE_REPLAY_STEPS}, NULL);
    q->stats->tests_run++;
    ok = r.end == TP_END_ERROR && tp_property_covers(asked, tp_loc_of(p, r.loc)->error);
    if (ok) *violated = tp_loc_of(p, r.loc)->error;
  }
  tp_inputs_clear(&wanted);
  return ok;
}
