/* Statements and formulas by chance, out of tables of phrases; a style leaves out the phrases that speak of what it does not have. */
#include "functions.h"

// -------------------------------------------------------------------- programs

typedef struct {
  tp_rng rng;
  tp_str *text;
  int depth, n_new;
  function_style style;
} writer;

static uint64_t below(writer *w, uint64_t n) { return tp_rng_below(&w->rng, n); }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool has_word(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *c = strstr(text, word); c; c = strstr(c + 1, word))
    if ((c == text || !is_letter(c[-1])) && !is_letter(c[n])) return true;
  return false;
}
static bool is_allowed(const writer *w, const char *text) {
  const function_style *s = &w->style;
  return !(s->without_b && (has_word(text, "b") || has_word(text, "B"))) && !(s->without_d && (has_word(text, "d") || has_word(text, "D"))) &&
         !(s->without_g && has_word(text, "g")) && !(s->without_i && has_word(text, "i"));
}
/* One of the first n. */
static const char *pick(writer *w, const char *const *all, uint64_t n) {
  for (;;) {
    const char *text = all[below(w, n)];
    if (is_allowed(w, text)) return text;
  }
}

static const char *pointer(writer *w) {
  static const char *const all[] = {"x", "y", "t", "A(x)", "B(y)", "A(t)", "g", "0", "B(x)", "A(B(t))"};
  static const char *const rich[] = {"q ? q->w : 0", "z", "(x ? x->in.w : y)"};
  return w->style.is_rich && below(w, 4) == 0 ? pick(w, rich, 3) : pick(w, all, 10);
}
static const char *variable(writer *w) {
  static const char *const all[] = {"x", "y", "t", "g"};
  return pick(w, all, 4);
}
static const char *integer(writer *w) {
  static const char *const all[] = {"i", "k", "D(x)", "0", "1", "W(D(t) + 1)", "W(i - 1)", "D(y)"};
  static const char *const rich[] = {"*p", "(q ? q->e : 2)", "V(x)", "V(y) - 1", "(t ? t->in.e : i)"};
  return w->style.is_rich && below(w, 3) == 0 ? pick(w, rich, 5) : pick(w, all, 8);
}

static void condition(writer *w) {
  const uint64_t c = below(w, 4);
  if (c == 0) tp_str_printf(w->text, "%s == %s", pointer(w), variable(w));
  else if (c == 1) tp_str_printf(w->text, "%s < %s", integer(w), integer(w));
  else if (c == 2) tp_str_printf(w->text, "%s", pointer(w));
  else if (w->style.without_d) tp_str_printf(w->text, "%s != %s", variable(w), pointer(w));
  else tp_str_printf(w->text, "%s && D(%s) != %s", variable(w), variable(w), integer(w));
}

static void statements(writer *w, uint64_t n);

static void rich_statement(writer *w) {
  static const char *const all[] = {"q = t ? &t->in : q;", "p = y ? &y->v[i & 1] : p;", "p = x ? &x->d : &k2;", "if (t) p = &t->in.e;", "z = x;", "t = z;", "if (x && y) x->in = y->in;",
                                    "q = x ? (struct m *)&x->in : &own;", "if (q == (x ? &x->in : 0)) i = 1;", "if (p == &k2) k = 2;", "own.w = y;", "if (q && q->w) q = &q->w->in;", "if (x) x->v[k & 1]++;",
                                    "q = x ? &x->ms[i & 1] : q;", "if (y) y->ms[k & 1].w = t;", "if (t) t->ms[1] = t->ms[i & 1];", "q = t ? t->ms : &own2[k & 1];", "own2[i & 1].e = k;"};
  const uint64_t c = below(w, 21);
  if (c < 18) tp_str_printf(w->text, "%s\n", all[c]);
  else if (c == 18) tp_str_printf(w->text, "*p = %s;\n", integer(w));
  else if (c == 19) tp_str_printf(w->text, "if (q) q->w = %s;\n", pointer(w));
  else tp_str_printf(w->text, "if (y) y->v[i & 1] = %s;\n", integer(w));
}

static void local_statement(writer *w) {
  static const char *const kept[] = {"g = &own;", "t = &own;", "if (x) x->a = &own;", "y = own.a = &own;"};
  const uint64_t c = below(w, w->style.may_keep_locals ? 6 : 5);
  if (c == 0) tp_str_printf(w->text, "own.a = %s;\n", pointer(w));
  else if (c == 1) tp_str_printf(w->text, "%s = own.a;\n", variable(w));
  else if (c == 5) tp_str_printf(w->text, "%s\n", pick(w, kept, 4));
  else if (c == 2 || w->style.without_d) tp_str_printf(w->text, "helper(&own, %s);\n", integer(w));
  else if (c == 3) tp_str_printf(w->text, "own.d = %s;\n", integer(w));
  else tp_str_add(w->text, "k = own.d;\n");
}

