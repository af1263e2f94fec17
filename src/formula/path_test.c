/* Path formulas: what small pieces of program mean, asked of a solver. */
#include "formula/path.h"
#include "program/build_test.h"
#include "program/cells.h"
#include "smt/smt.h"

#include <setjmp.h>

#include <cmocka.h>

/* A program of one function with a line of locations, x, y (32 bits), b (8 bits), pointers p and q,
 * a zero static and one with an image. */
typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_terms *tt;
  tp_func main;
  tp_var x, y, b, ptr, other;
  uint32_t zeros, table;
  tp_loc at;  // where the next edge starts
  tp_paths paths;
} fixture;

static const uint8_t image[8] = {1, 0, 0, 0, 2, 0, 0, 0};

static void begin(fixture *f) {
  memset(f, 0, sizeof *f);
  f->diag = tp_diag_new(stderr, false);
  f->p = tp_program_new(f->diag, 64);
  f->tt = f->p->terms;
  f->main = func(f->p, "main");
  f->p->main = f->main;
  f->x = var(f->p, f->main, "x", bv_sort(f->p, 32), TP_TYPE_NONE);
  f->y = var(f->p, f->main, "y", bv_sort(f->p, 32), TP_TYPE_NONE);
  f->b = var(f->p, f->main, "b", bv_sort(f->p, 8), TP_TYPE_NONE);
  f->ptr = var(f->p, f->main, "p", ptr_sort(f->p), TP_TYPE_NONE);
  f->other = var(f->p, f->main, "q", ptr_sort(f->p), TP_TYPE_NONE);
  f->zeros = tp_program_add_static(
      f->p, (tp_static){.name = "zeros", .kind = TP_O_GLOBAL, .size_bytes = 40});
  f->table = tp_program_add_static(
      f->p, (tp_static){.name = "table", .kind = TP_O_GLOBAL, .size_bytes = 8, .image = image});
  f->at = entry_of(f->p, f->main);
}

static tp_loc next(fixture *f) { return f->at = loc(f->p, f->main); }

static void ready(fixture *f) {
  step(f->p, f->at, exit_of(f->p, f->main));
  tp_program_finish(f->p);
  tp_paths_init(&f->paths, f->p);
}

static void end(fixture *f) {
  tp_paths_clear(&f->paths);
  tp_program_free(f->p);
  tp_diag_free(f->diag);
}

/* Does every state behind the path meet t? */
static bool holds(fixture *f, const tp_path *a, tp_term t) {
  tp_term bad = tp_mk_and(f->tt, tp_path_condition(&f->paths, a),
                          tp_mk_not(f->tt, tp_path_after(&f->paths, a, t)));
  tp_smt *s = tp_smt_new(f->tt, (tp_smt_options){0});
  tp_smt_assert(s, tp_paths_query(&f->paths, bad));
  tp_smt_answer answer = tp_smt_check(s, NULL, 0);
  tp_smt_free(s);
  assert_int_not_equal(answer, TP_SMT_UNKNOWN);
  return answer == TP_SMT_UNSAT;
}

static tp_term is(fixture *f, tp_var v, uint64_t value) {
  return tp_mk_eq(f->tt, term_of(f->p, v), bv(f->p, tp_width(f->tt, term_of(f->p, v)), value));
}

static void assignments_and_conditions(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_loc l = f.at;
  tp_edge e[3];
  e[0] = assign(f.p, l, next(&f), f.x, bv(f.p, 32, 5));
  l = f.at;
  e[1] = assign(f.p, l, next(&f), f.y,
                tp_mk2(f.tt, TP_OP_BV_ADD, term_of(f.p, f.x), term_of(f.p, f.y)));
  l = f.at;
  e[2] = assume(f.p, l, next(&f), is(&f, f.y, 7));
  ready(&f);
  tp_path a = tp_path_here(&f.paths);
  for (int i = 0; i < 3; i++) tp_path_edge(&f.paths, &a, e[i]);
  assert_true(
      tp_term_eq(tp_path_condition(&f.paths, &a), is(&f, f.y, 2)));  // over the state before
  assert_true(holds(&f, &a, is(&f, f.x, 5)));
  assert_true(holds(&f, &a, is(&f, f.y, 7)));
  assert_false(holds(&f, &a, is(&f, f.y, 2)));
  tp_path_clear(&a);
  end(&f);
}

