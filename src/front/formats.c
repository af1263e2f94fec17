/* Formats that are known: calls of printf, fprintf and dprintf whose format is a string literal.
 *
 * The model of printf walks its format at run time. What it does there is known before: it reads
 * the strings among the arguments, and some number of characters is written. So the call becomes
 * one of a function that only writes, behind one call for each string, and no analysis has to know
 * the characters of the format.
 *
 * Left alone: formats with more than flags, numbers and the usual lengths (`*`, `$`, %n, wide
 * characters, long double, a precision of %s), arguments of other types than the format asks for,
 * and programs that have %n in some string (the number of characters matters then). */
#include "front/front_priv.h"
#include "front/front_limits.h"

typedef struct {
  const char *name, *known, *text;  // models: what writes, what reads a string
  unsigned format;                  // number of its argument
} printer;
static const printer printers[] = {{"printf", "__tp_printf_known", "__tp_printf_text", 0},
                                   {"fprintf", "__tp_fprintf_known", "__tp_fprintf_text", 1},
                                   {"dprintf", "__tp_dprintf_known", "__tp_dprintf_text", 1}};

typedef struct {
  tp_fe *fe;
  LLVMValueRef call;
  unsigned next, n_arguments;
  LLVMValueRef strings[TP_FRONT_FORMAT_STRINGS];
  unsigned n_strings;
} reading;

// ---------------------------------------------------------------------- formats

static bool is_integer(LLVMValueRef v, unsigned bits) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(v)) == bits;
}

/* Bits of an integer argument behind these length modifiers, 0: not known here. */
static unsigned bits_of(const tp_fe *fe, const char *length, size_t n) {
  if (n == 0 || (*length == 'h' && n <= 2)) return 32;
  if (n == 1 && strchr("lzt", *length)) return fe->ptr_bits;
  return (n == 1 && *length == 'j') || (n == 2 && strncmp(length, "ll", 2) == 0) ? 64 : 0;
}

/* The next argument is what the conversion asks for. */
static bool take(reading *r, char conversion, unsigned bits, bool has_length) {
  if (conversion == '%') return true;
  if (r->next >= r->n_arguments || !conversion) return false;
  LLVMValueRef v = LLVMGetOperand(r->call, r->next++);
  if (strchr("diuoxX", conversion)) return bits && is_integer(v, bits);
  if (has_length) return false;
  if (conversion == 'c') return is_integer(v, 32);
  if (strchr("eEfFgGaA", conversion)) return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMDoubleTypeKind;
  if (!strchr("ps", conversion) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind)
    return false;
  if (conversion == 's' && r->n_strings == TP_FRONT_FORMAT_STRINGS) return false;
  if (conversion == 's') r->strings[r->n_strings++] = v;
  return true;
}

/* One conversion behind its %; NULL: not known here. */
static const char *read_conversion(reading *r, const char *at) {
  at += strspn(at, "-+ #0");
  at += strspn(at, "0123456789");
  const bool has_precision = *at == '.';
  if (has_precision) at += 1 + strspn(at + 1, "0123456789");
  const size_t n = strspn(at, "hljzt");
  const unsigned bits = bits_of(r->fe, at, n);
  if ((has_precision && at[n] == 's') || !take(r, at[n], bits, n > 0)) return NULL;
  return at + n + 1;
}

/* The text of a constant string with its end; NULL: the value is none. */
static const char *constant_text(LLVMValueRef v) {
  if (!LLVMIsAGlobalVariable(v) || !LLVMIsGlobalConstant(v)) return NULL;
  LLVMValueRef value = LLVMGetInitializer(v);
  size_t n;
  if (!value || !LLVMIsAConstantDataSequential(value) || !LLVMIsConstantString(value)) return NULL;
  const char *text = LLVMGetAsString(value, &n);
  return memchr(text, '\0', n) ? text : NULL;
}

static bool read_format(reading *r, const char *at) {
  while (at && (at = strchr(at, '%')) != NULL) {
    at = read_conversion(r, at + 1);
    if (!at) return false;
  }
  return true;
}

// ------------------------------------------------------------------------ calls

static LLVMValueRef model(const tp_fe *fe, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(fe->module, name);
  return f && !LLVMIsDeclaration(f) && tp_fe_is_model(f) ? f : NULL;
}

static const printer *printer_of(LLVMValueRef callee) {
  if (!callee || !LLVMIsAFunction(callee) || !tp_fe_is_model(callee)) return NULL;
  size_t n;
  const char *name = LLVMGetValueName2(callee, &n);
  for (size_t i = 0; i < sizeof printers / sizeof *printers; i++)
    if (strcmp(printers[i].name, name) == 0) return &printers[i];
  return NULL;
}

static void read_strings(const reading *r, LLVMValueRef text) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(r->fe->context);
  LLVMPositionBuilderBefore(builder, r->call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(r->call));
  for (unsigned i = 0; i < r->n_strings; i++) {
    LLVMValueRef argument = r->strings[i];
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(text), text, &argument, 1, "");
  }
  LLVMDisposeBuilder(builder);
}

static void replace(tp_fe *fe, LLVMValueRef call) {
  const printer *p = printer_of(LLVMGetCalledValue(call));
  if (!p) return;
  LLVMValueRef callee = LLVMGetCalledValue(call), known = model(fe, p->known),
               text = model(fe, p->text);
  reading r = {
      .fe = fe, .call = call, .next = p->format + 1, .n_arguments = LLVMGetNumArgOperands(call)};
  if (!known || !text || r.n_arguments <= p->format ||
      LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(callee) ||
      LLVMGlobalGetValueType(known) != LLVMGlobalGetValueType(callee))
    return;
  const char *format = constant_text(LLVMGetOperand(call, p->format));
  if (!format || !read_format(&r, format)) return;
  tp_fe_set_called(fe, known, p->name, strlen(p->name));
  tp_fe_set_called(fe, text, p->name, strlen(p->name));
  read_strings(&r, text);
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, known);
}

static void replace_in(tp_fe *fe, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i)) replace(fe, i);
}

void tp_fe_resolve_formats(tp_fe *fe) {
  TP_REQUIRE(fe->module);
  if (tp_fe_some_format_stores(fe)) return;
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !tp_fe_is_model(f)) replace_in(fe, f);
}
