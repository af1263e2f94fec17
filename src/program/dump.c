/* The program model as text and as a graph for Graphviz.
 *
 * Text: one block per function, locations in reverse postorder, one line per
 * edge that reads like the source, what is special about a location above its
 * edges. Graph: one box per location with its source line; loop heads, other
 * cutpoints, errors and unsupported places differ in shape and colour. */
#include "program/access.h"
#include "program/program.h"

#include <stdlib.h>

static void add_value(const tp_program *p, tp_term t, tp_str *out) {
  tp_access_print_value(p, t, out);
}

static const char *var_name(const tp_program *p, tp_var v) { return tp_var_of(p, v)->name; }

/* "x = ", or "&x = " for the variable that will hold x's address. */
static void add_target(const tp_program *p, tp_var v, tp_str *out) {
  if (v.id) tp_str_printf(out, "%s%s = ", tp_var_of(p, v)->is_address ? "&" : "", var_name(p, v));
}

static uint64_t access_size(const tp_program *p, tp_term value) {
  return tp_sort_bytes(p->terms, tp_sort_of(p->terms, value));
}

static void add_args(const tp_program *p, const tp_edge_info *e, tp_str *out) {
  tp_str_add_char(out, '(');
  for (uint32_t i = 0; i < e->n_args; i++) {
    if (i) tp_str_add(out, ", ");
    add_value(p, e->args[i], out);
  }
  tp_str_add_char(out, ')');
}

static const char *const input_names[] = {
    [TP_I_NONDET] = "nondet",     [TP_I_EXTERN] = "extern",
    [TP_I_ARGS] = "arguments",    [TP_I_INDETERMINATE] = "indeterminate",
    [TP_I_VOLATILE] = "volatile", [TP_I_ENVIRONMENT] = "environment",
};

static void add_input(const tp_edge_info *e, tp_str *out) {
  if (e->name && e->input != TP_I_INDETERMINATE)
    tp_str_printf(out, "%s()", e->name);
  else
    tp_str_printf(out, "%s", input_names[e->input]);
}

static void add_alloc(const tp_program *p, const tp_edge_info *e, tp_str *out) {
  static const char *const kinds[] = {
      [TP_O_NONE] = "object",       [TP_O_GLOBAL] = "new_global", [TP_O_LITERAL] = "new_literal",
      [TP_O_FUNCTION] = "function", [TP_O_STACK] = "new_stack",   [TP_O_HEAP] = "malloc",
  };
  add_target(p, e->var, out);
  tp_str_printf(out, "%s(", kinds[e->object_kind]);
  add_value(p, e->a, out);
  if (tp_term_is(e->b)) {
    tp_str_add(out, ", filled with ");
    add_value(p, e->b, out);
  }
  tp_str_add_char(out, ')');
}

static void add_operands(const tp_program *p, const char *name, const tp_edge_info *e,
                         tp_str *out) {
  tp_str_printf(out, "%s(", name);
  const tp_term operands[] = {e->a, e->b, e->c};
  const char *comma = "";
  for (size_t i = 0; i < 3; i++) {
    if (!tp_term_is(operands[i])) continue;
    tp_str_add(out, comma);
    add_value(p, operands[i], out);
    comma = ", ";
  }
  tp_str_add_char(out, ')');
}

static void add_call(const tp_program *p, const tp_edge_info *e, tp_str *out) {
  add_target(p, e->var, out);
  if (e->callee.id) {
    tp_str_add(out, tp_func_of(p, e->callee)->name);
  } else {
    tp_str_add(out, "(*");
    add_value(p, e->a, out);
    tp_str_add_char(out, ')');
  }
  add_args(p, e, out);
}

void tp_edge_print(const tp_program *p, tp_edge edge, tp_str *out) {
  const tp_edge_info *e = tp_edge_of(p, edge);
  switch (e->kind) {
    case TP_E_SKIP: tp_str_add(out, "skip"); break;
    case TP_E_ASSIGN:
      add_target(p, e->var, out);
      add_value(p, e->a, out);
      break;
    case TP_E_ASSUME: add_operands(p, "assume", e, out); break;
    case TP_E_LOAD:
      add_target(p, e->var, out);
      tp_access_print(p, e->a, e->type, access_size(p, tp_var_of(p, e->var)->term), out);
      break;
    case TP_E_STORE:
      tp_access_print(p, e->a, e->type, access_size(p, e->b), out);
      tp_str_add(out, " = ");
      add_value(p, e->b, out);
      break;
    case TP_E_ALLOC: add_alloc(p, e, out); break;
    case TP_E_FREE: add_operands(p, "free", e, out); break;
    case TP_E_COPY: add_operands(p, "memmove", e, out); break;
    case TP_E_SET: add_operands(p, "memset", e, out); break;
    case TP_E_HAVOC:
      if (e->callee.id) {
        add_call(p, e, out);
        break;
      }
      add_target(p, e->var, out);
      add_input(e, out);
      break;
    case TP_E_HAVOC_MEMORY:
      add_operands(p, "input", e, out);
      tp_str_add(out, " = ");
      add_input(e, out);
      break;
    case TP_E_CALL: add_call(p, e, out); break;
    case TP_E_RETURN:
      tp_str_add(out, "return");
      if (tp_term_is(e->a)) {
        tp_str_add_char(out, ' ');
        add_value(p, e->a, out);
      }
      break;
    case TP_E_END_SCOPE: add_operands(p, "end_of_scope", e, out); break;
  }
}

