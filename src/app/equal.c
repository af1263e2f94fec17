/* Both versions are read as modules, each alone; what they have in common becomes the program that
 * compares them. */
#include "app/equal.h"

#include "app/app_limits.h"
#include "app/equal_write.h"
#include "app/made_source.h"
#include "app/options_intake.h"
#include "base/files.h"
#include "front/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void tp_equal_clear(tp_equal *e) {
  tp_vec_clear(&e->draws);
  tp_vec_clear(&e->sites);
  tp_vec_clear(&e->assumptions);
  tp_vec_clear(&e->calls);
  if (e->program) tp_program_free(e->program);
}

// ----------------------------------------------------------------------- reading

/* The files with the first one replaced. */
static tp_status load(const tp_options *o, const char *first, tp_diag *diag, tp_program **p,
                      uint32_t *n_exported) {
  TP_VEC(const char *) files = {0};
  tp_vec_push(&files, first);
  for (size_t i = 1; i < o->files.n; i++) tp_vec_push(&files, o->files.at[i]);
  tp_front_options front = tp_options_front(o, TP_P_UNREACH_CALL);
  front.files = files.at;
  if (o->timelimit > 0) front.clang_cpu_s = (uint32_t)o->timelimit + 1;
  const tp_status st = tp_front_load_module(&front, diag, p, n_exported);
  tp_vec_clear(&files);
  return st;
}

/* What all files of the old version define, whether the function needs it or not. */
static tp_status read_names(const tp_options *o, tp_equal_program *w) {
  tp_front_options front = tp_options_front(o, TP_P_UNREACH_CALL);
  tp_status st = TP_OK;
  for (size_t i = 0; i < o->files.n && st == TP_OK; i++) {
    tp_front_symbols symbols = {0};
    tp_str messages = {0};
    st =
        tp_front_symbols_read(&front, i ? o->files.at[i] : o->equal, w->arena, &symbols, &messages);
    for (size_t k = 0; k < symbols.defined.n; k++)
      tp_vec_push(&w->old_names, symbols.defined.at[k]);
    tp_front_symbols_clear(&symbols);
    tp_str_clear(&messages);
  }
  return st;
}

static tp_func find(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (f->has_body && !f->is_model && f->type.id && strcmp(f->name, name) == 0)
      return (tp_func){i};
  }
  return TP_FUNC_NONE;
}

// ----------------------------------------------------------------------- globals

/* A file-scope variable as either table of the model has it. */
typedef struct {
  const char *name;
  tp_type type;
  tp_pos pos;
  bool is_const, is_internal;
} variable;
typedef TP_VEC(variable) variable_list;

static bool is_of_model(const tp_program *p, const char *name, tp_pos pos) {
  if (strncmp(name, "__tp_", 5) == 0) return true;
  for (size_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].is_model && p->funcs.at[f].pos.file == pos.file) return true;
  return !tp_pos_known(pos);
}

static void list_variables(const tp_program *p, variable_list *out) {
  for (size_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    if (s->kind == TP_O_GLOBAL && !s->enclosing_function && !s->is_extern && s->type.id &&
        !is_of_model(p, s->name, s->pos))
      tp_vec_push(out, (variable){s->name, s->type, s->pos, s->is_const, s->is_internal});
  }
  for (size_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->kind == TP_V_GLOBAL && !v->enclosing_function && v->type.id && !v->is_address &&
        v->name[0] != '.' && v->absence == TP_PRESENT && !is_of_model(p, v->name, v->pos))
      tp_vec_push(out, (variable){v->name, v->type, v->pos, false, v->is_internal});
  }
}

static const variable *find_variable(const variable_list *list, const char *name) {
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->at[i].name, name) == 0) return &list->at[i];
  return NULL;
}

/* Static variables of further files are two that nobody else sees. */
static bool is_visible(const tp_diag *diag, const tp_options *o, const variable *v) {
  if (!v->is_internal) return true;
  char *of_variable = realpath(tp_diag_path_as_given(diag, v->pos.file), NULL);
  bool is_other = false;
  for (size_t i = 1; i < o->files.n && of_variable; i++) {
    char *path = realpath(tp_intake_compiled(o->files.at[i]), NULL);
    is_other |= path && strcmp(path, of_variable) == 0;
    free(path);
  }
  free(of_variable);
  return !is_other;
}

static void assume(tp_equal *e, tp_arena *arena, const char *fmt, ...) TP_PRINTF(3, 4);
static void assume(tp_equal *e, tp_arena *arena, const char *fmt, ...) {
  char text[500];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  tp_vec_push(&e->assumptions, tp_arena_strdup(arena, text));
}

