/* Variables of a formula that takes a predicate's place: its head's become the predicate's
 * arguments, those that it binds get other numbers. */
#include "engine/formula_text.h"

enum { MOVED = 10, FIRST_FIXED = 20 };

typedef struct {
  const tp_formula_writing *w;
  tp_str *out;
  bool ok, is_inner;  // inside of a formula that takes a predicate's place: there no other one does
  uint32_t a, b;      // ... whose variables 0 and 1 are these
} writer;

uint32_t tp_formula_predicate_number(const tp_shape_class *c, uint32_t arity, uint32_t index) {
  TP_REQUIRE(arity == 1 || arity == 2);
  for (size_t i = 0; i < c->predicates.n; i++)
    if (c->predicates.at[i].arity == arity && c->predicates.at[i].index == index)
      return (uint32_t)i + 1;
  return 0;
}

static const tp_formula_node *node_at(const writer *w, tp_formula f) {
  return tp_formula_at(w->w->c->formulas, f);
}

static uint32_t variable(const writer *w, uint32_t v) {
  if (!w->is_inner || v >= FIRST_FIXED) return v;
  return v == 0 ? w->a : v == 1 ? w->b : v + MOVED;
}

static void put(writer *w, tp_formula f);

static void put_kids(writer *w, const tp_formula_node *n, int n_kids) {
  for (int i = 0; i < n_kids; i++) {
    tp_str_add_char(w->out, ' ');
    put(w, n->kid[i]);
  }
  tp_str_add_char(w->out, ')');
}

// ------------------------------------------------------------------------ atoms

static bool has_primed(const writer *w, tp_formula f) {
  const tp_formula_node *n = node_at(w, f);
  bool found = n->is_primed;
  for (int i = 0; i < 3 && !found; i++) found = n->kid[i].id && has_primed(w, n->kid[i]);
  return found;
}

/* The formula that takes the place of the predicate with this number; NONE: it stays. */
static tp_formula instead_of(const writer *w, uint32_t number) {
  const tp_update_instances *changes = w->is_inner ? NULL : w->w->before;
  for (size_t i = 0; changes && i < changes->n; i++)
    if (changes->at[i].predicate + 1 == number) return changes->at[i].formula;
  return TP_FORMULA_NONE;
}

static bool is_cleared_field(const writer *w, const tp_formula_node *n, uint32_t arity) {
  const tp_formula_writing *x = w->w;
  return !w->is_inner && x->before && arity == 2 && n->predicate == x->c->field[x->cleared];
}

static void put_plain(writer *w, uint32_t number, const tp_formula_node *n, uint32_t arity) {
  tp_str_printf(w->out, arity == 1 ? "(p %u %u)" : "(p %u %u %u)", number, variable(w, n->a),
                variable(w, n->b));
}

static void put_atom(writer *w, const tp_formula_node *n, uint32_t arity) {
  const uint32_t number = tp_formula_predicate_number(w->w->c, arity, n->predicate);
  const tp_formula f = instead_of(w, number);
  w->ok = w->ok && number && !n->is_primed;
  if (f.id) {
    writer inner = {.w = w->w, .out = w->out, .ok = w->ok, .is_inner = true, .a = n->a, .b = n->b};
    put(&inner, f);
    w->ok = inner.ok;
  } else if (is_cleared_field(w, n, arity)) {
    tp_str_printf(w->out, "(if (p %u %u) 0 ",
                  tp_formula_predicate_number(w->w->c, 1, w->w->c->points[w->w->cleared_of]), n->a);
    put_plain(w, number, n, arity);
    tp_str_add_char(w->out, ')');
  } else {
    put_plain(w, number, n, arity);
  }
}

/* The cell that an operation makes is none of those that there were. */
static void put_equal(writer *w, const tp_formula_node *n) {
  if (n->a == TP_VARIABLE_NEW || n->b == TP_VARIABLE_NEW)
    tp_str_add_char(w->out, '0');
  else
    tp_str_printf(w->out, "(= %u %u)", variable(w, n->a), variable(w, n->b));
}

// ------------------------------------------------------------------------- paths

/* Steps are along fields as they are; behind an operation they would be others. */
static void put_path(writer *w, const tp_formula_node *n, const char *name) {
  w->ok = w->ok && (w->is_inner || !w->w->before);
  tp_str_printf(w->out, "(%s %u %u ", name, variable(w, n->from), variable(w, n->to));
  put(w, n->kid[0]);
  tp_str_printf(w->out, " %u %u)", variable(w, n->a), variable(w, n->b));
}

/* "u = v, or a path leads from u to v": the closure; NULL: it is not that. */
static const tp_formula_node *reflexive_path(const writer *w, const tp_formula_node *n) {
  const tp_formula_node *x = node_at(w, n->kid[0]), *y = node_at(w, n->kid[1]);
  if (x->kind == TP_FORMULA_CLOSURE) {
    const tp_formula_node *swap = x;
    x = y;
    y = swap;
  }
  if (x->kind != TP_FORMULA_EQUAL || y->kind != TP_FORMULA_CLOSURE) return NULL;
  return (x->a == y->a && x->b == y->b) || (x->a == y->b && x->b == y->a) ? y : NULL;
}

// --------------------------------------------------------------------- formulas

static bool is_connective(const tp_formula_node *n) {
  return n->kind == TP_FORMULA_NOT || n->kind == TP_FORMULA_AND || n->kind == TP_FORMULA_OR ||
         n->kind == TP_FORMULA_CHOOSE;
}

static void put_exists(writer *w, const tp_formula_node *n) {
  tp_str_printf(w->out, "(some %u", variable(w, n->a));
  put_kids(w, n, 1);
}

static void put(writer *w, tp_formula f) {
  const tp_formula_node *n = node_at(w, f),
                        *path = n->kind == TP_FORMULA_OR ? reflexive_path(w, n) : NULL;
  if (w->w->may_be_open && (path || !is_connective(n)) && has_primed(w, f)) {
    tp_str_add_char(w->out, 'h');
    return;
  }
  switch (n->kind) {
    case TP_FORMULA_VALUE:
      tp_str_add_char(w->out, n->value == TP_KLEENE_HALF   ? 'h'
                              : n->value == TP_KLEENE_TRUE ? '1'
                                                           : '0');
      return;
    case TP_FORMULA_UNARY: put_atom(w, n, 1); return;
    case TP_FORMULA_BINARY: put_atom(w, n, 2); return;
    case TP_FORMULA_EQUAL: put_equal(w, n); return;
    case TP_FORMULA_NOT:
      tp_str_add(w->out, "(not");
      put_kids(w, n, 1);
      return;
    case TP_FORMULA_AND:
      tp_str_add(w->out, "(and");
      put_kids(w, n, 2);
      return;
    case TP_FORMULA_CHOOSE:
      tp_str_add(w->out, "(if");
      put_kids(w, n, 3);
      return;
    case TP_FORMULA_EXISTS: put_exists(w, n); return;
    case TP_FORMULA_CLOSURE: put_path(w, n, "path+"); return;
    case TP_FORMULA_OR:
      if (path)
        put_path(w, path, "path*");
      else
        tp_str_add(w->out, "(or"), put_kids(w, n, 2);
      return;
  }
}

bool tp_formula_write(const tp_formula_writing *w, tp_formula f, tp_str *out) {
  writer x = {.w = w, .out = out, .ok = true};
  put(&x, f);
  return x.ok;
}
