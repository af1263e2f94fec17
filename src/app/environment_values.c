/* What an lvalue of a type is filled with: one function of the type, which calls itself for
 * members: which of them count the elements of which arrays, and which are places in an array
 * beside them, names say, and types. */
#include "app/environment_priv.h"

#include "app/app_limits.h"

#include <ctype.h>
#include <stdio.h>

// --------------------------------------------------------------------- objects

/* How many structs of this type are around what is written now. */
static uint32_t n_around(const tp_environment *w, tp_type t) {
  uint32_t n = 0;
  for (size_t i = 0; i < w->path.n; i++)
    n += tp_env_is_same_struct(tp_env_type(w, w->path.at[i]), tp_env_type(w, t));
  return n;
}

/* Objects of the environment stay reachable, whatever the function does with pointers to them: what
 * is lost then is the function's own. In a loop there are several of one place. */
static void keep(tp_environment *w, const char *lvalue, uint32_t indent) {
  if (w->twins) return;  // they are listed
  tp_env_begin(w, indent);
  if (w->n_loops) {
    tp_str_printf(
        &w->text,
        "if (n_others < sizeof others / sizeof *others) others[n_others++] = (void *)%s;\n",
        lvalue);
    w->has_others = true;
  } else {
    tp_str_printf(&w->text, "kept[%u] = (void *)%s;\n", w->n_kept++, lvalue);
  }
}

/* Where the text of an lvalue has the prefix of the first copy, it gets that of the second. */
const char *tp_environment_other(tp_arena *arena, const char *lvalue) {
  const char *at = strstr(lvalue, TP_ENV_NEW);
  if (!at) return lvalue;
  return tp_arena_printf(arena, "%.*s%s%s", (int)(at - lvalue), lvalue, TP_ENV_OLD,
                         at + strlen(TP_ENV_NEW));
}

const char *tp_env_twin(const tp_environment *w, const char *lvalue) {
  return tp_environment_other(w->arena, lvalue);
}

void tp_env_note_draw(tp_environment *w, tp_env_draw_kind kind, const char *lvalue, tp_type type) {
  if (!w->twins) return;
  uint32_t line = 1;
  for (size_t i = 0; i < w->text.n; i++) line += w->text.text[i] == '\n';
  tp_vec_push(&w->twins->draws, (tp_env_draw){kind, line, tp_env_shown(w, lvalue), type});
}

/* The second copy gets what the first one has. */
static void copy_to_twin(tp_environment *w, const char *lvalue, uint32_t indent) {
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s;\n", tp_env_twin(w, lvalue), lvalue);
}

static void copy_bytes_to_twin(tp_environment *w, const char *address, const char *size,
                               uint32_t indent) {
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__builtin_memcpy(%s, %s, %s);\n", tp_env_twin(w, address), address,
                size);
}

/* The object that has just been made, in both copies. */
static void list_twin(tp_environment *w, const char *variable, tp_type element, const char *n,
                      uint32_t indent) {
  if (!w->twins) return;
  tp_env_twins *t = w->twins;
  const bool is_in_table = w->n_loops > 0;
  const char *size = NULL;
  if (is_in_table) {
    t->has_table = true;
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "twoproof_list(%zu, %s, %s, %s);\n", t->objects.n, variable,
                  tp_env_twin(w, variable), n ? n : "1");
    size = n ? "twoproof_others[twoproof_k].n" : NULL;
  } else if (n) {
    size = tp_arena_printf(w->arena, "twoproof_n%zu", t->objects.n);
    tp_str_printf(&t->declarations, "static unsigned long %s;\n", size);
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "%s = (unsigned long)(%s);\n", size, n);
  }
  tp_vec_push(&t->objects,
              (tp_env_object){variable, tp_env_shown(w, variable), size, element, is_in_table});
}

/* The name of a variable for the objects behind an lvalue: p->next is made as p_next, since what
 * points to constants cannot be written through. Assumptions have the lvalue. */
static const char *variable_for(tp_environment *w, const char *lvalue) {
  char *name = tp_arena_printf(w->arena, "%s_", lvalue);
  size_t n = 0;
  if (lvalue[0] == '(' && w->twins) lvalue += strspn(lvalue, "(*");
  for (const char *c = lvalue; *c; c++)
    if (isalnum((unsigned char)*c) || *c == '_')
      name[n++] = *c;
    else if (n && name[n - 1] != '_')
      name[n++] = '_';
  name[n] = 0;
  name = tp_arena_printf(w->arena, "%s_%u", name, (unsigned)w->variables.n + 1);
  const char *shown = tp_env_shown(w, lvalue);
  tp_vec_push(&w->variables, (tp_env_variable){name, shown});
  return name;
}

