/* Unsound rules planted in the transfer of summaries: random runs must leave the summaries of each
 * within the volume of summaries_test.c, which finds none without a plant. */
#include "contracts/summarise/summaries_law.h"

#include <setjmp.h>

#include <cmocka.h>

static void store_keeps_the_lower_bound(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_rsum_state *before = tp_rsum_state_copy(r, s);
  tp_rsum_edge(r, s, e);
  for (uint32_t i = 0; i < r->s->places.n && e->kind == TP_E_STORE; i++)
    if (!tp_rinterval_is_exact(s->places[i])) s->places[i].lower = before->places[i].lower;
}

static void store_keeps_the_upper_bound(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_rsum_state *before = tp_rsum_state_copy(r, s);
  tp_rsum_edge(r, s, e);
  for (uint32_t i = 0; i < r->s->places.n && e->kind == TP_E_STORE; i++)
    if (!tp_rinterval_is_exact(s->places[i])) s->places[i].upper = before->places[i].upper;
}

/* A store through any pointer is one through an exact pointer. */
static void update_is_always_strong(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  tp_rsum_cell c;
  const bool is_store = e->kind == TP_E_STORE && tp_rsum_cell_at(r, s, e->a, 8, &c);
  const tp_rsum_value v = is_store ? tp_rsum_value_of(r, s, e->b) : tp_rsum_any_value(r);
  tp_rsum_edge(r, s, e);
  if (!is_store || r->s->places.at[c.place].arity != 2) return;
  const tp_rbound now = tp_rbound_product(r->t, c.object.upper, v.at.upper);
  s->places[c.place].lower = tp_rbound_union(r->t, s->places[c.place].lower, now);
}

static void free_ends_nothing(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  if (e->kind != TP_E_FREE) tp_rsum_edge(r, s, e);
}

static void call_changes_no_member(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_rsum_state *before = tp_rsum_state_copy(r, s);
  tp_rsum_edge(r, s, e);
  if (e->kind == TP_E_CALL) memcpy(s->places, before->places, r->s->places.n * sizeof *s->places);
}

static void new_memory_is_zero(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  tp_edge_info zeroed = *e;
  const tp_rsum_state *before = tp_rsum_state_copy(r, s);
  tp_rsum_edge(r, s, e);
  if (zeroed.kind == TP_E_ALLOC)
    memcpy(s->places, before->places, r->s->places.n * sizeof *s->places);
}

static void branch_on_the_unknown_is_not_taken(tp_summariser *r, tp_rsum_state *s,
                                               const tp_edge_info *e) {
  if (e->kind == TP_E_ASSUME && !e->negated && !tp_rsum_formula_of(r, s, e->a).id)
    s->is_dead = true;
  else
    tp_rsum_edge(r, s, e);
}

/* Every argument is taken for an object to which nothing leads. */
static bool nothing_leads_to_arguments(const tp_summariser *r, const tp_rsum_state *s,
                                       tp_rinterval at) {
  (void)r, (void)s, (void)at;
  return true;
}

static void test_K23_plants_are_found(void **state) {
  (void)state;
  static const struct {
    const char *name;
    law_plant plant;
  } plants[] = {
      {"a store keeps the lower bound", {.transfer = store_keeps_the_lower_bound}},
      {"a store keeps the upper bound", {.transfer = store_keeps_the_upper_bound}},
      {"every update is strong", {.transfer = update_is_always_strong}},
      {"free ends nothing", {.transfer = free_ends_nothing}},
      {"a call changes no member", {.transfer = call_changes_no_member}},
      {"new memory has no members", {.transfer = new_memory_is_zero}},
      {"a branch on an unknown condition is not taken",
       {.transfer = branch_on_the_unknown_is_not_taken}},
      {"every argument is a new object", {.is_unreferenced = nothing_leads_to_arguments}}};
  for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
    law_counts c = {0};
    for (uint64_t seed = 1; seed <= DEFAULT_BATCHES && c.outside == 0; seed++)
      assert_true(check_batch(seed, 40, 60, &plants[i].plant, &c));
    if (c.outside == 0)
      fail_msg("not found in %llu runs: %s", (unsigned long long)c.runs, plants[i].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_K23_plants_are_found)};
  return cmocka_run_group_tests_name("planted_summaries", tests, NULL, NULL);
}
