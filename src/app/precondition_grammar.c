/* Comparisons of numbers of different types are written so that C's conversions change nothing:
 * as long long, or, where one has 64 bits without sign, behind a test of the sign. */
#include "app/precondition_grammar.h"

#include "app/app_limits.h"
#include "app/environment_priv.h"

#include <inttypes.h>

// ---------------------------------------------------------------------- numbers

typedef struct {
  const tp_environment *w;
  tp_precondition_numbers *out;
  bool has_null;
} lister;

static void list_value(const lister *l, tp_type type, const char *lvalue, uint32_t pointers,
                       bool is_parameter);

static void list_members(const lister *l, tp_type type, const char *path, uint32_t pointers) {
  const tp_type_info *t = tp_env_type(l->w, type);
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    const tp_type_info *of_member = tp_env_type(l->w, m->type);
    if (!m->name[0] && of_member->kind == TP_T_STRUCT) list_members(l, m->type, path, pointers);
    if (!m->name[0]) continue;
    const char *lvalue = tp_arena_printf(l->w->arena, "%s%s", path, m->name);
    if (m->width_bits && tp_env_is_integer(l->w, m->type))
      tp_vec_push(l->out,
                  ((tp_precondition_number){
                      .text = lvalue, .is_signed = of_member->is_signed, .bits = m->width_bits}));
    else
      list_value(l, m->type, lvalue, pointers, false);
  }
}

/* What a pointer leads to counts only where the environment never makes it null. */
static void list_pointer(const lister *l, tp_type type, const char *lvalue, uint32_t pointers,
                         bool is_parameter) {
  const tp_type element = tp_env_type(l->w, type)->element;
  const bool may_be_null = l->has_null || (!is_parameter && tp_env_leads_to_itself(l->w, element));
  if (may_be_null)
    tp_vec_push(l->out, ((tp_precondition_number){.text = lvalue, .is_pointer = true}));
  if (may_be_null || pointers == 0 || !element.id) return;
  const tp_type_info *e = tp_env_type(l->w, element);
  if (e->kind == TP_T_STRUCT && e->size_bytes > 0)
    list_members(l, element, tp_arena_printf(l->w->arena, "%s->", lvalue), pointers - 1);
  else if (is_parameter && e->kind == TP_T_INT && e->size_bytes > 1)
    list_value(l, element, tp_arena_printf(l->w->arena, "*%s", lvalue), 0, false);
}

static void list_value(const lister *l, tp_type type, const char *lvalue, uint32_t pointers,
                       bool is_parameter) {
  const tp_type_info *t = type.id ? tp_env_type(l->w, type) : NULL;
  if (!t || l->out->n >= TP_APP_PRECONDITION_NUMBERS) return;
  const bool is_number =
      (t->kind == TP_T_INT || t->kind == TP_T_ENUM || t->kind == TP_T_BOOL) && t->size_bytes <= 8;
  if (is_number)
    tp_vec_push(l->out, ((tp_precondition_number){.text = lvalue,
                                                  .is_signed = t->is_signed,
                                                  .is_parameter = is_parameter,
                                                  .bits = (uint32_t)t->size_bytes * 8}));
  else if (t->kind == TP_T_POINTER)
    list_pointer(l, type, lvalue, pointers, is_parameter);
  else if (t->kind == TP_T_STRUCT)
    list_members(l, type, tp_arena_printf(l->w->arena, "%s.", lvalue), pointers);
}

void tp_precondition_list_numbers(const tp_program *p, tp_func f, bool has_null, tp_arena *arena,
                                  tp_precondition_numbers *out) {
  TP_REQUIRE(p && f.id && f.id < p->funcs.n && arena && out);
  const tp_environment_options options = {.has_null = has_null};
  const tp_environment w = {
      .p = p, .f = &p->funcs.at[f.id], .number = f, .o = &options, .arena = arena};
  if (!w.f->type.id) return;
  const lister l = {&w, out, has_null};
  for (uint32_t i = 0; i < tp_env_type(&w, w.f->type)->n_params; i++)
    list_value(&l, tp_env_param(&w, i), tp_env_name_of(&w, i), TP_APP_PRECONDITION_POINTERS, true);
}

// ------------------------------------------------------------------------- text

static bool is_word(const tp_precondition_number *a) { return a->bits == 64 && !a->is_signed; }

