/* Reading a log: a request goes from the newest entry to the oldest. Entries that cannot concern
 * the object are skipped; each other entry is met under conditions: under `given` it has the value,
 * under `missed` it does not touch the bytes that are read and the older log decides; otherwise
 * nothing is known of the value. A merge reads both sides. Values are kept by request, and what a
 * request rests on is put on a stack first: nothing recurses on the length of a log, and the cost
 * is requests times entries of one object, not the number of paths. */
#include "certify/symbolic/store_history.h"

#include "base/checked.h"
#include "certify/certify_limits.h"
#include "program/cells.h"

typedef enum {
  M_STORE,
  M_SET,
  M_COPY,
  M_INPUT,
  M_OBJECT,
  M_HAVOC,
  G_WRITE,
  G_HAVOC,
  MERGE
} entry_kind;
/* One change of memory (M), of a ghost array (G), or the merge of two logs. */
typedef struct history_entry {
  entry_kind kind;
  tp_chk_ghost which;  // G_WRITE
  uint32_t prev;       // MERGE: the log where the guard holds
  uint32_t other;      // MERGE: the log where it does not hold; COPY: the log that is copied from
  uint32_t before;     // MERGE: the log that both continue
  uint32_t object;     // constant id of the only object that is concerned; ANY_OBJECT
  const uint32_t *touched;  // MERGE: ids of the objects that either side concerns; NULL: any
  uint32_t n_touched;
  tp_term guard;  // it happened if this holds
  tp_chk_epoch age;
  tp_term at;          // pointer; OBJECT, G_WRITE: id of the object
  tp_term length;      // SET, COPY, INPUT
  tp_chk_value value;  // STORE, G_WRITE: the value; SET, OBJECT: the byte
  tp_term from;        // COPY
} history_entry;

/* What is read at an address in a log: bytes as a value of a sort, or an element of a ghost array.
 */
typedef struct read_request {
  uint32_t log;
  tp_term at;  // pointer; of a ghost: id of the object
  tp_sort sort;
  uint32_t ghost;      // which + 1; 0: memory
  int copies;          // how many COPY entries of unknown places may still be followed
  tp_chk_value value;  // term NONE: not known yet
} read_request;

typedef struct {
  TP_VEC(tp_term) symbols;
  size_t used;
} pool;
struct tp_chk_symbol_pools {
  TP_VEC(pool) list;
};

enum { MAX_BYTES = 16 };
#define ANY_OBJECT UINT32_MAX

// ------------------------------------------------------------------- symbols

void tp_chk_history_init(tp_chk_history *x, const tp_program *p) {
  *x = (tp_chk_history){.p = p, .tt = p->terms, .is_exact = true};
  x->next = tp_mk_var(x->tt, "next object", tp_sort_bv(x->tt, TP_OBJ_BITS));
  x->pools = TP_NEW(struct tp_chk_symbol_pools);
  x->cap_entries = x->cap_reads = 64;
  x->entries = TP_NEW_ARRAY(history_entry, x->cap_entries);
  x->reads = TP_NEW_ARRAY(read_request, x->cap_reads);
  x->n_entries = x->n_reads = 1;
  tp_arena_init(&x->arena);
  tp_chk_leaf_table_init(&x->leaves, p->terms);
}

void tp_chk_history_clear(tp_chk_history *x) {
  for (size_t i = 0; i < x->pools->list.n; i++) tp_vec_clear(&x->pools->list.at[i].symbols);
  tp_vec_clear(&x->pools->list);
  tp_free(x->pools);
  tp_free(x->entries);
  tp_free(x->reads);
  tp_map_clear(&x->read_at);
  tp_map_clear(&x->skips);
  tp_map_clear(&x->fixed);
  tp_vec_clear(&x->todo);
  tp_arena_clear(&x->arena);
  tp_chk_leaf_table_clear(&x->leaves);
  tp_map_clear(&x->arrays);
  tp_map_clear(&x->pool_of_sort);
  tp_map_clear(&x->ages);
  tp_map_clear(&x->made);
  tp_map_clear(&x->bounds);
  tp_map_clear(&x->said);
}

static void clear_reads(tp_chk_history *x) {
  x->n_reads = 1;
  tp_map_clear(&x->read_at);
}

void tp_chk_history_restart(tp_chk_history *x, bool from_beginning) {
  x->n_entries = 1;
  clear_reads(x);
  tp_map_clear(&x->skips);
  tp_map_clear(&x->fixed);
  tp_arena_clear(&x->arena);
  tp_arena_init(&x->arena);
  x->from_beginning = from_beginning;
  x->numbers_objects = false;
  x->is_exact = true;
  for (size_t i = 0; i < x->pools->list.n; i++) x->pools->list.at[i].used = 0;
  tp_map_clear(&x->arrays);
  tp_map_clear(&x->ages);
  tp_map_clear(&x->made);
  tp_map_clear(&x->bounds);
  tp_map_clear(&x->said);
}

static uint64_t packed(tp_chk_epoch age) { return (uint64_t)age.made << 32 | age.base.id; }
static tp_chk_epoch unpacked(uint64_t n) {
  return (tp_chk_epoch){{(uint32_t)n}, (uint32_t)(n >> 32)};
}
static void note_age(tp_chk_history *x, tp_term symbol, tp_chk_epoch age) {
  tp_map_set(&x->ages, symbol.id, packed(age));
}

tp_term tp_chk_history_nondet(tp_chk_history *x, tp_sort s, tp_chk_epoch age) {
  uint64_t i;
  if (!tp_map_get(&x->pool_of_sort, s.id, &i)) {
    i = x->pools->list.n;
    tp_map_set(&x->pool_of_sort, s.id, i);
    tp_vec_push(&x->pools->list, (pool){0});
  }
  pool *from = &x->pools->list.at[i];
  if (from->used == from->symbols.n) tp_vec_push(&from->symbols, tp_mk_var(x->tt, "any", s));
  tp_term symbol = from->symbols.at[from->used++];
  note_age(x, symbol, age);
  return symbol;
}

/* The array that stands for what is not known after an entry. */
static tp_term unknown_array(tp_chk_history *x, uint64_t key, tp_sort index, tp_sort element,
                             tp_chk_epoch age) {
  uint64_t known;
  if (tp_map_get(&x->arrays, key, &known)) return (tp_term){(uint32_t)known};
  tp_term a = tp_chk_history_nondet(x, tp_sort_array(x->tt, index, element), age);
  tp_map_set(&x->arrays, key, a.id);
  return a;
}

static tp_chk_epoch age_at_start(const tp_chk_history *x) { return (tp_chk_epoch){x->next, 0}; }

/* What is not known of memory after this entry. */
static tp_term unknown_content(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s) {
  tp_chk_epoch age = log ? x->entries[log].age : age_at_start(x);
  return tp_mk2(x->tt, TP_OP_SELECT,
                unknown_array(x, (uint64_t)log << 32 | s.id, tp_sort_ptr(x->tt), s, age), at);
}

