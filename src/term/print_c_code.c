/* C for the compiler: an expression that means exactly what tp_eval says.
 *
 * A bit-vector is an unsigned integer of the smallest carrier (32, 64, 128 bits) that holds it,
 * always below 2^width; variables are cut to their width on reading, so they may have any
 * integer type. What C leaves undefined (division by zero, long shifts, conversions out of
 * range) is done by the functions of the prelude. Shared or high subterms become temporaries of
 * a GNU statement expression, so the text is linear in the DAG and never deeply nested. */
#include "term/term.h"

#include "term/printer.h"
#include "term/term_limits.h"

const char *tp_c_prelude(void) {
  return "#include <math.h>\n"
         "#include <stdint.h>\n"
         "#include <string.h>\n"
         "__extension__ typedef unsigned __int128 tp_w128;\n"
         "typedef uint32_t tp_w32;\n"
         "typedef uint64_t tp_w64;\n"
         "#if TP_PTR_BITS == 64\n"
         "typedef uint64_t tp_word;\n"
         "#else\n"
         "typedef uint32_t tp_word;\n"
         "#endif\n"
         "typedef struct { uint32_t object; tp_word offset; } tp_ptr;\n"
         "tp_word tp_base(uint32_t object);\n"
         "#define TP_INLINE static inline __attribute__((unused))\n"
         "#define TP_WORD_OPERATIONS(T) \\\n"
         "  TP_INLINE T tp_udiv_##T(T a, T b, T mask) { return b ? a / b : mask; } \\\n"
         "  TP_INLINE T tp_urem_##T(T a, T b) { return b ? a % b : a; } \\\n"
         "  TP_INLINE T tp_abs_##T(T a, T sign, T mask) { return a & sign ? (T)(0 - a) & mask : a; "
         "} \\\n"
         "  TP_INLINE T tp_sdiv_##T(T a, T b, T sign, T mask) { \\\n"
         "    T q = tp_udiv_##T(tp_abs_##T(a, sign, mask), tp_abs_##T(b, sign, mask), mask); \\\n"
         "    return (a ^ b) & sign ? (T)(0 - q) & mask : q; } \\\n"
         "  TP_INLINE T tp_srem_##T(T a, T b, T sign, T mask) { \\\n"
         "    T r = tp_urem_##T(tp_abs_##T(a, sign, mask), tp_abs_##T(b, sign, mask)); \\\n"
         "    return a & sign ? (T)(0 - r) & mask : r; } \\\n"
         "  TP_INLINE T tp_shl_##T(T a, T b, unsigned w, T mask) { return b >= w ? 0 : (T)(a << b) "
         "& mask; } \\\n"
         "  TP_INLINE T tp_lshr_##T(T a, T b, unsigned w) { return b >= w ? 0 : a >> b; } \\\n"
         "  TP_INLINE T tp_ashr_##T(T a, T b, unsigned w, T sign, T mask) { \\\n"
         "    T fill = a & sign ? mask : 0; \\\n"
         "    return b >= w ? fill : b == 0 ? a : (a >> b | (T)(fill << (w - (unsigned)b))) & "
         "mask; }\n"
         "TP_WORD_OPERATIONS(tp_w32)\n"
         "TP_WORD_OPERATIONS(tp_w64)\n"
         "TP_WORD_OPERATIONS(tp_w128)\n"
         "TP_INLINE float tp_float(uint32_t b) { float f; memcpy(&f, &b, sizeof f); return f; }\n"
         "TP_INLINE double tp_double(uint64_t b) { double d; memcpy(&d, &b, sizeof d); return d; "
         "}\n"
         "TP_INLINE uint32_t tp_float_bits(float f) { uint32_t b; memcpy(&b, &f, sizeof b); return "
         "b; }\n"
         "TP_INLINE uint64_t tp_double_bits(double d) { uint64_t b; memcpy(&b, &d, sizeof b); "
         "return b; }\n"
         "TP_INLINE int tp_same_float(float a, float b) { return (a != a && b != b) || "
         "tp_float_bits(a) == tp_float_bits(b); }\n"
         "TP_INLINE int tp_same_double(double a, double b) { return (a != a && b != b) || "
         "tp_double_bits(a) == tp_double_bits(b); }\n"
         "#define tp_min(a, b) (a != a ? b : b != b || a < b ? a : b)\n"
         "#define tp_max(a, b) (a != a ? b : b != b || a > b ? a : b)\n"
         "TP_INLINE float tp_min_float(float a, float b) { return tp_min(a, b); }\n"
         "TP_INLINE float tp_max_float(float a, float b) { return tp_max(a, b); }\n"
         "TP_INLINE double tp_min_double(double a, double b) { return tp_min(a, b); }\n"
         "TP_INLINE double tp_max_double(double a, double b) { return tp_max(a, b); }\n"
         "TP_INLINE tp_w128 tp_truncate(double d, unsigned n) {\n"
         "  double limit = ldexp(1.0, (int)n - 1), t = trunc(d);\n"
         "  if (!(t >= -limit && t < limit)) return (tp_w128)1 << (n - 1);\n"
         "  return (tp_w128)(__int128)t & (((tp_w128)1 << (n - 1) << 1) - 1);\n"
         "}\n"
         "TP_INLINE tp_w128 tp_to_integer(double d, unsigned w, int is_signed) {\n"
         "  unsigned n = w > 64 ? 128 : (is_signed || w < 32) && w <= 32 ? 32 : 64;\n"
         "  tp_w128 low = tp_truncate(d, n);\n"
         "  if (!is_signed && w > 32 && low >> (n - 1)) low |= tp_truncate(d - ldexp(1.0, (int)n - "
         "1), n);\n"
         "  return low & (((tp_w128)1 << (w - 1) << 1) - 1);\n"
         "}\n"
         "TP_INLINE tp_ptr tp_pointer(uint32_t object, tp_word offset) { return (tp_ptr){object, "
         "offset}; }\n"
         "TP_INLINE tp_ptr tp_ptr_add(tp_ptr p, tp_word x) { return (tp_ptr){p.object, p.offset + "
         "x}; }\n"
         "TP_INLINE int tp_ptr_eq(tp_ptr p, tp_ptr q) { return p.object == q.object && p.offset == "
         "q.offset; }\n"
         "TP_INLINE tp_word tp_ptr_to_int(tp_ptr p) { return (tp_word)((p.object ? "
         "tp_base(p.object) : 0) + p.offset); }\n";
}

