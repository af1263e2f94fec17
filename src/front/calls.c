/* Calls: to functions with a body, through pointers, to the outside.
 *
 * Values that the calling convention has split are joined again where possible: a struct that is
 * passed in registers is written to and read from memory element by element, as in the
 * bitcode; a byval argument is copied by the callee; further parts of a result are left in
 * hidden globals, which the caller reads behind the call; the extra arguments of a variadic call
 * lie in a stack object of slots whose address is one more argument. */
#include "front/front_priv.h"

#include "front/front_limits.h"
#include "term/x87.h"

#include <stdio.h>

tp_var tp_fe_part(tp_fe *fe, tp_sort sort, uint32_t k) {
  uint64_t key = (uint64_t)sort.id << 8 | k, known;
  if (tp_map_get(&fe->parts, key, &known)) return (tp_var){(uint32_t)known};
  tp_var_info info = {.name = tp_fe_printf(fe, "result.part%u.%u", k + 1, sort.id),
                      .kind = TP_V_GLOBAL};
  tp_fe_value zero = {0};
  tp_term null = tp_mk_null(fe->tt);
  tp_sort_kind kind = tp_sort_kind_of(fe->tt, sort);
  uint32_t width = tp_sort_width(fe->tt, sort);
  if (kind == TP_SORT_PTR)
    zero.t = null;
  else if (kind == TP_SORT_FP)
    zero.t = tp_mk_fp(fe->tt, width, 0);
  else if (kind == TP_SORT_BOOL)
    zero.t = tp_mk_false(fe->tt);
  else
    zero.t = tp_mk_bv(fe->tt, width, 0);
  info.initial = zero.t;
  tp_var v = tp_program_add_var(fe->p, info, sort);
  tp_map_set(&fe->parts, key, v.id);
  return v;
}

// ------------------------------------------------------------------- arguments

static unsigned byval_kind(void) { return LLVMGetEnumAttributeKindForName("byval", 5); }

static bool get_scalar(tp_fb *fb, LLVMValueRef v, tp_fe_value *out) {
  if (!tp_fb_get(fb, v, out)) return false;
  if (tp_term_is(out->t)) return true;
  tp_fb_unsupported(fb, "struct passed in registers as one value");
  return false;
}

/* Where va_arg looks for an argument: on lp64 a type that is aligned to 16 begins at a multiple. */
static uint32_t variadic_alignment(const tp_fe *fe, LLVMTypeRef type) {
  const uint32_t align = LLVMABIAlignmentOfType(fe->layout, type);
  return fe->ptr_bytes == 8 && align > fe->ptr_bytes ? 2 * fe->ptr_bytes : fe->ptr_bytes;
}

/* The values that the call passes; they live in the program's arena, since a call may be finished
 * later. */
static bool get_actuals(tp_fb *fb, LLVMValueRef inst, tp_actuals *out) {
  TP_REQUIRE(LLVMIsACallInst(inst));
  unsigned n = LLVMGetNumArgOperands(inst);
  *out = (tp_actuals){.at = tp_arena_array(&fb->p->arena, tp_actual, n + 1)};
  for (unsigned i = 0; i < n; i++) {
    tp_fe_value v;
    if (!get_scalar(fb, LLVMGetOperand(inst, i), &v)) return false;
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(inst, i + 1, byval_kind());
    uint64_t size = a ? LLVMABISizeOfType(fb->fe->layout, LLVMGetTypeAttributeValue(a)) : 0;
    const LLVMTypeRef type = a ? LLVMGetTypeAttributeValue(a) : LLVMTypeOf(LLVMGetOperand(inst, i));
    out->at[out->n++] = (tp_actual){v.t, size, variadic_alignment(fb->fe, type)};
  }
  return true;
}

typedef struct {
  TP_VEC(tp_term) args;
  tp_var extra;  // object of the variadic arguments, or NONE
} arguments;

/* Slots for the arguments from `first` on, in the layout that va_arg walks over. */
static void pass_extras(tp_fb *fb, const tp_actuals *actuals, uint32_t first, arguments *to) {
  tp_fe *fe = fb->fe;
  if (actuals->n <= first) {
    tp_vec_push(&to->args, tp_mk_null(fb->tt));
    return;
  }
  uint64_t total = 0, slot = fe->ptr_bytes;
  uint64_t *offset = tp_arena_array(&fe->scratch, uint64_t, actuals->n);
  for (uint32_t i = first; i < actuals->n; i++) {
    uint64_t size = actuals->at[i].byval_bytes;
    if (!size) size = tp_sort_bytes(fb->tt, tp_sort_of(fb->tt, actuals->at[i].t));
    const uint64_t align = actuals->at[i].align_bytes > slot ? actuals->at[i].align_bytes : slot;
    total = (total + align - 1) / align * align;
    offset[i] = total;
    total += (size + slot - 1) / slot * slot;
  }
  tp_var_info info = {
      .name = "...", .kind = TP_V_TEMP, .func = fb->func, .pos = fb->pos, .is_address = true};
  to->extra = tp_program_add_var(fb->p, info, tp_sort_ptr(fb->tt));
  // on lp64 the area of these arguments is aligned to 16 bytes
  tp_fb_alloc_aligned(fb, to->extra, tp_fe_size_term(fe, total), TP_O_STACK, tp_mk_bv(fb->tt, 8, 0),
                      "...", TP_TYPE_NONE, fe->ptr_bytes == 8 ? 16 : 4);
  tp_term base = tp_var_of(fb->p, to->extra)->term;
  for (uint32_t i = first; i < actuals->n; i++) {
    uint64_t size = actuals->at[i].byval_bytes;
    tp_edge_info e = {.kind = size ? TP_E_COPY : TP_E_STORE, .b = actuals->at[i].t};
    e.a = tp_mk_ptr_add(fb->tt, base, tp_fe_size_term(fe, offset[i]));
    if (!size && tp_sort_width(fb->tt, tp_sort_of(fb->tt, e.b)) == TP_X87_BITS) {
      tp_fb_store_long_double(fb, e.a, e.b);
      continue;
    }
    if (size) e.c = tp_fe_size_term(fe, size);
    (void)tp_fb_emit(fb, e);
  }
  tp_vec_push(&to->args, base);
}

