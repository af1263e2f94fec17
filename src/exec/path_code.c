/* Coding decisions: from bits to symbols, and from symbols to fewer symbols.
 *
 * Decisions are taken a word of 64 at a time. A word that goes on as the decisions did `distance`
 * bits ago costs one comparison: a loop that always does the same is one COPY (distance, length) of
 * itself, and so are loops around such loops, as long as one turn of the outermost fits the
 * history. Where that ends, the bits themselves are written (CHUNK, up to 61 bits each) until a
 * distance is found again: from anchors, positions that the bits themselves choose (behind a 0 a 1,
 * and what follows mixed), so that what was seen before is found however it lies in its words. A
 * table by the bits around an anchor tells where such bits stood last; a distance counts if the
 * whole next word fits, and is then taken back as far as it goes.
 *
 * Symbols then pass two levels of the same kind. Each remembers the last 64 symbols that it was
 * given; a sequence of symbols that continues as it went `distance` symbols ago becomes one symbol
 * REPEAT (distance, length), where the length may exceed the distance. So loops whose turns do not
 * fit the history are found as well.
 *
 * A symbol is a word: kind in the lowest two bits. */
#include "exec/path_code.h"

#include "exec/exec_limits.h"

enum { CHUNK, COPY, REPEAT };  // REPEAT + level
enum {
  CHUNK_TO = 61,
  WORD = 64,
  HISTORY = (TP_PATH_HISTORY),
  MOST_DISTANCE = (HISTORY - 2) * WORD,
  POSITIONS = 2048,
  AROUND = 24
};

enum { BUCKETS = 256 };
typedef struct {
  uint64_t last[TP_PATH_WINDOW];  // symbol number k at -k modulo the window: the newest first
  uint64_t positions[BUCKETS];    // by a hash of a symbol: where in `last` such symbols stand
  uint64_t n;
  uint64_t same, length;  // repetition in progress: distances (bit d - 1) that fit, symbols so far
} level;

struct tp_path_coder {
  uint64_t history[HISTORY];      // word number k at k modulo the history
  uint32_t positions[POSITIONS];  // by a hash of the bits around there: their position in bits,
                                  // modulo 2^32
  uint64_t n_words;
  uint64_t distance, length;  // copy in progress; 0: none
  tp_u128 bits;               // not a symbol yet; none while in a copy
  uint32_t n;                 // fewer than 61 between words
  level levels[TP_PATH_LEVELS];
};

static uint64_t low(uint64_t x, uint32_t n) { return n >= WORD ? x : x & (((uint64_t)1 << n) - 1); }

// --------------------------------------------------------------------- symbols

static uint64_t chunk_of(uint64_t bits, uint32_t n) {
  return (low(bits, n) | (uint64_t)1 << n) << 2 | CHUNK;
}

static bool put(tp_path_code *c, uint32_t at, uint64_t s);

static bool end_repeat(tp_path_code *c, uint32_t at) {
  level *l = &c->coder->levels[at];
  uint64_t s = l->last[(0 - (l->n - 1)) % TP_PATH_WINDOW];
  uint64_t length = l->length, distance = (uint64_t)__builtin_ctzll(l->same | (uint64_t)1 << 63);
  l->length = 0;
  if (length == 0) return true;
  if (length > 1) s = length << 8 | distance << 2 | (REPEAT + at);
  return put(c, at + 1, s);
}

static uint32_t bucket_of(uint64_t s) { return (uint32_t)((s * 0x9e3779b97f4a7c15u) >> 56); }

/* Distances at which this symbol stood before. */
static uint64_t distances(const level *l, uint64_t s) {
  uint64_t at = l->positions[bucket_of(s)];
  for (uint64_t left = at; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(left);
    at ^= (uint64_t)(l->last[i] != s) << i;
  }
  uint32_t newest = (uint32_t)((0 - (l->n - 1)) % TP_PATH_WINDOW);
  uint64_t d = newest ? at >> newest | at << (WORD - newest) : at;
  return l->n < TP_PATH_WINDOW ? low(d, (uint32_t)l->n) : d;
}

static void remember(level *l, uint64_t s) {
  uint32_t i = (uint32_t)((0 - l->n++) % TP_PATH_WINDOW);
  l->positions[bucket_of(l->last[i])] &= ~((uint64_t)1 << i);
  l->last[i] = s;
  l->positions[bucket_of(s)] |= (uint64_t)1 << i;
}

