/* Addresses: from bytes back to members and elements.
 *
 * A pointer's declared type says what lies where. A constant offset into a struct is a member; an
 * offset that varies is an index, of the struct's array or of the array that the pointer leads
 * into. An index that is out of range is found where it is used: if the struct has several arrays
 * it may be called an index of another one, which has no such element either. */
#include "contracts/modular/relational_exec_priv.h"

#include "contracts/contracts_limits.h"

// --------------------------------------------------------------------- offsets

static bool constant_of(const tp_rexecutor *r, tp_term t, int64_t *out) {
  uint64_t v;
  if (tp_kind(r->p->terms, t) != TP_OP_BV_CONST || !tp_bv_value_u64(r->p->terms, t, &v))
    return false;
  const uint32_t width = tp_width(r->p->terms, t);
  *out = width < 64 && (v >> (width - 1) & 1) ? (int64_t)(v | UINT64_MAX << width) : (int64_t)v;
  return true;
}

bool tp_rexecutor_sum(tp_rexecutor *r, tp_term t, int64_t factor, tp_rexec_offset *out) {
  TP_REQUIRE(out->n <= TP_CONTRACTS_INDEX_SUMMANDS);
  const tp_terms *tt = r->p->terms;
  int64_t c, product;
  if (constant_of(r, t, &c))
    return (!__builtin_mul_overflow(c, factor, &product) &&
            !__builtin_add_overflow(out->constant, product, &out->constant)) ||
           tp_rexec_unsupported(r, "an offset that is too large");
  if (tp_kind(tt, t) == TP_OP_BV_ADD)
    return tp_rexecutor_sum(r, tp_arg(tt, t, 0), factor, out) &&
           tp_rexecutor_sum(r, tp_arg(tt, t, 1), factor, out);
  if (tp_kind(tt, t) == TP_OP_BV_NEG) return tp_rexecutor_sum(r, tp_arg(tt, t, 0), -factor, out);
  if (tp_kind(tt, t) == TP_OP_BV_MUL) {
    const bool first = constant_of(r, tp_arg(tt, t, 0), &c);
    if ((first || constant_of(r, tp_arg(tt, t, 1), &c)) &&
        !__builtin_mul_overflow(c, factor, &product))
      return tp_rexecutor_sum(r, tp_arg(tt, t, first), product, out);
  }
  if (out->n == TP_CONTRACTS_INDEX_SUMMANDS)
    return tp_rexec_unsupported(r, "an index of many summands");
  out->factor[out->n] = factor;
  out->term[out->n++] = t;
  return true;
}

bool tp_rexecutor_count(tp_rexecutor *r, const tp_rexec_state *s, const tp_rexec_offset *sum,
                        int64_t size, tp_rel_int *out) {
  TP_REQUIRE(sum->n <= TP_CONTRACTS_INDEX_SUMMANDS && out);
  const int64_t most = ((int64_t)1 << (r->h->limits.width_bits - 1)) - 1;
  bool ok = size > 0 && sum->constant % size == 0;
  const int64_t c = ok ? sum->constant / size : 0;
  *out = c > most || c < -most - 1 ? tp_rexecutor_undefined(r) : tp_rel_constant(r->l, c);
  for (uint32_t i = 0; i < sum->n && ok; i++) {
    ok = sum->factor[i] % size == 0;
    const int64_t f = ok ? sum->factor[i] / size : 0;
    tp_rel_int part = tp_rexecutor_int(r, s, sum->term[i]);
    if (f != 1)
      part = f > most || f < -most - 1
                 ? tp_rexecutor_undefined(r)
                 : tp_rel_arithmetic(r->l, TP_REL_TIMES, part, tp_rel_constant(r->l, f));
    *out = i == 0 && c == 0 ? part : tp_rel_arithmetic(r->l, TP_REL_PLUS, *out, part);
  }
  return ok || tp_rexec_unsupported(r, "an offset that is no multiple of the element's size");
}

