/* Strict: whatever the format does not know is refused with its line, so that a misspelt key never
 * makes a witness say less than its author meant. The document is a tree of libyaml's, which
 * aliases can make much larger than the file: the number of items has a limit. */
#include "report/report_limits.h"
#include "report/witness.h"

#include "base/sha256.h"

#include <stdio.h>
#include <yaml.h>

typedef struct {
  tp_witness *w;
  yaml_document_t document;
  tp_str *why;
  bool is_unsupported;
} reader;

// ------------------------------------------------------------------------- trees

static bool refuse(reader *r, const yaml_node_t *at, const char *fmt, ...) TP_PRINTF(3, 4);
static bool refuse(reader *r, const yaml_node_t *at, const char *fmt, ...) {
  char text[400];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  if (r->why->n) return false;  // the first reason counts
  if (at) tp_str_printf(r->why, "line %zu: ", at->start_mark.line + 1);
  tp_str_add_line_text(r->why, text);
  return false;
}

static bool refuse_as_unsupported(reader *r, const yaml_node_t *at, const char *what,
                                  const char *which) {
  r->is_unsupported = true;
  return refuse(r, at, "%s '%s' is not followed here", what, which);
}

static const char *text_of(const yaml_node_t *n) {
  return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

static yaml_node_t *node(reader *r, int id) { return yaml_document_get_node(&r->document, id); }

/* One member that a mapping may have. */
typedef struct {
  const char *key;
  bool is_required;
  yaml_node_t *value;  // found
} member;

/* All members of a mapping, none of them unknown or twice. what: for messages. */
static bool members(reader *r, yaml_node_t *map, const char *what, member *of, size_t n) {
  if (!map || map->type != YAML_MAPPING_NODE) return refuse(r, map, "%s is no mapping", what);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *key = text_of(node(r, p->key));
    size_t i = 0;
    while (i < n && (!key || strcmp(of[i].key, key) != 0)) i++;
    if (i == n)
      return refuse(r, node(r, p->key), "%s has an unknown key '%s'", what, key ? key : "?");
    if (of[i].value) return refuse(r, node(r, p->key), "%s has '%s' twice", what, key);
    of[i].value = node(r, p->value);
  }
  for (size_t i = 0; i < n; i++)
    if (of[i].is_required && !of[i].value) return refuse(r, map, "%s lacks '%s'", what, of[i].key);
  return true;
}

/* A text of the mapping, kept. */
static bool take(reader *r, const member *m, const char **out) {
  if (!m->value) return true;
  const char *text = text_of(m->value);
  if (!text || strlen(text) != m->value->data.scalar.length)
    return refuse(r, m->value, "'%s' is no text", m->key);
  *out = tp_arena_strdup(&r->w->arena, text);
  return true;
}

static bool take_number(reader *r, const member *m, uint32_t least, uint32_t *out) {
  if (!m->value) return true;
  const char *text = text_of(m->value);
  const size_t n = text ? strlen(text) : 0;
  if (n == 0 || n > 9 || strspn(text, "0123456789") != n)
    return refuse(r, m->value, "'%s' is no number", m->key);
  uint32_t value = 0;
  for (size_t i = 0; i < n; i++) value = value * 10 + (uint32_t)(text[i] - '0');
  if (value < least) return refuse(r, m->value, "'%s' is less than %u", m->key, least);
  *out = value;
  return true;
}

/* The elements of a sequence. */
static bool each(reader *r, yaml_node_t *list, const char *what,
                 bool (*read)(reader *r, yaml_node_t *element)) {
  if (!list || list->type != YAML_SEQUENCE_NODE) return refuse(r, list, "%s is no list", what);
  for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top;
       i++)
    if (!read(r, node(r, *i))) return false;
  return true;
}

// ---------------------------------------------------------------------- metadata

static bool read_file_name(reader *r, yaml_node_t *n) {
  const char *name = text_of(n);
  if (!name || !*name) return refuse(r, n, "an input file has no name");
  tp_vec_push(&r->w->files, (tp_witness_file){tp_arena_strdup(&r->w->arena, name), NULL});
  return true;
}

