/* Certificates of invariants, written by hand: right ones are accepted; wrong ones, and whatever is
 * written to get a false claim accepted, never are. */
#include "certify/certify.h"
#include "certify/testing.h"
#include "program/cells.h"
#include "program/variables_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// -------------------------------------------------------------------- writing

typedef struct {
  builder b;
  tp_str text;  // entries between header and end
} scene;

static scene open_scene(void) { return (scene){.b = begin()}; }
static tp_term var_term(scene *s, tp_var v) { return term_of(&s->b, v); }
static tp_term k32(scene *s, uint64_t v) { return num(&s->b, 32, v); }
static tp_term k64(scene *s, uint64_t v) { return num(&s->b, 64, v); }
static tp_term cell32(scene *s, tp_term p) { return tp_cell(s->b.p, bv(&s->b, 32), p); }
static tp_term and2(scene *s, tp_term x, tp_term y) { return tp_mk_and(s->b.tt, x, y); }
static tp_term not1(scene *s, tp_term x) { return tp_mk_not(s->b.tt, x); }
static tp_term yes(scene *s) { return tp_mk_true(s->b.tt); }
static tp_term no(scene *s) { return tp_mk_false(s->b.tt); }
static tp_term object(scene *s, tp_term p) { return tp_mk1(s->b.tt, TP_OP_PTR_OBJ, p); }
static tp_term offset(scene *s, tp_term p) { return tp_mk1(s->b.tt, TP_OP_PTR_OFF, p); }
static tp_term ghost(scene *s, tp_var which, tp_term p) {
  return tp_mk2(s->b.tt, TP_OP_SELECT, term_of(&s->b, which), object(s, p));
}
static tp_term live(scene *s, tp_term p) { return ghost(s, s->b.p->ghost_live, p); }
static tp_term size_is(scene *s, tp_term p, uint64_t n) {
  return eq(&s->b, ghost(s, s->b.p->ghost_size, p), k64(s, n));
}
static tp_term kind_is(scene *s, tp_term p, tp_object_kind k) {
  return eq(&s->b, ghost(s, s->b.p->ghost_kind, p), num(&s->b, 8, k));
}
/* p is the start of a live object of this size and kind. */
static tp_term owns(scene *s, tp_term p, uint64_t n, tp_object_kind k) {
  return and2(s, and2(s, live(s, p), size_is(s, p, n)),
              and2(s, kind_is(s, p, k), eq(&s->b, offset(s, p), k64(s, 0))));
}
static tp_term apart(scene *s, tp_term p, tp_term q) {
  return not1(s, eq(&s->b, object(s, p), object(s, q)));
}
static tp_term moved(scene *s, tp_term p, uint64_t n) {
  return tp_mk_ptr_add(s->b.tt, p, k64(s, n));
}

static void say(scene *s, const char *line) { tp_str_printf(&s->text, "%s\n", line); }
static void write_term(scene *s, tp_term t) {
  assert_true(tp_term_write(s->b.tt, t, tp_program_text_vars(s->b.p), &s->text));
  tp_str_add(&s->text, "\n");
}
static void at(scene *s, int context, tp_loc l, tp_term t) {
  tp_str_printf(&s->text, "at %d %u ", context, l.id);
  write_term(s, t);
}
static void contract_says(scene *s, const char *which, int k, tp_term t) {
  tp_str_printf(&s->text, "%s %d ", which, k);
  write_term(s, t);
}
static void call_context(scene *s, int context, int parent, tp_edge e, const char *func) {
  tp_str_printf(&s->text, "context %d call %d %u %s\n", context, parent, e.id, func);
}
static tp_edge last_edge(const scene *s) { return (tp_edge){(uint32_t)s->b.p->edges.n - 1}; }

// ------------------------------------------------------------------- functions

/* Start another function; main goes on where it was when `end_function` is called with what this
 * gave. */
typedef struct {
  tp_func func;
  tp_var param, result;
  tp_loc exit, back;
} body;
static body function(scene *s, const char *name, tp_sort param) {
  builder *b = &s->b;
  body f = {.back = b->at};
  f.func = tp_program_add_func(b->p, (tp_func_info){.name = name, .has_body = true});
  tp_func_info *info = &b->p->funcs.at[f.func.id];
  info->entry = place(b, f.func);
  info->exit = f.exit = place(b, f.func);
  b->at = info->entry;
  f.param = tp_program_add_var(b->p, (tp_var_info){.name = "x", .kind = TP_V_PARAM, .func = f.func},
                               param);
  f.result = tp_program_add_var(
      b->p, (tp_var_info){.name = "result", .kind = TP_V_LOCAL, .func = f.func}, bv(b, 32));
  tp_var *params = tp_arena_array(&b->p->arena, tp_var, 1);
  params[0] = f.param;
  info = &b->p->funcs.at[f.func.id];
  info->params = params;
  info->n_params = 1;
  info->result = f.result;
  uint32_t static_id = tp_program_add_static(
      b->p,
      (tp_static){
          .name = name, .kind = TP_O_FUNCTION, .size_bytes = 1, .align_bytes = 1, .func = f.func});
  b->p->funcs.at[f.func.id].object = static_id;
  return f;
}
static tp_loc entry_of(scene *s, body f) { return tp_func_of(s->b.p, f.func)->entry; }
static void give(scene *s, body f, tp_term value) {
  edge(&s->b, (tp_edge_info){.kind = TP_E_RETURN, .a = value, .to = f.exit});
}
static void end_function(scene *s, body f, tp_term value) {
  give(s, f, value);
  s->b.at = f.back;
}
static tp_edge call(scene *s, tp_func f, tp_term through, tp_var result, tp_term arg) {
  tp_term *args = tp_arena_array(&s->b.p->arena, tp_term, 1);
  args[0] = arg;
  edge(&s->b,
       (tp_edge_info){
           .kind = TP_E_CALL, .callee = f, .a = through, .var = result, .args = args, .n_args = 1});
  return last_edge(s);
}

// ----------------------------------------------------------------------- loops

/* for (i = 0; i < n; i++); i == n. */
static void count(scene *s, int v) {
  builder *b = &s->b;
  tp_var n = local(b, "n", bv(b, 32)), i = local(b, "i", bv(b, 32));
  tp_loc start = b->at;
  input(b, n);
  if (v != 1) assign(b, i, k32(s, 0));
  tp_term x = var_term(s, i), m = var_term(s, n), below = tp_mk2(b->tt, TP_OP_BV_ULE, x, m);
  tp_loc head = b->at, out = branch(b, ult(b, x, m));
  assign(b, i, add(b, x, k32(s, v == 2 ? 2 : 1)));
  tp_loc inside = b->at;
  go_to(b, head);
  b->at = out;
  claim(b, eq(b, x, m));
  say(s, "context 1 main");
  switch (v) {
    case 0:
    case 1:
    case 2: at(s, 1, head, below); break;
    case 3: at(s, 1, head, yes(s)); break;               // too weak
    case 4: break;                                       // no label
    case 5: at(s, 1, head, eq(b, x, k32(s, 0))); break;  // not inductive
    case 6: at(s, 1, head, no(s)); break;                // does not hold at first
    case 7:
      at(s, 1, head, eq(b, x, m));
      at(s, 1, head, ult(b, x, m));
      break;
    case 8:
      for (uint64_t k = 0; k < 30; k++)
        at(s, 1, head, and2(s, below, eq(b, tp_mk_trunc(b->tt, 5, x), num(b, 5, k))));
      break;  // two cases are missing
    case 9:
      for (uint64_t k = 0; k < 32; k++)
        at(s, 1, head, and2(s, below, eq(b, tp_mk_trunc(b->tt, 5, x), num(b, 5, k))));
      break;
    case 10: at(s, 1, head, and2(s, below, not1(s, eq(b, x, k32(s, 77))))); break;
    case 11:
      at(s, 1, start, no(s));
      at(s, 1, head, below);
      break;
    case 12: at(s, 1, inside, below); break;  // another place that cuts the cycle
    case 13:                                  // every error has a label that lies
      for (uint32_t l = 1; l < b->p->locs.n; l++)
        if (b->p->locs.at[l].error) at(s, 1, (tp_loc){l}, yes(s));
      at(s, 1, head, yes(s));
      break;
    default:
      at(s, 1, head, below);
      at(s, 1, inside, no(s));
      break;
  }
}

