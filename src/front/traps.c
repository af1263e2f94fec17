/* The traps of clang's checks of undefined behaviour.
 *
 * clang is told to call llvm.ubsantrap with a number where a check fails. The number gives the
 * message; the property in force decides whether the trap is an error, and of which kind. */
#include "front/front_priv.h"

static const char *trap_message(uint64_t code) {
  switch (code) {
    case 0: return "overflow in a signed addition";
    case 1: return "unreachable code is reached";
    case 3: return "overflow or division by zero";
    case 5: return "float too big for the integer it is converted to";
    case 8: return "count of leading or trailing zeros of 0";
    case 10: return "value that its type cannot have";
    case 12: return "overflow in a signed multiplication";
    case 13: return "overflow in a negation";
    case 16: return "null pointer as an argument that must not be null";
    case 17: return "null pointer as a result that must not be null";
    case 18: return "array index out of range";
    case 20: return "shift amount or shifted value out of range";
    case 21: return "overflow in a signed subtraction";
    case 24: return "length of an array is not positive";
    default: return "undefined behaviour";
  }
}

tp_property tp_fe_trap_kind(const tp_fe *fe, LLVMValueRef call, const char **message) {
  TP_REQUIRE(LLVMIsACallInst(call) && LLVMGetNumOperands(call) >= 1);
  LLVMValueRef c = LLVMGetOperand(call, 0);
  uint64_t code = LLVMIsAConstantInt(c) ? LLVMConstIntGetZExtValue(c) : 99;
  *message = trap_message(code);
  if (code == 3 && fe->check_overflow) *message = "overflow in a division";
  if (code == 20 && fe->check_overflow) *message = "overflow in a left shift of a signed number";
  return fe->check_overflow ? TP_P_NO_OVERFLOW : fe->check_undefined ? TP_P_UNDEFINED : TP_P_NONE;
}

/* Checks of one kind share a trap block in each function; each is reported at its own position. */
tp_property tp_fe_trap_block(tp_fe *fe, LLVMBasicBlockRef bb, const char **message) {
  LLVMValueRef first = LLVMGetFirstInstruction(bb);
  TP_INVARIANT(first);  // every block has a terminator
  LLVMValueRef callee = LLVMIsACallInst(first) ? LLVMGetCalledValue(first) : NULL;
  size_t n;
  if (!callee || !LLVMIsAFunction(callee) ||
      strcmp(LLVMGetValueName2(callee, &n), "llvm.ubsantrap") != 0)
    return TP_P_NONE;
  return tp_fe_trap_kind(fe, first, message);
}