// ---------------------------------------------------------- old and new objects

tp_term tp_chk_history_next_object(const tp_chk_history *x, tp_chk_epoch age) {
  return tp_mk2(x->tt, TP_OP_BV_ADD, age.base, tp_mk_bv(x->tt, TP_OBJ_BITS, age.made));
}

/* Where it is known how many the segment made: before the segment, or it is one of those. (Ids do
 * not wrap: see TP_MOST_OBJECTS.) For a solver of bits that is much easier than a comparison with a
 * sum. */
tp_term tp_chk_history_is_allocated(const tp_chk_history *x, tp_chk_epoch age, tp_term object) {
  tp_term any = tp_mk2(x->tt, TP_OP_BV_ULT, object, x->next);
  if (!tp_term_eq(age.base, x->next) || age.made > TP_CERTIFY_HISTORY_ALLOCATED)
    return tp_mk2(x->tt, TP_OP_BV_ULT, object, tp_chk_history_next_object(x, age));
  for (uint32_t k = 0; k < age.made; k++)
    any = tp_mk_or(
        x->tt, any,
        tp_mk_eq(x->tt, object, tp_chk_history_next_object(x, (tp_chk_epoch){age.base, k})));
  return any;
}

tp_term tp_chk_history_allocate(tp_chk_history *x, tp_chk_epoch age) {
  tp_term id = tp_chk_history_next_object(x, age);
  tp_map_set(&x->made, id.id, packed(age));
  return id;
}

/* *age = something below that it is at least; false: it counts from the start. */
static bool below(const tp_chk_history *x, tp_chk_epoch *age) {
  uint64_t bound;
  if (!tp_map_get(&x->bounds, age->base.id, &bound)) return false;
  tp_chk_epoch b = unpacked(bound);
  *age = (tp_chk_epoch){b.base, b.made + age->made};
  return true;
}

/* Is a certain not to be before b, whichever way a run came? */
static bool is_at_least(const tp_chk_history *x, tp_chk_epoch a, tp_chk_epoch b) {
  while (a.base.id != b.base.id)
    if (!below(x, &a)) return false;
  return a.made >= b.made;
}

static tp_chk_epoch new_base(tp_chk_history *x, tp_chk_epoch bound) {
  tp_chk_epoch age = {tp_chk_history_nondet(x, tp_sort_bv(x->tt, TP_OBJ_BITS), bound), 0};
  tp_map_set(&x->bounds, age.base.id, packed(bound));
  return age;
}

tp_chk_epoch tp_chk_history_later_epoch(tp_chk_history *x, tp_chk_epoch age) {
  return new_base(x, age);
}

tp_chk_epoch tp_chk_history_merge_epochs(tp_chk_history *x, tp_chk_epoch a, tp_chk_epoch b) {
  do {
    tp_chk_epoch c = b;
    do {
      if (a.base.id == c.base.id)
        return new_base(x, (tp_chk_epoch){a.base, a.made < c.made ? a.made : c.made});
    } while (below(x, &c));
  } while (below(x, &a));
  return new_base(x, age_at_start(x));  // not reached: all count from the start in the end
}

static bool age_of(const tp_chk_history *x, tp_term leaf, tp_chk_epoch *age) {
  uint64_t known;
  tp_sort s;
  if (tp_kind(x->tt, leaf) == TP_OP_SELECT) leaf = tp_arg(x->tt, leaf, 0);
  if (tp_kind(x->tt, leaf) != TP_OP_VAR) return false;
  if (tp_map_get(&x->ages, leaf.id, &known)) {
    *age = unpacked(known);
    return true;
  }
  if (!tp_program_var_of(x->p, leaf).id && !tp_is_memory(x->p, leaf, &s)) return false;
  *age = age_at_start(x);
  return true;
}

bool tp_chk_history_is_older(const tp_chk_history *x, tp_term leaf, tp_term *next) {
  tp_chk_epoch age;
  if (!age_of(x, leaf, &age)) return false;
  *next = tp_chk_history_next_object(x, age);
  return true;
}

typedef struct {
  bool is_static, is_made, is_older;  // at most one
  uint64_t number;                    // static: id
  tp_chk_epoch age;  // made: when it was the next; older: than what is made from then on
} creation;

static creation creation_of(const tp_chk_history *x, tp_term object) {
  creation c = {0};
  uint64_t known;
  if (tp_bv_value_u64(x->tt, object, &c.number)) {
    c.is_static = c.number < x->p->statics.n;
  } else if (tp_map_get(&x->made, object.id, &known)) {
    c.is_made = true;
    c.age = unpacked(known);
  } else if (tp_kind(x->tt, object) == TP_OP_PTR_OBJ) {
    c.is_older = age_of(x, tp_arg(x->tt, object, 0), &c.age);
  }
  return c;
}

static bool made_after(const tp_chk_history *x, const creation *c, const creation *d) {
  if (!c->is_made) return false;
  if (d->is_static) return true;
  if (d->is_older) return is_at_least(x, c->age, d->age);
  return d->is_made && is_at_least(x, c->age, (tp_chk_epoch){d->age.base, d->age.made + 1});
}

static bool differ(const tp_chk_history *x, tp_term a, tp_term b, int depth) {
  if (tp_kind(x->tt, b) == TP_OP_ITE) {
    tp_term t = a;
    a = b;
    b = t;
  }
  if (tp_kind(x->tt, a) == TP_OP_ITE)
    return depth > 0 && differ(x, tp_arg(x->tt, a, 1), b, depth - 1) &&
           differ(x, tp_arg(x->tt, a, 2), b, depth - 1);
  creation c = creation_of(x, a), d = creation_of(x, b);
  if (c.is_static && d.is_static) return c.number != d.number;
  return made_after(x, &c, &d) || made_after(x, &d, &c);
}

bool tp_chk_history_objects_differ(const tp_chk_history *x, tp_term object, tp_term other) {
  if (differ(x, object, other, TP_CERTIFY_HISTORY_LEVELS)) return true;
  tp_term different = tp_mk_not(x->tt, tp_mk_eq(x->tt, object, other));
  return tp_is_true(x->tt, different) || x->knows(x->ctx, different);
}

// ------------------------------------------------------------------- writing

static tp_term object_of(const tp_chk_history *x, tp_term ptr) {
  return tp_mk1(x->tt, TP_OP_PTR_OBJ, ptr);
}

/* The constant that the id is; ANY_OBJECT: it is none. */
static uint32_t constant_object(const tp_chk_history *x, tp_term object) {
  uint64_t k;
  return tp_bv_value_u64(x->tt, object, &k) ? (uint32_t)k : ANY_OBJECT;
}

