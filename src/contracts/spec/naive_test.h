/* Tests of lowered contracts: a program, contracts over it, random heaps of it, and what a phrase
 * means there.
 *
 * The interpreter follows doc/specifications.md with sets of tuples and loops; it shares nothing
 * with lowering, nor with rel/. */
#ifndef TP_CONTRACTS_SPEC_NAIVE_TEST_H
#define TP_CONTRACTS_SPEC_NAIVE_TEST_H

#include "contracts/spec/testing.h"

#include "contracts/rel/rel_eval.h"
#include "contracts/spec/bounded_states.h"

const char TESTED_PROGRAM[] =
    "struct data { int key; };\n"
    "struct cell { struct cell *next; struct data *data; };\n"
    "struct list { struct cell *head; int count, sizes[3]; };\n"
    "struct tree { struct list kids; struct tree *left; void *any; int (*order)(int); };\n"
    "struct list *the_list; int total; int numbers[3]; struct list the_first;\n"
    "int increase(int x) { return x + 1; }\n"
    "struct cell *use(struct list *l, struct cell *c, int n, int *a, struct tree *t) {\n"
    "  c->next = l->head; the_list = l; total += n + a[0] + numbers[1]; t->left = 0; t->order = "
    "increase; the_first = *l; return c; }\n";

static const char DECLARED[] =
    "pred linked[a : struct list, b : struct cell] { b in a.head.*next\n some b.data }\n"
    "pred moved[a : struct list] { a.head' != a.head }\n"
    "pred sized[s : set struct cell, k : int] { #s = k }\n"
    "fun cells[a : set struct list] : set struct cell { a.head.*next }\n"
    "fun weight[a : struct list] : int { a.count + 1 }\n"
    "struct list { model content : set struct data = this.head.*next.data\n"
    "  model first : lone struct cell = this.head\n"
    "  model twice : int = this.count + this.count\n"
    "  model by_key : int -> struct data = {k : int, d : this.content | d.key = k}\n"
    "  ghost seen : set struct data\n"
    "  invariant this.count >= #this.head.*next and no c : this.head.*next | c in c.^next\n"
    "  invariant all d : this.content | d.key > this.count }\n"
    "struct tree { invariant this.kids.head = null or this.left != this }\n"
    "invariant total >= 0 or the_list.head = null\n"
    "ghost log : int -> lone struct data\n"
    "ghost mark : lone struct cell\n";

enum { WIDTH = 4 };

// ------------------------------------------------------------- the interpreter

/* A tuple is a number, one byte for each column, the first one the most significant. */
typedef struct {
  uint64_t *at;
  uint32_t n, cap, arity;
  bool is_undefined;
} set;
typedef struct {
  int64_t value;
  bool is_undefined;
} number;
typedef struct {
  const tp_symbol *symbol;
  set tuples;
  number integer;
} variable;
typedef struct {
  tp_arena arena;
  const tp_object_model *u;
  tp_bounded_states *heaps;
  const tp_rel *l;
  const tp_rel_bounds *bounds;
  const tp_rel_instance *heap;
  bool after;
  TP_VEC(variable) env;
} naive;

static inline set of(naive *v, const tp_spec_expr *x);
static inline number count_of(naive *v, const tp_spec_expr *x);
static inline tp_rel_truth_value holds(naive *v, const tp_spec_expr *x);

static inline bool has(const set *s, uint64_t t) {
  for (uint32_t i = 0; i < s->n; i++)
    if (s->at[i] == t) return true;
  return false;
}

static inline void add(naive *v, set *s, uint64_t t) {
  if (has(s, t)) return;
  if (s->n == s->cap) {
    uint64_t *more = tp_arena_array(&v->arena, uint64_t, s->cap ? 2 * s->cap : 8);
    if (s->n) memcpy(more, s->at, s->n * sizeof *more);
    s->cap = s->cap ? 2 * s->cap : 8;
    s->at = more;
  }
  s->at[s->n++] = t;
}

static inline uint32_t n_atoms(const naive *v) {
  return tp_rel_n_atoms(tp_rel_bounds_universe(v->bounds));
}

