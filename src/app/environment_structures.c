/* Structures that have facts (app/structures.h), and the programs that facts come from and are
 * shown by.
 *
 * A structure with facts is an object whose numbers are any that meet them; then each pointer is
 * made by its own facts: a block of as many elements as they say or more, a place in one that was
 * made before, a function. What facts do not say, where pointers within these blocks lead, and what
 * is around the structure, is for app/structure_accesses.h.
 *
 * Obligations have arguments that are wider than those of an entry: any counts, any sizes, any
 * pointers null. What a call has to keep, it keeps for all of them; calls that fail are no calls.
 * Structures are made with objects of their own, so each call has to leave them so: no two pointers
 * of one structure, or of two, lead to one object, and none into a structure. */
#include "app/environment_priv.h"

#include "app/app_limits.h"
#include "app/structure_accesses.h"
#include "app/structures.h"

#include <inttypes.h>

// --------------------------------------------------------------- objects with facts

static const tp_made_fact *fact_of(const tp_made_structure *s, tp_made_fact_kind kind,
                                   uint32_t pointer) {
  for (size_t i = 0; i < s->facts.n; i++) {
    const tp_made_fact *f = &s->facts.at[i];
    if (!f->is_out && f->kind == kind && f->pointer == pointer) return f;
  }
  return NULL;
}

static void assume(tp_environment *g, const char *fact) {
  tp_str_printf(&g->text, "  __VERIFIER_assume(%s);\n", fact);
}

static bool is_about_numbers(const tp_made_fact *f) { return f->pointer == TP_FIELD_NONE; }

static void make_numbers(tp_environment *g, const tp_made_structure *s) {
  for (uint32_t i = 0; i < s->fields.n; i++) {
    const tp_made_structure_field *f = &s->fields.at[i];
    if (f->kind == TP_FIELD_NUMBER) tp_env_fill(g, f->type, f->text, 1);
    if (f->kind == TP_FIELD_BYTES)
      tp_str_printf(&g->text, "  __VERIFIER_nondet_memory((void *)&%s, sizeof %s);\n", f->text,
                    f->text);
  }
  for (size_t i = 0; i < s->facts.n; i++) {
    const tp_made_fact *f = &s->facts.at[i];
    if (!f->is_out && is_about_numbers(f) && !tp_made_fact_is_needless(s, i))
      assume(g, tp_made_fact_text(s, f, g->arena));
  }
}

/* So many bytes there are behind the pointer, an expression. */
static void assume_sizes(tp_environment *g, const tp_made_structure *s, uint32_t pointer,
                         const char *size) {
  for (size_t i = 0; i < s->facts.n; i++) {
    const tp_made_fact *f = &s->facts.at[i];
    if (!f->is_out && f->pointer == pointer && f->kind == TP_FACT_ROOM)
      assume(g, tp_made_fact_size_text(s, f, size, g->arena));
  }
}

static void assume_set(tp_environment *g, const tp_made_structure *s, uint32_t pointer) {
  for (size_t i = 0; i < s->facts.n; i++) {
    const tp_made_fact *f = &s->facts.at[i];
    if (!f->is_out && f->pointer == pointer && f->kind == TP_FACT_SET_IF)
      assume(g, tp_made_fact_text(s, f, g->arena));
  }
}

/* A block of any size that the facts allow: what they say is the least that there is. A pointer
 * that no fact calls the start of a block may stand anywhere in one. */
static void make_block(tp_environment *g, const tp_made_structure *s, uint32_t i) {
  const char *lvalue = s->fields.at[i].text;
  const bool is_block = fact_of(s, TP_FACT_BLOCK, i) != NULL;
  if (!fact_of(s, TP_FACT_SET, i))
    tp_str_printf(&g->text, "  if (__VERIFIER_nondet_bool()) %s = 0;\n  else\n", lvalue);
  tp_str_printf(&g->text,
                "  {\n  __SIZE_TYPE__ twoproof_size = __VERIFIER_nondet_ulonglong();\n  "
                "__VERIFIER_assume(twoproof_size <= %" PRIu64 "u);\n",
                (uint64_t)INT64_MAX);
  if (is_block) {
    assume_sizes(g, s, i, "twoproof_size");
    tp_str_printf(&g->text, "  %s = __builtin_malloc(twoproof_size);\n", lvalue);
  } else {
    tp_str_add(&g->text,
               "  __SIZE_TYPE__ twoproof_before = __VERIFIER_nondet_ulonglong();\n  "
               "__VERIFIER_assume(twoproof_before <= twoproof_size);\n");
    assume_sizes(g, s, i, "(twoproof_size - twoproof_before)");
    tp_str_printf(&g->text,
                  "  %s = (void *)((char *)__builtin_malloc(twoproof_size) + twoproof_before);\n",
                  lvalue);
  }
  tp_str_add(&g->text, "  }\n");
  assume_set(g, s, i);
}

