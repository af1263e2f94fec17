/* Unit tests of modules: runs of the client as calls, and states that are built without calls.
 *
 * A run of the client becomes the calls that its main makes, with the values of their arguments. A
 * state that no run is known to come to is built byte by byte: objects that the module's own lead
 * to are allocated, pointers in them set, file-scope variables copied over. Such a test says that
 * it is unconfirmed. Both end by asking whether the state is the one that was meant, as far as C
 * can ask. */
#include "app/module.h"

#include "program/cells.h"
#include "report/invariant_text.h"
#include "app/app_limits.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------ calls

typedef struct {
  const tp_program *p;
  tp_var handle;
  tp_str calls;
  uint32_t n;
} caller;

/* The client's variable for what the module made: s of its main. NONE: the module makes nothing. */
static tp_var handle_of(const tp_program *p) {
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->func.id == p->main.id && v->kind == TP_V_LOCAL && v->type.id &&
        strcmp(v->name, "s") == 0)
      return (tp_var){i};
  }
  return TP_VAR_NONE;
}

/* What a pointer leads to, as a value of the call; its first bytes, if there are many. */
static void print_buffer(const tp_state *s, tp_term pointer, tp_str *out) {
  tp_value v = {0};
  tp_object_info info = {0};
  uint8_t bytes[TP_APP_UNIT_TEST_BYTES];
  bool is_known = tp_state_eval(s, pointer, &v) == TP_OK &&
                  tp_state_object_info(s, v.object, &info) && info.live &&
                  (uint64_t)v.bits < info.size;
  uint64_t n = is_known ? info.size - (uint64_t)v.bits : 0;
  if (n > TP_APP_UNIT_TEST_BYTES) n = TP_APP_UNIT_TEST_BYTES;
  if (n == 0 || !tp_state_read_bytes(s, v.object, (uint64_t)v.bits, n, bytes)) {
    tp_str_add(out, "0");
    return;
  }
  tp_str_add(out, "(void *)(unsigned char[]){");
  for (uint64_t i = 0; i < n; i++) tp_str_printf(out, "%s%u", i ? ", " : "", bytes[i]);
  tp_str_add_char(out, '}');
}

/* A call that main makes, with the values of its arguments. */
static bool see_call(void *ctx, const tp_state *before, tp_edge edge) {
  caller *c = ctx;
  const tp_program *p = c->p;
  const tp_edge_info *e = tp_edge_of(p, edge);
  if (e->kind != TP_E_CALL || !e->callee.id || tp_loc_of(p, e->from)->func.id != p->main.id)
    return true;
  const tp_func_info *f = tp_func_of(p, e->callee);
  if (!f->has_body || f->is_model) return true;
  bool makes = e->var.id && e->var.id == c->handle.id;
  tp_str_printf(&c->calls, "  %s%s(", makes ? "s = " : "", f->name);
  for (uint32_t i = 0; i < e->n_args; i++) {
    tp_sort sort = tp_sort_of(p->terms, e->args[i]);
    tp_value v = {0};
    tp_str_add(&c->calls, i ? ", " : "");
    if (tp_sort_kind_of(p->terms, sort) == TP_SORT_PTR) {
      tp_type type = tp_var_of(p, f->params[i])->type;
      tp_type to = type.id ? tp_type_of(p, type)->element : TP_TYPE_NONE;
      const bool is_handle = to.id && tp_type_of(p, to)->kind == TP_T_STRUCT;
      const bool is_pointer_to_handle = to.id && tp_type_of(p, to)->kind == TP_T_POINTER;
      if (is_handle || is_pointer_to_handle)
        tp_str_add(&c->calls, is_handle ? "s" : "&s");
      else
        print_buffer(before, e->args[i], &c->calls);
    } else if (tp_state_eval(before, e->args[i], &v) == TP_OK) {
      tp_print_c(p->terms, tp_mk_value(p->terms, sort, v), TP_C_READABLE, &c->calls);
    } else {
      tp_str_add(&c->calls, "0");
    }
  }
  tp_str_add(&c->calls, ");\n");
  c->n++;
  return true;
}

