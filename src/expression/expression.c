/* A recursive-descent parser of C expressions: binary operators by precedence climbing, each step
 * evaluated by expression/c_value.h. An opening parenthesis starts a cast exactly if a type name
 * follows, as in C; names of the program win over names of types. */
#include "expression/expression.h"

#include "exec/input_text.h"
#include "expression/expression_limits.h"
#include "expression/pure_function.h"
#include "expression/scope.h"

#include <ctype.h>
#include <stdio.h>

typedef struct {
  const tp_program *p;
  tp_loc at;
  const char *text, *next;
  uint32_t depth;
  tp_expression_error *error;
} reader;

static tp_status fail_at(reader *r, const char *where, const char *fmt, ...) TP_PRINTF(3, 4);
static tp_status fail_at(reader *r, const char *where, const char *fmt, ...) {
  char message[2 * TP_EXPRESSION_NAME_CHARACTERS];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  r->error->column = (uint32_t)(where - r->text) + 1;
  tp_str_add(&r->error->why, message);
  return TP_ERR_INPUT;
}

/* A step of expression/c_value.h that went wrong at `where`: its own words are in error->why. */
static tp_status step(reader *r, const char *where, tp_status st) {
  if (st != TP_OK) r->error->column = (uint32_t)(where - r->text) + 1;
  return st;
}

// ----------------------------------------------------------------------- words

static void skip_space(reader *r) {
  while (isspace((unsigned char)*r->next)) r->next++;
}

