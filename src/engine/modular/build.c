/* Programs that build a heap. The text is plain: one statement for each object, each member, each answer. */
#include "engine/modular/build.h"

static const tp_type_info *info_of(const tp_rheap *h, tp_type t) { return tp_type_of(h->program, t); }
static bool is_kind(const tp_rheap *h, tp_type t, tp_type_kind k) { return t.id && info_of(h, t)->kind == k; }
static const tp_basic *basic_of(const tp_rheap *h, uint32_t b) { return &h->universe->basics.at[b]; }
static bool is_object_type(const tp_rheap *h, uint32_t b) { return b > TP_OTHER_BASIC && h->types[b].is_used; }

// ----------------------------------------------------------------------- slots

static uint64_t n_static_elements(const tp_rheap *h, uint32_t basic, uint32_t nth) {
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == basic && nth-- == 0) {
      const tp_type t = h->program->statics.at[h->statics.at[i].object].type;
      return is_kind(h, t, TP_T_ARRAY) ? info_of(h, t)->n_elements : 1;
    }
  return 0;
}

static uint32_t length_slot(const tp_rlayout *l, uint32_t owner) {
  for (size_t i = 0; i < l->slots.n; i++)
    if (l->slots.at[i].kind == TP_SLOT_LENGTH && l->slots.at[i].owner == owner) return (uint32_t)i;
  return UINT32_MAX;
}

static int64_t most(const tp_rheap *h) { return ((int64_t)1 << (h->limits.width_bits - 1)) - 1; }

static void add_field(tp_rlayout *l, uint32_t field) {
  const tp_rheap *h = l->h;
  const tp_symbol *s = h->fields.at[field].symbol;
  const uint32_t n_keys = tp_rheap_n_keys(h, s);
  if (n_keys == 0) tp_vec_push(&l->slots, (tp_slot){TP_SLOT_FIELD, 0, field, 0, -1, UINT32_MAX});
  for (uint32_t o = 0; n_keys > 0 && o < h->types[s->basic].atoms.n; o++) {
    const uint32_t owner = h->types[s->basic].atoms.at[o];
    if (n_keys == 1) tp_vec_push(&l->slots, (tp_slot){TP_SLOT_FIELD, 0, field, owner, -1, UINT32_MAX});
    if (n_keys == 1) continue;
    const bool is_made = s->kind == TP_SYMBOL_ELEMENTS && o < h->limits.objects;
    const uint64_t n = s->kind == TP_SYMBOL_FIELD ? info_of(h, s->ctype)->n_elements : is_made ? h->limits.objects : n_static_elements(h, s->basic, o - h->limits.objects);
    for (int64_t i = 0; i < (int64_t)n && i <= most(h); i++)
      tp_vec_push(&l->slots, (tp_slot){TP_SLOT_FIELD, 0, field, owner, i, is_made ? length_slot(l, owner) : UINT32_MAX});
  }
}

void tp_rlayout_init(tp_rlayout *l, const tp_rheap *h, tp_func f) {
  *l = (tp_rlayout){.h = h, .func = f, .n_params = tp_func_of(h->program, f)->n_params};
  for (uint32_t b = 0; b < h->universe->basics.n; b++) {
    if (!is_object_type(h, b)) continue;
    tp_vec_push(&l->slots, (tp_slot){TP_SLOT_COUNT, b, 0, 0, -1, UINT32_MAX});
    for (uint32_t i = 0; i < h->limits.objects && basic_of(h, b)->kind == TP_BASIC_ARRAY; i++)
      tp_vec_push(&l->slots, (tp_slot){TP_SLOT_LENGTH, b, 0, h->types[b].atoms.at[i], -1, UINT32_MAX});
  }
  for (uint32_t f2 = 0; f2 < h->fields.n; f2++)
    if (!h->fields.at[f2].is_inner && h->fields.at[f2].symbol->kind != TP_SYMBOL_GHOST) add_field(l, f2);
  for (uint32_t i = 0; i < l->n_params && i < h->inputs.n; i++) tp_vec_push(&l->slots, (tp_slot){TP_SLOT_PARAM, 0, i, 0, -1, UINT32_MAX});
}

