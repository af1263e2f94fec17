/* Small states: what is said to be true of states of C is, and of no others; contracts that no
 * state meets (rows K11, K42). */
#include "contracts/spec/naive_test.h"

#include "contracts/rel/finder.h"
#include "contracts/spec/vacuity.h"

// ----------------------------------------------------------------- states of C

typedef struct {
  naive *v;
  world *w;
} judge;

static set value_of(judge *j, const tp_symbol *s, tp_contract_state when) {
  const tp_state_relations states = tp_bounded_states_relations(j->v->heaps);
  const tp_rel_expr x = states.value(states.ctx, s, when);
  return x.id ? decoded(j->v, x) : (set){.is_undefined = true};
}

static bool exists(judge *j, uint64_t object, tp_contract_state when) {
  const set alloc = value_of(j, j->w->u.alloc, when);
  return has(&alloc, object);
}

static bool leads_to_existing(judge *j, set s, tp_contract_state when) {
  for (uint32_t i = 0; i < s.n; i++)
    if (basic_of(j->v, s.at[i] & 255) > TP_FUNCTION_BASIC && !exists(j, s.at[i] & 255, when))
      return false;
  return true;
}

/* Tuples that begin with an object, without it. */
static set behind(judge *j, set s, uint64_t object) {
  set out = {.arity = s.arity - 1};
  for (uint32_t i = 0; i < s.n; i++)
    if (first_of(s, i) == object) add(j->v, &out, rest_of(s, i));
  return out;
}

/* The values of one variable or member: one, or one for each index; size 0: any number of indices
 * from 0 on. */
static bool is_value(judge *j, set s, uint64_t size) {
  if (s.arity == 1) return s.n == 1;
  uint32_t n_used = 0;
  for (int64_t i = 0; i < 1 << (WIDTH - 1); i++) {
    const set atom = of_integer(j->v, (number){i, false}), at = behind(j, s, atom.at[0]);
    if (at.n > 1 || (at.n && n_used < i)) return false;
    n_used += at.n == 1;
  }
  return n_used == s.n && (size == 0 || n_used == size);
}

static uint64_t size_of(judge *j, const tp_symbol *s) {
  const tp_type_info *info = tp_type_of(j->w->p, s->ctype);
  return s->kind != TP_SYMBOL_ELEMENTS && info->kind == TP_T_ARRAY ? info->n_elements : 0;
}

static bool is_struct(judge *j, const tp_symbol *s) {
  return s->ctype.id && tp_type_of(j->w->p, s->ctype)->kind == TP_T_STRUCT;
}

static bool is_member_value(judge *j, const tp_symbol *s, set value, tp_contract_state when) {
  const set owners = objects_of(j->v, s->basic);
  for (uint32_t i = 0; i < owners.n; i++) {
    const set here = behind(j, value, owners.at[i]);
    if (is_struct(j, s)) {
      if (here.n != 1) return false;
      for (int m = 0; m < 2; m++)
        if (!value_of(j, j->w->u.alloc, (tp_contract_state)m).is_undefined &&
            exists(j, owners.at[i], (tp_contract_state)m) !=
                exists(j, here.at[0], (tp_contract_state)m))
          return false;
    } else if (!exists(j, owners.at[i], when)) {
      if (here.n) return false;
    } else if (s->kind != TP_SYMBOL_GHOST && !is_value(j, here, size_of(j, s))) {
      return false;
    }
  }
  return s->kind == TP_SYMBOL_GHOST || is_struct(j, s) || leads_to_existing(j, value, when);
}

static bool is_variable_value(judge *j, const tp_symbol *s, set value, tp_contract_state when) {
  if (s->kind == TP_SYMBOL_GHOST && value.arity == 1) return value.n <= 1;  // mark : lone
  if (s->kind == TP_SYMBOL_GHOST) {                                         // log : int -> lone
    for (uint32_t i = 0; i < value.n; i++)
      if (behind(j, value, first_of(value, i)).n > 1) return false;
    return true;
  }
  if (!is_value(j, value, size_of(j, s))) return false;
  if (!is_struct(j, s))
    return leads_to_existing(j, value, s->kind == TP_SYMBOL_RESULT ? TP_POST_STATE : when);
  for (int m = 0; m < 2; m++)
    if (!value_of(j, j->w->u.alloc, (tp_contract_state)m).is_undefined &&
        !exists(j, value.at[0], (tp_contract_state)m))
      return false;
  return true;
}

