/* Statements, declarations, and the skeleton of a program.
 *
 * Every variable is initialised where it is declared. Pointers always point at something declared before them in the
 * same or an outer scope, so it lives at least as long. Loops count to a constant and stop when the program's fuel is
 * used up; functions take fuel too, so calls in loops end. Calls stand alone or on the right of a plain assignment. */
#include "gen_priv.h"

#include <stdio.h>

void line(generator *g, const char *fmt, ...) {
  char small[512], *text = small;
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(small, sizeof small, fmt, ap);
  if (n >= (int)sizeof small) {
    text = tp_alloc((size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, again);
  }
  va_end(again);
  va_end(ap);
  for (int i = 0; i < g->indent; i++) tp_str_add(g->out, "  ");
  for (const char *p = text; *p; p++) {
    if (*p == '$' && p[1] == '$') tp_str_add(g->out, g->prefix), p++;   // $$ stands for the prefix of the program
    else tp_str_add_char(g->out, *p);
  }
  tp_str_add_char(g->out, '\n');
  if (text != small) tp_free(text);
}

void fresh_name(generator *g, const char *stem, char *out, size_t size) { snprintf(out, size, "%s%u", stem, g->names++); }
void add_var(generator *g, variable v) { tp_vec_push(&g->vars, v); }

// ----------------------------------------------------------------- declarations

void struct_initialiser(generator *g, int s, tp_str *out) {
  const structure *st = &g->structs[s];
  tp_str_add(out, "{");
  for (unsigned i = 0; i < st->n; i++) {
    const field *f = &st->f[i];
    tp_str_printf(out, "%s.%s = ", i ? ", " : "", f->name);
    if (f->nested >= 0) struct_initialiser(g, f->nested, out);
    else if (f->type >= N_INTS) tp_str_printf(out, "%s%u.5", chance(g, 2) ? "-" : "", (unsigned)below(g, 100));
    else if (f->len) {
      tp_str_add(out, "{");
      random_literal(g, f->type, out);
      tp_str_add(out, "}");
    } else {
      tp_str_printf(out, "(%s)", type_name(f->type));
      random_literal(g, f->type, out);
    }
  }
  tp_str_add(out, "}");
}

void initialiser(generator *g, const variable *v, tp_str *out) {
  unsigned n = v->kind == V_ARRAY ? v->len : v->kind == V_MATRIX ? v->len * v->len2 : 1;
  if (v->kind == V_STRUCT) {
    struct_initialiser(g, v->structure, out);
    return;
  }
  if (v->kind == V_UNION) {
    tp_str_printf(out, "{.all = %lluULL}", (unsigned long long)tp_rng_next(&g->rng));
    return;
  }
  if (v->kind != V_SCALAR) tp_str_add(out, "{");
  for (unsigned i = 0; i < n && (i == 0 || !chance(g, 6)); i++) {
    if (i) tp_str_add(out, ", ");
    if (v->kind == V_MATRIX && i % v->len2 == 0) tp_str_printf(out, "[%u] = {", i / v->len2);
    if (v->type >= N_INTS) tp_str_printf(out, "%u.75", (unsigned)below(g, 50));
    else random_literal(g, v->type, out);
    if (v->kind == V_MATRIX) {
      tp_str_add(out, "}");
      i += v->len2 - 1;
    }
  }
  if (v->kind != V_SCALAR) tp_str_add(out, "}");
}

static void declare(generator *g, const char *storage, const variable *v) {
  tp_str init = {0}, dims = {0}, name = {0};
  initialiser(g, v, &init);
  if (v->kind == V_ARRAY || v->kind == V_MATRIX) tp_str_printf(&dims, "[%u]", v->len);
  if (v->kind == V_MATRIX) tp_str_printf(&dims, "[%u]", v->len2);
  if (v->kind == V_STRUCT) tp_str_printf(&name, "struct $$s%d", v->structure);
  else tp_str_add(&name, v->kind == V_UNION ? "union $$u" : type_name(v->type));
  line(g, "%s%s %s%s = %s;", storage, tp_str_text(&name), v->name, tp_str_text(&dims), tp_str_text(&init));
  tp_str_clear(&init);
  tp_str_clear(&dims);
  tp_str_clear(&name);
}

static variable random_variable(generator *g, const char *stem) {
  static const var_kind kinds[] = {V_SCALAR, V_SCALAR, V_SCALAR, V_SCALAR, V_ARRAY, V_ARRAY, V_MATRIX, V_STRUCT, V_STRUCT, V_UNION};
  variable v = {.kind = kinds[below(g, sizeof kinds / sizeof *kinds)], .type = (ctype)below(g, N_SCALARS)};
  fresh_name(g, stem, v.name, sizeof v.name);
  v.len = 2u << below(g, 3);
  v.len2 = 2u << below(g, 2);
  if (v.kind == V_STRUCT && !g->n_structs) v.kind = V_SCALAR;
  v.structure = g->n_structs ? (int)below(g, g->n_structs) : -1;
  if (v.kind == V_UNION) v.type = T_ULLONG;
  return v;
}

/* The address of something with an address, whose type becomes the pointer's. */
static bool declare_pointer(generator *g) {
  for (int tries = 0; tries < 10 && g->vars.n; tries++) {
    const variable t = g->vars.at[below(g, g->vars.n)];
    variable p = {.kind = V_POINTER, .type = t.type, .structure = t.structure, .fixed = false};
    fresh_name(g, "p", p.name, sizeof p.name);
    if (t.fixed || t.is_volatile) continue;
    if (t.kind == V_SCALAR) line(g, "%s *%s = &%s;", type_name(t.type), p.name, t.name);
    else if (t.kind == V_ARRAY) {
      expr i = int_expr(g, 1);
      line(g, "%s *%s = %s + (%s & %u);", type_name(t.type), p.name, t.name, tp_str_text(&i.text), t.len - 1);
      tp_str_clear(&i.text);
    } else if (t.kind == V_STRUCT) {
      p.kind = V_STRUCT_POINTER;
      line(g, "struct $$s%d *%s = &%s;", t.structure, p.name, t.name);
    } else {
      continue;
    }
    add_var(g, p);
    return true;
  }
  return false;
}

void declare_locals(generator *g, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (chance(g, 4) && declare_pointer(g)) continue;
    variable v = random_variable(g, "v");
    v.is_volatile = chance(g, 15);
    declare(g, v.is_volatile ? "volatile " : chance(g, 12) ? "static " : "", &v);
    add_var(g, v);
  }
}

