/* Memory: locals, loads, stores, and the checks of the memory properties.
 *
 * A local scalar that is only loaded and stored is a variable; any other local is an object, made by ALLOC where
 * its declaration is executed (so that a local in a loop body is fresh each time) and ended by END_SCOPE when
 * the function returns or, with lifetime markers, when its scope ends. */
#include "front/front_priv.h"

tp_term tp_fe_size_term(tp_fe *fe, uint64_t n) { return tp_mk_bv(fe->tt, fe->ptr_bits, n); }

static uint64_t key(const void *p) { return (uint64_t)(uintptr_t)p; }

static LLVMValueRef marker_callee(LLVMValueRef inst, const char *prefix) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  size_t n;
  if (!callee || !LLVMIsAFunction(callee)) return NULL;
  return strncmp(LLVMGetValueName2(callee, &n), prefix, strlen(prefix)) == 0 ? callee : NULL;
}

static bool has_lifetime_markers(LLVMValueRef alloca) {
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u))
    if (marker_callee(LLVMGetUser(u), "llvm.lifetime.start")) return true;
  return false;
}

bool tp_fe_promotable(tp_fe *fe, LLVMValueRef alloca) {
  tp_sort s;
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || !tp_fe_sort(fe, type, &s)) return false;
  if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
    bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != alloca && LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
    if (!load && !store && !marker_callee(user, "llvm.lifetime.")) return false;
  }
  return true;
}

// ---------------------------------------------------------------- declarations

typedef struct {
  LLVMMetadataRef var;         // DILocalVariable
  LLVMMetadataRef location;
} declaration;

/* The storage that a dbg.declare describes, NULL if there is none. */
static LLVMValueRef declared_storage(LLVMValueRef inst) {
  LLVMValueRef wrapped = LLVMGetOperand(inst, 0), storage = NULL;
  if (LLVMGetMDNodeNumOperands(wrapped) == 1) LLVMGetMDNodeOperands(wrapped, &storage);
  return storage;
}

static void describe(tp_fb *fb, tp_fslot *slot, LLVMValueRef declare) {
  LLVMMetadataRef var = LLVMValueAsMetadata(LLVMGetOperand(declare, 1));
  slot->name = tp_fe_string(fb->fe, var, 1);
  slot->type = tp_fe_type(fb->fe, tp_fe_operand(fb->fe, var, 3));
  slot->pos = tp_fe_pos_of(fb->fe, declare);
}

tp_fslot *tp_fb_slot(tp_fb *fb, LLVMValueRef v) {
  uint64_t i;
  return tp_map_get(&fb->slot_of, key(v), &i) ? &fb->slots.at[i - 1] : NULL;
}

/* The argument that is stored into this alloca at once and used for nothing else. */
static LLVMValueRef stored_argument(tp_fb *fb, LLVMValueRef alloca, bool *only_store) {
  LLVMValueRef arg = NULL;
  *only_store = true;
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != alloca) continue;
    LLVMValueRef value = LLVMGetOperand(user, 0);
    if (LLVMIsAZExtInst(value) && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) == 1)
      value = LLVMGetOperand(value, 0);
    bool at_entry = LLVMGetInstructionParent(user) == fb->plan.blocks[0].bb && LLVMIsAArgument(value);
    LLVMUseRef use = at_entry ? LLVMGetFirstUse(value) : NULL;
    if (at_entry && !arg && use && !LLVMGetNextUse(use)) arg = value;
    else *only_store = false;
  }
  return arg;
}

static bool is_bool_slot(tp_fb *fb, const tp_fslot *slot) {
  LLVMTypeRef type = LLVMGetAllocatedType(slot->inst);
  if (!slot->type.id || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 8) return false;
  tp_fe_types_finish(fb->fe);
  return tp_type_of(fb->p, slot->type)->kind == TP_T_BOOL;
}

/* Let the parameter's variable carry the user's name, type and position. */
static bool share_with_param(tp_fb *fb, tp_fslot *slot, tp_sort sort) {
  bool only_store;
  LLVMValueRef arg = stored_argument(fb, slot->inst, &only_store);
  uint64_t i;
  if (!arg || !tp_map_get(&fb->arg_of, key(arg), &i)) return false;
  tp_fv *value = &fb->args.at[i - 1];
  if (!tp_term_is(value->t) || !tp_sort_eq(tp_sort_of(fb->tt, value->t), sort)) return false;
  slot->var = tp_program_var_of(fb->p, value->t);
  slot->is_param = true;
  slot->never_changes = only_store;
  tp_var_info *info = &fb->p->vars.at[slot->var.id];
  if (slot->name) info->name = slot->name, info->type = slot->type, info->pos = slot->pos;
  return true;
}

