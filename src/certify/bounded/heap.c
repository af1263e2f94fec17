/* Reading from a log.
 *
 * A read walks the log from the newest entry to the oldest and meets, entry by entry, one of three
 * cases: the entry cannot touch the bytes asked for; it gives all of them, under a condition; or it
 * may give some of them. In the last case the read is split into reads of single bytes, for which
 * only the first two cases exist. Reads are interned and kept, and the walk branches only where
 * paths met, so the cost is (reads) x (entries of one object), not the number of paths. Everything
 * that a read rests on is put on a stack first, so nothing recurses on the length of the log. */
#include "certify/bounded/heap.h"

#include "base/checked.h"

typedef enum { LOG_WRITE, LOG_SET, LOG_HAVOC, LOG_COPY, LOG_JOIN } log_kind;
typedef struct log_entry {
  log_kind kind;
  uint32_t prev;           // JOIN: the log if cond holds
  uint32_t other;          // JOIN: the log if it does not; COPY: the source's log
  uint32_t object;         // COPY: source
  tp_term guard;           // JOIN: cond
  tp_term offset, length;  // WRITE: length is implied by the value
  tp_term value;           // WRITE: value; SET: byte; HAVOC: array; COPY: source offset
} log_entry;

typedef struct read_request {
  uint32_t object, log;
  tp_term offset;
  uint32_t n_bytes;
  tp_sort sort;
  tp_term result;  // NONE: not known yet
} read_request;

enum { MAX_POSITIONS = 4096, MAX_BYTES = 16, MAX_NESTING = 8 };

void tp_cheap_init(tp_cheap *h, const tp_program *p) {
  *h = (tp_cheap){.p = p, .tt = p->terms, .is_exact = true};
  tp_cpointers_init(&h->ps, p->terms);
  uint32_t bits = p->ptr_bits;
  tp_term zero = tp_mk_bv(h->tt, bits, 0);
  tp_vec_push(&h->objects, (tp_cobject){.kind = TP_O_NONE, .size = zero, .name = "null"});
  for (uint32_t i = 1; i < p->statics.n; i++) {
    const tp_static *st = &p->statics.at[i];
    tp_vec_push(&h->objects, (tp_cobject){.kind = st->kind,
                                          .size = tp_mk_bv(h->tt, bits, st->size_bytes),
                                          .image = st,
                                          .name = st->name});
  }
  tp_vec_push(&h->todo, 0);
  h->todo.n = 0;
  h->cap_logs = h->cap_reads = 64;
  h->logs = TP_NEW_ARRAY(log_entry, h->cap_logs);
  h->reads = TP_NEW_ARRAY(read_request, h->cap_reads);
  h->n_logs = h->n_reads = 1;
}

void tp_cheap_clear(tp_cheap *h) {
  tp_cpointers_clear(&h->ps);
  tp_vec_clear(&h->objects);
  tp_free(h->logs);
  tp_free(h->reads);
  tp_map_clear(&h->pairs);
  tp_vec_clear(&h->todo);
}

uint32_t tp_cheap_object(tp_cheap *h, tp_cobject o) {
  tp_vec_push(&h->objects, o);
  return (uint32_t)h->objects.n - 1;
}

// ------------------------------------------------------------------ writing

static uint32_t push_log(tp_cheap *h, log_entry e) {
  if (tp_is_false(h->tt, e.guard)) return e.kind == LOG_JOIN ? e.other : e.prev;
  if (h->n_logs == h->cap_logs)
    h->logs = tp_vec_grow(h->logs, &h->cap_logs, sizeof *h->logs, h->n_logs + 1);
  h->logs[h->n_logs] = e;
  return (uint32_t)h->n_logs++;
}

uint32_t tp_cheap_write(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term value) {
  return push_log(
      h, (log_entry){
             .kind = LOG_WRITE, .prev = log, .guard = guard, .offset = offset, .value = value});
}
uint32_t tp_cheap_set(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length,
                      tp_term byte) {
  return push_log(h, (log_entry){.kind = LOG_SET,
                                 .prev = log,
                                 .guard = guard,
                                 .offset = offset,
                                 .length = length,
                                 .value = byte});
}
uint32_t tp_cheap_havoc(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length,
                        tp_term bytes) {
  return push_log(h, (log_entry){.kind = LOG_HAVOC,
                                 .prev = log,
                                 .guard = guard,
                                 .offset = offset,
                                 .length = length,
                                 .value = bytes});
}
uint32_t tp_cheap_copy(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length,
                       uint32_t from_object, uint32_t from_log, tp_term from_offset) {
  return push_log(h, (log_entry){.kind = LOG_COPY,
                                 .prev = log,
                                 .guard = guard,
                                 .offset = offset,
                                 .length = length,
                                 .object = from_object,
                                 .other = from_log,
                                 .value = from_offset});
}
uint32_t tp_cheap_join(tp_cheap *h, tp_term cond, uint32_t yes, uint32_t no) {
  if (yes == no || tp_is_true(h->tt, cond)) return yes;
  return push_log(h, (log_entry){.kind = LOG_JOIN, .prev = yes, .other = no, .guard = cond});
}