/* Its declaration in the client, if it has one. */
static void declare_handle(const tp_program *p, tp_var handle, tp_str *out) {
  tp_type to = handle.id ? tp_type_of(p, tp_var_of(p, handle)->type)->element : TP_TYPE_NONE;
  if (!to.id) return;
  const tp_type_info *made = tp_type_of(p, to);
  tp_str_printf(out,
                made->size_bytes ? "  static %s object;\n  %s *s = &object;\n" : "  %s *s = 0;\n",
                made->name, made->name);
}

/* The address sanitizer sees what is written behind a variable, and in front of one only if another
 * lies there. */
static const char FENCE[] =
    "static __attribute__((used)) char fence[64], fence_of_values[64] = {1};\n";

/* The calls that the client makes with these inputs, until it asks for more. */
static bool print_calls(const tp_program *p, const tp_inputs *inputs, tp_str *out) {
  caller c = {.p = p, .handle = handle_of(p)};
  tp_state *run = tp_state_initial(p);
  tp_vector_oracle vector = {inputs, 0, false};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &c, .edge = see_call};
  (void)tp_exec_run(p, run, &oracle, (tp_run_limits){0}, &observer);
  tp_state_free(run);
  declare_handle(p, c.handle, out);
  tp_str_add(out, tp_str_text(&c.calls));
  tp_str_clear(&c.calls);
  return c.n > 0;
}

bool tp_module_failing_calls(const tp_session *s, const tp_module *m, tp_str *out) {
  tp_str calls = {0};
  const bool has_calls = print_calls(s->program, &s->now.result.inputs, &calls);
  if (has_calls)
    tp_str_printf(out,
                  "/* Calls that make the module fail. */\n%s#include \"%s\"\n\nint main(void) "
                  "{\n%s  return 0;\n}\n",
                  FENCE, m->file, tp_str_text(&calls));
  tp_str_clear(&calls);
  return has_calls;
}

// ------------------------------------------------------------------ built states

typedef struct {
  const tp_state *s;
  tp_state *start;  // of the program
  const tp_program *p;
  tp_str makes, sets;        // allocations; bytes and pointers
  TP_VEC(uint32_t) objects;  // to be made, in order of their numbers in the text
  bool can;                  // be built, so far
} builder;

/* The expression for an object; it is made if it is none of the program's own. */
static void print_object(builder *b, uint32_t object, tp_str *out) {
  TP_REQUIRE(object > 0);
  if (object < b->p->statics.n) {
    const tp_static *s = &b->p->statics.at[object];
    bool has_name = s->kind == TP_O_GLOBAL && s->name && !strchr(s->name, '.');
    b->can = b->can && has_name;
    tp_str_printf(out, "(unsigned char *)&%s", has_name ? s->name : "?");
    return;
  }
  size_t i = 0;
  while (i < b->objects.n && b->objects.at[i] != object) i++;
  if (i == b->objects.n) tp_vec_push(&b->objects, object);
  b->can = b->can && b->objects.n <= TP_APP_UNIT_TEST_OBJECTS;
  tp_str_printf(out, "o%zu", i + 1);
}

