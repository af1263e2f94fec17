/* Points-to classes: small programs by hand, and random straight-line programs that a little
 * machine executes: every pointer it sees must lead into the class that was predicted, and
 * accesses of one byte must be in one region. */
#include "program/build_test.h"
#include "program/pointsto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

typedef struct {
  tp_program *p;
  tp_func f;
  tp_loc at;
  tp_pointsto *pt;
} line;  // a straight-line program under construction

static line line_new(uint32_t ptr_bits) {
  line l = {.p = tp_program_new(NULL, ptr_bits)};
  l.f = l.p->main = func(l.p, "main");
  l.at = entry_of(l.p, l.f);
  return l;
}
static tp_loc next(line *l) { return l->at = loc(l->p, l->f); }
static void line_done(line *l) {
  tp_program_finish(l->p);
  tp_str why = {0};
  if (!tp_program_check(l->p, &why)) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
  l->pt = tp_pointsto_new(l->p);
}
static void line_free(line *l) {
  tp_pointsto_free(l->pt);
  tp_program_free(l->p);
}
static tp_var ptr_var(line *l, const char *name) {
  return var(l->p, l->f, name, ptr_sort(l->p), TP_TYPE_NONE);
}
static tp_var int_var(line *l, const char *name, uint32_t width) {
  return var(l->p, l->f, name, bv_sort(l->p, width), TP_TYPE_NONE);
}

static tp_edge add_alloc(line *l, tp_var v, uint64_t size) {
  tp_loc from = l->at;
  return new_heap(l->p, from, next(l), v, size);
}
static void add_assign(line *l, tp_var v, tp_term a) {
  tp_loc from = l->at;
  assign(l->p, from, next(l), v, a);
}
static void add_load(line *l, tp_var v, tp_term a) {
  tp_loc from = l->at;
  load(l->p, from, next(l), v, a);
}
static void add_store(line *l, tp_term a, tp_term b) {
  tp_loc from = l->at;
  store(l->p, from, next(l), a, b);
}
static tp_term T(line *l, tp_var v) { return term_of(l->p, v); }
/* v + stride * index, index sign-extended */
static tp_term element(line *l, tp_var v, tp_var index, uint64_t stride, uint64_t offset) {
  tp_terms *tt = l->p->terms;
  tp_term i = tp_mk_resize(tt, l->p->ptr_bits, true, T(l, index));
  tp_term scaled = tp_mk2(tt, TP_OP_BV_MUL, i, bv(l->p, l->p->ptr_bits, stride));
  return tp_mk_ptr_add(tt, T(l, v),
                       tp_mk2(tt, TP_OP_BV_ADD, scaled, bv(l->p, l->p->ptr_bits, offset)));
}

#define same_class(a, b) assert_int_equal((a).id, (b).id)
#define other_class(a, b) assert_int_not_equal((a).id, (b).id)

// ---------------------------------------------------------------------- by hand

static void lists_of_their_own_stay_apart(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var a = ptr_var(&l, "a"), b = ptr_var(&l, "b"), n = ptr_var(&l, "n");
  tp_edge ea = add_alloc(&l, a, 16), eb = add_alloc(&l, b, 16), en = add_alloc(&l, n, 16);
  add_store(&l, plus(l.p, T(&l, a), 8), T(&l, n));  // a->next = n
  add_load(&l, a, plus(l.p, T(&l, a), 8));          // a = a->next
  add_store(&l, T(&l, a), bv(l.p, 32, 1));          // a->data = 1
  add_store(&l, T(&l, b), bv(l.p, 32, 2));
  line_done(&l);
  same_class(tp_pointsto_of_alloc(l.pt, ea), tp_pointsto_of_alloc(l.pt, en));
  other_class(tp_pointsto_of_alloc(l.pt, ea), tp_pointsto_of_alloc(l.pt, eb));
  same_class(tp_pointsto_of_address(l.pt, T(&l, a)), tp_pointsto_of_alloc(l.pt, ea));
  uint32_t data = tp_pointsto_region(l.pt, T(&l, a), 4),
           link = tp_pointsto_region(l.pt, plus(l.p, T(&l, a), 8), 8);
  assert_true(data && link && data != link);
  assert_int_not_equal(tp_pointsto_region(l.pt, T(&l, b), 4), data);
  assert_int_equal(tp_pointsto_n_classes(l.pt), 3);  // and main
  line_free(&l);
}

