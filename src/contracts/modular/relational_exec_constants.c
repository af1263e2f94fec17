/* Constant memory: tables and string literals that the program defines and never changes.
 *
 * It has no relations: what is read at an index is a choice of the numbers that stand there, and an
 * initialiser is copied number by number. Of a table the elements count whose indices fit the
 * width; a number that does not fit is undefined, so that such an execution is outside of the
 * bounds. Pointers to constant memory are values of variables; heaps have none. */
#include "contracts/modular/relational_exec_priv.h"

static const tp_type_info *info_of(const tp_rexecutor *r, tp_type t) { return tp_type_of(r->p, t); }
static bool is_kind(const tp_rexecutor *r, tp_type t, tp_type_kind k) {
  return t.id && info_of(r, t)->kind == k;
}
static tp_rel_expr product(tp_rexecutor *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_PRODUCT, a, b);
}
static int64_t most(const tp_rexecutor *r) {
  return ((int64_t)1 << (r->h->limits.width_bits - 1)) - 1;
}

// ------------------------------------------------------------------------- images

/* The bytes of a scalar, if no pointer stands there. */
static bool bits_at(const tp_static *o, uint64_t offset, uint64_t size, uint64_t *bits) {
  bool is_plain = size > 0 && size <= 8 && offset + size <= o->size_bytes;
  *bits = 0;
  for (uint32_t k = 0; k < o->n_relocs; k++)
    is_plain =
        is_plain && (o->relocs[k].offset >= offset + size || o->relocs[k].offset + 8 <= offset);
  for (uint64_t k = 0; k < size && is_plain && o->image; k++)
    *bits |= (uint64_t)o->image[offset + k] << 8 * k;
  return is_plain;
}

static tp_rel_int int_of_bits(tp_rexecutor *r, uint64_t bits, tp_type type) {
  const uint64_t size = info_of(r, type)->size_bytes;
  int64_t v = (int64_t)bits;
  if (info_of(r, type)->is_signed && size < 8 && bits >> (8 * size - 1) & 1)
    v = (int64_t)(bits | UINT64_MAX << 8 * size);
  const bool is_large = !info_of(r, type)->is_signed && size == 8 && v < 0;
  return is_large || v > most(r) || v < -most(r) - 1 ? tp_rexecutor_undefined(r)
                                                     : tp_rel_constant(r->l, v);
}

// -------------------------------------------------------------------------- tables

/* The table's symbol: the same for all addresses in it. */
static const tp_symbol *symbol_of(tp_rexecutor *r, uint32_t object, tp_type element) {
  uint64_t known;
  if (tp_map_get(&r->constants, object, &known)) return (const tp_symbol *)(uintptr_t)known;
  tp_symbol *s = tp_arena_new(r->arena, tp_symbol);
  *s = (tp_symbol){.kind = TP_SYMBOL_GLOBAL,
                   .name = r->p->statics.at[object].name,
                   .ctype = element,
                   .object = object};
  tp_map_set(&r->constants, object, (uint64_t)(uintptr_t)s);
  return s;
}

/* Literals have no declared type: they are read byte by byte. */
static tp_type char_type(const tp_rexecutor *r) {
  for (uint32_t i = 1; i < r->p->types.n; i++)
    if (r->p->types.at[i].kind == TP_T_INT && r->p->types.at[i].is_signed &&
        r->p->types.at[i].size_bytes == 1)
      return (tp_type){i};
  return TP_TYPE_NONE;
}

bool tp_rexecutor_constant_table(tp_rexecutor *r, uint32_t object, tp_rexec_address *out) {
  const tp_static *o = &r->p->statics.at[object];
  const tp_type element = !o->type.id                       ? char_type(r)
                          : is_kind(r, o->type, TP_T_ARRAY) ? info_of(r, o->type)->element
                                                            : o->type;
  const bool is_table = o->kind == TP_O_LITERAL && o->is_const && !o->is_extern && element.id &&
                        o->size_bytes >= info_of(r, element)->size_bytes &&
                        (tp_rheap_is_integer(r->h, element) || is_kind(r, element, TP_T_POINTER));
  if (!is_table) return false;
  *out = (tp_rexec_address){.base = tp_rel_none(r->l, 1),
                            .view = element,
                            .cell = symbol_of(r, object, element),
                            .index = tp_rel_constant(r->l, 0)};
  return true;
}

