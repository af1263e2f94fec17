/* Lowered contracts against a direct interpretation of the phrase over the heap: all operators,
 * both states, integers that leave their width; contracts that are broken in one place, and random
 * ones (row K02). */
#include "contracts/spec/naive_test.h"

#include <ctype.h>

// -------------------------------------------------------------------------- cases

/* Contracts, and the same broken in one place. */
static const struct {
  const char *text, *broken;
} cases[] = {
    {"l.head' = c", "l.head = c"},
    {"l.head.next != null", "l.head.next = null"},
    {"c in l.head.*next", "c in l.head.^next"},
    {"l.head'.*next' = l.head.*next + c", "l.head'.*next' = l.head.*next"},
    {"(l.head.*next)' in l.head.*next", "(l.head.^next)' in l.head.*next"},
    {"next' = next ++ (c -> l.head)", "next' in next + (c -> l.head)"},
    {"some next - next' and no (next' & iden)", "no next - next' and no (next' & iden)"},
    {"~next.next in iden", "next.~next in iden"},
    {"all x : struct cell | lone next.x and x not in x.^next",
     "all x : struct cell | one next.x and x not in x.^next"},
    {"all x, y : struct cell | x.next = y => y.next != x",
     "all x, y : struct cell | x.next = y => y.next = x"},
    {"all disj x, y : struct cell & \\alloc | x.data != y.data",
     "all x, y : struct cell & \\alloc | x.data != y.data"},
    {"some disj x, y : struct cell | x.next = y.next", "some x, y : struct cell | x.next = y.next"},
    {"no x : struct cell | x in x.next", "one x : struct cell | x in x.next"},
    {"lone x : struct data, y : x.~data | y.next = y",
     "one x : struct data, y : x.~data | y.next = y"},
    {"one x : struct cell + null | x = l.head", "lone x : struct cell + null | x = l.head"},
    {"#l.head.*next <= l.count", "#l.head.*next < l.count"},
    {"l.count' = l.count + 1 - n", "l.count' = l.count - 1 - n"},
    {"l.count * 2 > n and n % 3 >= -1", "l.count * 2 > n or n % 3 >= -1"},
    {"n / l.count = 2", "n / l.count = 3"},
    {"sum struct cell.data.key = 3", "sum struct data.key = 3"},
    {"(sum x : struct data | x.key) < (sum disj x, y : struct data | x.key)",
     "(sum x : struct data | x.key) < (sum x, y : struct data | x.key)"},
    {"let k = l.count + n | k > total => total' = k",
     "let k = l.count - n | k > total => total' = k"},
    {"let s = l.head.*next, t = s.data | some s & c and #t > 1",
     "let s = l.head.next, t = s.data | some s & c and #t > 1"},
    {"(if l.head = null then n else n + 1) = total",
     "(if l.head = null then n + 1 else n) = total"},
    {"(if n > 0 then l.head else c) in struct cell",
     "(if n > 0 then l.head else null) in struct cell + null"},
    {"if n > 0 then some l.head else no l.head", "if n > 0 then no l.head else some l.head"},
    {"n => some a[n]", "n => no a[n]"},
    {"a[0] > 0 and a[1]' = a[0]", "a[0] > 0 and a[0]' = a[1]"},
    {"0.(a.\\elements ++ (0 -> n)) = n", "0.(a.\\elements + (0 -> n)) = n"},
    {"numbers[n] = l.sizes[1]", "numbers[n] = l.sizes[2]"},
    {"all i : int | i >= 0 and i < 3 => numbers[i]' >= numbers[i]",
     "all i : int | i > 0 and i < 3 => numbers[i]' >= numbers[i]"},
    {"linked[l, c] or moved[the_list]", "linked[the_list, c] or moved[l]"},
    {"linked[l, c]' <=> linked[l, c]", "linked[l, c]' <=> not linked[l, c]"},
    {"sized[cells[l + the_list], n]", "sized[cells[l], n]"},
    {"sized[none, n] or weight[l] = n", "sized[none, n] and weight[l] = n"},
    {"cells[l]' in cells[l]", "cells[l]' = cells[l]"},
    {"l.content' = l.content + c.data", "l.content' = l.content - c.data"},
    {"(l + the_list).content' in struct data & \\alloc'",
     "(l + the_list).content in struct data & \\alloc'"},
    {"content' in content", "content in content'"},
    {"l.twice = n", "l.twice = 3"},
    {"some l.by_key", "some the_list.by_key"},
    {"the_list.first.next.data in l.seen'", "the_list.first.next.data in l.seen"},
    {"some t.kids.content", "some t.left.kids.content"},
    {"some struct tree.kids <: content", "some struct tree.kids.head"},
    {"n.(log') = n.(log ++ (n -> c.data))", "n.(log') = n.(log + (n -> c.data))"},
    {"mark in l.head.*next and (some mark => mark' = none)",
     "mark in l.head.*next and (some mark => mark' = mark)"},
    {"{l.head, c, null} & {c} = c", "{l.head, null} & {c} = c"},
    {"{x : struct cell | some x.data} :> struct cell in l.head.*next",
     "{x : struct cell | no x.data} in l.head.*next"},
    {"no {x : struct cell, y : x.^next | y != null} & ~next",
     "no {x : struct cell, y : x.next | y != null} & next"},
    {"one l.head.*next.data", "lone l.head.*next.data"},
    {"struct cell <: next :> struct cell = next & (univ -> struct cell)",
     "next = next & (univ -> struct cell)"},
    {"some (object - \\alloc) & t.any", "some object & t.any"},
    {"\\result = c and \\alloc' = \\alloc + \\result",
     "\\result = c and \\alloc' = \\alloc - \\result"},
    {"t.order = increase", "t.order != increase"},
    {"univ in int + object + null + t.order", "univ in int + object + null"},
    {"l.head !in c.*next iff not true or false", "l.head in c.*next iff not true or false"},
    {"iden & next != iden - iden", "iden & next = iden - iden"},
    {"#{i : int | i > n} = -n + 3", "#{i : int | i > n} = n + 3"},
};

