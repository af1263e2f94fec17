/* Functions that return a nondeterministic value of a type, and their published types.
 *
 * One table gives the type, for functions without declaration. Where a declaration differs, both
 * types count: the value is any of the declared type, so that proofs consider it, and an input
 * restriction leaves failing runs the values that both types have (program/absent.h).
 * Integers are compared as integers, not by their bits.
 *
 * What is not declared C takes for a function that returns int; a narrower value arrives extended
 * as its own type says. __VERIFIER_nondet_memory fills memory and has no result: library_calls.c.
 */
#include "front/front_priv.h"

typedef enum { IS_INTEGER, IS_POINTER, IS_FLOAT } published_kind;

typedef struct {
  const char *name;  // behind __VERIFIER_nondet_, nondet_ or __nondet_
  const char *type;
  published_kind kind;
  uint32_t lp64_bits, ilp32_bits;
  bool is_signed;
} published;

static const published table[] = {{"bool", "_Bool", IS_INTEGER, 1, 1, false},
                                  {"char", "char", IS_INTEGER, 8, 8, true},
                                  {"schar", "signed char", IS_INTEGER, 8, 8, true},
                                  {"uchar", "unsigned char", IS_INTEGER, 8, 8, false},
                                  {"short", "short", IS_INTEGER, 16, 16, true},
                                  {"ushort", "unsigned short", IS_INTEGER, 16, 16, false},
                                  {"int", "int", IS_INTEGER, 32, 32, true},
                                  {"uint", "unsigned int", IS_INTEGER, 32, 32, false},
                                  {"unsigned", "unsigned int", IS_INTEGER, 32, 32, false},
                                  {"long", "long", IS_INTEGER, 64, 32, true},
                                  {"ulong", "unsigned long", IS_INTEGER, 64, 32, false},
                                  {"longlong", "long long", IS_INTEGER, 64, 64, true},
                                  {"ulonglong", "unsigned long long", IS_INTEGER, 64, 64, false},
                                  {"int128", "__int128", IS_INTEGER, 128, 128, true},
                                  {"uint128", "unsigned __int128", IS_INTEGER, 128, 128, false},
                                  {"u8", "u8", IS_INTEGER, 8, 8, false},
                                  {"u16", "u16", IS_INTEGER, 16, 16, false},
                                  {"u32", "u32", IS_INTEGER, 32, 32, false},
                                  {"u64", "u64", IS_INTEGER, 64, 64, false},
                                  {"s8", "s8", IS_INTEGER, 8, 8, true},
                                  {"s16", "s16", IS_INTEGER, 16, 16, true},
                                  {"s32", "s32", IS_INTEGER, 32, 32, true},
                                  {"s64", "s64", IS_INTEGER, 64, 64, true},
                                  {"size_t", "size_t", IS_INTEGER, 64, 32, false},
                                  {"loff_t", "loff_t", IS_INTEGER, 64, 64, true},
                                  {"sector_t", "sector_t", IS_INTEGER, 64, 32, false},
                                  {"pthread_t", "pthread_t", IS_INTEGER, 64, 32, false},
                                  {"pointer", "void *", IS_POINTER, 64, 32, false},
                                  {"pchar", "char *", IS_POINTER, 64, 32, false},
                                  {"charp", "char *", IS_POINTER, 64, 32, false},
                                  {"float", "float", IS_FLOAT, 32, 32, true},
                                  {"double", "double", IS_FLOAT, 64, 64, true}};

static const char published_prefix[] = "__VERIFIER_nondet_";

bool tp_fe_is_input_function(const char *name) {
  return tp_fe_starts_with(name, "__VERIFIER_nondet") || tp_fe_starts_with(name, "nondet") ||
         tp_fe_starts_with(name, "__nondet");
}

static const published *find(const char *name) {
  static const char *const prefixes[] = {published_prefix, "nondet_", "__nondet_"};
  for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
    if (!tp_fe_starts_with(name, prefixes[k])) continue;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
      if (strcmp(table[i].name, name + strlen(prefixes[k])) == 0) return &table[i];
  }
  return NULL;
}

/* A type as far as values go. */
typedef struct {
  published_kind kind;
  uint32_t bits;
  bool is_signed;
} shape;

static shape published_shape(const tp_fe *fe, const published *row) {
  return (shape){row->kind, fe->ptr_bits == 64 ? row->lp64_bits : row->ilp32_bits, row->is_signed};
}

/* What the caller sees; `type` is what the declaration says, or NONE: then the published sign,
 * where the width is the published one. */