static const char *slot_name(tp_fb *fb, const tp_fslot *slot) {
  if (slot->name && *slot->name) return slot->name;
  size_t n;
  const char *name = LLVMGetValueName2(slot->inst, &n);
  return n ? tp_arena_strndup(&fb->p->arena, name, n) : "tmp";
}

/* clang does not say where the block of a compound literal ends. */
static void say_compound_literal(tp_fb *fb) {
  static const char text[] = "compound literals live until their function returns";
  uint64_t k = tp_hash_bytes(text, sizeof text, 1);
  if (!fb->fe->check_deref || tp_map_has(&fb->fe->said, k)) return;
  tp_map_set(&fb->fe->said, k, 1);
  tp_vec_push(&fb->p->assumptions, text);
}

static void make_slot(tp_fb *fb, tp_fslot *slot) {
  tp_fe *fe = fb->fe;
  LLVMTypeRef type = LLVMGetAllocatedType(slot->inst);
  tp_sort sort;
  LLVMValueRef count = LLVMGetOperand(slot->inst, 0);
  slot->is_dynamic = !LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1;
  slot->size_bytes = slot->is_dynamic ? 0 : LLVMABISizeOfType(fe->layout, type);
  slot->is_object = !tp_fe_promotable(fe, slot->inst);
  const char *name = slot->name;
  slot->name = slot_name(fb, slot);
  tp_var_info info = {.name = slot->name, .func = fb->func, .type = slot->type, .pos = slot->pos,
                      .kind = name ? TP_V_LOCAL : TP_V_TEMP, .is_address = slot->is_object};
  if (!slot->is_object) {
    (void)tp_fe_sort(fe, type, &sort);
    slot->bool_sorted = is_bool_slot(fb, slot);
    if (slot->bool_sorted) sort = tp_sort_bool(fb->tt);
    if (!share_with_param(fb, slot, sort)) slot->var = tp_program_add_var(fb->p, info, sort);
    return;
  }
  slot->has_markers = has_lifetime_markers(slot->inst);
  if (!slot->has_markers && strncmp(slot->name, ".compoundliteral", 16) == 0) say_compound_literal(fb);
  slot->var = tp_program_add_var(fb->p, info, tp_sort_ptr(fb->tt));
}

/* Is the storage used in the entry block before its declaration? So are parameters that come in pieces (structs by
 * value): the pieces are put together first. */
static bool used_before(tp_fb *fb, LLVMValueRef alloca, LLVMValueRef declare) {
  const tp_fblock *entry = &fb->plan.blocks[0];
  for (uint32_t i = entry->first; i < entry->end && fb->plan.at[i].inst != declare; i++) {
    LLVMValueRef inst = fb->plan.at[i].inst;
    for (int k = 0, n = LLVMGetNumOperands(inst); k < n; k++)
      if (LLVMGetOperand(inst, (unsigned)k) == alloca) return true;
  }
  return false;
}

/* An object whose declaration is executed exactly once, in the entry block, needs no precautions. */
static void place_slot(tp_fb *fb, tp_fslot *slot, LLVMValueRef declare) {
  const tp_fblock *entry = &fb->plan.blocks[0];
  bool in_entry = declare && LLVMGetInstructionParent(declare) == entry->bb;
  slot->set_first = in_entry && used_before(fb, slot->inst, declare);
  if (!slot->is_object || slot->is_dynamic) return;
  bool only_store;
  bool param = stored_argument(fb, slot->inst, &only_store) != NULL || slot->set_first;
  slot->at_entry = !slot->has_markers && (!declare || param);
  slot->once = slot->at_entry || in_entry;
}

