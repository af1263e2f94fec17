/* An array that its user holds in variables whose addresses a function gets, as in
 * expand(char **data, int *length, int *capacity, int size): the pointer to its memory, how many
 * elements are in use, for how many there is room, and perhaps of how many bytes each.
 *
 * Beside a pointer to a pointer to numbers or bytes stand pointers to integers whose names count:
 * the one that names a capacity, else the first, says how large the memory is, the others are at
 * most that. An integer called size is the size of an element, if the memory is of bytes. */
#include "app/environment_priv.h"

#include <strings.h>

typedef struct {
  uint32_t room;  // the parameter that leads to the capacity
  uint32_t used;  // to a number of elements in use, or the number of parameters: none
  uint32_t size;  // of an element in bytes, likewise
} held_array;

static bool is_count_pointer(const tp_environment *w, uint32_t i) {
  const tp_type_info *t = tp_env_type(w, tp_env_param(w, i));
  const char *name = tp_env_name_of(w, i);
  return t->kind == TP_T_POINTER && tp_env_is_integer(w, t->element) &&
         tp_env_type(w, t->element)->size_bytes > 1 &&
         (tp_env_is_count_name(name) || tp_env_is_capacity_name(name));
}

/* Bytes, or numbers; what they are behind. */
static bool is_memory_pointer(const tp_environment *w, uint32_t i, tp_type *element) {
  const tp_type_info *t = tp_env_type(w, tp_env_param(w, i));
  if (t->kind != TP_T_POINTER || !t->element.id) return false;
  const tp_type_info *inner = tp_env_type(w, t->element);
  if (inner->kind != TP_T_POINTER) return false;
  *element = inner->element;
  if (tp_env_is_void(w, inner->element)) return true;
  const tp_type_info *e = tp_env_type(w, inner->element);
  return e->kind == TP_T_INT || e->kind == TP_T_FLOAT;
}

static bool is_bytes(const tp_environment *w, tp_type element) {
  return tp_env_is_void(w, element) || tp_env_type(w, element)->size_bytes == 1;
}

static bool is_size_name(const char *name) {
  const size_t n = strlen(name);
  return (n >= 2 && strcasecmp(name + n - 2, "sz") == 0) ||
         (n >= 4 && strcasecmp(name + n - 4, "size") == 0);
}

static bool find_held(const tp_environment *w, uint32_t data, held_array *out) {
  const uint32_t n = tp_env_type(w, w->f->type)->n_params;
  tp_type element;
  *out = (held_array){n, n, n};
  if (w->twins || !is_memory_pointer(w, data, &element)) return false;
  uint32_t end = data + 1;
  for (; end < n && is_count_pointer(w, end); end++) {
    const bool is_room = tp_env_is_capacity_name(tp_env_name_of(w, end));
    if (is_room && out->room == n)
      out->room = end;
    else if (out->used == n)
      out->used = end;
  }
  if (out->room == n) out->room = out->used, out->used = n;
  const bool has_size = is_bytes(w, element) && end < n &&
                        tp_env_is_integer(w, tp_env_param(w, end)) &&
                        is_size_name(tp_env_name_of(w, end));
  if (has_size) out->size = end;
  return out->room < n;
}

/* A variable for what a pointer to a number leads to. */
static void write_count(tp_environment *w, uint32_t i) {
  const char *name = tp_env_name_of(w, i);
  tp_str_printf(&w->text, "  %s = __builtin_malloc(sizeof *%s);\n", name, name);
  tp_env_fill(w, tp_env_type(w, tp_env_param(w, i))->element,
              tp_arena_printf(w->arena, "(*%s)", name), 1);
  tp_str_printf(&w->text, "  kept[%u] = (void *)%s;\n", w->n_kept++, name);
}

bool tp_env_is_held_count(const tp_environment *w, uint32_t i) {
  held_array h;
  for (uint32_t k = 0; k < i; k++)
    if (find_held(w, k, &h) && (h.room == i || h.used == i)) return true;
  return false;
}

bool tp_env_make_held(tp_environment *w, uint32_t i) {
  const uint32_t n = tp_env_type(w, w->f->type)->n_params;
  held_array h;
  tp_type element;
  if (!find_held(w, i, &h) || !is_memory_pointer(w, i, &element)) return false;
  const char *data = tp_env_name_of(w, i), *room = tp_env_name_of(w, h.room);
  write_count(w, h.room);
  tp_str_printf(&w->text, "  __VERIFIER_assume(*%s >= 0 && *%s <= %u);\n", room, room,
                w->o->elements);
  tp_env_assume(w, "*%s is at most %u, and at least 0", room, w->o->elements);
  if (h.used < n) {
    const char *used = tp_env_name_of(w, h.used);
    write_count(w, h.used);
    tp_str_printf(&w->text, "  __VERIFIER_assume(*%s >= 0 && *%s <= *%s);\n", used, used, room);
    tp_env_assume(w, "*%s is at most *%s, and at least 0", used, room);
  }
  const char *size = NULL;
  if (h.size < n) {
    size = tp_env_name_of(w, h.size);
    tp_str_printf(&w->text, "  __VERIFIER_assume(%s >= 1 && %s <= %u);\n", size, size,
                  w->o->elements);
    tp_env_assume(w, "%s is at most %u, and at least 1", size, w->o->elements);
  } else {
    size = tp_env_is_void(w, element) ? "1" : tp_arena_printf(w->arena, "sizeof **%s", data);
  }
  tp_str_printf(&w->text,
                "  %s = __builtin_malloc(sizeof *%s);\n  *%s = __builtin_malloc(*%s * %s);\n  if "
                "(*%s > 0) __VERIFIER_nondet_memory(*%s, *%s * %s);\n  kept[%u] = (void *)%s;\n",
                data, data, data, room, size, room, data, room, size, w->n_kept++, data);
  tp_env_assume(w, "*%s points to *%s elements%s", data, room,
                h.size < n ? tp_arena_printf(w->arena, " of %s bytes", size) : "");
  return true;
}
