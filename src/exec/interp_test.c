#include "exec/testing.h"

/* Every kind of edge and every end of a run, on programs of a few edges. */

static tp_run_result run(build *b, const char *inputs, tp_state **end) {
  tp_inputs in;
  tp_inputs_init(&in);
  tp_str why = {0};
  assert_int_equal(tp_inputs_read(inputs, &in, &why), TP_OK);
  tp_vector_oracle v = {.in = &in};
  tp_oracle o = tp_oracle_of_vector(&v);
  tp_state *s = tp_state_initial(b->p);
  tp_run_result r = tp_exec_run(b->p, s, &o, (tp_run_limits){.steps = 1000}, NULL);
  if (!tp_state_check(s, &why)) fail_msg("%s", tp_str_text(&why));
  if (end)
    *end = s;
  else
    tp_state_free(s);
  tp_inputs_clear(&in);
  return r;
}

static uint64_t value(const tp_state *s, tp_var v) {
  tp_value x;
  assert_int_equal(tp_state_value(s, v, &x), TP_OK);
  return (uint64_t)x.bits;
}

static tp_edge_info alloc(build *b, tp_var v, uint64_t size, tp_object_kind kind) {
  return (tp_edge_info){.kind = TP_E_ALLOC,
                        .var = v,
                        .a = bv(b, b->p->ptr_bits, (int64_t)size),
                        .object_kind = kind,
                        .name = "o"};
}
static tp_edge_info load(build *b, tp_var v, tp_var p, int64_t off) {
  return (tp_edge_info){.kind = TP_E_LOAD,
                        .var = v,
                        .a = tp_mk_ptr_add(b->tt, build_term(b, p), bv(b, b->p->ptr_bits, off))};
}
static tp_edge_info store(build *b, tp_var p, int64_t off, tp_term t) {
  return (tp_edge_info){.kind = TP_E_STORE,
                        .a = tp_mk_ptr_add(b->tt, build_term(b, p), bv(b, b->p->ptr_bits, off)),
                        .b = t};
}

static void loop_with_exit_status(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", tp_sort_bv(b.tt, 32));
  tp_var i = build_var(&b, "i", tp_sort_bv(b.tt, 32)), s = build_var(&b, "s", tp_sort_bv(b.tt, 32));
  build_assign(&b, i, bv(&b, 32, 0));
  build_assign(&b, s, bv(&b, 32, 0));
  tp_loc head = b.at;
  tp_loc out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_SLT, build_term(&b, i), bv(&b, 32, 10)));
  build_assign(&b, s, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, s), build_term(&b, i)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN,
                                .var = i,
                                .to = head,
                                .a = tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, i), bv(&b, 32, 1))});
  b.at = out;
  build_return(&b, build_term(&b, s));
  build_done(&b);
  tp_run_result r = run(&b, "", NULL);
  assert_int_equal(r.end, TP_END_EXIT);
  assert_int_equal(r.exit_status, 45);
  assert_int_equal(r.steps, 2 + 11 + 20 + 1);
  build_free(&b);
}