// -------------------------------------------------------------------- assigning

static void assign_int(generator *g) {
  expr to;
  unsigned bits;
  if (!int_place(g, TO_WRITE, &to, &bits)) return;
  tp_str value = {0};
  ctype t = to.type;
  switch (bits || t == T_BOOL ? 0 : below(g, 6)) {
    case 1:
      if (!type_is_signed(t)) {
        static const char *const ops[] = {"+=", "-=", "*=", "^=", "|=", "&="};
        bool narrow = t < T_INT;                               // computed in int: keep the operand small
        size_t op = below(g, narrow ? 2 : 6);
        int_as(g, t, 2, &value);
        line(g, "%s %s (%s)(%s);", tp_str_text(&to.text), ops[op], narrow ? "unsigned char" : type_name(t), tp_str_text(&value));
        break;
      }
      // fall through
    case 2:
      if (!type_is_signed(t) || t < T_INT) {
        line(g, "%s%s;", tp_str_text(&to.text), chance(g, 2) ? "++" : "--");
        break;
      }
      // fall through
    case 3:
      if (!type_is_signed(t) && t >= T_INT) {
        int_as(g, T_UCHAR, 1, &value);
        line(g, "%s %s ((%s) & %u);", tp_str_text(&to.text), chance(g, 2) ? "<<=" : ">>=", tp_str_text(&value), type_bits(g, t) - 1);
        break;
      }
      // fall through
    default:
      int_as(g, t, 3, &value);
      line(g, "%s = %s;", tp_str_text(&to.text), tp_str_text(&value));
  }
  tp_str_clear(&value);
  tp_str_clear(&to.text);
}

