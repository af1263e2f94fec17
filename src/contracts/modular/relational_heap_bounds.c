/* Atoms and bounds for the relations of a heap, once all of them are known.
 *
 * A type's atoms are counted from the limits, the static objects and the inner structs that were
 * asked for. Every relation has as its upper bound all tuples that C's types allow; what never
 * changes (sets, orders, inner structs' owners, small numbers) is bound exactly. Nothing is lost:
 * what the formulas of relational_heap.c allow lies within these bounds. */
#include "contracts/modular/relational_heap_priv.h"

/* "struct cell" 3: "cell3" */
static uint32_t n_statics(const tp_rheap *h, uint32_t basic) {
  uint32_t n = 0;
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == basic) n += h->statics.at[i].n_atoms;
  return n;
}

uint32_t tp_rheap_n_lasting(const tp_rheap *h, uint32_t basic) {
  return tp_rheap_n_objects(h, basic) + n_statics(h, basic);
}

uint32_t tp_rheap_n_own(const tp_rheap *h, uint32_t basic) {
  uint32_t n = tp_rheap_n_lasting(h, basic);
  for (size_t i = 0; i < h->locals.n; i++)
    if (h->locals.at[i].basic == basic) n += h->locals.at[i].n_atoms;
  return n;
}

static const char *atom_name(tp_rheap *h, uint32_t basic, uint32_t i) {
  const char *name = h->object_model->basics.at[basic].name;
  return tp_arena_printf(&h->arena, "%s%u", strncmp(name, "struct ", 7) == 0 ? name + 7 : name, i);
}

static void note_local(tp_rheap *h, uint32_t atom) {
  if (h->is_local.n <= atom) tp_vec_resize(&h->is_local, (size_t)atom + 1);
  h->is_local.at[atom] = true;
}

/* The n-th of the elements of an array of structs, or the object itself. */
static const char *element_name(tp_rheap *h, const char *name, bool is_row, uint32_t n) {
  return is_row ? tp_arena_printf(&h->arena, "%s[%u]", name, n) : name;
}

static bool is_row(const tp_rheap *h, const tp_rheap_field *f) {
  return f->is_inner && tp_rheap_n_keys(h, f->symbol) == 2;
}

/* Objects that can be made come first. */
static void make_atoms(tp_rheap *h, uint32_t basic) {
  TP_REQUIRE(h->types[basic].is_used);
  tp_rheap_type *t = &h->types[basic];
  if (t->atoms.n) return;
  for (uint32_t i = 0; i < tp_rheap_n_objects(h, basic); i++)
    tp_vec_push(&t->atoms, tp_rel_atom(h->atoms, atom_name(h, basic, i)));
  for (size_t i = 0; i < h->statics.n; i++) {
    const tp_rheap_static *s = &h->statics.at[i];
    const char *name = h->program->statics.at[s->object].name;
    for (uint32_t k = 0; s->basic == basic && k < s->n_atoms; k++)
      tp_vec_push(&t->atoms, tp_rel_atom(h->atoms, element_name(h, name, s->elements.id, k)));
  }
  for (size_t i = 0; i < h->locals.n; i++) {
    const tp_rheap_local *v = &h->locals.at[i];
    const char *name = tp_rel_relation_name(h->l, tp_rel_relation_number(h->l, v->set));
    for (uint32_t k = 0; v->basic == basic && k < v->n_atoms; k++) {
      tp_vec_push(&t->atoms, tp_rel_atom(h->atoms, element_name(h, name, v->elements.id, k)));
      note_local(h, tp_vec_last(&t->atoms));
    }
  }
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field *f = &h->fields.at[i];
    uint32_t inner;
    if (!tp_rheap_inner_of(h, f, &inner) || inner != basic) continue;
    make_atoms(h, f->symbol->basic);  // structs cannot contain themselves
    for (size_t k = 0; k < h->types[f->symbol->basic].atoms.n; k++)
      for (uint32_t e = 0; e < f->n_inner; e++) {
        const uint32_t owner = h->types[f->symbol->basic].atoms.at[k];
        const char *name =
            tp_arena_printf(&h->arena, "%s.%s", tp_rel_atom_name(h->atoms, owner), f->symbol->name);
        tp_vec_push(&t->atoms, tp_rel_atom(h->atoms, element_name(h, name, is_row(h, f), e)));
        if (tp_rheap_is_local(h, owner)) note_local(h, tp_vec_last(&t->atoms));
      }
  }
}

