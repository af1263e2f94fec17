/* Dumps, addresses in user's notation, and the six-operation view (row F01). */
#include "program/access.h"
#include "program/build_test.h"
#include "six_operations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

/* The thesis's example of chapter 2: build the list 1*0, then check it. */
typedef struct {
  tp_program *p;
  tp_type int_type, node, node_ptr, other, other_ptr;
  tp_func main;
  tp_var a, ptr, t, x, other_var;
  tp_loc at[14];
} list_program;

static tp_type pointer_to(tp_program *p, const char *name, tp_type element) {
  return tp_program_add_type(p, (tp_type_info){.kind = TP_T_POINTER,
                                               .name = name,
                                               .size_bytes = 8,
                                               .align_bytes = 8,
                                               .element = element});
}

static void add_types(list_program *l) {
  tp_program *p = l->p;
  l->int_type = tp_program_add_type(
      p,
      (tp_type_info){
          .kind = TP_T_INT, .name = "int", .size_bytes = 4, .align_bytes = 4, .is_signed = true});
  l->node = tp_program_add_type(
      p, (tp_type_info){
             .kind = TP_T_STRUCT, .name = "struct node", .size_bytes = 16, .align_bytes = 8});
  l->node_ptr = pointer_to(p, "struct node *", l->node);
  tp_member *members = tp_arena_array(&p->arena, tp_member, 2);
  members[0] = (tp_member){"data", l->int_type, 0, 0};
  members[1] = (tp_member){"next", l->node_ptr, 64, 0};
  p->types.at[l->node.id].members = members;
  p->types.at[l->node.id].n_members = 2;
  tp_member *single = tp_arena_array(&p->arena, tp_member, 1);
  single[0] = (tp_member){"inner", l->node, 64, 0};
  l->other = tp_program_add_type(p, (tp_type_info){.kind = TP_T_STRUCT,
                                                   .name = "struct other",
                                                   .size_bytes = 24,
                                                   .members = single,
                                                   .n_members = 1});
  l->other_ptr = pointer_to(p, "struct other *", l->other);
}

static tp_term data_of(list_program *l, tp_var v) { return term_of(l->p, v); }
static tp_term next_of(list_program *l, tp_var v) { return plus(l->p, term_of(l->p, v), 8); }

static list_program build(void) {
  list_program l = {.p = tp_program_new(NULL, 64)};
  tp_program *p = l.p;
  add_types(&l);
  l.main = p->main = func(p, "main");
  l.a = var(p, l.main, "a", ptr_sort(p), l.node_ptr);
  l.ptr = var(p, l.main, "p", ptr_sort(p), l.node_ptr);
  l.t = var(p, l.main, "t", ptr_sort(p), l.node_ptr);
  l.x = var(p, l.main, "x", bv_sort(p, 32), l.int_type);
  l.other_var = var(p, l.main, "o", ptr_sort(p), l.other_ptr);
  l.at[0] = entry_of(p, l.main);
  for (int i = 1; i < 14; i++) l.at[i] = loc(p, l.main);
  p->locs.at[l.at[13].id].error = TP_P_UNREACH_CALL;
  return l;
}

/* The choice between another turn and the end of the list: locations 2 and 2'. */
static void add_edges(list_program *l) {
  tp_program *p = l->p;
  tp_var choice = var(p, l->main, "*", bv_sort(p, 1), l->int_type);
  tp_term again = tp_mk_eq(p->terms, term_of(p, choice), bv(p, 1, 1));
  tp_term one = tp_mk_eq(p->terms, term_of(p, l->x), bv(p, 32, 1)),
          zero = tp_mk_eq(p->terms, term_of(p, l->x), bv(p, 32, 0));
  tp_loc body = loc(p, l->main), done = loc(p, l->main);
  tp_loc *at = l->at;
  new_heap(p, at[0], at[1], l->a, 16);
  assign(p, at[1], at[2], l->ptr, term_of(p, l->a));
  branch(p, at[2], body, done, again);
  store(p, body, at[3], data_of(l, l->ptr), bv(p, 32, 1));
  new_heap(p, at[3], at[4], l->t, 16);
  store(p, at[4], at[5], next_of(l, l->ptr), term_of(p, l->t));
  load(p, at[5], at[2], l->ptr, next_of(l, l->ptr));
  store(p, done, at[6], data_of(l, l->ptr), bv(p, 32, 0));
  assign(p, at[6], at[7], l->ptr, term_of(p, l->a));
  load(p, at[7], at[8], l->x, data_of(l, l->ptr));
  branch(p, at[8], at[9], at[11], one);
  load(p, at[9], at[10], l->ptr, next_of(l, l->ptr));
  load(p, at[10], at[8], l->x, data_of(l, l->ptr));
  branch(p, at[11], at[12], at[13], zero);
}