void tp_rlayout_clear(tp_rlayout *l) { tp_vec_clear(&l->slots); }

static const tp_rheap_field *field_of(const tp_rlayout *l, const tp_slot *s) {
  return s->kind == TP_SLOT_PARAM ? &l->h->inputs.at[s->field] : &l->h->fields.at[s->field];
}
static tp_type type_of(const tp_rlayout *l, const tp_slot *s) { return tp_rheap_value_type(l->h, field_of(l, s)->symbol); }

bool tp_rlayout_is_pointer(const tp_rlayout *l, size_t slot) {
  const tp_slot *s = &l->slots.at[slot];
  return (s->kind == TP_SLOT_FIELD || s->kind == TP_SLOT_PARAM) && !tp_rheap_is_integer(l->h, type_of(l, s));
}

/* The columns before the value. */
static uint32_t keys_of(const tp_rlayout *l, const tp_slot *s, uint32_t *atoms) {
  uint32_t n = 0;
  if (s->kind != TP_SLOT_FIELD) return 0;
  if (field_of(l, s)->symbol->kind != TP_SYMBOL_GLOBAL) atoms[n++] = s->owner;
  if (s->index >= 0 && tp_rel_find_int_atom(l->h->atoms, s->index, &atoms[n])) n++;
  return n;
}

static uint32_t number(const tp_rlayout *l, tp_rel_expr r) { return tp_rel_relation_number(l->h->l, r); }

static int64_t read_value(const tp_rlayout *l, const tp_slot *s, const tp_rel_instance *i) {
  const tp_rel_tuples *r = &i->of[number(l, field_of(l, s)->start)];
  uint32_t want[3], have[3];
  const uint32_t n = keys_of(l, s, want);
  for (size_t k = 0; k < r->n; k++) {
    int64_t value;
    tp_rel_tuple_atoms(l->h->atoms, r->at[k], n + 1, have);
    if (n && memcmp(want, have, n * sizeof *want) != 0) continue;
    return tp_rel_atom_is_int(l->h->atoms, have[n], &value) ? value : have[n];
  }
  return tp_rlayout_is_pointer(l, (size_t)(s - l->slots.at)) ? l->h->null_atom : 0;
}

void tp_rlayout_read(const tp_rlayout *l, const tp_rel_instance *i, int64_t *at) {
  for (size_t k = 0; k < l->slots.n; k++) {
    const tp_slot *s = &l->slots.at[k];
    const tp_rheap_type *t = &l->h->types[s->basic];
    at[k] = s->kind == TP_SLOT_LENGTH ? 1 : 0;
    if (s->kind == TP_SLOT_COUNT) {
      const tp_rel_tuples *last = &i->of[number(l, t->last)];
      for (uint32_t o = 0; o < l->h->limits.objects; o++)
        if (last->n && last->at[0] == t->atoms.at[o]) at[k] = o + 1;
    } else if (s->kind != TP_SLOT_LENGTH) at[k] = read_value(l, s, i);
    if (s->kind != TP_SLOT_FIELD || s->length == UINT32_MAX) continue;
    uint32_t want[3], have[3];
    const uint32_t n = keys_of(l, s, want);
    const tp_rel_tuples *r = &i->of[number(l, field_of(l, s)->start)];
    for (size_t e = 0; e < r->n; e++) {
      tp_rel_tuple_atoms(l->h->atoms, r->at[e], n + 1, have);
      if (memcmp(want, have, n * sizeof *want) == 0 && at[s->length] < s->index + 1) at[s->length] = s->index + 1;
    }
  }
}

