/* The file is read each time that a function asks: few do, and what the user edits counts. */
#include "app/requires.h"

#include "base/files.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Does an operator stand outside of all parentheses that binds less than `&&`? */
static bool is_loose(const char *text) {
  int depth = 0;
  for (const char *at = text; *at; at++) {
    depth += (*at == '(') - (*at == ')');
    if (depth == 0 && (*at == '?' || (*at == '|' && at[1] == '|'))) return true;
  }
  return false;
}

static const char *as_conjunct(const char *text, tp_arena *arena) {
  return is_loose(text) ? tp_arena_printf(arena, "(%s)", text) : text;
}

const char *tp_requires_both(const char *a, const char *b, tp_arena *arena) {
  if (!a || !a[0]) return b && b[0] ? b : NULL;
  return b && b[0]
             ? tp_arena_printf(arena, "%s && %s", as_conjunct(a, arena), as_conjunct(b, arena))
             : a;
}

/* The first operator of the text that changes something: an assignment, `++` or `--`; NULL: none.
 * A condition is assumed, and would change what it talks about. */
static const char *change_in(const char *text) {
  for (const char *at = text; *at; at++) {
    if ((*at == '+' || *at == '-') && at[1] == *at) return at;
    if (*at != '=') continue;
    const char before = at > text ? at[-1] : ' ';
    const bool is_shift = at - text >= 2 && (before == '<' || before == '>') && at[-2] == before;
    if (at[1] == '=')
      at++;
    else if (is_shift || !strchr("<>!", before))
      return at;
  }
  return NULL;
}

// ------------------------------------------------------------------------- rooms

/* room(NAME, N) in a text: from its first character to behind its last one. */
typedef struct {
  const char *start, *end;
  const char *name, *n;
  size_t name_length, n_length;
} room_text;

static bool is_of_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The parenthesis that ends what begins behind an open one; NULL: none does. */
static const char *closing(const char *at) {
  for (int depth = 1; *at; at++) {
    depth += (*at == '(') - (*at == ')');
    if (depth == 0) return at;
  }
  return NULL;
}

static bool next_room(const char *text, const char *from, room_text *out) {
  for (const char *at = strstr(from, "room"); at; at = strstr(at + 1, "room")) {
    const char *open = at + 4 + strspn(at + 4, " ");
    if ((at > text && is_of_word(at[-1])) || *open != '(') continue;
    const char *name = open + 1 + strspn(open + 1, " "), *behind = name;
    while (is_of_word(*behind)) behind++;
    const char *comma = behind + strspn(behind, " "), *end = closing(open + 1);
    if (*comma != ',' || behind == name || !end) continue;
    const char *n = comma + 1 + strspn(comma + 1, " ");
    *out = (room_text){at, end + 1, name, n, (size_t)(behind - name), (size_t)(end - n)};
    if (end > n) return true;
  }
  return false;
}

/* Does each room(NAME, N) have to hold for the text to hold? The object has this size in all calls
 * that are looked at, so a room is no part of a choice. */
static bool are_rooms_conjuncts(const char *text) {
  room_text r = {.end = text};
  while (next_room(text, r.end, &r)) {
    const char *before = r.start, *behind = r.end + strspn(r.end, " ");
    int depth = 0;
    for (const char *at = text; at < r.start; at++) depth += (*at == '(') - (*at == ')');
    while (before > text && before[-1] == ' ') before--;
    const bool is_first =
                   before == text || (before - text >= 2 && strncmp(before - 2, "&&", 2) == 0),
               is_last = !*behind || strncmp(behind, "&&", 2) == 0;
    if (depth > 0 || !is_first || !is_last || is_loose(text)) return false;
  }
  return true;
}

const char *tp_requires_room(const char *condition, const char *name, tp_arena *arena) {
  TP_REQUIRE(name && arena);
  room_text r = {.end = condition};
  while (condition && next_room(condition, r.end, &r))
    if (strlen(name) == r.name_length && strncmp(name, r.name, r.name_length) == 0)
      return tp_arena_printf(arena, "(%.*s)", (int)r.n_length, r.n);
  return NULL;
}

uint32_t tp_requires_count_rooms(const char *condition) {
  room_text r = {.end = condition};
  uint32_t n = 0;
  while (condition && next_room(condition, r.end, &r)) n++;
  return n;
}

