/* Lowering one function: edges, the values of instructions, control flow.
 *
 * Blocks are lowered tree by tree (plan.c). Within a tree the value of an instruction is a term over
 * variables that is simply used where the source uses it, so `y = x + g` becomes one edge. This is right as long
 * as no variable in the term changes before the last use: before every assignment to a source variable (and, for
 * globals, every call) the pending values that read it and are needed later are saved in temporaries. Because a
 * tree branches, such a saving holds only below the place where it was made: an undo log restores the values when
 * lowering goes on with another branch. Values used in other trees are saved where they are computed. Temporaries
 * need none of this: each is written by one instruction, which dominates its uses. */
#include "front/front_priv.h"

#include <stdio.h>

const char *tp_fe_printf(tp_fe *fe, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return tp_arena_strdup(&fe->p->arena, text);
}

// ---------------------------------------------------------------------- edges

static tp_loc new_loc(tp_fb *fb) { return tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func}); }
static tp_loc_info *loc_info(tp_fb *fb, tp_loc l) { return &fb->p->locs.at[l.id]; }

void tp_fb_continue_at(tp_fb *fb, tp_loc loc) {
  fb->cur = loc;
  fb->cur_edge = 0;
  fb->dead = false;
}

tp_edge tp_fb_emit(tp_fb *fb, tp_edge_info e) {
  if (fb->dead) return TP_EDGE_NONE;
  if (!tp_pos_known(e.pos)) e.pos = fb->pos;
  if (!tp_pos_known(loc_info(fb, fb->cur)->pos)) loc_info(fb, fb->cur)->pos = e.pos;
  e.from = fb->cur;
  e.to = new_loc(fb);
  tp_edge id = tp_program_add_edge(fb->p, e);
  fb->cur = e.to;
  fb->cur_edge = id.id;
  return id;
}

/* Forget the current location if nothing but its edge refers to it. */
static void drop_cur(tp_fb *fb) {
  if (fb->cur.id + 1 == fb->p->locs.n) fb->p->locs.n--;
  fb->dead = true;
}

void tp_fb_goto(tp_fb *fb, tp_loc loc) {
  if (fb->dead) return;
  if (fb->cur_edge) {
    fb->p->edges.at[fb->cur_edge].to = loc;
    drop_cur(fb);
    return;
  }
  tp_edge e = tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP});
  fb->p->edges.at[e.id].to = loc;
  drop_cur(fb);
}

void tp_fb_assume(tp_fb *fb, tp_term cond, const char *why) {
  if (tp_is_true(fb->tt, cond)) return;
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = cond, .name = why});
  if (tp_is_false(fb->tt, cond)) fb->dead = true;
}

void tp_fb_block(tp_fb *fb, const char *why) { tp_fb_assume(fb, tp_mk_false(fb->tt), why); }

void tp_fb_assign(tp_fb *fb, tp_var v, tp_term t) {
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSIGN, .var = v, .a = t});
}

tp_loc tp_fb_branch(tp_fb *fb, tp_term cond, tp_loc *when_false) {
  tp_loc from = fb->cur;
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = tp_mk_not(fb->tt, cond), .negated = true});
  *when_false = fb->cur;
  if (!fb->dead) tp_fb_continue_at(fb, from);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = cond});
  return fb->cur;
}

/* The current location must be one that a single edge leads to, and not the function's entry. */
static void own_location(tp_fb *fb) {
  if (!fb->cur_edge && !fb->dead) (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP});
}

void tp_fb_error_here(tp_fb *fb, tp_property kind, const char *message) {
  if (fb->dead) return;
  own_location(fb);
  tp_loc_info *l = loc_info(fb, fb->cur);
  l->error = kind;
  l->message = message;
  l->pos = fb->pos;
  fb->dead = true;
}

