/* Programs that build a heap. The text is plain: one statement for each object, each member, each
 * answer. Where the heap is known its values stand in the program; else each of them is looked up
 * among the numbers that were read. */
#include "contracts/modular/heap_program_priv.h"

#include "contracts/modular/relational_heap_priv.h"

#include "base/files.h"
static const tp_basic *basic_of(const tp_rheap *h, uint32_t b) {
  return &h->object_model->basics.at[b];
}
static const tp_rheap_field *field_of(const tp_heap_layout *l, const tp_heap_slot *s) {
  return s->kind == TP_HEAP_SLOT_PARAM ? &l->h->inputs.at[s->field] : &l->h->fields.at[s->field];
}
static tp_type type_of(const tp_heap_layout *l, const tp_heap_slot *s) {
  return tp_rheap_value_type(l->h, field_of(l, s)->symbol);
}
static bool is_global(const tp_heap_layout *l, const tp_heap_slot *s) {
  return field_of(l, s)->symbol->kind == TP_SYMBOL_GLOBAL;
}

// ------------------------------------------------------------------------- names

const char *tp_heap_program_identifier(tp_heap_program *p, const char *prefix, const char *name,
                                       uint32_t number) {
  TP_REQUIRE(prefix && name);
  tp_str text = {0};
  uint64_t owner;
  if (strncmp(name, "struct ", 7) == 0) name += 7;
  tp_str_add(&text, prefix);
  for (const char *c = name; *c; c++) {
    const bool is_letter =
        (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    const char last = text.text[text.n - 1];
    if (is_letter || last != '_') tp_str_add_char(&text, is_letter ? *c : '_');
  }
  while (text.text[text.n - 1] == '_') text.text[--text.n] = 0;
  const uint64_t key = tp_name_of(p->identifiers, tp_str_text(&text));
  if (tp_map_get(&p->owners, key, &owner) && owner != number)
    tp_str_printf(&text, "_%u", number);
  else
    tp_map_set(&p->owners, key, number);
  const char *own = tp_arena_strdup(&p->arena, tp_str_text(&text));
  tp_str_clear(&text);
  return own;
}

static void name_atoms(tp_heap_program *p) {
  const tp_rel_universe *u = p->l->h->atoms;
  int64_t value;
  p->atoms = tp_arena_array(&p->arena, const char *, tp_rel_n_atoms(u) + 1);
  for (uint32_t a = 0; a < tp_rel_n_atoms(u); a++)
    p->atoms[a] = tp_rel_atom_is_int(u, a, &value)
                      ? tp_arena_printf(&p->arena, "TP_INT(%lld)", (long long)value)
                      : tp_heap_program_identifier(p, "at_", tp_rel_atom_name(u, a), a);
}

/* Objects first, integers last. */
static void print_atoms(const tp_heap_program *p, tp_str *out) {
  const tp_rel_universe *u = p->l->h->atoms;
  int64_t value;
  tp_str_add(out, "enum {");
  for (uint32_t a = 0; a < tp_rel_n_atoms(u); a++)
    if (!tp_rel_atom_is_int(u, a, &value))
      tp_str_printf(out, "%s%s = %u", a ? ", " : " ", p->atoms[a], a);
  tp_str_printf(out, " };\nenum { TP_NULL = %s, TP_ABSENT = %d, TP_UNKNOWN = %d };\n",
                p->atoms[p->l->h->null_atom], TP_POST_ABSENT, TP_POST_UNKNOWN);
}

// ----------------------------------------------------------------------- the heap

static bool is_fixed(const tp_heap_program *p) { return p->at != NULL; }

static uint32_t count_slot(const tp_heap_layout *l, uint32_t basic) {
  uint32_t k = 0;
  while (l->slots.at[k].kind != TP_HEAP_SLOT_COUNT || l->slots.at[k].basic != basic) k++;
  return k;
}

static void print_object(const tp_heap_program *p, uint32_t basic, uint32_t i, tp_str *out) {
  const tp_rheap *h = p->l->h;
  const tp_basic *b = basic_of(h, basic);
  const bool is_array = b->kind == TP_BASIC_ARRAY;
  const char *element = is_array ? tp_rheap_info_of(h, b->type)->name : b->name;
  const uint32_t atom = h->types[basic].atoms.at[i], count = count_slot(p->l, basic),
                 length = is_array ? tp_heap_layout_length(p->l, atom) : 0;
  if (is_fixed(p) && p->at[count] <= i) return;
  tp_str_add(out, "  ");
  if (!is_fixed(p)) tp_str_printf(out, "if (tp_asked[%u] > %u) ", count, i);
  tp_str_printf(out, "tp_at[%s] = tp_object(", p->atoms[atom]);
  if (is_array && is_fixed(p))
    tp_str_printf(out, "%lld", (long long)p->at[length]);
  else if (is_array)
    tp_str_printf(out, "tp_asked[%u]", length);
  else
    tp_str_add(out, "1");
  tp_str_printf(out, ", sizeof(%s));\n", element);
}

static void print_objects(const tp_heap_program *p, tp_str *out) {
  const tp_rheap *h = p->l->h;
  for (uint32_t b = 0; b < h->object_model->basics.n; b++) {
    if (!tp_rheap_is_object_type(h, b)) continue;
    const uint32_t n = tp_rheap_n_objects(h, b);
    uint32_t place = n;
    for (uint32_t i = 0; i < n; i++) print_object(p, b, i, out);
    for (size_t i = 0; i < h->statics.n; i++) {
      const tp_rheap_static *s = &h->statics.at[i];
      for (uint32_t k = 0; s->basic == b && k < s->n_atoms; k++) {
        tp_str_printf(out, "  tp_at[%s] = &%s", p->atoms[h->types[b].atoms.at[place++]],
                      h->program->statics.at[s->object].name);
        tp_str_printf(out, s->elements.id ? "[%u];\n" : ";\n", k);
      }
    }
  }
}

/* In an order in which owners come first. */
static void print_inner(const tp_heap_program *p, uint32_t basic, tp_str *out) {
  const tp_rheap *h = p->l->h;
  uint32_t inner;
  for (size_t f = 0; f < h->fields.n; f++) {
    const tp_rheap_field *g = &h->fields.at[f];
    if (g->symbol->basic != basic || !tp_rheap_inner_of(h, g, &inner)) continue;
    uint32_t place = tp_rheap_inner_place(h, f);
    for (size_t k = 0; k < h->types[basic].atoms.n; k++)
      for (uint32_t e = 0; e < g->n_inner; e++) {
        const char *owner = p->atoms[h->types[basic].atoms.at[k]];
        tp_str_printf(out, "  if (tp_at[%s]) tp_at[%s] = &((%s *)tp_at[%s])->%s", owner,
                      p->atoms[h->types[inner].atoms.at[place++]], basic_of(h, basic)->name, owner,
                      g->symbol->name);
        tp_str_printf(out, tp_rheap_n_keys(h, g->symbol) == 2 ? "[%u];\n" : ";\n", e);
      }
    print_inner(p, inner, out);
  }
}

static bool is_inside(const tp_rheap *h, uint32_t basic) {
  uint32_t inner;
  for (size_t f = 0; f < h->fields.n; f++)
    if (tp_rheap_inner_of(h, &h->fields.at[f], &inner) && inner == basic) return true;
  return false;
}

static void print_all_inner(const tp_heap_program *p, tp_str *out) {
  for (uint32_t b = 0; b < p->l->h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(p->l->h, b) && !is_inside(p->l->h, b)) print_inner(p, b, out);
}

void tp_heap_program_print_lvalue(const tp_heap_program *p, const tp_heap_slot *s, tp_str *out) {
  const tp_rheap *h = p->l->h;
  const tp_symbol *f = field_of(p->l, s)->symbol;
  if (f->kind == TP_SYMBOL_GLOBAL)
    tp_str_add(out, f->name);
  else if (f->kind == TP_SYMBOL_ELEMENTS)
    tp_str_printf(out, "((__typeof__(%s) *)tp_at[%s])[%lld]", tp_rheap_info_of(h, f->ctype)->name,
                  p->atoms[s->owner], (long long)s->index);
  else {
    tp_str_printf(out, "((%s *)tp_at[%s])->%s", basic_of(h, f->basic)->name, p->atoms[s->owner],
                  f->name);
    if (s->index >= 0) tp_str_printf(out, "[%lld]", (long long)s->index);
  }
}

static void print_guard(const tp_heap_program *p, const tp_heap_slot *s, tp_str *out) {
  if (is_global(p->l, s)) return;
  tp_str_printf(out, "if (tp_at[%s] && !tp_gone[%s]", p->atoms[s->owner], p->atoms[s->owner]);
  if (s->length != UINT32_MAX && !is_fixed(p))
    tp_str_printf(out, " && tp_asked[%u] > %lld", s->length, (long long)s->index);
  tp_str_add(out, ") ");
}

/* Elements behind the end of an array of the pre-state; those of arrays that the function
 * makes have no slots. */
static bool is_behind(const tp_heap_program *p, const tp_heap_slot *s) {
  return is_fixed(p) && s->length != UINT32_MAX && p->at[s->length] <= s->index;
}

static const char *function_name(const tp_rheap *h, size_t i) {
  return h->program->statics.at[h->functions.at[i].object].name;
}

/* The value of a slot as C. */
static void print_value(const tp_heap_program *p, size_t slot, tp_str *out) {
  const tp_rheap *h = p->l->h;
  const tp_type type = type_of(p->l, &p->l->slots.at[slot]);
  const bool is_function = tp_heap_layout_is_pointer(p->l, slot) &&
                           tp_rheap_is_kind(h, tp_rheap_info_of(h, type)->element, TP_T_FUNCTION);
  if (!tp_heap_layout_is_pointer(p->l, slot)) {
    if (is_fixed(p))
      tp_str_printf(out, "%lld", (long long)p->at[slot]);
    else
      tp_str_printf(out, "tp_asked[%zu]", slot);
  } else if (is_function) {
    const char *last = "0";
    for (size_t i = 0; i < h->functions.n; i++)
      if (!is_fixed(p))
        tp_str_printf(out, "tp_asked[%zu] == %u ? %s : ", slot,
                      h->types[TP_FUNCTION_BASIC].atoms.at[i], function_name(h, i));
      else if (p->at[slot] == h->types[TP_FUNCTION_BASIC].atoms.at[i])
        last = function_name(h, i);
    tp_str_add(out, last);
  } else if (!is_fixed(p))
    tp_str_printf(out, "tp_at[tp_asked[%zu]]", slot);
  else if (p->at[slot] == h->null_atom)
    tp_str_add(out, "NULL");
  else
    tp_str_printf(out, "tp_at[%s]", p->atoms[p->at[slot]]);
}

static void print_build(const tp_heap_program *p, tp_str *out) {
  const tp_heap_layout *l = p->l;
  tp_str_add(out,
             "/* The heap from which the function is called. */\nstatic void tp_build(void) {\n");
  print_objects(p, out);
  print_all_inner(p, out);
  for (size_t k = 0; k < l->slots.n; k++) {
    const tp_heap_slot *s = &l->slots.at[k];
    if (s->kind != TP_HEAP_SLOT_FIELD || (is_fixed(p) && !tp_heap_layout_is_allocated(l, k, p->at)))
      continue;
    tp_str_add(out, "  ");
    if (!is_fixed(p)) print_guard(p, s, out);
    tp_heap_program_print_lvalue(p, s, out);
    tp_str_add(out, " = ");
    print_value(p, k, out);
    tp_str_add(out, ";\n");
  }
  tp_str_add(out, "}\n\n");
}

// -------------------------------------------------------------------- what is left

/* What the pointer in this expression leads to, as an atom. */
static void print_name_of(const tp_heap_program *p, tp_type type, const char *expression,
                          tp_str *out) {
  const tp_rheap *h = p->l->h;
  const tp_type to = tp_rheap_info_of(h, type)->element;
  uint32_t basic;
  if (tp_rheap_is_kind(h, to, TP_T_FUNCTION)) {
    tp_str_printf(out, "!%s ? TP_NULL : ", expression);
    for (size_t i = 0; i < h->functions.n; i++)
      tp_str_printf(out, "%s == %s ? %s : ", expression, function_name(h, i),
                    p->atoms[h->types[TP_FUNCTION_BASIC].atoms.at[i]]);
    tp_str_add(out, "TP_UNKNOWN");
  } else if (tp_rheap_basic_of(h, to, &basic) && h->types[basic].is_used)
    tp_str_printf(out, "tp_name(%s, %s, %u)", expression, p->atoms[h->types[basic].atoms.at[0]],
                  tp_rheap_n_objects(h, basic));
  else
    tp_str_printf(out, "tp_name(%s, 0, 0)", expression);
}

static void print_look(const tp_heap_program *p, tp_str *out) {
  const tp_heap_layout *l = p->l;
  tp_str_add(
      out,
      "/* What the heap is now, a number for each place. */\nstatic void tp_look(long *heap) {\n");
  print_all_inner(p, out);
  for (size_t k = 0; k < l->slots.n; k++) {
    const tp_heap_slot *s = &l->slots.at[k];
    if (s->kind != TP_HEAP_SLOT_FIELD) continue;
    tp_str lvalue = {0};
    tp_heap_program_print_lvalue(p, s, &lvalue);
    if (!is_global(l, s)) tp_str_printf(out, "  heap[%zu] = TP_ABSENT;\n", k);
    if (!is_behind(p, s)) {
      tp_str_add(out, "  ");
      print_guard(p, s, out);
      tp_str_printf(out, "heap[%zu] = ", k);
      if (tp_heap_layout_is_pointer(l, k))
        print_name_of(p, type_of(l, s), tp_str_text(&lvalue), out);
      else
        tp_str_add(out, tp_str_text(&lvalue));
      tp_str_add(out, ";\n");
    }
    tp_str_clear(&lvalue);
  }
  tp_str_add(out, "}\n\n");
}

void tp_heap_program_print_adoptions(const tp_heap_program *p, tp_str *out) {
  const tp_rheap *h = p->l->h;
  for (uint32_t b = 0; b < h->object_model->basics.n; b++) {
    if (!tp_rheap_is_object_type(h, b) || basic_of(h, b)->kind != TP_BASIC_STRUCT) continue;
    bool is_only = tp_rheap_info_of(h, basic_of(h, b)->type)->size_bytes > 0;
    for (uint32_t o = 0; o < h->object_model->basics.n; o++)
      is_only = is_only && (o == b || !tp_rheap_is_object_type(h, o) ||
                            basic_of(h, o)->kind != TP_BASIC_STRUCT ||
                            tp_rheap_info_of(h, basic_of(h, o)->type)->size_bytes !=
                                tp_rheap_info_of(h, basic_of(h, b)->type)->size_bytes);
    if (is_only)
      tp_str_printf(out, "    if (!tp_new) tp_adopt(sizeof(%s), %s, %u);\n", basic_of(h, b)->name,
                    p->atoms[h->types[b].atoms.at[0]], tp_rheap_n_objects(h, b));
  }
}

static const char *const heap_definitions[] = {
#include "contracts/rel/heap.inc"  // made by the Makefile from lib/replay/heap.c
};
static const char *const foretold_definitions[] = {
#include "contracts/rel/foretold.inc"  // made by the Makefile from lib/replay/foretold.c
};

/* What is made in the order and of the sizes that were foretold has the names that were foretold.
 */
static void print_foretold(const tp_heap_program *p, const tp_finder_choices *chosen, tp_str *out) {
  tp_str_printf(out,
                "/* Objects that the function should make, in this order. */\nenum { TP_FORETOLD = "
                "%zu };\nstatic const struct { int atom; size_t bytes; } tp_foretold[] = {",
                chosen->made.n);
  for (size_t k = 0; k < chosen->made.n; k++)
    tp_str_printf(out, "{%s, %llu}, ", p->atoms[chosen->made.at[k].atom],
                  (unsigned long long)chosen->made.at[k].size_bytes);
  tp_str_add(out, "{0, 0}};\n\n");
  for (size_t i = 0; i < sizeof foretold_definitions / sizeof *foretold_definitions; i++)
    tp_str_add(out, foretold_definitions[i]);
}

// ---------------------------------------------------------------------------- main

tp_type tp_heap_program_result_type(const tp_heap_layout *l) {
  const tp_func_info *f = tp_func_of(l->h->program, l->func);
  const tp_type type =
      f->type.id && f->result.id ? tp_rheap_info_of(l->h, f->type)->element : TP_TYPE_NONE;
  return tp_rheap_is_kind(l->h, type, TP_T_STRUCT) ? TP_TYPE_NONE : type;
}

static void print_call(const tp_heap_program *p, tp_str *out) {
  const tp_heap_layout *l = p->l;
  tp_str_printf(out, "  %s%s(", tp_heap_program_result_type(l).id ? "__auto_type result = " : "",
                tp_func_of(l->h->program, l->func)->name);
  uint32_t n = 0;
  for (size_t k = 0; k < l->slots.n; k++) {
    if (l->slots.at[k].kind != TP_HEAP_SLOT_PARAM) continue;
    tp_str_add(out, n++ ? ", " : "");
    print_value(p, k, out);
  }
  tp_str_add(out, ");\n");
}

/* One slot more, for the result. */
static void print_afterwards(const tp_heap_program *p, tp_str *out) {
  const tp_heap_layout *l = p->l;
  const tp_type result = tp_heap_program_result_type(l);
  if (is_fixed(p)) tp_str_add(out, "  tp_recognise();\n");
  tp_str_printf(out,
                "  tp_post[%zu] = TP_ABSENT;\n  do {\n    tp_new = 0;\n    tp_look(tp_post);\n",
                l->slots.n);
  if (result.id) {
    tp_str_printf(out, "    tp_post[%zu] = ", l->slots.n);
    if (tp_rheap_is_integer(l->h, result))
      tp_str_add(out, "result");
    else if (tp_rheap_is_kind(l->h, result, TP_T_POINTER))
      print_name_of(p, result, "result", out);
    else
      tp_str_add(out, "TP_UNKNOWN");
    tp_str_add(out, ";\n");
  }
  tp_heap_program_print_adoptions(p, out);
  tp_str_printf(out, "  } while (tp_new);\n  if (tp_is_unknown()) tp_post[%zu] = TP_UNKNOWN;\n",
                l->slots.n);
}

static void print_main(const tp_heap_program *p, tp_str *out) {
  const size_t n = p->l->slots.n;
  tp_str_add(out, is_fixed(p) ? "/* With an argument it also says what is left of the heap, as "
                                "numbers. */\nint main(int argc, char **argv) {\n  (void)argv;\n"
                              : "int main(void) {\n");
  if (!is_fixed(p))
    tp_str_printf(out, "  for (int i = 0; i < %zu; i++) tp_asked[i] = __VERIFIER_nondet_long();\n",
                  n);
  if (p->has_calls) tp_str_add(out, "  tp_says = argc > 1;\n");
  tp_str_add(out, "  tp_build();\n");
  if (p->has_contract) tp_heap_program_print_before(p, out);
  if (is_fixed(p)) tp_str_add(out, "  puts(\"called\");\n  fflush(stdout);\n");
  print_call(p, out);
  if (is_fixed(p)) tp_str_add(out, "  puts(\"returned\");\n  fflush(stdout);\n");
  print_afterwards(p, out);
  if (is_fixed(p))
    tp_str_printf(out,
                  "  for (int i = 0; i <= %zu && argc > 1; i++) printf(\"%%ld\\n\", tp_post[i]);\n"
                  "  for (int i = 0; i < TP_ATOMS && argc > 1; i++) printf(\"%%d\\n\", tp_gone[i] "
                  "? 2 : tp_at[i] != 0);\n",
                  n);
  if (p->has_contract)
    tp_heap_program_print_after(p, out);
  else
    tp_str_add(out, "  return 0;\n");
  tp_str_add(out, "}\n");
}

static void print_head(const tp_heap_program *p, const char *path, tp_str *out) {
  const char *f = tp_func_of(p->l->h->program, p->l->func)->name;
  tp_str_printf(out, "/* Builds a heap and calls %s of ", f);
  tp_str_add_line_text(out, path);
  if (p->has_contract)
    tp_str_add(out, ", whose contract is worked out on the heap that is really left");
  tp_str_add(out, ".\n");
  if (is_fixed(p))
    tp_str_add(out,
               " *\n *     clang -g -fsanitize=address,undefined THIS_FILE.c && ./a.out\n *\n"
               " * Status 10: a clause fails, which is said; 0: all of them hold; 2: nothing can "
               "be said. Errors inside of the function are the sanitizers' to find. */\n");
  else
    tp_str_add(out, " */\n");
  tp_str_add(out,
             "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include <stdio.h>\n#include "
             "<stdlib.h>\n\n");
}

/* Other names may be among the names of members: these go on being replaced behind the source. */
static void print_source(const char *path, tp_str *out) {
  static const char *const replaced[][2] = {{"malloc", "tp_malloc"},
                                            {"calloc", "tp_calloc"},
                                            {"realloc", "tp_realloc"},
                                            {"free", "tp_free"},
                                            {"main", "tp_main_of_the_program"}};
  for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
    tp_str_printf(out, "#define %s %s\n", replaced[i][0], replaced[i][1]);
  tp_str_printf(out, "#include \"%s\"\n", path);
  tp_str_add(out, "#undef main\n\n");
}

void tp_heap_layout_program(const tp_heap_layout *l, const char *path, tp_heap_program_mode mode,
                            const int64_t *at, const tp_contract_vc *contract,
                            const tp_finder_choices *chosen, tp_str *out) {
  TP_REQUIRE(l && path && (mode == TP_HEAP_PROGRAM_NONDET || at));
  tp_heap_program p = {.l = l,
                       .at = mode == TP_HEAP_PROGRAM_FIXED ? at : NULL,
                       .instance = chosen ? chosen->instance : NULL,
                       .identifiers = tp_names_new()};
  tp_str constants = {0};
  tp_arena_init(&p.arena);
  name_atoms(&p);
  const bool has_integers =
      tp_rel_emit_constants(l->h->atoms, l->h->limits.width_bits, &constants) == TP_OK;
  p.has_contract = contract && has_integers && tp_heap_program_can_say(&p, contract);
  print_head(&p, path, out);
  tp_str_add(out, tp_str_text(&constants));
  print_atoms(&p, out);
  tp_str_printf(out, "static long tp_post[%zu];\n", l->slots.n + 1);
  if (is_fixed(&p))
    tp_str_add(out,
               "#define TP_FRESH(n) calloc(1, n)\nconst char *__asan_default_options(void) { "
               "return \"detect_leaks=0\"; }\n\n");
  else
    tp_str_printf(out,
                  "long __VERIFIER_nondet_long(void);\nstatic long tp_asked[%zu];\n#define "
                  "TP_FRESH(n) malloc(n)\n\n",
                  l->slots.n + 1);
  for (size_t i = 0; i < sizeof heap_definitions / sizeof *heap_definitions; i++)
    tp_str_add(out, heap_definitions[i]);
  if (p.has_contract) tp_heap_program_print_contract(&p, contract, out);
  print_source(path, out);
  print_build(&p, out);
  print_look(&p, out);
  if (is_fixed(&p)) print_foretold(&p, chosen, out);
  p.has_calls = chosen && tp_heap_program_print_calls(&p, contract, chosen, out);
  print_main(&p, out);
  tp_str_clear(&constants);
  tp_map_clear(&p.owners);
  tp_names_free(p.identifiers);
  tp_arena_clear(&p.arena);
}

// ------------------------------------------------------------------------ stubs

static bool has_body(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (strcmp(p->funcs.at[i].name, name) == 0) return p->funcs.at[i].has_body;
  return false;
}

/* Under the name that the linker knows: the program declares it with a type of its own. */
static void print_stub(const tp_program *p, const char *name, uint32_t number, const char *body,
                       tp_str *out) {
  if (has_body(p, name)) return;
  tp_str_printf(out, "__attribute__((weak)) long tp_stub%u(long c) __asm__(\"", number);
  tp_str_add_c_text(out, name);
  tp_str_printf(out, "\");\nlong tp_stub%u(long c) { %s }\n", number, body);
}

void tp_heap_layout_stubs(const tp_heap_layout *l, const int64_t *inputs, size_t n, tp_str *out) {
  TP_REQUIRE(n == 0 || inputs);
  static const char *const errors[] = {"reach_error", "__VERIFIER_error"},
                           *const assumptions[] = {"__VERIFIER_assume", "assume_abort_if_not"};
  const tp_program *p = l->h->program;
  TP_VEC(const char *) seen = {0};
  uint32_t number = 0;
  tp_str_printf(out, "\nstatic const long tp_inputs[%zu] = {", n + 1);
  for (size_t k = 0; k < n; k++) tp_str_printf(out, "%lld, ", (long long)inputs[k]);
  tp_str_printf(
      out,
      "0};\nstatic void tp_stop(void) {\n  puts(\"stopped\");\n  fflush(stdout);\n  exit(0);\n}\n"
      "static long tp_next(void) {\n  static int n;\n  if (n == %zu) tp_stop();\n  return "
      "tp_inputs[n++];\n}\n",
      n);
  for (size_t k = 0; k < 2; k++) print_stub(p, errors[k], number++, "(void)c; abort();", out);
  for (size_t k = 0; k < 2; k++)
    print_stub(p, assumptions[k], number++, "if (!(int)c) tp_stop(); return 0;", out);
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->kind != TP_E_HAVOC || e->input != TP_I_NONDET || !e->name) continue;
    size_t k = 0;
    while (k < seen.n && strcmp(seen.at[k], e->name) != 0) k++;
    if (k < seen.n) continue;
    tp_vec_push(&seen, e->name);
    print_stub(p, e->name, number++, "(void)c; return tp_next();", out);
  }
  tp_vec_clear(&seen);
}
