/* Lowering one function: its blocks and control flow.
 *
 * Blocks are lowered tree by tree (plan.c), from a worklist that starts with the entry and grows
 * with every root that an edge reaches; unreachable roots are not lowered. Phis of a root become
 * assignments on the edges into it; phis within a tree are values. Absorbed blocks are evaluated
 * where the branch that absorbed them ends. */
#include "front/front_priv.h"

static tp_loc new_loc(tp_fb *fb) {
  return tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func});
}
static tp_loc_info *loc_info(tp_fb *fb, tp_loc l) { return &fb->p->locs.at[l.id]; }

static void lower_inst(tp_fb *fb, LLVMValueRef inst);

static void schedule(tp_fb *fb, uint32_t block) {
  TP_REQUIRE(block < fb->plan.n_blocks);
  tp_plan_block *b = &fb->plan.blocks[block];
  if (b->loc.id) return;
  b->loc = new_loc(fb);
  loc_info(fb, b->loc)->label = b->label;
  tp_vec_push(&fb->roots, block);
}

/* Blocks that only jump on are passed over, if nothing is asked there; the count bounds cycles of
 * them. */
static uint32_t skip_empty(tp_fb *fb, uint32_t block) {
  for (int n = 0; n < 64; n++) {
    const tp_plan_block *b = &fb->plan.blocks[block];
    LLVMValueRef first = LLVMGetFirstInstruction(b->bb);
    if (b->label || b->is_endless || b->n_succ != 1 || b->end - b->first != 1 ||
        !LLVMIsABranchInst(first))
      return block;
    uint32_t to = b->succ[0];
    if (LLVMIsAPHINode(fb->plan.at[fb->plan.blocks[to].first].inst) ||
        fb->plan.blocks[to].parent == block)
      return block;
    block = to;
  }
  return block;
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
  TP_REQUIRE(LLVMIsAPHINode(phi));
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from) return LLVMGetIncomingValue(phi, i);
  return NULL;
}

static bool phi_value(tp_fb *fb, LLVMValueRef phi, uint32_t block, tp_fe_value *out);

/* The phis of a block that is reached from `from` only. */
static void set_phis(tp_fb *fb, uint32_t from, uint32_t block) {
  TP_REQUIRE(from < fb->plan.n_blocks && block < fb->plan.n_blocks);
  const tp_plan_block *b = &fb->plan.blocks[block];
  fb->block = block;
  for (uint32_t i = b->first; i < b->end && LLVMIsAPHINode(fb->plan.at[i].inst); i++) {
    tp_fe_value v;
    fb->at = i;
    if (!LLVMGetFirstUse(fb->plan.at[i].inst)) continue;
    if (!phi_value(fb, fb->plan.at[i].inst, from, &v)) return;
    tp_fb_set(fb, fb->plan.at[i].inst, v);
  }
}

/* Evaluate the absorbed blocks below `block`, inner ones included. Depth is bounded by the plan. */
static void lower_absorbed(tp_fb *fb, uint32_t block) {
  TP_REQUIRE(block < fb->plan.n_blocks);
  const tp_plan_block *b = &fb->plan.blocks[block];
  for (uint32_t k = 0; k < b->n_succ && b->join != TP_NO_BLOCK; k++) {
    uint32_t from = block;
    for (uint32_t at = b->succ[k]; at != b->join;
         from = at, at = tp_lowering_plan_next(&fb->plan, at)) {
      const tp_plan_block *s = &fb->plan.blocks[at];
      set_phis(fb, from, at);
      for (uint32_t i = s->first; i + 1 < s->end; i++) {
        fb->at = i;
        lower_inst(fb, fb->plan.at[i].inst);
      }
      lower_absorbed(fb, at);
    }
  }
}

