/* Recognising the six operations and checking their types.
 *
 * Recognition reads the form of the edge only; types are checked in a second step,
 * so that an ill-typed operation is reported as such and not as OTHER.
 * Conditions are traversed with an explicit stack. */
#include "six_operations.h"

#include "program/access.h"

typedef enum { CLASS_OTHER, CLASS_INT, CLASS_POINTER } type_class;

/* T(type): CLASS_POINTER with the structure, CLASS_INT, or neither. */
static type_class class_of_type(const tp_program *p, tp_type type, tp_type *structure) {
  const tp_type_info *t = tp_type_of(p, type);
  *structure = TP_TYPE_NONE;
  if (type.id == 0) return CLASS_OTHER;
  if (t->kind == TP_T_INT || t->kind == TP_T_ENUM || t->kind == TP_T_BOOL) return CLASS_INT;
  if (t->kind != TP_T_POINTER || t->element.id == 0 ||
      tp_type_of(p, t->element)->kind != TP_T_STRUCT)
    return CLASS_OTHER;
  *structure = t->element;
  return CLASS_POINTER;
}

static tp_sort_kind sort_kind(const tp_program *p, tp_term t) {
  return tp_sort_kind_of(p->terms, tp_sort_of(p->terms, t));
}

static type_class class_of_var(const tp_program *p, tp_var v, tp_type *structure) {
  const tp_var_info *info = tp_var_of(p, v);
  *structure = TP_TYPE_NONE;
  if (info->is_address || info->kind == TP_V_GHOST) return CLASS_OTHER;
  tp_sort_kind sort = sort_kind(p, info->term);
  if (sort == TP_SORT_BV && info->type.id == 0) return CLASS_INT;
  type_class c = class_of_type(p, info->type, structure);
  return (c == CLASS_INT && sort != TP_SORT_PTR) || (c == CLASS_POINTER && sort == TP_SORT_PTR)
             ? c
             : CLASS_OTHER;
}

static bool is_nil(const tp_program *p, tp_term t) { return tp_term_eq(t, tp_mk_null(p->terms)); }
static tp_var var_of(const tp_program *p, tp_term t) {
  return tp_kind(p->terms, t) == TP_OP_VAR ? tp_program_var_of(p, t) : TP_VAR_NONE;
}
static bool is_pointer_var(const tp_program *p, tp_var v) {
  tp_type s;
  return v.id && class_of_var(p, v, &s) == CLASS_POINTER;
}

// ---------------------------------------------------------------- expressions

typedef TP_VEC(tp_term) term_stack;

static void push_args(const tp_program *p, tp_term t, term_stack *stack) {
  for (uint32_t i = 0; i < tp_n_args(p->terms, t); i++) tp_vec_push(stack, tp_arg(p->terms, t, i));
}

/* Arithmetic over integer variables and constants, comparisons of such, Boolean combinations, and
 * for conditions also == between pointer variables and nil. Shared subterms are few in source
 * expressions, but the budget keeps degenerate ones from being traversed as trees. */
static bool is_plain(const tp_program *p, tp_term root) {
  term_stack stack = {0};
  tp_vec_push(&stack, root);
  bool ok = true;
  for (uint32_t budget = 4096; ok && stack.n; budget--) {
    tp_term t = tp_vec_pop(&stack);
    tp_sort_kind sort = sort_kind(p, t);
    tp_type structure;
    if (budget == 0) {
      ok = false;
    } else if (tp_kind(p->terms, t) == TP_OP_VAR) {
      tp_var v = tp_program_var_of(p, t);
      ok = v.id && class_of_var(p, v, &structure) == CLASS_INT;
    } else if (tp_kind(p->terms, t) == TP_OP_EQ &&
               sort_kind(p, tp_arg(p->terms, t, 0)) == TP_SORT_PTR) {
      for (uint32_t i = 0; i < 2; i++) {
        tp_term side = tp_arg(p->terms, t, i);
        ok &= is_nil(p, side) || is_pointer_var(p, var_of(p, side));
      }
    } else {
      ok = sort == TP_SORT_BOOL || sort == TP_SORT_BV;
      push_args(p, t, &stack);
    }
  }
  tp_vec_clear(&stack);
  return ok;
}

