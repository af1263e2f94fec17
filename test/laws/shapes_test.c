/* Shapes and explicit heaps on random C programs over lists: every heap of every run must be one
 * that was reached there.
 *
 * Programs are made of operations on cells (allocation, copies, loads, stores, frees, conditions,
 * loops, calls, data, blocks of bytes) without any care for what is valid: a run ends where it
 * follows a bad pointer. The reached set is closed first. Then the state of each step of some
 * random runs becomes a two-valued structure: its cells are the objects of the structure's size,
 * cells outside the structure whatever else pointers lead to; values are read from memory by the
 * concrete machine, families by their definitions. A pointer of a function that is not active has
 * no value: some value must do, and null always does. It must embed into a graph of an element of
 * that location and call string, and the formulas of all its components must be true. With explicit
 * heaps that become graphs at a threshold, graphs are made of what was known cell by cell.
 *
 * TP_SEED: the first program; TP_SOAK: many. */
#include "cpa/composition.h"
#include "cpa/heap/heap_cpa.h"
#include "cpa/predicate/predicate_cpa.h"
#include "cpa/recursion.h"
#include "cpa/shape/shape_cpa.h"
#include "front/front.h"
#include "program/cells.h"
#include "shape/structure_print.h"
#include "samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_STEPS = 4000, SAMPLED = 500, MOST_CELLS = 14, PROGRAMS = 6, SOAK_PROGRAMS = 300 };

// --------------------------------------------------------------------- programs

typedef struct {
  tp_rng rng;
  tp_str *out;
  bool is_double;  // cells have a link back
  int depth;
} writer;

static uint32_t below(writer *w, uint32_t n) { return (uint32_t)tp_rng_below(&w->rng, n); }
static const char *pointer(writer *w) {
  static const char *const names[] = {"a", "b", "c", "g"};
  return names[below(w, 4)];
}
static const char *field_name(writer *w) { return w->is_double && below(w, 2) ? "p" : "n"; }
static void line(writer *w, const char *text) {
  tp_str_printf(w->out, "%*s%s\n", 2 * w->depth, "", text);
}

static void statement(writer *w);

static void block(writer *w, const char *head) {
  line(w, head);
  w->depth++;
  for (uint32_t i = 0, n = 1 + below(w, 3); i < n; i++) statement(w);
  w->depth--;
  line(w, "}");
}

static void condition(writer *w, const char *keyword) {
  char text[200];
  const char *x = pointer(w), *y = pointer(w), *f = field_name(w);
  switch (below(w, 6)) {
    case 0: snprintf(text, sizeof text, "%s (%s == %s) {", keyword, x, y); break;
    case 1: snprintf(text, sizeof text, "%s (%s && %s->%s) {", keyword, x, x, f); break;
    case 2:
      snprintf(text, sizeof text, "%s (%s && %s->h == %u) {", keyword, x, x, below(w, 3));
      break;
    case 3: snprintf(text, sizeof text, "%s (!%s || %s != %s) {", keyword, x, x, y); break;
    case 4: snprintf(text, sizeof text, "%s (%s && __VERIFIER_nondet_int()) {", keyword, x); break;
    default: snprintf(text, sizeof text, "%s (__VERIFIER_nondet_int()) {", keyword); break;
  }
  block(w, text);
}

/* Blocks of bytes, integers in the place of pointers, the inside of cells: what graphs have to
 * forget. */
static void odd_statement(writer *w, char *text, size_t size) {
  const char *x = pointer(w), *y = pointer(w);
  switch (below(w, 8)) {
    case 0: snprintf(text, size, "if (%s && %s) *%s = *%s;", x, y, x, y); break;
    case 1: snprintf(text, size, "if (%s) memset(%s, 0, sizeof *%s);", x, x, x); break;
    case 2: snprintf(text, size, "if (%s) other = &%s->n;", x, x); break;
    case 3: snprintf(text, size, "if (other) *other = %s;", y); break;
    case 4: snprintf(text, size, "if (other) %s = *other;", y); break;
    case 5: snprintf(text, size, "if (%s) ((char *)%s)[%u] = 1;", x, x, below(w, 24)); break;
    case 6: snprintf(text, size, "%s = (struct node *)(void *)&here;", x); break;
    default: snprintf(text, size, "%s = calloc(1, sizeof(struct node));", x); break;
  }
}

