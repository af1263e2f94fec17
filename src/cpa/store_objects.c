/* Names of objects; order, join and formula of memory.
 *
 * A dynamic object is named by the variable that its ALLOC assigned, which holds its address as
 * long as the name is used. When that variable is assigned another value, the object is
 * renamed to another variable that holds its address, or removed: then its cells and all pointers
 * to it are havocked. Stack objects keep their first name or none, so that the end of a frame finds
 * them. Two names always mean two objects, as each ALLOC makes a new one.
 *
 * The law of names: a pointer to a dynamic object is in an element only if the element has the
 * object's tp_store_object. So if one side of a join does not have the object, no pointer to it is
 * equal on both sides. */
#include "cpa/store_priv.h"

static bool is_ptr(const tp_store *st, tp_sort s) {
  return tp_sort_kind_of(st->tt, s) == TP_SORT_PTR;
}
static tp_sort sort_of_var(const tp_store *st, uint64_t v) {
  return tp_sort_of(st->tt, st->p->vars.at[v].term);
}

static bool leads_to(const tp_store *st, tp_absval v, tp_object_name o) {
  if (!v.id || tp_absval_eq(v, TP_STORE_CELL_TOP)) return false;
  tp_store_targets t = tp_store_targets_of(st, v);
  for (uint32_t i = 0; i < t.n; i++)
    if (tp_store_ptr_of(st, t.at[i])->object.id == o.id) return true;
  return false;
}

// ---------------------------------------------------------------------- naming

/* v with pointers to `from` replaced by pointers to `to`, or (NONE) by top. */
static tp_absval redirected(tp_store *st, tp_absval v, tp_object_name from, tp_object_name to) {
  if (!leads_to(st, v, from)) return v;
  if (!to.id) return TP_ABSVAL_TOP;
  tp_store_targets t = tp_store_targets_of(st, v), renamed = {.n = 0};
  tp_absval all = TP_ABSVAL_TOP;
  for (uint32_t i = 0; i < t.n; i++) {  // one by one: they are in order of their objects
    tp_store_ptr p = *tp_store_ptr_of(st, t.at[i]);
    if (p.object.id == from.id) p.object = to;
    renamed = (tp_store_targets){.n = 1, .at = {tp_store_ptr_value(st, p)}};
    all = i == 0 ? renamed.at[0] : tp_store_unite(st, all, renamed.at[0], tp_store_value_join);
    if (!all.id) break;
  }
  return all;
}

static void redirect(tp_store *st, tp_elem *e, tp_object_name from, tp_object_name to) {
  for (uint64_t v = 0, value; tp_pmap_next(&e->vars, v, &v, &value); v++) {
    if (!is_ptr(st, sort_of_var(st, v))) continue;
    tp_absval now = redirected(st, (tp_absval){value}, from, to);
    if (now.id != value) tp_pmap_set(&e->vars, v, now.id);
  }
  for (uint64_t c = 0, value; tp_pmap_next(&e->cells, c, &c, &value); c++) {
    if (!is_ptr(st, st->cells.at[c].sort)) continue;
    tp_absval now = redirected(st, (tp_absval){value}, from, to);
    if (now.id != value) tp_store_cell_set(st, e, (uint32_t)c, now);
  }
}

void tp_store_remove_object(tp_store *st, tp_elem *e, tp_object_name o) {
  TP_REQUIRE(o.id && o.id < st->n_statics + st->p->vars.n);
  if (!tp_pmap_get(&e->objects, o.id)) return;
  redirect(st, e, o, (tp_object_name){0});
  tp_store_havoc_cells(st, e, o);
  tp_pmap_set(&e->objects, o.id, 0);
}

/* Another variable that holds the address; not a temporary if there is a choice. NONE: there is no
 * other. */
static tp_var other_holder(tp_store *st, const tp_elem *e, tp_object_name o) {
  tp_absval address = tp_store_ptr_value(st, (tp_store_ptr){o, tp_store_offset(st, 0)});
  tp_var best = TP_VAR_NONE;
  for (uint64_t v = 0, value; tp_pmap_next(&e->vars, v, &v, &value); v++) {
    if (value != address.id || !is_ptr(st, sort_of_var(st, v)) ||
        v == tp_store_naming_var(st, o).id)
      continue;
    if (st->p->vars.at[v].kind != TP_V_TEMP) return (tp_var){(uint32_t)v};
    if (!best.id) best = (tp_var){(uint32_t)v};
  }
  return best;
}

