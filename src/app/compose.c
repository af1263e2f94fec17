/* From options to the text of a composition: the named configuration first, then single settings,
 * the later ones win; the result is checked before a worker starts. */
#include "app/compose.h"

#include "cpa/composition.h"
#include "proof/configurations.h"

#include <errno.h>
#include <stdio.h>

typedef TP_VEC(tp_option_setting) setting_list;

static void put(setting_list *list, tp_option_setting s) {
  for (size_t i = 0; i < list->n; i++) {
    if (strcmp(list->at[i].name, s.name) != 0) continue;
    list->at[i] = s;
    return;
  }
  tp_vec_push(list, s);
}

/* The lines of a configuration that comes with the tool; those have been written with care. */
static void put_configuration(tp_options *o, setting_list *list, const char *name) {
  unsigned number = 1;
  for (const char *at = tp_configuration_text(name); *at; number++) {
    size_t n = strcspn(at, "\n"), length = strcspn(at, "#\n");
    const char *equals = memchr(at, '=', length);
    if (equals) {
      char *key = tp_arena_strndup(&o->arena, at, (size_t)(equals - at));
      key[strcspn(key, " \t")] = 0;
      const char *value =
          tp_arena_strndup(&o->arena, equals + 1, (size_t)(at + length - equals - 1));
      put(list, (tp_option_setting){key, value,
                                    tp_arena_printf(&o->arena, "config/%s.conf:%u", name, number)});
    }
    at += n + (at[n] == '\n');
  }
}

static bool has_analysis(const tp_options *o) {
  for (size_t i = 0; i < o->settings.n; i++)
    if (strcmp(o->settings.at[i].name, "analysis") == 0) return true;
  return false;
}

/* Lines refine.NAME are for the engine that refines. */
static bool has_refinement(const tp_options *o) {
  for (size_t i = 0; i < o->settings.n; i++)
    if (strncmp(o->settings.at[i].name, "refine.", strlen("refine.")) == 0) return true;
  return false;
}

static bool check(tp_options *o, const setting_list *list, tp_str *why) {
  tp_str text = {0}, reason = {0};
  uint32_t line = 0;
  for (size_t i = 0; i < list->n; i++)
    tp_str_printf(&text, "%s = %s\n", list->at[i].name, list->at[i].value);
  bool ok = tp_composition_check(tp_str_text(&text), &line, &reason);
  if (ok)
    o->composition = tp_arena_strdup(&o->arena, tp_str_text(&text));
  else
    tp_str_printf(why, "%s%s%s", line ? list->at[line - 1].origin : "", line ? ": " : "",
                  tp_str_text(&reason));
  tp_str_clear(&text);
  tp_str_clear(&reason);
  return ok;
}

/* Does the engine look at shape classes? */
static bool uses_shapes(const tp_options *o) {
  const char *analysis = o->composition ? strstr(o->composition, "analysis = ") : NULL;
  if (strcmp(o->engine, "auto") == 0) return true;
  if (!analysis) return false;
  const char *shape = strstr(analysis, "shape");
  return shape && shape < analysis + strcspn(analysis, "\n");
}

static bool compose(tp_options *o, tp_str *why) {
  if (o->settings.n == 0 && strcmp(o->engine, "cpa") != 0) return true;
  if (strcmp(o->engine, "auto") == 0 && has_analysis(o))
    o->engine = has_refinement(o) ? "cegar" : "cpa";
  bool is_cpa = strcmp(o->engine, "cpa") == 0,
       is_configured = tp_configuration_text(o->engine) != NULL;
  if (!is_cpa && !is_configured) {
    const tp_option_setting *s = &o->settings.at[0];
    tp_str_printf(why,
                  "%s: %s speaks of a composition, but engine %s has none; choose --engine=cpa "
                  "with an analysis, or an engine such as interval",
                  s->origin, s->name, o->engine);
    return false;
  }
  if (is_cpa && !has_analysis(o)) {
    tp_str_add(
        why,
        "--engine=cpa: which analyses? Name them with --analysis or --config; --config=NAME knows");
    for (const tp_configuration *c = tp_configurations; c->name; c++)
      tp_str_printf(why, " %s", c->name);
    return false;
  }
  setting_list list = {0};
  bool replaces =
      strcmp(o->engine, "cegar") == 0 && has_analysis(o);  // it refines what it is given
  if (is_configured && !replaces) put_configuration(o, &list, o->engine);
  for (size_t i = 0; i < o->settings.n; i++) put(&list, o->settings.at[i]);
  bool ok = check(o, &list, why);
  tp_vec_clear(&list);
  return ok;
}

bool tp_options_compose(tp_options *o, tp_str *why) {
  if (!compose(o, why)) return false;
  if (o->shape_class.n == 0 || uses_shapes(o)) return true;
  tp_str_printf(why,
                "--shape-class: engine %s looks at no shapes; choose --config=shape, or a "
                "composition with the analysis shape",
                o->engine);
  return false;
}

bool tp_options_read_precision(tp_options *o, tp_str *why) {
  const char *which = o->load_precision[0] ? "load" : "save";
  if (!o->load_precision[0] && !o->save_precision[0]) return true;
  if (strcmp(o->engine, "cegar") != 0 && strcmp(o->engine, "slam") != 0 &&
      strcmp(o->engine, "cpa") != 0) {
    tp_str_printf(why, "--%s-precision: engine %s refines nothing; choose --engine=cegar", which,
                  o->engine);
    return false;
  }
  if (!o->load_precision[0]) return true;
  tp_str text = {0};
  bool ok = tp_read_file(o->load_precision, &text) == TP_OK;
  if (ok)
    o->precision = tp_arena_strdup(&o->arena, tp_str_text(&text));
  else
    tp_str_printf(why, "cannot read precision file %s: %s", o->load_precision, strerror(errno));
  tp_str_clear(&text);
  return ok;
}
