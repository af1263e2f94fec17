/* Inputs drawn at random. */
#include "exec/random_inputs.h"

#include "exec/exec_limits.h"
#include "term/x87.h"

#include <stdio.h>

// ------------------------------------------------------------------- constants

static void add_equal(tp_random_inputs *d, tp_u128 v) {
  for (size_t i = 0; i < d->equal.n; i++)
    if (d->equal.at[i] == v) return;
  if (v != 0 && d->equal.n < TP_EXEC_EQUAL_CONSTANTS) tp_vec_push(&d->equal, v);
}

/* Numbers on one side of an equation of bit-vectors, in the conditions of branches. */
static void collect_equal(const tp_program *p, tp_random_inputs *d) {
  const tp_terms *tt = p->terms;
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    tp_term t = e->a;
    if (!e->from.id || e->kind != TP_E_ASSUME) continue;
    if (tp_kind(tt, t) == TP_OP_NOT) t = tp_arg(tt, t, 0);
    if (tp_kind(tt, t) != TP_OP_EQ) continue;
    for (uint32_t k = 0; k < 2; k++)
      if (tp_kind(tt, tp_arg(tt, t, k)) == TP_OP_BV_CONST)
        add_equal(d, tp_bv_value(tt, tp_arg(tt, t, k)));
  }
}

static void collect_constants(const tp_program *p, tp_random_inputs *d) {
  const tp_terms *tt = p->terms;
  size_t n = tp_terms_count(tt);
  bool *used = TP_NEW_ARRAY(bool, n + 1);
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    used[e->a.id] = used[e->b.id] = used[e->c.id] = true;
    for (uint32_t k = 0; k < e->n_args; k++) used[e->args[k].id] = true;
  }
  for (uint32_t id = (uint32_t)n; id > 0; id--) {  // arguments have smaller ids
    if (!used[id]) continue;
    tp_term t = {id};
    for (uint32_t k = 0; k < tp_n_args(tt, t); k++) used[tp_arg(tt, t, k).id] = true;
    if (tp_kind(tt, t) == TP_OP_BV_CONST || tp_kind(tt, t) == TP_OP_FP_CONST)
      tp_vec_push(&d->constants, tp_bv_value(tt, t));
  }
  tp_free(used);
}

// --------------------------------------------------------------------- drawing

static tp_u128 limit_value(tp_random_inputs *d, uint32_t width) {
  TP_REQUIRE(width >= 1 && width <= 128);
  tp_u128 v = (tp_u128)1 << tp_rng_below(&d->rng, width);
  switch (tp_rng_below(&d->rng, 6)) {
    case 0: return v;
    case 1: return v - 1;
    case 2: return v + 1;
    case 3: return 0 - v;
    case 4: return ((tp_u128)1 << (width - 1)) - 1;
    default: return (tp_u128)1 << (width - 1);
  }
}

static double drawn_number(tp_random_inputs *d) {
  static const double some[] = {
      0.0, 1.0, -1.0, 0.5, 2.0, 10.0, -0.0, 0.1, 1e10, 1e-10, 3.402823466e+38, 1.175494351e-38};
  return tp_rng_below(&d->rng, 3) ? some[tp_rng_below(&d->rng, sizeof some / sizeof *some)]
                                  : (double)(int64_t)(tp_rng_below(&d->rng, 2001))-1000.0;
}

/* A long double that is a number. */
static tp_u128 drawn_long_double(tp_random_inputs *d) {
  const long double x = (long double)drawn_number(d);
  tp_u128 bits = 0;
  if (tp_rng_below(&d->rng, 16) == 0)
    return (tp_u128)tp_rng_below(&d->rng, 0x10000) << 64 | tp_rng_next(&d->rng) | UINT64_C(1) << 63;
  memcpy(&bits, &x, TP_X87_BITS / 8);
  return bits;
}

static tp_u128 drawn_float(tp_random_inputs *d, uint32_t width) {
  const double x = drawn_number(d);
  if (tp_rng_below(&d->rng, 16) == 0) return (tp_u128)tp_rng_next(&d->rng);
  uint64_t b64;
  uint32_t b32;
  float f = (float)x;
  memcpy(&b64, &x, sizeof b64);
  memcpy(&b32, &f, sizeof b32);
  return width == 32 ? b32 : b64;
}

