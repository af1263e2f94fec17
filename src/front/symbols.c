/* Symbols of one file, from its bitcode. */
#include "front/symbols.h"

#include "front/clang.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>

static void add(LLVMValueRef v, tp_arena *arena, tp_front_symbols *out) {
  size_t n;
  const char *name = LLVMGetValueName2(v, &n);
  const LLVMLinkage linkage = LLVMGetLinkage(v);
  if (n == 0 || strncmp(name, "llvm.", 5) == 0) return;
  if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage) return;
  name = tp_arena_strndup(arena, name, n);
  if (LLVMIsDeclaration(v) || linkage == LLVMAvailableExternallyLinkage)
    tp_vec_push(&out->needed, name);
  else
    tp_vec_push(&out->defined, name);
}

/* What is declared and never used needs nobody: clang leaves it out of the bitcode, but for what
 * only debug information names. */
static void add_all(LLVMModuleRef m, tp_arena *arena, tp_front_symbols *out) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) || LLVMGetFirstUse(f)) add(f, arena, out);
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) || LLVMGetFirstUse(g)) add(g, arena, out);
}

tp_status tp_front_symbols_read(const tp_front_options *opt, const char *file, tp_arena *arena,
                                tp_front_symbols *out, tp_str *messages) {
  TP_REQUIRE(opt && file && arena && out && messages);
  tp_clang_output code = {0};
  tp_status st = tp_clang_compile(opt, file, NULL, 0, &code, messages);
  if (st == TP_OK) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(code.bytes, code.n, file, false);
    LLVMModuleRef m = NULL;
    if (LLVMParseBitcodeInContext2(context, buffer, &m) != 0)
      st = TP_ERR_INTERNAL;
    else
      add_all(m, arena, out);
    LLVMDisposeMemoryBuffer(buffer);
    if (m) LLVMDisposeModule(m);
    LLVMContextDispose(context);
  }
  tp_clang_output_clear(&code);
  return st;
}

void tp_front_symbols_clear(tp_front_symbols *s) {
  tp_vec_clear(&s->defined);
  tp_vec_clear(&s->needed);
}