/* No two structs that lie somewhere are one object. */
static bool are_inner_apart(judge *j, const tp_symbol *const *symbols, size_t n) {
  set seen = {.arity = 1};
  for (size_t i = 0; i < n; i++) {
    if ((symbols[i]->kind != TP_SYMBOL_FIELD && symbols[i]->kind != TP_SYMBOL_GLOBAL) ||
        !is_struct(j, symbols[i]))
      continue;
    const set s = value_of(j, symbols[i], TP_PRE_STATE);
    for (uint32_t k = 0; k < s.n; k++) {
      if (has(&seen, s.at[k] & 255)) return false;
      add(j->v, &seen, s.at[k] & 255);
    }
  }
  return true;
}

static bool is_state_of_c(judge *j, const tp_symbol *const *symbols, size_t n) {
  for (size_t i = 0; i < 2 * n; i++) {
    const tp_symbol *s = symbols[i / 2];
    const tp_contract_state when = (tp_contract_state)(i % 2);
    const set value = value_of(j, s, when);
    if (value.is_undefined || s->kind == TP_SYMBOL_FUNCTION || s->kind == TP_SYMBOL_ALLOC) continue;
    if (s->basic ? !is_member_value(j, s, value, when) : !is_variable_value(j, s, value, when))
      return false;
  }
  return are_inner_apart(j, symbols, n);
}

// ----------------------------------------------------------------------- tests

/* A tuple more or less in one of the relations. */
static void disturb(tp_rng *rng, const tp_rel_bounds *b, tp_rel_instance *heap) {
  for (;;) {
    const uint32_t r = (uint32_t)tp_rng_below(rng, heap->n);
    const tp_rel_tuples *upper = tp_rel_upper(b, r);
    if (!upper || upper->n == 0 || tp_rel_tuples_equal(upper, tp_rel_lower(b, r))) continue;
    const uint64_t tuple = upper->at[tp_rng_below(rng, upper->n)];
    tp_rel_tuples *s = &heap->of[r];
    size_t k = 0;
    while (k < s->n && s->at[k] != tuple) k++;
    if (k == s->n)
      tp_rel_tuples_add(s, tuple);
    else
      memmove(&s->at[k], &s->at[k + 1], (--s->n - k) * sizeof *s->at);
    return;
  }
}

static void check_heap(world *w, trial *t, tp_rel_formula typed, const tp_rel_bounds *b,
                       const tp_rel_instance *heap, const char *text, uint32_t *n_of) {
  const tp_symbol *symbols[128];
  const size_t n = symbols_of(w, t, symbols, 100);
  tp_rel_eval *e = tp_rel_eval_new(b, heap, WIDTH);
  naive v = {.u = &w->u, .heaps = t->heaps, .l = t->l, .bounds = b, .heap = heap};
  tp_arena_init(&v.arena);
  judge j = {&v, w};
  const bool expected = is_state_of_c(&j, symbols, n);
  const tp_rel_truth_value said_of_it = tp_rel_eval_formula(e, typed);
  if (said_of_it != (expected ? TP_REL_IS_TRUE : TP_REL_IS_FALSE)) {
    tp_str out = {0};
    tp_rel_instance_print(heap, b, &out);
    fail_msg("%s: %d, not %d\n%s", text, said_of_it, expected, out.text);
  }
  n_of[expected]++;
  tp_arena_clear(&v.arena);
  tp_rel_eval_free(e);
}

static const char *const texts[] = {
    "l.head' = c",
    "l.sizes[1]' = numbers[2]' and numbers[0] = total",
    "a[0]' = a[1]",
    "t.kids.head = the_first.head",
    "t.left.kids = t.kids or t.any in \\alloc'",
    "l.seen' = l.seen and mark = mark' and log' in log",
    "t.order = increase and \\result = c",
    "the_first.count > 2 and the_list != l and c.data.key < 0",
};

static void test_K11_states_of_c(void **state) {
  world *w = *state;
  tp_rng rng;
  tp_rng_init(&rng, 3);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    trial t;
    begin(w, &t, texts[i], NULL);
    if (!t.formula[0].id) fail_msg("%s: %s", texts[i], said(w));
    const tp_rel_formula typed = tp_bounded_states_axioms(t.heaps, t.w);
    const tp_rel_bounds *b = tp_bounded_states_bounds(t.heaps);
    tp_rel_options options = tp_rel_default_options();
    options.width_bits = WIDTH;
    tp_rel_finder *f = tp_rel_finder_new(b, options);
    assert_int_equal(tp_rel_finder_add(f, typed), TP_OK);
    assert_int_equal(tp_rel_finder_add(f, t.formula[0]), TP_OK);
    uint32_t n_of[2] = {0, 0};
    for (int k = 0; k < 8; k++) {
      assert_int_equal(tp_rel_finder_next(f), TP_REL_SAT);
      tp_rel_instance heap;
      tp_rel_instance_init(&heap, tp_rel_n_relations(t.l));
      tp_rel_instance_copy(&heap, tp_rel_finder_instance(f));
      check_heap(w, &t, typed, b, &heap, texts[i], n_of);
      for (int d = 0; d < 12; d++) {
        disturb(&rng, b, &heap);
        check_heap(w, &t, typed, b, &heap, texts[i], n_of);
      }
      tp_rel_instance_clear(&heap);
    }
    if (n_of[0] < 5 || n_of[1] < 8) fail_msg("%s: %u and %u", texts[i], n_of[0], n_of[1]);
    tp_rel_finder_free(f);
    finish(&t);
  }
}

