/* Certificates against hand-built programs: right ones are accepted, mutated ones and those of
 * programs with a bug never are. */
#include "certify/certify.h"
#include "certify/bounded/order.h"
#include "certify/testing.h"

#include <inttypes.h>
#include <stdio.h>

// --------------------------------------------------------------------- programs

/* x < 10 is assumed and then claimed. */
static tp_program *straight(bool bug) {
  builder b = begin();
  tp_var x = local(&b, "x", bv(&b, 32));
  input(&b, x);
  assume(&b, ult(&b, term_of(&b, x), num(&b, 32, 10)));
  claim(&b, ult(&b, term_of(&b, x), num(&b, 32, bug ? 9 : 10)));
  return end(&b);
}

/* for (i = 0; i < n; i++); with n <= 5, then i = n. */
static tp_program *loop(bool bug) {
  builder b = begin();
  tp_var n = local(&b, "n", bv(&b, 32)), i = local(&b, "i", bv(&b, 32));
  input(&b, n);
  assume(&b, ult(&b, term_of(&b, n), num(&b, 32, 6)));
  assign(&b, i, num(&b, 32, 0));
  tp_loc head = b.at, out = branch(&b, ult(&b, term_of(&b, i), term_of(&b, n)));
  assign(&b, i, add(&b, term_of(&b, i), num(&b, 32, 1)));
  go_to(&b, head);
  b.at = out;
  claim(&b, eq(&b, term_of(&b, i), bug ? num(&b, 32, 4) : term_of(&b, n)));
  return end(&b);
}

/* Two nested loops; the inner one runs i times. */
static tp_program *nested(bool bug) {
  builder b = begin();
  tp_var i = local(&b, "i", bv(&b, 32)), j = local(&b, "j", bv(&b, 32)),
         s = local(&b, "s", bv(&b, 32));
  assign(&b, i, num(&b, 32, 0));
  assign(&b, s, num(&b, 32, 0));
  tp_loc outer = b.at, out = branch(&b, ult(&b, term_of(&b, i), num(&b, 32, 4)));
  assign(&b, j, num(&b, 32, 0));
  tp_loc inner = b.at, after = branch(&b, ult(&b, term_of(&b, j), term_of(&b, i)));
  assign(&b, s, add(&b, term_of(&b, s), num(&b, 32, 1)));
  assign(&b, j, add(&b, term_of(&b, j), num(&b, 32, 1)));
  go_to(&b, inner);
  b.at = after;
  assign(&b, i, add(&b, term_of(&b, i), num(&b, 32, 1)));
  go_to(&b, outer);
  b.at = out;
  claim(&b, eq(&b, term_of(&b, s), num(&b, 32, bug ? 7 : 6)));
  return end(&b);
}

/* sum(n) = n ? n + sum(n - 1) : 0, for n < 4. */
static tp_program *recursion(bool bug) {
  builder b = begin();
  tp_func f = tp_program_add_func(b.p, (tp_func_info){.name = "sum", .has_body = true});
  tp_var n = tp_program_add_var(b.p, (tp_var_info){.name = "n", .kind = TP_V_PARAM, .func = f},
                                bv(&b, 32));
  tp_var r = tp_program_add_var(b.p, (tp_var_info){.name = "result", .kind = TP_V_TEMP, .func = f},
                                bv(&b, 32));
  tp_var t =
      tp_program_add_var(b.p, (tp_var_info){.name = "t", .kind = TP_V_TEMP, .func = f}, bv(&b, 32));
  tp_var *params = tp_arena_array(&b.p->arena, tp_var, 1);
  params[0] = n;
  tp_loc start = b.at;
  b.at = place(&b, f);
  tp_loc entry = b.at, exit = place(&b, f),
         zero = branch(&b, tp_mk_not(b.tt, eq(&b, term_of(&b, n), num(&b, 32, 0))));
  tp_term *args = tp_arena_array(&b.p->arena, tp_term, 1);
  args[0] = tp_mk_sub(b.tt, term_of(&b, n), num(&b, 32, 1));
  edge(&b, (tp_edge_info){.kind = TP_E_CALL, .var = t, .callee = f, .args = args, .n_args = 1});
  edge(&b, (tp_edge_info){
               .kind = TP_E_RETURN, .to = exit, .a = add(&b, term_of(&b, n), term_of(&b, t))});
  b.at = zero;
  edge(&b, (tp_edge_info){.kind = TP_E_RETURN, .to = exit, .a = num(&b, 32, 0)});
  tp_func_info *info = &b.p->funcs.at[f.id];
  info->entry = entry, info->exit = exit, info->params = params, info->n_params = 1,
  info->result = r;
  b.at = start;
  tp_var m = local(&b, "m", bv(&b, 32)), s = local(&b, "s", bv(&b, 32));
  input(&b, m);
  assume(&b, ult(&b, term_of(&b, m), num(&b, 32, 4)));
  tp_term *margs = tp_arena_array(&b.p->arena, tp_term, 1);
  margs[0] = term_of(&b, m);
  edge(&b, (tp_edge_info){.kind = TP_E_CALL, .var = s, .callee = f, .args = margs, .n_args = 1});
  claim(&b, ult(&b, term_of(&b, s), num(&b, 32, bug ? 6 : 7)));
  return end(&b);
}