static inline set decoded(naive *v, tp_rel_expr relation) {
  set s = {.arity = tp_rel_at(v->l, relation.id)->arity};
  const tp_rel_tuples *t = &v->heap->of[tp_rel_relation_number(v->l, relation)];
  for (size_t i = 0; i < t->n; i++) {
    uint32_t atoms[8];
    uint64_t tuple = 0;
    tp_rel_tuple_atoms(tp_rel_bounds_universe(v->bounds), t->at[i], s.arity, atoms);
    for (uint32_t k = 0; k < s.arity; k++) tuple = tuple << 8 | atoms[k];
    add(v, &s, tuple);
  }
  return s;
}

static inline set objects_of(naive *v, uint32_t basic) {
  return decoded(v, tp_bounded_states_relations(v->heaps).objects(v->heaps, basic));
}

static inline uint32_t basic_of(naive *v, uint64_t atom) {
  for (uint32_t b = 0; b < v->u->basics.n; b++) {
    const set s = objects_of(v, b);
    if (has(&s, atom)) return b;
  }
  return UINT32_MAX;
}

/* The tuples whose columns behind the first `skipped` ones of a type are of it. */
static inline set only_of(naive *v, set s, tp_reltype type, uint32_t skipped) {
  set out = {.arity = s.arity, .is_undefined = s.is_undefined};
  for (uint32_t i = 0; i < s.n; i++)
    for (uint32_t p = 0; p < type.n; p++) {
      bool fits = true;
      for (uint32_t c = 0; c < s.arity; c++)
        fits = fits && tp_product_has(&v->u->types, &type.at[p], c + skipped,
                                      basic_of(v, s.at[i] >> 8 * (s.arity - 1 - c) & 255));
      if (fits) add(v, &out, s.at[i]);
    }
  return out;
}

static inline bool int_of(const naive *v, uint64_t atom, int64_t *value) {
  return tp_rel_atom_is_int(tp_rel_bounds_universe(v->bounds), (uint32_t)atom, value);
}

static inline number within(int64_t value, bool is_undefined) {
  return (number){value, is_undefined || value < -(1 << (WIDTH - 1)) || value >= 1 << (WIDTH - 1)};
}

static inline const variable *find(const naive *v, const tp_symbol *s) {
  for (size_t i = v->env.n; i-- > 0;)
    if (v->env.at[i].symbol == s ||
        (s->kind == TP_SYMBOL_THIS && v->env.at[i].symbol->kind == TP_SYMBOL_THIS))
      return &v->env.at[i];
  return NULL;
}

/* The values of a model field of one object. */
static inline set model_at(naive *v, const tp_symbol *model, uint64_t object, bool after) {
  set one = {.arity = 1};
  add(v, &one, object);
  const bool outer = v->after;
  v->after = after;
  tp_vec_push(&v->env, (variable){.symbol = model->this_symbol, .tuples = one});
  const set s = only_of(v, of(v, model->body), model->type, 1);
  v->env.n--;
  v->after = outer;
  return s;
}

/* objects <: model */
static inline set model_of(naive *v, const tp_spec_expr *x, set objects) {
  const set owners = objects_of(v, x->symbol->basic);
  set out = {.arity = tp_reltype_arity(x->symbol->type)};
  for (uint32_t i = 0; i < objects.n; i++) {
    if (!has(&owners, objects.at[i])) continue;
    const set s = model_at(v, x->symbol, objects.at[i], v->after || x->is_primed);
    out.is_undefined = out.is_undefined || s.is_undefined;
    for (uint32_t k = 0; k < s.n; k++) add(v, &out, objects.at[i] << 8 * s.arity | s.at[k]);
  }
  return out;
}

static inline set named(naive *v, const tp_spec_expr *x) {
  const tp_symbol *s = x->symbol;
  const variable *known = find(v, s);
  if (known) return known->tuples;
  if (s->kind == TP_SYMBOL_SET) return objects_of(v, s->basic);
  if (s->kind == TP_SYMBOL_MODEL) return model_of(v, x, objects_of(v, s->basic));
  const bool after = s->changes && (v->after || x->is_primed);
  return decoded(v, tp_bounded_states_relations(v->heaps).value(
                        v->heaps, s, after ? TP_POST_STATE : TP_PRE_STATE));
}