static void statement(writer *w) {
  if (w->style.has_locals && below(w, 3) == 0) {
    local_statement(w);
    return;
  }
  if (w->style.is_rich && below(w, 3) == 0) {
    rich_statement(w);
    return;
  }
  const uint64_t c = below(w, w->depth < 2 ? 14 : 9);
  if (c < 2) tp_str_printf(w->text, "%s = %s;\n", variable(w), pointer(w));
  else if (c < 6) {
    const char *to = variable(w);
    if (below(w, 8)) tp_str_printf(w->text, "if (%s) ", to);
    if (c < 5 || w->style.without_d) tp_str_printf(w->text, "%s->%s = %s;\n", to, below(w, 2) || w->style.without_b ? "a" : "b", pointer(w));
    else tp_str_printf(w->text, "%s->d = %s;\n", to, integer(w));
  }
  else if (c == 6) tp_str_printf(w->text, "%s = %s;\n", below(w, 2) && !w->style.without_i ? "i" : "k", integer(w));
  else if (c == 7) tp_str_printf(w->text, w->n_new++ ? ";\n" : "%s = NEW;\n", variable(w));
  else if (c == 8) tp_str_printf(w->text, below(w, 3) ? "helper(%s, %s);\n" : "if (k == W(3)) free(%s);\n", variable(w), integer(w));
  else {
    const bool is_loop = c >= 12;
    const int depth = w->depth++;
    if (is_loop) tp_str_printf(w->text, "ENTER(%d)\n", depth);
    tp_str_add(w->text, is_loop ? "while (" : "if (");
    condition(w);
    tp_str_add(w->text, ") {\n");
    statements(w, 1 + below(w, 2));
    if (is_loop) tp_str_add(w->text, below(w, 2) || w->style.without_i ? "t = t->a;\nif (!t) break;\n" : "i = W(i + 1);\nif (i > W(2)) return t;\n");
    if (is_loop) tp_str_printf(w->text, "ROUND(%d)\n", depth);
    if (!is_loop && below(w, 2)) {
      tp_str_add(w->text, "} else {\n");
      statements(w, 1 + below(w, 2));
    }
    tp_str_add(w->text, "}\n");
    w->depth--;
  }
}

static void statements(writer *w, uint64_t n) {
  for (uint64_t k = 0; k < n; k++) statement(w);
}

static void write_rich_program(writer *w) {
  tp_str_add(w->text, "#include <stdlib.h>\nstruct m { int e; struct n *w; };\nstruct n { struct n *a, *b; int d; struct m in; int v[2]; struct m ms[2]; };\nstruct n *g;\n"
                       "#define A(p) ((p) ? (p)->a : 0)\n#define B(p) ((p) ? (p)->b : 0)\n#define D(p) ((p) ? (p)->d : 0)\n#define V(p) ((p) ? (p)->v[k & 1] : 0)\n"
                       "static void helper(struct n *h, int v) { if (!h) return; if (h->d < v) h->in.e = v; else h->in.w = h->b; }\nvoid uses(void) { g = 0; }\n"
                       "struct n *f(struct n *x, struct n *y, int i) {\nstruct n *t = y;\nint k = 1, k2 = 0, *p = &k2;\nstruct m own = {1, 0}, own2[2], *q = y ? &y->in : &own;\nvoid *z = t;\nown2[0] = own2[1] = own;\n");
  statements(w, 3 + below(w, 5));
  tp_str_printf(w->text, "return %s;\n}\n", pointer(w));
}

static void write_plain_program(writer *w) {
  const function_style *s = &w->style;
  tp_str_printf(w->text, "#include <stdlib.h>\nstruct n { struct n *a%s; %s};\nstruct n *g;\n", s->without_b ? "" : ", *b", s->without_d ? "" : "int d; ");
  tp_str_add(w->text, "#define A(p) ((p) ? (p)->a : 0)\n#define B(p) ((p) ? (p)->b : 0)\n#define D(p) ((p) ? (p)->d : 0)\n");
  tp_str_printf(w->text, "static void helper(struct n *h, int v) { if (!h) return; %sh->a = %s; }\n", s->without_d ? "if (v) " : "if (h->d < v) h->d = v; else ", s->without_b ? "h->a ? h->a->a : h" : "h->b");
  tp_str_printf(w->text, "void uses(void) { g = 0; }\nstruct n *f(struct n *x, struct n *y%s) {\nstruct n *t = y;\nint k = 1;\n%s", s->without_i ? "" : ", int i",
                s->has_locals ? "struct n own = {0};\n" : "");
  statements(w, 2 + below(w, 4));
  tp_str_printf(w->text, "return %s;\n}\n", below(w, 4) ? variable(w) : pointer(w));
}

