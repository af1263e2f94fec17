/* Values of instructions while a function is lowered.
 *
 * A value is a term over variables, used wherever the source uses it. That is sound as long as no
 * variable in it changes before the last use: before every assignment to a source variable, and for
 * globals before every call, the pending values that read it and are needed later are saved in
 * temporaries. Because trees of blocks branch, a saved value is valid only in the subtree of the
 * block that saved it: an undo log restores the values when lowering continues with another branch.
 * Values used in other trees are saved where they are computed. Temporaries need none of this: each
 * is written by one instruction, which dominates its uses. */
#include "front/front_priv.h"

static tp_plan_block *block_of(tp_fb *fb, LLVMBasicBlockRef bb) {
  uint64_t i = 0;
  (void)tp_map_get(&fb->plan.index, tp_fe_key(bb), &i);
  return &fb->plan.blocks[i];
}

uint32_t tp_fb_index(const tp_fb *fb, LLVMValueRef inst) {
  uint64_t i = 0;
  (void)tp_map_get(&fb->plan.index, tp_fe_key(inst), &i);
  return (uint32_t)i;
}

tp_fe_value tp_fb_read_var(tp_fb *fb, tp_var v) {
  TP_REQUIRE(v.id && v.id < fb->p->vars.n);
  const tp_var_info *info = tp_var_of(fb->p, v);
  return (tp_fe_value){.t = info->term,
                       .mask = UINT64_C(1) << (v.id & 63),
                       .reads_global = info->kind == TP_V_GLOBAL,
                       .type = info->type,
                       .pointee = tp_fe_pointee(fb->fe, info->type)};
}

/* An undefined constant: an input if it merely has no fixed value. */
static bool get_undef(tp_fb *fb, LLVMValueRef v, tp_fe_value *out) {
  tp_sort sort;
  if (LLVMIsPoison(v) || !tp_fe_sort(fb->fe, LLVMTypeOf(v), &sort)) {
    tp_fb_unsupported(fb, "constant expression without a value");
    return false;
  }
  tp_var t = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  tp_fb_havoc(fb, t, TP_I_INDETERMINATE, "undefined value", false);
  *out = (tp_fe_value){.t = tp_var_of(fb->p, t)->term};
  return true;
}

bool tp_fb_get(void *ctx, LLVMValueRef v, tp_fe_value *out) {
  tp_fb *fb = ctx;
  *out = (tp_fe_value){0};
  if (LLVMIsAInstruction(v)) {
    *out = fb->plan.at[tp_fb_index(fb, v)].v;
  } else if (LLVMIsAArgument(v)) {
    uint64_t i;
    if (tp_map_get(&fb->arg_of, tp_fe_key(v), &i)) *out = fb->args.at[i - 1];
  } else if (LLVMIsUndef(v)) {
    return get_undef(fb, v, out);
  } else if (LLVMIsAConstant(v)) {
    (void)tp_fe_const(fb->fe, v, out);
  }
  if (tp_fe_value_is_known(out)) return true;
  tp_fb_unsupported(fb, "value of a type that is not supported");
  return false;
}

typedef enum { USE_IN_OTHER_TREE, USE_LATER } use_kind;

/* Is `user` a use of the value that matters? A phi uses its operand at the end of the incoming
 * block. */
static bool use_matters(tp_fb *fb, LLVMValueRef value, LLVMValueRef user, use_kind kind) {
  const tp_plan_block *here = &fb->plan.blocks[fb->block];
  unsigned n = LLVMIsAPHINode(user) ? LLVMCountIncoming(user) : 1;
  for (unsigned i = 0; i < n; i++) {
    bool phi = LLVMIsAPHINode(user) != NULL;
    if (phi && LLVMGetIncomingValue(user, i) != value) continue;
    const tp_plan_block *b =
        block_of(fb, phi ? LLVMGetIncomingBlock(user, i) : LLVMGetInstructionParent(user));
    if (!b->reachable) continue;
    if (kind == USE_IN_OTHER_TREE) {
      if (b->root != here->root) return true;
    } else if (b == here) {
      if (phi || tp_fb_index(fb, user) > fb->at) return true;
    } else if (b->tree_in >= here->tree_in && b->tree_in < here->tree_out) {
      return true;
    }
  }
  return false;
}

static bool has_use(tp_fb *fb, LLVMValueRef value, use_kind kind) {
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAInstruction(user) && use_matters(fb, value, user, kind)) return true;
  }
  return false;
}

tp_term tp_fb_save_term(tp_fb *fb, tp_term t, tp_type type) {
  TP_REQUIRE(tp_term_is(t));
  if (tp_is_const(fb->tt, t)) return t;
  tp_var v = tp_fb_temp(fb, tp_sort_of(fb->tt, t), type);
  tp_fb_assign(fb, v, t);
  return tp_var_of(fb->p, v)->term;
}

/* Put the value into temporaries, so that it no longer depends on source variables. */
static tp_fe_value saved(tp_fb *fb, tp_fe_value v) {
  if (tp_term_is(v.t)) v.t = tp_fb_save_term(fb, v.t, v.type);
  if (v.n_parts) {
    tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, v.n_parts);
    for (uint32_t i = 0; i < v.n_parts; i++)
      parts[i] = tp_fb_save_term(fb, v.parts[i], TP_TYPE_NONE);
    v.parts = parts;
  }
  v.mask = 0;
  v.reads_global = false;
  return v;
}

