/* What tests that compare tiers of the concrete machine share: inputs drawn at random, one run and
 * its end, random models and C programs. */
#ifndef TEST_FUZZ_TIERS_H
#define TEST_FUZZ_TIERS_H

#include "base/process.h"
#include "exec/exec.h"
#include "front/front.h"

#include "gen.h"
#include "models.h"

#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------------- inputs

typedef struct {
  tp_rng rng;
  uint64_t asked, hash, most;  // hash: of what was asked for
  uint8_t bytes[64];
} source;

static inline bool ask(void *ctx, tp_input *io) {
  source *s = ctx;
  if (s->asked >= s->most) return false;
  s->asked++;
  s->hash =
      tp_hash_mix(s->hash, io->width_bits | (uint64_t)io->kind << 16 | (uint64_t)io->n_bytes << 32);
  s->hash = tp_hash_mix(s->hash, tp_hash_bytes(io->name, strlen(io->name),
                                               io->is_float | (unsigned)io->is_signed << 1));
  uint64_t r = tp_rng_next(&s->rng), how = tp_rng_below(&s->rng, 4);
  if (io->width_bits == 0) {
    for (size_t i = 0; i < sizeof s->bytes; i++) s->bytes[i] = (uint8_t)(r >> (i % 8 * 8));
    io->bytes = s->bytes;
    io->n_bytes = r % 64;
    return true;
  }
  tp_u128 v = how == 0 ? r : how == 1 ? (tp_u128)(0 - (tp_u128)(r % 5)) : r % (how == 2 ? 4 : 100);
  if (io->is_float && how)
    v = how == 1   ? (io->width_bits == 32 ? 0x3f800000u + r % 4 * 0x400000u : 0x3ff0000000000000u)
        : how == 2 ? 0
                   : r << 52;
  io->bits = io->width_bits >= 128 ? v : v & ((((tp_u128)1) << io->width_bits) - 1);
  return true;
}

/* One seed in seven has few inputs. */
static inline source source_of(uint64_t seed) {
  source s = {.most = seed % 7 == 0 ? seed % 5 : 1000};
  tp_rng_init(&s.rng, seed);
  return s;
}

// ------------------------------------------------------------------------ runs

typedef struct {
  tp_run_result r;
  tp_state *s;
  source in;
} tier_run;

/* What is different first, or NULL. b's state is checked, too. */
static inline const char *difference(const tier_run *a, const tier_run *b) {
  if (a->r.end != b->r.end) return "end";
  if (a->r.loc.id != b->r.loc.id) return "location";
  if (a->r.edge.id != b->r.edge.id) return "edge";
  if (a->r.steps != b->r.steps) return "steps";
  if (a->r.used_indeterminate != b->r.used_indeterminate) return "used_indeterminate";
  if (a->r.exit_status != b->r.exit_status) return "exit status";
  if ((a->r.why || b->r.why) && (!a->r.why || !b->r.why || strcmp(a->r.why, b->r.why)))
    return "why";
  if (a->r.pos.line != b->r.pos.line) return "position";
  if (a->in.asked != b->in.asked || a->in.hash != b->in.hash) return "inputs";
  tp_str why = {0};
  bool whole = tp_state_check(b->s, &why);
  tp_str_clear(&why);
  if (!whole) return "state is not whole";
  return tp_state_equal(a->s, b->s) ? NULL : "state";
}

/* Ends the test. TP_TIERS_DUMP names a file for the program and both states. */
static inline _Noreturn void disagree(const tp_program *p, const char *what, const tier_run *a,
                                      const tier_run *b, uint64_t seed) {
  const tier_run *both[] = {a, b};
  tp_str text = {0};
  tp_program_print(p, &text);
  for (int i = 0; i < 2; i++) {
    const tp_run_result *r = &both[i]->r;
    tp_str_printf(&text, "\n=== %s: end %d loc %u edge %u steps %llu %s\n",
                  i ? "other tier" : "interpreter", r->end, r->loc.id, r->edge.id,
                  (unsigned long long)r->steps, r->why ? r->why : "");
    tp_state_write(both[i]->s, &text);
  }
  const char *to = getenv("TP_TIERS_DUMP");
  if (to && tp_write_file(to, tp_str_text(&text), text.n) != TP_OK) perror(to);
  fprintf(
      stderr,
      "seed %llu: %s differs (interpreter %d at %u after %llu, other tier %d at %u after %llu)\n",
      (unsigned long long)seed, what, a->r.end, a->r.loc.id, (unsigned long long)a->r.steps,
      b->r.end, b->r.loc.id, (unsigned long long)b->r.steps);
  abort();
}

// -------------------------------------------------------------------- programs

/* A random model by its number; NULL: that one has none. */
static inline tp_program *random_model(uint64_t seed, bool rich, tp_diag *d) {
  tape t;
  traits what = {0};
  tape_fresh(&t, seed);
  tp_program *p = rich ? model_make_rich(&t, d, &what) : model_make(&t, d, &what);
  tape_clear(&t);
  return p;
}

/* A random C program by its number. */
static inline tp_program *random_c_program(uint64_t seed, tp_machine machine, tp_property property,
                                           tp_diag *d) {
  tp_str text = {0}, path = {0};
  tp_program *p = NULL;
  gen_file(seed, 1, (gen_options){machine == TP_MACHINE_ILP32 ? 32 : 64, true}, &text);
  assert_int_equal(tp_temp_dir(&path), TP_OK);
  tp_str_add(&path, "/p.c");
  assert_int_equal(tp_write_file(tp_str_text(&path), tp_str_text(&text), text.n), TP_OK);
  const char *file = tp_str_text(&path);
  tp_front_options opt = {.files = &file,
                          .n_files = 1,
                          .machine = machine,
                          .property = property,
                          .model_dir = "build/lib/libc"};
  assert_int_equal(tp_front_load(&opt, d, &p), TP_OK);
  tp_str_clear(&text);
  tp_str_clear(&path);
  return p;
}

#endif