/* for (i = 0;; i += 2) i != 7; 32 bits wrap around. */
static void even(scene *s, int v) {
  builder *b = &s->b;
  tp_var i = local(b, "i", bv(b, 32));
  tp_term x = var_term(s, i);
  assign(b, i, k32(s, 0));
  tp_loc head = b->at;
  claim(b, not1(s, eq(b, x, k32(s, v == 0 ? 7 : 0x80000000))));
  assign(b, i, add(b, x, k32(s, 2)));
  go_to(b, head);
  b->at = place(b, b->main);
  say(s, "context 1 main");
  at(s, 1, head,
     v == 0 ? eq(b, tp_mk_extract(b->tt, 0, 0, x), num(b, 1, 0)) : ult(b, x, k32(s, 0x80000000)));
}

// --------------------------------------------------------------------- meeting

/* Branch; goes on at the first side or (second) the other, and gives the one that is left. */
static tp_loc branch_to(builder *b, tp_term c, bool second) {
  tp_loc other = branch(b, c), here = b->at;
  if (!second) return other;
  b->at = other;
  return here;
}

/* An object on one of two ways (bit 0: which), that meet; then a claim of the ghosts. */
static void one_way(scene *s, int v) {
  builder *b = &s->b;
  tp_var cv = local(b, "c", bv(b, 32)), pv = local(b, "p", tp_sort_ptr(b->tt)),
         qv = local(b, "q", tp_sort_ptr(b->tt));
  tp_term heap = tp_var_of(b->p, b->p->ghost_heap)->term,
          lost = tp_var_of(b->p, b->p->ghost_leaked)->term, p = var_term(s, pv),
          q = var_term(s, qv);
  tp_term is_five = eq(b, var_term(s, cv), k32(s, 5));
  input(b, cv);
  alloc(b, qv, TP_O_HEAP, k64(s, 8));
  assign(b, pv, q);
  tp_loc other = branch_to(b, is_five, v & 1), meets;
  alloc(b, pv, TP_O_HEAP, k64(s, 16));
  meets = b->at;
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_SKIP, .from = other, .to = meets});
  switch (v / 2) {
    case 0: claim(b, eq(b, heap, k32(s, 1))); break;
    case 1: claim(b, eq(b, heap, k32(s, 2))); break;
    case 2:
      claim(b, eq(b, heap,
                  tp_mk_ite(b->tt, v & 1 ? not1(s, is_five) : is_five, k32(s, 2), k32(s, 1))));
      break;
    case 3: claim(b, size_is(s, p, 8)); break;
    case 4: claim(b, size_is(s, p, 16)); break;
    case 5: claim(b, tp_mk_ite(b->tt, eq(b, p, q), size_is(s, p, 8), size_is(s, p, 16))); break;
    case 6: claim(b, apart(s, p, q)); break;
    case 7: claim(b, not1(s, lost)); break;
    default:
      assign(b, pv, q);
      claim(b, not1(s, lost));
      break;
  }
  say(s, "context 1 main");
}

/* An object is lost on one of two ways (bit 0: which; bit 1: on none). */
static void lost_way(scene *s, int v) {
  builder *b = &s->b;
  tp_var cv = local(b, "c", bv(b, 32)), pv = local(b, "p", tp_sort_ptr(b->tt));
  tp_term is_five = eq(b, var_term(s, cv), k32(s, 5));
  input(b, cv);
  tp_term not_lost = not1(s, tp_var_of(b->p, b->p->ghost_leaked)->term);
  tp_loc known = b->at, other = branch_to(b, is_five, v & 1);
  if (v & 2) {
    edge(b, (tp_edge_info){.kind = TP_E_SKIP});
  } else {
    alloc(b, pv, TP_O_HEAP, k64(s, 8));
    assign(b, pv, tp_mk_ptr_const(b->tt, 0, 0));
  }
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_SKIP, .from = other, .to = b->at});
  claim(b, not_lost);
  say(s, "context 1 main");
  at(s, 1, known, not_lost);
}

static tp_term is_on_heap(scene *s, tp_term p) {
  const tp_program *program = s->b.p;
  const tp_term object = tp_mk1(s->b.tt, TP_OP_PTR_OBJ, p),
                live = tp_mk2(s->b.tt, TP_OP_SELECT, tp_var_of(program, program->ghost_live)->term,
                              object),
                kind = tp_mk2(s->b.tt, TP_OP_SELECT, tp_var_of(program, program->ghost_kind)->term,
                              object);
  return tp_mk_and(s->b.tt, live, tp_mk_eq(s->b.tt, kind, tp_mk_bv(s->b.tt, 8, TP_O_HEAP)));
}

/* In a loop, nothing is lost, since variables lead to as many objects as there are. v: one object
 * (0), without its life in the invariant (1), two (2), without that they are two (3), two of which
 * one is lost (4). */
static void counted(scene *s, int v) {
  builder *b = &s->b;
  tp_var cv = local(b, "c", bv(b, 32)), pv = local(b, "p", tp_sort_ptr(b->tt)),
         qv = local(b, "q", tp_sort_ptr(b->tt));
  const tp_term heap = tp_var_of(b->p, b->p->ghost_heap)->term,
                lost = tp_var_of(b->p, b->p->ghost_leaked)->term, p = var_term(s, pv),
                q = var_term(s, qv);
  alloc(b, pv, TP_O_HEAP, k64(s, 8));
  if (v < 2)
    assign(b, qv, p);
  else
    alloc(b, qv, TP_O_HEAP, k64(s, 8));
  if (v == 4) assign(b, qv, p);
  tp_loc head = b->at;
  input(b, cv);
  tp_loc out = branch(b, ult(b, var_term(s, cv), k32(s, 5)));
  claim(b, not1(s, lost));
  go_to(b, head);
  b->at = out;
  tp_term known = eq(b, heap, k32(s, v < 2 ? 1 : 2));
  if (v != 1) known = tp_mk_and(b->tt, known, is_on_heap(s, p));
  if (v >= 2) known = tp_mk_and(b->tt, known, is_on_heap(s, q));
  if (v == 2) known = tp_mk_and(b->tt, known, apart(s, p, q));
  say(s, "context 1 main");
  at(s, 1, head, known);
}

// ----------------------------------------------------------------- k-induction

/* for (x = 0;; x = next(x)) x != 7, with 0 -> 1 -> 2 -> 0 and, never reached, 3 -> 4 -> 5 -> 6 ->
 * 7: five states on the way to the error, so that six steps exclude it. v: the number of steps. */
static void rounds(scene *s, int v, uint64_t first, bool counts_head, bool labels_body,
                   tp_term (*formula)(scene *s, tp_term x)) {
  builder *b = &s->b;
  tp_var xv = local(b, "x", bv(b, 32));
  tp_term x = var_term(s, xv), next = k32(s, 0);
  for (uint64_t i = 7; i-- > 0;)
    if (i != 2) next = tp_mk_ite(b->tt, eq(b, x, k32(s, i)), k32(s, i + 1), next);
  tp_loc start = b->at;
  assign(b, xv, k32(s, first));
  tp_loc head = b->at;
  claim(b, not1(s, eq(b, x, k32(s, 7))));
  tp_loc inside = b->at;
  assign(b, xv, next);
  go_to(b, head);
  b->at = place(b, b->main);
  say(s, "context 1 main");
  at(s, 1, start, yes(s));
  if (formula) {
    at(s, 1, head, formula(s, x));
  } else {  // one of two
    at(s, 1, head, ult(b, x, k32(s, 2)));
    at(s, 1, head, not1(s, ult(b, x, k32(s, 2))));
  }
  if (labels_body) at(s, 1, inside, yes(s));
  tp_str_printf(&s->text, "induction %d\n", v);
  if (counts_head) tp_str_printf(&s->text, "count 1 %u\n", head.id);
}
static tp_term anything(scene *s, tp_term x) { return (void)x, yes(s); }
static tp_term not_three(scene *s, tp_term x) { return not1(s, eq(&s->b, x, k32(s, 3))); }
static tp_term not_four(scene *s, tp_term x) { return not1(s, eq(&s->b, x, k32(s, 4))); }
static tp_term not_one(scene *s, tp_term x) { return not1(s, eq(&s->b, x, k32(s, 1))); }