/* Does C compare the two as they are? What is narrower than int becomes int. */
static bool is_plain(const tp_precondition_number *a, const tp_precondition_number *b) {
  const bool a_fits = a->bits < 32 || a->is_signed, b_fits = b->bits < 32 || b->is_signed;
  return a_fits == b_fits || (!a->is_signed && !b->is_signed);
}

/* op: "<=", "<", ">", ">=". */
static const char *compare(tp_arena *arena, const tp_precondition_number *a, const char *op,
                           const tp_precondition_number *b) {
  if (is_plain(a, b)) return tp_arena_printf(arena, "%s %s %s", a->text, op, b->text);
  const bool is_less = op[0] == '<';
  if (is_word(b))  // a has a sign
    return tp_arena_printf(arena,
                           is_less ? "(%s < 0 || (unsigned long long)%s %s %s)"
                                   : "(%s >= 0 && (unsigned long long)%s %s %s)",
                           a->text, a->text, op, b->text);
  if (is_word(a))
    return tp_arena_printf(arena,
                           is_less ? "(%s >= 0 && %s %s (unsigned long long)%s)"
                                   : "(%s < 0 || %s %s (unsigned long long)%s)",
                           b->text, a->text, op, b->text);
  return tp_arena_printf(arena, "(long long)%s %s %s", a->text, op, b->text);
}

/* As a number of 128 bits, in which no sum and no product of two wraps. */
static const char *wide(tp_arena *arena, const tp_precondition_number *a, const char *op,
                        const tp_precondition_number *b, const char *relation,
                        const tp_precondition_number *c) {
  return tp_arena_printf(arena, "(__int128)%s %s %s %s %s", a->text, op, b->text, relation,
                         c->text);
}

/* Sums and products of what is narrower than 64 bits fit into long long. */
static const char *combine(tp_arena *arena, const tp_precondition_number *a, const char *op,
                           const tp_precondition_number *b, const char *relation,
                           const tp_precondition_number *c) {
  if (a->bits == 64 || b->bits == 64 || c->bits == 64) return wide(arena, a, op, b, relation, c);
  return tp_arena_printf(arena, "(long long)%s %s %s %s %s", a->text, op, b->text, relation,
                         c->text);
}

// ------------------------------------------------------------------- conditions

typedef struct {
  const tp_precondition_numbers *numbers;
  tp_arena *arena;
  tp_condition_list *out;
} builder;

static void add(const builder *b, tp_condition c) {
  if (b->out->n < TP_APP_PRECONDITION_CONDITIONS) tp_vec_push(b->out, c);
}

static void add_constant(const builder *b, uint32_t a, int64_t k, uint32_t cost) {
  const tp_precondition_number *x = &b->numbers->at[a];
  const int64_t least =
                    x->is_signed ? (x->bits >= 64 ? INT64_MIN : -(INT64_C(1) << (x->bits - 1))) : 0,
                most = x->bits >= 64 ? INT64_MAX : (INT64_C(1) << (x->bits - x->is_signed)) - 1;
  if (k < most && k >= least)
    add(b, (tp_condition){.kind = TP_CONDITION_AT_MOST,
                          .a = a,
                          .k = k,
                          .cost = cost,
                          .text = tp_arena_printf(b->arena, "%s <= %" PRId64, x->text, k),
                          .failed = tp_arena_printf(b->arena, "%s > %" PRId64, x->text, k)});
  if (k > least && k <= most)
    add(b, (tp_condition){.kind = TP_CONDITION_AT_LEAST,
                          .a = a,
                          .k = k,
                          .cost = cost,
                          .text = tp_arena_printf(b->arena, "%s >= %" PRId64, x->text, k),
                          .failed = tp_arena_printf(b->arena, "%s < %" PRId64, x->text, k)});
}

/* Each number with constants: those of the program, and limits beyond which sums and products of
 * their type wrap. */