/* Value of a phi when control comes from `block` (folded if it is). */
static bool phi_value(tp_fb *fb, LLVMValueRef phi, uint32_t block, tp_fe_value *out) {
  TP_REQUIRE(LLVMIsAPHINode(phi) && block < fb->plan.n_blocks);
  const tp_plan_block *b = &fb->plan.blocks[block];
  if (b->join == TP_NO_BLOCK) return tp_fb_get(fb, incoming(phi, b->bb), out);
  tp_fe_value c, side[2];
  if (!tp_fb_get(fb, LLVMGetCondition(LLVMGetBasicBlockTerminator(b->bb)), &c)) return false;
  for (uint32_t k = 0; k < 2; k++) {
    uint32_t last = block;
    for (uint32_t at = b->succ[k]; at != b->join; at = tp_lowering_plan_next(&fb->plan, at))
      last = at;
    bool direct = last == block;
    if (direct ? !tp_fb_get(fb, incoming(phi, b->bb), &side[k])
               : !phi_value(fb, phi, last, &side[k]))
      return false;
  }
  *out =
      (tp_fe_value){.t = tp_mk_ite(fb->tt, c.t, side[0].t, side[1].t),
                    .mask = c.mask | side[0].mask | side[1].mask,
                    .reads_global = c.reads_global || side[0].reads_global || side[1].reads_global,
                    .pointee = side[0].pointee,
                    .type = side[0].type};
  return true;
}

static tp_var phi_var(tp_fb *fb, LLVMValueRef phi) {
  TP_REQUIRE(LLVMIsAPHINode(phi));
  tp_plan_inst *f = &fb->plan.at[tp_fb_index(fb, phi)];
  tp_sort sort;
  if (tp_term_is(f->v.t)) return tp_program_var_of(fb->p, f->v.t);
  if (!tp_fe_sort(fb->fe, LLVMTypeOf(phi), &sort)) return TP_VAR_NONE;
  tp_var v = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  f->v = (tp_fe_value){.t = tp_var_of(fb->p, v)->term};
  return v;
}

/* The last operand of `a && b` or `a || b` whose value is used is the value on its way to a phi of
 * bits, and a constant is that of the others. An operand that is such a phi has shown its own. */
static void show_operand(tp_fb *fb, LLVMValueRef phi, LLVMValueRef operand, tp_term value) {
  TP_REQUIRE(LLVMIsAPHINode(phi) && operand && tp_fb_shows_choices(fb));
  while (LLVMIsAInstruction(operand) && LLVMGetInstructionOpcode(operand) == LLVMXor)
    operand = LLVMGetOperand(operand, 0);  // !
  if (LLVMIsAPHINode(operand)) return;
  bool has_constant = false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    has_constant |= LLVMIsAConstantInt(LLVMGetIncomingValue(phi, i)) != NULL;
  if (!has_constant || tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, value)) != TP_SORT_BOOL) return;
  const tp_pos before = fb->pos;
  if (LLVMIsAInstruction(operand) && tp_pos_known(tp_fe_pos_of(fb->fe, operand)))
    fb->pos = tp_fe_pos_of(fb->fe, operand);
  tp_fb_show_choice(fb, value);
  fb->pos = before;
}

/* Assign the phis of root `to` on the way from `from`: all right sides are read before any is
 * written. */