/* The arguments, converted to the sorts of the callee's parameters; missing ones are indeterminate.
 */
static bool pass_arguments(tp_fb *fb, const tp_actuals *actuals, LLVMTypeRef callee_type,
                           arguments *to) {
  unsigned wanted = LLVMCountParamTypes(callee_type);
  LLVMTypeRef *types = tp_arena_array(&fb->fe->scratch, LLVMTypeRef, wanted + 1);
  LLVMGetParamTypes(callee_type, types);
  for (unsigned i = 0; i < wanted; i++) {
    tp_sort sort;
    if (!tp_fe_sort(fb->fe, types[i], &sort)) {
      tp_fb_unsupported(fb, "argument of a type that is not supported");
      return false;
    }
    if (i >= actuals->n) {
      tp_var v = tp_fb_temp(fb, sort, TP_TYPE_NONE);
      tp_fb_havoc(fb, v, TP_I_INDETERMINATE, "missing argument", false);
      tp_vec_push(&to->args, tp_var_of(fb->p, v)->term);
      continue;
    }
    tp_term t = tp_fe_convert(fb->fe, actuals->at[i].t, sort);
    if (!tp_term_is(t)) {
      tp_fb_unsupported(fb, "argument whose type does not fit the parameter");
      return false;
    }
    tp_vec_push(&to->args, t);
  }
  if (LLVMIsFunctionVarArg(callee_type)) pass_extras(fb, actuals, wanted, to);
  return true;
}

// --------------------------------------------------------------------- results

typedef struct {
  LLVMTypeRef type;  // of the first part
  tp_sort sort;
  unsigned n_parts;  // 0: one value
  bool exists;
} result_shape;

static bool result_of(tp_fb *fb, LLVMTypeRef type, result_shape *out) {
  *out = (result_shape){.type = type};
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) return true;
  out->exists = true;
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    out->n_parts = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < out->n_parts; i++) {
      tp_sort s;
      if (!tp_fe_sort(fb->fe, LLVMStructGetTypeAtIndex(type, i), &s)) return false;
    }
    if (out->n_parts == 0) return false;
    out->type = LLVMStructGetTypeAtIndex(type, 0);
  }
  return tp_fe_sort(fb->fe, out->type, &out->sort);
}

/* The value of the call: result variable and, for structs, the hidden globals. */
static void set_parts(tp_fb *fb, LLVMValueRef inst, tp_var first, unsigned n) {
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, n);
  tp_fe_value v = {.parts = parts, .n_parts = n};
  parts[0] = tp_var_of(fb->p, first)->term;
  for (unsigned i = 1; i < n; i++) {
    tp_sort s = {0};
    (void)tp_fe_sort(fb->fe, LLVMStructGetTypeAtIndex(LLVMTypeOf(inst), i), &s);
    tp_fe_value part = tp_fb_read_var(fb, tp_fe_part(fb->fe, s, i));
    parts[i] = part.t;
    v.mask |= part.mask;
    v.reads_global = true;
  }
  tp_fb_set(fb, inst, v);
}

/* Of calls that are dispatched later, defer_call has taken care. */
static bool may_jump(const tp_fb *fb, const tp_edge_info *e) {
  return fb->fn &&
         tp_fe_call_may_jump(fb->fe, e->callee.id ? fb->fe->func_values.at[e->callee.id] : NULL);
}

static void emit_call(tp_fb *fb, tp_edge_info e, const arguments *with) {
  tp_term *args = tp_arena_array(&fb->p->arena, tp_term, with->args.n + 1);
  for (size_t i = 0; i < with->args.n; i++) args[i] = with->args.at[i];
  e.kind = TP_E_CALL;
  e.args = args;
  e.n_args = (uint32_t)with->args.n;
  (void)tp_fb_emit(fb, e);
  if (with->extra.id)
    (void)tp_fb_emit(
        fb, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = tp_var_of(fb->p, with->extra)->term});
  if (may_jump(fb, &e)) tp_fb_follow_jump(fb);
}

/* CALL with result; callee_type: of the returned value; the instruction's type: of the expected
 * value. */
