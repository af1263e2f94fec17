/* Members of a structure: which of them count the elements of which arrays, and which are places in
 * an array beside them, names say, and types. */
#include "app/environment_priv.h"

#include <strings.h>

static bool is_count(const tp_environment *w, const tp_member *m) {
  return tp_env_is_integer(w, m->type) && !m->width_bits &&
         (tp_env_is_count_name(m->name) || tp_env_is_capacity_name(m->name));
}

/* Is it the size of the arrays beside it? Where no name says so a `size` is, beside another count:
 * of n and size, size. */
static bool is_capacity(const tp_environment *w, const tp_type_info *t, const tp_member *m) {
  if (tp_env_is_capacity_name(m->name)) return true;
  bool has_other = false;
  if (!strcasestr(m->name, "size")) return false;
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *other = &t->members[i];
    if (other == m || !is_count(w, other)) continue;
    if (tp_env_is_capacity_name(other->name) || strcasestr(other->name, "size")) return false;
    has_other = true;
  }
  return has_other;
}

static bool leads_to_characters(const tp_environment *w, const tp_member *m) {
  const tp_type_info *t = tp_env_type(w, m->type);
  return t->kind == TP_T_POINTER && tp_env_is_character(w, t->element);
}

/* The only count of a structure: it may stand anywhere. */
static const tp_member *only_count(tp_environment *w, const tp_type_info *t) {
  const tp_member *only = NULL;
  for (uint32_t i = 0; i < t->n_members; i++) {
    if (!is_count(w, &t->members[i])) continue;
    if (only) return NULL;
    only = &t->members[i];
  }
  return only;
}

/* The member that counts what another one points to, and those that stay below it. */
static const tp_member *count_of_member(tp_environment *w, const tp_type_info *t,
                                        uint32_t pointer) {
  const tp_member *best = NULL;
  for (int turn = 0; turn < 2 && !best; turn++)
    for (uint32_t i = 0; i < t->n_members && !best; i++) {
      const tp_member *m = &t->members[i];
      if (!is_count(w, m)) continue;
      const uint32_t distance = i > pointer ? i - pointer : pointer - i;
      if (distance <= 3 && (turn == 1 || is_capacity(w, t, m))) best = m;
    }
  return best || leads_to_characters(w, &t->members[pointer]) ? best : only_count(w, t);
}

/* Does the name say that the pointer goes through an array that another member owns? "end" may lie
 * behind its last element. */
static bool is_cursor_name(const char *name, bool *is_end) {
  static const char *const words[] = {"head", "tail", "cur", "cursor", "pos",   "read", "write",
                                      "rd",   "wr",   "top", "next",   "front", "back", "end"};
  const char *last = strrchr(name, '_');
  last = last && last[1] ? last + 1 : name;
  *is_end = strcmp(last, "end") == 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(last, words[i]) == 0) return true;
  return false;
}

/* The array that member i goes through: of the same type, with the same count, before it; of those
 * without a count, which are strings, the nearest one, before it if there is one. */
static const tp_member *array_of_cursor(const tp_environment *w, const tp_type_info *t,
                                        const tp_member *const *counts, uint32_t i, bool *is_end) {
  const tp_member *of = NULL, *const m = &t->members[i];
  bool ignored;
  if (w->twins || !is_cursor_name(m->name, is_end)) return NULL;
  if (!counts[i] && (w->o->has_null || !leads_to_characters(w, m))) return NULL;
  for (uint32_t k = 0; k < t->n_members; k++) {
    if (counts[k] != counts[i] || t->members[k].type.id != m->type.id ||
        is_cursor_name(t->members[k].name, &ignored))
      continue;
    if (counts[i] ? !of && k < i : !of || k < i) of = &t->members[k];
  }
  return of;
}

