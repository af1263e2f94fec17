/* Settings of refinement: those of the composition whose names start with `refine.`. */
#include "proof/refine.h"

const char *tp_refine_setting(const tp_cpa *cpa, const char *key, const char *otherwise) {
  static const char prefix[] = "refine.";
  for (size_t i = 0; i < cpa->env->n_settings; i++) {
    const char *name = cpa->env->settings[i].name;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0 && strcmp(name + sizeof prefix - 1, key) == 0)
      return cpa->env->settings[i].value;
  }
  return otherwise;
}