static void call(tp_fb *fb, LLVMValueRef inst, tp_edge_info e, LLVMTypeRef callee_type,
                 const arguments *with) {
  result_shape given, wanted;
  if (!result_of(fb, LLVMGetReturnType(callee_type), &given) ||
      !result_of(fb, LLVMTypeOf(inst), &wanted)) {
    tp_fb_unsupported(fb, "result of a type that is not supported");
    return;
  }
  bool used = wanted.exists && LLVMGetFirstUse(inst);
  tp_fb_save_global_readers(fb);
  if (!used || !given.exists) {
    emit_call(fb, e, with);
    if (!used) return;
    tp_var v = tp_fb_temp(fb, wanted.sort, TP_TYPE_NONE);
    tp_fb_havoc(fb, v, TP_I_INDETERMINATE, "result of a function that returns nothing", false);
    if (wanted.n_parts)
      tp_fb_unsupported(fb, "result of a function of another type");
    else
      tp_fb_set_target(fb, inst, v);
    return;
  }
  bool same = tp_sort_eq(given.sort, wanted.sort) && given.n_parts == wanted.n_parts;
  if (!same && (given.n_parts || wanted.n_parts)) {
    tp_fb_unsupported(fb, "result of a function of another type");
    return;
  }
  tp_type type = TP_TYPE_NONE;
  if (e.callee.id && !given.n_parts)
    type = tp_var_of(fb->p, tp_func_of(fb->p, e.callee)->result)->type;
  // where the call may end by a jump, no variable of the program has a result then
  const bool direct = same && !given.n_parts && !may_jump(fb, &e);
  e.var = direct ? tp_fb_target(fb, inst, given.sort, type) : tp_fb_temp(fb, given.sort, type);
  emit_call(fb, e, with);
  if (given.n_parts) {
    set_parts(fb, inst, e.var, given.n_parts);
  } else if (direct) {
    tp_fb_set_target(fb, inst, e.var);
  } else if (same) {
    tp_var to = tp_fb_target(fb, inst, given.sort, type);
    tp_fb_assign(fb, to, tp_var_of(fb->p, e.var)->term);
    tp_fb_set_target(fb, inst, to);
  } else {
    tp_term t = tp_fe_convert(fb->fe, tp_var_of(fb->p, e.var)->term, wanted.sort);
    if (tp_term_is(t))
      tp_fb_set(fb, inst, (tp_fe_value){.t = t});
    else
      tp_fb_unsupported(fb, "result of a function of another type");
  }
}

static void call_function(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee) {
  tp_func f = tp_fe_func(fb->fe, callee);
  arguments with = {0};
  tp_actuals actuals;
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  if (tp_fe_is_main(fb->fe, f) && (LLVMCountParamTypes(type) > 0 || tp_fe_main_has_work(fb->fe)))
    tp_fb_unsupported(fb, "call of main");
  else if (get_actuals(fb, inst, &actuals) && pass_arguments(fb, &actuals, type, &with))
    call(fb, inst, (tp_edge_info){.callee = f}, type, &with);
  tp_fb_check_result(fb, inst, callee);
  tp_vec_clear(&with.args);
}

/* The result of a comparison becomes any number of its sign. */
static void havoc_magnitude(tp_fb *fb, LLVMValueRef inst) {
  LLVMValueRef any = LLVMGetNamedFunction(fb->fe->module, "__tp_any_of_sign");
  arguments with = {0};
  tp_fe_value v;
  if (!any || LLVMIsDeclaration(any) || !LLVMGetFirstUse(inst) || fb->dead ||
      !tp_fb_get(fb, inst, &v))
    return;
  const tp_var result =
      tp_kind(fb->tt, v.t) == TP_OP_VAR ? tp_program_var_of(fb->p, v.t) : (tp_var){0};
  if (!result.id) {
    tp_fb_unsupported(fb, "comparison whose result has another type");
    return;
  }
  tp_vec_push(&with.args, v.t);
  emit_call(fb, (tp_edge_info){.callee = tp_fe_func(fb->fe, any), .var = result}, &with);
  tp_vec_clear(&with.args);
}

// ---------------------------------------------------------------- through pointers

/* A call without prototype, or to a variadic function: how the arguments are passed depends on the
 * callee, so the call is lowered when all functions whose address is taken are known. */
static void defer_call(tp_fb *fb, LLVMValueRef inst, tp_term pointer, const tp_actuals *actuals) {
  TP_REQUIRE(tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, pointer)) == TP_SORT_PTR);
  result_shape wanted;
  if (!result_of(fb, LLVMTypeOf(inst), &wanted) || wanted.n_parts) {
    tp_fb_unsupported(fb, "result of a type that is not supported");
    return;
  }
  tp_pointer_call d = {.func = fb->func, .pos = fb->pos, .pointer = pointer, .actuals = *actuals};
  tp_fb_save_global_readers(fb);
  const bool jumps = fb->fe->pointers_jump, used = wanted.exists && LLVMGetFirstUse(inst);
  if (used && jumps) {
    d.result = tp_fb_temp(fb, wanted.sort, TP_TYPE_NONE);
  } else if (used) {
    d.result = tp_fb_target(fb, inst, wanted.sort, TP_TYPE_NONE);
    tp_fb_set_target(fb, inst, d.result);
  }
  d.from = fb->cur;
  d.to = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func});
  tp_vec_push(&fb->fe->dispatches, d);
  tp_fb_continue_at(fb, d.to);
  if (!jumps) return;
  tp_fb_follow_jump(fb);
  if (!used) return;
  tp_var to = tp_fb_target(fb, inst, wanted.sort, TP_TYPE_NONE);
  tp_fb_assign(fb, to, tp_var_of(fb->p, d.result)->term);
  tp_fb_set_target(fb, inst, to);
}

