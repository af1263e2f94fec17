/* Heaps as lists of numbers: which slots a heap has, and the conversion from and to instances. A
 * slot belongs to an atom; whether the atom is allocated follows from the slot with the number of
 * objects of its type, for inner structs from their owners. */
#include "contracts/modular/heap_layout.h"

#include "contracts/modular/relational_heap_priv.h"

static const tp_basic *basic_of(const tp_rheap *h, uint32_t b) {
  return &h->object_model->basics.at[b];
}

// ----------------------------------------------------------------------- slots

/* Of the nth array behind those that can be made: statics, then locals. */
static uint64_t n_fixed_elements(const tp_rheap *h, uint32_t basic, uint32_t nth) {
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == basic && nth-- == 0) {
      const tp_type t = h->program->statics.at[h->statics.at[i].object].type;
      return tp_rheap_is_kind(h, t, TP_T_ARRAY) ? tp_rheap_info_of(h, t)->n_elements : 1;
    }
  for (size_t i = 0; i < h->locals.n; i++)
    if (h->locals.at[i].basic == basic && nth-- == 0) return h->locals.at[i].n_elements;
  return 0;
}

uint32_t tp_heap_layout_length(const tp_heap_layout *l, uint32_t owner) {
  for (size_t i = 0; i < l->slots.n; i++)
    if (l->slots.at[i].kind == TP_HEAP_SLOT_LENGTH && l->slots.at[i].owner == owner)
      return (uint32_t)i;
  return UINT32_MAX;
}

static int64_t most(const tp_rheap *h) { return ((int64_t)1 << (h->limits.width_bits - 1)) - 1; }

static void add_field(tp_heap_layout *l, uint32_t field) {
  TP_REQUIRE(field < l->h->fields.n && !l->h->fields.at[field].is_inner);
  const tp_rheap *h = l->h;
  const tp_symbol *s = h->fields.at[field].symbol;
  const uint32_t n_keys = tp_rheap_n_keys(h, s), n_made = tp_rheap_n_objects(h, s->basic);
  if (n_keys == 0)
    tp_vec_push(&l->slots, (tp_heap_slot){TP_HEAP_SLOT_FIELD, 0, field, 0, -1, UINT32_MAX});
  for (uint32_t o = 0; n_keys > 0 && o < h->types[s->basic].atoms.n; o++) {
    const uint32_t owner = h->types[s->basic].atoms.at[o];
    if (n_keys == 1)
      tp_vec_push(&l->slots, (tp_heap_slot){TP_HEAP_SLOT_FIELD, 0, field, owner, -1, UINT32_MAX});
    if (n_keys == 1) continue;
    const bool is_made = s->kind == TP_SYMBOL_ELEMENTS && o < n_made;
    const uint64_t n = s->kind == TP_SYMBOL_FIELD ? tp_rheap_info_of(h, s->ctype)->n_elements
                       : is_made                  ? h->limits.objects
                                                  : n_fixed_elements(h, s->basic, o - n_made);
    for (int64_t i = 0; i < (int64_t)n && i <= most(h); i++)
      tp_vec_push(&l->slots,
                  (tp_heap_slot){TP_HEAP_SLOT_FIELD, 0, field, owner, i,
                                 is_made ? tp_heap_layout_length(l, owner) : UINT32_MAX});
  }
}