static void statement(writer *w) {
  char text[200];
  const char *x = pointer(w), *y = pointer(w), *f = field_name(w);
  if (w->depth < 4 && below(w, 6) == 0) {
    condition(w, below(w, 3) ? "if" : "while");
    return;
  }
  switch (below(w, 16)) {
    case 0:
    case 1:
    case 2:
    case 3: snprintf(text, sizeof text, "%s = malloc(sizeof(struct node));", x); break;
    case 4: snprintf(text, sizeof text, "%s = %s;", x, y); break;
    case 5:
    case 6: snprintf(text, sizeof text, "if (%s) %s = %s->%s;", y, x, y, f); break;
    case 7:
    case 8:
    case 9: snprintf(text, sizeof text, "if (%s) %s->%s = %s;", x, x, f, y); break;
    case 10:
      snprintf(text, sizeof text, "if (%s) { %s->%s = 0; %s->h = %u; }", x, x, f, x, below(w, 3));
      break;
    case 11: snprintf(text, sizeof text, "free(%s); %s = 0;", x, x); break;
    case 12: snprintf(text, sizeof text, "if (%s) i = %s->h;", x, x); break;
    case 13: snprintf(text, sizeof text, "%s = step(%s);", x, y); break;
    case 14: snprintf(text, sizeof text, "if (i == %u && %s) %s->h = i;", below(w, 3), x, x); break;
    default: odd_statement(w, text, sizeof text); break;
  }
  line(w, text);
}

static void function(writer *w, const char *head, const char *end, uint32_t n) {
  line(w, head);
  w->depth = 1;
  for (uint32_t i = 0; i < n; i++) statement(w);
  line(w, end);
  w->depth = 0;
  line(w, "}");
}

static void write_program(uint64_t seed, tp_str *out) {
  writer w = {.out = out, .is_double = seed % 3 == 0};
  tp_rng_init(&w.rng, seed);
  tp_str_add(out,
             "#include <stdlib.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);\n");
  tp_str_printf(out, "struct node { int h; struct node *n;%s };\nstruct node *g;\n",
                w.is_double ? " struct node *p;" : "");
  if (below(&w, 2))
    tp_str_add(
        out,
        "static struct node *step(struct node *x) {\n  if (!x) return 0;\n  return x->n;\n}\n");
  else
    tp_str_add(out,
               "static struct node *step(struct node *x) {\n  struct node *y = malloc(sizeof "
               "*y);\n  y->n = x;\n  y->h = 1;\n  return y;\n}\n");
  function(&w,
           "int main(void) {\n  struct node *a = 0, *b = 0, *c = 0, here, **other = 0;\n  int i = "
           "0;\n  here.n = 0;",
           "return i;", 6 + below(&w, 12));
}

// ------------------------------------------------------------- heaps as structures

/* A pointer value. */
typedef struct {
  uint32_t object;
  uint64_t offset;
} address;

typedef struct {
  const tp_program *p;
  const sample_state *state;
  const tp_contexts *contexts;
  const tp_cell_kind *cells;
  const tp_shape_class *c;
  TP_VEC(address) at;  // cells, then cells outside the structure
  size_t n_cells;
} heap;

static bool value_of(const heap *h, tp_term t, address *out) {
  tp_value v;
  if (tp_state_eval(h->state->state, t, &v) != TP_OK) return false;
  *out = (address){v.object, (uint64_t)v.bits};
  return true;
}

static bool is_null(address a) { return a.object == 0 && a.offset == 0; }

static uint32_t number_of(heap *h, address a) {
  for (uint32_t i = 0; i < h->at.n; i++)
    if (h->at.at[i].object == a.object && h->at.at[i].offset == a.offset) return i;
  tp_vec_push(&h->at, a);
  return (uint32_t)h->at.n - 1;
}

static bool pointer_value(const heap *h, uint32_t x, address *out) {
  const tp_var_info *v = tp_var_of(h->p, h->cells->pointers[x]);
  return (!v->func.id || tp_context_has(h->contexts, h->state->context, v->func)) &&
         value_of(h, v->term, out);
}

static tp_term place(const heap *h, uint32_t u, uint64_t offset) {
  return tp_mk_ptr_const(h->p->terms, h->at.at[u].object, offset);
}

/* Where field f of cell u leads; false: the cell was freed. */
static bool field_value(const heap *h, uint32_t f, uint32_t u, address *out) {
  return value_of(h, tp_cell(h->p, tp_sort_ptr(h->p->terms), place(h, u, h->cells->offsets[f])),
                  out);
}

