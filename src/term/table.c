/* The table: sorts, interning and inspection. A node is found by hashing its parts; open
 * addressing over ids, so that the arrays stay free of pointers and ids follow the order of
 * creation alone. Nothing here rewrites; see rewrite.c. */
#include "term/term.h"

#include "term/term_priv.h"

// ---------------------------------------------------------------------- table

static tp_sort add_sort(tp_terms *tt, tp_sort_kind kind, uint32_t width, tp_sort index,
                        tp_sort element) {
  tp_vec_push(&tt->sorts, (tp_sort_info){kind, width, index, element});
  return (tp_sort){(uint32_t)tt->sorts.n - 1};
}

tp_terms *tp_terms_new(uint32_t ptr_bits) {
  TP_REQUIRE(ptr_bits == 32 || ptr_bits == 64);
  tp_terms *tt = TP_NEW(tp_terms);
  const tp_sort none = {0};
  tt->ptr_bits = ptr_bits;
  tt->rewriting = true;
  tt->names = tp_names_new();
  tt->marks = TP_NEW(tp_marks *);
  add_sort(tt, TP_SORT_BOOL, 0, none, none);  // [0] unused
  add_sort(tt, TP_SORT_BOOL, 1, none, none);
  add_sort(tt, TP_SORT_INT, 64, none, none);
  add_sort(tt, TP_SORT_PTR, ptr_bits, none, none);
  add_sort(tt, TP_SORT_FP, 32, none, none);
  add_sort(tt, TP_SORT_FP, 64, none, none);
  tp_intern(tt, TP_OP_TRUE, tp_sort_bool(tt), TP_TERM_NONE, TP_TERM_NONE, TP_TERM_NONE, 0);
  tp_intern(tt, TP_OP_FALSE, tp_sort_bool(tt), TP_TERM_NONE, TP_TERM_NONE, TP_TERM_NONE, 0);
  return tt;
}

void tp_terms_free(tp_terms *tt) {
  if (!tt) return;
  TP_INVARIANT(tp_terms_check(tt));
  tp_free(tt->kind);
  tp_free(tt->sort);
  tp_free(tt->arg);
  tp_free(tt->payload);
  tp_free(tt->slots);
  tp_vec_clear(&tt->sorts);
  tp_vec_clear(&tt->var_term);
  tp_vec_clear(&tt->var_name);
  tp_vec_clear(&tt->var_unsigned);
  tp_names_free(tt->names);
  tp_marks_free(*tt->marks);
  tp_free(tt->marks);
  tp_map_clear(&tt->pushed);
  tp_map_clear(&tt->read);
  tp_free(tt);
}

uint32_t tp_terms_ptr_bits(const tp_terms *tt) { return tt->ptr_bits; }
size_t tp_terms_count(const tp_terms *tt) { return tt->n; }
void tp_terms_set_rewriting(tp_terms *tt, bool on) { tt->rewriting = on; }

// ---------------------------------------------------------------------- sorts

tp_sort tp_sort_bool(tp_terms *tt) { return (void)tt, (tp_sort){TP_SORT_ID_BOOL}; }
tp_sort tp_sort_ptr(tp_terms *tt) { return (void)tt, (tp_sort){TP_SORT_ID_PTR}; }
tp_sort tp_sort_int(tp_terms *tt) { return (void)tt, (tp_sort){TP_SORT_ID_INT}; }

tp_sort tp_sort_bv(tp_terms *tt, uint32_t width_bits) {
  TP_REQUIRE(width_bits >= 1 && width_bits <= TP_BV_MAX_BITS);
  if (!tt->bv_sort[width_bits])
    tt->bv_sort[width_bits] = add_sort(tt, TP_SORT_BV, width_bits, (tp_sort){0}, (tp_sort){0}).id;
  return (tp_sort){tt->bv_sort[width_bits]};
}

tp_sort tp_sort_fp(tp_terms *tt, uint32_t width_bits) {
  (void)tt;
  TP_REQUIRE(width_bits == 32 || width_bits == 64);
  return (tp_sort){width_bits == 32 ? TP_SORT_ID_FP32 : TP_SORT_ID_FP64};
}