static void rename_object(tp_store *st, tp_elem *e, tp_object_name from, tp_object_name to) {
  TP_REQUIRE(tp_store_is_dynamic(st, from) && tp_store_is_dynamic(st, to));
  TP_REQUIRE(tp_pmap_get(&e->objects, from.id) && !tp_pmap_get(&e->objects, to.id));
  tp_store_object f;
  (void)tp_store_object_info(st, e, from, &f);
  tp_store_set_object(st, e, to, f);
  if (e->copies.root) tp_store_drop_copies(e);
  redirect(st, e, from, to);
  for (uint64_t c = 0, value; tp_pmap_next(&e->cells, c, &c, &value); c++) {
    const tp_store_cell cell = st->cells.at[c];
    if (cell.object.id != from.id) continue;
    tp_pmap_set(&e->cells, c, 0);
    tp_pmap_set(&e->cells, tp_store_cell_id(st, to, cell.offset, cell.sort), value);
  }
  tp_pmap_set(&e->objects, from.id, 0);
}

void tp_store_assign_var(tp_store *st, tp_elem *e, tp_var v, tp_absval value) {
  TP_REQUIRE(v.id && v.id < st->p->vars.n);
  tp_object_name own = tp_store_name(st, v);
  if (tp_pmap_get(&e->objects, own.id)) {
    tp_store_ptr at_start = {own, tp_store_offset(st, 0)};
    if (tp_absval_eq(value, tp_store_ptr_value(st, at_start))) return;
    tp_var heir = tp_store_is_stack(st, e, own) ? TP_VAR_NONE : other_holder(st, e, own);
    tp_object_name to = heir.id ? tp_store_name(st, heir) : (tp_object_name){0};
    if (is_ptr(st, sort_of_var(st, v.id))) value = redirected(st, value, own, to);
    if (heir.id)
      rename_object(st, e, own, to);
    else
      tp_store_remove_object(st, e, own);
  }
  tp_store_set_var(st, e, v, tp_store_valid_value(st, e, sort_of_var(st, v.id), value));
}

tp_absval tp_store_valid_value(const tp_store *st, const tp_elem *e, tp_sort s, tp_absval v) {
  if (!is_ptr(st, s) || v.id == 0 || tp_absval_eq(v, TP_STORE_CELL_TOP)) return v;
  tp_store_targets t = tp_store_targets_of(st, v);
  for (uint32_t i = 0; i < t.n; i++) {
    tp_object_name o = tp_store_ptr_of(st, t.at[i])->object;
    if (tp_store_is_dynamic(st, o) && !tp_pmap_get(&e->objects, o.id)) return TP_ABSVAL_TOP;
  }
  return v;
}

void tp_store_validate(tp_store *st, tp_elem *e) {
  if (st->options.most_targets < 2)
    return;  // a pointer that both sides agree on leads to an object that both know
  for (uint64_t v = 0, value; tp_pmap_next(&e->vars, v, &v, &value); v++)
    if (is_ptr(st, sort_of_var(st, v)) &&
        !tp_store_valid_value(st, e, sort_of_var(st, v), (tp_absval){value}).id)
      tp_pmap_set(&e->vars, v, 0);
  for (uint64_t c = 0, value; tp_pmap_next(&e->cells, c, &c, &value); c++) {
    tp_sort s = st->cells.at[c].sort;
    if (is_ptr(st, s) && !tp_store_valid_value(st, e, s, (tp_absval){value}).id)
      tp_store_cell_set(st, e, (uint32_t)c, TP_ABSVAL_TOP);
  }
}

void tp_store_havoc_var(tp_store *st, tp_elem *e, tp_var v) {
  if (tp_pmap_get(&e->vars, v.id))
    tp_store_assign_var(st, e, v, TP_ABSVAL_TOP);
  else
    tp_store_var_changed(st, e, v);
}

