/* The reader of graphs: word by word, and definitions by recursive descent, their depth and size
 * bounded. A definition that the checker cannot follow makes its predicate opaque (nothing is known
 * of it); text that does not fit the format is an error. */
#include "certify/shapes/graphs.h"

#include "certify/certify_limits.h"
#include "program/variables_text.h"

#include <stdlib.h>

void tp_chk_graphs_init(tp_chk_graphs *s, const tp_program *p) {
  *s = (tp_chk_graphs){.p = p};
  tp_arena_init(&s->arena);
  s->cell = tp_mk_var(p->terms, "cell", tp_sort_ptr(p->terms));
  tp_vec_push(&s->classes, (tp_chk_class){0});
  tp_vec_push(&s->graphs, (tp_chk_graph){0});
}

void tp_chk_graphs_clear(tp_chk_graphs *s) {
  for (size_t i = 0; i < s->classes.n; i++) {
    tp_vec_clear(&s->classes.at[i].offsets);
    tp_vec_clear(&s->classes.at[i].predicates);
    tp_vec_clear(&s->classes.at[i].rules);
    tp_vec_clear(&s->classes.at[i].updates);
  }
  tp_vec_clear(&s->classes);
  tp_vec_clear(&s->graphs);
  tp_arena_clear(&s->arena);
}

// ----------------------------------------------------------------------- words

/* The next word of *at, cut off; NULL: there is none. */
static char *word(char **at) {
  char *start = *at + strspn(*at, " \t");
  if (!*start) return NULL;
  char *end = start + strcspn(start, " \t");
  *at = *end ? end + 1 : end;
  *end = 0;
  return start;
}

static bool number_of(const char *text, uint64_t *out) {
  size_t n = text ? strspn(text, "0123456789") : 0;
  if (!n || text[n] || n > 9) return false;
  *out = strtoull(text, NULL, 10);
  return true;
}

static bool number(char **at, uint64_t *out) { return number_of(word(at), out); }

/* A number that exists already. */
static bool number_in(char **at, size_t n, uint64_t *out) {
  return number(at, out) && *out > 0 && *out < n;
}
/* The next free number. */
static bool next_number(char **at, size_t n) {
  uint64_t k;
  return number(at, &k) && k == n;
}

static bool is_end(char **at) { return !word(at); }

// --------------------------------------------------------------------- classes

const char *tp_chk_graphs_read_class(tp_chk_graphs *s, char *rest) {
  tp_chk_class c = {0};
  uint64_t offset;
  if (!next_number(&rest, s->classes.n) || s->classes.n > TP_CERTIFY_CLASSES)
    return "classes are numbered from 1 on";
  if (!number(&rest, &c.size) || c.size == 0 || c.size > TP_CERTIFY_CELL_BYTES)
    return "no size of a cell";
  tp_vec_push(&c.predicates, (tp_chk_predicate){0});
  tp_vec_push(&s->classes, c);
  tp_chk_class *made = &tp_vec_last(&s->classes);
  for (char *text; (text = word(&rest)) != NULL;) {
    if (!number_of(text, &offset) || offset > c.size || c.size - offset < s->p->ptr_bits / 8 ||
        made->offsets.n == TP_CERTIFY_CLASS_FIELDS)
      return "a field outside of its cell";
    tp_vec_push(&made->offsets, offset);
  }
  return NULL;
}

// ------------------------------------------------------------------ definitions

typedef struct {
  tp_chk_graphs *s;
  const tp_chk_class *c;
  const char *at;
  const char *wrong;
  uint32_t bound;  // bits of variables that may be named
  int depth, parts;
  bool unreadable;  // the checker cannot follow the formula: the predicate is opaque
  bool is_open;     // has a value 1/2 that no quantifier precedes
} parser;

static const tp_chk_formula *formula(parser *x);

static const tp_chk_formula *bad(parser *x, const char *what) {
  if (!x->wrong) x->wrong = what;
  return NULL;
}

static tp_chk_formula *node(parser *x, tp_chk_formula f) {
  if (++x->parts > TP_CERTIFY_DEFINITION_PARTS)
    (void)bad(x, "a definition is too long");  // visits recurse
  tp_chk_formula *made = tp_arena_alloc(&x->s->arena, sizeof *made);
  *made = f;
  return made;
}