// -------------------------------------------------------- values and bytes

/* The bytes of a value as one bit-vector, lowest address in the lowest bits. */
static tp_term to_bytes(tp_cheap *h, tp_term v) {
  tp_sort s = tp_sort_of(h->tt, v);
  tp_term bits = v;
  switch (tp_sort_kind_of(h->tt, s)) {
    case TP_SORT_BOOL: return tp_mk_bool_to_bv(h->tt, 8, v);
    case TP_SORT_PTR: return tp_cpointer_to_int(&h->ps, v);
    case TP_SORT_FP: return tp_mk1(h->tt, TP_OP_FP_TO_BITS, v);
    case TP_SORT_BV: break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: TP_INVARIANT(false); break;
  }
  return tp_mk_zext(h->tt, 8 * tp_sort_bytes(h->tt, s), bits);
}

static tp_term of_bytes(tp_cheap *h, tp_term bytes, tp_sort s) {
  switch (tp_sort_kind_of(h->tt, s)) {
    case TP_SORT_BOOL:
      return tp_mk_eq(h->tt, tp_mk_extract(h->tt, 0, 0, bytes), tp_mk_bv(h->tt, 1, 1));
    case TP_SORT_PTR: return tp_cpointer_of_int(&h->ps, bytes);
    case TP_SORT_FP: return tp_mk1(h->tt, TP_OP_FP_OF_BITS, bytes);
    case TP_SORT_BV: break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: TP_INVARIANT(false); break;
  }
  return tp_mk_trunc(h->tt, tp_sort_width(h->tt, s), bytes);
}

/* n bytes of v from byte `first` on, as a value of sort s. */
static tp_term part_of(tp_cheap *h, tp_term v, uint32_t first, uint32_t n, tp_sort s) {
  uint32_t m = tp_sort_bytes(h->tt, tp_sort_of(h->tt, v));
  if (first == 0 && n == m && tp_sort_eq(tp_sort_of(h->tt, v), s)) return v;
  tp_term bytes = to_bytes(h, v);
  if (first != 0 || n != m) bytes = tp_mk_extract(h->tt, 8 * (first + n) - 1, 8 * first, bytes);
  return of_bytes(h, bytes, s);
}

static tp_term repeated(tp_cheap *h, tp_term byte, uint32_t n, tp_sort s) {
  tp_term all = byte;
  for (uint32_t i = 1; i < n; i++) all = tp_mk2(h->tt, TP_OP_BV_CONCAT, byte, all);
  return of_bytes(h, all, s);
}

static tp_term plus(tp_cheap *h, tp_term offset, uint64_t n) {
  return n ? tp_mk2(h->tt, TP_OP_BV_ADD, offset, tp_mk_bv(h->tt, h->p->ptr_bits, n)) : offset;
}

static tp_term of_array(tp_cheap *h, tp_term array, tp_term index, uint32_t n, tp_sort s) {
  tp_term all = tp_mk2(h->tt, TP_OP_SELECT, array, index);
  for (uint32_t i = 1; i < n; i++)
    all =
        tp_mk2(h->tt, TP_OP_BV_CONCAT, tp_mk2(h->tt, TP_OP_SELECT, array, plus(h, index, i)), all);
  return of_bytes(h, all, s);
}

// --------------------------------------------------------------- requests

static bool same_request(const read_request *a, const read_request *b) {
  return a->object == b->object && a->log == b->log && tp_term_eq(a->offset, b->offset) &&
         a->n_bytes == b->n_bytes && tp_sort_eq(a->sort, b->sort);
}

