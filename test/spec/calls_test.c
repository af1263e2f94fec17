/* Calls by contract: where the contract says exactly what a body does, both give the same answer;
 * where it says less, whatever fails with the body fails with the contract. What is required is
 * checked where the call is; ghosts change by contract only. TP_SOAK=1: many more. */
#include "bodies.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define HEAD                                                                                 \
  "#include <stdlib.h>\nvoid reach_error(void);\n#define CHECK(c) if (!(c)) reach_error()\n" \
  "struct n { struct n *a, *b; int d; };\nstruct n *g;\nint count;\n"

// ------------------------------------------------- bodies and contracts of the same

static const char helpers[] = HEAD
    "void set(struct n *h, int v) { if (h) h->d = v; }\n"
    "struct n *next(struct n *h) { return h ? h->a : 0; }\n"
    "struct n *fresh(struct n *to) { struct n *p = malloc(sizeof *p); p->a = to; p->b = 0; p->d = "
    "1; return p; }\n"
    "void drop(struct n *h) { if (h && h->a && h->a != h) { struct n *o = h->a; h->a = 0; free(o); "
    "} }\n"
    "void push(struct n *h) { if (h) { h->b = g; g = h; count = count + 1; } }\n"
    "int is_small(struct n *h) { return h && h->d < 1; }\n"
    "void twist(struct n *h, struct n *k) { if (!h || !k) return; struct n *t = h->a; h->a = k->a; "
    "k->a = t; }\n";

static const char exact[] =
    "function set(h, v) { modifies h.d ensures h != null => h.d' = v }\n"
    "function next(h) { modifies none ensures h = null => \\result = null ensures h != null => "
    "\\result = h.a }\n"
    "function fresh(to) { modifies \\alloc ensures \\result !in \\alloc + null and \\alloc' = "
    "\\alloc + \\result and \\result.a' = to and \\result.b' = null and \\result.d' = 1 }\n"
    "function drop(h) { modifies h.a, \\alloc\n"
    "  ensures h != null and h.a != null and h.a != h => h.a' = null and \\alloc' = \\alloc - h.a\n"
    "  ensures not (h != null and h.a != null and h.a != h) => h.a' = h.a and \\alloc' = \\alloc "
    "}\n"
    "function push(h) { modifies h.b, g, count ensures h != null => h.b' = g and g' = h and count' "
    "= count + 1 ensures h = null => g' = g and count' = count }\n"
    "function is_small(h) { modifies none ensures \\result = 1 or \\result = 0 ensures \\result = "
    "1 <=> h != null and h.d < 1 }\n"
    "function twist(h, k) { modifies h.a, k.a ensures h != null and k != null => h.a' = k.a and "
    "k.a' = h.a ensures h = null or k = null => (h + k).a' = (h + k).a }\n";

/* The same bodies keep these as well. */
static const char weak[] =
    "function set(h, v) { modifies d }\n"
    "function next(h) { modifies none ensures \\result in \\alloc + null + a[h] }\n"
    "function fresh(to) { modifies \\alloc ensures \\alloc in \\alloc' and \\result in \\alloc' "
    "and \\result.a' in to + null }\n"
    "function drop(h) { modifies a, \\alloc ensures \\alloc' in \\alloc }\n"
    "function push(h) { ensures \\alloc' = \\alloc ensures h != null => g' = h }\n"
    "function is_small(h) { modifies none ensures \\result = 1 => h != null }\n"
    "function twist(h, k) { modifies struct n::a, struct n::b }\n";

typedef struct {
  tp_rng rng;
  tp_str text;
} writer;

static uint64_t below(writer *w, uint64_t n) { return tp_rng_below(&w->rng, n); }
static const char *pointer(writer *w) {
  static const char *const all[] = {"x", "y", "t", "g", "0", "x", "y"};
  return all[below(w, 7)];
}
static const char *variable(writer *w) {
  static const char *const all[] = {"x", "y", "t", "g"};
  return all[below(w, 4)];
}