static void assign_phis(tp_fb *fb, uint32_t from, uint32_t to) {
  TP_REQUIRE(from < fb->plan.n_blocks && to < fb->plan.n_blocks);
  TP_VEC(tp_var) vars = {0};
  TP_VEC(tp_term) values = {0};
  bool ok = true;
  for (uint32_t i = fb->plan.blocks[to].first; ok && LLVMIsAPHINode(fb->plan.at[i].inst); i++) {
    LLVMValueRef phi = fb->plan.at[i].inst;
    if (!LLVMGetFirstUse(phi)) continue;
    tp_fe_value v;
    tp_var var = phi_var(fb, phi);
    if (!var.id) tp_fb_unsupported(fb, "value of a type that is not supported");
    ok = var.id && phi_value(fb, phi, from, &v) && tp_term_is(v.t);
    if (!ok) break;
    if (tp_fb_shows_choices(fb) && !fb->plan.blocks[to].decider)
      show_operand(fb, phi, incoming(phi, fb->plan.blocks[from].bb), v.t);
    tp_vec_push(&vars, var);
    tp_vec_push(&values, v.t);
  }
  for (size_t i = 1; ok && i < vars.n; i++)
    for (size_t k = 0; k < i; k++) {
      tp_fe_value v = {.t = values.at[i]};
      if (tp_fb_mentions(fb, &v, tp_var_of(fb->p, vars.at[k])->term)) {
        values.at[i] = tp_fb_save_term(fb, values.at[i], TP_TYPE_NONE);
        break;
      }
    }
  for (size_t i = 0; ok && i < vars.n; i++)
    if (!tp_term_eq(values.at[i], tp_var_of(fb->p, vars.at[i])->term))
      tp_fb_assign(fb, vars.at[i], values.at[i]);
  tp_vec_clear(&vars);
  tp_vec_clear(&values);
}

/* Does control that goes from `from` to `to` know where it leaves `to` again? */
static bool passes_by(const tp_fb *fb, uint32_t from, uint32_t to, uint32_t *next) {
  const tp_plan_block *f = &fb->plan.blocks[from], *t = &fb->plan.blocks[to];
  if (!t->decider || t->is_endless || f->join != TP_NO_BLOCK || t->parent == from) return false;
  LLVMValueRef v = incoming(t->decider, f->bb);
  if (!v || !LLVMIsAConstantInt(v)) return false;
  *next = t->succ[LLVMConstIntGetZExtValue(v) ? 0 : 1];
  return true;
}

/* Control goes from the end of `from` to `to`. */
static void enter(tp_fb *fb, uint32_t from, uint32_t to) {
  TP_REQUIRE(from < fb->plan.n_blocks && to < fb->plan.n_blocks);
  if (fb->dead) return;
  uint32_t next;
  if (passes_by(fb, from, to, &next)) from = to, to = next;
  if (fb->plan.blocks[to].parent == from) {
    if (fb->plan.blocks[to].label && fb->cur_edge)
      loc_info(fb, fb->cur)->label = fb->plan.blocks[to].label;
    tp_vec_push(&fb->stack,
                (tp_lowering_item){to, fb->cur, fb->cur_edge, fb->undo.n, fb->pending.n});
    fb->dead = true;
    return;
  }
  assign_phis(fb, from, to);
  uint32_t target = skip_empty(fb, to);
  if (fb->plan.blocks[target].parent != TP_NO_BLOCK) target = to;
  schedule(fb, target);
  tp_fb_goto(fb, fb->plan.blocks[target].loc);
}

/* `store %v, %retval; br %return` where the return block only gives it back: return at once. */
static bool return_at_once(tp_fb *fb, uint32_t to) {
  const tp_plan_block *b = &fb->plan.blocks[to];
  LLVMValueRef term = LLVMGetBasicBlockTerminator(b->bb);
  if (fb->dead || !fb->cur_edge || !LLVMIsAReturnInst(term) || LLVMGetNumOperands(term) != 1)
    return false;
  LLVMValueRef load = LLVMGetOperand(term, 0);
  if (!LLVMIsALoadInst(load) || LLVMGetFirstInstruction(b->bb) != load ||
      LLVMGetNextInstruction(load) != term)
    return false;
  const tp_stack_slot *slot = tp_fb_slot(fb, LLVMGetOperand(load, 0));
  tp_edge_info *e = &fb->p->edges.at[fb->cur_edge];
  if (!slot || slot->is_object || slot->bool_sorted || e->kind != TP_E_ASSIGN ||
      e->var.id != slot->var.id)
    return false;
  for (size_t i = 0; i < fb->slots.n; i++)
    if (fb->slots.at[i].is_object) return false;
  if (fb->is_main && tp_fe_main_ends_with_work(fb->fe)) return false;
  e->kind = TP_E_RETURN;
  e->var = TP_VAR_NONE;
  tp_fb_goto(fb, fb->exit);
  return true;
}

