/* From formulas that always hold to rules.
 *
 * derive(body, f) makes rules from "where body holds, f does". Conjunctions are two such facts; of
 * a disjunction either side holds where the other one does not; "for all" leaves its variable open;
 * a literal is a head, and "there is" a witness. What is in the way, a path say, becomes no head,
 * but stands in the bodies of the others. So p <-> definition yields the two evaluations of the
 * definition, and everything that the value of p says about the predicates in it.
 *
 * Paths have no end of unfoldings, so one step is taken where a definition has the form "there is a
 * u with A(u) and a path from u to v", or "there is a path from u to v": the step keeps p, and
 * where p holds something supports it. */
#include "shape/coerce_priv.h"

#include "shape/shape_limits.h"

enum { VAR_U = 24, VAR_V = 25, VAR_W = 26 };  // beyond those of definitions

typedef struct {
  tp_shape_class *c;
  tp_formulas *t;
  tp_shape_rules *rules;
} compiler;

// ------------------------------------------------------------------- one rule

static void add_reader(tp_rule_ids *list, uint16_t rule) {
  if (list->n == 0 || tp_vec_last(list) != rule) tp_vec_push(list, rule);
}

static void add_rule(compiler *k, tp_rule r) {
  for (size_t i = 0; i < k->rules->list.n; i++) {
    const tp_rule *q = &k->rules->list.at[i];
    if (q->kind == r.kind && q->is_negated == r.is_negated && q->predicate == r.predicate &&
        q->a == r.a && q->b == r.b && q->w == r.w && tp_formula_eq(q->whole, r.whole) &&
        tp_formula_eq(q->witness, r.witness))
      return;
  }
  const uint16_t id = (uint16_t)k->rules->list.n;
  tp_formula_reads reads = {.equality = r.kind == TP_RULE_UNIQUE || r.kind == TP_RULE_FUNCTION ||
                                        r.kind == TP_RULE_SOME || r.kind == TP_RULE_EQUAL};
  if (r.kind == TP_RULE_UNIQUE) reads.unary[r.predicate / 64] |= tp_k64_bit(r.predicate % 64);
  if (r.kind == TP_RULE_FUNCTION) {
    reads.binary[r.predicate / 64] |= tp_k64_bit(r.predicate % 64);
    reads.unary[k->c->freed / 64] |= tp_k64_bit(k->c->freed % 64);
    reads.unary[k->c->outside / 64] |= tp_k64_bit(k->c->outside % 64);
  }
  if (r.whole.id) tp_formula_add_reads(k->t, r.whole, TP_BEFORE, &reads);
  if (r.witness.id) tp_formula_add_reads(k->t, r.witness, TP_BEFORE, &reads);
  for (uint32_t p = 0; p < k->c->n_unary; p++)
    if ((reads.unary[p / 64] >> (p % 64)) & 1) add_reader(&k->rules->unary[p], id);
  for (uint32_t p = 0; p < k->c->n_binary; p++)
    if ((reads.binary[p / 64] >> (p % 64)) & 1) add_reader(&k->rules->binary[p], id);
  if (reads.equality) add_reader(&k->rules->equality, id);
  if (r.kind == TP_RULE_UNARY) add_reader(&k->rules->unary_heads[r.predicate], id);
  if (r.kind == TP_RULE_BINARY) add_reader(&k->rules->binary_heads[r.predicate], id);
  tp_vec_push(&k->rules->list, r);
}

static uint32_t bit(uint32_t v) { return (uint32_t)1 << v; }
static uint32_t free_of(const compiler *k, tp_formula f) { return tp_formula_at(k->t, f)->free; }

/* f's conjuncts, those with and without v apart. */
static void part(const compiler *k, tp_formula f, uint32_t v, tp_formula *with,
                 tp_formula *without) {
  const tp_formula_node n = *tp_formula_at(k->t, f);
  if (n.kind == TP_FORMULA_AND && ((n.free >> v) & 1)) {
    part(k, n.kid[0], v, with, without);
    part(k, n.kid[1], v, with, without);
    return;
  }
  tp_formula *to = (n.free >> v) & 1 ? with : without;
  *to = tp_formula_and(k->t, *to, f);
}

