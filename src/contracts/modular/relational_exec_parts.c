/* Structs in registers: the calling convention passes and returns small structs as integers of
 * their bytes, which are read from memory and written to it as wholes.
 *
 * Such a value is the list of the members that lie in these bytes. It is stored only where members
 * of the same sizes lie in the same order; padding is nobody's, so nothing is read or written
 * there.
 *
 * Source: System V ABI for x86-64, sec. 3.2.3 (classification of aggregates). */
#include "contracts/modular/relational_exec_priv.h"

#include "contracts/contracts_limits.h"

static const tp_type_info *info_of(const tp_rexecutor *r, tp_type t) { return tp_type_of(r->p, t); }
static bool is_kind(const tp_rexecutor *r, tp_type t, tp_type_kind k) {
  return t.id && info_of(r, t)->kind == k;
}

/* One scalar of a struct in memory. */
typedef struct {
  tp_rexec_address at;
  uint64_t offset;  // from the first byte
  tp_type type;
} place;
typedef struct {
  place at[TP_CONTRACTS_REGISTER_PARTS];
  uint32_t n;
} places;

static void add_place(tp_rexecutor *r, places *out, place p) {
  if (out->n == TP_CONTRACTS_REGISTER_PARTS)
    tp_rexec_unsupported(r, "a struct by value with many members");
  else
    out->at[out->n++] = p;
}

/* The elements of an array member that lie in [first, end). */
static void add_elements(tp_rexecutor *r, const tp_symbol *m, tp_rel_expr base, uint64_t start,
                         uint64_t first, uint64_t end, places *out) {
  const tp_type type = tp_rheap_value_type(r->h, m);
  const uint64_t size = info_of(r, type)->size_bytes, n = info_of(r, m->ctype)->n_elements;
  for (uint64_t k = 0; k < n && !r->why; k++) {
    const uint64_t at = start + k * size;
    if (at + size <= first || at >= end) continue;
    const tp_rexec_address p = {
        .base = base, .view = type, .cell = m, .index = tp_rel_constant(r->l, (int64_t)k)};
    if (at < first || at + size > end)
      tp_rexec_unsupported(r, "a part of a member in a register");
    else
      add_place(r, out, (place){p, at - first, type});
  }
}

/* The scalars of the struct `base`, which starts at byte `start`, that lie in [first, end). */
static void collect(tp_rexecutor *r, uint32_t basic, tp_rel_expr base, uint64_t start,
                    uint64_t first, uint64_t end, places *out) {
  const tp_object_model *u = r->h->object_model;
  const char *why = NULL;
  uint32_t inner;
  for (size_t i = 0; i < u->symbols.n && !r->why; i++) {
    const tp_symbol *m = u->symbols.at[i];
    if (m->kind != TP_SYMBOL_FIELD || m->basic != basic) continue;
    const uint64_t at = start + m->offset_bits / 8, size = info_of(r, m->ctype)->size_bytes;
    if (at + size <= first || at >= end) continue;
    const uint32_t field = tp_rheap_field_of(r->h, m, &why);
    if (field == TP_RHEAP_NO_FIELD) {
      tp_rexec_unsupported(r, why);
    } else if (tp_rheap_inner_of(r->h, &r->h->fields.at[field], &inner)) {
      const uint64_t one = size / r->h->fields.at[field].n_inner;
      for (uint32_t k = 0; k < r->h->fields.at[field].n_inner; k++)
        collect(r, inner, tp_rexecutor_inside(r, base, field, k), at + k * one, first, end, out);
    } else if (is_kind(r, m->ctype, TP_T_ARRAY)) {
      add_elements(r, m, base, at, first, end, out);
    } else if (at < first || at + size > end) {
      tp_rexec_unsupported(r, "a part of a member in a register");
    } else {
      const tp_rexec_address p = {.base = base, .view = m->ctype, .cell = m};
      add_place(r, out, (place){p, at - first, m->ctype});
    }
  }
}

/* The scalars in the `size` bytes from the address on. False: the address is not one in a struct.
 */
static bool places_at(tp_rexecutor *r, const tp_rexec_address *p, uint64_t size, places *out) {
  uint32_t basic;
  uint64_t first = 0;
  if (p->index.id || p->when.id) return false;
  if (p->cell) {
    if (p->cell->kind != TP_SYMBOL_FIELD) return false;
    basic = p->cell->basic;
    first = p->cell->offset_bits / 8;
  } else if (!tp_rheap_basic_of(r->h, p->view, &basic) ||
             r->h->object_model->basics.at[basic].kind != TP_BASIC_STRUCT) {
    return false;
  }
  const tp_type type = r->h->object_model->basics.at[basic].type;
  if (tp_rexecutor_has_bit_fields(r, type, 0) || first + size > info_of(r, type)->size_bytes)
    return false;
  out->n = 0;
  collect(r, basic, p->base, 0, first, first + size, out);
  return !r->why;
}