// --------------------------------------------------------------------- members

static const tp_type_info *info_of(const tp_rexecutor *r, tp_type t) { return tp_type_of(r->p, t); }
static bool is_kind(const tp_rexecutor *r, tp_type t, tp_type_kind k) {
  return t.id && info_of(r, t)->kind == k;
}
static bool is_scalar(const tp_rexecutor *r, tp_type t) {
  return tp_rheap_is_integer(r->h, t) || is_kind(r, t, TP_T_POINTER);
}

bool tp_rexecutor_has_bit_fields(const tp_rexecutor *r, tp_type t, int depth) {
  TP_REQUIRE(t.id != 0);
  const tp_type_info *info = info_of(r, t);
  for (uint32_t i = 0; i < info->n_members; i++) {
    if (info->members[i].width_bits) return true;
    if (depth < 10 && !*info->members[i].name && is_kind(r, info->members[i].type, TP_T_STRUCT) &&
        tp_rexecutor_has_bit_fields(r, info->members[i].type, depth + 1))
      return true;
  }
  return false;
}

/* The member that contains the byte; of a struct with an index, its array that is meant. */
static const tp_symbol *member_at(tp_rexecutor *r, uint32_t basic, int64_t offset,
                                  bool is_indexed) {
  const tp_object_model *u = r->h->object_model;
  const tp_symbol *m = tp_object_model_member_at(u, basic, offset);
  if (m && (!is_indexed || is_kind(r, m->ctype, TP_T_ARRAY))) return m;
  return is_indexed ? tp_object_model_only_array(u, basic) : NULL;
}

/* The part of the offset that is whole structs, taken out of it. */
static tp_rexec_offset whole_structs(tp_rexec_offset *sum, int64_t size) {
  tp_rexec_offset whole = {0}, rest = {0};
  rest.constant = (sum->constant % size + size) % size;
  whole.constant = sum->constant - rest.constant;
  for (uint32_t i = 0; i < sum->n; i++) {
    tp_rexec_offset *to = sum->factor[i] % size == 0 ? &whole : &rest;
    to->factor[to->n] = sum->factor[i];
    to->term[to->n++] = sum->term[i];
  }
  *sum = rest;
  return whole;
}

/* From the start of an array of structs inside of another one to the element that is meant. */
static bool into_row(tp_rexecutor *r, const tp_rexec_state *s, tp_rexec_address *p, uint32_t field,
                     tp_rexec_offset *sum) {
  const int64_t size = (int64_t)info_of(r, p->view)->size_bytes;
  tp_rel_int count;
  if (size == 0) return tp_rexec_unsupported(r, "an array of empty structs");
  const tp_rexec_offset whole = whole_structs(sum, size);
  if (!tp_rexecutor_count(r, s, &whole, size, &count)) return false;
  const tp_rel_expr owner = p->base, all = tp_rexec_join(r, owner, r->h->fields.at[field].initial);
  const tp_rel_formula never = tp_rel_bool(r->l, false),
                       when = p->when.id ? p->when : tp_rel_bool(r->l, true);
  p->base = tp_rexec_join(r, tp_rel_atom_of(r->l, count), all);
  const tp_rel_formula has_row = tp_rel_multiplicity(r->l, TP_REL_SOME, all),
                       is_empty = tp_rel_multiplicity(r->l, TP_REL_NO, p->base);
  if (whole.n || whole.constant)
    tp_vec_push(
        &r->doubts,
        (tp_rexec_doubt){never, tp_rel_and(r->l, when, tp_rel_and(r->l, has_row, is_empty))});
  return true;
}

