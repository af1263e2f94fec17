/* Levenshtein's distance, one row of the table at a time; names differ if a third of their letters
 * does. */
#include "base/nearest.h"

enum { MAX_NAME = 64 };

/* Levenshtein's distance, up to MAX_NAME characters. */
static size_t distance(const char *a, const char *b) {
  size_t row[MAX_NAME + 1], m = strlen(b);
  if (m > MAX_NAME || strlen(a) > MAX_NAME) return SIZE_MAX;
  for (size_t j = 0; j <= m; j++) row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < m; j++) {
      size_t above = row[j + 1], best = diagonal + (a[i] != b[j]);
      if (above + 1 < best) best = above + 1;
      if (row[j] + 1 < best) best = row[j] + 1;
      diagonal = above;
      row[j + 1] = best;
    }
  }
  return row[m];
}

const char *tp_nearest_name(const char *name, const char *const *names) {
  const char *best = NULL;
  size_t least = strlen(name) / 3 + 2;  // a third of the letters, and one for short names
  for (size_t i = 0; names[i]; i++) {
    size_t d = distance(name, names[i]);
    if (d < least) least = d, best = names[i];
  }
  return best;
}

void tp_add_known_names(tp_str *why, const char *name, const char *const *names) {
  const char *near = tp_nearest_name(name, names);
  if (near) tp_str_printf(why, "; did you mean '%s'?", near);
  tp_str_add(why, near ? " Known:" : "; known:");
  for (size_t i = 0; names[i]; i++) tp_str_printf(why, "%s %s", i ? "," : "", names[i]);
}