/* One line per edge that is not the choice: "0 -> 1: a = malloc()", numbered as in the thesis. */
static void print_edges(const list_program *l, const tp_pointsto *classes, tp_str *out) {
  for (uint32_t e = 1; e < l->p->edges.n; e++) {
    const tp_edge_info *edge = &l->p->edges.at[e];
    tp_six_op op = tp_six_of(l->p, classes, (tp_edge){e});
    assert_int_not_equal(op.kind, TP_SIX_OTHER);
    assert_null(tp_six_type_fault(l->p, &op));
    int from = 2, to = -1;  // body and done stand for 2
    for (int i = 0; i < 14; i++) {
      if (l->at[i].id == edge->from.id) from = i;
      if (l->at[i].id == edge->to.id) to = i;
    }
    if (to < 0) continue;
    tp_str_printf(out, "%d -> %d: ", from, to);
    tp_six_print(l->p, &op, out);
    tp_str_add(out, "\n");
  }
}

static const char edge_list[] =
    "0 -> 1: a = malloc()\n"
    "1 -> 2: p = a\n"
    "2 -> 3: p->data = 1\n"
    "3 -> 4: t = malloc()\n"
    "4 -> 5: p->next = t\n"
    "5 -> 2: p = p->next\n"
    "2 -> 6: p->data = 0\n"
    "6 -> 7: p = a\n"
    "7 -> 8: x = p->data\n"
    "8 -> 9: assume(x == 1)\n"
    "8 -> 11: assume(x != 1)\n"
    "9 -> 10: p = p->next\n"
    "10 -> 8: x = p->data\n"
    "11 -> 12: assume(x == 0)\n"
    "11 -> 13: assume(x != 0)\n";

static void F01_thesis_program_has_its_edge_list(void **state) {
  (void)state;
  list_program l = build();
  add_edges(&l);
  tp_program_finish(l.p);
  tp_str why = {0}, text = {0};
  bool ok = tp_program_check(l.p, &why);
  if (!ok) fail_msg("%s", tp_str_text(&why));
  tp_pointsto *classes = tp_pointsto_new(l.p);
  assert_int_equal(
      tp_pointsto_struct(classes, tp_pointsto_of_address(classes, term_of(l.p, l.a))).id,
      l.node.id);
  print_edges(&l, classes, &text);
  assert_string_equal(text.text, edge_list);
  assert_true(tp_loc_of(l.p, l.at[2])->is_cutpoint && tp_loc_of(l.p, l.at[8])->is_cutpoint);
  tp_pointsto_free(classes);
  tp_str_clear(&text);
  tp_str_clear(&why);
  tp_program_free(l.p);
  assert_int_equal(tp_live_bytes(), 0);
}

/* One operation from L0 to L1; what the typing rules say about it. */
static const char *fault_of(list_program *l, tp_edge e) {
  tp_six_op op = tp_six_of(l->p, NULL, e);
  if (op.kind == TP_SIX_OTHER) return "other";
  const char *fault = tp_six_type_fault(l->p, &op);
  return fault ? fault : "well-typed";
}