static void find_elements(heap *h) {
  address a;
  for (uint32_t o = 1; o <= tp_state_n_objects(h->state->state); o++) {
    tp_object_info info;
    if (!tp_state_object_info(h->state->state, o, &info) || info.kind != TP_O_HEAP ||
        info.size != h->cells->size_bytes)
      continue;
    tp_vec_push(&h->at, (address){o, 0});
  }
  h->n_cells = h->at.n;
  for (uint32_t x = 0; x < h->c->n_pointers; x++)
    if (pointer_value(h, x, &a) && !is_null(a)) number_of(h, a);
  for (uint32_t f = 0; f < h->c->n_fields; f++)
    for (uint32_t u = 0; u < h->n_cells; u++)
      if (field_value(h, f, u, &a) && !is_null(a)) number_of(h, a);
}

typedef struct {
  tp_term from, to;
} replacement;
static tp_term replace(void *ctx, tp_term var) {
  const replacement *r = ctx;
  return tp_term_eq(var, r->from) ? r->to : TP_TERM_NONE;
}

static tp_kleene fact_of(const heap *h, const tp_data_formula *d, uint32_t u) {
  replacement r = {d->value,
                   tp_cell(h->p, tp_sort_of(h->p->terms, d->value), place(h, u, d->offset))};
  tp_value v;
  if (tp_state_eval(h->state->state, tp_subst(h->p->terms, d->fact, replace, &r, NULL), &v) !=
      TP_OK)
    return TP_KLEENE_HALF;
  return v.bits ? TP_KLEENE_TRUE : TP_KLEENE_FALSE;
}

static void fill_structure(heap *h, uint32_t others, tp_structure *s) {
  address a;
  tp_structure_reset(s);
  for (size_t i = 0; i < h->at.n + others; i++) tp_structure_add(s);
  for (uint32_t x = 0; x < h->c->n_pointers; x++) {
    if (pointer_value(h, x, &a) && !is_null(a))
      tp_k64_set(&s->unary[h->c->points[x]], number_of(h, a), TP_KLEENE_TRUE);
  }
  for (uint32_t u = 0; u < s->n; u++) {
    const bool is_cell = u < h->n_cells;
    bool is_freed = false;
    for (uint32_t f = 0; is_cell && f < h->c->n_fields; f++) {
      if (!field_value(h, f, u, &a))
        is_freed = true;
      else if (!is_null(a))
        tp_k64_set(tp_structure_row(s, h->c->field[f], u), number_of(h, a), TP_KLEENE_TRUE);
    }
    if (is_freed) tp_k64_set(&s->unary[h->c->freed], u, TP_KLEENE_TRUE);
    if (!is_cell) tp_k64_set(&s->unary[h->c->outside], u, TP_KLEENE_TRUE);
    for (uint32_t i = 0; i < h->c->n_data_predicates; i++)
      tp_k64_set(&s->unary[h->c->data_predicate[i]], u,
                 is_cell && !is_freed ? fact_of(h, &h->cells->data[i], u) : TP_KLEENE_HALF);
  }
}

/* Does the heap of the state embed into a graph of the set, with some more cells outside the
 * structure that nobody points to? */
static bool embeds(heap *h, const tp_graph_ids *set) {
  tp_shape_engine *e = h->cells->engine;
  tp_structure *s = tp_shape_take(e);
  bool found = false;
  for (uint32_t others = 0; others < 3 && !found; others++) {
    fill_structure(h, others, s);
    tp_shape_define_all(e, s);
    for (size_t i = 0; i < set->n && !found; i++)
      assert_int_equal(
          tp_structure_embeds(s, &tp_graph_at(tp_shape_engine_graphs(e), set->at[i])->s, &found),
          TP_OK);
  }
  tp_shape_give(e, s);
  return found;
}

static bool is_in(const tp_composition *c, const tp_cpa *shape, const tp_elem *e,
                  const sample_state *s) {
  for (uint32_t k = 0; k < tp_shape_n_cells(shape); k++) {
    heap h = {.p = c->env.program,
              .state = s,
              .contexts = &c->contexts,
              .cells = tp_shape_cells(shape, k)};
    h.c = tp_shape_engine_class(h.cells->engine);
    find_elements(&h);
    const bool fits = h.at.n > MOST_CELLS || embeds(&h, tp_shape_graphs(e, k));
    tp_vec_clear(&h.at);
    if (!fits) return false;
  }
  return true;
}