static bool is_checked_for_undefined(const tp_fb *fb) {
  return fb->fe->check_undefined && !tp_func_of(fb->p, fb->func)->is_model;
}

/* Memory properties, and undefined behaviour: the pointer of an indirect call must point to a
 * function. */
static void check_function(tp_fb *fb, tp_term p) {
  if (!fb->fe->check_deref && !is_checked_for_undefined(fb)) return;
  tp_terms *tt = fb->tt;
  tp_term kind = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_kind)->term,
                        tp_mk1(tt, TP_OP_PTR_OBJ, p));
  tp_term is_function = tp_mk_eq(tt, kind, tp_mk_bv(tt, 8, TP_O_FUNCTION));
  tp_term at_start = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, p), tp_fe_size_term(fb->fe, 0));
  tp_fb_check_manner(fb, tp_mk_and(tt, is_function, at_start),
                     fb->fe->check_deref ? TP_P_VALID_DEREF : TP_P_UNDEFINED, TP_FAILS_CALL,
                     "call through a pointer that is not a function");
}

/* Undefined behaviour: the function has the type of the call (6.5.2.2p9), as far as machine types
 * tell types apart. */
static void defer_type_check(tp_fb *fb, tp_term p, LLVMTypeRef type) {
  TP_REQUIRE(tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, p)) == TP_SORT_PTR);
  if (!is_checked_for_undefined(fb) || fb->dead) return;
  tp_typed_call c = {.func = fb->func, .pos = fb->pos, .from = fb->cur, .pointer = p, .type = type};
  c.to = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func});
  tp_vec_push(&fb->fe->typed_calls, c);
  tp_fb_continue_at(fb, c.to);
}

void tp_fe_check_typed_calls(tp_fe *fe) {
  for (size_t k = 0; k < fe->typed_calls.n; k++) {
    const tp_typed_call c = fe->typed_calls.at[k];
    tp_fb fb = {.fe = fe, .p = fe->p, .tt = fe->tt, .func = c.func, .pos = c.pos};
    tp_term ok = tp_mk_true(fe->tt);
    for (size_t i = 0; i < fe->address_taken.n; i++) {
      LLVMValueRef callee = (LLVMValueRef)(uintptr_t)fe->address_taken.entries[i].key;
      if (LLVMGlobalGetValueType(callee) == c.type) continue;
      tp_term address =
          tp_mk_ptr_const(fe->tt, tp_func_of(fe->p, tp_fe_func(fe, callee))->object, 0);
      ok = tp_mk_and(fe->tt, ok, tp_mk_not(fe->tt, tp_mk_eq(fe->tt, c.pointer, address)));
    }
    tp_fb_continue_at(&fb, c.from);
    tp_fb_check(&fb, ok, TP_P_UNDEFINED, "call of a function of another type");
    tp_fb_goto(&fb, c.to);
  }
}

static void call_pointer(tp_fb *fb, LLVMValueRef inst, LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(inst);
  tp_fe_value p;
  tp_actuals actuals;
  arguments with = {0};
  if (!get_scalar(fb, pointer, &p) || !get_actuals(fb, inst, &actuals)) return;
  check_function(fb, p.t);
  if (!LLVMIsFunctionVarArg(type)) defer_type_check(fb, p.t, type);
  if (LLVMIsFunctionVarArg(type))
    defer_call(fb, inst, p.t, &actuals);
  else if (pass_arguments(fb, &actuals, type, &with))
    call(fb, inst, (tp_edge_info){.a = p.t}, type, &with);
  tp_vec_clear(&with.args);
}

/* The branch of a dispatch for one callee. */
static void dispatch_to(tp_fb *fb, const tp_pointer_call *d, LLVMValueRef callee) {
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  arguments with = {0};
  result_shape given;
  tp_func f = tp_fe_func(fb->fe, callee);
  if (LLVMIsDeclaration(callee)) {
    tp_fb_unsupported(fb, tp_fe_printf(fb->fe, "call of %s, which has no body, through a pointer",
                                       tp_func_of(fb->p, f)->name));
  } else if (!result_of(fb, LLVMGetReturnType(type), &given) || (given.n_parts && d->result.id) ||
             tp_fe_is_main(fb->fe, f)) {
    tp_fb_unsupported(fb, "call through a pointer of another type");
  } else if (pass_arguments(fb, &d->actuals, type, &with)) {
    tp_edge_info e = {.callee = f};
    if (given.exists && d->result.id) e.var = tp_fb_temp(fb, given.sort, TP_TYPE_NONE);
    emit_call(fb, e, &with);
    tp_sort sort =
        d->result.id ? tp_sort_of(fb->tt, tp_var_of(fb->p, d->result)->term) : (tp_sort){0};
    tp_term t =
        e.var.id ? tp_fe_convert(fb->fe, tp_var_of(fb->p, e.var)->term, sort) : TP_TERM_NONE;
    if (tp_term_is(t))
      tp_fb_assign(fb, d->result, t);
    else if (d->result.id)
      tp_fb_havoc(fb, d->result, TP_I_INDETERMINATE, "result of a function of another type", false);
  }
  tp_fb_goto(fb, d->to);
  tp_vec_clear(&with.args);
}