static void match_global(const tp_options *o, const tp_diag *diag, tp_equal *e, tp_equal_program *w,
                         const variable *old, const variable *new) {
  const char *why =
      !is_visible(diag, o, new) || !is_visible(diag, o, old)
          ? "it is static in a further file"
          : tp_equal_types_differ(w->old, old->type, w->new, new->type, new->name, w->arena);
  if (why) {
    assume(e, w->arena, "variable %s is as initialised and not compared: %s", new->name, why);
    return;
  }
  const tp_type_info *t = tp_type_of(w->new.program, new->type);
  const bool is_scalar = t->kind == TP_T_INT || t->kind == TP_T_FLOAT || t->kind == TP_T_BOOL ||
                         t->kind == TP_T_ENUM || t->kind == TP_T_POINTER;
  const bool is_any = strcmp(o->globals, "any") == 0 || tp_option_is_default(o, "globals"),
             is_free = is_any &&
                       (t->kind == TP_T_BOOL || tp_environment_is_plain(w->new.program, new->type));
  tp_vec_push(&w->globals,
              (tp_equal_global){.name = tp_arena_strdup(w->arena, new->name),
                                .type = new->type,
                                .is_scalar = is_scalar,
                                .is_old_static = old->is_internal,
                                .is_free = is_free && (!is_scalar || tp_input_function_of(t))});
  if (!is_free) assume(e, w->arena, "variable %s is as initialised before the call", new->name);
}

static void match_globals(const tp_options *o, const tp_diag *diag, tp_equal *e,
                          tp_equal_program *w) {
  variable_list old = {0}, new = {0};
  list_variables(w->old.program, &old);
  list_variables(w->new.program, &new);
  for (size_t i = 0; i < new.n; i++) {
    const variable *v = &new.at[i], *same = find_variable(&old, v->name);
    if (!same && !v->is_const)
      assume(e, w->arena, "variable %s is only in %s: as initialised, and not compared", v->name,
             e->new);
    else if (same && !v->is_const && !same->is_const)
      match_global(o, diag, e, w, same, v);
  }
  for (size_t i = 0; i < old.n; i++)
    if (!old.at[i].is_const && !find_variable(&new, old.at[i].name))
      assume(e, w->arena, "variable %s is only in %s: as initialised, and not compared",
             old.at[i].name, e->old);
  tp_vec_clear(&old);
  tp_vec_clear(&new);
}

/* A variable that nothing defines would be one for both versions; NULL: there is none. */
static const char *undefined_variable(const tp_program *p) {
  const char *found = NULL;
  for (size_t i = 1; i < p->vars.n && !found; i++)
    if (p->vars.at[i].absence == TP_ABSENT && !tp_chk_native_has_variable(p->vars.at[i].name))
      found = p->vars.at[i].name;
  for (size_t i = 1; i < p->statics.n && !found; i++)
    if (p->statics.at[i].absence == TP_ABSENT && p->statics.at[i].is_extern &&
        p->statics.at[i].kind == TP_O_GLOBAL && !tp_chk_native_has_variable(p->statics.at[i].name))
      found = p->statics.at[i].name;
  return found;
}

/* The C library is one for both. */
static void assume_library(tp_equal *e, const tp_equal_program *w) {
  const tp_program *p = w->new.program;
  bool has_state = false;
  for (size_t i = 1; i < p->vars.n; i++)
    has_state |= p->vars.at[i].kind == TP_V_GLOBAL && p->vars.at[i].name[0] != '.' &&
                 is_of_model(p, p->vars.at[i].name, p->vars.at[i].pos);
  for (size_t i = 1; i < p->statics.n; i++)
    has_state |=
        p->statics.at[i].kind == TP_O_GLOBAL && !p->statics.at[i].is_const &&
        (p->statics.at[i].is_extern || is_of_model(p, p->statics.at[i].name, p->statics.at[i].pos));
  if (has_state)
    assume(e, w->arena,
           "the C library's own state (of strtok, open files, ...) is for %s as %s leaves it",
           e->new, e->old);
}

/* Variables that a function keeps for itself: another file has no name for them. */
static void assume_hidden(tp_equal *e, const tp_equal_program *w, const tp_program *p,
                          const char *file) {
  for (size_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    if (s->kind == TP_O_GLOBAL && s->enclosing_function && !s->is_const &&
        !is_of_model(p, s->name, s->pos))
      assume(e, w->arena, "static variable %s of %s in %s is as initialised, and not compared",
             s->name, s->enclosing_function, file);
  }
  for (size_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->kind == TP_V_GLOBAL && v->enclosing_function && v->type.id &&
        !is_of_model(p, v->name, v->pos))
      assume(e, w->arena, "static variable %s of %s in %s is as initialised, and not compared",
             v->name, v->enclosing_function, file);
  }
}

// ----------------------------------------------------------------------- writing

static const char first_unit[] = "old.c";

