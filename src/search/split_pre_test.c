/* Pre-images against the concrete machine: for every kind of edge, random targets, and states and
 * inputs of four bits (memory: two bytes of a global object), a state has a step into the target if
 * and only if (where the pre-image is not exact: only if) it is in the pre-image. Then suitable
 * predicates on random problems over the same edges. */
#include "search/figures_test.h"
#include "search/split.h"
#include "program/cells.h"

typedef enum {
  OP_SKIP,
  OP_ASSIGN,
  OP_ASSUME,
  OP_BRANCH,
  OP_HAVOC,
  OP_LOAD,
  OP_STORE,
  OP_SET,
  OP_COPY,
  OP_HAVOC_BYTE,
  OP_HAVOC_MEMORY,
  OP_ALLOC,
  OP_ALLOC_FILLED,
  OP_FREE,
  OP_CALL,
  OP_RETURN,
  OP_END_SCOPE,
  N_OPS
} op;
static const char *const op_names[N_OPS] = {"SKIP",         "ASSIGN",
                                            "ASSUME",       "branch",
                                            "HAVOC",        "LOAD",
                                            "STORE",        "SET",
                                            "COPY",         "HAVOC_MEMORY of a byte",
                                            "HAVOC_MEMORY", "ALLOC",
                                            "ALLOC filled", "FREE",
                                            "CALL",         "return from a call",
                                            "END_SCOPE"};

enum { N_SCALARS = 4 };

typedef struct {
  build b;
  tp_rng rng;
  tp_var x, y, u, v, w, p,
      q;                  // four bits; u, v: what memory holds; w: a byte; p: one of two addresses
  tp_var param;           // CALL: what the target may speak of, too
  tp_term g;              // address of the object
  tp_loc from, over, to;  // over: a location between them, or NONE
  unsigned n_inputs;      // that the edge may draw
} machine;

// ------------------------------------------------------------------------ random

static tp_term byte_of(machine *m, tp_var v) {
  return tp_mk_zext(m->b.tt, 8, build_term(&m->b, v));
}
static tp_term at(machine *m, int64_t offset) {
  return tp_mk_ptr_add(m->b.tt, m->g, tp_mk_bv_signed(m->b.tt, 64, offset));
}
static tp_term cell(machine *m, tp_term address) {
  return tp_cell(m->b.p, tp_sort_bv(m->b.tt, 8), address);
}

static tp_term random_byte(machine *m, bool with_memory) {
  tp_terms *tt = m->b.tt;
  switch (tp_rng_below(&m->rng, with_memory ? 8 : 4)) {
    case 0: return byte_of(m, m->x);
    case 1: return byte_of(m, m->y);
    case 2:
      if (with_memory && m->param.id) return byte_of(m, m->param);
      return tp_mk_zext(tt, 8,
                        tp_mk2(tt, TP_OP_BV_ADD, build_term(&m->b, m->x), build_term(&m->b, m->y)));
    case 3: return tp_mk_bv(tt, 8, tp_rng_below(&m->rng, 16));
    case 4: return build_term(&m->b, m->w);
    case 5: return cell(m, m->g);
    case 6: return cell(m, at(m, 1));
    default: return cell(m, build_term(&m->b, m->p));
  }
}

static tp_term random_formula(machine *m, bool with_memory) {
  static const tp_term_kind kinds[] = {TP_OP_EQ, TP_OP_BV_ULT, TP_OP_BV_SLT, TP_OP_BV_ULE};
  tp_terms *tt = m->b.tt;
  tp_term all = tp_mk_true(tt);
  for (uint64_t n = 1 + tp_rng_below(&m->rng, 3); n > 0; n--) {
    tp_term a = random_byte(m, with_memory), c = random_byte(m, with_memory);
    tp_term atom = tp_mk2(tt, kinds[tp_rng_below(&m->rng, 4)], a, c);
    if (tp_rng_below(&m->rng, 2)) atom = tp_mk_not(tt, atom);
    all = tp_rng_below(&m->rng, 3) ? tp_mk_and(tt, all, atom) : tp_mk_or(tt, all, atom);
  }
  if (tp_is_const(tt, all)) return random_formula(m, with_memory);
  return all;
}

// ----------------------------------------------------------------------- programs

