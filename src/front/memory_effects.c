/* Effects on memory: see the header.
 *
 * The effect of a function is the union of the effects of all functions that it can reach. Tarjan's
 * search over calls finds the components of functions that reach each other; it closes a component
 * behind all that the component calls, so a component's effect is the union of the own effects of
 * its members and of the effects of what they call, which are known then. The search has a stack
 * of its own: chains of calls may be long. Calls through pointers lead to one node, NULL, which
 * calls all functions whose address is taken. */
#include "front/memory_effects.h"

LLVMValueRef tp_fe_root_object(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) ||
         (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr))
    p = LLVMGetOperand(p, 0);
  return p;
}

uint64_t tp_fe_place_of(tp_fe *fe, LLVMValueRef p) {
  p = tp_fe_root_object(p);
  if (LLVMIsAAllocaInst(p)) return tp_fe_promotable(fe, p) ? 0 : TP_MEMORY_POINTERS;
  if (!LLVMIsAGlobalVariable(p)) return TP_MEMORY_POINTERS;
  if (LLVMIsGlobalConstant(p)) return 0;
  const tp_global_storage *g = tp_fe_global(fe, p);
  size_t n;
  const char *name = LLVMGetValueName2(p, &n);
  const uint64_t own = UINT64_C(1) << (tp_hash_bytes(name, n, 3) % 63);
  return g && g->object ? own | TP_MEMORY_POINTERS : own;
}

/* Inside a function whose callers ask: its own locals do not concern them. */
static uint64_t outer_place_of(tp_fe *fe, LLVMValueRef p) {
  return LLVMIsAAllocaInst(tp_fe_root_object(p)) ? 0 : tp_fe_place_of(fe, p);
}

/* A declared function: what is known by name; others change no variable (doc/semantics.md, Inputs).
 */
static tp_memory_effect effect_of_outside(tp_fe *fe, const char *name) {
  tp_memory_effect e = {0};
  if (strcmp(name, "free") == 0 || strcmp(name, "realloc") == 0)
    e.reads = e.writes = TP_MEMORY_POINTERS;
  tp_fe_call_ends(fe, name, &e.ends, &e.fails);
  return e;
}

static bool is_block_operation(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t n;
  if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return false;
  const char *name = LLVMGetValueName2(callee, &n);
  return tp_fe_starts_with(name, "llvm.memcpy.") || tp_fe_starts_with(name, "llvm.memmove.") ||
         tp_fe_starts_with(name, "llvm.memset.");
}

tp_memory_effect tp_fe_own_effect(tp_fe *fe, LLVMValueRef inst) {
  if (LLVMIsACallInst(inst) && is_block_operation(inst)) {
    LLVMValueRef from = LLVMGetOperand(inst, 1);
    const bool has_source = LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMPointerTypeKind;
    return (tp_memory_effect){.reads = has_source ? outer_place_of(fe, from) : 0,
                              .writes = outer_place_of(fe, LLVMGetOperand(inst, 0))};
  }
  switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad: return (tp_memory_effect){.reads = outer_place_of(fe, LLVMGetOperand(inst, 0))};
    case LLVMStore:
      return (tp_memory_effect){.writes = outer_place_of(fe, LLVMGetOperand(inst, 1))};
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      return (tp_memory_effect){.reads = TP_MEMORY_POINTERS, .writes = TP_MEMORY_POINTERS};
    default: return (tp_memory_effect){0};
  }
}

const tp_memory_effect *tp_fe_keep_effect(tp_fe *fe, LLVMValueRef v, tp_memory_effect e) {
  tp_memory_effect *kept = tp_arena_alloc(&fe->p->arena, sizeof *kept);
  *kept = e;
  tp_map_set(&fe->effects, tp_fe_key(v), (uint64_t)(uintptr_t)kept);
  return kept;
}

static const tp_memory_effect *kept_effect(const tp_fe *fe, LLVMValueRef v) {
  uint64_t known;
  return tp_map_get(&fe->effects, tp_fe_key(v), &known) ? (const tp_memory_effect *)(uintptr_t)known
                                                        : NULL;
}

// ------------------------------------------------------------------- components

typedef struct {
  LLVMValueRef f;      // NULL: called through a pointer
  tp_memory_effect e;  // of its own, and of what was called and closed
  size_t low;          // Tarjan's: the smallest number known to be reachable, of open functions
  size_t next, end;    // callees that are not visited, in `callees`
} reached_function;