static bool read_hashes(reader *r, yaml_node_t *map) {
  if (!map || map->type != YAML_MAPPING_NODE)
    return refuse(r, map, "'input_file_hashes' is no mapping");
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *name = text_of(node(r, p->key)), *hash = text_of(node(r, p->value));
    size_t i = 0;
    if (!hash || strlen(hash) != TP_SHA256_DIGITS ||
        strspn(hash, "0123456789abcdefABCDEF") != TP_SHA256_DIGITS)
      return refuse(r, node(r, p->value), "a hash is no SHA-256 in hexadecimal digits");
    while (i < r->w->files.n && (!name || strcmp(r->w->files.at[i].path, name) != 0)) i++;
    if (i == r->w->files.n)
      return refuse(r, node(r, p->key), "the hash of '%s' is of no input file", name ? name : "?");
    r->w->files.at[i].hash = tp_arena_strdup(&r->w->arena, hash);
  }
  for (size_t i = 0; i < r->w->files.n; i++)
    if (!r->w->files.at[i].hash)
      return refuse(r, map, "input file '%s' has no hash", r->w->files.at[i].path);
  return true;
}

static bool read_task(reader *r, yaml_node_t *map) {
  member m[] = {{"input_files", true, NULL},
                {"input_file_hashes", true, NULL},
                {"specification", true, NULL},
                {"data_model", true, NULL},
                {"language", true, NULL}};
  const char *language = NULL;
  if (!members(r, map, "'task'", m, 5) || !each(r, m[0].value, "'input_files'", read_file_name) ||
      !read_hashes(r, m[1].value) || !take(r, &m[2], &r->w->specification) ||
      !take(r, &m[3], &r->w->data_model) || !take(r, &m[4], &language))
    return false;
  if (strcmp(r->w->data_model, "ILP32") != 0 && strcmp(r->w->data_model, "LP64") != 0)
    return refuse(r, m[3].value, "'data_model' is neither ILP32 nor LP64");
  if (strcmp(language, "C") != 0) return refuse(r, m[4].value, "'language' is not C");
  return r->w->files.n > 0 || refuse(r, m[0].value, "there is no input file");
}

static bool read_producer(reader *r, yaml_node_t *map) {
  member m[] = {{"name", true, NULL},
                {"version", false, NULL},
                {"configuration", false, NULL},
                {"command_line", false, NULL},
                {"description", false, NULL}};
  const char *ignored = NULL;
  return members(r, map, "'producer'", m, 5) && take(r, &m[0], &r->w->producer) &&
         take(r, &m[1], &r->w->producer_version) && take(r, &m[2], &r->w->configuration) &&
         take(r, &m[3], &ignored) && take(r, &m[4], &ignored);
}

/* 8-4-4-4-12 hexadecimal digits. */
static bool is_uuid(const char *text) {
  static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (strlen(text) != sizeof form - 1) return false;
  for (size_t i = 0; form[i]; i++)
    if (form[i] == '-' ? text[i] != '-' : !strchr("0123456789abcdefABCDEF", text[i])) return false;
  return true;
}

static bool read_metadata(reader *r, yaml_node_t *map) {
  member m[] = {{"format_version", true, NULL},
                {"uuid", true, NULL},
                {"creation_time", true, NULL},
                {"producer", true, NULL},
                {"task", true, NULL}};
  if (!members(r, map, "'metadata'", m, 5) || !take(r, &m[0], &r->w->version) ||
      !take(r, &m[1], &r->w->uuid) || !take(r, &m[2], &r->w->created))
    return false;
  if (strcmp(r->w->version, "2.0") != 0 && strcmp(r->w->version, "2.1") != 0)
    return refuse_as_unsupported(r, m[0].value, "version", r->w->version);
  if (!is_uuid(r->w->uuid)) return refuse(r, m[1].value, "'uuid' is no UUID");
  return read_producer(r, m[3].value) && read_task(r, m[4].value);
}

// ----------------------------------------------------------------------- content

static bool read_location(reader *r, yaml_node_t *map, tp_witness_item *item) {
  member m[] = {{"file_name", true, NULL},
                {"line", true, NULL},
                {"column", false, NULL},
                {"function", false, NULL},
                {"file_hash", false, NULL}};  // of drafts of 2.0; the task's hashes count
  const char *ignored = NULL;
  return members(r, map, "'location'", m, 5) && take(r, &m[0], &item->file) &&
         take_number(r, &m[1], 1, &item->line) && take_number(r, &m[2], 1, &item->column) &&
         take(r, &m[3], &item->function) && take(r, &m[4], &ignored);
}

