#include "sources.h"

#include <stdio.h>

enum { MAX_STATEMENTS = 25, MAX_INPUTS = 4, MAX_CALLEES = 2 };

typedef struct {
  tape *t;
  tp_str *out;
  int indent, loops, inputs, statements;
  int n_callees;               // that may be called
  bool in_main, in_loop, in_switch;
} writer;

static const char HEADER[] =
  "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
  "extern void abort(void);\n"
  "extern void *malloc(unsigned long);\n"
  "extern void free(void *);\n"
  "extern void *memcpy(void *, const void *, unsigned long);\n"
  "extern void *memset(void *, int, unsigned long);\n"
  "void reach_error(void) {}\n"
  "static int in(void) { return __VERIFIER_nondet_uchar() & 3; }\n"
  "struct S { int x; unsigned char c; short h[2]; struct S *next; };\n"
  "struct B { unsigned f : 3; int h : 5; unsigned char k; };\n"
  "union U { int i; unsigned char c[4]; short h[2]; };\n"
  "int g = 1, w[4] = {1, 2, 3, 4};\n"
  "unsigned char a[8] = \"abc\";\n"
  "struct S s0 = {1, 2, {3, 4}, 0}, s1 = {5, 6, {7, 8}, &s0};\n"
  "struct B b;\n"
  "union U u;\n"
  "unsigned char fuel = 6;\n";

static void line(writer *v, const char *text) { tp_str_printf(v->out, "%*s%s\n", v->indent, "", text); }
static void begin(writer *v) { tp_str_printf(v->out, "%*s", v->indent, ""); }
static void put(writer *v, const char *text) { tp_str_add(v->out, text); }

// ---------------------------------------------------------------- expressions

static void expression(writer *v, int depth);

/* What can be read and written: of every kind of storage. */
static void place(writer *v, int depth) {
  static const char *const simple[] = {"x", "y", "z", "g", "s0.x", "s1.c", "s0.h[1]", "b.f", "b.h", "b.k", "u.i", "u.h[0]", "ps->x", "ps->h[0]", "*pi", "us", "ch"};
  static const char *const indexed[] = {"w[%s & 3]", "a[%s & 7]", "u.c[%s & 3]", "ps->h[%s & 1]"};
  if (depth <= 0 || !chance(v->t, 3)) {
    put(v, simple[draw(v->t, sizeof simple / sizeof *simple)]);
    return;
  }
  const char *shape = indexed[draw(v->t, 4)], *gap = strstr(shape, "%s");
  tp_str_add_n(v->out, shape, (size_t)(gap - shape));
  put(v, "(");
  expression(v, depth - 1);
  put(v, ")");
  put(v, gap + 2);
}

static void binary(writer *v, const char *op, int depth, bool masked) {
  put(v, "(");
  expression(v, depth - 1);
  tp_str_printf(v->out, " %s ", op);
  if (masked) put(v, "(");
  expression(v, depth - 1);
  put(v, masked ? " & 7))" : ")");
}

static void expression(writer *v, int depth) {
  static const char *const constants[] = {"0", "1", "2", "3", "-1", "7", "255", "256", "65535", "2147483647", "3u", "(-2147483647 - 1)"};
  static const char *const ops[] = {"+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||", ">"};
  static const char *const casts[] = {"(unsigned char)", "(signed char)", "(short)", "(unsigned)", "(long)", "(_Bool)", "(unsigned short)"};
  if (depth <= 0 || chance(v->t, 4)) {
    if (draw(v->t, 3)) place(v, depth);
    else put(v, constants[draw(v->t, 12)]);
    return;
  }
  switch (draw(v->t, 12)) {
    case 0: place(v, depth); break;
    case 1:
      tp_str_printf(v->out, "(%s", casts[draw(v->t, 7)]);
      expression(v, depth - 1);
      put(v, ")");
      break;
    case 2:
      put(v, draw(v->t, 2) ? "(!" : "(~");
      expression(v, depth - 1);
      put(v, ")");
      break;
    case 3:
      put(v, "(");
      expression(v, depth - 1);
      put(v, " ? ");
      expression(v, depth - 1);
      put(v, " : ");
      expression(v, depth - 1);
      put(v, ")");
      break;
    case 4: binary(v, draw(v->t, 2) ? "<<" : ">>", depth, true); break;
    case 5:                              // a divisor that may be 0 ends most runs
      put(v, "(");
      expression(v, depth - 1);
      put(v, draw(v->t, 2) ? " / (" : " % (");
      expression(v, depth - 1);
      put(v, chance(v->t, 8) ? "))" : " | 1))");
      break;
    case 6:
      if (!v->n_callees) {
        place(v, depth);
        break;
      }
      if (chance(v->t, 3)) put(v, "(*pf)");
      else tp_str_printf(v->out, "f%u", draw(v->t, (uint32_t)v->n_callees));
      put(v, "(");
      expression(v, depth - 1);
      put(v, ", pi)");
      break;
    case 7: put(v, "(int)(pi - w)"); break;
    case 8: put(v, chance(v->t, 2) ? "(ps == &s0)" : "(ps->next != 0)"); break;
    default: binary(v, ops[draw(v->t, 13)], depth, false); break;
  }
}

