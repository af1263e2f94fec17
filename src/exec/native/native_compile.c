/* From a program to machine code: an LLVM module, a short list of passes, ORC. */
#include "exec/native/emit.h"

#include "exec/exec_limits.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

static void say(tp_str *why, LLVMErrorRef err) {
  char *text = LLVMGetErrorMessage(err);
  tp_str_add(why, text);
  LLVMDisposeErrorMessage(text);
}

static LLVMValueRef shared_array(tp_emitter *e, const char *name, LLVMTypeRef element, uint64_t n) {
  LLVMTypeRef t = LLVMArrayType2(element, n ? n : 1);
  LLVMValueRef g = LLVMAddGlobal(e->m, t, name);
  LLVMSetInitializer(g, LLVMConstNull(t));
  LLVMSetAlignment(g, 64);
  return g;
}

static LLVMMetadataRef text_node(tp_emitter *e, const char *text) {
  return LLVMMDStringInContext2(e->c, text, strlen(text));
}

/* Types for the alias analysis: the table of objects, globals, shared scalars, bytes of objects and
 * their shadows never overlap. */
static void make_metadata(tp_emitter *e) {
  static const char *const names[] = {"table", "globals", "shared", "bytes", "und", "visits"};
  LLVMMetadataRef root =
      LLVMMDNodeInContext2(e->c, (LLVMMetadataRef[]){text_node(e, "twoproof")}, 1);
  LLVMMetadataRef zero = LLVMValueAsMetadata(tp_emit_u64(e, 0));
  for (int i = 0; i < TP_N_ALIASES; i++) {
    LLVMMetadataRef type =
        LLVMMDNodeInContext2(e->c, (LLVMMetadataRef[]){text_node(e, names[i]), root, zero}, 3);
    e->tags[i] = LLVMMDNodeInContext2(e->c, (LLVMMetadataRef[]){type, type, zero}, 3);
  }
  LLVMMetadataRef domain =
      LLVMMDNodeInContext2(e->c, (LLVMMetadataRef[]){text_node(e, "twoproof.domain")}, 1);
  LLVMMetadataRef table =
      LLVMMDNodeInContext2(e->c, (LLVMMetadataRef[]){text_node(e, "twoproof.table"), domain}, 2);
  LLVMMetadataRef own =
      LLVMMDNodeInContext2(e->c, (LLVMMetadataRef[]){text_node(e, "twoproof.own"), domain}, 2);
  e->scope = LLVMMDNodeInContext2(e->c, &table, 1);
  e->none_of_ours = LLVMMDNodeInContext2(e->c, &own, 1);
  e->own_or_table = LLVMMDNodeInContext2(e->c, (LLVMMetadataRef[]){table, own}, 2);
  e->unlikely = LLVMMDNodeInContext2(
      e->c,
      (LLVMMetadataRef[]){text_node(e, "branch_weights"), LLVMValueAsMetadata(tp_emit_u32(e, 1)),
                          LLVMValueAsMetadata(tp_emit_u32(e, 4000))},
      3);
  e->kind_tbaa = LLVMGetMDKindIDInContext(e->c, "tbaa", 4);
  e->kind_scope = LLVMGetMDKindIDInContext(e->c, "alias.scope", 11);
  e->kind_noalias = LLVMGetMDKindIDInContext(e->c, "noalias", 7);
  e->kind_prof = LLVMGetMDKindIDInContext(e->c, "prof", 4);
  e->attr_nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
  e->attr_willreturn = LLVMGetEnumAttributeKindForName("willreturn", 10);
  e->attr_memory = LLVMGetEnumAttributeKindForName("memory", 6);
}

static void make_types(tp_emitter *e) {
  e->i1 = LLVMInt1TypeInContext(e->c);
  e->i8 = LLVMInt8TypeInContext(e->c);
  e->i32 = LLVMInt32TypeInContext(e->c);
  e->i64 = LLVMInt64TypeInContext(e->c);
  e->ptr = LLVMPointerTypeInContext(e->c, 0);
  e->off = LLVMIntTypeInContext(e->c, e->p->ptr_bits);
  e->two = LLVMStructTypeInContext(e->c, (LLVMTypeRef[]){e->i64, e->i64}, 2, 0);
  size_t n_globals = tp_code_slots(e->n->code, TP_FUNC_NONE).n;
  e->rt = shared_array(e, "rt", e->i64, sizeof(tp_native_shared) / 8);
  e->globals = shared_array(e, "globals", e->i64, 2 * n_globals);
  e->global_marks = shared_array(e, "global_marks", e->i8, n_globals);
  e->objects = shared_array(e, "objects", e->i64, (uint64_t)TP_EXEC_NATIVE_OBJECTS * 8);
  e->seen = shared_array(e, "seen", e->i64, e->n->watched.n * TP_EXEC_NATIVE_SEEN);
}

/* Registers first: until then every way out is a path through memory. default<O1> simplifies the
 * graph before that, which took minutes. */
static const char before_descriptors[] =
    "always-inline,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "jump-threading,correlated-propagation,simplifycfg,"
    "loop-mssa(loop-rotate,licm,loop-idiom,indvars),early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm)),globaldce";
