/* The skeleton of a program: types, globals, helpers, functions, the run. */
#include "gen_priv.h"

#include <stdio.h>

// ----------------------------------------------------------------------- types

static field random_field(generator *g, unsigned i, int below_struct) {
  field f = {.type = (ctype)below(g, N_SCALARS), .nested = -1};
  snprintf(f.name, sizeof f.name, "m%u", i % 10);
  switch (below(g, 8)) {
    case 0:
      f.type = random_int_type(g);
      f.len = 2u << below(g, 2);
      break;
    case 1:
    case 2:
      f.type = chance(g, 2) ? T_INT : T_UINT;
      f.bits = 1 + (unsigned)below(g, 20);
      break;
    case 3:
      if (below_struct > 0) f.nested = (int)below(g, (uint64_t)below_struct);
      break;
    default: break;
  }
  return f;
}

static void make_structs(generator *g) {
  g->n_structs = 1 + (unsigned)below(g, MOST_STRUCTS);
  for (unsigned s = 0; s < g->n_structs; s++) {
    structure *st = &g->structs[s];
    st->n = 1 + (unsigned)below(g, 6);
    line(g, "struct $$s%u {", s);
    for (unsigned i = 0; i < st->n; i++) {
      field *f = &st->f[i];
      *f = random_field(g, i, (int)s);
      if (f->nested >= 0) line(g, "  struct $$s%d %s;", f->nested, f->name);
      else if (f->bits) line(g, "  %s %s : %u;", f->type == T_INT ? "signed int" : "unsigned int", f->name, f->bits);
      else if (f->len) line(g, "  %s %s[%u];", type_name(f->type), f->name, f->len);
      else line(g, "  %s %s;", type_name(f->type), f->name);
    }
    line(g, "};");
  }
}

// --------------------------------------------------------------------- globals

static void make_globals(generator *g) {
  line(g, "unsigned long long checksum_%s = 1;", g->prefix + 1);
  line(g, "static unsigned $$fuel = 1200;");
  piece_helpers(g);
  line(g, "static unsigned long long $$g_word = 0x123456789abcdefULL;");
  for (unsigned t = 0; t < N_INTS; t++) line(g, "static %s $$g_a%u[4] = {1, 0, 1};", type_name((ctype)t), t);
  for (unsigned s = 0; s < g->n_structs; s++) {
    tp_str init = {0};
    struct_initialiser(g, (int)s, &init);
    line(g, "static struct $$s%u $$g_s%u = %s;", s, s, tp_str_text(&init));
    tp_str_clear(&init);
    variable v = {.kind = V_STRUCT, .type = T_INT, .structure = (int)s};
    snprintf(v.name, sizeof v.name, "$$g_s%u", s);
    add_var(g, v);
  }
  for (unsigned i = 0, n = 2 + (unsigned)below(g, 4); i < n; i++) {
    variable v = {.kind = chance(g, 2) ? V_SCALAR : V_ARRAY, .type = (ctype)below(g, N_SCALARS), .structure = -1};
    v.len = 4u << below(g, 2);
    snprintf(v.name, sizeof v.name, "$$g%u", i);
    v.fixed = chance(g, 5);
    tp_str init = {0};
    initialiser(g, &v, &init);
    const char *lead = v.fixed ? "static const " : chance(g, 3) ? "" : "static ";
    if (v.kind == V_ARRAY) line(g, "%s%s %s[%u] = %s;", lead, type_name(v.type), v.name, v.len, tp_str_text(&init));
    else line(g, "%s%s %s = %s;", lead, type_name(v.type), v.name, tp_str_text(&init));
    tp_str_clear(&init);
    add_var(g, v);
  }
}

// ------------------------------------------------------------------- functions

static function random_function(generator *g) {
  function f = {.result = (int)below(g, N_SCALARS), .n_params = (unsigned)below(g, 5)};
  if (chance(g, 4)) f.result = -1 - (int)below(g, g->n_structs);
  for (unsigned i = 0; i < f.n_params; i++) {
    f.kind[i] = (param_kind)below(g, 5);
    f.type[i] = f.kind[i] == P_DOUBLE ? T_DOUBLE : random_int_type(g);
    f.structure[i] = (int)below(g, g->n_structs);
  }
  return f;
}