typedef struct {
  TP_VEC(uint32_t) at;
} atom_list;

static void add_integers(const tp_rheap *h, tp_type type, atom_list *out) {
  const tp_type_info *info = tp_rheap_info_of(h, type);
  const int64_t least = -((int64_t)1 << (h->limits.width_bits - 1)), most = -least - 1;
  for (int64_t v = least; v <= most; v++) {
    uint32_t atom;
    const bool fits = info->kind == TP_T_BOOL ? v == 0 || v == 1 : info->is_signed || v >= 0;
    if (fits && tp_rel_find_int_atom(h->atoms, v, &atom)) tp_vec_push(&out->at, atom);
  }
}

static void add_values(const tp_rheap *h, tp_type type, atom_list *out) {
  if (tp_rheap_is_integer(h, type)) {
    add_integers(h, type, out);
    return;
  }
  const tp_type to = tp_rheap_info_of(h, type)->element;
  uint32_t basic, n = (uint32_t)h->object_model->basics.n, first = 0, last = n;
  tp_vec_push(&out->at, h->null_atom);
  for (size_t i = 0; to.id && tp_rheap_is_kind(h, to, TP_T_FUNCTION) && i < h->functions.n; i++)
    if (tp_rheap_is_of_type(h, h->functions.at[i].object, to))
      tp_vec_push(&out->at, h->types[TP_FUNCTION_BASIC].atoms.at[i]);
  if (to.id && tp_rheap_is_kind(h, to, TP_T_FUNCTION))
    first = last = TP_FUNCTION_BASIC;
  else if (tp_rheap_basic_of(h, to, &basic))
    first = basic, last = basic + 1;
  else
    first = TP_OTHER_BASIC + 1;
  for (uint32_t b = first; b < last; b++)
    for (size_t i = 0; i < h->types[b].atoms.n; i++) tp_vec_push(&out->at, h->types[b].atoms.at[i]);
}

/* Indices that an element of this owner can have. */
static uint64_t n_indices(const tp_rheap *h, const tp_symbol *s, uint32_t owner_place) {
  if (s->kind == TP_SYMBOL_FIELD) return tp_rheap_info_of(h, s->ctype)->n_elements;
  uint32_t place = tp_rheap_n_objects(h, s->basic);
  if (owner_place < place) return h->limits.objects;
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == s->basic && place++ == owner_place)
      return tp_rheap_n_elements(h, h->statics.at[i].object);
  for (size_t i = 0; i < h->locals.n; i++)
    if (h->locals.at[i].basic == s->basic && place++ == owner_place)
      return h->locals.at[i].n_elements;
  return h->limits.objects;
}

static void add_atoms_of(const tp_rheap *h, uint32_t basic, atom_list *out) {
  TP_REQUIRE(basic < h->object_model->basics.n);
  uint32_t atom;
  const int64_t least = -((int64_t)1 << (h->limits.width_bits - 1));
  if (basic == TP_NULL_BASIC) tp_vec_push(&out->at, h->null_atom);
  for (int64_t v = least; basic == TP_INT_BASIC && v < -least; v++)
    if (tp_rel_find_int_atom(h->atoms, v, &atom)) tp_vec_push(&out->at, atom);
  for (size_t i = 0; basic > TP_INT_BASIC && i < h->types[basic].atoms.n; i++)
    tp_vec_push(&out->at, h->types[basic].atoms.at[i]);
}