/* The edge; goes on behind it. */
static void take(machine *m, op o, tp_func callee) {
  build *b = &m->b;
  tp_terms *tt = b->tt;
  tp_term p = build_term(b, m->p), one = tp_mk_bv(tt, 64, 1);
  switch (o) {
    case OP_SKIP: build_edge(b, (tp_edge_info){.kind = TP_E_SKIP}); break;
    case OP_ASSIGN:
      build_assign(
          b, m->x,
          tp_mk_trunc(tt, 4,
                      tp_mk2(tt, TP_OP_BV_MUL, random_byte(m, false), random_byte(m, false))));
      break;
    case OP_ASSUME:
      build_edge(b, (tp_edge_info){.kind = TP_E_ASSUME, .a = random_formula(m, false)});
      break;
    case OP_BRANCH: (void)build_branch(b, random_formula(m, false)); break;
    case OP_HAVOC:
      build_edge(b, (tp_edge_info){
                        .kind = TP_E_HAVOC, .var = m->x, .input = TP_I_NONDET, .name = "nondet"});
      break;
    case OP_LOAD: build_edge(b, (tp_edge_info){.kind = TP_E_LOAD, .var = m->w, .a = p}); break;
    case OP_STORE:
      build_edge(b, (tp_edge_info){.kind = TP_E_STORE, .a = p, .b = byte_of(m, m->x)});
      break;
    case OP_SET:
      build_edge(b,
                 (tp_edge_info){
                     .kind = TP_E_SET, .a = m->g, .b = byte_of(m, m->x), .c = tp_mk_bv(tt, 64, 2)});
      break;
    case OP_COPY:
      build_edge(b, (tp_edge_info){.kind = TP_E_COPY, .a = m->g, .b = at(m, 1), .c = one});
      break;
    case OP_HAVOC_BYTE:
      build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                   .a = m->g,
                                   .c = one,
                                   .input = TP_I_NONDET,
                                   .name = "fill"});
      break;
    case OP_HAVOC_MEMORY:
      build_edge(
          b,
          (tp_edge_info){
              .kind = TP_E_HAVOC_MEMORY, .a = p, .c = one, .input = TP_I_NONDET, .name = "fill"});
      break;
    case OP_ALLOC:
    case OP_ALLOC_FILLED: {
      tp_term fill = o == OP_ALLOC ? TP_TERM_NONE : tp_mk_bv(tt, 8, 7);
      build_edge(b, (tp_edge_info){.kind = TP_E_ALLOC,
                                   .var = m->q,
                                   .a = one,
                                   .b = fill,
                                   .object_kind = TP_O_HEAP,
                                   .name = "malloc"});
      break;
    }
    case OP_FREE: build_edge(b, (tp_edge_info){.kind = TP_E_FREE, .a = tp_mk_null(tt)}); break;
    case OP_CALL:
    case OP_RETURN: {
      tp_term *args = tp_arena_array(&b->p->arena, tp_term, 1);
      args[0] = tp_mk2(tt, TP_OP_BV_ADD, build_term(b, m->x), build_term(b, m->y));
      build_edge(b,
                 (tp_edge_info){
                     .kind = TP_E_CALL, .var = m->x, .callee = callee, .args = args, .n_args = 1});
      break;
    }
    case OP_END_SCOPE:
      build_edge(b, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = tp_mk_null(tt)});
      break;
    case N_OPS: break;
  }
}

/* f(a) { return a * 3; }, and where its body begins and ends. */
static tp_func add_callee(build *b, tp_loc *entry, tp_loc *exit, tp_var *param) {
  tp_func f = build_func(b, "f", tp_sort_bv(b->tt, 4));
  *param = build_param(b, "a", tp_sort_bv(b->tt, 4));
  *entry = b->at;
  *exit = b->exit;
  build_return(b, tp_mk2(b->tt, TP_OP_BV_MUL, build_term(b, *param), tp_mk_bv(b->tt, 4, 3)));
  return f;
}

static machine machine_of(op o, uint64_t seed) {
  machine m = {.b = build_new(64)};
  build *b = &m.b;
  tp_rng_init(&m.rng, seed);
  uint32_t id = tp_program_add_static(
      b->p, (tp_static){.name = "g", .kind = TP_O_GLOBAL, .size_bytes = 2, .align_bytes = 1});
  m.g = tp_mk_ptr_const(b->tt, id, 0);
  tp_loc entry = {0}, exit = {0};
  tp_var param = {0};
  tp_func f = {0};
  if (o == OP_CALL || o == OP_RETURN) f = add_callee(b, &entry, &exit, &param);
  if (o == OP_CALL) m.param = param;
  build_func(b, "main", (tp_sort){0});
  static const char *const names[] = {"x", "y", "u", "v"};
  tp_var *scalars[] = {&m.x, &m.y, &m.u, &m.v};
  for (int i = 0; i < N_SCALARS; i++) *scalars[i] = build_var(b, names[i], tp_sort_bv(b->tt, 4));
  m.w = build_var(b, "w", tp_sort_bv(b->tt, 8));
  m.p = build_var(b, "p", tp_sort_ptr(b->tt));
  m.q = build_var(b, "q", tp_sort_ptr(b->tt));
  build_edge(b, (tp_edge_info){.kind = TP_E_STORE, .a = m.g, .b = byte_of(&m, m.u)});
  build_edge(b, (tp_edge_info){.kind = TP_E_STORE, .a = at(&m, 1), .b = byte_of(&m, m.v)});
  build_assign(b, m.w, tp_mk2(b->tt, TP_OP_BV_XOR, byte_of(&m, m.u), byte_of(&m, m.v)));
  build_assign(b, m.q, tp_mk_null(b->tt));
  build_assign(
      b, m.p,
      tp_mk_ptr_add(b->tt, m.g,
                    tp_mk_zext(b->tt, 64, tp_mk_extract(b->tt, 0, 0, build_term(b, m.y)))));
  m.from = b->at;
  take(&m, o, f);
  m.to = o == OP_CALL ? entry : b->at;
  if (o == OP_RETURN) m.from = entry, m.over = exit;
  m.n_inputs = o == OP_HAVOC                                                 ? 16
               : o == OP_HAVOC_BYTE || o == OP_HAVOC_MEMORY || o == OP_ALLOC ? 256
                                                                             : 1;
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP});
  build_return(b, TP_TERM_NONE);
  build_done(b);
  return m;
}

