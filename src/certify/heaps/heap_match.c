/* A heap's variables give values to symbols, objects give more of them, and structures are walked
 * along once their first cell is known. */
#include "certify/heaps/heap_match.h"

#include "certify/certify_limits.h"

static const tp_chk_heap_sums no_sums;

void tp_chk_heap_match_init(tp_chk_heap_match *m, const tp_chk_heap_world *w, tp_chk_heap_ask holds,
                            void *ctx, tp_chk_heap_state *s, const tp_chk_heap_entry *e) {
  *m = (tp_chk_heap_match){.w = w, .holds = holds, .ctx = ctx, .s = s, .e = e};
  m->object_used = TP_NEW_ARRAY(bool, s->objects.n + 1);
  m->part_used = TP_NEW_ARRAY(bool, s->parts.n + 1);
}

void tp_chk_heap_match_clear(tp_chk_heap_match *m) {
  tp_free(m->object_used);
  tp_free(m->part_used);
  tp_vec_clear(&m->bound);
}

void tp_chk_heap_match_bind(tp_chk_heap_match *m, tp_term symbol, tp_term value) {
  tp_vec_push(&m->bound, ((tp_chk_heap_binding){symbol, value}));
}

// ------------------------------------------------------------------------ values

static tp_term value_of(const tp_chk_heap_match *m, tp_term symbol) {
  for (size_t i = 0; i < m->bound.n; i++)
    if (tp_term_eq(m->bound.at[i].symbol, symbol)) return m->bound.at[i].value;
  return TP_TERM_NONE;
}

typedef struct {
  const tp_chk_heap_match *m;
  bool is_complete;
} instance;

static tp_term instance_of(void *ctx, tp_term symbol) {
  instance *x = ctx;
  const tp_term value = value_of(x->m, symbol);
  if (!tp_term_is(value) && tp_map_has(&x->m->e->symbols, symbol.id)) x->is_complete = false;
  return value;
}

tp_term tp_chk_heap_match_value(const tp_chk_heap_match *m, tp_term t, bool *is_complete) {
  instance x = {m, true};
  const tp_term out = tp_subst(m->w->tt, t, instance_of, &x, NULL);
  *is_complete = x.is_complete;
  return out;
}

static bool are_equal(const tp_chk_heap_match *m, tp_term a, tp_term b) {
  if (tp_term_eq(a, b)) return true;
  if (!tp_sort_eq(tp_sort_of(m->w->tt, a), tp_sort_of(m->w->tt, b))) return false;
  const tp_term same = tp_chk_heap_decide(m->w, m->s, tp_mk_eq(m->w->tt, a, b), no_sums);
  if (tp_is_true(m->w->tt, same) || tp_is_false(m->w->tt, same)) return tp_is_true(m->w->tt, same);
  // pointers that are equal are the same term: equations between them are carried out
  return tp_sort_kind_of(m->w->tt, tp_sort_of(m->w->tt, a)) != TP_SORT_PTR &&
         m->holds(m->ctx, m->s, same);
}

/* The pattern, a term over the heap's symbols, has this value: symbols that have none get theirs.
 */
static bool unify(tp_chk_heap_match *m, tp_term pattern, tp_term value) {
  tp_terms *tt = m->w->tt;
  bool is_complete;
  const tp_term known = tp_chk_heap_match_value(m, pattern, &is_complete);
  if (is_complete) return are_equal(m, known, value);
  if (!tp_sort_eq(tp_sort_of(tt, pattern), tp_sort_of(tt, value))) return false;
  switch ((int)tp_kind(tt, pattern)) {
    case TP_OP_VAR: tp_chk_heap_match_bind(m, pattern, value); return true;
    case TP_OP_PTR_MK:
      return unify(m, tp_arg(tt, pattern, 0), tp_mk1(tt, TP_OP_PTR_OBJ, value)) &&
             unify(m, tp_arg(tt, pattern, 1), tp_mk1(tt, TP_OP_PTR_OFF, value));
    case TP_OP_PTR_ADD: {
      const tp_term base = tp_chk_heap_match_value(m, tp_arg(tt, pattern, 0), &is_complete);
      if (is_complete)
        return unify(m, tp_arg(tt, pattern, 1),
                     tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, value),
                               tp_mk1(tt, TP_OP_PTR_OFF, base))) &&
               unify(m, pattern, value);
      (void)tp_chk_heap_match_value(m, tp_arg(tt, pattern, 1), &is_complete);
      return is_complete && tp_is_const(tt, tp_arg(tt, pattern, 1)) &&
             unify(m, tp_arg(tt, pattern, 0),
                   tp_mk_ptr_add(tt, value, tp_mk1(tt, TP_OP_BV_NEG, tp_arg(tt, pattern, 1)))) &&
             unify(m, pattern, value);
    }
    default: return false;
  }
}

