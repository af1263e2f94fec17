/* From Z3's expressions to terms, arguments first, with a map by Z3's expression ids.
 *
 * Operators come from tables (two arguments; chains of arguments), the others from one switch.
 * Whatever is not listed makes the whole expression unreadable: a formula is read exactly or not at
 * all. */
#include "smt/z3_read.h"

typedef struct {
  tp_z3_terms *e;
  tp_integers *n;
  const tp_term *args;
  size_t n_args;
  tp_map done;  // Z3's id of an expression -> term
  TP_VEC(Z3_ast) todo;
} reader;

static tp_term get(const reader *r, Z3_ast a) {
  uint64_t id;
  return tp_map_get(&r->done, Z3_get_ast_id(r->e->z, a), &id) ? (tp_term){(uint32_t)id}
                                                              : TP_TERM_NONE;
}

static bool is_sort(const reader *r, tp_term t, tp_sort_kind k) {
  return tp_sort_kind_of(r->e->tt, tp_sort_of(r->e->tt, t)) == k;
}

// --------------------------------------------------------------------- leaves

static tp_term number(reader *r, Z3_ast a) {
  Z3_context z = r->e->z;
  Z3_sort s = Z3_get_sort(z, a);
  tp_value v = {0};
  tp_sort sort;
  switch ((int)Z3_get_sort_kind(z, s)) {
    case Z3_INT_SORT: {  // values are modulo 2^64, so they do not say what is too big
      int64_t i;
      return Z3_get_numeral_int64(z, a, &i) ? tp_mk_int(r->e->tt, i) : TP_TERM_NONE;
    }
    case Z3_BV_SORT:
      if (Z3_get_bv_sort_size(z, s) > TP_BV_MAX_BITS) return TP_TERM_NONE;
      sort = tp_sort_bv(r->e->tt, Z3_get_bv_sort_size(z, s));
      return tp_z3_value(r->e, NULL, sort, a, NULL, &v) ? tp_mk_value(r->e->tt, sort, v)
                                                        : TP_TERM_NONE;
    default: return TP_TERM_NONE;
  }
}

/* A constant whose name is the number of its term. */
static tp_term constant(reader *r, Z3_ast a) {
  Z3_context z = r->e->z;
  Z3_symbol name = Z3_get_decl_name(z, Z3_get_app_decl(z, Z3_to_app(z, a)));
  if (Z3_get_symbol_kind(z, name) != Z3_INT_SYMBOL) return TP_TERM_NONE;
  int id = Z3_get_symbol_int(z, name);
  if (id <= 0 || (size_t)id > tp_terms_count(r->e->tt)) return TP_TERM_NONE;
  tp_term t = {(uint32_t)id};
  return tp_kind(r->e->tt, t) == TP_OP_VAR ? t : TP_TERM_NONE;
}

// ----------------------------------------------------------------- operations

/* Operations that terms have under another name: kind and which arguments are swapped or negated.
 */
typedef struct {
  Z3_decl_kind from;
  tp_term_kind to;
  enum { PLAIN, SWAPPED, NEGATED } form;
} operation;