/* The units of the old version: its file, and a copy of each further one. */
static tp_status put_old(tp_options *o, const tp_equal_program *w, tp_arena *arena) {
  const size_t n = o->files.n;
  for (size_t i = 0; i < n; i++) {
    char *file = i == 0 ? NULL : realpath(tp_intake_compiled(o->files.at[i]), NULL);
    const bool is_known = i == 0 || (file && tp_is_includable(file));
    const char *path = NULL;
    tp_str text = {0};
    if (is_known) tp_equal_write_old(w, i == 0 ? w->old_path : file, i == 0, &text);
    if (!is_known)
      fprintf(stderr, "twoproof: %s cannot be included\n", o->files.at[i]);
    else if (o->harness)
      printf("// ---- %s\n%s", i == 0 ? first_unit : "another unit of the old version",
             tp_str_text(&text));
    else
      path = tp_made_source(o, i == 0 ? first_unit : tp_arena_printf(arena, "old_%zu.c", i), &text,
                            arena);
    tp_str_clear(&text);
    free(file);
    if (!is_known || (!path && !o->harness)) return TP_ERR_INPUT;
    if (path) tp_vec_push(&o->files, path);
  }
  return TP_OK;
}

static void assume_comparison(tp_equal *e, const tp_equal_program *w) {
  assume(e, w->arena, "whether %s returns at all is not compared", w->name);
  assume(e, w->arena,
         "inputs on which %s has undefined behaviour are left out: %s may do anything there",
         e->old, e->new);
  if (w->comparer.is_cut)
    assume(e, w->arena,
           "objects that the functions make are compared as deep as --cells, %u pointers behind "
           "each other",
           w->comparer.depth);
  if (w->comparer.has_arrays)
    assume(e, w->arena,
           "of an array that the functions make the first element is compared, of a string all");
  if (w->comparer.has_unions)
    assume(e, w->arena, "of a union with pointers the first member is compared");
  if (w->comparer.has_functions)
    assume(e, w->arena, "of pointers to functions only whether they are null is compared");
}

/* Could a call of the function write memory, as far as its declaration says? */
static bool may_write(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *edge = &p->edges.at[i];
    if (edge->kind == TP_E_HAVOC && edge->may_write && edge->name && strcmp(edge->name, name) == 0)
      return true;
  }
  return false;
}

/* Functions without body of one version; those that were written before are left alone. */
static void write_unknown(tp_equal *e, tp_equal_program *w, const tp_program *p,
                          tp_option_paths *known, tp_str *unit) {
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    bool is_known = f->absence != TP_ABSENT || f->purity != TP_IMPURE || may_write(p, f->name);
    for (size_t k = 0; k < known->n && !is_known; k++)
      is_known = strcmp(known->at[k], f->name) == 0;
    if (is_known || !tp_environment_write_unknown(p, (tp_func){i}, w->arena, &w->twins, unit))
      continue;
    tp_vec_push(known, tp_arena_strdup(w->arena, f->name));
    assume(e, w->arena,
           "%s has no body: it returns the same value for the same arguments in both versions, at "
           "most %d different ones, and writes nothing",
           f->name, TP_APP_EQUAL_ANSWERS);
  }
}

/* The unit of functions that nobody defines, or NULL. */
static tp_status put_unknown(tp_options *o, tp_equal_program *w, const tp_str *unit) {
  if (unit->n == 0) return TP_OK;
  if (o->harness) {
    printf("// ---- unknown.c\n%s", tp_str_text(unit));
    return TP_OK;
  }
  const char *path = tp_made_source(o, "unknown.c", unit, w->arena);
  if (path) tp_vec_push(&o->files, path);
  return path ? TP_OK : TP_ERR_INPUT;
}

/* Writes all units. */
static tp_status write_program(tp_options *o, tp_equal *e, tp_equal_program *w) {
  tp_str text = {0}, unknown = {0};
  tp_option_paths names = {0};
  write_unknown(e, w, w->new.program, &names, &unknown);
  write_unknown(e, w, w->old.program, &names, &unknown);
  tp_vec_clear(&names);
  tp_equal_write_main(w, &text);
  e->first_draw = w->first_draw;
  e->first_site = w->first_site;
  for (size_t i = 0; i < w->twins.draws.n; i++) tp_vec_push(&e->draws, w->twins.draws.at[i]);
  for (size_t i = 0; i < w->comparer.sites.n; i++) tp_vec_push(&e->sites, w->comparer.sites.at[i]);
  assume_comparison(e, w);
  tp_status st = TP_OK;
  if (o->harness) {
    for (size_t i = 0; i < e->calls.n; i++)
      printf("// %s is called with: %s\n", w->name, e->calls.at[i]);
    fwrite(tp_str_text(&text), 1, text.n, stdout);
    st = put_old(o, w, w->arena);
  } else {
    const char *path = tp_made_source(o, "entry.c", &text, w->arena);
    st = path ? put_old(o, w, w->arena) : TP_ERR_INPUT;
    if (st == TP_OK) o->files.at[0] = e->harness = path;
  }
  if (st == TP_OK) st = put_unknown(o, w, &unknown);
  tp_str_clear(&text);
  tp_str_clear(&unknown);
  return st;
}

