/* Terms: the one language from source to solver.
 *
 * What       hash-consed, typed expressions: equal terms have equal ids.
 * Represents pure expressions; a variable is a symbol with a sort, its name is for people only.
 * Invariants every term is well-sorted; ids never depend on addresses; arguments have smaller
 *            ids than the term that uses them (so an array indexed by id is a topological order).
 * Ownership  terms live as long as their table.
 * Cost       mk: one hash look-up plus cheap, size-decreasing normalisation (constant folding,
 *            neutral elements, linear sums modulo 2^n in normal form, read over write).
 * Source     SMT-LIB 2.6 theories Core, FixedSizeBitVectors, FloatingPoint, ArraysEx, Ints.
 *            We differ: pointers are a sort of their own, a pair (object id, offset). */
#ifndef TP_TERM_TERM_H
#define TP_TERM_TERM_H

#include "base/base.h"

// ---------------------------------------------------------------------- sorts

typedef enum {
  TP_SORT_BOOL,
  TP_SORT_BV,
  TP_SORT_PTR,
  TP_SORT_FP,
  TP_SORT_ARRAY,
  TP_SORT_INT
} tp_sort_kind;
typedef struct {
  uint32_t id;
} tp_sort;
typedef struct {
  uint32_t id;
} tp_term;  // 0: none
#define TP_TERM_NONE ((tp_term){0})
static inline bool tp_term_eq(tp_term a, tp_term b) { return a.id == b.id; }
static inline bool tp_term_is(tp_term a) { return a.id != 0; }
static inline bool tp_sort_eq(tp_sort a, tp_sort b) { return a.id == b.id; }

typedef struct tp_terms tp_terms;
enum { TP_BV_MAX_BITS = 128, TP_OBJ_BITS = 32 };

/* ptr_bits: width of pointer offsets and of integers made from pointers: 32 or 64. */
tp_terms *tp_terms_new(uint32_t ptr_bits);
void tp_terms_free(tp_terms *tt);
uint32_t tp_terms_ptr_bits(const tp_terms *tt);
size_t tp_terms_count(const tp_terms *tt);  // ids are 1 .. count
/* Is the table as its invariants say: every term has the arguments of its kind, with smaller ids
 * and fitting sorts, and is found under its parts; variables are numbered without gaps? Linear. */
bool tp_terms_check(const tp_terms *tt);
/* Tests only: off, mk builds every application as it is given. On at the start. */
void tp_terms_set_rewriting(tp_terms *tt, bool on);

tp_sort tp_sort_bool(tp_terms *tt);
tp_sort tp_sort_bv(tp_terms *tt, uint32_t width_bits);  // 1 .. TP_BV_MAX_BITS
tp_sort tp_sort_ptr(tp_terms *tt);
tp_sort tp_sort_fp(tp_terms *tt, uint32_t width_bits);  // 32 or 64 (IEEE binary32, binary64)
tp_sort tp_sort_array(tp_terms *tt, tp_sort index, tp_sort element);
tp_sort tp_sort_int(tp_terms *tt);  // mathematical integers
tp_sort_kind tp_sort_kind_of(const tp_terms *tt, tp_sort s);
uint32_t tp_sort_width(const tp_terms *tt, tp_sort s);  // BV, FP: bits; PTR: ptr_bits; BOOL: 1
tp_sort tp_sort_index(const tp_terms *tt, tp_sort array);
tp_sort tp_sort_element(const tp_terms *tt, tp_sort array);

// ---------------------------------------------------------------------- kinds

/* name, number of arguments, SMT-LIB name ("" where lowering is more than renaming), sort of the
 * result (as the FIRST argument, or an OWN rule in mk.c), rules that simplify it (rewrite.h), note
 */
