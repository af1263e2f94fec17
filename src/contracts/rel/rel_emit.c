/* One C expression for each node, as long as the expression stays readable; else a function of its
 * own: nodes with variables, nodes that are used several times, deep ones. Kids are older than
 * their node, so functions are printed in the order of nodes. */
#include "contracts/rel/rel_emit.h"

#include "contracts/contracts_limits.h"

typedef struct {
  const tp_rel *l;
  const char *const *relations;
  uint8_t *height;  // by node: calls inside of each other below it
  bool *is_reached, *is_function;
  uint32_t *n_uses;
  uint32_t n_nodes;
} emitter;

static const tp_rel_node *node(const emitter *e, uint32_t id) {
  TP_REQUIRE(id > 0 && id < e->n_nodes);
  return tp_rel_at(e->l, id);
}

static const char *const calls[] = {[TP_REL_UNIV] = "tp_univ",
                                    [TP_REL_IDEN] = "tp_iden",
                                    [TP_REL_INTS] = "tp_ints",
                                    [TP_REL_UNION] = "tp_union",
                                    [TP_REL_INTERSECTION] = "tp_intersection",
                                    [TP_REL_DIFFERENCE] = "tp_difference",
                                    [TP_REL_JOIN] = "tp_join",
                                    [TP_REL_PRODUCT] = "tp_product",
                                    [TP_REL_OVERRIDE] = "tp_override",
                                    [TP_REL_DOMAIN] = "tp_domain",
                                    [TP_REL_RANGE] = "tp_range",
                                    [TP_REL_TRANSPOSE] = "tp_transpose",
                                    [TP_REL_CLOSURE] = "tp_closure",
                                    [TP_REL_REFLEXIVE] = "tp_reflexive",
                                    [TP_REL_IF] = "tp_set_if",
                                    [TP_REL_ATOM_OF] = "tp_atom_of",
                                    [TP_REL_CARDINALITY] = "tp_cardinality",
                                    [TP_REL_TOTAL] = "tp_total",
                                    [TP_REL_ONLY_INT] = "tp_the",
                                    [TP_REL_PLUS] = "tp_plus",
                                    [TP_REL_MINUS] = "tp_minus",
                                    [TP_REL_TIMES] = "tp_times",
                                    [TP_REL_QUOTIENT] = "tp_quotient",
                                    [TP_REL_REMAINDER] = "tp_remainder",
                                    [TP_REL_NEGATIVE] = "tp_negative",
                                    [TP_REL_INT_IF] = "tp_number_if",
                                    [TP_REL_NOT] = "tp_not",
                                    [TP_REL_AND] = "tp_and",
                                    [TP_REL_OR] = "tp_or",
                                    [TP_REL_IFF] = "tp_iff",
                                    [TP_REL_FORMULA_IF] = "tp_if",
                                    [TP_REL_IN] = "tp_in",
                                    [TP_REL_EQUAL] = "tp_equal",
                                    [TP_REL_SOME] = "tp_some",
                                    [TP_REL_NO] = "tp_no",
                                    [TP_REL_ONE] = "tp_one",
                                    [TP_REL_LONE] = "tp_lone",
                                    [TP_REL_INT_EQUAL] = "tp_int_equal",
                                    [TP_REL_LESS] = "tp_less",
                                    [TP_REL_AT_MOST] = "tp_at_most"};

static const char *const c_types[] = {[TP_REL_SORT_EXPR] = "const tp_set *",
                                      [TP_REL_SORT_INT] = "tp_number ",
                                      [TP_REL_SORT_FORMULA] = "tp_truth "};
static const char *const stems[] = {[TP_REL_SORT_EXPR] = "tp_set",
                                    [TP_REL_SORT_INT] = "tp_number",
                                    [TP_REL_SORT_FORMULA] = "tp_formula"};

// ---------------------------------------------------------------- what is a function

