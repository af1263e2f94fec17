/* Reading task definitions with libyaml's event-free document interface.
 * Files larger than TP_APP_TASK_FILE_BYTES are refused: aliases could make a small tree huge
 * otherwise. */
#include "app/bench/task.h"
#include "app/app_limits.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <yaml.h>

// ------------------------------------------------------------------------ yaml

static const char *text_of(const yaml_node_t *n) {
  return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

static yaml_node_t *member(yaml_document_t *d, const yaml_node_t *map, const char *key) {
  if (!map || map->type != YAML_MAPPING_NODE) return NULL;
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *name = text_of(yaml_document_get_node(d, p->key));
    if (name && strcmp(name, key) == 0) return yaml_document_get_node(d, p->value);
  }
  return NULL;
}

/* Element i of a sequence; a scalar counts as a sequence of one. */
static yaml_node_t *element(yaml_document_t *d, yaml_node_t *list, size_t i) {
  if (!list) return NULL;
  if (list->type != YAML_SEQUENCE_NODE) return i == 0 ? list : NULL;
  yaml_node_item_t *at = list->data.sequence.items.start + i;
  return at < list->data.sequence.items.top ? yaml_document_get_node(d, *at) : NULL;
}

// ----------------------------------------------------------------------- tasks

static const char *beside(tp_arena *arena, const char *file, const char *name) {
  const char *slash = strrchr(file, '/');
  if (name[0] == '/' || !slash) return tp_arena_strdup(arena, name);
  return tp_arena_printf(arena, "%.*s%s", (int)(slash - file + 1), file, name);
}

static void read_files(tp_bench_tasks *tasks, yaml_document_t *d, yaml_node_t *list,
                       tp_bench_task *task) {
  size_t n = 0;
  while (text_of(element(d, list, n))) n++;
  const char **files = tp_arena_array(&tasks->arena, const char *, n + 1);
  for (size_t i = 0; i < n; i++)
    files[i] = beside(&tasks->arena, task->yml, text_of(element(d, list, i)));
  task->files = files;
  task->n_files = n;
}

static tp_expected expected_of(const char *text) {
  if (text && strcmp(text, "true") == 0) return TP_EXPECT_TRUE;
  return text && strcmp(text, "false") == 0 ? TP_EXPECT_FALSE : TP_EXPECT_NOTHING;
}

static bool read_document(tp_bench_tasks *tasks, yaml_document_t *d, const char *path) {
  yaml_node_t *root = yaml_document_get_root_node(d);
  tp_bench_task task = {.yml = tp_arena_strdup(&tasks->arena, path), .machine = "lp64"};
  read_files(tasks, d, member(d, root, "input_files"), &task);
  const char *model = text_of(member(d, member(d, root, "options"), "data_model"));
  if (model && strcmp(model, "ILP32") == 0) task.machine = "ilp32";
  yaml_node_t *properties = member(d, root, "properties");
  if (task.n_files == 0 || !properties) return false;
  for (size_t i = 0; element(d, properties, i); i++) {
    yaml_node_t *p = element(d, properties, i);
    const char *file = text_of(member(d, p, "property_file")),
               *part = text_of(member(d, p, "subproperty"));
    if (!file) return false;
    task.property = beside(&tasks->arena, path, file);
    task.expected = expected_of(text_of(member(d, p, "expected_verdict")));
    task.subproperty = part ? tp_arena_strdup(&tasks->arena, part) : NULL;
    tp_vec_push(&tasks->v, task);
  }
  return true;
}

