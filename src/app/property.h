/* Properties as the user names them: a name, or a property file of SV-COMP. */
#ifndef TP_APP_PROPERTY_H
#define TP_APP_PROPERTY_H

#include "program/program.h"

/* text: a property's name, or a path that ends in .prp.
 * On failure `why` says what is wrong. Errors: TP_ERR_INPUT, TP_ERR_SYSTEM (cannot be read). */
tp_status tp_property_of_argument(const char *text, tp_property *out, tp_str *why) TP_MUST_USE;

/* The content of a property file: lines CHECK( init(F()), LTL(G FORMULA) ). Several lines of the
 * memory properties form the group valid-memsafety; other mixtures are refused. */
tp_status tp_property_of_text(const char *text, tp_property *out, tp_str *why) TP_MUST_USE;
/* All names of properties, in the order of their table. out: room for TP_N_PROPERTIES. Returns how
 * many. */
size_t tp_property_names(const char **out);

#endif