/* Into an object of struct type, until a scalar or the start of an inner struct is reached. */
static bool into_struct(tp_rexecutor *r, const tp_rexec_state *s, tp_rexec_address *p,
                        uint32_t basic, tp_rexec_offset *sum) {
  if (tp_rexecutor_has_bit_fields(r, r->h->object_model->basics.at[basic].type, 0))
    return tp_rexec_unsupported(r, "bit-fields");
  const tp_symbol *m = member_at(r, basic, sum->constant, sum->n > 0);
  if (!m) return tp_rexec_unsupported(r, "an address that is no member's");
  const char *why = NULL;
  sum->constant -= (int64_t)(m->offset_bits / 8);
  if (is_kind(r, tp_rheap_value_type(r->h, m), TP_T_STRUCT)) {
    uint32_t inner;
    const uint32_t field = tp_rheap_field_of(r->h, m, &why);
    if (field == TP_RHEAP_NO_FIELD || !tp_rheap_inner_of(r->h, &r->h->fields.at[field], &inner))
      return tp_rexec_unsupported(r, why ? why : "a struct inside");
    p->view = tp_rheap_value_type(r->h, m);
    if (is_kind(r, m->ctype, TP_T_ARRAY)) {
      if (!into_row(r, s, p, field, sum)) return false;
    } else
      p->base = tp_rexec_join(r, p->base, r->h->fields.at[field].initial);
    return sum->constant == 0 && sum->n == 0 ? true : into_struct(r, s, p, inner, sum);
  }
  const tp_type value = tp_rheap_value_type(r->h, m);
  if (!is_scalar(r, value))
    return tp_rexec_unsupported(r, m->refused ? m->refused : "a member of this type");
  p->cell = m;
  p->view = value;
  if (is_kind(r, m->ctype, TP_T_ARRAY))
    return tp_rexecutor_count(r, s, sum, (int64_t)info_of(r, value)->size_bytes, &p->index);
  return (sum->constant == 0 && sum->n == 0) ||
         tp_rexec_unsupported(r, "an address inside of a member");
}

/* From an element of an array of structs to another one. */
static bool moved_in_row(tp_rexecutor *r, const tp_rexec_state *s, tp_rexec_address *p,
                         uint32_t basic, tp_rexec_offset *sum) {
  const int64_t size = (int64_t)info_of(r, r->h->object_model->basics.at[basic].type)->size_bytes;
  if (size == 0 || !tp_rheap_has_rows(r->h, basic)) return true;
  const tp_rexec_offset whole = whole_structs(sum, size);
  tp_rel_int count;
  if (whole.constant == 0 && whole.n == 0) return true;
  if (!tp_rexecutor_count(r, s, &whole, size, &count)) return false;
  const tp_rel_expr shift = tp_rheap_use(r->h, basic)->shift,
                    from = tp_rexec_join(r, p->base, shift),
                    to = tp_rexec_join(r, tp_rel_atom_of(r->l, count), from);
  const tp_rel_formula is_alone = tp_rel_multiplicity(r->l, TP_REL_NO, from),
                       is_empty = tp_rel_multiplicity(r->l, TP_REL_NO, to),
                       when = p->when.id ? p->when : tp_rel_bool(r->l, true);
  tp_vec_push(&r->doubts,
              (tp_rexec_doubt){
                  tp_rel_and(r->l, when, is_alone),
                  tp_rel_and(r->l, when, tp_rel_and(r->l, tp_rel_not(r->l, is_alone), is_empty))});
  p->base = to;
  return true;
}

static void restrict_doubt(tp_rexecutor *r, tp_rexec_doubt *d, tp_rel_formula when) {
  d->is_alone = tp_rel_and(r->l, when, d->is_alone);
  d->is_outside = tp_rel_and(r->l, when, d->is_outside);
}

void tp_rexecutor_settle_doubts(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_address_use use) {
  for (size_t i = 0; i < r->doubts.n; i++) {
    tp_rexecutor_end(r, s, TP_REXEC_UNSUPPORTED, r->doubts.at[i].is_alone,
                     "an offset from a struct that is no element of an array");
    if (use == TP_REXEC_ADDRESS_USED)
      tp_rexecutor_end(r, s, TP_REXEC_FAILS, r->doubts.at[i].is_outside, "index out of range");
    else
      tp_rexecutor_end(r, s, TP_REXEC_UNSUPPORTED, r->doubts.at[i].is_outside,
                       "an address outside of an array of structs");
  }
  r->doubts.n = 0;
}