static void ends(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bv(b.tt, 32));
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = x, .input = TP_I_NONDET, .name = "nondet"});
  tp_term t = build_term(&b, x);
  tp_loc no = build_branch(&b, tp_mk_eq(b.tt, t, bv(&b, 32, 1)));
  tp_program_add_edge(
      b.p,
      (tp_edge_info){.kind = TP_E_SKIP, .from = b.at, .to = build_error(&b, TP_P_UNREACH_CALL)});
  b.at = no;
  no = build_branch(&b, tp_mk_eq(b.tt, t, bv(&b, 32, 2)));
  tp_loc unsupported =
      tp_program_add_loc(b.p, (tp_loc_info){.func = b.func, .is_unsupported = true});
  tp_program_add_edge(b.p, (tp_edge_info){.kind = TP_E_SKIP, .from = b.at, .to = unsupported});
  b.at = no;
  no = build_branch(&b, tp_mk_eq(b.tt, t, bv(&b, 32, 3)));
  tp_loc quit = build_loc(&b);
  tp_program_add_edge(b.p, (tp_edge_info){.kind = TP_E_SKIP, .from = b.at, .to = quit});
  b.at = no;
  no = build_branch(&b, tp_mk_eq(b.tt, t, bv(&b, 32, 4)));
  tp_loc self = b.at;
  tp_program_add_edge(
      b.p, (tp_edge_info){.kind = TP_E_ASSIGN, .var = x, .a = t, .from = self, .to = self});
  b.at = no;
  build_edge(&b, (tp_edge_info){
                     .kind = TP_E_ASSUME, .a = tp_mk_eq(b.tt, t, bv(&b, 32, 5)), .name = "assume"});
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_run_result r = run(&b, "1", NULL);
  assert_int_equal(r.end, TP_END_ERROR);
  assert_int_equal(tp_loc_of(b.p, r.loc)->error, TP_P_UNREACH_CALL);
  r = run(&b, "2", NULL);
  assert_int_equal(r.end, TP_END_UNSUPPORTED);
  r = run(&b, "3", NULL);
  assert_int_equal(r.end, TP_END_EXIT);
  assert_int_equal(r.loc.id, quit.id);
  assert_int_equal(run(&b, "4", NULL).end, TP_END_LIMIT);
  assert_int_equal(run(&b, "5", NULL).end, TP_END_EXIT);
  r = run(&b, "6", NULL);
  assert_int_equal(r.end, TP_END_BLOCKED);
  assert_string_equal(r.why, "assume");
  assert_int_equal(run(&b, "", NULL).end, TP_END_NO_INPUT);
  build_free(&b);
}

/* g(n) = n == 0 ? 0 : n + g(n - 1); locals of different frames do not meet. */
static void recursion(void **state) {
  (void)state;
  build b = build_new(64);
  tp_sort i32 = tp_sort_bv(b.tt, 32);
  tp_func g = build_func(&b, "g", i32);
  tp_var n = build_param(&b, "n", i32), t = build_var(&b, "t", i32);
  tp_term nt = build_term(&b, n);
  tp_loc more = build_branch(&b, tp_mk_eq(b.tt, nt, bv(&b, 32, 0)));
  build_return(&b, bv(&b, 32, 0));
  b.at = more;
  tp_term arg = tp_mk_sub(b.tt, nt, bv(&b, 32, 1));
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_CALL, .callee = g, .var = t, .args = &arg, .n_args = 1});
  build_return(&b, tp_mk2(b.tt, TP_OP_BV_ADD, nt, build_term(&b, t)));
  build_func(&b, "main", i32);
  tp_var r = build_var(&b, "r", i32), x = build_var(&b, "x", i32);
  build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = x, .input = TP_I_NONDET});
  tp_term xt = build_term(&b, x);
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_CALL, .callee = g, .var = r, .args = &xt, .n_args = 1});
  build_return(&b, build_term(&b, r));
  build_done(&b);
  tp_run_result res = run(&b, "20", NULL);
  assert_int_equal(res.end, TP_END_EXIT);
  assert_int_equal(res.exit_status, 210);
  tp_state *s = tp_state_initial(b.p);
  tp_oracle zero = {0};
  tp_state_set(s, x, (tp_value){.bits = 7});
  res = tp_exec_run(b.p, s, &zero, (tp_run_limits){0}, NULL);
  assert_int_equal(res.end, TP_END_NO_INPUT);
  tp_state_free(s);
  tp_inputs in;
  tp_inputs_init(&in);
  tp_inputs_add(&in, (tp_input){.width_bits = 32, .bits = 1000});
  tp_vector_oracle v = {.in = &in};
  tp_oracle o = tp_oracle_of_vector(&v);
  res = tp_exec_main(b.p, &o, (tp_run_limits){.depth = 100}, NULL);
  assert_int_equal(res.end, TP_END_LIMIT);
  assert_string_equal(res.why, "depth of calls");
  tp_inputs_clear(&in);
  build_free(&b);
}

