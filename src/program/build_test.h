/* Short forms for building programs by hand in unit tests. */
#ifndef TP_PROGRAM_BUILD_TEST_H
#define TP_PROGRAM_BUILD_TEST_H

#include "program/program.h"

static inline tp_term bv(tp_program *p, uint32_t width, uint64_t value) {
  return tp_mk_bv(p->terms, width, value);
}
static inline tp_sort bv_sort(tp_program *p, uint32_t width) { return tp_sort_bv(p->terms, width); }
static inline tp_sort ptr_sort(tp_program *p) { return tp_sort_ptr(p->terms); }
static inline tp_term term_of(tp_program *p, tp_var v) { return tp_var_of(p, v)->term; }
static inline tp_term plus(tp_program *p, tp_term pointer, uint64_t offset) {
  return tp_mk_ptr_add(p->terms, pointer, bv(p, p->ptr_bits, offset));
}

static inline tp_loc loc(tp_program *p, tp_func f) {
  return tp_program_add_loc(p, (tp_loc_info){.func = f});
}

/* A function without parameters and result, with entry and exit. */
static inline tp_func func(tp_program *p, const char *name) {
  tp_func f = tp_program_add_func(p, (tp_func_info){.name = name, .has_body = true});
  tp_loc entry = loc(p, f), leave = loc(p, f);
  p->funcs.at[f.id].entry = entry;
  p->funcs.at[f.id].exit = leave;
  p->funcs.at[f.id].object = tp_program_add_static(
      p, (tp_static){.name = name, .kind = TP_O_FUNCTION, .size_bytes = 1, .func = f});
  return f;
}
static inline tp_loc entry_of(tp_program *p, tp_func f) { return tp_func_of(p, f)->entry; }
static inline tp_loc exit_of(tp_program *p, tp_func f) { return tp_func_of(p, f)->exit; }

static inline tp_var var(tp_program *p, tp_func f, const char *name, tp_sort sort, tp_type type) {
  return tp_program_add_var(
      p,
      (tp_var_info){.name = name, .kind = f.id ? TP_V_LOCAL : TP_V_GLOBAL, .func = f, .type = type},
      sort);
}

static inline tp_edge step(tp_program *p, tp_loc from, tp_loc to) {
  return tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_SKIP, .from = from, .to = to});
}
static inline tp_edge assign(tp_program *p, tp_loc from, tp_loc to, tp_var v, tp_term a) {
  return tp_program_add_edge(
      p, (tp_edge_info){.kind = TP_E_ASSIGN, .from = from, .to = to, .var = v, .a = a});
}
static inline tp_edge assume(tp_program *p, tp_loc from, tp_loc to, tp_term a) {
  return tp_program_add_edge(p,
                             (tp_edge_info){.kind = TP_E_ASSUME, .from = from, .to = to, .a = a});
}
static inline void branch(tp_program *p, tp_loc from, tp_loc yes, tp_loc no, tp_term a) {
  assume(p, from, yes, a);
  assume(p, from, no, tp_mk_not(p->terms, a));
}
static inline tp_edge load(tp_program *p, tp_loc from, tp_loc to, tp_var v, tp_term a) {
  return tp_program_add_edge(
      p, (tp_edge_info){.kind = TP_E_LOAD, .from = from, .to = to, .var = v, .a = a});
}
static inline tp_edge store(tp_program *p, tp_loc from, tp_loc to, tp_term a, tp_term b) {
  return tp_program_add_edge(
      p, (tp_edge_info){.kind = TP_E_STORE, .from = from, .to = to, .a = a, .b = b});
}
static inline tp_edge new_heap(tp_program *p, tp_loc from, tp_loc to, tp_var v, uint64_t size) {
  return tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_ALLOC,
                                               .from = from,
                                               .to = to,
                                               .var = v,
                                               .a = bv(p, p->ptr_bits, size),
                                               .object_kind = TP_O_HEAP,
                                               .name = "malloc"});
}
static inline tp_edge give_back(tp_program *p, tp_loc from, tp_func f, tp_term a) {
  return tp_program_add_edge(
      p, (tp_edge_info){.kind = TP_E_RETURN, .from = from, .to = exit_of(p, f), .a = a});
}
static inline tp_edge call(tp_program *p, tp_loc from, tp_loc to, tp_func callee, tp_term through) {
  return tp_program_add_edge(
      p, (tp_edge_info){.kind = TP_E_CALL, .from = from, .to = to, .callee = callee, .a = through});
}

#endif
