/* Terms to skeletons, and the laws of equality on demand.
 *
 * An equation of pointers is one of objects and one of offsets; one with a choice `c ? a : b` is a
 * choice of equations. After each SAT true equations join terms to classes (union-find). A false
 * equation within a class, two constants in one class, two comparisons of the same classes with
 * different values: each is excluded by a lemma over the shortest chain of true equations that
 * shows it. A comparison with what is equal to a small constant is one of a few equations.
 * Finitely many terms, so finitely many lemmas; the number of
 * rounds is bounded all the same, and SAT after the last one may be spurious. */
#include "certify/symbolic/skeleton.h"

#include "certify/certify_limits.h"
#include "certify/symbolic/skeleton_clauses.h"

typedef TP_VEC(uint32_t) ids;

typedef struct {
  uint32_t left, right;  // nodes
  tp_term symbol;
  tp_term_kind kind;  // EQ, or the kind of the comparison
  bool holds;         // in the model
} relation;

typedef struct {
  uint32_t to, relation;
} link;

struct tp_chk_skeleton {
  tp_terms *tt;
  tp_chk_skeletons *shared;
  tp_chk_skeleton_clauses clauses;
  tp_term_list asserted;  // skeletons of facts, and lemmas
  tp_chk_solver *solver;  // NULL: the search of the clauses has not come to its limit
  tp_map seen;            // skeletons
  tp_map node_of;         // term -> its number + 1
  TP_VEC(tp_term) nodes;
  TP_VEC(relation) relations;
  tp_map bounds;              // symbol << 32 | comparison with a constant -> its skeleton
  tp_map values;              // skeleton -> in the model: 1 false, 2 true
  ids class_of;               // by node: union-find
  TP_VEC(link) links;         // of true equations, by node from first_link[node] on
  ids unnoted;                // skeletons of lemmas whose symbols are not in `seen` yet
  ids first_link, via, todo;  // via: by node, the relation that led there + 1; 0: none
};

void tp_chk_skeletons_init(tp_chk_skeletons *s, tp_terms *tt) { *s = (tp_chk_skeletons){.tt = tt}; }

void tp_chk_skeletons_clear(tp_chk_skeletons *s) {
  tp_map_clear(&s->skeleton_of);
  tp_map_clear(&s->symbol_of);
  tp_map_clear(&s->atom_of);
}

tp_chk_skeleton *tp_chk_skeleton_new(tp_chk_skeletons *shared) {
  tp_chk_skeleton *s = TP_NEW(tp_chk_skeleton);
  *s = (tp_chk_skeleton){.tt = shared->tt, .shared = shared};
  tp_chk_skeleton_clauses_init(&s->clauses, shared->tt);
  return s;
}

void tp_chk_skeleton_free(tp_chk_skeleton *s) {
  if (!s) return;
  tp_chk_skeleton_clauses_clear(&s->clauses);
  tp_vec_clear(&s->asserted);
  tp_chk_solver_free(s->solver);
  tp_map_clear(&s->seen);
  tp_map_clear(&s->node_of);
  tp_vec_clear(&s->nodes);
  tp_vec_clear(&s->relations);
  tp_map_clear(&s->bounds);
  tp_map_clear(&s->values);
  tp_vec_clear(&s->class_of);
  tp_vec_clear(&s->links);
  tp_vec_clear(&s->first_link);
  tp_vec_clear(&s->via);
  tp_vec_clear(&s->todo);
  tp_vec_clear(&s->unnoted);
  tp_free(s);
}

// ---------------------------------------------------------------------- skeletons

static void assert_skeleton(tp_chk_skeleton *s, tp_term t) {
  tp_vec_push(&s->asserted, t);
  if (s->solver)
    tp_chk_solver_assert(s->solver, t);
  else
    tp_chk_skeleton_clauses_add(&s->clauses, t);
}