static const struct {
  const char *name;
  tp_witness_item_kind kind;
  tp_witness_kind of;
} types[] = {{"assumption", TP_WITNESS_ASSUMPTION, TP_WITNESS_VIOLATION},
             {"branching", TP_WITNESS_BRANCHING, TP_WITNESS_VIOLATION},
             {"function_enter", TP_WITNESS_FUNCTION_ENTER, TP_WITNESS_VIOLATION},
             {"function_return", TP_WITNESS_FUNCTION_RETURN, TP_WITNESS_VIOLATION},
             {"target", TP_WITNESS_TARGET, TP_WITNESS_VIOLATION},
             {"loop_invariant", TP_WITNESS_LOOP_INVARIANT, TP_WITNESS_CORRECTNESS},
             {"location_invariant", TP_WITNESS_LOCATION_INVARIANT, TP_WITNESS_CORRECTNESS},
             {"loop_transition_invariant", TP_WITNESS_OTHER, TP_WITNESS_CORRECTNESS},
             {"location_transition_invariant", TP_WITNESS_OTHER, TP_WITNESS_CORRECTNESS}};

static bool read_type(reader *r, const member *m, tp_witness_item *item) {
  if (!take(r, m, &item->type)) return false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, item->type) == 0 && types[i].of == r->w->kind) {
      item->kind = types[i].kind;
      return true;
    }
  return refuse(r, m->value, "unknown type '%s'", item->type);
}

static bool read_format(reader *r, const member *m, tp_witness_item *item) {
  static const char *const formats[] = {"c_expression", "ext_c_expression", "acsl_expression"};
  if (!take(r, m, &item->format)) return false;
  for (size_t i = 0; item->format && i < sizeof formats / sizeof *formats; i++)
    if (strcmp(item->format, formats[i]) == 0) return true;
  return !item->format || refuse(r, m->value, "unknown format '%s'", item->format);
}

static bool read_constraint(reader *r, yaml_node_t *map, tp_witness_item *item) {
  member m[] = {{"value", true, NULL}, {"format", false, NULL}};
  return members(r, map, "'constraint'", m, 2) && take(r, &m[0], &item->value) &&
         read_format(r, &m[1], item);
}

/* Aliases make a small file long. */
static bool keep(reader *r, const yaml_node_t *at, const tp_witness_item *item) {
  if (r->w->items.n >= TP_REPORT_WITNESS_ITEMS) return refuse(r, at, "there are too many items");
  tp_vec_push(&r->w->items, *item);
  return true;
}

static bool read_waypoint(reader *r, yaml_node_t *map, uint32_t segment, bool is_last) {
  member outer[] = {{"waypoint", true, NULL}};
  member m[] = {{"type", true, NULL},
                {"action", true, NULL},
                {"location", true, NULL},
                {"constraint", false, NULL}};
  tp_witness_item item = {.segment = segment};
  const char *action = NULL;
  if (!members(r, map, "an element of a segment", outer, 1) ||
      !members(r, outer[0].value, "'waypoint'", m, 4) || !read_type(r, &m[0], &item) ||
      !take(r, &m[1], &action) || !read_location(r, m[2].value, &item) ||
      (m[3].value && !read_constraint(r, m[3].value, &item)))
    return false;
  item.at_line = (uint32_t)outer[0].value->start_mark.line + 1;
  item.is_avoided = strcmp(action, "avoid") == 0;
  if (strcmp(action, "cycle") == 0) return refuse_as_unsupported(r, m[1].value, "action", action);
  if (!item.is_avoided && strcmp(action, "follow") != 0)
    return refuse(r, m[1].value, "unknown action '%s'", action);
  if (item.is_avoided == is_last)
    return refuse(r, m[1].value, "a segment ends with its only waypoint to follow");
  if (item.kind == TP_WITNESS_TARGET && item.value)
    return refuse(r, m[3].value, "a target has no constraint");
  if ((item.kind == TP_WITNESS_ASSUMPTION || item.kind == TP_WITNESS_BRANCHING) && !item.value)
    return refuse(r, outer[0].value, "'%s' needs a constraint", item.type);
  return keep(r, outer[0].value, &item);
}

static uint32_t next_segment(const reader *r) {
  return r->w->items.n ? tp_vec_last(&r->w->items).segment + 1 : 0;
}

