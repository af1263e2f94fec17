/* The plan of one function: which blocks are lowered together.
 *
 * LLVM's blocks are smaller than C's statements: `&&`, `||` and `?:` make branches, a trapping
 * check splits an assignment. Two things undo that.
 *
 * Folding. A conditional branch whose sides are free of effects and meet at once in a block with a
 * phi is no branch in the source but an expression: the sides are absorbed by the branch, the phi
 * becomes `ite` (which prints as && or ||). Inner expressions fold first (blocks are visited
 * against reverse postorder, a side has only one predecessor and so comes later in it). Who counts
 * outcomes of conditions (tp_front_options.shows_choices) wants branches, not expressions.
 *
 * Deciding. `a && f()` as a condition comes as a block with a phi of `false` and f's result, and a
 * branch by it. A predecessor that supplies the constant continues at the side that the branch
 * takes (body.c): otherwise the value of `a` would be lost where the paths meet.
 *
 * Trees. After folding, a block with a single predecessor starts in the state its predecessor ends
 * in, so values read from variables stay usable in it. Such blocks hang below their predecessor in
 * a tree; roots are where paths meet. A value whose use lies in another tree is kept in a temporary
 * (body.c). */
#include "front/front_priv.h"

#include "front/front_limits.h"

static bool is_cheap_call(LLVMValueRef inst) {
  LLVMValueRef callee = LLVMGetCalledValue(inst);
  if (!callee || !LLVMIsAFunction(callee)) return false;
  size_t n;
  const char *name = LLVMGetValueName2(callee, &n);
  return strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.expect.", 12) == 0;
}

static bool divides_safely(LLVMValueRef inst) {
  LLVMValueRef d = LLVMGetOperand(inst, 1);
  if (!LLVMIsAConstantInt(d) || LLVMGetIntTypeWidth(LLVMTypeOf(d)) > 64) return false;
  int64_t v = LLVMConstIntGetSExtValue(d);
  return v != 0 && v != -1;
}

static bool shifts_safely(LLVMValueRef inst) {
  LLVMValueRef d = LLVMGetOperand(inst, 1);
  return LLVMIsAConstantInt(d) && LLVMConstIntGetZExtValue(d) < LLVMGetIntTypeWidth(LLVMTypeOf(d));
}

/* Loads are pure if they read a variable of our own; body.c decides that by the same rule. */
static bool reads_variable(tp_fe *fe, LLVMValueRef load) {
  LLVMValueRef p = LLVMGetOperand(load, 0);
  if (LLVMIsAGlobalVariable(p)) {
    const tp_global_storage *g = tp_fe_global(fe, p);
    return g && !g->object && !(g->is_extern_volatile && LLVMGetVolatile(load));
  }
  return LLVMIsAAllocaInst(p) && tp_fe_promotable(fe, p);
}

static bool has_poison_operand(LLVMValueRef inst) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++)
    if (LLVMIsUndef(LLVMGetOperand(inst, i))) return true;
  return false;
}

bool tp_lowering_plan_pure(tp_fe *fe, LLVMValueRef inst) {
  tp_sort s;
  if (!tp_fe_sort(fe, LLVMTypeOf(inst), &s) && !LLVMIsADbgInfoIntrinsic(inst)) return false;
  if (has_poison_operand(inst)) return false;
  if (tp_fe_has_check(fe, inst)) return false;  // it fails only where C comes to it
  switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad: return reads_variable(fe, inst);
    case LLVMCall: return is_cheap_call(inst);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return divides_safely(inst);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return shifts_safely(inst);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMGetElementPtr: return true;
    default: return false;
  }
}

// ------------------------------------------------------- blocks, instructions

static uint32_t block_index(const tp_lowering_plan *plan, LLVMBasicBlockRef bb) {
  TP_REQUIRE(bb);
  uint64_t i = 0;
  (void)tp_map_get(&plan->index, tp_fe_key(bb), &i);
  return (uint32_t)i;
}

