/* What an lvalue of a type is filled with: one function of the type, which calls itself for
 * members; and what types and names say about that. */
#include "app/environment_priv.h"

#include "app/app_limits.h"

#include <ctype.h>
#include <stdio.h>

// ---------------------------------------------------------------------- inputs

const char tp_input_declarations[] =
    "extern _Bool __VERIFIER_nondet_bool(void);\nextern char __VERIFIER_nondet_char(void);\n"
    "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
    "extern short __VERIFIER_nondet_short(void);\n"
    "extern unsigned short __VERIFIER_nondet_ushort(void);\n"
    "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n"
    "extern long long __VERIFIER_nondet_longlong(void);\n"
    "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\n"
    "#ifdef __SIZEOF_INT128__\nextern __int128 __VERIFIER_nondet_int128(void);\n"
    "extern unsigned __int128 __VERIFIER_nondet_uint128(void);\n#endif\n"
    "extern float __VERIFIER_nondet_float(void);\nextern double __VERIFIER_nondet_double(void);\n"
    "extern void __VERIFIER_nondet_memory(void *, __SIZE_TYPE__);\n"
    "extern void __VERIFIER_assume(int);\n";

const char *tp_input_function_of(const tp_type_info *t) {
  TP_REQUIRE(t);
  if (t->kind == TP_T_BOOL) return "__VERIFIER_nondet_bool";
  if (t->kind == TP_T_FLOAT)
    return t->size_bytes == 4   ? "__VERIFIER_nondet_float"
           : t->size_bytes == 8 ? "__VERIFIER_nondet_double"
                                : NULL;
  if (t->kind != TP_T_INT && t->kind != TP_T_ENUM) return NULL;
  switch (t->size_bytes) {
    case 1: return t->is_signed ? "__VERIFIER_nondet_char" : "__VERIFIER_nondet_uchar";
    case 2: return t->is_signed ? "__VERIFIER_nondet_short" : "__VERIFIER_nondet_ushort";
    case 4: return t->is_signed ? "__VERIFIER_nondet_int" : "__VERIFIER_nondet_uint";
    case 8: return t->is_signed ? "__VERIFIER_nondet_longlong" : "__VERIFIER_nondet_ulonglong";
    case 16: return t->is_signed ? "__VERIFIER_nondet_int128" : "__VERIFIER_nondet_uint128";
    default: return NULL;
  }
}

// ----------------------------------------------------------------------- types

bool tp_env_is_void(const tp_environment *w, tp_type t) {
  return !t.id || tp_env_type(w, t)->kind == TP_T_VOID;
}

static bool is_number(const tp_type_info *t) {
  return t->kind == TP_T_BOOL || t->kind == TP_T_INT || t->kind == TP_T_ENUM ||
         t->kind == TP_T_FLOAT;
}

bool tp_env_is_integer(const tp_environment *w, tp_type t) {
  return t.id && (tp_env_type(w, t)->kind == TP_T_INT);
}

bool tp_env_is_plain(const tp_environment *w, tp_type type) {
  const tp_type_info *t = tp_env_type(w, type);
  if (t->kind == TP_T_ARRAY) return t->n_elements && tp_env_is_plain(w, t->element);
  for (uint32_t i = 0; tp_env_is_aggregate(t) && i < t->n_members; i++)
    if (!tp_env_is_plain(w, t->members[i].type)) return false;
  return tp_env_is_aggregate(t) || t->kind == TP_T_INT ||
         (t->kind == TP_T_FLOAT && t->size_bytes <= 8);
}

bool tp_env_is_plain_number(const tp_environment *w, tp_type type) {
  return is_number(tp_env_type(w, type)) && tp_env_is_plain(w, type);
}

bool tp_env_is_character(const tp_environment *w, tp_type t) {
  return t.id && tp_env_type(w, t)->is_char;
}