/* Is the owner of the slot there, and long enough? */
static bool is_there(const tp_rlayout *l, const tp_slot *s, const int64_t *at) {
  if (s->kind != TP_SLOT_FIELD || field_of(l, s)->symbol->kind == TP_SYMBOL_GLOBAL) return true;
  if (s->length != UINT32_MAX && at[s->length] <= s->index) return false;
  uint32_t basic = field_of(l, s)->symbol->basic;
  const tp_rheap *h = l->h;
  uint32_t place = 0;
  while (h->types[basic].atoms.at[place] != s->owner) place++;
  for (;;) {                                                 // an inner struct is there if its owner is
    uint32_t n_statics = 0, inner = 0;
    for (size_t i = 0; i < h->statics.n; i++) n_statics += h->statics.at[i].basic == basic;
    if (place < h->limits.objects) break;
    if (place < h->limits.objects + n_statics) return true;
    place -= h->limits.objects + n_statics;
    for (size_t f = 0; f < h->fields.n; f++) {
      const tp_rheap_field *g = &h->fields.at[f];
      if (!g->is_inner || !tp_rheap_basic_of(h, g->symbol->ctype, &inner) || inner != basic) continue;
      const uint32_t n = (uint32_t)h->types[g->symbol->basic].atoms.n;
      if (place < n) {
        basic = g->symbol->basic;
        break;
      }
      place -= n;
    }
  }
  for (size_t k = 0; k < l->slots.n; k++)
    if (l->slots.at[k].kind == TP_SLOT_COUNT && l->slots.at[k].basic == basic) return place < (uint64_t)at[k];
  return false;
}

void tp_rlayout_write(const tp_rlayout *l, const int64_t *at, tp_rel_instance *i) {
  for (size_t k = 0; k < l->slots.n; k++)
    if (l->slots.at[k].kind == TP_SLOT_COUNT) i->of[number(l, l->h->types[l->slots.at[k].basic].last)].n = 0;
    else if (l->slots.at[k].kind != TP_SLOT_LENGTH) i->of[number(l, field_of(l, &l->slots.at[k])->start)].n = 0;
  for (size_t k = 0; k < l->slots.n; k++) {
    const tp_slot *s = &l->slots.at[k];
    if (s->kind == TP_SLOT_COUNT) {
      const tp_rheap_type *t = &l->h->types[s->basic];
      if (at[k] > 0) tp_rel_tuples_add(&i->of[number(l, t->last)], t->atoms.at[at[k] - 1]);
    } else if (s->kind != TP_SLOT_LENGTH && is_there(l, s, at)) {
      uint32_t tuple[3], n = keys_of(l, s, tuple);
      if (tp_rlayout_is_pointer(l, k)) tuple[n++] = (uint32_t)at[k];
      else if (!tp_rel_find_int_atom(l->h->atoms, at[k], &tuple[n++])) continue;
      tp_rel_tuples_add(&i->of[number(l, field_of(l, s)->start)], tp_rel_tuple(l->h->atoms, tuple, n));
    }
  }
}

// ---------------------------------------------------------------------- programs

static void print_objects(const tp_rlayout *l, tp_str *out) {
  const tp_rheap *h = l->h;
  for (uint32_t b = 0; b < h->universe->basics.n; b++) {
    if (!is_object_type(h, b)) continue;
    const tp_basic *basic = basic_of(h, b);
    const char *element = basic->kind == TP_BASIC_ARRAY ? info_of(h, basic->type)->name : basic->name;
    uint32_t count = 0, place = h->limits.objects;
    while (l->slots.at[count].kind != TP_SLOT_COUNT || l->slots.at[count].basic != b) count++;
    for (uint32_t i = 0; i < h->limits.objects; i++) {
      const uint32_t atom = h->types[b].atoms.at[i];
      tp_str_printf(out, "  if (tp_in[%u] > %u) tp_at[%u] = calloc(", count, i, atom);
      if (basic->kind == TP_BASIC_ARRAY) tp_str_printf(out, "tp_in[%u]", length_slot(l, atom));
      else tp_str_add(out, "1");
      tp_str_printf(out, ", sizeof(%s));  /* %s */\n", element, tp_rel_atom_name(h->atoms, atom));
    }
    for (size_t i = 0; i < h->statics.n; i++)
      if (h->statics.at[i].basic == b) tp_str_printf(out, "  tp_at[%u] = &%s;\n", h->types[b].atoms.at[place++], h->program->statics.at[h->statics.at[i].object].name);
  }
}