static void number(tp_fe *fe, tp_lowering_plan *plan) {
  LLVMValueRef fn = plan->fn;
  plan->n_blocks = LLVMCountBasicBlocks(fn);
  plan->blocks = tp_arena_array(&fe->scratch, tp_plan_block, plan->n_blocks);
  uint32_t b = 0, n = 0;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb), b++) {
    tp_map_set(&plan->index, tp_fe_key(bb), b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) n++;
  }
  plan->at = tp_arena_array(&fe->scratch, tp_plan_inst, n ? n : 1);
  b = 0;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb), b++) {
    tp_plan_block *block = &plan->blocks[b];
    *block = (tp_plan_block){.bb = bb,
                             .first = plan->n_inst,
                             .join = TP_NO_BLOCK,
                             .absorbed_by = TP_NO_BLOCK,
                             .parent = TP_NO_BLOCK,
                             .root = b};
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
      plan->at[plan->n_inst] = (tp_plan_inst){.inst = i, .block = b};
      tp_map_set(&plan->index, tp_fe_key(i), plan->n_inst++);
    }
    block->end = plan->n_inst;
    LLVMValueRef term = LLVMGetBasicBlockTerminator(bb);
    unsigned k = term ? LLVMGetNumSuccessors(term) : 0;
    uint32_t *succ = tp_arena_array(&fe->scratch, uint32_t, k ? k : 1);
    for (unsigned i = 0; i < k; i++) succ[i] = block_index(plan, LLVMGetSuccessor(term, i));
    block->succ = succ;
    block->n_succ = k;
  }
}

/* Blocks in reverse postorder; unreachable ones are left out. */
static uint32_t *reverse_postorder(tp_fe *fe, tp_lowering_plan *plan, uint32_t *count) {
  uint32_t *order = tp_arena_array(&fe->scratch, uint32_t, plan->n_blocks);
  uint32_t *stack = tp_arena_array(&fe->scratch, uint32_t, plan->n_blocks);
  uint32_t *next = tp_arena_array(&fe->scratch, uint32_t, plan->n_blocks);
  uint32_t depth = 1, at = plan->n_blocks;
  plan->blocks[0].reachable = true;
  while (depth) {
    uint32_t b = stack[depth - 1];
    if (next[b] < plan->blocks[b].n_succ) {
      uint32_t s = plan->blocks[b].succ[plan->blocks[b].n_succ - 1 - next[b]++];
      if (!plan->blocks[s].reachable) {
        plan->blocks[s].reachable = true;
        stack[depth++] = s;
      }
    } else {
      order[--at] = b;
      depth--;
    }
  }
  *count = plan->n_blocks - at;
  for (uint32_t i = 0; i < *count; i++) plan->blocks[order[at + i]].order = i;
  return order + at;
}

/* Does the function return behind this block, or might the program end in it? A failed assertion is
 * no end that somebody waits for. */
static bool ends(const tp_plan_block *b) {
  LLVMValueRef term = LLVMGetBasicBlockTerminator(b->bb);
  if (term && LLVMIsAReturnInst(term)) return true;
  if (!term || !LLVMIsAUnreachableInst(term)) return false;
  LLVMValueRef last = LLVMGetPreviousInstruction(term);
  LLVMValueRef callee = last && LLVMIsACallInst(last) ? LLVMGetCalledValue(last) : NULL;
  if (!callee || !LLVMIsAFunction(callee)) return true;
  size_t n;
  const char *name = LLVMGetValueName2(callee, &n);
  static const char *const aborts[] = {"abort", "__assert_fail", "llvm.trap", "llvm.ubsantrap"};
  for (size_t i = 0; i < sizeof aborts / sizeof *aborts; i++)
    if (strcmp(name, aborts[i]) == 0) return false;
  return true;
}

/* Blocks that begin a cycle behind which the function never ends; not those of a loop that does
 * nothing, which is one way to write an assumption. */
static void mark_endless(tp_fe *fe, tp_lowering_plan *plan, const uint32_t *order, uint32_t n) {
  bool *has_end = tp_arena_array(&fe->scratch, bool, plan->n_blocks);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = n; i-- > 0;) {
      const tp_plan_block *b = &plan->blocks[order[i]];
      if (has_end[order[i]]) continue;
      bool here = ends(b);
      for (uint32_t k = 0; k < b->n_succ; k++) here |= has_end[b->succ[k]];
      has_end[order[i]] = here;
      changed |= here;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    const tp_plan_block *b = &plan->blocks[order[i]];
    for (uint32_t k = 0; k < b->n_succ; k++) {
      tp_plan_block *to = &plan->blocks[b->succ[k]];
      const bool is_idle = b->succ[k] == order[i] && b->end == b->first + 1;
      to->is_endless |= !has_end[order[i]] && to->order <= i && !is_idle;
    }
  }
}