/* Both values of both formulas in one random heap. */
static void try_heap(world *w, trial *t, tp_rng *rng, const char *text) {
  const tp_symbol *symbols[128];
  const size_t n_symbols = symbols_of(w, t, symbols, 100);
  const tp_rel_bounds *b = tp_bounded_states_bounds(t->heaps);
  assert_non_null(b);
  tp_rel_instance heap;
  tp_rel_instance_init(&heap, tp_rel_n_relations(t->l));
  draw_heap(rng, t->heaps, t->l, symbols, n_symbols, &heap);
  tp_rel_eval *e = tp_rel_eval_new(b, &heap, WIDTH);
  naive v = {.u = &w->u, .heaps = t->heaps, .l = t->l, .bounds = b, .heap = &heap};
  tp_arena_init(&v.arena);
  tp_rel_truth_value values[2] = {TP_REL_IS_UNDEFINED, TP_REL_IS_UNDEFINED};
  for (int k = 0; k < 2 && t->expr[k]; k++) {
    values[k] = tp_rel_eval_formula(e, t->formula[k]);
    const tp_rel_truth_value expected = holds(&v, t->expr[k]);
    if (values[k] != expected) {
      tp_str out = {0};
      tp_spec_expr_print(t->expr[k], &out);
      tp_str_add(&out, "\n");
      tp_rel_print(t->l, t->formula[k].id, &out);
      tp_str_add(&out, "\n");
      tp_rel_instance_print(&heap, b, &out);
      fail_msg("%s: %d, not %d\n%s", text, values[k], expected, out.text);
    }
  }
  t->n_of[values[0]]++;
  t->n_differ += values[0] != values[1] && values[0] != TP_REL_IS_UNDEFINED &&
                 values[1] != TP_REL_IS_UNDEFINED;
  tp_vec_clear(&v.env);
  tp_arena_clear(&v.arena);
  tp_rel_eval_free(e);
  tp_rel_instance_clear(&heap);
}

/* Of every object of the struct that exists at that moment; of the globals. */
static tp_rel_truth_value invariant_holds(naive *v, const tp_resolved_clause *c,
                                          tp_contract_state when) {
  v->after = when == TP_POST_STATE;
  uint32_t basic = 0;
  if (c->clause->subject.about != TP_SUBJECT_STRUCT) return holds(v, c->expr);
  assert_true(tp_object_model_struct(v->u, c->clause->subject.name, &basic));
  const set all = objects_of(v, basic),
            exist = decoded(
                v, tp_bounded_states_relations(v->heaps).value(v->heaps, v->u->alloc, when));
  tp_rel_truth_value breaks = TP_REL_IS_FALSE;
  for (uint32_t i = 0; i < all.n; i++) {
    if (!has(&exist, all.at[i])) continue;
    set one = {.arity = 1};
    add(v, &one, all.at[i]);
    tp_symbol self = {.kind = TP_SYMBOL_THIS};
    tp_vec_push(&v->env, (variable){.symbol = &self, .tuples = one});
    breaks = either(breaks, negated(holds(v, c->expr)));
    v->env.n--;
  }
  return negated(breaks);
}

