/* Text of lib/harness, which the Makefile makes an array of lines, and which functions of it a
 * program replaces by its own. */
#include "certify/runs/native_replay_priv.h"

void tp_chk_harness_add(const char *const *lines, size_t n, tp_str *out) {
  for (size_t i = 0; i < n; i++) tp_str_add(out, lines[i]);
  tp_str_add(out, "\n");
}

bool tp_chk_harness_is_own(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model &&
        strcmp(p->funcs.at[i].name, name) == 0)
      return true;
  return false;
}