/* The number of the request; open addressing over 64-bit keys, probing by salt. */
static uint32_t request_id(tp_cheap *h, read_request r) {
  for (uint32_t salt = 0;; salt++) {
    uint64_t key = tp_hash_mix(((uint64_t)r.object << 32) | r.log,
                               ((uint64_t)r.offset.id << 32) | (r.sort.id << 8) | r.n_bytes),
             id;
    key = tp_hash_mix(key, salt);
    if (tp_map_get(&h->pairs, key, &id)) {
      if (same_request(&h->reads[id], &r)) return (uint32_t)id;
      continue;
    }
    if (h->n_reads == h->cap_reads)
      h->reads = tp_vec_grow(h->reads, &h->cap_reads, sizeof *h->reads, h->n_reads + 1);
    r.result = TP_TERM_NONE;
    h->reads[h->n_reads] = r;
    tp_map_set(&h->pairs, key, h->n_reads);
    return (uint32_t)h->n_reads++;
  }
}

/* Is this write certain not to touch n bytes at `offset`? Decided on constants and low bits only.
 */
static bool misses(tp_cheap *h, const log_entry *e, tp_term offset, uint32_t n) {
  if (e->kind == LOG_JOIN) return false;
  tp_term delta = tp_mk_sub(h->tt, offset, e->offset);
  uint64_t d, length = 0, mask = tp_mask64(h->p->ptr_bits);
  if (e->kind == LOG_WRITE)
    length = tp_sort_bytes(h->tt, tp_sort_of(h->tt, e->value));
  else if (!tp_bv_value_u64(h->tt, e->length, &length))
    return false;
  if (length == 0) return true;
  if (tp_bv_value_u64(h->tt, delta, &d)) return d >= length && ((0 - d) & mask) >= n;
  if (e->kind != LOG_WRITE || length != n || (n & (n - 1))) return false;
  tp_cresidue r = tp_clow_bits(&h->ps, delta);  // delta = r modulo a multiple of n, r >= n: never 0
  return r.bits && ((uint32_t)1 << r.bits) >= n && r.value % n == 0 && r.value != 0;
}

/* Ask for a read; NONE if it is not known yet: then it is on the stack. Entries that cannot matter
 * are skipped first, so that many logs share one request. */
static tp_term ask(tp_cheap *h, uint32_t object, uint32_t log, tp_term offset, uint32_t n,
                   tp_sort s) {
  while (log && misses(h, &h->logs[log], offset, n)) log = h->logs[log].prev;
  uint32_t id = request_id(
      h, (read_request){.object = object, .log = log, .offset = offset, .n_bytes = n, .sort = s});
  if (!tp_term_is(h->reads[id].result)) tp_vec_push(&h->todo, id);
  return h->reads[id].result;
}

/* One value from its bytes, lowest first. Bytes that depend on the same condition do so together:
 * the bytes of a conditional pointer are two pointers under one condition. */
static tp_term of_parts(tp_cheap *h, const tp_term *b, uint32_t n, tp_sort s, uint32_t depth) {
  tp_term yes[MAX_BYTES], no[MAX_BYTES], all = b[0];
  bool same = depth < MAX_NESTING;
  for (uint32_t i = 0; i < n && same; i++)
    same = tp_kind(h->tt, b[i]) == TP_OP_ITE &&
           tp_term_eq(tp_arg(h->tt, b[i], 0), tp_arg(h->tt, b[0], 0));
  if (!same) {
    for (uint32_t i = 1; i < n; i++) all = tp_mk2(h->tt, TP_OP_BV_CONCAT, b[i], all);
    return of_bytes(h, all, s);
  }
  for (uint32_t i = 0; i < n; i++) {
    yes[i] = tp_arg(h->tt, b[i], 1);
    no[i] = tp_arg(h->tt, b[i], 2);
  }
  tp_term then = of_parts(h, yes, n, s, depth + 1);
  return tp_mk_ite(h->tt, tp_arg(h->tt, b[0], 0), then, of_parts(h, no, n, s, depth + 1));
}

/* The read byte by byte from the same place on. */
static tp_term bytewise(tp_cheap *h, const read_request *r) {
  tp_term bytes[MAX_BYTES];
  bool ready = true;
  for (uint32_t i = 0; i < r->n_bytes; i++) {
    bytes[i] = ask(h, r->object, r->log, plus(h, r->offset, i), 1, tp_sort_bv(h->tt, 8));
    ready = ready && tp_term_is(bytes[i]);
  }
  return ready ? of_parts(h, bytes, r->n_bytes, r->sort, 0) : TP_TERM_NONE;
}

// ---------------------------------------------------------- initial content