/* Gives a symbol to a level; the last one is the store. False: no room. */
static bool put(tp_path_code *c, uint32_t at, uint64_t s) {
  if (at == TP_PATH_LEVELS) {
    tp_vec_push(&c->words, s);
    return c->words.n * sizeof *c->words.at <= c->max_bytes;
  }
  level *l = &c->coder->levels[at];
  uint64_t d = distances(l, s);
  bool room = true;
  if (l->length && (l->same & d)) {
    l->same &= d;
  } else {
    room = end_repeat(c, at);
    l->same = d;
  }
  l->length++;
  remember(l, s);
  if (!l->same) room = end_repeat(c, at) && room;
  return room;
}

// --------------------------------------------------------------------- history

/* What stood `distance` bits before word number k. */
static uint64_t before(const struct tp_path_coder *k, uint64_t word, uint64_t distance) {
  uint64_t at = word - distance / WORD;
  uint32_t shift = (uint32_t)(distance % WORD);
  uint64_t w = k->history[at % HISTORY];
  return shift ? w << shift | k->history[(at - 1) % HISTORY] >> (WORD - shift) : w;
}

/* Bits of `x`, then of `y`, from bit i on. */
static uint64_t from_bit(uint64_t x, uint64_t y, uint32_t i) {
  return i ? x >> i | y << (WORD - i) : x;
}

/* Places within x that the bits around them choose; y follows, `last` is the word before. */
static uint64_t anchors_of(uint64_t last, uint64_t x, uint64_t y) {
  uint64_t edges = x & ~(x << 1 | last >> (WORD - 1));
  uint64_t some =
      edges & (from_bit(x, y, 3) ^ from_bit(x, y, 10)) & (from_bit(x, y, 5) ^ from_bit(x, y, 17));
  return some ? some : edges ? edges & (0 - edges) : 1;
}

/* A distance at which w, the next word, was seen before; 0: not found. Notes the anchors of the
 * word before it. */
static uint64_t find(struct tp_path_coder *k, uint64_t w) {
  if (!k->n_words) return 0;
  uint64_t word = k->n_words, x = k->history[(word - 1) % HISTORY],
           last = k->history[(word - 2) % HISTORY];
  uint64_t left = anchors_of(last, x, w), found = 0;
  for (uint32_t n = 0; left && n < TP_EXEC_PATH_ANCHORS; left &= left - 1, n++) {
    uint32_t i = (uint32_t)__builtin_ctzll(left), here = (uint32_t)((word - 1) * WORD + i);
    uint64_t around = from_bit(last, x, i) >> (WORD - AROUND) | from_bit(x, w, i) << AROUND;
    uint32_t *position =
        &k->positions[low(around, 2 * AROUND) * 0x9e3779b97f4a7c15u >> (WORD - 11)];
    uint32_t distance = here - *position;
    *position = here;
    if (found || !distance) continue;
    if (distance < WORD) distance *= (WORD + distance - 1) / distance;
    if (distance <= MOST_DISTANCE && before(k, word, distance) == w) found = distance;
  }
  return found;
}

// ------------------------------------------------------------------------ bits

static bool end_copy(tp_path_code *c) {
  struct tp_path_coder *k = c->coder;
  uint64_t s = k->length << 20 | k->distance << 2 | COPY;
  k->distance = 0;
  return put(c, 0, s);
}

/* Bits as they are, in chunks: whole ones, or all. */
static bool write_bits(tp_path_code *c, bool all) {
  struct tp_path_coder *k = c->coder;
  bool room = true;
  while (k->n >= CHUNK_TO || (all && k->n)) {
    uint32_t n = k->n < CHUNK_TO ? k->n : CHUNK_TO;
    room = put(c, 0, chunk_of((uint64_t)k->bits, n)) && room;
    k->bits >>= n;
    k->n -= n;
  }
  return room;
}

static void add_bits(struct tp_path_coder *k, uint64_t bits, uint32_t n) {
  k->bits |= (tp_u128)low(bits, n) << k->n;
  k->n += n;
}

/* The copy at this distance starts with the word w that comes next, or with bits before it that are
 * not a symbol yet. */
static bool start_copy(tp_path_code *c, uint64_t distance) {
  struct tp_path_coder *k = c->coder;
  uint64_t last = k->history[(k->n_words - 1) % HISTORY] ^ before(k, k->n_words - 1, distance);
  uint32_t back = last ? (uint32_t)__builtin_clzll(last) : WORD;
  if (back > k->n) back = k->n;
  if (distance + WORD > MOST_DISTANCE) back = 0;  // the word before that may be gone
  k->n -= back;
  k->bits &= ((tp_u128)1 << k->n) - 1;
  bool room = write_bits(c, true);
  TP_INVARIANT(distance >= WORD && distance <= MOST_DISTANCE);  // within the history
  k->distance = distance;
  k->length = back;
  return room;
}