static const operation binary[] = {
    {Z3_OP_EQ, TP_OP_EQ, PLAIN},         {Z3_OP_IFF, TP_OP_EQ, PLAIN},
    {Z3_OP_XOR, TP_OP_XOR, PLAIN},       {Z3_OP_DISTINCT, TP_OP_EQ, NEGATED},
    {Z3_OP_LE, TP_OP_INT_LE, PLAIN},     {Z3_OP_LT, TP_OP_INT_LT, PLAIN},
    {Z3_OP_GE, TP_OP_INT_LE, SWAPPED},   {Z3_OP_GT, TP_OP_INT_LT, SWAPPED},
    {Z3_OP_ULEQ, TP_OP_BV_ULE, PLAIN},   {Z3_OP_ULT, TP_OP_BV_ULT, PLAIN},
    {Z3_OP_UGEQ, TP_OP_BV_ULE, SWAPPED}, {Z3_OP_UGT, TP_OP_BV_ULT, SWAPPED},
    {Z3_OP_SLEQ, TP_OP_BV_SLE, PLAIN},   {Z3_OP_SLT, TP_OP_BV_SLT, PLAIN},
    {Z3_OP_SGEQ, TP_OP_BV_SLE, SWAPPED}, {Z3_OP_SGT, TP_OP_BV_SLT, SWAPPED},
    {Z3_OP_BUDIV, TP_OP_BV_UDIV, PLAIN}, {Z3_OP_BSDIV, TP_OP_BV_SDIV, PLAIN},
    {Z3_OP_BUREM, TP_OP_BV_UREM, PLAIN}, {Z3_OP_BSREM, TP_OP_BV_SREM, PLAIN},
    {Z3_OP_BSHL, TP_OP_BV_SHL, PLAIN},   {Z3_OP_BLSHR, TP_OP_BV_LSHR, PLAIN},
    {Z3_OP_BASHR, TP_OP_BV_ASHR, PLAIN}};

/* Operations on any number of arguments, from the left. */
static const operation chains[] = {
    {Z3_OP_AND, TP_OP_AND, PLAIN},     {Z3_OP_OR, TP_OP_OR, PLAIN},
    {Z3_OP_ADD, TP_OP_INT_ADD, PLAIN}, {Z3_OP_BADD, TP_OP_BV_ADD, PLAIN},
    {Z3_OP_BMUL, TP_OP_BV_MUL, PLAIN}, {Z3_OP_BAND, TP_OP_BV_AND, PLAIN},
    {Z3_OP_BOR, TP_OP_BV_OR, PLAIN},   {Z3_OP_BXOR, TP_OP_BV_XOR, PLAIN}};

static tp_term negative(reader *r, tp_term a) {
  return tp_mk2(r->e->tt, TP_OP_INT_MUL, tp_mk_int(r->e->tt, -1), a);
}

/* The constant factor first, as the integer encoding writes products. */
static tp_term product(reader *r, tp_term a, tp_term b) {
  bool swap = tp_kind(r->e->tt, b) == TP_OP_INT_CONST;
  return tp_mk2(r->e->tt, TP_OP_INT_MUL, swap ? b : a, swap ? a : b);
}

/* SMT-LIB: for d > 0 the quotient is rounded down. */
static tp_term divided(reader *r, tp_term a, tp_term d, bool is_mod) {
  if (!r->n || tp_kind(r->e->tt, d) != TP_OP_INT_CONST || tp_int_value(r->e->tt, d) <= 0)
    return TP_TERM_NONE;
  return is_mod ? tp_integers_mod(r->n, a, tp_int_value(r->e->tt, d))
                : tp_integers_div(r->n, a, tp_int_value(r->e->tt, d));
}

/* Z3's own quotients say nothing about division by zero. */
static tp_term divided_bits(reader *r, Z3_decl_kind k, const tp_term *a) {
  tp_terms *tt = r->e->tt;
  if (!tp_is_const(tt, a[1]) || tp_bv_value(tt, a[1]) == 0) return TP_TERM_NONE;
  return tp_mk2(tt,
                k == Z3_OP_BUDIV_I   ? TP_OP_BV_UDIV
                : k == Z3_OP_BSDIV_I ? TP_OP_BV_SDIV
                : k == Z3_OP_BUREM_I ? TP_OP_BV_UREM
                                     : TP_OP_BV_SREM,
                a[0], a[1]);
}

static tp_term concat(reader *r, const tp_term *a, unsigned n) {
  tp_term all = a[0];
  for (unsigned i = 1; i < n; i++) {
    if (tp_width(r->e->tt, all) + tp_width(r->e->tt, a[i]) > TP_BV_MAX_BITS) return TP_TERM_NONE;
    all = tp_mk2(r->e->tt, TP_OP_BV_CONCAT, all, a[i]);
  }
  return all;
}