static void test_K02_invariants(void **state) {
  world *w = *state;
  tp_rng rng;
  tp_rng_init(&rng, 5);
  trial t;
  begin(w, &t, "l.head' = c", NULL);
  const tp_symbol *symbols[128];
  const size_t n_symbols = symbols_of(w, &t, symbols, 100);
  tp_rel_formula formulas[2][16];
  size_t n = 0;
  for (size_t i = 0; i < t.r.m.all.n; i++) {
    if (t.r.m.all.at[i].clause->kind != TP_CLAUSE_INVARIANT) continue;
    for (int when = 0; when < 2; when++)
      formulas[when][n] = tp_lower_clause(t.w, &t.r.m.all.at[i], (tp_contract_state)when);
    n++;
  }
  assert_int_equal(n, 4);
  assert_null(tp_lowering_error(t.w));
  const tp_rel_bounds *b = tp_bounded_states_bounds(t.heaps);
  uint32_t n_of[4][3] = {{0}};
  for (int k = 0; k < 300; k++) {
    tp_rel_instance heap;
    tp_rel_instance_init(&heap, tp_rel_n_relations(t.l));
    draw_heap(&rng, t.heaps, t.l, symbols, n_symbols, &heap);
    tp_rel_eval *e = tp_rel_eval_new(b, &heap, WIDTH);
    naive v = {.u = &w->u, .heaps = t.heaps, .l = t.l, .bounds = b, .heap = &heap};
    tp_arena_init(&v.arena);
    for (size_t i = 0, at = 0; i < t.r.m.all.n; i++) {
      if (t.r.m.all.at[i].clause->kind != TP_CLAUSE_INVARIANT) continue;
      for (int when = 0; when < 2; when++) {
        const tp_rel_truth_value expected =
            invariant_holds(&v, &t.r.m.all.at[i], (tp_contract_state)when);
        assert_int_equal(tp_rel_eval_formula(e, formulas[when][at]), expected);
        n_of[at][expected]++;
      }
      at++;
    }
    tp_vec_clear(&v.env);
    tp_arena_clear(&v.arena);
    tp_rel_eval_free(e);
    tp_rel_instance_clear(&heap);
  }
  for (size_t i = 0; i < n; i++)
    if (n_of[i][TP_REL_IS_FALSE] < 20 || n_of[i][TP_REL_IS_TRUE] < 20)
      fail_msg("invariant %zu: %u false, %u true", i, n_of[i][TP_REL_IS_FALSE],
               n_of[i][TP_REL_IS_TRUE]);
  finish(&t);
}

// -------------------------------------------------------------------------- frames

/* May this tuple of the symbol come or go? The objects of a target are those of the state before.
 */
static bool may_change(naive *v, const tp_resolved_clause *modifies, const tp_symbol *s,
                       uint32_t arity, uint64_t tuple) {
  const uint32_t n_owners = s->basic != 0;
  for (uint32_t i = 0; i < modifies->n_targets; i++) {
    const tp_modifies_target *t = &modifies->targets[i];
    if (t->symbol != s) continue;
    const set objects = t->objects ? of(v, t->objects) : (set){0},
              indices = t->indices ? of(v, t->indices) : (set){0};
    const bool is_object = !t->objects || has(&objects, tuple >> 8 * (arity - 1));
    const bool is_index = !t->indices || has(&indices, tuple >> 8 * (arity - 1 - n_owners) & 255);
    if (is_object && is_index) return true;
  }
  return false;
}

/* Every difference between the states is one that may be, or of objects that are made or freed. */
static bool is_framed(naive *v, const tp_resolved_clause *modifies, const tp_symbol *s) {
  const tp_state_relations states = tp_bounded_states_relations(v->heaps);
  const set one = decoded(v, states.value(v->heaps, s, TP_PRE_STATE)),
            two = decoded(v, states.value(v->heaps, s, TP_POST_STATE));
  const set before = decoded(v, states.value(v->heaps, v->u->alloc, TP_PRE_STATE)),
            after = decoded(v, states.value(v->heaps, v->u->alloc, TP_POST_STATE));
  for (uint32_t i = 0; i < one.n + two.n; i++) {
    const uint64_t tuple = i < one.n ? one.at[i] : two.at[i - one.n],
                   owner = tuple >> 8 * (one.arity - 1);
    if (has(&one, tuple) && has(&two, tuple)) continue;
    if (s->basic && (!has(&before, owner) || !has(&after, owner))) continue;
    if (!may_change(v, modifies, s, one.arity, tuple)) return false;
  }
  return true;
}

