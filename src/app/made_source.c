/* Where sources go that the tool makes. */
#include "app/made_source.h"

#include "base/files.h"
#include "base/process.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

const char *tp_made_source(const tp_options *o, const char *name, const tp_str *text,
                           tp_arena *arena) {
  TP_REQUIRE(o && name && text && arena);
  const char *made = NULL;
  tp_str path = {0};
  if (o->output[0]) {
    (void)mkdir(o->output, 0777);
    tp_str_printf(&path, "%s/%s", o->output, name);
  } else if (tp_temp_dir(&path) == TP_OK) {
    tp_str_printf(&path, "/%s", name);
  }
  if (path.n && tp_write_file(tp_str_text(&path), tp_str_text(text), text->n) == TP_OK)
    made = tp_arena_strdup(arena, tp_str_text(&path));
  else
    fprintf(stderr, "twoproof: %s: %s\n", path.n ? tp_str_text(&path) : name, strerror(errno));
  tp_str_clear(&path);
  return made;
}