/* Byval arguments: the callee makes the copy. */
static void copy_byval_params(tp_fb *fb, const tp_map *declares) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 0; i < LLVMCountParams(fb->fn); i++) {
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(fb->fn, i + 1, kind);
    if (!byval) continue;
    LLVMValueRef arg = LLVMGetParam(fb->fn, i);
    tp_fslot slot = {.inst = arg, .is_object = true, .at_entry = true, .once = true};
    uint64_t declare;
    if (tp_map_get(declares, key(arg), &declare)) describe(fb, &slot, (LLVMValueRef)(uintptr_t)declare);
    slot.size_bytes = LLVMABISizeOfType(fb->fe->layout, LLVMGetTypeAttributeValue(byval));
    tp_fv from = fb->args.at[i];
    const char *name = tp_var_of(fb->p, tp_program_var_of(fb->p, from.t))->name;
    tp_var_info info = {.name = slot.name ? slot.name : name, .func = fb->func, .type = slot.type, .pos = slot.pos,
                        .kind = TP_V_LOCAL, .is_address = true};
    slot.name = info.name;
    slot.var = tp_program_add_var(fb->p, info, tp_sort_ptr(fb->tt));
    tp_vec_push(&fb->slots, slot);
    tp_fb_make_object(fb, &slot, true);
    tp_term to = tp_var_of(fb->p, slot.var)->term;
    (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_COPY, .a = to, .b = from.t, .type = slot.type,
                                        .c = tp_fe_size_term(fb->fe, slot.size_bytes)});
    fb->args.at[i] = (tp_fv){.t = to, .pointee = slot.type};
  }
}

// --------------------------------------------------- is a variable read unset?

static bool stores_to(LLVMValueRef inst, LLVMValueRef alloca) {
  return LLVMIsAStoreInst(inst) && LLVMGetOperand(inst, 1) == alloca;
}
static bool loads_from(LLVMValueRef inst, LLVMValueRef alloca) {
  return LLVMIsALoadInst(inst) && LLVMGetOperand(inst, 0) == alloca;
}

/* May a load of the variable be reached from instruction `start` with no store (or declaration) before it? A plain
 * search; after `limit` blocks it says yes. */
static bool read_unset_from(tp_fb *fb, LLVMValueRef alloca, uint32_t start, LLVMValueRef declare) {
  tp_fplan *plan = &fb->plan;
  tp_mark mark = tp_arena_mark(&fb->fe->scratch);
  uint8_t *seen = tp_arena_array(&fb->fe->scratch, uint8_t, plan->n_blocks);
  uint32_t *work = tp_arena_array(&fb->fe->scratch, uint32_t, plan->n_blocks + 1);
  uint32_t n = 0, visited = 0;
  bool found = false;
  uint32_t block = plan->at[start].block, i = start;
  for (;;) {
    bool stopped = false;
    for (; i < plan->blocks[block].end && !stopped; i++) {
      LLVMValueRef inst = plan->at[i].inst;
      if (loads_from(inst, alloca)) found = stopped = true;
      if (stores_to(inst, alloca) || (inst == declare && i != start)) stopped = true;
    }
    for (uint32_t k = 0; !stopped && k < plan->blocks[block].n_succ; k++) {
      uint32_t s = plan->blocks[block].succ[k];
      if (!seen[s]) seen[s] = 1, work[n++] = s;
    }
    if (++visited > 20000) found = true;
    if (found || n == 0) break;
    block = work[--n];
    i = plan->blocks[block].first;
  }
  tp_arena_release(&fb->fe->scratch, mark);
  return found;
}

static void havoc_slot(tp_fb *fb, const tp_fslot *slot) {
  if (!tp_fb_slot(fb, slot->inst)) return;
  tp_fb_will_change(fb, slot->var);
  tp_fb_havoc(fb, slot->var, TP_I_INDETERMINATE, slot->name, false);
}

/* Local variables that may be read before their declaration is passed (or have none): indeterminate from the start. */
static void havoc_early(tp_fb *fb, const tp_map *declares) {
  for (size_t i = 0; i < fb->slots.n; i++) {
    tp_fslot slot = fb->slots.at[i];
    uint64_t d = 0;
    if (slot.is_object || slot.is_param) continue;
    (void)tp_map_get(declares, key(slot.inst), &d);
    if (read_unset_from(fb, slot.inst, 0, (LLVMValueRef)(uintptr_t)d)) havoc_slot(fb, &slot);
  }
}

// ---------------------------------------------------------------- the frame