// -------------------------------------------------------------------- structures

/* What the link back of a first cell must hold: a term over the heap's symbols, or a value of the
 * state. */
typedef struct {
  tp_term term;
  bool is_value;
} wanted_back;
static wanted_back back_value(tp_term value) { return (wanted_back){value, true}; }

static bool is_wanted(tp_chk_heap_match *m, wanted_back wanted, tp_term value) {
  return wanted.is_value ? are_equal(m, wanted.term, value) : unify(m, wanted.term, value);
}

/* What was walked along before the next cell: an object, or a part any of whose cells may be the
 * one that leads on. */
typedef struct item item;
struct item {
  const item *before;  // leads on if this part has no cell; NULL: it is an object, or the first one
  tp_term given;       // holds of its cells
  tp_term leads;       // has to hold of a cell of it, and the next one
};

/* The cells that are wanted: of a kind, and what has to hold of each, and of neighbours; NONE:
 * nothing. */
typedef struct {
  uint32_t kind;
  tp_term where;       // over values of the state, and of the cell
  tp_term neighbours;  // over values of two cells
  const item *behind;  // the next one stands behind these; NULL: it is the first one
} wanted_cells;

static bool take_structure(tp_chk_heap_match *m, wanted_cells cells, tp_term at,
                           wanted_back before);
static bool take_segment(tp_chk_heap_match *m, wanted_cells cells, tp_term at, wanted_back before,
                         tp_term end, tp_term last);

static item object_item(const tp_chk_heap_match *m, wanted_cells cells, uint32_t object) {
  return (item){.given = tp_mk_true(m->w->tt),
                .leads = tp_chk_heap_of_cell(m->w, &m->s->objects.at[object], cells.neighbours)};
}

static item part_item(const tp_chk_heap_match *m, wanted_cells cells,
                      const tp_chk_heap_part *part) {
  return (item){.before = cells.behind,
                .given = tp_term_is(part->where) ? part->where : tp_mk_true(m->w->tt),
                .leads = cells.neighbours};
}

static bool holds_of_object(tp_chk_heap_match *m, wanted_cells cells, uint32_t object) {
  const tp_chk_heap_object *o = &m->s->objects.at[object];
  bool ok =
      !tp_term_is(cells.where) ||
      m->holds(m->ctx, m->s,
               tp_chk_heap_decide(m->w, m->s, tp_chk_heap_of_cell(m->w, o, cells.where), no_sums));
  for (const item *i = cells.behind; i && ok && tp_term_is(cells.neighbours); i = i->before)
    ok = m->holds(m->ctx, m->s,
                  tp_mk_implies(m->w->tt, i->given, tp_chk_heap_of_next(m->w, o, i->leads)));
  return ok;
}

/* Values of cells are variables that nothing else names: what is valid holds of every cell. */
static bool holds_of_part(tp_chk_heap_match *m, wanted_cells cells, const tp_chk_heap_part *part) {
  tp_terms *tt = m->w->tt;
  const tp_term known = tp_term_is(part->where) ? part->where : tp_mk_true(tt),
                known_of_next = tp_chk_heap_as_next(m->w, known);
  bool ok =
      !tp_term_is(cells.where) || m->holds(m->ctx, m->s, tp_mk_implies(tt, known, cells.where));
  if (!ok || !tp_term_is(cells.neighbours)) return ok;
  ok = tp_term_is(part->neighbours) &&
       m->holds(m->ctx, m->s, tp_mk_implies(tt, part->neighbours, cells.neighbours));
  for (const item *i = cells.behind; i && ok; i = i->before)
    ok =
        m->holds(m->ctx, m->s, tp_mk_implies(tt, tp_mk_and(tt, i->given, known_of_next), i->leads));
  return ok;
}

/* The object of the state that is a cell of the kind at this address; UINT32_MAX: none that is
 * left. */
