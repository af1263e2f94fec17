/* Foundations: counted allocation, arenas, vectors, hash maps, strings.
 *
 * What       the containers that every room uses.
 * Ownership  an arena owns what is cut from it; vectors, maps and strings own
 *            their buffer until _clear. Allocation never returns NULL: on
 *            exhaustion the out-of-memory handler runs and does not return.
 * Cost       every live byte is counted; tp_live_bytes() is 0 after all is freed. */
#ifndef TP_BASE_BASE_H
#define TP_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum {
  TP_OK,
  TP_ERR_ARG,          // the caller passed something out of range
  TP_ERR_INPUT,        // the user's file or text is wrong
  TP_ERR_UNSUPPORTED,  // a construct we do not handle
  TP_ERR_LIMIT,        // time, memory or step limit reached
  TP_ERR_MEMORY,       // out of memory
  TP_ERR_SYSTEM,       // the operating system refused (file, process)
  TP_ERR_INTERNAL      // a bug of ours
} tp_status;
const char *tp_status_name(tp_status st);

#define TP_MUST_USE __attribute__((warn_unused_result))
#define TP_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define TP_TRY(call)              \
  do {                            \
    tp_status st_ = (call);       \
    if (st_ != TP_OK) return st_; \
  } while (0)

/* Assertions. All stop a check build with the place and the condition; none has effects.
 *
 * TP_REQUIRE    a precondition of a function, at its entry: the caller is at fault.
 * TP_INVARIANT  a fact that an argument rests on; a comment says why it holds, where that is not
 *               plain.
 * TP_NEVER      what cannot happen, where a release build needs an answer all the same:
 *               `if (TP_NEVER(n == 0)) return TP_ERR_INTERNAL;` stops a check build if n is 0, and
 *               is the plain condition in a release build, where the other two vanish. */
#ifdef TP_CHECKED
_Noreturn void tp_invariant_failed(const char *file, int line, const char *what);
#define TP_INVARIANT(c) ((c) ? (void)0 : tp_invariant_failed(__FILE__, __LINE__, #c))
#define TP_NEVER(c) ((c) ? (tp_invariant_failed(__FILE__, __LINE__, "never: " #c), true) : false)
#else
#define TP_INVARIANT(c) ((void)(false && (c)))  // compiled, never evaluated
#define TP_NEVER(c) (c)
#endif
#define TP_REQUIRE(c) TP_INVARIANT(c)

// ---------------------------------------------------------------- allocation

/* Called when memory is exhausted; must not return. The default ends the
 * process with status 71, which the supervisor reads as "out of memory". */
typedef void (*tp_oom_handler)(size_t size_bytes);
void tp_set_oom_handler(tp_oom_handler handler);
_Noreturn void tp_out_of_memory(size_t size_bytes);  // for libraries that allocate by themselves

void *tp_alloc(size_t size_bytes);                  // zeroed
void *tp_realloc(void *p, size_t size_bytes);       // new bytes undefined
void tp_free(void *p);                              // NULL is fine
size_t tp_live_bytes(void);                         // counted, all of the process
void *tp_alloc_array(size_t n, size_t elem_bytes);  // zeroed, overflow-checked
#define TP_NEW(type) ((type *)tp_alloc(sizeof(type)))
#define TP_NEW_ARRAY(type, n) ((type *)tp_alloc_array((n), sizeof(type)))

// -------------------------------------------------------------------- arenas

typedef struct tp_arena_block tp_arena_block;
typedef struct {
  tp_arena_block *head;  // newest block
  size_t bytes;          // handed out in total
} tp_arena;
typedef struct {
  tp_arena_block *block;
  size_t used;
  size_t bytes;
} tp_mark;

void tp_arena_init(tp_arena *a);
void tp_arena_clear(tp_arena *a);
void *tp_arena_alloc(tp_arena *a, size_t size_bytes);  // zeroed, 16-aligned
char *tp_arena_strdup(tp_arena *a, const char *s);
char *tp_arena_strndup(tp_arena *a, const char *s, size_t n);
char *tp_arena_printf(tp_arena *a, const char *fmt, ...) TP_PRINTF(2, 3);
tp_mark tp_arena_mark(const tp_arena *a);
void tp_arena_release(tp_arena *a, tp_mark m);         // frees all cut since m
bool tp_arena_owns(const tp_arena *a, const void *p);  // linear in the blocks; for assertions
#define tp_arena_new(a, type) ((type *)tp_arena_alloc((a), sizeof(type)))
#define tp_arena_array(a, type, n) ((type *)tp_arena_alloc((a), sizeof(type) * (size_t)(n)))

// ------------------------------------------------------------------- vectors

/* TP_VEC(int) v = {0}; tp_vec_push(&v, 3); v.at[0]; v.n; tp_vec_clear(&v). */
#define TP_VEC(type) \
  struct {           \
    type *at;        \
    size_t n;        \
    size_t cap;      \
  }