void tp_fb_check(tp_fb *fb, tp_term ok, tp_property kind, const char *message) {
  if (fb->dead || tp_is_true(fb->tt, ok)) return;
  tp_loc bad;
  tp_loc good = tp_fb_branch(fb, ok, &bad);
  uint32_t edge = fb->cur_edge;
  tp_loc_info *l = loc_info(fb, bad);
  l->error = kind;
  l->message = message;
  l->pos = fb->pos;
  fb->cur = good;
  fb->cur_edge = edge;
}

void tp_fb_unsupported(tp_fb *fb, const char *what) {
  if (fb->dead) return;
  own_location(fb);
  tp_loc_info *l = loc_info(fb, fb->cur);
  l->is_unsupported = true;
  l->pos = fb->pos;
  tp_vec_push(&fb->p->unsupported, (tp_unsupported){fb->pos, what, fb->cur});
  fb->dead = true;
}

void tp_fb_stop(tp_fb *fb) {
  if (fb->dead) return;
  own_location(fb);
  fb->dead = true;
}

tp_var tp_fb_temp(tp_fb *fb, tp_sort sort, tp_type type) {
  tp_fe *fe = fb->fe;
  tp_var_info info = {.name = tp_fe_printf(fe, "tmp%u", ++fe->n_temps), .kind = TP_V_TEMP, .func = fb->func,
                      .type = type, .pos = fb->pos};
  return tp_program_add_var(fe->p, info, sort);
}

// --------------------------------------------------------------------- values

static uint64_t key(const void *p) { return (uint64_t)(uintptr_t)p; }

static tp_fblock *block_of(tp_fb *fb, LLVMBasicBlockRef bb) {
  uint64_t i = 0;
  (void)tp_map_get(&fb->plan.index, key(bb), &i);
  return &fb->plan.blocks[i];
}

static uint32_t inst_index(const tp_fb *fb, LLVMValueRef inst) {
  uint64_t i = 0;
  (void)tp_map_get(&fb->plan.index, key(inst), &i);
  return (uint32_t)i;
}

tp_fv tp_fb_read_var(tp_fb *fb, tp_var v) {
  const tp_var_info *info = tp_var_of(fb->p, v);
  return (tp_fv){.t = info->term, .mask = UINT64_C(1) << (v.id & 63), .reads_global = info->kind == TP_V_GLOBAL,
                 .type = info->type, .pointee = tp_fe_pointee(fb->fe, info->type)};
}

/* An undefined constant: an input if it merely has no fixed value. */
static bool get_undef(tp_fb *fb, LLVMValueRef v, tp_fv *out) {
  tp_sort sort;
  if (LLVMIsPoison(v) || !tp_fe_sort(fb->fe, LLVMTypeOf(v), &sort)) {
    tp_fb_unsupported(fb, "constant expression without a value");
    return false;
  }
  tp_var t = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  tp_fb_havoc(fb, t, TP_I_INDETERMINATE, "undefined value", false);
  *out = (tp_fv){.t = tp_var_of(fb->p, t)->term};
  return true;
}

bool tp_fb_get(void *ctx, LLVMValueRef v, tp_fv *out) {
  tp_fb *fb = ctx;
  *out = (tp_fv){0};
  if (LLVMIsAInstruction(v)) {
    *out = fb->plan.at[inst_index(fb, v)].v;
  } else if (LLVMIsAArgument(v)) {
    uint64_t i;
    if (tp_map_get(&fb->arg_of, key(v), &i)) *out = fb->args.at[i - 1];
  } else if (LLVMIsUndef(v)) {
    return get_undef(fb, v, out);
  } else if (LLVMIsAConstant(v)) {
    (void)tp_fe_const(fb->fe, v, out);
  }
  if (tp_fv_known(out)) return true;
  tp_fb_unsupported(fb, "value of a type that is not supported");
  return false;
}

typedef enum { USE_IN_OTHER_TREE, USE_LATER } use_kind;

