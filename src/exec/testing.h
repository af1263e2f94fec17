/* Small programs built by hand, for the tests of this room. */
#ifndef TP_EXEC_TESTING_H
#define TP_EXEC_TESTING_H

#include "exec/exec.h"

#include <setjmp.h>

#include <cmocka.h>

typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_diag *diag;
  tp_func func;  // the one being built
  tp_loc at;     // where the next edge starts
  tp_loc exit;
} build;

static inline build build_new(uint32_t ptr_bits) {
  build b = {.diag = tp_diag_new(stderr, false)};
  b.p = tp_program_new(b.diag, ptr_bits);
  b.tt = b.p->terms;
  return b;
}

static inline void build_free(build *b) {
  tp_program_free(b->p);
  tp_diag_free(b->diag);
  assert_int_equal(tp_live_bytes(), 0);
}

static inline tp_loc build_loc(build *b) {
  return tp_program_add_loc(b->p, (tp_loc_info){.func = b->func});
}

/* Starts a function (with body) and makes it main if it is called so. result: sort, or {0} for
 * void. */
static inline tp_func build_func(build *b, const char *name, tp_sort result) {
  tp_type t = tp_program_add_type(b->p, (tp_type_info){.kind = TP_T_FUNCTION, .name = "function"});
  b->func = tp_program_add_func(b->p, (tp_func_info){.name = name, .type = t, .has_body = true});
  b->at = build_loc(b);
  b->exit = build_loc(b);
  tp_func_info *f = &b->p->funcs.at[b->func.id];
  f->entry = b->at;
  f->exit = b->exit;
  if (result.id)
    f->result = tp_program_add_var(
        b->p, (tp_var_info){.name = "result", .kind = TP_V_LOCAL, .func = b->func}, result);
  b->p->funcs.at[b->func.id] = *f;
  if (strcmp(name, "main") == 0) b->p->main = b->func;
  return b->func;
}

static inline tp_var build_var(build *b, const char *name, tp_sort s) {
  return tp_program_add_var(b->p, (tp_var_info){.name = name, .kind = TP_V_LOCAL, .func = b->func},
                            s);
}
static inline tp_var build_param(build *b, const char *name, tp_sort s) {
  tp_var v =
      tp_program_add_var(b->p, (tp_var_info){.name = name, .kind = TP_V_PARAM, .func = b->func}, s);
  tp_func_info *f = &b->p->funcs.at[b->func.id];
  tp_var *params = tp_arena_array(&b->p->arena, tp_var, f->n_params + 1);
  if (f->n_params) memcpy(params, f->params, f->n_params * sizeof *params);
  params[f->n_params++] = v;
  f->params = params;
  return v;
}
static inline tp_var build_global(build *b, const char *name, tp_sort s, tp_term initial) {
  return tp_program_add_var(
      b->p, (tp_var_info){.name = name, .kind = TP_V_GLOBAL, .initial = initial}, s);
}
static inline tp_term build_term(const build *b, tp_var v) { return tp_var_of(b->p, v)->term; }

/* Adds the edge from the current location to a new one (or to e.to) and goes there. */
static inline tp_edge build_edge(build *b, tp_edge_info e) {
  e.from = b->at;
  if (!e.to.id) e.to = build_loc(b);
  b->at = e.to;
  return tp_program_add_edge(b->p, e);
}
static inline void build_assign(build *b, tp_var v, tp_term t) {
  build_edge(b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = v, .a = t});
}
static inline void build_return(build *b, tp_term t) {
  build_edge(b, (tp_edge_info){.kind = TP_E_RETURN, .a = t, .to = b->exit});
}
/* Both branches; goes on in the first, returns the location of the other. */
static inline tp_loc build_branch(build *b, tp_term c) {
  tp_loc from = b->at, yes = build_loc(b), no = build_loc(b);
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_ASSUME, .from = from, .to = yes, .a = c});
  tp_program_add_edge(
      b->p,
      (tp_edge_info){
          .kind = TP_E_ASSUME, .from = from, .to = no, .a = tp_mk_not(b->tt, c), .negated = true});
  b->at = yes;
  return no;
}
static inline tp_loc build_error(build *b, tp_property kind) {
  return tp_program_add_loc(b->p,
                            (tp_loc_info){.func = b->func, .error = kind, .message = "error"});
}
/* assert(c): the error location is reached if c is false. */
static inline void build_assert(build *b, tp_term c) {
  tp_loc yes = b->at, no = build_branch(b, c);
  (void)yes;
  tp_program_add_edge(
      b->p, (tp_edge_info){.kind = TP_E_SKIP, .from = no, .to = build_error(b, TP_P_UNREACH_CALL)});
}
static inline void build_done(build *b) {
  tp_program_finish(b->p);
  tp_str why = {0};
  if (!tp_program_check(b->p, &why)) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
}

static inline tp_term bv(const build *b, uint32_t width, int64_t v) {
  return tp_mk_bv_signed(b->tt, width, v);
}

#endif
