#include "exec/testing.h"

#include "exec/machine_state.h"
#include "program/cells.h"

/* States: copying, comparing, the text form, injection. The states come out of runs of a program
 * that has a bit of everything: statics with pointers, recursion, heap, indeterminate values,
 * pieces of pointers, floats, wide integers. */

typedef struct {
  build b;
  tp_func f;
  tp_var g, gp, n, x, p, q, c, w, d, m;
} world;

static void make_function(world *o) {
  build *b = &o->b;
  tp_terms *tt = b->tt;
  tp_sort i32 = tp_sort_bv(tt, 32), ptr = tp_sort_ptr(tt);
  o->f = build_func(b, "f", i32);
  o->n = build_param(b, "n", i32);
  o->x = build_var(b, "end", i32);  // names that are words of the text form, too
  o->p = build_var(b, "object", ptr);
  o->q = build_var(b, "next_1", ptr);
  o->c = build_var(b, "c", tp_sort_bv(tt, 8));
  o->w = build_var(b, "w", tp_sort_bv(tt, 128));
  o->d = build_var(b, "d", tp_sort_fp(tt, 64));
  tp_term n = build_term(b, o->n), p = build_term(b, o->p), q = build_term(b, o->q);
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = o->x, .input = TP_I_INDETERMINATE});
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = o->w, .input = TP_I_NONDET});
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = o->d, .input = TP_I_NONDET});
  build_edge(b, (tp_edge_info){
                    .kind = TP_E_ALLOC, .var = o->p, .a = bv(b, 64, 24), .object_kind = TP_O_HEAP});
  build_edge(b, (tp_edge_info){.kind = TP_E_ALLOC,
                               .var = o->q,
                               .a = bv(b, 64, 40),
                               .b = bv(b, 8, 0),
                               .object_kind = TP_O_STACK});
  build_edge(b, (tp_edge_info){.kind = TP_E_STORE, .a = q, .b = p});
  build_edge(b, (tp_edge_info){.kind = TP_E_STORE,
                               .a = tp_mk_ptr_add(tt, q, bv(b, 64, 9)),
                               .b = build_term(b, o->x)});
  build_edge(
      b, (tp_edge_info){.kind = TP_E_LOAD, .a = tp_mk_ptr_add(tt, q, bv(b, 64, 1)), .var = o->c});
  build_edge(b, (tp_edge_info){.kind = TP_E_STORE,
                               .a = tp_mk_ptr_add(tt, q, bv(b, 64, 20)),
                               .b = build_term(b, o->c)});
  build_edge(b, (tp_edge_info){.kind = TP_E_STORE, .a = p, .b = build_term(b, o->gp)});
  build_assign(b, o->gp, q);
  tp_loc more = build_branch(b, tp_mk_eq(tt, n, bv(b, 32, 0)));
  build_return(b, bv(b, 32, 0));
  b->at = more;
  tp_term arg = tp_mk_sub(tt, n, bv(b, 32, 1));
  build_edge(
      b, (tp_edge_info){.kind = TP_E_CALL, .callee = o->f, .var = o->x, .args = &arg, .n_args = 1});
  build_edge(b, (tp_edge_info){.kind = TP_E_FREE, .a = p});
  build_edge(b, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = q});
  build_return(b, build_term(b, o->x));
}

