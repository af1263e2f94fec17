/* Each argument is written as statements that make it, numbers first: arrays have their lengths
 * from them. Then the call. */
#include "app/environment_priv.h"

#include "app/initialisers.h"
#include "app/module.h"
#include "app/requires.h"

// ------------------------------------------------------------------- arguments

static void write_alias(tp_environment *w, const char *name, const char *other) {
  if (w->twins)
    tp_str_printf(&w->text, "  if (__VERIFIER_nondet_bool()) %s = %s, %s = %s;\n", name, other,
                  tp_env_twin(w, name), tp_env_twin(w, other));
  else
    tp_str_printf(&w->text, "  if (__VERIFIER_nondet_bool()) %s = %s;\n", name, other);
}

static void write_argument(tp_environment *w, uint32_t i) {
  const tp_type type = tp_env_param(w, i);
  const char *name = tp_env_name_of(w, i);
  if (tp_env_type(w, type)->kind != TP_T_POINTER) {
    tp_env_fill(w, type, name, 1);
    return;
  }
  // what initialises an object takes one of any content
  const bool is_in_use =
      (i > 0 || !tp_module_is_named_init(w->f->name)) && !tp_initialises(w->p, w->number, i);
  if (is_in_use &&
      (w->o->structures ? tp_env_make_structure(w, type, name) : tp_env_make(w, type, name)))
    return;
  if (tp_env_is_held_count(w, i) || tp_env_make_held(w, i)) return;
  const char *n = tp_env_elements_of(w, i);
  w->place = tp_env_place_of_argument(w, i);
  w->more = tp_env_more_room(w, i, n);
  tp_env_fill_pointer(w, type, name, n, true, 1);
  w->room = w->more = NULL;
  w->is_text = false;
  w->place = (tp_env_place){0};
  for (uint32_t k = 0; k < i && w->o->has_aliases; k++)
    if (strcmp(tp_env_type(w, tp_env_param(w, k))->name, tp_env_type(w, type)->name) == 0)
      write_alias(w, name, tp_env_name_of(w, k));
}

/* A count of elements is bounded: this is where arrays get their sizes. */
static void bound_count(tp_environment *w, uint32_t i) {
  bool is_count = false;
  for (uint32_t k = 0; k < tp_env_type(w, w->f->type)->n_params; k++)
    is_count |=
        tp_env_type(w, tp_env_param(w, k))->kind == TP_T_POINTER && tp_env_count_of(w, k) == i;
  if (!is_count) return;
  const char *name = tp_env_name_of(w, i);
  const bool is_signed = tp_env_type(w, tp_env_param(w, i))->is_signed;
  const uint32_t most = tp_env_largest_count(w, i);
  tp_str_printf(&w->text, "  __VERIFIER_assume(%s%s%s%s <= %u);\n", is_signed ? "0 <= " : "",
                is_signed ? name : "", is_signed ? " && " : "", name, most);
  tp_env_assume(w, "%s is at most %u%s", tp_env_shown(w, name), most,
                is_signed ? ", and at least 0" : "");
}

static void write_globals(tp_environment *w) {
  for (size_t i = 1; i < w->p->statics.n; i++) {
    const tp_static *s = &w->p->statics.at[i];
    const bool is_free = s->kind == TP_O_GLOBAL && !s->is_const && !s->enclosing_function &&
                         !s->is_extern && s->type.id && tp_env_is_plain(w, s->type);
    if (is_free)
      tp_str_printf(&w->text, "  __VERIFIER_nondet_memory(&%s, sizeof %s);\n", s->name, s->name);
  }
  for (size_t i = 1; i < w->p->vars.n; i++) {
    const tp_var_info *v = &w->p->vars.at[i];
    const bool is_free = v->kind == TP_V_GLOBAL && !v->enclosing_function && v->type.id &&
                         !v->is_address && v->name[0] != '.' && v->absence == TP_PRESENT &&
                         tp_env_is_plain(w, v->type);
    if (is_free)
      tp_str_printf(&w->text, "  __VERIFIER_nondet_memory(&%s, sizeof %s);\n", v->name, v->name);
  }
}

static bool is_function_pointer(const tp_environment *w, tp_type type) {
  const tp_type_info *t = tp_env_type(w, type);
  return t->kind == TP_T_POINTER && t->element.id &&
         tp_env_type(w, t->element)->kind == TP_T_FUNCTION;
}