static inline uint64_t first_of(set s, uint32_t i) { return s.at[i] >> 8 * (s.arity - 1); }
static inline uint64_t rest_of(set s, uint32_t i) {
  return s.arity == 8 ? s.at[i] & ~(uint64_t)0 >> 8
                      : s.at[i] & (((uint64_t)1 << 8 * (s.arity - 1)) - 1);
}

static inline set joined(naive *v, set a, set b) {
  set out = {.arity = a.arity && b.arity ? a.arity + b.arity - 2 : 0,
             .is_undefined = a.is_undefined || b.is_undefined};
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++)
      if ((a.at[i] & 255) == first_of(b, k))
        add(v, &out, (a.arity > 1 ? a.at[i] >> 8 << 8 * (b.arity - 1) : 0) | rest_of(b, k));
  return out;
}

static inline set closed(naive *v, set a, bool reflexive) {
  set out = a;
  out.at = NULL;
  out.n = out.cap = 0;
  for (uint32_t i = 0; i < a.n; i++) add(v, &out, a.at[i]);
  for (bool grows = true; grows;) {
    const set more = joined(v, out, a);
    const uint32_t n = out.n;
    for (uint32_t i = 0; i < more.n; i++) add(v, &out, more.at[i]);
    grows = out.n > n;
  }
  out.arity = 2;
  for (uint64_t i = 0; reflexive && i < n_atoms(v); i++) add(v, &out, i << 8 | i);
  return out;
}

static inline set combined(naive *v, tp_spec_expr_kind k, set a, set b) {
  set out = {.arity = a.arity ? a.arity : b.arity,
             .is_undefined = a.is_undefined || b.is_undefined};
  if (k == TP_SPEC_PRODUCT) out.arity = a.arity && b.arity ? a.arity + b.arity : 0;
  if (k == TP_SPEC_DOMAIN) out.arity = b.arity;
  for (uint32_t i = 0; i < a.n; i++) {
    bool keep = k == TP_SPEC_UNION || (k == TP_SPEC_INTERSECTION && has(&b, a.at[i])) ||
                (k == TP_SPEC_DIFFERENCE && !has(&b, a.at[i])) ||
                (k == TP_SPEC_RANGE && has(&b, a.at[i] & 255));
    if (k == TP_SPEC_OVERRIDE) {
      keep = true;
      for (uint32_t j = 0; j < b.n; j++) keep = keep && first_of(b, j) != first_of(a, i);
    }
    if (keep) add(v, &out, a.at[i]);
    for (uint32_t j = 0; k == TP_SPEC_PRODUCT && j < b.n; j++)
      add(v, &out, a.at[i] << 8 * b.arity | b.at[j]);
  }
  for (uint32_t i = 0; i < b.n; i++)
    if (k == TP_SPEC_UNION || k == TP_SPEC_OVERRIDE ||
        (k == TP_SPEC_DOMAIN && has(&a, first_of(b, i))))
      add(v, &out, b.at[i]);
  return out;
}

/* What a quantifier, sum or comprehension finds: how the body fares for each choice of the
 * variables. */
typedef struct {
  uint32_t n_true, n_false, n_undefined;
  set chosen;
  number total;
} outcome;

static inline void choose(naive *v, const tp_spec_expr *x, uint32_t i, uint64_t prefix,
                          outcome *o) {
  if (i == x->n_decls) {
    for (uint32_t a = 0; a < i; a++)
      for (uint32_t b = 0; b < a; b++)
        if (x->decls[a].is_disjoint && x->decls[a].bound == x->decls[b].bound &&
            find(v, x->decls[a].symbol)->tuples.at[0] == find(v, x->decls[b].symbol)->tuples.at[0])
          return;
    if (x->kind == TP_SPEC_SUM_OVER) {
      const number n = count_of(v, x->kids[0]);
      o->total.value += n.value;
      o->total.is_undefined = o->total.is_undefined || n.is_undefined;
      return;
    }
    const tp_rel_truth_value t = holds(v, x->kids[0]);
    o->n_true += t == TP_REL_IS_TRUE;
    o->n_false += t == TP_REL_IS_FALSE;
    o->n_undefined += t == TP_REL_IS_UNDEFINED;
    if (t == TP_REL_IS_TRUE) add(v, &o->chosen, prefix);
    return;
  }
  const set from = of(v, x->decls[i].bound);
  if (from.is_undefined) o->n_undefined++, o->total.is_undefined = true;
  for (uint32_t k = 0; k < from.n && !from.is_undefined; k++) {
    set one = {.arity = 1};
    add(v, &one, from.at[k]);
    tp_vec_push(&v->env, (variable){.symbol = x->decls[i].symbol, .tuples = one});
    choose(v, x, i + 1, prefix << 8 | from.at[k], o);
    v->env.n--;
  }
}

