/* Allocation with counted bytes, arenas, hash maps, strings, clocks, files and the random
 * generator. */
#include "base/base.h"

#include "base/fault.h"
#include "base/process.h"
#include "base/base_limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

const char *tp_status_name(tp_status st) {
  switch (st) {
    case TP_OK: return "ok";
    case TP_ERR_ARG: return "bad argument";
    case TP_ERR_INPUT: return "bad input";
    case TP_ERR_UNSUPPORTED: return "unsupported";
    case TP_ERR_LIMIT: return "limit reached";
    case TP_ERR_MEMORY: return "out of memory";
    case TP_ERR_SYSTEM: return "system error";
    case TP_ERR_INTERNAL: return "internal error";
  }
  return "?";
}

#ifdef TP_CHECKED
_Noreturn void tp_invariant_failed(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: invariant violated: %s\n", file, line, what);
  abort();
}
#endif

// ---------------------------------------------------------------- allocation

/* A 16-byte header in front of each block holds its size, so that frees can be counted. */
enum { TP_HEADER = 16 };
static size_t live_bytes, n_blocks;

_Noreturn static void default_oom(size_t size_bytes) {
  (void)size_bytes;
  static const char text[] = "twoproof: out of memory\n";
  ssize_t ignored = write(2, text, sizeof text - 1);
  (void)ignored;
  _exit(71);
}
static tp_oom_handler oom_handler = default_oom;
void tp_set_oom_handler(tp_oom_handler handler) { oom_handler = handler ? handler : default_oom; }

void tp_out_of_memory(size_t size_bytes) {
  oom_handler(size_bytes);
  default_oom(size_bytes);
}

void *tp_alloc(size_t size_bytes) {
  if (size_bytes > SIZE_MAX / 2 || tp_fault_pass(TP_FAULT_EVENT_ALLOC))
    tp_out_of_memory(size_bytes);
  char *p = calloc(1, size_bytes + TP_HEADER);
  if (!p) tp_out_of_memory(size_bytes);
  memcpy(p, &size_bytes, sizeof size_bytes);
  live_bytes += size_bytes;
  n_blocks++;
  return p + TP_HEADER;
}

void *tp_realloc(void *p, size_t size_bytes) {
  if (!p) return tp_alloc(size_bytes);
  if (size_bytes > SIZE_MAX / 2 || tp_fault_pass(TP_FAULT_EVENT_ALLOC))
    tp_out_of_memory(size_bytes);
  char *base = (char *)p - TP_HEADER;
  size_t old;
  memcpy(&old, base, sizeof old);
  base = realloc(base, size_bytes + TP_HEADER);
  if (!base) tp_out_of_memory(size_bytes);
  memcpy(base, &size_bytes, sizeof size_bytes);
  TP_INVARIANT(live_bytes >= old);  // the header is intact
  live_bytes += size_bytes - old;
  return base + TP_HEADER;
}

void tp_free(void *p) {
  if (!p) return;
  char *base = (char *)p - TP_HEADER;
  size_t old;
  memcpy(&old, base, sizeof old);
  TP_INVARIANT(n_blocks > 0 && live_bytes >= old);
  live_bytes -= old;
  n_blocks--;
  TP_INVARIANT(n_blocks > 0 || live_bytes == 0);  // every byte is one of a block
  free(base);
}

size_t tp_live_bytes(void) { return live_bytes; }

void *tp_alloc_array(size_t n, size_t elem_bytes) {
  size_t bytes;
  if (__builtin_mul_overflow(n, elem_bytes, &bytes)) tp_out_of_memory(SIZE_MAX);
  return tp_alloc(bytes);
}

void *tp_vec_grow(void *at, size_t *cap, size_t elem_bytes, size_t need) {
  TP_REQUIRE(elem_bytes > 0 && need > *cap);
  size_t next = *cap < 4 ? 4 : *cap + *cap / 2, bytes;
  if (next < need) next = need;
  if (__builtin_mul_overflow(next, elem_bytes, &bytes)) tp_out_of_memory(SIZE_MAX);
  *cap = next;
  return tp_realloc(at, bytes);
}

// -------------------------------------------------------------------- arenas

struct tp_arena_block {
  tp_arena_block *next;
  size_t used, size;  // bytes of the payload behind this header
  size_t pad;
};

void tp_arena_init(tp_arena *a) { *a = (tp_arena){0}; }

void tp_arena_clear(tp_arena *a) { tp_arena_release(a, (tp_mark){0}); }

void *tp_arena_alloc(tp_arena *a, size_t size_bytes) {
  if (size_bytes > SIZE_MAX / 4) tp_out_of_memory(size_bytes);
  size_t n = (size_bytes + 15) & ~(size_t)15;
  tp_arena_block *b = a->head;
  if (!b || b->size - b->used < n) {
    size_t size = b ? b->size * 2 : TP_BASE_ARENA_FIRST_BYTES;
    if (size > TP_BASE_ARENA_LARGEST_BYTES) size = TP_BASE_ARENA_LARGEST_BYTES;
    if (size < n) size = n;
    b = tp_alloc(sizeof *b + size);
    *b = (tp_arena_block){.next = a->head, .size = size};
    a->head = b;
  }
  TP_INVARIANT(b->used + n <= b->size);
  char *p = (char *)(b + 1) + b->used;
  b->used += n;
  a->bytes += n;
  memset(p, 0, n);  // released parts of a block are reused
  return p;
}