const char *tp_env_shown(const tp_environment *w, const char *lvalue) {
  const char *open = lvalue[0] == '(' && lvalue[1] == '*' ? "(*" : "";
  for (size_t i = w->variables.n; i-- > 0;) {
    const tp_env_variable *v = &w->variables.at[i];
    const size_t n = strlen(v->name);
    const char *at = lvalue + strlen(open);
    const bool is_it =
        strncmp(at, v->name, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_';
    if (is_it) return tp_arena_printf(w->arena, "%s%s%s", open, v->shown, at + n);
  }
  return lvalue;
}

/* Does the k-th argument agree with one of the earlier call i? */
static const char *argument_matches(const tp_environment *w, tp_type type, uint32_t k,
                                    const char *name) {
  const tp_type_info *t = tp_env_type(w, type);
  const char *kept = tp_arena_printf(w->arena, "twoproof_%s_a%u[i]", name, k),
             *given = tp_arena_printf(w->arena, "a%u", k);
  if (t->kind == TP_T_POINTER)
    return tp_arena_printf(w->arena, "twoproof_same_argument(%s, twoproof_%s_side[i], %s)", kept,
                           name, given);
  return tp_arena_printf(
      w->arena, t->kind == TP_T_FLOAT ? "twoproof_same_float(%s, %s)" : "%s == %s", kept, given);
}

/* The same for two versions: the same arguments give the same answer, of whichever version asks. */
static void write_answers(tp_environment *w, const tp_type_info *t, const char *head,
                          const char *name, const char *draw) {
  tp_str *out = &w->stubs;
  tp_str_printf(out, "static unsigned long twoproof_%s_n;\nstatic int twoproof_%s_side[%d];\n",
                name, name, TP_APP_EQUAL_ANSWERS);
  const char *matches = "1", *keeps = "";
  for (uint32_t i = 0; i < t->n_params; i++) {
    const tp_type_info *a = tp_env_type(w, t->params[i]);
    const char *kept =
        tp_arena_printf(w->arena, "twoproof_%s_a%u[%d]", name, i + 1, TP_APP_EQUAL_ANSWERS);
    tp_str_printf(out, "static %s;\n",
                  a->kind == TP_T_POINTER ? tp_arena_printf(w->arena, "const void *%s", kept)
                                          : tp_env_declared(w, t->params[i], kept));
    matches = tp_arena_printf(w->arena, "%s && %s", matches,
                              argument_matches(w, t->params[i], i + 1, name));
    keeps = tp_arena_printf(w->arena, "%stwoproof_%s_a%u[i] = a%u, ", keeps, name, i + 1, i + 1);
  }
  tp_str_printf(
      out,
      "static %s;\n%s {\n  unsigned long i = 0;\n  while (i < twoproof_%s_n && !(%s)) "
      "i++;\n  if (i == twoproof_%s_n) {\n    __VERIFIER_assume(i < %d);\n    "
      "twoproof_%s_n++, %stwoproof_%s_side[i] = twoproof_side;\n    twoproof_%s_answer[i] "
      "= %s();\n  }\n  return twoproof_%s_answer[i];\n}\n",
      tp_env_declared(
          w, t->element,
          tp_arena_printf(w->arena, "twoproof_%s_answer[%d]", name, TP_APP_EQUAL_ANSWERS)),
      head, name, matches, name, TP_APP_EQUAL_ANSWERS, name, keeps, name, name, draw, name);
}

bool tp_env_write_answers(tp_environment *w, tp_type type, const char *linkage, const char *name) {
  const tp_type_info *t = tp_env_type(w, type);
  const tp_type_info *result = tp_env_is_void(w, t->element) ? NULL : tp_env_type(w, t->element);
  const char *draw = result && tp_env_is_number(result) ? tp_input_function_of(result) : NULL;
  bool is_plain = draw && !t->is_variadic;
  for (uint32_t i = 0; i < t->n_params && is_plain; i++) {
    const tp_type_info *a = tp_env_type(w, t->params[i]);
    is_plain = tp_env_is_number(a) || a->kind == TP_T_POINTER;
  }
  if (is_plain)
    write_answers(w, t, tp_arena_printf(w->arena, "%s%s", linkage, tp_env_declared(w, type, name)),
                  name, draw);
  return is_plain;
}

/* One of those that are written already; functions of a module share them. NULL: none. */
static const char *stub_of_type(const tp_environment *w, tp_type type) {
  for (uint32_t i = 1; i <= w->n_stubs; i++) {
    const char *name = tp_arena_printf(w->arena, "any_function_%u", i);
    const char *head = tp_arena_printf(w->arena, "static %s {", tp_env_declared(w, type, name));
    if (strstr(tp_str_text(&w->stubs), head)) return name;
  }
  return NULL;
}

/* A function for a pointer of this type: it returns anything and changes nothing. */
static const char *stub(tp_environment *w, tp_type type) {
  const tp_type_info *t = tp_env_type(w, type);
  const char *made = w->keeps_result ? stub_of_type(w, type) : NULL;
  if (made) return made;
  const char *name = tp_arena_printf(w->arena, "any_function_%u", ++w->n_stubs);
  const tp_type_info *result = tp_env_is_void(w, t->element) ? NULL : tp_env_type(w, t->element);
  if (result && !tp_env_is_number(result) && result->kind != TP_T_POINTER) return NULL;
  if (result && tp_env_is_number(result) && !tp_input_function_of(result)) return NULL;
  if (w->twins && tp_env_write_answers(w, type, "static ", name)) return name;
  tp_str_printf(&w->stubs, "static %s {\n", tp_env_declared(w, type, name));
  if (w->twins && result && tp_env_is_number(result))
    tp_str_add(&w->stubs, "  twoproof_unsure = 1;\n");
  tp_str_add(&w->stubs, "  return");
  if (result)
    tp_str_printf(&w->stubs, " %s",
                  result->kind == TP_T_POINTER
                      ? "0"
                      : tp_arena_printf(w->arena, "%s()", tp_input_function_of(result)));
  tp_str_add(&w->stubs, ";\n}\n");
  return name;
}

const char *tp_env_function_of(tp_environment *w, tp_type type) { return stub(w, type); }

/* Elements of an array whose number is an expression. */
static void fill_elements(tp_environment *w, tp_type element, const char *lvalue, const char *n,
                          uint32_t indent) {
  const uint32_t counter = w->n_counters++;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "for (unsigned long i%u = 0; i%u < %s; i%u++) {\n", counter, counter, n,
                counter);
  w->n_loops++;
  const tp_env_place first = w->place;
  w->place = tp_env_place_of_elements(w, first, element);
  tp_env_fill(w, element, tp_arena_printf(w->arena, "%s[i%u]", lvalue, counter), indent + 1);
  w->place = first;
  w->n_loops--;
  tp_env_begin(w, indent);
  tp_str_add(&w->text, "}\n");
}