static void members_of_array_elements_are_regions(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var a = ptr_var(&l, "a"), i = int_var(&l, "i", 32);
  add_alloc(&l, a, 240);
  add_store(&l, element(&l, a, i, 24, 0), bv(l.p, 64, 1));
  add_store(&l, element(&l, a, i, 24, 16), bv(l.p, 64, 1));
  add_store(&l, plus(l.p, T(&l, a), 24 * 3), bv(l.p, 64, 1));
  line_done(&l);
  uint32_t first = tp_pointsto_region(l.pt, element(&l, a, i, 24, 0), 8);
  uint32_t last = tp_pointsto_region(l.pt, element(&l, a, i, 24, 16), 8);
  assert_true(first && last && first != last);
  assert_int_equal(tp_pointsto_region(l.pt, plus(l.p, T(&l, a), 72), 8), first);
  line_free(&l);
}

static void an_index_that_may_wrap_keeps_only_powers_of_two(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var a = ptr_var(&l, "a"), i = int_var(&l, "i", 64);
  add_alloc(&l, a, 240);
  add_store(&l, element(&l, a, i, 24, 0),
            bv(l.p, 64, 1));  // 24 * i can be 8 more than a multiple of 24
  add_store(&l, element(&l, a, i, 24, 16), bv(l.p, 64, 1));
  line_done(&l);
  assert_int_equal(tp_pointsto_region(l.pt, element(&l, a, i, 24, 0), 8),
                   tp_pointsto_region(l.pt, element(&l, a, i, 24, 16), 8));
  line_free(&l);
}

static void overlapping_accesses_share_a_region(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var a = ptr_var(&l, "a");
  add_alloc(&l, a, 16);
  add_store(&l, T(&l, a), bv(l.p, 32, 1));
  add_store(&l, plus(l.p, T(&l, a), 3), bv(l.p, 8, 1));
  add_store(&l, plus(l.p, T(&l, a), 4), bv(l.p, 8, 1));
  line_done(&l);
  assert_int_equal(tp_pointsto_region(l.pt, T(&l, a), 4),
                   tp_pointsto_region(l.pt, plus(l.p, T(&l, a), 3), 1));
  assert_int_not_equal(tp_pointsto_region(l.pt, T(&l, a), 4),
                       tp_pointsto_region(l.pt, plus(l.p, T(&l, a), 4), 1));
  line_free(&l);
}

static void casts_through_integers_are_followed(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var a = ptr_var(&l, "a"), b = ptr_var(&l, "b"), q = ptr_var(&l, "q"), x = int_var(&l, "x", 64);
  tp_edge ea = add_alloc(&l, a, 16), eb = add_alloc(&l, b, 16);
  add_assign(&l, x, tp_mk1(l.p->terms, TP_OP_PTR_TO_INT, T(&l, a)));
  add_assign(&l, q,
             tp_mk1(l.p->terms, TP_OP_INT_TO_PTR,
                    tp_mk2(l.p->terms, TP_OP_BV_ADD, T(&l, x), bv(l.p, 64, 8))));
  line_done(&l);
  same_class(tp_pointsto_of_address(l.pt, T(&l, q)), tp_pointsto_of_alloc(l.pt, ea));
  other_class(tp_pointsto_of_address(l.pt, T(&l, q)), tp_pointsto_of_alloc(l.pt, eb));
  line_free(&l);
}