static inline outcome all_choices(naive *v, const tp_spec_expr *x) {
  outcome o = {.chosen.arity = x->n_decls};
  choose(v, x, 0, 0, &o);
  o.chosen.is_undefined = o.n_undefined > 0;
  return o;
}

static inline bool is_integral(const tp_spec_expr *x) {
  switch ((int)x->kind) {
    case TP_SPEC_NAME: return x->symbol->sort == TP_SPEC_SORT_INTEGER;
    case TP_SPEC_LET: return is_integral(x->kids[0]);
    case TP_SPEC_IF: return is_integral(x->kids[1]);
    case TP_SPEC_NUMBER:
    case TP_SPEC_TO_INT:
    case TP_SPEC_PLUS:
    case TP_SPEC_MINUS:
    case TP_SPEC_SIZE:
    case TP_SPEC_SUM:
    case TP_SPEC_NEGATIVE:
    case TP_SPEC_TIMES:
    case TP_SPEC_DIVIDED:
    case TP_SPEC_REMAINDER:
    case TP_SPEC_SUM_OVER: return true;
    default: return false;
  }
}

static inline size_t open_let(naive *v, const tp_spec_expr *x) {
  const size_t outer = v->env.n;
  for (uint32_t i = 0; i < x->n_decls; i++) {
    variable d = {.symbol = x->decls[i].symbol};
    if (is_integral(x->decls[i].bound))
      d.integer = count_of(v, x->decls[i].bound);
    else
      d.tuples = of(v, x->decls[i].bound);
    tp_vec_push(&v->env, d);
  }
  return outer;
}

/* Binds the arguments of a call, in the state that it speaks of; what it was outside is in *outer.
 */
static inline size_t open_box(naive *v, const tp_spec_expr *x, bool *outer) {
  variable arguments[4];
  const size_t n = v->env.n;
  for (uint32_t i = 1; i < x->n_kids; i++)
    arguments[i] = (variable){.symbol = x->symbol->params[i - 1], .tuples = of(v, x->kids[i])};
  for (uint32_t i = 1; i < x->n_kids; i++) tp_vec_push(&v->env, arguments[i]);
  *outer = v->after;
  v->after = v->after || x->is_primed;
  return n;
}

static inline set of_atom(naive *v, const tp_spec_expr *x) {
  set s = {.arity = 1};
  if (x->kind == TP_SPEC_NULL) return objects_of(v, TP_NULL_BASIC);
  if (x->kind == TP_SPEC_INTS) return objects_of(v, TP_INT_BASIC);
  if (x->kind == TP_SPEC_NONE) return (set){0};
  for (uint64_t i = 0; i < n_atoms(v); i++) {
    const uint32_t b = basic_of(v, i);
    if (x->kind == TP_SPEC_UNIV || (x->kind == TP_SPEC_OBJECTS && b > TP_FUNCTION_BASIC))
      add(v, &s, i);
    if (x->kind == TP_SPEC_IDEN) add(v, &s, i << 8 | i);
  }
  if (x->kind == TP_SPEC_IDEN) s.arity = 2;
  return s;
}

static inline set of_integer(naive *v, number n) {
  set s = {.arity = 1, .is_undefined = n.is_undefined};
  int64_t value;
  for (uint64_t i = 0; i < n_atoms(v) && !n.is_undefined; i++)
    if (int_of(v, i, &value) && value == n.value) add(v, &s, i);
  return s;
}