#define TP_TERM_KINDS(K)                                                                  \
  K(TRUE, 0, "true", FIRST, none)                                                         \
  K(FALSE, 0, "false", FIRST, none)                                                       \
  K(BV_CONST, 0, "", FIRST, none)                                                         \
  K(FP_CONST, 0, "", FIRST, none)                                                         \
  K(PTR_CONST, 0, "", FIRST, none)                                                        \
  K(INT_CONST, 0, "", FIRST, none)                                                        \
  K(VAR, 0, "", FIRST, none)                                                              \
  K(BOUND, 0, "", FIRST, none)                                                            \
  K(NOT, 1, "not", BOOL, bool)                                                            \
  K(AND, 2, "and", BOOL, bool)                                                            \
  K(OR, 2, "or", BOOL, bool)                                                              \
  K(XOR, 2, "xor", BOOL, bool)                                                            \
  K(EQ, 2, "=", BOOL, equation)                                                           \
  K(ITE, 3, "ite", OWN, ite)                                                              \
  K(BV_ADD, 2, "bvadd", FIRST, linear)                                                    \
  K(BV_MUL, 2, "bvmul", FIRST, linear)                                                    \
  K(BV_NEG, 1, "bvneg", FIRST, linear)                                                    \
  K(BV_UDIV, 2, "bvudiv", FIRST, bits)                                                    \
  K(BV_SDIV, 2, "bvsdiv", FIRST, bits)                                                    \
  K(BV_UREM, 2, "bvurem", FIRST, bits)                                                    \
  K(BV_SREM, 2, "bvsrem", FIRST, bits)                                                    \
  K(BV_AND, 2, "bvand", FIRST, bits)                                                      \
  K(BV_OR, 2, "bvor", FIRST, bits)                                                        \
  K(BV_XOR, 2, "bvxor", FIRST, bits)                                                      \
  K(BV_NOT, 1, "bvnot", FIRST, bits)                                                      \
  K(BV_SHL, 2, "bvshl", FIRST, bits)                                                      \
  K(BV_LSHR, 2, "bvlshr", FIRST, bits)                                                    \
  K(BV_ASHR, 2, "bvashr", FIRST, bits)                                                    \
  K(BV_ULT, 2, "bvult", BOOL, less)                                                       \
  K(BV_ULE, 2, "bvule", BOOL, less)                                                       \
  K(BV_SLT, 2, "bvslt", BOOL, less)                                                       \
  K(BV_SLE, 2, "bvsle", BOOL, less)                                                       \
  K(BV_CONCAT, 2, "concat", OWN, slice) /* first argument is the high part */             \
  K(BV_EXTRACT, 1, "", FIRST, slice)    /* payload: hi, lo */                             \
  K(BV_ZEXT, 1, "", FIRST, slice)                                                         \
  K(BV_SEXT, 1, "", FIRST, slice)                                                         \
  K(FP_ADD, 2, "fp.add RNE", FIRST, fp)                                                   \
  K(FP_SUB, 2, "fp.sub RNE", FIRST, fp)                                                   \
  K(FP_MUL, 2, "fp.mul RNE", FIRST, fp)                                                   \
  K(FP_DIV, 2, "fp.div RNE", FIRST, fp)                                                   \
  K(FP_REM, 2, "", FIRST, fp) /* C's fmod: truncated, unlike SMT-LIB's fp.rem */          \
  K(FP_NEG, 1, "fp.neg", FIRST, fp)                                                       \
  K(FP_ABS, 1, "fp.abs", FIRST, fp)                                                       \
  K(FP_SQRT, 1, "fp.sqrt RNE", FIRST, fp)                                                 \
  K(FP_FMA, 3, "fp.fma RNE", FIRST, fp)                                                   \
  K(FP_ROUND, 1, "", FIRST, fp) /* to integral; payload: tp_round */                      \
  K(FP_MIN, 2, "", FIRST, fp)                                                             \
  K(FP_MAX, 2, "", FIRST, fp) /* C's fmin, fmax */                                        \
  K(FP_EQ, 2, "fp.eq", BOOL, fp)                                                          \
  K(FP_LT, 2, "fp.lt", BOOL, fp)                                                          \
  K(FP_LE, 2, "fp.leq", BOOL, fp)                                                         \
  K(FP_IS_NAN, 1, "fp.isNaN", BOOL, fp)                                                   \
  K(FP_IS_INF, 1, "fp.isInfinite", BOOL, fp)                                              \
  K(FP_OF_BITS, 1, "", OWN, fp)                                                           \
  K(FP_TO_BITS, 1, "", OWN, fp)                                                           \
  K(FP_OF_FP, 1, "", FIRST, fp)                                                           \
  K(FP_OF_SBV, 1, "", FIRST, fp)                                                          \
  K(FP_OF_UBV, 1, "", FIRST, fp) /* round to nearest even */                              \
  K(FP_TO_SBV, 1, "", FIRST, fp)                                                          \
  K(FP_TO_UBV, 1, "", FIRST, fp) /* truncation; out of range: see tp_eval */              \
  K(PTR_MK, 2, "", OWN, ptr)                                                              \
  K(PTR_OBJ, 1, "", OWN, ptr)                                                             \
  K(PTR_OFF, 1, "", OWN, ptr)                                                             \
  K(PTR_ADD, 2, "", FIRST, ptr)                                                           \
  K(PTR_TO_INT, 1, "", OWN,                                                               \
    ptr) /* base(object) + offset; base is the table's symbol, base(0) = 0 */             \
  K(INT_TO_PTR, 1, "", OWN, ptr) /* inverse where provenance is known, else (0, value) */ \
  K(SELECT, 2, "select", OWN, array)                                                      \
  K(STORE, 3, "store", FIRST, array)                                                      \
  K(CONST_ARRAY, 1, "", FIRST, none)                                                      \
  K(INT_ADD, 2, "+", FIRST, none)                                                         \
  K(INT_MUL, 2, "*", FIRST, none)                                                         \
  K(INT_LE, 2, "<=", BOOL, none)                                                          \
  K(INT_LT, 2, "<", BOOL, none)                                                           \
  K(INT_OF_SBV, 1, "", OWN, none)                                                         \
  K(INT_OF_UBV, 1, "", OWN, none)                                                         \
  K(FORALL, 1, "", BOOL, none)                                                            \
  K(EXISTS, 1, "", BOOL, none) /* payload: number of the bound variable */
