/* Tests of summaries: random programs over small heaps, as C and as trees that are run directly.
 *
 * What       functions of a few statements over two structs; their text in C; their runs from a
 *            given heap.
 * Represents a heap of atoms: null, objects of `struct n` and `struct m` that exist or may be made,
 *            integers from -1 to 3. A run that dereferences null or an object that is gone, needs
 *            another integer or more objects, or goes on for too long, is no run. */
#ifndef TP_CONTRACTS_SUMMARISE_RANDOM_HEAP_PROGRAMS_H
#define TP_CONTRACTS_SUMMARISE_RANDOM_HEAP_PROGRAMS_H

#include "base/base.h"

#include <stdlib.h>

enum {
  ATOM_NULL,
  FIRST_N = 1,
  N_OLD_N = 3,
  N_N = 7,
  FIRST_M = FIRST_N + N_N,
  N_OLD_M = 2,
  N_M = 4,
  FIRST_INT = FIRST_M + N_M,
  LEAST_INT = -1,
  N_INTS = 5,
  N_HEAP_ATOMS = FIRST_INT + N_INTS
};
enum { FIELD_A, FIELD_B, FIELD_V, FIELD_O, FIELD_H, FIELD_W, N_FIELDS };
static const char *const field_names[] = {"a", "b", "v", "o", "h", "w"};
enum { VAR_X, VAR_Y, VAR_P, VAR_Q, VAR_Z, VAR_R, VAR_I, VAR_K, N_LOCALS, VAR_G = N_LOCALS, N_VARS };
static const char *const var_names[] = {"x", "y", "p", "q", "z", "r", "i", "k", "g"};
typedef enum { TYPE_N, TYPE_M, TYPE_INT } small_type;

static inline small_type type_of_var(int v) {
  return v == VAR_Z || v == VAR_R ? TYPE_M : v == VAR_I || v == VAR_K ? TYPE_INT : TYPE_N;
}
static inline small_type owner_of_field(int f) {
  return f == FIELD_H || f == FIELD_W ? TYPE_M : TYPE_N;
}
static inline small_type type_of_field(int f) {
  return f == FIELD_V || f == FIELD_W ? TYPE_INT : f == FIELD_O ? TYPE_M : TYPE_N;
}

typedef struct {
  uint32_t fields[N_FIELDS][N_HEAP_ATOMS];
  uint32_t g;
  bool exists[N_HEAP_ATOMS], is_old[N_HEAP_ATOMS];
} small_heap_state;

// ---------------------------------------------------------------------- statements

typedef enum {
  S_COPY,    // var = from
  S_CONST,   // var = NULL, or a number
  S_LOAD,    // var = from->field
  S_STORE,   // var->field = from
  S_CLEAR,   // var->field = NULL, or a number
  S_MALLOC,  // var = malloc
  S_CALLOC,
  S_FREE,
  S_ADD,   // var = from + 1
  S_IF,    // first, then second
  S_LOOP,  // while (condition) { first; var = var->field }
  S_CALL,  // var = function[callee](x, y, z, i)
  S_RETURN,
  S_BREAK
} small_kind;
typedef enum { C_EQUAL, C_NULL, C_FIELD, C_LESS, C_AND, C_OR, C_NOT } small_condition_kind;
typedef struct small_condition {
  small_condition_kind kind;
  int a, b, field;
  struct small_condition *left, *right;
} small_condition;
typedef struct small_statement {
  small_kind kind;
  int var, from, field, number, callee;
  int args[4];
  small_condition *condition;
  struct small_statement *first, *second, *next;
} small_statement;
typedef struct {
  tp_arena arena;
  tp_rng rng;
  small_statement *bodies[64];
  int returns[64];  // the variable
  uint32_t n;
  bool in_loop;
} small_program;

static inline uint32_t below(small_program *p, uint32_t n) {
  return (uint32_t)tp_rng_below(&p->rng, n);
}

static inline int var_of_type(small_program *p, small_type t) {
  for (;;) {
    const int v = (int)below(p, N_VARS);
    if (type_of_var(v) == t) return v;
  }
}
static inline int field_of_type(small_program *p, small_type t) {
  for (;;) {
    const int f = (int)below(p, N_FIELDS);
    if (type_of_field(f) == t) return f;
  }
}

