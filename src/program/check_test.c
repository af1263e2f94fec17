/* Building programs, and one broken program for each invariant that the checker knows. */
#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* main: x = 1; p = malloc(16); *p = x; y = *p; r = twice(y); if (x == 0) error; return r. */
typedef struct {
  tp_program *p;
  tp_type int_type, int_ptr, cell;
  tp_func main, twice;
  tp_var x, y, r, ptr, n, result, global;
  tp_loc at[8], error;
  tp_edge assign, alloc, store, load, call, yes, no, back;
} fixture;

static void build_twice(fixture *f) {
  tp_program *p = f->p;
  f->twice = func(p, "twice");
  f->n = tp_program_add_var(
      p, (tp_var_info){.name = "n", .kind = TP_V_PARAM, .func = f->twice, .type = f->int_type},
      bv_sort(p, 32));
  f->result = var(p, f->twice, "result", bv_sort(p, 32), f->int_type);
  tp_var *params = tp_arena_array(&p->arena, tp_var, 1);
  params[0] = f->n;
  p->funcs.at[f->twice.id].params = params;
  p->funcs.at[f->twice.id].n_params = 1;
  p->funcs.at[f->twice.id].result = f->result;
  tp_term n = term_of(p, f->n);
  give_back(p, entry_of(p, f->twice), f->twice, tp_mk2(p->terms, TP_OP_BV_ADD, n, n));
}

static fixture build(void) {
  fixture f = {.p = tp_program_new(NULL, 64)};
  tp_program *p = f.p;
  f.int_type = tp_program_add_type(
      p,
      (tp_type_info){
          .kind = TP_T_INT, .name = "int", .size_bytes = 4, .align_bytes = 4, .is_signed = true});
  f.int_ptr = tp_program_add_type(p, (tp_type_info){.kind = TP_T_POINTER,
                                                    .name = "int *",
                                                    .size_bytes = 8,
                                                    .align_bytes = 8,
                                                    .element = f.int_type});
  tp_member members[] = {{"data", f.int_type, 0, 0}, {"next", f.int_ptr, 64, 0}};
  f.cell = tp_program_add_type(p, (tp_type_info){.kind = TP_T_STRUCT,
                                                 .name = "struct cell",
                                                 .size_bytes = 16,
                                                 .members = members,
                                                 .n_members = 2});
  build_twice(&f);
  f.main = p->main = func(p, "main");
  f.x = var(p, f.main, "x", bv_sort(p, 32), f.int_type);
  f.y = var(p, f.main, "y", bv_sort(p, 32), f.int_type);
  f.r = var(p, f.main, "r", bv_sort(p, 32), f.int_type);
  f.ptr = var(p, f.main, "p", ptr_sort(p), f.int_ptr);
  f.global = var(p, TP_FUNC_NONE, "global", bv_sort(p, 32), f.int_type);
  p->vars.at[f.global.id].initial = bv(p, 32, 5);
  tp_var result = var(p, f.main, "result", bv_sort(p, 32), f.int_type);
  p->funcs.at[f.main.id].result = result;
  f.at[0] = entry_of(p, f.main);
  for (int i = 1; i < 8; i++) f.at[i] = loc(p, f.main);
  f.error = tp_program_add_loc(p, (tp_loc_info){.func = f.main, .error = TP_P_UNREACH_CALL});
  f.assign = assign(p, f.at[0], f.at[1], f.x, bv(p, 32, 1));
  f.alloc = new_heap(p, f.at[1], f.at[2], f.ptr, 16);
  f.store = store(p, f.at[2], f.at[3], term_of(p, f.ptr), term_of(p, f.x));
  f.load = load(p, f.at[3], f.at[4], f.y, term_of(p, f.ptr));
  tp_term args[] = {term_of(p, f.y)};
  f.call = tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_CALL,
                                                 .from = f.at[4],
                                                 .to = f.at[5],
                                                 .var = f.r,
                                                 .callee = f.twice,
                                                 .args = args,
                                                 .n_args = 1});
  tp_term is_zero = tp_mk_eq(p->terms, term_of(p, f.x), bv(p, 32, 0));
  f.yes = assume(p, f.at[5], f.error, is_zero);
  f.no = assume(p, f.at[5], f.at[6], tp_mk_not(p->terms, is_zero));
  f.back = give_back(p, f.at[6], f.main, term_of(p, f.r));
  uint8_t image[16] = {7};
  tp_reloc relocs[] = {{8, 1, 0}};
  tp_program_add_static(p, (tp_static){.name = "table",
                                       .kind = TP_O_GLOBAL,
                                       .type = f.cell,
                                       .size_bytes = 16,
                                       .image = image,
                                       .relocs = relocs,
                                       .n_relocs = 1});
  tp_program_finish(p);
  return f;
}

