/* Formulas with slots become formulas of a class. Variables are numbered anew by the depth of their
 * binders, so that equal definitions become equal formulas; steps of paths that mention nothing
 * else always have the same two variables, so that a closure is one closure wherever it stands. A
 * predicate that the class does not have is its definition. */
#include "shape/class_priv.h"

#include "shape/shape_limits.h"

enum { STEP_FROM = TP_FORMULA_MAX_VARS - 3, STEP_TO = TP_FORMULA_MAX_VARS - 2, FIRST_BOUND = 2 };

typedef struct {
  tp_shape_class *class;
  const tp_slots *slots;
  tp_when when;
  bool inlines;
  uint8_t number[256];  // of the template's variables
  uint32_t next;
  uint32_t *visits;  // of templates so far, for the whole formula
  bool failed;
} instance;

static int16_t argument_of(const instance *in, tp_argument a) {
  switch (a.kind) {
    case TP_ARGUMENT_POINTER: return in->slots->pointer[a.index];
    case TP_ARGUMENT_FIELD: return in->slots->field[a.index];
    case TP_ARGUMENT_FIELD_NUMBER: return a.index;
  }
  return TP_UNKNOWN_SLOT;
}

static uint8_t bind(instance *in, uint8_t variable) {
  if (in->next >= STEP_FROM)
    in->failed = true;
  else
    in->next++;
  return in->number[variable] = (uint8_t)(in->next - 1);
}

static bool mentions_others(const tp_template *t, const uint8_t *bound, uint32_t n);

static bool is_bound(uint8_t v, const uint8_t *bound, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (bound[i] == v) return true;
  return false;
}

/* Does t mention a variable besides those? */
static bool mentions_others(const tp_template *t, const uint8_t *bound, uint32_t n) {
  uint8_t more[64];
  if (n + 2 > sizeof more) return true;
  memcpy(more, bound, n);
  switch (t->kind) {
    case TP_TEMPLATE_VALUE: return false;
    case TP_TEMPLATE_POINTS:
    case TP_TEMPLATE_FREED:
    case TP_TEMPLATE_OUTSIDE: return !is_bound(t->a, bound, n);
    case TP_TEMPLATE_NEW: return true;
    case TP_TEMPLATE_FIELD:
    case TP_TEMPLATE_ORDER:
    case TP_TEMPLATE_FAMILY:
    case TP_TEMPLATE_EQUAL: return !is_bound(t->a, bound, n) || !is_bound(t->b, bound, n);
    case TP_TEMPLATE_EXISTS:
    case TP_TEMPLATE_FORALL: more[n] = t->a; return mentions_others(t->kid[0], more, n + 1);
    case TP_TEMPLATE_PATH:
      if (!is_bound(t->a, bound, n) || !is_bound(t->b, bound, n)) return true;
      more[n] = t->from;
      more[n + 1] = t->to;
      return mentions_others(t->kid[0], more, n + 2);
    case TP_TEMPLATE_NOT:
    case TP_TEMPLATE_AND:
    case TP_TEMPLATE_OR:
    case TP_TEMPLATE_CHOOSE: break;
  }
  for (uint32_t k = 0; k < 3; k++)
    if (t->kid[k] && mentions_others(t->kid[k], bound, n)) return true;
  return false;
}

static tp_formula make(instance *in, const tp_template *t);

static tp_formula make_family(instance *in, const tp_template *t, tp_when when) {
  TP_REQUIRE(t->family < in->class->generator.entry->families.n);
  tp_shape_class *c = in->class;
  const tp_family *f = &c->generator.entry->families.at[t->family];
  tp_slots slots;
  for (uint32_t i = 0; i < TP_SHAPE_MAX_SLOTS; i++)
    slots.pointer[i] = slots.field[i] = TP_UNKNOWN_SLOT;
  int16_t argument[TP_SHAPE_MAX_ARGUMENTS] = {0};
  for (uint32_t i = 0; i < f->n_arguments; i++) {
    argument[i] = argument_of(in, t->argument[i]);
    (f->argument[i] == TP_ARGUMENT_POINTER ? slots.pointer : slots.field)[f->slot[i]] = argument[i];
  }
  const uint32_t u = in->number[t->a], v = in->number[t->b];
  const int known = in->inlines ? -1 : tp_shape_class_find(c, t->family, argument);
  if (known >= 0) {
    const uint32_t p = c->predicates.at[known].index;
    return f->arity == 1 ? tp_formula_unary(c->formulas, when, p, u)
                         : tp_formula_binary(c->formulas, when, p, u, v);
  }
  instance inner = {.class = c,
                    .slots = &slots,
                    .when = when,
                    .inlines = in->inlines,
                    .next = in->next,
                    .visits = in->visits};
  inner.number[0] = (uint8_t)u;
  inner.number[1] = (uint8_t)v;
  const tp_formula out = make(&inner, f->definition);
  in->failed |= inner.failed;
  return out;
}