/* a = malloc(4 * 4); a[i] = 7; a[j] = 8; what is read at i, for i, j < 4. */
static tp_program *array(bool bug) {
  builder b = begin();
  tp_var a = local(&b, "a", tp_sort_ptr(b.tt)), i = local(&b, "i", bv(&b, 64)),
         j = local(&b, "j", bv(&b, 64)), x = local(&b, "x", bv(&b, 32));
  alloc(&b, a, TP_O_HEAP, num(&b, 64, 16));
  input(&b, i);
  input(&b, j);
  assume(&b, ult(&b, term_of(&b, i), num(&b, 64, 4)));
  assume(&b, ult(&b, term_of(&b, j), num(&b, 64, 4)));
  tp_term four = num(&b, 64, 4);
  tp_term pi =
      tp_mk_ptr_add(b.tt, term_of(&b, a), tp_mk2(b.tt, TP_OP_BV_MUL, term_of(&b, i), four));
  tp_term pj =
      tp_mk_ptr_add(b.tt, term_of(&b, a), tp_mk2(b.tt, TP_OP_BV_MUL, term_of(&b, j), four));
  store(&b, pi, num(&b, 32, 7));
  store(&b, pj, num(&b, 32, 8));
  load(&b, x, pi);
  tp_term same = eq(&b, term_of(&b, i), term_of(&b, j));
  claim(&b,
        eq(&b, term_of(&b, x), tp_mk_ite(b.tt, same, num(&b, 32, bug ? 7 : 8), num(&b, 32, 7))));
  return end(&b);
}

/* Bytes of a word, and a word written across two words. */
static tp_program *bytes(bool bug) {
  builder b = begin();
  tp_var a = local(&b, "a", tp_sort_ptr(b.tt)), c = local(&b, "c", bv(&b, 8)),
         w = local(&b, "w", bv(&b, 32));
  alloc(&b, a, TP_O_STACK, num(&b, 64, 8));
  tp_term p = term_of(&b, a);
  store(&b, p, num(&b, 32, 0x04030201));
  store(&b, tp_mk_ptr_add(b.tt, p, num(&b, 64, 4)), num(&b, 32, 0x08070605));
  load(&b, c, tp_mk_ptr_add(b.tt, p, num(&b, 64, 2)));
  claim(&b, eq(&b, term_of(&b, c), num(&b, 8, 3)));
  store(&b, tp_mk_ptr_add(b.tt, p, num(&b, 64, 3)), num(&b, 16, 0xaabb));
  load(&b, w, tp_mk_ptr_add(b.tt, p, num(&b, 64, 2)));
  claim(&b, eq(&b, term_of(&b, w), num(&b, 32, bug ? 0x06aabb04 : 0x06aabb03)));
  return end(&b);
}

