/* Writer and reader of unrolling certificates (doc/certificates.md). The reader takes one line at a
 * time and insists on the order of entries; what it does not know it refuses. */
#include "engine/unrolling.h"

#include "engine/cert_lines.h"

#include <inttypes.h>
#include <stdio.h>

void tp_unrolling_init(tp_unrolling *u) {
  memset(u, 0, sizeof *u);
  tp_arena_init(&u->arena);
}

void tp_unrolling_clear(tp_unrolling *u) {
  tp_vec_clear(&u->loops);
  tp_vec_clear(&u->depths);
  tp_vec_clear(&u->assumptions);
  tp_arena_clear(&u->arena);
}

void tp_unrolling_add_assumption(tp_unrolling *u, const char *text) {
  TP_REQUIRE(text && !strchr(text, '\n'));
  for (size_t i = 0; i < u->assumptions.n; i++)
    if (!strcmp(u->assumptions.at[i], text)) return;
  tp_vec_push(&u->assumptions, tp_arena_strdup(&u->arena, text));
}

// -------------------------------------------------------------------- writing

void tp_unrolling_write(const tp_unrolling *u, const tp_program *p, tp_str *out) {
  TP_REQUIRE(u->fingerprint == tp_program_fingerprint(p) && u->property != TP_P_NONE);
  char kind[40] = "unrolling";
  if (u->within) snprintf(kind, sizeof kind, "bounded %" PRIu64, u->within);
  tp_lines_put_header(p, kind, u->property, u->fingerprint, out);
  for (size_t i = 0; i < u->loops.n; i++) {
    const tp_cert_loop *l = &u->loops.at[i];
    tp_str_printf(out, "loop %s %" PRIu32 " %" PRIu64, tp_func_of(p, l->func)->name, l->head.id,
                  l->iterations);
    tp_lines_put_comment(p, tp_loc_of(p, l->head)->pos, out);
  }
  for (size_t i = 0; i < u->depths.n; i++) {
    const tp_cert_depth *d = &u->depths.at[i];
    tp_str_printf(out, "depth %s %" PRIu64, tp_func_of(p, d->func)->name, d->n);
    tp_lines_put_comment(p, tp_func_of(p, d->func)->pos, out);
  }
  for (size_t i = 0; i < u->assumptions.n; i++)
    tp_str_printf(out, "assume %s\n", u->assumptions.at[i]);
  tp_str_add(out, "end\n");
}

// -------------------------------------------------------------------- reading

static tp_status read_loop(tp_lines *r, char *rest, tp_unrolling *out) {
  tp_func f = tp_lines_func(r, tp_lines_field(&rest));
  uint64_t loc, iterations;
  if (!f.id) return tp_lines_refuse(r, "unknown function");
  if (!tp_lines_number(&rest, 10, UINT64_MAX, &loc) ||
      !tp_lines_number(&rest, 10, UINT64_MAX, &iterations))
    return tp_lines_refuse(r, "number expected");
  if (loc == 0 || loc >= r->p->locs.n || r->p->locs.at[loc].func.id != f.id)
    return tp_lines_refuse(r, "no such location in this function");
  tp_vec_push(&out->loops, (tp_cert_loop){f, {(uint32_t)loc}, iterations});
  return TP_OK;
}

static tp_status read_depth(tp_lines *r, char *rest, tp_unrolling *out) {
  tp_func f = tp_lines_func(r, tp_lines_field(&rest));
  uint64_t n;
  if (!f.id) return tp_lines_refuse(r, "unknown function");
  if (!tp_lines_number(&rest, 10, UINT64_MAX, &n)) return tp_lines_refuse(r, "number expected");
  tp_vec_push(&out->depths, (tp_cert_depth){f, n});
  return TP_OK;
}

static tp_status read_entry(tp_lines *r, const char *key, char *rest, tp_unrolling *out) {
  if (!rest) return tp_lines_refuse(r, "fields missing");
  if (!strcmp(key, "loop")) return read_loop(r, rest, out);
  if (!strcmp(key, "depth")) return read_depth(r, rest, out);
  if (!strcmp(key, "assume")) return tp_unrolling_add_assumption(out, rest), TP_OK;
  return tp_lines_refuse(r, "unknown entry");
}

static tp_status read_all(tp_lines *r, tp_unrolling *out) {
  TP_TRY(tp_lines_header(r));
  out->property = r->property;
  out->ptr_bits = r->p->ptr_bits;
  out->fingerprint = tp_program_fingerprint(r->p);
  for (;;) {
    char *key, *rest;
    TP_TRY(tp_lines_next(r, &key, &rest));
    if (!key) return TP_OK;
    TP_TRY(read_entry(r, key, rest, out));
  }
}

tp_status tp_unrolling_read(const char *text, const tp_program *p, tp_unrolling *out, tp_str *why) {
  tp_lines r;
  tp_lines_init(&r, p, "unrolling", text, why);
  tp_status st = read_all(&r, out);
  tp_lines_clear(&r);
  return st;
}
