#include "shape/print.h"

/* "reach[p], cyclic?": what holds of node u, what may hold. Pointers are arrows in pictures. */
static void print_facts(const tp_shape_class *c, const tp_structure *s, uint32_t u, bool with_pointers, const char *separator, tp_str *out) {
  const char *before = "";
  for (size_t i = 0; i < c->predicates.n; i++) {
    const tp_predicate *p = &c->predicates.at[i];
    if (p->arity != 1 || (p->kind == TP_PREDICATE_POINTS && !with_pointers)) continue;
    const tp_kleene v = tp_k64_get(s->unary[p->index], u);
    if (v == TP_KLEENE_FALSE) continue;
    tp_str_printf(out, "%s%s%s", before, p->name, v == TP_KLEENE_HALF ? "?" : "");
    before = separator;
  }
}

void tp_shape_print(const tp_shape_class *c, const tp_structure *s, tp_str *out) {
  for (uint32_t u = 0; u < s->n; u++) {
    tp_str_printf(out, "%s %u: ", tp_structure_is_summary(s, u) ? "cells" : "cell", u);
    print_facts(c, s, u, true, ", ", out);
    for (size_t i = 0; i < c->predicates.n; i++) {
      const tp_predicate *p = &c->predicates.at[i];
      for (uint32_t v = 0; p->arity == 2 && v < s->n; v++) {
        const tp_kleene x = tp_k64_get(*tp_structure_row(s, p->index, u), v);
        if (x != TP_KLEENE_FALSE) tp_str_printf(out, "; %s(%u)%s", p->name, v, x == TP_KLEENE_HALF ? "?" : "");
      }
    }
    tp_str_add_char(out, '\n');
  }
}

// --------------------------------------------------------------------- pictures

/* Text in double quotes. */
static void draw_text(const char *text, tp_str *out) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') tp_str_add_char(out, '\\');
    tp_str_add_char(out, *text);
  }
}

static void draw_node(const tp_shape_class *c, const tp_structure *s, uint32_t graph, uint32_t u, tp_str *out) {
  tp_str facts = {0};
  print_facts(c, s, u, false, "\n", &facts);
  tp_str_printf(out, "    g%u_%u [shape=%s, label=\"\", xlabel=\"", graph, u, tp_structure_is_summary(s, u) ? "doublecircle" : "circle");
  for (const char *t = tp_str_text(&facts); *t; t++) {
    const char one[2] = {*t, 0};
    if (*t == '\n') tp_str_add(out, "\\n");
    else draw_text(one, out);
  }
  tp_str_add(out, "\"];\n");
  tp_str_clear(&facts);
}

static void draw_arrows(uint32_t graph, const char *from, tp_k64 to, const char *label, tp_str *out) {
  for (uint64_t left = to.may; left; left &= left - 1) {
    const uint32_t v = (uint32_t)__builtin_ctzll(left);
    tp_str_printf(out, "    g%u_%s -> g%u_%u [label=\"", graph, from, graph, v);
    draw_text(label, out);
    tp_str_printf(out, "\"%s];\n", (to.must >> v) & 1 ? "" : ", style=dotted");
  }
}

static void draw_structure(const tp_shape_class *c, const tp_structure *s, uint32_t graph, tp_str *out) {
  tp_str_printf(out, "  subgraph cluster_%u {\n    label=\"%u\";\n", graph, graph + 1);
  for (uint32_t u = 0; u < s->n; u++) draw_node(c, s, graph, u, out);
  for (size_t i = 0; i < c->predicates.n; i++) {
    const tp_predicate *p = &c->predicates.at[i];
    tp_str from = {0};
    if (p->kind == TP_PREDICATE_POINTS) {
      tp_str_printf(&from, "p%d", p->argument[0]);
      tp_str_printf(out, "    g%u_%s [shape=plaintext, label=\"", graph, tp_str_text(&from));
      draw_text(c->pointers[p->argument[0]].name, out);
      tp_str_add(out, s->unary[p->index].may ? "\"];\n" : " = nil\"];\n");
      draw_arrows(graph, tp_str_text(&from), s->unary[p->index], "", out);
    } else if (p->kind == TP_PREDICATE_FIELD) {
      for (uint32_t u = 0; u < s->n; u++) {
        tp_str_clear(&from);
        tp_str_printf(&from, "%u", u);
        draw_arrows(graph, tp_str_text(&from), *tp_structure_row(s, p->index, u), p->name, out);
      }
    }
    tp_str_clear(&from);
  }
  tp_str_add(out, "  }\n");
}

void tp_shape_draw(const tp_shape_class *c, const tp_structure *const *list, size_t n, const char *title, tp_str *out) {
  tp_str_add(out, "digraph shapes {\n  rankdir=LR;\n  forcelabels=true;\n  label=\"");
  draw_text(title, out);
  tp_str_add(out, "\";\n");
  for (size_t i = 0; i < n; i++) draw_structure(c, list[i], (uint32_t)i, out);
  tp_str_add(out, "}\n");
}