static uint32_t push(tp_chk_history *x, history_entry e) {
  TP_REQUIRE(e.prev < x->n_entries && e.other < x->n_entries);
  if (tp_term_is(e.guard) && tp_is_false(x->tt, e.guard)) return e.prev;
  if (x->n_entries == x->cap_entries)
    x->entries = tp_vec_grow(x->entries, &x->cap_entries, sizeof *x->entries, x->n_entries + 1);
  if (!tp_term_is(e.guard)) e.guard = tp_mk_true(x->tt);
  x->entries[x->n_entries] = e;
  return (uint32_t)x->n_entries++;
}

/* An entry for each object that the pointer e.at may lead to, if they are known; else one. */
static uint32_t push_at(tp_chk_history *x, history_entry e) {
  tp_chk_leaves ls = tp_chk_leaves_of(&x->leaves, e.at);
  e.other = e.prev;
  if (ls.n < 2 || (!ls.is_known && !x->numbers_objects)) {
    e.object = constant_object(x, object_of(x, e.at));
    return push(x, e);
  }
  for (uint32_t i = 0; i < ls.n; i++) {
    if (ls.at[i].object == 0) continue;  // an invalid access ends the run
    e.at = tp_chk_pointer_of_leaf(x->tt, ls.at[i]);
    e.object = constant_object(x, object_of(x, e.at));
    e.guard = ls.at[i].cond;
    e.prev = push(x, e);
  }
  return e.prev;
}

void tp_chk_history_number_objects(tp_chk_history *x) {
  TP_REQUIRE(x->from_beginning && x->n_entries == 1);
  x->numbers_objects = true;
  x->next = tp_mk_bv(x->tt, TP_OBJ_BITS, x->p->statics.n);
}

uint32_t tp_chk_history_store(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                              tp_chk_value value) {
  return push_at(
      x, (history_entry){.kind = M_STORE, .prev = log, .age = age, .at = at, .value = value});
}
uint32_t tp_chk_history_set(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                            tp_term length, tp_term byte) {
  return push_at(x, (history_entry){.kind = M_SET,
                                    .prev = log,
                                    .age = age,
                                    .at = at,
                                    .length = length,
                                    .value = {byte, TP_PROVENANCE_NONE}});
}
uint32_t tp_chk_history_copy(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                             tp_term length, tp_term from) {
  return push_at(
      x, (history_entry){
             .kind = M_COPY, .prev = log, .age = age, .at = at, .length = length, .from = from});
}
uint32_t tp_chk_history_input(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                              tp_term length) {
  return push_at(
      x, (history_entry){.kind = M_INPUT, .prev = log, .age = age, .at = at, .length = length});
}
uint32_t tp_chk_history_new_content(tp_chk_history *x, uint32_t log, tp_chk_epoch age,
                                    tp_term object, tp_term fill) {
  return push(x, (history_entry){.kind = M_OBJECT,
                                 .prev = log,
                                 .age = age,
                                 .at = object,
                                 .object = constant_object(x, object),
                                 .value = {fill, TP_PROVENANCE_NONE}});
}
uint32_t tp_chk_history_havoc(tp_chk_history *x, uint32_t log, tp_chk_epoch age) {
  return push(x, (history_entry){.kind = M_HAVOC, .prev = log, .age = age, .object = ANY_OBJECT});
}

/* The log that every entry of `log` continues before its newest one. */
static uint32_t log_before(const tp_chk_history *x, uint32_t log) {
  const history_entry *e = &x->entries[log];
  return e->kind == MERGE ? e->before : e->prev;
}

/* Adds the ids to the sorted set; false: they are too many. */
static bool add_touched(uint32_t *set, uint32_t *n, const uint32_t *ids, uint32_t n_ids) {
  for (uint32_t i = 0; i < n_ids; i++) {
    uint32_t at = *n;
    while (at > 0 && set[at - 1] > ids[i]) at--;
    if (at > 0 && set[at - 1] == ids[i]) continue;
    if (*n == TP_CERTIFY_HISTORY_TOUCHED) return false;
    memmove(set + at + 1, set + at, (*n - at) * sizeof *set);
    set[at] = ids[i];
    ++*n;
  }
  return true;
}

static bool add_touched_since(const tp_chk_history *x, uint32_t log, uint32_t before, uint32_t *set,
                              uint32_t *n) {
  for (; log != before; log = log_before(x, log)) {
    const history_entry *e = &x->entries[log];
    bool is_merge = e->kind == MERGE;
    if (is_merge ? !e->touched : e->object == ANY_OBJECT) return false;
    if (!add_touched(set, n, is_merge ? e->touched : &e->object, is_merge ? e->n_touched : 1))
      return false;
  }
  return true;
}

uint32_t tp_chk_history_merge(tp_chk_history *x, tp_term cond, uint32_t yes, uint32_t no) {
  uint32_t a = yes, b = no, set[TP_CERTIFY_HISTORY_TOUCHED + 1], n = 0;
  if (yes == no || tp_is_true(x->tt, cond)) return yes;
  if (tp_is_false(x->tt, cond)) return no;
  while (a != b) {  // an entry is newer than those before it
    if (a > b)
      a = log_before(x, a);
    else
      b = log_before(x, b);
  }
  TP_INVARIANT(a <= yes && a <= no);
  history_entry e = {.kind = MERGE, .prev = yes, .other = no, .before = a, .guard = cond};
  e.age = x->entries[yes > no ? yes : no].age;
  e.object = ANY_OBJECT;
  if (add_touched_since(x, yes, a, set, &n) && add_touched_since(x, no, a, set, &n)) {
    uint32_t *ids = tp_arena_array(&x->arena, uint32_t, n + 1);
    memcpy(ids, set, n * sizeof *ids);
    e.touched = ids;
    e.n_touched = n;
  }
  return push(x, e);
}

// ---------------------------------------------------------- content of statics

static tp_term offset_of(const tp_chk_history *x, tp_term ptr) {
  return tp_mk1(x->tt, TP_OP_PTR_OFF, ptr);
}
static tp_term word(const tp_chk_history *x, uint64_t n) {
  return tp_mk_bv(x->tt, x->p->ptr_bits, n);
}

/* Bytes [at, at + n) of an initial image; NONE: they are parts of a pointer. */
static tp_chk_value image_at(tp_chk_history *x, const tp_static *st, uint64_t at, uint32_t n,
                             tp_sort s) {
  uint32_t ptr_bytes = x->p->ptr_bits / 8;
  tp_u128 bits = 0;
  for (uint32_t i = 0; i < st->n_relocs; i++) {
    const tp_reloc *r = &st->relocs[i];
    if (r->offset >= at + n || r->offset + ptr_bytes <= at) continue;
    if (r->offset != at || n != ptr_bytes) return (tp_chk_value){0};
    return tp_chk_part_of_value(
        x->tt, (tp_chk_value){tp_mk_ptr_const(x->tt, r->object, r->addend), TP_PROVENANCE_NONE}, 0,
        n, s);
  }
  for (uint32_t k = n; k-- > 0;) bits = bits << 8 | (st->image ? st->image[at + k] : 0);
  return tp_chk_value_of_bits(x->tt,
                              (tp_chk_value){tp_mk_bv(x->tt, 8 * n, bits), TP_PROVENANCE_NONE}, s);
}