/* p = c ? &x : &y; *p = 1 changes exactly one of them; a pointer survives a copy of its bytes. */
static tp_program *pointers(bool bug) {
  builder b = begin();
  tp_sort ptr = tp_sort_ptr(b.tt);
  tp_var x = local(&b, "x", ptr), y = local(&b, "y", ptr), box = local(&b, "box", ptr),
         copy = local(&b, "copy", ptr), p = local(&b, "p", ptr), c = local(&b, "c", bv(&b, 32)),
         v = local(&b, "v", bv(&b, 32));
  tp_term four = num(&b, 64, 4), eight = num(&b, 64, 8);
  alloc(&b, x, TP_O_STACK, four);
  alloc(&b, y, TP_O_STACK, four);
  alloc(&b, box, TP_O_STACK, eight);
  alloc(&b, copy, TP_O_STACK, eight);
  store(&b, term_of(&b, x), num(&b, 32, 10));
  store(&b, term_of(&b, y), num(&b, 32, 10));
  input(&b, c);
  tp_loc no = branch(&b, eq(&b, term_of(&b, c), num(&b, 32, 0))), meet = place(&b, b.main);
  store(&b, term_of(&b, box), term_of(&b, x));
  go_to(&b, meet);
  b.at = no;
  store(&b, term_of(&b, box), term_of(&b, y));
  go_to(&b, meet);
  b.at = meet;
  for (uint64_t i = 0; i < 8; i++) {
    tp_var byte = local(&b, "byte", bv(&b, 8));
    load(&b, byte, tp_mk_ptr_add(b.tt, term_of(&b, box), num(&b, 64, i)));
    store(&b, tp_mk_ptr_add(b.tt, term_of(&b, copy), num(&b, 64, i)), term_of(&b, byte));
  }
  load(&b, p, term_of(&b, copy));
  store(&b, term_of(&b, p), num(&b, 32, 1));
  load(&b, v, term_of(&b, x));
  tp_term zero = eq(&b, term_of(&b, c), num(&b, 32, 0));
  claim(&b,
        eq(&b, term_of(&b, v), tp_mk_ite(b.tt, zero, num(&b, 32, bug ? 10 : 1), num(&b, 32, 10))));
  return end(&b);
}

/* memset and memcpy of a length that is not known. */
static tp_program *blocks(bool bug) {
  builder b = begin();
  tp_sort ptr = tp_sort_ptr(b.tt);
  tp_var a = local(&b, "a", ptr), c = local(&b, "c", ptr), n = local(&b, "n", bv(&b, 64)),
         x = local(&b, "x", bv(&b, 8)), y = local(&b, "y", bv(&b, 8));
  tp_term eight = num(&b, 64, 8);
  alloc(&b, a, TP_O_HEAP, eight);
  alloc(&b, c, TP_O_HEAP, eight);
  edge(&b, (tp_edge_info){.kind = TP_E_SET, .a = term_of(&b, a), .b = num(&b, 8, 1), .c = eight});
  edge(&b, (tp_edge_info){.kind = TP_E_SET, .a = term_of(&b, c), .b = num(&b, 8, 2), .c = eight});
  input(&b, n);
  assume(&b, ult(&b, term_of(&b, n), num(&b, 64, 8)));
  edge(&b, (tp_edge_info){
               .kind = TP_E_COPY, .a = term_of(&b, c), .b = term_of(&b, a), .c = term_of(&b, n)});
  load(&b, x, tp_mk_ptr_add(b.tt, term_of(&b, c), num(&b, 64, 3)));
  tp_term inside = ult(&b, num(&b, 64, bug ? 4 : 3), term_of(&b, n));
  claim(&b, eq(&b, term_of(&b, x), tp_mk_ite(b.tt, inside, num(&b, 8, 1), num(&b, 8, 2))));
  load(&b, y, tp_mk_ptr_add(b.tt, term_of(&b, c), term_of(&b, n)));
  claim(&b, eq(&b, term_of(&b, y), num(&b, 8, 2)));
  return end(&b);
}