void tp_fb_classify_slots(tp_fb *fb) {
  tp_map declares = {0};
  for (uint32_t i = 0; i < fb->plan.n_inst; i++) {
    LLVMValueRef inst = fb->plan.at[i].inst;
    LLVMValueRef storage = LLVMIsADbgDeclareInst(inst) ? declared_storage(inst) : NULL;
    if (storage && !tp_map_has(&declares, key(storage))) tp_map_set(&declares, key(storage), key(inst));
  }
  for (uint32_t i = 0; i < fb->plan.n_inst; i++) {
    LLVMValueRef inst = fb->plan.at[i].inst;
    if (!LLVMIsAAllocaInst(inst)) continue;
    tp_fslot slot = {.inst = inst};
    uint64_t d = 0;
    if (tp_map_get(&declares, key(inst), &d)) describe(fb, &slot, (LLVMValueRef)(uintptr_t)d);
    make_slot(fb, &slot);
    place_slot(fb, &slot, (LLVMValueRef)(uintptr_t)d);
    tp_vec_push(&fb->slots, slot);
    tp_map_set(&fb->slot_of, key(inst), fb->slots.n);
  }
  size_t n = fb->slots.n;
  copy_byval_params(fb, &declares);
  for (size_t i = 0; i < n; i++) {
    tp_fslot slot = fb->slots.at[i];
    bool only_store;
    if (!slot.is_object) continue;
    if (slot.at_entry) tp_fb_make_object(fb, &slot, stored_argument(fb, slot.inst, &only_store) != NULL);
    else if (!slot.once && !slot.has_markers) tp_fb_assign(fb, slot.var, tp_mk_null(fb->tt));
  }
  havoc_early(fb, &declares);
  tp_map_clear(&declares);
}

tp_var tp_fb_alloc(tp_fb *fb, tp_var v, tp_term size, tp_object_kind kind, tp_term fill, const char *name, tp_type type) {
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ALLOC, .var = v, .a = size, .b = fill, .object_kind = kind,
                                      .input = TP_I_INDETERMINATE, .name = name, .type = type});
  return v;
}

static void end_scope(tp_fb *fb, tp_var v) {
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = tp_var_of(fb->p, v)->term});
}

void tp_fb_make_object(tp_fb *fb, tp_fslot *slot, bool filled) {
  tp_term zero = filled ? tp_mk_bv(fb->tt, 8, 0) : TP_TERM_NONE;
  tp_pos before = fb->pos;
  if (tp_pos_known(slot->pos)) fb->pos = slot->pos;
  (void)tp_fb_alloc(fb, slot->var, tp_fe_size_term(fb->fe, slot->size_bytes), TP_O_STACK, zero, slot->name, slot->type);
  fb->pos = before;
}

/* Before a return: everything that no marker has ended. */
void tp_fb_end_scopes(tp_fb *fb) {
  for (size_t i = 0; i < fb->slots.n; i++)
    if (fb->slots.at[i].is_object && !fb->slots.at[i].has_markers) end_scope(fb, fb->slots.at[i].var);
}

// ------------------------------------------------- starts and ends of lifetime

typedef struct {
  LLVMValueRef pointer;
  uint64_t offset;
} piece;

/* Where in the object `p` points, if that is a constant among the pieces known. */
static bool find_piece(const piece *pieces, size_t n, LLVMValueRef p, uint64_t *offset) {
  for (size_t i = 0; i < n; i++)
    if (pieces[i].pointer == p) {
      *offset = pieces[i].offset;
      return true;
    }
  return false;
}

static bool uses(LLVMValueRef inst, const piece *pieces, size_t n) {
  uint64_t ignored;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(inst); k++)
    if (find_piece(pieces, n, LLVMGetOperand(inst, k), &ignored)) return true;
  return false;
}

static bool constant_gep(tp_fb *fb, LLVMValueRef gep, uint64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (!LLVMIsAConstantInt(index)) return false;
    uint64_t k = (uint64_t)LLVMConstIntGetSExtValue(index);
    if (i == 1) *offset += k * LLVMABISizeOfType(fb->fe->layout, type);
    else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      *offset += LLVMOffsetOfElement(fb->fe->layout, type, (unsigned)k);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)k);
    } else {
      type = LLVMGetElementType(type);
      *offset += k * LLVMABISizeOfType(fb->fe->layout, type);
    }
  }
  return true;
}

enum { MAX_PIECES = 64, MAX_SCAN = 400, MAX_COVER = 1024 };

/* Does the code right behind the declaration write all bytes before anything else touches the object? Then its
 * first content is no input. */
