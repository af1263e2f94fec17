/* Coding decisions: from bits to symbols, and from symbols to fewer symbols.
 *
 * Bits become symbols of two kinds. RUN: a pattern of at most 32 bits, over and over, for a number of bits. CHUNK: up to 61 bits as they are;
 * where a chunk ends depends on the bits around that place only, so whatever is repeated soon is cut up alike each time.
 *
 * Symbols then pass two levels of the same kind. Each remembers the last 64 symbols that it was given; a sequence of symbols that continues as
 * it went `distance` symbols ago becomes one symbol COPY (distance, length), where the length may exceed the distance: repetition. A loop that
 * always does the same is a RUN; a loop around loops that do the same is a COPY of the first level; one level more around that, of the second.
 *
 * A symbol is a word: kind in the lowest two bits. RUN takes a second word, its pattern. */
#include "exec/path_code.h"

enum { CHUNK, RUN, COPY };                                     // COPY + level
enum { MOST_PERIOD = 32, CHUNK_FROM = 30, CHUNK_TO = 61, WORD = 64 };

enum { BUCKETS = 256 };
typedef struct {
  tp_path_symbol last[TP_PATH_WINDOW];                         // symbol number k at -k modulo the window: the newest first
  uint64_t places[BUCKETS];                                    // by a hash of a symbol: where in `last` such symbols stand
  uint64_t n;
  uint64_t same, length;                                       // copy in progress: distances (bit d - 1) that fit, symbols so far
} level;

struct tp_path_coder {
  tp_u128 bits;                                                // not a symbol yet; none while in a run
  uint32_t n;                                                  // fewer than 64 between calls
  uint32_t period;                                             // 0: not in a run
  uint64_t pattern, next, run_bits;                            // next: what comes if the run goes on
  level levels[TP_PATH_LEVELS];
};

static uint64_t low(uint64_t x, uint32_t n) { return n >= WORD ? x : x & (((uint64_t)1 << n) - 1); }

/* The lowest `period` bits of x, repeated. */
static uint64_t extended(uint64_t x, uint32_t period) {
  x = low(x, period);
  for (uint32_t have = period; have < WORD; have *= 2) x |= x << have;
  return x;
}

/* What a repetition continues with after n bits. */
static uint64_t advanced(uint64_t next, uint32_t period, uint32_t n) {
  uint32_t by = n % period;
  if (!by) return next;
  uint64_t p = low(next, period);
  return extended(p >> by | p << (period - by), period);
}

// --------------------------------------------------------------------- symbols

static uint64_t chunk_of(uint64_t bits, uint32_t n) { return (low(bits, n) | (uint64_t)1 << n) << 2 | CHUNK; }

static bool put(tp_path_code *c, uint32_t at, tp_path_symbol s);

static bool end_copy(tp_path_code *c, uint32_t at) {
  level *l = &c->coder->levels[at];
  tp_path_symbol s = l->last[(0 - (l->n - 1)) % TP_PATH_WINDOW];
  uint64_t length = l->length, distance = (uint64_t)__builtin_ctzll(l->same | (uint64_t)1 << 63);
  l->length = 0;
  if (length == 0) return true;
  if (length > 1) s = (tp_path_symbol){.head = length << 8 | distance << 2 | (COPY + at)};
  return put(c, at + 1, s);
}

static uint32_t bucket_of(tp_path_symbol s) { return (uint32_t)((s.head ^ s.pattern << 7) * 0x9e3779b97f4a7c15u >> 56); }

/* Distances at which this symbol stood before. */
static uint64_t distances(const level *l, tp_path_symbol s) {
  uint64_t at = l->places[bucket_of(s)];
  for (uint64_t left = at; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(left);
    at ^= (uint64_t)(l->last[i].head != s.head || l->last[i].pattern != s.pattern) << i;
  }
  uint32_t newest = (uint32_t)((0 - (l->n - 1)) % TP_PATH_WINDOW);
  uint64_t d = newest ? at >> newest | at << (WORD - newest) : at;
  return l->n < TP_PATH_WINDOW ? low(d, (uint32_t)l->n) : d;
}

static void remember(level *l, tp_path_symbol s) {
  uint32_t i = (uint32_t)((0 - l->n++) % TP_PATH_WINDOW);
  l->places[bucket_of(l->last[i])] &= ~((uint64_t)1 << i);
  l->last[i] = s;
  l->places[bucket_of(s)] |= (uint64_t)1 << i;
}