// ------------------------------------------------------------------------- runs

typedef struct {
  unsigned long programs, closed, states;
  tp_str *end, *counts;  // NULL: nobody looks
  unsigned long known,
      taken_over;  // the formula says something; graphs are followed that were not from the start
} tally;

static const tp_elem *part_of(const tp_composition *c, const tp_cpa *component, const tp_elem *e) {
  for (size_t i = 0; i < tp_composite_n(c->cpa); i++) {
    const tp_view v = tp_composite_view(c->cpa, e, i);
    if (v.cpa == component) return v.elem;
  }
  return NULL;
}

static void fail_state(const tp_composition *c, const tp_cpa *shape, const tp_reached *r,
                       const sample_state *s, const char *program) {
  tp_str text = {0};
  tp_str_printf(&text, "%s\nL%u in ", program, s->loc.id);
  tp_context_print(&c->contexts, c->env.program, s->context, &text);
  tp_str_add(&text, "\n");
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    const tp_node *n = tp_reached_node(r, i);
    if (n->removed || n->loc.id != s->loc.id || n->context.id != s->context.id) continue;
    c->cpa->ops->print(c->cpa, n->state.elem, &text);
    tp_str_add(&text, "\n");
    const tp_elem *e = shape ? part_of(c, shape, n->state.elem) : NULL;
    for (uint32_t k = 0; e && k < tp_shape_n_cells(shape); k++)
      for (size_t g = 0; g < tp_shape_graphs(e, k)->n; g++) {
        const tp_cell_kind *cells = tp_shape_cells(shape, k);
        tp_str_printf(&text, "graph %u\n", tp_shape_graphs(e, k)->at[g]);
        tp_shape_print(
            tp_shape_engine_class(cells->engine),
            &tp_graph_at(tp_shape_engine_graphs(cells->engine), tp_shape_graphs(e, k)->at[g])->s,
            &text);
      }
  }
  tp_program_print(c->env.program, &text);
  tp_state_write(s->state, &text);
  fputs(tp_str_text(&text), stderr);
  tp_str_clear(&text);
  fail();
}

/* Is nothing explicit any more, and yet something known of the heap? */
static bool was_taken_over(const tp_composition *c, const tp_cpa *shape, const tp_elem *e) {
  const tp_cpa *cells = tp_composite_find(c->cpa, &tp_cpa_heap);
  if (!cells || !shape || tp_shape_n_cells(shape) == 0) return false;
  const tp_elem *part = part_of(c, cells, e);
  return cells->ops->explicit_heap((tp_cpa *)cells, part)->n_cells == 0 &&
         !shape->ops->leq((tp_cpa *)shape, shape->ops->top((tp_cpa *)shape), part_of(c, shape, e));
}

static void check_state(const tp_composition *c, const tp_cpa *shape, const tp_reached *r,
                        const sample_state *s, tally *t, const char *program) {
  tp_value v;
  t->states++;
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    const tp_node *n = tp_reached_node(r, i);
    if (n->removed || n->loc.id != s->loc.id || n->context.id != s->context.id) continue;
    if (shape && !is_in(c, shape, part_of(c, shape, n->state.elem), s)) continue;
    const tp_term formula = c->cpa->ops->formula(c->cpa, n->state.elem);
    if (tp_state_eval(s->state, formula, &v) != TP_OK || v.bits == 0) continue;
    t->known += !tp_is_true(c->env.terms, formula);
    t->taken_over += was_taken_over(c, shape, n->state.elem);
    return;
  }
  fail_state(c, shape, r, s, program);
}

/* What is printed of the graphs where main ends, one element behind the other, for a look at
 * precision. */
static void print_end(const tp_composition *c, const tp_cpa *shape, const tp_reached *r,
                      tp_str *out) {
  const tp_program *p = c->env.program;
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    const tp_node *n = tp_reached_node(r, i);
    if (n->removed || n->loc.id != tp_func_of(p, p->main)->exit.id) continue;
    const tp_elem *e = part_of(c, shape, n->state.elem);
    for (uint32_t k = 0; k < tp_shape_n_cells(shape); k++)
      for (size_t g = 0; g < tp_shape_graphs(e, k)->n; g++) {
        const tp_cell_kind *cells = tp_shape_cells(shape, k);
        tp_str_add(out, "graph\n");
        tp_shape_print(
            tp_shape_engine_class(cells->engine),
            &tp_graph_at(tp_shape_engine_graphs(cells->engine), tp_shape_graphs(e, k)->at[g])->s,
            out);
      }
  }
}