/* Pointers keep what they point to through memory, whole, byte by byte, and as integers. */
static void pointers_in_memory(void **state) {
  (void)state;
  for (uint32_t ptr = 32; ptr <= 64; ptr += 32) {
    build b = build_new(ptr);
    build_func(&b, "main", (tp_sort){0});
    tp_sort ps = tp_sort_ptr(b.tt), is = tp_sort_bv(b.tt, ptr), cs = tp_sort_bv(b.tt, 8);
    tp_var p = build_var(&b, "p", ps), q = build_var(&b, "q", ps), r = build_var(&b, "r", ps),
           c = build_var(&b, "c", cs);
    tp_var n = build_var(&b, "n", is), x = build_var(&b, "x", tp_sort_bv(b.tt, 32));
    build_edge(&b, alloc(&b, p, 8, TP_O_HEAP));
    build_edge(&b, alloc(&b, q, 64, TP_O_STACK));
    build_edge(&b, store(&b, q, 0, tp_mk_ptr_add(b.tt, build_term(&b, p), bv(&b, ptr, 4))));
    for (int64_t i = 0; i < ptr / 8; i++) {
      build_edge(&b, load(&b, c, q, i));
      build_edge(&b, store(&b, q, 32 + i, build_term(&b, c)));
    }
    build_edge(&b, load(&b, n, q, 32));
    build_edge(&b,
               store(&b, q, 16, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, n), bv(&b, ptr, -4))));
    build_edge(&b, load(&b, r, q, 16));
    build_assert(&b, tp_mk_eq(b.tt, build_term(&b, r), build_term(&b, p)));
    build_edge(&b, store(&b, r, 0, bv(&b, 32, 77)));
    build_assign(&b, r, tp_mk1(b.tt, TP_OP_INT_TO_PTR, build_term(&b, n)));
    build_edge(&b, load(&b, x, r, -4));
    build_assert(&b, tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, 77)));
    build_assert(&b, tp_mk_not(b.tt, tp_mk_eq(b.tt, build_term(&b, n), bv(&b, ptr, 0))));
    build_edge(&b, (tp_edge_info){.kind = TP_E_FREE, .a = build_term(&b, p)});
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    tp_run_result res = run(&b, "bytes:\nbytes:", NULL);
    assert_int_equal(res.end, TP_END_EXIT);
    assert_false(res.used_indeterminate);
    build_free(&b);
  }
}

typedef struct {
  const char *why;
  tp_edge_kind kind;
  int variant;
} bad;

/* One operation without meaning after a small preparation. */
static void bad_operation(bad k) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  uint8_t image[4] = {1, 2, 3, 4};
  uint32_t lit = tp_program_add_static(b.p, (tp_static){.name = "s",
                                                        .kind = TP_O_LITERAL,
                                                        .size_bytes = 4,
                                                        .align_bytes = 1,
                                                        .image = image,
                                                        .is_const = true});
  tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt)), x = build_var(&b, "x", tp_sort_bv(b.tt, 32));
  switch (k.variant) {
    case 0: build_assign(&b, p, tp_mk_null(b.tt)); break;
    case 1: build_assign(&b, p, tp_mk_ptr_const(b.tt, 0, 12)); break;
    case 2:
      build_edge(&b, alloc(&b, p, 7, TP_O_HEAP));
      build_assign(&b, p, tp_mk_ptr_add(b.tt, build_term(&b, p), bv(&b, 64, 4)));
      break;
    case 3:
      build_edge(&b, alloc(&b, p, 8, TP_O_HEAP));
      build_edge(&b, (tp_edge_info){.kind = TP_E_FREE, .a = build_term(&b, p)});
      break;
    case 4:
      build_edge(&b, alloc(&b, p, 8, TP_O_STACK));
      build_edge(&b, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = build_term(&b, p)});
      break;
    case 5: build_assign(&b, p, tp_mk_ptr_const(b.tt, lit, 0)); break;
    case 6: build_assign(&b, p, tp_mk_ptr_const(b.tt, lit, UINT64_MAX)); break;
    case 7: build_edge(&b, alloc(&b, p, 8, TP_O_STACK)); break;
    default: break;
  }
  tp_edge_info e = {.kind = k.kind, .a = build_term(&b, p)};
  if (k.kind == TP_E_LOAD) e.var = x;
  if (k.kind == TP_E_STORE) e.b = bv(&b, 32, 5);
  if (k.kind == TP_E_COPY) e.b = tp_mk_ptr_const(b.tt, lit, 0), e.c = bv(&b, 64, 4);
  if (k.kind == TP_E_SET) e.b = bv(&b, 8, 0), e.c = bv(&b, 64, 4);
  if (k.kind == TP_E_HAVOC_MEMORY) e.c = bv(&b, 64, 4);
  tp_edge id = build_edge(&b, e);
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_run_result r = run(&b, "bytes: 01", NULL);
  assert_int_equal(r.end, TP_END_INVALID);
  assert_string_equal(r.why, k.why);
  assert_int_equal(r.edge.id, id.id);
  build_free(&b);
}

