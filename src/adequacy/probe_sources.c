/* Predicates of users: from a file, and from probe functions in the source, translated at every
 * cutpoint where their arguments exist. */
#include "adequacy/probe_sources.h"

#include "adequacy/adequacy_limits.h"
#include "front/front.h"
#include "expression/pure_function.h"
#include "expression/scope.h"

#include <ctype.h>

void tp_probes_add(tp_probes *out, tp_arena *arena, tp_loc at, tp_term term, const char *name) {
  for (size_t i = 0; i < out->n; i++)
    if (out->at[i].at.id == at.id && tp_term_eq(out->at[i].term, term)) return;
  tp_vec_push(out, (tp_probe){at, term, tp_arena_strdup(arena, name)});
}

// ------------------------------------------------------------------------ files

typedef struct {
  tp_probes *out;
  tp_arena *arena;
} adder;

static void add_found(void *ctx, tp_loc at, tp_term term, const char *text) {
  adder *a = ctx;
  tp_probes_add(a->out, a->arena, at, term, text);
}

tp_status tp_probes_from_file(const tp_program *p, tp_predicate_locations cutpoints,
                              const char *path, tp_diag *diag, tp_arena *arena, tp_probes *out) {
  adder a = {out, arena};
  return tp_predicates_read(p, cutpoints, path, diag, (tp_predicate_sink){&a, add_found});
}

void tp_probes_write(const tp_program *p, const tp_probes *probes, tp_str *out) {
  for (size_t i = 0; i < probes->n; i++)
    tp_predicate_write(p, probes->at[i].at, probes->at[i].name, out);
}

// ----------------------------------------------------------------------- source

static bool is_probe(const tp_func_info *f) {
  return f->has_body && strncmp(f->name, TP_PROBE_PREFIX, strlen(TP_PROBE_PREFIX)) == 0;
}

static bool is_same_type(tp_c_type a, tp_c_type b) {
  if (a.kind != b.kind || a.width != b.width || a.is_signed != b.is_signed) return false;
  return a.kind != TP_T_POINTER || a.type.id == b.type.id || a.type.id == 0 || b.type.id == 0;
}

/* The visible variable that a parameter is named after; false: there is none of this type. */
static bool find_argument(const tp_program *p, tp_loc at, tp_var parameter, tp_c_value *out) {
  const tp_var_info *want = tp_var_of(p, parameter);
  tp_name_meaning m = tp_scope_find(p, at, want->name);
  tp_str why = {0};
  if (m.kind == TP_NAME_VAR) {
    const tp_var_info *v = tp_var_of(p, m.var);
    tp_c_type type = tp_c_type_of(p, v->type);
    *out = v->is_address ? tp_c_value_at(p, type, v->term, tp_mk_true(p->terms))
                         : tp_c_value_of(p, type, v->term);
  } else if (m.kind == TP_NAME_STATIC) {
    *out = tp_c_value_at(p, tp_c_type_of(p, p->statics.at[m.object].type),
                         tp_mk_ptr_const(p->terms, m.object, 0), tp_mk_true(p->terms));
  } else {
    return false;
  }
  bool ok = tp_c_value_load(p, out, &why) == TP_OK &&
            is_same_type(out->type, tp_c_type_of(p, want->type));
  tp_str_clear(&why);
  return ok;
}

static bool find_arguments(const tp_program *p, tp_loc at, const tp_func_info *f,
                           tp_c_value *arguments) {
  if (f->n_params > TP_ADEQUACY_PROBE_PARAMETERS ||
      tp_func_of(p, tp_loc_of(p, at)->func)->object == f->object)
    return false;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (!find_argument(p, at, f->params[i], &arguments[i])) return false;
  return true;
}

static tp_status ask_everywhere(const tp_program *p, tp_predicate_locations cutpoints,
                                tp_func probe, tp_diag *diag, tp_arena *arena, tp_probes *out) {
  const tp_func_info *f = tp_func_of(p, probe);
  tp_c_value arguments[TP_ADEQUACY_PROBE_PARAMETERS], v;
  tp_str name = {0}, why = {0};
  size_t n = 0;
  tp_str_printf(&name, "%s(", f->name);
  for (uint32_t i = 0; i < f->n_params; i++)
    tp_str_printf(&name, "%s%s", i ? ", " : "", tp_var_of(p, f->params[i])->name);
  tp_str_add_char(&name, ')');
  for (size_t i = 0; i < cutpoints.n && why.n == 0; i++) {
    if (!find_arguments(p, cutpoints.at[i], f, arguments)) continue;
    n++;
    if (tp_pure_call(p, probe, arguments, f->n_params, &v, &why) != TP_OK ||
        tp_c_condition(p, v, &v, &why) != TP_OK)
      continue;
    tp_probes_add(out, arena, cutpoints.at[i], tp_mk_and(p->terms, v.defined, v.value),
                  tp_str_text(&name));
  }
  if (why.n)
    tp_diag_say(diag, TP_ERROR, f->pos, "probe", "%s", tp_str_text(&why));
  else if (n == 0)
    tp_diag_say(diag, TP_ERROR, f->pos, "probe",
                "no cutpoint sees variables with the names and types of the parameters of %s",
                f->name);
  bool ok = why.n == 0 && n > 0;
  tp_str_clear(&why);
  tp_str_clear(&name);
  return ok ? TP_OK : TP_ERR_INPUT;
}

/* A static function that nobody calls is gone before we see it. */
static void warn_of_dropped(const tp_program *p, const char *path, tp_diag *diag) {
  tp_str text = {0};
  if (tp_read_file(path, &text) != TP_OK) return;
  uint32_t line = 1;
  const char *start = tp_str_text(&text);
  for (const char *c = start; *c; c++) {
    if (*c == '\n') line++, start = c + 1;
    bool is_start = c == tp_str_text(&text) || (!isalnum((unsigned char)c[-1]) && c[-1] != '_');
    if (!is_start || strncmp(c, TP_PROBE_PREFIX, strlen(TP_PROBE_PREFIX)) != 0) continue;
    char name[256];
    size_t n = strlen(TP_PROBE_PREFIX);
    while (n + 1 < sizeof name && (isalnum((unsigned char)c[n]) || c[n] == '_')) n++;
    memcpy(name, c, n);
    name[n] = 0;
    if (c[n] != '(' || tp_scope_function(p, name).id) continue;
    tp_diag_say(
        diag, TP_WARNING, (tp_pos){tp_diag_file(diag, path), line, (uint32_t)(c - start) + 1},
        "probe",
        "the compiler has dropped this probe; __attribute__((used)) keeps static functions");
  }
  tp_str_clear(&text);
}

tp_status tp_probes_from_source(const tp_program *p, tp_predicate_locations cutpoints,
                                const char *const *files, size_t n_files, tp_diag *diag,
                                tp_arena *arena, tp_probes *out) {
  tp_status st = TP_OK;
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    tp_pos where = f->pos;
    const char *what;
    if (!is_probe(f)) continue;
    if (tp_function_is_impure(p, (tp_func){i}, &where, &what)) {
      tp_diag_say(diag, TP_ERROR, where, "probe", "%s is no probe: it %s", f->name, what);
      st = TP_ERR_INPUT;
    } else if (ask_everywhere(p, cutpoints, (tp_func){i}, diag, arena, out) != TP_OK) {
      st = TP_ERR_INPUT;
    }
  }
  for (size_t i = 0; i < n_files; i++) warn_of_dropped(p, files[i], diag);
  return st;
}