/* There are values for the variables other than `kept` such that f. */
static tp_formula project(compiler *k, tp_formula f, uint32_t kept) {
  for (uint32_t v = 0; v < TP_FORMULA_MAX_VARS; v++)
    if ((free_of(k, f) & ~kept) & bit(v)) f = tp_formula_exists(k->t, v, f);
  return f;
}

/* Is g among f's conjuncts? */
static bool has_conjunct(const compiler *k, tp_formula f, tp_formula g) {
  const tp_formula_node *n = tp_formula_at(k->t, f);
  if (n->kind == TP_FORMULA_AND)
    return has_conjunct(k, n->kid[0], g) || has_conjunct(k, n->kid[1], g);
  return tp_formula_eq(f, g);
}

/* A part of `all` says the opposite of another part of it: never definitely true. */
static bool contradicts(compiler *k, tp_formula f, tp_formula all) {
  const tp_formula_node n = *tp_formula_at(k->t, f);
  if (n.kind == TP_FORMULA_AND)
    return contradicts(k, n.kid[0], all) || contradicts(k, n.kid[1], all);
  if (n.kind == TP_FORMULA_EXISTS) return contradicts(k, n.kid[0], n.kid[0]);
  return has_conjunct(k, all, tp_formula_not(k->t, f));
}

/* The head as a formula; NONE if it is no literal. */
static tp_formula head_of(compiler *k, const tp_rule *r) {
  tp_formula atom;
  if (r->kind == TP_RULE_UNARY)
    atom = tp_formula_unary(k->t, TP_BEFORE, r->predicate, r->a);
  else if (r->kind == TP_RULE_BINARY)
    atom = tp_formula_binary(k->t, TP_BEFORE, r->predicate, r->a, r->b);
  else if (r->kind == TP_RULE_EQUAL)
    atom = tp_formula_equal(k->t, r->a, r->b);
  else
    return TP_FORMULA_NONE;
  return r->is_negated ? tp_formula_not(k->t, atom) : atom;
}

/* Rules that can teach nothing are left out: their body is never true, or says what the head says.
 */
static void finish(compiler *k, tp_rule r, tp_formula body, uint32_t variables) {
  const tp_formula head = head_of(k, &r);
  if (contradicts(k, body, body) || (head.id && has_conjunct(k, body, head))) return;
  r.whole = body;
  if (tp_formula_at(k->t, body)->kind == TP_FORMULA_VALUE &&
      tp_formula_at(k->t, body)->value != TP_KLEENE_TRUE)
    return;
  r.n_variables = (uint8_t)__builtin_popcount(variables);
  r.guard = r.body = tp_formula_value(k->t, TP_KLEENE_TRUE);
  if (r.n_variables == 2)
    part(k, body, r.b, &r.body, &r.guard);
  else
    r.body = body;
  add_rule(k, r);
}

// ------------------------------------------------------------------- derivation

static bool derive(compiler *k, tp_formula body, tp_formula f);

static bool derive_literal(compiler *k, tp_formula body, tp_formula atom, bool is_negated) {
  const tp_formula_node n = *tp_formula_at(k->t, atom);
  tp_rule r = {.is_negated = is_negated, .predicate = n.predicate, .a = n.a, .b = n.b};
  r.kind = n.kind == TP_FORMULA_UNARY    ? TP_RULE_UNARY
           : n.kind == TP_FORMULA_BINARY ? TP_RULE_BINARY
                                         : TP_RULE_EQUAL;
  finish(k, r, project(k, body, n.free), n.free);
  return true;
}

static bool derive_witness(compiler *k, tp_formula body, const tp_formula_node *n) {
  if ((free_of(k, body) >> n->a) & 1) return false;  // the variable has another meaning there
  const uint32_t variables = free_of(k, n->kid[0]) & ~bit(n->a);
  if (__builtin_popcount(variables) > 2) return false;
  tp_rule r = {.kind = TP_RULE_SOME, .w = n->a, .witness = n->kid[0]};
  if (variables) {
    r.a = (uint8_t)__builtin_ctz(variables);
    r.b = (uint8_t)(31 - __builtin_clz(variables));
  }
  finish(k, r, project(k, body, variables), variables);
  return true;
}

