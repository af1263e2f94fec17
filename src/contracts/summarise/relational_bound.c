/* The table of relational bounds: interning, sizes, flags, text. */
#include "contracts/contracts_limits.h"
#include "contracts/summarise/relational_bound_priv.h"

tp_rbounds *tp_rbounds_new(void) {
  tp_rbounds *t = TP_NEW(tp_rbounds);
  t->answers = TP_NEW(tp_rbounds_answers);
  tp_arena_init(&t->arena);
  tp_vec_push(&t->nodes, tp_arena_new(&t->arena, tp_rbound_node));
  return t;
}

void tp_rbounds_free(tp_rbounds *t) {
  if (!t) return;
  tp_arena_clear(&t->arena);
  tp_vec_clear(&t->nodes);
  tp_vec_clear(&t->names);
  tp_map_clear(&t->name_of);
  for (int i = 0; i < TP_RBOUNDS_N_QUESTIONS; i++) tp_map_clear(&t->answers->of[i]);
  for (int i = 0; i < TP_RBOUND_N_KINDS; i++) tp_map_clear(&t->results[i]);
  tp_map_clear(&t->change_of);
  tp_vec_clear(&t->changes);
  tp_free(t->answers);
  tp_free(t->slots);
  tp_free(t);
}

const tp_rbound_node *tp_rbound_at(const tp_rbounds *t, tp_rbound b) {
  TP_REQUIRE(b.id && b.id < t->nodes.n);
  return tp_rbounds_node(t, b);
}

const tp_rbound_name_info *tp_rbound_name_of(const tp_rbounds *t, tp_rbound b) {
  TP_REQUIRE(tp_rbounds_is(t, b, TP_RBOUND_NAME));
  return &t->names.at[tp_rbounds_node(t, b)->number];
}

uint64_t tp_rbounds_used(const tp_rbounds *t, tp_rbound_rule rule) {
  TP_REQUIRE(rule < TP_RBOUND_N_RULES);
  return t->used[rule];
}

void tp_rbounds_note(tp_map *m, uint64_t key, uint64_t value) {
  if (m->n >= TP_CONTRACTS_BOUND_ANSWERS) tp_map_clear(m);
  tp_map_set(m, key, value);
}

// -------------------------------------------------------------------------- size

static void count_once(const tp_rbounds *t, tp_rbound b, uint64_t most, tp_map *seen, uint64_t *n) {
  const tp_rbound_node *x = tp_rbounds_node(t, b);
  if (x->n_kids == 0 || *n > most || tp_map_has(seen, b.id)) return;
  tp_map_set(seen, b.id, 1);
  *n += x->n_kids > 1 ? x->n_kids - 1 : 1;
  for (uint32_t i = 0; i < x->n_kids; i++) count_once(t, x->kids[i], most, seen, n);
}

bool tp_rbound_is_larger(const tp_rbounds *t, tp_rbound b, uint32_t operators) {
  const uint32_t tree = tp_rbounds_node(t, b)->size;
  if (tree <= operators) return false;
  if (tree / TP_CONTRACTS_BOUND_COPIES > operators) return true;
  tp_map seen = {0};
  uint64_t n = 0;
  count_once(t, b, operators, &seen, &n);
  tp_map_clear(&seen);
  return n > operators;
}

static bool has_some(const tp_rbounds *t, tp_rbound b, bool (*is)(const tp_rbound_node *n),
                     tp_map *seen) {
  const tp_rbound_node *n = tp_rbounds_node(t, b);
  if (is(n)) return true;
  if (n->n_kids == 0 || tp_map_has(seen, b.id)) return false;
  tp_map_set(seen, b.id, 1);
  for (uint32_t i = 0; i < n->n_kids; i++)
    if (has_some(t, n->kids[i], is, seen)) return true;
  return false;
}

bool tp_rbound_has_some(const tp_rbounds *t, tp_rbound b, bool (*is)(const tp_rbound_node *n)) {
  tp_map seen = {0};
  const bool any = has_some(t, b, is, &seen);
  tp_map_clear(&seen);
  return any;
}