// ----------------------------------------------------------------- recognition

/* address = s->f? Fills s, structure, offset, field. */
static bool field_of(const tp_program *p, const tp_pointsto *classes, tp_term address, tp_var *s,
                     tp_six_op *op) {
  tp_access a;
  if (!tp_access_of(p, address, &a) || a.var.id == 0 || tp_term_is(a.index) || a.offset < 0)
    return false;
  if (class_of_var(p, a.var, &op->structure) != CLASS_POINTER) return false;
  if (classes &&
      tp_pointsto_struct(classes, tp_pointsto_of_address(classes, address)).id != op->structure.id)
    return false;
  *s = a.var;
  op->offset = (uint64_t)a.offset;
  op->field = tp_access_member(p, op->structure, op->offset, 0, NULL);
  return op->field.id != 0;
}

static tp_six_op six_assign(const tp_program *p, const tp_edge_info *e) {
  tp_six_op op = {.s1 = e->var, .s2 = var_of(p, e->a)};
  tp_type structure;
  if (class_of_var(p, e->var, &structure) == CLASS_OTHER) return op;
  if (op.s2.id)
    op.kind = class_of_var(p, op.s2, &structure) == CLASS_OTHER ? TP_SIX_OTHER : TP_SIX_COPY;
  else if (is_nil(p, e->a))
    op.kind = TP_SIX_COPY;
  else if (is_plain(p, e->a))
    op.kind = TP_SIX_ASSIGN, op.e = e->a;
  return op;
}

static tp_six_op six_store(const tp_program *p, const tp_pointsto *classes, const tp_edge_info *e) {
  tp_six_op op = {.s2 = var_of(p, e->b)};
  tp_type structure;
  if (!field_of(p, classes, e->a, &op.s1, &op)) return op;
  if (op.s2.id)
    op.kind = class_of_var(p, op.s2, &structure) == CLASS_OTHER ? TP_SIX_OTHER : TP_SIX_STORE;
  else if (is_nil(p, e->b))
    op.kind = TP_SIX_STORE;
  else if (is_plain(p, e->b))
    op.kind = TP_SIX_STORE, op.e = e->b;
  return op;
}

tp_six_op tp_six_of(const tp_program *p, const tp_pointsto *classes, tp_edge edge) {
  const tp_edge_info *e = tp_edge_of(p, edge);
  tp_six_op op = {0};
  tp_type structure;
  switch (e->kind) {
    case TP_E_SKIP: return (tp_six_op){.kind = TP_SIX_ASSUME, .e = tp_mk_true(p->terms)};
    case TP_E_ASSIGN: return six_assign(p, e);
    case TP_E_ASSUME:
      return (tp_six_op){.kind = is_plain(p, e->a) ? TP_SIX_ASSUME : TP_SIX_OTHER, .e = e->a};
    case TP_E_LOAD:
      op.s1 = e->var;
      if (class_of_var(p, e->var, &structure) != CLASS_OTHER &&
          field_of(p, classes, e->a, &op.s2, &op))
        op.kind = TP_SIX_LOAD;
      return op;
    case TP_E_STORE: return six_store(p, classes, e);
    case TP_E_ALLOC: {
      op.s1 = e->var;
      bool is_known = class_of_var(p, e->var, &structure) != CLASS_OTHER;
      uint64_t size;
      bool is_one = structure.id == 0 || (tp_bv_value_u64(p->terms, e->a, &size) &&
                                          size == tp_type_of(p, structure)->size_bytes);
      if (is_known && is_one && e->object_kind == TP_O_HEAP) op.kind = TP_SIX_MALLOC;
      return op;
    }
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC:
    case TP_E_HAVOC_MEMORY:
    case TP_E_CALL:
    case TP_E_RETURN:
    case TP_E_END_SCOPE: return op;
  }
  return op;
}

// ---------------------------------------------------------------------- typing