static inline set of(naive *v, const tp_spec_expr *x) {
  set s = {0};
  switch ((int)x->kind) {
    case TP_SPEC_NAME:
    case TP_SPEC_TYPE:
    case TP_SPEC_THIS:
    case TP_SPEC_RESULT:
    case TP_SPEC_ALLOC: return named(v, x);
    case TP_SPEC_SET_OF:
      for (uint32_t i = 0; i < x->n_kids; i++) s = combined(v, TP_SPEC_UNION, s, of(v, x->kids[i]));
      return s;
    case TP_SPEC_COMPREHENSION: return all_choices(v, x).chosen;
    case TP_SPEC_TO_SET: return of_integer(v, count_of(v, x->kids[0]));
    case TP_SPEC_TRANSPOSE: {
      const set a = of(v, x->kids[0]);
      s = (set){.arity = a.arity, .is_undefined = a.is_undefined};
      for (uint32_t i = 0; i < a.n; i++) add(v, &s, (a.at[i] & 255) << 8 | a.at[i] >> 8);
      return s;
    }
    case TP_SPEC_CLOSURE: return closed(v, of(v, x->kids[0]), false);
    case TP_SPEC_REFLEXIVE: return closed(v, of(v, x->kids[0]), true);
    case TP_SPEC_JOIN: {
      const set a = of(v, x->kids[0]);
      const tp_spec_expr *f = x->kids[1];
      if (f->kind != TP_SPEC_NAME || f->symbol->kind != TP_SYMBOL_MODEL)
        return joined(v, a, of(v, f));
      set ends = {.arity = 1};
      for (uint32_t i = 0; i < a.n; i++) add(v, &ends, a.at[i] & 255);
      return joined(v, a, model_of(v, f, ends));
    }
    case TP_SPEC_RANGE:
    case TP_SPEC_DOMAIN:
    case TP_SPEC_PRODUCT:
    case TP_SPEC_INTERSECTION:
    case TP_SPEC_OVERRIDE:
    case TP_SPEC_UNION:
    case TP_SPEC_DIFFERENCE: {
      const set a = of(v, x->kids[0]);
      return combined(v, x->kind, a, of(v, x->kids[1]));
    }
    case TP_SPEC_BOX: {
      bool outer;
      const size_t n = open_box(v, x, &outer);
      s = only_of(v, of(v, x->symbol->body), x->symbol->type, 0);
      v->env.n = n;
      v->after = outer;
      return s;
    }
    case TP_SPEC_LET: {
      const size_t n = open_let(v, x);
      s = of(v, x->kids[0]);
      v->env.n = n;
      return s;
    }
    case TP_SPEC_IF: {
      const tp_rel_truth_value t = holds(v, x->kids[0]);
      if (t == TP_REL_IS_UNDEFINED) return (set){.is_undefined = true};
      return of(v, x->kids[t == TP_REL_IS_TRUE ? 1 : 2]);
    }
    default: return of_atom(v, x);
  }
}

static inline number count_of(naive *v, const tp_spec_expr *x) {
  number a = {0}, b = {0};
  switch ((int)x->kind) {
    case TP_SPEC_NAME: return find(v, x->symbol)->integer;
    case TP_SPEC_NUMBER: return within(x->number, false);
    case TP_SPEC_SUM:
    case TP_SPEC_TO_INT: {
      const set s = of(v, x->kids[0]);
      int64_t total = 0, value;
      for (uint32_t i = 0; i < s.n; i++)
        if (int_of(v, s.at[i], &value)) total += value;
      return within(total, s.is_undefined);
    }
    case TP_SPEC_SIZE: {
      const set s = of(v, x->kids[0]);
      return within(s.n, s.is_undefined);
    }
    case TP_SPEC_SUM_OVER: a = all_choices(v, x).total; return within(a.value, a.is_undefined);
    case TP_SPEC_LET: {
      const size_t n = open_let(v, x);
      a = count_of(v, x->kids[0]);
      v->env.n = n;
      return a;
    }
    case TP_SPEC_IF: {
      const tp_rel_truth_value t = holds(v, x->kids[0]);
      if (t == TP_REL_IS_UNDEFINED) return (number){0, true};
      return count_of(v, x->kids[t == TP_REL_IS_TRUE ? 1 : 2]);
    }
    default: break;
  }
  a = count_of(v, x->kids[0]);
  if (x->n_kids > 1) b = count_of(v, x->kids[1]);
  const bool is_undefined = a.is_undefined || b.is_undefined;
  switch ((int)x->kind) {
    case TP_SPEC_NEGATIVE: return within(-a.value, is_undefined);
    case TP_SPEC_PLUS: return within(a.value + b.value, is_undefined);
    case TP_SPEC_MINUS: return within(a.value - b.value, is_undefined);
    case TP_SPEC_TIMES: return within(a.value * b.value, is_undefined);
    case TP_SPEC_DIVIDED:
      return within(b.value ? a.value / b.value : 0, is_undefined || b.value == 0);
    default: return within(b.value ? a.value % b.value : 0, is_undefined || b.value == 0);
  }
}

