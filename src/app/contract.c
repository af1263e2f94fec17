/* What holds between calls of a module, as C.
 *
 * The client of a module (module.c) has one place between calls: the head of its loop. What is
 * proved there is what functions may rely on and must restore: the invariant of the module, for
 * every user who keeps to the assumptions of module mode. */
#include "app/module.h"

#include "report/invariant_text.h"

#include <ctype.h>
#include <string.h>

/* The head of the client's loop; UINT32_MAX: nothing comes there. */
static uint32_t place_between_calls(const tp_adequacy_report *r) {
  const tp_program *p = r->coverage.program;
  for (uint32_t i = 0; i < r->coverage.cutpoints.n; i++) {
    const tp_loc_info *l = tp_loc_of(p, r->coverage.cutpoints.at[i].loc);
    if (l->is_loop_head && l->func.id == p->main.id) return i;
  }
  return UINT32_MAX;
}

/* The text with the client's name of the object, s, in parentheses: it may be any expression then.
 */
static void print_with_argument(const char *text, tp_str *out) {
  for (const char *at = text; *at; at++) {
    bool is_member =
        at > text && (at[-1] == '.' || (at[-1] == '>' && at - text > 1 && at[-2] == '-'));
    bool is_inside = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
    bool is_object =
        *at == 's' && !is_member && !is_inside && !isalnum((unsigned char)at[1]) && at[1] != '_';
    if (is_object)
      tp_str_add(out, "(s)");
    else
      tp_str_add_char(out, *at);
  }
}

/* Those that a compiler understands, as one condition. */
static uint32_t print_condition(const tp_module *m, const tp_facts *facts, tp_str *out) {
  uint32_t n = 0;
  for (size_t i = 0; i < facts->n; i++) {
    if (!facts->at[i].is_plain) continue;
    tp_str_add(out, n++ ? " && " : "");
    if (m->handle)
      print_with_argument(facts->at[i].text, out);
    else
      tp_str_add(out, facts->at[i].text);
  }
  if (n == 0) tp_str_add_char(out, '1');
  return n;
}

static void print_contracts(const tp_module *m, tp_str *out) {
  static const char *const what[] = {[TP_MODULE_MAKES] = "ensures it",
                                     [TP_MODULE_USES] = "requires and ensures it",
                                     [TP_MODULE_ENDS] = "requires it"};
  for (size_t i = 0; i < m->functions.n; i++)
    tp_str_printf(out, " *   %s: %s\n", m->functions.at[i].name, what[m->functions.at[i].role]);
}

static void print_header(const tp_module *m, const tp_facts *facts, tp_str *out) {
  const char *argument = m->handle ? "s" : "";
  tp_str_printf(out, "/* What holds between calls of functions of the module%s%s%s:\n *\n",
                m->handle ? ", for every " : "", m->handle ? m->handle : "",
                m->handle ? " *s" : "");
  for (size_t i = 0; i < facts->n; i++) tp_str_printf(out, " *   %s\n", facts->at[i].text);
  tp_str_add(out, " *\n * Contracts:\n");
  print_contracts(m, out);
  tp_str_printf(out, " */\n#include <assert.h>\n\n#define MODULE_INVARIANT(%s) (", argument);
  (void)print_condition(m, facts, out);
  tp_str_printf(out, ")\n#define ASSERT_MODULE_INVARIANT(%s) assert(MODULE_INVARIANT(%s))\n",
                argument, argument);
}

bool tp_module_print_invariant(const tp_module *m, const tp_adequacy_report *r, tp_str *lines,
                               tp_str *header) {
  uint32_t place = place_between_calls(r);
  tp_arena arena;
  tp_facts facts = {0};
  tp_arena_init(&arena);
  if (place != UINT32_MAX) tp_invariant_facts(r, place, &arena, &facts);
  const bool is_known = facts.n > 0;
  if (is_known) {
    tp_str plain = {0};
    tp_str_add(lines, "module invariant: ");
    for (size_t i = 0; i < facts.n; i++)
      tp_str_printf(lines, "%s%s", i ? " && " : "", facts.at[i].text);
    for (size_t i = 0; i < facts.n; i++)
      if (facts.at[i].is_plain)
        tp_str_printf(&plain, "%s%s", plain.n ? " && " : "", facts.at[i].text);
    if (plain.n) tp_str_printf(lines, "\n  assert(%s);", tp_str_text(&plain));
    tp_str_add_char(lines, '\n');
    tp_str_clear(&plain);
    print_header(m, &facts, header);
  }
  tp_vec_clear(&facts);
  tp_arena_clear(&arena);
  return is_known;
}
