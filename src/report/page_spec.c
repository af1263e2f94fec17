/* The object of a page about contracts: that of report/page.h without what belongs to one answer of
 * an engine. */
#include "report/page_spec.h"

#include "report/page_priv.h"

static const char *const answers[] = {
    [TP_PAGE_HOLDS] = "holds", [TP_PAGE_FAILS] = "fails", [TP_PAGE_NOT_KNOWN] = "unknown"};

static void set_text(json_t *o, const char *key, const char *text) {
  if (text && text[0]) json_object_set_new(o, key, tp_page_text(text));
}

static json_t *contract_of(const tp_page_contract *c, const tp_map *index_of) {
  json_t *o = json_object();
  json_object_set_new(o, "name", tp_page_text(c->name));
  json_object_set_new(o, "place", tp_page_place(index_of, c->pos));
  json_object_set_new(o, "failure", tp_page_place(index_of, c->failure));
  json_object_set_new(o, "answer", json_string(answers[c->answer]));
  set_text(o, "bounds", c->bounds);
  set_text(o, "said", c->said);
  set_text(o, "before", c->before);
  set_text(o, "steps", c->steps);
  set_text(o, "after", c->after);
  set_text(o, "svg", c->svg);
  return o;
}

static json_t *section_of(const tp_page_spec *spec, const tp_map *index_of) {
  json_t *o = json_object(), *list = json_array();
  for (size_t i = 0; i < spec->n_contracts; i++)
    json_array_append_new(list, contract_of(&spec->contracts[i], index_of));
  json_object_set_new(o, "contracts", list);
  return o;
}

static json_t *answer_of(const tp_page_spec *spec) {
  static const char *const verdicts[] = {
      [TP_PAGE_HOLDS] = "bounded", [TP_PAGE_FAILS] = "false", [TP_PAGE_NOT_KNOWN] = "unknown"};
  json_t *o = json_object();
  json_object_set_new(o, "verdict", json_string(verdicts[spec->worst]));
  json_object_set_new(o, "result", tp_page_text(spec->result));
  json_object_set_new(o, "property", json_string("contracts"));
  return o;
}

static json_t *headline_of(const tp_page_spec *spec) {
  size_t n[3] = {0};
  for (size_t i = 0; i < spec->n_contracts; i++) n[spec->contracts[i].answer]++;
  json_t *headline;
  tp_str text = {0};
  if (n[TP_PAGE_FAILS])
    tp_str_printf(&text, "%zu of %zu checked contracts fail", n[TP_PAGE_FAILS], spec->n_contracts);
  else if (n[TP_PAGE_NOT_KNOWN] || !spec->n_contracts)
    tp_str_printf(&text, "%zu of %zu contracts could not be checked", n[TP_PAGE_NOT_KNOWN],
                  spec->n_contracts);
  else
    tp_str_printf(&text, "all %zu checked contracts hold within the bounds", spec->n_contracts);
  headline = tp_page_text(tp_str_text(&text));
  tp_str_clear(&text);
  return headline;
}

/* Times of all questions, as a page of an answer has them. */
static json_t *times_of(const tp_page_spec *spec) {
  json_t *o = json_object(), *each = json_array();
  double cpu_s = 0, solver_s = 0;
  for (size_t i = 0; i < spec->n_contracts; i++) {
    cpu_s += spec->contracts[i].cpu_s;
    solver_s += spec->contracts[i].solver_s;
    json_array_append_new(each, json_real(spec->contracts[i].cpu_s));
  }
  json_object_set_new(o, "cpu_s", json_real(cpu_s));
  json_object_set_new(o, "solver_s", json_real(solver_s));
  json_object_set_new(o, "contracts", each);
  return o;
}

void tp_page_write_spec(const tp_report *r, const tp_page_extra *more, const tp_page_spec *spec,
                        tp_str *out) {
  TP_REQUIRE(r && more && spec && out);
  static const char *const empty[] = {"notes", "counters", "proof", "automata", "pictures"};
  json_object_seed(1);  // the same bytes every time
  json_t *o = json_object();
  tp_map index_of = {0};
  json_object_set_new(o, "format", json_string("twoproof-page 1"));
  json_object_set_new(o, "version", tp_page_text(more->version));
  json_object_set_new(o, "command", tp_page_text(more->command));
  json_object_set_new(o, "times", times_of(spec));
  json_object_set_new(o, "headline", headline_of(spec));
  json_object_set_new(o, "answer", answer_of(spec));
  json_object_set_new(o, "options", tp_page_option_list(more->options, more->n_options));
  json_object_set_new(o, "files", tp_page_files(r, more, &index_of));
  json_object_set_new(o, "error", json_null());
  for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
    json_object_set_new(o, empty[i], json_array());
  json_object_set_new(o, "section", section_of(spec, &index_of));
  tp_map_clear(&index_of);
  tp_str title = {0};
  tp_str_add(&title, spec->result);
  for (size_t i = 0; i < more->n_files; i++)
    tp_str_printf(&title, "%s%s", i ? ", " : " - ", more->files[i]);
  tp_page_fill(o, tp_str_text(&title), spec->result, out);
  tp_str_clear(&title);
  json_decref(o);
}