/* Gives a symbol to a level; the last one is the store. False: no room. */
static bool put(tp_path_code *c, uint32_t at, tp_path_symbol s) {
  if (at == TP_PATH_LEVELS) {
    tp_vec_push(&c->words, s.head);
    if ((s.head & 3) == RUN) tp_vec_push(&c->words, s.pattern);
    return c->words.n * sizeof *c->words.at <= c->max_bytes;
  }
  level *l = &c->coder->levels[at];
  uint64_t d = distances(l, s);
  bool room = true;
  if (l->length && (l->same & d)) {
    l->same &= d;
  } else {
    room = end_copy(c, at);
    l->same = d;
  }
  l->length++;
  remember(l, s);
  if (!l->same) room = end_copy(c, at) && room;
  return room;
}

// ------------------------------------------------------------------------ bits

/* A place to cut that moves with the content: where the sixteen bits before it are the largest, in a shuffled order (times 40503, modulo
 * 2^16); the first of several. Downwards: the bits of a place are those of the place above, shifted by one, and a new one. */
static uint32_t cut_of(uint64_t w) {
  uint32_t key = (uint32_t)(w >> (CHUNK_TO - 16) & 0xffff) * 40503u, best = 0;
  for (uint32_t k = CHUNK_TO;; key = 2 * key + (uint32_t)(w >> (--k - 16) & 1) * 40503u) {
    uint32_t rank = (key & 0xffff) << 6 | (WORD - 1 - k);
    best = rank > best ? rank : best;
    if (k == CHUNK_FROM) return WORD - 1 - best % WORD;
  }
}

/* Of the places where the first sixteen bits stand again, the first where the whole word goes on so. */
static uint32_t period_of(uint64_t w) {
  uint64_t again = low(UINT64_MAX, MOST_PERIOD + 1) & ~(uint64_t)1;
  for (uint32_t j = 0; j < 16; j++) again &= w >> j ^ ((w >> j & 1) - 1);
  for (; again; again &= again - 1) {
    uint32_t p = (uint32_t)__builtin_ctzll(again);
    if (!low(w ^ w >> p, WORD - p)) return p;
  }
  return 0;
}

static bool end_run(tp_path_code *c) {
  struct tp_path_coder *k = c->coder;
  tp_path_symbol s = {.head = k->run_bits << 8 | (uint64_t)k->period << 2 | RUN, .pattern = k->pattern};
  k->period = 0;
  return put(c, 0, s);
}

/* How many of n bits continue the run. */
static uint32_t continue_run(struct tp_path_coder *k, uint64_t bits, uint32_t n) {
  uint64_t other = low(bits ^ k->next, n);
  uint32_t same = other ? (uint32_t)__builtin_ctzll(other) : n;
  k->run_bits += same;
  k->next = advanced(k->next, k->period, same);
  return same;
}

/* Symbols of what lies in the buffer, as long as there is a word of it. */
static bool take_words(tp_path_code *c) {
  struct tp_path_coder *k = c->coder;
  bool room = true;
  while (k->n >= WORD) {
    uint64_t w = (uint64_t)k->bits;
    uint32_t used = WORD;
    k->period = period_of(w);
    if (k->period) {
      k->pattern = low(w, k->period);
      k->next = advanced(extended(w, k->period), k->period, WORD);
      k->run_bits = WORD;
      used += continue_run(k, (uint64_t)(k->bits >> WORD), k->n - WORD);
      if (used < k->n) room = end_run(c) && room;
    } else {
      used = cut_of(w);
      room = put(c, 0, (tp_path_symbol){.head = chunk_of(w, used)}) && room;
    }
    k->bits >>= used;                                          // less than 128
    k->n -= used;
  }
  return room;
}

static bool feed(tp_path_code *c, uint64_t bits, uint32_t n) {
  struct tp_path_coder *k = c->coder;
  bool room = true;
  uint32_t used = 0;
  if (k->period) {
    used = continue_run(k, bits, n);
    if (used == n) return true;
    room = end_run(c);
  }
  k->bits |= (tp_u128)low(bits, n) >> used << k->n;
  k->n += n - used;
  return take_words(c) && room;
}

// -------------------------------------------------------------------- the code

void tp_path_code_init(tp_path_code *c, size_t max_bytes) {
  *c = (tp_path_code){.max_bytes = max_bytes ? max_bytes : (size_t)1 << 20};
}

void tp_path_code_clear(tp_path_code *c) {
  tp_vec_clear(&c->words);
  tp_free(c->coder);
  *c = (tp_path_code){.max_bytes = c->max_bytes};
}

