/* From text to a composite: lines, then the tree of components, then the rules, then instances. The
 * first three need no program, so a wrong configuration is refused before anything is read. */
#include "cpa/composition.h"

#include "base/nearest.h"

#include "cpa/cpa_limits.h"
#include "cpa/local.h"
#include "formula/interpolants.h"

typedef struct {
  const char *name, *value;  // name: "merge", "interval.widen-after"
  uint32_t line;
} entry;

typedef enum { LEAF, GROUP, PER_LOCATION } node_kind;
typedef struct node node;
struct node {
  node_kind kind;
  const char *name;                  // of the analysis or the group
  const tp_cpa_ops *ops;             // LEAF
  node *first, *next;                // components, sibling
  tp_composite_operators operators;  // GROUP
  tp_component_traits traits;
};

typedef struct {
  tp_arena *arena;
  TP_VEC(entry) entries;
  node *root;
  size_t n_nodes;
  tp_wait_order order;
  uint32_t line;  // of what is wrong
  tp_str *why;
} reader;

#define WRONG(r, at, ...) ((r)->line = (at), tp_str_printf((r)->why, __VA_ARGS__), false)

// ----------------------------------------------------------------------- names

static bool is_one_of(const char *name, const char *const *names) {
  for (size_t i = 0; names && names[i]; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* Names of earlier versions: refused with the name of today, so that nobody's file changes its
 * meaning in silence. */
static const struct {
  const char *former, *name;
} renamed[] = {{"hand-over", "precision-transfer"}, {"ways", "paths"}};

static const char *name_of_today(const char *name) {
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    if (strcmp(renamed[i].former, name) == 0) return renamed[i].name;
  return NULL;
}

static bool unknown(reader *r, uint32_t line, const char *what, const char *name,
                    const char *const *names) {
  const char *today = name_of_today(name);
  tp_str_printf(r->why, "unknown %s '%s'", what, name);
  if (today && is_one_of(today, names))
    tp_str_printf(r->why, ": it is called '%s' now", today);
  else
    tp_add_known_names(r->why, name, names);
  r->line = line;
  return false;
}

// ----------------------------------------------------------------------- lines

static const char *trimmed(tp_arena *arena, const char *from, const char *to) {
  while (from < to && strchr(" \t\r", *from)) from++;
  while (to > from && strchr(" \t\r", to[-1])) to--;
  return tp_arena_strndup(arena, from, (size_t)(to - from));
}

static const entry *find_entry(const reader *r, const char *name) {
  for (size_t i = 0; i < r->entries.n; i++)
    if (strcmp(r->entries.at[i].name, name) == 0) return &r->entries.at[i];
  return NULL;
}

static bool read_line(reader *r, const char *from, const char *to, uint32_t line) {
  const char *hash = memchr(from, '#', (size_t)(to - from));
  if (hash) to = hash;
  const char *all = trimmed(r->arena, from, to);
  if (!*all) return true;
  const char *equals = strchr(all, '=');
  if (!equals) return WRONG(r, line, "expected 'name = value', found '%s'", all);
  entry e = {trimmed(r->arena, all, equals), trimmed(r->arena, equals + 1, all + strlen(all)),
             line};
  if (!*e.name || !*e.value) return WRONG(r, line, "expected 'name = value', found '%s'", all);
  const entry *earlier = find_entry(r, e.name);
  if (earlier)
    return WRONG(r, line, "%s was set on line %u already; keep one of the two", e.name,
                 earlier->line);
  tp_vec_push(&r->entries, e);
  return true;
}

static bool read_lines(reader *r, const char *text) {
  for (uint32_t line = 1; *text; line++) {
    size_t n = strcspn(text, "\n");
    if (!read_line(r, text, text + n, line)) return false;
    text += n + (text[n] == '\n');
  }
  return true;
}

// ------------------------------------------------------------------------ tree

static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static const char *const *analysis_names(reader *r) {
  size_t n = 0;
  while (tp_analyses[n]) n++;
  const char **names = tp_arena_array(r->arena, const char *, n + 1);
  for (size_t i = 0; i < n; i++) names[i] = tp_analyses[i]->name;
  return names;
}

/* A component's node, appended to its parent's list. */
static node *add_node(reader *r, node *parent, node_kind kind, const char *name) {
  node *n = tp_arena_new(r->arena, node);
  *n = (node){.kind = kind, .name = name};
  r->n_nodes++;
  node **at = parent ? &parent->first : &r->root;
  while (*at) at = &(*at)->next;
  *at = n;
  return n;
}

static bool read_analysis(reader *r, const entry *e) {
  node *open[TP_CPA_COMPOSITION_LEVELS];
  size_t depth = 1;
  open[0] = add_node(r, NULL, GROUP, "composite");
  for (const char *at = e->value; *at;) {
    if (*at == ' ' || *at == '\t' || *at == ',') {
      at++;
    } else if (*at == '(' || is_name_char(*at)) {
      const char *start = at;
      while (is_name_char(*at)) at++;
      const char *name = tp_arena_strndup(r->arena, start, (size_t)(at - start));
      if (r->n_nodes >= TP_CPA_COMPONENTS)
        return WRONG(r, e->line, "analysis: more than %d components", TP_CPA_COMPONENTS);
      if (*at != '(') {
        node *leaf = add_node(r, open[depth - 1], LEAF, name);
        leaf->ops = tp_analysis_find(name);
        if (!leaf->ops) return unknown(r, e->line, "analysis", name, analysis_names(r));
        continue;
      }
      at++;
      if (depth == TP_CPA_COMPOSITION_LEVELS)
        return WRONG(r, e->line, "analysis: parentheses nest deeper than %d",
                     TP_CPA_COMPOSITION_LEVELS);
      if (*name && tp_analysis_find(name))
        return WRONG(
            r, e->line,
            "analysis: '%s' is an analysis and cannot name a group; put a space before '('", name);
      node_kind kind = strcmp(name, "per-location") == 0 ? PER_LOCATION : GROUP;
      open[depth] = add_node(r, open[depth - 1], kind, *name ? name : "composite");
      depth++;
    } else if (*at == ')' && depth > 1) {
      at++;
      const node *closed = open[--depth];
      if (!closed->first)
        return WRONG(r, e->line, "analysis: expected a component between '(' and ')'");
      if (closed->kind == PER_LOCATION && (closed->first->next || closed->first->kind != LEAF))
        return WRONG(r, e->line, "analysis: expected one analysis in per-location(...)");
    } else {
      return WRONG(r, e->line, "analysis: expected a name, '(' or ')', found '%s'",
                   *at == ')' ? ") without (" : at);
    }
  }
  if (depth > 1) return WRONG(r, e->line, "analysis: expected ')' at the end of '%s'", e->value);
  if (!open[0]->first) return WRONG(r, e->line, "analysis: expected at least one component");
  return true;
}

// -------------------------------------------------------------------- settings

static const char *const transfers[] = {"cartesian", "strengthened", NULL};
static const char *const merges[] = {"sep", "join-on-location", "pred-join", "join-shape", "join",
                                     NULL};
static const char *const stops[] = {"sep", "join", "pred-join", NULL};
static const char *const adjusts[] = {"componentwise", "none", "precision-transfer", NULL};
static const char *const compares[] = {"off", "weaken", NULL};
static const char *const orders[] = {"dfs", "bfs", "reverse-postorder", "callstack", NULL};
static const char *const own[] = {"sep", "join", NULL};

/* What a group understands; the root without a prefix. */
static const struct {
  const char *key;
  const char *const *values;
} group_keys[] = {{"transfer", transfers},
                  {"merge", merges},
                  {"stop", stops},
                  {"adjust", adjusts},
                  {"compare", compares}};
enum { N_GROUP_KEYS = sizeof group_keys / sizeof *group_keys };

/* The number of the chosen value in names; `otherwise` if the setting does not stand in the text.
 */
static bool choose(reader *r, const char *name, const char *const *names, int otherwise, int *out) {
  const entry *e = find_entry(r, name);
  *out = otherwise;
  for (int i = 0; e && names[i]; i++)
    if (strcmp(names[i], e->value) == 0) return *out = i, true;
  return !e || unknown(r, e->line, tp_arena_printf(r->arena, "%s", name), e->value, names);
}

static const char *key_of(reader *r, const node *n, const char *key) {
  return n == r->root ? key : tp_arena_printf(r->arena, "%s.%s", n->name, key);
}

/* What the components ask for: see the header. */
static tp_composite_merge natural_merge(const tp_component_traits *parts, size_t n,
                                        bool has_location) {
  TP_REQUIRE(n > 0 && n <= TP_CPA_COMPONENTS);
  size_t n_data = 0, n_joined = 0;
  bool last_joined = false;
  for (size_t i = 0; i < n; i++) {
    has_location |= parts[i].has_location;
    if (parts[i].is_control) continue;
    n_data++;
    n_joined += parts[i].merge_join;
    last_joined = parts[i].merge_join;
  }
  if (!has_location || n_joined == 0) return TP_MERGE_SEP;
  if (n_joined == n_data) return TP_MERGE_JOIN;
  return last_joined ? TP_MERGE_PRED_JOIN : TP_MERGE_SEP;
}

/* A refusal starts with the setting that it speaks of, "merge = join: ..."; a group's has the
 * group's name in front, and the line is where that setting stands, else where the components do.
 */
static bool refused(reader *r, const node *g, const char *why) {
  static const char separator[] = " = ";
  const char *equals = strstr(why, separator);
  r->line = find_entry(r, "analysis")->line;
  if (equals) {
    const char *setting = tp_arena_strndup(r->arena, why, (size_t)(equals - why));
    if (!strchr(setting, '.')) setting = key_of(r, g, setting);
    const entry *e = find_entry(r, setting);
    if (e) r->line = e->line;
    tp_str_add(r->why, setting);
  }
  tp_str_add(r->why, equals ? equals : why);
  return false;
}

static bool resolve_group(reader *r, node *g, bool has_location) {
  tp_component_traits parts[TP_CPA_COMPONENTS];
  size_t n = 0;
  for (const node *c = g->first; c; c = c->next) parts[n++] = c->traits;
  TP_INVARIANT(n > 0 && n <= TP_CPA_COMPONENTS);  // read_analysis refuses empty and long groups
  int transfer, merge, stop, adjust, compare;
  if (!choose(r, key_of(r, g, "transfer"), transfers, TP_TRANSFER_CARTESIAN, &transfer) ||
      !choose(r, key_of(r, g, "merge"), merges, (int)natural_merge(parts, n, has_location),
              &merge) ||
      !choose(r, key_of(r, g, "stop"), stops, TP_STOP_SEP, &stop) ||
      !choose(r, key_of(r, g, "adjust"), adjusts, TP_ADJUST_COMPONENTWISE, &adjust) ||
      !choose(r, key_of(r, g, "compare"), compares, TP_COMPARE_OFF, &compare))
    return false;
  g->operators = (tp_composite_operators){
      (tp_composite_transfer)transfer, (tp_composite_merge)merge, (tp_composite_stop)stop,
      (tp_composite_adjust)adjust, (tp_composite_compare)compare};
  g->traits = tp_composite_traits(g->name, parts, n);
  g->traits.merge_join = g->operators.merge !=
                         TP_MERGE_SEP;  // by its own operator, whether or not all parts have a join
  g->traits.has_join |= g->traits.merge_join;
  tp_str why = {0};
  bool ok = tp_composite_allowed(g->operators, parts, n, has_location, &why) ||
            refused(r, g, tp_str_text(&why));
  tp_str_clear(&why);
  return ok;
}

static bool resolve_leaf(reader *r, node *leaf) {
  TP_REQUIRE(leaf->kind == LEAF && leaf->ops);
  int merge, stop;
  leaf->traits = tp_component_traits_of(leaf->ops);
  if (!choose(r, key_of(r, leaf, "merge"), own, leaf->traits.merge_join, &merge) ||
      !choose(r, key_of(r, leaf, "stop"), own, 0, &stop))
    return false;
  leaf->traits.merge_join = merge;
  leaf->traits.stop_join = stop;
  return true;
}

/* Bottom up; the reader bounds the depth. */
static bool resolve(reader *r, node *n, bool has_location) {
  for (node *c = n->first; c; c = c->next) has_location |= c->kind == LEAF && c->ops->location;
  for (node *c = n->first; c; c = c->next)
    if (!resolve(r, c, has_location)) return false;
  switch (n->kind) {
    case LEAF: return resolve_leaf(r, n);
    case GROUP: return resolve_group(r, n, has_location);
    case PER_LOCATION: n->traits = n->first->traits; return true;
  }
  return false;
}

/* All keys that a component understands. */
static const char *const *keys_of(reader *r, const node *n) {
  TP_REQUIRE(n->kind != LEAF || n->ops);
  TP_VEC(const char *) v = {0};
  for (size_t i = 0; n->kind == GROUP && i < N_GROUP_KEYS; i++) tp_vec_push(&v, group_keys[i].key);
  if (n->kind == LEAF) {
    tp_vec_push(&v, "merge");
    tp_vec_push(&v, "stop");
    for (size_t i = 0; n->ops->settings && n->ops->settings[i]; i++)
      tp_vec_push(&v, n->ops->settings[i]);
  }
  const char **keys = tp_arena_array(r->arena, const char *, v.n + 1);
  if (v.n) memcpy(keys, v.at, v.n * sizeof *keys);
  tp_vec_clear(&v);
  return keys;
}

static const node *find_component(const node *n, const char *name, size_t length) {
  for (const node *c = n->first; c; c = c->next) {
    if (c->kind != PER_LOCATION && strlen(c->name) == length && strncmp(c->name, name, length) == 0)
      return c;
    const node *below = find_component(c, name, length);
    if (below) return below;
  }
  return NULL;
}

/* Lines that speak to the refinement of the whole (proof/refine.h). */
static bool check_refinement(reader *r, const entry *e, const char *key) {
  static const char *const keys[] = {"sources", "prefixes", "predicates", "method",
                                     "paths",   "prefer",   "classes",    NULL};
  static const char *const prefixes[] = {"cheapest", "first", "whole", NULL},
                           *const predicates[] = {"atoms", "formulas", NULL},
                           *const methods[] = {"explore", "restart", "strengthen", NULL},
                           *const paths[] = {"one", "all", NULL},
                           *const prefer[] = {"cheaper", "first", NULL},
                           *const classes[] = {"explicit", "annotations", "names", NULL};
  static const char *const *const values[] = {NULL,  prefixes, predicates, methods,
                                              paths, prefer,   classes};
  size_t which = 0;
  int ignored;
  while (keys[which] && strcmp(keys[which], key) != 0) which++;
  if (!keys[which]) return unknown(r, e->line, "setting of refine", key, keys);
  if (values[which]) return choose(r, e->name, values[which], 0, &ignored);
  const char *known[TP_N_ITP + 2] = {"mined"};
  for (int i = 0; i < TP_N_ITP; i++) known[i + 1] = tp_itp_name((tp_itp_source)i);
  for (const char *at = e->value + strspn(e->value, " "); *at; at += strspn(at, " ")) {
    const char *word = tp_arena_strndup(r->arena, at, strcspn(at, " "));
    if (!is_one_of(word, known)) return unknown(r, e->line, e->name, word, known);
    at += strlen(word);
  }
  return true;
}

/* Is there someone who reads this line? */
static bool check_entry(reader *r, const entry *e) {
  static const char *const whole[] = {"analysis", "transfer", "merge",    "stop",
                                      "adjust",   "compare",  "waitlist", NULL};
  const char *dot = strchr(e->name, '.');
  if (!dot) return is_one_of(e->name, whole) || unknown(r, e->line, "setting", e->name, whole);
  const char *name = tp_arena_strndup(r->arena, e->name, (size_t)(dot - e->name));
  if (strcmp(name, "refine") == 0) return check_refinement(r, e, dot + 1);
  const node *n = find_component(r->root, name, strlen(name));
  if (!n) {
    if (tp_analysis_find(name))
      return WRONG(r, e->line, "%s: %s is not among the components; add it to 'analysis'", e->name,
                   name);
    return unknown(r, e->line, "component", name, analysis_names(r));
  }
  const char *const *keys = keys_of(r, n);
  return is_one_of(dot + 1, keys) ||
         unknown(r, e->line, tp_arena_printf(r->arena, "setting of %s", name), dot + 1, keys);
}

static bool read_all(reader *r, const char *text) {
  if (!read_lines(r, text)) return false;
  const entry *analysis = find_entry(r, "analysis");
  if (!analysis)
    return WRONG(r, 0,
                 "expected a line 'analysis = COMPONENTS', for example 'analysis = location "
                 "callstack interval'");
  if (!read_analysis(r, analysis)) return false;
  for (size_t i = 0; i < r->entries.n; i++)
    if (!check_entry(r, &r->entries.at[i])) return false;
  int order;
  if (!choose(r, "waitlist", orders, TP_WAIT_REVERSE_POSTORDER, &order)) return false;
  r->order = (tp_wait_order)order;
  return resolve(r, r->root, false);
}

bool tp_composition_check(const char *text, uint32_t *line, tp_str *why) {
  tp_arena arena;
  tp_arena_init(&arena);
  tp_str reason = {0};
  reader r = {.arena = &arena, .why = &reason};
  bool ok = read_all(&r, text);
  if (!ok) {
    if (!line && r.line) tp_str_printf(why, "line %u: ", r.line);
    tp_str_add(why, tp_str_text(&reason));
  }
  if (line) *line = r.line;
  tp_str_clear(&reason);
  tp_vec_clear(&r.entries);
  tp_arena_clear(&arena);
  return ok;
}

// ------------------------------------------------------------------- instances

static tp_cpa *instantiate(tp_composition *c, const node *n, tp_str *why);

static tp_cpa *instantiate_group(tp_composition *c, const node *g, tp_str *why) {
  tp_component parts[TP_CPA_COMPONENTS];
  size_t n = 0;
  for (const node *x = g->first; x; x = x->next) {
    tp_cpa *cpa = instantiate(c, x, why);
    if (!cpa) break;
    parts[n++] = (tp_component){cpa, x->traits};
    if (!x->next) return tp_composite_new(&c->env, g->name, g->operators, parts, n, why);
  }
  while (n-- > 0) tp_cpa_close(parts[n].cpa);
  return NULL;
}

static tp_cpa *instantiate(tp_composition *c, const node *n, tp_str *why) {
  switch (n->kind) {
    case LEAF: return tp_cpa_open(n->ops, &c->env, why);
    case GROUP: return instantiate_group(c, n, why);
    case PER_LOCATION: {
      tp_cpa *inner = tp_cpa_open(n->first->ops, &c->env, why);
      return inner ? tp_local_new(&c->env, inner, why) : NULL;
    }
  }
  return NULL;
}

static void make_env(tp_composition *c, const reader *r, const tp_program *p, tp_property property,
                     tp_stats *stats) {
  tp_setting *settings = tp_arena_array(&c->arena, tp_setting, r->entries.n);
  size_t n = 0;
  for (size_t i = 0; i < r->entries.n; i++)
    if (strchr(r->entries.at[i].name, '.'))
      settings[n++] = (tp_setting){r->entries.at[i].name, r->entries.at[i].value};
  c->env = (tp_cpa_env){.program = p,
                        .terms = p->terms,
                        .property = property,
                        .contexts = &c->contexts,
                        .stats = stats,
                        .settings = settings,
                        .n_settings = n};
}

tp_composition *tp_composition_open(const tp_program *p, tp_property property, const char *text,
                                    tp_stats *stats, tp_str *why) {
  return tp_composition_open_with(p, property, text, NULL, stats, why);
}

tp_composition *tp_composition_open_with(const tp_program *p, tp_property property,
                                         const char *text,
                                         const struct tp_shape_library *shape_classes,
                                         tp_stats *stats, tp_str *why) {
  tp_composition *c = TP_NEW(tp_composition);
  tp_arena_init(&c->arena);
  tp_contexts_init(&c->contexts);
  tp_str reason = {0};
  reader r = {.arena = &c->arena, .why = &reason};
  if (read_all(&r, text)) {
    make_env(c, &r, p, property, stats);
    c->env.shape_classes = shape_classes;
    c->order = r.order;
    c->cpa = instantiate(c, r.root, &reason);
  } else if (r.line) {
    tp_str_printf(why, "line %u: ", r.line);
  }
  tp_vec_clear(&r.entries);
  if (!c->cpa) {
    tp_str_add(why, tp_str_text(&reason));
    tp_composition_close(c);
    c = NULL;
  }
  tp_str_clear(&reason);
  return c;
}

void tp_composition_close(tp_composition *c) {
  if (!c) return;
  if (c->cpa) tp_cpa_close(c->cpa);
  tp_contexts_clear(&c->contexts);
  tp_arena_clear(&c->arena);
  tp_free(c);
}
