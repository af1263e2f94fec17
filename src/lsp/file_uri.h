/* Names of files as editors write them: file URIs.
 *
 * What       from `file:///home/a%20b` to `/home/a b` and back.
 * Errors     another scheme, another host, an escape that is none, a byte 0: no path.
 * Source     RFC 3986, RFC 8089. Any byte can stand in a path; all but unreserved characters and
 *            slashes are escaped. */
#ifndef TP_LSP_FILE_URI_H
#define TP_LSP_FILE_URI_H

#include "base/base.h"

/* Appends the path; false: the URI names no file here. */
bool tp_file_uri_path(const char *uri, tp_str *path) TP_MUST_USE;
/* path: absolute. */
void tp_file_uri_of(const char *path, tp_str *uri);

#endif