static void blanks(parser *x) { x->at += strspn(x->at, " \t"); }

static bool accept(parser *x, char c) {
  blanks(x);
  if (*x->at != c) return false;
  x->at++;
  return true;
}

static size_t token(parser *x, char *out, size_t room) {
  blanks(x);
  size_t n = strcspn(x->at, " \t()");
  if (n == 0 || n >= room) return 0;
  memcpy(out, x->at, n);
  out[n] = 0;
  x->at += n;
  return n;
}

static bool small_number(parser *x, uint64_t below, uint64_t *out) {
  char text[12];
  return token(x, text, sizeof text) && number_of(text, out) && *out < below;
}

static uint32_t bit(uint64_t v) { return (uint32_t)1 << v; }

static bool fresh_variable(parser *x, uint8_t *out) {
  uint64_t v;
  if (!small_number(x, TP_CHK_VARIABLES, &v)) return false;
  *out = (uint8_t)v;
  return true;
}

static bool variable(parser *x, uint8_t *out) {
  return fresh_variable(x, out) && (x->bound & bit(*out)) != 0;
}

static const tp_chk_formula *atom(parser *x) {
  uint64_t n;
  tp_chk_formula f = {.kind = TP_CHK_F_ATOM};
  if (!small_number(x, x->c->predicates.n, &n) || n == 0)
    return bad(x, "a definition names a predicate that is not before it");
  f.predicate = (uint32_t)n;
  TP_INVARIANT(x->c->predicates.at[n].arity == 1 || x->c->predicates.at[n].arity == 2);
  f.has_b = x->c->predicates.at[n].arity == 2;
  if (!variable(x, &f.a) || (f.has_b && !variable(x, &f.b))) return bad(x, "a variable expected");
  return node(x, f);
}

static const tp_chk_formula *equal(parser *x) {
  tp_chk_formula f = {.kind = TP_CHK_F_EQUAL};
  if (!variable(x, &f.a) || !variable(x, &f.b)) return bad(x, "a variable expected");
  return node(x, f);
}

static const tp_chk_formula *many(parser *x, tp_chk_formula_kind kind) {
  const tp_chk_formula *f = formula(x);
  while (f && !accept(x, ')')) {
    const tp_chk_formula *g = formula(x);
    if (!g) return NULL;
    f = node(x, (tp_chk_formula){.kind = kind, .kid = {f, g}});
  }
  if (f) x->at--;  // the caller takes the parenthesis
  return f;
}

static const tp_chk_formula *quantified(parser *x, tp_chk_formula_kind kind) {
  tp_chk_formula f = {.kind = kind};
  uint32_t before = x->bound;
  if (!fresh_variable(x, &f.a)) return bad(x, "a variable expected");
  x->bound |= bit(f.a);
  f.kid[0] = formula(x);
  x->bound = before;
  return f.kid[0] ? node(x, f) : NULL;
}

/* The fields of steps from a to b; false: the formula says something else. */
static bool fields_of(const parser *x, const tp_chk_formula *f, uint8_t a, uint8_t b,
                      uint64_t *fields) {
  if (f->kind == TP_CHK_F_OR)
    return fields_of(x, f->kid[0], a, b, fields) && fields_of(x, f->kid[1], a, b, fields);
  if (f->kind != TP_CHK_F_ATOM || x->c->predicates.at[f->predicate].kind != TP_CHK_P_FIELD ||
      f->a != a || f->b != b || a == b)
    return false;
  *fields |= (uint64_t)1 << x->c->predicates.at[f->predicate].field;
  return true;
}

static const tp_chk_formula *path(parser *x, bool is_reflexive) {
  tp_chk_formula f = {.kind = TP_CHK_F_PATH, .is_reflexive = is_reflexive};
  uint8_t from, to;
  uint32_t before = x->bound;
  if (!fresh_variable(x, &from) || !fresh_variable(x, &to)) return bad(x, "a variable expected");
  x->bound |= bit(from) | bit(to);
  const tp_chk_formula *step = formula(x);
  x->bound = before;
  if (!step || !variable(x, &f.a) || !variable(x, &f.b)) return bad(x, "a variable expected");
  x->unreadable = x->unreadable || !fields_of(x, step, from, to, &f.fields);
  return node(x, f);
}

