/* Interpolants from Horn clauses: one clause for each block of the generalised path, solved by Z3's
 * engine for them.
 *
 * A cut's relation has one column for each scalar that later needed literals look at: a variable,
 * or a read of memory at an address over the cut's state (with two columns for a pointer). Reads
 * follow their addresses backward, so no array is left; that two equal addresses hold the same is
 * not said. Formulas that come back are over the columns' variables and are read as what the
 * columns are. */
#include "formula/interpolants_priv.h"

#include "smt/horn.h"

typedef struct {
  tp_itp *s;
  tp_term_list *columns;  // n + 1
  tp_map *names;          // n + 1: column -> variable, or pair of variables
  tp_map *back;           // n + 1: variable -> what it is
  tp_term_list *vars;     // n + 1
} clauses;

static tp_term column_var(clauses *c, size_t cut, const char *name, tp_sort sort, tp_term meaning) {
  tp_term v = tp_mk_var(c->s->tt, name, sort);
  tp_map_set(&c->back[cut], v.id, meaning.id);
  tp_vec_push(&c->vars[cut], v);
  return v;
}

/* False: a sort that the engine does not know. */
static bool name_columns(clauses *c, size_t cut) {
  tp_terms *tt = c->s->tt;
  for (size_t i = 0; i < c->columns[cut].n; i++) {
    tp_term column = c->columns[cut].at[i];
    tp_sort sort = tp_sort_of(tt, column);
    tp_term v = TP_TERM_NONE;
    switch (tp_sort_kind_of(tt, sort)) {
      case TP_SORT_BOOL:
      case TP_SORT_BV: v = column_var(c, cut, "column", sort, column); break;
      case TP_SORT_PTR: {
        tp_term object = column_var(c, cut, "object", tp_sort_bv(tt, TP_OBJ_BITS),
                                    tp_mk1(tt, TP_OP_PTR_OBJ, column));
        v = tp_mk_ptr(tt, object,
                      column_var(c, cut, "offset", tp_sort_bv(tt, tp_terms_ptr_bits(tt)),
                                 tp_mk1(tt, TP_OP_PTR_OFF, column)));
        break;
      }
      case TP_SORT_FP:
      case TP_SORT_ARRAY:
      case TP_SORT_INT: return false;
    }
    tp_map_set(&c->names[cut], column.id, v.id);
  }
  return true;
}

static tp_term renamed(tp_itp *s, tp_term t, const tp_map *names) {
  tp_map map = {0};
  for (size_t i = 0; i < names->n; i++)
    tp_map_set(&map, names->entries[i].key, names->entries[i].value);
  t = tp_replace_all(s->tt, t, &map);
  tp_map_clear(&map);
  return t;
}

static bool is_no_bits(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, t));
  return k != TP_SORT_BOOL && k != TP_SORT_BV;
}

/* Bit-vectors and Bools only? */
static bool is_plain(const tp_terms *tt, tp_term t) {
  return !tp_any_subterm(tt, t, is_no_bits, NULL);
}

/* The block between the columns of its cuts; the rest are inputs. */
static tp_term clause_of(clauses *c, size_t block) {
  tp_itp *s = c->s;
  tp_term_list facts = {0};
  tp_vec_push(&facts, renamed(s, tp_itp_condition(s, block, TP_ITP_BOTH), &c->names[block]));
  for (size_t i = 0; i < c->columns[block + 1].n; i++) {
    tp_term column = c->columns[block + 1].at[i];
    tp_term before = renamed(s, tp_itp_before(s, block, column), &c->names[block]);
    tp_vec_push(&facts, tp_mk_eq(s->tt, renamed(s, column, &c->names[block + 1]), before));
  }
  tp_term all = tp_itp_abstract_reads(s, tp_mk_and_n(s->tt, facts.at, facts.n));
  tp_vec_clear(&facts);
  return all;
}

static tp_term meant(clauses *c, size_t cut, tp_term t) { return renamed(c->s, t, &c->back[cut]); }

/* Formulas of the engine at the cuts; where they alone are not inductive, with what intervals say.
 * False: not even then. */