static void make_function(tp_environment *g, const tp_made_structure *s, uint32_t i) {
  const tp_made_structure_field *f = &s->fields.at[i];
  const char *name = fact_of(s, TP_FACT_FUNCTION, i) ? tp_env_function_of(g, f->element) : NULL;
  if (name)
    tp_str_printf(&g->text, "  %s = (void *)%s;\n", f->text, name);
  else
    tp_str_printf(&g->text, "  %s = (void *)__builtin_malloc(0);\n", f->text);
  if (!fact_of(s, TP_FACT_SET, i))
    tp_str_printf(&g->text, "  if (__VERIFIER_nondet_bool()) %s = 0;\n", f->text);
}

static const tp_made_fact *place_of(const tp_made_structure *s, uint32_t pointer) {
  const tp_made_fact *within = fact_of(s, TP_FACT_WITHIN, pointer);
  return within ? within : fact_of(s, TP_FACT_UP_TO, pointer);
}

static void make_place(tp_environment *g, const tp_made_structure *s, uint32_t i) {
  const tp_made_fact *f = place_of(s, i);
  const char *lvalue = s->fields.at[i].text, *start = s->fields.at[f->b].text,
             *n = s->fields.at[f->a].text;
  tp_str_printf(&g->text,
                "  {\n  __SIZE_TYPE__ twoproof_place = __VERIFIER_nondet_ulonglong();\n  "
                "__VERIFIER_assume(%s >= 0 && twoproof_place %s (__SIZE_TYPE__)%s);\n  %s = %s ? "
                "%s + twoproof_place : 0;\n  }\n",
                n, f->kind == TP_FACT_UP_TO ? "<=" : "<", n, lvalue, start, start);
  for (size_t k = 0; k < s->facts.n; k++) {
    const tp_made_fact *other = &s->facts.at[k];
    const bool counts = !other->is_out && other != f && other->pointer == i &&
                        (other->kind == TP_FACT_WITHIN || other->kind == TP_FACT_UP_TO) &&
                        !tp_made_fact_is_needless(s, k);
    if (counts) assume(g, tp_made_fact_text(s, other, g->arena));
  }
}

/* Places behind the blocks that they lead into. */
static void make_pointers(tp_environment *g, const tp_made_structure *s) {
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t i = 0; i < s->fields.n; i++) {
      const tp_field_kind kind = s->fields.at[i].kind;
      if (kind != TP_FIELD_POINTER && kind != TP_FIELD_FUNCTION) continue;
      const bool is_null = fact_of(s, TP_FACT_NULL, i) != NULL,
                 is_place = !is_null && place_of(s, i);
      if (is_place != (turn == 1)) continue;
      if (is_null)
        tp_str_printf(&g->text, "  %s = 0;\n", s->fields.at[i].text);
      else if (kind == TP_FIELD_FUNCTION)
        make_function(g, s, i);
      else if (is_place)
        make_place(g, s, i);
      else
        make_block(g, s, i);
    }
}

static const char *structure_name(const tp_environment *w, size_t number) {
  return tp_arena_printf(w->arena, "twoproof_structure_%zu", number + 1);
}