static const char *fit(const tp_equal_program *w) {
  return tp_equal_types_differ(w->old, tp_func_of(w->old.program, w->old_function)->type, w->new,
                               tp_func_of(w->new.program, w->new_function)->type, w->name,
                               w->arena);
}

static bool is_exported(tp_func f, uint32_t n_exported) { return f.id <= n_exported; }

/* Both programs are read. */
static tp_status compare(tp_options *o, tp_diag *diag, tp_equal *e, tp_equal_program *w) {
  w->old_function = find(w->old.program, w->name);
  w->new_function = find(w->new.program, w->name);
  w->is_old_static = w->old_function.id && !is_exported(w->old_function, w->n_old_exported);
  const char *missing = NULL;
  if (!w->old_function.id || !w->new_function.id)
    missing = tp_arena_printf(w->arena, "there is no function of this name with a body in %s",
                              w->old_function.id ? e->new : e->old);
  if (!missing) missing = fit(w);
  const char *undefined = missing ? NULL : undefined_variable(w->old.program);
  if (!missing && !undefined) undefined = undefined_variable(w->new.program);
  if (undefined)
    missing =
        tp_arena_printf(w->arena, "nothing defines the variable %s: is a file missing?", undefined);
  if (!missing) {
    const tp_environment_options options = {.depth = (uint32_t)o->cells,
                                            .elements = (uint32_t)o->elements,
                                            .has_null = o->nulls,
                                            .has_aliases = o->aliases};
    missing = tp_environment_write_twins(w->new.program, w->new_function, &options, w->arena,
                                         &w->twins, &e->calls);
  }
  if (missing) {
    fprintf(stderr, "twoproof: %s of %s and %s cannot be compared: %s\n", w->name, e->old, e->new,
            missing);
    return TP_ERR_INPUT;
  }
  match_globals(o, diag, e, w);
  assume_library(e, w);
  assume_hidden(e, w, w->new.program, e->new);
  assume_hidden(e, w, w->old.program, e->old);
  w->comparer = (tp_equal_comparer){
      .program = w->new.program, .arena = w->arena, .depth = (uint32_t)o->cells};
  return write_program(o, e, w);
}

/* Both files by their own paths: each is included. */
static bool find_files(const tp_options *o, tp_equal *e, tp_arena *arena) {
  const char *const given[] = {o->equal, o->files.at[0]};
  const char **const paths[] = {&e->old_path, &e->new_path};
  for (int i = 0; i < 2; i++) {
    char *path = realpath(tp_intake_compiled(given[i]), NULL);
    if (path) *paths[i] = tp_arena_strdup(arena, path);
    const char *why = !path ? strerror(errno)
                      : !tp_is_includable(path)
                          ? "cannot be included: the name has quotes or line ends"
                      : access(path, R_OK) != 0 ? strerror(errno)
                                                : NULL;
    if (why) fprintf(stderr, "twoproof: %s: %s\n", given[i], why);
    free(path);
    if (why) return false;
  }
  return true;
}

tp_status tp_equal_prepare(tp_options *o, tp_diag *diag, tp_arena *arena, tp_equal *e) {
  TP_REQUIRE(o && o->equal[0] && o->entry[0] && o->files.n > 0 && e);
  e->function = o->entry;
  e->old = o->equal;
  e->new = o->files.at[0];
  if (!find_files(o, e, arena)) return TP_ERR_INPUT;
  tp_program *old = NULL, *new = NULL;
  tp_equal_program w = {
      .name = o->entry, .old_path = e->old_path, .new_path = e->new_path, .arena = arena};
  uint32_t n_exported = 0;
  tp_status st = load(o, o->equal, diag, &old, &w.n_old_exported);
  if (st == TP_OK) st = read_names(o, &w);
  if (st == TP_OK) st = load(o, o->files.at[0], diag, &new, &n_exported);
  if (st == TP_OK) {
    w.old = (tp_equal_version){old, e->old};
    w.new = (tp_equal_version){new, e->new};
    st = compare(o, diag, e, &w);
  }
  tp_env_twins_clear(&w.twins);
  tp_equal_comparer_clear(&w.comparer);
  tp_vec_clear(&w.globals);
  tp_vec_clear(&w.old_names);
  if (old) tp_program_free(old);
  e->program = new;
  return st;
}