/* The image at an offset that is not constant: one of the positions that its low bits allow, if
 * they are multiples of the width from the first of them on; elsewhere `otherwise`. In an unrolled
 * program reads are inside the object, so the last position needs no condition. */
static tp_term image_somewhere(tp_chk_history *x, const tp_static *st, tp_term offset, tp_sort s,
                               tp_term otherwise) {
  const uint32_t n = tp_sort_bytes(x->tt, s);
  const uint64_t size = st->size_bytes;
  const tp_chk_residue low = tp_chk_low_bits(&x->leaves, offset);
  const bool in_units = n == 1 || (!(n & (n - 1)) && ((uint32_t)1 << low.bits) >= n);
  if (size < n || size / n > TP_CERTIFY_HISTORY_POSITIONS) return otherwise;
  const uint64_t first = in_units ? low.value % n : 0;
  tp_term value = x->numbers_objects && in_units ? TP_TERM_NONE : otherwise;
  for (uint64_t k = first; k + n <= size; k += n) {
    tp_term v = image_at(x, st, k, n, s).term;
    if (!tp_term_is(v)) v = otherwise;
    value = tp_term_is(value) ? tp_mk_ite(x->tt, tp_mk_eq(x->tt, offset, word(x, k)), v, value) : v;
  }
  return tp_term_is(value) ? value : otherwise;
}

/* The image of a static at a pointer; `otherwise` where it cannot be said, and outside. */
static tp_chk_value image(tp_chk_history *x, const tp_static *st, tp_term at, tp_sort s,
                          tp_term otherwise) {
  const uint32_t n = tp_sort_bytes(x->tt, s);
  const uint64_t size = st->size_bytes;
  uint64_t k;
  tp_term offset = offset_of(x, at);
  tp_chk_value value = {otherwise, TP_PROVENANCE_ANY};
  if (tp_bv_value_u64(x->tt, offset, &k)) {
    tp_chk_value v = k <= size && n <= size - k ? image_at(x, st, k, n, s) : (tp_chk_value){0};
    return tp_term_is(v.term) ? v : value;
  }
  if (size >= n && !st->image && !st->n_relocs) {  // all zero
    tp_term inside = x->numbers_objects ? tp_mk_true(x->tt)
                                        : tp_mk2(x->tt, TP_OP_BV_ULE, offset, word(x, size - n));
    value.term = tp_mk_ite(x->tt, inside, image_at(x, st, 0, n, s).term, otherwise);
  } else {
    value.term = image_somewhere(x, st, offset, s, otherwise);
  }
  return value;
}

static const tp_static *static_at(const tp_chk_history *x, tp_term at) {
  uint64_t k;
  bool is_static = tp_bv_value_u64(x->tt, object_of(x, at), &k) && k > 0 && k < x->p->statics.n;
  return is_static && !x->p->statics.at[k].is_extern && x->p->statics.at[k].kind != TP_O_FUNCTION
             ? &x->p->statics.at[k]
             : NULL;
}

/* A read at the start, or what was said of it. */
static tp_term as_said(const tp_chk_history *x, tp_term read) {
  uint64_t value;
  return tp_map_get(&x->said, read.id, &value) ? (tp_term){(uint32_t)value} : read;
}

/* Content at the start of the segment. */
static tp_chk_value content_before(tp_chk_history *x, tp_term at, tp_sort s) {
  const tp_static *st = static_at(x, at);
  tp_term cell = x->from_beginning ? TP_TERM_NONE : tp_cell(x->p, s, at);
  if (!tp_term_is(cell)) cell = unknown_content(x, 0, at, s);
  bool known = st && (x->from_beginning || st->is_const || st->kind == TP_O_LITERAL);
  cell = as_said(x, cell);
  return known ? image(x, st, at, s, cell) : (tp_chk_value){cell, TP_PROVENANCE_ANY};
}

// -------------------------------------------------------------------- reading

static bool concerns(const history_entry *e, uint32_t object) {
  if (e->kind != MERGE || !e->touched) return e->object == ANY_OBJECT || e->object == object;
  uint32_t from = 0, to = e->n_touched;
  while (from < to) {
    uint32_t mid = (from + to) / 2;
    if (e->touched[mid] == object) return true;
    if (e->touched[mid] < object)
      from = mid + 1;
    else
      to = mid;
  }
  return false;
}

/* The newest entry of the log that may concern the object. */
static uint32_t relevant(tp_chk_history *x, uint32_t log, uint32_t object) {
  TP_REQUIRE(log < x->n_entries);
  uint32_t start = log, steps = 0;
  uint64_t known;
  if (object == ANY_OBJECT) return log;
  for (; log && !concerns(&x->entries[log], object); log = log_before(x, log))
    if (++steps > 8 && tp_map_get(&x->skips, (uint64_t)log << 32 | object, &known)) {
      log = (uint32_t)known;
      break;
    }
  if (steps > 8) tp_map_set(&x->skips, (uint64_t)start << 32 | object, log);
  return log;
}

static bool same_request(const read_request *a, const read_request *b) {
  return a->log == b->log && tp_term_eq(a->at, b->at) && tp_sort_eq(a->sort, b->sort) &&
         a->ghost == b->ghost && a->copies == b->copies;
}

/* The number of the request; open addressing over 64-bit keys, probing by salt. */
static uint32_t request_id(tp_chk_history *x, read_request r) {
  for (uint32_t salt = 0;; salt++) {
    uint64_t key = tp_hash_mix(((uint64_t)r.log << 32) | r.at.id,
                               ((uint64_t)r.sort.id << 16) | (r.ghost << 8) | (uint32_t)r.copies),
             id;
    key = tp_hash_mix(key, salt);
    if (tp_map_get(&x->read_at, key, &id)) {
      if (same_request(&x->reads[id], &r)) return (uint32_t)id;
      continue;
    }
    if (x->n_reads == x->cap_reads)
      x->reads = tp_vec_grow(x->reads, &x->cap_reads, sizeof *x->reads, x->n_reads + 1);
    r.value = (tp_chk_value){0};
    x->reads[x->n_reads] = r;
    tp_map_set(&x->read_at, key, x->n_reads);
    return (uint32_t)x->n_reads++;
  }
}

/* Is the id that of an object which the program made since its start, where ids are constants? */
static bool is_numbered_object(const tp_chk_history *x, tp_term object, uint64_t *k) {
  return x->numbers_objects && tp_bv_value_u64(x->tt, object, k) && *k >= x->p->statics.n;
}