tp_sort tp_sort_array(tp_terms *tt, tp_sort index, tp_sort element) {
  TP_REQUIRE(tp_is_sort_of_table(tt, index) && tp_is_sort_of_table(tt, element));
  for (uint32_t i = 1; i < tt->sorts.n; i++) {  // a handful in any program
    const tp_sort_info *s = &tt->sorts.at[i];
    if (s->kind == TP_SORT_ARRAY && s->index.id == index.id && s->element.id == element.id)
      return (tp_sort){i};
  }
  return add_sort(tt, TP_SORT_ARRAY, 0, index, element);
}

tp_sort_kind tp_sort_kind_of(const tp_terms *tt, tp_sort s) {
  TP_REQUIRE(tp_is_sort_of_table(tt, s));
  return tt->sorts.at[s.id].kind;
}
uint32_t tp_sort_width(const tp_terms *tt, tp_sort s) {
  TP_REQUIRE(tp_is_sort_of_table(tt, s));
  return tt->sorts.at[s.id].width;
}
tp_sort tp_sort_index(const tp_terms *tt, tp_sort array) {
  TP_REQUIRE(tp_sort_kind_of(tt, array) == TP_SORT_ARRAY);
  return tt->sorts.at[array.id].index;
}
tp_sort tp_sort_element(const tp_terms *tt, tp_sort array) {
  TP_REQUIRE(tp_sort_kind_of(tt, array) == TP_SORT_ARRAY);
  return tt->sorts.at[array.id].element;
}

// ------------------------------------------------------------------ interning

static uint64_t node_hash(uint32_t k, uint32_t s, const uint32_t *arg, uint64_t payload) {
  uint64_t h = (uint64_t)k << 32 | s;
  h = h * 0x9e3779b97f4a7c15u + ((uint64_t)arg[0] << 32 | arg[1]);
  h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u + ((uint64_t)arg[2] ^ payload * 0x94d049bb133111ebu);
  return tp_hash_u64(h);
}

static void grow_slots(tp_terms *tt) {
  size_t n_slots = tt->n_slots ? tt->n_slots * 2 : 1024;
  tp_free(tt->slots);
  tt->slots = TP_NEW_ARRAY(uint32_t, n_slots);
  tt->n_slots = n_slots;
  for (uint32_t id = 1; id <= tt->n; id++) {
    size_t at = node_hash(tt->kind[id], tt->sort[id], tt->arg[id], tt->payload[id]) & (n_slots - 1);
    while (tt->slots[at]) at = (at + 1) & (n_slots - 1);
    tt->slots[at] = id;
  }
}

static void grow_nodes(tp_terms *tt) {
  size_t cap = tt->cap ? tt->cap * 2 : 1024;
  TP_INVARIANT(cap <= UINT32_MAX);
  tt->kind = tp_realloc(tt->kind, cap * sizeof *tt->kind);
  tt->sort = tp_realloc(tt->sort, cap * sizeof *tt->sort);
  tt->arg = tp_realloc(tt->arg, cap * sizeof *tt->arg);
  tt->payload = tp_realloc(tt->payload, cap * sizeof *tt->payload);
  tt->cap = cap;
}

/* The slot that holds the node with these parts, or the empty one where it belongs. */
static size_t slot_of(const tp_terms *tt, tp_term_kind k, tp_sort s, const uint32_t *arg,
                      uint64_t payload) {
  size_t at = node_hash(k, s.id, arg, payload) & (tt->n_slots - 1);
  for (uint32_t id; (id = tt->slots[at]) != 0; at = (at + 1) & (tt->n_slots - 1))
    if (tt->kind[id] == k && tt->sort[id] == s.id && tt->payload[id] == payload &&
        memcmp(tt->arg[id], arg, sizeof tt->arg[id]) == 0)
      break;
  return at;
}

tp_term tp_find_node(const tp_terms *tt, tp_term_kind k, tp_sort s, const uint32_t arg[3],
                     uint64_t payload) {
  return (tp_term){tt->slots[slot_of(tt, k, s, arg, payload)]};
}