bool tp_is_c_printable(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_is_in_table(tt, t));
  tp_id_list ids = {0};
  tp_reachable(tt, &t, 1, &ids);
  bool ok = tp_sk(tt, t) != TP_SORT_ARRAY;
  for (size_t i = 0; i < ids.n && ok; i++) {
    tp_term u = {ids.at[i]};
    tp_term_kind k = tp_k(tt, u);
    if (k == TP_OP_FORALL || k == TP_OP_EXISTS || k == TP_OP_BOUND || tp_sk(tt, u) == TP_SORT_INT)
      ok = false;
    if (tp_sk(tt, u) == TP_SORT_ARRAY && k != TP_OP_VAR) ok = false;
    if (k == TP_OP_EQ && tp_sk(tt, tp_a(tt, u, 0)) == TP_SORT_ARRAY) ok = false;
    if (k == TP_OP_SELECT && tp_sk(tt, tp_a(tt, u, 1)) != TP_SORT_BV) ok = false;
    if (k == TP_OP_INT_TO_PTR) ok = false;  // provenance is not in the bits
  }
  tp_vec_clear(&ids);
  return ok;
}

// ----------------------------------------------------------------------- pieces

static uint32_t carrier(uint32_t width) { return width <= 32 ? 32 : width <= 64 ? 64 : 128; }
static const char *word(uint32_t width) {
  return width <= 32 ? "tp_w32" : width <= 64 ? "tp_w64" : "tp_w128";
}

