/* A straight line of edges in main, for tests: each edge a block of its own, the first from the
 * start of the program.
 *
 * What       words of 32 bits, pointers, objects of 8 bytes; the list example of Theoduloz 2010,
 *            sec. 5.3.1. */
#ifndef TP_FORMULA_LINE_TEST_H
#define TP_FORMULA_LINE_TEST_H

#include "formula/interpolants.h"
#include "program/build_test.h"

#include <setjmp.h>

#include <cmocka.h>

enum { MAX_LINE = 40, N_WORDS = 3, N_POINTERS = 3 };

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_terms *tt;
  tp_func main;
  tp_loc at;
  tp_var word[N_WORDS], pointer[N_POINTERS];
  tp_edge edges[MAX_LINE];
  size_t n;
  tp_paths paths;
  tp_path blocks[MAX_LINE];
} line;

static inline void line_begin(line *l) {
  memset(l, 0, sizeof *l);
  l->diag = tp_diag_new(stderr, false);
  l->p = tp_program_new(l->diag, 64);
  l->tt = l->p->terms;
  l->main = func(l->p, "main");
  l->p->main = l->main;
  static const char *const words[N_WORDS] = {"x", "y", "z"}, *const pointers[N_POINTERS] = {
                                                                 "a", "p", "q"};
  for (int i = 0; i < N_WORDS; i++)
    l->word[i] = var(l->p, l->main, words[i], bv_sort(l->p, 32), TP_TYPE_NONE);
  for (int i = 0; i < N_POINTERS; i++)
    l->pointer[i] = var(l->p, l->main, pointers[i], ptr_sort(l->p), TP_TYPE_NONE);
  l->at = entry_of(l->p, l->main);
}

static inline tp_loc line_next(line *l) { return l->at = loc(l->p, l->main); }
static inline void line_add(line *l, tp_edge e) { l->edges[l->n++] = e; }
static inline tp_term line_word(line *l, int i) { return term_of(l->p, l->word[i]); }
static inline tp_term line_pointer(line *l, int i) { return term_of(l->p, l->pointer[i]); }

static inline void line_set(line *l, tp_var v, tp_term value) {
  tp_loc from = l->at;
  line_add(l, assign(l->p, from, line_next(l), v, value));
}
static inline void line_require(line *l, tp_term condition) {
  tp_loc from = l->at;
  line_add(l, assume(l->p, from, line_next(l), condition));
}
static inline void line_read_from(line *l, tp_var v, tp_term address) {
  tp_loc from = l->at;
  line_add(l, load(l->p, from, line_next(l), v, address));
}
static inline void line_write_to(line *l, tp_term address, tp_term value) {
  tp_loc from = l->at;
  line_add(l, store(l->p, from, line_next(l), address, value));
}
static inline void line_ask_for(line *l, tp_var v) {
  tp_loc from = l->at;
  line_add(l, tp_program_add_edge(l->p, (tp_edge_info){.kind = TP_E_HAVOC,
                                                       .from = from,
                                                       .to = line_next(l),
                                                       .var = v,
                                                       .input = TP_I_NONDET,
                                                       .name = "nondet"}));
}
/* An object of 8 bytes, all zero or (fill NONE) anything. */
static inline void line_allocate_filled(line *l, tp_var v, tp_term fill) {
  tp_loc from = l->at;
  line_add(l, tp_program_add_edge(l->p, (tp_edge_info){.kind = TP_E_ALLOC,
                                                       .from = from,
                                                       .to = line_next(l),
                                                       .var = v,
                                                       .a = bv(l->p, 64, 8),
                                                       .b = fill,
                                                       .object_kind = TP_O_HEAP,
                                                       .name = "malloc"}));
}
static inline void line_allocate(line *l, tp_var v) { line_allocate_filled(l, v, bv(l->p, 8, 0)); }

static inline void line_finish(line *l) {
  give_back(l->p, l->at, l->main, TP_TERM_NONE);
  tp_program_finish(l->p);
  tp_paths_init(&l->paths, l->p);
  for (size_t i = 0; i < l->n; i++) {
    l->blocks[i] = i ? tp_path_here(&l->paths) : tp_path_start(&l->paths);
    tp_path_edge(&l->paths, &l->blocks[i], l->edges[i]);
  }
}

static inline void line_end(line *l) {
  for (size_t i = 0; i < l->n; i++) tp_path_clear(&l->blocks[i]);
  tp_paths_clear(&l->paths);
  tp_program_free(l->p);
  tp_diag_free(l->diag);
}

/* The path of the thesis's list example: one cell, its data written through one pointer and read
 * through a copy. */
static inline void list_example(line *l, uint64_t stored) {
  line_begin(l);
  line_allocate_filled(l, l->pointer[0], TP_TERM_NONE);        // a = malloc()
  line_set(l, l->pointer[1], line_pointer(l, 0));              // p = a
  line_write_to(l, line_pointer(l, 1), bv(l->p, 32, stored));  // p->data = 0
  line_set(l, l->pointer[1], line_pointer(l, 0));              // p = a
  line_read_from(l, l->word[0], line_pointer(l, 1));           // x = p->data
  line_require(l, tp_mk_not(l->tt, tp_mk_eq(l->tt, line_word(l, 0), bv(l->p, 32, 1))));
  line_require(l, tp_mk_not(l->tt, tp_mk_eq(l->tt, line_word(l, 0), bv(l->p, 32, 0))));
  line_finish(l);
}

#endif
