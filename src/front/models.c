/* Models of library functions: C code of ours, compiled beforehand, linked where the program needs
 * it.
 *
 * The build leaves one bitcode file per source and machine model in a folder, and an index with a
 * line "SYMBOL FILE" for each function and variable that a file defines. A file is linked when the
 * program refers to one of them without defining it; definitions of the program win over those of
 * models. Models may need further models, so this is repeated until nothing is missing that the
 * index knows.
 *
 * A function that the program declares with parameters of another kind is another function of that
 * name (`void send(struct packet)`), which has no body here: the model stays inside of its file. */
#include "base/beside.h"
#include "front/front_priv.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>

typedef struct {
  char *text;
  tp_map file_of;  // hash of a function's name -> offset of the file's name in text, plus 1
  tp_map linked;   // hash of a file's name
} model_index;

static uint64_t hash(const char *s) { return tp_hash_bytes(s, strlen(s), 7); }

/* Cut the text into names in place. */
static void read_index(model_index *ix, char *text) {
  ix->text = text;
  for (char *line = text; *line;) {
    char *end = line + strcspn(line, "\n"), *space = memchr(line, ' ', (size_t)(end - line));
    bool last = *end == '\0';
    *end = '\0';
    if (space) {
      *space = '\0';
      tp_map_set(&ix->file_of, hash(line), (uint64_t)(space + 1 - text) + 1);
    }
    if (last) break;
    line = end + 1;
  }
}

static bool find_folder(const tp_front_options *opt, char *out, size_t size) {
  static const char name[] = "/libc";
  if (opt->model_dir) return (size_t)snprintf(out, size, "%s", opt->model_dir) < size;
  if (size <= sizeof name || !tp_find_own_folder("libc/index", out, size - sizeof name))
    return false;
  strcat(out, name);
  return true;
}

bool tp_fe_is_model(LLVMValueRef fn) {
  TP_REQUIRE(LLVMIsAFunction(fn));
  return LLVMGetStringAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       "tp-model", 8) != NULL;
}

typedef enum { NUMBER, FLOATING, POINTER, BY_VALUE } parameter_kind;

static parameter_kind parameter_kind_of(LLVMValueRef f, unsigned i) {
  static const char by_value[] = "byval";
  const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, i)));
  const unsigned attribute = LLVMGetEnumAttributeKindForName(by_value, sizeof by_value - 1);
  if (kind == LLVMIntegerTypeKind) return NUMBER;
  if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind)
    return FLOATING;
  return kind == LLVMPointerTypeKind && !LLVMGetEnumAttributeAtIndex(f, i + 1, attribute)
             ? POINTER
             : BY_VALUE;
}

/* May the program mean the model by its declaration? Without a prototype it may. */
static bool is_meant(LLVMValueRef declared, LLVMValueRef model) {
  LLVMTypeRef theirs = LLVMGlobalGetValueType(declared), ours = LLVMGlobalGetValueType(model);
  const unsigned n = LLVMCountParamTypes(theirs);
  if (LLVMIsFunctionVarArg(theirs) && n == 0) return true;
  if (n != LLVMCountParamTypes(ours) ||
      !LLVMIsFunctionVarArg(theirs) != !LLVMIsFunctionVarArg(ours))
    return false;
  for (unsigned i = 0; i < n; i++)
    if (parameter_kind_of(declared, i) != parameter_kind_of(model, i)) return false;
  return true;
}

/* Mark what is linked, and let the program's own definitions win. */
static void prepare(LLVMContextRef context, LLVMModuleRef model, LLVMModuleRef program) {
  size_t n;
  for (LLVMValueRef f = LLVMGetFirstFunction(model); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, "tp-model", 8, "", 0));
    if (LLVMGetLinkage(f) != LLVMExternalLinkage) continue;
    LLVMValueRef declared = LLVMGetNamedFunction(program, LLVMGetValueName2(f, &n));
    const bool is_other = declared && LLVMIsDeclaration(declared) && !is_meant(declared, f);
    LLVMSetLinkage(f, is_other ? LLVMInternalLinkage : LLVMWeakAnyLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(model); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage)
      LLVMSetLinkage(g, LLVMWeakAnyLinkage);
}

static bool link_file(LLVMContextRef context, LLVMModuleRef module, const char *folder,
                      const char *file, bool ilp32) {
  char path[8192];
  snprintf(path, sizeof path, "%s/%s-%s.bc", folder, file, ilp32 ? "m32" : "m64");
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef model;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    LLVMDisposeMessage(message);
    return false;
  }
  bool failed = LLVMParseBitcodeInContext2(context, buffer, &model) != 0;
  LLVMDisposeMemoryBuffer(buffer);
  if (failed) return false;
  prepare(context, model, module);
  return LLVMLinkModules2(module, model) == 0;
}

/* The file that defines this symbol, unless it is linked already. */
static const char *file_for(const model_index *ix, LLVMValueRef symbol) {
  uint64_t at;
  size_t n;
  if (!LLVMIsDeclaration(symbol) || !LLVMGetFirstUse(symbol)) return NULL;
  if (!tp_map_get(&ix->file_of, hash(LLVMGetValueName2(symbol, &n)), &at)) return NULL;
  const char *file = ix->text + at - 1;
  return tp_map_has(&ix->linked, hash(file)) ? NULL : file;
}

/* The model file of a symbol that is used and not defined, NULL if there is none left. */
static const char *missing(const model_index *ix, LLVMModuleRef module) {
  const char *file = NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !file; f = LLVMGetNextFunction(f))
    file = file_for(ix, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g && !file; g = LLVMGetNextGlobal(g))
    file = file_for(ix, g);
  return file;
}

tp_status tp_fe_link_models(const tp_front_options *opt, LLVMContextRef context,
                            LLVMModuleRef module) {
  char folder[4096], path[8192];
  tp_str text = {0};
  if (!find_folder(opt, folder, sizeof folder)) return TP_OK;
  snprintf(path, sizeof path, "%s/index", folder);
  if (tp_read_file(path, &text) != TP_OK) return TP_OK;
  model_index ix = {0};
  read_index(&ix, text.text);
  bool ok = true;
  for (const char *file; ok && (file = missing(&ix, module)) != NULL;) {
    tp_map_set(&ix.linked, hash(file), 1);
    ok = link_file(context, module, folder, file, opt->machine == TP_MACHINE_ILP32);
  }
  tp_map_clear(&ix.file_of);
  tp_map_clear(&ix.linked);
  tp_str_clear(&text);
  return ok ? TP_OK : TP_ERR_SYSTEM;
}
