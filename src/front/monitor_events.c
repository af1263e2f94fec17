/* Events for monitors: calls of observed functions, and the end of the program.
 *
 * Before anything is lowered, each call in the program's own text that may reach an observed
 * function gets two companions in the bitcode: calls of `tp.event` before and after it, with the
 * number of the site, the function pointer if there is one, the arguments, and (after) the result.
 * Companions keep the values alive that a monitor may read, and lowering has one new kind of call:
 * each becomes a SKIP edge and an entry of fe->events. Calls that library models make are no
 * events.
 *
 * A call through a pointer may reach each observed function whose address is taken; its companion
 * becomes a chain of comparisons with these addresses. */
#include "front/front_priv.h"

#include <stdio.h>

static const char marker[] = "tp.event";

// ------------------------------------------------------------------- companions

typedef struct {
  tp_fe *fe;
  LLVMValueRef marker;
  LLVMTypeRef marker_type;
  LLVMBuilderRef builder;
} watcher;

/* The function that a call names, as far as a monitor may watch it; redeclared builtins carry a
 * prefix. */
static uint32_t watched(tp_fe *fe, LLVMValueRef fn) {
  const tp_monitors *m = fe->opt->monitors;
  size_t n;
  const char *name = LLVMIsAFunction(fn) ? tp_fe_func_name(fe, fn) : LLVMGetValueName2(fn, &n);
  uint32_t f = tp_monitors_function(m, name);
  return f == 0 && strncmp(name, "tp_", 3) == 0 ? tp_monitors_function(m, name + 3) : f;
}

/* Behind aliases. */
static LLVMValueRef strip(LLVMValueRef callee) {
  while (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee);
  return callee;
}

static void find_address(watcher *w, LLVMValueRef symbol) {
  uint32_t f = watched(w->fe, symbol);
  LLVMValueRef fn = strip(symbol);
  // an alias may be reached through the address of what it stands for
  if (!f || !LLVMIsAFunction(fn) ||
      (!tp_fe_has_address_taken(symbol) && !tp_fe_has_address_taken(fn)))
    return;
  for (size_t i = 0; i < w->fe->observed_addresses.n; i++)
    if (w->fe->observed_addresses.at[i].callee == fn &&
        w->fe->observed_addresses.at[i].function != f)
      tp_vec_push(
          &w->fe->p->unsupported,
          (tp_unsupported){
              .what =
                  "a function that a monitor watches under two names, and whose address is taken"});
  tp_vec_push(&w->fe->observed_addresses, (tp_event_site){.callee = fn, .function = f});
}

static void find_addresses(watcher *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->fe->module); f; f = LLVMGetNextFunction(f))
    find_address(w, f);
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(w->fe->module); a; a = LLVMGetNextGlobalAlias(a))
    find_address(w, a);
}

/* tp.event(site, pointer or null, arguments..., result if there is one) */
static void add_companion(watcher *w, LLVMValueRef inst, uint32_t site, LLVMValueRef pointer,
                          bool behind) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->fe->context),
              ptr = LLVMPointerTypeInContext(w->fe->context, 0);
  unsigned n = LLVMGetNumArgOperands(inst);
  bool has_result = behind && LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind;
  LLVMValueRef *args = tp_arena_array(&w->fe->scratch, LLVMValueRef, n + 3);
  args[0] = LLVMConstInt(i32, (unsigned long long)site * 2 + behind, 0);
  args[1] = pointer ? pointer : LLVMConstNull(ptr);
  for (unsigned i = 0; i < n; i++) args[2 + i] = LLVMGetOperand(inst, i);
  if (has_result) args[2 + n] = inst;
  LLVMPositionBuilderBefore(w->builder, behind ? LLVMGetNextInstruction(inst) : inst);
  LLVMValueRef call =
      LLVMBuildCall2(w->builder, w->marker_type, w->marker, args, n + 2 + has_result, "");
  LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(inst));
}

static void visit_call(watcher *w, LLVMValueRef inst) {
  LLVMValueRef callee = LLVMGetCalledValue(inst), pointer = NULL;
  if (LLVMIsAInlineAsm(callee)) return;
  bool direct = LLVMIsAFunction(callee) || LLVMIsAGlobalAlias(callee);
  uint32_t f = direct ? watched(w->fe, callee) : 0;
  if (direct ? !f : !w->fe->observed_addresses.n) return;
  if (direct)
    callee = strip(callee);
  else
    pointer = callee;
  uint32_t site = (uint32_t)w->fe->event_sites.n;
  tp_vec_push(&w->fe->event_sites, (tp_event_site){.callee = pointer ? NULL : callee,
                                                   .function = f,
                                                   .n_args = LLVMGetNumArgOperands(inst)});
  add_companion(w, inst, site, pointer, false);
  // noreturn functions end a block with `unreachable`: there is always a next instruction
  add_companion(w, inst, site, pointer, true);
}

static void visit_function(watcher *w, LLVMValueRef fn) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(b), after; inst; inst = after) {
      after = LLVMGetNextInstruction(inst);
      if (LLVMIsACallInst(inst) && LLVMGetCalledValue(inst) != w->marker) visit_call(w, inst);
    }
}

void tp_fe_add_events(tp_fe *fe) {
  if (!fe->opt->monitors || fe->opt->monitors->functions.n < 2) return;
  LLVMTypeRef params[] = {LLVMInt32TypeInContext(fe->context),
                          LLVMPointerTypeInContext(fe->context, 0)};
  watcher w = {.fe = fe};
  w.marker_type = LLVMFunctionType(LLVMVoidTypeInContext(fe->context), params, 2, true);
  find_addresses(&w);
  w.marker = LLVMAddFunction(fe->module, marker, w.marker_type);
  w.builder = LLVMCreateBuilderInContext(fe->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f))
    if (!tp_fe_is_model(f)) visit_function(&w, f);
  LLVMDisposeBuilder(w.builder);
}