/* All tuples of the products of its type. */
static void upper_of_ghost(const tp_rheap *h, const tp_symbol *s, tp_rel_tuples *out) {
  const uint32_t arity = tp_reltype_arity(s->type);
  for (uint32_t p = 0; p < s->type.n; p++) {
    atom_list column[3] = {0};
    uint32_t tuple[3], at[3] = {0}, c = 0;
    for (; c < arity; c++)
      for (uint32_t b = 0; b < h->object_model->basics.n; b++)
        if (tp_product_has(&h->object_model->types, &s->type.at[p], c, b))
          add_atoms_of(h, b, &column[c]);
    const bool is_empty = column[0].at.n == 0 || (arity > 1 && column[1].at.n == 0) ||
                          (arity > 2 && column[2].at.n == 0);
    for (bool more = !is_empty; more;) {
      for (c = 0; c < arity; c++) tuple[c] = column[c].at.at[at[c]];
      tp_rel_tuples_add(out, tp_rel_tuple(h->atoms, tuple, arity));
      for (c = arity; c > 0 && ++at[c - 1] == column[c - 1].at.n; c--) at[c - 1] = 0;
      more = c > 0;
    }
    for (c = 0; c < arity; c++) tp_vec_clear(&column[c].at);
  }
}

/* Where local variables may stand in the tuples of a relation. */
typedef enum { NO_LOCALS, LOCAL_OWNERS, ONLY_LOCAL_OWNERS, LOCALS } use_of_locals;

static bool has_owner(const tp_rheap *h, uint32_t atom, use_of_locals locals) {
  return tp_rheap_is_local(h, atom) ? locals != NO_LOCALS : locals != ONLY_LOCAL_OWNERS;
}

static void upper_of(const tp_rheap *h, const tp_symbol *symbol, use_of_locals locals,
                     tp_rel_tuples *out) {
  if (symbol->kind == TP_SYMBOL_GHOST) {
    upper_of_ghost(h, symbol, out);
    return;
  }
  const uint32_t n_keys = tp_rheap_n_keys(h, symbol);
  atom_list values = {0};
  add_values(h, tp_rheap_value_type(h, symbol), &values);
  const tp_rheap_type *owners = n_keys ? &h->types[symbol->basic] : NULL;
  for (size_t o = 0; o < (owners ? owners->atoms.n : 1); o++)
    for (uint64_t i = 0; i < (n_keys == 2 ? n_indices(h, symbol, (uint32_t)o) : 1); i++)
      for (size_t v = 0; v < values.at.n; v++) {
        uint32_t tuple[3], n = 0;
        if (owners && !has_owner(h, owners->atoms.at[o], locals)) continue;
        if (locals != LOCALS && tp_rheap_is_local(h, values.at.at[v])) continue;
        if (owners) tuple[n++] = owners->atoms.at[o];
        if (n_keys == 2 && !tp_rel_find_int_atom(h->atoms, (int64_t)i, &tuple[n])) continue;
        n += n_keys == 2;
        tuple[n++] = values.at.at[v];
        tp_rel_tuples_add(out, tp_rel_tuple(h->atoms, tuple, n));
      }
  tp_vec_clear(&values.at);
}

static tp_status bind_between(tp_rheap *h, tp_rel_expr r, const tp_rel_tuples *upper) {
  const tp_rel_tuples none = {0};
  return tp_rel_bound(h->bounds, r, &none, upper);
}

static tp_status bind_set(tp_rheap *h, tp_rel_expr r, const uint32_t *atoms, size_t n) {
  tp_rel_tuples s = {0};
  for (size_t i = 0; i < n; i++) tp_rel_tuples_add(&s, atoms[i]);
  const tp_status st = tp_rel_bound_exactly(h->bounds, r, &s);
  tp_rel_tuples_clear(&s);
  return st;
}

