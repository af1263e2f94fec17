/* Addresses: from bytes back to members and elements, by the declared types of pointers.
 *
 * What does not lead to a member of the object model, or is converted to a pointer of another kind,
 * may lead anywhere. */
#include "contracts/summarise/summarise_priv.h"

static const tp_type_info *info_of(const tp_summariser *r, tp_type t) {
  return tp_type_of(r->p, t);
}

static tp_rsum_value anywhere(tp_summariser *r) {
  tp_rsum_value v = tp_rsum_any_value(r);
  v.is_anywhere = true;
  return v;
}

static bool is_void(const tp_summariser *r, tp_type t) {
  return !t.id || tp_rsum_is_kind(r, t, TP_T_VOID);
}

static bool constant_offset(const tp_summariser *r, tp_term t, int64_t *out) {
  uint64_t bits;
  if (tp_kind(r->p->terms, t) != TP_OP_BV_CONST || !tp_bv_value_u64(r->p->terms, t, &bits))
    return false;
  const uint32_t width = tp_width(r->p->terms, t);
  *out = width < 64 && (bits >> (width - 1) & 1) ? (int64_t)(bits | UINT64_MAX << width)
                                                 : (int64_t)bits;
  return true;
}

/* The constant part of a sum; *varies: there is another one. */
static int64_t constant_part(const tp_summariser *r, tp_term t, bool *varies) {
  int64_t c = 0;
  if (constant_offset(r, t, &c)) return c;
  if (tp_kind(r->p->terms, t) == TP_OP_BV_ADD)
    return constant_part(r, tp_arg(r->p->terms, t, 0), varies) +
           constant_part(r, tp_arg(r->p->terms, t, 1), varies);
  *varies = true;
  return 0;
}

/* The member that contains the byte; where the offset varies, the only array: the constant part may
 * lie in the member in front of it. */
static const tp_symbol *member_at(const tp_summariser *r, uint32_t basic, int64_t offset,
                                  bool varies) {
  return varies ? tp_object_model_only_array(r->s->u, basic)
                : tp_object_model_member_at(r->s->u, basic, offset);
}

static tp_rinterval joined(tp_summariser *r, tp_rinterval a, tp_rinterval b) {
  return (tp_rinterval){tp_rbound_join(r->t, a.lower, b.lower),
                        tp_rbound_join(r->t, a.upper, b.upper)};
}

/* Into an object of struct type, down to a scalar. */
static tp_rsum_value into_struct(tp_summariser *r, tp_rsum_value v, uint32_t basic, int64_t offset,
                                 bool varies) {
  for (int depth = 0; depth < TP_CONTRACTS_BOUND_INNER; depth++) {
    const tp_symbol *m = member_at(r, basic, offset, varies);
    const bool is_struct = m && tp_rsum_is_kind(r, m->ctype, TP_T_STRUCT);
    if (!m || (m->refused && !is_struct)) return anywhere(r);
    if (!is_struct) {
      v.cell = m;
      v.view = tp_rsum_is_kind(r, m->ctype, TP_T_ARRAY) ? info_of(r, m->ctype)->element : m->ctype;
      return v;
    }
    const uint32_t place = tp_rsums_place_of(r->s, m);
    if (place == TP_RSUM_NO_PLACE || !tp_rsums_basic_of(r->s, m->ctype, &basic)) return anywhere(r);
    v.at = joined(r, v.at, tp_rinterval_exact(r->s->places.at[place].name));
    v.view = m->ctype;
    v.origin = (tp_rsum_origin){0};
    offset -= (int64_t)(m->offset_bits / 8);
    if (offset == 0 && !varies) return v;
  }
  return anywhere(r);
}