/* Rules from "where body holds, f does". False: there are none. */
static bool derive(compiler *k, tp_formula body, tp_formula f) {
  const tp_formula_node n = *tp_formula_at(k->t, f);
  switch (n.kind) {
    case TP_FORMULA_VALUE:
      if (n.value == TP_KLEENE_FALSE)
        finish(k, (tp_rule){.kind = TP_RULE_FALSE}, project(k, body, 0), 0);
      return true;
    case TP_FORMULA_UNARY:
    case TP_FORMULA_BINARY:
    case TP_FORMULA_EQUAL: return derive_literal(k, body, f, false);
    case TP_FORMULA_AND: {
      const bool first = derive(k, body, n.kid[0]);
      return derive(k, body, n.kid[1]) || first;
    }
    case TP_FORMULA_OR: {
      const bool first =
          derive(k, tp_formula_and(k->t, body, tp_formula_not(k->t, n.kid[1])), n.kid[0]);
      return derive(k, tp_formula_and(k->t, body, tp_formula_not(k->t, n.kid[0])), n.kid[1]) ||
             first;
    }
    case TP_FORMULA_CHOOSE: {
      const bool first = derive(k, tp_formula_and(k->t, body, n.kid[0]), n.kid[1]);
      return derive(k, tp_formula_and(k->t, body, tp_formula_not(k->t, n.kid[0])), n.kid[2]) ||
             first;
    }
    case TP_FORMULA_EXISTS: return derive_witness(k, body, &n);
    case TP_FORMULA_CLOSURE: return false;
    case TP_FORMULA_NOT: break;
  }
  const tp_formula_node inner = *tp_formula_at(k->t, n.kid[0]);
  if (inner.kind == TP_FORMULA_EXISTS)
    return !((free_of(k, body) >> inner.a) & 1) &&
           derive(k, body, tp_formula_not(k->t, inner.kid[0]));
  return inner.kind != TP_FORMULA_CLOSURE && derive_literal(k, body, n.kid[0], true);
}

/* f holds for all cells as its free variables. */
static void always(compiler *k, tp_formula f) {
  const tp_formula yes = tp_formula_value(k->t, TP_KLEENE_TRUE);
  if (!derive(k, yes, f))
    finish(k, (tp_rule){.kind = TP_RULE_FALSE}, project(k, tp_formula_not(k->t, f), 0), 0);
}

static tp_formula or2(compiler *k, tp_formula a, tp_formula b) { return tp_formula_or(k->t, a, b); }
static tp_formula not1(compiler *k, tp_formula a) { return tp_formula_not(k->t, a); }

// -------------------------------------------------------------------- paths

typedef struct {
  tp_formula start;  // A over `variable`; NONE: the path starts at the predicate's first cell
  uint32_t variable;
  tp_formula step;
  uint32_t from, to;
  bool is_reflexive;
} path_form;

static bool is_path(const compiler *k, tp_formula f, uint32_t u, uint32_t v, path_form *out) {
  const tp_formula_node *n = tp_formula_at(k->t, f);
  out->is_reflexive = n->kind == TP_FORMULA_OR;
  if (n->kind == TP_FORMULA_OR) {
    const tp_formula_node *e = tp_formula_at(k->t, n->kid[0]);
    if (e->kind != TP_FORMULA_EQUAL || e->free != (bit(u) | bit(v))) return false;
    n = tp_formula_at(k->t, n->kid[1]);
  }
  out->step = n->kid[0];
  out->from = n->from;
  out->to = n->to;
  return n->kind == TP_FORMULA_CLOSURE && n->a == u && n->b == v &&
         !(free_of(k, n->kid[0]) & ~(bit(n->from) | bit(n->to)));
}