static void bad_operations(void **state) {
  (void)state;
  static const bad all[] = {
      {"access through a null pointer", TP_E_LOAD, 0},
      {"access through an invalid pointer", TP_E_STORE, 1},
      {"access outside of an object", TP_E_LOAD, 2},
      {"access outside of an object", TP_E_STORE, 2},
      {"access outside of an object", TP_E_COPY, 2},
      {"access outside of an object", TP_E_SET, 2},
      {"access outside of an object", TP_E_HAVOC_MEMORY, 2},
      {"access outside of an object", TP_E_LOAD, 6},
      {"access to a freed object", TP_E_LOAD, 3},
      {"access to an object out of its scope", TP_E_STORE, 4},
      {"write to a constant object", TP_E_STORE, 5},
      {"write to a constant object", TP_E_COPY, 5},
      {"free of an invalid pointer", TP_E_FREE, 1},
      {"free of a pointer into the middle of an object", TP_E_FREE, 2},
      {"free of a freed object", TP_E_FREE, 3},
      {"free of an object that is not on the heap", TP_E_FREE, 5},
      {"free of an object that is not on the heap", TP_E_FREE, 7},
      {"end of the scope of something that is not in scope", TP_E_END_SCOPE, 3},
      {"end of the scope of something that is not in scope", TP_E_END_SCOPE, 4},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) bad_operation(all[i]);
}

static void blocks_and_ghosts(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt)), q = build_var(&b, "q", tp_sort_ptr(b.tt));
  tp_var x = build_var(&b, "x", tp_sort_bv(b.tt, 32)), y = build_var(&b, "y", tp_sort_bv(b.tt, 32));
  tp_var lost = build_var(&b, "lost", tp_sort_bool(b.tt)),
         heap = build_var(&b, "heap", tp_sort_bv(b.tt, 32));
  tp_term pt = build_term(&b, p), qt = build_term(&b, q);
  tp_edge_info a = alloc(&b, p, 16, TP_O_HEAP);
  a.b = bv(&b, 8, 0xab);
  build_edge(&b, a);
  build_edge(&b, alloc(&b, q, 16, TP_O_HEAP));
  build_edge(&b, (tp_edge_info){.kind = TP_E_COPY,
                                .a = tp_mk_ptr_add(b.tt, qt, bv(&b, 64, 2)),
                                .b = pt,
                                .c = bv(&b, 64, 8)});
  build_edge(&b, (tp_edge_info){.kind = TP_E_SET,
                                .a = tp_mk_ptr_add(b.tt, qt, bv(&b, 64, 3)),
                                .b = bv(&b, 8, 0x11),
                                .c = bv(&b, 64, 2)});
  build_edge(&b, load(&b, x, q, 0));
  build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                .a = pt,
                                .c = bv(&b, 64, 3),
                                .input = TP_I_EXTERN,
                                .name = "f"});
  build_edge(&b, load(&b, y, p, 0));
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_COPY, .a = tp_mk_null(b.tt), .b = pt, .c = bv(&b, 64, 0)});
  tp_term object = tp_mk1(b.tt, TP_OP_PTR_OBJ, pt);
  tp_term live = tp_mk2(b.tt, TP_OP_SELECT, build_term(&b, b.p->ghost_live), object);
  tp_term size = tp_mk2(b.tt, TP_OP_SELECT, build_term(&b, b.p->ghost_size), object);
  tp_term kind = tp_mk2(b.tt, TP_OP_SELECT, build_term(&b, b.p->ghost_kind), object);
  build_assert(&b, live);
  build_assert(&b, tp_mk_eq(b.tt, size, bv(&b, 64, 16)));
  build_assert(&b, tp_mk_eq(b.tt, kind, bv(&b, 8, TP_O_HEAP)));
  build_assign(&b, lost, build_term(&b, b.p->ghost_leaked));
  build_assert(&b, tp_mk_not(b.tt, build_term(&b, lost)));
  build_edge(
      &b, (tp_edge_info){.kind = TP_E_STORE, .a = pt, .b = qt});  // q is reachable through p alone
  build_assign(&b, q, tp_mk_null(b.tt));
  build_assign(&b, lost, build_term(&b, b.p->ghost_leaked));
  build_assert(&b, tp_mk_not(b.tt, build_term(&b, lost)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_FREE, .a = pt});
  build_assert(&b, tp_mk_not(b.tt, live));
  build_assign(&b, lost, build_term(&b, b.p->ghost_leaked));
  build_assign(&b, heap, build_term(&b, b.p->ghost_heap));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_state *s;
  tp_run_result r = run(&b, "bytes: 01 02\nbytes: 11 22", &s);
  assert_int_equal(r.end, TP_END_EXIT);
  assert_int_equal(value(s, x), 0x11ab0201);
  assert_int_equal(value(s, y), 0xab002211);
  assert_int_equal(value(s, lost), 1);
  assert_int_equal(value(s, heap), 1);
  tp_state_free(s);
  build_free(&b);
}

