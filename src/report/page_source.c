/* The source on the page: every file in which a function or an operation of the user's lies.
 *
 * Files are listed in the order of the command line, then in that of the program model. */
#include "report/page_priv.h"
#include "report/report_limits.h"

// ----------------------------------------------------------------------- texts

/* Length of the UTF-8 character at `at`, 0: it is none (RFC 3629). */
static size_t character_length(const unsigned char *at, size_t n) {
  const unsigned char c = at[0];
  if (c < 0x80) return 1;
  const size_t length = c >= 0xc2 && c < 0xe0   ? 2
                        : c >= 0xe0 && c < 0xf0 ? 3
                        : c >= 0xf0 && c < 0xf5 ? 4
                                                : 0;
  if (length == 0 || length > n) return 0;
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xc0) != 0x80) return 0;
  const bool is_overlong = (c == 0xe0 && at[1] < 0xa0) || (c == 0xf0 && at[1] < 0x90);
  const bool is_surrogate = c == 0xed && at[1] >= 0xa0, is_beyond = c == 0xf4 && at[1] >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

json_t *tp_page_text_n(const char *text, size_t n) {
  TP_REQUIRE(text || n == 0);
  tp_str good = {0};
  tp_str_add(&good, "");
  for (size_t i = 0; i < n;) {
    const size_t length = character_length((const unsigned char *)text + i, n - i);
    if (length)
      tp_str_add_n(&good, text + i, length);
    else
      tp_str_add(&good, "\xef\xbf\xbd");
    i += length ? length : 1;
  }
  json_t *string = json_stringn(good.text, good.n);
  if (!string) tp_out_of_memory(good.n);  // it is UTF-8
  tp_str_clear(&good);
  return string;
}

json_t *tp_page_text(const char *text) {
  return tp_page_text_n(text ? text : "", text ? strlen(text) : 0);
}

// ----------------------------------------------------------------------- files

json_t *tp_page_place(const tp_map *index_of, tp_pos pos) {
  uint64_t at;
  if (!tp_pos_known(pos) || !tp_map_get(index_of, pos.file, &at)) return json_null();
  return json_pack("[iii]", (int)at - 1, (int)pos.line, (int)pos.column);
}

/* Lines of one file; `left` characters may still be written. */
static json_t *lines_of(tp_diag *diag, uint32_t file, size_t *left, bool *is_cut) {
  json_t *lines = json_array();
  const char *text;
  for (uint32_t line = 1; (text = tp_diag_source_line(diag, file, line)); line++) {
    const size_t n = strcspn(text, "\r\n");
    if (n > *left) {
      *is_cut = true;
      break;
    }
    *left -= n;
    json_array_append_new(lines, tp_page_text_n(text, n));
  }
  return lines;
}

typedef struct {
  const tp_report *r;
  tp_map *index_of;
  json_t *list;
  size_t left;  // characters of source that still fit
} file_list;

static void add_file(file_list *f, uint32_t file) {
  uint64_t at;
  if (!file || tp_map_get(f->index_of, file, &at)) return;
  if (!tp_diag_source_line(f->r->diag, file, 1)) return;
  bool is_cut = false;
  json_t *o = json_object();
  json_object_set_new(o, "path", tp_page_text(tp_diag_path(f->r->diag, file)));
  json_object_set_new(o, "lines", lines_of(f->r->diag, file, &f->left, &is_cut));
  if (is_cut) json_object_set_new(o, "cut", json_true());
  json_array_append_new(f->list, o);
  tp_map_set(f->index_of, file, json_array_size(f->list));
}

json_t *tp_page_files(const tp_report *r, const tp_page_extra *more, tp_map *index_of) {
  TP_REQUIRE(r && more && index_of);
  file_list f = {.r = r, .index_of = index_of, .list = json_array(), .left = TP_REPORT_PAGE_SOURCE};
  if (!r->diag) return f.list;
  for (size_t i = 0; i < more->n_files; i++) add_file(&f, tp_diag_file(r->diag, more->files[i]));
  const tp_program *p = r->program;
  for (uint32_t i = 1; p && i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model) add_file(&f, p->funcs.at[i].pos.file);
  for (uint32_t i = 1; p && i < p->locs.n; i++) {
    const tp_func func = p->locs.at[i].func;
    if (func.id && !tp_func_of(p, func)->is_model) add_file(&f, p->locs.at[i].pos.file);
  }
  add_file(&f, r->error_pos.file);
  return f.list;
}