static void statement(writer *w) {
  const char *v = variable(w);
  switch (below(w, 8) == 0 ? 11 + below(w, 3) : below(w, 11)) {
    case 0: tp_str_printf(&w->text, "set(%s, %s);\n", pointer(w), below(w, 2) ? "i" : "0"); break;
    case 1: tp_str_printf(&w->text, "%s = next(%s);\n", v, pointer(w)); break;
    case 2: tp_str_printf(&w->text, "%s = fresh(%s);\n", v, pointer(w)); break;
    case 3:
      tp_str_printf(&w->text, "if (%s && !%s->b) %s = %s;\n", v, v, variable(w), pointer(w));
      break;
    case 4: tp_str_printf(&w->text, "push(%s);\n", pointer(w)); break;
    case 5:
      tp_str_printf(&w->text, "if (is_small(%s)) %s = %s;\n", variable(w), v, pointer(w));
      break;
    case 6: tp_str_printf(&w->text, "twist(%s, %s);\n", variable(w), variable(w)); break;
    case 7: tp_str_printf(&w->text, "if (%s) %s->a = %s;\n", v, v, pointer(w)); break;
    case 8: tp_str_printf(&w->text, "if (%s) %s->d = i;\n", v, v); break;
    case 9:
      tp_str_printf(&w->text, "while (%s && %s->a && is_small(%s)) %s = next(%s);\n", v, v, v, v,
                    v);
      break;
    case 10: tp_str_printf(&w->text, "if (%s) i = %s->d;\n", v, v); break;
    case 11: tp_str_printf(&w->text, "CHECK(%s != %s || i || !t);\n", v, pointer(w)); break;
    case 12: tp_str_printf(&w->text, "if (i == 2) CHECK(!%s || %s->d != 3);\n", v, v); break;
    default: tp_str_printf(&w->text, "if (i == 1) drop(%s);\n", variable(w)); break;
  }
}

typedef struct {
  tp_contract_answer answer;
  bool is_cut,
      cannot_return;  // more executions lie beyond the bounds; a contract that nothing meets
  char what[200];
} verdict;

static verdict judge(const char *text, const char *contracts, bool by_contract) {
  subject s;
  tp_contract_verdict j;
  subject_init_with(&s, text, "f", contracts, (tp_rheap_limits){3, 2, 3}, by_contract);
  tp_contract_check(&(tp_contract_query){.heap = &s.heap,
                                         .body = &s.body,
                                         .assumptions = s.contract.assumptions.at,
                                         .n_assumptions = s.contract.assumptions.n,
                                         .goals = s.contract.goals.at,
                                         .n_goals = s.contract.goals.n},
                    &j);
  verdict v = {
      j.answer,
      j.is_binding[TP_REXEC_OBJECTS] || j.is_binding[TP_REXEC_UNROLL] || j.is_width_binding,
      j.dead_call != NULL, ""};
  if (j.what) snprintf(v.what, sizeof v.what, "%s in line %u", j.what, j.pos.line);
  tp_contract_verdict_clear(&j);
  subject_clear(&s);
  return v;
}

typedef struct {
  uint32_t n_fail, n_hold, n_weak_fail;
} tally;

static void check_caller(uint64_t seed, tally *sum) {
  static const char *const claims[] = {
      "ensures count' >= count - 1", "ensures #\\alloc' <= #\\alloc + 1",
      "modifies a, b, d, g, count, \\alloc", "ensures count' >= count",
      "requires x != null and x.d > 0 ensures x in \\alloc' => x.d' > 0 or i <= 0"};
  writer w = {0};
  tp_rng_init(&w.rng, seed);
  tp_str_printf(&w.text, "%sstruct n *f(struct n *x, struct n *y, int i) {\nstruct n *t = x;\n",
                helpers);
  for (uint64_t k = 2 + below(&w, 3); k > 0; k--) statement(&w);
  tp_str_printf(&w.text, "return %s;\n}\n", variable(&w));
  const char *claim = claims[below(&w, 5)];
  char by_exact[4000], by_weak[4000], by_body[200];
  snprintf(by_exact, sizeof by_exact, "%sfunction f { %s }\n", exact, claim);
  snprintf(by_weak, sizeof by_weak, "%sfunction f { %s }\n", weak, claim);
  snprintf(by_body, sizeof by_body, "function f { %s }\n", claim);
  const char *text = tp_str_text(&w.text);
  const verdict body = judge(text, by_body, false), same = judge(text, by_exact, true),
                less = judge(text, by_weak, true);
  if (body.answer == TP_CONTRACT_UNKNOWN || same.answer == TP_CONTRACT_UNKNOWN ||
      less.answer == TP_CONTRACT_UNKNOWN)
    fail_msg("seed %llu: not known: %s%s%s", (unsigned long long)seed, body.what, same.what,
             less.what);
  if (body.answer == TP_CONTRACT_FAILS && less.answer != TP_CONTRACT_FAILS)
    fail_msg("seed %llu: %s, %s: fails (%s), but not by weak contracts", (unsigned long long)seed,
             text, claim, body.what);
  const bool is_gone = strstr(same.what, "that is gone") != NULL;  // a body may not mind
  if (body.answer != same.answer && !is_gone)
    fail_msg("seed %llu: %s, %s: %d (%s), by exact contracts %d (%s)", (unsigned long long)seed,
             text, claim, body.answer, body.what, same.answer, same.what);
  if (getenv("TP_SHOW")) printf("%s%s: %s\n", text + strlen(helpers), claim, body.what);
  sum->n_fail += body.answer == TP_CONTRACT_FAILS;
  sum->n_hold += body.answer == TP_CONTRACT_HOLDS;
  sum->n_weak_fail += less.answer == TP_CONTRACT_FAILS;
  tp_str_clear(&w.text);
}