char *tp_arena_strndup(tp_arena *a, const char *s, size_t n) {
  char *p = tp_arena_alloc(a, n + 1);
  memcpy(p, s, n);
  return p;
}

char *tp_arena_strdup(tp_arena *a, const char *s) { return tp_arena_strndup(a, s, strlen(s)); }

char *tp_arena_printf(tp_arena *a, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  char *p = tp_arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1);
  if (n > 0) vsnprintf(p, (size_t)n + 1, fmt, again);
  va_end(again);
  return p;
}

tp_mark tp_arena_mark(const tp_arena *a) {
  return (tp_mark){.block = a->head, .used = a->head ? a->head->used : 0, .bytes = a->bytes};
}

/* What is handed out, block by block. */
static size_t bytes_in_use(const tp_arena *a) {
  size_t n = 0;
  for (const tp_arena_block *b = a->head; b; b = b->next) n += b->used;
  return n;
}

void tp_arena_release(tp_arena *a, tp_mark m) {
  TP_REQUIRE(m.bytes <= a->bytes);  // a mark that is older than what it frees
  while (a->head != m.block) {
    TP_REQUIRE(a->head);  // the mark is one of this arena, and not released yet
    tp_arena_block *next = a->head->next;
    tp_free(a->head);
    a->head = next;
  }
  TP_REQUIRE(!a->head || m.used <= a->head->used);
  if (a->head) a->head->used = m.used;
  a->bytes = m.bytes;
  TP_INVARIANT(bytes_in_use(a) == a->bytes);
}

bool tp_arena_owns(const tp_arena *a, const void *p) {
  const uintptr_t at = (uintptr_t)p;
  for (const tp_arena_block *b = a->head; b; b = b->next)
    if (at >= (uintptr_t)(b + 1) && at < (uintptr_t)(b + 1) + b->used) return true;
  return false;
}

// ------------------------------------------------------------------ hash maps

uint64_t tp_hash_bytes(const void *p, size_t n, uint64_t seed) {
  const unsigned char *b = p;
  uint64_t h = seed ^ (n * 0x9e3779b97f4a7c15u), w;
  for (; n >= 8; b += 8, n -= 8) {
    memcpy(&w, b, 8);
    h = tp_hash_mix(h, w);
  }
  w = 0;
  memcpy(&w, b, n);
  return tp_hash_mix(h, w);
}

void tp_map_clear(tp_map *m) {
  tp_free(m->entries);
  tp_free(m->slots);
  *m = (tp_map){0};
}

static size_t map_slot(const tp_map *m, uint64_t key) {
  TP_REQUIRE(m->n < m->n_slots && (m->n_slots & (m->n_slots - 1)) == 0);  // a slot is free
  size_t mask = m->n_slots - 1, i = (size_t)tp_hash_u64(key + 0x9e3779b97f4a7c15u) & mask;
  while (m->slots[i] && m->entries[m->slots[i] - 1].key != key) i = (i + 1) & mask;
  return i;
}

bool tp_map_get(const tp_map *m, uint64_t key, uint64_t *value) {
  if (!m->n_slots) return false;
  uint32_t e = m->slots[map_slot(m, key)];
  if (!e) return false;
  *value = m->entries[e - 1].value;
  return true;
}

/* Every entry is found: slots are made anew when there are more of them. Linear, as growing is. */
static bool is_indexed(const tp_map *m) {
  for (size_t i = 0; i < m->n; i++)
    if (m->slots[map_slot(m, m->entries[i].key)] != i + 1) return false;
  return true;
}

static void map_grow(tp_map *m) {
  size_t n_slots = m->n_slots ? m->n_slots * 2 : 16;
  tp_free(m->slots);
  m->slots = TP_NEW_ARRAY(uint32_t, n_slots);
  m->n_slots = n_slots;
  for (size_t i = 0; i < m->n; i++) m->slots[map_slot(m, m->entries[i].key)] = (uint32_t)i + 1;
  TP_INVARIANT(is_indexed(m));
}

void tp_map_set(tp_map *m, uint64_t key, uint64_t value) {
  if ((m->n + 1) * 2 > m->n_slots) map_grow(m);
  size_t i = map_slot(m, key);
  if (m->slots[i]) {
    m->entries[m->slots[i] - 1].value = value;
    return;
  }
  if (m->n == m->cap) m->entries = tp_vec_grow(m->entries, &m->cap, sizeof *m->entries, m->n + 1);
  TP_INVARIANT(m->n < m->cap && m->n < UINT32_MAX);
  m->entries[m->n] = (tp_map_entry){key, value};
  m->slots[i] = (uint32_t)++m->n;
}

// ------------------------------------------------------------ interned strings

struct tp_names {
  tp_arena arena;
  TP_VEC(const char *) texts;
  uint32_t *slots;
  size_t n_slots;
};

