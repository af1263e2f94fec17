/* Containers over many sizes: maps, interned strings, vectors and arenas against what was put in.
 * Growth is where entries get lost, so each is filled far beyond its first sizes. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { MANY = 3000 };

static const char *text_of(uint32_t i, char *room, size_t n) {
  snprintf(room, n, "name%u", i * 7919u % MANY);
  return room;
}

/* Equal texts, equal ids, before and behind each growth. */
static void names_stay_known(void **state) {
  (void)state;
  tp_names *names = tp_names_new();
  char room[32];
  for (uint32_t i = 0; i < MANY; i++)
    assert_int_equal(tp_name_of(names, text_of(i, room, sizeof room)), i + 1);
  for (uint32_t i = 0; i < MANY; i++) {
    assert_int_equal(tp_name_of(names, text_of(i, room, sizeof room)), i + 1);
    assert_string_equal(tp_name_text(names, i + 1), room);
  }
  assert_int_equal(tp_name_of(names, ""), 0);
  tp_names_free(names);
  assert_int_equal(tp_live_bytes(), 0);
}

/* The newest value of each key, in the order in which keys came. */
static void map_keeps_order_and_values(void **state) {
  (void)state;
  tp_map m = {0};
  uint64_t v = 0;
  for (uint64_t i = 0; i < MANY; i++) tp_map_set(&m, i << 40, i);
  for (uint64_t i = 0; i < MANY; i += 2) tp_map_set(&m, i << 40, i + 1);
  assert_int_equal(m.n, MANY);
  for (uint64_t i = 0; i < MANY; i++) {
    assert_true(tp_map_get(&m, i << 40, &v));
    assert_int_equal(v, i + (i % 2 == 0));
    assert_int_equal(m.entries[i].key, i << 40);
  }
  assert_false(tp_map_has(&m, 1));
  tp_map_clear(&m);
  assert_int_equal(tp_live_bytes(), 0);
}

/* Released memory is reused and zero; a block of the arena is known as its own. */
static void arena_releases_to_marks(void **state) {
  (void)state;
  tp_arena a;
  tp_arena_init(&a);
  char *kept = tp_arena_strdup(&a, "kept");
  for (size_t round = 0; round < 20; round++) {
    const tp_mark mark = tp_arena_mark(&a);
    for (size_t i = 1; i < 100; i++) {
      uint8_t *p = tp_arena_alloc(&a, i * 37);
      assert_true(tp_arena_owns(&a, p) && tp_arena_owns(&a, p + i * 37 - 1));
      for (size_t k = 0; k < i * 37; k++) assert_int_equal(p[k], 0);
      memset(p, 0xff, i * 37);
    }
    tp_arena_release(&a, mark);
    assert_int_equal(a.bytes, mark.bytes);
  }
  assert_string_equal(kept, "kept");
  assert_false(tp_arena_owns(&a, &a));
  tp_arena_clear(&a);
  assert_int_equal(a.bytes, 0);
  assert_int_equal(tp_live_bytes(), 0);
}

static void vectors_and_bytes_are_counted(void **state) {
  (void)state;
  TP_VEC(uint32_t) v = {0};
  for (uint32_t i = 0; i < MANY; i++) {
    tp_vec_push(&v, i);
    assert_int_equal(tp_live_bytes(), v.cap * sizeof *v.at);
  }
  tp_vec_resize(&v, 2 * MANY);
  for (uint32_t i = 0; i < 2 * MANY; i++) assert_int_equal(v.at[i], i < MANY ? i : 0);
  tp_vec_clear(&v);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_stay_known),
      cmocka_unit_test(map_keeps_order_and_values),
      cmocka_unit_test(arena_releases_to_marks),
      cmocka_unit_test(vectors_and_bytes_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