/* One struct may have several entries: by its tag, by names for it. */
static bool is_same_struct(const tp_type_info *a, const tp_type_info *b) {
  bool same = a->kind == b->kind && tp_env_is_aggregate(a) && a->size_bytes == b->size_bytes &&
              a->n_members == b->n_members;
  for (uint32_t i = 0; same && i < a->n_members; i++)
    same = strcmp(a->members[i].name, b->members[i].name) == 0;
  return same;
}

/* Can a value of type `from` be followed to a struct of type `to`, over at most so many pointers?
 */
static bool leads_to(const tp_environment *w, tp_type from, tp_type to, uint32_t depth) {
  const tp_type_info *t = from.id ? tp_env_type(w, from) : NULL;
  if (!t) return false;
  if (t->kind == TP_T_ARRAY) return leads_to(w, t->element, to, depth);
  if (t->kind == TP_T_POINTER)
    return t->element.id && depth > 0 &&
           (is_same_struct(tp_env_type(w, t->element), tp_env_type(w, to)) ||
            leads_to(w, t->element, to, depth - 1));
  for (uint32_t i = 0; tp_env_is_aggregate(t) && i < t->n_members; i++)
    if (leads_to(w, t->members[i].type, to, depth)) return true;
  return false;
}

bool tp_env_leads_to_itself(const tp_environment *w, tp_type t) {
  return t.id && tp_env_is_aggregate(tp_env_type(w, t)) && leads_to(w, t, t, TP_APP_ENTRY_POINTERS);
}

/* How many structs of this type are around what is written now. */
static uint32_t n_around(const tp_environment *w, tp_type t) {
  uint32_t n = 0;
  for (size_t i = 0; i < w->path.n; i++)
    n += is_same_struct(tp_env_type(w, w->path.at[i]), tp_env_type(w, t));
  return n;
}

// ----------------------------------------------------------------------- names

void tp_env_assume(tp_environment *w, const char *fmt, ...) {
  char text[500];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  for (size_t i = 0; i < w->assumptions->n; i++)
    if (strcmp(w->assumptions->at[i], text) == 0) return;
  tp_vec_push(w->assumptions, tp_arena_strdup(w->arena, text));
}

bool tp_env_is_count_name(const char *name) {
  static const char *const words[] = {"n",     "len",   "length", "size", "sz",       "count",
                                      "cnt",   "num",   "nr",     "cap",  "capacity", "bytes",
                                      "nelem", "nmemb", "total",  "max",  "nbytes",   "slen"};
  const size_t length = strlen(name);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const size_t n = strlen(words[i]);
    if (length < n || strcasecmp(name + length - n, words[i]) != 0) continue;
    if (length == n || name[length - n - 1] == '_') return true;
    if (n > 2) return true;                                     // buflen, datasize
    if (isupper((unsigned char)name[length - n])) return true;  // arrN
  }
  return strncasecmp(name, "n_", 2) == 0 || strncasecmp(name, "num_", 4) == 0;
}

bool tp_env_is_capacity_name(const char *name) {
  static const char *const words[] = {"cap", "alloc", "max", "limit"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(name, words[i])) return true;
  return false;
}

void tp_env_begin(tp_environment *w, uint32_t indent) {
  for (uint32_t i = 0; i < indent; i++) tp_str_add(&w->text, "  ");
}

/* Does a pointer to the type need parentheses in its declaration? */
static bool needs_parentheses(const tp_environment *w, tp_type t) {
  return t.id && (tp_env_type(w, t)->kind == TP_T_FUNCTION ||
                  (tp_env_type(w, t)->kind == TP_T_ARRAY && strchr(tp_env_type(w, t)->name, '[')));
}