static void ways_that_meet_are_joined(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_loc head = f.at, yes = loc(f.p, f.main), no = loc(f.p, f.main), meet = next(&f);
  tp_term c = tp_mk2(f.tt, TP_OP_BV_ULT, term_of(f.p, f.x), bv(f.p, 32, 10));
  tp_edge to_yes = assume(f.p, head, yes, c), to_no = assume(f.p, head, no, tp_mk_not(f.tt, c));
  tp_edge set_yes = assign(f.p, yes, meet, f.y, bv(f.p, 32, 1)),
          set_no = assign(f.p, no, meet, f.y, bv(f.p, 32, 2));
  ready(&f);
  tp_path a = tp_path_here(&f.paths), b = tp_path_here(&f.paths);
  tp_path_edge(&f.paths, &a, to_yes);
  tp_path_edge(&f.paths, &a, set_yes);
  tp_path_edge(&f.paths, &b, to_no);
  tp_path_edge(&f.paths, &b, set_no);
  tp_path both = tp_path_join(&f.paths, a, b);
  assert_true(tp_is_true(f.tt, tp_path_condition(&f.paths, &both)));
  assert_true(holds(&f, &both, tp_mk_eq(f.tt, c, is(&f, f.y, 1))));
  assert_false(holds(&f, &both, is(&f, f.y, 1)));
  // Ways that exclude nothing stay both possible.
  tp_path one = tp_path_here(&f.paths), other = tp_path_here(&f.paths);
  tp_path_edge(&f.paths, &one, set_yes);
  tp_path_edge(&f.paths, &other, set_no);
  tp_path_edge(&f.paths, &other, to_yes);
  tp_path choice = tp_path_join(&f.paths, one, other);
  assert_true(
      holds(&f, &choice, tp_mk_or(f.tt, is(&f, f.y, 1), tp_mk_and(f.tt, is(&f, f.y, 2), c))));
  assert_false(holds(&f, &choice, is(&f, f.y, 1)));
  assert_false(holds(&f, &choice, is(&f, f.y, 2)));
  tp_path_clear(&both);
  tp_path_clear(&choice);
  end(&f);
}

static void memory_by_parts(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_loc l = f.at;
  tp_edge word = store(f.p, l, next(&f), term_of(f.p, f.ptr), bv(f.p, 32, 0x11223344));
  l = f.at;
  tp_edge byte = store(f.p, l, next(&f), plus(f.p, term_of(f.p, f.ptr), 1), bv(f.p, 8, 0xaa));
  l = f.at;
  tp_edge read_word = load(f.p, l, next(&f), f.x, term_of(f.p, f.ptr));
  l = f.at;
  tp_edge read_byte = load(f.p, l, next(&f), f.b, plus(f.p, term_of(f.p, f.ptr), 3));
  ready(&f);
  tp_path a = tp_path_here(&f.paths);
  tp_path_edge(&f.paths, &a, word);
  tp_path_edge(&f.paths, &a, byte);
  tp_path_edge(&f.paths, &a, read_word);
  tp_path_edge(&f.paths, &a, read_byte);
  assert_true(holds(&f, &a, is(&f, f.x, 0x1122aa44)));
  assert_true(holds(&f, &a, is(&f, f.b, 0x11)));
  assert_true(holds(&f, &a,
                    tp_mk_eq(f.tt, tp_cell(f.p, bv_sort(f.p, 32), term_of(f.p, f.ptr)),
                             bv(f.p, 32, 0x1122aa44))));
  tp_path_clear(&a);
  end(&f);
}

static void cells_of_one_sort_overlap(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_term zeros = tp_mk_ptr_const(f.tt, f.zeros, 0), five = bv(f.p, 32, 5);
  tp_loc at = f.at;
  tp_edge first = store(f.p, at, next(&f), zeros, term_of(f.p, f.x));
  tp_edge second = (at = f.at, store(f.p, at, next(&f), plus(f.p, zeros, 2), term_of(f.p, f.y)));
  tp_edge read = (at = f.at, load(f.p, at, next(&f), f.x, zeros));
  ready(&f);
  tp_path a = tp_path_here(&f.paths);
  tp_path_assume(&f.paths, &a, tp_mk_eq(f.tt, term_of(f.p, f.x), five));
  tp_path_edge(&f.paths, &a, first);
  tp_path_edge(&f.paths, &a, second);
  tp_path_edge(&f.paths, &a, read);
  assert_false(
      holds(&f, &a, tp_mk_eq(f.tt, term_of(f.p, f.x), five)));  // its upper half is y's lower
  tp_path_clear(&a);
  end(&f);
}