typedef struct {
  tp_fe *fe;
  tp_map number;                       // function -> its place in `functions`
  TP_VEC(reached_function) functions;  // in the order in which they were reached
  TP_VEC(LLVMValueRef) callees;        // a row for each of them
  TP_VEC(size_t) path, open;           // being visited; reached, and in no closed component
} call_search;

static bool is_address_taken(LLVMValueRef f) {
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
    if (!LLVMIsACallInst(LLVMGetUser(u)) || LLVMGetCalledValue(LLVMGetUser(u)) != f) return true;
  return false;
}

static void list_address_taken(call_search *s) {
  for (LLVMValueRef f = LLVMGetFirstFunction(s->fe->module); f; f = LLVMGetNextFunction(f))
    if (is_address_taken(f)) tp_vec_push(&s->callees, f);
}

/* The effect of f without its callees, which get a row. */
static tp_memory_effect read_body(call_search *s, LLVMValueRef f) {
  size_t n;
  const char *name = LLVMGetValueName2(f, &n);
  tp_memory_effect e = {0};
  if (LLVMIsDeclaration(f) || tp_fe_is_error_function(s->fe, name))
    e = effect_of_outside(s->fe, name);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      e = tp_memory_effect_both(e, tp_fe_own_effect(s->fe, i));
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
      if (callee) tp_vec_push(&s->callees, LLVMIsAFunction(callee) ? callee : NULL);
    }
  return e;
}

static void reach_function(call_search *s, LLVMValueRef f) {
  const size_t k = s->functions.n;
  reached_function r = {.f = f, .low = k, .next = s->callees.n};
  if (f)
    r.e = read_body(s, f);
  else
    list_address_taken(s);
  r.end = s->callees.n;
  tp_vec_push(&s->functions, r);
  tp_map_set(&s->number, tp_fe_key(f), k);
  tp_vec_push(&s->path, k);
  tp_vec_push(&s->open, k);
}

/* The component that function `root` was the first of: one effect for all of its members. */
static tp_memory_effect close_component(call_search *s, size_t root) {
  tp_memory_effect e = {0};
  size_t first = s->open.n;
  do {
    e = tp_memory_effect_both(e, s->functions.at[s->open.at[--first]].e);
  } while (s->open.at[first] != root);
  for (size_t i = first; i < s->open.n; i++)
    (void)tp_fe_keep_effect(s->fe, s->functions.at[s->open.at[i]].f, e);
  s->open.n = first;
  return e;
}

static void visit_callee(call_search *s, reached_function *caller, LLVMValueRef callee) {
  const tp_memory_effect *known = kept_effect(s->fe, callee);
  uint64_t k;
  if (known)
    caller->e = tp_memory_effect_both(caller->e, *known);
  else if (!tp_map_get(&s->number, tp_fe_key(callee), &k))
    reach_function(s, callee);
  else if (k < caller->low)
    caller->low = k;
}

static void leave_function(call_search *s) {
  const size_t k = tp_vec_pop(&s->path);
  reached_function *caller = s->path.n ? &s->functions.at[tp_vec_last(&s->path)] : NULL;
  const size_t low = s->functions.at[k].low;
  if (low == k) {
    const tp_memory_effect e = close_component(s, k);
    if (caller) caller->e = tp_memory_effect_both(caller->e, e);
  } else {
    TP_INVARIANT(caller);  // the first function of a component is on the path
    if (low < caller->low) caller->low = low;
  }
}

tp_memory_effect tp_fe_effect_of_function(tp_fe *fe, LLVMValueRef f) {
  const tp_memory_effect *known = kept_effect(fe, f);
  if (known) return *known;
  call_search s = {.fe = fe};
  reach_function(&s, f);
  while (s.path.n) {
    reached_function *top = &s.functions.at[tp_vec_last(&s.path)];
    if (top->next < top->end)
      visit_callee(&s, top, s.callees.at[top->next++]);
    else
      leave_function(&s);
  }
  tp_map_clear(&s.number);
  tp_vec_clear(&s.functions);
  tp_vec_clear(&s.callees);
  tp_vec_clear(&s.path);
  tp_vec_clear(&s.open);
  return *kept_effect(fe, f);
}
