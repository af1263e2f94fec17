/* Reading from a log.
 *
 * A read walks the log from the newest entry to the oldest and meets, entry by entry, one of three
 * cases: the entry cannot touch the bytes asked for; it gives all of them, under a condition; or it
 * may give some of them. In the last case the read is split into reads of single bytes, for which
 * only the first two cases exist. Reads are interned and kept, and the walk branches only where paths
 * met, so the cost is (reads) x (entries of one object), not the number of paths. Everything that a
 * read rests on is put on a stack first, so nothing recurses on the length of the log. */
#include "certify/heap.h"

typedef enum { LOG_WRITE, LOG_SET, LOG_HAVOC, LOG_COPY, LOG_JOIN } log_kind;
typedef struct log_entry {
  log_kind kind;
  uint32_t prev;               // JOIN: the log if cond holds
  uint32_t other;              // JOIN: the log if it does not; COPY: the source's log
  uint32_t object;             // COPY: source
  tp_term guard;               // JOIN: cond
  tp_term offset, length;      // WRITE: length is implied by the value
  tp_term value;               // WRITE: value; SET: byte; HAVOC: array; COPY: source offset
} log_entry;

typedef struct read_request {
  uint32_t object, log;
  tp_term offset;
  uint32_t n_bytes;
  tp_sort sort;
  tp_term result;              // NONE: not known yet
} read_request;

enum { MAX_POSITIONS = 4096 };

void tp_cheap_init(tp_cheap *h, const tp_program *p) {
  *h = (tp_cheap){.p = p, .tt = p->terms};
  tp_pointers_init(&h->ps, p->terms);
  uint32_t bits = p->ptr_bits;
  tp_term zero = tp_mk_bv(h->tt, bits, 0);
  tp_vec_push(&h->objects, (tp_cobject){.kind = TP_O_NONE, .size = zero, .name = "null"});
  for (uint32_t i = 1; i < p->statics.n; i++) {
    const tp_static *st = &p->statics.at[i];
    tp_vec_push(&h->objects, (tp_cobject){.kind = st->kind, .size = tp_mk_bv(h->tt, bits, st->size_bytes), .image = st, .name = st->name});
  }
  tp_vec_push(&h->todo, 0);
  h->todo.n = 0;
  h->cap_logs = h->cap_reads = 64;
  h->logs = TP_NEW_ARRAY(log_entry, h->cap_logs);
  h->reads = TP_NEW_ARRAY(read_request, h->cap_reads);
  h->n_logs = h->n_reads = 1;
}

void tp_cheap_clear(tp_cheap *h) {
  tp_pointers_clear(&h->ps);
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
  if (h->n_logs == h->cap_logs) h->logs = tp_vec_grow(h->logs, &h->cap_logs, sizeof *h->logs, h->n_logs + 1);
  h->logs[h->n_logs] = e;
  return (uint32_t)h->n_logs++;
}

uint32_t tp_cheap_write(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term value) {
  return push_log(h, (log_entry){.kind = LOG_WRITE, .prev = log, .guard = guard, .offset = offset, .value = value});
}
uint32_t tp_cheap_set(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length, tp_term byte) {
  return push_log(h, (log_entry){.kind = LOG_SET, .prev = log, .guard = guard, .offset = offset, .length = length, .value = byte});
}
uint32_t tp_cheap_havoc(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length, tp_term bytes) {
  return push_log(h, (log_entry){.kind = LOG_HAVOC, .prev = log, .guard = guard, .offset = offset, .length = length, .value = bytes});
}
uint32_t tp_cheap_copy(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length, uint32_t from_object, uint32_t from_log, tp_term from_offset) {
  return push_log(h, (log_entry){.kind = LOG_COPY, .prev = log, .guard = guard, .offset = offset, .length = length, .object = from_object, .other = from_log, .value = from_offset});
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
    case TP_SORT_PTR: return tp_pointer_to_int(&h->ps, v);
    case TP_SORT_FP: return tp_mk1(h->tt, TP_OP_FP_TO_BITS, v);
    case TP_SORT_BV: break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: TP_INVARIANT(false); break;
  }
  return tp_mk_zext(h->tt, 8 * tp_sort_bytes(h->tt, s), bits);
}

static tp_term of_bytes(tp_cheap *h, tp_term bytes, tp_sort s) {
  switch (tp_sort_kind_of(h->tt, s)) {
    case TP_SORT_BOOL: return tp_mk_eq(h->tt, tp_mk_extract(h->tt, 0, 0, bytes), tp_mk_bv(h->tt, 1, 1));
    case TP_SORT_PTR: return tp_pointer_of_int(&h->ps, bytes);
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
  for (uint32_t i = 1; i < n; i++) all = tp_mk2(h->tt, TP_OP_BV_CONCAT, tp_mk2(h->tt, TP_OP_SELECT, array, plus(h, index, i)), all);
  return of_bytes(h, all, s);
}

// --------------------------------------------------------------- requests


static bool same_request(const read_request *a, const read_request *b) {
  return a->object == b->object && a->log == b->log && tp_term_eq(a->offset, b->offset) && a->n_bytes == b->n_bytes && tp_sort_eq(a->sort, b->sort);
}

/* The number of the request; open addressing over 64-bit keys, probing by salt. */
static uint32_t request_id(tp_cheap *h, read_request r) {
  for (uint32_t salt = 0;; salt++) {
    uint64_t key = tp_hash_mix(((uint64_t)r.object << 32) | r.log, ((uint64_t)r.offset.id << 32) | (r.sort.id << 8) | r.n_bytes), id;
    key = tp_hash_mix(key, salt);
    if (tp_map_get(&h->pairs, key, &id)) {
      if (same_request(&h->reads[id], &r)) return (uint32_t)id;
      continue;
    }
    if (h->n_reads == h->cap_reads) h->reads = tp_vec_grow(h->reads, &h->cap_reads, sizeof *h->reads, h->n_reads + 1);
    r.result = TP_TERM_NONE;
    h->reads[h->n_reads] = r;
    tp_map_set(&h->pairs, key, h->n_reads);
    return (uint32_t)h->n_reads++;
  }
}
