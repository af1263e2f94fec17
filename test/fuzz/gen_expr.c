/* Expressions that mean the same everywhere.
 *
 * No expression has a side effect, so the order of evaluation does not matter. Every integer expression carries its C
 * type; an operation is written bare if it cannot go wrong in its common type (unsigned, or narrow operands), else its
 * operands are cast to an unsigned type or cut down by a remainder. Divisors are tested, shift amounts masked, indexes
 * masked by lengths that are powers of two. Floats stay below 1e13 and are never divided by something near zero, so
 * no infinity and no NaN comes up; they become integers only after a test of range. */
#include "gen_priv.h"

static const char *const names[N_SCALARS] = {"_Bool", "signed char", "unsigned char", "short", "unsigned short", "int",
                                             "unsigned", "long", "unsigned long", "long long", "unsigned long long",
                                             "float", "double", "long double"};
const char *type_name(ctype t) { return names[t]; }
bool type_is_signed(ctype t) { return t == T_SCHAR || t == T_SHORT || t == T_INT || t == T_LONG || t == T_LLONG; }
unsigned type_bits(const generator *g, ctype t) {
  static const unsigned bits[N_SCALARS] = {1, 8, 8, 16, 16, 32, 32, 64, 64, 64, 64, 32, 64, 80};
  return t == T_LONG || t == T_ULONG ? g->options.long_bits : bits[t];
}
ctype random_int_type(generator *g) { return (ctype)below(g, N_INTS); }

static unsigned rank(ctype t) { return t <= T_INT ? (unsigned)T_INT : (unsigned)(t - !type_is_signed(t)); }
static ctype promote(ctype t) { return t < T_INT ? T_INT : t; }
static ctype as_unsigned(ctype t) { return type_is_signed(t) ? (ctype)(t + 1) : t; }

/* The usual arithmetic conversions. */
static ctype common(const generator *g, ctype a, ctype b) {
  a = promote(a);
  b = promote(b);
  if (rank(a) < rank(b)) {
    ctype t = a;
    a = b;
    b = t;
  }
  if (!type_is_signed(a) || type_is_signed(b)) return a;
  if (rank(a) == rank(b)) return b;
  return type_bits(g, a) > type_bits(g, b) ? a : as_unsigned(a);
}

static expr text_of(ctype t, const char *text) {
  expr e = {.type = t};
  tp_str_add(&e.text, text);
  return e;
}

static void join(expr *e, const char *fmt, const tp_str *a, const tp_str *b) {
  for (const char *p = fmt; *p; p++) {
    if (*p == '@') tp_str_add(&e->text, tp_str_text(a));
    else if (*p == '$') tp_str_add(&e->text, tp_str_text(b));
    else tp_str_add_char(&e->text, *p);
  }
}

static void drop(expr *e) { tp_str_clear(&e->text); }

/* ((T)(text)) in place */
static void cast(expr *e, ctype t) {
  tp_str s = {0};
  tp_str_printf(&s, "((%s)%s)", names[t], tp_str_text(&e->text));
  tp_str_clear(&e->text);
  e->text = s;
  e->type = t;
}

void random_literal(generator *g, ctype t, tp_str *out) {
  static const char *const suffix[N_INTS] = {"", "", "", "", "", "", "u", "L", "UL", "LL", "ULL"};
  unsigned bits = type_bits(g, t);
  uint64_t v = tp_rng_next(&g->rng);
  switch (below(g, 4)) {
    case 0: v = below(g, 10); break;
    case 1: v = below(g, 256); break;
    case 2: v = (uint64_t)1 << below(g, bits); break;
    default: break;
  }
  if (bits < 64) v &= ((uint64_t)1 << bits) - 1;
  if (type_is_signed(t)) v &= ~(uint64_t)0 >> (65 - bits);     // no minus sign, no surprise
  tp_str_printf(out, "%llu%s", (unsigned long long)v, suffix[t]);
}

// ----------------------------------------------------------------------- places

const variable *pick_var(generator *g, var_kind kind, place_use use) {
  for (int tries = 0; tries < 12 && g->vars.n; tries++) {
    const variable *v = &g->vars.at[below(g, g->vars.n)];
    if (v->kind == kind && !(use == TO_WRITE && v->fixed)) return v;
  }
  return NULL;
}