static inline tp_rel_truth_value truth(bool is_undefined, bool holds_) {
  return is_undefined ? TP_REL_IS_UNDEFINED : holds_ ? TP_REL_IS_TRUE : TP_REL_IS_FALSE;
}
static inline tp_rel_truth_value negated(tp_rel_truth_value t) {
  return truth(t == TP_REL_IS_UNDEFINED, t == TP_REL_IS_FALSE);
}
static inline tp_rel_truth_value either(tp_rel_truth_value a, tp_rel_truth_value b) {
  if (a == TP_REL_IS_TRUE || b == TP_REL_IS_TRUE) return TP_REL_IS_TRUE;
  return truth(a == TP_REL_IS_UNDEFINED || b == TP_REL_IS_UNDEFINED, false);
}

static inline bool subset(const set *a, const set *b) {
  for (uint32_t i = 0; i < a->n; i++)
    if (!has(b, a->at[i])) return false;
  return true;
}

static inline tp_rel_truth_value compared(naive *v, const tp_spec_expr *x) {
  const bool is_negated = x->kind == TP_SPEC_UNEQUAL || x->kind == TP_SPEC_NOT_IN;
  if (is_integral(x->kids[0])) {
    const number a = count_of(v, x->kids[0]), b = count_of(v, x->kids[1]);
    const bool less = x->kind == TP_SPEC_LESS || x->kind == TP_SPEC_AT_MOST,
               greater = x->kind == TP_SPEC_GREATER || x->kind == TP_SPEC_AT_LEAST;
    const bool is_equal =
        x->kind == TP_SPEC_AT_MOST || x->kind == TP_SPEC_AT_LEAST || x->kind == TP_SPEC_EQUAL;
    bool result = (less && a.value < b.value) || (greater && a.value > b.value) ||
                  (is_equal && a.value == b.value);
    if (x->kind == TP_SPEC_UNEQUAL) result = a.value != b.value;
    return truth(a.is_undefined || b.is_undefined, result);
  }
  const set a = of(v, x->kids[0]), b = of(v, x->kids[1]);
  const bool is_in = subset(&a, &b), is_equal = is_in && subset(&b, &a);
  const bool result = x->kind == TP_SPEC_IN || x->kind == TP_SPEC_NOT_IN ? is_in : is_equal;
  return truth(a.is_undefined || b.is_undefined, result != is_negated);
}

static inline tp_rel_truth_value quantified(naive *v, const tp_spec_expr *x) {
  const outcome o = all_choices(v, x);
  switch ((int)x->kind) {
    case TP_SPEC_ALL: return o.n_false ? TP_REL_IS_FALSE : truth(o.n_undefined > 0, true);
    case TP_SPEC_EXISTS: return o.n_true ? TP_REL_IS_TRUE : truth(o.n_undefined > 0, false);
    case TP_SPEC_NONE_SUCH: return o.n_true ? TP_REL_IS_FALSE : truth(o.n_undefined > 0, true);
    case TP_SPEC_ONE_SUCH: return truth(o.n_undefined > 0, o.n_true == 1);
    default: return truth(o.n_undefined > 0, o.n_true <= 1);
  }
}

