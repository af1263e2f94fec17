/* Differences between compilers: assumptions of a TRUE beside the meaning of C.
 *
 * The model is made of clang's code, so clang has decided what C leaves to the compiler. Each
 * instruction of the program is visited once, before it is lowered; where another compiler (or
 * clang itself, optimising) may decide otherwise and the result could depend on it, TRUE lists that
 * as an assumption. The table in doc/semantics.md has a row for each construct. The list
 * depends on the code alone and not on runs, so it may be longer than needed:
 * - operands of one expression of which one writes what another reads: their order of evaluation;
 * - arithmetic on bit-fields wider than int, which gcc does in the bit-field's own width;
 * - strchr of a constant that is no char, which clang 19 folds as if strchr did not convert it;
 * - the sign of a NaN; floats of -m32 without SSE;
 * - questions that the source asks its compiler (__GNUC__, __builtin_constant_p, ...).
 * One decision is left open instead: what strcmp and its sisters return, where more than the sign
 * matters. */
#include "front/front_limits.h"
#include "front/memory_effects.h"

/* "WHAT at FILE:LINE:COLUMN: HOW" */
static void note(tp_fb *fb, tp_pos pos, const char *what, const char *how) {
  tp_str at = {0};
  if (fb->p->diag) tp_pos_print(fb->p->diag, pos, &at);
  tp_fe_add_assumption(fb->fe, tp_fe_printf(fb->fe, "%s at %s: %s", what, tp_str_text(&at), how));
  tp_str_clear(&at);
}

static bool has_prefix(LLVMValueRef v, const char *prefix) {
  size_t n;
  const char *name = LLVMGetValueName2(v, &n);
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

static const char *callee_name(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t n;
  return LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) ? LLVMGetValueName2(callee, &n) : "";
}

// ----------------------------------------------------------- order of evaluation

/* Two effects can be exchanged if no bit that one writes is read or written by the other, and none
 * ends the run silently where the other may violate the property. */
static bool may_be_exchanged(const tp_fe *fe, tp_memory_effect a, tp_memory_effect b) {
  const bool by_memory = (a.writes & (b.reads | b.writes)) || (b.writes & a.reads);
  const bool by_end = (a.ends && (b.fails || (fe->check_deref && b.reads))) ||
                      (b.ends && (a.fails || (fe->check_deref && a.reads)));
  return !by_memory && !by_end;
}

static bool is_temporary(tp_fb *fb, LLVMValueRef v) {
  const tp_stack_slot *slot = LLVMIsAAllocaInst(v) ? tp_fb_slot(fb, v) : NULL;
  return slot && slot->is_temporary && slot->is_object;
}

static tp_memory_effect effect_of_value(tp_fb *fb, LLVMValueRef v, int depth);

/* Of what is written through p, the address of a temporary or of a part of it. */
static tp_memory_effect effect_of_writes(tp_fb *fb, LLVMValueRef p, int depth) {
  const unsigned sret = LLVMGetEnumAttributeKindForName("sret", 4);
  tp_memory_effect e = {0};
  for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(user))
      e = tp_memory_effect_both(e, effect_of_writes(fb, user, depth));
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == p)
      e = tp_memory_effect_both(e, effect_of_value(fb, LLVMGetOperand(user, 0), depth));
    const bool is_result = LLVMIsACallInst(user) && LLVMGetNumArgOperands(user) &&
                           LLVMGetOperand(user, 0) == p &&
                           LLVMGetCallSiteEnumAttribute(user, 1, sret);
    if (is_result) e = tp_memory_effect_both(e, effect_of_value(fb, user, depth));
  }
  return e;
}

/* Of computing v: the instructions that its expression consists of. Variables hold what other
 * statements have computed, so an expression ends at loads of them; phis belong to it (?:, && and
 * ||), and structs in temporaries. Operands are lowered first, so recursion is shallow. */