/* The call itself; a pointer that it returns stays reachable. Types of the model have no const:
 * pointers to functions of such types are converted. */
static void write_call(tp_environment *w) {
  const tp_type_info *t = tp_env_type(w, w->f->type);
  tp_str call = {0};
  if (w->is_made) tp_str_add(&w->text, "  " TP_ENVIRONMENT_CALLED " = 1;\n");
  tp_str_printf(&call, "%s(", w->f->name);
  for (uint32_t i = 0; i < t->n_params; i++)
    tp_str_printf(&call, "%s%s%s", i ? ", " : "",
                  is_function_pointer(w, tp_env_param(w, i)) ? "(void *)" : "",
                  tp_env_name_of(w, i));
  tp_str_add(&call, ")");
  const char *text = tp_str_text(&call);
  if (w->keeps_result && !tp_env_is_void(w, t->element))
    tp_str_printf(&w->text, "  __typeof__(%s) twoproof_result = %s;\n  (void)twoproof_result;\n",
                  text, text);
  else if (tp_env_is_void(w, t->element) || tp_env_is_plain(w, t->element))
    tp_str_printf(&w->text, "  %s%s;\n", tp_env_is_void(w, t->element) ? "" : "(void)", text);
  else if (tp_env_type(w, t->element)->kind == TP_T_POINTER)
    tp_str_printf(&w->text, "  kept[%u] = (void *)%s;\n", w->n_kept++, text);
  else
    tp_str_printf(&w->text,
                  "  static __typeof__(%s) twoproof_result;\n  twoproof_result = %s;\n"
                  "  (void)twoproof_result;\n",
                  text, text);
  tp_str_clear(&call);
}

static void write_precondition(tp_environment *w) {
  if (!w->o->precondition) return;
  if (w->n_rooms != tp_requires_count_rooms(w->o->precondition))
    w->missing = "room(NAME, N) of --requires names no argument that leads to numbers or bytes";
  tp_str_printf(&w->text, "  __VERIFIER_assume(%s);\n",
                tp_requires_without_rooms(w->o->precondition, w->arena));
  tp_env_assume(w, "%s", w->o->precondition);
}

static void check_arguments(tp_environment *w) {
  const tp_type_info *t = tp_env_type(w, w->f->type);
  for (uint32_t i = 0; i < t->n_params && !w->missing; i++) {
    const tp_type_info *a = tp_env_type(w, t->params[i]);
    const bool is_known = a->kind == TP_T_POINTER || a->size_bytes > 0;
    if (!is_known)
      w->missing = tp_arena_printf(w->arena, "its argument %s has a type without definition",
                                   tp_env_shown(w, tp_env_name_of(w, i)));
    else if (a->kind == TP_T_POINTER && a->element.id &&
             strstr(tp_env_type(w, a->element)->name, "__va_list_tag"))
      w->missing = "it takes the further arguments of another function (va_list)";
    else if (!a->name[0])
      w->missing = tp_arena_printf(w->arena, "its argument %s has a type without name",
                                   tp_env_shown(w, tp_env_name_of(w, i)));
  }
}

/* Values of all arguments, numbers first. NULL, or an obstacle. */
static const char *make_arguments(tp_environment *w) {
  if (!w->f->type.id) return "its type is not known";
  const tp_type_info *t = tp_env_type(w, w->f->type);
  check_arguments(w);
  if (w->missing) return w->missing;
  for (uint32_t i = 0; i < t->n_params; i++) {
    const char *declared = tp_env_declared(w, t->params[i], tp_env_name_of(w, i));
    if (w->twins) {
      tp_str_printf(&w->twins->declarations, "static %s;\nstatic %s;\n", declared,
                    tp_env_twin(w, declared));
      tp_vec_push(&w->twins->arguments, tp_env_name_of(w, i));
    } else {
      tp_str_printf(&w->text, "  %s;\n", declared);
    }
  }
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t i = 0; i < t->n_params; i++) {
      if ((tp_env_type(w, t->params[i])->kind == TP_T_POINTER) != (turn == 1)) continue;
      write_argument(w, i);
      if (turn == 0) bound_count(w, i);
    }
  if (t->is_variadic) tp_env_assume(w, "%s is called without variable arguments", w->f->name);
  return NULL;
}

static void clear(tp_environment *w) {
  tp_vec_clear(&w->path);
  tp_vec_clear(&w->variables);
  tp_vec_clear(&w->strings);
  tp_vec_clear(&w->made);
  tp_str_clear(&w->stubs);
  tp_str_clear(&w->text);
}