/* The pointer that stands there. */
static tp_rexec_value pointer_at(tp_rexecutor *r, tp_rexec_state *s, const tp_static *o,
                                 uint64_t offset, uint64_t size) {
  uint64_t bits;
  for (uint32_t k = 0; k < o->n_relocs; k++)
    if (o->relocs[k].offset == offset)
      return tp_rexecutor_constant_pointer(r, s, o->relocs[k].object, o->relocs[k].addend);
  if (!bits_at(o, offset, size, &bits) || bits) tp_rexec_unsupported(r, "constant memory");
  return tp_rexecutor_constant_pointer(r, s, 0, 0);
}

static tp_rexec_value element_at(tp_rexecutor *r, tp_rexec_state *s, const tp_static *o, uint64_t k,
                                 tp_type type, bool as_bool) {
  const uint64_t size = info_of(r, type)->size_bytes;
  uint64_t bits;
  if (!tp_rheap_is_integer(r->h, type)) return pointer_at(r, s, o, k * size, size);
  if (!bits_at(o, k * size, size, &bits)) tp_rexec_unsupported(r, "constant memory");
  if (as_bool)
    return (tp_rexec_value){.kind = TP_REXEC_VALUE_BOOL, .b = tp_rel_bool(r->l, bits & 1)};
  return (tp_rexec_value){.kind = TP_REXEC_VALUE_INT, .i = int_of_bits(r, bits, type)};
}

tp_rexec_value tp_rexecutor_load_constant(tp_rexecutor *r, tp_rexec_state *s,
                                          const tp_rexec_address *p, bool as_bool) {
  TP_REQUIRE(tp_rexec_is_constant(p) && p->index.id);
  const tp_static *o = &r->p->statics.at[p->cell->object];
  const tp_type type = p->cell->ctype;
  const uint64_t n = o->size_bytes / info_of(r, type)->size_bytes,
                 last = n - 1 < (uint64_t)most(r) ? n - 1 : (uint64_t)most(r);
  tp_rel_formula outside =
      tp_rel_compare_ints(r->l, TP_REL_LESS, p->index, tp_rel_constant(r->l, 0));
  if (n <= (uint64_t)most(r))
    outside = tp_rel_or(
        r->l, outside,
        tp_rel_compare_ints(r->l, TP_REL_LESS, tp_rel_constant(r->l, (int64_t)last), p->index));
  tp_rexecutor_end(r, s, TP_REXEC_FAILS, p->when.id ? tp_rel_and(r->l, p->when, outside) : outside,
                   "index out of range");
  tp_rexec_value value = element_at(r, s, o, last, type, as_bool);
  for (uint64_t k = last; k-- > 0 && !r->why;)
    value = tp_rexecutor_choose(
        r, tp_rel_compare_ints(r->l, TP_REL_INT_EQUAL, p->index, tp_rel_constant(r->l, (int64_t)k)),
        element_at(r, s, o, k, type, as_bool), value);
  return value;
}

// -------------------------------------------------------------------- initialisers

/* The scalar at this offset of constant memory, as a set of one. */
static tp_rel_expr image_value(tp_rexecutor *r, const tp_static *o, uint64_t offset, tp_type type) {
  uint64_t bits;
  const bool is_plain = bits_at(o, offset, info_of(r, type)->size_bytes, &bits),
             is_integer = tp_rheap_is_integer(r->h, type);
  if (!is_plain || (!is_integer && (!is_kind(r, type, TP_T_POINTER) || bits))) {
    tp_rexec_unsupported(r, "constant memory");
    return r->h->null;
  }
  return is_integer ? tp_rel_atom_of(r->l, int_of_bits(r, bits, type)) : r->h->null;
}

/* n elements at indices of the owner. */
static tp_rel_expr image_elements(tp_rexecutor *r, tp_rel_expr owner, const tp_static *o,
                                  uint64_t offset, tp_type element, uint64_t n) {
  tp_rel_expr all = tp_rel_none(r->l, 3);
  for (uint64_t k = 0; k < n && !r->why; k++) {
    const tp_rel_expr key =
        product(r, owner, tp_rel_atom_of(r->l, tp_rel_constant(r->l, (int64_t)k)));
    all = tp_rexec_union(
        r, all,
        product(r, key, image_value(r, o, offset + k * info_of(r, element)->size_bytes, element)));
  }
  return all;
}

