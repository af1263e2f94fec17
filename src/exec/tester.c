/* The random tester: shallow failures for little money.
 *
 * The first runs feed zeros, ones and other constants. After that each run draws its inputs from a mix whose weights
 * are themselves drawn once per run: small numbers, limits of the width, constants of the program (and their
 * neighbours), repeats of earlier inputs, anything. Vectors that took an edge for the first time are kept and later
 * runs start from one of them, with some values drawn anew. The search ends early if the program asks for nothing.
 *
 * A failure that rests on indeterminate values is weaker evidence: it is kept, and the search goes on a little for
 * one that does not. */
#include "exec/exec.h"

enum { MIXES = 6, MOST_SEEDS = 256, MORE_AFTER_WEAK = 200, BYTES_DRAWN = 64 };

typedef struct {
  tp_rng rng;
  TP_VEC(tp_u128) constants;
  uint32_t weights[MIXES];
  const tp_inputs *seed;       // vector to follow, or NULL
  size_t keep_first;           // how many of its values may be kept,
  uint32_t keep_permille;      // and how many of these are
  int64_t fixed;               // first runs: this number everywhere
  bool is_fixed;
  tp_inputs *made;             // what this run has been given so far
  tp_arena bytes;              // of answers, until the run ends
} source;

// ------------------------------------------------------------------- constants

static void collect_constants(const tp_program *p, source *src) {
  const tp_terms *tt = p->terms;
  size_t n = tp_terms_count(tt);
  bool *used = TP_NEW_ARRAY(bool, n + 1);
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    used[e->a.id] = used[e->b.id] = used[e->c.id] = true;
    for (uint32_t k = 0; k < e->n_args; k++) used[e->args[k].id] = true;
  }
  for (uint32_t id = (uint32_t)n; id > 0; id--) {              // arguments have smaller ids
    if (!used[id]) continue;
    tp_term t = {id};
    for (uint32_t k = 0; k < tp_n_args(tt, t); k++) used[tp_arg(tt, t, k).id] = true;
    if (tp_kind(tt, t) == TP_OP_BV_CONST || tp_kind(tt, t) == TP_OP_FP_CONST)
      tp_vec_push(&src->constants, tp_bv_value(tt, t));
  }
  tp_free(used);
}

// --------------------------------------------------------------------- drawing

static tp_u128 limit_value(source *src, uint32_t width) {
  tp_u128 v = (tp_u128)1 << tp_rng_below(&src->rng, width);
  switch (tp_rng_below(&src->rng, 6)) {
    case 0: return v;
    case 1: return v - 1;
    case 2: return v + 1;
    case 3: return 0 - v;
    case 4: return ((tp_u128)1 << (width - 1)) - 1;
    default: return (tp_u128)1 << (width - 1);
  }
}

static tp_u128 drawn_float(source *src, uint32_t width) {
  static const double some[] = {0.0, 1.0, -1.0, 0.5, 2.0, 10.0, -0.0, 0.1, 1e10, 1e-10, 3.402823466e+38, 1.175494351e-38};
  double d = tp_rng_below(&src->rng, 3) ? some[tp_rng_below(&src->rng, sizeof some / sizeof *some)]
                                        : (double)(int64_t)(tp_rng_below(&src->rng, 2001)) - 1000.0;
  if (tp_rng_below(&src->rng, 16) == 0) return (tp_u128)tp_rng_next(&src->rng);
  uint64_t b64;
  uint32_t b32;
  float f = (float)d;
  memcpy(&b64, &d, sizeof b64);
  memcpy(&b32, &f, sizeof b32);
  return width == 32 ? b32 : b64;
}

static tp_u128 anything(source *src) { return (tp_u128)tp_rng_next(&src->rng) << 64 | tp_rng_next(&src->rng); }

static tp_u128 near_constant(source *src) {
  const tp_u128 c = src->constants.at[tp_rng_below(&src->rng, src->constants.n)];
  switch (tp_rng_below(&src->rng, 6)) {
    case 0: return c + 1;
    case 1: return c - 1;
    default: return c;
  }
}