// ------------------------------------------------------------------- concrete steps

typedef struct {
  tp_loc loc;
  bool came;
} stop;

static bool is_there(void *ctx, const tp_state *s) {
  stop *w = ctx;
  w->came = tp_state_loc(s).id == w->loc.id;
  return !w->came;
}

/* Whoever asks gets this value. */
static bool answer(void *ctx, tp_input *io) {
  const uint8_t *value = ctx;
  io->bits = *value;
  if (io->width_bits == 0) io->bytes = value, io->n_bytes = 1;
  return true;
}

/* Runs on to the location; false: it does not come there. */
static bool run_to(const machine *m, tp_state *s, tp_loc loc, uint8_t input) {
  stop w = {loc, false};
  tp_observer o = {.mask = TP_OBSERVE_ALL, .ctx = &w, .at = is_there};
  tp_oracle oracle = {&input, answer};
  (void)tp_exec_run(m->b.p, s, &oracle, (tp_run_limits){0}, &o);
  return w.came;
}

/* A random state before the edge. */
static tp_state *draw_state(machine *m) {
  const tp_var scalars[] = {m->x, m->y, m->u, m->v};
  tp_state *s = tp_state_initial(m->b.p);
  for (int i = 0; i < N_SCALARS; i++)
    tp_state_set(s, scalars[i], (tp_value){.bits = tp_rng_below(&m->rng, 16)});
  if (!run_to(m, s, m->from, 0)) fail_msg("a state does not come to the edge");
  return s;
}

static bool holds(const tp_state *s, tp_term t) {
  tp_value v = {0};
  assert_int_equal(tp_state_eval(s, t, &v), TP_OK);
  return v.bits != 0;
}

/* Does some input take the edge to the target? */
static bool can_step(const machine *m, const tp_state *s, tp_term target) {
  bool can = false;
  for (unsigned i = 0; i < m->n_inputs && !can; i++) {
    tp_state *t = tp_state_copy(s);
    can = run_to(m, t, m->to, (uint8_t)i) && holds(t, target);
    tp_state_free(t);
  }
  return can;
}

// ------------------------------------------------------------------------ pre-images

static tp_term pre_of(figure_setting *s, const machine *m, tp_term target, bool *exact) {
  uint32_t from = figure_node(s, m->from), to = figure_node(s, m->to);
  *exact = true;
  if (m->over.id) {
    uint32_t over = figure_node(s, m->over);
    target = tp_split_pre(&s->pt, tp_partition_block(&s->pt, over, to), target, exact);
    to = over;
  }
  bool this_one;
  tp_term pre = tp_split_pre(&s->pt, tp_partition_block(&s->pt, from, to), target, &this_one);
  *exact &= this_one;
  return pre;
}

static void S07_pre_images_of_all_kinds_of_edges(void **state) {
  (void)state;
  enum { TARGETS = 12 };
  unsigned n_exact[N_OPS] = {0}, n_in = 0, n_out = 0;
  for (op o = 0; o < N_OPS; o++)
    for (uint64_t seed = 1; seed <= TARGETS; seed++) {
      machine m = machine_of(o, seed);
      figure_setting *s = figure_open(&m.b, (tp_search_settings){0});
      tp_term target = random_formula(&m, true);
      bool exact;
      tp_term pre = pre_of(s, &m, target, &exact);
      assert_true(tp_paths_is_expressible(&s->paths, pre) &&
                  tp_block_node_may_use(&s->blocks, figure_node(s, m.from), pre));
      n_exact[o] += exact;
      for (unsigned i = 0; i < (m.n_inputs > 16 ? 15 : 60); i++) {
        tp_state *before = draw_state(&m);
        bool can = can_step(&m, before, target), is_in = holds(before, pre);
        if (can ? !is_in : exact && is_in)
          fail_msg("%s, seed %llu: %s", op_names[o], (unsigned long long)seed,
                   can ? "a step is missing" : "no such step");
        *(is_in ? &n_in : &n_out) += 1;
        tp_state_free(before);
      }
      figure_close(s);
      build_free(&m.b);
    }
  // inputs that are widened and compared in disjunctions take more cubes than are allowed
  for (op o = 0; o < N_OPS; o++)
    if (n_exact[o] < (o == OP_HAVOC_BYTE || o == OP_HAVOC_MEMORY || o == OP_ALLOC ? 1
                      : o == OP_HAVOC                                             ? TARGETS - 1
                                                                                  : TARGETS))
      fail_msg("%s: %u of %d are exact", op_names[o], n_exact[o], TARGETS);
  assert_true(n_in > 1000 && n_out > 1000);
}