static uint32_t cell_at(const tp_chk_heap_match *m, uint32_t kind, tp_term at) {
  tp_terms *tt = m->w->tt;
  const tp_chk_cell_kind *k = &m->w->kinds->at[kind];
  tp_term offset;
  uint64_t start, size;
  const uint32_t i = tp_chk_heap_target(m->w, m->s, at, &offset);
  if (i == UINT32_MAX || m->object_used[i]) return UINT32_MAX;
  const tp_chk_heap_object *o = &m->s->objects.at[i];
  if (o->slots.stride) return UINT32_MAX;
  if (o->kind != TP_O_HEAP || !tp_bv_value_u64(tt, offset, &start) || start != k->start)
    return UINT32_MAX;
  if (k->size_bytes && (!tp_bv_value_u64(tt, o->size, &size) || size != k->size_bytes))
    return UINT32_MAX;
  return i;
}

static tp_term pointer_in(const tp_chk_heap_match *m, uint32_t object, uint64_t offset) {
  return tp_chk_heap_read(m->w, &m->s->objects.at[object], offset, tp_sort_ptr(m->w->tt));
}

static bool is_never_null(const tp_chk_heap_match *m, tp_term pointer) {
  tp_terms *tt = m->w->tt;
  const tp_term is_null =
      tp_chk_heap_decide(m->w, m->s, tp_mk_eq(tt, pointer, tp_mk_null(tt)), no_sums);
  tp_term offset;
  if (tp_chk_heap_target(m->w, m->s, pointer, &offset) != UINT32_MAX || tp_is_false(tt, is_null))
    return true;
  return !tp_is_true(tt, is_null) && m->holds(m->ctx, m->s, tp_mk_not(tt, is_null));
}

static bool is_back_right(tp_chk_heap_match *m, uint32_t kind, uint32_t object,
                          wanted_back before) {
  const tp_chk_cell_kind *k = &m->w->kinds->at[kind];
  if (!k->has_back) return true;
  const tp_term back = pointer_in(m, object, k->back);
  return tp_term_is(back) && is_wanted(m, before, back);
}

/* The same cells, behind this one. */
static wanted_cells next_of(wanted_cells cells, const item *one) {
  cells.behind = one;
  return cells;
}

/* The structures that links of the cell lead to; `way` is left out. */
static bool take_links(tp_chk_heap_match *m, wanted_cells cells, uint32_t object, tp_term at,
                       const tp_chk_cell_link *way) {
  const tp_chk_cell_kind *k = &m->w->kinds->at[cells.kind];
  const item me = object_item(m, cells, object);
  for (size_t i = 0; i < k->links.n; i++) {
    const tp_chk_cell_link *l = &k->links.at[i];
    if (l == way) continue;
    const tp_term to = pointer_in(m, object, l->offset), null = tp_mk_null(m->w->tt);
    const bool has_back = m->w->kinds->at[l->to].has_back;
    const wanted_cells below =
        l->to == cells.kind ? next_of(cells, &me) : (wanted_cells){.kind = l->to};
    if (!tp_term_is(to) || (l->is_cell && !is_never_null(m, to))) return false;
    if (!l->to && !are_equal(m, to, null)) return false;
    if (!l->to) continue;
    const tp_term end = l->has_end ? pointer_in(m, object, l->end) : TP_TERM_NONE;
    if (l->has_end &&
        (!tp_term_is(end) || !take_segment(m, below, to, back_value(null), end, null)))
      return false;
    if (!l->has_end && !take_structure(m, below, to, back_value(has_back ? at : null)))
      return false;
  }
  return true;
}

/* The part of the state that starts there; UINT32_MAX: none that is left. */
static uint32_t part_at(const tp_chk_heap_match *m, uint32_t kind, tp_term at) {
  for (uint32_t i = 0; i < m->s->parts.n; i++)
    if (!m->part_used[i] && m->s->parts.at[i].kind == kind && tp_term_eq(m->s->parts.at[i].at, at))
      return i;
  return UINT32_MAX;
}

static bool take_structure(tp_chk_heap_match *m, wanted_cells cells, tp_term at,
                           wanted_back before) {
  if (tp_term_eq(at, tp_mk_null(m->w->tt))) return true;
  const uint32_t part = part_at(m, cells.kind, at), cell = cell_at(m, cells.kind, at);
  if (part != UINT32_MAX) {
    const tp_chk_heap_part p = m->s->parts.at[part];
    const item me = part_item(m, cells, &p);
    m->part_used[part] = true;
    if (!holds_of_part(m, cells, &p) || !is_wanted(m, before, p.before)) return false;
    return !p.is_segment || take_structure(m, next_of(cells, &me), p.end, back_value(p.last));
  }
  if (cell == UINT32_MAX) return false;
  m->object_used[cell] = true;
  return holds_of_object(m, cells, cell) && is_back_right(m, cells.kind, cell, before) &&
         take_links(m, cells, cell, at, NULL);
}