static void steps(scene *s, int v) { rounds(s, v, 0, true, false, anything); }
static void steps_of_two(scene *s, int v) { rounds(s, v, 0, true, false, NULL); }
static void steps_of_all(scene *s, int v) { rounds(s, v, 0, false, true, anything); }
static void steps_past_label(scene *s, int v) { rounds(s, v, 0, true, true, anything); }
static void steps_with_formula(scene *s, int v) { rounds(s, v, 0, true, false, not_three); }
static void steps_from_three(scene *s, int v) { rounds(s, v, 3, true, false, anything); }
static void steps_not_inductive(scene *s, int v) { rounds(s, v, 0, true, false, not_four); }
static void steps_not_true(scene *s, int v) { rounds(s, v, 0, true, false, not_one); }
static void steps_of_nothing(scene *s, int v) {
  rounds(s, v, 0, false, false, anything);
  tp_str_printf(&s->text, "count 1 %u\n", tp_func_of(s->b.p, s->b.main)->entry.id);
}

// ---------------------------------------------------------------------- memory

/* *p = 1; for (;;) { *q = 2; *p == 1 } */
static void alias(scene *s, int v) {
  builder *b = &s->b;
  tp_sort ptr = tp_sort_ptr(b->tt);
  tp_var pv = local(b, "p", ptr), qv = local(b, "q", ptr), xv = local(b, "x", bv(b, 32));
  tp_term p = var_term(s, pv), q = var_term(s, qv), one = k32(s, 1);
  alloc(b, pv, TP_O_STACK, k64(s, 8));
  if (v == 0 || v == 1 || v == 5)
    alloc(b, qv, TP_O_STACK, k64(s, 8));
  else if (v == 2 || v == 3)
    assign(b, qv, p);
  else if (v == 4)
    assign(b, qv, moved(s, p, 2));
  else
    assign(b, qv, moved(s, p, 4));
  store(b, p, one);
  tp_loc head = b->at;
  store(b, q, k32(s, 2));
  load(b, xv, p);
  claim(b, eq(b, var_term(s, xv), one));
  go_to(b, head);
  b->at = place(b, b->main);
  tp_term content = eq(b, cell32(s, p), one);
  say(s, "context 1 main");
  if (v == 0)
    at(s, 1, head,
       and2(s, and2(s, apart(s, p, q), content),
            and2(s, owns(s, p, 8, TP_O_STACK), owns(s, q, 8, TP_O_STACK))));
  else if (v == 1 || v == 2)
    at(s, 1, head, content);
  else if (v == 3 || v == 4)
    at(s, 1, head, and2(s, apart(s, p, q), content));
  else if (v == 5)
    at(s, 1, head, and2(s, not1(s, eq(b, p, q)), content));  // different, but perhaps overlapping
  else
    at(s, 1, head, and2(s, content, eq(b, q, moved(s, p, 4))));
}

/* One byte in the middle of a word that is said to stay. */
static void middle(scene *s, int v) {
  builder *b = &s->b;
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), xv = local(b, "x", bv(b, 32));
  tp_term p = var_term(s, pv), content = eq(b, cell32(s, p), k32(s, 1));
  alloc(b, pv, TP_O_HEAP, k64(s, 8));
  store(b, p, k32(s, 1));
  tp_loc head = b->at;
  if (v == 2)
    edge(b, (tp_edge_info){.kind = TP_E_SET, .a = p, .b = num(b, 8, 7), .c = k64(s, 1)});
  else if (v == 3)
    edge(b, (tp_edge_info){
                .kind = TP_E_COPY, .a = moved(s, p, 3), .b = moved(s, p, 4), .c = k64(s, 4)});
  else if (v == 4)
    edge(b,
         (tp_edge_info){.kind = TP_E_HAVOC_MEMORY, .a = p, .c = k64(s, 1), .input = TP_I_NONDET});
  else if (v == 5)
    edge(b,
         (tp_edge_info){
             .kind = TP_E_HAVOC_MEMORY, .a = moved(s, p, 4), .c = k64(s, 4), .input = TP_I_NONDET});
  else
    store(b, moved(s, p, v == 0 ? 4 : 3), num(b, 8, 7));
  load(b, xv, p);
  claim(b, eq(b, var_term(s, xv), k32(s, 1)));
  go_to(b, head);
  b->at = place(b, b->main);
  say(s, "context 1 main");
  at(s, 1, head, content);
}

/* What an object holds at first. */
static void fresh_object(scene *s, int v) {
  builder *b = &s->b;
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), xv = local(b, "x", bv(b, 32));
  tp_term p = var_term(s, pv);
  edge(b, (tp_edge_info){.kind = TP_E_ALLOC,
                         .var = pv,
                         .a = k64(s, 8),
                         .b = v == 0 ? num(b, 8, 0) : TP_TERM_NONE,
                         .object_kind = TP_O_HEAP,
                         .name = "o"});
  tp_loc l = b->at;
  load(b, xv, p);
  claim(b, eq(b, var_term(s, xv), k32(s, 0)));
  say(s, "context 1 main");
  if (v < 2) at(s, 1, l, and2(s, eq(b, cell32(s, p), k32(s, 0)), owns(s, p, 8, TP_O_HEAP)));
}

/* A new object is none of the old ones; an old one is not changed by it. */
static void chain(scene *s, int v) {
  builder *b = &s->b;
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), qv = local(b, "q", tp_sort_ptr(b->tt));
  tp_term p = var_term(s, pv), q = var_term(s, qv);
  alloc(b, pv, TP_O_HEAP, k64(s, 8));
  assign(b, qv, p);
  store(b, p, k32(s, 1));
  tp_loc head = b->at;
  alloc(b, pv, TP_O_HEAP, k64(s, 8));
  store(b, p, k32(s, v == 0 ? 1 : 2));
  claim(b, not1(s, eq(b, object(s, p), object(s, q))));
  if (v == 2) assign(b, qv, p);
  go_to(b, head);
  b->at = place(b, b->main);
  say(s, "context 1 main");
  at(s, 1, head, eq(b, cell32(s, v == 1 ? p : q), k32(s, 1)));
}

/* A freed object is not live, and its content nobody's. */
static void freed(scene *s, int v) {
  builder *b = &s->b;
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), qv = local(b, "q", tp_sort_ptr(b->tt));
  tp_term p = var_term(s, pv), q = var_term(s, qv), heap = tp_var_of(b->p, b->p->ghost_heap)->term;
  alloc(b, pv, TP_O_HEAP, k64(s, 8));
  assign(b, qv, p);
  tp_loc between = b->at;
  edge(b, (tp_edge_info){.kind = TP_E_FREE, .a = q});
  tp_loc after = b->at;
  if (v <= 1)
    claim(b, not1(s, live(s, p)));
  else
    claim(b, v == 2 ? eq(b, heap, k32(s, 0)) : live(s, p));
  say(s, "context 1 main");
  if (v == 0) at(s, 1, between, and2(s, eq(b, p, q), owns(s, p, 8, TP_O_HEAP)));
  if (v == 1) at(s, 1, between, owns(s, p, 8, TP_O_HEAP));  // q may be another
  if (v == 2) at(s, 1, between, and2(s, eq(b, heap, k32(s, 1)), owns(s, q, 8, TP_O_HEAP)));
  if (v == 3) at(s, 1, between, and2(s, eq(b, p, q), owns(s, p, 8, TP_O_HEAP)));
  if (v == 4) at(s, 1, after, live(s, p));
}