/* Is `user` a use of the value that matters? A phi uses its operand at the end of the incoming block. */
static bool use_matters(tp_fb *fb, LLVMValueRef value, LLVMValueRef user, use_kind kind) {
  const tp_fblock *here = &fb->plan.blocks[fb->block];
  unsigned n = LLVMIsAPHINode(user) ? LLVMCountIncoming(user) : 1;
  for (unsigned i = 0; i < n; i++) {
    bool phi = LLVMIsAPHINode(user) != NULL;
    if (phi && LLVMGetIncomingValue(user, i) != value) continue;
    const tp_fblock *b = block_of(fb, phi ? LLVMGetIncomingBlock(user, i) : LLVMGetInstructionParent(user));
    if (!b->reachable) continue;
    if (kind == USE_IN_OTHER_TREE) {
      if (b->root != here->root) return true;
    } else if (b == here) {
      if (phi || inst_index(fb, user) > fb->at) return true;
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

static tp_term save_term(tp_fb *fb, tp_term t, tp_type type) {
  if (tp_is_const(fb->tt, t)) return t;
  tp_var v = tp_fb_temp(fb, tp_sort_of(fb->tt, t), type);
  tp_fb_assign(fb, v, t);
  return tp_var_of(fb->p, v)->term;
}

/* Put the value into temporaries, so that it no longer depends on source variables. */
static tp_fv saved(tp_fb *fb, tp_fv v) {
  if (tp_term_is(v.t)) v.t = save_term(fb, v.t, v.type);
  if (v.n_parts) {
    tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, v.n_parts);
    for (uint32_t i = 0; i < v.n_parts; i++) parts[i] = save_term(fb, v.parts[i], TP_TYPE_NONE);
    v.parts = parts;
  }
  v.mask = 0;
  v.reads_global = false;
  return v;
}

void tp_fb_set(tp_fb *fb, LLVMValueRef inst, tp_fv v) {
  uint32_t i = inst_index(fb, inst);
  if (v.mask && !fb->dead) {
    if (has_use(fb, inst, USE_IN_OTHER_TREE)) v = saved(fb, v);
    else if (LLVMGetFirstUse(inst)) tp_vec_push(&fb->pending, i);
  }
  fb->plan.at[i].v = v;
}

void tp_fb_set_term(tp_fb *fb, LLVMValueRef inst, tp_term t, const tp_fv *a, const tp_fv *b) {
  tp_fv v = {.t = t};
  if (a) v.mask |= a->mask, v.reads_global |= a->reads_global;
  if (b) v.mask |= b->mask, v.reads_global |= b->reads_global;
  tp_fb_set(fb, inst, v);
}

void tp_fb_set_target(tp_fb *fb, LLVMValueRef inst, tp_var v) {
  tp_fv r = {.t = tp_var_of(fb->p, v)->term, .type = tp_var_of(fb->p, v)->type};
  r.pointee = tp_fe_pointee(fb->fe, r.type);
  fb->plan.at[inst_index(fb, inst)].v = r;
}

typedef struct {
  uint32_t id;
  bool found;
} occurrence;

static void see_occurrence(void *ctx, tp_term var) {
  occurrence *o = ctx;
  if (var.id == o->id) o->found = true;
}

static bool mentions(tp_fb *fb, const tp_fv *v, tp_term symbol) {
  occurrence o = {symbol.id, false};
  if (tp_term_is(v->t)) tp_for_vars(fb->tt, v->t, see_occurrence, &o);
  for (uint32_t i = 0; i < v->n_parts; i++) tp_for_vars(fb->tt, v->parts[i], see_occurrence, &o);
  return o.found;
}

static void save_pending(tp_fb *fb, uint32_t inst) {
  tp_fv *v = &fb->plan.at[inst].v;
  tp_vec_push(&fb->undo, (tp_fundo){inst, *v});
  *v = saved(fb, *v);
}

void tp_fb_will_change(tp_fb *fb, tp_var var) {
  uint64_t bit = UINT64_C(1) << (var.id & 63);
  tp_term symbol = tp_var_of(fb->p, var)->term;
  for (size_t i = 0; i < fb->pending.n && !fb->dead; i++) {
    const tp_finst *f = &fb->plan.at[fb->pending.at[i]];
    if ((f->v.mask & bit) && has_use(fb, f->inst, USE_LATER) && mentions(fb, &f->v, symbol))
      save_pending(fb, fb->pending.at[i]);
  }
}

void tp_fb_will_change_globals(tp_fb *fb) {
  for (size_t i = 0; i < fb->pending.n && !fb->dead; i++) {
    const tp_finst *f = &fb->plan.at[fb->pending.at[i]];
    if (f->v.reads_global && has_use(fb, f->inst, USE_LATER)) save_pending(fb, fb->pending.at[i]);
  }
}

/* Drop what is not needed any more from the part of the list that this block has added. */
static void compact_pending(tp_fb *fb, size_t start) {
  size_t n = start;
  for (size_t i = start; i < fb->pending.n; i++) {
    uint32_t inst = fb->pending.at[i];
    if (fb->plan.at[inst].v.mask && has_use(fb, fb->plan.at[inst].inst, USE_LATER)) fb->pending.at[n++] = inst;
  }
  fb->pending.n = n;
}

// -------------------------------------------------------------------- targets

static LLVMValueRef next_real(LLVMValueRef inst) {
  LLVMValueRef i = LLVMGetNextInstruction(inst);
  while (i && LLVMIsADbgInfoIntrinsic(i)) i = LLVMGetNextInstruction(i);
  return i;
}

/* The variable that a LOAD, CALL or HAVOC for `inst` writes: the user's if the next thing is to store it there. */
tp_var tp_fb_target(tp_fb *fb, LLVMValueRef inst, tp_sort sort, tp_type type) {
  LLVMValueRef next = next_real(inst);
  LLVMUseRef use = LLVMGetFirstUse(inst);
  if (next && LLVMIsAStoreInst(next) && LLVMGetOperand(next, 0) == inst && use && !LLVMGetNextUse(use)) {
    LLVMValueRef p = LLVMGetOperand(next, 1);
    const tp_fslot *slot = tp_fb_slot(fb, p);
    tp_var v = TP_VAR_NONE;
    if (slot && !slot->is_object) v = slot->var;
    if (LLVMIsAGlobalVariable(p)) v = tp_fe_global(fb->fe, p)->var;
    if (v.id && tp_sort_eq(tp_sort_of(fb->tt, tp_var_of(fb->p, v)->term), sort)) {
      tp_fb_will_change(fb, v);
      fb->skip = next;
      return v;
    }
  }
  return tp_fb_temp(fb, sort, type);
}

// --------------------------------------------------------------------- blocks

static void lower_inst(tp_fb *fb, LLVMValueRef inst);

static void schedule(tp_fb *fb, uint32_t block) {
  tp_fblock *b = &fb->plan.blocks[block];
  if (b->loc.id) return;
  b->loc = new_loc(fb);
  loc_info(fb, b->loc)->label = b->label;
  tp_vec_push(&fb->roots, block);
}

/* Blocks that only jump on are passed over; the count bounds cycles of them. */
static uint32_t skip_empty(tp_fb *fb, uint32_t block) {
  for (int n = 0; n < 64; n++) {
    const tp_fblock *b = &fb->plan.blocks[block];
    LLVMValueRef first = LLVMGetFirstInstruction(b->bb);
    if (b->label || b->n_succ != 1 || b->end - b->first != 1 || !LLVMIsABranchInst(first)) return block;
    uint32_t to = b->succ[0];
    if (LLVMIsAPHINode(fb->plan.at[fb->plan.blocks[to].first].inst) || fb->plan.blocks[to].parent == block) return block;
    block = to;
  }
  return block;
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from) return LLVMGetIncomingValue(phi, i);
  return NULL;
}

static bool phi_value(tp_fb *fb, LLVMValueRef phi, uint32_t block, tp_fv *out);

/* The phis of a block that is reached from `from` only. */
static void set_phis(tp_fb *fb, uint32_t from, uint32_t block) {
  const tp_fblock *b = &fb->plan.blocks[block];
  fb->block = block;
  for (uint32_t i = b->first; i < b->end && LLVMIsAPHINode(fb->plan.at[i].inst); i++) {
    tp_fv v;
    fb->at = i;
    if (!LLVMGetFirstUse(fb->plan.at[i].inst)) continue;
    if (!phi_value(fb, fb->plan.at[i].inst, from, &v)) return;
    tp_fb_set(fb, fb->plan.at[i].inst, v);
  }
}

/* Evaluate the absorbed blocks below `block`, inner ones included. Depth is bounded by the plan. */
static void lower_absorbed(tp_fb *fb, uint32_t block) {
  const tp_fblock *b = &fb->plan.blocks[block];
  for (uint32_t k = 0; k < b->n_succ && b->join != TP_NO_BLOCK; k++) {
    uint32_t from = block;
    for (uint32_t at = b->succ[k]; at != b->join; from = at, at = tp_fplan_next(&fb->plan, at)) {
      const tp_fblock *s = &fb->plan.blocks[at];
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
static bool phi_value(tp_fb *fb, LLVMValueRef phi, uint32_t block, tp_fv *out) {
  const tp_fblock *b = &fb->plan.blocks[block];
  if (b->join == TP_NO_BLOCK) return tp_fb_get(fb, incoming(phi, b->bb), out);
  tp_fv c, side[2];
  if (!tp_fb_get(fb, LLVMGetCondition(LLVMGetBasicBlockTerminator(b->bb)), &c)) return false;
  for (uint32_t k = 0; k < 2; k++) {
    uint32_t last = block;
    for (uint32_t at = b->succ[k]; at != b->join; at = tp_fplan_next(&fb->plan, at)) last = at;
    bool direct = last == block;
    if (direct ? !tp_fb_get(fb, incoming(phi, b->bb), &side[k]) : !phi_value(fb, phi, last, &side[k])) return false;
  }
  *out = (tp_fv){.t = tp_mk_ite(fb->tt, c.t, side[0].t, side[1].t), .mask = c.mask | side[0].mask | side[1].mask,
                 .reads_global = c.reads_global || side[0].reads_global || side[1].reads_global,
                 .pointee = side[0].pointee, .type = side[0].type};
  return true;
}

static tp_var phi_var(tp_fb *fb, LLVMValueRef phi) {
  tp_finst *f = &fb->plan.at[inst_index(fb, phi)];
  tp_sort sort;
  if (tp_term_is(f->v.t)) return tp_program_var_of(fb->p, f->v.t);
  if (!tp_fe_sort(fb->fe, LLVMTypeOf(phi), &sort)) return TP_VAR_NONE;
  tp_var v = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  f->v = (tp_fv){.t = tp_var_of(fb->p, v)->term};
  return v;
}

/* Assign the phis of root `to` on the way from `from`: all right sides are read before any is written. */
static void assign_phis(tp_fb *fb, uint32_t from, uint32_t to) {
  TP_VEC(tp_var) vars = {0};
  TP_VEC(tp_term) values = {0};
  bool ok = true;
  for (uint32_t i = fb->plan.blocks[to].first; ok && LLVMIsAPHINode(fb->plan.at[i].inst); i++) {
    LLVMValueRef phi = fb->plan.at[i].inst;
    if (!LLVMGetFirstUse(phi)) continue;
    tp_fv v;
    tp_var var = phi_var(fb, phi);
    if (!var.id) tp_fb_unsupported(fb, "value of a type that is not supported");
    ok = var.id && phi_value(fb, phi, from, &v) && tp_term_is(v.t);
    if (!ok) break;
    tp_vec_push(&vars, var);
    tp_vec_push(&values, v.t);
  }
  for (size_t i = 1; ok && i < vars.n; i++)
    for (size_t k = 0; k < i; k++) {
      tp_fv v = {.t = values.at[i]};
      if (mentions(fb, &v, tp_var_of(fb->p, vars.at[k])->term)) {
        values.at[i] = save_term(fb, values.at[i], TP_TYPE_NONE);
        break;
      }
    }
  for (size_t i = 0; ok && i < vars.n; i++)
    if (!tp_term_eq(values.at[i], tp_var_of(fb->p, vars.at[i])->term)) tp_fb_assign(fb, vars.at[i], values.at[i]);
  tp_vec_clear(&vars);
  tp_vec_clear(&values);
}

/* Control goes from the end of `from` to `to`. */
static void enter(tp_fb *fb, uint32_t from, uint32_t to) {
  if (fb->dead) return;
  if (fb->plan.blocks[to].parent == from) {
    if (fb->plan.blocks[to].label && fb->cur_edge) loc_info(fb, fb->cur)->label = fb->plan.blocks[to].label;
    tp_vec_push(&fb->stack, (tp_fitem){to, fb->cur, fb->cur_edge, fb->undo.n, fb->pending.n});
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
  const tp_fblock *b = &fb->plan.blocks[to];
  LLVMValueRef term = LLVMGetBasicBlockTerminator(b->bb);
  if (fb->dead || !fb->cur_edge || !LLVMIsAReturnInst(term) || LLVMGetNumOperands(term) != 1) return false;
  LLVMValueRef load = LLVMGetOperand(term, 0);
  if (!LLVMIsALoadInst(load) || LLVMGetFirstInstruction(b->bb) != load || LLVMGetNextInstruction(load) != term) return false;
  const tp_fslot *slot = tp_fb_slot(fb, LLVMGetOperand(load, 0));
  tp_edge_info *e = &fb->p->edges.at[fb->cur_edge];
  if (!slot || slot->is_object || slot->bool_sorted || e->kind != TP_E_ASSIGN || e->var.id != slot->var.id) return false;
  for (size_t i = 0; i < fb->slots.n; i++)
    if (fb->slots.at[i].is_object) return false;
  if (fb->is_main && (fb->fe->check_leak || fb->fe->check_cleanup || LLVMGetNamedFunction(fb->fe->module, "atexit"))) return false;
  e->kind = TP_E_RETURN;
  e->var = TP_VAR_NONE;
  tp_fb_goto(fb, fb->exit);
  return true;
}

/* A branch of which one side is the trap of a check: an error here, or on with the other side. */
static bool lower_check(tp_fb *fb, uint32_t block, tp_term cond) {
  const tp_fblock *b = &fb->plan.blocks[block];
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
  const tp_fblock *b = &fb->plan.blocks[block];
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
  tp_fv c;
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
  const tp_fblock *b = &fb->plan.blocks[block];
  tp_terms *tt = fb->tt;
  tp_fv v;
  if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &v)) return;
  tp_term none = tp_mk_true(tt);
  tp_loc from = fb->cur;
  uint32_t from_edge = fb->cur_edge;
  for (uint32_t k = 1; k <= b->n_succ; k++) {
    uint32_t i = k == b->n_succ ? 0 : k;                          // the default comes last
    tp_term here = TP_TERM_NONE;
    bool earlier = false;
    for (uint32_t j = 1; i != 0 && j < b->n_succ && !earlier; j++) {
      if (b->succ[j] != b->succ[i]) continue;
      if (j < i) earlier = true;                                  // that target has been done
      tp_fv c;
      if (!tp_fe_const(fb->fe, LLVMGetOperand(inst, 2 * j), &c)) return;
      tp_term eq = tp_mk_eq(tt, v.t, c.t);
      here = tp_term_is(here) ? tp_mk_or(tt, here, eq) : eq;
    }
    if (earlier) continue;
    if (i != 0) none = tp_mk_and(tt, none, tp_mk_not(tt, here));
    tp_fb_continue_at(fb, from);
    fb->cur_edge = b->n_succ == 1 ? from_edge : 0;
    if (b->n_succ > 1)
      (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = i ? here : none, .negated = i == 0});
    enter(fb, block, b->succ[i]);
  }
  fb->dead = true;
}

/* goto *p: to the label whose address it is. */
static void lower_computed_goto(tp_fb *fb, uint32_t block, LLVMValueRef inst) {
  const tp_fblock *b = &fb->plan.blocks[block];
  tp_terms *tt = fb->tt;
  tp_fv p;
  if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &p)) return;
  tp_loc from = fb->cur;
  tp_term none = tp_mk_true(tt);
  for (uint32_t k = 0; k < b->n_succ; k++) {
    tp_term here = tp_mk_eq(tt, p.t, tp_fe_label_address(fb->fe, fb->plan.blocks[b->succ[k]].bb));
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
  tp_fv v = {0};
  if (LLVMGetNumOperands(inst) == 1 && !tp_fb_get(fb, LLVMGetOperand(inst, 0), &v)) return;
  for (uint32_t i = 1; i < v.n_parts; i++)
    tp_fb_assign(fb, tp_fe_part(fb->fe, tp_sort_of(fb->tt, v.parts[i]), i), v.parts[i]);
  if (v.n_parts) v.t = v.parts[0];
  tp_fb_end_scopes(fb);
  if (fb->is_main) tp_fb_check_end(fb, TP_F_WITH_HANDLERS);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_RETURN, .a = v.t});
  tp_fb_goto(fb, fb->exit);
}

