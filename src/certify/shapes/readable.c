/* Which predicates have a value in a context: those of variables that are active, and definitions
 * that name readable predicates only. Of the others nothing is known. */
#include "certify/shapes/shape_search.h"

#include "program/cells.h"

typedef struct {
  const tp_chk_exec *g;
  uint32_t context;
  bool ok;
} scope;

static bool is_active(const scope *x, tp_var v) {
  const tp_var_info *info = tp_var_of(x->g->p, v);
  return info->kind == TP_V_GLOBAL || info->kind == TP_V_GHOST ||
         (info->func.id && tp_chk_cert_is_active(x->g->cert, x->context, info->func));
}

static void note_symbol(void *ctx, tp_term symbol) {
  scope *x = ctx;
  tp_sort sort;
  if (tp_term_eq(symbol, x->g->shape->graphs->cell) || tp_is_memory(x->g->p, symbol, &sort)) return;
  tp_var v = tp_program_var_of(x->g->p, symbol);
  x->ok = x->ok && v.id && is_active(x, v);
}

bool tp_chk_formula_is_readable(const bool *readable, const tp_chk_formula *f) {
  if (!f) return true;
  if (f->kind == TP_CHK_F_ATOM && !readable[f->predicate]) return false;
  return tp_chk_formula_is_readable(readable, f->kid[0]) &&
         tp_chk_formula_is_readable(readable, f->kid[1]) &&
         tp_chk_formula_is_readable(readable, f->kid[2]);
}

static bool is_readable(const tp_chk_predicate *p, const bool *readable, scope x) {
  switch (p->kind) {
    case TP_CHK_P_POINTER: return is_active(&x, p->var);
    case TP_CHK_P_DATA: tp_for_vars(x.g->tt, p->data, note_symbol, &x); return x.ok;
    case TP_CHK_P_DEFINED: return tp_chk_formula_is_readable(readable, p->definition);
    case TP_CHK_P_OPAQUE: return false;
    case TP_CHK_P_FREED:
    case TP_CHK_P_OUTSIDE:
    case TP_CHK_P_FIELD: return true;
  }
  return false;
}

void tp_chk_readable_predicates(const tp_chk_exec *g, const tp_chk_class *c, uint32_t context,
                                bool *out) {
  for (size_t k = 1; k < c->predicates.n; k++)
    out[k] = is_readable(&c->predicates.at[k], out, (scope){g, context, true});
}
