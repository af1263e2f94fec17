/* Escapes are read and written byte by byte. */
#include "lsp/file_uri.h"

#include <ctype.h>
#include <strings.h>

static int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* What follows "file:": the path, behind no authority, an empty one, or localhost. */
static const char *behind_authority(const char *text) {
  if (strncmp(text, "//", 2) != 0) return text[0] == '/' ? text : NULL;
  text += 2;
  const size_t n = strcspn(text, "/");
  const bool is_here = n == 0 || (n == 9 && strncasecmp(text, "localhost", 9) == 0);
  return is_here && text[n] == '/' ? text + n : NULL;
}

bool tp_file_uri_path(const char *uri, tp_str *path) {
  TP_REQUIRE(uri && path);
  const char *c = strncasecmp(uri, "file:", 5) == 0 ? behind_authority(uri + 5) : NULL;
  if (!c) return false;
  for (; *c && *c != '?' && *c != '#'; c++) {
    if (*c != '%') {
      tp_str_add_char(path, *c);
      continue;
    }
    const int high = digit(c[1]), low = high < 0 ? -1 : digit(c[2]);
    if (low < 0 || high + low == 0) return false;
    tp_str_add_char(path, (char)(high * 16 + low));
    c += 2;
  }
  return true;
}

void tp_file_uri_of(const char *path, tp_str *uri) {
  TP_REQUIRE(path && path[0] == '/' && uri);
  tp_str_add(uri, "file://");
  for (const char *c = path; *c; c++) {
    const bool is_plain = isalnum((unsigned char)*c) || strchr("-._~/", *c);
    if (is_plain)
      tp_str_add_char(uri, *c);
    else
      tp_str_printf(uri, "%%%02X", (unsigned)(unsigned char)*c);
  }
}
