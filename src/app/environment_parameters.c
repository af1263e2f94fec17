/* The parameters of the function: their types, and their names in the environment, which differ
 * from those of types. */
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