/* The search of the clauses came to its limit: from now on a solver is asked. */
static void ask_solver(tp_chk_skeleton *s) {
  s->solver = tp_chk_solver_new(s->tt, (tp_smt_options){.backend = "bits", .trusts_models = true},
                                s->shared->proofs, s->shared->met);
  for (size_t i = 0; i < s->asserted.n; i++) tp_chk_solver_assert(s->solver, s->asserted.at[i]);
}

static tp_smt_answer search(tp_chk_skeleton *s) {
  if (!s->solver) {
    const double start_s = tp_cpu_s();
    const tp_clause_search_answer a =
        tp_clause_search_run(s->clauses.search, TP_CERTIFY_SKELETON_CONFLICTS);
    tp_certify_obligations *met = s->shared->met;
    if (met) met->proof_s += tp_cpu_s() - start_s;
    if (met) met->by_proof += a == TP_CLAUSE_SEARCH_REFUTED;
    if (a != TP_CLAUSE_SEARCH_LIMIT)
      return a == TP_CLAUSE_SEARCH_REFUTED ? TP_SMT_UNSAT : TP_SMT_SAT;
    ask_solver(s);
  }
  return tp_chk_solver_check(s->solver, TP_TERM_NONE);
}

/* In the model that was found. */
static bool symbol_holds(tp_chk_skeleton *s, tp_term symbol) {
  tp_value v = {0};
  return s->solver ? tp_chk_solver_value(s->solver, symbol, &v) && v.bits
                   : tp_chk_skeleton_clauses_holds(&s->clauses, symbol);
}

static tp_term symbol_for(tp_chk_skeletons *s, tp_term atom) {
  uint64_t id;
  if (tp_map_get(&s->symbol_of, atom.id, &id)) return (tp_term){(uint32_t)id};
  tp_term symbol = tp_mk_var(s->tt, "atom", tp_sort_bool(s->tt));
  tp_map_set(&s->symbol_of, atom.id, symbol.id);
  tp_map_set(&s->atom_of, symbol.id, atom.id);
  return symbol;
}

static tp_term skeleton(tp_chk_skeletons *s, tp_term t, int choices);

static bool is_pointer(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_PTR;
}

/* a = b: a choice of equations, two of parts, or an atom. */
static tp_term equation(tp_chk_skeletons *s, tp_term a, tp_term b, int choices) {
  tp_terms *tt = s->tt;
  for (int side = 0; side < 2 && choices > 0; side++) {
    tp_term x = side ? b : a, y = side ? a : b;
    if (tp_kind(tt, x) != TP_OP_ITE) continue;
    tp_term c = skeleton(s, tp_arg(tt, x, 0), choices - 1);
    return tp_mk_ite(tt, c, equation(s, tp_arg(tt, x, 1), y, choices - 1),
                     equation(s, tp_arg(tt, x, 2), y, choices - 1));
  }
  tp_term whole = tp_mk_eq(tt, a, b);
  if (tp_is_const(tt, whole)) return whole;
  if (!is_pointer(tt, a)) return symbol_for(s, whole);
  tp_term objects = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, a), tp_mk1(tt, TP_OP_PTR_OBJ, b)),
          offsets = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, a), tp_mk1(tt, TP_OP_PTR_OFF, b));
  if (!tp_is_const(tt, objects)) objects = symbol_for(s, objects);
  if (!tp_is_const(tt, offsets)) offsets = symbol_for(s, offsets);
  return tp_mk_and(tt, objects, offsets);
}