static tp_memory_effect effect_of_value(tp_fb *fb, LLVMValueRef v, int depth) {
  tp_fe *fe = fb->fe;
  uint64_t known;
  tp_memory_effect e = {0};
  if (!LLVMIsAInstruction(v) || (LLVMIsAAllocaInst(v) && !is_temporary(fb, v))) return e;
  if (tp_map_get(&fe->effects, (uint64_t)(uintptr_t)v, &known))
    return *(const tp_memory_effect *)(uintptr_t)known;
  if (depth == TP_FRONT_EFFECT_LEVELS) return TP_MEMORY_ANYTHING;
  (void)tp_fe_keep_effect(fe, v, e);  // a call that fills a temporary has its address as an operand
  LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
  if (callee)
    e = tp_fe_effect_of_function(fe, LLVMIsAFunction(callee) ? callee : NULL);
  else if (LLVMIsAAllocaInst(v))
    e = effect_of_writes(fb, v, depth + 1);
  else if (LLVMIsALoadInst(v))
    e.reads = is_temporary(fb, tp_fe_root_object(LLVMGetOperand(v, 0)))
                  ? 0
                  : tp_fe_place_of(fe, LLVMGetOperand(v, 0));
  else
    e = tp_fe_own_effect(fe, v);
  const bool is_phi = LLVMIsAPHINode(v) != NULL;
  const unsigned n = callee   ? LLVMGetNumArgOperands(v)
                     : is_phi ? LLVMCountIncoming(v)
                              : (unsigned)LLVMGetNumOperands(v);
  for (unsigned i = 0; i < n; i++)
    e = tp_memory_effect_both(
        e,
        effect_of_value(fb, is_phi ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i), depth + 1));
  return *tp_fe_keep_effect(fe, v, e);
}

static bool has_operands_without_order(LLVMValueRef inst) {
  return LLVMIsACallInst(inst) || LLVMIsAStoreInst(inst) || LLVMIsABinaryOperator(inst) ||
         LLVMIsAGetElementPtrInst(inst) || LLVMIsAICmpInst(inst) || LLVMIsAFCmpInst(inst);
}

static void find_order(tp_fb *fb, LLVMValueRef inst) {
  if (!has_operands_without_order(inst)) return;
  const unsigned all = (unsigned)LLVMGetNumOperands(inst),
                 n = all < TP_FRONT_ORDER_OPERANDS ? all : TP_FRONT_ORDER_OPERANDS;
  const unsigned sret = LLVMGetEnumAttributeKindForName("sret", 4);
  const unsigned first = LLVMIsACallInst(inst) && LLVMGetNumArgOperands(inst) &&
                         LLVMGetCallSiteEnumAttribute(inst, 1, sret);  // the result is no operand
  tp_memory_effect effects[TP_FRONT_ORDER_OPERANDS];
  bool open = false;
  for (unsigned i = first; i < n && !open; i++) {
    effects[i] = effect_of_value(fb, LLVMGetOperand(inst, i), 0);
    for (unsigned k = first; k < i && !open; k++)
      open = !may_be_exchanged(fb->fe, effects[k], effects[i]);
  }
  if (open) note(fb, fb->pos, "order of evaluation", "clang's, which C leaves open");
}

// -------------------------------------------------------------- wide bit-fields

/* The width of the bit-field whose value v is, if that is wider than int; else 0. clang names the
 * steps by which it takes a bit-field out of its storage. */
static uint32_t wide_field(LLVMValueRef v) {
  if (!LLVMIsABinaryOperator(v) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind ||
      !has_prefix(v, "bf."))
    return 0;
  const uint32_t storage = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  LLVMValueRef by = LLVMGetOperand(v, 1);
  uint32_t width = 0;
  if (!LLVMIsAConstantInt(by) || storage > 64) return 0;
  const uint64_t k = LLVMConstIntGetZExtValue(by);
  switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:  // a mask from bit 0 on
      while (width < storage && k >> width & 1) width++;
      break;
    case LLVMLShr:
    case LLVMAShr: width = storage - (uint32_t)k; break;
    default: break;
  }
  return width > 32 && width < storage ? width : 0;
}

/* Could v have a type that is not wider than a bit-field wider than int? */
static bool is_narrow(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) || LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || wide_field(v);
}

/* May be negative where the bit-field is unsigned: gcc converts to the width of the bit-field. */
static bool exceeds(LLVMValueRef v, uint32_t width) {
  if (LLVMIsASExtInst(v)) return true;
  return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) >> width != 0;
}