static world make(void) {
  world o = {.b = build_new(64)};
  build *b = &o.b;
  uint8_t image[16] = {1, 2, 3};
  tp_reloc reloc = {.offset = 8, .object = 2, .addend = 5};
  tp_program_add_static(b->p, (tp_static){.name = "table",
                                          .kind = TP_O_GLOBAL,
                                          .size_bytes = 16,
                                          .align_bytes = 8,
                                          .image = image,
                                          .relocs = &reloc,
                                          .n_relocs = 1});
  tp_program_add_static(
      b->p, (tp_static){.name = "text", .kind = TP_O_LITERAL, .size_bytes = 9, .align_bytes = 1});
  o.g = build_global(b, "g", tp_sort_bv(b->tt, 32), bv(b, 32, -5));
  o.gp = build_global(b, "gp", tp_sort_ptr(b->tt), tp_mk_ptr_const(b->tt, 1, 8));
  make_function(&o);
  build_func(b, "main", (tp_sort){0});
  o.m = build_var(b, "m", tp_sort_bv(b->tt, 32));
  build_assign(b, o.m, bv(b, 32, 42));
  tp_term three = bv(b, 32, 3);
  build_edge(b, (tp_edge_info){.kind = TP_E_CALL, .callee = o.f, .args = &three, .n_args = 1});
  build_return(b, TP_TERM_NONE);
  build_done(b);
  return o;
}

static void check_round_trip(const tp_state *s) {
  tp_str text = {0}, again = {0}, why = {0};
  tp_state *back;
  tp_state_write(s, &text);
  if (tp_state_read(s->program, text.text, &back, &why) != TP_OK)
    fail_msg("%s\n%s", tp_str_text(&why), text.text);
  tp_state_write(back, &again);
  assert_string_equal(text.text, again.text);
  assert_true(tp_state_equal(s, back));
  assert_int_equal(s->n_heap, back->n_heap);
  assert_int_equal(s->memory_bytes, back->memory_bytes);
  tp_state_free(back);
  tp_str_clear(&text);
  tp_str_clear(&again);
}

typedef struct {
  tp_state *last;
  unsigned n;
} trail;

static bool look(void *ctx, const tp_state *s) {
  trail *t = ctx;
  check_round_trip(s);
  tp_state *copy = tp_state_copy(s);
  assert_true(tp_state_equal(s, copy));
  assert_true(tp_state_check(copy, NULL));
  if (t->last) assert_false(tp_state_equal(s, t->last));  // another location at least
  tp_state_free(t->last);
  t->last = copy;
  t->n++;
  return true;
}

static tp_run_result run(tp_state *s, const tp_observer *o) {
  tp_inputs in;
  tp_inputs_init(&in);
  static const char text[] =
      "0x12345678\n-0x123456789abcdef0123\n1.25\nbytes: 01 02 03 "
      "04\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17";
  assert_int_equal(tp_inputs_read(text, &in, NULL), TP_OK);
  tp_vector_oracle v = {.in = &in, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&v);
  tp_run_result r = tp_exec_run(s->program, s, &oracle, (tp_run_limits){0}, o);
  tp_inputs_clear(&in);
  return r;
}

static void every_state_of_a_run(void **state) {
  (void)state;
  world o = make();
  tp_state *s = tp_state_initial(o.b.p);
  trail t = {0};
  tp_observer watch = {.mask = TP_OBSERVE_ALL, .ctx = &t, .at = look};
  tp_run_result r = run(s, &watch);
  assert_int_equal(r.end, TP_END_EXIT);
  assert_true(t.n > 50);
  check_round_trip(s);
  tp_state_free(t.last);
  tp_state_free(s);
  build_free(&o.b);
}

static bool stop_at_depth(void *ctx, const tp_state *s) {
  return tp_state_depth(s) < *(const size_t *)ctx;
}

/* A run that is stopped, saved, read back and continued ends in the same state as one that is not.
 */
static void continued_from_text(void **state) {
  (void)state;
  world o = make();
  tp_state *s = tp_state_initial(o.b.p), *back;
  size_t depth = 4;
  tp_observer stop = {.mask = TP_OBSERVE_ALL, .ctx = &depth, .at = stop_at_depth};
  assert_int_equal(run(s, &stop).end, TP_END_STOPPED);
  tp_str text = {0};
  tp_state_write(s, &text);
  assert_int_equal(tp_state_read(o.b.p, text.text, &back, NULL), TP_OK);
  assert_int_equal(run(s, NULL).end, TP_END_EXIT);
  assert_int_equal(run(back, NULL).end, TP_END_EXIT);
  assert_true(tp_state_equal(s, back));
  tp_state_free(s);
  tp_state_free(back);
  tp_str_clear(&text);
  build_free(&o.b);
}