void tp_fe_dispatch(tp_fe *fe) {
  TP_REQUIRE(fe->dispatches_done <= fe->dispatches.n);
  for (; fe->dispatches_done < fe->dispatches.n; fe->dispatches_done++) {
    tp_pointer_call d = fe->dispatches.at[fe->dispatches_done];
    tp_fb fb = {.fe = fe, .p = fe->p, .tt = fe->tt, .func = d.func, .pos = d.pos};
    tp_term none = tp_mk_true(fe->tt);
    for (size_t i = 0; i < fe->address_taken.n; i++) {
      LLVMValueRef callee = (LLVMValueRef)(uintptr_t)fe->address_taken.entries[i].key;
      tp_term address =
          tp_mk_ptr_const(fe->tt, tp_func_of(fe->p, tp_fe_func(fe, callee))->object, 0);
      tp_term hit = tp_mk_eq(fe->tt, d.pointer, address);
      none = tp_mk_and(fe->tt, none, tp_mk_not(fe->tt, hit));
      if (tp_is_false(fe->tt, hit)) continue;
      tp_fb_continue_at(&fb, d.from);
      (void)tp_fb_emit(&fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = hit});
      dispatch_to(&fb, &d, callee);
    }
    if (tp_is_false(fe->tt, none)) continue;
    tp_fb_continue_at(&fb, d.from);
    (void)tp_fb_emit(&fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = none, .negated = true});
    tp_fb_block(&fb, TP_CALL_WITHOUT_TARGET);
  }
}

// ------------------------------------------------------------ no body, no model

/* Does a value of this type hold a pointer? */
static bool holds_pointer(tp_fb *fb, tp_type t, uint32_t depth) {
  if (!t.id) return false;
  const tp_type_info *info = tp_type_of(fb->p, t);
  if (info->kind == TP_T_POINTER || depth == TP_FRONT_POINTER_SEARCH_LEVELS) return true;
  if (info->kind == TP_T_ARRAY) return holds_pointer(fb, info->element, depth + 1);
  for (uint32_t i = 0; i < info->n_members; i++)
    if (holds_pointer(fb, tp_type_of(fb->p, t)->members[i].type, depth + 1)) return true;
  return false;
}

static bool has_sret(LLVMValueRef inst) {
  const unsigned sret = LLVMGetEnumAttributeKindForName("sret", 4);
  return LLVMGetNumArgOperands(inst) && LLVMGetCallSiteEnumAttribute(inst, 1, sret);
}

/* The declared type of the i-th argument, or NULL. Structs travel in several registers, in none, or
 * through memory, which shifts the arguments behind them: then no type is known. */
static LLVMMetadataRef declared_parameter(tp_fb *fb, LLVMValueRef callee, unsigned i) {
  LLVMMetadataRef type = tp_fe_func_type(fb->fe, callee),
                  list = type ? tp_fe_operand(fb->fe, type, 3) : NULL, found = NULL;
  LLVMTypeRef own = LLVMGlobalGetValueType(callee);
  const unsigned n = LLVMCountParamTypes(own), said = list ? tp_fe_n_operands(fb->fe, list) : 0;
  if (i >= n || said != n + 1 + (LLVMIsFunctionVarArg(own) != 0)) return NULL;
  for (unsigned k = 0; k < n; k++) {
    LLVMMetadataRef param = tp_fe_operand(fb->fe, list, k + 1);
    param = param ? tp_fe_strip(fb->fe, param, NULL) : NULL;
    if (!param || LLVMGetMetadataKind(param) == LLVMDICompositeTypeMetadataKind) return NULL;
    if (k == i) found = param;
  }
  return found;
}

/* Could a function of this prototype write through its i-th argument, or call the argument? */
static bool may_write_through(tp_fb *fb, LLVMValueRef callee, LLVMValueRef arg, unsigned i) {
  if (LLVMGetTypeKind(LLVMTypeOf(arg)) != LLVMPointerTypeKind || LLVMIsAConstantPointerNull(arg))
    return false;
  if (LLVMIsAFunction(arg)) return !LLVMIsDeclaration(arg);  // it may be called back
  if (LLVMIsAGlobalVariable(arg) && LLVMIsGlobalConstant(arg)) return false;
  LLVMMetadataRef param = declared_parameter(fb, callee, i);
  if (!param || LLVMGetMetadataKind(param) != LLVMDIDerivedTypeMetadataKind) return true;
  bool is_const = false;
  (void)tp_fe_strip(fb->fe, tp_fe_operand(fb->fe, param, 3), &is_const);
  if (!is_const) return true;
  tp_type pointee = tp_fe_type(fb->fe, tp_fe_operand(fb->fe, param, 3));
  tp_fe_types_finish(fb->fe);
  return holds_pointer(fb, pointee, 0);  // the pointee is not const
}

/* The first argument through which the called function may write or call; LLVMGetNumArgOperands:
 * none. The address of a struct result (sret) is no argument. */
static unsigned first_written(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee) {
  const unsigned n = LLVMGetNumArgOperands(inst);
  if (tp_fe_purity(callee) != TP_IMPURE) return n;
  for (unsigned i = has_sret(inst); i < n; i++)
    if (may_write_through(fb, callee, LLVMGetOperand(inst, i), i)) return i;
  return n;
}