static void lower_terminator(tp_fb *fb, uint32_t block, LLVMValueRef inst) {
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
  const tp_fblock *b = &fb->plan.blocks[block];
  if (b->parent == TP_NO_BLOCK || !LLVMIsAPHINode(fb->plan.at[b->first].inst)) return;
  lower_absorbed(fb, b->parent);
  set_phis(fb, b->parent, block);
}

static void lower_block(tp_fb *fb, uint32_t block) {
  const tp_fblock *b = &fb->plan.blocks[block];
  size_t start = fb->pending.n;
  if (b->label && fb->fe->label_is_error && strcmp(b->label, "ERROR") == 0) {
    fb->pos = tp_pos_known(tp_fe_pos_of(fb->fe, fb->plan.at[b->first].inst)) ? tp_fe_pos_of(fb->fe, fb->plan.at[b->first].inst) : fb->pos;
    if (fb->dead) return;
    tp_fb_error_here(fb, TP_P_UNREACH_CALL, "label ERROR reached");
    loc_info(fb, fb->cur)->label = b->label;                   // by which a replay finds it
    return;
  }
  name_phis(fb, block);
  fb->block = block;
  for (uint32_t i = b->first; i + 1 < b->end && !fb->dead; i++) {
    fb->at = i;
    lower_inst(fb, fb->plan.at[i].inst);
    if (fb->pending.n > start + 32 && i % 16 == 0) compact_pending(fb, start);
  }
  if (fb->dead || b->end == b->first) return;
  fb->at = b->end - 1;
  LLVMValueRef term = fb->plan.at[fb->at].inst;
  tp_pos pos = tp_fe_pos_of(fb->fe, term);
  if (tp_pos_known(pos)) fb->pos = pos;
  compact_pending(fb, start);
  lower_terminator(fb, block, term);
}