/* Bytes of no type. */
static void fill_bytes(tp_environment *w, const char *lvalue, const char *n, uint32_t indent) {
  const uint32_t counter = w->n_counters++;
  tp_env_begin(w, indent);
  tp_env_note_draw(w, TP_DRAW_ELEMENT, lvalue, TP_TYPE_NONE);
  tp_str_printf(&w->text,
                "for (unsigned long i%u = 0; i%u < %s; i%u++) ((unsigned char *)%s)[i%u] = "
                "__VERIFIER_nondet_uchar();\n",
                counter, counter, n, counter, lvalue, counter);
  copy_bytes_to_twin(w, lvalue, n, indent);
}

/* A block of constant size, whose bytes are all values: one input. */
static void fill_memory(tp_environment *w, const char *lvalue, const char *n, bool is_bytes,
                        uint32_t indent) {
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__VERIFIER_nondet_memory(%s, %s%s%s);\n", lvalue, n,
                is_bytes ? "" : " * sizeof *", is_bytes ? "" : lvalue);
}

/* to: what is assigned to, a declaration or an lvalue; twins have lvalues. said: what is assumed of
 * the object. */
static void allocate(tp_environment *w, const char *to, const char *size, const char *said,
                     uint32_t indent) {
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = __builtin_malloc(%s);" TP_ENVIRONMENT_SAYS "%s\n", to, size, said);
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = __builtin_malloc(%s);\n", tp_env_twin(w, to), size);
}