static void report_external(tp_fb *fb, const char *name) {
  tp_fe_add_assumption(
      fb->fe,
      tp_fe_printf(
          fb->fe,
          "function %s has no body: it returns any value and changes no variable of the program",
          name));
}

typedef enum { BY_PROGRAM, BY_MODEL } caller;

/* A header of the system declares it, or a library model calls it: the C library has it, more
 * likely than a file of the user's. */
static tp_absence absence_of(const tp_fe *fe, const tp_func_info *callee, caller by) {
  static const char system[] = "/usr/";
  const char *path = tp_diag_path(fe->diag, callee->pos.file);
  return by == BY_MODEL || tp_fe_starts_with(path, system) ? TP_ABSENT_IN_SYSTEM : TP_ABSENT;
}

/* Records the absent function: a native build needs a substitute, and users are warned. */
static tp_func mark_absence(tp_fb *fb, LLVMValueRef callee) {
  TP_REQUIRE(LLVMIsAFunction(callee));
  tp_func f = tp_fe_func(fb->fe, callee);
  tp_func_info *info = &fb->p->funcs.at[f.id];
  size_t n;
  const bool by_address = tp_fe_called_by_address(fb->fn, &n) !=
                          NULL;  // a generated body, which replaces a call of the program
  const caller by = tp_func_of(fb->p, fb->func)->is_model && !by_address ? BY_MODEL : BY_PROGRAM;
  if (info->absence != TP_ABSENT) info->absence = absence_of(fb->fe, info, by);
  return f;
}

void tp_fe_mark_absent(tp_fe *fe) {
  for (size_t i = 1; i < fe->p->funcs.n; i++) {
    tp_func_info *f = &fe->p->funcs.at[i];
    bool is_own = f->has_body || f->is_model || f->absence != TP_PRESENT ||
                  tp_fe_is_input_function(f->name) || tp_fe_is_known(f->name);
    if (!is_own) f->absence = absence_of(fe, f, BY_PROGRAM);
  }
}

static tp_type declared_result(tp_fb *fb, LLVMValueRef callee) {
  LLVMMetadataRef type = tp_fe_func_type(fb->fe, callee);
  LLVMMetadataRef list = type ? tp_fe_operand(fb->fe, type, 3) : NULL;
  LLVMMetadataRef result = list ? tp_fe_operand(fb->fe, list, 0) : NULL;
  return result ? tp_fe_type(fb->fe, result) : TP_TYPE_NONE;
}

/* A struct result through memory: the whole object is an input. */
static void havoc_sret(tp_fb *fb, LLVMValueRef inst, const char *name, tp_input_kind kind) {
  unsigned attribute = LLVMGetEnumAttributeKindForName("sret", 4);
  LLVMAttributeRef sret =
      LLVMGetNumArgOperands(inst) ? LLVMGetCallSiteEnumAttribute(inst, 1, attribute) : NULL;
  tp_fe_value p;
  if (!sret || !get_scalar(fb, LLVMGetOperand(inst, 0), &p)) return;
  uint64_t size = LLVMABISizeOfType(fb->fe->layout, LLVMGetTypeAttributeValue(sret));
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                      .a = p.t,
                                      .c = tp_fe_size_term(fb->fe, size),
                                      .input = kind,
                                      .name = name});
}

/* Under memtrack and memcleanup: the function receives a pointer, and could store the pointer or
 * free its object. */
static void add_pointer_pass(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee, const char *name) {
  bool given = false;
  if ((!fb->fe->check_leak && !fb->fe->check_cleanup) || tp_fe_purity(callee) != TP_IMPURE) return;
  for (unsigned i = has_sret(inst); i < LLVMGetNumArgOperands(inst); i++) {
    LLVMValueRef arg = LLVMGetOperand(inst, i);
    bool is_constant = LLVMIsAConstantPointerNull(arg) || LLVMIsAFunction(arg) ||
                       (LLVMIsAGlobalVariable(arg) && LLVMIsGlobalConstant(arg));
    given |= LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMPointerTypeKind && !is_constant;
  }
  if (given) (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP, .name = name});
}

/* A function without result that may write: everything reachable from its first such argument may
 * change. */
static void may_change_memory(tp_fb *fb, LLVMValueRef arg, const char *name) {
  tp_fe_value p;
  if (get_scalar(fb, arg, &p))
    (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                        .a = p.t,
                                        .input = TP_I_EXTERN,
                                        .name = name,
                                        .may_write = true});
}