static tp_u128 anything(tp_random_inputs *d) {
  return (tp_u128)tp_rng_next(&d->rng) << 64 | tp_rng_next(&d->rng);
}

static tp_u128 near_constant(tp_random_inputs *d) {
  const tp_u128 c = d->constants.at[tp_rng_below(&d->rng, d->constants.n)];
  switch (tp_rng_below(&d->rng, 6)) {
    case 0: return c + 1;
    case 1: return c - 1;
    default: return c;
  }
}

static tp_u128 drawn(tp_random_inputs *d, const tp_input *io) {
  if (io->is_float) return drawn_float(d, io->width_bits);
  if (io->width_bits == TP_X87_BITS && tp_rng_below(&d->rng, 8)) return drawn_long_double(d);
  uint32_t total = 0, mix = 0;
  for (int i = 0; i < TP_RANDOM_INPUTS_MIXES; i++) total += d->weights[i];
  uint64_t x = tp_rng_below(&d->rng, total);
  while (x >= d->weights[mix]) x -= d->weights[mix++];
  TP_INVARIANT(mix < TP_RANDOM_INPUTS_MIXES);  // x was below the sum of the weights
  switch (mix) {
    case 0: return (tp_u128)tp_rng_below(&d->rng, 4);
    case 1: return (tp_u128)(tp_i128)((int64_t)tp_rng_below(&d->rng, 41) - 20);
    case 2: return limit_value(d, io->width_bits);
    case 3:
      if (!d->constants.n) return 1;
      return near_constant(d);
    case 4:
      if (!d->made->v.n) return 0;
      return d->made->v.at[tp_rng_below(&d->rng, d->made->v.n)].bits;
    default: return anything(d);
  }
}

static bool follows_seed(tp_random_inputs *d) {
  return d->seed && d->made->v.n < d->keep_first && tp_rng_below(&d->rng, 1000) < d->keep_permille;
}

/* A number as people write it, ended by a new line; cut to n bytes. */
static void draw_number_text(tp_random_inputs *d, uint8_t *b, size_t n) {
  const uint32_t width = tp_rng_below(&d->rng, 4) ? 32 : 64;
  const uint64_t v = (uint64_t)drawn(d, &(tp_input){.width_bits = width});
  char text[32];
  const int length = snprintf(text, sizeof text, "%lld\n",
                              width == 32 ? (long long)(int32_t)v : (long long)(int64_t)v);
  TP_INVARIANT(length > 0 && (size_t)length < sizeof text);
  memset(b, 0, n);
  memcpy(b, text, (size_t)length < n ? (size_t)length : n);
}

static void draw_bytes(tp_random_inputs *d, tp_input *io) {
  size_t most = io->n_bytes < TP_EXEC_DRAWN_BYTES ? io->n_bytes : TP_EXEC_DRAWN_BYTES;
  if (d->is_fixed || most == 0 || tp_rng_below(&d->rng, 2)) {
    io->bytes = NULL;
    io->n_bytes = 0;
    return;
  }
  uint8_t *b = tp_arena_alloc(&d->bytes, most);
  const bool is_number = tp_rng_below(&d->rng, 2) == 0;
  if (is_number) draw_number_text(d, b, most);
  for (size_t i = 0; i < most && !is_number; i++) {
    uint64_t x = tp_rng_next(&d->rng);
    b[i] = x & 1 ? (uint8_t)(x >> 8) : x & 2 ? (uint8_t)('a' + (x >> 8) % 4) : 0;
  }
  io->bytes = b;
  io->n_bytes = most;
}

static bool ask(void *ctx, tp_input *io) {
  tp_random_inputs *d = ctx;
  const tp_input *kept = follows_seed(d) ? &d->seed->v.at[d->made->v.n] : NULL;
  if (kept && (kept->width_bits == 0) != (io->width_bits == 0)) kept = NULL;
  if (io->width_bits == 0) {
    if (kept) {
      io->bytes = kept->bytes;
      io->n_bytes = kept->n_bytes < io->n_bytes ? kept->n_bytes : io->n_bytes;
    } else {
      draw_bytes(d, io);
    }
  } else {
    tp_u128 v = kept            ? kept->bits
                : d->is_rotated ? d->equal.at[(d->first + d->made->v.n) % d->equal.n]
                : d->is_fixed   ? d->fixed
                                : drawn(d, io);
    io->bits = io->width_bits >= 128 ? v : v & ((((tp_u128)1) << io->width_bits) - 1);
  }
  tp_inputs_add(d->made, *io);
  return true;
}