typedef enum {
#define TP_K(name, arity, smt, result, rules) TP_OP_##name,
  TP_TERM_KINDS(TP_K)
#undef TP_K
      TP_N_OPS
} tp_term_kind;

typedef enum {
  TP_ROUND_NEAREST_EVEN,
  TP_ROUND_TO_ZERO,
  TP_ROUND_UP,
  TP_ROUND_DOWN,
  TP_ROUND_NEAREST_AWAY
} tp_round;

// --------------------------------------------------------------- construction

tp_term tp_mk_bool(tp_terms *tt, bool value);
tp_term tp_mk_true(tp_terms *tt);
tp_term tp_mk_false(tp_terms *tt);
tp_term tp_mk_bv(tp_terms *tt, uint32_t width_bits, tp_u128 value);  // cut to the width
tp_term tp_mk_bv_signed(tp_terms *tt, uint32_t width_bits, int64_t value);
tp_term tp_mk_fp(tp_terms *tt, uint32_t width_bits, uint64_t bits);  // IEEE bits
tp_term tp_mk_ptr_const(tp_terms *tt, uint32_t object, uint64_t offset);
tp_term tp_mk_null(tp_terms *tt);  // (0, 0)
tp_term tp_mk_int(tp_terms *tt, int64_t value);
/* A new variable each time; the name is for people and need not be unique. */
tp_term tp_mk_var(tp_terms *tt, const char *name, tp_sort sort);
/* For the readable printer only: the user's variable is of an unsigned C type. */
void tp_var_set_unsigned(tp_terms *tt, tp_term var);
tp_term tp_mk_bound(tp_terms *tt, uint32_t number, tp_sort sort);

tp_term tp_mk_not(tp_terms *tt, tp_term a);
tp_term tp_mk_and(tp_terms *tt, tp_term a, tp_term b);
tp_term tp_mk_or(tp_terms *tt, tp_term a, tp_term b);
tp_term tp_mk_xor(tp_terms *tt, tp_term a, tp_term b);
tp_term tp_mk_implies(tp_terms *tt, tp_term a, tp_term b);      // or(not a, b)
tp_term tp_mk_and_n(tp_terms *tt, const tp_term *a, size_t n);  // true if n == 0
tp_term tp_mk_or_n(tp_terms *tt, const tp_term *a, size_t n);
tp_term tp_mk_eq(tp_terms *tt, tp_term a, tp_term b);  // any sort; FP: same bits or both NaN
tp_term tp_mk_ite(tp_terms *tt, tp_term c, tp_term a, tp_term b);
/* Any kind with 1, 2 or 3 arguments and no payload, through the same normalisation
 * (tp_mk2(tt, TP_OP_BV_ADD, a, b)). Derived forms below are expressed in kinds. */