static const char *const frames[] = {
    "none",
    "l.head",
    "l.head, the_list.count",
    "struct list::head, total",
    "a[n]",
    "a.\\elements",
    "numbers[0], numbers[n], l.sizes[n]",
    "the_list.sizes[2]",
    "\\alloc, c.\\content",
    "l.seen, mark, log[n]",
    "t.\\content",
    "l.\\content",
    "l.head.*next.data, l.content.key",
    "numbers, the_list, \\alloc",
};

static void try_frames(world *w, trial *t, const tp_resolved_clause *modifies,
                       const tp_symbol *const *symbols, const tp_rel_formula *formulas, size_t n,
                       tp_rng *rng, uint32_t *n_of) {
  const tp_rel_bounds *b = tp_bounded_states_bounds(t->heaps);
  tp_rel_instance heap;
  tp_rel_instance_init(&heap, tp_rel_n_relations(t->l));
  draw_heap(rng, t->heaps, t->l, symbols, n, &heap);
  tp_rel_eval *e = tp_rel_eval_new(b, &heap, WIDTH);
  naive v = {.u = &w->u, .heaps = t->heaps, .l = t->l, .bounds = b, .heap = &heap};
  tp_arena_init(&v.arena);
  for (size_t i = 0; i < n; i++) {
    if (!symbols[i]->changes) continue;
    const bool expected = is_framed(&v, modifies, symbols[i]);
    if (tp_rel_eval_formula(e, formulas[i]) != (expected ? TP_REL_IS_TRUE : TP_REL_IS_FALSE))
      fail_msg("%s: not %d", symbols[i]->name, expected);
    n_of[expected]++;
  }
  tp_vec_clear(&v.env);
  tp_arena_clear(&v.arena);
  tp_rel_eval_free(e);
  tp_rel_instance_clear(&heap);
}

static void test_K02_frames(void **state) {
  world *w = *state;
  tp_rng rng;
  tp_rng_init(&rng, 11);
  for (size_t k = 0; k < sizeof frames / sizeof *frames; k++) {
    trial t;
    tp_str text = {0};
    tp_str_printf(&text, "l.head' = c\n modifies %s", frames[k]);
    begin(w, &t, text.text, NULL);
    if (*said(w)) fail_msg("%s: %s", frames[k], said(w));
    const tp_resolved_clause modifies = tp_vec_last(&t.r.m.all);
    uint32_t n_ghosts = 0;
    for (uint32_t i = 0; i < modifies.n_targets; i++)
      n_ghosts += modifies.targets[i].symbol->kind == TP_SYMBOL_GHOST;
    assert_int_equal(n_ghosts, strstr(frames[k], "mark") ? 3
                                                         : !strcmp(frames[k], "l.\\content") ||
                                                               !strcmp(frames[k], "t.\\content"));
    const tp_symbol *symbols[128];
    tp_rel_formula formulas[128];
    const size_t n = symbols_of(w, &t, symbols, 100);
    for (size_t i = 0; i < n; i++)
      if (symbols[i]->changes)
        formulas[i] = tp_lower_frame_of(t.w, t.r.m.of_functions.at[0], symbols[i]);
    for (size_t i = 0; i < 2 * n; i++)
      (void)tp_bounded_states_relations(t.heaps).value(t.heaps, symbols[i / 2],
                                                       (tp_contract_state)(i % 2));
    assert_null(tp_lowering_error(t.w));
    uint32_t n_of[2] = {0, 0};
    for (int i = 0; i < 120; i++) try_frames(w, &t, &modifies, symbols, formulas, n, &rng, n_of);
    if (n_of[0] < 20 || n_of[1] < 20) fail_msg("%s: %u, %u", frames[k], n_of[0], n_of[1]);
    tp_str_clear(&text);
    finish(&t);
  }
}

