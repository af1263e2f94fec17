/* Arguments and values of calls of library functions, whatever the program declared them to be. */
#include "front/front_priv.h"

bool tp_fb_argument(tp_fb *fb, LLVMValueRef inst, unsigned i, tp_fe_value *out) {
  if (i >= LLVMGetNumArgOperands(inst)) {
    tp_fb_unsupported(fb, "call of a library function with too few arguments");
    return false;
  }
  if (!tp_fb_get(fb, LLVMGetOperand(inst, i), out)) return false;
  if (tp_term_is(out->t)) return true;
  tp_fb_unsupported(fb, "struct passed to a library function");
  return false;
}

/* An argument as a size. */
bool tp_fb_size_argument(tp_fb *fb, LLVMValueRef inst, unsigned i, tp_term *out) {
  tp_fe_value v;
  if (!tp_fb_argument(fb, inst, i, &v)) return false;
  bool is_int = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, i))) == LLVMIntegerTypeKind;
  // an undeclared function gets an int, which the caller sign-extends as C does for its own size_t
  *out = is_int && tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, v.t)) == TP_SORT_BV
             ? tp_mk_resize(fb->tt, fb->fe->ptr_bits, true, v.t)
             : tp_fe_convert(fb->fe, v.t, tp_sort_bv(fb->tt, fb->fe->ptr_bits));
  return tp_term_is(*out);
}

/* The call's value; undeclared allocators return int, which loses the object unless pointers are
 * that wide. */
tp_var tp_fb_pointer_target(tp_fb *fb, LLVMValueRef inst) {
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMPointerTypeKind)
    return tp_fb_target(fb, inst, tp_sort_ptr(fb->tt), TP_TYPE_NONE);
  return tp_fb_temp(fb, tp_sort_ptr(fb->tt), TP_TYPE_NONE);
}

void tp_fb_set_pointer(tp_fb *fb, LLVMValueRef inst, tp_var v) {
  tp_sort sort;
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMPointerTypeKind) {
    tp_fb_set_target(fb, inst, v);
  } else if (tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort)) {
    tp_term t = tp_fe_convert(fb->fe, tp_var_of(fb->p, v)->term, sort);
    if (tp_term_is(t)) tp_fb_set(fb, inst, (tp_fe_value){.t = t});
  }
}