/* The members of an object of struct type get the values that stand in constant memory. */
static void copy_image(tp_rexecutor *r, tp_rexec_state *s, uint32_t basic, tp_rel_expr to,
                       const tp_static *o, uint64_t offset) {
  TP_REQUIRE(o->is_const);
  const tp_object_model *u = r->h->object_model;
  for (size_t i = 0; i < u->symbols.n && !r->why; i++) {
    const tp_symbol *m = u->symbols.at[i];
    if (m->kind != TP_SYMBOL_FIELD || m->basic != basic) continue;
    const uint32_t f = tp_rexecutor_field_of(r, m);
    const uint64_t at = offset + m->offset_bits / 8;
    uint32_t inner;
    if (f == TP_RHEAP_NO_FIELD) return;
    if (r->h->fields.at[f].is_inner) {
      const uint64_t size = info_of(r, tp_rheap_value_type(r->h, m))->size_bytes;
      for (uint32_t k = 0;
           tp_rheap_inner_of(r->h, &r->h->fields.at[f], &inner) && k < r->h->fields.at[f].n_inner;
           k++)
        copy_image(r, s, inner, tp_rexecutor_inside(r, to, f, k), o, at + k * size);
      continue;
    }
    const bool is_array = tp_rheap_n_keys(r->h, m) == 2;
    const tp_rel_expr value = is_array ? image_elements(r, to, o, at, tp_rheap_value_type(r->h, m),
                                                        info_of(r, m->ctype)->n_elements)
                                       : product(r, to, image_value(r, o, at, m->ctype));
    s->fields[f] = tp_rel_binary(r->l, TP_REL_OVERRIDE, tp_rexecutor_field(r, s, f), value);
  }
}

bool tp_rexecutor_copy_constant(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  const tp_terms *tt = r->p->terms;
  if (tp_kind(tt, e->b) != TP_OP_PTR_CONST) return false;
  const uint32_t object = tp_ptr_const_object(tt, e->b);
  const uint64_t offset = tp_ptr_const_offset(tt, e->b);
  if (object == 0 || object >= r->p->statics.n || !r->p->statics.at[object].is_const ||
      r->p->statics.at[object].is_extern)
    return false;
  const tp_static *o = &r->p->statics.at[object];
  const tp_rexec_value to = tp_rexecutor_address(r, s, e->a);
  tp_rexec_address target;
  uint32_t basic;
  uint64_t bytes;
  if (r->why) return true;
  if (tp_rexecutor_struct_of_size(r, to, e->c, &target, &basic)) {
    if (tp_rexecutor_has_bit_fields(r, target.view, 0)) tp_rexec_unsupported(r, "bit-fields");
    tp_rexecutor_check_access(r, s, &target, target.base);
    copy_image(r, s, basic, target.base, o, offset);
    return true;
  }
  if (to.n_addresses != 1 || to.addresses[0].cell ||
      !tp_rheap_basic_of(r->h, to.addresses[0].view, &basic) || !tp_bv_value_u64(tt, e->c, &bytes))
    return false;
  const uint64_t size = info_of(r, to.addresses[0].view)->size_bytes;
  for (size_t i = 0; i < r->h->object_model->symbols.n && size; i++) {
    const tp_symbol *m = r->h->object_model->symbols.at[i];
    if (m->kind != TP_SYMBOL_ELEMENTS || m->basic != basic || bytes % size) continue;
    const uint32_t f = tp_rexecutor_field_of(r, m);
    if (f == TP_RHEAP_NO_FIELD) return true;
    const tp_rel_expr base = to.addresses[0].base, old = tp_rexecutor_field(r, s, f),
                      value = image_elements(r, base, o, offset, m->ctype, bytes / size);
    tp_rexecutor_check_access(r, s, &to.addresses[0], base);
    const tp_rel_expr below = tp_rel_relation(
        r->l, tp_arena_printf(r->arena, "below %llu", (unsigned long long)(bytes / size)), 1);
    const tp_rel_expr have = tp_rexec_join(r, tp_rexec_join(r, base, old), tp_rel_univ(r->l));
    tp_rexecutor_end(r, s, TP_REXEC_FAILS,
                     tp_rel_not(r->l, tp_rel_compare(r->l, TP_REL_IN, below, have)),
                     "index out of range");
    s->fields[f] = tp_rexec_union(
        r, tp_rexec_difference(r, old, product(r, product(r, base, below), tp_rel_univ(r->l))),
        value);
    return true;
  }
  return false;
}