static tp_term from_tables(reader *r, Z3_decl_kind k, const tp_term *a, unsigned n) {
  tp_terms *tt = r->e->tt;
  for (size_t i = 0; n == 2 && i < sizeof binary / sizeof *binary; i++) {
    if (binary[i].from != k) continue;
    bool swap = binary[i].form == SWAPPED;
    tp_term t = tp_mk2(tt, binary[i].to, a[swap], a[!swap]);
    return binary[i].form == NEGATED ? tp_mk_not(tt, t) : t;
  }
  for (size_t i = 0; n > 0 && i < sizeof chains / sizeof *chains; i++) {
    if (chains[i].from != k) continue;
    tp_term all = a[0];
    for (unsigned j = 1; j < n; j++) all = tp_mk2(tt, chains[i].to, all, a[j]);
    return all;
  }
  return TP_TERM_NONE;
}

static unsigned parameter(reader *r, Z3_ast a, unsigned i) {
  Z3_context z = r->e->z;
  return (unsigned)Z3_get_decl_int_parameter(z, Z3_get_app_decl(z, Z3_to_app(z, a)), i);
}

/* Widths of results beyond what terms have. */
static bool is_too_wide(reader *r, Z3_ast a) {
  Z3_sort s = Z3_get_sort(r->e->z, a);
  return Z3_get_sort_kind(r->e->z, s) == Z3_BV_SORT &&
         Z3_get_bv_sort_size(r->e->z, s) > TP_BV_MAX_BITS;
}

static tp_term apply(reader *r, Z3_ast x, Z3_decl_kind k, const tp_term *a, unsigned n) {
  tp_terms *tt = r->e->tt;
  if (is_too_wide(r, x)) return TP_TERM_NONE;
  switch ((int)k) {
    case Z3_OP_TRUE: return tp_mk_true(tt);
    case Z3_OP_FALSE: return tp_mk_false(tt);
    case Z3_OP_NOT: return tp_mk_not(tt, a[0]);
    case Z3_OP_IMPLIES: return n == 2 ? tp_mk_implies(tt, a[0], a[1]) : TP_TERM_NONE;
    case Z3_OP_ITE: return tp_mk_ite(tt, a[0], a[1], a[2]);
    case Z3_OP_UNINTERPRETED: return n == 0 ? constant(r, x) : TP_TERM_NONE;
    case Z3_OP_UMINUS: return is_sort(r, a[0], TP_SORT_INT) ? negative(r, a[0]) : TP_TERM_NONE;
    case Z3_OP_SUB: {
      tp_term all = a[0];
      for (unsigned i = 1; i < n; i++) all = tp_mk2(tt, TP_OP_INT_ADD, all, negative(r, a[i]));
      return all;
    }
    case Z3_OP_MUL: {
      tp_term all = a[0];
      for (unsigned i = 1; i < n; i++) all = product(r, all, a[i]);
      return all;
    }
    case Z3_OP_IDIV: return n == 2 ? divided(r, a[0], a[1], false) : TP_TERM_NONE;
    case Z3_OP_MOD: return divided(r, a[0], a[1], true);
    case Z3_OP_BNEG: return tp_mk1(tt, TP_OP_BV_NEG, a[0]);
    case Z3_OP_BNOT: return tp_mk1(tt, TP_OP_BV_NOT, a[0]);
    case Z3_OP_BSUB: return tp_mk_sub(tt, a[0], a[1]);
    case Z3_OP_CONCAT: return concat(r, a, n);
    case Z3_OP_EXTRACT: return tp_mk_extract(tt, parameter(r, x, 0), parameter(r, x, 1), a[0]);
    case Z3_OP_ZERO_EXT: return tp_mk_zext(tt, tp_width(tt, a[0]) + parameter(r, x, 0), a[0]);
    case Z3_OP_SIGN_EXT: return tp_mk_sext(tt, tp_width(tt, a[0]) + parameter(r, x, 0), a[0]);
    case Z3_OP_BIT2BOOL:
      return tp_mk_bv_to_bool(tt, tp_mk_extract(tt, parameter(r, x, 0), parameter(r, x, 0), a[0]));
    case Z3_OP_SELECT: return n == 2 ? tp_mk2(tt, TP_OP_SELECT, a[0], a[1]) : TP_TERM_NONE;
    case Z3_OP_STORE: return n == 3 ? tp_mk3(tt, TP_OP_STORE, a[0], a[1], a[2]) : TP_TERM_NONE;
    case Z3_OP_BUDIV_I:
    case Z3_OP_BSDIV_I:
    case Z3_OP_BUREM_I:
    case Z3_OP_BSREM_I: return divided_bits(r, k, a);
    default: return from_tables(r, k, a, n);
  }
}