static void contracts_agree_with_bodies(void **state) {
  (void)state;
  tally sum = {0};
  const uint64_t n = getenv("TP_SOAK") ? 1500 : 25;
  for (uint64_t k = 0; k < n; k++) check_caller(k + 1, &sum);
  printf("%u hold, %u fail, %u fail by weak contracts\n", sum.n_hold, sum.n_fail, sum.n_weak_fail);
  assert_true(sum.n_hold > n / 8 && sum.n_fail > n / 8 && sum.n_weak_fail > sum.n_fail);
  assert_int_equal(tp_live_bytes(), 0);
}

/* The contracts above are those of the bodies. */
static void the_bodies_keep_them(void **state) {
  (void)state;
  static const char *const names[] = {"set", "next", "fresh", "drop", "push", "is_small", "twist"};
  for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
    subject s;
    tp_contract_verdict j;
    subject_init_with(&s, helpers, names[i / 2], i % 2 ? exact : weak, (tp_rheap_limits){3, 2, 3},
                      false);
    tp_contract_check(&(tp_contract_query){.heap = &s.heap,
                                           .body = &s.body,
                                           .goals = s.contract.goals.at,
                                           .n_goals = s.contract.goals.n},
                      &j);
    if (j.answer != TP_CONTRACT_HOLDS || (!s.contract.goals.n && i % 2))
      fail_msg("%s: %s", names[i / 2], j.what ? j.what : "nothing is claimed");
    tp_contract_verdict_clear(&j);
    subject_clear(&s);
  }
}

// ------------------------------------------------------------------- by hand

typedef struct {
  const char *name, *text, *contracts;
  tp_contract_answer answer;
  const char *
      what;  // part of it; HOLDS: "dead" a call never returns, "cut" something is beyond the bounds
} question;

#define BOX                                                                                        \
  HEAD "struct box { void *inside; };\nstruct n *get(struct box *b, int i);\nvoid put(struct box " \
       "*b, struct n *x);\nstruct box *box_new(void);\nvoid box_free(struct box *b);\nint "        \
       "some(void);\n"                                                                             \
       "void uses(struct box *b) { count = some(); g = 0; put(b, get(b, 0)); "                     \
       "box_free(box_new()); }\n"
#define GHOSTS                                                                                     \
  "struct box { ghost items : set struct n ghost owner : lone struct n }\nghost boxes : set "      \
  "struct box\n"                                                                                   \
  "function put(b, x) { requires b != null and x != null modifies b.items ensures b.items' = "     \
  "b.items + x }\n"                                                                                \
  "function get(b, i) { requires b != null modifies none ensures some b.items => \\result in "     \
  "b.items ensures no b.items => \\result = null }\n"                                              \
  "function box_new { modifies \\alloc, boxes ensures \\result !in \\alloc + null and \\alloc' = " \
  "\\alloc + \\result and no \\result.items' and no \\result.owner' and boxes' = boxes + "         \
  "\\result }\n"                                                                                   \
  "function box_free(b) { requires b in boxes modifies \\alloc, boxes ensures \\alloc' = \\alloc " \
  "- b and boxes' = boxes - b }\n"