// --------------------------------------------------------------------- interning

static uint64_t hash_of(const tp_rbound_node *n) {
  uint64_t h = tp_hash_mix(n->kind, n->arity);
  h = tp_hash_mix(tp_hash_mix(h, (uint64_t)n->number), n->basic);
  for (uint32_t i = 0; i < n->n_kids; i++) h = tp_hash_mix(h, n->kids[i].id);
  return h;
}

static bool is_same(const tp_rbound_node *a, const tp_rbound_node *b) {
  return a->kind == b->kind && a->arity == b->arity && a->number == b->number &&
         a->basic == b->basic && a->n_kids == b->n_kids &&
         (a->n_kids == 0 || memcmp(a->kids, b->kids, a->n_kids * sizeof *a->kids) == 0);
}

static void enter(tp_rbounds *t, uint32_t id) {
  size_t at = hash_of(t->nodes.at[id]) & (t->n_slots - 1);
  while (t->slots[at]) at = (at + 1) & (t->n_slots - 1);
  t->slots[at] = id;
}

static void grow(tp_rbounds *t) {
  if (t->nodes.n * 2 < t->n_slots) return;
  tp_free(t->slots);
  t->n_slots = t->n_slots ? t->n_slots * 2 : 1024;
  t->slots = TP_NEW_ARRAY(uint32_t, t->n_slots);
  for (uint32_t i = 1; i < t->nodes.n; i++) enter(t, i);
}

/* What the node's flags are, from its operands. */
static void derive(const tp_rbounds *t, tp_rbound_node *n) {
  const tp_rbound_kind k = n->kind;
  uint64_t size = n->n_kids > 1 ? n->n_kids - 1 : n->n_kids;
  n->has_new = k == TP_RBOUND_NEW || k == TP_RBOUND_NEW_SET;
  n->has_any = k == TP_RBOUND_UNIV || k == TP_RBOUND_INTS || k == TP_RBOUND_NEW_SET;
  n->has_if = k == TP_RBOUND_IF;
  for (uint32_t i = 0; i < n->n_kids; i++) {
    const tp_rbound_node *kid = tp_rbounds_node(t, n->kids[i]);
    size += kid->size;
    n->has_new = n->has_new || kid->has_new;
    n->has_any = n->has_any || (kid->has_any && !(k == TP_RBOUND_FIRST && i == 2));
    n->has_if = n->has_if || kid->has_if;
  }
  n->size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  if (k == TP_RBOUND_NULL || k == TP_RBOUND_INT || k == TP_RBOUND_NEW) n->is_value = true;
  if (k == TP_RBOUND_NAME) n->has_any = t->names.at[n->number].facts & TP_RBOUND_MAY_BE_NEW;
  if (k == TP_RBOUND_NAME)
    n->is_value = t->names.at[n->number].facts & (TP_RBOUND_IS_VALUE | TP_RBOUND_IS_CONSTANT);
  if (k == TP_RBOUND_IF)
    n->is_value =
        tp_rbounds_node(t, n->kids[1])->is_value && tp_rbounds_node(t, n->kids[2])->is_value;
}

static bool is_of_new_object(const tp_rbounds *t, tp_rbound r) {
  return tp_rbounds_is(t, r, TP_RBOUND_PRODUCT) &&
         tp_rbounds_is(t, tp_rbounds_kid(t, r, 0), TP_RBOUND_NEW);
}

/* Members, and what exact stores make of them, lead from each object to one value. */
static bool is_total(const tp_rbounds *t, tp_rbound r) {
  const tp_rbound_node *n = tp_rbounds_node(t, r);
  uint32_t n_total = 0, n_other = 0;
  if (n->arity != 2) return false;
  if (n->kind == TP_RBOUND_NAME)
    return t->names.at[n->number].facts & (TP_RBOUND_IS_MEMBER | TP_RBOUND_IS_INNER);
  if (n->kind == TP_RBOUND_OVERRIDE) return is_total(t, n->kids[0]);
  if (n->kind == TP_RBOUND_IF) return is_total(t, n->kids[1]) && is_total(t, n->kids[2]);
  for (uint32_t i = 0; n->kind == TP_RBOUND_UNION && i < n->n_kids; i++)
    if (is_of_new_object(t, n->kids[i]))
      n_other++;
    else
      n_total += is_total(t, n->kids[i]);
  return n_total == 1 && n_total + n_other == n->n_kids;
}

