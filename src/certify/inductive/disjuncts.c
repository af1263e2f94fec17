/* The disjuncts of a cutpoint, told apart by the values that pinned addresses and variables have in
 * them: a state is compared with the few disjuncts that agree with it, not with all. */
#include "certify/inductive/disjuncts.h"

#include "certify/certify_limits.h"
#include "program/cells.h"

typedef struct {
  uint64_t known;  // bit set: which of the pinned places
  tp_map first;    // hash of their values -> index of a formula + 1
  uint32_t *next;  // the next of the same hash + 1
} table;

/* Of one cutpoint. */
typedef struct {
  tp_term pinned[TP_CERTIFY_DISJUNCT_PLACES];
  uint32_t n_pinned;
  uint32_t *values;  // constants: by formula, then by place
  TP_VEC(table) tables;
  bool is_made;
} index_of_cutpoint;

struct tp_chk_disjuncts {
  const tp_program *p;
  const tp_chk_cert *e;
  index_of_cutpoint *cutpoints;
};

static bool is_place(const tp_program *p, tp_term t) {
  tp_sort s;
  switch ((int)tp_kind(p->terms, t)) {
    case TP_OP_VAR: return tp_program_var_of(p, t).id;
    case TP_OP_SELECT: return tp_is_memory(p, tp_arg(p->terms, t, 0), &s);
    default: return false;
  }
}

bool tp_chk_is_binding(const tp_program *p, tp_term t, tp_term *place, tp_term *value) {
  const tp_terms *tt = p->terms;
  bool negated = tp_kind(tt, t) == TP_OP_NOT;
  *place = negated ? tp_arg(tt, t, 0) : t;
  *value = tp_mk_bool(p->terms, !negated);
  if (!negated && tp_kind(tt, t) == TP_OP_EQ) {
    bool first = tp_is_const(tt, tp_arg(tt, t, 0));
    *place = tp_arg(tt, t, first);
    *value = tp_arg(tt, t, !first);
  }
  if (!is_place(p, *place) || !tp_is_const(tt, *value) || tp_kind(tt, *value) == TP_OP_FP_CONST)
    return false;
  return tp_sort_eq(tp_sort_of(tt, *place), tp_sort_of(tt, *value));
}

tp_chk_disjuncts *tp_chk_disjuncts_new(const tp_program *p, const tp_chk_cert *e) {
  tp_chk_disjuncts *c = TP_NEW(tp_chk_disjuncts);
  *c = (tp_chk_disjuncts){p, e, TP_NEW_ARRAY(index_of_cutpoint, e->cutpoints.n + 1)};
  return c;
}

static void clear_tables(index_of_cutpoint *x) {
  for (size_t i = 0; i < x->tables.n; i++) {
    tp_map_clear(&x->tables.at[i].first);
    tp_free(x->tables.at[i].next);
  }
  tp_vec_clear(&x->tables);
}

void tp_chk_disjuncts_free(tp_chk_disjuncts *c) {
  if (!c) return;
  for (size_t i = 0; i < c->e->cutpoints.n; i++) {
    clear_tables(&c->cutpoints[i]);
    tp_free(c->cutpoints[i].values);
  }
  tp_free(c->cutpoints);
  tp_free(c);
}

// ------------------------------------------------------------------------ making

typedef struct {
  tp_term place, value;
} pin;
typedef TP_VEC(pin) pins;

static void pins_of(const tp_program *p, tp_term formula, pins *out) {
  TP_VEC(uint32_t) todo = {0};
  out->n = 0;
  tp_vec_push(&todo, formula.id);
  while (todo.n) {
    tp_term t = {tp_vec_pop(&todo)};
    pin x;
    if (tp_kind(p->terms, t) == TP_OP_AND) {
      tp_vec_push(&todo, tp_arg(p->terms, t, 1).id);
      tp_vec_push(&todo, tp_arg(p->terms, t, 0).id);
    } else if (tp_chk_is_binding(p, t, &x.place, &x.value)) {
      tp_vec_push(out, x);
    }
  }
  tp_vec_clear(&todo);
}

static uint32_t value_in(const pins *of, tp_term place) {
  for (size_t i = 0; i < of->n; i++)
    if (of->at[i].place.id == place.id) return of->at[i].value.id;
  return 0;
}

/* The places that all formulas pin, and to what. */
static void make(tp_chk_disjuncts *c, const tp_chk_cutpoint *l, index_of_cutpoint *x) {
  TP_REQUIRE(!x->is_made && l->n > 0);
  pins mine = {0};
  x->is_made = true;
  pins_of(c->p, c->e->formulas.at[l->first], &mine);
  for (size_t i = 0; i < mine.n && x->n_pinned < TP_CERTIFY_DISJUNCT_PLACES; i++)
    x->pinned[x->n_pinned++] = mine.at[i].place;
  for (uint32_t k = 1; k < l->n; k++) {
    uint32_t n = 0;
    pins_of(c->p, c->e->formulas.at[l->first + k], &mine);
    for (uint32_t i = 0; i < x->n_pinned; i++)
      if (value_in(&mine, x->pinned[i])) x->pinned[n++] = x->pinned[i];
    x->n_pinned = n;
    TP_INVARIANT(n <= TP_CERTIFY_DISJUNCT_PLACES);
  }
  x->values = TP_NEW_ARRAY(uint32_t, (size_t)l->n * x->n_pinned + 1);
  for (uint32_t k = 0; k < l->n; k++) {
    pins_of(c->p, c->e->formulas.at[l->first + k], &mine);
    for (uint32_t i = 0; i < x->n_pinned; i++)
      x->values[(size_t)k * x->n_pinned + i] = value_in(&mine, x->pinned[i]);
  }
  tp_vec_clear(&mine);
}