/* A block lies in a cycle only if some edge against the order spans it. */
static void mark_cycles(tp_fe *fe, tp_lowering_plan *plan, const uint32_t *order, uint32_t n) {
  int32_t *delta = tp_arena_array(&fe->scratch, int32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const tp_plan_block *b = &plan->blocks[order[i]];
    for (uint32_t k = 0; k < b->n_succ; k++) {
      uint32_t to = plan->blocks[b->succ[k]].order;
      if (to <= i) delta[to]++, delta[i + 1]--;
    }
  }
  int32_t open = 0;
  for (uint32_t i = 0; i < n; i++) {
    open += delta[i];
    plan->blocks[order[i]].in_cycle = open > 0;
  }
}

// -------------------------------------------------------------------- folding

static uint32_t *count_predecessors(tp_fe *fe, const tp_lowering_plan *plan) {
  uint32_t *n = tp_arena_array(&fe->scratch, uint32_t, plan->n_blocks);
  for (uint32_t b = 0; b < plan->n_blocks; b++)
    for (uint32_t k = 0; plan->blocks[b].reachable && k < plan->blocks[b].n_succ; k++)
      n[plan->blocks[b].succ[k]]++;
  return n;
}

/* Phis that can become `ite`: of types that have terms, with a value on every way in. */
static bool phis_are_terms(tp_fe *fe, const tp_lowering_plan *plan, const tp_plan_block *b) {
  tp_sort s;
  for (uint32_t i = b->first; i < b->end && LLVMIsAPHINode(plan->at[i].inst); i++) {
    LLVMValueRef phi = plan->at[i].inst;
    if (!tp_fe_sort(fe, LLVMTypeOf(phi), &s)) return false;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
      if (LLVMIsUndef(LLVMGetIncomingValue(phi, k))) return false;
  }
  return true;
}

/* Everything between phis and terminator can be evaluated at any time. */
static bool is_pure_block(tp_fe *fe, const tp_lowering_plan *plan, const tp_plan_block *b) {
  if (b->end - b->first > TP_FRONT_FOLD_INSTRUCTIONS || b->label || !phis_are_terms(fe, plan, b))
    return false;
  for (uint32_t i = b->first; i + 1 < b->end; i++)
    if (!LLVMIsAPHINode(plan->at[i].inst) && !tp_lowering_plan_pure(fe, plan->at[i].inst))
      return false;
  return true;
}

uint32_t tp_lowering_plan_next(const tp_lowering_plan *plan, uint32_t block) {
  TP_REQUIRE(block < plan->n_blocks);
  const tp_plan_block *b = &plan->blocks[block];
  if (b->join != TP_NO_BLOCK) return b->join;
  return b->n_succ == 1 && LLVMIsABranchInst(LLVMGetBasicBlockTerminator(b->bb)) ? b->succ[0]
                                                                                 : TP_NO_BLOCK;
}

/* One side of a branch: a chain of pure blocks, folded ones among them, that only the branch leads
 * into. */
typedef struct {
  uint32_t target;  // the first block behind it
  uint32_t edges;   // by which it leads there
  uint32_t depth;   // of the deepest fold in it
} side;

static bool follow_side(tp_fe *fe, const tp_lowering_plan *plan, const uint32_t *n_pred,
                        uint32_t start, side *out) {
  if (n_pred[start] != 1 || !is_pure_block(fe, plan, &plan->blocks[start])) return false;
  *out = (side){.depth = 0};
  uint32_t at = start;
  for (int n = 0; n < TP_FRONT_FOLD_BLOCKS; n++) {
    const tp_plan_block *b = &plan->blocks[at];
    uint32_t next = tp_lowering_plan_next(plan, at),
             edges = b->join != TP_NO_BLOCK ? b->join_edges : 1;
    if (next == TP_NO_BLOCK) return false;
    if (b->fold_depth > out->depth) out->depth = b->fold_depth;
    bool inside = n_pred[next] == edges && is_pure_block(fe, plan, &plan->blocks[next]) &&
                  tp_lowering_plan_next(plan, next) != TP_NO_BLOCK;
    out->target = next;
    out->edges = edges;
    if (!inside) return true;
    at = next;
  }
  return false;
}

