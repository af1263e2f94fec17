/* Classes that are made: predicates by name and arguments, formulas as text. The lowest file of
 * those that make classes: instantiation and rules look predicates up here. */
#include "shape/class.h"

int tp_shape_class_pointer(const tp_shape_class *c, const char *name) {
  for (uint32_t i = 0; i < c->n_pointers; i++)
    if (strcmp(c->pointers[i].name, name) == 0) return (int)i;
  return -1;
}

int tp_shape_class_field(const tp_shape_class *c, const char *name) {
  for (uint32_t i = 0; i < c->n_fields; i++)
    if (strcmp(c->fields[i], name) == 0) return (int)i;
  return -1;
}

int tp_shape_class_find(const tp_shape_class *c, uint32_t family, const int16_t *argument) {
  TP_REQUIRE(c->generator.entry && family < c->generator.entry->families.n);
  const tp_family *f = &c->generator.entry->families.at[family];
  for (size_t i = 0; i < c->predicates.n; i++) {
    const tp_shape_predicate *p = &c->predicates.at[i];
    if (p->kind != TP_SHAPE_PREDICATE_FAMILY || p->family != family) continue;
    uint32_t k = 0;
    while (k < f->n_arguments && p->argument[k] == argument[k]) k++;
    if (k == f->n_arguments) return (int)i;
  }
  return -1;
}

tp_structure *tp_shape_class_structure_new(const tp_shape_class *c) {
  tp_structure *s = TP_NEW(tp_structure);
  tp_structure_init(s, c->n_unary, c->n_binary);
  return s;
}

// ------------------------------------------------------------------------- text

static const char *name_of(const tp_shape_class *c, uint32_t arity, uint32_t index) {
  for (size_t i = 0; i < c->predicates.n; i++)
    if (c->predicates.at[i].arity == arity && c->predicates.at[i].index == index)
      return c->predicates.at[i].name;
  return "?";
}

static void print_operation(const tp_shape_class *c, const tp_formula_node *n, const char *sign,
                            tp_str *out) {
  tp_str_add_char(out, '(');
  tp_shape_class_print(c, n->kid[0], out);
  tp_str_add(out, sign);
  tp_shape_class_print(c, n->kid[1], out);
  if (n->kind == TP_FORMULA_CHOOSE) {
    tp_str_add(out, " : ");
    tp_shape_class_print(c, n->kid[2], out);
  }
  tp_str_add_char(out, ')');
}

void tp_shape_class_print(const tp_shape_class *c, tp_formula f, tp_str *out) {
  const tp_formula_node *n = tp_formula_at(c->formulas, f);
  const char *prime = n->is_primed ? "'" : "";
  switch (n->kind) {
    case TP_FORMULA_VALUE:
      tp_str_add(out, n->value == TP_KLEENE_FALSE ? "0" : n->value == TP_KLEENE_TRUE ? "1" : "1/2");
      break;
    case TP_FORMULA_UNARY:
      tp_str_printf(out, "%s%s(v%u)", name_of(c, 1, n->predicate), prime, n->a);
      break;
    case TP_FORMULA_BINARY:
      tp_str_printf(out, "%s%s(v%u, v%u)", name_of(c, 2, n->predicate), prime, n->a, n->b);
      break;
    case TP_FORMULA_EQUAL: tp_str_printf(out, "v%u = v%u", n->a, n->b); break;
    case TP_FORMULA_NOT:
      tp_str_add_char(out, '!');
      tp_shape_class_print(c, n->kid[0], out);
      break;
    case TP_FORMULA_AND: print_operation(c, n, " & ", out); break;
    case TP_FORMULA_OR: print_operation(c, n, " | ", out); break;
    case TP_FORMULA_CHOOSE: print_operation(c, n, " ? ", out); break;
    case TP_FORMULA_EXISTS:
      tp_str_printf(out, "(exists v%u: ", n->a);
      tp_shape_class_print(c, n->kid[0], out);
      tp_str_add_char(out, ')');
      break;
    case TP_FORMULA_CLOSURE:
      tp_str_printf(out, "path+(v%u, v%u: ", n->from, n->to);
      tp_shape_class_print(c, n->kid[0], out);
      tp_str_printf(out, ")(v%u, v%u)", n->a, n->b);
      break;
  }
}