// ----------------------------------------------------------------- statements

static void block(writer *v, int nest);

static void assignment(writer *v) {
  static const char *const ops[] = {"=", "+=", "-=", "^=", "&=", "|=", "*="};
  begin(v);
  if (chance(v->t, 6)) {
    put(v, draw(v->t, 2) ? "++" : "--");
    place(v, 1);
    put(v, ";\n");
    return;
  }
  place(v, 1);
  tp_str_printf(v->out, " %s ", ops[chance(v->t, 2) ? 0 : draw(v->t, 7)]);
  expression(v, 3);
  put(v, ";\n");
}

static void pointers(writer *v) {
  static const char *const texts[] = {"ps = &s0;", "ps = &s1;", "if (ps->next) ps = ps->next;", "ps->next = &s0;", "ps->next = 0;", "pi = &w[1];", "pi = &g;",
                                      "pi = &s1.x;", "pi = &x;", "pi = w + (y & 3);", "s0 = s1;", "s1 = *ps;", "memcpy(w, &s0, 8);", "memset(a, x, 5);",
                                      "memset(a + (y & 3), z, x & 3);", "memcpy(a, w + (z & 1), 4);", "u.i = w[x & 3];"};
  line(v, texts[draw(v->t, sizeof texts / sizeof *texts)]);
}

static void heap(writer *v) {
  static const char *const uses[] = {"q[1] = y; x = q[0];", "q[y & 1] = 3; z = q[1];", "if (q[0] == q[1]) g++;", "pi = q; *pi = 2; x = *q; pi = w;"};
  line(v, "{");
  v->indent += 2;
  line(v, "int *q = malloc(8);");
  begin(v);
  put(v, "q[0] = ");
  expression(v, 2);
  put(v, "; q[1] = x;\n");
  line(v, uses[draw(v->t, 4)]);
  if (draw(v->t, 3)) line(v, "free(q);");
  v->indent -= 2;
  line(v, "}");
}

static void loop(writer *v, int nest) {
  bool was = v->in_loop, was_switch = v->in_switch;
  uint32_t kind = draw(v->t, 3);
  char head[80];
  int i = v->loops++;
  v->in_loop = true;
  v->in_switch = false;
  if (kind == 0) {
    snprintf(head, sizeof head, "for (int i%d = 0; i%d < %u; i%d++) {", i, i, 1 + draw(v->t, 4), i);
    line(v, head);
  } else if (kind == 1) {
    begin(v);
    put(v, "while (fuel && ");
    expression(v, 2);
    put(v, ") {\n");
    line(v, "  fuel--;");
  } else {
    line(v, "do {");
  }
  v->indent += 2;
  block(v, nest - 1);
  if (kind == 0 && draw(v->t, 2)) {
    snprintf(head, sizeof head, "x = x * 2 + i%d;", i);
    line(v, head);
  }
  v->indent -= 2;
  if (kind == 2) {
    begin(v);
    put(v, "} while (fuel && fuel-- && ");
    expression(v, 2);
    put(v, ");\n");
  } else {
    line(v, "}");
  }
  v->in_loop = was;
  v->in_switch = was_switch;
}

