/* Differential fuzzing: random small programs, bmc against exhaustive execution.
 *
 * Programs are built as models (no C in between), with few narrow inputs, so that the concrete
 * machine can run all of them: that is the exact verdict. TRUE of bmc must mean no failing run,
 * FALSE at least one. Giving up is counted and limited. usage: bmc_against_exec_test [COUNT [SEED]]
 * (default: 400 programs, seed 1) */
#include "engine/engine.h"

#include "exec/testing.h"
#include "proof/proof_engines.h"

#include <stdio.h>
#include <stdlib.h>

enum { W = 16, N_INTS = 4, N_PTRS = 3, N_OBJECTS = 3, MAX_INPUTS = 5, MAX_DEPTH = 3 };

typedef struct {
  build b;
  tp_rng rng;
  tp_var ints[N_INTS], ptrs[N_PTRS], objects[N_OBJECTS], narrow, byte, wide;
  tp_func helper;
  uint32_t inputs, statements;
  int64_t
      object_bytes;   // small: cells; large: offsets that are not constant make arrays of objects
  tp_func others[2];  // called through pointers
  bool in_helper;
  bool stores_pointers;  // then integers may be parts of addresses, which the two sides choose
                         // differently
} gen;

static uint64_t below(gen *g, uint64_t n) { return tp_rng_below(&g->rng, n); }
static tp_term value_of(gen *g, tp_var v) { return build_term(&g->b, v); }
static tp_term num(gen *g, int64_t n) { return bv(&g->b, W, n); }
static void edge(gen *g, tp_edge_info e) { build_edge(&g->b, e); }
static void assign(gen *g, tp_var v, tp_term t) { build_assign(&g->b, v, t); }

// ----------------------------------------------------------------- expressions

static tp_term any_int(gen *g) {
  return below(g, 3) ? value_of(g, g->ints[below(g, N_INTS)]) : num(g, (int64_t)below(g, 6) - 2);
}

static tp_term expression(gen *g) {
  static const tp_term_kind kinds[] = {TP_OP_BV_ADD,  TP_OP_BV_ADD, TP_OP_BV_MUL,
                                       TP_OP_BV_AND,  TP_OP_BV_OR,  TP_OP_BV_XOR,
                                       TP_OP_BV_UREM, TP_OP_BV_SHL, TP_OP_BV_LSHR};
  tp_term a = any_int(g), b = any_int(g);
  switch (below(g, 4)) {
    case 0: return a;
    case 1: return tp_mk_sub(g->b.tt, a, b);
    default: return tp_mk2(g->b.tt, kinds[below(g, sizeof kinds / sizeof *kinds)], a, b);
  }
}

static tp_term condition(gen *g) {
  static const tp_term_kind kinds[] = {TP_OP_BV_ULT, TP_OP_BV_SLT, TP_OP_BV_SLE, TP_OP_BV_ULE};
  tp_term a = expression(g), b = any_int(g);
  if (below(g, 3) == 0) return tp_mk_eq(g->b.tt, a, b);
  if (below(g, 8) == 0)
    return tp_mk_eq(g->b.tt, value_of(g, g->ptrs[below(g, N_PTRS)]),
                    value_of(g, g->ptrs[below(g, N_PTRS)]));
  return tp_mk2(g->b.tt, kinds[below(g, 4)], a, b);
}

static tp_term offset(gen *g, uint64_t scale) {
  if (below(g, 2))
    return bv(&g->b, 64, (int64_t)(scale * below(g, 16 / scale + (below(g, 8) == 0))));
  tp_term i = tp_mk2(g->b.tt, TP_OP_BV_AND, any_int(g),
                     num(g, g->object_bytes > 100 ? 63
                            : scale == 8          ? 1
                            : below(g, 8)         ? 3
                                                  : 7));
  return tp_mk2(g->b.tt, TP_OP_BV_MUL, tp_mk_zext(g->b.tt, 64, i), bv(&g->b, 64, (int64_t)scale));
}

static tp_term address(gen *g, uint64_t scale) {
  tp_term p =
      value_of(g, below(g, 2) ? g->ptrs[below(g, N_PTRS)] : g->objects[below(g, N_OBJECTS)]);
  if (below(g, 8))
    p = tp_mk_ite(g->b.tt, tp_mk_eq(g->b.tt, p, tp_mk_null(g->b.tt)), value_of(g, g->objects[0]),
                  p);
  return tp_mk_ptr_add(g->b.tt, p, offset(g, scale));
}