static void write_structure(tp_environment *w, const tp_made_structure *s, const char *name) {
  tp_environment g = *w;
  g.reads = NULL;
  tp_environment_assumptions unsaid = {0};
  g.text = (tp_str){0};
  g.assumptions = &unsaid;
  memset(&g.variables, 0, sizeof g.variables);
  memset(&g.strings, 0, sizeof g.strings);
  memset(&g.path, 0, sizeof g.path);
  make_numbers(&g, s);
  make_pointers(&g, s);
  tp_str_printf(&g.stubs,
                "static %s {\n  %s = __builtin_malloc(sizeof *" TP_STRUCTURE_OBJECT
                ");\n%s  return " TP_STRUCTURE_OBJECT ";\n}\n",
                tp_env_declared(w, s->handle, tp_arena_printf(w->arena, "%s(void)", name)),
                tp_env_declared(w, s->handle, TP_STRUCTURE_OBJECT), tp_str_text(&g.text));
  tp_str_clear(&g.text);
  tp_vec_clear(&unsaid);
  tp_vec_clear(&g.variables);
  tp_vec_clear(&g.strings);
  tp_vec_clear(&g.path);
  w->stubs = g.stubs;
  w->n_stubs = g.n_stubs;
  w->n_counters = g.n_counters;
}

/* The function that makes one, written before; NULL: there are no facts about this type. */
static const char *maker_of(tp_environment *w, tp_type type) {
  if (!w->makers || !tp_makers_is_handle(w->makers, type)) return NULL;
  const size_t number = tp_structures_find(w->o->structures, w->makers, type);
  if (number == w->o->structures->list.n) return NULL;
  const tp_made_structure *s = &w->o->structures->list.at[number];
  for (size_t i = 0; i < w->made.n; i++)
    if (w->made.at[i].type.id == s->handle.id) return w->made.at[i].name;
  const char *name = structure_name(w, number);
  tp_vec_push(&w->made, (tp_env_made){.type = s->handle, .name = name});
  write_structure(w, s, name);
  return name;
}

/* A variable of the program that says where the structure is. */
static void note_place(tp_environment *w, tp_type handle, const char *lvalue) {
  const char *place = tp_arena_printf(w->arena, TP_STRUCTURE_PLACE "%u", w->n_places++);
  tp_str_printf(&w->stubs, "static %s;\n", tp_env_declared(w, handle, place));
  tp_str_printf(&w->text, "  %s = %s;\n", place, lvalue);
}

bool tp_env_make_structure(tp_environment *w, tp_type type, const char *lvalue) {
  TP_REQUIRE(w && w->o->structures && lvalue);
  const char *maker = maker_of(w, type);
  if (!maker) return false;
  const size_t number = tp_structures_find(w->o->structures, w->makers, type);
  tp_str_printf(&w->text, "  %s = %s();\n  kept[%u] = (void *)%s;\n", lvalue, maker, w->n_kept++,
                lvalue);
  note_place(w, w->o->structures->list.at[number].handle, lvalue);
  tp_env_assume(w, "%s is any %s that has the invariant of those that the module makes",
                tp_env_shown(w, lvalue), w->o->structures->list.at[number].structure);
  w->is_made = true;
  return true;
}

// -------------------------------------------------------------------- arguments

/* A block of as many elements as the count says, else of any number; bytes that are text end with
 * 0. */
static void write_block(tp_environment *g, uint32_t i, const char *name) {
  const tp_type element = tp_env_type(g, tp_env_param(g, i))->element;
  const tp_type_info *e = element.id ? tp_env_type(g, element) : NULL;
  const uint64_t bytes = e && e->kind != TP_T_VOID && e->size_bytes ? e->size_bytes : 1;
  const uint32_t count = tp_env_count_of(g, i);
  const bool is_counted = count < tp_env_type(g, g->f->type)->n_params,
             is_text = !is_counted && e && e->kind == TP_T_INT && e->size_bytes == 1;
  tp_str_add(&g->text, "  {\n");
  if (is_counted)
    tp_str_printf(&g->text, "  __SIZE_TYPE__ twoproof_n = %s > 0 ? (__SIZE_TYPE__)%s : 0;\n",
                  tp_env_name_of(g, count), tp_env_name_of(g, count));
  else
    tp_str_add(&g->text, "  __SIZE_TYPE__ twoproof_n = __VERIFIER_nondet_ulonglong();\n");
  tp_str_printf(
      &g->text,
      "  __VERIFIER_assume(twoproof_n <= %llu);\n  %s = __builtin_malloc(twoproof_n * %llu "
      "+ %d);\n",
      (unsigned long long)INT64_MAX / bytes - 1, name, (unsigned long long)bytes, is_text);
  if (is_text) tp_str_printf(&g->text, "  ((char *)%s)[twoproof_n] = 0;\n", name);
  if (is_counted)
    tp_env_assume(g, "%s of %s is null or leads to %s elements", name, g->f->name,
                  tp_env_name_of(g, count));
  tp_str_printf(&g->text, "  if (__VERIFIER_nondet_bool()) %s = 0;\n  }\n", name);
}