/* Behind the files that are included, so that only calls of the environment mean this. */
static const char malloc_never_fails[] =
    "#define __builtin_malloc(n) __extension__({ void *twoproof_new = __builtin_malloc(n); "
    "__VERIFIER_assume(twoproof_new != 0); twoproof_new; })\n";

const char *tp_environment_write(const tp_program *p, tp_func f, const char *file,
                                 const tp_environment_options *options, tp_arena *arena,
                                 tp_str *text, tp_environment_assumptions *assumptions) {
  TP_REQUIRE(p && f.id && f.id < p->funcs.n && options && text && assumptions);
  tp_environment w = {.p = p,
                      .f = &p->funcs.at[f.id],
                      .number = f,
                      .o = options,
                      .arena = arena,
                      .assumptions = assumptions};
  tp_makers makers;
  if (options->has_made) tp_makers_init(&makers, p, f, options->n_exported, options->seen);
  w.makers = options->has_made ? &makers : NULL;
  tp_env_find_reads(&w);
  const char *missing = make_arguments(&w);
  tp_env_end_reads(&w);
  if (!missing && options->has_made && !w.is_made)
    missing = "no function of its file makes a structure that it takes";
  if (options->has_made) tp_makers_clear(&makers);
  if (!missing) {
    if (options->has_any_globals) write_globals(&w);
    write_precondition(&w);
    missing = w.missing;
  }
  if (!missing) {
    write_call(&w);
    tp_str_printf(
        text,
        "// Calls %s with any arguments of its types.\n#define main twoproof_own_main\n"
        "#include \"%s\"\n#undef main\n%s%s%s%sstatic void *kept[%u];\n%s\nint main(void) {\n%s%s  "
        "return 0;\n}\n",
        w.f->name, file, tp_input_declarations, options->keeps_objects ? malloc_never_fails : "",
        w.has_others ? "static void *others[256];\nstatic unsigned n_others;\n" : "",
        w.is_made ? "static int " TP_ENVIRONMENT_CALLED ";\n" : "", w.n_kept + 1,
        tp_str_text(&w.stubs), options->structures ? tp_env_free_errno(&w) : "",
        tp_str_text(&w.text));
  }
  clear(&w);
  return missing;
}

/* One function's arguments and its call, as a function of its own. */
static void write_module_call(tp_environment *w, tp_environment_call *call, uint32_t number,
                              tp_str *functions) {
  w->f = &w->p->funcs.at[call->func.id];
  w->number = call->func;
  call->name = tp_arena_strdup(w->arena, w->f->name);
  w->assumptions = &call->assumptions;
  w->missing = NULL;
  w->variables.n = 0;
  const size_t n_before = w->stubs.n;
  call->missing = make_arguments(w);
  if (!call->missing) {
    write_call(w);
    tp_str_printf(functions, "static void " TP_ENVIRONMENT_CALL "%u(void) {\n%s}\n", number,
                  tp_str_text(&w->text));
  } else {
    w->stubs.n = n_before;
    if (w->stubs.text) w->stubs.text[n_before] = 0;
  }
  tp_str_clear(&w->text);
}

uint32_t tp_environment_write_module(const tp_program *p, tp_environment_call *calls, size_t n,
                                     const char *file, const tp_environment_options *options,
                                     tp_arena *arena, tp_str *text, tp_str *stubs) {
  TP_REQUIRE(p && calls && file && options && text && stubs);
  tp_environment w = {.p = p, .o = options, .arena = arena, .keeps_result = true};
  tp_environment_assumptions of_globals = {0};
  tp_str functions = {0}, cases = {0};
  uint32_t n_cases = 0;
  for (size_t i = 0; i < n; i++) {
    write_module_call(&w, &calls[i], n_cases, &functions);
    if (calls[i].missing) continue;
    tp_str_printf(&cases, "    case %u: " TP_ENVIRONMENT_CALL "%u(); break;\n", n_cases, n_cases);
    n_cases++;
  }
  w.assumptions = &of_globals;
  if (options->has_any_globals) write_globals(&w);
  tp_str_printf(
      text,
      "// Calls one function of the module with any arguments of its types.\n#define main "
      "twoproof_own_main\n#include \"%s\"\n#undef main\n%s%sstatic void *kept[%u];\n%s%s\nint "
      "main(void) {\n%s  switch (__VERIFIER_nondet_u%s() %% %u) {\n%s  }\n  return 0;\n}\n",
      file, tp_input_declarations,
      w.has_others ? "static void *others[256];\nstatic unsigned n_others;\n" : "", w.n_kept + 1,
      tp_str_text(&w.stubs), tp_str_text(&functions), tp_str_text(&w.text),
      n_cases > 256 ? "int" : "char", n_cases ? n_cases : 1, tp_str_text(&cases));
  tp_str_add(stubs, tp_str_text(&w.stubs));
  tp_str_clear(&functions);
  tp_str_clear(&cases);
  tp_vec_clear(&of_globals);
  clear(&w);
  return n_cases;
}

