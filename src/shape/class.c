/* Making a class: core predicates first, then for each family of the generator one predicate for
 * every choice of its parameters. Definitions are made when all predicates have numbers; a
 * definition names families before its own only, and predicates are numbered by family, so the
 * order of `predicates` is one in which values can be computed. */
#include "shape/class_priv.h"

#include "shape/coerce.h"
#include "shape/shape_limits.h"

// -------------------------------------------------------------- tracking definitions

static bool tracks(const tp_tracking *d, const tp_tracked_pointer *p) {
  for (uint32_t i = 0; i < d->n_pointers; i++)
    if (strcmp(d->pointers[i].name, p->name) == 0)
      return d->pointers[i].is_separating || !p->is_separating;
  return false;
}

static bool asserts(const tp_tracking *d, const tp_data_predicate *a) {
  for (uint32_t i = 0; i < d->n_data_predicates; i++)
    if (strcmp(d->data_predicates[i].text, a->text) == 0)
      return d->data_predicates[i].is_separating || !a->is_separating;
  return false;
}

bool tp_data_predicate_mentions(const tp_data_predicate *a, const char *variable) {
  for (uint32_t i = 0; i < a->n_variables; i++)
    if (strcmp(a->variables[i], variable) == 0) return true;
  return false;
}

bool tp_tracking_refines(const tp_tracking *a, const tp_tracking *b) {
  for (uint32_t i = 0; i < b->n_pointers; i++)
    if (!tracks(a, &b->pointers[i])) return false;
  for (uint32_t i = 0; i < b->n_data_predicates; i++)
    if (!asserts(a, &b->data_predicates[i])) return false;
  return true;
}

// ------------------------------------------------------------------ generators

tp_generator tp_generator_close(tp_generator m) {
  if (!m.entry) return m;
  for (uint32_t i = (uint32_t)m.entry->families.n; i-- > 0;)  // definitions name earlier families
    if ((m.families >> i) & 1)
      m.families |= tp_template_families(m.entry->families.at[i].definition);
  return m;
}

// -------------------------------------------------------------------- predicates

static const char *copy(tp_shape_class *c, const char *text) {
  return tp_arena_strdup(&c->arena, text);
}

static tp_status add(tp_shape_class *c, tp_shape_predicate p) {
  uint32_t *n = p.arity == 1 ? &c->n_unary : &c->n_binary;
  if (*n == (p.arity == 1 ? TP_SHAPE_MAX_UNARY : TP_SHAPE_MAX_BINARY)) return TP_ERR_LIMIT;
  p.index = (uint16_t)(*n)++;
  if (p.is_abstraction) tp_unary_set_add(&c->abstraction, p.index);
  tp_vec_push(&c->predicates, p);
  return TP_OK;
}

static uint16_t last_index(const tp_shape_class *c) { return tp_vec_last(&c->predicates).index; }

static tp_status add_core(tp_shape_class *c, const tp_tracking *d) {
  uint16_t *points = tp_arena_array(&c->arena, uint16_t, d->n_pointers + 1),
           *data_predicate = tp_arena_array(&c->arena, uint16_t, d->n_data_predicates + 1);
  uint16_t *field = tp_arena_array(&c->arena, uint16_t, c->n_fields + 1);
  for (uint32_t i = 0; i < d->n_pointers; i++) {
    const char *name = tp_arena_printf(&c->arena, "pt[%s]", c->pointers[i].name);
    TP_TRY(add(c, (tp_shape_predicate){.kind = TP_SHAPE_PREDICATE_POINTS,
                                       .arity = 1,
                                       .argument = {(int16_t)i},
                                       .name = name,
                                       .key = name,
                                       .is_abstraction = c->pointers[i].is_separating}));
    points[i] = last_index(c);
  }
  TP_TRY(add(c, (tp_shape_predicate){.kind = TP_SHAPE_PREDICATE_FREED,
                                     .arity = 1,
                                     .name = "freed",
                                     .key = "freed",
                                     .is_abstraction = true}));
  c->freed = last_index(c);
  TP_TRY(add(c, (tp_shape_predicate){.kind = TP_SHAPE_PREDICATE_OUTSIDE,
                                     .arity = 1,
                                     .name = "outside",
                                     .key = "outside",
                                     .is_abstraction = true}));
  c->outside = last_index(c);
  for (uint32_t i = 0; i < d->n_data_predicates; i++) {
    const char *name = tp_arena_printf(&c->arena, "[%s]", c->data_predicates[i].text);
    TP_TRY(add(c, (tp_shape_predicate){.kind = TP_SHAPE_PREDICATE_DATA,
                                       .arity = 1,
                                       .argument = {(int16_t)i},
                                       .name = name,
                                       .key = name,
                                       .is_abstraction = c->data_predicates[i].is_separating}));
    data_predicate[i] = last_index(c);
  }
  for (uint32_t i = 0; i < c->n_fields; i++) {
    TP_TRY(add(c, (tp_shape_predicate){.kind = TP_SHAPE_PREDICATE_FIELD,
                                       .arity = 2,
                                       .argument = {(int16_t)i},
                                       .name = c->fields[i],
                                       .key = c->fields[i]}));
    field[i] = last_index(c);
  }
  uint16_t *order = tp_arena_array(&c->arena, uint16_t, c->n_orders + 1);
  for (uint32_t i = 0; i < c->n_orders; i++) {
    const char *name = copy(c, c->generator.entry->orders.at[i]);
    TP_TRY(add(c, (tp_shape_predicate){.kind = TP_SHAPE_PREDICATE_ORDER,
                                       .arity = 2,
                                       .argument = {(int16_t)i},
                                       .name = name,
                                       .key = name}));
    order[i] = last_index(c);
  }
  c->order = order;
  c->points = points;
  c->field = field;
  c->data_predicate = data_predicate;
  return TP_OK;
}