/* The next n bits: a whole word, but at the end. */
static bool feed(tp_path_code *c, uint64_t w, uint32_t n) {
  struct tp_path_coder *k = c->coder;
  bool room = true;
  if (!k->distance && n == WORD) {
    uint64_t distance = find(k, w);
    if (distance) room = start_copy(c, distance);
  }
  uint32_t same = 0;
  if (k->distance) {
    uint64_t other = low(w ^ before(k, k->n_words, k->distance), n);
    same = other ? (uint32_t)__builtin_ctzll(other) : n;
    k->length += same;
    if (other) room = end_copy(c) && room;
  }
  if (n == WORD) k->history[k->n_words++ % HISTORY] = w;
  if (same == n) return room;
  add_bits(k, w >> same, n - same);
  return write_bits(c, false) && room;
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
  if (c->coder->distance) (void)end_copy(c);
  (void)write_bits(c, true);
  for (uint32_t i = 0; i < TP_PATH_LEVELS; i++) (void)end_repeat(c, i);
  tp_free(c->coder);
  c->coder = NULL;
}

void tp_path_code_add64(tp_path_code *c, uint64_t bits, uint32_t n_bits) {
  TP_REQUIRE(n_bits <= 64);
  if (c->is_cut || !n_bits) return;
  bits = low(bits, n_bits);
  uint32_t before = c->n_pending;
  TP_INVARIANT(before < WORD);
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

void tp_path_code_add(tp_path_code *c, uint32_t value, uint32_t n_bits) {
  TP_REQUIRE(n_bits <= 32);
  tp_path_code_add64(c, value, n_bits);
}

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

static bool get(tp_path_reader *r, uint32_t at, uint64_t *out) {
  if (at == TP_PATH_LEVELS) {
    if (r->word >= r->code->words.n) return false;
    *out = r->code->words.at[r->word++];
    return true;
  }
  uint64_t n = r->level[at].n;
  if (!r->level[at].left) {
    if (!get(r, at + 1, out)) return false;
    if ((*out & 3) == REPEAT + at) {
      r->level[at].left = *out >> 8;
      r->level[at].distance = (uint32_t)(*out >> 2 & 63) + 1;
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
  uint64_t s;
  if (!get(r, 0, &s)) return false;
  r->distance = 0;
  if ((s & 3) == COPY) {
    r->distance = s >> 2 & 0x3ffff;
    r->left = s >> 20;
  } else {
    r->next = s >> 2;
    r->left = (uint64_t)(WORD - 1 - __builtin_clzll(r->next));
  }
  return true;
}

/* n bits (1 .. 32) of the history, `distance` bits ago: at least a word. */
static uint64_t bits_ago(const tp_path_reader *r, uint64_t distance, uint32_t n) {
  uint64_t from = r->n_bits - distance, at = from / WORD;
  return low(
      from_bit(r->history[at % HISTORY], r->history[(at + 1) % HISTORY], (uint32_t)(from % WORD)),
      n);
}

static void note(tp_path_reader *r, uint64_t bits, uint32_t n) {
  uint64_t at = r->n_bits / WORD;
  uint32_t shift = (uint32_t)(r->n_bits % WORD);
  uint64_t *word = &r->history[at % HISTORY];
  *word = low(*word, shift) | bits << shift;
  if (shift + n > WORD) r->history[(at + 1) % HISTORY] = bits >> (WORD - shift);
  r->n_bits += n;
}

bool tp_path_next(tp_path_reader *r, uint32_t n_bits, uint32_t *value) {
  TP_REQUIRE(n_bits <= 32);
  uint64_t v = 0;
  for (uint32_t have = 0; have < n_bits;) {
    if (!r->left && !next_symbol(r)) return false;
    uint32_t n = n_bits - have;
    if (n > r->left) n = (uint32_t)r->left;
    uint64_t bits = r->distance ? bits_ago(r, r->distance, n) : low(r->next, n);
    note(r, bits, n);
    v |= bits << have;
    r->next >>= n;
    r->left -= n;
    have += n;
  }
  *value = (uint32_t)v;
  return true;
}