static tp_u128 draw(source *src, const tp_input *io) {
  if (io->is_float) return drawn_float(src, io->width_bits);
  uint32_t total = 0, mix = 0;
  for (int i = 0; i < MIXES; i++) total += src->weights[i];
  uint64_t x = tp_rng_below(&src->rng, total);
  while (x >= src->weights[mix]) x -= src->weights[mix++];
  switch (mix) {
    case 0: return (tp_u128)tp_rng_below(&src->rng, 4);
    case 1: return (tp_u128)(tp_i128)((int64_t)tp_rng_below(&src->rng, 41) - 20);
    case 2: return limit_value(src, io->width_bits);
    case 3:
      if (!src->constants.n) return 1;
      return near_constant(src);
    case 4:
      if (!src->made->v.n) return 0;
      return src->made->v.at[tp_rng_below(&src->rng, src->made->v.n)].bits;
    default: return anything(src);
  }
}

static bool follows_seed(source *src) {
  return src->seed && src->made->v.n < src->keep_first && tp_rng_below(&src->rng, 1000) < src->keep_permille;
}

static void draw_bytes(source *src, tp_input *io) {
  size_t most = io->n_bytes < BYTES_DRAWN ? io->n_bytes : BYTES_DRAWN;
  if (src->is_fixed || most == 0 || tp_rng_below(&src->rng, 2)) {
    io->bytes = NULL;
    io->n_bytes = 0;
    return;
  }
  uint8_t *b = tp_arena_alloc(&src->bytes, most);
  for (size_t i = 0; i < most; i++) {
    uint64_t x = tp_rng_next(&src->rng);
    b[i] = x & 1 ? (uint8_t)(x >> 8) : x & 2 ? (uint8_t)('a' + (x >> 8) % 4) : 0;
  }
  io->bytes = b;
  io->n_bytes = most;
}

static bool ask_source(void *ctx, tp_input *io) {
  source *src = ctx;
  const tp_input *kept = follows_seed(src) ? &src->seed->v.at[src->made->v.n] : NULL;
  if (kept && (kept->width_bits == 0) != (io->width_bits == 0)) kept = NULL;
  if (io->width_bits == 0) {
    if (kept) {
      io->bytes = kept->bytes;
      io->n_bytes = kept->n_bytes < io->n_bytes ? kept->n_bytes : io->n_bytes;
    } else {
      draw_bytes(src, io);
    }
  } else {
    tp_u128 v = kept ? kept->bits : src->is_fixed ? (tp_u128)(tp_i128)src->fixed : draw(src, io);
    io->bits = io->width_bits >= 128 ? v : v & ((((tp_u128)1) << io->width_bits) - 1);
  }
  tp_inputs_add(src->made, *io);
  return true;
}

static void choose_mix(source *src) {
  for (int i = 0; i < MIXES; i++) src->weights[i] = 1 + (uint32_t)tp_rng_below(&src->rng, 8);
  src->weights[tp_rng_below(&src->rng, MIXES)] += 40;
}

// ---------------------------------------------------------------------- search

typedef struct {
  bool *taken;                 // by edge
  bool news;
} coverage;

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  coverage *c = ctx;
  if (!c->taken[e.id]) c->taken[e.id] = c->news = true;
  return true;
}

static void copy_inputs(const tp_inputs *from, tp_inputs *to) {
  tp_inputs_clear(to);
  tp_inputs_init(to);
  for (size_t i = 0; i < from->v.n; i++) tp_inputs_add(to, from->v.at[i]);
}

typedef struct {
  const tp_program *p;
  tp_property asked;
  tp_tester_options options;
  source src;
  coverage cover;
  tp_state *start;
  TP_VEC(tp_inputs) seeds;
  uint64_t steps, runs, runs_at_weak;
  double cpu_at_start;
  bool weak;                   // a failure that used indeterminate values is in *inputs
} search;

static bool violates(const search *q, const tp_run_result *r) {
  return r->end == TP_END_ERROR && tp_property_covers(q->asked, tp_loc_of(q->p, r->loc)->error);
}

static bool is_over(const search *q) {
  if (q->options.runs && q->runs >= q->options.runs) return true;
  if (q->options.steps_total && q->steps >= q->options.steps_total) return true;
  if (q->weak && q->runs >= q->runs_at_weak + MORE_AFTER_WEAK) return true;
  return q->options.cpu_s > 0 && tp_cpu_s() - q->cpu_at_start >= q->options.cpu_s;
}