static inline small_condition *draw_condition(small_program *p, int depth) {
  small_condition *c = tp_arena_new(&p->arena, small_condition);
  c->kind = (small_condition_kind)below(p, depth > 0 ? 7 : 4);
  const small_type t = (small_type)below(p, 3);
  c->a = var_of_type(p, c->kind == C_LESS ? TYPE_INT : c->kind == C_NULL ? TYPE_N : t);
  c->b = var_of_type(p, c->kind == C_LESS ? TYPE_INT : t);
  if (c->kind == C_FIELD) {
    c->field = field_of_type(p, t);
    c->a = var_of_type(p, owner_of_field(c->field));
  }
  if (c->kind >= C_AND) c->left = draw_condition(p, depth - 1);
  if (c->kind == C_AND || c->kind == C_OR) c->right = draw_condition(p, depth - 1);
  return c;
}

static inline small_statement *draw_block(small_program *p, int depth, uint32_t most);

/* The loop's body stores to what it visits: first, before what it did, or behind it. */
static inline void draw_visit(small_program *p, small_statement *loop) {
  small_statement *s = tp_arena_new(&p->arena, small_statement);
  s->kind = below(p, 2) ? S_STORE : S_CLEAR;
  do s->field = (int)below(p, N_FIELDS);
  while (owner_of_field(s->field) != TYPE_N);
  s->var = loop->var;
  s->from = var_of_type(p, type_of_field(s->field));
  s->number = (int)below(p, 3);
  if (below(p, 3) == 0) s->next = loop->first;
  loop->first = s;
}

static inline small_condition *condition_of(small_program *p, small_condition_kind kind,
                                            small_condition *left, small_condition *right) {
  small_condition *c = tp_arena_new(&p->arena, small_condition);
  *c = (small_condition){.kind = kind, .left = left, .right = right};
  return c;
}

/* while (!(x == 0) && !(x->f == w)) { q = x; x = x->r; }, or nearly that: other conditions,
 * more or fewer statements, a break. */
static inline void draw_search(small_program *p, small_statement *loop) {
  small_condition *end = condition_of(p, C_NULL, NULL, NULL),
                  *found = condition_of(p, C_FIELD, NULL, NULL);
  end->a = loop->var;
  do found->field = (int)below(p, N_FIELDS);
  while (owner_of_field(found->field) != TYPE_N);
  found->a = below(p, 8) ? loop->var : var_of_type(p, TYPE_N);
  found->b = var_of_type(p, type_of_field(found->field));
  if (below(p, 4)) found = condition_of(p, C_NOT, found, NULL);
  end = condition_of(p, C_NOT, end, NULL);
  loop->condition = below(p, 4) ? condition_of(p, C_AND, end, found) : end;
  if (below(p, 4)) loop->first = NULL;
  if (loop->condition == end || below(p, 4) == 0) {
    small_statement *leave = tp_arena_new(&p->arena, small_statement),
                    *choice = tp_arena_new(&p->arena, small_statement);
    *leave = (small_statement){.kind = S_BREAK};
    *choice =
        (small_statement){.kind = S_IF, .condition = found, .first = leave, .next = loop->first};
    loop->first = choice;
  }
  if (below(p, 2)) {
    small_statement *keep = tp_arena_new(&p->arena, small_statement);
    *keep = (small_statement){
        .kind = S_COPY, .var = var_of_type(p, TYPE_N), .from = loop->var, .next = loop->first};
    loop->first = keep;
  }
}

static inline void draw_parts(small_program *p, small_statement *s, int depth) {
  const bool own = p->in_loop;
  if (s->kind == S_IF || s->kind == S_LOOP) s->condition = draw_condition(p, 1);
  if (s->kind == S_LOOP) p->in_loop = true;
  if (s->kind == S_IF || s->kind == S_LOOP) s->first = draw_block(p, depth - 1, 3);
  p->in_loop = own;
  if (s->kind == S_IF && below(p, 2)) s->second = draw_block(p, depth - 1, 2);
  if (s->kind == S_LOOP) {
    s->field = below(p, 2) ? FIELD_A : FIELD_B;
    s->var = var_of_type(p, TYPE_N);
    if (below(p, 3) == 0) {
      draw_search(p, s);
    } else if (below(p, 3)) {  // while (var) ...
      s->condition->kind = C_NOT;
      s->condition->left = tp_arena_new(&p->arena, small_condition);
      *s->condition->left = (small_condition){.kind = C_NULL, .a = s->var};
      if (below(p, 2)) draw_visit(p, s);
    }
  }
  if (s->kind == S_CALL) {
    s->callee = (int)below(p, p->n + 1);
    s->var = var_of_type(p, TYPE_N);
    for (int i = 0; i < 4; i++)
      s->args[i] = var_of_type(p, i < 2 ? TYPE_N : i == 2 ? TYPE_M : TYPE_INT);
  }
}