static const question by_hand[] = {
    {"a container",
     BOX "struct n *f(struct box *b, struct n *x) { if (!b || !x) return 0; put(b, x); return "
         "get(b, 0); }",
     GHOSTS "function f(b, x) { modifies b.items ensures b != null and x != null => \\result in "
            "b.items + x }",
     TP_CONTRACT_HOLDS, NULL},
    {"what a container holds is not known",
     BOX "struct n *f(struct box *b, struct n *x) { if (!b || !x) return 0; put(b, x); return "
         "get(b, 0); }",
     GHOSTS "function f(b, x) { ensures b != null and x != null => \\result = x }",
     TP_CONTRACT_FAILS, "ensures"},
    {"requirements", BOX "void f(struct box *b, struct n *x) { put(b, x); }",
     GHOSTS "function f(b, x) { requires b != null }", TP_CONTRACT_FAILS,
     "the call of put: requires"},
    {"requirements that are met", BOX "void f(struct box *b, struct n *x) { if (x) put(b, x); }",
     GHOSTS "function f(b, x) { requires b != null }", TP_CONTRACT_HOLDS, NULL},
    {"new objects",
     BOX "struct box *f(struct n *x) { struct box *b = box_new(); if (x) put(b, x); return b; }",
     GHOSTS "function f(x) { modifies \\alloc, boxes, items ensures \\result.items' = x - null and "
            "\\result in boxes' }",
     TP_CONTRACT_HOLDS, "cut"},
    {"items of a new object",
     BOX "struct box *f(struct box *c, struct n *x) { struct box *b = box_new(); if (x && c) "
         "put(c, x); return b; }",
     GHOSTS "function f(c, x) { ensures x != null => some \\result.items' }", TP_CONTRACT_FAILS,
     "ensures"},
    {"frame of ghosts",
     BOX "void f(struct box *b, struct box *c, struct n *x) { if (b && x) put(b, x); }",
     GHOSTS "function f(b, c, x) { modifies c.items }", TP_CONTRACT_FAILS, "modifies: items"},
    {"ghosts that nothing changes",
     BOX "void f(struct box *b, struct n *x) { x->d = 1; put(b, x); }",
     GHOSTS "function f(b, x) { requires x != null and b != null ensures owner' = owner and boxes' "
            "= boxes and x.d' = 1 }",
     TP_CONTRACT_HOLDS, NULL},
    {"freed by contract",
     BOX "int f(struct box *b, struct n *x) { box_free(b); put(b, x); return 0; }",
     GHOSTS "function f(b, x) { requires b in boxes and b in \\alloc and x != null }",
     TP_CONTRACT_FAILS, "that is gone"},
    {"freed twice", BOX "int f(struct box *b) { box_free(b); box_free(b); return 0; }",
     GHOSTS "function f(b) { requires b in boxes and b in \\alloc }", TP_CONTRACT_FAILS,
     "box_free"},
    {"no contract", BOX "int f(void) { return some(); }",
     GHOSTS "function f { ensures \\result = 1 }", TP_CONTRACT_UNKNOWN,
     "a call of some, which has no body"},
    {"contradiction", BOX "int f(void) { int r = some(); CHECK(0); return r; }",
     GHOSTS "function some { ensures \\result = 1 and \\result = 2 }", TP_CONTRACT_HOLDS, "dead"},
    {"globals", BOX "int f(void) { count = 2; int r = some(); return r + count; }",
     GHOSTS
     "function some { modifies none ensures \\result = count } function f { ensures \\result = 4 }",
     TP_CONTRACT_HOLDS, "cut"},
    {"globals of wider integers",
     BOX "int f(void) { count = 1; int r = some(); return r + count; }",
     GHOSTS
     "function some { modifies none ensures \\result = count } function f { ensures \\result = 2 }",
     TP_CONTRACT_HOLDS, NULL},
    {"globals that may change", BOX "int f(void) { count = 1; some(); return count; }",
     GHOSTS "function some { modifies count } function f { ensures \\result = 1 }",
     TP_CONTRACT_FAILS, "ensures"},
    {"without modifies all may change", BOX "int f(struct n *x) { x->d = 1; some(); return x->d; }",
     GHOSTS "function some { ensures \\alloc' = \\alloc } function f(x) { requires x != null "
            "ensures \\result = 1 }",
     TP_CONTRACT_FAILS, "ensures"},
    {"locals may not", BOX "int f(void) { struct n l; l.d = 1; some(); return l.d; }",
     GHOSTS "function some { modifies count } function f { ensures \\result = 1 }",
     TP_CONTRACT_HOLDS, NULL},
    {"invariants are kept", BOX "void f(struct box *b, struct n *x) { if (b && x) put(b, x); }",
     GHOSTS "struct box { invariant #this.items <= 2 } function f(b, x) { modifies items }",
     TP_CONTRACT_HOLDS, NULL},
};