/* Any length up to the limit, in an object that is not longer than the string. Returns its size. */
static const char *make_string(tp_environment *w, tp_type element, const char *to,
                               const char *lvalue, uint32_t indent) {
  const char *n = tp_arena_printf(w->arena, "length%u", w->n_counters++),
             *const or_null = w->or_null;  // of elements it is another
  tp_env_begin(w, indent);
  tp_env_note_draw(w, TP_DRAW_LENGTH, lvalue, element);
  tp_str_printf(&w->text, "unsigned %s = __VERIFIER_nondet_uint();\n", n);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__VERIFIER_assume(%s <= %u);\n", n, w->o->elements);
  const char *const size = w->room ? w->room : tp_arena_printf(w->arena, "%s + 1", n),
                    *const shown = tp_env_shown(w, lvalue);
  if (w->room) {
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "__VERIFIER_assume(%s < %s);\n", n, w->room);
    tp_env_assume(w, "%s points to %s elements", shown, w->room);
  }
  const bool is_number = tp_env_is_integer(w, element);
  allocate(w, to, is_number ? size : tp_arena_printf(w->arena, "(%s) * sizeof *%s", size, lvalue),
           tp_arena_printf(w->arena,
                           is_number ? "%s is a string in %s elements%s"
                                     : "%s points to pointers that end with null, in %s elements%s",
                           shown, w->room ? w->room : "its length and 1", w->more ? w->more : ""),
           indent);
  if (tp_env_is_object_read(w, w->place)) fill_elements(w, element, lvalue, n, indent);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s[%s] = 0;\n", lvalue, n);
  if (w->twins) {
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "%s[%s] = 0;\n", tp_env_twin(w, lvalue), n);
  }
  tp_env_assume(w,
                is_number ? "%s%s is a string of at most %u characters"
                          : "%s%s points to at most %u pointers, and a null pointer behind them",
                shown, or_null, w->o->elements);
  return size;
}

/* One object: its members, or its value. */
static void fill_object(tp_environment *w, tp_type element, const char *lvalue, uint32_t indent) {
  const bool is_struct = tp_env_is_aggregate(tp_env_type(w, element));
  if (is_struct && tp_env_is_plain(w, element)) {
    tp_env_begin(w, indent);
    tp_env_note_draw(w, TP_DRAW_BYTES, tp_arena_printf(w->arena, "*%s", lvalue), element);
    tp_str_printf(&w->text, "__VERIFIER_nondet_memory(%s, sizeof *%s);\n", lvalue, lvalue);
    copy_bytes_to_twin(w, lvalue, tp_arena_printf(w->arena, "sizeof *%s", lvalue), indent);
  } else {
    tp_env_fill(w, element, tp_arena_printf(w->arena, is_struct ? "%s->" : "(*%s)", lvalue),
                indent);
  }
}

/* Room for n objects, or for one; what nobody knows the type of has some bytes. `to`: what the room
 * is assigned to, a declaration or the lvalue itself. Returns how many, NULL: one. */
static const char *make_room(tp_environment *w, tp_type element, const char *to, const char *lvalue,
                             const char *n, uint32_t indent) {
  const bool is_bytes = tp_env_is_void(w, element);
  if (!n && is_bytes) n = tp_arena_printf(w->arena, "%u", w->o->elements);
  const char *shown = tp_env_shown(w, lvalue),
             *of = n ? tp_arena_printf(w->arena, "points to %s %s", tp_env_shown(w, n),
                                       is_bytes ? "bytes" : "elements")
                     : tp_arena_printf(w->arena, "points to one %s", tp_env_type(w, element)->name);
  allocate(w, to,
           tp_arena_printf(w->arena, "%s%s%s%s", n ? n : "", n && !is_bytes ? " * " : "",
                           is_bytes ? "" : "sizeof *", is_bytes ? "" : lvalue),
           tp_arena_printf(w->arena, "%s %s%s", shown, of, w->more ? w->more : ""), indent);
  tp_env_assume(w, "%s%s %s", shown, w->or_null, of);
  if (!tp_env_is_object_read(w, w->place)) return n;
  if (n && isdigit((unsigned char)n[0]) && !w->twins && (is_bytes || tp_env_is_plain(w, element)))
    fill_memory(w, lvalue, n, is_bytes, indent);
  else if (is_bytes)
    fill_bytes(w, lvalue, n, indent);
  else if (n)
    fill_elements(w, element, lvalue, n, indent);
  else
    fill_object(w, element, lvalue, indent);
  return n;
}

/* Objects are made behind a variable of their own, then the lvalue points to them. What has no name
 * for its type is made in place. */