static inline tp_rel_truth_value holds(naive *v, const tp_spec_expr *x) {
  tp_rel_truth_value t;
  size_t n;
  set s;
  bool outer;
  switch ((int)x->kind) {
    case TP_SPEC_TRUE: return TP_REL_IS_TRUE;
    case TP_SPEC_FALSE: return TP_REL_IS_FALSE;
    case TP_SPEC_SOME: s = of(v, x->kids[0]); return truth(s.is_undefined, s.n > 0);
    case TP_SPEC_NO: s = of(v, x->kids[0]); return truth(s.is_undefined, s.n == 0);
    case TP_SPEC_ONE: s = of(v, x->kids[0]); return truth(s.is_undefined, s.n == 1);
    case TP_SPEC_LONE: s = of(v, x->kids[0]); return truth(s.is_undefined, s.n <= 1);
    case TP_SPEC_NOT: return negated(holds(v, x->kids[0]));
    case TP_SPEC_AND:
      return negated(either(negated(holds(v, x->kids[0])), negated(holds(v, x->kids[1]))));
    case TP_SPEC_OR: return either(holds(v, x->kids[0]), holds(v, x->kids[1]));
    case TP_SPEC_IMPLIES: return either(negated(holds(v, x->kids[0])), holds(v, x->kids[1]));
    case TP_SPEC_IFF: {
      const tp_rel_truth_value a = holds(v, x->kids[0]), b = holds(v, x->kids[1]);
      return truth(a == TP_REL_IS_UNDEFINED || b == TP_REL_IS_UNDEFINED, a == b);
    }
    case TP_SPEC_IF:
      t = holds(v, x->kids[0]);
      return t == TP_REL_IS_UNDEFINED ? t : holds(v, x->kids[t == TP_REL_IS_TRUE ? 1 : 2]);
    case TP_SPEC_LET:
      n = open_let(v, x);
      t = holds(v, x->kids[0]);
      v->env.n = n;
      return t;
    case TP_SPEC_BOX:
      n = open_box(v, x, &outer);
      t = holds(v, x->symbol->body);
      v->env.n = n;
      v->after = outer;
      return t;
    case TP_SPEC_ALL:
    case TP_SPEC_EXISTS:
    case TP_SPEC_NONE_SUCH:
    case TP_SPEC_ONE_SUCH:
    case TP_SPEC_LONE_SUCH: return quantified(v, x);
    default: return compared(v, x);
  }
}

// --------------------------------------------------------------------- random heaps

/* Some tuples of those that begin alike: one (mostly), none, or any of them. */
static inline void draw_group(tp_rng *rng, const tp_rel_tuples *upper, size_t from, size_t to,
                              bool is_function, tp_rel_tuples *out) {
  const uint64_t how = tp_rng_below(rng, 8);
  if (is_function || how < 2) {
    if (how) tp_rel_tuples_add(out, upper->at[from + tp_rng_below(rng, to - from)]);
    return;
  }
  for (size_t i = from; i < to; i++)
    if (tp_rng_below(rng, how)) tp_rel_tuples_add(out, upper->at[i]);
}

/* Tuples that begin alike, one group after another; in one of `rate` groups, drawn anew. */
static inline void draw_relation(tp_rng *rng, const tp_symbol *symbol, uint64_t radix,
                                 const tp_rel_tuples *upper, uint64_t rate, tp_rel_tuples *out) {
  const bool is_set = tp_reltype_arity(symbol->type) == 1;
  tp_rel_tuples old = {0};
  tp_rel_tuples_copy(&old, out);
  out->n = 0;
  for (size_t from = 0, to; from < upper->n; from = to) {
    for (to = from; to < upper->n && (is_set || upper->at[to] / radix == upper->at[from] / radix);
         to++)
      continue;
    const bool anew = tp_rng_below(rng, rate) == 0;
    if (anew) draw_group(rng, upper, from, to, symbol->is_function, out);
    for (size_t i = from; i < to && !anew; i++)
      if (tp_rel_tuples_contain(&old, upper->at[i])) tp_rel_tuples_add(out, upper->at[i]);
  }
  tp_rel_tuples_clear(&old);
}

/* Values for all relations: fields are partial functions, other relations are anything. Often the
 * state after is much like the one before. */