/* The same, for a value that is kept if no fact of the path was needed. */
static bool objects_differ(tp_chk_history *x, tp_term object, tp_term other) {
  if (differ(x, object, other, TP_CERTIFY_HISTORY_LEVELS)) return true;
  tp_term different = tp_mk_not(x->tt, tp_mk_eq(x->tt, object, other));
  if (tp_is_true(x->tt, different)) return true;
  bool known = x->knows(x->ctx, different);
  x->used_facts = x->used_facts || known;
  return known;
}

static uint32_t object_of_request(const tp_chk_history *x, const read_request *r) {
  return constant_object(x, r->ghost ? r->at : object_of(x, r->at));
}

/* Is the store certain not to touch n bytes at this address, by constants alone? */
static bool misses(tp_chk_history *x, const history_entry *e, tp_term at, uint32_t n) {
  uint64_t d, mask = tp_mask64(x->p->ptr_bits);
  if (e->kind != M_STORE || e->object == ANY_OBJECT) return false;
  tp_term delta = tp_mk_sub(x->tt, offset_of(x, at), offset_of(x, e->at));
  return tp_bv_value_u64(x->tt, delta, &d) &&
         d >= tp_sort_bytes(x->tt, tp_sort_of(x->tt, e->value.term)) && ((0 - d) & mask) >= n;
}

/* The value of the request in this log; term NONE: not known yet, then it is on the stack. Entries
 * that cannot matter are passed first, so that many logs share one request. */
static tp_chk_value ask(tp_chk_history *x, read_request r, uint32_t log) {
  uint32_t object = object_of_request(x, &r), n = r.ghost ? 0 : tp_sort_bytes(x->tt, r.sort);
  log = relevant(x, log, object);
  while (log && object != ANY_OBJECT &&
         (r.ghost ? x->entries[log].kind == G_WRITE && x->entries[log].which + 1 != r.ghost
                  : misses(x, &x->entries[log], r.at, n)))
    log = relevant(x, x->entries[log].prev, object);
  r.log = log;
  uint32_t id = request_id(x, r);
  if (!tp_term_is(x->reads[id].value.term)) tp_vec_push(&x->todo, id);
  return x->reads[id].value;
}

static tp_chk_value ask_at(tp_chk_history *x, read_request r, tp_term at) {
  r.at = at;
  return ask(x, r, r.log);
}

static tp_chk_value either(tp_chk_history *x, tp_term cond, tp_chk_value yes, tp_chk_value no) {
  return (tp_chk_value){tp_mk_ite(x->tt, cond, yes.term, no.term),
                        tp_chk_merge_provenance(x->tt, yes, no)};
}

/* In an unrolled program: null, or an object that was not made on this path; such an access ends
 * the run. */
static bool cannot_be_read(tp_chk_history *x, uint32_t log, uint32_t object) {
  if (!x->numbers_objects || object == TP_LEAF_OPAQUE) return false;
  return object == 0 || (object >= x->p->statics.n && !relevant(x, log, object));
}

/* The pointer, or the id, is conditional: what is read at each of its leaves. False: it is read as
 * a whole. */
static bool by_leaves(tp_chk_history *x, const read_request *r, tp_chk_value *out) {
  tp_term zero = tp_mk_bv(x->tt, x->p->ptr_bits, 0), at = r->at;
  if (r->ghost && tp_kind(x->tt, at) != TP_OP_ITE) return false;
  if (r->ghost) at = tp_mk_ptr(x->tt, at, zero);
  tp_chk_leaves ls = tp_chk_leaves_of(&x->leaves, at);
  if (ls.n < 2 || (!ls.is_known && !x->numbers_objects && ls.n > TP_CERTIFY_HISTORY_LEAVES))
    return false;
  bool ready = true;
  *out = (tp_chk_value){0};
  for (uint32_t i = ls.n; i-- > 0;) {
    if (!r->ghost && cannot_be_read(x, r->log, ls.at[i].object)) continue;
    tp_term leaf = tp_chk_pointer_of_leaf(x->tt, ls.at[i]);
    tp_chk_value v = ask_at(x, *r, r->ghost ? object_of(x, leaf) : leaf);
    ready = ready && tp_term_is(v.term);
    if (ready) *out = tp_term_is(out->term) ? either(x, ls.at[i].cond, v, *out) : v;
  }
  if (!ready) *out = (tp_chk_value){0};
  return !ready || tp_term_is(out->term);
}

/* Of an entry that a read meets: under `given` the value is read; under `missed` older entries
 * decide; else nothing is known. */
typedef struct {
  tp_term given, missed;
  tp_chk_value value;  // if given
  bool is_pending;     // the value rests on a request that is on the stack
} meeting;

/* Are both multiples of n bytes, for all that their low bits show? */
static bool in_units(tp_chk_history *x, tp_term d, uint32_t m, uint32_t n) {
  tp_chk_residue low = tp_chk_low_bits(&x->leaves, d);
  return n == 1 ||
         (!(n & (n - 1)) && m % n == 0 && ((uint32_t)1 << low.bits) >= n && low.value % n == 0);
}

/* A stored value of m bytes, `d` bytes below what is read; they meet in whole units of n bytes. */
static meeting meet_store_in_units(tp_chk_history *x, const history_entry *e, tp_term same_object,
                                   tp_term d, uint32_t m, uint32_t n, tp_sort s) {
  meeting r = {.given = tp_mk_false(x->tt)};
  for (uint32_t at = 0; at < m; at += n) {
    tp_term here = tp_mk_eq(x->tt, d, word(x, at));
    tp_chk_value v = tp_chk_part_of_value(x->tt, e->value, at, n, s);
    if (!tp_term_is(v.term)) {
      r.given = tp_mk_false(x->tt);
      r.missed = tp_mk_not(x->tt, same_object);
      return r;
    }
    r.value = tp_term_is(r.value.term) ? either(x, here, v, r.value) : v;
    r.given = tp_mk_or(x->tt, r.given, here);
  }
  r.given = tp_mk_and(x->tt, same_object, r.given);
  r.missed = tp_mk_not(x->tt, r.given);
  return r;
}

static meeting meet_store(tp_chk_history *x, const history_entry *e, tp_term same_object, tp_term d,
                          uint32_t n, tp_sort s) {
  tp_terms *tt = x->tt;
  uint32_t m = tp_sort_bytes(tt, tp_sort_of(tt, e->value.term));
  uint64_t k = 0;
  bool is_known = tp_bv_value_u64(tt, d, &k), inside = is_known ? k < m && n <= m - k : n == m;
  if (!is_known && e->object != ANY_OBJECT && in_units(x, d, m, n))
    return meet_store_in_units(x, e, same_object, d, m, n, s);
  tp_term above = tp_mk2(tt, TP_OP_BV_ULE, word(x, m), d),
          below = tp_mk2(tt, TP_OP_BV_ULE, word(x, n), tp_mk1(tt, TP_OP_BV_NEG, d));
  meeting r = {.given = tp_mk_false(tt)};
  r.missed = tp_mk_or(tt, tp_mk_not(tt, same_object), tp_mk_and(tt, above, below));
  if (inside) r.value = tp_chk_part_of_value(x->tt, e->value, (uint32_t)k, n, s);
  if (tp_term_is(r.value.term)) r.given = tp_mk_and(tt, same_object, tp_mk_eq(tt, d, word(x, k)));
  return r;
}