tp_rbound tp_rbounds_intern(tp_rbounds *t, tp_rbound_node node) {
  grow(t);
  size_t at = hash_of(&node) & (t->n_slots - 1);
  for (; t->slots[at]; at = (at + 1) & (t->n_slots - 1))
    if (is_same(t->nodes.at[t->slots[at]], &node)) return (tp_rbound){t->slots[at]};
  tp_rbound *kids = tp_arena_array(&t->arena, tp_rbound, node.n_kids ? node.n_kids : 1);
  if (node.n_kids) memcpy(kids, node.kids, node.n_kids * sizeof *kids);
  node.kids = kids;
  derive(t, &node);
  if (node.kind == TP_RBOUND_FIRST)
    node.is_value = tp_rbounds_node(t, kids[0])->is_value && is_total(t, kids[1]);
  if (node.kind == TP_RBOUND_JOIN)
    node.is_value = tp_rbounds_is_object(t, kids[0]) && is_total(t, kids[1]);
  tp_rbound_node *own = tp_arena_new(&t->arena, tp_rbound_node);
  *own = node;
  tp_vec_push(&t->nodes, own);
  t->slots[at] = (uint32_t)t->nodes.n - 1;
  return (tp_rbound){t->slots[at]};
}

static uint32_t arity_of(const tp_rbounds *t, tp_rbound_kind kind, const tp_rbound *kids) {
  const uint32_t a = tp_rbounds_node(t, kids[0])->arity;
  if (kind >= TP_RBOUND_TRUE) return 0;
  if (kind == TP_RBOUND_JOIN) return a + tp_rbounds_node(t, kids[1])->arity - 2;
  if (kind == TP_RBOUND_PRODUCT) return a + tp_rbounds_node(t, kids[1])->arity;
  if (kind == TP_RBOUND_IF) return tp_rbounds_node(t, kids[1])->arity;
  return a;
}

tp_rbound tp_rbound_plain(tp_rbounds *t, tp_rbound_kind kind, const tp_rbound *kids, uint32_t n) {
  TP_REQUIRE(kind >= TP_RBOUND_UNION && n > 0 && kids[0].id);
  return tp_rbounds_intern(
      t,
      (tp_rbound_node){.kind = kind, .arity = arity_of(t, kind, kids), .n_kids = n, .kids = kids});
}

// ------------------------------------------------------------------------ leaves

static tp_rbound leaf(tp_rbounds *t, tp_rbound_kind kind, uint32_t arity, int64_t number) {
  return tp_rbounds_intern(t, (tp_rbound_node){.kind = kind, .arity = arity, .number = number});
}

tp_rbound tp_rbound_name(tp_rbounds *t, tp_rbound_name_info info) {
  TP_REQUIRE(info.symbol && info.arity > 0);
  uint64_t known;
  const uint64_t key = (uint64_t)(uintptr_t)info.symbol;
  if (tp_map_get(&t->name_of, key, &known)) return (tp_rbound){(uint32_t)known};
  tp_vec_push(&t->names, info);
  const tp_rbound b = leaf(t, TP_RBOUND_NAME, info.arity, (int64_t)t->names.n - 1);
  tp_map_set(&t->name_of, key, b.id);
  return b;
}

