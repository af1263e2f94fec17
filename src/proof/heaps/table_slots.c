/* Tables: objects with pointers whose index is no number.
 *
 *   slots      an object of zeros gets slots where it is read or written at such a place, as far
 *              apart as the place's form says; they are null. Folding finds out of which kind their
 *              structures are.
 *   cases      a place is that of a slot with a value of its own, or of none of them: one heap for
 *              each, and the equation is carried out, or noted as false.
 *   names      at cutpoints numbers are forgotten, but for variables that say which slot it was.
 */
#include "proof/heaps/symbolic_heap.h"

#include "proof/proof_limits.h"

// ------------------------------------------------------------------------- places

static uint64_t pointer_bytes(const tp_symheap_search *x) { return x->p->ptr_bits / 8; }

bool tp_symheap_is_slot(const tp_symheap_slots *slots, uint64_t offset) {
  return slots->stride && offset >= slots->from && offset < slots->to &&
         (offset - slots->from) % slots->stride == 0;
}

bool tp_symheap_meets_slots(const tp_symheap_search *x, const tp_symheap_slots *slots,
                            uint64_t offset, uint64_t n_bytes) {
  const uint64_t bytes = pointer_bytes(x);
  for (uint64_t at = slots->from; slots->stride && at < slots->to && at < offset + n_bytes;
       at += slots->stride)
    if (offset < at + bytes) return true;
  return false;
}

/* By how much places of this form differ, at least, and the number that stands beside that. */
typedef struct {
  uint64_t step, base;
} form;

static form form_of(const tp_terms *tt, tp_term t) {
  form f = {.step = 1};
  uint64_t n;
  if (tp_bv_value_u64(tt, t, &n)) return (form){0, n};
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_MUL:
      if (tp_bv_value_u64(tt, tp_arg(tt, t, 0), &n) || tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n))
        f.step = n;
      return f;
    case TP_OP_BV_SHL:
      if (tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n) && n < 32) f.step = (uint64_t)1 << n;
      return f;
    case TP_OP_BV_CONCAT:
      if (tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n) && n == 0 &&
          tp_width(tt, tp_arg(tt, t, 1)) < 32)
        f.step = (uint64_t)1 << tp_width(tt, tp_arg(tt, t, 1));
      return f;
    case TP_OP_BV_ADD: {
      const form a = form_of(tt, tp_arg(tt, t, 0)), b = form_of(tt, tp_arg(tt, t, 1));
      f = (form){a.step, a.base + b.base};
      for (uint64_t d = b.step; d;) {
        const uint64_t rest = f.step % d;
        f.step = d;
        d = rest;
      }
      return f;
    }
    default: return f;
  }
}

/* In an object of zeros whose fields are apart from them. */
static void find_slots(const tp_symheap_search *x, tp_symheap_object *o, tp_term place) {
  const form f = form_of(x->tt, place);
  const uint64_t bytes = pointer_bytes(x);
  uint64_t size;
  if (o->slots.stride || !o->is_zero || !tp_bv_value_u64(x->tt, o->size, &size)) return;
  if (f.step < bytes || f.step > size || size < f.base % f.step + bytes ||
      size / f.step > TP_PROOF_HEAPS_SLOTS)
    return;
  const uint64_t from = f.base % f.step;
  const tp_symheap_slots slots = {
      .from = from, .to = from + (size - from - bytes) / f.step * f.step + 1, .stride = f.step};
  for (size_t i = 0; i < o->fields.n; i++) {
    const tp_symheap_field *field = &o->fields.at[i];
    const uint64_t n = tp_sort_bytes(x->tt, tp_sort_of(x->tt, field->value));
    if (tp_symheap_meets_slots(x, &slots, field->offset, n) &&
        (n != bytes || !tp_symheap_is_slot(&slots, field->offset)))
      return;
  }
  o->slots = slots;
  o->is_zero = false;
}