/* Floats in variables stay small: the next expression counts on it. */
static void assign_float(generator *g) {
  expr to;
  if (!float_place(g, TO_WRITE, &to)) return;
  expr e = float_expr(g, 2);
  char t[16];
  fresh_name(g, "t", t, sizeof t);
  line(g, "{");
  line(g, "  %s %s = %s;", type_name(to.type), t, tp_str_text(&e.text));
  line(g, "  %s = %s > -1000000 && %s < 1000000 ? %s : 0.5f;", tp_str_text(&to.text), t, t, t);
  line(g, "}");
  tp_str_clear(&e.text);
  tp_str_clear(&to.text);
}

static void assign_struct(generator *g) {
  const variable *to = pick_var(g, V_STRUCT, TO_WRITE);
  if (!to) return;
  for (size_t i = 0; i < g->vars.n; i++) {
    const variable *from = &g->vars.at[i];
    if (from->structure != to->structure || from == to) continue;
    if (from->kind == V_STRUCT_POINTER && chance(g, 2)) {
      line(g, "%s = *%s;", to->name, from->name);
      return;
    }
    if (from->kind == V_STRUCT && chance(g, 2)) {
      line(g, "%s = %s;", to->name, from->name);
      return;
    }
  }
  tp_str init = {0};
  struct_initialiser(g, to->structure, &init);
  line(g, "%s = (struct $$s%d)%s;", to->name, to->structure, tp_str_text(&init));
  tp_str_clear(&init);
}

static void move_pointer(generator *g) {
  const variable *p = pick_var(g, V_POINTER, TO_WRITE);
  if (!p) return;
  for (const variable *t = g->vars.at; t < p; t++) {           // declared before the pointer
    if (t->fixed || t->is_volatile || t->type != p->type || chance(g, 2)) continue;
    if (t->kind == V_ARRAY) {
      expr i = int_expr(g, 1);
      line(g, "%s = &%s[%s & %u];", p->name, t->name, tp_str_text(&i.text), t->len - 1);
      line(g, "$$mix((unsigned long long)(%s - %s));", p->name, t->name);
      tp_str_clear(&i.text);
    } else if (t->kind == V_SCALAR) {
      line(g, "if (%s != &%s) %s = &%s;", p->name, t->name, p->name, t->name);
    } else {
      continue;
    }
    return;
  }
}

static void mix(generator *g) {
  expr e = int_expr(g, 2);
  line(g, "$$mix((unsigned long long)%s);", tp_str_text(&e.text));
  tp_str_clear(&e.text);
}

// ---------------------------------------------------------------------- control

void block(generator *g, unsigned n) {
  size_t mark = g->vars.n;
  g->indent++;
  if (chance(g, 3)) declare_locals(g, 1 + (unsigned)below(g, 2));
  for (unsigned i = 0; i < n; i++) statement(g);
  g->indent--;
  g->vars.n = mark;
}

static void if_statement(generator *g) {
  expr c = condition(g, 2);
  expr t = {0};
  unsigned bits;
  if (chance(g, 4) && int_place(g, TO_WRITE, &t, &bits) && !bits && t.type == T_UINT)
    line(g, "if (%s && (%s += 3, %s > 7)) {", tp_str_text(&c.text), tp_str_text(&t.text), tp_str_text(&t.text));
  else line(g, "if (%s) {", tp_str_text(&c.text));
  block(g, 1 + (unsigned)below(g, 3));
  if (chance(g, 2)) {
    line(g, "} else {");
    block(g, 1 + (unsigned)below(g, 2));
  }
  line(g, "}");
  tp_str_clear(&c.text);
  tp_str_clear(&t.text);
}