/* SET, COPY, INPUT: a block of e->length bytes. */
static meeting meet_block(tp_chk_history *x, const read_request *q, const history_entry *e,
                          tp_term same_object, tp_term d, uint32_t n) {
  tp_terms *tt = x->tt;
  bool is_exact = e->object != ANY_OBJECT && tp_is_true(tt, same_object);
  tp_term above = tp_mk2(tt, TP_OP_BV_ULE, e->length, d),
          below = tp_mk2(tt, TP_OP_BV_ULE, word(x, n), tp_mk1(tt, TP_OP_BV_NEG, d));
  tp_term empty = tp_mk_eq(tt, e->length, word(x, 0));
  tp_term inside = tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULT, d, e->length),
                             tp_mk2(tt, TP_OP_BV_ULE, word(x, n), tp_mk_sub(tt, e->length, d)));
  meeting r = {.given = tp_mk_false(tt)};
  r.missed =
      tp_mk_or(tt, tp_mk_not(tt, same_object), tp_mk_or(tt, empty, tp_mk_and(tt, above, below)));
  tp_chk_residue len = tp_chk_low_bits(&x->leaves, e->length);
  bool whole =
      n == 1 || (in_units(x, d, n, n) && ((uint32_t)1 << len.bits) >= n && len.value % n == 0);
  if (is_exact && whole) {
    inside = tp_mk2(tt, TP_OP_BV_ULT, d, e->length);
    r.missed = tp_mk_not(tt, inside);
  }
  if (tp_is_true(tt, r.missed)) return r;
  if (e->kind == M_SET) {
    r.value = tp_chk_repeated_byte(x->tt, e->value.term, n, q->sort);
  } else if (e->kind == M_INPUT && is_exact && n == 1) {
    r.value = (tp_chk_value){unknown_content(x, (uint32_t)(e - x->entries), q->at, q->sort),
                             TP_PROVENANCE_ANY};
  } else if (e->kind == M_COPY && (is_exact || q->copies > 0)) {
    if (x->numbers_objects && is_exact && !whole && !tp_is_true(tt, inside)) return r;
    read_request source = *q;
    source.at = tp_mk_ptr_add(tt, e->from, d);
    if (!is_exact) source.copies--;
    r.value = ask(x, source, e->other);
    r.is_pending = !tp_term_is(r.value.term);
  }
  if (tp_term_is(r.value.term)) r.given = tp_mk_and(tt, same_object, inside);
  return r;
}

/* One value from its bytes, lowest first. Bytes that depend on the same condition do so together:
 * the bytes of a conditional pointer are two pointers under one condition. */
static tp_chk_value of_parts(tp_chk_history *x, const tp_chk_value *b, uint32_t n, tp_sort s,
                             uint32_t depth) {
  tp_terms *tt = x->tt;
  tp_chk_value yes[MAX_BYTES], no[MAX_BYTES], all = b[0];
  bool same = depth < TP_CERTIFY_HISTORY_NESTING;
  for (uint32_t i = 0; i < n && same; i++)
    same = tp_kind(tt, b[i].term) == TP_OP_ITE &&
           tp_term_eq(tp_arg(tt, b[i].term, 0), tp_arg(tt, b[0].term, 0));
  if (same) {
    for (uint32_t i = 0; i < n; i++) {
      yes[i] = (tp_chk_value){tp_arg(tt, b[i].term, 1), b[i].provenance};
      no[i] = (tp_chk_value){tp_arg(tt, b[i].term, 2), b[i].provenance};
    }
    tp_chk_value u = of_parts(x, yes, n, s, depth + 1), v = of_parts(x, no, n, s, depth + 1);
    if (!tp_term_is(u.term) || !tp_term_is(v.term)) return (tp_chk_value){0};
    return either(x, tp_arg(tt, b[0].term, 0), u, v);
  }
  for (uint32_t i = 1; i < n; i++) {
    if (b[i].provenance != TP_PROVENANCE_NONE) all.provenance = TP_PROVENANCE_ANY;
    all.term = tp_mk2(tt, TP_OP_BV_CONCAT, b[i].term, all.term);
  }
  // All bytes of an address, in their order: the pointer is whole again.
  tp_term address = tp_chk_address_in(x->tt, all.term);
  if (tp_term_is(address) && tp_is_const(tt, tp_mk_sub(tt, all.term, address)))
    all.provenance = TP_PROVENANCE_ONE;
  return tp_chk_value_of_bits(x->tt, all, s);
}

static tp_chk_value unknown_at(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s) {
  x->is_exact = false;
  return (tp_chk_value){unknown_content(x, log, at, s), TP_PROVENANCE_ANY};
}

/* The read byte by byte. */
static tp_chk_value bytewise(tp_chk_history *x, const read_request *r, uint32_t n) {
  tp_chk_value bytes[MAX_BYTES];
  read_request one = *r;
  bool ready = true;
  one.sort = tp_sort_bv(x->tt, 8);
  for (uint32_t i = 0; i < n; i++) {
    bytes[i] = ask_at(x, one, tp_mk_ptr_add(x->tt, r->at, word(x, i)));
    ready = ready && tp_term_is(bytes[i].term);
  }
  if (!ready) return (tp_chk_value){0};
  tp_chk_value v = of_parts(x, bytes, n, r->sort, 0);
  return tp_term_is(v.term) ? v : unknown_at(x, r->log, r->at, r->sort);
}

static tp_chk_value content_of_new(tp_chk_history *x, uint32_t log, tp_term at, uint32_t n,
                                   tp_sort s) {
  tp_term fill = x->entries[log].value.term;
  bool is_pointer = tp_sort_kind_of(x->tt, s) == TP_SORT_PTR;
  if (tp_term_is(fill)) return tp_chk_repeated_byte(x->tt, fill, n, s);
  if (is_pointer) x->is_exact = false;
  if (is_pointer && x->marks_uninitialised)
    return (tp_chk_value){tp_mk_ptr_const(x->tt, 0, TP_UNWRITTEN), TP_PROVENANCE_ANY};
  if ((is_pointer && !x->numbers_objects) || n == 1 || x->entries[log].object == ANY_OBJECT)
    return (tp_chk_value){unknown_content(x, log, at, s), TP_PROVENANCE_ANY};
  tp_chk_value all = {unknown_content(x, log, at, tp_sort_bv(x->tt, 8)), TP_PROVENANCE_ANY};
  for (uint32_t i = 1; i < n; i++)
    all.term =
        tp_mk2(x->tt, TP_OP_BV_CONCAT,
               unknown_content(x, log, tp_mk_ptr_add(x->tt, at, word(x, i)), tp_sort_bv(x->tt, 8)),
               all.term);
  if (is_pointer) all.provenance = TP_PROVENANCE_NONE;  // a number in pointer clothes
  return tp_chk_value_of_bits(x->tt, all, s);
}

