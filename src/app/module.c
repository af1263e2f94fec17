/* The most general client of a module: finds by signatures and names what makes, uses and ends a
 * handle, and writes a main that makes any sequence of these calls with any arguments.
 *
 * Names are heuristics only: a wrong guess makes a client that proves less, and what the client
 * assumes of users is printed. */
#include "app/module.h"

#include "app/environment.h"
#include "app/made_source.h"
#include "app/property.h"
#include "base/files.h"
#include "front/front.h"
#include "program/access.h"
#include "app/app_limits.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum {
  ROLE_SKIPPED,
  ROLE_CONSTRUCTOR,
  ROLE_INITIALISER,
  ROLE_DESTRUCTOR,
  ROLE_METHOD
} role;

typedef struct {
  const tp_program *p;
  tp_module *m;
  const char *prefix;
  uint32_t n_exported;
  tp_type handle;  // the struct that constructors make, or NONE: state is in file-scope variables
  const char *handle_name;  // "struct stack"
  tp_func maker;            // constructor or initialiser
  tp_func ender;            // destructor: every way out of the client calls it
  tp_str text;
  uint32_t n_cases;
} client;

// ----------------------------------------------------------------------- roles

static const tp_type_info *type_at(const client *c, tp_type t) {
  TP_REQUIRE(t.id && t.id < c->p->types.n);
  return tp_type_of(c->p, t);
}

/* T for T *, if T is a struct. */
static tp_type struct_behind(const client *c, tp_type t) {
  if (!t.id || type_at(c, t)->kind != TP_T_POINTER) return TP_TYPE_NONE;
  tp_type to = type_at(c, t)->element;
  return to.id && type_at(c, to)->kind == TP_T_STRUCT ? to : TP_TYPE_NONE;
}

static bool same_struct(const client *c, tp_type a, tp_type b) {
  return a.id && b.id && strcmp(type_at(c, a)->name, type_at(c, b)->name) == 0;
}

static bool takes(const client *c, const tp_func_info *f, tp_type handle) {
  const tp_type_info *t = type_at(c, f->type);
  for (uint32_t i = 0; i < t->n_params; i++)
    if (same_struct(c, struct_behind(c, t->params[i]), handle)) return true;
  return false;
}

/* Does t lead to the pointer that callers hold, so that the function can set it to null: struct
 * stack **? */
static bool is_pointer_to_handle(const client *c, tp_type t) {
  return t.id && type_at(c, t)->kind == TP_T_POINTER &&
         same_struct(c, struct_behind(c, type_at(c, t)->element), c->handle);
}

/* Where a word stands in the name of a function; its first or last part counts for more:
 * tree_delete, delete_tree, listFree, but tree_delete_min. */
typedef enum { WORD_ABSENT, WORD_INSIDE, WORD_AT_END } word_place;

static word_place place_of_word(const char *name, const char *word) {
  TP_REQUIRE(word[0]);
  word_place best = WORD_ABSENT;
  const size_t n = strlen(word);
  for (const char *at = name; (at = strcasestr(at, word)) != NULL; at++) {
    const bool starts = at == name || at[-1] == '_' || isupper((unsigned char)*at);
    const bool ends = !at[n] || at[n] == '_' || isupper((unsigned char)at[n]);
    const bool is_at_end = !at[n] || (at == name && (ends || !strchr(name, '_')));
    if (is_at_end) return WORD_AT_END;
    if (starts && ends) best = WORD_INSIDE;
  }
  return best;
}

/* How much a name speaks for a destructor: 0 not at all. A module with stack_close and stack_free
 * has one destructor, stack_free. */
enum { END_NONE, END_INSIDE, END_WEAK, END_STRONG };

static uint32_t end_of_name(const char *name, bool has_initialiser) {
  static const char *const strong[] = {"free",   "destroy", "delete", "dispose",
                                       "deinit", "uninit",  "fini"};
  static const char *const weak[] = {"close", "release", "cleanup", "teardown", "clear"};
  const size_t n_weak =
      sizeof weak / sizeof *weak -
      (has_initialiser ? 0 : 1);  // init and clear are a pair, new and clear are not
  uint32_t best = END_NONE;
  for (size_t i = 0; i < sizeof strong / sizeof *strong + n_weak; i++) {
    const bool is_strong = i < sizeof strong / sizeof *strong;
    const word_place at =
        place_of_word(name, is_strong ? strong[i] : weak[i - sizeof strong / sizeof *strong]);
    const uint32_t now = at == WORD_ABSENT   ? END_NONE
                         : at == WORD_INSIDE ? END_INSIDE
                         : is_strong         ? END_STRONG
                                             : END_WEAK;
    if (now > best) best = now;
  }
  return best;
}

