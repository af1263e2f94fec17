/* Objects that pointers of the environment lead to: strings, arrays, single objects, and the names
 * of the variables behind which they are made. */
#include "app/app_limits.h"
#include "app/environment_priv.h"

#include <ctype.h>

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

void tp_env_fill_elements(tp_environment *w, tp_type element, const char *lvalue, const char *n,
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
  tp_env_copy_bytes_to_twin(w, lvalue, n, indent);
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
                     bool is_guess, uint32_t indent) {
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = __builtin_malloc(%s);" TP_ENVIRONMENT_SAYS "%s%s\n", to, size,
                is_guess ? TP_ENVIRONMENT_GUESS : "", said);
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
           !w->room && w->is_counted, indent);
  if (tp_env_is_object_read(w, w->place)) tp_env_fill_elements(w, element, lvalue, n, indent);
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
    tp_env_copy_bytes_to_twin(w, lvalue, tp_arena_printf(w->arena, "sizeof *%s", lvalue), indent);
  } else {
    tp_env_fill(w, element, tp_arena_printf(w->arena, is_struct ? "%s->" : "(*%s)", lvalue),
                indent);
  }
}

/* Does nothing say how many objects there are? A structure without a number beside it is one. */
static bool is_guess(const tp_environment *w, tp_type element, const char *n) {
  if (w->room || (n && !isdigit((unsigned char)n[0]))) return false;
  return n || tp_env_is_void(w, element) || !tp_env_is_aggregate(tp_env_type(w, element));
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
           tp_arena_printf(w->arena, "%s %s%s", shown, of, w->more ? w->more : ""),
           is_guess(w, element, n), indent);
  tp_env_assume(w, "%s%s %s", shown, w->or_null, of);
  if (!tp_env_is_object_read(w, w->place)) return n;
  if (n && isdigit((unsigned char)n[0]) && !w->twins && (is_bytes || tp_env_is_plain(w, element)))
    fill_memory(w, lvalue, n, is_bytes, indent);
  else if (is_bytes)
    fill_bytes(w, lvalue, n, indent);
  else if (n)
    tp_env_fill_elements(w, element, lvalue, n, indent);
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
  const char *variable = is_own ? tp_env_variable_for(w, lvalue) : lvalue,
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
  if (!n && !is_argument && !is_string) n = tp_env_elements_accessed(w, element, w->place, lvalue);
  const char *const n_made = is_string ? make_string(w, element, to, variable, indent)
                                       : make_room(w, element, to, variable, n, indent);
  if (is_string) tp_vec_push(&w->strings, (tp_env_variable){lvalue, n_made});
  keep(w, variable, indent);
  tp_env_list_twin(w, variable, element, n_made, indent);
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
  tp_env_copy_to_twin(w, lvalue, indent);
}

static void fill_pointer(tp_environment *w, tp_type type, const char *lvalue, const char *n,
                         bool is_argument, uint32_t indent) {
  tp_type element = tp_env_type(w, type)->element;
  const tp_type taken_for = n ? TP_TYPE_NONE : tp_env_taken_for(w, type, w->place);
  const bool is_own = is_argument && !taken_for.id;  // else by a variable of that type
  if (taken_for.id) element = taken_for;
  const tp_type_info *e = element.id ? tp_env_type(w, element) : NULL;
  if (e && e->kind == TP_T_FUNCTION) {
    tp_env_make_function(w, element, lvalue, indent);
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