static void index_into(generator *g, unsigned len, tp_str *out) {
  if (g->in_index) {                                           // no indexes within indexes
    tp_str_printf(out, "[%u]", (unsigned)below(g, len));
    return;
  }
  g->in_index = true;
  expr i = int_expr(g, chance(g, 2));
  tp_str_printf(out, "[%s & %u]", tp_str_text(&i.text), len - 1);
  drop(&i);
  g->in_index = false;
}

/* A member of struct s of the wanted class, from the text of the struct on. */
static bool member_place(generator *g, int s, bool want_float, expr *out, unsigned *bits) {
  for (int depth = 0; depth < 3; depth++) {
    const structure *st = &g->structs[s];
    const field *f = &st->f[below(g, st->n)];
    tp_str_printf(&out->text, ".%s", f->name);
    if (f->nested >= 0) {
      s = f->nested;
      continue;
    }
    if (f->len) index_into(g, f->len, &out->text);
    out->type = f->type;
    *bits = f->bits;
    return want_float == (f->type >= N_INTS);
  }
  return false;
}

static bool try_place(generator *g, place_use use, bool want_float, expr *out, unsigned *bits) {
  const variable *v = &g->vars.at[below(g, g->vars.n)];
  *out = (expr){.type = v->type};
  *bits = 0;
  if (use == TO_WRITE && v->fixed) return false;
  bool is_float = v->type >= N_INTS;
  switch (v->kind) {
    case V_SCALAR: tp_str_add(&out->text, v->name); return is_float == want_float;
    case V_POINTER: tp_str_printf(&out->text, "(*%s)", v->name); return is_float == want_float;
    case V_ARRAY:
      tp_str_add(&out->text, v->name);
      index_into(g, v->len, &out->text);
      return is_float == want_float;
    case V_MATRIX:
      tp_str_add(&out->text, v->name);
      index_into(g, v->len, &out->text);
      index_into(g, v->len2, &out->text);
      return is_float == want_float;
    case V_UNION: {
      static const struct { const char *text; ctype type; unsigned len; } views[] = {
          {"all", T_ULLONG, 0}, {"bytes", T_UCHAR, 8}, {"halves", T_SHORT, 4}, {"pair.lo", T_INT, 0}, {"pair.hi", T_UINT, 0}};
      size_t k = below(g, sizeof views / sizeof *views);
      tp_str_printf(&out->text, "%s.%s", v->name, views[k].text);
      if (views[k].len) index_into(g, views[k].len, &out->text);
      out->type = views[k].type;
      return !want_float;
    }
    case V_STRUCT: tp_str_add(&out->text, v->name); return member_place(g, v->structure, want_float, out, bits);
    case V_STRUCT_POINTER:
      tp_str_printf(&out->text, "(*%s)", v->name);
      return member_place(g, v->structure, want_float, out, bits);
  }
  return false;
}

bool int_place(generator *g, place_use use, expr *out, unsigned *bits) {
  for (int tries = 0; tries < 15 && g->vars.n; tries++) {
    if (try_place(g, use, false, out, bits)) return true;
    drop(out);
  }
  return false;
}

bool float_place(generator *g, place_use use, expr *out) {
  unsigned bits;
  for (int tries = 0; tries < 15 && g->vars.n; tries++) {
    if (try_place(g, use, true, out, &bits)) return true;
    drop(out);
  }
  return false;
}

// --------------------------------------------------------------------- integers

static expr leaf(generator *g) {
  expr e;
  unsigned bits;
  if (!chance(g, 4) && int_place(g, TO_READ, &e, &bits)) {
    if (bits && bits < 32) e.type = T_INT;                     // a bit-field promotes to int
    return e;
  }
  e = (expr){.type = (ctype)(T_INT + below(g, N_INTS - T_INT))};
  random_literal(g, e.type, &e.text);
  return e;
}

/* Cut to a small signed value, so that plain arithmetic has room. */
static void shrink(generator *g, expr *e) {
  tp_str s = {0};
  tp_str_printf(&s, "((int)(%s %% %u))", tp_str_text(&e->text), (unsigned)(7 + below(g, 500)));
  tp_str_clear(&e->text);
  e->text = s;
  e->type = T_INT;
}

