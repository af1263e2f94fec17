#include "exhaust.h"

typedef struct {
  exact_limits limits;
  TP_VEC(uint32_t) value;      // of each request of this run
  TP_VEC(uint32_t) count;      // values it can have
  size_t next;
  bool too_wide;
  uint8_t bytes[64][8];        // answers to requests for bytes live until the run ends
} odometer;

static bool answer(void *ctx, tp_input *io) {
  odometer *o = ctx;
  bool is_bytes = io->width_bits == 0;
  if (is_bytes && o->limits.ignore_bytes) {
    io->bytes = NULL;
    io->n_bytes = 0;
    return true;
  }
  uint32_t bits = is_bytes ? (uint32_t)io->n_bytes * 8 : io->width_bits;
  if (bits > o->limits.max_bits && o->limits.mask_bits && !is_bytes) bits = o->limits.mask_bits;
  if (bits > o->limits.max_bits || (is_bytes && o->next >= 64)) {
    o->too_wide = true;
    return false;
  }
  if (o->next == o->value.n) {
    tp_vec_push(&o->value, 0);
    tp_vec_push(&o->count, 1u << bits);
  }
  uint32_t v = o->value.at[o->next];
  if (is_bytes) {
    memcpy(o->bytes[o->next], &v, 4);
    io->bytes = o->bytes[o->next];
  } else {
    io->bits = v;
  }
  o->next++;
  return true;
}

/* To the next sequence: the last request that can still count up does. False: all were tried. */
static bool turn(odometer *o) {
  o->value.n = o->count.n = o->next;
  while (o->value.n && o->value.at[o->value.n - 1] + 1 == o->count.at[o->value.n - 1]) o->value.n = --o->count.n;
  if (o->value.n) o->value.at[o->value.n - 1]++;
  return o->value.n != 0;
}

void exact_run(const tp_program *p, tp_property asked, exact_limits limits, exact_result *out) {
  *out = (exact_result){.verdict = EXACT_SAFE};
  odometer o = {.limits = limits};
  do {
    if (out->runs++ >= limits.max_runs) {
      out->verdict = EXACT_TOO_MANY;
      break;
    }
    tp_inputs_clear(&out->inputs);
    tp_inputs_init(&out->inputs);
    tp_record_oracle record = {.inner = {&o, answer}, .to = &out->inputs};
    o.next = 0;
    tp_oracle oracle = tp_oracle_recording(&record);
    tp_run_result r = tp_exec_main(p, &oracle,
                                   (tp_run_limits){.steps = limits.max_steps, .memory_bytes = 1 << 24, .depth = 200}, limits.observer);
    out->ends[r.end]++;
    if (o.too_wide) {
      out->verdict = EXACT_TOO_MANY;
      break;
    }
    if (r.end == TP_END_ERROR && tp_property_covers(asked, p->locs.at[r.loc.id].error)) {
      out->verdict = EXACT_UNSAFE;
      break;
    }
    if (r.end == TP_END_LIMIT || r.end == TP_END_UNSUPPORTED) out->verdict = EXACT_OPEN;
  } while (turn(&o));
  tp_vec_clear(&o.value);
  tp_vec_clear(&o.count);
}

void exact_clear(exact_result *r) { tp_inputs_clear(&r->inputs); }