static bool is_filled_at_once(tp_fb *fb, const tp_fslot *slot, LLVMValueRef from) {
  piece pieces[MAX_PIECES] = {{slot->inst, 0}};
  size_t n = 1;
  uint8_t covered[MAX_COVER] = {0};
  uint64_t left = slot->size_bytes;
  int steps = 0;
  for (LLVMValueRef i = LLVMGetNextInstruction(from); i && steps < MAX_SCAN; i = LLVMGetNextInstruction(i), steps++) {
    uint64_t at = 0;
    if (LLVMIsADbgInfoIntrinsic(i) || marker_callee(i, "llvm.lifetime.") || !uses(i, pieces, n)) continue;
    bool whole = marker_callee(i, "llvm.memcpy.") || marker_callee(i, "llvm.memset.");
    if (whole) {
      LLVMValueRef size = LLVMGetOperand(i, 2), source = LLVMGetOperand(i, 1);
      return LLVMGetOperand(i, 0) == slot->inst && !find_piece(pieces, n, source, &at) && LLVMIsAConstantInt(size) &&
             LLVMConstIntGetZExtValue(size) == slot->size_bytes;
    }
    if (LLVMIsAGetElementPtrInst(i) && n < MAX_PIECES && find_piece(pieces, n, LLVMGetOperand(i, 0), &at) &&
        constant_gep(fb, i, &at)) {
      pieces[n++] = (piece){i, at};
    } else if (LLVMIsAStoreInst(i) && !find_piece(pieces, n, LLVMGetOperand(i, 0), &at) &&
               find_piece(pieces, n, LLVMGetOperand(i, 1), &at)) {
      uint64_t size = LLVMStoreSizeOfType(fb->fe->layout, LLVMTypeOf(LLVMGetOperand(i, 0)));
      if (at > slot->size_bytes || size > slot->size_bytes - at || slot->size_bytes > MAX_COVER) return false;
      for (uint64_t k = at; k < at + size; k++)
        if (!covered[k]) covered[k] = 1, left--;
      if (left == 0) return true;
    } else {
      return false;
    }
  }
  return false;
}

/* The declaration (or start marker) of an object is executed. */
static void start_object(tp_fb *fb, tp_fslot slot, LLVMValueRef at) {
  if (slot.at_entry || slot.is_dynamic) return;
  tp_fb_will_change(fb, slot.var);
  bool in_cycle = fb->plan.blocks[fb->block].in_cycle;
  if (!slot.has_markers && !slot.once && in_cycle) end_scope(fb, slot.var);
  tp_fb_make_object(fb, &slot, is_filled_at_once(fb, &slot, at));
}

/* dbg.declare: the declaration is executed. */
void tp_fb_declare(tp_fb *fb, LLVMValueRef inst) {
  LLVMValueRef storage = LLVMIsADbgDeclareInst(inst) ? declared_storage(inst) : LLVMGetOperand(inst, 1);
  bool marker = !LLVMIsADbgDeclareInst(inst);
  const tp_fslot *found = storage ? tp_fb_slot(fb, storage) : NULL;
  if (!found || !LLVMIsAAllocaInst(storage)) return;
  tp_fslot slot = *found;
  if (marker && marker_callee(inst, "llvm.lifetime.end")) {
    if (slot.is_object) end_scope(fb, slot.var);
    return;
  }
  if (slot.is_object) {
    if (slot.has_markers == marker) start_object(fb, slot, inst);
    return;
  }
  if (marker || slot.is_param || slot.set_first) return;
  if (read_unset_from(fb, slot.inst, fb->at, inst)) {
    tp_pos before = fb->pos;
    fb->pos = slot.pos;
    havoc_slot(fb, &slot);
    fb->pos = before;
  }
}

/* Allocas of a size known at run time only: variable-length arrays and alloca(). */
void tp_fb_lower_alloca(tp_fb *fb, LLVMValueRef inst) {
  tp_fslot *slot = tp_fb_slot(fb, inst);
  if (!slot->is_object) return;
  tp_fv address = {.t = tp_var_of(fb->p, slot->var)->term, .pointee = slot->type};
  if (slot->is_dynamic) {
    tp_fv count;
    tp_fslot copy = *slot;
    bool is_vla = tp_var_of(fb->p, copy.var)->kind == TP_V_LOCAL;
    bool in_cycle = fb->plan.blocks[fb->block].in_cycle;
    if (!is_vla && in_cycle && fb->fe->check_deref) {
      tp_fb_unsupported(fb, "alloca in a loop");
      return;
    }
    if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &count)) return;
    tp_term n = tp_mk_resize(fb->tt, fb->fe->ptr_bits, false, count.t);
    uint64_t each = LLVMABISizeOfType(fb->fe->layout, LLVMGetAllocatedType(inst));
    if (in_cycle && is_vla) end_scope(fb, copy.var);
    (void)tp_fb_alloc(fb, copy.var, tp_mk2(fb->tt, TP_OP_BV_MUL, n, tp_fe_size_term(fb->fe, each)), TP_O_STACK,
                      TP_TERM_NONE, copy.name, copy.type);
  }
  tp_fb_set(fb, inst, address);
}