static void calls_through_pointers(void **state) {
  (void)state;
  build b = build_new(64);
  tp_sort i32 = tp_sort_bv(b.tt, 32);
  tp_func f = build_func(&b, "f", i32);
  tp_var n = build_param(&b, "n", i32);
  build_return(&b, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, n), bv(&b, 32, 1)));
  uint32_t object = tp_program_add_static(
      b.p, (tp_static){.name = "f", .kind = TP_O_FUNCTION, .align_bytes = 1, .func = f});
  b.p->funcs.at[f.id].object = object;
  tp_type ft = b.p->funcs.at[f.id].type;
  tp_func ext = tp_program_add_func(b.p, (tp_func_info){.name = "ext", .type = ft});
  uint32_t ext_object = tp_program_add_static(
      b.p, (tp_static){.name = "ext", .kind = TP_O_FUNCTION, .align_bytes = 1, .func = ext});
  b.p->funcs.at[ext.id].object = ext_object;
  build_func(&b, "main", i32);
  tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt)), r = build_var(&b, "r", i32),
         w = build_var(&b, "w", i32);
  build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = w, .input = TP_I_NONDET});
  tp_term wt = build_term(&b, w);
  build_assign(&b, p,
               tp_mk_ite(b.tt, tp_mk_eq(b.tt, wt, bv(&b, 32, 0)), tp_mk_ptr_const(b.tt, object, 0),
                         tp_mk_ite(b.tt, tp_mk_eq(b.tt, wt, bv(&b, 32, 1)),
                                   tp_mk_ptr_const(b.tt, ext_object, 0), tp_mk_null(b.tt))));
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_CALL, .a = build_term(&b, p), .var = r, .args = &wt, .n_args = 1});
  build_return(&b, build_term(&b, r));
  build_done(&b);
  assert_int_equal(run(&b, "0", NULL).exit_status, 1);
  assert_int_equal(run(&b, "1\n42", NULL).exit_status, 42);
  tp_run_result wrong = run(&b, "2", NULL);
  assert_int_equal(wrong.end, TP_END_INVALID);
  assert_string_equal(wrong.why, "call through a pointer that is not a function");
  build_free(&b);
}