static void restore(tp_fb *fb, size_t undo, size_t pending) {
  while (fb->undo.n > undo) {
    tp_fundo u = tp_vec_pop(&fb->undo);
    fb->plan.at[u.inst].v = u.old;
  }
  fb->pending.n = pending;
}

static void lower_tree(tp_fb *fb, uint32_t root) {
  restore(fb, 0, 0);
  tp_vec_push(&fb->stack, (tp_fitem){root, fb->plan.blocks[root].loc, 0, 0, 0});
  while (fb->stack.n) {
    tp_fitem item = tp_vec_pop(&fb->stack);
    restore(fb, item.undo, item.pending);
    tp_fb_continue_at(fb, item.loc);
    fb->cur_edge = item.edge;
    lower_block(fb, item.block);
  }
}

// ------------------------------------------------------------------ functions

/* Parameters: one variable each, shared with the alloca it is stored to if that is a plain variable. */
static void make_params(tp_fb *fb) {
  unsigned n = LLVMCountParams(fb->fn);
  tp_func_info *info = &fb->p->funcs.at[fb->func.id];
  info->is_variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(fb->fn)) != 0;
  tp_var *params = tp_arena_array(&fb->p->arena, tp_var, n + 1);
  uint32_t count = 0;
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef arg = LLVMGetParam(fb->fn, i);
    tp_sort sort;
    if (!tp_fe_sort(fb->fe, LLVMTypeOf(arg), &sort)) sort = tp_sort_bv(fb->tt, 8);   // uses say "unsupported"
    size_t len;
    const char *name = LLVMGetValueName2(arg, &len);
    tp_var_info v = {.name = len ? tp_arena_strndup(&fb->p->arena, name, len) : tp_fe_printf(fb->fe, "arg%u", i + 1),
                     .kind = fb->is_main ? TP_V_LOCAL : TP_V_PARAM, .func = fb->func, .pos = fb->pos};
    params[count] = tp_program_add_var(fb->p, v, sort);
    tp_fv value = {.t = tp_var_of(fb->p, params[count])->term};
    if (!tp_fe_sort(fb->fe, LLVMTypeOf(arg), &sort)) value.t = TP_TERM_NONE;
    tp_vec_push(&fb->args, value);
    tp_map_set(&fb->arg_of, key(arg), fb->args.n);
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
  tp_type result = c.id && LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(fb->fn))) != LLVMStructTypeKind
                       ? tp_type_of(fb->p, c)->element : TP_TYPE_NONE;
  tp_var_info v = {.name = "result", .kind = TP_V_TEMP, .func = fb->func, .type = result, .pos = fb->pos};
  tp_var var = tp_program_add_var(fb->p, v, sort);
  fb->p->funcs.at[fb->func.id].result = var;
}

