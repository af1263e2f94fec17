#include "app/module.h"

#include "app/property.h"
#include "base/process.h"
#include "front/front.h"
#include "program/access.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { BUFFER = 8 };           // elements behind a pointer argument that is no handle

typedef enum { ROLE_SKIPPED, ROLE_CONSTRUCTOR, ROLE_INITIALISER, ROLE_DESTRUCTOR, ROLE_METHOD } role;

typedef struct {
  const tp_program *p;
  tp_module *m;
  const char *prefix;
  uint32_t n_exported;
  tp_type handle;              // the struct that constructors make, or NONE: state is in file-scope variables
  const char *handle_name;     // "struct stack"
  tp_func maker;               // constructor or initialiser
  tp_str text;
  uint32_t n_cases;
} client;

// ----------------------------------------------------------------------- roles

static const tp_type_info *type_at(const client *c, tp_type t) { return tp_type_of(c->p, t); }

/* T for T *, if T is a struct. */
static tp_type struct_behind(const client *c, tp_type t) {
  if (!t.id || type_at(c, t)->kind != TP_T_POINTER) return TP_TYPE_NONE;
  tp_type to = type_at(c, t)->element;
  return to.id && type_at(c, to)->kind == TP_T_STRUCT ? to : TP_TYPE_NONE;
}

static bool same_struct(const client *c, tp_type a, tp_type b) { return a.id && b.id && strcmp(type_at(c, a)->name, type_at(c, b)->name) == 0; }

static bool takes(const client *c, const tp_func_info *f, tp_type handle) {
  const tp_type_info *t = type_at(c, f->type);
  for (uint32_t i = 0; i < t->n_params; i++)
    if (same_struct(c, struct_behind(c, t->params[i]), handle)) return true;
  return false;
}

static bool has_word(const char *name, const char *const *words) {
  for (; *words; words++)
    if (strstr(name, *words)) return true;
  return false;
}

static bool is_of_module(const client *c, const tp_func_info *f) {
  bool fits = strcmp(c->prefix, "*") == 0 || strncmp(f->name, c->prefix, strlen(c->prefix)) == 0;
  return f->has_body && !f->is_model && f->type.id && fits && strncmp(f->name, TP_PROBE_PREFIX, strlen(TP_PROBE_PREFIX)) != 0;
}

/* A function that returns a new object; else one called init that gets one. */
static void find_handle(client *c) {
  static const char *const init[] = {"init", "setup", NULL};
  for (int round = 0; round < 2 && !c->handle.id; round++)
    for (uint32_t i = 1; i <= c->n_exported && !c->handle.id; i++) {
      const tp_func_info *f = &c->p->funcs.at[i];
      if (!is_of_module(c, f)) continue;
      const tp_type_info *t = type_at(c, f->type);
      tp_type made = round == 0 ? struct_behind(c, t->element) : t->n_params ? struct_behind(c, t->params[0]) : TP_TYPE_NONE;
      bool is_maker = round == 0 ? made.id && !takes(c, f, made) : made.id && has_word(f->name, init);
      if (!is_maker) continue;
      c->handle = made;
      c->handle_name = type_at(c, made)->name;
      c->maker = (tp_func){i};
    }
}

static role role_of(const client *c, uint32_t i) {
  static const char *const end[] = {"free", "destroy", "delete", "close", "dispose", NULL};
  const tp_func_info *f = &c->p->funcs.at[i];
  if (!is_of_module(c, f)) return ROLE_SKIPPED;
  if (i == c->maker.id) return takes(c, f, c->handle) ? ROLE_INITIALISER : ROLE_CONSTRUCTOR;
  const tp_type_info *t = type_at(c, f->type);
  bool ends = c->handle.id && has_word(f->name, end) && t->n_params == 1 && takes(c, f, c->handle);
  return ends ? ROLE_DESTRUCTOR : ROLE_METHOD;
}

// ------------------------------------------------------------------- arguments

/* The function of the verifier's that draws a value of this type; NULL: none. */
static const char *source_of(const client *c, tp_type type) {
  const tp_type_info *t = type_at(c, type);
  if (t->kind == TP_T_BOOL) return "__VERIFIER_nondet_bool";
  if (t->kind == TP_T_FLOAT) return t->size_bytes == 4 ? "__VERIFIER_nondet_float" : t->size_bytes == 8 ? "__VERIFIER_nondet_double" : NULL;
  if (t->kind != TP_T_INT && t->kind != TP_T_ENUM) return NULL;
  switch (t->size_bytes) {
    case 1: return t->is_signed ? "__VERIFIER_nondet_char" : "__VERIFIER_nondet_uchar";
    case 2: return t->is_signed ? "__VERIFIER_nondet_short" : "__VERIFIER_nondet_ushort";
    case 4: return t->is_signed ? "__VERIFIER_nondet_int" : "__VERIFIER_nondet_uint";
    case 8: return t->is_signed ? "__VERIFIER_nondet_longlong" : "__VERIFIER_nondet_ulonglong";
    default: return NULL;
  }
}