static bool is_block_element(const tp_environment *g, tp_type t) {
  if (tp_env_is_void(g, t)) return true;
  const tp_type_info *e = tp_env_type(g, t);
  return e->size_bytes > 0 && e->kind != TP_T_FUNCTION && tp_env_is_plain(g, t);
}

static void write_pointer(tp_environment *g, uint32_t i) {
  const tp_type type = tp_env_param(g, i);
  const char *name = tp_env_name_of(g, i), *maker = maker_of(g, type);
  if (maker) {
    tp_str_printf(&g->text, "  %s = %s();\n", name, maker);
    note_place(g, type, name);
  } else if (is_block_element(g, tp_env_type(g, type)->element)) {
    write_block(g, i, name);
  } else {
    tp_env_fill_pointer(g, type, name, NULL, true, 1);
  }
}

/* An object that is to be initialised: it holds anything. */
static void write_object(tp_environment *g, uint32_t i) {
  const char *name = tp_env_name_of(g, i);
  tp_str_printf(&g->text, "  %s = __builtin_malloc(sizeof *%s);\n", name, name);
  note_place(g, tp_env_param(g, i), name);
}

static bool is_handle(const tp_environment *g, tp_type t, size_t *number) {
  if (!t.id || !tp_makers_is_handle(g->makers, t)) return false;
  *number = tp_structures_find(g->o->structures, g->makers, t);
  return *number < g->o->structures->list.n;
}

static void write_arguments(tp_environment *g, const tp_made_structure_use *use) {
  const tp_type_info *t = tp_env_type(g, g->f->type);
  for (uint32_t i = 0; i < t->n_params; i++)
    tp_str_printf(&g->text, "  %s;\n", tp_env_declared(g, t->params[i], tp_env_name_of(g, i)));
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t i = 0; i < t->n_params; i++) {
      if ((tp_env_type(g, t->params[i])->kind == TP_T_POINTER) != (turn == 1)) continue;
      if (turn == 0)
        tp_env_fill(g, t->params[i], tp_env_name_of(g, i), 1);
      else if (use->kind == TP_USE_INITIALISES && i == use->parameter)
        write_object(g, i);
      else
        write_pointer(g, i);
    }
}

// ------------------------------------------------------------------------- calls

/* The call; its result is a variable where somebody looks at it. */
static bool write_use_call(tp_environment *g) {
  const tp_type_info *t = tp_env_type(g, g->f->type);
  const bool has_result =
      !tp_env_is_void(g, t->element) && (tp_env_type(g, t->element)->kind == TP_T_POINTER ||
                                         tp_env_type(g, t->element)->kind == TP_T_INT ||
                                         tp_env_type(g, t->element)->kind == TP_T_BOOL ||
                                         tp_env_type(g, t->element)->kind == TP_T_ENUM);
  tp_str_add(&g->text, "  ");
  if (has_result)
    tp_str_printf(&g->text, "%s = %s", tp_env_declared(g, t->element, "twoproof_result"),
                  tp_env_type(g, t->element)->kind == TP_T_POINTER ? "(void *)" : "");
  tp_str_printf(&g->text, "%s(", g->f->name);
  for (uint32_t i = 0; i < t->n_params; i++)
    tp_str_printf(&g->text, "%s%s%s", i ? ", " : "",
                  tp_env_type(g, t->params[i])->kind == TP_T_POINTER ? "(void *)" : "",
                  tp_env_name_of(g, i));
  tp_str_add(&g->text, ");\n");
  if (has_result) tp_str_add(&g->text, "  (void)twoproof_result;\n");
  return has_result;
}

static void write_state_call(tp_environment *g, size_t number, const char *object,
                             const char *condition) {
  tp_str_printf(&g->text, "  if (%s) " TP_STRUCTURE_STATE "%zu(%s);\n", condition, number + 1,
                object);
}

/* An object that is in use behind the call, and what has to hold for that. */
typedef struct {
  const char *name, *condition;
  size_t structure;
} in_use;

static bool owns(const tp_made_structure *s, uint32_t field) {
  return s->fields.at[field].kind == TP_FIELD_POINTER && !place_of(s, field);
}

