/* Restriction by conditions: backward evaluation.
 *
 * The condition is evaluated first. If that leaves it open, its value is set, and the terms below
 * it are visited from the top down (arguments have smaller ids, so descending ids put every term
 * behind all its users): each whose value became sharper passes it on to its arguments, connectives
 * and equalities by the store, all else by the lattice's refine. At a variable the element is
 * sharpened. Then the condition is evaluated again, which may show that no state meets it, or teach
 * more; a few rounds at most.
 *
 * Copies: after x := y, x := load c, a restriction of x also restricts y, or c, until either
 * changes. Each lvalue has two entries: the lvalue that it was copied from, and the last copy of
 * it; an equality needs both entries, so a change removes the two entries of the changed lvalue
 * only. */
#include <stdlib.h>

#include "cpa/store_priv.h"

#include "cpa/cpa_limits.h"

// ---------------------------------------------------------------------- copies

/* Lvalues as numbers: variables even, cells odd. Two keys each: the source of its copy, and its
 * last copy. */
static uint64_t lvalue_of_var(tp_var v) { return (uint64_t)v.id << 1; }
static uint64_t lvalue_of_cell(uint32_t cell) { return (uint64_t)cell << 1 | 1; }
static uint64_t from_key(uint64_t lvalue) { return lvalue << 1; }
static uint64_t into_key(uint64_t lvalue) { return lvalue << 1 | 1; }

static uint64_t source_of(const tp_elem *e, uint64_t lvalue) {
  uint64_t from = tp_pmap_get(&e->copies, from_key(lvalue));
  return from && tp_pmap_get(&e->copies, into_key(from)) == lvalue ? from : 0;
}
static uint64_t copy_of(const tp_elem *e, uint64_t lvalue) {
  uint64_t into = tp_pmap_get(&e->copies, into_key(lvalue));
  return into && tp_pmap_get(&e->copies, from_key(into)) == lvalue ? into : 0;
}

static void changed(tp_elem *e, uint64_t lvalue) {
  if (!e->copies.root) return;
  if (tp_pmap_get(&e->copies, from_key(lvalue))) tp_pmap_set(&e->copies, from_key(lvalue), 0);
  if (tp_pmap_get(&e->copies, into_key(lvalue))) tp_pmap_set(&e->copies, into_key(lvalue), 0);
}
static void note(tp_elem *e, uint64_t to, uint64_t from) {
  TP_REQUIRE(to != from);
  tp_pmap_set(&e->copies, from_key(to), from);
  tp_pmap_set(&e->copies, into_key(from), to);
}

void tp_store_var_changed(tp_store *st, tp_elem *e, tp_var v) {
  (void)st, changed(e, lvalue_of_var(v));
}
void tp_store_cell_changed(tp_store *st, tp_elem *e, uint32_t cell) {
  (void)st, changed(e, lvalue_of_cell(cell));
}
void tp_store_drop_copies(tp_elem *e) { tp_pmap_clear(&e->copies); }

static bool tracks_var(const tp_store *st, tp_var v) {
  return tp_store_tracks(st, tp_sort_of(st->tt, tp_var_of(st->p, v)->term));
}

void tp_store_note_copy_of_var(tp_store *st, tp_elem *e, tp_var to, tp_var from) {
  if (tracks_var(st, to) && tracks_var(st, from)) note(e, lvalue_of_var(to), lvalue_of_var(from));
}
void tp_store_note_copy_of_cell(tp_store *st, tp_elem *e, tp_var to, uint32_t cell) {
  if (tracks_var(st, to)) note(e, lvalue_of_var(to), lvalue_of_cell(cell));
}

static tp_term term_of_lvalue(tp_store *st, uint64_t lvalue) {
  if (!(lvalue & 1)) return tp_var_of(st->p, (tp_var){(uint32_t)(lvalue >> 1)})->term;
  return tp_store_cell_term(st, (uint32_t)(lvalue >> 1));
}

tp_term tp_store_copies_formula(tp_store *st, const tp_elem *e) {
  tp_term all = tp_mk_true(st->tt);
  for (uint64_t key = 0, value; tp_pmap_next(&e->copies, key, &key, &value); key++) {
    if (key & 1 || !source_of(e, key >> 1)) continue;
    all = tp_mk_and(st->tt, all,
                    tp_mk_eq(st->tt, term_of_lvalue(st, key >> 1), term_of_lvalue(st, value)));
  }
  return all;
}