static void mark(emitter *e, const tp_rel_emitted_formula *all, size_t n) {
  for (size_t i = 0; i < n; i++) e->is_reached[all[i].formula.id] = true;
  for (uint32_t id = e->n_nodes; id-- > 1;) {
    const tp_rel_node *x = node(e, id);
    for (uint32_t k = 0; e->is_reached[id] && k < x->n_kids; k++) {
      e->is_reached[x->kids[k]] = true;
      e->n_uses[x->kids[k]]++;
    }
  }
}

static void choose(emitter *e) {
  for (uint32_t id = 1; id < e->n_nodes; id++) {
    const tp_rel_node *x = node(e, id);
    uint8_t height = 0;
    if (!e->is_reached[id] || x->n_kids == 0) continue;
    for (uint32_t k = 0; k < x->n_kids; k++)
      if (e->height[x->kids[k]] >= height) height = (uint8_t)(e->height[x->kids[k]] + 1);
    const bool is_list = (x->kind == TP_REL_AND || x->kind == TP_REL_OR) && x->n_kids > 2;
    e->is_function[id] = x->n_vars > 0 || is_list || height > TP_CONTRACTS_EMIT_LEVELS ||
                         (e->n_uses[id] > 1 && height > 1);
    e->height[id] = e->is_function[id] ? 0 : height;
  }
}

static void emitter_init(emitter *e, const tp_rel *l, const tp_rel_emitted_formula *all, size_t n) {
  TP_REQUIRE(tp_rel_check(l));
  *e = (emitter){.l = l, .n_nodes = tp_rel_n_nodes(l)};
  e->height = TP_NEW_ARRAY(uint8_t, e->n_nodes);
  e->is_reached = TP_NEW_ARRAY(bool, e->n_nodes);
  e->is_function = TP_NEW_ARRAY(bool, e->n_nodes);
  e->n_uses = TP_NEW_ARRAY(uint32_t, e->n_nodes);
  mark(e, all, n);
  choose(e);
}

static void emitter_clear(emitter *e) {
  tp_free(e->height);
  tp_free(e->is_reached);
  tp_free(e->is_function);
  tp_free(e->n_uses);
}

void tp_rel_emit_used(const tp_rel *l, const tp_rel_emitted_formula *all, size_t n, bool *used) {
  emitter e;
  emitter_init(&e, l, all, n);
  for (uint32_t id = 1; id < e.n_nodes; id++)
    if (e.is_reached[id] && node(&e, id)->kind == TP_REL_RELATION)
      used[node(&e, id)->number] = true;
  emitter_clear(&e);
}

// ----------------------------------------------------------------------- expressions

