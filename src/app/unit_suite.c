/* Each test is run once more up to its call and behind it; the two states are what is written. A
 * second run, in which other bytes stand where nobody has written, shows what the call left to
 * chance: nothing is asserted of that. */
#include "app/unit_suite.h"

#include "app/environment.h"
#include "app/unit_state.h"

#include <string.h>

// -------------------------------------------------------------------------- runs

typedef struct {
  const tp_program *p;
  const tp_inputs *asked;
  tp_edge call;
  size_t depth, n_before;  // frames and inputs in front of the call
  tp_state *before, *after;
} seen_call;

static bool is_environment_call(const tp_program *p, tp_edge edge) {
  const tp_edge_info *e = tp_edge_of(p, edge);
  if (e->kind != TP_E_CALL || !e->callee.id) return false;
  const char *from = tp_func_of(p, tp_loc_of(p, e->from)->func)->name;
  const tp_func_info *f = tp_func_of(p, e->callee);
  return strncmp(from, TP_ENVIRONMENT_CALL, strlen(TP_ENVIRONMENT_CALL)) == 0 && f->has_body &&
         !f->is_model;
}

static bool see_edge(void *ctx, const tp_state *s, tp_edge edge) {
  seen_call *c = ctx;
  if (!c->before) {
    if (!is_environment_call(c->p, edge)) return true;
    c->before = tp_state_copy(s);
    c->call = edge;
    c->depth = tp_state_depth(s);
    c->n_before = c->asked->v.n;
    return true;
  }
  if (tp_state_depth(s) != c->depth ||
      tp_edge_of(c->p, edge)->from.id != tp_edge_of(c->p, c->call)->to.id)
    return true;
  c->after = tp_state_copy(s);
  return false;
}

/* Answers from a vector, but bytes that nobody has written are 0x5a. */
static bool ask_otherwise(void *ctx, tp_input *io) {
  tp_vector_oracle *vector = ctx;
  static const uint8_t other[] = {0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a,
                                  0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a};
  if (!tp_oracle_of_vector(vector).ask(vector, io)) return false;
  if (io->kind != TP_I_INDETERMINATE) return true;
  if (io->width_bits == 0) {
    io->bytes = other;
    if (io->n_bytes > sizeof other) io->n_bytes = sizeof other;
  } else {
    io->bits = io->width_bits == 1 ? 1 : 0x5a;
  }
  return true;
}

static tp_run_result run_to_call(const tp_program *p, const tp_inputs *inputs, bool is_other,
                                 tp_inputs *asked, seen_call *c) {
  *c = (seen_call){.p = p, .asked = asked};
  tp_vector_oracle vector = {.in = inputs, .then_zero = true};
  tp_oracle inner = is_other ? (tp_oracle){&vector, ask_otherwise} : tp_oracle_of_vector(&vector);
  tp_record_oracle record = {inner, asked};
  tp_oracle oracle = tp_oracle_recording(&record);
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = c, .edge = see_edge};
  tp_state *s = tp_state_initial(p);
  const tp_run_result r = tp_exec_run(p, s, &oracle, (tp_run_limits){0}, &observer);
  tp_state_free(s);
  return r;
}

static void clear_call(seen_call *c) {
  if (c->before) tp_state_free(c->before);
  if (c->after) tp_state_free(c->after);
}

// --------------------------------------------------------------- a module's globals

typedef struct {
  const tp_unit_suite *how;
  const tp_suite *suite;
  tp_state *start;        // of the program
  bool *is_reset_static;  // by static, by variable: some test changes it
  bool *is_reset_var;
  tp_str tests;
  TP_VEC(const char *) names;  // of tests, in `arena`
  tp_arena arena;
} unit_writer;

static bool is_object_of(const tp_static *s) {
  return s->kind == TP_O_GLOBAL && !s->is_const && !s->is_extern && s->name && s->name[0];
}

/* Can the test name it: of the module, which is included, or visible everywhere? */
static bool can_name(const unit_writer *w, const char *name, tp_pos pos, bool is_internal,
                     const char *enclosing) {
  const char *path = tp_diag_path_as_given(w->suite->p->diag, pos.file);
  return !enclosing && !strchr(name, '.') && (!is_internal || strcmp(path, w->how->module) == 0);
}

static bool has_changed(const tp_state *a, const tp_state *b, uint32_t object, uint64_t size) {
  uint8_t x, y;
  for (uint64_t i = 0; i < size; i++) {
    const bool has =
        tp_state_read_bytes(a, object, i, 1, &x) && tp_state_read_bytes(b, object, i, 1, &y);
    if (!has || x != y) return true;
  }
  return false;
}