static inline void draw_heap(tp_rng *rng, tp_bounded_states *h, const tp_rel *l,
                             const tp_symbol *const *symbols, size_t n_symbols,
                             tp_rel_instance *heap) {
  const tp_rel_bounds *b = tp_bounded_states_bounds(h);
  const uint64_t radix = tp_rel_n_atoms(tp_rel_bounds_universe(b)),
                 change = 1 + tp_rng_below(rng, tp_rng_below(rng, 2) ? 3 : 30);
  const tp_state_relations s = tp_bounded_states_relations(h);
  for (uint32_t r = 0; r < tp_rel_n_relations(l); r++)
    tp_rel_tuples_copy(&heap->of[r], tp_rel_lower(b, r));
  for (size_t i = 0; i < 2 * n_symbols; i++) {
    const tp_symbol *symbol = symbols[i / 2];
    const tp_rel_expr before = s.value(s.ctx, symbol, TP_PRE_STATE),
                      x = i % 2 ? s.value(s.ctx, symbol, TP_POST_STATE) : before;
    if (!x.id || symbol->kind == TP_SYMBOL_FUNCTION) continue;
    const uint32_t r = tp_rel_relation_number(l, x);
    if (i % 2 && before.id)
      tp_rel_tuples_copy(&heap->of[r], &heap->of[tp_rel_relation_number(l, before)]);
    draw_relation(rng, symbol, radix, tp_rel_upper(b, r), i % 2 && before.id ? change : 1,
                  &heap->of[r]);
  }
}

typedef struct {
  reading r;
  tp_rel *l;
  tp_bounded_states *heaps;
  tp_lowering *w;
  const tp_spec_expr *expr[2];  // as it is, broken
  tp_rel_formula formula[2];
  uint32_t n_of[3], n_differ;
} trial;

static inline const uint32_t *objects_for(const tp_object_model *u) {
  static uint32_t n[64];
  assert_true(u->basics.n <= 64);
  for (uint32_t b = 0; b < u->basics.n; b++)
    n[b] = b == TP_OTHER_BASIC || strcmp(u->basics.at[b].name, "struct tree") == 0 ? 1 : 2;
  return n;
}

static inline void begin(world *w, trial *t, const char *text, const char *broken) {
  tp_str all = {0};
  *t = (trial){.l = tp_rel_new()};
  tp_str_printf(&all, "%sfunction use {\n ensures %s\n", DECLARED, text);
  if (broken) tp_str_printf(&all, " ensures %s\n", broken);
  tp_str_add(&all, "}\n");
  read_all(w, &t->r, all.text);
  tp_str_clear(&all);
  t->heaps = tp_bounded_states_new(
      &t->r.m, t->l, (tp_state_scope){.width_bits = WIDTH, .n_objects = objects_for(&w->u)});
  t->w = tp_lowering_new(&t->r.m, t->l, tp_bounded_states_relations(t->heaps));
  uint32_t n = 0;
  for (size_t i = 0; i < t->r.m.all.n && n < 2; i++)
    if (t->r.m.all.at[i].clause->kind == TP_CLAUSE_ENSURES) {
      t->expr[n] = t->r.m.all.at[i].expr;
      t->formula[n] = tp_lower_clause(t->w, &t->r.m.all.at[i], TP_PRE_STATE);
      n++;
    }
}

static inline void finish(trial *t) {
  tp_lowering_free(t->w);
  tp_bounded_states_free(t->heaps);
  tp_rel_free(t->l);
  end(&t->r);
}

/* The symbols that have values, in any order: members, variables, parameters, the result. */
static inline size_t symbols_of(const world *w, const trial *t, const tp_symbol **out,
                                size_t most) {
  size_t n = 0;
  const tp_function_contract *c = t->r.m.of_functions.at[0];
  for (size_t i = 0; i < w->u.symbols.n; i++) {
    const tp_symbol *s = w->u.symbols.at[i];
    const bool has_value = s->kind == TP_SYMBOL_FIELD || s->kind == TP_SYMBOL_ELEMENTS ||
                           s->kind == TP_SYMBOL_GLOBAL || s->kind == TP_SYMBOL_GHOST ||
                           s->kind == TP_SYMBOL_FUNCTION;
    if (has_value && n < most) out[n++] = s;
  }
  for (uint32_t i = 0; i < c->n_params; i++) out[n++] = c->params[i];
  if (c->result) out[n++] = c->result;
  out[n++] = w->u.alloc;
  return n;
}

#endif
