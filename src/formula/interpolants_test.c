/* Interpolants: sequences for loops that need relations, and what they must not say. */
#include "formula/loop_programs_test.h"

static const tp_itp_options quick = {0};

// ------------------------------------------------------------------------ loops

/* With the predicates of the sequences for 0 .. k turns together: are they enough? */
static bool proves(loop *l, tp_itp_source source, size_t turns) {
  tp_atoms atoms = {0};
  bool enough = false;
  for (size_t k = 0; k <= turns && !enough; k++) {
    tp_term out[LOOP_TURNS + 3];
    tp_str why = {0};
    loop_unroll(l, k);
    bool ok = tp_itp_sequence(&l->paths, l->blocks, l->n, NULL, source, quick, out, &why);
    for (size_t i = 1; ok && i <= k + 1; i++) tp_atoms_of(l->tt, out[i], &atoms);
    for (size_t i = 0; ok && i < l->n; i++) assert_true(tp_itp_holds(&l->paths, &l->blocks[i], out[i], out[i + 1], quick));
    enough = ok && predicates_prove(l, &atoms);
    tp_str_clear(&why);
  }
  tp_vec_clear(&atoms);
  return enough;
}

/* Turns that backward interpolants need until their atoms prove the loop. */
static const struct {
  const char *name;
  size_t turns;
} needed_turns[] = {{"x = i", 0}, {"x + y = n", 0}, {"0 <= i <= n", 0}, {"lock", 1}, {"array index", 1}, {"parity", 0}, {"y = 2x", 0}, {"sum of inputs", 0}};

static void F65_interpolants_prove_loops(void **state) {
  (void)state;
  for (size_t i = 0; i < N_LOOP_PROGRAMS; i++) {
    loop l;
    loop_begin(&l, loop_programs[i].width);
    loop_programs[i].build(&l);
    loop_ready(&l);
    assert_string_equal(loop_programs[i].name, needed_turns[i].name);
    if (!proves(&l, TP_ITP_WP, needed_turns[i].turns)) fail_msg("%s is not proved", loop_programs[i].name);
    loop_end(&l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F65_interpolants_prove_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