/* A place in a string, or at its end. */
static bool fill_string_cursor(tp_environment *w, const char *array, const char *lvalue,
                               uint32_t indent) {
  const char *size = NULL;
  for (size_t i = 0; i < w->strings.n; i++)
    if (strcmp(w->strings.at[i].name, array) == 0) size = w->strings.at[i].shown;
  if (!size) return false;
  const uint32_t number = w->n_counters++;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__SIZE_TYPE__ place%u = __VERIFIER_nondet_ulonglong();\n", number);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__VERIFIER_assume(place%u < %s);\n", number, size);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s + place%u;\n", lvalue, array, number);
  tp_env_assume(w, "%s points into %s, or to its end", tp_env_shown(w, lvalue),
                tp_env_shown(w, array));
  return true;
}

/* A place in the array; one that cursors go through has an element at least. */
static void fill_cursor(tp_environment *w, const char *path, const tp_member *array,
                        const char *count, bool is_end, const char *lvalue, uint32_t indent) {
  const uint32_t number = w->n_counters++;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__SIZE_TYPE__ place%u = __VERIFIER_nondet_ulonglong();\n", number);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__VERIFIER_assume(%s > 0 && place%u %s %s);\n", count, number,
                is_end ? "<=" : "<", count);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s%s ? %s%s + place%u : 0;\n", lvalue, path, array->name, path,
                array->name, number);
  tp_env_assume(w, "%s points into %s%s, which has at least one element", tp_env_shown(w, lvalue),
                tp_env_shown(w, path), array->name);
}

/* Does the function go from one structure behind the pointer to another? */
static bool goes_on(const tp_environment *w, const tp_member *m) {
  const tp_env_place at = tp_env_place_of_member(w->place, m->offset_bits / 8),
                     behind = tp_env_place_behind(w, at);
  return behind.is_known && behind.at.node &&
         tp_env_place_of_elements(w, behind, tp_env_type(w, m->type)->element).is_known;
}

/* Which member counts what a pointer leads to, and which ones are numbers of that kind. */
static void find_counts(tp_environment *w, const tp_type_info *t, const tp_member **counts,
                        bool *is_counted) {
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_type_info *m = tp_env_type(w, t->members[i].type);
    const tp_type_info *e =
        m->kind == TP_T_POINTER && m->element.id ? tp_env_type(w, m->element) : NULL;
    const bool counts_elements =
        e && e->kind != TP_T_FUNCTION && (!tp_env_is_aggregate(e) || goes_on(w, &t->members[i]));
    counts[i] = counts_elements ? count_of_member(w, t, i) : NULL;
    for (uint32_t k = 0; counts[i] && k < t->n_members; k++)
      is_counted[k] |= is_count(w, &t->members[k]);
  }
}

static void fill_number(tp_environment *w, const tp_member *m, const char *lvalue, bool is_counted,
                        uint32_t indent) {
  tp_env_fill(w, m->type, lvalue, indent);
  if (!is_counted) return;
  tp_env_begin(w, indent);
  const bool is_signed = tp_env_type(w, m->type)->is_signed;
  tp_str_printf(&w->text, "__VERIFIER_assume(%s%s%s%s <= %u);\n", is_signed ? "0 <= " : "",
                is_signed ? lvalue : "", is_signed ? " && " : "", lvalue, w->o->elements);
  tp_env_assume(w, "%s is at most %u%s", tp_env_shown(w, lvalue), w->o->elements,
                is_signed ? ", and at least 0" : "");
}

/* Counts stay below their capacity. */
static void bound_counts(tp_environment *w, const tp_type_info *t, const tp_member *capacity,
                         const char *path, uint32_t indent) {
  for (uint32_t k = 0; k < t->n_members; k++) {
    const tp_member *m = &t->members[k];
    if (m == capacity || !is_count(w, m)) continue;
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "__VERIFIER_assume(%s%s <= %s%s);\n", path, m->name, path,
                  capacity->name);
    tp_env_assume(w, "%s%s is at most %s%s", tp_env_shown(w, path), m->name, tp_env_shown(w, path),
                  capacity->name);
  }
}