static void make_object(tp_environment *w, tp_type element, const char *lvalue, const char *n,
                        bool is_argument, uint32_t indent) {
  const bool is_string = !n && (tp_env_is_character(w, element) || (is_argument && w->is_text)),
             is_own =
                 !is_argument && (tp_env_is_void(w, element) || tp_env_type(w, element)->name[0]);
  const char *variable = is_own ? variable_for(w, lvalue) : lvalue,
             *to = is_own
                       ? tp_env_declared(
                             w, element,
                             tp_arena_printf(w->arena,
                                             tp_env_needs_parentheses(w, element) ? "(*%s)" : "*%s",
                                             variable))
                       : lvalue;
  if (is_own && w->twins) {  // they are compared when the functions have returned
    tp_str_printf(&w->twins->declarations, "static %s;\nstatic %s;\n", to, tp_env_twin(w, to));
    to = variable;
  }
  if (!is_argument) w->more = NULL;
  const char *const n_made = is_string ? make_string(w, element, to, variable, indent)
                                       : make_room(w, element, to, variable, n, indent);
  if (is_string) tp_vec_push(&w->strings, (tp_env_variable){lvalue, n_made});
  keep(w, variable, indent);
  list_twin(w, variable, element, n_made, indent);
  if (!is_own) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s;\n", lvalue, variable);
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s;\n", tp_env_twin(w, lvalue), tp_env_twin(w, variable));
}

static void make_null(tp_environment *w, const char *lvalue, uint32_t indent) {
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = 0;\n", lvalue);
  copy_to_twin(w, lvalue, indent);
}

static void make_function(tp_environment *w, tp_type type, const char *lvalue, uint32_t indent) {
  const char *name = stub(w, type);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s%s;\n", lvalue, name ? "(void *)" : "", name ? name : "0");
  copy_to_twin(w, lvalue, indent);
  if (name && w->twins)
    tp_env_assume(w,
                  "%s is a function that returns the same value (of pointers null) for the same "
                  "arguments in both versions, at most %d different ones, and changes nothing",
                  tp_env_shown(w, lvalue), TP_APP_EQUAL_ANSWERS);
  else if (name)
    tp_env_assume(w,
                  "%s is a function that returns any value (of pointers null) and changes nothing",
                  tp_env_shown(w, lvalue));
  else
    tp_env_assume(w, "%s is null", tp_env_shown(w, lvalue));
}

static void fill_pointer(tp_environment *w, tp_type type, const char *lvalue, const char *n,
                         bool is_argument, uint32_t indent) {
  tp_type element = tp_env_type(w, type)->element;
  const tp_type taken_for = n ? TP_TYPE_NONE : tp_env_taken_for(w, type, w->place);
  const bool is_own = is_argument && !taken_for.id;  // else by a variable of that type
  if (taken_for.id) element = taken_for;
  const tp_type_info *e = element.id ? tp_env_type(w, element) : NULL;
  if (e && e->kind == TP_T_FUNCTION) {
    make_function(w, element, lvalue, indent);
    return;
  }
  const bool is_opaque = e && e->kind != TP_T_VOID && e->size_bytes == 0,
             is_end = e && tp_env_is_aggregate(e) && n_around(w, element) >= w->o->depth;
  if (is_opaque || is_end) {
    make_null(w, lvalue, indent);
    tp_env_assume(w, is_opaque ? "%s is null: its type has no definition" : "%s is null",
                  tp_env_shown(w, lvalue));
    return;
  }
  const bool may_be_null = w->o->has_null || (!is_argument && tp_env_leads_to_itself(w, element));
  w->or_null = may_be_null ? " is null, or" : "";
  if (!may_be_null) {
    make_object(w, element, lvalue, n, is_own, indent);
    return;
  }
  make_null(w, lvalue, indent);
  tp_env_begin(w, indent);
  tp_env_note_draw(w, TP_DRAW_MADE, lvalue, type);
  tp_str_add(&w->text, "if (__VERIFIER_nondet_bool()) {\n");
  make_object(w, element, lvalue, n, is_own, indent + 1);
  tp_env_begin(w, indent);
  tp_str_add(&w->text, "}\n");
}

void tp_env_fill_pointer(tp_environment *w, tp_type type, const char *lvalue, const char *n,
                         bool is_argument, uint32_t indent) {
  const tp_env_place place = w->place;
  if (!is_argument) w->place = tp_env_place_behind(w, place);
  fill_pointer(w, type, lvalue, n, is_argument, indent);
  w->place = place;
}

// --------------------------------------------------------------------- members

/* path: "p->" or "s.", before the names of members. */
static void fill_members(tp_environment *w, tp_type type, const char *path, uint32_t indent);

static bool is_count(const tp_environment *w, const tp_member *m) {
  return tp_env_is_integer(w, m->type) && !m->width_bits &&
         (tp_env_is_count_name(m->name) || tp_env_is_capacity_name(m->name));
}

/* Is it the size of the arrays beside it? Where no name says so a `size` is, beside another count:
 * of n and size, size. */
