/* Files become entries, one by one; an entry of the user is checked before the next file is read.
 * Refinements are compared when the whole library is there, as a file may refine one behind it. */
#include "shape/library.h"

#include "base/beside.h"
#include "shape/verify.h"

#include <glob.h>

void tp_shape_library_clear(tp_shape_library *library) {
  for (size_t i = 0; i < library->entries.n; i++) {
    tp_description_clear(library->entries.at[i]);
    tp_free(library->entries.at[i]);
  }
  tp_vec_clear(&library->entries);
  library->n_users = 0;
}

const tp_description *tp_shape_library_find(const tp_shape_library *library, const char *name) {
  for (size_t i = 0; i < library->entries.n; i++)
    if (strcmp(library->entries.at[i]->name, name) == 0) return library->entries.at[i];
  return NULL;
}

bool tp_shape_library_refines(const tp_shape_library *library, const tp_description *fine,
                              const tp_description *coarse) {
  TP_REQUIRE(fine && coarse);
  for (size_t steps = 0; fine && steps <= library->entries.n; steps++) {
    if (fine == coarse) return true;
    fine = fine->refines ? tp_shape_library_find(library, fine->refines) : NULL;
  }
  return false;
}

/* All heaps of up to two cells, or one where the fields are many, and random ones of up to five:
 * tens of milliseconds for the entries of lib/shape. */
static tp_verify_volume volume_for(const tp_description *entry) {
  return (tp_verify_volume){.all_cells = entry->fields.n > 1 ? 1 : 2,
                            .random_cells = 5,
                            .n_random = entry->fields.n > 4 ? 200 : 1000,
                            .seed = 1};
}

tp_status tp_description_check(const tp_description *entry, tp_diag *diag) {
  const tp_verify_volume volume = volume_for(entry);
  tp_verify_result r = {0};
  const tp_status st = tp_description_verify(entry, &volume, &r);
  if (st == TP_ERR_LIMIT)
    tp_diag_say(diag, TP_ERROR, entry->pos, "structure",
                "'%s' has too many predicates for six pointers, or formulas that are too large",
                entry->name);
  if (r.is_wrong) {
    tp_diag_say(diag, TP_ERROR, r.pos, "structure", "%s", tp_str_text(&r.text));
    tp_diag_say(diag, TP_NOTE, TP_POS_NONE, NULL, "counterexample, the heap before: %s",
                tp_str_text(&r.heap));
  }
  const bool is_right = st == TP_OK && !r.is_wrong;
  tp_verify_result_clear(&r);
  return is_right ? TP_OK : TP_ERR_INPUT;
}

static bool is_from_user(const tp_shape_library *library, const tp_description *entry) {
  for (size_t i = 0; i < library->n_users; i++)
    if (library->entries.at[i] == entry) return true;
  return false;
}

static tp_status read_one(tp_shape_library *library, const char *path, tp_diag *diag) {
  tp_description *entry = TP_NEW(tp_description);
  tp_status st = tp_description_read(entry, path, diag);
  const tp_description *other = st == TP_OK ? tp_shape_library_find(library, entry->name) : NULL;
  if (other) {
    tp_diag_say(diag, TP_ERROR, is_from_user(library, other) ? other->pos : entry->pos, "structure",
                "there is a structure '%s' in another file", entry->name);
    st = TP_ERR_INPUT;
  }
  tp_vec_push(&library->entries, entry);
  return st;
}

static tp_status check_refinements(const tp_shape_library *library, tp_diag *diag) {
  for (size_t i = 0; i < library->entries.n; i++) {
    const tp_description *e = library->entries.at[i],
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

tp_status tp_shape_library_add(tp_shape_library *library, const char *path, tp_diag *diag) {
  TP_REQUIRE(library->n_users == library->entries.n);
  TP_TRY(read_one(library, path, diag));
  library->n_users++;
  return tp_description_check(library->entries.at[library->entries.n - 1], diag);
}

tp_status tp_shape_library_read(tp_shape_library *library, const char *folder, tp_diag *diag) {
  tp_str pattern = {0};
  tp_str_printf(&pattern, "%s/*.scg", folder);
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

tp_status tp_shape_library_read_standard(tp_shape_library *library, tp_diag *diag) {
  char folder[4096];
  if (!tp_find_own_folder("shape/sll.scg", folder, sizeof folder - strlen("/shape")))
    return TP_ERR_SYSTEM;
  strcat(folder, "/shape");
  return tp_shape_library_read(library, folder, diag);
}