static bool is_member_read(const tp_environment *w, tp_env_place structure, const tp_member *m) {
  return tp_env_is_read(w, tp_env_place_of_member(structure, m->offset_bits / 8),
                        tp_env_type(w, m->type)->size_bytes);
}

/* Is what the pointer leads to asked for, by the function or by a cursor that goes through it? */
static bool is_needed(const tp_environment *w, const tp_type_info *t,
                      const tp_member *const *counts, const tp_member *m) {
  bool needs = is_member_read(w, w->place, m), ignored;
  for (uint32_t k = 0; k < t->n_members && !needs; k++)
    needs = is_member_read(w, w->place, &t->members[k]) &&
            tp_env_type(w, t->members[k].type)->kind == TP_T_POINTER &&
            array_of_cursor(w, t, counts, k, &ignored) == m;
  return needs;
}

/* Does the function read a number of the structure, which may be the size of what is beside it? */
static bool has_number(const tp_environment *w, const tp_type_info *t) {
  for (uint32_t i = 0; i < t->n_members; i++)
    if (tp_env_is_integer(w, t->members[i].type) && is_member_read(w, w->place, &t->members[i]))
      return true;
  return false;
}

typedef enum { NUMBERS, ARRAYS, CURSORS } member_turn;

static void fill_member(tp_environment *w, const tp_type_info *t, const tp_member *const *counts,
                        const bool *is_counted, uint32_t i, member_turn turn, const char *path,
                        uint32_t indent) {
  const tp_member *m = &t->members[i];
  const bool is_pointer = tp_env_type(w, m->type)->kind == TP_T_POINTER, has_name = m->name[0];
  const char *lvalue = tp_arena_printf(w->arena, "%s%s", path, m->name);
  bool is_end = false;
  const tp_member *array = is_pointer ? array_of_cursor(w, t, counts, i, &is_end) : NULL;
  if (is_pointer && !is_needed(w, t, counts, m)) return;
  if (turn != (array        ? CURSORS
               : is_pointer ? ARRAYS
                            : NUMBERS) ||
      (m->width_bits == 0 && tp_env_type(w, m->type)->size_bytes == 0))
    return;
  const tp_env_place structure = w->place;
  w->is_counted = is_pointer && !counts[i] && has_number(w, t);
  w->place = tp_env_place_of_member(structure, m->offset_bits / 8);
  if (!is_pointer && has_name) {
    fill_number(w, m, lvalue, is_counted[i], indent);
  } else if (!has_name) {
    if (tp_env_is_aggregate(tp_env_type(w, m->type))) tp_env_fill_members(w, m->type, path, indent);
  } else {
    const char *n = counts[i] ? tp_arena_printf(w->arena, "%s%s", path, counts[i]->name) : NULL;
    if (array && n)
      fill_cursor(w, path, array, n, is_end, lvalue, indent);
    else if (!array || !fill_string_cursor(w, tp_arena_printf(w->arena, "%s%s", path, array->name),
                                           lvalue, indent))
      tp_env_fill_pointer(w, m->type, lvalue, n, false, indent);
  }
  w->place = structure;
  w->is_counted = false;
}

void tp_env_fill_members(tp_environment *w, tp_type type, const char *path, uint32_t indent) {
  const tp_type_info *t = tp_env_type(w, type);
  tp_vec_push(&w->path, type);
  bool *is_counted = tp_arena_array(w->arena, bool, t->n_members + 1);
  const tp_member **counts = tp_arena_array(w->arena, const tp_member *, t->n_members + 1);
  find_counts(w, t, counts, is_counted);
  // numbers first: lengths of arrays are among them; then arrays, and places in them
  for (member_turn turn = NUMBERS; turn <= CURSORS; turn++)
    for (uint32_t i = 0; i < t->n_members; i++)
      fill_member(w, t, counts, is_counted, i, turn, path, indent);
  for (uint32_t i = 0; i < t->n_members; i++)
    if (counts[i] && is_capacity(w, t, counts[i])) bound_counts(w, t, counts[i], path, indent);
  w->path.n--;
}