/* Bytes [at, at + n) of an image, n at most 16. */
static tp_term image_at(tp_cheap *h, const tp_static *st, uint64_t at, uint32_t n, tp_sort s) {
  uint32_t ptr_bytes = h->p->ptr_bits / 8;
  for (uint32_t i = 0; i < st->n_relocs; i++)
    if (st->relocs[i].offset == at && n == ptr_bytes)
      return part_of(h, tp_mk_ptr_const(h->tt, st->relocs[i].object, st->relocs[i].addend), 0, n,
                     s);
  tp_term all = TP_TERM_NONE;
  for (uint32_t k = 0; k < n; k++) {
    uint8_t raw = st->image && at + k < st->size_bytes ? st->image[at + k] : 0;
    tp_term b = tp_mk_bv(h->tt, 8, raw);
    for (uint32_t i = 0; i < st->n_relocs; i++) {
      const tp_reloc *rel = &st->relocs[i];
      if (at + k < rel->offset || at + k - rel->offset >= ptr_bytes) continue;
      b = part_of(h, tp_mk_ptr_const(h->tt, rel->object, rel->addend),
                  (uint32_t)(at + k - rel->offset), 1, tp_sort_bv(h->tt, 8));
    }
    all = k ? tp_mk2(h->tt, TP_OP_BV_CONCAT, b, all) : b;
  }
  return of_bytes(h, all, s);
}

static tp_term fresh(tp_cheap *h, tp_sort s) {
  h->is_exact = false;
  return tp_mk_var(h->tt, "content", s);
}

/* An image read at an unknown place: one of the places that its low bits allow. */
static tp_term image_somewhere(tp_cheap *h, const tp_static *st, const read_request *r) {
  uint32_t n = r->n_bytes, first = 0;
  tp_cresidue low = tp_clow_bits(&h->ps, r->offset);
  if (n > 1) {
    if ((n & (n - 1)) || ((uint32_t)1 << low.bits) < n) return bytewise(h, r);
    first = low.value % n;
  }
  if (st->size_bytes < n || (st->size_bytes - first) / n > MAX_POSITIONS) return fresh(h, r->sort);
  tp_term value = TP_TERM_NONE;
  for (uint64_t at = first; at + n <= st->size_bytes; at += n) {
    tp_term v = image_at(h, st, at, n, r->sort);
    if (!tp_term_is(value))
      value = v;
    else
      value = tp_mk_ite(h->tt, tp_mk_eq(h->tt, r->offset, tp_mk_bv(h->tt, h->p->ptr_bits, at)), v,
                        value);
  }
  return tp_term_is(value) ? value : fresh(h, r->sort);
}

static tp_term initial(tp_cheap *h, const read_request *r) {
  tp_cobject *o = &h->objects.at[r->object];
  uint64_t at;
  if (tp_term_is(o->fill)) return repeated(h, o->fill, r->n_bytes, r->sort);
  if (o->image && !o->image->is_extern) {
    if (!o->image->image && !o->image->n_relocs)
      return repeated(h, tp_mk_bv(h->tt, 8, 0), r->n_bytes, r->sort);
    if (tp_bv_value_u64(h->tt, r->offset, &at))
      return image_at(h, o->image, at, r->n_bytes, r->sort);
    return image_somewhere(h, o->image, r);
  }
  if (o->image && tp_sort_kind_of(h->tt, r->sort) == TP_SORT_PTR)
    return tp_cpointer_foreign(&h->ps, o->name ? o->name : "?");
  if (!tp_term_is(o->bytes)) {
    tp_sort s = tp_sort_array(h->tt, tp_sort_bv(h->tt, h->p->ptr_bits), tp_sort_bv(h->tt, 8));
    o->bytes = tp_mk_var(h->tt, o->name ? o->name : "object", s);
  }
  return of_array(h, o->bytes, r->offset, r->n_bytes, r->sort);
}

// ------------------------------------------------------------------ reading

static tp_term or_older(tp_cheap *h, tp_term cond, tp_term value, const read_request *r,
                        uint32_t older) {
  if (tp_is_true(h->tt, cond)) return value;
  tp_term rest = ask(h, r->object, older, r->offset, r->n_bytes, r->sort);
  return tp_term_is(rest) ? tp_mk_ite(h->tt, cond, value, rest) : TP_TERM_NONE;
}

/* A write of m bytes `delta` below the read: if they can only meet in whole units of n bytes, one
 * case for each unit. */