static shape seen_shape(const tp_fe *fe, tp_sort sort, tp_type type, const published *row) {
  const tp_type_info *info = type.id ? tp_type_of(fe->p, type) : NULL;
  const uint32_t bits = tp_sort_width(fe->tt, sort);
  switch (tp_sort_kind_of(fe->tt, sort)) {
    case TP_SORT_BOOL: return (shape){IS_INTEGER, 1, false};
    case TP_SORT_PTR: return (shape){IS_POINTER, fe->ptr_bits, false};
    case TP_SORT_FP: return (shape){IS_FLOAT, bits, true};
    case TP_SORT_BV:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  bool fits = info && info->kind != TP_T_VOID && info->size_bytes * 8 == bits;
  if (fits) return (shape){IS_INTEGER, bits, info->is_signed};
  const shape other = row ? published_shape(fe, row) : (shape){IS_FLOAT, 0, false};
  return (shape){IS_INTEGER, bits,
                 info || other.kind != IS_INTEGER || other.bits != bits || other.is_signed};
}

static bool same_shape(shape a, shape b) {
  return a.kind == b.kind && a.bits == b.bits && a.is_signed == b.is_signed;
}

/* Does v, seen as one shape, have a value that the published shape has too? Both are integers. */
static tp_term in_both(tp_terms *tt, tp_term v, shape seen, shape other) {
  TP_REQUIRE(tp_term_is(v));
  if (tp_sort_kind_of(tt, tp_sort_of(tt, v)) == TP_SORT_BOOL) return tp_mk_true(tt);
  const uint32_t w = seen.bits;
  const bool signed_alike = seen.is_signed && other.is_signed;
  if (signed_alike && other.bits >= w) return tp_mk_true(tt);
  if (signed_alike)
    return tp_mk_eq(tt, tp_mk_sext(tt, w, tp_mk_extract(tt, other.bits - 1, 0, v)), v);
  // no negative value is in both: the bits from `first` on are zero
  uint32_t first = other.is_signed ? other.bits - 1 : other.bits;
  if (seen.is_signed && first > w - 1) first = w - 1;
  if (first >= w) return tp_mk_true(tt);
  return tp_mk_eq(tt, tp_mk_extract(tt, w - 1, first, v), tp_mk_bv(tt, w - first, 0));
}

static void narrow(tp_fb *fb, tp_term holds, const char *name) {
  TP_REQUIRE(tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, holds)) == TP_SORT_BOOL);
  if (tp_is_true(fb->tt, holds) || fb->dead) return;
  const tp_edge at = tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP});
  tp_vec_push(&fb->p->input_restrictions,
              (tp_input_restriction){
                  .at = at, .holds = holds, .name = tp_arena_strdup(&fb->p->arena, name)});
}

// ----------------------------------------------------------------- declarations

/* clang's own declaration of what the program does not declare: int f(), marked in the debug
 * information. Printing is the only way to read the mark from C; it looks at the whole module. */
static bool is_implicit(tp_fe *fe, LLVMValueRef callee) {
  LLVMMetadataRef sub = LLVMGetSubprogram(callee);
  LLVMTypeRef type = LLVMGlobalGetValueType(callee), result = LLVMGetReturnType(type);
  bool is_old_int = LLVMIsFunctionVarArg(type) && LLVMGetTypeKind(result) == LLVMIntegerTypeKind &&
                    LLVMGetIntTypeWidth(result) == 32;
  uint64_t known;
  if (!sub || !is_old_int) return false;
  if (tp_map_get(&fe->implicit, (uint64_t)(uintptr_t)callee, &known)) return known != 0;
  char *text = LLVMPrintValueToString(LLVMMetadataAsValue(fe->context, sub));
  bool implicit = text && strstr(text, "DIFlagArtificial");
  LLVMDisposeMessage(text);
  tp_map_set(&fe->implicit, (uint64_t)(uintptr_t)callee, implicit);
  return implicit;
}

static void remark(tp_fb *fb, LLVMValueRef callee, const char *text) {
  LLVMMetadataRef sub = LLVMGetSubprogram(callee);
  const uint64_t k = tp_hash_bytes(text, strlen(text), 2);
  if (tp_map_has(&fb->fe->reported, k)) return;
  tp_map_set(&fb->fe->reported, k, 1);
  tp_pos pos = sub ? tp_fe_pos_in_file(fb->fe, sub, LLVMDISubprogramGetLine(sub)) : fb->pos;
  tp_vec_push(&fb->p->remarks, (tp_remark){pos, tp_arena_strdup(&fb->p->arena, text)});
}

