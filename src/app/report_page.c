/* Options and pictures of a session for its page. */
#include "app/report_page.h"

#include "app/app_limits.h"
#include "app/options_table.h"
#include "app/pictures.h"
#include "app/version.h"
#include "report/page.h"

#include <string.h>

// --------------------------------------------------------------------- options

/* The value of a row as text; NULL: its values are told otherwise. */
static const char *value_of(const tp_options *o, const tp_option_row *row, tp_arena *arena) {
  const void *field = (const char *)o + row->offset;
  switch (row->type) {
    case TP_OPTION_FLAG: return *(const unsigned *)field ? "yes" : "no";
    case TP_OPTION_COUNT: return tp_arena_printf(arena, "%u", *(const unsigned *)field);
    case TP_OPTION_UINT:
      return tp_arena_printf(arena, "%llu", (unsigned long long)*(const uint64_t *)field);
    case TP_OPTION_SECONDS: return tp_arena_printf(arena, "%g", *(const double *)field);
    case TP_OPTION_TEXT: return *(const char *const *)field;
    case TP_OPTION_PATHS:
    case TP_OPTION_LIST:
    case TP_OPTION_SETTING: return NULL;
  }
  return NULL;
}

static const char *default_of(const tp_option_row *row) {
  const bool is_flag = row->type == TP_OPTION_FLAG;
  return is_flag ? "no" : row->type == TP_OPTION_COUNT ? "0" : row->value;
}

void tp_report_page_options(const tp_options *o, tp_arena *arena, tp_page_options *out) {
  for (size_t i = 0; i < tp_n_option_rows; i++) {
    const tp_option_row *row = &tp_option_rows[i];
    const char *value = row->commands & o->command ? value_of(o, row, arena) : NULL;
    if (!value) continue;
    const bool is_given = strcmp(value, default_of(row)) != 0;
    tp_vec_push(out, ((tp_page_option){row->name, value, is_given}));
  }
  for (size_t i = 0; i < o->settings.n; i++)
    tp_vec_push(out, ((tp_page_option){o->settings.at[i].name, o->settings.at[i].value, true}));
  for (size_t i = 0; i < o->clang_args.n; i++)
    tp_vec_push(out, ((tp_page_option){"compiler flag", o->clang_args.at[i], true}));
}

// -------------------------------------------------------------------- pictures

static tp_page_picture *pictures_of(const tp_session *s, tp_arena *arena, size_t *n) {
  const tp_result *r = &s->now.result;
  *n = r->pictures.n < TP_APP_PAGE_PICTURES ? r->pictures.n : TP_APP_PAGE_PICTURES;
  tp_page_picture *list = tp_arena_array(arena, tp_page_picture, *n + 1);
  const char **texts = tp_arena_array(arena, const char *, *n + 1),
             **svgs = tp_arena_array(arena, const char *, *n + 1);
  for (size_t i = 0; i < *n; i++) texts[i] = r->pictures.at[i].file ? r->pictures.at[i].text : NULL;
  if (*n) tp_pictures_as_svg(texts, *n, arena, svgs);
  for (size_t i = 0; i < *n; i++)
    list[i] = (tp_page_picture){
        .place = r->pictures.at[i].place, .caption = r->pictures.at[i].caption, .svg = svgs[i]};
  return list;
}

// ------------------------------------------------------------------------ page

/* Everything but options and pictures. */
static tp_page_extra extra_of(const tp_session *s) {
  const tp_result *result = &s->now.result;
  return (tp_page_extra){
      .version = tp_version_text(),
      .command = tp_option_command_of(s->o->command)->name,
      .files = (const char *const *)s->o->files.at,
      .n_files = s->o->files.n,
      .certificate = s->now.verdict == TP_VERDICT_TRUE ? tp_str_text(&result->certificate) : "",
      .has_run = result->verdict == TP_VERDICT_FALSE,
      .limits = {.steps = (uint64_t)TP_APP_REPLAY_STEPS},
      .steps = s->now.replay_steps,
      .section = s->page_section};
}

void tp_report_page_write(const tp_session *s, const tp_report *r, tp_str *out) {
  TP_REQUIRE(s && r && out);
  tp_arena arena;
  tp_arena_init(&arena);
  tp_page_options options = {0};
  tp_report_page_options(s->o, &arena, &options);
  tp_page_extra more = extra_of(s);
  more.options = options.at;
  more.n_options = options.n;
  more.pictures = pictures_of(s, &arena, &more.n_pictures);
  tp_page_write(r, &more, out);
  tp_vec_clear(&options);
  tp_arena_clear(&arena);
}

void tp_report_proof_write(const tp_session *s, const tp_report *r, tp_str *out) {
  TP_REQUIRE(s && r && out);
  const tp_page_extra more = extra_of(s);
  tp_page_write_proof(r, &more, out);
}