/* Can the client make this argument? */
static bool is_possible(const client *c, tp_type type) {
  tp_type to = struct_behind(c, type);
  if (to.id) return same_struct(c, to, c->handle);
  if (type_at(c, type)->kind != TP_T_POINTER) return source_of(c, type) != NULL;
  tp_type element = type_at(c, type)->element;
  return !element.id || type_at(c, element)->kind == TP_T_VOID || source_of(c, element) != NULL;
}

static bool can_be_called(const client *c, const tp_func_info *f) {
  const tp_type_info *t = type_at(c, f->type);
  for (uint32_t i = 0; i < t->n_params; i++)
    if (!is_possible(c, t->params[i])) return false;
  return !t->is_variadic;
}

/* Declarations of what the arguments need, then the call itself. */
static void write_call(client *c, uint32_t number, const char *handle, const char *before, const char *indent) {
  const tp_func_info *f = &c->p->funcs.at[number];
  const tp_type_info *t = type_at(c, f->type);
  tp_str arguments = {0};
  for (uint32_t i = 0; i < t->n_params; i++) {
    tp_type type = t->params[i];
    tp_str_add(&arguments, i ? ", " : "");
    if (struct_behind(c, type).id) {
      tp_str_add(&arguments, handle);
    } else if (type_at(c, type)->kind == TP_T_POINTER) {
      tp_type element = type_at(c, type)->element;
      bool is_bytes = !element.id || type_at(c, element)->kind == TP_T_VOID, is_text = !is_bytes && type_at(c, element)->size_bytes == 1;
      tp_str_printf(&c->text, "%s%s a%u[%d];\n%s__VERIFIER_nondet_memory(a%u, sizeof a%u);\n", indent, is_bytes ? "unsigned char" : type_at(c, element)->name, i,
                    BUFFER, indent, i, i);
      if (is_text) tp_str_printf(&c->text, "%sa%u[%d] = 0;\n", indent, i, BUFFER - 1);
      tp_str_printf(&arguments, "a%u", i);
    } else {
      tp_str_printf(&arguments, "%s()", source_of(c, type));
    }
  }
  tp_str_printf(&c->text, "%s%s%s(%s);\n", indent, before, f->name, tp_str_text(&arguments));
  tp_str_clear(&arguments);
}

/* What users of the module must keep to. */
static void assume(const char *before, const char *what, const char *behind) {
  fprintf(stderr, "twoproof: module: assuming that %s%s%s\n", before, what, behind);
}

// ---------------------------------------------------------------------- client

/* Requests are checked where they stand: a function for all of them would make all memory look alike. */
static const char HEAD[] =
    "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
    "extern _Bool __VERIFIER_nondet_bool(void);\nextern char __VERIFIER_nondet_char(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n"
    "extern short __VERIFIER_nondet_short(void);\nextern unsigned short __VERIFIER_nondet_ushort(void);\nextern int __VERIFIER_nondet_int(void);\n"
    "extern unsigned __VERIFIER_nondet_uint(void);\nextern long long __VERIFIER_nondet_longlong(void);\n"
    "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\nextern float __VERIFIER_nondet_float(void);\nextern double __VERIFIER_nondet_double(void);\n"
    "extern void __VERIFIER_nondet_memory(void *, size_t);\nextern void __VERIFIER_assume(int);\n"
    "#define MODULE_GETS(n, call) ({ size_t n_ = (n); __VERIFIER_assume(n_ <= PTRDIFF_MAX); void *p_ = (call); __VERIFIER_assume(p_ != NULL); p_; })\n"
    "#define malloc(n) MODULE_GETS(n, (malloc)(n_))\n"
    "#define calloc(n, m) MODULE_GETS(n, (calloc)(n_, m))\n"
    "#define realloc(p, n) MODULE_GETS(n, (realloc)(p, n_))\n";

static void note(client *c, tp_func f, tp_module_role as) {
  tp_vec_push(&c->m->functions, (tp_module_function){tp_arena_strdup(&c->m->arena, tp_func_of(c->p, f)->name), as});
}