static tp_status read_yml(tp_bench_tasks *tasks, const char *path, tp_str *why) {
  tp_str text = {0};
  if (tp_read_file(path, &text) != TP_OK) {
    tp_str_printf(why, "%s: %s", path, strerror(errno));
    return TP_ERR_SYSTEM;
  }
  bool ok = false;
  yaml_parser_t parser;
  if (text.n <= TP_APP_TASK_FILE_BYTES && yaml_parser_initialize(&parser)) {
    yaml_document_t document;
    yaml_parser_set_input_string(&parser, (const unsigned char *)tp_str_text(&text), text.n);
    if (yaml_parser_load(&parser, &document)) {
      ok = read_document(tasks, &document, path);
      yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
  }
  tp_str_clear(&text);
  if (!ok) tp_str_printf(why, "%s: not a task definition", path);
  return ok ? TP_OK : TP_ERR_INPUT;
}

// ------------------------------------------------------------ directories, sets

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef TP_VEC(const char *) text_list;

/* Paths of .yml files below a directory, depth first without recursion, hidden ones skipped. */
static void find_yml(tp_arena *arena, const char *top, text_list *out) {
  text_list todo = {0};
  tp_vec_push(&todo, top);
  while (todo.n > 0) {
    const char *dir = tp_vec_pop(&todo);
    DIR *d = opendir(dir);
    if (!d) continue;
    for (struct dirent *e; (e = readdir(d));) {
      struct stat st;
      if (e->d_name[0] == '.') continue;
      const char *path = tp_arena_printf(arena, "%s/%s", dir, e->d_name);
      size_t n = strlen(path);
      if (lstat(path, &st) != 0) continue;
      if (S_ISDIR(st.st_mode))
        tp_vec_push(&todo, path);
      else if (n > 4 && strcmp(path + n - 4, ".yml") == 0)
        tp_vec_push(out, path);
    }
    closedir(d);
  }
  tp_vec_clear(&todo);
  if (out->n) qsort(out->at, out->n, sizeof *out->at, compare_texts);
}

static tp_status read_directory(tp_bench_tasks *tasks, const char *path, tp_str *why) {
  text_list found = {0};
  find_yml(&tasks->arena, path, &found);
  tp_status st = found.n ? TP_OK : TP_ERR_INPUT;
  if (!found.n) tp_str_printf(why, "%s: no .yml files in it", path);
  for (size_t i = 0; i < found.n && st == TP_OK; i++) st = read_yml(tasks, found.at[i], why);
  tp_vec_clear(&found);
  return st;
}

static tp_status read_pattern(tp_bench_tasks *tasks, const char *pattern, tp_str *why) {
  glob_t g;
  if (glob(pattern, 0, NULL, &g) != 0) {
    tp_str_printf(why, "%s: no such task", pattern);
    return TP_ERR_INPUT;
  }
  tp_status st = TP_OK;
  for (size_t i = 0; i < g.gl_pathc && st == TP_OK; i++) st = read_yml(tasks, g.gl_pathv[i], why);
  globfree(&g);
  return st;
}

static tp_status read_set(tp_bench_tasks *tasks, const char *path, tp_str *why) {
  tp_str text = {0};
  if (tp_read_file(path, &text) != TP_OK) {
    tp_str_printf(why, "%s: %s", path, strerror(errno));
    return TP_ERR_SYSTEM;
  }
  tp_status st = TP_OK;
  for (char *line = strtok(text.text, "\r\n"); line && st == TP_OK; line = strtok(NULL, "\r\n")) {
    line += strspn(line, " \t");
    if (line[0] && line[0] != '#') st = read_pattern(tasks, beside(&tasks->arena, path, line), why);
  }
  tp_str_clear(&text);
  return st;
}

tp_status tp_bench_tasks_read(tp_bench_tasks *tasks, const char *path, tp_str *why) {
  struct stat st;
  size_t n = strlen(path);
  if (stat(path, &st) != 0) {
    tp_str_printf(why, "%s: %s", path, strerror(errno));
    return TP_ERR_SYSTEM;
  }
  if (S_ISDIR(st.st_mode)) return read_directory(tasks, path, why);
  return n > 4 && strcmp(path + n - 4, ".yml") == 0 ? read_yml(tasks, path, why)
                                                    : read_set(tasks, path, why);
}

void tp_bench_tasks_clear(tp_bench_tasks *tasks) {
  tp_vec_clear(&tasks->v);
  tp_arena_clear(&tasks->arena);
}