static void a_good_program_passes(void **state) {
  (void)state;
  fixture f = build();
  tp_str why = {0};
  bool ok = tp_program_check(f.p, &why);
  if (!ok) fail_msg("%s", tp_str_text(&why));
  assert_int_equal(f.p->statics.at[3].image[0], 7);  // copied
  assert_string_equal(f.p->types.at[f.cell.id].members[1].name, "next");
  assert_int_equal(tp_program_var_of(f.p, term_of(f.p, f.x)).id, f.x.id);
  tp_str_clear(&why);
  tp_program_free(f.p);
}

static tp_edge_info *edge(fixture *f, tp_edge e) { return &f->p->edges.at[e.id]; }
static tp_term real(fixture *f) { return tp_mk_fp(f->p->terms, 64, 0); }

#define BREAK(name, ...)         \
  static void name(fixture *f) { \
    tp_program *p = f->p;        \
    (void)p;                     \
    __VA_ARGS__                  \
  }
BREAK(type_element, p->types.at[f->int_ptr.id].element.id = 99;)
BREAK(type_member, {
  tp_member *m = tp_arena_array(&p->arena, tp_member, 2);
  memcpy(m, p->types.at[f->cell.id].members, 2 * sizeof *m);
  m[1].offset_bits = 800;
  p->types.at[f->cell.id].members = m;
})
BREAK(var_symbol, p->vars.at[f->x.id].term = bv(p, 32, 1);)
BREAK(var_twice, p->vars.at[f->x.id].term = p->vars.at[f->y.id].term;)
BREAK(var_homeless, p->vars.at[f->x.id].func = TP_FUNC_NONE;)
BREAK(initial_local, p->vars.at[f->x.id].initial = bv(p, 32, 1);)
BREAK(initial_term, p->vars.at[f->global.id].initial = term_of(p, f->x);)
BREAK(initial_sort, p->vars.at[f->global.id].initial = bv(p, 8, 1);)
BREAK(static_kind, p->statics.at[3].kind = TP_O_HEAP;)
BREAK(static_func, p->statics.at[3].func = f->main;)
BREAK(reloc_target, {
  tp_reloc *r = tp_arena_array(&p->arena, tp_reloc, 1);
  *r = (tp_reloc){8, 77, 0};
  p->statics.at[3].relocs = r;
})
BREAK(reloc_outside, {
  tp_reloc *r = tp_arena_array(&p->arena, tp_reloc, 1);
  *r = (tp_reloc){12, 1, 0};
  p->statics.at[3].relocs = r;
})
BREAK(entry_elsewhere, p->funcs.at[f->main.id].entry = entry_of(p, f->twice);)
BREAK(exit_elsewhere, p->funcs.at[f->main.id].exit = exit_of(p, f->twice);)
BREAK(param_elsewhere, {
  tp_var *v = tp_arena_array(&p->arena, tp_var, 1);
  v[0] = f->x;
  p->funcs.at[f->twice.id].params = v;
})
BREAK(result_elsewhere, p->funcs.at[f->twice.id].result = f->x;)
BREAK(variadic_integer, p->funcs.at[f->twice.id].is_variadic = true;)
BREAK(object_elsewhere, p->funcs.at[f->twice.id].object = 3;)
BREAK(main_missing, p->main.id = 77;)
BREAK(main_bodiless, {
  p->funcs.at[f->twice.id].has_body = false;
  edge(f, f->call)->kind = TP_E_SKIP;
  p->main = f->twice;
})
BREAK(loc_homeless, p->locs.at[f->at[3].id].func.id = 0;)
BREAK(edge_to_nowhere, edge(f, f->assign)->to.id = 999;)
BREAK(edge_into_function, edge(f, f->assign)->to = entry_of(p, f->twice);)
BREAK(edge_var, edge(f, f->assign)->var.id = 999;)
BREAK(assign_sort, edge(f, f->assign)->a = bv(p, 8, 1);)
BREAK(assign_nothing, edge(f, f->assign)->a = TP_TERM_NONE;)
BREAK(assign_foreign, edge(f, f->assign)->a = term_of(p, f->n);)
BREAK(assign_unknown, edge(f, f->assign)->a = tp_mk_var(p->terms, "stray", bv_sort(p, 32));)
BREAK(assign_ghost, {
  edge(f, f->assign)->var = p->ghost_heap;
  edge(f, f->assign)->a = bv(p, 32, 0);
})
BREAK(assume_number, edge(f, f->yes)->a = bv(p, 32, 1);)
BREAK(load_number, edge(f, f->load)->a = bv(p, 64, 1);)
BREAK(load_nowhere, edge(f, f->load)->var = TP_VAR_NONE;)
BREAK(store_number, edge(f, f->store)->a = bv(p, 64, 1);)
BREAK(store_array, edge(f, f->store)->b = term_of(p, p->ghost_size);)
BREAK(alloc_size, edge(f, f->alloc)->a = bv(p, 32, 16);)
BREAK(alloc_fill, edge(f, f->alloc)->b = bv(p, 16, 0);)
BREAK(alloc_into_number, edge(f, f->alloc)->var = f->x;)
BREAK(alloc_no_kind, edge(f, f->alloc)->object_kind = TP_O_NONE;)
BREAK(free_number, *edge(f, f->store) = (tp_edge_info){
                       .kind = TP_E_FREE, .from = f->at[2], .to = f->at[3], .a = real(f)};)
