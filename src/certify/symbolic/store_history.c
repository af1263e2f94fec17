/* Reading walks the log from the newest entry to the oldest. Each entry is met under conditions:
 * under `given` it has the value; under `missed` it does not touch the bytes asked for, and older
 * entries decide; otherwise nothing is known. Conditions on constants fold, so that most entries
 * are passed at once. */
#include "certify/symbolic/store_history.h"

#include "program/cells.h"

typedef enum { M_STORE, M_SET, M_COPY, M_INPUT, M_OBJECT, M_FORGET } memory_kind;
typedef struct memory_event {
  memory_kind kind;
  uint32_t prev;
  uint32_t origin;  // the entry that this one repeats on a log where ways met; itself: none
  tp_term guard;    // it happened if this holds
  tp_chk_epoch age;
  tp_term at;          // pointer; OBJECT: its id
  tp_term length;      // not STORE, OBJECT, FORGET
  tp_chk_value value;  // STORE: the value; SET, OBJECT: the byte
  tp_term from;        // COPY
} memory_event;

typedef struct ghost_event {
  uint32_t prev, origin;  // as above
  tp_chk_ghost which;
  tp_term guard, object, value;
  bool forget;
  tp_chk_epoch below;  // forget
} ghost_event;

typedef struct {
  TP_VEC(tp_term) symbols;
  size_t used;
} pool;
struct tp_chk_symbol_pools {
  TP_VEC(pool) list;
};

enum { MAX_STEPS = 512, MAX_COPIES = 6, MAX_POSITIONS = 512, MAX_ITE_DEPTH = 4, MAX_SPLITS = 3 };

// ------------------------------------------------------------------- symbols

void tp_chk_history_init(tp_chk_history *x, const tp_program *p) {
  *x = (tp_chk_history){.p = p, .tt = p->terms, .is_exact = true};
  x->next = tp_mk_var(x->tt, "next object", tp_sort_bv(x->tt, TP_OBJ_BITS));
  x->pools = TP_NEW(struct tp_chk_symbol_pools);
  x->cap_memory = x->cap_ghosts = 64;
  x->memory = TP_NEW_ARRAY(memory_event, x->cap_memory);
  x->ghosts = TP_NEW_ARRAY(ghost_event, x->cap_ghosts);
  x->n_memory = x->n_ghosts = 1;
}

void tp_chk_history_clear(tp_chk_history *x) {
  for (size_t i = 0; i < x->pools->list.n; i++) tp_vec_clear(&x->pools->list.at[i].symbols);
  tp_vec_clear(&x->pools->list);
  tp_free(x->pools);
  tp_free(x->memory);
  tp_free(x->ghosts);
  tp_map_clear(&x->arrays);
  tp_map_clear(&x->pool_of_sort);
  tp_map_clear(&x->ages);
  tp_map_clear(&x->made);
  tp_map_clear(&x->bounds);
  tp_map_clear(&x->said);
}

