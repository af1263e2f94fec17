/* The texts of config/. */
#include "proof/configurations.h"

#include <string.h>

const tp_configuration tp_configurations[] = {
#define TP_CONFIGURATION(name, text) {name, text},
#include "proof/configurations.inc"  // made by the Makefile from config/*.conf
#undef TP_CONFIGURATION
    {NULL, NULL},
};

const char *tp_configuration_text(const char *name) {
  for (const tp_configuration *c = tp_configurations; c->name; c++)
    if (strcmp(c->name, name) == 0) return c->text;
  return NULL;
}