/* a < b, without a sign. A number below a small constant is one of a few. */
static tp_term less(tp_chk_skeletons *s, tp_term a, tp_term b, int choices) {
  tp_terms *tt = s->tt;
  uint64_t bound, least;
  uint32_t width = tp_width(tt, a);
  tp_term whole = tp_mk2(tt, TP_OP_BV_ULT, a, b);
  if (tp_is_const(tt, whole)) return whole;
  for (int side = 0; side < 2 && choices > 0; side++) {
    tp_term x = side ? b : a;
    if (tp_kind(tt, x) != TP_OP_ITE) continue;
    tp_term c = skeleton(s, tp_arg(tt, x, 0), choices - 1), yes = tp_arg(tt, x, 1),
            no = tp_arg(tt, x, 2);
    return tp_mk_ite(tt, c, less(s, side ? a : yes, side ? yes : b, choices - 1),
                     less(s, side ? a : no, side ? no : b, choices - 1));
  }
  if (tp_bv_value_u64(tt, a, &least) && least + 1 < UINT64_C(1) << (width < 63 ? width : 63))
    return tp_mk_not(tt, less(s, b, tp_mk_bv(tt, width, least + 1), choices));
  if (tp_bv_value_u64(tt, b, &bound) && bound <= TP_CERTIFY_SKELETON_NUMBERS) {
    tp_term any = tp_mk_false(tt);
    for (uint64_t k = 0; k < bound; k++)
      any = tp_mk_or(tt, any, equation(s, a, tp_mk_bv(tt, width, k), choices));
    return any;
  }
  return symbol_for(s, whole);
}

static tp_term comparison(tp_chk_skeletons *s, tp_term t, int choices) {
  tp_term a = tp_arg(s->tt, t, 0), b = tp_arg(s->tt, t, 1);
  switch ((int)tp_kind(s->tt, t)) {
    case TP_OP_EQ: return equation(s, a, b, choices);
    case TP_OP_BV_ULT: return less(s, a, b, choices);
    case TP_OP_BV_ULE: return tp_mk_not(s->tt, less(s, b, a, choices));
    default: return symbol_for(s, t);
  }
}

static bool is_boolean(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL;
}

/* Is t made of Booleans only? */
static bool is_connective(const tp_terms *tt, tp_term t) {
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
    if (!is_boolean(tt, tp_arg(tt, t, i))) return false;
  return true;
}

static bool is_known(const tp_chk_skeletons *s, tp_term t, tp_term *out) {
  uint64_t id;
  *out = t;
  if (tp_n_args(s->tt, t) == 0) return true;
  if (!tp_map_get(&s->skeleton_of, t.id, &id)) return false;
  *out = (tp_term){(uint32_t)id};
  return true;
}

static tp_term skeleton(tp_chk_skeletons *s, tp_term t, int choices) {
  ids todo = {0};
  tp_term out;
  tp_vec_push(&todo, t.id);
  while (todo.n) {
    tp_term top = {tp_vec_last(&todo)}, args[3];
    size_t depth = todo.n;
    if (!is_known(s, top, &out)) {
      if (is_connective(s->tt, top)) {
        for (uint32_t i = 0; i < tp_n_args(s->tt, top); i++)
          if (!is_known(s, tp_arg(s->tt, top, i), &args[i]))
            tp_vec_push(&todo, tp_arg(s->tt, top, i).id);
        if (todo.n > depth) continue;
        out = tp_remake(s->tt, top, args);
      } else {
        out = tp_n_args(s->tt, top) == 2 ? comparison(s, top, choices) : symbol_for(s, top);
      }
      tp_map_set(&s->skeleton_of, top.id, out.id);
    }
    (void)tp_vec_pop(&todo);
  }
  (void)is_known(s, t, &out);
  tp_vec_clear(&todo);
  return out;
}

// ------------------------------------------------------------------------ facts

static uint32_t node_for(tp_chk_skeleton *s, tp_term t) {
  uint64_t k;
  if (tp_map_get(&s->node_of, t.id, &k)) return (uint32_t)k - 1;
  tp_vec_push(&s->nodes, t);
  tp_map_set(&s->node_of, t.id, s->nodes.n);
  return (uint32_t)s->nodes.n - 1;
}

/* The laws below are those of words and pointers: different constants differ. (All NaNs are one.)
 */
static bool is_comparison(const tp_terms *tt, tp_term t) {
  tp_sort_kind s =
      tp_n_args(tt, t) ? tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) : TP_SORT_BOOL;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_EQ: return s == TP_SORT_BV || s == TP_SORT_PTR;
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE: return true;
    default: return false;
  }
}