BREAK(copy_length, {
  tp_term ptr = term_of(p, f->ptr);
  *edge(f, f->store) = (tp_edge_info){
      .kind = TP_E_COPY, .from = f->at[2], .to = f->at[3], .a = ptr, .b = ptr, .c = bv(p, 32, 1)};
})
BREAK(set_byte, {
  tp_term ptr = term_of(p, f->ptr);
  *edge(f, f->store) = (tp_edge_info){.kind = TP_E_SET,
                                      .from = f->at[2],
                                      .to = f->at[3],
                                      .a = ptr,
                                      .b = bv(p, 32, 1),
                                      .c = bv(p, 64, 1)};
})
BREAK(havoc_nothing,
      *edge(f, f->store) = (tp_edge_info){.kind = TP_E_HAVOC, .from = f->at[2], .to = f->at[3]};)
BREAK(havoc_memory_number,
      *edge(f, f->store) = (tp_edge_info){
          .kind = TP_E_HAVOC_MEMORY, .from = f->at[2], .to = f->at[3], .a = bv(p, 64, 1)};)
BREAK(scope_number,
      *edge(f, f->store) = (tp_edge_info){
          .kind = TP_E_END_SCOPE, .from = f->at[2], .to = f->at[3], .a = bv(p, 64, 1)};)