static expr arithmetic(generator *g, unsigned depth) {
  static const char *const ops[] = {"(@ + $)", "(@ - $)", "(@ * $)"};
  expr a = int_expr(g, depth - 1), b = int_expr(g, depth - 1);
  size_t op = below(g, 3);
  ctype c = common(g, a.type, b.type);
  bool narrow = a.type < T_INT && b.type < T_INT && (op != 2 || type_bits(g, a.type) + type_bits(g, b.type) < 32);
  if (type_is_signed(c) && !narrow) {
    if (chance(g, 3)) {
      shrink(g, &a);
      shrink(g, &b);
    } else {
      cast(&a, as_unsigned(c));
      if (chance(g, 2)) cast(&b, as_unsigned(c));
    }
  }
  expr e = {.type = common(g, a.type, b.type)};
  join(&e, ops[op], &a.text, &b.text);
  if (!type_is_signed(e.type) && type_is_signed(c) && chance(g, 2)) cast(&e, c);
  drop(&a);
  drop(&b);
  return e;
}

/* a / b and a % b where b is neither 0 nor -1. */
static expr division(generator *g, unsigned depth) {
  expr a = int_expr(g, depth - 1), b = int_expr(g, depth > 1 ? 1 : 0);
  bool rem = chance(g, 2);
  ctype c = common(g, a.type, b.type);
  expr e = {.type = c};
  if (chance(g, 2)) {                                          // a constant
    drop(&b);
    b = (expr){.type = T_INT};
    tp_str_printf(&b.text, "%u", (unsigned)(2 + below(g, 50)));
    e.type = common(g, a.type, T_INT);
    join(&e, rem ? "(@ % $)" : "(@ / $)", &a.text, &b.text);
  } else {
    cast(&a, c);
    cast(&b, c);
    join(&e, type_is_signed(c) ? (rem ? "($ == 0 || $ == -1 ? @ : @ % $)" : "($ == 0 || $ == -1 ? @ : @ / $)")
                               : (rem ? "($ == 0 ? @ : @ % $)" : "($ == 0 ? @ : @ / $)"),
         &a.text, &b.text);
  }
  drop(&a);
  drop(&b);
  return e;
}

static expr bitwise(generator *g, unsigned depth) {
  static const char *const ops[] = {"(@ & $)", "(@ | $)", "(@ ^ $)"};
  expr a = int_expr(g, depth - 1), b = int_expr(g, depth - 1);
  expr e = {.type = common(g, a.type, b.type)};
  join(&e, ops[below(g, 3)], &a.text, &b.text);
  drop(&a);
  drop(&b);
  return e;
}

static expr shift(generator *g, unsigned depth) {
  expr a = int_expr(g, depth - 1), b = int_expr(g, depth > 1 ? 1 : 0);
  bool left = chance(g, 2);
  ctype t = promote(a.type);
  if (left && type_is_signed(t)) cast(&a, t = as_unsigned(t));
  expr e = {.type = t};
  tp_str_printf(&e.text, "(%s %s (%s & %u))", tp_str_text(&a.text), left ? "<<" : ">>", tp_str_text(&b.text),
                type_bits(g, t) - 1);
  drop(&a);
  drop(&b);
  return e;
}

static expr unary(generator *g, unsigned depth) {
  expr a = int_expr(g, depth - 1);
  expr e = {.type = promote(a.type)};
  switch (below(g, 4)) {
    case 0: join(&e, "(~@)", &a.text, NULL); break;
    case 1: join(&e, "(!@)", &a.text, NULL), e.type = T_INT; break;
    case 2:
      if (type_is_signed(e.type) && a.type >= T_INT) cast(&a, as_unsigned(e.type)), e.type = a.type;
      join(&e, "(-@)", &a.text, NULL);
      break;
    default: join(&e, "@", &a.text, NULL), e.type = a.type, cast(&e, random_int_type(g)); break;
  }
  drop(&a);
  return e;
}

static expr conditional(generator *g, unsigned depth) {
  expr c = condition(g, depth - 1), a = int_expr(g, depth - 1), b = int_expr(g, depth - 1);
  expr e = {.type = common(g, a.type, b.type)};
  tp_str_printf(&e.text, "(%s ? %s : %s)", tp_str_text(&c.text), tp_str_text(&a.text), tp_str_text(&b.text));
  drop(&c);
  drop(&a);
  drop(&b);
  return e;
}

static expr of_float(generator *g, unsigned depth) {
  expr f = float_expr(g, depth - 1), e = {.type = T_LLONG};
  join(&e, "((long long)@)", &f.text, NULL);
  drop(&f);
  if (chance(g, 2)) cast(&e, random_int_type(g));
  return e;
}