static bool is_integer_sorted(reader *r, const tp_term *a, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (!is_sort(r, a[i], TP_SORT_INT)) return false;
  return true;
}

/* Numbers of Z3 may be real. */
static bool is_arithmetic(Z3_decl_kind k) { return k >= Z3_OP_LE && k <= Z3_OP_POWER; }

/* The arguments are read. */
static tp_term one(reader *r, Z3_ast x) {
  Z3_context z = r->e->z;
  switch ((int)Z3_get_ast_kind(z, x)) {
    case Z3_NUMERAL_AST: return number(r, x);
    case Z3_VAR_AST:
      return Z3_get_index_value(z, x) < r->n_args ? r->args[Z3_get_index_value(z, x)]
                                                  : TP_TERM_NONE;
    case Z3_APP_AST: break;
    default: return TP_TERM_NONE;
  }
  Z3_app app = Z3_to_app(z, x);
  unsigned n = Z3_get_app_num_args(z, app);
  Z3_decl_kind k = Z3_get_decl_kind(z, Z3_get_app_decl(z, app));
  tp_term *a = TP_NEW_ARRAY(tp_term, n + 1), t = TP_TERM_NONE;
  for (unsigned i = 0; i < n; i++) a[i] = get(r, Z3_get_app_arg(z, app, i));
  if (!is_arithmetic(k) || is_integer_sorted(r, a, n)) t = apply(r, x, k, a, n);
  tp_free(a);
  return t;
}

tp_term tp_z3_read(tp_z3_terms *e, tp_integers *n, Z3_ast a, const tp_term *args, size_t n_args) {
  TP_REQUIRE(e->z && (args || n_args == 0));
  reader r = {.e = e, .n = n, .args = args, .n_args = n_args};
  Z3_context z = e->z;
  tp_term t = TP_TERM_NONE;
  if (a) tp_vec_push(&r.todo, a);
  while (r.todo.n) {
    Z3_ast top = tp_vec_last(&r.todo);
    bool ready = true;
    if (!tp_term_is(get(&r, top)) && Z3_get_ast_kind(z, top) == Z3_APP_AST) {
      Z3_app app = Z3_to_app(z, top);
      for (unsigned i = Z3_get_app_num_args(z, app); i-- > 0;)
        if (!tp_term_is(get(&r, Z3_get_app_arg(z, app, i)))) {
          tp_vec_push(&r.todo, Z3_get_app_arg(z, app, i));
          ready = false;
        }
    }
    if (!ready) continue;
    (void)tp_vec_pop(&r.todo);
    t = get(&r, top);
    if (!tp_term_is(t)) t = one(&r, top);
    if (!tp_term_is(t) || *e->failed) break;
    tp_map_set(&r.done, Z3_get_ast_id(z, top), t.id);
  }
  if (r.todo.n || *e->failed) t = TP_TERM_NONE;
  tp_map_clear(&r.done);
  tp_vec_clear(&r.todo);
  return t;
}