static tp_term intern_raw(tp_terms *tt, tp_term_kind k, tp_sort s, const uint32_t *arg,
                          uint64_t payload) {
  TP_REQUIRE(k < TP_N_OPS && tp_is_sort_of_table(tt, s));
  if ((tt->n + 1) * 2 > tt->n_slots) grow_slots(tt);
  size_t at = slot_of(tt, k, s, arg, payload);
  if (tt->slots[at]) return (tp_term){tt->slots[at]};
  if (tt->n + 1 >= tt->cap) grow_nodes(tt);
  uint32_t id = (uint32_t)++tt->n;
  TP_INVARIANT(id < tt->cap);  // the columns have a row for it
  tt->kind[id] = (uint8_t)k;
  tt->sort[id] = s.id;
  memcpy(tt->arg[id], arg, sizeof tt->arg[id]);
  tt->payload[id] = payload;
  tt->slots[at] = id;
  return (tp_term){id};
}

tp_term tp_intern(tp_terms *tt, tp_term_kind k, tp_sort s, tp_term a, tp_term b, tp_term c,
                  uint64_t payload) {
  return intern_raw(tt, k, s, (uint32_t[3]){a.id, b.id, c.id}, payload);
}
tp_term tp_intern1(tp_terms *tt, tp_term_kind k, tp_sort s, tp_term a) {
  return intern_raw(tt, k, s, (uint32_t[3]){a.id, 0, 0}, 0);
}
tp_term tp_intern2(tp_terms *tt, tp_term_kind k, tp_sort s, tp_term a, tp_term b) {
  return intern_raw(tt, k, s, (uint32_t[3]){a.id, b.id, 0}, 0);
}

// ----------------------------------------------------------------------- check

static bool has_arguments_of_kind(const tp_terms *tt, tp_term t) {
  const uint32_t n = tp_n_args(tt, t);
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t arg = tt->arg[t.id][i];
    if (n > 0 && (i < n ? arg == 0 || arg >= t.id : arg != 0)) return false;
  }
  return true;
}

/* Makers with a payload state their own preconditions. */
static bool has_payload(tp_term_kind k) {
  return k == TP_OP_BV_EXTRACT || k == TP_OP_BV_ZEXT || k == TP_OP_BV_SEXT || k == TP_OP_FP_ROUND ||
         (k >= TP_OP_FP_OF_FP && k <= TP_OP_FP_TO_UBV) || k == TP_OP_CONST_ARRAY ||
         k == TP_OP_FORALL || k == TP_OP_EXISTS;
}

static bool is_node_sound(const tp_terms *tt, tp_term t) {
  if (tt->kind[t.id] >= TP_N_OPS || !tp_is_sort_of_table(tt, tp_s(tt, t))) return false;
  if (!has_arguments_of_kind(tt, t)) return false;
  if (tp_find_node(tt, tp_k(tt, t), tp_s(tt, t), tt->arg[t.id], tt->payload[t.id]).id != t.id)
    return false;
  if (tp_k(tt, t) == TP_OP_VAR)
    return tt->payload[t.id] < tt->var_term.n && tt->var_term.at[tt->payload[t.id]] == t.id;
  if (tp_n_args(tt, t) == 0 || has_payload(tp_k(tt, t))) return true;
  return tp_is_well_sorted(tt, tp_k(tt, t), tp_a(tt, t, 0), tp_a(tt, t, 1), tp_a(tt, t, 2));
}

bool tp_terms_check(const tp_terms *tt) {
  if (tt->n < 2 || tt->n >= tt->cap || tt->depth != 0) return false;
  if (tt->var_term.n != tt->var_name.n || tt->var_term.n != tt->var_unsigned.n) return false;
  for (uint32_t id = 1; id <= tt->n; id++)
    if (!is_node_sound(tt, (tp_term){id})) return false;
  return true;
}

// ------------------------------------------------------------------ constants

tp_term tp_mk_bool(tp_terms *tt, bool value) { return (void)tt, value ? TP_TRUE : TP_FALSE; }
tp_term tp_mk_true(tp_terms *tt) { return (void)tt, TP_TRUE; }
tp_term tp_mk_false(tp_terms *tt) { return (void)tt, TP_FALSE; }

