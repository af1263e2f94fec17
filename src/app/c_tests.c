/* Each C file of the tests is a program of its own. A file that includes the module is not linked
 * with it a second time. */
#include "app/c_tests.h"

#include "app/app_limits.h"
#include "app/goal_text.h"
#include "app/made_source.h"
#include "base/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Made by the Makefile from lib/testing.
static const char *const cmocka[] = {
#include "app/cmocka.inc"
};

// --------------------------------------------------------------------- which files

static bool is_c_file(const char *path) {
  const size_t n = strlen(path);
  struct stat about;
  return n > 2 && strcmp(path + n - 2, ".c") == 0 && stat(path, &about) == 0 &&
         S_ISREG(about.st_mode);
}

typedef TP_VEC(const char *) paths;

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_files(const char *path, tp_arena *arena, paths *out) {
  if (is_c_file(path)) {
    tp_vec_push(out, tp_arena_strdup(arena, path));
    return;
  }
  DIR *dir = opendir(path);
  for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
    const char *file = tp_arena_printf(arena, "%s/%s", path, e->d_name);
    if (e->d_name[0] != '.' && is_c_file(file)) tp_vec_push(out, file);
  }
  if (dir) closedir(dir);
  if (out->n) qsort(out->at, out->n, sizeof *out->at, by_name);
}

static bool has(const char *folder, const char *name) {
  struct stat about;
  tp_str file = {0};
  tp_str_printf(&file, "%s/%s", folder, name);
  const bool is_there = stat(tp_str_text(&file), &about) == 0;
  tp_str_clear(&file);
  return is_there;
}

/* Suites and evidence that this tool wrote have their own form of tests (app/test_folder.h). */
static bool is_own(const char *path) {
  return has(path, "metadata.xml") || has(path, "inputs.txt");
}

bool tp_c_tests_are(const char *path) {
  tp_arena arena = {0};
  paths files = {0};
  if (path[0] && !is_own(path)) list_files(path, &arena, &files);
  const bool has_some = files.n > 0;
  tp_vec_clear(&files);
  tp_arena_clear(&arena);
  return has_some;
}

/* Has the file a line #include with the word in it? */
static bool includes(const char *file, const char *word) {
  tp_str text = {0};
  bool is_in = false;
  if (tp_read_file(file, &text) == TP_OK)
    for (const char *at = tp_str_text(&text); !is_in && (at = strstr(at, "#include")) != NULL;) {
      const size_t n = strcspn(at, "\n");
      const char *found = strstr(at, word);
      is_in = found && found < at + n;
      at += n;
    }
  tp_str_clear(&text);
  return is_in;
}

bool tp_c_tests_include(const char *path, const char *word) {
  tp_arena arena = {0};
  paths files = {0};
  list_files(path, &arena, &files);
  bool is_in = false;
  for (size_t i = 0; i < files.n; i++) is_in |= includes(files.at[i], word);
  tp_vec_clear(&files);
  tp_arena_clear(&arena);
  return is_in;
}

// ------------------------------------------------------------------- the same goal

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* File names are resolved: one model has the module by another name than the other. */
static uint64_t key_of(const tp_program *p, const tp_goal *g) {
  const char *given = tp_diag_path_as_given(p->diag, g->pos.file);
  char *path = realpath(given, NULL);
  tp_str text = {0};
  tp_str_printf(&text, "%s:%u:%u:%s:%s", path ? path : given, g->pos.line, g->pos.column, g->text,
                tp_func_of(p, g->func)->name);
  const uint64_t key = tp_hash_bytes(tp_str_text(&text), text.n, 0);
  tp_str_clear(&text);
  free(path);
  return key;
}

// --------------------------------------------------------------------------- a run

typedef struct {
  const tp_goals *goals;
  bool *met;
} watch;

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  const watch *w = ctx;
  const uint32_t goal = w->goals->of_edge[e.id];
  if (goal != UINT32_MAX) w->met[goal] = true;
  return true;
}

