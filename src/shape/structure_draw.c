/* First what can be left out, then nodes, pointers, fields. */
#include "shape/structure_draw.h"

#include "diag/picture.h"

#include <stdio.h>

typedef struct {
  const tp_shape_class *c;
  const tp_structure *s;
  uint64_t nodes;        // that are drawn
  const bool *is_minor;  // by pointer, or NULL
  bool has_twins;        // pointers "p#3", "p#8": of different functions, or scopes
  tp_str *out;
} drawing;

static size_t plain_length(const char *name) { return strcspn(name, "#"); }

static bool has_twins(const tp_shape_class *c) {
  for (uint32_t x = 0; x < c->n_pointers; x++)
    for (uint32_t y = 0; y < x; y++) {
      const size_t n = plain_length(c->pointers[x].name);
      if (n == plain_length(c->pointers[y].name) &&
          strncmp(c->pointers[x].name, c->pointers[y].name, n) == 0)
        return true;
    }
  return false;
}

/* The name, or the predicate's with its arguments, without numbers that nobody needs. */
static void add_name(const drawing *d, const char *name, tp_str *out) {
  for (size_t n; *name; name += n) {
    n = plain_length(name);
    tp_str_add_n(out, name, n);
    if (!name[n]) return;
    const size_t number = 1 + strspn(name + n + 1, "0123456789");
    if (d->has_twins) tp_str_add_n(out, name + n, number);
    n += number;
  }
}

/* It may be anywhere: a pointer that nobody reads any more, or that is not initialised. */
static bool is_lost(const drawing *d, int pointer) {
  const tp_k64 v = d->s->unary[d->c->points[pointer]];
  return d->s->n && v.must == 0 && v.may == tp_structure_nodes(d->s);
}

static uint64_t outside(const drawing *d) { return d->s->unary[d->c->outside].must; }

/* It is nil or leads to something that is no cell, without which: not initialised, a number. */
static bool is_elsewhere(const drawing *d, int pointer) {
  const tp_k64 v = d->s->unary[d->c->points[pointer]];
  return !is_lost(d, pointer) && v.may && v.must == 0 && (v.may & ~outside(d)) == 0;
}
static bool is_shown(const drawing *d, int pointer) {
  return !is_lost(d, pointer) && !is_elsewhere(d, pointer);
}

/* All cells of the kind, and what pointers or fields that are drawn may lead to. */
static uint64_t find_nodes(const drawing *d) {
  uint64_t seen = tp_structure_nodes(d->s) & ~outside(d);
  for (uint32_t x = 0; x < d->c->n_pointers; x++)
    if (is_shown(d, (int)x)) seen |= d->s->unary[d->c->points[x]].may;
  for (uint32_t f = 0; f < d->c->n_fields; f++)
    for (uint32_t u = 0; u < d->s->n; u++)
      if (!(outside(d) >> u & 1)) seen |= tp_structure_row(d->s, d->c->field[f], u)->may;
  return seen;
}

static bool is_drawn(const drawing *d, uint32_t u) { return d->nodes >> u & 1; }

/* Says the predicate something about a pointer that is lost? */
static bool is_of_lost(const drawing *d, const tp_shape_predicate *p) {
  const tp_family *f = &d->c->generator.entry->families.at[p->family];
  for (uint32_t i = 0; i < f->n_arguments; i++)
    if (f->argument[i] == TP_ARGUMENT_POINTER && is_lost(d, p->argument[i])) return true;
  return false;
}

static bool says_something(const drawing *d, const tp_shape_predicate *p) {
  const uint64_t cells = tp_structure_nodes(d->s) & ~outside(d);
  if (p->arity != 1 || p->kind == TP_SHAPE_PREDICATE_POINTS) return false;
  if (p->kind == TP_SHAPE_PREDICATE_FAMILY && is_of_lost(d, p)) return false;
  const tp_k64 v = d->s->unary[p->index];
  return (cells & (cells - 1)) == 0 || (v.must & cells) ||
         (v.may & cells) != cells;  // of a single node also what is not known
}

// ----------------------------------------------------------------------- nodes

static void draw_facts(const drawing *d, uint32_t u) {
  const char *newline = "";
  for (size_t i = 0; i < d->c->predicates.n; i++) {
    const tp_shape_predicate *p = &d->c->predicates.at[i];
    if (!says_something(d, p)) continue;
    const tp_kleene v = tp_k64_get(d->s->unary[p->index], u);
    if (v == TP_KLEENE_FALSE || ((outside(d) >> u & 1) && p->kind != TP_SHAPE_PREDICATE_OUTSIDE))
      continue;
    tp_str name = {0};
    if (p->kind == TP_SHAPE_PREDICATE_DATA)
      tp_str_add(&name, d->c->data_predicates[p->argument[0]].text);
    else
      add_name(d, p->name, &name);
    tp_str_add(d->out, newline);
    tp_picture_quote(tp_str_text(&name), d->out);
    tp_str_clear(&name);
    if (v == TP_KLEENE_HALF) tp_str_add(d->out, ": 1/2");
    newline = "\\n";
  }
}