/* File-scope variables: what differs at the call is set, what the call changes is asserted, and
 * both are put back before the next test. */
static void add_statics(unit_writer *w, tp_unit_state *u, tp_str *sets) {
  const tp_program *p = u->p;
  for (uint32_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    if (!is_object_of(s) || strcmp(s->name, "kept") == 0 || strcmp(s->name, "others") == 0)
      continue;
    const bool is_set = has_changed(w->start, u->before, i, s->size_bytes),
               is_changed = has_changed(u->before, u->after, i, s->size_bytes);
    if (!is_set && !is_changed) continue;
    if (!can_name(w, s->name, s->pos, s->is_internal, s->enclosing_function) || !s->type.id) {
      u->missing = "a variable that has no name outside of its function";
      return;
    }
    w->is_reset_static[i] = true;
    if (is_set)
      tp_str_printf(sets, "  memcpy(&%s, &(%s)%s, sizeof %s);\n", s->name,
                    tp_environment_declared(p, s->type, "", &u->arena),
                    tp_unit_state_initialiser(u, u->before, s->type, i, 0, s->name, s->name),
                    s->name);
    tp_unit_state_expect_changes(u, s->type, i, 0, s->name);
  }
}

static void add_variables(unit_writer *w, tp_unit_state *u, tp_str *sets) {
  const tp_program *p = u->p;
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    tp_value first, old, now;
    if (v->kind != TP_V_GLOBAL || v->is_address || !v->name[0] || v->name[0] == '.' ||
        strcmp(v->name, "n_others") == 0 || v->absence != TP_PRESENT)
      continue;
    if (tp_state_value(w->start, (tp_var){i}, &first) != TP_OK ||
        tp_state_value(u->before, (tp_var){i}, &old) != TP_OK ||
        tp_state_value(u->after, (tp_var){i}, &now) != TP_OK)
      continue;
    const bool is_set = first.object != old.object || first.bits != old.bits,
               is_changed = old.object != now.object || old.bits != now.bits;
    if (!is_set && !is_changed) continue;
    if (!can_name(w, v->name, v->pos, v->is_internal, v->enclosing_function) || !v->type.id) {
      u->missing = "a variable that has no name outside of its function";
      return;
    }
    w->is_reset_var[i] = true;
    if (is_set)
      tp_str_printf(sets, "  %s = %s;\n", v->name,
                    tp_unit_state_value(u, v->type, old, v->name, v->name));
    if (is_changed) tp_unit_state_expect(u, v->type, now, v->name);
  }
}

// ------------------------------------------------------------------------ one test

static bool is_of_environment(const unit_writer *w, const tp_input *in) {
  return strcmp(tp_diag_path_as_given(w->suite->p->diag, in->pos.file), w->how->environment) == 0 ||
         strcmp(tp_diag_path(w->suite->p->diag, in->pos.file), w->how->environment) == 0;
}

/* What the functions that arguments lead to return. False: somebody else asks. */
static bool add_answers(unit_writer *w, const tp_inputs *asked, size_t first, tp_str *out) {
  tp_str whole = {0}, reals = {0};
  bool is_ok = true;
  for (size_t i = first; i < asked->v.n && is_ok; i++) {
    const tp_input *in = &asked->v.at[i];
    if (in->kind == TP_I_INDETERMINATE) continue;
    is_ok = is_of_environment(w, in) && in->width_bits > 0 && in->width_bits <= 64;
    if (!is_ok) break;
    if (in->is_float) {
      double number;
      float narrow;
      const uint32_t low = (uint32_t)in->bits;
      const uint64_t bits = (uint64_t)in->bits;
      memcpy(&narrow, &low, sizeof narrow);
      memcpy(&number, &bits, sizeof number);
      if (in->width_bits == 32) number = (double)narrow;
      is_ok = number - number == 0;  // finite
      tp_str_printf(&reals, "%s%.17g", reals.n ? ", " : "", number);
    } else {
      const unsigned shift = 64 - in->width_bits;
      tp_str_printf(&whole, "%s%lld", whole.n ? ", " : "",
                    (long long)((int64_t)((uint64_t)in->bits << shift) >> shift));
    }
  }
  if (is_ok && whole.n)
    tp_str_printf(out,
                  "  static const long long given[] = {%s};\n  answers = given, n_answers = sizeof "
                  "given / sizeof *given;\n",
                  tp_str_text(&whole));
  if (is_ok && reals.n)
    tp_str_printf(out,
                  "  static const double given_reals[] = {%s};\n  reals = given_reals, n_reals = "
                  "sizeof given_reals / sizeof *given_reals;\n",
                  tp_str_text(&reals));
  tp_str_clear(&whole);
  tp_str_clear(&reals);
  return is_ok;
}