static bool read_segment(reader *r, yaml_node_t *map) {
  member outer[] = {{"segment", true, NULL}};
  if (r->w->items.n && tp_vec_last(&r->w->items).kind == TP_WITNESS_TARGET)
    return refuse(r, map, "a segment follows the one with the target");
  if (!members(r, map, "an element of 'content'", outer, 1)) return false;
  yaml_node_t *list = outer[0].value;
  if (list->type != YAML_SEQUENCE_NODE) return refuse(r, list, "'segment' is no list");
  const uint32_t segment = next_segment(r);
  yaml_node_item_t *end = list->data.sequence.items.top;
  if (list->data.sequence.items.start == end) return refuse(r, list, "a segment is empty");
  for (yaml_node_item_t *i = list->data.sequence.items.start; i < end; i++)
    if (!read_waypoint(r, node(r, *i), segment, i + 1 == end)) return false;
  return true;
}

static bool read_invariant(reader *r, yaml_node_t *map) {
  member outer[] = {{"invariant", false, NULL}, {"contract", false, NULL}};
  member m[] = {{"type", true, NULL},
                {"location", true, NULL},
                {"value", true, NULL},
                {"format", true, NULL},
                {"labels", false, NULL}};
  tp_witness_item item = {0};
  if (!members(r, map, "an element of 'content'", outer, 2)) return false;
  if (!outer[0].value) return refuse_as_unsupported(r, map, "element", "contract");
  if (!members(r, outer[0].value, "'invariant'", m, 5) || !read_type(r, &m[0], &item) ||
      !read_location(r, m[1].value, &item) || !take(r, &m[2], &item.value) ||
      !read_format(r, &m[3], &item))
    return false;
  item.at_line = (uint32_t)outer[0].value->start_mark.line + 1;
  return keep(r, outer[0].value, &item);
}

static bool read_entry(reader *r, yaml_node_t *map) {
  member m[] = {{"entry_type", true, NULL}, {"metadata", true, NULL}, {"content", true, NULL}};
  const char *type = NULL;
  if (!members(r, map, "the entry", m, 3) || !take(r, &m[0], &type)) return false;
  r->w->kind =
      strcmp(type, "violation_sequence") == 0 ? TP_WITNESS_VIOLATION : TP_WITNESS_CORRECTNESS;
  if (strcmp(type, "ghost_instrumentation") == 0)
    return refuse_as_unsupported(r, m[0].value, "entry", type);
  if (r->w->kind == TP_WITNESS_CORRECTNESS && strcmp(type, "invariant_set") != 0)
    return refuse(r, m[0].value, "unknown entry type '%s'", type);
  if (!read_metadata(r, m[1].value)) return false;
  if (r->w->kind == TP_WITNESS_CORRECTNESS) return each(r, m[2].value, "'content'", read_invariant);
  if (!each(r, m[2].value, "'content'", read_segment)) return false;
  return (r->w->items.n && tp_vec_last(&r->w->items).kind == TP_WITNESS_TARGET) ||
         refuse(r, m[2].value, "the last waypoint is no target");
}

static bool read_document(reader *r) {
  yaml_node_t *root = yaml_document_get_root_node(&r->document);
  if (!root) return refuse(r, NULL, "the file is empty");
  if (root->type != YAML_SEQUENCE_NODE) return refuse(r, root, "no list of entries");
  const size_t n = (size_t)(root->data.sequence.items.top - root->data.sequence.items.start);
  if (n == 0) return refuse(r, root, "there is no entry");
  if (n > 1) return refuse_as_unsupported(r, root, "a file of several entries", "");
  return read_entry(r, node(r, *root->data.sequence.items.start));
}

tp_status tp_witness_read(const char *text, size_t n, tp_witness *out, tp_str *why) {
  TP_REQUIRE(text && out && why);
  reader r = {.w = out, .why = why};
  yaml_parser_t parser;
  bool ok = false;
  if (n > TP_REPORT_WITNESS_BYTES) {
    tp_str_printf(why, "more than %d MB", TP_REPORT_WITNESS_BYTES >> 20);
    return TP_ERR_INPUT;
  }
  if (!yaml_parser_initialize(&parser)) tp_out_of_memory(0);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
  if (yaml_parser_load(&parser, &r.document)) {
    ok = read_document(&r);
    yaml_document_delete(&r.document);
  } else {
    tp_str_printf(why, "line %zu: broken YAML", parser.problem_mark.line + 1);
    if (parser.problem) tp_str_printf(why, " (%s)", parser.problem);
  }
  yaml_parser_delete(&parser);
  return ok ? TP_OK : r.is_unsupported ? TP_ERR_UNSUPPORTED : TP_ERR_INPUT;
}
