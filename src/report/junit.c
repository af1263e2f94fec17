/* Elements in the order that the schema wants; no times: the same results give the same bytes. */
#include "report/junit.h"

static void add_text(const char *text, tp_str *out) {
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '&')
      tp_str_add(out, "&amp;");
    else if (c == '<')
      tp_str_add(out, "&lt;");
    else if (c == '>')
      tp_str_add(out, "&gt;");
    else if (c == '"')
      tp_str_add(out, "&quot;");
    else if (c == '\n' || c == '\t')
      tp_str_printf(out, "&#%u;", (unsigned)c);
    else
      tp_str_add_char(out, c < ' ' || c >= 127 ? '?' : (char)c);
  }
}

static void add_attribute(const char *name, const char *value, tp_str *out) {
  tp_str_printf(out, " %s=\"", name);
  add_text(value, out);
  tp_str_add_char(out, '"');
}

static void add_case(const tp_junit_case *c, tp_str *out) {
  static const char *const elements[TP_N_JUNIT_OUTCOMES] = {
      [TP_JUNIT_FAILED] = "failure", [TP_JUNIT_ERROR] = "error", [TP_JUNIT_SKIPPED] = "skipped"};
  tp_str_add(out, "    <testcase");
  add_attribute("name", c->name, out);
  add_attribute("classname", c->file, out);
  if (!elements[c->outcome]) {
    tp_str_add(out, "/>\n");
    return;
  }
  tp_str_printf(out, ">\n      <%s", elements[c->outcome]);
  add_attribute("message", c->message ? c->message : "", out);
  tp_str_add(out, "/>\n    </testcase>\n");
}

void tp_junit_print(const tp_junit_suite *s, tp_str *out) {
  TP_REQUIRE(s && s->name && out);
  size_t n[TP_N_JUNIT_OUTCOMES] = {0};
  for (size_t i = 0; i < s->cases.n; i++) n[s->cases.at[i].outcome]++;
  tp_str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
  add_attribute("name", s->name, out);
  tp_str_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
                s->cases.n, n[TP_JUNIT_FAILED], n[TP_JUNIT_ERROR], n[TP_JUNIT_SKIPPED]);
  for (size_t i = 0; i < s->cases.n; i++) add_case(&s->cases.at[i], out);
  tp_str_add(out, "  </testsuite>\n</testsuites>\n");
}
