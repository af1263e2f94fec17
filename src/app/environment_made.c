/* Objects that the module makes itself: for a type a function of the environment that calls one of
 * its makers, then a few of its operations, with any arguments. What is called and what its
 * arguments are is the list of assumptions; a call that fails ends the run before the function in
 * question is called (tp_entry_restrict), so that nothing of it counts as a failure of that
 * function.
 *
 * Objects among the arguments of these calls are made in the same way, with one operation less for
 * each object around them, up to TP_APP_MADE_DEPTH. Counts are at most --elements. Memory that
 * the calls are given is filled at once, without loops: it is for them to copy. */
#include "app/environment_priv.h"

#include "app/app_limits.h"
#include "app/initialisers.h"
#include "app/makers.h"
#include "app/structures.h"

// ---------------------------------------------------------------------- arguments

static bool is_plain_element(const tp_environment *w, tp_type t) {
  return tp_env_is_void(w, t) || (tp_env_type(w, t)->size_bytes > 0 && tp_env_is_plain(w, t) &&
                                  tp_env_type(w, t)->kind != TP_T_STRUCT);
}

/* Numbers, characters, bytes: a block of as many as the count beside it says. */
static void write_block(tp_environment *g, uint32_t i, const char *name) {
  const tp_type element = tp_env_type(g, tp_env_param(g, i))->element;
  const tp_type_info *e = element.id ? tp_env_type(g, element) : NULL;
  const uint32_t count = tp_env_count_of(g, i);
  const bool is_counted = count < tp_env_type(g, g->f->type)->n_params,
             is_text = !is_counted && e && e->kind == TP_T_INT && e->size_bytes == 1;
  const char *n = is_counted ? tp_env_name_of(g, count)
                             : tp_arena_printf(g->arena, "%u", g->o->elements + is_text);
  const char *size =
      tp_env_is_void(g, element)
          ? n
          : tp_arena_printf(g->arena, "%s * %llu", n, (unsigned long long)e->size_bytes);
  tp_str_printf(&g->text, "    %s = __builtin_malloc(%s);\n", name, size);
  if (is_counted) tp_str_printf(&g->text, "    if (%s > 0) ", n);
  tp_str_printf(&g->text, "%s__VERIFIER_nondet_memory(%s, %s);\n", is_counted ? "" : "    ", name,
                size);
  if (is_text) tp_str_printf(&g->text, "    ((char *)%s)[%u] = 0;\n", name, g->o->elements);
}

static void write_pointer(tp_environment *g, uint32_t i, uint32_t depth) {
  const tp_type type = tp_env_param(g, i);
  const char *name = tp_env_name_of(g, i);
  const bool is_initialised = tp_initialises(g->p, g->number, i);
  const char *maker =
      !is_initialised && depth < TP_APP_MADE_DEPTH ? tp_env_maker_of(g, type, depth + 1) : NULL;
  if (is_initialised)
    tp_str_printf(&g->text, "    %s = __builtin_malloc(sizeof *%s);\n", name, name);
  else if (maker)
    tp_str_printf(&g->text, "    %s = %s();\n", name, maker);
  else if (is_plain_element(g, tp_env_type(g, type)->element))
    write_block(g, i, name);
  else
    tp_env_fill_pointer(g, type, name, NULL, true, 2);
}

/* Counts bound what the calls build. */
static void bound_number(tp_environment *g, uint32_t i) {
  const tp_type type = tp_env_param(g, i);
  const char *name = tp_env_name_of(g, i);
  if (!tp_env_is_integer(g, type) || !tp_env_is_count_name(name)) return;
  const bool is_signed = tp_env_type(g, type)->is_signed;
  tp_str_printf(&g->text, "    __VERIFIER_assume(%s%s%s%s <= %u);\n", is_signed ? "0 <= " : "",
                is_signed ? name : "", is_signed ? " && " : "", name, g->o->elements);
}

/* With which result has an initialiser made an object? What runs have shown, else no negative
 * number. NULL: with any. */
static const char *result_of_success(const tp_environment *g, const tp_maker *maker,
                                     const tp_type_info *result) {
  if (maker->kind != TP_MAKER_INITIALISES || !result) return NULL;
  const tp_made_structures *probed = g->o->probed;
  for (size_t i = 0; probed && i < probed->uses.n; i++)
    if (probed->uses.at[i].func.id == maker->func.id) return probed->uses.at[i].succeeds;
  return result->kind == TP_T_INT && result->is_signed ? ">= 0" : NULL;
}

/* A block that makes the arguments of a maker or an operation, and calls it. `object`: the variable
 * with the object. */