const char *tp_env_declared(const tp_environment *w, tp_type type, const char *name) {
  if (!type.id) return tp_arena_printf(w->arena, "void %s", name);
  const tp_type_info *t = tp_env_type(w, type);
  if (t->kind == TP_T_POINTER && strpbrk(t->name, "*(")) {
    const bool is_inside = needs_parentheses(w, t->element);
    return tp_env_declared(w, t->element,
                           tp_arena_printf(w->arena, is_inside ? "(*%s)" : "*%s", name));
  }
  if (t->kind == TP_T_ARRAY && strchr(t->name, '['))
    return tp_env_declared(
        w, t->element,
        tp_arena_printf(w->arena, "%s[%llu]", name, (unsigned long long)t->n_elements));
  if (t->kind == TP_T_FUNCTION) {
    const char *text = tp_arena_printf(w->arena, "%s(", name);
    for (uint32_t i = 0; i < t->n_params; i++)
      text = tp_arena_printf(
          w->arena, "%s%s%s", text, i ? ", " : "",
          tp_env_declared(w, t->params[i], tp_arena_printf(w->arena, "a%u", i + 1)));
    text = tp_arena_printf(w->arena, "%s%s)", text,
                           t->n_params == 0 ? "void"
                           : t->is_variadic ? ", ..."
                                            : "");
    return tp_env_declared(w, t->element, text);
  }
  return tp_arena_printf(w->arena, "%s %s", t->name, name);
}

// --------------------------------------------------------------------- filling

/* Objects of the environment stay reachable, whatever the function does with pointers to them: what
 * is lost then is the function's own. In a loop there are several of one place. */
static void keep(tp_environment *w, const char *lvalue, uint32_t indent) {
  if (w->twins) return;  // they are listed
  tp_env_begin(w, indent);
  if (w->n_loops) {
    tp_str_printf(
        &w->text,
        "if (n_others < sizeof others / sizeof *others) others[n_others++] = (void *)%s;\n",
        lvalue);
    w->has_others = true;
  } else {
    tp_str_printf(&w->text, "kept[%u] = (void *)%s;\n", w->n_kept++, lvalue);
  }
}

/* Where the text of an lvalue has the prefix of the first copy, it gets that of the second. */
const char *tp_environment_other(tp_arena *arena, const char *lvalue) {
  const char *at = strstr(lvalue, TP_ENV_NEW);
  if (!at) return lvalue;
  return tp_arena_printf(arena, "%.*s%s%s", (int)(at - lvalue), lvalue, TP_ENV_OLD,
                         at + strlen(TP_ENV_NEW));
}

const char *tp_env_twin(const tp_environment *w, const char *lvalue) {
  return tp_environment_other(w->arena, lvalue);
}

void tp_env_note_draw(tp_environment *w, tp_env_draw_kind kind, const char *lvalue, tp_type type) {
  if (!w->twins) return;
  uint32_t line = 1;
  for (size_t i = 0; i < w->text.n; i++) line += w->text.text[i] == '\n';
  tp_vec_push(&w->twins->draws, (tp_env_draw){kind, line, tp_env_shown(w, lvalue), type});
}

/* The second copy gets what the first one has. */
static void copy_to_twin(tp_environment *w, const char *lvalue, uint32_t indent) {
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s;\n", tp_env_twin(w, lvalue), lvalue);
}

static void copy_bytes_to_twin(tp_environment *w, const char *address, const char *size,
                               uint32_t indent) {
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__builtin_memcpy(%s, %s, %s);\n", tp_env_twin(w, address), address,
                size);
}

/* The object that has just been made, in both copies. */
static void list_twin(tp_environment *w, const char *variable, tp_type element, const char *n,
                      uint32_t indent) {
  if (!w->twins) return;
  tp_env_twins *t = w->twins;
  const bool is_in_table = w->n_loops > 0;
  const char *size = NULL;
  if (is_in_table) {
    t->has_table = true;
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "twoproof_list(%zu, %s, %s, %s);\n", t->objects.n, variable,
                  tp_env_twin(w, variable), n ? n : "1");
    size = n ? "twoproof_others[twoproof_k].n" : NULL;
  } else if (n) {
    size = tp_arena_printf(w->arena, "twoproof_n%zu", t->objects.n);
    tp_str_printf(&t->declarations, "static unsigned long %s;\n", size);
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "%s = (unsigned long)(%s);\n", size, n);
  }
  tp_vec_push(&t->objects,
              (tp_env_object){variable, tp_env_shown(w, variable), size, element, is_in_table});
}