/* Bytes of an object, then the pointers among them. */
static void set_object(builder *b, uint32_t object, const char *name) {
  tp_terms *tt = b->p->terms;
  tp_object_info info;
  uint8_t bytes[TP_APP_UNIT_TEST_BYTES * 16];
  uint32_t width = b->p->ptr_bits / 8;
  b->can = b->can && tp_state_object_info(b->s, object, &info) && info.live &&
           info.size <= sizeof bytes && tp_state_read_bytes(b->s, object, 0, info.size, bytes);
  if (!b->can || info.size == 0) return;
  tp_str pointers = {0};
  for (uint64_t at = 0; at + width <= info.size && b->can; at += width) {
    tp_value v = {0};
    tp_term cell = tp_cell(b->p, tp_sort_ptr(tt), tp_mk_ptr_const(tt, object, at));
    if (tp_state_eval(b->s, cell, &v) != TP_OK || v.object == 0) continue;
    tp_str_printf(&pointers, "  *(unsigned char **)(%s + %llu) = ", name, (unsigned long long)at);
    print_object(b, v.object, &pointers);
    tp_str_printf(&pointers, " + %lld;\n", (long long)v.bits);
    memset(bytes + at, 0, width);
  }
  tp_str_printf(&b->sets, "  memcpy(%s, (unsigned char[]){", name);
  for (uint64_t i = 0; i < info.size; i++) tp_str_printf(&b->sets, "%s%u", i ? ", " : "", bytes[i]);
  tp_str_printf(&b->sets, "}, %llu);\n%s", (unsigned long long)info.size, tp_str_text(&pointers));
  tp_str_clear(&pointers);
}

/* Is the object otherwise than when the program starts? */
static bool has_changed(const builder *b, uint32_t object) {
  tp_object_info info;
  uint8_t now[TP_APP_UNIT_TEST_BYTES * 16], first[TP_APP_UNIT_TEST_BYTES * 16];
  bool can_compare = tp_state_object_info(b->s, object, &info) && info.size <= sizeof now &&
                     tp_state_read_bytes(b->s, object, 0, info.size, now) &&
                     tp_state_read_bytes(b->start, object, 0, info.size, first);
  return !can_compare || memcmp(now, first, info.size) != 0;
}

/* File-scope variables, and all objects that they or s lead to. */
static bool print_state(const tp_program *p, const tp_state *s, const tp_module *m, tp_str *out) {
  builder b = {.s = s, .start = tp_state_initial(p), .p = p, .can = true};
  tp_str root = {0};
  tp_var handle = m->handle ? handle_of(p) : TP_VAR_NONE;
  tp_value at = {0};
  if (handle.id && tp_state_eval(s, tp_var_of(p, handle)->term, &at) == TP_OK && at.object) {
    tp_str_printf(&root, "  %s *s = (void *)(", m->handle);
    print_object(&b, at.object, &root);
    tp_str_printf(&root, " + %lld);\n", (long long)at.bits);
  }
  for (uint32_t o = 1; o < p->statics.n && b.can; o++) {
    const tp_static *st = &p->statics.at[o];
    if (st->kind != TP_O_GLOBAL || st->is_const || st->is_extern || !has_changed(&b, o)) continue;
    tp_str name = {0};
    print_object(&b, o, &name);
    set_object(&b, o, tp_str_text(&name));
    tp_str_clear(&name);
  }
  for (size_t i = 0; i < b.objects.n && b.can; i++) {
    tp_object_info info = {0};
    char name[32];
    snprintf(name, sizeof name, "o%zu", i + 1);
    b.can = tp_state_object_info(s, b.objects.at[i], &info);
    tp_str_printf(&b.makes, "  unsigned char *o%zu = malloc(%llu);\n", i + 1,
                  (unsigned long long)info.size);
    set_object(&b, b.objects.at[i], name);
  }
  if (b.can)
    tp_str_printf(out, "%s%s%s", tp_str_text(&b.makes), tp_str_text(&b.sets), tp_str_text(&root));
  tp_str_clear(&root);
  tp_str_clear(&b.makes);
  tp_str_clear(&b.sets);
  tp_vec_clear(&b.objects);
  tp_state_free(b.start);
  return b.can;
}

// --------------------------------------------------------------------- missed states