static void note_kinds(const tp_spec_expr *x, bool *seen) {
  seen[x->kind] = true;
  if (x->symbol && x->symbol->body) note_kinds(x->symbol->body, seen);
  for (uint32_t i = 0; i < x->n_kids; i++) note_kinds(x->kids[i], seen);
  for (uint32_t i = 0; i < x->n_decls; i++) note_kinds(x->decls[i].bound, seen);
}

static void test_K02_operators_of_contracts(void **state) {
  world *w = *state;
  bool seen[TP_SPEC_N_KINDS] = {false};
  tp_rng rng;
  tp_rng_init(&rng, 7);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    trial t;
    begin(w, &t, cases[i].text, cases[i].broken);
    if (t.r.clauses.n_wrong || tp_lowering_error(t.w))
      fail_msg("%s: %s%s", cases[i].text, said(w),
               tp_lowering_error(t.w) ? tp_lowering_error(t.w) : "");
    note_kinds(t.expr[0], seen);
    for (int k = 0; k < 300; k++) try_heap(w, &t, &rng, cases[i].text);
    if (!t.n_differ)
      fail_msg("%s: %u false, %u true, %u undefined; never different from %s", cases[i].text,
               t.n_of[0], t.n_of[1], t.n_of[2], cases[i].broken);
    finish(&t);
  }
  for (uint32_t k = 0; k < TP_SPEC_N_KINDS; k++)
    if (!seen[k] && k != TP_SPEC_PRIME)
      fail_msg("kind '%s' (%u) never seen", tp_spec_expr_text(k), k);
}

// ------------------------------------------------------------------------- mutants

typedef TP_VEC(const char *) word_list;

static int class_of(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '\\' ? 1
         : isspace((unsigned char)c)                        ? 0
         : c == '(' || c == ')' || c == '{' || c == '}'     ? 3
                                                            : 2;
}

static void split(tp_arena *a, const char *text, word_list *out) {
  for (const char *at = text; *at;) {
    size_t n = 1;
    while (class_of(*at) < 3 && at[n] && class_of(at[n]) == class_of(*at)) n++;
    tp_vec_push(out, tp_arena_strndup(a, at, n));
    at += n;
  }
}

/* One to three words replaced by words of the same kind from anywhere. */
static void mutate(tp_rng *rng, const word_list *own, const word_list *all, tp_str *out) {
  size_t victims[3];
  for (int k = 0; k < 3; k++) victims[k] = tp_rng_below(rng, own->n);
  const uint64_t n = 1 + tp_rng_below(rng, 3);
  for (size_t i = 0; i < own->n; i++) {
    const char *word = own->at[i], *other = all->at[tp_rng_below(rng, all->n)];
    bool is_victim = false;
    for (uint64_t k = 0; k < n; k++) is_victim = is_victim || victims[k] == i;
    while (is_victim && class_of(*other) != class_of(*word))
      other = all->at[tp_rng_below(rng, all->n)];
    tp_str_add(out, is_victim ? other : word);
  }
}

/* What is understood of random changes of the contracts means the same, lowered and interpreted. */
static void test_K02_random_contracts(void **state) {
  world *w = *state;
  tp_arena arena;
  tp_arena_init(&arena);
  word_list all = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) split(&arena, cases[i].text, &all);
  tp_rng rng;
  uint32_t n_understood = 0, n_undefined = 0;
  const uint64_t n = getenv("TP_SOAK") ? 100000 : 1500;
  for (uint64_t i = 0; i < n; i++) {
    tp_rng_init(&rng, i + 1);
    word_list own = {0};
    tp_str text = {0};
    split(&arena, cases[tp_rng_below(&rng, sizeof cases / sizeof *cases)].text, &own);
    mutate(&rng, &own, &all, &text);
    trial t;
    begin(w, &t, text.text, NULL);
    if (t.expr[0]) {
      if (!t.formula[0].id) fail_msg("%s: %s", text.text, tp_lowering_error(t.w));
      n_understood++;
      for (int k = 0; k < 4; k++) try_heap(w, &t, &rng, text.text);
      n_undefined += t.n_of[TP_REL_IS_UNDEFINED];
    }
    finish(&t);
    tp_vec_clear(&own);
    tp_str_clear(&text);
  }
  assert_in_range(n_understood, n / 8, n);
  assert_in_range(n_undefined, 10, n);
  tp_vec_clear(&all);
  tp_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_K02_operators_of_contracts), cmocka_unit_test(test_K02_invariants),
      cmocka_unit_test(test_K02_frames), cmocka_unit_test(test_K02_random_contracts)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
