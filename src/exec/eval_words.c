/* The quick evaluator: one switch per instruction over 64-bit registers.
 *
 * It bets that nothing it reads has a shadow (indeterminate bits, an integer that is an address).
 * Marks of the variables read are gathered, and the bet is settled at the end; if it is lost the
 * caller asks exec/eval_shaded.c. */
#include "base/checked.h"
#include "exec/eval.h"

/* Rare kinds, floats among them: the general definition. */
static uint64_t apply(const tp_instr *in, uint32_t ptr_bits, const tp_word *r) {
  tp_shaded a = {.bits = r[in->a].lo, .object = (uint32_t)r[in->a].hi};
  tp_shaded b = {.bits = r[in->b].lo, .object = (uint32_t)r[in->b].hi};
  tp_shaded c = {.bits = r[in->c].lo, .object = (uint32_t)r[in->c].hi};
  return (uint64_t)tp_apply(in, ptr_bits, &a, &b, &c);
}

bool tp_eval_words(const tp_state_view *v, const tp_snippet *sn, tp_word *r, tp_word *out) {
  TP_REQUIRE(sn->evaluator == TP_BY_WORDS && sn->n > 0);
  const tp_instr *in = sn->at;
  uint8_t marks = 0;
  for (uint32_t i = 0; i < sn->n; i++, in++) {
    uint64_t x = 0;
    r[i].hi = 0;
    switch (in->op) {
      case TP_X_CONST:
        x = in->imm;
        r[i].hi = in->hi;
        break;
      case TP_X_LOCAL:
        r[i] = v->local[in->imm];
        marks |= v->mark_local[in->imm];
        continue;
      case TP_X_GLOBAL:
        r[i] = v->global[in->imm];
        marks |= v->mark_global[in->imm];
        continue;
      case TP_X_SIZE: x = tp_object_size(v->s, r[in->a].lo); break;
      case TP_X_LIVE: x = tp_object_live(v->s, r[in->a].lo); break;
      case TP_X_KIND: x = tp_object_kind_of(v->s, r[in->a].lo); break;
      case TP_X_HEAP: x = v->s->n_heap; break;
      case TP_X_LEAKED: x = tp_memory_has_leak(v->s); break;

      case TP_OP_NOT: x = !r[in->a].lo; break;
      case TP_OP_AND:
      case TP_OP_BV_AND: x = r[in->a].lo & r[in->b].lo; break;
      case TP_OP_OR:
      case TP_OP_BV_OR: x = r[in->a].lo | r[in->b].lo; break;
      case TP_OP_XOR:
      case TP_OP_BV_XOR: x = r[in->a].lo ^ r[in->b].lo; break;
      case TP_OP_EQ:
        x = in->arg_sort == TP_SORT_FP ? apply(in, v->s->program->ptr_bits, r)
                                       : r[in->a].lo == r[in->b].lo && r[in->a].hi == r[in->b].hi;
        break;
      case TP_OP_ITE: r[i] = r[in->a].lo ? r[in->b] : r[in->c]; continue;

      case TP_OP_BV_ADD: x = r[in->a].lo + r[in->b].lo; break;
      case TP_OP_BV_MUL: x = r[in->a].lo * r[in->b].lo; break;
      case TP_OP_BV_NEG: x = 0 - r[in->a].lo; break;
      case TP_OP_BV_NOT: x = ~r[in->a].lo; break;
      case TP_OP_BV_UDIV: x = r[in->b].lo ? r[in->a].lo / r[in->b].lo : UINT64_MAX; break;
      case TP_OP_BV_UREM: x = r[in->b].lo ? r[in->a].lo % r[in->b].lo : r[in->a].lo; break;
      case TP_OP_BV_SDIV: x = tp_divide_signed(r[in->a].lo, r[in->b].lo, in->width); break;
      case TP_OP_BV_SREM: x = tp_remainder_signed(r[in->a].lo, r[in->b].lo, in->width); break;
      case TP_OP_BV_SHL: x = r[in->b].lo < in->width ? r[in->a].lo << r[in->b].lo : 0; break;
      case TP_OP_BV_LSHR: x = r[in->b].lo < in->width ? r[in->a].lo >> r[in->b].lo : 0; break;
      case TP_OP_BV_ASHR: {
        uint64_t by = r[in->b].lo < in->width ? r[in->b].lo : in->width - 1u;
        x = (uint64_t)(tp_as_signed(r[in->a].lo, in->width) >> by);
        break;
      }
      case TP_OP_BV_ULT: x = r[in->a].lo < r[in->b].lo; break;
      case TP_OP_BV_ULE: x = r[in->a].lo <= r[in->b].lo; break;
      case TP_OP_BV_SLT:
        x = tp_as_signed(r[in->a].lo, in->arg_width) < tp_as_signed(r[in->b].lo, in->arg_width);
        break;
      case TP_OP_BV_SLE:
        x = tp_as_signed(r[in->a].lo, in->arg_width) <= tp_as_signed(r[in->b].lo, in->arg_width);
        break;
      case TP_OP_BV_CONCAT: x = r[in->a].lo << (in->width - in->arg_width) | r[in->b].lo; break;
      case TP_OP_BV_EXTRACT: x = r[in->a].lo >> in->lo; break;
      case TP_OP_BV_ZEXT:
      case TP_OP_FP_OF_BITS:
      case TP_OP_FP_TO_BITS: x = r[in->a].lo; break;
      case TP_OP_BV_SEXT: x = (uint64_t)tp_as_signed(r[in->a].lo, in->arg_width); break;

      case TP_OP_PTR_MK:
        x = r[in->b].lo;
        r[i].hi = r[in->a].lo;
        break;
      case TP_OP_PTR_OBJ: x = r[in->a].hi; break;
      case TP_OP_PTR_OFF: x = r[in->a].lo; break;
      case TP_OP_PTR_ADD:
        x = r[in->a].lo + r[in->b].lo;
        r[i].hi = r[in->a].hi;
        break;
      case TP_OP_PTR_TO_INT:
        x = r[in->a].lo + tp_object_base(v->s, r[in->a].hi);
        if (in->keeps_origin && r[in->a].hi) marks = 1;
        break;
      case TP_OP_INT_TO_PTR: x = r[in->a].lo; break;
      default: x = apply(in, v->s->program->ptr_bits, r); break;
    }
    r[i].lo = x & tp_mask64(in->width);
  }
  *out = r[sn->n - 1];
  return marks == 0;
}