void tp_fb_set(tp_fb *fb, LLVMValueRef inst, tp_fe_value v) {
  TP_REQUIRE(tp_fe_value_is_known(&v));
  uint32_t i = tp_fb_index(fb, inst);
  if (v.mask && !fb->dead) {
    if (has_use(fb, inst, USE_IN_OTHER_TREE))
      v = saved(fb, v);
    else if (LLVMGetFirstUse(inst))
      tp_vec_push(&fb->pending, i);
  }
  fb->plan.at[i].v = v;
}

void tp_fb_set_term(tp_fb *fb, LLVMValueRef inst, tp_term t, const tp_fe_value *a,
                    const tp_fe_value *b) {
  tp_fe_value v = {.t = t};
  if (a) v.mask |= a->mask, v.reads_global |= a->reads_global;
  if (b) v.mask |= b->mask, v.reads_global |= b->reads_global;
  tp_fb_set(fb, inst, v);
}

void tp_fb_set_target(tp_fb *fb, LLVMValueRef inst, tp_var v) {
  tp_fe_value r = {.t = tp_var_of(fb->p, v)->term, .type = tp_var_of(fb->p, v)->type};
  r.pointee = tp_fe_pointee(fb->fe, r.type);
  fb->plan.at[tp_fb_index(fb, inst)].v = r;
}

bool tp_fb_mentions(tp_fb *fb, const tp_fe_value *v, tp_term symbol) {
  TP_REQUIRE(tp_kind(fb->tt, symbol) == TP_OP_VAR);
  bool found = tp_occurs(fb->tt, symbol, v->t);
  for (uint32_t i = 0; i < v->n_parts; i++) found |= tp_occurs(fb->tt, symbol, v->parts[i]);
  return found;
}

static void save_pending(tp_fb *fb, uint32_t inst) {
  TP_REQUIRE(inst < fb->plan.n_inst);
  tp_fe_value *v = &fb->plan.at[inst].v;
  tp_vec_push(&fb->undo, (tp_undo_entry){inst, *v});
  *v = saved(fb, *v);
}

void tp_fb_save_readers(tp_fb *fb, tp_var var) {
  TP_REQUIRE(var.id && var.id < fb->p->vars.n);
  uint64_t bit = UINT64_C(1) << (var.id & 63);
  tp_term symbol = tp_var_of(fb->p, var)->term;
  for (size_t i = 0; i < fb->pending.n && !fb->dead; i++) {
    const tp_plan_inst *f = &fb->plan.at[fb->pending.at[i]];
    if ((f->v.mask & bit) && has_use(fb, f->inst, USE_LATER) && tp_fb_mentions(fb, &f->v, symbol))
      save_pending(fb, fb->pending.at[i]);
  }
}

void tp_fb_save_global_readers(tp_fb *fb) {
  for (size_t i = 0; i < fb->pending.n && !fb->dead; i++) {
    const tp_plan_inst *f = &fb->plan.at[fb->pending.at[i]];
    if (f->v.reads_global && has_use(fb, f->inst, USE_LATER)) save_pending(fb, fb->pending.at[i]);
  }
}

/* Drop what is not needed any more from the part of the list that this block has added. */
void tp_fb_compact_pending(tp_fb *fb, size_t start) {
  TP_REQUIRE(start <= fb->pending.n);
  size_t n = start;
  for (size_t i = start; i < fb->pending.n; i++) {
    uint32_t inst = fb->pending.at[i];
    if (fb->plan.at[inst].v.mask && has_use(fb, fb->plan.at[inst].inst, USE_LATER))
      fb->pending.at[n++] = inst;
  }
  fb->pending.n = n;
}

/* Back to the state of an earlier moment: what was saved since then holds no more. */
void tp_fb_restore(tp_fb *fb, size_t undo, size_t pending) {
  TP_REQUIRE(undo <= fb->undo.n);
  while (fb->undo.n > undo) {
    tp_undo_entry u = tp_vec_pop(&fb->undo);
    fb->plan.at[u.inst].v = u.old;
  }
  fb->pending.n = pending;
}

// -------------------------------------------------------------------- targets

static LLVMValueRef next_real(LLVMValueRef inst) {
  LLVMValueRef i = LLVMGetNextInstruction(inst);
  while (i && LLVMIsADbgInfoIntrinsic(i)) i = LLVMGetNextInstruction(i);
  return i;
}

/* The variable that a LOAD, CALL or HAVOC for `inst` writes: the user's if the next thing is to
 * store it there. */
tp_var tp_fb_target(tp_fb *fb, LLVMValueRef inst, tp_sort sort, tp_type type) {
  LLVMValueRef next = next_real(inst);
  LLVMUseRef use = LLVMGetFirstUse(inst);
  if (next && LLVMIsAStoreInst(next) && LLVMGetOperand(next, 0) == inst && use &&
      !LLVMGetNextUse(use)) {
    LLVMValueRef p = LLVMGetOperand(next, 1);
    const tp_stack_slot *slot = tp_fb_slot(fb, p);
    tp_var v = TP_VAR_NONE;
    if (slot && !slot->is_object) v = slot->var;
    if (LLVMIsAGlobalVariable(p)) v = tp_fe_global(fb->fe, p)->var;
    if (v.id && tp_sort_eq(tp_sort_of(fb->tt, tp_var_of(fb->p, v)->term), sort)) {
      tp_fb_save_readers(fb, v);
      fb->skip = next;
      return v;
    }
  }
  return tp_fb_temp(fb, sort, type);
}
