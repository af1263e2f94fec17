/* Programs built by hand, for the tests of this room. */
#ifndef TP_CERTIFY_TESTING_H
#define TP_CERTIFY_TESTING_H

#include "program/program.h"

#include <setjmp.h>

#include <cmocka.h>

typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_func main;
  tp_loc at;  // where the next edge starts
} builder;

static inline tp_loc place(builder *b, tp_func f) {
  return tp_program_add_loc(b->p, (tp_loc_info){.func = f});
}
static inline tp_sort bv(builder *b, uint32_t n) { return tp_sort_bv(b->tt, n); }
static inline tp_term num(builder *b, uint32_t width, uint64_t v) {
  return tp_mk_bv(b->tt, width, v);
}
static inline tp_term term_of(builder *b, tp_var v) { return tp_var_of(b->p, v)->term; }

static inline builder begin(void) {
  builder b = {.p = tp_program_new(NULL, 64)};
  b.tt = b.p->terms;
  b.main = tp_program_add_func(b.p, (tp_func_info){.name = "main", .has_body = true});
  b.p->main = b.main;
  b.at = place(&b, b.main);
  b.p->funcs.at[b.main.id].entry = b.at;
  return b;
}

static inline tp_program *end(builder *b) {
  tp_loc exit = place(b, b->main);
  b->p->funcs.at[b->main.id].exit = exit;
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_RETURN, .from = b->at, .to = exit});
  tp_program_finish(b->p);
  tp_str why = {0};
  if (!tp_program_check(b->p, &why)) print_error("%s\n", tp_str_text(&why));
  assert_true(tp_program_check(b->p, &why));
  tp_str_clear(&why);
  return b->p;
}

static inline tp_var local(builder *b, const char *name, tp_sort s) {
  return tp_program_add_var(
      b->p, (tp_var_info){.name = name, .kind = TP_V_LOCAL, .func = tp_loc_of(b->p, b->at)->func},
      s);
}

static inline void edge(builder *b, tp_edge_info e) {
  e.from = b->at;
  if (!e.to.id) e.to = place(b, tp_loc_of(b->p, b->at)->func);
  b->at = e.to;
  tp_program_add_edge(b->p, e);
}
static inline void input(builder *b, tp_var v) {
  edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
}
static inline void assign(builder *b, tp_var v, tp_term t) {
  edge(b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = v, .a = t});
}
static inline void assume(builder *b, tp_term t) {
  edge(b, (tp_edge_info){.kind = TP_E_ASSUME, .a = t});
}
static inline void load(builder *b, tp_var v, tp_term p) {
  edge(b, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = p});
}
static inline void store(builder *b, tp_term p, tp_term v) {
  edge(b, (tp_edge_info){.kind = TP_E_STORE, .a = p, .b = v});
}
static inline void alloc(builder *b, tp_var v, tp_object_kind kind, tp_term size) {
  edge(b, (tp_edge_info){
              .kind = TP_E_ALLOC, .var = v, .a = size, .object_kind = kind, .name = "object"});
}

/* Branch; goes on where c holds and gives the other side. */
static inline tp_loc branch(builder *b, tp_term c) {
  tp_func f = tp_loc_of(b->p, b->at)->func;
  tp_loc from = b->at, yes = place(b, f), no = place(b, f);
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_ASSUME, .from = from, .to = yes, .a = c});
  tp_program_add_edge(
      b->p,
      (tp_edge_info){
          .kind = TP_E_ASSUME, .from = from, .to = no, .a = tp_mk_not(b->tt, c), .negated = true});
  b->at = yes;
  return no;
}
static inline void go_to(builder *b, tp_loc to) {
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_SKIP, .from = b->at, .to = to});
}

static inline void error_if(builder *b, tp_term c) {
  tp_loc on = branch(b, c);
  tp_loc bad = tp_program_add_loc(
      b->p, (tp_loc_info){
                .func = tp_loc_of(b->p, on)->func, .error = TP_P_UNREACH_CALL, .message = "error"});
  go_to(b, bad);
  b->at = on;
}
static inline void claim(builder *b, tp_term c) { error_if(b, tp_mk_not(b->tt, c)); }

static inline tp_term ult(builder *b, tp_term x, tp_term y) {
  return tp_mk2(b->tt, TP_OP_BV_ULT, x, y);
}
static inline tp_term add(builder *b, tp_term x, tp_term y) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, x, y);
}
static inline tp_term eq(builder *b, tp_term x, tp_term y) { return tp_mk_eq(b->tt, x, y); }

#endif