static uint32_t position(const tp_fb *fb, LLVMValueRef inst) {
  uint64_t i = 0;
  (void)tp_map_get(&fb->plan.index, key(inst), &i);
  return (uint32_t)i;
}

/* The stack is cut back to where `saved` was taken: the variable-length arrays made in between have ended. Their
 * variables become null, so that a second end does nothing. */
void tp_fb_end_arrays(tp_fb *fb, LLVMValueRef restore) {
  LLVMValueRef load = LLVMGetOperand(restore, 0), saved = NULL;
  if (!fb->fe->check_deref || !LLVMIsALoadInst(load)) return;
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMGetOperand(load, 0)); u && !saved; u = LLVMGetNextUse(u))
    if (LLVMIsAStoreInst(LLVMGetUser(u))) saved = LLVMGetUser(u);
  for (size_t i = 0; saved && i < fb->slots.n; i++) {
    tp_fslot slot = fb->slots.at[i];
    bool is_array = slot.is_dynamic && tp_var_of(fb->p, slot.var)->kind == TP_V_LOCAL;
    if (!is_array || position(fb, slot.inst) < position(fb, saved) || position(fb, slot.inst) > position(fb, restore)) continue;
    end_scope(fb, slot.var);
    tp_fb_assign(fb, slot.var, tp_mk_null(fb->tt));
  }
}

// --------------------------------------------------------------------- checks

/* The variable or static at the root of an address and the offset from it. */
typedef struct {
  bool known;                  // size_bytes is the object's, which is alive
  uint64_t size_bytes;
  bool is_const;
  tp_term offset;
} root;

static root find_root(tp_fb *fb, tp_term p) {
  tp_terms *tt = fb->tt;
  root r = {.offset = tp_fe_size_term(fb->fe, 0)};
  if (tp_kind(tt, p) == TP_OP_PTR_ADD) {
    r.offset = tp_arg(tt, p, 1);
    p = tp_arg(tt, p, 0);
  }
  uint32_t object = 0;
  if (tp_kind(tt, p) == TP_OP_PTR_CONST) {
    object = tp_ptr_const_object(tt, p);
    r.offset = tp_mk2(tt, TP_OP_BV_ADD, r.offset, tp_fe_size_term(fb->fe, tp_ptr_const_offset(tt, p)));
  }
  if (object) {
    const tp_static *s = &fb->p->statics.at[object];
    r.known = s->kind != TP_O_FUNCTION && s->size_bytes > 0;
    r.size_bytes = s->size_bytes;
    r.is_const = s->is_const;
  } else if (tp_kind(tt, p) == TP_OP_VAR) {
    tp_var v = tp_program_var_of(fb->p, p);
    for (size_t i = 0; i < fb->slots.n && v.id; i++)
      if (fb->slots.at[i].is_object && fb->slots.at[i].var.id == v.id && !fb->slots.at[i].is_dynamic) {
        r.known = true;
        r.size_bytes = fb->slots.at[i].size_bytes;
      }
  }
  return r;
}

/* off + n <= size, without wrap. */
static tp_term in_bounds(tp_terms *tt, tp_term off, tp_term n, tp_term size) {
  tp_term fits = tp_mk2(tt, TP_OP_BV_ULE, n, size);
  return tp_mk_and(tt, fits, tp_mk2(tt, TP_OP_BV_ULE, off, tp_mk_sub(tt, size, n)));
}

void tp_fb_check_access(tp_fb *fb, tp_term p, tp_term n, tp_faccess how) {
  if (!fb->fe->check_deref || fb->dead) return;
  tp_terms *tt = fb->tt;
  tp_term ok;
  root r = find_root(fb, p);
  if (r.known) {
    ok = how == TP_F_WRITE && r.is_const ? tp_mk_false(tt) : in_bounds(tt, r.offset, n, tp_fe_size_term(fb->fe, r.size_bytes));
  } else {
    tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, p), off = tp_mk1(tt, TP_OP_PTR_OFF, p);
    tp_term size = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_size)->term, object);
    tp_term live = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_live)->term, object);
    ok = tp_mk_and(tt, live, in_bounds(tt, off, n, size));
    if (how == TP_F_WRITE) {
      tp_term kind = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_kind)->term, object);
      ok = tp_mk_and(tt, ok, tp_mk_not(tt, tp_mk_eq(tt, kind, tp_mk_bv(tt, 8, TP_O_LITERAL))));
    }
  }
  // an access of no bytes touches nothing
  ok = tp_mk_or(tt, tp_mk_eq(tt, n, tp_fe_size_term(fb->fe, 0)), ok);
  const char *message = how == TP_F_WRITE ? "invalid pointer in a write: null, out of bounds, freed, out of scope or constant"
                                          : "invalid pointer in a read: null, out of bounds, freed or out of scope";
  tp_fb_check(fb, ok, TP_P_VALID_DEREF, message);
}