static tp_rsum_value moved(tp_summariser *r, tp_rsum_value v, tp_term offset) {
  bool varies = false;
  uint32_t basic;
  const int64_t constant = constant_part(r, offset, &varies);
  if (v.is_anywhere || (constant == 0 && !varies)) return v;
  if (v.cell)
    return v.cell->kind == TP_SYMBOL_ELEMENTS || tp_rsum_is_kind(r, v.cell->ctype, TP_T_ARRAY)
               ? v
               : anywhere(r);
  if (!tp_rsums_basic_of(r->s, v.view, &basic)) return anywhere(r);
  if (tp_rsum_is_struct(r->s, basic)) return into_struct(r, v, basic, constant, varies);
  v.cell = tp_object_model_elements(r->s->u, basic);
  return v.cell ? v : anywhere(r);
}

tp_rbound tp_rsum_static(tp_summariser *r, uint32_t object) {
  const tp_object_model *u = r->s->u;
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *s = u->symbols.at[i];
    const bool is_struct = s->kind == TP_SYMBOL_GLOBAL && s->object == object && s->object &&
                           tp_rsum_is_kind(r, s->ctype, TP_T_STRUCT);
    if (is_struct || (s->kind == TP_SYMBOL_FUNCTION && s->object == object))
      return tp_rbound_name(r->t, (tp_rbound_name_info){s->name, s, 1, TP_RBOUND_IS_CONSTANT});
  }
  return (tp_rbound){0};
}

static tp_rsum_value constant_address(tp_summariser *r, tp_term t) {
  const uint32_t object = tp_ptr_const_object(r->p->terms, t);
  const uint64_t offset = tp_ptr_const_offset(r->p->terms, t);
  tp_rsum_value v = tp_rsum_any_value(r);
  if (object == 0 && offset == 0) {
    v.at = tp_rinterval_exact(tp_rbound_null(r->t));
    return v;
  }
  if (object == 0 || object >= r->p->statics.n) return anywhere(r);
  const tp_static *o = &r->p->statics.at[object];
  const tp_rbound name = tp_rsum_static(r, object);
  if (name.id) v.at = tp_rinterval_exact(name);
  v.view = tp_rsum_is_kind(r, o->type, TP_T_ARRAY) ? info_of(r, o->type)->element : o->type;
  uint32_t basic;
  if (offset == 0) return v;
  if (!tp_rsums_basic_of(r->s, v.view, &basic)) return anywhere(r);
  if (tp_rsum_is_struct(r->s, basic)) return into_struct(r, v, basic, (int64_t)offset, false);
  v.cell = tp_object_model_elements(r->s->u, basic);
  return v.cell ? v : anywhere(r);
}

tp_rsum_value tp_rsum_address_of(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_PTR_CONST) return constant_address(r, t);
  if (k == TP_OP_VAR || k == TP_OP_ITE) return tp_rsum_value_of(r, s, t);
  if (k == TP_OP_PTR_ADD)
    return moved(r, tp_rsum_address_of(r, s, tp_arg(tt, t, 0)), tp_arg(tt, t, 1));
  return anywhere(r);
}

// -------------------------------------------------------------------------- views

static bool is_null(const tp_summariser *r, const tp_rsum_value *v) {
  return tp_rbound_at(r->t, v->at.upper)->kind == TP_RBOUND_NULL;
}

static bool is_alike(const tp_summariser *r, tp_type a, tp_type b) {
  if (a.id == b.id) return true;
  const tp_type_info *x = info_of(r, a), *y = info_of(r, b);
  if (x->kind == TP_T_POINTER && y->kind == TP_T_POINTER) return true;
  return x->kind == y->kind && x->size_bytes == y->size_bytes && x->is_signed == y->is_signed &&
         x->kind != TP_T_STRUCT && x->kind != TP_T_UNION;
}

/* Down to the inner struct at the start that has this type. */
static tp_rsum_value down_to(tp_summariser *r, tp_rsum_value v, uint32_t basic, tp_type pointee) {
  uint32_t wanted, now = basic;
  if (!tp_rsums_basic_of(r->s, pointee, &wanted)) return anywhere(r);
  for (int depth = 0; depth < TP_CONTRACTS_BOUND_INNER; depth++) {
    v = into_struct(r, v, now, 0, false);
    if (v.is_anywhere) return v;
    if (v.cell) return is_alike(r, v.view, pointee) ? v : anywhere(r);
    if (!tp_rsums_basic_of(r->s, v.view, &now)) return anywhere(r);
    if (now == wanted) return v;
  }
  return anywhere(r);
}