static meeting meet(tp_chk_history *x, const read_request *r, uint32_t n) {
  tp_terms *tt = x->tt;
  const history_entry e = x->entries[r->log];
  tp_term mine = object_of(x, r->at), its = e.kind == M_OBJECT ? e.at : object_of(x, e.at);
  tp_term same_object = objects_differ(x, mine, its) ? tp_mk_false(tt) : tp_mk_eq(tt, mine, its);
  if (tp_is_false(tt, same_object))
    return (meeting){.given = tp_mk_false(tt), .missed = tp_mk_true(tt)};
  if (e.kind == M_OBJECT) {
    tp_chk_value v = content_of_new(x, r->log, r->at, n, r->sort);
    return (meeting){same_object, tp_mk_not(tt, same_object), v, false};
  }
  tp_term d = tp_mk_sub(tt, offset_of(x, r->at), offset_of(x, e.at));
  if (e.kind == M_STORE) return meet_store(x, &e, same_object, d, n, r->sort);
  return meet_block(x, r, &x->entries[r->log], same_object, d, n);
}

/* The value after the request's log, by its newest entry; term NONE: not known yet. */
static tp_chk_value attempt_memory(tp_chk_history *x, const read_request *r) {
  tp_terms *tt = x->tt;
  tp_chk_value older;
  const tp_static *st = static_at(x, r->at);
  uint32_t n = tp_sort_bytes(tt, r->sort);
  bool is_constant = st && (st->is_const || st->kind == TP_O_LITERAL);  // nobody can have written
  if (!r->log || is_constant) return content_before(x, r->at, r->sort);
  tp_term guard = x->entries[r->log].guard;
  uint32_t prev = x->entries[r->log].prev;
  if (x->entries[r->log].kind == M_HAVOC) return unknown_at(x, r->log, r->at, r->sort);
  meeting m = meet(x, r, n);
  if (m.is_pending) return (tp_chk_value){0};
  m.given = tp_mk_and(tt, guard, m.given);
  m.missed = tp_mk_or(tt, tp_mk_not(tt, guard), m.missed);
  if (tp_is_true(tt, m.given)) return m.value;
  if (tp_is_true(tt, m.missed)) return ask(x, *r, prev);
  bool is_covered = tp_is_true(tt, tp_mk_or(tt, m.given, m.missed));
  if (!is_covered && n > 1 && x->numbers_objects && object_of_request(x, r) != ANY_OBJECT &&
      x->entries[r->log].object != ANY_OBJECT)
    return bytewise(x, r, n);
  tp_chk_value value = {0};
  if (!is_covered) value = unknown_at(x, r->log, r->at, r->sort);
  if (!tp_is_false(tt, m.missed)) {
    older = ask(x, *r, prev);
    if (!tp_term_is(older.term)) return older;
    value = is_covered ? older : either(x, m.missed, older, value);
  }
  return tp_is_false(tt, m.given) ? value : either(x, m.given, m.value, value);
}

// --------------------------------------------------------------------- ghosts

uint32_t tp_chk_history_ghost_write(tp_chk_history *x, uint32_t log, tp_chk_ghost which,
                                    tp_term guard, tp_term object, tp_term value) {
  uint64_t k;
  bool is_numbered = is_numbered_object(x, object, &k);
  if (is_numbered && which != TP_CHK_GHOST_LIVE) {  // never changes, and ids are given once
    tp_map_set(&x->fixed, k << 2 | which, value.id);
    return log;
  }
  history_entry e = {.kind = G_WRITE,
                     .prev = log,
                     .which = which,
                     .guard = guard,
                     .at = object,
                     .object = constant_object(x, object),
                     .value = {value, TP_PROVENANCE_NONE}};
  if (tp_kind(x->tt, object) != TP_OP_ITE) return push(x, e);
  tp_chk_leaves ls =
      tp_chk_leaves_of(&x->leaves, tp_mk_ptr(x->tt, object, tp_mk_bv(x->tt, x->p->ptr_bits, 0)));
  if (!ls.is_known && !x->numbers_objects) return push(x, e);
  for (uint32_t i = 0; i < ls.n; i++) {
    e.at = object_of(x, tp_chk_pointer_of_leaf(x->tt, ls.at[i]));
    e.object = constant_object(x, e.at);
    e.guard = tp_mk_and(x->tt, guard, ls.at[i].cond);
    e.prev = push(x, e);
  }
  return e.prev;
}

uint32_t tp_chk_history_ghost_havoc(tp_chk_history *x, uint32_t log, tp_chk_epoch below) {
  return push(x, (history_entry){.kind = G_HAVOC, .prev = log, .object = ANY_OBJECT, .age = below});
}

static tp_term symbol_of(const tp_chk_history *x, tp_chk_ghost which) {
  const tp_var vars[TP_CHK_N_GHOSTS] = {[TP_CHK_GHOST_SIZE] = x->p->ghost_size,
                                        [TP_CHK_GHOST_LIVE] = x->p->ghost_live,
                                        [TP_CHK_GHOST_KIND] = x->p->ghost_kind};
  return tp_var_of(x->p, vars[which])->term;
}

bool tp_chk_history_is_ghost(const tp_chk_history *x, tp_term symbol, tp_chk_ghost *which) {
  for (*which = TP_CHK_GHOST_SIZE; *which < TP_CHK_N_GHOSTS; (*which)++)
    if (tp_term_eq(symbol_of(x, *which), symbol)) return true;
  return false;
}

tp_term tp_chk_history_ghost_of_static(const tp_chk_history *x, tp_chk_ghost which, uint32_t k) {
  const tp_static *st = &x->p->statics.at[k];  // [0] is null: zero in all three
  if (which == TP_CHK_GHOST_LIVE) return tp_mk_bool(x->tt, k != 0);
  return which == TP_CHK_GHOST_KIND ? tp_mk_bv(x->tt, 8, k ? (uint64_t)st->kind : 0)
                                    : word(x, k ? st->size_bytes : 0);
}

static tp_term ghost_before(const tp_chk_history *x, tp_chk_ghost which, tp_term object) {
  uint64_t k, value;
  if (tp_bv_value_u64(x->tt, object, &k) && k < x->p->statics.n)
    return tp_chk_history_ghost_of_static(x, which, (uint32_t)k);
  if (is_numbered_object(x, object, &k)) {  // not made on this path
    if (tp_map_get(&x->fixed, k << 2 | which, &value)) return (tp_term){(uint32_t)value};
    return tp_chk_history_ghost_of_static(x, which, 0);
  }
  return as_said(x, tp_mk2(x->tt, TP_OP_SELECT, symbol_of(x, which), object));
}