tp_rel_expr tp_rexecutor_rows(tp_rexecutor *r, tp_rel_expr structs, uint32_t basic) {
  if (!tp_rheap_has_rows(r->h, basic)) return structs;
  return tp_rexec_union(
      r, structs,
      tp_rexec_join(r, tp_rel_univ(r->l), tp_rexec_join(r, structs, r->h->types[basic].shift)));
}

static bool moved(tp_rexecutor *r, const tp_rexec_state *s, tp_rexec_address *p,
                  tp_rexec_offset sum) {
  uint32_t basic;
  if (sum.constant == 0 && sum.n == 0) return true;
  if (p->cell) {
    tp_rel_int more;
    if (!p->index.id) return tp_rexec_unsupported(r, "an address beside a member");
    if (!tp_rexecutor_count(r, s, &sum, (int64_t)info_of(r, p->view)->size_bytes, &more))
      return false;
    p->index = tp_rel_arithmetic(r->l, TP_REL_PLUS, p->index, more);
    return true;
  }
  if (!tp_rheap_basic_of(r->h, p->view, &basic))
    return tp_rexec_unsupported(r, "an offset from a pointer without a type");
  if (r->h->object_model->basics.at[basic].kind == TP_BASIC_STRUCT) {
    if (!moved_in_row(r, s, p, basic, &sum)) return false;
    if (sum.constant == 0 && sum.n == 0) return true;
    if (sum.constant < 0 && sum.n == 0)
      return tp_rexec_unsupported(r, "an address in front of a struct");
    return into_struct(r, s, p, basic, &sum);
  }
  p->cell = tp_object_model_elements(r->h->object_model, basic);
  return tp_rexecutor_count(r, s, &sum, (int64_t)info_of(r, p->view)->size_bytes, &p->index);
}

// ------------------------------------------------------------------- addresses

static tp_rexec_value one_address(tp_rexecutor *r, tp_rexec_address p) {
  tp_rexec_address *own = tp_arena_new(r->arena, tp_rexec_address);
  *own = p;
  return (tp_rexec_value){.kind = TP_REXEC_VALUE_POINTER, .addresses = own, .n_addresses = 1};
}

tp_rexec_value tp_rexecutor_constant_pointer(tp_rexecutor *r, const tp_rexec_state *s,
                                             uint32_t object, uint64_t offset) {
  uint32_t basic;
  tp_rexec_address p = {.base = r->h->null};
  if (object == 0 && offset == 0) return one_address(r, p);
  if (object == 0 || object >= r->p->statics.n) {
    tp_rexec_unsupported(r, "an integer as a pointer");
    return one_address(r, p);
  }
  const tp_static *o = &r->p->statics.at[object];
  if (o->kind == TP_O_FUNCTION) {
    p.base = tp_rheap_function(r->h, object);
    p.view = o->type;
  } else if (tp_rheap_static_of(r->h, object, &p.base, &basic)) {
    p.view = is_kind(r, o->type, TP_T_ARRAY) ? info_of(r, o->type)->element : o->type;
    const tp_rel_expr elements = tp_rheap_static_elements(r->h, object);
    if (elements.id)
      p.base = tp_rexec_join(r, tp_rel_atom_of(r->l, tp_rel_constant(r->l, 0)), elements);
  } else if (tp_rexecutor_constant_table(r, object, &p)) {
    // its elements are known
  } else if (o->enclosing_function)
    tp_rexec_unsupported(r, tp_rexecutor_static_variable(r, o->name, o->enclosing_function));
  else
    tp_rexec_unsupported(r, o->is_const ? "constant memory" : "a global object of this type");
  if (!r->why) moved(r, s, &p, (tp_rexec_offset){.constant = (int64_t)offset});
  return one_address(r, p);
}