bool tp_module_is_named_init(const char *name) {
  return (strstr(name, "init") || strstr(name, "setup")) && end_of_name(name, true) == END_NONE;
}

bool tp_module_is_named_end(const char *name) { return end_of_name(name, false) > END_INSIDE; }

static bool is_of_module(const client *c, const tp_func_info *f) {
  bool fits = strcmp(c->prefix, "*") == 0 || strncmp(f->name, c->prefix, strlen(c->prefix)) == 0;
  return f->has_body && !f->is_model && f->type.id && fits && !tp_front_is_asked(f->name);
}

/* A function that returns a new object; else one called init that gets one. */
static void find_handle(client *c) {
  for (int round = 0; round < 2 && !c->handle.id; round++)
    for (uint32_t i = 1; i <= c->n_exported && !c->handle.id; i++) {
      const tp_func_info *f = &c->p->funcs.at[i];
      if (!is_of_module(c, f)) continue;
      const tp_type_info *t = type_at(c, f->type);
      tp_type made = round == 0    ? struct_behind(c, t->element)
                     : t->n_params ? struct_behind(c, t->params[0])
                                   : TP_TYPE_NONE;
      bool is_maker =
          round == 0 ? made.id && !takes(c, f, made) : made.id && tp_module_is_named_init(f->name);
      if (!is_maker) continue;
      c->handle = made;
      c->handle_name = type_at(c, made)->name;
      c->maker = (tp_func){i};
    }
}

static bool is_initialiser(const client *c) {
  return c->maker.id && (!c->handle.id || takes(c, &c->p->funcs.at[c->maker.id], c->handle));
}

/* Can this function end an object; how much does its name speak for that? */
static uint32_t end_rank(const client *c, uint32_t i) {
  TP_REQUIRE(i > 0 && i <= c->n_exported);
  const tp_func_info *f = &c->p->funcs.at[i];
  if (!is_of_module(c, f) || i == c->maker.id) return END_NONE;
  const tp_type_info *t = type_at(c, f->type);
  const bool fits = c->handle.id ? t->n_params == 1 && (takes(c, f, c->handle) ||
                                                        is_pointer_to_handle(c, t->params[0]))
                                 : t->n_params == 0;
  return fits ? end_of_name(f->name, is_initialiser(c)) : END_NONE;
}

/* Of several with equally clear names each ends the object: what is left of it is nobody's. */
static role role_of(const client *c, uint32_t i) {
  TP_REQUIRE(i > 0 && i < c->p->funcs.n);
  if (!is_of_module(c, &c->p->funcs.at[i])) return ROLE_SKIPPED;
  if (i == c->maker.id) return is_initialiser(c) ? ROLE_INITIALISER : ROLE_CONSTRUCTOR;
  const bool ends = i == c->ender.id || (c->ender.id && end_rank(c, i) == END_STRONG);
  return ends ? ROLE_DESTRUCTOR : ROLE_METHOD;
}

// ------------------------------------------------------------------- arguments