// ------------------------------------------------------------------------ text

static int by_order(const void *a, const void *b, void *ctx) {
  const tp_program *p = ctx;
  const tp_loc_info *x = tp_loc_of(p, *(const tp_loc *)a), *y = tp_loc_of(p, *(const tp_loc *)b);
  if (x->func.id != y->func.id) return x->func.id < y->func.id ? -1 : 1;
  if (x->order != y->order) return x->order < y->order ? -1 : 1;
  return ((const tp_loc *)a)->id < ((const tp_loc *)b)->id ? -1 : 1;
}

/* Reachable locations and exits, function by function, in reverse postorder. */
static tp_loc *locs_in_order(const tp_program *p, size_t *n) {
  tp_loc *locs = TP_NEW_ARRAY(tp_loc, p->locs.n);
  *n = 0;
  for (uint32_t l = 1; l < p->locs.n; l++) {
    const tp_loc_info *info = &p->locs.at[l];
    if (info->order != TP_ORDER_NONE || tp_func_of(p, info->func)->exit.id == l)
      locs[(*n)++] = (tp_loc){l};
  }
  qsort_r(locs, *n, sizeof *locs, by_order, (void *)(uintptr_t)p);
  return locs;
}

static void add_pos(const tp_program *p, tp_pos pos, tp_str *out) {
  if (!p->diag || !tp_pos_known(pos)) return;
  const char *path = tp_diag_path(p->diag, pos.file);
  const char *slash = strrchr(path, '/');
  tp_str_printf(out, "%s:%u", slash ? slash + 1 : path, pos.line);
}

static void print_func_head(const tp_program *p, tp_func f, tp_str *out) {
  const tp_func_info *func = tp_func_of(p, f);
  const tp_type_info *type = func->type.id ? tp_type_of(p, func->type) : NULL;
  const char *result = type && type->element.id ? tp_type_of(p, type->element)->name
                       : func->result.id        ? "?"
                                                : "void";
  tp_str_printf(out, "function %s %s(", result, func->name);
  for (uint32_t i = 0; i < func->n_params; i++) {
    const tp_var_info *v = tp_var_of(p, func->params[i]);
    const char *param = v->type.id ? tp_type_of(p, v->type)->name : "?";
    tp_str_printf(out, "%s%s%s%s", i ? ", " : "", param, param[strlen(param) - 1] == '*' ? "" : " ",
                  v->name);
  }
  tp_str_printf(out, "): L%u to L%u", func->entry.id, func->exit.id);
  if (func->is_recursive) tp_str_add(out, ", recursive");
  if (func->is_model) tp_str_add(out, ", library model");
  if (tp_pos_known(func->pos)) {
    tp_str_add(out, "   // ");
    add_pos(p, func->pos, out);
  }
  tp_str_add_char(out, '\n');
}

static void add_note(tp_str *out, const char *note) {
  if (out->n) tp_str_add(out, ", ");
  tp_str_add(out, note);
}

/* What is special about a location, "" if nothing. */
static void add_notes(const tp_program *p, tp_loc l, tp_str *out) {
  const tp_loc_info *loc = tp_loc_of(p, l);
  if (loc->label) tp_str_printf(out, "label %s", loc->label);
  if (loc->is_loop_head) {
    add_note(out, "loop head");
    if (loc->loop && p->loops.at[loc->loop].depth > 1)
      tp_str_printf(out, " at depth %u", p->loops.at[loc->loop].depth);
    if (loc->loop && p->loops.at[loc->loop].is_irreducible) add_note(out, "entered elsewhere too");
  }
  if (loc->is_cutpoint) add_note(out, "cutpoint");
  if (loc->error != TP_P_NONE) {
    add_note(out, "error ");
    tp_str_printf(out, "%s", tp_property_name(loc->error));
    if (loc->message) tp_str_printf(out, " (%s)", loc->message);
  }
  if (loc->is_unsupported) add_note(out, "unsupported");
}

static void print_loc(const tp_program *p, tp_loc l, tp_str *out) {
  tp_str notes = {0};
  add_notes(p, l, &notes);
  if (notes.n) tp_str_printf(out, "  L%u: %s\n", l.id, notes.text);
  tp_str_clear(&notes);
  tp_edge_list edges = tp_out_edges(p, l);
  for (uint32_t i = 0; i < edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[edges.at[i]];
    tp_str_printf(out, "  L%u -> L%u: ", l.id, e->to.id);
    tp_edge_print(p, (tp_edge){edges.at[i]}, out);
    if (tp_pos_known(e->pos)) {
      tp_str_add(out, "   // ");
      add_pos(p, e->pos, out);
    }
    tp_str_add_char(out, '\n');
  }
}