bool tp_rexecutor_is_register_access(tp_rexecutor *r, const tp_rexec_address *p, uint64_t size,
                                     bool is_pointer) {
  places all;
  uint32_t basic;
  const bool in_struct = p->cell ? p->cell->kind == TP_SYMBOL_FIELD
                                 : tp_rheap_basic_of(r->h, p->view, &basic) &&
                                       r->h->object_model->basics.at[basic].kind == TP_BASIC_STRUCT;
  if (!in_struct || is_pointer || r->why) return false;
  const bool ok = places_at(r, p, size, &all);
  r->why = NULL;
  const bool is_scalar =
      ok && all.n == 1 && all.at[0].offset == 0 && info_of(r, all.at[0].type)->size_bytes == size;
  return ok && all.n > 0 && !is_scalar;
}

static tp_rel_expr load_place(tp_rexecutor *r, const tp_rexec_state *s, const place *p) {
  const uint32_t field = tp_rexecutor_field_of(r, p->at.cell);
  if (field == TP_RHEAP_NO_FIELD) return (tp_rel_expr){0};
  const tp_rel_expr of_base = tp_rexec_join(r, p->at.base, tp_rexecutor_field(r, s, field));
  return p->at.index.id ? tp_rexec_join(r, tp_rel_atom_of(r->l, p->at.index), of_base) : of_base;
}

tp_rexec_value tp_rexecutor_load_parts(tp_rexecutor *r, tp_rexec_state *s,
                                       const tp_rexec_address *p, uint64_t size) {
  places all;
  if (!places_at(r, p, size, &all)) return (tp_rexec_value){0};
  tp_rexecutor_check_access(r, s, &(tp_rexec_address){.base = p->base}, p->base);
  tp_rexec_part *parts = tp_arena_array(r->arena, tp_rexec_part, all.n + 1);
  for (uint32_t i = 0; i < all.n && !r->why; i++)
    parts[i] = (tp_rexec_part){all.at[i].offset, all.at[i].type, load_place(r, s, &all.at[i])};
  return (tp_rexec_value){.kind = TP_REXEC_VALUE_PARTS, .parts = parts, .n_parts = all.n};
}

/* Can the value of one be that of the other, bit for bit? */
static bool are_alike(const tp_rexecutor *r, const tp_rexec_part *a, const place *b) {
  return a->offset == b->offset && info_of(r, a->type)->kind == info_of(r, b->type)->kind &&
         info_of(r, a->type)->size_bytes == info_of(r, b->type)->size_bytes &&
         info_of(r, a->type)->is_signed == info_of(r, b->type)->is_signed;
}

void tp_rexecutor_store_parts(tp_rexecutor *r, tp_rexec_state *s, const tp_rexec_address *p,
                              uint64_t size, const tp_rexec_value *v) {
  TP_REQUIRE(v->kind == TP_REXEC_VALUE_PARTS);
  places all;
  bool same = places_at(r, p, size, &all) && all.n == v->n_parts;
  for (uint32_t i = 0; i < v->n_parts && same; i++) same = are_alike(r, &v->parts[i], &all.at[i]);
  if (!same) {
    tp_rexec_unsupported(r, "a struct in registers that is stored as something else");
    return;
  }
  tp_rexecutor_check_access(r, s, &(tp_rexec_address){.base = p->base}, p->base);
  for (uint32_t i = 0; i < all.n && !r->why && !s->is_dead; i++) {
    const uint32_t field = tp_rexecutor_field_of(r, all.at[i].at.cell);
    if (field == TP_RHEAP_NO_FIELD) return;
    s->fields[field] =
        tp_rexecutor_updated(r, tp_rexecutor_field(r, s, field), &all.at[i].at, v->parts[i].value);
  }
}

bool tp_rexecutor_is_padding(tp_rexecutor *r, const tp_rexec_state *s, const tp_edge_info *e) {
  const tp_terms *tt = r->p->terms;
  uint64_t offset = 0, size;
  tp_term base = e->a;
  uint32_t basic;
  places all = {.n = 0};
  if (!tp_term_is(e->c) || !tp_bv_value_u64(tt, e->c, &size)) return false;
  if (tp_kind(tt, base) == TP_OP_PTR_ADD && tp_bv_value_u64(tt, tp_arg(tt, base, 1), &offset))
    base = tp_arg(tt, base, 0);
  const tp_rexec_value v = tp_rexecutor_address(r, s, base);
  if (r->why || v.n_addresses != 1 || v.addresses[0].cell ||
      !tp_rheap_basic_of(r->h, v.addresses[0].view, &basic) ||
      r->h->object_model->basics.at[basic].kind != TP_BASIC_STRUCT ||
      offset + size > info_of(r, v.addresses[0].view)->size_bytes)
    return false;
  collect(r, basic, v.addresses[0].base, 0, offset, offset + size, &all);
  return !r->why && all.n == 0;
}