// ------------------------------------------------------------------ statements

static void statements(gen *g, uint32_t depth);

static void input(gen *g) {
  if (g->inputs++ >= MAX_INPUTS) return;
  edge(g, (tp_edge_info){.kind = TP_E_HAVOC, .var = g->narrow, .input = TP_I_NONDET, .name = "in"});
  assign(g, g->ints[below(g, N_INTS)], tp_mk_zext(g->b.tt, W, value_of(g, g->narrow)));
}

static void choose(gen *g, uint32_t depth) {
  tp_loc no = build_branch(&g->b, condition(g));
  statements(g, depth + 1);
  tp_loc end = g->b.at;
  g->b.at = no;
  if (below(g, 2)) statements(g, depth + 1);
  edge(g, (tp_edge_info){.kind = TP_E_SKIP, .to = end});
}

/* A counter of its own, and perhaps a second way out. */
static void loop(gen *g, uint32_t depth) {
  tp_var i = build_var(&g->b, "i", tp_sort_bv(g->b.tt, W));
  tp_term bound = below(g, 2) ? num(g, (int64_t)below(g, 5))
                              : tp_mk2(g->b.tt, TP_OP_BV_AND, any_int(g), num(g, 3));
  tp_var n = build_var(&g->b, "n", tp_sort_bv(g->b.tt, W));
  assign(g, n, bound);
  assign(g, i, num(g, 0));
  tp_loc head = g->b.at,
         out = build_branch(&g->b, tp_mk2(g->b.tt, TP_OP_BV_ULT, value_of(g, i), value_of(g, n)));
  statements(g, depth + 1);
  if (below(g, 3) == 0) {
    tp_loc stay = build_branch(&g->b, condition(g));
    edge(g, (tp_edge_info){.kind = TP_E_SKIP, .to = out});
    g->b.at = stay;
  }
  if (below(g, 3) == 0) assign(g, g->ints[0], value_of(g, i));
  assign(g, i, tp_mk2(g->b.tt, TP_OP_BV_ADD, value_of(g, i), num(g, 1)));
  edge(g, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  g->b.at = out;
}

static void memory(gen *g) {
  switch (g->stores_pointers ? below(g, 10) : 2 + below(g, 8)) {
    case 0:
      edge(g,
           (tp_edge_info){.kind = TP_E_LOAD, .var = g->ptrs[below(g, N_PTRS)], .a = address(g, 8)});
      break;
    case 1:
      edge(g, (tp_edge_info){.kind = TP_E_STORE,
                             .a = address(g, 8),
                             .b = value_of(g, g->ptrs[below(g, N_PTRS)])});
      break;
    case 2:
      edge(g, (tp_edge_info){.kind = TP_E_STORE,
                             .a = address(g, 1),
                             .b = tp_mk_trunc(g->b.tt, 8, expression(g))});
      break;
    case 3:
      edge(g, (tp_edge_info){.kind = TP_E_LOAD, .var = g->byte, .a = address(g, 1)});
      assign(g, g->ints[below(g, N_INTS)], tp_mk_sext(g->b.tt, W, value_of(g, g->byte)));
      break;
    case 4:
      edge(g, (tp_edge_info){.kind = TP_E_STORE,
                             .a = address(g, 4),
                             .b = tp_mk_zext(g->b.tt, 32, expression(g))});
      break;
    case 5:
      edge(g, (tp_edge_info){.kind = TP_E_LOAD, .var = g->wide, .a = address(g, 4)});
      assign(g, g->ints[below(g, N_INTS)], tp_mk_trunc(g->b.tt, W, value_of(g, g->wide)));
      break;
    case 6:
    case 7:
      edge(g, (tp_edge_info){.kind = TP_E_STORE, .a = address(g, 2), .b = expression(g)});
      break;
    default:
      edge(g,
           (tp_edge_info){.kind = TP_E_LOAD, .var = g->ints[below(g, N_INTS)], .a = address(g, 2)});
      break;
  }
}

static void block(gen *g) {
  tp_term n = below(g, 2)
                  ? bv(&g->b, 64, (int64_t)below(g, 12))
                  : tp_mk_zext(g->b.tt, 64, tp_mk2(g->b.tt, TP_OP_BV_AND, any_int(g), num(g, 7)));
  if (below(g, 2))
    edge(g, (tp_edge_info){.kind = TP_E_COPY, .a = address(g, 2), .b = address(g, 2), .c = n});
  else
    edge(g, (tp_edge_info){.kind = TP_E_SET,
                           .a = address(g, 1),
                           .b = tp_mk_trunc(g->b.tt, 8, any_int(g)),
                           .c = n});
}

static void pointers(gen *g) {
  tp_var p = g->ptrs[below(g, N_PTRS)];
  tp_term a = value_of(g, g->objects[below(g, N_OBJECTS)]),
          b = value_of(g, g->ptrs[below(g, N_PTRS)]);
  switch (below(g, 5)) {
    case 0: assign(g, p, tp_mk_ite(g->b.tt, condition(g), a, b)); break;
    case 1: assign(g, p, tp_mk_ptr_add(g->b.tt, a, offset(g, 4))); break;
    case 2: assign(g, p, below(g, 8) ? a : tp_mk_null(g->b.tt)); break;
    case 3: {
      tp_var o = below(g, 3) ? p : g->objects[below(g, N_OBJECTS)];
      edge(g, (tp_edge_info){.kind = TP_E_ALLOC,
                             .var = o,
                             .a = bv(&g->b, 64, g->object_bytes),
                             .b = bv(&g->b, 8, (int64_t)below(g, 3)),
                             .object_kind = TP_O_HEAP,
                             .name = "malloc"});
      break;
    }
    default:
      if (below(g, 6) == 0)
        edge(g, (tp_edge_info){.kind = TP_E_FREE, .a = below(g, 2) ? value_of(g, p) : a});
      else
        assign(g, p, b);
  }
}

static void call(gen *g) {
  if (!g->helper.id || g->in_helper) return;
  tp_term *args = tp_arena_array(&g->b.p->arena, tp_term, 2);
  args[0] = below(g, 2) ? num(g, (int64_t)below(g, 4))
                        : tp_mk2(g->b.tt, TP_OP_BV_AND, any_int(g), num(g, 3));
  args[1] = value_of(g, g->ptrs[below(g, N_PTRS)]);
  edge(g, (tp_edge_info){.kind = TP_E_CALL,
                         .var = g->ints[below(g, N_INTS)],
                         .callee = g->helper,
                         .args = args,
                         .n_args = 2});
}

/* Through a pointer to one of two functions, or to null. */
static void call_pointer(gen *g) {
  tp_term *args = tp_arena_array(&g->b.p->arena, tp_term, 1), p[2];
  args[0] = any_int(g);
  for (int i = 0; i < 2; i++)
    p[i] = tp_mk_ptr_const(g->b.tt, g->b.p->funcs.at[g->others[i].id].object, 0);
  if (below(g, 8) == 0) p[1] = tp_mk_null(g->b.tt);
  tp_term target = tp_mk_ite(g->b.tt, condition(g), p[0], p[1]);
  edge(g, (tp_edge_info){.kind = TP_E_CALL,
                         .var = g->ints[below(g, N_INTS)],
                         .a = target,
                         .args = args,
                         .n_args = 1});
}

static void statement(gen *g, uint32_t depth) {
  uint64_t what = below(g, 20);
  if (what < 2)
    input(g);
  else if (what < 4 && depth < MAX_DEPTH)
    choose(g, depth);
  else if (what < 6 && depth < MAX_DEPTH)
    loop(g, depth);
  else if (what < 11)
    memory(g);
  else if (what < 12)
    block(g);
  else if (what < 15)
    pointers(g);
  else if (what < 16)
    below(g, 2) ? call(g) : call_pointer(g);
  else if (what < 17 && below(g, 3) == 0)
    build_assert(&g->b, tp_mk_not(g->b.tt, condition(g)));
  else if (what < 18 && below(g, 3) == 0)
    edge(g, (tp_edge_info){.kind = TP_E_ASSUME, .a = condition(g)});
  else
    assign(g, g->ints[below(g, N_INTS)], expression(g));
}

static void statements(gen *g, uint32_t depth) {
  for (uint64_t n = 1 + below(g, 4); n > 0 && g->statements < 60; n--, g->statements++)
    statement(g, depth);
}

// --------------------------------------------------------------------- programs

static void declare(gen *g, const char *name) {
  (void)name;
  for (int i = 0; i < N_INTS; i++)
    g->ints[i] = build_var(&g->b, (const char *[]){"a", "b", "c", "d"}[i], tp_sort_bv(g->b.tt, W));
  for (int i = 0; i < N_PTRS; i++)
    g->ptrs[i] = build_var(&g->b, (const char *[]){"p", "q", "r"}[i], tp_sort_ptr(g->b.tt));
  g->narrow = build_var(&g->b, "in", tp_sort_bv(g->b.tt, 2));
  g->byte = build_var(&g->b, "byte", tp_sort_bv(g->b.tt, 8));
  g->wide = build_var(&g->b, "wide", tp_sort_bv(g->b.tt, 32));
}

static void initialise(gen *g) {
  for (int i = 0; i < N_INTS; i++) assign(g, g->ints[i], num(g, i));
  for (int i = 0; i < N_PTRS; i++) assign(g, g->ptrs[i], value_of(g, g->objects[i]));
}

/* helper(n, p): recursive on n, with a body of its own. */
static void make_helper(gen *g) {
  g->helper = build_func(&g->b, "helper", tp_sort_bv(g->b.tt, W));
  tp_var n = build_param(&g->b, "n", tp_sort_bv(g->b.tt, W)),
         p = build_param(&g->b, "ptr", tp_sort_ptr(g->b.tt));
  declare(g, "helper");
  initialise(g);
  assign(g, g->ints[1], value_of(g, n));
  assign(g, g->ptrs[0], value_of(g, p));
  g->in_helper = true;
  tp_loc zero = build_branch(&g->b, tp_mk2(g->b.tt, TP_OP_BV_SLT, num(g, 0), value_of(g, n)));
  statements(g, MAX_DEPTH - 1);
  if (below(g, 2)) {
    tp_term *args = tp_arena_array(&g->b.p->arena, tp_term, 2);
    args[0] = tp_mk_sub(g->b.tt, value_of(g, n), num(g, 1));
    args[1] = value_of(g, g->ptrs[0]);
    edge(g,
         (tp_edge_info){
             .kind = TP_E_CALL, .var = g->ints[2], .callee = g->helper, .args = args, .n_args = 2});
  }
  build_return(&g->b, tp_mk2(g->b.tt, TP_OP_BV_ADD, value_of(g, g->ints[2]), value_of(g, n)));
  g->b.at = zero;
  build_return(&g->b, value_of(g, g->ints[0]));
  g->in_helper = false;
  g->statements = 0;
}

/* Two small functions whose addresses are taken. */
static void make_others(gen *g) {
  for (int i = 0; i < 2; i++) {
    const char *name = i ? "twice" : "next";
    tp_func f = g->others[i] = build_func(&g->b, name, tp_sort_bv(g->b.tt, W));
    tp_var n = build_param(&g->b, "n", tp_sort_bv(g->b.tt, W));
    build_return(&g->b,
                 tp_mk2(g->b.tt, TP_OP_BV_ADD, value_of(g, n), i ? value_of(g, n) : num(g, 1)));
    uint32_t o = tp_program_add_static(
        g->b.p,
        (tp_static){
            .name = name, .kind = TP_O_FUNCTION, .size_bytes = 1, .align_bytes = 1, .func = f});
    g->b.p->funcs.at[f.id].object = o;
  }
}

static tp_program *make(gen *g, uint64_t seed) {
  memset(g, 0, sizeof *g);
  tp_rng_init(&g->rng, seed);
  g->b = build_new(64);
  for (int i = 0; i < N_OBJECTS; i++)
    g->objects[i] = build_global(&g->b, "obj", tp_sort_ptr(g->b.tt), tp_mk_null(g->b.tt));
  g->stores_pointers = below(g, 3) == 0;
  g->object_bytes = below(g, 3) ? 24 : 640;
  make_others(g);
  if (below(g, 2)) make_helper(g);
  build_func(&g->b, "main", tp_sort_bv(g->b.tt, 32));
  declare(g, "main");
  for (int i = 0; i < N_OBJECTS; i++)
    edge(g, (tp_edge_info){.kind = TP_E_ALLOC,
                           .var = g->objects[i],
                           .a = bv(&g->b, 64, g->object_bytes),
                           .b = bv(&g->b, 8, 0),
                           .object_kind = i ? TP_O_STACK : TP_O_HEAP,
                           .name = "object"});
  initialise(g);
  input(g);
  for (int i = 0; i < 4; i++) statements(g, 0);
  for (int i = 0; i < 2; i++)
    build_assert(
        &g->b, tp_mk_not(g->b.tt, tp_mk_eq(g->b.tt, expression(g), num(g, (int64_t)below(g, 40)))));
  build_return(&g->b, bv(&g->b, 32, 0));
  build_done(&g->b);
  return g->b.p;
}

// -------------------------------------------------------------------- exhaustive

/* Depth-first over all answers; an answer that was not asked before starts at 0. */
typedef struct {
  uint64_t at[64];
  uint32_t n, next;
  bool too_many;
} choices;

static bool answer(void *ctx, tp_input *io) {
  choices *c = ctx;
  if (io->width_bits != 2 || c->next == 64) {
    c->too_many = true;
    return false;
  }
  if (c->next == c->n) c->at[c->n++] = 0;
  io->bits = c->at[c->next++];
  return true;
}

static bool advance(choices *c) {
  c->n = c->next;
  while (c->n && c->at[c->n - 1] == 3) c->n--;
  if (!c->n) return false;
  c->at[c->n - 1]++;
  return true;
}

typedef enum { NO_FAILURE, FAILURE, TOO_MANY } exact;

static exact run_all(const tp_program *p) {
  choices c = {.n = 0};
  tp_oracle oracle = {&c, answer};
  for (uint32_t runs = 0;; runs++) {
    c.next = 0;
    tp_run_result r = tp_exec_main(p, &oracle, (tp_run_limits){.steps = 20000}, NULL);
    if (r.end == TP_END_ERROR) return FAILURE;
    if (c.too_many || r.end == TP_END_LIMIT || runs > 6000) return TOO_MANY;
    if (!advance(&c)) return NO_FAILURE;
  }
}

// -------------------------------------------------------------------------- test

static uint64_t count = 400, first_seed = 1;

static void agrees(void **unused) {
  (void)unused;
  uint64_t n_true = 0, n_false = 0, n_unknown = 0, n_skipped = 0;
  for (uint64_t seed = first_seed; seed < first_seed + count; seed++) {
    gen g;
    const tp_program *p = make(&g, seed);
    exact e = run_all(p);
    if (e == TOO_MANY) {
      n_skipped++;
      build_free(&g.b);
      continue;
    }
    tp_result r;
    tp_stats stats = {0};
    tp_result_init(&r);
    tp_task task = {.program = p, .property = TP_P_UNREACH_CALL};
    tp_engine_bmc.run(&task, &(tp_budget){.cpu_s = 5}, &stats, &r);
    bool wrong = (r.verdict == TP_VERDICT_TRUE && e == FAILURE) ||
                 (r.verdict == TP_VERDICT_FALSE && e == NO_FAILURE);
    bool lost = !g.stores_pointers && r.verdict == TP_VERDICT_UNKNOWN && r.reason &&
                strstr(r.reason, "not confirm");
    if (wrong || lost || (r.verdict == TP_VERDICT_UNKNOWN && getenv("SHOW_UNKNOWN"))) {
      tp_str dump = {0};
      tp_program_print(p, &dump);
      fprintf(stderr, "seed %llu: bmc says %d (%s), exhaustive execution says %d\n%s",
              (unsigned long long)seed, r.verdict, r.reason ? r.reason : "", e, tp_str_text(&dump));
      tp_str_clear(&dump);
      if ((wrong || lost) && !getenv("KEEP_GOING")) fail();
    }
    n_true += r.verdict == TP_VERDICT_TRUE;
    n_false += r.verdict == TP_VERDICT_FALSE;
    n_unknown += r.verdict == TP_VERDICT_UNKNOWN;
    tp_result_clear(&r);
    build_free(&g.b);
  }
  print_message("%llu true, %llu false, %llu unknown, %llu skipped\n", (unsigned long long)n_true,
                (unsigned long long)n_false, (unsigned long long)n_unknown,
                (unsigned long long)n_skipped);
  if (count >= 100) {
    assert_true(n_true * 20 > count && n_false * 20 > count);
    assert_true(n_unknown * 10 < count);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) count = strtoull(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
