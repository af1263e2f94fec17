/* Inline assembly without instructions, as programs write it to keep a compiler from moving or
 * removing code.
 *
 * The compiler takes nothing for known about what such a statement gives out, but it is certain all
 * the same where it comes from: an output that an input is tied to has the value of that input,
 * memory that is read and written keeps its content. An output without such an input has the value
 * of whatever register was chosen, and is not modelled; nor is any instruction. Constraints are
 * LLVM's (Language Reference, "Inline Asm Constraint String"): outputs `=r`, or `=*m` for memory,
 * inputs with a number for the output that they are tied to, clobbers `~`. */
#include "front/front_priv.h"

#include "front/front_limits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  bool is_output, is_indirect, is_tied;
  unsigned output;       // tied: of all constraints
  LLVMValueRef operand;  // NULL: a result
} constraint;

static bool has_instructions(LLVMValueRef code) {
  size_t n = 0;
  const char *text = LLVMGetInlineAsmAsmString(code, &n);
  for (size_t i = 0; i < n; i++)
    if (!isspace((unsigned char)text[i])) return true;
  return false;
}

/* False: a label, alternatives between which a compiler chooses, or a tie to something else than an
 * output. */
static bool parse_constraint(const char *at, size_t n, constraint *c) {
  *c = (constraint){.is_output = n && *at == '='};
  if (!n || *at == '!' || memchr(at, '|', n)) return false;
  for (size_t i = 0; i < n && strchr("=&*", at[i]); i++) c->is_indirect |= at[i] == '*';
  if (!isdigit((unsigned char)*at)) return true;
  char *end = NULL;
  const unsigned long output = strtoul(at, &end, 10);
  c->is_tied = true, c->output = (unsigned)output;
  return end == at + n && output < TP_FRONT_ASSEMBLY_OPERANDS;
}

/* The constraints of a call in their order, each with its operand; false: something that is not
 * modelled. */
static bool parse(LLVMValueRef inst, LLVMValueRef code, constraint *out, unsigned *n) {
  size_t length = 0;
  const char *at = LLVMGetInlineAsmConstraintString(code, &length), *end = at + length;
  unsigned operand = 0;
  *n = 0;
  while (at < end) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    const char *stop = comma ? comma : end;
    if (*at != '~') {
      if (*n == TP_FRONT_ASSEMBLY_OPERANDS || !parse_constraint(at, (size_t)(stop - at), &out[*n]))
        return false;
      if (!out[*n].is_output || out[*n].is_indirect)
        out[*n].operand = LLVMGetOperand(inst, operand++);
      if (out[*n].is_tied && (out[*n].output >= *n || !out[out[*n].output].is_output)) return false;
      ++*n;
    }
    at = stop + (comma != NULL);
  }
  return true;
}

static const constraint *input_of(const constraint *all, unsigned n, unsigned output) {
  for (unsigned i = 0; i < n; i++)
    if (all[i].is_tied && all[i].output == output) return &all[i];
  return NULL;
}

static bool keeps_memory(const constraint *all, unsigned n, LLVMValueRef p) {
  for (unsigned i = 0; i < n; i++)
    if (!all[i].is_output && all[i].is_indirect && all[i].operand == p) return true;
  return false;
}

/* What the memory at an output is afterwards; false: not modelled. */
static bool write_memory(tp_fb *fb, const constraint *all, unsigned n, unsigned output) {
  LLVMValueRef p = all[output].operand;
  const constraint *tied = input_of(all, n, output);
  if (!tied) return keeps_memory(all, n, p);
  tp_fe_value to, value;
  if (!tp_fb_get(fb, p, &to) || !tp_fb_get(fb, tied->operand, &value) || !tp_term_is(value.t))
    return false;
  tp_fb_store_at(fb, to, 0, value.t);
  return true;
}

/* The result of the call: the value of one register, or a structure of several. */
static bool set_result(tp_fb *fb, LLVMValueRef inst, const constraint *all, unsigned n) {
  LLVMTypeRef type = LLVMTypeOf(inst);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) return true;
  const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  const unsigned n_parts = is_struct ? LLVMCountStructElementTypes(type) : 1;
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, n_parts);
  tp_fe_value v = {.parts = parts, .n_parts = n_parts}, only = {0};
  unsigned k = 0;
  for (unsigned i = 0; i < n; i++) {
    if (!all[i].is_output || all[i].is_indirect) continue;
    const constraint *tied = input_of(all, n, i);
    if (!tied || k == n_parts || !tp_fb_get(fb, tied->operand, &only) || !tp_term_is(only.t) ||
        LLVMTypeOf(tied->operand) != (is_struct ? LLVMStructGetTypeAtIndex(type, k) : type))
      return false;
    parts[k++] = only.t;
    v.mask |= only.mask, v.reads_global |= only.reads_global;
  }
  if (k != n_parts) return false;
  tp_fb_set(fb, inst, is_struct ? v : only);
  return true;
}

void tp_fb_lower_assembly(tp_fb *fb, LLVMValueRef inst, LLVMValueRef code) {
  TP_REQUIRE(LLVMIsACallInst(inst) && LLVMIsAInlineAsm(code));
  constraint all[TP_FRONT_ASSEMBLY_OPERANDS];
  unsigned n = 0;
  bool ok = !has_instructions(code) && parse(inst, code, all, &n) && set_result(fb, inst, all, n);
  for (unsigned i = 0; ok && i < n; i++)
    if (all[i].is_output && all[i].is_indirect) ok = write_memory(fb, all, n, i);
  if (!ok) tp_fb_unsupported(fb, "inline assembly");
}