static bool is_capacity(const tp_environment *w, const tp_type_info *t, const tp_member *m) {
  if (tp_env_is_capacity_name(m->name)) return true;
  bool has_other = false;
  if (!strcasestr(m->name, "size")) return false;
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *other = &t->members[i];
    if (other == m || !is_count(w, other)) continue;
    if (tp_env_is_capacity_name(other->name) || strcasestr(other->name, "size")) return false;
    has_other = true;
  }
  return has_other;
}

/* The member that counts what another one points to, and those that stay below it. */
static const tp_member *count_of_member(tp_environment *w, const tp_type_info *t,
                                        uint32_t pointer) {
  const tp_member *best = NULL;
  for (int turn = 0; turn < 2 && !best; turn++)
    for (uint32_t i = 0; i < t->n_members && !best; i++) {
      const tp_member *m = &t->members[i];
      if (!is_count(w, m)) continue;
      const uint32_t distance = i > pointer ? i - pointer : pointer - i;
      if (distance <= 3 && (turn == 1 || is_capacity(w, t, m))) best = m;
    }
  return best;
}

/* Does the name say that the pointer goes through an array that another member owns? "end" may lie
 * behind its last element. */
static bool is_cursor_name(const char *name, bool *is_end) {
  static const char *const words[] = {"head", "tail", "cur", "cursor", "pos",   "read", "write",
                                      "rd",   "wr",   "top", "next",   "front", "back", "end"};
  const char *last = strrchr(name, '_');
  last = last && last[1] ? last + 1 : name;
  *is_end = strcmp(last, "end") == 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(last, words[i]) == 0) return true;
  return false;
}

static bool leads_to_characters(const tp_environment *w, const tp_member *m) {
  const tp_type_info *t = tp_env_type(w, m->type);
  return t->kind == TP_T_POINTER && tp_env_is_character(w, t->element);
}

/* The array that member i goes through: of the same type, with the same count, before it; of those
 * without a count, which are strings, the nearest one, before it if there is one. */
static const tp_member *array_of_cursor(const tp_environment *w, const tp_type_info *t,
                                        const tp_member *const *counts, uint32_t i, bool *is_end) {
  const tp_member *of = NULL, *const m = &t->members[i];
  bool ignored;
  if (w->twins || !is_cursor_name(m->name, is_end)) return NULL;
  if (!counts[i] && (w->o->has_null || !leads_to_characters(w, m))) return NULL;
  for (uint32_t k = 0; k < t->n_members; k++) {
    if (counts[k] != counts[i] || t->members[k].type.id != m->type.id ||
        is_cursor_name(t->members[k].name, &ignored))
      continue;
    if (counts[i] ? !of && k < i : !of || k < i) of = &t->members[k];
  }
  return of;
}

/* A place in a string, or at its end. */
static bool fill_string_cursor(tp_environment *w, const char *array, const char *lvalue,
                               uint32_t indent) {
  const char *size = NULL;
  for (size_t i = 0; i < w->strings.n; i++)
    if (strcmp(w->strings.at[i].name, array) == 0) size = w->strings.at[i].shown;
  if (!size) return false;
  const uint32_t number = w->n_counters++;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__SIZE_TYPE__ place%u = __VERIFIER_nondet_ulonglong();\n", number);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__VERIFIER_assume(place%u < %s);\n", number, size);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s + place%u;\n", lvalue, array, number);
  tp_env_assume(w, "%s points into %s, or to its end", tp_env_shown(w, lvalue),
                tp_env_shown(w, array));
  return true;
}

/* A place in the array; one that cursors go through has an element at least. */
static void fill_cursor(tp_environment *w, const char *path, const tp_member *array,
                        const char *count, bool is_end, const char *lvalue, uint32_t indent) {
  const uint32_t number = w->n_counters++;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__SIZE_TYPE__ place%u = __VERIFIER_nondet_ulonglong();\n", number);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__VERIFIER_assume(%s > 0 && place%u %s %s);\n", count, number,
                is_end ? "<=" : "<", count);
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s%s ? %s%s + place%u : 0;\n", lvalue, path, array->name, path,
                array->name, number);
  tp_env_assume(w, "%s points into %s%s, which has at least one element", tp_env_shown(w, lvalue),
                tp_env_shown(w, path), array->name);
}

/* Does the function go from one structure behind the pointer to another? */
static bool goes_on(const tp_environment *w, const tp_member *m) {
  const tp_env_place at = tp_env_place_of_member(w->place, m->offset_bits / 8),
                     behind = tp_env_place_behind(w, at);
  return behind.is_known && behind.at.node &&
         tp_env_place_of_elements(w, behind, tp_env_type(w, m->type)->element).is_known;
}