static void remark(const tp_program *p, const char *file, const tp_run_result *r, tp_str *out) {
  const char *message = r->end == TP_END_ERROR ? tp_loc_of(p, r->loc)->message : r->why;
  static const char *const ends[] = {[TP_END_ERROR] = "a test fails",
                                     [TP_END_BLOCKED] = "a test fails, or aborts",
                                     [TP_END_INVALID] = "an operation without meaning",
                                     [TP_END_UNSUPPORTED] = "what is called here is not modelled",
                                     [TP_END_LIMIT] = "the run is too long",
                                     [TP_END_NO_INPUT] = "an input is missing"};
  if (r->end == TP_END_EXIT) return;
  tp_str_printf(out, "tests: %s: the run ended at ", file);
  tp_pos_print(p->diag, r->pos, out);
  tp_str_printf(out, " (%s%s%s): what comes behind is not counted\n",
                ends[r->end] ? ends[r->end] : "it was stopped", message ? ": " : "",
                message ? message : "");
}

/* Marks goals of the suite that the program comes to. */
static void run(tp_program *p, const tp_c_tests *t, const char *file, tp_suite *suite,
                tp_str *remarks) {
  tp_goals goals;
  tp_goals_init(&goals, p, t->cover, t->callee);
  tp_goals_show(&goals, p);
  watch w = {&goals, TP_NEW_ARRAY(bool, goals.v.n + 1)};
  tp_inputs none;
  tp_inputs_init(&none);
  tp_vector_oracle vector = {.in = &none, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &w, .edge = note_edge};
  const tp_run_result r =
      tp_exec_main(p, &oracle, (tp_run_limits){.steps = TP_APP_C_TESTS_STEPS}, &observer);
  remark(p, file, &r, remarks);
  tp_map of_key = {0};
  for (size_t g = 0; g < goals.v.n; g++)
    if (w.met[g]) tp_map_set(&of_key, key_of(p, &goals.v.at[g]), 1);
  for (size_t g = 0; g < suite->goals->v.n; g++)
    if (tp_map_has(&of_key, key_of(suite->p, &suite->goals->v.at[g])))
      suite->covered[g] = suite->elsewhere[g] = true;
  tp_map_clear(&of_key);
  tp_inputs_clear(&none);
  tp_free(w.met);
  tp_goals_clear(&goals);
}

static const char *cmocka_file(const tp_session *s, tp_arena *arena) {
  tp_str text = {0};
  for (size_t i = 0; i < sizeof cmocka / sizeof *cmocka; i++) tp_str_add(&text, cmocka[i]);
  tp_options temporary = *s->o;
  temporary.output = "";
  const char *file = tp_made_source(&temporary, "cmocka.c", &text, arena);
  tp_str_clear(&text);
  return file;
}

bool tp_c_tests_run(const tp_session *s, const tp_c_tests *t, tp_suite *suite, size_t *n_programs,
                    tp_str *remarks) {
  TP_REQUIRE(s && t && t->n_files > 0 && suite && n_programs && remarks);
  tp_arena arena = {0};
  paths files = {0};
  list_files(t->path, &arena, &files);
  bool is_ok = true;
  *n_programs = 0;
  for (size_t i = 0; i < files.n && is_ok; i++) {
    paths linked = {0};
    tp_vec_push(&linked, files.at[i]);
    for (size_t k = includes(files.at[i], base_name(t->files[0])); k < t->n_files; k++)
      tp_vec_push(&linked, t->files[k]);
    if (includes(files.at[i], "cmocka.h")) {
      const char *file = cmocka_file(s, &arena);
      is_ok = file != NULL;
      if (file) tp_vec_push(&linked, file);
    }
    tp_front_options front = tp_options_front(s->o, TP_P_UNREACH_CALL);
    front.files = linked.at;
    front.n_files = linked.n;
    tp_program *p = NULL;
    is_ok = is_ok && tp_front_load(&front, s->diag, &p) == TP_OK;
    if (is_ok) {
      if (t->cover == TP_COVER_BOUNDARIES) tp_goals_split_orders(p);
      run(p, t, files.at[i], suite, remarks);
      tp_program_free(p);
      ++*n_programs;
    }
    tp_vec_clear(&linked);
  }
  tp_vec_clear(&files);
  tp_arena_clear(&arena);
  return is_ok;
}