/* A branch of which one side is the trap of a check: an error here, or on with the other side. */
static bool lower_check(tp_fb *fb, uint32_t block, tp_term cond) {
  const tp_plan_block *b = &fb->plan.blocks[block];
  for (uint32_t k = 0; k < 2; k++) {
    const char *message;
    tp_property kind = tp_fe_trap_block(fb->fe, fb->plan.blocks[b->succ[k]].bb, &message);
    if (kind == TP_P_NONE) continue;
    tp_term ok = k == 1 ? cond : tp_mk_not(fb->tt, cond);
    if (tp_is_false(fb->tt, ok)) {
      tp_fb_error_here(fb, kind, message);
    } else {
      tp_fb_check(fb, ok, kind, message);
      enter(fb, block, b->succ[1 - k]);
    }
    return true;
  }
  return false;
}

static void lower_branch(tp_fb *fb, uint32_t block, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsABranchInst(inst));
  const tp_plan_block *b = &fb->plan.blocks[block];
  if (b->join != TP_NO_BLOCK) {
    if (fb->plan.blocks[b->join].parent != block) {
      lower_absorbed(fb, block);
      fb->block = block;
    }
    enter(fb, block, b->join);
    return;
  }
  if (b->n_succ == 1) {
    if (!return_at_once(fb, b->succ[0])) enter(fb, block, b->succ[0]);
    return;
  }
  tp_fe_value c;
  if (!tp_fb_get(fb, LLVMGetCondition(inst), &c)) return;
  if (lower_check(fb, block, c.t)) return;
  if (b->succ[0] == b->succ[1] || tp_is_const(fb->tt, c.t)) {
    enter(fb, block, b->succ[tp_is_false(fb->tt, c.t) ? 1 : 0]);
    return;
  }
  tp_loc when_false;
  tp_fb_branch(fb, c.t, &when_false);
  uint32_t no_edge = fb->cur_edge - 1;
  enter(fb, block, b->succ[0]);
  tp_fb_continue_at(fb, when_false);
  fb->cur_edge = no_edge;
  enter(fb, block, b->succ[1]);
}

static void lower_switch(tp_fb *fb, uint32_t block, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsASwitchInst(inst));
  const tp_plan_block *b = &fb->plan.blocks[block];
  tp_terms *tt = fb->tt;
  tp_fe_value v;
  if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &v)) return;
  tp_term none = tp_mk_true(tt);
  tp_loc from = fb->cur;
  uint32_t from_edge = fb->cur_edge;
  for (uint32_t k = 1; k <= b->n_succ; k++) {
    uint32_t i = k == b->n_succ ? 0 : k;  // the default comes last
    tp_term here = TP_TERM_NONE;
    bool earlier = false;
    for (uint32_t j = 1; i != 0 && j < b->n_succ && !earlier; j++) {
      if (b->succ[j] != b->succ[i]) continue;
      if (j < i) earlier = true;  // that target has been done
      tp_fe_value c;
      if (!tp_fe_const(fb->fe, LLVMGetOperand(inst, 2 * j), &c)) return;
      tp_term eq = tp_mk_eq(tt, v.t, c.t);
      here = tp_term_is(here) ? tp_mk_or(tt, here, eq) : eq;
    }
    if (earlier) continue;
    if (i != 0) none = tp_mk_and(tt, none, tp_mk_not(tt, here));
    tp_fb_continue_at(fb, from);
    fb->cur_edge = b->n_succ == 1 ? from_edge : 0;
    if (b->n_succ > 1)
      (void)tp_fb_emit(
          fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = i ? here : none, .negated = i == 0});
    enter(fb, block, b->succ[i]);
  }
  fb->dead = true;
}