/* The name of a variable for the objects behind an lvalue: p->next is made as p_next, since what
 * points to constants cannot be written through. Assumptions have the lvalue. */
static const char *variable_for(tp_environment *w, const char *lvalue) {
  char *name = tp_arena_printf(w->arena, "%s_", lvalue);
  size_t n = 0;
  if (lvalue[0] == '(' && w->twins) lvalue += strspn(lvalue, "(*");
  for (const char *c = lvalue; *c; c++)
    if (isalnum((unsigned char)*c) || *c == '_')
      name[n++] = *c;
    else if (n && name[n - 1] != '_')
      name[n++] = '_';
  name[n] = 0;
  name = tp_arena_printf(w->arena, "%s_%u", name, (unsigned)w->variables.n + 1);
  const char *shown = tp_env_shown(w, lvalue);
  tp_vec_push(&w->variables, (tp_env_variable){name, shown});
  return name;
}

const char *tp_env_shown(const tp_environment *w, const char *lvalue) {
  const char *open = lvalue[0] == '(' && lvalue[1] == '*' ? "(*" : "";
  for (size_t i = w->variables.n; i-- > 0;) {
    const tp_env_variable *v = &w->variables.at[i];
    const size_t n = strlen(v->name);
    const char *at = lvalue + strlen(open);
    const bool is_it =
        strncmp(at, v->name, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_';
    if (is_it) return tp_arena_printf(w->arena, "%s%s%s", open, v->shown, at + n);
  }
  return lvalue;
}

/* Does the k-th argument agree with one of the earlier call i? */
static const char *argument_matches(const tp_environment *w, tp_type type, uint32_t k,
                                    const char *name) {
  const tp_type_info *t = tp_env_type(w, type);
  const char *kept = tp_arena_printf(w->arena, "twoproof_%s_a%u[i]", name, k),
             *given = tp_arena_printf(w->arena, "a%u", k);
  if (t->kind == TP_T_POINTER)
    return tp_arena_printf(w->arena, "twoproof_same_argument(%s, twoproof_%s_side[i], %s)", kept,
                           name, given);
  return tp_arena_printf(
      w->arena, t->kind == TP_T_FLOAT ? "twoproof_same_float(%s, %s)" : "%s == %s", kept, given);
}

/* The same for two versions: the same arguments give the same answer, of whichever version asks. */
static void write_answers(tp_environment *w, const tp_type_info *t, const char *head,
                          const char *name, const char *draw) {
  tp_str *out = &w->stubs;
  tp_str_printf(out, "static unsigned long twoproof_%s_n;\nstatic int twoproof_%s_side[%d];\n",
                name, name, TP_APP_EQUAL_ANSWERS);
  const char *matches = "1", *keeps = "";
  for (uint32_t i = 0; i < t->n_params; i++) {
    const tp_type_info *a = tp_env_type(w, t->params[i]);
    const char *kept =
        tp_arena_printf(w->arena, "twoproof_%s_a%u[%d]", name, i + 1, TP_APP_EQUAL_ANSWERS);
    tp_str_printf(out, "static %s;\n",
                  a->kind == TP_T_POINTER ? tp_arena_printf(w->arena, "const void *%s", kept)
                                          : tp_env_declared(w, t->params[i], kept));
    matches = tp_arena_printf(w->arena, "%s && %s", matches,
                              argument_matches(w, t->params[i], i + 1, name));
    keeps = tp_arena_printf(w->arena, "%stwoproof_%s_a%u[i] = a%u, ", keeps, name, i + 1, i + 1);
  }
  tp_str_printf(
      out,
      "static %s;\n%s {\n  unsigned long i = 0;\n  while (i < twoproof_%s_n && !(%s)) "
      "i++;\n  if (i == twoproof_%s_n) {\n    __VERIFIER_assume(i < %d);\n    "
      "twoproof_%s_n++, %stwoproof_%s_side[i] = twoproof_side;\n    twoproof_%s_answer[i] "
      "= %s();\n  }\n  return twoproof_%s_answer[i];\n}\n",
      tp_env_declared(
          w, t->element,
          tp_arena_printf(w->arena, "twoproof_%s_answer[%d]", name, TP_APP_EQUAL_ANSWERS)),
      head, name, matches, name, TP_APP_EQUAL_ANSWERS, name, keeps, name, name, draw, name);
}

bool tp_env_write_answers(tp_environment *w, tp_type type, const char *linkage, const char *name) {
  const tp_type_info *t = tp_env_type(w, type);
  const tp_type_info *result = tp_env_is_void(w, t->element) ? NULL : tp_env_type(w, t->element);
  const char *draw = result && is_number(result) ? tp_input_function_of(result) : NULL;
  bool is_plain = draw && !t->is_variadic;
  for (uint32_t i = 0; i < t->n_params && is_plain; i++) {
    const tp_type_info *a = tp_env_type(w, t->params[i]);
    is_plain = is_number(a) || a->kind == TP_T_POINTER;
  }
  if (is_plain)
    write_answers(w, t, tp_arena_printf(w->arena, "%s%s", linkage, tp_env_declared(w, type, name)),
                  name, draw);
  return is_plain;
}

/* One of those that are written already; functions of a module share them. NULL: none. */
static const char *stub_of_type(const tp_environment *w, tp_type type) {
  for (uint32_t i = 1; i <= w->n_stubs; i++) {
    const char *name = tp_arena_printf(w->arena, "any_function_%u", i);
    const char *head = tp_arena_printf(w->arena, "static %s {", tp_env_declared(w, type, name));
    if (strstr(tp_str_text(&w->stubs), head)) return name;
  }
  return NULL;
}

/* A function for a pointer of this type: it returns anything and changes nothing. */
static const char *stub(tp_environment *w, tp_type type) {
  const tp_type_info *t = tp_env_type(w, type);
  const char *made = w->keeps_result ? stub_of_type(w, type) : NULL;
  if (made) return made;
  const char *name = tp_arena_printf(w->arena, "any_function_%u", ++w->n_stubs);
  const tp_type_info *result = tp_env_is_void(w, t->element) ? NULL : tp_env_type(w, t->element);
  if (result && !is_number(result) && result->kind != TP_T_POINTER) return NULL;
  if (result && is_number(result) && !tp_input_function_of(result)) return NULL;
  if (w->twins && tp_env_write_answers(w, type, "static ", name)) return name;
  tp_str_printf(&w->stubs, "static %s {\n", tp_env_declared(w, type, name));
  if (w->twins && result && is_number(result)) tp_str_add(&w->stubs, "  twoproof_unsure = 1;\n");
  tp_str_add(&w->stubs, "  return");
  if (result)
    tp_str_printf(&w->stubs, " %s",
                  result->kind == TP_T_POINTER
                      ? "0"
                      : tp_arena_printf(w->arena, "%s()", tp_input_function_of(result)));
  tp_str_add(&w->stubs, ";\n}\n");
  return name;
}

const char *tp_env_function_of(tp_environment *w, tp_type type) { return stub(w, type); }

/* Elements of an array whose number is an expression. */
static void fill_elements(tp_environment *w, tp_type element, const char *lvalue, const char *n,
                          uint32_t indent) {
  const uint32_t counter = w->n_counters++;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "for (unsigned long i%u = 0; i%u < %s; i%u++) {\n", counter, counter, n,
                counter);
  w->n_loops++;
  tp_env_fill(w, element, tp_arena_printf(w->arena, "%s[i%u]", lvalue, counter), indent + 1);
  w->n_loops--;
  tp_env_begin(w, indent);
  tp_str_add(&w->text, "}\n");
}