static const char after_descriptors[] =
    "always-inline,function(early-cse<memssa>,correlated-propagation,instcombine<no-verify-"
    "fixpoint>,simplifycfg,loop-mssa(licm),adce),globaldce";

static tp_status run_passes(tp_emitter *e, LLVMTargetMachineRef tm, const char *passes,
                            tp_str *why) {
  LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
  LLVMErrorRef err = LLVMRunPasses(e->m, passes, tm, o);
  LLVMDisposePassBuilderOptions(o);
  if (err) say(why, err);
  return err ? TP_ERR_INTERNAL : TP_OK;
}

static tp_status optimise(tp_emitter *e, LLVMTargetMachineRef tm, tp_str *why) {
  TP_TRY(run_passes(e, tm, before_descriptors, why));
  LLVMValueRef descriptor = LLVMGetNamedFunction(e->m, "descriptor");
  if (descriptor)
    tp_emit_attribute(e, descriptor, LLVMGetEnumAttributeKindForName("alwaysinline", 12), 0);
  return run_passes(e, tm, after_descriptors, why);
}

static LLVMTargetMachineRef host_machine(tp_str *why) {
  static bool started;
  if (!started) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    started = true;
  }
  char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
  LLVMTargetRef target;
  LLVMTargetMachineRef tm = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    tp_str_add(why, message);
    LLVMDisposeMessage(message);
  } else {
    tm = LLVMCreateTargetMachine(target, triple, "x86-64", "", LLVMCodeGenLevelLess, LLVMRelocPIC,
                                 LLVMCodeModelJITDefault);
  }
  LLVMDisposeMessage(triple);
  return tm;
}

static bool address_of(tp_native *n, const char *name, void *out, tp_str *why) {
  LLVMOrcExecutorAddress at;
  LLVMErrorRef err = LLVMOrcLLJITLookup(n->jit, &at, name);
  if (err) return say(why, err), false;
  memcpy(out, &at, sizeof at);
  return true;
}

static tp_status link_code(tp_native *n, LLVMTargetMachineRef tm, LLVMOrcThreadSafeModuleRef module,
                           tp_str *why) {
  LLVMOrcLLJITBuilderRef b = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      b, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(tm));
  LLVMErrorRef err = LLVMOrcCreateLLJIT(&n->jit, b);
  if (err) {
    n->jit = NULL;
    LLVMOrcDisposeThreadSafeModule(module);
    return say(why, err), TP_ERR_INTERNAL;
  }
  LLVMOrcDefinitionGeneratorRef process;  // memcpy and the like
  err = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
      &process, LLVMOrcLLJITGetGlobalPrefix(n->jit), NULL, NULL);
  if (err) {
    LLVMOrcDisposeThreadSafeModule(module);
    return say(why, err), TP_ERR_INTERNAL;
  }
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(n->jit), process);
  err = LLVMOrcLLJITAddLLVMIRModule(n->jit, LLVMOrcLLJITGetMainJITDylib(n->jit), module);
  if (err) return say(why, err), TP_ERR_INTERNAL;
  bool ok = address_of(n, "start", &n->start, why) && address_of(n, "rt", &n->rt, why) &&
            address_of(n, "globals", &n->globals, why) &&
            address_of(n, "global_marks", &n->global_marks, why) &&
            address_of(n, "objects", &n->objects, why) && address_of(n, "seen", &n->seen, why);
  return ok ? TP_OK : TP_ERR_INTERNAL;
}

tp_status tp_native_compile(tp_native *n, tp_str *why) {
  double from = tp_cpu_s();
  LLVMTargetMachineRef tm = host_machine(why);
  if (!tm) return TP_ERR_UNSUPPORTED;
  LLVMOrcThreadSafeContextRef shared = LLVMOrcCreateNewThreadSafeContext();
  tp_emitter e = {.n = n, .p = n->p, .c = LLVMOrcThreadSafeContextGetContext(shared)};
  e.m = LLVMModuleCreateWithNameInContext("twoproof", e.c);
  e.b = LLVMCreateBuilderInContext(e.c);
  char *triple = LLVMGetTargetMachineTriple(tm);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(tm);
  LLVMSetTarget(e.m, triple);
  LLVMSetModuleDataLayout(e.m, layout);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
  make_types(&e);
  make_metadata(&e);
  tp_status st = tp_emit_program(&e, why);
  LLVMDisposeBuilder(e.b);
#ifdef TP_CHECKED
  char *message = NULL;
  if (st == TP_OK && LLVMVerifyModule(e.m, LLVMReturnStatusAction, &message)) {
    tp_str_add(why, message);
    st = TP_ERR_INTERNAL;
  }
  LLVMDisposeMessage(message);
#endif
  if (st == TP_OK) st = optimise(&e, tm, why);
  LLVMOrcThreadSafeModuleRef module = LLVMOrcCreateNewThreadSafeModule(e.m, shared);
  LLVMOrcDisposeThreadSafeContext(shared);
  if (st == TP_OK) {
    st = link_code(n, tm, module, why);
  } else {
    LLVMOrcDisposeThreadSafeModule(module);
    LLVMDisposeTargetMachine(tm);
  }
  n->compile_s += tp_cpu_s() - from;
  n->n_compiled++;
  return st;
}
