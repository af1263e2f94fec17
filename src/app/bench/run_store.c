/* SQLite: statements are prepared once, a row is one transaction. */
#include "app/bench/run_store.h"

#include <sqlite3.h>

struct tp_bench_store {
  sqlite3 *db;
  sqlite3_stmt *find, *add;
  char *label, *tool, *options, *last_label;
};

#define COLUMNS                                                                               \
  "task, property, inputs, verdict, expected, grade, reason, end, cpu_s, wall_s, memory_mb, " \
  "statistics, certificate"
static const char schema[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"  // a kill loses nothing; a power cut, the last rows
    "CREATE TABLE IF NOT EXISTS runs ("
    "  label TEXT NOT NULL, tool TEXT NOT NULL, options TEXT NOT NULL,"
    "  task TEXT NOT NULL, property TEXT NOT NULL, inputs TEXT NOT NULL,"
    "  verdict TEXT NOT NULL, expected TEXT NOT NULL, grade TEXT NOT NULL, reason TEXT NOT NULL,"
    "  end TEXT NOT NULL, cpu_s REAL NOT NULL, wall_s REAL NOT NULL, memory_mb REAL NOT NULL,"
    "  statistics TEXT NOT NULL, certificate TEXT NOT NULL,"
    "  PRIMARY KEY (label, task, property));";

static char *copy_of(const char *text) {
  const size_t n = strlen(text) + 1;
  char *copy = TP_NEW_ARRAY(char, n);
  memcpy(copy, text, n);
  return copy;
}

static bool refuse(const tp_bench_store *s, const char *what, tp_str *why) {
  tp_str_printf(why, "%s: %s", what, sqlite3_errmsg(s->db));
  return false;
}

static sqlite3_stmt *prepare(tp_bench_store *s, const char *sql) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK) return NULL;
  return statement;
}

tp_bench_store *tp_bench_store_open(const char *path, tp_str *why) {
  TP_REQUIRE(path && why);
  tp_bench_store *s = TP_NEW(tp_bench_store);
  bool ok = sqlite3_open(path, &s->db) == SQLITE_OK;
  if (ok) sqlite3_busy_timeout(s->db, 10000);
  ok = ok && sqlite3_exec(s->db, schema, NULL, NULL, NULL) == SQLITE_OK;
  if (ok) {
    s->find = prepare(s, "SELECT " COLUMNS
                         " FROM runs WHERE label = ?1 AND task = ?2 AND property = ?3 AND "
                         "inputs = ?4");
    s->add = prepare(s, "INSERT OR REPLACE INTO runs (label, tool, options, " COLUMNS
                        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, "
                        "?15, ?16)");
  }
  if (ok && s->find && s->add) return s;
  (void)refuse(s, path, why);
  tp_bench_store_close(s);
  return NULL;
}

void tp_bench_store_close(tp_bench_store *s) {
  if (!s) return;
  sqlite3_finalize(s->find);
  sqlite3_finalize(s->add);
  sqlite3_close(s->db);
  tp_free(s->label);
  tp_free(s->tool);
  tp_free(s->options);
  tp_free(s->last_label);
  tp_free(s);
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text) {
  TP_REQUIRE(statement && at > 0);
  sqlite3_bind_text(statement, at, text ? text : "", -1, SQLITE_TRANSIENT);
}

static const char *column_text(sqlite3_stmt *statement, int at) {
  const char *text = (const char *)sqlite3_column_text(statement, at);
  return text ? text : "";
}

bool tp_bench_store_begin(tp_bench_store *s, const char *label, const char *tool,
                          const char *options, tp_str *why) {
  TP_REQUIRE(s && label && tool && options && !s->label);
  s->label = copy_of(label);
  s->tool = copy_of(tool);
  s->options = copy_of(options);
  sqlite3_stmt *other = prepare(
      s,
      "SELECT tool, options FROM runs WHERE label = ?1 AND (tool <> ?2 OR options <> ?3) LIMIT 1");
  if (!other) return refuse(s, "the store cannot be read", why);
  bind_text(other, 1, label);
  bind_text(other, 2, tool);
  bind_text(other, 3, options);
  const bool is_other = sqlite3_step(other) == SQLITE_ROW;
  if (is_other)
    tp_str_printf(why, "label '%s' is that of a run of %s with%s%s; choose another --label", label,
                  column_text(other, 0), column_text(other, 1)[0] ? " " : "out options",
                  column_text(other, 1));
  sqlite3_finalize(other);
  return !is_other;
}

