/* Frame conditions: from the `modifies` clauses of a contract, the objects that do not change.
 *
 * Objects that the function makes have no value before, and those that it frees none after: the
 * condition is about objects that exist in both states. Without any "modifies" all may change; what
 * several say adds up. */
#include "contracts/spec/resolved_contracts.h"

typedef struct {
  tp_contracts *m;
  const tp_symbol *symbol;
  TP_VEC(tp_modifies_target) targets;
} frame;

static const tp_spec_expr *atom(frame *f, tp_spec_expr_kind kind, const tp_symbol *symbol,
                                bool is_primed) {
  const bool is_name = kind == TP_SPEC_NAME;
  const bool is_member = is_name && symbol->basic &&
                         (symbol->kind == TP_SYMBOL_FIELD || symbol->kind == TP_SYMBOL_GHOST ||
                          symbol->kind == TP_SYMBOL_MODEL);
  const tp_spec_expr x = {
      .kind = kind,
      .symbol = symbol,
      .is_primed = is_primed,
      .name = symbol ? symbol->name : NULL,
      .owner = is_member ? f->m->object_model->basics.at[symbol->basic].name : NULL};
  return tp_spec_expr_make(&f->m->arena, x, NULL, 0, NULL, 0);
}

static const tp_spec_expr *both(frame *f, tp_spec_expr_kind kind, const tp_spec_expr *a,
                                const tp_spec_expr *b) {
  return tp_spec_expr_binary(&f->m->arena, kind, TP_POS_NONE, a, b);
}

static tp_spec_expr_decl variable(frame *f, const char *name, const tp_spec_expr *from,
                                  tp_reltype type) {
  tp_symbol *v = tp_arena_new(&f->m->arena, tp_symbol);
  *v = (tp_symbol){.kind = TP_SYMBOL_VARIABLE, .name = name, .type = type, .is_function = true};
  return (tp_spec_expr_decl){.name = name, .bound = from, .symbol = v};
}

/* Objects that have the member, before and after; not those that may change entirely. */
static const tp_spec_expr *owners(frame *f) {
  const tp_object_model *u = f->m->object_model;
  const tp_spec_expr *x = both(f, TP_SPEC_INTERSECTION, atom(f, TP_SPEC_ALLOC, u->alloc, false),
                               atom(f, TP_SPEC_ALLOC, u->alloc, true));
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *c = u->symbols.at[i];
    if (c->kind == TP_SYMBOL_SET && c->basic == f->symbol->basic)
      x = both(f, TP_SPEC_INTERSECTION,
               atom(f, c->name[0] == 's' ? TP_SPEC_TYPE : TP_SPEC_NAME, c, false), x);
  }
  for (size_t i = 0; i < f->targets.n; i++)
    if (f->targets.at[i].objects && !f->targets.at[i].indices)
      x = both(f, TP_SPEC_DIFFERENCE, x, f->targets.at[i].objects);
  return x;
}

static const tp_spec_expr *no_element_of_targets(frame *f, const tp_spec_expr *object,
                                                 const tp_spec_expr *index) {
  const tp_spec_expr *all = NULL;
  for (size_t i = 0; i < f->targets.n; i++) {
    const tp_modifies_target *t = &f->targets.at[i];
    if (!t->indices) continue;
    const tp_spec_expr *named = both(f, TP_SPEC_IN, index, t->indices);
    if (t->objects && object)
      named = both(f, TP_SPEC_AND, both(f, TP_SPEC_IN, object, t->objects), named);
    named = tp_spec_expr_unary(&f->m->arena, TP_SPEC_NOT, TP_POS_NONE, named);
    all = all ? both(f, TP_SPEC_AND, all, named) : named;
  }
  return all;
}

/* The value before and after: of the symbol, of an object, at an index. */
static const tp_spec_expr *unchanged(frame *f, const tp_spec_expr *object,
                                     const tp_spec_expr *index) {
  const tp_spec_expr *sides[2];
  for (int after = 0; after < 2; after++) {
    const tp_spec_expr_kind kind =
        f->symbol->kind == TP_SYMBOL_ALLOC ? TP_SPEC_ALLOC : TP_SPEC_NAME;
    sides[after] = atom(f, kind, f->symbol, after);
    if (object) sides[after] = both(f, TP_SPEC_JOIN, object, sides[after]);
    if (index) sides[after] = both(f, TP_SPEC_JOIN, index, sides[after]);
  }
  return both(f, TP_SPEC_EQUAL, sides[1], sides[0]);
}

static const tp_spec_expr *condition(frame *f) {
  bool has_indices = false;
  for (size_t i = 0; i < f->targets.n; i++) has_indices = has_indices || f->targets.at[i].indices;
  tp_spec_expr_decl decls[2];
  uint32_t n = 0;
  const tp_spec_expr *object = NULL, *index = NULL;
  if (f->symbol->basic) {
    decls[n] = variable(f, "object_", owners(f), tp_reltype_basic(&f->m->types, f->symbol->basic));
    object = atom(f, TP_SPEC_NAME, decls[n++].symbol, false);
  }
  if (has_indices) {
    decls[n] = variable(f, "index_", atom(f, TP_SPEC_INTS, NULL, false),
                        tp_reltype_basic(&f->m->types, TP_INT_BASIC));
    index = atom(f, TP_SPEC_NAME, decls[n++].symbol, false);
  }
  const tp_spec_expr *x = unchanged(f, object, index);
  if (has_indices) x = both(f, TP_SPEC_IMPLIES, no_element_of_targets(f, object, index), x);
  return n ? tp_spec_expr_make(&f->m->arena, (tp_spec_expr){.kind = TP_SPEC_ALL}, &x, 1, decls, n)
           : x;
}

bool tp_function_contract_keeps(const tp_contracts *m, const tp_function_contract *c,
                                const tp_symbol *symbol) {
  TP_REQUIRE(m && c && symbol);
  for (size_t i = 0; c->has_modifies && i < c->clauses.n; i++) {
    const tp_resolved_clause *clause = &m->all.at[c->clauses.at[i]];
    for (uint32_t k = 0; k < clause->n_targets; k++)
      if (clause->targets[k].symbol == symbol) return false;
  }
  return c->has_modifies;
}

const tp_spec_expr *tp_function_contract_frame(tp_contracts *m, const tp_function_contract *c,
                                               const tp_symbol *symbol) {
  TP_REQUIRE(c && symbol);
  if (!c->has_modifies) return NULL;
  frame f = {.m = m, .symbol = symbol};
  bool is_free = false;
  for (size_t i = 0; i < c->clauses.n; i++) {
    const tp_resolved_clause *clause = &m->all.at[c->clauses.at[i]];
    for (uint32_t k = 0; k < clause->n_targets; k++) {
      const tp_modifies_target *t = &clause->targets[k];
      if (t->symbol != symbol) continue;
      is_free = is_free || (!t->objects && !t->indices);
      tp_vec_push(&f.targets, *t);
    }
  }
  const tp_spec_expr *x = is_free ? NULL : condition(&f);
  tp_vec_clear(&f.targets);
  return x;
}
