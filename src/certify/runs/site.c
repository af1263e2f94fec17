/* From the messages of a failed run to the user's line.
 *
 * Sanitizers run without a symbolizer, which the sandbox would not let them start: their reports
 * name addresses of instructions,
 *
 *     ==7==ERROR: AddressSanitizer: heap-use-after-free on address ...
 *         #0 0x4c3a21  (program-clang-19+0xc3a21)
 *         #1 ...
 *
 * or, for arithmetic, the position itself: "f.c:12:9: runtime error: ...". The harness names
 * addresses too: "twoproof run: site 0x401136 0x401200". The program is linked at fixed addresses,
 * so addr2line of binutils, which every compiler here needs anyway for its linker, finds the lines.
 *
 * The site of the failure is the innermost frame in the user's sources. What lies further
 * in is the library's (it has no lines here), the harness's, or a library model's. A jump to an
 * address without code is a failure of the call, never of what stands beside it in the line. */
#include "certify/runs/site.h"

#include "certify/certify_limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  const char *function, *file;  // "" where there is no debug information
  uint32_t line;
} frame;

// ----------------------------------------------------------------------- messages

/* "    #3 0x4c3a21 ..." */
static bool read_frame(const char *line, uint64_t *address) {
  while (*line == ' ') line++;
  if (*line != '#') return false;
  line += 1 + strspn(line + 1, "0123456789");
  if (strncmp(line, " 0x", 3) != 0) return false;
  *address = strtoull(line + 3, NULL, 16);
  return true;
}

/* The frames of the first stack of a report: what was accessed there. Later stacks say where memory
 * was allocated or freed. */
static size_t read_stack(const char *report, uint64_t *out, size_t room) {
  size_t n = 0;
  for (const char *line = report; *line && n < room;) {
    size_t length = strcspn(line, "\n");
    if (read_frame(line, &out[n]))
      n++;
    else if (n > 0)
      break;
    line += length + (line[length] == '\n');
  }
  return n;
}

static const char site_mark[] = "twoproof run: site ";

/* The report of a sanitizer that prints a stack; NULL: there is none. */
static const char *report_with_stack(const char *messages) {
  static const char *const starts[] = {
      "ERROR: AddressSanitizer:", "ERROR: UndefinedBehaviorSanitizer:",
      "WARNING: MemorySanitizer:"};
  const char *at = NULL;
  for (size_t i = 0; i < sizeof starts / sizeof *starts && !at; i++)
    at = strstr(messages, starts[i]);
  return at;
}

size_t tp_chk_site_addresses(const char *messages, uint64_t *out, size_t room) {
  TP_REQUIRE(room > 0);
  const char *report = report_with_stack(messages), *at = strstr(messages, site_mark);
  if (report && !at) return read_stack(report, out, room);
  size_t n = 0;
  for (char *end; at && n < room; n++) {
    at += n ? 0 : sizeof site_mark - 1;
    uint64_t address = strtoull(at, &end, 16);
    if (end == at) break;
    out[n] = address - 1;  // within the call, not behind it
    at = end;
  }
  return n;
}

/* The harness names a site beside a sanitizer's report only for a jump to where no code is. */
static bool jumped_nowhere(const char *messages) {
  return strstr(messages, "ERROR: AddressSanitizer:") && strstr(messages, site_mark);
}

// --------------------------------------------------------------- debug information

/* Without empty components and "."; out has room for the path. */
static void write_plain(const char *path, char *out) {
  char *to = out;
  if (*path == '/') *to++ = '/';
  while (*path) {
    const size_t n = strcspn(path, "/");
    if (n > 0 && !(n == 1 && *path == '.')) {
      if (to > out && to[-1] != '/') *to++ = '/';
      memcpy(to, path, n);
      to += n;
    }
    path += n + (path[n] == '/');
  }
  *to = '\0';
}

/* Compilers and users write one path with other slashes and dots; a relative path is the end of an
 * absolute one. */