typedef struct {
  bool *objects, *parts;
  size_t n_bound;
} mark;

static mark set_mark(const tp_chk_heap_match *m) {
  mark k = {TP_NEW_ARRAY(bool, m->s->objects.n + 1), TP_NEW_ARRAY(bool, m->s->parts.n + 1),
            m->bound.n};
  memcpy(k.objects, m->object_used, m->s->objects.n * sizeof(bool));
  memcpy(k.parts, m->part_used, m->s->parts.n * sizeof(bool));
  return k;
}

static void go_back(tp_chk_heap_match *m, const mark *k) {
  memcpy(m->object_used, k->objects, m->s->objects.n * sizeof(bool));
  memcpy(m->part_used, k->parts, m->s->parts.n * sizeof(bool));
  m->bound.n = k->n_bound;
}

static void drop_mark(mark *k) {
  tp_free(k->objects);
  tp_free(k->parts);
}

/* A cell of the segment, and the rest of it along one of its links. */
static bool take_cell_of_segment(tp_chk_heap_match *m, wanted_cells cells, uint32_t cell,
                                 tp_term at, wanted_back before, tp_term end, tp_term last) {
  const tp_chk_cell_kind *k = &m->w->kinds->at[cells.kind];
  const tp_term me = k->has_back ? at : tp_mk_null(m->w->tt);
  const item this = object_item(m, cells, cell);
  bool found = false;
  if (!holds_of_object(m, cells, cell)) return false;
  mark start = set_mark(m);
  for (size_t i = 0; i < k->links.n && !found; i++) {
    if (k->links.at[i].to != cells.kind) continue;
    go_back(m, &start);
    m->object_used[cell] = true;
    const tp_term next = pointer_in(m, cell, k->links.at[i].offset);
    found = tp_term_is(next) && (!k->links.at[i].is_cell || is_never_null(m, next)) &&
            is_back_right(m, cells.kind, cell, before) &&
            take_links(m, cells, cell, at, &k->links.at[i]) &&
            take_segment(m, next_of(cells, &this), next, back_value(me), end, last);
  }
  drop_mark(&start);
  return found;
}

/* `end` is known; `last`, a term over the heap's symbols, may get its value here. */
static bool take_segment(tp_chk_heap_match *m, wanted_cells cells, tp_term at, wanted_back before,
                         tp_term end, tp_term last) {
  if (tp_term_eq(at, end)) {
    mark here = set_mark(m);
    bool is_empty = true;
    const tp_term known =
        before.is_value ? before.term : tp_chk_heap_match_value(m, before.term, &is_empty);
    is_empty = is_empty && unify(m, last, known);
    if (!is_empty) go_back(m, &here);
    drop_mark(&here);
    if (is_empty) return true;
  }
  const uint32_t part = part_at(m, cells.kind, at), cell = cell_at(m, cells.kind, at);
  if (part != UINT32_MAX && m->s->parts.at[part].is_segment) {
    const tp_chk_heap_part p = m->s->parts.at[part];
    const item me = part_item(m, cells, &p);
    m->part_used[part] = true;
    return holds_of_part(m, cells, &p) && is_wanted(m, before, p.before) &&
           take_segment(m, next_of(cells, &me), p.end, back_value(p.last), end, last);
  }
  return cell != UINT32_MAX && take_cell_of_segment(m, cells, cell, at, before, end, last);
}

// ------------------------------------------------------------------------- heaps

static bool match_vars(tp_chk_heap_match *m) {
  const tp_program *p = m->w->p;
  for (uint32_t v = 1; v < p->vars.n; v++)
    if (tp_term_is(m->e->s->vars[v]) &&
        !unify(m, m->e->s->vars[v], tp_chk_heap_var(m->w, m->s, (tp_var){v})))
      return false;
  return true;
}

static bool is_all_zero(const tp_chk_heap_match *m, tp_term value) {
  uint64_t number;
  return tp_is_false(m->w->tt, value) || tp_term_eq(value, tp_mk_null(m->w->tt)) ||
         (tp_bv_value_u64(m->w->tt, value, &number) && number == 0);
}