tp_rbound tp_rbound_none(tp_rbounds *t, uint32_t arity) {
  TP_REQUIRE(arity > 0);
  return leaf(t, TP_RBOUND_NONE, arity, 0);
}
tp_rbound tp_rbound_univ(tp_rbounds *t, uint32_t arity) {
  TP_REQUIRE(arity > 0);
  return leaf(t, TP_RBOUND_UNIV, arity, 0);
}
tp_rbound tp_rbound_ints(tp_rbounds *t) { return leaf(t, TP_RBOUND_INTS, 1, 0); }
tp_rbound tp_rbound_null(tp_rbounds *t) { return leaf(t, TP_RBOUND_NULL, 1, 0); }
tp_rbound tp_rbound_int(tp_rbounds *t, int64_t value) { return leaf(t, TP_RBOUND_INT, 1, value); }
tp_rbound tp_rbound_new_object(tp_rbounds *t, uint32_t basic, uint32_t number) {
  return tp_rbounds_intern(
      t, (tp_rbound_node){.kind = TP_RBOUND_NEW, .arity = 1, .number = number, .basic = basic});
}
tp_rbound tp_rbound_new_set(tp_rbounds *t, uint32_t basic) {
  return tp_rbounds_intern(
      t, (tp_rbound_node){.kind = TP_RBOUND_NEW_SET, .arity = 1, .number = basic, .basic = basic});
}

// -------------------------------------------------------------------------- text

static const char *const operators[TP_RBOUND_N_KINDS] = {
    [TP_RBOUND_NONE] = "none",      [TP_RBOUND_UNIV] = "univ",   [TP_RBOUND_INTS] = "int",
    [TP_RBOUND_NULL] = "null",      [TP_RBOUND_UNION] = " + ",   [TP_RBOUND_INTERSECTION] = " & ",
    [TP_RBOUND_DIFFERENCE] = " - ", [TP_RBOUND_JOIN] = ".",      [TP_RBOUND_PRODUCT] = " -> ",
    [TP_RBOUND_OVERRIDE] = " ++ ",  [TP_RBOUND_REACH] = ".*",    [TP_RBOUND_FIRST] = " first ",
    [TP_RBOUND_TRUE] = "true",      [TP_RBOUND_FALSE] = "false", [TP_RBOUND_EQUAL] = " = ",
    [TP_RBOUND_LESS] = " < ",       [TP_RBOUND_AND] = " and ",   [TP_RBOUND_OR] = " or "};

static void print(const tp_rbounds *t, tp_rbound b, bool is_inside, tp_str *out) {
  const tp_rbound_node *n = tp_rbounds_node(t, b);
  if (n->kind == TP_RBOUND_NAME)
    tp_str_add(out, t->names.at[n->number].text);
  else if (n->kind == TP_RBOUND_INT)
    tp_str_printf(out, "%lld", (long long)n->number);
  else if (n->kind == TP_RBOUND_NEW)
    tp_str_printf(out, "New%lld", (long long)n->number);
  else if (n->kind == TP_RBOUND_NEW_SET)
    tp_str_printf(out, "NewSet%lld", (long long)n->number);
  else if (n->n_kids == 0)
    tp_str_add(out, operators[n->kind]);
  else {
    if (is_inside) tp_str_add_char(out, '(');
    if (n->kind == TP_RBOUND_NOT) tp_str_add(out, "not ");
    for (uint32_t i = 0; i < n->n_kids; i++) {
      if (n->kind == TP_RBOUND_IF)
        tp_str_add(out, i == 0 ? "if " : i == 1 ? " then " : " else ");
      else if (i)
        tp_str_add(out, operators[n->kind]);
      print(t, n->kids[i], true, out);
    }
    if (is_inside) tp_str_add_char(out, ')');
  }
}

void tp_rbound_print(const tp_rbounds *t, tp_rbound b, tp_str *out) {
  TP_REQUIRE(b.id < t->nodes.n);
  print(t, b, false, out);
}

bool tp_rbounds_check(const tp_rbounds *t) {
  for (uint32_t i = 1; i < t->nodes.n; i++) {
    const tp_rbound_node *n = t->nodes.at[i];
    if (n->kind >= TP_RBOUND_N_KINDS || (n->arity == 0) != (n->kind >= TP_RBOUND_TRUE))
      return false;
    for (uint32_t k = 0; k < n->n_kids; k++)
      if (n->kids[k].id == 0 || n->kids[k].id >= i) return false;
  }
  return true;
}