static inline small_statement *draw_statement(small_program *p, int depth) {
  static const small_kind kinds[] = {S_COPY,  S_CONST,  S_LOAD,   S_LOAD, S_STORE, S_STORE, S_STORE,
                                     S_CLEAR, S_MALLOC, S_CALLOC, S_FREE, S_ADD,   S_IF,    S_IF,
                                     S_LOOP,  S_LOOP,   S_CALL,   S_CALL, S_RETURN};
  small_statement *s = tp_arena_new(&p->arena, small_statement);
  do s->kind = kinds[below(p, sizeof kinds / sizeof *kinds)];
  while ((depth == 0 && (s->kind == S_IF || s->kind == S_LOOP)) ||
         (depth == 2 && s->kind == S_RETURN) || (s->kind == S_FREE && below(p, 3)));
  if (s->kind == S_RETURN && p->in_loop && below(p, 2)) s->kind = S_BREAK;
  const small_type t = (small_type)below(p, 3);
  s->var = var_of_type(p, t);
  s->from = var_of_type(p, t);
  s->number = (int)below(p, 3);
  if (s->kind == S_LOAD || s->kind == S_STORE) {
    s->field = field_of_type(p, t);
    const int object = var_of_type(p, owner_of_field(s->field));
    if (s->kind == S_LOAD)
      s->from = object;
    else
      s->var = object;
  }
  if (s->kind == S_CLEAR) {
    s->field = (int)below(p, N_FIELDS);
    s->var = var_of_type(p, owner_of_field(s->field));
  }
  if (s->kind == S_MALLOC || s->kind == S_CALLOC || s->kind == S_FREE)
    s->var = var_of_type(p, (small_type)below(p, 2));
  if (s->kind == S_ADD) s->var = VAR_K, s->from = var_of_type(p, TYPE_INT);
  draw_parts(p, s, depth);
  return s;
}

static inline small_statement *draw_block(small_program *p, int depth, uint32_t most) {
  small_statement *first = NULL;
  for (uint32_t n = 1 + below(p, most); n-- > 0;) {
    small_statement *s = draw_statement(p, depth);
    s->next = first;
    first = s;
  }
  return first;
}

static inline small_statement *statement_of(small_program *p, small_statement s,
                                            small_statement *next) {
  small_statement *out = tp_arena_new(&p->arena, small_statement);
  *out = s;
  out->next = next;
  return out;
}

/* if (!(v == 0)) { first } */
static inline small_statement *unless_null(small_program *p, int v, small_statement *first,
                                           small_statement *next) {
  small_condition *is_null = condition_of(p, C_NULL, NULL, NULL);
  is_null->a = v;
  const small_statement choice = {
      .kind = S_IF, .condition = condition_of(p, C_NOT, is_null, NULL), .first = first};
  return statement_of(p, choice, next);
}

/* x->f = w; q = y->a; q = q->f; or y and x the other way round, where they are not null: what is
 * read depends on whether a member leads to the object that is stored to. */
static inline small_statement *draw_meeting(small_program *p, small_statement *next) {
  const bool swaps = below(p, 2);
  const int stored = swaps ? VAR_Y : VAR_X, field = below(p, 2) ? FIELD_A : FIELD_B;
  const small_statement store = {.kind = S_STORE,
                                 .var = stored,
                                 .field = field,
                                 .from = below(p, 2) ? stored : var_of_type(p, TYPE_N)},
                        step = {.kind = S_LOAD,
                                .var = VAR_Q,
                                .from = swaps ? VAR_X : VAR_Y,
                                .field = below(p, 2) ? FIELD_A : FIELD_B},
                        read = {.kind = S_LOAD, .var = VAR_Q, .from = VAR_Q, .field = field};
  small_statement *reads =
      statement_of(p, step, unless_null(p, VAR_Q, statement_of(p, read, NULL), NULL));
  return unless_null(p, stored, statement_of(p, store, NULL),
                     unless_null(p, step.from, reads, next));
}

/* p = malloc; x->f, or y->f, = p; q = f(p or x, p or y, ...): an argument that is a new object to
 * which nothing leads, or nearly so. */
