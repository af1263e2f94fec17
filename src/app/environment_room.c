/* How much room an argument's object has: what a number beside the pointer counts, else what the
 * precondition says, else what the code names (environment_extents.c). */
#include "app/app_limits.h"
#include "app/environment_priv.h"
#include "app/requires.h"

#include <ctype.h>
#include <stdlib.h>

// ------------------------------------------------------------------------ counts

/* text_len, textLen: of text. */
static bool is_count_of(const char *count, const char *array) {
  const size_t n = strlen(array);
  return strncmp(count, array, n) == 0 && tp_env_is_count_name(count + n + strspn(count + n, "_"));
}

/* A number behind several pointers counts all of them, as n in copy(to, from, n), unless its name
 * says which: pattern, text, text_len. */
static bool counts_another(const tp_environment *w, uint32_t pointer, uint32_t count) {
  const char *name = tp_env_name_of(w, count);
  bool is_other = false;
  for (uint32_t i = pointer + 1; i < count; i++)
    is_other |= is_count_of(name, tp_env_name_of(w, i));
  return is_other && !is_count_of(name, tp_env_name_of(w, pointer));
}

/* A number behind several pointers counts those of one type: the one next to it says which. */
static bool counts_other_type(const tp_environment *w, uint32_t pointer, uint32_t next) {
  const tp_type mine = tp_env_type(w, tp_env_param(w, pointer))->element,
                its = tp_env_type(w, tp_env_param(w, next))->element;
  const uint64_t size = tp_env_is_void(w, mine) ? 1 : tp_env_type(w, mine)->size_bytes,
                 other = tp_env_is_void(w, its) ? 1 : tp_env_type(w, its)->size_bytes;
  return size != other || tp_env_is_void(w, mine) != tp_env_is_void(w, its) ||
         tp_env_is_character(w, mine) != tp_env_is_character(w, its);
}

/* Numbers stand behind the arrays that they count, or before. */
uint32_t tp_env_count_of(const tp_environment *w, uint32_t pointer) {
  const uint32_t n = tp_env_type(w, w->f->type)->n_params;
  const tp_type element = tp_env_type(w, tp_env_param(w, pointer))->element;
  if (tp_env_leads_to_itself(w, element)) return n;  // cells of a list are not in an array
  const tp_type_info *object = element.id ? tp_env_type(w, element) : NULL;
  const bool is_one = object && (tp_env_is_aggregate(object) || object->kind == TP_T_POINTER);
  if (is_one && !tp_env_is_array(w, w->number, pointer, object->size_bytes)) return n;
  uint32_t i = pointer + 1;
  while (i < n && tp_env_type(w, tp_env_param(w, i))->kind == TP_T_POINTER) i++;
  if (i < n && tp_env_is_integer(w, tp_env_param(w, i)) &&
      tp_env_is_count_name(tp_env_name_of(w, i)) && !counts_another(w, pointer, i)) {
    const bool is_next = i == pointer + 1;
    if (is_next || (!counts_other_type(w, pointer, i - 1) && !tp_env_is_read_to_end(w, pointer)))
      return i;
    return n;
  }
  const bool is_free =
      pointer > 0 &&
      (pointer == 1 || tp_env_type(w, tp_env_param(w, pointer - 2))->kind != TP_T_POINTER);
  if (is_free && tp_env_is_integer(w, tp_env_param(w, pointer - 1)) &&
      tp_env_is_count_name(tp_env_name_of(w, pointer - 1)))
    return pointer - 1;
  return n;
}

// -------------------------------------------------------------------------- room