static void draw_node(const drawing *d, uint32_t u) {
  tp_str_printf(d->out, "  n%u [shape=ellipse, peripheries=%d%s, label=\"", u,
                tp_structure_is_summary(d->s, u) ? 2 : 1,
                outside(d) >> u & 1 ? ", style=filled, fillcolor=\"#eeeeee\"" : "");
  draw_facts(d, u);
  tp_str_add(d->out, "\"];\n");
}

// ---------------------------------------------------------------------- arrows

static void draw_arrows(const drawing *d, const char *from, tp_k64 to, const char *label) {
  for (uint64_t left = to.may & d->nodes; left; left &= left - 1) {
    const uint32_t v = (uint32_t)__builtin_ctzll(left);
    tp_str_printf(d->out, "  %s -> n%u [label=\"", from, v);
    tp_picture_quote(label, d->out);
    tp_str_printf(d->out, "\"%s];\n", to.must >> v & 1 ? "" : ", style=dotted");
  }
}

/* The names of pointers that are nil stand in one line beside one sign. */
static void draw_nil(const drawing *d) {
  const char *comma = "";
  tp_str names = {0};
  for (uint32_t x = 0; x < d->c->n_pointers; x++) {
    if (!is_shown(d, (int)x) || d->s->unary[d->c->points[x]].may) continue;
    tp_str_add(&names, comma);
    add_name(d, d->c->pointers[x].name, &names);
    comma = ", ";
  }
  if (names.n)
    tp_picture_variable(
        "nil", &(tp_picture_field){.name = tp_str_text(&names), .kind = TP_PICTURE_NULL}, d->out);
  tp_str_clear(&names);
}

static void draw_pointers(const drawing *d) {
  draw_nil(d);
  for (uint32_t x = 0; x < d->c->n_pointers; x++) {
    const tp_k64 to = d->s->unary[d->c->points[x]];
    char id[16];
    if (!is_shown(d, (int)x) || !to.may) continue;
    tp_str name = {0};
    add_name(d, d->c->pointers[x].name, &name);
    snprintf(id, sizeof id, "p%u", x);
    tp_picture_variable(
        id, &(tp_picture_field){.name = tp_str_text(&name), .kind = TP_PICTURE_NAME}, d->out);
    tp_str_clear(&name);
    draw_arrows(d, id, to, "");
  }
}

static void draw_fields(const drawing *d) {
  for (uint32_t f = 0; f < d->c->n_fields; f++)
    for (uint32_t u = 0; u < d->s->n; u++) {
      char id[16];
      if (!is_drawn(d, u) || (outside(d) >> u & 1)) continue;
      snprintf(id, sizeof id, "n%u", u);
      draw_arrows(d, id, *tp_structure_row(d->s, d->c->field[f], u), d->c->fields[f]);
    }
}

/* "not known: p, q" */
static void list_pointers(const drawing *d, bool (*is)(const drawing *d, int pointer),
                          const char *what, tp_str *out) {
  const char *before = what;
  for (uint32_t x = 0; x < d->c->n_pointers; x++) {
    if (!is(d, (int)x) || (d->is_minor && d->is_minor[x])) continue;
    if (before == what && out->n) tp_str_add(out, "<BR ALIGN=\"LEFT\"/>");
    tp_str_add(out, before);
    add_name(d, d->c->pointers[x].name, out);
    before = ", ";
  }
}

void tp_shape_draw(const tp_shape_class *c, const tp_structure *s, const bool *is_minor,
                   tp_str *out) {
  drawing d = {.c = c, .s = s, .is_minor = is_minor, .has_twins = has_twins(c), .out = out};
  tp_str left_out = {0};
  d.nodes = find_nodes(&d);
  list_pointers(&d, is_elsewhere, "null or elsewhere: ", &left_out);
  list_pointers(&d, is_lost, "not known: ", &left_out);
  if (left_out.n) tp_str_add(&left_out, "<BR ALIGN=\"LEFT\"/>");
  tp_picture_open(NULL, left_out.n ? tp_str_text(&left_out) : NULL, out);
  for (uint32_t u = 0; u < s->n; u++)
    if (is_drawn(&d, u)) draw_node(&d, u);
  draw_pointers(&d);
  draw_fields(&d);
  tp_picture_close(NULL, out);
  tp_str_clear(&left_out);
}