/* Bytes of no type. */
static void fill_bytes(tp_environment *w, const char *lvalue, const char *n, uint32_t indent) {
  const uint32_t counter = w->n_counters++;
  tp_env_begin(w, indent);
  tp_env_note_draw(w, TP_DRAW_ELEMENT, lvalue, TP_TYPE_NONE);
  tp_str_printf(&w->text,
                "for (unsigned long i%u = 0; i%u < %s; i%u++) ((unsigned char *)%s)[i%u] = "
                "__VERIFIER_nondet_uchar();\n",
                counter, counter, n, counter, lvalue, counter);
  copy_bytes_to_twin(w, lvalue, n, indent);
}

/* A block of constant size, whose bytes are all values: one input. */
static void fill_memory(tp_environment *w, const char *lvalue, const char *n, bool is_bytes,
                        uint32_t indent) {
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__VERIFIER_nondet_memory(%s, %s%s%s);\n", lvalue, n,
                is_bytes ? "" : " * sizeof *", is_bytes ? "" : lvalue);
}

/* to: what is assigned to, a declaration or an lvalue; twins have lvalues. said: what is assumed of
 * the object. */
static void allocate(tp_environment *w, const char *to, const char *size, const char *said,
                     uint32_t indent) {
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = __builtin_malloc(%s);" TP_ENVIRONMENT_SAYS "%s\n", to, size, said);
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = __builtin_malloc(%s);\n", tp_env_twin(w, to), size);
}