/* The search does not ask whether the place is within the object. */
static bool is_place(const tp_symheap_search *x, tp_symheap_object *o, tp_term place) {
  uint64_t offset;
  find_slots(x, o, place);
  if (!o->slots.stride) return false;
  if (tp_bv_value_u64(x->tt, place, &offset)) return tp_symheap_is_slot(&o->slots, offset);
  const form f = form_of(x->tt, place);
  const uint64_t base = o->slots.from % o->slots.stride;
  return f.step == 1 ? tp_kind(x->tt, place) == TP_OP_VAR
                     : f.step % o->slots.stride == 0 && f.base % o->slots.stride == base;
}

// -------------------------------------------------------------------------- cases

typedef enum { SAME, APART, OPEN } relation;

static relation compare(const tp_symheap_search *x, const tp_symheap *s, tp_term a, tp_term b) {
  const tp_term same = tp_mk_eq(x->tt, a, b);
  if (tp_is_true(x->tt, same)) return SAME;
  if (tp_is_false(x->tt, same)) return APART;
  for (size_t i = 0; i < s->apart.n; i++)
    if (tp_term_eq(s->apart.at[i], same)) return APART;
  return OPEN;
}

/* The slot with a value that the place meets, or may meet; NULL: none. */
static tp_term *meeting(const tp_symheap_search *x, tp_symheap *s, tp_symheap_object *o,
                        tp_term place, relation *is, tp_term *at) {
  for (size_t i = 0; i < o->open.n; i++) {
    *at = o->open.at[i].offset;
    *is = compare(x, s, *at, place);
    if (*is != APART) return &o->open.at[i].value;
  }
  for (size_t i = 0; i < o->fields.n; i++) {
    if (!tp_symheap_is_slot(&o->slots, o->fields.at[i].offset)) continue;
    *at = tp_mk_bv(x->tt, x->p->ptr_bits, o->fields.at[i].offset);
    *is = compare(x, s, *at, place);
    if (*is != APART) return &o->fields.at[i].value;
  }
  return NULL;
}

tp_term *tp_symheap_slot_at(const tp_symheap_search *x, tp_symheap *s, uint32_t object,
                            tp_term place) {
  tp_symheap_object *o = &s->objects.at[object];
  relation is;
  tp_term at;
  uint64_t offset;
  if (!is_place(x, o, place)) return NULL;
  tp_term *held = meeting(x, s, o, place, &is, &at);
  if (held) return is == SAME ? held : NULL;
  const tp_term null = tp_mk_null(x->tt),
                value = o->slots.kind ? tp_symheap_symbol(x, tp_sort_ptr(x->tt)) : null;
  if (o->slots.kind)
    tp_vec_push(
        &s->parts,
        ((tp_symheap_part){
            .kind = o->slots.kind, .at = value, .before = null, .end = null, .last = null}));
  if (tp_bv_value_u64(x->tt, place, &offset)) {
    tp_vec_push(&o->fields, ((tp_symheap_field){offset, value}));
    return &tp_vec_last(&o->fields).value;
  }
  tp_vec_push(&o->open, ((tp_symheap_slot){place, value}));
  return &tp_vec_last(&o->open).value;
}

/* The symbol in which the two differ, and what is in its place in the other one; false: they differ
 * in another way. */
static bool difference(const tp_symheap_search *x, tp_term a, tp_term b, tp_term *symbol,
                       tp_term *with) {
  tp_terms *tt = x->tt;
  for (;;) {
    const bool is_a = tp_kind(tt, a) == TP_OP_VAR && !tp_occurs(tt, a, b),
               is_b = tp_kind(tt, b) == TP_OP_VAR && !tp_occurs(tt, b, a);
    if (is_a || is_b) {
      *symbol = is_b ? b : a;
      *with = is_b ? a : b;
      return true;
    }
    const uint32_t n = tp_n_args(tt, a);
    uint32_t differing = n;
    if (tp_kind(tt, a) != tp_kind(tt, b) || n == 0 || n != tp_n_args(tt, b)) return false;
    for (uint32_t i = 0; i < n; i++) {
      if (tp_term_eq(tp_arg(tt, a, i), tp_arg(tt, b, i))) continue;
      if (differing != n ||
          !tp_sort_eq(tp_sort_of(tt, tp_arg(tt, a, i)), tp_sort_of(tt, tp_arg(tt, b, i))))
        return false;
      differing = i;
    }
    if (differing == n) return false;
    a = tp_arg(tt, a, differing);
    b = tp_arg(tt, b, differing);
  }
}