static const char *member(const tp_environment *g, const in_use *x, uint32_t field) {
  const tp_made_structure *s = &g->o->structures->list.at[x->structure];
  return tp_arena_printf(g->arena, "%s->%s", x->name,
                         s->fields.at[field].text + strlen(TP_STRUCTURE_OBJECT "->"));
}

/* A pointer that leads into the object of another is an error. */
static void check_leads_elsewhere(tp_str *out, const char *condition, const char *pointer,
                                  const char *other) {
  tp_str_printf(out,
                "  if (%s && %s != 0 && %s != 0 && __twoproof_within(%s, %s, (__SIZE_TYPE__)-1)) "
                "reach_error();\n",
                condition, pointer, other, pointer, other);
}

/* What the two own is nobody else's. */
static void check_apart(tp_environment *g, const in_use *x, const in_use *y) {
  const tp_made_structure *s = &g->o->structures->list.at[x->structure],
                          *of_y = &g->o->structures->list.at[y->structure];
  const char *both = tp_arena_printf(g->arena, "%s && %s && (void *)%s != (void *)%s", x->condition,
                                     y->condition, x->name, y->name);
  for (uint32_t f = 0; f < s->fields.n; f++) {
    if (!owns(s, f)) continue;
    check_leads_elsewhere(&g->text, both, member(g, x, f), y->name);
    for (uint32_t h = 0; h < of_y->fields.n; h++)
      if (owns(of_y, h)) check_leads_elsewhere(&g->text, both, member(g, x, f), member(g, y, h));
  }
  for (uint32_t h = 0; h < of_y->fields.n; h++)
    if (owns(of_y, h)) check_leads_elsewhere(&g->text, both, member(g, y, h), x->name);
}

/* The result, and the arguments but for one that is ended. Returns how many. */
static size_t list_in_use(tp_environment *g, const tp_made_structure_use *use, bool has_result,
                          in_use *out) {
  const tp_type_info *t = tp_env_type(g, g->f->type);
  size_t n = 0;
  if (has_result && is_handle(g, t->element, &out[n].structure)) {
    out[n].name = out[n].condition = "twoproof_result";
    n++;
  }
  for (uint32_t i = 0; i < t->n_params; i++) {
    const bool is_ended =
        (use->kind == TP_USE_ENDS || use->kind == TP_USE_REPLACES) && i == use->parameter;
    if (is_ended || !is_handle(g, t->params[i], &out[n].structure)) continue;
    const bool is_initialised = use->kind == TP_USE_INITIALISES && i == use->parameter;
    out[n].name = tp_env_name_of(g, i);
    out[n].condition = is_initialised && has_result && use->succeeds
                           ? tp_arena_printf(g->arena, "twoproof_result %s", use->succeeds)
                           : "1";
    n++;
  }
  return n;
}

static void check_results(tp_environment *g, const tp_made_structure_use *use, bool has_result) {
  in_use *x = tp_arena_array(g->arena, in_use, tp_env_type(g, g->f->type)->n_params + 2);
  const size_t n = list_in_use(g, use, has_result, x);
  tp_str_add(&g->text, "  " TP_ENVIRONMENT_CALLED " = 1;\n");
  for (size_t i = 0; i < n; i++) {
    write_state_call(g, x[i].structure, x[i].name, x[i].condition);
    for (size_t k = 0; k < i; k++) check_apart(g, &x[k], &x[i]);
  }
}

static void write_probe(tp_environment *g, const tp_made_structure_use *use) {
  size_t number;
  const tp_type_info *t = tp_env_type(g, g->f->type);
  const char *name = tp_env_name_of(g, use->parameter);
  tp_str_printf(&g->text, "  __builtin_memset((void *)%s, %d, sizeof *%s);\n", name,
                TP_STRUCTURE_FILL, name);
  const bool has_result = write_use_call(g);
  if (is_handle(g, t->params[use->parameter], &number))
    tp_str_printf(&g->text,
                  "  twoproof_sign = %s;\n  twoproof_use = %u;\n  " TP_STRUCTURE_STATE "%zu(%s);\n",
                  has_result && tp_env_type(g, t->element)->kind != TP_T_POINTER
                      ? "twoproof_result < 0 ? -1 : twoproof_result > 0"
                      : "0",
                  use->func.id, number + 1, name);
}