static const char *parameter_name(const tp_program *p, const tp_func_info *f, uint32_t i,
                                  tp_arena *arena) {
  const char *name = i < f->n_params ? p->vars.at[f->params[i].id].name : "";
  name = tp_arena_strndup(arena, name, strcspn(name, "."));
  return name[0] ? name : tp_arena_printf(arena, "argument%u", i + 1);
}

/* The call with its arguments. Numbers are variables with the names of the parameters. */
static void add_call(tp_unit_state *u, const tp_edge_info *e, tp_str *call) {
  const tp_func_info *f = tp_func_of(u->p, e->callee);
  const tp_type_info *t = f->type.id ? tp_type_of(u->p, f->type) : NULL;
  if (!t || e->n_args != t->n_params) {
    u->missing = "arguments that are passed in parts";
    return;
  }
  tp_str_printf(call, "%s(", f->name);
  for (uint32_t i = 0; i < e->n_args && !u->missing; i++) {
    tp_value v = {0};
    const tp_type_info *a = tp_type_of(u->p, t->params[i]);
    const char *wanted = parameter_name(u->p, f, i, &u->arena), *text;
    if (tp_state_eval(u->before, e->args[i], &v) != TP_OK) {
      u->missing = "an argument that cannot be read";
    } else if (a->kind == TP_T_STRUCT || a->kind == TP_T_UNION || a->kind == TP_T_ARRAY) {
      const bool is_copy =
          tp_sort_kind_of(u->p->terms, tp_sort_of(u->p->terms, e->args[i])) == TP_SORT_PTR;
      if (!is_copy) u->missing = "a structure that is passed in parts";
      const char *name = tp_unit_state_name(u, wanted);
      if (is_copy)
        tp_str_printf(&u->makes, "  %s = %s;\n",
                      tp_environment_declared(u->p, t->params[i], name, &u->arena),
                      tp_unit_state_initialiser(u, u->before, t->params[i], v.object,
                                                (uint64_t)v.bits, name, name));
      tp_vec_push(&u->objects,
                  (tp_unit_object){.id = UINT32_MAX, .name = name, .is_pointer = true});
      tp_str_printf(call, "%s%s", i ? ", " : "", name);
    } else {
      text = tp_unit_state_value(u, t->params[i], v, wanted, "");
      if (a->kind != TP_T_POINTER && !u->missing) {
        const char *name = tp_unit_state_name(u, wanted);
        tp_str_printf(&u->makes, "  %s = %s;\n",
                      tp_environment_declared(u->p, t->params[i], name, &u->arena), text);
        tp_vec_push(&u->objects,
                    (tp_unit_object){.id = UINT32_MAX, .name = name, .is_pointer = true});
        text = name;
      }
      tp_str_printf(call, "%s%s", i ? ", " : "", text);
    }
  }
  tp_str_add(call, ")");
}

/* The call as a statement, with what it returns. */
static void add_result(tp_unit_state *u, const tp_edge_info *e, const seen_call *other,
                       tp_str *call) {
  const tp_type_info *t = tp_type_of(u->p, tp_func_of(u->p, e->callee)->type);
  const tp_type_info *r = t->element.id ? tp_type_of(u->p, t->element) : NULL;
  const bool is_value = r && u->after && e->var.id &&
                        (r->kind == TP_T_BOOL || r->kind == TP_T_INT || r->kind == TP_T_ENUM ||
                         r->kind == TP_T_FLOAT || r->kind == TP_T_POINTER);
  tp_value v = {0}, w = {0};
  const bool is_determined = is_value && tp_state_value(u->after, e->var, &v) == TP_OK &&
                             other->after && tp_state_value(other->after, e->var, &w) == TP_OK &&
                             v.object == w.object && v.bits == w.bits;
  tp_str_add(&u->makes, tp_str_text(&u->ties));
  if (!is_determined) {
    tp_str_printf(&u->makes, "  %s%s;\n", r && r->kind != TP_T_VOID ? "(void)" : "",
                  tp_str_text(call));
    return;
  }
  tp_str_printf(&u->makes, "  %s = %s;\n",
                tp_environment_declared(u->p, t->element, "result", &u->arena), tp_str_text(call));
  const uint32_t n = u->n_asserts;
  tp_unit_state_expect(u, t->element, v, "result");
  if (u->n_asserts == n) tp_str_add(&u->asserts, "  (void)result;\n");
}