/* Are the bytes of which no field is known 0, or are there none? */
static bool is_zero_elsewhere(const tp_chk_heap_match *m, const tp_chk_heap_object *o) {
  uint64_t size, n = 0;
  if (o->is_zero || !tp_bv_value_u64(m->w->tt, o->size, &size)) return o->is_zero;
  for (size_t i = 0; i < o->fields.n; i++) {
    const uint64_t length = tp_sort_bytes(m->w->tt, tp_sort_of(m->w->tt, o->fields.at[i].value));
    if (length > size || o->fields.at[i].offset > size - length) return false;
    n += length;
  }
  if (n == size) return o->open.n == 0;
  // slots that are null, side by side
  const uint64_t bytes = m->w->p->ptr_bits / 8, last = size - bytes;
  bool ok = !o->slots.kind && o->slots.stride == bytes && o->slots.from == 0 && size >= bytes &&
            size % bytes == 0 && tp_chk_heap_is_slot(&o->slots, last);
  for (size_t i = 0; i < o->open.n && ok; i++)
    ok = tp_term_eq(o->open.at[i].value, tp_mk_null(m->w->tt));
  for (size_t i = 0; i < o->fields.n && ok; i++)  // bytes beside a part of a slot are not known
    ok = tp_sort_bytes(m->w->tt, tp_sort_of(m->w->tt, o->fields.at[i].value)) == bytes;
  return ok;
}

/* Are the object's bytes 0 beside the fields that the heap lists? */
static bool is_zero_beside(const tp_chk_heap_match *m, const tp_chk_heap_object *o,
                           const tp_chk_heap_object *wanted) {
  bool ok = is_zero_elsewhere(m, o);
  for (size_t i = 0; i < o->fields.n && ok; i++) {
    const tp_sort sort = tp_sort_of(m->w->tt, o->fields.at[i].value);
    bool is_listed = false;
    for (size_t k = 0; k < wanted->fields.n; k++)
      is_listed |= wanted->fields.at[k].offset == o->fields.at[i].offset &&
                   tp_sort_eq(tp_sort_of(m->w->tt, wanted->fields.at[k].value), sort);
    ok = is_listed || is_all_zero(m, o->fields.at[i].value);
  }
  return ok;
}

// ------------------------------------------------------------------------- slots

/* A pointer that the heap says nothing more of than that its slot has a structure, or is null. */
static bool take_slot(tp_chk_heap_match *m, const tp_chk_heap_slots *wanted, tp_term value) {
  const tp_term null = tp_mk_null(m->w->tt);
  if (tp_sort_kind_of(m->w->tt, tp_sort_of(m->w->tt, value)) != TP_SORT_PTR) return false;
  const wanted_cells cells = {.kind = wanted->kind};
  return wanted->kind ? take_structure(m, cells, value, back_value(null)) : tp_term_eq(value, null);
}

/* The state's slots that have structures of their own: each is one of the heap's, too. */
static bool keeps_hidden(const tp_chk_heap_match *m, const tp_chk_heap_object *o,
                         const tp_chk_heap_object *wanted) {
  if (!o->slots.stride || !o->slots.kind) return true;
  for (uint64_t at = o->slots.from; at < o->slots.to; at += o->slots.stride)
    if (!tp_chk_heap_field_of_slot(m->w, o, at) &&
        (wanted->slots.kind != o->slots.kind || !tp_chk_heap_is_slot(&wanted->slots, at) ||
         tp_chk_heap_field_of_slot(m->w, wanted, at)))
      return false;
  return true;
}

/* The heap's slots of which it says nothing more: each is known in the state. */
static bool take_hidden(tp_chk_heap_match *m, const tp_chk_heap_object *o,
                        const tp_chk_heap_object *wanted) {
  const tp_chk_heap_slots *w = &wanted->slots;
  for (uint64_t at = w->from; w->stride && at < w->to; at += w->stride) {
    if (tp_chk_heap_field_of_slot(m->w, wanted, at)) continue;
    const tp_chk_heap_field *f = tp_chk_heap_field_of_slot(m->w, o, at);
    if (f) {
      if (f->offset != at || !take_slot(m, w, f->value)) return false;
      continue;
    }
    const bool is_known =
        tp_chk_heap_is_slot(&o->slots, at) && (o->slots.kind == 0 || o->slots.kind == w->kind);
    if (!o->is_zero && !is_known) return false;
  }
  return true;
}

static bool is_slot_of(tp_chk_heap_match *m, const tp_chk_heap_object *wanted, tp_term offset) {
  tp_terms *tt = m->w->tt;
  if (!wanted->slots.stride ||
      !m->holds(m->ctx, m->s, tp_chk_heap_is_slot_term(m->w, &wanted->slots, offset)))
    return false;
  for (size_t i = 0; i < wanted->fields.n; i++) {
    const tp_term place = tp_mk_bv(tt, m->w->p->ptr_bits, wanted->fields.at[i].offset);
    if (tp_chk_heap_meets_slots(m->w, &wanted->slots, wanted->fields.at[i].offset, 1) &&
        !m->holds(m->ctx, m->s, tp_mk_not(tt, tp_mk_eq(tt, place, offset))))
      return false;
  }
  return true;
}

