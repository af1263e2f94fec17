/* JSON is UTF-8: bytes of names that are not stand as question marks. */
#include "report/json_text.h"

#include "base/base.h"

json_t *tp_json_text(const char *text) {
  json_t *string = json_string(text);
  if (string) return string;
  tp_str ascii = {0};
  tp_str_add(&ascii, "");
  for (; *text; text++) tp_str_add_char(&ascii, (unsigned char)*text < 128 ? *text : '?');
  string = json_string(ascii.text);
  tp_str_clear(&ascii);
  return string;
}

json_t *tp_json_place(const tp_diag *diag, tp_pos pos) {
  if (!tp_pos_known(pos) || !diag) return NULL;
  json_t *o = json_object();
  json_object_set_new(o, "file", tp_json_text(tp_diag_path(diag, pos.file)));
  json_object_set_new(o, "line", json_integer(pos.line));
  json_object_set_new(o, "column", json_integer(pos.column));
  return o;
}