static void pointers_copied_byte_by_byte_are_followed(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var from = ptr_var(&l, "from"), to = ptr_var(&l, "to"), target = ptr_var(&l, "target"),
         q = ptr_var(&l, "q");
  tp_var i = int_var(&l, "i", 32), c = int_var(&l, "c", 8);
  add_alloc(&l, from, 8);
  add_alloc(&l, to, 8);
  tp_edge e = add_alloc(&l, target, 4);
  add_store(&l, T(&l, from), T(&l, target));
  add_load(&l, c, element(&l, from, i, 1, 0));
  add_store(&l, element(&l, to, i, 1, 0), T(&l, c));
  add_load(&l, q, T(&l, to));
  line_done(&l);
  same_class(tp_pointsto_of_address(l.pt, T(&l, q)), tp_pointsto_of_alloc(l.pt, e));
  other_class(tp_pointsto_of_address(l.pt, T(&l, from)), tp_pointsto_of_address(l.pt, T(&l, to)));
  line_free(&l);
}

static void block_copies_make_objects_alike(void **state) {
  (void)state;
  line l = line_new(32);
  tp_var a = ptr_var(&l, "a"), b = ptr_var(&l, "b"), t = ptr_var(&l, "t"), q = ptr_var(&l, "q");
  add_alloc(&l, a, 8);
  add_alloc(&l, b, 8);
  tp_edge e = add_alloc(&l, t, 4);
  add_store(&l, plus(l.p, T(&l, a), 4), T(&l, t));
  tp_loc from = l.at;
  tp_program_add_edge(l.p, (tp_edge_info){.kind = TP_E_COPY,
                                          .from = from,
                                          .to = next(&l),
                                          .a = T(&l, b),
                                          .b = T(&l, a),
                                          .c = bv(l.p, 32, 8)});
  add_load(&l, q, plus(l.p, T(&l, b), 4));
  line_done(&l);
  same_class(tp_pointsto_of_address(l.pt, T(&l, q)), tp_pointsto_of_alloc(l.pt, e));
  line_free(&l);
}

static void calls_through_a_table_reach_its_functions(void **state) {
  (void)state;
  line l = line_new(64);
  tp_func one = func(l.p, "one"), two = func(l.p, "two"), apart = func(l.p, "apart");
  tp_reloc relocs[] = {{0, tp_func_of(l.p, one)->object, 0}, {8, tp_func_of(l.p, two)->object, 0}};
  uint32_t table = tp_program_add_static(
      l.p,
      (tp_static){
          .name = "table", .kind = TP_O_GLOBAL, .size_bytes = 16, .relocs = relocs, .n_relocs = 2});
  tp_var q = ptr_var(&l, "q"), other = ptr_var(&l, "other"), i = int_var(&l, "i", 32);
  add_assign(&l, other, tp_mk_ptr_const(l.p->terms, tp_func_of(l.p, apart)->object, 0));
  tp_term slot = tp_mk_ptr_add(
      l.p->terms, tp_mk_ptr_const(l.p->terms, table, 0),
      tp_mk2(l.p->terms, TP_OP_BV_MUL, tp_mk_sext(l.p->terms, 64, T(&l, i)), bv(l.p, 64, 8)));
  add_load(&l, q, slot);
  tp_loc from = l.at;
  tp_edge e = call(l.p, from, next(&l), TP_FUNC_NONE, T(&l, q));
  line_done(&l);
  tp_func_list callees = tp_pointsto_callees(l.pt, e);
  assert_int_equal(callees.n, 2);
  assert_int_equal(callees.at[0].id, one.id);
  assert_int_equal(callees.at[1].id, two.id);
  same_class(tp_pointsto_of_address(l.pt, slot), tp_pointsto_of_static(l.pt, table));
  line_free(&l);
}