static uint64_t hash_values(const index_of_cutpoint *x, uint64_t known, const uint32_t *values) {
  uint64_t h = known;
  for (uint32_t i = 0; i < x->n_pinned; i++)
    if (known >> i & 1) h = tp_hash_mix(h, values[i]);
  return h;
}

static const table *table_for(const tp_chk_cutpoint *l, index_of_cutpoint *x, uint64_t known) {
  TP_REQUIRE(known && x->is_made);
  for (size_t i = 0; i < x->tables.n; i++)
    if (x->tables.at[i].known == known) return &x->tables.at[i];
  table t = {.known = known, .next = TP_NEW_ARRAY(uint32_t, l->n + 1)};
  for (uint32_t k = l->n; k-- > 0;) {
    uint64_t h = hash_values(x, known, &x->values[(size_t)k * x->n_pinned]), first = 0;
    if (tp_map_get(&t.first, h, &first)) t.next[k] = (uint32_t)first;
    tp_map_set(&t.first, h, k + 1);
  }
  tp_vec_push(&x->tables, t);
  return &tp_vec_last(&x->tables);
}

// ----------------------------------------------------------------------- finding

/* The constants that a value is one of. */
typedef struct {
  uint32_t at[TP_CERTIFY_DISJUNCT_LEAVES];
  uint32_t n;  // 0: who knows
} leaves;

static leaves leaves_of(const tp_terms *tt, tp_term value) {
  leaves found = {.n = 0};
  uint32_t todo[2 * TP_CERTIFY_DISJUNCT_LEAVES], n = 0;
  todo[n++] = value.id;
  while (n) {
    tp_term t = {todo[--n]};
    bool is_choice = tp_kind(tt, t) == TP_OP_ITE, is_new = !is_choice;
    for (uint32_t i = 0; i < found.n; i++) is_new &= found.at[i] != t.id;
    if ((is_choice && n + 2 > 2 * TP_CERTIFY_DISJUNCT_LEAVES) ||
        (!is_choice && !tp_is_const(tt, t)) || (is_new && found.n == TP_CERTIFY_DISJUNCT_LEAVES))
      return (leaves){.n = 0};
    if (is_new) found.at[found.n++] = t.id;
    if (is_choice) {
      todo[n++] = tp_arg(tt, t, 1).id;
      todo[n++] = tp_arg(tt, t, 2).id;
    }
  }
  return found;
}

static bool has_leaf(const leaves *l, uint32_t value) {
  for (uint32_t i = 0; i < l->n; i++)
    if (l->at[i] == value) return true;
  return l->n == 0;
}

/* Formula k, where places have values with these leaves. */
static bool can_hold(const index_of_cutpoint *x, uint32_t k, const leaves *of) {
  TP_REQUIRE(x->n_pinned == 0 || x->values);
  bool can = true;
  for (uint32_t i = 0; i < x->n_pinned && can; i++)
    can = has_leaf(&of[i], x->values[(size_t)k * x->n_pinned + i]);
  return can;
}

uint32_t tp_chk_disjuncts_find(tp_chk_disjuncts *c, uint32_t cutpoint,
                               tp_term (*value)(void *ctx, tp_term place), void *ctx,
                               tp_term *out) {
  TP_REQUIRE(cutpoint > 0 && cutpoint < c->e->cutpoints.n);
  const tp_chk_cutpoint *l = &c->e->cutpoints.at[cutpoint];
  index_of_cutpoint *x = &c->cutpoints[cutpoint];
  leaves of[TP_CERTIFY_DISJUNCT_PLACES] = {{.n = 0}};
  uint64_t known = 0, first = 1;
  uint32_t values[TP_CERTIFY_DISJUNCT_PLACES] = {0}, n = 0;
  if (l->n >= TP_CERTIFY_DISJUNCT_FORMULAS && !x->is_made) make(c, l, x);
  for (uint32_t i = 0; i < x->n_pinned; i++) {
    tp_term v = value(ctx, x->pinned[i]);
    if (!tp_term_is(v)) continue;
    values[i] = v.id;
    of[i] = leaves_of(c->p->terms, v);
    if (tp_is_const(c->p->terms, v)) known |= (uint64_t)1 << i;
  }
  const table *t = known ? table_for(l, x, known) : NULL;
  if (t && !tp_map_get(&t->first, hash_values(x, known, values), &first)) return 0;
  for (uint32_t k = (uint32_t)first; k && k <= l->n; k = t ? t->next[k - 1] : k + 1)
    if (can_hold(x, k - 1, of)) out[n++] = c->e->formulas.at[l->first + k - 1];
  return n;
}