// --------------------------------------------------------------- suitable predicates

enum { MOST_STATES = 6, DRAWN = 60 };

/* Splits the node's cell by a random formula; the leaf where a majority of tosses ends. */
static uint32_t random_part(machine *m, figure_setting *s, uint32_t node, bool with_memory) {
  uint32_t yes, no, root = s->pt.root[node];
  tp_term by = random_formula(m, with_memory);
  tp_partition_split(&s->pt, s->pt.cells.at[root].region, &by, &yes, &no);
  if (tp_partition_is_leaf(&s->pt, root)) return root;
  return tp_rng_below(&m->rng, 2) ? s->pt.cells.at[root].yes : s->pt.cells.at[root].no;
}

typedef struct {
  unsigned asked, given, smaller;
} tally;

/* States of the cell that have no step, as those that were seen; then (i) and (ii) against all that
 * were drawn. */
static void ask_for_predicate(machine *m, tp_split_method how, tally *t) {
  figure_setting *s = figure_open(&m->b, (tp_search_settings){.split = how});
  uint32_t from_node = figure_node(s, m->from), to_node = figure_node(s, m->to);
  tp_abstract_step step = {tp_partition_block(&s->pt, from_node, to_node),
                           random_part(m, s, from_node, false), random_part(m, s, to_node, true)};
  tp_term source = s->pt.cells.at[step.from].formula, target = s->pt.cells.at[step.to].formula, rho;
  tp_state *drawn[DRAWN];
  const tp_state *seen[MOST_STATES];
  bool can[DRAWN], exact;
  size_t n = 0;
  for (int i = 0; i < DRAWN; i++) {
    drawn[i] = draw_state(m);
    can[i] = holds(drawn[i], source) && can_step(m, drawn[i], target);
    if (n < MOST_STATES && holds(drawn[i], source) && !can[i]) seen[n++] = drawn[i];
  }
  tp_str why = {0};
  tp_split_problem problem = {.pt = &s->pt, .states = seen, .n_states = n};
  if (n > 0) {
    t->asked++;
    if (tp_split_predicate(&problem, step, &rho, &why)) {
      t->given++;
      for (size_t i = 0; i < n; i++) t->smaller += tp_split_excludes(&s->pt, seen[i], rho);
      assert_true(tp_split_excludes(&s->pt, seen[0], rho));                          // (ii)
      for (int i = 0; i < DRAWN; i++) assert_true(!can[i] || holds(drawn[i], rho));  // (i)
      assert_true(tp_split_covers(&s->pt, step.from, step.block, target, rho));
      tp_term pre = tp_split_pre(&s->pt, step.block, target, &exact),
              parts[] = {source, rho, tp_mk_not(m->b.tt, pre)};
      if (how == TP_SPLIT_PRE && exact)
        assert_int_equal(figure_ask(s, tp_mk_and_n(m->b.tt, parts, 3)), TP_SMT_UNSAT);
    }
  }
  tp_str_clear(&why);
  for (int i = 0; i < DRAWN; i++) tp_state_free(drawn[i]);
  figure_close(s);
}

static void S08_suitable_predicates_contain_steps_and_exclude_states(void **state) {
  (void)state;
  static const op ops[] = {OP_SKIP, OP_ASSIGN, OP_ASSUME, OP_BRANCH, OP_HAVOC,
                           OP_LOAD, OP_STORE,  OP_SET,    OP_COPY};
  for (tp_split_method how = TP_SPLIT_DROP; how <= TP_SPLIT_PRE; how++) {
    tally t = {0};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
      for (uint64_t seed = 100; seed < 120; seed++) {
        machine m = machine_of(ops[i], seed);
        ask_for_predicate(&m, how, &t);
        build_free(&m.b);
      }
    assert_true(t.asked > 100 && t.given == t.asked && t.smaller >= t.given);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(S07_pre_images_of_all_kinds_of_edges),
      cmocka_unit_test(S08_suitable_predicates_contain_steps_and_exclude_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