/* goto *p: to the label whose address it is. */
static void lower_computed_goto(tp_fb *fb, uint32_t block, LLVMValueRef inst) {
  TP_REQUIRE(LLVMGetInstructionOpcode(inst) == LLVMIndirectBr);
  const tp_plan_block *b = &fb->plan.blocks[block];
  tp_terms *tt = fb->tt;
  tp_fe_value p;
  if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &p)) return;
  tp_loc from = fb->cur;
  tp_term none = tp_mk_true(tt);
  for (uint32_t k = 0; k < b->n_succ; k++) {
    // which label it is, not whether addresses are equal: two labels may share theirs
    uint32_t label =
        tp_ptr_const_object(tt, tp_fe_label_address(fb->fe, fb->plan.blocks[b->succ[k]].bb));
    tp_term here = tp_mk_and(
        tt, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, p.t), tp_mk_bv(tt, TP_OBJ_BITS, label)),
        tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, p.t), tp_mk_bv(tt, fb->p->ptr_bits, 0)));
    bool earlier = false;
    for (uint32_t j = 0; j < k; j++) earlier |= b->succ[j] == b->succ[k];
    if (earlier) continue;
    none = tp_mk_and(tt, none, tp_mk_not(tt, here));
    tp_fb_continue_at(fb, from);
    (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = here});
    enter(fb, block, b->succ[k]);
  }
  tp_fb_continue_at(fb, from);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = none, .negated = true});
  tp_fb_block(fb, "computed goto to no label");
}

static void lower_return(tp_fb *fb, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsAReturnInst(inst));
  tp_fe_value v = {0};
  if (LLVMGetNumOperands(inst) == 1 && !tp_fb_get(fb, LLVMGetOperand(inst, 0), &v)) return;
  for (uint32_t i = 1; i < v.n_parts; i++)
    tp_fb_assign(fb, tp_fe_part(fb->fe, tp_sort_of(fb->tt, v.parts[i]), i), v.parts[i]);
  if (v.n_parts) v.t = v.parts[0];
  tp_fb_mark_result(fb);
  tp_fb_end_scopes(fb);
  tp_fb_end_chain(fb);
  if (fb->is_main && tp_fe_main_ends_with_work(fb->fe)) {
    // the work may change what the value is made of
    if (tp_term_is(v.t)) v.t = tp_fb_save_term(fb, v.t, TP_TYPE_NONE);
    tp_fb_check_end(fb, TP_END_BY_RETURN);
  }
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_RETURN, .a = v.t});
  tp_fb_goto(fb, fb->exit);
}

static void lower_terminator(tp_fb *fb, uint32_t block, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsATerminatorInst(inst));
  switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMBr: lower_branch(fb, block, inst); break;
    case LLVMSwitch: lower_switch(fb, block, inst); break;
    case LLVMRet: lower_return(fb, inst); break;
    case LLVMUnreachable: tp_fb_block(fb, "unreachable code"); break;
    case LLVMIndirectBr: lower_computed_goto(fb, block, inst); break;
    default: tp_fb_unsupported(fb, "control transfer"); break;
  }
}

static void lower_inst(tp_fb *fb, LLVMValueRef inst) {
  if (fb->dead) return;
  tp_pos pos = tp_fe_pos_of(fb->fe, inst);
  if (tp_pos_known(pos)) fb->pos = pos;
  tp_fb_find_differences(fb, inst);
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  switch ((int)op) {
    case LLVMAlloca: tp_fb_lower_alloca(fb, inst); break;
    case LLVMLoad: tp_fb_lower_load(fb, inst); break;
    case LLVMStore: tp_fb_lower_store(fb, inst); break;
    case LLVMCall: tp_fb_lower_call(fb, inst); break;
    case LLVMPHI:
    case LLVMFence: break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: tp_fb_lower_atomic(fb, inst, op); break;
    default: tp_fb_lower_op(fb, inst, op); break;
  }
}

/* The phis of a block whose only predecessor is in the same tree are plain values. */
static void name_phis(tp_fb *fb, uint32_t block) {
  const tp_plan_block *b = &fb->plan.blocks[block];
  if (b->parent == TP_NO_BLOCK || !LLVMIsAPHINode(fb->plan.at[b->first].inst)) return;
  lower_absorbed(fb, b->parent);
  set_phis(fb, b->parent, block);
}