/* An initialised static; constant ones stay, others only at the beginning. */
static void statics(scene *s, int v) {
  builder *b = &s->b;
  static const uint8_t image[8] = {5, 0, 0, 0, 6, 0, 0, 0};
  uint32_t id = tp_program_add_static(b->p, (tp_static){.name = "g",
                                                        .kind = TP_O_GLOBAL,
                                                        .size_bytes = 8,
                                                        .align_bytes = 4,
                                                        .image = image,
                                                        .is_const = v == 1,
                                                        .is_extern = v == 3});
  tp_var xv = local(b, "x", bv(b, 32));
  tp_term g = tp_mk_ptr_const(b->tt, id, 4);
  input(b, xv);
  tp_loc head = b->at;
  load(b, xv, g);
  claim(b, eq(b, var_term(s, xv), k32(s, 6)));
  go_to(b, head);
  b->at = place(b, b->main);
  say(s, "context 1 main");
  at(s, 1, head, v == 1 || v == 2 ? yes(s) : eq(b, cell32(s, g), k32(s, 6)));
}

/* An integer that is an address: q = (int *)x, *q = 2, *p == 1. */
static void address(scene *s, int v) {
  builder *b = &s->b;
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), qv = local(b, "q", tp_sort_ptr(b->tt)),
         xv = local(b, "x", bv(b, 64)), yv = local(b, "y", bv(b, 32));
  tp_term p = var_term(s, pv), x = var_term(s, xv), content = eq(b, cell32(s, p), k32(s, 1)),
          where = k64(s, 0x100000);
  alloc(b, pv, TP_O_STACK, k64(s, 8));
  store(b, p, k32(s, 1));
  assign(b, xv, tp_mk1(b->tt, TP_OP_PTR_TO_INT, p));
  if (v == 1) assume(b, eq(b, x, where));
  tp_loc l = b->at;
  if (v == 3) {  // through memory
    tp_var av = local(b, "a", tp_sort_ptr(b->tt));
    alloc(b, av, TP_O_STACK, k64(s, 8));
    store(b, var_term(s, av), x);
    load(b, qv, var_term(s, av));
  } else {
    assign(b, qv, tp_mk1(b->tt, TP_OP_INT_TO_PTR, x));
  }
  store(b, var_term(s, qv), k32(s, 2));
  load(b, yv, p);
  claim(b, eq(b, var_term(s, yv), k32(s, 1)));
  say(s, "context 1 main");
  tp_term known = and2(s, content, owns(s, p, 8, TP_O_STACK));
  if (v != 2) at(s, 1, l, v == 1 ? and2(s, known, eq(b, x, where)) : known);
}

/* One past the end of an object may be the start of another. */
static void neighbours(scene *s, int v) {
  builder *b = &s->b;
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), qv = local(b, "q", tp_sort_ptr(b->tt));
  tp_term p = var_term(s, pv), q = var_term(s, qv);
  tp_object_kind kind = v == 1 ? TP_O_HEAP : TP_O_STACK;
  alloc(b, pv, kind, k64(s, 8));
  alloc(b, qv, kind, k64(s, 8));
  tp_loc l = b->at;
  error_if(b, eq(b, moved(s, p, v == 2 ? 0 : 8), q));
  say(s, "context 1 main");
  at(s, 1, l, and2(s, apart(s, p, q), and2(s, owns(s, p, 8, kind), owns(s, q, 8, kind))));
}

// ----------------------------------------------------------------------- calls

/* int set(int *x) { *x = K; return K; }  main: local object, call in a loop. */
static void callee_stores(scene *s, int v) {
  builder *b = &s->b;
  body f = function(s, "set", tp_sort_ptr(b->tt));
  tp_term x = var_term(s, f.param);
  store(b, x, k32(s, v == 1 || v == 10 ? 2 : 1));
  end_function(s, f, k32(s, 1));
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), rv = local(b, "r", bv(b, 32));
  tp_term p = var_term(s, pv);
  alloc(b, pv, TP_O_STACK, k64(s, 4));
  store(b, p, k32(s, 1));
  tp_loc head = b->at;
  tp_edge e = call(s, f.func, TP_TERM_NONE, rv, p);
  load(b, rv, p);
  claim(b, eq(b, var_term(s, rv), k32(s, 1)));
  go_to(b, head);
  b->at = place(b, b->main);
  say(s, "context 1 main");
  tp_term inv = and2(s, owns(s, p, 4, TP_O_STACK), eq(b, cell32(s, p), k32(s, 1)));
  if (v != 3) call_context(s, 2, 1, v == 4 ? (tp_edge){e.id + 1} : e, v == 5 ? "main" : "set");
  if (v == 6) call_context(s, 3, 2, e, "set");
  at(s, 1, head, inv);
  if (v == 0 || v == 1) at(s, 2, entry_of(s, f), and2(s, inv, eq(b, x, p)));
  if (v == 7 || v == 10) at(s, 2, entry_of(s, f), inv);  // nothing of x: the store may go anywhere
  if (v == 8) at(s, 2, f.exit, inv);                     // p, of the caller's frame
  if (v == 9) at(s, 1, head, eq(b, var_term(s, f.param), p));  // of a frame that is not there
}

/* int keep(int x) { static-like local k; if (!x) k = 1; return k; }: locals do not survive a call.
 */
static void dead_locals(scene *s, int v) {
  builder *b = &s->b;
  body f = function(s, "keep", bv(b, 32));
  tp_var kv = local(b, "k", bv(b, 32));
  tp_loc other = branch(b, eq(b, var_term(s, f.param), k32(s, 0))), meet = place(b, f.func);
  assign(b, kv, k32(s, 1));
  go_to(b, meet);
  b->at = other;
  go_to(b, meet);
  b->at = meet;
  end_function(s, f, var_term(s, kv));
  tp_var rv = local(b, "r", bv(b, 32)), iv = local(b, "i", bv(b, 32));
  assign(b, iv, k32(s, 0));
  tp_edge first = call(s, f.func, TP_TERM_NONE, rv, k32(s, 0));
  tp_edge second = TP_EDGE_NONE;
  if (v) second = call(s, f.func, TP_TERM_NONE, rv, k32(s, 1));
  claim(b, eq(b, var_term(s, rv), k32(s, 1)));
  say(s, "context 1 main");
  call_context(s, 2, 1, first, "keep");
  if (v) call_context(s, 3, 1, second, "keep");
}