/* Graphs of each element where main ends: how many, how many of them with a cell that holds 1, or
 * 2. */
static void count_end(const tp_composition *c, const tp_cpa *shape, const tp_reached *r,
                      tp_str *out) {
  const tp_program *p = c->env.program;
  const tp_cell_kind *cells = tp_shape_cells(shape, 0);
  const tp_shape_class *class = tp_shape_engine_class(cells->engine);
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    const tp_node *n = tp_reached_node(r, i);
    if (n->removed || n->loc.id != tp_func_of(p, p->main)->exit.id) continue;
    const tp_graph_ids *graphs = tp_shape_graphs(part_of(c, shape, n->state.elem), 0);
    unsigned with[2] = {0, 0};
    for (size_t g = 0; g < graphs->n; g++)
      for (uint32_t a = 0; a < class->n_data_predicates; a++) {
        const tp_structure *s =
            &tp_graph_at(tp_shape_engine_graphs(cells->engine), graphs->at[g])->s;
        for (unsigned h = 0; h < 2; h++)
          with[h] += strcmp(class->data_predicates[a].text, h ? "h = 2" : "h = 1") == 0 &&
                     s->unary[class->data_predicate[a]].must;
      }
    tp_str_printf(out, "%s%zu/%u/%u", out->n ? " " : "", graphs->n, with[0], with[1]);
  }
}

/* The predicates "flag = 0" and "three = 3", everywhere, of variables with these names. */
static void add_flag(const tp_composition *c) {
  tp_program *p = c->env.program ? (tp_program *)(uintptr_t)c->env.program : NULL;
  tp_cpa *predicate = tp_predicate_find(c->cpa);
  for (uint32_t v = 1; p && predicate && v < p->vars.n; v++)
    if (strcmp(p->vars.at[v].name, "flag") == 0 || strcmp(p->vars.at[v].name, "three") == 0)
      (void)tp_predicate_add_for(
          predicate, TP_LOC_NONE, TP_FUNC_NONE,
          tp_mk_eq(p->terms, p->vars.at[v].term,
                   tp_mk_bv(p->terms, 32, p->vars.at[v].name[0] == 't' ? 3 : 0)));
}

static void check_program(const tp_program *p, tp_property property, const char *text,
                          const char *source, tally *t) {
  tp_str why = {0};
  tp_stats stats = {0};
  tp_composition *c = tp_composition_open(p, property, text, &stats, &why);
  if (!c) fail_msg("%s", tp_str_text(&why));
  const tp_cpa *shape = tp_composite_find(c->cpa, &tp_cpa_shape);
  add_flag(c);
  tp_recursion *run = tp_recursion_new(c->cpa, c->order);
  samples s;
  t->programs++;
  if (tp_recursion_run(run, (tp_cpa_limits){.steps = MAX_STEPS}).end == TP_CPA_DONE &&
      samples_take(&s, p, &c->contexts, 11, 12, SAMPLED)) {
    t->closed++;
    for (size_t i = 0; i < s.states.n; i++)
      check_state(c, shape, tp_recursion_reached(run), &s.states.at[i], t, source);
    samples_clear(&s);
    if (t->counts) count_end(c, shape, tp_recursion_reached(run), t->counts);
    if (t->end) print_end(c, shape, tp_recursion_reached(run), t->end);
  }
  tp_recursion_free(run);
  tp_composition_close(c);
  tp_str_clear(&why);
}

static void check_source(uint64_t seed, const char *source, const char *text, tally *t) {
  char path[] = "/tmp/shape-run-XXXXXX.c";
  const int fd = mkstemps(path, 2);
  assert_true(fd >= 0 && write(fd, source, strlen(source)) == (ssize_t)strlen(source));
  close(fd);
  const char *paths[] = {path};
  const tp_property property = seed % 2 ? TP_P_UNREACH_CALL : TP_P_VALID_MEMSAFETY;
  tp_front_options options = {.files = paths, .n_files = 1, .property = property};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p;
  assert_int_equal(tp_front_load(&options, diag, &p), TP_OK);
  unlink(path);
  check_program(p, property, text, source, t);
  tp_program_free(p);
  tp_diag_free(diag);
}