static void lower_block(tp_fb *fb, uint32_t block) {
  TP_REQUIRE(block < fb->plan.n_blocks && fb->plan.blocks[block].reachable);
  const tp_plan_block *b = &fb->plan.blocks[block];
  size_t start = fb->pending.n;
  if (b->label && fb->fe->label_is_error && strcmp(b->label, "ERROR") == 0) {
    fb->pos = tp_pos_known(tp_fe_pos_of(fb->fe, fb->plan.at[b->first].inst))
                  ? tp_fe_pos_of(fb->fe, fb->plan.at[b->first].inst)
                  : fb->pos;
    if (fb->dead) return;
    tp_fb_error_here(fb, TP_P_UNREACH_CALL, "label ERROR reached");
    loc_info(fb, fb->cur)->label = b->label;  // by which a replay finds it
    return;
  }
  name_phis(fb, block);
  fb->block = block;
  if (b->is_endless) tp_fb_check_turn(fb);
  for (uint32_t i = b->first; i + 1 < b->end && !fb->dead; i++) {
    fb->at = i;
    lower_inst(fb, fb->plan.at[i].inst);
    if (fb->pending.n > start + 32 && i % 16 == 0) tp_fb_compact_pending(fb, start);
  }
  if (fb->dead || b->end == b->first) return;
  fb->at = b->end - 1;
  LLVMValueRef term = fb->plan.at[fb->at].inst;
  tp_pos pos = tp_fe_pos_of(fb->fe, term);
  if (tp_pos_known(pos)) fb->pos = pos;
  tp_fb_compact_pending(fb, start);
  lower_terminator(fb, block, term);
}

static void lower_tree(tp_fb *fb, uint32_t root) {
  TP_REQUIRE(root < fb->plan.n_blocks && fb->plan.blocks[root].root == root);
  tp_fb_restore(fb, 0, 0);
  tp_vec_push(&fb->stack, (tp_lowering_item){root, fb->plan.blocks[root].loc, 0, 0, 0});
  while (fb->stack.n) {
    tp_lowering_item item = tp_vec_pop(&fb->stack);
    tp_fb_restore(fb, item.undo, item.pending);
    tp_fb_continue_at(fb, item.loc);
    fb->cur_edge = item.edge;
    lower_block(fb, item.block);
  }
}

// ------------------------------------------------------------------ functions

/* Parameters: one variable each, shared with the alloca it is stored to if that is a plain
 * variable. */
static void make_params(tp_fb *fb) {
  unsigned n = LLVMCountParams(fb->fn);
  tp_func_info *info = &fb->p->funcs.at[fb->func.id];
  info->is_variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(fb->fn)) != 0;
  tp_var *params = tp_arena_array(&fb->p->arena, tp_var, n + 1);
  uint32_t count = 0;
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef arg = LLVMGetParam(fb->fn, i);
    tp_sort sort;
    if (!tp_fe_sort(fb->fe, LLVMTypeOf(arg), &sort))
      sort = tp_sort_bv(fb->tt, 8);  // uses say "unsupported"
    size_t len;
    const char *name = LLVMGetValueName2(arg, &len);
    tp_var_info v = {.name = len ? tp_arena_strndup(&fb->p->arena, name, len)
                                 : tp_fe_printf(fb->fe, "arg%u", i + 1),
                     .kind = fb->is_main ? TP_V_LOCAL : TP_V_PARAM,
                     .func = fb->func,
                     .pos = fb->pos};
    params[count] = tp_program_add_var(fb->p, v, sort);
    tp_fe_value value = {.t = tp_var_of(fb->p, params[count])->term};
    if (!tp_fe_sort(fb->fe, LLVMTypeOf(arg), &sort)) value.t = TP_TERM_NONE;
    tp_vec_push(&fb->args, value);
    tp_map_set(&fb->arg_of, tp_fe_key(arg), fb->args.n);
    count++;
  }
  if (info->is_variadic && !fb->is_main) {
    tp_var_info v = {.name = "...", .kind = TP_V_PARAM, .func = fb->func, .pos = fb->pos};
    fb->va = params[count++] = tp_program_add_var(fb->p, v, tp_sort_ptr(fb->tt));
  }
  info = &fb->p->funcs.at[fb->func.id];
  info->params = params;
  info->n_params = fb->is_main ? 0 : count;
}