tp_rexec_value tp_rexecutor_address(tp_rexecutor *r, const tp_rexec_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_PTR_CONST)
    return tp_rexecutor_constant_pointer(r, s, tp_ptr_const_object(tt, t),
                                         tp_ptr_const_offset(tt, t));
  if (k == TP_OP_VAR) {
    const tp_var v = tp_program_var_of(r->p, t);
    if (v.id && s->vars[v.id].kind == TP_REXEC_VALUE_POINTER) return s->vars[v.id];
    tp_rexec_unsupported(
        r, v.id ? tp_rexecutor_unsupported_variable(r, v, "a pointer that is not known")
                : "a pointer that is not known");
  } else if (k == TP_OP_ITE) {
    const tp_rel_formula c = tp_rexecutor_formula(r, s, tp_arg(tt, t, 0));
    const size_t first = r->doubts.n;
    const tp_rexec_value a = tp_rexecutor_address(r, s, tp_arg(tt, t, 1));
    const size_t second = r->doubts.n;
    const tp_rexec_value b = tp_rexecutor_address(r, s, tp_arg(tt, t, 2));
    for (size_t i = first; i < r->doubts.n; i++)
      restrict_doubt(r, &r->doubts.at[i], i < second ? c : tp_rel_not(r->l, c));
    return tp_rexecutor_choose(r, c, a, b);
  } else if (k == TP_OP_PTR_ADD) {
    const tp_rexec_value from = tp_rexecutor_address(r, s, tp_arg(tt, t, 0));
    tp_rexec_offset sum = {0};
    tp_rexec_address *out = tp_arena_array(r->arena, tp_rexec_address, from.n_addresses);
    if (!r->why) tp_rexecutor_sum(r, tp_arg(tt, t, 1), 1, &sum);
    for (uint32_t i = 0; i < from.n_addresses && !r->why; i++) {
      out[i] = from.addresses[i];
      moved(r, s, &out[i], sum);
    }
    return (tp_rexec_value){
        .kind = TP_REXEC_VALUE_POINTER, .addresses = out, .n_addresses = from.n_addresses};
  } else
    tp_rexec_unsupported(r, "a pointer from an integer");
  return one_address(r, (tp_rexec_address){.base = r->h->null});
}

// ----------------------------------------------------------------------- types

static bool are_compatible(const tp_rexecutor *r, tp_type a, tp_type b) {
  if (a.id == b.id) return true;
  if (is_kind(r, a, TP_T_POINTER) && is_kind(r, b, TP_T_POINTER)) return true;
  if (!tp_rheap_is_integer(r->h, a) || !tp_rheap_is_integer(r->h, b)) return false;
  return info_of(r, a)->size_bytes == info_of(r, b)->size_bytes &&
         info_of(r, a)->is_signed == info_of(r, b)->is_signed &&
         is_kind(r, a, TP_T_BOOL) == is_kind(r, b, TP_T_BOOL);
}

/* The address at offset 0 that has this type: an inner struct, a first member. */
static bool down_to(tp_rexecutor *r, const tp_rexec_state *s, tp_rexec_address *p, uint32_t basic,
                    tp_type pointee) {
  uint32_t wanted;
  const bool is_struct =
      is_kind(r, pointee, TP_T_STRUCT) && tp_rheap_basic_of(r->h, pointee, &wanted);
  for (int depth = 0; depth < 20; depth++) {
    tp_rexec_offset nothing = {0};
    if (!into_struct(r, s, p, basic, &nothing)) return false;
    uint32_t now;
    if (p->cell)
      return (!is_struct && are_compatible(r, p->view, pointee)) ||
             tp_rexec_unsupported(r, "a pointer that is converted to another type");
    if (!tp_rheap_basic_of(r->h, p->view, &now)) break;
    if (is_struct && now == wanted) return true;
    basic = now;
  }
  return tp_rexec_unsupported(r, "a pointer that is converted to another type");
}

