/* Vectors that are wider than a number can be.
 *
 * The model has bit vectors of up to 128 bits, and a vector of C is one of them. Programs with
 * wider ones (`vector_size(32)`, on machines without registers for them, too) are rewritten by
 * LLVM: each operation on a vector becomes one for each of its elements, each access to memory,
 * too. An index that is not constant becomes a choice among all elements, poison beyond the last
 * one: that it is none of those is made a condition in front. */
#include "front/front_priv.h"

#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>

static bool is_wide(const tp_fe *fe, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
         LLVMSizeOfTypeInBits(fe->layout, type) > TP_BV_MAX_BITS;
}

static bool mentions_wide(const tp_fe *fe, LLVMValueRef inst) {
  if (is_wide(fe, inst)) return true;
  for (int k = 0; k < LLVMGetNumOperands(inst); k++)
    if (is_wide(fe, LLVMGetOperand(inst, (unsigned)k))) return true;
  return false;
}

/* The index of an extraction or insertion, if it is not constant; NULL: none. */
static LLVMValueRef variable_index(LLVMValueRef inst) {
  LLVMValueRef index = LLVMIsAExtractElementInst(inst)  ? LLVMGetOperand(inst, 1)
                       : LLVMIsAInsertElementInst(inst) ? LLVMGetOperand(inst, 2)
                                                        : NULL;
  return index && !LLVMIsAConstantInt(index) ? index : NULL;
}

/* The run relies on the index being that of an element. */
static void bound_index(tp_fe *fe, LLVMBuilderRef builder, LLVMValueRef inst) {
  LLVMValueRef index = variable_index(inst);
  if (!index) return;
  static const char name[] = "llvm.assume";
  const unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
  LLVMValueRef assume = LLVMGetIntrinsicDeclaration(fe->module, id, NULL, 0);
  LLVMTypeRef vector = LLVMTypeOf(LLVMGetOperand(inst, 0));
  LLVMPositionBuilderBefore(builder, inst);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
  LLVMValueRef n = LLVMConstInt(LLVMTypeOf(index), LLVMGetVectorSize(vector), 0);
  LLVMValueRef is_inside = LLVMBuildICmp(builder, LLVMIntULT, index, n, "");
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(assume), assume, &is_inside, 1, "");
}

/* Calls `see` for every instruction, which may put others in front of it or replace it. */
typedef void (*instruction_visit)(tp_fe *fe, void *ctx, LLVMValueRef inst);
static void visit_all(tp_fe *fe, instruction_visit see, void *ctx) {
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next = NULL; i; i = next) {
        next = LLVMGetNextInstruction(i);
        see(fe, ctx, i);
      }
}

static void look(tp_fe *fe, void *ctx, LLVMValueRef inst) {
  bool *is_there = ctx;
  *is_there |= mentions_wide(fe, inst);
}

static void bound(tp_fe *fe, void *ctx, LLVMValueRef inst) { bound_index(fe, ctx, inst); }

/* A choice between a value and poison is the value. */
static void choose(tp_fe *fe, void *ctx, LLVMValueRef inst) {
  (void)fe, (void)ctx;
  if (!LLVMIsASelectInst(inst) || !LLVMIsPoison(LLVMGetOperand(inst, 2))) return;
  LLVMReplaceAllUsesWith(inst, LLVMGetOperand(inst, 1));
  LLVMInstructionEraseFromParent(inst);
}

/* Accesses to memory are split only if LLVM's command line, of which this process has one, says
 * so. */
static void split_accesses_as_well(void) {
  static bool is_said;
  static const char *const arguments[] = {"twoproof", "-scalarize-load-store"};
  if (!is_said) LLVMParseCommandLineOptions(2, arguments, NULL);
  is_said = true;
}

void tp_fe_split_wide_vectors(tp_fe *fe) {
  bool is_there = false;
  visit_all(fe, look, &is_there);
  if (!is_there) return;
  split_accesses_as_well();
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(fe->context);
  visit_all(fe, bound, builder);
  LLVMDisposeBuilder(builder);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(fe->module, "function(scalarizer)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) LLVMConsumeError(error);  // what was not split is not supported
  visit_all(fe, choose, NULL);
}