/* x indeterminate: moved, masked, compared. Only what decides something counts as used. */
static void indeterminate(int variant, bool used, tp_run_end end) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_sort i32 = tp_sort_bv(b.tt, 32);
  tp_var x = build_var(&b, "x", i32), y = build_var(&b, "y", i32),
         p = build_var(&b, "p", tp_sort_ptr(b.tt));
  tp_term xt = build_term(&b, x), yt = build_term(&b, y);
  build_edge(
      &b, (tp_edge_info){.kind = TP_E_HAVOC, .var = x, .input = TP_I_INDETERMINATE, .name = "x"});
  tp_term c = tp_mk_true(b.tt);
  switch (variant) {
    case 0:
      build_assign(&b, y, tp_mk2(b.tt, TP_OP_BV_ADD, xt, bv(&b, 32, 1)));
      break;  // moved only
    case 1: c = tp_mk_eq(b.tt, xt, bv(&b, 32, 3)); break;
    case 2:  // (x & 0xff00) >> 16 is 0
      build_assign(&b, y, tp_mk2(b.tt, TP_OP_BV_AND, xt, bv(&b, 32, 0xff00)));
      c = tp_mk_eq(b.tt, tp_mk_extract(b.tt, 31, 16, yt), bv(&b, 16, 0));
      break;
    case 3:  // ((x << 8) | 5) & 0xff is 5
      build_assign(
          &b, y,
          tp_mk2(b.tt, TP_OP_BV_OR, tp_mk2(b.tt, TP_OP_BV_SHL, xt, bv(&b, 32, 8)), bv(&b, 32, 5)));
      c = tp_mk_eq(b.tt, tp_mk_extract(b.tt, 7, 0, yt), bv(&b, 8, 5));
      break;
    case 4:
    case 5: {  // through memory; one byte set
      tp_edge_info a = alloc(&b, p, 8, TP_O_STACK);
      a.b = bv(&b, 8, 0);
      build_edge(&b, a);
      build_edge(&b, store(&b, p, 0, xt));
      build_edge(&b, store(&b, p, 1, bv(&b, 8, 9)));
      build_edge(&b, load(&b, y, p, 0));
      uint32_t lo = variant == 4 ? 8 : 16;
      c = tp_mk_eq(b.tt, tp_mk_extract(b.tt, lo + 7, lo, yt), bv(&b, 8, 9));
      break;
    }
    case 6:
      build_edge(
          &b, (tp_edge_info){.kind = TP_E_LOAD, .var = y, .a = tp_mk_ptr(b.tt, xt, bv(&b, 64, 0))});
      break;
    case 7: build_assign(&b, y, tp_mk2(b.tt, TP_OP_BV_UDIV, bv(&b, 32, 5), xt)); break;
    case 8:
      build_edge(&b,
                 (tp_edge_info){
                     .kind = TP_E_HAVOC, .var = y, .input = TP_I_EXTERN, .args = &xt, .n_args = 1});
      break;
    case 9:
      build_edge(&b, alloc(&b, p, 4, TP_O_HEAP));
      build_edge(&b, load(&b, y, p, 0));
      c = tp_mk_eq(b.tt, yt, bv(&b, 32, 0));
      break;
    default: break;
  }
  tp_loc no = build_branch(&b, tp_mk_and(b.tt, c, tp_mk_eq(b.tt, bv(&b, 32, 0), bv(&b, 32, 0))));
  build_return(&b, TP_TERM_NONE);
  b.at = no;
  build_return(&b, TP_TERM_NONE);
  tp_program_finish(b.p);
  tp_run_result r = run(&b, "3\n0\n", NULL);
  if (variant == 9) r = run(&b, "3\nbytes:\n", NULL);
  assert_int_equal(r.end, end);
  if (r.used_indeterminate != used)
    fail_msg("variant %d: used_indeterminate is %d", variant, r.used_indeterminate);
  build_free(&b);
}

static void indeterminate_bits(void **state) {
  (void)state;
  indeterminate(0, false, TP_END_EXIT);
  indeterminate(1, true, TP_END_EXIT);
  indeterminate(2, false, TP_END_EXIT);
  indeterminate(3, false, TP_END_EXIT);
  indeterminate(4, false, TP_END_EXIT);
  indeterminate(5, true, TP_END_EXIT);
  indeterminate(6, true, TP_END_INVALID);
  indeterminate(7, true, TP_END_EXIT);
  indeterminate(8, true, TP_END_EXIT);
  indeterminate(9, true, TP_END_EXIT);
}

typedef struct {
  const tp_program *p;
  unsigned at, edges;
  size_t deepest;
  unsigned stop_after;
} seen;
static bool see_at(void *ctx, const tp_state *s) {
  seen *x = ctx;
  x->at++;
  if (tp_state_depth(s) > x->deepest) x->deepest = tp_state_depth(s);
  assert_true(tp_state_check(s, NULL));
  return x->at < x->stop_after;
}
static bool see_edge(void *ctx, const tp_state *before, tp_edge e) {
  seen *x = ctx;
  x->edges++;
  assert_int_equal(tp_edge_of(x->p, e)->from.id, tp_state_loc(before).id);
  return true;
}