void tp_path_code_finish(tp_path_code *c) {
  uint64_t bits = c->pending;
  uint32_t n = c->n_pending;
  c->pending = c->n_pending = 0;
  if (!n && !c->coder) return;
  if (!c->coder) c->coder = TP_NEW(struct tp_path_coder);
  (void)feed(c, bits, n);
  if (c->coder->period) (void)end_run(c);
  for (uint32_t most = CHUNK_TO; c->coder->n;) {
    uint32_t part = c->coder->n < most ? c->coder->n : most;
    (void)put(c, 0, (tp_path_symbol){.head = chunk_of((uint64_t)c->coder->bits, part)});
    c->coder->bits >>= part;
    c->coder->n -= part;
  }
  for (uint32_t i = 0; i < TP_PATH_LEVELS; i++) (void)end_copy(c, i);
  tp_free(c->coder);
  c->coder = NULL;
}

void tp_path_code_add64(tp_path_code *c, uint64_t bits, uint32_t n_bits) {
  if (c->is_cut || !n_bits) return;
  bits = low(bits, n_bits);
  uint32_t before = c->n_pending;
  c->pending |= bits << before;
  c->n_bits += n_bits;
  if (before + n_bits < WORD) {
    c->n_pending += n_bits;
    return;
  }
  uint64_t word = c->pending;
  c->pending = before ? bits >> (WORD - before) : 0;
  c->n_pending = before + n_bits - WORD;
  if (!c->coder) c->coder = TP_NEW(struct tp_path_coder);
  if (feed(c, word, WORD)) return;
  tp_path_code_finish(c);
  c->is_cut = true;
}

void tp_path_code_add(tp_path_code *c, uint32_t value, uint32_t n_bits) { tp_path_code_add64(c, value, n_bits); }

bool tp_path_code_equal(const tp_path_code *a, const tp_path_code *b) {
  TP_INVARIANT(!a->coder && !b->coder);
  return a->n_bits == b->n_bits && a->pending == b->pending && a->words.n == b->words.n &&
         (!a->words.n || !memcmp(a->words.at, b->words.at, a->words.n * sizeof *a->words.at));
}

// --------------------------------------------------------------------- reading

tp_path_reader tp_path_read(const tp_path_code *c) {
  TP_INVARIANT(!c->coder && !c->n_pending);
  return (tp_path_reader){.code = c};
}

static bool get(tp_path_reader *r, uint32_t at, tp_path_symbol *out) {
  if (at == TP_PATH_LEVELS) {
    if (r->word >= r->code->words.n) return false;
    *out = (tp_path_symbol){.head = r->code->words.at[r->word++]};
    if ((out->head & 3) == RUN) out->pattern = r->code->words.at[r->word++];
    return true;
  }
  uint64_t n = r->level[at].n;
  if (!r->level[at].left) {
    if (!get(r, at + 1, out)) return false;
    if ((out->head & 3) == COPY + at) {
      r->level[at].left = out->head >> 8;
      r->level[at].distance = (uint32_t)(out->head >> 2 & 63) + 1;
    }
  }
  if (r->level[at].left) {
    r->level[at].left--;
    *out = r->level[at].last[(n - r->level[at].distance) % TP_PATH_WINDOW];
  }
  r->level[at].last[n % TP_PATH_WINDOW] = *out;
  r->level[at].n++;
  return true;
}

static bool next_symbol(tp_path_reader *r) {
  tp_path_symbol s;
  if (!get(r, 0, &s)) return false;
  if ((s.head & 3) == RUN) {
    r->period = (uint32_t)(s.head >> 2 & 63);
    r->left = s.head >> 8;
    r->next = extended(s.pattern, r->period);
  } else {
    uint64_t bits = s.head >> 2;
    r->period = 0;
    r->left = (uint64_t)(WORD - 1 - __builtin_clzll(bits));
    r->next = bits;
  }
  return true;
}

bool tp_path_next(tp_path_reader *r, uint32_t n_bits, uint32_t *value) {
  uint64_t v = 0;
  for (uint32_t have = 0; have < n_bits;) {
    if (!r->left && !next_symbol(r)) return false;
    uint32_t n = n_bits - have;
    if (n > r->left) n = (uint32_t)r->left;
    v |= low(r->next, n) << have;
    r->next = r->period ? advanced(r->next, r->period, n) : r->next >> n;
    r->left -= n;
    have += n;
  }
  *value = (uint32_t)v;
  return true;
}