static size_t names_slot(const tp_names *names, const char *text, size_t n) {
  TP_REQUIRE(names->texts.n < names->n_slots);
  size_t mask = names->n_slots - 1, i = (size_t)tp_hash_bytes(text, n, 7) & mask;
  while (names->slots[i] && strcmp(names->texts.at[names->slots[i] - 1], text) != 0)
    i = (i + 1) & mask;
  return i;
}

/* Every text is found: else it would be interned a second time, under another id. */
static bool are_indexed(const tp_names *names) {
  for (size_t i = 0; i < names->texts.n; i++) {
    const char *t = names->texts.at[i];
    if (names->slots[names_slot(names, t, strlen(t))] != i + 1) return false;
  }
  return true;
}

static void names_grow(tp_names *names) {
  tp_free(names->slots);
  names->n_slots = names->n_slots ? names->n_slots * 2 : 64;
  names->slots = TP_NEW_ARRAY(uint32_t, names->n_slots);
  for (size_t i = 0; i < names->texts.n; i++) {
    const char *t = names->texts.at[i];
    names->slots[names_slot(names, t, strlen(t))] = (uint32_t)i + 1;
  }
  TP_INVARIANT(are_indexed(names));
}

tp_names *tp_names_new(void) {
  tp_names *names = TP_NEW(tp_names);
  names_grow(names);
  (void)tp_name_of(names, "");
  return names;
}

void tp_names_free(tp_names *names) {
  if (!names) return;
  tp_vec_clear(&names->texts);
  tp_free(names->slots);
  tp_arena_clear(&names->arena);
  tp_free(names);
}

uint32_t tp_name_of(tp_names *names, const char *text) {
  if ((names->texts.n + 1) * 2 > names->n_slots) names_grow(names);
  size_t n = strlen(text), i = names_slot(names, text, n);
  if (!names->slots[i]) {
    tp_vec_push(&names->texts, tp_arena_strndup(&names->arena, text, n));
    names->slots[i] = (uint32_t)names->texts.n;
  }
  return names->slots[i] - 1;
}

const char *tp_name_text(const tp_names *names, uint32_t id) {
  TP_REQUIRE(id < names->texts.n);
  return names->texts.at[id];
}

// ------------------------------------------------------------------- strings

void tp_str_clear(tp_str *s) {
  tp_free(s->text);
  *s = (tp_str){0};
}

static void str_reserve(tp_str *s, size_t more) {
  if (s->n + more + 1 > s->cap) s->text = tp_vec_grow(s->text, &s->cap, 1, s->n + more + 1);
}

void tp_str_add_n(tp_str *s, const char *text, size_t n) {
  str_reserve(s, n);
  TP_INVARIANT(s->n + n < s->cap);  // room for the 0 behind the text
  memcpy(s->text + s->n, text, n);
  s->n += n;
  s->text[s->n] = 0;
}

void tp_str_add(tp_str *s, const char *text) { tp_str_add_n(s, text, strlen(text)); }

void tp_str_add_char(tp_str *s, char c) { tp_str_add_n(s, &c, 1); }

void tp_str_printf(tp_str *s, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  if (n > 0) {
    str_reserve(s, (size_t)n);
    vsnprintf(s->text + s->n, (size_t)n + 1, fmt, again);
    s->n += (size_t)n;
  }
  va_end(again);
}

void tp_str_add_quoted(tp_str *s, const char *text) {
  tp_str_add_char(s, '\'');
  for (; *text; text++) {
    if (*text == '\'')
      tp_str_add(s, "'\\''");
    else
      tp_str_add_char(s, *text);
  }
  tp_str_add_char(s, '\'');
}

void tp_str_add_line_text(tp_str *s, const char *text) {
  for (const char *at = text; *at; at++) {
    const unsigned char c = (unsigned char)*at;
    const bool ends_comment = c == '/' && at > text && at[-1] == '*';
    if (c < ' ' || c == 127 || ends_comment)
      tp_str_printf(s, "\\%03o", c);
    else
      tp_str_add_char(s, *at);
  }
}

// ------------------------------------------------------------ clock and random

static double clock_s(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
double tp_wall_s(void) { return clock_s(CLOCK_MONOTONIC); }
static double charged_s;
double tp_cpu_s(void) { return clock_s(CLOCK_PROCESS_CPUTIME_ID) + charged_s; }
void tp_process_charge(double cpu_s) { charged_s += cpu_s; }

void tp_rng_init(tp_rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) r->s[i] = tp_hash_u64(seed += 0x9e3779b97f4a7c15u);
}

static uint64_t rotl(uint64_t x, int k) {
  TP_REQUIRE(k > 0 && k < 64);
  return (x << k) | (x >> (64 - k));
}

uint64_t tp_rng_next(tp_rng *r) {
  uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl(s[3], 45);
  return result;
}

uint64_t tp_rng_below(tp_rng *r, uint64_t n) {
  TP_REQUIRE(n > 0);
  uint64_t limit = -n % n, x;  // reject the first 2^64 mod n values
  do x = tp_rng_next(r);
  while (x < limit);
  return x % n;
}