static void make_result(tp_fb *fb) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(fb->fn));
  tp_sort sort;
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) return;
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) type = LLVMStructGetTypeAtIndex(type, 0);
  if (!tp_fe_sort(fb->fe, type, &sort)) sort = tp_sort_bv(fb->tt, 8);
  tp_type c = tp_func_of(fb->p, fb->func)->type;
  if (c.id) tp_fe_types_finish(fb->fe);
  tp_type result = c.id && LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(fb->fn))) !=
                               LLVMStructTypeKind
                       ? tp_type_of(fb->p, c)->element
                       : TP_TYPE_NONE;
  tp_var_info v = {
      .name = "result", .kind = TP_V_TEMP, .func = fb->func, .type = result, .pos = fb->pos};
  tp_var var = tp_program_add_var(fb->p, v, sort);
  fb->p->funcs.at[fb->func.id].result = var;
}

static void clear(tp_fb *fb) {
  tp_lowering_plan_clear(&fb->plan);
  tp_map_clear(&fb->slot_of);
  tp_map_clear(&fb->arg_of);
  tp_vec_clear(&fb->slots);
  tp_vec_clear(&fb->asked);
  tp_vec_clear(&fb->sites);
  tp_vec_clear(&fb->args);
  tp_vec_clear(&fb->pending);
  tp_vec_clear(&fb->undo);
  tp_vec_clear(&fb->roots);
  tp_vec_clear(&fb->stack);
}

void tp_fb_lower(tp_fe *fe, tp_func func) {
  TP_REQUIRE(func.id && func.id < fe->p->funcs.n && func.id < fe->func_values.n);
  tp_mark mark = tp_arena_mark(&fe->scratch);
  tp_fb fb = {.fe = fe,
              .p = fe->p,
              .tt = fe->tt,
              .func = func,
              .fn = fe->func_values.at[func.id],
              .pos = tp_func_of(fe->p, func)->pos,
              .is_main = tp_fe_is_main(fe, func)};
  tp_lowering_plan_build(fe, &fb.plan, fb.fn);
  fb.entry = new_loc(&fb);
  fb.exit = new_loc(&fb);
  fe->p->funcs.at[func.id].entry = fb.entry;
  fe->p->funcs.at[func.id].exit = fb.exit;
  loc_info(&fb, fb.entry)->pos = fb.pos;
  make_params(&fb);
  make_result(&fb);
  tp_fb_continue_at(&fb, fb.entry);
  fb.plan.blocks[0].loc = fb.entry;
  tp_fb_classify_slots(&fb);
  tp_fb_start_chain(&fb);
  tp_fb_start_jumps(&fb);
  if (fb.is_main) {
    tp_fb_enter_main(&fb);
    tp_fb_run_constructors(&fb);
  }
  const char *name = tp_func_of(fe->p, func)->name;
  if (tp_fe_is_error_function(fe, name))
    tp_fb_error_here(&fb, TP_P_UNREACH_CALL, tp_arena_printf(&fe->p->arena, "call of %s", name));
  fb.plan.blocks[0].loc = fb.cur;
  if (!fb.dead) tp_vec_push(&fb.roots, 0);
  for (size_t i = 0; i < fb.roots.n; i++) lower_tree(&fb, fb.roots.at[i]);
  tp_fb_lower_unwinding(&fb);
  clear(&fb);
  tp_arena_release(&fe->scratch, mark);
}