/* A copy shares contents but not writes. */
static void copies_are_independent(void **state) {
  (void)state;
  world o = make();
  tp_state *s = tp_state_initial(o.b.p), *t = tp_state_copy(s), *u = tp_state_copy(s);
  assert_int_equal(run(t, NULL).end, TP_END_EXIT);
  assert_true(tp_state_equal(s, u));
  assert_false(tp_state_equal(s, t));
  tp_state_free(s);
  assert_int_equal(run(u, NULL).end, TP_END_EXIT);
  assert_true(tp_state_equal(t, u));
  tp_state_free(t);
  tp_state_free(u);
  build_free(&o.b);
}

static void injected_by_hand(void **state) {
  (void)state;
  world o = make();
  tp_str text = {0}, why = {0};
  tp_loc entry = tp_func_of(o.b.p, o.f)->entry;
  tp_str_printf(&text,
                "twoproof-state 1\n# only what matters\nglobal g#%u = 7\nglobal gp#%u = &3+4\n"
                "object 3 heap 16\n  0: 01 02\n  pointer 8 &1+3\n  undetermined 2 ff ff\n"
                "frame f#%u at %u\n  n#%u = 9\nend\n",
                o.g.id, o.gp.id, o.f.id, entry.id, o.n.id);
  tp_state *s;
  if (tp_state_read(o.b.p, text.text, &s, &why) != TP_OK) fail_msg("%s", why.text);
  tp_value v;
  assert_int_equal(tp_state_value(s, o.g, &v), TP_OK);
  assert_int_equal((int)v.bits, 7);
  assert_int_equal(tp_state_value(s, o.n, &v), TP_OK);
  assert_int_equal((int)v.bits, 9);
  assert_int_equal(tp_state_value(s, o.gp, &v), TP_OK);
  assert_int_equal(v.object, 3);
  uint8_t bytes[2];
  assert_true(tp_state_read_bytes(s, 3, 0, 2, bytes));
  assert_int_equal(bytes[1], 2);
  assert_false(tp_state_read_bytes(s, 3, 15, 2, bytes));
  assert_true(tp_state_read_bytes(s, 1, 0, 2, bytes));  // statics keep their image
  assert_int_equal(bytes[0], 1);
  check_round_trip(s);
  tp_state_free(s);
  tp_str_clear(&text);
  build_free(&o.b);
}

// ------------------------------------------------------------------- evaluation