/* The slot of the state that is one that the heap lists. */
static bool match_open(tp_chk_heap_match *m, const tp_chk_heap_object *o, bool *used,
                       const tp_chk_heap_slot *wanted) {
  bool is_known;
  const tp_term offset = tp_chk_heap_match_value(m, wanted->offset, &is_known);
  for (size_t i = 0; i < o->open.n; i++) {
    if (used[i]) continue;
    const tp_term place = o->open.at[i].offset;
    if (is_known && !are_equal(m, offset, place)) continue;
    used[i] = true;
    return (is_known || unify(m, wanted->offset, place)) &&
           unify(m, wanted->value, o->open.at[i].value);
  }
  return false;
}

static bool match_slots(tp_chk_heap_match *m, const tp_chk_heap_object *o,
                        const tp_chk_heap_object *wanted) {
  bool *used = TP_NEW_ARRAY(bool, o->open.n + 1), ok = keeps_hidden(m, o, wanted);
  for (size_t i = 0; i < wanted->open.n && ok; i++)
    ok = match_open(m, o, used, &wanted->open.at[i]);
  for (size_t i = 0; i < o->open.n && ok; i++)
    ok = is_slot_of(m, wanted, o->open.at[i].offset) &&
         (used[i] || take_slot(m, &wanted->slots, o->open.at[i].value));
  tp_free(used);
  return ok && take_hidden(m, o, wanted);
}

static bool match_object(tp_chk_heap_match *m, const tp_chk_heap_object *wanted, tp_term id) {
  const uint32_t i = tp_chk_heap_object_of(m->s, id);
  if (i == UINT32_MAX || m->object_used[i] || m->s->objects.at[i].kind != wanted->kind)
    return false;
  const tp_chk_heap_object *o = &m->s->objects.at[i];
  if (wanted->is_zero && !is_zero_beside(m, o, wanted)) return false;
  if (!unify(m, wanted->size, o->size)) return false;
  m->object_used[i] = true;
  for (size_t f = 0; f < wanted->fields.n; f++) {
    const tp_sort sort = tp_sort_of(m->w->tt, wanted->fields.at[f].value);
    tp_term value = tp_chk_heap_read(m->w, o, wanted->fields.at[f].offset, sort);
    if (!tp_term_is(value)) value = tp_chk_heap_symbol(m->w, sort);
    if (!unify(m, wanted->fields.at[f].value, value)) return false;
  }
  return wanted->is_zero || match_slots(m, o, wanted);
}

/* The state's cell at `at`, and the one behind it along the only link of its kind; NONE: it is none
 * of the segment, and nothing was taken. */
static tp_term take_next_cell(tp_chk_heap_match *m, wanted_cells cells, tp_term at,
                              wanted_back before) {
  const tp_chk_cell_kind *k = &m->w->kinds->at[cells.kind];
  const uint32_t cell = cell_at(m, cells.kind, at);
  if (cell == UINT32_MAX || !holds_of_object(m, cells, cell)) return TP_TERM_NONE;
  tp_term next = TP_TERM_NONE;
  mark start = set_mark(m);
  m->object_used[cell] = true;
  for (size_t i = 0; i < k->links.n; i++) {
    const tp_chk_cell_link *way = &k->links.at[i];
    if (way->to != cells.kind) continue;
    next = pointer_in(m, cell, way->offset);
    if (!tp_term_is(next) || (way->is_cell && !is_never_null(m, next)) ||
        !is_back_right(m, cells.kind, cell, before) || !take_links(m, cells, cell, at, way))
      next = TP_TERM_NONE;
  }
  if (!tp_term_is(next)) go_back(m, &start);
  drop_mark(&start);
  return next;
}

/* How far a segment whose end is not known yet was walked along. */
typedef struct {
  tp_term at, last;
  wanted_back before;  // the link back of the cell at `at`
  bool is_empty;
} reached;

static bool reach_end(tp_chk_heap_match *m, const tp_chk_heap_part *wanted, reached r) {
  bool is_said = true;
  const tp_term last = r.is_empty ? tp_chk_heap_match_value(m, wanted->before, &is_said) : r.last;
  return is_said && unify(m, wanted->end, r.at) && unify(m, wanted->last, last);
}