static void prepare(search *q) {
  static const int64_t fixed[] = {0, 1, -1, 2, 10};
  static const uint32_t keep[] = {1000, 1000, 950, 700};
  source *src = &q->src;
  src->is_fixed = q->runs < sizeof fixed / sizeof *fixed;
  src->fixed = src->is_fixed ? fixed[q->runs] : 0;
  src->seed = NULL;
  if (!src->is_fixed && q->seeds.n && tp_rng_below(&src->rng, 4)) {
    bool newest = tp_rng_below(&src->rng, 2);
    src->seed = newest ? &tp_vec_last(&q->seeds) : &q->seeds.at[tp_rng_below(&src->rng, q->seeds.n)];
    size_t n = src->seed->v.n;
    switch (tp_rng_below(&src->rng, 3)) {                      // the last value is often the one that stopped the run
      case 0: src->keep_first = n; break;
      case 1: src->keep_first = n - 1; break;
      default: src->keep_first = tp_rng_below(&src->rng, n); break;
    }
    src->keep_permille = keep[tp_rng_below(&src->rng, sizeof keep / sizeof *keep)];
  }
  choose_mix(src);
}

static tp_run_result run_once(search *q, tp_inputs *made) {
  prepare(q);
  q->src.made = made;
  q->cover.news = false;
  tp_oracle oracle = {&q->src, ask_source};
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &q->cover, .edge = note_edge};
  uint64_t steps = q->options.steps_per_run ? q->options.steps_per_run : 100000;
  if (q->options.steps_total && q->options.steps_total - q->steps < steps) steps = q->options.steps_total - q->steps;
  tp_state *s = tp_state_copy(q->start);
  tp_run_result r = tp_exec_run(q->p, s, &oracle, (tp_run_limits){.steps = steps, .memory_bytes = 1u << 28}, &observer);
  tp_state_free(s);
  tp_arena_clear(&q->src.bytes);
  q->steps += r.steps + 1;
  q->runs++;
  return r;
}

static void keep_seed(search *q, const tp_inputs *made) {
  if (!q->cover.news || q->seeds.n >= MOST_SEEDS || !made->v.n) return;
  tp_inputs own;
  tp_inputs_init(&own);
  copy_inputs(made, &own);
  tp_vec_push(&q->seeds, own);
}

static bool search_all(search *q, tp_inputs *inputs, tp_run_result *found) {
  bool strong = false, asks = true;
  while (!strong && asks && !is_over(q)) {
    tp_inputs made;
    tp_inputs_init(&made);
    tp_run_result r = run_once(q, &made);
    asks = made.v.n != 0;
    strong = violates(q, &r) && !r.used_indeterminate;
    if (strong || (violates(q, &r) && !q->weak)) {
      if (!strong) q->weak = true, q->runs_at_weak = q->runs;
      copy_inputs(&made, inputs);
      *found = r;
    }
    keep_seed(q, &made);
    tp_inputs_clear(&made);
  }
  return strong || q->weak;
}

bool tp_tester_search(const tp_program *p, tp_property asked, tp_tester_options options, tp_inputs *inputs,
                      tp_run_result *found, uint64_t *runs_done) {
  search q = {.p = p, .asked = asked, .options = options, .cpu_at_start = tp_cpu_s()};
  if (!options.runs && !options.steps_total && options.cpu_s <= 0) q.options.runs = 1000;
  tp_rng_init(&q.src.rng, options.seed);
  tp_arena_init(&q.src.bytes);
  collect_constants(p, &q.src);
  q.cover.taken = TP_NEW_ARRAY(bool, p->edges.n + 1);
  q.start = tp_state_initial(p);
  bool yes = search_all(&q, inputs, found);
  if (runs_done) *runs_done = q.runs;
  tp_state_free(q.start);
  tp_free(q.cover.taken);
  tp_vec_clear(&q.src.constants);
  for (size_t i = 0; i < q.seeds.n; i++) tp_inputs_clear(&q.seeds.at[i]);
  tp_vec_clear(&q.seeds);
  return yes;
}
