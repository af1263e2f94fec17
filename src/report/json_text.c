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