static void absorb(tp_lowering_plan *plan, uint32_t start, uint32_t join, uint32_t by) {
  TP_REQUIRE(by < plan->n_blocks && join < plan->n_blocks);
  for (uint32_t at = start; at != join; at = tp_lowering_plan_next(plan, at))
    plan->blocks[at].absorbed_by = by;
}

static void try_fold(tp_fe *fe, tp_lowering_plan *plan, const uint32_t *n_pred, uint32_t index) {
  tp_plan_block *b = &plan->blocks[index];
  LLVMValueRef term = LLVMGetBasicBlockTerminator(b->bb);
  if (b->n_succ != 2 || !LLVMIsABranchInst(term) || b->succ[0] == b->succ[1]) return;
  uint32_t yes = b->succ[0], no = b->succ[1];
  side y = {.target = TP_NO_BLOCK}, n = {.target = TP_NO_BLOCK};
  bool has_y = follow_side(fe, plan, n_pred, yes, &y),
       has_n = follow_side(fe, plan, n_pred, no, &n);
  if (has_y && y.target == no)
    n = (side){.target = no, .edges = 1};
  else if (has_n && n.target == yes)
    y = (side){.target = yes, .edges = 1};
  else if (!has_y || !has_n || y.target != n.target)
    return;
  uint32_t join = y.target;
  const tp_plan_block *j = &plan->blocks[join];
  if (join == index || !LLVMIsAPHINode(plan->at[j->first].inst) || !phis_are_terms(fe, plan, j))
    return;
  uint32_t depth = 1 + (y.depth > n.depth ? y.depth : n.depth);
  if (depth > TP_FRONT_FOLD_LEVELS) return;
  b->join = join;
  b->join_edges = y.edges + n.edges;
  b->fold_depth = depth;
  absorb(plan, yes, join, index);
  absorb(plan, no, join, index);
}

// ------------------------------------------------------------------- deciding

static bool has_constant_input(LLVMValueRef phi) {
  TP_REQUIRE(LLVMIsAPHINode(phi));
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMIsAConstantInt(LLVMGetIncomingValue(phi, i))) return true;
  return false;
}
static bool is_trap(tp_fe *fe, LLVMBasicBlockRef bb) {
  const char *message;
  return tp_fe_trap_block(fe, bb, &message) != TP_P_NONE;
}
static void find_decider(tp_fe *fe, tp_lowering_plan *plan, tp_plan_block *b) {
  LLVMValueRef phi = b->end - b->first == 2 ? plan->at[b->first].inst : NULL,
               term = LLVMGetBasicBlockTerminator(b->bb);
  if (!phi || !LLVMIsAPHINode(phi) || b->label || b->join != TP_NO_BLOCK ||
      b->absorbed_by != TP_NO_BLOCK)
    return;
  if (b->n_succ != 2 || b->succ[0] == b->succ[1] || !LLVMIsABranchInst(term) ||
      LLVMGetCondition(term) != phi)
    return;
  if (is_trap(fe, plan->blocks[b->succ[0]].bb) || is_trap(fe, plan->blocks[b->succ[1]].bb))
    return;  // a check, see body.c
  LLVMUseRef use = LLVMGetFirstUse(phi);
  if (LLVMGetNextUse(use) == NULL && has_constant_input(phi)) b->decider = phi;
}

// ---------------------------------------------------------------------- trees

/* Children of a block have intervals one behind the other within its own: then a value is in scope
 * where the interval of its block is. ends: by block, where the last child ends. */
static bool do_children_fill(const tp_lowering_plan *plan, const uint32_t *order, uint32_t n,
                             const uint32_t *ends) {
  for (uint32_t i = 0; i < n; i++) {
    const tp_plan_block *b = &plan->blocks[order[i]];
    if (b->absorbed_by == TP_NO_BLOCK && ends[order[i]] != b->tree_out) return false;
  }
  return true;
}