/* Equality tests in a condition compare pointers of one type. */
static const char *condition_fault(const tp_program *p, tp_term root) {
  term_stack stack = {0};
  const char *fault = NULL;
  tp_vec_push(&stack, root);
  for (uint32_t budget = 4096; !fault && stack.n && budget; budget--) {
    tp_term t = tp_vec_pop(&stack);
    if (tp_kind(p->terms, t) != TP_OP_EQ || sort_kind(p, tp_arg(p->terms, t, 0)) != TP_SORT_PTR) {
      push_args(p, t, &stack);
      continue;
    }
    tp_var a = var_of(p, tp_arg(p->terms, t, 0)), b = var_of(p, tp_arg(p->terms, t, 1));
    tp_type sa, sb;
    if (!a.id || !b.id) continue;  // nil
    class_of_var(p, a, &sa);
    class_of_var(p, b, &sb);
    if (sa.id != sb.id) fault = "pointers of different types are compared";
  }
  tp_vec_clear(&stack);
  return fault;
}

const char *tp_six_type_fault(const tp_program *p, const tp_six_op *op) {
  tp_type t1 = TP_TYPE_NONE, t2 = TP_TYPE_NONE, tf = TP_TYPE_NONE;
  type_class c1 = op->s1.id ? class_of_var(p, op->s1, &t1) : CLASS_OTHER;
  type_class c2 = op->s2.id ? class_of_var(p, op->s2, &t2) : CLASS_OTHER;
  type_class cf = class_of_type(p, op->field, &tf);
  switch (op->kind) {
    case TP_SIX_OTHER: return NULL;
    case TP_SIX_ASSIGN:
      return c1 == CLASS_INT ? NULL : "an integer expression is assigned to a pointer";
    case TP_SIX_COPY:
      if (op->s2.id == 0) return c1 == CLASS_POINTER ? NULL : "nil is assigned to an integer";
      return c1 == c2 && t1.id == t2.id ? NULL : "the variables have different types";
    case TP_SIX_LOAD:
      return c1 == cf && t1.id == tf.id ? NULL : "variable and field have different types";
    case TP_SIX_STORE:
      if (tp_term_is(op->e))
        return cf == CLASS_INT ? NULL : "an integer expression is stored in a pointer field";
      if (op->s2.id == 0) return cf == CLASS_POINTER ? NULL : "nil is stored in an integer field";
      return c2 == cf && t2.id == tf.id ? NULL : "variable and field have different types";
    case TP_SIX_MALLOC: return c1 == CLASS_POINTER ? NULL : "a cell is assigned to an integer";
    case TP_SIX_ASSUME: return condition_fault(p, op->e);
  }
  return NULL;
}

// -------------------------------------------------------------------- printing

static void print_field(const tp_program *p, const tp_six_op *op, tp_var pointer, tp_str *out) {
  tp_str_printf(out, "%s->", tp_var_of(p, pointer)->name);
  tp_access_member(p, op->structure, op->offset, 0, out);
}

static void print_right(const tp_program *p, const tp_six_op *op, tp_str *out) {
  if (op->s2.id)
    tp_str_add(out, tp_var_of(p, op->s2)->name);
  else if (tp_term_is(op->e))
    tp_print_c(p->terms, op->e, TP_C_READABLE, out);
  else
    tp_str_add(out, "nil");
}

void tp_six_print(const tp_program *p, const tp_six_op *op, tp_str *out) {
  const char *s1 = op->s1.id ? tp_var_of(p, op->s1)->name : "";
  switch (op->kind) {
    case TP_SIX_OTHER: tp_str_add(out, "other"); break;
    case TP_SIX_ASSIGN:
    case TP_SIX_COPY:
      tp_str_printf(out, "%s = ", s1);
      print_right(p, op, out);
      break;
    case TP_SIX_LOAD:
      tp_str_printf(out, "%s = ", s1);
      print_field(p, op, op->s2, out);
      break;
    case TP_SIX_STORE:
      print_field(p, op, op->s1, out);
      tp_str_add(out, " = ");
      print_right(p, op, out);
      break;
    case TP_SIX_MALLOC: tp_str_printf(out, "%s = malloc()", s1); break;
    case TP_SIX_ASSUME:
      tp_str_add(out, "assume(");
      tp_print_c(p->terms, op->e, TP_C_READABLE, out);
      tp_str_add_char(out, ')');
      break;
  }
}