static const tp_chk_formula *choice(parser *x) {
  tp_chk_formula f = {.kind = TP_CHK_F_IF};
  for (int i = 0; i < 3; i++)
    if (!(f.kid[i] = formula(x))) return NULL;
  return node(x, f);
}

static const tp_chk_formula *negation(parser *x) {
  const tp_chk_formula *f = formula(x);
  return f ? node(x, (tp_chk_formula){.kind = TP_CHK_F_NOT, .kid = {f}}) : NULL;
}

static const tp_chk_formula *form(parser *x, const char *name) {
  if (!strcmp(name, "p")) return atom(x);
  if (!strcmp(name, "=")) return equal(x);
  if (!strcmp(name, "not")) return negation(x);
  if (!strcmp(name, "and")) return many(x, TP_CHK_F_AND);
  if (!strcmp(name, "or")) return many(x, TP_CHK_F_OR);
  if (!strcmp(name, "if")) return choice(x);
  if (!strcmp(name, "some")) return quantified(x, TP_CHK_F_EXISTS);
  if (!strcmp(name, "all")) return quantified(x, TP_CHK_F_FORALL);
  if (!strcmp(name, "path+")) return path(x, false);
  if (!strcmp(name, "path*")) return path(x, true);
  return bad(x, "a definition is not understood");
}

static const tp_chk_formula *formula(parser *x) {
  char text[12];
  if (x->wrong || x->depth > TP_CERTIFY_DEFINITION_LEVELS)
    return bad(x, "a definition is too deep");
  if (!accept(x, '(')) {
    if (token(x, text, sizeof text) != 1 || !strchr("01h", text[0]))
      return bad(x, "a definition is not understood");
    if (text[0] == 'h') x->is_open = true;
    return node(x, (tp_chk_formula){.kind = TP_CHK_F_VALUE,
                                    .value = text[0] == 'h' ? TP_CHK_HALF : text[0] == '1'});
  }
  x->depth++;
  const tp_chk_formula *f =
      token(x, text, sizeof text) ? form(x, text) : bad(x, "a definition is not understood");
  x->depth--;
  return f && accept(x, ')') ? f : bad(x, "a definition is not understood");
}

static const char *definition(tp_chk_graphs *s, const tp_chk_class *c, const char *text,
                              tp_chk_predicate *out) {
  parser x = {.s = s, .c = c, .at = text, .bound = out->arity == 2 ? 3 : 1};
  out->definition = formula(&x);
  blanks(&x);
  if (!x.wrong && *x.at) return "text behind a definition";
  if (x.unreadable || x.is_open) out->kind = TP_CHK_P_OPAQUE;
  return x.wrong;
}

// ------------------------------------------------------------------------- data

/* The body of EXISTS B over one pointer, with the symbol for the bound variable; NONE: the term has
 * another form. */
static tp_term opened(tp_terms *tt, tp_term closed, tp_term symbol) {
  if (tp_kind(tt, closed) != TP_OP_EXISTS) return TP_TERM_NONE;
  uint32_t bound = tp_bound_number(tt, closed);
  tp_map done = {0};
  TP_VEC(tp_term) todo = {0};
  tp_vec_push(&todo, tp_arg(tt, closed, 0));
  tp_term out = TP_TERM_NONE;
  bool ok = true;
  while (ok && todo.n) {
    tp_term t = tp_vec_last(&todo), args[3];
    size_t before = todo.n;
    uint64_t known;
    tp_term_kind k = tp_kind(tt, t);
    for (uint32_t i = 0; i < tp_n_args(tt, t); i++) {
      if (tp_map_get(&done, tp_arg(tt, t, i).id, &known))
        args[i] = (tp_term){(uint32_t)known};
      else
        tp_vec_push(&todo, tp_arg(tt, t, i));
    }
    if (todo.n > before) continue;
    ok = k != TP_OP_EXISTS && k != TP_OP_FORALL &&
         (k != TP_OP_BOUND || (tp_bound_number(tt, t) == bound &&
                               tp_sort_eq(tp_sort_of(tt, t), tp_sort_of(tt, symbol))));
    if (!ok) break;
    out = k == TP_OP_BOUND ? symbol : tp_n_args(tt, t) ? tp_remake(tt, t, args) : t;
    tp_map_set(&done, t.id, out.id);
    (void)tp_vec_pop(&todo);
  }
  tp_map_clear(&done);
  tp_vec_clear(&todo);
  return ok ? out : TP_TERM_NONE;
}