static const char *source_of(const client *c, tp_type type) {
  return tp_input_function_of(type_at(c, type));
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

/* The destructor, and for a module with its state in file-scope variables the function that a user
 * calls before all others, if the state is given back. */
static void find_ender(client *c) {
  for (uint32_t i = 1; i <= c->n_exported; i++)
    if (end_rank(c, i) > (c->ender.id ? end_rank(c, c->ender.id) : END_NONE))
      c->ender = (tp_func){i};
  for (uint32_t i = 1; i <= c->n_exported && !c->handle.id && c->ender.id && !c->maker.id; i++) {
    const tp_func_info *f = &c->p->funcs.at[i];
    if (is_of_module(c, f) && tp_module_is_named_init(f->name) && can_be_called(c, f))
      c->maker = (tp_func){i};
  }
  if (!c->handle.id && !c->maker.id) c->ender = TP_FUNC_NONE;  // nothing is made
  TP_INVARIANT(!c->maker.id || c->maker.id <= c->n_exported);
  TP_INVARIANT(!c->ender.id || c->handle.id || c->maker.id);
}

/* Declarations of what the arguments need, then the call itself. */
static void write_call(client *c, uint32_t number, const char *handle, const char *before,
                       const char *indent) {
  TP_REQUIRE(number > 0 && number < c->p->funcs.n && can_be_called(c, &c->p->funcs.at[number]));
  const tp_func_info *f = &c->p->funcs.at[number];
  const tp_type_info *t = type_at(c, f->type);
  tp_str arguments = {0};
  for (uint32_t i = 0; i < t->n_params; i++) {
    tp_type type = t->params[i];
    tp_str_add(&arguments, i ? ", " : "");
    if (is_pointer_to_handle(c, type)) {
      tp_str_printf(&c->text, "%s%s *a%u = %s;\n", indent, c->handle_name, i, handle);
      tp_str_printf(&arguments, "&a%u", i);
    } else if (struct_behind(c, type).id) {
      tp_str_add(&arguments, handle);
    } else if (type_at(c, type)->kind == TP_T_POINTER) {
      tp_type element = type_at(c, type)->element;
      bool is_bytes = !element.id || type_at(c, element)->kind == TP_T_VOID,
           is_text = !is_bytes && type_at(c, element)->size_bytes == 1;
      tp_str_printf(&c->text, "%s%s a%u[%d];\n%s__VERIFIER_nondet_memory(a%u, sizeof a%u);\n",
                    indent, is_bytes ? "unsigned char" : type_at(c, element)->name, i,
                    TP_APP_BUFFER_ELEMENTS, indent, i, i);
      if (is_text)
        tp_str_printf(&c->text, "%sa%u[%d] = 0;\n", indent, i, TP_APP_BUFFER_ELEMENTS - 1);
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

/* Requests are checked where they stand: a function for all of them would make all memory look
 * alike. */
static const char GETS[] =
    "#define MODULE_GETS(n, call) ({ size_t n_ = (n); __VERIFIER_assume(n_ <= PTRDIFF_MAX); void "
    "*p_ = (call); __VERIFIER_assume(p_ != NULL); p_; })\n"
    "#define malloc(n) MODULE_GETS(n, (malloc)(n_))\n"
    "#define calloc(n, m) MODULE_GETS(n, (calloc)(n_, m))\n"
    "#define realloc(p, n) MODULE_GETS(n, (realloc)(p, n_))\n";

static void note(client *c, tp_func f, tp_module_role as) {
  tp_vec_push(&c->m->functions,
              (tp_module_function){tp_arena_strdup(&c->m->arena, tp_func_of(c->p, f)->name), as});
}

/* A negative result says that there is no object, in every convention; what others say differs. */
static bool tells_failure(const client *c) {
  const tp_type result = type_at(c, tp_func_of(c->p, c->maker)->type)->element;
  return is_initialiser(c) && result.id && type_at(c, result)->kind == TP_T_INT &&
         type_at(c, result)->is_signed;
}

static void write_maker(client *c) {
  if (!c->maker.id) return;
  note(c, c->maker, TP_MODULE_MAKES);
  const bool is_constructor = !is_initialiser(c);
  if (is_constructor)
    tp_str_printf(&c->text, "  %s *s;\n", c->handle_name);
  else if (c->handle.id)
    tp_str_printf(&c->text, "  %s object, *s = &object;\n", c->handle_name);
  const bool may_fail = tells_failure(c);
  write_call(c, c->maker.id, "s",
             is_constructor ? "s = "
             : may_fail     ? "long long made = "
                            : "",
             "  ");
  if (is_constructor) tp_str_add(&c->text, "  if (!s) return 0;\n");
  if (may_fail) tp_str_add(&c->text, "  if (made < 0) return 0;\n");
}

/* The way out where the object has not been ended: by the destructor; without one the object is
 * kept, so that nothing it leads to is lost. */
static void write_way_out(client *c, const char *indent) {
  if (c->ender.id) {
    write_call(c, c->ender.id, "s", "", indent);
  } else if (c->handle.id && is_initialiser(c)) {
    tp_str_printf(&c->text, "%sstatic %s kept;\n%s__builtin_memcpy(&kept, &object, sizeof kept);\n",
                  indent, c->handle_name, indent);
  } else if (c->handle.id) {
    tp_str_printf(&c->text, "%sstatic %s *kept;\n%skept = s;\n", indent, c->handle_name, indent);
  }
  tp_str_printf(&c->text, "%sreturn 0;\n", indent);
}

static void assume_success(const client *c) {
  if (!c->maker.id || !is_initialiser(c)) return;
  const char *name = tp_func_of(c->p, c->maker)->name;
  const tp_type_info *t = type_at(c, tp_func_of(c->p, c->maker)->type);
  if (tells_failure(c))
    assume("users go on behind ", name, " unless it returns a negative number");
  else if (t->element.id && type_at(c, t->element)->kind != TP_T_VOID)
    assume("users go on behind ", name, " whatever it returns");
}

static void assume_lifetimes(const client *c) {
  if (c->ender.id)
    assume("users call ", c->p->funcs.at[c->ender.id].name,
           " at the end, once, and nothing after it");
  else if (c->handle.id)
    assume("objects of type ", c->handle_name,
           " are kept until the program ends: no function was found that ends them");
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
    tp_str_add(&c->text,
               r == ROLE_DESTRUCTOR ? "      return 0;\n    }\n" : "      break;\n    }\n");
  }
}

static void write_client(client *c, const char *module) {
  tp_str_printf(&c->text,
                "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n%s%s#include "
                "\"%s\"\nint main(void) {\n",
                tp_input_declarations, GETS, module);
  write_maker(c);
  tp_str head = c->text, cases;
  c->text = (tp_str){0};
  write_cases(c);
  cases = c->text;
  c->text = head;
  // runs that draw at random make many calls before they end
  tp_str_add(&c->text,
             "  for (;;) {\n    unsigned char next = __VERIFIER_nondet_uchar();\n    if (next == "
             "255) {\n");
  write_way_out(c, "      ");
  tp_str_add(&c->text, "    }\n");
  tp_str_printf(&c->text, "    switch (next %% %u) {\n%s    }\n  }\n}\n",
                c->n_cases ? c->n_cases : 1, tp_str_text(&cases));
  tp_str_clear(&cases);
  assume_success(c);
  assume_lifetimes(c);
  if (c->handle.id)
    assume("members of ", c->handle_name,
           " are written by the module alone, and objects do not share memory");
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

/* Behind a comment or a literal that starts here; else the same place. */
static const char *behind_words(const char *at) {
  if (at[0] == '/' && at[1] == '/') return at + strcspn(at, "\n");
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
  }
  if (*at != '"' && *at != '\'') return at;
  const char quote = *at++;
  while (*at && *at != quote && *at != '\n') at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : at;
}

bool tp_module_names_function(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = text; *at;) {
    const char *behind = behind_words(at);
    const bool is_word = isalpha((unsigned char)*at) || *at == '_';
    if (behind > at || !is_word) {
      at = behind > at ? behind : at + 1;
      continue;
    }
    size_t length = 1;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    const bool is_it = length == n && strncmp(at, word, n) == 0;
    at += length;
    if (is_it && at[strspn(at, " \t\r\n")] == '(') return true;
  }
  return false;
}

bool tp_module_is_one(const tp_options *o) {
  tp_str text = {0};
  bool is_one = o->files.n == 1 && tp_read_file(o->files.at[0], &text) == TP_OK &&
                !tp_module_names_function(tp_str_text(&text), "main");
  tp_str_clear(&text);
  return is_one;
}

tp_status tp_module_prepare(tp_options *o, tp_diag *diag, tp_arena *arena, tp_module *m) {
  m->file = o->files.n ? realpath(tp_intake_compiled(o->files.at[0]), NULL) : NULL;
  if (!m->file) return TP_OK;  // the session says what is wrong with the file
  if (!tp_is_includable(m->file)) {
    fprintf(stderr,
            "twoproof: module %s: the client cannot include a file whose name has quotes or line "
            "ends\n",
            m->file);
    return TP_ERR_INPUT;
  }
  tp_program *p = NULL;
  client c = {.m = m, .prefix = o->module[0] ? o->module : "*"};
  tp_front_options front = tp_options_front(o, TP_P_UNREACH_CALL);
  if (o->timelimit > 0) front.clang_cpu_s = (uint32_t)o->timelimit + 1;
  tp_status st = tp_front_load_module(&front, diag, &p, &c.n_exported);
  if (st == TP_OK) {
    c.p = p;
    find_handle(&c);
    find_ender(&c);
    write_client(&c, m->file);
    if (c.handle.id) m->handle = tp_arena_strdup(&m->arena, c.handle_name);
    if (c.n_cases == 0) {
      fprintf(stderr, "twoproof: module %s: no function named %s... that can be called\n",
              o->files.at[0], strcmp(c.prefix, "*") == 0 ? "" : c.prefix);
      st = TP_ERR_INPUT;
    }
  }
  if (st == TP_OK) {
    const char *path = tp_made_source(o, "client.c", &c.text, arena);
    if (path)
      o->files.at[0] = path;
    else
      st = TP_ERR_INPUT;
  }
  tp_str_clear(&c.text);
  if (p) tp_program_free(p);
  return st;
}
