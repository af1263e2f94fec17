/* Writing terms as text.
 *
 * Two walks. The first goes over the nodes below t in the order of ids, so arguments come before
 * their users, counts the uses of each and follows which bound variables are open. The second
 * writes: the nodes that are used more than once get a number and come first as bindings; from then
 * on a node is written where it is used, by an explicit stack of what is still to be written. */
#include "term/text.h"

#include "term/term_priv.h"
#include "term/text_priv.h"

#include <inttypes.h>

// ----------------------------------------------------------------------- sorts

void tp_sort_write(const tp_terms *tt, tp_sort s, tp_str *out) {
  TP_REQUIRE(tp_is_sort_of_table(tt, s) && out);
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: tp_str_add(out, "bool"); break;
    case TP_SORT_PTR: tp_str_add(out, "ptr"); break;
    case TP_SORT_INT: tp_str_add(out, "int"); break;
    case TP_SORT_FP: tp_str_printf(out, "fp%" PRIu32, tp_sort_width(tt, s)); break;
    case TP_SORT_BV: tp_str_printf(out, "bv%" PRIu32, tp_sort_width(tt, s)); break;
    case TP_SORT_ARRAY:  // depth: that of a type, not of the input
      tp_str_add(out, "(array ");
      tp_sort_write(tt, tp_sort_index(tt, s), out);
      tp_str_add_char(out, ' ');
      tp_sort_write(tt, tp_sort_element(tt, s), out);
      tp_str_add_char(out, ')');
      break;
  }
}

// ------------------------------------------------------------- uses and binders

typedef struct {
  const tp_terms *tt;
  tp_text_vars vars;
  tp_str *out;
  tp_id_list nodes;         // below the root, ascending
  tp_map place;             // id -> index in nodes
  TP_VEC(uint32_t) uses;    // by index in nodes
  TP_VEC(uint32_t) number;  // its $N, 0: none yet
  TP_VEC(uint32_t) todo;    // ids to write, the last first; 0: a closing parenthesis
} writer;

static size_t place_of(const writer *w, uint32_t id) {
  uint64_t at = 0;
  bool known = tp_map_get(&w->place, id, &at);
  TP_INVARIANT(known);
  (void)known;
  return (size_t)at;
}

static bool is_leaf(const tp_terms *tt, tp_term t) { return tp_n_args(tt, t) == 0; }

static void count_uses(writer *w, tp_term root) {
  tp_reachable(w->tt, &root, 1, &w->nodes);
  tp_vec_resize(&w->uses, w->nodes.n);
  tp_vec_resize(&w->number, w->nodes.n);
  for (size_t i = 0; i < w->nodes.n; i++) {
    tp_term t = {w->nodes.at[i]};
    tp_map_set(&w->place, t.id, i);
    for (uint32_t k = 0; k < tp_n_args(w->tt, t); k++)
      w->uses.at[place_of(w, tp_arg(w->tt, t, k).id)]++;
  }
}

bool tp_text_bounds_are_closed(const tp_terms *tt, tp_term root) {
  tp_id_list nodes = {0};
  tp_map open = {0};  // id -> set of numbers
  bool one_sort = true;
  uint32_t sort_of_number[TP_TEXT_BOUNDS_MAX] = {0};
  uint64_t set = 0;
  tp_reachable(tt, &root, 1, &nodes);
  for (size_t i = 0; i < nodes.n && one_sort; i++) {
    tp_term t = {nodes.at[i]};
    tp_term_kind k = tp_k(tt, t);
    bool numbered = k == TP_OP_BOUND || k == TP_OP_FORALL || k == TP_OP_EXISTS;
    uint32_t number = numbered ? tp_bound_number(tt, t) : 0;
    if (number >= TP_TEXT_BOUNDS_MAX) one_sort = false;
    if (!one_sort) break;
    set = k == TP_OP_BOUND ? (uint64_t)1 << number : 0;
    for (uint32_t a = 0; a < tp_n_args(tt, t); a++) {
      uint64_t below = 0;
      tp_map_get(&open, tp_arg(tt, t, a).id, &below);
      set |= below;
    }
    if (k == TP_OP_FORALL || k == TP_OP_EXISTS) set &= ~((uint64_t)1 << number);
    if (set) tp_map_set(&open, t.id, set);
    if (k != TP_OP_BOUND) continue;
    one_sort = !sort_of_number[number] || sort_of_number[number] == tp_s(tt, t).id;
    sort_of_number[number] = tp_s(tt, t).id;
  }
  tp_vec_clear(&nodes);
  tp_map_clear(&open);
  return one_sort && set == 0;  // the root comes last
}

// --------------------------------------------------------------------- writing

static void add_u128(tp_str *out, tp_u128 v) {
  char digits[40];
  size_t at = sizeof digits;
  digits[--at] = '\0';
  do digits[--at] = (char)('0' + (int)(v % 10));
  while (v /= 10);
  tp_str_add(out, &digits[at]);
}