/* As locs_in_order, of one function only where that is not NONE. */
static tp_loc *locs_of(const tp_program *p, tp_func only, size_t *n) {
  tp_loc *locs = locs_in_order(p, n);
  size_t kept = 0;
  for (size_t i = 0; i < *n; i++)
    if (!only.id || tp_loc_of(p, locs[i])->func.id == only.id) locs[kept++] = locs[i];
  *n = kept;
  return locs;
}

void tp_program_print_function(const tp_program *p, tp_func only, tp_str *out) {
  size_t n;
  tp_loc *locs = locs_of(p, only, &n);
  for (size_t i = 0; i < n; i++) {
    tp_func f = tp_loc_of(p, locs[i])->func;
    if (i == 0 || tp_loc_of(p, locs[i - 1])->func.id != f.id) {
      if (i) tp_str_add_char(out, '\n');
      print_func_head(p, f, out);
    }
    print_loc(p, locs[i], out);
  }
  tp_free(locs);
}

// ------------------------------------------------------------------------- DOT

static void add_escaped(tp_str *out, const char *text, size_t max) {
  for (size_t i = 0; text[i] && i < max; i++) {
    if (text[i] == '"' || text[i] == '\\') tp_str_add_char(out, '\\');
    tp_str_add_char(out, text[i] == '\n' || text[i] == '\t' ? ' ' : text[i]);
  }
}

static const char *node_style(const tp_program *p, tp_loc l) {
  const tp_loc_info *loc = tp_loc_of(p, l);
  const tp_func_info *f = tp_func_of(p, loc->func);
  if (loc->error != TP_P_NONE) return "shape=octagon style=filled fillcolor=\"#ffb3b3\" penwidth=2";
  if (loc->is_unsupported) return "shape=box style=\"filled,dashed\" fillcolor=\"#e0e0e0\"";
  if (loc->is_loop_head)
    return loc->is_cutpoint ? "shape=doubleoctagon style=filled fillcolor=\"#cfe2ff\""
                            : "shape=doubleoctagon style=filled fillcolor=\"#eef4ff\"";
  if (l.id == f->entry.id || l.id == f->exit.id)
    return "shape=box style=\"rounded,filled\" fillcolor=\"#d9f2d9\"";
  return "shape=box";
}

static void print_node(const tp_program *p, tp_loc l, tp_str *out) {
  const tp_loc_info *loc = tp_loc_of(p, l);
  tp_str notes = {0};
  add_notes(p, l, &notes);
  tp_str_printf(out, "    L%u [%s label=\"L%u", l.id, node_style(p, l), l.id);
  if (notes.n) {
    tp_str_add(out, ": ");
    add_escaped(out, notes.text, 80);
  }
  const char *line = p->diag ? tp_diag_source_line(p->diag, loc->pos.file, loc->pos.line) : NULL;
  if (line) {
    tp_str_printf(out, "\\n%u: ", loc->pos.line);
    add_escaped(out, line + strspn(line, " \t"), 60);
  }
  tp_str_add(out, "\"];\n");
  tp_str_clear(&notes);
}

static void print_arrows(const tp_program *p, tp_loc l, tp_str *out) {
  tp_edge_list edges = tp_out_edges(p, l);
  for (uint32_t i = 0; i < edges.n; i++) {
    tp_str text = {0};
    tp_edge_print(p, (tp_edge){edges.at[i]}, &text);
    tp_str_printf(out, "    L%u -> L%u [label=\"", l.id, p->edges.at[edges.at[i]].to.id);
    add_escaped(out, text.text, 80);
    tp_str_add(out, "\"];\n");
    tp_str_clear(&text);
  }
}

void tp_program_print_function_dot(const tp_program *p, tp_func only, tp_str *out) {
  size_t n;
  tp_loc *locs = locs_of(p, only, &n);
  tp_str_add(out,
             "digraph cfa {\n  node [fontname=\"monospace\" fontsize=10];\n  edge "
             "[fontname=\"monospace\" fontsize=9];\n");
  for (size_t i = 0; i < n; i++) {
    tp_func f = tp_loc_of(p, locs[i])->func;
    if (i == 0 || tp_loc_of(p, locs[i - 1])->func.id != f.id) {
      if (i) tp_str_add(out, "  }\n");
      tp_str_printf(out, "  subgraph cluster_%u {\n    label=\"%s\";\n", f.id,
                    tp_func_of(p, f)->name);
    }
    print_node(p, locs[i], out);
    print_arrows(p, locs[i], out);
  }
  tp_str_add(out, n ? "  }\n}\n" : "}\n");
  tp_free(locs);
}

void tp_program_print(const tp_program *p, tp_str *out) {
  tp_program_print_function(p, TP_FUNC_NONE, out);
}

void tp_program_print_dot(const tp_program *p, tp_str *out) {
  tp_program_print_function_dot(p, TP_FUNC_NONE, out);
}