static void loop(generator *g) {
  if (g->loops >= 2) return;
  variable i = {.kind = V_SCALAR, .type = chance(g, 2) ? T_INT : chance(g, 2) ? T_UINT : T_UCHAR, .fixed = true, .structure = -1};
  fresh_name(g, "i", i.name, sizeof i.name);
  unsigned n = 1 + (unsigned)below(g, 9);
  size_t mark = g->vars.n;
  expr c = condition(g, 1);
  uint64_t form = below(g, 3);
  g->loops++;
  if (form == 0) line(g, "for (%s %s = 0; %s < %u && $$fuel; %s++) {", type_name(i.type), i.name, i.name, n, i.name);
  else line(g, "{ %s %s = %u;", type_name(i.type), i.name, form == 1 ? n : 0);
  if (form == 1) line(g, "while (%s-- > 0 && $$fuel) {", i.name);
  if (form == 2) line(g, "do {");
  add_var(g, i);
  line(g, "  if ($$fuel) $$fuel--;");
  block(g, 1 + (unsigned)below(g, 3));
  if (chance(g, 3)) line(g, "  if (%s) %s;", tp_str_text(&c.text), chance(g, 2) || form == 2 ? "break" : "continue");
  if (chance(g, 3)) block(g, 1);
  line(g, form == 2 ? "} while (++%s < %u && $$fuel); }" : form == 1 ? "} }" : "}", i.name, n);
  g->loops--;
  g->vars.n = mark;
  tp_str_clear(&c.text);
}

static void switch_statement(generator *g) {
  expr e = int_expr(g, 2);
  if (type_bits(g, e.type) < 32 || chance(g, 2)) line(g, "switch (%s & 7) {", tp_str_text(&e.text));
  else line(g, "switch ((int)(%s %% 5)) {", tp_str_text(&e.text));
  unsigned n = 2 + (unsigned)below(g, 4);
  for (unsigned k = 0; k < n; k++) {
    if (k == n - 1 && chance(g, 2)) line(g, "default: {");
    else line(g, chance(g, 8) ? "case %u: case %u: {" : "case %u: {", 2 * k, 2 * k + 1);
    block(g, 1 + (unsigned)below(g, 2));
    line(g, chance(g, 3) ? "}" : "} break;");
  }
  line(g, "}");
  tp_str_clear(&e.text);
}

static void forward_goto(generator *g) {
  char label[16];
  fresh_name(g, "L", label, sizeof label);
  expr c = condition(g, 2);
  line(g, "if (%s) goto %s;", tp_str_text(&c.text), label);
  line(g, "{");
  block(g, 1 + (unsigned)below(g, 2));
  line(g, "}");
  line(g, "%s:;", label);
  tp_str_clear(&c.text);
}

// ------------------------------------------------------------------------ calls

void call_to(generator *g, unsigned callee, tp_str *out) {
  const function *f = &g->functions[callee];
  tp_str_printf(out, "$$f%u(", callee);
  for (unsigned i = 0; i < f->n_params; i++) {
    if (i) tp_str_add(out, ", ");
    const variable *v = NULL;
    switch (f->kind[i]) {
      case P_INT: int_as(g, f->type[i], 2, out); break;
      case P_DOUBLE: {
        expr e = float_expr(g, 0);
        tp_str_add(out, tp_str_text(&e.text));
        tp_str_clear(&e.text);
        break;
      }
      case P_STRUCT:
      case P_STRUCT_POINTER: {
        const char *lead = f->kind[i] == P_STRUCT ? "" : "&";
        for (size_t k = 0; k < g->vars.n && !v; k++)
          if (g->vars.at[k].kind == V_STRUCT && !g->vars.at[k].is_volatile && g->vars.at[k].structure == f->structure[i] &&
              chance(g, 2)) v = &g->vars.at[k];
        if (v) tp_str_printf(out, "%s%s", lead, v->name);
        else tp_str_printf(out, "%s$$g_s%d", lead, f->structure[i]);
        break;
      }
      case P_ARRAY:
        for (size_t k = 0; k < g->vars.n && !v; k++)
          if (g->vars.at[k].kind == V_ARRAY && !g->vars.at[k].fixed && !g->vars.at[k].is_volatile && g->vars.at[k].type == f->type[i] &&
              g->vars.at[k].len >= 4 && chance(g, 2))
            v = &g->vars.at[k];
        if (v) tp_str_add(out, v->name);
        else tp_str_printf(out, "$$g_a%d", (int)f->type[i]);
        break;
    }
  }
  tp_str_add(out, ")");
}