bool tp_chk_site_same_file(const char *a, const char *b) {
  char *plain_a = TP_NEW_ARRAY(char, strlen(a) + 1), *plain_b = TP_NEW_ARRAY(char, strlen(b) + 1);
  write_plain(a, plain_a);
  write_plain(b, plain_b);
  const size_t n = strlen(plain_a), m = strlen(plain_b), extra = n > m ? n - m : m - n;
  const char *longer = n > m ? plain_a : plain_b, *shorter = n > m ? plain_b : plain_a;
  const bool is_same = *a == '/' && *b == '/' ? strcmp(plain_a, plain_b) == 0
                                              : *shorter && strcmp(longer + extra, shorter) == 0 &&
                                                    (extra == 0 || longer[extra - 1] == '/');
  tp_free(plain_a);
  tp_free(plain_b);
  return is_same;
}

/* A name, and "file:line" in the line after it. */
static const char *read_location(const char *text, tp_arena *arena, frame *out) {
  size_t name = strcspn(text, "\n");
  const char *where = text + name + (text[name] == '\n');
  size_t length = strcspn(where, "\n");
  const char *colon = NULL;
  for (size_t i = 0; i < length; i++)
    if (where[i] == ':') colon = where + i;
  *out = (frame){tp_arena_strndup(arena, text, name), "", 0};
  if (colon && where[0] != '?') {
    out->file = tp_arena_strndup(arena, where, (size_t)(colon - where));
    out->line = (uint32_t)strtoul(colon + 1, NULL, 10);
  }
  return where + length + (where[length] == '\n');
}

/* Frames of addresses, innermost first; functions that were inlined have frames of their own.
 * Returns how many. */
static size_t resolve(tp_chk_native_job *j, int compiler, const uint64_t *at, size_t n, frame *out,
                      size_t room) {
  tp_chk_native_args args = {0};
  const char *const head[] = {"addr2line", "-f", "-i", "-e", j->program[compiler]};
  for (size_t i = 0; i < sizeof head / sizeof *head; i++) tp_vec_push(&args, head[i]);
  for (size_t i = 0; i < n; i++)
    tp_vec_push(&args, tp_arena_printf(&j->arena, "0x%" PRIx64, at[i]));
  tp_vec_push(&args, NULL);
  tp_process p;
  tp_process_spec spec = {
      .argv = args.at,
      .err = TP_STDIO_DISCARD,
      .limits = {
          .cpu_s = 20, .wall_s = 60, .output_bytes = 1 << 20, .resident_bytes = 1024u << 20}};
  size_t found = 0;
  if (tp_process_run(&p, spec) == TP_OK && p.end == TP_PROCESS_EXITED && p.code == 0)
    for (const char *text = tp_str_text(&p.out); *text && found < room; found++)
      text = read_location(text, &j->arena, &out[found]);
  tp_process_clear(&p);
  tp_vec_clear(&args);
  return found;
}

// ------------------------------------------------------------------------ decision

static bool is_users(const tp_chk_native_job *j, const frame *at) {
  if (!at->line || !*at->file || tp_chk_site_same_file(at->file, j->harness)) return false;
  for (size_t i = 0; i < j->r->n_models; i++)
    if (tp_chk_site_same_file(at->file, j->r->models[i])) return false;
  return true;
}

/* A function has one label of a name. Its line may be that of the label, or of its statement. */
static bool is_at_label(const tp_chk_native_job *j) {
  const tp_chk_native_request *r = j->r;
  return r->violated == TP_P_UNREACH_CALL && r->error.id && tp_loc_of(r->program, r->error)->label;
}

/* Is this the expected line, as exactly as the compiler's debug information is? */
static bool is_expected(const tp_chk_native_job *j, int compiler, const frame *at) {
  const tp_chk_native_failure *f = &j->r->failure;
  if (!tp_chk_site_same_file(at->file, tp_diag_path_as_given(j->r->program->diag, f->pos.file)))
    return false;
  return at->line == f->pos.line || ((compiler == TP_CHK_NATIVE_GCC || is_at_label(j)) &&
                                     f->function && strcmp(at->function, f->function) == 0);
}

static void print_difference(const tp_chk_native_job *j, const char *file, uint32_t line,
                             tp_str *why) {
  tp_str_printf(why, "it fails at %s:%u, not at ", file, line);
  tp_pos_print(j->r->program->diag, j->r->failure.pos, why);
}

typedef enum { EXPECTED, ELSEWHERE, UNKNOWN } finding;