bool tp_store_is_stack(const tp_store *st, const tp_elem *e, tp_object_name o) {
  tp_store_object f;
  return tp_store_is_dynamic(st, o) && tp_store_object_info(st, e, o, &f) && f.kind != TP_O_HEAP;
}

void tp_store_havoc_contents(tp_store *st, tp_elem *e, tp_store_lives lives) {
  tp_pmap_clear(&e->cells);
  tp_store_drop_copies(e);
  for (uint64_t o = 0, number; tp_pmap_next(&e->objects, o, &o, &number); o++) {
    if (!tp_store_is_dynamic(st, (tp_object_name){(uint32_t)o})) {
      tp_pmap_set(&e->objects, o, 0);
      continue;
    }
    tp_store_object f = *tp_store_object_at(st, number);
    tp_store_object now = {.size = f.size, .kind = f.kind, .life = f.life};
    if (f.kind != TP_O_STACK || lives == TP_STORE_HAVOC_STACK)
      now.life = f.life == TP_LIFE_OVER ? TP_LIFE_OVER : TP_LIFE_UNKNOWN;
    tp_store_set_object(st, e, (tp_object_name){(uint32_t)o}, now);
  }
}

// -------------------------------------------------------------------- at start

void tp_store_memory_initial(tp_store *st, tp_elem *e) {
  if (!st->options.tracks_memory) return;
  for (uint32_t o = 1; o <= st->n_statics; o++) {
    const tp_static *s = &st->p->statics.at[o];
    if (s->is_extern || s->is_const || s->kind == TP_O_FUNCTION) continue;
    tp_store_object f = {
        .kind = s->kind, .life = TP_LIFE_ON, .image = TP_IMAGE_STATIC, .image_of = o};
    tp_store_set_object(st, e, (tp_object_name){o}, f);
  }
  tp_var heap = st->p->ghost_heap;
  if (heap.id) tp_store_set_var(st, e, heap, tp_store_value_of_const(st, tp_mk_bv(st->tt, 32, 0)));
}

tp_absval tp_store_ghost(tp_store *st, const tp_elem *e, tp_term array, tp_object_name object) {
  const tp_program *p = st->p;
  tp_store_object f = {
      .size = tp_store_offset(st, 0), .kind = TP_O_NONE, .life = TP_LIFE_OVER};  // object 0
  if (!st->options.tracks_memory || (object.id && !tp_store_object_info(st, e, object, &f)))
    return TP_ABSVAL_TOP;
  if (tp_term_eq(array, tp_var_of(p, p->ghost_size)->term)) return f.size;
  if (tp_term_eq(array, tp_var_of(p, p->ghost_live)->term))
    return f.life == TP_LIFE_UNKNOWN ? TP_ABSVAL_TOP : tp_store_truth(f.life == TP_LIFE_ON);
  if (!tp_term_eq(array, tp_var_of(p, p->ghost_kind)->term) || (object.id && f.kind == TP_O_NONE))
    return TP_ABSVAL_TOP;
  return tp_store_value_of_const(st, tp_mk_bv(st->tt, 8, (tp_u128)f.kind));
}

// -------------------------------------------------------------- order and join

typedef struct {
  tp_store *st;
  const tp_elem *a, *b;
  tp_elem *out;  // of a join
  tp_store_combine combine;
  bool holds;  // of a comparison
} both;

static bool same_image(const tp_store_object *a, const tp_store_object *b) {
  return a->image == b->image && a->image_of == b->image_of && a->fill == b->fill;
}

static void compare_object(void *ctx, uint64_t o, uint64_t na, uint64_t nb) {
  (void)o;
  both *x = ctx;
  if (!x->holds || nb == 0) return;
  x->holds = false;
  if (na == 0) return;
  const tp_store_object *a = tp_store_object_at(x->st, na), *b = tp_store_object_at(x->st, nb);
  if (!tp_store_value_leq(x->st, x->st->offset_sort, a->size, b->size)) return;
  if (b->kind != TP_O_NONE && a->kind != b->kind) return;
  if (b->life != TP_LIFE_UNKNOWN && a->life != b->life) return;
  x->holds = b->image == TP_IMAGE_NONE || same_image(a, b);
}