static void arguments_and_results_flow(void **state) {
  (void)state;
  line l = line_new(64);
  tp_func id = func(l.p, "id");
  tp_var param = tp_program_add_var(l.p, (tp_var_info){.name = "x", .kind = TP_V_PARAM, .func = id},
                                    ptr_sort(l.p));
  tp_var result = var(l.p, id, "result", ptr_sort(l.p), TP_TYPE_NONE);
  tp_var *params = tp_arena_array(&l.p->arena, tp_var, 1);
  params[0] = param;
  l.p->funcs.at[id.id].params = params;
  l.p->funcs.at[id.id].n_params = 1;
  l.p->funcs.at[id.id].result = result;
  give_back(l.p, entry_of(l.p, id), id, plus(l.p, term_of(l.p, param), 4));
  tp_var a = ptr_var(&l, "a"), b = ptr_var(&l, "b");
  tp_edge ea = add_alloc(&l, a, 16);
  tp_term args[] = {T(&l, a)};
  tp_loc from = l.at;
  tp_program_add_edge(l.p, (tp_edge_info){.kind = TP_E_CALL,
                                          .from = from,
                                          .to = next(&l),
                                          .var = b,
                                          .callee = id,
                                          .args = args,
                                          .n_args = 1});
  add_store(&l, T(&l, b), bv(l.p, 32, 1));
  add_store(&l, T(&l, a), bv(l.p, 32, 1));
  line_done(&l);
  same_class(tp_pointsto_of_address(l.pt, T(&l, b)), tp_pointsto_of_alloc(l.pt, ea));
  uint32_t first = tp_pointsto_region(l.pt, T(&l, a), 4),
           second = tp_pointsto_region(l.pt, T(&l, b), 4);
  assert_true(first && second && first != second);  // a and a + 4
  line_free(&l);
}

/* A function that returns what it reads so many bytes behind its parameter. */
static tp_func add_reader(line *l, const char *name, uint64_t offset, tp_var *param) {
  const tp_func f = func(l->p, name);
  const tp_var x = var(l->p, f, "x", bv_sort(l->p, 32), TP_TYPE_NONE),
               result = var(l->p, f, "result", bv_sort(l->p, 32), TP_TYPE_NONE);
  *param = tp_program_add_var(l->p, (tp_var_info){.name = "p", .kind = TP_V_PARAM, .func = f},
                              ptr_sort(l->p));
  tp_var *params = tp_arena_array(&l->p->arena, tp_var, 1);
  params[0] = *param;
  l->p->funcs.at[f.id].params = params;
  l->p->funcs.at[f.id].n_params = 1;
  l->p->funcs.at[f.id].result = result;
  const tp_loc after = loc(l->p, f);
  load(l->p, entry_of(l->p, f), after, x, plus(l->p, term_of(l->p, *param), offset));
  give_back(l->p, after, f, term_of(l->p, x));
  return f;
}

/* What one function reads of an object, with what it calls, and nothing else. */
static void reads_are_those_of_one_function(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var a = ptr_var(&l, "a"), b = ptr_var(&l, "b"), c = int_var(&l, "c", 32), p, q;
  const tp_func callee = add_reader(&l, "callee", 4, &p);
  (void)add_reader(&l, "other", 12, &q);
  add_load(&l, b, plus(l.p, T(&l, a), 8));           // b = a->behind
  add_store(&l, plus(l.p, T(&l, a), 16), T(&l, c));  // a->written = c
  tp_term args[] = {T(&l, b)};
  const tp_loc from = l.at;
  tp_program_add_edge(l.p, (tp_edge_info){.kind = TP_E_CALL,
                                          .from = from,
                                          .to = next(&l),
                                          .var = c,
                                          .callee = callee,
                                          .args = args,
                                          .n_args = 1});
  line_done(&l);
  tp_pointsto *of = tp_pointsto_new_of(l.p, l.f);
  const tp_pointsto_place first = tp_pointsto_place_of(of, a);
  assert_true(tp_pointsto_is_read(of, (tp_pointsto_place){first.node, first.offset + 8}, 8));
  assert_true(tp_pointsto_is_read(of, first, UINT32_MAX));
  assert_false(tp_pointsto_is_read(of, first, 8));
  assert_false(tp_pointsto_is_read(of, (tp_pointsto_place){first.node, first.offset + 16}, 4));
  const tp_pointsto_place behind =
      tp_pointsto_place_behind(of, (tp_pointsto_place){first.node, first.offset + 8});
  assert_true(tp_pointsto_is_read(of, (tp_pointsto_place){behind.node, behind.offset + 4}, 4));
  assert_false(tp_pointsto_is_read(of, behind, 4));
  assert_false(tp_pointsto_is_read(of, tp_pointsto_place_behind(of, first), UINT32_MAX));
  assert_false(tp_pointsto_is_read(of, tp_pointsto_place_of(of, q), UINT32_MAX));
  assert_true(tp_pointsto_is_read(l.pt, tp_pointsto_place_of(l.pt, q), UINT32_MAX));
  assert_false(tp_pointsto_repeats(of, first, 8));
  uint64_t bytes = 0;
  assert_true(tp_pointsto_extent(of, first, &bytes));
  assert_int_equal(bytes, 20);
  assert_true(tp_pointsto_extent(of, behind, &bytes));
  assert_int_equal(bytes, 8);
  assert_false(tp_pointsto_extent(of, tp_pointsto_place_of(of, q), &bytes));
  tp_pointsto_free(of);
  line_free(&l);
}