static uint32_t range_of(const tp_shape_class *c, tp_argument_kind kind) {
  return kind == TP_ARGUMENT_POINTER ? c->n_pointers : c->n_fields;
}

static const char *instance_name(tp_shape_class *c, const tp_family *f, const int16_t *argument) {
  tp_str text = {0};
  tp_str_add(&text, f->name);
  for (uint32_t i = 0; i < f->n_arguments; i++)
    tp_str_printf(&text, "%c%s", i ? ',' : '[',
                  f->argument[i] == TP_ARGUMENT_POINTER ? c->pointers[argument[i]].name
                                                        : c->fields[argument[i]]);
  if (f->n_arguments) tp_str_add_char(&text, ']');
  const char *out = copy(c, tp_str_text(&text));
  tp_str_clear(&text);
  return out;
}

static tp_status add_family(tp_shape_class *c, uint32_t family) {
  TP_REQUIRE(family < c->generator.entry->families.n);
  const tp_family *f = &c->generator.entry->families.at[family];
  uint64_t all = 1;
  for (uint32_t i = 0; i < f->n_arguments; i++) all *= range_of(c, f->argument[i]);
  for (uint64_t code = 0; code < all; code++) {
    tp_shape_predicate p = {
        .kind = TP_SHAPE_PREDICATE_FAMILY, .arity = f->arity, .family = (uint8_t)family};
    uint64_t left = code;
    bool has_pointer = false, is_separating = true;
    for (uint32_t i = 0; i < f->n_arguments; i++) {
      const uint32_t range = range_of(c, f->argument[i]);
      p.argument[i] = (int16_t)(left % range);
      left /= range;
      if (f->argument[i] != TP_ARGUMENT_POINTER) continue;
      has_pointer = true;
      is_separating = is_separating && c->pointers[p.argument[i]].is_separating;
    }
    p.is_abstraction = f->arity == 1 && (f->is_abstraction || has_pointer) && is_separating;
    p.name = instance_name(c, f, p.argument);
    TP_TRY(add(c, p));
  }
  return TP_OK;
}

static tp_status define(tp_shape_class *c, tp_shape_predicate *p) {
  TP_REQUIRE(p->kind == TP_SHAPE_PREDICATE_FAMILY);
  const tp_family *f = &c->generator.entry->families.at[p->family];
  tp_slots slots;
  for (uint32_t i = 0; i < TP_SHAPE_MAX_SLOTS; i++)
    slots.pointer[i] = slots.field[i] = TP_UNKNOWN_SLOT;
  for (uint32_t i = 0; i < f->n_arguments; i++)
    (f->argument[i] == TP_ARGUMENT_POINTER ? slots.pointer : slots.field)[f->slot[i]] =
        p->argument[i];
  tp_formula core;
  TP_TRY(tp_shape_instantiate_core(c, f->definition, &slots, &core));
  tp_str text = {0};
  tp_shape_class_print(c, core, &text);
  p->key = copy(c, tp_str_text(&text));
  tp_str_clear(&text);
  return tp_shape_instantiate(c, f->definition, &slots, &p->definition);
}

// ----------------------------------------------------------------------- classes