/* The operator `op` comes next, and is not the beginning of a longer one. */
static bool is_next(reader *r, const char *op) {
  static const char *const longer[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++",
                                       "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
  skip_space(r);
  size_t n = strlen(op);
  if (strncmp(r->next, op, n) != 0) return false;
  for (size_t i = 0; n == 1 && i < sizeof longer / sizeof *longer; i++)
    if (strncmp(r->next, longer[i], 2) == 0) return false;
  return true;
}

static bool accept(reader *r, const char *op) {
  if (!is_next(r, op)) return false;
  r->next += strlen(op);
  return true;
}

/* What stands at `next`, for messages: one word or one character. */
static tp_status expected(reader *r, const char *what) {
  skip_space(r);
  int n = 1;
  if (isalnum((unsigned char)*r->next) || *r->next == '_')
    while (n < 40 && (isalnum((unsigned char)r->next[n]) || r->next[n] == '_')) n++;
  if (!*r->next) return fail_at(r, r->next, "expected %s at the end", what);
  return fail_at(r, r->next, "expected %s before '%.*s'", what, n, r->next);
}

static tp_status demand(reader *r, const char *op) {
  char quoted[8] = {'\'', op[0], '\'', 0};
  return accept(r, op) ? TP_OK : expected(r, quoted);
}

static bool starts_name(const reader *r) {
  return isalpha((unsigned char)*r->next) || *r->next == '_';
}

/* A word at `next`, without moving on; its length, 0: none. */
static size_t peek_name(reader *r, char name[TP_EXPRESSION_NAME_CHARACTERS + 1]) {
  skip_space(r);
  size_t n = 0;
  if (!starts_name(r)) return 0;
  while (isalnum((unsigned char)r->next[n]) || r->next[n] == '_') n++;
  if (n > TP_EXPRESSION_NAME_CHARACTERS) return 0;
  memcpy(name, r->next, n);
  name[n] = 0;
  return n;
}

static bool accept_name(reader *r, const char *word) {
  char name[TP_EXPRESSION_NAME_CHARACTERS + 1];
  size_t n = peek_name(r, name);
  if (n == 0 || strcmp(name, word) != 0) return false;
  r->next += n;
  return true;
}

// ----------------------------------------------------------------------- types

/* Words like "unsigned long int", in any order. */
static bool read_basic_type(reader *r, tp_c_type *out) {
  unsigned longs = 0, shorts = 0, chars = 0, unsigneds = 0, words = 0;
  for (;; words++) {
    if (accept_name(r, "long"))
      longs++;
    else if (accept_name(r, "short"))
      shorts++;
    else if (accept_name(r, "char"))
      chars++;
    else if (accept_name(r, "unsigned"))
      unsigneds++;
    else if (accept_name(r, "signed") || accept_name(r, "int"))
      continue;
    else if (accept_name(r, "__int128"))
      longs += 3;
    else if (words == 0 && accept_name(r, "_Bool"))
      return *out = (tp_c_type){TP_T_BOOL, 1, false, TP_TYPE_NONE}, true;
    else if (words == 0 && accept_name(r, "float"))
      return *out = (tp_c_type){TP_T_FLOAT, 32, true, TP_TYPE_NONE}, true;
    else if (words == 0 && accept_name(r, "double"))
      return *out = (tp_c_type){TP_T_FLOAT, 64, true, TP_TYPE_NONE}, true;
    else if (words == 0 && accept_name(r, "void"))
      return *out = (tp_c_type){TP_T_VOID, 0, false, TP_TYPE_NONE}, true;
    else
      break;
  }
  uint32_t width = chars        ? 8
                   : shorts     ? 16
                   : longs >= 3 ? 128
                   : longs == 2 ? 64
                   : longs == 1 ? r->p->ptr_bits
                                : 32;
  *out = tp_c_type_int(width, unsigneds == 0);
  return words > 0;
}

static bool read_named_type(reader *r, tp_c_type *out) {
  char name[TP_EXPRESSION_NAME_CHARACTERS + 1], full[TP_EXPRESSION_NAME_CHARACTERS + 16];
  const char *start = r->next;
  const char *tag = accept_name(r, "struct")  ? "struct "
                    : accept_name(r, "union") ? "union "
                    : accept_name(r, "enum")  ? "enum "
                                              : "";
  size_t n = peek_name(r, name);
  bool is_object = !*tag && n && tp_scope_find(r->p, r->at, name).kind != TP_NAME_UNKNOWN;
  tp_type type = TP_TYPE_NONE;
  if (n && !is_object) {
    snprintf(full, sizeof full, "%s%s", tag, name);
    type = tp_scope_type(r->p, full);
  }
  if (type.id == 0) {
    r->next = start;
    return false;
  }
  r->next += n;
  *out = tp_c_type_of(r->p, type);
  return true;
}

static bool is_same_type(const tp_program *p, tp_type t, tp_c_type c) {
  tp_c_type own = tp_c_type_of(p, t);
  if (c.type.id && c.kind != TP_T_POINTER) return c.type.id == t.id;
  return own.kind == c.kind && own.width == c.width && own.is_signed == c.is_signed &&
         (c.kind != TP_T_POINTER || own.type.id == c.type.id);
}

/* The program's type that is this one; NONE if there is none, and for void. */
static tp_type program_type(const tp_program *p, tp_c_type c) {
  for (uint32_t i = 1; c.kind != TP_T_VOID && i < p->types.n; i++)
    if (is_same_type(p, (tp_type){i}, c)) return (tp_type){i};
  return TP_TYPE_NONE;
}

/* A type name; false and nothing read if none comes next. */
static bool read_type(reader *r, tp_c_type *out) {
  skip_space(r);
  const char *start = r->next;
  while (accept_name(r, "const") || accept_name(r, "volatile")) continue;
  if (!read_basic_type(r, out) && !read_named_type(r, out)) {
    r->next = start;
    return false;
  }
  for (;;) {
    if (accept_name(r, "const") || accept_name(r, "volatile")) continue;
    if (!accept(r, "*")) return true;
    tp_type to = program_type(r->p, *out);
    *out = (tp_c_type){TP_T_POINTER, r->p->ptr_bits, false, to};
  }
}

// -------------------------------------------------------------------- primaries

static tp_status read_conditional(reader *r, tp_c_value *out);
static tp_status read_unary(reader *r, tp_c_value *out);

/* C 6.4.4.1: the first of the allowed types that holds the value. */
static tp_c_type type_of_integer(const tp_program *p, uint64_t value, bool is_decimal, bool has_u,
                                 unsigned longs) {
  uint32_t widths[] = {32, p->ptr_bits, 64};
  for (unsigned i = longs; i < 3; i++) {
    uint64_t most = widths[i] == 32 ? UINT32_MAX : UINT64_MAX;
    if (!has_u && value <= most / 2) return tp_c_type_int(widths[i], true);
    if ((has_u || !is_decimal) && value <= most) return tp_c_type_int(widths[i], false);
  }
  return tp_c_type_int(64, false);
}

static tp_status read_number(reader *r, tp_c_value *out) {
  const char *start = r->next;
  bool is_hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
  size_t n = 0;
  while (isalnum((unsigned char)start[n]) || start[n] == '.' ||
         (n && (start[n] == '+' || start[n] == '-') && strchr(is_hex ? "pP" : "eE", start[n - 1])))
    n++;
  size_t digits = n;
  while (digits > 1 && strchr("uUlLfF", start[digits - 1]) &&
         (!is_hex || (start[digits - 1] != 'f' && start[digits - 1] != 'F')))
    digits--;
  bool is_word = isalpha((unsigned char)start[digits - 1]) && !is_hex;
  tp_input in = {0};
  if (is_word || !tp_literal_parse(start, n, &in)) return expected(r, "a number");
  r->next += n;
  if (in.is_float) {
    *out = tp_c_value_of(r->p, (tp_c_type){TP_T_FLOAT, in.width_bits, true, TP_TYPE_NONE},
                         tp_mk_fp(r->p->terms, in.width_bits, (uint64_t)in.bits));
    return TP_OK;
  }
  bool has_u = false;
  unsigned longs = 0;
  for (size_t i = n; i > 0 && strchr("uUlL", start[i - 1]); i--) {
    has_u = has_u || start[i - 1] == 'u' || start[i - 1] == 'U';
    longs += start[i - 1] == 'l' || start[i - 1] == 'L';
  }
  if (in.bits > UINT64_MAX) return fail_at(r, start, "the number is too large");
  tp_c_type type = type_of_integer(r->p, (uint64_t)in.bits, start[0] != '0' || n == 1, has_u,
                                   longs > 2 ? 2 : longs);
  *out = tp_c_value_of(r->p, type, tp_mk_bv(r->p->terms, type.width, in.bits));
  return TP_OK;
}

static tp_status read_character(reader *r, tp_c_value *out) {
  const char *end = r->next + 1;
  while (*end && *end != '\'') end += end[0] == '\\' && end[1] ? 2 : 1;
  tp_input in = {0};
  if (*end != '\'' || !tp_literal_parse(r->next, (size_t)(end + 1 - r->next), &in))
    return expected(r, "a character");
  r->next = end + 1;
  *out = tp_c_value_of(r->p, tp_c_type_int(32, true), tp_mk_bv(r->p->terms, 32, in.bits));
  return TP_OK;
}

/* object_size(p) and its like: ghosts of the object that p leads to. */
static bool ask_object(reader *r, const char *name, tp_c_value a, tp_c_value *out) {
  tp_terms *tt = r->p->terms;
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, a.value);
  tp_c_type size = tp_c_type_int(r->p->ptr_bits, false);
  if (strcmp(name, "object_size") == 0)
    *out = tp_c_value_of(r->p, size,
                         tp_mk2(tt, TP_OP_SELECT, tp_var_of(r->p, r->p->ghost_size)->term, object));
  else if (strcmp(name, "object_offset") == 0)
    *out = tp_c_value_of(r->p, size, tp_mk1(tt, TP_OP_PTR_OFF, a.value));
  else if (strcmp(name, "object_live") == 0)
    *out = tp_c_value_of(r->p, (tp_c_type){TP_T_BOOL, 1, false, TP_TYPE_NONE},
                         tp_mk2(tt, TP_OP_SELECT, tp_var_of(r->p, r->p->ghost_live)->term, object));
  else if (strcmp(name, "object_kind") == 0)
    *out = tp_c_value_of(r->p, tp_c_type_int(8, false),
                         tp_mk2(tt, TP_OP_SELECT, tp_var_of(r->p, r->p->ghost_kind)->term, object));
  else if (strcmp(name, "object_of") == 0)
    *out = tp_c_value_of(r->p, tp_c_type_int(TP_OBJ_BITS, false), object);
  else
    return false;
  out->defined = a.defined;
  return true;
}