static void reads_of_elements_are_those_of_each(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var a = ptr_var(&l, "a"), i = int_var(&l, "i", 32), x = int_var(&l, "x", 32);
  add_load(&l, x, element(&l, a, i, 24, 20));
  line_done(&l);
  const tp_pointsto_place first = tp_pointsto_place_of(l.pt, a);
  assert_true(tp_pointsto_repeats(l.pt, first, 24));
  assert_false(tp_pointsto_repeats(l.pt, first, 16));
  uint64_t bytes = 0;
  assert_false(tp_pointsto_extent(l.pt, first, &bytes));
  assert_false(tp_pointsto_is_read(l.pt, first, 20));
  assert_true(tp_pointsto_is_read(l.pt, (tp_pointsto_place){first.node, first.offset + 44}, 4));
  assert_true(tp_pointsto_is_read(l.pt, (tp_pointsto_place){first.node, first.offset + 22}, 1));
  assert_true(tp_pointsto_is_read(l.pt, (tp_pointsto_place){first.node, first.offset - 8}, 8));
  line_free(&l);
}

static void unknown_terms_have_no_class(void **state) {
  (void)state;
  line l = line_new(64);
  tp_var a = ptr_var(&l, "a");
  tp_edge e = add_alloc(&l, a, 16);
  line_done(&l);
  tp_term stray = tp_mk_var(l.p->terms, "stray", ptr_sort(l.p));
  same_class(tp_pointsto_of_address(l.pt, stray), TP_CLASS_ANY);
  same_class(tp_pointsto_of_address(l.pt, tp_mk_null(l.p->terms)), TP_CLASS_NONE);
  same_class(tp_pointsto_of_address(l.pt, plus(l.p, T(&l, a), 12)), tp_pointsto_of_alloc(l.pt, e));
  assert_int_equal(tp_pointsto_region(l.pt, plus(l.p, T(&l, a), 12), 4), 0);
  line_free(&l);
}

// ------------------------------------------------------------------------ random

enum { OBJECTS = 6, OBJECT_BYTES = 48, POINTERS = 4, WORDS = 2, BYTES = 2, STEPS = 24, OPS = 12 };

/* A value of the little machine: an object (0: none) and an offset or number. One byte of a pointer
 * remembers which: part 1 .. 8. */
typedef struct {
  uint32_t object;
  int64_t number;
  int part;
} value;

typedef struct {
  line l;
  tp_rng rng;
  tp_var pointer[POINTERS], word[WORDS], byte[BYTES], index;
  struct {
    int op;
    int a, b;
    uint64_t k;
    bool is_indexed;
    tp_edge e;
    tp_term address;
    uint64_t size;
  } step[STEPS];
} random_line;

static int below(random_line *r, uint64_t n) { return (int)tp_rng_below(&r->rng, n); }