static void finish(unit_writer *w, const tp_unit_state *u, const tp_str *answers,
                   const tp_str *sets, const char *name, size_t number) {
  tp_str_printf(&w->tests, "\nstatic void %s(%s) {  // test-%zu\n%s", name,
                w->how->is_cmocka ? "void **state" : "void", number,
                w->how->is_cmocka ? "  (void)state;\n" : "");
  tp_str_add(&w->tests, "  RESET();\n");
  tp_str_printf(&w->tests, "%s%s%s%s}\n", tp_str_text(answers), tp_str_text(sets),
                tp_str_text(&u->makes), tp_str_text(&u->asserts));
}

static uint32_t number_of(unit_writer *w, const char *function) {
  uint32_t n = 1;
  const char *prefix = tp_arena_printf(&w->arena, "test_%s_", function);
  for (size_t i = 0; i < w->names.n; i++)
    n += strncmp(w->names.at[i], prefix, strlen(prefix)) == 0 &&
         strspn(w->names.at[i] + strlen(prefix), "0123456789") ==
             strlen(w->names.at[i] + strlen(prefix));
  return n;
}

/* False: the test has no form as a unit test. */
static bool write_test(unit_writer *w, const tp_suite_test *t, size_t number) {
  seen_call c, other;
  tp_inputs asked, asked_other;
  tp_inputs_init(&asked);
  tp_inputs_init(&asked_other);
  (void)run_to_call(w->suite->p, &t->inputs, false, &asked, &c);
  (void)run_to_call(w->suite->p, &t->inputs, true, &asked_other, &other);
  tp_unit_state u = {.p = w->suite->p,
                     .before = c.before,
                     .after = c.after,
                     .other = other.after,
                     .is_cmocka = w->how->is_cmocka};
  tp_str call = {0}, answers = {0}, sets = {0};
  bool is_ok = c.before && c.after && !tp_suite_test_fails(t) && !tp_suite_test_is_cut(t) &&
               add_answers(w, &asked, c.n_before, &answers);
  if (is_ok) {
    const tp_edge_info *e = tp_edge_of(u.p, c.call);
    add_call(&u, e, &call);
    if (!u.missing) {
      add_result(&u, e, &other, &call);
      tp_unit_state_expect_all(&u);
      add_statics(w, &u, &sets);
      add_variables(w, &u, &sets);
    }
    is_ok = !u.missing;
    const char *function = tp_func_of(u.p, e->callee)->name;
    if (is_ok) {
      const char *name = tp_arena_printf(&w->arena, "test_%s_%u", function, number_of(w, function));
      finish(w, &u, &answers, &sets, name, number);
      tp_vec_push(&w->names, name);
    }
  }
  tp_str_clear(&call);
  tp_str_clear(&answers);
  tp_str_clear(&sets);
  tp_unit_state_clear(&u);
  clear_call(&c);
  clear_call(&other);
  tp_inputs_clear(&asked);
  tp_inputs_clear(&asked_other);
  return is_ok;
}

// ------------------------------------------------------------------------ the file

/* Stubs of the environment, with answers of the test for what they draw. */
static void add_stubs(const unit_writer *w, tp_str *out) {
  static const char draw[] = "return __VERIFIER_nondet_";
  const char *text = w->how->stubs;
  for (const char *at; (at = strstr(text, draw)) != NULL; text = strchr(at, ';')) {
    tp_str_add_n(out, text, (size_t)(at - text));
    const char *what = at + sizeof draw - 1;
    const bool is_real = strncmp(what, "float", 5) == 0 || strncmp(what, "double", 6) == 0;
    tp_str_add(out, is_real ? "return next_real()" : "return next_answer()");
  }
  tp_str_add(out, text);
}

/* type: of the answers; what: "answer" or "real". */
static void add_answer_function(const char *type, const char *what, tp_str *out) {
  tp_str_printf(
      out,
      "static const %s *%ss;\nstatic size_t n_%ss;\nstatic %s next_%s(void) { return n_%ss "
      "? n_%ss--, *%ss++ : 0; }\n",
      type, what, what, type, what, what, what, what);
}

/* Functions that the tests pass, and what gives them their results in the order of their calls. */
static void add_passed_functions(const unit_writer *w, tp_str *out) {
  tp_str stubs = {0};
  add_stubs(w, &stubs);
  tp_str_add(out, "// Functions that the tests pass. Each test says what their calls return.\n");
  if (strstr(tp_str_text(&stubs), "next_answer()")) add_answer_function("long long", "answer", out);
  if (strstr(tp_str_text(&stubs), "next_real()")) add_answer_function("double", "real", out);
  tp_str_add(out, tp_str_text(&stubs));
  tp_str_clear(&stubs);
}

