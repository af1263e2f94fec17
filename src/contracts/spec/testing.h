/* Tests of contracts: a program that is read once, texts of contracts resolved for it. */
#ifndef TP_CONTRACTS_SPEC_TESTING_H
#define TP_CONTRACTS_SPEC_TESTING_H

#include "front/front.h"
#include "contracts/spec/resolved_contracts.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

extern const char TESTED_PROGRAM[];  // each test has its own

typedef struct {
  char path[64];
  FILE *to;
  char *said;
  size_t n;
  tp_diag *diag;
  tp_program *p;
  tp_object_model u;
} world;

static inline tp_front_options tested_program(const char *const *path) {
  static const char *const arguments[] = {"-Ilib/spec"};
  return (tp_front_options){.files = path,
                            .n_files = 1,
                            .property = TP_P_UNREACH_CALL,
                            .without_models = true,
                            .clang_args = arguments,
                            .n_clang_args = 1};
}

/* One program for all cases: reading it takes longer than all of them. */
static inline int set_up(void **state) {
  world *w = calloc(1, sizeof *w);
  snprintf(w->path, sizeof w->path, "/tmp/contracts-test-XXXXXX.c");
  int fd = mkstemps(w->path, 2);
  if (fd < 0 ||
      write(fd, TESTED_PROGRAM, strlen(TESTED_PROGRAM)) != (ssize_t)strlen(TESTED_PROGRAM))
    return -1;
  close(fd);
  w->to = open_memstream(&w->said, &w->n);
  w->diag = tp_diag_new(w->to, false);
  const char *files[] = {w->path};
  const tp_front_options front = tested_program(files);
  uint32_t n_exported;
  if (tp_front_load_module(&front, w->diag, &w->p, &n_exported) != TP_OK) return -1;
  tp_object_model_init(&w->u, w->p);
  *state = w;
  return 0;
}

static inline int tear_down(void **state) {
  world *w = *state;
  unlink(w->path);
  tp_object_model_clear(&w->u);
  tp_program_free(w->p);
  tp_diag_free(w->diag);
  fclose(w->to);
  free(w->said);
  free(w);
  return tp_live_bytes() != 0;
}

static inline const char *said(world *w) {
  fflush(w->to);
  w->said[w->n] = 0;
  return w->said;
}

static inline void forget(world *w) { rewind(w->to); }

typedef struct {
  tp_clauses clauses;
  tp_contracts m;
} reading;

static inline void read_all(world *w, reading *r, const char *text) {
  forget(w);
  tp_clauses_init(&r->clauses, w->diag);
  tp_clauses_read_file(&r->clauses, "t", text);
  tp_contracts_init(&r->m, &w->u, &r->clauses);
}

static inline void end(reading *r) {
  tp_contracts_clear(&r->m);
  tp_clauses_clear(&r->clauses);
}

#endif