static tp_status bind_type(tp_rheap *h, uint32_t basic) {
  const tp_rheap_type *t = &h->types[basic];
  const uint32_t n = tp_rheap_n_objects(h, basic);
  tp_rel_tuples order = {0}, some = {0};
  for (uint32_t i = 0; i < n; i++) {
    tp_rel_tuples_add(&some, t->atoms.at[i]);
    if (i + 1 < n) tp_rel_tuples_add(&order, tp_rel_tuple(h->atoms, &t->atoms.at[i], 2));
  }
  tp_status st = bind_set(h, t->set, t->atoms.at, t->atoms.n);
  if (st == TP_OK) st = bind_set(h, t->first, t->atoms.at, n > 0);
  if (st == TP_OK) st = tp_rel_bound_exactly(h->bounds, t->order, &order);
  if (st == TP_OK) st = bind_between(h, t->last, &some);
  tp_rel_tuples_clear(&order);
  tp_rel_tuples_clear(&some);
  atom_list locals = {0};
  for (size_t i = 0; i < t->atoms.n; i++)
    if (tp_rheap_is_local(h, t->atoms.at[i])) tp_vec_push(&locals.at, t->atoms.at[i]);
  if (st == TP_OK) st = bind_set(h, t->locals, locals.at.at, locals.at.n);
  tp_vec_clear(&locals.at);
  return st;
}

uint32_t tp_rheap_inner_place(const tp_rheap *h, size_t field) {
  uint32_t inner = 0, other;
  if (!tp_rheap_inner_of(h, &h->fields.at[field], &inner)) return 0;
  uint32_t at = tp_rheap_n_own(h, inner);
  for (size_t i = 0; i < field; i++) {
    const tp_rheap_field *g = &h->fields.at[i];
    if (tp_rheap_inner_of(h, g, &other) && other == inner)
      at += (uint32_t)h->types[g->symbol->basic].atoms.n * g->n_inner;
  }
  return at;
}

/* The k-th atom of the owner has the k-th of its inner structs, or of its arrays of them, behind
 * those of the fields before. */
static tp_status bind_inner(tp_rheap *h, size_t field) {
  const tp_rheap_field *f = &h->fields.at[field];
  uint32_t inner, at = tp_rheap_inner_place(h, field), tuple[3];
  tp_rel_tuples lies = {0}, by_index = {0};
  if (!tp_rheap_inner_of(h, f, &inner)) return TP_ERR_INTERNAL;
  const tp_rheap_type *owner = &h->types[f->symbol->basic];
  for (size_t k = 0; k < owner->atoms.n; k++)
    for (uint32_t e = 0; e < f->n_inner; e++) {
      tuple[0] = owner->atoms.at[k];
      tuple[1] = h->types[inner].atoms.at[at++];
      tp_rel_tuples_add(&lies, tp_rel_tuple(h->atoms, tuple, 2));
      tuple[2] = tuple[1];
      if (is_row(h, f) && tp_rel_find_int_atom(h->atoms, e, &tuple[1]))
        tp_rel_tuples_add(&by_index, tp_rel_tuple(h->atoms, tuple, 3));
    }
  tp_status st = tp_rel_bound_exactly(h->bounds, f->lies, &lies);
  if (st == TP_OK && is_row(h, f)) st = tp_rel_bound_exactly(h->bounds, f->initial, &by_index);
  tp_rel_tuples_clear(&lies);
  tp_rel_tuples_clear(&by_index);
  return st;
}

/* How far it is from one to another of these n elements of an array of structs. */
static void add_shifts(const tp_rheap *h, const uint32_t *atoms, uint32_t n, tp_rel_tuples *shift) {
  uint32_t tuple[3];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      if (tp_rel_find_int_atom(h->atoms, (int64_t)k - i, &tuple[1])) {
        tuple[0] = atoms[i];
        tuple[2] = atoms[k];
        tp_rel_tuples_add(shift, tp_rel_tuple(h->atoms, tuple, 3));
      }
}

/* n atoms of the type from `first` on: the object, or elements of an array of structs. */
static tp_status bind_atoms(tp_rheap *h, uint32_t basic, uint32_t first, uint32_t n,
                            tp_rel_expr set, tp_rel_expr elements, tp_rel_tuples *shift) {
  const uint32_t *atoms = &h->types[basic].atoms.at[first];
  tp_rel_tuples indices = {0};
  uint32_t tuple[2];
  tp_status st = bind_set(h, set, atoms, n);
  if (st != TP_OK || !elements.id) return st;
  for (uint32_t i = 0; i < n; i++)
    if (tp_rel_find_int_atom(h->atoms, i, &tuple[0])) {
      tuple[1] = atoms[i];
      tp_rel_tuples_add(&indices, tp_rel_tuple(h->atoms, tuple, 2));
    }
  add_shifts(h, atoms, n, shift);
  st = tp_rel_bound_exactly(h->bounds, elements, &indices);
  tp_rel_tuples_clear(&indices);
  return st;
}

