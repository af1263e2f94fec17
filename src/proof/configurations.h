/* Configurations that come with the tool: the files of config/, built in.
 *
 * What       names and texts of compositions (cpa/composition.h).
 * Law        the texts are those of config/NAME.conf, byte for byte: the Makefile makes them from
 *            the files. */
#ifndef TP_PROOF_CONFIGURATIONS_H
#define TP_PROOF_CONFIGURATIONS_H

#include <stddef.h>

typedef struct {
  const char *name, *text;
} tp_configuration;
extern const tp_configuration tp_configurations[];  // sorted by name, ended by a row without name
/* NULL: there is none of this name. */
const char *tp_configuration_text(const char *name);

#endif
