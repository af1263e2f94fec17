/* The program is read once as a module, which shows whether it has a main; then once for each
 * property, as `check` reads it: with main from main on, else as a module, in which the part of
 * each function is looked up. */
#include "app/survey.h"

#include "app/entry.h"
#include "app/exit.h"
#include "app/options_intake.h"
#include "app/process_guard.h"
#include "app/property.h"
#include "app/report_page.h"
#include "app/several.h"
#include "app/version.h"
#include "base/sha256.h"
#include "program/reach_text.h"
#include "report/json_text.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  const char *name;
  tp_pos pos;
  const char *obstacle;
  tp_str text;             // what the identity is the hash of
  tp_reach_places places;  // as they come, of all properties
} target;

typedef struct {
  tp_options *o;
  tp_diag *diag;
  tp_arena arena;
  TP_VEC(target) targets;
  bool has_main;
  bool asks_default;  // no property was chosen
} survey;

// ------------------------------------------------------------------------ options

static void add_file_text(const char *path, tp_str *out) {
  if (!path[0]) return;
  tp_str_printf(out, "file %s\n", path);
  (void)!tp_read_file(path, out);  // one that cannot be read is told by `check`
}

/* Values of all options, and what stands in files that they name. The configuration file has been
 * read into them. */
static void add_options(survey *s, tp_str *out) {
  const tp_options *o = s->o;
  tp_page_options options = {0};
  tp_report_page_options(o, &s->arena, &options);
  tp_str_printf(out, "%s\n", tp_version_text());
  for (size_t i = 0; i < options.n; i++) {
    const bool is_place = strcmp(options.at[i].name, "output") == 0;
    if (!is_place) tp_str_printf(out, "%s = %s\n", options.at[i].name, options.at[i].value);
  }
  for (size_t i = 0; i < o->files.n; i++) tp_str_printf(out, "source %s\n", o->files.at[i]);
  for (size_t i = 0; i < o->heads.n; i++) tp_str_printf(out, "head %s\n", o->heads.at[i]);
  if (strchr(o->property, '/') || strchr(o->property, '.')) add_file_text(o->property, out);
  add_file_text(o->monitor, out);
  add_file_text(o->load_precision, out);
  for (size_t i = 0; i < o->shape_class.n; i++) add_file_text(o->shape_class.at[i], out);
  tp_vec_clear(&options);
}

// ------------------------------------------------------------------------ targets

static target *add_target(survey *s, const char *name, tp_pos pos) {
  const target t = {.name = tp_arena_strdup(&s->arena, name), .pos = pos};
  tp_vec_push(&s->targets, t);
  return &tp_vec_last(&s->targets);
}

static uint32_t find_function(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && strcmp(p->funcs.at[i].name, name) == 0) return i;
  return 0;
}

static bool is_wanted(const survey *s, const tp_program *p, uint32_t number, uint32_t n_exported) {
  const tp_func_info *f = &p->funcs.at[number];
  if (s->o->entry[0]) return strcmp(s->o->entry, f->name) == 0 && f->has_body && !f->is_model;
  return number <= n_exported && tp_entry_is_listed(s->o, s->diag, f);
}

static void find_targets(survey *s, const tp_program *p, uint32_t n_exported) {
  const uint32_t main = find_function(p, "main");
  s->has_main = main && !s->o->entry[0] && !s->o->all_functions;
  if (s->has_main) {
    (void)add_target(s, "main", p->funcs.at[main].pos);
    return;
  }
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    if (!is_wanted(s, p, i, n_exported)) continue;
    target *t = add_target(s, p->funcs.at[i].name, p->funcs.at[i].pos);
    tp_environment_assumptions assumptions = {0};
    t->obstacle = tp_entry_environment(s->o, s->diag, p, i, 0, &s->arena, &t->text, &assumptions);
    for (size_t k = 0; k < assumptions.n; k++) tp_str_printf(&t->text, "%s\n", assumptions.at[k]);
    tp_vec_clear(&assumptions);
  }
}

static tp_status read_targets(survey *s) {
  tp_session session = {.o = s->o, .property = TP_P_UNREACH_CALL};
  tp_front_options front = tp_session_front(&session);
  front.monitors = NULL;  // main is woven with them; functions are looked up by their own code
  tp_program *p = NULL;
  uint32_t n_exported = 0;
  const tp_status st = tp_front_load_module(&front, s->diag, &p, &n_exported);
  if (st == TP_OK) find_targets(s, p, n_exported);
  if (p) tp_program_free(p);
  return st;
}