/* Elements of arrays that lie inside of other structs. */
static void add_inner_shifts(const tp_rheap *h, uint32_t basic, tp_rel_tuples *shift) {
  uint32_t inner;
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field *f = &h->fields.at[i];
    if (!is_row(h, f) || !tp_rheap_inner_of(h, f, &inner) || inner != basic) continue;
    const uint32_t *atoms = h->types[basic].atoms.at + tp_rheap_inner_place(h, i);
    for (size_t k = 0; k < h->types[f->symbol->basic].atoms.n; k++)
      add_shifts(h, atoms + k * f->n_inner, f->n_inner, shift);
  }
}

/* Statics and locals of the type. */
static tp_status bind_variables(tp_rheap *h, uint32_t basic) {
  uint32_t at = tp_rheap_n_objects(h, basic);
  tp_rel_tuples shift = {0};
  tp_status st = TP_OK;
  for (size_t i = 0; i < h->statics.n && st == TP_OK; i++) {
    const tp_rheap_static *s = &h->statics.at[i];
    if (s->basic != basic) continue;
    st = bind_atoms(h, basic, at, s->n_atoms, s->set, s->elements, &shift);
    at += s->n_atoms;
  }
  for (size_t i = 0; i < h->locals.n && st == TP_OK; i++) {
    const tp_rheap_local *v = &h->locals.at[i];
    if (v->basic != basic) continue;
    st = bind_atoms(h, basic, at, v->n_atoms, v->set, v->elements, &shift);
    at += v->n_atoms;
  }
  add_inner_shifts(h, basic, &shift);
  if (st == TP_OK) st = tp_rel_bound_exactly(h->bounds, h->types[basic].shift, &shift);
  tp_rel_tuples_clear(&shift);
  return st;
}

static tp_status bind_field(tp_rheap *h, size_t field) {
  const tp_rheap_field f = h->fields.at[field];
  if (f.is_inner) return bind_inner(h, field);
  tp_rel_tuples upper = {0};
  upper_of(h, f.symbol, NO_LOCALS, &upper);
  tp_status st = bind_between(h, f.initial, &upper);
  tp_rel_tuples_clear(&upper);
  if (st == TP_OK && f.uninitialised.id) {
    upper_of(h, f.symbol, LOCAL_OWNERS, &upper);
    st = bind_between(h, f.uninitialised, &upper);
    tp_rel_tuples_clear(&upper);
  }
  return st;
}

static tp_status bind_havoc(tp_rheap *h, const tp_rheap_havoc *v) {
  tp_rel_tuples upper = {0};
  if (v->symbol) upper_of(h, v->symbol, v->is_fresh ? ONLY_LOCAL_OWNERS : LOCALS, &upper);
  if (v->is_flag) tp_rel_tuples_add(&upper, h->null_atom);
  for (uint32_t b = TP_OTHER_BASIC + 1; !v->symbol && !v->is_flag && b < h->object_model->basics.n;
       b++)
    for (size_t i = 0;
         i < h->types[b].atoms.n && (!v->basic || (v->basic == b && i < tp_rheap_n_objects(h, b)));
         i++)
      tp_rel_tuples_add(&upper, h->types[b].atoms.at[i]);
  const tp_status st = bind_between(h, v->relation, &upper);
  tp_rel_tuples_clear(&upper);
  return st;
}