/* The same place from here on. */
static void equate_places(const tp_symheap_search *x, tp_symheap *s, tp_term at, tp_term place) {
  tp_term symbol, with;
  if (difference(x, at, place, &symbol, &with)) {
    tp_symheap_replace(x, s, symbol, with);
    if (tp_is_true(x->tt, tp_mk_eq(x->tt, tp_replace(x->tt, at, symbol, with),
                                   tp_replace(x->tt, place, symbol, with))))
      return;
  }
  tp_symheap_replace(x, s, at, place);
}

/* A place that is a number now is a field's; one that is no place of the object cannot be. */
static void settle_open(const tp_symheap_search *x, tp_symheap *s) {
  for (size_t i = 0; i < s->objects.n; i++) {
    tp_symheap_object *o = &s->objects.at[i];
    for (size_t k = 0; k < o->open.n;) {
      uint64_t offset;
      if (tp_bv_value_u64(x->tt, o->open.at[k].offset, &offset)) {
        s->is_impossible |= !tp_symheap_is_slot(&o->slots, offset);
        tp_vec_push(&o->fields, ((tp_symheap_field){offset, o->open.at[k].value}));
        o->open.at[k] = o->open.at[--o->open.n];
      } else {
        k++;
      }
    }
  }
  for (size_t i = 0; i < s->apart.n; i++) s->is_impossible |= tp_is_true(x->tt, s->apart.at[i]);
}

bool tp_symheap_split_slots(const tp_symheap_search *x, tp_symheap *s, const tp_edge_info *e,
                            tp_symheap_list *out) {
  tp_terms *tt = x->tt;
  if (e->kind != TP_E_LOAD && e->kind != TP_E_STORE) return false;
  const tp_term held = e->kind == TP_E_LOAD ? tp_var_of(x->p, e->var)->term : e->b,
                address = tp_symheap_value(x, s, e->a), place = tp_mk1(tt, TP_OP_PTR_OFF, address);
  const uint32_t object = tp_symheap_object_at(x, s, address);
  relation is;
  tp_term at;
  if (object == UINT32_MAX || tp_sort_kind_of(tt, tp_sort_of(tt, held)) != TP_SORT_PTR ||
      !is_place(x, &s->objects.at[object], place) ||
      !meeting(x, s, &s->objects.at[object], place, &is, &at) || is != OPEN)
    return false;
  tp_symheap *same = tp_symheap_copy(x->p, s), *apart = tp_symheap_copy(x->p, s);
  equate_places(x, same, at, place);
  tp_vec_push(&apart->apart, tp_mk_eq(tt, at, place));
  settle_open(x, same);
  if (same->is_impossible)
    tp_symheap_free(same);
  else
    tp_vec_push(out, same);
  tp_vec_push(out, apart);
  return true;
}

// ------------------------------------------------------------------ what is forgotten

static const tp_symheap_field *field_at(const tp_symheap_object *o, uint64_t offset) {
  for (size_t i = 0; i < o->fields.n; i++)
    if (o->fields.at[i].offset == offset) return &o->fields.at[i];
  return NULL;
}

bool tp_symheap_has_hidden(const tp_symheap_search *x, const tp_symheap_object *o) {
  (void)x;
  for (uint64_t at = o->slots.from; o->slots.kind && at < o->slots.to; at += o->slots.stride)
    if (!field_at(o, at)) return true;
  return false;
}

void tp_symheap_forget(const tp_symheap_search *x, tp_symheap *s, uint32_t object) {
  tp_symheap_object *o = &s->objects.at[object];
  s->has_more |= tp_symheap_has_hidden(x, o);
  o->fields.n = o->open.n = 0;
  o->is_zero = false;
  o->slots = (tp_symheap_slots){0};
}