// ------------------------------------------------------------ loads and stores

static bool fits_bytes(tp_fb *fb, tp_sort s) {
  tp_sort_kind k = tp_sort_kind_of(fb->tt, s);
  return k != TP_SORT_BV || tp_sort_width(fb->tt, s) % 8 == 0;
}

/* The C type of an access, if it has the size of the access. */
static tp_type access_type(tp_fb *fb, const tp_fv *p, tp_sort s) {
  if (!p->pointee.id) return TP_TYPE_NONE;
  tp_fe_types_finish(fb->fe);
  tp_type t = p->pointee;
  // a struct's address is its first member's
  for (int depth = 0; depth < 8 && t.id; depth++) {
    const tp_type_info *info = tp_type_of(fb->p, t);
    if (info->kind == TP_T_STRUCT || info->kind == TP_T_UNION) t = tp_fe_member_at(fb->fe, t, 0);
    else if (info->kind == TP_T_ARRAY) t = info->element;
    else break;
  }
  return t.id && tp_type_of(fb->p, t)->size_bytes == tp_sort_bytes(fb->tt, s) ? t : TP_TYPE_NONE;
}

static tp_term address_at(tp_fb *fb, const tp_fv *p, uint64_t offset) {
  return offset ? tp_mk_ptr_add(fb->tt, p->t, tp_fe_size_term(fb->fe, offset)) : p->t;
}

static void emit_load(tp_fb *fb, tp_var to, const tp_fv *p, uint64_t offset, tp_type type, bool is_volatile) {
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_LOAD, .var = to, .a = address_at(fb, p, offset), .type = type,
                                      .volatile_access = is_volatile});
}

tp_term tp_fb_load_at(tp_fb *fb, tp_fv p, uint64_t offset, tp_sort sort) {
  tp_term n = tp_fe_size_term(fb->fe, tp_sort_bytes(fb->tt, sort));
  tp_fb_check_access(fb, address_at(fb, &p, offset), n, TP_F_READ);
  tp_var v = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  emit_load(fb, v, &p, offset, TP_TYPE_NONE, false);
  return tp_var_of(fb->p, v)->term;
}

void tp_fb_store_at(tp_fb *fb, tp_fv p, uint64_t offset, tp_term value) {
  tp_sort sort = tp_sort_of(fb->tt, value);
  tp_term to = address_at(fb, &p, offset);
  tp_fb_check_access(fb, to, tp_fe_size_term(fb->fe, tp_sort_bytes(fb->tt, sort)), TP_F_WRITE);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_STORE, .a = to, .b = value, .type = access_type(fb, &p, sort)});
}

/* Read of a variable: no edge. */
static void read_variable(tp_fb *fb, LLVMValueRef inst, tp_var var, bool fixed) {
  tp_fv v = tp_fb_read_var(fb, var);
  if (fixed) v.mask = 0, v.reads_global = false;
  if (tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, v.t)) == TP_SORT_BOOL && LLVMGetIntTypeWidth(LLVMTypeOf(inst)) == 8)
    v.t = tp_fe_bool_bv(fb->tt, 8, v.t);
  tp_fb_set(fb, inst, v);
}

static bool load_global(tp_fb *fb, LLVMValueRef inst, LLVMValueRef p) {
  tp_fglobal *g = tp_fe_global(fb->fe, p);
  if (!g || g->object) return false;
  if (tp_term_is(g->constant)) {
    tp_fv v = {.t = g->constant};
    if (tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, v.t)) == TP_SORT_BOOL) v.t = tp_fe_bool_bv(fb->tt, 8, v.t);
    tp_fb_set(fb, inst, v);
    return true;
  }
  tp_var var = g->var;
  if (g->is_extern_volatile && LLVMGetVolatile(inst)) {
    tp_fb_will_change(fb, var);
    tp_fb_havoc(fb, var, TP_I_VOLATILE, tp_var_of(fb->p, var)->name, false);
  }
  read_variable(fb, inst, var, false);
  return true;
}