/* Where b's image says what is there, it says so of every cell that overlaps this one, also of
 * those that nobody asked for yet; a, which was written there, does not. Equal values of this cell
 * alone would not make up for that. */
static void compare_cell(void *ctx, uint64_t cell, uint64_t va, uint64_t vb) {
  both *x = ctx;
  tp_store_object f;
  bool is_image = va && !vb &&
                  tp_store_object_info(x->st, x->b, x->st->cells.at[cell].object, &f) &&
                  f.image != TP_IMAGE_NONE && f.life == TP_LIFE_ON;
  x->holds = x->holds && !is_image;
  if (!x->holds) return;
  tp_absval a = tp_store_cell_value(x->st, x->a, (uint32_t)cell),
            b = tp_store_cell_value(x->st, x->b, (uint32_t)cell);
  x->holds = tp_store_value_leq(x->st, x->st->cells.at[cell].sort, a, b);
}

bool tp_store_memory_leq(tp_store *st, const tp_elem *a, const tp_elem *b) {
  both x = {.st = st, .a = a, .b = b, .holds = true};
  tp_pmap_diff_while(&a->objects, &b->objects, compare_object, &x, &x.holds);
  tp_pmap_diff_while(&a->cells, &b->cells, compare_cell, &x, &x.holds);
  return x.holds;
}

static void join_object(void *ctx, uint64_t key, uint64_t na, uint64_t nb) {
  both *x = ctx;
  tp_store *st = x->st;
  tp_object_name o = {(uint32_t)key};
  if (na == 0 || nb == 0) {
    if (tp_store_is_dynamic(st, o))
      tp_store_remove_object(st, x->out, o);
    else
      tp_store_drop_image(st, x->out, o);
    return;
  }
  tp_store_object a = *tp_store_object_at(st, na), f = *tp_store_object_at(st, nb);
  bool keeps_image = same_image(&a, &f) && a.life == f.life;
  f.size = x->combine(st, st->offset_sort, a.size, f.size);
  if (a.kind != f.kind) f.kind = TP_O_NONE;
  if (a.life != f.life)
    tp_store_havoc_cells(st, x->out, o);
  else if (!keeps_image)
    tp_store_drop_image(st, x->out, o);
  if (a.life != f.life) f.life = TP_LIFE_UNKNOWN;
  if (!keeps_image) f.image = TP_IMAGE_NONE, f.image_of = 0, f.fill = 0;
  tp_store_set_object(st, x->out, o, f);
}

static void join_cell(void *ctx, uint64_t key, uint64_t va, uint64_t vb) {
  (void)va, (void)vb;
  both *x = ctx;
  tp_store *st = x->st;
  uint32_t cell = (uint32_t)key;
  tp_store_object f;
  tp_absval v = TP_ABSVAL_TOP;
  if (tp_store_object_info(st, x->out, st->cells.at[cell].object, &f) && f.life == TP_LIFE_ON)
    v = x->combine(st, st->cells.at[cell].sort, tp_store_cell_value(st, x->a, cell),
                   tp_store_cell_value(st, x->b, cell));
  tp_store_cell_set(st, x->out, cell, tp_store_valid_value(st, x->out, st->cells.at[cell].sort, v));
}

void tp_store_memory_join(tp_store *st, const tp_elem *a, const tp_elem *b, tp_elem *out,
                          tp_store_combine combine) {
  both x = {.st = st, .a = a, .b = b, .out = out, .combine = combine};
  tp_pmap_diff(&a->objects, &b->objects, join_object, &x);
  tp_pmap_diff(&a->cells, &b->cells, join_cell, &x);
}

// -------------------------------------------------------------- terms and text

void tp_store_print_cell(const tp_store *st, uint32_t cell, tp_str *out) {
  const tp_store_cell *x = &st->cells.at[cell];
  const char *name = tp_store_is_dynamic(st, x->object)
                         ? tp_var_of(st->p, tp_store_naming_var(st, x->object))->name
                         : st->p->statics.at[x->object.id].name;
  tp_str_printf(out, "%s[%llu]", name, (unsigned long long)x->offset);
}