static void note_symbol(tp_chk_skeleton *s, tp_term symbol) {
  uint64_t id;
  if (!tp_map_get(&s->shared->atom_of, symbol.id, &id)) return;
  tp_term atom = {(uint32_t)id};
  if (!is_comparison(s->tt, atom)) return;
  uint32_t left = node_for(s, tp_arg(s->tt, atom, 0)), right = node_for(s, tp_arg(s->tt, atom, 1));
  tp_vec_push(&s->relations, ((relation){left, right, symbol, tp_kind(s->tt, atom), false}));
}

static void note_symbols(tp_chk_skeleton *s, tp_term t) {
  tp_vec_push(&s->todo, t.id);
  while (s->todo.n) {
    t = (tp_term){tp_vec_pop(&s->todo)};
    if (tp_map_has(&s->seen, t.id)) continue;
    tp_map_set(&s->seen, t.id, 1);
    if (tp_kind(s->tt, t) == TP_OP_VAR) note_symbol(s, t);
    for (uint32_t i = 0; i < tp_n_args(s->tt, t); i++)
      tp_vec_push(&s->todo, tp_arg(s->tt, t, i).id);
  }
}

void tp_chk_skeleton_add(tp_chk_skeleton *s, tp_term fact) {
  TP_REQUIRE(is_boolean(s->tt, fact));
  tp_term t = skeleton(s->shared, fact, TP_CERTIFY_SKELETON_CHOICES);
  if (tp_is_true(s->tt, t)) return;
  note_symbols(s, t);
  assert_skeleton(s, t);
}

// --------------------------------------------------------------------- equality

static uint32_t class_of(tp_chk_skeleton *s, uint32_t node) {
  while (s->class_of.at[node] != node)
    node = s->class_of.at[node] = s->class_of.at[s->class_of.at[node]];
  return node;
}

static bool is_equation(const relation *r) { return r->kind == TP_OP_EQ; }

/* What the model says of relations; the classes of true equations, and their links by node. */
static void read_model(tp_chk_skeleton *s) {
  size_t n = s->nodes.n;
  tp_map_clear(&s->values);
  s->class_of.n = s->first_link.n = s->links.n = 0;
  for (uint32_t i = 0; i < n; i++) tp_vec_push(&s->class_of, i);
  for (size_t i = 0; i <= n; i++) tp_vec_push(&s->first_link, 0);
  for (size_t i = 0; i < s->relations.n; i++) {
    relation *r = &s->relations.at[i];
    r->holds = symbol_holds(s, r->symbol);
    if (!is_equation(r) || !r->holds) continue;
    s->class_of.at[class_of(s, r->left)] = class_of(s, r->right);
    s->first_link.at[r->left]++;
    s->first_link.at[r->right]++;
  }
  for (size_t i = 1; i <= n; i++) s->first_link.at[i] += s->first_link.at[i - 1];
  for (size_t i = 0; i < s->first_link.at[n]; i++) tp_vec_push(&s->links, (link){0});
  for (uint32_t i = 0; i < s->relations.n; i++) {
    const relation *r = &s->relations.at[i];
    if (!is_equation(r) || !r->holds) continue;
    s->links.at[--s->first_link.at[r->left]] = (link){r->right, i};
    s->links.at[--s->first_link.at[r->right]] = (link){r->left, i};
  }
}

/* The equations of a shortest chain from a to b, which are of one class. */
static tp_term chain(tp_chk_skeleton *s, uint32_t a, uint32_t b) {
  TP_REQUIRE(class_of(s, a) == class_of(s, b));  // so there is a chain
  tp_term all = tp_mk_true(s->tt);
  s->via.n = s->todo.n = 0;
  for (size_t i = 0; i < s->nodes.n; i++) tp_vec_push(&s->via, 0);
  tp_vec_push(&s->todo, a);
  for (size_t i = 0; i < s->todo.n && a != b && !s->via.at[b]; i++) {
    uint32_t u = s->todo.at[i];
    for (uint32_t k = s->first_link.at[u]; k < s->first_link.at[u + 1]; k++) {
      link l = s->links.at[k];
      if (l.to == a || s->via.at[l.to]) continue;
      s->via.at[l.to] = l.relation + 1;
      tp_vec_push(&s->todo, l.to);
    }
  }
  for (uint32_t v = b; v != a;) {
    TP_INVARIANT(s->via.at[v]);
    const relation *r = &s->relations.at[s->via.at[v] - 1];
    all = tp_mk_and(s->tt, all, r->symbol);
    v = r->left == v ? r->right : r->left;
  }
  s->todo.n = 0;
  return all;
}