static bool is_path_from(const compiler *k, tp_formula f, path_form *out) {
  const tp_formula_node *n = tp_formula_at(k->t, f);
  if (n->kind != TP_FORMULA_EXISTS) return false;
  const uint32_t u = n->a;
  const tp_formula_node *b = tp_formula_at(k->t, n->kid[0]);
  if (b->kind != TP_FORMULA_AND) return false;
  for (uint32_t side = 0; side < 2; side++)
    if (free_of(k, b->kid[side]) == bit(u) && is_path(k, b->kid[1 - side], u, 0, out)) {
      out->start = b->kid[side];
      out->variable = u;
      return true;
    }
  return false;
}

static tp_formula step_of(compiler *k, const path_form *p, uint32_t u, uint32_t v) {
  return tp_formula_rename(k->t, p->step, p->from, u, p->to, v);
}

/* p(v): there is a u with A(u) and a path from u to v. */
static void reachability(compiler *k, uint32_t index, const path_form *path) {
  tp_formulas *t = k->t;
  const tp_formula step = step_of(k, path, VAR_U, VAR_V);
  const tp_formula at_u = tp_formula_unary(t, TP_BEFORE, index, VAR_U),
                   at_v = tp_formula_unary(t, TP_BEFORE, index, VAR_V);
  const tp_formula start_u =
      tp_formula_rename(t, path->start, path->variable, VAR_U, path->variable, VAR_U);
  const tp_formula start_v =
      tp_formula_rename(t, path->start, path->variable, VAR_V, path->variable, VAR_V);
  if (!step.id || !start_u.id || !start_v.id) return;
  const tp_formula reached = path->is_reflexive ? at_u : or2(k, at_u, start_u);
  always(k, or2(k, or2(k, not1(k, reached), not1(k, step)), at_v));
  const tp_formula support = tp_formula_exists(t, VAR_U, tp_formula_and(t, step, reached));
  always(k, or2(k, not1(k, at_v), path->is_reflexive ? or2(k, start_v, support) : support));
}

/* p(u, v): there is a path from u to v. */
static void connection(compiler *k, uint32_t index, const path_form *path) {
  tp_formulas *t = k->t;
  const tp_formula uv = step_of(k, path, VAR_U, VAR_V), vw = step_of(k, path, VAR_V, VAR_W);
  if (!uv.id || !vw.id) return;
  const tp_formula p_uv = tp_formula_binary(t, TP_BEFORE, index, VAR_U, VAR_V),
                   p_vw = tp_formula_binary(t, TP_BEFORE, index, VAR_V, VAR_W),
                   p_uw = tp_formula_binary(t, TP_BEFORE, index, VAR_U, VAR_W);
  always(k, or2(k, not1(k, uv), p_uv));
  always(k, or2(k, not1(k, tp_formula_and(t, p_uv, vw)), p_uw));
  always(k, or2(k, not1(k, tp_formula_and(t, uv, p_vw)), p_uw));
  always(k, or2(k, not1(k, tp_formula_and(t, p_uv, p_vw)), p_uw));
  tp_formula first = tp_formula_exists(t, VAR_V, tp_formula_and(t, uv, p_vw)),
             last = tp_formula_exists(t, VAR_V, tp_formula_and(t, p_uv, vw));
  if (path->is_reflexive) {
    const tp_formula same = tp_formula_equal(t, VAR_U, VAR_W);
    first = or2(k, same, first);
    last = or2(k, same, last);
  } else {
    const tp_formula uw = step_of(k, path, VAR_U, VAR_W);
    first = or2(k, uw, first);
    last = or2(k, uw, last);
  }
  always(k, or2(k, not1(k, p_uw), first));
  always(k, or2(k, not1(k, p_uw), last));
}

// ----------------------------------------------------------------- the sources

static void from_definition(compiler *k, const tp_shape_predicate *p) {
  const tp_formula atom = p->arity == 1 ? tp_formula_unary(k->t, TP_BEFORE, p->index, 0)
                                        : tp_formula_binary(k->t, TP_BEFORE, p->index, 0, 1);
  always(k, or2(k, not1(k, atom), p->definition));
  always(k, or2(k, atom, not1(k, p->definition)));
  path_form path = {0};
  if (p->arity == 1 && is_path_from(k, p->definition, &path)) reachability(k, p->index, &path);
  if (p->arity == 2 && is_path(k, p->definition, 0, 1, &path)) connection(k, p->index, &path);
}