static inline small_statement *draw_call_with_new(small_program *p, small_statement *next) {
  const uint32_t callee = below(p, p->n + 1);
  const small_statement make = {.kind = below(p, 2) ? S_MALLOC : S_CALLOC, .var = VAR_P},
                        link = {.kind = S_STORE,
                                .var = below(p, 2) ? VAR_X : VAR_Y,
                                .field = below(p, 2) ? FIELD_A : FIELD_B,
                                .from = VAR_P},
                        called = {.kind = S_CALL,
                                  .var = VAR_Q,
                                  .callee = (int)callee,
                                  .args = {below(p, 2) ? VAR_P : VAR_X, below(p, 2) ? VAR_P : VAR_Y,
                                           VAR_Z, VAR_I}};
  next = statement_of(p, called, next);
  if (below(p, 2)) next = unless_null(p, link.var, statement_of(p, link, NULL), next);
  return below(p, 4) ? statement_of(p, make, next) : next;
}

/* One function in eight begins by storing and reading back, one in eight by a call with what may be
 * a new object. */
static inline void draw_function(small_program *p) {
  p->in_loop = false;
  p->returns[p->n] = var_of_type(p, TYPE_N);
  p->bodies[p->n] = draw_block(p, 2, 5);
  const uint32_t begins = below(p, 8);
  if (begins < 2) p->returns[p->n] = VAR_Q;
  if (begins == 0) p->bodies[p->n] = draw_meeting(p, p->bodies[p->n]);
  if (begins == 1) p->bodies[p->n] = draw_call_with_new(p, p->bodies[p->n]);
  p->n++;
}

// ---------------------------------------------------------------------------- text

static inline void print_condition(const small_condition *c, tp_str *out) {
  if (c->kind >= C_AND) tp_str_add(out, c->kind == C_NOT ? "!(" : "(");
  if (c->kind >= C_AND) print_condition(c->left, out);
  if (c->kind == C_AND || c->kind == C_OR) {
    tp_str_add(out, c->kind == C_AND ? " && " : " || ");
    print_condition(c->right, out);
  }
  if (c->kind >= C_AND) tp_str_add(out, ")");
  const char *a = var_names[c->a], *b = var_names[c->b];
  if (c->kind == C_EQUAL) tp_str_printf(out, "%s == %s", a, b);
  if (c->kind == C_NULL) tp_str_printf(out, "%s == 0", a);
  if (c->kind == C_FIELD) tp_str_printf(out, "%s->%s == %s", a, field_names[c->field], b);
  if (c->kind == C_LESS) tp_str_printf(out, "%s < %s", a, b);
}

static inline void print_block(const small_program *p, const small_statement *s, int returns,
                               tp_str *out) {
  for (; s; s = s->next) {
    const char *v = var_names[s->var], *w = var_names[s->from], *f = field_names[s->field];
    const char *type = type_of_var(s->var) == TYPE_M ? "struct m" : "struct n";
    tp_str_add(out, " ");
    if (s->kind == S_COPY) tp_str_printf(out, "%s = %s;", v, w);
    if (s->kind == S_CONST)
      tp_str_printf(out, "%s = %d;", v, type_of_var(s->var) == TYPE_INT ? s->number : 0);
    if (s->kind == S_LOAD) tp_str_printf(out, "%s = %s->%s;", v, w, f);
    if (s->kind == S_STORE) tp_str_printf(out, "%s->%s = %s;", v, f, w);
    if (s->kind == S_CLEAR)
      tp_str_printf(out, "%s->%s = %d;", v, f, type_of_field(s->field) == TYPE_INT ? s->number : 0);
    if (s->kind == S_MALLOC) tp_str_printf(out, "%s = malloc(sizeof(%s));", v, type);
    if (s->kind == S_CALLOC) tp_str_printf(out, "%s = calloc(1, sizeof(%s));", v, type);
    if (s->kind == S_FREE) tp_str_printf(out, "free(%s);", v);
    if (s->kind == S_ADD) tp_str_printf(out, "%s = %s + 1;", v, w);
    if (s->kind == S_RETURN) tp_str_printf(out, "return %s;", var_names[returns]);
    if (s->kind == S_BREAK) tp_str_add(out, "break;");
    if (s->kind == S_CALL)
      tp_str_printf(out, "%s = f%d(%s, %s, %s, %s);", v, s->callee, var_names[s->args[0]],
                    var_names[s->args[1]], var_names[s->args[2]], var_names[s->args[3]]);
    if (s->kind != S_IF && s->kind != S_LOOP) continue;
    tp_str_add(out, s->kind == S_IF ? "if (" : "while (");
    print_condition(s->condition, out);
    tp_str_add(out, ") {");
    print_block(p, s->first, returns, out);
    if (s->kind == S_LOOP) tp_str_printf(out, " %s = %s->%s;", v, v, f);
    tp_str_add(out, " }");
    if (!s->second) continue;
    tp_str_add(out, " else {");
    print_block(p, s->second, returns, out);
    tp_str_add(out, " }");
  }
}