static void random_step(random_line *r, int s) {
  line *l = &r->l;
  tp_terms *tt = l->p->terms;
  int op = s < OBJECTS ? 0 : 1 + below(r, OPS - 1), a = below(r, POINTERS), b = below(r, POINTERS);
  uint64_t k = (uint64_t)below(r, 6) * (below(r, 4) ? 8 : 4);
  tp_var p = r->pointer[a], q = r->pointer[b], x = r->word[b % WORDS], c = r->byte[b % BYTES];
  bool is_indexed = below(r, 3) == 0;
  tp_term address = is_indexed ? element(l, p, r->index, 8, k) : plus(l->p, T(l, p), k);
  r->step[s].op = op, r->step[s].a = a, r->step[s].b = b, r->step[s].k = k;
  r->step[s].address = address, r->step[s].is_indexed = is_indexed;
  r->step[s].size = op == 5 || op == 6 || op == 7 || op == 8 ? 8 : op == 9 || op == 10 ? 1 : 0;
  switch (op) {
    case 0: r->step[s].e = add_alloc(l, p, OBJECT_BYTES); break;
    case 1: add_assign(l, p, T(l, q)); break;
    case 2: add_assign(l, p, plus(l->p, T(l, q), k)); break;
    case 3: add_assign(l, x, tp_mk1(tt, TP_OP_PTR_TO_INT, T(l, p))); break;
    case 4: add_assign(l, p, tp_mk1(tt, TP_OP_INT_TO_PTR, T(l, x))); break;
    case 5: add_load(l, q, address); break;
    case 6: add_store(l, address, T(l, q)); break;
    case 7: add_load(l, x, address); break;
    case 8: add_store(l, address, T(l, x)); break;
    case 9: add_load(l, c, address); break;
    case 10: add_store(l, address, T(l, c)); break;
    case 11: {
      tp_loc from = l->at;
      tp_program_add_edge(l->p, (tp_edge_info){.kind = TP_E_COPY,
                                               .from = from,
                                               .to = next(l),
                                               .a = T(l, p),
                                               .b = T(l, q),
                                               .c = bv(l->p, 64, 16)});
      break;
    }
  }
}

typedef struct {
  value memory[OBJECTS + 1][OBJECT_BYTES];
  uint32_t region[OBJECTS + 1][OBJECT_BYTES];
  tp_edge origin[OBJECTS + 1];
  value pointer[POINTERS], word[WORDS], byte[BYTES];
  int64_t index;
  uint32_t n_objects;
} machine;

static value read_word(const machine *m, uint32_t object, int64_t at) {
  value first = m->memory[object][at];
  for (int i = 0; i < 8; i++) {
    value v = m->memory[object][at + i];
    if (first.object == 0 || v.object != first.object || v.number != first.number ||
        v.part != i + 1)
      return (value){0};
  }
  return (value){first.object, first.number, 0};
}
static void write_word(machine *m, uint32_t object, int64_t at, value v) {
  for (int i = 0; i < 8; i++)
    m->memory[object][at + i] = v.object ? (value){v.object, v.number, i + 1} : (value){0};
}

/* Is the access possible, and where the analysis says? The analysis ignores order, so the machine
 * may leave out a step that is invalid (false). */
static bool check_access(random_line *r, machine *m, int s, value address) {
  uint64_t size = r->step[s].size;
  if (address.object == 0 || address.number < 0 || address.number + (int64_t)size > OBJECT_BYTES)
    return false;
  same_class(tp_pointsto_of_address(r->l.pt, r->step[s].address),
             tp_pointsto_of_alloc(r->l.pt, m->origin[address.object]));
  uint32_t region = tp_pointsto_region(r->l.pt, r->step[s].address, size);
  assert_true(region != 0);
  for (uint64_t i = 0; i < size; i++) {
    uint32_t *known = &m->region[address.object][address.number + (int64_t)i];
    if (*known) assert_int_equal(*known, region);
    *known = region;
  }
  return true;
}