static void open_function(generator *g, unsigned number, const function *f) {
  tp_str params = {0}, result = {0};
  for (unsigned i = 0; i < f->n_params; i++) {
    variable v = {.kind = V_SCALAR, .type = f->type[i], .structure = f->structure[i], .len = 4};
    snprintf(v.name, sizeof v.name, "a%u", i);
    const char *type = type_name(f->type[i]);
    if (i) tp_str_add(&params, ", ");
    switch (f->kind[i]) {
      case P_INT:
      case P_DOUBLE: tp_str_printf(&params, "%s %s", type, v.name); break;
      case P_STRUCT: tp_str_printf(&params, "struct $$s%d %s", v.structure, v.name), v.kind = V_STRUCT; break;
      case P_ARRAY: tp_str_printf(&params, "%s %s[]", type, v.name), v.kind = V_ARRAY; break;
      case P_STRUCT_POINTER: tp_str_printf(&params, "struct $$s%d *%s", v.structure, v.name), v.kind = V_STRUCT_POINTER; break;
    }
    add_var(g, v);
  }
  if (f->result < 0) tp_str_printf(&result, "struct $$s%d", -1 - f->result);
  else tp_str_add(&result, type_name((ctype)f->result));
  line(g, "static %s $$f%u(%s) {", tp_str_text(&result), number, f->n_params ? tp_str_text(&params) : "void");
  tp_str_clear(&params);
  tp_str_clear(&result);
}

static void return_from(generator *g, const function *f) {
  if (f->result < 0) {
    const variable *v = NULL;
    for (size_t i = g->vars.n; i-- > 0 && !v;)
      if (g->vars.at[i].kind == V_STRUCT && g->vars.at[i].structure == -1 - f->result) v = &g->vars.at[i];
    line(g, "return %s;", v->name);                            // there is a global of each
  } else if ((ctype)f->result >= N_INTS) {
    expr e = float_expr(g, 0);
    line(g, "return %s;", tp_str_text(&e.text));
    tp_str_clear(&e.text);
  } else {
    tp_str value = {0};
    int_as(g, (ctype)f->result, 2, &value);
    line(g, "return %s;", tp_str_text(&value));
    tp_str_clear(&value);
  }
}

static void make_function(generator *g) {
  function f = random_function(g);
  size_t mark = g->vars.n;
  open_function(g, g->n_functions, &f);
  g->indent = 1;
  g->budget = 8 + (unsigned)below(g, 14);
  line(g, "if ($$fuel) $$fuel--;");
  declare_locals(g, 2 + (unsigned)below(g, 3));
  for (unsigned i = 0, n = 2 + (unsigned)below(g, 5); i < n; i++) statement(g);
  if (chance(g, 3)) {
    expr c = condition(g, 1);
    line(g, "if (!$$fuel || %s) {", tp_str_text(&c.text));
    g->indent++;
    return_from(g, &f);
    g->indent--;
    line(g, "}");
    tp_str_clear(&c.text);
    for (unsigned i = 0; i < 3; i++) statement(g);
  }
  mix_everything(g, mark);
  return_from(g, &f);
  g->indent = 0;
  line(g, "}");
  g->vars.n = mark;
  g->functions[g->n_functions++] = f;
}

static void make_run(generator *g) {
  line(g, "static void $$run(void) {");
  g->indent = 1;
  size_t mark = g->vars.n;
  g->budget = 30;
  declare_locals(g, 4);
  for (unsigned i = 0, n = 6 + (unsigned)below(g, 8); i < n; i++) statement(g);
  for (unsigned i = 0; i < g->n_functions; i++) {
    tp_str call = {0};
    call_to(g, i, &call);
    line(g, g->functions[i].result >= 0 ? "$$mix((unsigned long long)(long long)%s);" : "(void)%s;", tp_str_text(&call));
    tp_str_clear(&call);
  }
  (void)mark;
  mix_everything(g, 0);
  g->indent = 0;
  line(g, "}");
}

static void make_program(uint64_t seed, unsigned number, gen_options options, tp_str *out) {
  generator g = {.options = options, .out = out};
  tp_rng_init(&g.rng, seed);
  snprintf(g.prefix, sizeof g.prefix, "p%u_", number);
  tp_str_printf(out, "\n/* seed %llu */\n", (unsigned long long)seed);
  make_structs(&g);
  make_globals(&g);
  for (unsigned i = 0, n = 1 + (unsigned)below(&g, MOST_FUNCTIONS - 1); i < n; i++) make_function(&g);
  make_run(&g);
  tp_vec_clear(&g.vars);
}

void gen_file(uint64_t first, unsigned n, gen_options options, tp_str *out) {
  if (options.with_heap) tp_str_add(out, "void *malloc(__SIZE_TYPE__);\nvoid free(void *);\n");
  for (unsigned i = 0; i < n; i++) make_program(first + i, i, options, out);
  tp_str_add(out, "\n#ifdef NATIVE\nint printf(const char *, ...);\n#define SHOW(n) printf(#n \" %llx\\n\", checksum_##n##_)\n#else\n#define SHOW(n)\n#endif\n");
  tp_str_add(out, "int main(void) {\n");
  for (unsigned i = 0; i < n; i++) tp_str_printf(out, "  p%u_run();\n  SHOW(%u);\n", i, i);
  tp_str_add(out, "  return 0;\n}\n");
}