/* Arrays as first arguments of SELECT only. */
static bool is_plain(const tp_terms *tt, tp_term t) {
  tp_map seen = {0};
  TP_VEC(tp_term) todo = {0};
  bool ok = true;
  tp_vec_push(&todo, t);
  while (ok && todo.n) {
    tp_term at = tp_vec_pop(&todo);
    if (tp_map_has(&seen, at.id)) continue;
    tp_map_set(&seen, at.id, 1);
    bool is_select = tp_kind(tt, at) == TP_OP_SELECT;
    ok = tp_sort_kind_of(tt, tp_sort_of(tt, at)) != TP_SORT_ARRAY &&
         (!is_select || tp_kind(tt, tp_arg(tt, at, 0)) == TP_OP_VAR);
    for (uint32_t i = is_select ? 1 : 0; i < tp_n_args(tt, at); i++)
      tp_vec_push(&todo, tp_arg(tt, at, i));
  }
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
  return ok;
}

static const char *data(tp_chk_graphs *s, const char *text, tp_chk_predicate *out) {
  tp_terms *tt = s->p->terms;
  tp_str why = {0};
  tp_term closed;
  bool ok = tp_term_read(tt, text, tp_program_text_vars(s->p), &closed, &why) == TP_OK;
  tp_str_clear(&why);
  if (!ok) return "the term cannot be read";
  out->data = opened(tt, closed, s->cell);
  if (!tp_term_is(out->data) || tp_sort_kind_of(tt, tp_sort_of(tt, out->data)) != TP_SORT_BOOL ||
      !is_plain(tt, out->data))
    return "data of a cell are (EXISTS B formula), without arrays but under SELECT";
  return NULL;
}

// -------------------------------------------------------------------- predicates

static const char *kind_of_predicate(tp_chk_graphs *s, const tp_chk_class *c, const char *kind,
                                     char *rest, tp_chk_predicate *out) {
  uint64_t n;
  out->arity = 1;
  if (!strcmp(kind, "data")) return out->kind = TP_CHK_P_DATA, data(s, rest, out);
  if (!strcmp(kind, "instrumentation") || !strcmp(kind, "opaque")) {
    if (!number(&rest, &n) || n < 1 || n > 2) return "a predicate is of one or two";
    out->arity = (uint32_t)n;
    out->kind = strcmp(kind, "opaque") ? TP_CHK_P_DEFINED : TP_CHK_P_OPAQUE;
    if (out->kind == TP_CHK_P_DEFINED) return definition(s, c, rest, out);
  } else if (!strcmp(kind, "pointer")) {
    if (!number_in(&rest, s->p->vars.n, &n) ||
        tp_sort_kind_of(s->p->terms, tp_sort_of(s->p->terms, s->p->vars.at[n].term)) !=
            TP_SORT_PTR ||
        s->p->vars.at[n].kind == TP_V_GHOST)
      return "no variable that is a pointer";
    out->kind = TP_CHK_P_POINTER;
    out->var = (tp_var){(uint32_t)n};
  } else if (!strcmp(kind, "field")) {
    if (!number(&rest, &n) || n >= c->offsets.n) return "no such field";
    *out = (tp_chk_predicate){.kind = TP_CHK_P_FIELD, .arity = 2, .field = (uint32_t)n};
  } else if (!strcmp(kind, "freed")) {
    out->kind = TP_CHK_P_FREED;
  } else if (!strcmp(kind, "outside")) {
    out->kind = TP_CHK_P_OUTSIDE;
  } else {
    return "no such kind of predicates";
  }
  return is_end(&rest) ? NULL : "text behind a predicate";
}