static inline void print_function(const small_program *p, uint32_t f, tp_str *out) {
  tp_str_printf(out,
                "struct n *f%u(struct n *x, struct n *y, struct m *z, int i) {\n"
                "  struct n *p = x, *q = y; struct m *r = z; int k = i;\n ",
                f);
  print_block(p, p->bodies[f], p->returns[f], out);
  tp_str_printf(out, "\n  return %s;\n}\n", var_names[p->returns[f]]);
}

static inline void print_program(const small_program *p, tp_str *out) {
  tp_str_add(out,
             "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);\n"
             "void free(void *);\n"
             "struct n { struct n *a, *b; int v; struct m *o; };\n"
             "struct m { struct n *h; int w; };\nstruct n *g;\n");
  for (uint32_t f = 0; f < p->n; f++) print_function(p, f, out);
}

// ---------------------------------------------------------------------------- runs

typedef struct {
  small_program *p;
  small_heap_state *h;
  uint32_t fuel, depth;
  bool is_over;  // it is no run
} small_run;
typedef enum { GOES_ON, BREAKS, RETURNS } small_flow;

static inline uint32_t *place_of_var(small_run *r, uint32_t *locals, int v) {
  return v == VAR_G ? &r->h->g : &locals[v];
}

static inline uint32_t *place_of_field(small_run *r, uint32_t object, int field) {
  if (object >= FIRST_INT || !r->h->exists[object]) {
    r->is_over = true;
    return &r->h->fields[field][ATOM_NULL];
  }
  return &r->h->fields[field][object];
}

static inline uint32_t any_atom(small_run *r, small_type t) {
  if (t == TYPE_INT) return FIRST_INT + below(r->p, N_INTS);
  const uint32_t first = t == TYPE_N ? FIRST_N : FIRST_M, n = t == TYPE_N ? N_N : N_M;
  const uint32_t object = first + below(r->p, n);
  return below(r->p, 4) && r->h->exists[object] ? object : ATOM_NULL;
}

static inline bool evaluate_condition(small_run *r, uint32_t *locals, const small_condition *c) {
  const uint32_t a = *place_of_var(r, locals, c->a), b = *place_of_var(r, locals, c->b);
  switch (c->kind) {
    case C_EQUAL: return a == b;
    case C_NULL: return a == ATOM_NULL;
    case C_FIELD: return *place_of_field(r, a, c->field) == b;
    case C_LESS: return a < b;
    case C_AND:
      return evaluate_condition(r, locals, c->left) && evaluate_condition(r, locals, c->right);
    case C_OR:
      return evaluate_condition(r, locals, c->left) || evaluate_condition(r, locals, c->right);
    case C_NOT: return !evaluate_condition(r, locals, c->left);
  }
  return false;
}

static inline void make_object(small_run *r, uint32_t *to, small_type t, bool is_zero) {
  const uint32_t first = t == TYPE_N ? FIRST_N + N_OLD_N : FIRST_M + N_OLD_M,
                 last = t == TYPE_N ? FIRST_N + N_N : FIRST_M + N_M;
  for (uint32_t o = first; o < last; o++) {
    if (r->h->exists[o] || r->h->fields[FIELD_A][o] == UINT32_MAX) continue;
    for (int f = 0; f < N_FIELDS; f++) {
      const small_type ft = type_of_field(f);
      const uint32_t zero = ft == TYPE_INT ? FIRST_INT - LEAST_INT : ATOM_NULL;
      if (owner_of_field(f) == t) r->h->fields[f][o] = is_zero ? zero : any_atom(r, ft);
    }
    r->h->exists[o] = true;
    *to = o;
    return;
  }
  r->is_over = true;
}

/* A gone object's atom is not used again. */
static inline void free_object(small_run *r, uint32_t o) {
  if (o == ATOM_NULL) return;
  if (!r->h->exists[o]) {
    r->is_over = true;
    return;
  }
  r->h->exists[o] = false;
  if (!r->h->is_old[o]) r->h->fields[FIELD_A][o] = UINT32_MAX;
}

