// Certificates of shapes: what the writer writes.
#include "engine/invariants.h"
#include "engine/cert_shapes.h"

#include "exec/testing.h"
#include "program/cells.h"

static void shapes_are_written(void **unused) {
  (void)unused;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt));
  tp_loc at = b.at;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_cert_shapes s;
  tp_cert_shapes_init(&s);
  uint32_t k = tp_cert_shapes_class(&s, 16);
  tp_cert_shapes_field(&s, k, 8);
  tp_term cell = tp_mk_var(b.tt, "cell", tp_sort_ptr(b.tt));
  tp_term data = tp_mk_eq(b.tt, tp_cell(b.p, tp_sort_bv(b.tt, 32), cell), bv(&b, 32, 7));
  assert_int_equal(
      tp_cert_shapes_predicate(&s, k, (tp_cert_predicate){.kind = TP_CERT_POINTER, .var = p}), 1);
  assert_int_equal(
      tp_cert_shapes_predicate(&s, k, (tp_cert_predicate){.kind = TP_CERT_FIELD, .field = 0}), 2);
  tp_cert_shapes_predicate(&s, k,
                           (tp_cert_predicate){.kind = TP_CERT_DATA, .data = data, .cell = cell});
  tp_cert_shapes_predicate(
      &s, k,
      (tp_cert_predicate){.kind = TP_CERT_DEFINED, .arity = 1, .formula = "(some 1 (p 2 0 1))"});
  assert_int_equal(tp_cert_shapes_graph(&s, k, 2,
                                        "1h"
                                        "10"
                                        "0h0h"
                                        "hh"
                                        "1h"),
                   1);
  assert_int_equal(tp_cert_shapes_graph(&s, k, 0, ""), 2);
  tp_cert_shapes_describe(&s, 0, 1);
  tp_cert_shapes_describe(&s, 0, 2);
  tp_invariants v;
  tp_invariants_init(&v);
  v.property = TP_P_UNREACH_CALL;
  v.shapes = &s;
  tp_context main = tp_context_root(&v.contexts, b.p->main, 0);
  tp_vec_push(&v.list, (tp_invariant){main, at, tp_mk_true(b.tt)});
  tp_vec_push(&v.list, (tp_invariant){main, at, tp_mk_false(b.tt)});
  tp_str text = {0}, want = {0};
  assert_true(tp_invariants_write(&v, b.p, &text));
  tp_str_printf(&want, "class 1 16 8\npredicate 1 1 pointer %u  # p\npredicate 1 2 field 0\n",
                p.id);
  tp_str_add(&want,
             "predicate 1 3 data (EXISTS 0 (EQ (SELECT (memory bv32) (bound 0 ptr)) (bv 32 7)))\n");
  tp_str_add(&want, "predicate 1 4 instrumentation 1 (some 1 (p 2 0 1))\n");
  tp_str_printf(&want,
                "graph 1 1 2 1h 10 0h0h hh 1h\ngraph 2 1 0 - - - - -\nat 1 %u TRUE\nshape 1 2\nat "
                "1 %u FALSE\nend\n",
                at.id, at.id);
  assert_non_null(strstr(text.text, "\nkind shapes\n"));
  const char *entries = strstr(text.text, "class 1");
  assert_non_null(entries);
  assert_string_equal(entries, want.text);
  tp_str_clear(&text);
  tp_str_clear(&want);
  tp_invariants_clear(&v);
  tp_cert_shapes_clear(&s);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_are_written)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