static tp_status from_constraint(compiler *k, const tp_constraint *c) {
  uint64_t all = 1;
  for (uint32_t i = 0; i < c->n_pointers; i++) all *= k->c->n_pointers;
  for (uint32_t i = 0; i < c->n_fields; i++) all *= k->c->n_fields;
  for (uint64_t code = 0; code < all; code++) {
    tp_slots slots;
    for (uint32_t i = 0; i < TP_SHAPE_MAX_SLOTS; i++)
      slots.pointer[i] = slots.field[i] = TP_UNKNOWN_SLOT;
    uint64_t left = code;
    for (uint32_t i = 0; i < c->n_pointers; i++, left /= k->c->n_pointers)
      slots.pointer[TP_SLOT_Y + 1 + i] = (int16_t)(left % k->c->n_pointers);
    for (uint32_t i = 0; i < c->n_fields; i++, left /= k->c->n_fields)
      slots.field[TP_SLOT_FIELD + 1 + i] = (int16_t)(left % k->c->n_fields);
    tp_formula body, head;
    TP_TRY(tp_shape_instantiate(k->c, c->body, &slots, &body));
    TP_TRY(tp_shape_instantiate(k->c, c->head, &slots, &head));
    always(k, or2(k, not1(k, body), head));
  }
  return TP_OK;
}

/* Of families that the class does not have a constraint says nothing: their values are 1/2 on
 * summary nodes, and with definitions in place of names there would be a rule for each pair of
 * pointers, each as costly as the definitions. */
static bool names_own_families(const tp_shape_class *c, const tp_constraint *k) {
  return !((tp_template_families(k->body) | tp_template_families(k->head)) &
           ~c->generator.families);
}

/* A total preorder: reflexive, transitive, any two cells are related. */
static void from_order(compiler *k, uint32_t p) {
  const tp_formula uv = tp_formula_binary(k->t, TP_BEFORE, p, VAR_U, VAR_V),
                   vu = tp_formula_binary(k->t, TP_BEFORE, p, VAR_V, VAR_U),
                   vw = tp_formula_binary(k->t, TP_BEFORE, p, VAR_V, VAR_W),
                   uw = tp_formula_binary(k->t, TP_BEFORE, p, VAR_U, VAR_W);
  always(k, or2(k, not1(k, tp_formula_equal(k->t, VAR_U, VAR_V)), uv));
  always(k, or2(k, uv, vu));
  always(k, or2(k, not1(k, tp_formula_and(k->t, uv, vw)), uw));
}

static void from_language(compiler *k, const tp_tracking *d) {
  for (uint32_t i = 0; i < k->c->n_pointers; i++)
    add_rule(k, (tp_rule){.kind = TP_RULE_UNIQUE, .predicate = k->c->points[i]});
  for (uint32_t i = 0; i < k->c->n_fields; i++)
    add_rule(k, (tp_rule){.kind = TP_RULE_FUNCTION, .predicate = k->c->field[i]});
  for (uint32_t i = 0; i < k->c->n_orders; i++) from_order(k, k->c->order[i]);
  for (uint32_t i = 0; i < d->n_exclusions; i++) {
    const tp_formula a = tp_formula_unary(k->t, TP_BEFORE,
                                          k->c->data_predicate[d->exclusions[i][0]], 0),
                     b = tp_formula_unary(k->t, TP_BEFORE,
                                          k->c->data_predicate[d->exclusions[i][1]], 0);
    always(k, or2(k, not1(k, a), not1(k, b)));
  }
}

