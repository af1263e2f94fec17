/* Lines belong to the file that the marker in front of them names; the first marker names the unit
 * itself. */
#include "app/unit_headers.h"

#include <ctype.h>

/* "# 12 "path" 2 3" of the preprocessor: the path with its quotes, and whether it is a header of
 * the system's (3); false: it is another line. */
static bool read_marker(const char *line, const char **path, size_t *n, bool *is_system) {
  if (line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2])) return false;
  const char *end = line + strcspn(line, "\n"), *open = memchr(line, '"', (size_t)(end - line));
  const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
  if (!close) return false;
  *path = open;
  *n = (size_t)(close + 1 - open);
  *is_system = false;
  for (const char *at = close + 1; at < end; at++) *is_system |= *at == '3';
  return true;
}

char *tp_unit_headers(const char *seen) {
  TP_REQUIRE(seen);
  tp_str text = {0};
  const char *file = NULL, *path = NULL;
  size_t file_length = 0, n = 0;
  bool is_system = false, is_header = false;
  for (const char *line = seen; *line;) {
    const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
    if (read_marker(line, &path, &n, &is_system)) {
      if (!file) file = path, file_length = n;
      const bool is_file = n == file_length && strncmp(path, file, n) == 0;
      is_header = !is_file && !is_system && path[1] != '<';
    } else if (is_header) {
      tp_str_add_n(&text, line, length);
    }
    line += length;
  }
  char *copy = TP_NEW_ARRAY(char, text.n + 1);
  memcpy(copy, tp_str_text(&text), text.n);
  tp_str_clear(&text);
  return copy;
}