static void choose_mix(tp_random_inputs *d) {
  for (int i = 0; i < TP_RANDOM_INPUTS_MIXES; i++)
    d->weights[i] = 1 + (uint32_t)tp_rng_below(&d->rng, 8);
  d->weights[tp_rng_below(&d->rng, TP_RANDOM_INPUTS_MIXES)] += 40;
  if (d->prefers_small && d->n_runs % 2) d->weights[0] += 40, d->weights[1] += 80;
}

// ------------------------------------------------------------------------ runs

void tp_random_inputs_init(tp_random_inputs *d, const tp_program *p, uint64_t seed) {
  *d = (tp_random_inputs){0};
  tp_rng_init(&d->rng, seed);
  tp_arena_init(&d->bytes);
  collect_constants(p, d);
  collect_equal(p, d);
}

void tp_random_inputs_clear(tp_random_inputs *d) {
  tp_arena_clear(&d->bytes);
  tp_vec_clear(&d->constants);
  tp_vec_clear(&d->equal);
  for (size_t i = 0; i < d->kept.n; i++) tp_inputs_clear(&d->kept.at[i]);
  tp_vec_clear(&d->kept);
}

bool tp_random_inputs_is_equal(const tp_random_inputs *d) {
  return d->tries_equal && d->n_runs > 1 && d->n_runs <= 1 + 2 * d->equal.n;
}

/* The number that all inputs of the run have: 0, numbers of equations (once each, and as the first
 * of a rotation), others, neighbours of the former. */
static bool fixed_number(const tp_random_inputs *d, tp_u128 *out) {
  static const int64_t fixed[] = {0, 1, -1, 2, 10};
  const uint64_t n_fixed = sizeof fixed / sizeof *fixed, n_equal = d->tries_equal ? d->equal.n : 0;
  uint64_t n = d->n_runs;
  if (n > 0 && n <= 2 * n_equal) return *out = d->equal.at[(n - 1) % n_equal], true;
  n -= n > 0 ? 2 * n_equal : 0;
  if (n < n_fixed) return *out = (tp_u128)(tp_i128)fixed[n], true;
  n -= n_fixed;
  if (n >= 2 * n_equal) return false;
  *out = n % 2 ? d->equal.at[n / 2] - 1 : d->equal.at[n / 2] + 1;
  return true;
}

void tp_random_inputs_start(tp_random_inputs *d, tp_inputs *made) {
  TP_REQUIRE(made && made->v.n == 0);
  static const uint32_t keep[] = {1000, 1000, 950, 700};
  tp_arena_clear(&d->bytes);
  d->made = made;
  d->is_fixed = fixed_number(d, &d->fixed);
  d->is_rotated = d->tries_equal && d->n_runs > d->equal.n && d->n_runs <= 2 * d->equal.n;
  d->first = d->is_rotated ? d->n_runs - d->equal.n - 1 : 0;
  d->seed = NULL;
  if (!d->is_fixed && d->kept.n && tp_rng_below(&d->rng, 4)) {
    bool newest = tp_rng_below(&d->rng, 2);
    d->seed = newest ? &tp_vec_last(&d->kept) : &d->kept.at[tp_rng_below(&d->rng, d->kept.n)];
    size_t n = d->seed->v.n;
    switch (tp_rng_below(&d->rng, 3)) {  // the last value is often the one that stopped the run
      case 0: d->keep_first = n; break;
      case 1: d->keep_first = n - 1; break;
      default: d->keep_first = tp_rng_below(&d->rng, n); break;
    }
    d->keep_permille = keep[tp_rng_below(&d->rng, sizeof keep / sizeof *keep)];
  }
  choose_mix(d);
  d->n_runs++;
}

tp_oracle tp_random_inputs_oracle(tp_random_inputs *d) { return (tp_oracle){d, ask}; }

void tp_random_inputs_keep(tp_random_inputs *d, const tp_inputs *made) {
  if (d->kept.n >= TP_EXEC_KEPT_INPUTS || !made->v.n) return;
  tp_inputs own;
  tp_inputs_init(&own);
  tp_inputs_add_all(&own, made);
  tp_vec_push(&d->kept, own);
}