static bool copy_block(machine *m, value to, value from) {
  if (!to.object || !from.object || to.number < 0 || from.number < 0) return false;
  if (to.number + 16 > OBJECT_BYTES || from.number + 16 > OBJECT_BYTES) return false;
  memmove(&m->memory[to.object][to.number], &m->memory[from.object][from.number],
          16 * sizeof(value));
  return true;
}

static bool run_step(random_line *r, machine *m, int s) {
  int op = r->step[s].op, a = r->step[s].a, b = r->step[s].b;
  value *x = &m->word[b % WORDS], *c = &m->byte[b % BYTES], *p = &m->pointer[a],
        *q = &m->pointer[b];
  value at = {p->object, p->number + (int64_t)r->step[s].k, 0};
  if (r->step[s].is_indexed) at.number += 8 * m->index;
  if (r->step[s].size && !check_access(r, m, s, at)) return false;
  switch (op) {
    case 0:
      *p = (value){++m->n_objects, 0, 0};
      m->origin[m->n_objects] = r->step[s].e;
      break;
    case 1: *p = *q; break;
    case 2: *p = (value){q->object, q->number + (int64_t)r->step[s].k, 0}; break;
    case 3: *x = *p; break;
    case 4: *p = *x; break;
    case 5: *q = read_word(m, at.object, at.number); break;
    case 6: write_word(m, at.object, at.number, *q); break;
    case 7: *x = read_word(m, at.object, at.number); break;
    case 8: write_word(m, at.object, at.number, *x); break;
    case 9: *c = m->memory[at.object][at.number]; break;
    case 10: m->memory[at.object][at.number] = *c; break;
    case 11: return copy_block(m, *p, *q);
  }
  for (int i = 0; i < POINTERS; i++)
    if (m->pointer[i].object)
      same_class(tp_pointsto_of_address(r->l.pt, T(&r->l, r->pointer[i])),
                 tp_pointsto_of_alloc(r->l.pt, m->origin[m->pointer[i].object]));
  return true;
}

static void random_programs_stay_in_their_classes(void **state) {
  (void)state;
  uint64_t accesses = 0;
  for (uint64_t round = 0; round < 4000; round++) {
    random_line r = {.l = line_new(64)};
    tp_rng_init(&r.rng, round);
    for (int i = 0; i < POINTERS; i++) r.pointer[i] = ptr_var(&r.l, "p");
    for (int i = 0; i < WORDS; i++) r.word[i] = int_var(&r.l, "x", 64);
    for (int i = 0; i < BYTES; i++) r.byte[i] = int_var(&r.l, "c", 8);
    r.index = int_var(&r.l, "i", 32);
    for (int s = 0; s < STEPS; s++) random_step(&r, s);
    line_done(&r.l);
    static machine m;
    m = (machine){.index = below(&r, 4)};
    for (int turn = 0; turn < 3; turn++)
      for (int s = turn ? OBJECTS : 0; s < STEPS; s++)
        if (run_step(&r, &m, s)) accesses += r.step[s].size != 0;
    line_free(&r.l);
  }
  assert_true(accesses > 30000);  // the test says something
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_of_their_own_stay_apart),
      cmocka_unit_test(members_of_array_elements_are_regions),
      cmocka_unit_test(an_index_that_may_wrap_keeps_only_powers_of_two),
      cmocka_unit_test(overlapping_accesses_share_a_region),
      cmocka_unit_test(casts_through_integers_are_followed),
      cmocka_unit_test(pointers_copied_byte_by_byte_are_followed),
      cmocka_unit_test(block_copies_make_objects_alike),
      cmocka_unit_test(calls_through_a_table_reach_its_functions),
      cmocka_unit_test(arguments_and_results_flow),
      cmocka_unit_test(reads_are_those_of_one_function),
      cmocka_unit_test(reads_of_elements_are_those_of_each),
      cmocka_unit_test(unknown_terms_have_no_class),
      cmocka_unit_test(random_programs_stay_in_their_classes),
  };
  return cmocka_run_group_tests_name("program/pointsto", tests, NULL, NULL);
}