/* Any length up to the limit, in an object that is not longer than the string. Returns its size. */
static const char *make_string(tp_environment *w, tp_type element, const char *to,
                               const char *lvalue, uint32_t indent) {
  const char *n = tp_arena_printf(w->arena, "length%u", w->n_counters++);
  tp_env_begin(w, indent);
  tp_env_note_draw(w, TP_DRAW_LENGTH, lvalue, element);
  tp_str_printf(&w->text, "unsigned %s = __VERIFIER_nondet_uint();\n", n);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__VERIFIER_assume(%s <= %u);\n", n, w->o->elements);
  const char *const size = w->room ? w->room : tp_arena_printf(w->arena, "%s + 1", n),
                    *const shown = tp_env_shown(w, lvalue);
  if (w->room) {
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "__VERIFIER_assume(%s < %s);\n", n, w->room);
    tp_env_assume(w, "%s points to %s elements", shown, w->room);
  }
  allocate(w, to, size,
           tp_arena_printf(w->arena, "%s is a string in %s elements%s", shown,
                           w->room ? w->room : "its length and 1", w->more ? w->more : ""),
           indent);
  fill_elements(w, element, lvalue, n, indent);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s[%s] = 0;\n", lvalue, n);
  if (w->twins) {
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "%s[%s] = 0;\n", tp_env_twin(w, lvalue), n);
  }
  tp_env_assume(w, "%s%s is a string of at most %u characters", tp_env_shown(w, lvalue), w->or_null,
                w->o->elements);
  return size;
}

/* One object: its members, or its value. */
static void fill_object(tp_environment *w, tp_type element, const char *lvalue, uint32_t indent) {
  const bool is_struct = tp_env_is_aggregate(tp_env_type(w, element));
  if (is_struct && tp_env_is_plain(w, element)) {
    tp_env_begin(w, indent);
    tp_env_note_draw(w, TP_DRAW_BYTES, tp_arena_printf(w->arena, "*%s", lvalue), element);
    tp_str_printf(&w->text, "__VERIFIER_nondet_memory(%s, sizeof *%s);\n", lvalue, lvalue);
    copy_bytes_to_twin(w, lvalue, tp_arena_printf(w->arena, "sizeof *%s", lvalue), indent);
  } else {
    tp_env_fill(w, element, tp_arena_printf(w->arena, is_struct ? "%s->" : "(*%s)", lvalue),
                indent);
  }
}

/* Room for n objects, or for one; what nobody knows the type of has some bytes. `to`: what the room
 * is assigned to, a declaration or the lvalue itself. Returns how many, NULL: one. */