/* A struct in registers: one load per element. */
static void load_parts(tp_fb *fb, LLVMValueRef inst, tp_fv p) {
  LLVMTypeRef type = LLVMTypeOf(inst);
  unsigned n = LLVMCountStructElementTypes(type);
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, n ? n : 1);
  for (unsigned i = 0; i < n; i++) {
    tp_sort sort;
    if (!tp_fe_sort(fb->fe, LLVMStructGetTypeAtIndex(type, i), &sort) || !fits_bytes(fb, sort)) {
      tp_fb_unsupported(fb, "value of a type that is not supported");
      return;
    }
    parts[i] = tp_fb_load_at(fb, p, LLVMOffsetOfElement(fb->fe->layout, type, i), sort);
  }
  tp_fb_set(fb, inst, (tp_fv){.parts = parts, .n_parts = n});
}

void tp_fb_lower_load(tp_fb *fb, LLVMValueRef inst) {
  LLVMValueRef pointer = LLVMGetOperand(inst, 0);
  const tp_fslot *slot = tp_fb_slot(fb, pointer);
  if (slot && !slot->is_object) {
    read_variable(fb, inst, slot->var, slot->never_changes);
    return;
  }
  if (LLVMIsAGlobalVariable(pointer) && load_global(fb, inst, pointer)) return;
  tp_fv p;
  tp_sort sort;
  if (!tp_fb_get(fb, pointer, &p)) return;
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMStructTypeKind) {
    load_parts(fb, inst, p);
    return;
  }
  if (!tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort) || !fits_bytes(fb, sort)) {
    bool x87 = LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMX86_FP80TypeKind;
    tp_fb_unsupported(fb, x87 ? "long double" : "value of a type that is not supported");
    return;
  }
  tp_type type = access_type(fb, &p, sort);
  tp_fb_check_access(fb, p.t, tp_fe_size_term(fb->fe, tp_sort_bytes(fb->tt, sort)), TP_F_READ);
  tp_var to = tp_fb_target(fb, inst, sort, type);
  emit_load(fb, to, &p, 0, type, LLVMGetVolatile(inst));
  tp_fb_set_target(fb, inst, to);
}

static void store_variable(tp_fb *fb, tp_var var, tp_fv value) {
  tp_sort sort = tp_sort_of(fb->tt, tp_var_of(fb->p, var)->term);
  if (tp_sort_kind_of(fb->tt, sort) == TP_SORT_BOOL && !tp_sort_eq(tp_sort_of(fb->tt, value.t), sort))
    value.t = tp_fe_to_bool(fb->tt, value.t);
  tp_fb_will_change(fb, var);
  tp_fb_assign(fb, var, value.t);
}

/* The initial store of a parameter into the variable that it shares. */
static bool is_param_store(const tp_fslot *slot, LLVMValueRef value) {
  if (LLVMIsAZExtInst(value)) value = LLVMGetOperand(value, 0);
  return slot->is_param && LLVMIsAArgument(value);
}

void tp_fb_lower_store(tp_fb *fb, LLVMValueRef inst) {
  if (inst == fb->skip) return;
  LLVMValueRef pointer = LLVMGetOperand(inst, 1), stored = LLVMGetOperand(inst, 0);
  const tp_fslot *slot = tp_fb_slot(fb, pointer);
  tp_fv value, p;
  if (slot && !slot->is_object && is_param_store(slot, stored)) return;
  if (LLVMGetTypeKind(LLVMTypeOf(stored)) == LLVMX86_FP80TypeKind) {
    tp_fb_unsupported(fb, "long double");
    return;
  }
  if (!tp_fb_get(fb, stored, &value)) return;
  if (slot && !slot->is_object) {
    store_variable(fb, slot->var, value);
    return;
  }
  tp_fglobal *g = LLVMIsAGlobalVariable(pointer) ? tp_fe_global(fb->fe, pointer) : NULL;
  if (g && !g->object) {
    store_variable(fb, g->var, value);
    return;
  }
  if (!tp_fb_get(fb, pointer, &p)) return;
  for (uint32_t i = 0; i < value.n_parts; i++)
    tp_fb_store_at(fb, p, LLVMOffsetOfElement(fb->fe->layout, LLVMTypeOf(stored), i), value.parts[i]);
  if (value.n_parts) return;
  if (!fits_bytes(fb, tp_sort_of(fb->tt, value.t))) {
    tp_fb_unsupported(fb, "value of a type that is not supported");
    return;
  }
  tp_fb_store_at(fb, p, 0, value.t);
}
