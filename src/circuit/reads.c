/* Reads of array variables, and lemmas on demand.
 *
 * A read is a fresh word of inputs for a pair (array, index word); words are interned, so the same
 * pair is the same read. After each solution, reads of one array whose index words have equal
 * values must have equal elements; each violation adds Ackermann's implication for that pair. There
 * are finitely many pairs and a lemma excludes its violation for good, so refinement ends. */
#include "circuit/reads.h"

#include "circuit/words.h"

void tp_reads_init(tp_reads *r, tp_gates *g) {
  *r = (tp_reads){.g = g};
  tp_vec_push(&r->words, (tp_reads_word){.n = 0});  // TP_INDEX_DEFAULT
}

void tp_reads_clear(tp_reads *r) {
  tp_vec_clear(&r->lits);
  tp_vec_clear(&r->words);
  tp_vec_clear(&r->indices);
  tp_vec_clear(&r->reads);
  tp_map_clear(&r->heads);
  tp_map_clear(&r->of);
}

const tp_lit *tp_reads_word_of(const tp_reads *r, uint32_t word) {
  TP_REQUIRE(word < r->words.n);
  return r->lits.at + r->words.at[word].at;
}
uint32_t tp_reads_width(const tp_reads *r, uint32_t word) { return r->words.at[word].n; }

static uint32_t new_word(tp_reads *r, const tp_lit *word, uint32_t n, uint32_t next) {
  tp_reads_word w = {.at = (uint32_t)r->lits.n, .n = n, .next = next};
  for (uint32_t i = 0; i < n; i++) tp_vec_push(&r->lits, word[i]);
  tp_vec_push(&r->words, w);
  return (uint32_t)(r->words.n - 1);
}

uint32_t tp_reads_index(tp_reads *r, const tp_lit *word, uint32_t n) {
  TP_REQUIRE(n <= TP_WORD_MAX);
  uint64_t hash = tp_hash_bytes(word, n * sizeof *word, n), head = 0;
  (void)tp_map_get(&r->heads, hash, &head);
  for (uint32_t w = (uint32_t)head; w; w = r->words.at[w - 1].next)
    if (tp_reads_width(r, w - 1) == n &&
        memcmp(tp_reads_word_of(r, w - 1), word, n * sizeof *word) == 0)
      return w - 1;
  uint32_t w = new_word(r, word, n, (uint32_t)head);
  tp_map_set(&r->heads, hash, w + 1);
  tp_vec_push(&r->indices, w);
  return w;
}

const tp_lit *tp_reads_element(tp_reads *r, uint32_t array, uint32_t index, uint32_t width) {
  TP_REQUIRE(index < r->words.n && width >= 1 && width <= TP_WORD_MAX);
  uint64_t key = (uint64_t)array << 32 | index, at;
  if (!tp_map_get(&r->of, key, &at)) {
    tp_lit element[TP_WORD_MAX];
    tp_word_input(r->g, element, width);
    at = r->reads.n;
    tp_vec_push(
        &r->reads,
        (tp_read){.array = array, .index = index, .element = new_word(r, element, width, 0)});
    tp_map_set(&r->of, key, at);
  }
  TP_INVARIANT(at < r->reads.n && r->reads.at[at].array == array && r->reads.at[at].index == index);
  TP_INVARIANT(tp_reads_width(r, r->reads.at[at].element) == width);  // one array, one element sort
  return tp_reads_word_of(r, r->reads.at[at].element);
}

// -------------------------------------------------------------------- lemmas

typedef struct {
  const tp_read *read;
  tp_u128 index, element;
  size_t next;  // of the same hash + 1
} read_value;

static tp_u128 value(const tp_reads *r, tp_sat *sat, uint32_t word) {
  return tp_sat_word(sat, tp_reads_word_of(r, word), tp_reads_width(r, word));
}

/* "not (indices equal) or elements equal", with the last part one clause per bit. */
static void add_lemma(tp_reads *r, tp_sat *sat, const tp_read *a, const tp_read *b) {
  uint32_t n = tp_reads_width(r, a->index), m = tp_reads_width(r, a->element);
  const tp_lit *x = tp_reads_word_of(r, a->element), *y = tp_reads_word_of(r, b->element);
  tp_lit differ =
      tp_lit_not(tp_word_eq(r->g, tp_reads_word_of(r, a->index), tp_reads_word_of(r, b->index), n));
  for (uint32_t i = 0; i < m; i++) {
    tp_sat_clause(sat, (tp_lit[]){differ, x[i], tp_lit_not(y[i])}, 3);
    tp_sat_clause(sat, (tp_lit[]){differ, tp_lit_not(x[i]), y[i]}, 3);
  }
}

/* Every read is found by its array and index: else there would be two of one element. */
static bool are_reads_known(const tp_reads *r) {
  for (size_t i = 0; i < r->reads.n; i++) {
    uint64_t at;
    const uint64_t key = (uint64_t)r->reads.at[i].array << 32 | r->reads.at[i].index;
    if (!tp_map_get(&r->of, key, &at) || at != i) return false;
  }
  return r->of.n == r->reads.n;
}

/* The values of all reads are taken before the first lemma ends the solution. */
size_t tp_reads_refine(tp_reads *r, tp_sat *sat) {
  TP_INVARIANT(are_reads_known(r));
  TP_VEC(read_value) values = {0};
  TP_VEC(size_t) pairs = {0};
  tp_map heads = {0};
  for (size_t i = 0; i < r->reads.n; i++) {
    const tp_read *a = &r->reads.at[i];
    if (a->index == TP_INDEX_DEFAULT) continue;
    read_value current = {
        .read = a, .index = value(r, sat, a->index), .element = value(r, sat, a->element)};
    uint64_t hash = tp_hash_mix(tp_hash_mix(a->array, (uint64_t)current.index),
                                (uint64_t)(current.index >> 64)),
             head = 0;
    (void)tp_map_get(&heads, hash, &head);
    size_t k = (size_t)head;
    while (k &&
           (values.at[k - 1].read->array != a->array || values.at[k - 1].index != current.index))
      k = values.at[k - 1].next;
    if (k && values.at[k - 1].element != current.element) {
      tp_vec_push(&pairs, (size_t)(values.at[k - 1].read - r->reads.at));
      tp_vec_push(&pairs, i);
    }
    if (k) continue;
    current.next = (size_t)head;
    tp_vec_push(&values, current);
    tp_map_set(&heads, hash, values.n);
  }
  for (size_t i = 0; i < pairs.n; i += 2)
    add_lemma(r, sat, &r->reads.at[pairs.at[i]], &r->reads.at[pairs.at[i + 1]]);
  size_t n = pairs.n / 2;
  tp_vec_clear(&values);
  tp_vec_clear(&pairs);
  tp_map_clear(&heads);
  return n;
}