void random_function(uint64_t seed, function_style style, tp_str *program) {
  writer w = {.text = program, .style = style};
  tp_rng_init(&w.rng, seed);
  if (style.is_rich) write_rich_program(&w);
  else write_plain_program(&w);
}

// ------------------------------------------------------------------- contracts

static const char *set(writer *w) {
  static const char *const all[] = {"x", "y", "g", "x.a", "y.*a", "x.^(a + b)", "g.*b", "\\alloc", "a.x", "x.*a & y.*b", "\\result", "none", "struct n & \\alloc", "{c : struct n & \\alloc | c.a = c.b}"};
  return pick(w, all, 14);
}
/* `none` alone has no arity to compare. */
static const char *some_set(writer *w) {
  const char *text = set(w);
  return strcmp(text, "none") == 0 ? "x" : text;
}
static const char *set_after(writer *w) {
  static const char *const all[] = {"x.a'", "y.*a'", "x.^(a + b)'", "g'", "g'.*b'", "\\alloc'", "\\result", "\\result.a'", "a'.x", "{c : struct n & \\alloc' | c.d' > 0}", "x.(a ++ (x -> y))", "x.b'"};
  return pick(w, all, 12);
}

static void formula(writer *w, int depth) {
  static const char *const rich[] = {"x.in.e' >= y.v[0]", "x.v' = x.v", "(all c : struct n & \\alloc | c.in.w' in c.in.w + x + null)", "x.in.w' != y", "some w'.(y - null)", "x.ms[0].w' in x.ms[1].w + y + null"};
  if (w->style.is_rich && below(w, 3) == 0) {
    tp_str_add(w->text, pick(w, rich, 6));
    return;
  }
  const uint64_t c = below(w, depth ? 8 : 6);
  if (c == 0) tp_str_printf(w->text, "%s in %s", set_after(w), set(w));
  else if (c == 1) tp_str_printf(w->text, "%s = %s + %s", set_after(w), some_set(w), set(w));
  else if (c == 2) tp_str_printf(w->text, "#(%s - null) <= #(%s + null)", set_after(w), set(w));
  else if (c == 3) tp_str_printf(w->text, "(all c : struct n & \\alloc & \\alloc' | c.%s' = c.%s or c in %s)", w->style.without_d ? "a" : "d", w->style.without_d ? "a" : "d", set(w));
  else if (c == 4) tp_str_printf(w->text, "(some c : struct n & \\alloc' | c.a' = c or c !in %s)", set(w));
  else if (c == 5 && w->style.without_d) tp_str_printf(w->text, "#%s' %s #%s", "x.*a", below(w, 2) ? ">=" : "!=", "y.*a");
  else if (c == 5) tp_str_printf(w->text, "x.d' %s y.d%s", below(w, 2) ? ">=" : "!=", w->style.without_i ? " + 1" : " + i");
  else {
    tp_str_add(w->text, c == 6 ? "(" : "not (");
    formula(w, depth - 1);
    tp_str_add(w->text, below(w, 3) ? " or " : " => ");
    formula(w, depth - 1);
    tp_str_add(w->text, ")");
  }
}

/* Targets that the style has. */
static void print_targets(writer *w, const char *text) {
  const char *comma = "";
  tp_str_add(w->text, "modifies ");
  while (*text) {
    char one[40] = "";
    const size_t n = strcspn(text, ",");
    memcpy(one, text, n);
    if (is_allowed(w, one)) tp_str_printf(w->text, "%s%s", comma, one), comma = ",";
    text += text[n] ? n + 1 : n;
  }
  tp_str_add_char(w->text, '\n');
}

void random_contract(uint64_t seed, function_style style, tp_str *contract) {
  writer own = {.text = contract, .style = style}, *w = &own;
  tp_rng_init(&w->rng, seed);
  static const char *const rich[] = {"a, b, d, e, w, v, g, \\alloc", "x.a, e, w, y.v, d, a, b, g, \\alloc", "none"};
  static const char *const requires[] = {"x != null", "x != y", "no c : x.*a | c in c.^a", "g = null or g.d > 0", "y in x.*b"};
  static const char *const modifies[] = {"a, b, d, g, \\alloc", "x.a, x.b, x.d, g, \\alloc", "d, a, g, b", "x.*a.d, y.b, a, b, g, \\alloc", "none"};
  tp_str_add(w->text, "function f {\n");
  if (below(w, 2)) tp_str_printf(w->text, "requires %s\n", pick(w, requires, 5));
  if (below(w, 2)) print_targets(w, style.is_rich ? rich[below(w, 3)] : modifies[below(w, 5)]);
  for (uint64_t k = below(w, 3); k-- > 0;) {
    tp_str_add(w->text, "ensures ");
    formula(w, 2);
    tp_str_add_char(w->text, '\n');
  }
  tp_str_add(w->text, "}\n");
}