typedef struct {
  const char *const *at;
  size_t n;
} text_list;

static tally check_random_programs(text_list texts) {
  const char *from = getenv("TP_SEED");
  const uint64_t first = from ? strtoull(from, NULL, 0) : 1,
                 n = getenv("TP_SOAK") ? SOAK_PROGRAMS : PROGRAMS;
  tally t = {0};
  for (uint64_t seed = first; seed < first + n; seed++) {
    tp_str source = {0};
    tp_str_printf(&source, "/* seed %llu */\n", (unsigned long long)seed);
    write_program(seed, &source);
    check_source(seed, tp_str_text(&source), texts.at[seed % texts.n], &t);
    tp_str_clear(&source);
  }
  print_message("programs %lu, closed %lu, states %lu, known %lu, taken over %lu\n", t.programs,
                t.closed, t.states, t.known, t.taken_over);
  assert_true(t.closed * 4 >= t.programs * 3 && t.known * 2 > t.states);
  assert_int_equal(tp_live_bytes(), 0);
  return t;
}

static void F36_every_heap_of_random_programs_embeds(void **state) {
  (void)state;
  static const char *const
      all = "analysis = location callstack shape\n",
      *const some =
          "analysis = location callstack shape\nshape.liveness = off\nshape.track = a b g x\n";
  const char *const texts[] = {all, all, all, some};
  (void)check_random_programs((text_list){texts, 4});
}

/* A cell of which one of two facts holds is written: afterwards the other one may. */
static void F36_facts_that_exclude_each_other_are_forgotten_together(void **state) {
  (void)state;
  static const char *const source =
      "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nstruct node { int h; struct "
      "node *n; };\nint main(void) {\n"
      "  struct node *p = malloc(sizeof *p);\n  p->n = 0;\n  p->h = 0;\n  p->h = 1;\n  p->h = "
      "__VERIFIER_nondet_int();\n"
      "  if (p->h == 0) p = 0;\n  return p == 0;\n}\n";
  tally t = {0};
  check_source(1, source, "analysis = location callstack shape\n", &t);
  assert_true(t.closed == 1 && t.states > 20);
  assert_int_equal(tp_live_bytes(), 0);
}

static void F55_every_heap_of_random_programs_is_reached(void **state) {
  (void)state;
  static const char *const texts[] = {
      "analysis = location callstack heap\nheap.cells = 3\nheap.values = 4\n",
      "analysis = location callstack heap\nmerge = join-on-location\nheap.merge = join\nheap.cells "
      "= 5\nheap.liveness = off\n"};
  (void)check_random_programs((text_list){texts, 2});
}

#define EXPLICIT_FIRST                                                                    \
  "analysis = location callstack shape heap\nadjust = precision-transfer\nshape.start = " \
  "off\nmerge = sep\n"
static void F58_graphs_made_of_explicit_heaps_cover_them(void **state) {
  (void)state;
  static const char *const texts[] = {EXPLICIT_FIRST "heap.cells = 1\nheap.values = 3\n",
                                      EXPLICIT_FIRST
                                      "heap.cells = 2\nheap.values = 0\nheap.liveness = off\n",
                                      EXPLICIT_FIRST "heap.cells = 0\nshape.merge = sep\n"};
  const tally t = check_random_programs((text_list){texts, 3});
  assert_true(t.taken_over * 4 > t.states);
}

#define C_HEAD                                                                                 \
  "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nstruct node { int h; struct " \
  "node *n; };\n"

/* Lists of four cells, data 1, 1, 1, 0: a leads to the first cell, p to the last; all between are
 * one node when three cells are the most. */