/* Terms of certificates speak about all frames and about memory. */
static void cells_and_outer_frames(void **state) {
  (void)state;
  world o = make();
  build *b = &o.b;
  tp_terms *tt = b->tt;
  tp_str text = {0}, why = {0};
  tp_edge call = TP_EDGE_NONE;
  for (uint32_t i = 1; i < b->p->edges.n; i++)
    if (b->p->edges.at[i].kind == TP_E_CALL &&
        tp_loc_of(b->p, b->p->edges.at[i].from)->func.id == b->p->main.id)
      call.id = i;
  tp_str_printf(&text,
                "twoproof-state 1\nobject 3 heap 16\n  0: 01 02 03 04 05\n  pointer 8 &1+3\nobject "
                "4 heap 8 dead\n"
                "frame main#%u at %u\n  m#%u = 42\nframe f#%u at %u call %u\n  n#%u = 9\nend\n",
                b->p->main.id, tp_edge_of(b->p, call)->from.id, o.m.id, o.f.id,
                tp_func_of(b->p, o.f)->entry.id, call.id, o.n.id);
  tp_state *s;
  if (tp_state_read(b->p, text.text, &s, &why) != TP_OK) fail_msg("%s", why.text);
  tp_sort i8 = tp_sort_bv(tt, 8), i32 = tp_sort_bv(tt, 32), ptr = tp_sort_ptr(tt);
  tp_term second = tp_cell(b->p, ptr, tp_mk_ptr_const(tt, 3, 8));
  const struct {
    const char *name;
    tp_term t;
    bool has_value;
    uint64_t bits;
    uint32_t object;
  } cases[] = {
      {"top frame", build_term(b, o.n), true, 9, 0},
      {"outer frame", build_term(b, o.m), true, 42, 0},
      {"32 bits", tp_cell(b->p, i32, tp_mk_ptr_const(tt, 3, 1)), true, 0x05040302, 0},
      {"one bit", tp_cell(b->p, tp_sort_bool(tt), tp_mk_ptr_const(tt, 3, 1)), true, 0, 0},
      {"a pointer", second, true, 3, 1},
      {"where a cell points",
       tp_cell(b->p, i8, tp_mk_ptr_add(tt, second, tp_mk_bv_signed(tt, 64, -1))), true, 3, 0},
      {"past the end", tp_cell(b->p, i32, tp_mk_ptr_const(tt, 3, 13)), false, 0, 0},
      {"dead", tp_cell(b->p, i8, tp_mk_ptr_const(tt, 4, 0)), false, 0, 0},
      {"null", tp_cell(b->p, i8, tp_mk_null(tt)), false, 0, 0},
      {"no such object", tp_cell(b->p, i8, tp_mk_ptr_const(tt, 99, 0)), false, 0, 0},
      {"memory as a whole",
       tp_mk_eq(tt, b->p->memory[2], tp_mk_var(tt, "other", tp_sort_of(tt, b->p->memory[2]))),
       false, 0, 0},
      {"guarded",
       tp_mk_or(tt, tp_mk_eq(tt, build_term(b, o.n), bv(b, 32, 9)),
                tp_cell(b->p, tp_sort_bool(tt), tp_mk_null(tt))),
       true, 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_value v = {0};
    bool has = tp_state_eval(s, cases[i].t, &v) == TP_OK;
    if (has != cases[i].has_value ||
        (has && ((uint64_t)v.bits != cases[i].bits || v.object != cases[i].object)))
      fail_msg("%s: %d %llu in %u", cases[i].name, has, (unsigned long long)v.bits, v.object);
  }
  tp_state_free(s);
  tp_str_clear(&text);
  build_free(b);
}

static void wrong_texts(void **state) {
  (void)state;
  world o = make();
  static const char *const all[] = {
      "",
      "twoproof-state 2\nend\n",
      "twoproof-state 1\n",
      "twoproof-state 1\nfoo\nend\n",
      "twoproof-state 1\nglobal g#9999 = 1\nend\n",
      "twoproof-state 1\nglobal g#1 = 1\nend\n",
      "twoproof-state 1\nobject 7 heap 4\nend\n",
      "twoproof-state 1\nobject 3 heap 4\n 3: 01 02\nend\n",
      "twoproof-state 1\nobject 3 heap\nend\n",
      "twoproof-state 1\nobject 3 cloud 4\nend\n",
      "twoproof-state 1\nframe f#1 at 9999\nend\n",
      "twoproof-state 1\nframe f#1 at 1 call 1\nend\n",
      "twoproof-state 1\nobject 3 heap 8 at 0x100000\nend\n",
      "twoproof-state 1\nobject 3 heap 8\n origin 0 1 77\nend\n",
      "twoproof-state 1\nobject 3 heap 8 dead\n 0: 01\nend\n",
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    tp_state *s;
    tp_str why = {0};
    if (tp_state_read(o.b.p, all[i], &s, &why) != TP_ERR_INPUT) fail_msg("accepted: %s", all[i]);
    assert_null(s);
    assert_true(why.n > 0);
    tp_str_clear(&why);
  }
  build_free(&o.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_state_of_a_run),   cmocka_unit_test(continued_from_text),
      cmocka_unit_test(copies_are_independent), cmocka_unit_test(injected_by_hand),
      cmocka_unit_test(cells_and_outer_frames), cmocka_unit_test(wrong_texts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
