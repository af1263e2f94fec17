// The reader of certificates takes what the writer wrote, and refuses everything else.
#include "engine/unrolling.h"

#include "exec/testing.h"

static build make(void) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bv(b.tt, 32));
  build_assign(&b, x, bv(&b, 32, 0));
  tp_loc head = b.at,
         out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, x), bv(&b, 32, 5)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN,
                                .var = x,
                                .a = tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, x), bv(&b, 32, 1)),
                                .to = head});
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static tp_status read_back(const build *b, const char *text, tp_str *why) {
  tp_unrolling u;
  tp_unrolling_init(&u);
  tp_status st = tp_unrolling_read(text, b->p, &u, why);
  tp_unrolling_clear(&u);
  return st;
}

static void write_sample(const build *b, tp_str *out) {
  tp_unrolling u;
  tp_unrolling_init(&u);
  u.property = TP_P_UNREACH_CALL;
  u.ptr_bits = 64;
  u.fingerprint = tp_program_fingerprint(b->p);
  tp_vec_push(&u.loops, (tp_cert_loop){b->p->main, b->p->loops.at[1].head, 5});
  tp_vec_push(&u.depths, (tp_cert_depth){b->p->main, 2});
  tp_unrolling_add_assumption(&u, "no division by zero at x.c:3:4 # not a comment");
  tp_unrolling_add_assumption(&u, "no division by zero at x.c:3:4 # not a comment");
  assert_int_equal(u.assumptions.n, 1);
  tp_unrolling_write(&u, b->p, out);
  tp_unrolling_clear(&u);
}

static void broken_certificates_are_refused(void **unused) {
  (void)unused;
  static const struct {
    const char *from, *to, *why;
  } rows[] = {
      {"certificate 2", "certificate 1", "line 1: another version, this program reads version 2"},
      {"kind unrolling", "kind faith", "line 2: another kind of certificate"},
      {"unreach-call", "reach-call", "line 3: unknown property"},
      {"lp64", "ilp32", "line 4: other machine"},
      {"program ", "program 1", "line 5: "},
      {"loop main", "loop niam", "unknown function"},
      {"loop main ", "loop main 9", "no such location"},
      {"depth main 2", "depth main two", "number expected"},
      {"assume ", "presume ", "unknown entry"},
      {"end\n", "", "the end line is missing"},
  };
  build b = make();
  tp_str good = {0}, why = {0};
  write_sample(&b, &good);
  assert_int_equal(read_back(&b, tp_str_text(&good), &why), TP_OK);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    tp_str bad = {0};
    const char *at = strstr(tp_str_text(&good), rows[i].from);
    assert_non_null(at);
    tp_str_add_n(&bad, tp_str_text(&good), (size_t)(at - tp_str_text(&good)));
    tp_str_add(&bad, rows[i].to);
    tp_str_add(&bad, at + strlen(rows[i].from));
    tp_str_clear(&why);
    assert_int_equal(read_back(&b, tp_str_text(&bad), &why), TP_ERR_INPUT);
    if (!strstr(tp_str_text(&why), rows[i].why)) fail_msg("row %zu: %s", i, tp_str_text(&why));
    tp_str_clear(&bad);
  }
  tp_str_clear(&why);
  tp_str_clear(&good);
  build_free(&b);
}

static void fingerprint_sees_changes(void **unused) {
  (void)unused;
  build a = make(), b = make();
  assert_int_equal(tp_program_fingerprint(a.p), tp_program_fingerprint(b.p));
  for (uint32_t e = 1; e < b.p->edges.n; e++)
    if (b.p->edges.at[e].kind == TP_E_ASSIGN) b.p->edges.at[e].a = bv(&b, 32, 7);
  assert_true(tp_program_fingerprint(a.p) != tp_program_fingerprint(b.p));
  tp_program_free(b.p);
  tp_diag_free(b.diag);
  build_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(broken_certificates_are_refused),
                                     cmocka_unit_test(fingerprint_sees_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