static void clear(tp_fb *fb) {
  tp_fplan_clear(&fb->plan);
  tp_map_clear(&fb->slot_of);
  tp_map_clear(&fb->arg_of);
  tp_vec_clear(&fb->slots);
  tp_vec_clear(&fb->args);
  tp_vec_clear(&fb->pending);
  tp_vec_clear(&fb->undo);
  tp_vec_clear(&fb->roots);
  tp_vec_clear(&fb->stack);
}

void tp_fb_lower(tp_fe *fe, tp_func func) {
  tp_mark mark = tp_arena_mark(&fe->scratch);
  tp_fb fb = {.fe = fe, .p = fe->p, .tt = fe->tt, .func = func, .fn = fe->func_values.at[func.id],
              .pos = tp_func_of(fe->p, func)->pos, .is_main = func.id == fe->p->main.id};
  tp_fplan_build(fe, &fb.plan, fb.fn);
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
  if (fb.is_main) tp_fb_enter_main(&fb);
  const char *name = tp_func_of(fe->p, func)->name;
  if (tp_fe_is_error_function(fe, name)) tp_fb_error_here(&fb, TP_P_UNREACH_CALL, tp_arena_printf(&fe->p->arena, "call of %s", name));
  fb.plan.blocks[0].loc = fb.cur;
  if (!fb.dead) tp_vec_push(&fb.roots, 0);
  for (size_t i = 0; i < fb.roots.n; i++) lower_tree(&fb, fb.roots.at[i]);
  clear(&fb);
  tp_arena_release(&fe->scratch, mark);
}