/* A call through a pointer to one of two functions. */
static tp_program *indirect(bool bug) {
  builder b = begin();
  tp_loc start = b.at;
  tp_func f[2];
  uint32_t object[2];
  for (int k = 0; k < 2; k++) {
    f[k] = tp_program_add_func(b.p, (tp_func_info){.name = k ? "two" : "one", .has_body = true});
    object[k] = tp_program_add_static(b.p, (tp_static){.name = k ? "two" : "one",
                                                       .kind = TP_O_FUNCTION,
                                                       .size_bytes = 1,
                                                       .align_bytes = 1,
                                                       .func = f[k]});
    tp_var r = tp_program_add_var(
        b.p, (tp_var_info){.name = "result", .kind = TP_V_TEMP, .func = f[k]}, bv(&b, 32));
    b.at = place(&b, f[k]);
    tp_loc entry = b.at, exit = place(&b, f[k]);
    edge(&b, (tp_edge_info){.kind = TP_E_RETURN, .to = exit, .a = num(&b, 32, k ? 2 : 1)});
    tp_func_info *info = &b.p->funcs.at[f[k].id];
    info->entry = entry, info->exit = exit, info->result = r, info->object = object[k];
  }
  b.at = start;
  tp_var c = local(&b, "c", bv(&b, 32)), x = local(&b, "x", bv(&b, 32)),
         p = local(&b, "p", tp_sort_ptr(b.tt));
  input(&b, c);
  tp_term zero = eq(&b, term_of(&b, c), num(&b, 32, 0));
  assign(&b, p,
         tp_mk_ite(b.tt, zero, tp_mk_ptr_const(b.tt, object[0], 0),
                   tp_mk_ptr_const(b.tt, object[1], 0)));
  edge(&b, (tp_edge_info){.kind = TP_E_CALL, .var = x, .a = term_of(&b, p)});
  claim(&b,
        eq(&b, term_of(&b, x), tp_mk_ite(b.tt, zero, num(&b, 32, bug ? 2 : 1), num(&b, 32, 2))));
  return end(&b);
}

/* Reading a table of constants at an index that is not known. */
static tp_program *table(bool bug) {
  builder b = begin();
  static const uint8_t image[16] = {1, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 16, 0, 0, 0};
  uint32_t id = tp_program_add_static(b.p, (tp_static){.name = "squares",
                                                       .kind = TP_O_GLOBAL,
                                                       .size_bytes = 16,
                                                       .align_bytes = 4,
                                                       .image = image});
  tp_var i = local(&b, "i", bv(&b, 64)), x = local(&b, "x", bv(&b, 32));
  input(&b, i);
  assume(&b, ult(&b, term_of(&b, i), num(&b, 64, 4)));
  load(&b, x,
       tp_mk_ptr_add(b.tt, tp_mk_ptr_const(b.tt, id, 0),
                     tp_mk2(b.tt, TP_OP_BV_MUL, term_of(&b, i), num(&b, 64, 4))));
  tp_term k = add(&b, tp_mk_extract(b.tt, 31, 0, term_of(&b, i)), num(&b, 32, bug ? 2 : 1));
  claim(&b, eq(&b, term_of(&b, x), tp_mk2(b.tt, TP_OP_BV_MUL, k, k)));
  return end(&b);
}

/* Live heap objects are counted; free ends a life. */
static tp_program *heap(bool bug) {
  builder b = begin();
  tp_var a = local(&b, "a", tp_sort_ptr(b.tt)), c = local(&b, "c", bv(&b, 32));
  input(&b, c);
  alloc(&b, a, TP_O_HEAP, num(&b, 64, 4));
  if (bug) {
    tp_loc no = branch(&b, eq(&b, term_of(&b, c), num(&b, 32, 77)));
    tp_loc meet = place(&b, b.main);
    go_to(&b, meet);
    b.at = no;
    edge(&b, (tp_edge_info){.kind = TP_E_FREE, .a = term_of(&b, a), .to = meet});
  } else {
    edge(&b, (tp_edge_info){.kind = TP_E_FREE, .a = term_of(&b, a)});
  }
  error_if(&b, tp_mk2(b.tt, TP_OP_SELECT, tp_var_of(b.p, b.p->ghost_live)->term,
                      tp_mk1(b.tt, TP_OP_PTR_OBJ, term_of(&b, a))));
  claim(&b, eq(&b, tp_var_of(b.p, b.p->ghost_heap)->term, num(&b, 32, 0)));
  return end(&b);
}

