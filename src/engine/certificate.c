/* Writer and reader of unrolling certificates (doc/certificates.md). The reader takes one line at a time and
 * insists on the order of entries; what it does not know it refuses. */
#include "engine/certificate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

void tp_unrolling_init(tp_unrolling *u) {
  memset(u, 0, sizeof *u);
  tp_arena_init(&u->arena);
}

void tp_unrolling_clear(tp_unrolling *u) {
  tp_vec_clear(&u->loops);
  tp_vec_clear(&u->depths);
  tp_vec_clear(&u->assumptions);
  tp_arena_clear(&u->arena);
}

void tp_unrolling_assume(tp_unrolling *u, const char *text) {
  for (size_t i = 0; i < u->assumptions.n; i++)
    if (!strcmp(u->assumptions.at[i], text)) return;
  tp_vec_push(&u->assumptions, tp_arena_strdup(&u->arena, text));
}

// -------------------------------------------------------------------- writing

static void add_comment(const tp_program *p, tp_pos pos, tp_str *out) {
  if (!tp_pos_known(pos) || !p->diag) {
    tp_str_add_char(out, '\n');
    return;
  }
  tp_str_add(out, "  # ");
  tp_pos_print(p->diag, pos, out);
  tp_str_add_char(out, '\n');
}

void tp_unrolling_write(const tp_unrolling *u, const tp_program *p, tp_str *out) {
  tp_str_add(out, "twoproof-certificate 1\nkind unrolling\n");
  tp_str_printf(out, "property %s\n", tp_property_name(u->property));
  tp_str_printf(out, "machine %s\n", u->ptr_bits == 32 ? "ilp32" : "lp64");
  tp_str_printf(out, "program %016" PRIx64 "\n", u->fingerprint);
  for (size_t i = 0; i < u->loops.n; i++) {
    const tp_cert_loop *l = &u->loops.at[i];
    tp_str_printf(out, "loop %s %" PRIu32 " %" PRIu64, tp_func_of(p, l->func)->name, l->head.id, l->turns);
    add_comment(p, tp_loc_of(p, l->head)->pos, out);
  }
  for (size_t i = 0; i < u->depths.n; i++) {
    const tp_cert_depth *d = &u->depths.at[i];
    tp_str_printf(out, "depth %s %" PRIu64, tp_func_of(p, d->func)->name, d->n);
    add_comment(p, tp_func_of(p, d->func)->pos, out);
  }
  for (size_t i = 0; i < u->assumptions.n; i++) tp_str_printf(out, "assume %s\n", u->assumptions.at[i]);
  tp_str_add(out, "end\n");
}

// -------------------------------------------------------------------- reading

typedef struct {
  const tp_program *p;
  tp_unrolling *out;
  tp_str *why;
  uint32_t line;
} reader;

static tp_status refuse(const reader *r, const char *what) {
  tp_str_printf(r->why, "certificate line %" PRIu32 ": %s", r->line, what);
  return TP_ERR_INPUT;
}

static tp_func func_named(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (!strcmp(p->funcs.at[i].name, name)) return (tp_func){i};
  return TP_FUNC_NONE;
}

/* The next field of *at (ended by a space or the end), cut out of the line; NULL if there is none. */
static char *field(char **at) {
  if (!*at || !**at) return NULL;
  char *start = *at, *space = strchr(start, ' ');
  if (space) *space = '\0';
  *at = space ? space + 1 : NULL;
  return start;
}

static bool number(const char *text, int radix, uint64_t *out) {
  char *end = NULL;
  if (!text || text[0] == '-' || text[0] == '+' || text[0] == '\0') return false;
  errno = 0;
  *out = strtoull(text, &end, radix);
  return *end == '\0' && errno == 0;
}

static tp_status read_loop(reader *r, char *rest) {
  tp_func f = func_named(r->p, field(&rest));
  uint64_t loc, turns;
  if (!f.id) return refuse(r, "unknown function");
  if (!number(field(&rest), 10, &loc) || !number(field(&rest), 10, &turns)) return refuse(r, "number expected");
  if (loc == 0 || loc >= r->p->locs.n || r->p->locs.at[loc].func.id != f.id)
    return refuse(r, "no such location in this function");
  tp_vec_push(&r->out->loops, (tp_cert_loop){f, {(uint32_t)loc}, turns});
  return TP_OK;
}

static tp_status read_depth(reader *r, char *rest) {
  tp_func f = func_named(r->p, field(&rest));
  uint64_t n;
  if (!f.id) return refuse(r, "unknown function");
  if (!number(field(&rest), 10, &n)) return refuse(r, "number expected");
  tp_vec_push(&r->out->depths, (tp_cert_depth){f, n});
  return TP_OK;
}

static tp_status read_header(reader *r, uint32_t row, const char *key, char *rest) {
  static const char *const keys[] = {"twoproof-certificate", "kind", "property", "machine", "program"};
  if (strcmp(key, keys[row]) != 0 || !rest) return refuse(r, "header entry expected");
  switch (row) {
    case 0: return strcmp(rest, "1") == 0 ? TP_OK : refuse(r, "unknown version");
    case 1: return strcmp(rest, "unrolling") == 0 ? TP_OK : refuse(r, "not an unrolling");
    case 2: return tp_property_parse(rest, &r->out->property) ? TP_OK : refuse(r, "unknown property");
    case 3:
      r->out->ptr_bits = strcmp(rest, "ilp32") == 0 ? 32 : 64;
      return r->out->ptr_bits == r->p->ptr_bits ? TP_OK : refuse(r, "other machine");
    default:
      if (!number(rest, 16, &r->out->fingerprint)) return refuse(r, "fingerprint expected");
      return r->out->fingerprint == tp_program_fingerprint(r->p) ? TP_OK : refuse(r, "made for another program");
  }
}

static tp_status read_entry(reader *r, char *line, bool *ended) {
  char *rest = line, *key = field(&rest);
  if (!key) return refuse(r, "empty line");
  if (r->line <= 5) return read_header(r, r->line - 1, key, rest);
  if (!strcmp(key, "end")) return *ended = true, TP_OK;
  if (!rest) return refuse(r, "fields missing");
  if (!strcmp(key, "loop")) return read_loop(r, rest);
  if (!strcmp(key, "depth")) return read_depth(r, rest);
  if (!strcmp(key, "assume")) return tp_unrolling_assume(r->out, rest), TP_OK;
  return refuse(r, "unknown entry");
}

tp_status tp_unrolling_read(const char *text, const tp_program *p, tp_unrolling *out, tp_str *why) {
  reader r = {p, out, why, 0};
  bool ended = false;
  tp_arena scratch;
  tp_arena_init(&scratch);
  tp_status st = TP_OK;
  while (st == TP_OK && !ended && *text) {
    const char *nl = strchr(text, '\n');
    size_t n = nl ? (size_t)(nl - text) : strlen(text);
    char *line = tp_arena_strndup(&scratch, text, n);
    char *comment = strncmp(line, "assume ", 7) == 0 ? NULL : strchr(line, '#');
    if (comment) *comment = '\0';
    for (size_t len = strlen(line); len && line[len - 1] == ' '; len--) line[len - 1] = '\0';
    text += nl ? n + 1 : n;
    r.line++;
    st = read_entry(&r, line, &ended);
  }
  if (st == TP_OK && !ended) st = refuse(&r, "the end line is missing");
  tp_arena_clear(&scratch);
  return st;
}