/* int sum(int x) { return x == 0 ? 0 : sum(x - 1) & 1; }  main: sum(nondet) <= 1. */
static void recursion(scene *s, int v) {
  builder *b = &s->b;
  tp_var g = tp_program_add_var(
      b->p, (tp_var_info){.name = "g", .kind = TP_V_GLOBAL, .initial = k32(s, 3)}, bv(b, 32));
  body f = function(s, "sum", bv(b, 32));
  tp_term x = var_term(s, f.param), one = k32(s, 1);
  tp_var r = local(b, "r", bv(b, 32));
  tp_loc more = branch(b, eq(b, x, k32(s, 0)));
  give(s, f, k32(s, v == 3 ? 2 : 0));
  b->at = more;
  if (v == 10) assign(b, g, k32(s, 4));
  tp_edge inner = call(s, f.func, TP_TERM_NONE, r, tp_mk_sub(b->tt, x, one));
  end_function(s, f, tp_mk2(b->tt, TP_OP_BV_AND, var_term(s, r), v == 12 ? k32(s, 3) : one));
  tp_var in = local(b, "in", bv(b, 32)), out = local(b, "out", bv(b, 32));
  input(b, in);
  tp_edge outer = call(s, f.func, TP_TERM_NONE, out, var_term(s, in));
  claim(b, tp_mk2(b->tt, TP_OP_BV_ULE, var_term(s, out), one));
  if (v == 9 || v == 10) claim(b, eq(b, term_of(b, g), k32(s, 3)));
  tp_term small = tp_mk2(b->tt, TP_OP_BV_ULE, var_term(s, f.result), one);
  if (v == 1 || v == 2) {  // no contract
    say(s, "context 1 main");
    call_context(s, 2, 1, outer, "sum");
    if (v == 2) call_context(s, 3, 2, inner, "sum");
    return;
  }
  say(s, "contract 1 sum");
  if (v == 11) say(s, "contract 2 sum");
  say(s, "context 1 main");
  if (v == 6)
    call_context(s, 2, 1, outer, "sum");
  else if (v != 5)
    say(s, "context 2 contract 1");
  if (v == 11) say(s, "context 3 contract 2");
  if (v == 4)
    contract_says(s, "post", 1, no(s));
  else if (v == 7)
    contract_says(s, "post", 1, eq(b, var_term(s, f.result), k32(s, 0)));
  else if (v == 9 || v == 10)
    contract_says(s, "post", 1, and2(s, small, eq(b, term_of(b, g), k32(s, 3))));
  else
    contract_says(s, "post", 1, small);
  if (v == 8) contract_says(s, "pre", 1, ult(b, x, k32(s, 10)));
  if (v == 9 || v == 10) contract_says(s, "pre", 1, eq(b, term_of(b, g), k32(s, 3)));
  if (v == 11) {
    contract_says(s, "pre", 1, eq(b, tp_mk_extract(b->tt, 0, 0, x), num(b, 1, 0)));
    contract_says(s, "pre", 2, eq(b, tp_mk_extract(b->tt, 0, 0, x), num(b, 1, 1)));
    contract_says(s, "post", 2, small);
  }
}

/* Two functions, one called through a pointer. */
static void indirect(scene *s, int v) {
  builder *b = &s->b;
  body one = function(s, "one", bv(b, 32));
  end_function(s, one, k32(s, 1));
  body two = function(s, "two", bv(b, 32));
  end_function(s, two, k32(s, v == 2 ? 3 : 2));
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), xv = local(b, "x", bv(b, 32));
  tp_term p = var_term(s, pv), f1 = tp_mk_ptr_const(b->tt, tp_func_of(b->p, one.func)->object, 0),
          f2 = tp_mk_ptr_const(b->tt, tp_func_of(b->p, two.func)->object, 0);
  input(b, xv);
  assign(b, pv, tp_mk_ite(b->tt, eq(b, var_term(s, xv), k32(s, 0)), f1, f2));
  tp_loc l = b->at;
  tp_edge e = call(s, TP_FUNC_NONE, p, xv, var_term(s, xv));
  claim(b, ult(b, var_term(s, xv), k32(s, 3)));
  say(s, "context 1 main");
  call_context(s, 2, 1, e, "one");
  if (v != 1) call_context(s, 3, 1, e, "two");
  if (v == 3) call_context(s, 4, 1, e, "two");
  at(s, 1, l,
     v == 4   ? yes(s)
     : v == 5 ? eq(b, p, f1)
              : tp_mk_or(b->tt, eq(b, p, f1), eq(b, p, f2)));
}

/* What a call by contract leaves as it was: variables of the caller, sizes and kinds of objects;
 * of a function that never writes memory (v + 10), memory and objects, too. */
static void by_contract(scene *s, int v) {
  builder *b = &s->b;
  const bool writes = v < 10;
  v %= 10;
  body f = function(s, "any", bv(b, 32));
  if (writes) {
    tp_var ov = tp_program_add_var(
        b->p, (tp_var_info){.name = "o", .kind = TP_V_LOCAL, .func = f.func}, tp_sort_ptr(b->tt));
    alloc(b, ov, TP_O_HEAP, k64(s, 8));
  }
  end_function(s, f, k32(s, 0));
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), qv = local(b, "q", tp_sort_ptr(b->tt)),
         rv = local(b, "r", bv(b, 32)), xv = local(b, "x", bv(b, 32));
  tp_term p = var_term(s, pv), q = var_term(s, qv), x = var_term(s, xv),
          heap = tp_var_of(b->p, b->p->ghost_heap)->term;
  alloc(b, pv, v == 6 ? TP_O_STACK : TP_O_HEAP, k64(s, 8));
  store(b, p, k32(s, 1));
  assign(b, xv, k32(s, 5));
  call(s, f.func, TP_TERM_NONE, rv, x);
  alloc(b, qv, TP_O_HEAP, k64(s, 8));
  switch (v) {
    case 0: claim(b, eq(b, x, k32(s, 5))); break;
    case 1: claim(b, size_is(s, p, 8)); break;
    case 2: claim(b, apart(s, p, q)); break;
    case 3: claim(b, kind_is(s, p, TP_O_HEAP)); break;
    case 4: claim(b, live(s, p)); break;
    case 5:
    case 6:
      load(b, xv, p);
      claim(b, eq(b, x, k32(s, 1)));
      break;
    case 7: claim(b, eq(b, heap, k32(s, 2))); break;
    case 8: claim(b, size_is(s, q, 8)); break;
    default: claim(b, live(s, q)); break;
  }
  say(s, "contract 1 any");
  say(s, "context 1 main");
  say(s, "context 2 contract 1");
  contract_says(s, "post", 1, eq(b, var_term(s, f.result), k32(s, 0)));
}

/* A post that speaks of the argument: the parameter is never assigned (0); it is, so that at the
 * exit it is not the argument (1, 2); the post is not met (3). */
static void relating(scene *s, int v) {
  builder *b = &s->b;
  body f = function(s, "same", bv(b, 32));
  const tp_term x = var_term(s, f.param), more = tp_mk2(b->tt, TP_OP_BV_ADD, x, k32(s, 1));
  if (v == 1) assign(b, f.param, more);
  if (v == 2) assign(b, f.param, x);
  end_function(s, f, v == 3 ? more : x);
  tp_var in = local(b, "in", bv(b, 32)), out = local(b, "out", bv(b, 32));
  input(b, in);
  call(s, f.func, TP_TERM_NONE, out, var_term(s, in));
  claim(b, eq(b, var_term(s, out), var_term(s, in)));
  say(s, "contract 1 same");
  say(s, "context 1 main");
  say(s, "context 2 contract 1");
  contract_says(s, "post", 1, eq(b, var_term(s, f.result), x));
}

/* Pointers through memory: whole, copied, as integers, and as integers from before a label. */
static void pointers(scene *s, int v) {
  builder *b = &s->b;
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), av = local(b, "a", tp_sort_ptr(b->tt)),
         qv = local(b, "q", tp_sort_ptr(b->tt)), xv = local(b, "x", bv(b, 32)),
         yv = local(b, "y", bv(b, 64));
  tp_term p = var_term(s, pv), a = var_term(s, av), q = var_term(s, qv);
  alloc(b, pv, TP_O_STACK, k64(s, 8));
  alloc(b, av, TP_O_STACK, k64(s, 16));
  store(b, p, k32(s, 1));
  if (v == 3 || v == 4)
    store(b, a, k64(s, 0));
  else
    store(b, a, p);
  tp_loc l = b->at;
  tp_term known = and2(s, and2(s, owns(s, p, 8, TP_O_STACK), owns(s, a, 16, TP_O_STACK)),
                       and2(s, apart(s, p, a), eq(b, cell32(s, p), k32(s, 1))));
  if (v == 1)
    edge(b, (tp_edge_info){.kind = TP_E_COPY, .a = moved(s, a, 8), .b = a, .c = k64(s, 8)});
  if (v == 2) {
    load(b, yv, a);
    store(b, moved(s, a, 8), var_term(s, yv));
  }
  load(b, qv, v == 1 || v == 2 ? moved(s, a, 8) : a);
  if (v == 3 || v == 4) {
    claim(b, eq(b, q, tp_mk_null(b->tt)));
  } else {
    store(b, q, k32(s, 2));
    load(b, xv, p);
    claim(b, eq(b, var_term(s, xv), k32(s, v == 5 ? 1 : 2)));
  }
  say(s, "context 1 main");
  tp_term points = eq(b, tp_cell(b->p, tp_sort_ptr(b->tt), a), p);
  if (v == 3) return;
  at(s, 1, l,
     v == 4 ? and2(s, known, eq(b, tp_cell(b->p, bv(b, 64), a), k64(s, 0)))
            : and2(s, known, points));
}