static bool leaves_width(LLVMValueRef inst, LLVMOpcode op) {
  static const char *const checked[] = {"llvm.sadd.with", "llvm.uadd.with", "llvm.ssub.with",
                                        "llvm.usub.with", "llvm.smul.with", "llvm.umul.with"};
  if (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl) return true;
  for (size_t i = 0; op == LLVMCall && i < sizeof checked / sizeof *checked; i++)
    if (strncmp(callee_name(inst), checked[i], strlen(checked[i])) == 0) return true;
  return op == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(inst, 1)) &&
         LLVMConstIntGetSExtValue(LLVMGetOperand(inst, 1)) == -1;
}

/* The result goes into a bit-field only, which takes its low bits. */
static bool is_cut_at_once(LLVMValueRef inst) {
  LLVMUseRef use = LLVMGetFirstUse(inst);
  return use && !LLVMGetNextUse(use) && has_prefix(LLVMGetUser(use), "bf.value");
}

static void find_wide_field(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op) {
  if (has_prefix(inst, "bf.") || LLVMGetNumOperands(inst) < 2) return;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef field = LLVMGetOperand(inst, i), other = LLVMGetOperand(inst, 1 - i);
    const uint32_t width = wide_field(field);
    if (!width) continue;
    const bool is_unsigned = LLVMGetInstructionOpcode(field) != LLVMAShr;
    const bool arithmetic = leaves_width(inst, op) && is_narrow(other) && !is_cut_at_once(inst);
    const bool conversion = is_unsigned && exceeds(other, width) &&
                            (LLVMIsABinaryOperator(inst) || LLVMIsAICmpInst(inst));
    if (!arithmetic && !conversion) continue;
    note(fb, fb->pos, "arithmetic on a bit-field wider than int",
         "in its declared type, as clang does; gcc has the width of the bit-field");
    return;
  }
}

// ----------------------------------------------------------- library functions

/* Does nothing but the sign of v matter, as far as its function shows? */
static bool only_sign_matters(tp_fe *fe, LLVMValueRef v, bool through_variables) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAICmpInst(user)) {
      LLVMValueRef other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == v);
      if (!LLVMIsAConstantInt(other) || LLVMConstIntGetZExtValue(other) != 0) return false;
    } else if (LLVMIsAStoreInst(user) && through_variables && LLVMGetOperand(user, 0) == v &&
               LLVMIsAAllocaInst(LLVMGetOperand(user, 1)) &&
               tp_fe_promotable(fe, LLVMGetOperand(user, 1))) {
      for (LLVMUseRef w = LLVMGetFirstUse(LLVMGetOperand(user, 1)); w; w = LLVMGetNextUse(w))
        if (LLVMIsALoadInst(LLVMGetUser(w)) && !only_sign_matters(fe, LLVMGetUser(w), false))
          return false;
    } else {
      return false;
    }
  }
  return true;
}