static bool changes_rounding(const char *name) {
  static const char *const names[] = {"fesetround", "fesetenv", "feupdateenv", "fesetmode"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* The compiler's own functions for products and quotients of _Complex: no user can define them, and
 * their results are no inputs. */
static bool is_complex_arithmetic(const char *name) {
  return (strncmp(name, "__mul", 5) == 0 || strncmp(name, "__div", 5) == 0) && strlen(name) == 8 &&
         name[6] == 'c' && name[7] == '3' && strchr("sdxth", name[5]);
}

/* One CALL edge with function and arguments. False: the call needs several edges. */
static bool ask_by_name(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee, const char *name,
                        const result_shape *wanted) {
  arguments with = {0};
  tp_actuals actuals;
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  bool ok = !LLVMIsFunctionVarArg(type) && !wanted->n_parts && !has_sret(inst);
  ok = ok && get_actuals(fb, inst, &actuals) && actuals.n == LLVMCountParamTypes(type);
  for (uint32_t i = 0; ok && i < actuals.n; i++) ok = !actuals.at[i].byval_bytes;
  ok = ok && pass_arguments(fb, &actuals, type, &with);
  if (ok) {
    const tp_func f = mark_absence(fb, callee);
    tp_term *args = tp_arena_array(&fb->p->arena, tp_term, with.args.n + 1);
    for (size_t i = 0; i < with.args.n; i++) args[i] = with.args.at[i];
    tp_edge_info e = {.kind = TP_E_HAVOC,
                      .input = TP_I_EXTERN,
                      .name = name,
                      .callee = f,
                      .args = args,
                      .n_args = (uint32_t)with.args.n};
    tp_fb_save_global_readers(fb);
    if (wanted->exists) e.var = tp_fb_target(fb, inst, wanted->sort, declared_result(fb, callee));
    (void)tp_fb_emit(fb, e);
    if (wanted->exists) tp_fb_set_target(fb, inst, e.var);
  }
  tp_vec_clear(&with.args);
  return ok;
}

/* Arguments as values of their own, one result. */
static bool is_plain_call(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee,
                          const result_shape *wanted) {
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  const unsigned n = LLVMGetNumArgOperands(inst);
  bool plain = wanted->exists && !wanted->n_parts && !LLVMIsFunctionVarArg(type) &&
               !has_sret(inst) && n == LLVMCountParamTypes(type);
  for (unsigned i = 0; i < n && plain; i++) {
    tp_sort sort;
    LLVMTypeRef arg = LLVMTypeOf(LLVMGetOperand(inst, i));
    plain = !LLVMGetCallSiteEnumAttribute(inst, i + 1, byval_kind()) &&
            LLVMGetTypeKind(arg) != LLVMStructTypeKind && tp_fe_sort(fb->fe, arg, &sort);
  }
  return plain;
}

/* A function that is declared const or pure. False: its arguments cannot be told. */
static bool ask_pure(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee, const char *name,
                     const result_shape *wanted) {
  arguments with = {0};
  tp_actuals actuals;
  if (!is_plain_call(fb, inst, callee, wanted)) return false;
  if (get_actuals(fb, inst, &actuals) &&
      pass_arguments(fb, &actuals, LLVMGlobalGetValueType(callee), &with)) {
    const tp_type type = declared_result(fb, callee);
    tp_term *args = tp_arena_array(&fb->p->arena, tp_term, with.args.n + 1);
    for (size_t i = 0; i < with.args.n; i++) args[i] = with.args.at[i];
    tp_fb_save_global_readers(fb);
    report_external(fb, name);
    tp_recorded_call call = {.inst = inst,
                             .f = mark_absence(fb, callee),
                             .name = name,
                             .args = args,
                             .n_args = (uint32_t)with.args.n,
                             .result = tp_fb_temp(fb, wanted->sort, type)};
    tp_fb_lower_pure_call(fb, callee, call, type);
    tp_var to = tp_fb_target(fb, inst, wanted->sort, type);
    tp_fb_assign(fb, to, tp_var_of(fb->p, call.result)->term);
    tp_fb_set_target(fb, inst, to);
  }
  tp_vec_clear(&with.args);
  return true;
}

static void call_external(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee, const char *name) {
  if (is_complex_arithmetic(name)) {
    tp_fb_unsupported(fb, "product or quotient of _Complex");
    return;
  }
  if (changes_rounding(name)) {
    tp_fb_unsupported(fb, "change of the rounding mode");
    return;
  }
  bool input = tp_fe_is_input_function(name);
  tp_input_kind kind = input ? TP_I_NONDET : TP_I_EXTERN;
  const unsigned written = input ? LLVMGetNumArgOperands(inst) : first_written(fb, inst, callee);
  const bool writes = written < LLVMGetNumArgOperands(inst);
  result_shape wanted;
  if (!result_of(fb, LLVMTypeOf(inst), &wanted)) {
    tp_fb_unsupported(fb, "result of a type that is not supported");
    return;
  }
  if (!input && fb->fe->opt->calls_by_name && ask_by_name(fb, inst, callee, name, &wanted)) return;
  if (!input && tp_fe_purity(callee) != TP_IMPURE && ask_pure(fb, inst, callee, name, &wanted))
    return;
  if (!input) report_external(fb, name);
  if (!input) {
    const tp_func f = mark_absence(fb, callee);
    fb->p->funcs.at[f.id].purity = tp_fe_purity(callee);
  }
  if (!input) add_pointer_pass(fb, inst, callee, name);
  havoc_sret(fb, inst, name, kind);
  if (!wanted.exists) {
    if (writes)
      may_change_memory(fb, LLVMGetOperand(inst, written), name);
    else if (!input && tp_fe_has_pure(fb->fe))
      (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP, .callee = tp_fe_func(fb->fe, callee)});
    return;
  }
  if (wanted.n_parts == 2 && input &&
      tp_fb_lower_wide_input(fb, inst, name, declared_result(fb, callee)))
    return;
  if (!wanted.n_parts && input) {
    tp_fb_lower_input(fb, inst, callee, name, wanted.sort, declared_result(fb, callee));
    return;
  }
  if (!wanted.n_parts) {
    tp_var v = tp_fb_target(fb, inst, wanted.sort, declared_result(fb, callee));
    tp_fb_havoc(fb, v, kind, name, writes);
    tp_fb_set_target(fb, inst, v);
    return;
  }
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, wanted.n_parts);
  for (unsigned i = 0; i < wanted.n_parts; i++) {
    tp_sort s = {0};
    (void)tp_fe_sort(fb->fe, LLVMStructGetTypeAtIndex(LLVMTypeOf(inst), i), &s);
    tp_var v = tp_fb_temp(fb, s, TP_TYPE_NONE);
    tp_fb_havoc(fb, v, kind, name, writes && i == 0);
    parts[i] = tp_var_of(fb->p, v)->term;
  }
  tp_fb_set(fb, inst, (tp_fe_value){.parts = parts, .n_parts = wanted.n_parts});
}