static void write_maker(client *c) {
  if (!c->maker.id) return;
  note(c, c->maker, TP_MODULE_MAKES);
  bool is_initialiser = role_of(c, c->maker.id) == ROLE_INITIALISER;
  if (is_initialiser) tp_str_printf(&c->text, "  %s object, *s = &object;\n", c->handle_name);
  else tp_str_printf(&c->text, "  %s *s;\n", c->handle_name);
  write_call(c, c->maker.id, "s", is_initialiser ? "" : "s = ", "  ");
  if (!is_initialiser) tp_str_add(&c->text, "  if (!s) return 0;\n");
}

static void write_cases(client *c) {
  for (uint32_t i = 1; i <= c->n_exported; i++) {
    role r = role_of(c, i);
    const tp_func_info *f = &c->p->funcs.at[i];
    if (r != ROLE_METHOD && r != ROLE_DESTRUCTOR) continue;
    if (!can_be_called(c, f)) {
      assume("nobody calls ", f->name, ", whose arguments cannot be made up");
      continue;
    }
    tp_str_printf(&c->text, "    case %u: {\n", c->n_cases++);
    note(c, (tp_func){i}, r == ROLE_DESTRUCTOR ? TP_MODULE_ENDS : TP_MODULE_USES);
    write_call(c, i, "s", "", "      ");
    tp_str_add(&c->text, r == ROLE_DESTRUCTOR ? "      return 0;\n    }\n" : "      break;\n    }\n");
  }
}

static void write_client(client *c, const char *module) {
  tp_str_printf(&c->text, "%s#include \"%s\"\nint main(void) {\n", HEAD, module);
  write_maker(c);
  tp_str head = c->text, cases;
  c->text = (tp_str){0};
  write_cases(c);
  cases = c->text;
  c->text = head;
  // runs that draw at random make many calls before they end
  tp_str_add(&c->text, "  for (;;) {\n    unsigned char next = __VERIFIER_nondet_uchar();\n    if (next == 255) return 0;\n");
  tp_str_printf(&c->text, "    switch (next %% %u) {\n%s    }\n  }\n}\n", c->n_cases ? c->n_cases : 1, tp_str_text(&cases));
  tp_str_clear(&cases);
  if (c->handle.id) assume("members of ", c->handle_name, " are written by the module alone, and objects do not share memory");
}

static bool use_client(tp_options *o, client *c) {
  tp_str path = {0};
  bool ok = tp_temp_dir(&path) == TP_OK;
  if (ok) tp_str_add(&path, "/client.c");
  ok = ok && tp_write_file(tp_str_text(&path), tp_str_text(&c->text), c->text.n) == TP_OK;
  if (ok) o->files.at[0] = tp_arena_strdup(&o->arena, tp_str_text(&path));
  else fprintf(stderr, "twoproof: module %s: the client cannot be written\n", c->m->file);
  tp_str_clear(&path);
  return ok;
}

void tp_module_init(tp_module *m) {
  *m = (tp_module){0};
  tp_arena_init(&m->arena);
}

void tp_module_clear(tp_module *m) {
  free(m->file);
  tp_vec_clear(&m->functions);
  tp_arena_clear(&m->arena);
}

/* Does the word stand in the text? */
static bool has_identifier(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; at += n) {
    bool starts = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
    if (starts && !isalnum((unsigned char)at[n]) && at[n] != '_') return true;
  }
  return false;
}

bool tp_module_is_one(const tp_options *o) {
  tp_str text = {0};
  bool is_one = o->files.n == 1 && tp_read_file(o->files.at[0], &text) == TP_OK && !has_identifier(tp_str_text(&text), "main");
  tp_str_clear(&text);
  return is_one;
}

bool tp_module_prepare(tp_options *o, tp_diag *diag, tp_module *m) {
  m->file = o->files.n ? realpath(o->files.at[0], NULL) : NULL;
  if (!m->file) return true;                               // the session says what is wrong with the file
  tp_program *p = NULL;
  client c = {.m = m, .prefix = o->module[0] ? o->module : "*"};
  const tp_front_options front = tp_options_front(o, TP_P_UNREACH_CALL);
  bool ok = tp_front_load_module(&front, diag, &p, &c.n_exported) == TP_OK;
  if (ok) {
    c.p = p;
    find_handle(&c);
    write_client(&c, m->file);
    if (c.handle.id) m->handle = tp_arena_strdup(&m->arena, c.handle_name);
    if (c.n_cases == 0) {
      fprintf(stderr, "twoproof: module %s: no function named %s... that can be called\n", o->files.at[0], strcmp(c.prefix, "*") == 0 ? "" : c.prefix);
      ok = false;
    }
  }
  ok = ok && use_client(o, &c);
  tp_str_clear(&c.text);
  if (p) tp_program_free(p);
  return ok;
}