void tp_symheap_write_beside(const tp_symheap_search *x, tp_symheap *s, uint32_t object,
                             tp_term place, uint64_t n) {
  tp_symheap_object *o = &s->objects.at[object];
  const form f = form_of(x->tt, place);
  const uint64_t stride = o->slots.stride;
  const uint64_t rest = stride ? (f.base % stride + stride - o->slots.from % stride) % stride : 0;
  if (!stride || f.step % stride != 0 || rest < pointer_bytes(x) || rest + n > stride) {
    tp_symheap_forget(x, s, object);
    return;
  }
  for (size_t i = 0; i < o->fields.n;) {
    if (tp_symheap_is_slot(&o->slots, o->fields.at[i].offset))
      i++;
    else
      o->fields.at[i] = o->fields.at[--o->fields.n];
  }
}

// ------------------------------------------------------------------------- names

/* The places of slots, and of pointers into objects that have some. */
static void find_places(const tp_symheap_search *x, const tp_symheap *s, tp_term_list *out) {
  for (size_t i = 0; i < s->objects.n; i++)
    for (size_t k = 0; k < s->objects.at[i].open.n; k++)
      tp_vec_push(out, s->objects.at[i].open.at[k].offset);
  for (uint32_t v = 1; v < x->p->vars.n; v++) {
    if (!tp_term_is(s->vars[v]) ||
        tp_sort_kind_of(x->tt, tp_sort_of(x->tt, s->vars[v])) != TP_SORT_PTR)
      continue;
    const uint32_t i = tp_symheap_object_at(x, s, s->vars[v]);
    const tp_term place = tp_mk1(x->tt, TP_OP_PTR_OFF, s->vars[v]);
    if (i != UINT32_MAX && s->objects.at[i].slots.stride && !tp_is_const(x->tt, place))
      tp_vec_push(out, place);
  }
}

bool tp_symheap_is_in_place(const tp_symheap_search *x, const tp_symheap *s, tp_term number) {
  tp_term_list places = {0};
  bool is = false;
  if (tp_is_const(x->tt, number)) return false;
  find_places(x, s, &places);
  for (size_t i = 0; i < places.n && !is; i++) is = tp_occurs(x->tt, number, places.at[i]);
  tp_vec_clear(&places);
  return is;
}

static bool is_variable(const tp_symheap_search *x, const tp_symheap *s, tp_term symbol) {
  for (uint32_t v = 1; v < x->p->vars.n; v++)
    if (tp_term_is(s->vars[v]) && tp_term_eq(s->vars[v], symbol)) return true;
  return false;
}

typedef struct {
  const tp_symheap_search *x;
  const tp_symheap *s;
  bool has_variable;
} name_query;

static void ask_variable(void *ctx, tp_term symbol) {
  name_query *q = ctx;
  q->has_variable |= is_variable(q->x, q->s, symbol);
}

bool tp_symheap_is_told(const tp_symheap_search *x, const tp_symheap *s, tp_term place) {
  name_query q = {x, s, false};
  tp_for_vars(x->tt, place, ask_variable, &q);
  return q.has_variable;
}

void tp_symheap_name_places(const tp_symheap_search *x, tp_symheap *s) {
  tp_term_list places = {0};
  for (uint32_t v = 1; v < x->p->vars.n; v++) {
    const tp_term value = s->vars[v];
    if (tp_term_is(value) && tp_kind(x->tt, value) != TP_OP_VAR &&
        tp_sort_kind_of(x->tt, tp_sort_of(x->tt, value)) == TP_SORT_BV &&
        tp_symheap_is_in_place(x, s, value))
      tp_symheap_replace(x, s, value, tp_symheap_symbol(x, tp_sort_of(x->tt, value)));
  }
  find_places(x, s, &places);
  for (size_t i = 0; i < places.n; i++) {
    if (!tp_symheap_is_told(x, s, places.at[i]) && tp_kind(x->tt, places.at[i]) != TP_OP_VAR)
      tp_symheap_replace(x, s, places.at[i],
                         tp_symheap_symbol(x, tp_sort_bv(x->tt, x->p->ptr_bits)));
  }
  tp_vec_clear(&places);
}