static const char *name_of_shape(const tp_fe *fe, shape s, tp_type type) {
  const tp_type_info *info = type.id ? tp_type_of(fe->p, type) : NULL;
  if (info && info->name && *info->name && info->kind != TP_T_VOID && info->kind != TP_T_POINTER)
    return info->name;
  if (s.kind == IS_POINTER) return "a pointer";
  return s.kind == IS_FLOAT ? "a floating type"
         : s.is_signed      ? "a signed integer"
                            : "an unsigned integer";
}

// ---------------------------------------------------------------------- lowering

/* Not declared, and narrower than int: the value of the published type, extended. */
static void take_published(tp_fb *fb, LLVMValueRef inst, tp_sort sort, shape of,
                           const published *row, const char *name) {
  tp_terms *tt = fb->tt;
  tp_type_info info = {.kind = of.bits == 1 ? TP_T_BOOL : TP_T_INT,
                       .name = row->type,
                       .size_bytes = (of.bits + 7) / 8,
                       .align_bytes = (of.bits + 7) / 8,
                       .is_signed = of.is_signed};
  const tp_type type = tp_program_add_type(fb->p, info);
  tp_var value = tp_fb_temp(fb, of.bits == 1 ? tp_sort_bool(tt) : tp_sort_bv(tt, of.bits), type);
  tp_fb_havoc(fb, value, TP_I_NONDET, name, false);
  tp_term v = tp_var_of(fb->p, value)->term;
  tp_var result = tp_fb_target(fb, inst, sort, TP_TYPE_NONE);
  uint32_t w = tp_sort_width(tt, sort);
  tp_fb_assign(fb, result,
               of.bits == 1 ? tp_mk_bool_to_bv(tt, w, v) : tp_mk_resize(tt, w, of.is_signed, v));
  tp_fb_set_target(fb, inst, result);
}

void tp_fb_lower_input(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee, const char *name,
                       tp_sort sort, tp_type type) {
  TP_REQUIRE(LLVMIsACallInst(inst));
  tp_fe *fe = fb->fe;
  tp_terms *tt = fb->tt;
  const published *row = find(name);
  tp_fe_types_finish(fe);
  const shape seen = seen_shape(fe, sort, type, row), other = row ? published_shape(fe, row) : seen;
  const bool is_taken = row && tp_fe_starts_with(name, published_prefix) && is_implicit(fe, callee);
  if (is_taken)
    remark(fb, callee,
           tp_fe_printf(fe, "%s is not declared: its published type is %s", name, row->type));
  else if (!same_shape(seen, other))
    remark(fb, callee,
           tp_fe_printf(fe,
                        "%s returns %s here, %s as published: proofs consider all values, failures "
                        "only those of both",
                        name, name_of_shape(fe, seen, type), row->type));
  if (is_taken && other.kind == IS_INTEGER && seen.kind == IS_INTEGER && other.bits < seen.bits) {
    take_published(fb, inst, sort, other, row, name);
    return;
  }
  tp_var v = tp_fb_target(fb, inst, sort, type);
  tp_fb_havoc(fb, v, TP_I_NONDET, name, false);
  if (row && seen.kind != other.kind)
    narrow(fb, tp_mk_false(tt), name);
  else if (row && seen.kind == IS_FLOAT && seen.bits != other.bits)
    narrow(fb, tp_mk_false(tt), name);
  else if (row && seen.kind == IS_INTEGER && !is_taken)
    narrow(fb, in_both(tt, tp_var_of(fb->p, v)->term, seen, other), name);
  tp_fb_set_target(fb, inst, v);
}

bool tp_fb_lower_wide_input(tp_fb *fb, LLVMValueRef inst, const char *name, tp_type type) {
  enum { HALF = 64, WHOLE = 128 };
  tp_fe_types_finish(fb->fe);
  const tp_type_info *info = type.id ? tp_type_of(fb->p, type) : NULL;
  if (!info || info->kind != TP_T_INT || info->size_bytes * 8 != WHOLE) return false;
  tp_var v = tp_fb_temp(fb, tp_sort_bv(fb->tt, WHOLE), type);
  tp_fb_havoc(fb, v, TP_I_NONDET, name, false);
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, 2), whole = tp_var_of(fb->p, v)->term;
  parts[0] = tp_mk_extract(fb->tt, HALF - 1, 0, whole);
  parts[1] = tp_mk_extract(fb->tt, WHOLE - 1, HALF, whole);
  tp_fb_set(fb, inst, (tp_fe_value){.parts = parts, .n_parts = 2});
  return true;
}
