/* What the function, with all that it calls, reads of the memory behind its arguments: a points-to
 * analysis of the module's program, from the parameters on.
 *
 * The environment leaves out what is never read: it would cost time, and be one more thing that is
 * assumed. If the analysis missed a read, the program would read what was never written, whatever
 * that is, and pointers from there lead nowhere: a failure, and no proof. */
#include "app/environment_priv.h"

static const tp_env_place anything = {0};

void tp_env_find_reads(tp_environment *w) {
  TP_REQUIRE(w && w->number.id && !w->reads);
  // a condition, or another version, looks at more; one object may be the argument of two
  const bool has_others = w->twins || w->o->precondition || w->o->has_aliases;
  if (!has_others && w->f->type.id && w->f->n_params == tp_env_type(w, w->f->type)->n_params)
    w->reads = tp_pointsto_new_of(w->p, w->number);
}

void tp_env_end_reads(tp_environment *w) {
  tp_pointsto_free((tp_pointsto *)w->reads);
  w->reads = NULL;
  w->place = anything;
}

tp_env_place tp_env_place_of_argument(const tp_environment *w, uint32_t i) {
  if (!w->reads) return anything;
  return (tp_env_place){true, tp_pointsto_place_of(w->reads, w->f->params[i])};
}

tp_env_place tp_env_place_behind(const tp_environment *w, tp_env_place pointer) {
  if (!w->reads || !pointer.is_known) return anything;
  return (tp_env_place){true, tp_pointsto_place_behind(w->reads, pointer.at)};
}

tp_env_place tp_env_place_of_member(tp_env_place structure, uint64_t offset_bytes) {
  if (structure.is_known && structure.at.node) structure.at.offset += (int64_t)offset_bytes;
  return structure;
}

tp_env_place tp_env_place_of_elements(const tp_environment *w, tp_env_place first,
                                      tp_type element) {
  const bool is_one = w->reads && first.is_known &&
                      tp_pointsto_repeats(w->reads, first.at, tp_env_type(w, element)->size_bytes);
  return is_one ? first : anything;
}

tp_type tp_env_taken_for(const tp_environment *w, tp_type pointer, tp_env_place object) {
  const tp_type element = tp_env_type(w, pointer)->element;
  const bool is_void = !element.id || tp_env_type(w, element)->kind == TP_T_VOID;
  if (!w->reads || !object.is_known || !is_void) return TP_TYPE_NONE;
  const tp_type type = tp_pointsto_declared(w->reads, object.at);
  const bool is_struct = type.id && tp_env_type(w, type)->name[0] &&
                         strcmp(tp_env_type(w, type)->name, "struct") != 0 &&
                         tp_env_type(w, type)->size_bytes > 0;
  return is_struct ? type : TP_TYPE_NONE;
}

tp_type tp_env_struct_behind(const tp_environment *w, tp_env_place pointer) {
  if (!w->reads || !pointer.is_known) return TP_TYPE_NONE;
  return tp_pointsto_declared(w->reads, tp_pointsto_place_behind(w->reads, pointer.at));
}

bool tp_env_extent_of(const tp_environment *w, tp_env_place object, uint64_t *bytes) {
  *bytes = 0;
  if (!w->reads || !object.is_known || !object.at.node) return true;
  return tp_pointsto_extent(w->reads, object.at, bytes);
}

bool tp_env_is_read(const tp_environment *w, tp_env_place place, uint64_t size_bytes) {
  return !w->reads || !place.is_known || tp_pointsto_is_read(w->reads, place.at, size_bytes);
}

bool tp_env_is_object_read(const tp_environment *w, tp_env_place object) {
  return tp_env_is_read(w, object, UINT32_MAX);  // to its end, wherever that is
}