tp_rsum_value tp_rsum_view_as(tp_summariser *r, tp_rsum_value v, tp_type pointee) {
  uint32_t have, want;
  if (v.is_anywhere || is_void(r, pointee)) return v;
  if (v.cell) return is_alike(r, v.view, pointee) ? v : anywhere(r);
  if (is_null(r, &v) || is_void(r, v.view) || tp_rsum_is_kind(r, pointee, TP_T_FUNCTION)) {
    v.view = pointee;
    return v;
  }
  const bool both =
      tp_rsums_basic_of(r->s, v.view, &have) && tp_rsums_basic_of(r->s, pointee, &want);
  if (both && have == want) {
    v.view = pointee;
    return v;
  }
  return both && tp_rsum_is_struct(r->s, have) ? down_to(r, v, have, pointee) : anywhere(r);
}

// -------------------------------------------------------------------------- cells

/* The index of an element: an integer, exact only where it is a constant behind the start of an
 * object that has the elements itself. */
static tp_rinterval index_of(tp_summariser *r, const tp_rsum_state *s, tp_term address,
                             const tp_symbol *cell, tp_type element) {
  const tp_rinterval any = {tp_rbound_none(r->t, 1), tp_rbound_ints(r->t)};
  const tp_terms *tt = r->p->terms;
  const int64_t size = (int64_t)info_of(r, element)->size_bytes;
  bool varies = false;
  int64_t at = 0;
  uint32_t basic;
  for (; tp_kind(tt, address) == TP_OP_PTR_ADD; address = tp_arg(tt, address, 0))
    at += constant_part(r, tp_arg(tt, address, 1), &varies);
  const tp_rsum_value from = tp_rsum_value_of(r, s, address);
  if (varies || size == 0 || from.cell || from.is_anywhere || tp_kind(tt, address) != TP_OP_VAR ||
      !tp_rsums_basic_of(r->s, from.view, &basic) || basic != cell->basic)
    return any;
  if (cell->kind == TP_SYMBOL_FIELD) at -= (int64_t)(cell->offset_bits / 8);
  return at >= 0 && at % size == 0 ? tp_rinterval_exact(tp_rbound_int(r->t, at / size)) : any;
}

static bool is_array(const tp_summariser *r, const tp_symbol *s) {
  return s->kind == TP_SYMBOL_ELEMENTS || tp_rsum_is_kind(r, s->ctype, TP_T_ARRAY);
}

bool tp_rsum_cell_at(tp_summariser *r, const tp_rsum_state *s, tp_term address, uint64_t size,
                     tp_rsum_cell *out) {
  tp_rsum_value v = tp_rsum_address_of(r, s, address);
  uint32_t basic;
  if (v.is_anywhere) return false;
  if (!v.cell) {
    if (!tp_rsums_basic_of(r->s, v.view, &basic)) return false;
    if (tp_rsum_is_struct(r->s, basic))
      v = into_struct(r, v, basic, 0, false);
    else
      v.cell = tp_object_model_elements(r->s->u, basic);
    for (int depth = 0; depth < TP_CONTRACTS_BOUND_INNER && !v.cell && !v.is_anywhere; depth++)
      if (!tp_rsums_basic_of(r->s, v.view, &basic))
        return false;
      else
        v = into_struct(r, v, basic, 0, false);
  }
  if (v.is_anywhere || !v.cell) return false;
  const tp_type type = v.cell->kind == TP_SYMBOL_FIELD && is_array(r, v.cell)
                           ? info_of(r, v.cell->ctype)->element
                           : v.cell->ctype;
  const uint32_t place = tp_rsums_place_of(r->s, v.cell);
  if (place == TP_RSUM_NO_PLACE || info_of(r, type)->size_bytes != size) return false;
  *out = (tp_rsum_cell){.object = v.at, .place = place, .type = type};
  if (is_array(r, v.cell)) out->index = index_of(r, s, address, v.cell, type);
  return true;
}
