/* Rows of one property: special ones first, the one that fits every message last. */
#include "report/sarif_rules.h"

const tp_sarif_rule tp_sarif_rules[] = {
    {TP_P_UNREACH_CALL, "", NULL, "unreach-call", 617, "ReachableAssertion",
     "An assertion fails, or an error function is called.",
     "Some input makes the program come to a place that it declares to be unreachable. The code "
     "flow "
     "shows one such run; the condition, or what leads to it, is wrong."},
    {TP_P_VALID_DEREF, "null", NULL, "valid-deref/null", 476, "NullPointerDereference",
     "A null pointer is followed.",
     "Check the pointer before it is followed, or show why it cannot be null."},
    {TP_P_VALID_DEREF, "freed", NULL, "valid-deref/freed", 416, "UseAfterFree",
     "Memory is used after it was freed.",
     "The notes say where the object was allocated and where it was freed. Keep it until its last "
     "use."},
    {TP_P_VALID_DEREF, "scope has ended", "out of scope", "valid-deref/ended", 562, "UseAfterScope",
     "An object of the stack is used after its scope has ended.",
     "The address of a local variable outlived the variable. Give the object a longer life."},
    {TP_P_VALID_DEREF, "uninitialised", "indeterminate", "valid-deref/uninitialised", 824,
     "UninitialisedPointer", "A pointer that was never set is followed.",
     "Set the pointer before it is followed."},
    {TP_P_VALID_DEREF, "write", NULL, "valid-deref/write", 787, "WriteOutOfBounds",
     "A write lies outside of its object.",
     "Compare the index or the length with the size of the object that the notes name."},
    {TP_P_VALID_DEREF, "read", NULL, "valid-deref/read", 125, "ReadOutOfBounds",
     "A read lies outside of its object.",
     "Compare the index or the length with the size of the object that the notes name."},
    {TP_P_VALID_DEREF, "", NULL, "valid-deref", 119, "InvalidAccess",
     "An access does not lie in a live object.",
     "The pointer is null, or leads outside of its object or to one that has ended."},
    {TP_P_VALID_FREE, "freed twice", "freed object", "valid-free/twice", 415, "DoubleFree",
     "Memory is freed twice.", "The notes say where it was freed before. Free each object once."},
    {TP_P_VALID_FREE, "", NULL, "valid-free", 590, "InvalidFree",
     "What is freed is not the start of a live object of the heap.",
     "Only what malloc and its sisters gave can be freed, and only by the pointer that they gave."},
    {TP_P_VALID_MEMTRACK, "", NULL, "valid-memtrack", 401, "MemoryLost",
     "Memory is lost: nothing points to it any more, and it was not freed.",
     "Free the object before the last pointer to it is overwritten or goes out of scope."},
    {TP_P_VALID_MEMCLEANUP, "", NULL, "valid-memcleanup", 401, "MemoryNotFreed",
     "Memory is not freed when the program ends.", "Free every object before the program ends."},
    {TP_P_NO_OVERFLOW, "", NULL, "no-overflow", 190, "SignedOverflow",
     "Signed arithmetic overflows.",
     "The result has no representation in its type, which is undefined behaviour. Use a wider "
     "type, or "
     "check the operands."},
    {TP_P_UNDEFINED, "division", "remainder", "undefined/division", 369, "DivisionByZero",
     "A division by zero, or one that overflows.", "Check the divisor."},
    {TP_P_UNDEFINED, "shift", NULL, "undefined/shift", 1335, "ShiftTooFar",
     "A shift by a negative amount, or by the width of the type or more.", "Check the amount."},
    {TP_P_UNDEFINED, "uninitialised", "never set", "undefined/uninitialised", 457,
     "UninitialisedVariable", "A variable is used before it is set.",
     "Set the variable where it is declared."},
    {TP_P_UNDEFINED, "null", NULL, "undefined/null", 476, "NullPointerPassed",
     "A null pointer where C forbids one.", "Check the pointer."},
    {TP_P_UNDEFINED, "overlap", NULL, "undefined/overlap", 475, "OverlappingCopy",
     "A copy between objects that overlap.", "memmove copies between such objects."},
    {TP_P_UNDEFINED, "", NULL, "undefined", 758, "UndefinedBehaviour",
     "An operation that has no meaning in C for these operands.",
     "doc/undefined.md lists the operations, by the items of C11 Annex J.2."},
    {TP_P_NONE, "", NULL, "failure", 710, "Failure", "The property is violated.",
     "The code flow shows a run that violates it."},
};
const size_t tp_n_sarif_rules = sizeof tp_sarif_rules / sizeof *tp_sarif_rules;

size_t tp_sarif_rule_of(tp_property violated, const char *message) {
  const char *text = message ? message : "";
  for (size_t i = 0; i + 1 < tp_n_sarif_rules; i++) {
    const tp_sarif_rule *r = &tp_sarif_rules[i];
    if (r->property == violated && (strstr(text, r->word) || (r->other && strstr(text, r->other))))
      return i;
  }
  return tp_n_sarif_rules - 1;
}