static bool take(clauses *c, const tp_horn_sequence *found, tp_term *out) {
  tp_itp *s = c->s;
  for (size_t i = 0; i <= s->n; i++)
    out[i] = i == s->n ? tp_mk_false(s->tt) : i ? meant(c, i, found->at.at[i]) : tp_mk_true(s->tt);
  if (tp_itp_is_inductive(s, out)) return true;
  for (size_t i = 1; i < s->n; i++)
    out[i] = tp_mk_and(s->tt, out[i], meant(c, i, found->bounds.at[i]));
  return tp_itp_is_inductive(s, out);
}

static bool solve_chain(clauses *c, const tp_horn_chain *chain, tp_horn_encoding encoding,
                        tp_integers_to_bits_mode back, tp_term *out, tp_str *why) {
  tp_itp *s = c->s;
  tp_horn_options o = {.encoding = encoding,
                       .rlimit = s->o.rlimit,
                       .cpu_s = s->deadline > 0 ? s->deadline - tp_cpu_s() : 0,
                       .back = back};
  tp_horn_sequence found = {0};
  if (tp_itp_late(s)) {
    tp_str_add(why, "out of time");
    return false;
  }
  tp_horn_answer answer = tp_horn_solve_chain(s->tt, o, chain, &found);
  bool ok = answer == TP_HORN_UNREACHABLE && take(c, &found, out);
  if (answer == TP_HORN_UNREACHABLE && !ok)
    tp_str_add(why, "the engine's formulas are not inductive in machine integers");
  else if (!ok)
    tp_str_printf(why, "the engine for Horn clauses: %s",
                  answer == TP_HORN_REACHABLE ? "reachable" : found.reason);
  tp_horn_sequence_clear(&found);
  return ok;
}

/* Integers: equations modulo 2^n say more in fewer words, but need not be what was proved; then
 * they come back exactly. */
static bool solve(clauses *c, bool integers, tp_term *out, tp_str *why) {
  tp_itp *s = c->s;
  tp_term *blocks = TP_NEW_ARRAY(tp_term, s->n + 1);
  const tp_term **cuts = TP_NEW_ARRAY(const tp_term *, s->n + 1);
  size_t *n_cut = TP_NEW_ARRAY(size_t, s->n + 1);
  bool ok = true;
  for (size_t i = 0; ok && i <= s->n; i++) ok = name_columns(c, i);
  for (size_t i = 0; ok && i < s->n; i++) ok = is_plain(s->tt, blocks[i] = clause_of(c, i));
  for (size_t i = 0; i <= s->n; i++) {
    cuts[i] = c->vars[i].at;
    n_cut[i] = c->vars[i].n;
  }
  if (ok) {
    tp_horn_chain chain = {.n_blocks = s->n, .blocks = blocks, .cuts = cuts, .n_cut = n_cut};
    tp_str first = {0};
    if (!integers)
      ok = solve_chain(c, &chain, TP_HORN_BITS, TP_BACK_EXACT, out, why);
    else
      ok = solve_chain(c, &chain, TP_HORN_INTS, TP_BACK_MODULAR, out, &first) ||
           solve_chain(c, &chain, TP_HORN_INTS, TP_BACK_EXACT, out, why);
    tp_str_clear(&first);
  } else {
    tp_str_add(why, "floats, pointers or arrays stay in the clauses");
  }
  tp_free(blocks);
  tp_free(cuts);
  tp_free(n_cut);
  return ok;
}

bool tp_itp_horn(tp_itp *s, bool integers, tp_term *out, tp_str *why) {
  clauses c = {.s = s,
               .columns = TP_NEW_ARRAY(tp_term_list, s->n + 1),
               .names = TP_NEW_ARRAY(tp_map, s->n + 1),
               .back = TP_NEW_ARRAY(tp_map, s->n + 1),
               .vars = TP_NEW_ARRAY(tp_term_list, s->n + 1)};
  tp_itp_columns(s, c.columns);
  bool ok = solve(&c, integers, out, why);
  for (size_t i = 0; i <= s->n; i++) {
    tp_vec_clear(&c.columns[i]);
    tp_map_clear(&c.names[i]);
    tp_map_clear(&c.back[i]);
    tp_vec_clear(&c.vars[i]);
  }
  tp_free(c.columns);
  tp_free(c.names);
  tp_free(c.back);
  tp_free(c.vars);
  return ok;
}
