/* Fine tuning against exhaustive search, on random dependencies of families and random monotone
 * questions. */
#include "shape/fine_tune.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FAMILIES = 6, SUFFICIENT = 3 };

/* A set excludes the path if it contains one of the sufficient ones. */
typedef struct {
  uint32_t names[FAMILIES];  // by family: those that its definition names
  uint32_t sufficient[SUFFICIENT];
  size_t n_sufficient;
  uint32_t n_asked;
} lattice;

static uint32_t close_families(void *ctx, uint32_t families) {
  const lattice *l = ctx;
  for (uint32_t f = FAMILIES; f-- > 0;)  // definitions name smaller numbers
    if (families >> f & 1) families |= l->names[f];
  return families;
}

static bool is_sufficient(const lattice *l, uint32_t families) {
  for (size_t i = 0; i < l->n_sufficient; i++)
    if ((l->sufficient[i] & ~families) == 0) return true;
  return false;
}

static bool excludes(void *ctx, uint32_t families) {
  lattice *l = ctx;
  assert_int_equal(close_families(l, families), families);
  l->n_asked++;
  return is_sufficient(l, families);
}

static uint32_t count(void *ctx, uint32_t families) {
  (void)ctx;
  uint32_t n = 0;
  for (; families; families &= families - 1) n++;
  return n;
}

static lattice random_lattice(tp_rng *rng) {
  lattice l = {.n_sufficient = tp_rng_below(rng, SUFFICIENT + 1)};
  for (uint32_t f = 1; f < FAMILIES; f++)
    if (tp_rng_below(rng, 2)) l.names[f] = (uint32_t)tp_rng_below(rng, (uint64_t)1 << f);
  for (size_t i = 0; i < l.n_sufficient; i++)
    l.sufficient[i] = (uint32_t)tp_rng_below(rng, (uint64_t)1 << FAMILIES);
  return l;
}

/* Does exhaustive search find no smaller closed set above `least` that excludes the path? */
static bool is_smallest(lattice *l, uint32_t found, uint32_t least) {
  for (uint32_t set = 0; set < (uint32_t)1 << FAMILIES; set++)
    if ((least & ~set) == 0 && close_families(l, set) == set && set != found &&
        (set & ~found) == 0 && is_sufficient(l, set))
      return false;
  return true;
}

static void F69_as_exhaustive_search_with_fewer_simulations(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 69);
  uint64_t n_simulated = 0, n_candidates = 0;
  for (int i = 0; i < 2000; i++) {
    lattice l = random_lattice(&rng);
    const uint32_t all = (1u << FAMILIES) - 1,
                   least = tp_rng_below(&rng, 3) ? 0 : (uint32_t)tp_rng_below(&rng, all + 1);
    const tp_fine_tune_question q = {
        .n = FAMILIES, .close = close_families, .excludes = excludes, .cost = count, .ctx = &l};
    const tp_fine_tuned tuned = tp_fine_tune(&q, least);
    assert_int_equal(tuned.n_simulated, l.n_asked);
    assert_int_equal(tuned.is_found, is_sufficient(&l, all));
    if (!tuned.is_found) continue;
    assert_true(is_sufficient(&l, tuned.families));
    assert_int_equal(close_families(&l, tuned.families), tuned.families);
    assert_int_equal(least & ~tuned.families, 0);
    assert_true(is_smallest(&l, tuned.families, close_families(&l, least)));
    n_simulated += tuned.n_simulated;
    n_candidates += tuned.n_candidates;
  }
  assert_true(2 * n_simulated < n_candidates);
}

/* Where one family alone suffices, and nothing depends on it, that one is found. */
static void F69_one_family(void **state) {
  (void)state;
  for (uint32_t f = 0; f < FAMILIES; f++) {
    lattice l = {.sufficient = {1u << f}, .n_sufficient = 1};
    const tp_fine_tune_question q = {
        .n = FAMILIES, .close = close_families, .excludes = excludes, .cost = count, .ctx = &l};
    const tp_fine_tuned tuned = tp_fine_tune(&q, 0);
    assert_true(tuned.is_found);
    assert_int_equal(tuned.families, 1u << f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F69_as_exhaustive_search_with_fewer_simulations),
      cmocka_unit_test(F69_one_family),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