/* Restricts one lvalue; false if its value is unchanged, or has no value in common. */
static bool sharpen(tp_store *st, tp_elem *e, uint64_t lvalue, tp_absval value) {
  TP_REQUIRE(lvalue >> 1 && lvalue >> 1 < (lvalue & 1 ? st->cells.n : st->p->vars.n));
  tp_pmap *m = lvalue & 1 ? &e->cells : &e->vars;
  uint64_t key = lvalue >> 1;
  tp_absval old = {tp_pmap_get(m, key)}, both;
  if (tp_absval_eq(old, TP_STORE_CELL_TOP)) old = TP_ABSVAL_TOP;
  tp_sort s = lvalue & 1 ? st->cells.at[key].sort : tp_sort_of(st->tt, st->p->vars.at[key].term);
  if (!tp_store_value_meet(st, s, old, value, &both) || tp_absval_eq(old, both)) return false;
  tp_pmap_set(m, key, both.id);
  return true;
}

void tp_store_sharpen_var(tp_store *st, tp_elem *e, tp_var v, tp_absval value) {
  uint64_t start = lvalue_of_var(v);
  if (!tracks_var(st, v) || !sharpen(st, e, start, value)) return;
  for (uint64_t up = source_of(e, start); up && sharpen(st, e, up, value); up = source_of(e, up)) {
  }
  for (uint64_t down = copy_of(e, start); down && sharpen(st, e, down, value);
       down = copy_of(e, down)) {
  }
}

// -------------------------------------------------------------------- backward

typedef struct {
  tp_store *st;
  tp_elem *e;
  TP_VEC(tp_term) order;  // the condition's terms, descending ids
  tp_map sharper;         // terms whose value fell since they were visited
  bool has_restricted;    // some variable was restricted
} backward;

static tp_absval now(const backward *b, tp_term t) { return b->st->memo.at[t.id]; }

/* t's value is also in v. */
static bool narrow(backward *b, tp_term t, tp_absval v) {
  tp_absval both;
  if (!tp_store_has_memo(b->st, t)) return true;
  if (!tp_store_value_meet(b->st, tp_sort_of(b->st->tt, t), now(b, t), v, &both)) return false;
  if (tp_absval_eq(both, now(b, t))) return true;
  b->st->memo.at[t.id] = both;
  tp_map_set(&b->sharper, t.id, 1);
  return true;
}
static bool narrow_truth(backward *b, tp_term t, bool truth) {
  return narrow(b, t, tp_store_truth(truth));
}

/* Both hold, or (negated) not both: then one that is known to hold makes the other one fail. */
static bool back_and(backward *b, tp_term x, tp_term y, bool both, bool polarity) {
  if (both) return narrow_truth(b, x, polarity) && narrow_truth(b, y, polarity);
  if (tp_absval_eq(now(b, x), tp_store_truth(polarity))) return narrow_truth(b, y, !polarity);
  if (tp_absval_eq(now(b, y), tp_store_truth(polarity))) return narrow_truth(b, x, !polarity);
  return true;
}

static bool back_xor(backward *b, tp_term x, tp_term y, bool differ) {
  if (now(b, x).id && !narrow_truth(b, y, tp_absval_eq(now(b, x), TP_STORE_TRUE) != differ))
    return false;
  return !now(b, y).id || narrow_truth(b, x, tp_absval_eq(now(b, y), TP_STORE_TRUE) != differ);
}

static bool back_ite(backward *b, tp_term t) {
  TP_REQUIRE(tp_kind(b->st->tt, t) == TP_OP_ITE);
  tp_terms *tt = b->st->tt;
  tp_term c = tp_arg(tt, t, 0), x = tp_arg(tt, t, 1), y = tp_arg(tt, t, 2);
  tp_sort s = tp_sort_of(tt, t);
  tp_absval common;
  bool x_fits = tp_store_value_meet(b->st, s, now(b, x), now(b, t), &common);
  bool y_fits = tp_store_value_meet(b->st, s, now(b, y), now(b, t), &common);
  if (!x_fits && !narrow_truth(b, c, false)) return false;
  if (!y_fits && !narrow_truth(b, c, true)) return false;
  if (now(b, c).id == 0) return true;
  return narrow(b, tp_absval_eq(now(b, c), TP_STORE_TRUE) ? x : y, now(b, t));
}

static bool back_lattice(backward *b, tp_term t) {
  tp_store *st = b->st;
  tp_absval args[3];
  uint32_t n = tp_n_args(st->tt, t);
  for (uint32_t i = 0; i < n; i++) {
    tp_term a = tp_arg(st->tt, t, i);
    tp_sort_kind k = tp_sort_kind_of(st->tt, tp_sort_of(st->tt, a));
    if (k != TP_SORT_BV && k != TP_SORT_BOOL && k != TP_SORT_FP) return true;
    args[i] = now(b, a);
  }
  if (!tp_store_refine(st, t, now(b, t), args, n)) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!narrow(b, tp_arg(st->tt, t, i), args[i])) return false;
  return true;
}

/* x is another address than y. */
static bool back_differ(backward *b, tp_term x, tp_term y) {
  tp_absval rest;
  if (!tp_store_without_target(b->st, now(b, x), now(b, y), &rest)) return false;
  return tp_absval_eq(rest, now(b, x)) || narrow(b, x, rest);
}