static void print_variable(const emitter *e, uint32_t var, tp_str *out) {
  for (const char *c = tp_rel_variable_name(e->l, var); *c; c++) {
    const bool is_letter =
        (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    tp_str_add_char(out, is_letter ? *c : '_');
  }
  tp_str_printf(out, "_%u", var);
}

/* Arguments on one line, or one to a line where that gets too long. */
static void print_arguments(tp_str *args, size_t n, uint32_t indent, tp_str *out) {
  TP_REQUIRE(n <= 3);
  size_t length = indent + out->n;
  const char *newline = strrchr(tp_str_text(out), '\n');
  if (newline) length = strlen(newline);
  bool is_broken = false;
  for (size_t i = 0; i < n; i++) {
    length += args[i].n + 2;
    is_broken = is_broken || strchr(tp_str_text(&args[i]), '\n');
  }
  is_broken = is_broken || length > TP_CONTRACTS_EMIT_LINE;
  tp_str_add_char(out, '(');
  for (size_t i = 0; i < n; i++) {
    if (is_broken)
      tp_str_printf(out, "%s\n%*s", i ? "," : "", (int)indent, "");
    else
      tp_str_add(out, i ? ", " : "");
    tp_str_add(out, tp_str_text(&args[i]));
    tp_str_clear(&args[i]);
  }
  tp_str_add_char(out, ')');
}

static void print_call(const emitter *e, uint32_t id, tp_str *out) {
  const tp_rel_node *x = node(e, id);
  tp_str_printf(out, "%s%u(", stems[tp_rel_sort_of(x->kind)], id);
  for (uint32_t i = 0; i < x->n_free; i++) {
    tp_str_add(out, i ? ", " : "");
    print_variable(e, x->free[i], out);
  }
  tp_str_add_char(out, ')');
}

static void print_node(const emitter *e, uint32_t id, uint32_t indent, tp_str *out);

/* The node itself, whether or not it is a function. */
static void print_operator(const emitter *e, uint32_t id, uint32_t indent, tp_str *out) {
  const tp_rel_node *x = node(e, id);
  switch ((int)x->kind) {
    case TP_REL_RELATION: tp_str_add(out, e->relations[x->number]); return;
    case TP_REL_VARIABLE: print_variable(e, (uint32_t)x->number, out); return;
    case TP_REL_NONE: tp_str_printf(out, "tp_none(%u)", x->arity); return;
    case TP_REL_CONSTANT: tp_str_printf(out, "tp_constant(%lld)", (long long)x->number); return;
    case TP_REL_TRUE: tp_str_add(out, "TP_TRUE"); return;
    case TP_REL_FALSE: tp_str_add(out, "TP_FALSE"); return;
    default: break;
  }
  tp_str args[3] = {{0}};
  tp_str_add(out, calls[x->kind]);
  for (uint32_t k = 0; k < x->n_kids; k++) print_node(e, x->kids[k], indent + 2, &args[k]);
  print_arguments(args, x->n_kids, indent + 2, out);
}

static void print_node(const emitter *e, uint32_t id, uint32_t indent, tp_str *out) {
  if (e->is_function[id])
    print_call(e, id, out);
  else
    print_operator(e, id, indent, out);
}

// ------------------------------------------------------------------------- functions

static void print_comment(const char *text, tp_str *out) {
  tp_str_add(out, "// ");
  for (size_t i = 0; text[i]; i++) {
    if (i == TP_CONTRACTS_EMIT_COMMENT) {
      tp_str_add(out, " ...");
      break;
    }
    const bool is_ending =
        text[i] == '\\' && (!text[i + 1] || text[i + 1] == '\n');  // would go on with the comment
    tp_str_add_char(out, text[i] == '\n' || is_ending ? ' ' : text[i]);
  }
  tp_str_add_char(out, '\n');
}

static void print_alloy(const emitter *e, uint32_t id, tp_str *out) {
  tp_str text = {0};
  tp_rel_print(e->l, id, &text);
  print_comment(tp_str_text(&text), out);
  tp_str_clear(&text);
}

static const char *giving(const emitter *e, uint32_t id) {
  return e->n_uses[id] > 1 ? "return known = " : "return ";
}

/* The last answer is cached, with its arguments. */
static void print_memory(const emitter *e, uint32_t id, tp_str *out) {
  const tp_rel_node *x = node(e, id);
  tp_str_printf(out, "  static int known_at;\n  static %sknown;\n",
                c_types[tp_rel_sort_of(x->kind)]);
  for (uint32_t i = 0; i < x->n_free; i++)
    tp_str_add(out, i ? ", *of_" : "  static const tp_set *of_"),
        print_variable(e, x->free[i], out);
  tp_str_add(out, x->n_free ? ";\n  if (known_at == tp_moment" : "  if (known_at == tp_moment");
  for (uint32_t i = 0; i < x->n_free; i++) {
    tp_str_add(out, " && of_"), print_variable(e, x->free[i], out);
    tp_str_add(out, " == "), print_variable(e, x->free[i], out);
  }
  tp_str_add(out, ") return known;\n  known_at = tp_moment;\n");
  for (uint32_t i = 0; i < x->n_free; i++) {
    tp_str_add(out, "  of_"), print_variable(e, x->free[i], out);
    tp_str_add(out, " = "), print_variable(e, x->free[i], out);
    tp_str_add(out, ";\n");
  }
}

typedef struct {
  const char *first;       // value before the loop
  const char *undefined;   // where a set is not defined
  const char *step, *end;  // around the body
} loop;
static const loop loops[] = {
    [TP_REL_ALL_OF] = {"tp_truth whole = TP_TRUE;", "whole = tp_and(whole, TP_UNDEFINED);",
                       "whole = tp_and(whole, ", ");"},
    [TP_REL_SOME_OF] = {"tp_truth whole = TP_FALSE;", "whole = tp_or(whole, TP_UNDEFINED);",
                        "whole = tp_or(whole, ", ");"},
    [TP_REL_SUM] = {"int is_defined = 1;\n  long total = 0;", "is_defined = 0;",
                    "const tp_number term = ", ";"},
    [TP_REL_COMPREHENSION] = {NULL, "all->is_defined = 0;", "const tp_truth holds = ", ";"},
};

/* What a step does with the value of the body; the tuple is made of the variables. */
static void print_step(const emitter *e, const tp_rel_node *x, int indent, tp_str *out) {
  if (x->kind == TP_REL_SUM)
    tp_str_printf(out, "%*sis_defined &= term.is_defined;\n%*stotal += term.value;\n", indent, "",
                  indent, "");
  if (x->kind != TP_REL_COMPREHENSION) return;
  tp_str_printf(
      out,
      "%*sif (holds == TP_UNDEFINED) all->is_defined = 0;\n%*sif (holds == TP_TRUE) tp_add(all, ",
      indent, "", indent, "");
  for (uint32_t i = 1; i < x->n_vars; i++) tp_str_add_char(out, '(');
  for (uint32_t i = 0; i < x->n_vars; i++) {
    tp_str_add(out, i ? " * TP_ATOMS + " : "");
    print_variable(e, x->vars[i], out);
    tp_str_add(out, i ? "->at[0])" : "->at[0]");
  }
  tp_str_add(out, ");\n");
}

/* Variables of one name may stand in each other's scope: each loop opens one. */
static void print_loops(const emitter *e, uint32_t id, tp_str *out) {
  const tp_rel_node *x = node(e, id);
  const loop *how = &loops[x->kind];
  int indent = 2;
  if (x->kind == TP_REL_COMPREHENSION)
    tp_str_printf(out, "  tp_set *all = tp_none(%u);\n", x->arity);
  else
    tp_str_printf(out, "  %s\n", how->first);
  for (uint32_t i = 0; i < x->n_vars; i++, indent += 2) {
    tp_str_printf(out, "%*sconst tp_set *const in%u = ", indent, "", i);
    print_node(e, x->kids[i], (uint32_t)indent + 2, out);
    tp_str_printf(out,
                  ";\n%*sif (!in%u->is_defined) %s\n%*sfor (int i%u = 0; i%u < tp_size(in%u); "
                  "i%u++) {\n%*sconst tp_set *const ",
                  indent, "", i, how->undefined, indent, "", i, i, i, i, indent + 2, "");
    print_variable(e, x->vars[i], out);
    tp_str_printf(out, " = tp_only(in%u->at[i%u]);\n", i, i);
  }
  tp_str_printf(out, "%*s%s", indent, "", how->step);
  print_node(e, x->kids[x->n_vars], (uint32_t)indent + 2, out);
  tp_str_printf(out, "%s\n", how->end);
  print_step(e, x, indent, out);
  while (indent > 2) tp_str_printf(out, "%*s}\n", indent -= 2, "");
  tp_str_printf(out, "  %s%s;\n", giving(e, id),
                x->kind == TP_REL_COMPREHENSION ? "all"
                : x->kind == TP_REL_SUM         ? "tp_fit(is_defined, total)"
                                                : "whole");
}

/* The value is computed before its variable is declared: it may be about another one of the same
 * name. */
static void print_let(const emitter *e, uint32_t id, tp_str *out) {
  const tp_rel_node *x = node(e, id);
  tp_str_add(out, "  const tp_set *const value = ");
  print_node(e, x->kids[0], 4, out);
  tp_str_add(out, ";\n  {\n    const tp_set *const ");
  print_variable(e, x->vars[0], out);
  tp_str_printf(out, " = value;\n    %s", giving(e, id));
  print_node(e, x->kids[1], 6, out);
  tp_str_add(out, ";\n  }\n");
}

static void print_parts(const emitter *e, uint32_t id, tp_str *out) {
  const tp_rel_node *x = node(e, id);
  tp_str_printf(out, "  tp_truth whole = %s;\n", x->kind == TP_REL_AND ? "TP_TRUE" : "TP_FALSE");
  for (uint32_t k = 0; k < x->n_kids; k++) {
    tp_str_printf(out, "  whole = %s(whole, ", calls[x->kind]);
    print_node(e, x->kids[k], 4, out);
    tp_str_add(out, ");\n");
  }
  tp_str_printf(out, "  %swhole;\n", giving(e, id));
}

static void print_function(const emitter *e, uint32_t id, tp_str *out) {
  const tp_rel_node *x = node(e, id);
  print_alloy(e, id, out);
  tp_str_printf(out, "static %s%s%u(", c_types[tp_rel_sort_of(x->kind)],
                stems[tp_rel_sort_of(x->kind)], id);
  for (uint32_t i = 0; i < x->n_free; i++)
    tp_str_add(out, i ? ", const tp_set *" : "const tp_set *"), print_variable(e, x->free[i], out);
  tp_str_add(out, x->n_free ? ") {\n" : "void) {\n");
  if (e->n_uses[id] > 1) print_memory(e, id, out);
  if (x->kind == TP_REL_LET || x->kind == TP_REL_INT_LET || x->kind == TP_REL_FORMULA_LET)
    print_let(e, id, out);
  else if (x->n_vars)
    print_loops(e, id, out);
  else if (x->n_kids > 2 && (x->kind == TP_REL_AND || x->kind == TP_REL_OR))
    print_parts(e, id, out);
  else {
    tp_str_printf(out, "  %s", giving(e, id));
    print_operator(e, id, 4, out);
    tp_str_add(out, ";\n");
  }
  tp_str_add(out, "}\n\n");
}

void tp_rel_emit(const tp_rel *l, const tp_rel_emitted_formula *all, size_t n,
                 const char *const *relations, tp_str *out) {
  TP_REQUIRE(relations != NULL);
  emitter e;
  emitter_init(&e, l, all, n);
  e.relations = relations;
  for (uint32_t id = 1; id < e.n_nodes; id++)
    if (e.is_function[id]) print_function(&e, id, out);
  for (size_t i = 0; i < n; i++) {
    if (all[i].comment)
      print_comment(all[i].comment, out);
    else
      print_alloy(&e, all[i].formula.id, out);
    tp_str_printf(out, "static tp_truth %s(void) {\n  return ", all[i].function);
    print_node(&e, all[i].formula.id, 4, out);
    tp_str_add(out, ";\n}\n\n");
  }
  emitter_clear(&e);
}

// ------------------------------------------------------------------------ definitions

static const char *const definitions[] = {
#include "contracts/rel/relations.inc"  // made by the Makefile from lib/replay/relations.c
};

void tp_rel_emit_definitions(tp_str *out) {
  for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
    tp_str_add(out, definitions[i]);
}

tp_status tp_rel_emit_constants(const tp_rel_universe *u, uint32_t width_bits, tp_str *out) {
  TP_REQUIRE(width_bits > 0 && width_bits < 64);
  const int64_t half = (int64_t)1 << (width_bits - 1);
  uint32_t first, atom;
  if (!tp_rel_find_int_atom(u, -half, &first)) return TP_ERR_UNSUPPORTED;
  for (int64_t i = -half; i < half; i++)
    if (!tp_rel_find_int_atom(u, i, &atom) || atom != first + (uint32_t)(i + half))
      return TP_ERR_UNSUPPORTED;
  tp_str_printf(out,
                "enum { TP_ATOMS = %u, TP_LEAST = %lld, TP_MOST = %lld };\n#define TP_INT(i) ((i) "
                "- TP_LEAST + %u)\n",
                tp_rel_n_atoms(u), (long long)-half, (long long)half - 1, first);
  return TP_OK;
}