tp_term tp_mk_bv(tp_terms *tt, uint32_t width_bits, tp_u128 value) {
  value = tp_cut(value, width_bits);
  uint32_t high[3] = {(uint32_t)(value >> 64), (uint32_t)(value >> 96), 0};
  return intern_raw(tt, TP_OP_BV_CONST, tp_sort_bv(tt, width_bits), high, (uint64_t)value);
}
tp_term tp_mk_bv_signed(tp_terms *tt, uint32_t width_bits, int64_t value) {
  return tp_mk_bv(tt, width_bits, (tp_u128)(tp_i128)value);
}
tp_term tp_mk_fp(tp_terms *tt, uint32_t width_bits, uint64_t bits) {
  uint64_t cut = (uint64_t)tp_cut(bits, width_bits);
  return intern_raw(tt, TP_OP_FP_CONST, tp_sort_fp(tt, width_bits), (uint32_t[3]){0}, cut);
}
tp_term tp_mk_ptr_const(tp_terms *tt, uint32_t object, uint64_t offset) {
  uint64_t cut = (uint64_t)tp_cut(offset, tt->ptr_bits);
  return intern_raw(tt, TP_OP_PTR_CONST, tp_sort_ptr(tt), (uint32_t[3]){object, 0, 0}, cut);
}
tp_term tp_mk_null(tp_terms *tt) { return tp_mk_ptr_const(tt, 0, 0); }
tp_term tp_mk_int(tp_terms *tt, int64_t value) {
  return intern_raw(tt, TP_OP_INT_CONST, tp_sort_int(tt), (uint32_t[3]){0}, (uint64_t)value);
}

tp_term tp_mk_var(tp_terms *tt, const char *name, tp_sort sort) {
  TP_REQUIRE(name && tp_is_sort_of_table(tt, sort));
  uint32_t index = (uint32_t)tt->var_term.n;
  tp_term v = intern_raw(tt, TP_OP_VAR, sort, (uint32_t[3]){0}, index);
  tp_vec_push(&tt->var_term, v.id);
  tp_vec_push(&tt->var_name, tp_name_of(tt->names, name));
  tp_vec_push(&tt->var_unsigned, false);
  return v;
}
void tp_var_set_unsigned(tp_terms *tt, tp_term var) {
  TP_REQUIRE(tp_kind(tt, var) == TP_OP_VAR);
  tt->var_unsigned.at[tt->payload[var.id]] = true;
}
tp_term tp_mk_bound(tp_terms *tt, uint32_t number, tp_sort sort) {
  TP_REQUIRE(tp_is_sort_of_table(tt, sort));
  return intern_raw(tt, TP_OP_BOUND, sort, (uint32_t[3]){0}, number);
}

// ----------------------------------------------------------------- inspection

static const struct {
  const char *name, *smtlib;
  uint32_t arity;
} kinds[TP_N_OPS] = {
#define TP_K(name, arity, smt, result, rules) [TP_OP_##name] = {#name, smt, arity},
    TP_TERM_KINDS(TP_K)
#undef TP_K
};