static bool back_eq(backward *b, tp_term t, bool equal) {
  TP_REQUIRE(tp_kind(b->st->tt, t) == TP_OP_EQ);
  tp_term x = tp_arg(b->st->tt, t, 0), y = tp_arg(b->st->tt, t, 1);
  tp_sort_kind k = tp_sort_kind_of(b->st->tt, tp_sort_of(b->st->tt, x));
  if (k == TP_SORT_BOOL) return back_xor(b, x, y, !equal);
  if (equal && (k == TP_SORT_BV || k == TP_SORT_PTR) &&
      !(narrow(b, x, now(b, y)) && narrow(b, y, now(b, x))))
    return false;
  if (!equal && k == TP_SORT_PTR) return back_differ(b, x, y) && back_differ(b, y, x);
  return back_lattice(b, t);
}

static bool visit(backward *b, tp_term t) {
  TP_REQUIRE(tp_store_has_memo(b->st, t));
  tp_store *st = b->st;
  bool holds = tp_absval_eq(now(b, t), TP_STORE_TRUE);
  tp_term_kind k = tp_kind(st->tt, t);
  if (k == TP_OP_VAR) {
    tp_var v = tp_program_var_of(st->p, t);
    if (!v.id || !tracks_var(st, v)) return true;
    tp_store_sharpen_var(st, b->e, v, now(b, t));
    b->has_restricted = true;
    return true;
  }
  if (k == TP_OP_NOT) return narrow_truth(b, tp_arg(st->tt, t, 0), !holds);
  if (k == TP_OP_AND) return back_and(b, tp_arg(st->tt, t, 0), tp_arg(st->tt, t, 1), holds, true);
  if (k == TP_OP_OR) return back_and(b, tp_arg(st->tt, t, 0), tp_arg(st->tt, t, 1), !holds, false);
  if (k == TP_OP_XOR) return back_xor(b, tp_arg(st->tt, t, 0), tp_arg(st->tt, t, 1), holds);
  if (k == TP_OP_ITE) return back_ite(b, t);
  if (k == TP_OP_EQ) return back_eq(b, t, holds);
  if (k == TP_OP_FORALL || k == TP_OP_EXISTS || tp_n_args(st->tt, t) == 0) return true;
  return back_lattice(b, t);
}

static int descending(const void *x, const void *y) {
  uint32_t a = ((const tp_term *)x)->id, b = ((const tp_term *)y)->id;
  return (a < b) - (a > b);
}

/* All terms that the evaluation of `root` has met. */
static void list_terms(backward *b, tp_term root) {
  tp_map seen = {0};
  b->order.n = 0;
  tp_vec_push(&b->order, root);
  tp_map_set(&seen, root.id, 1);
  for (size_t i = 0; i < b->order.n; i++) {
    tp_term t = b->order.at[i];
    for (uint32_t j = 0; j < tp_n_args(b->st->tt, t); j++) {
      tp_term a = tp_arg(b->st->tt, t, j);
      if (tp_map_has(&seen, a.id) || !tp_store_has_memo(b->st, a)) continue;
      tp_map_set(&seen, a.id, 1);
      tp_vec_push(&b->order, a);
    }
  }
  tp_map_clear(&seen);
  qsort(b->order.at, b->order.n, sizeof(tp_term), descending);
}

/* One pass down. Two terms may sharpen each other's arguments, so a term is visited if its value
 * fell before its turn. */
static bool pass(backward *b, tp_term condition, tp_absval truth) {
  TP_REQUIRE(b->order.n > 0 && tp_term_eq(b->order.at[0], condition));  // the largest id
  tp_map_clear(&b->sharper);
  b->has_restricted = false;
  if (!narrow(b, condition, truth)) return false;
  for (size_t i = 0; i < b->order.n; i++)
    if (tp_map_has(&b->sharper, b->order.at[i].id) && !visit(b, b->order.at[i])) return false;
  return true;
}

bool tp_store_assume(tp_store *st, tp_elem *e, tp_term condition, tp_absval truth) {
  TP_REQUIRE(tp_sort_kind_of(st->tt, tp_sort_of(st->tt, condition)) == TP_SORT_BOOL && truth.id);
  backward b = {.st = st, .e = e};
  bool possible = true;
  for (int round = 0; round < TP_CPA_STORE_ASSUME_ROUNDS && possible; round++) {
    tp_absval v = tp_store_eval(st, e, condition);
    if (v.id) {
      possible = tp_absval_eq(v, truth);
      break;
    }
    if (round == 0) list_terms(&b, condition);
    possible = pass(&b, condition, truth);
    if (!b.has_restricted) break;
  }
  tp_vec_clear(&b.order);
  tp_map_clear(&b.sharper);
  return possible;
}
