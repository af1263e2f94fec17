/* Variables of the environment's program, and the lvalues that they stand for in what is assumed.
 */
#include "app/environment_priv.h"

#include <ctype.h>

const char *tp_env_variable_for(tp_environment *w, const char *lvalue) {
  char *name = tp_arena_printf(w->arena, "%s_", lvalue);
  size_t n = 0;
  if (lvalue[0] == '(' && w->twins) lvalue += strspn(lvalue, "(*");
  for (const char *c = lvalue; *c; c++)
    if (isalnum((unsigned char)*c) || *c == '_')
      name[n++] = *c;
    else if (n && name[n - 1] != '_')
      name[n++] = '_';
  name[n] = 0;
  name = tp_arena_printf(w->arena, "%s_%u", name, (unsigned)w->variables.n + 1);
  const char *shown = tp_env_shown(w, lvalue);
  tp_vec_push(&w->variables, (tp_env_variable){name, shown});
  return name;
}

const char *tp_env_shown(const tp_environment *w, const char *lvalue) {
  const char *open = lvalue[0] == '(' && lvalue[1] == '*' ? "(*" : "";
  for (size_t i = w->variables.n; i-- > 0;) {
    const tp_env_variable *v = &w->variables.at[i];
    const size_t n = strlen(v->name);
    const char *at = lvalue + strlen(open);
    const bool is_it =
        strncmp(at, v->name, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_';
    if (is_it) return tp_arena_printf(w->arena, "%s%s%s", open, v->shown, at + n);
  }
  return lvalue;
}