const char *tp_env_more_room(const tp_environment *w, uint32_t i, const char *n) {
  const char *name = tp_env_name_of(w, i);
  const tp_type element = tp_env_type(w, tp_env_param(w, i))->element;
  const bool is_character = tp_env_is_character(w, element),
             is_number = tp_env_is_void(w, element) || tp_env_is_plain_number(w, element);
  if (w->twins || !is_number) return "";
  if (n && !isdigit((unsigned char)n[0]))
    return is_character && !strchr(n, '(')
               ? tp_arena_printf(w->arena,
                                 TP_ENVIRONMENT_MORE
                                 "room(%s, %s + 1) && %s[%s] == 0" TP_ENVIRONMENT_MORE_END,
                                 name, n, name, n)
               : "";
  const unsigned long long least = n ? 4 * strtoull(n, NULL, 10) : 0;
  return tp_arena_printf(w->arena, TP_ENVIRONMENT_MORE "room(%s, %llu)" TP_ENVIRONMENT_MORE_END,
                         name, least > TP_APP_EQUAL_ROOM ? least : TP_APP_EQUAL_ROOM);
}

const char *tp_env_elements_accessed(tp_environment *w, tp_type element, tp_env_place object,
                                     const char *lvalue) {
  const bool is_void = tp_env_is_void(w, element);
  if (w->twins || (!is_void && !tp_env_is_plain_number(w, element))) return NULL;
  uint64_t bytes = 0;
  if (!tp_env_extent_of(w, object, &bytes)) {
    bytes = TP_APP_ENTRY_ROOM;
    tp_env_assume(w, "nothing says how much room %s needs at %s", w->f->name,
                  tp_env_shown(w, lvalue));
  }
  const uint64_t size = is_void ? 1 : tp_env_type(w, element)->size_bytes,
                 n = (bytes + size - 1) / size;
  const bool is_more = n > (is_void ? w->o->elements : 1) && bytes <= TP_APP_ENTRY_EXTENT;
  return is_more ? tp_arena_printf(w->arena, "%llu", (unsigned long long)n) : NULL;
}

const char *tp_env_elements_of(tp_environment *w, uint32_t i) {
  const uint32_t count = tp_env_count_of(w, i);
  const tp_type of = tp_env_type(w, tp_env_param(w, i))->element;
  w->room = tp_requires_room(w->o->precondition, tp_env_name_of(w, i), w->arena);
  if (w->room && !tp_env_is_void(w, of) && !tp_env_is_plain_number(w, of)) w->room = NULL;
  if (w->room) {
    w->n_rooms++;
    const bool is_string =
        tp_env_is_character(w, of) && count == tp_env_type(w, w->f->type)->n_params;
    return is_string ? NULL : w->room;
  }
  if (count < tp_env_type(w, w->f->type)->n_params) return tp_env_name_of(w, count);
  if (tp_env_taken_for(w, tp_env_param(w, i), tp_env_place_of_argument(w, i)).id) return NULL;
  unsigned long long n = tp_env_elements_named(w, i);
  w->is_text = tp_env_is_text(w, i);
  if (w->is_text && !tp_env_is_character(w, of)) {
    n = 0;  // what it reads at places that constants bound is there as far as the text goes
  } else if (tp_env_is_output(w, i)) {
    const tp_type element = tp_env_type(w, tp_env_param(w, i))->element;
    const uint64_t size = tp_env_is_void(w, element) ? 1 : tp_env_type(w, element)->size_bytes;
    const uint64_t room = w->twins ? TP_APP_EQUAL_ROOM : TP_APP_ENTRY_ROOM;
    if (n < room / size) n = room / size;
    tp_env_assume(w, "nothing says how much room %s needs at %s", w->f->name,
                  tp_env_shown(w, tp_env_name_of(w, i)));
  } else if (n > 0) {
    tp_env_assume(w, "the size of %s is what %s accesses at places that constants bound",
                  tp_env_shown(w, tp_env_name_of(w, i)), w->f->name);
  } else if (!tp_env_is_character(w, of)) {  // it may be stored somewhere before it is accessed
    return tp_env_elements_accessed(w, of, tp_env_place_of_argument(w, i), tp_env_name_of(w, i));
  }
  return n > 0 ? tp_arena_printf(w->arena, "%llu", n) : NULL;
}