static void F58_the_list_of_figure_4_2_becomes_the_graph_of_figure_4_3(void **state) {
  (void)state;
  static const char *const source = C_HEAD
      "struct node *a, *p;\nint main(void) {\n  a = malloc(sizeof *a);\n  p = a;\n  p->h = 1;\n"
      "  p->n = malloc(sizeof *a);\n  p = p->n;\n  p->h = 1;\n  p->n = malloc(sizeof *a);\n  p = "
      "p->n;\n  p->h = 1;\n"
      "  p->n = malloc(sizeof *a);\n  p = p->n;\n  p->h = 0;\n  p->n = 0;\n  return 0;\n}\n";
  static const char *const figure =
      "graph\ncell 0: pt[a#8], [h = 1], reach[a#8]; n(3)?\ncell 1: pt[p#9], [h = 0], reach[a#8], "
      "reach[p#9]\n"
      "cells 2: outside, [h = 1]?, [h = 0]?\ncells 3: [h = 1], reach[a#8]; n(1)?; n(3)?\n";
  static const char *const anything =
      "graph\ngraph\ncells 0: pt[a#8]?, pt[p#9]?, freed?, outside?, [h = 1]?, [h = 0]?, "
      "reach[a#8]?, reach[p#9]?, cyclic?; n(0)?\n";
  static const struct {
    const char *cells, *expected;
  } cases[] = {{"3", figure}, {"4", anything}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_str end = {0}, text = {0};
    tally t = {.end = &end};
    tp_str_printf(&text, EXPLICIT_FIRST "shape.track = a p\nheap.cells = %s\n", cases[i].cells);
    check_source(1, source, tp_str_text(&text), &t);
    assert_string_equal(tp_str_text(&end), cases[i].expected);
    tp_str_clear(&end);
    tp_str_clear(&text);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

/* Cells that the explicit heap does not tell of any more are part of the graph: lost ones, freed
 * ones. */
static void F58_cells_that_were_not_followed_are_in_the_graph(void **state) {
  (void)state;
  static const char *const lost = C_HEAD
      "int main(void) {\n  struct node *a = malloc(sizeof *a), *b;\n  a->n = a;\n  a = "
      "malloc(sizeof *a);\n  b = malloc(sizeof *b);\n  b->n = a;\n"
      "  a->n = 0;\n  return b == a;\n}\n";
  static const char *const freed = C_HEAD
      "int main(void) {\n  struct node *a = malloc(sizeof *a), *b;\n  free(a);\n  a = "
      "malloc(sizeof *a);\n  b = malloc(sizeof *b);\n  b->n = a;\n"
      "  a->n = 0;\n  return b == a;\n}\n";
  const char *const sources[] = {lost, freed};
  for (int i = 0; i < 2; i++) {
    tally t = {0};
    check_source(1, sources[i], EXPLICIT_FIRST "heap.cells = 1\nheap.values = 3\n", &t);
    assert_true(t.closed == 1 && t.taken_over > 0);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

/* Program P4: a list of 1s, or of 2s, as a flag says, and a 3. What is left of that at the end
 * tells how elements were merged: A has graphs of 1s and of 2s in elements of their own, and the
 * single 3 where nothing asked for the flag; B to D an element for each graph; in E and F lists of
 * both kinds, and mixed ones, come together. */
static void F42_merges_of_predicates_and_shapes(void **state) {
  (void)state;
#define BESIDE                                                                                    \
  "analysis = location callstack predicate shape\npredicate.blocks = edges\npredicate.precision " \
  "= global\nwaitlist = bfs\n"
  static const char *const source = C_HEAD
      "struct node *a, *p, *t;\nint flag;\nint main(void) {\n  flag = __VERIFIER_nondet_int();\n  "
      "a = malloc(sizeof *a);\n  p = a;\n"
      "  while (__VERIFIER_nondet_int()) {\n    if (flag) p->h = 1;\n    else p->h = 2;\n    t = "
      "malloc(sizeof *t);\n    p->n = t;\n    p = t;\n"
      "    t = 0;\n  }\n  p->h = 3;\n  p->n = 0;\n  return 0;\n}\n";
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {BESIDE "predicate.merge = sep\nmerge = pred-join\n", "1/0/0 2/0/2 2/2/0"},
      {BESIDE "predicate.merge = sep\nmerge = sep\n", "1/0/0 1/0/1 1/1/0 1/0/1 1/1/0 1/0/1 1/1/0"},
      {BESIDE "predicate.merge = sep\nmerge = sep\ntransfer = strengthened\n",
       "1/0/0 1/0/1 1/1/0 1/0/1 1/1/0 1/0/1 1/1/0"},
      {BESIDE "predicate.merge = sep\nmerge = sep\nstop = pred-join\nshape.stop = join\n",
       "1/0/0 1/0/1 1/1/0 1/0/1 1/1/0 1/0/1 1/1/0"},
      {BESIDE "predicate.merge = sep\nmerge = join-shape\nstop = pred-join\nshape.stop = join\n",
       "15/12/12"},
      {BESIDE "predicate.merge = join\nmerge = join\nstop = join\nshape.stop = join\n", "15/12/12"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_str counts = {0};
    tally t = {.counts = &counts};
    check_source(1, source, cases[i].text, &t);
    if (strcmp(tp_str_text(&counts), cases[i].expected) != 0)
      fail_msg("%s%s", cases[i].text, tp_str_text(&counts));
    tp_str_clear(&counts);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

/* What is stored is a variable that a predicate knows: then the fact about the cell is known, too.
 */
static void F39_predicates_decide_what_a_store_does_to_facts(void **state) {
  (void)state;
  static const char *const source = C_HEAD
      "struct node *p;\nint flag;\nint main(void) {\n  p = malloc(sizeof *p);\n  p->n = 0;\n  p->h "
      "= 0;\n  flag = __VERIFIER_nondet_int();\n"
      "  if (flag == 0) p->h = flag;\n  else p = 0;\n  return 0;\n}\n";
  static const char *const texts[] = {
      BESIDE "predicate.merge = sep\nmerge = sep\nshape.track = p\nshape.data = constants\n", BESIDE
      "predicate.merge = sep\nmerge = sep\nshape.track = p\nshape.data = constants\ntransfer = "
      "strengthened\n"};
  for (int strengthened = 0; strengthened < 2; strengthened++) {
    tp_str end = {0};
    tally t = {.end = &end};
    check_source(1, source, texts[strengthened], &t);
    assert_true(t.closed == 1 &&
                strstr(tp_str_text(&end), strengthened ? ", [h = 0], " : ", [h = 0]?, "));
    assert_true(
        (strstr(tp_str_text(&end), "pt[p#") != NULL) &&
        (strstr(tp_str_text(&end), strengthened ? "], [h = 0]?, " : "], [h = 0], ") == NULL));
    tp_str_clear(&end);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

/* The thesis's example: p->h = 3 leaves the fact h = three unknown, unless three = 3 is known
 * beside: then no run clears p. */
static void F39_a_fact_about_a_variable_becomes_definite(void **state) {
  (void)state;
  static const char *const source = C_HEAD
      "struct node *p;\nint three;\nint main(void) {\n  p = malloc(sizeof *p);\n  p->n = 0;\n  "
      "p->h = 0;\n  three = __VERIFIER_nondet_int();\n"
      "  if (three != 3) return 0;\n  p->h = 3;\n  if (p->h != 3) return 0;\n  if (p->h != three) "
      "p = 0;\n  return p == 0;\n}\n";
  static const char *const texts[] = {
      BESIDE "predicate.merge = sep\nmerge = sep\nshape.track = p\n",
      BESIDE "predicate.merge = sep\nmerge = sep\nshape.track = p\ntransfer = strengthened\n"};
  for (int strengthened = 0; strengthened < 2; strengthened++) {
    tp_str end = {0};
    tally t = {.end = &end};
    check_source(1, source, texts[strengthened], &t);
    assert_int_equal(t.closed, 1);
    assert_non_null(strstr(tp_str_text(&end), ", [h = 3], [h: three == datum], "));
    // where p was cleared the cell is lost: the error of the comparison, unless the fact is
    // definite
    assert_int_equal(strstr(tp_str_text(&end), "cell 1: [h = 3]\n") == NULL, strengthened);
    tp_str_clear(&end);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

static void F39_heaps_of_random_programs_are_reached_with_predicates(void **state) {
  (void)state;
  static const char *const texts[] = {
      BESIDE "predicate.initial = conditions\ntransfer = strengthened\nmerge = pred-join\n"};
  (void)check_random_programs((text_list){texts, 1});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F36_every_heap_of_random_programs_embeds),
      cmocka_unit_test(F36_facts_that_exclude_each_other_are_forgotten_together),
      cmocka_unit_test(F55_every_heap_of_random_programs_is_reached),
      cmocka_unit_test(F58_graphs_made_of_explicit_heaps_cover_them),
      cmocka_unit_test(F58_the_list_of_figure_4_2_becomes_the_graph_of_figure_4_3),
      cmocka_unit_test(F42_merges_of_predicates_and_shapes),
      cmocka_unit_test(F39_predicates_decide_what_a_store_does_to_facts),
      cmocka_unit_test(F39_a_fact_about_a_variable_becomes_definite),
      cmocka_unit_test(F39_heaps_of_random_programs_are_reached_with_predicates),
      cmocka_unit_test(F58_cells_that_were_not_followed_are_in_the_graph)};
  return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