/* One function with its arguments and what is looked at behind it. */
static void write_use(tp_environment *w, const tp_made_structure_use *use,
                      tp_structures_program what, uint32_t number, tp_str *functions) {
  w->f = &w->p->funcs.at[use->func.id];
  w->number = use->func;
  w->variables.n = 0;
  write_arguments(w, use);
  if (what == TP_STRUCTURES_PROBE)
    write_probe(w, use);
  else
    check_results(w, use, write_use_call(w));
  tp_str_printf(functions, "static void " TP_ENVIRONMENT_CALL "%u(void) {\n%s}\n", number,
                tp_str_text(&w->text));
  tp_str_clear(&w->text);
}

static void write_sample(tp_environment *w, size_t structure, uint32_t number, tp_str *functions) {
  const tp_made_structure *s = &w->o->probed->list.at[structure];
  const char *maker = tp_env_maker_of(w, s->handle, 0);
  tp_str_printf(functions,
                "static void " TP_ENVIRONMENT_CALL "%u(void) {\n  %s = %s();\n  " TP_STRUCTURE_STATE
                "%zu(" TP_STRUCTURE_OBJECT ");\n}\n",
                number, tp_env_declared(w, s->handle, TP_STRUCTURE_OBJECT), maker ? maker : "0",
                structure + 1);
}

// ------------------------------------------------------------------------- states

/* Pointers of one structure lead to different objects, and none into the structure: so they are
 * made. */
static void check_members(const tp_made_structure *s, tp_str *out) {
  for (uint32_t i = 0; i < s->fields.n; i++) {
    if (!owns(s, i)) continue;
    check_leads_elsewhere(out, "1", s->fields.at[i].text, TP_STRUCTURE_OBJECT);
    for (uint32_t k = 0; k < i; k++)
      if (owns(s, k)) check_leads_elsewhere(out, "1", s->fields.at[i].text, s->fields.at[k].text);
  }
}

/* The state functions: what they check stands in lines of their own. */
static void write_states(tp_environment *w, const tp_made_structures *all, bool checks,
                         tp_str *out) {
  for (size_t k = 0; k < all->list.n; k++) {
    const tp_made_structure *s = &all->list.at[k];
    tp_str_printf(out, "static void %s {\n  (void)" TP_STRUCTURE_OBJECT ";\n",
                  tp_arena_printf(w->arena, TP_STRUCTURE_STATE "%zu(%s)", k + 1,
                                  tp_env_declared(w, s->handle, TP_STRUCTURE_OBJECT)));
    if (checks)  // what is read next is there
      tp_str_add(out, "  if (__twoproof_room(" TP_STRUCTURE_OBJECT
                      ") < sizeof *" TP_STRUCTURE_OBJECT ") reach_error();\n");
    for (size_t i = 0; checks && i < s->facts.n; i++) {
      const tp_made_fact *f = &s->facts.at[i];
      if (f->is_out || tp_made_fact_is_needless(s, i)) continue;
      const char *text = tp_made_fact_text(s, f, w->arena);
      if (f->kind == TP_FACT_FUNCTION) {
        const char *name = tp_env_function_of(w, s->fields.at[f->pointer].element),
                   *p = s->fields.at[f->pointer].text;
        text = name ? tp_arena_printf(w->arena, "%s == 0 || (void *)%s == (void *)%s", p, p, name)
                    : tp_arena_printf(w->arena, "%s == 0", p);
      }
      tp_str_printf(out, "  if (!(%s)) reach_error();\n", text);
    }
    if (checks) check_members(s, out);
    tp_str_add(out, "}\n");
  }
}

static const char declarations[] =
    "extern void reach_error(void);\nextern __SIZE_TYPE__ __twoproof_room(const volatile void *);\n"
    "extern _Bool __twoproof_is_block(const volatile void *);\n"
    "extern _Bool __twoproof_within(const volatile void *, const volatile void *, __SIZE_TYPE__);\n"
    "static int " TP_ENVIRONMENT_CALLED
    ", twoproof_sign, twoproof_use;\nstatic void *others[256];\nstatic unsigned n_others;\n";

const char *tp_env_free_errno(const tp_environment *w) {
  for (size_t f = 1; f < w->p->funcs.n; f++)
    if (strcmp(w->p->funcs.at[f].name, "__errno_location") == 0)
      return "  extern int *__errno_location(void);\n  *__errno_location() = "
             "__VERIFIER_nondet_int();\n";
  return "";
}