static void observers(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var i = build_var(&b, "i", tp_sort_bv(b.tt, 8));
  build_assign(&b, i, bv(&b, 8, 0));
  tp_loc head = b.at,
         out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, i), bv(&b, 8, 5)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN,
                                .var = i,
                                .to = head,
                                .a = tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, i), bv(&b, 8, 1))});
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_oracle none = {0};
  seen x = {.p = b.p, .stop_after = 1000};
  tp_observer o = {
      .mask = TP_OBSERVE_CUTPOINTS | TP_OBSERVE_EDGES, .ctx = &x, .at = see_at, .edge = see_edge};
  tp_run_result r = tp_exec_main(b.p, &none, (tp_run_limits){0}, &o);
  assert_int_equal(r.end, TP_END_EXIT);
  assert_int_equal(x.at, 6);
  assert_int_equal(x.edges, r.steps);
  x = (seen){.p = b.p, .stop_after = 3};
  o.mask = TP_OBSERVE_ALL;
  r = tp_exec_main(b.p, &none, (tp_run_limits){0}, &o);
  assert_int_equal(r.end, TP_END_STOPPED);
  assert_int_equal(x.at, 3);
  build_free(&b);
}

static void memory_limit(void **state) {
  (void)state;
  build b = build_new(32);
  build_func(&b, "main", (tp_sort){0});
  tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt));
  tp_loc head = b.at;
  tp_edge_info a = alloc(&b, p, 100000, TP_O_HEAP);
  a.b = bv(&b, 8, 0);
  a.to = head;
  build_edge(&b, a);
  tp_program_finish(b.p);
  tp_oracle none = {0};
  tp_run_result r = tp_exec_main(b.p, &none, (tp_run_limits){.memory_bytes = 1000000}, NULL);
  assert_int_equal(r.end, TP_END_LIMIT);
  assert_int_equal(r.steps, 10);
  build_free(&b);
}

/* Words, cells and tp_eval give the same on values of all widths, floats included. */
static void wide_values(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var w = build_var(&b, "w", tp_sort_bv(b.tt, 128)), p = build_var(&b, "p", tp_sort_ptr(b.tt));
  tp_var d = build_var(&b, "d", tp_sort_fp(b.tt, 64)), x = build_var(&b, "x", tp_sort_bv(b.tt, 32));
  build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = w, .input = TP_I_NONDET});
  build_assign(&b, w, tp_mk2(b.tt, TP_OP_BV_MUL, build_term(&b, w), build_term(&b, w)));
  tp_edge_info a = alloc(&b, p, 32, TP_O_STACK);
  a.b = bv(&b, 8, 0);
  build_edge(&b, a);
  build_edge(&b, store(&b, p, 3, build_term(&b, w)));
  build_edge(&b, load(&b, w, p, 3));
  build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = d, .input = TP_I_NONDET});
  build_assign(&b, d, tp_mk2(b.tt, TP_OP_FP_ADD, build_term(&b, d), build_term(&b, d)));
  build_assign(&b, x, tp_mk_fp_conv(b.tt, TP_OP_FP_TO_SBV, 32, build_term(&b, d)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_state *s;
  tp_run_result r = run(&b, "-0x10000000000000000\n-1.5", &s);
  assert_int_equal(r.end, TP_END_EXIT);
  tp_value v;
  assert_int_equal(tp_state_value(s, w, &v), TP_OK);
  assert_true(v.bits == 0);
  assert_int_equal(value(s, x), (uint32_t)-3);
  tp_state_free(s);
  r = run(&b, "0x1234567890abcdef\n0.25", &s);
  assert_int_equal(tp_state_value(s, w, &v), TP_OK);
  assert_true(v.bits == (tp_u128)0x1234567890abcdef * 0x1234567890abcdef);
  tp_state_free(s);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loop_with_exit_status),
      cmocka_unit_test(ends),
      cmocka_unit_test(recursion),
      cmocka_unit_test(pointers_in_memory),
      cmocka_unit_test(bad_operations),
      cmocka_unit_test(blocks_and_ghosts),
      cmocka_unit_test(calls_through_pointers),
      cmocka_unit_test(indeterminate_bits),
      cmocka_unit_test(observers),
      cmocka_unit_test(memory_limit),
      cmocka_unit_test(wide_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