tp_term tp_mk1(tp_terms *tt, tp_term_kind k, tp_term a);
tp_term tp_mk2(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b);
tp_term tp_mk3(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b, tp_term c);
tp_term tp_mk_sub(tp_terms *tt, tp_term a, tp_term b);  // BV
tp_term tp_mk_extract(tp_terms *tt, uint32_t hi, uint32_t lo, tp_term a);
tp_term tp_mk_zext(tp_terms *tt, uint32_t width_bits, tp_term a);  // to this width; equal width: a
tp_term tp_mk_sext(tp_terms *tt, uint32_t width_bits, tp_term a);
tp_term tp_mk_trunc(tp_terms *tt, uint32_t width_bits, tp_term a);
tp_term tp_mk_resize(tp_terms *tt, uint32_t width_bits, bool is_signed, tp_term a);
tp_term tp_mk_bool_to_bv(tp_terms *tt, uint32_t width_bits, tp_term a);  // ite(a, 1, 0)
tp_term tp_mk_bv_to_bool(tp_terms *tt, tp_term a);                       // a != 0
tp_term tp_mk_fp_round(tp_terms *tt, tp_round mode, tp_term a);
tp_term tp_mk_fp_conv(tp_terms *tt, tp_term_kind k, uint32_t width_bits,
                      tp_term a);  // FP_OF_*, FP_TO_[SU]BV
tp_term tp_mk_ptr(tp_terms *tt, tp_term object, tp_term offset);
tp_term tp_mk_ptr_add(tp_terms *tt, tp_term p, tp_term offset);
tp_term tp_mk_const_array(tp_terms *tt, tp_sort array, tp_term element);
tp_term tp_mk_quantifier(tp_terms *tt, tp_term_kind k, uint32_t bound, tp_term body);
/* A node of t's kind and payload over new arguments (as many as t has, at least one), through mk.
 */
tp_term tp_remake(tp_terms *tt, tp_term t, const tp_term *args);

// ------------------------------------------------------------------ inspection

tp_term_kind tp_kind(const tp_terms *tt, tp_term t);
tp_sort tp_sort_of(const tp_terms *tt, tp_term t);
uint32_t tp_n_args(const tp_terms *tt, tp_term t);
tp_term tp_arg(const tp_terms *tt, tp_term t, uint32_t i);
uint32_t tp_width(const tp_terms *tt, tp_term t);  // of its sort
const char *tp_kind_name(tp_term_kind k);          // "BV_ADD"
const char *tp_kind_smtlib(tp_term_kind k);        // with its rounding mode: "fp.add RNE"
uint32_t tp_kind_arity(tp_term_kind k);
/* Orders of bit-vectors: BV_ULT, BV_ULE, BV_SLT, BV_SLE. */
typedef struct {
  bool is_order, is_signed, is_strict;
} tp_order;
tp_order tp_kind_order(tp_term_kind k);
/* Is a Bool term made of Bool terms, by NOT, AND, OR, XOR, EQ or ITE? */
bool tp_is_connective(const tp_terms *tt, tp_term t);
/* Does it compare bit-vectors: an order, or EQ? */
bool tp_is_bv_comparison(const tp_terms *tt, tp_term t);
/* Quotients and remainders of bit-vectors; products of two bit-vectors that are no constants. */
bool tp_is_division(const tp_terms *tt, tp_term t);
bool tp_is_product(const tp_terms *tt, tp_term t);
bool tp_is_true(const tp_terms *tt, tp_term t);
bool tp_is_false(const tp_terms *tt, tp_term t);
bool tp_is_const(const tp_terms *tt, tp_term t);     // BV, FP, PTR, INT constant, true, false
tp_u128 tp_bv_value(const tp_terms *tt, tp_term t);  // BV_CONST, FP_CONST (bits)
bool tp_bv_value_u64(const tp_terms *tt, tp_term t,
                     uint64_t *out);  // false: no BV constant, or too big