static uint32_t false_equations(tp_chk_skeleton *s, uint32_t lemmas) {
  for (size_t i = 0; i < s->relations.n && lemmas < TP_CERTIFY_SKELETON_LEMMAS; i++) {
    const relation *r = &s->relations.at[i];
    if (!is_equation(r) || r->holds || class_of(s, r->left) != class_of(s, r->right)) continue;
    assert_skeleton(s, tp_mk_implies(s->tt, chain(s, r->left, r->right), r->symbol));
    lemmas++;
  }
  return lemmas;
}

static uint32_t equal_constants(tp_chk_skeleton *s, uint32_t lemmas) {
  tp_map constant = {0};
  for (uint32_t i = 0; i < s->nodes.n && lemmas < TP_CERTIFY_SKELETON_LEMMAS; i++) {
    uint64_t other;
    if (!tp_is_const(s->tt, s->nodes.at[i])) continue;
    if (!tp_map_get(&constant, class_of(s, i), &other)) {
      tp_map_set(&constant, class_of(s, i), i);
      continue;
    }
    assert_skeleton(s, tp_mk_not(s->tt, chain(s, i, (uint32_t)other)));
    lemmas++;
  }
  tp_map_clear(&constant);
  return lemmas;
}

/* a < a, or not a <= a. */
static uint32_t comparisons_of_equals(tp_chk_skeleton *s, uint32_t lemmas) {
  for (size_t i = 0; i < s->relations.n && lemmas < TP_CERTIFY_SKELETON_LEMMAS; i++) {
    const relation *r = &s->relations.at[i];
    bool is_strict = r->kind == TP_OP_BV_ULT || r->kind == TP_OP_BV_SLT;
    if (is_equation(r) || r->holds != is_strict || class_of(s, r->left) != class_of(s, r->right))
      continue;
    assert_skeleton(s, tp_mk_implies(s->tt, chain(s, r->left, r->right),
                                     is_strict ? tp_mk_not(s->tt, r->symbol) : r->symbol));
    lemmas++;
  }
  return lemmas;
}

/* Two comparisons of a kind, of equal operands. */
static uint32_t unlike_comparisons(tp_chk_skeleton *s, uint32_t lemmas) {
  tp_map first = {0};
  for (uint32_t i = 0; i < s->relations.n && lemmas < TP_CERTIFY_SKELETON_LEMMAS; i++) {
    const relation *r = &s->relations.at[i], *o;
    uint64_t key, k;
    if (is_equation(r)) continue;
    key = ((uint64_t)class_of(s, r->left) * s->nodes.n + class_of(s, r->right)) << 8 |
          (uint64_t)r->kind % 256;
    if (!tp_map_get(&first, key, &k)) {
      tp_map_set(&first, key, i);
      continue;
    }
    o = &s->relations.at[k];
    if (o->holds == r->holds || o->kind != r->kind) continue;
    tp_term equal = tp_mk_and(s->tt, chain(s, r->left, o->left), chain(s, r->right, o->right));
    assert_skeleton(s, tp_mk_implies(s->tt, equal, tp_mk_eq(s->tt, r->symbol, o->symbol)));
    lemmas++;
  }
  tp_map_clear(&first);
  return lemmas;
}

/* ----- constants: what is equal to one is put in its place */

typedef struct {
  tp_chk_skeleton *s;
  const tp_map *constant_of;  // class -> node that is a constant, + 1
  tp_term why;                // equations that were used
} folding;