static void write_program(const tp_environment *w, const char *file, const tp_str *states,
                          const tp_str *functions, uint32_t n, tp_str *text) {
  tp_str_printf(
      text,
      "// Calls one function of the module, then looks at the structures that it "
      "leaves.\n#define main twoproof_own_main\n#include \"%s\"\n#undef main\n%s%sstatic "
      "void *kept[%u];\n%s%s%sint main(void) {\n%s  switch (__VERIFIER_nondet_uint() %% %u) "
      "{\n",
      file, tp_input_declarations, declarations, w->n_kept + 1, tp_str_text(&w->stubs),
      tp_str_text(states), tp_str_text(functions), tp_env_free_errno(w), n ? n : 1);
  for (uint32_t i = 0; i < n; i++)
    tp_str_printf(text, "    case %u: " TP_ENVIRONMENT_CALL "%u(); break;\n", i, i);
  tp_str_add(text, "  }\n  (void)kept, (void)others, (void)n_others, (void)" TP_ENVIRONMENT_CALLED
                   ", (void)twoproof_sign, (void)twoproof_use;\n  return 0;\n}\n");
}

uint32_t tp_environment_write_structures(const tp_program *p, const struct tp_made_structures *s,
                                         tp_structures_program what, const bool *wanted, tp_func of,
                                         const char *file, const tp_environment_options *options,
                                         tp_arena *arena, tp_str *text,
                                         tp_environment_assumptions *assumptions) {
  TP_REQUIRE(p && s && of.id && file && options && arena && text && assumptions);
  tp_environment_options o = *options;
  o.structures = what == TP_STRUCTURES_SAMPLES ? NULL : s;
  o.probed = s;
  tp_makers makers;
  tp_makers_init(&makers, p, of, o.n_exported, o.seen);
  tp_environment w = {.p = p,
                      .f = &p->funcs.at[of.id],
                      .number = of,
                      .o = &o,
                      .arena = arena,
                      .assumptions = assumptions,
                      .makers = &makers,
                      .or_null = "",
                      .keeps_result = true};
  tp_str functions = {0}, states = {0};
  uint32_t n = 0;
  for (size_t i = 0; i < (what == TP_STRUCTURES_SAMPLES ? s->list.n : s->uses.n); i++) {
    if (what == TP_STRUCTURES_SAMPLES)
      write_sample(&w, i, n++, &functions);
    else if ((!wanted || wanted[i]) &&
             (what == TP_STRUCTURES_OBLIGATIONS || s->uses.at[i].kind == TP_USE_INITIALISES))
      write_use(&w, &s->uses.at[i], what, n++, &functions);
  }
  write_states(&w, s, what == TP_STRUCTURES_OBLIGATIONS, &states);
  write_program(&w, file, &states, &functions, n, text);
  tp_str_clear(&functions);
  tp_str_clear(&states);
  tp_str_clear(&w.stubs);
  tp_vec_clear(&w.path);
  tp_vec_clear(&w.variables);
  tp_vec_clear(&w.strings);
  tp_vec_clear(&w.made);
  tp_makers_clear(&makers);
  return n;
}

const char *tp_environment_array_of_structures(const tp_program *p,
                                               const struct tp_made_structures *s, tp_func of,
                                               const tp_environment_options *options,
                                               tp_arena *arena) {
  TP_REQUIRE(p && s && of.id && options && arena);
  tp_environment_options o = *options;
  o.structures = s;
  tp_makers makers;
  tp_makers_init(&makers, p, of, o.n_exported, o.seen);
  tp_environment w = {.p = p, .o = &o, .arena = arena, .makers = &makers, .or_null = ""};
  const char *obstacle = NULL;
  for (size_t i = 0; i < s->uses.n && !obstacle; i++) {
    size_t number;
    w.number = s->uses.at[i].func;
    w.f = &p->funcs.at[w.number.id];
    const tp_type_info *t = tp_env_type(&w, w.f->type);
    for (uint32_t k = 0; k < t->n_params && !obstacle; k++)
      if (is_handle(&w, t->params[k], &number) && tp_env_count_of(&w, k) < t->n_params)
        obstacle = tp_arena_printf(arena, "%s takes an array of structures", w.f->name);
  }
  tp_makers_clear(&makers);
  return obstacle;
}