static void calls_by_hand(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
    const question *q = &by_hand[i];
    const verdict v = judge(q->text, q->contracts, false);
    const bool holds_so = v.answer != TP_CONTRACT_HOLDS ||
                          (v.cannot_return == (q->what && strcmp(q->what, "dead") == 0) &&
                           (v.is_cut || !q->what || strcmp(q->what, "cut") != 0));
    const bool says = v.answer == TP_CONTRACT_HOLDS || !q->what || strstr(v.what, q->what);
    if (v.answer != q->answer || !says || !holds_so)
      fail_msg("%s: answer %d (%s; %s%s), not %d (%s)", q->name, v.answer, v.what,
               v.is_cut ? "cut " : "", v.cannot_return ? "dead" : "", q->answer,
               q->what ? q->what : "");
  }
  assert_int_equal(tp_live_bytes(), 0);
}

// ----------------------------------------------------- relations that a call needs

#define CALLER                                                                                 \
  HEAD "int other(struct n *h);\nint f(struct n *h) { h->d = 1; count = 2; int r = other(h); " \
       "return r + h->d + count + (h->a != 0); }\n"

static const struct {
  const char *contract;
  size_t n_fresh;
} fresh[] = {
    {"modifies none", 1},  // the result
    {"modifies h.d", 2},
    {"modifies h.d, count", 3},
    {"modifies struct n::a, struct n::d", 3},
    {"modifies h.b", 1},      // which nobody touches
    {"modifies \\alloc", 5},  // the last object, those that are gone, a and d of new ones
    {"", 6},
};

/* A relation of its own for what may change and is touched, for nothing else; whatever it is chosen
 * to be is a value: a total function on the objects that are there. */
static void K28_fresh_relations_at_calls(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof fresh / sizeof *fresh; i++) {
    subject s;
    tp_contract_verdict j;
    char contract[200];
    TP_VEC(tp_contract_goal) claims = {0};
    snprintf(contract, sizeof contract,
             "function other(h) { %s ensures \\result >= 0 and \\alloc in \\alloc' } function f(h) "
             "{ requires h != null }",
             fresh[i].contract);
    subject_init(&s, CALLER, "f", contract, (tp_rheap_limits){2, 1, 3});
    if (s.heap.havocs.n != fresh[i].n_fresh)
      fail_msg("%s: %zu fresh relations, not %zu", fresh[i].contract, s.heap.havocs.n,
               fresh[i].n_fresh);
    const tp_rheap_objects after = {s.body.after.last, s.body.after.stack};
    for (uint32_t f = 0; f < s.body.n_fields; f++) {
      const tp_symbol *symbol = s.heap.fields.at[f].symbol;
      const tp_rel_expr owners = tp_rheap_is_global(symbol)
                                     ? s.heap.null
                                     : tp_rheap_allocated(&s.heap, symbol->basic, after);
      const tp_rel_formula is_value =
          tp_rheap_is_value(&s.heap, symbol, s.body.after.fields[f], owners, after);
      tp_vec_push(&claims, (tp_contract_goal){
                               tp_rel_and(s.heap.l, s.body.returns, tp_rel_not(s.heap.l, is_value)),
                               TP_POS_NONE, symbol->name});
    }
    assert_true(claims.n >= 3);
    tp_contract_check(&(tp_contract_query){.heap = &s.heap,
                                           .body = &s.body,
                                           .assumptions = s.contract.assumptions.at,
                                           .n_assumptions = s.contract.assumptions.n,
                                           .goals = claims.at,
                                           .n_goals = claims.n},
                      &j);
    if (j.answer != TP_CONTRACT_HOLDS || j.never_returns)
      fail_msg("%s: %s", fresh[i].contract, j.what ? j.what : "never returns");
    tp_contract_verdict_clear(&j);
    tp_vec_clear(&claims);
    subject_clear(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(K28_fresh_relations_at_calls), cmocka_unit_test(the_bodies_keep_them),
      cmocka_unit_test(calls_by_hand), cmocka_unit_test(contracts_agree_with_bodies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