void tp_fb_lower_call(tp_fb *fb, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsACallInst(inst));
  LLVMValueRef callee = LLVMGetCalledValue(inst);
  while (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee);
  if (LLVMIsAInlineAsm(callee)) {
    tp_fb_lower_assembly(fb, inst, callee);
    return;
  }
  if (!LLVMIsAFunction(callee)) {
    call_pointer(fb, inst, callee);
    return;
  }
  size_t n;
  const char *name = LLVMGetValueName2(callee, &n);
  if (tp_fe_starts_with(name, "llvm.")) {
    if (!tp_fb_lower_intrinsic(fb, inst, name))
      tp_fb_unsupported(fb, tp_fe_printf(fb->fe, "intrinsic %s", name));
    return;
  }
  if (tp_fb_lower_event(fb, inst, name)) return;
  name = tp_fe_func_name(fb->fe, callee);
  if (tp_fb_lower_known(fb, inst, callee, name)) return;
  if (LLVMIsDeclaration(callee)) {
    call_external(fb, inst, callee, name);
    return;
  }
  call_function(fb, inst, callee);
  if (tp_fb_magnitude_matters(fb, inst)) havoc_magnitude(fb, inst);
}

// --------------------------------------------------------------------- atomics

static tp_term atomic_result(tp_fb *fb, LLVMValueRef inst, tp_term old, tp_term x) {
  tp_terms *tt = fb->tt;
  switch ((int)LLVMGetAtomicRMWBinOp(inst)) {
    case LLVMAtomicRMWBinOpXchg: return x;
    case LLVMAtomicRMWBinOpAdd: return tp_mk2(tt, TP_OP_BV_ADD, old, x);
    case LLVMAtomicRMWBinOpSub: return tp_mk_sub(tt, old, x);
    case LLVMAtomicRMWBinOpAnd: return tp_mk2(tt, TP_OP_BV_AND, old, x);
    case LLVMAtomicRMWBinOpNand: return tp_mk1(tt, TP_OP_BV_NOT, tp_mk2(tt, TP_OP_BV_AND, old, x));
    case LLVMAtomicRMWBinOpOr: return tp_mk2(tt, TP_OP_BV_OR, old, x);
    case LLVMAtomicRMWBinOpXor: return tp_mk2(tt, TP_OP_BV_XOR, old, x);
    case LLVMAtomicRMWBinOpMax: return tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_SLT, old, x), x, old);
    case LLVMAtomicRMWBinOpMin: return tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_SLT, old, x), old, x);
    case LLVMAtomicRMWBinOpUMax: return tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_ULT, old, x), x, old);
    case LLVMAtomicRMWBinOpUMin: return tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_ULT, old, x), old, x);
    default: return TP_TERM_NONE;
  }
}

/* Programs are sequential: an atomic operation is a load and a store. */
void tp_fb_lower_atomic(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op) {
  tp_fe_value p, x, wanted;
  unsigned value = op == LLVMAtomicRMW ? 1 : 2;
  if (!get_scalar(fb, LLVMGetOperand(inst, 0), &p) ||
      !get_scalar(fb, LLVMGetOperand(inst, value), &x))
    return;
  tp_sort sort = tp_sort_of(fb->tt, x.t);
  tp_sort_kind kind = tp_sort_kind_of(fb->tt, sort);
  bool exchange = op == LLVMAtomicRMW && LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpXchg;
  if ((kind != TP_SORT_BV && !(kind == TP_SORT_PTR && (exchange || op == LLVMAtomicCmpXchg))) ||
      tp_sort_width(fb->tt, sort) % 8) {
    tp_fb_unsupported(fb, "atomic operation on this type");
    return;
  }
  tp_term old = tp_fb_load_at(fb, p, 0, sort);
  if (op == LLVMAtomicRMW) {
    tp_term t = atomic_result(fb, inst, old, x.t);
    if (!tp_term_is(t)) {
      tp_fb_unsupported(fb, "atomic operation");
      return;
    }
    tp_fb_store_at(fb, p, 0, t);
    tp_fb_set(fb, inst, (tp_fe_value){.t = old});
    return;
  }
  if (!get_scalar(fb, LLVMGetOperand(inst, 1), &wanted)) return;
  tp_term same = tp_mk_eq(fb->tt, old, wanted.t);
  tp_fb_store_at(fb, p, 0, tp_mk_ite(fb->tt, same, x.t, old));
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, 2);
  parts[0] = old;
  parts[1] = same;
  tp_fb_set(
      fb, inst,
      (tp_fe_value){
          .parts = parts, .n_parts = 2, .mask = wanted.mask, .reads_global = wanted.reads_global});
}