/* Sets of small numbers, and who comes after whom. */
static tp_status bind_numbers(tp_rheap *h) {
  tp_rel_tuples pairs = {0};
  uint32_t pair[2];
  const int64_t least = -((int64_t)1 << (h->limits.width_bits - 1)), most = -least - 1;
  for (int64_t v = least; v < most; v++)
    if (tp_rel_find_int_atom(h->atoms, v, &pair[0]) &&
        tp_rel_find_int_atom(h->atoms, v + 1, &pair[1]))
      tp_rel_tuples_add(&pairs, tp_rel_tuple(h->atoms, pair, 2));
  tp_status st = tp_rel_bound_exactly(h->bounds, tp_rel_relation(h->l, "successor", 2), &pairs);
  tp_rel_tuples_clear(&pairs);
  for (uint32_t r = 0; r < tp_rel_n_relations(h->l) && st == TP_OK; r++) {
    const char *name = tp_rel_relation_name(h->l, r);
    if (strncmp(name, "below ", 6) != 0) continue;
    atom_list below = {0};
    uint32_t atom;
    int64_t n = 0;
    for (const char *d = name + 6; *d; d++) n = n * 10 + (*d - '0');
    for (int64_t v = 0; v < n && v <= most; v++)
      if (tp_rel_find_int_atom(h->atoms, v, &atom)) tp_vec_push(&below.at, atom);
    st = bind_set(h, tp_rel_relation(h->l, name, 1), below.at.at, below.at.n);
    tp_vec_clear(&below.at);
  }
  return st;
}

tp_status tp_rheap_set_bounds(tp_rheap *h) {
  TP_REQUIRE(!h->bounds && !h->atoms);
  h->atoms = tp_rel_universe_new();
  h->null_atom = tp_rel_atom(h->atoms, "null");
  for (size_t i = 0; i < h->functions.n; i++)
    tp_vec_push(&h->types[TP_FUNCTION_BASIC].atoms,
                tp_rel_atom(h->atoms, h->program->statics.at[h->functions.at[i].object].name));
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(h, b)) make_atoms(h, b);
  tp_rel_int_atoms(h->atoms, h->limits.width_bits);
  h->bounds = tp_rel_bounds_new(h->l, h->atoms);
  TP_TRY(bind_set(h, h->null, &h->null_atom, 1));
  for (size_t i = 0; i < h->functions.n; i++)
    TP_TRY(bind_set(h, h->functions.at[i].set, &h->types[TP_FUNCTION_BASIC].atoms.at[i], 1));
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(h, b)) TP_TRY(bind_type(h, b));
  tp_status st = TP_OK;
  for (uint32_t b = 0; b < h->object_model->basics.n && st == TP_OK; b++)
    if (tp_rheap_is_object_type(h, b)) st = bind_variables(h, b);
  for (size_t i = 0; i < h->fields.n && st == TP_OK; i++) st = bind_field(h, i);
  for (size_t i = 0; i < h->inputs.n && st == TP_OK; i++) {
    tp_rel_tuples upper = {0};
    upper_of(h, h->inputs.at[i].symbol, NO_LOCALS, &upper);
    st = bind_between(h, h->inputs.at[i].initial, &upper);
    tp_rel_tuples_clear(&upper);
  }
  for (size_t i = 0; i < h->havocs.n && st == TP_OK; i++) st = bind_havoc(h, &h->havocs.at[i]);
  if (st == TP_OK) st = bind_numbers(h);
  TP_INVARIANT(st != TP_OK || tp_rheap_check(h));
  return st;
}

bool tp_rheap_check(const tp_rheap *h) {
  for (uint32_t f = 0; f < h->fields.n; f++) {
    const tp_rheap_field *field = &h->fields.at[f];
    const uint32_t arity = tp_rheap_n_keys(h, field->symbol) + 1;
    if (!field->initial.id || tp_rel_at(h->l, field->initial.id)->arity != arity) return false;
    if (field->uninitialised.id && tp_rel_at(h->l, field->uninitialised.id)->arity != arity)
      return false;
    if (h->bounds && !tp_rel_lower(h->bounds, tp_rel_relation_number(h->l, field->initial)))
      return false;
  }
  for (uint32_t b = TP_OTHER_BASIC + 1; h->bounds && b < h->object_model->basics.n; b++)
    if (h->types[b].is_used && h->types[b].atoms.n < tp_rheap_n_objects(h, b)) return false;
  return !h->bounds || tp_rel_bounds_check(h->bounds);
}