static tp_term read_write(tp_cheap *h, const log_entry *e, const read_request *r) {
  tp_term delta = tp_mk_sub(h->tt, r->offset, e->offset);
  uint32_t n = r->n_bytes, m = tp_sort_bytes(h->tt, tp_sort_of(h->tt, e->value));
  uint64_t d;
  if (tp_bv_value_u64(h->tt, delta, &d)) {
    if (d > m || d + n > m) return bytewise(h, r);
    return or_older(h, e->guard, part_of(h, e->value, (uint32_t)d, n, r->sort), r, e->prev);
  }
  tp_cresidue low = tp_clow_bits(&h->ps, delta);
  bool in_units = n == 1 || (!(n & (n - 1)) && m % n == 0 && ((uint32_t)1 << low.bits) >= n &&
                             low.value % n == 0);
  if (!in_units) return bytewise(h, r);
  tp_term value = ask(h, r->object, e->prev, r->offset, n, r->sort);
  if (!tp_term_is(value)) return value;
  for (uint32_t at = 0; at < m; at += n) {
    tp_term here =
        tp_mk_and(h->tt, e->guard, tp_mk_eq(h->tt, delta, tp_mk_bv(h->tt, h->p->ptr_bits, at)));
    if (!tp_is_false(h->tt, here))
      value = tp_mk_ite(h->tt, here, part_of(h, e->value, at, n, r->sort), value);
  }
  return value;
}

/* SET, HAVOC, COPY: n bytes are inside the block, outside, or (only if n > 1) across its border. */
static tp_term read_block(tp_cheap *h, const log_entry *e, const read_request *r) {
  tp_terms *tt = h->tt;
  tp_term delta = tp_mk_sub(tt, r->offset, e->offset);
  uint32_t n = r->n_bytes;
  tp_cresidue low = tp_clow_bits(&h->ps, delta), len = tp_clow_bits(&h->ps, e->length);
  uint64_t d, length;
  bool whole = n == 1 || (!(n & (n - 1)) && ((uint32_t)1 << low.bits) >= n && low.value % n == 0 &&
                          ((uint32_t)1 << len.bits) >= n && len.value % n == 0);
  if (tp_bv_value_u64(tt, delta, &d) && tp_bv_value_u64(tt, e->length, &length))
    whole = whole || (d < length && length - d >= n);
  if (!whole) return bytewise(h, r);
  tp_term inside = tp_mk_and(tt, e->guard, tp_mk2(tt, TP_OP_BV_ULT, delta, e->length));
  if (e->kind == LOG_SET) return or_older(h, inside, repeated(h, e->value, n, r->sort), r, e->prev);
  if (e->kind == LOG_HAVOC)
    return or_older(h, inside, of_array(h, e->value, delta, n, r->sort), r, e->prev);
  tp_term copied =
      ask(h, e->object, e->other, tp_mk2(tt, TP_OP_BV_ADD, e->value, delta), n, r->sort);
  return tp_term_is(copied) ? or_older(h, inside, copied, r, e->prev) : TP_TERM_NONE;
}

static tp_term attempt(tp_cheap *h, read_request r) {
  if (!r.log) return initial(h, &r);
  log_entry e = h->logs[r.log];
  switch (e.kind) {
    case LOG_WRITE: return read_write(h, &e, &r);
    case LOG_SET:
    case LOG_HAVOC:
    case LOG_COPY: return read_block(h, &e, &r);
    case LOG_JOIN: break;
  }
  tp_term yes = ask(h, r.object, e.prev, r.offset, r.n_bytes, r.sort);
  tp_term no = ask(h, r.object, e.other, r.offset, r.n_bytes, r.sort);
  return tp_term_is(yes) && tp_term_is(no) ? tp_mk_ite(h->tt, e.guard, yes, no) : TP_TERM_NONE;
}

tp_term tp_cheap_read(tp_cheap *h, uint32_t object, uint32_t log, tp_term offset, tp_sort s) {
  h->todo.n = 0;
  tp_term value = ask(h, object, log, offset, tp_sort_bytes(h->tt, s), s);
  while (h->todo.n) {
    uint32_t id = tp_vec_last(&h->todo);
    size_t depth = h->todo.n;
    if (!tp_term_is(h->reads[id].result)) {
      tp_term result = attempt(h, h->reads[id]);
      h->reads[id].result = result;
    }
    if (tp_term_is(h->reads[id].result) && h->todo.n == depth) (void)tp_vec_pop(&h->todo);
    value = h->reads[id].result;
  }
  return value;
}