static bool place_as(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_address *p, tp_type pointee) {
  uint32_t have, want;
  if (p->base.id == r->h->null.id || is_kind(r, pointee, TP_T_FUNCTION)) {
    if (!p->cell) p->view = pointee;
    return true;
  }
  if (p->cell)
    return are_compatible(r, p->view, pointee) ||
           tp_rexec_unsupported(r, "a pointer that is converted to another type");
  if (!tp_rheap_basic_of(r->h, pointee, &want))
    return tp_rexec_unsupported(r, "a pointer that is converted to this type");
  if (!p->view.id || is_kind(r, p->view, TP_T_VOID)) {  // the object must be of this type
    const tp_rel_expr right = tp_rexec_union(r, tp_rheap_use(r->h, want)->set, r->h->null);
    const tp_rel_formula wrong = tp_rel_not(r->l, tp_rel_compare(r->l, TP_REL_IN, p->base, right));
    tp_rexecutor_end(r, s, TP_REXEC_UNSUPPORTED,
                     p->when.id ? tp_rel_and(r->l, p->when, wrong) : wrong,
                     "an object that is used as one of another type");
    p->view = pointee;
    return true;
  }
  if (tp_rheap_basic_of(r->h, p->view, &have) && have == want) {
    p->view = pointee;
    return true;
  }
  const bool from_struct = tp_rheap_basic_of(r->h, p->view, &have) &&
                           r->h->object_model->basics.at[have].kind == TP_BASIC_STRUCT;
  return from_struct ? down_to(r, s, p, have, pointee)
                     : tp_rexec_unsupported(r, "a pointer that is converted to another type");
}

tp_rexec_value tp_rexecutor_retype(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_value v,
                                   tp_type pointee) {
  if (v.kind != TP_REXEC_VALUE_POINTER || !pointee.id || is_kind(r, pointee, TP_T_VOID)) return v;
  tp_rexec_address *out = tp_arena_array(r->arena, tp_rexec_address, v.n_addresses);
  for (uint32_t i = 0; i < v.n_addresses && !r->why; i++) {
    out[i] = v.addresses[i];
    place_as(r, s, &out[i], pointee);
  }
  return (tp_rexec_value){
      .kind = TP_REXEC_VALUE_POINTER, .addresses = out, .n_addresses = v.n_addresses};
}

bool tp_rexecutor_cell(tp_rexecutor *r, const tp_rexec_address *p, uint64_t size, bool is_pointer,
                       tp_rexec_address *out) {
  TP_REQUIRE(p && out);
  uint32_t basic;
  *out = *p;
  if (!out->cell) {
    if (!tp_rheap_basic_of(r->h, p->view, &basic))
      return tp_rexec_unsupported(r, "an access through a pointer without a type");
    if (r->h->object_model->basics.at[basic].kind == TP_BASIC_ARRAY) {
      out->cell = tp_object_model_elements(r->h->object_model, basic);
      out->index = tp_rel_constant(r->l, 0);
    } else {
      for (int depth = 0; depth < 20 && !out->cell; depth++) {
        tp_rexec_offset nothing = {0};
        if (!into_struct(r, NULL, out, basic, &nothing)) return false;
        if (!out->cell && !tp_rheap_basic_of(r->h, out->view, &basic)) break;
      }
    }
  }
  if (!out->cell || !is_scalar(r, out->view))
    return tp_rexec_unsupported(r, "an access to something that is no scalar");
  if (size == 0) return true;
  const tp_type_info *info = info_of(r, out->view);
  return (info->size_bytes == size && is_kind(r, out->view, TP_T_POINTER) == is_pointer) ||
         tp_rexec_unsupported(r, "an access of another size or type than what lies there");
}
