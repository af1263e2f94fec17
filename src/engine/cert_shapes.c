/* The record of shapes behind a certificate: numbers are positions, from 1; hints are stored as the
 * lines that they become, each once. */
#include "engine/cert_shapes.h"

#include "program/variables_text.h"

#include <inttypes.h>

void tp_cert_shapes_init(tp_cert_shapes *s) {
  memset(s, 0, sizeof *s);
  tp_arena_init(&s->arena);
}

void tp_cert_shapes_clear(tp_cert_shapes *s) {
  for (size_t i = 0; i < s->classes.n; i++) {
    tp_vec_clear(&s->classes.at[i].offsets);
    tp_vec_clear(&s->classes.at[i].predicates);
    tp_vec_clear(&s->classes.at[i].hints);
  }
  tp_vec_clear(&s->classes);
  tp_vec_clear(&s->graphs);
  tp_vec_clear(&s->described);
  tp_arena_clear(&s->arena);
}

static tp_cert_class *class_of(const tp_cert_shapes *s, uint32_t k) {
  TP_INVARIANT(k > 0 && k <= s->classes.n);
  return &s->classes.at[k - 1];
}

uint32_t tp_cert_shapes_class(tp_cert_shapes *s, uint64_t size_bytes) {
  tp_vec_push(&s->classes, (tp_cert_class){.size_bytes = size_bytes});
  return (uint32_t)s->classes.n;
}

void tp_cert_shapes_field(tp_cert_shapes *s, uint32_t of, uint64_t offset) {
  tp_vec_push(&class_of(s, of)->offsets, offset);
}

static uint32_t arity_of(const tp_cert_predicate *p) {
  if (p->kind == TP_CERT_FIELD) return 2;
  return p->kind == TP_CERT_DEFINED || p->kind == TP_CERT_OPAQUE ? p->arity : 1;
}

uint32_t tp_cert_shapes_predicate(tp_cert_shapes *s, uint32_t of, tp_cert_predicate predicate) {
  tp_cert_class *c = class_of(s, of);
  predicate.arity = arity_of(&predicate);
  TP_INVARIANT(predicate.arity == 1 || predicate.arity == 2);
  if (predicate.formula) predicate.formula = tp_arena_strdup(&s->arena, predicate.formula);
  tp_vec_push(&c->predicates, predicate);
  return (uint32_t)c->predicates.n;
}

static void add_hint(tp_cert_shapes *s, uint32_t of, const char *line) {
  tp_cert_class *c = class_of(s, of);
  for (size_t i = 0; i < c->hints.n; i++)
    if (!strcmp(c->hints.at[i], line)) return;
  tp_vec_push(&c->hints, tp_arena_strdup(&s->arena, line));
}

void tp_cert_shapes_rule(tp_cert_shapes *s, uint32_t of, const char *text) {
  tp_str line = {0};
  tp_str_printf(&line, "constraint %" PRIu32 " %s", of, text);
  add_hint(s, of, tp_str_text(&line));
  tp_str_clear(&line);
}

void tp_cert_shapes_update(tp_cert_shapes *s, uint32_t of, uint32_t predicate, uint32_t through,
                           const char *formula) {
  tp_str line = {0};
  tp_str_printf(&line, "update %" PRIu32 " %" PRIu32 " %" PRIu32 " %s", of, predicate, through,
                formula);
  add_hint(s, of, tp_str_text(&line));
  tp_str_clear(&line);
}

static size_t values_of(uint32_t arity, uint32_t n_nodes) {
  return arity == 2 ? (size_t)n_nodes * n_nodes : n_nodes;
}

size_t tp_cert_n_values(const tp_cert_class *c, uint32_t n_nodes) {
  size_t n = n_nodes;
  for (size_t i = 0; i < c->predicates.n; i++) n += values_of(c->predicates.at[i].arity, n_nodes);
  return n;
}

uint32_t tp_cert_shapes_graph(tp_cert_shapes *s, uint32_t of, uint32_t n_nodes,
                              const char *values) {
  size_t n = tp_cert_n_values(class_of(s, of), n_nodes);
  tp_vec_push(&s->graphs, (tp_cert_graph){of, n_nodes, tp_arena_strndup(&s->arena, values, n)});
  return (uint32_t)s->graphs.n;
}