// --------------------------------------------------------------------- lowering

/* The C types of what the callee takes and gives, as far as debug information tells; 0: the result.
 */
static bool is_signed(tp_fb *fb, LLVMValueRef callee, unsigned i, tp_term t) {
  if (tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, t)) != TP_SORT_BV) return false;
  LLVMMetadataRef type = callee ? tp_fe_func_type(fb->fe, callee) : NULL;
  LLVMMetadataRef list = type ? tp_fe_operand(fb->fe, type, 3) : NULL;
  LLVMMetadataRef one =
      list && i < tp_fe_n_operands(fb->fe, list) ? tp_fe_operand(fb->fe, list, i) : NULL;
  if (!one) return true;  // promoted: int, unless told otherwise
  tp_type c = tp_fe_type(fb->fe, one);
  tp_fe_types_finish(fb->fe);
  tp_type_kind kind = tp_type_of(fb->p, c)->kind;
  return (kind != TP_T_INT && kind != TP_T_ENUM) || tp_type_of(fb->p, c)->is_signed;
}

/* Are the arguments those of C, one for one? Not if structs have been taken apart or travel by
 * reference. */
static bool are_plain(tp_fb *fb, LLVMValueRef callee, unsigned n_args) {
  LLVMMetadataRef type = callee ? tp_fe_func_type(fb->fe, callee) : NULL;
  LLVMMetadataRef list = type ? tp_fe_operand(fb->fe, type, 3) : NULL;
  static const char *const kinds[] = {"sret", "byval"};
  for (unsigned i = 0; callee && i < LLVMCountParams(callee); i++)
    for (size_t k = 0; k < 2; k++)
      if (LLVMGetEnumAttributeAtIndex(callee, i + 1,
                                      LLVMGetEnumAttributeKindForName(kinds[k], strlen(kinds[k]))))
        return false;
  if (!list || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee))) return true;
  return tp_fe_n_operands(fb->fe, list) == n_args + 1;
}

static tp_event_value value_of(tp_fb *fb, LLVMValueRef v, LLVMValueRef callee, unsigned i) {
  tp_sort sort;
  tp_fe_value value;
  if (!tp_fe_sort(fb->fe, LLVMTypeOf(v), &sort) || !tp_fb_get(fb, v, &value) ||
      !tp_term_is(value.t))
    return (tp_event_value){.term = TP_TERM_NONE};
  return (tp_event_value){value.t, is_signed(fb, callee, i, value.t)};
}

/* One event at the current location; the companion's operands from the third on are arguments and
 * result. */
static void add_event(tp_fb *fb, LLVMValueRef inst, const tp_event_site *site, uint32_t function,
                      LLVMValueRef callee, bool behind) {
  const tp_monitored_function *w = &fb->fe->opt->monitors->functions.at[function];
  unsigned n = site->n_args < TP_PROGRAM_MONITOR_VALUES ? site->n_args : TP_PROGRAM_MONITOR_VALUES;
  tp_event e = {.kind = behind ? TP_EVENT_RETURN : TP_EVENT_CALL, .function = function};
  if (behind && !w->wants_return) return;
  if (are_plain(fb, callee, site->n_args)) {
    tp_event_value *values = tp_arena_array(&fb->p->arena, tp_event_value, n + 1);
    for (unsigned i = 0; i < n; i++)
      values[i] = value_of(fb, LLVMGetOperand(inst, 2 + i), callee, i + 1);
    e.values = values;
    e.n_values = n;
  }
  if (behind && LLVMGetNumArgOperands(inst) > 2 + site->n_args)
    e.result = value_of(fb, LLVMGetOperand(inst, 2 + site->n_args), callee, 0);
  e.edge = tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP});
  if (e.edge.id) tp_vec_push(&fb->fe->events, e);
}

static void add_events_of_pointer(tp_fb *fb, LLVMValueRef inst, const tp_event_site *site,
                                  bool behind) {
  tp_fe_value p;
  if (fb->dead || !tp_fb_get(fb, LLVMGetOperand(inst, 1), &p) || !tp_term_is(p.t)) return;
  tp_loc join = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos});
  for (size_t i = 0; i < fb->fe->observed_addresses.n && !fb->dead; i++) {
    tp_event_site to = fb->fe->observed_addresses.at[i];
    tp_term address =
        tp_mk_ptr_const(fb->tt, tp_func_of(fb->p, tp_fe_func(fb->fe, to.callee))->object, 0);
    tp_term hit = tp_mk_eq(fb->tt, p.t, address);
    if (tp_is_false(fb->tt, hit)) continue;
    tp_loc other;
    (void)tp_fb_branch(fb, hit, &other);
    add_event(fb, inst, site, to.function, to.callee, behind);
    tp_fb_goto(fb, join);
    tp_fb_continue_at(fb, other);
  }
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, join);
}

bool tp_fb_lower_event(tp_fb *fb, LLVMValueRef inst, const char *name) {
  if (strcmp(name, marker) != 0 || !fb->fe->event_sites.n) return false;
  uint64_t key = LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 0));
  tp_event_site site = fb->fe->event_sites.at[key / 2];
  if (site.callee)
    add_event(fb, inst, &site, site.function, site.callee, key % 2);
  else
    add_events_of_pointer(fb, inst, &site, key % 2);
  return true;
}

void tp_fb_add_exit_event(tp_fb *fb) {
  if (!fb->fe->opt->monitors || !fb->fe->opt->monitors->observes_exit) return;
  tp_event e = {.kind = TP_EVENT_EXIT, .edge = tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP})};
  if (e.edge.id) tp_vec_push(&fb->fe->events, e);
}