/* File-scope variables get the values back that they start with. */
static bool add_resets(const unit_writer *w, tp_str *out) {
  tp_str copies = {0}, saves = {0}, resets = {0};
  const tp_program *p = w->suite->p;
  for (size_t i = 1; i < p->statics.n + p->vars.n; i++) {
    const bool is_static = i < p->statics.n;
    const size_t k = is_static ? i : i - p->statics.n;
    if (!(is_static ? w->is_reset_static[k] : w->is_reset_var[k])) continue;
    const char *name = is_static ? p->statics.at[k].name : p->vars.at[k].name;
    tp_str_printf(&copies, "static unsigned char first_%s[sizeof %s];\n", name, name);
    tp_str_printf(&saves, "  memcpy(first_%s, &%s, sizeof %s);\n", name, name, name);
    tp_str_printf(&resets, "  memcpy(&%s, first_%s, sizeof %s);\n", name, name, name);
  }
  const bool has_any = copies.n > 0;
  if (has_any)
    tp_str_printf(out,
                  "// File-scope variables of the module, as the program starts with them.\n%s"
                  "static void save_variables(void) {\n%s}\nstatic void reset_variables(void) "
                  "{\n%s}\n",
                  tp_str_text(&copies), tp_str_text(&saves), tp_str_text(&resets));
  tp_str_clear(&copies);
  tp_str_clear(&saves);
  tp_str_clear(&resets);
  return has_any;
}

static void add_main(const unit_writer *w, bool has_resets, tp_str *out) {
  tp_str_add(out, "\nint main(void) {\n");
  if (has_resets) tp_str_add(out, "  save_variables();\n");
  if (w->how->is_cmocka) {
    tp_str_add(out, "  const struct CMUnitTest tests[] = {\n");
    for (size_t i = 0; i < w->names.n; i++)
      tp_str_printf(out, "      cmocka_unit_test(%s),\n", w->names.at[i]);
    tp_str_add(out, "  };\n  return cmocka_run_group_tests(tests, NULL, NULL);\n}\n");
    return;
  }
  for (size_t i = 0; i < w->names.n; i++) tp_str_printf(out, "  %s();\n", w->names.at[i]);
  tp_str_printf(out, "  puts(\"%zu tests passed\");\n  return 0;\n}\n", w->names.n);
}

static void print_file(unit_writer *w, tp_str *out) {
  tp_str_printf(out,
                "/* Unit tests of %s: what its functions do with these arguments today.\n"
                " * Compile this file alone (it includes the module)%s, and run it. */\n"
                "#define main twoproof_own_main\n#include \"%s\"\n#undef main\n",
                w->how->module, w->how->is_cmocka ? ", with -lcmocka" : "", w->how->module);
  tp_str_add(out, w->how->is_cmocka
                      ? "#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include "
                        "<stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include "
                        "<cmocka.h>\n\n"
                      : "#undef NDEBUG\n#include <assert.h>\n#include <stdio.h>\n#include "
                        "<stdlib.h>\n#include <string.h>\n\n");
  if (w->how->stubs[0]) add_passed_functions(w, out);
  const bool has_resets = add_resets(w, out);
  tp_str tests = w->tests;
  static const char reset[] = "  RESET();\n";
  const char *text = tp_str_text(&tests);
  for (const char *at; (at = strstr(text, reset)) != NULL; text = at + sizeof reset - 1) {
    tp_str_add_n(out, text, (size_t)(at - text));
    if (has_resets) tp_str_add(out, "  reset_variables();\n");
  }
  tp_str_add(out, text);
  add_main(w, has_resets, out);
}

size_t tp_unit_suite_print(const tp_unit_suite *u, const tp_suite *s, tp_arena *arena,
                           const char **names, tp_str *out) {
  TP_REQUIRE(u && s && arena && names && out);
  unit_writer w = {.how = u, .suite = s, .start = tp_state_initial(s->p)};
  w.is_reset_static = TP_NEW_ARRAY(bool, s->p->statics.n + 1);
  w.is_reset_var = TP_NEW_ARRAY(bool, s->p->vars.n + 1);
  for (size_t i = 0; i < s->tests.n; i++)
    names[i] = write_test(&w, &s->tests.at[i], i + 1)
                   ? tp_arena_strdup(arena, tp_vec_last(&w.names))
                   : NULL;
  const size_t n = w.names.n;
  if (n) print_file(&w, out);
  tp_state_free(w.start);
  tp_free(w.is_reset_static);
  tp_free(w.is_reset_var);
  tp_str_clear(&w.tests);
  tp_vec_clear(&w.names);
  tp_arena_clear(&w.arena);
  return n;
}