/* In an order in which owners come first. */
static void print_inner(const tp_rlayout *l, uint32_t basic, tp_str *out) {
  const tp_rheap *h = l->h;
  uint32_t inner, other;
  for (size_t f = 0; f < h->fields.n; f++) {
    const tp_rheap_field *g = &h->fields.at[f];
    if (!g->is_inner || g->symbol->basic != basic || !tp_rheap_basic_of(h, g->symbol->ctype, &inner)) continue;
    size_t place = h->limits.objects;
    for (size_t i = 0; i < h->statics.n; i++) place += h->statics.at[i].basic == inner;
    for (size_t e = 0; e < f; e++) {
      const tp_rheap_field *o = &h->fields.at[e];
      if (o->is_inner && tp_rheap_basic_of(h, o->symbol->ctype, &other) && other == inner) place += h->types[o->symbol->basic].atoms.n;
    }
    for (size_t k = 0; k < h->types[basic].atoms.n; k++) {
      const uint32_t owner = h->types[basic].atoms.at[k];
      tp_str_printf(out, "  if (tp_at[%u]) tp_at[%u] = &((%s *)tp_at[%u])->%s;\n", owner, h->types[inner].atoms.at[place + k], basic_of(h, basic)->name, owner, g->symbol->name);
    }
    print_inner(l, inner, out);
  }
}

static bool is_inside(const tp_rheap *h, uint32_t basic) {
  uint32_t inner;
  for (size_t f = 0; f < h->fields.n; f++)
    if (h->fields.at[f].is_inner && tp_rheap_basic_of(h, h->fields.at[f].symbol->ctype, &inner) && inner == basic) return true;
  return false;
}

static void print_all_inner(const tp_rlayout *l, tp_str *out) {
  for (uint32_t b = 0; b < l->h->universe->basics.n; b++)
    if (is_object_type(l->h, b) && !is_inside(l->h, b)) print_inner(l, b, out);
}

static void print_lvalue(const tp_rlayout *l, const tp_slot *s, tp_str *out) {
  const tp_symbol *f = field_of(l, s)->symbol;
  if (f->kind == TP_SYMBOL_GLOBAL) tp_str_add(out, f->name);
  else if (f->kind == TP_SYMBOL_ELEMENTS) tp_str_printf(out, "((__typeof__(%s) *)tp_at[%u])[%lld]", info_of(l->h, f->ctype)->name, s->owner, (long long)s->index);
  else {
    tp_str_printf(out, "((%s *)tp_at[%u])->%s", basic_of(l->h, f->basic)->name, s->owner, f->name);
    if (s->index >= 0) tp_str_printf(out, "[%lld]", (long long)s->index);
  }
}

static void print_guard(const tp_rlayout *l, const tp_slot *s, tp_str *out) {
  if (field_of(l, s)->symbol->kind == TP_SYMBOL_GLOBAL) return;
  tp_str_printf(out, "if (tp_at[%u] && !tp_gone[%u]", s->owner, s->owner);
  if (s->length != UINT32_MAX) tp_str_printf(out, " && tp_in[%u] > %lld", s->length, (long long)s->index);
  tp_str_add(out, ") ");
}

/* The value of a slot as C. */
static void print_value(const tp_rlayout *l, size_t slot, tp_str *out) {
  const tp_slot *s = &l->slots.at[slot];
  const tp_rheap *h = l->h;
  const tp_type type = type_of(l, s);
  if (!tp_rlayout_is_pointer(l, slot)) tp_str_printf(out, "tp_in[%zu]", slot);
  else if (is_kind(h, info_of(h, type)->element, TP_T_FUNCTION)) {
    for (size_t i = 0; i < h->functions.n; i++)
      tp_str_printf(out, "tp_in[%zu] == %u ? %s : ", slot, h->types[TP_FUNCTION_BASIC].atoms.at[i], h->program->statics.at[h->functions.at[i].object].name);
    tp_str_add(out, "0");
  } else tp_str_printf(out, "tp_at[tp_in[%zu]]", slot);
}