static void grow_trees(tp_fe *fe, tp_lowering_plan *plan, const uint32_t *order, uint32_t n) {
  uint32_t *n_pred = tp_arena_array(&fe->scratch, uint32_t, plan->n_blocks);
  uint32_t *pred = tp_arena_array(&fe->scratch, uint32_t, plan->n_blocks);
  uint32_t *size = tp_arena_array(&fe->scratch, uint32_t, plan->n_blocks);
  for (uint32_t i = 0; i < n; i++) {
    const tp_plan_block *b = &plan->blocks[order[i]];
    if (b->absorbed_by != TP_NO_BLOCK) continue;
    uint32_t only = b->join;
    const uint32_t *succ = only != TP_NO_BLOCK ? &only : b->succ;
    uint32_t n_succ = only != TP_NO_BLOCK ? 1 : b->n_succ;
    for (uint32_t k = 0; k < n_succ; k++) {
      n_pred[succ[k]] += b->decider ? 2 : 1;  // of its own and of those who pass it by
      pred[succ[k]] = order[i];
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    tp_plan_block *b = &plan->blocks[order[i]];
    if (b->absorbed_by != TP_NO_BLOCK || i == 0 || n_pred[order[i]] != 1) continue;
    if (plan->blocks[pred[order[i]]].order >= i) continue;  // irreducible oddity
    b->parent = pred[order[i]];
    b->root = plan->blocks[b->parent].root;
  }
  // numbers such that a block's tree is an interval: sizes bottom-up, then offsets top-down
  for (uint32_t i = n; i-- > 0;) {
    const tp_plan_block *b = &plan->blocks[order[i]];
    size[order[i]]++;
    if (b->parent != TP_NO_BLOCK) size[b->parent] += size[order[i]];
  }
  uint32_t free_number = 1;
  for (uint32_t i = 0; i < n; i++) {
    tp_plan_block *b = &plan->blocks[order[i]];
    uint32_t *start = b->parent != TP_NO_BLOCK ? &pred[b->parent] : NULL;
    b->tree_in = start ? *start : free_number;
    b->tree_out = b->tree_in + size[order[i]];
    if (start)
      *start = b->tree_out;
    else
      free_number = b->tree_out;
    pred[order[i]] = b->tree_in + 1;  // where its next child starts
  }
  TP_INVARIANT(do_children_fill(plan, order, n, pred));
  // absorbed blocks count as part of what absorbed them; absorbers come first in the order
  for (uint32_t i = 0; i < n; i++) {
    tp_plan_block *b = &plan->blocks[order[i]];
    if (b->absorbed_by == TP_NO_BLOCK) continue;
    const tp_plan_block *a = &plan->blocks[b->absorbed_by];
    b->root = a->root;
    b->tree_in = a->tree_in;
    b->tree_out = a->tree_out;
  }
}

static void find_labels(tp_fe *fe, tp_lowering_plan *plan) {
  for (uint32_t i = 0; i < plan->n_inst; i++) {
    LLVMValueRef inst = plan->at[i].inst;
    if (!LLVMIsADbgLabelInst(inst)) continue;
    LLVMMetadataRef label = LLVMValueAsMetadata(LLVMGetOperand(inst, 0));
    plan->blocks[plan->at[i].block].label = tp_fe_string(fe, label, 1);
  }
}

void tp_lowering_plan_build(tp_fe *fe, tp_lowering_plan *plan, LLVMValueRef fn) {
  TP_REQUIRE(LLVMIsAFunction(fn) && !LLVMIsDeclaration(fn));
  *plan = (tp_lowering_plan){.fn = fn};
  number(fe, plan);
  find_labels(fe, plan);
  uint32_t n;
  const uint32_t *order = reverse_postorder(fe, plan, &n);
  mark_cycles(fe, plan, order, n);
  if (fe->check_leak) mark_endless(fe, plan, order, n);
  const uint32_t *n_pred = count_predecessors(fe, plan);
  tp_fe_find_uninitialised(fe, plan);
  const bool folds = !fe->opt->shows_choices || tp_fe_is_model(fn);
  for (uint32_t i = n; folds && i-- > 0;) try_fold(fe, plan, n_pred, order[i]);
  for (uint32_t i = 0; i < n; i++) find_decider(fe, plan, &plan->blocks[order[i]]);
  grow_trees(fe, plan, order, n);
}

void tp_lowering_plan_clear(tp_lowering_plan *plan) { tp_map_clear(&plan->index); }