tp_status tp_shape_rules_new(tp_shape_class *c, const tp_tracking *d, tp_shape_rules **out) {
  tp_shape_rules *rules = TP_NEW(tp_shape_rules);
  *out = rules;  // the class frees them
  rules->unary = TP_NEW_ARRAY(tp_rule_ids, c->n_unary + 1);
  rules->binary = TP_NEW_ARRAY(tp_rule_ids, c->n_binary + 1);
  rules->unary_heads = TP_NEW_ARRAY(tp_rule_ids, c->n_unary + 1);
  rules->binary_heads = TP_NEW_ARRAY(tp_rule_ids, c->n_binary + 1);
  rules->n_unary = c->n_unary;
  rules->n_binary = c->n_binary;
  compiler k = {c, c->formulas, rules};
  from_language(&k, d);
  for (size_t i = 0; i < c->predicates.n; i++)
    if (c->predicates.at[i].kind == TP_SHAPE_PREDICATE_FAMILY)
      from_definition(&k, &c->predicates.at[i]);
  const tp_description *entry = c->generator.entry;
  for (size_t i = 0; i < entry->constraints.n; i++)
    if (names_own_families(c, &entry->constraints.at[i]))
      TP_TRY(from_constraint(&k, &entry->constraints.at[i]));
  return rules->list.n > UINT16_MAX ? TP_ERR_LIMIT : TP_OK;
}

static void free_lists(tp_rule_ids *lists, uint32_t n) {
  for (uint32_t p = 0; p < n; p++) tp_vec_clear(&lists[p]);
  tp_free(lists);
}

void tp_shape_rules_free(tp_shape_rules *rules) {
  if (!rules) return;
  free_lists(rules->unary, rules->n_unary);
  free_lists(rules->unary_heads, rules->n_unary);
  free_lists(rules->binary, rules->n_binary);
  free_lists(rules->binary_heads, rules->n_binary);
  tp_vec_clear(&rules->equality);
  tp_vec_clear(&rules->list);
  tp_free(rules);
}

tp_shape_rule tp_shape_rule_at(const tp_shape_class *c, size_t i) {
  TP_REQUIRE(c->rules && i < tp_shape_rules_count(c->rules));
  const tp_rule *r = &c->rules->list.at[i];
  compiler k = {.t = c->formulas};
  tp_shape_rule out = {r->whole, head_of(&k, r)};
  if (r->kind == TP_RULE_FALSE) out.head = tp_formula_value(c->formulas, TP_KLEENE_FALSE);
  if (r->kind == TP_RULE_SOME) out.head = tp_formula_exists(c->formulas, r->w, r->witness);
  return out;
}

size_t tp_shape_rules_count(const tp_shape_rules *rules) { return rules ? rules->list.n : 0; }

static const char *predicate_name(const tp_shape_class *c, uint32_t arity, uint32_t index) {
  for (size_t i = 0; i < c->predicates.n; i++)
    if (c->predicates.at[i].arity == arity && c->predicates.at[i].index == index)
      return c->predicates.at[i].name;
  return "?";
}

void tp_shape_rules_print(const tp_shape_class *c, tp_str *out) {
  for (size_t i = 0; i < tp_shape_rules_count(c->rules); i++) {
    const tp_rule *r = &c->rules->list.at[i];
    const char *sign = r->is_negated ? "!" : "";
    if (r->whole.id) {
      tp_shape_class_print(c, r->whole, out);
      tp_str_add(out, " => ");
    }
    switch (r->kind) {
      case TP_RULE_UNIQUE:
        tp_str_printf(out, "%s is unique", predicate_name(c, 1, r->predicate));
        break;
      case TP_RULE_FUNCTION:
        tp_str_printf(out, "%s is a function", predicate_name(c, 2, r->predicate));
        break;
      case TP_RULE_UNARY:
        tp_str_printf(out, "%s%s(v%u)", sign, predicate_name(c, 1, r->predicate), r->a);
        break;
      case TP_RULE_BINARY:
        tp_str_printf(out, "%s%s(v%u, v%u)", sign, predicate_name(c, 2, r->predicate), r->a, r->b);
        break;
      case TP_RULE_EQUAL:
        tp_str_printf(out, "v%u %s v%u", r->a, r->is_negated ? "!=" : "=", r->b);
        break;
      case TP_RULE_FALSE: tp_str_add(out, "0"); break;
      case TP_RULE_SOME:
        tp_str_printf(out, "exists v%u: ", r->w);
        tp_shape_class_print(c, r->witness, out);
        break;
    }
    tp_str_add_char(out, '\n');
  }
}