BREAK(call_count, edge(f, f->call)->n_args = 0;)
BREAK(call_sort, {
  tp_term *a = tp_arena_array(&p->arena, tp_term, 1);
  a[0] = real(f);
  edge(f, f->call)->args = a;
})
BREAK(call_result_sort, edge(f, f->call)->var = f->ptr;)
BREAK(call_bodiless, p->funcs.at[f->twice.id].has_body = false;)
BREAK(call_number, {
  edge(f, f->call)->callee = TP_FUNC_NONE;
  edge(f, f->call)->a = bv(p, 64, 1);
})
BREAK(return_nothing, edge(f, f->back)->a = TP_TERM_NONE;)
BREAK(return_sort, edge(f, f->back)->a = real(f);)
BREAK(return_elsewhere, edge(f, f->back)->to = f->at[7];)
BREAK(exit_without_return, {
  edge(f, f->back)->kind = TP_E_SKIP;
  edge(f, f->back)->a = TP_TERM_NONE;
})
BREAK(error_goes_on, {
  step(p, f->error, f->at[6]);
  tp_program_finish(p);
})
BREAK(unsupported_goes_on, p->locs.at[f->at[2].id].is_unsupported = true;)
BREAK(exit_goes_on, {
  step(p, exit_of(p, f->main), f->at[6]);
  tp_program_finish(p);
})
BREAK(branch_on_assignment, {
  assign(p, f->at[5], f->at[7], f->x, bv(p, 32, 2));
  tp_program_finish(p);
})
BREAK(branch_overlaps, edge(f, f->no)->a = tp_mk_true(p->terms);)
BREAK(branch_has_gap, edge(f, f->no)->a = tp_mk_eq(p->terms, term_of(p, f->x), bv(p, 32, 1));)
BREAK(stale_adjacency, step(p, f->at[7], f->at[6]);)
BREAK(uncut_cycle, {
  tp_edge_info busy = {
      .kind = TP_E_ASSUME, .from = f->at[7], .to = f->at[7], .a = tp_mk_true(p->terms)};
  tp_program_add_edge(p, busy);
  edge(f, f->no)->to = f->at[7];
  tp_program_finish(p);
  p->locs.at[f->at[7].id].is_cutpoint = false;
})

/* x == 1 leads to a loop of two locations; its last edge goes back. */
static void add_loop(fixture *f) {
  tp_program *p = f->p;
  tp_loc body = loc(p, f->main);
  step(p, f->at[7], body);
  edge(f, f->no)->to = f->at[7];
  assign(p, body, f->at[7], f->x, bv(p, 32, 2));
  tp_program_finish(p);
}
BREAK(type_kind, p->types.at[f->int_type.id].kind = (tp_type_kind)99;)
BREAK(type_alignment, p->types.at[f->int_type.id].align_bytes = 3;)
BREAK(ghost_variable, p->ghost_heap = f->x;)
BREAK(ghost_sort, p->ghost_size = p->ghost_heap;)
BREAK(memory_symbol, p->memory[2] = bv(p, 32, 1);)
BREAK(address_number, p->vars.at[f->x.id].is_address = true;)
BREAK(absent_with_body, p->funcs.at[f->twice.id].absence = TP_ABSENT;)
BREAK(entry_is_exit, p->funcs.at[f->main.id].exit = p->funcs.at[f->main.id].entry;)
BREAK(message_without_error, p->locs.at[f->at[2].id].message = "division by zero";)
BREAK(edge_input, edge(f, f->assign)->input = (tp_input_kind)77;)
BREAK(edge_callee, edge(f, f->assign)->callee.id = 99;)
BREAK(edge_volatile, edge(f, f->assign)->volatile_access = true;)
BREAK(restriction_edge,
      tp_vec_push(&p->input_restrictions,
                  ((tp_input_restriction){f->assign, tp_mk_true(p->terms), "x"}));)
BREAK(restriction_sort,
      tp_vec_push(&p->input_restrictions, ((tp_input_restriction){f->yes, bv(p, 8, 1), "x"}));)
BREAK(unsupported_loc,
      tp_vec_push(&p->unsupported, ((tp_unsupported){.what = "assembly", .loc = {999}}));)