static void add_unary(const builder *b, uint32_t a, const int64_t *constants, size_t n_constants) {
  static const int64_t ladder[] = {0,       1,       2,       4,       16,
                                   64,      127,     255,     32767,   1 << 16,
                                   1 << 20, 1 << 24, 1 << 28, 1 << 30, INT64_C(1) << 40};
  static const int64_t multiples[] = {2, 4, 8, 16};
  const tp_precondition_number *x = &b->numbers->at[a];
  add(b, (tp_condition){.kind = TP_CONDITION_IS_NOT_ZERO,
                        .a = a,
                        .cost = 1,
                        .text = tp_arena_printf(b->arena, "%s != 0", x->text),
                        .failed = tp_arena_printf(b->arena, "%s == 0", x->text)});
  if (x->is_pointer) return;
  for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++)
    add_constant(b, a, ladder[i], ladder[i] == 0 ? 2 : 8);
  for (size_t i = 0; i < n_constants; i++) {
    add_constant(b, a, constants[i], 5);
    add_constant(b, a, constants[i] - 1, 5);
  }
  for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++)
    add(b,
        (tp_condition){
            .kind = TP_CONDITION_IS_MULTIPLE,
            .a = a,
            .k = multiples[i],
            .cost = 20,
            .text = tp_arena_printf(b->arena, "%s %% %" PRId64 " == 0", x->text, multiples[i]),
            .failed = tp_arena_printf(b->arena, "%s %% %" PRId64 " != 0", x->text, multiples[i])});
}

static void add_binary(const builder *b, uint32_t a, uint32_t other) {
  const tp_precondition_number *x = &b->numbers->at[a], *y = &b->numbers->at[other];
  const uint32_t cost = x->is_parameter || y->is_parameter ? 2 : 3;
  add(b, (tp_condition){.kind = TP_CONDITION_LE,
                        .a = a,
                        .b = other,
                        .cost = cost,
                        .text = compare(b->arena, x, "<=", y),
                        .failed = compare(b->arena, x, ">", y)});
  add(b, (tp_condition){.kind = TP_CONDITION_LT,
                        .a = a,
                        .b = other,
                        .cost = cost,
                        .text = compare(b->arena, x, "<", y),
                        .failed = compare(b->arena, x, ">=", y)});
}

static void add_ternary(const builder *b, uint32_t a, uint32_t other, uint32_t c) {
  const tp_precondition_number *x = &b->numbers->at[a], *y = &b->numbers->at[other],
                               *z = &b->numbers->at[c];
  add(b, (tp_condition){.kind = TP_CONDITION_SUM_LE,
                        .a = a,
                        .b = other,
                        .c = c,
                        .cost = 5,
                        .text = combine(b->arena, x, "+", y, "<=", z),
                        .failed = combine(b->arena, x, "+", y, ">", z)});
  if (is_word(x) && is_word(y)) return;  // the product of two such numbers has no type
  add(b, (tp_condition){.kind = TP_CONDITION_PRODUCT_LE,
                        .a = a,
                        .b = other,
                        .c = c,
                        .cost = 10,
                        .text = combine(b->arena, x, "*", y, "<=", z),
                        .failed = combine(b->arena, x, "*", y, ">", z)});
}

void tp_precondition_list_conditions(const tp_precondition_numbers *numbers,
                                     const int64_t *constants, size_t n_constants, tp_arena *arena,
                                     tp_condition_list *out) {
  TP_REQUIRE(numbers && arena && out);
  const builder b = {numbers, arena, out};
  const uint32_t n = (uint32_t)numbers->n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      if (i != k && !numbers->at[i].is_pointer && !numbers->at[k].is_pointer) add_binary(&b, i, k);
  for (uint32_t i = 0; i < n; i++) add_unary(&b, i, constants, n_constants);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++)
      for (uint32_t c = 0; c < n; c++)
        if (c != i && c != k && !numbers->at[i].is_pointer && !numbers->at[k].is_pointer &&
            !numbers->at[c].is_pointer)
          add_ternary(&b, i, k, c);
}

bool tp_condition_holds(const tp_condition *c, const tp_i128 *values) {
  TP_REQUIRE(c && values);
  const tp_i128 a = values[c->a];
  switch (c->kind) {
    case TP_CONDITION_LE: return a <= values[c->b];
    case TP_CONDITION_LT: return a < values[c->b];
    case TP_CONDITION_AT_MOST: return a <= c->k;
    case TP_CONDITION_AT_LEAST: return a >= c->k;
    case TP_CONDITION_IS_NOT_ZERO: return a != 0;
    case TP_CONDITION_IS_MULTIPLE: return a % c->k == 0;
    // numbers have 64 bits at most: neither the sum nor the product wraps
    case TP_CONDITION_SUM_LE: return a + values[c->b] <= values[c->c];
    case TP_CONDITION_PRODUCT_LE: return a * values[c->b] <= values[c->c];
  }
  return false;
}