static void print_build(const tp_rlayout *l, tp_str *out) {
  tp_str_add(out, "static void tp_build(void) {\n");
  print_objects(l, out);
  print_all_inner(l, out);
  for (size_t k = 0; k < l->slots.n; k++) {
    const tp_slot *s = &l->slots.at[k];
    if (s->kind != TP_SLOT_FIELD) continue;
    tp_str_add(out, "  ");
    print_guard(l, s, out);
    print_lvalue(l, s, out);
    tp_str_add(out, " = ");
    print_value(l, k, out);
    tp_str_add(out, ";\n");
  }
  tp_str_add(out, "}\n\n");
}

/* What the pointer in this expression leads to, as an atom. */
static void print_name_of(const tp_rlayout *l, tp_type type, const char *expression, tp_str *out) {
  const tp_rheap *h = l->h;
  const tp_type to = info_of(h, type)->element;
  uint32_t basic, first = 0, n = 0;
  if (is_kind(h, to, TP_T_FUNCTION)) {
    tp_str_printf(out, "!%s ? %u : ", expression, h->null_atom);
    for (size_t i = 0; i < h->functions.n; i++)
      tp_str_printf(out, "%s == %s ? %u : ", expression, h->program->statics.at[h->functions.at[i].object].name, h->types[TP_FUNCTION_BASIC].atoms.at[i]);
    tp_str_printf(out, "%d", TP_POST_UNKNOWN);
    return;
  }
  if (tp_rheap_basic_of(h, to, &basic) && h->types[basic].is_used) first = h->types[basic].atoms.at[0], n = h->limits.objects;
  tp_str_printf(out, "tp_name(%s, %u, %u)", expression, first, n);
}

static void print_answer(const tp_rlayout *l, tp_str *out) {
  tp_str_add(out, "static void tp_answer(void) {\n");
  print_all_inner(l, out);
  for (size_t k = 0; k < l->slots.n; k++) {
    const tp_slot *s = &l->slots.at[k];
    if (s->kind != TP_SLOT_FIELD) continue;
    tp_str lvalue = {0};
    print_lvalue(l, s, &lvalue);
    tp_str_printf(out, "  tp_post[%zu] = %d;\n  ", k, TP_POST_ABSENT);
    print_guard(l, s, out);
    tp_str_printf(out, "tp_post[%zu] = ", k);
    if (tp_rlayout_is_pointer(l, k)) print_name_of(l, type_of(l, s), tp_str_text(&lvalue), out);
    else tp_str_add(out, tp_str_text(&lvalue));
    tp_str_add(out, ";\n");
    tp_str_clear(&lvalue);
  }
  tp_str_add(out, "}\n\n");
}

/* New objects that nothing leads to, where their size tells their type. */
static void print_adoptions(const tp_rlayout *l, tp_str *out) {
  const tp_rheap *h = l->h;
  for (uint32_t b = 0; b < h->universe->basics.n; b++) {
    if (!is_object_type(h, b) || basic_of(h, b)->kind != TP_BASIC_STRUCT) continue;
    bool is_only = info_of(h, basic_of(h, b)->type)->size_bytes > 0;
    for (uint32_t o = 0; o < h->universe->basics.n; o++)
      is_only = is_only && (o == b || !is_object_type(h, o) || basic_of(h, o)->kind != TP_BASIC_STRUCT || info_of(h, basic_of(h, o)->type)->size_bytes != info_of(h, basic_of(h, b)->type)->size_bytes);
    if (is_only) tp_str_printf(out, "    if (!tp_new) tp_adopt(sizeof(%s), %u, %u);\n", basic_of(h, b)->name, h->types[b].atoms.at[0], h->limits.objects);
  }
}