/* An object of eight bytes: accesses at its end. */
static void bounds(scene *s, int v) {
  builder *b = &s->b;
  tp_var pv = local(b, "p", tp_sort_ptr(b->tt)), iv = local(b, "i", bv(b, 64));
  tp_term p = var_term(s, pv), i = var_term(s, iv), to = tp_mk_ptr_add(b->tt, p, i);
  alloc(b, pv, TP_O_HEAP, k64(s, 8));
  input(b, iv);
  tp_loc l = b->at;
  if (v == 1) assume(b, tp_mk2(b->tt, TP_OP_BV_ULE, i, k64(s, 4)));
  if (v == 3) error_if(b, not1(s, tp_mk2(b->tt, TP_OP_BV_ULE, i, k64(s, 5))));
  store(b, to, k32(s, 1));
  if (v == 2) claim(b, tp_mk2(b->tt, TP_OP_BV_ULE, i, k64(s, 4)));  // else the run has ended
  say(s, "context 1 main");
  at(s, 1, l,
     v == 4 ? and2(s, owns(s, p, 8, TP_O_HEAP), eq(b, cell32(s, moved(s, p, 100)), k32(s, 5)))
            : owns(s, p, 8, TP_O_HEAP));
}

// ------------------------------------------------------------------------- odd

static void odd(scene *s, int v) {
  builder *b = &s->b;
  tp_var xv = local(b, "x", bv(b, 32));
  if (v <= 1) {
    input(b, xv);
    tp_loc l = b->at, on = branch(b, ult(b, var_term(s, xv), k32(s, 5)));
    b->p->locs.at[b->at.id].is_unsupported = true;
    b->at = on;
    if (v == 1) at(s, 1, l, no(s));
  } else if (v == 2) {
    edge(b,
         (tp_edge_info){
             .kind = TP_E_HAVOC, .var = xv, .input = TP_I_EXTERN, .name = "f", .may_write = true});
  } else if (v == 3) {  // never assigned
    claim(b, eq(b, var_term(s, xv), k32(s, 0)));
  } else {
    tp_var pv = local(b, "p", tp_sort_ptr(b->tt));
    edge(b, (tp_edge_info){.kind = TP_E_HAVOC,
                           .var = pv,
                           .input = v == 4 ? TP_I_EXTERN : TP_I_NONDET,
                           .name = "f"});
    load(b, xv, var_term(s, pv));
  }
  tp_str entries = s->text;
  s->text = (tp_str){0};
  say(s, "context 1 main");
  tp_str_add(&s->text, tp_str_text(&entries));
  tp_str_clear(&entries);
}

// ---------------------------------------------------------------------- judging