static void write_call(tp_environment *g, const tp_maker *maker, tp_type handle, uint32_t depth) {
  const tp_type_info *t = tp_env_type(g, g->f->type);
  for (uint32_t i = 0; i < t->n_params; i++)
    if (i != maker->parameter)
      tp_str_printf(&g->text, "    %s;\n", tp_env_declared(g, t->params[i], tp_env_name_of(g, i)));
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t i = 0; i < t->n_params; i++) {
      if (i == maker->parameter ||
          (tp_env_type(g, t->params[i])->kind == TP_T_POINTER) != (turn == 1))
        continue;
      if (turn == 0) {
        tp_env_fill(g, t->params[i], tp_env_name_of(g, i), 2);
        bound_number(g, i);
      } else {
        write_pointer(g, i, depth);
      }
    }
  if (maker->kind == TP_MAKER_INITIALISES)
    tp_str_printf(&g->text, "    twoproof_object = __builtin_malloc(sizeof *twoproof_object);\n");
  const tp_type_info *result = tp_env_is_void(g, t->element) ? NULL : tp_env_type(g, t->element);
  const bool is_object = maker->kind == TP_MAKER_RETURNS || maker->kind == TP_MAKER_REPLACES;
  const char *succeeds = result_of_success(g, maker, result);
  const bool tells = succeeds != NULL;
  tp_str_add(&g->text, is_object ? "    twoproof_object = "
                       : tells   ? "    long long twoproof_made = "
                                 : "    ");
  if (is_object && tp_env_type(g, handle)->kind == TP_T_POINTER) tp_str_add(&g->text, "(void *)");
  tp_str_printf(&g->text, "%s(", g->f->name);
  for (uint32_t i = 0; i < t->n_params; i++)
    tp_str_printf(&g->text, "%s%s%s", i ? ", " : "",
                  tp_env_type(g, t->params[i])->kind == TP_T_POINTER ? "(void *)" : "",
                  i == maker->parameter ? "twoproof_object" : tp_env_name_of(g, i));
  tp_str_add(&g->text, ");\n");
  if (is_object)
    tp_str_add(&g->text, "    __VERIFIER_assume(twoproof_object != 0);\n");
  else if (tells)
    tp_str_printf(&g->text, "    __VERIFIER_assume(twoproof_made %s);\n", succeeds);
}

// ------------------------------------------------------------------------- makers

/* One of the functions of the list, by a free number; `has_none`: or none of them. */
static void write_choice(tp_environment *w, const tp_maker_list *list, bool has_none,
                         tp_type handle, uint32_t depth, tp_str *out) {
  const size_t n = list->n + has_none;
  if (n > 1) tp_str_printf(out, "  switch (__VERIFIER_nondet_uchar() %% %zu) {\n", n);
  for (size_t i = 0; i < list->n; i++) {
    tp_environment_assumptions unsaid = {0};
    tp_environment g = *w;  // the same environment, seen from the arguments of another function
    g.reads = NULL;
    g.f = &w->p->funcs.at[list->at[i].func.id];
    g.number = list->at[i].func;
    g.text = (tp_str){0};
    g.assumptions = &unsaid;
    g.n_loops = 1;
    g.keeps_result = false;
    memset(&g.path, 0, sizeof g.path);
    memset(&g.variables, 0, sizeof g.variables);
    memset(&g.strings, 0, sizeof g.strings);
    write_call(&g, &list->at[i], handle, depth);
    if (n > 1) tp_str_printf(out, "  case %zu: {\n", i);
    if (n == 1) tp_str_add(out, "  {\n");
    tp_str_add(out, tp_str_text(&g.text));
    tp_str_add(out, n > 1 ? "    break;\n  }\n" : "  }\n");
    tp_str_clear(&g.text);
    tp_vec_clear(&g.path);
    tp_vec_clear(&g.variables);
    tp_vec_clear(&g.strings);
    tp_vec_clear(&unsaid);
    w->stubs = g.stubs;
    w->made = g.made;
    w->n_stubs = g.n_stubs;
    w->n_counters = g.n_counters;
    w->n_kept = g.n_kept;
    w->has_others = g.has_others;
  }
  if (n > 1) tp_str_add(out, "  }\n");
}

/* "new_list", "list_of or new_list". */
static const char *names_of(const tp_environment *w, const tp_maker_list *list) {
  const char *names = "";
  for (size_t i = 0; i < list->n; i++)
    names = tp_arena_printf(w->arena, "%s%s%s", names,
                            i == 0             ? ""
                            : i + 1 == list->n ? " or "
                                               : ", ",
                            w->p->funcs.at[list->at[i].func.id].name);
  return names;
}