void tp_heap_layout_init(tp_heap_layout *l, const tp_rheap *h, tp_func f) {
  TP_REQUIRE(h->bounds != NULL);
  *l = (tp_heap_layout){.h = h, .func = f, .n_params = tp_func_of(h->program, f)->n_params};
  for (uint32_t b = 0; b < h->object_model->basics.n; b++) {
    if (!tp_rheap_is_object_type(h, b)) continue;
    tp_vec_push(&l->slots, (tp_heap_slot){TP_HEAP_SLOT_COUNT, b, 0, 0, -1, UINT32_MAX});
    const uint32_t n = tp_rheap_n_objects(h, b);
    for (uint32_t i = 0; i < n && basic_of(h, b)->kind == TP_BASIC_ARRAY; i++)
      tp_vec_push(&l->slots, (tp_heap_slot){TP_HEAP_SLOT_LENGTH, b, 0, h->types[b].atoms.at[i], -1,
                                            UINT32_MAX});
  }
  for (uint32_t f2 = 0; f2 < h->fields.n; f2++)
    if (!h->fields.at[f2].is_inner && h->fields.at[f2].symbol->kind != TP_SYMBOL_GHOST)
      add_field(l, f2);
  for (uint32_t i = 0; i < l->n_params && i < h->inputs.n; i++)
    tp_vec_push(&l->slots, (tp_heap_slot){TP_HEAP_SLOT_PARAM, 0, i, 0, -1, UINT32_MAX});
}

void tp_heap_layout_clear(tp_heap_layout *l) { tp_vec_clear(&l->slots); }

static const tp_rheap_field *field_of(const tp_heap_layout *l, const tp_heap_slot *s) {
  return s->kind == TP_HEAP_SLOT_PARAM ? &l->h->inputs.at[s->field] : &l->h->fields.at[s->field];
}
static tp_type type_of(const tp_heap_layout *l, const tp_heap_slot *s) {
  return tp_rheap_value_type(l->h, field_of(l, s)->symbol);
}

bool tp_heap_layout_is_pointer(const tp_heap_layout *l, size_t slot) {
  TP_REQUIRE(slot < l->slots.n);
  const tp_heap_slot *s = &l->slots.at[slot];
  return (s->kind == TP_HEAP_SLOT_FIELD || s->kind == TP_HEAP_SLOT_PARAM) &&
         !tp_rheap_is_integer(l->h, type_of(l, s));
}

/* The columns before the value. */
static uint32_t keys_of(const tp_heap_layout *l, const tp_heap_slot *s, uint32_t *atoms) {
  uint32_t n = 0;
  if (s->kind != TP_HEAP_SLOT_FIELD) return 0;
  if (field_of(l, s)->symbol->kind != TP_SYMBOL_GLOBAL) atoms[n++] = s->owner;
  if (s->index >= 0 && tp_rel_find_int_atom(l->h->atoms, s->index, &atoms[n])) n++;
  return n;
}

static uint32_t number(const tp_heap_layout *l, tp_rel_expr r) {
  return tp_rel_relation_number(l->h->l, r);
}

static int64_t read_value(const tp_heap_layout *l, const tp_heap_slot *s,
                          const tp_rel_instance *i) {
  const tp_rel_tuples *r = &i->of[number(l, field_of(l, s)->initial)];
  uint32_t want[3], have[3];
  const uint32_t n = keys_of(l, s, want);
  for (size_t k = 0; k < r->n; k++) {
    int64_t value;
    tp_rel_tuple_atoms(l->h->atoms, r->at[k], n + 1, have);
    if (n && memcmp(want, have, n * sizeof *want) != 0) continue;
    return tp_rel_atom_is_int(l->h->atoms, have[n], &value) ? value : have[n];
  }
  return tp_heap_layout_is_pointer(l, (size_t)(s - l->slots.at)) ? l->h->null_atom : 0;
}

void tp_heap_layout_read(const tp_heap_layout *l, const tp_rel_instance *i, int64_t *at) {
  TP_REQUIRE(i && at);
  for (size_t k = 0; k < l->slots.n; k++) {
    const tp_heap_slot *s = &l->slots.at[k];
    const tp_rheap_type *t = &l->h->types[s->basic];
    at[k] = s->kind == TP_HEAP_SLOT_LENGTH ? 1 : 0;
    if (s->kind == TP_HEAP_SLOT_COUNT) {
      const tp_rel_tuples *last = &i->of[number(l, t->last)];
      for (uint32_t o = 0; o < tp_rheap_n_objects(l->h, s->basic); o++)
        if (last->n && last->at[0] == t->atoms.at[o]) at[k] = o + 1;
    } else if (s->kind != TP_HEAP_SLOT_LENGTH)
      at[k] = read_value(l, s, i);
    if (s->kind != TP_HEAP_SLOT_FIELD || s->length == UINT32_MAX) continue;
    uint32_t want[3], have[3];
    const uint32_t n = keys_of(l, s, want);
    const tp_rel_tuples *r = &i->of[number(l, field_of(l, s)->initial)];
    for (size_t e = 0; e < r->n; e++) {
      tp_rel_tuple_atoms(l->h->atoms, r->at[e], n + 1, have);
      if (memcmp(want, have, n * sizeof *want) == 0 && at[s->length] < s->index + 1)
        at[s->length] = s->index + 1;
    }
  }
}