typedef struct {
  const char *name;
  tp_program *(*build)(bool bug);
  uint64_t turns[2];  // of the loops of main, outermost first; 0: no line
  uint64_t depth;     // of "sum"; 0: none
} sample;
static const sample samples[] = {
    {"straight", straight, {0, 0}, 0}, {"loop", loop, {5, 0}, 0},
    {"nested", nested, {4, 3}, 0},     {"recursion", recursion, {0, 0}, 4},
    {"array", array, {0, 0}, 0},       {"bytes", bytes, {0, 0}, 0},
    {"pointers", pointers, {0, 0}, 0}, {"blocks", blocks, {0, 0}, 0},
    {"indirect", indirect, {0, 0}, 0}, {"table", table, {0, 0}, 0},
    {"heap", heap, {0, 0}, 0},
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

// ---------------------------------------------------------------- certificates

/* The certificate of a sample with every bound changed by `change`. */
static void write_certificate(const sample *s, const tp_program *p, int change, tp_str *out) {
  tp_str_printf(out,
                "twoproof-certificate 2\nkind unrolling\nproperty unreach-call\nmachine "
                "lp64\nprogram %016" PRIx64 "\n",
                tp_program_fingerprint(p));
  for (size_t i = 1; i < p->loops.n && i <= 2; i++)
    if (s->turns[i - 1])
      tp_str_printf(out, "loop main %u %" PRIu64 "   # a comment\n", p->loops.at[i].head.id,
                    s->turns[i - 1] + (uint64_t)(int64_t)change);
  if (s->depth) tp_str_printf(out, "depth sum %" PRIu64 "\n", s->depth + (uint64_t)(int64_t)change);
  tp_str_add(out, "assume nothing is wrong # here\nend\n");
}

static tp_certify_result judge(const tp_program *p, tp_property prop, const char *text,
                               size_t *n_assumptions) {
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {0};
  tp_certify_result r = tp_certify_true(p, prop, text, &limits, NULL, &report);
  assert_true((r == TP_CERTIFY_ACCEPTED) == (report.why.n == 0));
  if (n_assumptions) *n_assumptions = report.assumptions.n;
  tp_certify_report_clear(&report);
  return r;
}

static void right_certificates_are_accepted(void **state) {
  (void)state;
  for (int i = 0; i < N_SAMPLES; i++) {
    tp_program *p = samples[i].build(false);
    tp_str text = {0};
    write_certificate(&samples[i], p, 0, &text);
    size_t n = 0;
    tp_certify_result r = judge(p, TP_P_UNREACH_CALL, text.text, &n);
    if (r != TP_CERTIFY_ACCEPTED || n)
      print_error("sample %s: %s, %zu assumptions\n", samples[i].name, tp_certify_result_name(r),
                  n);
    assert_int_equal(r, TP_CERTIFY_ACCEPTED);
    assert_int_equal(n, 0);
    tp_str_clear(&text);
    tp_program_free(p);
  }
}

static void programs_with_a_bug_are_never_accepted(void **state) {
  (void)state;
  for (int i = 0; i < N_SAMPLES; i++)
    for (int change = 0; change <= 3; change++) {
      tp_program *p = samples[i].build(true);
      tp_str text = {0};
      write_certificate(&samples[i], p, change, &text);
      tp_certify_result r = judge(p, TP_P_UNREACH_CALL, text.text, NULL);
      if (r != TP_CERTIFY_REJECTED)
        print_error("sample %s: %s\n", samples[i].name, tp_certify_result_name(r));
      assert_int_equal(r, TP_CERTIFY_REJECTED);
      tp_str_clear(&text);
      tp_program_free(p);
    }
}

static void lowered_bounds_are_rejected(void **state) {
  (void)state;
  for (int i = 0; i < N_SAMPLES; i++) {
    if (!samples[i].turns[0] && !samples[i].depth) continue;
    tp_program *p = samples[i].build(false);
    tp_str text = {0};
    write_certificate(&samples[i], p, -1, &text);
    assert_int_equal(judge(p, TP_P_UNREACH_CALL, text.text, NULL), TP_CERTIFY_REJECTED);
    tp_str_clear(&text);
    tp_program_free(p);
  }
}

/* Take lines out of a right certificate, or put others in. */
static void mutated_certificates_are_rejected(void **state) {
  (void)state;
  static const struct {
    const char *from, *to;
  } mutations[] = {
      {"twoproof-certificate 2", "twoproof-certificate 1"},
      {"kind unrolling", "kind invariants"},
      {"property unreach-call", "property no-overflow"},
      {"machine lp64", "machine ilp32"},
      {"program ", "program 0"},
      {"loop main", "lop main"},
      {"loop main", "loop mian"},
      {"loop main", "loop main 99999999"},
      {"end\n", ""},
      {"end\n", "end"},
      {"end\n", "end\nend\n"},
      {"kind unrolling\n", ""},
      {"kind unrolling\n", "\n"},
      {" 5 ", " "},
      {" 5 ", " -5 "},
      {" 5 ", " 5 5 "},
      {" 5 ", " 99999999999999999999 "},
      {"assume", "believe"},
  };
  tp_program *p = loop(false);
  tp_str text = {0};
  write_certificate(&samples[1], p, 0, &text);
  assert_int_equal(judge(p, TP_P_UNREACH_CALL, text.text, NULL), TP_CERTIFY_ACCEPTED);
  assert_int_equal(judge(p, TP_P_NO_OVERFLOW, text.text, NULL), TP_CERTIFY_REJECTED);
  assert_int_equal(judge(p, TP_P_UNREACH_CALL, "", NULL), TP_CERTIFY_REJECTED);
  assert_int_equal(judge(p, TP_P_UNREACH_CALL, "\n\n\x01\xff garbage \n", NULL),
                   TP_CERTIFY_REJECTED);
  for (size_t i = 0; i < sizeof mutations / sizeof *mutations; i++) {
    tp_str m = {0};
    const char *at = strstr(text.text, mutations[i].from);
    assert_non_null(at);
    tp_str_add_n(&m, text.text, (size_t)(at - text.text));
    tp_str_add(&m, mutations[i].to);
    tp_str_add(&m, at + strlen(mutations[i].from));
    tp_certify_result r = judge(p, TP_P_UNREACH_CALL, m.text, NULL);
    if (r != TP_CERTIFY_REJECTED)
      print_error("mutation %zu: %s\n%s\n", i, tp_certify_result_name(r), m.text);
    assert_int_equal(r, TP_CERTIFY_REJECTED);
    tp_str_clear(&m);
  }
  tp_program *other = loop(true);
  assert_int_equal(judge(other, TP_P_UNREACH_CALL, text.text, NULL), TP_CERTIFY_REJECTED);
  tp_program_free(other);
  tp_str_clear(&text);
  tp_program_free(p);
}

// ---------------------------------------------------------------- bounded claims

/* Up to five iterations; the failure comes behind the fifth. */
static tp_program *fails_late(bool bug) {
  builder b = begin();
  tp_var n = local(&b, "n", bv(&b, 32)), i = local(&b, "i", bv(&b, 32));
  input(&b, n);
  assume(&b, ult(&b, term_of(&b, n), num(&b, 32, 6)));
  assign(&b, i, num(&b, 32, 0));
  tp_loc head = b.at, out = branch(&b, ult(&b, term_of(&b, i), term_of(&b, n)));
  assign(&b, i, add(&b, term_of(&b, i), num(&b, 32, 1)));
  go_to(&b, head);
  b.at = out;
  claim(&b, ult(&b, term_of(&b, i), num(&b, 32, bug ? 5 : 6)));
  return end(&b);
}

/* A certificate of kind `bounded` that claims `said`; it lists the loop, with `turns` iterations.
 */
static tp_certify_result judge_bounded(const tp_program *p, uint64_t said, uint64_t turns,
                                       uint64_t asked) {
  tp_str text = {0};
  tp_str_printf(&text,
                "twoproof-certificate 2\nkind bounded %" PRIu64
                "\nproperty unreach-call\nmachine lp64\nprogram %016" PRIx64 "\n",
                said, tp_program_fingerprint(p));
  tp_str_printf(&text, "loop main %u %" PRIu64 "\nend\n", p->loops.at[1].head.id, turns);
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {0};
  const tp_certify_result r =
      asked ? tp_certify_bounded(p, TP_P_UNREACH_CALL, asked, text.text, &limits, NULL, &report)
            : tp_certify_true(p, TP_P_UNREACH_CALL, text.text, &limits, NULL, &report);
  tp_certify_report_clear(&report);
  tp_str_clear(&text);
  return r;
}

static void bounded_claims_are_about_runs_within_the_bound(void **state) {
  (void)state;
  static const struct {
    bool bug;
    uint64_t said, turns, asked;
    tp_certify_result result;
  } rows[] = {
      {false, 5, 5, 5, TP_CERTIFY_ACCEPTED}, {false, 9, 0, 9, TP_CERTIFY_ACCEPTED},
      {false, 2, 2, 2, TP_CERTIFY_ACCEPTED}, {true, 2, 2, 2, TP_CERTIFY_ACCEPTED},
      {true, 4, 0, 4, TP_CERTIFY_ACCEPTED},  {true, 5, 5, 5, TP_CERTIFY_REJECTED},
      {true, 5, 0, 5, TP_CERTIFY_REJECTED},  {true, 2, 5, 2, TP_CERTIFY_REJECTED},
      {true, 9, 1, 9, TP_CERTIFY_REJECTED},  // a count below the bound hides nothing
      {false, 2, 2, 5, TP_CERTIFY_REJECTED}, {false, 5, 5, 2, TP_CERTIFY_REJECTED},
      {true, 2, 2, 0, TP_CERTIFY_REJECTED},  {false, 5, 5, 0, TP_CERTIFY_REJECTED},
      {false, 0, 5, 0, TP_CERTIFY_REJECTED},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_program *p = fails_late(rows[i].bug);
    const tp_certify_result r = judge_bounded(p, rows[i].said, rows[i].turns, rows[i].asked);
    if (r != rows[i].result) print_error("row %zu: %s\n", i, tp_certify_result_name(r));
    assert_int_equal(r, rows[i].result);
    tp_program_free(p);
  }
  tp_program *p = loop(false);
  tp_str text = {0};
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {0};
  write_certificate(&samples[1], p, 0, &text);
  assert_int_equal(tp_certify_bounded(p, TP_P_UNREACH_CALL, 5, text.text, &limits, NULL, &report),
                   TP_CERTIFY_REJECTED);  // of another kind
  tp_certify_report_clear(&report);
  tp_str_clear(&text);
  tp_program_free(p);
}

// ---------------------------------------------------------- what must be said

typedef enum { EXTERN_WRITE, UNSUPPORTED, INVALID_LOAD, DIVISION } odd;
static tp_program *odd_program(odd what) {
  builder b = begin();
  tp_var a = local(&b, "a", tp_sort_ptr(b.tt)), x = local(&b, "x", bv(&b, 32)),
         i = local(&b, "i", bv(&b, 64));
  alloc(&b, a, TP_O_STACK, num(&b, 64, 8));
  input(&b, i);
  switch (what) {
    case EXTERN_WRITE:
      edge(&b,
           (tp_edge_info){
               .kind = TP_E_HAVOC, .var = x, .input = TP_I_EXTERN, .name = "f", .may_write = true});
      break;
    case UNSUPPORTED: {
      tp_loc on = branch(&b, eq(&b, term_of(&b, i), num(&b, 64, 12)));
      b.p->locs.at[b.at.id].is_unsupported = true;
      b.at = on;
      break;
    }
    case INVALID_LOAD: load(&b, x, tp_mk_ptr_add(b.tt, term_of(&b, a), term_of(&b, i))); break;
    case DIVISION:
      edge(&b, (tp_edge_info){.kind = TP_E_ASSUME,
                              .a = tp_mk_not(b.tt, eq(&b, term_of(&b, i), num(&b, 64, 0))),
                              .name = "division by zero"});
      break;
  }
  return end(&b);
}

static void assumptions_are_found_and_duties_kept(void **state) {
  (void)state;
  static const struct {
    odd what;
    tp_certify_result want;
    size_t assumptions;
  } cases[] = {{EXTERN_WRITE, TP_CERTIFY_REJECTED, 0},
               {UNSUPPORTED, TP_CERTIFY_REJECTED, 0},
               {INVALID_LOAD, TP_CERTIFY_ACCEPTED, 1},
               {DIVISION, TP_CERTIFY_ACCEPTED, 1}};
  for (size_t i = 0; i < 4; i++) {
    tp_program *p = odd_program(cases[i].what);
    tp_str text = {0};
    write_certificate(&samples[0], p, 0, &text);
    size_t n = 0;
    assert_int_equal(judge(p, TP_P_UNREACH_CALL, text.text, &n), cases[i].want);
    assert_int_equal(n, cases[i].assumptions);
    tp_str_clear(&text);
    tp_program_free(p);
  }
}

// ----------------------------------------------------------- concrete machine

static void replay_confirms_only_real_errors(void **state) {
  (void)state;
  tp_program *p = straight(true);
  static const struct {
    int n;
    uint64_t value;
    tp_certify_result want;
  } cases[] = {{1, 9, TP_CERTIFY_ACCEPTED},
               {1, 8, TP_CERTIFY_REJECTED},
               {1, 10, TP_CERTIFY_REJECTED},
               {0, 0, TP_CERTIFY_REJECTED}};
  for (size_t i = 0; i < 4; i++) {
    tp_inputs in;
    tp_inputs_init(&in);
    if (cases[i].n)
      tp_inputs_add(&in, (tp_input){.width_bits = 32, .bits = cases[i].value, .name = "x"});
    tp_certify_report report;
    tp_certify_report_init(&report);
    tp_property violated = TP_P_NONE;
    assert_int_equal(
        tp_certify_false(p, TP_P_UNREACH_CALL, &in, (tp_run_limits){0}, &violated, &report),
        cases[i].want);
    assert_int_equal(violated,
                     cases[i].want == TP_CERTIFY_ACCEPTED ? TP_P_UNREACH_CALL : TP_P_NONE);
    tp_certify_report_clear(&report);
    tp_inputs_clear(&in);
  }
  tp_program_free(p);
}

static tp_certify_result run_claim(tp_program *p, const sample *s, int change) {
  tp_str text = {0};
  write_certificate(s, p, change, &text);
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {0};
  tp_inputs in;
  tp_inputs_init(&in);
  tp_certify_result r =
      tp_certify_run(p, TP_P_UNREACH_CALL, text.text, 1, 1000, &limits, &in, &report);
  tp_inputs_clear(&in);
  tp_certify_report_clear(&report);
  tp_str_clear(&text);
  tp_program_free(p);
  return r;
}

static tp_certify_result run_sample(const sample *s, bool bug, int change) {
  return run_claim(s->build(bug), s, change);
}

/* A turn whose last step is undefined, and that of a step that is not. */
static void a_turn_that_stops_is_no_turn(void **state) {
  (void)state;
  for (int is_defined = 0; is_defined < 2; is_defined++) {
    builder b = begin();
    tp_var x = local(&b, "x", bv(&b, 32));
    input(&b, x);
    tp_loc head = b.at, out = branch(&b, ult(&b, term_of(&b, x), num(&b, 32, 5)));
    edge(&b, (tp_edge_info){
                 .kind = TP_E_FREE, .a = tp_mk_ptr_const(b.tt, 0, is_defined ? 0 : 2), .to = head});
    b.at = out;
    assert_int_equal(run_claim(end(&b), &(sample){0}, 0),
                     is_defined ? TP_CERTIFY_REJECTED : TP_CERTIFY_ACCEPTED);
  }
}

static void random_runs_contradict_wrong_claims(void **state) {
  (void)state;
  for (int i = 0; i < N_SAMPLES; i++) {
    assert_int_equal(run_sample(&samples[i], false, 0), TP_CERTIFY_ACCEPTED);
    bool rare = samples[i].build == heap;
    if (!rare) assert_int_equal(run_sample(&samples[i], true, 0), TP_CERTIFY_REJECTED);
    if (samples[i].turns[0] || samples[i].depth)
      assert_int_equal(run_sample(&samples[i], false, -1), TP_CERTIFY_REJECTED);
  }
}

static void nothing_is_left_allocated(void **state) {
  (void)state;
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_certificates_are_accepted),
      cmocka_unit_test(programs_with_a_bug_are_never_accepted),
      cmocka_unit_test(lowered_bounds_are_rejected),
      cmocka_unit_test(mutated_certificates_are_rejected),
      cmocka_unit_test(bounded_claims_are_about_runs_within_the_bound),
      cmocka_unit_test(assumptions_are_found_and_duties_kept),
      cmocka_unit_test(replay_confirms_only_real_errors),
      cmocka_unit_test(random_runs_contradict_wrong_claims),
      cmocka_unit_test(a_turn_that_stops_is_no_turn),
      cmocka_unit_test(nothing_is_left_allocated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