static int load(survey *s, tp_session *session, const char *name) {
  tp_str why = {0};
  const bool is_known = tp_property_of_argument(name, &session->property, &why) == TP_OK;
  if (!is_known) fprintf(stderr, "twoproof: %s\n", tp_str_text(&why));
  tp_str_clear(&why);
  if (!is_known) return TP_EXIT_USAGE;
  if (s->has_main) {
    s->o->property = name;
    return tp_session_load(session);
  }
  tp_front_options front = tp_session_front(session);
  front.monitors = NULL;
  uint32_t n_exported;
  const tp_status st = tp_front_load_module(&front, session->diag, &session->program, &n_exported);
  return st == TP_OK ? 0 : tp_session_cannot_load(session, st);
}

/* The session has its own names of files. */
static void add_places(survey *s, const tp_session *session, const tp_reach_places *from,
                       tp_reach_places *to) {
  for (size_t i = 0; i < from->n; i++) {
    tp_pos pos = from->at[i];
    if (pos.file) pos.file = tp_diag_file(s->diag, tp_diag_path_as_given(session->diag, pos.file));
    tp_vec_push(to, pos);
  }
}

/* The program of one property: what each target reaches. Returns an exit status. */
static int add_reached(survey *s, const char *name) {
  tp_session session;
  tp_session_init(&session, s->o);
  const int status = load(s, &session, name);
  const size_t before = tp_live_bytes();
  for (size_t i = 0; status == 0 && i < s->targets.n; i++) {
    target *t = &s->targets.at[i];
    const uint32_t f = find_function(session.program, t->name);
    tp_reach_places places = {0};
    tp_str_printf(&t->text, "property %s\n", name);
    if (f) tp_reach_text(session.program, (tp_func){f}, &t->text, &places);
    add_places(s, &session, &places, &t->places);
    tp_vec_clear(&places);
  }
  session.live_before += tp_live_bytes() - before;  // of the survey, which goes on
  tp_session_clear(&session);
  return status;
}

// --------------------------------------------------------------------------- JSON

typedef struct {
  tp_map index_of;  // file of diag -> position in the list + 1
  json_t *files;
} file_names;

static int index_of(const survey *s, file_names *names, uint32_t file) {
  uint64_t at;
  if (!tp_map_get(&names->index_of, file, &at)) {
    json_array_append_new(names->files, tp_json_text(tp_diag_path_as_given(s->diag, file)));
    at = json_array_size(names->files);
    tp_map_set(&names->index_of, file, at);
  }
  return (int)at - 1;
}

static void add_place(const survey *s, file_names *names, tp_pos pos, json_t *list) {
  json_array_append_new(list, json_integer(index_of(s, names, pos.file)));
  json_array_append_new(list, json_integer(pos.line));
  json_array_append_new(list, json_integer(pos.column));
}

/* Each known position once. Which of them are equal becomes part of the identity: then the n-th of
 * two lists belong to each other. */
static json_t *places_of(const survey *s, file_names *names, target *t) {
  json_t *list = json_array();
  tp_map numbers = {0};
  for (size_t i = 0; i < t->places.n; i++) {
    const tp_pos pos = t->places.at[i];
    const uint64_t key = (uint64_t)pos.file << 48 ^ (uint64_t)pos.line << 20 ^ pos.column;
    uint64_t number = numbers.n + 1;
    const bool is_new = tp_pos_known(pos) && !tp_map_get(&numbers, key, &number);
    if (is_new) {
      tp_map_set(&numbers, key, number);
      add_place(s, names, pos, list);
    }
    tp_str_printf(&t->text, " %llu", tp_pos_known(pos) ? (unsigned long long)number : 0ull);
  }
  tp_map_clear(&numbers);
  return list;
}

static json_t *arguments_of(const survey *s, const target *t) {
  json_t *list = json_array();
  if (s->has_main && s->asks_default) json_array_append_new(list, json_string("--all"));
  if (!s->has_main && !s->o->entry[0]) {
    tp_str word = {0};
    tp_str_printf(&word, "--entry=%s", t->name);
    json_array_append_new(list, tp_json_text(word.text));
    tp_str_clear(&word);
  }
  return list;
}

