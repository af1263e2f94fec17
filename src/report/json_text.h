/* Texts of the program in JSON.
 *
 * What       names and messages may have bytes that are no UTF-8, which JSON must be.
 * Ownership  the string is the caller's. */
#ifndef TP_REPORT_JSON_TEXT_H
#define TP_REPORT_JSON_TEXT_H

#include <jansson.h>

/* A text that is no UTF-8 has question marks for all bytes beyond ASCII. */
json_t *tp_json_text(const char *text);

#endif