uint32_t tp_ptr_const_object(const tp_terms *tt, tp_term t);
uint64_t tp_ptr_const_offset(const tp_terms *tt, tp_term t);
int64_t tp_int_value(const tp_terms *tt, tp_term t);
uint32_t tp_var_index(const tp_terms *tt, tp_term var);  // dense, from 0, in order of creation
const char *tp_var_name(const tp_terms *tt, tp_term var);
size_t tp_n_vars(const tp_terms *tt);
tp_term tp_var_by_index(const tp_terms *tt, uint32_t index);
uint32_t tp_extract_hi(const tp_terms *tt, tp_term t);
uint32_t tp_extract_lo(const tp_terms *tt, tp_term t);
tp_round tp_round_of(const tp_terms *tt, tp_term t);
uint32_t tp_bound_number(const tp_terms *tt, tp_term t);  // BOUND, FORALL, EXISTS
typedef TP_VEC(tp_term) tp_term_list;
/* The conjuncts of t but for TRUE, from left to right, appended; those of !(a || b) are !a and !b.
 */
void tp_conjuncts(tp_terms *tt, tp_term t, tp_term_list *out);

// ------------------------------------------------------------------ traversals

/* Traversals of the subterms of a term, itself included: each subterm once however often it is
 * shared, without recursion, so terms may be of any depth. Linear in the number of subterms.
 * A memo is a map by the id of a subterm: NULL, or the caller's, which keeps what was computed
 * between calls with the same functions and contexts. Callbacks may make terms and start traversals
 * of their own. Bound variables and quantifiers are terms like others: nothing is renamed. */

/* The order in which arguments are taken: matters where callbacks make terms or keep lists. */
typedef enum { TP_LEFT_TO_RIGHT, TP_RIGHT_TO_LEFT } tp_arg_order;

/* Visit in pre-order: a term before its arguments. */
typedef enum {
  TP_VISIT_ARGS,       // go on with the arguments
  TP_VISIT_SKIP_ARGS,  // go on, but not below this term
  TP_VISIT_STOP        // end the traversal
} tp_visit;
typedef struct {
  void *ctx;
  tp_visit (*visit)(void *ctx, tp_term t);
  tp_arg_order order;
} tp_visitor;
/* seen: a set; its members are not visited, visited terms join it. t may be NONE. False: stopped.
 */
bool tp_visit_terms(const tp_terms *tt, tp_term t, const tp_visitor *v, tp_map *seen);

/* Fold bottom-up: the value of a term from the values of its arguments. before (may be NULL) is
 * called once for a term before its arguments are looked at; true: *value is the term's, and its
 * arguments are left out. after gets args[0 .. tp_n_args(t) - 1]. values: the memo. */
typedef struct {
  void *ctx;
  bool (*before)(void *ctx, tp_term t, uint64_t *value);
  uint64_t (*after)(void *ctx, tp_term t, const uint64_t *args);
  tp_arg_order order;
} tp_folder;
uint64_t tp_fold_terms(const tp_terms *tt, tp_term t, const tp_folder *f, tp_map *values);

/* Rewrite bottom-up. before (may be NULL): the image of a term, its arguments left out; NONE: made
 * from the images of its arguments. after (may be NULL): the image of t from `made`, which is t
 * over the images of its arguments (tp_rebuild). images: the memo, id -> id of the image; entries
 * that the caller put there beforehand count as images. */
typedef struct {
  void *ctx;
  tp_term (*before)(void *ctx, tp_term t);
  tp_term (*after)(void *ctx, tp_term t, tp_term made);
  tp_arg_order order;
} tp_mapper;
tp_term tp_map_terms(tp_terms *tt, tp_term t, const tp_mapper *m, tp_map *images);
/* t if args are its arguments, else tp_remake(tt, t, args). */
tp_term tp_rebuild(tp_terms *tt, tp_term t, const tp_term *args);

/* Appends the subterms that pass the test, in ascending order of id. */
typedef bool (*tp_term_test)(void *ctx, const tp_terms *tt, tp_term t);
void tp_collect_terms(const tp_terms *tt, tp_term t, tp_term_test test, void *ctx,
                      tp_term_list *out);