/* One place more, for the result. */
static void print_main(const tp_rlayout *l, tp_build_mode mode, tp_str *out) {
  const tp_func_info *f = tp_func_of(l->h->program, l->func);
  const tp_type result = f->type.id ? info_of(l->h, f->type)->element : TP_TYPE_NONE;
  const bool has_result = f->result.id && result.id;
  tp_str_add(out, "int main(void) {\n");
  if (mode == TP_BUILD_ASKED) tp_str_printf(out, "  for (int i = 0; i < %zu; i++) tp_in[i] = __VERIFIER_nondet_long();\n", l->slots.n);
  tp_str_add(out, "  tp_build();\n");
  if (mode == TP_BUILD_FIXED) tp_str_add(out, "  puts(\"called\");\n  fflush(stdout);\n");
  tp_str_printf(out, "  %s%s(", has_result ? "__auto_type result = " : "", f->name);
  uint32_t n = 0;
  for (size_t k = 0; k < l->slots.n; k++) {
    if (l->slots.at[k].kind != TP_SLOT_PARAM) continue;
    tp_str_add(out, n++ ? ", " : "");
    print_value(l, k, out);
  }
  tp_str_add(out, ");\n");
  if (mode == TP_BUILD_FIXED) tp_str_add(out, "  puts(\"returned\");\n  fflush(stdout);\n");
  tp_str_printf(out, "  tp_post[%zu] = %d;\n", l->slots.n, TP_POST_ABSENT);
  tp_str_add(out, "  do {\n    tp_new = 0;\n    tp_answer();\n");
  if (has_result) {
    tp_str_printf(out, "    tp_post[%zu] = ", l->slots.n);
    if (tp_rheap_is_integer(l->h, result)) tp_str_add(out, "result");
    else if (is_kind(l->h, result, TP_T_POINTER)) print_name_of(l, result, "result", out);
    else tp_str_printf(out, "%d", TP_POST_UNKNOWN);
    tp_str_add(out, ";\n");
  }
  print_adoptions(l, out);
  tp_str_printf(out, "  } while (tp_new);\n  if (tp_is_unknown()) tp_post[%zu] = %d;\n", l->slots.n, TP_POST_UNKNOWN);
  if (mode == TP_BUILD_FIXED)
    tp_str_printf(out, "  for (int i = 0; i <= %zu; i++) printf(\"%%ld\\n\", tp_post[i]);\n"
                       "  for (int i = 0; i < %u; i++) printf(\"%%d\\n\", tp_gone[i] ? 2 : tp_at[i] != 0);\n", l->slots.n, tp_rel_n_atoms(l->h->atoms));
  tp_str_add(out, "  return 0;\n}\n");
}