/* A block that ends inside of a cell; a copy of a byte that becomes part of a larger cell. */
static void blocks_cut_cells(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_term at8 = tp_mk_ptr_const(f.tt, f.zeros, 8), at16 = tp_mk_ptr_const(f.tt, f.zeros, 16),
          table = tp_mk_ptr_const(f.tt, f.table, 0);
  tp_loc at = f.at;
  tp_edge fill = tp_program_add_edge(f.p, (tp_edge_info){.kind = TP_E_SET,
                                                         .from = at,
                                                         .to = next(&f),
                                                         .a = at8,
                                                         .b = bv(f.p, 8, 1),
                                                         .c = bv(f.p, 64, 3)});
  tp_edge read8 = (at = f.at, load(f.p, at, next(&f), f.y, at8));
  tp_edge bytes = (at = f.at, store(f.p, at, next(&f), at16, term_of(f.p, f.b)));
  at = f.at;
  tp_edge copy = tp_program_add_edge(f.p, (tp_edge_info){.kind = TP_E_COPY,
                                                         .from = at,
                                                         .to = next(&f),
                                                         .a = table,
                                                         .b = at16,
                                                         .c = bv(f.p, 64, 4)});
  tp_edge again = (at = f.at, load(f.p, at, next(&f), f.x, table));
  ready(&f);
  tp_path a = tp_path_start(&f.paths);
  tp_path_edge(&f.paths, &a, fill);
  tp_path_edge(&f.paths, &a, read8);
  assert_false(holds(&f, &a, tp_mk_eq(f.tt, term_of(f.p, f.y), bv(f.p, 32, 0))));  // 0x00010101
  tp_path_clear(&a);
  a = tp_path_start(&f.paths);
  tp_path_assume(&f.paths, &a, tp_mk_eq(f.tt, term_of(f.p, f.b), bv(f.p, 8, 7)));
  tp_path_edge(&f.paths, &a, bytes);
  tp_path_edge(&f.paths, &a, copy);
  tp_path_edge(&f.paths, &a, again);
  assert_false(holds(&f, &a, tp_mk_eq(f.tt, term_of(f.p, f.x), bv(f.p, 32, 0))));  // 7
  tp_path_clear(&a);
  end(&f);
}

/* What a callee left in a pointer, or bytes that were written one by one, may lead to any object.
 */
static void unknown_pointers_may_lead_to_objects(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_func callee = func(f.p, "callee");
  tp_var shared = var(f.p, (tp_func){0}, "shared", ptr_sort(f.p), TP_TYPE_NONE);
  tp_term zeros = tp_mk_ptr_const(f.tt, f.zeros, 0), table = tp_mk_ptr_const(f.tt, f.table, 0);
  step(f.p, entry_of(f.p, callee), exit_of(f.p, callee));
  tp_loc at = f.at;
  tp_edge through = call(f.p, at, next(&f), callee, TP_TERM_NONE);
  tp_edge byte = (at = f.at, store(f.p, at, next(&f), zeros, term_of(f.p, f.b)));
  tp_edge read = (at = f.at, load(f.p, at, next(&f), f.ptr, zeros));
  ready(&f);
  tp_path a = tp_path_start(&f.paths);
  tp_path_summary(&f.paths, &a, through, callee, tp_mk_true(f.tt));
  assert_false(holds(&f, &a, tp_mk_not(f.tt, tp_mk_eq(f.tt, term_of(f.p, shared), table))));
  tp_path_edge(&f.paths, &a, byte);
  tp_path_edge(&f.paths, &a, read);
  assert_false(holds(&f, &a, tp_mk_not(f.tt, tp_mk_eq(f.tt, term_of(f.p, f.ptr), table))));
  tp_path_clear(&a);
  end(&f);
}