static void read_row(sqlite3_stmt *st, tp_bench_row *out) {
  *out = (tp_bench_row){.task = column_text(st, 0),
                        .property = column_text(st, 1),
                        .inputs = column_text(st, 2),
                        .verdict = column_text(st, 3),
                        .expected = column_text(st, 4),
                        .grade = column_text(st, 5),
                        .reason = column_text(st, 6),
                        .end = column_text(st, 7),
                        .cpu_s = sqlite3_column_double(st, 8),
                        .wall_s = sqlite3_column_double(st, 9),
                        .memory_mb = sqlite3_column_double(st, 10),
                        .statistics = column_text(st, 11),
                        .certificate = column_text(st, 12)};
}

bool tp_bench_store_find(tp_bench_store *s, const char *task, const char *property,
                         const char *inputs, tp_bench_row *out) {
  TP_REQUIRE(s && s->label && task && property && inputs && out);
  sqlite3_reset(s->find);
  const char *const keys[] = {s->label, task, property, inputs};
  for (int i = 0; i < 4; i++) bind_text(s->find, i + 1, keys[i]);
  if (sqlite3_step(s->find) != SQLITE_ROW) return false;
  read_row(s->find, out);
  return true;
}

bool tp_bench_store_add(tp_bench_store *s, const tp_bench_row *row, tp_str *why) {
  TP_REQUIRE(s && s->label && row && row->task && row->property);
  sqlite3_stmt *st = s->add;
  const char *const texts[] = {s->label,      s->tool,     s->options,   row->task,
                               row->property, row->inputs, row->verdict, row->expected,
                               row->grade,    row->reason, row->end};
  const int n_texts = sizeof texts / sizeof *texts;
  sqlite3_reset(s->find);  // a reader would keep the writer waiting
  sqlite3_reset(st);
  for (int i = 0; i < n_texts; i++) bind_text(st, i + 1, texts[i]);
  sqlite3_bind_double(st, n_texts + 1, row->cpu_s);
  sqlite3_bind_double(st, n_texts + 2, row->wall_s);
  sqlite3_bind_double(st, n_texts + 3, row->memory_mb);
  bind_text(st, n_texts + 4, row->statistics);
  bind_text(st, n_texts + 5, row->certificate);
  const bool ok = sqlite3_step(st) == SQLITE_DONE;
  if (!ok) (void)refuse(s, "a row cannot be written", why);
  sqlite3_reset(st);
  return ok;
}

const char *tp_bench_store_last_label(tp_bench_store *s) {
  TP_REQUIRE(s);
  if (s->last_label) return s->last_label;
  sqlite3_stmt *st = prepare(s, "SELECT label FROM runs ORDER BY rowid DESC LIMIT 1");
  s->last_label = copy_of(st && sqlite3_step(st) == SQLITE_ROW ? column_text(st, 0) : "");
  sqlite3_finalize(st);
  return s->last_label;
}

void tp_bench_store_each(tp_bench_store *s, const char *label,
                         void (*visit)(void *ctx, const tp_bench_row *row), void *ctx) {
  TP_REQUIRE(s && label && visit);
  sqlite3_stmt *st =
      prepare(s, "SELECT " COLUMNS " FROM runs WHERE label = ?1 ORDER BY task, property");
  if (!st) return;
  bind_text(st, 1, label);
  while (sqlite3_step(st) == SQLITE_ROW) {
    tp_bench_row row;
    read_row(st, &row);
    visit(ctx, &row);
  }
  sqlite3_finalize(st);
}