BREAK(row_unsorted, {
  uint32_t *at = p->out_edges + p->out_start[f->at[5].id], t = at[0];
  at[0] = at[1];
  at[1] = t;
})
BREAK(row_foreign, p->in_edges[p->in_start[f->at[2].id]] = f->assign.id;)
BREAK(late_location, loc(p, f->main);)
BREAK(order_twice, p->locs.at[f->at[2].id].order = p->locs.at[f->at[3].id].order;)
BREAK(order_missing, p->locs.at[f->at[2].id].order = TP_ORDER_NONE;)
BREAK(loop_dangling, p->locs.at[f->at[2].id].loop = 12;)
BREAK(loop_head_alone, p->locs.at[f->at[2].id].is_loop_head = true;)
BREAK(cutpoint_alone, p->locs.at[f->at[2].id].is_cutpoint = true;)
BREAK(loop_depth, add_loop(f); p->loops.at[1].depth = 2;)
BREAK(loop_parent, add_loop(f); p->loops.at[1].parent = 1;)
BREAK(loop_head_moved, add_loop(f); p->loops.at[1].head = f->at[2];)
BREAK(loop_body, add_loop(f); p->locs.at[p->edges.at[p->edges.n - 1].from.id].loop = 0;)
BREAK(stale_recursion, edge(f, f->call)->callee = f->main; edge(f, f->call)->n_args = 0;
      tp_program_finish(p); p->funcs.at[f->main.id].is_recursive = false;)

static const struct {
  const char *name;
  void (*break_it)(fixture *f);
  const char *expected;
} cases[] = {
#define CASE(name, expected) {#name, name, expected}
    CASE(type_element, "element type out of range"),
    CASE(type_member, "member next lies behind the end"),
    CASE(var_symbol, "variable x has no symbol"),
    CASE(var_twice, "belongs to another"),
    CASE(var_homeless, "a local belongs to a function"),
    CASE(initial_local, "only globals have initial values"),
    CASE(initial_term, "no constant"),
    CASE(initial_sort, "another sort"),
    CASE(static_kind, "cannot be static"),
    CASE(static_func, "functions, and only they"),
    CASE(reloc_target, "to no static"),
    CASE(reloc_outside, "lies outside"),
    CASE(entry_elsewhere, "entry is not its own"),
    CASE(exit_elsewhere, "exit is not its own"),
    CASE(param_elsewhere, "parameter 0 is no parameter"),
    CASE(result_elsewhere, "result variable is not its own"),
    CASE(variadic_integer, "variadic without a pointer"),
    CASE(object_elsewhere, "its object is another's"),
    CASE(main_missing, "main is out of range"),
    CASE(main_bodiless, "main has no body"),
    CASE(loc_homeless, "is in no function"),
    CASE(edge_to_nowhere, "location out of range"),
    CASE(edge_into_function, "another function"),
    CASE(edge_var, "variable out of range"),
    CASE(assign_sort, "value has another sort"),
    CASE(assign_nothing, "lacks a variable or a scalar value"),
    CASE(assign_foreign, "variable of another function"),
    CASE(assign_unknown, "the program does not have"),
    CASE(assign_ghost, "ghost"),
    CASE(assume_number, "not Boolean"),
    CASE(load_number, "load from something that is no pointer"),
    CASE(load_nowhere, "load lacks"),
    CASE(store_number, "store to something that is no pointer"),
    CASE(store_array, "no scalar"),
    CASE(alloc_size, "size has not the width"),
    CASE(alloc_fill, "fill byte"),
    CASE(alloc_into_number, "allocation into something"),
    CASE(alloc_no_kind, "no kind of object"),
    CASE(free_number, "free of something"),
    CASE(copy_length, "length has not the width"),
    CASE(set_byte, "a pointer and a byte"),
    CASE(havoc_nothing, "havoc lacks"),
    CASE(havoc_memory_number, "havoc of something"),
    CASE(scope_number, "end of scope of something"),
    CASE(call_count, "number of arguments"),
    CASE(call_sort, "another sort than its parameter"),
    CASE(call_result_sort, "result has another sort"),
    CASE(call_bodiless, "function without body"),
    CASE(call_number, "call through something"),
    CASE(return_nothing, "return with a value, but"),
    CASE(return_sort, "returned value has another sort"),
    CASE(return_elsewhere, "return does not lead to the exit"),
    CASE(exit_without_return, "without being a return"),
    CASE(error_goes_on, "error location"),
    CASE(unsupported_goes_on, "unsupported location"),
    CASE(exit_goes_on, "has edges out of it"),
    CASE(branch_on_assignment, "is no assumption"),
    CASE(branch_overlaps, "overlap or leave a gap"),
    CASE(branch_has_gap, "overlap or leave a gap"),
    CASE(stale_adjacency, "older than the table of edges"),
    CASE(uncut_cycle, "passes no cutpoint"),
    CASE(type_kind, "unknown kind"),
    CASE(type_alignment, "no power of two"),
    CASE(ghost_variable, "no ghost variable"),
    CASE(ghost_sort, "a ghost of objects has another sort"),
    CASE(memory_symbol, "no symbol of memory cells"),
    CASE(address_number, "an address is no pointer"),
    CASE(absent_with_body, "absent, and has a body"),
    CASE(entry_is_exit, "entry and exit are one"),
    CASE(message_without_error, "is no error location"),
    CASE(edge_input, "unknown kind of input"),
    CASE(edge_callee, "callee out of range"),
    CASE(edge_volatile, "volatile, and no access"),
    CASE(restriction_edge, "its edge does something"),
    CASE(restriction_sort, "is not Boolean"),
    CASE(unsupported_loc, "location out of range"),
    CASE(row_unsorted, "are not sorted"),
    CASE(row_foreign, "a foreign edge in its row of entering edges"),
    CASE(late_location, "older than the table of edges"),
    CASE(order_twice, "no permutation"),
    CASE(order_missing, "has edges, but no order"),
    CASE(loop_dangling, "loop out of range"),
    CASE(loop_head_alone, "has no loop"),
    CASE(cutpoint_alone, "is no loop head"),
    CASE(loop_depth, "depth does not follow"),
    CASE(loop_parent, "stands behind it"),
    CASE(loop_head_moved, "its head is another's"),
    CASE(loop_body, "goes back to no loop head"),
    CASE(stale_recursion, "recursive, and not marked"),
};