static bool compares(const char *name) {
  static const char *const names[] = {"strcmp",     "strncmp",     "memcmp", "bcmp",    "strcoll",
                                      "strcasecmp", "strncasecmp", "wcscmp", "wcsncmp", "wmemcmp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* The library's function of this name: declared, or our model of it. */
static const char *library_name(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) return "";
  size_t n;
  const bool is_model = tp_fe_is_model(callee);
  return is_model || LLVMIsDeclaration(callee) ? LLVMGetValueName2(callee, &n) : "";
}

bool tp_fb_magnitude_matters(tp_fb *fb, LLVMValueRef call) {
  TP_REQUIRE(LLVMIsACallInst(call));
  return !tp_func_of(fb->p, fb->func)->is_model && compares(library_name(call)) &&
         !only_sign_matters(fb->fe, call, true);
}

static void find_library(tp_fb *fb, LLVMValueRef call) {
  LLVMValueRef c = strcmp(library_name(call), "strchr") == 0 && LLVMGetNumArgOperands(call) == 2
                       ? LLVMGetOperand(call, 1)
                       : NULL;
  if (c && LLVMIsAConstantInt(c) &&
      (LLVMConstIntGetSExtValue(c) < INT8_MIN || LLVMConstIntGetSExtValue(c) > INT8_MAX))
    note(fb, fb->pos, "strchr of a number that is no char",
         "converted to char, as C demands; where clang 19 folds the call it finds nothing");
}

// ------------------------------------------------------------------------- floats

static bool is_float_type(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMFloatTypeKind || LLVMGetTypeKind(t) == LLVMDoubleTypeKind ||
         tp_fe_is_long_double(t);
}

static void find_float(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op) {
  const bool computes = op == LLVMFAdd || op == LLVMFSub || op == LLVMFMul || op == LLVMFDiv;
  if (computes && fb->fe->ptr_bits == 32 && !tp_fe_is_long_double(LLVMTypeOf(inst)))
    tp_fe_add_assumption(
        fb->fe,
        "floats have no excess precision: on ilp32 the compiler is told -msse2 -mfpmath=sse");
  const bool bits = op == LLVMBitCast && is_float_type(LLVMTypeOf(LLVMGetOperand(inst, 0)));
  const bool sign = op == LLVMCall && strncmp(callee_name(inst), "llvm.copysign.", 14) == 0 &&
                    !LLVMIsAConstantFP(LLVMGetOperand(inst, 1));
  if (bits || sign)
    note(fb, fb->pos, "sign of a float",
         "that of a NaN is the one that clang and the machine make");
}

void tp_fb_find_differences(tp_fb *fb, LLVMValueRef inst) {
  if (tp_func_of(fb->p, fb->func)->is_model || LLVMIsADbgInfoIntrinsic(inst)) return;
  const LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  find_order(fb, inst);
  find_wide_field(fb, inst, op);
  find_float(fb, inst, op);
  if (op == LLVMCall) find_library(fb, inst);
}

// ------------------------------------------------ questions of the source to its compiler

static bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The end of a comment, a string or a character constant that starts at c, else c itself. */
static const char *skip_quoted(const char *c) {
  if (c[0] == '/' && c[1] == '/') return c + strcspn(c, "\n");
  if (c[0] == '/' && c[1] == '*') {
    const char *end = strstr(c + 2, "*/");
    return end ? end + 2 : c + strlen(c);
  }
  if (*c != '"' && *c != '\'') return c;
  const char quote = *c++;
  while (*c && *c != quote && *c != '\n') c += *c == '\\' && c[1] ? 2 : 1;
  return *c == quote ? c + 1 : c;
}

static bool is_question(const char *word, size_t n) {
  static const char *const names[] = {"__clang__",
                                      "__clang_major__",
                                      "__clang_minor__",
                                      "__clang_version__",
                                      "__llvm__",
                                      "__GNUC__",
                                      "__GNUC_MINOR__",
                                      "__GNUC_PATCHLEVEL__",
                                      "__VERSION__",
                                      "__OPTIMIZE__",
                                      "__OPTIMIZE_SIZE__",
                                      "__NO_INLINE__",
                                      "__has_builtin",
                                      "__has_feature",
                                      "__has_extension",
                                      "__has_attribute",
                                      "__FLT_EVAL_METHOD__",
                                      "__DATE__",
                                      "__TIME__",
                                      "__TIMESTAMP__",
                                      "__builtin_constant_p",
                                      "__builtin_object_size",
                                      "__builtin_dynamic_object_size",
                                      "__builtin_classify_type",
                                      "_Generic",
                                      "__builtin_types_compatible_p"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == n && strncmp(names[i], word, n) == 0) return true;
  return false;
}

/* The first line in which the text asks something, 0: none. */
static uint32_t find_question(const char *text, const char **word, size_t *length) {
  uint32_t line = 1;
  for (const char *c = text; *c;) {
    const char *next = skip_quoted(c);
    if (next == c && is_word(*c)) {
      while (is_word(*next)) next++;
      if (is_question(c, (size_t)(next - c))) {
        *word = c;
        *length = (size_t)(next - c);
        return line;
      }
    }
    if (next == c) next++;
    for (; c < next; c++) line += *c == '\n';
  }
  return 0;
}

void tp_fe_find_compiler_tests(tp_fe *fe) {
  for (size_t i = 0; i < fe->opt->n_files; i++) {
    tp_str text = {0};
    const char *word;
    size_t length;
    const uint32_t line = tp_read_file(fe->opt->files[i], &text) == TP_OK
                              ? find_question(tp_str_text(&text), &word, &length)
                              : 0;
    if (line)
      tp_fe_add_assumption(fe, tp_fe_printf(fe, "%.*s in line %u of %s: what clang 19 answers",
                                            (int)length, word, line, fe->opt->files[i]));
    tp_str_clear(&text);
  }
}
