/* Indeterminate values for the compiled program: a clang build in which every local variable gets
 * its value from the vector when its lifetime starts.
 *
 * clang's own textual IR, before any pass, names the storage of each variable in a debug record
 * that stands where the declaration is executed. A call of the harness is inserted after each
 * record: #dbg_declare(ptr %2, !20, ...)     ->     the same, and call void @tp_fill_local(ptr %2,
 * i64 SIZE, ptr @tp_name_20, i32 LINE) The harness fills the storage if the next indeterminate
 * input of the vector has this name and line. Records of another form (variable-length arrays,
 * parameters) are left alone: the run then does not confirm. */
#include "certify/runs/native_replay_priv.h"

#include <stdlib.h>

typedef struct {
  tp_map name_at, line_at;  // metadata number -> offset of the text of name / line number + 1
  tp_map size_at;           // hash of "%x" in the current function -> offset of its type + 1
  tp_map named;             // metadata numbers whose name constant is written
  const char *text;
  tp_str constants;
} filler;

/* Number behind "!" at `at`, or 0. */
static uint64_t metadata_number(const char *at) {
  return *at == '!' && at[1] >= '0' && at[1] <= '9' ? strtoull(at + 1, NULL, 10) : 0;
}

static const char *find_in_line(const char *at, const char *word) {
  size_t n = strcspn(at, "\n"), k = strlen(word);
  for (size_t i = 0; i + k <= n; i++)
    if (memcmp(at + i, word, k) == 0) return at + i;
  return NULL;
}

/* "!20 = !DILocalVariable(name: "x", ...)" and "!21 = !DILocation(line: 4, ...)". */
static void read_metadata(filler *f, const char *line) {
  uint64_t number = metadata_number(line);
  const char *variable = find_in_line(line, "= !DILocalVariable("),
             *location = find_in_line(line, "= !DILocation(line: ");
  const char *name = variable ? find_in_line(variable, "name: \"") : NULL;
  if (name && !find_in_line(variable, ", arg: "))
    tp_map_set(&f->name_at, number, (uint64_t)(name + 7 - f->text) + 1);
  if (location) tp_map_set(&f->line_at, number, (uint64_t)(location + 20 - f->text) + 1);
}

static uint64_t register_key(const char *at) { return tp_hash_bytes(at, strcspn(at, " ,)\n"), 3); }

/* "  %2 = alloca i32, align 4": the type stands between "alloca " and ", align". */
static void read_alloca(filler *f, const char *line) {
  if (strncmp(line, "  %", 3) != 0) return;
  const char *alloca_at = find_in_line(line, " = alloca ");
  if (!alloca_at) return;
  const char *type = alloca_at + 10, *align = find_in_line(type, ", align ");
  bool has_count = align && memchr(type, '%', (size_t)(align - type)) && *type != '%' &&
                   *type != '[' && *type != '<' && *type != '{';
  tp_map_set(&f->size_at, register_key(line + 2),
             align && !has_count ? (uint64_t)(type - f->text) + 1 : 0);
}

static void write_name(filler *f, uint64_t variable, const char *name, size_t n) {
  if (tp_map_has(&f->named, variable)) return;
  tp_map_set(&f->named, variable, 1);
  tp_str_printf(&f->constants, "@tp_name_%llu = private constant [%zu x i8] c\"%.*s\\00\"\n",
                (unsigned long long)variable, n + 1, (int)n, name);
}

/* The call behind one debug record. */
static void write_call(filler *f, const char *line, tp_str *out) {
  static const char mark[] = "    #dbg_declare(ptr ";
  if (strncmp(line, mark, sizeof mark - 1) != 0) return;
  const char *reg = line + sizeof mark - 1, *bang = find_in_line(reg, ", !"),
             *last = find_in_line(reg, "!DIExpression(), !");
  uint64_t type = 0, name = 0, where = 0, variable = bang ? metadata_number(bang + 2) : 0;
  if (!bang || !last || *reg != '%') return;
  uint64_t location = metadata_number(last + 17);
  if (!tp_map_get(&f->size_at, register_key(reg), &type) || !type ||
      !tp_map_get(&f->name_at, variable, &name) || !tp_map_get(&f->line_at, location, &where))
    return;
  const char *type_text = f->text + type - 1, *name_text = f->text + name - 1;
  int type_n = (int)(find_in_line(type_text, ", align ") - type_text),
      reg_n = (int)strcspn(reg, ",");
  size_t name_n = strcspn(name_text, "\"\n");
  write_name(f, variable, name_text, name_n);
  tp_str_printf(out,
                "  call void @tp_fill_local(ptr %.*s, i64 ptrtoint (ptr getelementptr (%.*s, ptr "
                "null, i32 1) to i64), ptr @tp_name_%llu, i32 %lu)\n",
                reg_n, reg, type_n, type_text, (unsigned long long)variable,
                strtoul(f->text + where - 1, NULL, 10));
}

static const char *next_line(const char *at) {
  at += strcspn(at, "\n");
  return *at ? at + 1 : at;
}

void tp_chk_fill_locals(const char *ir, tp_str *out) {
  filler f = {.text = ir};
  for (const char *line = ir; *line; line = next_line(line))
    if (*line == '!') read_metadata(&f, line);
  for (const char *line = ir; *line; line = next_line(line)) {
    if (strncmp(line, "define ", 7) == 0) tp_map_clear(&f.size_at);
    read_alloca(&f, line);
    // a call must have a position in a function that has one; inlining needs it, and the verifier
    // asks for it
    tp_str call = {0};
    write_call(&f, line, &call);
    tp_str_add_n(out, line, (size_t)(next_line(line) - line));
    if (call.n) {
      const char *location = find_in_line(line, "!DIExpression(), !") + 17;
      tp_str_printf(out, "%.*s, !dbg %.*s\n", (int)(call.n - 1), call.text,
                    (int)strcspn(location, ")"), location);
    }
    tp_str_clear(&call);
  }
  tp_str_add(out, tp_str_text(&f.constants));
  tp_str_add(out, "declare void @tp_fill_local(ptr, i64, ptr, i32)\n");
  tp_map_clear(&f.name_at);
  tp_map_clear(&f.line_at);
  tp_map_clear(&f.size_at);
  tp_map_clear(&f.named);
  tp_str_clear(&f.constants);
}