/* Is this object certain to be as it was before the entry that havocs? */
static tp_term is_kept(const tp_chk_history *x, const history_entry *e, tp_chk_ghost which,
                       tp_term object) {
  creation c = creation_of(x, object);
  if (c.is_static) return tp_mk_true(x->tt);
  if (which == TP_CHK_GHOST_LIVE)
    return c.is_made
               ? tp_mk_false(x->tt)
               : tp_mk2(x->tt, TP_OP_BV_ULT, object, tp_mk_bv(x->tt, TP_OBJ_BITS, x->p->statics.n));
  if (c.is_made && is_at_least(x, c.age, e->age)) return tp_mk_false(x->tt);
  if (c.is_made && is_at_least(x, e->age, (tp_chk_epoch){c.age.base, c.age.made + 1}))
    return tp_mk_true(x->tt);
  if (c.is_older && is_at_least(x, e->age, c.age)) return tp_mk_true(x->tt);
  return tp_mk2(x->tt, TP_OP_BV_ULT, object, tp_chk_history_next_object(x, e->age));
}

static tp_term after_havoc(tp_chk_history *x, uint32_t log, tp_chk_ghost which, tp_term object) {
  tp_sort array = tp_sort_of(x->tt, symbol_of(x, which));
  uint64_t key = (uint64_t)1 << 63 | (uint64_t)log << 8 | which;
  return tp_mk2(x->tt, TP_OP_SELECT,
                unknown_array(x, key, tp_sort_index(x->tt, array), tp_sort_element(x->tt, array),
                              age_at_start(x)),
                object);
}

static tp_chk_value attempt_ghost(tp_chk_history *x, const read_request *r) {
  tp_terms *tt = x->tt;
  tp_chk_ghost which = (tp_chk_ghost)(r->ghost - 1);
  if (!r->log) return (tp_chk_value){ghost_before(x, which, r->at), TP_PROVENANCE_NONE};
  history_entry e = x->entries[r->log];
  tp_term here = tp_mk_false(tt);
  if (e.kind == G_HAVOC) {
    e.value = (tp_chk_value){after_havoc(x, r->log, which, r->at), TP_PROVENANCE_NONE};
    here = tp_mk_and(tt, e.guard, tp_mk_not(tt, is_kept(x, &e, which, r->at)));
  } else if (e.which == which && !objects_differ(x, r->at, e.at)) {
    here = tp_mk_and(tt, e.guard, tp_mk_eq(tt, r->at, e.at));
  }
  if (tp_is_true(tt, here)) return e.value;
  tp_chk_value older = ask(x, *r, e.prev);
  return tp_term_is(older.term) && !tp_is_false(tt, here) ? either(x, here, e.value, older) : older;
}

// ----------------------------------------------------------------- all requests

static tp_chk_value attempt(tp_chk_history *x, const read_request *r) {
  tp_chk_value value;
  if (by_leaves(x, r, &value)) return value;
  const history_entry *e = &x->entries[r->log];
  if (!r->log || e->kind != MERGE) return r->ghost ? attempt_ghost(x, r) : attempt_memory(x, r);
  tp_term cond = e->guard;
  uint32_t other = e->other;
  uint64_t k;
  if (!r->ghost && is_numbered_object(x, object_of(x, r->at), &k)) {  // made on both paths?
    if (!relevant(x, e->prev, (uint32_t)k)) return ask(x, *r, other);
    if (!relevant(x, other, (uint32_t)k)) return ask(x, *r, x->entries[r->log].prev);
  }
  tp_chk_value yes = ask(x, *r, e->prev), no = ask(x, *r, other);
  return tp_term_is(yes.term) && tp_term_is(no.term) ? either(x, cond, yes, no) : (tp_chk_value){0};
}

/* What a request rests on is put on the stack before it is tried again: nothing recurses on the
 * length of a log. Values that rest on facts of the path are not kept. */
static tp_chk_value answer(tp_chk_history *x, read_request r, uint32_t log) {
  TP_REQUIRE(log < x->n_entries && tp_term_is(r.at));
  x->todo.n = 0;
  x->used_facts = false;
  tp_chk_value value = ask(x, r, log);
  while (x->todo.n) {
    uint32_t id = tp_vec_last(&x->todo);
    size_t depth = x->todo.n;
    if (!tp_term_is(x->reads[id].value.term)) {
      read_request mine = x->reads[id];
      tp_chk_value v = attempt(x, &mine);
      x->reads[id].value = v;
    }
    if (tp_term_is(x->reads[id].value.term) && x->todo.n == depth) (void)tp_vec_pop(&x->todo);
    value = x->reads[id].value;
  }
  if (x->used_facts) clear_reads(x);
  TP_INVARIANT(tp_term_is(value.term));
  return value;
}

tp_chk_value tp_chk_history_read(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s) {
  return answer(x, (read_request){.at = at, .sort = s, .copies = TP_CERTIFY_HISTORY_COPIES}, log);
}

tp_term tp_chk_history_ghost_read(tp_chk_history *x, uint32_t log, tp_chk_ghost which,
                                  tp_term object) {
  return answer(x, (read_request){.at = object, .ghost = which + 1u}, log).term;
}

// -------------------------------------------------------------------- changes

static bool note_change(const tp_chk_history *x, tp_term object, tp_term *objects, uint32_t most,
                        uint32_t *n) {
  uint64_t k;
  if (tp_bv_value_u64(x->tt, object, &k) && k < x->p->statics.n) return true;
  for (uint32_t i = 0; i < *n; i++)
    if (tp_term_eq(objects[i], object)) return true;
  if (*n == most) return false;
  objects[(*n)++] = object;
  return true;
}

/* Objects of the entries of a log; false: they are not known. */
static bool note_changes(const tp_chk_history *x, uint32_t log, tp_term *objects, uint32_t most,
                         uint32_t *n) {
  tp_map seen = {0};
  TP_VEC(uint32_t) todo = {0};
  bool ok = true;
  tp_vec_push(&todo, log);
  while (todo.n && ok) {
    uint32_t at = tp_vec_pop(&todo);
    if (!at || tp_map_has(&seen, at)) continue;
    tp_map_set(&seen, at, 1);
    const history_entry *e = &x->entries[at];
    bool is_of_object = e->kind == M_OBJECT || e->kind == G_WRITE;
    if (e->kind == MERGE)
      tp_vec_push(&todo, e->other);
    else
      ok = e->kind != M_HAVOC && e->kind != G_HAVOC &&
           note_change(x, is_of_object ? e->at : object_of(x, e->at), objects, most, n);
    tp_vec_push(&todo, e->prev);
  }
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
  return ok;
}

bool tp_chk_history_changed_objects(const tp_chk_history *x, uint32_t memory, uint32_t ghosts,
                                    tp_term *objects, uint32_t most, uint32_t *n) {
  *n = 0;
  return note_changes(x, memory, objects, most, n) && note_changes(x, ghosts, objects, most, n);
}