void tp_chk_history_restart(tp_chk_history *x, bool from_beginning) {
  x->n_memory = x->n_ghosts = 1;
  x->from_beginning = from_beginning;
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

/* What is not known after this entry, if it happened; entries that repeat it on other logs mean the
 * same. */
static tp_term unknown_content(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s) {
  tp_chk_epoch age = log ? x->memory[log].age : age_at_start(x);
  if (log) log = x->memory[log].origin;
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
  enum { FEW = 8 };
  tp_term any = tp_mk2(x->tt, TP_OP_BV_ULT, object, x->next);
  if (!tp_term_eq(age.base, x->next) || age.made > FEW)
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
  if (differ(x, object, other, MAX_ITE_DEPTH)) return true;
  tp_term different = tp_mk_not(x->tt, tp_mk_eq(x->tt, object, other));
  return tp_is_true(x->tt, different) || x->knows(x->ctx, different);
}

// ------------------------------------------------------------------- writing

static uint32_t push(tp_chk_history *x, memory_event e) {
  if (x->n_memory == x->cap_memory)
    x->memory = tp_vec_grow(x->memory, &x->cap_memory, sizeof *x->memory, x->n_memory + 1);
  if (!tp_term_is(e.guard)) e.guard = tp_mk_true(x->tt);
  if (!e.origin) e.origin = (uint32_t)x->n_memory;
  x->memory[x->n_memory] = e;
  return (uint32_t)x->n_memory++;
}

uint32_t tp_chk_history_store(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                              tp_chk_value value) {
  return push(x,
              (memory_event){.kind = M_STORE, .prev = log, .age = age, .at = at, .value = value});
}
uint32_t tp_chk_history_set(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                            tp_term length, tp_term byte) {
  return push(x, (memory_event){.kind = M_SET,
                                .prev = log,
                                .age = age,
                                .at = at,
                                .length = length,
                                .value = {byte, TP_PROVENANCE_NONE}});
}
uint32_t tp_chk_history_copy(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                             tp_term length, tp_term from) {
  return push(
      x, (memory_event){
             .kind = M_COPY, .prev = log, .age = age, .at = at, .length = length, .from = from});
}
uint32_t tp_chk_history_input(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                              tp_term length) {
  return push(x,
              (memory_event){.kind = M_INPUT, .prev = log, .age = age, .at = at, .length = length});
}
uint32_t tp_chk_history_new_content(tp_chk_history *x, uint32_t log, tp_chk_epoch age,
                                    tp_term object, tp_term fill) {
  return push(x, (memory_event){.kind = M_OBJECT,
                                .prev = log,
                                .age = age,
                                .at = object,
                                .value = {fill, TP_PROVENANCE_NONE}});
}
uint32_t tp_chk_history_havoc(tp_chk_history *x, uint32_t log, tp_chk_epoch age) {
  return push(x, (memory_event){.kind = M_FORGET, .prev = log, .age = age});
}

/* What happened on `log` after `since`, once more on `onto`, if cond. */
static uint32_t repeat(tp_chk_history *x, tp_term cond, uint32_t onto, uint32_t log,
                       uint32_t since) {
  TP_VEC(uint32_t) entries = {0};
  for (; log != since; log = x->memory[log].prev) tp_vec_push(&entries, log);
  while (entries.n) {
    memory_event e = x->memory[tp_vec_pop(&entries)];
    e.prev = onto;
    e.guard = tp_mk_and(x->tt, cond, e.guard);
    onto = push(x, e);
  }
  tp_vec_clear(&entries);
  return onto;
}

uint32_t tp_chk_history_merge(tp_chk_history *x, tp_term cond, uint32_t yes, uint32_t no) {
  uint32_t a = yes, b = no;
  while (a != b) {  // an entry is newer than those before it
    if (a > b)
      a = x->memory[a].prev;
    else
      b = x->memory[b].prev;
  }
  uint32_t log = repeat(x, cond, a, yes, a);
  return repeat(x, tp_mk_not(x->tt, cond), log, no, a);
}

// ----------------------------------------------------------- values and bytes

static tp_term offset_of(const tp_chk_history *x, tp_term ptr) {
  return tp_mk1(x->tt, TP_OP_PTR_OFF, ptr);
}
static tp_term object_of(const tp_chk_history *x, tp_term ptr) {
  return tp_mk1(x->tt, TP_OP_PTR_OBJ, ptr);
}
static tp_term word(const tp_chk_history *x, uint64_t n) {
  return tp_mk_bv(x->tt, x->p->ptr_bits, n);
}

/* The value's bytes as one integer, the lowest address in the lowest bits. */
static tp_chk_value to_bits(tp_chk_history *x, tp_chk_value v) {
  tp_sort s = tp_sort_of(x->tt, v.term);
  switch (tp_sort_kind_of(x->tt, s)) {
    case TP_SORT_BOOL:
      return (tp_chk_value){tp_mk_bool_to_bv(x->tt, 8, v.term), TP_PROVENANCE_NONE};
    case TP_SORT_PTR:
      return (tp_chk_value){tp_mk1(x->tt, TP_OP_PTR_TO_INT, v.term), TP_PROVENANCE_ONE};
    case TP_SORT_FP:
      return (tp_chk_value){tp_mk1(x->tt, TP_OP_FP_TO_BITS, v.term),
                            v.provenance == TP_PROVENANCE_NONE ? v.provenance : TP_PROVENANCE_ANY};
    case TP_SORT_BV: break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: return (tp_chk_value){0};
  }
  uint32_t width = 8 * tp_sort_bytes(x->tt, s);
  bool whole = width == tp_sort_width(x->tt, s);
  return (tp_chk_value){
      tp_mk_zext(x->tt, width, v.term),
      whole || v.provenance == TP_PROVENANCE_NONE ? v.provenance : TP_PROVENANCE_ANY};
}

/* A value of sort s from exactly its bytes; NONE: a pointer that they do not show. */
static tp_chk_value of_bits(tp_chk_history *x, tp_chk_value bits, tp_sort s) {
  switch (tp_sort_kind_of(x->tt, s)) {
    case TP_SORT_BOOL:
      return (tp_chk_value){
          tp_mk_eq(x->tt, tp_mk_extract(x->tt, 0, 0, bits.term), tp_mk_bv(x->tt, 1, 1)),
          TP_PROVENANCE_NONE};
    case TP_SORT_PTR: return (tp_chk_value){tp_chk_history_pointer_of(x, bits), TP_PROVENANCE_NONE};
    case TP_SORT_FP:
      return (tp_chk_value){
          tp_mk1(x->tt, TP_OP_FP_OF_BITS, bits.term),
          bits.provenance == TP_PROVENANCE_NONE ? bits.provenance : TP_PROVENANCE_ANY};
    case TP_SORT_BV: break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: return (tp_chk_value){0};
  }
  bool whole = tp_width(x->tt, bits.term) == tp_sort_width(x->tt, s);
  return (tp_chk_value){
      tp_mk_trunc(x->tt, tp_sort_width(x->tt, s), bits.term),
      whole || bits.provenance == TP_PROVENANCE_NONE ? bits.provenance : TP_PROVENANCE_ANY};
}

/* n bytes of v from byte `first` on, as a value of sort s; NONE: it cannot be said. */
static tp_chk_value part_of(tp_chk_history *x, tp_chk_value v, uint32_t first, uint32_t n,
                            tp_sort s) {
  tp_sort have = tp_sort_of(x->tt, v.term);
  uint32_t m = tp_sort_bytes(x->tt, have);
  if (first == 0 && n == m && tp_sort_eq(have, s)) return v;
  tp_chk_value bits = to_bits(x, v);
  if (tp_term_is(bits.term) && (first != 0 || n != m)) {
    bits.term = tp_mk_extract(x->tt, 8 * (first + n) - 1, 8 * first, bits.term);
    if (bits.provenance != TP_PROVENANCE_NONE) bits.provenance = TP_PROVENANCE_ANY;
  }
  return tp_term_is(bits.term) ? of_bits(x, bits, s) : bits;
}

static tp_chk_value repeated(tp_chk_history *x, tp_term byte, uint32_t n, tp_sort s) {
  tp_term all = byte;
  for (uint32_t i = 1; i < n; i++) all = tp_mk2(x->tt, TP_OP_BV_CONCAT, byte, all);
  return of_bits(
      x, (tp_chk_value){all, tp_is_const(x->tt, byte) ? TP_PROVENANCE_NONE : TP_PROVENANCE_ANY}, s);
}

/* Is t a sum of one PTR_TO_INT and numbers? Only sums are looked into. */
static tp_term the_pointer_in(const tp_chk_history *x, tp_term sum) {
  TP_VEC(uint32_t) todo = {0};
  tp_term found = TP_TERM_NONE;
  bool one = true;
  tp_vec_push(&todo, sum.id);
  while (todo.n && one) {
    tp_term t = {tp_vec_pop(&todo)};
    if (tp_kind(x->tt, t) == TP_OP_BV_ADD) {
      tp_vec_push(&todo, tp_arg(x->tt, t, 0).id);
      tp_vec_push(&todo, tp_arg(x->tt, t, 1).id);
    } else if (tp_kind(x->tt, t) == TP_OP_PTR_TO_INT) {
      one = !tp_term_is(found);
      found = t;
    }
  }
  tp_vec_clear(&todo);
  return one ? found : TP_TERM_NONE;
}

tp_term tp_chk_history_pointer_of(tp_chk_history *x, tp_chk_value integer) {
  if (tp_width(x->tt, integer.term) != x->p->ptr_bits || integer.provenance == TP_PROVENANCE_ANY)
    return TP_TERM_NONE;
  if (integer.provenance == TP_PROVENANCE_NONE)
    return tp_mk_ptr(x->tt, tp_mk_bv(x->tt, TP_OBJ_BITS, 0), integer.term);
  tp_term address = the_pointer_in(x, integer.term);
  if (!tp_term_is(address)) return TP_TERM_NONE;
  return tp_mk_ptr_add(x->tt, tp_arg(x->tt, address, 0), tp_mk_sub(x->tt, integer.term, address));
}

// ---------------------------------------------------------- content of statics

/* Bytes [at, at + n) of an initial image; NONE: they are parts of a pointer. */
static tp_chk_value image_at(tp_chk_history *x, const tp_static *st, uint64_t at, uint32_t n,
                             tp_sort s) {
  uint32_t ptr_bytes = x->p->ptr_bits / 8;
  tp_u128 bits = 0;
  for (uint32_t i = 0; i < st->n_relocs; i++) {
    const tp_reloc *r = &st->relocs[i];
    if (r->offset >= at + n || r->offset + ptr_bytes <= at) continue;
    if (r->offset != at || n != ptr_bytes) return (tp_chk_value){0};
    return part_of(x,
                   (tp_chk_value){tp_mk_ptr_const(x->tt, r->object, r->addend), TP_PROVENANCE_NONE},
                   0, n, s);
  }
  for (uint32_t k = n; k-- > 0;) bits = bits << 8 | (st->image ? st->image[at + k] : 0);
  return of_bits(x, (tp_chk_value){tp_mk_bv(x->tt, 8 * n, bits), TP_PROVENANCE_NONE}, s);
}

/* The image of a static at a pointer; positions that are not multiples of the width, and those
 * outside, give `otherwise`. */
static tp_chk_value image(tp_chk_history *x, const tp_static *st, tp_term at, tp_sort s,
                          tp_term otherwise) {
  uint32_t n = tp_sort_bytes(x->tt, s);
  uint64_t k, size = st->size_bytes;
  tp_term offset = offset_of(x, at);
  tp_chk_value value = {otherwise, TP_PROVENANCE_ANY};
  if (tp_bv_value_u64(x->tt, offset, &k)) {
    tp_chk_value v = k <= size && n <= size - k ? image_at(x, st, k, n, s) : (tp_chk_value){0};
    return tp_term_is(v.term) ? v : value;
  }
  if (size / n > MAX_POSITIONS) return value;
  for (k = 0; k + n <= size; k += n) {
    tp_chk_value v = image_at(x, st, k, n, s);
    if (tp_term_is(v.term))
      value.term = tp_mk_ite(x->tt, tp_mk_eq(x->tt, offset, word(x, k)), v.term, value.term);
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

typedef struct {
  tp_term given, missed;
  tp_chk_value value;  // if given
} meeting;

static tp_chk_value read_at(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s, int copies);

/* A stored value of m bytes, `d` bytes below what is read. */
static meeting meet_store(tp_chk_history *x, const memory_event *e, tp_term same_object, tp_term d,
                          uint32_t n, tp_sort s) {
  tp_terms *tt = x->tt;
  uint32_t m = tp_sort_bytes(tt, tp_sort_of(tt, e->value.term));
  uint64_t k = 0;
  bool is_known = tp_bv_value_u64(tt, d, &k), inside = is_known ? k < m && n <= m - k : n == m;
  tp_term above = tp_mk2(tt, TP_OP_BV_ULE, word(x, m), d),
          below = tp_mk2(tt, TP_OP_BV_ULE, word(x, n), tp_mk1(tt, TP_OP_BV_NEG, d));
  meeting r = {.given = tp_mk_false(tt)};
  r.missed = tp_mk_or(tt, tp_mk_not(tt, same_object), tp_mk_and(tt, above, below));
  if (inside) r.value = part_of(x, e->value, (uint32_t)k, n, s);
  if (tp_term_is(r.value.term)) r.given = tp_mk_and(tt, same_object, tp_mk_eq(tt, d, word(x, k)));
  return r;
}

/* SET, COPY, INPUT: a block of e->length bytes. */
static meeting meet_block(tp_chk_history *x, const memory_event *e, tp_term same_object, tp_term d,
                          uint32_t n, tp_sort s, int copies) {
  tp_terms *tt = x->tt;
  tp_term above = tp_mk2(tt, TP_OP_BV_ULE, e->length, d),
          below = tp_mk2(tt, TP_OP_BV_ULE, word(x, n), tp_mk1(tt, TP_OP_BV_NEG, d));
  tp_term empty = tp_mk_eq(tt, e->length, word(x, 0));
  meeting r = {.given = tp_mk_false(tt)};
  r.missed =
      tp_mk_or(tt, tp_mk_not(tt, same_object), tp_mk_or(tt, empty, tp_mk_and(tt, above, below)));
  if (tp_is_true(tt, r.missed)) return r;
  if (e->kind == M_SET)
    r.value = repeated(x, e->value.term, n, s);
  else if (e->kind == M_COPY && copies > 0)
    r.value = read_at(x, e->prev, tp_mk_ptr_add(tt, e->from, d), s, copies - 1);
  if (!tp_term_is(r.value.term)) return r;
  tp_term inside = tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULT, d, e->length),
                             tp_mk2(tt, TP_OP_BV_ULE, word(x, n), tp_mk_sub(tt, e->length, d)));
  r.given = tp_mk_and(tt, same_object, inside);
  return r;
}

static tp_chk_value content_of_new(tp_chk_history *x, uint32_t log, tp_term at, uint32_t n,
                                   tp_sort s) {
  tp_term fill = x->memory[log].value.term;
  if (tp_term_is(fill)) return repeated(x, fill, n, s);
  if (tp_sort_kind_of(x->tt, s) == TP_SORT_PTR) x->is_exact = false;
  if (tp_sort_kind_of(x->tt, s) == TP_SORT_PTR && x->marks_unwritten)
    return (tp_chk_value){tp_mk_ptr_const(x->tt, 0, TP_UNWRITTEN), TP_PROVENANCE_ANY};
  return (tp_chk_value){unknown_content(x, log, at, s), TP_PROVENANCE_ANY};
}

static meeting meet_if_it_happened(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s,
                                   int copies) {
  tp_terms *tt = x->tt;
  memory_event e = x->memory[log];
  uint32_t n = tp_sort_bytes(tt, s);
  if (e.kind == M_FORGET) return (meeting){.given = tp_mk_false(tt), .missed = tp_mk_false(tt)};
  tp_term mine = object_of(x, at), its = e.kind == M_OBJECT ? e.at : object_of(x, e.at);
  tp_term same_object =
      tp_chk_history_objects_differ(x, mine, its) ? tp_mk_false(tt) : tp_mk_eq(tt, mine, its);
  if (tp_is_false(tt, same_object))
    return (meeting){.given = tp_mk_false(tt), .missed = tp_mk_true(tt)};
  if (e.kind == M_OBJECT)
    return (meeting){same_object, tp_mk_not(tt, same_object), content_of_new(x, log, at, n, s)};
  tp_term d = tp_mk_sub(tt, offset_of(x, at), offset_of(x, e.at));
  return e.kind == M_STORE ? meet_store(x, &e, same_object, d, n, s)
                           : meet_block(x, &e, same_object, d, n, s, copies);
}

static meeting meet(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s, int copies) {
  tp_term guard = x->memory[log].guard;
  meeting m = meet_if_it_happened(x, log, at, s, copies);
  if (tp_is_true(x->tt, guard)) return m;
  m.given = tp_mk_and(x->tt, guard, m.given);
  m.missed = tp_mk_or(x->tt, tp_mk_not(x->tt, guard), m.missed);
  return m;
}

typedef struct {
  tp_term cond;
  tp_chk_value value;
} step;

tp_chk_provenance tp_chk_merge_provenance(tp_chk_value a, tp_chk_value b) {
  if (tp_term_eq(a.term, b.term) && a.provenance == b.provenance) return a.provenance;
  return a.provenance == TP_PROVENANCE_NONE && b.provenance == TP_PROVENANCE_NONE
             ? TP_PROVENANCE_NONE
             : TP_PROVENANCE_ANY;
}

static tp_chk_value unknown_at(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s) {
  x->is_exact = false;
  return (tp_chk_value){unknown_content(x, log, at, s), TP_PROVENANCE_ANY};
}

/* The value after an entry, in steps from the newest entry on; `open`: none of the steps so far
 * decides. Giving up is possible only at entries that happened on every way: what memory holds
 * where an entry did not happen is not what is unknown after it. */
static tp_chk_value read_at(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s, int copies) {
  tp_terms *tt = x->tt;
  TP_VEC(step) steps = {0};
  tp_chk_value value = {0};
  tp_term open = tp_mk_true(tt);
  const tp_static *st = static_at(x, at);
  if (st && (st->is_const || st->kind == TP_O_LITERAL)) log = 0;  // nobody can have written there
  while (!tp_term_is(value.term)) {
    if (!log) {
      value = content_before(x, at, s);
      break;
    }
    meeting m = meet(x, log, at, s, copies);
    bool is_covered = tp_is_true(tt, tp_mk_or(tt, m.given, m.missed)),
         is_long = steps.n >= MAX_STEPS && tp_is_true(tt, x->memory[log].guard);
    if (!tp_is_false(tt, m.given)) {
      open = tp_mk_and(tt, open, tp_mk_not(tt, m.given));
      if (tp_is_false(tt, open))
        value = m.value;
      else
        tp_vec_push(&steps, (step){m.given, m.value});
    }
    if (!tp_term_is(value.term) && !is_covered) {
      tp_chk_value any = unknown_at(x, log, at, s);
      if (tp_is_false(tt, m.missed) || is_long)
        value = any;
      else
        tp_vec_push(&steps, (step){tp_mk_not(tt, m.missed), any});
    } else if (!tp_term_is(value.term) && is_long) {
      value = unknown_at(x, log, at, s);
    }
    log = x->memory[log].prev;
  }
  for (size_t i = steps.n; i-- > 0;) {
    value.provenance = tp_chk_merge_provenance(steps.at[i].value, value);
    value.term = tp_mk_ite(tt, steps.at[i].cond, steps.at[i].value.term, value.term);
  }
  tp_vec_clear(&steps);
  return value;
}

/* The pointer is one of two: what is read through either says more than what is read through both.
 */
static bool is_one_of_two(const tp_chk_history *x, tp_term at, tp_term *cond, tp_term *a,
                          tp_term *b) {
  tp_terms *tt = x->tt;
  bool moved = tp_kind(tt, at) == TP_OP_PTR_ADD;
  tp_term base = moved ? tp_arg(tt, at, 0) : at;
  if (tp_kind(tt, base) != TP_OP_ITE) return false;
  *cond = tp_arg(tt, base, 0);
  *a = tp_arg(tt, base, 1);
  *b = tp_arg(tt, base, 2);
  if (moved)
    *a = tp_mk_ptr_add(tt, *a, tp_arg(tt, at, 1)), *b = tp_mk_ptr_add(tt, *b, tp_arg(tt, at, 1));
  return true;
}

static tp_chk_value read_split(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s, int depth) {
  tp_term cond, a, b;
  if (depth == 0 || !is_one_of_two(x, at, &cond, &a, &b)) return read_at(x, log, at, s, MAX_COPIES);
  tp_chk_value u = read_split(x, log, a, s, depth - 1), v = read_split(x, log, b, s, depth - 1);
  return (tp_chk_value){tp_mk_ite(x->tt, cond, u.term, v.term), tp_chk_merge_provenance(u, v)};
}

tp_chk_value tp_chk_history_read(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s) {
  return read_split(x, log, at, s, MAX_SPLITS);
}

// --------------------------------------------------------------------- ghosts

static uint32_t push_ghost(tp_chk_history *x, ghost_event e) {
  if (x->n_ghosts == x->cap_ghosts)
    x->ghosts = tp_vec_grow(x->ghosts, &x->cap_ghosts, sizeof *x->ghosts, x->n_ghosts + 1);
  if (!e.origin) e.origin = (uint32_t)x->n_ghosts;
  x->ghosts[x->n_ghosts] = e;
  return (uint32_t)x->n_ghosts++;
}

uint32_t tp_chk_history_ghost_write(tp_chk_history *x, uint32_t log, tp_chk_ghost which,
                                    tp_term guard, tp_term object, tp_term value) {
  return push_ghost(
      x,
      (ghost_event){.prev = log, .which = which, .guard = guard, .object = object, .value = value});
}

uint32_t tp_chk_history_ghost_havoc(tp_chk_history *x, uint32_t log, tp_chk_epoch below) {
  return push_ghost(
      x, (ghost_event){.prev = log, .guard = tp_mk_true(x->tt), .forget = true, .below = below});
}

static uint32_t repeat_ghosts(tp_chk_history *x, tp_term cond, uint32_t onto, uint32_t log,
                              uint32_t since) {
  TP_VEC(uint32_t) entries = {0};
  for (; log != since; log = x->ghosts[log].prev) tp_vec_push(&entries, log);
  while (entries.n) {
    ghost_event e = x->ghosts[tp_vec_pop(&entries)];
    e.prev = onto;
    e.guard = tp_mk_and(x->tt, cond, e.guard);
    onto = push_ghost(x, e);
  }
  tp_vec_clear(&entries);
  return onto;
}

uint32_t tp_chk_history_ghost_merge(tp_chk_history *x, tp_term cond, uint32_t yes, uint32_t no) {
  uint32_t a = yes, b = no;
  while (a != b) {
    if (a > b)
      a = x->ghosts[a].prev;
    else
      b = x->ghosts[b].prev;
  }
  uint32_t log = repeat_ghosts(x, cond, a, yes, a);
  return repeat_ghosts(x, tp_mk_not(x->tt, cond), log, no, a);
}

static tp_term symbol_of(const tp_chk_history *x, tp_chk_ghost which) {
  const tp_var vars[TP_N_GHOSTS] = {[TP_GHOST_SIZE] = x->p->ghost_size,
                                    [TP_GHOST_LIVE] = x->p->ghost_live,
                                    [TP_GHOST_KIND] = x->p->ghost_kind};
  return tp_var_of(x->p, vars[which])->term;
}

bool tp_chk_history_is_ghost(const tp_chk_history *x, tp_term symbol, tp_chk_ghost *which) {
  for (*which = TP_GHOST_SIZE; *which < TP_N_GHOSTS; (*which)++)
    if (tp_term_eq(symbol_of(x, *which), symbol)) return true;
  return false;
}

tp_term tp_chk_history_ghost_of_static(const tp_chk_history *x, tp_chk_ghost which, uint32_t k) {
  const tp_static *st = &x->p->statics.at[k];  // [0] is null: zero in all three
  if (which == TP_GHOST_LIVE) return tp_mk_bool(x->tt, k != 0);
  return which == TP_GHOST_KIND ? tp_mk_bv(x->tt, 8, k ? (uint64_t)st->kind : 0)
                                : word(x, k ? st->size_bytes : 0);
}

static tp_term ghost_before(const tp_chk_history *x, tp_chk_ghost which, tp_term object) {
  uint64_t k;
  if (tp_bv_value_u64(x->tt, object, &k) && k < x->p->statics.n)
    return tp_chk_history_ghost_of_static(x, which, (uint32_t)k);
  return as_said(x, tp_mk2(x->tt, TP_OP_SELECT, symbol_of(x, which), object));
}

/* Is this object certain to be as it was before the entry that forgets? */
static tp_term is_kept(const tp_chk_history *x, const ghost_event *e, tp_chk_ghost which,
                       tp_term object) {
  creation c = creation_of(x, object);
  if (c.is_static) return tp_mk_true(x->tt);
  if (which == TP_GHOST_LIVE)
    return c.is_made
               ? tp_mk_false(x->tt)
               : tp_mk2(x->tt, TP_OP_BV_ULT, object, tp_mk_bv(x->tt, TP_OBJ_BITS, x->p->statics.n));
  if (c.is_made && is_at_least(x, c.age, e->below)) return tp_mk_false(x->tt);
  if (c.is_made && is_at_least(x, e->below, (tp_chk_epoch){c.age.base, c.age.made + 1}))
    return tp_mk_true(x->tt);
  if (c.is_older && is_at_least(x, e->below, c.age)) return tp_mk_true(x->tt);
  return tp_mk2(x->tt, TP_OP_BV_ULT, object, tp_chk_history_next_object(x, e->below));
}

static tp_term after_forgetting(tp_chk_history *x, uint32_t log, tp_chk_ghost which,
                                tp_term object) {
  tp_sort array = tp_sort_of(x->tt, symbol_of(x, which));
  uint64_t key = (uint64_t)1 << 63 | (uint64_t)x->ghosts[log].origin << 8 | which;
  return tp_mk2(x->tt, TP_OP_SELECT,
                unknown_array(x, key, tp_sort_index(x->tt, array), tp_sort_element(x->tt, array),
                              age_at_start(x)),
                object);
}

static tp_term ghost_at(tp_chk_history *x, uint32_t log, tp_chk_ghost which, tp_term object) {
  tp_terms *tt = x->tt;
  TP_VEC(step) steps = {0};
  tp_term value = TP_TERM_NONE;
  for (; !tp_term_is(value) && log; log = x->ghosts[log].prev) {
    ghost_event e = x->ghosts[log];
    tp_term here = TP_TERM_NONE;
    if (e.forget) {
      e.value = after_forgetting(x, log, which, object);
      here = tp_mk_and(tt, e.guard, tp_mk_not(tt, is_kept(x, &e, which, object)));
    } else if (e.which == which && !tp_chk_history_objects_differ(x, object, e.object)) {
      here = tp_mk_and(tt, e.guard, tp_mk_eq(tt, object, e.object));
    }
    if (!tp_term_is(here) || tp_is_false(tt, here)) continue;
    if (tp_is_true(tt, here))
      value = e.value;
    else
      tp_vec_push(&steps, (step){here, {e.value, TP_PROVENANCE_NONE}});
  }
  if (!tp_term_is(value)) value = ghost_before(x, which, object);
  for (size_t i = steps.n; i-- > 0;)
    value = tp_mk_ite(tt, steps.at[i].cond, steps.at[i].value.term, value);
  tp_vec_clear(&steps);
  return value;
}

static tp_term ghost_split(tp_chk_history *x, uint32_t log, tp_chk_ghost which, tp_term object,
                           int depth) {
  if (depth == 0 || tp_kind(x->tt, object) != TP_OP_ITE) return ghost_at(x, log, which, object);
  tp_term a = ghost_split(x, log, which, tp_arg(x->tt, object, 1), depth - 1),
          b = ghost_split(x, log, which, tp_arg(x->tt, object, 2), depth - 1);
  return tp_mk_ite(x->tt, tp_arg(x->tt, object, 0), a, b);
}

tp_term tp_chk_history_ghost_read(tp_chk_history *x, uint32_t log, tp_chk_ghost which,
                                  tp_term object) {
  return ghost_split(x, log, which, object, MAX_SPLITS);
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

bool tp_chk_history_changed_objects(const tp_chk_history *x, uint32_t memory, uint32_t ghosts,
                                    tp_term *objects, uint32_t most, uint32_t *n) {
  bool ok = true;
  *n = 0;
  for (; memory && ok; memory = x->memory[memory].prev) {
    const memory_event *e = &x->memory[memory];
    ok = e->kind != M_FORGET &&
         note_change(x, e->kind == M_OBJECT ? e->at : object_of(x, e->at), objects, most, n);
  }
  for (; ghosts && ok; ghosts = x->ghosts[ghosts].prev)
    ok = !x->ghosts[ghosts].forget && note_change(x, x->ghosts[ghosts].object, objects, most, n);
  return ok;
}