static tp_formula make_path(instance *in, const tp_template *t) {
  const uint32_t outer = in->next;
  const uint8_t u = in->number[t->a], v = in->number[t->b];
  const uint8_t bound[2] = {t->from, t->to};
  uint8_t from = STEP_FROM, to = STEP_TO;
  if (mentions_others(t->kid[0], bound, 2)) {
    from = bind(in, t->from);
    to = bind(in, t->to);
  }
  in->number[t->from] = from;
  in->number[t->to] = to;
  const tp_formula step = make(in, t->kid[0]);
  in->next = outer;
  if (in->failed) return tp_formula_value(in->class->formulas, TP_KLEENE_HALF);
  return (t->is_reflexive ? tp_formula_reflexive : tp_formula_closure)(in->class->formulas, from,
                                                                       to, step, u, v);
}

static tp_formula make(instance *in, const tp_template *t) {
  tp_shape_class *c = in->class;
  tp_formulas *fs = c->formulas;
  const tp_when when = t->is_primed ? TP_AFTER : in->when;
  const uint8_t a = in->number[t->a], b = in->number[t->b];
  in->failed |= ++*in->visits > TP_SHAPE_DEFINITION_VISITS;
  if (in->failed) return tp_formula_value(fs, TP_KLEENE_HALF);
  switch (t->kind) {
    case TP_TEMPLATE_VALUE: return tp_formula_value(fs, t->value);
    case TP_TEMPLATE_POINTS: {
      const int16_t p = argument_of(in, t->argument[0]);
      if (p >= 0) return tp_formula_unary(fs, when, c->points[p], a);
      const tp_formula perhaps = tp_formula_value(fs, TP_KLEENE_HALF);
      return p == TP_OUTSIDE_SLOT
                 ? tp_formula_and(fs, perhaps, tp_formula_unary(fs, TP_BEFORE, c->outside, a))
                 : perhaps;
    }
    case TP_TEMPLATE_FREED: return tp_formula_unary(fs, when, c->freed, a);
    case TP_TEMPLATE_OUTSIDE: return tp_formula_unary(fs, TP_BEFORE, c->outside, a);
    case TP_TEMPLATE_NEW: return tp_formula_equal(fs, a, TP_VARIABLE_NEW);
    case TP_TEMPLATE_FIELD: {
      const int16_t f = argument_of(in, t->argument[0]);
      return f < 0 ? tp_formula_value(fs, TP_KLEENE_HALF)
                   : tp_formula_binary(fs, when, c->field[f], a, b);
    }
    case TP_TEMPLATE_ORDER:
      return tp_formula_binary(fs, when, c->order[t->argument[0].index], a, b);
    case TP_TEMPLATE_FAMILY: return make_family(in, t, when);
    case TP_TEMPLATE_EQUAL: return tp_formula_equal(fs, a, b);
    case TP_TEMPLATE_NOT: return tp_formula_not(fs, make(in, t->kid[0]));
    case TP_TEMPLATE_AND:
    case TP_TEMPLATE_OR: {
      const tp_formula f = make(in, t->kid[0]), g = make(in, t->kid[1]);
      return t->kind == TP_TEMPLATE_AND ? tp_formula_and(fs, f, g) : tp_formula_or(fs, f, g);
    }
    case TP_TEMPLATE_CHOOSE: {
      const tp_formula f = make(in, t->kid[0]), g = make(in, t->kid[1]);
      return tp_formula_choose(fs, f, g, make(in, t->kid[2]));
    }
    case TP_TEMPLATE_EXISTS:
    case TP_TEMPLATE_FORALL: {
      const uint32_t outer = in->next;
      const uint8_t v = bind(in, t->a);
      const tp_formula f = make(in, t->kid[0]);
      in->next = outer;
      return t->kind == TP_TEMPLATE_EXISTS ? tp_formula_exists(fs, v, f)
                                           : tp_formula_forall(fs, v, f);
    }
    case TP_TEMPLATE_PATH: return make_path(in, t);
  }
  return tp_formula_value(fs, TP_KLEENE_HALF);
}

static tp_status instantiate(tp_shape_class *c, const tp_template *t, const tp_slots *slots,
                             bool inlines, tp_formula *out) {
  uint32_t visits = 0;
  instance in = {.class = c,
                 .slots = slots,
                 .when = TP_BEFORE,
                 .inlines = inlines,
                 .number = {0, 1},
                 .next = FIRST_BOUND,
                 .visits = &visits};
  *out = make(&in, t);
  return in.failed ? TP_ERR_LIMIT : TP_OK;
}

tp_status tp_shape_instantiate(tp_shape_class *c, const tp_template *t, const tp_slots *slots,
                               tp_formula *out) {
  return instantiate(c, t, slots, false, out);
}

tp_status tp_shape_instantiate_core(tp_shape_class *c, const tp_template *t, const tp_slots *slots,
                                    tp_formula *out) {
  return instantiate(c, t, slots, true, out);
}