void tp_rlayout_program(const tp_rlayout *l, const char *path, tp_build_mode mode, const int64_t *at, tp_str *out) {
  const uint32_t n_atoms = tp_rel_n_atoms(l->h->atoms);
  tp_str_printf(out, "/* Builds a heap and calls %s. */\n#include <stdlib.h>\n#include <stdio.h>\n", tp_func_of(l->h->program, l->func)->name);
  tp_str_printf(out, "long __VERIFIER_nondet_long(void);\nstatic void *tp_at[%u], *tp_freed[64], *tp_made[64];\nstatic size_t tp_size[64];\nstatic int tp_gone[%u], tp_new, tp_n_freed, tp_n_made;\n", n_atoms, n_atoms);
  tp_str_printf(out, "static long tp_post[%zu];\nstatic long tp_in[%zu] = {", l->slots.n + 1, l->slots.n + 1);
  for (size_t k = 0; k < l->slots.n && mode == TP_BUILD_FIXED; k++) tp_str_printf(out, "%s%lld", k ? ", " : "", (long long)at[k]);
  tp_str_printf(out, "%s};\n\n", mode == TP_BUILD_FIXED && l->slots.n ? "" : "0");
  tp_str_printf(out, "static void tp_free(void *p) {\n  for (int i = 0; p && i < %u; i++)\n    if (tp_at[i] == p) tp_gone[i] = 1;\n"
                     "  if (tp_n_freed < 64) tp_freed[tp_n_freed++] = p;\n  free(p);\n}\n", n_atoms);
  tp_str_printf(out, "static long tp_name(void *p, int first, int n) {\n  if (!p) return %u;\n  for (int i = 0; i < %u; i++)\n    if (tp_at[i] == p) return i;\n"
                     "  for (int i = first; i < first + n; i++)\n    if (!tp_at[i]) {\n      tp_at[i] = p;\n      tp_new = 1;\n"
                     "      for (int k = 0; k < tp_n_freed; k++)\n        if (tp_freed[k] == p) tp_gone[i] = 1;\n      return i;\n    }\n  return %d;\n}\n\n", l->h->null_atom, n_atoms, TP_POST_UNKNOWN);
  tp_str_printf(out, "static void *tp_keep(void *p, size_t n) {\n  if (tp_n_made < 64) tp_made[tp_n_made] = p, tp_size[tp_n_made++] = n;\n  return p;\n}\n"
                     "static void *tp_malloc(size_t n) { return tp_keep(%s, n); }\nstatic void *tp_calloc(size_t k, size_t n) { return tp_keep(calloc(k, n), k * n); }\n",
                mode == TP_BUILD_FIXED ? "calloc(1, n)" : "malloc(n)");
  tp_str_printf(out, "/* New objects that nothing leads to. */\nstatic void tp_adopt(size_t size, int first, int n) {\n  for (int k = 0; k < tp_n_made; k++)\n    if (tp_size[k] == size) tp_name(tp_made[k], first, n);\n}\n"
                     "static int tp_is_unknown(void) {\n  for (int k = 0; k < tp_n_made; k++) {\n    int is_gone = 0;\n    for (int i = 0; i < tp_n_freed; i++) is_gone |= tp_freed[i] == tp_made[k];\n"
                     "    if (!is_gone && tp_name(tp_made[k], 0, 0) == %d) return 1;\n  }\n  return 0;\n}\n\n", TP_POST_UNKNOWN);
  tp_str_printf(out, "#define malloc tp_malloc\n#define calloc tp_calloc\n#define free tp_free\n#define main tp_main_of_the_program\n#include \"%s\"\n#undef main\n#undef free\n#undef calloc\n#undef malloc\n\n", path);
  print_build(l, out);
  print_answer(l, out);
  print_main(l, mode, out);
}

// ------------------------------------------------------------------------ stubs

static bool has_body(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (strcmp(p->funcs.at[i].name, name) == 0) return p->funcs.at[i].has_body;
  return false;
}

/* Under the name that the linker knows: the program declares it with a type of its own. */
static void print_stub(const tp_program *p, const char *name, uint32_t number, const char *body, tp_str *out) {
  if (!has_body(p, name)) tp_str_printf(out, "__attribute__((weak)) long tp_stub%u(long c) __asm__(\"%s\");\nlong tp_stub%u(long c) { %s }\n", number, name, number, body);
}

void tp_rlayout_stubs(const tp_rlayout *l, const int64_t *inputs, size_t n, tp_str *out) {
  static const char *const errors[] = {"reach_error", "__VERIFIER_error"}, *const assumptions[] = {"__VERIFIER_assume", "assume_abort_if_not"};
  const tp_program *p = l->h->program;
  TP_VEC(const char *) seen = {0};
  uint32_t number = 0;
  tp_str_printf(out, "\nstatic const long tp_inputs[%zu] = {", n + 1);
  for (size_t k = 0; k < n; k++) tp_str_printf(out, "%lld, ", (long long)inputs[k]);
  tp_str_printf(out, "0};\nstatic void tp_stop(void) {\n  puts(\"stopped\");\n  fflush(stdout);\n  exit(0);\n}\n"
                     "static long tp_next(void) {\n  static int n;\n  if (n == %zu) tp_stop();\n  return tp_inputs[n++];\n}\n", n);
  for (size_t k = 0; k < 2; k++) print_stub(p, errors[k], number++, "(void)c; abort();", out);
  for (size_t k = 0; k < 2; k++) print_stub(p, assumptions[k], number++, "if (!(int)c) tp_stop(); return 0;", out);
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
