/* Functions without a body whose address is taken.
 *
 * A call by name is lowered by the name: allocators, assumptions, models of the library, functions
 * that another file defines. A call through a pointer reaches a body. So each function that is only
 * declared and whose address is used as a value gets a body here that calls it by its name, and its
 * address becomes the address of that body:
 *
 *     T name.address(A a, B b) { return name(a, b); }
 *
 * All uses of the address are replaced, in code and in images, so comparisons of pointers keep
 * their results. The body counts as a library model: it is no text of the user's, and failures in
 * it belong to the call.
 *
 * Left alone: variadic functions and functions declared without a prototype (arguments cannot be
 * handed on; calls of them through pointers are unsupported), weak functions that may be null,
 * intrinsics. */
#include "front/front_priv.h"

#include "front/front_limits.h"

static const char name_attribute[] = "tp-calls";

const char *tp_fe_called_by_address(LLVMValueRef fn, size_t *n) {
  TP_REQUIRE(LLVMIsAFunction(fn));
  unsigned length = 0;
  LLVMAttributeRef a =
      LLVMGetStringAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    name_attribute, sizeof name_attribute - 1);
  const char *name = a ? LLVMGetStringAttributeValue(a, &length) : NULL;
  *n = length;
  return name;
}

void tp_fe_set_called(tp_fe *fe, LLVMValueRef fn, const char *name, size_t n) {
  TP_REQUIRE(LLVMIsAFunction(fn));
  LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(fe->context, name_attribute,
                                                    sizeof name_attribute - 1, name, (unsigned)n));
}

static bool is_callee(LLVMValueRef user, LLVMValueRef fn) {
  return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == fn;
}

bool tp_fe_has_address_taken(LLVMValueRef fn) {
  for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!is_callee(user, fn)) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetOperand(user, i) == fn) return true;
  }
  return false;
}

static bool wants_body(LLVMValueRef fn) {
  size_t n;
  const char *name = LLVMGetValueName2(fn, &n);
  return LLVMIsDeclaration(fn) && LLVMGetLinkage(fn) == LLVMExternalLinkage &&
         strncmp(name, "llvm.", 5) != 0 && !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(fn)) &&
         tp_fe_has_address_taken(fn);
}

/* Attributes decide how structs travel (byval, sret). */
static void copy_attributes(LLVMValueRef from, LLVMValueRef body, LLVMValueRef call,
                            unsigned index) {
  LLVMAttributeRef list[TP_FRONT_ATTRIBUTES];
  unsigned n = LLVMGetAttributeCountAtIndex(from, index);
  if (n > TP_FRONT_ATTRIBUTES) return;
  LLVMGetAttributesAtIndex(from, index, list);
  for (unsigned i = 0; i < n; i++) {
    LLVMAddAttributeAtIndex(body, index, list[i]);
    LLVMAddCallSiteAttribute(call, index, list[i]);
  }
}

static void write_body(tp_fe *fe, LLVMValueRef fn, LLVMValueRef body) {
  TP_REQUIRE(LLVMIsDeclaration(body));
  LLVMTypeRef type = LLVMGlobalGetValueType(fn);
  unsigned n = LLVMCountParams(fn);
  LLVMValueRef *args = tp_arena_array(&fe->scratch, LLVMValueRef, n + 1);
  for (unsigned i = 0; i < n; i++) args[i] = LLVMGetParam(body, i);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(fe->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(fe->context, body, "entry"));
  LLVMValueRef call = LLVMBuildCall2(builder, type, fn, args, n, "");
  for (unsigned i = 0; i <= n; i++) copy_attributes(fn, body, call, i);  // 0: the result
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, call);
  LLVMDisposeBuilder(builder);
}

/* Calls by name stay what they are; every other use becomes one of `body`. */
static void replace_address(LLVMValueRef fn, LLVMValueRef body) {
  LLVMReplaceAllUsesWith(fn, body);
  TP_VEC(LLVMValueRef) calls = {0};
  for (LLVMUseRef u = LLVMGetFirstUse(body); u; u = LLVMGetNextUse(u))
    if (is_callee(LLVMGetUser(u), body)) tp_vec_push(&calls, LLVMGetUser(u));
  for (size_t i = 0; i < calls.n; i++)
    LLVMSetOperand(calls.at[i], (unsigned)LLVMGetNumOperands(calls.at[i]) - 1, fn);
  tp_vec_clear(&calls);
}

static void give_body(tp_fe *fe, LLVMValueRef fn) {
  TP_REQUIRE(LLVMIsDeclaration(fn));
  size_t n;
  const char *name = LLVMGetValueName2(fn, &n), *body_name = tp_fe_printf(fe, "%s.address", name);
  LLVMValueRef body = LLVMAddFunction(fe->module, body_name, LLVMGlobalGetValueType(fn));
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMSetLinkage(body, LLVMInternalLinkage);
  tp_fe_set_called(fe, body, name, n);
  LLVMAddAttributeAtIndex(body, whole,
                          LLVMCreateStringAttribute(fe->context, "tp-model", 8, "", 0));
  replace_address(fn, body);
  write_body(fe, fn, body);
}

void tp_fe_add_address_bodies(tp_fe *fe) {
  TP_VEC(LLVMValueRef) declared = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f))
    if (wants_body(f)) tp_vec_push(&declared, f);
  for (size_t i = 0; i < declared.n; i++) give_body(fe, declared.at[i]);
  tp_vec_clear(&declared);
}
