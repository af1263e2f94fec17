/* The texts of config/, and the engines that are nothing but one of them. */
#include "engine/configurations.h"

#include "engine/engine.h"

const tp_configuration tp_configurations[] = {
#define TP_CONFIGURATION(name, text) {name, text},
#include "engine/configurations.inc"  // made by the Makefile from config/*.conf
#undef TP_CONFIGURATION
    {NULL, NULL},
};

const char *tp_configuration_text(const char *name) {
  for (const tp_configuration *c = tp_configurations; c->name; c++)
    if (strcmp(c->name, name) == 0) return c->text;
  return NULL;
}