void tp_cert_shapes_describe(tp_cert_shapes *s, uint32_t entry, uint32_t graph) {
  TP_INVARIANT(!s->described.n || tp_vec_last(&s->described).entry <= entry);
  TP_INVARIANT(graph > 0 && graph <= s->graphs.n);
  tp_vec_push(&s->described, (tp_cert_described){entry, graph});
}

// --------------------------------------------------------------------- writing

static bool put_data(const tp_cert_predicate *d, const tp_program *p, tp_str *out) {
  tp_term bound = tp_mk_bound(p->terms, 0, tp_sort_ptr(p->terms));
  tp_term closed =
      tp_mk_quantifier(p->terms, TP_OP_EXISTS, 0, tp_replace(p->terms, d->data, d->cell, bound));
  tp_str_add(out, "data ");
  return tp_term_write(p->terms, closed, tp_program_text_vars(p), out);
}

static bool put_predicate(const tp_cert_predicate *d, const tp_program *p, tp_str *out) {
  bool ok = true;
  switch (d->kind) {
    case TP_CERT_POINTER:
      tp_str_printf(out, "pointer %" PRIu32 "  # %s", d->var.id, tp_var_of(p, d->var)->name);
      break;
    case TP_CERT_FREED: tp_str_add(out, "freed"); break;
    case TP_CERT_OUTSIDE: tp_str_add(out, "outside"); break;
    case TP_CERT_FIELD: tp_str_printf(out, "field %" PRIu32, d->field); break;
    case TP_CERT_DATA: ok = put_data(d, p, out); break;
    case TP_CERT_DEFINED:
      tp_str_printf(out, "instrumentation %" PRIu32 " %s", d->arity, d->formula);
      break;
    case TP_CERT_OPAQUE: tp_str_printf(out, "opaque %" PRIu32, d->arity); break;
  }
  tp_str_add_char(out, '\n');
  return ok;
}

static bool put_class(const tp_cert_class *c, size_t k, const tp_program *p, tp_str *out) {
  tp_str_printf(out, "class %zu %" PRIu64, k, c->size_bytes);
  for (size_t i = 0; i < c->offsets.n; i++) tp_str_printf(out, " %" PRIu64, c->offsets.at[i]);
  tp_str_add_char(out, '\n');
  bool ok = true;
  for (size_t i = 0; i < c->predicates.n && ok; i++) {
    tp_str_printf(out, "predicate %zu %zu ", k, i + 1);
    ok = put_predicate(&c->predicates.at[i], p, out);
  }
  for (size_t i = 0; i < c->hints.n; i++) tp_str_printf(out, "%s\n", c->hints.at[i]);
  return ok;
}

static const char *put_word(const char *values, size_t n, tp_str *out) {
  tp_str_add_char(out, ' ');
  if (n)
    tp_str_add_n(out, values, n);
  else
    tp_str_add_char(out, '-');
  return values + n;
}

static void put_graph(const tp_cert_shapes *s, size_t i, tp_str *out) {
  const tp_cert_graph *g = &s->graphs.at[i];
  const tp_cert_class *c = class_of(s, g->of);
  tp_str_printf(out, "graph %zu %" PRIu32 " %" PRIu32, i + 1, g->of, g->n_nodes);
  const char *values = put_word(g->values, g->n_nodes, out);
  for (size_t k = 0; k < c->predicates.n; k++)
    values = put_word(values, values_of(c->predicates.at[k].arity, g->n_nodes), out);
  tp_str_add_char(out, '\n');
}

bool tp_cert_shapes_write(const tp_cert_shapes *s, const tp_program *p, tp_str *out) {
  bool ok = true;
  for (size_t k = 0; k < s->classes.n && ok; k++) ok = put_class(&s->classes.at[k], k + 1, p, out);
  for (size_t i = 0; i < s->graphs.n && ok; i++) put_graph(s, i, out);
  return ok;
}

void tp_cert_shapes_write_described(const tp_cert_shapes *s, uint32_t entry, tp_str *out) {
  for (uint32_t k = 1; k <= s->classes.n; k++) {
    bool any = false;
    for (size_t i = 0; i < s->described.n; i++) {
      const tp_cert_described *d = &s->described.at[i];
      if (d->entry != entry || s->graphs.at[d->graph - 1].of != k) continue;
      if (!any) tp_str_add(out, "shape");
      tp_str_printf(out, " %" PRIu32, d->graph);
      any = true;
    }
    if (any) tp_str_add_char(out, '\n');
  }
}
