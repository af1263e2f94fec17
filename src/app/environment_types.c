/* What types and names say about the values of arguments, and how types are written. */
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

bool tp_env_is_number(const tp_type_info *t) {
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
  return tp_env_is_number(tp_env_type(w, type)) && tp_env_is_plain(w, type);
}

bool tp_env_is_character(const tp_environment *w, tp_type t) {
  return t.id && tp_env_type(w, t)->is_char;
}

/* One struct may have several entries: by its tag, by names for it. */
bool tp_env_is_same_struct(const tp_type_info *a, const tp_type_info *b) {
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
           (tp_env_is_same_struct(tp_env_type(w, t->element), tp_env_type(w, to)) ||
            leads_to(w, t->element, to, depth - 1));
  for (uint32_t i = 0; tp_env_is_aggregate(t) && i < t->n_members; i++)
    if (leads_to(w, t->members[i].type, to, depth)) return true;
  return false;
}

bool tp_env_leads_to_itself(const tp_environment *w, tp_type t) {
  return t.id && tp_env_is_aggregate(tp_env_type(w, t)) && leads_to(w, t, t, TP_APP_ENTRY_POINTERS);
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
bool tp_env_needs_parentheses(const tp_environment *w, tp_type t) {
  return t.id && (tp_env_type(w, t)->kind == TP_T_FUNCTION ||
                  (tp_env_type(w, t)->kind == TP_T_ARRAY && strchr(tp_env_type(w, t)->name, '[')));
}

const char *tp_env_declared(const tp_environment *w, tp_type type, const char *name) {
  if (!type.id) return tp_arena_printf(w->arena, "void %s", name);
  const tp_type_info *t = tp_env_type(w, type);
  if (t->kind == TP_T_POINTER && strpbrk(t->name, "*(")) {
    const bool is_inside = tp_env_needs_parentheses(w, t->element);
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