/* t with constants for subterms that are equal to one; for t itself if `whole`. */
static tp_term fold(folding *f, tp_term t, bool whole, int depth) {
  tp_chk_skeleton *s = f->s;
  uint64_t node, constant;
  if (tp_is_const(s->tt, t)) return t;
  if (whole && tp_map_get(&s->node_of, t.id, &node) &&
      tp_map_get(f->constant_of, class_of(s, (uint32_t)node - 1), &constant)) {
    f->why = tp_mk_and(s->tt, f->why, chain(s, (uint32_t)node - 1, (uint32_t)constant - 1));
    return s->nodes.at[constant - 1];
  }
  uint32_t n = tp_n_args(s->tt, t);
  tp_term args[3];
  if (n == 0 || depth == 0) return t;
  for (uint32_t i = 0; i < n; i++) args[i] = fold(f, tp_arg(s->tt, t, i), true, depth - 1);
  return tp_remake(s->tt, t, args);
}

/* With a small constant put in, a comparison says which few numbers its other side is; said once.
 * (An object is below the next one, of which is known which it is.) */
static bool is_bound(tp_chk_skeleton *s, const relation *r, tp_term a, tp_term b, tp_term value,
                     tp_term why) {
  tp_terms *tt = s->tt;
  uint64_t bound;
  const uint64_t key = (uint64_t)r->symbol.id << 32 | value.id;
  if (r->kind != TP_OP_BV_ULT || tp_map_has(&s->bounds, key) ||
      !(tp_bv_value_u64(tt, a, &bound) || tp_bv_value_u64(tt, b, &bound)) ||
      bound > TP_CERTIFY_SKELETON_NUMBERS)
    return false;
  const tp_term numbers = skeleton(s->shared, value, TP_CERTIFY_SKELETON_CHOICES);
  tp_map_set(&s->bounds, key, numbers.id);
  tp_vec_push(&s->unnoted, numbers.id);
  assert_skeleton(s, tp_mk_implies(tt, why, tp_mk_eq(tt, r->symbol, numbers)));
  return true;
}

/* What the relation is with constants put in, for its left side (1), its right side (2) or both as
 * wholes; true: that is not what it has in the model, and a lemma says so. */
static bool is_wrong(tp_chk_skeleton *s, const tp_map *constant_of, const relation *r, int wholes) {
  tp_terms *tt = s->tt;
  folding f = {s, constant_of, tp_mk_true(tt)};
  tp_term left = s->nodes.at[r->left], right = s->nodes.at[r->right];
  tp_term a = fold(&f, left, wholes & 1, TP_CERTIFY_SKELETON_LEVELS),
          b = fold(&f, right, wholes & 2, TP_CERTIFY_SKELETON_LEVELS);
  if (tp_term_eq(a, left) && tp_term_eq(b, right)) return false;
  tp_term value = is_equation(r) ? tp_mk_eq(tt, a, b) : tp_mk2(tt, r->kind, a, b);
  if (!tp_is_const(tt, value)) return is_bound(s, r, a, b, value, f.why);
  if (tp_is_true(tt, value) == r->holds) return false;
  assert_skeleton(
      s, tp_mk_implies(tt, f.why, tp_is_true(tt, value) ? r->symbol : tp_mk_not(tt, r->symbol)));
  return true;
}

/* Comparisons whose value shows when constants are put in. (Both sides of an equation: see
 * equal_constants.) */
static uint32_t wrong_values(tp_chk_skeleton *s, uint32_t lemmas) {
  tp_map constant_of = {0};
  for (uint32_t i = 0; i < s->nodes.n; i++)
    if (tp_is_const(s->tt, s->nodes.at[i])) tp_map_set(&constant_of, class_of(s, i), i + 1);
  for (size_t i = 0; i < s->relations.n && lemmas < TP_CERTIFY_SKELETON_LEMMAS; i++) {
    const relation *r = &s->relations.at[i];
    bool has_parts =
        tp_n_args(s->tt, s->nodes.at[r->left]) || tp_n_args(s->tt, s->nodes.at[r->right]);
    if (!is_equation(r))
      lemmas += is_wrong(s, &constant_of, r, 3);
    else if (has_parts)
      lemmas += is_wrong(s, &constant_of, r, 1) || is_wrong(s, &constant_of, r, 2);
  }
  while (s->unnoted.n) note_symbols(s, (tp_term){tp_vec_pop(&s->unnoted)});
  tp_map_clear(&constant_of);
  return lemmas;
}

