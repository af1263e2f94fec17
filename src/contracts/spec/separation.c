/* Builds `no ((a.*r & b.*r) - null)` for each two arguments that can reach objects of one type; r
 * is the union of the members that are found by following types. A member with an index is the
 * pairs of owner and element: {o, v : object | v in int.(o.f)}. */
#include "contracts/spec/separation.h"

typedef const tp_spec_expr *expr;

typedef struct {
  const tp_contracts *m;
  tp_arena *a;
  tp_pos pos;
  bool *reached;  // by argument and basic type
  uint32_t n_basics;
} builder;

static bool is_shareable(uint32_t basic) {
  return basic != TP_NULL_BASIC && basic != TP_INT_BASIC && basic != TP_FUNCTION_BASIC;
}

static expr binary(const builder *b, tp_spec_expr_kind kind, expr x, expr y) {
  return x && y ? tp_spec_expr_binary(b->a, kind, b->pos, x, y) : NULL;
}

// ----------------------------------------------------------------------------- types

static void add_column(const builder *b, tp_reltype type, uint32_t column, bool *out) {
  for (uint32_t p = 0; p < type.n; p++)
    for (uint32_t basic = 0; basic < b->n_basics; basic++)
      if (is_shareable(basic) && column < type.at[p].arity &&
          tp_product_has(&b->m->types, &type.at[p], column, basic))
        out[basic] = true;
}

static bool leads_on(const builder *b, const tp_symbol *s) {
  const uint32_t arity = tp_reltype_arity(s->type);
  bool *values = TP_NEW_ARRAY(bool, b->n_basics), any = false;
  if ((s->kind == TP_SYMBOL_FIELD || s->kind == TP_SYMBOL_ELEMENTS) && !s->refused &&
      (arity == 2 || arity == 3))
    add_column(b, s->type, arity - 1, values);
  for (uint32_t i = 0; i < b->n_basics; i++) any = any || values[i];
  tp_free(values);
  return any;
}

/* What the objects of these types reach, in place. */
static void close_types(const builder *b, bool *reached) {
  const tp_object_model *u = b->m->object_model;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < u->symbols.n; i++) {
      const tp_symbol *s = u->symbols.at[i];
      if (!leads_on(b, s) || !reached[s->basic]) continue;
      bool *before = TP_NEW_ARRAY(bool, b->n_basics);
      memcpy(before, reached, b->n_basics * sizeof *reached);
      add_column(b, s->type, tp_reltype_arity(s->type) - 1, reached);
      more = more || memcmp(before, reached, b->n_basics * sizeof *reached) != 0;
      tp_free(before);
    }
  }
}

// ------------------------------------------------------------------------ expressions

static expr symbol_name(const builder *b, const tp_symbol *s) {
  return tp_spec_expr_make(
      b->a, (tp_spec_expr){.kind = TP_SPEC_NAME, .pos = b->pos, .name = s->name, .symbol = s}, NULL,
      0, NULL, 0);
}

static expr variable(const builder *b, const char *name) {
  return tp_spec_expr_make(b->a, (tp_spec_expr){.kind = TP_SPEC_NAME, .pos = b->pos, .name = name},
                           NULL, 0, NULL, 0);
}

/* Pairs of owners and what they have at any index. */
static expr without_index(const builder *b, const tp_symbol *s) {
  static const char owner[] = "holder", value[] = "element";
  const expr objects = tp_spec_expr_atom(b->a, TP_SPEC_OBJECTS, b->pos),
             ints = tp_spec_expr_atom(b->a, TP_SPEC_INTS, b->pos),
             all = binary(b, TP_SPEC_JOIN, ints,
                          binary(b, TP_SPEC_JOIN, variable(b, owner), symbol_name(b, s))),
             is_in = binary(b, TP_SPEC_IN, variable(b, value), all);
  const tp_spec_expr_decl decls[] = {{.name = owner, .pos = b->pos, .bound = objects},
                                     {.name = value, .pos = b->pos, .bound = objects}};
  return is_in
             ? tp_spec_expr_make(b->a, (tp_spec_expr){.kind = TP_SPEC_COMPREHENSION, .pos = b->pos},
                                 &is_in, 1, decls, 2)
             : NULL;
}

/* Members through which objects of these types lead on; NULL: there are none. */
static expr steps(const builder *b, const bool *reached) {
  const tp_object_model *u = b->m->object_model;
  expr all = NULL;
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *s = u->symbols.at[i];
    if (!leads_on(b, s) || !reached[s->basic]) continue;
    const expr one = tp_reltype_arity(s->type) == 3 ? without_index(b, s) : symbol_name(b, s);
    all = all ? binary(b, TP_SPEC_UNION, all, one) : one;
  }
  return all;
}

static expr reach(const builder *b, expr from, const bool *reached) {
  const expr r = steps(b, reached);
  if (!r) return from;
  return binary(b, TP_SPEC_JOIN, from, tp_spec_expr_unary(b->a, TP_SPEC_REFLEXIVE, b->pos, r));
}

static bool overlap(const builder *b, const bool *x, const bool *y) {
  for (uint32_t i = 0; i < b->n_basics; i++)
    if (x[i] && y[i]) return true;
  return false;
}

static expr apart(const builder *b, expr x, const bool *from_x, expr y, const bool *from_y) {
  const expr both = binary(b, TP_SPEC_INTERSECTION, reach(b, x, from_x), reach(b, y, from_y));
  const expr shared =
      binary(b, TP_SPEC_DIFFERENCE, both, tp_spec_expr_atom(b->a, TP_SPEC_NULL, b->pos));
  return shared ? tp_spec_expr_unary(b->a, TP_SPEC_NO, b->pos, shared) : NULL;
}

expr tp_separation(const tp_contracts *m, tp_pos pos, const expr *args, const tp_reltype *types,
                   uint32_t n_args) {
  builder b = {.m = m,
               .a = (tp_arena *)(uintptr_t)&m->arena,
               .pos = pos,
               .n_basics = (uint32_t)m->object_model->basics.n};
  expr all = NULL;
  b.reached = TP_NEW_ARRAY(bool, (size_t)n_args *b.n_basics + 1);
  for (uint32_t i = 0; i < n_args; i++) {
    add_column(&b, types[i], 0, b.reached + i * b.n_basics);
    close_types(&b, b.reached + i * b.n_basics);
  }
  bool ok = true;
  for (uint32_t i = 0; i < n_args && ok; i++)
    for (uint32_t k = i + 1; k < n_args && ok; k++) {
      const bool *x = b.reached + i * b.n_basics, *y = b.reached + k * b.n_basics;
      if (!overlap(&b, x, y)) continue;
      const expr one = apart(&b, args[i], x, args[k], y);
      all = all ? binary(&b, TP_SPEC_AND, all, one) : one;
      ok = all != NULL;
    }
  tp_free(b.reached);
  return !ok ? NULL : all ? all : tp_spec_expr_atom(b.a, TP_SPEC_TRUE, pos);
}