#define tp_vec_push(v, ...)                                                   \
  do {                                                                        \
    if ((v)->n == (v)->cap)                                                   \
      (v)->at = tp_vec_grow((v)->at, &(v)->cap, sizeof *(v)->at, (v)->n + 1); \
    (v)->at[(v)->n++] = (__VA_ARGS__);                                        \
  } while (0)
#define tp_vec_pop(v) (*(TP_REQUIRE((v)->n > 0), &(v)->at[--(v)->n]))
#define tp_vec_last(v) (*(TP_REQUIRE((v)->n > 0), &(v)->at[(v)->n - 1]))
#define tp_vec_clear(v) (tp_free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)
/* Make v hold n elements; new ones are zero. */
#define tp_vec_resize(v, count)                                                        \
  do {                                                                                 \
    size_t n_ = (count);                                                               \
    if (n_ > (v)->cap) (v)->at = tp_vec_grow((v)->at, &(v)->cap, sizeof *(v)->at, n_); \
    if (n_ > (v)->n) memset((v)->at + (v)->n, 0, (n_ - (v)->n) * sizeof *(v)->at);     \
    (v)->n = n_;                                                                       \
  } while (0)
void *tp_vec_grow(void *at, size_t *cap, size_t elem_bytes, size_t need);

// ------------------------------------------------------------------ hash maps

uint64_t tp_hash_bytes(const void *p, size_t n, uint64_t seed);
static inline uint64_t tp_hash_u64(uint64_t x) {  // splitmix64 finaliser
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static inline uint64_t tp_hash_mix(uint64_t h, uint64_t x) {
  return tp_hash_u64(h * 0x9e3779b97f4a7c15u + x + 0x632be59bd9b4e019u);
}

/* Map from 64-bit keys to 64-bit values; insertion order is kept for iteration
 * (entries[0..n)), so that nothing depends on hash order. Keys are never removed. */
typedef struct {
  uint64_t key;
  uint64_t value;
} tp_map_entry;
typedef struct {
  tp_map_entry *entries;
  size_t n, cap;
  uint32_t *slots;  // index + 1 into entries
  size_t n_slots;
} tp_map;
void tp_map_clear(tp_map *m);  // a zeroed tp_map is empty
bool tp_map_get(const tp_map *m, uint64_t key, uint64_t *value);
void tp_map_set(tp_map *m, uint64_t key, uint64_t value);
static inline bool tp_map_has(const tp_map *m, uint64_t key) {
  uint64_t v;
  return tp_map_get(m, key, &v);
}

/* Interned strings: equal texts, equal ids; 0 is the empty string. */
typedef struct tp_names tp_names;
tp_names *tp_names_new(void);
void tp_names_free(tp_names *names);
uint32_t tp_name_of(tp_names *names, const char *text);
const char *tp_name_text(const tp_names *names, uint32_t id);

// ------------------------------------------------------------------- strings

typedef struct {
  char *text;  // always 0-terminated, never NULL after first append
  size_t n, cap;
} tp_str;
void tp_str_clear(tp_str *s);
void tp_str_add(tp_str *s, const char *text);
void tp_str_add_n(tp_str *s, const char *text, size_t n);
void tp_str_add_char(tp_str *s, char c);
void tp_str_add_quoted(tp_str *s, const char *text);  // as one word of a POSIX shell
void tp_str_printf(tp_str *s, const char *fmt, ...) TP_PRINTF(2, 3);
/* For texts of others in the middle of a line, a comment or a message: control characters and
 * slashes behind a star stand as \ooo, so that neither the line nor a comment ends. */
void tp_str_add_line_text(tp_str *s, const char *text);
static inline const char *tp_str_text(const tp_str *s) { return s->text ? s->text : ""; }

/* Whole file appended to out (0-terminated), within the limits of base/files.h. Errors:
 * TP_ERR_SYSTEM with errno set; out is as before then. */
tp_status tp_read_file(const char *path, tp_str *out) TP_MUST_USE;
tp_status tp_write_file(const char *path, const char *text, size_t n) TP_MUST_USE;

// ------------------------------------------------------- numbers, clock, random

__extension__ typedef unsigned __int128 tp_u128;
__extension__ typedef __int128 tp_i128;

double tp_wall_s(void);  // monotonic seconds
double tp_cpu_s(void);   // of this process, user + system

/* xoshiro256**: the one pseudo-random generator; same seed, same numbers. */
typedef struct {
  uint64_t s[4];
} tp_rng;
void tp_rng_init(tp_rng *r, uint64_t seed);
uint64_t tp_rng_next(tp_rng *r);
uint64_t tp_rng_below(tp_rng *r, uint64_t n);  // uniform in [0, n), n > 0

#endif