static const char *type_of(const tp_terms *tt, tp_term t) {
  switch (tp_sk(tt, t)) {
    case TP_SORT_BOOL: return "int";
    case TP_SORT_BV: return word(tp_w(tt, t));
    case TP_SORT_PTR: return "tp_ptr";
    case TP_SORT_FP: return tp_w(tt, t) == 32 ? "float" : "double";
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return "void";
}

static const char *literal(tp_printer *p, uint32_t width, tp_u128 v) {
  unsigned long long low = (unsigned long long)v, high = (unsigned long long)(v >> 64);
  if (width <= 32) return tp_arena_printf(&p->arena, "%lluu", low);
  if (width <= 64) return tp_arena_printf(&p->arena, "%lluull", low);
  if (high == 0) return tp_arena_printf(&p->arena, "(tp_w128)%lluull", low);
  return tp_arena_printf(&p->arena, "((tp_w128)%lluull << 64 | %lluull)", high, low);
}
static const char *mask(tp_printer *p, uint32_t width) { return literal(p, width, tp_mask(width)); }
static const char *sign(tp_printer *p, uint32_t width) {
  return literal(p, width, (tp_u128)1 << (width - 1));
}

/* " & mask" where the carrier is wider than the term */
static const char *cut(tp_printer *p, uint32_t width) {
  return width == carrier(width) ? "" : tp_arena_printf(&p->arena, " & %s", mask(p, width));
}

static void leaf(tp_printer *p, tp_term t) {
  const tp_terms *tt = p->tt;
  const uint32_t w = tp_w(tt, t);
  const char *s = "";
  switch ((int)tp_k(tt, t)) {
    case TP_OP_TRUE: s = "1"; break;
    case TP_OP_FALSE: s = "0"; break;
    case TP_OP_BV_CONST: s = literal(p, w, tp_bits(tt, t)); break;
    case TP_OP_FP_CONST:
      s = tp_arena_printf(&p->arena, "%s(%s)", w == 32 ? "tp_float" : "tp_double",
                          literal(p, w, tp_bits(tt, t)));
      break;
    case TP_OP_PTR_CONST:
      s = tp_arena_printf(&p->arena, "tp_pointer(%uu, %s)", tp_ptr_const_object(tt, t),
                          literal(p, w, tt->payload[t.id]));
      break;
    default:
      s = tp_var_name(tt, t);
      if (tp_sk(tt, t) == TP_SORT_BV)
        s = tp_arena_printf(&p->arena, "((%s)%s%s)", word(w), s, cut(p, w));
      else if (tp_sk(tt, t) == TP_SORT_BOOL)
        s = tp_arena_printf(&p->arena, "(%s != 0)", s);
      break;
  }
  tp_str_add(p->out, s);
}

static void equality(tp_printer *p, tp_term a, tp_term b) {
  switch (tp_sk(p->tt, a)) {
    case TP_SORT_PTR: tp_printer_push(p, "tp_ptr_eq(%t, %t)", a, b); break;
    case TP_SORT_FP: tp_printer_push(p, "tp_same_%s(%t, %t)", type_of(p->tt, a), a, b); break;
    case TP_SORT_BOOL:
    case TP_SORT_BV:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: tp_printer_push(p, "(%t == %t)", a, b); break;
  }
}

/* tp_name_word(a, b, more) */
static void helper(tp_printer *p, const char *name, tp_term t, const char *more) {
  tp_printer_push(p, "tp_%s_%s(%t, %t%s)", name, word(tp_w(p->tt, t)), tp_a(p->tt, t, 0),
                  tp_a(p->tt, t, 1), more);
}

static void bit_vector(tp_printer *p, tp_term t) {
  const tp_terms *tt = p->tt;
  const tp_term a = tp_a(tt, t, 0), b = tp_a(tt, t, 1);
  const uint32_t w = tp_w(tt, t), aw = tp_w(tt, a);
  const char *T = word(w), *m = mask(p, w), *s = sign(p, w), *as = sign(p, aw);
  switch ((int)tp_k(tt, t)) {
    case TP_OP_BV_ADD: tp_printer_push(p, "((%t + %t)%s)", a, b, cut(p, w)); break;
    case TP_OP_BV_MUL: tp_printer_push(p, "((%t * %t)%s)", a, b, cut(p, w)); break;
    case TP_OP_BV_NEG: tp_printer_push(p, "((0 - %t)%s)", a, cut(p, w)); break;
    case TP_OP_BV_NOT: tp_printer_push(p, "(~%t%s)", a, cut(p, w)); break;
    case TP_OP_BV_AND: tp_printer_push(p, "(%t & %t)", a, b); break;
    case TP_OP_BV_OR: tp_printer_push(p, "(%t | %t)", a, b); break;
    case TP_OP_BV_XOR: tp_printer_push(p, "(%t ^ %t)", a, b); break;
    case TP_OP_BV_UDIV: helper(p, "udiv", t, tp_arena_printf(&p->arena, ", %s", m)); break;
    case TP_OP_BV_UREM: helper(p, "urem", t, ""); break;
    case TP_OP_BV_SDIV: helper(p, "sdiv", t, tp_arena_printf(&p->arena, ", %s, %s", s, m)); break;
    case TP_OP_BV_SREM: helper(p, "srem", t, tp_arena_printf(&p->arena, ", %s, %s", s, m)); break;
    case TP_OP_BV_SHL: helper(p, "shl", t, tp_arena_printf(&p->arena, ", %u, %s", w, m)); break;
    case TP_OP_BV_LSHR: helper(p, "lshr", t, tp_arena_printf(&p->arena, ", %u", w)); break;
    case TP_OP_BV_ASHR:
      helper(p, "ashr", t, tp_arena_printf(&p->arena, ", %u, %s, %s", w, s, m));
      break;
    case TP_OP_BV_ULT: tp_printer_push(p, "(%t < %t)", a, b); break;
    case TP_OP_BV_ULE: tp_printer_push(p, "(%t <= %t)", a, b); break;
    case TP_OP_BV_SLT: tp_printer_push(p, "((%t ^ %s) < (%t ^ %s))", a, as, b, as); break;
    case TP_OP_BV_SLE: tp_printer_push(p, "((%t ^ %s) <= (%t ^ %s))", a, as, b, as); break;
    case TP_OP_BV_CONCAT:
      tp_printer_push(p, "((%s)%t << %s | %t)", T, a, tp_arena_printf(&p->arena, "%u", w - aw), b);
      break;
    case TP_OP_BV_EXTRACT:
      tp_printer_push(p, "(%s)(%t >> %s & %s)", T, a,
                      tp_arena_printf(&p->arena, "%u", tp_extract_lo(tt, t)),
                      literal(p, aw, tp_mask(w)));
      break;
    case TP_OP_BV_ZEXT: tp_printer_push(p, "(%s)%t", T, a); break;
    default: {  // SEXT: flip the sign bit, take its weight away
      const char *weight = literal(p, w, (tp_u128)1 << (aw - 1));
      tp_printer_push(p, "((((%s)%t ^ %s) - %s)%s)", T, a, weight, weight, cut(p, w));
      break;
    }
  }
}

static void floating(tp_printer *p, tp_term t) {
  const tp_terms *tt = p->tt;
  const tp_term a = tp_a(tt, t, 0), b = tp_a(tt, t, 1), c = tp_a(tt, t, 2);
  const uint32_t w = tp_w(tt, t), aw = tp_w(tt, a);
  const char *f = w == 32 ? "f" : "", *T = w == 32 ? "float" : "double";
  static const char *const round_names[] = {"rint", "trunc", "ceil", "floor", "round"};
  switch ((int)tp_k(tt, t)) {
    case TP_OP_FP_ADD: tp_printer_push(p, "(%t + %t)", a, b); break;
    case TP_OP_FP_SUB: tp_printer_push(p, "(%t - %t)", a, b); break;
    case TP_OP_FP_MUL: tp_printer_push(p, "(%t * %t)", a, b); break;
    case TP_OP_FP_DIV: tp_printer_push(p, "(%t / %t)", a, b); break;
    case TP_OP_FP_REM: tp_printer_push(p, "fmod%s(%t, %t)", f, a, b); break;
    case TP_OP_FP_MIN: tp_printer_push(p, "tp_min_%s(%t, %t)", T, a, b); break;
    case TP_OP_FP_MAX: tp_printer_push(p, "tp_max_%s(%t, %t)", T, a, b); break;
    case TP_OP_FP_NEG: tp_printer_push(p, "(-%t)", a); break;
    case TP_OP_FP_ABS: tp_printer_push(p, "fabs%s(%t)", f, a); break;
    case TP_OP_FP_SQRT: tp_printer_push(p, "sqrt%s(%t)", f, a); break;
    case TP_OP_FP_FMA: tp_printer_push(p, "fma%s(%t, %t, %t)", f, a, b, c); break;
    case TP_OP_FP_ROUND:
      tp_printer_push(p, "%s%s(%t)", round_names[tp_round_of(tt, t)], f, a);
      break;
    case TP_OP_FP_EQ: tp_printer_push(p, "(%t == %t)", a, b); break;
    case TP_OP_FP_LT: tp_printer_push(p, "(%t < %t)", a, b); break;
    case TP_OP_FP_LE: tp_printer_push(p, "(%t <= %t)", a, b); break;
    case TP_OP_FP_IS_NAN: tp_printer_push(p, "(isnan(%t) != 0)", a); break;
    case TP_OP_FP_IS_INF: tp_printer_push(p, "(isinf(%t) != 0)", a); break;
    case TP_OP_FP_OF_BITS: tp_printer_push(p, "tp_%s(%t)", T, a); break;
    case TP_OP_FP_TO_BITS:
      tp_printer_push(p, "tp_%s_bits(%t)", aw == 32 ? "float" : "double", a);
      break;
    case TP_OP_FP_OF_FP:
    case TP_OP_FP_OF_UBV: tp_printer_push(p, "(%s)%t", T, a); break;
    case TP_OP_FP_OF_SBV: {  // through a signed 128-bit number
      const char *weight = literal(p, 128, (tp_u128)1 << (aw - 1));
      tp_printer_push(p, "(%s)(__int128)(((tp_w128)%t ^ %s) - %s)", T, a, weight, weight);
      break;
    }
    default:
      tp_printer_push(p, "(%s)tp_to_integer(%t, %s)", word(w), a,
                      tp_arena_printf(&p->arena, "%u, %d", w, tp_k(tt, t) == TP_OP_FP_TO_SBV));
      break;
  }
}

static void application(tp_printer *p, tp_term t) {
  const tp_terms *tt = p->tt;
  const tp_term a = tp_a(tt, t, 0), b = tp_a(tt, t, 1), c = tp_a(tt, t, 2);
  const tp_term_kind k = tp_k(tt, t);
  if (k >= TP_OP_BV_ADD && k <= TP_OP_BV_SEXT) {
    bit_vector(p, t);
    return;
  }
  if (k >= TP_OP_FP_ADD && k <= TP_OP_FP_TO_UBV) {
    floating(p, t);
    return;
  }
  switch ((int)k) {
    case TP_OP_NOT: tp_printer_push(p, "!%t", a); break;
    case TP_OP_AND: tp_printer_push(p, "(%t && %t)", a, b); break;
    case TP_OP_OR: tp_printer_push(p, "(%t || %t)", a, b); break;
    case TP_OP_XOR: tp_printer_push(p, "(%t != %t)", a, b); break;
    case TP_OP_EQ: equality(p, a, b); break;
    case TP_OP_ITE: tp_printer_push(p, "(%t ? %t : %t)", a, b, c); break;
    case TP_OP_PTR_MK: tp_printer_push(p, "tp_pointer(%t, %t)", a, b); break;
    case TP_OP_PTR_OBJ: tp_printer_push(p, "%t.object", a); break;
    case TP_OP_PTR_OFF: tp_printer_push(p, "%t.offset", a); break;
    case TP_OP_PTR_ADD: tp_printer_push(p, "tp_ptr_add(%t, %t)", a, b); break;
    case TP_OP_PTR_TO_INT: tp_printer_push(p, "tp_ptr_to_int(%t)", a); break;
    case TP_OP_SELECT: tp_printer_push(p, "%s[%t]", tp_var_name(tt, a), b); break;
    default: TP_INVARIANT(tp_is_c_printable(tt, t)); break;
  }
}

static void one(tp_printer *p, tp_term t, int precedence) {
  uint64_t n;
  (void)precedence;
  if (tp_map_get(&p->name, t.id, &n))
    tp_str_printf(p->out, "tp_e%llu", (unsigned long long)n);
  else if (tp_n_args(p->tt, t) == 0)
    leaf(p, t);
  else
    application(p, t);
}

void tp_print_c_compilable(const tp_terms *tt, tp_term t, tp_str *out) {
  TP_REQUIRE(tp_is_c_printable(tt, t));
  tp_printer p;
  tp_printer_init(&p, tt, t, out);
  tp_printer_choose_names(&p, t, &(tp_naming){NULL, TP_TERM_CODE_LEVELS});
  if (p.name.n) tp_str_add(out, "({ ");
  for (size_t i = 0; i < p.name.n; i++) {
    tp_term e = {(uint32_t)p.name.entries[i].key};
    if (tp_sk(tt, e) == TP_SORT_ARRAY) continue;
    tp_str_printf(out, "const %s tp_e%llu = ", type_of(tt, e),
                  (unsigned long long)p.name.entries[i].value);
    application(&p, e);
    while (p.stack.n) {
      tp_print_item item = tp_vec_pop(&p.stack);
      if (item.text)
        tp_str_add(out, item.text);
      else
        one(&p, item.term, 0);
    }
    tp_str_add(out, "; ");
  }
  tp_printer_run(&p, t, 0, one);
  if (p.name.n) tp_str_add(out, "; })");
  tp_printer_clear(&p);
}