static void branch(writer *v, int nest) {
  begin(v);
  if (draw(v->t, 4) == 3) {
    bool was = v->in_switch;
    v->in_switch = true;
    put(v, "switch (");
    expression(v, 2);
    put(v, ") {\n");
    for (uint32_t n = draw(v->t, 3), k = 0; k <= n; k++) {
      char label[20];
      snprintf(label, sizeof label, k == 2 ? "default:" : "case %u:", k);
      line(v, label);
      v->indent += 2;
      block(v, nest - 1);
      if (draw(v->t, 2)) line(v, "break;");
      v->indent -= 2;
    }
    line(v, "}");
    v->in_switch = was;
    return;
  }
  put(v, "if (");
  expression(v, 3);
  put(v, ") {\n");
  v->indent += 2;
  block(v, nest - 1);
  v->indent -= 2;
  if (draw(v->t, 2)) {
    line(v, "} else {");
    v->indent += 2;
    block(v, nest - 1);
    v->indent -= 2;
  }
  line(v, "}");
}

static void claim(writer *v) {
  begin(v);
  put(v, "if (!(");
  switch (draw(v->t, 4)) {
    case 0: expression(v, 3); break;
    case 1:
      expression(v, 2);
      put(v, " || ");
      expression(v, 2);
      break;
    case 2:
      put(v, "(");
      expression(v, 2);
      tp_str_printf(v->out, " & %u) <= %u", 7, 7 - draw(v->t, 2));
      break;
    default:
      place(v, 1);
      tp_str_printf(v->out, " != %u", draw(v->t, 12));
      break;
  }
  put(v, ")) reach_error();\n");
}

static void statement(writer *v, int nest) {
  if (v->statements++ > MAX_STATEMENTS) return;
  switch (draw(v->t, nest > 0 ? 16 : 9)) {
    case 0: claim(v); break;
    case 1:
      if (v->in_main && !v->in_loop && v->inputs++ < MAX_INPUTS) line(v, draw(v->t, 2) ? "x = in();" : "y = in() - in();");
      break;
    case 2:
    case 3:
    case 4: assignment(v); break;
    case 5:
    case 6: pointers(v); break;
    case 7: heap(v); break;
    case 8:
      if (v->in_loop && chance(v->t, 2)) line(v, v->in_switch ? "if (x) continue;" : draw(v->t, 2) ? "if (y == 1) break;" : "if (x & 1) continue;");
      else if (chance(v->t, 3)) line(v, "if (g == 77) goto out;");
      else assignment(v);
      break;
    case 9:
    case 10:
    case 11:
    case 12: branch(v, nest); break;
    default: loop(v, nest); break;
  }
}

static void block(writer *v, int nest) {
  for (uint32_t n = 1 + draw(v->t, 3); n > 0; n--) statement(v, nest);
}

// ------------------------------------------------------------------ functions

static void body(writer *v, int nest, uint32_t n) {
  v->indent = 2;
  line(v, "int y = 1, z = 2;");
  line(v, "unsigned short us = 65530;");
  line(v, "signed char ch = -3;");
  line(v, "struct S *ps = &s0;");
  for (; n > 0; n--) statement(v, nest);
}

void source_make(tape *t, tp_str *out) {
  writer v = {.t = t, .out = out};
  put(&v, HEADER);
  int n_callees = (int)draw(t, MAX_CALLEES + 1);
  put(&v, "static int id(int x, int *pi) { (void)pi; return x; }\nstatic int (*pf)(int, int *) = id;\n");
  for (int i = 0; i < n_callees; i++) {
    v.n_callees = i;
    tp_str_printf(out, "static int f%d(int x, int *pi) {\n", i);
    v.indent = 2;
    if (chance(t, 3)) tp_str_printf(out, "  if ((x & 3) > 0) g += f%d((x & 3) - 1, pi);\n", i);
    body(&v, 2, 1 + draw(t, 3));
    put(&v, "out:\n  return x + y + z + us + ch + ps->x;\n}\n");
  }
  v.n_callees = n_callees;
  v.statements = 0;
  v.in_main = true;
  put(&v, "int main(void) {\n  int x = in(), *pi = w;\n");
  if (n_callees && draw(t, 2)) put(&v, "  if (x == 2) pf = f0;\n");
  body(&v, 3, 2 + draw(t, 6));
  claim(&v);
  put(&v, "out:\n  return x + y + z + us + ch + ps->x;\n}\n");
}