static inline uint32_t run_call(small_run *r, uint32_t f, const uint32_t *args);

static inline uint32_t constant_of(small_type t, int number) {
  return t == TYPE_INT ? (uint32_t)(FIRST_INT - LEAST_INT + number) : (uint32_t)ATOM_NULL;
}

static inline void run_simple(small_run *r, uint32_t *locals, const small_statement *s) {
  uint32_t *v = place_of_var(r, locals, s->var), *w = place_of_var(r, locals, s->from);
  if (s->kind == S_COPY) *v = *w;
  if (s->kind == S_CONST) *v = constant_of(type_of_var(s->var), s->number);
  if (s->kind == S_LOAD) *v = *place_of_field(r, *w, s->field);
  if (s->kind == S_STORE) *place_of_field(r, *v, s->field) = *w;
  if (s->kind == S_CLEAR)
    *place_of_field(r, *v, s->field) = constant_of(type_of_field(s->field), s->number);
  if (s->kind == S_MALLOC || s->kind == S_CALLOC)
    make_object(r, v, type_of_var(s->var), s->kind == S_CALLOC);
  if (s->kind == S_FREE) free_object(r, *v);
  if (s->kind == S_ADD) {
    if (*w + 1 >= N_HEAP_ATOMS) r->is_over = true;
    *v = *w + 1;
  }
  if (s->kind != S_CALL) return;
  uint32_t args[4];
  for (int i = 0; i < 4; i++) args[i] = *place_of_var(r, locals, s->args[i]);
  const uint32_t result = run_call(r, (uint32_t)s->callee, args);
  *place_of_var(r, locals, s->var) = result;
}

static inline small_flow run_block(small_run *r, uint32_t *locals, const small_statement *s) {
  for (; s && !r->is_over; s = s->next) {
    small_flow flow = GOES_ON;
    if (r->fuel-- == 0) r->is_over = true;
    if (s->kind == S_RETURN) return RETURNS;
    if (s->kind == S_BREAK) return BREAKS;
    if (s->kind == S_IF)
      flow =
          run_block(r, locals, evaluate_condition(r, locals, s->condition) ? s->first : s->second);
    else if (s->kind != S_LOOP)
      run_simple(r, locals, s);
    while (s->kind == S_LOOP && !r->is_over && evaluate_condition(r, locals, s->condition)) {
      flow = run_block(r, locals, s->first);
      if (flow != GOES_ON || r->is_over) break;
      uint32_t *v = place_of_var(r, locals, s->var);
      *v = *place_of_field(r, *v, s->field);
      if (r->fuel-- == 0) r->is_over = true;
    }
    if (flow == RETURNS || (flow == BREAKS && s->kind != S_LOOP)) return flow;
  }
  return GOES_ON;
}

static inline uint32_t run_call(small_run *r, uint32_t f, const uint32_t *args) {
  uint32_t locals[N_LOCALS];
  if (++r->depth > 6) r->is_over = true;
  locals[VAR_X] = locals[VAR_P] = args[0];
  locals[VAR_Y] = locals[VAR_Q] = args[1];
  locals[VAR_Z] = locals[VAR_R] = args[2];
  locals[VAR_I] = locals[VAR_K] = args[3];
  if (!r->is_over) (void)run_block(r, locals, r->p->bodies[f]);
  r->depth--;
  return *place_of_var(r, locals, r->p->returns[f]);
}

/* Any heap: one to three old objects of the first struct, up to two of the other one. */
static inline void draw_heap(small_program *p, small_heap_state *h) {
  small_run r = {.p = p, .h = h};
  memset(h, 0, sizeof *h);
  for (uint32_t o = 0; o < 1 + below(p, N_OLD_N); o++) h->exists[FIRST_N + o] = true;
  for (uint32_t o = 0; o < below(p, N_OLD_M + 1); o++) h->exists[FIRST_M + o] = true;
  memcpy(h->is_old, h->exists, sizeof h->is_old);
  for (uint32_t o = FIRST_N; o < FIRST_INT; o++)
    for (int f = 0; f < N_FIELDS && h->exists[o]; f++)
      if (owner_of_field(f) == (o < FIRST_M ? TYPE_N : TYPE_M))
        h->fields[f][o] = any_atom(&r, type_of_field(f));
  h->g = any_atom(&r, TYPE_N);
}

#endif