/* The end of a segment that nothing else names: that of the state's own segment; in lists of which
 * something is said, as far as cells have that. */
static bool match_open_segment(tp_chk_heap_match *m, const tp_chk_heap_part *wanted,
                               wanted_cells cells, reached r) {
  const bool is_list = (tp_term_is(cells.where) || tp_term_is(cells.neighbours)) &&
                       tp_chk_heap_n_ways(m->w, wanted) == 1,
             has_back = m->w->kinds->at[cells.kind].has_back;
  const uint32_t i = part_at(m, cells.kind, r.at),
                 cell = i == UINT32_MAX ? cell_at(m, cells.kind, r.at) : UINT32_MAX;
  reached next = {.at = TP_TERM_NONE, .last = has_back ? r.at : tp_mk_null(m->w->tt)};
  item me = {0};
  if (i != UINT32_MAX && m->s->parts.at[i].is_segment) {
    const tp_chk_heap_part p = m->s->parts.at[i];
    if (holds_of_part(m, cells, &p) && is_wanted(m, r.before, p.before)) {
      m->part_used[i] = true;
      me = part_item(m, cells, &p);
      next = (reached){.at = p.end, .last = p.last};
    }
  } else if (cell != UINT32_MAX && is_list) {
    me = object_item(m, cells, cell);
    next.at = take_next_cell(m, cells, r.at, r.before);
  }
  if (!tp_term_is(next.at)) return (is_list || !r.is_empty) && reach_end(m, wanted, r);
  next.before = back_value(next.last);
  return is_list ? match_open_segment(m, wanted, next_of(cells, &me), next)
                 : reach_end(m, wanted, next);
}

/* An end that is not known is tried behind one object or segment first, then where it starts. Two
 * ends are tried in all combinations, further ones behind one. */
enum { FIRST_GUESS = 1, N_GUESSES = 4 };

static uint32_t next_guess(tp_chk_heap_match *m) {
  static const uint32_t guesses[N_GUESSES] = {FIRST_GUESS, 0, 2, 3};
  uint32_t i = m->n_guessed++ < TP_CERTIFY_HEAP_GUESSED ? m->attempt : 0;
  if (m->n_guessed == TP_CERTIFY_HEAP_GUESSED) i /= N_GUESSES;
  return guesses[i % N_GUESSES];
}

/* Where the end of a list is not known, nor what is said of its cells, as that names what stands
 * behind the end, or where the end of the state's own segment was not the right one: the end is
 * behind as many objects and segments as are tried. */
static bool guess_end(tp_chk_heap_match *m, const tp_chk_heap_part *wanted, tp_term at,
                      uint32_t n_behind) {
  const tp_chk_cell_kind *k = &m->w->kinds->at[wanted->kind];
  for (uint32_t n = 0; n < n_behind; n++) {
    const uint32_t part = part_at(m, wanted->kind, at), cell = cell_at(m, wanted->kind, at);
    tp_term next = TP_TERM_NONE;
    if (part != UINT32_MAX && m->s->parts.at[part].is_segment) next = m->s->parts.at[part].end;
    for (size_t i = 0; part == UINT32_MAX && cell != UINT32_MAX && i < k->links.n; i++)
      if (k->links.at[i].to == wanted->kind) next = pointer_in(m, cell, k->links.at[i].offset);
    if (!tp_term_is(next)) return false;
    at = next;
  }
  return unify(m, wanted->end, at);
}

typedef enum { MATCHES, MATCHES_NOT, WAITS, HAS_END_NOW } progress;

static progress match_part(tp_chk_heap_match *m, const tp_chk_heap_part *wanted, bool is_forced) {
  bool is_known, has_end, is_said = true;
  const tp_term at = tp_chk_heap_match_value(m, wanted->at, &is_known),
                end = tp_chk_heap_match_value(m, wanted->end, &has_end);
  wanted_cells cells = {.kind = wanted->kind, .neighbours = wanted->neighbours};
  if (tp_term_is(wanted->where)) cells.where = tp_chk_heap_match_value(m, wanted->where, &is_said);
  if (is_known && !has_end && is_forced && tp_chk_heap_n_ways(m->w, wanted) == 1) {
    const uint32_t n = next_guess(m), part = part_at(m, wanted->kind, at);
    const bool goes_as_far_as_said = tp_term_is(cells.where) || tp_term_is(cells.neighbours),
               has_segment = part != UINT32_MAX && m->s->parts.at[part].is_segment;
    if (!is_said || n != FIRST_GUESS || (!goes_as_far_as_said && !has_segment))
      return guess_end(m, wanted, at, n) ? HAS_END_NOW : MATCHES_NOT;
  }
  if (!is_known || !is_said || (!has_end && !is_forced)) return WAITS;
  bool ok;
  if (!wanted->is_segment)
    ok = take_structure(m, cells, at, (wanted_back){wanted->before, false});
  else if (has_end)
    ok = take_segment(m, cells, at, (wanted_back){wanted->before, false}, end, wanted->last);
  else
    ok = match_open_segment(m, wanted, cells,
                            (reached){at, TP_TERM_NONE, {wanted->before, false}, true});
  return ok ? MATCHES : MATCHES_NOT;
}