static void call_statement(generator *g) {
  if (!g->n_functions) return;
  unsigned callee = (unsigned)below(g, g->n_functions);
  const function *f = &g->functions[callee];
  tp_str call = {0};
  call_to(g, callee, &call);
  const variable *to = f->result < 0 ? pick_var(g, V_STRUCT, TO_WRITE) : pick_var(g, V_SCALAR, TO_WRITE);
  if (f->result < 0 && (!to || to->structure != -1 - f->result)) to = NULL;
  if (to && f->result >= 0 && (ctype)f->result >= N_INTS && to->type < N_INTS) to = NULL;
  if (to && f->result >= 0 && (ctype)f->result < N_INTS && to->type >= N_INTS) to = NULL;
  if (to) line(g, "%s = %s;", to->name, tp_str_text(&call));
  else if (f->result >= 0) line(g, "$$mix((unsigned long long)(long long)%s);", tp_str_text(&call));
  else line(g, "(void)%s;", tp_str_text(&call));
  tp_str_clear(&call);
}

void statement(generator *g) {
  if (g->budget == 0) return;
  g->budget--;
  switch (below(g, 20)) {
    case 0: case 1: case 2: case 3: case 4: assign_int(g); break;
    case 5: case 6: assign_float(g); break;
    case 7: case 8: if_statement(g); break;
    case 9: case 10: loop(g); break;
    case 11: switch_statement(g); break;
    case 12: call_statement(g); break;
    case 13: assign_struct(g); break;
    case 14: move_pointer(g); break;
    case 15: forward_goto(g); break;
    case 16: case 17: set_piece(g); break;
    default: mix(g); break;
  }
}

// --------------------------------------------------------------------- checksum

static void mix_struct(generator *g, const char *name, int s) {
  const structure *st = &g->structs[s];
  for (unsigned i = 0; i < st->n; i++) {
    char path[96];
    snprintf(path, sizeof path, "%s.%s", name, st->f[i].name);
    if (st->f[i].nested >= 0) {
      mix_struct(g, path, st->f[i].nested);
    } else if (st->f[i].type >= N_INTS) {
      line(g, "$$mix((unsigned long long)(long long)(%s * 16));", path);
    } else if (st->f[i].len) {
      line(g, "for (int j = 0; j < %u; j++) $$mix((unsigned long long)%s[j]);", st->f[i].len, path);
    } else {
      line(g, "$$mix((unsigned long long)%s);", path);
    }
  }
}

void mix_everything(generator *g, size_t first_var) {
  for (size_t i = first_var; i < g->vars.n; i++) {
    const variable v = g->vars.at[i];
    const char *scale = v.type >= N_INTS ? "(long long)(16 * " : "(";
    switch (v.kind) {
      case V_SCALAR: line(g, "$$mix((unsigned long long)%s%s));", scale, v.name); break;
      case V_POINTER: line(g, "$$mix((unsigned long long)%s*%s));", scale, v.name); break;
      case V_ARRAY:
        line(g, "for (int j = 0; j < %u; j++) $$mix((unsigned long long)%s%s[j]));", v.len, scale, v.name);
        break;
      case V_MATRIX:
        line(g, "for (int j = 0; j < %u; j++) $$mix((unsigned long long)%s%s[j / %u][j %% %u]));", v.len * v.len2, scale, v.name, v.len2, v.len2);
        break;
      case V_STRUCT: mix_struct(g, v.name, v.structure); break;
      case V_UNION: line(g, "$$mix(%s.all);", v.name); break;
      case V_STRUCT_POINTER: break;
    }
  }
}