static bool is_object_question(const char *name) {
  static const char *const names[] = {"object_size", "object_offset", "object_live", "object_kind",
                                      "object_of"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static tp_status read_arguments(reader *r, tp_c_value *arguments, uint32_t *n) {
  *n = 0;
  if (accept(r, ")")) return TP_OK;
  do {
    const char *where = r->next;
    if (*n == TP_EXPRESSION_ARGUMENTS) return fail_at(r, where, "too many arguments");
    TP_TRY(read_conditional(r, &arguments[*n]));
    TP_TRY(step(r, where, tp_c_value_load(r->p, &arguments[(*n)++], &r->error->why)));
  } while (accept(r, ","));
  return demand(r, ")");
}

static tp_status read_call(reader *r, const char *where, const char *name, tp_c_value *out) {
  tp_c_value arguments[TP_EXPRESSION_ARGUMENTS];
  uint32_t n;
  TP_TRY(read_arguments(r, arguments, &n));
  if (is_object_question(name)) {
    if (n != 1 || arguments[0].type.kind != TP_T_POINTER)
      return fail_at(r, where, "%s wants one pointer", name);
    (void)ask_object(r, name, arguments[0], out);
    return TP_OK;
  }
  tp_func f = tp_scope_function(r->p, name);
  if (f.id == 0 || !tp_func_of(r->p, f)->has_body)
    return fail_at(r, where, "no function '%s' in the program", name);
  return step(r, where, tp_pure_call(r->p, f, arguments, n, out, &r->error->why));
}

static tp_status read_name(reader *r, tp_c_value *out) {
  char name[TP_EXPRESSION_NAME_CHARACTERS + 1];
  size_t n = peek_name(r, name);
  const char *where = r->next;
  if (n == 0) return expected(r, "an expression");
  r->next += n;
  if (accept(r, "(")) return read_call(r, where, name, out);
  const tp_program *p = r->p;
  tp_terms *tt = p->terms;
  tp_name_meaning m = tp_scope_find(p, r->at, name);
  if (m.kind == TP_NAME_STATIC) {
    tp_type type = p->statics.at[m.object].type;
    if (type.id == 0) return fail_at(r, where, "the type of '%s' is not known", name);
    *out =
        tp_c_value_at(p, tp_c_type_of(p, type), tp_mk_ptr_const(tt, m.object, 0), tp_mk_true(tt));
    return TP_OK;
  }
  if (m.kind == TP_NAME_VAR) {
    const tp_var_info *v = tp_var_of(p, m.var);
    if (v->type.id == 0) return fail_at(r, where, "the type of '%s' is not known", name);
    tp_c_type type = tp_c_type_of(p, v->type);
    *out = v->is_address ? tp_c_value_at(p, type, v->term, tp_mk_true(tt))
                         : tp_c_value_of(p, type, v->term);
    return TP_OK;
  }
  if (strcmp(name, "NULL") == 0) {
    *out = tp_c_value_of(p, (tp_c_type){TP_T_POINTER, p->ptr_bits, false, TP_TYPE_NONE},
                         tp_mk_null(tt));
    return TP_OK;
  }
  if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0) {
    *out = tp_c_value_of(p, (tp_c_type){TP_T_BOOL, 1, false, TP_TYPE_NONE},
                         tp_mk_bool(tt, name[0] == 't'));
    return TP_OK;
  }
  const tp_loc_info *l = r->at.id ? tp_loc_of(p, r->at) : NULL;
  return fail_at(r, where, "no variable '%s'%s%s", name, l && l->func.id ? " in " : "",
                 l && l->func.id ? tp_func_of(p, l->func)->name : "");
}

static tp_status read_primary(reader *r, tp_c_value *out) {
  skip_space(r);
  if (accept(r, "(")) {
    TP_TRY(read_conditional(r, out));
    return demand(r, ")");
  }
  if (isdigit((unsigned char)*r->next) || (r->next[0] == '.' && isdigit((unsigned char)r->next[1])))
    return read_number(r, out);
  if (*r->next == '\'') return read_character(r, out);
  return read_name(r, out);
}

// -------------------------------------------------------------------- operators

static tp_status read_member(reader *r, bool through_pointer, tp_c_value *value) {
  char name[TP_EXPRESSION_NAME_CHARACTERS + 1];
  size_t n = peek_name(r, name);
  const char *where = r->next;
  if (n == 0) return expected(r, "the name of a member");
  r->next += n;
  if (through_pointer) TP_TRY(step(r, where, tp_c_unary(r->p, '*', *value, value, &r->error->why)));
  return step(r, where, tp_c_member(r->p, *value, name, value, &r->error->why));
}

static tp_status read_postfix(reader *r, tp_c_value *out) {
  TP_TRY(read_primary(r, out));
  for (;;) {
    const char *where = r->next;
    if (accept(r, "[")) {
      tp_c_value index;
      TP_TRY(read_conditional(r, &index));
      TP_TRY(demand(r, "]"));
      TP_TRY(step(r, where, tp_c_binary_of(r->p, TP_C_ADD, *out, index, out, &r->error->why)));
      TP_TRY(step(r, where, tp_c_unary(r->p, '*', *out, out, &r->error->why)));
    } else if (accept(r, "->")) {
      TP_TRY(read_member(r, true, out));
    } else if (is_next(r, ".")) {
      r->next++;
      TP_TRY(read_member(r, false, out));
    } else if (is_next(r, "++") || is_next(r, "--")) {
      return fail_at(r, r->next, "an expression here must not change anything");
    } else {
      return TP_OK;
    }
  }
}

static uint64_t size_of(const tp_program *p, tp_c_type t) {
  if (t.kind == TP_T_POINTER) return p->ptr_bits / 8;
  if (t.kind == TP_T_BOOL) return 1;
  if (t.kind == TP_T_INT || t.kind == TP_T_FLOAT) return t.width / 8;
  return t.type.id ? tp_type_of(p, t.type)->size_bytes : 0;
}

static tp_status read_sizeof(reader *r, tp_c_value *out) {
  const char *where = r->next;
  tp_c_type type;
  bool in_parentheses = accept(r, "(");
  if (in_parentheses && read_type(r, &type)) {
    TP_TRY(demand(r, ")"));
  } else {
    if (in_parentheses) r->next = where;
    TP_TRY(read_unary(r, out));
    type = out->type;
  }
  uint64_t size = size_of(r->p, type);
  if (size == 0) return fail_at(r, where, "the size of this type is not known");
  *out = tp_c_value_of(r->p, tp_c_type_int(r->p->ptr_bits, false),
                       tp_mk_bv(r->p->terms, r->p->ptr_bits, size));
  return TP_OK;
}

/* (type) unary; false: no type name follows the parenthesis, nothing was read. */
static bool read_cast(reader *r, tp_c_value *out, tp_status *st) {
  const char *where = r->next;
  tp_c_type to;
  if (!accept(r, "(")) return false;
  if (!read_type(r, &to)) {
    r->next = where;
    return false;
  }
  *st = demand(r, ")");
  if (*st == TP_OK) *st = read_unary(r, out);
  if (*st == TP_OK) *st = step(r, where, tp_c_cast(r->p, to, *out, out, &r->error->why));
  return true;
}

static tp_status read_unary_step(reader *r, tp_c_value *out) {
  static const char *const operators[] = {"!", "~", "-", "+", "*", "&"};
  tp_status st;
  skip_space(r);
  const char *where = r->next;
  if (is_next(r, "++") || is_next(r, "--"))
    return fail_at(r, where, "an expression here must not change anything");
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (accept(r, operators[i])) {
      TP_TRY(read_unary(r, out));
      return step(r, where, tp_c_unary(r->p, operators[i][0], *out, out, &r->error->why));
    }
  if (accept_name(r, "sizeof")) return read_sizeof(r, out);
  if (read_cast(r, out, &st)) return st;
  return read_postfix(r, out);
}

static tp_status read_unary(reader *r, tp_c_value *out) {
  if (++r->depth > TP_EXPRESSION_LEVELS)
    return fail_at(r, r->next, "the expression is nested too deeply");
  tp_status st = read_unary_step(r, out);
  r->depth--;
  return st;
}

static const struct {
  const char *text;
  tp_c_binary op;
  int precedence;
} binaries[] = {{"||", TP_C_OR_OR, 1}, {"&&", TP_C_AND_AND, 2}, {"|", TP_C_OR, 3},
                {"^", TP_C_XOR, 4},    {"&", TP_C_AND, 5},      {"==", TP_C_EQ, 6},
                {"!=", TP_C_NE, 6},    {"<=", TP_C_LE, 7},      {">=", TP_C_GE, 7},
                {"<<", TP_C_SHL, 8},   {">>", TP_C_SHR, 8},     {"<", TP_C_LT, 7},
                {">", TP_C_GT, 7},     {"+", TP_C_ADD, 9},      {"-", TP_C_SUB, 9},
                {"*", TP_C_MUL, 10},   {"/", TP_C_DIV, 10},     {"%", TP_C_REM, 10}};
enum { N_BINARIES = sizeof binaries / sizeof *binaries };

static tp_status read_binary(reader *r, int least, tp_c_value *out) {
  TP_TRY(read_unary(r, out));
  for (;;) {
    size_t i = 0;
    while (i < N_BINARIES && !(binaries[i].precedence >= least && is_next(r, binaries[i].text)))
      i++;
    if (i == N_BINARIES) return TP_OK;
    skip_space(r);
    const char *where = r->next;
    r->next += strlen(binaries[i].text);
    tp_c_value right;
    TP_TRY(read_binary(r, binaries[i].precedence + 1, &right));
    TP_TRY(step(r, where, tp_c_binary_of(r->p, binaries[i].op, *out, right, out, &r->error->why)));
  }
}

static tp_status read_conditional(reader *r, tp_c_value *out) {
  if (++r->depth > TP_EXPRESSION_LEVELS)
    return fail_at(r, r->next, "the expression is nested too deeply");
  TP_TRY(read_binary(r, 1, out));
  const char *where = r->next;
  if (accept(r, "?")) {
    tp_c_value a, b;
    TP_TRY(read_conditional(r, &a));
    TP_TRY(demand(r, ":"));
    TP_TRY(read_conditional(r, &b));
    TP_TRY(step(r, where, tp_c_conditional(r->p, *out, a, b, out, &r->error->why)));
  }
  r->depth--;
  return TP_OK;
}

tp_status tp_expression_read(const tp_program *p, tp_loc at, const char *text, tp_c_value *out,
                             tp_expression_error *error) {
  TP_REQUIRE(text && out && error);
  reader r = {.p = p, .at = at, .text = text, .next = text, .error = error};
  TP_TRY(read_conditional(&r, out));
  skip_space(&r);
  if (is_next(&r, "=") || (*r.next && r.next[1] == '='))
    return fail_at(&r, r.next, "an expression here must not change anything");
  return *r.next ? expected(&r, "an operator or the end") : TP_OK;
}

tp_status tp_predicate_read(const tp_program *p, tp_loc at, const char *text, tp_term *out,
                            tp_expression_error *error) {
  TP_REQUIRE(text && out && error);
  tp_c_value v;
  TP_TRY(tp_expression_read(p, at, text, &v, error));
  error->column = 1;
  TP_TRY(tp_c_condition(p, v, &v, &error->why));
  *out = tp_mk_and(p->terms, v.defined, v.value);
  return TP_OK;
}