const char *tp_chk_graphs_read_predicate(tp_chk_graphs *s, char *rest) {
  uint64_t k;
  tp_chk_predicate p = {0};
  if (!number_in(&rest, s->classes.n, &k)) return "no such class";
  tp_chk_class *c = &s->classes.at[k];
  for (size_t i = 1; i < s->graphs.n; i++)
    if (s->graphs.at[i].of == k) return "predicates stand before the graphs of their class";
  if (!next_number(&rest, c->predicates.n) || c->predicates.n > TP_CERTIFY_CLASS_PREDICATES)
    return "predicates are numbered from 1 on";
  const char *kind = word(&rest), *wrong = kind ? kind_of_predicate(s, c, kind, rest, &p)
                                                : "a kind of predicates expected";
  if (!wrong) tp_vec_push(&c->predicates, p);
  return wrong;
}

// ----------------------------------------------------------------- rules, updates

/* The class of a rule or an update. NULL, or what is wrong. */
static const char *class_of(tp_chk_graphs *s, char **rest, tp_chk_class **c) {
  uint64_t k;
  if (!number_in(rest, s->classes.n, &k)) return "no such class";
  *c = &s->classes.at[k];
  return NULL;
}

/* A predicate of the class, a pointer's if `only_pointers`. */
static bool predicate_in(const tp_chk_class *c, char **rest, bool only_pointers, uint32_t *out) {
  uint64_t k;
  if (!number_in(rest, c->predicates.n, &k)) return false;
  *out = (uint32_t)k;
  return !only_pointers || c->predicates.at[k].kind == TP_CHK_P_POINTER;
}

const char *tp_chk_graphs_read_rule(tp_chk_graphs *s, char *rest) {
  tp_chk_class *c;
  const char *wrong = class_of(s, &rest, &c);
  if (wrong) return wrong;
  if (c->rules.n == TP_CERTIFY_CLASS_RULES) return "too many rules";
  parser x = {.s = s, .c = c, .at = rest, .bound = UINT32_MAX};
  tp_chk_rule r = {.head = formula(&x)};
  if (!x.wrong) r.body = formula(&x);
  blanks(&x);
  if (!x.wrong && *x.at) return "text behind a constraint";
  if (x.wrong || x.unreadable || x.is_open) return x.wrong;
  r.variables = tp_chk_formula_free_variables(r.head) | tp_chk_formula_free_variables(r.body);
  r.reads = tp_chk_formula_reads(c, r.head) | tp_chk_formula_reads(c, r.body);
  tp_vec_push(&c->rules, r);
  return NULL;
}

const char *tp_chk_graphs_read_update(tp_chk_graphs *s, char *rest) {
  tp_chk_class *c;
  tp_chk_update u;
  const char *wrong = class_of(s, &rest, &c);
  if (wrong) return wrong;
  if (!predicate_in(c, &rest, false, &u.predicate) || !predicate_in(c, &rest, true, &u.through))
    return "a predicate, and that of a pointer, expected";
  parser x = {
      .s = s, .c = c, .at = rest, .bound = c->predicates.at[u.predicate].arity == 2 ? 3 : 1};
  u.formula = formula(&x);
  blanks(&x);
  if (!x.wrong && *x.at) return "text behind an update";
  if (!x.wrong && !x.unreadable) tp_vec_push(&c->updates, u);
  return x.wrong;
}

uint32_t tp_chk_formula_free_variables(const tp_chk_formula *f) {
  uint32_t all = 0;
  if (!f) return 0;
  for (int i = 0; i < 3; i++) all |= tp_chk_formula_free_variables(f->kid[i]);
  switch (f->kind) {
    case TP_CHK_F_ATOM: return bit(f->a) | (f->has_b ? bit(f->b) : 0);
    case TP_CHK_F_EQUAL:
    case TP_CHK_F_PATH: return bit(f->a) | bit(f->b);
    case TP_CHK_F_EXISTS:
    case TP_CHK_F_FORALL: return all & ~bit(f->a);
    case TP_CHK_F_VALUE:
    case TP_CHK_F_NOT:
    case TP_CHK_F_AND:
    case TP_CHK_F_OR:
    case TP_CHK_F_IF: return all;
  }
  return all;
}