const char *tp_environment_write_twins(const tp_program *p, tp_func f,
                                       const tp_environment_options *options, tp_arena *arena,
                                       tp_env_twins *out, tp_environment_assumptions *assumptions) {
  TP_REQUIRE(p && f.id && f.id < p->funcs.n && options && out && assumptions);
  tp_environment w = {.p = p,
                      .f = &p->funcs.at[f.id],
                      .number = f,
                      .o = options,
                      .arena = arena,
                      .assumptions = assumptions,
                      .twins = out};
  const uint32_t n = w.f->type.id ? tp_env_type(&w, w.f->type)->n_params : 0;
  for (uint32_t i = 0; i < n; i++) {
    const char *name = tp_env_name_of(&w, i);
    tp_vec_push(&w.variables, (tp_env_variable){name, name + strlen(TP_ENV_NEW)});
  }
  const char *missing = make_arguments(&w);
  tp_str_add(&out->declarations, tp_str_text(&w.stubs));
  tp_str_add(&out->statements, tp_str_text(&w.text));
  clear(&w);
  return missing;
}

/* A type of the same representation that needs no declaration. */
static const char *plain_name(const tp_type_info *t) {
  static const char *const of_sizes[][2] = {{"unsigned char", "signed char"},
                                            {"unsigned short", "short"},
                                            {"unsigned", "int"},
                                            {"unsigned long long", "long long"},
                                            {"unsigned __int128", "__int128"}};
  if (t->kind == TP_T_POINTER) return "void *";
  if (t->kind == TP_T_BOOL) return "_Bool";
  if (t->kind == TP_T_FLOAT) return t->size_bytes == 4 ? "float" : "double";
  size_t i = 0;
  while (i < 4 && (1u << i) < t->size_bytes) i++;
  return of_sizes[i][t->is_signed];
}

bool tp_environment_write_unknown(const tp_program *p, tp_func f, tp_arena *arena,
                                  tp_env_twins *out, tp_str *definition) {
  tp_environment w = {.p = p, .f = &p->funcs.at[f.id], .number = f, .arena = arena, .twins = out};
  if (!w.f->type.id) return false;
  const char *name = tp_arena_printf(arena, "twoproof_unknown_%s", w.f->name);
  const bool is_written = tp_env_write_answers(&w, w.f->type, "", name);
  tp_str_add(&out->declarations, tp_str_text(&w.stubs));
  if (is_written) {
    const tp_type_info *t = tp_env_type(&w, w.f->type);
    const char *parameters = "", *arguments = "", *result = plain_name(tp_env_type(&w, t->element));
    for (uint32_t i = 0; i < t->n_params; i++) {
      const char *comma = i ? ", " : "";
      parameters = tp_arena_printf(arena, "%s%s%s a%u", parameters, comma,
                                   plain_name(tp_env_type(&w, t->params[i])), i + 1);
      arguments = tp_arena_printf(arena, "%s%sa%u", arguments, comma, i + 1);
    }
    if (t->n_params == 0) parameters = "void";
    tp_str_printf(definition, "extern %s %s(%s);\n%s %s(%s) { return %s(%s); }\n", result, name,
                  parameters, result, w.f->name, parameters, name, arguments);
  }
  clear(&w);
  return is_written;
}

const char *tp_environment_declared(const tp_program *p, tp_type type, const char *name,
                                    tp_arena *arena) {
  const tp_environment w = {.p = p, .arena = arena};
  return tp_env_declared(&w, type, name);
}

bool tp_environment_is_plain(const tp_program *p, tp_type type) {
  const tp_environment w = {.p = p};
  return tp_env_is_plain(&w, type);
}