static const char *describe(const tp_environment *w, const tp_maker_list *makers,
                            const tp_maker_list *operations, uint32_t n) {
  const char *made = tp_arena_printf(w->arena, "made by %s", names_of(w, makers));
  if (operations->n == 0 || n == 0) return made;
  return tp_arena_printf(w->arena, "%s and changed by at most %u call%s of %s", made, n,
                         n == 1 ? "" : "s", names_of(w, operations));
}

static const char *write_maker(tp_environment *w, tp_type type, uint32_t depth,
                               const tp_maker_list *makers, const tp_maker_list *operations) {
  const char *name = tp_arena_printf(w->arena, "twoproof_make_%zu", w->made.n + 1);
  const uint32_t n = w->o->operations > depth ? w->o->operations - depth : 0;
  tp_vec_push(&w->made, (tp_env_made){type, depth, name, describe(w, makers, operations, n)});
  tp_str body = {0}, changes = {0};
  write_choice(w, makers, false, type, depth, &body);
  if (n > 0 && operations->n > 0) write_choice(w, operations, true, type, depth, &changes);
  tp_str_printf(&w->stubs, "static %s {\n  %s = 0;\n%s",
                tp_env_declared(w, type, tp_arena_printf(w->arena, "%s(void)", name)),
                tp_env_declared(w, type, "twoproof_object"), tp_str_text(&body));
  if (changes.n)
    tp_str_printf(&w->stubs, "  for (int twoproof_n = 0; twoproof_n < %u; twoproof_n++) {\n%s  }\n",
                  n, tp_str_text(&changes));
  tp_str_add(&w->stubs, "  return twoproof_object;\n}\n");
  tp_str_clear(&body);
  tp_str_clear(&changes);
  return name;
}

static const tp_env_made *find_made(const tp_environment *w, tp_type type, uint32_t depth) {
  for (size_t i = 0; i < w->made.n; i++)
    if (w->made.at[i].type.id == type.id && w->made.at[i].depth == depth) return &w->made.at[i];
  return NULL;
}

/* Can its arguments be made so deep? Objects that nobody makes are filled by their types, unless
 * they lead to their own kind. */
static bool is_possible(tp_environment *w, const tp_maker *maker, uint32_t depth) {
  const tp_type_info *t = tp_env_type(w, w->p->funcs.at[maker->func.id].type);
  for (uint32_t i = 0; i < t->n_params; i++) {
    const bool is_object = i != maker->parameter && tp_makers_is_handle(w->makers, t->params[i]) &&
                           !tp_initialises(w->p, maker->func, i);
    if (!is_object || (depth < TP_APP_MADE_DEPTH && tp_env_maker_of(w, t->params[i], depth + 1)))
      continue;
    const tp_type element = tp_env_type(w, t->params[i])->element;
    if (tp_makers_has_any(w->makers, t->params[i]) || tp_env_leads_to_itself(w, element) ||
        tp_env_type(w, element)->size_bytes == 0)
      return false;
  }
  return true;
}

static void leave_out_impossible(tp_environment *w, tp_maker_list *list, uint32_t depth) {
  size_t n = 0;
  for (size_t i = 0; i < list->n; i++)
    if (is_possible(w, &list->at[i], depth)) list->at[n++] = list->at[i];
  list->n = n;
}

const char *tp_env_maker_of(tp_environment *w, tp_type type, uint32_t depth) {
  TP_REQUIRE(w && type.id);
  if (!w->makers || !tp_makers_is_handle(w->makers, type)) return NULL;
  const tp_env_made *known = find_made(w, type, depth);
  if (known) return known->name;
  tp_maker_list makers = {0}, operations = {0};
  tp_makers_find(w->makers, type, &makers, &operations);
  leave_out_impossible(w, &makers, depth);
  if (makers.n == 0 || depth >= w->o->operations) operations.n = 0;
  leave_out_impossible(w, &operations, depth);
  const char *name = makers.n > 0 ? write_maker(w, type, depth, &makers, &operations) : NULL;
  if (!name) tp_vec_push(&w->made, (tp_env_made){.type = type, .depth = depth});
  tp_vec_clear(&makers);
  tp_vec_clear(&operations);
  return name;
}

bool tp_env_make(tp_environment *w, tp_type type, const char *lvalue) {
  const char *maker = tp_env_maker_of(w, type, 0);
  if (!maker) return false;
  tp_str_printf(&w->text, "  %s = %s();\n  kept[%u] = (void *)%s;\n", lvalue, maker, w->n_kept++,
                lvalue);
  tp_env_assume(w, "%s is %s", tp_env_shown(w, lvalue), find_made(w, type, 0)->described);
  w->is_made = true;
  return true;
}