uint64_t tp_chk_formula_reads(const tp_chk_class *c, const tp_chk_formula *f) {
  uint64_t all = 0;
  if (!f) return 0;
  for (int i = 0; i < 3; i++) all |= tp_chk_formula_reads(c, f->kid[i]);
  if (f->kind == TP_CHK_F_ATOM) all |= UINT64_C(1) << f->predicate % 64;
  for (uint32_t k = 1; k < c->predicates.n && f->kind == TP_CHK_F_PATH; k++)
    if (c->predicates.at[k].kind == TP_CHK_P_FIELD) all |= UINT64_C(1) << k % 64;
  return all;
}

// ------------------------------------------------------------------------ graphs

uint32_t tp_chk_class_find(const tp_chk_class *c, tp_chk_predicate_kind kind) {
  for (uint32_t k = 1; k < c->predicates.n; k++)
    if (c->predicates.at[k].kind == kind) return k;
  return 0;
}

bool tp_chk_graphs_check(const tp_chk_graphs *s) {
  bool ok = true;
  for (size_t i = 1; i < s->graphs.n && ok; i++) {
    const tp_chk_graph *g = &s->graphs.at[i];
    ok = g->of && g->of < s->classes.n && g->n <= TP_CERTIFY_GRAPH_NODES && g->is_single;
    for (size_t k = 1; ok && k < s->classes.at[g->of].predicates.n; k++) ok = g->values[k] != NULL;
  }
  return ok;
}

/* Condition 3 of the meaning of a graph. */
bool tp_chk_graph_is_inhabited(const tp_chk_class *c, const tp_chk_graph *graph,
                               const bool *readable, uint32_t v) {
  TP_REQUIRE(v < graph->n);
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    if (c->predicates.at[k].kind == TP_CHK_P_OUTSIDE && graph->values[k][v] == 0) return true;
    if (c->predicates.at[k].kind == TP_CHK_P_POINTER && readable[k] && graph->values[k][v] == 1)
      return true;
  }
  return false;
}

/* A word of n values; false: the word is none. */
static bool values(char **rest, size_t n, uint8_t *out) {
  const char *text = word(rest);
  if (!text) return false;
  if (n == 0) return strcmp(text, "-") == 0;
  if (strlen(text) != n) return false;
  for (size_t i = 0; i < n; i++) {
    if (!strchr("01h", text[i])) return false;
    out[i] = text[i] == 'h' ? TP_CHK_HALF : text[i] == '1';
  }
  return true;
}

static const char *nodes(tp_chk_graphs *s, tp_chk_graph *g, char *rest) {
  const tp_chk_class *c = &s->classes.at[g->of];
  bool *single = tp_arena_array(&s->arena, bool, g->n + 1);
  uint8_t *read = tp_arena_alloc(&s->arena, g->n + 1);
  g->values = tp_arena_alloc(&s->arena, c->predicates.n * sizeof *g->values);
  if (!values(&rest, g->n, read)) return "one character for each node expected";
  for (uint32_t i = 0; i < g->n; i++) {
    if (read[i] == 0) return "a node is one element, or one or more";
    single[i] = read[i] == 1;
  }
  g->is_single = single;
  for (size_t k = 1; k < c->predicates.n; k++) {
    size_t n = c->predicates.at[k].arity == 2 ? (size_t)g->n * g->n : g->n;
    uint8_t *to = tp_arena_alloc(&s->arena, n + 1);
    if (!values(&rest, n, to)) return "one value for each node, or pair of them, expected";
    g->values[k] = to;
  }
  return is_end(&rest) ? NULL : "text behind a graph";
}

const char *tp_chk_graphs_read_graph(tp_chk_graphs *s, char *rest) {
  uint64_t k, n;
  if (!next_number(&rest, s->graphs.n)) return "graphs are numbered from 1 on";
  if (!number_in(&rest, s->classes.n, &k)) return "no such class";
  if (!number(&rest, &n) || n > TP_CERTIFY_GRAPH_NODES) return "no number of nodes";
  tp_chk_graph g = {.of = (uint32_t)k, .n = (uint32_t)n};
  const char *wrong = nodes(s, &g, rest);
  if (!wrong) tp_vec_push(&s->graphs, g);
  return wrong;
}