#define OK TP_CERTIFY_ACCEPTED
#define WRONG TP_CERTIFY_REJECTED
#define OPEN TP_CERTIFY_UNDECIDED
typedef struct {
  const char *name;
  void (*build)(scene *s, int v);
  int v;
  tp_certify_result want;
  size_t assumptions;
} test_case;
static const test_case cases[] = {
    {"loop", count, 0, OK, 0},
    {"i not initialised", count, 1, WRONG, 0},
    {"steps of two", count, 2, WRONG, 0},
    {"too weak", count, 3, WRONG, 0},
    {"no label", count, 4, WRONG, 0},
    {"not inductive", count, 5, WRONG, 0},
    {"false at first", count, 6, WRONG, 0},
    {"two formulas", count, 7, OK, 0},
    {"30 of 32 formulas", count, 8, WRONG, 0},
    {"32 formulas", count, 9, OK, 0},
    {"all but one value", count, 10, WRONG, 0},
    {"entry is unreachable, it says", count, 11, WRONG, 0},
    {"label inside of the loop", count, 12, OK, 0},
    {"labels at errors", count, 13, WRONG, 0},
    {"body is unreachable, it says", count, 14, WRONG, 0},
    {"even numbers", even, 0, OK, 0},
    {"wrap-around", even, 1, WRONG, 0},
    {"one on the heap", one_way, 0, WRONG, 0},
    {"one on the heap, other way", one_way, 1, WRONG, 0},
    {"two on the heap", one_way, 2, WRONG, 0},
    {"two on the heap, other way", one_way, 3, WRONG, 0},
    {"on the heap as many as there are", one_way, 4, OK, 0},
    {"on the heap as many as there are, other way", one_way, 5, OK, 0},
    {"the smaller object", one_way, 6, WRONG, 0},
    {"the smaller object, other way", one_way, 7, WRONG, 0},
    {"the larger object", one_way, 8, WRONG, 0},
    {"the larger object, other way", one_way, 9, WRONG, 0},
    {"size by the object", one_way, 10, OK, 0},
    {"size by the object, other way", one_way, 11, OK, 0},
    {"always two objects", one_way, 12, WRONG, 0},
    {"always two objects, other way", one_way, 13, WRONG, 0},
    {"nothing lost", one_way, 14, OK, 0},
    {"nothing lost, other way", one_way, 15, OK, 0},
    {"something lost", one_way, 16, OPEN, 0},
    {"something lost, other way", one_way, 17, OPEN, 0},
    {"lost on one way", lost_way, 0, OPEN, 0},
    {"lost on the other way", lost_way, 1, OPEN, 0},
    {"lost on no way", lost_way, 2, OK, 0},
    {"a variable leads to the only object", counted, 0, OK, 0},
    {"the only object, which may be dead", counted, 1, OPEN, 0},
    {"two variables lead to two objects", counted, 2, OK, 0},
    {"two variables may lead to one of two objects", counted, 3, OPEN, 0},
    {"two variables lead to one of two objects", counted, 4, OPEN, 0},
    {"one step, said", steps, 1, WRONG, 0},
    {"two steps", steps, 2, WRONG, 0},
    {"a step too few", steps, 5, WRONG, 0},
    {"enough steps", steps, 6, OK, 0},
    {"more steps than needed", steps, 9, OK, 0},
    {"a label with two formulas, a step too few", steps_of_two, 5, WRONG, 0},
    {"a label with two formulas", steps_of_two, 6, OK, 0},
    {"steps to two labels, too few", steps_of_all, 9, WRONG, 0},
    {"steps to two labels", steps_of_all, 11, OK, 0},
    {"past a label, a step too few", steps_past_label, 5, WRONG, 0},
    {"past a label", steps_past_label, 6, OK, 0},
    {"a formula saves a step", steps_with_formula, 5, OK, 0},
    {"a formula saves no more", steps_with_formula, 4, WRONG, 0},
    {"the base fails at the end", steps_from_three, 6, WRONG, 0},
    {"the base fails", steps_from_three, 60, WRONG, 0},
    {"steps, but not inductive", steps_not_inductive, 6, WRONG, 0},
    {"steps, but false", steps_not_true, 6, WRONG, 0},
    {"steps to a label on no cycle", steps_of_nothing, 6, WRONG, 0},
    {"two objects", alias, 0, OK, 0},
    {"two objects, not said", alias, 1, OPEN, 0},
    {"one object", alias, 2, OPEN, 0},
    {"one object, denied", alias, 3, WRONG, 0},
    {"overlapping, denied", alias, 4, WRONG, 0},
    {"different addresses", alias, 5, OPEN, 0},
    {"neighbours in one object", alias, 6, OK, 2},
    {"byte beside", middle, 0, OK, 2},
    {"byte inside", middle, 1, OPEN, 0},
    {"set of a byte inside", middle, 2, OPEN, 0},
    {"copy across", middle, 3, OPEN, 0},
    {"input inside", middle, 4, OPEN, 0},
    {"input beside", middle, 5, OK, 2},
    {"filled object", fresh_object, 0, OK, 0},
    {"object with indeterminate content", fresh_object, 1, WRONG, 0},
    {"the same without a label", fresh_object, 2, WRONG, 0},
    {"new objects", chain, 0, OK, 0},
    {"new objects, another value", chain, 1, WRONG, 0},
    {"freed through another name", freed, 0, OK, 0},
    {"freed, other names not said", freed, 1, WRONG, 0},
    {"number of heap objects", freed, 2, OK, 0},
    {"live after free", freed, 3, WRONG, 0},
    {"live after free, said", freed, 4, WRONG, 0},
    {"static", statics, 0, OK, 0},
    {"constant static", statics, 1, OK, 0},
    {"static of unknown content", statics, 2, WRONG, 0},
    {"extern static", statics, 3, WRONG, 0},
    {"address as integer", address, 0, OPEN, 0},
    {"address with a known value", address, 1, OPEN, 0},
    {"address without a label", address, 2, WRONG, 0},
    {"address through memory", address, 3, OPEN, 0},
    {"neighbours", neighbours, 0, WRONG, 0},
    {"neighbours on the heap", neighbours, 1, OK, 0},
    {"different objects", neighbours, 2, OK, 0},
    {"store into the caller's object", callee_stores, 0, OK, 0},
    {"store of another value", callee_stores, 1, WRONG, 0},
    {"no label in the callee", callee_stores, 2, OK, 0},
    {"call without a context", callee_stores, 3, WRONG, 0},
    {"context of another edge", callee_stores, 4, WRONG, 0},
    {"main in its own context", callee_stores, 5, WRONG, 0},
    {"a function twice", callee_stores, 6, WRONG, 0},
    {"store of the same value through any pointer", callee_stores, 7, OK, 1},
    {"store through any pointer", callee_stores, 10, OPEN, 0},
    {"label at the callee's exit", callee_stores, 8, OK, 0},
    {"variable of no frame", callee_stores, 9, WRONG, 0},
    {"one call", dead_locals, 0, OK, 0},
    {"local of the last call", dead_locals, 1, WRONG, 0},
    {"recursion by contract", recursion, 0, OK, 0},
    {"recursion without contract", recursion, 1, WRONG, 0},
    {"recursion as a context", recursion, 2, WRONG, 0},
    {"recursion that is wrong", recursion, 3, WRONG, 0},
    {"it never returns, it says", recursion, 4, WRONG, 0},
    {"contract of no body", recursion, 5, WRONG, 0},
    {"contract and context", recursion, 6, WRONG, 0},
    {"sharper post", recursion, 7, OK, 0},
    {"pre that calls do not meet", recursion, 8, WRONG, 0},
    {"global that is kept", recursion, 9, OK, 0},
    {"global that is changed", recursion, 10, WRONG, 0},
    {"two contracts", recursion, 11, OK, 0},
    {"recursion with a wider mask", recursion, 12, OK, 0},
    {"through a pointer", indirect, 0, OK, 0},
    {"a callee without context", indirect, 1, WRONG, 0},
    {"a callee that is wrong", indirect, 2, WRONG, 0},
    {"two contexts for one call", indirect, 3, WRONG, 0},
    {"any pointer", indirect, 4, OK, 1},
    {"half of the pointers", indirect, 5, WRONG, 0},
    {"contract: variable of the caller", by_contract, 0, OK, 0},
    {"contract: size", by_contract, 1, OK, 0},
    {"contract: new object", by_contract, 2, OK, 0},
    {"contract: kind", by_contract, 3, OK, 0},
    {"contract: freed, perhaps", by_contract, 4, WRONG, 0},
    {"contract: content", by_contract, 5, OPEN, 0},
    {"contract: content of the caller's object", by_contract, 6, OPEN, 0},
    {"contract: number of heap objects", by_contract, 7, WRONG, 0},
    {"contract: size of a new object", by_contract, 8, OK, 0},
    {"contract: new object is live", by_contract, 9, OK, 0},
    {"post of a function without effects: live", by_contract, 14, OK, 0},
    {"post of a function without effects: content", by_contract, 15, OK, 0},
    {"post of a function without effects: number of heap objects", by_contract, 17, OK, 0},
    {"post speaks of the argument", relating, 0, OK, 0},
    {"post speaks of a parameter that was changed", relating, 1, WRONG, 0},
    {"post speaks of a parameter that is assigned", relating, 2, WRONG, 0},
    {"post relates, and is not met", relating, 3, WRONG, 0},
    {"pointer in memory", pointers, 0, OK, 0},
    {"pointer copied", pointers, 1, OK, 0},
    {"pointer copied as an integer", pointers, 2, OPEN, 0},
    {"zero is null", pointers, 3, OK, 0},
    {"zero before a label", pointers, 4, WRONG, 0},
    {"pointer in memory, ignored", pointers, 5, OPEN, 0},
    {"bounds not known", bounds, 0, OK, 1},
    {"bounds known", bounds, 1, OK, 0},
    {"bounds known behind", bounds, 2, OK, 1},
    {"bounds by an error", bounds, 3, WRONG, 0},
    {"cell that is nowhere", bounds, 4, WRONG, 0},
    {"not modelled", odd, 0, WRONG, 0},
    {"not modelled, denied", odd, 1, WRONG, 0},
    {"function that may write", odd, 2, OPEN, 0},
    {"never assigned", odd, 3, WRONG, 0},
    {"pointer from outside", odd, 4, OPEN, 0},
    {"pointer that is a number", odd, 5, OK, 1},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static void finish(scene *s, const char *property, tp_str *out) {
  end(&s->b);
  tp_str_printf(
      out,
      "twoproof-certificate 2\nkind invariants\nproperty %s\nmachine lp64\nprogram %016" PRIx64
      "\n%send\n",
      property, tp_program_fingerprint(s->b.p), tp_str_text(&s->text));
}

static tp_certify_result judge(const tp_program *p, tp_property prop, const char *text,
                               size_t *n_assumptions, tp_str *why) {
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {0};
  tp_certify_result r = tp_certify_true(p, prop, text, &limits, NULL, &report);
  if ((r == OK) != (report.why.n == 0)) fail_msg("%s without a reason", tp_certify_result_name(r));
  *n_assumptions = report.assumptions.n;
  tp_str_add(why, tp_str_text(&report.why));
  for (size_t i = 0; i < report.assumptions.n; i++)
    tp_str_printf(why, "[%s]", report.assumptions.at[i]);
  tp_certify_report_clear(&report);
  return r;
}

static void by_hand(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < N_CASES; i++) {
    const test_case *c = &cases[i];
    scene s = open_scene();
    tp_str text = {0}, why = {0};
    size_t n = 0;
    c->build(&s, c->v);
    finish(&s, "unreach-call", &text);
    tp_certify_result r = judge(s.b.p, TP_P_UNREACH_CALL, text.text, &n, &why);
    if (r != c->want || (r == OK && n != c->assumptions)) {
      print_error("%s: %s, %zu assumptions (%s)\n", c->name, tp_certify_result_name(r), n,
                  tp_str_text(&why));
      wrong++;
    }
    tp_str_clear(&why);
    tp_str_clear(&text);
    tp_str_clear(&s.text);
    tp_program_free(s.b.p);
  }
  assert_int_equal(wrong, 0);
}

