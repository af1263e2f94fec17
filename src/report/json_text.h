/* Texts of the program in JSON.
 *
 * What       names and messages may have bytes that are no UTF-8, which JSON must be.
 * Ownership  the string is the caller's. */
#ifndef TP_REPORT_JSON_TEXT_H
#define TP_REPORT_JSON_TEXT_H

#include "diag/diag.h"

#include <jansson.h>

/* A text that is no UTF-8 has question marks for all bytes beyond ASCII. */
json_t *tp_json_text(const char *text);
/* {"file": "a.c", "line": 3, "column": 4}; NULL where it is not known. */
json_t *tp_json_place(const tp_diag *diag, tp_pos pos);

#endif
