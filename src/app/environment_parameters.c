/* The parameters of the function: their names in the environment, which differ from those of types,
 * and which of them counts the elements of which array. */
#include "app/environment_priv.h"

const char *tp_env_name_of(const tp_environment *w, uint32_t i) {
  const char *name = i < w->f->n_params ? w->p->vars.at[w->f->params[i].id].name : "";
  name =
      tp_arena_strndup(w->arena, name, strcspn(name, "."));  // a struct comes in parts: "e.coerce"
  if (!name[0] || strcmp(name, w->f->name) == 0)
    name = tp_arena_printf(w->arena, "argument%u", i + 1);
  if (w->twins) return tp_arena_printf(w->arena, TP_ENV_NEW "%s", name);
  static const char *const own[] = {"kept", "others", "n_others"};  // of the environment's program
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (strcmp(name, own[k]) == 0) return tp_arena_printf(w->arena, "%s_", name);
  for (size_t k = 1; k < w->p->types.n; k++)  // a declaration would hide the type
    if (strcmp(w->p->types.at[k].name, name) == 0) return tp_arena_printf(w->arena, "%s_", name);
  return name;
}

tp_type tp_env_param(const tp_environment *w, uint32_t i) {
  return tp_env_type(w, w->f->type)->params[i];
}

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