static void print_title(const tp_adequacy_report *r, const tp_abstract_state *a, bool is_between,
                        tp_str *out) {
  TP_REQUIRE(a->reach <= TP_REACH_NEVER);
  static const char *const what[] = {[TP_REACH_UNKNOWN] =
                                         "UNCONFIRMED: no calls are known that lead to this state, "
                                         "which the tests missed. It is built here without any",
                                     [TP_REACH_REAL] = "that the tests missed",
                                     [TP_REACH_NEVER] =
                                         "NOT REACHABLE by calls: this state is needed by the "
                                         "proof only. It is built here without any"};
  const tp_cutpoint_coverage *at = &r->coverage.cutpoints.at[a->cutpoint];
  const tp_loc_info *l = tp_loc_of(r->coverage.program, at->loc);
  if (a->reach == TP_REACH_REAL)
    tp_str_printf(out, "/* Calls %s which the module is in a state ",
                  is_between ? "after" : "during the last of");
  else
    tp_str_add(out, "/* ");
  tp_str_printf(out, "%s:\n *   ", what[a->reach]);
  if (!is_between)
    tp_str_printf(out, "%s, line %u: ", tp_func_of(r->coverage.program, l->func)->name,
                  l->pos.line);
  tp_cube_print(at, a->values, tp_cube_mask(at), out);
  tp_str_add(out, " */\n");
}

/* As far as a compiler understands it. */
static void print_check(const tp_cutpoint_coverage *at, uint64_t values, tp_str *out) {
  uint64_t plain = 0;
  for (size_t i = 0; i < at->probes.n; i++)
    if (tp_fact_is_plain(at->probes.at[i].name)) plain |= (uint64_t)1 << i;
  tp_str_add(out, "  return !(");
  tp_cube_print(at, values, plain, out);
  tp_str_add(out, ");\n");
}

static void print_includes(const tp_module *m, tp_str *out) {
  tp_str_printf(out,
                "#include <stdlib.h>\n#include <string.h>\n#include \"%s\"\n\nint main(void) {\n",
                m->file);
}

/* What the run is told until it is in the state. */
static tp_inputs witness_of(const tp_adequacy_report *r, const tp_abstract_state *a) {
  TP_REQUIRE(a->n_witness == 0 || a->witness < r->witnesses.n);
  tp_inputs first;
  tp_inputs_init(&first);
  for (uint32_t i = 0; i < a->n_witness; i++)
    tp_inputs_add(&first, r->witnesses.at[a->witness].v.at[i]);
  return first;
}

/* False: there is no test for it. */
static bool print_missed(const tp_module *m, const tp_adequacy_report *r,
                         const tp_abstract_state *a, tp_str *out) {
  TP_REQUIRE(a->cutpoint < r->coverage.cutpoints.n);
  const tp_program *p = r->coverage.program;
  const tp_cutpoint_coverage *at = &r->coverage.cutpoints.at[a->cutpoint];
  const tp_loc_info *l = tp_loc_of(p, at->loc);
  bool is_between = l->is_loop_head && l->func.id == p->main.id, ok = false;
  print_title(r, a, is_between, out);
  print_includes(m, out);
  if (a->reach == TP_REACH_REAL) {
    tp_inputs first = witness_of(r, a);
    (void)print_calls(p, &first, out);
    tp_inputs_clear(&first);
    ok = true;
  } else if (is_between && a->state) {
    ok = print_state(p, a->state, m, out);
  }
  if (is_between)
    print_check(at, a->values, out);
  else
    tp_str_add(out, "  return 0;\n");
  tp_str_add(out, "}\n");
  return ok;
}

void tp_unit_tests_of_missed(const tp_module *m, const tp_adequacy_report *r, const tp_diag *diag,
                             tp_unit_tests *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->coverage.states.n && n < TP_APP_UNIT_TESTS && r->is_closed; i++) {
    const tp_abstract_state *a = &r->coverage.states.at[i];
    tp_str text = {0};
    if (!a->is_missed) continue;
    n++;
    bool ok = false;
    if (m) {
      ok = print_missed(m, r, a, &text);
    } else if (a->reach == TP_REACH_REAL) {
      tp_inputs first = witness_of(r, a);
      tp_inputs_write(&first, diag, &text);
      tp_inputs_clear(&first);
      ok = true;
    }
    if (ok)
      tp_vec_push(out, (tp_unit_test){n, text});
    else
      tp_str_clear(&text);
  }
}