void tp_store_memory_print(const tp_store *st, const tp_elem *e, bool separate, tp_str *out) {
  for (uint64_t c = 0, value; tp_pmap_next(&e->cells, c, &c, &value); c++) {
    if (separate) tp_str_add(out, " ");
    separate = true;
    tp_store_print_cell(st, (uint32_t)c, out);
    tp_str_add(out, "=");
    tp_store_value_print(st, st->cells.at[c].sort, (tp_absval){value}, out);
  }
}

typedef struct {
  TP_VEC(tp_term) list;
} conjuncts;

static void add(conjuncts *c, tp_term t) { tp_vec_push(&c->list, t); }

static tp_term ghost_at(tp_store *st, tp_var array, tp_term object) {
  return tp_mk2(st->tt, TP_OP_SELECT, tp_var_of(st->p, array)->term, object);
}

/* A dynamic object: where its name points, that it is not a static, what the ghost arrays say. */
static void add_object(tp_store *st, tp_object_name o, const tp_store_object *f, conjuncts *out) {
  tp_terms *tt = st->tt;
  tp_term namer = tp_var_of(st->p, tp_store_naming_var(st, o))->term,
          id = tp_mk1(tt, TP_OP_PTR_OBJ, namer);
  add(out, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, namer), tp_mk_bv(tt, st->p->ptr_bits, 0)));
  add(out, tp_mk2(tt, TP_OP_BV_ULT, tp_mk_bv(tt, TP_OBJ_BITS, st->n_statics), id));
  add(out, tp_store_value_formula(st, ghost_at(st, st->p->ghost_size, id), f->size));
  if (f->kind != TP_O_NONE)
    add(out, tp_mk_eq(tt, ghost_at(st, st->p->ghost_kind, id), tp_mk_bv(tt, 8, (tp_u128)f->kind)));
  if (f->life != TP_LIFE_UNKNOWN) {
    tp_term live = ghost_at(st, st->p->ghost_live, id);
    add(out, f->life == TP_LIFE_ON ? live : tp_mk_not(tt, live));
  }
}

static void add_differences(tp_store *st, const tp_elem *e, conjuncts *out) {
  for (uint64_t a = st->n_statics + 1, x; tp_pmap_next(&e->objects, a, &a, &x); a++)
    for (uint64_t b = a + 1, y; tp_pmap_next(&e->objects, b, &b, &y); b++)
      add(out, tp_mk_not(st->tt,
                         tp_mk_eq(st->tt, tp_store_object_term(st, (tp_object_name){(uint32_t)a}),
                                  tp_store_object_term(st, (tp_object_name){(uint32_t)b}))));
}

/* What eval makes of `lost`. */
static void add_nothing_lost(tp_store *st, const tp_elem *e, conjuncts *out) {
  tp_term lost = tp_var_of(st->p, st->p->ghost_leaked)->term;
  if (tp_absval_eq(tp_store_eval(st, e, lost), TP_STORE_FALSE)) add(out, tp_mk_not(st->tt, lost));
}

/* Entries, and of images what was ever asked for: later steps from here may ask for it again. */
static void add_cells(tp_store *st, const tp_elem *e, conjuncts *out) {
  for (uint32_t c = 1, n = (uint32_t)st->cells.n; c < n; c++) {
    tp_absval v = tp_store_cell_value(st, e, c);
    if (v.id) add(out, tp_store_value_formula(st, tp_store_cell_term(st, c), v));
  }
}

tp_term tp_store_memory_formula(tp_store *st, const tp_elem *e) {
  if (!st->options.tracks_memory) return tp_mk_true(st->tt);
  conjuncts parts = {0};
  for (uint64_t o = st->n_statics + 1, number; tp_pmap_next(&e->objects, o, &o, &number); o++)
    add_object(st, (tp_object_name){(uint32_t)o}, tp_store_object_at(st, number), &parts);
  add_differences(st, e, &parts);
  add_nothing_lost(st, e, &parts);
  add_cells(st, e, &parts);
  tp_term all = tp_mk_and_n(st->tt, parts.list.at, parts.list.n);
  tp_vec_clear(&parts.list);
  return all;
}