/* Which member counts what a pointer leads to, and which ones are numbers of that kind. */
static void find_counts(tp_environment *w, const tp_type_info *t, const tp_member **counts,
                        bool *is_counted) {
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_type_info *m = tp_env_type(w, t->members[i].type);
    const tp_type_info *e =
        m->kind == TP_T_POINTER && m->element.id ? tp_env_type(w, m->element) : NULL;
    const bool counts_elements =
        e && e->kind != TP_T_FUNCTION && (!tp_env_is_aggregate(e) || goes_on(w, &t->members[i]));
    counts[i] = counts_elements ? count_of_member(w, t, i) : NULL;
    for (uint32_t k = 0; counts[i] && k < t->n_members; k++)
      is_counted[k] |= is_count(w, &t->members[k]);
  }
}

static void fill_number(tp_environment *w, const tp_member *m, const char *lvalue, bool is_counted,
                        uint32_t indent) {
  tp_env_fill(w, m->type, lvalue, indent);
  if (!is_counted) return;
  tp_env_begin(w, indent);
  const bool is_signed = tp_env_type(w, m->type)->is_signed;
  tp_str_printf(&w->text, "__VERIFIER_assume(%s%s%s%s <= %u);\n", is_signed ? "0 <= " : "",
                is_signed ? lvalue : "", is_signed ? " && " : "", lvalue, w->o->elements);
  tp_env_assume(w, "%s is at most %u%s", tp_env_shown(w, lvalue), w->o->elements,
                is_signed ? ", and at least 0" : "");
}

/* Counts stay below their capacity. */
static void bound_counts(tp_environment *w, const tp_type_info *t, const tp_member *capacity,
                         const char *path, uint32_t indent) {
  for (uint32_t k = 0; k < t->n_members; k++) {
    const tp_member *m = &t->members[k];
    if (m == capacity || !is_count(w, m)) continue;
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "__VERIFIER_assume(%s%s <= %s%s);\n", path, m->name, path,
                  capacity->name);
    tp_env_assume(w, "%s%s is at most %s%s", tp_env_shown(w, path), m->name, tp_env_shown(w, path),
                  capacity->name);
  }
}

static bool is_member_read(const tp_environment *w, tp_env_place structure, const tp_member *m) {
  return tp_env_is_read(w, tp_env_place_of_member(structure, m->offset_bits / 8),
                        tp_env_type(w, m->type)->size_bytes);
}

/* Is what the pointer leads to asked for, by the function or by a cursor that goes through it? */
static bool is_needed(const tp_environment *w, const tp_type_info *t,
                      const tp_member *const *counts, const tp_member *m) {
  bool needs = is_member_read(w, w->place, m), ignored;
  for (uint32_t k = 0; k < t->n_members && !needs; k++)
    needs = is_member_read(w, w->place, &t->members[k]) &&
            tp_env_type(w, t->members[k].type)->kind == TP_T_POINTER &&
            array_of_cursor(w, t, counts, k, &ignored) == m;
  return needs;
}

typedef enum { NUMBERS, ARRAYS, CURSORS } member_turn;

static void fill_member(tp_environment *w, const tp_type_info *t, const tp_member *const *counts,
                        const bool *is_counted, uint32_t i, member_turn turn, const char *path,
                        uint32_t indent) {
  const tp_member *m = &t->members[i];
  const bool is_pointer = tp_env_type(w, m->type)->kind == TP_T_POINTER, has_name = m->name[0];
  const char *lvalue = tp_arena_printf(w->arena, "%s%s", path, m->name);
  bool is_end = false;
  const tp_member *array = is_pointer ? array_of_cursor(w, t, counts, i, &is_end) : NULL;
  if (is_pointer && !is_needed(w, t, counts, m)) return;
  if (turn != (array        ? CURSORS
               : is_pointer ? ARRAYS
                            : NUMBERS) ||
      (m->width_bits == 0 && tp_env_type(w, m->type)->size_bytes == 0))
    return;
  const tp_env_place structure = w->place;
  w->place = tp_env_place_of_member(structure, m->offset_bits / 8);
  if (!is_pointer && has_name) {
    fill_number(w, m, lvalue, is_counted[i], indent);
  } else if (!has_name) {
    if (tp_env_is_aggregate(tp_env_type(w, m->type))) fill_members(w, m->type, path, indent);
  } else {
    const char *n = counts[i] ? tp_arena_printf(w->arena, "%s%s", path, counts[i]->name) : NULL;
    if (array && n)
      fill_cursor(w, path, array, n, is_end, lvalue, indent);
    else if (!array || !fill_string_cursor(w, tp_arena_printf(w->arena, "%s%s", path, array->name),
                                           lvalue, indent))
      tp_env_fill_pointer(w, m->type, lvalue, n, false, indent);
  }
  w->place = structure;
}