const char *tp_kind_name(tp_term_kind k) {
  TP_REQUIRE(k < TP_N_OPS);
  return kinds[k].name;
}
const char *tp_kind_smtlib(tp_term_kind k) {
  TP_REQUIRE(k < TP_N_OPS);
  return kinds[k].smtlib;
}
uint32_t tp_kind_arity(tp_term_kind k) {
  TP_REQUIRE(k < TP_N_OPS);
  return kinds[k].arity;
}
tp_order tp_kind_order(tp_term_kind k) {
  const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE,
             is_strict = k == TP_OP_BV_ULT || k == TP_OP_BV_SLT;
  return (tp_order){is_signed || is_strict || k == TP_OP_BV_ULE, is_signed, is_strict};
}
bool tp_is_connective(const tp_terms *tt, tp_term t) {
  const tp_term_kind k = tp_kind(tt, t);
  return k == TP_OP_NOT || k == TP_OP_AND || k == TP_OP_OR || k == TP_OP_XOR ||
         (k == TP_OP_EQ && tp_sk(tt, tp_a(tt, t, 0)) == TP_SORT_BOOL) ||
         (k == TP_OP_ITE && tp_sk(tt, t) == TP_SORT_BOOL);
}
bool tp_is_bv_comparison(const tp_terms *tt, tp_term t) {
  const tp_term_kind k = tp_kind(tt, t);
  return tp_kind_order(k).is_order || (k == TP_OP_EQ && tp_sk(tt, tp_a(tt, t, 0)) == TP_SORT_BV);
}
bool tp_is_division(const tp_terms *tt, tp_term t) {
  const tp_term_kind k = tp_kind(tt, t);
  return k == TP_OP_BV_UDIV || k == TP_OP_BV_SDIV || k == TP_OP_BV_UREM || k == TP_OP_BV_SREM;
}
bool tp_is_product(const tp_terms *tt, tp_term t) {
  return tp_kind(tt, t) == TP_OP_BV_MUL && !tp_is_const(tt, tp_arg(tt, t, 0)) &&
         !tp_is_const(tt, tp_arg(tt, t, 1));
}
tp_term_kind tp_kind(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_is_in_table(tt, t));
  return tp_k(tt, t);
}
tp_sort tp_sort_of(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_is_in_table(tt, t));
  return tp_s(tt, t);
}
uint32_t tp_n_args(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_is_in_table(tt, t));
  return kinds[tt->kind[t.id]].arity;
}
tp_term tp_arg(const tp_terms *tt, tp_term t, uint32_t i) {
  TP_REQUIRE(i < tp_n_args(tt, t));
  return tp_a(tt, t, i);
}
uint32_t tp_width(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_is_in_table(tt, t));
  return tp_w(tt, t);
}
bool tp_is_true(const tp_terms *tt, tp_term t) { return (void)tt, t.id == TP_TRUE.id; }
bool tp_is_false(const tp_terms *tt, tp_term t) { return (void)tt, t.id == TP_FALSE.id; }
bool tp_is_const(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_is_in_table(tt, t));
  return tp_is_scalar_const(tt, t);
}
tp_u128 tp_bv_value(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_kind(tt, t) == TP_OP_BV_CONST || tp_kind(tt, t) == TP_OP_FP_CONST);
  return tp_bits(tt, t);
}
bool tp_bv_value_u64(const tp_terms *tt, tp_term t, uint64_t *out) {
  TP_REQUIRE(tp_is_in_table(tt, t) && out);
  if (!tp_is_bv(tt, t) || tp_bits(tt, t) > UINT64_MAX) return false;
  *out = tt->payload[t.id];
  return true;
}
uint32_t tp_ptr_const_object(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_kind(tt, t) == TP_OP_PTR_CONST);
  return tt->arg[t.id][0];
}
uint64_t tp_ptr_const_offset(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_kind(tt, t) == TP_OP_PTR_CONST);
  return tt->payload[t.id];
}
int64_t tp_int_value(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_kind(tt, t) == TP_OP_INT_CONST);
  return (int64_t)tt->payload[t.id];
}
uint32_t tp_var_index(const tp_terms *tt, tp_term var) {
  TP_REQUIRE(tp_kind(tt, var) == TP_OP_VAR);
  return (uint32_t)tt->payload[var.id];
}
const char *tp_var_name(const tp_terms *tt, tp_term var) {
  TP_REQUIRE(tp_kind(tt, var) == TP_OP_VAR);
  return tp_name_text(tt->names, tt->var_name.at[tt->payload[var.id]]);
}
size_t tp_n_vars(const tp_terms *tt) { return tt->var_term.n; }
tp_term tp_var_by_index(const tp_terms *tt, uint32_t index) {
  TP_REQUIRE(index < tt->var_term.n);
  return (tp_term){tt->var_term.at[index]};
}
uint32_t tp_extract_hi(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_kind(tt, t) == TP_OP_BV_EXTRACT);
  return (uint32_t)(tt->payload[t.id] >> 32);
}
uint32_t tp_extract_lo(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_kind(tt, t) == TP_OP_BV_EXTRACT);
  return (uint32_t)tt->payload[t.id];
}
tp_round tp_round_of(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_kind(tt, t) == TP_OP_FP_ROUND);
  return (tp_round)tt->payload[t.id];
}
uint32_t tp_bound_number(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_kind(tt, t) == TP_OP_BOUND || tp_kind(tt, t) == TP_OP_FORALL ||
             tp_kind(tt, t) == TP_OP_EXISTS);
  return (uint32_t)tt->payload[t.id];
}