static void each_broken_program_is_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fixture f = build();
    cases[i].break_it(&f);
    tp_str why = {0};
    bool ok = tp_program_check(f.p, &why);
    if (ok || !strstr(tp_str_text(&why), cases[i].expected))
      fail_msg("%s: expected \"%s\", got \"%s\"", cases[i].name, cases[i].expected,
               ok ? "passed" : tp_str_text(&why));
    tp_str_clear(&why);
    tp_program_free(f.p);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

static void properties_have_names_and_groups(void **state) {
  (void)state;
  for (int i = TP_P_NONE + 1; i < TP_N_PROPERTIES; i++) {
    tp_property p;
    assert_true(tp_property_parse(tp_property_name((tp_property)i), &p));
    assert_int_equal(p, i);
    assert_true(tp_property_covers(p, p));
    assert_false(tp_property_covers(p, TP_P_NONE));
  }
  tp_property p;
  assert_false(tp_property_parse("none", &p));
  assert_false(tp_property_parse("valid", &p));
  assert_true(tp_property_covers(TP_P_VALID_MEMSAFETY, TP_P_VALID_MEMTRACK));
  assert_false(tp_property_covers(TP_P_VALID_MEMSAFETY, TP_P_VALID_MEMCLEANUP));
  assert_false(tp_property_covers(TP_P_VALID_DEREF, TP_P_VALID_FREE));
}

static void sorts_have_sizes(void **state) {
  (void)state;
  tp_program *p = tp_program_new(NULL, 32);
  assert_int_equal(tp_sort_bytes(p->terms, tp_sort_bool(p->terms)), 1);
  assert_int_equal(tp_sort_bytes(p->terms, bv_sort(p, 9)), 2);
  assert_int_equal(tp_sort_bytes(p->terms, ptr_sort(p)), 4);
  assert_int_equal(tp_sort_bytes(p->terms, tp_sort_fp(p->terms, 64)), 8);
  tp_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_program_passes),
      cmocka_unit_test(each_broken_program_is_named),
      cmocka_unit_test(properties_have_names_and_groups),
      cmocka_unit_test(sorts_have_sizes),
  };
  return cmocka_run_group_tests_name("program/check", tests, NULL, NULL);
}