tp_smt_answer tp_chk_skeleton_check(tp_chk_skeleton *s) {
  tp_smt_answer a = TP_SMT_UNKNOWN;
  for (int round = 0; round < TP_CERTIFY_SKELETON_ROUNDS; round++) {
    a = search(s);
    if (a != TP_SMT_SAT) return a;
    read_model(s);
    uint32_t lemmas = false_equations(s, 0);
    lemmas = unlike_comparisons(s, comparisons_of_equals(s, equal_constants(s, lemmas)));
    if (!lemmas) lemmas = wrong_values(s, 0);
    if (!lemmas) return a;
  }
  return a;
}

// ----------------------------------------------------------------------- values

/* Of a symbol: the model's; of an equation that no fact mentions: are its sides in one class? */
static bool value_of_symbol(tp_chk_skeleton *s, tp_term t) {
  uint64_t id, left, right;
  if (tp_map_has(&s->seen, t.id) || !tp_map_get(&s->shared->atom_of, t.id, &id))
    return symbol_holds(s, t);
  tp_term atom = {(uint32_t)id};
  if (tp_kind(s->tt, atom) != TP_OP_EQ ||
      !tp_map_get(&s->node_of, tp_arg(s->tt, atom, 0).id, &left) ||
      !tp_map_get(&s->node_of, tp_arg(s->tt, atom, 1).id, &right))
    return false;
  return left <= s->class_of.n && right <= s->class_of.n &&
         class_of(s, (uint32_t)left - 1) == class_of(s, (uint32_t)right - 1);
}

static bool is_valued(tp_chk_skeleton *s, tp_term t, bool *out) {
  uint64_t v;
  if (tp_is_const(s->tt, t)) return *out = tp_is_true(s->tt, t), true;
  if (!tp_map_get(&s->values, t.id, &v)) return false;
  return *out = v == 2, true;
}

static bool apply(const tp_terms *tt, tp_term t, const bool *a) {
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_NOT: return !a[0];
    case TP_OP_AND: return a[0] && a[1];
    case TP_OP_OR: return a[0] || a[1];
    case TP_OP_XOR: return a[0] != a[1];
    case TP_OP_EQ: return a[0] == a[1];
    case TP_OP_ITE: return a[0] ? a[1] : a[2];
    default: return false;
  }
}

bool tp_chk_skeleton_holds(tp_chk_skeleton *s, tp_term t) {
  TP_REQUIRE(is_boolean(s->tt, t));
  bool out = false, args[3] = {false};
  tp_term whole = skeleton(s->shared, t, TP_CERTIFY_SKELETON_CHOICES);
  s->todo.n = 0;
  tp_vec_push(&s->todo, whole.id);
  while (s->todo.n) {
    tp_term top = {tp_vec_last(&s->todo)};
    size_t depth = s->todo.n;
    if (!is_valued(s, top, &out)) {
      for (uint32_t i = 0; i < tp_n_args(s->tt, top); i++)
        if (!is_valued(s, tp_arg(s->tt, top, i), &args[i]))
          tp_vec_push(&s->todo, tp_arg(s->tt, top, i).id);
      if (s->todo.n > depth) continue;
      out = tp_kind(s->tt, top) == TP_OP_VAR ? value_of_symbol(s, top) : apply(s->tt, top, args);
      tp_map_set(&s->values, top.id, 1 + out);
    }
    (void)tp_vec_pop(&s->todo);
  }
  (void)is_valued(s, whole, &out);
  return out;
}