static void copy_tracking(tp_shape_class *c, const tp_tracking *d) {
  tp_tracked_pointer *pointers = tp_arena_array(&c->arena, tp_tracked_pointer, d->n_pointers + 1);
  for (uint32_t i = 0; i < d->n_pointers; i++)
    pointers[i] = (tp_tracked_pointer){copy(c, d->pointers[i].name), d->pointers[i].is_separating};
  tp_data_predicate *data_predicates =
      tp_arena_array(&c->arena, tp_data_predicate, d->n_data_predicates + 1);
  for (uint32_t i = 0; i < d->n_data_predicates; i++) {
    const tp_data_predicate *a = &d->data_predicates[i];
    const char **variables = tp_arena_array(&c->arena, const char *, a->n_variables + 1);
    for (uint32_t k = 0; k < a->n_variables; k++) variables[k] = copy(c, a->variables[k]);
    data_predicates[i] =
        (tp_data_predicate){copy(c, a->text), variables, a->n_variables, a->is_separating};
  }
  c->n_pointers = d->n_pointers;
  c->pointers = pointers;
  c->n_data_predicates = d->n_data_predicates;
  c->data_predicates = data_predicates;
}

static tp_status fill(tp_shape_class *c, const char *const *fields, const tp_tracking *d) {
  const tp_description *entry = c->generator.entry;
  copy_tracking(c, d);
  const char **names = tp_arena_array(&c->arena, const char *, entry->fields.n + 1);
  for (uint32_t i = 0; i < entry->fields.n; i++)
    names[i] = copy(c, fields ? fields[i] : entry->fields.at[i]);
  c->n_fields = (uint32_t)entry->fields.n;
  c->n_orders = (uint32_t)entry->orders.n;
  c->fields = names;
  TP_TRY(add_core(c, d));
  for (uint32_t i = 0; i < entry->families.n; i++)
    if ((c->generator.families >> i) & 1) TP_TRY(add_family(c, i));
  for (size_t i = 0; i < c->predicates.n; i++)
    if (c->predicates.at[i].kind == TP_SHAPE_PREDICATE_FAMILY)
      TP_TRY(define(c, &c->predicates.at[i]));
  return tp_shape_rules_new(c, d, &c->rules);
}

tp_status tp_shape_class_new(tp_generator m, const char *const *fields, const tp_tracking *d,
                             tp_shape_class **out) {
  TP_REQUIRE(!m.entry || d);
  tp_shape_class *c = TP_NEW(tp_shape_class);
  c->generator = tp_generator_close(m);
  c->formulas = tp_formulas_new();
  const tp_status st = m.entry ? fill(c, fields, d) : TP_OK;
  if (st != TP_OK) {
    tp_shape_class_free(c);
    c = NULL;
  }
  *out = c;
  return st;
}

void tp_shape_class_free(tp_shape_class *c) {
  if (!c) return;
  tp_shape_rules_free(c->rules);
  tp_formulas_free(c->formulas);
  tp_vec_clear(&c->predicates);
  tp_arena_clear(&c->arena);
  tp_free(c);
}

static const tp_shape_predicate *by_key(const tp_shape_class *c, const tp_shape_predicate *p) {
  for (size_t i = 0; i < c->predicates.n; i++)
    if (c->predicates.at[i].arity == p->arity && strcmp(c->predicates.at[i].key, p->key) == 0)
      return &c->predicates.at[i];
  return NULL;
}

bool tp_shape_class_refines(const tp_shape_class *a, const tp_shape_class *b) {
  for (size_t i = 0; i < b->predicates.n; i++) {
    const tp_shape_predicate *p = by_key(a, &b->predicates.at[i]);
    if (!p || (b->predicates.at[i].is_abstraction && !p->is_abstraction)) return false;
  }
  return true;
}

void tp_shape_class_adjust(const tp_shape_class *to, tp_structure *out, const tp_shape_class *from,
                           const tp_structure *s) {
  tp_structure wide;
  tp_structure_init(&wide, to->n_unary, to->n_binary);
  wide.n = s->n;
  wide.summary = s->summary;
  const uint64_t nodes = tp_structure_nodes(s);
  for (size_t i = 0; i < to->predicates.n; i++) {
    const tp_shape_predicate *p = &to->predicates.at[i], *q = by_key(from, p);
    if (p->arity == 1)
      wide.unary[p->index] = q ? s->unary[q->index] : (tp_k64){nodes, 0};
    else
      for (uint32_t u = 0; u < s->n; u++)
        *tp_structure_row(&wide, p->index, u) =
            q ? *tp_structure_row(s, q->index, u) : (tp_k64){nodes, 0};
  }
  tp_structure_blur(out, &wide, &to->abstraction);
  tp_structure_clear(&wide);
}