static void fill_members(tp_environment *w, tp_type type, const char *path, uint32_t indent) {
  const tp_type_info *t = tp_env_type(w, type);
  tp_vec_push(&w->path, type);
  bool *is_counted = tp_arena_array(w->arena, bool, t->n_members + 1);
  const tp_member **counts = tp_arena_array(w->arena, const tp_member *, t->n_members + 1);
  find_counts(w, t, counts, is_counted);
  // numbers first: lengths of arrays are among them; then arrays, and places in them
  for (member_turn turn = NUMBERS; turn <= CURSORS; turn++)
    for (uint32_t i = 0; i < t->n_members; i++)
      fill_member(w, t, counts, is_counted, i, turn, path, indent);
  for (uint32_t i = 0; i < t->n_members; i++)
    if (counts[i] && is_capacity(w, t, counts[i])) bound_counts(w, t, counts[i], path, indent);
  w->path.n--;
}

// ------------------------------------------------------------------ any lvalue

/* Of a union: the member that starts with a pointer to the struct that the function takes what is
 * behind it for; else the first one. */
static const tp_member *member_in_use(const tp_environment *w, const tp_type_info *t) {
  const tp_type wanted = tp_env_struct_behind(w, w->place);
  for (uint32_t i = 0; wanted.id && i < t->n_members; i++) {
    const tp_type_info *m = tp_env_type(w, t->members[i].type);
    while (tp_env_is_aggregate(m) && m->n_members) m = tp_env_type(w, m->members[0].type);
    if (m->kind == TP_T_POINTER && m->element.id &&
        tp_env_is_same_struct(tp_env_type(w, m->element), tp_env_type(w, wanted)))
      return &t->members[i];
  }
  return &t->members[0];
}

/* a[i0] */
static bool is_element(const char *lvalue) {
  const size_t n = strlen(lvalue);
  return n > 0 && lvalue[n - 1] == ']';
}

void tp_env_fill(tp_environment *w, tp_type type, const char *lvalue, uint32_t indent) {
  const tp_type_info *t = tp_env_type(w, type);
  const size_t length = strlen(lvalue);
  const bool is_arrow = length > 2 && strcmp(lvalue + length - 2, "->") == 0;
  const bool can_be_left =
      t->kind == TP_T_POINTER || t->kind == TP_T_ARRAY || t->kind == TP_T_UNION;
  if (can_be_left && !tp_env_is_read(w, w->place, t->size_bytes)) return;
  if (t->kind == TP_T_POINTER) {
    tp_env_fill_pointer(w, type, lvalue, NULL, false, indent);
  } else if (tp_env_is_number(t)) {
    const char *input = tp_input_function_of(t);
    tp_env_begin(w, indent);
    tp_env_note_draw(w, is_element(lvalue) ? TP_DRAW_ELEMENT : TP_DRAW_VALUE, lvalue, type);
    tp_str_printf(&w->text, "%s = %s();\n", lvalue, input ? input : "__VERIFIER_nondet_double");
    copy_to_twin(w, lvalue, indent);
    if (!input) tp_env_assume(w, "%s is a value of type double", tp_env_shown(w, lvalue));
  } else if (!is_arrow && tp_env_is_plain(w, type)) {
    tp_env_begin(w, indent);
    tp_env_note_draw(w, TP_DRAW_BYTES, lvalue, type);
    tp_str_printf(&w->text, "__VERIFIER_nondet_memory(&%s, sizeof %s);\n", lvalue, lvalue);
    copy_bytes_to_twin(w, tp_arena_printf(w->arena, "&%s", lvalue),
                       tp_arena_printf(w->arena, "sizeof %s", lvalue), indent);
  } else if (t->kind == TP_T_ARRAY) {
    if (t->n_elements)
      fill_elements(w, t->element, lvalue,
                    tp_arena_printf(w->arena, "%llu", (unsigned long long)t->n_elements), indent);
  } else if (t->kind == TP_T_UNION && t->n_members) {
    const tp_member *m = member_in_use(w, t);
    const char *first = tp_arena_printf(w->arena, "%s%s%s", lvalue, is_arrow ? "" : ".", m->name);
    tp_env_fill(w, m->type, first, indent);
    tp_env_assume(w, "%s is the member of its union that is in use", tp_env_shown(w, first));
  } else if (t->kind == TP_T_STRUCT) {
    fill_members(w, type, is_arrow ? lvalue : tp_arena_printf(w->arena, "%s.", lvalue), indent);
  }
}