static const char *make_room(tp_environment *w, tp_type element, const char *to, const char *lvalue,
                             const char *n, uint32_t indent) {
  const bool is_bytes = tp_env_is_void(w, element);
  if (!n && is_bytes) n = tp_arena_printf(w->arena, "%u", w->o->elements);
  const char *shown = tp_env_shown(w, lvalue),
             *of = n ? tp_arena_printf(w->arena, "points to %s %s", tp_env_shown(w, n),
                                       is_bytes ? "bytes" : "elements")
                     : tp_arena_printf(w->arena, "points to one %s", tp_env_type(w, element)->name);
  allocate(w, to,
           tp_arena_printf(w->arena, "%s%s%s%s", n ? n : "", n && !is_bytes ? " * " : "",
                           is_bytes ? "" : "sizeof *", is_bytes ? "" : lvalue),
           tp_arena_printf(w->arena, "%s %s%s", shown, of, w->more ? w->more : ""), indent);
  tp_env_assume(w, "%s%s %s", shown, w->or_null, of);
  if (n && isdigit((unsigned char)n[0]) && !w->twins && (is_bytes || tp_env_is_plain(w, element)))
    fill_memory(w, lvalue, n, is_bytes, indent);
  else if (is_bytes)
    fill_bytes(w, lvalue, n, indent);
  else if (n)
    fill_elements(w, element, lvalue, n, indent);
  else
    fill_object(w, element, lvalue, indent);
  return n;
}

/* Objects are made behind a variable of their own, then the lvalue points to them. What has no name
 * for its type is made in place. */
static void make_object(tp_environment *w, tp_type element, const char *lvalue, const char *n,
                        bool is_argument, uint32_t indent) {
  const bool is_string = !n && (tp_env_is_character(w, element) || (is_argument && w->is_text)),
             is_own =
                 !is_argument && (tp_env_is_void(w, element) || tp_env_type(w, element)->name[0]);
  const char *variable = is_own ? variable_for(w, lvalue) : lvalue,
             *to =
                 is_own
                     ? tp_env_declared(
                           w, element,
                           tp_arena_printf(
                               w->arena, needs_parentheses(w, element) ? "(*%s)" : "*%s", variable))
                     : lvalue;
  if (is_own && w->twins) {  // they are compared when the functions have returned
    tp_str_printf(&w->twins->declarations, "static %s;\nstatic %s;\n", to, tp_env_twin(w, to));
    to = variable;
  }
  if (!is_argument) w->more = NULL;
  const char *const n_made = is_string ? make_string(w, element, to, variable, indent)
                                       : make_room(w, element, to, variable, n, indent);
  if (is_string) tp_vec_push(&w->strings, (tp_env_variable){lvalue, n_made});
  keep(w, variable, indent);
  list_twin(w, variable, element, n_made, indent);
  if (!is_own) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s;\n", lvalue, variable);
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s;\n", tp_env_twin(w, lvalue), tp_env_twin(w, variable));
}

static void make_null(tp_environment *w, const char *lvalue, uint32_t indent) {
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = 0;\n", lvalue);
  copy_to_twin(w, lvalue, indent);
}

static void make_function(tp_environment *w, tp_type type, const char *lvalue, uint32_t indent) {
  const char *name = stub(w, type);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s%s;\n", lvalue, name ? "(void *)" : "", name ? name : "0");
  copy_to_twin(w, lvalue, indent);
  if (name && w->twins)
    tp_env_assume(w,
                  "%s is a function that returns the same value (of pointers null) for the same "
                  "arguments in both versions, at most %d different ones, and changes nothing",
                  tp_env_shown(w, lvalue), TP_APP_EQUAL_ANSWERS);
  else if (name)
    tp_env_assume(w,
                  "%s is a function that returns any value (of pointers null) and changes nothing",
                  tp_env_shown(w, lvalue));
  else
    tp_env_assume(w, "%s is null", tp_env_shown(w, lvalue));
}

