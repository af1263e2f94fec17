#include "shape/library.h"

#include "shape/verify.h"

#include <glob.h>

void tp_shape_library_clear(tp_shape_library *library) {
  for (size_t i = 0; i < library->entries.n; i++) {
    tp_entry_clear(library->entries.at[i]);
    tp_free(library->entries.at[i]);
  }
  tp_vec_clear(&library->entries);
}

const tp_entry *tp_shape_library_find(const tp_shape_library *library, const char *name) {
  for (size_t i = 0; i < library->entries.n; i++)
    if (strcmp(library->entries.at[i]->name, name) == 0) return library->entries.at[i];
  return NULL;
}

bool tp_shape_library_refines(const tp_shape_library *library, const tp_entry *fine,
                              const tp_entry *coarse) {
  for (size_t steps = 0; fine && steps <= library->entries.n; steps++) {
    if (fine == coarse) return true;
    fine = fine->refines ? tp_shape_library_find(library, fine->refines) : NULL;
  }
  return false;
}

/* Small heaps show nearly every mistake, and take milliseconds. */
static tp_status try_small_heaps(const tp_entry *entry, tp_diag *diag) {
  const tp_verify_volume volume = {
      .all_cells = entry->fields.n > 1 ? 1 : 2, .random_cells = 4, .n_random = 200, .seed = 1};
  tp_verify_result r = {0};
  tp_status st = tp_entry_verify(entry, &volume, &r);
  if (st == TP_ERR_LIMIT)
    tp_diag_say(diag, TP_ERROR, entry->pos, "structure",
                "the formulas of '%s' are nested too deeply", entry->name);
  if (r.is_wrong) tp_diag_say(diag, TP_ERROR, r.pos, "structure", "%s", tp_str_text(&r.text));
  tp_str_clear(&r.text);
  return st != TP_OK || r.is_wrong ? TP_ERR_INPUT : TP_OK;
}

static tp_status read_one(tp_shape_library *library, const char *path, tp_diag *diag) {
  tp_entry *entry = TP_NEW(tp_entry);
  tp_status st = tp_entry_read(entry, path, diag);
  if (st == TP_OK && tp_shape_library_find(library, entry->name)) {
    tp_diag_say(diag, TP_ERROR, entry->pos, "structure",
                "there is a structure '%s' in another file", entry->name);
    st = TP_ERR_INPUT;
  }
  if (st == TP_OK) st = try_small_heaps(entry, diag);
  tp_vec_push(&library->entries, entry);
  return st;
}

static tp_status check_refinements(const tp_shape_library *library, tp_diag *diag) {
  for (size_t i = 0; i < library->entries.n; i++) {
    const tp_entry *e = library->entries.at[i],
                   *coarse = e->refines ? tp_shape_library_find(library, e->refines) : NULL;
    if (!e->refines) continue;
    const bool fits = coarse && coarse->fields.n == e->refines_fields.n;
    if (fits && !tp_shape_library_refines(library, coarse, e)) continue;
    if (!coarse)
      tp_diag_say(diag, TP_ERROR, e->refines_pos, "structure", "there is no structure '%s'",
                  e->refines);
    else if (!fits)
      tp_diag_say(diag, TP_ERROR, e->refines_pos, "structure",
                  "'%s' has %zu fields; 'with' names %zu", e->refines, coarse->fields.n,
                  e->refines_fields.n);
    else
      tp_diag_say(diag, TP_ERROR, e->refines_pos, "structure", "'%s' refines itself", e->name);
    return TP_ERR_INPUT;
  }
  return TP_OK;
}

tp_status tp_shape_library_read(tp_shape_library *library, const char *directory, tp_diag *diag) {
  tp_str pattern = {0};
  tp_str_printf(&pattern, "%s/*.scg", directory);
  glob_t files;
  const int found = glob(tp_str_text(&pattern), 0, NULL, &files);
  tp_str_clear(&pattern);
  if (found == GLOB_NOMATCH) return TP_OK;
  if (found != 0) return TP_ERR_SYSTEM;
  tp_status st = TP_OK;
  for (size_t i = 0; i < files.gl_pathc && st == TP_OK; i++)
    st = read_one(library, files.gl_pathv[i], diag);
  globfree(&files);
  return st == TP_OK ? check_refinements(library, diag) : st;
}