/* Objects and parts, each once its place is known; false: some does not match, or its place is
 * never known. */
static bool match_heap(tp_chk_heap_match *m) {
  const tp_chk_heap_state *e = m->e->s;
  bool *done = TP_NEW_ARRAY(bool, e->objects.n + e->parts.n + 1);
  size_t n_left = e->objects.n + e->parts.n;
  bool ok = true, is_forced = false;
  while (ok && n_left) {
    const size_t before = n_left;
    bool is_stuck = true;
    for (size_t i = 0; i < e->objects.n && ok; i++) {
      bool is_known;
      const tp_term id = tp_chk_heap_match_value(m, e->objects.at[i].id, &is_known);
      if (done[i] || !is_known) continue;
      ok = match_object(m, &e->objects.at[i], id);
      done[i] = true;
      n_left--;
    }
    for (size_t i = 0; i < e->parts.n && ok; i++) {
      if (done[e->objects.n + i]) continue;
      const progress p = match_part(m, &e->parts.at[i], is_forced);
      if (p == HAS_END_NOW) is_stuck = false;
      if (p != WAITS) is_forced = false;  // what is known now may say where others end
      if (p == WAITS || p == HAS_END_NOW) continue;
      ok = p == MATCHES;
      done[e->objects.n + i] = true;
      n_left--;
    }
    is_stuck = is_stuck && n_left == before;
    if (is_stuck && is_forced) ok = false;
    is_forced = is_stuck;
  }
  tp_free(done);
  return ok;
}

/* What the contract's symbols are in this heap. */
static bool match_given(tp_chk_heap_match *m) {
  for (size_t i = 0; i < m->e->given.n; i++) {
    const tp_term is = value_of(m, m->e->given.at[i].symbol);
    if (!tp_term_is(is) || !unify(m, m->e->given.at[i].value, is)) return false;
  }
  return true;
}

static bool match_facts(tp_chk_heap_match *m) {
  for (size_t i = 0; i < m->e->s->facts.n; i++) {
    bool is_complete;
    const tp_term fact = tp_chk_heap_decide(
        m->w, m->s, tp_chk_heap_match_value(m, m->e->s->facts.at[i], &is_complete), no_sums);
    if (!is_complete || tp_is_false(m->w->tt, fact)) return false;
    if (!tp_is_true(m->w->tt, fact) && !m->holds(m->ctx, m->s, fact)) return false;
  }
  return true;
}

static bool is_all_used(const tp_chk_heap_match *m) {
  if (m->e->s->has_more) return true;
  if (m->s->has_more) return false;
  for (size_t i = 0; i < m->s->objects.n; i++)
    if (!m->object_used[i] && (m->s->objects.at[i].kind == TP_O_HEAP ||
                               tp_chk_heap_has_hidden(m->w, &m->s->objects.at[i])))
      return false;
  for (size_t i = 0; i < m->s->parts.n; i++)
    if (!m->part_used[i]) return false;
  return true;
}

static bool match_once(tp_chk_heap_match *m, tp_chk_heap_rest rest) {
  return match_vars(m) && match_given(m) && match_heap(m) && match_facts(m) &&
         (rest == TP_CHK_HEAP_FRAME || is_all_used(m));
}

bool tp_chk_heap_match_entry(tp_chk_heap_match *m, tp_chk_heap_rest rest) {
  mark start = set_mark(m);
  bool ok = false;
  uint32_t n_attempts = 1;
  for (m->attempt = 0; m->attempt < n_attempts && !ok; m->attempt++) {
    go_back(m, &start);
    m->n_guessed = 0;
    ok = match_once(m, rest);
    for (uint32_t i = 0, n = 1; i < m->n_guessed && i < TP_CERTIFY_HEAP_GUESSED; i++)
      if ((n *= N_GUESSES) > n_attempts) n_attempts = n;
  }
  drop_mark(&start);
  return ok;
}