bool tp_heap_layout_is_allocated(const tp_heap_layout *l, size_t slot, const int64_t *at) {
  TP_REQUIRE(slot < l->slots.n);
  const tp_heap_slot *s = &l->slots.at[slot];
  if (s->kind != TP_HEAP_SLOT_FIELD || field_of(l, s)->symbol->kind == TP_SYMBOL_GLOBAL)
    return true;
  if (s->length != UINT32_MAX && at[s->length] <= s->index) return false;
  uint32_t basic = field_of(l, s)->symbol->basic;
  const tp_rheap *h = l->h;
  uint32_t place = 0;
  while (h->types[basic].atoms.at[place] != s->owner) place++;
  for (;;) {  // an inner struct is allocated if its owner is
    uint32_t inner = 0;
    if (place < tp_rheap_n_objects(h, basic)) break;
    if (place < tp_rheap_n_own(h, basic)) return place < tp_rheap_n_lasting(h, basic);
    place -= tp_rheap_n_own(h, basic);
    for (size_t f = 0; f < h->fields.n; f++) {
      const tp_rheap_field *g = &h->fields.at[f];
      if (!tp_rheap_inner_of(h, g, &inner) || inner != basic) continue;
      const uint32_t n = (uint32_t)h->types[g->symbol->basic].atoms.n * g->n_inner;
      if (place < n) {
        basic = g->symbol->basic;
        place /= g->n_inner;
        break;
      }
      place -= n;
    }
  }
  for (size_t k = 0; k < l->slots.n; k++)
    if (l->slots.at[k].kind == TP_HEAP_SLOT_COUNT && l->slots.at[k].basic == basic)
      return place < (uint64_t)at[k];
  return false;
}

void tp_heap_layout_write(const tp_heap_layout *l, const int64_t *at, tp_rel_instance *i) {
  TP_REQUIRE(i && at);
  for (size_t k = 0; k < l->slots.n; k++)
    if (l->slots.at[k].kind == TP_HEAP_SLOT_COUNT)
      i->of[number(l, l->h->types[l->slots.at[k].basic].last)].n = 0;
    else if (l->slots.at[k].kind != TP_HEAP_SLOT_LENGTH)
      i->of[number(l, field_of(l, &l->slots.at[k])->initial)].n = 0;
  for (size_t k = 0; k < l->slots.n; k++) {
    const tp_heap_slot *s = &l->slots.at[k];
    if (s->kind == TP_HEAP_SLOT_COUNT) {
      const tp_rheap_type *t = &l->h->types[s->basic];
      if (at[k] > 0) tp_rel_tuples_add(&i->of[number(l, t->last)], t->atoms.at[at[k] - 1]);
    } else if (s->kind != TP_HEAP_SLOT_LENGTH && tp_heap_layout_is_allocated(l, k, at)) {
      uint32_t tuple[3], n = keys_of(l, s, tuple);
      if (tp_heap_layout_is_pointer(l, k))
        tuple[n++] = (uint32_t)at[k];
      else if (!tp_rel_find_int_atom(l->h->atoms, at[k], &tuple[n++]))
        continue;
      tp_rel_tuples_add(&i->of[number(l, field_of(l, s)->initial)],
                        tp_rel_tuple(l->h->atoms, tuple, n));
    }
  }
}