/* An exact reached set: thousands of formulas at one place, each a start of its own. */
static void thousands_of_formulas(void **state) {
  (void)state;
  const unsigned n_formulas =
      getenv("TP_SOAK") ? 4000 : 512;  // a multiple of 32: i and j start again together
  for (int missing = 0; missing < 2; missing++) {
    scene s = open_scene();
    builder *b = &s.b;
    tp_var iv = local(b, "i", bv(b, 32)), jv = local(b, "j", bv(b, 32));
    tp_term i = var_term(&s, iv), j = var_term(&s, jv), last = eq(b, i, k32(&s, n_formulas - 1));
    assign(b, iv, k32(&s, 0));
    assign(b, jv, k32(&s, 0));
    tp_loc head = b->at;
    assign(b, iv, tp_mk_ite(b->tt, last, k32(&s, 0), add(b, i, k32(&s, 1))));
    assign(b, jv, tp_mk2(b->tt, TP_OP_BV_AND, add(b, j, k32(&s, 1)), k32(&s, 31)));
    claim(b, ult(b, i, k32(&s, n_formulas)));
    go_to(b, head);
    b->at = place(b, b->main);
    say(&s, "context 1 main");
    for (uint64_t k = 0; k < n_formulas; k++)
      if (!missing || k != n_formulas - 100)
        at(&s, 1, head, and2(&s, eq(b, i, k32(&s, k)), eq(b, j, k32(&s, k % 32))));
    tp_str text = {0}, why = {0};
    size_t n;
    finish(&s, "unreach-call", &text);
    double start = tp_cpu_s();
    assert_int_equal(judge(s.b.p, TP_P_UNREACH_CALL, text.text, &n, &why), missing ? WRONG : OK);
    print_message("%u formulas: %.2f s\n", n_formulas, tp_cpu_s() - start);
    assert_true(tp_cpu_s() - start < 5);
    tp_str_clear(&text);
    tp_str_clear(&why);
    tp_str_clear(&s.text);
    tp_program_free(s.b.p);
  }
}

/* What random runs find is false; they never speak against a certificate that is accepted. */
static void runs_contradict_what_is_false(void **state) {
  (void)state;
  int refuted = 0, wrong = 0;
  for (size_t i = 0; i < N_CASES; i++) {
    const test_case *c = &cases[i];
    scene s = open_scene();
    tp_str text = {0};
    c->build(&s, c->v);
    finish(&s, "unreach-call", &text);
    tp_certify_report report;
    tp_certify_report_init(&report);
    tp_certify_limits limits = {0};
    tp_inputs in;
    tp_inputs_init(&in);
    tp_certify_result r =
        tp_certify_run(s.b.p, TP_P_UNREACH_CALL, text.text, 1, 20, &limits, &in, &report);
    refuted += r == WRONG;
    if (c->want == OK && r != OK) {
      print_error("%s: %s\n", c->name, tp_str_text(&report.why));
      wrong++;
    }
    tp_inputs_clear(&in);
    tp_certify_report_clear(&report);
    tp_str_clear(&text);
    tp_str_clear(&s.text);
    tp_program_free(s.b.p);
  }
  print_message("%d of %d certificates refuted by runs\n", refuted, N_CASES);
  assert_int_equal(wrong, 0);
  assert_true(refuted > N_CASES / 4);
}

/* Entries that cannot be right, each in place of one of a right certificate. */
static void wrong_entries(void **state) {
  (void)state;
  static const struct {
    const char *from, *to;
  } changes[] = {
      {"twoproof-certificate 2", "twoproof-certificate 1"},
      {"kind invariants", "kind invariant"},
      {"unreach-call", "none"},
      {"unreach-call", "no-overflow"},
      {"lp64", "ilp32"},
      {"program ", "program 0"},
      {"contract 1 sum", "contract 2 sum"},
      {"contract 1 sum", "contract 1 main"},
      {"contract 1 sum", "contract 1 printf"},
      {"contract 1 sum\n", ""},
      {"contract 1 sum", "contract 1 sum\ncontract 1 sum"},
      {"context 1 main", "context 0 main"},
      {"context 1 main", "context 1 main\ncontext 2 main"},
      {"context 1 main\n", ""},
      {"context 1 main", "context 1 contract 1"},
      {"context 2 contract 1", "context 2 contract 2"},
      {"context 2 contract 1", "context 2 call 1 1 sum"},
      {"context 2 contract 1", "context 2 call 9 1 sum"},
      {"context 2 contract 1", "context 2 call 1 99999 sum"},
      {"context 2 contract 1\n", ""},
      {"post 1 ", "post 2 "},
      {"post 1 ", "pre 1 "},
      {"post 1 ", "post 1 TRUE\npost 1 "},
      {"post 1 (", "post 1 (("},
      {"post 1 (", "post 1 TRUE ("},
      {"post 1 ", "post 1 FALSE # "},
      {"post 1 ", "post 1 (bv 32 1) # "},
      {"post 1 ", "post 1 (EXISTS 1 (EQ (bound 1 bv32) (bv 32 1))) # "},
      {"post 1 ", "post 1 (EQ (memory bv8) (memory bv8)) # "},
      {"post 1 ", "post 1 (var 99999) # "},
      {"post 1 ", "at 1 99999 TRUE\npost 1 "},
      {"post 1 ", "at 3 1 TRUE\npost 1 "},
      {"post 1 ", "at 2 1 TRUE\npost 1 "},
      {"post 1 ", "nonsense\npost 1 "},
      {"end\n", "induction 0\nend\n"},
      {"end\n", "induction\nend\n"},
      {"end\n", "induction -1\nend\n"},
      {"end\n", "induction 2 2\nend\n"},
      {"end\n", "induction 1\ninduction 1\nend\n"},
      {"end\n", "induction 2\ncount 1 1\nend\n"},
      {"end\n", "induction 2\ncount 9 1\nend\n"},
      {"end\n", "induction 2\ncount 1\nend\n"},
      {"end\n", "end"},
      {"end\n", ""},
      {"end\n", "end\nend\n"},
  };
  for (size_t i = 0; i <= sizeof changes / sizeof *changes; i++) {
    scene s = open_scene();
    tp_str text = {0}, m = {0}, why = {0};
    recursion(&s, 0);
    finish(&s, "unreach-call", &text);
    bool last = i == sizeof changes / sizeof *changes;  // unchanged
    const char *from = last ? "end" : changes[i].from, *to = last ? "end" : changes[i].to,
               *found = strstr(text.text, from);
    assert_non_null(found);
    tp_str_add_n(&m, text.text, (size_t)(found - text.text));
    tp_str_add(&m, to);
    tp_str_add(&m, found + strlen(from));
    size_t n;
    tp_certify_result r = judge(s.b.p, TP_P_UNREACH_CALL, m.text, &n, &why);
    if (r != (last ? OK : WRONG))
      fail_msg("%s instead of %s: %s (%s)", to, from, tp_certify_result_name(r), tp_str_text(&why));
    tp_str_clear(&text);
    tp_str_clear(&m);
    tp_str_clear(&why);
    tp_str_clear(&s.text);
    tp_program_free(s.b.p);
  }
}

/* Facts alone: no claim about errors, but what is said must be so. */
static void facts_without_a_claim(void **state) {
  (void)state;
  for (int v = 3; v <= 6; v++) {  // too weak for the claim; no label; not inductive; false at first
    scene s = open_scene();
    tp_str text = {0}, why = {0};
    count(&s, v);
    finish(&s, "none", &text);
    size_t n;
    assert_int_equal(judge(s.b.p, TP_P_NONE, text.text, &n, &why), v == 3 ? OK : WRONG);
    tp_str_clear(&text);
    tp_str_clear(&why);
    tp_str_clear(&s.text);
    tp_program_free(s.b.p);
  }
}

static void nothing_is_left_allocated(void **state) {
  (void)state;
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),
      cmocka_unit_test(wrong_entries),
      cmocka_unit_test(facts_without_a_claim),
      cmocka_unit_test(thousands_of_formulas),
      cmocka_unit_test(runs_contradict_what_is_false),
      cmocka_unit_test(nothing_is_left_allocated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