/* The folder of the run, in paths of made sources: the same program elsewhere is the same. */
static void leave_out_folder(tp_str *text) {
  char folder[4096];
  if (!getcwd(folder, sizeof folder - 1) || !text->n) return;
  const size_t n = strlen(strcat(folder, "/"));
  tp_str out = {0};
  const char *from = tp_str_text(text);
  for (const char *at; (at = strstr(from, folder)) != NULL; from = at + n)
    tp_str_add_n(&out, from, (size_t)(at - from));
  tp_str_add(&out, from);
  tp_str_clear(text);
  *text = out;
}

static json_t *target_of(survey *s, file_names *names, target *t) {
  json_t *o = json_object(), *place = json_array();
  add_place(s, names, t->pos, place);
  json_object_set_new(o, "name", tp_json_text(t->name));
  json_object_set_new(o, "place", place);
  json_object_set_new(o, "arguments", arguments_of(s, t));
  json_object_set_new(o, "places", places_of(s, names, t));
  if (t->obstacle) json_object_set_new(o, "obstacle", tp_json_text(t->obstacle));
  add_options(s, &t->text);
  leave_out_folder(&t->text);
  char hash[TP_SHA256_DIGITS + 1];
  tp_sha256(tp_str_text(&t->text), t->text.n, hash);
  json_object_set_new(o, "identity", json_string(hash));
  return o;
}

static void print(survey *s) {
  json_object_seed(1);  // the same bytes every time
  file_names names = {.files = json_array()};
  json_t *o = json_object(), *targets = json_array();
  for (size_t i = 0; i < s->targets.n; i++)
    json_array_append_new(targets, target_of(s, &names, &s->targets.at[i]));
  json_object_set_new(o, "has_main", json_boolean(s->has_main));
  json_object_set_new(o, "files", names.files);
  json_object_set_new(o, "targets", targets);
  char *text = json_dumps(o, JSON_COMPACT);
  if (!text) tp_out_of_memory(0);  // all strings are UTF-8
  puts(text);
  free(text);
  json_decref(o);
  tp_map_clear(&names.index_of);
}

// ------------------------------------------------------------------------- survey

static void clear(survey *s) {
  for (size_t i = 0; i < s->targets.n; i++) {
    tp_str_clear(&s->targets.at[i].text);
    tp_vec_clear(&s->targets.at[i].places);
  }
  tp_vec_clear(&s->targets);
  tp_diag_free(s->diag);
  tp_arena_clear(&s->arena);
}

static int survey_below_guard(void *ctx, int channel) {
  (void)channel;
  survey s = {.o = ctx, .diag = tp_diag_new(stderr, false)};
  const tp_status st = read_targets(&s);
  int status = st == TP_OK           ? 0
               : st == TP_ERR_INPUT  ? TP_EXIT_INPUT
               : st == TP_ERR_SYSTEM ? TP_EXIT_MISSING
                                     : TP_EXIT_UNKNOWN;
  s.asks_default = !s.o->all && tp_option_is_default(s.o, "property");
  if (s.asks_default && s.has_main) s.o->all = 1;
  if (s.asks_default && !s.has_main) s.o->property = tp_entry_properties;
  const char *asked = s.o->property;
  const char *const *properties;
  const size_t n = status == 0 ? tp_several_properties(s.o, &properties) : 0;
  for (size_t i = 0; status == 0 && i < n; i++) status = add_reached(&s, properties[i]);
  s.o->property = asked;
  if (status == 0) print(&s);
  clear(&s);
  return status;
}

int tp_survey_options(tp_options *o) {
  TP_REQUIRE(o);
  const tp_guard_limits limits = {.cpu_s = o->timelimit, .memory_bytes = (o->memlimit << 20) * 2};
  return tp_options_take_in(o, false) ? tp_guard_run(survey_below_guard, o, limits) : TP_EXIT_INPUT;
}

int tp_survey(int argc, char **argv) {
  tp_options o;
  tp_options_parse(&o, TP_FOR_CHECK, argc, argv);
  const int status = tp_survey_options(&o);
  tp_options_clear(&o);
  return status;
}