static const struct {
  const char *clauses;
  tp_vacuity_query q;
  tp_vacuity_answer answer;
  const char *core;
} questions[] = {
    {"function use { requires l != null and c in l.head.*next }", TP_VACUITY_CALL, TP_VACUITY_FOUND,
     ""},
    {"function use {\n requires l.count = 2\n requires l != null\n requires #l.content > 5 }",
     TP_VACUITY_CALL, TP_VACUITY_NONE, "4"},
    {"function use {\n requires l.count = 2\n requires l != null\n requires l.count < n\n requires "
     "n = 1 }",
     TP_VACUITY_CALL, TP_VACUITY_NONE, "2 4 5"},
    {"function use { requires n > 1000 }", TP_VACUITY_CALL, TP_VACUITY_NONE, ""},
    {"struct list { invariant this.count = #this.head.*next }\nfunction use {\n requires l != "
     "null\n requires l.count = 0 }",
     TP_VACUITY_CALL, TP_VACUITY_NONE, "1 4"},
    {"struct list { invariant no c : struct cell | c in c.^next\n }", TP_VACUITY_OBJECT,
     TP_VACUITY_FOUND, ""},
    {"struct cell { invariant this in this.next.next\n invariant this.next = null }",
     TP_VACUITY_OBJECT, TP_VACUITY_NONE, "1 2"},
    {"function use { requires l != null\n modifies l.head\n ensures l.head' = c }",
     TP_VACUITY_RETURN, TP_VACUITY_FOUND, ""},
    {"function use {\n requires l != null\n modifies l.head\n ensures l.count' > l.count }",
     TP_VACUITY_RETURN, TP_VACUITY_NONE, "4 3"},
    {"function use {\n requires l != null\n modifies t.left\n ensures l.head' != l.head }",
     TP_VACUITY_RETURN, TP_VACUITY_NONE, "4 3"},
    {"function use {\n preserves some the_list.head.next\n modifies the_list\n ensures the_list' = "
     "null }",
     TP_VACUITY_RETURN, TP_VACUITY_NONE, "2 4"},
    {"struct list { invariant this.count > 0 }\nfunction use {\n requires l != null\n ensures l in "
     "\\alloc'\n ensures l.count' = 0 }",
     TP_VACUITY_RETURN, TP_VACUITY_NONE, "5 1"},
};

static void test_K42_contracts_that_no_state_meets(void **state) {
  world *w = *state;
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    reading r;
    tp_str text = {0}, lines = {0};
    const char *model = "";
    if (strstr(questions[i].clauses, "content"))
      model = "struct list { model content : set struct data = this.head.*next.data } ";
    tp_str_printf(&text, "%s%s", model, questions[i].clauses);
    read_all(w, &r, text.text);
    if (r.clauses.n_wrong) fail_msg("%s: %s", text.text, said(w));
    uint32_t basic = 0;
    assert_true(tp_object_model_struct(
        &w->u, strstr(text.text, "struct cell {") ? "struct cell" : "struct list", &basic));
    tp_vacuity_result found;
    tp_vacuity_find_state(&r.m, questions[i].q, r.m.of_functions.n ? r.m.of_functions.at[0] : NULL,
                          basic, (tp_state_scope){.width_bits = WIDTH, .n_each = 2}, &found);
    if (found.answer != questions[i].answer)
      fail_msg("%s: %d\n%s", text.text, found.answer, tp_str_text(&found.text));
    for (size_t k = 0; k < found.core.n; k++)
      tp_str_printf(&lines, "%s%u", k ? " " : "", found.core.at[k]->clause->pos.line);
    assert_string_equal(tp_str_text(&lines), questions[i].core);
    assert_int_equal(found.is_width_binding, strstr(text.text, "1000") != NULL);
    tp_vacuity_result_clear(&found);
    tp_str_clear(&text);
    tp_str_clear(&lines);
    end(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_K11_states_of_c),
                                     cmocka_unit_test(test_K42_contracts_that_no_state_meets)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