const char *tp_requires_without_rooms(const char *condition, tp_arena *arena) {
  TP_REQUIRE(condition && arena);
  room_text r = {.end = condition};
  const char *text = "", *at = condition;
  while (next_room(condition, r.end, &r)) {
    text = tp_arena_printf(arena, "%s%.*s1", text, (int)(r.start - at), at);
    at = r.end;
  }
  return tp_arena_printf(arena, "%s%s", text, at);
}

// -------------------------------------------------------------------- conditions

/* One expression, and nothing that ends the call which it is an argument of. */
static const char *why_no_condition(const char *text) {
  int depth = 0;
  bool is_empty = true;
  for (const char *at = text; *at; at++) {
    is_empty &= isspace((unsigned char)*at) != 0;
    depth += (*at == '(') - (*at == ')');
    if (depth < 0) return "`)` without `(`";
    if (strchr(";{}\"#\\", *at)) return "an expression has no `;`, brace, quote, `#` or backslash";
  }
  if (depth > 0) return "`(` without `)`";
  if (change_in(text)) return "it changes a value (`=` assigns, `==` compares)";
  if (!are_rooms_conjuncts(text)) return "room(NAME, N) stands alone, or beside others with `&&`";
  return is_empty ? "the condition is empty" : NULL;
}

/* A line of the file without spaces around, cut into name and condition; false: it has neither. */
typedef struct {
  const char *name, *condition;
  bool is_blank;
} requires_line;
static bool read_line(tp_arena *arena, const char *start, size_t n, requires_line *out) {
  while (n > 0 && isspace((unsigned char)start[n - 1])) n--;
  while (n > 0 && isspace((unsigned char)*start)) start++, n--;
  *out = (requires_line){.is_blank = n == 0 || *start == '#'};
  if (out->is_blank) return true;
  size_t name = 0;
  while (name < n && (isalnum((unsigned char)start[name]) || start[name] == '_')) name++;
  if (name == 0 || name == n || start[name] != ':') return false;
  out->name = tp_arena_strndup(arena, start, name);
  out->condition = tp_arena_strndup(arena, start + name + 1, n - name - 1);
  while (isspace((unsigned char)*out->condition)) out->condition++;
  return true;
}

/* Of the function, all of its lines; function NULL: the first line that is wrong is said. */
static const char *read_file(const char *path, const char *function, tp_arena *arena, bool *ok) {
  tp_str text = {0};
  const char *found = NULL;
  *ok = tp_read_file(path, &text) == TP_OK;
  if (!*ok && !function) fprintf(stderr, "twoproof: --requires: %s cannot be read\n", path);
  uint32_t number = 1;
  for (const char *at = tp_str_text(&text); *ok && *at; number++) {
    const size_t n = strcspn(at, "\n");
    requires_line line;
    const bool is_line = read_line(arena, at, n, &line);
    const char *why = !is_line         ? "wanted is FUNC: CONDITION"
                      : !line.is_blank ? why_no_condition(line.condition)
                                       : NULL;
    if (why) {
      *ok = false;
      if (!function) fprintf(stderr, "twoproof: %s:%u: %s\n", path, number, why);
    } else if (function && !line.is_blank && strcmp(line.name, function) == 0) {
      found = tp_requires_both(found, tp_arena_printf(arena, "(%s)", line.condition), arena);
    }
    at += n + (at[n] == '\n');
  }
  tp_str_clear(&text);
  return found;
}

const char *tp_requires_of(const tp_options *o, const char *function, tp_arena *arena) {
  TP_REQUIRE(o && function && arena);
  bool ok = true;
  if (!o->precondition[0]) return NULL;
  return is_file(o->precondition) ? read_file(o->precondition, function, arena, &ok)
                                  : o->precondition;
}

bool tp_requires_is_usable(const tp_options *o) {
  TP_REQUIRE(o);
  if (!o->precondition[0]) return true;
  bool ok = true;
  if (is_file(o->precondition)) {
    tp_arena arena = {0};
    (void)read_file(o->precondition, NULL, &arena, &ok);
    tp_arena_clear(&arena);
    return ok;
  }
  const char *why = strchr("/.", o->precondition[0]) ? "there is no such file"
                                                     : why_no_condition(o->precondition);
  if (why)
    fprintf(stderr, "twoproof: --requires=%s: neither a file nor a condition: %s\n",
            o->precondition, why);
  return !why;
}