bool tp_any_subterm(const tp_terms *tt, tp_term t, tp_term_test test, void *ctx);
bool tp_occurs(const tp_terms *tt, tp_term part, tp_term t);  // is part a subterm of t?
/* Calls see(ctx, var) once for each variable in t, in order of index. */
void tp_for_vars(const tp_terms *tt, tp_term t, void (*see)(void *ctx, tp_term var), void *ctx);
size_t tp_dag_size(const tp_terms *tt, tp_term t);  // number of subterms

// ---------------------------------------------------------------- substitution

/* Simultaneous substitution. Results are rebuilt through mk, so they are normalised. */

/* Replaces variables: `with` gives the term for a variable, or TP_TERM_NONE to keep it. */
typedef tp_term (*tp_subst_fn)(void *ctx, tp_term var);
tp_term tp_subst(tp_terms *tt, tp_term t, tp_subst_fn with, void *ctx, tp_map *memo);
/* Replaces one subterm, most often a variable, by a term of its sort. */
tp_term tp_replace(tp_terms *tt, tp_term t, tp_term old, tp_term with);
/* Replaces all terms whose ids are keys of the map by the terms whose ids are their values. The map
 * receives the images of all subterms, and serves for further terms. */
tp_term tp_replace_all(tp_terms *tt, tp_term t, tp_map *images);

// ------------------------------------------------------------------ evaluation

typedef struct tp_array_value tp_array_value;
/* The value of a term. BOOL: bits 0/1. BV, FP: bits. PTR: object and bits (offset). INT: bits as
 * int64. A BV that was made from a pointer, by sums and by setting, flipping and clearing bits
 * only, keeps its provenance in `object` (0: none): INT_TO_PTR then leads back to that object, as
 * the rewriting of terms does. Equality ignores it. ARRAY: a finite map with default, owned by the
 * arena given to tp_eval. */
typedef struct {
  tp_u128 bits;
  uint32_t object;
  const tp_array_value *array;
} tp_value;
struct tp_array_value {
  size_t n;
  struct tp_array_cell {
    tp_value index, value;
  } *cells;  // later cells win
  tp_value otherwise;
};
/* Values of variables and of base(object); both callbacks must be set. select may be NULL; if set
 * it is asked first for SELECT on a variable array (so that callers can keep arrays in their own
 * form). */
typedef struct {
  void *ctx;
  bool (*var)(void *ctx, tp_term var, tp_value *out);  // false: unknown, evaluation fails
  uint64_t (*base)(void *ctx, uint32_t object);
  bool (*select)(void *ctx, tp_term array_var, tp_value index, tp_value *out);
} tp_env;
/* Evaluate. Division by zero and shifts past the width have SMT-LIB's values; FP_TO_[SU]BV out of
 * range gives what amd64 gives (the "integer indefinite" value). Errors: TP_ERR_ARG (unknown
 * variable, quantifier). Memory for arrays comes from `arena`. */
tp_status tp_eval(const tp_terms *tt, tp_term t, const tp_env *env, tp_arena *arena,
                  tp_value *out) TP_MUST_USE;
bool tp_value_eq(const tp_terms *tt, tp_sort s, tp_value a, tp_value b);
tp_term tp_mk_value(tp_terms *tt, tp_sort s, tp_value v);  // the constant of this value; no arrays

// -------------------------------------------------------------------- printing

/* As a C expression over the variables' names. READABLE: in the user's notation (x + 1, p == NULL),
 * for people. COMPILABLE: means the same as tp_eval, in GNU C, after tp_c_prelude(); bit-vectors
 * are unsigned integers of 32, 64 or 128 bits below 2^width, pointers tp_ptr {object, offset},
 * base(object) the caller's tp_base(object). Shared subterms are computed first, also those below a
 * condition: reads of C arrays must be in range anyway. */
typedef enum { TP_C_READABLE, TP_C_COMPILABLE } tp_c_style;
void tp_print_c(const tp_terms *tt, tp_term t, tp_c_style style, tp_str *out);
/* The integer type of this width, such as "unsigned long"; NULL: C has none. Static text. */
const char *tp_c_int_name(uint32_t ptr_bits, uint32_t width, bool is_signed);
/* Has t a compilable form? No quantifiers, mathematical integers, arrays other than variables under
 * SELECT. */
bool tp_is_c_printable(const tp_terms *tt, tp_term t);
const char *tp_c_prelude(void);  // C source; needs TP_PTR_BITS defined

#endif