/* Is the innermost of the user's frames at these addresses the expected one? */
static finding compare_frames(tp_chk_native_job *j, int compiler, const char *messages,
                              tp_str *why) {
  uint64_t at[TP_CERTIFY_SITE_FRAMES];
  frame frames[2 * TP_CERTIFY_SITE_FRAMES];
  size_t n = tp_chk_site_addresses(messages, at, TP_CERTIFY_SITE_FRAMES);
  n = n ? resolve(j, compiler, at, n, frames, 2 * TP_CERTIFY_SITE_FRAMES) : 0;
  TP_INVARIANT(n <= 2 * TP_CERTIFY_SITE_FRAMES);
  bool is_harness = strstr(messages, site_mark) != NULL;
  const frame *first = NULL;
  for (size_t i = 0; i < n; i++) {
    if (!is_users(j, &frames[i])) continue;
    if (is_expected(j, compiler, &frames[i])) return EXPECTED;
    if (!first) first = &frames[i];
    if (!is_harness) break;  // its words name the function that was entered, and the call
  }
  if (first) print_difference(j, first->file, first->line, why);
  return first ? ELSEWHERE : UNKNOWN;
}

static bool matches_address(tp_chk_native_job *j, int compiler, const char *messages, tp_str *why) {
  if (jumped_nowhere(messages) && tp_chk_native_manner(j->r) != TP_FAILS_CALL) {
    tp_str_add(why, "it jumps to where no code is");
    return false;
  }
  const finding found = compare_frames(j, compiler, messages, why);
  if (found == UNKNOWN) tp_str_add(why, "where it fails is not known");
  return found == EXPECTED;
}

/* "f.c:12:9: runtime error: ..." */
static bool matches_text(const tp_chk_native_job *j, const char *messages, const char *report,
                         tp_str *why) {
  TP_REQUIRE(report >= messages);
  const char *start = report;
  while (start > messages && start[-1] != '\n') start--;
  char position[4096];
  snprintf(position, sizeof position, "%.*s", (int)(report - start), start);
  char *end = strrchr(position, ':');  // behind the column
  if (end) *end = '\0';
  char *column = strrchr(position, ':');
  if (column) *column = '\0';
  char *line = column ? strrchr(position, ':') : NULL;
  if (!line) {
    tp_str_add(why, "where it fails is not known");
    return false;
  }
  *line = '\0';
  uint32_t number = (uint32_t)strtoul(line + 1, NULL, 10);
  if (number == j->r->failure.pos.line &&
      tp_chk_site_same_file(position,
                            tp_diag_path_as_given(j->r->program->diag, j->r->failure.pos.file)))
    return true;
  print_difference(j, position, number, why);
  return false;
}

/* Leaked memory has no line: how the program ends is compared, and the site of the call if its own
 * text calls exit or abort. */
static bool matches_end(tp_chk_native_job *j, int compiler, const char *messages, tp_str *why) {
  bool returned = strstr(messages, "twoproof run: main has returned") != NULL,
       should = tp_chk_native_manner(j->r) == TP_FAILS_MAIN_RETURN;
  if (returned != should)
    tp_str_add(why, returned ? "main returns" : "it ends before main returns");
  return returned == should &&
         (returned || compare_frames(j, compiler, messages, why) != ELSEWHERE);
}

bool tp_chk_site_matches(tp_chk_native_job *j, int compiler, const tp_process *p, tp_str *why) {
  TP_REQUIRE(compiler >= 0 && compiler < TP_CHK_N_NATIVE && j->program[compiler]);
  const char *messages = tp_str_text(&p->err);
  if (!tp_pos_known(j->r->failure.pos)) return true;
  if (compiler == TP_CHK_NATIVE_CLANG && j->report->n_fed > 0 &&
      !strstr(messages, "twoproof run: every input was asked for")) {
    tp_str_add(why, "it fails before every input was asked for");
    return false;
  }
  if (j->r->violated == TP_P_VALID_MEMTRACK || j->r->violated == TP_P_VALID_MEMCLEANUP)
    return matches_end(j, compiler, messages, why);
  const char *report = strstr(messages, " runtime error: ");
  if (report && !strstr(messages, "ERROR: AddressSanitizer:"))
    return matches_text(j, messages, report, why);
  if (j->r->monitors && !strstr(messages, site_mark))
    return true;  // the end of the program, as an event
  return matches_address(j, compiler, messages, why);
}