static void new_objects_are_new(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_loc l = f.at;
  tp_edge old = store(f.p, l, next(&f), term_of(f.p, f.ptr), bv(f.p, 32, 1));
  l = f.at;
  tp_edge make = new_heap(f.p, l, next(&f), f.other, 4);
  l = f.at;
  tp_edge fresh = store(f.p, l, next(&f), term_of(f.p, f.other), bv(f.p, 32, 2));
  l = f.at;
  tp_edge read = load(f.p, l, next(&f), f.x, term_of(f.p, f.ptr));
  ready(&f);
  tp_path a = tp_path_here(&f.paths);
  tp_path_edge(&f.paths, &a, old);
  tp_path_edge(&f.paths, &a, make);
  tp_path_edge(&f.paths, &a, fresh);
  tp_path_edge(&f.paths, &a, read);
  assert_true(holds(&f, &a, is(&f, f.x, 1)));
  tp_path b = tp_path_here(&f.paths);  // without the allocation nothing keeps the pointers apart
  tp_path_edge(&f.paths, &b, old);
  tp_path_edge(&f.paths, &b, fresh);
  tp_path_edge(&f.paths, &b, read);
  assert_false(holds(&f, &b, is(&f, f.x, 1)));
  tp_path_clear(&a);
  tp_path_clear(&b);
  end(&f);
}

static void statics_before_main(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_term second = plus(f.p, tp_mk_ptr_const(f.tt, f.table, 0), 4);
  tp_term index = tp_mk_zext(f.tt, 64, term_of(f.p, f.x));
  tp_loc l = f.at;
  tp_edge known = load(f.p, l, next(&f), f.y, second);
  l = f.at;
  tp_edge any =
      load(f.p, l, next(&f), f.b, tp_mk_ptr_add(f.tt, tp_mk_ptr_const(f.tt, f.zeros, 0), index));
  ready(&f);
  tp_path a = tp_path_start(&f.paths), b = tp_path_here(&f.paths);
  tp_path_edge(&f.paths, &a, known);
  assert_true(holds(&f, &a, is(&f, f.y, 2)));
  tp_path_edge(&f.paths, &b, known);
  assert_false(holds(&f, &b, is(&f, f.y, 2)));
  tp_path_edge(&f.paths, &a, any);
  tp_term inside = tp_mk2(f.tt, TP_OP_BV_ULT, term_of(f.p, f.x), bv(f.p, 32, 40));
  assert_true(holds(&f, &a, tp_mk_implies(f.tt, inside, is(&f, f.b, 0))));
  assert_false(holds(&f, &a, is(&f, f.b, 0)));
  tp_path_clear(&a);
  tp_path_clear(&b);
  end(&f);
}

static void one_after_the_other(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  tp_loc l = f.at;
  tp_edge draw = tp_program_add_edge(
      f.p,
      (tp_edge_info){.kind = TP_E_HAVOC, .from = l, .to = next(&f), .var = f.y, .name = "nondet"});
  l = f.at;
  tp_edge add = assign(f.p, l, next(&f), f.x,
                       tp_mk2(f.tt, TP_OP_BV_ADD, term_of(f.p, f.x), term_of(f.p, f.y)));
  ready(&f);
  tp_path a = tp_path_here(&f.paths);
  tp_path_edge(&f.paths, &a, draw);
  tp_path_edge(&f.paths, &a, add);
  tp_path twice = tp_path_then(&f.paths, &a, &a);
  tp_term sum = tp_path_after(&f.paths, &twice, term_of(f.p, f.x)),
          once = tp_path_after(&f.paths, &a, term_of(f.p, f.x));
  // x + y1 + y2: two inputs, not twice the same one.
  assert_false(tp_term_eq(
      sum, tp_mk2(f.tt, TP_OP_BV_ADD, once, tp_path_after(&f.paths, &a, term_of(f.p, f.y)))));
  assert_false(tp_paths_is_expressible(&f.paths, sum));
  assert_true(tp_paths_is_expressible(&f.paths, is(&f, f.x, 3)));
  tp_path_clear(&a);
  tp_path_clear(&twice);
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(assignments_and_conditions),
      cmocka_unit_test(ways_that_meet_are_joined),
      cmocka_unit_test(memory_by_parts),
      cmocka_unit_test(cells_of_one_sort_overlap),
      cmocka_unit_test(blocks_cut_cells),
      cmocka_unit_test(new_objects_are_new),
      cmocka_unit_test(statics_before_main),
      cmocka_unit_test(one_after_the_other),
      cmocka_unit_test(unknown_pointers_may_lead_to_objects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
