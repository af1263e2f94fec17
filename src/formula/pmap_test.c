// Persistent maps against a plain array, with copies taken along the way.
#include "formula/pmap.h"

#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

enum { N_KEYS = 700, N_COPIES = 8 };
static const uint64_t scale[] = {1, 4, 37, 1u << 20};

typedef struct {
  uint64_t count, last;
  const uint64_t *a, *b;
  uint64_t factor;
} diff_check;

static void check_diff(void *ctx, uint64_t key, uint64_t a, uint64_t b) {
  diff_check *d = ctx;
  assert_true(d->count == 0 || key > d->last);
  assert_int_equal(a, d->a[key / d->factor]);
  assert_int_equal(b, d->b[key / d->factor]);
  assert_true(a != b);
  d->last = key;
  d->count++;
}

static void agrees_with_arrays(void **unused) {
  (void)unused;
  for (size_t s = 0; s < sizeof scale / sizeof scale[0]; s++) {
    tp_rng rng;
    tp_rng_init(&rng, s + 1);
    tp_pmap maps[N_COPIES] = {0};
    static uint64_t plain[N_COPIES][N_KEYS];
    memset(plain, 0, sizeof plain);
    for (int round = 0; round < 6000; round++) {
      uint64_t m = tp_rng_below(&rng, N_COPIES), k = tp_rng_below(&rng, N_KEYS),
               v = tp_rng_below(&rng, 5);
      if (tp_rng_below(&rng, 40) == 0) {
        uint64_t to = tp_rng_below(&rng, N_COPIES);
        if (to == m) continue;
        tp_pmap_clear(&maps[to]);
        maps[to] = tp_pmap_copy(&maps[m]);
        memcpy(plain[to], plain[m], sizeof plain[m]);
      } else {
        tp_pmap_set(&maps[m], k * scale[s], v);
        plain[m][k] = v;
      }
    }
    for (int m = 0; m < N_COPIES; m++) {
      for (uint64_t k = 0; k < N_KEYS; k++)
        assert_int_equal(tp_pmap_get(&maps[m], k * scale[s]), plain[m][k]);
      const int o = (m + 1) % N_COPIES;
      diff_check d = {.a = plain[m], .b = plain[o], .factor = scale[s]};
      uint64_t expect = 0;
      for (uint64_t k = 0; k < N_KEYS; k++) expect += plain[m][k] != plain[o][k];
      tp_pmap_diff(&maps[m], &maps[o], check_diff, &d);
      assert_int_equal(d.count, expect);
      uint64_t from = 0, key, value;
      for (uint64_t k = 0; k < N_KEYS; k++) {
        if (!plain[m][k]) continue;
        assert_true(tp_pmap_next(&maps[m], from, &key, &value));
        assert_int_equal(key, k * scale[s]);
        assert_int_equal(value, plain[m][k]);
        from = key + 1;
      }
      assert_false(tp_pmap_next(&maps[m], from, &key, &value));
    }
    for (int m = 0; m < N_COPIES; m++) tp_pmap_clear(&maps[m]);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

static void heights_differ(void **unused) {
  (void)unused;
  tp_pmap low = {0}, tall = {0};
  tp_pmap_set(&low, 3, 7);
  tp_pmap_set(&tall, 3, 7);
  tp_pmap_set(&tall, 5000, 9);
  tp_pmap_set(&tall, 70, 1);
  static uint64_t a[5001], b[5001];
  a[5000] = 9, a[70] = 1;
  a[3] = b[3] = 7;
  diff_check d = {.a = a, .b = b, .factor = 1};
  tp_pmap_diff(&tall, &low, check_diff, &d);
  assert_int_equal(d.count, 2);
  diff_check e = {.a = b, .b = a, .factor = 1};
  tp_pmap_diff(&low, &tall, check_diff, &e);
  assert_int_equal(e.count, 2);
  tp_pmap_clear(&low);
  tp_pmap_clear(&tall);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_arrays),
                                     cmocka_unit_test(heights_differ)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