static void F01_ill_typed_operations_are_rejected(void **state) {
  (void)state;
  list_program l = build();
  tp_program *p = l.p;
  tp_terms *tt = p->terms;
  tp_loc a = l.at[0], b = l.at[1];
  tp_term nil = tp_mk_null(tt), o = term_of(p, l.other_var), n = term_of(p, l.ptr),
          x = term_of(p, l.x);
  const struct {
    tp_edge e;
    const char *expected;
  } cases[] = {
      {assign(p, a, b, l.ptr, term_of(p, l.a)), "well-typed"},
      {assign(p, a, b, l.ptr, nil), "well-typed"},
      {assign(p, a, b, l.ptr, o), "the variables have different types"},
      {assign(p, a, b, l.x, tp_mk2(tt, TP_OP_BV_ADD, x, bv(p, 32, 1))), "well-typed"},
      {load(p, a, b, l.ptr, next_of(&l, l.a)), "well-typed"},
      {load(p, a, b, l.other_var, next_of(&l, l.a)), "variable and field have different types"},
      {load(p, a, b, l.x, next_of(&l, l.a)), "variable and field have different types"},
      {load(p, a, b, l.x, plus(p, o, 8)), "well-typed"},  // o->inner.data
      {store(p, a, b, next_of(&l, l.a), n), "well-typed"},
      {store(p, a, b, next_of(&l, l.a), nil), "well-typed"},
      {store(p, a, b, next_of(&l, l.a), o), "variable and field have different types"},
      {store(p, a, b, next_of(&l, l.a), x), "variable and field have different types"},
      {store(p, a, b, next_of(&l, l.a), bv(p, 32, 3)),
       "an integer expression is stored in a pointer field"},
      {store(p, a, b, data_of(&l, l.a), nil), "nil is stored in an integer field"},
      {new_heap(p, a, b, l.a, 16), "well-typed"},
      {new_heap(p, a, b, l.a, 24), "other"},  // not one structure
      {assume(p, a, b, tp_mk_eq(tt, n, o)), "pointers of different types are compared"},
      {assume(p, a, b, tp_mk_not(tt, tp_mk_eq(tt, n, term_of(p, l.a)))), "well-typed"},
      {assume(p, a, b, tp_mk_eq(tt, n, nil)), "well-typed"},
      {assign(p, a, b, l.ptr, plus(p, n, 16)), "other"},  // pointer arithmetic
      {load(p, a, b, l.x, plus(p, n, 4)), "other"},       // between the fields
      {assign(p, a, b, l.x, tp_mk_trunc(tt, 32, tp_mk1(tt, TP_OP_PTR_TO_INT, n))), "other"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *seen = fault_of(&l, cases[i].e);
    if (strcmp(seen, cases[i].expected) != 0)
      fail_msg("case %zu: expected \"%s\", got \"%s\"", i, cases[i].expected, seen);
  }
  tp_program_free(p);
}

static void F01_fields_need_a_class_of_one_structure(void **state) {
  (void)state;
  list_program l = build();
  tp_program *p = l.p;
  tp_term a = term_of(p, l.a);
  new_heap(p, l.at[0], l.at[1], l.a, 16);
  tp_edge e = store(p, l.at[1], l.at[2], data_of(&l, l.a), bv(p, 32, 1));
  assign(p, l.at[2], l.at[3], l.other_var, a);  // the cell is also seen as a struct other
  tp_program_finish(p);
  tp_pointsto *classes = tp_pointsto_new(p);
  assert_int_equal(tp_six_of(p, NULL, e).kind, TP_SIX_STORE);
  assert_int_equal(tp_six_of(p, classes, e).kind, TP_SIX_OTHER);
  tp_pointsto_free(classes);
  tp_program_free(p);
}

// ------------------------------------------------------------------------ dumps

static void text_reads_like_the_source(void **state) {
  (void)state;
  char path[] = "/tmp/tp_dump_XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(tp_write_file(path, "int main(void) {\n  p = malloc(16);\n", 36), TP_OK);
  tp_diag *d = tp_diag_new(NULL, false);
  list_program l = build();
  add_edges(&l);
  l.p->diag = d;
  tp_pos pos = {tp_diag_file(d, path), 2, 3};
  l.p->edges.at[1].pos = pos;
  l.p->locs.at[l.at[0].id].pos = pos;
  tp_program_finish(l.p);
  tp_str text = {0}, dot = {0}, line = {0};
  tp_program_print(l.p, &text);
  tp_str_printf(&line, "  L%u -> L%u: a = malloc(16)   // %s:2\n", l.at[0].id, l.at[1].id,
                path + 5);
  assert_non_null(strstr(text.text, line.text));
  assert_non_null(strstr(text.text, "p->next = t\n"));
  assert_non_null(strstr(text.text, "x = p->data\n"));
  assert_non_null(strstr(text.text, "loop head, cutpoint\n"));
  assert_non_null(strstr(text.text, "error unreach-call\n"));
  tp_program_print_dot(l.p, &dot);
  assert_non_null(strstr(dot.text, "2: p = malloc(16);"));
  assert_non_null(strstr(dot.text, "shape=octagon"));
  assert_non_null(strstr(dot.text, "shape=doubleoctagon"));
  tp_str_clear(&text);
  tp_str_clear(&dot);
  tp_str_clear(&line);
  tp_program_free(l.p);
  tp_diag_free(d);
  remove(path);
}

static void addresses_are_named_as_the_user_would(void **state) {
  (void)state;
  list_program l = build();
  tp_program *p = l.p;
  tp_terms *tt = p->terms;
  tp_type array = tp_program_add_type(p, (tp_type_info){.kind = TP_T_ARRAY,
                                                        .name = "struct node[10]",
                                                        .size_bytes = 160,
                                                        .element = l.node,
                                                        .n_elements = 10});
  uint32_t table = tp_program_add_static(
      p, (tp_static){.name = "table", .kind = TP_O_GLOBAL, .type = array, .size_bytes = 160});
  uint32_t text = tp_program_add_static(p, (tp_static){.name = TP_STRING_LITERAL,
                                                       .kind = TP_O_LITERAL,
                                                       .size_bytes = 4,
                                                       .image = (const uint8_t *)"a\"\n"});
  tp_var local = tp_program_add_var(
      p,
      (tp_var_info){
          .name = "s", .kind = TP_V_LOCAL, .func = l.main, .type = l.other, .is_address = true},
      ptr_sort(p));
  tp_term i = tp_mk_sext(tt, 64, term_of(p, l.x)), base = tp_mk_ptr_const(tt, table, 0),
          a = term_of(p, l.a);
  tp_term scaled = tp_mk2(tt, TP_OP_BV_MUL, i, bv(p, 64, 16));
  tp_term moved = tp_mk2(tt, TP_OP_BV_ADD, scaled, bv(p, 64, 24));
  const struct {
    tp_term address;
    uint64_t size;
    const char *expected;
  } cases[] = {
      {a, 4, "a->data"},
      {plus(p, a, 8), 8, "a->next"},
      {plus(p, a, 16), 4, "a[1].data"},
      {plus(p, a, (uint64_t)-8), 8, "a[-1].next"},
      {tp_mk_ptr_add(tt, a, scaled), 4, "a[x].data"},
      {tp_mk_ptr_add(tt, a, moved), 8, "a[x + 1].next"},
      {tp_mk_ptr_const(tt, table, 40), 8, "table[2].next"},
      {tp_mk_ptr_add(tt, base, moved), 8, "table[x + 1].next"},
      {plus(p, term_of(p, local), 8), 4, "s.inner.data"},
      {plus(p, a, 4), 4, "*(int *)"},  // padding: no member there
      {plus(p, a, 0), 8, "*(int *)"},  // eight bytes of an int
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    tp_str out = {0};
    tp_access_print(p, cases[k].address, l.int_type, cases[k].size, &out);
    if (strncmp(out.text, cases[k].expected, strlen(cases[k].expected)) != 0)
      fail_msg("case %zu: expected %s, got %s", k, cases[k].expected, out.text);
    tp_str_clear(&out);
  }
  tp_str out = {0};
  tp_access_print_value(p, tp_mk_ptr_const(tt, text, 0), &out);
  assert_string_equal(out.text, "\"a\\\"\\n\"");
  out.n = 0;
  tp_access_print_value(p, tp_mk_ptr_const(tt, table, 16), &out);
  assert_non_null(strstr(out.text, "table"));
  tp_str_clear(&out);
  tp_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F01_thesis_program_has_its_edge_list),
      cmocka_unit_test(F01_ill_typed_operations_are_rejected),
      cmocka_unit_test(F01_fields_need_a_class_of_one_structure),
      cmocka_unit_test(text_reads_like_the_source),
      cmocka_unit_test(addresses_are_named_as_the_user_would),
  };
  return cmocka_run_group_tests_name("program/dump", tests, NULL, NULL);
}