static expr wide(generator *g, unsigned depth) {
  if (g->options.long_bits != 64) return bitwise(g, depth);
  expr a = int_expr(g, depth - 1), b = int_expr(g, depth - 1), e = {.type = T_ULLONG};
  static const char *const forms[] = {"((unsigned long long)(((unsigned __int128)@ * (unsigned __int128)$) >> 64))",
                                      "((unsigned long long)((__int128)@ >> 3 ^ (__int128)$))",
                                      "((unsigned long long)(((unsigned __int128)@ << 40 | (unsigned char)$) % 1000003u))"};
  join(&e, forms[below(g, 3)], &a.text, &b.text);
  drop(&a);
  drop(&b);
  return e;
}

expr int_expr(generator *g, unsigned depth) {
  if (depth == 0) return leaf(g);
  switch (below(g, 12)) {
    case 0: case 1: case 2: return arithmetic(g, depth);
    case 3: return division(g, depth);
    case 4: case 5: return bitwise(g, depth);
    case 6: return shift(g, depth);
    case 7: return unary(g, depth);
    case 8: return conditional(g, depth);
    case 9: return chance(g, 2) ? condition(g, depth - 1) : of_float(g, depth);
    case 10: return chance(g, 6) ? wide(g, depth) : leaf(g);
    default: return leaf(g);
  }
}

void int_as(generator *g, ctype t, unsigned depth, tp_str *out) {
  expr e = int_expr(g, depth);
  if (chance(g, 3) && t != T_BOOL) tp_str_add(out, tp_str_text(&e.text));          // converted silently
  else tp_str_printf(out, "(%s)%s", names[t], tp_str_text(&e.text));
  drop(&e);
}

expr condition(generator *g, unsigned depth) {
  static const char *const compare[] = {"(@ < $)", "(@ <= $)", "(@ > $)", "(@ >= $)", "(@ == $)", "(@ != $)"};
  expr a, b, e = {.type = T_INT};
  uint64_t k = below(g, 10);
  if (depth > 0 && k < 3) {
    a = condition(g, depth - 1);
    b = condition(g, depth - 1);
    join(&e, k == 0 ? "(@ && $)" : k == 1 ? "(@ || $)" : "(!@ ^ $)", &a.text, &b.text);
  } else if (k == 3) {
    a = float_expr(g, depth ? 1 : 0);
    b = float_expr(g, 0);
    join(&e, compare[below(g, 6)], &a.text, &b.text);
  } else {
    a = int_expr(g, depth);
    b = int_expr(g, depth);
    join(&e, compare[below(g, 6)], &a.text, &b.text);
  }
  drop(&a);
  drop(&b);
  return e;
}

// ----------------------------------------------------------------------- floats

/* Variables hold at most 1e6 in magnitude (statements see to it), integers are cut to 1000: two levels of arithmetic
 * stay far below what float can hold. */
static ctype random_float_type(generator *g) {
  return (ctype)(T_FLOAT + below(g, N_SCALARS - T_FLOAT));
}

static expr float_leaf(generator *g) {
  expr e;
  switch (below(g, 3)) {
    case 0:
      e = text_of(T_DOUBLE, "");
      tp_str_printf(&e.text, "%u.%s", (unsigned)below(g, 300), chance(g, 2) ? "25" : "1");
      e.type = random_float_type(g);
      tp_str_add(&e.text, e.type == T_FLOAT ? "f" : e.type == T_LDOUBLE ? "L" : "");
      return e;
    case 1: {
      expr i = int_expr(g, 1);
      shrink(g, &i);
      e = (expr){.type = random_float_type(g)};
      tp_str_printf(&e.text, "((%s)%s)", names[e.type], tp_str_text(&i.text));
      drop(&i);
      return e;
    }
    default: return float_place(g, TO_READ, &e) ? e : text_of(T_DOUBLE, "0.5");
  }
}

expr float_expr(generator *g, unsigned depth) {
  if (depth == 0) return float_leaf(g);
  if (depth > 2) depth = 2;
  static const char *const ops[] = {"(@ + $)", "(@ - $)", "(@ * $)", "(@ / ($ * $ + 1.0f))", "(-@ + $)", "(@ < $ ? @ : $)"};
  size_t k = below(g, 7);
  expr a = depth == 2 && k != 2 && k != 3 ? float_expr(g, 1) : float_leaf(g), b = float_leaf(g);
  expr e = {.type = a.type > b.type ? a.type : b.type};
  if (k == 6) {
    e.type = random_float_type(g);
    tp_str_printf(&e.text, "((%s)%s)", names[e.type], tp_str_text(&a.text));
  } else {
    join(&e, ops[k], &a.text, &b.text);
  }
  drop(&a);
  drop(&b);
  return e;
}