static bool add_leaf(writer *w, tp_term t) {
  const tp_terms *tt = w->tt;
  switch ((int)tp_k(tt, t)) {
    case TP_OP_BV_CONST:
    case TP_OP_FP_CONST:
      tp_str_printf(w->out, "(%s %" PRIu32 " ", tp_k(tt, t) == TP_OP_BV_CONST ? "bv" : "fp",
                    tp_w(tt, t));
      add_u128(w->out, tp_bits(tt, t));
      tp_str_add_char(w->out, ')');
      return true;
    case TP_OP_PTR_CONST:
      tp_str_printf(w->out, "(ptr %" PRIu32 " %" PRIu64 ")", tp_ptr_const_object(tt, t),
                    tp_ptr_const_offset(tt, t));
      return true;
    case TP_OP_INT_CONST:
      tp_str_printf(w->out, "(int %" PRId64 ")", tp_int_value(tt, t));
      return true;
    case TP_OP_BOUND:
      tp_str_printf(w->out, "(bound %" PRIu32 " ", tp_bound_number(tt, t));
      tp_sort_write(tt, tp_s(tt, t), w->out);
      tp_str_add_char(w->out, ')');
      return true;
    case TP_OP_VAR: return w->vars.name(w->vars.ctx, t, w->out);
    default: tp_str_add(w->out, tp_kind_name(tp_k(tt, t))); return true;  // TRUE, FALSE
  }
}

/* What stands between the kind and its arguments. */
static void add_payload(writer *w, tp_term t) {
  const tp_terms *tt = w->tt;
  switch ((int)tp_k(tt, t)) {
    case TP_OP_BV_EXTRACT:
      tp_str_printf(w->out, " %" PRIu32 " %" PRIu32, tp_extract_hi(tt, t), tp_extract_lo(tt, t));
      break;
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT:
    case TP_OP_FP_OF_FP:
    case TP_OP_FP_OF_SBV:
    case TP_OP_FP_OF_UBV:
    case TP_OP_FP_TO_SBV:
    case TP_OP_FP_TO_UBV: tp_str_printf(w->out, " %" PRIu32, tp_w(tt, t)); break;
    case TP_OP_FP_ROUND: tp_str_printf(w->out, " %d", (int)tp_round_of(tt, t)); break;
    case TP_OP_FORALL:
    case TP_OP_EXISTS: tp_str_printf(w->out, " %" PRIu32, tp_bound_number(tt, t)); break;
    case TP_OP_CONST_ARRAY:
      tp_str_add_char(w->out, ' ');
      tp_sort_write(tt, tp_s(tt, t), w->out);
      break;
    default: break;
  }
}

/* t written out, with what has a number below it by its number. */
static bool add_term(writer *w, tp_term root) {
  const tp_terms *tt = w->tt;
  bool ok = true, first = true;
  tp_vec_push(&w->todo, root.id);
  while (w->todo.n && ok) {
    tp_term t = {tp_vec_pop(&w->todo)};
    if (!tp_term_is(t)) {
      tp_str_add_char(w->out, ')');
      continue;
    }
    if (!first) tp_str_add_char(w->out, ' ');
    first = false;
    uint32_t number = w->number.at[place_of(w, t.id)];
    if (number) {
      tp_str_printf(w->out, "$%" PRIu32, number);
    } else if (is_leaf(tt, t)) {
      ok = add_leaf(w, t);
    } else {
      tp_str_printf(w->out, "(%s", tp_kind_name(tp_k(tt, t)));
      add_payload(w, t);
      tp_vec_push(&w->todo, 0);
      for (uint32_t i = tp_n_args(tt, t); i-- > 0;) tp_vec_push(&w->todo, tp_arg(tt, t, i).id);
    }
  }
  return ok;
}

static bool add_text(writer *w, tp_term root) {
  uint32_t n_lets = 0;
  bool ok = true;
  for (size_t i = 0; i < w->nodes.n && ok; i++) {
    tp_term t = {w->nodes.at[i]};
    if (w->uses.at[i] < 2 || is_leaf(w->tt, t)) continue;
    tp_str_printf(w->out, "%s($%" PRIu32 " ", n_lets ? " " : "(let ", n_lets + 1);
    ok = add_term(w, t);
    tp_str_add_char(w->out, ')');
    w->number.at[i] = ++n_lets;
  }
  if (n_lets) tp_str_add_char(w->out, ' ');
  ok = ok && add_term(w, root);
  if (n_lets) tp_str_add_char(w->out, ')');
  return ok;
}

bool tp_term_write(const tp_terms *tt, tp_term t, tp_text_vars vars, tp_str *out) {
  TP_REQUIRE(tp_is_in_table(tt, t) && vars.name && out);
  writer w = {.tt = tt, .vars = vars, .out = out};
  size_t before = out->n;
  count_uses(&w, t);
  bool ok = tp_text_bounds_are_closed(tt, t) && add_text(&w, t);
  if (!ok && out->text) out->text[out->n = before] = '\0';
  tp_vec_clear(&w.nodes);
  tp_map_clear(&w.place);
  tp_vec_clear(&w.uses);
  tp_vec_clear(&w.number);
  tp_vec_clear(&w.todo);
  return ok;
}