void tp_env_fill_pointer(tp_environment *w, tp_type type, const char *lvalue, const char *n,
                         bool is_argument, uint32_t indent) {
  const tp_type element = tp_env_type(w, type)->element;
  const tp_type_info *e = element.id ? tp_env_type(w, element) : NULL;
  if (e && e->kind == TP_T_FUNCTION) {
    make_function(w, element, lvalue, indent);
    return;
  }
  const bool is_opaque = e && e->kind != TP_T_VOID && e->size_bytes == 0,
             is_end = e && tp_env_is_aggregate(e) && n_around(w, element) >= w->o->depth;
  if (is_opaque || is_end) {
    make_null(w, lvalue, indent);
    tp_env_assume(w, is_opaque ? "%s is null: its type has no definition" : "%s is null",
                  tp_env_shown(w, lvalue));
    return;
  }
  const bool may_be_null = w->o->has_null || (!is_argument && tp_env_leads_to_itself(w, element));
  w->or_null = may_be_null ? " is null, or" : "";
  if (!may_be_null) {
    make_object(w, element, lvalue, n, is_argument, indent);
    return;
  }
  make_null(w, lvalue, indent);
  tp_env_begin(w, indent);
  tp_env_note_draw(w, TP_DRAW_MADE, lvalue, type);
  tp_str_add(&w->text, "if (__VERIFIER_nondet_bool()) {\n");
  make_object(w, element, lvalue, n, is_argument, indent + 1);
  tp_env_begin(w, indent);
  tp_str_add(&w->text, "}\n");
}

/* a[i0] */
static bool is_element(const char *lvalue) {
  const size_t n = strlen(lvalue);
  return n > 0 && lvalue[n - 1] == ']';
}

void tp_env_fill(tp_environment *w, tp_type type, const char *lvalue, uint32_t indent) {
  const tp_type_info *t = tp_env_type(w, type);
  const size_t length = strlen(lvalue);
  const bool is_arrow = length > 2 && strcmp(lvalue + length - 2, "->") == 0;
  if (t->kind == TP_T_POINTER) {
    tp_env_fill_pointer(w, type, lvalue, NULL, false, indent);
  } else if (is_number(t)) {
    const char *input = tp_input_function_of(t);
    tp_env_begin(w, indent);
    tp_env_note_draw(w, is_element(lvalue) ? TP_DRAW_ELEMENT : TP_DRAW_VALUE, lvalue, type);
    tp_str_printf(&w->text, "%s = %s();\n", lvalue, input ? input : "__VERIFIER_nondet_double");
    copy_to_twin(w, lvalue, indent);
    if (!input) tp_env_assume(w, "%s is a value of type double", tp_env_shown(w, lvalue));
  } else if (!is_arrow && tp_env_is_plain(w, type)) {
    tp_env_begin(w, indent);
    tp_env_note_draw(w, TP_DRAW_BYTES, lvalue, type);
    tp_str_printf(&w->text, "__VERIFIER_nondet_memory(&%s, sizeof %s);\n", lvalue, lvalue);
    copy_bytes_to_twin(w, tp_arena_printf(w->arena, "&%s", lvalue),
                       tp_arena_printf(w->arena, "sizeof %s", lvalue), indent);
  } else if (t->kind == TP_T_ARRAY) {
    if (t->n_elements)
      fill_elements(w, t->element, lvalue,
                    tp_arena_printf(w->arena, "%llu", (unsigned long long)t->n_elements), indent);
  } else if (t->kind == TP_T_UNION && t->n_members) {
    const tp_member *m = &t->members[0];
    const char *first = tp_arena_printf(w->arena, "%s%s%s", lvalue, is_arrow ? "" : ".", m->name);
    tp_env_fill(w, m->type, first, indent);
    tp_env_assume(w, "%s is the member of its union that is in use", tp_env_shown(w, first));
  } else if (t->kind == TP_T_STRUCT) {
    tp_env_fill_members(w, type, is_arrow ? lvalue : tp_arena_printf(w->arena, "%s.", lvalue),
                        indent);
  }
}
